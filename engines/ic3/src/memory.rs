//! Arrays by the cells that matter: the engine on an abstraction that is refined.
//!
//! After Mann, Irfan, Griggio, Padon and Barrett ("Counterexample-guided prophecy for model checking modulo the theory of
//! arrays", TACAS'21) and Bjesse ("Word-level sequential memory abstraction for model checking", FMCAD'08): [`cells`]
//! replaces arrays by watched cells, the engine decides that on bits, and a counterexample that arrays
//! refute ([`mod@concrete`]) says which read to watch next. Where they differ from ours: the history of an index is a row of
//! flags and not a row of words, and the proof mentions neither history nor prophecy.
//!
//! An invariant of the abstraction becomes one about all cells: a watched index is a ghost, its content what
//! the array holds there, and flags are gone, since one valuation of them must satisfy it. An error is excluded where
//! flags matter only after as many steps as the flags go back, so the proof is by that much more than induction.
//!
//! Deliberately absent: arrays inside of the algorithm, and trust in a counterexample of the abstraction.

pub mod cells;
pub mod concrete;

use crate::blast::bits_of;
use crate::{Decided, Options, bits};
use cells::{Cells, Watch};
use concrete::{Concrete, concrete};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl_passes::transition::{TransitionSystem, check_shape};
use trellis_plugin_sdk::ivl::walk::Importer;
use trellis_plugin_sdk::ivl::{LocKind, Program, Term, Type, Var};
use trellis_plugin_sdk::{Certificate, EngineError, Host, Level};

/// Indices that are watched at most. The checker's instances grow with their number as a power.
const MAX_WATCHES: usize = 3;
/// Flags at most: proofs double with each.
const MAX_FLAGS: usize = 4;

/// Whether anything that matters in the program is an array.
pub fn has_arrays(program: &Program) -> bool {
    let is_array = |v: Var| matches!(program.pool.var_ty(v), Type::Array { .. });
    program.program_vars().any(is_array)
}

/// Whether all arrays can be words of their elements.
pub fn are_small(program: &Program) -> bool {
    let vars = program.program_vars();
    vars.into_iter()
        .all(|v| bits_of(program.pool.var_ty(v)).is_ok())
}

/// Decides a program by the cells of its arrays that matter.
pub(crate) fn decide(
    options: &Options,
    program: &mut Program,
    host: &mut dyn Host,
    wanted: &dyn Fn(&LocKind) -> bool,
) -> Result<Decided, EngineError> {
    let ts = TransitionSystem::new(program).map_err(|e| EngineError::Program(e.to_string()))?;
    let mut watches: Vec<Watch> = Vec::new();
    loop {
        let mut cells = Cells::new(program, &ts, &watches);
        let text = format!(
            "{} cells watched: {}",
            watches.len(),
            described(program, &watches)
        );
        host.log(Level::Info, &text);
        let equal = cells.equalities(&ts);
        match bits(options, &mut cells.program, host, wanted, &equal)? {
            Decided::Stopped(why) => return Ok(Decided::Stopped(why)),
            Decided::Safe(certificate) => {
                return proof(program, &cells, &watches, &certificate).map(Decided::Safe);
            }
            Decided::Reached(kind, trace) => match concrete(program, &ts, &cells, &trace) {
                None => return Err(EngineError::Internal("a run does not replay".into())),
                Some(Concrete::Real(trace)) => return Ok(Decided::Reached(kind, trace)),
                Some(Concrete::Spurious(worth)) => match next(&watches, &worth) {
                    Some(watch) => watches.push(watch),
                    None => {
                        let why = "more cells of arrays matter than can be watched";
                        return Ok(Decided::Stopped(why.into()));
                    }
                },
            },
        }
    }
}

/// The first watch that there is room for.
fn next(watches: &[Watch], worth: &[Watch]) -> Option<Watch> {
    let flags: usize = watches.iter().map(|w| w.delay).sum();
    let fits = |w: &&Watch| !watches.contains(w) && flags + w.delay <= MAX_FLAGS;
    match watches.len() < MAX_WATCHES {
        true => worth.iter().find(fits).copied(),
        false => None,
    }
}

fn described(program: &Program, watches: &[Watch]) -> String {
    let one = |w: &Watch| {
        let name = &program.pool.var_data(w.read.array).name;
        format!("{name} ({} steps before)", w.delay)
    };
    watches.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The proof of the abstraction as one of the program.
fn proof(
    program: &mut Program,
    cells: &Cells,
    watches: &[Watch],
    certificate: &Certificate,
) -> Result<Certificate, EngineError> {
    let internal =
        |e: trellis_ivl_passes::transition::ShapeError| EngineError::Internal(e.to_string());
    let own_head = check_shape(&cells.program).map_err(internal)?.head;
    let head = check_shape(program).map_err(internal)?.head;
    let mut ghosts = Vec::with_capacity(cells.indices.len());
    let mut stands_for: FxHashMap<Var, Term> = FxHashMap::default();
    for (j, &index) in cells.indices.iter().enumerate() {
        let ty = cells.program.pool.var_ty(index);
        let ghost = program.pool.fresh(format!("index{j}"), ty);
        let term = program.pool.var(ghost);
        ghosts.push(ghost);
        stands_for.insert(index, term);
    }
    for cell in &cells.cells {
        let array = program.pool.var(cell.array);
        let index = stands_for[&cells.indices[cell.watch]];
        let content = program.pool.select(array, index);
        stands_for.insert(cell.content, content);
    }
    let mut from = cells.program.pool.clone();
    let flags: Vec<Var> = cells.flags.iter().flatten().copied().collect();
    let (mut plain, mut flagged) = (Vec::new(), Vec::new());
    if let Some(&invariant) = certificate.invariants.get(&own_head) {
        for part in from.conjuncts(invariant) {
            let vars = from.free_vars([part]);
            match vars.iter().any(|v| flags.contains(v)) {
                true => flagged.push(part),
                false => plain.push(part),
            }
        }
    }
    if !flagged.is_empty() {
        let flagged = from.and_all(flagged);
        let mut cases = Vec::with_capacity(1 << flags.len());
        for case in 0..1u32 << flags.len() {
            let bits = flags.iter().enumerate();
            let map = bits.map(|(i, &v)| (v, from.bool(case >> i & 1 == 1)));
            let map: FxHashMap<Var, Term> = map.collect();
            cases.push(from.substitute(flagged, &map));
        }
        plain.push(from.or_all(cases));
    }
    let mut importer = Importer::default();
    let mut copies = Vec::with_capacity(plain.len());
    for part in plain {
        let copy = importer.import(
            &mut program.pool,
            &from,
            part,
            &mut |pool, v| match stands_for.get(&v) {
                Some(&t) => t,
                None => pool.var(v),
            },
        );
        copies.push(copy);
    }
    let invariant = program.pool.and_all(copies);
    let longest = watches.iter().map(|w| w.delay).max().unwrap_or(0);
    Ok(
        Certificate::inductive(longest as u32 + 1, BTreeMap::from([(head, invariant)]))
            .for_all(ghosts),
    )
}
