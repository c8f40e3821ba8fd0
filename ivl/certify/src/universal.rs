//! Facts about all cells: invariants with variables that stand for every value.
//!
//! A certificate may name *ghosts*: variables of no program. An invariant I in which ghosts g occur says that I holds
//! for all values of g: `forall g: I(x, g)`. No quantifier reaches a solver. Where I has to be shown, the ghosts are
//! constants of which nothing is known, so what is shown of them holds of every value. Where I may be used, it is used
//! at finitely many values: each *instance* I(x, t) follows from the invariant, so one more or one less can make a proof
//! succeed or fail, and never make an obligation wrong.
//!
//! The values that are tried: the ghosts themselves (what is to be shown of a cell mostly follows from what was known of
//! that cell), the terms by which the obligation reads or writes arrays and their parts, as far as they have the
//! type of a ghost, and what the certificate names as hints. What the instances read is tried once more.
//!
//! A use is conditional: a symbol of its own, its *mark*, stands for "the execution has passed here". It is a conjunct of
//! the path's condition, so whoever joins paths keeps them apart, and an execution that does not pass may choose it
//! false.

use crate::certificate::Ghosts;
use crate::check::Rejection;
use crate::region::{Env, instantiate};
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::walk::Substitution;
use trellis_ivl::{Op, Program, Term, Type, Var};

/// More ghosts than any proof needs; instances grow with their number as a power.
pub const MAX_GHOSTS: usize = 4;
/// Instances per obligation at most; further ones are left out.
const MAX_INSTANCES: usize = 2_000;
/// Values that are tried for one ghost at most.
const MAX_VALUES: usize = 48;

/// An invariant that was assumed in a state, for all values of the ghosts in it.
struct Use {
    mark: Term,
    env: Env,
    facts: Vec<Term>,
}

/// The ghosts of a certificate and the uses of its invariants so far.
#[derive(Default)]
pub struct Universal {
    ghosts: Vec<Var>,
    is_ghost: EntitySet<Var>,
    hints: Vec<Term>,
    uses: Vec<Use>,
}

impl Universal {
    /// With `ghosts` of the checker's own pool, for those of the certificate.
    pub fn new(ghosts: Vec<Var>, hints: Vec<Term>) -> Universal {
        let mut is_ghost = EntitySet::new();
        for &v in &ghosts {
            is_ghost.insert(v);
        }
        Universal {
            ghosts,
            is_ghost,
            hints,
            uses: Vec::new(),
        }
    }

    /// Whether no fact is about all values.
    pub fn is_empty(&self) -> bool {
        self.ghosts.is_empty()
    }

    /// What may be assumed at once where the invariant `inv` holds in the state `env`; its instances come with
    /// [`Universal::close`].
    pub fn assume(&mut self, program: &mut Program, env: &Env, inv: Term) -> Term {
        if self.is_empty() {
            return instantiate(program, env, inv);
        }
        let (facts, plain): (Vec<Term>, Vec<Term>) = program
            .pool
            .conjuncts(inv)
            .partition(|&t| self.mentions_ghost(program, t));
        let plain = plain.into_iter().map(|t| instantiate(program, env, t));
        let mut parts: Vec<Term> = plain.collect();
        if !facts.is_empty() {
            let mark = program.pool.fresh("holds", Type::Bool);
            let mark = program.pool.var(mark);
            parts.push(mark);
            let env = env.clone();
            self.uses.push(Use { mark, env, facts });
        }
        program.pool.plain_all(Op::And, parts)
    }

    fn mentions_ghost(&self, program: &Program, t: Term) -> bool {
        let vars = program.pool.free_vars([t]);
        vars.iter().any(|v| self.is_ghost.contains(*v))
    }

    /// `formula` with the instances of what was assumed on the way to it.
    pub fn close(&self, program: &mut Program, formula: Term) -> Term {
        if self.is_empty() {
            return formula;
        }
        let present: FxHashSet<Var> = program.pool.free_vars([formula]).into_iter().collect();
        let marked = |u: &&Use| {
            let mark = program.pool.as_var(u.mark);
            mark.is_some_and(|m| present.contains(&m))
        };
        let uses: Vec<&Use> = self.uses.iter().filter(marked).collect();
        let mut values = Values::new(program, &self.ghosts);
        for u in &uses {
            for &hint in &self.hints {
                let here = instantiate(program, &u.env, hint);
                values.add(program, here);
            }
        }
        values.of_indices(program, formula);
        let mut made = FxHashSet::default();
        let mut parts = vec![formula];
        // The second round is at what the instances of the first read.
        for _ in 0..2 {
            let before = parts.len();
            // Every fact at the first values before any at the next: where there are too many, the last values are left out.
            let mut number = 0;
            let mut more = true;
            while more && number < MAX_INSTANCES && parts.len() <= MAX_INSTANCES {
                more = false;
                for u in &uses {
                    for &fact in &u.facts {
                        more |=
                            self.instance(program, u, fact, &values, number, &mut made, &mut parts);
                    }
                }
                number += 1;
            }
            for &new in &parts.clone()[before..] {
                values.of_indices(program, new);
            }
        }
        program.pool.plain_all(Op::And, parts)
    }

    /// Appends `fact` of `u` at one of the values of its ghosts, by number; whether there is one of that number.
    #[allow(clippy::too_many_arguments)]
    fn instance(
        &self,
        program: &mut Program,
        u: &Use,
        fact: Term,
        values: &Values,
        number: usize,
        made: &mut FxHashSet<Term>,
        parts: &mut Vec<Term>,
    ) -> bool {
        let vars = program.pool.free_vars([fact]);
        let ghosts: Vec<Var> = vars
            .iter()
            .copied()
            .filter(|v| self.is_ghost.contains(*v))
            .collect();
        let lists: Vec<&[Term]> = ghosts
            .iter()
            .map(|g| values.of(program.pool.var_ty(*g)))
            .collect();
        let total = lists.iter().try_fold(1usize, |n, l| n.checked_mul(l.len()));
        if number >= total.unwrap_or(usize::MAX) {
            return false;
        }
        let mut map: FxHashMap<Var, Term> = vars
            .iter()
            .filter_map(|v| Some((*v, *u.env.get(v)?)))
            .collect();
        let mut rest = number;
        for (g, list) in ghosts.iter().zip(&lists) {
            map.insert(*g, list[rest % list.len()]);
            rest /= list.len();
        }
        let here = Substitution::plain(&map).apply(&mut program.pool, fact);
        let absent = program.pool.plain(Op::Not, &[u.mark]);
        let instance = program.pool.plain(Op::Or, &[absent, here]);
        if program.pool.as_bool(here) != Some(true) && made.insert(instance) {
            parts.push(instance);
        }
        true
    }
}

/// The values at which facts are used, by type.
struct Values {
    lists: FxHashMap<Type, Vec<Term>>,
    seen: FxHashSet<Term>,
}

impl Values {
    /// The ghosts themselves.
    fn new(program: &mut Program, ghosts: &[Var]) -> Values {
        let mut values = Values {
            lists: FxHashMap::default(),
            seen: FxHashSet::default(),
        };
        for &g in ghosts {
            let ghost = program.pool.var(g);
            values.lists.entry(program.pool.ty(ghost)).or_default();
            values.add(program, ghost);
        }
        values
    }

    fn of(&self, ty: Type) -> &[Term] {
        self.lists.get(&ty).map_or(&[], |l| l)
    }

    fn add(&mut self, program: &Program, t: Term) {
        if let Some(list) = self.lists.get_mut(&program.pool.ty(t))
            && list.len() < MAX_VALUES
            && self.seen.insert(t)
        {
            list.push(t);
        }
    }

    /// Adds the indices by which `t` reads and writes arrays, and their parts.
    fn of_indices(&mut self, program: &Program, t: Term) {
        let pool = &program.pool;
        let cells = |u: &Term| matches!(pool.op(*u), Op::Select | Op::Store);
        let accesses = pool.post_order([t]).into_iter().filter(cells);
        let indices: Vec<Term> = accesses.map(|u| pool.arg(u, 1)).collect();
        for &index in &indices {
            self.add(program, index);
        }
        for part in pool.post_order(indices) {
            if pool.op(part) != Op::BvConst {
                self.add(program, part);
            }
        }
    }
}

/// The checker's own variables for the ghosts that a certificate declares.
pub(crate) fn declare(
    program: &mut Program,
    pool: &trellis_ivl::TermPool,
    ghosts: &Ghosts,
) -> Result<FxHashMap<Var, Var>, Rejection> {
    if ghosts.vars.len() > MAX_GHOSTS {
        let n = ghosts.vars.len();
        let message = format!("{n} ghosts, more than {MAX_GHOSTS}");
        return Err(Rejection::Malformed(message));
    }
    let mut own = FxHashMap::default();
    for &v in &ghosts.vars {
        let Some(data) = pool.vars().get(v) else {
            return Err(Rejection::Malformed(format!("there is no ghost {v}")));
        };
        let ghost = program.pool.fresh(data.name.clone(), data.ty);
        own.insert(v, ghost);
    }
    Ok(own)
}
