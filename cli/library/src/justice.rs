//! Does a run of a hardware model meet conditions again and again? Each justice property is put as questions of safety, and the
//! pipeline answers those.
//!
//! The programs that watch a property ([`trellis_ivl::justice`]) run through passes and engines like any other program, and their proofs are
//! checked on them by the judge of any other proof: what [`check_justice`](trellis_ivl_certify::check_justice) says of a certificate that comes
//! in one piece. An error of a program that takes a snapshot is a lasso, which [`check_just_lasso`] replays on the model's program.
//!
//! Snapshots and counts take turns, properties as well, with ever more time. A snapshot has both answers, and twice as many latches; a count
//! has proofs only, and counts further whenever that was not enough.

use crate::error::Error;
use crate::judge::Answer;
use crate::load::Loaded;
use crate::results::CheckResult;
use crate::session::Check;
use crate::stop::Stop;
use crate::trace;
use std::time::{Duration, Instant};
use trellis_ivl::justice::{Justice, Measure, cone, observed, watch};
use trellis_ivl::one_loop::OneLoop;
use trellis_ivl::{Loc, Program, Trace, Type};
use trellis_ivl_certify::check_just_lasso;
use trellis_witness::steps::Shown;

/// Wall time of a question's first turn, and how much longer each further one is.
const FIRST_TURN: Duration = Duration::from_secs(2);
const LONGER: u32 = 4;

/// Further than this nobody counts: each round is a latch.
const MOST_ROUNDS: u32 = 1 << 10;

/// What became of a justice property.
pub struct Just {
    /// Its name.
    pub property: String,
    /// What became of it.
    pub status: JustStatus,
    /// The steps of a lasso, for people.
    pub steps: Vec<Shown>,
}

/// What became of a justice property.
pub enum JustStatus {
    /// No run meets its conditions again and again.
    Holds {
        /// By what this would be seen.
        measure: Measure,
        /// The engine that claimed it.
        decided_by: Option<String>,
        /// The backend that checked it.
        checked_by: String,
    },
    /// This run does.
    Violated {
        /// The engine that found it.
        decided_by: Option<String>,
        /// Stem and loop, on the program of the model.
        trace: Trace,
        /// How many steps of the trace are the stem.
        start: usize,
    },
    /// Nobody knows, for this reason.
    Unknown(String),
}

impl Just {
    /// `true`, `false` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        match self.status {
            JustStatus::Holds { .. } => "true",
            JustStatus::Violated { .. } => "false",
            JustStatus::Unknown(_) => "unknown",
        }
    }

    /// Why, in a few words.
    pub fn words(&self) -> String {
        match &self.status {
            JustStatus::Holds {
                measure: Measure::Count(k),
                ..
            } => format!("no run meets all conditions in {k} rounds"),
            JustStatus::Holds {
                measure: Measure::Snapshot(vars),
                ..
            } => format!(
                "no run comes back to what it was, by {} variables, after all conditions were met",
                vars.len()
            ),
            JustStatus::Violated { trace, start, .. } => match trace.steps.len() - start {
                1 => "the last step repeats for ever, and meets all conditions".into(),
                n => format!("the last {n} steps repeat for ever, and meet all conditions"),
            },
            JustStatus::Unknown(why) => why.clone(),
        }
    }

    /// Its row in reports.
    pub(crate) fn row(&self, loaded: &Loaded, justice: &Justice) -> CheckResult {
        let program = loaded.program();
        let (decided_by, certified_by) = match &self.status {
            JustStatus::Holds {
                decided_by,
                checked_by,
                ..
            } => (decided_by.clone(), Some(checked_by.clone())),
            JustStatus::Violated { decided_by, .. } => (decided_by.clone(), Some("replay".into())),
            JustStatus::Unknown(_) => (None, None),
        };
        let verdict = self.verdict();
        let said = |when: &str| (verdict == when).then(|| self.words());
        let text = (verdict == "false").then(|| trace::text(program, &self.steps));
        CheckResult {
            property: self.property.clone(),
            place: crate::results::place(program, justice.span),
            function: program.procs[program.main].name.clone(),
            expression: loaded.sources.excerpt(program, justice.span),
            verdict,
            message: said("false"),
            proof: said("true"),
            reason: said("unknown"),
            decided_by,
            certified_by,
            confirmation: None,
            fingerprint: None,
            trace: text.map(|text| text.lines().map(str::to_string).collect()),
            steps: trace::lines(program, &self.steps),
        }
    }
}

/// How far a property is.
struct Asked<'a> {
    number: usize,
    justice: &'a Justice,
    /// What a snapshot has; nothing once it is known that no engine will say anything of it.
    snapshot: Option<Vec<trellis_ivl::Var>>,
    /// How far is counted; the same.
    count: Option<u32>,
    /// Why nobody knows, if somebody said.
    why: String,
}

/// The model under question.
struct Subject<'a> {
    program: &'a Program,
    graph: &'a OneLoop,
}

impl Check<'_> {
    /// What becomes of the justice properties of a model.
    pub(crate) fn just(&self, loaded: &Loaded, stop: &Stop) -> Result<Vec<Just>, Error> {
        let Some((graph, all)) = loaded.justice() else {
            return Ok(Vec::new());
        };
        let subject = Subject {
            program: loaded.program(),
            graph,
        };
        let mut found: Vec<Just> = (all.iter())
            .map(|justice| Just {
                property: justice.name.clone(),
                status: JustStatus::Unknown("out of time".into()),
                steps: Vec::new(),
            })
            .collect();
        let mut open: Vec<Asked<'_>> = (all.iter().enumerate())
            .map(|(number, justice)| subject.ask(number, justice))
            .collect();
        let mut turn = FIRST_TURN;
        while !open.is_empty() && stop.why().is_none() {
            let mut later = Vec::new();
            for mut asked in std::mem::take(&mut open) {
                let number = asked.number;
                found[number].status = match self.turn_of(&subject, &mut asked, stop, turn)? {
                    Some(decided) => decided,
                    None => {
                        let why = asked.why.clone();
                        if asked.snapshot.is_some() || asked.count.is_some() {
                            later.push(asked);
                        }
                        JustStatus::Unknown(why)
                    }
                };
            }
            open = later;
            turn *= LONGER;
        }
        let detail = self.session.detail;
        for just in &mut found {
            if let JustStatus::Violated { trace, .. } = &just.status {
                just.steps = trace::shown(loaded, trace, detail);
            }
        }
        Ok(found)
    }

    /// Gives a property so much time for a snapshot, and so much for counting.
    fn turn_of(
        &self,
        subject: &Subject<'_>,
        asked: &mut Asked<'_>,
        stop: &Stop,
        turn: Duration,
    ) -> Result<Option<JustStatus>, Error> {
        while let Some(vars) = asked.snapshot.clone() {
            let until = stop.within(turn);
            let measure = Measure::Snapshot(vars);
            match self.watching(subject, asked, measure, &until)? {
                Said::Decided(status) => return Ok(Some(status)),
                // More is remembered then.
                Said::Spurious if subject.remember_all(asked) => {}
                Said::Spurious | Said::Nothing => asked.snapshot = None,
                Said::TooLong => break,
            }
        }
        let began = Instant::now();
        while let Some(k) = asked.count {
            let left = turn.saturating_sub(began.elapsed());
            if left.is_zero() || stop.why().is_some() {
                break;
            }
            match self.watching(subject, asked, Measure::Count(k), &stop.within(left))? {
                Said::Decided(status) => return Ok(Some(status)),
                Said::Spurious if k < MOST_ROUNDS => asked.count = Some(2 * k),
                Said::Spurious => {
                    asked.why = format!("some run meets all conditions in {k} rounds");
                    asked.count = None;
                }
                Said::Nothing => asked.count = None,
                Said::TooLong => break,
            }
        }
        Ok(None)
    }

    /// Asks whether the program that watches by this measure is safe.
    fn watching(
        &self,
        subject: &Subject<'_>,
        asked: &mut Asked<'_>,
        measure: Measure,
        stop: &Stop,
    ) -> Result<Said, Error> {
        let Subject { program, graph } = *subject;
        let watched = watch(program, graph, asked.justice, &measure);
        let round = self.round_until(&watched.program, stop)?;
        let decided_by = self.report().decided_by.clone();
        Ok(match round.found {
            Ok(Answer::True { checked_by, .. }) => Said::Decided(JustStatus::Holds {
                measure,
                decided_by,
                checked_by,
            }),
            Ok(Answer::False { .. }) if matches!(measure, Measure::Count(_)) => Said::Spurious,
            Ok(Answer::False { trace, .. }) => {
                let observed = observed(program, graph, asked.justice);
                let found = observed.lasso(&watched, &trace);
                let checked =
                    found.map(|l| (check_just_lasso(program, graph, asked.justice, &l), l));
                match checked {
                    Some((Ok(_), lasso)) => Said::Decided(JustStatus::Violated {
                        decided_by,
                        trace: observed.original(graph, &lasso.trace),
                        start: lasso.start,
                    }),
                    Some((Err(e), _)) => {
                        asked.why = e.to_string();
                        Said::Spurious
                    }
                    None => {
                        asked.why = "the run takes no snapshot".into();
                        Said::Spurious
                    }
                }
            }
            Err(why) => {
                asked.why = why;
                match stop.why() {
                    Some(_) => Said::TooLong,
                    None => Said::Nothing,
                }
            }
        })
    }
}

/// What was said of a program that watches.
enum Said {
    /// The property is decided.
    Decided(JustStatus),
    /// The error shows nothing.
    Spurious,
    /// Nothing in this time.
    TooLong,
    /// Nothing ever.
    Nothing,
}

impl Subject<'_> {
    fn ask<'a>(&self, number: usize, justice: &'a Justice) -> Asked<'a> {
        let mut vars = cone(self.program, self.graph, justice);
        // Comparing memories is dear, and mostly not needed. A run that comes back but for them is no lasso, and they are remembered then.
        vars.retain(|&v| !matches!(self.program.pool.var_ty(v), Type::Array { .. }));
        Asked {
            number,
            justice,
            snapshot: Some(vars),
            count: Some(1),
            why: "out of time".into(),
        }
    }

    /// Adds to a snapshot what it leaves out, if it does.
    fn remember_all(&self, asked: &mut Asked<'_>) -> bool {
        let all = cone(self.program, self.graph, asked.justice);
        let grows = asked.snapshot.as_ref() != Some(&all);
        if grows {
            asked.snapshot = Some(all);
        }
        grows
    }
}

/// The answer that the justice properties of a model are for the whole, beside that of its safety; nothing where that stands.
pub(crate) fn decides(
    all: &[Just],
    safety: &Result<Answer, String>,
    at: Loc,
) -> Option<Result<Answer, String>> {
    if let Ok(Answer::False { .. }) = safety {
        return None;
    }
    let violated = all.iter().find_map(|just| match &just.status {
        JustStatus::Violated { trace, .. } => Some(Answer::False {
            property: just.property.clone(),
            loc: at,
            trace: trace.clone(),
            long: None,
        }),
        _ => None,
    });
    if let Some(answer) = violated {
        return Some(Ok(answer));
    }
    let unknown = all.iter().find_map(|just| match &just.status {
        JustStatus::Unknown(why) => Some(format!("{}: {why}", just.property)),
        _ => None,
    });
    match (safety, unknown) {
        (Ok(Answer::True { .. }), Some(why)) => Some(Err(why)),
        _ => None,
    }
}
