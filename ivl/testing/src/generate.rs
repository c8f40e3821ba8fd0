//! Random programs: loops, gotos, choices, arrays, mixed widths, calls.
//!
//! The state space is kept small enough to be enumerated (see [`explore`](mod@crate::explore)), because
//! an exhaustive comparison of small programs finds more than random runs of large ones.

use trellis_ivl::rng::Rng;
use trellis_ivl::{Bv, Call, Cmd, Loc, Op, Proc, Program, Span, Term, Type, Var};

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Types of the variables to draw from.
    pub types: &'static [Type],
    /// State bits of all variables together; bounds the state space.
    pub state_bits: u32,
    /// Locations of main besides errors, at least 2.
    pub locs: usize,
    /// Error locations.
    pub errors: usize,
    /// Incomplete locations.
    pub incompletes: usize,
    /// Further procedures that main and they call.
    pub procs: usize,
    /// Depth of terms.
    pub depth: usize,
    /// Per cent of edges that assume something.
    pub assumes: usize,
}

impl Shape {
    /// Flat programs that can be enumerated in milliseconds.
    pub const TINY: Shape = Shape {
        types: &[
            Type::Bool,
            Type::Bv(1),
            Type::Bv(2),
            Type::Bv(3),
            Type::Array { index: 1, elem: 1 },
        ],
        state_bits: 7,
        locs: 7,
        errors: 2,
        incompletes: 1,
        procs: 0,
        depth: 3,
        assumes: 70,
    };

    /// The same with procedures.
    pub const CALLS: Shape = Shape {
        procs: 2,
        state_bits: 6,
        locs: 5,
        ..Shape::TINY
    };

    /// Tiny ones whose errors are mostly out of reach.
    pub const SAFE: Shape = Shape {
        errors: 1,
        incompletes: 0,
        assumes: 90,
        state_bits: 5,
        ..Shape::TINY
    };

    /// Larger, with wide types: for round trips and random runs, not for enumeration.
    pub const WIDE: Shape = Shape {
        types: &[
            Type::Bool,
            Type::Bv(1),
            Type::Bv(8),
            Type::Bv(32),
            Type::Bv(64),
            Type::Bv(100),
            Type::Array { index: 8, elem: 32 },
            Type::Array { index: 70, elem: 3 },
        ],
        state_bits: 1 << 20,
        locs: 20,
        errors: 3,
        incompletes: 2,
        procs: 3,
        depth: 5,
        assumes: 50,
    };
}

/// Bits needed to store a value.
fn bits(ty: Type) -> u32 {
    match ty {
        Type::Bool => 1,
        Type::Bv(w) => w,
        Type::Array { index, elem } => {
            elem.saturating_mul(1u32.checked_shl(index).unwrap_or(1 << 16))
        }
    }
}

struct Generator<'a> {
    rng: &'a mut Rng,
    shape: Shape,
    program: Program,
    globals: Vec<Var>,
    locals: Vec<Vec<Var>>,
}

/// A random program of the given shape, always well-formed.
pub fn program(rng: &mut Rng, shape: Shape) -> Program {
    let mut g = Generator {
        rng,
        shape,
        program: Program::new(),
        globals: Vec::new(),
        locals: Vec::new(),
    };
    g.declare();
    for p in 0..=shape.procs {
        g.body(Proc::from_u32(p as u32));
    }
    g.program
}

impl Generator<'_> {
    fn declare(&mut self) {
        for p in 0..=self.shape.procs {
            let name = if p == 0 {
                "main".into()
            } else {
                format!("f{p}")
            };
            self.program.add_proc(name, Span::NONE);
            self.locals.push(Vec::new());
        }
        let mut budget = self.shape.state_bits;
        let mut count = 0;
        while count < 12 {
            let ty = *self.rng.pick(self.shape.types);
            if bits(ty) > budget {
                break;
            }
            budget -= bits(ty);
            let name = format!("x{count}");
            let owner = self.rng.below(self.shape.procs + 2);
            if owner == 0 || self.shape.procs == 0 {
                let v = self.program.add_global(name, ty, Span::NONE);
                self.globals.push(v);
            } else {
                let proc = Proc::from_u32(owner as u32 - 1);
                let v = self.program.add_local(proc, name, ty, Span::NONE);
                self.locals[owner - 1].push(v);
                if owner > 1 {
                    let data = &mut self.program.procs[proc];
                    match self.rng.below(3) {
                        0 => data.params.push(v),
                        1 => data.results.push(v),
                        _ => {}
                    }
                }
            }
            count += 1;
        }
    }

    fn visible(&self, proc: Proc) -> Vec<Var> {
        let mut vars = self.globals.clone();
        vars.extend(&self.locals[proc.as_u32() as usize]);
        vars
    }

    fn body(&mut self, proc: Proc) {
        let is_main = proc.as_u32() == 0;
        let n = if is_main {
            self.shape.locs
        } else {
            self.shape.locs.min(4)
        };
        let mut locs = vec![self.program.procs[proc].entry];
        for _ in 1..n {
            locs.push(self.program.add_loc(proc, Span::NONE));
        }
        let exit = self.program.add_loc(proc, Span::NONE);
        self.program.procs[proc].exit = Some(exit);
        let mut targets = locs.clone();
        targets.push(exit);
        if is_main {
            for i in 0..self.shape.errors {
                targets.push(
                    self.program
                        .add_error(proc, format!("property-{i}"), Span::NONE),
                );
            }
            for i in 0..self.shape.incompletes {
                let reason = format!("reason {i}");
                targets.push(self.program.add_incomplete(proc, reason, Span::NONE));
            }
        } else if self.shape.errors > 0 && self.rng.chance(30) {
            let name = format!("property-of-{proc}");
            targets.push(self.program.add_error(proc, name, Span::NONE));
        }
        for (i, &from) in locs.iter().enumerate() {
            // A spine keeps most locations reachable; further edges go anywhere but the entry, so
            // that loops, joins and irreducible graphs all occur.
            let next = targets[(i + 1).min(targets.len() - 1)];
            self.branch(proc, from, next, &targets[1..]);
        }
    }

    /// One to three edges from `from`, the first to `next`.
    fn branch(&mut self, proc: Proc, from: Loc, next: Loc, targets: &[Loc]) {
        let vars = self.visible(proc);
        if self.rng.chance(40) {
            // A proper two-way branch.
            let c = self.term(&vars, Type::Bool, self.shape.depth);
            let other = *self.rng.pick(targets);
            let nc = self.program.pool.not(c);
            for (cond, to) in [(c, next), (nc, other)] {
                let guard = self.program.cmds.assume(cond);
                let rest = self.command(&vars, 1);
                let cmd = self.program.cmds.seq(&[guard, rest]);
                self.program.add_edge(from, to, cmd, Span::NONE);
            }
            return;
        }
        for k in 0..1 + self.rng.below(3) {
            let to = if k == 0 {
                next
            } else {
                *self.rng.pick(targets)
            };
            if self.shape.procs > 0 && self.rng.chance(25) {
                self.call(proc, from, to);
                continue;
            }
            let mut parts = Vec::new();
            if self.rng.chance(self.shape.assumes) && k > 0 {
                let c = self.term(&vars, Type::Bool, self.shape.depth);
                parts.push(self.program.cmds.assume(c));
            }
            parts.push(self.command(&vars, 2));
            let cmd = self.program.cmds.seq(&parts);
            self.program.add_edge(from, to, cmd, Span::NONE);
        }
    }

    fn call(&mut self, proc: Proc, from: Loc, to: Loc) {
        let callee = Proc::from_u32(1 + self.rng.below(self.shape.procs) as u32);
        let vars = self.visible(proc);
        let (params, returned) = {
            let data = &self.program.procs[callee];
            (data.params.clone(), data.results.clone())
        };
        let mut results = Vec::new();
        for r in returned {
            let ty = self.program.pool.var_ty(r);
            let fitting = vars
                .iter()
                .find(|v| self.program.pool.var_ty(**v) == ty && !results.contains(*v));
            match fitting {
                Some(&v) => results.push(v),
                None => {
                    // No place for a result: an ordinary edge instead.
                    let cmd = self.command(&vars, 1);
                    self.program.add_edge(from, to, cmd, Span::NONE);
                    return;
                }
            }
        }
        let args = params
            .iter()
            .map(|&p| {
                let ty = self.program.pool.var_ty(p);
                self.term(&vars, ty, 2)
            })
            .collect();
        let call = Call {
            callee,
            args,
            results,
        };
        self.program.add_call(from, to, call, Span::NONE);
    }

    /// A random command over `vars`.
    fn command(&mut self, vars: &[Var], depth: usize) -> Cmd {
        if vars.is_empty() {
            return self.program.cmds.skip();
        }
        match self.rng.below(if depth == 0 { 7 } else { 10 }) {
            0 => self.program.cmds.skip(),
            1 => {
                let c = self.term(vars, Type::Bool, self.shape.depth);
                self.program.cmds.assume(c)
            }
            2 => {
                let v = *self.rng.pick(vars);
                self.program.havoc(v, Span::NONE)
            }
            3 => {
                let mut items = Vec::new();
                for &v in vars {
                    if self.rng.chance(40) {
                        let ty = self.program.pool.var_ty(v);
                        items.push((v, self.term(vars, ty, self.shape.depth)));
                    }
                }
                self.program.cmds.assign_all(&items)
            }
            4..=6 => {
                let v = *self.rng.pick(vars);
                let ty = self.program.pool.var_ty(v);
                let t = self.term(vars, ty, self.shape.depth);
                self.program.cmds.assign(v, t)
            }
            7 | 8 => {
                let parts: Vec<Cmd> = (0..2).map(|_| self.command(vars, depth - 1)).collect();
                self.program.cmds.seq(&parts)
            }
            _ => {
                let n = 2 + self.rng.below(2);
                let parts: Vec<Cmd> = (0..n).map(|_| self.command(vars, depth - 1)).collect();
                self.program.cmds.choice(&parts)
            }
        }
    }

    fn term(&mut self, vars: &[Var], ty: Type, depth: usize) -> Term {
        term(self.rng, &mut self.program, vars, ty, depth)
    }
}

/// A random command over all variables of a new random program, for tests of commands alone.
pub fn command(rng: &mut Rng, shape: Shape, depth: usize) -> (Program, Vec<Var>, Cmd) {
    let mut g = Generator {
        rng,
        shape: Shape { procs: 0, ..shape },
        program: Program::new(),
        globals: Vec::new(),
        locals: Vec::new(),
    };
    g.declare();
    let vars = g.globals.clone();
    let cmd = g.command(&vars, depth);
    (g.program, vars, cmd)
}

/// A random term of type `ty` over `vars`. Uses every operation of the language, sometimes through
/// the simplifying builder and sometimes as is.
pub fn term(rng: &mut Rng, program: &mut Program, vars: &[Var], ty: Type, depth: usize) -> Term {
    let fitting: Vec<Var> = vars
        .iter()
        .copied()
        .filter(|&v| program.pool.var_ty(v) == ty)
        .collect();
    if depth == 0 || rng.chance(15) {
        if !fitting.is_empty() && rng.chance(75) {
            let v = *rng.pick(&fitting);
            return program.pool.var(v);
        }
        return constant(rng, program, vars, ty, depth);
    }
    match ty {
        Type::Bool => bool_term(rng, program, vars, depth),
        Type::Bv(w) => bv_term(rng, program, vars, w, depth),
        Type::Array { index, elem } => match rng.below(4) {
            0 => {
                let e = term(rng, program, vars, Type::Bv(elem), depth - 1);
                program.pool.const_array(index, e)
            }
            1 => {
                let c = term(rng, program, vars, Type::Bool, depth - 1);
                let a = term(rng, program, vars, ty, depth - 1);
                let b = term(rng, program, vars, ty, depth - 1);
                join(rng, program, Op::Ite, &[c, a, b])
            }
            _ => {
                let a = term(rng, program, vars, ty, depth - 1);
                let i = term(rng, program, vars, Type::Bv(index), depth - 1);
                let e = term(rng, program, vars, Type::Bv(elem), depth - 1);
                join(rng, program, Op::Store, &[a, i, e])
            }
        },
    }
}

fn join(rng: &mut Rng, program: &mut Program, op: Op, args: &[Term]) -> Term {
    if rng.chance(50) {
        program.pool.make(op, args)
    } else {
        program.pool.intern(op, args)
    }
}

fn constant(rng: &mut Rng, program: &mut Program, vars: &[Var], ty: Type, depth: usize) -> Term {
    match ty {
        Type::Bool => program.pool.bool(rng.chance(50)),
        Type::Bv(w) => {
            let v = bv(rng, w);
            program.pool.bv(v)
        }
        Type::Array { index, elem } => {
            let e = term(rng, program, vars, Type::Bv(elem), depth.saturating_sub(1));
            program.pool.const_array(index, e)
        }
    }
}

/// A random value, with the corners of the range more likely than the rest.
pub fn bv(rng: &mut Rng, width: u32) -> Bv {
    match rng.below(6) {
        0 => Bv::zero(width),
        1 => Bv::one(width),
        2 => Bv::ones(width),
        3 => Bv::min_signed(width),
        _ => {
            let bits: Vec<bool> = (0..width).map(|_| rng.chance(50)).collect();
            Bv::from_bits(&bits)
        }
    }
}

fn some_width(rng: &mut Rng, program: &Program, vars: &[Var]) -> u32 {
    let mut widths: Vec<u32> = vars
        .iter()
        .filter_map(|&v| program.pool.var_ty(v).width())
        .collect();
    widths.push(1);
    widths.push(2);
    *rng.pick(&widths)
}

fn bool_term(rng: &mut Rng, program: &mut Program, vars: &[Var], depth: usize) -> Term {
    use Op::*;
    let op = *rng.pick(&[
        Not, And, Or, Eq, Eq, Eq, Ite, BvUlt, BvUle, BvSlt, BvSle, BvUaddo, BvSaddo, BvUsubo,
        BvSsubo, BvUmulo, BvSmulo,
    ]);
    let ty = match op {
        Not | And | Or | Ite => Type::Bool,
        Eq if rng.chance(30) && !vars.is_empty() => program.pool.var_ty(*rng.pick(vars)),
        _ => Type::Bv(some_width(rng, program, vars)),
    };
    let args: Vec<Term> = (0..op.arity())
        .map(|_| term(rng, program, vars, ty, depth - 1))
        .collect();
    join(rng, program, op, &args)
}

fn bv_term(rng: &mut Rng, program: &mut Program, vars: &[Var], w: u32, depth: usize) -> Term {
    use Op::*;
    let sub =
        |rng: &mut Rng, program: &mut Program, ty: Type| term(rng, program, vars, ty, depth - 1);
    match rng.below(9) {
        0 => {
            let c = sub(rng, program, Type::Bool);
            let (a, b) = (
                sub(rng, program, Type::Bv(w)),
                sub(rng, program, Type::Bv(w)),
            );
            join(rng, program, Ite, &[c, a, b])
        }
        1 => {
            let op = *rng.pick(&[BvNot, BvNeg]);
            let a = sub(rng, program, Type::Bv(w));
            join(rng, program, op, &[a])
        }
        2 if w > 1 => {
            let high = 1 + rng.below(w as usize - 1) as u32;
            let (a, b) = (
                sub(rng, program, Type::Bv(high)),
                sub(rng, program, Type::Bv(w - high)),
            );
            join(rng, program, Concat, &[a, b])
        }
        3 => {
            let (above, lo) = (rng.below(3) as u32, rng.below(3) as u32);
            let a = sub(rng, program, Type::Bv(w + lo + above));
            if rng.chance(50) {
                program.pool.extract(lo + w - 1, lo, a)
            } else {
                program.pool.intern_extract(lo + w - 1, lo, a)
            }
        }
        4 => {
            let from = 1 + rng.below(w as usize) as u32;
            let op = *rng.pick(&[ZeroExt, SignExt]);
            let a = sub(rng, program, Type::Bv(from));
            match (rng.chance(50), op) {
                (true, ZeroExt) => program.pool.zext(w, a),
                (true, _) => program.pool.sext(w, a),
                (false, _) => program.pool.intern_extend(op, w, a),
            }
        }
        5 => {
            let arrays: Vec<Type> = vars
                .iter()
                .map(|&v| program.pool.var_ty(v))
                .filter(|t| matches!(t, Type::Array { elem, .. } if *elem == w))
                .collect();
            match arrays.first() {
                Some(&ty @ Type::Array { index, .. }) => {
                    let (a, i) = (sub(rng, program, ty), sub(rng, program, Type::Bv(index)));
                    join(rng, program, Select, &[a, i])
                }
                _ => sub(rng, program, Type::Bv(w)),
            }
        }
        _ => {
            let op = *rng.pick(&[
                BvAnd, BvOr, BvXor, BvAdd, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem,
                BvSmod, BvShl, BvLshr, BvAshr,
            ]);
            let (a, b) = (
                sub(rng, program, Type::Bv(w)),
                sub(rng, program, Type::Bv(w)),
            );
            join(rng, program, op, &[a, b])
        }
    }
}
