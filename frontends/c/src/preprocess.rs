//! Running the system's preprocessor when a file has directives.
//!
//! `.i` files and files whose only directives are line markers and pragmas are read as they are.

use crate::compiler::{Direct, Ran, Runner, check_macro, path_argument, source_argument};
use crate::types::DataModel;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options passed on to the preprocessor.
#[derive(Clone, Debug)]
pub struct PreprocessOptions {
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// `-isystem`
    pub system_dirs: Vec<PathBuf>,
    /// `-iquote`
    pub quote_dirs: Vec<PathBuf>,
    /// `-idirafter`
    pub late_dirs: Vec<PathBuf>,
    /// `-D NAME`, `-D NAME=VALUE` and `-U NAME`, in order.
    pub macros: Vec<Macro>,
    /// `-include`
    pub includes: Vec<PathBuf>,
    /// `-std=`; `gnu11` when none.
    pub standard: Option<String>,
    /// Whether expressions of type float and double are evaluated in long double, as the x87 does where a compiler keeps to
    /// the standard; for ILP32.
    pub excess_precision: bool,
    /// The compiler to call; `cc` when none.
    pub compiler: Option<PathBuf>,
    /// Whether comments stay: contracts are comments.
    pub comments: bool,
    /// Who calls it.
    pub runner: Arc<dyn Runner>,
}

impl Default for PreprocessOptions {
    fn default() -> PreprocessOptions {
        PreprocessOptions {
            include_dirs: Vec::new(),
            system_dirs: Vec::new(),
            quote_dirs: Vec::new(),
            late_dirs: Vec::new(),
            macros: Vec::new(),
            includes: Vec::new(),
            standard: None,
            excess_precision: false,
            compiler: None,
            comments: false,
            runner: Arc::new(Direct),
        }
    }
}

/// A macro of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Macro {
    /// `-D`, as `NAME` or `NAME=VALUE`.
    Define(String),
    /// `-U`
    Undefine(String),
}

impl PreprocessOptions {
    /// What a compiler is told, for preprocessing and for compiling alike; the standard aside.
    pub fn arguments(&self) -> Result<Vec<OsString>, PreprocessError> {
        let mut arguments: Vec<OsString> = Vec::new();
        let dirs = [
            ("-I", &self.include_dirs),
            ("-isystem", &self.system_dirs),
            ("-iquote", &self.quote_dirs),
            ("-idirafter", &self.late_dirs),
        ];
        for (option, dirs) in dirs {
            for dir in dirs {
                arguments.extend([option.into(), path_argument(dir)]);
            }
        }
        for each in &self.macros {
            let (option, text, has_value) = match each {
                Macro::Define(text) => ("-D", text, true),
                Macro::Undefine(text) => ("-U", text, false),
            };
            check_macro(text, has_value)
                .map_err(|why| PreprocessError::Macro(format!("{option}: {why}")))?;
            arguments.push(format!("{option}{text}").into());
        }
        for file in &self.includes {
            arguments.extend(["-include".into(), path_argument(file)]);
        }
        Ok(arguments)
    }

    /// Whether the preprocessor changes even a text without directives.
    fn change_text(&self) -> bool {
        !self.includes.is_empty() || !self.macros.is_empty() || self.standard.is_some()
    }
}

/// Why preprocessing failed. All are about the user's input or system.
#[derive(Debug, thiserror::Error)]
pub enum PreprocessError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is no text.
    #[error("{path} is a binary file, not C source (byte {at} is zero)")]
    Binary {
        /// The file.
        path: PathBuf,
        /// The first zero byte.
        at: usize,
    },
    /// There is no C compiler to preprocess with.
    #[error(
        "{path} has preprocessor directives (line {line}: '{directive}') but '{compiler}' cannot be run: {source}; \
         install a C compiler or preprocessor (cc, gcc, clang or cpp) or preprocess the file yourself and pass the .i file"
    )]
    NoCompiler {
        /// The file.
        path: PathBuf,
        /// Where the first directive is.
        line: usize,
        /// The first directive.
        directive: String,
        /// What was tried.
        compiler: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A header was not found.
    #[error("{message}; add its folder with -I")]
    MissingInclude {
        /// The compiler's message with its place.
        message: String,
    },
    /// The command line defines what is no macro.
    #[error("{0}")]
    Macro(String),
    /// The preprocessor did not come to an end by itself. (A limit.)
    #[error("preprocessing {path} was stopped: {why}")]
    Stopped {
        /// The file.
        path: PathBuf,
        /// Which limit it met.
        why: String,
    },
    /// Any other failure of the preprocessor.
    #[error("preprocessing {path} failed:\n{stderr}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// What the compiler said.
        stderr: String,
    },
}

/// The first directive that needs a preprocessor: its line and text.
pub fn first_directive(text: &[u8]) -> Option<(usize, String)> {
    let mut continued = false;
    for (number, line) in text.split(|c| *c == b'\n').enumerate() {
        let inside = std::mem::replace(&mut continued, line.ends_with(b"\\"));
        let line = line.trim_ascii();
        let Some(rest) = line.strip_prefix(b"#") else {
            continue;
        };
        let word = rest.trim_ascii();
        let harmless = word.is_empty()
            || word.first().is_some_and(u8::is_ascii_digit)
            || [b"pragma".as_slice(), b"line", b"ident"]
                .iter()
                .any(|w| word.starts_with(w));
        if !inside && !harmless {
            return Some((number + 1, String::from_utf8_lossy(line).into_owned()));
        }
    }
    None
}

/// What became of a file.
pub struct Preprocessed {
    /// The text.
    pub text: Vec<u8>,
    /// Whether it comes from a preprocessor and not from the file itself.
    pub expanded: bool,
    /// The texts of what the preprocessor read for it, by the names that its line markers use; headers of the
    /// system aside.
    pub read: BTreeMap<String, Vec<u8>>,
}

/// The most that a source file may have. Tokens and trees take some fifty times as much.
const SOURCE: u64 = 256 << 20;

/// The preprocessed text of a file.
pub fn preprocess(
    path: &Path,
    model: DataModel,
    options: &PreprocessOptions,
) -> Result<Preprocessed, PreprocessError> {
    let as_it_is = |text| Preprocessed {
        text,
        expanded: false,
        read: BTreeMap::new(),
    };
    let text = text(path)?;
    if path.extension().is_some_and(|e| e == "i") {
        return Ok(as_it_is(text));
    }
    let (line, directive) = match first_directive(&text) {
        Some(found) => found,
        None if options.change_text() => (1, "-D, -include or -std".to_owned()),
        None => return Ok(as_it_is(text)),
    };
    let compiler = options.compiler.clone().unwrap_or_else(default_compiler);
    let no_compiler = |source| PreprocessError::NoCompiler {
        path: path.into(),
        line,
        directive: directive.clone(),
        compiler: compiler.display().to_string(),
        source,
    };
    let scratch = tempfile::tempdir().map_err(no_compiler)?;
    let (argument, name) = source_argument(path, scratch.path()).map_err(no_compiler)?;
    let list = scratch.path().join("read");
    let standard = options.standard.as_deref().unwrap_or("gnu11");
    let mut arguments: Vec<OsString> = ["-E", "-x", "c"].map(Into::into).to_vec();
    arguments.push(format!("-std={standard}").into());
    // Headers ask how floats are evaluated.
    arguments.extend(match (model, options.excess_precision) {
        (DataModel::Ilp32, false) => vec!["-m32".into(), "-msse2".into(), "-mfpmath=sse".into()],
        (DataModel::Ilp32, true) => vec!["-m32".into(), "-mfpmath=387".into()],
        (DataModel::Lp64, _) => vec!["-m64".into()],
    });
    if options.comments {
        arguments.push("-C".into());
    }
    arguments.extend(["-MD".into(), "-MT".into(), "_".into(), "-MF".into()]);
    arguments.push(list.clone().into());
    arguments.extend(options.arguments()?);
    let run = |extra: &[OsString]| -> Result<Ran, PreprocessError> {
        let mut all = arguments.clone();
        all.extend_from_slice(extra);
        all.push(argument.clone());
        let ran = options.runner.run(compiler.as_os_str(), &all);
        let ran = ran.map_err(no_compiler)?;
        match ran.stopped {
            Some(why) => Err(PreprocessError::Stopped {
                path: path.into(),
                why,
            }),
            None => Ok(ran),
        }
    };
    let expanded = |output| {
        let mut read = read_for_it(&list);
        // Read once, by us; the line markers name it as it was given to the compiler.
        read.insert(name.to_string_lossy().into_owned(), text);
        Preprocessed {
            text: output,
            expanded: true,
            read,
        }
    };
    let first = run(&[])?;
    if first.success {
        return Ok(expanded(first.stdout));
    }
    if model == DataModel::Ilp32
        && let Some(output) = with_64_bit_headers(scratch.path(), &run)?
    {
        return Ok(expanded(output));
    }
    let stderr = String::from_utf8_lossy(&first.stderr).into_owned();
    let missing = stderr
        .lines()
        .find(|l| l.contains("No such file or directory") && l.contains("error"));
    Err(match missing {
        Some(message) => PreprocessError::MissingInclude {
            message: message.trim().to_owned(),
        },
        None => PreprocessError::Failed {
            path: path.into(),
            stderr,
        },
    })
}

/// What preprocesses where nothing is said, the first that is there. The last one is all that a machine without a compiler may
/// have, and takes the same arguments.
const COMPILERS: [&str; 4] = ["cc", "gcc", "clang", "cpp"];

fn default_compiler() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there = |name: &&str| std::env::split_paths(&path).any(|dir| dir.join(name).is_file());
    COMPILERS.into_iter().find(there).unwrap_or("cc").into()
}

/// The bytes of a file as they are.
pub fn text(path: &Path) -> Result<Vec<u8>, PreprocessError> {
    let text = trellis_input::bytes(path, SOURCE).map_err(|source| PreprocessError::Read {
        path: path.into(),
        source,
    })?;
    match text.iter().position(|b| *b == 0) {
        Some(at) => Err(PreprocessError::Binary {
            path: path.into(),
            at,
        }),
        None => Ok(text),
    }
}

/// Many systems have no 32-bit C library headers. The 64-bit ones adapt to -m32 themselves except for
/// one generated file, `gnu/stubs-32.h`, which only lists functions that do not exist; an empty one does.
fn with_64_bit_headers(
    scratch: &Path,
    run: &dyn Fn(&[OsString]) -> Result<Ran, PreprocessError>,
) -> Result<Option<Vec<u8>>, PreprocessError> {
    let multiarch = Path::new("/usr/include/x86_64-linux-gnu");
    if !multiarch.is_dir() {
        return Ok(None);
    }
    let made = std::fs::create_dir_all(scratch.join("gnu"))
        .and_then(|()| std::fs::write(scratch.join("gnu/stubs-32.h"), ""));
    if made.is_err() {
        return Ok(None);
    }
    let ran = run(&[
        "-isystem".into(),
        multiarch.into(),
        "-isystem".into(),
        scratch.into(),
    ])?;
    Ok(ran.success.then_some(ran.stdout))
}

/// The most of headers that is kept, all together.
const HEADERS: usize = 64 << 20;

/// The texts of the files in a list of dependencies that the preprocessor wrote, as far as they are not the
/// system's. Line markers do not tell what was read: a program may write them itself.
fn read_for_it(list: &Path) -> BTreeMap<String, Vec<u8>> {
    let rules = trellis_input::bytes(list, trellis_input::TEXT).unwrap_or_default();
    let mut read = BTreeMap::new();
    let mut size = 0;
    for name in dependencies(&String::from_utf8_lossy(&rules)) {
        if name.starts_with("/usr/include/") || name.starts_with("/usr/lib/") {
            continue;
        }
        let left = HEADERS.saturating_sub(size) as u64;
        if let Ok(text) = trellis_input::bytes(Path::new(&name), left) {
            size += text.len();
            read.insert(name, text);
        }
    }
    read
}

/// The files behind the colon of a rule of make, without its quoting.
fn dependencies(rule: &str) -> Vec<String> {
    let (_, rule) = rule.split_once(':').unwrap_or_default();
    let mut names = vec![String::new()];
    let mut chars = rule.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        match (c, next) {
            ('\\', Some('\n')) => {}
            ('\\', Some(quoted @ (' ' | '#' | ':' | '\\'))) | ('$', Some(quoted @ '$')) => {
                chars.next();
                names.last_mut().expect("never empty").push(quoted);
            }
            (c, _) if c.is_ascii_whitespace() => names.push(String::new()),
            (c, _) => names.last_mut().expect("never empty").push(c),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_make_are_read() {
        let rule = "_: t.c /usr/include/x.h \\\n a\\ b$$\\#.h \\\n  c\\:d.h\n";
        assert_eq!(
            dependencies(rule),
            ["t.c", "/usr/include/x.h", "a b$#.h", "c:d.h"]
        );
        assert!(dependencies("").is_empty());
    }
}
