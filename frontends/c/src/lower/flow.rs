//! The control-flow automaton under construction.

use super::Lowerer;
use super::fault::{Check, Fault};
use crate::assumptions::Assumption;
use crate::hir;
use crate::library::VAGUE;
use rustc_hash::FxHashMap;
use trellis_ivl::{Cmd, Loc, Proc, Span, Term, Type, Var};

/// Where `break` and `continue` lead, with the depth of the scopes around.
#[derive(Clone, Copy)]
pub struct Jump {
    /// Where to.
    pub to: Loc,
    /// Scopes to keep open.
    pub scopes: usize,
}

/// State of the procedure being built.
pub struct Flow {
    /// The procedure.
    pub proc: Proc,
    /// The function of C.
    pub func: Option<hir::Func>,
    /// Where we are; `None` where control cannot come.
    pub cur: Option<Loc>,
    /// Commands not yet on an edge.
    pub pending: Vec<Cmd>,
    /// Place of the statement at hand.
    pub span: Span,
    /// The expression at hand.
    pub expr: Option<crate::source::Span>,
    /// Innermost last.
    pub breaks: Vec<Jump>,
    /// Innermost last.
    pub continues: Vec<Jump>,
    /// Labels met so far.
    pub labels: FxHashMap<hir::Label, Loc>,
    /// Cases of the switches around.
    pub cases: FxHashMap<hir::Case, Loc>,
    /// The result.
    pub ret: Option<Var>,
    /// Where the arguments without parameters are.
    pub va: Option<Var>,
    /// Where the procedure returns.
    pub exit: Loc,
    /// Base variables of memory objects per open block.
    pub scopes: Vec<Vec<Var>>,
    /// Calls that the way out of a block leads through, with the number of the block.
    pub cleanups: Vec<(usize, hir::Expr)>,
    /// How many of them there were where the switches around began.
    pub switch_cleanups: Vec<usize>,
    /// Locals of inner blocks, whose declarations a jump may skip.
    pub skippable: Vec<Var>,
    /// Whether there is any goto or switch.
    pub jumps: bool,
    /// Temporaries made so far.
    pub temps: u32,
    /// Places that jumps out of other functions may come back to.
    pub landings: Vec<super::jump::Landing>,
    /// Where such jumps arrive.
    pub pad: Option<Loc>,
    /// What tells the places apart; none is known when the function begins.
    pub numbers: Vec<Var>,
}

impl Default for Flow {
    fn default() -> Self {
        Flow {
            proc: Proc::from_u32(0),
            func: None,
            cur: None,
            pending: Vec::new(),
            span: Span::NONE,
            expr: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            ret: None,
            va: None,
            exit: Loc::from_u32(0),
            scopes: Vec::new(),
            cleanups: Vec::new(),
            switch_cleanups: Vec::new(),
            skippable: Vec::new(),
            jumps: false,
            temps: 0,
            landings: Vec::new(),
            pad: None,
            numbers: Vec::new(),
        }
    }
}

impl Lowerer<'_> {
    /// Whether control can come here.
    pub(super) fn live(&self) -> bool {
        self.f.cur.is_some()
    }

    pub(super) fn emit(&mut self, cmd: Cmd) {
        if self.live() {
            self.f.pending.push(cmd);
        }
    }

    pub(super) fn assign(&mut self, var: Var, value: Term) {
        if self.live() {
            let cmd = self.p.cmds.assign(var, value);
            self.f.pending.push(cmd);
        }
    }

    pub(super) fn assume(&mut self, cond: Term) {
        if self.live() && self.p.pool.as_bool(cond) != Some(true) {
            let cmd = self.p.cmds.assume(cond);
            self.f.pending.push(cmd);
        }
    }

    /// Gives a variable any value; `name` says where it comes from.
    pub(super) fn havoc(&mut self, var: Var, name: &str) {
        if self.live() {
            let ty = self.p.pool.var_ty(var);
            let input = self.p.add_input(name, ty, self.f.span);
            let cmd = self.p.cmds.havoc(&[(var, input)]);
            self.f.pending.push(cmd);
        }
    }

    pub(super) fn new_loc(&mut self) -> Loc {
        self.p.add_loc(self.f.proc, self.f.span)
    }

    /// Ends the edge at hand, so that what follows is on another.
    pub(super) fn flush(&mut self) {
        if !self.f.pending.is_empty() {
            let to = self.new_loc();
            self.goto(to);
            self.f.cur = Some(to);
        }
    }

    /// Leads to `to`; afterwards control is nowhere.
    pub(super) fn goto(&mut self, to: Loc) {
        let pending = std::mem::take(&mut self.f.pending);
        if let Some(from) = self.f.cur.take() {
            let cmd = self.p.cmds.seq(&pending);
            self.p.add_edge(from, to, cmd, self.f.span);
        }
    }

    /// Continues at `loc`, coming from here too.
    pub(super) fn fall_into(&mut self, loc: Loc) {
        self.goto(loc);
        self.f.cur = Some(loc);
    }

    /// Continues at `loc`; control does not come from here.
    pub(super) fn at(&mut self, loc: Loc) {
        self.f.pending.clear();
        self.f.cur = Some(loc);
    }

    /// Splits on a condition: the locations where it holds and where not.
    pub(super) fn branch(&mut self, cond: Term) -> (Option<Loc>, Option<Loc>) {
        match self.p.pool.as_bool(cond) {
            Some(true) => {
                self.flush();
                return (self.f.cur.take(), None);
            }
            Some(false) => {
                self.flush();
                return (None, self.f.cur.take());
            }
            None => {}
        }
        self.flush();
        let Some(from) = self.f.cur.take() else {
            return (None, None);
        };
        let not = self.p.pool.not(cond);
        let arm = |this: &mut Self, cond: Term| {
            let to = this.new_loc();
            let cmd = this.p.cmds.assume(cond);
            this.p.add_edge(from, to, cmd, this.f.span);
            Some(to)
        };
        (arm(self, cond), arm(self, not))
    }

    /// Control goes on from `loc`, if any.
    pub(super) fn resume(&mut self, loc: Option<Loc>) {
        self.f.pending.clear();
        self.f.cur = loc;
    }

    /// The place of the expression at hand, or of the statement where there is none.
    fn here(&mut self) -> Span {
        let statement = self.f.span;
        match self.f.expr {
            Some(span) => self.span(span).or(statement),
            None => statement,
        }
    }

    /// The property holds if `ok`; otherwise an error location is reached.
    pub(super) fn check(&mut self, ok: Term, property: &str) {
        let fault = self.fault.take();
        if !self.live() || self.p.pool.as_bool(ok) == Some(true) {
            return;
        }
        self.flush();
        let Some(from) = self.f.cur else { return };
        let mut bad = self.p.pool.not(ok);
        let span = self.here();
        if let Some(flag) = self.approximate {
            let vague = self.p.pool.var(flag);
            let reason = format!("{VAGUE}: {property}");
            let loc = self.p.add_incomplete(self.f.proc, &*reason, span);
            let both = self.p.pool.and(bad, vague);
            let cmd = self.p.cmds.assume(both);
            self.p.add_edge(from, loc, cmd, span);
            let sure = self.p.pool.not(vague);
            bad = self.p.pool.and(bad, sure);
        }
        let error = self.p.add_error(self.f.proc, property, span);
        self.note(error, fault);
        let cmd = self.p.cmds.assume(bad);
        self.p.add_edge(from, error, cmd, span);
        self.assume(ok);
    }

    /// Keeps what goes wrong at an error location.
    fn note(&mut self, error: Loc, fault: Option<Fault>) {
        let end = self
            .f
            .expr
            .map(|e| crate::source::Span::new(e.hi.saturating_sub(1), e.hi));
        let end = end.map_or(Span::NONE, |end| self.span(end));
        let fault = fault.unwrap_or(Fault::Other);
        self.checks.insert(error, Check { fault, end });
    }

    /// The model goes on only if `ok`; otherwise it is incomplete for `reason`.
    pub(super) fn require(&mut self, ok: Term, reason: &str) {
        self.fault = None;
        if !self.live() || self.p.pool.as_bool(ok) == Some(true) {
            return;
        }
        self.flush();
        let Some(from) = self.f.cur else { return };
        let bad = self.p.pool.not(ok);
        let loc = self.p.add_incomplete(self.f.proc, reason, self.f.span);
        let cmd = self.p.cmds.assume(bad);
        self.p.add_edge(from, loc, cmd, self.f.span);
        self.assume(ok);
    }

    /// The model ends here.
    pub(super) fn incomplete(&mut self, reason: &str) {
        if self.live() {
            let span = self.here();
            let loc = self.p.add_incomplete(self.f.proc, reason, span);
            self.goto(loc);
        }
    }

    /// Rests on an assumption here, which is recorded with what it is about (a function, a variable) and the place.
    /// False where it is not granted: the caller models the alternative, or is incomplete.
    pub(super) fn take_for_granted(&mut self, which: Assumption, detail: &str) -> bool {
        if !self.live() {
            return true;
        }
        let granted = self.granted.has(which);
        if granted {
            let place = self.here();
            self.ledger.record(which, detail.to_owned(), place);
        }
        granted
    }

    /// The same where there is no other model: what is not granted is incomplete.
    pub(super) fn grant_or_give_up(&mut self, which: Assumption, detail: &str) {
        if !self.take_for_granted(which, detail) {
            self.incomplete(&format!("'{}' is not assumed: {detail}", which.name()));
        }
    }

    /// Executions for which `ok` does not hold are none that the assumption allows; where it is not granted, the model ends
    /// there.
    pub(super) fn suppose(&mut self, ok: Term, which: Assumption, detail: &str) {
        if !self.live() || self.p.pool.as_bool(ok) == Some(true) {
            return;
        }
        if self.take_for_granted(which, detail) {
            self.assume(ok);
        } else {
            self.require(ok, &format!("'{}' is not assumed: {detail}", which.name()));
        }
    }

    /// A property is violated here.
    pub(super) fn error_here(&mut self, property: &str) {
        if self.approximate.is_some() {
            let never = self.p.pool.fls();
            self.check(never, property);
            self.resume(None);
        }
        if self.live() {
            let span = self.here();
            let loc = self.p.add_error(self.f.proc, property, span);
            self.note(loc, None);
            self.goto(loc);
        }
    }

    /// The path ends here without violation.
    pub(super) fn stop(&mut self) {
        if self.live() {
            let loc = self.new_loc();
            self.goto(loc);
        }
    }

    pub(super) fn temp(&mut self, ty: Type) -> Var {
        self.f.temps += 1;
        let name = format!("tmp{}", self.f.temps);
        self.p.add_local(self.f.proc, name, ty, self.f.span)
    }

    /// Fixes the value of a term now, so that later effects do not change it.
    pub(super) fn save(&mut self, value: Term) -> Term {
        if self.p.pool.is_const(value) || !self.live() {
            return value;
        }
        let ty = self.p.pool.ty(value);
        let var = self.temp(ty);
        self.assign(var, value);
        self.p.pool.var(var)
    }
}
