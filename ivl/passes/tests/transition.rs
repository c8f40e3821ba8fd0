//! The view of hardware engines, against exploration of the program it is a view on.

use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Program, Term, Value, Var, replay};
use trellis_ivl_passes::parse_list;
use trellis_ivl_passes::transition::{Model, Path, TransitionSystem};
use trellis_ivl_testing::explore::{all_values, kind_name};
use trellis_ivl_testing::generate::program;
use trellis_ivl_testing::{Rng, Shape, explore};

/// Models of the symbols; `None` when there are too many.
fn models(p: &Program, symbols: &[Var]) -> Option<Vec<Model>> {
    let mut models = vec![Model::new()];
    for &v in symbols {
        let values = all_values(p.pool.var_ty(v), 512)?;
        if models.len() * values.len() > 512 {
            return None;
        }
        models = models
            .iter()
            .flat_map(|m| {
                values.iter().map(|value| {
                    let mut m = m.clone();
                    m.insert(v, value.clone());
                    m
                })
            })
            .collect();
    }
    Some(models)
}

fn eval(p: &Program, t: Term, models: [&Model; 2]) -> Value {
    p.pool.eval(t, |v| {
        let given = models.iter().find_map(|m| m.get(&v)).cloned();
        given.unwrap_or_else(|| panic!("{v} is neither state nor input"))
    })
}

/// The names of the bad conditions that hold on some path, by breadth-first search over states;
/// `None` when there are too many. Every path found is replayed on the program.
fn search(p: &Program, ts: &TransitionSystem) -> Option<BTreeSet<String>> {
    let inputs = models(p, &ts.inputs)?;
    let mut queue: Vec<(Model, Path)> = Vec::new();
    let mut seen = BTreeMap::new();
    let key = |m: &Model| format!("{m:?}");
    for state in models(p, &ts.state)? {
        for init in models(p, &ts.init.inputs)? {
            if eval(p, ts.init.term, [&state, &init]) == Value::Bool(true)
                && seen.insert(key(&state), ()).is_none()
            {
                let mut path = Path {
                    init: init.clone(),
                    ..Path::default()
                };
                path.init.extend(state.clone());
                queue.push((state.clone(), path));
            }
        }
    }
    let mut found = BTreeSet::new();
    let mut next = 0;
    while next < queue.len() {
        let (state, path) = queue[next].clone();
        next += 1;
        for (i, bad) in ts.bads.iter().enumerate() {
            for m in models(p, &bad.condition.inputs)? {
                if eval(p, bad.condition.term, [&state, &m]) == Value::Bool(true) {
                    let mut path = path.clone();
                    path.bad = Some((i, m));
                    let end = replay(p, &ts.trace(p, &path)).expect("a path is an execution");
                    assert_eq!(end, bad.loc);
                    found.insert(kind_name(&p.locs[end].kind).expect("not a plain location"));
                }
            }
        }
        for m in &inputs {
            if eval(p, ts.constraint, [&state, m]) != Value::Bool(true) {
                continue;
            }
            let after: Model = ts
                .next
                .iter()
                .map(|(&v, &t)| (v, eval(p, t, [&state, m])))
                .collect();
            if seen.insert(key(&after), ()).is_none() {
                let mut path = path.clone();
                path.steps.push(m.clone());
                queue.push((after, path));
            }
        }
    }
    Some(found)
}

#[test]
fn reaches_what_the_program_reaches() {
    let shape = Shape {
        locs: 2,
        state_bits: 3,
        errors: 1,
        assumes: 90,
        ..Shape::TINY
    };
    let (mut done, mut reached) = (0, 0);
    for seed in 0..400 {
        let mut p = program(&mut Rng::new(seed), shape);
        let list = parse_list("inline, lbe(limit=none), monolithic", &[]).expect("a correct list");
        list.run(&mut p).expect("the passes run");
        let ts = TransitionSystem::new(&mut p).expect("the monolithic shape");
        let (Some(found), Some(reachable)) = (search(&p, &ts), explore(&p, 4000)) else {
            continue;
        };
        let expected: BTreeSet<String> = reachable.targets(&p).into_keys().collect();
        assert_eq!(found, expected, "seed {seed}");
        done += 1;
        reached += found.len();
    }
    assert!(done >= 100, "only {done} programs were small enough");
    assert!(
        reached >= 50,
        "only {reached} bad conditions were reachable"
    );
}

/// What an engine sees of hardware: the counter is state, the input is none.
#[test]
fn shows_hardware() {
    let mut p = trellis_ivl_testing::parse(include_str!("data/counter.ivl"));
    let ts = TransitionSystem::new(&mut p).expect("the hardware shape");
    let show = |t: Term| trellis_ivl::text::print_term(&p.pool, t);
    let names = |vars: &[Var]| {
        vars.iter()
            .map(|&v| format!("{v} {}", p.pool.var_data(v).name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut text = format!(
        "state      {}\ninit       {}\ninputs     {}\nconstraint {}\n",
        names(&ts.state),
        show(ts.init.term),
        names(&ts.inputs),
        show(ts.constraint)
    );
    for (&v, &t) in &ts.next {
        text += &format!("next       {} := {}\n", names(&[v]), show(t));
    }
    for bad in &ts.bads {
        text += &format!("bad        {} when {}\n", bad.loc, show(bad.condition.term));
    }
    insta::assert_snapshot!(text);
}
