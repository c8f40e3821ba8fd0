//! Components that no list has: coefficients are found from rounds, and refuted by rounds.
//!
//! As 2LS does (Chen, David, Kroening, Schrammel and Wachter, TOPLAS 40(1), 2018): rounds are sampled from models; the solver gives
//! small coefficients with which no sample grows and one falls; a round on which their sum grows is the next sample.

use crate::candidates::linear;
use crate::search::Round;
use crate::segments::Segments;
use trellis_engine_common::{go_on, try_ask};
use trellis_ivl::{Bv, Term, TermPool, Type, Value, Var};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// How large coefficients are, one size after the other.
const BOUNDS: [i64; 3] = [1, 5, 30];

/// Bits of a coefficient, and of sums of products with differences of numbers of up to 72 bits.
const BITS: u32 = 6;
const WIDE: u32 = 84;

/// Sums that are tried for each size.
const TRIES: usize = 24;

/// What is to be added up.
pub struct Basis<'a> {
    /// The terms.
    pub terms: &'a [Term],
    /// Which candidate each is, by itself.
    pub candidates: &'a [usize],
}

/// A sum that never grows on the rounds that are left, and falls on one of them.
pub fn learn(
    segments: &mut Segments,
    basis: &Basis<'_>,
    rounds: &[Round],
    left: &[Vec<Term>],
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
) -> Result<Option<Term>, EngineError> {
    session.set_kind("learn");
    let mut samples = varied(segments, basis, rounds, left, session, host)?;
    if samples.is_empty() || basis.terms.len() < 2 {
        return Ok(None);
    }
    let pool = &mut segments.program.pool;
    let coefficients: Vec<Var> = (basis.terms.iter())
        .map(|_| pool.fresh("coefficient", Type::Bv(BITS)))
        .collect();
    for bound in BOUNDS {
        for _ in 0..TRIES {
            go_on(host)?;
            let pool = &mut segments.program.pool;
            let wanted = wanted(pool, &coefficients, &samples, bound);
            if try_ask(session, pool, &wanted)? != Some(true) {
                break;
            }
            let mut by = Vec::with_capacity(coefficients.len());
            for &c in &coefficients {
                let c = pool.var(c);
                let value = session.value(pool, c)?;
                by.push(match value {
                    Value::Bv(value) => value.to_i64().unwrap_or(0),
                    _ => 0,
                });
            }
            match refute(segments, basis, &by, rounds, left, session)? {
                Refuted::By(sample) => samples.push(sample),
                Refuted::Unclear => return Ok(None),
                Refuted::Never => {
                    let parts = basis.terms.iter().copied().zip(by);
                    let parts: Vec<(Term, i64)> = parts.filter(|(_, c)| *c != 0).collect();
                    return Ok(Some(linear(&mut segments.program.pool, &parts, true)));
                }
            }
        }
    }
    Ok(None)
}

/// Rounds on which each number grows and falls, where there are such.
fn varied(
    segments: &mut Segments,
    basis: &Basis<'_>,
    rounds: &[Round],
    left: &[Vec<Term>],
    session: &mut dyn SmtSession,
    host: &mut dyn Host,
) -> Result<Vec<Vec<i128>>, EngineError> {
    let mut samples = Vec::new();
    for (r, taken) in rounds.iter().zip(left) {
        for &i in basis.candidates {
            for grows in [true, false] {
                go_on(host)?;
                let pool = &mut segments.program.pool;
                let moved = match grows {
                    true => pool.bvult(r.before[i], r.now[i]),
                    false => pool.bvult(r.now[i], r.before[i]),
                };
                let mut assumed = taken.clone();
                assumed.push(moved);
                if try_ask(session, pool, &assumed)? == Some(true) {
                    samples.push(sample(pool, basis, r, session)?);
                }
            }
        }
    }
    Ok(samples)
}

/// By how much each number grows in the model.
fn sample(
    pool: &TermPool,
    basis: &Basis<'_>,
    r: &Round,
    session: &mut dyn SmtSession,
) -> Result<Vec<i128>, EngineError> {
    let mut whole = |t: Term| -> Result<i128, EngineError> {
        Ok(match session.value(pool, t)? {
            Value::Bv(v) => i128::try_from(v.to_biguint()).unwrap_or(0),
            _ => 0,
        })
    };
    let mut moves = Vec::with_capacity(basis.candidates.len());
    for &i in basis.candidates {
        moves.push(whole(r.now[i])? - whole(r.before[i])?);
    }
    Ok(moves)
}

/// What coefficients have to be like: of the size, no sample grows, one falls.
fn wanted(
    pool: &mut TermPool,
    coefficients: &[Var],
    samples: &[Vec<i128>],
    bound: i64,
) -> Vec<Term> {
    let coefficients: Vec<Term> = coefficients.iter().map(|&c| pool.var(c)).collect();
    let mut wanted = Vec::new();
    for &c in &coefficients {
        let (least, most) = (Bv::from_i64(BITS, -bound), Bv::from_i64(BITS, bound));
        let (least, most) = (pool.bv(least), pool.bv(most));
        wanted.push(pool.bvsle(least, c));
        wanted.push(pool.bvsle(c, most));
    }
    let zero = pool.num(WIDE, 0);
    let mut falls = Vec::with_capacity(samples.len());
    for moves in samples {
        let mut total = zero;
        for (&c, &by) in coefficients.iter().zip(moves) {
            let c = pool.sext(WIDE, c);
            let by = pool.bv(Bv::from_bigint(WIDE, &by.into()));
            let part = pool.bvmul(c, by);
            total = pool.bvadd(total, part);
        }
        wanted.push(pool.bvsle(total, zero));
        falls.push(pool.bvslt(total, zero));
    }
    wanted.push(pool.or_all(falls));
    wanted
}

enum Refuted {
    By(Vec<i128>),
    Never,
    Unclear,
}

/// A round on which the sum grows.
fn refute(
    segments: &mut Segments,
    basis: &Basis<'_>,
    by: &[i64],
    rounds: &[Round],
    left: &[Vec<Term>],
    session: &mut dyn SmtSession,
) -> Result<Refuted, EngineError> {
    for (r, taken) in rounds.iter().zip(left) {
        let pool = &mut segments.program.pool;
        let mut sums = [&r.before, &r.now].map(|_| pool.num(WIDE, 0));
        for (&i, &c) in basis.candidates.iter().zip(by).filter(|(_, c)| **c != 0) {
            let c = pool.bv(Bv::from_i64(WIDE, c));
            for (total, t) in sums.iter_mut().zip([r.before[i], r.now[i]]) {
                let t = pool.zext(WIDE, t);
                let part = pool.bvmul(t, c);
                *total = pool.bvadd(*total, part);
            }
        }
        let mut assumed = taken.clone();
        assumed.push(pool.bvslt(sums[0], sums[1]));
        match try_ask(session, pool, &assumed)? {
            Some(true) => return Ok(Refuted::By(sample(pool, basis, r, session)?)),
            Some(false) => {}
            None => return Ok(Refuted::Unclear),
        }
    }
    Ok(Refuted::Never)
}
