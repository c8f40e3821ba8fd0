//! Models of growing size: `scale (counter|shifter|fifo|random) N > model.aig`.
//!
//! - `counter`: N bits with an enable, back to zero at 2^(N-1); never all ones.
//! - `shifter`: N stages through which at most one token travels, with an exit at each; never two tokens at the end.
//! - `random`: N gates over 200 inputs and a latch for every 250 gates, of which nobody knows what they do; the others are safe.
//! - `fifo`: a queue of N places with one-hot pointers; never full with pointers apart.

use std::io::Write as _;
use trellis_frontend_aiger::{And, Latch, Lit, Model, write_binary};
use trellis_ivl::rng::Rng;

struct Builder(Model);

impl Builder {
    fn new(inputs: u32, latches: usize) -> Builder {
        let latch = Latch {
            next: Lit::FALSE,
            reset: Lit::FALSE,
        };
        Builder(Model {
            inputs,
            latches: vec![latch; latches],
            ..Model::default()
        })
    }

    fn latch(&self, i: usize) -> Lit {
        self.0.latch(i as u32)
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (left, right) = if a >= b { (a, b) } else { (b, a) };
        self.0.ands.push(And { left, right });
        Lit::positive(self.0.max_var())
    }

    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (both, neither) = (self.and(a, b), self.and(!a, !b));
        self.and(!both, !neither)
    }

    fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (a, b) = (self.and(c, a), self.and(!c, b));
        self.or(a, b)
    }

    fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut lits = lits.into_iter();
        let first = lits.next().unwrap_or(Lit::TRUE);
        lits.fold(first, |all, l| self.and(all, l))
    }

    fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(lits.into_iter().map(|l| !l))
    }

    fn set(&mut self, i: usize, next: Lit) {
        self.0.latches[i].next = next;
    }
}

fn counter(n: usize) -> Model {
    let mut b = Builder::new(1, n);
    let enable = b.0.input(0);
    let bits: Vec<Lit> = (0..n).map(|i| b.latch(i)).collect();
    let mut carry = enable;
    // The top bit is set for one value only, from which the counter goes back.
    let top = bits[n - 1];
    let back = b.and(enable, top);
    for (i, &bit) in bits.iter().enumerate() {
        let sum = b.xor(bit, carry);
        let next = b.and(sum, !back);
        b.set(i, next);
        carry = b.and(carry, bit);
    }
    let bad = b.all(bits);
    b.0.bads = vec![bad];
    b.0
}

fn shifter(n: usize) -> Model {
    let mut b = Builder::new(2, n);
    let (enter, exit) = (b.0.input(0), b.0.input(1));
    let stages: Vec<Lit> = (0..n).map(|i| b.latch(i)).collect();
    let busy = b.any(stages.clone());
    let first = b.and(enter, !busy);
    b.set(0, first);
    for i in 1..n {
        let stays = b.and(stages[i - 1], !exit);
        b.set(i, stays);
    }
    let bad = b.and(stages[n - 1], stages[n - 2]);
    b.0.bads = vec![bad];
    b.0
}

fn fifo(n: usize) -> Model {
    // Latches: head (one-hot but the first place, stored inverted), tail likewise, full.
    let mut b = Builder::new(2, 2 * n + 1);
    let (push, pop) = (b.0.input(0), b.0.input(1));
    let place = |b: &Builder, i: usize| b.latch(i).negated_if(i.is_multiple_of(n));
    let head: Vec<Lit> = (0..n).map(|i| place(&b, i)).collect();
    let tail: Vec<Lit> = (n..2 * n).map(|i| place(&b, i)).collect();
    let full = b.latch(2 * n);
    let same: Vec<Lit> = (0..n).map(|i| b.and(head[i], tail[i])).collect();
    let meet = b.any(same);
    let empty = b.and(meet, !full);
    let put = b.and(push, !full);
    let take = b.and(pop, !empty);
    for (ring, from, moves) in [(&head, 0, put), (&tail, n, take)] {
        for i in 0..n {
            let next = b.ite(moves, ring[(i + n - 1) % n], ring[i]);
            b.set(from + i, next.negated_if(i == 0));
        }
    }
    let ahead: Vec<Lit> = (0..n).map(|i| b.and(head[i], tail[(i + 1) % n])).collect();
    let last = b.any(ahead);
    let fills = b.all([put, !take, last]);
    let keeps = b.and(full, !take);
    let next = b.or(fills, keeps);
    b.set(2 * n, next);
    let bad = b.and(full, !meet);
    b.0.bads = vec![bad];
    b.0
}

/// Exclusive ors, choices and conjunctions of what was made not long before, so that all of it is deep and little of it constant.
fn random(n: usize) -> Model {
    let latches = (n / 250).max(4);
    let mut b = Builder::new(200, latches);
    let mut rng = Rng::new(1);
    let mut known: Vec<Lit> = (0..200).map(|i| b.0.input(i)).collect();
    known.extend((0..latches).map(|i| b.latch(i)));
    while b.0.ands.len() < n {
        let window = if rng.one_in(4) {
            known.len()
        } else {
            known.len().min(2000)
        };
        let mut pick = || known[known.len() - 1 - rng.below(window)].negated_if(rng.bit());
        let (x, y, z) = (pick(), pick(), pick());
        let made = match rng.below(3) {
            0 => b.xor(x, y),
            1 => b.ite(x, y, z),
            _ => b.and(x, y),
        };
        known.push(made);
    }
    let gates = known.len() - 200 - latches;
    for i in 0..latches {
        let next = known[200 + latches + rng.below(gates)];
        b.set(i, next);
    }
    let seen: Vec<Lit> = (0..16)
        .map(|_| known[known.len() - 1 - rng.below(gates / 2)])
        .collect();
    let bad = b.all(seen);
    b.0.bads = vec![bad];
    b.0
}

fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let size = args.get(1).and_then(|n| n.parse().ok());
    let model = match (args.first().map(String::as_str), size) {
        (Some("counter"), Some(n)) if n >= 2 => counter(n),
        (Some("shifter"), Some(n)) if n >= 2 => shifter(n),
        (Some("fifo"), Some(n)) if n >= 2 => fifo(n),
        (Some("random"), Some(n)) if n >= 1000 => random(n),
        _ => {
            eprintln!("usage: scale (counter|shifter|fifo|random) N");
            return std::process::ExitCode::from(2);
        }
    };
    match std::io::stdout().write_all(&write_binary(&model)) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(_) => std::process::ExitCode::FAILURE,
    }
}
