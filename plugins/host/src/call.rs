//! One call of a plugin that answers with a program: a pass or a front end, in a worker of its own.

use crate::discover::Found;
use crate::error::Fault;
use crate::message::{FromWorker, Job, SolverChoice, ToWorker, Work};
use crate::process::{Heard, Worker};
use crate::run::{Event, FAREWELL, TICK, fault};
use crate::warden::Limits;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use trellis_plugin_sdk::export::RawVerdict;

/// Who is told what a plugin says, by its id.
pub type Told = Arc<dyn Fn(&str, Event) + Send + Sync>;

/// Within which limits passes and front ends are called.
#[derive(Clone)]
pub struct Calls {
    /// The executable that becomes the worker.
    pub executable: PathBuf,
    /// CPU time and memory of each call.
    pub limits: Limits,
    /// When all has to be over.
    pub deadline: Option<Instant>,
    /// Which part of the time that is left one call may take.
    pub share: f64,
    /// How long a plugin may take to stop when told to.
    pub grace: Duration,
    /// Seed of every random choice.
    pub seed: u64,
    /// Set when the user stops the run.
    pub stop: Arc<AtomicBool>,
    /// Who is told what plugins say.
    pub told: Told,
}

impl Calls {
    /// Calls without limits that nobody hears of.
    pub fn new(executable: PathBuf) -> Calls {
        Calls {
            executable,
            limits: Limits::default(),
            deadline: None,
            share: 1.0,
            grace: Duration::from_millis(500),
            seed: 0,
            stop: Arc::default(),
            told: Arc::new(|_, _| {}),
        }
    }

    /// Asks a plugin; its answer, or what became of it.
    pub fn call(
        &self,
        plugin: &Found,
        work: Work,
        options: String,
        words: Vec<u32>,
    ) -> Result<RawVerdict, Fault> {
        let left = self
            .deadline
            .map(|end| end.saturating_duration_since(Instant::now()));
        let wall = left.map(|left| left.mul_f64(self.share.clamp(0.0, 1.0)));
        let mut worker = Worker::start(&self.executable, self.limits)?;
        let job = Job {
            plugin: plugin.path.clone(),
            id: plugin.id.clone(),
            work,
            options,
            seed: self.seed,
            time_limit_ms: wall.map_or(0, |wall| wall.as_millis().max(1) as u64),
            smt: SolverChoice::default(),
            sat: SolverChoice::default(),
        };
        worker.send(ToWorker::Job(Box::new(job)), Arc::new(words));
        let mut heard = Answered::default();
        let start = Instant::now();
        let mut cancelled: Option<Instant> = None;
        loop {
            let ended = match worker.hear(TICK) {
                Some(Heard::Message(message, words)) => {
                    self.message(plugin, &mut heard, message, words)?
                }
                Some(Heard::Garbage(e)) => return Err(Fault::Protocol(e)),
                Some(Heard::End) => true,
                None => false,
            };
            if ended {
                break;
            }
            let late = wall.is_some_and(|wall| start.elapsed() >= wall);
            match cancelled {
                None if late || self.stop.load(Ordering::SeqCst) => {
                    worker.send(ToWorker::Cancel, Arc::default());
                    cancelled = Some(Instant::now());
                }
                Some(since) if since.elapsed() > self.grace => {
                    return Err(Fault::IgnoredCancellation);
                }
                _ => {}
            }
        }
        // One that says nothing any more is ending, which takes its time on a loaded machine.
        let farewell = match heard.status {
            Some(_) => FAREWELL,
            None => 10 * FAREWELL,
        };
        let (ending, _) = worker.bury(farewell);
        if let Some(fault) = fault(heard.status, Some(ending), heard.last_error, self.limits) {
            return Err(fault);
        }
        match (heard.answer, cancelled) {
            (Some(answer), _) => Ok(answer),
            (None, Some(_)) if self.stop.load(Ordering::SeqCst) => Err(Fault::Stopped),
            (None, Some(_)) => Err(Fault::OutOfTime(wall.unwrap_or_default())),
            (None, None) => Err(Fault::NoVerdict),
        }
    }

    /// Takes a message; whether it is the last one.
    fn message(
        &self,
        plugin: &Found,
        heard: &mut Answered,
        message: FromWorker,
        words: Vec<u32>,
    ) -> Result<bool, Fault> {
        match message {
            FromWorker::LoadFailed(text) => {
                let path = format!("{}: ", plugin.path.display());
                let text = text.strip_prefix(&path).unwrap_or(&text);
                return Err(Fault::Load(text.to_string()));
            }
            FromWorker::Log(level, text) => {
                if level == 1 {
                    heard.last_error.clone_from(&text);
                }
                (self.told)(&plugin.id, Event::Log(level, text));
            }
            FromWorker::Progress(stage, at) => {
                (self.told)(&plugin.id, Event::Progress(stage, at));
            }
            FromWorker::Verdict(kind, text) => {
                heard.answer = Some(RawVerdict { kind, words, text });
            }
            FromWorker::Done { status, .. } => {
                heard.status = Some(status);
                return Ok(true);
            }
            // Nobody reads the lemmas of a pass.
            FromWorker::Publish | FromWorker::Info(_) => {}
        }
        Ok(false)
    }
}

/// What is known of a call so far.
#[derive(Default)]
struct Answered {
    answer: Option<RawVerdict>,
    status: Option<i32>,
    last_error: String,
}
