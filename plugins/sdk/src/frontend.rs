//! What a front end implements: bytes in, a program out.
//!
//! A front end is trusted, unlike everything else that a plugin may be: certificates are checked on the program it makes, and
//! nobody but its author knows whether that program means what the source says.

use crate::engine::{Host, Info};
use crate::options::EngineOptions;
use trellis_ivl::{File, Program, Span};

/// A language that Trellis can be taught.
pub trait FrontEnd {
    /// Its name and description; `--language` chooses it by its id.
    const INFO: Info;
    /// The extensions of its files, without the dot.
    const EXTENSIONS: &'static [&'static str];

    /// Its options; [`options!`](crate::options!) makes such a type.
    type Options: EngineOptions;

    /// Reads `source`. Variables, locations, edges and inputs of the program have spans in its file ([`Source::begin`]):
    /// they are what traces and reports show. What cannot be modelled becomes a location of kind *incomplete* with its
    /// reason. A panic is an error result.
    fn read(
        options: &Self::Options,
        source: &Source,
        host: &mut dyn Host,
    ) -> Result<Program, FrontEndError>;
}

/// What is to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// What messages call it, usually the path of a file. It may be standard input, so nothing is to be opened.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Source {
    /// A source, as tests need it.
    pub fn new(name: &str, text: &str) -> Source {
        Source {
            name: name.into(),
            bytes: text.as_bytes().to_vec(),
        }
    }

    /// A program without anything but the source's file, for spans.
    pub fn begin(&self) -> (Program, File) {
        let mut program = Program::new();
        let file = program.files.push(self.name.clone());
        (program, file)
    }

    /// The text.
    pub fn text(&self) -> Result<&str, FrontEndError> {
        std::str::from_utf8(&self.bytes).map_err(|e| {
            let before = &self.bytes[..e.valid_up_to()];
            let line = before.iter().filter(|&&b| b == b'\n').count() as u32 + 1;
            SourceError::at(line, 0, "this is no UTF-8 text").into()
        })
    }
}

/// Something wrong in a source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SourceError {
    /// The line, the first one being 1; 0 where there is none.
    pub line: u32,
    /// The column, the first one being 1; 0 where there is none.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl SourceError {
    /// An error at a place.
    pub fn at(line: u32, column: u32, message: impl Into<String>) -> SourceError {
        SourceError {
            line,
            column,
            message: message.into(),
        }
    }

    /// An error at a span.
    pub fn in_span(span: Span, message: impl Into<String>) -> SourceError {
        SourceError::at(span.line, span.column, message)
    }
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrontEndError {
    /// The source is not of the language. (User's input.)
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Source(Vec<SourceError>),
    /// Anything else. (Bug in the front end.)
    #[error("{0}")]
    Internal(String),
}

impl From<SourceError> for FrontEndError {
    fn from(error: SourceError) -> FrontEndError {
        FrontEndError::Source(vec![error])
    }
}

/// Errors of a source as people read them, one per line.
pub(crate) fn messages(name: &str, errors: &[SourceError]) -> String {
    let line = |e: &SourceError| match (e.line, e.column) {
        (0, _) => format!("{name}: {}", e.message),
        (line, 0) => format!("{name}:{line}: {}", e.message),
        (line, column) => format!("{name}:{line}:{column}: {}", e.message),
    };
    errors.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Bytes of `words`, a space after each; the last one becomes the terminating zero.
#[doc(hidden)]
pub const fn joined_len(words: &[&str]) -> usize {
    let (mut len, mut i) = (0, 0);
    while i < words.len() {
        len += words[i].len() + 1;
        i += 1;
    }
    if len == 0 { 1 } else { len }
}

/// `words` with spaces between them and a terminating zero.
#[doc(hidden)]
pub const fn joined<const N: usize>(words: &[&str]) -> [u8; N] {
    let mut bytes = [0; N];
    let (mut at, mut i) = (0, 0);
    while i < words.len() {
        let word = words[i].as_bytes();
        let mut j = 0;
        while j < word.len() {
            bytes[at] = word[j];
            at += 1;
            j += 1;
        }
        if i + 1 < words.len() {
            bytes[at] = b' ';
        }
        at += 1;
        i += 1;
    }
    bytes
}

/// Exports a front end as the plugin of this library.
#[macro_export]
macro_rules! export_frontend {
    ($FrontEnd:ty) => {
        #[allow(unsafe_code)]
        const _: () = {
            use $crate::frontend::{FrontEnd, joined, joined_len};
            use $crate::private::abi;
            const WORDS: &[&str] = <$FrontEnd as FrontEnd>::EXTENSIONS;
            static EXTENSIONS: [u8; joined_len(WORDS)] = joined(WORDS);
            static FRONTEND: abi::TrellisFrontEnd = abi::TrellisFrontEnd {
                size: size_of::<abi::TrellisFrontEnd>() as u32,
                reserved: 0,
                extensions: (&raw const EXTENSIONS).cast(),
                run: Some($crate::shim::run_frontend::<$FrontEnd>),
            };
            $crate::descriptor! {
                <$FrontEnd as FrontEnd>::INFO,
                <<$FrontEnd as FrontEnd>::Options as $crate::EngineOptions>::DOCS,
                abi::TRELLIS_KIND_FRONTEND, frontend: &raw const FRONTEND
            }
        };
    };
}
