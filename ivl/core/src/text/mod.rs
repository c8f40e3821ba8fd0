//! The text form of programs: one syntax for people and machines.
//!
//! Printing then parsing keeps every entity number (variables, inputs, regions, procedures,
//! locations, edges, files), and terms come back node by node: the parser interns what is
//! written and never simplifies. Printing what was parsed yields the same text, byte for byte.
//! The reference with examples is the chapter on the IVL in the manual. Reading is the feature `parse`, which is on by default:
//! an engine gets its program in another form, and need not build a parser.
//!
//! Open first: `grammar.lalrpop` for the syntax. A text goes through `lex` (logos) and the
//! grammar into the flat tables of `ast`, filled by `record`; a `reader` makes the program of
//! them: `declare` gives numbers to all that is declared, `elaborate` and `functions` make terms
//! and commands. The way back is `print_program`, `print_cmd` and `print`, with `share` deciding
//! which subterms get a `let`. `syntax` and `names` hold what both ways have to agree on. Nothing recurses over terms or over the text.

#[cfg(feature = "parse")]
mod ast;
mod constant;
#[cfg(feature = "parse")]
mod declare;
#[cfg(feature = "parse")]
mod elaborate;
#[cfg(feature = "parse")]
mod error;
#[cfg(feature = "parse")]
mod functions;
#[cfg(feature = "parse")]
mod lex;
mod names;
mod print;
mod print_cmd;
mod print_program;
#[cfg(feature = "parse")]
mod read;
#[cfg(feature = "parse")]
mod reader;
#[cfg(feature = "parse")]
mod record;
mod share;
mod syntax;

/// Made of `grammar.lalrpop` by the tests of `ivl/grammar`, and kept, so that who only builds needs no generator.
#[cfg(feature = "parse")]
#[allow(clippy::all, missing_docs, unused_imports)]
mod grammar {
    include!("../../generated/grammar.rs");
}

#[cfg(feature = "parse")]
pub use error::{ErrorKind, ParseError, ParseErrors};
pub use print::TermPrinter;
pub use print_program::print;
#[cfg(feature = "parse")]
pub use read::{parse, parse_term};

use crate::entity::Term;
use crate::pool::TermPool;
use crate::program::Program;
use std::fmt;

/// How deep commands may nest.
pub const MAX_NESTING: u32 = 1000;

/// Version of the text form, as in the line `ivl 1;`.
pub const VERSION: u32 = 1;

/// The text of a term, with the definitions it needs; [`TermPrinter`] prints many at less cost.
pub fn print_term(pool: &TermPool, t: Term) -> String {
    TermPrinter::new(pool).print(t)
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}
