//! Reads of memory that nothing has set: the property `uninit` for what has an address.
//!
//! The program begins by choosing any one byte of the address space, and one bit says whether that byte is set. What holds for
//! any byte holds for all of them, so that a proof needs no statement about all bytes of memory, and a run that reads an
//! unset byte is one in which that byte was chosen.
//!
//! Dynamic slots are unset from the start, and never used again: what `malloc`, `alloca`, `realloc` and locals with fresh addresses
//! give is unset until it is stored to. A local with a fixed address is unset at its declaration. Every store sets what it
//! covers; so do copies of blocks and of structs, whatever they copy, and functions without a body. A scalar that is loaded
//! must be set; a character that is loaded to be stored elsewhere, and nothing else, is copied and not used.

use super::Lowerer;
use super::escape::Facts;
use super::fault::Fault;
use super::init::collect;
use super::object::Shape;
use super::place::{Access, Index};
use super::pointsto::Node;
use crate::hir::{self, ExprKind as H};
use crate::types::Ty;
use trellis_ivl::{Program, Span, Term, Type, Var};

/// The byte that is watched.
#[derive(Clone, Copy)]
pub struct Watch {
    byte: Var,
    is_set: Var,
    /// Accesses are checked, though not those of an initialiser.
    checked: bool,
}

impl Watch {
    /// Watches, where something in memory may be unset.
    pub fn new(p: &mut Program, facts: &Facts, ptr: u32, checked: bool) -> Option<Watch> {
        facts.memory_maybe_unset.then(|| Watch {
            byte: p.add_global("watched_byte", Type::Bv(ptr), Span::NONE),
            is_set: p.add_global("watched_byte.is_set", Type::Bool, Span::NONE),
            checked,
        })
    }
}

impl Lowerer<'_> {
    /// Any byte is chosen; in dynamic slots, which are the upper half of the address space, nothing is set.
    pub(super) fn start_watch(&mut self) {
        let Some(watch) = self.watch else { return };
        self.havoc(watch.byte, "a byte that is watched");
        let byte = self.p.pool.var(watch.byte);
        let zero = self.ptr_const(0);
        let is_fixed = self.p.pool.bvsle(zero, byte);
        self.assign(watch.is_set, is_fixed);
    }

    /// Whether the watched byte is among so many.
    fn is_watched(&mut self, watch: Watch, addr: Term, size: Term) -> Term {
        let byte = self.p.pool.var(watch.byte);
        let distance = self.p.pool.bvsub(byte, addr);
        self.p.pool.bvult(distance, size)
    }

    /// Bytes are set, or not any more.
    fn note_bytes(&mut self, addr: Term, size: Term, set: bool) {
        let Some(watch) = self.watch.filter(|_| self.live()) else {
            return;
        };
        let here = self.is_watched(watch, addr, size);
        let old = self.p.pool.var(watch.is_set);
        let new = if set {
            self.p.pool.or(old, here)
        } else {
            let elsewhere = self.p.pool.not(here);
            self.p.pool.and(old, elsewhere)
        };
        self.assign(watch.is_set, new);
    }

    /// A block holds something, whatever it is.
    pub(super) fn mark_block_set(&mut self, addr: Term, size: Term) {
        self.note_bytes(addr, size, true);
    }

    /// A store to memory of a class sets what it covers.
    pub(super) fn mark_stored(&mut self, class: Node, addr: Term, bytes: u64) {
        if self.watches(class) {
            let size = self.ptr_const(bytes);
            self.note_bytes(addr, size, true);
        }
    }

    /// The same for variables that are arrays by address.
    pub(super) fn mark_shape_stored(
        &mut self,
        shape: &Shape,
        index: Index,
        access: Option<Access>,
        ty: Ty,
    ) {
        let Index::Address(start) = index else { return };
        if self.is_watched_shape(shape) {
            let (addr, bytes) = self.covered(start, access, ty);
            let size = self.ptr_const(bytes);
            self.note_bytes(addr, size, true);
        }
    }

    fn covered(&self, start: Term, access: Option<Access>, ty: Ty) -> (Term, u64) {
        let size = self.hir.types.size_of(ty).unwrap_or(0);
        match access {
            Some(a) => (a.addr, a.bytes.unwrap_or(size)),
            None => (start, size),
        }
    }

    /// Nothing has set a local with a fixed address that is in memory.
    pub(super) fn mark_local_unset(&mut self, var: hir::Var, base: Var) {
        let size = self.hir.types.size_of(self.hir.vars[var].ty.ty);
        let class = self.classes.of_var(var);
        if self.watches(class) {
            let (addr, size) = (self.p.pool.var(base), self.ptr_const(size.unwrap_or(0)));
            self.note_bytes(addr, size, false);
        }
    }

    /// A function that nobody knows may have set the byte.
    pub(super) fn mark_watched_set(&mut self) {
        if let Some(watch) = self.watch {
            let tru = self.p.pool.tru();
            self.assign(watch.is_set, tru);
        }
    }

    /// A scalar in memory is read.
    pub(super) fn check_stored(&mut self, class: Node, addr: Term, bytes: u64, ty: Ty) {
        if self.props.uninit && self.hir.types.is_scalar(ty) && self.watches(class) {
            self.check_bytes_set(addr, bytes);
        }
    }

    /// A byte of a string or a block is looked at.
    pub(super) fn check_byte_stored(&mut self, class: Node, addr: Term) {
        if self.props.uninit && self.watches(class) {
            self.check_bytes_set(addr, 1);
        }
    }

    /// A scalar in an array by address is read.
    pub(super) fn check_leaf_stored(
        &mut self,
        leaf: Var,
        index: Index,
        access: Option<Access>,
        ty: Ty,
    ) {
        if let (Index::Address(start), true) = (index, self.props.uninit)
            && self.watched_leaves.contains(&leaf)
        {
            let (addr, bytes) = self.covered(start, access, ty);
            self.check_bytes_set(addr, bytes);
        }
    }

    fn check_bytes_set(&mut self, addr: Term, bytes: u64) {
        let Some(watch) = self.watch else { return };
        let size = self.ptr_const(bytes);
        let here = self.is_watched(watch, addr, size);
        let elsewhere = self.p.pool.not(here);
        let is_set = self.p.pool.var(watch.is_set);
        let ok = self.p.pool.or(elsewhere, is_set);
        self.about(Fault::Unset {
            variable: None,
            address: Some(addr),
        });
        self.check(ok, "uninit");
    }

    /// Whether objects of a class may be unset. What is foreign has been set by somebody, unless accesses are checked: then it
    /// is the program's own.
    fn watches(&self, class: Node) -> bool {
        let facts = self.classes.facts(class);
        let watched = |watch: Watch| facts.unset && (!facts.foreign || watch.checked);
        self.watch.is_some_and(watched)
    }

    /// Notes the variables of a class whose objects are arrays by address.
    pub(super) fn watch_shape(&mut self, class: Node, shape: &Shape) {
        if self.watches(class) {
            let mut leaves = Vec::new();
            collect(shape, &mut leaves);
            self.watched_leaves.extend(leaves);
        }
    }

    fn is_watched_shape(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Leaf(leaf) => self.watched_leaves.contains(leaf),
            Shape::Record(shapes) => shapes.iter().any(|s| self.is_watched_shape(s)),
            Shape::Array(inner, _) => self.is_watched_shape(inner),
        }
    }

    /// The value of what is assigned or initialises something: a character is only copied.
    pub(super) fn copied_value(&mut self, e: hir::Expr) -> Term {
        let hir = self.hir;
        let mut from = e;
        while let H::Cast(inner) = hir.exprs[from].kind {
            from = inner;
        }
        let is_copied =
            matches!(hir.exprs[from].kind, H::Load(_)) && self.is_character(hir.ty(from));
        let outer = std::mem::replace(&mut self.copied, is_copied.then_some(from));
        let value = self.value(e);
        self.copied = outer;
        value
    }
}
