//! Random sessions as data: what to assert, push, pop and check, with what is known about the answers.
//!
//! Three sources of truth, none of them a solver. *Tiny* scripts have so few bits of variables that
//! every assignment is tried. *Planted* scripts are true in an assignment chosen first. In both, every
//! model is evaluated by the evaluator of the language, and every core is checked alone.

use super::Rng;
use super::term_gen::{GenOptions, TermGen, random_value};
use crate::smt::{SmtBackend, SmtSession};
use crate::{Answer, Capabilities, Limits, SessionConfig};
use trellis_ivl::{ArrayValue, Bv, Evaluator, Term, TermPool, Type, Value, Var};

/// One call of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtCommand {
    /// Assert.
    Assert(Term),
    /// Open a level.
    Push,
    /// Close a level.
    Pop,
    /// Check under assumptions.
    Check(Vec<Term>),
}

/// A session to be run, and the variables of its terms.
pub struct SmtScript {
    /// Holds the terms.
    pub pool: TermPool,
    /// The variables.
    pub vars: Vec<Var>,
    /// The calls.
    pub commands: Vec<SmtCommand>,
    /// Further terms, whose values are to be read from models.
    pub probes: Vec<Term>,
    /// An assignment of `vars` in which all that is ever asserted or assumed is true.
    pub planted: Option<Vec<Value>>,
    /// Whether every assignment can be tried.
    pub tiny: bool,
}

/// A kind of scripts: its name, and the script of a seed.
pub type ScriptKind = (&'static str, fn(u64) -> SmtScript);

impl SmtScript {
    /// Every kind.
    pub const KINDS: [ScriptKind; 4] = [
        ("tiny", SmtScript::tiny),
        ("planted", SmtScript::planted),
        ("wide", SmtScript::wide),
        ("heavy", SmtScript::heavy),
    ];

    /// A script over few bits.
    pub fn tiny(seed: u64) -> SmtScript {
        let mut rng = Rng::new(seed);
        let options = GenOptions::tiny(&mut rng);
        SmtScript::random(&mut rng, &options, false, true)
    }

    /// A script over any widths that a chosen assignment satisfies.
    pub fn planted(seed: u64) -> SmtScript {
        let mut rng = Rng::new(seed);
        let options = GenOptions::wide(&mut rng);
        SmtScript::random(&mut rng, &options, true, false)
    }

    /// A script over any widths.
    pub fn wide(seed: u64) -> SmtScript {
        let mut rng = Rng::new(seed);
        let options = GenOptions::wide(&mut rng);
        SmtScript::random(&mut rng, &options, false, false)
    }

    /// A script with products, quotients and remainders of up to 64 bits that a chosen assignment satisfies.
    /// Some of its queries are too hard for any solver.
    pub fn heavy(seed: u64) -> SmtScript {
        let mut rng = Rng::new(seed);
        let mut options = GenOptions::wide(&mut rng);
        options.max_heavy_width = 64;
        options.size = rng.range(4, 15);
        SmtScript::random(&mut rng, &options, true, false)
    }

    fn random(rng: &mut Rng, options: &GenOptions, planted: bool, tiny: bool) -> SmtScript {
        let mut pool = TermPool::new();
        let mut term_rng = Rng::new(rng.bits());
        let mut generator = TermGen::new(&mut pool, &mut term_rng, options);
        let vars = generator.vars.clone();
        let values: Vec<Value> = vars
            .iter()
            .map(|&v| random_value(rng, generator.pool.var_ty(v)))
            .collect();
        let mut evaluator = Evaluator::new();
        let mut formula = |generator: &mut TermGen<'_>, rng: &mut Rng| {
            let t = generator.formula();
            let negate = if planted {
                evaluator.eval(generator.pool, t, |v| values[position(&vars, v)].clone())
                    == Value::Bool(false)
            } else {
                rng.one_in(2)
            };
            if negate { generator.pool.not(t) } else { t }
        };
        let mut commands = Vec::new();
        let mut depth = 0;
        for _ in 0..rng.range(2, 14) {
            match rng.below(8) {
                0..=2 => commands.push(SmtCommand::Assert(formula(&mut generator, rng))),
                3 => {
                    commands.push(SmtCommand::Push);
                    depth += 1;
                }
                4 if depth > 0 => {
                    commands.push(SmtCommand::Pop);
                    depth -= 1;
                }
                _ => {
                    let n = rng.below(5);
                    let assumed = (0..n).map(|_| formula(&mut generator, rng)).collect();
                    commands.push(SmtCommand::Check(assumed));
                }
            }
        }
        commands.push(SmtCommand::Check(Vec::new()));
        let types = options.vars.clone();
        let probes = types.iter().map(|&ty| generator.some(ty)).collect();
        let planted = planted.then_some(values);
        SmtScript {
            pool,
            vars,
            commands,
            probes,
            planted,
            tiny,
        }
    }
}

fn position(vars: &[Var], v: Var) -> usize {
    vars.iter()
        .position(|&w| w == v)
        .expect("a variable of the script")
}

/// The number of values of a type; `None` when it is large.
fn count(ty: Type) -> Option<usize> {
    let bits = match ty {
        Type::Bool => 1,
        Type::Bv(width) => width,
        Type::Array { index, elem } => 1u32.checked_shl(index)?.checked_mul(elem)?,
    };
    (bits <= 12).then(|| 1 << bits)
}

/// Value number `n` of a type.
fn nth_value(ty: Type, n: usize) -> Value {
    match ty {
        Type::Bool => Value::Bool(n == 1),
        Type::Bv(width) => Value::Bv(Bv::new(width, n as u64)),
        Type::Array { index, elem } => {
            let mut a = ArrayValue::constant(index, Bv::zero(elem));
            for i in 0..1u64 << index {
                let e = n as u64 >> (i * u64::from(elem));
                a = a.store(Bv::new(index, i), Bv::new(elem, e));
            }
            Value::Array(a)
        }
    }
}

/// Which assignments satisfy a term, one bit each.
struct TruthTables {
    assignments: Vec<Vec<Value>>,
}

impl TruthTables {
    fn new(script: &SmtScript) -> TruthTables {
        let types: Vec<Type> = script.vars.iter().map(|&v| script.pool.var_ty(v)).collect();
        let counts: Vec<usize> = types
            .iter()
            .map(|&ty| count(ty).expect("tiny scripts have small types"))
            .collect();
        let total: usize = counts.iter().product();
        let assignment = |mut n: usize| {
            let digits = types.iter().zip(&counts).map(|(&ty, &count)| {
                let value = nth_value(ty, n % count);
                n /= count;
                value
            });
            digits.collect()
        };
        TruthTables {
            assignments: (0..total).map(assignment).collect(),
        }
    }

    fn table(&self, script: &SmtScript, evaluator: &mut Evaluator, t: Term) -> Vec<bool> {
        let holds = |values: &Vec<Value>| {
            evaluator.new_round();
            evaluator.eval(&script.pool, t, |v| {
                values[position(&script.vars, v)].clone()
            }) == Value::Bool(true)
        };
        self.assignments.iter().map(holds).collect()
    }
}

/// What a run has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptResult {
    /// The answers, in order.
    pub answers: Vec<Answer>,
}

/// Runs a script, compares the answers with the truth where it is known, evaluates every model and
/// checks every core alone with `checker`, which may be the backend itself. Panics where the session is
/// wrong. `limits` hold for each query.
pub fn run_script(
    backend: &dyn SmtBackend,
    checker: &dyn SmtBackend,
    script: &SmtScript,
    label: &str,
    limits: Limits,
) -> ScriptResult {
    let mut session = backend
        .session(&SessionConfig::default())
        .expect("a default session");
    session.set_limits(limits);
    let tables = script.tiny.then(|| TruthTables::new(script));
    let mut evaluator = Evaluator::new();
    let mut levels: Vec<Vec<Term>> = vec![Vec::new()];
    let mut result = ScriptResult::default();
    for (step, command) in script.commands.iter().enumerate() {
        let at = format!("{}, {label}, command {step}", backend.name());
        match command {
            SmtCommand::Assert(t) => {
                session.assert(&script.pool, *t).expect("a boolean term");
                levels.last_mut().expect("level 0").push(*t);
            }
            SmtCommand::Push => {
                session.push().expect("push");
                levels.push(Vec::new());
            }
            SmtCommand::Pop => {
                session.pop(1).expect("an open level");
                levels.pop();
            }
            SmtCommand::Check(assumed) => {
                assert_eq!(session.level(), levels.len() - 1, "{at}: level");
                let asserted: Vec<Term> = levels.iter().flatten().copied().collect();
                let answer = session
                    .check(&script.pool, assumed)
                    .unwrap_or_else(|e| panic!("{at}: {e}"));
                let roots: Vec<Term> = asserted.iter().chain(assumed).copied().collect();
                if let Some(tables) = &tables {
                    let mut models = vec![true; tables.assignments.len()];
                    for &t in &roots {
                        let table = tables.table(script, &mut evaluator, t);
                        models
                            .iter_mut()
                            .zip(table)
                            .for_each(|(m, holds)| *m &= holds);
                    }
                    let satisfiable = models.contains(&true);
                    let expected = if satisfiable {
                        Answer::Sat
                    } else {
                        Answer::Unsat
                    };
                    assert_eq!(answer, expected, "{at}");
                }
                if script.planted.is_some() {
                    assert_ne!(answer, Answer::Unsat, "{at}: there is a model");
                }
                match answer {
                    Answer::Sat => check_model(&mut *session, script, &roots, &at),
                    Answer::Unsat => {
                        let core = read_core(&mut *session, assumed, &at);
                        check_core(checker, script, &asserted, core, limits, &at);
                    }
                    Answer::Unknown(_) => {}
                }
                result.answers.push(answer);
            }
        }
    }
    result
}

/// The values of the variables make all roots true, and every probe has the value they give it.
fn check_model(session: &mut dyn SmtSession, script: &SmtScript, roots: &[Term], at: &str) {
    if !session.capabilities().contains(Capabilities::MODELS) {
        return;
    }
    let mut pool = script.pool.clone();
    let mut value = |session: &mut dyn SmtSession, v: Var| {
        let t = pool.var(v);
        let value = session.value(&pool, t).expect("state SAT");
        assert_eq!(value.ty(), pool.var_ty(v), "{at}: type of a value");
        value
    };
    let values: Vec<Value> = script.vars.iter().map(|&v| value(session, v)).collect();
    let mut evaluator = Evaluator::new();
    let mut eval = |t: Term| {
        evaluator.eval(&script.pool, t, |v| {
            values[position(&script.vars, v)].clone()
        })
    };
    for &t in roots {
        assert_eq!(
            eval(t),
            Value::Bool(true),
            "{at}: {t} is false in {values:?}"
        );
    }
    for &t in script.probes.iter().chain(roots) {
        let found = session.value(&script.pool, t).expect("state SAT");
        assert_eq!(found, eval(t), "{at}: value of {t} in {values:?}");
    }
    let again: Vec<Value> = script.vars.iter().map(|&v| value(session, v)).collect();
    assert_eq!(values, again, "{at}: values change between readings");
}

/// The core, which is made of assumptions, in their order; `None` where the session has no cores.
fn read_core(session: &mut dyn SmtSession, assumed: &[Term], at: &str) -> Option<Vec<Term>> {
    if !session.capabilities().contains(Capabilities::UNSAT_CORE) {
        return None;
    }
    let core = session.unsat_core().expect("state UNSAT");
    let mut rest = assumed.iter();
    assert!(
        core.iter().all(|t| rest.any(|a| a == t)),
        "{at}: {core:?} is not in {assumed:?}"
    );
    Some(core)
}

/// The core is enough in a session of its own.
fn check_core(
    checker: &dyn SmtBackend,
    script: &SmtScript,
    asserted: &[Term],
    core: Option<Vec<Term>>,
    limits: Limits,
    at: &str,
) {
    let Some(core) = core else { return };
    let mut fresh = checker
        .session(&SessionConfig::default())
        .expect("a default session");
    fresh.set_limits(limits);
    for &t in asserted {
        fresh.assert(&script.pool, t).expect("a boolean term");
    }
    let answer = fresh.check(&script.pool, &core).expect("no failure");
    assert_ne!(answer, Answer::Sat, "{at}: {core:?} is no core");
}

/// How often backends were asked, and what they said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Queries that every backend was asked.
    pub queries: u64,
    /// Queries that some backend found satisfiable, and unsatisfiable.
    pub answered: [u64; 2],
    /// Unknown answers, of all backends together.
    pub unknown: u64,
}

/// Runs a script on every backend and compares their answers with each other; the first checks the cores of
/// all. Panics where two differ, and where [`run_script`] does.
pub fn compare_backends(
    backends: &[Box<dyn SmtBackend>],
    script: &SmtScript,
    label: &str,
    limits: Limits,
    seen: &mut Agreement,
) {
    let checker = &**backends.first().expect("some backend");
    let run = |b: &dyn SmtBackend| run_script(b, checker, script, label, limits).answers;
    let runs: Vec<(&str, Vec<Answer>)> = backends.iter().map(|b| (b.name(), run(&**b))).collect();
    let checks = runs.first().map_or(0, |(_, answers)| answers.len());
    for query in 0..checks {
        let mut known: Option<(&str, &Answer)> = None;
        for (name, answers) in &runs {
            let answer = &answers[query];
            if matches!(answer, Answer::Unknown(_)) {
                seen.unknown += 1;
                continue;
            }
            let (other, first) = *known.get_or_insert((name, answer));
            assert_eq!(first, answer, "{label}, query {query}: {other}, {name}");
        }
        seen.queries += 1;
        if let Some((_, answer)) = known {
            seen.answered[usize::from(answer.is_unsat())] += 1;
        }
    }
}
