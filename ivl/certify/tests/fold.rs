//! What an unwinding takes for known of values, against the evaluator.

use rustc_hash::FxHashMap;
use trellis_ivl::{Bv, Op, Program, Term, TermPool, Type, Value, Var, text};
use trellis_ivl_certify::fold::Folder;
use trellis_ivl_testing::generate::{bv, term};
use trellis_ivl_testing::{Rng, Shape, generate};

/// Whatever is known of the variables, a folded term has the value of the term.
#[test]
fn folding_keeps_the_value() {
    let mut smaller = 0;
    for seed in 0..20_000 {
        let rng = &mut Rng::new(seed);
        let shape = match rng.chance(70) {
            true => Shape::TINY,
            false => Shape::WIDE,
        };
        let mut p = generate::program(rng, shape);
        let vars: Vec<Var> = p.program_vars().collect();
        let ty = p.pool.var_ty(*rng.pick(&vars));
        let t = term(rng, &mut p, &vars, ty, 4);
        let values: FxHashMap<Var, Value> = vars
            .iter()
            .map(|&v| (v, value(rng, p.pool.var_ty(v))))
            .collect();
        let pool = &mut p.pool;
        // Each variable is itself, another of its type, its value, or a sum.
        let mut known: FxHashMap<Var, Term> = FxHashMap::default();
        for &v in &vars {
            let stands = match (&values[&v], rng.below(4)) {
                (Value::Bool(b), 0 | 1) => pool.bool(*b),
                (Value::Bv(b), 0 | 1) => pool.bv(b.clone()),
                (Value::Bv(b), 2) => {
                    // v = (v - c) + c, where v - c is a symbol of its own.
                    let c = bv(rng, b.width());
                    let own = pool.var(v);
                    let c = pool.bv(c);
                    let less = pool.intern(Op::BvSub, &[own, c]);
                    pool.intern(Op::BvAdd, &[less, c])
                }
                _ => pool.var(v),
            };
            known.insert(v, stands);
        }
        let mut folder = Folder::default();
        let folded = folder.value(pool, t, &|_, v| known[&v]);
        let eval = |t| pool.eval(t, |v| values[&v].clone());
        assert_eq!(eval(t), eval(folded), "seed {seed}");
        smaller += usize::from(pool.is_const(folded) && !pool.is_const(t));
    }
    assert!(smaller >= 2_000, "only {smaller} became constants");
}

fn value(rng: &mut Rng, ty: Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(rng.chance(50)),
        Type::Bv(w) => Value::Bv(bv(rng, w)),
        Type::Array { .. } => Value::zero(ty),
    }
}

/// A node by the folder.
fn made(folder: &mut Folder, pool: &mut TermPool, op: Op, args: &[Term]) -> Term {
    let like = pool.intern(op, args);
    folder.node(pool, like, args)
}

/// A pointer that is written byte by byte comes back whole, moved by constants, and reads what it points to.
#[test]
fn pointers_in_memory_stay_sums() {
    let (pool, folder) = (&mut TermPool::new(), &mut Folder::default());
    let bytes = Type::Array { index: 16, elem: 8 };
    let memory = pool.fresh("m", bytes);
    let base = pool.fresh("base", Type::Bv(16));
    let (memory, base) = (pool.var(memory), pool.var(base));
    let at = |folder: &mut Folder, pool: &mut TermPool, base: Term, c: u64| {
        let c = pool.bv(Bv::new(16, c));
        made(folder, pool, Op::BvAdd, &[base, c])
    };
    assert_eq!(at(folder, pool, base, 0), base);
    let p = at(folder, pool, base, 4);
    let cell = at(folder, pool, p, 4);
    let next = at(folder, pool, base, 9);
    let (low, high) = (pool.intern_extract(7, 0, p), pool.intern_extract(15, 8, p));
    let seven = pool.bv(Bv::new(8, 7));
    let written = pool.intern(Op::Store, &[memory, cell, low]);
    let written = pool.intern(Op::Store, &[written, next, high]);
    let written = pool.intern(Op::Store, &[written, p, seven]);
    let beyond = at(folder, pool, cell, 1);
    assert_eq!(beyond, next);
    let low = made(folder, pool, Op::Select, &[written, cell]);
    let high = made(folder, pool, Op::Select, &[written, beyond]);
    let loaded = made(folder, pool, Op::Concat, &[high, low]);
    assert_eq!(loaded, p);
    assert_eq!(made(folder, pool, Op::Select, &[written, loaded]), seven);
    let same = made(folder, pool, Op::Eq, &[cell, p]);
    assert_eq!(pool.as_bool(same), Some(false));
    let distance = made(folder, pool, Op::BvSub, &[cell, p]);
    assert_eq!(pool.as_bv(distance), Some(Bv::new(16, 4)));
    // On both sides of a branch, and of another symbol nothing.
    let other = pool.fresh("other", Type::Bv(16));
    let branch = pool.fresh("branch", Type::Bool);
    let (other, branch) = (pool.var(other), pool.var(branch));
    let aside = at(folder, pool, base, 12);
    let changed = pool.intern(Op::Store, &[written, aside, seven]);
    let joined = pool.intern(Op::Ite, &[branch, changed, written]);
    assert_eq!(made(folder, pool, Op::Select, &[joined, p]), seven);
    let unknown = made(folder, pool, Op::Select, &[joined, other]);
    assert_eq!(pool.op(unknown), Op::Ite);
}

/// What is known of a value decides as much as the module says: a proof by unwinding is short because of it.
#[test]
fn what_is_known_decides() {
    let source =
        "var p: bool; var q: bool; var x: bv8; var y: bv8; var a: [bv8]bv8; var b: [bv8]bv8;
        proc main() { loc l0 entry; }";
    let mut own = text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    for (given, expected) in [
        ("!true", "false"),
        ("!p", "!p"),
        ("p && false", "false"),
        ("false && p", "false"),
        ("p && true", "p"),
        ("true && p", "p"),
        ("p && p", "p"),
        ("p && q", "p && q"),
        ("p || true", "true"),
        ("true || p", "true"),
        ("p || false", "p"),
        ("false || p", "p"),
        ("p || p", "p"),
        ("p || q", "p || q"),
        ("ite(true, x, y)", "x"),
        ("ite(false, x, y)", "y"),
        ("ite(p, x, x)", "x"),
        ("ite(p, x, y)", "ite(p, x, y)"),
        ("x == x", "true"),
        ("3bv8 == 3bv8", "true"),
        ("3bv8 == 4bv8", "false"),
        ("x + 1bv8 == x + 1bv8", "true"),
        ("x + 1bv8 == x + 2bv8", "false"),
        ("x + 1bv8 == x", "false"),
        ("x + 1bv8 == y + 1bv8", "x + 1bv8 == y + 1bv8"),
        ("a == a", "true"),
        ("a == b", "a == b"),
        ("p == p", "true"),
        ("x + 0bv8", "x"),
        ("1bv8 + x", "x + 1bv8"),
        ("1bv8 + 2bv8", "3bv8"),
        ("(x + 1bv8) + 2bv8", "x + 3bv8"),
        ("(x + 1bv8) + 255bv8", "x"),
        ("(x + 1bv8) + (y + 2bv8)", "(x + y) + 3bv8"),
        ("x - 1bv8", "x + 255bv8"),
        ("(x + 3bv8) - 3bv8", "x"),
        ("(x + 3bv8) - (x + 1bv8)", "2bv8"),
        ("5bv8 - 3bv8", "2bv8"),
        ("3bv8 - x", "3bv8 - x"),
        ("x - y", "x - y"),
        ("3bv8 * 4bv8", "12bv8"),
        ("x * 1bv8", "x * 1bv8"),
        ("x[7:4] ++ x[3:0]", "x"),
        ("x[6:4] ++ x[3:0]", "x[6:0]"),
        ("x[7:4] ++ x[3:1]", "x[7:1]"),
        ("x[7:4] ++ x[2:0]", "x[7:4] ++ x[2:0]"),
        ("x[3:0] ++ x[7:4]", "x[3:0] ++ x[7:4]"),
        ("x[7:4] ++ y[3:0]", "x[7:4] ++ y[3:0]"),
        ("12bv8[3:2]", "3bv2"),
        ("zext(3bv2, 8)", "3bv8"),
        ("sext(3bv2, 8)", "255bv8"),
        ("a[x := y][x]", "y"),
        ("a[x := y][x + 1bv8]", "a[x + 1bv8]"),
        ("a[x + 1bv8 := y][x := 7bv8][x + 1bv8]", "y"),
        ("a[x := 7bv8][y]", "a[x := 7bv8][y]"),
        (
            "ite(p, a[x := 1bv8], a[x := 2bv8])[x]",
            "ite(p, 1bv8, 2bv8)",
        ),
        ("ite(p, a[x := 1bv8], b[x := 1bv8])[x]", "1bv8"),
        ("const([bv8]bv8, 5bv8)[x]", "5bv8"),
    ] {
        let read = |own: &mut Program, t: &str| {
            text::parse_term(own, t).unwrap_or_else(|e| panic!("{t}: {e}"))
        };
        let (given, expected) = (read(&mut own, given), read(&mut own, expected));
        let pool = &mut own.pool;
        let found = Folder::default().value(pool, given, &|pool, v| pool.var(v));
        let mut printer = text::TermPrinter::new(pool);
        assert_eq!(printer.print(found), printer.print(expected));
    }
}

/// A read is pushed through so many branches and no further, on both sides: each may double what is made.
#[test]
fn reads_are_pushed_through_few_branches() {
    for (deep, shallow) in [(1, 2), (2, 1)] {
        let (pool, folder) = (&mut TermPool::new(), &mut Folder::default());
        let bytes = Type::Array { index: 8, elem: 8 };
        let memory = pool.fresh("m", bytes);
        let index = pool.fresh("i", Type::Bv(8));
        let (mut array, index) = (pool.var(memory), pool.var(index));
        for n in 0..40 {
            let branch = pool.fresh("branch", Type::Bool);
            let (branch, value) = (pool.var(branch), pool.bv(Bv::new(8, n)));
            let written = pool.intern(Op::Store, &[array, index, value]);
            let mut args = [branch, array, array];
            args[shallow] = written;
            array = pool.intern(Op::Ite, &args);
        }
        let mut read = made(folder, pool, Op::Select, &[array, index]);
        let mut pushed = 0;
        while pool.op(read) == Op::Ite {
            let found = pool.as_bv(pool.arg(read, shallow));
            assert_eq!(found, Some(Bv::new(8, 39 - pushed)));
            read = pool.arg(read, deep);
            pushed += 1;
        }
        assert_eq!((pushed, pool.op(read)), (32, Op::Select));
        assert_eq!(pool.op(pool.arg(read, 0)), Op::Ite);
    }
}
