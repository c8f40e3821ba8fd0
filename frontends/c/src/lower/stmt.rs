//! Statements and function bodies.

use super::fault::Fault;
use super::flow::{Flow, Jump};
use super::{Lowerer, memory};
use crate::hir::{self, StmtKind as S};
use trellis_ivl::{Loc, Type, Var};

impl Lowerer<'_> {
    /// Lowers the body of a function into its procedure.
    pub(super) fn function(&mut self, f: hir::Func) {
        let hir = self.hir;
        let data = &hir.funcs[f];
        let (Some(body), Some(info)) = (data.body, self.procs.get(&f).copied()) else {
            return;
        };
        let span = self.span(data.span);
        let entry = self.p.procs[info.proc].entry;
        let exit = self.p.add_loc(info.proc, span);
        let start = self.p.add_loc(info.proc, span);
        self.f = Flow {
            proc: info.proc,
            cur: Some(start),
            span,
            func: Some(f),
            ret: info.ret,
            exit,
            ..Flow::default()
        };
        self.f.scopes.push(Vec::new());
        let params = self.p.procs[info.proc].params.clone();
        for (param, incoming) in data.params.iter().zip(params) {
            self.receive(*param, incoming);
        }
        if hir.types.function_of(data.ty).is_some_and(|t| t.variadic) {
            let handover = self.va_handover();
            let value = self.p.pool.var(handover);
            let area = self.temp(Type::Bv(self.ptr));
            self.assign(area, value);
            self.f.va = Some(area);
        }
        self.stmt(body);
        if self.live() {
            // Falling off the end; the result is arbitrary unless this is main, which returns 0.
            if let Some(ret) = self.f.ret {
                if data.name == "main" {
                    let bits = self.p.pool.var_ty(ret).width().unwrap_or(32);
                    let zero = self.p.pool.num(bits, 0);
                    self.assign(ret, zero);
                } else {
                    self.havoc(ret, "missing return value");
                    self.note_return(false);
                }
            }
            self.leave_scopes(0);
            self.goto(exit);
        }
        self.f.numbers.clear();
        self.land();
        self.p.procs[info.proc].exit = Some(exit);
        // A jump may pass by a declaration; what it would have made arbitrary is so from the start.
        let skipped = std::mem::take(&mut self.f.skippable);
        let unset = self.unset_at_start(&skipped);
        let items: Vec<_> = skipped
            .into_iter()
            .map(|var| {
                let ty = self.p.pool.var_ty(var);
                let name = self.p.pool.var_data(var).name.clone();
                (var, self.p.add_input(name, ty, span))
            })
            .collect();
        let cmd = if self.f.jumps {
            self.p.cmds.havoc(&items)
        } else {
            self.p.cmds.skip()
        };
        let zero = self.ptr_const(0);
        let mut first = vec![cmd];
        if !unset.is_empty() {
            first.push(self.p.cmds.assign_all(&unset));
        }
        for number in std::mem::take(&mut self.f.numbers) {
            first.push(self.p.cmds.assign(number, zero));
        }
        let cmd = self.p.cmds.seq(&first);
        self.p.add_edge(entry, start, cmd, span);
    }

    /// Puts an incoming argument where the parameter lives.
    fn receive(&mut self, param: hir::Var, incoming: Var) {
        let hir = self.hir;
        let ty = hir.vars[param].ty.ty;
        if !self.facts.in_memory[param] && hir.types.is_scalar(ty) {
            return;
        }
        self.bring_to_life(param);
        let place = self.var_place(param);
        let value = self.p.pool.var(incoming);
        // The object is alive by construction; no check is wanted.
        let checks = std::mem::replace(&mut self.props.valid_deref, false);
        self.store_place(&place, ty, value);
        self.props.valid_deref = checks;
    }

    pub(super) fn vla_len(&mut self, id: u32) -> trellis_ivl::Term {
        let var = match self.vla_lens.get(&id) {
            Some(v) => *v,
            None => {
                let v = self.p.add_local(
                    self.f.proc,
                    format!("len{id}"),
                    Type::Bv(self.ptr),
                    self.f.span,
                );
                self.vla_lens.insert(id, v);
                v
            }
        };
        self.p.pool.var(var)
    }

    pub(super) fn stmt(&mut self, s: hir::Stmt) {
        let hir = self.hir;
        let data = &hir.stmts[s];
        if !matches!(
            data.kind,
            S::Block(_) | S::Empty | S::Label(..) | S::Case(..)
        ) {
            self.flush();
            self.f.span = self.span(data.span);
        }
        match &data.kind {
            S::Empty => {}
            S::Expr(e) => self.effect(*e),
            S::Decl { var, init } => self.declare(*var, init.as_ref()),
            S::VlaLen(id) => {
                let len = self.vla_len(*id);
                let value = self.value(hir.vlas[*id as usize]);
                if self.props.valid_deref {
                    // Zero is an extension of gcc.
                    let zero = self.ptr_const(0);
                    let ok = self.p.pool.bvsle(zero, value);
                    self.about(Fault::Length { value });
                    self.check(ok, "valid-deref");
                }
                if let Some(var) = self.p.pool.as_var(len) {
                    self.assign(var, value);
                }
            }
            S::Block(list) => {
                self.f.scopes.push(Vec::new());
                self.bring_jumped_over_to_life(list);
                for stmt in list {
                    self.stmt(*stmt);
                }
                let depth = self.f.scopes.len() - 1;
                self.leave_scopes(depth);
                self.close_scopes(depth);
            }
            S::If { cond, then, other } => self.if_stmt(*cond, *then, *other),
            S::While { cond, body } => self.loop_stmt(Some(*cond), *body, None),
            S::DoWhile { body, cond } => self.do_while(*body, *cond),
            S::For {
                init,
                cond,
                step,
                body,
            } => {
                self.f.scopes.push(Vec::new());
                for stmt in init {
                    self.stmt(*stmt);
                }
                self.flush();
                self.f.span = self.span(data.span);
                self.loop_stmt(*cond, *body, *step);
                let depth = self.f.scopes.len() - 1;
                self.leave_scopes(depth);
                self.close_scopes(depth);
            }
            S::Switch {
                value,
                cases,
                default,
                body,
            } => self.switch(*value, cases, *default, *body),
            S::Cleanup(e) => self.f.cleanups.push((self.f.scopes.len() - 1, *e)),
            S::Case(case, body) => {
                let around = self.f.switch_cleanups.last().copied().unwrap_or(0);
                if let Some(loc) = self.f.cases.get(case).copied() {
                    self.labelled(loc, around);
                }
                self.stmt(*body);
            }
            S::Label(label, body) => {
                let loc = self.label_loc(*label);
                self.labelled(loc, 0);
                self.stmt(*body);
            }
            S::Goto(label) => {
                if !self.f.cleanups.is_empty() {
                    return self.jump_past_cleanup();
                }
                self.f.jumps = true;
                let loc = self.label_loc(*label);
                self.goto(loc);
            }
            S::GotoComputed(e) => {
                if !self.f.cleanups.is_empty() {
                    return self.jump_past_cleanup();
                }
                let to = self.value(*e);
                self.computed_goto(to);
            }
            S::Break => {
                if let Some(jump) = self.f.breaks.last().copied() {
                    self.leave_scopes(jump.scopes);
                    self.goto(jump.to);
                }
            }
            S::Continue => {
                if let Some(jump) = self.f.continues.last().copied() {
                    self.leave_scopes(jump.scopes);
                    self.goto(jump.to);
                }
            }
            S::Return(value) => self.return_stmt(*value),
            S::Asm => self.incomplete("inline assembly"),
        }
    }

    /// The statements of a statement expression, which is no block of its own here.
    pub(super) fn statements(&mut self, body: &[hir::Stmt]) {
        let hir = self.hir;
        let cleans = |s: &hir::Stmt| matches!(hir.stmts[*s].kind, S::Cleanup(_));
        if body.iter().any(cleans) {
            self.incomplete("attribute 'cleanup' in a statement expression");
        }
        for stmt in body {
            self.stmt(*stmt);
        }
    }

    /// The constant that stands for a label's address.
    pub(super) fn label_address(&mut self, label: hir::Label) -> trellis_ivl::Term {
        let number = (self.code.len() + self.label_codes.len()) as u64;
        let next = self.mem.code(number);
        let address = *self.label_codes.entry(label).or_insert(next);
        self.ptr_const(address)
    }

    /// A case for every label of the function whose address is taken.
    fn computed_goto(&mut self, to: trellis_ivl::Term) {
        let hir = self.hir;
        self.f.jumps = true;
        let to = self.save(to);
        for (label, data) in hir.labels.iter() {
            if !data.address_taken || data.owner != self.f.func {
                continue;
            }
            let address = self.label_address(label);
            let is_it = self.p.pool.eq(to, address);
            let (yes, no) = self.branch(is_it);
            let loc = self.label_loc(label);
            self.resume(yes);
            self.goto(loc);
            self.resume(no);
        }
        self.incomplete("a computed goto to no label of the function");
    }

    /// An object lives from the start of its block on. That matters where a label follows its
    /// declaration: a jump there passes by what would bring it to life.
    fn bring_jumped_over_to_life(&mut self, list: &[hir::Stmt]) {
        let hir = self.hir;
        let kind = |s: &hir::Stmt| &hir.stmts[*s].kind;
        let label = |s| matches!(kind(s), S::Label(..) | S::Case(..));
        let Some(last) = list.iter().rposition(label) else {
            return;
        };
        if self.mem.state.is_none() {
            return;
        }
        for stmt in &list[..last] {
            if let S::Decl { var, .. } = kind(stmt)
                && self.facts.in_memory[*var]
                && self.is_static_slot(*var)
            {
                self.bring_to_life(*var);
            }
        }
    }

    fn label_loc(&mut self, label: hir::Label) -> Loc {
        if let Some(loc) = self.f.labels.get(&label) {
            return *loc;
        }
        let loc = self.new_loc();
        self.p.locs[loc].name = Some(self.hir.labels[label].name.as_str().into());
        self.f.labels.insert(label, loc);
        loc
    }

    /// A label, where control comes from above and from jumps. There are so many cleanups where the jumps start.
    fn labelled(&mut self, loc: Loc, cleanups: usize) {
        if self.f.cleanups.len() <= cleanups {
            return self.fall_into(loc);
        }
        self.flush();
        let here = self.f.cur;
        self.at(loc);
        self.jump_past_cleanup();
        self.resume(here);
    }

    /// A jump to or from where a variable with the attribute `cleanup` is in scope.
    fn jump_past_cleanup(&mut self) {
        self.incomplete("a jump where a variable with attribute 'cleanup' is in scope");
    }

    /// Forgets scopes from `depth` up.
    fn close_scopes(&mut self, depth: usize) {
        self.f.scopes.truncate(depth);
        self.f.cleanups.retain(|(at, _)| *at < depth);
    }

    /// Leaves scopes from `depth` up: what is to be called then, and the ends of lives.
    fn leave_scopes(&mut self, depth: usize) {
        if !self.live() {
            return;
        }
        let calls = self.f.cleanups.iter().rev();
        let calls: Vec<hir::Expr> = calls
            .filter(|(at, _)| *at >= depth)
            .map(|(_, e)| *e)
            .collect();
        for call in calls {
            self.effect(call);
        }
        self.end_lives(depth);
    }

    /// Ends the lives of memory objects in scopes from `depth` up.
    fn end_lives(&mut self, depth: usize) {
        if self.mem.state.is_none() || !self.live() {
            return;
        }
        let bases: Vec<Var> = self.f.scopes[depth..]
            .iter()
            .rev()
            .flatten()
            .copied()
            .collect();
        for base in bases {
            let addr = self.p.pool.var(base);
            self.set_slot(addr, memory::DEAD, None);
        }
    }

    /// Returns with any result.
    pub(super) fn return_at_once(&mut self) {
        if let Some(ret) = self.f.ret {
            self.havoc(ret, "no return value");
            self.note_return(true);
        }
        self.end_lives(0);
        let exit = self.f.exit;
        self.goto(exit);
    }

    fn return_stmt(&mut self, value: Option<hir::Expr>) {
        match (value, self.f.ret) {
            (Some(e), Some(ret)) => {
                let value = self.value(e);
                self.assign(ret, value);
                self.note_return(true);
            }
            (Some(e), None) => self.effect(e),
            (None, Some(ret)) => {
                self.havoc(ret, "missing return value");
                self.note_return(false);
            }
            (None, None) => {}
        }
        self.leave_scopes(0);
        let exit = self.f.exit;
        self.goto(exit);
    }

    fn if_stmt(&mut self, cond: hir::Expr, then: hir::Stmt, other: Option<hir::Stmt>) {
        let span = self.f.span;
        let (yes, no) = self.jump_if(cond);
        self.resume(yes);
        self.stmt(then);
        let yes = self.end_arm();
        self.resume(no);
        if let Some(other) = other {
            self.stmt(other);
        }
        let no = self.end_arm();
        // Both arms end here: neither the statement of one nor of the other.
        self.f.span = span;
        self.join(yes, no);
    }

    fn loop_stmt(&mut self, cond: Option<hir::Expr>, body: hir::Stmt, step: Option<hir::Expr>) {
        let head = self.new_loc();
        let next = if step.is_some() { self.new_loc() } else { head };
        let end = self.new_loc();
        let span = self.f.span;
        // A loop that control reaches only through labels inside is lowered all the same.
        self.fall_into(head);
        if let Some(cond) = cond {
            let (yes, no) = self.jump_if(cond);
            self.resume(no);
            self.goto(end);
            self.resume(yes);
        }
        let scopes = self.f.scopes.len();
        self.f.breaks.push(Jump { to: end, scopes });
        self.f.continues.push(Jump { to: next, scopes });
        self.stmt(body);
        self.f.breaks.pop();
        self.f.continues.pop();
        self.goto(next);
        self.f.span = span;
        if let Some(step) = step {
            self.at(next);
            self.effect(step);
            self.goto(head);
        }
        self.at(end);
    }

    fn do_while(&mut self, body: hir::Stmt, cond: hir::Expr) {
        let head = self.new_loc();
        let test = self.new_loc();
        let end = self.new_loc();
        let span = self.f.span;
        self.fall_into(head);
        let scopes = self.f.scopes.len();
        self.f.breaks.push(Jump { to: end, scopes });
        self.f.continues.push(Jump { to: test, scopes });
        self.stmt(body);
        self.f.breaks.pop();
        self.f.continues.pop();
        self.fall_into(test);
        self.f.span = span;
        let (yes, no) = self.jump_if(cond);
        self.resume(yes);
        self.goto(head);
        self.resume(no);
        self.goto(end);
        self.at(end);
    }

    fn switch(
        &mut self,
        value: hir::Expr,
        cases: &[hir::Case],
        default: Option<hir::Case>,
        body: hir::Stmt,
    ) {
        let hir = self.hir;
        self.f.jumps = true;
        if let S::Block(list) = &hir.stmts[body].kind {
            self.bring_jumped_over_to_life(list);
        }
        let ty = hir.ty(value);
        let (bits, signed) = (self.bits(ty), hir.types.is_signed(ty));
        let v = self.value(value);
        let v = self.save(v);
        let end = self.new_loc();
        for case in cases {
            let data = hir.cases[*case];
            let loc = self.new_loc();
            self.f.cases.insert(*case, loc);
            let low = self.constant(bits, data.low);
            let hit = if data.low == data.high {
                self.p.pool.eq(v, low)
            } else {
                let high = self.constant(bits, data.high);
                let (a, b) = if signed {
                    (self.p.pool.bvsle(low, v), self.p.pool.bvsle(v, high))
                } else {
                    (self.p.pool.bvule(low, v), self.p.pool.bvule(v, high))
                };
                self.p.pool.and(a, b)
            };
            let (yes, no) = self.branch(hit);
            self.resume(yes);
            self.goto(loc);
            self.resume(no);
        }
        match default {
            Some(case) => {
                let loc = self.new_loc();
                self.f.cases.insert(case, loc);
                self.goto(loc);
            }
            None => self.goto(end),
        }
        self.resume(None);
        let scopes = self.f.scopes.len();
        self.f.breaks.push(Jump { to: end, scopes });
        self.f.switch_cleanups.push(self.f.cleanups.len());
        self.stmt(body);
        self.f.switch_cleanups.pop();
        self.f.breaks.pop();
        self.goto(end);
        self.at(end);
    }
}
