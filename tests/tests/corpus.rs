//! The corpus of C programs against the front end: what it promises of itself, executions by the
//! interpreter on random inputs, and the places of violations.

use std::collections::{BTreeMap, BTreeSet};
use trellis_e2e::corpus::{self, Task};
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{Options, compile_files};
use trellis_ivl::rng::Rng;
use trellis_ivl::{Bv, Input, LocKind, Machine, Oracle, Program, Type, Value};

/// Small numbers, and now and then any: what programs branch on is mostly small.
struct Random(Rng);

impl Oracle for Random {
    fn input(&mut self, _: Input, ty: Type) -> Value {
        let small = !self.0.one_in(4);
        let bits = self.0.bits() % if small { 16 } else { u64::MAX };
        match ty {
            Type::Bv(width) => {
                let bits = if width < 64 {
                    bits & ((1 << width) - 1)
                } else {
                    bits
                };
                Value::Bv(Bv::new(width, bits))
            }
            ty => Value::zero(ty),
        }
    }

    fn pick(&mut self, n: usize) -> usize {
        self.0.below(n.max(1))
    }
}

fn compile(task: &Task) -> Program {
    let mut properties = Properties::NONE;
    assert!(properties.add(&task.property), "{task:?}");
    let options = Options {
        properties,
        ..Options::default()
    };
    match compile_files(std::slice::from_ref(&task.path), &options) {
        Ok(compiled) => compiled.lowered.program,
        Err(e) => panic!("{}: {e}", task.name()),
    }
}

/// The place of the error that a run with this seed reaches, and its property.
fn run(program: &Program, seed: u64) -> Option<(String, (u32, u32))> {
    let mut oracle = Random(Rng::new(seed));
    let mut machine = Machine::new(program, |_, ty| Value::zero(ty));
    for _ in 0..2_000 {
        if machine.is_final() || machine.step(&mut oracle).is_none() {
            break;
        }
    }
    let loc = &program.locs[machine.loc()];
    match &loc.kind {
        LocKind::Error(property) => Some((property.to_string(), (loc.span.line, loc.span.column))),
        _ => None,
    }
}

#[test]
fn is_large_and_balanced() {
    let tasks = corpus::all();
    let programs: BTreeSet<_> = tasks.iter().map(|t| &t.path).collect();
    let unsafe_ones = tasks.iter().filter(|t| !t.expected).count();
    assert!(programs.len() >= 150, "{}", programs.len());
    assert!(2 * unsafe_ones >= tasks.len(), "{unsafe_ones}");
    // Every kind of property has a safe program, and an unsafe one whose place is known.
    let mut kinds: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
    for task in &tasks {
        let seen = kinds.entry(&task.property).or_default();
        seen.0 |= task.expected;
        seen.1 |= !task.expected && task.place.is_some();
    }
    assert_eq!(kinds.len(), 8, "{kinds:?}");
    assert!(kinds.values().all(|k| *k == (true, true)), "{kinds:?}");
}

#[test]
fn safe_programs_reach_no_error_and_unsafe_ones_theirs() {
    let mut found = 0;
    let mut sought = 0;
    for task in corpus::all() {
        let program = compile(&task);
        let errors: BTreeSet<_> = (1..=60).filter_map(|seed| run(&program, seed)).collect();
        if task.expected {
            assert!(errors.is_empty(), "{}: {errors:?}", task.name());
            continue;
        }
        sought += 1;
        found += usize::from(!errors.is_empty());
        if let Some(place) = task.place {
            let wrong = errors
                .iter()
                .find(|e| **e != (task.property.clone(), place));
            assert!(
                wrong.is_none(),
                "{}: {wrong:?} instead of {place:?}",
                task.name()
            );
        }
    }
    // Chance finds most violations; the rest needs an engine.
    assert!(found * 10 >= sought * 7, "{found} of {sought}");
}

#[test]
fn violations_have_their_exact_place() {
    for task in corpus::all() {
        let Some(place) = task.place else { continue };
        let program = compile(&task);
        let places: Vec<(u32, u32)> = program
            .errors()
            .filter(
                |l| matches!(&program.locs[*l].kind, LocKind::Error(p) if **p == *task.property),
            )
            .map(|l| (program.locs[l].span.line, program.locs[l].span.column))
            .collect();
        assert!(
            places.contains(&place),
            "{}: {place:?} is not among {places:?}",
            task.name()
        );
    }
}
