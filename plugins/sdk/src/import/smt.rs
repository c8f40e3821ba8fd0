//! An SMT session on the other side.

use super::session::{PluginSolver, Remote, Table, call, limit_numbers};
use crate::wire::terms::{Received, SameVars, Sent};
use crate::wire::{Reader, WireError, values::read_value};
use trellis_ivl::{Term, TermPool, Value, Var};
use trellis_plugin_abi::{TrellisSmt, TrellisStr, TrellisWords};
use trellis_solver_api::smt::{QueryKind, SmtBackend, SmtSession, UNLABELLED, require_levels};
use trellis_solver_api::{
    Answer, Capabilities, Limits, Result, SessionConfig, SessionState, SmtBooks, SolverError,
    delegate_smt,
};

/// A session.
pub struct RemoteSmt {
    remote: Remote<TrellisSmt>,
    sent: Sent,
    buffer: Vec<u32>,
    numbers: Vec<u32>,
    assumptions: Vec<Term>,
    level: usize,
    books: SmtBooks,
    /// What the other side was told of the kind of queries.
    kind: QueryKind,
}

/// Opens a session of `table`, which passed [`handshake::check_smt`](trellis_plugin_abi::handshake::check_smt).
///
/// # Safety
/// The table obeys the ABI, and its functions and context outlive the session.
pub unsafe fn open(
    table: &TrellisSmt,
    solver: &str,
    config: &SessionConfig,
) -> Result<Box<dyn SmtSession>> {
    // SAFETY: the caller's promise.
    let remote = unsafe { Remote::open(table, solver, config) }?;
    Ok(Box::new(RemoteSmt {
        books: SmtBooks::new(remote.interrupter.local.clone()),
        remote,
        sent: Sent::new(),
        buffer: Vec::new(),
        numbers: Vec::new(),
        assumptions: Vec::new(),
        level: 0,
        kind: UNLABELLED,
    }))
}

impl RemoteSmt {
    #[inline]
    fn status(&self, status: i32, call: &'static str) -> Result<()> {
        self.remote.status(status, call).map(drop)
    }

    /// The number of a term that the other side has.
    #[inline]
    fn number(&mut self, pool: &TermPool, t: Term) -> Result<u32> {
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
    fn number_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<()> {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        for &t in terms {
            numbers.push(self.number(pool, t)?);
        }
        self.numbers = numbers;
        Ok(())
    }

    fn malformed(&self, e: WireError) -> SolverError {
        self.remote.wrong(e.to_string())
    }

    /// A formula that the other side sent.
    fn formula(&self, pool: &mut TermPool, out: TrellisWords) -> Result<Option<Term>> {
        // SAFETY: lent until the next call on the session.
        let words = unsafe { out.words() };
        let mut received = Received::default();
        let done = received.receive(pool, &mut SameVars, words);
        done.map_err(|e| self.malformed(e))?;
        Ok(received.terms().last().copied())
    }
}

const NO_WORDS: TrellisWords = TrellisWords::new(&[]);

impl SmtSession for RemoteSmt {
    delegate_smt!(books: interrupter stats);

    fn signature(&self) -> &str {
        &self.remote.signature
    }

    fn capabilities(&self) -> Capabilities {
        Table::capabilities(&self.remote.table)
    }

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<()> {
        self.books.state = SessionState::Input;
        let number = self.number(pool, t)?;
        let status = call!(self.assert(number));
        self.status(status, "assert")
    }

    fn push(&mut self) -> Result<()> {
        self.books.state = SessionState::Input;
        let status = call!(self.push());
        self.status(status, "push")?;
        self.level += 1;
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<()> {
        require_levels(self.level, levels)?;
        self.books.state = SessionState::Input;
        let count = u32::try_from(levels).expect("no more levels than calls of `push`");
        let status = call!(self.pop(count));
        self.status(status, "pop")?;
        self.level -= levels;
        Ok(())
    }

    fn level(&self) -> usize {
        self.level
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        let query = self.books.begin();
        self.remote.interrupter.before_query();
        self.number_all(pool, assumptions)?;
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        let status = call!(self.check(TrellisWords::new(&self.numbers)));
        let answer = self.remote.answer(status, "check")?;
        self.books.end(&query, &answer);
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        self.books.state.require_sat("value")?;
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

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        self.books.state.require_unsat("unsat_core")?;
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

    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
        self.books.state.require_sat("generalize")?;
        self.number_all(pool, formulas)?;
        let keep: Vec<u32> = keep.iter().map(|v| v.as_u32()).collect();
        let mut out = NO_WORDS;
        let (formulas, keep) = (TrellisWords::new(&self.numbers), TrellisWords::new(&keep));
        let status = call!(self.generalize(formulas, keep, &mut out));
        self.status(status, "generalize")?;
        let formula = self.formula(pool, out)?;
        formula.ok_or_else(|| self.malformed(WireError::Truncated("a formula")))
    }

    fn interpolate(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Result<Option<Term>> {
        self.books.state = SessionState::Input;
        self.remote.interrupter.before_query();
        let (a, b) = (self.number(pool, a)?, self.number(pool, b)?);
        let mut out = NO_WORDS;
        let status = call!(self.interpolate(a, b, &mut out));
        self.status(status, "interpolate")?;
        self.formula(pool, out)
    }

    fn set_kind(&mut self, kind: QueryKind) {
        if self.kind != kind {
            self.kind = kind;
            self.books.set_kind(kind);
            call!(self.set_kind(TrellisStr::new(kind)));
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        let (wall, conflicts) = limit_numbers(limits);
        call!(self.set_limits(wall, conflicts));
    }
}

/// The SMT backend of a solver plugin.
pub type PluginSmt = PluginSolver<TrellisSmt>;

impl SmtBackend for PluginSmt {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Table::capabilities(self.table)
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        // SAFETY: the promise of `new`.
        unsafe { open(self.table, &self.name, config) }
    }
}
