//! Linear equations between the variables at loop heads, found by models.
//!
//! Symbolic abstraction (Reps, Sagiv, Yorsh, VMCAI'04; for equations modulo 2^w Elder, Lim, Sharma, Andersen,
//! Reps, TOPLAS'14): a model of a step that leaves the spaces found so far is joined to them, until there
//! is none. Every join takes away an equation or a bit of one, so few models are needed. What is found
//! is 1-inductive together with the facts that the session knows.
//!
//! In a program that multiplies, products are numbers like variables: the squares of counters, and counters times
//! what does not change. With them the equation of an arithmetic series is found, which is quadratic.

use crate::ask::try_ask;
use crate::cfa::Cfa;
use crate::changes::{Change, change};
use crate::induction::Induction;
use crate::space::{Product, Space};
use crate::unroll::{Env, State, Unrolling};
use std::collections::BTreeMap;
use trellis_ivl::{Loc, Op, Term, Type, Value, Var};
use trellis_plugin_sdk::EngineError;
use trellis_solver_api::smt::SmtSession;

/// More variables of one width than this are related to no others.
const MAX_VARS: usize = 24;
/// Products at most, beside the variables.
const MAX_PRODUCTS: usize = 8;
/// Models at most; whoever needs more has no equations worth having.
const MAX_MODELS: usize = 400;

/// The spaces of one head by width; `None` while it is not reached.
type Spaces = Option<Vec<Space>>;

/// The variables of a head that are related, and products of them, by width; wide ones with narrower ones, where that is wanted.
fn groups(cfa: &Cfa, head: Loc, mixed: bool) -> Vec<(u32, Vec<Product>)> {
    let mut groups: BTreeMap<u32, Vec<Var>> = BTreeMap::new();
    for &v in cfa.live(head) {
        if let Type::Bv(w @ 2..=64) = cfa.program.pool.var_ty(v) {
            groups.entry(w).or_default().push(v);
        }
    }
    if mixed
        && let Some(narrow) = groups.get(&32).cloned()
        && let Some(wide) = groups.get_mut(&64)
    {
        wide.extend(narrow);
    }
    groups.retain(|_, vars| vars.len() > 1);
    let multiplies = multiplies(cfa);
    let with_products = |(width, mut vars): (u32, Vec<Var>)| {
        vars.truncate(MAX_VARS);
        let mut products: Vec<Product> = vars.iter().map(|&v| vec![v]).collect();
        if multiplies {
            products.extend(counter_products(cfa, &vars));
        }
        (width, products)
    };
    groups.into_iter().map(with_products).collect()
}

/// Whether the program multiplies variables.
fn multiplies(cfa: &Cfa) -> bool {
    let pool = &cfa.program.pool;
    cfa.edges().any(|e| {
        let t = cfa.transfer(e);
        let roots = t.updates.values().copied().chain([t.guard]);
        pool.post_order(roots)
            .into_iter()
            .any(|u| pool.op(u) == Op::BvMul && pool.args(u).all(|a| !pool.is_const(a)))
    })
}

/// The squares of counters, and the products of counters and constants.
fn counter_products(cfa: &Cfa, vars: &[Var]) -> Vec<Product> {
    let changes: Vec<Change> = vars.iter().map(|&v| change(cfa, v)).collect();
    let mut products = Vec::new();
    for (i, &counter) in vars.iter().enumerate() {
        for (j, &other) in vars.iter().enumerate() {
            let counts = changes[i] == Change::ByConstants;
            if counts && (i == j || changes[j] == Change::Never) {
                products.push(vec![counter, other]);
            }
        }
    }
    products.truncate(MAX_PRODUCTS);
    products
}

struct Search<'a> {
    cfa: &'a mut Cfa,
    session: &'a mut dyn SmtSession,
    groups: BTreeMap<Loc, Vec<(u32, Vec<Product>)>>,
    found: BTreeMap<Loc, Spaces>,
    models: usize,
}

/// Equations that hold at every visit of the heads, as facts; `false` for heads that are not reached. `None` where
/// the solver gives up. `given` are hypotheses of the step that are known to hold; `mixed` relates words of 64 bits also with those of 32.
///
/// # Errors
/// When the solver fails.
pub fn infer(
    cfa: &mut Cfa,
    session: &mut dyn SmtSession,
    base: &Unrolling,
    step: &Induction,
    given: &[Term],
    mixed: bool,
) -> Result<Option<Vec<(Loc, Term)>>, EngineError> {
    session.set_kind("equations");
    let groups = cfa
        .heads()
        .iter()
        .map(|&h| (h, groups(cfa, h, mixed)))
        .collect();
    let found = cfa.heads().iter().map(|&h| (h, None)).collect();
    let mut search = Search {
        cfa,
        session,
        groups,
        found,
        models: 0,
    };
    for layer in 0..=1 {
        let front = base.front(layer);
        if !search.cover(&[], front)? {
            return Ok(None);
        }
    }
    loop {
        let before = search.models;
        let mut hypothesis = search.hypothesis(step.unrolling.front(0));
        hypothesis.extend(given);
        if !search.cover_once(&hypothesis, step.unrolling.front(1))? {
            return Ok(None);
        }
        if search.models == before {
            return Ok(Some(search.facts()));
        }
    }
}

impl Search<'_> {
    /// Joins states of `front` under `assumed` until none is left; false where the effort is too much.
    fn cover(
        &mut self,
        assumed: &[Term],
        front: &BTreeMap<Loc, State>,
    ) -> Result<bool, EngineError> {
        loop {
            let before = self.models;
            if !self.cover_once(assumed, front)? {
                return Ok(false);
            }
            if self.models == before {
                return Ok(true);
            }
        }
    }

    /// Joins one state of `front`, if one is left.
    fn cover_once(
        &mut self,
        assumed: &[Term],
        front: &BTreeMap<Loc, State>,
    ) -> Result<bool, EngineError> {
        let mut outside = Vec::new();
        for (head, state) in front {
            let Some(spaces) = self.found.get(head) else {
                continue;
            };
            let pool = &mut self.cfa.program.pool;
            let inside = match spaces {
                Some(spaces) => {
                    let equations = spaces
                        .iter()
                        .flat_map(|s| s.equations(pool, |_, v| state.env[&v]))
                        .collect::<Vec<_>>();
                    pool.and_all(equations)
                }
                None => pool.fls(),
            };
            let not_inside = pool.not(inside);
            outside.push(pool.and(state.guard, not_inside));
        }
        let mut query = assumed.to_vec();
        query.push(self.cfa.program.pool.or_all(outside));
        match try_ask(self.session, &self.cfa.program.pool, &query)? {
            Some(true) => {}
            Some(false) => return Ok(true),
            None => return Ok(false),
        }
        self.models += 1;
        let mut points = Vec::new();
        for (&head, state) in front {
            if !self.found.contains_key(&head)
                || self.session.value(&self.cfa.program.pool, state.guard)? != Value::Bool(true)
            {
                continue;
            }
            for (width, products) in self.groups[&head].clone() {
                let point = self.point(&state.env, &products, width)?;
                points.push((head, width, products, point));
            }
            if self.found[&head].is_none() {
                self.found.insert(head, Some(Vec::new()));
            }
        }
        for (head, width, products, point) in points {
            let spaces = self.found.get_mut(&head).and_then(Option::as_mut);
            let spaces = spaces.expect("the head is reached");
            match spaces.iter_mut().find(|s| s.products() == products) {
                Some(space) => space.join(&point),
                None => spaces.push(Space::point(width, products, &point)),
            }
        }
        Ok(self.models <= MAX_MODELS)
    }

    fn point(
        &mut self,
        env: &Env,
        products: &[Product],
        width: u32,
    ) -> Result<Vec<u64>, EngineError> {
        let mut point = Vec::with_capacity(products.len());
        for vars in products {
            let mut product = 1u64;
            for v in vars {
                let value = self.session.value(&self.cfa.program.pool, env[v])?;
                let number = value.as_bv().and_then(|b| b.to_u64());
                let free = 64 - self.cfa.program.pool.var_ty(*v).width().unwrap_or(64);
                let number = number.expect("at most 64 bits") << free;
                product = product.wrapping_mul((number as i64 >> free) as u64);
            }
            point.push(product & (u64::MAX >> (64 - width)));
        }
        Ok(point)
    }

    /// That every state of `front` is in the spaces.
    fn hypothesis(&mut self, front: &BTreeMap<Loc, State>) -> Vec<Term> {
        let mut assumed = Vec::new();
        for (head, state) in front {
            let pool = &mut self.cfa.program.pool;
            match &self.found[head] {
                None => assumed.push(pool.not(state.guard)),
                Some(spaces) => {
                    for e in spaces
                        .iter()
                        .flat_map(|s| s.equations(pool, |_, v| state.env[&v]))
                        .collect::<Vec<_>>()
                    {
                        assumed.push(pool.implies(state.guard, e));
                    }
                }
            }
        }
        assumed
    }

    fn facts(&mut self) -> Vec<(Loc, Term)> {
        let mut facts = Vec::new();
        let pool = &mut self.cfa.program.pool;
        for (&head, spaces) in &self.found {
            match spaces {
                None => facts.push((head, pool.fls())),
                Some(spaces) => {
                    for s in spaces {
                        let equations = s.equations(pool, |pool, v| pool.var(v));
                        facts.extend(equations.into_iter().map(|e| (head, e)));
                    }
                }
            }
        }
        facts
    }
}
