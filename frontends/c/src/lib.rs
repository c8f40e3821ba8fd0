//! The C front end: C11 with GNU extensions, from files to an IVL program.
//!
//! The way of the data: [`preprocess`] (the system's preprocessor, only where a file has directives),
//! [`lex`] (logos), [`parse`] (lalrpop, typedef names resolved while parsing), [`ast`] (flat arenas),
//! [`sema`] over [`types`] (names, types, layout as gcc has it, constants, initialisers, linking),
//! [`hir`] (the typed program, with [`library`]'s models in C), [`lower`] (the IVL). [`program`] puts them together;
//! [`acsl`] reads contracts; [`diag`] reports many errors at once in the words of gcc; [`assumptions`] is what the lowering takes for granted;
//! [`source`] keeps every position in the user's own file, [`columns`] also
//! where a macro was expanded.
//!
//! Open first: [`program::compile_files`], then [`lower`], whose documentation is the memory model.
//!
//! Deliberately absent: a preprocessor of our own, C++ and K&R-only dialects, optimisation (that is
//! the business of IVL passes), threads, complex numbers. What a program does that this
//! front end cannot model becomes an incomplete location of the IVL program with its reason.
//!
//! ```
//! use trellis_frontend_c::program::{Options, compile_texts};
//!
//! let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
//!             int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }";
//! let compiled = compile_texts(vec![("a.c".into(), text.into())], &Options::default()).unwrap();
//! assert_eq!(compiled.lowered.program.errors().count(), 1);
//! ```

pub mod acsl;
pub mod assumptions;
pub mod ast;
pub mod columns;
pub mod compiler;
pub mod diag;
pub mod hir;
pub mod lex;
pub mod library;
pub mod lower;
pub mod parse;
pub mod preprocess;
pub mod program;
pub mod sema;
pub mod source;
pub mod survey;
pub mod types;
