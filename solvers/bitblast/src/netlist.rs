//! Terms as gates without a SAT solver behind them: to count them, and to compute them for many assignments at once.

use crate::aig::{Aig, AigLit, Gate};
use crate::blast::{Blaster, Stop};
use trellis_ivl::{Term, TermPool};
use trellis_solver_api::{Interrupter, Limits, SolverError, StopClock};

/// The gates of some terms, as a session would make them.
pub struct Netlist {
    blaster: Blaster,
}

impl Default for Netlist {
    fn default() -> Netlist {
        Netlist {
            blaster: Blaster::new(Aig::MAX_NODES),
        }
    }
}

impl Netlist {
    /// No gates yet.
    pub fn new() -> Netlist {
        Netlist::default()
    }

    /// The bits of a boolean or bit-vector term, the least significant first. A term that reads arrays gets free inputs for what
    /// it reads.
    pub fn bits(&mut self, pool: &TermPool, t: Term) -> Result<Vec<AigLit>, SolverError> {
        let clock = StopClock::start(Interrupter::new(), &Limits::NONE);
        match self.blaster.translate(pool, t, &clock) {
            Ok(()) => {
                let bits = self.blaster.term_bits(pool, t);
                Ok(bits.expect("it was translated").to_vec())
            }
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Unknown(_)) => unreachable!("nobody interrupts, and there is no limit"),
        }
    }

    /// All gates, those included that nothing uses any more.
    pub fn aig(&self) -> &Aig {
        &self.blaster.aig
    }

    /// The gates that `roots` are computed by, arguments first; neither inputs nor the constant.
    pub fn cone(&self, roots: &[AigLit]) -> Vec<u32> {
        let aig = self.aig();
        let mut needed = vec![false; aig.len()];
        for root in roots {
            needed[root.node() as usize] = true;
        }
        let mut cone = Vec::new();
        for node in (1..aig.len() as u32).rev().filter(|_| !roots.is_empty()) {
            if !needed[node as usize] {
                continue;
            }
            let mut need = |args: &[AigLit]| {
                for arg in args {
                    needed[arg.node() as usize] = true;
                }
                cone.push(node);
            };
            match aig.gate(node) {
                Gate::False | Gate::Input => {}
                Gate::And(a, b) | Gate::Xor(a, b) => need(&[a, b]),
                Gate::Xor3(a, b, c) | Gate::Maj(a, b, c) | Gate::Ite(a, b, c) => need(&[a, b, c]),
            }
        }
        cone.reverse();
        cone
    }
}

/// Words in a [`Lanes`].
const WORDS: usize = 4;

/// A bit of each of [`Simulation::LANES`] assignments.
pub type Lanes = [u64; WORDS];

/// Values of gates in many assignments at once.
pub struct Simulation {
    values: Vec<Lanes>,
}

impl Simulation {
    /// How many assignments are computed at once.
    pub const LANES: usize = 64 * WORDS;

    /// All inputs false.
    pub fn new(aig: &Aig) -> Simulation {
        Simulation {
            values: vec![[0; WORDS]; aig.len()],
        }
    }

    /// Sets an input.
    pub fn set(&mut self, input: AigLit, value: Lanes) {
        let value = invert_if(input.is_inverted(), value);
        self.values[input.node() as usize] = value;
    }

    /// The value of a gate that was computed, or of an input.
    #[inline]
    pub fn value(&self, lit: AigLit) -> Lanes {
        invert_if(lit.is_inverted(), self.values[lit.node() as usize])
    }

    /// Computes gates whose arguments come first, as [`Netlist::cone`] lists them.
    pub fn run(&mut self, aig: &Aig, cone: &[u32]) {
        for &node in cone {
            let value = match aig.gate(node) {
                Gate::False | Gate::Input => continue,
                Gate::And(a, b) => self.combine(a, b, AigLit::FALSE, |a, b, _| a & b),
                Gate::Xor(a, b) => self.combine(a, b, AigLit::FALSE, |a, b, _| a ^ b),
                Gate::Xor3(a, b, c) => self.combine(a, b, c, |a, b, c| a ^ b ^ c),
                Gate::Maj(a, b, c) => self.combine(a, b, c, |a, b, c| (a & b) | (c & (a | b))),
                Gate::Ite(a, b, c) => self.combine(a, b, c, |a, b, c| (a & b) | (!a & c)),
            };
            self.values[node as usize] = value;
        }
    }

    #[inline]
    fn combine(
        &self,
        a: AigLit,
        b: AigLit,
        c: AigLit,
        gate: impl Fn(u64, u64, u64) -> u64,
    ) -> Lanes {
        let (a, b, c) = (self.value(a), self.value(b), self.value(c));
        std::array::from_fn(|i| gate(a[i], b[i], c[i]))
    }
}

#[inline]
fn invert_if(inverted: bool, lanes: Lanes) -> Lanes {
    let mask = if inverted { u64::MAX } else { 0 };
    lanes.map(|lane| lane ^ mask)
}
