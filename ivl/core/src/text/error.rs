//! What can be wrong with a text: where, what was found, and what was expected.

use super::lex::{LexError, Token};
use lalrpop_util::ParseError as Lalrpop;
use std::collections::BTreeSet;
use std::fmt;

/// What is wrong. All of it is about the text that was given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ErrorKind {
    /// Characters that form no token.
    #[error("{0}")]
    Lexical(String),
    /// A token that does not fit.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// The token found, or the end of the text.
        found: String,
        /// Readable names of what could have stood there.
        expected: String,
    },
    /// A name that stands for nothing.
    #[error("unknown {what} `{name}`{}", did_you_mean(.nearest))]
    Unknown {
        /// What the name should have been of.
        what: &'static str,
        /// The name.
        name: String,
        /// A known name that is close to it.
        nearest: Option<String>,
    },
    /// A name that several variables share.
    #[error("`{name}` names several variables; write the number, as in `v3`")]
    Ambiguous {
        /// The name.
        name: String,
    },
    /// A second declaration.
    #[error("{what} `{name}` is declared twice, first in line {first}")]
    Duplicate {
        /// What is declared.
        what: &'static str,
        /// Its name or number.
        name: String,
        /// Line of the first declaration.
        first: u32,
    },
    /// Types that do not fit.
    #[error("{0}")]
    Type(String),
    /// Numbers out of range.
    #[error("{0}")]
    Range(String),
    /// Declarations that contradict each other or are missing.
    #[error("{0}")]
    Declaration(String),
}

fn did_you_mean(nearest: &Option<String>) -> String {
    match nearest {
        Some(name) => format!("; did you mean `{name}`?"),
        None => String::new(),
    }
}

/// An error and its place; line and column count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {kind}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub kind: ErrorKind,
}

/// All errors of a text, by place; at least one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct ParseErrors(pub Vec<ParseError>);

impl fmt::Display for ParseErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::verify::lines(f, &self.0)
    }
}

/// Errors by byte offset, while they are collected.
#[derive(Default)]
pub struct Errors {
    list: Vec<(u32, ErrorKind)>,
}

impl Errors {
    pub fn push(&mut self, at: u32, kind: ErrorKind) {
        self.list.push((at, kind));
    }

    pub fn append(&mut self, other: &mut Errors) {
        self.list.append(&mut other.list);
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are; suggestions are computed for the first ones only.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The errors with lines and columns.
    pub fn finish(mut self, source: &str) -> ParseErrors {
        self.list.sort_by_key(|&(at, _)| at);
        let mut place = Place::default();
        let place_of = |(at, kind)| {
            place.advance(source, at);
            ParseError {
                line: place.line + 1,
                column: place.column + 1,
                kind,
            }
        };
        ParseErrors(self.list.into_iter().map(place_of).collect())
    }
}

/// A place that moves forward through a text; line and column count from 0.
#[derive(Default)]
struct Place {
    at: usize,
    line: u32,
    column: u32,
}

impl Place {
    fn advance(&mut self, source: &str, to: u32) {
        for c in source[self.at..to as usize].chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 0;
            } else {
                self.column += 1;
            }
        }
        self.at = to as usize;
    }
}

/// Where the lines of a text begin.
pub struct Lines(Vec<u32>);

impl Lines {
    pub fn new(source: &str) -> Lines {
        let breaks = source.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        Lines(breaks.map(|(i, _)| i as u32 + 1).collect())
    }

    /// The line of a byte offset, from 1.
    pub fn line(&self, at: u32) -> u32 {
        self.0.partition_point(|&start| start <= at) as u32 + 1
    }
}

/// The offset and kind of an error that lalrpop found.
pub fn from_lalrpop(e: Lalrpop<u32, Token<'_>, LexError>, source: &str) -> (u32, ErrorKind) {
    let found = |from: u32, to: u32| format!("`{}`", &source[from as usize..to as usize]);
    let (at, found, expected) = match e {
        Lalrpop::User { error } => return (error.at, error.kind),
        Lalrpop::InvalidToken { location } => (location, "a strange token".into(), vec![]),
        Lalrpop::UnrecognizedEof { location, expected } => {
            (location, "the end of the text".to_string(), expected)
        }
        Lalrpop::UnrecognizedToken {
            token: (from, _, to),
            expected,
        } => (from, found(from, to), expected),
        Lalrpop::ExtraToken {
            token: (from, _, to),
        } => (from, found(from, to), vec!["the end of the text".into()]),
    };
    let expected = readable(expected, &found);
    (at, ErrorKind::Syntax { found, expected })
}

const EXPR_STARTS: &[&str] = &["$name", "constant", "true", "false", "(", "!", "~", "-"];
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/u", "/s", "%u", "%s", "%m", "++", "<<", ">>u", ">>s", "&", "^", "|", "<u",
    "<=u", ">u", ">=u", "<s", "<=s", ">s", ">=s", "==", "!=", "&&", "||", "==>", "<==>",
];
const KEYWORD_NAMES: &[&str] = &[
    "at",
    "auxiliary",
    "base",
    "call",
    "entry",
    "error",
    "exit",
    "file",
    "from",
    "in",
    "incomplete",
    "input",
    "ivl",
    "main",
    "memory",
    "region",
    "returns",
    "size",
];

/// Expected terminals in words: whole classes by their name, single tokens in backquotes.
fn readable(expected: Vec<String>, found: &str) -> String {
    let mut set: BTreeSet<&str> = expected.iter().map(|s| s.trim_matches('"')).collect();
    let mut words = Vec::new();
    let mut class = |set: &mut BTreeSet<&str>, witness: &str, word: &str, members: &[&str]| {
        if set.contains(witness) {
            set.remove(witness);
            set.retain(|t| !members.contains(t));
            words.push(word.to_string());
        }
    };
    if set.contains("constant") {
        // Every keyword that is also a name may begin an expression.
        set.retain(|t| !KEYWORD_NAMES.contains(t) && *t != "name");
        class(&mut set, "constant", "an expression", EXPR_STARTS);
    } else {
        class(&mut set, "name", "a name", KEYWORD_NAMES);
    }
    // An operator in the wrong place gets to see which ones would fit.
    if !OPERATORS.contains(&found.trim_matches('`')) {
        class(&mut set, "<==>", "an operator", OPERATORS);
        class(&mut set, "*", "an operator", OPERATORS);
    }
    class(&mut set, "string", "a string", &[]);
    class(&mut set, "number", "a number", &[]);
    class(&mut set, "bvN", "a bit-vector type", &[]);
    class(&mut set, "$name", "a name like `$0`", &[]);
    words.extend(set.iter().map(|t| {
        if t.contains(' ') {
            t.to_string()
        } else {
            format!("`{t}`")
        }
    }));
    match words.split_last() {
        None => "nothing".into(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
