//! Functions by their contracts: what holds is proved, what does not is refuted or unknown, and what is not read is told.

use crate::support::Bench;
use serde_json::Value;

/// Functions, each with what its check says first: `true`, `false` or `unknown` with a part of the reason.
const CASES: &[(&str, &[(&str, &str)])] = &[
    (
        "int total;
/*@ requires 0 <= n <= 1000 && 0 <= total <= 1000000; assigns total;
    ensures total == \\old(total) + n; ensures \\result == n + 1; */
int add(int n) { total += n; return n + 1; }
/*@ requires 0 <= n <= 1000 && 0 <= total <= 90000; assigns total; ensures total == \\old(total) + 2 * n; */
void twice(int n) { add(n); if (add(n) != n + 1) __CPROVER_assert(0, \"\"); }
/*@ requires \\valid(p) && 0 <= *p < 100; assigns *p; ensures *p == \\old(*p) + 1; */
void bump(int *p) { *p = *p + 1; }
/*@ requires p == \\null || \\valid_read(p); assigns \\nothing; ensures p != \\null ==> \\result == *p; */
int read(const int *p) { return p ? *p : 0; }
/*@ requires 0 <= n <= 100; assigns \\nothing; ensures \\result == (n > 3 ? 1 : 0); */
int down(int n) { return n <= 3 ? 0 : n == 4 ? 1 : down(n - 1); }
/*@ requires x > 0; assigns \\nothing; ensures \\result + 1 > x + x; */
long both(int x) { return (long)x + x; }
int main(void) { int x = 5; bump(&x); __CPROVER_assert(x == 6, \"\"); return down(3); }
",
        &[
            ("add", "true"),
            ("twice", "true"),
            ("bump", "true"),
            ("read", "true"),
            ("down", "true"),
            ("both", "true"),
            ("main", "true"),
        ],
    ),
    (
        "int total, other;
struct pair { int a, b; } pair;
/*@ assigns \\nothing; ensures \\result == 1; */
int forgets(int n) { other = n; return 1; }
/*@ requires 0 <= n <= 1000; assigns total; ensures \\result == n + 2; */
int wrong(int n) { total = n; return n + 1; }
/*@ requires n > 0; assigns \\nothing; ensures \\result >= 0; */
int needs(int n) { return n - 1; }
int calls(int n) { return needs(n); }
/*@ requires \\valid(p) && \\valid(q); assigns *p; ensures *q == \\old(*q); */
void alias(int *p, int *q) { *p = 1; }
/*@ requires \\valid(p); assigns *p; ensures total == \\old(total); */
void global(int *p) { *p = 1; }
/*@ requires \\valid(p); assigns *p; ensures pair.b == \\old(pair.b); */
void part(int *p) { *p = 1; }
/*@ assigns pair.a; */
void other_part(void) { pair.b = 1; }
/*@ assigns \\nothing; ensures \\result == *p; */
int invalid(int *p) { return *p; }
",
        &[
            ("forgets", "false"),
            ("wrong", "false"),
            ("needs", "true"),
            ("calls", "false"),
            ("alias", "false"),
            ("global", "false"),
            ("part", "false"),
            ("other_part", "false"),
            ("invalid", "false"),
        ],
    ),
    (
        "int total;
struct list { struct list *next; };
/*@ ensures \\result == 1; */
int vague(void) { total = 3; return 1; }
int uses(void) { total = 2; vague(); return total; }
/*@ requires n > 10; assigns \\nothing; ensures \\result == 10; */
int rec(int n) { return n <= 10 ? 10 : rec(n - 1); }
/*@ assigns \\nothing; ensures \\result == 0; */
int never(int n) { return never(n); }
/*@ assigns \\nothing; */
int *keep(int *p) { return p; }
int kept(void) { int x = 0; return *keep(&x); }
int counts(void) { static int k; return k++; }
int walks(struct list *l) { return l->next == 0; }
/*@ requires x >= 0; assigns \\nothing; ensures \\result == x; */
int only_declared(int x);
int trusts(void) { return only_declared(3) - 3 ? 1 / total : 0; }
int distrusts(void) { return only_declared(-3); }
",
        &[
            ("vague", "unknown"),
            ("uses", "unknown"),
            ("counts", "unknown"),
            ("walks", "unknown"),
        ],
    ),
    (
        "/*@ requires n > 10; assigns \\nothing; ensures \\result == 10; */
int rec(int n) { return n <= 10 ? 10 : rec(n - 1); }
/*@ requires n >= 10; assigns \\nothing; ensures \\result == 10; */
int right(int n) { return n <= 10 ? 10 : right(n - 1); }
/*@ assigns \\nothing; ensures \\result == 0; */
int never(int n) { return never(n); }
/*@ assigns \\nothing; */
int *keep(int *p) { return p; }
int kept(void) { int x = 0; return *keep(&x); }
/*@ requires x >= 0; assigns \\nothing; ensures \\result == x; */
int only_declared(int x);
int trusts(int y) { return only_declared(3) != 3 ? y / 0 : 0; }
int distrusts(void) { return only_declared(-3); }
",
        &[
            ("rec", "false"),
            ("right", "true"),
            ("never", "true"),
            ("kept", "unknown"),
            ("trusts", "true"),
            ("distrusts", "false"),
        ],
    ),
    (
        "/*@ requires \\valid(p) && \\valid(q) && p != q; assigns *p; ensures *q == \\old(*q); */
void apart(int *p, int *q) { *p = 1; }
",
        &[("apart", "true")],
    ),
    (
        "extern int elsewhere;
int total;
/*@ assigns \\nothing; */
void reaches(void) { elsewhere = 1; }
/*@ assigns \\nothing; */
void hides(int total) { extern void nobody(int); nobody(total); }
",
        &[("reaches", "false"), ("hides", "unknown")],
    ),
];

#[test]
fn functions_by_their_contracts() {
    let bench = Bench::new();
    for (i, (text, expected)) in CASES.iter().enumerate() {
        let file = format!("case{i}.c");
        bench.write(&file, text);
        let output = bench.trellis(&["check", "--modular", "-q", "-t", "20s", "--64", &file]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        for (name, verdict) in *expected {
            let plain = format!("function {name}: {verdict}");
            let bare = format!("function {name} (no contract): {verdict}");
            let found = said
                .lines()
                .any(|l| l.starts_with(&plain) || l.starts_with(&bare));
            assert!(found, "case {i}, {name}: {said}{stderr}");
        }
    }
}

/// The same for machines: each function with its check, and one verdict.
#[test]
fn functions_in_every_format() {
    let bench = Bench::new();
    bench.write(
        "p.c",
        "/*@ requires 0 <= n <= 9; assigns \\nothing; ensures \\result == n + 2; */\nint wrong(int n) { return n + 1; }\nint bare(int n) { return n < 0; }\n",
    );
    let out = ["json=r.json", "sarif=r.sarif", "junit=r.xml", "html=r.html"];
    let mut args = vec!["check", "--modular", "-q", "--64", "p.c"];
    args.extend(out.iter().flat_map(|o| ["-o", o]));
    let output = bench.trellis(&args);
    assert_eq!(output.status.code(), Some(10));
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).expect("written");
    let json = |name: &str| serde_json::from_str::<Value>(&read(name)).expect("JSON");
    let report = json("r.json");
    assert_eq!(
        (&report["schema"], &report["verdict"]),
        (&"trellis-modular/2".into(), &"false".into())
    );
    let told = |n: usize| {
        let of = &report["functions"][n];
        (
            of["function"].as_str(),
            of["contract"]["ensures"][0].as_str(),
            of["check"]["verdict"].as_str(),
        )
    };
    assert_eq!(
        told(1),
        (Some("wrong"), Some("\\result == n + 2"), Some("false"))
    );
    assert_eq!(told(0), (Some("bare"), None, Some("true")));
    let steps = report["functions"][1]["check"]["trace"].as_array();
    // The steps are those of the program, and not of what calls its functions.
    let steps: Vec<&str> = (steps.into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    assert!(steps.iter().any(|s| s.contains("wrong(n = ")), "{steps:?}");
    let ours = |s: &&str| s.contains("<contracts>") || s.contains("trellis_");
    assert!(!steps.iter().any(ours), "{steps:?}");
    assert_eq!(json("r.sarif")["runs"].as_array().map(Vec::len), Some(2));
    assert_eq!(read("r.xml").matches("<testsuite ").count(), 2);
    let page = read("r.html");
    assert!(page.contains("<h1 class=\"false\">false(wrong)</h1>"));
    let contract = "requires 0 &lt;= n &lt;= 9; assigns \\nothing; ensures \\result == n + 2;";
    assert_eq!(page.matches(contract).count(), 2, "{page}");
    let (code, _, stderr) = bench.check(&["--modular", "-o", "witness=w", "p.c"]);
    assert!(
        code == 2 && stderr.contains("with --modular there are html, json"),
        "{stderr}"
    );
}

/// One function, with contracts from a file, and through the preprocessor.
#[test]
fn contracts_of_a_file() {
    let bench = Bench::new();
    let program = "#define ONE 1\nint next(int x);\nint three(void) { return next(next(ONE)); }\n";
    bench.write("p.c", program);
    bench.write(
        "c.h",
        "/*@ requires x < 100; assigns \\nothing; ensures \\result == x + 1; */\nint next(int x);\n/*@ assigns \\nothing; ensures \\result == 3; */\nint three(void);\n",
    );
    let args = ["--function", "three", "--contracts", "c.h", "--64", "p.c"];
    let (code, last, stderr) = bench.check(&args);
    assert_eq!(code, 0, "{last}: {stderr}");
    bench.write("q.c", &program.replace("(ONE)", "(ONE + 1)"));
    let args = ["--function", "three", "--contracts", "c.h", "--64", "q.c"];
    let (code, last, stderr) = bench.check(&args);
    assert_eq!(code, 10, "{last}: {stderr}");
    bench.write(
        "inline.c",
        "#define LIMIT 7\n/*@ requires 0 <= x < 7;\n    assigns \\nothing; ensures \\result <= 7; */\nint up(int x) { return x + 1; }\n",
    );
    let args = [
        "--function",
        "up",
        "--contracts",
        "inline",
        "--64",
        "inline.c",
    ];
    let (code, last, stderr) = bench.check(&args);
    assert_eq!(code, 0, "{last}: {stderr}");
}

#[test]
fn what_is_not_read_is_told() {
    let bench = Bench::new();
    for (text, why) in [
        (
            "/*@ requires \\forall integer i; i > 0; */\nint f(int x) { return x; }\n",
            "a.c:1:14: error: contract: `\\forall` is outside",
        ),
        (
            "int f(int x) {\n  //@ assert x > 0;\n  return x; }\n",
            "a.c:2:7: error: contract: `assert` is outside",
        ),
        (
            "/*@ requires y > 0; */\nint f(int x) { return x; }\n",
            "a.c:1:14: error: contract: 'y' is no parameter",
        ),
        (
            "/*@ assigns x; */\nint f(int x) { return x; }\n",
            "'x' is a parameter",
        ),
        (
            "/*@ ensures \\result; */\nvoid f(int x) { }\n",
            "\\result is what",
        ),
        (
            "/*@ requires x; */\nint y;\nint f(int x) { return x; }\n",
            "no function follows",
        ),
        (
            "/*@ requires x > 0; */\nint f(int x);\n/*@ requires x > 1; */\nint f(int x) { return x; }\n",
            "has another one already",
        ),
        (
            "/*@ requires x / y > 0; */\nint f(int x, int y) { return x; }\n",
            "a divisor that could be zero",
        ),
    ] {
        bench.write("a.c", text);
        let (code, last, stderr) =
            bench.check(&["--function", "f", "--contracts", "inline", "--64", "a.c"]);
        assert_eq!(code, 2, "{text}: {last}: {stderr}");
        assert!(stderr.contains(why), "{text}: {stderr}");
    }
    bench.write(
        "b.c",
        "/*@ assigns \\nothing; */\nint f(int x) { return x; }\n",
    );
    let asks = [
        "--function",
        "f",
        "--contracts",
        "inline",
        "--check",
        "termination",
        "b.c",
    ];
    let (code, _, stderr) = bench.check(&asks);
    assert!(
        code == 2 && stderr.contains("does not say that its function returns"),
        "{stderr}"
    );
    let asks = [
        "--function",
        "f",
        "--contracts",
        "inline",
        "-o",
        "witness=w",
        "b.c",
    ];
    let (code, _, stderr) = bench.check(&asks);
    assert!(
        code == 2 && stderr.contains("no --confirm, harness or witness"),
        "{stderr}"
    );
}
