//! The semantic test of passes: before against after, exactly.

use crate::explore::{Reachable, explore, kind_name};
use crate::generate::{Shape, program};
use trellis_ivl::rng::Rng;
use trellis_ivl::{Evaluator, FlattenOptions, Program, Value, flatten, replay};
use trellis_ivl_passes::{Property, parse_list};

/// States beyond which a random program is not enumerated.
pub const STATE_LIMIT: usize = 4_000;

/// Limits of expansion for generated programs, which may recurse.
pub const EXPANSION: FlattenOptions = FlattenOptions {
    recursion: 2,
    max_edges: 200,
};

/// Checks a pass list on one program:
///
/// - the same error and incomplete locations are reachable before and after,
/// - a trace to each of them after the passes translates to one that replays before,
/// - the strongest invariants after the passes translate to true ones before.
///
/// Returns false when the program was too large to enumerate.
///
/// # Errors
/// What disagrees.
pub fn check_list(before: &Program, list: &str) -> Result<bool, String> {
    let mut flat = before.clone();
    if !flat.is_flat() {
        flatten(&mut flat, &EXPANSION);
    }
    let Some(reached) = explore(&flat, STATE_LIMIT) else {
        return Ok(false);
    };
    let mut after = before.clone();
    let list = parse_list(list, &Property::of(before)).map_err(|e| e.to_string())?;
    let mut report = list.run(&mut after).map_err(|e| e.to_string())?;
    if !after.is_flat() {
        return Err("the pass list leaves procedures".into());
    }
    let Some(reached_after) = explore(&after, STATE_LIMIT) else {
        return Ok(false);
    };
    let (wanted, found) = (reached.targets(&flat), reached_after.targets(&after));
    if !wanted.keys().eq(found.keys()) {
        return Err(format!(
            "reachable before: {:?}, after: {:?}",
            wanted.keys().collect::<Vec<_>>(),
            found.keys().collect::<Vec<_>>()
        ));
    }
    for (name, trace) in found {
        let back = report
            .back
            .trace(&mut after, trace)
            .map_err(|e| format!("trace to {name}: {e}"))?;
        // Expansion makes locations of its own for calls it refuses; before it there are none.
        if name.starts_with("incomplete recursion") || name.starts_with("incomplete call") {
            continue;
        }
        let end = replay(before, &back).map_err(|e| format!("trace to {name}: {e}"))?;
        let kind = kind_name(&before.locs[end].kind);
        if kind.as_deref() != Some(&name) {
            return Err(format!("trace to {name} ends at {end}, {kind:?}"));
        }
    }
    let invariants = reached_after.invariants(&mut after);
    let proof = report.back.proof(&mut after, invariants);
    check_invariants(&after, &proof.invariants, &reached)?;
    check_invariants(&after, &proof.lemmas, &reached)?;
    Ok(true)
}

/// Whether every state satisfies the invariant of its location.
fn check_invariants(
    program: &Program,
    invariants: &trellis_ivl_passes::Invariants,
    reached: &Reachable,
) -> Result<(), String> {
    // One evaluator for all states: its buffer is as large as the pool.
    let mut evaluator = Evaluator::new();
    for (loc, values) in reached.states() {
        let Some(&t) = invariants.get(&loc) else {
            continue;
        };
        let state: std::collections::BTreeMap<_, _> = values.collect();
        let lookup = |v| match state.get(&v) {
            Some(&value) => value.clone(),
            None => Value::zero(program.pool.var_ty(v)),
        };
        evaluator.new_round();
        if evaluator.eval(&program.pool, t, lookup) != Value::Bool(true) {
            return Err(format!(
                "the invariant of {loc} excludes the reachable state {state:?}"
            ));
        }
    }
    Ok(())
}

/// Runs [`check_list`] on `count` random programs of `shape` with seeds from 0.
///
/// # Panics
/// With the seed and the program when something disagrees, and when fewer than `count` programs
/// out of ten times as many could be enumerated.
pub fn check_random(list: &str, shape: Shape, count: usize) {
    let mut done = 0;
    for seed in 0..10 * count as u64 {
        if done == count {
            return;
        }
        let p = program(&mut Rng::new(seed), shape);
        match check_list(&p, list) {
            Ok(enumerated) => done += usize::from(enumerated),
            Err(why) => panic!("passes '{list}' on seed {seed}: {why}\n{p}"),
        }
    }
    panic!("only {done} of {count} random programs were small enough");
}
