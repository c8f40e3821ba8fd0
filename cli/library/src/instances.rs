//! Every property at every place where it may be violated, and what became of each.
//!
//! An execution ends at the first error, and error locations have no successors. So whether one of them is reachable does not
//! depend on what the others are called: the program in which some are plain locations has the same executions, and both
//! proofs and traces about those that are left are about the program itself. That is how violations are set aside and the search goes on, and
//! how one property is asked alone.
//!
//! All that is open is asked at once, since a proof of all is seldom harder than one of each. Where that takes too long, each is asked
//! alone for a while, then all that is still open again, with ever more time: a property that nobody understands does
//! not keep the others from an answer.

use crate::error::Error;
use crate::events::{Event, Observer};
use crate::hardware::Findings;
use crate::judge::Answer;
use crate::load::Loaded;
use crate::reasons::INCOMPLETE;
use crate::report::Report;
use crate::round::Round;
use crate::session::Check;
use crate::stop::Stop;
use crate::{results, trace};
use std::collections::BTreeMap;
use std::time::Duration;
use trellis_frontend_c::library::is_model;
use trellis_ivl::{Loc, LocKind, Program, Span};
use trellis_ivl_certify::check_unsafe;
use trellis_witness::confirm::Confirmation;
use trellis_witness::steps::Shown;

/// Wall time of the first turn of all that is asked at once, and of one property alone; and how much longer further ones are.
const FIRST_TURN: Duration = Duration::from_secs(10);
const FIRST_ALONE: Duration = Duration::from_secs(1);
const LONGER: u32 = 4;
/// One property alone has at least so much, even if there are many.
const LEAST_ALONE: Duration = Duration::from_millis(200);

/// After a violation, whoever waits for it is not kept waiting for much longer than it took: the least time that the
/// search goes on, and how many times as long as the check has taken so far.
const LEAST_MORE: Duration = Duration::from_secs(10);
const MORE: u32 = 2;

/// A property at a place.
pub struct Instance {
    /// The property.
    pub property: String,
    /// Its error locations; what is done once in a source may be several times in the program.
    pub locs: Vec<Loc>,
    /// What became of it.
    pub status: Status,
    /// The steps to the error, for people.
    pub steps: Vec<Shown>,
    /// What the compiled program did, where it was run.
    pub confirmation: Option<Confirmation>,
}

/// What became of a property at a place.
pub enum Status {
    /// No execution violates it, unless one violates another before.
    True {
        /// The engine that claimed it.
        decided_by: Option<String>,
        /// The backend that checked it.
        checked_by: String,
    },
    /// This execution does.
    False {
        /// The engine that found it.
        decided_by: Option<String>,
        /// The error with its trace.
        answer: Box<Answer>,
    },
    /// Nobody knows, for this reason.
    Unknown(String),
}

impl Instance {
    /// Its place.
    pub fn span(&self, program: &Program) -> Span {
        program.locs[self.locs[0]].span
    }

    /// `true`, `false` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        match self.status {
            Status::True { .. } => "true",
            Status::False { .. } => "false",
            Status::Unknown(_) => "unknown",
        }
    }
}

/// By what instances are told apart, in the order of the source.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    /// What the models of the library do is of less interest than the program's own.
    in_library: bool,
    file: Option<&'a str>,
    span: Span,
    property: &'a str,
    /// Without a place each is one of its own.
    own: Option<Loc>,
}

/// The instances of a program, in the order of its source.
fn instances(program: &Program) -> Vec<Instance> {
    let mut found: BTreeMap<Key<'_>, Vec<Loc>> = BTreeMap::new();
    for l in program.errors() {
        let data = &program.locs[l];
        let LocKind::Error(property) = &data.kind else {
            continue;
        };
        let file = data.span.file().and_then(|f| program.files.get(f));
        let key = Key {
            in_library: file.is_some_and(|f| is_model(f)),
            file: file.map(String::as_str),
            span: data.span,
            property,
            own: file.is_none().then_some(l),
        };
        found.entry(key).or_default().push(l);
    }
    let instance = |(key, locs): (Key<'_>, Vec<Loc>)| Instance {
        property: key.property.into(),
        locs,
        status: Status::Unknown(String::new()),
        steps: Vec::new(),
        confirmation: None,
    };
    found.into_iter().map(instance).collect()
}

/// How many violations are looked for, and how.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The first is enough.
    First,
    /// All, but no more than so many.
    Most(usize),
    /// All that are found one after the other, whatever time that takes; nothing is asked alone.
    Plain,
}

/// What became of a program.
pub(crate) struct Searched {
    /// What the verdict rests on: the first violation, or the proof.
    pub round: Round,
    /// All instances.
    pub instances: Vec<Instance>,
    /// How many proofs there are, where everything holds.
    pub proofs: usize,
    /// The proof of what holds beside a violation.
    pub rest: Option<Round>,
}

/// What was said of some instances.
enum Said {
    /// They hold, or as far as the model goes.
    Holds,
    /// One is violated.
    Violated,
    /// Nothing in this time.
    TooLong(String),
    /// Nothing ever.
    Nothing(String),
}

struct Search<'a> {
    check: &'a Check<'a>,
    loaded: &'a Loaded,
    program: &'a Program,
    /// When the whole is over, and when the search is.
    whole: &'a Stop,
    stop: Stop,
    extent: Extent,
    instances: Vec<Instance>,
    /// By number: those that are not decided.
    open: Vec<usize>,
    /// The first violation, the first proof, and the last round that asked for all in vain; with what the report says of each.
    violation: Option<(Round, Report)>,
    proof: Option<(Round, Report)>,
    in_vain: Option<(Round, Report)>,
    violated: usize,
    proofs: usize,
    /// Why nothing can be proved: the model has gaps that executions reach. From then on they end there.
    gap: Option<String>,
}

impl Searched {
    /// A program without properties, of which everything holds.
    pub(crate) fn nothing(program: &Program) -> Searched {
        let holds = Answer::True {
            invariants: BTreeMap::new(),
            contracts: None,
            certificate: BTreeMap::new(),
            about_cells: false,
            k: 1,
            visits: None,
            checked_by: "no proof was needed".into(),
        };
        Searched {
            round: Round {
                found: Ok(holds),
                ..Round::none(program.clone(), String::new())
            },
            instances: Vec::new(),
            proofs: 1,
            rest: None,
        }
    }
}

impl Check<'_> {
    /// Decides the properties of a program.
    pub(crate) fn search(&self, loaded: &mut Loaded, stop: &Stop) -> Result<Searched, Error> {
        let extent = match self.session.max_errors {
            _ if loaded.is_hardware() => Extent::Plain,
            1 => Extent::First,
            most => Extent::Most(most),
        };
        let errors = loaded.program().errors().count();
        let several = matches!(extent, Extent::Most(_)) && errors > 1;
        let turn = match several {
            true => part_of(stop, FIRST_TURN),
            false => stop.clone(),
        };
        let first = self.round_until(loaded.program(), &turn)?;
        let first = self.try_vague(loaded, first)?;
        // What execution has confirmed is known of one error, and not of the next.
        let extent = match loaded.program().errors().count() == errors {
            true => extent,
            false => Extent::First,
        };
        let instances = instances(loaded.program());
        let mut search = Search {
            check: self,
            loaded,
            program: loaded.program(),
            whole: stop,
            stop: stop.clone(),
            extent,
            open: (0..instances.len()).collect(),
            instances,
            violation: None,
            proof: None,
            in_vain: None,
            violated: 0,
            proofs: 0,
            gap: None,
        };
        let all = search.open.clone();
        let said = search.hear(&all, first, &turn)?;
        search.go_on(said)?;
        let Search {
            instances,
            violation,
            proof,
            in_vain,
            violated,
            proofs,
            ..
        } = search;
        let open = first_reason(&instances);
        let (decided, rest) = match (violation, &open) {
            (Some(violation), _) => (Some(violation), proof),
            (None, Some(_)) => (in_vain.or(proof), None),
            (None, None) => (proof.or(in_vain), None),
        };
        let (mut round, report) =
            decided.ok_or_else(|| Error::Internal("nothing was asked".into()))?;
        *self.report() = report;
        if let (Some(why), true) = (open, proofs > 0 && violated == 0) {
            self.report().decided_by = None;
            round.found = Err(why);
        }
        Ok(Searched {
            round,
            instances,
            proofs,
            rest: rest.map(|(round, _)| round),
        })
    }
}

/// A turn of all at once: not all of the time that is left, since it may be in vain.
fn part_of(stop: &Stop, turn: Duration) -> Stop {
    let half = stop.left().map(|left| left / 2);
    stop.within(half.map_or(turn, |half| half.min(turn)))
}

/// Why the first that is not decided is not.
fn first_reason(instances: &[Instance]) -> Option<String> {
    instances.iter().find_map(|i| match &i.status {
        Status::Unknown(why) => Some(why.clone()),
        _ => None,
    })
}

impl Search<'_> {
    /// Asks on, until everything is decided or the time is over.
    fn go_on(&mut self, mut said: Said) -> Result<(), Error> {
        let (mut turn, mut alone) = (FIRST_TURN, FIRST_ALONE);
        loop {
            match said {
                Said::Holds => return Ok(()),
                Said::Violated if self.open.is_empty() => return Ok(()),
                Said::Violated => {}
                Said::Nothing(why)
                    if self.looks_for_all() && self.gap.is_none() && why.contains(INCOMPLETE) =>
                {
                    self.leave(&why);
                    self.gap = Some(why);
                    self.stop = self.patience();
                }
                Said::TooLong(why) | Said::Nothing(why) => {
                    self.leave(&self.gap.clone().unwrap_or(why));
                    if !self.looks_for_all() || self.gap.is_some() || self.open.len() == 1 {
                        return Ok(());
                    }
                    if self.stop.why().is_none() {
                        self.alone(alone, turn)?;
                    }
                    (turn, alone) = (turn * LONGER, alone * LONGER);
                    if self.open.is_empty() {
                        return Ok(());
                    }
                }
            }
            if let Some(why) = self.stop.why() {
                if self.violated > 0 && self.whole.why().is_none() {
                    self.leave_late(
                        "no answer in the time that the search goes on after a violation",
                    );
                } else if self.in_vain.is_none() {
                    self.leave(why);
                }
                return Ok(());
            }
            if let Some(why) = self.enough() {
                self.leave(&why);
                return Ok(());
            }
            let limit = match (self.extent, self.open.len()) {
                (Extent::Most(_), 2..) => part_of(&self.stop, turn),
                _ => self.stop.clone(),
            };
            said = self.ask(&self.open.clone(), &limit)?;
        }
    }

    fn looks_for_all(&self) -> bool {
        matches!(self.extent, Extent::Most(_))
    }

    /// Asks each that is open alone, until the time of this turn is over.
    fn alone(&mut self, alone: Duration, turn: Duration) -> Result<(), Error> {
        let until = self.stop.within(turn);
        for number in self.open.clone() {
            if until.why().or(self.stop.why()).is_some() || self.enough().is_some() {
                return Ok(());
            }
            // Those that come later have their part, too.
            let rest = self.open.iter().filter(|&&n| n >= number).count().max(1);
            let share = self.stop.left().map(|left| left / rest as u32);
            let left = share.map_or(alone, |share| share.max(LEAST_ALONE).min(alone));
            let said = self.ask(&[number], &until.within(left))?;
            if let Said::TooLong(why) | Said::Nothing(why) = &said {
                self.instances[number].status = Status::Unknown(why.clone());
            }
            if let Said::Nothing(_) = said {
                self.open.retain(|&n| n != number);
            }
        }
        Ok(())
    }

    /// Why no more violations are looked for, if so.
    fn enough(&self) -> Option<String> {
        match self.extent {
            Extent::First if self.violated > 0 => {
                Some("only the first violation is looked for".into())
            }
            Extent::Most(most) if self.violated >= most => Some(format!(
                "{most} violations were found, and no more were looked for (--max-errors)"
            )),
            _ => None,
        }
    }

    /// Why those that are open are so.
    fn leave(&mut self, why: &str) {
        for &number in &self.open {
            self.instances[number].status = Status::Unknown(why.into());
        }
    }

    /// The same where the time is over; what could not be decided with more of it either says so already.
    fn leave_late(&mut self, why: &str) {
        for &number in &self.open {
            let status = &mut self.instances[number].status;
            if !matches!(status, Status::Unknown(known) if known.contains(INCOMPLETE)) {
                *status = Status::Unknown(why.into());
            }
        }
    }

    /// When the search for more ends, once there is something to tell.
    fn patience(&self) -> Stop {
        let so_far = self.check.elapsed();
        self.whole.within(LEAST_MORE.max(so_far * MORE))
    }

    /// Asks some instances.
    fn ask(&mut self, asked: &[usize], limit: &Stop) -> Result<Said, Error> {
        let mut program = self.program.clone();
        for (number, instance) in self.instances.iter().enumerate() {
            if asked.binary_search(&number).is_err() {
                for &l in &instance.locs {
                    program.locs[l].kind = LocKind::Plain;
                }
            }
        }
        if self.gap.is_some() {
            let gaps: Vec<Loc> = program.incompletes().collect();
            for l in gaps {
                program.locs[l].kind = LocKind::Plain;
            }
        }
        let round = self.check.round_until(&program, limit)?;
        self.hear(asked, round, limit)
    }

    /// Keeps what a round has said of some instances.
    fn hear(&mut self, asked: &[usize], round: Round, limit: &Stop) -> Result<Said, Error> {
        let decided_by = self.check.report().decided_by.clone();
        let of_all = asked.len() == self.open.len();
        let mut violated = None;
        let said = match &round.found {
            Ok(Answer::True { .. }) if self.gap.is_some() => {
                let why = self.gap.clone().unwrap_or_default();
                self.leave(&why);
                self.open.clear();
                return Ok(Said::Holds);
            }
            Ok(Answer::True { checked_by, .. }) => {
                for &number in asked {
                    self.instances[number].status = Status::True {
                        decided_by: decided_by.clone(),
                        checked_by: checked_by.clone(),
                    };
                }
                self.open.retain(|n| asked.binary_search(n).is_err());
                self.proofs += 1;
                Said::Holds
            }
            Ok(
                answer @ Answer::False {
                    property,
                    loc,
                    trace,
                    long,
                },
            ) => {
                // On the program itself, where nothing was set aside.
                if long.is_none() && check_unsafe(self.program, trace).ok() != Some(*loc) {
                    return Err(Error::Internal(
                        "a trace does not lead to its error in the program itself".into(),
                    ));
                }
                let number = (0..self.instances.len())
                    .find(|&n| self.instances[n].locs.contains(loc))
                    .ok_or_else(|| Error::Internal(format!("{loc} is no error location")))?;
                let detail = self.check.session.detail;
                self.instances[number].steps = trace::of_answer(self.loaded, answer, detail);
                violated = Some(number);
                let answer = Box::new(answer.clone());
                self.instances[number].status = Status::False { decided_by, answer };
                self.open.retain(|&n| n != number);
                self.violated += 1;
                // Whatever ends the process from here on, this is what it says.
                let mut report = self.check.report();
                report.verdict = "false";
                report.property.get_or_insert_with(|| property.clone());
                Said::Violated
            }
            Err(why) if limit.why().is_some() => Said::TooLong(why.clone()),
            Err(why) => Said::Nothing(why.clone()),
        };
        self.keep(round, &said, of_all);
        if let (Said::Violated, Extent::Most(_)) = (&said, self.extent) {
            self.stop = self.patience();
            self.check.event(Event::Known(&self.check.report()));
            let told = violated.map(|n| results::row(self.loaded, &self.instances[n]));
            if let Some(told) = told {
                self.check.event(Event::Violated(&told));
            }
        }
        Ok(said)
    }

    /// Keeps what the verdict may rest on: the first violation, or all proofs.
    fn keep(&mut self, mut round: Round, said: &Said, of_all: bool) {
        let report = self.check.report().clone();
        match (said, &mut self.proof) {
            (Said::Violated, _) => _ = self.violation.get_or_insert((round, report)),
            (Said::Holds, Some((kept, _))) => {
                kept.scripts.append(&mut round.scripts);
                kept.evidence.append(&mut round.evidence);
            }
            (Said::Holds, None) => self.proof = Some((round, report)),
            (Said::TooLong(_) | Said::Nothing(_), _) if of_all => {
                self.in_vain = Some((round, report));
            }
            (Said::TooLong(_) | Said::Nothing(_), _) => {}
        }
    }
}

/// By property, in the order of the program: `true`, `false` or `unknown`.
pub(crate) fn verdicts(program: &Program, instances: &[Instance]) -> Vec<(String, &'static str)> {
    let locs = instances
        .iter()
        .flat_map(|i| i.locs.iter().map(move |l| (*l, i)));
    let by_loc: BTreeMap<Loc, &Instance> = locs.collect();
    let of = program.errors().filter_map(|l| by_loc.get(&l));
    of.map(|i| (i.property.clone(), i.verdict())).collect()
}

/// For the formats of hardware.
pub(crate) fn findings<'a>(
    loaded: &'a Loaded,
    instances: &'a [Instance],
    found: &Result<Answer, String>,
) -> Findings<'a> {
    let trace = |i: &'a Instance| match &i.status {
        Status::False { answer, .. } => answer.trace(),
        _ => None,
    };
    let mut rest = instances.iter().filter(|i| trace(i).is_none()).peekable();
    let proved = |i: &Instance| matches!(i.status, Status::True { .. });
    Findings {
        loaded,
        justice: &[],
        violated: instances.iter().filter_map(trace).collect(),
        holds: match rest.peek() {
            Some(_) => rest.all(proved),
            None => matches!(found, Ok(Answer::True { .. })),
        },
    }
}
