//! The token feed: after each name comes `TYPE` or `VARIABLE`, decided when the parser asks.
//!
//! The parser asks for the token after a name only once it has shifted the name, and it shifts the
//! name only after all reductions before it. So the scope table is up to date (Jourdan and Pottier).

use super::state::State;
use crate::lex::{Symbol, Tok, Token};

/// Iterator for the generated parser.
pub struct Feed<'s, 't> {
    state: &'s State,
    tokens: std::slice::Iter<'t, Token>,
    pending: Option<Symbol>,
    last: u32,
}

impl<'s, 't> Feed<'s, 't> {
    /// Feeds `tokens`, which begin at position `start`.
    pub fn new(state: &'s State, tokens: &'t [Token], start: u32) -> Self {
        Feed {
            state,
            tokens: tokens.iter(),
            pending: None,
            last: start,
        }
    }
}

impl Iterator for Feed<'_, '_> {
    type Item = Result<(u32, Tok, u32), ()>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(name) = self.pending.take() {
            let tok = if self.state.is_typedef(name) {
                Tok::Type
            } else {
                Tok::Variable
            };
            return Some(Ok((self.last, tok, self.last)));
        }
        let token = self.tokens.next()?;
        self.last = token.span.hi;
        if let Tok::Name(name) = token.tok {
            self.pending = Some(name);
        }
        Some(Ok((token.span.lo, token.tok, token.span.hi)))
    }
}
