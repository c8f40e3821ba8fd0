//! What may fall: candidates for components of a rank.
//!
//! In order: differences of what the loop compares, its variables with either sign, flags of its conditions, sums of two
//! variables, variables that go one way under a condition and the other way without it. All are whole numbers in a width in which they cannot wrap around, plus half of its range: the order of these unsigned numbers is that of
//! the whole numbers.

use rustc_hash::FxHashSet;
use trellis_ivl::termination::{Loop, cone};
use trellis_ivl::{Bv, CmdView, Op, Program, Term, TermPool, Type, Var};

/// Wider variables are not looked at.
const WIDEST: u32 = 64;

/// Variables whose sums are tried.
const SUMMED: usize = 6;

/// Whether numbers are signed.
const SIGNS: [bool; 2] = [true, false];

/// The candidates for a loop, the likely ones first.
pub fn candidates(program: &mut Program, of: &Loop, most: usize) -> Vec<Term> {
    let mut found = Found::default();
    let atoms = atoms(program, of);
    let pool = &mut program.pool;
    for &atom in &atoms {
        differences(pool, atom, &mut found);
    }
    let vars: Vec<Term> = numbers(program, of);
    let pool = &mut program.pool;
    for &v in &vars {
        for signed in SIGNS {
            let up = sum(pool, &[(v, true)], signed);
            let down = sum(pool, &[(v, false)], signed);
            found.add(down);
            found.add(up);
        }
    }
    for &atom in &atoms {
        let (one, zero) = (pool.num(1, 1), pool.num(1, 0));
        let yes = pool.ite(atom, one, zero);
        let no = pool.ite(atom, zero, one);
        found.add(yes);
        found.add(no);
    }
    for (i, &a) in vars.iter().take(SUMMED).enumerate() {
        for &b in &vars[..i] {
            if pool.ty(a) == pool.ty(b) {
                for signs in [(true, true), (false, false), (true, false), (false, true)] {
                    let t = sum(pool, &[(a, signs.0), (b, signs.1)], true);
                    found.add(t);
                }
            }
        }
    }
    for signed in SIGNS {
        for &atom in &atoms {
            for &v in vars.iter().take(SUMMED) {
                let up = sum(pool, &[(v, true)], signed);
                let down = sum(pool, &[(v, false)], signed);
                let first = pool.ite(atom, up, down);
                let second = pool.ite(atom, down, up);
                found.add(first);
                found.add(second);
            }
        }
    }
    found.list.truncate(most);
    found.list
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
        let up = sum(pool, &[(b, true), (a, false)], signed);
        let down = sum(pool, &[(a, true), (b, false)], signed);
        found.add(up);
        found.add(down);
    }
}

/// The bit-vector variables that decide how the loop goes on.
fn numbers(program: &mut Program, of: &Loop) -> Vec<Term> {
    let vars: Vec<Var> = cone(program, of);
    let is_number = |v: &Var| matches!(program.pool.var_ty(*v), Type::Bv(w) if w <= WIDEST);
    let vars: Vec<Var> = vars.into_iter().filter(is_number).collect();
    vars.into_iter().map(|v| program.pool.var(v)).collect()
}

/// A sum of numbers, each added or taken away, as an unsigned number of the same order.
fn sum(pool: &mut TermPool, parts: &[(Term, bool)], signed: bool) -> Term {
    let width = pool.width(parts[0].0);
    let wide = width + 2;
    let half = Bv::min_signed(wide);
    let mut total = pool.bv(half);
    for &(t, plus) in parts {
        let t = match signed {
            true => pool.sext(wide, t),
            false => pool.zext(wide, t),
        };
        total = match plus {
            true => pool.bvadd(total, t),
            false => pool.bvsub(total, t),
        };
    }
    total
}
