//! Calling the system's C compiler on paths and macros that others chose.
//!
//! A compiler takes an argument that begins with `@` for a file of further options, and one that begins with `-`
//! for an option; both can make it run code. The driver hands macros to the compiler proper as arguments of
//! their own, where the same holds again, and the last part of a source file's name too. So paths are given such that they
//! cannot be anything else ([`path_argument`], [`source_argument`]), and macros must be macros ([`check_macro`]).
//!
//! How a compiler is started is a [`Runner`]: the command line lends one that holds limits.

use std::ffi::{OsStr, OsString};
use std::io::Error;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

/// Variables that would make a compiler write files, or say things in other words.
pub const UNSET: [&str; 6] = [
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    "GCC_COMPARE_DEBUG",
    "GCC_EXTRA_DIAGNOSTIC_OUTPUT",
    "GCC_COLORS",
    "LANGUAGE",
];
/// Variables that are set, so that messages are in the words that are looked for.
pub const SET: [(&str, &str); 1] = [("LC_ALL", "C")];

/// What a program that was run left behind.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// Whether it says that all went well.
    pub success: bool,
    /// Its output.
    pub stdout: Vec<u8>,
    /// Its messages.
    pub stderr: Vec<u8>,
    /// Why it was stopped, where it was.
    pub stopped: Option<String>,
}

/// Starts compilers, with [`UNSET`] and [`SET`] and nothing on their standard input.
pub trait Runner: std::fmt::Debug + Send + Sync {
    /// Runs a program to its end.
    fn run(&self, program: &OsStr, arguments: &[OsString]) -> Result<Ran, Error>;
}

/// Starts them as children of this process, without limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direct;

impl Runner for Direct {
    fn run(&self, program: &OsStr, arguments: &[OsString]) -> Result<Ran, Error> {
        let mut command = Command::new(program);
        command.args(arguments).envs(SET);
        for name in UNSET {
            command.env_remove(name);
        }
        let output = command.output()?;
        Ok(Ran {
            success: output.status.success(),
            stdout: output.stdout,
            stderr: output.stderr,
            stopped: None,
        })
    }
}

/// A path as an argument that can only be a path.
pub fn path_argument(path: &Path) -> OsString {
    match path.as_os_str().as_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path).into(),
        _ => path.into(),
    }
}

/// A source file as an argument, and what line markers call it.
///
/// Drivers hand the last part of its name on by itself, where `@` means a file of options once more. A file of such a
/// name is included by one of another name, in `scratch`.
pub fn source_argument(path: &Path, scratch: &Path) -> Result<(OsString, OsString), Error> {
    let name = path.file_name().unwrap_or_default().as_bytes();
    if !name.starts_with(b"@") {
        let argument = path_argument(path);
        return Ok((argument.clone(), argument));
    }
    let absolute = std::path::absolute(path)?;
    let bytes = absolute.as_os_str().as_bytes();
    if bytes.iter().any(|c| b"\"\\\n\r\0".contains(c)) {
        return Err(Error::other("a name that no directive can include"));
    }
    let hex: String = name.iter().map(|c| format!("{c:02x}")).collect();
    let wrapper = scratch.join(format!("named-{:.100}.c", hex));
    let text = [b"#include \"", bytes, b"\"\n"].concat();
    std::fs::write(&wrapper, text)?;
    Ok((wrapper.into(), absolute.into()))
}

/// Whether this is a macro as `-D` (with a value) or `-U` takes it; what is wrong otherwise.
pub fn check_macro(text: &str, has_value: bool) -> Result<(), String> {
    let end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
    let (name, rest) = text.split_at(text.find(end).unwrap_or(text.len()));
    let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    // `NAME`, `NAME=VALUE` and `NAME(PARAMETERS)=VALUE`.
    let fits = rest.is_empty() || has_value && rest.starts_with(['=', '(']);
    match is_name && fits && !text.contains(['\n', '\r', '\0']) {
        true => Ok(()),
        false => Err(format!("'{}' is no macro", text.escape_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_no_options() {
        let check = |path: &str, argument: &str| {
            assert_eq!(path_argument(Path::new(path)), OsString::from(argument));
        };
        check("@args.c", "./@args.c");
        check("-dash.c", "./-dash.c");
        check("-", "./-");
        check("a@b.c", "a@b.c");
        check("/@a/-b.c", "/@a/-b.c");
        check("../@a.c", "../@a.c");
    }

    #[test]
    fn sources_are_no_options_even_by_their_last_part() {
        let dir = tempfile::tempdir().expect("a folder");
        let check = |path: &str| source_argument(Path::new(path), dir.path());
        let (argument, name) = check("a/b.c").expect("a path");
        assert_eq!(
            (argument.as_os_str(), name),
            ("a/b.c".as_ref(), "a/b.c".into())
        );
        let (argument, name) = check("/x/@b.c").expect("a path");
        assert_eq!(name, "/x/@b.c");
        let text = std::fs::read_to_string(argument).expect("written");
        assert_eq!(text, "#include \"/x/@b.c\"\n");
        assert!(check("@a\"\n#include <b.h>").is_err());
    }

    #[test]
    fn macros_are_no_options() {
        for good in ["A", "_a1=", "A=1", "F(x)=x+1", "S=\"a b\"", "A==", "A=@f"] {
            assert!(check_macro(good, true).is_ok(), "{good}");
        }
        for bad in [
            "@args.c",
            "",
            "-fplugin=x",
            "1a",
            "A B",
            "A\n#include",
            "=1",
        ] {
            assert!(check_macro(bad, true).is_err(), "{bad}");
        }
        assert!(check_macro("A", false).is_ok());
        assert!(check_macro("A=1", false).is_err());
    }
}
