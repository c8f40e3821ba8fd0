//! Small circuits with justice properties, as ASCII AIGER: arbiters, token rings, retry protocols, mutual exclusion. Each waits for something,
//! and what is asked is whether the wait can last for ever.

use std::fmt::Write as _;

/// A literal of AIGER.
pub type Bit = u32;

pub const TRUE: Bit = 1;

/// A circuit under construction.
#[derive(Default)]
pub struct Circuit {
    /// Kinds of variables, from 1.
    inputs: Vec<Bit>,
    latches: Vec<(Bit, Bit, Bit)>,
    ands: Vec<(Bit, Bit, Bit)>,
    constraints: Vec<Bit>,
    justice: Vec<Vec<Bit>>,
    fairness: Vec<Bit>,
    last: u32,
}

impl Circuit {
    fn variable(&mut self) -> Bit {
        self.last += 1;
        2 * self.last
    }

    pub fn input(&mut self) -> Bit {
        let bit = self.variable();
        self.inputs.push(bit);
        bit
    }

    /// A latch with this reset, and a next value to come.
    pub fn latch(&mut self, reset: Bit) -> Bit {
        let bit = self.variable();
        self.latches.push((bit, bit, reset));
        bit
    }

    /// One that starts with any value.
    pub fn open_latch(&mut self) -> Bit {
        let bit = self.latch(0);
        self.latches.last_mut().expect("just made").2 = bit;
        bit
    }

    pub fn next(&mut self, latch: Bit, value: Bit) {
        let found = self.latches.iter_mut().find(|l| l.0 == latch);
        found.expect("a latch").1 = value;
    }

    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let bit = self.variable();
        self.ands.push((bit, a, b));
        bit
    }

    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        self.and(a ^ 1, b ^ 1) ^ 1
    }

    pub fn ite(&mut self, c: Bit, a: Bit, b: Bit) -> Bit {
        let (yes, no) = (self.and(c, a), self.and(c ^ 1, b));
        self.or(yes, no)
    }

    pub fn all(&mut self, bits: &[Bit]) -> Bit {
        let mut result = TRUE;
        for &b in bits {
            result = self.and(result, b);
        }
        result
    }

    pub fn constrain(&mut self, bit: Bit) {
        self.constraints.push(bit);
    }

    pub fn fair(&mut self, bit: Bit) {
        self.fairness.push(bit);
    }

    pub fn just(&mut self, bits: &[Bit]) {
        self.justice.push(bits.to_vec());
    }

    /// Asks whether `wanted`, once it was chosen to be watched, can wait for ever: no `grant` comes.
    pub fn wait(&mut self, wanted: Bit, grant: Bit) {
        let choose = self.input();
        let (chosen, waiting) = (self.latch(0), self.latch(0));
        let first = self.all(&[choose, wanted, chosen ^ 1]);
        let begun = self.or(chosen, first);
        self.next(chosen, begun);
        let on = self.or(waiting, first);
        let on = self.and(on, grant ^ 1);
        self.next(waiting, on);
        self.just(&[waiting]);
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut out = format!(
            "aag {} {} {} 0 {} 0 {} {} {}\n",
            self.last,
            self.inputs.len(),
            self.latches.len(),
            self.ands.len(),
            self.constraints.len(),
            self.justice.len(),
            self.fairness.len()
        );
        for input in &self.inputs {
            let _ = writeln!(out, "{input}");
        }
        for (bit, next, reset) in &self.latches {
            let _ = writeln!(out, "{bit} {next} {reset}");
        }
        for bit in &self.constraints {
            let _ = writeln!(out, "{bit}");
        }
        for set in &self.justice {
            let _ = writeln!(out, "{}", set.len());
        }
        for bit in self.justice.iter().flatten().chain(&self.fairness) {
            let _ = writeln!(out, "{bit}");
        }
        for (bit, a, b) in &self.ands {
            let _ = writeln!(out, "{bit} {a} {b}");
        }
        out
    }
}

/// How the token moves.
#[derive(Clone, Copy, PartialEq)]
pub enum Moves {
    Always,
    /// Whenever an input lets it.
    Perhaps,
    /// The same, and the input does so again and again.
    Fairly,
}

/// A token goes round; the last station waits for it.
pub fn ring(n: usize, moves: Moves) -> Circuit {
    let mut c = Circuit::default();
    let go = match moves {
        Moves::Always => TRUE,
        _ => c.input(),
    };
    let stations: Vec<Bit> = (0..n).map(|i| c.latch(u32::from(i == 0))).collect();
    for i in 0..n {
        let next = c.ite(go, stations[(i + n - 1) % n], stations[i]);
        c.next(stations[i], next);
    }
    if moves == Moves::Fairly {
        c.fair(go);
    }
    c.wait(TRUE, stations[n - 1]);
    c
}

/// Requests of `n` clients that stay until they are granted; the last one waits. A fixed priority starves it, turns do not.
pub fn arbiter(n: usize, turns: bool) -> Circuit {
    let mut c = Circuit::default();
    let mut requests = Vec::new();
    for _ in 0..n {
        let (ask, held) = (c.input(), c.latch(0));
        requests.push((c.or(ask, held), held));
    }
    let pointer: Vec<Bit> = (0..n).map(|i| c.latch(u32::from(i == 0))).collect();
    let mut grants = Vec::new();
    for i in 0..n {
        let grant = match turns {
            true => c.and(pointer[i], requests[i].0),
            false => {
                let before: Vec<Bit> = requests[..i].iter().map(|r| r.0 ^ 1).collect();
                let free = c.all(&before);
                c.and(free, requests[i].0)
            }
        };
        grants.push(grant);
        c.next(pointer[(i + 1) % n], pointer[i]);
    }
    for i in 0..n {
        let keep = c.and(requests[i].0, grants[i] ^ 1);
        c.next(requests[i].1, keep);
    }
    let last = n - 1;
    c.wait(requests[last].0, grants[last]);
    c
}

/// What a channel may do.
#[derive(Clone, Copy, PartialEq)]
pub enum Channel {
    /// Lose whatever it likes.
    Lossy,
    /// Lose, but not for ever.
    Fair,
    /// Lose so many in a row at most.
    Bounded(usize),
}

/// A sender repeats a message until its acknowledgement comes back; both may be lost.
pub fn retry(channel: Channel) -> Circuit {
    let mut c = Circuit::default();
    let (lose, lose_back) = (c.input(), c.input());
    let (sending, received) = (c.latch(TRUE), c.open_latch());
    let arrives = c.and(sending, lose ^ 1);
    let acknowledged = c.all(&[received, sending, lose_back ^ 1]);
    let keep = c.or(received, arrives);
    let keep = c.and(keep, acknowledged ^ 1);
    c.next(received, keep);
    // The next message follows at once.
    c.next(sending, TRUE);
    match channel {
        Channel::Lossy => {}
        Channel::Fair => {
            let works = c.and(lose ^ 1, lose_back ^ 1);
            c.fair(works);
        }
        Channel::Bounded(most) => {
            let lost = c.or(lose, lose_back);
            let mut before = lost;
            let mut row = Vec::new();
            for _ in 0..most {
                let latch = c.latch(0);
                c.next(latch, before);
                before = c.and(latch, lost);
                row.push(latch);
            }
            let all = c.all(&row);
            let too_many = c.and(all, lost);
            c.constrain(too_many ^ 1);
        }
    }
    c.wait(TRUE, acknowledged);
    c
}

/// Peterson's algorithm; the second process waits for its section. `fair`: both are scheduled again and again. `turn`: as it should be.
pub fn peterson(fair: bool, turn: bool) -> Circuit {
    let mut c = Circuit::default();
    let (who, wish) = (c.input(), c.input());
    let favour = c.latch(0);
    // Idle, trying, in its section.
    let mut processes = Vec::new();
    for _ in 0..2 {
        processes.push((c.latch(0), c.latch(0)));
    }
    let mut favours = favour;
    let mut enters_of = Vec::new();
    for (i, &(trying, inside)) in processes.iter().enumerate() {
        let (other_trying, other_inside) = processes[1 - i];
        let scheduled = who ^ u32::from(i == 0);
        let mine = match i {
            0 => favour ^ 1,
            _ => favour,
        };
        let idle = c.and(trying ^ 1, inside ^ 1);
        // Only the first process may stay idle for ever.
        let wants = if i == 0 { wish } else { TRUE };
        let begins = c.all(&[scheduled, idle, wants]);
        let free = c.and(other_trying ^ 1, other_inside ^ 1);
        let may = match turn {
            true => c.or(free, mine),
            false if i == 0 => other_inside ^ 1,
            false => free,
        };
        let exclusive = c.and(may, other_inside ^ 1);
        let enters = c.all(&[scheduled, trying, exclusive]);
        let leaves = c.and(scheduled, inside);
        let tries = c.or(trying, begins);
        let tries = c.and(tries, enters ^ 1);
        c.next(trying, tries);
        let stays = c.or(inside, enters);
        let stays = c.and(stays, leaves ^ 1);
        c.next(inside, stays);
        // Whoever begins to try gives the favour to the other.
        let given = u32::from(i == 0);
        favours = c.ite(begins, given, favours);
        enters_of.push(enters);
        if fair {
            c.fair(scheduled);
        }
    }
    c.next(favour, favours);
    c.wait(processes[1].0, enters_of[1]);
    c
}

/// A counter of `n` bits; asked is whether it is full again and again. `saturates`: it stays there, and what is asked is whether it
/// is full and not so in turn.
pub fn counter(n: usize, saturates: bool) -> Circuit {
    let mut c = Circuit::default();
    let go = c.input();
    let bits: Vec<Bit> = (0..n).map(|_| c.latch(0)).collect();
    let full = c.all(&bits);
    let mut carry = match saturates {
        true => c.and(go, full ^ 1),
        false => go,
    };
    for &bit in &bits {
        let (both, neither) = (c.and(bit, carry), c.and(bit ^ 1, carry ^ 1));
        let sum = c.and(both ^ 1, neither ^ 1);
        c.next(bit, sum);
        carry = both;
    }
    match saturates {
        true => c.just(&[full, full ^ 1]),
        false => c.just(&[full]),
    }
    c
}

/// All of them, by name, and whether the wait ends.
pub fn all() -> Vec<(String, Circuit, bool)> {
    let mut all = Vec::new();
    for n in [2, 3, 5, 8] {
        all.push((format!("ring-{n}"), ring(n, Moves::Always), true));
        all.push((format!("ring-stalls-{n}"), ring(n, Moves::Perhaps), false));
        all.push((format!("ring-fair-{n}"), ring(n, Moves::Fairly), true));
    }
    for n in [2, 3, 4] {
        all.push((format!("turns-{n}"), arbiter(n, true), true));
        all.push((format!("priority-{n}"), arbiter(n, false), false));
    }
    all.push(("retry-lossy".into(), retry(Channel::Lossy), false));
    all.push(("retry-fair".into(), retry(Channel::Fair), true));
    for most in [1, 2, 4] {
        let name = format!("retry-bounded-{most}");
        all.push((name, retry(Channel::Bounded(most)), true));
    }
    all.push(("peterson".into(), peterson(true, true), true));
    all.push(("peterson-unscheduled".into(), peterson(false, true), false));
    all.push(("peterson-without-turn".into(), peterson(true, false), false));
    for n in [2, 4] {
        all.push((format!("counter-{n}"), counter(n, false), false));
        all.push((format!("saturates-{n}"), counter(n, true), true));
    }
    all
}
