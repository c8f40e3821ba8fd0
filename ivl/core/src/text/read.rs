//! From text to programs and terms.

use super::ast::{Ast, ExprId};
use super::error::{ErrorKind, Errors, ParseErrors, from_lalrpop};
use super::grammar;
use super::lex::{self, Token};
use super::names::VarNames;
use super::reader::Reader;
use crate::entity::Term;
use crate::pool::Scope;
use crate::program::Program;

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

/// Reads a term over the variables of `program`, as [`print_term`](crate::text::print_term) writes it.
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
