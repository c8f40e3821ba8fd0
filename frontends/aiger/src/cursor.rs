//! A cursor over the bytes of a file that knows its line and makes errors with their place.

use crate::error::{Error, Place};

pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    pos: usize,
    line: usize,
    /// Whether places are lines (text) or byte offsets (binary).
    by_line: bool,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], by_line: bool) -> Cursor<'a> {
        Cursor {
            bytes,
            pos: 0,
            line: 1,
            by_line,
        }
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.pos
    }

    pub fn line(&self) -> usize {
        self.line
    }

    pub fn place(&self) -> Place {
        if self.by_line {
            Place::Line(self.line)
        } else {
            Place::Byte(self.pos)
        }
    }

    pub fn error(&self, problem: impl Into<String>) -> Error {
        Error::Malformed {
            place: self.place(),
            problem: problem.into(),
        }
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.pos += 1;
        self.line += usize::from(byte == b'\n');
        Some(byte)
    }

    /// What comes next, for a message.
    pub fn found(&self) -> String {
        match self.peek() {
            None => "the end of the file".into(),
            Some(b'\n') => "the end of the line".into(),
            Some(b' ') => "a space".into(),
            Some(byte) if byte.is_ascii_graphic() => format!("'{}'", byte as char),
            Some(byte) => format!("byte 0x{byte:02x}"),
        }
    }

    pub fn expect(&mut self, byte: u8, what: &str) -> Result<(), Error> {
        if self.peek() != Some(byte) {
            return Err(self.error(format!("expected {what}, found {}", self.found())));
        }
        self.next();
        Ok(())
    }

    pub fn space(&mut self) -> Result<(), Error> {
        self.expect(b' ', "a space")
    }

    pub fn newline(&mut self) -> Result<(), Error> {
        self.expect(b'\n', "the end of the line")
    }

    /// A decimal number, named for the message.
    pub fn number(&mut self, what: &str) -> Result<u32, Error> {
        let mut value: Option<u32> = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let digit = u32::from(digit - b'0');
            value = Some(
                (value.unwrap_or(0).checked_mul(10))
                    .and_then(|v| v.checked_add(digit))
                    .ok_or_else(|| self.error(format!("{what} does not fit in 32 bits")))?,
            );
            self.pos += 1;
        }
        value.ok_or_else(|| self.error(format!("expected {what}, found {}", self.found())))
    }

    /// The rest of the line without its newline, which is consumed (the last may lack it).
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.pos..];
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.pos += end;
        self.next();
        &rest[..end]
    }

    /// Everything left.
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.pos..];
        self.pos = self.bytes.len();
        rest
    }
}
