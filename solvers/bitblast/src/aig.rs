//! The gate graph: an and-inverter graph with structural hashing and local two-level minimisation
//! (Brummayer, Biere: "Local two-level And-Inverter Graph minimization without blowup", 2006).
//!
//! Differs from a plain AIG in that exclusive or (of two and three), majority and if-then-else are
//! gates too. A full adder is then two gates instead of seven ANDs: a third of the memory, and the
//! clause encoder need not rediscover it. ANDs that form an if-then-else or an exclusive or become
//! that gate when they are built.
//!
//! 12 bytes per gate and about 8 for its place in the hash table. Gates are never removed, and the
//! arguments of a gate have smaller numbers than the gate.

use hashbrown::HashTable;
use std::fmt;
use std::ops::Not;

/// A gate output, possibly inverted: twice the gate's number, plus one when inverted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AigLit(u32);

impl AigLit {
    /// The constant false.
    pub const FALSE: AigLit = AigLit(0);
    /// The constant true.
    pub const TRUE: AigLit = AigLit(1);

    /// The constant `b`.
    #[inline]
    pub fn constant(b: bool) -> AigLit {
        AigLit(u32::from(b))
    }

    /// The gate's number.
    #[inline]
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the output is inverted.
    #[inline]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Inverted when `b` holds.
    #[inline]
    #[must_use]
    pub fn invert_if(self, b: bool) -> AigLit {
        AigLit(self.0 ^ u32::from(b))
    }

    /// The truth value, if it is a constant.
    #[inline]
    pub fn as_constant(self) -> Option<bool> {
        (self.0 <= 1).then_some(self.0 == 1)
    }

    #[inline]
    fn plain(self) -> AigLit {
        AigLit(self.0 & !1)
    }

    #[inline]
    fn of(node: u32) -> AigLit {
        AigLit(node << 1)
    }
}

impl Not for AigLit {
    type Output = AigLit;
    #[inline]
    fn not(self) -> AigLit {
        AigLit(self.0 ^ 1)
    }
}

impl fmt::Debug for AigLit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_constant() {
            Some(b) => write!(f, "{}", u8::from(b)),
            None => write!(
                f,
                "{}g{}",
                if self.is_inverted() { "!" } else { "" },
                self.node()
            ),
        }
    }
}

/// What a gate computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The constant false: gate number 0.
    False,
    /// An input, free.
    Input,
    /// Conjunction.
    And(AigLit, AigLit),
    /// Exclusive or; both arguments plain.
    Xor(AigLit, AigLit),
    /// Exclusive or of three; all arguments plain.
    Xor3(AigLit, AigLit, AigLit),
    /// At least two of three; the first argument plain.
    Maj(AigLit, AigLit, AigLit),
    /// If the first then the second else the third; the first two plain.
    Ite(AigLit, AigLit, AigLit),
}

/// Two spare bits in each word: literals stay below 2^30. Word 0 holds the kind, word 1 how many gates
/// use this one (0, 1, or 2 for more).
#[derive(Clone, Copy)]
struct Node([u32; 3]);

const PAYLOAD: u32 = (1 << 30) - 1;
const PAIR: u32 = 0;
const XOR3: u32 = 1;
const MAJ: u32 = 2;
const ITE: u32 = 3;
/// Word 2 of a `PAIR`.
const AND_TAG: u32 = PAYLOAD;
const XOR_TAG: u32 = PAYLOAD - 1;
const INPUT_TAG: u32 = PAYLOAD - 2;

impl Node {
    fn kind(self) -> u32 {
        self.0[0] >> 30
    }

    fn uses(self) -> u32 {
        self.0[1] >> 30
    }

    fn key(self) -> [u32; 3] {
        [self.0[0], self.0[1] & PAYLOAD, self.0[2]]
    }
}

fn hash(key: [u32; 3]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let low = u64::from(key[0]) | u64::from(key[1]) << 32;
    let mut h = (low ^ u64::from(key[2]).rotate_left(47)).wrapping_mul(K);
    h ^= h >> 29;
    h = h.wrapping_mul(K);
    h ^ h >> 32
}

/// The graph.
pub struct Aig {
    nodes: Vec<Node>,
    table: HashTable<u32>,
    limit: u32,
    full: bool,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig::new(Aig::MAX_NODES)
    }
}

impl Aig {
    /// The largest number of gates that the literals can tell apart.
    pub const MAX_NODES: u32 = (1 << 29) - 2;

    /// An empty graph that will hold at most `limit` gates.
    pub fn new(limit: u32) -> Aig {
        let constant = Node([0, 0, INPUT_TAG]);
        Aig {
            nodes: vec![constant],
            table: HashTable::new(),
            limit: limit.min(Aig::MAX_NODES),
            full: false,
        }
    }

    /// Number of gates, inputs and the constant included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Whether the limit was reached. The results of every call since are meaningless, and the graph
    /// has to be given up; checked once per query rather than at every gate.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The most gates it will hold.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.table.allocation_size()
    }

    /// What gate `node` computes.
    #[inline]
    pub fn gate(&self, node: u32) -> Gate {
        let raw = self.nodes[node as usize];
        let [w0, w1, w2] = raw.0;
        let (a, b, c) = (AigLit(w0 & PAYLOAD), AigLit(w1 & PAYLOAD), AigLit(w2));
        match (raw.kind(), w2) {
            (PAIR, AND_TAG) => Gate::And(a, b),
            (PAIR, XOR_TAG) => Gate::Xor(a, b),
            (PAIR, _) if node == 0 => Gate::False,
            (PAIR, _) => Gate::Input,
            (XOR3, _) => Gate::Xor3(a, b, c),
            (MAJ, _) => Gate::Maj(a, b, c),
            _ => Gate::Ite(a, b, c),
        }
    }

    /// Whether at most one gate uses `node`.
    #[inline]
    pub fn used_once(&self, node: u32) -> bool {
        self.nodes[node as usize].uses() <= 1
    }

    /// The arguments of the AND below `lit`, whether `lit` is inverted or not.
    #[inline]
    fn and_below(&self, lit: AigLit) -> Option<(AigLit, AigLit)> {
        let [w0, w1, w2] = self.nodes[lit.node() as usize].0;
        (w2 == AND_TAG && w0 >> 30 == PAIR).then_some((AigLit(w0), AigLit(w1 & PAYLOAD)))
    }

    fn push(&mut self, node: Node) -> Option<u32> {
        let number = self.nodes.len() as u32;
        if number >= self.limit {
            self.full = true;
            return None;
        }
        self.nodes.push(node);
        Some(number)
    }

    /// A new input.
    pub fn input(&mut self) -> AigLit {
        let node = self.push(Node([0, 0, INPUT_TAG]));
        node.map_or(AigLit::FALSE, AigLit::of)
    }

    fn used(&mut self, lit: AigLit) {
        let node = &mut self.nodes[lit.node() as usize];
        if node.uses() < 2 {
            node.0[1] += 1 << 30;
        }
    }

    /// The gate with these words, found or made; `args` of them are literals.
    fn intern(&mut self, key: [u32; 3], args: usize) -> AigLit {
        let h = hash(key);
        let nodes = &self.nodes;
        if let Some(&node) = self.table.find(h, |&n| nodes[n as usize].key() == key) {
            return AigLit::of(node);
        }
        let Some(number) = self.push(Node(key)) else {
            return AigLit::FALSE;
        };
        for word in &key[..args] {
            self.used(AigLit(word & PAYLOAD));
        }
        let nodes = &self.nodes;
        self.table
            .insert_unique(h, number, |&n| hash(nodes[n as usize].key()));
        AigLit::of(number)
    }

    /// Conjunction, with the rules of the paper up to its third level.
    pub fn and(&mut self, a: AigLit, b: AigLit) -> AigLit {
        let (mut a, mut b) = (a, b);
        // Every round replaces an operand by one below it, so this ends.
        loop {
            if a > b {
                std::mem::swap(&mut a, &mut b);
            }
            if a == AigLit::TRUE || a == b {
                return b;
            }
            if a == AigLit::FALSE || a == !b {
                return AigLit::FALSE;
            }
            let below_a = self.and_below(a);
            let below_b = self.and_below(b);
            match minimise(a, below_a, b, below_b) {
                Rewrite::None => return self.intern([a.0, b.0, AND_TAG], 2),
                Rewrite::To(lit) => return lit,
                Rewrite::And(x, y) => (a, b) = (x, y),
                Rewrite::Ite(c, t, e) => return self.ite(c, t, e),
            }
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: AigLit, b: AigLit) -> AigLit {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: AigLit, b: AigLit) -> AigLit {
        let inverted = a.is_inverted() != b.is_inverted();
        let (mut a, mut b) = (a.plain(), b.plain());
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        if a == b {
            return AigLit::constant(inverted);
        }
        if a == AigLit::FALSE {
            return b.invert_if(inverted);
        }
        // x ^ (x ^ y) = y; the other argument has the larger number.
        if let Gate::Xor(x, y) = self.gate(b.node()) {
            if x == a {
                return y.invert_if(inverted);
            }
            if y == a {
                return x.invert_if(inverted);
            }
        }
        self.intern([a.0, b.0, XOR_TAG], 2).invert_if(inverted)
    }

    /// Equivalence.
    pub fn iff(&mut self, a: AigLit, b: AigLit) -> AigLit {
        !self.xor(a, b)
    }

    /// Exclusive or of three: the sum of a full adder.
    pub fn xor3(&mut self, a: AigLit, b: AigLit, c: AigLit) -> AigLit {
        let inverted = a.is_inverted() ^ b.is_inverted() ^ c.is_inverted();
        let mut args = [a.plain(), b.plain(), c.plain()];
        args.sort_unstable();
        let [a, b, c] = args;
        let result = if a == b {
            c
        } else if b == c {
            a
        } else if a == AigLit::FALSE {
            self.xor(b, c)
        } else {
            self.intern([a.0 | XOR3 << 30, b.0, c.0], 3)
        };
        result.invert_if(inverted)
    }

    /// At least two of three: the carry of a full adder.
    pub fn maj(&mut self, a: AigLit, b: AigLit, c: AigLit) -> AigLit {
        let mut args = [a, b, c];
        args.sort_unstable();
        let [a, b, c] = args;
        // Equal and complementary arguments are neighbours in this order.
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        if a == AigLit::FALSE {
            return self.and(b, c);
        }
        if a == AigLit::TRUE {
            return self.or(b, c);
        }
        // Self-dual: maj(!a, !b, !c) = !maj(a, b, c).
        let inverted = a.is_inverted();
        let [a, b, c] = args.map(|x| x.invert_if(inverted));
        self.intern([a.0 | MAJ << 30, b.0, c.0], 3)
            .invert_if(inverted)
    }

    /// If-then-else.
    pub fn ite(&mut self, c: AigLit, t: AigLit, e: AigLit) -> AigLit {
        let (c, t, e) = if c.is_inverted() {
            (!c, e, t)
        } else {
            (c, t, e)
        };
        if c == AigLit::FALSE {
            return e;
        }
        if t == e {
            return t;
        }
        if t == !e {
            return self.xor(c, e);
        }
        if t == AigLit::TRUE || t == c {
            return self.or(c, e);
        }
        if t == AigLit::FALSE || t == !c {
            return self.and(!c, e);
        }
        if e == AigLit::FALSE || e == c {
            return self.and(c, t);
        }
        if e == AigLit::TRUE || e == !c {
            return self.or(!c, t);
        }
        // ite(c, !t, !e) = !ite(c, t, e).
        let inverted = t.is_inverted();
        let (t, e) = (t.invert_if(inverted), e.invert_if(inverted));
        self.intern([c.0 | ITE << 30, t.0, e.0], 3)
            .invert_if(inverted)
    }

    /// Conjunction of all.
    pub fn and_all(&mut self, lits: impl IntoIterator<Item = AigLit>) -> AigLit {
        lits.into_iter()
            .fold(AigLit::TRUE, |all, lit| self.and(all, lit))
    }

    /// Disjunction of all.
    pub fn or_all(&mut self, lits: impl IntoIterator<Item = AigLit>) -> AigLit {
        !self.and_all(lits.into_iter().map(|lit| !lit))
    }
}

/// What two-level minimisation makes of `a & b`.
enum Rewrite {
    None,
    To(AigLit),
    And(AigLit, AigLit),
    Ite(AigLit, AigLit, AigLit),
}

type Below = Option<(AigLit, AigLit)>;

/// The rules for two different, not complementary operands that are no constants.
#[inline]
fn minimise(a: AigLit, below_a: Below, b: AigLit, below_b: Below) -> Rewrite {
    for (p, below, q) in [(a, below_a, b), (b, below_b, a)] {
        let Some((x, y)) = below else { continue };
        if q == !x || q == !y {
            // Contradiction: (x & y) & !x. Subsumption: !(x & y) & !x.
            return Rewrite::To(if p.is_inverted() { q } else { AigLit::FALSE });
        }
        if q == x || q == y {
            if !p.is_inverted() {
                return Rewrite::To(p); // Idempotence: (x & y) & x.
            }
            let other = if q == x { y } else { x };
            return Rewrite::And(q, !other); // Substitution: !(x & y) & x.
        }
    }
    let (Some((x, y)), Some((z, w))) = (below_a, below_b) else {
        return Rewrite::None;
    };
    let pairs = [(x, y, z, w), (x, y, w, z), (y, x, z, w), (y, x, w, z)];
    match (a.is_inverted(), b.is_inverted()) {
        (false, false) => {
            if pairs.iter().any(|p| p.0 == !p.2) {
                return Rewrite::To(AigLit::FALSE); // Contradiction: (x & y) & (!x & w).
            }
            match pairs.iter().find(|p| p.0 == p.2) {
                Some(p) => Rewrite::And(a, p.3), // Idempotence: (x & y) & (x & w).
                None => Rewrite::None,
            }
        }
        (true, true) => {
            if let Some(p) = pairs.iter().find(|p| p.0 == p.2 && p.1 == !p.3) {
                return Rewrite::To(!p.0); // Resolution: !(x & y) & !(x & !y).
            }
            match pairs.iter().find(|p| p.0 == !p.2) {
                Some(p) => Rewrite::Ite(p.0, !p.1, !p.3), // !(x & y) & !(!x & w).
                None => Rewrite::None,
            }
        }
        (inverted, _) => {
            // Name the inverted one !(x & y) and the other one (z & w).
            let plain = if inverted { b } else { a };
            let turned = pairs.map(|p| if inverted { p } else { (p.2, p.3, p.0, p.1) });
            if turned.iter().any(|p| p.0 == !p.2) {
                return Rewrite::To(plain); // Subsumption: !(x & y) & (!x & w).
            }
            match turned.iter().find(|p| p.0 == p.2) {
                Some(p) => Rewrite::And(plain, !p.1), // Substitution: !(x & y) & (x & w).
                None => Rewrite::None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The truth table of `lit` over four inputs, gates 1 to 4.
    fn table(g: &Aig, lit: AigLit) -> u16 {
        const INPUTS: [u16; 5] = [0, 0xaaaa, 0xcccc, 0xf0f0, 0xff00];
        let of = |l: AigLit| table(g, l);
        let plain = match g.gate(lit.node()) {
            Gate::False | Gate::Input => INPUTS[lit.node() as usize],
            Gate::And(a, b) => of(a) & of(b),
            Gate::Xor(a, b) => of(a) ^ of(b),
            Gate::Xor3(a, b, c) => of(a) ^ of(b) ^ of(c),
            Gate::Maj(a, b, c) => of(a) & of(b) | of(a) & of(c) | of(b) & of(c),
            Gate::Ite(c, t, e) => of(c) & of(t) | !of(c) & of(e),
        };
        if lit.is_inverted() { !plain } else { plain }
    }

    /// Every gate over every choice from all functions of two levels equals its definition.
    #[test]
    fn every_rewrite_keeps_the_function() {
        let mut g = Aig::default();
        let mut lits = vec![AigLit::FALSE];
        lits.extend((0..4).map(|_| g.input()));
        let both = |lits: &[AigLit]| lits.iter().flat_map(|&l| [l, !l]).collect::<Vec<_>>();
        let level1 = both(&lits);
        for &a in &level1 {
            for &b in &level1 {
                lits.extend([g.and(a, b), g.xor(a, b)]);
                lits.extend(level1.iter().take(7).map(|&c| g.maj(a, b, c)));
                lits.extend(level1.iter().take(7).map(|&c| g.ite(a, b, c)));
            }
        }
        lits.sort_unstable();
        lits.dedup();
        let level2 = both(&lits);
        let tables: Vec<u16> = level2.iter().map(|&l| table(&g, l)).collect();
        for (i, &a) in level2.iter().enumerate() {
            for (j, &b) in level2.iter().enumerate() {
                let (and, xor) = (g.and(a, b), g.xor(a, b));
                assert_eq!(table(&g, and), tables[i] & tables[j], "{a:?} & {b:?}");
                assert_eq!(table(&g, xor), tables[i] ^ tables[j], "{a:?} ^ {b:?}");
                let k = (i * 31 + j * 17) % level2.len();
                let (c, tc) = (level2[k], tables[k]);
                let (ta, tb) = (tables[i], tables[j]);
                let (maj, ite) = (g.maj(a, b, c), g.ite(a, b, c));
                let xor3 = g.xor3(a, b, c);
                assert_eq!(
                    table(&g, maj),
                    ta & tb | ta & tc | tb & tc,
                    "maj {a:?} {b:?} {c:?}"
                );
                assert_eq!(table(&g, ite), ta & tb | !ta & tc, "ite {a:?} {b:?} {c:?}");
                assert_eq!(table(&g, xor3), ta ^ tb ^ tc, "xor3 {a:?} {b:?} {c:?}");
            }
        }
        assert!(!g.is_full());
    }

    #[test]
    fn a_full_graph_says_so() {
        let mut g = Aig::new(3);
        let (a, b) = (g.input(), g.input());
        assert!(!g.is_full());
        g.and(a, b);
        assert!(g.is_full());
    }
}
