//! SMT sessions as a table of C functions.

use super::error::{Failure, answer_number, guard, limits};
use super::session::{self, Kept, finish_open, read_config};
use crate::wire::terms::{NewVars, Received, Sent};
use crate::wire::values::write_value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use trellis_ivl::{Term, TermPool};
use trellis_plugin_abi::{self as abi, TrellisError, TrellisSmt, TrellisStr, TrellisWords};
use trellis_solver_api::smt::{KindStats, SmtBackend, SmtSession, UNLABELLED};
use trellis_solver_api::{Answer, SolverError};

/// Figures of the queries of all sessions, by kind.
pub type Usage = Arc<Mutex<BTreeMap<String, KindStats>>>;

/// What a session of this kind has.
struct Inner {
    session: Box<dyn SmtSession>,
    pool: TermPool,
    terms: Received,
    vars: NewVars,
    /// Assumptions of the last query as terms and as numbers.
    assumptions: Vec<Term>,
    assumed: Vec<u32>,
    out: Vec<u32>,
    kind: String,
    usage: Option<Usage>,
}

/// Makes a session reachable from the other side, which closes it.
pub fn open(session: Box<dyn SmtSession>, usage: Option<Usage>) -> *mut c_void {
    let (signature, interrupter) = (session.signature().to_string(), session.interrupter());
    let inner = Inner {
        session,
        pool: TermPool::new(),
        terms: Received::default(),
        vars: NewVars::default(),
        assumptions: Vec::new(),
        assumed: Vec::new(),
        out: Vec::new(),
        kind: UNLABELLED.to_string(),
        usage,
    };
    session::open(inner, &signature, interrupter)
}

/// The table; `open` gets `context` as its first argument.
pub const fn table(
    capabilities: u32,
    context: *mut c_void,
    open: unsafe extern "C" fn(
        *mut c_void,
        *const abi::TrellisSessionConfig,
        *mut TrellisError,
    ) -> *mut c_void,
) -> TrellisSmt {
    TrellisSmt {
        size: size_of::<TrellisSmt>() as u32,
        capabilities,
        context,
        open: Some(open),
        close: Some(session::close::<Inner>),
        signature: Some(session::signature::<Inner>),
        add_terms: Some(add_terms),
        assert: Some(assert),
        push: Some(push),
        pop: Some(pop),
        check: Some(check),
        value: Some(value),
        unsat_core: Some(unsat_core),
        generalize: Some(generalize),
        interpolate: Some(interpolate),
        set_kind: Some(set_kind),
        set_limits: Some(set_limits),
        interrupt: Some(session::interrupt::<Inner>),
        last_error: Some(session::last_error::<Inner>),
    }
}

/// The `open` of a solver plugin over `B`.
///
/// # Safety
/// As the table says.
pub unsafe extern "C" fn open_backend<B: SmtBackend + Default>(
    _: *mut c_void,
    config: *const abi::TrellisSessionConfig,
    error: *mut TrellisError,
) -> *mut c_void {
    // SAFETY: the table's caller.
    let opened = guard(|| Ok(B::default().session(&unsafe { read_config(config) }?)?));
    // SAFETY: the table's caller.
    unsafe { finish_open(opened, error, |session| open(session, None)) }
}

/// Runs `call` on the session's thread.
///
/// # Safety
/// `session` comes from [`open`] and is not closed; this is its thread.
#[inline]
unsafe fn with(session: *mut c_void, call: impl FnOnce(&mut Inner) -> Result<i32, Failure>) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { session::with(session, |kept: &mut Kept<Inner>| call(&mut kept.inner)) }
}

impl Inner {
    fn lend(&self, out: *mut TrellisWords) -> Result<i32, Failure> {
        // SAFETY: null, or the caller's place for the result.
        let out = unsafe { out.as_mut() };
        let out = out.ok_or_else(|| Failure::argument("`out` is null"))?;
        *out = TrellisWords::new(&self.out);
        Ok(abi::TRELLIS_OK)
    }

    /// Terms by their numbers.
    fn terms(&self, numbers: TrellisWords) -> Result<Vec<Term>, Failure> {
        // SAFETY: the caller lends the words for the call.
        let numbers = unsafe { numbers.words() };
        let terms = numbers.iter().map(|&n| Ok(self.terms.term(n)?));
        terms.collect()
    }

    /// The nodes of a term of this side's pool, with the other side's variables.
    fn lend_term(&mut self, t: Option<Term>, out: *mut TrellisWords) -> Result<i32, Failure> {
        self.out.clear();
        if let Some(t) = t {
            for v in self.pool.free_vars([t]) {
                let number = self.vars.number(v);
                if self.vars.get(number) != Some(v) {
                    let text = "the solver made a variable of its own".to_string();
                    return Err(Failure::argument(text));
                }
            }
            let start = self.out.len();
            Sent::new().send_with(&self.pool, t, &mut self.out, |v| self.vars.number(v));
            debug_assert!(self.out.len() > start);
        }
        self.lend(out)
    }
}

unsafe extern "C" fn add_terms(session: *mut c_void, nodes: TrellisWords) -> i32 {
    // SAFETY: the table's caller, also for the words.
    unsafe {
        with(session, |s| {
            s.terms.receive(&mut s.pool, &mut s.vars, nodes.words())?;
            Ok(abi::TRELLIS_OK)
        })
    }
}

unsafe extern "C" fn assert(session: *mut c_void, term: u32) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            let t = s.terms.term(term)?;
            s.session.assert(&s.pool, t)?;
            Ok(abi::TRELLIS_OK)
        })
    }
}

unsafe extern "C" fn push(session: *mut c_void) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            s.session.push()?;
            Ok(abi::TRELLIS_OK)
        })
    }
}

unsafe extern "C" fn pop(session: *mut c_void, levels: u32) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            s.session.pop(levels as usize)?;
            Ok(abi::TRELLIS_OK)
        })
    }
}

unsafe extern "C" fn check(session: *mut c_void, assumptions: TrellisWords) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        session::with(session, |kept: &mut Kept<Inner>| {
            let s = &mut kept.inner;
            s.assumptions.clear();
            s.assumed.clear();
            s.assumed.extend_from_slice(assumptions.words());
            for &n in &s.assumed {
                s.assumptions.push(s.terms.term(n)?);
            }
            let start = Instant::now();
            let answer = s.session.check(&s.pool, &s.assumptions)?;
            s.record(&answer, start);
            Ok(answer_number(&answer, &mut kept.failure.text))
        })
    }
}

impl Inner {
    fn record(&self, answer: &Answer, start: Instant) {
        let Some(usage) = &self.usage else { return };
        let Ok(mut usage) = usage.lock() else { return };
        if !usage.contains_key(&self.kind) {
            usage.insert(self.kind.clone(), KindStats::default());
        }
        let stats = usage.get_mut(&self.kind).expect("just inserted");
        match answer {
            Answer::Sat => stats.sat += 1,
            Answer::Unsat => stats.unsat += 1,
            Answer::Unknown(_) => stats.unknown += 1,
        }
        stats.time += start.elapsed();
    }
}

unsafe extern "C" fn value(session: *mut c_void, term: u32, out: *mut TrellisWords) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            let t = s.terms.term(term)?;
            let value = s.session.value(&s.pool, t)?;
            s.out.clear();
            write_value(&mut s.out, &value);
            s.lend(out)
        })
    }
}

unsafe extern "C" fn unsat_core(session: *mut c_void, out: *mut TrellisWords) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        session::with(session, |kept: &mut Kept<Inner>| {
            let s = &mut kept.inner;
            let core = s.session.unsat_core()?;
            let assumed = s.assumptions.iter().copied();
            let numbers: FxHashMap<Term, u32> = assumed.zip(s.assumed.iter().copied()).collect();
            s.out.clear();
            for t in core {
                let number = numbers.get(&t).ok_or_else(|| SolverError::Backend {
                    solver: kept.signature.clone(),
                    message: "the core has a term that nobody assumed".into(),
                })?;
                s.out.push(*number);
            }
            s.lend(out)
        })
    }
}

unsafe extern "C" fn generalize(
    session: *mut c_void,
    formulas: TrellisWords,
    keep: TrellisWords,
    out: *mut TrellisWords,
) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            let formulas = s.terms(formulas)?;
            // A variable that never came cannot occur in the formulas.
            let keep = keep.words().iter().filter_map(|&v| s.vars.get(v));
            let keep: Vec<_> = keep.collect();
            let t = s.session.generalize(&mut s.pool, &formulas, &keep)?;
            s.lend_term(Some(t), out)
        })
    }
}

unsafe extern "C" fn interpolate(
    session: *mut c_void,
    a: u32,
    b: u32,
    out: *mut TrellisWords,
) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            let (a, b) = (s.terms.term(a)?, s.terms.term(b)?);
            let t = s.session.interpolate(&mut s.pool, a, b)?;
            s.lend_term(t, out)
        })
    }
}

unsafe extern "C" fn set_kind(session: *mut c_void, kind: TrellisStr) {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            let kind = String::from_utf8_lossy(kind.bytes());
            if s.kind != kind {
                s.kind = kind.into_owned();
            }
            Ok(abi::TRELLIS_OK)
        });
    }
}

unsafe extern "C" fn set_limits(session: *mut c_void, wall_ns: u64, conflicts: u64) {
    // SAFETY: the table's caller.
    unsafe {
        with(session, |s| {
            s.session.set_limits(limits(wall_ns, conflicts));
            Ok(abi::TRELLIS_OK)
        });
    }
}
