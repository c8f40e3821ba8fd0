//! The text form of programs: one syntax for people and machines.
//!
//! Printing then parsing keeps every entity number (variables, inputs, regions, procedures,
//! locations, edges, files), and terms come back node by node: the parser interns what is
//! written and never simplifies. Printing what was parsed yields the same text, byte for byte.
//! The reference with examples is the chapter on the IVL in the manual.
//!
//! Open first: `grammar.lalrpop` for the syntax. A text goes through `lex` (logos) and the
//! grammar into the flat tables of `ast`, filled by `record`; a `reader` makes the program of
//! them: `declare` gives numbers to all that is declared, `elaborate` and `functions` make terms
//! and commands. The way back is `print_program`, `print_cmd` and `print`, with `share` deciding
//! which subterms get a `let`. `syntax` and `names` hold what both ways have to agree on. Nothing recurses over terms or over the text.

mod ast;
mod constant;
mod declare;
mod elaborate;
mod error;
mod functions;
mod lex;
mod names;
mod print;
mod print_cmd;
mod print_program;
mod reader;
mod record;
mod share;
mod syntax;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, missing_docs, unused_imports)]
    grammar,
    "/text/grammar.rs"
);

pub(crate) use error::lines;
pub use error::{ErrorKind, ParseError, ParseErrors};
pub use print::TermPrinter;
pub use print_program::print;
pub use record::MAX_NESTING;

use crate::entity::Term;
use crate::pool::{Scope, TermPool};
use crate::program::Program;
use ast::{Ast, ExprId};
use error::{Errors, from_lalrpop};
use lex::Token;
use names::VarNames;
use reader::Reader;
use std::fmt;

/// Version of the text form, as in the line `ivl 1;`.
pub const VERSION: u32 = 1;

/// Reads a program. Well-formedness beyond names and types is the verifier's business.
pub fn parse(source: &str) -> Result<Program, ParseErrors> {
    let (ast, errors, _) = read(Token::ProgramText, source)?;
    let mut reader = Reader::new(&ast, source, Program::new(), errors);
    reader.declare();
    reader.elaborate();
    if reader.errors.is_empty() {
        Ok(reader.program)
    } else {
        Err(reader.errors.finish(source))
    }
}

/// Reads a term over the variables of `program`, as [`print_term`] writes it.
pub fn parse_term(program: &mut Program, source: &str) -> Result<Term, ParseErrors> {
    let (ast, errors, root) = read(Token::TermText, source)?;
    let root = root.expect("the text of a term ends in an expression");
    let vars = program.pool.vars().iter();
    let owned: Vec<(_, Scope, String)> = vars.map(|(v, d)| (v, d.scope, d.name.clone())).collect();
    let mut reader = Reader::new(&ast, source, std::mem::take(program), errors);
    reader.names = VarNames::new(owned.iter().map(|(v, s, n)| (*v, *s, n.as_str())));
    reader.elaborate();
    let term = reader.term(root, None);
    *program = reader.program;
    match term {
        Some(t) if reader.errors.is_empty() => Ok(t),
        _ => Err(reader.errors.finish(source)),
    }
}

/// What the grammar makes of a text, with the errors that do not keep it from going on.
fn read<'s>(
    mark: Token<'s>,
    source: &'s str,
) -> Result<(Ast<'s>, Errors, Option<ExprId>), ParseErrors> {
    let mut ast = Ast::default();
    let mut errors = Errors::default();
    if source.len() >= u32::MAX as usize {
        errors.push(0, ErrorKind::Range("the text is larger than 4 GiB".into()));
        return Err(errors.finish(""));
    }
    let parsed = grammar::TextParser::new().parse(&mut ast, lex::tokens(mark, source));
    errors.append(&mut ast.errors);
    match parsed {
        Ok(root) => Ok((ast, errors, root)),
        Err(e) => {
            let (at, kind) = from_lalrpop(e, source);
            errors.push(at, kind);
            Err(errors.finish(source))
        }
    }
}

/// The text of a term, with the definitions it needs; [`TermPrinter`] prints many at less cost.
pub fn print_term(pool: &TermPool, t: Term) -> String {
    TermPrinter::new(pool).print(t)
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}
