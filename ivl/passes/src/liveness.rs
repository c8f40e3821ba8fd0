//! Which variables may still matter: faint-variable analysis over persistent sets.
//!
//! A variable is *live* at a location when its value may flow from there, through assignments to
//! variables that are live after them, into an assumption that counts. So `x := x + 1` alone keeps
//! nothing alive (Giegerich, Möncke, Wilhelm, "Invariance of approximative semantics", 1981, call
//! the others faint). The analysis distributes over union, so locations pass on only what is new,
//! and sets share what they have in common ([`patricia`](crate::patricia)).

use crate::patricia::{Map, Sets};
use crate::prune::Pruned;
use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BinaryHeap;
use trellis_ivl::{Cmd, CmdView, Edge, Input, Loc, Program, Term, TermPool, Var};

/// The live variables of each location.
pub(crate) struct Liveness {
    sets: Sets<Var>,
    live: Vec<Map>,
    /// What is live but not yet passed on.
    fresh: Vec<Map>,
    /// Position in reverse post-order; the latest location goes first.
    position: Vec<u32>,
    order: Vec<Loc>,
    queue: BinaryHeap<u32>,
    reader: Reader,
}

/// A parallel assignment with at least this many targets remembers which terms it has opened, so
/// that visiting it again for a few more variables costs only what is new.
const WIDE: usize = 16;

impl Liveness {
    /// Nothing is live yet; `order` is the reverse post-order of the locations.
    pub fn new(program: &Program, order: &[Loc]) -> Liveness {
        let n = program.locs.len();
        let mut position = vec![u32::MAX; n];
        for (i, &l) in order.iter().enumerate() {
            position[l.index()] = i as u32;
        }
        Liveness {
            sets: Sets::new(),
            live: vec![Map::EMPTY; n],
            fresh: vec![Map::EMPTY; n],
            position,
            order: order.to_vec(),
            queue: BinaryHeap::new(),
            reader: Reader::default(),
        }
    }

    /// Liveness where every assumption of the remaining edges counts.
    pub fn of_all(program: &Program, pruned: &Pruned) -> Liveness {
        let (order, _) = pruned.depth_first(program);
        let mut live = Liveness::new(program, &order);
        for &l in order.iter().rev() {
            for e in pruned.out(l) {
                let cmd = program.edge_cmd(e).expect("flat");
                let (before, _) = live.before(program, e, &[cmd], Map::EMPTY, true);
                live.add(l, before);
            }
        }
        while let Some((l, fresh)) = live.next() {
            for e in pruned.inc(l) {
                let cmd = program.edge_cmd(e).expect("flat");
                let (before, _) = live.before(program, e, &[cmd], fresh, false);
                live.add(program.edges[e].from, before);
            }
        }
        live
    }

    /// Whether `v` is live at `l`.
    pub fn is_live(&self, l: Loc, v: Var) -> bool {
        self.sets.contains(self.live[l.index()], v)
    }

    /// Makes `vars` live at `l`.
    pub fn add(&mut self, l: Loc, vars: Map) {
        let new = self.sets.difference(vars, self.live[l.index()]);
        if new == Map::EMPTY {
            return;
        }
        let at = l.index();
        self.live[at] = self.sets.union(self.live[at], new);
        if self.fresh[at] == Map::EMPTY {
            self.queue.push(self.position[at]);
        }
        self.fresh[at] = self.sets.union(self.fresh[at], new);
    }

    /// Makes the variables of `t` live at `l`.
    pub fn add_term(&mut self, pool: &TermPool, l: Loc, t: Term) {
        let mut set = Map::EMPTY;
        for v in self.reader.vars(pool, [t]) {
            set = self.sets.insert(set, v, ());
        }
        self.add(l, set);
    }

    /// A location and what became live there since it was last returned.
    pub fn next(&mut self) -> Option<(Loc, Map)> {
        let l = self.order[self.queue.pop()? as usize];
        Some((l, std::mem::replace(&mut self.fresh[l.index()], Map::EMPTY)))
    }

    /// What is live before the commands `cmds` of edge `e`, one after the other, when `after` is live behind them,
    /// and whether they change any of it. Assumptions count where `uses` says so.
    pub fn before(
        &mut self,
        program: &Program,
        e: Edge,
        cmds: &[Cmd],
        after: Map,
        uses: bool,
    ) -> (Map, bool) {
        let mut walk = Backwards {
            sets: &mut self.sets,
            reader: &mut self.reader,
            program,
            edge: e,
            uses,
            leaf: 0,
            changes: false,
        };
        let before = walk.seq(cmds, after);
        (before, walk.changes)
    }

    /// `cmd` of an edge into `to` without assignments and havocs of variables that are not live.
    pub fn strip(&mut self, program: &mut Program, cmd: Cmd, to: Loc) -> Stripped {
        let after = self.live[to.index()];
        let mut strip = Strip {
            sets: &mut self.sets,
            reader: &mut self.reader,
            kept: Vec::new(),
            dropped: Vec::new(),
            forced: FxHashSet::default(),
        };
        let (mut new, _) = strip.cmd(program, cmd, after);
        // A trace names the values of a step by their input: where one of two reads of the same
        // input would go, nobody could tell which value is whose. Keep both.
        if !strip.dropped.is_empty() {
            let kept: FxHashSet<Input> = strip.kept.iter().copied().collect();
            let ambiguous = strip.dropped.iter().filter(|i| kept.contains(i));
            strip.forced = ambiguous.copied().collect();
        }
        if !strip.forced.is_empty() {
            strip.kept.clear();
            strip.dropped.clear();
            (new, _) = strip.cmd(program, cmd, after);
        }
        Stripped {
            cmd: new,
            kept: strip.kept,
            dropped: strip.dropped,
        }
    }
}

/// A command without its dead parts.
pub(crate) struct Stripped {
    /// The command.
    pub cmd: Cmd,
    /// Inputs it still reads.
    pub kept: Vec<Input>,
    /// Inputs of havocs that are gone.
    pub dropped: Vec<Input>,
}

/// Collects the variables of terms, each term opened once.
#[derive(Default)]
struct Reader {
    stamps: Vec<u32>,
    epoch: u32,
    stack: Vec<Term>,
    /// Terms opened so far for wide assignments, by edge and position of the leaf.
    opened: FxHashMap<(Edge, u32), FxHashSet<Term>>,
}

impl Reader {
    fn vars(&mut self, pool: &TermPool, roots: impl IntoIterator<Item = Term>) -> Vec<Var> {
        if self.stamps.len() < pool.len() {
            self.stamps.resize(pool.len(), 0);
        }
        self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
        let mut vars = Vec::new();
        self.stack.extend(roots);
        while let Some(t) = self.stack.pop() {
            let stamp = &mut self.stamps[t.as_u32() as usize];
            if std::mem::replace(stamp, self.epoch) != self.epoch {
                vars.extend(pool.as_var(t));
                self.stack.extend(pool.args(t));
            }
        }
        vars
    }

    /// As `vars`, without what was found at the same place before.
    fn new_vars(
        &mut self,
        pool: &TermPool,
        place: (Edge, u32),
        roots: impl IntoIterator<Item = Term>,
    ) -> Vec<Var> {
        let opened = self.opened.entry(place).or_default();
        let mut vars = Vec::new();
        self.stack.extend(roots);
        while let Some(t) = self.stack.pop() {
            if opened.insert(t) {
                vars.extend(pool.as_var(t));
                self.stack.extend(pool.args(t));
            }
        }
        vars
    }
}

struct Backwards<'a> {
    sets: &'a mut Sets<Var>,
    reader: &'a mut Reader,
    program: &'a Program,
    edge: Edge,
    uses: bool,
    /// Number of the current leaf; the same leaf has the same number on every visit.
    leaf: u32,
    changes: bool,
}

impl Backwards<'_> {
    fn seq(&mut self, cmds: &[Cmd], after: Map) -> Map {
        cmds.iter().rev().fold(after, |live, &c| self.cmd(c, live))
    }

    fn cmd(&mut self, cmd: Cmd, after: Map) -> Map {
        let program = self.program;
        self.leaf += 1;
        match program.cmds.view(cmd) {
            CmdView::Skip => after,
            CmdView::Assume(t) => {
                if !self.uses {
                    return after;
                }
                let vars = self.reader.vars(&program.pool, [t]);
                self.insert(after, vars)
            }
            CmdView::Assign(items) => {
                let live = |&&(v, _): &&(Var, Term)| self.sets.contains(after, v);
                let read: Vec<(Var, Term)> = items.iter().filter(live).copied().collect();
                if read.is_empty() {
                    return after;
                }
                self.changes = true;
                let mut before = after;
                for &(v, _) in &read {
                    before = self.sets.remove(before, v);
                }
                let terms = read.into_iter().map(|(_, t)| t);
                let vars = if items.len() < WIDE {
                    self.reader.vars(&program.pool, terms)
                } else {
                    let place = (self.edge, self.leaf);
                    self.reader.new_vars(&program.pool, place, terms)
                };
                self.insert(before, vars)
            }
            CmdView::Havoc(items) => {
                let mut before = after;
                for &(v, _) in items {
                    before = self.sets.remove(before, v);
                }
                self.changes |= before != after;
                before
            }
            CmdView::Seq(cs) => self.seq(cs, after),
            CmdView::Choice(cs) => {
                let mut before = Map::EMPTY;
                for &c in cs {
                    let branch = self.cmd(c, after);
                    before = self.sets.union(before, branch);
                }
                before
            }
        }
    }

    fn insert(&mut self, set: Map, vars: Vec<Var>) -> Map {
        let mut set = set;
        for v in vars {
            set = self.sets.insert(set, v, ());
        }
        set
    }
}

/// Removes dead parts of one command.
struct Strip<'a> {
    sets: &'a mut Sets<Var>,
    reader: &'a mut Reader,
    kept: Vec<Input>,
    dropped: Vec<Input>,
    /// Inputs whose havocs stay even where dead.
    forced: FxHashSet<Input>,
}

impl Strip<'_> {
    /// The command without dead parts, and what is live before it.
    fn cmd(&mut self, program: &mut Program, cmd: Cmd, after: Map) -> (Cmd, Map) {
        match program.cmds.view(cmd) {
            CmdView::Skip => (cmd, after),
            CmdView::Assume(t) => {
                let vars = self.reader.vars(&program.pool, [t]);
                (cmd, self.insert(after, vars))
            }
            CmdView::Assign(items) => {
                let live = |&&(v, _): &&(Var, Term)| self.sets.contains(after, v);
                let kept: Vec<(Var, Term)> = items.iter().filter(live).copied().collect();
                let all = kept.len() == items.len();
                let mut before = after;
                for &(v, _) in &kept {
                    before = self.sets.remove(before, v);
                }
                let vars = self
                    .reader
                    .vars(&program.pool, kept.iter().map(|&(_, t)| t));
                let before = self.insert(before, vars);
                if all {
                    (cmd, before)
                } else {
                    (program.cmds.assign_all(&kept), before)
                }
            }
            CmdView::Havoc(items) => {
                let items = items.to_vec();
                self.havoc(program, cmd, &items, after)
            }
            CmdView::Seq(cs) => {
                let mut new = cs.to_vec();
                let mut live = after;
                for slot in new.iter_mut().rev() {
                    (*slot, live) = self.cmd(program, *slot, live);
                }
                if CmdView::Seq(&new) == program.cmds.view(cmd) {
                    return (cmd, live);
                }
                (program.cmds.seq(&new), live)
            }
            CmdView::Choice(cs) => {
                let mut new = cs.to_vec();
                let mut live = Map::EMPTY;
                for slot in &mut new {
                    let (branch, before) = self.cmd(program, *slot, after);
                    *slot = branch;
                    live = self.sets.union(live, before);
                }
                if CmdView::Choice(&new) == program.cmds.view(cmd) {
                    return (cmd, live);
                }
                (program.cmds.choice(&new), live)
            }
        }
    }

    fn havoc(
        &mut self,
        program: &mut Program,
        cmd: Cmd,
        items: &[(Var, Input)],
        after: Map,
    ) -> (Cmd, Map) {
        let mut before = after;
        let mut kept = Vec::with_capacity(items.len());
        for &(v, input) in items {
            if self.sets.contains(after, v) || self.forced.contains(&input) {
                before = self.sets.remove(before, v);
                kept.push((v, input));
                self.kept.push(input);
            } else {
                self.dropped.push(input);
            }
        }
        if kept.len() == items.len() {
            return (cmd, before);
        }
        (program.cmds.havoc(&kept), before)
    }

    fn insert(&mut self, set: Map, vars: Vec<Var>) -> Map {
        let mut set = set;
        for v in vars {
            set = self.sets.insert(set, v, ());
        }
        set
    }
}
