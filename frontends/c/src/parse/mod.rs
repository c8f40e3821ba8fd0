//! From tokens to the syntax tree.
//!
//! `grammar.lalrpop` is the grammar; `feed` decides which names are types while the parser runs, with
//! the scopes that the actions keep (`scope`, `state`); `recover` resumes after syntax errors.

mod asm;
mod attr;
mod declarator;
mod feed;
mod precedence;
mod quantifier;
mod recover;
mod scope;
mod specs;
mod state;

#[allow(clippy::all, missing_docs, unused_imports, dead_code, unused_parens)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/parse/grammar.rs"));
}

pub use quantifier::{UNBOUNDED_EXISTS, UNBOUNDED_FORALL};
pub(crate) use specs::empty_specs;
pub use state::BUILTIN_TYPES;

use crate::ast::Ast;
use crate::diag::Diagnostics;
use crate::lex::Token;
use crate::lex::token::AsideId;
use crate::lex::{Interner, TokenBuffer};
use cranelift_entity::PrimaryMap;
use state::State;

/// A parsed translation unit.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub ast: Ast,
    /// The insides of asm.
    pub asides: PrimaryMap<AsideId, Vec<Token>>,
}

/// Parses one translation unit, reporting as many independent syntax errors as there are.
pub fn parse(mut tokens: TokenBuffer, interner: &mut Interner, diags: &mut Diagnostics) -> Parsed {
    let state = State::new(&mut tokens, std::mem::take(interner), std::mem::take(diags));
    recover::unit(&state, &tokens);
    *interner = state.interner.into_inner();
    *diags = state.diags.into_inner();
    Parsed {
        ast: state.ast.into_inner(),
        asides: state.asides,
    }
}
