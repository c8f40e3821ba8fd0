//! The Trellis intermediate verification language (IVL).
//!
//! Bit-precise terms, guarded commands, and programs as control-flow automata: what front ends
//! produce, passes shrink, engines decide and the checker certifies.
//!
//! Open first: [`program`] for the shape of a program, [`cmd`] for commands, [`pool`] and
//! [`mod@build`] for terms.
//!
//! Deliberately absent: solvers, source languages, hardware formats, the file system.

pub mod build;
pub mod bv;
pub mod calls;
pub mod cmd;
pub mod compiled;
pub mod dot;
pub mod entity;
pub mod eval;
pub mod flatten;
pub mod graph;
pub mod interp;
pub mod justice;
pub mod modular;
pub mod nearest;
pub mod nesting;
pub mod one_loop;
pub mod op;
pub mod option;
pub mod plain;
pub mod pool;
pub mod predicate;
pub mod program;
pub mod rng;
pub mod script;
pub mod source;
pub mod termination;
pub mod text;
pub mod trace;
pub mod transfer;
pub mod ty;
pub mod value;
pub mod verify;
pub mod walk;

pub use bv::Bv;
pub use cmd::{CmdPool, CmdView};
pub use compiled::{Compiled, Processor};
pub use entity::{Cmd, Edge, File, Input, Loc, Proc, Region, Term, Var};
pub use eval::Evaluator;
pub use flatten::{FlattenMap, FlattenOptions, flatten, flatten_entering};
pub use interp::{Machine, Oracle, ReplayError, State, replay};
pub use modular::{Contract, ContractError, Contracts, Modules};
pub use op::Op;
pub use pool::{Scope, TermPool, VarData};
pub use program::{
    Action, Call, Control, EdgeData, InputData, LocData, LocKind, ProcData, Program, RegionData,
};
pub use script::Script;
pub use source::Span;
pub use trace::{Step, Trace};
pub use transfer::Transfer;
pub use ty::Type;
pub use value::{ArrayValue, Value};

pub use cranelift_entity;
