//! What is known of a class of objects, and how the knowledge of two classes becomes one.

use crate::hir;
use crate::types::Ty;

/// By which type the objects of a class are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Root {
    /// Not at all.
    #[default]
    None,
    /// As scalars of this size in bytes, all pointers or none.
    Scalar {
        /// Size in bytes.
        size: u64,
        /// Whether pointers.
        pointer: bool,
    },
    /// As members of this struct.
    Record(Ty),
    /// By several.
    Mixed,
}

/// What is known of a class.
#[derive(Clone, Debug, Default)]
pub struct ClassFacts {
    /// The type of all accesses.
    pub root: Root,
    /// Width in bytes of all scalar accesses; 1 where they differ.
    pub cell: u64,
    /// Greatest common divisor of all distances between accessed addresses; 0 when there are none.
    pub step: u64,
    /// The same for distances between whole elements: steps to members aside.
    pub stride: u64,
    /// Whether pointers to members are made.
    pub inner: bool,
    /// Whether there is pointer arithmetic or indexing.
    pub arithmetic: bool,
    /// Whether pointers were made from integers: any alignment is possible.
    pub dirty: bool,
    /// Whether objects that the program does not name belong to it: pointers lead there that come from
    /// outside, or that nothing has set.
    pub foreign: bool,
    /// Whether objects belong to it of which nothing is known: the command line.
    pub outside: bool,
    /// Whether pointers into it are compared with each other.
    pub compared: bool,
    /// Number of objects.
    pub objects: u32,
    /// The last object, when it is a variable.
    pub var: Option<hir::Var>,
    /// Whether some object is dynamic: on the heap, or a local with fresh addresses.
    pub dynamic: bool,
    /// Whether some object is on the heap.
    pub heap: bool,
    /// Whether some object holds nothing that anybody has set when its life begins.
    pub unset: bool,
    /// Whether accessed with pointer types, and with others.
    pub(super) kinds: [bool; 2],
}

pub(super) fn join(a: &mut ClassFacts, b: &ClassFacts) {
    a.root = join_roots(a.root, b.root);
    a.cell = join_cells(a.cell, b.cell);
    a.step = gcd(a.step, b.step);
    a.stride = gcd(a.stride, b.stride);
    a.inner |= b.inner;
    a.arithmetic |= b.arithmetic;
    a.dirty |= b.dirty;
    a.foreign |= b.foreign;
    a.outside |= b.outside;
    a.compared |= b.compared;
    a.objects += b.objects;
    a.var = a.var.or(b.var);
    a.dynamic |= b.dynamic;
    a.heap |= b.heap;
    a.unset |= b.unset;
    a.kinds[0] |= b.kinds[0];
    a.kinds[1] |= b.kinds[1];
}

pub(super) fn join_roots(a: Root, b: Root) -> Root {
    match (a, b) {
        (Root::None, x) | (x, Root::None) => x,
        (a, b) if a == b => a,
        _ => Root::Mixed,
    }
}

pub(super) fn join_cells(a: u64, b: u64) -> u64 {
    match (a, b) {
        (0, x) | (x, 0) => x,
        (a, b) if a == b => a,
        _ => 1,
    }
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
