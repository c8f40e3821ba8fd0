//! What may fall: candidates for components of a rank.
//!
//! In order: differences of what the loop compares, its variables and what it reads, with either sign, flags of its conditions,
//! sums of two, what goes one way under a condition and the other way without it, and what counts under a condition only. All
//! are whole numbers in a width in which they cannot wrap around, plus half of its range: the order of these unsigned numbers is
//! that of the whole numbers.

use rustc_hash::FxHashSet;
use trellis_ivl::termination::{Loop, cone};
use trellis_ivl::{Bv, CmdView, Op, Program, Term, TermPool, Type, Var};

/// Wider variables are not looked at.
const WIDEST: u32 = 64;

/// Variables whose sums are tried, and conditions that tell cases from each other.
pub const SUMMED: usize = 6;
const CASES: usize = 8;

/// How much wider sums are than their parts: enough for small coefficients.
const SPARE: u32 = 8;

/// Whether numbers are signed.
const SIGNS: [bool; 2] = [true, false];

/// The candidates for a loop, the likely ones first: before all others those that were `learnt` for it. Variables are
/// those that are `live` at heads.
pub fn candidates(
    program: &mut Program,
    of: &Loop,
    live: &FxHashSet<Var>,
    learnt: &[Term],
    most: usize,
) -> Vec<Term> {
    let mut found = Found::default();
    for &t in learnt {
        found.add(t);
    }
    let atoms = atoms(program, of);
    for &atom in &atoms {
        differences(&mut program.pool, atom, &mut found);
    }
    let basis = basis(program, of, live, &atoms);
    let pool = &mut program.pool;
    for &v in &basis {
        for signed in SIGNS {
            for by in [-1, 1] {
                let one = linear(pool, &[(v, by)], signed);
                found.add(one);
            }
        }
    }
    for &atom in &atoms {
        let (one, zero) = (pool.num(1, 1), pool.num(1, 0));
        let yes = pool.ite(atom, one, zero);
        let no = pool.ite(atom, zero, one);
        found.add(yes);
        found.add(no);
    }
    for (i, &a) in basis.iter().take(SUMMED).enumerate() {
        for &b in &basis[..i] {
            for (x, y) in [(1, 1), (-1, -1), (1, -1), (-1, 1)] {
                let t = linear(pool, &[(a, x), (b, y)], true);
                found.add(t);
            }
        }
    }
    for signed in SIGNS {
        cases(pool, &atoms, &basis, signed, &mut found);
    }
    found.list.truncate(most);
    found.list
}

/// What goes one way where a condition holds and the other way where not, and what counts in one of the cases only.
fn cases(pool: &mut TermPool, atoms: &[Term], basis: &[Term], signed: bool, found: &mut Found) {
    let basis = &basis[..basis.len().min(SUMMED)];
    for &atom in atoms.iter().take(CASES) {
        for &v in basis {
            let up = linear(pool, &[(v, 1)], signed);
            let down = linear(pool, &[(v, -1)], signed);
            let first = pool.ite(atom, up, down);
            let second = pool.ite(atom, down, up);
            found.add(first);
            found.add(second);
        }
    }
    for &atom in atoms.iter().take(CASES) {
        for &v in basis {
            for by in [1, -1] {
                let counts = linear(pool, &[(v, by)], signed);
                let least = pool.num(pool.width(counts), 0);
                let yes = pool.ite(atom, counts, least);
                let no = pool.ite(atom, least, counts);
                found.add(yes);
                found.add(no);
            }
        }
    }
}

#[derive(Default)]
struct Found {
    seen: FxHashSet<Term>,
    list: Vec<Term>,
}

impl Found {
    fn add(&mut self, t: Term) {
        if self.seen.insert(t) {
            self.list.push(t);
        }
    }
}

/// The comparisons in what the loop assumes, each once and not negated.
pub fn atoms(program: &Program, of: &Loop) -> Vec<Term> {
    let mut all = Vec::new();
    for e in of.edges(program) {
        if let Some(cmd) = program.edge_cmd(e) {
            program.cmds.for_each_leaf(cmd, |leaf| {
                if let CmdView::Assume(t) = leaf {
                    all.push(t);
                }
            });
        }
    }
    split(&program.pool, all)
}

/// The parts of conditions that are no connectives.
pub fn split(pool: &TermPool, conditions: Vec<Term>) -> Vec<Term> {
    let mut open = conditions;
    open.reverse();
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    while let Some(t) = open.pop() {
        if !seen.insert(t) || pool.is_const(t) {
            continue;
        }
        let is_boolean = pool.args(t).all(|a| pool.ty(a) == Type::Bool);
        match pool.op(t) {
            Op::And | Op::Or | Op::Not => open.extend(pool.args(t)),
            Op::Eq | Op::Ite if is_boolean => open.extend(pool.args(t)),
            _ => found.push(t),
        }
    }
    found
}

/// What is between the two sides of a comparison.
fn differences(pool: &mut TermPool, atom: Term, found: &mut Found) {
    let signs: &[bool] = match pool.op(atom) {
        Op::BvSlt | Op::BvSle => &[true],
        Op::BvUlt | Op::BvUle => &[false],
        Op::Eq => &SIGNS,
        _ => return,
    };
    let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
    if !matches!(pool.ty(a), Type::Bv(w) if w <= WIDEST) {
        return;
    }
    for &signed in signs {
        let up = linear(pool, &[(b, 1), (a, -1)], signed);
        let down = linear(pool, &[(a, 1), (b, -1)], signed);
        found.add(up);
        found.add(down);
    }
}

/// What may be added up: what the loop compares that is read from memory, and the bit-vector variables that decide how it goes on.
pub fn basis(program: &mut Program, of: &Loop, live: &FxHashSet<Var>, atoms: &[Term]) -> Vec<Term> {
    let mut vars = cone(program, of);
    let pool = &program.pool;
    let is_number = |ty: Type| matches!(ty, Type::Bv(w) if w <= WIDEST);
    let compared = pool.post_order(atoms.iter().copied()).into_iter();
    let mut found: Vec<Term> = compared
        .filter(|&t| pool.op(t) == Op::Select && is_number(pool.ty(t)))
        .collect();
    vars.retain(|v| live.contains(v) && is_number(pool.var_ty(*v)));
    found.extend(vars.into_iter().map(|v| program.pool.var(v)));
    found
}

/// A sum of numbers with small coefficients, as an unsigned number of the same order.
pub fn linear(pool: &mut TermPool, parts: &[(Term, i64)], signed: bool) -> Term {
    let widest = parts.iter().map(|&(t, _)| pool.width(t)).max();
    let wide = widest.unwrap_or(1) + SPARE;
    let half = Bv::min_signed(wide);
    let mut total = pool.bv(half);
    for &(t, by) in parts {
        let t = match signed {
            true => pool.sext(wide, t),
            false => pool.zext(wide, t),
        };
        let times = pool.bv(Bv::from_i64(wide, by.abs()));
        let t = pool.bvmul(t, times);
        total = match by > 0 {
            true => pool.bvadd(total, t),
            false => pool.bvsub(total, t),
        };
    }
    total
}
