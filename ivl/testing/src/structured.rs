//! Random structured programs with branches and loops, many of them without influence on the checks,
//! as a C front end makes them.

use trellis_ivl::rng::Rng;
use trellis_ivl::{Cmd, Loc, Op, Program, Span, Term, Type, Var};

struct Structured<'a> {
    rng: &'a mut Rng,
    p: Program,
    vars: Vec<Var>,
    at: Loc,
    checks: usize,
}

/// A random structured program over three variables of two bits.
pub fn structured(rng: &mut Rng) -> Program {
    let mut p = Program::new();
    let main = p.add_proc("main", Span::NONE);
    let vars = (0..3)
        .map(|i| p.add_global(format!("x{i}"), Type::Bv(2), Span::NONE))
        .collect();
    let at = p.procs[main].entry;
    let mut s = Structured {
        rng,
        p,
        vars,
        at,
        checks: 0,
    };
    s.block(5, 3);
    s.check();
    let exit = s.fresh();
    let skip = s.p.cmds.skip();
    s.go(exit, skip);
    s.p.procs[main].exit = Some(exit);
    s.p
}

impl Structured<'_> {
    fn fresh(&mut self) -> Loc {
        let main = self.p.main;
        self.p.add_loc(main, Span::NONE)
    }

    fn edge(&mut self, from: Loc, to: Loc, cmd: Cmd) {
        self.p.add_edge(from, to, cmd, Span::NONE);
    }

    fn go(&mut self, to: Loc, cmd: Cmd) {
        self.edge(self.at, to, cmd);
        self.at = to;
    }

    fn assume_edge(&mut self, from: Loc, to: Loc, t: Term) {
        let cmd = self.p.cmds.assume(t);
        self.edge(from, to, cmd);
    }

    fn value(&mut self) -> Term {
        let v = *self.rng.pick(&self.vars);
        let (x, k) = (
            self.p.pool.var(v),
            self.p.pool.num(2, self.rng.below(4) as u64),
        );
        match self.rng.below(4) {
            0 => k,
            1 => x,
            2 => self.p.pool.bvadd(x, k),
            _ => {
                let w = *self.rng.pick(&self.vars);
                let y = self.p.pool.var(w);
                self.p.pool.bvadd(x, y)
            }
        }
    }

    fn condition(&mut self) -> Term {
        let (a, b) = (self.value(), self.value());
        let op = *self.rng.pick(&[Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt]);
        self.p.pool.make(op, &[a, b])
    }

    fn block(&mut self, statements: usize, depth: usize) {
        for _ in 0..1 + self.rng.below(statements) {
            match self.rng.below(if depth == 0 { 4 } else { 10 }) {
                0 | 1 => self.assign(),
                2 => {
                    let v = *self.rng.pick(&self.vars);
                    let cmd = self.p.havoc(v, Span::NONE);
                    let to = self.fresh();
                    self.go(to, cmd);
                }
                3 if self.rng.chance(40) => self.check(),
                3 => self.assign(),
                4..=6 => self.branch(depth - 1),
                7 => self.switch(depth - 1),
                _ => self.repeat(depth - 1),
            }
        }
    }

    fn assign(&mut self) {
        let v = *self.rng.pick(&self.vars);
        let t = self.value();
        let cmd = self.p.cmds.assign(v, t);
        let to = self.fresh();
        self.go(to, cmd);
    }

    fn check(&mut self) {
        let (c, main) = (self.condition(), self.p.main);
        let error = self
            .p
            .add_error(main, format!("check {}", self.checks), Span::NONE);
        self.checks += 1;
        let next = self.fresh();
        let not = self.p.pool.not(c);
        self.assume_edge(self.at, error, not);
        self.assume_edge(self.at, next, c);
        self.at = next;
    }

    /// Blocks under the given guards (`None`: unguarded) that meet again.
    fn ways(&mut self, guards: &[Option<Term>], depth: usize) {
        let (from, join) = (self.at, self.fresh());
        for &g in guards {
            let start = self.fresh();
            match g {
                Some(g) => self.assume_edge(from, start, g),
                None => {
                    let skip = self.p.cmds.skip();
                    self.edge(from, start, skip);
                }
            }
            self.at = start;
            if self.rng.chance(70) {
                self.block(2, depth);
            }
            let skip = self.p.cmds.skip();
            self.go(join, skip);
        }
    }

    fn branch(&mut self, depth: usize) {
        if self.rng.chance(15) {
            return self.ways(&[None, None], depth);
        }
        let c = self.condition();
        let not = self.p.pool.not(c);
        self.ways(&[Some(c), Some(not)], depth);
    }

    fn switch(&mut self, depth: usize) {
        let v = *self.rng.pick(&self.vars);
        let x = self.p.pool.var(v);
        let cases: Vec<Term> = (0..2)
            .map(|k| {
                let k = self.p.pool.num(2, k);
                self.p.pool.eq(x, k)
            })
            .collect();
        let any = self.p.pool.or_all(cases.iter().copied());
        let default = self.p.pool.not(any);
        self.ways(&[Some(cases[0]), Some(cases[1]), Some(default)], depth);
    }

    /// A loop: counting, on a condition, on an input, or left at will.
    fn repeat(&mut self, depth: usize) {
        let (head, body, after) = (self.fresh(), self.fresh(), self.fresh());
        let skip = self.p.cmds.skip();
        self.go(head, skip);
        let v = *self.rng.pick(&self.vars);
        let x = self.p.pool.var(v);
        let kind = self.rng.below(4);
        let mut from = head;
        let guard = match kind {
            0 => {
                let k = self.p.pool.num(2, self.rng.below(4) as u64);
                let op = *self.rng.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt]);
                Some(self.p.pool.make(op, &[x, k]))
            }
            1 => Some(self.condition()),
            2 => {
                let cmd = self.p.havoc(v, Span::NONE);
                from = self.fresh();
                self.edge(head, from, cmd);
                let k = self.p.pool.num(2, self.rng.below(4) as u64);
                Some(self.p.pool.eq(x, k))
            }
            _ => None,
        };
        match guard {
            Some(g) => {
                let not = self.p.pool.not(g);
                self.assume_edge(from, body, g);
                self.assume_edge(from, after, not);
            }
            None => {
                self.edge(from, body, skip);
                self.edge(from, after, skip);
            }
        }
        self.at = body;
        if self.rng.chance(60) {
            self.block(2, depth);
        }
        let step = if kind == 0 {
            let one = self.p.pool.num(2, 1);
            let next = self.p.pool.bvadd(x, one);
            self.p.cmds.assign(v, next)
        } else {
            skip
        };
        self.go(head, step);
        self.at = after;
    }
}
