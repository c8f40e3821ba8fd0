//! An editor and `trellis lsp`: what is shown after opening and saving, and that nothing is left behind.

use crate::support::Bench;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

struct Editor {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    id: u64,
}

impl Editor {
    fn new(bench: &Bench) -> Editor {
        let mut child = bench
            .command(&["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("trellis starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let (mut length, mut line) = (0, String::new());
                loop {
                    line.clear();
                    if stdout.read_line(&mut line).is_ok_and(|n| n == 0) {
                        return;
                    }
                    match line.trim().strip_prefix("Content-Length: ") {
                        Some(n) => length = n.parse().expect("a number"),
                        None => break,
                    }
                }
                let mut text = vec![0; length];
                stdout.read_exact(&mut text).expect("a message");
                let message = serde_json::from_slice(&text).expect("JSON");
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        let mut editor = Editor {
            child,
            stdin,
            messages,
            id: 0,
        };
        let window = json!({ "workDoneProgress": true });
        let root = format!("file://{}", bench.dir().display());
        let params = json!({ "rootUri": root, "capabilities": { "window": window } });
        let answer = editor.request("initialize", params);
        assert_eq!(answer["serverInfo"]["name"], "trellis");
        editor.notify("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let stdin = self.stdin.as_mut().expect("open");
        write!(stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("read");
        stdin.flush().expect("read");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.wait(|m| m["id"] == id && m.get("method").is_none());
        answer.get("result").unwrap_or(&answer["error"]).clone()
    }

    /// The next message of a kind.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("an answer in time");
            if wanted(&message) {
                return message;
            }
        }
    }

    /// The next diagnostics.
    fn diagnostics(&mut self) -> Vec<Value> {
        let shown = self.wait(|m| m["method"] == "textDocument/publishDiagnostics");
        shown["params"]["diagnostics"]
            .as_array()
            .expect("a list")
            .clone()
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "c", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn save(&mut self, uri: &str) {
        self.notify(
            "textDocument/didSave",
            json!({ "textDocument": { "uri": uri } }),
        );
    }

    fn close(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        assert_eq!(
            self.request("textDocument/hover", json!({}))["code"],
            -32600
        );
        self.notify("exit", Value::Null);
        self.stdin = None;
        assert!(self.child.wait().expect("it ends").success());
    }
}

fn ring(bench: &Bench, name: &str) -> (String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name);
    let text = std::fs::read_to_string(path).expect("the example");
    bench.write(name, &text);
    (format!("file://{}", bench.path(name).display()), text)
}

#[test]
fn violations_are_shown_and_go_away() {
    let bench = Bench::new();
    let (uri, text) = ring(&bench, "ring-bug.c");
    let mut editor = Editor::new(&bench);
    editor.open(&uri, &text);
    let shown = editor.diagnostics();
    let [error] = &shown[..] else {
        panic!("{shown:?}")
    };
    assert_eq!(
        (&error["code"], &error["severity"]),
        (&json!("unreach-call"), &json!(1))
    );
    assert_eq!(
        error["range"]["start"],
        json!({ "line": 32, "character": 8 })
    );
    let steps = error["relatedInformation"].as_array().expect("steps");
    assert!(
        steps.iter().any(|s| s["message"] == "used = 9, returns"),
        "{steps:?}"
    );
    assert!(
        steps.iter().all(|s| s["location"]["uri"] == *uri),
        "{steps:?}"
    );
    editor.wait(|m| m["params"]["value"]["kind"] == "end");

    // The other assertion holds, as hovering says.
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 33, "character": 10 } });
    let mut hover = Value::Null;
    for _ in 0..100 {
        hover = editor.request("textDocument/hover", at.clone());
        if !hover.is_null() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let said = hover["contents"]["value"].as_str().expect("text");
    assert!(
        said.contains("`unreach-call`") && said.contains("holds (certified by "),
        "{said}"
    );
    let lenses = editor.request(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": uri } }),
    );
    let title = lenses[0]["command"]["title"].as_str().expect("a title");
    assert!(title.starts_with("trellis: 4 checks: 1 false"), "{lenses}");

    // What can be done about it: a report, and a program that leads there.
    let here = json!({ "textDocument": { "uri": uri }, "range": error["range"], "context": { "diagnostics": shown } });
    let actions = editor.request("textDocument/codeAction", here);
    let actions = actions.as_array().expect("actions");
    assert_eq!(actions.len(), 2, "{actions:?}");
    for (action, text) in actions.iter().zip(["<div id=\"walk\">", "nondet"]) {
        let command = &action["command"];
        let run = json!({ "command": command["command"], "arguments": command["arguments"] });
        let written = editor.request("workspace/executeCommand", run);
        let path = written.as_str().and_then(|uri| uri.strip_prefix("file://"));
        let found = std::fs::read_to_string(path.expect("a file")).expect("written");
        assert!(found.contains(text), "{action}");
    }
    let run = json!({ "command": "trellis.nothing", "arguments": [uri] });
    let failed = editor.request("workspace/executeCommand", run);
    assert_eq!(failed["code"], -32803);

    // Mended, changed and saved.
    let mended = text.replace(
        "buffer[tail]",
        "if (used == SIZE)\n        return;\n    buffer[tail]",
    );
    bench.write("ring-bug.c", &mended);
    let document = json!({ "uri": uri, "version": 2 });
    let changes = json!([{ "text": mended }]);
    editor.notify(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": changes }),
    );
    editor.save(&uri);
    let shown = editor.diagnostics();
    assert!(shown.iter().all(|d| d["severity"] != 1), "{shown:?}");

    // Broken.
    bench.write("ring-bug.c", "int main(void) {\n  return x;\n}\n");
    editor.save(&uri);
    let shown = editor.diagnostics();
    let [error] = &shown[..] else {
        panic!("{shown:?}")
    };
    assert_eq!(error["range"]["start"]["line"], 1, "{error}");
    editor.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": uri } }),
    );
    assert!(editor.diagnostics().is_empty());
    assert_eq!(
        editor.request("textDocument/definition", json!({}))["code"],
        -32601
    );
    editor.close();
}

/// A file without `main` is checked function by function; what would help is offered, and engines say how far they are.
#[test]
fn a_library_is_checked_by_functions() {
    let bench = Bench::new();
    let text = "#include <stdlib.h>
int table[8];
int get(int i) { return table[i]; }
int *make(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  return p;
}
unsigned twice(unsigned x) { return x + x; }
";
    bench.write("lib.c", text);
    let uri = format!("file://{}", bench.path("lib.c").display());
    let mut editor = Editor::new(&bench);
    editor.open(&uri, text);
    editor.wait(|m| m["params"]["value"]["kind"] == "end");
    let shown = editor.diagnostics();
    let lines: Vec<_> = (shown.iter().filter(|d| d["severity"] == 1))
        .map(|d| (d["range"]["start"]["line"].as_u64(), d["code"].as_str()))
        .collect();
    let expected = [
        (Some(2), Some("valid-deref")),
        (Some(5), Some("valid-deref")),
    ];
    assert_eq!(lines, expected, "{shown:?}");
    let ask = |line: u64| {
        let at = json!({ "line": line, "character": 4 });
        json!({ "textDocument": { "uri": uri }, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } })
    };
    let mut titles = Vec::new();
    for _ in 0..100 {
        let actions = editor.request("textDocument/codeAction", ask(5));
        titles.clone_from(actions.as_array().expect("actions"));
        if !titles.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let assume = titles
        .iter()
        .find(|a| a["title"] == "Trellis: assume malloc-succeeds in trellis.toml");
    let changes = &assume.expect("an assumption")["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    let new = changes[1]["edits"][0]["newText"].as_str().expect("text");
    assert_eq!(new, "assume = [\"malloc-succeeds\"]\n");
    let elsewhere = editor.request("textDocument/codeAction", ask(2));
    assert_eq!(elsewhere.as_array().map(Vec::len), Some(2), "{elsewhere}");
    let report = &titles[0]["command"];
    let run = json!({ "command": report["command"], "arguments": report["arguments"] });
    let written = editor.request("workspace/executeCommand", run);
    let path = written.as_str().and_then(|uri| uri.strip_prefix("file://"));
    let page = std::fs::read_to_string(path.expect("a file")).expect("written");
    let (_, rows) = page.split_once("<h2>Functions</h2>").expect("a table");
    let (rows, _) = rows.split_once("</table>").expect("its end");
    assert!(
        rows.contains("<td>twice</td><td>true (nothing to check"),
        "{rows}"
    );
    // The project is asked at the next save.
    bench.write("trellis.toml", new);
    editor.save(&uri);
    editor.wait(|m| m["params"]["value"]["kind"] == "end");
    let mut last = Vec::new();
    for _ in 0..3 {
        last = editor.diagnostics();
        if last.len() == 1 {
            break;
        }
    }
    assert_eq!(last[0]["range"]["start"]["line"], 2, "{last:?}");
    assert_eq!(last.len(), 1, "{last:?}");
    editor.close();
}

/// Contracts of recursive functions stand above them, and engines say how far they are.
#[test]
fn contracts_are_shown() {
    let bench = Bench::new();
    let text = "extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);
unsigned down(unsigned n) {
  return n == 0 ? 0 : down(n - 1);
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assert(down(n) == 0);
  return 0;
}
";
    bench.write("down.c", text);
    let uri = format!("file://{}", bench.path("down.c").display());
    let mut editor = Editor::new(&bench);
    editor.open(&uri, text);
    editor.wait(|m| m["params"]["value"]["kind"] == "report");
    editor.wait(|m| m["params"]["value"]["kind"] == "end");
    let document = json!({ "textDocument": { "uri": uri } });
    let mut titles = Vec::new();
    for _ in 0..100 {
        let lenses = editor.request("textDocument/codeLens", document.clone());
        titles = (lenses.as_array().into_iter().flatten())
            .filter(|l| l["range"]["start"]["line"] == 2)
            .filter_map(|l| l["command"]["title"].as_str().map(str::to_string))
            .collect();
        if !titles.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(
        titles
            .iter()
            .any(|t| t.contains("ensures") && t.contains("\\result")),
        "{titles:?}"
    );
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 9 } });
    let hover = editor.request("textDocument/hover", at);
    let said = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(said.contains("- contract: "), "{said}");
    editor.close();
}

/// Pipelines: what is wrong is told, and keys are completed and explained.
#[test]
fn pipelines_are_checked() {
    let bench = Bench::new();
    let text =
        "description = \"mine\"\n[engines.bmc]\nplugins = \"bmc\"\n\n[limits]\nwall = \"1min\"\n";
    bench.write("mine.toml", text);
    let uri = format!("file://{}", bench.path("mine.toml").display());
    let mut editor = Editor::new(&bench);
    editor.open(&uri, text);
    let shown = editor.diagnostics();
    let message = shown[0]["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("unknown key") && message.contains("did you mean `engines.bmc.plugin`?"),
        "{shown:?}"
    );
    assert_eq!(shown[0]["range"]["start"]["line"], 2, "{shown:?}");
    let at = |line: u64| json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": 0 } });
    let known = editor.request("textDocument/completion", at(3));
    let labels: Vec<&str> = (known.as_array().into_iter().flatten())
        .filter_map(|k| k["label"].as_str())
        .collect();
    assert!(
        labels.contains(&"plugin") && !labels.contains(&"wall"),
        "{labels:?}"
    );
    let hover = editor.request("textDocument/hover", at(5));
    let said = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(said.starts_with("`wall`"), "{hover}");
    bench.write("mine.toml", &text.replace("plugins", "plugin"));
    editor.save(&uri);
    assert!(editor.diagnostics().is_empty());
    editor.close();
}

/// A check that takes long is cancelled, and one that is overtaken tells nothing.
#[test]
fn checks_are_cancelled_and_overtaken() {
    let bench = Bench::new();
    let hard = "extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assert(int);
int main(void) {
  unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong();
  if (x > 1 && y > 1 && x < 1UL << 32 && y < 1UL << 32) __VERIFIER_assert(x * y != 18446744073709551557UL);
  return 0;
}
";
    bench.write("hard.c", hard);
    let uri = format!("file://{}", bench.path("hard.c").display());
    let mut editor = Editor::new(&bench);
    editor.open(&uri, hard);
    let begun = editor.wait(|m| m["params"]["value"]["kind"] == "begin");
    let token = begun["params"]["token"].clone();
    editor.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    editor.wait(|m| m["params"]["value"]["kind"] == "end" && m["params"]["token"] == token);
    for _ in 0..20 {
        editor.save(&uri);
    }
    bench.write("hard.c", "int main(void) { return 1 / 0; }\n");
    editor.save(&uri);
    let shown = editor.wait(|m| {
        let shown = &m["params"]["diagnostics"];
        m["method"] == "textDocument/publishDiagnostics" && shown[0]["code"] == "div-by-zero"
    });
    assert_eq!(
        shown["params"]["diagnostics"].as_array().map(Vec::len),
        Some(1)
    );
    let pid = editor.child.id();
    editor.close();
    // Whoever it started is gone with it.
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    assert!(children.unwrap_or_default().is_empty());
}

/// Memory in KiB, threads and open files of a process, and who it has started.
fn burden(pid: u32) -> (u64, u64, usize, String) {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let number = |name: &str| {
        let line = status.lines().find_map(|l| l.strip_prefix(name));
        let word = line.and_then(|l| l.split_whitespace().next());
        word.and_then(|w| w.parse().ok()).unwrap_or(0)
    };
    let files = std::fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).expect("it runs");
    let children = threads.filter_map(|t| {
        let path = t.ok()?.path().join("children");
        std::fs::read_to_string(path).ok()
    });
    (
        number("VmRSS:"),
        number("Threads:"),
        files,
        children.collect(),
    )
}

/// Saves, most of which overtake each other, leave no process, thread, file or memory behind.
#[test]
fn hundreds_of_saves_leave_nothing_behind() {
    let bench = Bench::new();
    let text = "int main(void) { return 1 / 0; }\n";
    bench.write("tiny.c", text);
    let uri = format!("file://{}", bench.path("tiny.c").display());
    let mut editor = Editor::new(&bench);
    editor.open(&uri, text);
    let mut started = 1;
    let settle = |editor: &mut Editor, started: u32| {
        let last = format!("trellis-{started}");
        editor.wait(|m| m["params"]["token"] == *last && m["params"]["value"]["kind"] == "end");
        // What follows the end of a check is quick.
        for _ in 0..1000 {
            let (_, threads, _, children) = burden(editor.child.id());
            if children.is_empty() && threads < 3 {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        burden(editor.child.id())
    };
    let mut saves = |editor: &mut Editor, rounds: u32| {
        let mut last = burden(editor.child.id());
        for _ in 0..rounds {
            for _ in 0..5 {
                editor.save(&uri);
            }
            started += 5;
            last = settle(editor, started);
        }
        last
    };
    let before = saves(&mut editor, 10);
    let after = saves(&mut editor, 50);
    assert_eq!(
        (before.1, before.2, &before.3),
        (after.1, after.2, &after.3)
    );
    assert!(after.3.is_empty(), "{after:?}");
    assert!(after.0 < before.0 + (16 << 10), "{before:?} {after:?}");
    editor.close();
}

/// How long the first diagnostic of a violation takes after a save. What is promised of a machine that does nothing else is asked of one
/// that does little; a busy one may take its time.
#[test]
fn a_save_is_answered_soon() {
    let bench = Bench::new();
    let (uri, text) = ring(&bench, "ring-bug.c");
    let mut editor = Editor::new(&bench);
    editor.open(&uri, &text);
    let mut took = Vec::new();
    for n in 1..=21 {
        // The last word on the document before belongs to that check.
        let last = format!("trellis-{n}");
        editor.wait(|m| m["params"]["token"] == *last && m["params"]["value"]["kind"] == "end");
        editor.diagnostics();
        let begin = Instant::now();
        editor.save(&uri);
        let shown = editor.diagnostics();
        took.push(begin.elapsed().as_millis());
        assert_eq!(shown.len(), 1, "{shown:?}");
    }
    editor.close();
    took.sort_unstable();
    let median = took[took.len() / 2];
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    eprintln!("from a save to the first diagnostic: {median} ms ({took:?}, load {load})");
    let load: f64 = load
        .split(' ')
        .next()
        .and_then(|l| l.parse().ok())
        .unwrap_or(0.0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    assert!(median < if load < cores { 300 } else { 5000 }, "{took:?}");
}
