//! The encodings of commands against the enumeration of their executions.

use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::predicate::{Transformed, sp, wep, wp};
use trellis_ivl::{Cmd, CmdPool, Program, Term, TermPool, Transfer, Type, Value, Var};
use trellis_ivl_testing::Rng;
use trellis_ivl_testing::explore::{Enumerator, all_values};
use trellis_ivl_testing::generate::{self, Shape};

const LIMIT: usize = 4_096;
const SMALL: Shape = Shape {
    state_bits: 5,
    ..Shape::TINY
};

type State = Box<[Value]>;

/// All assignments to `vars`, or `None` when there are too many.
fn assignments(program: &Program, vars: &[Var]) -> Option<Vec<FxHashMap<Var, Value>>> {
    let mut all = vec![FxHashMap::default()];
    for &v in vars {
        let values = all_values(program.pool.var_ty(v), LIMIT)?;
        if all.len() * values.len() > LIMIT {
            return None;
        }
        all = all
            .into_iter()
            .flat_map(|a| {
                values.iter().map(move |value| {
                    let mut a = a.clone();
                    a.insert(v, value.clone());
                    a
                })
            })
            .collect();
    }
    Some(all)
}

struct Case {
    program: Program,
    vars: Vec<Var>,
    states: Vec<State>,
    ends: Vec<FxHashSet<State>>,
    cmd: trellis_ivl::Cmd,
}

fn cases(count: usize) -> impl Iterator<Item = (u64, Case)> {
    (0..)
        .filter_map(|seed| {
            let (program, vars, cmd) = generate::command(&mut Rng::new(seed), SMALL, 3);
            let mut e = Enumerator::new(&program, &vars, LIMIT);
            let states = e.initial(&vars)?;
            let ends = states
                .iter()
                .map(|s| e.ends(cmd, s))
                .collect::<Option<_>>()?;
            drop(e);
            Some((
                seed,
                Case {
                    program,
                    vars,
                    states,
                    ends,
                    cmd,
                },
            ))
        })
        .take(count)
}

impl Case {
    fn eval(&self, t: Term, state: &State, extra: &FxHashMap<Var, Value>) -> Value {
        self.program.pool.eval(t, |v| match extra.get(&v) {
            Some(value) => value.clone(),
            None => {
                let i = self
                    .vars
                    .iter()
                    .position(|&w| w == v)
                    .expect("a variable of the state");
                state[i].clone()
            }
        })
    }

    fn holds(&self, t: Term, state: &State, extra: &FxHashMap<Var, Value>) -> bool {
        self.eval(t, state, extra) == Value::Bool(true)
    }

    fn predicate(&mut self, seed: u64) -> Term {
        let vars = self.vars.clone();
        generate::term(
            &mut Rng::new(seed ^ 0xabc),
            &mut self.program,
            &vars,
            Type::Bool,
            3,
        )
    }
}

#[test]
fn transfer_functions_describe_all_executions() {
    describe_all_executions(Transfer::new);
}

#[test]
fn transfer_functions_that_decide_describe_all_executions() {
    describe_all_executions(Transfer::deciding);
}

fn describe_all_executions(make: fn(&mut TermPool, &CmdPool, Cmd) -> Transfer) {
    let mut tested = 0;
    for (seed, mut case) in cases(1_500) {
        let transfer = make(&mut case.program.pool, &case.program.cmds, case.cmd);
        let Some(inputs) = assignments(&case.program, &transfer.inputs) else {
            continue;
        };
        tested += 1;
        for (state, ends) in case.states.iter().zip(&case.ends) {
            let mut found = FxHashSet::default();
            for input in &inputs {
                if !case.holds(transfer.guard, state, input) {
                    continue;
                }
                let mut end = state.clone();
                for (v, &t) in &transfer.updates {
                    let i = case
                        .vars
                        .iter()
                        .position(|w| w == v)
                        .expect("a state variable");
                    end[i] = case.eval(t, state, input);
                }
                found.insert(end);
            }
            assert_eq!(&found, ends, "seed {seed}");
        }
    }
    assert!(tested > 1_000, "only {tested} commands were small enough");
}

#[test]
fn predicate_transformers_agree_with_executions() {
    let mut tested = 0;
    for (seed, mut case) in cases(1_500) {
        let post = case.predicate(seed);
        let none = FxHashMap::default();
        let (pool, cmds) = (&mut case.program.pool, &case.program.cmds);
        let all = wp(pool, cmds, case.cmd, post);
        let some = wep(pool, cmds, case.cmd, post);
        let image = sp(pool, cmds, case.cmd, post);
        let bound = |t: &Transformed| assignments(&case.program, &t.bound);
        let (Some(b_all), Some(b_some), Some(b_image)) = (bound(&all), bound(&some), bound(&image))
        else {
            continue;
        };
        tested += 1;
        for (state, ends) in case.states.iter().zip(&case.ends) {
            let ends_in_post = |e: &State| case.holds(post, e, &none);
            assert_eq!(
                b_all.iter().all(|b| case.holds(all.formula, state, b)),
                ends.iter().all(ends_in_post),
                "wp, seed {seed}"
            );
            assert_eq!(
                b_some.iter().any(|b| case.holds(some.formula, state, b)),
                ends.iter().any(ends_in_post),
                "wep, seed {seed}"
            );
            let reached = case
                .states
                .iter()
                .zip(&case.ends)
                .any(|(s, ends)| case.holds(post, s, &none) && ends.contains(state));
            assert_eq!(
                b_image.iter().any(|b| case.holds(image.formula, state, b)),
                reached,
                "sp, seed {seed}"
            );
        }
    }
    assert!(tested > 1_000, "only {tested} commands were small enough");
}

/// Rebuilding a term through the simplifying builder never changes its value or type.
#[test]
fn the_builder_keeps_meaning() {
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let (mut program, vars, _) = generate::command(&mut rng, SMALL, 0);
        let ty = *rng.pick(SMALL.types);
        let t = generate::term(&mut rng, &mut program, &vars, ty, 4);
        let mut rebuilt: FxHashMap<Term, Term> = FxHashMap::default();
        for u in program.pool.post_order([t]) {
            let args: Vec<Term> = program.pool.args(u).map(|a| rebuilt[&a]).collect();
            let r = if args.is_empty() {
                u
            } else {
                program.pool.rebuild(u, &args)
            };
            rebuilt.insert(u, r);
        }
        let r = rebuilt[&t];
        assert_eq!(program.pool.ty(r), program.pool.ty(t));
        for state in assignments(&program, &vars).expect("a small state") {
            let value = |t: Term| program.pool.eval(t, |v| state[&v].clone());
            assert_eq!(value(t), value(r), "seed {seed}");
        }
    }
}
