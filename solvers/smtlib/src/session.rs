//! A solver over a pipe.
//!
//! A query makes the process have what is wanted ([`mirror`](crate::mirror)) and asks. A process that dies, hangs
//! beyond the limit or answers nonsense is killed; the next query starts another one, which gets everything
//! that is asserted.

use crate::backend::capabilities;
use crate::dialect::{Cores, Dialect};
use crate::mirror::Mirror;
use crate::print::var_name;
use crate::process::{Failure, Process};
use crate::sexpr::{Forest, View};
use crate::value::{read_core, read_values};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use trellis_ivl::{Term, TermPool, Type, Value, Var};
use trellis_solver_api::{
    Answer, Capabilities, Interrupter, Limits, Result, SolverError, StopClock, UnknownReason,
};
use trellis_solver_support::{AssertionStack, ForeignSolver, Question};

/// How long a solver may take to say its version.
const START: Duration = Duration::from_secs(20);

/// One process of an SMT-LIB program at a time.
pub(crate) struct PipeSolver {
    name: String,
    signature: String,
    program: PathBuf,
    arguments: Vec<String>,
    dialect: Dialect,
    seed: u64,
    running: Option<(Process, Mirror)>,
    assumptions: Vec<Term>,
    core: Option<Vec<Term>>,
    core_names: FxHashMap<(String, bool), Term>,
    /// Processes started.
    processes: u64,
}

impl PipeSolver {
    pub(crate) fn new(
        name: String,
        program: PathBuf,
        arguments: Vec<String>,
        dialect: Dialect,
        seed: u64,
    ) -> Result<PipeSolver> {
        let mut session = PipeSolver {
            signature: name.clone(),
            name,
            program,
            arguments,
            dialect,
            seed,
            running: None,
            assumptions: Vec::new(),
            core: None,
            core_names: FxHashMap::default(),
            processes: 0,
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

    fn start(&mut self) -> Result<()> {
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
        self.processes += 1;
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
    fn ask(
        &mut self,
        pool: &TermPool,
        stack: &mut AssertionStack,
        clock: &StopClock,
    ) -> Result<Answer, Failure> {
        let (process, mirror) = self.running.as_mut().expect("started by `check`");
        let mut out = String::new();
        mirror.sync(&mut out, pool, stack);
        if stack.refuted() {
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
    fn read(&mut self, command: &str, clock: &StopClock) -> Result<String> {
        let Some((process, _)) = &mut self.running else {
            return Err(self.backend_error("the process with the answer is gone".to_string()));
        };
        process.send(command);
        process.receive(clock).map_err(|failure| {
            self.running = None;
            let command = command.split_whitespace().next().unwrap_or_default();
            self.backend_error(format!("no answer to {command}: {failure}"))
        })
    }

    fn ask_core(&mut self, clock: &StopClock) -> Result<Vec<Term>> {
        let command = match self.dialect.cores {
            _ if self.assumptions.is_empty() => return Ok(Vec::new()),
            Cores::Assumptions => "(get-unsat-assumptions)\n",
            Cores::Named => "(get-unsat-core)\n",
            Cores::None => {
                return Err(SolverError::Unsupported {
                    solver: self.signature.clone(),
                    missing: Capabilities::UNSAT_CORE,
                    what: "read a core".into(),
                });
            }
        };
        let reply = self.read(command, clock)?;
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

impl ForeignSolver for PipeSolver {
    fn signature(&self) -> &str {
        &self.signature
    }

    fn capabilities(&self) -> Capabilities {
        capabilities(&self.dialect)
    }

    fn decide(&mut self, stack: &mut AssertionStack, asked: &Question<'_>) -> Result<Answer> {
        self.assumptions = asked.assumptions.to_vec();
        self.core = None;
        if self.running.is_none() {
            self.start()?;
            stack.restarted();
        }
        match self.ask(asked.pool, stack, asked.clock) {
            Ok(Answer::Unsat) if self.dialect.forgets_refutations.is_some() => {
                let core = self.ask_core(asked.clock)?;
                if core.is_empty() {
                    stack.refute();
                }
                self.core = Some(core);
                Ok(Answer::Unsat)
            }
            Ok(answer) => Ok(answer),
            Err(Failure::Stopped(reason)) => {
                self.running = None;
                Ok(Answer::Unknown(reason))
            }
            Err(Failure::Broken(message)) => {
                self.running = None;
                Err(self.backend_error(message))
            }
        }
    }

    fn read_vars(
        &mut self,
        pool: &TermPool,
        vars: &[Var],
        clock: &StopClock,
    ) -> Result<Vec<Option<Value>>> {
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
        let reply = self.read(&format!("(get-value ({}))\n", names.join(" ")), clock)?;
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

    fn read_core(&mut self, clock: &StopClock) -> Result<Vec<Term>> {
        if self.core.is_none() {
            self.core = Some(self.ask_core(clock)?);
        }
        Ok(self.core.clone().unwrap_or_default())
    }

    fn counters(&self) -> BTreeMap<&'static str, u64> {
        BTreeMap::from([("processes", self.processes)])
    }
}
