//! Which variables enter which template rows.
//!
//! All pairs of n variables are n² rows, most of them about variables that have nothing to do with one
//! another. By default two variables are related when one comparison of the program mentions both or when
//! one is assigned from the other; transitive relations are left to the invariants.

use crate::row::number;
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::{Cfa, go_on};
use trellis_ivl::{Bv, Loc, Op, Scope, Term, TermPool, Var};
use trellis_ivl_float::Format;
use trellis_ivl_float::terms::{FloatTerms, key};
use trellis_plugin_sdk::{EngineError, Host};

/// A comparison or assignment of more variables than this relates none of them.
const MAX_TOGETHER: usize = 8;

/// What the program does with its variables.
#[derive(Default)]
pub struct Related {
    pairs: BTreeSet<(Var, Var)>,
    signed: BTreeSet<Var>,
    unsigned: BTreeSet<Var>,
    constants: BTreeMap<Var, BTreeSet<Bv>>,
    numbers: BTreeSet<i128>,
    floats: BTreeMap<Var, Format>,
    all: bool,
}

impl Related {
    /// Reads it off the edges of `cfa`; with `all`, every two variables count as related.
    ///
    /// # Errors
    /// When it is time to stop.
    pub fn new(cfa: &Cfa, all: bool, host: &dyn Host) -> Result<Related, EngineError> {
        let mut found = Related {
            all,
            ..Related::default()
        };
        let pool = &cfa.program.pool;
        for h in cfa.heads() {
            for w in cfa.live(*h).iter().filter_map(|&v| pool.var_ty(v).width()) {
                if w <= 64 {
                    let half = 1i128 << (w - 1);
                    found
                        .numbers
                        .extend([-2 * half, -half, half - 1, half, 2 * half - 1]);
                }
            }
        }
        for e in cfa.edges() {
            go_on(host)?;
            let t = cfa.transfer(e);
            let roots: Vec<Term> = t.updates.values().copied().chain([t.guard]).collect();
            for term in pool.post_order(roots) {
                found.atom(pool, term);
            }
            for (&v, &value) in &t.updates {
                let mut vars = program_vars(pool, value);
                vars.push(v);
                found.together(pool, &vars);
            }
        }
        found.read_floats(cfa);
        Ok(found)
    }

    /// Which variables are floats, and the places of the numbers that they meet.
    fn read_floats(&mut self, cfa: &Cfa) {
        let transfers = || cfa.edges().map(|e| cfa.transfer(e));
        let guards: Vec<Term> = transfers().map(|t| t.guard).collect();
        let values: Vec<(Var, Term)> = transfers()
            .flat_map(|t| t.updates.iter().map(|(&v, &value)| (v, value)))
            .collect();
        let terms = FloatTerms::read(&cfa.program.pool, &guards, &values, false);
        self.floats = terms.variables;
        for (format, c) in terms.constants {
            let middle = 1i128 << (format.width() - 1);
            if let Some(k) = key(format, &c).filter(|_| format.width() <= 64) {
                for place in [middle + k, middle - k] {
                    self.numbers.extend([place, -place]);
                }
            }
        }
    }

    fn together(&mut self, pool: &TermPool, vars: &[Var]) {
        if vars.len() > MAX_TOGETHER {
            return;
        }
        for &a in vars {
            for &b in vars {
                if a < b && pool.var_ty(a) == pool.var_ty(b) {
                    self.pairs.insert((a, b));
                }
            }
        }
    }

    fn atom(&mut self, pool: &TermPool, t: Term) {
        if let Some(c) = pool.as_bv(t)
            && c.width() <= 64
        {
            let n = number(&c);
            let plain = c.to_u64().map_or(n, i128::from);
            for n in [n, plain] {
                self.numbers.extend([n - 1, n, n + 1, -n - 1, -n, 1 - n]);
            }
        }
        let op = pool.op(t);
        let signed = matches!(
            op,
            Op::BvSlt
                | Op::BvSle
                | Op::BvSaddo
                | Op::BvSsubo
                | Op::BvSmulo
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvSmod
                | Op::SignExt
        );
        let unsigned = matches!(
            op,
            Op::BvUlt
                | Op::BvUle
                | Op::BvUaddo
                | Op::BvUsubo
                | Op::BvUmulo
                | Op::BvUdiv
                | Op::BvUrem
                | Op::ZeroExt
        );
        if !signed && !unsigned && op != Op::Eq {
            return;
        }
        let vars = program_vars(pool, t);
        self.together(pool, &vars);
        if signed {
            self.signed.extend(&vars);
        }
        if unsigned {
            self.unsigned.extend(&vars);
        }
        if op == Op::Eq {
            let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
            for (x, c) in [(a, b), (b, a)] {
                if let (Some(v), Some(c)) = (pool.as_var(x), pool.as_bv(c)) {
                    self.constants.entry(v).or_default().insert(c);
                }
            }
        }
    }

    /// Whether a row may speak of both.
    pub fn related(&self, a: Var, b: Var) -> bool {
        self.all || self.pairs.contains(&(a.min(b), a.max(b)))
    }

    /// Whether the program takes `v` for a signed number, or does not say.
    pub fn is_signed(&self, v: Var) -> bool {
        self.signed.contains(&v) || !self.unsigned.contains(&v)
    }

    /// Whether the program takes `v` for an unsigned number, or does not say.
    pub fn is_unsigned(&self, v: Var) -> bool {
        self.unsigned.contains(&v) || !self.signed.contains(&v)
    }

    /// The format of `v`, where it is a float.
    pub fn float(&self, v: Var) -> Option<Format> {
        self.floats.get(&v).copied()
    }

    /// The constants that `v` is compared with for equality.
    pub fn constants(&self, v: Var) -> impl Iterator<Item = &Bv> {
        self.constants.get(&v).into_iter().flatten()
    }

    /// Values near the constants of the program and their negations, ascending.
    pub fn thresholds(&self) -> Vec<i128> {
        self.numbers.iter().copied().collect()
    }

    /// The related pairs of live variables of `head` of one type, smaller number first.
    pub fn pairs(&self, cfa: &Cfa, head: Loc) -> Vec<(Var, Var)> {
        let live = cfa.live(head);
        let pool = &cfa.program.pool;
        let mut pairs = Vec::new();
        for (i, &a) in live.iter().enumerate() {
            for &b in &live[i + 1..] {
                if pool.var_ty(a) == pool.var_ty(b) && self.related(a, b) {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }
}

fn program_vars(pool: &TermPool, t: Term) -> Vec<Var> {
    let mut vars = pool.free_vars([t]);
    vars.retain(|&v| pool.var_data(v).scope != Scope::Auxiliary);
    vars
}
