//! Elementary cycles of the automaton (Johnson, SIAM J. Comput. 1975), for the stable-iteration criteria.

use crate::automaton::Automaton;
use std::collections::{BTreeMap, BTreeSet};
use trellis_plugin_sdk::ivl::Loc;

/// Beyond this many cycles nobody waits for as many stable iterations.
const MAX_CYCLES: usize = 20_000;

/// The sum of the lengths of all elementary cycles; with `parallel`, cycles that differ in parallel edges are
/// different. `None` where there are too many.
pub fn total_length(cfa: &Automaton, parallel: bool) -> Option<u64> {
    let mut graph: BTreeMap<Loc, BTreeMap<Loc, u64>> = BTreeMap::new();
    for &l in std::iter::once(&cfa.entry).chain(&cfa.locs) {
        for &e in cfa.out(l) {
            let edges = graph.entry(l).or_default();
            *edges.entry(cfa.to(e)).or_default() += 1;
        }
    }
    let mut total = 0u64;
    let mut left = MAX_CYCLES;
    for &start in graph.keys() {
        let complete = cycles_from(&graph, start, &mut left, &mut |cycle| {
            let next = cycle.iter().cycle().skip(1);
            let ways = cycle.iter().zip(next).map(|(a, b)| graph[a][b]);
            let ways = if parallel {
                ways.fold(1u64, u64::saturating_mul)
            } else {
                1
            };
            total = total.saturating_add(ways.saturating_mul(cycle.len() as u64));
        });
        if !complete {
            return None;
        }
    }
    Some(total)
}

/// Visits the elementary cycles through `start` whose other locations have higher numbers; `false` when `left` is
/// used up.
fn cycles_from(
    graph: &BTreeMap<Loc, BTreeMap<Loc, u64>>,
    start: Loc,
    left: &mut usize,
    visit: &mut impl FnMut(&[Loc]),
) -> bool {
    let successors = |l: Loc| -> Vec<Loc> {
        let edges = graph.get(&l).into_iter().flat_map(|edges| edges.keys());
        edges.copied().filter(|&to| to >= start).collect()
    };
    let mut path = vec![start];
    let mut stack = vec![successors(start)];
    let mut blocked = BTreeSet::from([start]);
    let mut closed: BTreeSet<Loc> = BTreeSet::new();
    let mut waiting: BTreeMap<Loc, BTreeSet<Loc>> = BTreeMap::new();
    while let (Some(&here), Some(next)) = (path.last(), stack.last_mut()) {
        match next.pop() {
            Some(to) if to == start => {
                if *left == 0 {
                    return false;
                }
                *left -= 1;
                visit(&path);
                closed.extend(&path);
            }
            Some(to) if !blocked.contains(&to) => {
                path.push(to);
                stack.push(successors(to));
                closed.remove(&to);
                blocked.insert(to);
            }
            Some(_) => {}
            None => {
                if closed.contains(&here) {
                    unblock(here, &mut blocked, &mut waiting);
                } else {
                    for to in successors(here) {
                        waiting.entry(to).or_default().insert(here);
                    }
                }
                path.pop();
                stack.pop();
            }
        }
    }
    true
}

fn unblock(l: Loc, blocked: &mut BTreeSet<Loc>, waiting: &mut BTreeMap<Loc, BTreeSet<Loc>>) {
    let mut todo = vec![l];
    while let Some(l) = todo.pop() {
        if blocked.remove(&l) {
            todo.extend(waiting.remove(&l).unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_plugin_sdk::ivl::text;

    /// The example of the thesis, Fig. 3.2: parallel edges make 11 of 7.
    #[test]
    fn parallel_edges_count_or_not() {
        let source = r#"ivl 1;
            proc main() {
              var x: bv8;
              loc l0 entry; loc l1; loc l2; loc l3; loc bad error "p";
              l0 -> l2 { x := 1bv8 };
              l0 -> l1 { x := 2bv8 };
              l0 -> l1 { x := 3bv8 };
              l1 -> l2 { x := 4bv8 };
              l2 -> l3 { x := 5bv8 };
              l3 -> l0 { x := 6bv8 };
              l3 -> bad { assume x == 7bv8 };
            }"#;
        let mut program = text::parse(source).expect("a program");
        let cfa = Automaton::new(&mut program);
        assert_eq!(total_length(&cfa, true), Some(11));
        assert_eq!(total_length(&cfa, false), Some(7));
    }
}
