//! The semantic test of passes: before against after, exactly.

use crate::explore::{Reachable, explore, kind_name};
use crate::generate::{Shape, program};
use crate::passes::Passes;
use trellis_ivl::rng::Rng;
use trellis_ivl::{Evaluator, FlattenOptions, Program, Value, flatten, replay};

/// States beyond which a random program is not enumerated.
pub const STATE_LIMIT: usize = 4_000;

/// Limits of expansion for generated programs, which may recurse.
pub const EXPANSION: FlattenOptions = FlattenOptions {
    recursion: 2,
    max_edges: 200,
};

/// How often passes did anything in a semantic test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fired {
    /// Programs that were compared.
    pub programs: usize,
    /// Those of them that some pass changed.
    pub changed: usize,
}

impl std::fmt::Display for Fired {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "changed {} of {} programs", self.changed, self.programs)
    }
}

/// Checks passes on one program:
///
/// - the same error and incomplete locations are reachable before and after,
/// - a trace to each of them after the passes translates to one that replays before,
/// - the strongest invariants after the passes translate to true ones before.
///
/// Returns false when the program was too large to enumerate.
///
/// # Errors
/// What disagrees.
pub fn check_list(before: &Program, passes: &(impl Passes + ?Sized)) -> Result<bool, String> {
    Ok(compare(before, passes)?.is_some())
}

/// Whether the passes changed the program; `None` when it was too large to enumerate.
fn compare(before: &Program, passes: &(impl Passes + ?Sized)) -> Result<Option<bool>, String> {
    let mut flat = before.clone();
    if !flat.is_flat() {
        flatten(&mut flat, &EXPANSION);
    }
    let Some(reached) = explore(&flat, STATE_LIMIT) else {
        return Ok(None);
    };
    let mut after = before.clone();
    let mut report = passes.run(&mut after).map_err(|e| e.to_string())?;
    trellis_ivl::verify::verify(&after).map_err(|e| format!("ill-formed afterwards: {e}"))?;
    if !after.is_flat() {
        return Err("the passes leave procedures".into());
    }
    let Some(reached_after) = explore(&after, STATE_LIMIT) else {
        return Ok(None);
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
    Ok(Some(!report.runs.is_empty()))
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

/// Runs [`check_list`] on `count` random programs of `shape` with seeds from 0, and says how often the passes changed
/// one: a pass that never fires passes this test, too.
///
/// # Panics
/// With the seed and the program when something disagrees, and when fewer than `count` programs
/// out of ten times as many could be enumerated.
pub fn check_random(passes: &(impl Passes + ?Sized), shape: Shape, count: usize) -> Fired {
    let mut fired = Fired::default();
    for seed in 0..10 * count as u64 {
        if fired.programs == count {
            return fired;
        }
        let p = program(&mut Rng::new(seed), shape);
        match compare(&p, passes) {
            Ok(None) => {}
            Ok(Some(changed)) => {
                fired.programs += 1;
                fired.changed += usize::from(changed);
            }
            Err(why) => panic!("passes '{}' on seed {seed}: {why}\n{p}", passes.describe()),
        }
    }
    let enough = fired.programs == count;
    assert!(
        enough,
        "only {} of {count} random programs were small enough",
        fired.programs
    );
    fired
}
