//! The shapes of preprocessed C, by logos, over bytes: C source need not be UTF-8.

use logos::{Lexer, Logos};

fn block_comment(lex: &mut Lexer<'_, Raw>) -> Result<logos::Skip, ()> {
    let rest = lex.remainder();
    match rest.windows(2).position(|w| w == b"*/") {
        Some(at) => {
            lex.bump(at + 2);
            Ok(logos::Skip)
        }
        None => {
            lex.bump(rest.len());
            Err(())
        }
    }
}

/// One lexical shape.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(utf8 = false)]
#[logos(skip(r"[ \t\r\n\x0b\x0c]+"))]
#[logos(skip(r"\\\r?\n"))]
#[logos(skip(r"(?-u)//[^\n]*", allow_greedy = true))]
#[allow(missing_docs)] // the names are the punctuators' usual ones
pub enum Raw {
    #[token("/*", block_comment)]
    Comment,
    #[regex(r"(?-u)#([^\n\\]|\\[^\n]|\\\n)*", allow_greedy = true)]
    Directive,
    #[regex(r"(?-u)[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*")]
    Ident,
    #[regex(r"\.?[0-9]([eEpP][+-]|[0-9A-Za-z_.])*")]
    Number,
    #[regex(r#"(?-u)(L|u8|u|U)?"([^"\\\n]|\\[^\n]|\\\n)*""#)]
    Str,
    #[regex(r"(?-u)(L|u|U)?'([^'\\\n]|\\[^\n])+'")]
    Char,
    #[token("[")]
    #[token("<:")]
    LBracket,
    #[token("]")]
    #[token(":>")]
    RBracket,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("{")]
    #[token("<%")]
    LBrace,
    #[token("}")]
    #[token("%>")]
    RBrace,
    #[token(".")]
    Dot,
    #[token("->")]
    Arrow,
    #[token("++")]
    Inc,
    #[token("--")]
    Dec,
    #[token("&")]
    Amp,
    #[token("*")]
    Star,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("<")]
    Lt,
    #[token(">")]
    Gt,
    #[token("<=")]
    Le,
    #[token(">=")]
    Ge,
    #[token("==")]
    EqEq,
    #[token("==>")]
    Implies,
    #[token("!=")]
    Ne,
    #[token("^")]
    Caret,
    #[token("|")]
    Bar,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token(";")]
    Semi,
    #[token("...")]
    Ellipsis,
    #[token("=")]
    Eq,
    #[token("*=")]
    StarEq,
    #[token("/=")]
    SlashEq,
    #[token("%=")]
    PercentEq,
    #[token("+=")]
    PlusEq,
    #[token("-=")]
    MinusEq,
    #[token("<<=")]
    ShlEq,
    #[token(">>=")]
    ShrEq,
    #[token("&=")]
    AmpEq,
    #[token("^=")]
    CaretEq,
    #[token("|=")]
    BarEq,
    #[token(",")]
    Comma,
}

impl Raw {
    /// The usual spelling of a punctuator.
    pub fn text(self) -> &'static str {
        match self {
            Raw::LBracket => "[",
            Raw::RBracket => "]",
            Raw::LParen => "(",
            Raw::RParen => ")",
            Raw::LBrace => "{",
            Raw::RBrace => "}",
            Raw::Dot => ".",
            Raw::Arrow => "->",
            Raw::Inc => "++",
            Raw::Dec => "--",
            Raw::Amp => "&",
            Raw::Star => "*",
            Raw::Plus => "+",
            Raw::Minus => "-",
            Raw::Tilde => "~",
            Raw::Bang => "!",
            Raw::Slash => "/",
            Raw::Percent => "%",
            Raw::Shl => "<<",
            Raw::Shr => ">>",
            Raw::Lt => "<",
            Raw::Gt => ">",
            Raw::Le => "<=",
            Raw::Ge => ">=",
            Raw::EqEq => "==",
            Raw::Implies => "==>",
            Raw::Ne => "!=",
            Raw::Caret => "^",
            Raw::Bar => "|",
            Raw::AndAnd => "&&",
            Raw::OrOr => "||",
            Raw::Question => "?",
            Raw::Colon => ":",
            Raw::Semi => ";",
            Raw::Ellipsis => "...",
            Raw::Eq => "=",
            Raw::StarEq => "*=",
            Raw::SlashEq => "/=",
            Raw::PercentEq => "%=",
            Raw::PlusEq => "+=",
            Raw::MinusEq => "-=",
            Raw::ShlEq => "<<=",
            Raw::ShrEq => ">>=",
            Raw::AmpEq => "&=",
            Raw::CaretEq => "^=",
            Raw::BarEq => "|=",
            Raw::Comma => ",",
            Raw::Comment | Raw::Directive | Raw::Ident | Raw::Number | Raw::Str | Raw::Char => "",
        }
    }
}
