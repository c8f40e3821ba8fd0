//! `trellis check` in a project: which files, with which flags, and what is not run twice.

use crate::support::Bench;
use serde_json::{Value, json};
use std::process::Command;
use std::time::Instant;

const FILES: usize = 30;

/// Thirty files with one function each, a header for all and one for the first ten, and how they are compiled.
fn project() -> Bench {
    let bench = Bench::new();
    for folder in ["src", "include", "out"] {
        std::fs::create_dir(bench.path(folder)).expect("a folder");
    }
    bench.write("include/all.h", "#define LIMIT 100\n");
    bench.write("include/some.h", "#define STEP 2\n");
    let mut commands = Vec::new();
    for n in 0..FILES {
        let some = if n < 10 {
            "#include \"some.h\"\n"
        } else {
            "#define STEP 1\n"
        };
        let text = format!(
            "#include \"all.h\"\n{some}int f{n}(int x) {{\n  if (x < 0 || x > LIMIT) return 0;\n  return x * STEP + OFFSET;\n}}\n"
        );
        bench.write(&format!("src/f{n}.c"), &text);
        let directory = bench.path("out").display().to_string();
        commands.push(json!({
            "directory": directory,
            "file": format!("../src/f{n}.c"),
            "command": format!("cc -I../include -DOFFSET={n} -O2 -Wall -c ../src/f{n}.c -o f{n}.o"),
        }));
    }
    bench.write("compile_commands.json", &Value::Array(commands).to_string());
    bench
}

/// The line before the verdict of a run, and its exit code.
fn run(bench: &Bench, args: &[&str]) -> (Option<i32>, String) {
    let output = bench.trellis(&[&["check"], args].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text + &stderr)
}

/// What a run says, and its processor time in milliseconds, which shells know of what they have run.
fn run_in_shell(bench: &Bench) -> (String, f64) {
    let output = Command::new("sh")
        .args(["-c", "\"$0\" check; times", env!("CARGO_BIN_EXE_trellis")])
        .current_dir(bench.dir())
        .env("TRELLIS_PLUGIN_PATH", bench.dir())
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().last().unwrap_or_default();
    // `0m0.012s 0m0.004s`
    let millis = last.split_whitespace().map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m')?;
        let (minutes, seconds) = (minutes.parse::<f64>().ok()?, seconds.parse::<f64>().ok()?);
        Some(1e3 * (60.0 * minutes + seconds))
    });
    let millis: Option<f64> = millis.sum();
    (text.clone(), millis.expect("the times of a shell"))
}

#[test]
fn only_what_has_changed_is_checked() {
    let bench = project();
    let (code, text) = run(&bench, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("30 files (0 as before), 30 functions: 30 true"),
        "{text}"
    );
    assert!(text.ends_with("VERDICT: true\n"), "{text}");

    // However busy the machine is, what the run itself takes stays the same.
    let begin = Instant::now();
    let (text, cpu) = run_in_shell(&bench);
    let took = begin.elapsed().as_millis();
    eprintln!("a project of {FILES} files, nothing changed: {cpu:.0} ms CPU, {took} ms wall");
    assert!(text.contains("30 files (30 as before)"), "{text}");
    assert!(text.contains("VERDICT: true"), "{text}");
    assert!(cpu < 200.0, "{cpu} ms CPU, {took} ms wall");
    assert!(took < 2000, "{took} ms wall");

    // A header checks what depends on it, and a file itself.
    bench.write("include/some.h", "#define STEP 2147483647\n");
    let (code, text) = run(
        &bench,
        &[
            "-o",
            "sarif=r.sarif",
            "-o",
            "junit=r.xml",
            "-o",
            "json=r.json",
            "-o",
            "html=r.html",
        ],
    );
    assert_eq!(code, Some(10), "{text}");
    assert!(
        text.contains("30 files (20 as before), 30 functions: 10 false, 20 true"),
        "{text}"
    );
    assert!(text.contains("VERDICT: false(no-overflow)"), "{text}");
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).expect("written");
    let log: Value = serde_json::from_str(&read("r.sarif")).expect("JSON");
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(FILES));
    let reports: Value = serde_json::from_str(&read("r.json")).expect("JSON");
    assert_eq!(reports.as_array().map(Vec::len), Some(FILES));
    assert_eq!(read("r.xml").matches("<testsuite ").count(), FILES);
    // One page, with every source and the steps of every violation.
    let page = read("r.html");
    assert!(page.contains("<h1 class=\"\">30 checked: 10 false, 0 unknown, 20 true</h1>"));
    let (_, data) = page.split_once("type=\"application/json\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("data");
    let tour: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(tour["traces"].as_array().map(Vec::len), Some(10));
    let names: Vec<&str> = (tour["files"].as_array().into_iter().flatten())
        .filter_map(|f| f["name"].as_str())
        .collect();
    let sources = names.iter().filter(|n| n.contains("src/f")).count();
    assert_eq!(sources, FILES, "{names:?}");
    for trace in tour["traces"].as_array().into_iter().flatten() {
        let title = trace["title"].as_str().expect("a title");
        let file = trace["file"]
            .as_array()
            .and_then(|f| f.last())
            .and_then(Value::as_u64);
        let name = names[usize::try_from(file.expect("a file")).expect("a number")];
        assert!(title.contains(name), "{title}: {name}");
    }

    // Another question has another answer.
    let (code, text) = run(&bench, &["--check", "div-by-zero"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("(0 as before)"), "{text}");
}

/// What the command line and the file say beyond files holds for every check, or is refused.
#[test]
fn options_hold_for_every_check() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("p")).expect("a folder");
    let text = "#include <stdlib.h>\nint *make(int n) { int *p = malloc(sizeof *p); *p = BASE / n; free(p); return 0; }\n";
    bench.write("p/a.c", text);
    bench.write("p/trellis.toml", "files = ['a.c']\nflags = ['-DBASE=7']\n");
    let run = |args: &[&str]| {
        let mut command = bench.command(&[&["check"], args].concat());
        let output = command.current_dir(bench.path("p")).output().expect("runs");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).expect("text"))
    };
    let (code, text) = run(&["-o", "sarif=known.sarif"]);
    assert_eq!(code, Some(10), "{text}");
    assert!(text.contains("through a null pointer"), "{text}");
    assert!(text.contains("div-by-zero"), "{text}");
    // An assumption of the command line.
    let (code, text) = run(&["--assume", "malloc-succeeds"]);
    assert_eq!(code, Some(10), "{text}");
    assert!(!text.contains("null pointer"), "{text}");
    // A baseline of the file; another one is another question.
    bench.write(
        "p/trellis.toml",
        "files = ['a.c']\nflags = ['-DBASE=7']\nbaseline = 'known.sarif'\n",
    );
    let (code, text) = run(&[]);
    assert_eq!(code, Some(0), "{text}");
    let log = std::fs::read_to_string(bench.path("p/known.sarif")).expect("a log");
    let log = log.replace("\"fail\"", "\"pass\"");
    std::fs::write(bench.path("p/known.sarif"), log).expect("written");
    let (code, text) = run(&[]);
    assert_eq!(code, Some(10), "{text}");
    for (args, why) in [
        (
            &["--function", "make"][..],
            "`functions` and `files` in trellis.toml",
        ),
        (
            &["--show-properties"],
            "--show-properties is for the check of one source",
        ),
        (&["--modular"], "--modular is for"),
    ] {
        let (code, text) = run(args);
        assert!(code == Some(2) && text.contains(why), "{args:?}: {text}");
    }
}

#[test]
fn a_file_says_what_belongs_to_the_project() {
    let bench = project();
    bench.write(
        "trellis.toml",
        "files = ['src/f1*.c']\nexclude = ['**/f19.c']\ncheck = 'no-overflow'\n",
    );
    let (code, text) = run(&bench, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("10 files (0 as before), 10 functions"),
        "{text}"
    );
    bench.write("src/f1.c", "int f1(int x) {\n");
    let (code, text) = run(&bench, &[]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("f1.c:1:"), "{text}");
    bench.write("trellis.toml", "fiels = []\n");
    let (code, text) = run(&bench, &[]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("unknown field `fiels`"), "{text}");
    for bad in ["[", "[{}]", "{}"] {
        bench.write("trellis.toml", "");
        bench.write("compile_commands.json", bad);
        let (code, text) = run(&bench, &[]);
        assert_eq!(code, Some(2), "{bad}: {text}");
    }
}

#[test]
fn init_writes_what_it_finds() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("include")).expect("a folder");
    bench.write("include/a.h", "#define ZERO 0\n");
    bench.write(
        "main.c",
        "#include \"a.h\"\nint main(void) { return ZERO; }\n",
    );
    let output = bench.trellis(&["init"]);
    assert_eq!(output.status.code(), Some(0));
    let text = std::fs::read_to_string(bench.path("trellis.toml")).expect("written");
    assert!(
        text.contains("files = [\"*.c\"]\nflags = [\"-Iinclude\"]\n"),
        "{text}"
    );
    assert_eq!(
        bench.trellis(&["init"]).status.code(),
        Some(2),
        "it is there already"
    );
    let (code, text) = run(&bench, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("1 files (0 as before), 1 functions: 1 true"),
        "{text}"
    );
}
