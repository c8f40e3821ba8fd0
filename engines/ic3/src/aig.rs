//! And-inverter graphs, hash-consed, with the one- and two-level rules that never add gates.
//!
//! After Brummayer and Biere ("Local two-level And-Inverter Graph minimization without blowup",
//! MEMICS'06), the rules of the first two levels.

use crate::lit::{Lit, Var};
use rustc_hash::FxHashMap;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// Node 0.
    Constant,
    /// An input or a latch.
    Leaf,
    /// The conjunction of two literals of earlier nodes.
    And(Lit, Lit),
}

/// The graph. Nodes only refer to earlier ones.
#[derive(Clone)]
pub struct Aig {
    nodes: Vec<Node>,
    table: FxHashMap<(Lit, Lit), Var>,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig {
            nodes: vec![Node::Constant],
            table: FxHashMap::default(),
        }
    }
}

/// The 64 values of a literal, where those of its node are known.
pub fn word(values: &[u64], l: Lit) -> u64 {
    match l.is_positive() {
        true => values[l.at()],
        false => !values[l.at()],
    }
}

impl Aig {
    /// All nodes, by number.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Gives every gate its values, 64 at once, where leaves have theirs.
    pub fn evaluate(&self, values: &mut [u64]) {
        for (i, node) in self.nodes.iter().enumerate() {
            if let Node::And(a, b) = *node {
                values[i] = word(values, a) & word(values, b);
            }
        }
    }

    /// A new leaf.
    pub fn leaf(&mut self) -> Lit {
        self.nodes.push(Node::Leaf);
        Lit::of(self.nodes.len() as Var - 1)
    }

    fn below(&self, lit: Lit) -> Option<(Lit, Lit)> {
        match self.nodes[lit.at()] {
            Node::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    /// Conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (mut a, mut b) = (a, b);
        // Each round replaces an operand by one below it, so this ends.
        loop {
            if a > b {
                std::mem::swap(&mut a, &mut b);
            }
            if a == Lit::TRUE || a == b {
                return b;
            }
            if a == Lit::FALSE || a == !b {
                return Lit::FALSE;
            }
            match self.two_level(a, b) {
                Some((x, Some(y))) => (a, b) = (x, y),
                Some((x, None)) => return x,
                None => break,
            }
        }
        let nodes = &mut self.nodes;
        let var = *self.table.entry((a, b)).or_insert_with(|| {
            nodes.push(Node::And(a, b));
            nodes.len() as Var - 1
        });
        Lit::of(var)
    }

    /// `a & b` as one literal or another conjunction, where a gate below decides it.
    fn two_level(&self, a: Lit, b: Lit) -> Option<(Lit, Option<Lit>)> {
        for (p, q) in [(a, b), (b, a)] {
            let Some((x, y)) = self.below(p) else {
                continue;
            };
            if q == !x || q == !y {
                // (x & y) & !x is false; !(x & y) & !x is !x.
                return Some((if p.is_positive() { Lit::FALSE } else { q }, None));
            }
            if q == x || q == y {
                return Some(match p.is_positive() {
                    true => (p, None),
                    // !(x & y) & x is x & !y.
                    false => (q, Some(!if q == x { y } else { x })),
                });
            }
        }
        let ((x, y), (z, w)) = (self.below(a)?, self.below(b)?);
        let opposite = x == !z || x == !w || y == !z || y == !w;
        match (a.is_positive(), b.is_positive()) {
            (true, true) if opposite => Some((Lit::FALSE, None)),
            (true, false) if opposite => Some((a, None)),
            (false, true) if opposite => Some((b, None)),
            (false, false) => {
                // !(x & y) & !(x & !y) is !x.
                for (p, q, r, s) in [(x, y, z, w), (x, y, w, z), (y, x, z, w), (y, x, w, z)] {
                    if p == r && q == !s {
                        return Some((!p, None));
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (left, right) = (self.and(a, !b), self.and(!a, b));
        self.or(left, right)
    }

    /// If-then-else.
    pub fn ite(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        if t == e {
            return t;
        }
        let (left, right) = (self.and(c, t), self.and(!c, e));
        self.or(left, right)
    }

    /// At least two of three.
    pub fn maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let (both, either) = (self.and(a, b), self.or(a, b));
        let with = self.and(either, c);
        self.or(both, with)
    }

    /// Conjunction of all, as a balanced tree.
    pub fn and_all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::TRUE,
            [lit] => *lit,
            _ => {
                let (left, right) = lits.split_at(lits.len() / 2);
                let (left, right) = (self.and_all(left), self.and_all(right));
                self.and(left, right)
            }
        }
    }

    /// Disjunction of all.
    pub fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let inverted: Vec<Lit> = lits.iter().map(|&l| !l).collect();
        !self.and_all(&inverted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Truth tables of all nodes over four leaves.
    fn tables(aig: &Aig) -> Vec<u16> {
        let leaves = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
        let mut seen = 0;
        let mut tables: Vec<u16> = Vec::new();
        for node in aig.nodes() {
            let of = |l: Lit| tables[l.at()] ^ if l.is_positive() { 0 } else { 0xffff };
            let table = match *node {
                Node::Constant => 0,
                Node::Leaf => {
                    seen += 1;
                    leaves[seen - 1]
                }
                Node::And(a, b) => of(a) & of(b),
            };
            tables.push(table);
        }
        tables
    }

    /// Conjunctions of all functions up to two levels are what they should be.
    #[test]
    fn every_rule_keeps_the_function() {
        let mut aig = Aig::default();
        let leaves: Vec<Lit> = (0..4).map(|_| aig.leaf()).collect();
        let mut lits: Vec<Lit> = vec![Lit::FALSE, Lit::TRUE];
        lits.extend(leaves.iter().flat_map(|&l| [l, !l]));
        for _ in 0..2 {
            let level = lits.clone();
            for &a in &level {
                for &b in level.iter().take(10) {
                    let c = aig.and(a, b);
                    lits.extend([c, !c]);
                }
            }
            lits.sort_unstable();
            lits.dedup();
        }
        let pairs: Vec<(Lit, Lit)> = lits
            .iter()
            .flat_map(|&a| lits.iter().map(move |&b| (a, b)))
            .collect();
        let results: Vec<Lit> = pairs.iter().map(|&(a, b)| aig.and(a, b)).collect();
        let tables = tables(&aig);
        let of = |l: Lit| tables[l.at()] ^ if l.is_positive() { 0 } else { 0xffff };
        for (&(a, b), &c) in pairs.iter().zip(&results) {
            assert_eq!(of(a) & of(b), of(c), "{a:?} & {b:?} became {c:?}");
        }
    }
}
