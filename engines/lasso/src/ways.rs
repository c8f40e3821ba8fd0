//! Ways round a loop: from its head back to it, through no location twice, as functions of the state.
//!
//! [`Transfer`](trellis_ivl::Transfer) has all branches of a command at once; of a way the branches are chosen, its conditions are wanted
//! one by one, and its inputs in the order in which a certificate names them.

use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::graph::Adjacency;
use trellis_ivl::termination::Loop;
use trellis_ivl::{Cmd, CmdView, Edge, Loc, Program, Term, Var};

/// Steps of a way, at most.
const LONGEST: usize = 400;

/// How many partial ways are looked at for each that is wanted.
const EFFORT: usize = 200;

/// A way round.
pub struct WayRound {
    /// Its edges, each with the branch taken at each choice.
    pub steps: Vec<(Edge, Vec<u32>)>,
    /// Symbols for its inputs, in order, each with the variable that gets its value.
    pub inputs: Vec<(Var, Var)>,
    /// When it can be taken, over the state at the head and the symbols: what all of these say.
    pub conditions: Vec<Term>,
    /// What variables hold after it.
    pub after: FxHashMap<Var, Term>,
}

/// Some ways round, short ones first.
pub fn ways(program: &mut Program, of: &Loop, most: usize) -> Vec<WayRound> {
    let adjacency = Adjacency::new(program);
    let mut found = Vec::new();
    let mut effort = most * EFFORT;
    let mut open: std::collections::VecDeque<(Loc, Vec<Edge>)> = [(of.head, Vec::new())].into();
    while let Some((at, path)) = open.pop_front() {
        for &e in adjacency.out(at) {
            let to = program.edges[e].to;
            if effort == 0 || found.len() >= most {
                break;
            }
            effort -= 1;
            let mut path = path.clone();
            path.push(e);
            if to == of.head {
                found.push(path);
            } else if of.contains(to)
                && path.len() < LONGEST
                && path.iter().all(|&e| program.edges[e].from != to)
            {
                open.push_back((to, path));
            }
        }
    }
    let mut all = Vec::new();
    for path in found {
        for choices in choices(program, &path, most) {
            let way = follow(program, &path, choices);
            let closed = |t: &Term| program.pool.as_bool(*t) == Some(false);
            if !way.conditions.iter().any(closed) && all.len() < most {
                all.push(way);
            }
        }
    }
    all
}

/// The combinations of branches along a path: per edge, one choice after the other.
fn choices(program: &Program, path: &[Edge], most: usize) -> Vec<Vec<Vec<u32>>> {
    let mut all: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    for &e in path {
        let Some(cmd) = program.edge_cmd(e) else {
            return Vec::new();
        };
        let own = branches(program, cmd, most);
        let mut next = Vec::new();
        for done in &all {
            for branch in &own {
                if next.len() < most {
                    let mut longer = done.clone();
                    longer.push(branch.clone());
                    next.push(longer);
                }
            }
        }
        all = next;
    }
    all
}

/// The choices of each way through a command.
fn branches(program: &Program, cmd: Cmd, most: usize) -> Vec<Vec<u32>> {
    let mut done = Vec::new();
    let mut open: Vec<(Vec<Cmd>, Vec<u32>)> = vec![(vec![cmd], Vec::new())];
    while let Some((mut todo, mut taken)) = open.pop() {
        let mut split = false;
        while let Some(c) = todo.pop() {
            match program.cmds.view(c) {
                CmdView::Seq(cs) => todo.extend(cs.iter().rev()),
                CmdView::Choice(cs) => {
                    for (i, &branch) in cs.iter().enumerate().rev() {
                        let (mut todo, mut taken) = (todo.clone(), taken.clone());
                        todo.push(branch);
                        taken.push(i as u32);
                        open.push((todo, taken));
                    }
                    split = true;
                    break;
                }
                _ => {}
            }
        }
        if !split {
            done.push(std::mem::take(&mut taken));
        }
        if done.len() >= most {
            break;
        }
    }
    done
}

fn follow(program: &mut Program, path: &[Edge], choices: Vec<Vec<u32>>) -> WayRound {
    let mut way = WayRound {
        steps: path.iter().copied().zip(choices).collect(),
        inputs: Vec::new(),
        conditions: Vec::new(),
        after: FxHashMap::default(),
    };
    let mut seen = FxHashSet::default();
    for (e, choices) in way.steps.clone() {
        let mut choices = choices.into_iter();
        let mut todo: Vec<Cmd> = program.edge_cmd(e).into_iter().collect();
        while let Some(c) = todo.pop() {
            match program.cmds.view(c) {
                CmdView::Skip => {}
                CmdView::Seq(cs) => todo.extend(cs.iter().rev()),
                CmdView::Choice(cs) => {
                    let branch = choices.next().unwrap_or(0) as usize;
                    todo.extend(cs.get(branch));
                }
                CmdView::Assume(t) => {
                    let holds = program.pool.substitute(t, &way.after);
                    for t in program.pool.split_conjuncts(holds) {
                        if seen.insert(t) {
                            way.conditions.push(t);
                        }
                    }
                }
                CmdView::Assign(items) => {
                    let items = items.to_vec();
                    let values: Vec<Term> = (items.iter())
                        .map(|&(_, t)| program.pool.substitute(t, &way.after))
                        .collect();
                    way.after.extend(items.iter().map(|&(v, _)| v).zip(values));
                }
                CmdView::Havoc(items) => {
                    for (v, _) in items.iter().copied() {
                        let symbol = program.pool.fresh("input", program.pool.var_ty(v));
                        way.inputs.push((symbol, v));
                        let value = program.pool.var(symbol);
                        way.after.insert(v, value);
                    }
                }
            }
        }
    }
    way
}
