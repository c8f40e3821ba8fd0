//! What a witness says, put into the program: invariants as annotations that the checker can
//! judge, waypoints as a restriction that only executions along the witness survive.

use crate::c_parse::{self, ExprError};
use crate::format::{
    Action, Invariant, InvariantKind, Location, SegmentItem, Waypoint, WaypointKind,
};
use crate::make::statement_column;
use crate::names::{Names, Sources};
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::program::Action as EdgeAction;
use trellis_ivl::{
    CmdView, Edge, FlattenOptions, Loc, LocKind, Program, Span, Term, Type, Var, flatten,
};

/// Why a witness does not fit its program, or goes beyond what can be checked here.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// No such place. (The witness is wrong.)
    #[error("{file}:{line}{column}: nothing of the program begins there")]
    NoPlace {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// `:column`, or nothing.
        column: String,
    },
    /// Not an expression over names in scope. (The witness is wrong.)
    #[error("{0}")]
    Expression(#[from] ExprError),
    /// A kind of waypoint that is not understood here. (A limit.)
    #[error("waypoints of kind {0:?} are not supported")]
    Unsupported(WaypointKind),
}

/// A C program with what its names mean.
pub struct Subject<'a> {
    /// As the front end made it.
    pub program: &'a Program,
    /// Its names.
    pub names: &'a Names,
    /// Bits of a long.
    pub long_bits: u32,
}

/// Names in scope at a place.
struct InFunction<'a> {
    subject: &'a Subject<'a>,
    function: String,
    /// Up to where names may be declared.
    place: (u32, u32),
}

impl c_parse::Scope for InFunction<'_> {
    fn variable(&self, name: &str) -> Option<(Var, bool)> {
        let Subject { program, names, .. } = self.subject;
        let found = names.resolve(program, &self.function, name, self.place)?;
        Some((found.var, found.signed))
    }

    fn long_bits(&self) -> u32 {
        self.subject.long_bits
    }
}

/// A program with annotations, and the invariants at the locations of its expansion.
pub struct Annotated {
    /// The program with an error wherever an invariant does not hold: as safe as the original one, if they all do.
    pub program: Program,
    /// The expansion, in whose pool the invariants are.
    pub flat: Program,
    /// The invariants.
    pub invariants: BTreeMap<Loc, Term>,
    /// The same, with `true` at all other loop heads: so that they count for k-induction.
    pub everywhere: BTreeMap<Loc, Term>,
}

impl Subject<'_> {
    fn same_file(&self, span: Span, name: &str) -> bool {
        let Some(file) = span.file().and_then(|f| self.program.files.get(f)) else {
            return false;
        };
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
        base(file) == base(name)
    }

    fn is_at(&self, span: Span, at: &Location, sources: &Sources) -> bool {
        if span.line != at.line || !self.same_file(span, &at.file_name) {
            return false;
        }
        let Some(column) = at.column else {
            return true;
        };
        let file = span.file().and_then(|f| self.program.files.get(f));
        let line = file.and_then(|f| sources.line(f, span.line));
        column == span.column || column == statement_column(line.unwrap_or_default(), span.column)
    }

    fn no_place(&self, at: &Location) -> FollowError {
        FollowError::NoPlace {
            file: at.file_name.clone(),
            line: at.line,
            column: at.column.map_or(String::new(), |c| format!(":{c}")),
        }
    }

    fn condition(
        &self,
        program: &mut Program,
        loc: Loc,
        place: (u32, u32),
        text: &str,
    ) -> Result<Term, ExprError> {
        let proc = self.program.locs[loc].proc;
        let scope = InFunction {
            subject: self,
            function: self.program.procs[proc].name.clone(),
            place,
        };
        c_parse::condition(program, text, &scope)
    }

    /// Puts invariants at their places.
    pub fn annotate<'i>(
        &self,
        invariants: impl Iterator<Item = &'i Invariant>,
        options: &FlattenOptions,
        sources: &Sources,
    ) -> Result<Annotated, FollowError> {
        let mut program = self.program.clone();
        let heads = loop_heads(&program);
        let mut marks: BTreeSet<Edge> = BTreeSet::new();
        for invariant in invariants {
            let mut found = false;
            for loc in self.program.locs.keys() {
                let span = self.program.locs[loc].span;
                let fits =
                    match invariant.kind {
                        InvariantKind::LoopInvariant => heads.contains(&loc),
                        // Before a statement: where its edges begin.
                        InvariantKind::LocationInvariant => self.program.edges.values().any(|e| {
                            e.from == loc && self.is_at(e.span, &invariant.location, sources)
                        }),
                    };
                let at = match invariant.kind {
                    InvariantKind::LoopInvariant => self.is_at(span, &invariant.location, sources),
                    InvariantKind::LocationInvariant => true,
                };
                if !fits || !at {
                    continue;
                }
                found = true;
                let place = sources.scope_end(self.program, span);
                let term = self.condition(&mut program, loc, place, &invariant.value)?;
                // An edge to nowhere carries the invariant through the expansion of calls, which
                // renames its variables as it must.
                let nowhere = program.add_loc(program.locs[loc].proc, span);
                let cmd = program.cmds.assume(term);
                marks.insert(program.add_edge(loc, nowhere, cmd, span));
                // Not every place becomes a cutpoint, and what is said of the others must hold as well.
                let bad = program.add_loc(program.locs[loc].proc, span);
                program.locs[bad].kind = LocKind::Error("invariant".into());
                let fails = program.pool.not(term);
                let cmd = program.cmds.assume(fails);
                program.add_edge(loc, bad, cmd, span);
            }
            if !found {
                return Err(self.no_place(&invariant.location));
            }
        }
        let mut flat = program.clone();
        let map = flatten(&mut flat, options);
        let mut at: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        for (edge, original) in map.edges.iter() {
            if original.is_some_and(|e| marks.contains(&e))
                && let EdgeAction::Cmd(cmd) = flat.edges[edge].action
            {
                let terms = at.entry(flat.edges[edge].from).or_default();
                // Anything else is what a true assumption becomes.
                if let CmdView::Assume(term) = flat.cmds.view(cmd) {
                    terms.push(term);
                }
            }
        }
        let mut invariants = BTreeMap::new();
        for (loc, terms) in at {
            invariants.insert(loc, flat.pool.and_all(terms));
        }
        let mut everywhere = invariants.clone();
        for head in loop_heads(&flat) {
            everywhere.entry(head).or_insert_with(|| flat.pool.tru());
        }
        Ok(Annotated {
            program,
            flat,
            invariants,
            everywhere,
        })
    }

    /// The program restricted to executions along `segments`; its errors are reached exactly by
    /// those that pass all waypoints in order and end at the target.
    pub fn restrict(
        &self,
        segments: &[SegmentItem],
        sources: &Sources,
    ) -> Result<Program, FollowError> {
        let mut p = self.program.clone();
        let counter = p.add_global("segment", Type::Bv(32), Span::NONE);
        let mut conditions: BTreeMap<Edge, Vec<(Term, Action, u64)>> = BTreeMap::new();
        for (n, item) in segments.iter().enumerate() {
            for waypoint in item.segment.iter().map(|w| &w.waypoint) {
                if waypoint.kind == WaypointKind::Target {
                    self.keep_target(&mut p, waypoint, n as u64, counter, sources)?;
                    continue;
                }
                let mut found = false;
                for edge in self.program.edges.keys() {
                    if let Some(term) = self.waypoint(&mut p, edge, waypoint, sources)? {
                        let passed = (term, waypoint.action, n as u64);
                        conditions.entry(edge).or_default().push(passed);
                        found = true;
                    }
                }
                if !found {
                    return Err(self.no_place(&waypoint.location));
                }
            }
        }
        for (edge, conditions) in conditions {
            guard(&mut p, edge, counter, &conditions);
        }
        begin(&mut p, counter);
        Ok(p)
    }

    /// The condition under which an edge passes a waypoint; `None` when it is elsewhere.
    fn waypoint(
        &self,
        p: &mut Program,
        edge: Edge,
        waypoint: &Waypoint,
        sources: &Sources,
    ) -> Result<Option<Term>, FollowError> {
        let data = self.program.edges[edge].clone();
        if !self.is_at(data.span, &waypoint.location, sources) {
            return Ok(None);
        }
        let value = waypoint.constraint.as_ref().map_or("", |c| c.value.trim());
        match waypoint.kind {
            WaypointKind::Assumption => {
                let place = (data.span.line, data.span.column);
                Ok(Some(self.condition(p, data.from, place, value)?))
            }
            WaypointKind::Branching => {
                let siblings = self.program.edges.iter();
                let siblings: Vec<Edge> = siblings
                    .filter(|(_, e)| e.from == data.from)
                    .map(|(e, _)| e)
                    .collect();
                // The front end makes the branch of a true condition first.
                let taken = match (siblings.as_slice(), value) {
                    ([first, _], "true") => *first == edge,
                    ([_, second], "false") => *second == edge,
                    _ => false,
                };
                Ok(taken.then(|| p.pool.tru()))
            }
            other => Err(FollowError::Unsupported(other)),
        }
    }

    /// Only errors at the target's place stay errors, and only when all else has been passed.
    fn keep_target(
        &self,
        p: &mut Program,
        waypoint: &Waypoint,
        segment: u64,
        counter: Var,
        sources: &Sources,
    ) -> Result<(), FollowError> {
        let errors: Vec<Loc> = self.program.errors().collect();
        let mut kept = false;
        for loc in errors {
            if self.is_at(self.program.locs[loc].span, &waypoint.location, sources) {
                kept = true;
            } else {
                p.locs[loc].kind = LocKind::Plain;
            }
        }
        if !kept {
            return Err(self.no_place(&waypoint.location));
        }
        let now = p.pool.var(counter);
        let last = p.pool.num(32, segment);
        let done = p.pool.eq(now, last);
        let into: Vec<Edge> = p
            .edges
            .iter()
            .filter(|(_, e)| matches!(p.locs[e.to].kind, LocKind::Error(_)))
            .map(|(e, _)| e)
            .collect();
        for edge in into {
            if let EdgeAction::Cmd(cmd) = p.edges[edge].action {
                let all_passed = p.cmds.assume(done);
                p.edges[edge].action = EdgeAction::Cmd(p.cmds.seq(&[cmd, all_passed]));
            }
        }
        Ok(())
    }
}

/// Lets an edge advance the counter where a waypoint of the current segment is passed.
fn guard(p: &mut Program, edge: Edge, counter: Var, conditions: &[(Term, Action, u64)]) {
    let now = p.pool.var(counter);
    let mut passed_any = p.pool.fls();
    let mut branches = Vec::new();
    for (term, action, segment) in conditions {
        let current = p.pool.num(32, *segment);
        let current = p.pool.eq(now, current);
        let here = p.pool.and(current, *term);
        passed_any = p.pool.or(passed_any, here);
        if *action == Action::Follow {
            let next = p.pool.num(32, *segment + 1);
            let (assume, advance) = (p.cmds.assume(here), p.cmds.assign(counter, next));
            branches.push(p.cmds.seq(&[assume, advance]));
        }
    }
    let otherwise = p.pool.not(passed_any);
    branches.push(p.cmds.assume(otherwise));
    let check = p.cmds.choice(&branches);
    let data = p.edges[edge].clone();
    match data.action {
        EdgeAction::Cmd(cmd) => {
            p.edges[edge].action = EdgeAction::Cmd(p.cmds.seq(&[check, cmd]));
        }
        EdgeAction::Call(_) => {
            let middle = p.add_loc(p.locs[data.from].proc, data.span);
            p.add_edge(data.from, middle, check, data.span);
            p.edges[edge].from = middle;
        }
    }
}

/// The counter begins at zero.
fn begin(p: &mut Program, counter: Var) {
    let main = p.main;
    let (old, span) = (p.procs[main].entry, p.procs[main].span);
    let entry = p.add_loc(main, span);
    let zero = p.pool.num(32, 0);
    let cmd = p.cmds.assign(counter, zero);
    p.add_edge(entry, old, cmd, span);
    p.procs[main].entry = entry;
}

/// Targets of edges that close a cycle, by depth-first search in each procedure.
pub(crate) fn loop_heads(program: &Program) -> BTreeSet<Loc> {
    let mut out: BTreeMap<Loc, Vec<Loc>> = BTreeMap::new();
    for edge in program.edges.values() {
        out.entry(edge.from).or_default().push(edge.to);
    }
    let mut heads = BTreeSet::new();
    let mut done = BTreeSet::new();
    for proc in program.procs.values() {
        let mut open = BTreeSet::from([proc.entry]);
        let mut stack = vec![(proc.entry, 0)];
        while let Some((loc, next)) = stack.pop() {
            match out.get(&loc).and_then(|to| to.get(next)) {
                None => {
                    open.remove(&loc);
                    done.insert(loc);
                }
                Some(&to) => {
                    stack.push((loc, next + 1));
                    if open.contains(&to) {
                        heads.insert(to);
                    } else if !done.contains(&to) {
                        open.insert(to);
                        stack.push((to, 0));
                    }
                }
            }
        }
    }
    heads
}
