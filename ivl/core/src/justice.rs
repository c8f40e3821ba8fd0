//! Justice as safety: programs of one loop in which a run that meets conditions again and again is an error.
//!
//! # Meaning
//! A [`Justice`] has conditions, each over the state before a step and the inputs of the step. A run *satisfies* it if it is infinite
//! and meets each condition in infinitely many steps; what constrains steps holds in all of them. That no run does is what is to be proved.
//! (What a property of hardware calls fairness is further conditions.)
//!
//! # Watching
//! [`watch`] makes the program in which satisfaction is seen, by one of two measures. States are finite, so:
//!
//! - [`Measure::Snapshot`] (Biere, Artho and Schuppan, "Liveness checking as safety checking", FMICS'02): before some step, chosen freely, variables
//!   are remembered; that they have the same values again after all conditions were met is an error. If a run satisfies the
//!   property, some values of these variables come infinitely often, and between two of these times that are far enough apart all
//!   conditions are met. So whatever variables are named, a program without that error has no such run; the fewer, the more is claimed.
//! - [`Measure::Count`] (Claessen and Sörensson, "A liveness checking algorithm that counts", FMCAD'12): every time that all conditions were met, since the
//!   time before, is counted; the k-th time is an error. A run that satisfies the property has infinitely many such times. The error alone
//!   shows nothing. The counter is unary, so that what holds after few rounds is said with few bits.
//!
//! This is trusted, as [`termination`] is: it is deterministic, makes terms by the plain constructor, and takes the
//! commands of the loop as they are.
//!
//! # Lassos
//! In the [`observed`] program a step says by its choices which conditions it meets. A trace of it that comes back, and met all of them on the way
//! round, is a run that satisfies the property.

use crate::cmd::CmdView;
use crate::entity::{Cmd, Edge, Loc, Term, Var};
use crate::interp::Machine;
use crate::one_loop::OneLoop;
use crate::op::Op;
use crate::program::Program;
use crate::source::Span;
use crate::termination::{self, Lasso, Loop, ends_only};
use crate::trace::{Step, Trace};
use crate::ty::Type;
use crate::value::Value;
use cranelift_entity::EntityRef;
use std::collections::BTreeSet;

/// Conditions of which the property asks whether a run meets each of them again and again.
#[derive(Clone, Debug)]
pub struct Justice {
    /// The name of the property.
    pub name: String,
    /// Its place.
    pub span: Span,
    /// Over the state before a step and its inputs.
    pub conditions: Vec<Term>,
}

/// By what satisfaction is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The values of these variables, before one step.
    Snapshot(Vec<Var>),
    /// How often all conditions were met; so many times is an error. At least 1.
    Count(u32),
}

/// A program that watches a property, with what was added to it.
pub struct Watched {
    /// The program. Its locations begin with those of the program it was made of.
    pub program: Program,
    /// The edge that does a step.
    pub step: Edge,
    /// The error.
    pub error: Loc,
    /// Per condition: whether it was met.
    pub met: Vec<Var>,
    /// Of a snapshot: whether there is one.
    pub seen: Option<Var>,
}

/// The program in which satisfaction of the property is an error, and nothing else is.
pub fn watch(program: &Program, graph: &OneLoop, justice: &Justice, measure: &Measure) -> Watched {
    let mut watcher = Watcher::new(program, graph, justice);
    let (error, seen) = match measure {
        Measure::Snapshot(vars) => watcher.snapshot(vars),
        Measure::Count(k) => watcher.count(*k),
    };
    let Watcher {
        program, step, met, ..
    } = watcher;
    Watched {
        program,
        step,
        error,
        met,
        seen,
    }
}

struct Watcher<'a> {
    program: Program,
    graph: &'a OneLoop,
    justice: &'a Justice,
    init: Cmd,
    met: Vec<Var>,
    step: Edge,
}

impl<'a> Watcher<'a> {
    fn new(of: &Program, graph: &'a OneLoop, justice: &'a Justice) -> Watcher<'a> {
        let (program, init) = without_edges(of, graph);
        let mut watcher = Watcher {
            program,
            graph,
            justice,
            init,
            met: Vec::new(),
            step: graph.step,
        };
        watcher.met = (0..justice.conditions.len())
            .map(|i| watcher.flag(format!("met.{i}")))
            .collect();
        watcher
    }

    fn flag(&mut self, name: String) -> Var {
        let main = self.program.main;
        self.program
            .add_local(main, name, Type::Bool, self.justice.span)
    }

    /// The edges: the entry sets the `flags` to false, a step is `before`, the inputs, `during` and the next state, and what is
    /// `bad` is the error.
    fn edges(&mut self, flags: &[Var], before: Cmd, during: Cmd, bad: Term) -> Loc {
        let program = &mut self.program;
        let fls = program.pool.fls();
        let items: Vec<(Var, Term)> = flags.iter().map(|&v| (v, fls)).collect();
        let clear = program.cmds.assign_all(&items);
        let init = program.cmds.seq(&[self.init, clear]);
        let graph = self.graph;
        let step = program
            .cmds
            .seq(&[before, graph.inputs, during, graph.next]);
        let bad = program.cmds.assume(bad);
        let entry = program.entry();
        let error = program.add_error(program.main, self.justice.name.as_str(), self.justice.span);
        program.add_edge(entry, graph.main_loop, init, Span::NONE);
        self.step = program.add_edge(graph.main_loop, graph.main_loop, step, Span::NONE);
        program.add_edge(graph.main_loop, error, bad, self.justice.span);
        error
    }

    /// Per condition: that it was met before or is now.
    fn met_now(&mut self) -> Vec<Term> {
        let pool = &mut self.program.pool;
        let conditions = self.met.iter().zip(&self.justice.conditions);
        conditions
            .map(|(&met, &condition)| {
                let met = pool.var(met);
                pool.plain(Op::Or, &[met, condition])
            })
            .collect()
    }

    fn snapshot(&mut self, vars: &[Var]) -> (Loc, Option<Var>) {
        let seen = self.flag("seen".into());
        let (main, span) = (self.program.main, self.justice.span);
        let tru = self.program.pool.tru();
        let mut remember = vec![(seen, tru)];
        let seen_term = self.program.pool.var(seen);
        let mut again = vec![seen_term];
        for &v in vars {
            let program = &mut self.program;
            let name = format!("old.{}", program.pool.var_data(v).name);
            let copy = program.add_local(main, name, program.pool.var_ty(v), span);
            let (value, old) = (program.pool.var(v), program.pool.var(copy));
            remember.push((copy, value));
            again.push(program.pool.plain(Op::Eq, &[value, old]));
        }
        let program = &mut self.program;
        let fresh = program.pool.plain(Op::Not, &[seen_term]);
        let fresh = program.cmds.assume(fresh);
        let take = program.cmds.assign_all(&remember);
        let take = program.cmds.seq(&[fresh, take]);
        let skip = program.cmds.skip();
        let before = program.cmds.choice(&[take, skip]);
        // What was met before the snapshot does not count.
        let now = self.met_now();
        let pool = &mut self.program.pool;
        let items = self.met.iter().zip(now);
        let items: Vec<(Var, Term)> = items
            .map(|(&v, now)| (v, pool.plain(Op::And, &[seen_term, now])))
            .collect();
        let during = self.program.cmds.assign_all(&items);
        let pool = &mut self.program.pool;
        again.extend(self.met.iter().map(|&v| pool.var(v)));
        let bad = pool.plain_all(Op::And, again);
        let mut flags = self.met.clone();
        flags.push(seen);
        (self.edges(&flags, before, during, bad), Some(seen))
    }

    fn count(&mut self, k: u32) -> (Loc, Option<Var>) {
        let rounds: Vec<Var> = (1..=k.max(1))
            .map(|i| self.flag(format!("round.{i}")))
            .collect();
        let now = self.met_now();
        let pool = &mut self.program.pool;
        let all = pool.plain_all(Op::And, now.iter().copied());
        let open = pool.plain(Op::Not, &[all]);
        let mut items: Vec<(Var, Term)> = Vec::new();
        for (&v, now) in self.met.iter().zip(now) {
            items.push((v, pool.plain(Op::And, &[now, open])));
        }
        let mut before = pool.tru();
        for &round in &rounds {
            let done = pool.var(round);
            let next = pool.plain(Op::And, &[before, all]);
            items.push((round, pool.plain(Op::Or, &[done, next])));
            before = done;
        }
        let during = self.program.cmds.assign_all(&items);
        let skip = self.program.cmds.skip();
        let flags: Vec<Var> = self.met.iter().chain(&rounds).copied().collect();
        (self.edges(&flags, skip, during, before), None)
    }
}

/// The program without edges, in which nothing is an error, and what the entry edge did.
fn without_edges(of: &Program, graph: &OneLoop) -> (Program, Cmd) {
    let mut program = ends_only(of);
    let init = of.edge_cmd(graph.init);
    let init = init.unwrap_or_else(|| program.cmds.skip());
    program.edges.clear();
    (program, init)
}

/// The program whose steps say by their choices, one for each condition, which they meet: 0 if so, 1 if nothing is said of it.
pub struct Observed {
    /// The program. Its locations are those of the program it was made of.
    pub program: Program,
    /// The edge that sets the initial state.
    pub init: Edge,
    /// The edge that does a step.
    pub step: Edge,
}

/// The program in which steps say what they meet.
pub fn observed(program: &Program, graph: &OneLoop, justice: &Justice) -> Observed {
    let (mut program, init) = without_edges(program, graph);
    let mut parts = vec![graph.inputs];
    for &condition in &justice.conditions {
        let (met, skip) = (program.cmds.assume(condition), program.cmds.skip());
        parts.push(program.cmds.choice(&[met, skip]));
    }
    parts.push(graph.next);
    let step = program.cmds.seq(&parts);
    let entry = program.entry();
    Observed {
        init: program.add_edge(entry, graph.main_loop, init, Span::NONE),
        step: program.add_edge(graph.main_loop, graph.main_loop, step, Span::NONE),
        program,
    }
}

impl Observed {
    /// The lasso that a trace to the error of a program that watches by a snapshot has found.
    pub fn lasso(&self, watched: &Watched, trace: &Trace) -> Option<Lasso> {
        let mut machine = Machine::for_trace(&watched.program, trace).ok()?;
        let vars = self.program.pool.vars().len();
        let is_true = |machine: &Machine<'_>, v: Var| *machine.value(v) == Value::Bool(true);
        let mut steps = Vec::with_capacity(trace.steps.len());
        let mut start = None;
        for step in &trace.steps {
            let open: Vec<bool> = watched.met.iter().map(|&v| !is_true(&machine, v)).collect();
            machine.replay(step).ok()?;
            let data = watched.program.edges.get(step.edge)?;
            if data.from == self.program.entry() {
                steps.push(Step {
                    edge: self.init,
                    ..step.clone()
                });
            } else if step.edge == watched.step {
                if start.is_none() && is_true(&machine, watched.seen?) {
                    start = Some(steps.len());
                }
                let met = watched.met.iter().zip(open);
                let met = met.map(|(&v, open)| u32::from(!(open && is_true(&machine, v))));
                steps.push(Step {
                    edge: self.step,
                    choices: met.collect(),
                    inputs: step.inputs.clone(),
                });
            }
        }
        let initial = trace.initial.iter();
        let initial = initial.filter(|(v, _)| v.index() < vars);
        let initial = initial.map(|(&v, value)| (v, value.clone())).collect();
        let start = start.filter(|&start| start < steps.len())?;
        let trace = Trace { initial, steps };
        Some(Lasso { trace, start })
    }

    /// A trace of this program as one of the program it was made of.
    pub fn original(&self, graph: &OneLoop, trace: &Trace) -> Trace {
        let step = |step: &Step| Step {
            edge: match step.edge == self.init {
                true => graph.init,
                false => graph.step,
            },
            choices: Vec::new(),
            inputs: step.inputs.clone(),
        };
        Trace {
            initial: trace.initial.clone(),
            steps: trace.steps.iter().map(step).collect(),
        }
    }
}

/// What decides whether steps can go on and what they meet: the variables that steps change, without those whose values every step chooses
/// anew.
pub fn cone(program: &Program, graph: &OneLoop, justice: &Justice) -> Vec<Var> {
    let observed = observed(program, graph, justice);
    let of = Loop {
        head: graph.main_loop,
        body: vec![graph.main_loop],
    };
    let mut chosen = BTreeSet::new();
    program.cmds.for_each_leaf(graph.inputs, |leaf| {
        if let CmdView::Havoc(items) = leaf {
            chosen.extend(items.iter().map(|&(v, _)| v));
        }
    });
    let mut cone = termination::cone(&observed.program, &of);
    cone.retain(|v| !chosen.contains(v));
    cone
}
