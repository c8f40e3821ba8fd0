//! Where things come from: files and places in them.

use crate::entity::File;
use std::fmt;

/// Stands for "no file"; an entity number never takes this value.
const NO_FILE: u32 = u32::MAX;

/// A place in a source file; line and column count from 1. [`Span::NONE`] when there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file's number, or [`NO_FILE`].
    file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl Span {
    /// No place.
    pub const NONE: Span = Span {
        file: NO_FILE,
        line: 0,
        column: 0,
    };

    /// A place in `file`.
    pub fn new(file: File, line: u32, column: u32) -> Span {
        Span {
            file: file.as_u32(),
            line,
            column,
        }
    }

    /// The file, unless this is [`Span::NONE`].
    pub fn file(self) -> Option<File> {
        (self.file != NO_FILE).then(|| File::from_u32(self.file))
    }

    /// Whether there is a place.
    pub fn is_some(self) -> bool {
        self.file != NO_FILE
    }

    /// This place, or `other` where there is none.
    pub fn or(self, other: Span) -> Span {
        if self.is_some() { self } else { other }
    }
}

impl Default for Span {
    fn default() -> Span {
        Span::NONE
    }
}

/// As in the text form: `f0:12:5`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file() {
            Some(file) => write!(f, "{file}:{}:{}", self.line, self.column),
            None => f.write_str("(no place)"),
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const _: () = assert!(size_of::<Span>() == 12);
