//! A term as a circuit that is run on many cases.

use trellis_ivl::{Term, TermPool, Type};
use trellis_ivl_float::{Floats, Mode, Rounding};
use trellis_solver_bitblast::aig::AigLit;
use trellis_solver_bitblast::netlist::{Netlist, Simulation};

/// How a circuit is told the direction.
#[derive(Clone, Copy)]
pub enum Direction {
    Fixed(Rounding),
    /// By an input.
    Given,
}

/// One operation over words of at most 128 bits.
pub struct Circuit {
    netlist: Netlist,
    cone: Vec<u32>,
    /// The inputs of the operands, and of the direction.
    inputs: Vec<Vec<AigLit>>,
    outputs: Vec<AigLit>,
    simulation: Simulation,
}

/// A case: operands, and the direction.
#[derive(Clone, Copy, Default, Debug)]
pub struct Case {
    pub operands: [u128; 3],
    pub direction: usize,
}

impl Case {
    pub fn rounding(&self) -> Rounding {
        Rounding::ALL[self.direction]
    }
}

impl Circuit {
    pub fn new(
        widths: &[u32],
        direction: Direction,
        make: impl Fn(&mut Floats<'_>, Mode, &[Term]) -> Term,
    ) -> Circuit {
        let mut pool = TermPool::new();
        let mut word = |width| {
            let v = pool.fresh("x", Type::Bv(width));
            pool.var(v)
        };
        let mut words: Vec<Term> = widths.iter().map(|&w| word(w)).collect();
        let mode = word(Rounding::WIDTH);
        words.push(mode);
        let mode = match direction {
            Direction::Fixed(rounding) => Mode::Fixed(rounding),
            Direction::Given => Mode::Term(mode),
        };
        let operands = &words[..widths.len()];
        let term = make(&mut Floats::new(&mut pool), mode, operands);
        let mut netlist = Netlist::new();
        let inputs = words
            .iter()
            .map(|&t| netlist.bits(&pool, t).expect("a variable"))
            .collect();
        let outputs = netlist.bits(&pool, term).expect("no limit");
        let cone = netlist.cone(&outputs);
        let simulation = Simulation::new(netlist.aig());
        Circuit {
            netlist,
            cone,
            inputs,
            outputs,
            simulation,
        }
    }

    /// The results of up to [`Simulation::LANES`] cases.
    pub fn run(&mut self, cases: &[Case]) -> Vec<u128> {
        assert!(cases.len() <= Simulation::LANES);
        let last = self.inputs.len() - 1;
        for (i, inputs) in self.inputs.iter().enumerate() {
            let of = |case: &Case| {
                if i == last {
                    u128::from(case.rounding().number())
                } else {
                    case.operands[i]
                }
            };
            let mut lanes = vec![[0; 4]; inputs.len()];
            for (block, cases) in cases.chunks(64).enumerate() {
                for half in 0..inputs.len().div_ceil(64) {
                    let mut square = [0u64; 64];
                    for (row, case) in square.iter_mut().zip(cases) {
                        *row = (of(case) >> (64 * half)) as u64;
                    }
                    transpose(&mut square);
                    for (lane, row) in lanes[64 * half..].iter_mut().zip(square) {
                        lane[block] = row;
                    }
                }
            }
            for (&input, lane) in inputs.iter().zip(lanes) {
                self.simulation.set(input, lane);
            }
        }
        self.simulation.run(self.netlist.aig(), &self.cone);
        let mut results = vec![0u128; cases.len()];
        for (half, outputs) in self.outputs.chunks(64).enumerate() {
            for (block, results) in results.chunks_mut(64).enumerate() {
                let mut square = [0u64; 64];
                for (row, &output) in square.iter_mut().zip(outputs) {
                    *row = self.simulation.value(output)[block];
                }
                transpose(&mut square);
                for (result, row) in results.iter_mut().zip(square) {
                    *result |= u128::from(row) << (64 * half);
                }
            }
        }
        results
    }

    /// Runs cases until there are no more, and hands each with its result to `check`.
    pub fn run_all(
        &mut self,
        cases: impl IntoIterator<Item = Case>,
        mut check: impl FnMut(&Case, u128),
    ) {
        let mut cases = cases.into_iter();
        loop {
            let batch: Vec<Case> = cases.by_ref().take(Simulation::LANES).collect();
            if batch.is_empty() {
                return;
            }
            for (case, result) in batch.iter().zip(self.run(&batch)) {
                check(case, result);
            }
        }
    }
}

/// Bit `j` of row `i` becomes bit `i` of row `j`.
fn transpose(square: &mut [u64; 64]) {
    let (mut size, mut mask) = (32, u64::MAX >> 32);
    while size > 0 {
        let mut row = 0;
        while row < 64 {
            let swapped = ((square[row] >> size) ^ square[row | size]) & mask;
            square[row] ^= swapped << size;
            square[row | size] ^= swapped;
            row = ((row | size) + 1) & !size;
        }
        size /= 2;
        mask ^= mask << size;
    }
}
