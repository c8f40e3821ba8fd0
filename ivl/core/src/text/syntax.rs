//! The tables that printer, parser and messages share: how operations look, which names are
//! numbers, how strings are quoted.

#![cfg_attr(
    not(feature = "parse"),
    allow(dead_code, reason = "reading uses the rest")
)]

use crate::op::Op;
use std::borrow::Cow;
use std::fmt::Write;

/// Binding strength: an operand needs parentheses where it binds weaker than its place demands.
pub mod prec {
    pub const LOWEST: u8 = 0;
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const COMPARE: u8 = 3;
    pub const BIT_OR: u8 = 4;
    pub const BIT_XOR: u8 = 5;
    pub const BIT_AND: u8 = 6;
    pub const SHIFT: u8 = 7;
    pub const CONCAT: u8 = 8;
    pub const ADD: u8 = 9;
    pub const MUL: u8 = 10;
    pub const PREFIX: u8 = 11;
    pub const POSTFIX: u8 = 12;
}

/// How an operation is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Constants and variables.
    Leaf,
    /// Before its argument.
    Prefix(&'static str),
    /// Between its arguments; the text has spaces around it.
    Infix(&'static str, u8),
    /// As a named operation.
    Call(&'static str),
    /// After its argument, in brackets: extract, select, store.
    Bracket,
}

/// How `op` is written.
pub fn form(op: Op) -> Form {
    use Form::*;
    use Op::*;
    match op {
        BoolConst | BvConst | Var => Leaf,
        Not => Prefix("!"),
        BvNot => Prefix("~"),
        BvNeg => Prefix("-"),
        And => Infix(" && ", prec::AND),
        Or => Infix(" || ", prec::OR),
        Eq => Infix(" == ", prec::COMPARE),
        BvUlt => Infix(" <u ", prec::COMPARE),
        BvUle => Infix(" <=u ", prec::COMPARE),
        BvSlt => Infix(" <s ", prec::COMPARE),
        BvSle => Infix(" <=s ", prec::COMPARE),
        BvOr => Infix(" | ", prec::BIT_OR),
        BvXor => Infix(" ^ ", prec::BIT_XOR),
        BvAnd => Infix(" & ", prec::BIT_AND),
        BvShl => Infix(" << ", prec::SHIFT),
        BvLshr => Infix(" >>u ", prec::SHIFT),
        BvAshr => Infix(" >>s ", prec::SHIFT),
        Concat => Infix(" ++ ", prec::CONCAT),
        BvAdd => Infix(" + ", prec::ADD),
        BvSub => Infix(" - ", prec::ADD),
        BvMul => Infix(" * ", prec::MUL),
        BvUdiv => Infix(" /u ", prec::MUL),
        BvSdiv => Infix(" /s ", prec::MUL),
        BvUrem => Infix(" %u ", prec::MUL),
        BvSrem => Infix(" %s ", prec::MUL),
        BvSmod => Infix(" %m ", prec::MUL),
        Ite => Call("ite"),
        ZeroExt => Call("zext"),
        SignExt => Call("sext"),
        ConstArray => Call("const"),
        BvUaddo => Call("uaddo"),
        BvSaddo => Call("saddo"),
        BvUsubo => Call("usubo"),
        BvSsubo => Call("ssubo"),
        BvUmulo => Call("umulo"),
        BvSmulo => Call("smulo"),
        Extract | Select | Store => Bracket,
    }
}

/// The symbol or name of `op`, for messages.
pub fn symbol(op: Op) -> &'static str {
    match form(op) {
        Form::Prefix(s) | Form::Call(s) => s,
        Form::Infix(s, _) => s.trim(),
        Form::Bracket | Form::Leaf => "[]",
    }
}

/// What the arguments of `op` have to be, for messages.
pub fn demands(op: Op) -> &'static str {
    use Op::*;
    match op {
        Not => "a boolean",
        And | Or => "booleans",
        Eq => "two terms of one type",
        Ite => "a boolean and two terms of one type",
        BvNot | BvNeg => "a bit-vector",
        Concat => "two bit-vectors that fit the widest type together",
        Select => "an array and an index of its index type",
        Store => "an array, an index of its index type and a value of its element type",
        _ => "two bit-vectors of one width",
    }
}

/// The number in a name of the shape `v12`: prefix and decimal digits without leading zeros.
/// `Some(None)` for a number beyond every entity.
pub fn number(name: &str, prefix: char) -> Option<Option<u32>> {
    let digits = name.strip_prefix(prefix)?;
    let canonical = !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    canonical.then(|| digits.parse().ok().filter(|&n| n < u32::MAX))
}

/// Words that are no names. Other keywords are names where they cannot be meant.
const RESERVED: [&str; 10] = [
    "assume", "bool", "false", "havoc", "let", "loc", "proc", "skip", "true", "var",
];

/// Whether `name` lexes as one name that is no keyword, so that it can be written bare.
pub fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let part = |c: char| letter(c) || c.is_ascii_digit() || ".$@#'".contains(c);
    let is_type = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    name.starts_with(letter)
        && name.replace("::", "_").chars().all(part)
        && !RESERVED.contains(&name)
        && !name.strip_prefix("bv").is_some_and(is_type)
}

/// Whether `name` can stand for an entity with number prefix `prefix` without quotes.
pub fn is_plain(name: &str, prefix: char) -> bool {
    number(name, prefix).is_none() && is_name(name)
}

/// Appends `text` as a string token.
pub fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                write!(out, "\\u{{{:x}}}", c as u32).expect("writing to a string");
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The text in a string token, or the escape sequence that is none.
pub fn unquote(token: &str) -> Result<Cow<'_, str>, String> {
    let inner = &token[1..token.len() - 1];
    if !inner.contains('\\') {
        return Ok(Cow::Borrowed(inner));
    }
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, len) = escape(rest).ok_or_else(|| rest.chars().take(2).collect::<String>())?;
        text.push(c);
        rest = &rest[len..];
    }
    text.push_str(rest);
    Ok(Cow::Owned(text))
}

/// The character of the escape sequence that `text` begins with, and its length.
fn escape(text: &str) -> Option<(char, usize)> {
    Some(match text.as_bytes().get(1)? {
        b'"' => ('"', 2),
        b'\\' => ('\\', 2),
        b'n' => ('\n', 2),
        b't' => ('\t', 2),
        b'u' => {
            let hex = text.strip_prefix("\\u{")?;
            let end = hex.find('}')?;
            let code = u32::from_str_radix(&hex[..end], 16).ok()?;
            (char::from_u32(code)?, 4 + end)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back() {
        for text in ["", "a\"b", "\\", "tab\tnew\nnul\0", "λ \u{7f}", "\\u{41}"] {
            let mut token = String::new();
            quote(&mut token, text);
            assert_eq!(unquote(&token).as_deref(), Ok(text), "{token}");
        }
        assert_eq!(unquote(r#""\q""#), Err("\\q".into()));
        assert_eq!(unquote(r#""\u{110000}""#), Err("\\u".into()));
    }

    #[test]
    fn plain_names() {
        for (name, plain) in [
            ("x", true),
            ("main::i", true),
            ("x'", true),
            ("size", true),
            ("v1", false),
            ("v01", true),
            ("l1", true),
            ("let", false),
            ("bv8", false),
            ("bv8x", true),
            ("", false),
            ("a b", false),
            ("1x", false),
            ("v99999999999", false),
        ] {
            assert_eq!(is_plain(name, 'v'), plain, "{name:?}");
        }
    }
}
