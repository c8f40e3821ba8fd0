//! SMT sessions as a table of C functions.

use super::error::{Failure, answer_number, guard, limits};
use crate::wire::terms::{NewVars, Received, Sent};
use crate::wire::values::write_value;
use rustc_hash::FxHashMap;
use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use trellis_ivl::{Term, TermPool};
use trellis_plugin_abi::{self as abi, TrellisError, TrellisSmt, TrellisStr, TrellisWords};
use trellis_solver_api::smt::{KindStats, SmtBackend, SmtSession, UNLABELLED};
use trellis_solver_api::{Answer, Interrupter, SessionConfig, SolverError};

/// Figures of the queries of all sessions, by kind.
pub type Usage = Arc<Mutex<BTreeMap<String, KindStats>>>;

/// A session on this side of the border. The interrupter is read by any thread, the rest by the
/// session's thread only.
pub struct Handle {
    interrupter: Interrupter,
    inner: UnsafeCell<Inner>,
}

struct Inner {
    session: Box<dyn SmtSession>,
    signature: String,
    pool: TermPool,
    terms: Received,
    vars: NewVars,
    /// Assumptions of the last query as terms and as numbers.
    assumptions: Vec<Term>,
    assumed: Vec<u32>,
    out: Vec<u32>,
    failure: Failure,
    kind: String,
    usage: Option<Usage>,
}

/// Makes a session reachable from the other side, which closes it.
pub fn open(session: Box<dyn SmtSession>, usage: Option<Usage>) -> *mut c_void {
    let handle = Handle {
        interrupter: session.interrupter(),
        inner: UnsafeCell::new(Inner {
            signature: session.signature().to_string(),
            session,
            pool: TermPool::new(),
            terms: Received::default(),
            vars: NewVars::default(),
            assumptions: Vec::new(),
            assumed: Vec::new(),
            out: Vec::new(),
            failure: Failure::default(),
            kind: UNLABELLED.to_string(),
            usage,
        }),
    };
    Box::into_raw(Box::new(handle)).cast()
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
        close: Some(close),
        signature: Some(signature),
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
        interrupt: Some(interrupt),
        last_error: Some(last_error),
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

/// The handle of an opened session, or null with the error.
///
/// # Safety
/// `error` is null or points to a structure whose `size` is set.
pub unsafe fn finish_open<S>(
    opened: Result<S, Failure>,
    error: *mut TrellisError,
    open: impl FnOnce(S) -> *mut c_void,
) -> *mut c_void {
    match opened {
        Ok(session) => open(session),
        Err(mut failure) => {
            // The text has to outlive this call and there is no session to keep it: a failed
            // `open` leaks its message, bounded because engines give up after one.
            let text: &'static str = std::mem::take(&mut failure.text).leak();
            // SAFETY: the caller's promise.
            unsafe {
                failure.lend(error);
                if let Some(error) = error.as_mut() {
                    error.text = TrellisStr::new(text);
                }
            }
            std::ptr::null_mut()
        }
    }
}

/// The configuration of a session as it crosses.
///
/// # Safety
/// `config` is null or valid.
pub unsafe fn read_config(
    config: *const abi::TrellisSessionConfig,
) -> Result<SessionConfig, Failure> {
    // SAFETY: the caller's promise.
    let Some(config) = (unsafe { config.as_ref() }) else {
        return Ok(SessionConfig::default());
    };
    // SAFETY: the caller's promise.
    let options = unsafe { config.options.bytes() };
    let options = if options.is_empty() {
        BTreeMap::new()
    } else {
        serde_json::from_slice(options).map_err(|e| Failure::argument(e.to_string()))?
    };
    Ok(SessionConfig {
        seed: config.seed,
        options,
    })
}

/// Runs `call` on the session's thread.
///
/// # Safety
/// `session` comes from [`open`] and is not closed; this is its thread.
#[inline]
unsafe fn with(session: *mut c_void, call: impl FnOnce(&mut Inner) -> Result<i32, Failure>) -> i32 {
    // SAFETY: only the session's thread makes references to the inner part.
    let inner = unsafe { &mut *(*session.cast::<Handle>()).inner.get() };
    match guard(|| call(inner)) {
        Ok(status) => status,
        Err(failure) => {
            inner.failure = failure;
            inner.failure.code
        }
    }
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

unsafe extern "C" fn close(session: *mut c_void) {
    if session.is_null() {
        return;
    }
    // SAFETY: made by `open`, and the caller closes once.
    let handle = unsafe { Box::from_raw(session.cast::<Handle>()) };
    if handle.interrupter.is_set() {
        // A solver that has been told to stop may take a while to, and an engine that waited for it here would be
        // said not to listen. Its process ends soon, and the solver with it.
        std::mem::forget(handle);
        return;
    }
    let _ = guard(|| {
        drop(handle);
        Ok(())
    });
}

unsafe extern "C" fn signature(session: *mut c_void) -> TrellisStr {
    // SAFETY: the signature never changes after `open`.
    let inner = unsafe { &*(*session.cast::<Handle>()).inner.get() };
    TrellisStr::new(&inner.signature)
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
        with(session, |s| {
            s.assumptions.clear();
            s.assumed.clear();
            s.assumed.extend_from_slice(assumptions.words());
            for &n in &s.assumed {
                s.assumptions.push(s.terms.term(n)?);
            }
            let start = Instant::now();
            let answer = s.session.check(&s.pool, &s.assumptions)?;
            s.record(&answer, start);
            Ok(answer_number(&answer, &mut s.failure.text))
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
        with(session, |s| {
            let core = s.session.unsat_core()?;
            let assumed = s.assumptions.iter().copied();
            let numbers: FxHashMap<Term, u32> = assumed.zip(s.assumed.iter().copied()).collect();
            s.out.clear();
            for t in core {
                let number = numbers.get(&t).ok_or_else(|| SolverError::Backend {
                    solver: s.signature.clone(),
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

unsafe extern "C" fn interrupt(session: *mut c_void, set: u32) {
    // SAFETY: the interrupter is outside the part that the session's thread borrows.
    let interrupter = unsafe { &(*session.cast::<Handle>()).interrupter };
    let _ = guard(|| {
        if set != 0 {
            interrupter.interrupt();
        } else {
            interrupter.clear();
        }
        Ok(())
    });
}

unsafe extern "C" fn last_error(session: *mut c_void, error: *mut TrellisError) {
    // SAFETY: the session's thread, which holds no other reference now.
    unsafe {
        let inner = &*(*session.cast::<Handle>()).inner.get();
        inner.failure.lend(error);
    }
}
