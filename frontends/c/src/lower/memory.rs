//! The address space: slots, allocation, validity. What is in it: see [`super::region`].

use super::escape::{CallGraph, Facts, Walk};
use super::fault::Fault;
use super::leaks::Left;
use super::libc_effects::{self, Effect};
use super::repeat;
use super::{Lowerer, Properties};
use crate::assumptions::Assumption;
use crate::hir::{self, ExprKind as H, Hir};
use crate::types::DataModel;
use rustc_hash::FxHashSet;
use trellis_ivl::{Op, Program, Span, Term, Type, Var};

/// State of a slot: nothing there.
pub const DEAD: u64 = 0;
/// State of a slot: a static or automatic object.
pub const PLAIN: u64 = 1;
/// State of a slot: a live heap object.
pub const HEAP: u64 = 2;
/// State of a slot: an object that must not be written, a string literal or a constant.
pub const CONST: u64 = 3;

/// Bits of a state; above them is the number of the place that made a heap object.
pub const STATE_BITS: u32 = 2;
/// Bits of such a number at most; further places share the numbers.
const MAX_SITE_BITS: u32 = 4;

/// Low bits of a slot's number that are part of its object's low address bits, in LP64.
const SKEW_BITS: u32 = 18;
/// Where they stand; objects are aligned to that.
const SKEW_AT: u32 = 12;

/// Bits of an offset in a slot of ILP32 where all objects are small.
const SMALL_SLOT_BITS: u32 = 14;

/// Bits of an offset in a slot of ILP32 otherwise, where there may be any number of objects.
const SLOT_BITS: u32 = 20;
/// The same where there are few.
const LARGE_SLOT_BITS: u32 = 27;

/// Bits of an offset in a slot: few dynamic objects have much room each, since nobody knows how large they are.
fn large_slot_bits(hir: &Hir, entry: hir::Func, facts: &Facts, dynamic: Option<u64>) -> u32 {
    let Some(dynamic) = dynamic.filter(|n| *n > 0) else {
        return SLOT_BITS;
    };
    // Objects of functions that nobody calls, most of the library's, are never made.
    let calls = CallGraph::new(hir);
    let dead = |f: &hir::Func| *f != entry && !calls.reaches(entry, *f);
    let dead: FxHashSet<hir::Func> = hir.funcs.keys().filter(dead).collect();
    let lives = |v: hir::Var| !hir.vars[v].owner.is_some_and(|f| dead.contains(&f));
    let objects = hir.vars.keys().filter(|v| facts.in_memory[*v] && lives(*v));
    let mut fixed = objects.count() + hir.strings.len();
    let mut arguments = 0;
    for (f, data) in hir.funcs.iter() {
        let Some(body) = data.body else { continue };
        Walk::new(hir, body).run(|e| match hir.exprs[e].kind {
            H::Str(_) if dead.contains(&f) => fixed = fixed.saturating_sub(1),
            H::Call { .. } if !dead.contains(&f) => arguments += 1,
            _ => {}
        });
    }
    // Half of the slots each; those of variable arguments are made while calls are lowered.
    let needed = (2 * dynamic).max((fixed + arguments) as u64) + 16;
    let enough = |bits: &u32| 1u64 << (31 - bits) >= needed;
    (SLOT_BITS..=LARGE_SLOT_BITS)
        .rev()
        .find(enough)
        .unwrap_or(SLOT_BITS)
}

/// Whether the sizes of all objects are known and at most a quarter of a small slot: then there are more slots.
fn has_small_objects(hir: &Hir, facts: &Facts) -> bool {
    let small = |size: Option<u64>| size.is_some_and(|s| s <= 1 << (SMALL_SLOT_BITS - 2));
    let vars = hir.vars.iter().all(|(var, data)| {
        let size = hir.types.size_of(data.ty.ty);
        !facts.in_memory[var] || small(size.map(|s| s.saturating_add(data.flexible)))
    });
    let strings = hir.strings.values().all(|s| {
        let unit = hir.types.size_of(s.elem).unwrap_or(4);
        small(Some((s.units.len() as u64).saturating_mul(unit)))
    });
    // A call through a pointer may have any size, and so may what a model asks for.
    let by_name = |e: hir::Expr| match hir.exprs[e].kind {
        H::FuncAddr(f) if hir.funcs[f].body.is_none() => Some(hir.funcs[f].name.as_str()),
        _ => None,
    };
    let allocates = |name: &str| {
        use Effect::{Allocates, Duplicates, Reallocates};
        matches!(
            libc_effects::of(name),
            Allocates { .. } | Reallocates | Duplicates
        )
    };
    let called: FxHashSet<hir::Expr> = hir.exprs.values().filter_map(callee).collect();
    let calls = hir.exprs.iter().all(|(e, data)| {
        let escapes = by_name(e).is_some_and(allocates) && !called.contains(&e);
        let H::Call { callee, args } = &data.kind else {
            return !escapes;
        };
        match by_name(*callee).map(libc_effects::of) {
            Some(Effect::Allocates { size, .. }) => {
                let bytes = |i: &usize| u64::try_from(hir.eval_int(*args.get(*i)?)?).ok();
                let all: Option<Vec<u64>> = size.iter().map(bytes).collect();
                small(all.and_then(|s| s.into_iter().try_fold(1u64, u64::checked_mul)))
            }
            Some(Effect::Reallocates | Effect::Duplicates) => false,
            _ => true,
        }
    });
    vars && strings && calls
}

fn callee(data: &hir::ExprData) -> Option<hir::Expr> {
    match data.kind {
        H::Call { callee, .. } => Some(callee),
        _ => None,
    }
}

/// Bits that tell the calls apart that make heap objects.
fn site_bits(hir: &Hir) -> u32 {
    use Effect::{Allocates, Duplicates, Reallocates};
    let makes = |data: &hir::ExprData| {
        let Some(H::FuncAddr(f) | H::FuncRef(f)) = callee(data).map(|e| &hir.exprs[e].kind) else {
            return false;
        };
        let effect = libc_effects::of(&hir.funcs[*f].name);
        matches!(effect, Allocates { .. } | Reallocates | Duplicates)
    };
    let sites = hir.exprs.values().filter(|e| makes(e)).count();
    sites
        .max(1)
        .next_power_of_two()
        .trailing_zeros()
        .min(MAX_SITE_BITS)
}

/// An object with a fixed address.
pub struct StaticObject {
    /// The variable that holds its address.
    pub base: Var,
    /// The address.
    pub address: u64,
    /// Size in bytes.
    pub size: u64,
    /// Whether it must not be written.
    pub constant: bool,
}

/// The variables of the memory model; those that not every program needs are made on first use.
pub struct Memory {
    /// The number of the next free dynamic slot.
    pub next: Option<Var>,
    /// Slot to size.
    pub size: Option<Var>,
    /// Slot to state.
    pub state: Option<Var>,
    /// What is known of live heap objects, where leaks matter.
    pub left: Option<Left>,
    /// Bits of a state.
    state_bits: u32,
    /// How many places that make heap objects there were so far.
    sites: u64,
    /// Bits of an offset in a slot.
    pub slot_bits: u32,
    /// Objects with fixed addresses.
    pub objects: Vec<StaticObject>,
    static_next: u64,
    /// Whether a run may make any number of dynamic objects.
    endless: bool,
    /// Whether a static object is larger than a slot and cannot take several.
    too_large: bool,
    ptr: u32,
}

fn is_skewed(slot_bits: u32) -> bool {
    slot_bits > 32
}

/// Where the object of a slot of so many bits starts.
pub(super) fn base_in(slot_bits: u32, slot: u64) -> u64 {
    let start = slot.wrapping_shl(slot_bits);
    if !is_skewed(slot_bits) {
        return start;
    }
    let skew = (slot & ((1 << SKEW_BITS) - 1)) << SKEW_AT;
    start | 1 << (slot_bits - 1) | skew
}

impl Memory {
    /// The memory of a program.
    pub fn new(
        p: &mut Program,
        hir: &Hir,
        entry: hir::Func,
        facts: &Facts,
        props: Properties,
        ptr: u32,
    ) -> Self {
        let dynamic = repeat::dynamic_objects(hir, entry, facts);
        let slot_bits = match ptr {
            32 if facts.allocates && has_small_objects(hir, facts) => SMALL_SLOT_BITS,
            32 => large_slot_bits(hir, entry, facts, dynamic),
            _ => 40,
        };
        let slots = ptr - slot_bits;
        // Which objects are alive also says whether static pointers lead to any.
        let track = props.track_memory() || facts.asks_for_objects || props.valid_memtrack;
        let state_bits = STATE_BITS + site_bits(hir);
        let state = track.then(|| {
            p.add_global(
                "obj_state",
                Type::Array {
                    index: slots,
                    elem: state_bits,
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
        let left = props.count_heap().then(|| Left::new(p, slots, ptr));
        Memory {
            next: None,
            size,
            state,
            left,
            state_bits,
            sites: 0,
            slot_bits,
            objects: Vec::new(),
            static_next: 1,
            endless: dynamic.is_none(),
            too_large: false,
            ptr,
        }
    }

    /// Number of bits of a slot's number.
    pub fn slots(&self) -> u32 {
        self.ptr - self.slot_bits
    }

    /// Whether objects start inside of their slot, so that addresses differ in their low 32 bits.
    fn is_skewed(&self) -> bool {
        is_skewed(self.slot_bits)
    }

    /// The first dynamic slot: half the address space, and other low address bits than static ones.
    pub fn heap_start(&self) -> u64 {
        let low = if self.is_skewed() {
            1 << (SKEW_BITS - 1)
        } else {
            0
        };
        (1 << (self.slots() - 1)) + low
    }

    /// The slot after the last dynamic one.
    fn heap_end(&self) -> u64 {
        if self.is_skewed() {
            (1 << (self.slots() - 1)) + (1 << SKEW_BITS)
        } else {
            0
        }
    }

    /// How many dynamic objects there is room for.
    fn dynamic_slots(&self) -> u64 {
        let end = match self.heap_end() {
            0 => 1 << self.slots(),
            end => end,
        };
        end - self.heap_start()
    }

    /// The largest object.
    fn most(&self) -> u64 {
        match self.is_skewed() {
            true => DataModel::Lp64.largest_object(),
            false => (1 << self.slot_bits) - 16,
        }
    }

    /// From which offset on an address counts as one before the start of an object.
    pub fn before_object(&self) -> u64 {
        if self.is_skewed() {
            1 << (self.slot_bits - 1)
        } else {
            (1 << self.slot_bits) - (1 << (self.slot_bits - 4))
        }
    }

    /// Where the object of a slot starts.
    pub fn base(&self, slot: u64) -> u64 {
        base_in(self.slot_bits, slot)
    }

    /// The address that stands for the code at a number.
    pub fn code(&self, number: u64) -> u64 {
        let first = if self.is_skewed() {
            1 << (SKEW_AT + SKEW_BITS)
        } else {
            0x1000
        };
        first + 16 * number
    }

    /// The number of a further place that makes heap objects.
    fn new_site(&mut self) -> u64 {
        let site = self.sites & ((1 << (self.state_bits - STATE_BITS)) - 1);
        self.sites += 1;
        site
    }

    /// Bits of an element of the array of states.
    pub fn state_bits(&self) -> u32 {
        self.state_bits
    }

    /// Whether static objects have run out of slots.
    pub fn exhausted(&self) -> bool {
        let last = if self.is_skewed() {
            1 << (SKEW_BITS - 1)
        } else {
            1 << (self.slots() - 1)
        };
        self.too_large || self.static_next > last
    }
}

impl Lowerer<'_> {
    /// A slot with a fixed address.
    pub(super) fn static_slot(&mut self, name: &str, size: u64, constant: bool, span: Span) -> Var {
        let slot = 1u64 << self.mem.slot_bits;
        let base = self.p.add_global(name, Type::Bv(self.ptr), span);
        let address = self.mem.base(self.mem.static_next);
        let large = size > self.mem.most();
        self.mem.too_large |= large && self.mem.is_skewed();
        self.mem.static_next += if large {
            size.saturating_add(16).div_ceil(slot)
        } else {
            1
        };
        self.mem.objects.push(StaticObject {
            base,
            address,
            size,
            constant,
        });
        base
    }

    /// The address of the object of a slot, as [`Memory::base`] has it.
    pub(super) fn base_of(&mut self, slot: Term) -> Term {
        let bits = self.mem.slot_bits;
        if !self.mem.is_skewed() {
            let zero = self.p.pool.num(bits, 0);
            return self.p.pool.concat(slot, zero);
        }
        let start = self.start_in_slot(slot);
        self.p.pool.concat(slot, start)
    }

    /// Where in its slot an object starts.
    fn start_in_slot(&mut self, slot: Term) -> Term {
        let bits = self.mem.slot_bits;
        let skew = self.p.pool.extract(SKEW_BITS - 1, 0, slot);
        let low = self.p.pool.num(SKEW_AT, 0);
        let low = self.p.pool.concat(skew, low);
        let high_bits = bits - SKEW_AT - SKEW_BITS;
        let high = self.p.pool.num(high_bits, 1 << (high_bits - 1));
        self.p.pool.concat(high, low)
    }

    /// The slot of an address.
    pub(super) fn slot_of(&mut self, addr: Term) -> Term {
        let (hi, lo) = (self.ptr - 1, self.mem.slot_bits);
        self.p.pool.extract(hi, lo, addr)
    }

    /// How far an address is behind the start of its slot's object.
    fn offset_in_slot(&mut self, addr: Term) -> Term {
        let low = self.p.pool.extract(self.mem.slot_bits - 1, 0, addr);
        let offset = if self.mem.is_skewed() {
            let slot = self.slot_of(addr);
            let start = self.start_in_slot(slot);
            self.p.pool.bvsub(low, start)
        } else {
            low
        };
        self.p.pool.zext(self.ptr, offset)
    }

    /// The same where small numbers, null among them, count from zero.
    pub(super) fn offset_in_object(&mut self, addr: Term) -> Term {
        let offset = self.offset_in_slot(addr);
        if !self.mem.is_skewed() {
            return offset;
        }
        let (slot, slots) = (self.slot_of(addr), self.mem.slots());
        let first = self.p.pool.num(slots, 0);
        let small = self.p.pool.eq(slot, first);
        self.p.pool.ite(small, addr, offset)
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

    /// Whether `size` bytes at `addr` may be read, or written.
    pub(super) fn accessible(&mut self, addr: Term, size: Term, write: bool) -> Term {
        let (Some(state), Some(sizes)) = (self.mem.state, self.mem.size) else {
            return self.p.pool.tru();
        };
        let slot = self.slot_of(addr);
        let offset = self.offset_in_slot(addr);
        let sizes = self.p.pool.var(sizes);
        let state = self.state_in(state, slot);
        let dead = self.p.pool.num(STATE_BITS, DEAD);
        let mut alive = self.p.pool.ne(state, dead);
        if write && self.facts.has_constants {
            let constant = self.p.pool.num(STATE_BITS, CONST);
            let variable = self.p.pool.ne(state, constant);
            alive = self.p.pool.and(alive, variable);
        }
        let limit = self.p.pool.select(sizes, slot);
        let wraps = self.p.pool.overflow(Op::BvUaddo, offset, size);
        let end = self.p.pool.bvadd(offset, size);
        let inside = self.p.pool.bvule(end, limit);
        let fits = self.p.pool.not(wraps);
        self.p.pool.and_all([alive, fits, inside])
    }

    /// Checks a read of a constant number of bytes.
    pub(super) fn check_access(&mut self, addr: Term, bytes: u64) {
        self.check_bytes(addr, bytes, false);
    }

    /// Checks a write of a constant number of bytes.
    pub(super) fn check_write(&mut self, addr: Term, bytes: u64) {
        self.check_bytes(addr, bytes, true);
    }

    pub(super) fn check_bytes(&mut self, addr: Term, bytes: u64, write: bool) {
        if self.props.valid_deref && bytes > 0 {
            let size = self.ptr_const(bytes);
            let ok = self.accessible(addr, size, write);
            self.about(Fault::Access {
                address: addr,
                bytes: size,
                write,
            });
            self.check(ok, "valid-deref");
        }
    }

    /// Checks a read of any number of bytes; none is always fine.
    pub(super) fn check_range(&mut self, addr: Term, size: Term) {
        self.check_block(addr, size, false);
    }

    /// Checks a write of any number of bytes; none is always fine.
    pub(super) fn check_range_write(&mut self, addr: Term, size: Term) {
        self.check_block(addr, size, true);
    }

    fn check_block(&mut self, addr: Term, size: Term, write: bool) {
        if self.props.valid_deref {
            let zero = self.ptr_const(0);
            let none = self.p.pool.eq(size, zero);
            let ok = self.accessible(addr, size, write);
            let ok = self.p.pool.or(none, ok);
            self.about(Fault::Access {
                address: addr,
                bytes: size,
                write,
            });
            self.check(ok, "valid-deref");
        }
    }

    /// Says what lives in the slot of `addr`.
    pub(super) fn set_slot(&mut self, addr: Term, state: u64, size: Option<Term>) {
        let slot = self.slot_of(addr);
        if let Some(var) = self.mem.state {
            let site = match state {
                HEAP => self.mem.new_site(),
                _ => 0,
            };
            let state = self
                .p
                .pool
                .num(self.mem.state_bits, site << STATE_BITS | state);
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

    /// What lives in a slot, without the place that made it.
    pub(super) fn state_in(&mut self, states: Var, slot: Term) -> Term {
        let states = self.p.pool.var(states);
        let state = self.p.pool.select(states, slot);
        self.p.pool.extract(STATE_BITS - 1, 0, state)
    }

    // Allocation.

    fn next_var(&mut self) -> Var {
        match self.mem.next {
            Some(v) => v,
            None => {
                let slots = self.mem.slots();
                let v = self.p.add_global("next_slot", Type::Bv(slots), Span::NONE);
                self.mem.next = Some(v);
                v
            }
        }
    }

    /// Gives `base` the address of a fresh object of `size` bytes with arbitrary content.
    pub(super) fn allocate(&mut self, base: Var, size: Term, heap: bool) {
        let next = self.next_var();
        let slots = self.mem.slots();
        let most = self.ptr_const(self.mem.most());
        let small = self.p.pool.bvule(size, most);
        if self.p.pool.as_bool(small) == Some(false) {
            // To suppose that it does not happen would be to suppose that nothing after it does.
            return self.incomplete("an allocation larger than a slot of the address space");
        }
        let limit = format!(
            "no object on heap or stack has more than {} bytes",
            self.mem.most()
        );
        self.suppose(small, Assumption::MemorySuffices, &limit);
        let next_term = self.p.pool.var(next);
        let end = self.p.pool.num(slots, self.mem.heap_end());
        let left = self.p.pool.ne(next_term, end);
        let limit = format!(
            "no run makes more than {} objects on heap and stack",
            self.mem.dynamic_slots()
        );
        if self.mem.endless {
            self.suppose(left, Assumption::MemorySuffices, &limit);
        } else {
            self.require(
                left,
                "more dynamic objects than the address space has slots",
            );
        }
        let address = self.base_of(next_term);
        self.assign(base, address);
        let step = self.p.pool.num(slots, 1);
        let after = self.p.pool.bvadd(next_term, step);
        self.assign(next, after);
        let base_term = self.p.pool.var(base);
        let state = if heap { HEAP } else { PLAIN };
        self.set_slot(base_term, state, Some(size));
        if heap {
            self.note_made(base_term);
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
            let state = self.state_in(state, slot);
            let heap = self.p.pool.num(STATE_BITS, HEAP);
            let is_heap = self.p.pool.eq(state, heap);
            let at_start = self.p.pool.eq(offset, zero);
            let valid = self.p.pool.and(is_heap, at_start);
            let ok = self.p.pool.or(null, valid);
            self.about(Fault::Free { address: addr });
            self.check(ok, "valid-free");
        }
        if let Some(var) = self.mem.state {
            let slot = self.slot_of(addr);
            let dead = self.p.pool.num(self.mem.state_bits, DEAD);
            let old = self.p.pool.var(var);
            let new = self.p.pool.store(old, slot, dead);
            self.assign(var, new);
        }
        self.note_freed(addr, null);
    }
}
