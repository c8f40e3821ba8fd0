//! A cache of answers around any session.
//!
//! A query is what is asserted, in order, and the set of assumptions. The asserted sequence is a node in
//! a tree of all sequences seen, so a query is compared exactly and in constant time however much is
//! asserted, and a level that is popped and pushed again with the same assertions finds its answers.
//!
//! Cores are kept with unsatisfiable answers. Models are not kept: the first value read after a
//! satisfiable answer from the cache solves the query again. Unknown answers are never cached. When
//! switched off, the wrapper only forwards.

use crate::smt::{QueryKind, SmtBackend, SmtSession, SmtStats, UNLABELLED};
use crate::{Answer, Capabilities, Result, SessionConfig, SessionState, SolverError};
use std::collections::{HashMap, HashSet};
use std::time::Instant;
use trellis_ivl::{Term, TermPool, Value, Var};

/// A sequence of assertions: a node in the tree of sequences.
type Sequence = u32;

enum Cached {
    Sat,
    Unsat { core: Vec<Term> },
}

/// A session with a cache of its answers.
pub struct CachedSession {
    inner: Box<dyn SmtSession>,
    enabled: bool,
    /// The sequence asserted at the end of each open level; the last one is the current.
    levels: Vec<Sequence>,
    /// A sequence with one more assertion.
    tree: HashMap<(Sequence, Term), Sequence>,
    answers: HashMap<(Sequence, Vec<Term>), Cached>,
    /// The last answer came from the cache: its assumptions, and its core if unsatisfiable.
    from_cache: Option<(Vec<Term>, Vec<Term>)>,
    state: SessionState,
    kind: QueryKind,
    hits: SmtStats,
}

impl CachedSession {
    /// Wraps a session in which nothing is asserted yet.
    pub fn new(inner: Box<dyn SmtSession>) -> CachedSession {
        CachedSession {
            inner,
            enabled: true,
            levels: vec![0],
            tree: HashMap::new(),
            answers: HashMap::new(),
            from_cache: None,
            state: SessionState::Input,
            kind: UNLABELLED,
            hits: SmtStats::default(),
        }
    }

    /// Switches the cache off or on again; what it knows stays.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    fn current(&self) -> Sequence {
        *self.levels.last().expect("level 0 is always there")
    }

    fn key(&self, assumptions: &[Term]) -> (Sequence, Vec<Term>) {
        let mut set = assumptions.to_vec();
        set.sort_unstable();
        set.dedup();
        (self.current(), set)
    }

    /// Solves a query whose answer came from the cache, so that its model can be read.
    fn materialise(&mut self, pool: &TermPool, call: &'static str) -> Result<()> {
        let Some((assumptions, _)) = self.from_cache.take() else {
            return Ok(());
        };
        match self.inner.check(pool, &assumptions)? {
            Answer::Sat => Ok(()),
            Answer::Unknown(reason) => {
                self.from_cache = Some((assumptions, Vec::new()));
                Err(SolverError::GaveUp { call, reason })
            }
            Answer::Unsat => Err(SolverError::Backend {
                solver: self.inner.signature().to_string(),
                message: "a query was satisfiable before and is not any more".to_string(),
            }),
        }
    }
}

impl SmtSession for CachedSession {
    crate::delegate_smt!(inner: signature capabilities level set_limits interrupter);

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<()> {
        self.inner.assert(pool, t)?;
        let next = self.tree.len() as Sequence + 1;
        let current = self.current();
        let sequence = *self.tree.entry((current, t)).or_insert(next);
        *self.levels.last_mut().expect("level 0 is always there") = sequence;
        self.state = SessionState::Input;
        Ok(())
    }

    fn push(&mut self) -> Result<()> {
        self.inner.push()?;
        self.levels.push(self.current());
        self.state = SessionState::Input;
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<()> {
        self.inner.pop(levels)?;
        self.levels.truncate(self.levels.len() - levels);
        self.state = SessionState::Input;
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        self.state = SessionState::Input;
        self.from_cache = None;
        // An interrupt stops cached answers too: an engine that is to stop must not go on with them.
        let use_cache = self.enabled && !self.inner.interrupter().is_set();
        let key = self.key(assumptions);
        if use_cache && let Some(cached) = self.answers.get(&key) {
            let start = Instant::now();
            let (answer, core) = match cached {
                Cached::Sat => (Answer::Sat, Vec::new()),
                Cached::Unsat { core } => (Answer::Unsat, core.clone()),
            };
            // The core in the order of these assumptions.
            let mut left: HashSet<Term> = core.into_iter().collect();
            let ordered = assumptions
                .iter()
                .copied()
                .filter(|t| left.remove(t))
                .collect();
            self.from_cache = Some((assumptions.to_vec(), ordered));
            self.state = SessionState::after(&answer);
            self.hits.record(self.kind, &answer, start.elapsed());
            self.hits.kinds.entry(self.kind).or_default().cached += 1;
            return Ok(answer);
        }
        let answer = self.inner.check(pool, assumptions)?;
        self.state = SessionState::after(&answer);
        if self.enabled {
            match answer {
                Answer::Sat => {
                    self.answers.insert(key, Cached::Sat);
                }
                Answer::Unsat if self.capabilities().contains(Capabilities::UNSAT_CORE) => {
                    let core = self.inner.unsat_core()?;
                    self.answers.insert(key, Cached::Unsat { core });
                }
                _ => {}
            }
        }
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value> {
        self.state.require_sat("value")?;
        self.materialise(pool, "value")?;
        self.inner.value(pool, t)
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        self.state.require_unsat("unsat_core")?;
        match &self.from_cache {
            Some((_, core)) => Ok(core.clone()),
            None => self.inner.unsat_core(),
        }
    }

    fn generalize(&mut self, pool: &mut TermPool, formulas: &[Term], keep: &[Var]) -> Result<Term> {
        self.state.require_sat("generalize")?;
        self.materialise(pool, "generalize")?;
        self.inner.generalize(pool, formulas, keep)
    }

    fn interpolate(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Result<Option<Term>> {
        self.state = SessionState::Input;
        self.inner.interpolate(pool, a, b)
    }

    fn set_kind(&mut self, kind: QueryKind) {
        self.kind = kind;
        self.inner.set_kind(kind);
    }

    /// The figures of the inner session and the hits. A query solved again for its model counts twice.
    fn stats(&self) -> SmtStats {
        let mut stats = self.inner.stats();
        for (&kind, hits) in &self.hits.kinds {
            stats.kinds.entry(kind).or_default().add(hits);
        }
        stats
    }
}

/// Wraps every session of a backend.
pub struct CachedBackend<B>(pub B);

impl<B: SmtBackend> SmtBackend for CachedBackend<B> {
    crate::describe!(as 0);

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        Ok(Box::new(CachedSession::new(self.0.session(config)?)))
    }
}
