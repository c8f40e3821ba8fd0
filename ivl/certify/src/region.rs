//! Acyclic regions of a flat program as formulas.
//!
//! A region begins at one cutpoint and follows every edge until the next cutpoint, error or
//! incomplete location. It is encoded forwards in passive form: an environment maps variables to
//! terms, and where paths join, a variable that differs gets a fresh symbol that each path
//! constrains. This deliberately shares no code with [`trellis_ivl::Transfer`], which engines use.
//!
//! Edges that a literal `assume false` closes are none.
//!
//! A loop without a cutpoint is over-approximated: whoever enters its strongly connected component
//! may find itself at any of the component's heads with everything that the component modifies
//! arbitrary, and edges back to those heads need not be followed, because what they carry is
//! already covered. A *lemma* at such a head restricts what is arbitrary there, so every arrival at
//! it must be shown to satisfy the lemma.

use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::{Cmd, CmdView, Edge, Loc, LocKind, Program, Term, Var};

/// What variables hold at some point, as terms over the region's symbols; a variable that is not
/// listed holds its own start symbol.
pub type Env = BTreeMap<Var, Term>;

/// The state at some location: it may be there when `reached` holds, with the values of `env`.
#[derive(Clone)]
pub struct Arrival {
    /// The location.
    pub loc: Loc,
    /// Path condition.
    pub reached: Term,
    /// Values.
    pub env: Env,
}

/// How regions of a program are cut.
pub struct Cut {
    pub(crate) adjacency: Adjacency,
    pub(crate) cutpoints: EntitySet<Loc>,
    /// All reachable locations but cutpoints in topological order, back edges of uncut loops aside.
    pub(crate) order: Vec<Loc>,
    /// The uncut loop of a location, if it lies on one.
    pub(crate) component: SecondaryMap<Loc, Option<u32>>,
    /// Heads and modified variables of each uncut loop.
    pub(crate) loops: Vec<(BTreeSet<Loc>, Vec<Var>)>,
    /// What is claimed at heads of uncut loops.
    lemmas: BTreeMap<Loc, Term>,
}

impl Cut {
    /// Cuts `program`, which must be flat, at `cutpoints`. Lemmas elsewhere than on uncut loops have
    /// no effect; where there is one, it makes a head.
    pub fn new(program: &Program, cutpoints: &BTreeSet<Loc>, lemmas: BTreeMap<Loc, Term>) -> Cut {
        let adjacency = open_edges(program);
        let mut cuts = EntitySet::new();
        for &c in cutpoints {
            cuts.insert(c);
        }
        let mut cut = Cut {
            order: Vec::new(),
            component: SecondaryMap::new(),
            loops: Vec::new(),
            lemmas,
            cutpoints: cuts,
            adjacency,
        };
        cut.find_loops(program);
        cut
    }

    /// The lemma at `loc`, if that is the head of an uncut loop.
    pub fn lemma(&self, loc: Loc) -> Option<Term> {
        let id = self.component[loc]?;
        let is_head = self.loops[id as usize].0.contains(&loc);
        self.lemmas.get(&loc).copied().filter(|_| is_head)
    }

    /// The loop heads of a flat program: every cycle passes through one of them.
    pub fn heads(program: &Program) -> BTreeSet<Loc> {
        let adjacency = open_edges(program);
        let search = DepthFirst::new(program, &adjacency, program.entry());
        search
            .order
            .iter()
            .copied()
            .filter(|&l| search.heads.contains(l))
            .collect()
    }

    /// The components of the graph without cutpoints, in topological order, each in an order of its
    /// own: what enters a component comes before all of it.
    fn find_loops(&mut self, program: &Program) {
        let n = program.locs.len();
        let mut t = Tarjan {
            index: vec![u32::MAX; n],
            low: vec![0; n],
            on_stack: vec![false; n],
            stack: Vec::new(),
            next: 0,
            components: Vec::new(),
        };
        // In this order the heads of natural loops come before their bodies and are found as heads.
        let roots = DepthFirst::new(program, &self.adjacency, program.entry()).order;
        let mut position: SecondaryMap<Loc, u32> = SecondaryMap::new();
        for (&l, i) in roots.iter().zip(0..) {
            position[l] = i;
        }
        for root in roots {
            if !self.cutpoints.contains(root) && t.index[root.as_u32() as usize] == u32::MAX {
                t.search(program, self, root);
            }
        }
        for mut members in t.components.into_iter().rev() {
            members.sort_by_key(|&l| position[l]);
            self.add_component(program, &members);
        }
    }

    /// Files a component: a location, or a loop with its heads and what it modifies.
    fn add_component(&mut self, program: &Program, members: &[Loc]) {
        let id = self.loops.len() as u32;
        for &l in members {
            self.component[l] = Some(id);
        }
        let mut modified = Vec::new();
        let mut is_loop = false;
        for &l in members {
            for &e in self.adjacency.out(l) {
                if self.component[program.edges[e].to] == Some(id) {
                    is_loop = true;
                    modified.extend(program.cmds.modified(command(program, e)));
                }
            }
        }
        if !is_loop {
            self.component[members[0]] = None;
            self.order.push(members[0]);
            return;
        }
        modified.sort_unstable();
        modified.dedup();
        let heads = self.order_loop(program, members, id);
        self.loops.push((heads, modified));
    }

    /// Appends the members of a loop in an order that is topological but for edges into its heads,
    /// and returns these: the locations with a lemma and as many others as it takes.
    fn order_loop(&mut self, program: &Program, members: &[Loc], id: u32) -> BTreeSet<Loc> {
        let mut heads: BTreeSet<Loc> = members
            .iter()
            .copied()
            .filter(|l| self.lemmas.contains_key(l))
            .collect();
        let with_lemma = heads.clone();
        let mut post = Vec::with_capacity(members.len());
        let (mut seen, mut on_path) = (BTreeSet::new(), BTreeSet::new());
        for &root in members {
            if !seen.insert(root) {
                continue;
            }
            on_path.insert(root);
            let mut path = vec![(root, 0usize)];
            while let Some(top) = path.last_mut() {
                let (l, next) = *top;
                top.1 += 1;
                let Some(&e) = self.adjacency.out(l).get(next) else {
                    on_path.remove(&l);
                    post.push(l);
                    path.pop();
                    continue;
                };
                let to = program.edges[e].to;
                if self.component[to] != Some(id) || with_lemma.contains(&to) {
                    continue;
                }
                if on_path.contains(&to) {
                    heads.insert(to);
                } else if seen.insert(to) {
                    on_path.insert(to);
                    path.push((to, 0));
                }
            }
        }
        self.order.extend(post.into_iter().rev());
        heads
    }

    /// Follows the program from `start` to the next cutpoints, errors and incomplete locations.
    ///
    /// The result lists arrivals at cutpoints and at heads with a lemma, one per edge, and one
    /// arrival per error or incomplete location, in a fixed order. What follows the heads assumes
    /// the lemmas.
    pub fn follow(&self, program: &mut Program, start: &Arrival) -> Vec<Arrival> {
        let mut pending: FxHashMap<Loc, Vec<Arrival>> = FxHashMap::default();
        // States on entry to uncut loops, which continue at the loop's heads.
        let mut entered: FxHashMap<u32, Vec<Arrival>> = FxHashMap::default();
        let mut ends = Vec::new();
        if self.cutpoints.contains(start.loc) {
            self.leave(
                program,
                start.clone(),
                &mut pending,
                &mut entered,
                &mut ends,
            );
        } else {
            self.arrive(None, start.clone(), &mut pending, &mut entered, &mut ends);
        }
        for &loc in &self.order {
            let mut arrivals = pending.remove(&loc).unwrap_or_default();
            if let Some(id) = self.component[loc]
                && self.loops[id as usize].0.contains(&loc)
                && let Some(entries) = entered.get(&id)
            {
                // A head: any entry so far may stand here with the loop's variables arbitrary.
                let mut state = merge(program, loc, entries);
                for &v in &self.loops[id as usize].1 {
                    let fresh = fresh(program, v);
                    state.env.insert(v, fresh);
                }
                if let Some(lemma) = self.lemma(loc) {
                    let holds = instantiate(program, &state.env, lemma);
                    state.reached = program.pool.and(state.reached, holds);
                }
                arrivals = vec![state];
            }
            if arrivals.is_empty() {
                continue;
            }
            // One way to a location is the rule; its state is handed on, not copied.
            let state = match arrivals.len() {
                1 => Arrival {
                    loc,
                    ..arrivals.swap_remove(0)
                },
                _ => merge(program, loc, &arrivals),
            };
            if program.locs[loc].kind == LocKind::Plain {
                self.leave(program, state, &mut pending, &mut entered, &mut ends);
            } else {
                ends.push(state);
            }
        }
        ends
    }

    fn leave(
        &self,
        program: &mut Program,
        mut state: Arrival,
        pending: &mut FxHashMap<Loc, Vec<Arrival>>,
        entered: &mut FxHashMap<u32, Vec<Arrival>>,
        ends: &mut Vec<Arrival>,
    ) {
        let edges = self.adjacency.out(state.loc);
        for (n, &e) in edges.iter().enumerate() {
            let mut env = match n + 1 == edges.len() {
                true => std::mem::take(&mut state.env),
                false => state.env.clone(),
            };
            let cmd = command(program, e);
            let condition = execute(program, cmd, &mut env);
            let reached = program.pool.and(state.reached, condition);
            if program.pool.as_bool(reached) == Some(false) {
                continue;
            }
            let loc = program.edges[e].to;
            let arrival = Arrival { loc, reached, env };
            self.arrive(self.component[state.loc], arrival, pending, entered, ends);
        }
    }

    /// Files an arrival; `from` is the uncut loop it comes from.
    fn arrive(
        &self,
        from: Option<u32>,
        arrival: Arrival,
        pending: &mut FxHashMap<Loc, Vec<Arrival>>,
        entered: &mut FxHashMap<u32, Vec<Arrival>>,
        ends: &mut Vec<Arrival>,
    ) {
        if self.cutpoints.contains(arrival.loc) {
            ends.push(arrival);
            return;
        }
        if let Some(id) = self.component[arrival.loc] {
            let is_head = self.loops[id as usize].0.contains(&arrival.loc);
            if from != Some(id) {
                entered.entry(id).or_default().push(arrival.clone());
            }
            if is_head {
                // Covered by the arbitrary state that every entry gives the heads, if the lemma holds.
                if self.lemma(arrival.loc).is_some() {
                    ends.push(arrival);
                }
                return;
            }
        }
        pending.entry(arrival.loc).or_default().push(arrival);
    }
}

/// The graph without edges that a literal `assume false` closes: they close no loop.
pub fn open_edges(program: &Program) -> Adjacency {
    Adjacency::of(program, |e| !is_closed(program, command(program, e)))
}

/// Whether every way through `cmd` has an `assume false`.
fn is_closed(program: &Program, cmd: Cmd) -> bool {
    match program.cmds.view(cmd) {
        CmdView::Skip | CmdView::Assign(_) | CmdView::Havoc(_) => false,
        CmdView::Assume(t) => program.pool.as_bool(t) == Some(false),
        CmdView::Seq(cs) => cs.iter().any(|&c| is_closed(program, c)),
        CmdView::Choice(cs) => cs.iter().all(|&c| is_closed(program, c)),
    }
}

fn command(program: &Program, e: Edge) -> Cmd {
    program.edge_cmd(e).expect("a flat program has no calls")
}

/// A fresh symbol for `v`.
pub fn fresh(program: &mut Program, v: Var) -> Term {
    let data = program.pool.var_data(v);
    let (name, ty) = (data.name.clone(), data.ty);
    let symbol = program.pool.fresh(name, ty);
    program.pool.var(symbol)
}

/// The condition under which `cmd` completes from `env`, which becomes the state after it.
fn execute(program: &mut Program, cmd: Cmd, env: &mut Env) -> Term {
    match program.cmds.view(cmd) {
        CmdView::Skip => program.pool.tru(),
        CmdView::Assume(t) => instantiate(program, env, t),
        CmdView::Assign(items) => {
            let items = items.to_vec();
            let new: Vec<(Var, Term)> = items
                .into_iter()
                .map(|(v, t)| (v, instantiate(program, env, t)))
                .collect();
            env.extend(new);
            program.pool.tru()
        }
        CmdView::Havoc(items) => {
            let vars: Vec<Var> = items.iter().map(|&(v, _)| v).collect();
            for v in vars {
                let symbol = fresh(program, v);
                env.insert(v, symbol);
            }
            program.pool.tru()
        }
        CmdView::Seq(cs) => {
            let cs = cs.to_vec();
            let mut condition = program.pool.tru();
            for c in cs {
                let more = execute(program, c, env);
                condition = program.pool.and(condition, more);
            }
            condition
        }
        CmdView::Choice(cs) => {
            let cs = cs.to_vec();
            let here = program.entry();
            let branches: Vec<Arrival> = cs
                .into_iter()
                .map(|c| {
                    let mut branch = env.clone();
                    let reached = execute(program, c, &mut branch);
                    Arrival {
                        loc: here,
                        reached,
                        env: branch,
                    }
                })
                .collect();
            let joined = merge(program, here, &branches);
            *env = joined.env;
            joined.reached
        }
    }
}

/// The value of `t` where variables hold what `env` says.
pub fn instantiate(program: &mut Program, env: &Env, t: Term) -> Term {
    // A program has many variables, and a term few of them.
    let vars = program.pool.free_vars([t]).into_iter();
    let map: FxHashMap<Var, Term> = vars.filter_map(|v| Some((v, *env.get(&v)?))).collect();
    program.pool.substitute(t, &map)
}

/// The states of several paths as one: variables that differ get a fresh symbol.
pub fn merge(program: &mut Program, loc: Loc, paths: &[Arrival]) -> Arrival {
    if let [one] = paths {
        return Arrival { loc, ..one.clone() };
    }
    let vars: BTreeSet<Var> = paths.iter().flat_map(|p| p.env.keys().copied()).collect();
    let mut env = Env::new();
    let mut links: Vec<Vec<Term>> = paths.iter().map(|p| vec![p.reached]).collect();
    for v in vars {
        let own = program.pool.var(v);
        let values: Vec<Term> = paths
            .iter()
            .map(|p| p.env.get(&v).copied().unwrap_or(own))
            .collect();
        if values.iter().all(|&t| t == values[0]) {
            env.insert(v, values[0]);
            continue;
        }
        let symbol = fresh(program, v);
        env.insert(v, symbol);
        for (link, value) in links.iter_mut().zip(values) {
            link.push(program.pool.eq(symbol, value));
        }
    }
    let parts: Vec<Term> = links
        .into_iter()
        .map(|link| program.pool.and_all(link))
        .collect();
    let reached = program.pool.or_all(parts);
    Arrival { loc, reached, env }
}

/// Tarjan's algorithm ("Depth-first search and linear graph algorithms", SIAM J. Comput. 1972),
/// without recursion.
struct Tarjan {
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<Loc>,
    next: u32,
    /// In reverse topological order.
    components: Vec<Vec<Loc>>,
}

impl Tarjan {
    fn open(&mut self, l: Loc) {
        let i = l.as_u32() as usize;
        self.index[i] = self.next;
        self.low[i] = self.next;
        self.next += 1;
        self.on_stack[i] = true;
        self.stack.push(l);
    }

    fn search(&mut self, program: &Program, cut: &Cut, root: Loc) {
        let mut path = vec![(root, 0usize)];
        self.open(root);
        while let Some(top) = path.last_mut() {
            let (l, next) = *top;
            top.1 += 1;
            let i = l.as_u32() as usize;
            if let Some(&e) = cut.adjacency.out(l).get(next) {
                let to = program.edges[e].to;
                let j = to.as_u32() as usize;
                if cut.cutpoints.contains(to) {
                    continue;
                }
                if self.index[j] == u32::MAX {
                    self.open(to);
                    path.push((to, 0));
                } else if self.on_stack[j] {
                    self.low[i] = self.low[i].min(self.index[j]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                let p = parent.as_u32() as usize;
                self.low[p] = self.low[p].min(self.low[i]);
            }
            if self.low[i] == self.index[i] {
                let mut members = Vec::new();
                while let Some(m) = self.stack.pop() {
                    self.on_stack[m.as_u32() as usize] = false;
                    members.push(m);
                    if m == l {
                        break;
                    }
                }
                self.components.push(members);
            }
        }
    }
}
