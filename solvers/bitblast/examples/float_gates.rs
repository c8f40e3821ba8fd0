//! Gates of float operations, and of some with a constant operand:
//! `cargo run -p trellis-solver-bitblast --example float_gates`.

use trellis_ivl::{Term, TermPool, Type};
use trellis_ivl_float::{Floats, Format, Rounding};
use trellis_solver_bitblast::netlist::Netlist;

type Make = fn(&mut Floats<'_>, Format, &[Term]) -> Term;

const NEAREST: Rounding = Rounding::NearestEven;

const OPERATIONS: [(&str, Make); 16] = [
    ("a + b", |f, t, x| f.add(t, NEAREST, x[0], x[1])),
    ("a * b", |f, t, x| f.mul(t, NEAREST, x[0], x[1])),
    ("a / b", |f, t, x| f.div(t, NEAREST, x[0], x[1])),
    ("sqrt(a)", |f, t, x| f.sqrt(t, NEAREST, x[0])),
    ("fma(a, b, c)", |f, t, x| {
        f.fma(t, NEAREST, x[0], x[1], x[2])
    }),
    ("rint(a)", |f, t, x| f.round_to_integral(t, NEAREST, x[0])),
    ("a < b", |f, t, x| f.lt(t, x[0], x[1])),
    ("a == b", |f, t, x| f.eq(t, x[0], x[1])),
    ("(int) a", |f, t, x| {
        f.to_signed(t, Rounding::TowardZero, x[0], 32).0
    }),
    ("from int", |f, t, x| f.from_signed(t, NEAREST, x[3])),
    ("to single", |f, t, x| {
        f.convert(t, Format::SINGLE, NEAREST, x[0])
    }),
    ("a + 1", |f, t, x| f.add(t, NEAREST, x[0], x[4])),
    ("a * 2", |f, t, x| f.mul(t, NEAREST, x[0], x[5])),
    ("a * 0.1", |f, t, x| f.mul(t, NEAREST, x[0], x[6])),
    ("a / 2", |f, t, x| f.div(t, NEAREST, x[0], x[5])),
    ("a < 1", |f, t, x| f.lt(t, x[0], x[4])),
];

fn gates(format: Format, make: Make) -> (usize, usize) {
    let mut pool = TermPool::new();
    let mut word = |width: u32| {
        let v = pool.fresh("x", Type::Bv(width));
        pool.var(v)
    };
    let mut args: Vec<Term> = (0..3).map(|_| word(format.width())).collect();
    args.push(word(32));
    for value in [1.0f64, 2.0, 0.1] {
        let bits = pool.num(64, value.to_bits());
        args.push(Floats::new(&mut pool).convert(Format::DOUBLE, format, NEAREST, bits));
    }
    let before = pool.len();
    let term = make(&mut Floats::new(&mut pool), format, &args);
    let terms = pool.len() - before;
    let mut netlist = Netlist::new();
    let bits = netlist.bits(&pool, term).expect("no arrays, no limit");
    (netlist.cone(&bits).len(), terms)
}

fn main() {
    let formats = [
        ("half", Format::HALF),
        ("single", Format::SINGLE),
        ("double", Format::DOUBLE),
        ("x87", Format::X87),
        ("quad", Format::QUAD),
    ];
    let names: Vec<&str> = formats.iter().map(|(name, _)| *name).collect();
    println!("| operation | {} | terms for double |", names.join(" | "));
    println!("|---|{}", "---|".repeat(formats.len() + 1));
    for (name, make) in OPERATIONS {
        let counts: Vec<String> = formats
            .iter()
            .map(|&(_, format)| gates(format, make).0.to_string())
            .collect();
        let terms = gates(Format::DOUBLE, make).1;
        println!("| {name} | {} | {terms} |", counts.join(" | "));
    }
}
