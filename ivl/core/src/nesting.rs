//! Loops inside of loops: a weak topological order of the control-flow graph, and turns through it.
//!
//! The order is Bourdoncle's (FMPA 1993): every edge leads forward, or back to the head of a loop around its source, and the
//! locations of a loop are neighbours that begin with its head. A [`Turn`] says which round of each loop around a location
//! somebody is in. Taken in their order, turns visit the inner loop's rounds before the outer loop's next one, and what
//! is behind a loop after all of its rounds.

use crate::entity::Loc;
use crate::graph::Adjacency;
use crate::program::Program;
use cranelift_entity::{EntitySet, SecondaryMap};

/// A location in certain rounds: for each loop around it from the outermost the position of the loop's head and how often that has been
/// visited since the loop was entered, and then the position of the location itself.
pub type Turn = Vec<u32>;

/// A loop.
struct Loop {
    head: Loc,
    /// The loops around the head, outermost first, this one last.
    chain: Vec<u32>,
}

/// The order, with the loops that it finds.
pub struct Nesting {
    order: Vec<Loc>,
    position: SecondaryMap<Loc, u32>,
    loops: Vec<Loop>,
    /// The innermost loop around each location.
    inside: SecondaryMap<Loc, Option<u32>>,
}

enum Task {
    /// These come next, as they are, inside of that loop.
    Place(Vec<Loc>, Option<u32>),
    /// These come next, loops first found.
    Split(Vec<Loc>, Option<u32>),
}

impl Nesting {
    /// Orders `locs`. Heads are among `heads`; a cycle without one is no loop, and its locations stand together, in
    /// their order in `locs`.
    pub fn new(
        program: &Program,
        adjacency: &Adjacency,
        locs: &[Loc],
        heads: &EntitySet<Loc>,
    ) -> Nesting {
        let mut rank: SecondaryMap<Loc, u32> = SecondaryMap::new();
        for (&l, i) in locs.iter().zip(0..) {
            rank[l] = i;
        }
        let mut nesting = Nesting {
            order: Vec::with_capacity(locs.len()),
            position: SecondaryMap::with_default(u32::MAX),
            loops: Vec::new(),
            inside: SecondaryMap::new(),
        };
        let mut split = Components::new(program, adjacency);
        let mut tasks = vec![Task::Split(locs.to_vec(), None)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Place(members, inside) => nesting.place(&members, inside),
                // The components come last first, so that the stack has the first one on top.
                Task::Split(members, inside) => {
                    for mut component in split.of(&members) {
                        component.sort_unstable_by_key(|&l| rank[l]);
                        let is_loop = component.len() > 1 || split.has_self_loop(component[0]);
                        let head = component.iter().position(|&l| heads.contains(l));
                        let Some(head) = head.filter(|_| is_loop) else {
                            tasks.push(Task::Place(component, inside));
                            continue;
                        };
                        let head = component.remove(head);
                        let id = Some(nesting.add_loop(head, inside));
                        tasks.push(Task::Split(component, id));
                        tasks.push(Task::Place(vec![head], id));
                    }
                }
            }
        }
        nesting
    }

    fn place(&mut self, members: &[Loc], inside: Option<u32>) {
        for &l in members {
            self.position[l] = self.order.len() as u32;
            self.order.push(l);
            self.inside[l] = inside;
        }
    }

    fn add_loop(&mut self, head: Loc, around: Option<u32>) -> u32 {
        let id = self.loops.len() as u32;
        let mut chain = around.map_or_else(Vec::new, |l| self.loops[l as usize].chain.clone());
        chain.push(id);
        self.loops.push(Loop { head, chain });
        id
    }

    /// The loops around a location, outermost first.
    fn chain(&self, l: Loc) -> &[u32] {
        self.inside[l].map_or(&[], |id| &self.loops[id as usize].chain)
    }

    /// The location of a turn.
    pub fn at(&self, turn: &Turn) -> Loc {
        let position = turn.last().expect("a turn ends with a location");
        self.order[*position as usize]
    }

    /// The turn of whoever begins at `l`.
    pub fn first(&self, l: Loc) -> Turn {
        self.turn(l, &[])
    }

    /// Whoever is at `turn` and takes an edge to `to`: in the same rounds of the loops that it stays in, in the next one of
    /// the loop whose head it comes to; a loop that is entered elsewhere than at its head is not in its first round yet.
    pub fn step(&self, turn: &Turn, to: Loc) -> Turn {
        let (mine, other) = (self.chain(self.at(turn)), self.chain(to));
        let common = mine.iter().zip(other).take_while(|(a, b)| a == b).count();
        let mut rounds: Vec<u32> = (0..common).map(|i| turn[2 * i + 1]).collect();
        if common == other.len()
            && let (Some(last), Some(&id)) = (rounds.last_mut(), other.last())
            && self.loops[id as usize].head == to
        {
            *last += 1;
        }
        self.turn(to, &rounds)
    }

    fn turn(&self, l: Loc, rounds: &[u32]) -> Turn {
        let chain = self.chain(l);
        let mut turn = Vec::with_capacity(2 * chain.len() + 1);
        for (i, &id) in chain.iter().enumerate() {
            let head = self.loops[id as usize].head;
            turn.push(self.position[head]);
            turn.push(rounds.get(i).copied().unwrap_or(u32::from(head == l)));
        }
        turn.push(self.position[l]);
        turn
    }

    /// The round of the innermost loop, from 1, where the location of the turn is its head.
    pub fn round(&self, turn: &Turn) -> Option<u32> {
        let l = self.at(turn);
        let id = self.inside[l]?;
        (self.loops[id as usize].head == l).then(|| turn[turn.len() - 2])
    }
}

/// Strongly connected components of parts of a graph (Tarjan), without recursion.
struct Components<'a> {
    program: &'a Program,
    adjacency: &'a Adjacency,
    /// The number of the search that a location takes part in.
    part: SecondaryMap<Loc, u32>,
    searches: u32,
    index: SecondaryMap<Loc, u32>,
    low: SecondaryMap<Loc, u32>,
    on_stack: EntitySet<Loc>,
}

impl<'a> Components<'a> {
    fn new(program: &'a Program, adjacency: &'a Adjacency) -> Components<'a> {
        Components {
            program,
            adjacency,
            part: SecondaryMap::new(),
            searches: 0,
            index: SecondaryMap::new(),
            low: SecondaryMap::new(),
            on_stack: EntitySet::new(),
        }
    }

    fn has_self_loop(&self, l: Loc) -> bool {
        let mut out = self.adjacency.out(l).iter();
        out.any(|&e| self.program.edges[e].to == l)
    }

    /// The components of the graph of `members` alone, the last one in topological order first.
    fn of(&mut self, members: &[Loc]) -> Vec<Vec<Loc>> {
        self.searches += 1;
        for &l in members {
            self.part[l] = self.searches;
            self.index[l] = 0;
        }
        let (mut found, mut stack, mut path) = (Vec::new(), Vec::new(), Vec::new());
        let mut next = 0;
        for &root in members {
            if self.index[root] == 0 {
                path.push((root, 0));
            }
            while let Some(&(l, i)) = path.last() {
                if self.index[l] == 0 {
                    next += 1;
                    (self.index[l], self.low[l]) = (next, next);
                    self.on_stack.insert(l);
                    stack.push(l);
                }
                if let Some(&e) = self.adjacency.out(l).get(i) {
                    path.last_mut().expect("the path has a last location").1 += 1;
                    let to = self.program.edges[e].to;
                    if self.part[to] != self.searches {
                        continue;
                    }
                    if self.index[to] == 0 {
                        path.push((to, 0));
                    } else if self.on_stack.contains(to) {
                        self.low[l] = self.low[l].min(self.index[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(above, _)) = path.last() {
                    self.low[above] = self.low[above].min(self.low[l]);
                }
                if self.low[l] == self.index[l] {
                    let start = stack.iter().rposition(|&m| m == l).expect("on the stack");
                    let component = stack.split_off(start);
                    component.iter().for_each(|&m| {
                        self.on_stack.remove(m);
                    });
                    found.push(component);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::DepthFirst;
    use crate::text;

    /// Inner rounds come before the next outer one, and what is behind a loop after all of its rounds; edges lead forward or to
    /// the next round.
    #[test]
    fn rounds_are_taken_in_order() {
        let source = "ivl 1; proc main() {
            loc s entry; loc outer; loc inner; loc body; loc after; loc end;
            s -> outer {}; outer -> inner {}; inner -> body {}; body -> inner {}; inner -> outer {};
            outer -> after {}; body -> after {}; after -> end {}; }";
        let p = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
        let adjacency = Adjacency::new(&p);
        let search = DepthFirst::new(&p, &adjacency, p.entry());
        let nesting = Nesting::new(&p, &adjacency, &search.order, &search.heads);
        let [s, outer, inner, body, after, _] = [0, 1, 2, 3, 4, 5].map(Loc::from_u32);
        let at = |turn: &Turn, to| nesting.step(turn, to);
        let start = nesting.first(s);
        let first = at(&start, outer);
        let (i0, b0) = (at(&first, inner), at(&at(&first, inner), body));
        let i1 = at(&b0, inner);
        let second = at(&i1, outer);
        let again = at(&second, inner);
        let behind = at(&first, after);
        assert_eq!(behind, at(&b0, after));
        let order = [&start, &first, &i0, &b0, &i1, &second, &again, &behind];
        assert!(order.windows(2).all(|w| w[0] < w[1]), "{order:?}");
        let rounds = order.map(|t| nesting.round(t));
        let expected = [
            None,
            Some(1),
            Some(1),
            None,
            Some(2),
            Some(2),
            Some(1),
            None,
        ];
        assert_eq!(rounds, expected);
        assert!(order.iter().all(|t| nesting.first(nesting.at(t)) <= **t));
    }
}
