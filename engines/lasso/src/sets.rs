//! Sets of states that a way round leads back into.

use crate::plugin::Options;
use crate::ways::WayRound;
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_engine_common::{go_on, try_ask};
use trellis_ivl::termination::{Loop, cone};
use trellis_ivl::{Program, Term, TermPool, Type, Value, Var};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// Conditions of how many rounds ahead are candidates.
const AHEAD: usize = 3;

/// A set that is never left.
pub struct Set {
    /// Its states.
    pub term: Term,
    /// What the inputs of the way are, over the state at its beginning.
    pub inputs: Vec<Term>,
}

/// The way with its inputs chosen: a function of the state.
pub struct Function {
    /// What its inputs are.
    pub inputs: Vec<Term>,
    /// When it can be taken.
    pub conditions: Vec<Term>,
    /// What variables hold after it.
    pub after: FxHashMap<Var, Term>,
}

/// Sets into which a way round leads back.
pub fn sets(
    program: &mut Program,
    of: &Loop,
    way: &WayRound,
    session: &mut dyn SmtSession,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Vec<Set>, EngineError> {
    let mut found: Vec<Set> = Vec::new();
    for function in functions(program, way, 2, session)? {
        let mut tried: Vec<Term> = Vec::new();
        // The first is a state that comes back at once, where there is one.
        let mut first = fixed(program, of, &function);
        for _ in 0..=options.seeds {
            go_on(host)?;
            let also = first.take();
            let known: Vec<Term> = tried.iter().copied().chain(also).collect();
            let Some((seed, all)) = seed(program, of, &function, &known, session)? else {
                match also {
                    Some(_) => continue,
                    None => break,
                }
            };
            tried.push(seed);
            let kept = keep(program, &function, all, session, host)?;
            let Some(term) = kept else {
                continue;
            };
            if found.iter().all(|s| s.term != term) {
                let inputs = function.inputs.clone();
                found.push(Set { term, inputs });
            }
        }
    }
    Ok(found)
}

/// The way as functions: with the values of inputs that a model of so many rounds has, and with inputs that change nothing.
pub fn functions(
    program: &mut Program,
    way: &WayRound,
    rounds: usize,
    session: &mut dyn SmtSession,
) -> Result<Vec<Function>, EngineError> {
    session.set_kind("inputs");
    let pool = &mut program.pool;
    let mut assumed = way.conditions.clone();
    if rounds > 1 {
        for &t in &way.conditions {
            assumed.push(pool.substitute(t, &way.after));
        }
    }
    if try_ask(session, pool, &assumed)? != Some(true) {
        return Ok(Vec::new());
    }
    let mut choices: Vec<Vec<Term>> = Vec::new();
    let mut values = Vec::with_capacity(way.inputs.len());
    for &(symbol, _) in &way.inputs {
        let symbol = pool.var(symbol);
        let value = session.value(pool, symbol)?;
        values.push(pool.value(&value));
    }
    choices.push(values);
    if !way.inputs.is_empty() {
        choices.push(way.inputs.iter().map(|&(_, v)| pool.var(v)).collect());
    }
    let mut found = Vec::new();
    for inputs in choices {
        let symbols = way.inputs.iter().map(|&(symbol, _)| symbol);
        let map: FxHashMap<Var, Term> = symbols.zip(inputs.iter().copied()).collect();
        let conditions = way.conditions.iter().map(|&t| pool.substitute(t, &map));
        let conditions: Vec<Term> = conditions.collect();
        let after = way.after.iter();
        let after = after
            .map(|(&v, &t)| (v, pool.substitute(t, &map)))
            .collect();
        found.push(Function {
            inputs,
            conditions,
            after,
        });
    }
    Ok(found)
}

/// That everything that decides how the loop goes on is after a round as before; nothing where nothing changes.
fn fixed(program: &mut Program, of: &Loop, f: &Function) -> Option<Term> {
    let mut same = Vec::new();
    for v in cone(program, of) {
        if let Some(&new) = f.after.get(&v) {
            let old = program.pool.var(v);
            same.push(program.pool.eq(old, new));
        }
    }
    (!same.is_empty()).then(|| program.pool.and_all(same))
}

/// A state that goes round a few times and is unlike those that were tried, as what it is known by, and the candidates that hold in it.
fn seed(
    program: &mut Program,
    of: &Loop,
    f: &Function,
    tried: &[Term],
    session: &mut dyn SmtSession,
) -> Result<Option<(Term, Vec<Term>)>, EngineError> {
    session.set_kind("seed");
    let mut assumed: Vec<Term> = tried.to_vec();
    let (mut ahead, mut round) = (f.conditions.clone(), f.conditions.clone());
    for _ in 1..AHEAD {
        for t in &mut round {
            *t = program.pool.substitute(*t, &f.after);
        }
        ahead.extend(&round);
    }
    assumed.extend(&ahead);
    if try_ask(session, &program.pool, &assumed)? != Some(true) {
        return Ok(None);
    }
    let extra = extras(program, of, f);
    let mut all = ahead;
    let mut unlike = Vec::new();
    for t in extra {
        match session.value(&program.pool, t)? {
            Value::Bool(true) => {
                all.push(t);
                unlike.push(t);
            }
            _ => unlike.push(program.pool.not(t)),
        }
    }
    let mut seen = FxHashSet::default();
    all.retain(|t| seen.insert(*t) && !program.pool.is_const(*t));
    let like = program.pool.and_all(unlike);
    Ok(Some((program.pool.not(like), all)))
}

/// What else may be kept: that variables are as they were, and their lowest bits.
fn extras(program: &mut Program, of: &Loop, f: &Function) -> Vec<Term> {
    let mut found = Vec::new();
    for v in cone(program, of) {
        let ty = program.pool.var_ty(v);
        let Some(&new) = f.after.get(&v) else {
            continue;
        };
        let old = program.pool.var(v);
        found.push(program.pool.eq(old, new));
        if let Type::Bv(w) = ty {
            let pool = &mut program.pool;
            for bits in [1, 2] {
                if bits < w {
                    let low = pool.extract(bits - 1, 0, old);
                    for n in 0..1 << bits {
                        let n = pool.num(bits, n);
                        found.push(pool.eq(low, n));
                    }
                }
            }
            let zero = pool.num(w, 0);
            found.push(pool.bvsle(zero, old));
            found.push(pool.bvsle(old, zero));
        }
    }
    found
}

/// What is left of candidates after a way round.
pub enum Kept {
    /// All hold after it where they did before.
    All,
    /// Those that a state which breaks some does not break.
    Fewer(Vec<Term>),
    /// The solver gave up.
    Unclear,
}

/// Whether the candidates hold after `f` where they, and what else is assumed, hold before.
pub fn kept(
    pool: &mut TermPool,
    f: &Function,
    all: &[Term],
    also: Option<Term>,
    session: &mut dyn SmtSession,
) -> Result<Kept, EngineError> {
    let after: Vec<Term> = all.iter().map(|&t| pool.substitute(t, &f.after)).collect();
    let kept = pool.and_all(after.iter().copied());
    let mut assumed = all.to_vec();
    assumed.extend(also);
    assumed.push(pool.not(kept));
    match try_ask(session, pool, &assumed)? {
        Some(false) => return Ok(Kept::All),
        Some(true) => {}
        None => return Ok(Kept::Unclear),
    }
    let mut fewer = Vec::with_capacity(all.len());
    for (&t, &there) in all.iter().zip(&after) {
        if session.value(pool, there)? == Value::Bool(true) {
            fewer.push(t);
        }
    }
    match fewer.len() == all.len() {
        true => Err(EngineError::Internal("a model breaks no candidate".into())),
        false => Ok(Kept::Fewer(fewer)),
    }
}

/// What of the candidates the function keeps, if it still can be taken.
fn keep(
    program: &mut Program,
    f: &Function,
    mut all: Vec<Term>,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
) -> Result<Option<Term>, EngineError> {
    session.set_kind("houdini");
    loop {
        go_on(host)?;
        match kept(&mut program.pool, f, &all, None, session)? {
            Kept::All => break,
            Kept::Fewer(fewer) => all = fewer,
            Kept::Unclear => return Ok(None),
        }
    }
    // What was dropped may have been a condition.
    let pool = &mut program.pool;
    let goes = pool.and_all(f.conditions.iter().copied());
    let mut assumed = all.clone();
    assumed.push(pool.not(goes));
    if try_ask(session, pool, &assumed)? != Some(false) {
        return Ok(None);
    }
    let few = fewer(program, f, all, goes, session, host)?;
    Ok(Some(program.pool.and_all(few)))
}

/// The facts without those that the others keep without them: a larger set, and one that people can read.
fn fewer(
    program: &mut Program,
    f: &Function,
    all: Vec<Term>,
    goes: Term,
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
) -> Result<Vec<Term>, EngineError> {
    session.set_kind("fewer");
    let mut few = all;
    let mut i = few.len();
    while i > 0 {
        i -= 1;
        go_on(host)?;
        let mut rest = few.clone();
        rest.remove(i);
        let pool = &mut program.pool;
        let after: Vec<Term> = rest.iter().map(|&t| pool.substitute(t, &f.after)).collect();
        let kept = pool.and_all(after);
        let both = pool.and(goes, kept);
        let mut assumed = rest.clone();
        assumed.push(pool.not(both));
        if try_ask(session, pool, &assumed)? == Some(false) {
            few = rest;
        }
    }
    Ok(few)
}
