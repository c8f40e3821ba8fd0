//! Models of modular arithmetic without search: from the lowest bit up, 64 assignments at a time.
//!
//! Bit `i` of a sum or a product depends on bits 0 to `i` of the operands alone. So an equation of words can
//! be solved like Hensel lifts roots modulo 2 to roots modulo 4, 8 and so on: what holds for the low bits is
//! kept, and the bits above are guessed anew until the next ones hold too. A SAT solver, whose decisions
//! follow its conflicts, walks through multipliers in no such order.
//!
//! The conjuncts of a query are sorted by the highest bit they depend on (their rank), and 64 assignments are
//! simulated at once, one in each bit of a machine word. Those that satisfy the longest prefix of the
//! conjuncts are the parents of the next 64, which differ from them in bits from the first unsatisfied
//! conjunct's rank on; 64 guesses give about six bits. Where that does not get on, it goes back to lower
//! bits. What satisfies all conjuncts is a model; what is not found in a bounded number of rounds is left to
//! the SAT solver, and after failures in a row more and more queries go there at once.

use crate::aig::{Aig, AigLit, Gate};
use crate::backoff::Backoff;
use trellis_ivl::rng::Rng;
use trellis_solver_api::StopClock;

/// Simulations before a query is left to the SAT solver.
const MAX_ROUNDS: u32 = 192;
/// Rounds without progress before lower bits are guessed anew.
const PATIENCE: u32 = 3;
/// How far below the first unsatisfied bit guesses begin, where they make no difference from there on.
const STEP: u32 = 2;
const MAX_BELOW: u32 = 6;
/// Assignments that are varied in one round.
const PARENTS: usize = 8;

/// A word of inputs: consecutive gates, lowest bit first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputWord {
    pub first: u32,
    pub len: u32,
}

impl InputWord {
    pub fn nodes(self) -> std::ops::Range<u32> {
        self.first..self.first + self.len
    }
}

/// What is kept from query to query.
#[derive(Default)]
pub(crate) struct Lift {
    /// By gate: the value of each assignment.
    lanes: Vec<u64>,
    /// By gate: the value in the last model, for inputs.
    last: Vec<bool>,
    /// By gate: one more than its rank, or 0 outside the cone of the query.
    ranks: Vec<u32>,
    leads: bool,
    backoff: Backoff,
    random: Random,
    /// Models found, for the statistics.
    pub found: u64,
}

/// One query, prepared for simulation.
struct Query {
    /// Conjuncts by rank.
    conjuncts: Vec<(u32, AigLit)>,
    /// Gates by rank, arguments first.
    gates: Vec<(u32, u32)>,
    /// Words with inputs in the cone, and by bit whether it may be varied.
    words: Vec<(InputWord, Vec<bool>)>,
}

impl Query {
    fn inputs(&self) -> impl Iterator<Item = u32> {
        self.words.iter().flat_map(|(word, _)| word.nodes())
    }
}

/// What is guessed anew.
struct Guess {
    /// The lowest bit.
    from: u32,
    /// Words in each assignment.
    words: u32,
    /// The assignments that stay as they are.
    keep: u64,
}

/// How far a simulation got.
struct Progress {
    /// Conjuncts of the longest satisfied prefix.
    satisfied: usize,
    /// The assignments that satisfy it.
    best: u64,
}

impl Lift {
    /// Whether it solved the last query that it was tried on, and should be tried first.
    pub fn leads(&self) -> bool {
        self.leads
    }

    /// Whether it is worth a try after the SAT solver, by what became of earlier tries.
    pub fn is_due(&mut self) -> bool {
        self.backoff.is_due()
    }

    /// Looks for values of the inputs that make all `roots` true; they can be read with `value`.
    pub fn find(
        &mut self,
        aig: &Aig,
        words: &[InputWord],
        roots: &[AigLit],
        clock: &StopClock,
    ) -> bool {
        let Some(query) = self.prepare(aig, words, roots) else {
            return false;
        };
        self.leads = self.search(aig, &query, clock);
        self.backoff.tried(self.leads);
        self.found += u64::from(self.leads);
        self.leads
    }

    /// The value of an input in the model found.
    pub fn value(&self, node: u32) -> bool {
        self.last.get(node as usize).copied().unwrap_or(false)
    }

    /// The query for the conjunction of `roots`; none where it is false by itself.
    fn prepare(&mut self, aig: &Aig, words: &[InputWord], roots: &[AigLit]) -> Option<Query> {
        self.ranks.clear();
        self.ranks.resize(aig.len(), 0);
        self.lanes.resize(aig.len(), 0);
        self.last.resize(aig.len(), false);
        let mut conjuncts = Vec::new();
        let mut fixed = Vec::new();
        let mut open = roots.to_vec();
        while let Some(lit) = open.pop() {
            match aig.gate(lit.node()) {
                Gate::False if lit == AigLit::FALSE => return None,
                Gate::False => {}
                Gate::And(a, b) if !lit.is_inverted() => open.extend([a, b]),
                Gate::Input => fixed.push(lit),
                _ => conjuncts.push((0, lit)),
            }
        }
        fixed.sort_unstable();
        fixed.dedup();
        if fixed.windows(2).any(|pair| pair[0] == !pair[1]) {
            return None;
        }
        for lit in &fixed {
            self.last[lit.node() as usize] = !lit.is_inverted();
        }
        let words = self.rank(aig, words, &conjuncts);
        let is_free = |node: u32| {
            self.ranks[node as usize] > 0
                && fixed.binary_search_by_key(&node, |lit| lit.node()).is_err()
        };
        let words = words
            .into_iter()
            .map(|word| (word, word.nodes().map(is_free).collect()))
            .collect();
        for (rank, lit) in &mut conjuncts {
            *rank = self.ranks[lit.node() as usize];
        }
        conjuncts.sort_unstable();
        conjuncts.dedup();
        let mut gates: Vec<(u32, u32)> = (1..aig.len() as u32)
            .map(|node| (self.ranks[node as usize], node))
            .filter(|&(rank, node)| rank > 0 && aig.gate(node) != Gate::Input)
            .collect();
        gates.sort_unstable();
        Some(Query {
            conjuncts,
            gates,
            words,
        })
    }

    /// Ranks the gates below the conjuncts; the words that have inputs among them.
    fn rank(
        &mut self,
        aig: &Aig,
        words: &[InputWord],
        conjuncts: &[(u32, AigLit)],
    ) -> Vec<InputWord> {
        let ranks = &mut self.ranks;
        for (_, lit) in conjuncts {
            ranks[lit.node() as usize] = 1;
        }
        // Arguments have smaller numbers than their gates.
        for node in (1..ranks.len()).rev() {
            if ranks[node] > 0 {
                for arg in arguments(aig.gate(node as u32)) {
                    ranks[arg.node() as usize] = 1;
                }
            }
        }
        let mut used = Vec::new();
        for word in words {
            let mut in_cone = false;
            for (rank, node) in (1..).zip(word.nodes()) {
                if ranks[node as usize] > 0 {
                    ranks[node as usize] = rank;
                    in_cone = true;
                }
            }
            if in_cone {
                used.push(*word);
            }
        }
        for node in 1..ranks.len() {
            if ranks[node] > 0 {
                let below = arguments(aig.gate(node as u32)).map(|arg| ranks[arg.node() as usize]);
                ranks[node] = below.fold(ranks[node], u32::max);
            }
        }
        used
    }

    fn search(&mut self, aig: &Aig, query: &Query, clock: &StopClock) -> bool {
        for node in query.inputs() {
            self.lanes[node as usize] = broadcast(self.last[node as usize]);
        }
        self.lanes[0] = 0;
        let all = query.conjuncts.len();
        let (mut limit, mut most, mut waited, mut below) = (all, 0, 0, 0);
        for round in 0..MAX_ROUNDS {
            let Progress { satisfied, best } = self.simulate(aig, query, limit);
            if satisfied == all {
                let lane = best.trailing_zeros();
                for node in query.inputs() {
                    self.last[node as usize] = self.lanes[node as usize] >> lane & 1 == 1;
                }
                return true;
            }
            if clock.stop_reason().is_some() {
                return false;
            }
            waited = if satisfied > most { 0 } else { waited + 1 };
            most = most.max(satisfied);
            // Where no guess made a difference, bits this high do not matter: a factor is even.
            if waited >= PATIENCE || round > 0 && best == u64::MAX {
                waited = 0;
                below += STEP;
            }
            let (rank, conjunct) = query.conjuncts[satisfied];
            let guess = if below <= MAX_BELOW {
                limit = all;
                Guess {
                    from: (rank - 1).saturating_sub(below),
                    words: 1,
                    keep: best & best.wrapping_neg(),
                }
            } else {
                // Elsewhere: low bits of several words, and not only what is best now survives.
                let from = self.random.below(rank) * self.random.below(2);
                let words = 1 + self.random.below(4);
                limit = self.random.below(satisfied as u32 + 1) as usize;
                (most, below) = (0, 0);
                Guess {
                    from,
                    words,
                    keep: 0,
                }
            };
            self.breed(query, best, guess.keep);
            if !self.vary(aig, query, conjunct, guess) {
                return false;
            }
        }
        false
    }

    /// Computes the gates, rank by rank, as long as some assignment satisfies the conjuncts.
    fn simulate(&mut self, aig: &Aig, query: &Query, limit: usize) -> Progress {
        let lanes = &mut self.lanes;
        let mut gates = query.gates.iter().copied().peekable();
        let mut best = u64::MAX;
        for (satisfied, &(rank, conjunct)) in query.conjuncts[..limit].iter().enumerate() {
            while let Some((_, node)) = gates.next_if(|&(r, _)| r <= rank) {
                let of = |lit: AigLit| lanes[lit.node() as usize] ^ broadcast(lit.is_inverted());
                lanes[node as usize] = match aig.gate(node) {
                    Gate::False | Gate::Input => continue,
                    Gate::And(a, b) => of(a) & of(b),
                    Gate::Xor(a, b) => of(a) ^ of(b),
                    Gate::Xor3(a, b, c) => of(a) ^ of(b) ^ of(c),
                    Gate::Maj(a, b, c) => {
                        let (a, b, c) = (of(a), of(b), of(c));
                        a & b | c & (a | b)
                    }
                    Gate::Ite(c, t, e) => {
                        let (c, t, e) = (of(c), of(t), of(e));
                        c & t | !c & e
                    }
                };
            }
            let value = lanes[conjunct.node() as usize] ^ broadcast(conjunct.is_inverted());
            if best & value == 0 {
                return Progress { satisfied, best };
            }
            best &= value;
        }
        Progress {
            satisfied: limit,
            best,
        }
    }

    /// Makes every assignment but those in `keep` a copy of some of `best`.
    fn breed(&mut self, query: &Query, best: u64, keep: u64) {
        let mut parents = [0; PARENTS];
        let mut children = [0; PARENTS];
        for parent in &mut parents {
            *parent = self.random.bit_of(best);
        }
        for lane in 0..u64::BITS {
            children[self.random.below(PARENTS as u32) as usize] |= 1 << lane;
        }
        for node in query.inputs() {
            let old = self.lanes[node as usize];
            let copies = parents.iter().zip(children);
            self.lanes[node as usize] = copies.fold(old & keep, |new, (&parent, children)| {
                new | broadcast(old >> parent & 1 == 1) & children & !keep
            });
        }
    }

    /// Guesses words that `conjunct` depends on; whether there is one.
    fn vary(&mut self, aig: &Aig, query: &Query, conjunct: AigLit, guess: Guess) -> bool {
        let cone = support(aig, conjunct);
        let is_used = |word: &InputWord| word.nodes().any(|node| cone[node as usize]);
        let highest = |free: &[bool]| free.iter().rposition(|&free| free);
        let mut words: Vec<_> = query
            .words
            .iter()
            .filter(|(word, _)| is_used(word))
            .collect();
        let Some(top) = words.iter().filter_map(|(_, free)| highest(free)).max() else {
            return false;
        };
        let from = top.min(guess.from as usize);
        words.retain(|(_, free)| highest(free) >= Some(from));
        let mut chosen = vec![0u64; words.len()];
        for lane in 0..u64::BITS {
            for _ in 0..guess.words {
                chosen[self.random.below(words.len() as u32) as usize] |= 1 << lane;
            }
        }
        for ((word, free), lanes) in words.into_iter().zip(chosen) {
            let bits = word.nodes().zip(free).skip(from);
            for (node, _) in bits.filter(|(_, is_free)| **is_free) {
                self.lanes[node as usize] ^= self.random.bits() & lanes & !guess.keep;
            }
        }
        true
    }
}

/// By gate: whether `root` depends on it.
fn support(aig: &Aig, root: AigLit) -> Vec<bool> {
    let mut cone = vec![false; aig.len()];
    cone[root.node() as usize] = true;
    for node in (1..=root.node()).rev() {
        if cone[node as usize] {
            for arg in arguments(aig.gate(node)) {
                cone[arg.node() as usize] = true;
            }
        }
    }
    cone
}

/// All ones or all zeros.
fn broadcast(value: bool) -> u64 {
    u64::from(value).wrapping_neg()
}

/// The literals that a gate reads.
fn arguments(gate: Gate) -> impl Iterator<Item = AigLit> {
    let (args, count) = match gate {
        Gate::False | Gate::Input => ([AigLit::FALSE; 3], 0),
        Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, AigLit::FALSE], 2),
        Gate::Xor3(a, b, c) | Gate::Maj(a, b, c) | Gate::Ite(a, b, c) => ([a, b, c], 3),
    };
    args.into_iter().take(count)
}

/// The same guesses in every run.
struct Random(Rng);

impl Default for Random {
    fn default() -> Random {
        Random(Rng::new(1))
    }
}

impl Random {
    fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.0.below(bound as usize) as u32
    }

    /// The position of one of the ones in `mask`, which is not zero.
    fn bit_of(&mut self, mut mask: u64) -> u32 {
        for _ in 0..self.below(mask.count_ones()) {
            mask &= mask - 1;
        }
        mask.trailing_zeros()
    }
}

#[cfg(test)]
mod tests;
