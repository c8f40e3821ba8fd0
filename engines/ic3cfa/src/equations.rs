//! Linear equations modulo 2^w between the variables at each location, found by models before the first iteration.
//!
//! Symbolic abstraction (Reps, Sagiv, Yorsh, VMCAI'04; for equations modulo 2^w Elder, Lim, Sharma, Andersen, Reps,
//! TOPLAS'14): a step that leaves the spaces found so far is joined to them, until no edge has one. Every
//! join takes away an equation or a bit of one. What is left is inductive, so it is learnt for good. A lemma that relates
//! three variables and more is what generalisation finds last: a cube has no reason to speak of all of them.
//!
//! Looked at are variables that are computed with, and those they meet; a state machine has none. What depends on an array
//! is left out, because queries about arrays take long: of guards, and among the variables. In a program that
//! multiplies, squares of counters and their products with what does not change are numbers like variables.

use crate::edge_query::Reply;
use crate::frames::FOREVER;
use crate::model::Eval;
use crate::run::Run;
use std::collections::{BTreeMap, BTreeSet};
use trellis_engine_common::space::{Product, Space};
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Edge, Loc, LocKind, Op, Term, TermPool, Type, Value, Var};

/// Variables of one width at most.
const MAX_VARS: usize = 24;

/// Products at most, beside the variables.
const MAX_PRODUCTS: usize = 8;

/// Steps at most; who needs more has no equations worth having.
const MAX_STEPS: usize = 500;

/// What is related to one another, with its width.
type Group = (u32, Vec<Product>);

impl Run<'_> {
    /// Learns the linear equations that hold at locations.
    pub(crate) fn learn_equations(&mut self) -> Result<(), EngineError> {
        let groups = self.groups();
        if groups.is_empty() {
            return Ok(());
        }
        let Some(found) = self.find_spaces(&groups)? else {
            return Ok(());
        };
        for (loc, spaces) in found {
            for t in self.equations_of(&spaces) {
                let literal = self.program.pool.not(t);
                if self.frames.block(loc, FOREVER, &[literal], t) {
                    self.equations += 1;
                }
            }
        }
        Ok(())
    }

    /// The spaces of all locations that are reached; `None` where the effort is too much.
    fn find_spaces(
        &mut self,
        groups: &[Group],
    ) -> Result<Option<BTreeMap<Loc, Vec<Space>>>, EngineError> {
        let mut found: BTreeMap<Loc, Vec<Space>> = BTreeMap::new();
        // Edges in the order of the program.
        let locs = std::iter::once(&self.cfa.entry).chain(&self.cfa.locs);
        let edges = locs.flat_map(|&l| self.cfa.out(l)).copied();
        let edges: Vec<Edge> = edges.filter(|&e| self.leads_on(e)).collect();
        let number: BTreeMap<Edge, usize> = edges.iter().zip(0..).map(|(&e, n)| (e, n)).collect();
        let outgoing = |run: &Run<'_>, l: Loc| -> Vec<usize> {
            let out = run.cfa.out(l).iter();
            out.filter_map(|e| number.get(e)).copied().collect()
        };
        let mut todo: BTreeSet<usize> = outgoing(self, self.cfa.entry).into_iter().collect();
        let mut steps = 0;
        while let Some(n) = todo.pop_first() {
            let e = edges[n];
            let (from, to) = (self.cfa.from(e), self.cfa.to(e));
            let mut changed = false;
            loop {
                self.check_cancelled()?;
                let mut assumed = self.guard_without_arrays(e);
                if let Some(spaces) = found.get(&from) {
                    assumed.extend(self.equations_of(spaces));
                }
                let goal = match found.get(&to) {
                    Some(spaces) => {
                        let inside = self.equations_of(spaces);
                        let inside = self.program.pool.and_all(inside);
                        let after = self.queries.after(self.program, &self.cfa, e, inside);
                        self.program.pool.not(after)
                    }
                    None => self.program.pool.tru(),
                };
                assumed.push(goal);
                let (queries, mut on) = self.queries();
                let model = match queries.before(&mut on, e, &assumed)? {
                    Reply::Sat(model) => model,
                    Reply::Unsat(_) => break,
                    Reply::Unknown => return Ok(None),
                };
                steps += 1;
                if steps > MAX_STEPS {
                    return Ok(None);
                }
                changed = true;
                let updates = &self.cfa.transfer(e).updates;
                let pool = &mut self.program.pool;
                let mut eval = Eval::new(&mut self.evaluator, &model);
                let mut number_of = |v: Var| {
                    let own = pool.var(v);
                    let new = updates.get(&v).copied().unwrap_or(own);
                    match eval.value(pool, new) {
                        Value::Bv(value) => value.to_u64().unwrap_or_default(),
                        _ => 0,
                    }
                };
                let mut points = Vec::new();
                for (_, products) in groups {
                    let product = |vars: &Product| {
                        let numbers = vars.iter().map(|&v| number_of(v));
                        numbers.fold(1u64, u64::wrapping_mul)
                    };
                    points.push(products.iter().map(product).collect::<Vec<u64>>());
                }
                match found.get_mut(&to) {
                    Some(spaces) => {
                        for (space, point) in spaces.iter_mut().zip(&points) {
                            space.join(point);
                        }
                    }
                    None => {
                        let new = groups.iter().zip(&points);
                        let new = new.map(|((w, p), x)| Space::point(*w, p.clone(), x));
                        found.insert(to, new.collect());
                    }
                }
            }
            if changed {
                todo.extend(outgoing(self, to));
            }
        }
        Ok(Some(found))
    }

    /// The conjuncts of the guard of `e` that no array takes part in.
    fn guard_without_arrays(&self, e: Edge) -> Vec<Term> {
        let pool = &self.program.pool;
        let mut open = vec![self.cfa.transfer(e).guard];
        let mut found = Vec::new();
        while let Some(t) = open.pop() {
            match pool.op(t) {
                Op::And => open.extend(pool.args(t)),
                _ if has_array(pool, t) => {}
                _ => found.push(t),
            }
        }
        found
    }

    /// Whether `e` ends where there are frames.
    fn leads_on(&self, e: Edge) -> bool {
        let to = self.cfa.to(e);
        to != self.cfa.entry && self.program.locs[to].kind == LocKind::Plain
    }

    fn equations_of(&mut self, spaces: &[Space]) -> Vec<Term> {
        let pool = &mut self.program.pool;
        let each = spaces.iter();
        each.flat_map(|s| s.equations(pool, |pool, v| pool.var(v)))
            .collect()
    }

    /// The variables that are computed with on cycles, those that meet them in a term, and products of them, by width.
    fn groups(&self) -> Vec<Group> {
        let pool = &self.program.pool;
        let number = |v: &Var| matches!(pool.var_ty(*v), Type::Bv(2..=64));
        let mut own: BTreeSet<Var> = self.program.program_vars().filter(number).collect();
        let locs = std::iter::once(&self.cfa.entry).chain(&self.cfa.locs);
        let edges: Vec<Edge> = locs.flat_map(|&l| self.cfa.out(l)).copied().collect();
        for &e in &edges {
            for (v, &t) in &self.cfa.transfer(e).updates {
                if own.contains(v) && has_array(pool, t) {
                    own.remove(v);
                }
            }
        }
        let mut computed: BTreeSet<Var> = BTreeSet::new();
        let mut changes: BTreeMap<Var, Change> = BTreeMap::new();
        let mut meetings: Vec<Vec<Var>> = Vec::new();
        let mut multiplies = false;
        for &e in &edges {
            let (from, to) = (
                self.cfa.cycle(self.cfa.from(e)),
                self.cfa.cycle(self.cfa.to(e)),
            );
            let on_cycle = from.is_some() && from == to;
            let transfer = self.cfa.transfer(e);
            for (&v, &t) in transfer.updates.iter().filter(|(v, _)| own.contains(v)) {
                let terms = pool.post_order([t]);
                let linear = |&u: &Term| matches!(pool.op(u), Op::BvAdd | Op::BvSub | Op::BvMul);
                if on_cycle {
                    let change = if is_count(pool, v, t) {
                        Change::Counts
                    } else {
                        Change::Otherwise
                    };
                    let known = changes.entry(v).or_insert(change);
                    *known = (*known).max(change);
                    if terms.iter().any(linear) {
                        computed.insert(v);
                    }
                }
                let mut met = pool.free_vars([t]);
                met.push(v);
                meetings.push(met);
            }
            let roots = transfer.updates.values().copied().chain([transfer.guard]);
            for t in pool.post_order(roots) {
                match pool.op(t) {
                    Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
                        meetings.push(pool.free_vars([t]));
                    }
                    Op::BvMul => multiplies |= pool.args(t).all(|a| !pool.is_const(a)),
                    _ => {}
                }
            }
        }
        loop {
            let before = computed.len();
            for met in &meetings {
                if met.iter().any(|v| computed.contains(v)) {
                    computed.extend(met.iter().filter(|v| own.contains(v)));
                }
            }
            if computed.len() == before {
                break;
            }
        }
        let mut groups: BTreeMap<u32, Vec<Var>> = BTreeMap::new();
        for &v in &computed {
            if let Type::Bv(width) = pool.var_ty(v) {
                groups.entry(width).or_default().push(v);
            }
        }
        let with_products = |(width, mut vars): (u32, Vec<Var>)| {
            vars.truncate(MAX_VARS);
            let mut products: Vec<Product> = vars.iter().map(|&v| vec![v]).collect();
            let counters = vars
                .iter()
                .filter(|v| changes.get(v) == Some(&Change::Counts));
            let squares = counters.flat_map(|&c| {
                let others = vars.iter().filter(move |&&v| v == c);
                let fixed = vars.iter().filter(|v| !changes.contains_key(v));
                others.chain(fixed).map(move |&v| vec![c, v])
            });
            if multiplies {
                products.extend(squares.take(MAX_PRODUCTS));
            }
            (width, products)
        };
        groups.into_iter().map(with_products).collect()
    }
}

/// Whether `t` depends on an array.
fn has_array(pool: &TermPool, t: Term) -> bool {
    let terms = pool.post_order([t]);
    terms
        .iter()
        .any(|&u| pool.op(u) == Op::Select || matches!(pool.ty(u), Type::Array { .. }))
}

/// How a variable changes on cycles, where it does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// By constants.
    Counts,
    Otherwise,
}

/// Whether `v := t` adds a constant.
fn is_count(pool: &TermPool, v: Var, t: Term) -> bool {
    pool.as_var(t) == Some(v)
        || pool.is_const(t)
        || pool.op(t) == Op::BvAdd
            && pool.args(t).any(|a| pool.as_var(a) == Some(v))
            && pool.args(t).any(|a| pool.is_const(a))
}
