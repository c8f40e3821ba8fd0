//! The address space: slots, allocation, validity. What is in it: see [`super::region`].

use super::escape::Facts;
use super::{Lowerer, Properties};
use trellis_ivl::{Op, Program, Span, Term, Type, Var};

/// State of a slot: nothing there.
pub const DEAD: u64 = 0;
/// State of a slot: a static or automatic object.
pub const PLAIN: u64 = 1;
/// State of a slot: a live heap object.
pub const HEAP: u64 = 2;

/// An object with a fixed address.
pub struct StaticObject {
    /// The variable that holds its address.
    pub base: Var,
    /// The address.
    pub address: u64,
    /// Size in bytes.
    pub size: u64,
}

/// The variables of the memory model; those that not every program needs are made on first use.
pub struct Memory {
    /// The next free dynamic slot.
    pub next: Option<Var>,
    /// Slot to size.
    pub size: Option<Var>,
    /// Slot to state.
    pub state: Option<Var>,
    /// Number of live heap objects.
    pub count: Option<Var>,
    /// Bits of an offset in a slot.
    pub slot_bits: u32,
    /// Objects with fixed addresses.
    pub objects: Vec<StaticObject>,
    static_next: u64,
    ptr: u32,
}

impl Memory {
    /// The memory of a program.
    pub fn new(p: &mut Program, facts: &Facts, props: Properties, ptr: u32) -> Self {
        let slot_bits = if ptr == 32 { 20 } else { 32 };
        let slots = ptr - slot_bits;
        let track = props.track_memory() || facts.asks_for_objects;
        let state = track.then(|| {
            p.add_global(
                "obj_state",
                Type::Array {
                    index: slots,
                    elem: 2,
                },
                Span::NONE,
            )
        });
        let sized = track || facts.uses_realloc;
        let size = sized.then(|| {
            p.add_global(
                "obj_size",
                Type::Array {
                    index: slots,
                    elem: ptr,
                },
                Span::NONE,
            )
        });
        let count = props
            .count_heap()
            .then(|| p.add_global("heap_live", Type::Bv(ptr), Span::NONE));
        Memory {
            next: None,
            size,
            state,
            count,
            slot_bits,
            objects: Vec::new(),
            static_next: 1,
            ptr,
        }
    }

    /// The first dynamic address: half the address space.
    pub fn heap_start(&self) -> u64 {
        1 << (self.ptr - 1)
    }

    /// Whether static objects have run out of slots.
    pub fn exhausted(&self) -> bool {
        self.static_next > 1 << (self.ptr - self.slot_bits - 1)
    }
}

impl Lowerer<'_> {
    /// A slot with a fixed address.
    pub(super) fn static_slot(&mut self, name: &str, size: u64, span: Span) -> Var {
        let slot = 1u64 << self.mem.slot_bits;
        let base = self.p.add_global(name, Type::Bv(self.ptr), span);
        let address = self.mem.static_next.wrapping_mul(slot);
        self.mem.static_next += (size + 16).div_ceil(slot).max(1);
        self.mem.objects.push(StaticObject {
            base,
            address,
            size,
        });
        base
    }

    /// The slot of an address.
    pub(super) fn slot_of(&mut self, addr: Term) -> Term {
        let (hi, lo) = (self.ptr - 1, self.mem.slot_bits);
        self.p.pool.extract(hi, lo, addr)
    }

    fn offset_in_slot(&mut self, addr: Term) -> Term {
        let low = self.p.pool.extract(self.mem.slot_bits - 1, 0, addr);
        self.p.pool.zext(self.ptr, low)
    }

    pub(super) fn add_offset(&mut self, addr: Term, offset: u64) -> Term {
        let offset = self.ptr_const(offset);
        self.p.pool.bvadd(addr, offset)
    }

    /// The bytes of a value, little endian.
    pub(super) fn split_bytes(&mut self, value: Term, bytes: u64) -> Vec<Term> {
        (0..bytes as u32)
            .map(|i| self.p.pool.extract(8 * i + 7, 8 * i, value))
            .collect()
    }

    // Validity.

    /// Whether `size` bytes at `addr` may be accessed.
    pub(super) fn accessible(&mut self, addr: Term, size: Term) -> Term {
        let (Some(state), Some(sizes)) = (self.mem.state, self.mem.size) else {
            return self.p.pool.tru();
        };
        let slot = self.slot_of(addr);
        let offset = self.offset_in_slot(addr);
        let (state, sizes) = (self.p.pool.var(state), self.p.pool.var(sizes));
        let alive = self.p.pool.select(state, slot);
        let dead = self.p.pool.num(2, DEAD);
        let alive = self.p.pool.ne(alive, dead);
        let limit = self.p.pool.select(sizes, slot);
        let wraps = self.p.pool.overflow(Op::BvUaddo, offset, size);
        let end = self.p.pool.bvadd(offset, size);
        let inside = self.p.pool.bvule(end, limit);
        let fits = self.p.pool.not(wraps);
        self.p.pool.and_all([alive, fits, inside])
    }

    /// Checks an access of a constant number of bytes.
    pub(super) fn check_access(&mut self, addr: Term, bytes: u64) {
        if self.props.valid_deref && bytes > 0 {
            let size = self.ptr_const(bytes);
            let ok = self.accessible(addr, size);
            self.check(ok, "valid-deref");
        }
    }

    /// Checks an access of any number of bytes; none is always fine.
    pub(super) fn check_range(&mut self, addr: Term, size: Term) {
        if self.props.valid_deref {
            let zero = self.ptr_const(0);
            let none = self.p.pool.eq(size, zero);
            let ok = self.accessible(addr, size);
            let ok = self.p.pool.or(none, ok);
            self.check(ok, "valid-deref");
        }
    }

    /// Says what lives in the slot of `addr`.
    pub(super) fn set_slot(&mut self, addr: Term, state: u64, size: Option<Term>) {
        let slot = self.slot_of(addr);
        if let Some(var) = self.mem.state {
            let state = self.p.pool.num(2, state);
            let old = self.p.pool.var(var);
            let new = self.p.pool.store(old, slot, state);
            self.assign(var, new);
        }
        if let (Some(var), Some(size)) = (self.mem.size, size) {
            let old = self.p.pool.var(var);
            let new = self.p.pool.store(old, slot, size);
            self.assign(var, new);
        }
    }

    // Allocation.

    fn next_var(&mut self) -> Var {
        match self.mem.next {
            Some(v) => v,
            None => {
                let v = self
                    .p
                    .add_global("next_slot", Type::Bv(self.ptr), Span::NONE);
                self.mem.next = Some(v);
                v
            }
        }
    }

    /// Gives `base` the address of a fresh object of `size` bytes with arbitrary content.
    pub(super) fn allocate(&mut self, base: Var, size: Term, heap: bool) {
        let next = self.next_var();
        let slot = 1u64 << self.mem.slot_bits;
        let most = self.ptr_const(slot - 16);
        let small = self.p.pool.bvule(size, most);
        self.require(
            small,
            "an allocation larger than a slot of the address space",
        );
        let next_term = self.p.pool.var(next);
        let zero = self.ptr_const(0);
        let left = self.p.pool.ne(next_term, zero);
        self.require(
            left,
            "more dynamic objects than the address space has slots",
        );
        self.assign(base, next_term);
        let step = self.ptr_const(slot);
        let after = self.p.pool.bvadd(next_term, step);
        self.assign(next, after);
        let base_term = self.p.pool.var(base);
        let state = if heap { HEAP } else { PLAIN };
        self.set_slot(base_term, state, Some(size));
        if heap && let Some(count) = self.mem.count {
            let one = self.ptr_const(1);
            let old = self.p.pool.var(count);
            let new = self.p.pool.bvadd(old, one);
            self.assign(count, new);
        }
    }

    /// Frees the heap object at `addr`, which may be null.
    pub(super) fn free(&mut self, addr: Term) {
        let zero = self.ptr_const(0);
        let null = self.p.pool.eq(addr, zero);
        if self.props.valid_free
            && let Some(state) = self.mem.state
        {
            let slot = self.slot_of(addr);
            let offset = self.offset_in_slot(addr);
            let state = self.p.pool.var(state);
            let state = self.p.pool.select(state, slot);
            let heap = self.p.pool.num(2, HEAP);
            let is_heap = self.p.pool.eq(state, heap);
            let at_start = self.p.pool.eq(offset, zero);
            let valid = self.p.pool.and(is_heap, at_start);
            let ok = self.p.pool.or(null, valid);
            self.check(ok, "valid-free");
        }
        if let Some(var) = self.mem.state {
            let slot = self.slot_of(addr);
            let dead = self.p.pool.num(2, DEAD);
            let old = self.p.pool.var(var);
            let new = self.p.pool.store(old, slot, dead);
            self.assign(var, new);
        }
        if let Some(count) = self.mem.count {
            let one = self.ptr_const(1);
            let old = self.p.pool.var(count);
            let fewer = self.p.pool.bvsub(old, one);
            let new = self.p.pool.ite(null, old, fewer);
            self.assign(count, new);
        }
    }
}
