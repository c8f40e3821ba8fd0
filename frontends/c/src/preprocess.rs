//! Running the system's preprocessor when a file has directives.
//!
//! `.i` files and files whose only directives are line markers and pragmas are read as they are.

use crate::types::DataModel;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options passed on to the preprocessor.
#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// `-D`, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// `-include`
    pub includes: Vec<PathBuf>,
    /// The compiler to call; `cc` when none.
    pub compiler: Option<PathBuf>,
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
         install a C compiler or preprocess the file yourself and pass the .i file"
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
}

/// The preprocessed text of a file.
pub fn preprocess(
    path: &Path,
    model: DataModel,
    options: &PreprocessOptions,
) -> Result<Preprocessed, PreprocessError> {
    let as_it_is = |text| Preprocessed {
        text,
        expanded: false,
    };
    let expanded = |text| Preprocessed {
        text,
        expanded: true,
    };
    let text = std::fs::read(path).map_err(|source| PreprocessError::Read {
        path: path.into(),
        source,
    })?;
    if let Some(at) = text.iter().position(|b| *b == 0) {
        return Err(PreprocessError::Binary {
            path: path.into(),
            at,
        });
    }
    if path.extension().is_some_and(|e| e == "i") {
        return Ok(as_it_is(text));
    }
    let wanted = !options.includes.is_empty() || !options.defines.is_empty();
    let (line, directive) = match first_directive(&text) {
        Some(found) => found,
        None if wanted => (1, "-D or -include".to_owned()),
        None => return Ok(as_it_is(text)),
    };
    let compiler = options.compiler.clone().unwrap_or_else(|| "cc".into());
    let run = |extra: &[OsString]| {
        let mut command = Command::new(&compiler);
        command.args(["-E", "-x", "c", "-std=gnu11"]);
        command.arg(if model == DataModel::Ilp32 {
            "-m32"
        } else {
            "-m64"
        });
        for dir in &options.include_dirs {
            command.arg("-I").arg(dir);
        }
        for define in &options.defines {
            command.arg(format!("-D{define}"));
        }
        for file in &options.includes {
            command.arg("-include").arg(file);
        }
        command
            .args(extra)
            .arg(path)
            .output()
            .map_err(|source| PreprocessError::NoCompiler {
                path: path.into(),
                line,
                directive: directive.clone(),
                compiler: compiler.display().to_string(),
                source,
            })
    };
    let first = run(&[])?;
    if first.status.success() {
        return Ok(expanded(first.stdout));
    }
    if model == DataModel::Ilp32
        && let Some(output) = with_64_bit_headers(&run)?
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

/// Many systems have no 32-bit C library headers. The 64-bit ones adapt to -m32 themselves except for
/// one generated file, `gnu/stubs-32.h`, which only lists functions that do not exist; an empty one does.
fn with_64_bit_headers(
    run: &dyn Fn(&[OsString]) -> Result<std::process::Output, PreprocessError>,
) -> Result<Option<Vec<u8>>, PreprocessError> {
    let multiarch = Path::new("/usr/include/x86_64-linux-gnu");
    if !multiarch.is_dir() {
        return Ok(None);
    }
    let scratch = std::env::temp_dir().join(format!("trellis-headers-{}", std::process::id()));
    let made = std::fs::create_dir_all(scratch.join("gnu"))
        .and_then(|()| std::fs::write(scratch.join("gnu/stubs-32.h"), ""));
    if made.is_err() {
        return Ok(None);
    }
    let output = run(&[
        "-isystem".into(),
        multiarch.into(),
        "-isystem".into(),
        scratch.clone().into(),
    ]);
    // Leaving an empty folder behind in the temporary directory is harmless.
    let _ = std::fs::remove_dir_all(&scratch);
    let output = output?;
    Ok(output.status.success().then_some(output.stdout))
}
