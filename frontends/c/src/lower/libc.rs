//! Allocation and memory blocks: the C library functions and builtins with a model.

use super::Lowerer;
use super::fault::Fault;
use super::libc_effects::base_name;
use super::math;
use super::pointsto::Node;
use crate::assumptions::Assumption;
use crate::types::Ty;
use trellis_ivl::{Loc, Op, Term, Type};

/// Blocks of a constant size up to this many bytes are copied at once; others in a loop.
const MAX_UNROLLED: u64 = 512;

impl Lowerer<'_> {
    /// The model of a library function; `None` when there is none.
    pub(super) fn library(&mut self, name: &str, args: &[(Term, Ty)], ret: Ty) -> Option<Term> {
        let base = base_name(name);
        // The checked variants end in the size of the object.
        let args = match args {
            [rest @ .., _] if name.ends_with("_chk") => rest,
            _ => args,
        };
        for class in self.arg_classes.clone() {
            if self.is_outside(class) {
                return Some(self.zero(ret));
            }
        }
        let ptr = self.ptr;
        let word = |this: &mut Self, i: usize| {
            let (value, ty) = args[i];
            let signed = this.hir.types.is_signed(ty);
            this.resize(value, ptr, signed)
        };
        let result = match (base, args.len()) {
            ("malloc" | "valloc", 1..) => {
                let size = word(self, 0);
                let (object, failed) = self.heap_object(size, base);
                self.join_failed(failed);
                object
            }
            ("calloc", 2) => {
                let (n, m) = (word(self, 0), word(self, 1));
                let wraps = self.p.pool.overflow(Op::BvUmulo, n, m);
                let product = self.p.pool.bvmul(n, m);
                // More than there can be.
                let most = self.ptr_const(u64::MAX);
                let size = self.p.pool.ite(wraps, most, product);
                self.zeroed(size)
            }
            ("realloc", 2) => {
                let (p, size) = (word(self, 0), word(self, 1));
                self.realloc(p, size)
            }
            ("alloca", 1) | ("alloca_with_align" | "alloca_with_align_and_max", 2..) => {
                let size = word(self, 0);
                let base = self.temp(Type::Bv(ptr));
                self.grant_or_give_up(Assumption::StackSuffices, "alloca");
                self.allocate(base, size, false);
                // Freed when the function returns.
                if self.mem.state.is_some()
                    && let Some(scope) = self.f.scopes.first_mut()
                {
                    scope.push(base);
                }
                self.p.pool.var(base)
            }
            ("free", 1) => {
                let p = word(self, 0);
                let p = self.save(p);
                self.free(p);
                self.zero(ret)
            }
            ("memcpy" | "memmove" | "mempcpy", 3..) => {
                let (d, s, n) = (word(self, 0), word(self, 1), word(self, 2));
                let (d, s, n) = (self.save(d), self.save(s), self.save(n));
                if base != "memmove" {
                    self.check_apart(d, s, n);
                }
                self.copy_block(d, s, n, base == "memmove");
                if base == "mempcpy" {
                    self.p.pool.bvadd(d, n)
                } else {
                    d
                }
            }
            ("memset", 3..) => {
                let (d, n) = (word(self, 0), word(self, 2));
                let d = self.save(d);
                let byte = self.resize(args[1].0, 8, false);
                self.fill_block(d, byte, n);
                d
            }
            ("__VERIFIER_nondet_memory", 2) => {
                let (d, n) = (word(self, 0), word(self, 1));
                let d = self.save(d);
                self.forget_block(d, n, "__VERIFIER_nondet_memory()");
                self.zero(ret)
            }
            ("bzero", 2) => {
                let (d, n) = (word(self, 0), word(self, 1));
                let d = self.save(d);
                let byte = self.p.pool.num(8, 0);
                self.fill_block(d, byte, n);
                self.zero(ret)
            }
            ("abs" | "labs" | "llabs", 1) => {
                let (x, ty) = args[0];
                if self.props.sees_overflow() {
                    let bad = self.p.pool.bvnego(x);
                    let ok = self.p.pool.not(bad);
                    self.about(Fault::Operation {
                        operator: "-",
                        operands: vec![x],
                        ty,
                    });
                    self.no_overflow(ok);
                }
                let zero = self.zero(ty);
                let negative = self.p.pool.bvslt(x, zero);
                let minus = self.p.pool.bvneg(x);
                self.p.pool.ite(negative, minus, x)
            }
            _ if math::is_modelled(name) => self.math(name, args, ret)?,
            _ if base.starts_with("__CPROVER_") => self.cprover(base, args, ret)?,
            _ => {
                let found = name
                    .starts_with("__builtin_")
                    .then(|| self.bit_function(base, args, ret));
                match found.flatten() {
                    Some(value) => value,
                    None => return self.string_function(base, args, ret),
                }
            }
        };
        let bits = self.bits(ret);
        Some(self.resize(result, bits, false))
    }

    /// A fresh heap object. Control goes on where there is one; where the allocation may fail, the second is where it has
    /// failed and the result is null.
    pub(super) fn heap_object(&mut self, size: Term, name: &str) -> (Term, Option<Loc>) {
        let size = self.save(size);
        let base = self.temp(Type::Bv(self.ptr));
        let mut failed = None;
        if !self.take_for_granted(Assumption::MallocSucceeds, name) && self.live() {
            let fails = self.temp(Type::Bv(1));
            self.havoc(fails, &format!("{name} fails"));
            let fails = self.p.pool.var(fails);
            let fails = self.p.pool.bv_to_bool(fails);
            // No object is larger than half of the address space.
            let zero = self.ptr_const(0);
            let too_large = self.p.pool.bvslt(size, zero);
            let fails = self.p.pool.or(too_large, fails);
            let (yes, no) = self.branch(fails);
            self.resume(yes);
            if !self.props.valid_deref {
                // Nothing would stop a program that uses what it was not given, and its errors would be none.
                self.incomplete("an allocation that fails where accesses are not checked");
            }
            let null = self.ptr_const(0);
            self.assign(base, null);
            self.set_errno();
            failed = self.end_arm();
            self.resume(no);
        }
        self.allocate(base, size, true);
        (self.p.pool.var(base), failed)
    }

    /// Goes on with success and failure of an allocation.
    pub(super) fn join_failed(&mut self, failed: Option<Loc>) {
        if failed.is_some() {
            let here = self.end_arm();
            self.join(here, failed);
        }
    }

    fn zeroed(&mut self, size: Term) -> Term {
        let size = self.save(size);
        let (base, failed) = self.heap_object(size, "calloc");
        let zero = self.p.pool.num(8, 0);
        let class = self.result_class;
        self.fill_unchecked(class, base, zero, size);
        self.join_failed(failed);
        base
    }

    fn realloc(&mut self, p: Term, size: Term) -> Term {
        let (p, size) = (self.save(p), self.save(size));
        let zero = self.ptr_const(0);
        let Some(sizes) = self.mem.size else {
            // Without sizes the old content is unknown beyond null.
            let null = self.p.pool.eq(p, zero);
            self.require(
                null,
                "'realloc' of an object without memory-safety tracking",
            );
            let (result, failed) = self.heap_object(size, "realloc");
            self.join_failed(failed);
            return result;
        };
        // Nothing is asked for: glibc frees the object and returns null.
        let is_object = self.p.pool.ne(p, zero);
        let empty = self.p.pool.eq(size, zero);
        let frees = self.p.pool.and(is_object, empty);
        let answer = self.temp(Type::Bv(self.ptr));
        let (freed, moved) = self.branch(frees);
        self.resume(freed);
        self.free(p);
        self.assign(answer, zero);
        let freed = self.end_arm();
        self.resume(moved);
        let (result, failed) = self.heap_object(size, "realloc");
        let null = self.p.pool.eq(p, zero);
        let (fresh, old) = self.branch(null);
        self.resume(old);
        let slot = self.slot_of(p);
        let sizes = self.p.pool.var(sizes);
        let old_size = self.p.pool.select(sizes, slot);
        let smaller = self.p.pool.bvult(old_size, size);
        let n = self.p.pool.ite(smaller, old_size, size);
        let n = self.save(n);
        let class = self.result_class;
        self.copy_unchecked(class, result, p, n, false);
        self.free(p);
        let old = self.end_arm();
        self.join(fresh, old);
        // The old object stays where there is no new one.
        self.join_failed(failed);
        self.assign(answer, result);
        let moved = self.end_arm();
        self.join(freed, moved);
        self.p.pool.var(answer)
    }

    // Blocks.

    fn constant_size(&self, n: Term) -> Option<u64> {
        self.p
            .pool
            .as_bv(n)
            .and_then(|v| v.to_u64())
            .filter(|n| *n <= MAX_UNROLLED)
    }

    /// Where blocks that must not overlap do, what is copied depends on how; one that is copied onto itself stays as it is.
    pub(super) fn check_apart(&mut self, d: Term, s: Term, n: Term) {
        if self.props.valid_deref {
            let (up, down) = (self.p.pool.bvsub(d, s), self.p.pool.bvsub(s, d));
            let same = self.p.pool.eq(d, s);
            let above = self.p.pool.bvule(n, up);
            let below = self.p.pool.bvule(n, down);
            let apart = self.p.pool.and(above, below);
            let ok = self.p.pool.or(same, apart);
            self.about(Fault::Overlap {
                to: d,
                from: s,
                bytes: n,
            });
            self.check(ok, "valid-deref");
        }
    }

    /// Copies within the class of the first argument, to which the second belongs too.
    pub(super) fn copy_block(&mut self, d: Term, s: Term, n: Term, overlap: bool) {
        let (s, n) = (self.save(s), self.save(n));
        self.check_range_write(d, n);
        self.check_range(s, n);
        let class = self.arg_classes.first().copied().unwrap_or(0);
        self.copy_unchecked(class, d, s, n, overlap);
    }

    fn copy_unchecked(&mut self, class: Node, d: Term, s: Term, n: Term, overlap: bool) {
        let unit = self.block_unit(class);
        if let Some(bytes) = self.constant_size(n) {
            let units: Vec<Term> = (0..bytes / unit)
                .map(|i| {
                    let at = self.add_offset(s, i * unit);
                    let value = self.load_unit(class, at);
                    // All is read before anything is written, where more than one write follows.
                    if bytes > unit {
                        self.save(value)
                    } else {
                        value
                    }
                })
                .collect();
            for (i, value) in units.into_iter().enumerate() {
                let at = self.add_offset(d, i as u64 * unit);
                self.store_unit(class, at, value);
            }
            return;
        }
        let copy = |this: &mut Self, i: Term| {
            let (from, to) = (this.p.pool.bvadd(s, i), this.p.pool.bvadd(d, i));
            let value = this.load_unit(class, from);
            this.store_unit(class, to, value);
        };
        if overlap {
            // Backward when the target is above the source.
            let above = self.p.pool.bvult(s, d);
            let (down, up) = self.branch(above);
            self.resume(down);
            self.counted(n, unit, |this, i| {
                let one = this.ptr_const(unit);
                let last = this.p.pool.bvsub(n, one);
                let i = this.p.pool.bvsub(last, i);
                copy(this, i);
            });
            let down = self.end_arm();
            self.resume(up);
            self.counted(n, unit, copy);
            let up = self.end_arm();
            return self.join(down, up);
        }
        self.counted(n, unit, copy);
    }

    fn fill_block(&mut self, d: Term, byte: Term, n: Term) {
        let (byte, n) = (self.save(byte), self.save(n));
        self.check_range_write(d, n);
        let class = self.arg_classes.first().copied().unwrap_or(0);
        self.fill_unchecked(class, d, byte, n);
    }

    pub(super) fn fill_unchecked(&mut self, class: Node, d: Term, byte: Term, n: Term) {
        let unit = self.block_unit(class);
        let mut value = byte;
        for _ in 1..unit {
            value = self.p.pool.concat(value, byte);
        }
        if let Some(bytes) = self.constant_size(n) {
            for i in 0..bytes / unit {
                let at = self.add_offset(d, i * unit);
                self.store_unit(class, at, value);
            }
            return;
        }
        self.counted(n, unit, |this, i| {
            let to = this.p.pool.bvadd(d, i);
            this.store_unit(class, to, value);
        });
    }

    /// Sets elements of a size one after the other.
    pub(super) fn set_elements(&mut self, d: Term, value: Term, size: u64, n: Term) {
        self.check_range_write(d, n);
        let class = self.arg_classes.first().copied().unwrap_or(0);
        self.counted(n, size, |this, i| {
            let to = this.p.pool.bvadd(d, i);
            this.store_value(class, to, value, size);
        });
    }

    /// Gives a block any content.
    pub(super) fn forget_block(&mut self, d: Term, n: Term, name: &str) {
        let n = self.save(n);
        self.check_range_write(d, n);
        let class = self.arg_classes.first().copied().unwrap_or(0);
        let unit = self.block_unit(class);
        let forget = |this: &mut Self, i: Term| {
            let any = this.temp(Type::Bv(8 * unit as u32));
            this.havoc(any, name);
            let (value, to) = (this.p.pool.var(any), this.p.pool.bvadd(d, i));
            this.store_unit(class, to, value);
        };
        match self.constant_size(n) {
            Some(bytes) => {
                for i in 0..bytes / unit {
                    let at = self.ptr_const(i * unit);
                    forget(self, at);
                }
            }
            None => self.counted(n, unit, forget),
        }
    }

    /// Runs `body` for i from 0 below n in steps.
    fn counted(&mut self, n: Term, step: u64, body: impl FnOnce(&mut Self, Term)) {
        let i = self.temp(Type::Bv(self.ptr));
        let zero = self.ptr_const(0);
        self.assign(i, zero);
        let i_term = self.p.pool.var(i);
        self.while_loop(
            |this| this.p.pool.bvult(i_term, n),
            |this| {
                body(this, i_term);
                let step = this.ptr_const(step);
                let next = this.p.pool.bvadd(i_term, step);
                this.assign(i, next);
            },
        );
    }

    /// A loop in the automaton.
    pub(super) fn while_loop(
        &mut self,
        cond: impl FnOnce(&mut Self) -> Term,
        body: impl FnOnce(&mut Self),
    ) {
        if !self.live() {
            return;
        }
        let head = self.new_loc();
        self.fall_into(head);
        let c = cond(self);
        let (inside, after) = self.branch(c);
        self.resume(inside);
        body(self);
        self.goto(head);
        self.resume(after);
    }
}
