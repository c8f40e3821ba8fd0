//! Runs a plan: engines in races and sequences, until an answer is certified or all have given up.
//!
//! One thread per running engine, because the kernel ties a worker's life to the thread that
//! started it. The first answer that the [`Judge`] accepts wins, and the rest are stopped: first
//! politely, then by force. What an engine did wrong is in its [`EngineReport`] and changes nothing
//! for the others.

use crate::board::{Board, Figures};
use crate::error::Fault;
use crate::message::{FromWorker, Job, QueryFigures, SolverChoice, ToWorker, Work};
use crate::process::{Heard, Resources, Worker};
use crate::turns::Turns;
use crate::warden::{Ending, LONGEST_PAUSE, Limits};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trellis_plugin_abi as abi;
use trellis_plugin_sdk::export::RawVerdict;

/// How many times its grace an engine may take to stop where other processes keep it from running.
const PATIENCE: u32 = 4;
/// How many times as long as the race took until a claim, others are held for it.
const HOLD: u32 = 2;
/// How often an engine's thread looks at the flags.
pub(crate) const TICK: Duration = Duration::from_millis(10);
/// How long a worker may take to end after its last word.
pub(crate) const FAREWELL: Duration = Duration::from_millis(500);
/// What each member of a race waits longer than the one before it: most checks are over by then, and a
/// process costs more than they do.
const STAGGER: Duration = Duration::from_millis(20);
/// Publications that may wait for the checker; more are dropped.
const QUEUE: usize = 64;

/// One engine of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Its name in the pipeline.
    pub name: String,
    /// The plugin's id.
    pub id: String,
    /// The library.
    pub plugin: PathBuf,
    /// Its options as JSON.
    pub options: String,
    /// Solver of its SMT sessions.
    pub smt: SolverChoice,
    /// Solver of its SAT sessions.
    pub sat: SolverChoice,
    /// Whether it gets the proved lemmas of others.
    pub reads_lemmas: bool,
    /// The program that it gets instead of the plan's, and has no lemmas about.
    pub image: Option<Arc<Vec<u32>>>,
    /// As a member of a race: the CPU time that the run spends on others before it begins, unless they all have ended before.
    pub after: Duration,
}

/// How engines run together.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// One engine, by its place in the plan.
    Engine(usize),
    /// All side by side. They begin in this order, some milliseconds apart, or when their turn comes ([`EngineSpec::after`]).
    Race(Vec<Stage>),
    /// One after the other, each with its share of the time; what one leaves goes to the next.
    Sequence(Vec<(f64, Stage)>),
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The executable that becomes the workers.
    pub executable: PathBuf,
    /// The command that starts them elsewhere, if they are not to run here.
    pub launcher: Vec<String>,
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// How they run.
    pub stage: Stage,
    /// The program that they get.
    pub image: Arc<Vec<u32>>,
    /// Seed of every random choice.
    pub seed: u64,
    /// Wall time of the whole run.
    pub wall: Option<Duration>,
    /// CPU time and memory of each engine.
    pub limits: Limits,
    /// How long an engine may take to stop when told to.
    pub grace: Duration,
}

/// What the judge says.
pub enum Judgement<A> {
    /// The claim is certified.
    Accepted(A),
    /// The claim is wrong, and why.
    Rejected(String),
    /// The claim may be right, but its certificate could not be checked, and why.
    Undecided(String),
}

/// Certifies claims, on the thread that called [`run`].
pub trait Judge {
    /// A certified answer.
    type Accepted;
    /// Judges a claim; its words are untrusted.
    fn judge(&mut self, engine: &EngineSpec, claim: &RawVerdict) -> Judgement<Self::Accepted>;
}

/// Lemmas of one engine that were proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Promotion {
    /// Who published them.
    pub engine: String,
    /// How many they are.
    pub count: u64,
    /// They themselves.
    pub words: Vec<u32>,
}

/// Whether to stop, asked from any thread.
pub type Stopped<'a> = &'a (dyn Fn() -> bool + Sync);

/// Proves lemmas, on a thread of its own.
pub trait Promoter: Send {
    /// Takes the lemmas of an engine; how many they are. The words are untrusted.
    fn publish(&mut self, engine: &str, lemmas: &[u32]) -> Result<u64, String>;
    /// The lemmas that hold among all published so far and were not returned before. When
    /// `stopped` holds it returns soon, with whatever it has.
    fn prove(&mut self, stopped: Stopped<'_>) -> Result<Vec<Promotion>, String>;
}

/// What happens during a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An engine begins.
    Started(PathBuf),
    /// A message of an engine, level 1 (error) to 4 (debug).
    Log(u32, String),
    /// How far an engine is.
    Progress(String, u64),
    /// Of so many lemmas, so many were proved.
    Lemmas(u64, u64),
    /// An engine claims something, and its certificate is being checked.
    Claimed(&'static str),
    /// An engine has ended; as in its report.
    Ended(String),
}

/// Told about events, from any thread.
pub trait Observer: Sync {
    /// Something happened to an engine.
    fn event(&self, engine: &str, event: Event);
}

/// How an engine's run ended.
#[derive(Debug)]
pub enum EngineOutcome {
    /// Its answer was certified.
    Certified,
    /// It gave up, with its reason.
    Unknown(String),
    /// Its time was over.
    TimedOut,
    /// Another was faster, or the user stopped the run.
    Stopped,
    /// It claimed something wrong.
    Rejected {
        /// What.
        claim: &'static str,
        /// What is wrong about it.
        why: String,
    },
    /// Its claim could not be checked.
    Unchecked {
        /// What.
        claim: &'static str,
        /// Why not.
        why: String,
    },
    /// It failed.
    Failed(Fault),
}

impl std::fmt::Display for EngineOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EngineOutcome::Certified => f.write_str("certified"),
            EngineOutcome::Unknown(why) => write!(f, "gave up: {why}"),
            EngineOutcome::TimedOut => f.write_str("out of time"),
            EngineOutcome::Stopped => f.write_str("stopped"),
            EngineOutcome::Rejected { claim, why } => {
                write!(f, "claimed {claim}, but the claim is wrong: {why}")
            }
            EngineOutcome::Unchecked { claim, why } => {
                write!(f, "claimed {claim}, but the claim is not certified: {why}")
            }
            EngineOutcome::Failed(fault) => write!(f, "{fault}"),
        }
    }
}

/// What one engine did.
#[derive(Debug)]
pub struct EngineReport {
    /// Its name in the pipeline.
    pub name: String,
    /// The plugin's id.
    pub id: String,
    /// The library.
    pub plugin: PathBuf,
    /// How it ended.
    pub outcome: EngineOutcome,
    /// Wall time.
    pub wall: Duration,
    /// CPU time and memory.
    pub resources: Resources,
    /// Its queries by kind.
    pub queries: BTreeMap<String, QueryFigures>,
    /// What it printed.
    pub stderr: String,
}

/// The end of a run.
#[derive(Debug)]
pub struct Outcome<A> {
    /// The certified answer and the place of the engine that gave it.
    pub answer: Option<(usize, A)>,
    /// Reports of the engines that ran, by their place in the plan.
    pub reports: BTreeMap<usize, EngineReport>,
    /// What became of each engine's lemmas.
    pub lemmas: BTreeMap<String, Figures>,
}

/// A claim on its way to the judge.
struct Claim {
    index: usize,
    claim: &'static str,
    verdict: RawVerdict,
    reply: SyncSender<EngineOutcome>,
}

/// Claims that wait for the judge, and until when all others are held for them.
#[derive(Clone, Copy, Default)]
struct Judging {
    claims: usize,
    hold_until: Option<Instant>,
}

impl Judging {
    /// Most claims decide the race, and who works meanwhile works for nothing. A claim that cannot be checked costs the others
    /// no more than a part of the time that they have had.
    fn begin(&mut self, race_began: Instant) {
        self.claims += 1;
        if self.claims == 1 {
            let now = Instant::now();
            let hold = LONGEST_PAUSE.max(HOLD * now.duration_since(race_began));
            self.hold_until = Some(now + hold);
        }
    }

    fn end(&mut self) {
        self.claims -= 1;
    }

    fn holds(&self) -> bool {
        self.claims > 0 && self.hold_until.is_some_and(|end| Instant::now() < end)
    }
}

struct Shared<'a> {
    plan: &'a Plan,
    observer: &'a dyn Observer,
    /// Set by the caller, or when an answer is certified.
    stop: &'a AtomicBool,
    won: AtomicBool,
    began: Instant,
    judging: Mutex<Judging>,
    /// Told when a claim is judged.
    judged: Condvar,
    board: Board,
    candidates: Option<SyncSender<(String, Vec<u32>)>>,
    /// Microseconds of CPU time, by engine.
    spent: Vec<AtomicU64>,
    reports: Mutex<BTreeMap<usize, EngineReport>>,
}

/// Runs `plan` until an answer is certified, all engines have ended, the time is over or `stop` is
/// set. When it returns no process of it is left.
pub fn run<J: Judge>(
    plan: &Plan,
    judge: &mut J,
    promoter: Option<&mut dyn Promoter>,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Outcome<J::Accepted> {
    let (candidates, incoming) = sync_channel(QUEUE);
    let (claims, claimed) = channel();
    let shared = Shared {
        plan,
        observer,
        stop,
        won: AtomicBool::new(false),
        began: Instant::now(),
        judging: Mutex::default(),
        judged: Condvar::new(),
        board: Board::default(),
        candidates: promoter.is_some().then_some(candidates),
        spent: plan.engines.iter().map(|_| AtomicU64::new(0)).collect(),
        reports: Mutex::new(BTreeMap::new()),
    };
    let deadline = plan.wall.map(|wall| Instant::now() + wall);
    let mut answer = None;
    std::thread::scope(|scope| {
        let shared = &shared;
        let thread = || std::thread::Builder::new().name("engines".into());
        if let Some(promoter) = promoter {
            let promote = move || shared.promote(promoter, &incoming);
            if let Err(e) = thread().spawn_scoped(scope, promote) {
                observer.event("lemmas", Event::Log(1, format!("no thread: {e}")));
            }
        }
        // Its claims are gone with it where it cannot be started, so that nothing is waited for.
        let started = thread().spawn_scoped(scope, move || {
            shared.stage(&plan.stage, deadline, &claims);
            // Nobody can publish any more.
            shared.won.store(true, Ordering::SeqCst);
        });
        if let Err(e) = started {
            shared.not_started(&plan.stage, &e);
            shared.won.store(true, Ordering::SeqCst);
        }
        // Ends when no engine is left that could claim anything.
        while let Ok(claim) = claimed.recv() {
            let outcome = judge_claim(shared, judge, &claim, &mut answer);
            shared.judging().end();
            shared.judged.notify_all();
            // The engine's thread waits for it.
            let _ = claim.reply.send(outcome);
        }
    });
    Outcome {
        answer,
        lemmas: shared.board.figures(),
        reports: shared
            .reports
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner),
    }
}

fn judge_claim<J: Judge>(
    shared: &Shared<'_>,
    judge: &mut J,
    claim: &Claim,
    answer: &mut Option<(usize, J::Accepted)>,
) -> EngineOutcome {
    if answer.is_some() {
        return EngineOutcome::Stopped;
    }
    let spec = &shared.plan.engines[claim.index];
    let what = claim.claim;
    shared.observer.event(&spec.name, Event::Claimed(what));
    match judge.judge(spec, &claim.verdict) {
        Judgement::Accepted(accepted) => {
            *answer = Some((claim.index, accepted));
            shared.won.store(true, Ordering::SeqCst);
            EngineOutcome::Certified
        }
        Judgement::Rejected(why) => EngineOutcome::Rejected { claim: what, why },
        Judgement::Undecided(why) => EngineOutcome::Unchecked { claim: what, why },
    }
}

impl Shared<'_> {
    /// Whatever was published while the last proof went on is proved together. A claim that is judged goes first: what is
    /// under way is broken off and done again.
    fn promote(&self, promoter: &mut dyn Promoter, incoming: &Receiver<(String, Vec<u32>)>) {
        let mut is_broken_off = false;
        while !self.stopped() {
            let first = incoming.recv_timeout(TICK).ok();
            if first.is_none() && (!is_broken_off || self.judging().holds()) {
                continue;
            }
            let complain = |engine: &str, e: String| {
                let event = Event::Log(1, format!("published lemmas: {e}"));
                self.observer.event(engine, event);
            };
            let mut publishers = BTreeSet::new();
            for (engine, words) in first.into_iter().chain(incoming.try_iter()) {
                match promoter.publish(&engine, &words) {
                    Ok(count) => self.board.published(&engine, count),
                    Err(e) => complain(&engine, e),
                }
                publishers.insert(engine);
            }
            let held = AtomicBool::new(false);
            let gives_way = || {
                held.fetch_or(self.judging().holds(), Ordering::Relaxed);
                held.load(Ordering::Relaxed) || self.stopped()
            };
            let proved = promoter.prove(&gives_way);
            is_broken_off = held.into_inner();
            match proved {
                Ok(all) => all.into_iter().for_each(|p| self.board.proved(p)),
                Err(_) if is_broken_off => {}
                Err(e) => complain("lemmas", e),
            }
            let figures = self.board.figures();
            for engine in publishers {
                let of = figures.get(&engine).copied().unwrap_or_default();
                self.observer
                    .event(&engine, Event::Lemmas(of.published, of.proved));
            }
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.won.load(Ordering::Relaxed)
    }

    fn stage(&self, stage: &Stage, deadline: Option<Instant>, claims: &Sender<Claim>) {
        match stage {
            Stage::Engine(index) => self.engine(*index, deadline, claims),
            Stage::Race(stages) => self.race(stages, deadline, claims),
            Stage::Sequence(stages) => {
                for (i, (share, stage)) in stages.iter().enumerate() {
                    if self.stopped() {
                        return;
                    }
                    let rest: f64 = stages[i..].iter().map(|(share, _)| share).sum();
                    let own = deadline.map(|end| {
                        let left = end.saturating_duration_since(Instant::now());
                        Instant::now() + left.mul_f64((share / rest).clamp(0.0, 1.0))
                    });
                    self.stage(stage, own, claims);
                }
            }
        }
    }

    fn race(&self, stages: &[Stage], deadline: Option<Instant>, claims: &Sender<Claim>) {
        let after: Vec<Duration> = stages.iter().map(|s| self.after(s)).collect();
        let turns = &Turns::new(&after, self.plan.launcher.is_empty());
        std::thread::scope(|scope| {
            let mut place = 0;
            for (member, stage) in stages.iter().enumerate() {
                let claims = claims.clone();
                let turn = (after[member], member);
                // A program that is decided at once costs one process, so the first engine begins alone.
                let aside = self.is_aside(stage);
                let delay = STAGGER * place.max(u32::from(aside));
                place += u32::from(!aside);
                let run = move || {
                    if self.await_turn(delay, deadline, (turns, turn)) {
                        self.stage(stage, deadline, &claims);
                        turns.ends();
                    }
                };
                let thread = std::thread::Builder::new().name("engine".into());
                if let Err(e) = thread.spawn_scoped(scope, run) {
                    self.not_started(stage, &e);
                }
            }
        });
    }

    /// Whether a stage is one engine with a program of its own, for which the others do not wait.
    fn is_aside(&self, stage: &Stage) -> bool {
        matches!(stage, Stage::Engine(index) if self.plan.engines[*index].image.is_some())
    }

    fn judging(&self) -> MutexGuard<'_, Judging> {
        self.judging.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the run spends on others before a member of a race begins.
    fn after(&self, stage: &Stage) -> Duration {
        match stage {
            Stage::Engine(index) => self.plan.engines[*index].after,
            _ => Duration::ZERO,
        }
    }

    /// CPU time of the engines so far.
    fn spent(&self) -> Duration {
        let all = self.spent.iter().map(|s| s.load(Ordering::Relaxed));
        Duration::from_micros(all.sum())
    }

    fn note_spent(&self, index: usize, spent: Duration) {
        let micros = u64::try_from(spent.as_micros()).unwrap_or(u64::MAX);
        self.spent[index].fetch_max(micros, Ordering::Relaxed);
    }

    /// Waits for `delay`, for the turn, and longer while everybody is held for a claim. Whether there is anything left to begin: the
    /// run may be decided meanwhile, or the time over.
    fn await_turn(
        &self,
        delay: Duration,
        deadline: Option<Instant>,
        (turns, turn): (&Turns, (Duration, usize)),
    ) -> bool {
        let start = Instant::now();
        let mut judging = self.judging();
        while !self.stopped() {
            let lasted = start.elapsed();
            let left = match delay.checked_sub(lasted) {
                Some(left) if !left.is_zero() => left,
                _ if judging.holds() => TICK,
                _ if turns.begins(turn, self.spent(), lasted) => return true,
                _ if deadline.is_some_and(|end| Instant::now() >= end) => return false,
                _ => TICK,
            };
            // The caller's flag is set without a word.
            let waited = self.judged.wait_timeout(judging, left.min(TICK));
            (judging, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        false
    }

    /// Files the engines of a stage that no thread could be had for.
    fn not_started(&self, stage: &Stage, why: &std::io::Error) {
        match stage {
            Stage::Engine(index) => {
                let spec = &self.plan.engines[*index];
                let fault = Fault::Spawn(std::io::Error::new(why.kind(), why.to_string()));
                let report = EngineReport {
                    name: spec.name.clone(),
                    id: spec.id.clone(),
                    plugin: spec.plugin.clone(),
                    outcome: EngineOutcome::Failed(fault),
                    wall: Duration::ZERO,
                    resources: Resources::default(),
                    queries: BTreeMap::new(),
                    stderr: String::new(),
                };
                let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
                reports.insert(*index, report);
            }
            Stage::Race(stages) => stages.iter().for_each(|s| self.not_started(s, why)),
            Stage::Sequence(stages) => {
                stages.iter().for_each(|(_, s)| self.not_started(s, why));
            }
        }
    }

    fn engine(&self, index: usize, deadline: Option<Instant>, claims: &Sender<Claim>) {
        if self.stopped() {
            return;
        }
        let spec = &self.plan.engines[index];
        self.observer
            .event(&spec.name, Event::Started(spec.plugin.clone()));
        let start = Instant::now();
        let mut ended = self.work(index, deadline);
        self.note_spent(index, ended.resources.cpu);
        let outcome = self.classify(index, &mut ended, claims);
        self.observer
            .event(&spec.name, Event::Ended(outcome.to_string()));
        let report = EngineReport {
            name: spec.name.clone(),
            id: spec.id.clone(),
            plugin: spec.plugin.clone(),
            outcome,
            wall: start.elapsed(),
            resources: ended.resources,
            queries: ended.queries,
            stderr: ended.stderr,
        };
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        reports.insert(index, report);
    }

    /// Runs the worker of an engine to its end.
    fn work(&self, index: usize, deadline: Option<Instant>) -> Ended {
        let mut ended = Ended::default();
        let plan = self.plan;
        let spec = &plan.engines[index];
        let is_counted = plan.engines.iter().any(|e| !e.after.is_zero());
        let mut worker = match Worker::start_by(&plan.launcher, &plan.executable, plan.limits) {
            Ok(worker) => worker,
            Err(fault) => {
                ended.fault = Some(fault);
                return ended;
            }
        };
        let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let job = Job {
            plugin: spec.plugin.clone(),
            id: spec.id.clone(),
            work: Work::Decide,
            options: spec.options.clone(),
            seed: self.plan.seed,
            time_limit_ms: left.map_or(0, |left| left.as_millis().max(1) as u64),
            smt: spec.smt.clone(),
            sat: spec.sat.clone(),
        };
        let image = spec.image.as_ref().unwrap_or(&self.plan.image);
        worker.send(ToWorker::Job(Box::new(job)), image.clone());
        let mut seen = 0;
        let mut paused = None;
        loop {
            match worker.hear(TICK) {
                Some(Heard::Message(message, words)) => {
                    let is_last = self.message(spec, &mut ended, message, words);
                    if is_last {
                        break;
                    }
                }
                Some(Heard::Garbage(e)) => {
                    // A broken pipe is the worker's death; anything else is the plugin's doing.
                    ended.fault = Some(Fault::Protocol(e));
                    worker.kill();
                    break;
                }
                Some(Heard::End) => break,
                None => {}
            }
            if spec.reads_lemmas && spec.image.is_none() {
                seen = self.forward_lemmas(spec, &worker, seen);
            }
            if is_counted {
                self.note_spent(index, worker.spent());
            }
            paused = self.pause(&worker, paused, &ended, deadline);
            if self.overdue(&worker, &mut ended, deadline) {
                worker.kill();
                break;
            }
        }
        let (ending, resources) = worker.bury(FAREWELL);
        ended.ending = Some(ending);
        // Of a worker elsewhere only its own figures are known, and those only if it got to tell them.
        if self.plan.launcher.is_empty() {
            ended.resources = resources;
        }
        ended.stderr = worker.stderr();
        ended
    }

    /// Holds a worker while a claim of another is judged; when it was told so last.
    fn pause(
        &self,
        worker: &Worker,
        paused: Option<Instant>,
        ended: &Ended,
        deadline: Option<Instant>,
    ) -> Option<Instant> {
        let over = deadline.is_some_and(|end| Instant::now() >= end) || self.stopped();
        let pause = self.judging().holds() && !over && ended.cancelled.is_none();
        match paused {
            // A pause is over by itself before long.
            Some(told) if pause && told.elapsed() < LONGEST_PAUSE / 2 => return paused,
            _ if pause => worker.pause(),
            Some(_) => worker.resume(),
            None => {}
        }
        pause.then(Instant::now)
    }

    fn forward_lemmas(&self, spec: &EngineSpec, worker: &Worker, seen: usize) -> usize {
        let (batches, now) = self.board.since(seen);
        for batch in batches.into_iter().filter(|b| b.from != spec.name) {
            worker.send(ToWorker::Lemmas(batch.count), batch.words);
        }
        now
    }

    /// Takes a message; whether it is the last one.
    fn message(
        &self,
        spec: &EngineSpec,
        ended: &mut Ended,
        message: FromWorker,
        words: Vec<u32>,
    ) -> bool {
        match message {
            FromWorker::Info(_) => {}
            FromWorker::LoadFailed(text) => {
                ended.fault = Some(Fault::Load(text));
                return true;
            }
            FromWorker::Log(level, text) => {
                if level == 1 {
                    ended.last_error.clone_from(&text);
                }
                self.observer.event(&spec.name, Event::Log(level, text));
            }
            FromWorker::Progress(stage, at) => {
                self.observer.event(&spec.name, Event::Progress(stage, at));
            }
            FromWorker::Publish => {
                if let Some(candidates) = &self.candidates
                    && spec.image.is_none()
                    && let Err(TrySendError::Full(_)) =
                        candidates.try_send((spec.name.clone(), words))
                {
                    let text = "too many lemmas at once; some were dropped".to_string();
                    self.observer.event(&spec.name, Event::Log(4, text));
                }
            }
            FromWorker::Verdict(kind, text) => {
                ended.verdict = Some(RawVerdict { kind, words, text });
            }
            FromWorker::Done {
                status,
                queries,
                resources,
            } => {
                ended.status = Some(status);
                ended.resources = resources;
                ended.queries = queries;
                return true;
            }
        }
        false
    }

    /// Asks an engine to stop when it is time; whether it has not done so for too long.
    fn overdue(&self, worker: &Worker, ended: &mut Ended, deadline: Option<Instant>) -> bool {
        match ended.cancelled {
            None => {
                let timed_out = deadline.is_some_and(|end| Instant::now() >= end);
                if timed_out || self.stopped() {
                    worker.send(ToWorker::Cancel, Arc::default());
                    ended.cancelled = Some(Instant::now());
                    ended.starved = worker.starved();
                    ended.timed_out = timed_out;
                }
                false
            }
            Some(since) => {
                let (since, grace) = (since.elapsed(), self.plan.grace);
                // On a loaded machine it may not have had a chance to listen.
                let overdue = since > grace
                    && (since > PATIENCE * grace
                        || since.saturating_sub(worker.starved().saturating_sub(ended.starved))
                            > grace);
                // One elsewhere may never have found a place to run, or be far away.
                if overdue && self.plan.launcher.is_empty() {
                    ended.fault = Some(Fault::IgnoredCancellation);
                }
                overdue
            }
        }
    }

    /// What an engine's end means; certifies its claim when it makes one.
    fn classify(&self, index: usize, ended: &mut Ended, claims: &Sender<Claim>) -> EngineOutcome {
        if let Some(fault) = ended.fault.take() {
            return EngineOutcome::Failed(fault);
        }
        let message = std::mem::take(&mut ended.last_error);
        let limits = self.plan.limits;
        if let Some(fault) = fault(ended.status, ended.ending, message, limits) {
            return EngineOutcome::Failed(fault);
        }
        let Some(verdict) = ended.verdict.take() else {
            return match ended.cancelled {
                Some(_) if ended.timed_out => EngineOutcome::TimedOut,
                Some(_) => EngineOutcome::Stopped,
                None => EngineOutcome::Failed(Fault::NoVerdict),
            };
        };
        let claim = match verdict.kind {
            abi::TRELLIS_VERDICT_SAFE
            | abi::TRELLIS_VERDICT_UNWOUND
            | abi::TRELLIS_VERDICT_CONTRACTS => "safe",
            abi::TRELLIS_VERDICT_UNSAFE | abi::TRELLIS_VERDICT_SCRIPTED => "unsafe",
            abi::TRELLIS_VERDICT_TERMINATES => "terminating",
            abi::TRELLIS_VERDICT_DIVERGES => "endless",
            _ if ended.cancelled.is_some() && ended.timed_out => return EngineOutcome::TimedOut,
            _ if ended.cancelled.is_some() => return EngineOutcome::Stopped,
            _ => return EngineOutcome::Unknown(verdict.text),
        };
        let (reply, replied) = sync_channel(1);
        let claim = Claim {
            index,
            claim,
            verdict,
            reply,
        };
        self.judging().begin(self.began);
        // Both fail only when the judge panicked, and then the whole run does.
        let sent = claims.send(claim).is_ok();
        let outcome = sent.then(|| replied.recv().ok()).flatten();
        outcome.unwrap_or(EngineOutcome::Stopped)
    }
}

/// What went wrong in a worker that has ended, with the last error it told.
pub(crate) fn fault(
    status: Option<i32>,
    ending: Option<Ending>,
    message: String,
    limits: Limits,
) -> Option<Fault> {
    let Some(status) = status else {
        return Some(match ending {
            Some(Ending::Memory) => Fault::MemoryLimit(limits.memory),
            Some(Ending::Cpu) => Fault::CpuLimit(Duration::from_secs(limits.cpu_seconds)),
            Some(Ending::Signal(signal)) => Fault::Crashed(signal),
            Some(Ending::Exited(code)) => Fault::Exited(code),
            None => Fault::NoVerdict,
        });
    };
    (status < 0).then(|| match status {
        abi::TRELLIS_ERROR_PANIC => {
            let text = message.strip_prefix("panicked: ").unwrap_or(&message);
            Fault::Panicked(text.to_string())
        }
        _ if message.is_empty() => Fault::Failed(format!("status {status}")),
        _ => Fault::Failed(message),
    })
}

/// What is known when a worker has ended.
#[derive(Default)]
struct Ended {
    fault: Option<Fault>,
    ending: Option<Ending>,
    status: Option<i32>,
    verdict: Option<RawVerdict>,
    cancelled: Option<Instant>,
    /// How long it had waited for a processor until then.
    starved: Duration,
    timed_out: bool,
    last_error: String,
    resources: Resources,
    queries: BTreeMap<String, QueryFigures>,
    stderr: String,
}
