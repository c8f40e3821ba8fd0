//! An SMT session on the other side.

use super::error::{RemoteInterrupter, answer};
use super::session::{Opener, call, failed};
use crate::wire::terms::{Received, SameVars, Sent};
use crate::wire::{Reader, WireError, values::read_value};
use std::ffi::c_void;
use std::time::{Duration, Instant};
use trellis_ivl::{Term, TermPool, Value, Var};
use trellis_plugin_abi::{self as abi, TrellisSmt, TrellisStr, TrellisWords};
use trellis_solver_api::smt::{QueryKind, SmtBackend, SmtSession, SmtState, SmtStats, UNLABELLED};
use trellis_solver_api::{Answer, Capabilities, Interrupter, Limits, SessionConfig, SolverError};

/// A session.
pub struct RemoteSmt {
    table: TrellisSmt,
    session: *mut c_void,
    signature: String,
    sent: Sent,
    buffer: Vec<u32>,
    numbers: Vec<u32>,
    assumptions: Vec<Term>,
    level: usize,
    state: SmtState,
    kind: QueryKind,
    interrupter: RemoteInterrupter,
    stats: SmtStats,
}

/// Opens a session of `table`, which passed [`abi::handshake::check_smt`].
///
/// # Safety
/// The table obeys the ABI, and its functions and context outlive the session.
pub unsafe fn open(
    table: &TrellisSmt,
    solver: &str,
    config: &SessionConfig,
) -> Result<Box<dyn SmtSession>, SolverError> {
    let opener = Opener {
        context: table.context,
        open: table.open,
        signature: table.signature,
        interrupt: table.interrupt,
    };
    // SAFETY: the caller's promise.
    let (session, signature, interrupter) = unsafe { opener.open(solver, config) }?;
    Ok(Box::new(RemoteSmt {
        table: *table,
        session,
        signature,
        sent: Sent::new(),
        buffer: Vec::new(),
        numbers: Vec::new(),
        assumptions: Vec::new(),
        level: 0,
        state: SmtState::Input,
        kind: UNLABELLED,
        interrupter,
        stats: SmtStats::default(),
    }))
}

impl RemoteSmt {
    #[inline]
    fn status(&self, status: i32, call: &'static str) -> Result<(), SolverError> {
        if status >= 0 {
            return Ok(());
        }
        Err(self.error(status, call))
    }

    fn error(&self, status: i32, call: &'static str) -> SolverError {
        let told = |error: &mut _| call!(self.last_error(error));
        failed(&self.signature, call, status, told)
    }

    /// The number of a term that the other side has.
    #[inline]
    fn number(&mut self, pool: &TermPool, t: Term) -> Result<u32, SolverError> {
        if let Some(number) = self.sent.get(t) {
            return Ok(number);
        }
        self.buffer.clear();
        let number = self.sent.send(pool, t, &mut self.buffer);
        let status = call!(self.add_terms(TrellisWords::new(&self.buffer)));
        self.status(status, "assert")?;
        Ok(number)
    }

    /// The numbers of terms, into `self.numbers`.
    fn number_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<(), SolverError> {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        for &t in terms {
            numbers.push(self.number(pool, t)?);
        }
        self.numbers = numbers;
        Ok(())
    }

    fn malformed(&self, e: WireError) -> SolverError {
        SolverError::Backend {
            solver: self.signature.clone(),
            message: e.to_string(),
        }
    }

    /// A formula that the other side sent.
    fn formula(&self, pool: &mut TermPool, out: TrellisWords) -> Result<Option<Term>, SolverError> {
        // SAFETY: lent until the next call on the session.
        let words = unsafe { out.words() };
        let mut received = Received::default();
        let done = received.receive(pool, &mut SameVars, words);
        done.map_err(|e| self.malformed(e))?;
        Ok(received.terms().last().copied())
    }
}

impl Drop for RemoteSmt {
    fn drop(&mut self) {
        self.interrupter.close();
        call!(self.close());
    }
}

const NO_WORDS: TrellisWords = TrellisWords::new(&[]);

impl SmtSession for RemoteSmt {
    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::from_bits(self.table.capabilities)
    }

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<(), SolverError> {
        self.state = SmtState::Input;
        let number = self.number(pool, t)?;
        let status = call!(self.assert(number));
        self.status(status, "assert")
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.state = SmtState::Input;
        let status = call!(self.push());
        self.status(status, "push")?;
        self.level += 1;
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<(), SolverError> {
        if levels > self.level {
            return Err(SolverError::Misuse {
                call: "pop",
                needs: "as many open levels",
                state: "fewer",
            });
        }
        self.state = SmtState::Input;
        let count = u32::try_from(levels).expect("no more levels than calls of `push`");
        let status = call!(self.pop(count));
        self.status(status, "pop")?;
        self.level -= levels;
        Ok(())
    }

    fn level(&self) -> usize {
        self.level
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.state = SmtState::Input;
        self.interrupter.before_query();
        self.number_all(pool, assumptions)?;
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        let start = Instant::now();
        let status = call!(self.check(TrellisWords::new(&self.numbers)));
        self.status(status, "check")?;
        let words = || match self.error(status, "check") {
            SolverError::Backend { message, .. } => message,
            other => other.to_string(),
        };
        let Some(answer) = answer(status, words) else {
            return Err(SolverError::Backend {
                solver: self.signature.clone(),
                message: format!("it answered {status}, which is no answer"),
            });
        };
        if status == abi::TRELLIS_ANSWER_INTERRUPTED {
            self.interrupter.after_interrupt();
        }
        self.stats.record(self.kind, &answer, start.elapsed());
        self.state = SmtState::after(&answer);
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value, SolverError> {
        self.state.require_sat("value")?;
        let number = self.number(pool, t)?;
        let mut out = NO_WORDS;
        let status = call!(self.value(number, &mut out));
        self.status(status, "value")?;
        // SAFETY: lent until the next call on the session.
        let mut r = Reader::new(unsafe { out.words() });
        let value = read_value(&mut r).map_err(|e| self.malformed(e))?;
        if value.ty() != pool.ty(t) {
            let message = format!("a value of type {} for a {}", value.ty(), pool.ty(t));
            return Err(self.malformed(WireError::IllTyped(message)));
        }
        Ok(value)
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>, SolverError> {
        self.state.require_unsat("unsat_core")?;
        let mut out = NO_WORDS;
        let status = call!(self.unsat_core(&mut out));
        self.status(status, "unsat_core")?;
        // SAFETY: lent until the next call on the session.
        let core = unsafe { out.words() };
        let mut terms = Vec::with_capacity(core.len());
        for number in core {
            let at = self.numbers.iter().position(|n| n == number);
            let what = "assumption";
            let at = at.ok_or_else(|| {
                self.malformed(WireError::NoSuch {
                    what,
                    number: *number,
                })
            })?;
            terms.push(self.assumptions[at]);
        }
        Ok(terms)
    }

    fn generalize(
        &mut self,
        pool: &mut TermPool,
        formulas: &[Term],
        keep: &[Var],
    ) -> Result<Term, SolverError> {
        self.state.require_sat("generalize")?;
        self.number_all(pool, formulas)?;
        let keep: Vec<u32> = keep.iter().map(|v| v.as_u32()).collect();
        let mut out = NO_WORDS;
        let (formulas, keep) = (TrellisWords::new(&self.numbers), TrellisWords::new(&keep));
        let status = call!(self.generalize(formulas, keep, &mut out));
        self.status(status, "generalize")?;
        let formula = self.formula(pool, out)?;
        formula.ok_or_else(|| self.malformed(WireError::Truncated("a formula")))
    }

    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        a: Term,
        b: Term,
    ) -> Result<Option<Term>, SolverError> {
        self.state = SmtState::Input;
        self.interrupter.before_query();
        let (a, b) = (self.number(pool, a)?, self.number(pool, b)?);
        let mut out = NO_WORDS;
        let status = call!(self.interpolate(a, b, &mut out));
        self.status(status, "interpolate")?;
        self.formula(pool, out)
    }

    fn set_kind(&mut self, kind: QueryKind) {
        if self.kind != kind {
            self.kind = kind;
            call!(self.set_kind(TrellisStr::new(kind)));
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        let (wall, conflicts) = limit_numbers(limits);
        call!(self.set_limits(wall, conflicts));
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupter.local.clone()
    }

    fn stats(&self) -> SmtStats {
        self.stats.clone()
    }
}

/// Limits as they cross.
pub fn limit_numbers(limits: Limits) -> (u64, u64) {
    // A wall limit of centuries is none.
    let nanos = |d: Duration| u64::try_from(d.as_nanos()).unwrap_or(abi::TRELLIS_NO_LIMIT);
    (
        limits.wall.map_or(abi::TRELLIS_NO_LIMIT, nanos),
        limits.conflicts.unwrap_or(abi::TRELLIS_NO_LIMIT),
    )
}

/// The SMT backend of a solver plugin.
pub struct PluginSmt {
    name: String,
    table: &'static TrellisSmt,
}

impl PluginSmt {
    /// The backend of a table that passed the handshake.
    ///
    /// # Safety
    /// The table obeys the ABI and stays for ever.
    pub unsafe fn new(name: &str, table: &'static TrellisSmt) -> PluginSmt {
        PluginSmt {
            name: name.to_string(),
            table,
        }
    }
}

// SAFETY: the table is constant, and `open` may be called on any thread.
unsafe impl Send for PluginSmt {}

impl SmtBackend for PluginSmt {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::from_bits(self.table.capabilities)
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>, SolverError> {
        // SAFETY: the promise of `new`.
        unsafe { open(self.table, &self.name, config) }
    }
}
