//! SMT-LIB 2 scripts on any session, and how the answers compare with those recorded.

use crate::TraceError;
use std::time::{Duration, Instant};
use trellis_ivl::TermPool;
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Answer, Capabilities};
use trellis_solver_smtlib::read::{Command, read_script};

/// A script, read once and replayed as often as wanted.
pub struct Script {
    /// Holds its terms.
    pub pool: TermPool,
    commands: Vec<Command>,
}

/// What a replay has seen.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The answers, in order.
    pub answers: Vec<Answer>,
    /// Queries, from 0, that were answered sat here and unsat in the script, or the other way round.
    pub differences: Vec<usize>,
    /// Wall time inside the session, all calls together.
    pub time: Duration,
}

impl Replay {
    /// Number of satisfiable, unsatisfiable and unknown answers.
    pub fn counts(&self) -> [usize; 3] {
        let count = |f: fn(&Answer) -> bool| self.answers.iter().filter(|a| f(a)).count();
        let (sat, unsat) = (count(Answer::is_sat), count(Answer::is_unsat));
        [sat, unsat, self.answers.len() - sat - unsat]
    }
}

impl Script {
    /// Reads a script: one we recorded, or any of QF_ABV.
    pub fn read(text: &str) -> Result<Script, TraceError> {
        let mut pool = TermPool::new();
        let commands = read_script(&mut pool, text)?;
        Ok(Script { pool, commands })
    }

    /// Number of queries.
    pub fn queries(&self) -> usize {
        let is_check = |c: &&Command| matches!(c, Command::Check { .. });
        self.commands.iter().filter(is_check).count()
    }

    /// What each query was answered, where the script says so.
    fn expected(&self) -> Vec<Option<bool>> {
        let mut expected = Vec::new();
        for command in &self.commands {
            match command {
                Command::Check { status, .. } => expected.push(*status),
                Command::Answer(answer) => {
                    if let Some(last) = expected.last_mut() {
                        *last = *answer;
                    }
                }
                _ => {}
            }
        }
        expected
    }

    /// Runs the script on a session in which nothing is asserted, and goes on until a query fails or
    /// `go_on` says that the time is up. Values and cores are read where the script reads them and this
    /// session has them.
    pub fn replay(
        &self,
        session: &mut dyn SmtSession,
        go_on: impl Fn(&Replay) -> bool,
    ) -> Result<Replay, TraceError> {
        let expected = self.expected();
        let has_cores = session.capabilities().contains(Capabilities::UNSAT_CORE);
        let mut replay = Replay::default();
        let start = Instant::now();
        for (number, command) in self.commands.iter().enumerate() {
            let pool = &self.pool;
            let last = replay.answers.last();
            let (is_sat, is_unsat) = (last == Some(&Answer::Sat), last == Some(&Answer::Unsat));
            let result = match command {
                Command::Assert(t) => session.assert(pool, *t),
                Command::Push(n) => (0..*n).try_for_each(|_| session.push()),
                Command::Pop(n) => session.pop(*n),
                Command::Check { assumptions, .. } => {
                    session.check(pool, assumptions).map(|answer| {
                        let query = replay.answers.len();
                        if contradict(&answer, expected[query]) {
                            replay.differences.push(query);
                        }
                        replay.answers.push(answer);
                    })
                }
                Command::GetValue(terms) if is_sat => terms
                    .iter()
                    .try_for_each(|&t| session.value(pool, t).map(drop)),
                Command::GetCore if is_unsat && has_cores => session.unsat_core().map(drop),
                Command::GetValue(_) | Command::GetCore | Command::Answer(_) => Ok(()),
            };
            result.map_err(|error| TraceError::Solver {
                command: number + 1,
                error,
            })?;
            replay.time = start.elapsed();
            if matches!(command, Command::Check { .. }) && !go_on(&replay) {
                break;
            }
        }
        Ok(replay)
    }
}

fn contradict(answer: &Answer, expected: Option<bool>) -> bool {
    match expected {
        Some(true) => answer.is_unsat(),
        Some(false) => answer.is_sat(),
        None => false,
    }
}
