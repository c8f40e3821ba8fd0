//! Ways back across the border: passes that use each part of one, on random programs.

#![cfg(feature = "pass")]

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{
    Cmd, CmdView, Edge, EdgeData, Loc, LocKind, Program, Scope, Step, Term, Trace, Var, VarData,
};
use trellis_ivl_passes::back::Walk;
use trellis_ivl_passes::rebuild::retain;
use trellis_ivl_passes::{ControlMap, Property};
use trellis_ivl_testing::{Rng, Shape, check_random, generate};
use trellis_plugin_sdk::pass::{answer, apply};
use trellis_plugin_sdk::wire::image;
use trellis_plugin_sdk::{EngineError, Host, Info, LocalHost, NoOptions, Pass};

const fn info(id: &'static str) -> Info {
    Info {
        id,
        description: "for a test",
        licence: "MIT",
        version: "1",
    }
}

/// Makes one edge of two where nothing else is in between.
struct Chains;

impl Pass for Chains {
    const INFO: Info = info("chains");
    const REQUIRES: &'static [Property] = &[Property::Flat];
    type Options = NoOptions;

    fn run(
        _: &NoOptions,
        program: &mut Program,
        _: &mut dyn Host,
    ) -> Result<Option<ControlMap>, EngineError> {
        let main = &program.procs[program.main];
        let mut at: BTreeMap<Loc, (Vec<Edge>, Vec<Edge>)> = BTreeMap::new();
        for (e, data) in program.edges.iter() {
            at.entry(data.to).or_default().0.push(e);
            at.entry(data.from).or_default().1.push(e);
        }
        let between = at.iter().find_map(|(&l, (before, after))| {
            let plain = program.locs[l].kind == LocKind::Plain;
            let free = plain && l != main.entry && Some(l) != main.exit;
            match (&before[..], &after[..]) {
                (&[first], &[second]) if free && first != second => Some((l, first, second)),
                _ => None,
            }
        });
        let Some((between, first, second)) = between else {
            return Ok(None);
        };
        let cmd = |e| program.edge_cmd(e).expect("flat");
        let cmds = [cmd(first), cmd(second)];
        let both = program.cmds.seq(&cmds);
        let merged = EdgeData {
            to: program.edges[second].to,
            action: trellis_ivl::Action::Cmd(both),
            ..program.edges[first].clone()
        };
        program.edges[first] = merged;
        let mut back = retain(program, |l| l != between, |e| e != second);
        for walk in back.walks.values_mut().filter(|w| **w == Walk::Edge(first)) {
            *walk = Walk::Seq(vec![Walk::Edge(first), Walk::Empty, Walk::Edge(second)]);
        }
        Ok(Some(back))
    }
}

/// Gives a variable another name.
struct Rename;

impl Pass for Rename {
    const INFO: Info = info("rename");
    const REQUIRES: &'static [Property] = &[Property::Flat];
    type Options = NoOptions;

    fn run(
        _: &NoOptions,
        program: &mut Program,
        _: &mut dyn Host,
    ) -> Result<Option<ControlMap>, EngineError> {
        let Some(old) = program.program_vars().next() else {
            return Ok(None);
        };
        let new = program.pool.declare(VarData {
            name: "renamed".into(),
            scope: Scope::Global,
            ..program.pool.var_data(old).clone()
        });
        let (old_term, new_term) = (program.pool.var(old), program.pool.var(new));
        let there = FxHashMap::from_iter([(old, new_term)]);
        for e in program.edges.keys().collect::<Vec<_>>() {
            let cmd = program.edge_cmd(e).expect("flat");
            let renamed = renamed(program, cmd, (old, new), &there);
            program.edges[e].action = trellis_ivl::Action::Cmd(renamed);
        }
        let mut back = ControlMap::identity(program);
        back.rename.insert(new, old_term);
        Ok(Some(back))
    }
}

fn renamed(
    program: &mut Program,
    cmd: Cmd,
    (old, new): (Var, Var),
    there: &FxHashMap<Var, Term>,
) -> Cmd {
    let var = |v: Var| if v == old { new } else { v };
    let pool = &mut program.pool;
    program
        .cmds
        .map_leaves(cmd, &mut |cmds, leaf| match cmds.view(leaf) {
            CmdView::Assume(t) => {
                let t = pool.substitute(t, there);
                cmds.assume(t)
            }
            CmdView::Assign(items) => {
                let items: Vec<_> = items
                    .iter()
                    .map(|&(v, t)| (var(v), pool.substitute(t, there)))
                    .collect();
                cmds.assign_all(&items)
            }
            CmdView::Havoc(items) => {
                let items: Vec<_> = items.iter().map(|&(v, i)| (var(v), i)).collect();
                cmds.havoc(&items)
            }
            _ => leaf,
        })
}

#[test]
fn walks_cross() {
    let fired = check_random(&*Chains::in_process(NoOptions {}), Shape::TINY, 200);
    assert!(fired.changed > 50, "{fired}");
}

#[test]
fn new_variables_cross() {
    let rename = Rename::in_process(NoOptions {});
    let fired = check_random(&*rename, Shape::TINY, 100);
    assert!(fired.changed > 50, "{fired}");
    let chains = Chains::in_process(NoOptions {});
    check_random(&[&*rename, &*chains, &*rename], Shape::TINY, 50);
}

/// Damaged answers are refused, or are some other program with some other way back; nothing panics.
#[test]
fn damaged_answers_are_no_catastrophe() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let program = generate::program(&mut rng, Shape::TINY);
        if !program.is_flat() {
            continue;
        }
        let mut host = LocalHost::without_solver();
        let answer = answer::<Chains>(&image::write(&program), &NoOptions {}, &mut host);
        let Some(words) = answer.expect("a working pass") else {
            continue;
        };
        for _ in 0..30 {
            let mut damaged = words.clone();
            let at = rng.below(damaged.len());
            damaged[at] = match rng.below(3) {
                0 => rng.below(8) as u32,
                1 => damaged[at] ^ (1 << rng.below(32)),
                _ => u32::MAX - rng.below(2) as u32,
            };
            let mut other = program.clone();
            let Ok(outcome) = apply(&mut other, &damaged) else {
                assert_eq!(other.to_string(), program.to_string(), "seed {seed}");
                refused += 1;
                continue;
            };
            accepted += 1;
            let back = outcome.back.expect("it has changed");
            // With the arenas of the program after and the control tables of the one before.
            let anything = other.pool.tru();
            let everywhere = other.locs.keys().map(|l| (l, anything)).collect();
            let steps = other.edges.keys().map(Step::plain).collect();
            other.swap_control(&mut program.control());
            back.invariants(&mut other, everywhere);
            let trace = Trace {
                initial: BTreeMap::new(),
                steps,
            };
            // It may fail, and mostly does.
            let _ = back.trace(&other, trace);
        }
    }
    assert!(refused > 500 && accepted > 100, "{refused}, {accepted}");
}
