//! Runs lists of passes: order checked first, fixpoint groups, figures per pass, the way back.
//!
//! A list is written `inline, (propagate, dce)*, lbe(limit=20)`: a group with `*` runs until
//! nothing in it changes the program any more (or [`ROUNDS`] times).

use crate::back::{BackError, BackMap, Invariants};
use crate::pass::{Pass, PassError, Property};
use cranelift_entity::EntitySet;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use trellis_ivl::program::Control;
use trellis_ivl::{CmdView, FlattenOptions, Loc, Program, Trace};

/// How often a fixpoint group runs at most.
pub const ROUNDS: usize = 10;

/// One element of a pass list.
pub enum Item {
    /// A single pass.
    Pass(Box<dyn Pass>),
    /// A group that runs until nothing changes.
    Fixpoint(Vec<Item>),
}

/// A checked list of passes.
pub struct PassList {
    items: Vec<Item>,
}

/// The size of a program, for figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Locations.
    pub locs: usize,
    /// Edges.
    pub edges: usize,
    /// Variables that some command changes.
    pub vars: usize,
    /// Basic operations on all edges.
    pub operations: usize,
}

/// What one run of one pass did.
#[derive(Clone, Debug)]
pub struct PassRun {
    /// The pass.
    pub name: String,
    /// Before.
    pub before: Size,
    /// After.
    pub after: Size,
    /// Wall time of the pass alone.
    pub time: Duration,
}

/// The programs before each pass and the ways back, in the order of the passes.
#[derive(Default)]
pub struct BackChain {
    stages: Vec<(Control, Box<dyn BackMap>)>,
}

/// What the way back makes of invariants.
pub struct Proof {
    /// The invariants.
    pub invariants: Invariants,
    /// What the passes know at the heads of loops that have no invariant.
    pub lemmas: Invariants,
}

/// What a list of passes did.
#[derive(Default)]
pub struct Report {
    /// Each run of a pass that changed something, in order.
    pub runs: Vec<PassRun>,
    /// The way back to the program before the first pass.
    pub back: BackChain,
    /// Passes that are plugins and failed; the others went on without them.
    pub failed: Vec<PassError>,
}

/// Checks the order of `passes`, as [`PassList::new`] does, and runs them one after the other.
pub fn run_passes(
    passes: &[&dyn Pass],
    given: &[Property],
    program: &mut Program,
) -> Result<Report, PassError> {
    let mut order = Order::new(given);
    for pass in passes {
        order.step(*pass)?;
    }
    let mut report = Report::default();
    let mut size = Size::of(program);
    for pass in passes {
        run_pass(*pass, program, &mut size, &mut report)?;
    }
    Ok(report)
}

impl PassList {
    /// Checks that each pass gets what it requires; `given` is what holds at the start.
    pub fn new(items: Vec<Item>, given: &[Property]) -> Result<PassList, PassError> {
        Order::new(given).check(&items)?;
        Ok(PassList { items })
    }

    /// Runs the list.
    pub fn run(&self, program: &mut Program) -> Result<Report, PassError> {
        let mut report = Report::default();
        let mut size = Size::of(program);
        for item in &self.items {
            run_item(item, program, &mut size, &mut report)?;
        }
        Ok(report)
    }
}

impl Size {
    /// The size of `program`.
    pub fn of(program: &Program) -> Size {
        let mut vars = EntitySet::new();
        let mut operations = 0;
        for e in program.edges.keys() {
            let Some(c) = program.edge_cmd(e) else {
                operations += 1;
                continue;
            };
            operations += program.cmds.operations(c);
            program.cmds.for_each_leaf(c, |leaf| match leaf {
                CmdView::Assign(items) => items.iter().for_each(|&(v, _)| {
                    vars.insert(v);
                }),
                CmdView::Havoc(items) => items.iter().for_each(|&(v, _)| {
                    vars.insert(v);
                }),
                _ => {}
            });
        }
        Size {
            locs: program.locs.len(),
            edges: program.edges.len(),
            vars: program.program_vars().filter(|&v| vars.contains(v)).count(),
            operations,
        }
    }
}

struct Order<'p> {
    holds: Vec<Property>,
    destroyed: Vec<(Property, &'p str)>,
}

impl<'p> Order<'p> {
    fn new(given: &[Property]) -> Order<'p> {
        Order {
            holds: given.to_vec(),
            destroyed: Vec::new(),
        }
    }

    fn check(&mut self, items: &'p [Item]) -> Result<(), PassError> {
        for item in items {
            match item {
                // Twice: a later member may destroy what an earlier one needs in the next round.
                Item::Fixpoint(items) => {
                    self.check(items)?;
                    self.check(items)?;
                }
                Item::Pass(pass) => self.step(pass.as_ref())?,
            }
        }
        Ok(())
    }

    fn step(&mut self, pass: &'p dyn Pass) -> Result<(), PassError> {
        for &needs in pass.requires() {
            if !self.holds.contains(&needs) {
                let culprit = self.destroyed.iter().rev().find(|(p, _)| *p == needs);
                return Err(PassError::Order {
                    pass: pass.name().into(),
                    needs,
                    culprit: culprit.map(|(_, name)| (*name).into()),
                });
            }
        }
        for &p in pass.destroys() {
            if self.holds.contains(&p) {
                self.holds.retain(|&q| q != p);
                self.destroyed.push((p, pass.name()));
            }
        }
        for &p in pass.ensures() {
            if !self.holds.contains(&p) {
                self.holds.push(p);
            }
        }
        Ok(())
    }
}

fn run_item(
    item: &Item,
    program: &mut Program,
    size: &mut Size,
    report: &mut Report,
) -> Result<bool, PassError> {
    match item {
        Item::Fixpoint(items) => {
            let mut ever = false;
            for _ in 0..ROUNDS {
                let mut changed = false;
                for item in items {
                    changed |= run_item(item, program, size, report)?;
                }
                if !changed {
                    break;
                }
                ever = true;
            }
            Ok(ever)
        }
        Item::Pass(pass) => run_pass(pass.as_ref(), program, size, report),
    }
}

/// Runs one pass; whether it changed the program. A plugin that fails is left out from then on, unless later passes
/// count on it.
fn run_pass(
    pass: &dyn Pass,
    program: &mut Program,
    size: &mut Size,
    report: &mut Report,
) -> Result<bool, PassError> {
    let failed =
        |e: &PassError| matches!(e, PassError::Foreign { pass: p, .. } if p == pass.name());
    if report.failed.iter().any(failed) {
        return Ok(false);
    }
    let mut control = program.control();
    let start = Instant::now();
    let outcome = match pass.run(program) {
        Err(e @ PassError::Foreign { .. }) if pass.ensures().is_empty() => {
            program.swap_control(&mut control);
            report.failed.push(e);
            return Ok(false);
        }
        outcome => outcome?,
    };
    let time = start.elapsed();
    let Some(back) = outcome.back else {
        return Ok(false);
    };
    #[cfg(debug_assertions)]
    verify_after(pass, program)?;
    let before = std::mem::replace(size, Size::of(program));
    report.runs.push(PassRun {
        name: pass.name().to_string(),
        before,
        after: *size,
        time,
    });
    report.back.stages.push((control, back));
    Ok(true)
}

/// In debug builds every pass is checked by the verifier.
#[cfg(debug_assertions)]
fn verify_after(pass: &dyn Pass, program: &Program) -> Result<(), PassError> {
    trellis_ivl::verify::verify(program).map_err(|errors| PassError::Broken {
        pass: pass.name().into(),
        message: errors.to_string(),
    })
}

impl BackChain {
    /// The trace on the program before the first pass; `program` is the one after the last and
    /// comes back unchanged but for grown arenas.
    pub fn trace(&mut self, program: &mut Program, trace: Trace) -> Result<Trace, BackError> {
        let mut trace = Ok(trace);
        for (control, back) in self.stages.iter_mut().rev() {
            program.swap_control(control);
            trace = trace.and_then(|t| back.trace(program, t));
        }
        self.restore(program);
        trace
    }

    /// The proof on the program before the first pass, as terms of `program`'s pool, that
    /// `invariants` are on `program`.
    pub fn proof(&mut self, program: &mut Program, invariants: Invariants) -> Proof {
        let (mut invariants, mut lemmas) = (invariants, Invariants::new());
        for (control, back) in self.stages.iter_mut().rev() {
            program.swap_control(control);
            invariants = back.invariants(program, invariants);
            lemmas = back.lemmas(program, &invariants, lemmas);
        }
        self.restore(program);
        Proof { invariants, lemmas }
    }

    /// How calls were expanded: invariants of a program with calls are about its expansion.
    pub fn expansion(&self) -> FlattenOptions {
        let mut backs = self.stages.iter().map(|(_, back)| back);
        backs.find_map(|b| b.expansion()).unwrap_or_default()
    }

    /// What is to be unwound in the program before the first pass where `heads` are in `program`, and what is known
    /// at the heads of its other loops.
    ///
    /// A visit after the passes is at least one before them, and may be a few: a location may stand for several that
    /// follow one another.
    pub fn unwinding(
        &mut self,
        program: &mut Program,
        heads: impl IntoIterator<Item = Loc>,
    ) -> (BTreeSet<Loc>, Invariants) {
        let anything = program.pool.tru();
        let heads = heads.into_iter().map(|l| (l, anything)).collect();
        let proof = self.proof(program, heads);
        (proof.invariants.into_keys().collect(), proof.lemmas)
    }

    /// Undoes the swaps: each stage's slot holds the control of the stage after it.
    fn restore(&mut self, program: &mut Program) {
        for (control, _) in &mut self.stages {
            program.swap_control(control);
        }
    }

    /// Number of passes that changed something.
    pub fn len(&self) -> usize {
        self.stages.len()
    }

    /// Whether no pass changed anything.
    pub fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }
}
