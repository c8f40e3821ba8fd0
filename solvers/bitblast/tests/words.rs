//! What is decided about words before they become clauses, against all assignments of few bits: random sums,
//! products and equations of them, and arrays written and written back at indices that are sums.

use trellis_ivl::{Term, TermPool, Type, Value, Var};
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::testing::{Rng, SmtCommand, SmtScript, run_script};
use trellis_solver_api::{Answer, Limits, SessionConfig, UnknownReason};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;

fn run(pool: TermPool, vars: Vec<Var>, commands: Vec<SmtCommand>, probes: Vec<Term>, label: &str) {
    let script = SmtScript {
        pool,
        vars,
        commands,
        probes,
        planted: None,
        tiny: true,
    };
    let backend = Bitblast::new(Cadical);
    run_script(&backend, &backend, &script, label, Limits::NONE);
}

/// A random word over `words`: the operations that polynomials know, and some that make atoms.
fn grow(pool: &mut TermPool, rng: &mut Rng, words: &[Term]) -> Term {
    let (a, b) = (*rng.pick(words), *rng.pick(words));
    let width = pool.width(a);
    let k = pool.num(width, rng.bits());
    match rng.below(12) {
        0..=2 => pool.bvadd(a, b),
        3 => pool.bvsub(a, b),
        4 | 5 => pool.bvmul(a, b),
        6 => pool.bvadd(a, k),
        7 => pool.bvmul(a, k),
        8 => pool.bvneg(a),
        9 => pool.bvnot(a),
        10 => {
            let by = rng.below(width as usize + 1) as u64;
            let by = pool.num(width, by);
            pool.bvshl(a, by)
        }
        _ => pool.bvand(a, b),
    }
}

/// Equations are satisfiable, and refutable, exactly if some assignment says so.
#[test]
fn equations() {
    for seed in 0..250 {
        let mut rng = Rng::new(seed);
        let mut pool = TermPool::new();
        let width = rng.range(1, 3) as u32;
        let vars: Vec<Var> = (0..3)
            .map(|i| pool.fresh(format!("x{i}"), Type::Bv(width)))
            .collect();
        let mut words: Vec<Term> = vars.iter().map(|&v| pool.var(v)).collect();
        let mut commands = Vec::new();
        for step in 0..12 {
            let word = grow(&mut pool, &mut rng, &words);
            words.push(word);
            let (a, b) = (*rng.pick(&words), *rng.pick(&words));
            let (same, other) = (pool.eq(a, b), pool.ne(a, b));
            if step == 6 {
                // What is defined for ever gives its word to the variable.
                let defined = pool.eq(words[0], word);
                commands.push(SmtCommand::Assert(defined));
            }
            commands.push(SmtCommand::Check(vec![same]));
            commands.push(SmtCommand::Check(vec![other]));
        }
        run(pool, vars, commands, words, &format!("equations {seed}"));
    }
}

/// A memory of four cells is written at `p + k` with what it holds elsewhere, then read.
#[test]
fn writes() {
    let memory = Type::Array { index: 2, elem: 2 };
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut pool = TermPool::new();
        let vars = vec![
            pool.fresh("m", memory),
            pool.fresh("p", Type::Bv(2)),
            pool.fresh("q", Type::Bv(2)),
        ];
        let [first, p, q] = [0, 1, 2].map(|i| pool.var(vars[i]));
        let mut m = first;
        let place = |pool: &mut TermPool, rng: &mut Rng| {
            let base = if rng.one_in(6) { q } else { p };
            let k = pool.num(2, rng.bits());
            pool.bvadd(base, k)
        };
        for _ in 0..rng.range(2, 8) {
            let (i, j) = (place(&mut pool, &mut rng), place(&mut pool, &mut rng));
            let (x, y) = (pool.select(m, i), pool.select(m, j));
            m = pool.store(m, i, y);
            if rng.one_in(2) {
                m = pool.store(m, j, x);
            }
        }
        let at = place(&mut pool, &mut rng);
        let (x, y) = (pool.select(first, at), pool.select(m, at));
        let goals = [
            pool.eq(x, y),
            pool.ne(x, y),
            pool.eq(first, m),
            pool.ne(first, m),
        ];
        let commands = goals.map(|goal| SmtCommand::Check(vec![goal])).to_vec();
        run(
            pool,
            vars,
            commands,
            vec![m, x, y],
            &format!("writes {seed}"),
        );
    }
}

/// `x = p * q` and `x / r != p * q / r`, of 32 bits, in one case of two that share it.
fn congruence(pool: &mut TermPool) -> [Term; 2] {
    let [x, y, p, q, r] = ["x", "y", "p", "q", "r"].map(|name| {
        let v = pool.fresh(name, Type::Bv(32));
        pool.var(v)
    });
    let product = pool.bvmul(p, q);
    let (defined, below) = (pool.eq(x, product), pool.bvult(p, q));
    let cases = [(y, p), (y, q)].map(|(a, b)| {
        let case = pool.eq(a, b);
        pool.and(defined, case)
    });
    let shared = pool.or(cases[0], cases[1]);
    let [a, b] = [x, product].map(|t| pool.bvudiv(t, r));
    let differ = pool.ne(a, b);
    [pool.and(shared, differ), pool.and(shared, below)]
}

/// What follows from an equation by substitution needs no search, also where the equation is assumed only.
#[test]
fn hard_queries_have_their_equations_solved() {
    for (equations, expected) in [
        (1, Answer::Unsat),
        (0, Answer::Unknown(UnknownReason::Conflicts)),
    ] {
        let mut pool = TermPool::new();
        let [differ, less] = congruence(&mut pool);
        let config = SessionConfig::default().with("equations", equations);
        let backend = Bitblast::new(Cadical);
        let mut session = backend.session(&config).expect("a session");
        session.set_limits(Limits::conflicts(3000));
        assert_eq!(session.check(&pool, &[less, differ]), Ok(expected.clone()));
        if expected == Answer::Unsat {
            let core = session.unsat_core().expect("state UNSAT");
            assert!(core.contains(&differ), "{core:?}");
        }
        assert_eq!(session.check(&pool, &[less]), Ok(Answer::Sat));
        assert_eq!(session.value(&pool, less), Ok(Value::Bool(true)));
    }
}
