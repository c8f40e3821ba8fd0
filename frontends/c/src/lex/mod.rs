//! From bytes to tokens.
//!
//! [`raw`] recognises the shapes (logos), [`literal`] decodes constants, [`stream`] puts them
//! together: line markers and pragmas go to the source map, adjacent strings are joined, and
//! `__attribute__((...))` and `asm(...)` become single tokens so that the grammar need not know
//! their insides.

pub mod literal;
pub mod raw;
pub mod stream;
pub mod token;

pub use stream::{TokenBuffer, tokenize};
pub use token::{Interner, Symbol, Tok, Token};
