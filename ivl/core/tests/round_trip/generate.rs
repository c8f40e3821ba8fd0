//! Random programs for the text form: every operation, odd names, spans, several procedures.

use trellis_ivl::cranelift_entity::EntityRef;
use trellis_ivl::rng::Rng;
use trellis_ivl::{
    Bv, Call, Cmd, File, Loc, LocKind, Op, Proc, Program, RegionData, Scope, Span, Term, Type, Var,
};

const NAMES: &[&str] = &[
    "x",
    "x",
    "y",
    "size",
    "at",
    "main",
    "let",
    "v0",
    "v1",
    "v01",
    "l0",
    "p0",
    "i0",
    "bv8",
    "true",
    "",
    "a b",
    "ite",
    "main::i",
    "tmp.1",
    "x'",
    "\"",
    "\\",
    "new\nline",
    "λ",
    "1x",
    "$0",
    "x$y",
    "const",
    "//",
    "e0",
    "v99999999999999",
];

const TYPES: &[Type] = &[
    Type::Bool,
    Type::Bv(1),
    Type::Bv(8),
    Type::Bv(32),
    Type::Bv(65),
    Type::Bv(128),
    Type::Array { index: 8, elem: 32 },
    Type::Array { index: 65, elem: 1 },
];

/// A random well-formed program in the making.
pub struct Generator {
    rng: Rng,
    p: Program,
}

impl Generator {
    fn span(&mut self) -> Span {
        match self.p.files.len() {
            n if n > 0 && self.rng.below(2) == 0 => {
                let file = File::new(self.rng.below(n));
                Span::new(file, self.rng.bits() as u32, self.rng.below(99) as u32)
            }
            _ => Span::NONE,
        }
    }

    fn name(&mut self) -> String {
        self.rng.pick(NAMES).to_string()
    }

    /// Some variable of the type that `proc` sees.
    fn var(&mut self, proc: Proc, ty: Type) -> Var {
        let visible: Vec<Var> = self
            .p
            .pool
            .vars()
            .iter()
            .filter(|(_, d)| d.ty == ty && [Scope::Global, Scope::Local(proc)].contains(&d.scope))
            .map(|(v, _)| v)
            .collect();
        if visible.is_empty() || self.rng.below(20) == 0 {
            let (name, span) = (self.name(), self.span());
            return match self.rng.below(2) {
                0 => self.p.add_global(name, ty, span),
                _ => self.p.add_local(proc, name, ty, span),
            };
        }
        *self.rng.pick(&visible)
    }

    fn bv(&mut self, w: u32) -> Bv {
        let small = Bv::new(w, self.rng.below(20) as u64);
        match self.rng.below(5) {
            0 => small,
            1 => small.neg(),
            2 => Bv::min_signed(w).add(&small),
            3 => Bv::new(w, self.rng.bits()),
            _ => Bv::ones(w).udiv(&Bv::new(w, self.rng.below(9) as u64)),
        }
    }

    /// A random term, interned as drawn: nothing is simplified.
    fn term(&mut self, proc: Proc, ty: Type, depth: usize) -> Term {
        if depth == 0 || self.rng.below(8) == 0 {
            let v = self.var(proc, ty);
            return match (ty, self.rng.below(2)) {
                (Type::Bool, 0) => self.p.pool.bool(v.index().is_multiple_of(2)),
                (Type::Bv(w), 0) => {
                    let value = self.bv(w);
                    self.p.pool.bv(value)
                }
                _ => self.p.pool.var(v),
            };
        }
        let d = depth - 1;
        if self.rng.below(6) == 0 {
            let c = self.term(proc, Type::Bool, d);
            let (a, b) = (self.term(proc, ty, d), self.term(proc, ty, d));
            return self.p.pool.intern(Op::Ite, &[c, a, b]);
        }
        match ty {
            Type::Bool => self.boolean(proc, d),
            Type::Bv(w) => self.bit_vector(proc, w, d),
            Type::Array { index, elem } => {
                if self.rng.below(3) == 0 {
                    let e = self.term(proc, Type::Bv(elem), d);
                    return self.p.pool.const_array(index, e);
                }
                let a = self.term(proc, ty, d);
                let i = self.term(proc, Type::Bv(index), d);
                let e = self.term(proc, Type::Bv(elem), d);
                self.p.pool.intern(Op::Store, &[a, i, e])
            }
        }
    }

    fn boolean(&mut self, proc: Proc, d: usize) -> Term {
        use Op::*;
        let op = *self.rng.pick(&[
            Not, Not, And, Or, Eq, Eq, BvUlt, BvUle, BvSlt, BvSle, BvUaddo, BvSaddo, BvUsubo,
            BvSsubo, BvUmulo, BvSmulo,
        ]);
        let ty = match op {
            Not | And | Or => Type::Bool,
            Eq => *self.rng.pick(TYPES),
            _ => *self.rng.pick(&TYPES[1..6]),
        };
        let args: Vec<Term> = (0..op.arity()).map(|_| self.term(proc, ty, d)).collect();
        self.p.pool.intern(op, &args)
    }

    fn bit_vector(&mut self, proc: Proc, w: u32, d: usize) -> Term {
        use Op::*;
        match self.rng.below(6) {
            0 => {
                let (below, above) = (self.rng.below(3) as u32, self.rng.below(3) as u32);
                let t = self.term(proc, Type::Bv(w + below + above), d);
                self.p.pool.intern_extract(w + below - 1, below, t)
            }
            1 => {
                let from = 1 + self.rng.below(w as usize) as u32;
                let op = *self.rng.pick(&[ZeroExt, SignExt]);
                let t = self.term(proc, Type::Bv(from), d);
                self.p.pool.intern_extend(op, w, t)
            }
            2 if w > 1 => {
                let high = 1 + self.rng.below(w as usize - 1) as u32;
                let a = self.term(proc, Type::Bv(high), d);
                let b = self.term(proc, Type::Bv(w - high), d);
                self.p.pool.intern(Concat, &[a, b])
            }
            3 => {
                let index = *self.rng.pick(&[1, 8, 65]);
                let a = self.term(proc, Type::Array { index, elem: w }, d);
                let i = self.term(proc, Type::Bv(index), d);
                self.p.pool.intern(Select, &[a, i])
            }
            _ => {
                let op = *self.rng.pick(&[
                    BvNot, BvNeg, BvNeg, BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem,
                    BvSdiv, BvSrem, BvSmod, BvShl, BvLshr, BvAshr,
                ]);
                let ty = Type::Bv(w);
                let args: Vec<Term> = (0..op.arity()).map(|_| self.term(proc, ty, d)).collect();
                self.p.pool.intern(op, &args)
            }
        }
    }

    fn command(&mut self, proc: Proc, depth: usize) -> Cmd {
        match self.rng.below(if depth == 0 { 4 } else { 7 }) {
            0 => self.p.cmds.skip(),
            1 => {
                let t = self.term(proc, Type::Bool, 4);
                self.p.cmds.assume(t)
            }
            2 => {
                let targets = self.targets(proc);
                let pair = |&v: &Var| (v, self.term(proc, self.p.pool.var_ty(v), 3));
                let items: Vec<_> = targets.iter().map(pair).collect();
                self.p.cmds.assign_all(&items)
            }
            3 => {
                let mut items = Vec::new();
                for v in self.targets(proc) {
                    let (name, span) = (self.name(), self.span());
                    let input = self.p.add_input(name, self.p.pool.var_ty(v), span);
                    items.push((v, input));
                }
                self.p.cmds.havoc(&items)
            }
            4 => {
                let n = 2 + self.rng.below(3);
                let items: Vec<Cmd> = (0..n).map(|_| self.command(proc, depth - 1)).collect();
                self.p.cmds.choice(&items)
            }
            _ => {
                let n = 1 + self.rng.below(4);
                let items: Vec<Cmd> = (0..n).map(|_| self.command(proc, depth - 1)).collect();
                self.p.cmds.seq(&items)
            }
        }
    }

    fn targets(&mut self, proc: Proc) -> Vec<Var> {
        let mut vars: Vec<Var> = Vec::new();
        for _ in 0..1 + self.rng.below(5) {
            let ty = *self.rng.pick(TYPES);
            let v = self.var(proc, ty);
            if !vars.contains(&v) {
                vars.push(v);
            }
        }
        vars
    }

    fn edge(&mut self, from: Loc, to: Loc) {
        let proc = self.p.locs[from].proc;
        let span = self.span();
        if self.rng.below(5) > 0 {
            let cmd = self.command(proc, 3);
            self.p.add_edge(from, to, cmd, span);
            return;
        }
        let callee = Proc::new(self.rng.below(self.p.procs.len()));
        let params = self.p.procs[callee].params.clone();
        let returned = self.p.procs[callee].results.clone();
        let mut args = Vec::new();
        for v in params {
            args.push(self.term(proc, self.p.pool.var_ty(v), 3));
        }
        let mut results = Vec::new();
        for v in returned {
            let (ty, name) = (self.p.pool.var_ty(v), self.name());
            results.push(self.p.add_local(proc, name, ty, Span::NONE));
        }
        let call = Call {
            callee,
            args,
            results,
        };
        self.p.add_call(from, to, call, span);
    }

    fn region(&mut self, proc: Proc) {
        let memory = self.var(proc, Type::Array { index: 8, elem: 32 });
        let region = RegionData {
            name: self.name(),
            memory,
            base: self.var(proc, Type::Bv(8)),
            size: *self.rng.pick(&[None, Some(0), Some(u64::MAX)]),
            span: self.span(),
        };
        self.p.regions.push(region);
    }

    pub fn program(seed: u64) -> Program {
        let mut g = Generator {
            rng: Rng::new(seed),
            p: Program::new(),
        };
        for _ in 0..g.rng.below(3) {
            let name = g.name();
            g.p.files.push(name);
        }
        for i in 0..1 + g.rng.below(3) {
            let (mut name, span) = (g.name(), g.span());
            name.extend(std::iter::repeat_n('_', i)); // keeps them unique
            name.push_str(&"'".repeat(i));
            let proc = g.p.add_proc(format!("{name}{}", ["", "", "#"][i]), span);
            if i > 0 {
                for _ in 0..g.rng.below(3) {
                    let (name, ty) = (g.name(), *g.rng.pick(TYPES));
                    let v = g.p.add_local(proc, name, ty, Span::NONE);
                    g.p.procs[proc].params.push(v);
                    g.p.procs[proc].results.insert(0, v);
                }
            }
        }
        let procs: Vec<Proc> = g.p.procs.keys().collect();
        for _ in 0..1 + g.rng.below(12) {
            let (proc, span) = (*g.rng.pick(&procs), g.span());
            let name = g.name();
            let loc = match g.rng.below(4) {
                0 => g.p.add_error(proc, name, span),
                1 => g.p.add_incomplete(proc, name, span),
                _ => g.p.add_loc(proc, span),
            };
            if g.rng.below(2) == 0 {
                g.p.locs[loc].name = Some(g.name().into());
            }
        }
        for _ in 0..g.rng.below(15) {
            let proc = *g.rng.pick(&procs);
            let of_proc = |p: &Program, plain: bool| {
                let mine = p.locs.iter().filter(|(_, d)| d.proc == proc);
                mine.filter(|(_, d)| !plain || d.kind == LocKind::Plain)
                    .map(|(l, _)| l)
                    .collect::<Vec<Loc>>()
            };
            let (from, to) = (of_proc(&g.p, true), of_proc(&g.p, false));
            let (from, to) = (*g.rng.pick(&from), *g.rng.pick(&to));
            g.edge(from, to);
        }
        for proc in procs {
            let span = g.span();
            let exit = g.p.add_loc(proc, span);
            g.p.procs[proc].exit = Some(exit);
            g.region(proc);
        }
        let (name, ty) = (g.name(), *g.rng.pick(TYPES));
        g.p.pool.fresh(name, ty);
        g.p
    }
}
