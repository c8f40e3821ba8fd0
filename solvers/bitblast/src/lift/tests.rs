use super::*;
use crate::circuits::{self, Word};
use trellis_solver_api::testing::Rng;
use trellis_solver_api::{Interrupter, Limits};

/// Gates over words of inputs.
#[derive(Default)]
struct Setting {
    aig: Aig,
    words: Vec<InputWord>,
    lift: Lift,
}

impl Setting {
    fn word(&mut self, len: u32) -> Word {
        let first = self.aig.len() as u32;
        self.words.push(InputWord { first, len });
        (0..len).map(|_| self.aig.input()).collect()
    }

    fn number(&self, len: u32, value: u64) -> Word {
        (0..len)
            .map(|i| AigLit::constant(value >> i & 1 == 1))
            .collect()
    }

    fn find(&mut self, roots: &[AigLit]) -> bool {
        let clock = StopClock::start(Interrupter::default(), &Limits::NONE);
        self.lift.find(&self.aig, &self.words, roots, &clock)
    }

    /// The number that a word of inputs has in the model found.
    fn value(&self, word: &[AigLit]) -> u64 {
        let bits = word.iter().enumerate();
        bits.fold(0, |value, (i, bit)| {
            value | u64::from(self.lift.value(bit.node())) << i
        })
    }
}

/// Chains of products meet numbers that they can reach, and inputs keep within their bounds.
#[test]
fn products_are_solved() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let len = [16, 24, 32][rng.below(3)];
        let mask = u64::MAX >> (64 - len);
        let mut s = Setting::default();
        let (m, start, addend) = (s.word(len), rng.bits() & mask, rng.bits() & mask);
        let mut x = s.number(len, start);
        let (mut reached, factor) = (start, rng.bits());
        let mut inputs = Vec::new();
        let mut roots = Vec::new();
        for _ in 0..rng.range(2, 8) {
            let input = s.word(len);
            let (three, c) = (s.number(len, 3), s.number(len, addend));
            roots.push(circuits::ult(&mut s.aig, &input, &three));
            x = circuits::mul(&mut s.aig, &x, &m);
            x = circuits::add(&mut s.aig, &x, &c);
            x = circuits::add(&mut s.aig, &x, &input);
            inputs.push(input);
            let chosen = rng.below(3) as u64;
            reached = reached.wrapping_mul(factor).wrapping_add(addend + chosen) & mask;
        }
        let target = s.number(len, reached);
        roots.push(circuits::eq(&mut s.aig, &x, &target));
        assert!(s.find(&roots), "seed {seed}");
        let mut value = start;
        for input in &inputs {
            let input = s.value(input);
            assert!(input < 3, "seed {seed}");
            value = value.wrapping_mul(s.value(&m)).wrapping_add(addend + input);
        }
        assert_eq!(value & mask, reached, "seed {seed}");
    }
}

/// What has no model is given up, and after that passed over for a while.
#[test]
fn two_squares_are_never_seven() {
    let mut s = Setting::default();
    let squares = [0; 2].map(|_| {
        let x = s.word(16);
        circuits::mul(&mut s.aig, &x, &x)
    });
    let sum = circuits::add(&mut s.aig, &squares[0], &squares[1]);
    let seven = s.number(16, 7);
    let root = circuits::eq(&mut s.aig, &sum, &seven);
    assert!(!s.find(&[root]));
    assert!(!s.lift.leads());
    assert_eq!([(); 2].map(|()| s.lift.is_due()), [false, true]);
}

/// Roots that contradict each other on an input.
#[test]
fn an_input_has_one_value() {
    let mut s = Setting::default();
    let x = s.word(1);
    assert!(!s.find(&[x[0], !x[0]]));
    assert!(s.find(&[!x[0]]));
    assert_eq!(s.value(&x), 0);
}
