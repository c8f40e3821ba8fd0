//! The result of a check as JUnit's XML, for whoever shows the results of tests: a test case for each property at each place.
//! As Jenkins' schema has it (junit-10.xsd of its xUnit plugin): places are in the names of test cases, which have no other attributes.
//! A violation is a failure with its steps; what is not decided is an error, since nobody may take it for a success.

use crate::report::Report;
use crate::results::CheckResult;
use std::fmt::Write;
use trellis_bench::xml::escape;

/// The text.
pub fn suites(report: &Report) -> String {
    let whole = [whole(report)];
    // Nothing was read, or there is nothing that could be violated: one case for the check as such.
    let results = match report.results.is_empty() {
        true => &whole[..],
        false => &report.results[..],
    };
    let count = |verdict| results.iter().filter(|r| r.verdict == verdict).count();
    let (failures, errors) = (count("false"), count("unknown"));
    let (tests, time) = (results.len(), report.wall_seconds);
    let figures =
        format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time:.3}\"");
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"trellis\" {figures}>");
    let name = escape(&report.files.join(" "));
    let _ = writeln!(out, "  <testsuite name=\"{name}\" {figures} skipped=\"0\">");
    for result in results {
        out += &case(result);
    }
    out + "  </testsuite>\n</testsuites>\n"
}

/// The suites of several texts in one.
pub fn joined(texts: &[String]) -> String {
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"trellis\">\n");
    for text in texts {
        let start = text.find("  <testsuite ");
        let end = text.rfind("</testsuites>");
        if let (Some(start), Some(end)) = (start, end) {
            out += &text[start..end];
        }
    }
    out + "</testsuites>\n"
}

/// The check as one result.
fn whole(report: &Report) -> CheckResult {
    CheckResult {
        property: report.property.clone().unwrap_or_else(|| "safety".into()),
        place: None,
        function: String::new(),
        expression: String::new(),
        verdict: report.verdict,
        message: None,
        proof: None,
        reason: report.reason.clone(),
        decided_by: None,
        certified_by: None,
        confirmation: None,
        fingerprint: report.fingerprint.clone(),
        trace: report.trace.clone(),
        steps: Vec::new(),
    }
}

fn case(result: &CheckResult) -> String {
    let CheckResult {
        property, function, ..
    } = result;
    let mut name = property.clone();
    for part in [&result.at(), &result.expression] {
        if !part.is_empty() {
            name += &format!(": {part}");
        }
    }
    let mut class = result.place.as_ref().map_or("", |p| &p.file).to_string();
    if !function.is_empty() {
        class += if class.is_empty() { "" } else { ":" };
        class += function;
    }
    if class.is_empty() {
        class = "program".into();
    }
    let mut out = format!(
        "    <testcase classname=\"{}\" name=\"{}\"",
        escape(&class),
        escape(&name)
    );
    match result.verdict {
        "true" => return out + "/>\n",
        "false" => {
            let steps = result.trace.iter().flatten();
            let steps: String = steps.map(|line| format!("{line}\n")).collect();
            let _ = writeln!(
                out,
                ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>",
                escape(property),
                escape(&result.violation()),
                escape(&steps)
            );
        }
        _ => {
            let why = result.reason.as_deref().unwrap_or("no reason is known");
            let _ = writeln!(
                out,
                ">\n      <error type=\"unknown\" message=\"{}\"/>",
                escape(why)
            );
        }
    }
    out + "    </testcase>\n"
}
