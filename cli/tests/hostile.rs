//! Input and surroundings that mean harm: nothing else is run or read than what was asked for, limits hold, and whatever
//! happens is told.

use crate::support::Bench;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// However loaded the machine is, nothing here takes longer unless it hangs.
const HANGS: Duration = Duration::from_secs(120);

/// Runs a command to its end, which must come.
fn finish(mut command: Command) -> Output {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > HANGS {
            child.kill().expect("killed");
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("an output")
}

/// Exit code (or minus the signal), last line of standard output, standard error.
fn run(bench: &Bench, args: &[&str]) -> (i32, String, String) {
    ending(&finish(bench.command(args)))
}

fn ending(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status;
    let code = status.code();
    let code = code.unwrap_or_else(|| -status.signal().expect("a code or a signal"));
    let last = text(&output.stdout);
    let last = last.lines().last().unwrap_or_default().to_string();
    (code, last, text(&output.stderr))
}

/// Runs `trellis check` under `sh`, which first does something to itself.
fn under(bench: &Bench, limits: &str, args: &str) -> (i32, String, String) {
    let mut command = bench.command(&[]);
    let trellis = command.get_program().to_owned();
    command = {
        let mut sh = Command::new("sh");
        sh.current_dir(bench.dir());
        for (name, value) in command.get_envs() {
            sh.env(name, value.unwrap_or_default());
        }
        sh
    };
    let script = format!("{limits} exec '{}' check {args}", trellis.display());
    command.arg("-c").arg(script);
    ending(&finish(command))
}

const SAFE_C: &str = "#define ZERO 0\nint main(void) { return ZERO; }\n";
const UNSAFE_C: &str = "extern void reach_error(void);\n#define YES 1\nint main(void) { if (YES) reach_error(); return 0; }\n";
/// Options that make a compiler run a program, and the trace that leaves.
const RESPONSE: &str = "-wrapper touch,pwned\n";

#[test]
fn names_of_files_are_no_options() {
    let bench = Bench::new();
    bench.write("args.c", RESPONSE);
    bench.write("args.h", RESPONSE);
    bench.write("@args.c", SAFE_C);
    bench.write("@args.h", "#define MORE 1\n");
    bench.write("-dash.c", SAFE_C);
    bench.write("-o", SAFE_C);
    bench.write(
        "task.yml",
        "format_version: '2.0'\ninput_files: '@args.c'\nproperties: []\n",
    );
    std::fs::create_dir(bench.path("@dir")).expect("made");
    bench.write("dir", RESPONSE);
    bench.write("@dir/x.h", "");
    bench.write("x.c", "#include \"x.h\"\nint main(void) { return 0; }\n");
    let lines: [&[&str]; 7] = [
        &["task.yml"],
        &["@args.c"],
        &["--", "-dash.c"],
        &["--lang", "c", "--", "-o"],
        &["-include", "@args.h", "x.c", "-I", "@dir"],
        &["-I@dir", "x.c"],
        &["-isystem", "@dir", "x.c"],
    ];
    for line in lines {
        let mut args = vec!["check", "-q", "--64"];
        args.extend(line);
        let (code, last, stderr) = run(&bench, &args);
        assert_eq!(
            (code, last.as_str()),
            (0, "VERDICT: true"),
            "{line:?}\n{stderr}"
        );
        assert!(!bench.names().contains("pwned"), "{line:?} ran a program");
    }
    for flag in ["-D@args.c", "-U@args.c", "-D-wrapper"] {
        let (code, _, stderr) = run(&bench, &["check", flag, "x.c", "-I@dir"]);
        assert!(
            code == 2 && stderr.contains("is no macro"),
            "{flag}: {stderr}"
        );
    }
    bench.write("@bad.c", UNSAFE_C);
    bench.write("bad.c", RESPONSE);
    let confirm = [
        "check",
        "-q",
        "--64",
        "--check",
        "unreach-call",
        "--confirm",
        "@bad.c",
    ];
    let output = finish(bench.command(&confirm));
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(stdout.contains("\nconfirmed by execution"), "{stdout}");
    assert!(
        !bench.names().contains("pwned"),
        "the harness ran a program"
    );
}

#[test]
fn source_lines_come_from_what_was_read() {
    let bench = Bench::new();
    let secret = "TOP_SECRET();\n".repeat(40);
    bench.write("secret.txt", &secret);
    bench.write("secret.c", &secret);
    let body = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                int main(void) { int x = __VERIFIER_nondet_int();\n if (x == 5) { reach_error(); } return 0; }\n";
    // As it is, through the preprocessor, and with the marks that a preprocessor leaves.
    bench.write("plain.c", &format!("#line 1 \"secret.txt\"\n{body}"));
    bench.write(
        "directives.c",
        &format!("#define A\n#line 1 \"secret.c\"\n{body}"),
    );
    bench.write("marks.c", &format!("#define A\n# 1 \"secret.c\" 1\n{body}"));
    bench.write("marks.i", &format!("# 1 \"secret.c\" 1\n{body}"));
    bench.write(
        "named.ivl",
        "ivl 1;\nfile f0 \"secret.txt\";\nproc main() {\n  loc l0 entry at f0:1:1;\n  \
         loc l1 error \"unreach-call\" at f0:2:1;\n  l0 -> l1 { skip } at f0:3:1;\n}\nmain main;\n",
    );
    for name in ["plain.c", "directives.c", "marks.c", "marks.i", "named.ivl"] {
        let outputs = ["html=h", "sarif=s", "json=j", "trace=t", "witness=w"];
        let mut args = vec!["check", "-q", "--trace", "full"];
        if !name.ends_with("ivl") {
            args.extend(["--check", "unreach-call"]);
        }
        for output in &outputs[..if name.ends_with("ivl") { 4 } else { 5 }] {
            args.extend(["-o", output]);
        }
        args.push(name);
        let output = finish(bench.command(&args));
        let printed = finish(bench.command(&["check", "-q", name]));
        let listed = finish(bench.command(&["ivl", "print", name]));
        let mut all = String::new();
        for output in [&output, &printed, &listed] {
            all += &String::from_utf8_lossy(&output.stdout);
            all += &String::from_utf8_lossy(&output.stderr);
        }
        for file in ["h", "s", "j", "t", "w"] {
            all += &std::fs::read_to_string(bench.path(file)).unwrap_or_default();
        }
        assert_eq!(output.status.code(), Some(10), "{name}: {all}");
        assert!(!all.contains("TOP_SECRET"), "{name}: {all}");
        if !name.ends_with("ivl") {
            assert!(
                all.contains("reach_error()"),
                "{name} shows its own lines: {all}"
            );
        }
    }
}

#[test]
fn only_regular_files_are_read() {
    let bench = Bench::new();
    let made = Command::new("mkfifo").arg(bench.path("fifo")).status();
    assert!(made.is_ok_and(|s| s.success()), "mkfifo works");
    bench.write("a.c", SAFE_C);
    bench.write("m.aag", "aag 0 0 0 1 0\n0\n");
    bench.write("fifo.yml", "input_files: fifo\n");
    bench.write(
        "zero.yml",
        "input_files: a.c\nproperties:\n - property_file: /dev/zero\n",
    );
    let lines = [
        "check --lang c fifo",
        "check --lang ivl fifo",
        "check --lang aiger fifo",
        "check --lang btor2 /dev/zero",
        "check --lang c /dev/zero",
        "check fifo.yml",
        "check zero.yml",
        "check --property /dev/zero a.c",
        "check -p /dev/zero a.c",
        "check -p fifo a.c",
        "validate a.c /dev/zero",
        "validate a.c fifo",
        "validate m.aag /dev/zero",
        "survey fifo",
        "survey /dev/zero",
        "bench fifo",
        "bench -t /dev/zero a.c",
        "bench --compare fifo fifo",
        "pipelines check fifo",
    ];
    for line in lines {
        let args: Vec<&str> = line.split(' ').collect();
        let (code, _, stderr) = run(&bench, &args);
        let told = stderr.contains("not a regular file") || stderr.contains("no pipeline");
        assert!(code == 2 && told, "{line}: {code}\n{stderr}");
    }
}

#[test]
fn a_preprocessor_that_does_not_end_is_ended() {
    let bench = Bench::new();
    let made = Command::new("mkfifo").arg(bench.path("pipe.h")).status();
    assert!(made.is_ok_and(|s| s.success()), "mkfifo works");
    bench.write(
        "waits.c",
        "#include \"pipe.h\"\nint main(void) { return 0; }\n",
    );
    let (code, last, stderr) = run(&bench, &["check", "-t", "1s", "waits.c"]);
    let unknown = "VERDICT: unknown (out of time during reading)";
    assert_eq!((code, last.as_str()), (20, unknown), "{stderr}");
    let gone = Instant::now();
    while !bench.processes().is_empty() {
        assert!(gone.elapsed() < HANGS, "the compiler is left behind");
        std::thread::sleep(Duration::from_millis(20));
    }
    bench.write(
        "endless.c",
        "#include \"/dev/zero\"\nint main(void) { return 0; }\n",
    );
    let (code, last, stderr) = run(&bench, &["check", "-t", "2s", "endless.c"]);
    let told = last.starts_with("VERDICT: unknown") || !stderr.is_empty();
    assert!(told && (code == 20 || code == 2), "{code} {last} {stderr}");
}

#[test]
fn flags_of_compilers_are_understood() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("inc")).expect("made");
    bench.write("inc/h.h", "#define N 3\n");
    bench.write(
        "a.c",
        "#include <h.h>\n#ifdef GONE\n#error gone\n#endif\n#ifndef _REENTRANT\n#error no threads\n#endif\n\
         #if __STDC_VERSION__ != 199901L\n#error not C99\n#endif\n_Static_assert(sizeof(long) == 8, \"\");\n\
         int main(void) { return N; }\n",
    );
    let line = "check -q -std=c99 -O2 -Wall -Wextra -m64 -pthread -isystem inc -g -c -fPIC -DGONE -UGONE -lm a.c";
    let args: Vec<&str> = line.split(' ').collect();
    let (code, last, stderr) = run(&bench, &args);
    assert_eq!((code, last.as_str()), (0, "VERDICT: true"), "{stderr}");
    let refused = [
        ("-fwrapv", "-fwrapv: this option of C compilers"),
        ("-march=native", "-march=native: this option of C compilers"),
        ("-std=c++17", "c++17"),
        ("-std=c23", "c23"),
    ];
    for (flag, said) in refused {
        let (code, _, stderr) = run(&bench, &["check", flag, "a.c"]);
        assert!(code == 2 && stderr.contains(said), "{flag}: {stderr}");
    }
}

#[test]
fn an_output_that_cannot_be_written_costs_that_output() {
    let bench = Bench::new();
    let fails_to_write = |outputs: &[&str]| {
        let args = [&["check", "-q", "-e", "bmc", "unsafe.ivl"], outputs].concat();
        let (code, last, stderr) = run(&bench, &args);
        let found = (code, last.as_str());
        assert_eq!(found, (2, "VERDICT: false(unreach-call)"), "{stderr}");
        stderr
    };
    let stderr = fails_to_write(&["-o", "json=no/such/x", "-o", "html=h"]);
    assert!(stderr.contains("no/such/x: No such file"), "{stderr}");
    assert!(bench.names().contains("h"));
    fails_to_write(&["-o", "json=/dev/full"]);
}

#[test]
fn no_output_replaces_an_input_or_another_output() {
    let bench = Bench::new();
    let source = "#include \"h.h\"\nint main(void) { return 0; }\n";
    bench.write("a.c", source);
    bench.write("h.h", "int x;\n");
    bench.write(
        "p.prp",
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    );
    bench.write("p.toml", "[engines.bmc]\n");
    bench.write("task.yml", "input_files: a.c\n");
    std::fs::hard_link(bench.path("a.c"), bench.path("hard")).expect("linked");
    std::os::unix::fs::symlink("a.c", bench.path("soft")).expect("linked");
    let lines = [
        "-o json=a.c a.c",
        "-o json=./hard a.c",
        "-o json=soft a.c",
        "-o json=h.h a.c",
        "-o json=p.prp --property p.prp a.c",
        "-o json=p.toml -p p.toml a.c",
        "-o json=a.c task.yml",
        "-o json=task.yml task.yml",
        "-o json=new -o html=./new a.c",
        "-o json=- -o html=- a.c",
    ];
    let before: Vec<Vec<u8>> = ["a.c", "h.h", "p.prp", "p.toml", "task.yml"]
        .map(|f| std::fs::read(bench.path(f)).expect("readable"))
        .to_vec();
    for line in lines {
        let mut args = vec!["check"];
        args.extend(line.split(' '));
        let (code, _, stderr) = run(&bench, &args);
        let told = stderr.contains("would overwrite") || stderr.contains("goes to the same file");
        assert!(code == 2 && told, "{line}: {code} {stderr}");
    }
    let after: Vec<Vec<u8>> = ["a.c", "h.h", "p.prp", "p.toml", "task.yml"]
        .map(|f| std::fs::read(bench.path(f)).expect("readable"))
        .to_vec();
    assert_eq!(before, after);
}

#[test]
fn limits_of_the_system_are_told() {
    let bench = Bench::new();
    bench.write("a.c", SAFE_C);
    let lines = [
        ("ulimit -s 64;", "-t 30s safe.ivl"),
        ("ulimit -s 64;", "-t 30s a.c"),
        ("ulimit -f 0;", "-t 30s -o json=j safe.ivl"),
        ("ulimit -f 0;", "-t 30s a.c"),
        ("ulimit -n 8;", "-t 30s safe.ivl"),
        ("ulimit -n 8;", "-t 30s a.c"),
        ("ulimit -v 150000;", "-t 30s safe.ivl"),
        ("ulimit -v 400000;", "-t 30s a.c"),
        ("exec <&-;", "-t 30s safe.ivl"),
        ("exec 2>&-;", "-t 30s safe.ivl"),
    ];
    for (limits, args) in lines {
        let (code, last, stderr) = under(&bench, limits, args);
        let told = last.starts_with("VERDICT: ") || stderr.contains("trellis: ");
        assert!(
            [0, 2, 20].contains(&code) && told,
            "{limits} {args}: {code} {last}\n{stderr}"
        );
        assert!(!stderr.contains("panicked"), "{limits} {args}: {stderr}");
    }
    let (code, _, _) = under(&bench, "exec >&-;", "-t 30s safe.ivl");
    assert_eq!(code, 0, "the exit code tells the verdict");
    let (code, _, stderr) = under(&bench, "exec >/dev/full;", "-t 30s safe.ivl");
    assert!(code == 2 && stderr.contains("standard output"), "{stderr}");
}

/// The kernel counts processes per user, and not at all for root: so another user is needed.
#[test]
fn too_few_processes_are_told() {
    let bench = Bench::new();
    let known = Command::new("setpriv").arg("--version").output();
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|m| {
        use std::os::unix::fs::MetadataExt;
        m.uid() == 0
    });
    if known.is_err() || !is_root {
        eprintln!("SKIPPED: only root can become a user without processes");
        return;
    }
    let open = Command::new("chmod")
        .args(["-R", "a+rwX"])
        .arg(bench.dir())
        .status();
    assert!(open.is_ok_and(|s| s.success()));
    let trellis = bench.command(&[]).get_program().to_owned();
    let dir = bench.dir().to_owned();
    for most in 1..6 {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid", "54321", "--clear-groups", "sh", "-c"])
            .current_dir(&dir);
        command.env("TRELLIS_PLUGIN_PATH", &dir).env("TMPDIR", &dir);
        command.arg(format!(
            "ulimit -u {most}; exec '{}' check -t 20s safe.ivl",
            trellis.display()
        ));
        let (code, last, stderr) = ending(&finish(command));
        if stderr.contains("Permission denied") {
            eprintln!("SKIPPED: other users cannot reach {}", trellis.display());
            return;
        }
        let told = last.starts_with("VERDICT: ") || stderr.contains("trellis: ");
        assert!(
            [0, 2, 20].contains(&code) && told,
            "{most}: {code} {last}\n{stderr}"
        );
        assert!(!stderr.contains("panicked"), "{most}: {stderr}");
    }
}

#[test]
fn the_time_limit_holds_for_many_variables() {
    let bench = Bench::new();
    let n = 20_000;
    let mut text = String::from("int main(void) {\n");
    for i in 0..n {
        text += &format!("int v{i} = {i};\n");
    }
    text += "int s = 0;\n";
    for i in 0..n {
        text += &format!("s += v{i} & 1;\n");
    }
    bench.write("locals.c", &(text + "return s; }\n"));
    let start = Instant::now();
    let (code, last, stderr) = run(&bench, &["check", "-q", "-t", "10s", "locals.c"]);
    assert!([0, 20].contains(&code), "{code} {last} {stderr}");
    // Ten seconds, and what a loaded machine takes to start and to end.
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
}

/// Deep and huge things of every language: an answer or a message, in time, and no crash.
#[test]
fn nesting_and_sizes_are_bounded() {
    let bench = Bench::new();
    let deep = 50_000;
    let nest = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(deep), close.repeat(deep))
    };
    let main = |body: String| format!("int main(void) {{ int x = 1; {body} return 0; }}\n");
    let ivl = |command: String| {
        format!(
            "ivl 1; var x: bool; proc main() {{ loc a entry; loc b; a -> b {{ {command} }}; }} main main;"
        )
    };
    let cases: Vec<(&str, String)> = vec![
        ("paren.c", main(format!("x = {};", nest("(", "1", ")")))),
        ("minus.c", main(format!("x = {};", nest("-~", "x", "")))),
        ("block.c", main(nest("{", "", "}"))),
        ("if.c", main(nest("if (x) ", "x = 2;", ""))),
        (
            "pointer.c",
            format!("int {}; {}", nest("*", "p", ""), main(String::new())),
        ),
        (
            "array.c",
            format!("int a{}; {}", nest("[1]", "", ""), main(String::new())),
        ),
        (
            "struct.c",
            format!(
                "{} {}",
                nest("struct {", "int a;", "};"),
                main(String::new())
            ),
        ),
        (
            "init.c",
            format!(
                "int a[3] = {}; {}",
                nest("{", "1", "}"),
                main(String::new())
            ),
        ),
        (
            "huge.c",
            format!("int a[1UL << 60]; {}", main(String::new())),
        ),
        (
            "bits.c",
            format!(
                "struct s {{ int a : 4000000000; }}; {}",
                main(String::new())
            ),
        ),
        (
            "copy.c",
            "struct s { int a[100000000]; } x, y; int main(void) { x = y; return x.a[3]; }".into(),
        ),
        (
            "line.c",
            format!("#line 4294967295 \"x\"\n{}\n\n int\n", main(String::new())),
        ),
        ("paren.ivl", ivl(format!("assume {}", nest("(", "x", ")")))),
        ("not.ivl", ivl(format!("assume {}", nest("!", "x", "")))),
        ("block.ivl", ivl(nest("{ ", "skip", " }"))),
        (
            "width.ivl",
            ivl("skip".into()).replace("bool", "bv4000000000"),
        ),
        ("entries.aag", "aag 4294967295 0 0 0 4294967295\n".into()),
        ("inputs.aig", "aig 4294967295 4294967295 0 0 0\n".into()),
        ("number.aag", "aag 99999999999999999999 0 0 0 0\n".into()),
        (
            "width.btor2",
            "1 sort bitvec 4000000000\n2 state 1\n".into(),
        ),
        ("task.yml", format!("input_files: {}\n", nest("[", "", "]"))),
    ];
    for (name, text) in cases {
        bench.write(name, &text);
        let (code, last, stderr) = run(&bench, &["check", "-q", "-t", "5s", name]);
        let told = last.starts_with("VERDICT: ") || !stderr.trim().is_empty();
        assert!(
            [0, 2, 10, 20].contains(&code) && told,
            "{name}: {code} {last}\n{stderr:.500}"
        );
        assert!(!stderr.contains("panicked"), "{name}: {stderr:.500}");
    }
    bench.write("p.toml", &format!("x = {}\n", nest("[", "", "]")));
    bench.write("w.yml", &nest("- ", "a", ""));
    bench.write("a.c", SAFE_C);
    let (code, _, stderr) = run(&bench, &["check", "-p", "p.toml", "a.c"]);
    assert!(code == 2 && stderr.contains("p.toml:1:"), "{code} {stderr}");
    let (code, last, stderr) = run(&bench, &["validate", "a.c", "w.yml"]);
    assert!(
        code == 10 && last.starts_with("WITNESS: invalid"),
        "{code} {last} {stderr}"
    );
}

#[test]
fn terminals_see_no_control_characters() {
    let bench = Bench::new();
    let name = "a\x1b]0;pwned\x07<script>.c";
    bench.write(name, "int main(void) { return \x1b[2J; }\n");
    let (code, _, stderr) = run(&bench, &["check", name]);
    assert!(code == 2 && stderr.contains("<script>"), "{stderr:?}");
    let odd = |text: &str| text.contains(|c: char| c.is_control() && c != '\n' && c != '\t');
    assert!(!odd(&stderr), "{stderr:?}");
    bench.write(
        "names.ivl",
        "ivl 1;\nfile f0 \"<script>alert(1)</script>\u{1b}[2J.c\";\nproc main() {\n  loc l0 entry at f0:1:1;\n  \
         loc l1 error \"x)\\nVERDICT: true\" at f0:2:1;\n  l0 -> l1 { skip } at f0:3:1;\n}\nmain main;\n",
    );
    let args = [
        "check",
        "-q",
        "-o",
        "html=h",
        "-o",
        "sarif=s",
        "-o",
        "json=j",
        "names.ivl",
    ];
    let output = finish(bench.command(&args));
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(10), "{stdout}\n{stderr}");
    assert!(!odd(&stdout) && !odd(&stderr), "{stdout:?} {stderr:?}");
    let verdicts = stdout.lines().filter(|l| l.starts_with("VERDICT"));
    assert_eq!(verdicts.count(), 1, "{stdout}");
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).expect("written");
    let page = read("h");
    // Its own script and its data.
    assert_eq!(page.matches("<script").count(), 2, "{page}");
    assert!(!page.contains("<script>alert") && !odd(&page), "{page}");
    for json in ["s", "j"] {
        let text = read(json);
        assert!(!text.contains('\u{1b}'), "{text}");
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
    }
}

/// Of the process that reads and checks, not of an engine.
#[test]
fn the_memory_limit_holds_for_reading() {
    let bench = Bench::new();
    let text = "a".repeat(60 << 20);
    bench.write(
        "text.c",
        &format!("char *s = \"{text}\"; int main(void) {{ return 0; }}\n"),
    );
    let (code, last, stderr) = run(&bench, &["check", "-q", "-m", "100MiB", "text.c"]);
    let told = last.starts_with("VERDICT: unknown (out of memory during ");
    assert!(code == 20 && told, "{code} {last} {stderr}");
}

#[test]
fn a_witness_costs_the_time_it_may_and_no_more() {
    let bench = Bench::new();
    let nested = format!("{}0{}", "(".repeat(30_000), ")".repeat(30_000));
    bench.write(
        "a.c",
        "extern void reach_error(void);\nint main(void) { int x = 0; while (x < 5) x++; \
         if (x != 5) reach_error(); return 0; }\n",
    );
    let made = run(
        &bench,
        &[
            "check",
            "-q",
            "-o",
            "witness=w.yml",
            "--check",
            "unreach-call",
            "a.c",
        ],
    );
    assert_eq!(made.0, 0, "{made:?}");
    let text = std::fs::read_to_string(bench.path("w.yml")).expect("written");
    let at = text.find("value: ").expect("an invariant") + "value: ".len();
    let end = at + text[at..].find('\n').expect("its end");
    bench.write(
        "deep.yml",
        &format!("{}\"{nested} == 0\"{}", &text[..at], &text[end..]),
    );
    let (code, last, stderr) = run(&bench, &["validate", "-t", "20s", "a.c", "deep.yml"]);
    assert!(
        [10, 20].contains(&code) && last.starts_with("WITNESS: "),
        "{code} {last} {stderr}"
    );
}

#[test]
fn limits_of_nothing_are_refused() {
    let bench = Bench::new();
    for args in ["-m 0", "-m 0GiB", "-m 5", "-t 0", "-t 0s", "-t 0ms"] {
        let mut all = vec!["check"];
        all.extend(args.split(' '));
        all.push("safe.ivl");
        let (code, _, stderr) = run(&bench, &all);
        assert!(code == 2 && stderr.contains(": not a "), "{args}: {stderr}");
    }
}

#[test]
fn standard_input_is_bounded_only_by_its_limit() {
    let bench = Bench::new();
    let mut child = bench
        .command(&["check", "-q", "--lang", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut input = child.stdin.take().expect("piped");
    input
        .write_all(b"int main(void) { return 0; }\n")
        .expect("read");
    drop(input);
    let (code, last, _) = ending(&child.wait_with_output().expect("ends"));
    assert_eq!((code, last.as_str()), (0, "VERDICT: true"));
}
