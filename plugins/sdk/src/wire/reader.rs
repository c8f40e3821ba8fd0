//! Reading words with bounds.

use trellis_ivl::Type;

/// What is wrong with a word stream. (A bug of whoever wrote it.)
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// It ends too early.
    #[error("the stream ends within {0}")]
    Truncated(&'static str),
    /// It goes on after its end.
    #[error("{0} words follow after the end of the stream")]
    Trailing(usize),
    /// A number that names nothing.
    #[error("there is no {what} {number}")]
    NoSuch {
        /// What it should name.
        what: &'static str,
        /// The number.
        number: u32,
    },
    /// A type with a width that the language does not admit.
    #[error("{0} is not a valid type")]
    Type(Type),
    /// A term that is ill-typed.
    #[error("an ill-typed term: {0}")]
    IllTyped(String),
    /// Anything else.
    #[error("{0}")]
    Malformed(String),
}

/// Takes words from the front of a stream.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    words: &'a [u32],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads `words` from the beginning.
    pub fn new(words: &'a [u32]) -> Reader<'a> {
        Reader { words, at: 0 }
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self, what: &'static str) -> Result<u32, WireError> {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        word.ok_or(WireError::Truncated(what))
    }

    /// The next `n` words.
    pub fn take(&mut self, n: usize, what: &'static str) -> Result<&'a [u32], WireError> {
        let end = self.at.checked_add(n).filter(|&e| e <= self.words.len());
        let end = end.ok_or(WireError::Truncated(what))?;
        let taken = &self.words[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// A count of items that have at least one word each, so that a wrong count cannot make the
    /// reader allocate more than the stream holds.
    pub fn count(&mut self, what: &'static str) -> Result<usize, WireError> {
        let n = self.word(what)? as usize;
        if n > self.left() {
            return Err(WireError::Truncated(what));
        }
        Ok(n)
    }

    /// The number of an entity; the largest one is reserved.
    pub fn entity(&mut self, what: &'static str) -> Result<u32, WireError> {
        match self.word(what)? {
            u32::MAX => Err(WireError::NoSuch {
                what: "entity",
                number: u32::MAX,
            }),
            number => Ok(number),
        }
    }

    /// A type.
    pub fn ty(&mut self) -> Result<Type, WireError> {
        let (index, elem) = (self.word("a type")?, self.word("a type")?);
        let ty = match (index, elem) {
            (0, 0) => Type::Bool,
            (0, w) => Type::Bv(w),
            (index, elem) => Type::Array { index, elem },
        };
        if ty.is_valid() {
            Ok(ty)
        } else {
            Err(WireError::Type(ty))
        }
    }

    /// Number of words not yet read.
    pub fn left(&self) -> usize {
        self.words.len().saturating_sub(self.at)
    }

    /// Words read so far.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Fails unless everything was read.
    pub fn finish(self) -> Result<(), WireError> {
        match self.left() {
            0 => Ok(()),
            n => Err(WireError::Trailing(n)),
        }
    }
}

/// Appends a type.
pub fn write_ty(out: &mut Vec<u32>, ty: Type) {
    out.extend(match ty {
        Type::Bool => [0, 0],
        Type::Bv(w) => [0, w],
        Type::Array { index, elem } => [index, elem],
    });
}
