//! The coarsest bisimulation of a labelled transition system, by partition refinement.
//!
//! Valmari, "Bisimilarity minimization in O(m log n) time" (Petri Nets 2009), which brings Paige
//! and Tarjan's three-way split (SIAM J. Comput. 1987) to labels without a factor for their number.
//!
//! Notation
//! - A *block* is a set of states not told apart yet.
//! - A *bunch* is a set of transitions with one label. Invariant: within a block either every
//!   state has a transition in the bunch or none has.
//! - A *slice* is the part of a bunch that enters one block. Once every bunch is a single slice,
//!   the invariant says that blocks are bisimilar states.
//!
//! A bunch of several slices gives up its smaller slice as a bunch of its own; blocks split by
//! whether their states have a transition in the slice, in the rest, or in both; slices split with
//! the blocks they enter. A transition moves only with the smaller part, at most log n times.

/// A transition between states `0..n`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Transition {
    pub label: u32,
    pub from: u32,
    pub to: u32,
}

/// A partition of `0..n` in which splitting a block costs no more than its marked part.
struct Refinable {
    /// The elements, block after block, marked ones first.
    items: Vec<u32>,
    place: Vec<u32>,
    block: Vec<u32>,
    first: Vec<u32>,
    unmarked: Vec<u32>,
    end: Vec<u32>,
}

impl Refinable {
    /// The partition in which `class` numbers the block of each element; classes must be dense.
    fn new(class: &[u32]) -> Refinable {
        let blocks = class.iter().max().map_or(0, |&c| c as usize + 1);
        let mut first = vec![0u32; blocks + 1];
        for &c in class {
            first[c as usize + 1] += 1;
        }
        for b in 0..blocks {
            first[b + 1] += first[b];
        }
        let end = first[1..].to_vec();
        first.pop();
        let mut fill = first.clone();
        let (mut items, mut place) = (vec![0; class.len()], vec![0; class.len()]);
        for (x, &c) in class.iter().enumerate() {
            let at = fill[c as usize];
            fill[c as usize] += 1;
            items[at as usize] = x as u32;
            place[x] = at;
        }
        Refinable {
            items,
            place,
            block: class.to_vec(),
            unmarked: first.clone(),
            first,
            end,
        }
    }

    fn len(&self, b: u32) -> u32 {
        self.end[b as usize] - self.first[b as usize]
    }

    fn items(&self, b: u32) -> &[u32] {
        &self.items[self.first[b as usize] as usize..self.end[b as usize] as usize]
    }

    /// Marks `x`; adds its block to `touched` at the block's first mark.
    fn mark(&mut self, x: u32, touched: &mut Vec<u32>) {
        let b = self.block[x as usize];
        let (at, to) = (self.place[x as usize], self.unmarked[b as usize]);
        if at < to {
            return;
        }
        if to == self.first[b as usize] {
            touched.push(b);
        }
        let y = self.items[to as usize];
        self.items.swap(at as usize, to as usize);
        self.place[x as usize] = to;
        self.place[y as usize] = at;
        self.unmarked[b as usize] = to + 1;
    }

    /// Splits `b` into its marked and unmarked part, of which the smaller becomes the new block;
    /// `None` when one of them is empty. Clears the marks.
    fn split(&mut self, b: u32) -> Option<u32> {
        let i = b as usize;
        let (first, middle, end) = (self.first[i], self.unmarked[i], self.end[i]);
        self.unmarked[i] = first;
        if middle == first || middle == end {
            return None;
        }
        let new = self.first.len() as u32;
        let (from, to) = if middle - first <= end - middle {
            self.first[i] = middle;
            self.unmarked[i] = middle;
            (first, middle)
        } else {
            self.end[i] = middle;
            (middle, end)
        };
        self.first.push(from);
        self.unmarked.push(from);
        self.end.push(to);
        for &x in &self.items[from as usize..to as usize] {
            self.block[x as usize] = new;
        }
        Some(new)
    }
}

/// Stands for "no counter".
const NONE: u32 = u32::MAX;

struct Refinement<'a> {
    transitions: &'a [Transition],
    /// Transitions into each state, in one flat array.
    into_start: Vec<u32>,
    into: Vec<u32>,
    blocks: Refinable,
    slices: Refinable,
    /// The bunch of each slice, and the slices of each bunch.
    bunch: Vec<u32>,
    bunches: Vec<Vec<u32>>,
    /// Bunches of several slices.
    work: Vec<u32>,
    /// How many transitions a state has in a bunch; each transition knows its counter.
    counts: Vec<u32>,
    counter: Vec<u32>,
    free: Vec<u32>,
}

/// The coarsest refinement of `initial` in which states of one block have, for each label, the
/// same blocks among their successors. Blocks are numbered by their smallest state.
pub(super) fn coarsest(initial: &[u32], mut transitions: Vec<Transition>) -> Vec<u32> {
    transitions.sort_unstable();
    let mut blocks = Refinable::new(initial);
    let mut touched = Vec::new();
    for same_label in transitions.chunk_by(|s, t| s.label == t.label) {
        for t in same_label {
            blocks.mark(t.from, &mut touched);
        }
        for b in touched.drain(..) {
            blocks.split(b);
        }
    }
    let mut refinement = Refinement::new(&transitions, blocks);
    while let Some(bunch) = refinement.work.pop() {
        refinement.split_bunch(bunch);
    }
    renumber(&refinement.blocks.block)
}

fn renumber(blocks: &[u32]) -> Vec<u32> {
    let mut number = vec![NONE; blocks.len()];
    let mut next = 0;
    let name = |&b: &u32| {
        let n = &mut number[b as usize];
        if *n == NONE {
            *n = next;
            next += 1;
        }
        *n
    };
    blocks.iter().map(name).collect()
}

impl<'a> Refinement<'a> {
    /// One bunch per label; `blocks` already respects which labels leave a state.
    fn new(transitions: &'a [Transition], blocks: Refinable) -> Refinement<'a> {
        let (states, m) = (blocks.block.len(), transitions.len());
        let mut into_start = vec![0u32; states + 1];
        for t in transitions {
            into_start[t.to as usize + 1] += 1;
        }
        for s in 0..states {
            into_start[s + 1] += into_start[s];
        }
        let mut fill = into_start.clone();
        let mut into = vec![0; m];
        for (i, t) in transitions.iter().enumerate() {
            into[fill[t.to as usize] as usize] = i as u32;
            fill[t.to as usize] += 1;
        }
        let mut counts = Vec::new();
        let mut counter = Vec::with_capacity(m);
        let (mut slice_of, mut bunch, mut bunches) = (vec![0; m], Vec::new(), Vec::new());
        let mut by_target: Vec<(u32, u32)> = Vec::new();
        let mut i = 0;
        for same_label in transitions.chunk_by(|s, t| s.label == t.label) {
            for same_state in same_label.chunk_by(|s, t| s.from == t.from) {
                counter.resize(counter.len() + same_state.len(), counts.len() as u32);
                counts.push(same_state.len() as u32);
            }
            by_target.clear();
            for t in same_label {
                by_target.push((blocks.block[t.to as usize], i));
                i += 1;
            }
            by_target.sort_unstable();
            let mut members = Vec::new();
            for same_target in by_target.chunk_by(|s, t| s.0 == t.0) {
                let slice = bunch.len() as u32;
                bunch.push(bunches.len() as u32);
                members.push(slice);
                for &(_, t) in same_target {
                    slice_of[t as usize] = slice;
                }
            }
            bunches.push(members);
        }
        let work = (0..bunches.len() as u32)
            .filter(|&b| bunches[b as usize].len() > 1)
            .collect();
        Refinement {
            transitions,
            into_start,
            into,
            blocks,
            slices: Refinable::new(&slice_of),
            bunch,
            bunches,
            work,
            counts,
            counter,
            free: Vec::new(),
        }
    }

    /// Takes the smaller of two slices out of `bunch` and restores the invariant for both parts.
    fn split_bunch(&mut self, bunch: u32) {
        let members = &mut self.bunches[bunch as usize];
        let (Some(a), Some(b)) = (members.pop(), members.pop()) else {
            unreachable!("bunches on the work list have several slices");
        };
        let (small, large) = if self.slices.len(a) <= self.slices.len(b) {
            (a, b)
        } else {
            (b, a)
        };
        members.push(large);
        if members.len() > 1 {
            self.work.push(bunch);
        }
        self.bunch[small as usize] = self.bunches.len() as u32;
        self.bunches.push(vec![small]);

        let moved = self.recount(small);
        self.separate(moved.iter().map(|&(s, _)| s));
        let counts = &self.counts;
        let only_here: Vec<u32> = moved
            .iter()
            .filter(|&&(_, old)| counts[old as usize] == 0)
            .map(|&(s, _)| s)
            .collect();
        self.separate(only_here.into_iter());
        for (_, old) in moved {
            if self.counts[old as usize] == 0 {
                self.free.push(old);
            }
        }
    }

    /// Gives the transitions of `slice` counters of their own; their sources, each once, with the
    /// counter of what remains in the old bunch.
    fn recount(&mut self, slice: u32) -> Vec<(u32, u32)> {
        let mut sorted = self.slices.items(slice).to_vec();
        // Transitions are ordered by label and source: those of one state are neighbours.
        sorted.sort_unstable();
        let mut moved: Vec<(u32, u32)> = Vec::new();
        let mut current = NONE;
        for t in sorted {
            let from = self.transitions[t as usize].from;
            let old = self.counter[t as usize];
            if moved.last().is_none_or(|&(s, _)| s != from) {
                moved.push((from, old));
                current = self.free.pop().unwrap_or_else(|| {
                    self.counts.push(0);
                    self.counts.len() as u32 - 1
                });
            }
            self.counts[old as usize] -= 1;
            self.counts[current as usize] += 1;
            self.counter[t as usize] = current;
        }
        moved
    }

    /// Splits every block into the given states and the rest, and the slices accordingly.
    fn separate(&mut self, states: impl Iterator<Item = u32>) {
        let (mut blocks, mut slices) = (Vec::new(), Vec::new());
        for s in states {
            self.blocks.mark(s, &mut blocks);
        }
        for b in blocks {
            let Some(new) = self.blocks.split(b) else {
                continue;
            };
            for &s in self.blocks.items(new) {
                let (from, to) = (
                    self.into_start[s as usize] as usize,
                    self.into_start[s as usize + 1] as usize,
                );
                for &t in &self.into[from..to] {
                    self.slices.mark(t, &mut slices);
                }
            }
            for slice in slices.drain(..) {
                let Some(part) = self.slices.split(slice) else {
                    continue;
                };
                let bunch = self.bunch[slice as usize];
                debug_assert_eq!(part as usize, self.bunch.len());
                self.bunch.push(bunch);
                let members = &mut self.bunches[bunch as usize];
                members.push(part);
                if members.len() == 2 {
                    self.work.push(bunch);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// The definition, read literally: split by sets of (label, block) until nothing changes.
    fn naive(initial: &[u32], transitions: &[Transition]) -> Vec<u32> {
        let mut blocks = renumber(initial);
        loop {
            let mut names = BTreeMap::new();
            let next: Vec<u32> = (0..blocks.len())
                .map(|s| {
                    let successors: BTreeSet<(u32, u32)> = transitions
                        .iter()
                        .filter(|t| t.from as usize == s)
                        .map(|t| (t.label, blocks[t.to as usize]))
                        .collect();
                    let fresh = names.len() as u32;
                    *names.entry((blocks[s], successors)).or_insert(fresh)
                })
                .collect();
            if next == blocks {
                return blocks;
            }
            blocks = next;
        }
    }

    #[test]
    fn agrees_with_the_definition_on_random_systems() {
        let mut seed = 1u64;
        let mut below = |n: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 33) % u64::from(n)) as u32
        };
        let mut merged = 0;
        for _ in 0..3000 {
            let states = 1 + below(24);
            let (kinds, labels, m) = (1 + below(3), 1 + below(3), below(3 * states));
            // Classes must be dense: the first states name them.
            let initial: Vec<u32> = (0..states)
                .map(|s| {
                    if s < kinds {
                        s
                    } else {
                        below(kinds.min(states))
                    }
                })
                .collect();
            let transitions: Vec<Transition> = (0..m)
                .map(|_| Transition {
                    label: below(labels),
                    from: below(states),
                    to: below(states),
                })
                .collect();
            let expected = naive(&initial, &transitions);
            let blocks = coarsest(&initial, transitions.clone());
            assert_eq!(blocks, expected, "{initial:?} {transitions:?}");
            let found = blocks.iter().collect::<BTreeSet<_>>().len() as u32;
            merged += u32::from(found < states && found > kinds);
        }
        assert!(merged > 500, "only {merged} systems had a proper quotient");
    }
}
