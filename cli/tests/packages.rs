//! Packages: the manual and completions, the Python package and its notebook; and where TRELLIS_DIST names a folder, archive, wheel and
//! Debian package of the release executable, each installed where there is nothing else.

use crate::python::{python, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("it starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{stdout}{stderr}");
    output
}

fn said(command: &mut Command) -> String {
    String::from_utf8_lossy(&run(command).stdout).into_owned()
}

#[test]
fn the_manual_and_completions_know_every_command() {
    let dir = tempfile::tempdir().expect("a folder");
    let trellis = || Command::new(env!("CARGO_BIN_EXE_trellis"));
    run(trellis().arg("man").arg(dir.path()));
    let page = |name: &str| std::fs::read_to_string(dir.path().join(name)).expect(name);
    let check = page("trellis-check.1");
    assert!(
        check.contains("\\-\\-baseline") && check.starts_with(".ie"),
        "{check}"
    );
    let help = said(trellis().arg("--help"));
    let commands = help
        .lines()
        .skip_while(|l| !l.starts_with("Commands:"))
        .skip(1);
    for line in commands.take_while(|l| l.starts_with("  ")) {
        let name = line.split_whitespace().next().expect("a name");
        if line.starts_with("   ") || name == "help" {
            continue;
        }
        assert!(
            page(&format!("trellis-{name}.1")).contains(".SH NAME"),
            "{name}"
        );
        for shell in ["bash", "zsh", "fish"] {
            let script = said(trellis().args(["completions", shell]));
            assert!(script.contains(name), "{shell} does not know {name}");
        }
    }
    let script = dir.path().join("complete.bash");
    std::fs::write(&script, said(trellis().args(["completions", "bash"]))).expect("written");
    let ask = "source \"$0\"; COMP_WORDS=(trellis che); COMP_CWORD=1; _trellis trellis che; echo \"${COMPREPLY[@]}\"";
    assert_eq!(
        said(Command::new("bash").args(["-c", ask]).arg(script)),
        "check\n"
    );
}

#[test]
fn the_cells_of_the_notebook_run() {
    let Some(python) = python() else { return };
    let mut command = Command::new(python);
    command.arg(root().join("tests/notebook.py"));
    command.arg(root().join("docs/trellis.ipynb"));
    command.env("PYTHONPATH", root().join("python"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("TRELLIS", env!("CARGO_BIN_EXE_trellis"));
    let text = said(&mut command);
    assert!(text.ends_with("7 cells\n"), "{text}");
}

/// A package in the folder, made from the release executable that is there already.
fn package(kind: &str, dir: &Path) -> Option<PathBuf> {
    let Some(release) = std::env::var_os("TRELLIS_DIST").map(PathBuf::from) else {
        eprintln!(
            "SKIPPED: packages are made where TRELLIS_DIST names the folder of a release executable"
        );
        return None;
    };
    let mut command = Command::new("python3");
    command
        .arg(root().join("packaging/dist.py"))
        .arg(kind)
        .arg("--to")
        .arg(dir);
    command.arg("--bin").arg(release.join("trellis"));
    command.arg("--plugins").arg(release.join("deps"));
    let text = said(&mut command);
    eprint!("{text}");
    let line = text.lines().last().expect("a line");
    Some(line.split(' ').next().expect("a path").into())
}

#[test]
fn the_archive_works_in_a_bare_root() {
    let dir = tempfile::tempdir().expect("a folder");
    let Some(archive) = package("archive", dir.path()) else {
        return;
    };
    let mut make = Command::new("sh");
    make.arg(root().join("tests/bare-root.sh"))
        .arg(dir.path())
        .arg("cpp");
    run(&mut make);
    let bare = dir.path().join("root");
    let mut unpack = Command::new("tar");
    unpack
        .arg("-xJf")
        .arg(&archive)
        .arg("-C")
        .arg(&bare)
        .arg("--strip-components=1");
    run(&mut unpack);
    let check = |file: &str| {
        // A system without /proc is none.
        let enter = "mount -t proc proc \"$0/proc\" && exec chroot \"$0\" \"$@\"";
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", enter]).arg(&bare);
        command.args(["/bin/trellis", "check", "--quiet", file]);
        let output = command.output().expect("unshare");
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = stdout.lines().last().unwrap_or_default().to_string();
        (last, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (file, verdict) in [
        ("ring.c", "true"),
        ("ring-bug.c", "false(unreach-call)"),
        ("counter.ivl", "true"),
    ] {
        let begun = std::time::Instant::now();
        let (last, stderr) = check(&format!("/share/doc/trellis/examples/{file}"));
        assert_eq!(last, format!("VERDICT: {verdict}"), "{stderr}");
        eprintln!("{file}: {:?}", begun.elapsed());
    }
    // Without a preprocessor it says what is missing.
    for name in [
        "cpp",
        "cpp-12",
        "x86_64-linux-gnu-cpp",
        "x86_64-linux-gnu-cpp-12",
    ] {
        std::fs::remove_file(bare.join("usr/bin").join(name)).expect("removed");
    }
    let (last, stderr) = check("/share/doc/trellis/examples/ring.c");
    assert_eq!(last, "");
    assert!(
        stderr.contains("install a C compiler or preprocessor"),
        "{stderr}"
    );
}

#[test]
fn the_wheel_installs_and_the_notebook_runs_from_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let Some(wheel) = package("wheel", dir.path()) else {
        return;
    };
    let venv = dir.path().join("venv");
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    let mut pip = Command::new(venv.join("bin/pip"));
    run(pip.args(["install", "-q", "--no-index"]).arg(wheel));
    let mut command = Command::new(venv.join("bin/python"));
    command.arg(root().join("tests/notebook.py"));
    command.arg(root().join("docs/trellis.ipynb"));
    let text = said(command.env_remove("PYTHONPATH").env_remove("TRELLIS"));
    assert!(text.ends_with("7 cells\n"), "{text}");
    let version = said(Command::new(venv.join("bin/trellis")).arg("--version"));
    assert!(version.starts_with("trellis "), "{version}");
    run(Command::new(venv.join("bin/trellis-ci")).arg("--help"));
}

#[test]
fn the_debian_package_installs() {
    let there = Command::new("cargo-deb").arg("--version").output();
    if there.is_err() {
        eprintln!("SKIPPED: there is no cargo-deb here (cargo install cargo-deb --locked)");
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let Some(deb) = package("deb", dir.path()) else {
        return;
    };
    let names = said(Command::new("dpkg-deb").arg("--contents").arg(&deb));
    for name in [
        "./usr/bin/trellis",
        "./usr/lib/trellis/libtrellis_engine_bmc.so",
        "./usr/share/man/man1/trellis-check.1.gz",
    ] {
        assert!(names.contains(name), "{names}");
    }
    let root = dir.path().join("root");
    run(Command::new("dpkg-deb").arg("-x").arg(&deb).arg(&root));
    let ring = root.join("usr/share/doc/trellis/examples/ring.c");
    let mut command = Command::new(root.join("usr/bin/trellis"));
    let text = said(command.args(["check", "--quiet"]).arg(ring));
    assert!(text.ends_with("VERDICT: true\n"), "{text}");
}
