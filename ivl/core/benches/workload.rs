//! A large program that looks like C: procedures with loops, decisions, memory and assertions.
//!
//! The size is that of the flat program, in edges. Everything grows with it: procedures,
//! variables, memory objects, error locations. Benchmarks of several crates include this file.

use trellis_ivl::{Call, Cmd, Loc, Proc, Program, RegionData, Span, Term, Type, Var, entity::File};

/// Edges of one expanded call, and how often main calls each procedure.
const PROC_EDGES: usize = 40;
const CALLS: usize = 2;

const INT: Type = Type::Bv(32);

struct Workload {
    program: Program,
    file: File,
    seed: u64,
    line: u32,
    memory: Var,
    total: Var,
}

/// A program with about `edges` edges once calls are expanded.
pub fn program(edges: usize) -> Program {
    let mut program = Program::new();
    let file = program.files.push("workload.c".into());
    let main = program.add_proc("main", Span::new(file, 1, 1));
    let memory = Type::Array {
        index: 32,
        elem: 32,
    };
    let mut w = Workload {
        memory: program.add_global("memory", memory, Span::NONE),
        total: program.add_global("total", INT, Span::NONE),
        program,
        file,
        seed: 1,
        line: 1,
    };
    let count = (edges / (PROC_EDGES * CALLS)).max(1);
    let procs: Vec<Proc> = (0..count).map(|i| w.procedure(i)).collect();
    w.main(main, &procs);
    w.program
}

impl Workload {
    fn below(&mut self, n: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % n
    }

    fn span(&mut self) -> Span {
        self.line += 1;
        Span::new(self.file, self.line, 3)
    }

    fn edge(&mut self, from: Loc, to: Loc, cmd: Cmd) {
        let span = self.span();
        self.program.add_edge(from, to, cmd, span);
    }

    /// One statement from `from` to a new location.
    fn then(&mut self, from: Loc, cmd: Cmd) -> Loc {
        let proc = self.program.locs[from].proc;
        let span = self.span();
        let to = self.program.add_loc(proc, span);
        self.edge(from, to, cmd);
        to
    }

    fn assign(&mut self, x: Var, t: Term) -> Cmd {
        self.program.cmds.assign(x, t)
    }

    fn num(&mut self, n: u64) -> Term {
        let n = self.below(n);
        self.program.pool.num(32, n)
    }

    fn var(&mut self, v: Var) -> Term {
        self.program.pool.var(v)
    }

    /// A condition and its negation, as assumes.
    fn test(&mut self, c: Term) -> (Cmd, Cmd) {
        let not = self.program.pool.not(c);
        (self.program.cmds.assume(c), self.program.cmds.assume(not))
    }

    /// `for (i = 0; i < n; i++) { decisions; memory; assertion }; return`
    fn procedure(&mut self, index: usize) -> Proc {
        let span = self.span();
        let proc = self.program.add_proc(format!("f{index}"), span);
        let base = self.program.add_global(format!("object{index}"), INT, span);
        self.program.regions.push(RegionData {
            name: format!("object{index}"),
            memory: self.memory,
            base,
            size: Some(64),
            span,
        });
        let [n, i, t, u, result] =
            ["n", "i", "t", "u", "result"].map(|x| self.program.add_local(proc, x, INT, span));
        self.program.procs[proc].params = vec![n];
        self.program.procs[proc].results = vec![result];
        let zero = self.program.pool.num(32, 0);
        let one = self.program.pool.num(32, 1);
        let [vn, vi, vt, vu, vbase, vmemory, vtotal] =
            [n, i, t, u, base, self.memory, self.total].map(|v| self.var(v));

        let mut at = self.program.procs[proc].entry;
        for (x, value) in [(i, zero), (t, vn)] {
            let cmd = self.assign(x, value);
            at = self.then(at, cmd);
        }
        let cmd = self.program.havoc(u, span);
        let head = self.then(at, cmd);
        let less = self.program.pool.bvslt(vi, vn);
        let (inside, outside) = self.test(less);

        at = self.then(head, inside);
        for _ in 0..6 {
            at = self.decision(at, [(t, vt), (u, vu)], vi);
        }
        let mask = self.program.pool.num(32, 63);
        let offset = self.program.pool.bvand(vt, mask);
        let address = self.program.pool.bvadd(vbase, offset);
        let store = self.program.pool.store(vmemory, address, vu);
        let cmd = self.assign(self.memory, store);
        at = self.then(at, cmd);
        let load = self.program.pool.select(vmemory, address);
        let cmd = self.assign(t, load);
        at = self.then(at, cmd);
        let bound = self.num(1000);
        let fine = self.program.pool.bvsle(bound, vt);
        let (holds, fails) = self.test(fine);
        let span = self.span();
        let error = self.program.add_error(proc, "assertion", span);
        self.edge(at, error, fails);
        at = self.then(at, holds);
        let next = self.program.pool.bvadd(vi, one);
        let cmd = self.assign(i, next);
        self.edge(at, head, cmd);

        at = self.then(head, outside);
        let sum = self.program.pool.bvadd(vtotal, vt);
        let cmd = self.assign(self.total, sum);
        at = self.then(at, cmd);
        let product = self.program.pool.bvadd(vt, vu);
        let cmd = self.assign(result, product);
        let exit = self.then(at, cmd);
        self.program.procs[proc].exit = Some(exit);
        proc
    }

    /// `if (t < u + c) { x = x + i + d; } else { x = x ^ e; }` with some x.
    fn decision(&mut self, from: Loc, vars: [(Var, Term); 2], i: Term) -> Loc {
        let (x, vx) = vars[self.below(2) as usize];
        let [c, d, e] = [(); 3].map(|()| self.num(100_000));
        let right = self.program.pool.bvadd(vars[1].1, c);
        let less = self.program.pool.bvslt(vars[0].1, right);
        let (yes, no) = self.test(less);
        let sum = self.program.pool.bvadd(i, d);
        let sum = self.program.pool.bvadd(vx, sum);
        let xor = self.program.pool.bvxor(vx, e);
        let (add, mix) = (self.assign(x, sum), self.assign(x, xor));
        let at = self.then(from, yes);
        let join = self.then(at, add);
        let at = self.then(from, no);
        self.edge(at, join, mix);
        join
    }

    /// Calls each procedure, the second time only if a condition holds.
    fn main(&mut self, main: Proc, procs: &[Proc]) {
        let span = self.span();
        let x = self.program.add_local(main, "x", INT, span);
        let vx = self.var(x);
        let cmd = self.program.havoc(x, span);
        let mut at = self.program.procs[main].entry;
        at = self.then(at, cmd);
        for _ in 0..CALLS {
            for &callee in procs {
                let bound = self.num(100_000);
                let less = self.program.pool.bvslt(vx, bound);
                let (yes, no) = self.test(less);
                let inside = self.then(at, yes);
                let after = self.then(at, no);
                let call = Call {
                    callee,
                    args: vec![vx],
                    results: vec![x],
                };
                let span = self.span();
                self.program.add_call(inside, after, call, span);
                at = after;
            }
        }
        self.program.procs[main].exit = Some(at);
    }
}
