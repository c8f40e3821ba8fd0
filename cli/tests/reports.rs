//! What `--out` writes for other programs: SARIF for code hosts and editors, HTML for browsers.

use crate::support::Bench;
use serde_json::Value;

/// A macro, an array, calls and a loop; the file's name is one that HTML and URIs must escape.
const PROGRAM: &str = "#define SIZE 4
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
int data[SIZE];
int put(int at, int value) { data[at] = value; return value; }
int main(void) {
  for (int i = 0; i < SIZE; i++)
    put(i, -1);
  put(2, __VERIFIER_nondet_int());
  CHECK(data[2] == -1);
  return 0;
}
";
const NAME: &str = "<b> & 100%.c";

fn unsafe_program() -> Bench {
    let bench = Bench::new();
    bench.write(NAME, PROGRAM);
    let out = [
        "-o",
        "sarif=r.sarif",
        "-o",
        "html=r.html",
        "-o",
        "trace=r.txt",
    ];
    let (code, last, stderr) = bench.check(&[&out[..], &[NAME]].concat());
    assert_eq!(code, 10, "{last}: {stderr}");
    bench
}

fn read(bench: &Bench, name: &str) -> String {
    std::fs::read_to_string(bench.path(name)).expect("written")
}

fn number(value: &Value, least: u64) -> u64 {
    let number = value
        .as_u64()
        .unwrap_or_else(|| panic!("{value} is no number"));
    assert!(number >= least, "{number}");
    number
}

/// What SARIF 2.1.0 requires of the parts that we write; the results.
fn sarif(text: &str) -> Vec<Value> {
    let log: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let runs = log["runs"].as_array().expect("runs");
    let [run] = &runs[..] else { panic!("one run") };
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].is_string(), "{driver}");
    let rules = driver["rules"].as_array().expect("rules");
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let results = run["results"].as_array().expect("results");
    for result in results {
        assert!(result["message"]["text"].is_string(), "{result}");
        assert!(
            rules.iter().any(|r| r["id"] == result["ruleId"]),
            "{result}"
        );
        // Anything that is no failure has no level.
        let (kind, level) = (&result["kind"], &result["level"]);
        assert!(
            kind == "fail" && level == "error"
                || (kind == "pass" || kind == "open") && level == "none",
            "{result}"
        );
    }
    results.clone()
}

#[test]
fn an_error_in_sarif_is_a_code_flow() {
    let bench = unsafe_program();
    let results = sarif(&read(&bench, "r.sarif"));
    let failed: Vec<&Value> = results.iter().filter(|r| r["kind"] == "fail").collect();
    let [result] = failed[..] else {
        panic!("one violation")
    };
    assert!(results.len() > 1, "the others hold");
    assert_eq!(result["kind"], "fail");
    assert_eq!(result["ruleId"], "unreach-call");
    let place = |value: &Value| {
        let place = &value["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().expect("a URI");
        assert_eq!(uri, "%3Cb%3E%20%26%20100%25.c");
        let region = &place["region"];
        (
            number(&region["startLine"], 1),
            number(&region["startColumn"], 1),
        )
    };
    assert_eq!(place(&result["locations"][0]), (11, 3));
    let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    let steps = flow.as_array().expect("steps");
    let mut order = 0;
    for step in steps {
        place(&step["location"]);
        assert!(step["location"]["message"]["text"].is_string(), "{step}");
        number(&step["nestingLevel"], 0);
        if !step["executionOrder"].is_null() {
            let now = number(&step["executionOrder"], 1);
            assert!(now >= order, "{now} after {order}");
            order = now;
        }
    }
    let last = &steps.last().expect("a step")["location"];
    assert_eq!(place(last), (11, 3));
    assert_eq!(last["message"]["text"], "violates unreach-call");
}

#[test]
fn other_verdicts_in_sarif() {
    let bench = Bench::new();
    let out = ["-o", "sarif=r.sarif"];
    let (code, ..) = bench.check(&[&out[..], &["safe.ivl"]].concat());
    assert_eq!(code, 0);
    let results = sarif(&read(&bench, "r.sarif"));
    assert_eq!(results[0]["kind"], "pass");
    let (code, ..) = bench.check(&[&out[..], &["-p", "random", "safe.ivl"]].concat());
    assert_eq!(code, 20);
    let results = sarif(&read(&bench, "r.sarif"));
    assert_eq!(results[0]["kind"], "open");
}

#[test]
fn the_page_shows_text_as_text() {
    let bench = unsafe_program();
    let page = read(&bench, "r.html");
    assert!(
        page.contains("<h1 class=\"false\">false(unreach-call)</h1>"),
        "{page}"
    );
    assert!(page.contains("&lt;b&gt; &amp; 100%.c:6:30"), "{page}");
    assert!(page.contains("<td class=\"what\">data[2] = "), "{page}");
    // The script of the page and its data, and nothing from elsewhere but the name of a language.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for word in [
        "<b>", "http:", "https:", " src=", "href=", "@import", "url(",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    let (code, ..) = bench.check(&["-o", "html=safe.html", "safe.ivl"]);
    assert_eq!(code, 0);
    let page = read(&bench, "safe.html");
    assert!(page.contains("Invariants of the proof"), "{page}");
}

/// Values by their C type, elements by their names, calls of macros as they are written, and steps that
/// leave a value as it was.
#[test]
fn a_trace_is_in_terms_of_the_source() {
    let bench = unsafe_program();
    let trace = read(&bench, "r.txt");
    let line = |text: &str| {
        let found = trace.lines().find(|l| l.contains(text));
        found.unwrap_or_else(|| panic!("no `{text}` in\n{trace}"))
    };
    assert!(line("data[0] = -1").contains("data[at] = value"));
    assert!(line("put(at = 2, value = ").contains(":10:3"));
    assert!(line("... 2 more rounds of the loop").contains(":8:3"));
    let end = trace.lines().last().expect("a line");
    assert!(
        end.contains(":11:3 ") && end.contains("CHECK(data[2] == -1)"),
        "{trace}"
    );
    let elements = trace.lines().filter(|l| l.contains("data[2] = ")).count();
    assert_eq!(
        elements, 1,
        "the round that wrote it first is folded\n{trace}"
    );
}
