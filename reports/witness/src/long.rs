//! A long execution for people: its first and its last steps, and how often loops went round in between.

use crate::names::{Names, Sources};
use crate::steps::{Detail, Shown, last_steps, steps};
use std::collections::BTreeMap;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::{Loc, Machine, Program, State, Step, Trace};

/// Steps that are shown at the beginning.
const SHOWN: usize = 400;
/// Loops whose rounds are told.
const LOOPS: usize = 12;

/// What is known of a long execution.
pub struct Long<'a> {
    /// Its first steps.
    pub head: &'a Trace,
    /// How often branches at locations were passed in between.
    pub passed: &'a [(Loc, u64)],
    /// The state after so many steps.
    pub from: Option<&'a (u64, State)>,
    /// The steps from there.
    pub last: &'a [Step],
}

/// The lines of a long execution.
pub fn long(
    program: &Program,
    long: &Long,
    names: &Names,
    sources: &Sources,
    detail: Detail,
) -> Vec<Shown> {
    let first = Trace {
        initial: long.head.initial.clone(),
        steps: long.head.steps.iter().take(SHOWN).cloned().collect(),
    };
    let mut shown = steps(program, &first, names, sources, detail);
    shown.extend(rounds(program, long.passed));
    if let Some((before, state)) = long.from {
        let machine = Machine::resume(program, state.clone());
        let (last, before) = (long.last, *before);
        shown.extend(last_steps(
            program, machine, last, before, names, sources, detail,
        ));
    }
    shown
}

/// How often the heads of loops were passed, those that were most often.
fn rounds(program: &Program, passed: &[(Loc, u64)]) -> Vec<Shown> {
    let adjacency = Adjacency::new(program);
    let mut of_heads: BTreeMap<Loc, u64> = BTreeMap::new();
    for proc in program.procs.values() {
        let heads = DepthFirst::new(program, &adjacency, proc.entry).heads;
        for &(loc, times) in passed {
            if times > 3 && heads.contains(loc) {
                // A guard may be several branches; all who come to the head pass the first.
                let most = of_heads.entry(loc).or_default();
                *most = times.max(*most);
            }
        }
    }
    let mut loops: Vec<(Loc, u64)> = of_heads.into_iter().collect();
    loops.sort_by_key(|&(loc, times)| (std::cmp::Reverse(times), loc));
    loops.truncate(LOOPS);
    loops.sort_unstable();
    let shown = loops.into_iter().map(|(loc, times)| {
        let times = usize::try_from(times).unwrap_or(usize::MAX);
        Shown::Folded(times, program.locs[loc].span)
    });
    shown.collect()
}
