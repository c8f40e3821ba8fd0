//! The checker of lassos: an execution that comes back to where it was, and so goes on for ever.
//!
//! # What is checked
//! A lasso is a trace of the expanded program, a stem and a loop. It is replayed by the interpreter. Let V be the least set of
//! variables such that every assumption on the loop, and what each member of V holds after the loop, is decided by what V holds
//! before it and by the loop's inputs: going backwards along the loop, an assumption needs what it reads, and an assignment to
//! something needed needs what it reads instead. If the loop ends where it begins, with the same values of V, then the same steps with the same
//! inputs can be taken again, and again.
//!
//! What else the loop changes (a counter that nobody asks, a memory that is only written) does not matter. No solver is
//! needed: V is read off the commands.

use crate::check::Rejection;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::termination::Lasso;
use trellis_ivl::{Cmd, CmdView, FlattenOptions, Loc, Machine, Program, Step, Value, Var, flatten};

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Where, on the expanded program.
    pub loc: Loc,
    /// All that decides how the loop goes on.
    pub values: BTreeMap<Var, Value>,
}

/// Accepts a lasso of `program`, and says what comes back.
pub fn check_lasso(
    program: &Program,
    lasso: &Lasso,
    expansion: &FlattenOptions,
) -> Result<Repeat, Rejection> {
    let mut flat = program.clone();
    if !flat.is_flat() {
        flatten(&mut flat, expansion);
    }
    let steps = &lasso.trace.steps;
    if lasso.start >= steps.len() {
        return Err(Rejection::Malformed("the lasso has no loop".into()));
    }
    let mut leaves = Vec::new();
    for (step, s) in steps.iter().enumerate().skip(lasso.start) {
        path(&flat, s, &mut leaves)
            .ok_or_else(|| Rejection::Malformed(format!("step {step} fits no command")))?;
    }
    let deciding = deciding(&flat, &leaves);
    let mut machine = Machine::for_trace(&flat, &lasso.trace)
        .map_err(|error| Rejection::Replay { step: 0, error })?;
    let mut before = None;
    for (step, s) in steps.iter().enumerate() {
        if step == lasso.start {
            before = Some(repeat(&machine, &deciding));
        }
        machine
            .replay(s)
            .map_err(|error| Rejection::Replay { step, error })?;
    }
    let Some(before) = before else {
        return Err(Rejection::Malformed("the lasso has no loop".into()));
    };
    let after = repeat(&machine, &deciding);
    if before.loc != after.loc {
        return Err(Rejection::Refuted(format!(
            "the loop begins at {} and ends at {}",
            before.loc, after.loc
        )));
    }
    for (v, value) in &before.values {
        if after.values.get(v) != Some(value) {
            let name = &flat.pool.var_data(*v).name;
            return Err(Rejection::Refuted(format!(
                "the loop decides by {v} `{name}`, which does not come back"
            )));
        }
    }
    Ok(before)
}

fn repeat(machine: &Machine<'_>, deciding: &BTreeSet<Var>) -> Repeat {
    Repeat {
        loc: machine.loc(),
        values: deciding
            .iter()
            .map(|&v| (v, machine.value(v).clone()))
            .collect(),
    }
}

/// Adds the commands without parts that a step executes, in order; `None` where its choices do not fit.
pub(crate) fn path(flat: &Program, step: &Step, leaves: &mut Vec<Cmd>) -> Option<()> {
    let mut choices = step.choices.iter();
    let mut todo = vec![flat.edges.get(step.edge)?.action.cmd()?];
    while let Some(c) = todo.pop() {
        match flat.cmds.view(c) {
            CmdView::Seq(cs) => todo.extend(cs.iter().rev()),
            CmdView::Choice(cs) => todo.push(*cs.get(*choices.next()? as usize)?),
            _ => leaves.push(c),
        }
    }
    choices.next().is_none().then_some(())
}

/// The least set of variables that decides, with the inputs, whether these commands complete and what the set holds after them.
fn deciding(flat: &Program, leaves: &[Cmd]) -> BTreeSet<Var> {
    let mut set: BTreeSet<Var> = BTreeSet::new();
    loop {
        let needed = needed_before(flat, leaves, &set);
        let size = set.len();
        set.extend(needed);
        if set.len() == size {
            return set;
        }
    }
}

/// What decides, before the commands, whether they complete and what `after` holds then.
fn needed_before(flat: &Program, leaves: &[Cmd], after: &BTreeSet<Var>) -> BTreeSet<Var> {
    let mut needed = after.clone();
    for &c in leaves.iter().rev() {
        match flat.cmds.view(c) {
            CmdView::Assume(t) => needed.extend(flat.pool.free_vars([t])),
            CmdView::Assign(items) => {
                let read = items.iter().filter(|(v, _)| needed.contains(v));
                let read: Vec<Var> = flat.pool.free_vars(read.map(|&(_, t)| t));
                for (v, _) in items {
                    needed.remove(v);
                }
                needed.extend(read);
            }
            CmdView::Havoc(items) => {
                for (v, _) in items {
                    needed.remove(v);
                }
            }
            CmdView::Skip | CmdView::Seq(_) | CmdView::Choice(_) => {}
        }
    }
    needed
}
