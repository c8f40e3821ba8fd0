//! The entities of the language: every object is a `u32` newtype into a table.
//!
//! References would tie passes up in borrows and double the memory; plain indices would mix up.
//! A newtype is `Copy`, four bytes, and the compiler tells a location from an edge. The printed
//! name of an entity is its number, and parsing it back yields the same number.
//!
//! Terms are values rather than entities: two equal terms are one number, and the number itself
//! carries no meaning. The text form therefore never shows it.

use cranelift_entity::entity_impl;

/// A hash-consed term in a [`TermPool`](crate::TermPool).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);
entity_impl!(Term, "t");

/// A program variable or an auxiliary symbol; its type and name live in the pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(u32);
entity_impl!(Var, "v");

/// A command in a [`CmdPool`](crate::CmdPool).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cmd(u32);
entity_impl!(Cmd, "c");

/// A place in the program where a nondeterministic value enters; see [`InputData`](crate::InputData).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Input(u32);
entity_impl!(Input, "i");

/// A procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Proc(u32);
entity_impl!(Proc, "p");

/// A control location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc(u32);
entity_impl!(Loc, "l");

/// A control-flow edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge(u32);
entity_impl!(Edge, "e");

/// A region of memory: an object whose address may flow; see [`RegionData`](crate::RegionData).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region(u32);
entity_impl!(Region, "r");

/// A source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct File(u32);
entity_impl!(File, "f");
