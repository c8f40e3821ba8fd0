//! Facts about variables and how commands change them.

use crate::patricia::{Map, Maps, Sets};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use trellis_ivl::{Cmd, CmdView, Op, Program, Term, TermPool, Var};

/// What is known at one point of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// Variable to the term it equals.
    facts: Map,
    /// Variable to the set of variables whose fact may mention it: at least those that do.
    users: Map,
}

impl State {
    /// Nothing is known.
    pub const EMPTY: State = State {
        facts: Map::EMPTY,
        users: Map::EMPTY,
    };
}

/// The arenas of all states, and the transfer function of commands.
pub(super) struct Flow {
    facts: Maps<Var, Term>,
    users: Maps<Var, Map>,
    sets: Sets<Var>,
    limit: usize,
    /// Variables whose fact was looked up since this was last emptied.
    pub looked_up: Vec<Var>,
    /// Variables that got a fact since this was last emptied.
    pub learnt: Vec<Var>,
    memo: FxHashMap<Term, Term>,
    stack: Vec<Term>,
    /// Marks the targets of one parallel assignment by its number.
    target_of: SecondaryMap<Var, u32>,
    assignment: u32,
}

/// How many conjuncts of one assumption are searched for facts.
const MAX_CONJUNCTS: usize = 64;

impl Flow {
    pub fn new(limit: usize) -> Flow {
        Flow {
            facts: Maps::new(),
            users: Maps::new(),
            sets: Sets::new(),
            limit: limit.max(1),
            looked_up: Vec::new(),
            learnt: Vec::new(),
            memo: FxHashMap::default(),
            stack: Vec::new(),
            target_of: SecondaryMap::new(),
            assignment: 0,
        }
    }

    pub fn same(&self, a: State, b: State) -> bool {
        self.facts.same(a.facts, b.facts)
    }

    /// What is known in both. The users of either cover the facts that remain.
    pub fn join(&mut self, a: State, b: State) -> State {
        State {
            facts: self.facts.intersect(a.facts, b.facts),
            users: a.users,
        }
    }

    pub fn fact(&self, s: State, v: Var) -> Option<Term> {
        self.facts.get(s.facts, v)
    }

    /// All facts, by variable.
    pub fn facts(&self, s: State) -> impl Iterator<Item = (Var, Term)> + '_ {
        self.facts.iter(s.facts)
    }

    /// `s` without facts about or by way of `vars`.
    pub fn forget(&mut self, pool: &TermPool, s: State, vars: &[Var]) -> State {
        let mut s = s;
        for &v in vars {
            self.kill(pool, &mut s, v);
        }
        s
    }

    /// Executes `cmd` in `state`: the command with facts applied (itself unless `rewrite`), and
    /// the state after it, or `None` when it cannot complete.
    pub fn run(
        &mut self,
        program: &mut Program,
        cmd: Cmd,
        state: State,
        rewrite: bool,
    ) -> (Cmd, Option<State>) {
        let (new, end) = self.command(program, cmd, state, rewrite);
        if end.is_none() && rewrite {
            let is_false = match program.cmds.view(cmd) {
                CmdView::Assume(t) => program.pool.as_bool(t) == Some(false),
                _ => false,
            };
            if !is_false {
                let f = program.pool.fls();
                return (program.cmds.assume(f), None);
            }
            return (cmd, None);
        }
        (new, end)
    }

    fn command(
        &mut self,
        program: &mut Program,
        cmd: Cmd,
        state: State,
        rewrite: bool,
    ) -> (Cmd, Option<State>) {
        match program.cmds.view(cmd) {
            CmdView::Skip => (cmd, Some(state)),
            CmdView::Assume(t) => self.assume(program, cmd, t, state, rewrite),
            CmdView::Assign(items) => {
                let items = items.to_vec();
                self.assign(program, cmd, &items, state, rewrite)
            }
            CmdView::Havoc(items) => {
                let mut state = state;
                for &(v, _) in items {
                    self.kill(&program.pool, &mut state, v);
                }
                (cmd, Some(state))
            }
            CmdView::Seq(cs) => {
                let cs = cs.to_vec();
                let mut state = state;
                let mut new = Vec::with_capacity(cs.len());
                for &c in &cs {
                    let (c, end) = self.run(program, c, state, rewrite);
                    new.push(c);
                    match end {
                        Some(s) => state = s,
                        None => return (cmd, None),
                    }
                }
                if new == cs {
                    return (cmd, Some(state));
                }
                (program.cmds.seq(&new), Some(state))
            }
            CmdView::Choice(cs) => {
                let cs = cs.to_vec();
                let mut end: Option<State> = None;
                let mut new = Vec::with_capacity(cs.len());
                for &c in &cs {
                    let (c, branch) = self.run(program, c, state, rewrite);
                    new.push(c);
                    end = match (end, branch) {
                        (Some(a), Some(b)) => Some(self.join(a, b)),
                        (a, b) => a.or(b),
                    };
                }
                if new == cs {
                    return (cmd, end);
                }
                (program.cmds.choice(&new), end)
            }
        }
    }

    fn assume(
        &mut self,
        program: &mut Program,
        cmd: Cmd,
        t: Term,
        state: State,
        rewrite: bool,
    ) -> (Cmd, Option<State>) {
        self.memo.clear();
        let new = self.apply(&mut program.pool, state, t);
        match program.pool.as_bool(new) {
            Some(true) => (program.cmds.skip(), Some(state)),
            Some(false) => (cmd, None),
            None => {
                let mut state = state;
                self.learn(&mut program.pool, &mut state, new);
                if rewrite && new != t {
                    return (program.cmds.assume(new), Some(state));
                }
                (cmd, Some(state))
            }
        }
    }

    fn assign(
        &mut self,
        program: &mut Program,
        cmd: Cmd,
        items: &[(Var, Term)],
        state: State,
        rewrite: bool,
    ) -> (Cmd, Option<State>) {
        let pool = &mut program.pool;
        self.memo.clear();
        self.assignment += 1;
        let mut state = state;
        let before = state;
        let mut new: Vec<(Var, Term)> = Vec::with_capacity(items.len());
        for &(x, t) in items {
            let t = self.apply(pool, before, t);
            if pool.as_var(t) == Some(x) {
                continue;
            }
            if self.fact(before, x) == Some(t) {
                self.looked_up.push(x);
                continue;
            }
            new.push((x, t));
            self.target_of[x] = self.assignment;
        }
        for &(x, _) in &new {
            self.kill(pool, &mut state, x);
        }
        for &(x, t) in &new {
            if let Some(vars) = self.small_vars(pool, t)
                && vars.iter().all(|&v| self.target_of[v] != self.assignment)
            {
                self.set(&mut state, x, t, &vars);
            }
        }
        if rewrite && new != items {
            return (program.cmds.assign_all(&new), Some(state));
        }
        (cmd, Some(state))
    }

    /// `t` with facts applied once to every variable; `memo` must belong to `state`.
    fn apply(&mut self, pool: &mut TermPool, state: State, t: Term) -> Term {
        if state.facts == Map::EMPTY {
            return t;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(t);
        while let Some(&u) = stack.last() {
            if self.memo.contains_key(&u) {
                stack.pop();
                continue;
            }
            let result = if let Some(v) = pool.as_var(u) {
                let fact = self.fact(state, v);
                if fact.is_some() {
                    self.looked_up.push(v);
                }
                fact.unwrap_or(u)
            } else if pool.is_const(u) {
                u
            } else {
                let waiting = stack.len();
                let mut args = [u; 3];
                let mut changed = false;
                let mut n = 0;
                for a in pool.args(u) {
                    match self.memo.get(&a) {
                        Some(&done) => {
                            changed |= done != a;
                            args[n] = done;
                            n += 1;
                        }
                        None => stack.push(a),
                    }
                }
                if stack.len() > waiting {
                    continue;
                }
                if changed {
                    pool.rebuild(u, &args[..n])
                } else {
                    u
                }
            };
            stack.pop();
            self.memo.insert(u, result);
        }
        self.stack = stack;
        self.memo[&t]
    }

    /// The variables of `t`, unless it has more nodes than the limit.
    fn small_vars(&self, pool: &TermPool, t: Term) -> Option<Vec<Var>> {
        let mut seen = vec![t];
        let mut vars = Vec::new();
        let mut next = 0;
        while next < seen.len() {
            let u = seen[next];
            next += 1;
            vars.extend(pool.as_var(u));
            for a in pool.args(u) {
                if !seen.contains(&a) {
                    if seen.len() == self.limit {
                        return None;
                    }
                    seen.push(a);
                }
            }
        }
        Some(vars)
    }

    fn mentions(&self, pool: &TermPool, t: Term, v: Var) -> bool {
        self.small_vars(pool, t)
            .is_none_or(|vars| vars.contains(&v))
    }

    fn set(&mut self, s: &mut State, x: Var, t: Term, vars: &[Var]) {
        self.learnt.push(x);
        s.facts = self.facts.insert(s.facts, x, t);
        for &v in vars {
            let set = self.users.get(s.users, v).unwrap_or(Map::EMPTY);
            let set = self.sets.insert(set, x, ());
            s.users = self.users.insert(s.users, v, set);
        }
    }

    /// Forgets what is known of `v` and by way of `v`.
    fn kill(&mut self, pool: &TermPool, s: &mut State, v: Var) {
        s.facts = self.facts.remove(s.facts, v);
        for x in self.take_users(s, v) {
            if let Some(t) = self.fact(*s, x)
                && self.mentions(pool, t, v)
            {
                s.facts = self.facts.remove(s.facts, x);
            }
        }
    }

    fn take_users(&mut self, s: &mut State, v: Var) -> Vec<Var> {
        let Some(set) = self.users.get(s.users, v) else {
            return Vec::new();
        };
        s.users = self.users.remove(s.users, v);
        self.sets.iter(set).map(|(x, ())| x).collect()
    }

    /// Facts from a condition that holds and mentions no variable with a fact.
    fn learn(&mut self, pool: &mut TermPool, s: &mut State, condition: Term) {
        let mut todo = vec![condition];
        let mut seen = 0;
        while let Some(t) = todo.pop() {
            seen += 1;
            if seen > MAX_CONJUNCTS {
                return;
            }
            match pool.op(t) {
                Op::And => todo.extend(pool.args(t)),
                Op::Var => {
                    let v = pool.as_var(t).expect("a variable node");
                    let value = pool.tru();
                    self.equate(pool, s, v, value);
                }
                Op::Not => {
                    if let Some(v) = pool.as_var(pool.arg(t, 0)) {
                        let value = pool.fls();
                        self.equate(pool, s, v, value);
                    }
                }
                Op::Eq => {
                    // Constants come second, so the first is the variable.
                    let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                    match (pool.as_var(a), pool.as_var(b)) {
                        (Some(x), None) if pool.is_const(b) => self.equate(pool, s, x, b),
                        (Some(x), Some(y)) if x < y => self.equate(pool, s, y, a),
                        (Some(x), Some(_)) => self.equate(pool, s, x, b),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds `v ↦ t` for a constant or variable `t`, also where facts mention `v`.
    fn equate(&mut self, pool: &mut TermPool, s: &mut State, v: Var, t: Term) {
        let other = pool.as_var(t);
        if self.fact(*s, v).is_some() || other.is_some_and(|o| self.fact(*s, o).is_some()) {
            // A conjunct before this one said something else about it.
            return;
        }
        let map: FxHashMap<Var, Term> = std::iter::once((v, t)).collect();
        for x in self.take_users(s, v) {
            if let Some(old) = self.fact(*s, x)
                && self.mentions(pool, old, v)
            {
                self.looked_up.push(x);
                let new = pool.substitute(old, &map);
                match self.small_vars(pool, new) {
                    Some(vars) if !vars.contains(&x) => self.set(s, x, new, &vars),
                    _ => s.facts = self.facts.remove(s.facts, x),
                }
            }
        }
        self.set(s, v, t, other.as_slice());
    }
}
