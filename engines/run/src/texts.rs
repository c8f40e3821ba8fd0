//! Texts that programs may know: their own, and numbers. Characters that are chosen one by one hardly ever make an option or a number of
//! ten digits.

use crate::dictionary::CHARACTER;
use std::collections::BTreeSet;
use trellis_ivl::cmd::CmdView;
use trellis_ivl::rng::Rng;
use trellis_ivl::{Op, Program, Term, Type};

/// Texts that are kept, and characters of one.
const MOST: usize = 512;
const LENGTH: usize = 48;
/// Where the numbers of C end.
const ENDS: [i128; 8] = [
    i32::MAX as i128,
    i32::MIN as i128,
    u32::MAX as i128,
    i64::MAX as i128,
    i64::MIN as i128,
    u64::MAX as i128,
    i16::MAX as i128,
    1 << 30,
];

/// The texts of a program.
#[derive(Clone)]
pub struct Texts(Vec<Vec<u8>>);

impl Texts {
    /// Characters that the program writes one after the other.
    pub fn of(program: &Program) -> Texts {
        let mut found = BTreeSet::new();
        for e in program.edges.keys() {
            let Some(c) = program.edge_cmd(e) else {
                continue;
            };
            program.cmds.for_each_leaf(c, |leaf| {
                if let CmdView::Assign(items) = leaf {
                    for &(_, t) in items {
                        written(program, t, &mut found);
                    }
                }
            });
            if found.len() >= MOST {
                break;
            }
        }
        Texts(found.into_iter().take(MOST).collect())
    }

    /// A text, or a number as one writes it.
    pub fn any(&self, constants: &[u64], random: &mut Rng) -> Vec<u8> {
        if !self.0.is_empty() && random.chance(50) {
            return random.pick(&self.0).clone();
        }
        let number = match random.below(3) {
            0 if !constants.is_empty() => {
                let constant = *random.pick(constants) as i64;
                i128::from(constant) + random.below(3) as i128 - 1
            }
            1 => *random.pick(&ENDS) - random.below(2) as i128,
            _ => {
                let bits = random.range(1, 64);
                i128::from(random.bits() >> (64 - bits)) * if random.bit() { 1 } else { -1 }
            }
        };
        number.to_string().into_bytes()
    }
}

/// Adds what a term writes into an array of characters.
fn written(program: &Program, t: Term, found: &mut BTreeSet<Vec<u8>>) {
    let pool = &program.pool;
    let (mut t, mut characters) = (t, Vec::new());
    if !matches!(
        pool.ty(t),
        Type::Array {
            elem: CHARACTER,
            ..
        }
    ) {
        return;
    }
    while pool.op(t) == Op::Store {
        // The last one is the outermost.
        let word = pool.as_bv(pool.arg(t, 2)).and_then(|c| c.to_u64());
        characters.push(word.map_or(0, |w| w as u8));
        t = pool.arg(t, 0);
    }
    characters.reverse();
    let texts = characters.split(|c| *c == 0);
    found.extend(
        texts
            .filter(|t| (1..=LENGTH).contains(&t.len()))
            .map(<[u8]>::to_vec),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_program_are_found() {
        let program = trellis_ivl::text::parse(
            "ivl 1;
            var m: [bv16]bv8;
            var w: [bv16]bv16;
            proc main() {
              loc a entry;
              loc b;
              a -> b { m := m[7bv16 := 45bv8][8bv16 := 118bv8][9bv16 := 0bv8][10bv16 := 120bv8] };
              a -> b { w := w[1bv16 := 45bv16] };
            }
            main main;",
        )
        .unwrap_or_else(|e| panic!("{e}"));
        let texts = Texts::of(&program);
        assert_eq!(texts.0, [b"-v".to_vec(), b"x".to_vec()]);
        let mut random = Rng::new(1);
        let some: BTreeSet<Vec<u8>> = (0..2000)
            .map(|_| texts.any(&[12345], &mut random))
            .collect();
        for text in [
            "-v",
            "x",
            "12345",
            "12344",
            "2147483647",
            "-9223372036854775808",
        ] {
            assert!(some.contains(text.as_bytes()), "{text}");
        }
    }
}
