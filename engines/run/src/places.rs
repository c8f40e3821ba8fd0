//! Where programs look into arrays whose content is arbitrary: without knowing that, nothing but the same everywhere could be tried.

use crate::guide::Record;
use std::collections::BTreeSet;
use trellis_ivl::script::Reader;
use trellis_ivl::{Machine, Program, Script, Trace, Type};

/// Steps of an execution that are looked at.
const STEPS: usize = 600;
/// Places that are kept.
const PLACES: usize = 24;
/// Lower ones are counters rather than addresses, and cells near 0 are filled anyway.
const LEAST: u64 = 64;

/// Numbers that variables hold in an execution and that may be addresses, all near each other as one.
pub fn places(program: &Program, record: &Record, script: &Script) -> Vec<u64> {
    let index = |ty: Type| match ty {
        Type::Array { index, .. } => Some(index),
        _ => None,
    };
    let all = program.pool.vars().iter();
    let widths: BTreeSet<u32> = all.filter_map(|(_, d)| index(d.ty)).collect();
    let of_width = |ty: Type| ty.width().is_some_and(|w| w <= 64 && widths.contains(&w));
    let vars: Vec<_> = program
        .program_vars()
        .filter(|&v| of_width(program.pool.var_ty(v)))
        .collect();
    let initial = Trace {
        initial: record.initial.clone(),
        steps: Vec::new(),
    };
    let mut found = BTreeSet::new();
    let Ok(mut machine) = Machine::for_trace(program, &initial) else {
        return Vec::new();
    };
    let mut reader = Reader::new(program, script);
    for _ in 0..STEPS {
        if machine.is_final() || machine.step(&mut reader).is_none() || reader.check(false).is_err()
        {
            break;
        }
        for &v in &vars {
            let word = machine.value(v).as_bv().and_then(|b| b.to_u64());
            if let Some(word) = word.filter(|&w| w >= LEAST)
                && found.len() < PLACES
            {
                found.insert(word & !(LEAST - 1));
            }
        }
    }
    found.into_iter().collect()
}
