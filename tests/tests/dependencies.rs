//! What is depended on is used, and what the executable links may be given away with it.

use cargo_metadata::{
    CargoOpt, DependencyKind, Metadata, MetadataCommand, Package, PackageId, TargetKind,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml"))
        .features(CargoOpt::AllFeatures)
        .other_options(["--filter-platform", "host-tuple"].map(String::from))
        .exec()
        .expect("cargo metadata runs")
}

/// The Rust sources and grammars of a crate, without those of crates in folders of it.
fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() && !path.join("Cargo.toml").exists() && !path.ends_with("target") {
            sources(&path, found);
        } else if path
            .extension()
            .is_some_and(|e| e == "rs" || e == "lalrpop")
        {
            let text = std::fs::read_to_string(&path).expect("readable source");
            found.push((path, text));
        }
    }
}

/// Files of other folders that a source includes by `#[path]`.
fn included(sources: &[(PathBuf, String)]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for (file, text) in sources {
        let folder = file.parent().expect("a file lies in a folder");
        let paths = text.split("#[path = \"").skip(1);
        for path in paths.filter_map(|p| p.split('"').next()) {
            if let Ok(text) = std::fs::read_to_string(folder.join(path)) {
                found.push((file.clone(), text));
            }
        }
    }
    found
}

fn names(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

/// A plugin is loaded by its id; a dependency on it has cargo build it.
fn is_plugin(package: &Package) -> bool {
    let mut kinds = package.targets.iter().flat_map(|t| &t.kind);
    kinds.any(|k| *k == TargetKind::CDyLib)
}

#[test]
fn every_dependency_is_used() {
    let metadata = metadata();
    let members = metadata.workspace_packages();
    let plugins: BTreeSet<&str> = (members.iter().filter(|p| is_plugin(p)))
        .map(|p| p.name.as_str())
        .collect();
    let mut idle = Vec::new();
    for package in &members {
        let folder = package.manifest_path.parent().expect("in a folder");
        let mut texts = Vec::new();
        sources(folder.as_std_path(), &mut texts);
        texts.extend(included(&texts));
        for dependency in &package.dependencies {
            let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
            let word = name.replace('-', "_");
            // What is linked must be named by what is linked, not by a test alone.
            let of_kind = |path: &Path| match dependency.kind {
                DependencyKind::Normal => !["tests", "benches", "examples"]
                    .iter()
                    .any(|f| path.starts_with(folder.join(f).as_std_path())),
                _ => true,
            };
            let used = (texts.iter()).any(|(path, text)| of_kind(path) && names(text, &word));
            if !used && !plugins.contains(dependency.name.as_str()) {
                idle.push(format!("{}: {name} ({})", package.name, dependency.kind));
            }
        }
    }
    assert!(idle.is_empty(), "named by no source of theirs: {idle:#?}");
}

#[test]
fn every_dependency_of_the_workspace_is_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
    let manifest = std::fs::read_to_string(root).expect("readable");
    let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
    let metadata = metadata();
    let taken: BTreeSet<&str> = (metadata.workspace_packages().iter())
        .flat_map(|p| &p.dependencies)
        .map(|d| d.name.as_str())
        .collect();
    let offered = manifest["workspace"]["dependencies"].as_table();
    for name in offered.expect("a table").keys() {
        assert!(taken.contains(name.as_str()), "no crate depends on {name}");
    }
}

/// Whether one may choose a licence that asks for no sources.
fn permissive(licence: &str) -> bool {
    let mut choices = licence.split(" OR ").flat_map(|l| l.split('/'));
    choices.any(|choice| !choice.contains("GPL"))
}

#[test]
fn the_executable_links_nothing_under_the_gpl() {
    assert!(permissive("MIT OR LGPL-2.1-or-later") && permissive("MIT/Apache-2.0"));
    assert!(!permissive("GPL-3.0-or-later") && !permissive("LGPL-3.0"));
    let metadata = metadata();
    let packages: BTreeMap<&PackageId, &Package> =
        metadata.packages.iter().map(|p| (&p.id, p)).collect();
    let resolve = metadata
        .resolve
        .as_ref()
        .expect("dependencies are resolved");
    let nodes: BTreeMap<&PackageId, _> = resolve.nodes.iter().map(|n| (&n.id, n)).collect();
    let executable = (metadata.packages.iter())
        .find(|p| p.targets.iter().any(|t| t.is_bin() && t.name == "trellis"));
    let mut todo = vec![&executable.expect("the executable's package").id];
    let mut linked = BTreeSet::new();
    while let Some(id) = todo.pop() {
        if !linked.insert(id) {
            continue;
        }
        let links = |d: &&cargo_metadata::NodeDep| {
            (d.dep_kinds.iter()).any(|k| k.kind == DependencyKind::Normal)
        };
        todo.extend(nodes[id].deps.iter().filter(links).map(|d| &d.pkg));
    }
    assert!(linked.len() > 50, "the dependencies were not found");
    for id in linked {
        let package = packages[id];
        let licence = package.license.as_deref().unwrap_or("no licence");
        assert!(
            permissive(licence) && licence != "no licence",
            "the executable links {}, which is under {licence}",
            package.name
        );
    }
}

#[test]
fn what_contributors_are_told_to_open_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("readable");
    let quoted = text.split('`').skip(1).step_by(2);
    // `NAME` stands for what is new.
    let paths: Vec<&str> = quoted
        .filter(|q| q.contains('/') && !q.contains("NAME") && !q.contains(' '))
        .collect();
    assert!(paths.len() > 20, "no paths were found");
    for path in paths {
        let path = path.strip_prefix("./").unwrap_or(path);
        assert!(
            root.join(path).exists(),
            "CONTRIBUTING.md names {path}, which is not there"
        );
    }
}

/// Where the tests of a crate are modules of one binary, a file that is not one of them would never run.
#[test]
fn no_file_of_tests_is_left_out() {
    let metadata = metadata();
    let mut binaries = 0;
    for package in metadata.workspace_packages() {
        let folder = package.manifest_path.parent().expect("in a folder");
        let Ok(main) = std::fs::read_to_string(folder.join("tests/main.rs")) else {
            continue;
        };
        binaries += 1;
        for entry in std::fs::read_dir(folder.join("tests")).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let is_target = package.targets.iter().any(|t| {
                let source = t.src_path.as_std_path();
                source == path || source == path.join("main.rs")
            });
            let is_module = main.lines().any(|l| l == format!("mod {stem};"));
            let has_tests = path.extension().is_some_and(|e| e == "rs")
                || path.join("mod.rs").exists()
                || path.join("main.rs").exists();
            assert!(
                is_target || is_module || !has_tests,
                "{} is no module of tests/main.rs",
                path.display()
            );
        }
    }
    assert!(binaries > 2, "no such crates were found");
}
