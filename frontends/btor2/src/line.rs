//! Lines and tokens, with their places.

use crate::error::{Error, Place};

/// A token and where it starts.
#[derive(Clone, Copy)]
pub(crate) struct Token<'a> {
    pub text: &'a [u8],
    pub place: Place,
}

impl Token<'_> {
    pub fn show(&self) -> String {
        String::from_utf8_lossy(self.text).into_owned()
    }

    pub fn error(&self, problem: impl Into<String>) -> Error {
        Error::Malformed {
            place: self.place,
            problem: problem.into(),
        }
    }

    pub fn number(&self) -> Option<u64> {
        let digits = self.text;
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        std::str::from_utf8(digits).ok()?.parse().ok()
    }
}

/// What is left of a line.
pub(crate) struct Line<'a> {
    text: &'a [u8],
    number: usize,
    pos: usize,
}

impl<'a> Line<'a> {
    pub fn new(text: &'a [u8], number: usize) -> Self {
        Line {
            text,
            number,
            pos: 0,
        }
    }

    /// The next token; none at the end of the line or at a comment.
    pub fn token(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.pos..];
        let start = rest.iter().position(|b| !b.is_ascii_whitespace())?;
        if rest[start] == b';' {
            self.pos = self.text.len();
            return None;
        }
        let rest = &rest[start..];
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let text = &rest[..end.unwrap_or(rest.len())];
        let place = Place {
            line: self.number,
            column: self.pos + start + 1,
        };
        self.pos += start + text.len();
        Some(Token { text, place })
    }

    pub fn expect(&mut self, what: &str) -> Result<Token<'a>, Error> {
        let column = self.pos + 1;
        self.token().ok_or_else(|| Error::Malformed {
            place: Place {
                line: self.number,
                column,
            },
            problem: format!("expected {what}, found the end of the line"),
        })
    }

    pub fn number(&mut self, what: &str) -> Result<u32, Error> {
        let token = self.expect(what)?;
        let number = token.number().and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| token.error(format!("expected {what}, found '{}'", token.show())))
    }

    /// The optional symbol at the end of a line.
    pub fn symbol(&mut self) -> Result<Option<String>, Error> {
        let symbol = self.token().map(|token| token.show());
        match self.token() {
            Some(extra) => Err(extra.error(format!(
                "'{}' follows what should be the end of the line",
                extra.show()
            ))),
            None => Ok(symbol),
        }
    }
}
