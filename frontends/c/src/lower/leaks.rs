//! Leaks: heap objects that are alive when the program ends.
//!
//! Live objects are counted, and one of them is watched: before the program begins any slot is chosen, and one bit says whether a
//! heap object lives there. Some object is alive in the end if, and only if, the number is not zero, and if, and only if, the
//! watched one is alive for some choice. So both are asked for, and either suffices for a proof: that the number is zero where
//! objects are freed as soon as they are made, that the watched one is gone where they hang together in lists and trees, since no
//! sum over all objects has to be known for that.
//!
//! A heap object that a static pointer leads to is tracked, and so is one whose address a static integer holds: `uintptr_t` is there
//! to keep pointers in. That is asked only of programs that make integers of pointers, and only of objects that such an address may flow into. Where no static pointer leads to a live heap object, all that live are
//! lost; where some does, and the watched one is another, it may hang on those, and that is not decided.

use super::Lowerer;
use super::escape::{holds, holds_pointer};
use super::fault::Fault;
use super::memory::{HEAP, STATE_BITS};
use super::object::Object;
use super::place::Place;
use crate::assumptions::Assumption;
use crate::hir::{self, Step};
use crate::library::is_model;
use crate::types::{Length, Ty, TyKind};
use trellis_ivl::{Program, Span, Term, Type, Var};

/// Static pointers that are looked at when the program ends, at most.
const MAX_ROOTS: usize = 64;

/// What is known of live heap objects.
#[derive(Clone, Copy)]
pub struct Left {
    /// How many there are.
    count: Var,
    /// The slot of the watched one.
    watched: Var,
    /// Whether it has been made and not been freed.
    is_live: Var,
}

impl Left {
    /// With variables of the program.
    pub fn new(p: &mut Program, slots: u32, ptr: u32) -> Left {
        Left {
            count: p.add_global("heap_live", Type::Bv(ptr), Span::NONE),
            watched: p.add_global("watched_object", Type::Bv(slots), Span::NONE),
            is_live: p.add_global("watched_object.is_live", Type::Bool, Span::NONE),
        }
    }
}

impl Lowerer<'_> {
    /// Nothing is alive yet.
    pub(super) fn start_leaks(&mut self) {
        let Some(left) = self.mem.left else { return };
        let zero = self.ptr_const(0);
        self.assign(left.count, zero);
        if self.facts.allocates {
            // By its number in the order of allocation: small ones are chosen first by whoever executes.
            self.havoc(left.watched, "an object that is watched");
            let number = self.p.pool.var(left.watched);
            let start = self.p.pool.num(self.mem.slots(), self.mem.heap_start());
            let slot = self.p.pool.bvadd(number, start);
            self.assign(left.watched, slot);
        }
        let fls = self.p.pool.fls();
        self.assign(left.is_live, fls);
    }

    /// There is one heap object more.
    pub(super) fn note_made(&mut self, addr: Term) {
        let Some(left) = self.mem.left else { return };
        let one = self.ptr_const(1);
        let old = self.p.pool.var(left.count);
        let new = self.p.pool.bvadd(old, one);
        self.assign(left.count, new);
        let is_watched = self.is_watched_object(left, addr);
        let old = self.p.pool.var(left.is_live);
        let new = self.p.pool.or(old, is_watched);
        self.assign(left.is_live, new);
    }

    /// There is one less, unless the pointer is null.
    pub(super) fn note_freed(&mut self, addr: Term, null: Term) {
        let Some(left) = self.mem.left else { return };
        let one = self.ptr_const(1);
        let old = self.p.pool.var(left.count);
        let fewer = self.p.pool.bvsub(old, one);
        let new = self.p.pool.ite(null, old, fewer);
        self.assign(left.count, new);
        let is_watched = self.is_watched_object(left, addr);
        let other = self.p.pool.not(is_watched);
        let old = self.p.pool.var(left.is_live);
        let new = self.p.pool.and(old, other);
        self.assign(left.is_live, new);
    }

    fn is_watched_object(&mut self, left: Left, addr: Term) -> Term {
        let slot = self.slot_of(addr);
        let watched = self.p.pool.var(left.watched);
        self.p.pool.eq(slot, watched)
    }

    /// Whether no heap object is alive.
    fn nothing_is_left(&mut self, left: Left) -> Term {
        let (count, zero) = (self.p.pool.var(left.count), self.ptr_const(0));
        let none = self.p.pool.eq(count, zero);
        let is_live = self.p.pool.var(left.is_live);
        let gone = self.p.pool.not(is_live);
        self.p.pool.or(none, gone)
    }

    fn check_left(&mut self, left: Left, ok: Term, property: &str) {
        let live = self.p.pool.var(left.count);
        self.about(Fault::Leak { live });
        self.check(ok, property);
    }

    /// The program ends without return from main. What is not freed then is never freed; but what is
    /// still tracked cannot be told.
    pub(super) fn end_abruptly(&mut self) {
        if let (Some(left), true) = (self.mem.left, self.props.valid_memcleanup) {
            let none = self.nothing_is_left(left);
            self.check_left(left, none, "valid-memcleanup");
        }
        self.stop();
    }

    /// Leaks are judged when the program ends: by return from main, or by `exit`.
    pub(super) fn end_of_program(&mut self, returns: bool) {
        self.run_destructors(returns);
        let Some(left) = self.mem.left else { return };
        let none = self.nothing_is_left(left);
        if self.props.valid_memcleanup {
            self.check_left(left, none, "valid-memcleanup");
        }
        if !self.props.valid_memtrack {
            return;
        }
        let tracked = !returns
            && self.facts.allocates
            && self.take_for_granted(Assumption::HeapAtExitIsTracked, "exit");
        let mut known = none;
        if returns {
            let numbers = self.makes_numbers();
            let statics = self.static_pointers(numbers);
            if statics.is_empty() {
                return self.check_left(left, none, "valid-memtrack");
            }
            if let (Some(roots), Some(states)) = (self.roots(&statics, numbers), self.mem.state) {
                let heap = self.p.pool.num(STATE_BITS, HEAP);
                let (mut some, mut direct) = (vec![none], vec![none]);
                for root in roots {
                    let slot = self.slot_of(root);
                    let state = self.state_in(states, slot);
                    some.push(self.p.pool.eq(state, heap));
                    direct.push(self.is_watched_object(left, root));
                }
                let some = self.p.pool.or_all(some);
                self.check_left(left, some, "valid-memtrack");
                known = self.p.pool.or_all(direct);
            }
        }
        if !tracked {
            self.require(
                known,
                "heap objects that variables may still track at the end of the program",
            );
        }
    }

    /// Whether the program makes integers of pointers, by which it may keep them.
    fn makes_numbers(&self) -> bool {
        let hir = self.hir;
        let is_kept = |data: &hir::ExprData| match data.kind {
            hir::ExprKind::Cast(from) => {
                hir.types.is_pointer(hir.exprs[from].ty.ty) && self.holds_number(data.ty.ty)
            }
            _ => false,
        };
        hir.exprs.values().any(is_kept)
    }

    /// Whether an integer type has room for an address.
    fn holds_number(&self, ty: Ty) -> bool {
        let types = &self.hir.types;
        matches!(types.kind(ty), TyKind::Int(_))
            && types.size_of(ty) >= types.size_of(types.void_ptr)
    }

    /// Whether an object could keep an address, `numbers` or in pointers only.
    fn keeps_address(&self, ty: Ty, numbers: bool) -> bool {
        let types = &self.hir.types;
        holds_pointer(types, ty) || numbers && holds(types, ty, &|ty| self.holds_number(ty))
    }

    /// The objects that outlive `main` and could hold addresses of heap objects.
    fn static_pointers(&self, numbers: bool) -> Vec<hir::Var> {
        let is_static = |data: &hir::VarData| {
            matches!(data.storage, hir::Storage::Global | hir::Storage::Static)
                && !super::access::is_standard_stream(&data.name)
                // What only a model remembers is lost to the program.
                && !is_model(self.sources.file(data.span.lo))
                && self.keeps_address(data.ty.ty, numbers)
        };
        // By what flows into them, addresses through integers included.
        let leads_to_heap = |v: hir::Var| {
            let mut targets = self.classes.contents_of(self.classes.of_var(v));
            targets.any(|class| {
                let facts = self.classes.facts(class);
                facts.heap || facts.foreign
            })
        };
        let all = self.hir.vars.iter();
        let found = all
            .filter(|(v, data)| self.objects[*v].is_some() && is_static(data) && leads_to_heap(*v));
        found.map(|(v, _)| v).collect()
    }

    /// The addresses that these hold, where they are few and can be told.
    fn roots(&mut self, statics: &[hir::Var], numbers: bool) -> Option<Vec<Term>> {
        let checks = self.props;
        self.props.valid_deref = false;
        self.props.uninit = false;
        let mut roots = Vec::new();
        let all = statics.iter().all(|&v| {
            let is_made = !matches!(self.objects[v], Some(Object::Memory(_)))
                || self.stores.contains_key(&self.classes.of_var(v));
            let ty = self.hir.vars[v].ty.ty;
            is_made && {
                let place = self.var_place(v);
                self.collect_roots(place, (ty, numbers), &mut roots)
            }
        });
        self.props = checks;
        all.then_some(roots)
    }

    fn collect_roots(
        &mut self,
        place: Place,
        (ty, numbers): (Ty, bool),
        out: &mut Vec<Term>,
    ) -> bool {
        let hir = self.hir;
        if !self.keeps_address(ty, numbers) {
            return true;
        }
        match hir.types.kind(ty) {
            TyKind::Pointer(_) | TyKind::Int(_) if out.len() < MAX_ROOTS => {
                let value = self.load_place(&place, ty);
                let address = self.ptr;
                let value = self.p.pool.extract(address - 1, 0, value);
                out.push(value);
                true
            }
            TyKind::Array(elem, Length::Known(n)) if *n <= MAX_ROOTS as u64 => (0..*n).all(|i| {
                let element = self.step(place.clone(), ty, Step::Index(i));
                self.collect_roots(element, (elem.ty, numbers), out)
            }),
            TyKind::Record(r) if !hir.types.records[*r].union => {
                let fields = hir.types.records[*r].fields.iter().enumerate();
                fields.into_iter().all(|(i, field)| {
                    if field.width.is_some() {
                        return true;
                    }
                    let member = self.step(place.clone(), ty, Step::Field(i as u32));
                    self.collect_roots(member, (field.ty.ty, numbers), out)
                })
            }
            _ => false,
        }
    }
}
