//! Contracts of functions, in the words of ACSL: `/*@ requires x > 0; assigns *p; ensures \result == \old(*p) + x; */` before a function.
//!
//! What is read is the fragment without quantifiers over scalars and pointers ([`syntax`]); anything else in such a comment is an error with its
//! place. Each function is checked on its own. Of a contract, C is made ([`harness`]), so that a checked contract is a checked C program and means
//! what the rest of the front end says it means:
//!
//! - a function that has a contract is, where it is called, what the contract says: its precondition is asserted, what it may assign
//!   becomes anything, what it ensures is assumed. Its body has another name then, which only its own check calls;
//! - the check of a function begins in any state that its precondition allows: objects of the file hold anything, and a pointer is null, leads to an
//!   object of its own, or to any object of its type that the file or another pointer names. Then the body runs, and what is ensured
//!   is asserted, and that nothing else has changed.
//!
//! A function without a contract is what its body says, wherever it is called. What these checks cannot say (pointers within objects, functions
//! that return pointers or keep state in static variables) is an incomplete location with its reason.
//!
//! Partial correctness: a contract does not say that the function returns.

pub mod harness;
pub mod render;
pub mod syntax;

use self::harness::{Function, Maker};
use self::syntax::{Contract, parse};
use crate::ast::{Ast, DeclKind};
use crate::program::Checked;
use crate::source::Place;
use std::collections::BTreeMap;
use std::ops::Range;

/// A contract in a text, and whose it is.
pub struct Annotation {
    /// What it says.
    pub contract: Contract,
    /// The function's name.
    pub function: String,
    /// Its declaration, up to the body or the semicolon.
    pub header: Range<usize>,
    /// Where the name is.
    pub name: Range<usize>,
}

/// What a text is: its bytes, and where they are for people.
pub trait Placed {
    /// The bytes.
    fn bytes(&self) -> &[u8];
    /// Where a byte is.
    fn place(&self, at: usize) -> Place;
}

/// An error at a byte of a text, in the words of a compiler.
fn error(text: &dyn Placed, (at, why): (usize, String)) -> String {
    format!("{}: error: contract: {why}", text.place(at))
}

/// The contracts of a text.
///
/// # Errors
/// When a comment that begins as a contract is none that is read.
pub fn annotations(text: &dyn Placed) -> Result<Vec<Annotation>, String> {
    let bytes = text.bytes();
    let mut found = Vec::new();
    for comment in comments(bytes) {
        let contract = parse(bytes, comment.clone()).map_err(|e| error(text, e))?;
        let Some((header, name)) = declaration(bytes, comment.end) else {
            let why = "no function follows that it could belong to".to_string();
            return Err(error(text, (comment.start, why)));
        };
        found.push(Annotation {
            contract,
            function: String::from_utf8_lossy(&bytes[name.clone()]).into_owned(),
            header,
            name,
        });
    }
    Ok(found)
}

/// The end of a string or character constant that begins at `at`.
fn quoted(bytes: &[u8], at: usize) -> usize {
    let mut i = at + 1;
    while i < bytes.len() && bytes[i] != bytes[at] && bytes[i] != b'\n' {
        i += 1 + usize::from(bytes[i] == b'\\');
    }
    i + 1
}

/// Where the comment that begins at `at` ends, if one does.
fn comment_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let end = |mark: &[u8], also: usize| {
        let found = rest.windows(mark.len()).skip(2).position(|w| w == mark);
        found.map_or(bytes.len(), |i| at + 2 + i + also)
    };
    match rest {
        [b'/', b'*', ..] => Some(end(b"*/", 2)),
        [b'/', b'/', ..] => Some(end(b"\n", 0)),
        _ => None,
    }
}

/// The insides of comments that are contracts.
fn comments(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => at = quoted(bytes, at),
            b'/' => match comment_end(bytes, at) {
                Some(end) => {
                    if bytes.get(at + 2) == Some(&b'@') {
                        let mark = if bytes[at + 1] == b'*' { 2 } else { 0 };
                        found.push(at + 3..end.saturating_sub(mark).max(at + 3));
                    }
                    at = end;
                }
                None => at += 1,
            },
            _ => at += 1,
        }
    }
    found
}

/// The declaration of a function behind `from`, and the name in it.
fn declaration(bytes: &[u8], from: usize) -> Option<(Range<usize>, Range<usize>)> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    // The end of a block comment may be there.
    let mut at = from
        + if bytes[from..].starts_with(b"*/") {
            2
        } else {
            0
        };
    let (mut start, mut word, mut name) = (None, None, None);
    let mut depth = 0usize;
    while at < bytes.len() {
        if let Some(end) = comment_end(bytes, at) {
            at = end;
            continue;
        }
        let b = bytes[at];
        let line = bytes[..at]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        if b == b'#' && bytes[line..at].iter().all(u8::is_ascii_whitespace) {
            let end = bytes[at..].iter().position(|&b| b == b'\n');
            at += end.unwrap_or(bytes.len() - at);
            continue;
        }
        if b.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        start.get_or_insert(at);
        match b {
            b'{' | b';' if depth == 0 => {
                let header = start?..at;
                return name.map(|name| (header, name));
            }
            b'}' | b'=' if depth == 0 => return None,
            b'(' => {
                if depth == 0 && name.is_none() {
                    name = word.take().filter(|w: &Range<usize>| {
                        let text = &bytes[w.clone()];
                        !text.starts_with(b"__attribute") && !text.starts_with(b"__declspec")
                    });
                }
                depth += 1;
            }
            b')' => depth = depth.checked_sub(1)?,
            b'"' | b'\'' => {
                at = quoted(bytes, at);
                continue;
            }
            _ if is_word(b) => {
                let len = bytes[at..].iter().take_while(|&&b| is_word(b)).count();
                word = Some(at..at + len);
                at += len;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where functions are defined: declaration, name, whether in the old style.
pub struct Definition {
    /// Up to the body.
    pub header: Range<usize>,
    /// Where the name is.
    pub name: Range<usize>,
    /// Whether its parameters are declared behind it.
    pub old_style: bool,
}

/// The definitions of a unit by name; `base` is the position of its first byte.
pub fn definitions(ast: &Ast, base: u32, bytes: &[u8]) -> BTreeMap<String, Definition> {
    let mut found = BTreeMap::new();
    for &decl in &ast.unit {
        let DeclKind::Function {
            specs,
            declarator,
            knr,
            body,
        } = &ast.decls[decl].kind
        else {
            continue;
        };
        let byte = |pos: u32| (pos - base) as usize;
        // Specifiers may be missing: then it begins with what is declared.
        let first = ast.specs[*specs].span.lo.max(ast.decls[decl].span.lo);
        let name = byte(declarator.span.lo)..byte(declarator.span.hi);
        let header = byte(first.min(declarator.span.lo))..byte(ast.stmts[*body].span.lo);
        let Some(text) = bytes.get(name.clone()) else {
            continue;
        };
        found.insert(
            String::from_utf8_lossy(text).into_owned(),
            Definition {
                header,
                name,
                old_style: !knr.is_empty(),
            },
        );
    }
    found
}

/// A unit: its text, and what it defines.
pub type Unit<'a> = (&'a dyn Placed, BTreeMap<String, Definition>);

/// A contract, the text it is in, and the unit whose declarations it sees.
pub type Found<'a> = (Annotation, &'a dyn Placed, usize);

/// The contracts of a program by function: of a file of their own, or else of its units.
///
/// # Errors
/// When one is not understood, or a function has two.
pub fn contracts<'a>(
    units: &[Unit<'a>],
    apart: Option<&'a dyn Placed>,
) -> Result<BTreeMap<String, Found<'a>>, String> {
    let mut found: BTreeMap<String, Found<'a>> = BTreeMap::new();
    let own = units.iter().enumerate().map(|(i, (text, _))| (*text, i));
    let own = own.filter(|_| apart.is_none());
    for (text, unit) in own.chain(apart.map(|text| (text, 0))) {
        for annotation in annotations(text)? {
            let name = annotation.function.clone();
            if found.contains_key(&name) {
                let why = format!("'{name}' has another one already");
                return Err(error(text, (annotation.header.start, why)));
            }
            found.insert(name, (annotation, text, unit));
        }
    }
    Ok(found)
}

/// Definitions of the functions that have a contract and no body, for each unit.
pub fn declared_only(units: &[Unit<'_>], contracts: &BTreeMap<String, Found<'_>>) -> Vec<String> {
    let mut more = vec![String::new(); units.len()];
    for (name, (annotation, text, unit)) in contracts {
        if !units.iter().any(|(_, d)| d.contains_key(name)) {
            let head = harness::declared(text.bytes(), annotation, name);
            more[*unit].push_str(&format!("\n# 1 \"<contracts>\"\n{head} {{ for (;;) ; }}\n"));
        }
    }
    more
}

/// The texts of a program whose functions are what their contracts say, and the functions that can be checked.
pub struct Modular {
    /// The texts, with more at their ends.
    pub texts: Vec<Vec<u8>>,
    /// The functions with a body, in order.
    pub functions: Vec<Function>,
}

/// Makes of units and contracts a program that checks functions one by one.
///
/// # Errors
/// When a contract says what the fragment does not.
pub fn modular(
    units: &[Unit<'_>],
    contracts: &BTreeMap<String, Found<'_>>,
    checked: &Checked,
) -> Result<Modular, String> {
    Maker {
        units,
        contracts,
        checked,
    }
    .make()
}
