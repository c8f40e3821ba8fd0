//! `setjmp` and `longjmp`: control comes back to a function that has not returned.
//!
//! `setjmp` leaves a number in the buffer that no other place to come back to has, in no other run of its function, and
//! remembers it in a local variable there. `longjmp` takes the number out of the buffer as the place to go to, and every function on the way returns
//! at once: after each call that may jump, a function with a `setjmp` of its own looks whether it is meant, and goes on
//! behind that `setjmp`; the others return to their callers. A number that is none, or whose function has returned, is
//! a jump into nowhere, which violates `valid-deref` as a call of nothing does.
//!
//! C leaves open what automatic variables hold that changed between the two and are not volatile; that they keep
//! their values is an assumption with a name. Objects of inner blocks that a jump leaves stay alive, as with `goto`.

use super::Lowerer;
use super::escape::Walk;
use crate::assumptions::Assumption;
use crate::hir::{self, ExprKind as H, Hir};
use crate::types::Ty;
use rustc_hash::FxHashSet;
use trellis_ivl::{Loc, Program, Span, Term, Type, Var};

/// Whether a call of this name is a place to come back to.
pub fn is_setjmp(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp")
}

/// Whether a call of this name jumps.
pub fn is_longjmp(name: &str) -> bool {
    matches!(
        name,
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk"
    )
}

/// What a program needs that jumps out of functions.
pub struct Jumps {
    /// The last number given away.
    count: Var,
    /// The number to go to; 0 while nothing jumps.
    to: Var,
    /// What `setjmp` returns there.
    value: Var,
    /// Functions that may end by a jump.
    jumpers: FxHashSet<hir::Func>,
    /// Functions with a place to come back to.
    catchers: FxHashSet<hir::Func>,
}

/// A place to come back to.
pub struct Landing {
    /// Its number in this run of the function; 0 before it has one.
    pub number: Var,
    /// What `setjmp` returns.
    result: Var,
    /// Where control goes on.
    at: Loc,
}

impl Jumps {
    /// `None` where nothing jumps.
    pub fn new(hir: &Hir, p: &mut Program, ptr: u32) -> Option<Jumps> {
        let mentioned =
            |f: &hir::FuncData| f.body.is_none() && (is_setjmp(&f.name) || is_longjmp(&f.name));
        if !hir.funcs.values().any(mentioned) {
            return None;
        }
        let taken = |f: &hir::FuncData| f.address_taken;
        let (mut jumpers, mut catchers) = (FxHashSet::default(), FxHashSet::default());
        let mut calls: Vec<(hir::Func, Option<hir::Func>)> = Vec::new();
        for (f, data) in hir.funcs.iter() {
            if data.body.is_none() && is_longjmp(&data.name) {
                jumpers.insert(f);
            }
            let Some(body) = data.body else { continue };
            Walk::new(hir, body).run(|e| {
                let H::Call { callee, .. } = &hir.exprs[e].kind else {
                    return;
                };
                let callee = match hir.exprs[*callee].kind {
                    H::FuncAddr(g) => Some(g),
                    _ => None,
                };
                calls.push((f, callee));
                let named = callee.map(|g| &hir.funcs[g]);
                if named.is_some_and(|g| g.body.is_none() && is_setjmp(&g.name)) {
                    catchers.insert(f);
                }
            });
        }
        loop {
            let before = jumpers.len();
            let by_pointer = jumpers.iter().any(|f| taken(&hir.funcs[*f]));
            for (f, callee) in &calls {
                let jumps = match callee {
                    Some(g) => jumpers.contains(g),
                    None => by_pointer,
                };
                if jumps {
                    jumpers.insert(*f);
                }
            }
            if jumpers.len() == before {
                break;
            }
        }
        let mut global = |name: &str, bits| p.add_global(name, Type::Bv(bits), Span::NONE);
        Some(Jumps {
            count: global("jump_count", ptr),
            to: global("jump_to", ptr),
            value: global("jump_value", 32),
            jumpers,
            catchers,
        })
    }
}

impl Lowerer<'_> {
    /// Nothing jumps when the program begins.
    pub(super) fn start_jumps(&mut self) {
        if let Some(jumps) = &self.jumps {
            let (count, to) = (jumps.count, jumps.to);
            let zero = self.ptr_const(0);
            self.assign(count, zero);
            self.assign(to, zero);
        }
    }

    /// A call of `setjmp`.
    pub(super) fn setjmp(&mut self, e: hir::Expr, args: &[hir::Expr], ret: Ty) -> Term {
        let values = self.arguments(args);
        self.classify_call(e, args);
        let Some(count) = self.jumps.as_ref().map(|j| j.count) else {
            return self.zero(ret);
        };
        let function = self.f.func.map(|f| self.hir.funcs[f].name.clone());
        let function = function.unwrap_or_default();
        self.grant_or_give_up(Assumption::LongjmpKeepsLocals, &function);
        let class = self.arg_classes.first().copied().unwrap_or(0);
        if self.is_outside(class) {
            return self.zero(ret);
        }
        let buffer = self.save(values[0].0);
        let word = u64::from(self.ptr / 8);
        self.check_write(buffer, word);
        // One number for each time the function runs: several buffers may lead here.
        let number = self.temp(Type::Bv(self.ptr));
        let (old, stamp) = (self.p.pool.var(count), self.p.pool.var(number));
        let (one, none) = (self.ptr_const(1), self.ptr_const(0));
        let next = self.p.pool.bvadd(old, one);
        let first = self.p.pool.eq(stamp, none);
        let given = self.p.pool.ite(first, next, stamp);
        let counted = self.p.pool.ite(first, next, old);
        let given = self.save(given);
        self.assign(count, counted);
        self.assign(number, given);
        self.store_value(class, buffer, stamp, word);
        let result = self.temp(Type::Bv(self.bits(ret)));
        let zero = self.zero(ret);
        self.assign(result, zero);
        if self.live() {
            let at = self.new_loc();
            self.fall_into(at);
            self.f.landings.push(Landing { number, result, at });
            self.f.jumps = true;
        }
        self.p.pool.var(result)
    }

    /// A call of `longjmp`.
    pub(super) fn longjmp(&mut self, e: hir::Expr, args: &[hir::Expr]) {
        let values = self.arguments(args);
        self.classify_call(e, args);
        let Some((to, value)) = self.jumps.as_ref().map(|j| (j.to, j.value)) else {
            return;
        };
        let class = self.arg_classes.first().copied().unwrap_or(0);
        if self.is_outside(class) {
            return;
        }
        let buffer = self.save(values[0].0);
        let word = u64::from(self.ptr / 8);
        self.check_access(buffer, word);
        let stamp = self.load_bytes(class, buffer, word);
        let stamp = self.save(stamp);
        let zero = self.ptr_const(0);
        let known = self.p.pool.ne(stamp, zero);
        self.check_landing(known, "a 'longjmp' to where 'setjmp' has not been");
        self.assign(to, stamp);
        let result = self.resize(values[1].0, 32, true);
        let (none, one) = (self.p.pool.num(32, 0), self.p.pool.num(32, 1));
        let is_none = self.p.pool.eq(result, none);
        let result = self.p.pool.ite(is_none, one, result);
        self.assign(value, result);
        self.unwind();
    }

    fn check_landing(&mut self, ok: Term, reason: &str) {
        match self.props.valid_deref {
            true => self.check(ok, "valid-deref"),
            false => self.require(ok, reason),
        }
    }

    /// Leaves the function for the place to go to.
    fn unwind(&mut self) {
        let catches = match (&self.jumps, self.f.func) {
            (Some(jumps), Some(f)) => jumps.catchers.contains(&f),
            _ => false,
        };
        if !catches {
            return self.return_at_once();
        }
        let pad = match self.f.pad {
            Some(pad) => pad,
            None => self.new_loc(),
        };
        self.f.pad = Some(pad);
        self.goto(pad);
    }

    /// Behind a call: it may have ended by a jump.
    pub(super) fn after_call(&mut self, callee: hir::Func) {
        let Some(jumps) = self.jumps.as_ref().filter(|j| j.jumpers.contains(&callee)) else {
            return;
        };
        let to = jumps.to;
        let (to, zero) = (self.p.pool.var(to), self.ptr_const(0));
        let returned = self.p.pool.eq(to, zero);
        let (goes_on, jumps) = self.branch(returned);
        self.resume(jumps);
        self.unwind();
        self.resume(goes_on);
    }

    /// Nothing may be jumping any more: its function has returned.
    pub(super) fn nothing_jumps(&mut self) {
        if let Some(to) = self.jumps.as_ref().map(|j| j.to) {
            let (to, zero) = (self.p.pool.var(to), self.ptr_const(0));
            let landed = self.p.pool.eq(to, zero);
            self.check_landing(landed, "a 'longjmp' to a function that has returned");
        }
    }

    /// Where jumps come to in a function with places to come back to; at the end of its body.
    pub(super) fn land(&mut self) {
        let Some(pad) = self.f.pad.take() else { return };
        let Some((to, value)) = self.jumps.as_ref().map(|j| (j.to, j.value)) else {
            return;
        };
        self.at(pad);
        for landing in std::mem::take(&mut self.f.landings) {
            let (wanted, number) = (self.p.pool.var(to), self.p.pool.var(landing.number));
            let here = self.p.pool.eq(wanted, number);
            let (yes, no) = self.branch(here);
            self.resume(yes);
            let result = self.p.pool.var(value);
            let bits = self.p.pool.var_ty(landing.result).width().unwrap_or(32);
            let result = self.resize(result, bits, true);
            self.assign(landing.result, result);
            let zero = self.ptr_const(0);
            self.assign(to, zero);
            self.goto(landing.at);
            self.resume(no);
            self.f.numbers.push(landing.number);
        }
        self.return_at_once();
    }
}
