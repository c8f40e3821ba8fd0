//! The entities of the language: every object is a `u32` newtype into a table.
//!
//! References would tie passes up in borrows and double the memory; plain indices would mix up.
//! A newtype is `Copy`, four bytes, and the compiler tells a location from an edge. The printed
//! name of an entity is its number, and parsing it back yields the same number.
//!
//! Terms are values rather than entities: two equal terms are one number, and the number itself
//! carries no meaning. The text form therefore never shows it.

/// Declares entities: `entities! { /// A place. Place "place"; }`.
#[macro_export]
macro_rules! entities {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        $crate::cranelift_entity::entity_impl!($name, $prefix);
    )*};
}

entities! {
    /// A hash-consed term in a [`TermPool`](crate::TermPool).
    Term "t";
    /// A program variable or an auxiliary symbol; its type and name live in the pool.
    Var "v";
    /// A command in a [`CmdPool`](crate::CmdPool).
    Cmd "c";
    /// A place in the program where a nondeterministic value enters; see [`InputData`](crate::InputData).
    Input "i";
    /// A procedure.
    Proc "p";
    /// A control location.
    Loc "l";
    /// A control-flow edge.
    Edge "e";
    /// A region of memory: an object whose address may flow; see [`RegionData`](crate::RegionData).
    Region "r";
    /// A source file.
    File "f";
}
