//! Random models with every feature of the format, scrambled files and mutants, all from a seed.

use crate::model::{And, Item, Latch, Lit, Model};
use std::fmt::Write as _;
pub use trellis_ivl_testing::Rng;

fn below(rng: &mut Rng, bound: u32) -> u32 {
    rng.below(bound as usize) as u32
}

fn permutation(rng: &mut Rng, n: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}

/// A random model of a few dozen gates that uses every feature now and then, reset functions that
/// depend on themselves included.
pub fn random_model(rng: &mut Rng) -> Model {
    let mut model = Model {
        inputs: below(rng, 6),
        ..Model::default()
    };
    let latches = below(rng, 7);
    let gates = if rng.chance(12) { 0 } else { below(rng, 40) };
    let first_and = model.inputs + latches + 1;
    let lit = |rng: &mut Rng, var: u32| Lit(below(rng, 2 * var));
    for var in first_and..first_and + gates {
        let (a, b) = (lit(rng, var), lit(rng, var));
        model.ands.push(And {
            left: a.max(b),
            right: a.min(b),
        });
    }
    let all = first_and + gates;
    for i in 0..latches {
        let next = lit(rng, all);
        let reset = match rng.below(6) {
            0 | 1 => Lit::FALSE,
            2 => Lit::TRUE,
            3 => Lit::positive(model.inputs + 1 + i),
            _ => lit(rng, all),
        };
        model.latches.push(Latch { next, reset });
    }
    let set = |rng: &mut Rng, up_to: u32| {
        let count = below(rng, up_to + 1);
        (0..count).map(|_| lit(rng, all)).collect::<Vec<Lit>>()
    };
    model.outputs = set(rng, 2);
    model.bads = set(rng, 3);
    if rng.chance(50) {
        model.constraints = set(rng, 2);
    }
    if rng.chance(25) {
        model.justice = (0..1 + rng.below(2)).map(|_| set(rng, 3)).collect();
        model.fairness = set(rng, 2);
    }
    for item in Item::ALL {
        for i in 0..model.count(item) as u32 {
            if rng.chance(25) {
                let name = format!("{}[{i}] of {}", item.letter(), rng.below(100));
                model.symbols.insert(item, i, &name);
            }
        }
    }
    if rng.chance(25) {
        model.comment = Some("made\nat random\n".into());
    }
    model
}

/// The model as an ASCII file with scrambled variables, gaps between them, gates in any order and
/// operands in either: the same circuit to anyone who reads it right.
pub fn scrambled_ascii(model: &Model, rng: &mut Rng) -> Vec<u8> {
    let used = model.max_var();
    let max = used + below(rng, 5);
    let mut variables = permutation(rng, max);
    variables.iter_mut().for_each(|var| *var += 1);
    let file = |lit: Lit| match lit.var() {
        0 => lit.0,
        var => variables[var as usize - 1] << 1 | (lit.0 & 1),
    };
    let mut out = format!(
        "aag {max} {} {} {} {} {} {} {} {}\n",
        model.inputs,
        model.latches.len(),
        model.outputs.len(),
        model.ands.len(),
        model.bads.len(),
        model.constraints.len(),
        model.justice.len(),
        model.fairness.len()
    );
    for i in 0..model.inputs {
        let _ = writeln!(out, "{}", file(model.input(i)));
    }
    for (i, latch) in model.latches.iter().enumerate() {
        let own = file(model.latch(i as u32));
        let _ = writeln!(out, "{own} {} {}", file(latch.next), file(latch.reset));
    }
    let properties = [&model.outputs, &model.bads, &model.constraints];
    for &lit in properties.into_iter().flatten() {
        let _ = writeln!(out, "{}", file(lit));
    }
    for set in &model.justice {
        let _ = writeln!(out, "{}", set.len());
    }
    for &lit in model.justice.iter().flatten().chain(&model.fairness) {
        let _ = writeln!(out, "{}", file(lit));
    }
    for i in permutation(rng, model.ands.len() as u32) {
        let gate = model.ands[i as usize];
        let (mut a, mut b) = (file(gate.left), file(gate.right));
        if rng.chance(50) {
            std::mem::swap(&mut a, &mut b);
        }
        let _ = writeln!(out, "{} {a} {b}", file(model.and(i)));
    }
    out.into_bytes()
}

/// A file with a few random changes.
pub fn mutate(file: &[u8], rng: &mut Rng) -> Vec<u8> {
    const TOKENS: [&str; 9] = [
        "0",
        "1",
        "-",
        " ",
        "\n",
        "4294967295",
        "2147483647",
        "c\n",
        "x",
    ];
    trellis_ivl_testing::damaged(file, &TOKENS, rng)
}
