//! Which objects may be read before anything has set them.
//!
//! A value that nothing has set may be any address, also one that the program knows; [`super::pointsto`]
//! must hear of it. For scalars in registers this is the definite assignment of Java (JLS 16), as a
//! forward analysis of what has been set on all ways to a statement: jumps carry their state to the
//! label, and the body is walked again until no label or loop hears of less. Whatever else has no
//! initialiser (arrays, structs, objects in memory) counts as read too early.

use crate::hir::{self, ExprKind as H, Hir, StmtKind as S, UnOp};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// What may be read before it is set.
#[derive(Default)]
pub struct Unset {
    /// Locals.
    pub vars: Vec<hir::Var>,
    /// Functions that may end without a result.
    pub results: Vec<hir::Func>,
}

impl Unset {
    /// Analyses all functions.
    pub fn new(hir: &Hir, in_memory: &SecondaryMap<hir::Var, bool>) -> Unset {
        let mut unset = Unset::default();
        for (f, data) in hir.funcs.iter() {
            let Some(body) = data.body else { continue };
            let mut walk = Assigned {
                hir,
                in_memory,
                numbers: FxHashMap::default(),
                now: Some(Vec::new()),
                labels: FxHashMap::default(),
                loops: FxHashMap::default(),
                breaks: Vec::new(),
                continues: Vec::new(),
                switches: Vec::new(),
                changed: true,
                found: FxHashSet::default(),
                no_result: false,
            };
            while std::mem::take(&mut walk.changed) {
                walk.now = Some(Vec::new());
                walk.stmt(body);
            }
            let returns = hir
                .types
                .function_of(data.ty)
                .is_some_and(|t| t.ret.ty != hir.types.void);
            if returns && data.name != "main" && (walk.no_result || walk.now.is_some()) {
                unset.results.push(f);
            }
            unset.vars.extend(walk.found);
        }
        unset.vars.sort_unstable();
        unset
    }
}

/// The variables that are set, by number; what is missing at the end is not. `None` where control
/// cannot come.
type State = Option<Vec<bool>>;

fn meet(a: State, b: &State) -> State {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.truncate(b.len());
            a.iter_mut().zip(b).for_each(|(x, y)| *x &= y);
            Some(a)
        }
        (None, b) => b.clone(),
        (a, None) => a,
    }
}

struct Assigned<'a> {
    hir: &'a Hir,
    in_memory: &'a SecondaryMap<hir::Var, bool>,
    numbers: FxHashMap<hir::Var, usize>,
    now: State,
    labels: FxHashMap<hir::Label, State>,
    /// What comes back to the head of a loop.
    loops: FxHashMap<hir::Stmt, State>,
    breaks: Vec<State>,
    continues: Vec<State>,
    switches: Vec<State>,
    changed: bool,
    found: FxHashSet<hir::Var>,
    no_result: bool,
}

impl Assigned<'_> {
    fn is_tracked(&self, var: hir::Var) -> bool {
        self.hir.types.is_scalar(self.hir.vars[var].ty.ty) && !self.in_memory[var]
    }

    fn set(&mut self, var: hir::Var, value: bool) {
        let next = self.numbers.len();
        let at = *self.numbers.entry(var).or_insert(next);
        if let Some(now) = &mut self.now {
            if now.len() <= at {
                now.resize(at + 1, false);
            }
            now[at] = value;
        }
    }

    fn read(&mut self, var: hir::Var) {
        let local = self.hir.vars[var].storage == hir::Storage::Local;
        let Some(now) = &self.now else { return };
        if local && self.is_tracked(var) {
            let set = self.numbers.get(&var).and_then(|at| now.get(*at));
            if set != Some(&true) {
                self.found.insert(var);
            }
        }
    }

    // Statements.

    fn stmt(&mut self, s: hir::Stmt) {
        let hir = self.hir;
        match &hir.stmts[s].kind {
            // The variable of a cleanup is in memory, as its address is taken.
            S::Empty | S::Asm | S::Cleanup(_) => {}
            S::Expr(e) => self.expr(*e),
            S::Decl { var, init } => self.declaration(*var, init.as_ref()),
            S::VlaLen(id) => self.expr(hir.vlas[*id as usize]),
            S::Block(list) => list.iter().for_each(|s| self.stmt(*s)),
            S::If { cond, then, other } => {
                let (yes, no) = self.cond(*cond);
                self.now = yes;
                self.stmt(*then);
                let yes = std::mem::replace(&mut self.now, no);
                if let Some(other) = other {
                    self.stmt(*other);
                }
                self.now = meet(yes, &self.now);
            }
            S::While { cond, body } => self.repeat(s, Some(*cond), *body, None),
            S::For {
                init,
                cond,
                step,
                body,
            } => {
                init.iter().for_each(|s| self.stmt(*s));
                self.repeat(s, *cond, *body, *step);
            }
            S::DoWhile { body, cond } => {
                self.enter_loop(s);
                self.breaks.push(None);
                self.continues.push(None);
                self.stmt(*body);
                let next = self.continues.pop().flatten();
                self.now = meet(self.now.take(), &next);
                let (yes, no) = self.cond(*cond);
                self.come_back(s, &yes);
                let end = self.breaks.pop().flatten();
                self.now = meet(no, &end);
            }
            S::Switch {
                value,
                default,
                body,
                ..
            } => {
                self.expr(*value);
                let start = self.now.take();
                self.switches.push(start.clone());
                self.breaks.push(None);
                self.stmt(*body);
                self.switches.pop();
                let end = self.breaks.pop().flatten();
                self.now = meet(self.now.take(), &end);
                if default.is_none() {
                    self.now = meet(self.now.take(), &start);
                }
            }
            S::Case(_, body) => {
                let start = self.switches.last().cloned().flatten();
                self.now = meet(self.now.take(), &start);
                self.stmt(*body);
            }
            S::Label(label, body) => {
                let from = self.labels.get(label).cloned().flatten();
                self.now = meet(self.now.take(), &from);
                self.stmt(*body);
            }
            S::Goto(label) => {
                self.jump(*label);
                self.now = None;
            }
            S::GotoComputed(e) => {
                self.expr(*e);
                for (label, data) in hir.labels.iter() {
                    if data.address_taken {
                        self.jump(label);
                    }
                }
                self.now = None;
            }
            S::Break => leave(&mut self.breaks, self.now.take()),
            S::Continue => leave(&mut self.continues, self.now.take()),
            S::Return(value) => {
                match value {
                    Some(e) => self.expr(*e),
                    None => self.no_result |= self.now.is_some(),
                }
                self.now = None;
            }
        }
    }

    fn declaration(&mut self, var: hir::Var, init: Option<&hir::Init>) {
        if let Some(init) = init {
            self.init(init);
        } else if !self.is_tracked(var) {
            self.found.insert(var);
        }
        self.set(var, init.is_some());
    }

    fn init(&mut self, init: &hir::Init) {
        for item in &init.items {
            self.expr(item.value);
        }
    }

    fn repeat(
        &mut self,
        s: hir::Stmt,
        cond: Option<hir::Expr>,
        body: hir::Stmt,
        step: Option<hir::Expr>,
    ) {
        self.enter_loop(s);
        let (yes, no) = match cond {
            Some(cond) => self.cond(cond),
            None => (self.now.take(), None),
        };
        self.now = yes;
        self.breaks.push(None);
        self.continues.push(None);
        self.stmt(body);
        let next = self.continues.pop().flatten();
        self.now = meet(self.now.take(), &next);
        if let Some(step) = step {
            self.expr(step);
        }
        let back = self.now.take();
        self.come_back(s, &back);
        let end = self.breaks.pop().flatten();
        self.now = meet(no, &end);
    }

    fn enter_loop(&mut self, s: hir::Stmt) {
        let back = self.loops.get(&s).cloned().flatten();
        self.now = meet(self.now.take(), &back);
    }

    fn come_back(&mut self, s: hir::Stmt, state: &State) {
        let old = self.loops.get(&s).cloned().flatten();
        let new = meet(old.clone(), state);
        if new != old {
            self.changed = true;
            self.loops.insert(s, new);
        }
    }

    fn jump(&mut self, label: hir::Label) {
        let old = self.labels.get(&label).cloned().flatten();
        let new = meet(old.clone(), &self.now);
        if new != old {
            self.changed = true;
            self.labels.insert(label, new);
        }
    }

    // Expressions.

    /// What is set where a condition holds, and where not.
    fn cond(&mut self, e: hir::Expr) -> (State, State) {
        match &self.hir.exprs[e].kind {
            H::Unary(UnOp::Not, a) => {
                let (yes, no) = self.cond(*a);
                (no, yes)
            }
            H::And(a, b) => {
                let (yes, no) = self.cond(*a);
                self.now = yes;
                let (yes, other) = self.cond(*b);
                (yes, meet(no, &other))
            }
            H::Or(a, b) => {
                let (yes, no) = self.cond(*a);
                self.now = no;
                let (other, no) = self.cond(*b);
                (meet(yes, &other), no)
            }
            H::Int(0) => (None, self.now.take()),
            H::Int(_) => (self.now.take(), None),
            _ => {
                self.expr(e);
                let state = self.now.take();
                (state.clone(), state)
            }
        }
    }

    fn expr(&mut self, e: hir::Expr) {
        let hir = self.hir;
        match &hir.exprs[e].kind {
            H::And(..) | H::Or(..) => {
                let (yes, no) = self.cond(e);
                self.now = meet(yes, &no);
            }
            H::Cond(c, a, b) => {
                let (yes, no) = self.cond(*c);
                self.now = yes;
                self.expr(*a);
                let yes = std::mem::replace(&mut self.now, no);
                self.expr(*b);
                self.now = meet(yes, &self.now);
            }
            H::CondOmitted(a, b) => {
                self.expr(*a);
                let before = self.now.clone();
                self.expr(*b);
                self.now = meet(before, &self.now);
            }
            H::Assign(lhs, rhs) => match hir.exprs[*lhs].kind {
                H::Var(v) => {
                    self.expr(*rhs);
                    self.set(v, true);
                }
                _ => {
                    self.expr(*lhs);
                    self.expr(*rhs);
                }
            },
            H::Var(v) => self.read(*v),
            H::StmtExpr { body, value } => {
                body.iter().for_each(|s| self.stmt(*s));
                if let Some(value) = value {
                    self.expr(*value);
                }
            }
            H::CompoundLit { init, .. } => self.init(init),
            H::Call { callee, args } => {
                args.iter().for_each(|a| self.expr(*a));
                match hir.exprs[*callee].kind {
                    H::FuncAddr(f) if hir.funcs[f].noreturn => self.now = None,
                    H::FuncAddr(_) => {}
                    _ => self.expr(*callee),
                }
            }
            kind => super::escape::for_each_child(kind, |c| self.expr(c)),
        }
    }
}

/// Leads out of the innermost statement of a kind.
fn leave(targets: &mut [State], state: State) {
    if let Some(target) = targets.last_mut() {
        *target = meet(target.take(), &state);
    }
}
