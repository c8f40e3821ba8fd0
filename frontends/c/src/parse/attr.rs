//! The insides of `__attribute__((...))` and of `[[...]]`.
//!
//! Attributes are parsed when the grammar reduces them, so that an expression argument sees the
//! typedef names of its place. Only arguments with a meaning here are kept.

use super::feed::Feed;
use super::grammar::LoneExpressionParser;
use super::state::State;
use crate::ast::{AttrArg, Attribute};
use crate::lex::raw::Raw;
use crate::lex::token::{AsideId, Tok, Token};

const LPAREN: Tok = Tok::Punct(Raw::LParen);
const RPAREN: Tok = Tok::Punct(Raw::RParen);
const COMMA: Tok = Tok::Punct(Raw::Comma);

/// Attributes whose first argument is an expression that matters.
const WITH_EXPR: &[&str] = &["aligned", "constructor", "destructor", "vector_size"];
/// Attributes whose first argument is a name that matters.
const WITH_NAME: &[&str] = &["mode", "cleanup"];

/// Attributes whose first argument is a string that matters.
const WITH_TEXT: &[&str] = &["alias", "weakref"];

const COLON: Tok = Tok::Punct(Raw::Colon);

impl State {
    /// The attributes of a run of `((...))`.
    pub(super) fn attributes(&self, id: AsideId) -> Vec<Attribute> {
        let tokens = &self.asides[id];
        let mut out = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            at = match tokens[at].tok {
                LPAREN | RPAREN | COMMA => at + 1,
                _ => self.attribute(tokens, at, &mut out),
            };
        }
        out
    }

    fn attribute(&self, tokens: &[Token], at: usize, out: &mut Vec<Attribute>) -> usize {
        let span = tokens[at].span;
        let Some(mut name) = self.attribute_name(tokens, at) else {
            self.error(span, "malformed attribute");
            return tokens.len();
        };
        let mut arg = AttrArg::None;
        let mut end = at + 1;
        if let [c, d, ..] = &tokens[end..]
            && (c.tok, d.tok) == (COLON, COLON)
            && let Some(inner) = self.attribute_name(tokens, end + 2)
        {
            // gcc's own prefix changes nothing.
            name = if name == "gnu" {
                inner
            } else {
                format!("{name}::{inner}")
            };
            end += 3;
        }
        if tokens.get(end).is_some_and(|t| t.tok == LPAREN) {
            let close = matching(tokens, end);
            let first = first_argument(&tokens[end + 1..close]);
            arg = self.argument(&name, first);
            end = close + 1;
        }
        out.push(Attribute { name, span, arg });
        end
    }

    fn attribute_name(&self, tokens: &[Token], at: usize) -> Option<String> {
        match tokens.get(at)?.tok {
            Tok::Name(sym) => {
                let interner = self.interner.borrow();
                Some(interner.text(sym).trim_matches('_').to_owned())
            }
            Tok::Kw(kw) => Some(format!("{kw:?}").to_ascii_lowercase()),
            _ => None,
        }
    }

    fn argument(&self, name: &str, tokens: &[Token]) -> AttrArg {
        match tokens {
            [
                Token {
                    tok: Tok::Name(sym),
                    ..
                },
            ] if WITH_NAME.contains(&name) => AttrArg::Name(*sym),
            [
                Token {
                    tok: Tok::Str(s), ..
                },
            ] if WITH_TEXT.contains(&name) => AttrArg::Text(self.text_of(*s)),
            [first, ..] if WITH_EXPR.contains(&name) => {
                match LoneExpressionParser::new()
                    .parse(self, Feed::new(self, tokens, first.span.lo))
                {
                    Ok(e) => AttrArg::Expr(e),
                    Err(_) => {
                        self.error(
                            first.span,
                            format!("malformed argument of attribute '{name}'"),
                        );
                        AttrArg::None
                    }
                }
            }
            _ => AttrArg::None,
        }
    }
}

/// Index of the parenthesis that closes the one at `open`; the tokens are known to balance.
fn matching(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.tok {
            LPAREN => depth += 1,
            RPAREN => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return i;
        }
    }
    tokens.len() - 1
}

fn first_argument(tokens: &[Token]) -> &[Token] {
    let mut depth = 0i32;
    let end = tokens.iter().position(|t| {
        match t.tok {
            LPAREN => depth += 1,
            RPAREN => depth -= 1,
            _ => {}
        }
        depth == 0 && t.tok == COMMA
    });
    &tokens[..end.unwrap_or(tokens.len())]
}
