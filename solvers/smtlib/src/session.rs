//! A session over a pipe.
//!
//! `assert`, `push` and `pop` only change what is wanted; `check` makes the process have it
//! ([`mirror`](crate::mirror)) and asks. A process that dies, hangs beyond the limit or answers nonsense is
//! killed; the next `check` starts another one, which gets everything that is asserted.

use crate::backend::capabilities;
use crate::dialect::{Cores, Dialect};
use crate::mirror::Mirror;
use crate::print::var_name;
use crate::process::{Failure, Process};
use crate::sexpr::{Forest, View};
use crate::value::{read_core, read_values};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use trellis_ivl::{Term, TermPool, Type, Value, Var};
use trellis_solver_api::smt::{QueryKind, SmtSession, SmtState, SmtStats, UNLABELLED};
use trellis_solver_api::{
    Answer, Capabilities, Interrupter, Limits, SolverError, StopClock, UnknownReason,
};
use trellis_solver_support::{AssertionStack, ModelCache};

/// How long a solver may take to say its version.
const START: Duration = Duration::from_secs(20);

/// One process of an SMT-LIB program at a time.
pub struct PipeSession {
    name: String,
    signature: String,
    program: PathBuf,
    arguments: Vec<String>,
    dialect: Dialect,
    seed: u64,
    running: Option<(Process, Mirror)>,
    stack: AssertionStack,
    assumptions: Vec<Term>,
    core: Option<Vec<Term>>,
    core_names: FxHashMap<(String, bool), Term>,
    model: ModelCache,
    state: SmtState,
    limits: Limits,
    interrupter: Interrupter,
    kind: QueryKind,
    stats: SmtStats,
}

impl PipeSession {
    pub(crate) fn new(
        name: String,
        program: PathBuf,
        arguments: Vec<String>,
        dialect: Dialect,
        seed: u64,
    ) -> Result<PipeSession, SolverError> {
        let mut session = PipeSession {
            signature: name.clone(),
            name,
            program,
            arguments,
            dialect,
            seed,
            running: None,
            stack: AssertionStack::default(),
            assumptions: Vec::new(),
            core: None,
            core_names: FxHashMap::default(),
            model: ModelCache::new(),
            state: SmtState::Input,
            limits: Limits::NONE,
            interrupter: Interrupter::new(),
            kind: UNLABELLED,
            stats: SmtStats::default(),
        };
        session.start()?;
        session.signature = session.ask_version().map_err(|failure| {
            session.running = None;
            session.unavailable(format!("it does not speak SMT-LIB: {failure}"))
        })?;
        Ok(session)
    }

    fn unavailable(&self, reason: String) -> SolverError {
        SolverError::Unavailable {
            solver: self.name.clone(),
            reason: format!("{}: {reason}", self.program.display()),
        }
    }

    fn start(&mut self) -> Result<(), SolverError> {
        let mut process = Process::start(&self.program, &self.arguments)
            .map_err(|e| self.unavailable(format!("the program does not start: {e}")))?;
        let dialect = &self.dialect;
        let mut prelude =
            String::from("(set-option :print-success false)\n(set-option :produce-models true)\n");
        prelude.push_str(match dialect.cores {
            Cores::Assumptions => "(set-option :produce-unsat-assumptions true)\n",
            Cores::Named => "(set-option :produce-unsat-cores true)\n",
            Cores::None => "",
        });
        if dialect.global_declarations {
            prelude.push_str("(set-option :global-declarations true)\n");
        }
        for option in dialect.options {
            prelude.push_str(&format!("(set-option {option})\n"));
        }
        if let Some(key) = dialect.seed
            && self.seed != 0
        {
            // Solvers take 32 bits at most, some only the positive half.
            prelude.push_str(&format!("(set-option {key} {})\n", self.seed & 0x7fff_ffff));
        }
        prelude.push_str(&format!("(set-logic {})\n", dialect.logic));
        process.send(&prelude);
        *self.stats.counters.entry("processes").or_default() += 1;
        self.stack.restarted();
        self.running = Some((process, Mirror::new(&self.dialect)));
        Ok(())
    }

    fn ask_version(&mut self) -> Result<String, Failure> {
        let clock = StopClock::start(Interrupter::new(), &Limits::wall(START));
        let (process, _) = self.running.as_mut().expect("just started");
        process.send("(get-info :version)\n");
        let reply = process.receive(&clock)?;
        let forest = Forest::parse(&reply).map_err(|e| Failure::Broken(e.to_string()))?;
        if let [root] = *forest.roots()
            && let Some(&[_, version]) = forest.list(root)
            && let View::Text(version) = forest.view(version)
        {
            return Ok(format!("{} {version} over a pipe", self.dialect.name));
        }
        Err(process.broken(&format!("its version is `{reply}`")))
    }

    fn backend_error(&self, message: String) -> SolverError {
        SolverError::Backend {
            solver: self.signature.clone(),
            message,
        }
    }

    /// Sends the query and reads the answer. The process is of no use after an error or a stop.
    fn ask(&mut self, pool: &TermPool, clock: &StopClock) -> Result<Answer, Failure> {
        let (process, mirror) = self.running.as_mut().expect("started by `check`");
        let mut out = String::new();
        mirror.sync(&mut out, pool, &mut self.stack);
        if self.stack.refuted() {
            process.send(&out);
            self.core = Some(Vec::new());
            return Ok(Answer::Unsat);
        }
        self.core_names = mirror.check(&mut out, pool, &self.assumptions);
        process.send(&out);
        let reply = process.receive(clock)?;
        match reply.as_str() {
            "sat" => Ok(Answer::Sat),
            "unsat" => Ok(Answer::Unsat),
            "unknown" => {
                let mut why = "the solver answered unknown".to_string();
                if self.dialect.reason_unknown {
                    process.send("(get-info :reason-unknown)\n");
                    why = process.receive(clock)?;
                }
                Ok(Answer::Unknown(reason(&why)))
            }
            other => Err(process.broken(&format!("it answered `{}` to a query", excerpt(other)))),
        }
    }

    /// Asks for something else than a query.
    fn read(&mut self, command: &str) -> Result<String, SolverError> {
        let clock = StopClock::start(self.interrupter.clone(), &self.limits);
        let Some((process, _)) = &mut self.running else {
            return Err(self.backend_error("the process with the answer is gone".to_string()));
        };
        process.send(command);
        process.receive(&clock).map_err(|failure| {
            self.running = None;
            let command = command.split_whitespace().next().unwrap_or_default();
            self.backend_error(format!("no answer to {command}: {failure}"))
        })
    }

    fn read_core(&mut self) -> Result<Vec<Term>, SolverError> {
        let command = match self.dialect.cores {
            _ if self.assumptions.is_empty() => return Ok(Vec::new()),
            Cores::Assumptions => "(get-unsat-assumptions)\n",
            Cores::Named => "(get-unsat-core)\n",
            Cores::None => return Err(self.missing(Capabilities::UNSAT_CORE, "read a core")),
        };
        let reply = self.read(command)?;
        let known_before = self.dialect.forgets_refutations;
        if known_before.is_some_and(|message| reply.contains(message)) {
            return Ok(Vec::new());
        }
        let names = read_core(&reply)
            .map_err(|e| self.backend_error(format!("a core that cannot be read: {e}")))?;
        let mut core = FxHashSet::default();
        for name in names {
            let Some(&t) = self.core_names.get(&name) else {
                let message = format!("`{}` in a core was not assumed", name.0);
                return Err(self.backend_error(message));
            };
            core.insert(t);
        }
        let mut ordered: Vec<Term> = Vec::with_capacity(core.len());
        for &t in &self.assumptions {
            if core.remove(&t) {
                ordered.push(t);
            }
        }
        Ok(ordered)
    }

    /// The values of the variables that the process knows.
    fn read_vars(
        &mut self,
        pool: &TermPool,
        vars: &[Var],
    ) -> Result<Vec<Option<Value>>, SolverError> {
        let mirror = self.running.as_ref().map(|(_, mirror)| mirror);
        let knows = |v: &Var| mirror.is_some_and(|m| m.knows(*v));
        let asked: Vec<bool> = vars.iter().map(knows).collect();
        let named: Vec<Var> = (vars.iter().zip(&asked))
            .filter_map(|(&v, &asked)| asked.then_some(v))
            .collect();
        if named.is_empty() {
            return Ok(vec![None; vars.len()]);
        }
        let names: Vec<String> = named.iter().map(|&v| var_name(pool, v)).collect();
        let types: Vec<Type> = named.iter().map(|&v| pool.var_ty(v)).collect();
        let reply = self.read(&format!("(get-value ({}))\n", names.join(" ")))?;
        let values = read_values(&reply, &types).map_err(|e| {
            self.running = None;
            self.backend_error(format!("a model that cannot be read: {e}"))
        })?;
        let mut values = values.into_iter();
        Ok(asked
            .into_iter()
            .map(|a| if a { values.next() } else { None })
            .collect())
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(1000).collect()
}

/// What a solver means by its reason.
fn reason(text: &str) -> UnknownReason {
    let lower = text.to_ascii_lowercase();
    if lower.contains("timeout") {
        UnknownReason::Time
    } else if lower.contains("memout") || lower.contains("memory") {
        UnknownReason::Memory
    } else {
        UnknownReason::Incomplete(excerpt(text))
    }
}

impl SmtSession for PipeSession {
    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        capabilities(&self.dialect)
    }

    fn assert(&mut self, pool: &TermPool, t: Term) -> Result<(), SolverError> {
        AssertionStack::formula(pool, "assert", t)?;
        self.state = SmtState::Input;
        self.stack.assert(t);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.state = SmtState::Input;
        self.stack.push();
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<(), SolverError> {
        self.stack.pop(levels)?;
        self.state = SmtState::Input;
        Ok(())
    }

    fn level(&self) -> usize {
        self.stack.level()
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let start = Instant::now();
        self.state = SmtState::Input;
        for &t in assumptions {
            AssertionStack::formula(pool, "check", t)?;
        }
        self.model.clear();
        self.assumptions = assumptions.to_vec();
        self.core = None;
        let clock = StopClock::start(self.interrupter.clone(), &self.limits);
        let answer = match clock.stop_reason() {
            Some(reason) => Answer::Unknown(reason),
            None => {
                if self.running.is_none() {
                    self.start()?;
                }
                match self.ask(pool, &clock) {
                    Ok(Answer::Unsat) if self.dialect.forgets_refutations.is_some() => {
                        let core = self.read_core()?;
                        if core.is_empty() {
                            self.stack.refute();
                        }
                        self.core = Some(core);
                        Answer::Unsat
                    }
                    Ok(answer) => answer,
                    Err(Failure::Stopped(reason)) => {
                        self.running = None;
                        Answer::Unknown(reason)
                    }
                    Err(Failure::Broken(message)) => {
                        self.running = None;
                        return Err(self.backend_error(message));
                    }
                }
            }
        };
        self.state = SmtState::after(&answer);
        self.stats.record(self.kind, &answer, start.elapsed());
        Ok(answer)
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Result<Value, SolverError> {
        self.state.require_sat("value")?;
        let mut model = std::mem::take(&mut self.model);
        let value = model.value(pool, t, |vars| self.read_vars(pool, vars));
        self.model = model;
        value
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>, SolverError> {
        self.state.require_unsat("unsat_core")?;
        if self.core.is_none() {
            self.core = Some(self.read_core()?);
        }
        Ok(self.core.clone().unwrap_or_default())
    }

    fn set_kind(&mut self, kind: QueryKind) {
        self.kind = kind;
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    fn stats(&self) -> SmtStats {
        self.stats.clone()
    }
}
