//! Flags of C compilers, as people paste them from a build.
//!
//! Clap would read `-std=c99` as `-s td=c99` and `-m64` as 64 bytes of memory. So the arguments of commands that
//! read programs come here first: what has a meaning for programs becomes an option of ours, what has none (warnings,
//! optimisation, debugging, linking) is dropped, and what may change the meaning in ways that are not understood is
//! refused by its name. Nothing after `--` is looked at.

use std::ffi::OsString;
use trellis::Error;
use trellis_pipeline::units;

/// What a flag means here.
#[derive(Debug, PartialEq, Eq)]
enum Meaning {
    /// It is an option of ours, or no option.
    Ours,
    /// It is an option of ours, and the next argument is its value whatever that looks like.
    OursWithValue,
    /// Nothing.
    Nothing,
    /// Nothing, as its value in the next argument.
    NothingWithValue,
    /// These arguments instead.
    Instead(Vec<String>),
    /// These arguments instead, the last of which the next argument is appended to.
    Before(Vec<String>),
    /// It is not understood, for this reason.
    Refused(&'static str),
}
use Meaning::*;

/// Options with `-f` that do not change what a program means.
const HARMLESS: [&str; 22] = [
    "PIC",
    "pic",
    "PIE",
    "pie",
    "asynchronous-unwind-tables",
    "builtin",
    "color-diagnostics",
    "common",
    "data-sections",
    "diagnostics",
    "exceptions",
    "function-sections",
    "ident",
    "lto",
    "omit-frame-pointer",
    "plt",
    "signed-char",
    "stack-clash-protection",
    "stack-protector",
    "strict-aliasing",
    "unwind-tables",
    "visibility",
];

const CHANGES: &str = "may change what programs mean, in a way that is not understood";
const OTHER_TOOL: &str = "is for a linker or an assembler, which are not run";
const OTHER_TASK: &str = "asks a compiler for something else than compiling";

fn meaning(flag: &str) -> Meaning {
    let list = |args: &[&str]| {
        args.iter()
            .map(ToString::to_string)
            .collect::<Vec<String>>()
    };
    match flag {
        "-m32" => return Instead(list(&["--32"])),
        "-m64" => return Instead(list(&["--64"])),
        "-pthread" | "-pthreads" => return Instead(list(&["-D", "_REENTRANT"])),
        "-fexcess-precision=standard" => return Instead(list(&["--excess-precision"])),
        "-ansi" => return Instead(list(&["--std=c90"])),
        "-include" | "-isystem" | "-iquote" | "-idirafter" => {
            return Before(vec![format!("-{flag}=")]);
        }
        "-U" => return Before(list(&["-D", "-U"])),
        "-D" | "-I" => return OursWithValue,
        "-x" | "-MF" | "-MT" | "-MQ" | "-L" | "-l" => return NothingWithValue,
        "-c" | "-w" | "-xc" | "-pedantic" | "-pedantic-errors" | "-pipe" | "-static"
        | "-shared" | "-rdynamic" | "-pie" | "-no-pie" | "-static-pie" | "-MD" | "-MMD" | "-MP" => {
            return Nothing;
        }
        "-Ofast" => return Refused(CHANGES),
        "-E" | "-S" | "-M" | "-MM" | "-pg" | "-time" => return Refused(OTHER_TASK),
        "-nostdinc" | "-trigraphs" | "-imacros" | "-undef" => return Refused(CHANGES),
        _ => {}
    }
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| flag.starts_with(p));
    if let Some(standard) = flag.strip_prefix("-std=") {
        return Instead(vec![format!("--std={standard}")]);
    }
    for option in ["-isystem", "-iquote", "-idirafter"] {
        if let Some(value) = flag.strip_prefix(option) {
            return Instead(vec![format!("-{option}={value}")]);
        }
    }
    if flag.starts_with("-U") {
        return Instead(vec!["-D".into(), flag.into()]);
    }
    if starts(&[
        "-Wl,",
        "-Wa,",
        "-Xlinker",
        "-Xassembler",
        "-nostartfiles",
        "-nodefaultlibs",
        "-nostdlib",
    ]) {
        return Refused(OTHER_TOOL);
    }
    if starts(&[
        "-Wp,",
        "-Xpreprocessor",
        "-specs",
        "-symbolic",
        "-traditional",
        "-isysroot",
        "-iprefix",
    ]) {
        return Refused(CHANGES);
    }
    if starts(&["-save-temps", "-print-", "-plugin", "-dump"]) {
        return Refused(OTHER_TASK);
    }
    if starts(&["-W", "-O", "-g", "-l", "-L"]) {
        return Nothing;
    }
    if let Some(name) = flag.strip_prefix("-f") {
        let name = name.strip_prefix("no-").unwrap_or(name);
        let is_word = |h: &str| {
            let rest = name.strip_prefix(h);
            rest.is_some_and(|r| r.is_empty() || r.starts_with(['=', '-']))
        };
        return match HARMLESS.iter().any(|h| is_word(h)) && flag != "-fno-signed-char" {
            true => Nothing,
            false => Refused(CHANGES),
        };
    }
    match flag.strip_prefix("-m") {
        Some(value) if !value.is_empty() && units::size(value).is_none() => Refused(CHANGES),
        _ => Ours,
    }
}

/// The arguments of a process, with flags of compilers put into words of ours.
pub fn translate(args: impl Iterator<Item = OsString>) -> Result<Vec<OsString>, Error> {
    let mut args = args.peekable();
    let mut all: Vec<OsString> = args.next().into_iter().collect();
    let reads_programs = |a: &OsString| ["check", "ivl"].iter().any(|c| a == c);
    if !args.peek().is_some_and(reads_programs) {
        all.extend(args);
        return Ok(all);
    }
    while let Some(arg) = args.next() {
        if arg == "--" {
            all.push(arg);
            all.extend(args);
            break;
        }
        // What is no UTF-8 can only be a path, or an option of ours with one.
        let flag = arg
            .to_str()
            .filter(|a| a.starts_with('-') && !a.starts_with("--"));
        match flag.map_or(Ours, meaning) {
            Ours => all.push(arg),
            OursWithValue => {
                all.push(arg);
                all.extend(args.next());
            }
            Nothing => {}
            NothingWithValue => _ = args.next(),
            Instead(ours) => all.extend(ours.into_iter().map(Into::into)),
            Before(ours) => {
                let value = args.next().ok_or_else(|| {
                    Error::Usage(format!("{}: a value is missing", arg.display()))
                })?;
                all.extend(ours.into_iter().map(OsString::from));
                if let Some(last) = all.last_mut() {
                    last.push(value);
                }
            }
            Refused(why) => {
                let text = format!("{}: this option of C compilers {why}", arg.display());
                return Err(Error::Usage(text));
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of the arguments of `check`, or the message.
    fn check(line: &str, expected: &str) {
        let line = format!("trellis check {line}");
        let all = translate(line.split(' ').map(OsString::from));
        let text = match all {
            Ok(all) => {
                let all: Vec<String> = all.iter().map(|a| a.display().to_string()).collect();
                all[2..].join(" ")
            }
            Err(e) => e.to_string(),
        };
        assert_eq!(text, expected, "{line}");
    }

    #[test]
    fn flags_of_compilers_are_understood_or_refused_by_name() {
        check("-std=c99 a.c", "--std=c99 a.c");
        check("-Wall -Wextra -O2 -g -c a.c -lm -L /x", "a.c");
        check("-m64 a.c", "--64 a.c");
        check("-m32 a.c", "--32 a.c");
        check("-pthread a.c", "-D _REENTRANT a.c");
        check("-isystem d -isystemd a.c", "--isystem=d --isystem=d a.c");
        check("-include @h a.c", "--include=@h a.c");
        check("-DA -UA -U B -D C", "-DA -D -UA -D -UB -D C");
        check(
            "-fPIC -fno-strict-aliasing -fstack-protector-strong a.c",
            "a.c",
        );
        check("-MMD -MF a.d a.c", "a.c");
        check(
            "-m32 -fexcess-precision=standard a.c",
            "--32 --excess-precision a.c",
        );
        let refused = |flag: &str, why: &str| {
            check(flag, &format!("{flag}: this option of C compilers {why}"));
        };
        for flag in [
            "-fwrapv",
            "-funsigned-char",
            "-march=native",
            "-mx32",
            "-Ofast",
            "-Wp,-DX",
        ] {
            refused(flag, CHANGES);
        }
        refused("-Wl,--wrap=malloc", OTHER_TOOL);
        refused("-E", OTHER_TASK);
        refused("-save-temps", OTHER_TASK);
        check("-include", "-include: a value is missing");
    }

    #[test]
    fn options_of_ours_stay_what_they_are() {
        let ours = "-p bmc -pbmc -e kiki -s z3 -sz3 -t 10s -t10s -m 4GiB -m500MiB -o json=x -ojson=x -vv -q -Iinc -";
        check(ours, ours);
        check("-I -Wall a.c", "-I -Wall a.c");
        check("a.c -- -Wall -std=c99", "a.c -- -Wall -std=c99");
        let bench = ["trellis", "bench", "-c", "bmc", "-m64"].map(OsString::from);
        let same = translate(bench.clone().into_iter());
        assert_eq!(same.ok(), Some(bench.to_vec()));
    }
}
