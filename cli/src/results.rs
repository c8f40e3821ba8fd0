//! What became of each property at each place, as a table: violations first, then what is not decided and why; what holds
//! with `-v`.

use crate::plain::line;
use std::collections::BTreeSet;
use trellis::reasons::Reason;
use trellis::report::{Place, Report};
use trellis::results::{CheckResult, summary};

/// Rows without an answer that are shown; there may be hundreds for one reason.
const OPEN_SHOWN: usize = 20;

/// The table and its last line; nothing where there is nothing to check.
pub fn table(report: &Report, all: bool) -> String {
    let results = &report.results;
    if results.is_empty() {
        return String::new();
    }
    let of = |verdict| results.iter().filter(move |r| r.verdict == verdict);
    let most = if all { usize::MAX } else { OPEN_SHOWN };
    let mut rows: Vec<&CheckResult> = of("false").chain(of("unknown").take(most)).collect();
    if all {
        rows.extend(of("true"));
    }
    let width = |f: fn(&CheckResult) -> usize| rows.iter().map(|r| f(r)).max().unwrap_or(0);
    let (property, place) = (width(|r| r.property.len()), width(|r| r.at().len()));
    let mut out = String::new();
    for row in &rows {
        let (verdict, at) = (row.verdict, row.at());
        let how = row.message.as_ref();
        let how = how.map_or(String::new(), |how| format!(": {how}"));
        let text = format!(
            "{verdict:<7}  {:<property$}  {at:<place$}  {}{how}",
            row.property, row.expression
        );
        out += line(&text).trim_end();
        out.push('\n');
    }
    let hidden = of("unknown").count().saturating_sub(most);
    if hidden > 0 {
        out += &format!("unknown  {hidden} more (-v lists them)\n");
    }
    out += &why(report);
    out + &summary(results) + "\n"
}

/// Why some are not decided: a line for each reason, with its place and what to try.
fn why(report: &Report) -> String {
    let open: BTreeSet<&str> = (report.results.iter())
        .filter_map(|r| r.reason.as_deref())
        .collect();
    let mut out = String::new();
    if report.verdict == "unknown" && !report.reasons.is_empty() {
        for reason in &report.reasons {
            out += &format!("unknown because {}\n", line(&in_words(reason)));
        }
        return out;
    }
    // The verdict says a reason of its own, if it is unknown.
    for reason in open
        .iter()
        .filter(|r| report.reason.as_deref() != Some(**r))
    {
        out += &format!("unknown because {}\n", line(reason));
    }
    out
}

/// `file.c:3:4: gave up: ... (bmc, kiki); try ...`
fn in_words(reason: &Reason) -> String {
    let places: Vec<String> = reason.places.iter().map(Place::to_string).collect();
    let places = match places.is_empty() {
        true => String::new(),
        false => format!("{}: ", places.join(", ")),
    };
    let (why, engines) = (&reason.why, reason.engines.join(", "));
    format!("{places}{why} ({engines}); try {}", reason.advice)
}
