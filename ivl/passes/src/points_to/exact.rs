//! Addresses that are a fixed distance from a base, however they are named.
//!
//! A variable all of whose definitions are one base plus one constant has that address wherever it
//! is used as one: `p := &x`, `q := p + 4`. Constants as definitions do not count (a null pointer,
//! the zero that a local starts with), because by the promise of regions no constant is the address
//! of an access. Every definition is read once, every use of a variable followed twice at most.

use rustc_hash::FxHashMap;
use trellis_ivl::{Bv, CmdView, Program, Term, TermPool, Var};

/// What a variable holds when it holds an address.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Known {
    /// A base and the distance from it.
    At(Var, Bv),
    /// Different addresses.
    Many,
}

/// The result.
pub(super) struct Exact {
    known: FxHashMap<Var, Known>,
    /// The constants of the bases that only ever hold one.
    fixed: FxHashMap<Var, Bv>,
}

/// `t` as a variable plus a constant.
fn split(pool: &TermPool, t: Term) -> Option<(Var, Bv)> {
    match pool.as_var(t) {
        Some(v) => Some((v, Bv::zero(pool.var_ty(v).width()?))),
        None => {
            let (x, k) = pool.offset(t)?;
            Some((pool.as_var(x)?, k))
        }
    }
}

/// The definitions of variables, as they are read.
#[derive(Default)]
struct Definitions {
    /// What is defined from each variable, with the constant added.
    uses: FxHashMap<Var, Vec<(Var, Bv)>>,
    /// What is known without looking further.
    start: Vec<(Var, Known)>,
    /// The constant each base is set to; `None` for several or others.
    constants: FxHashMap<Var, Option<Bv>>,
}

impl Definitions {
    /// `v` becomes `t`, or anything.
    fn define(&mut self, pool: &TermPool, bases: &FxHashMap<Var, Known>, v: Var, t: Option<Term>) {
        let constant = t.and_then(|t| pool.as_bv(t));
        if bases.contains_key(&v) {
            let known = self.constants.entry(v).or_insert(constant.clone());
            if *known != constant {
                *known = None;
            }
        } else if constant.is_none() {
            match t.and_then(|t| split(pool, t)) {
                Some((from, k)) if bases.contains_key(&from) => {
                    self.start.push((v, Known::At(from, k)));
                }
                Some((from, k)) => self.uses.entry(from).or_default().push((v, k)),
                None => self.start.push((v, Known::Many)),
            }
        }
    }
}

impl Exact {
    pub fn new(program: &Program) -> Exact {
        let pool = &program.pool;
        let mut bases = FxHashMap::default();
        for r in program.regions.values() {
            if let Some(w) = pool.var_ty(r.base).width() {
                bases.insert(r.base, Known::At(r.base, Bv::zero(w)));
            }
        }
        let mut read = Definitions::default();
        for e in program.edges.keys() {
            let cmd = program.edge_cmd(e).expect("a flat program has no calls");
            program.cmds.for_each_leaf(cmd, |leaf| match leaf {
                CmdView::Assign(items) => {
                    for &(v, t) in items {
                        read.define(pool, &bases, v, Some(t));
                    }
                }
                CmdView::Havoc(items) => {
                    for &(v, _) in items {
                        read.define(pool, &bases, v, None);
                    }
                }
                _ => {}
            });
        }
        let fixed = read.constants.into_iter();
        let mut exact = Exact {
            known: bases,
            fixed: fixed.filter_map(|(v, k)| Some((v, k?))).collect(),
        };
        exact.solve(&read.uses, read.start);
        exact
    }

    fn solve(&mut self, uses: &FxHashMap<Var, Vec<(Var, Bv)>>, mut todo: Vec<(Var, Known)>) {
        while let Some((v, new)) = todo.pop() {
            let joined = match self.known.get(&v) {
                None => new,
                Some(old) if *old == new || *old == Known::Many => continue,
                Some(_) => Known::Many,
            };
            for (user, k) in uses.get(&v).into_iter().flatten() {
                let there = match &joined {
                    Known::At(base, at) => Known::At(*base, at.add(k)),
                    Known::Many => Known::Many,
                };
                todo.push((*user, there));
            }
            self.known.insert(v, joined);
        }
    }

    /// How far `address` is from `base`.
    pub fn distance(&self, pool: &TermPool, address: Term, base: Var) -> Option<u64> {
        let (v, k) = split(pool, address)?;
        match self.known.get(&v)? {
            Known::At(b, at) if *b == base => at.add(&k).to_u64(),
            _ => None,
        }
    }

    /// The constant that `base` always holds.
    pub fn fixed(&self, base: Var) -> Option<&Bv> {
        self.fixed.get(&base)
    }
}
