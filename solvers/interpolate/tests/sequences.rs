//! Sequence interpolants over every backend, checked by the definition.

use std::time::Duration;
use trellis_backend_yices::Yices;
use trellis_backend_z3::Z3;
use trellis_ivl::{Term, TermPool, Type};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::testing::{GenOptions, Rng, TermGen, check_smt_backend, installed};
use trellis_solver_api::{Capabilities, Limits, SessionConfig, SolverError, UnknownReason};
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::Cadical;
use trellis_solver_interpolate::{Interpolating, violation};

fn open(backend: &dyn SmtBackend) -> Box<dyn SmtSession> {
    let mut s = backend
        .session(&SessionConfig::default())
        .expect("a session");
    s.set_limits(Limits::wall(Duration::from_secs(5)));
    s
}

fn ours(backend: impl SmtBackend + 'static) -> Interpolating {
    Interpolating::new(Box::new(backend))
}

/// Interpolates and checks by the definition; `None` where the parts are satisfiable.
fn checked(s: &mut dyn SmtSession, pool: &mut TermPool, parts: &[Term]) -> Option<Vec<Term>> {
    let name = s.signature().to_string();
    let sequence = s
        .interpolate_sequence(pool, parts)
        .unwrap_or_else(|e| panic!("{name}: {e}"))?;
    let mut checker = open(&Bitblast::new(Cadical));
    let wrong = violation(&mut *checker, pool, parts, &sequence).expect("an answer");
    assert_eq!(wrong, None, "{name}");
    Some(sequence)
}

fn var(pool: &mut TermPool, name: &str, ty: Type) -> Term {
    let v = pool.fresh(name, ty);
    pool.var(v)
}

/// `x = 0; y = input; (x = x + 2)^n; assume x is odd`, with statements about `y` between that do not matter.
fn even_counter(pool: &mut TermPool, n: usize) -> Vec<Term> {
    let mut x = var(pool, "x0", Type::Bv(32));
    let mut y = var(pool, "y0", Type::Bv(32));
    let (zero, two) = (pool.num(32, 0), pool.num(32, 2));
    let mut parts = vec![pool.eq(x, zero)];
    for i in 1..=n {
        let next_x = var(pool, &format!("x{i}"), Type::Bv(32));
        let next_y = var(pool, &format!("y{i}"), Type::Bv(32));
        let (sum, product) = (pool.bvadd(x, two), pool.bvmul(y, x));
        let (dx, dy) = (pool.eq(next_x, sum), pool.eq(next_y, product));
        parts.push(pool.and(dx, dy));
        (x, y) = (next_x, next_y);
    }
    let low = pool.extract(0, 0, x);
    parts.push(pool.bv_to_bool(low));
    parts
}

/// The past squares an input, the future compares: no transformer eliminates, only cubes do.
fn squares(pool: &mut TermPool) -> Vec<Term> {
    let [x, i, j] = ["x", "i", "j"].map(|n| var(pool, n, Type::Bv(6)));
    let (square, one) = (pool.bvmul(i, i), pool.num(6, 1));
    let past = pool.eq(x, square);
    // Squares are 0 or 1 modulo 4; so x is not 4 j + 3.
    let (two, three) = (pool.num(6, 2), pool.num(6, 3));
    let (quarter, odd) = (pool.bvshl(j, two), pool.bvmul(j, j));
    let sum = pool.bvadd(quarter, three);
    let future = pool.eq(x, sum);
    let noise = pool.bvule(one, odd);
    vec![past, pool.and(future, noise)]
}

/// Memory is written, then read back through another name.
fn memory(pool: &mut TermPool) -> Vec<Term> {
    let ty = Type::Array { index: 8, elem: 8 };
    let [m0, m1, m2] = ["m0", "m1", "m2"].map(|n| var(pool, n, ty));
    let [p, q] = ["p", "q"].map(|n| var(pool, n, Type::Bv(8)));
    let (five, one) = (pool.num(8, 5), pool.num(8, 1));
    let w1 = pool.store(m0, p, five);
    let next = pool.bvadd(p, one);
    let w2 = pool.store(m1, next, one);
    let read = pool.select(m2, q);
    let parts = [
        pool.eq(m1, w1),
        pool.eq(m2, w2),
        pool.eq(q, p),
        pool.ne(read, five),
    ];
    parts.to_vec()
}

/// Random conjunctions over few bits, cut into parts.
fn random_parts(seed: u64) -> (TermPool, Vec<Term>) {
    let mut rng = Rng::new(seed);
    let options = GenOptions {
        vars: vec![
            Type::Bool,
            Type::Bv(3),
            Type::Bv(3),
            Type::Bv(3),
            Type::Bv(2),
        ],
        size: 30,
        max_width: 6,
        max_heavy_width: 4,
    };
    let mut pool = TermPool::new();
    let mut inner = Rng::new(rng.bits());
    let mut generator = TermGen::new(&mut pool, &mut inner, &options);
    let parts = (0..rng.range(2, 5))
        .map(|_| {
            let n = rng.range(1, 3);
            let formulas: Vec<Term> = (0..n).map(|_| generator.formula()).collect();
            let signed = formulas.into_iter().map(|t| match rng.one_in(2) {
                true => generator.pool.not(t),
                false => t,
            });
            let signed: Vec<Term> = signed.collect();
            generator.pool.and_all(signed)
        })
        .collect();
    (pool, parts)
}

/// What every provider must do.
fn check_provider(backend: &dyn SmtBackend, has_arrays: bool) {
    assert!(backend.capabilities().contains(Capabilities::INTERPOLATION));
    let mut pool = TermPool::new();
    let parts = even_counter(&mut pool, 4);
    let s = &mut *open(backend);
    let sequence = checked(s, &mut pool, &parts).expect("unsatisfiable");
    assert_eq!(sequence.len(), parts.len() + 1);
    assert_eq!(checked(s, &mut pool, &parts[1..]), None, "x may be odd");
    assert_eq!(s.interpolate(&mut pool, parts[0], parts[1]), Ok(None));

    let mut pool = TermPool::new();
    let parts = squares(&mut pool);
    checked(&mut *open(backend), &mut pool, &parts).expect("unsatisfiable");
    if has_arrays {
        let mut pool = TermPool::new();
        let parts = memory(&mut pool);
        checked(&mut *open(backend), &mut pool, &parts).expect("unsatisfiable");
    }
    let (mut unsat, mut sat) = (0, 0);
    for seed in 0..150 {
        let (mut pool, parts) = random_parts(seed);
        match checked(&mut *open(backend), &mut pool, &parts) {
            Some(_) => unsat += 1,
            None => sat += 1,
        }
    }
    assert!(unsat > 30 && sat > 10, "{unsat} unsat, {sat} sat");
    let fls = pool.fls();
    let mut pool_of_one = pool.clone();
    let one = checked(&mut *open(backend), &mut pool_of_one, &[fls]);
    assert_eq!(one.map(|s| s.len()), Some(2));
    assert_eq!(checked(&mut *open(backend), &mut pool, &[]), None);
}

#[test]
fn cores_on_cadical() {
    check_provider(&ours(Bitblast::new(Cadical)), true);
}

/// Interpolants from proofs, by this system.
struct ByProofs(Interpolating, i64);

impl SmtBackend for ByProofs {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        self.0.session(&config.clone().with("interpolants", self.1))
    }
}

#[test]
fn proofs_by_mcmillan() {
    check_provider(&ByProofs(ours(Bitblast::new(Cadical)), 1), true);
}

#[test]
fn proofs_by_pudlak() {
    check_provider(&ByProofs(ours(Bitblast::new(Cadical)), 2), true);
}

/// One proof serves all cuts, and what no resolution uses is in none of them.
#[test]
fn proofs_of_long_unrollings() {
    let backend = ByProofs(ours(Bitblast::new(Cadical)), 1);
    let mut pool = TermPool::new();
    let parts = even_counter(&mut pool, 40);
    let sequence = checked(&mut *open(&backend), &mut pool, &parts).expect("unsatisfiable");
    for v in pool.free_vars(sequence.iter().copied()) {
        assert!(pool.var_data(v).name.starts_with('x'));
    }
}

#[test]
fn cores_on_batsat() {
    check_provider(&ours(Bitblast::new(Batsat)), true);
}

#[test]
fn cores_on_z3() {
    if let Some(z3) = installed(Z3::find()) {
        check_provider(&ours(z3), true);
    }
}

/// One test: Yices allows one thread.
#[test]
fn cores_and_mcsat_on_yices() {
    if let Some(yices) = installed(Yices::find()) {
        check_provider(&ours(yices.clone()), true);
        mcsat(&yices);
    }
}

/// Yices' own interpolants: what is answered is right, and most is answered. MCSAT calls about a tenth of the
/// unsatisfiable pairs satisfiable, which Yices' other solver notices.
fn mcsat(yices: &Yices) {
    let config = SessionConfig::default().with("interpolate", 1);
    let mut s = yices.session(&config).expect("a session");
    assert!(s.capabilities().contains(Capabilities::INTERPOLATION));
    s.set_limits(Limits::wall(Duration::from_secs(2)));
    let mut pool = TermPool::new();
    let parts = memory(&mut pool);
    let refused = s.interpolate(&mut pool, parts[0], parts[1]);
    assert!(matches!(refused, Err(SolverError::Unsupported { .. })));
    let (mut unsat, mut sat, mut late, mut refuted) = (0, 0, 0, 0);
    for seed in 0..150 {
        let mut s = yices.session(&config).expect("a session");
        s.set_limits(Limits::wall(Duration::from_secs(2)));
        let (mut pool, parts) = random_parts(seed);
        match s.interpolate_sequence(&mut pool, &parts) {
            Ok(Some(sequence)) => {
                let mut checker = open(&Bitblast::new(Cadical));
                let wrong = violation(&mut *checker, &mut pool, &parts, &sequence);
                assert_eq!(wrong, Ok(None), "seed {seed}");
                unsat += 1;
            }
            Ok(None) => sat += 1,
            Err(SolverError::GaveUp { .. }) => late += 1,
            Err(e) if e.to_string().contains("which does not stand") => refuted += 1,
            Err(e) => panic!("seed {seed}: {e}"),
        }
    }
    assert!(
        unsat > 20 && sat > 10,
        "{unsat} unsat, {sat} sat, {late} given up, {refuted} refuted"
    );
    s.interrupter().interrupt();
    let (tru, fls) = (pool.tru(), pool.fls());
    let call = "interpolate";
    let reason = UnknownReason::Interrupted;
    let stopped = s.interpolate(&mut pool, tru, fls);
    assert_eq!(stopped, Err(SolverError::GaveUp { call, reason }));
}

/// Statements that do not matter are not in the interpolants.
#[test]
fn irrelevant_statements_vanish() {
    let mut pool = TermPool::new();
    let parts = even_counter(&mut pool, 3);
    let mut s = open(&ours(Bitblast::new(Cadical)));
    let sequence = checked(&mut *s, &mut pool, &parts).expect("unsatisfiable");
    for v in pool.free_vars(sequence.iter().copied()) {
        assert!(pool.var_data(v).name.starts_with('x'));
    }
}

#[test]
fn the_session_itself_is_untouched() {
    let mut pool = TermPool::new();
    let parts = even_counter(&mut pool, 2);
    let mut s = open(&ours(Bitblast::new(Cadical)));
    s.assert(&pool, parts[0]).expect("a formula");
    s.push().expect("push");
    s.assert(&pool, parts[1]).expect("a formula");
    s.interpolate_sequence(&mut pool, &parts).expect("done");
    assert_eq!(s.level(), 1);
    assert!(s.check(&pool, &parts[2..]).expect("an answer").is_unsat());
    let x = parts[0];
    assert!(s.value(&pool, x).is_err(), "state UNSAT");
    s.interrupter().interrupt();
    let stopped = s.interpolate_sequence(&mut pool, &parts);
    let reason = UnknownReason::Interrupted;
    let call = "interpolate";
    assert_eq!(stopped, Err(SolverError::GaveUp { call, reason }));
}

#[test]
fn conformance() {
    check_smt_backend(&ours(Bitblast::new(Batsat)));
}

/// The definition rejects what is none.
#[test]
fn the_definition_rejects() {
    let mut pool = TermPool::new();
    let parts = even_counter(&mut pool, 1);
    let mut s = open(&Bitblast::new(Cadical));
    let (tru, fls) = (pool.tru(), pool.fls());
    let mut wrong = |pool: &mut TermPool, sequence: &[Term]| {
        let answer = violation(&mut *s, pool, &parts, sequence);
        answer.expect("an answer").unwrap_or_default()
    };
    assert_eq!(wrong(&mut pool, &[tru, fls]), "2 members for 3 parts");
    let none = wrong(&mut pool, &[tru, tru, tru, fls]);
    assert_eq!(none, "member 2 and part 2 do not imply member 3");
    let early = parts[0];
    let late = wrong(&mut pool, &[tru, early, early, fls]);
    assert_eq!(late, "member 2 has `x0`, which is not common");
    let backwards = wrong(&mut pool, &[fls, fls, fls, tru]);
    assert_eq!(backwards, "it does not lead from true to false");
}
