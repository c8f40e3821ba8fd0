//! The tokens of the text form, by logos.
//!
//! Every character sequence gets a token or a message: shapes that people write by habit (`<`
//! without a sign, `=`, `5` glued to letters) are tokens of their own so that the message can
//! say what to write instead.

use super::error::ErrorKind;
use logos::Logos;

fn block_comment<'s>(lex: &mut logos::Lexer<'s, Token<'s>>) -> logos::FilterResult<(), ()> {
    match lex.remainder().find("*/") {
        Some(end) => {
            lex.bump(end + 2);
            logos::FilterResult::Skip
        }
        None => logos::FilterResult::Emit(()),
    }
}

/// A token; those that carry text borrow it from the source.
#[derive(Logos, Clone, Copy, PartialEq, Debug)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[allow(missing_docs)] // the attribute above each variant is its documentation
pub enum Token<'s> {
    #[regex(r"[A-Za-z_]([A-Za-z0-9_.$@#']|::)*", priority = 2)]
    Name(&'s str),
    #[regex(r"\$[A-Za-z0-9_]+")]
    Shared(&'s str),
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Str(&'s str),
    #[regex(r"[0-9][0-9_]*", priority = 10)]
    Number(&'s str),
    #[regex(r"[0-9][0-9_]*bv[0-9]+", priority = 10)]
    #[regex(r"0x[0-9a-fA-F_]+bv[0-9]+", priority = 10)]
    #[regex(r"0b[01_]+bv[0-9]+", priority = 10)]
    Const(&'s str),
    #[regex(r"bv[0-9]+", priority = 10)]
    Bv(&'s str),

    #[token("assume")]
    Assume,
    #[token("bool")]
    Bool,
    #[token("false")]
    False,
    #[token("havoc")]
    Havoc,
    #[token("let")]
    Let,
    #[token("loc")]
    Loc,
    #[token("proc")]
    Proc,
    #[token("skip")]
    Skip,
    #[token("true")]
    True,
    #[token("var")]
    Var,

    #[token("at")]
    At,
    #[token("auxiliary")]
    Auxiliary,
    #[token("base")]
    Base,
    #[token("call")]
    Call,
    #[token("entry")]
    Entry,
    #[token("error")]
    Error,
    #[token("exit")]
    Exit,
    #[token("file")]
    File,
    #[token("from")]
    From,
    #[token("in")]
    In,
    #[token("incomplete")]
    Incomplete,
    #[token("input")]
    Input,
    #[token("ivl")]
    Ivl,
    #[token("main")]
    Main,
    #[token("memory")]
    Memory,
    #[token("region")]
    Region,
    #[token("returns")]
    Returns,
    #[token("size")]
    Size,

    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("[]")]
    Box,
    #[token(",")]
    Comma,
    #[token(";")]
    Semi,
    #[token(":")]
    Colon,
    #[token(":=")]
    Assign,
    #[token("=")]
    Equals,
    #[token("->")]
    Arrow,

    #[token("!")]
    Not,
    #[token("~")]
    Tilde,
    #[token("-")]
    Minus,
    #[token("+")]
    Plus,
    #[token("*")]
    Star,
    #[token("/u", priority = 10)]
    Udiv,
    #[token("/s", priority = 10)]
    Sdiv,
    #[token("%u", priority = 10)]
    Urem,
    #[token("%s", priority = 10)]
    Srem,
    #[token("%m", priority = 10)]
    Smod,
    #[token("++")]
    Concat,
    #[token("<<", priority = 10)]
    Shl,
    #[token(">>u", priority = 10)]
    Lshr,
    #[token(">>s", priority = 10)]
    Ashr,
    #[token("&")]
    BitAnd,
    #[token("^")]
    BitXor,
    #[token("|")]
    BitOr,
    #[token("<u", priority = 10)]
    Ult,
    #[token("<=u", priority = 10)]
    Ule,
    #[token(">u", priority = 10)]
    Ugt,
    #[token(">=u", priority = 10)]
    Uge,
    #[token("<s", priority = 10)]
    Slt,
    #[token("<=s", priority = 10)]
    Sle,
    #[token(">s", priority = 10)]
    Sgt,
    #[token(">=s", priority = 10)]
    Sge,
    #[token("==")]
    Eq,
    #[token("!=")]
    Ne,
    #[token("&&")]
    And,
    #[token("||")]
    Or,
    #[token("==>")]
    Implies,
    #[token("<==>")]
    Iff,

    /// Never found in a text: the mark before a program.
    ProgramText,
    /// Never found in a text: the mark before a single term.
    TermText,

    /// Digits and letters that form no number.
    #[regex(r"[0-9][A-Za-z0-9_]*", priority = 3)]
    BadNumber,
    /// An operator without its sign, or glued to what follows.
    #[regex(r"(<|<=|>|>=|>>|/|%)[A-Za-z0-9_]*", priority = 3)]
    BadOperator,
    /// A string that its line does not close.
    #[regex(r#""([^"\\\n]|\\[^\n])*"#, priority = 1)]
    BadString,
    /// A comment that the file does not close.
    #[token("/*", block_comment)]
    BadComment,
}

/// A lexical error and where it is.
#[derive(Clone, PartialEq, Debug)]
pub struct LexError {
    /// Byte offset.
    pub at: u32,
    /// What is wrong.
    pub kind: ErrorKind,
}

/// The tokens of `source` with their byte offsets, in the shape that lalrpop reads, after the
/// `mark` for the kind of text.
pub fn tokens<'s>(
    mark: Token<'s>,
    source: &'s str,
) -> impl Iterator<Item = Result<(u32, Token<'s>, u32), LexError>> + use<'s> {
    let rest = Token::lexer(source).spanned().map(|(token, span)| {
        let text = &source[span.clone()];
        let at = span.start as u32;
        let bad = |message: String| LexError {
            at,
            kind: ErrorKind::Lexical(message),
        };
        match token {
            Ok(Token::BadNumber) => Err(bad(format!(
                "`{text}` is no number: constants are written `5bv32`, `0x1f_bv8` or `0b101_bv3`"
            ))),
            Ok(Token::BadOperator) => Err(bad(bad_operator(text))),
            Ok(Token::BadString) => Err(bad("the string does not end on this line".into())),
            Ok(Token::BadComment) => Err(bad("the comment does not end".into())),
            Ok(token) => Ok((at, token, span.end as u32)),
            Err(()) => Err(bad(format!("the character {text:?} begins no token"))),
        }
    });
    std::iter::once(Ok((0, mark, 0))).chain(rest)
}

fn bad_operator(text: &str) -> String {
    let stem = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let signs = if stem == "%" {
        "`%u`, `%s` or `%m`".to_string()
    } else {
        format!("`{stem}u` (unsigned) or `{stem}s` (signed)")
    };
    format!("`{text}` is no operator: write {signs}, then a space")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::syntax::is_name;

    /// The text of a keyword that may also serve as a name.
    fn contextual(token: Token<'_>) -> Option<&'static str> {
        Some(match token {
            Token::At => "at",
            Token::Auxiliary => "auxiliary",
            Token::Base => "base",
            Token::Call => "call",
            Token::Entry => "entry",
            Token::Error => "error",
            Token::Exit => "exit",
            Token::File => "file",
            Token::From => "from",
            Token::In => "in",
            Token::Incomplete => "incomplete",
            Token::Input => "input",
            Token::Ivl => "ivl",
            Token::Main => "main",
            Token::Memory => "memory",
            Token::Region => "region",
            Token::Returns => "returns",
            Token::Size => "size",
            _ => return None,
        })
    }

    /// Printing knows names without the lexer, and the lexer says the same.
    #[test]
    fn names_are_what_the_lexer_says() {
        let by_lexer = |name: &str| {
            let mut lexer = Token::lexer(name);
            match lexer.next() {
                Some(Ok(Token::Name(text))) => text.len() == name.len(),
                Some(Ok(token)) => lexer.span().len() == name.len() && contextual(token).is_some(),
                _ => false,
            }
        };
        let words = include_str!("lex.rs").split('"').step_by(2);
        let keywords = include_str!("lex.rs").split('"').skip(1).step_by(2);
        let more = [
            "",
            "x",
            "_",
            "a::b",
            "a:b",
            ":a",
            "::a",
            "a::",
            "a:::b",
            "a::::b",
            "a.b$c@d#e'",
            "é",
            "xé",
            "1a",
            "bv",
            "bv8",
            "bv8x",
            "bv_8",
            "x y",
            "$s",
            "let_",
            "Let",
        ];
        let mut names = 0;
        for name in words.chain(keywords).chain(more) {
            for name in name.split_whitespace().chain([name]) {
                assert_eq!(is_name(name), by_lexer(name), "{name:?}");
                names += usize::from(is_name(name));
            }
        }
        assert!(names > 50, "{names}");
    }
}
