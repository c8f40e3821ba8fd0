//! The invariants of docs/src/architecture.md, as far as manifests and sources can show them.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .expect("tests/ lies in the workspace")
        .to_path_buf()
}

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata runs")
}

/// The crates of the workspace by folder, e.g. `ivl/core`.
fn crates(metadata: &Metadata) -> BTreeMap<String, &Package> {
    metadata
        .packages
        .iter()
        .map(|p| {
            let folder = p
                .manifest_path
                .parent()
                .expect("a manifest lies in a folder");
            let folder = Path::new(folder)
                .strip_prefix(root())
                .expect("inside the workspace");
            (folder.display().to_string(), p)
        })
        .collect()
}

/// The folders of the workspace crates that the crate in `folder` needs, also indirectly, to be
/// built (tests aside, what a feature `testing` offers to the tests of others, and what the SDK offers to passes).
fn needs(crates: &BTreeMap<String, &Package>, folder: &str) -> BTreeSet<String> {
    let by_name: BTreeMap<&str, &String> =
        crates.iter().map(|(f, p)| (p.name.as_str(), f)).collect();
    let mut found = BTreeSet::new();
    let mut todo = vec![folder.to_string()];
    while let Some(f) = todo.pop() {
        for d in &crates[&f].dependencies {
            let for_others = ["trellis-ivl-testing", "trellis-ivl-passes"];
            let for_others = d.optional && for_others.contains(&d.name.as_str());
            if d.kind == DependencyKind::Development || for_others {
                continue;
            }
            if let Some(&next) = by_name.get(d.name.as_str())
                && found.insert(next.clone())
            {
                todo.push(next.clone());
            }
        }
    }
    found
}

fn assert_needs_only(folder: &str, allowed: &[&str]) {
    let metadata = metadata();
    for needed in needs(&crates(&metadata), folder) {
        let fine = allowed.iter().any(|a| match a.strip_suffix('*') {
            Some(prefix) => needed.starts_with(prefix),
            None => needed == *a,
        });
        assert!(
            fine,
            "{folder} depends on {needed}, which docs/src/architecture.md forbids"
        );
    }
}

/// Every Rust source of the workspace, with its path from the root.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut todo: Vec<PathBuf> = [
        "ivl",
        "frontends",
        "solvers",
        "plugins",
        "engines",
        "reports",
        "cli",
        "tests",
    ]
    .iter()
    .map(|f| root().join(f))
    .collect();
    while let Some(path) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(&path) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).expect("readable source");
                let name = path
                    .strip_prefix(root())
                    .expect("inside")
                    .display()
                    .to_string();
                found.push((name, text));
            }
        }
    }
    assert!(found.len() > 30, "the sources were not found");
    found.sort();
    found
}

/// The code of a line, without a trailing comment (string literals are not parsed).
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

/// Whether a line has the keyword `unsafe`, rather than a name or a text with that word in it.
fn is_unsafe(line: &str) -> bool {
    let code = code(line);
    let keyword = [
        "{",
        "fn ",
        "impl ",
        "trait ",
        "extern ",
        "(no_mangle",
        "(export_name",
    ];
    code.match_indices("unsafe").any(|(at, word)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].trim_start();
        let in_text = code[..at].matches('"').count() % 2 == 1;
        !in_text
            && !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            && keyword.iter().any(|k| after.starts_with(k))
    })
}

#[test]
fn unsafe_is_a_keyword() {
    let yes = [
        "let x = unsafe { f() };",
        "pub unsafe fn f()",
        "#[unsafe(no_mangle)]",
    ];
    let no = [
        "\"unsafe.ivl\"",
        "const UNSAFE: &str",
        "let unsafe_ = 1;",
        "// unsafe { }",
    ];
    assert!(yes.into_iter().all(is_unsafe));
    assert!(!no.into_iter().any(is_unsafe));
}

#[test]
fn engines_depend_on_the_border_only() {
    let metadata = metadata();
    let crates = crates(&metadata);
    let engines = crates.keys().filter(|f| f.starts_with("engines/"));
    // What tests of engines share is no engine.
    for folder in engines.filter(|f| *f != "engines/testing") {
        let mut allowed = vec![
            "plugins/sdk",
            "plugins/abi",
            "ivl/core",
            "ivl/passes",
            "ivl/float",
            "solvers/api",
        ];
        if folder != "engines/common" {
            allowed.push("engines/common");
        }
        assert_needs_only(folder, &allowed);
    }
}

#[test]
fn the_language_knows_nobody() {
    assert_needs_only("ivl/core", &[]);
    for (name, text) in sources()
        .iter()
        .filter(|(n, _)| n.starts_with("ivl/core/src/"))
        // A test, which may be told how much to try.
        .filter(|(n, _)| n != "ivl/core/src/build/rule_test.rs")
    {
        for word in [
            "std::fs",
            "std::process",
            "std::net",
            "std::env",
            "std::path",
        ] {
            assert!(
                !text.lines().any(|l| code(l).contains(word)),
                "{name} uses {word}"
            );
        }
    }
}

#[test]
fn the_checker_depends_on_no_pass_and_no_engine() {
    assert_needs_only("ivl/certify", &["ivl/core", "ivl/ring", "solvers/api"]);
    assert_needs_only("ivl/ring", &["ivl/core"]);
    assert_needs_only("ivl/passes", &["ivl/core"]);
    assert_needs_only("ivl/float", &["ivl/core"]);
    assert_needs_only("solvers/api", &["ivl/core"]);
}

/// The rules of the simplifying builder are no part of what a proof rests on: nobody calls it between
/// the program that a front end made and the solver's session.
#[test]
fn the_checker_rewrites_no_terms() {
    let sources = sources();
    let named = |prefix: &'static str| sources.iter().filter(move |(n, _)| n.starts_with(prefix));
    // Constants, and reading them.
    let harmless = ["tru", "fls", "num", "value", "const_value"];
    let mut rewriting: Vec<&str> = named("ivl/core/src/build")
        .flat_map(|(_, text)| text.lines())
        .filter_map(|l| code(l).trim_start().strip_prefix("pub fn "))
        .map(|l| l.split(['(', '<']).next().unwrap_or(l))
        .filter(|name| !harmless.contains(name))
        .collect();
    assert!(rewriting.len() > 30, "the builder was not found");
    rewriting.push("substitute");
    let plain = [
        "ivl/certify/src/",
        "ivl/core/src/flatten.rs",
        "ivl/core/src/plain.rs",
    ];
    for (name, text) in plain.into_iter().flat_map(named) {
        let code: String = text
            .lines()
            .flat_map(|l| code(l).split_whitespace())
            .collect();
        let receiver = if name.ends_with("plain.rs") {
            "self"
        } else {
            "pool"
        };
        for function in &rewriting {
            let call = format!("{receiver}.{function}(");
            assert!(!code.contains(&call), "{name} calls `{call}..)`");
        }
        assert!(!code.contains("Substitution::new("), "{name} simplifies");
    }
}

#[test]
fn the_checker_of_proofs_depends_on_nothing() {
    let metadata = metadata();
    let crates = crates(&metadata);
    let lrat = crates["solvers/lrat"];
    let names: Vec<&str> = lrat.dependencies.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, [""; 0], "not even for tests");
    for (name, text) in sources() {
        let mut lines = text.lines().filter(|_| name.starts_with("solvers/lrat/"));
        assert!(!lines.any(is_unsafe), "{name} has unsafe code");
    }
}

#[test]
fn front_ends_and_solvers_know_no_engine() {
    let metadata = metadata();
    for folder in crates(&metadata).keys() {
        if folder.starts_with("frontends/") {
            assert_needs_only(folder, &["ivl/core", "ivl/float", "frontends/input"]);
        }
        // Those that are plugins are written with the SDK, as anybody's would be.
        if ["solvers/yices", "solvers/z3"].contains(&folder.as_str()) {
            assert_needs_only(
                folder,
                &["ivl/core", "solvers/*", "plugins/abi", "plugins/sdk"],
            );
        } else if folder.starts_with("solvers/") {
            assert_needs_only(
                folder,
                &["ivl/core", "ivl/ring", "solvers/*", "plugins/abi"],
            );
        }
    }
}

#[test]
fn unsafe_code_stays_at_the_borders() {
    for (name, text) in sources() {
        if name.starts_with("plugins/")
            || name.starts_with("solvers/")
            || name.ends_with("architecture.rs")
        {
            continue;
        }
        for (i, line) in text.lines().enumerate() {
            assert!(!is_unsafe(line), "{name}:{} has unsafe code", i + 1);
            assert!(
                !line.contains("allow(unsafe_code)"),
                "{name}:{} allows unsafe code",
                i + 1
            );
        }
    }
}

/// What may be static and change: each with its reason.
const MUTABLE_STATICS: &[(&str, &str)] = &[
    (
        "solvers/yices/",
        "the Yices library has one global state per process",
    ),
    (
        "solvers/z3/",
        "the symbols of the Z3 library are global to the process",
    ),
];

#[test]
fn there_is_no_global_state() {
    let mutable = [
        "Atomic", "Mutex", "RwLock", "OnceLock", "LazyLock", "OnceCell", "Cell<",
    ];
    for (name, text) in sources() {
        if MUTABLE_STATICS
            .iter()
            .any(|(prefix, _)| name.starts_with(prefix))
        {
            continue;
        }
        for (i, line) in text.lines().enumerate() {
            let line = code(line).trim_start();
            let is_static = [
                "static ",
                "pub static ",
                "pub(crate) static ",
                "thread_local!",
            ]
            .iter()
            .any(|p| line.starts_with(p));
            let changes = line.starts_with("static mut")
                || line.starts_with("thread_local!")
                || mutable.iter().any(|m| line.contains(m));
            assert!(
                !(is_static && changes),
                "{name}:{} has mutable global state",
                i + 1
            );
        }
    }
}

#[test]
fn every_crate_says_what_it_is() {
    let metadata = metadata();
    for (folder, package) in crates(&metadata) {
        for target in &package.targets {
            let main = target.is_lib() || target.is_bin() || target.is_cdylib();
            if !main {
                continue;
            }
            let text = std::fs::read_to_string(&target.src_path).expect("readable source");
            let docs: Vec<&str> = text.lines().take_while(|l| l.starts_with("//!")).collect();
            assert!(
                docs.len() >= 3,
                "{folder}: {} has no opening documentation",
                target.name
            );
            let words: Vec<&str> = docs
                .iter()
                .flat_map(|l| l[3..].split_whitespace())
                .collect();
            assert!(
                target.is_bin() || words.join(" ").contains("eliberately absent"),
                "{folder}: {} does not say what is deliberately absent",
                target.name
            );
        }
    }
}

#[test]
fn every_crate_is_on_the_map() {
    let map = std::fs::read_to_string(root().join("docs/src/architecture.md")).expect("readable");
    let metadata = metadata();
    for folder in crates(&metadata).keys() {
        assert!(
            map.contains(&format!("`{folder}`")),
            "docs/src/architecture.md does not name {folder}"
        );
    }
}

/// What an embedding program must not find done behind its back.
#[test]
fn the_library_neither_prints_nor_exits() {
    let forbidden = [
        "print!(",
        "println!(",
        "eprint!(",
        "eprintln!(",
        "dbg!(",
        "stdout()",
        "stderr()",
        "process::exit(",
        "process::abort(",
        "signal_hook",
        "clap",
    ];
    for (name, text) in sources() {
        if !name.starts_with("cli/library/src/") {
            continue;
        }
        // Only what was started as a worker looks at the process.
        let of_process = ["env::args", "current_exe()"].map(|w| (w, name.ends_with("/worker.rs")));
        let words = forbidden.map(|w| (w, false)).into_iter().chain(of_process);
        for (word, allowed) in words {
            let used = text.lines().any(|l| code(l).contains(word));
            assert!(allowed || !used, "{name} uses {word}");
        }
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("readable");
    let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
    let reasons =
        std::fs::read_to_string(root().join("docs/src/dependencies.md")).expect("readable");
    let dependencies = manifest["workspace"]["dependencies"]
        .as_table()
        .expect("a table");
    let ours = |name: &str| name == "trellis" || name.starts_with("trellis-");
    for name in dependencies.keys().filter(|n| !ours(n)) {
        let row = format!("| {name} |");
        assert!(
            reasons.contains(&row),
            "docs/src/dependencies.md gives no reason for {name}"
        );
    }
}

#[test]
fn the_book_has_all_its_chapters() {
    let src = root().join("docs/src");
    let summary = std::fs::read_to_string(src.join("SUMMARY.md")).expect("readable");
    let mut listed = BTreeSet::from(["SUMMARY.md".to_string()]);
    for part in summary.split("](").skip(1) {
        let file = part.split(')').next().expect("a link ends");
        assert!(
            src.join(file).is_file(),
            "SUMMARY.md names {file}, which is not there"
        );
        listed.insert(file.to_string());
    }
    for entry in std::fs::read_dir(&src).expect("readable") {
        let name = entry
            .expect("readable")
            .file_name()
            .to_string_lossy()
            .into_owned();
        assert!(
            listed.contains(&name) || !name.ends_with(".md"),
            "{name} is not in SUMMARY.md"
        );
    }
}

/// Who opens files by other ways than `trellis-input`, and what they are.
const OPENERS: &[(&str, &str)] = &[
    ("frontends/input/src/lib.rs", "the one reader"),
    ("cli/src/guard.rs", "what the kernel says in /proc"),
    (
        "reports/bench/src/machine.rs",
        "what the kernel says in /proc",
    ),
    (
        "reports/bench/src/runner.rs",
        "output of a run, which a keeper limits",
    ),
    ("reports/bench/src/scratch.rs", "locks of our own"),
    ("reports/bench/src/spool.rs", "records and locks of our own"),
    (
        "reports/witness/src/confirm.rs",
        "output of a run, which a keeper limits",
    ),
    (
        "reports/bench/src/store.rs",
        "results that are gone on with",
    ),
    (
        "reports/bench/src/tool.rs",
        "a report of our own, and our own executable",
    ),
];

#[test]
fn files_from_outside_are_opened_in_one_place() {
    let opens = [
        "fs::read(",
        "fs::read_to_string(",
        "File::open(",
        "OpenOptions",
    ];
    for (name, text) in sources() {
        let reads_for_users = ["frontends/", "reports/", "cli/src/", "cli/library/src/"];
        let is_source = name.contains("/src/") && !name.contains("/tests");
        if !is_source || !reads_for_users.iter().any(|r| name.starts_with(r)) {
            continue;
        }
        // Writing is another matter.
        if name == "cli/src/out.rs" || OPENERS.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let own = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (i, line) in own.lines().enumerate() {
            assert!(
                !opens.iter().any(|o| code(line).contains(o)),
                "{name}:{} opens a file by itself",
                i + 1
            );
        }
    }
}
