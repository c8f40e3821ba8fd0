//! From a source to a certified verdict: what an embedding program calls.
//!
//! A [`Session`] says what to run; [`Session::check`] runs it on a source. Whoever wants to look in between begins a
//! [`Check`], loads, and decides.

use crate::baseline::Baseline;
use crate::error::Error;
use crate::events::{Event, Observer};
use crate::hardware::{self, Findings};
use crate::instances::{self, Instance, Searched, Status};
use crate::judge::Answer;
use crate::justice::{self, Just};
use crate::load::{Loaded, Question, Reading, Source};
use crate::plugins::Plugins;
use crate::proofs::Evidence;
use crate::report::{Assumed, Invariant, Report};
use crate::round::Round;
use crate::stop::Stop;
use crate::termination::Ended;
use crate::timeline::Timeline;
use crate::waves::Waves;
use crate::witness::Way;
use crate::worker::Worker;
use crate::{results, room, trace, witness};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trellis_ivl::termination::TERMINATION;
use trellis_ivl::{Edge, FlattenOptions, Program, Trace};
use trellis_ivl_passes::Size;
use trellis_pipeline::Pipeline;
use trellis_witness::confirm::Confirmation;
use trellis_witness::harness::Harness;
use trellis_witness::steps::{Detail, Shown};

/// What to run on sources, and how.
pub struct Session<'a> {
    pub(crate) pipeline: Pipeline,
    pub(crate) worker: Option<Worker>,
    pub(crate) plugins: Vec<PathBuf>,
    pub(crate) seed: u64,
    pub(crate) keep_obligations: bool,
    pub(crate) keep_proofs: bool,
    pub(crate) runs_programs: bool,
    pub(crate) max_errors: usize,
    pub(crate) detail: Detail,
    baseline: Option<Baseline>,
    flag: Arc<AtomicBool>,
    observer: &'a dyn Observer,
}

impl Session<'static> {
    /// Runs a pipeline, with nobody watching.
    pub fn new(pipeline: Pipeline) -> Session<'static> {
        Session {
            pipeline,
            worker: None,
            plugins: Vec::new(),
            seed: 0,
            keep_obligations: false,
            keep_proofs: false,
            runs_programs: false,
            max_errors: 1,
            detail: Detail::default(),
            baseline: None,
            flag: Arc::default(),
            observer: &(),
        }
    }
}

impl<'a> Session<'a> {
    /// Who becomes the workers; there is no check without one.
    pub fn worker(self, worker: Worker) -> Self {
        Session {
            worker: Some(worker),
            ..self
        }
    }

    /// Further folders of plugins.
    pub fn plugins(self, plugins: Vec<PathBuf>) -> Self {
        Session { plugins, ..self }
    }

    /// Seed of every random choice.
    pub fn seed(self, seed: u64) -> Self {
        Session { seed, ..self }
    }

    /// How much of the steps to an error is shown.
    pub fn detail(self, detail: Detail) -> Self {
        Session { detail, ..self }
    }

    /// Leaves known errors alone.
    pub fn baseline(self, baseline: Option<Baseline>) -> Self {
        Session { baseline, ..self }
    }

    /// Keeps the obligations of a proof as scripts.
    pub fn keep_obligations(self, keep_obligations: bool) -> Self {
        Session {
            keep_obligations,
            ..self
        }
    }

    /// Keeps what shows them, where the pipeline has them proved to the checker of proofs.
    pub fn keep_proofs(self, keep_proofs: bool) -> Self {
        Session {
            keep_proofs,
            ..self
        }
    }

    /// Allows to compile and run the program, where an error rests on a result of the C library of which only bounds are known.
    pub fn runs_programs(self, runs_programs: bool) -> Self {
        Session {
            runs_programs,
            ..self
        }
    }

    /// Goes on after a violation, until so many are found. With more than one, every property at every place gets its own
    /// verdict, and where not all are decided at once, each is asked alone for a while.
    pub fn max_errors(self, max_errors: usize) -> Self {
        Session {
            max_errors: max_errors.max(1),
            ..self
        }
    }

    /// Ends every check soon after this is set. Reading and passes are not interrupted; a check looks at it after them.
    pub fn stop_when(self, flag: Arc<AtomicBool>) -> Self {
        Session { flag, ..self }
    }

    /// Tells somebody what happens.
    pub fn observer<'b>(self, observer: &'b dyn Observer) -> Session<'b>
    where
        'a: 'b,
    {
        Session { observer, ..self }
    }

    /// The pipeline.
    pub fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// Checks a source: is an error reachable? On a thread of its own, with room for deep recursions.
    pub fn check(&self, source: &Source) -> Result<Checked, Error> {
        room::with_room(|| {
            let check = self.begin()?;
            let loaded = check.load(source)?;
            check.decide(loaded)
        })?
    }

    /// Begins a check. Its time runs from here on.
    pub fn begin(&self) -> Result<Check<'_>, Error> {
        let Some(worker) = &self.worker else {
            return Err(Error::Usage(
                "there is no worker: engines run in processes of their own; call `worker::intercept()` at the beginning \
                 of `main` and give the session what it returns, or name another executable that does so, such as \
                 `trellis`"
                    .into(),
            ));
        };
        Ok(Check {
            session: self,
            worker,
            stop: Stop::new(self.pipeline.limits.wall, self.flag.clone()),
            started: Instant::now(),
            report: Mutex::new(Report::new(Vec::new(), &self.pipeline.name, self.seed)),
            warnings: Mutex::default(),
            timeline: Mutex::default(),
        })
    }
}

/// A check that is under way.
pub struct Check<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) worker: &'a Worker,
    pub(crate) stop: Stop,
    started: Instant,
    report: Mutex<Report>,
    warnings: Mutex<Vec<String>>,
    timeline: Mutex<Timeline>,
}

/// Keeps the warnings and when what happened, and tells everything to the observer of the session.
impl Observer for Check<'_> {
    fn event(&self, event: Event<'_>) {
        let mut timeline = self.timeline.lock().unwrap_or_else(PoisonError::into_inner);
        timeline.add(self.started.elapsed(), &event);
        drop(timeline);
        if let Event::Warning(text) = event {
            let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
            warnings.push(text.into());
        }
        self.session.observer.event(event);
    }
}

impl Check<'_> {
    /// When it stops.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Since it began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a source.
    pub fn load(&self, source: &Source) -> Result<Loaded, Error> {
        self.report().files = source.names();
        let mut loaded = self.read(source)?;
        if let Some(baseline) = &self.session.baseline {
            baseline.apply(&mut loaded);
        }
        let size = Size::of(loaded.program());
        let mut report = self.report();
        report.read(&loaded, size);
        report.has_baseline = self.session.baseline.is_some();
        self.event(Event::Known(&report));
        self.event(Event::Read(size));
        Ok(loaded)
    }

    /// Reads a source that is not what the report is about.
    pub(crate) fn read(&self, source: &Source) -> Result<Loaded, Error> {
        let session = self.session;
        let plugins = Plugins::of_pipeline(
            &session.pipeline,
            &session.plugins,
            self.worker,
            &self.stop,
            session.seed,
        );
        let reading = Reading {
            worker: Some(self.worker),
            deadline: self.stop.deadline(),
            defaults: &session.pipeline.frontend.c,
            plugins: Some(&plugins),
            observer: self,
        };
        source.load(&reading).map_err(|e| match self.stop.why() {
            Some(why) => Error::Stopped(format!("{why} during reading: {e}")),
            None => e,
        })
    }

    /// Decides a program that was read.
    pub fn decide(self, loaded: Loaded) -> Result<Checked, Error> {
        if loaded.question == Question::Termination {
            return self.decide_termination(loaded);
        }
        let mut loaded = loaded;
        let also = loaded.also.take();
        // Each question gets its part of the time.
        let others = also.is_some() || loaded.justice().is_some();
        let half = self.stop.left().filter(|_| others);
        let stop = half.map_or_else(|| self.stop.clone(), |left| self.stop.within(left / 2));
        // Where justice is all that is asked, there is no error to look for.
        let only_justice = loaded.justice().is_some() && loaded.program().errors().next().is_none();
        let Searched {
            round: first,
            instances,
            proofs,
            rest,
        } = match only_justice {
            true => Searched::nothing(loaded.program()),
            false => self.search(&mut loaded, &stop)?,
        };
        let of_safety = self.report().clone();
        let justice = self.just(&loaded, &self.stop)?;
        if !only_justice {
            *self.report() = of_safety;
        }
        let ended = match &also {
            Some(also) => Some(self.ends(also)?),
            None => None,
        };
        let detail = self.session.detail;
        let steps = match &first.found {
            Ok(answer) => trace::of_answer(&loaded, answer, detail),
            Err(_) => Vec::new(),
        };
        let mut report = (self.report.into_inner()).unwrap_or_else(PoisonError::into_inner);
        let warnings = (self.warnings.into_inner()).unwrap_or_else(PoisonError::into_inner);
        report.timeline = (self.timeline.into_inner()).unwrap_or_else(PoisonError::into_inner);
        report.wall_seconds = self.started.elapsed().as_secs_f64();
        if loaded.is_hardware() {
            report.property_verdicts = instances::verdicts(loaded.program(), &instances);
        }
        report.conclude(&loaded, &first.found, &steps);
        report.results = results::told(&loaded, &instances);
        if let (Ok(Answer::True { .. }), Some(idle)) = (&first.found, loaded.nothing_to_check()) {
            report.reason = Some(idle.into());
        }
        let Round {
            found,
            small,
            expansion,
            way,
            scripts,
            evidence,
        } = first;
        let mut checked = Checked {
            loaded,
            found,
            report,
            warnings,
            steps,
            scripts,
            evidence,
            instances,
            justice: Vec::new(),
            proofs,
            rest,
            small,
            expansion,
            way,
            worker: self.worker.clone(),
        };
        checked.with_justice(justice);
        if let (Some(also), Some(ended)) = (also, ended) {
            checked.with_termination(*also, ended, self.session.detail);
        }
        Ok(checked)
    }

    /// Decides whether every execution of a program ends.
    fn decide_termination(self, loaded: Loaded) -> Result<Checked, Error> {
        let ended = self.ends(&loaded)?;
        let mut report = (self.report.into_inner()).unwrap_or_else(PoisonError::into_inner);
        let warnings = (self.warnings.into_inner()).unwrap_or_else(PoisonError::into_inner);
        report.timeline = (self.timeline.into_inner()).unwrap_or_else(PoisonError::into_inner);
        report.wall_seconds = self.started.elapsed().as_secs_f64();
        report.properties = vec![TERMINATION.into()];
        let mut checked = Checked {
            found: Err(String::new()),
            report,
            warnings,
            steps: Vec::new(),
            scripts: Vec::new(),
            evidence: Vec::new(),
            instances: Vec::new(),
            justice: Vec::new(),
            proofs: 1,
            rest: None,
            small: Program::new(),
            expansion: ended.round.expansion,
            way: BTreeSet::new(),
            worker: self.worker.clone(),
            loaded,
        };
        checked.conclude_termination(ended, self.session.detail);
        Ok(checked)
    }
}

/// What became of a check.
pub struct Checked {
    /// The program, with what its source calls things.
    pub loaded: Loaded,
    /// A certified answer, with its certificate or its trace; or why there is none.
    pub found: Result<Answer, String>,
    /// All figures: sizes, passes, engines, lemmas, times; assumptions, invariants and the trace in words.
    pub report: Report,
    /// What was warned of.
    pub warnings: Vec<String>,
    /// The steps to the error, for people.
    pub steps: Vec<Shown>,
    /// The obligations of the proof as scripts, where they are kept.
    pub scripts: Vec<String>,
    /// What shows them, where it is kept.
    pub evidence: Vec<Evidence>,
    /// Every property at every place where it may be violated, and what became of it, in the order of the source.
    pub instances: Vec<Instance>,
    /// The justice properties of a hardware model, and what became of each.
    pub justice: Vec<Just>,
    /// How many proofs there are where everything holds; each is of some of the properties.
    proofs: usize,
    /// The proof of what holds beside a violation.
    rest: Option<Round>,
    /// The program as engines got it, whose pool has the terms of a proof.
    small: Program,
    expansion: FlattenOptions,
    /// The edges of that program that lead to the first error, where its engine worked on it.
    way: BTreeSet<Edge>,
    worker: Worker,
}

impl Checked {
    /// The program as engines got it.
    pub(crate) fn small(&self) -> &Program {
        &self.small
    }

    /// The edges of that program that lead to the first error; none where that is not known.
    pub(crate) fn small_way(&self) -> &BTreeSet<Edge> {
        &self.way
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match &self.found {
            Ok(Answer::True { .. }) => Verdict::True,
            Ok(Answer::False { property, .. }) => Verdict::False(property.clone()),
            Err(reason) => Verdict::Unknown(reason.clone()),
        }
    }

    /// Adds what became of justice properties.
    fn with_justice(&mut self, justice: Vec<Just>) {
        let Some((graph, all)) = self.loaded.justice() else {
            return;
        };
        let decided = justice::decides(&justice, &self.found, graph.main_loop);
        for (just, of) in justice.iter().zip(all) {
            let verdict = (just.property.clone(), just.verdict());
            self.report.property_verdicts.push(verdict);
            self.report.properties.push(just.property.clone());
            self.report.results.push(just.row(&self.loaded, of));
        }
        if let Some(found) = decided {
            let violated = justice.iter().find(|j| j.verdict() == "false");
            self.steps = violated.map_or_else(Vec::new, |j| j.steps.clone());
            if let Err(why) = &found {
                self.report.retract(why);
            }
            self.report.conclude(&self.loaded, &found, &self.steps);
            self.found = found;
        }
        self.justice = justice;
    }

    /// Adds what became of the other question: a check that asks several is false if one answer is, and true if all are.
    fn with_termination(&mut self, also: Loaded, ended: Ended, detail: Detail) {
        let word = |found: &Result<Answer, String>| match found {
            Ok(Answer::True { .. }) => "true",
            Ok(Answer::False { .. }) => "false",
            Err(_) => "unknown",
        };
        let violated = match &self.found {
            Ok(Answer::False { property, .. }) => Some(property.clone()),
            _ => None,
        };
        let first = word(&self.found);
        let verdicts: Vec<(String, &'static str)> = (self.report.properties.iter())
            .map(|p| match (first, &violated) {
                ("false", Some(violated)) if p != violated => (p.clone(), "unknown"),
                _ => (p.clone(), first),
            })
            .chain([(TERMINATION.to_string(), word(&ended.round.found))])
            .collect();
        let decides = match (&self.found, &ended.round.found) {
            (Ok(Answer::False { .. }), _) => false,
            (_, Ok(Answer::False { .. })) => true,
            (Err(_), _) => false,
            (Ok(Answer::True { .. }), found) => found.is_err(),
        };
        let loops = ended.loops.clone();
        self.report.properties.push(TERMINATION.into());
        self.report.property_verdicts = verdicts;
        match decides {
            true => {
                self.loaded = also;
                self.conclude_termination(ended, detail);
            }
            false => self.report.ending_loops = loops,
        }
    }

    /// The answer is what was found about termination.
    fn conclude_termination(&mut self, ended: Ended, detail: Detail) {
        let found = ended.round.found;
        self.steps = match &found {
            Ok(Answer::False { trace, .. }) => trace::shown(&self.loaded, trace, detail),
            _ => Vec::new(),
        };
        self.report.conclude(&self.loaded, &found, &self.steps);
        self.report.ending_loops = ended.loops;
        self.report.endless_loop = ended.endless;
        self.found = found;
        self.small = ended.round.small;
    }

    /// What the verdict takes for granted.
    pub fn assumptions(&self) -> &[Assumed] {
        &self.report.assumptions
    }

    /// The way to the error by its inputs, or that of an execution that does not end.
    fn way(&self) -> Option<Way<'_>> {
        let found = self.found.as_ref().ok()?;
        match &self.report.endless_loop {
            Some(endless) => Way::endless(found, endless.stem_steps),
            None => Way::of(found),
        }
    }

    /// The way to the error, on the program as the front end made it; of a long execution the first steps.
    pub fn trace(&self) -> Option<&Trace> {
        self.found.as_ref().ok()?.trace()
    }

    /// Has the compiler build and run the ways to the errors of a C program; what became of the first. Where that contradicts an
    /// error, it is not decided.
    pub fn confirm(&mut self) -> Option<Confirmation> {
        let Ok(Answer::False { loc, .. }) = &self.found else {
            return None;
        };
        if self.loaded.question == Question::Termination {
            return self.confirm_endless();
        }
        let first = *loc;
        let mut told = None;
        for instance in &mut self.instances {
            let Status::False { answer, .. } = &instance.status else {
                continue;
            };
            let Some(way) = Way::of(answer) else { continue };
            let word = witness::confirmation(&self.loaded, &way, &self.worker);
            if let Confirmation::Contradicted(why) = &word {
                let property = &instance.property;
                instance.status = Status::Unknown(format!(
                    "the model violates {property}, but the compiled program, run with the same values, does not: {why}"
                ));
            }
            if instance.locs.contains(&first) {
                told = Some(word.clone());
            }
            instance.confirmation = Some(word);
        }
        self.report.results = results::told(&self.loaded, &self.instances);
        let of_first = self.instances.iter().find(|i| i.locs.contains(&first));
        if let Some(Status::Unknown(why)) = of_first.map(|i| &i.status) {
            let why = why.clone();
            self.report.retract(&why);
            self.found = Err(why);
            // Another violation may stand.
            let stands = |i: &Instance| match &i.status {
                Status::False { answer, .. } => Some(((**answer).clone(), i.steps.clone())),
                _ => None,
            };
            if let Some((answer, steps)) = self.instances.iter().find_map(stands) {
                self.found = Ok(answer);
                self.steps = steps;
                self.report.reason = None;
                self.report.conclude(&self.loaded, &self.found, &self.steps);
            }
        }
        told
    }

    /// The same of an execution that does not end.
    fn confirm_endless(&mut self) -> Option<Confirmation> {
        let way = self.way()?;
        let word = witness::confirmation(&self.loaded, &way, &self.worker);
        if let Confirmation::Contradicted(why) = &word {
            let why = format!(
                "the model does not end, but the compiled program, run with the same values, does: {why}"
            );
            self.report.retract(&why);
            self.found = Err(why);
        }
        Some(word)
    }

    /// A C file that leads the program to its error.
    pub fn harness(&self) -> Result<Harness, Error> {
        let way = self.way().ok_or_else(|| nothing("a harness", "an error"))?;
        witness::of_way(&self.loaded, &way, &self.worker)
    }

    /// What other tools check: of a C program SV-COMP's witness, of a hardware model the stimulus.
    pub fn witness(&self) -> Result<String, Error> {
        if self.loaded.question == Question::Termination {
            return Err(Error::Input(
                "SV-COMP's witnesses, as of format 2.0, say nothing of termination; `--out json` has the loops and why they \
                 end, or the execution that does not"
                    .into(),
            ));
        }
        match &self.found {
            Ok(Answer::False { .. }) if self.loaded.is_hardware() => self.findings().witness(),
            Ok(Answer::False {
                property,
                trace,
                loc,
                ..
            }) => witness::violation(&self.loaded, property, (trace, *loc)),
            Ok(Answer::True { .. }) if self.proofs > 1 => Err(self.in_parts("a witness")),
            Ok(Answer::True { certificate, .. }) => {
                witness::correctness(&self.loaded, &self.small, certificate, self.expansion)
            }
            Err(_) => Err(nothing("a witness", "a verdict")),
        }
    }

    /// The signals of a hardware model on its way to the bad state, as a value change dump.
    pub fn vcd(&self) -> Result<String, Error> {
        let trace = self.trace().ok_or_else(|| nothing("waves", "an error"))?;
        let name = Path::new(&self.loaded.name).file_stem();
        let name = name.unwrap_or_default().to_string_lossy();
        Ok(Waves::new(&self.loaded, trace)?.vcd(&name))
    }

    /// The invariants of the proof, or of what holds beside a violation, in words of C and with the places where they hold.
    pub fn invariants(&self) -> Vec<Invariant> {
        let (found, small, expansion) = match &self.rest {
            Some(rest) => (&rest.found, &rest.small, rest.expansion),
            None => (&self.found, &self.small, self.expansion),
        };
        match found {
            Ok(Answer::True { certificate, .. }) if self.loaded.build.is_some() => {
                witness::invariants(&self.loaded, small, certificate, expansion)
            }
            _ => Vec::new(),
        }
    }

    /// The witness circuit of a hardware model's proof, in AIGER's ASCII form where that is wanted.
    pub fn circuit(&self, ascii: bool) -> Result<Vec<u8>, Error> {
        if !self.justice.is_empty() {
            return Err(Error::Input(
                "a witness circuit speaks of bad states, and the model has justice properties; `--out json` says why they hold"
                    .into(),
            ));
        }
        match &self.found {
            Ok(Answer::True {
                visits: Some(visits),
                ..
            }) => Err(Error::Input(format!(
                "the proof is that all executions end within {visits} steps, and witness circuits are made of \
                 inductive invariants; choose an engine that finds them, such as ic3"
            ))),
            Ok(Answer::True {
                about_cells: true, ..
            }) => Err(Error::Input(
                "the proof is about all cells of arrays, and a witness circuit can say nothing of that; `--out json` has it"
                    .into(),
            )),
            Ok(Answer::True { certificate, k, .. }) => {
                hardware::certificate(&self.loaded, &self.small, (certificate, *k), ascii)
            }
            _ => Err(nothing("a witness circuit", "a proof")),
        }
    }

    fn in_parts(&self, what: &str) -> Error {
        Error::Input(format!(
            "the proof is in {} parts, and {what} is of one; `--max-errors 1` looks for one proof of everything",
            self.proofs
        ))
    }

    /// The answer as the hardware model checking competition writes it.
    pub fn competition(&self) -> Result<String, Error> {
        self.findings().competition()
    }

    fn findings(&self) -> Findings<'_> {
        Findings {
            justice: &self.justice,
            ..instances::findings(&self.loaded, &self.instances, &self.found)
        }
    }
}

fn nothing(what: &str, of: &str) -> Error {
    Error::Usage(format!("there is {what} of {of} only"))
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No error is reachable.
    True,
    /// This property is violated.
    False(String),
    /// Nothing is decided, for this reason.
    Unknown(String),
}

impl Verdict {
    /// `true`, `false` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::True => "true",
            Verdict::False(_) => "false",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => f.write_str("true"),
            Verdict::False(property) => write!(f, "false({property})"),
            Verdict::Unknown(reason) => write!(f, "unknown ({reason})"),
        }
    }
}
