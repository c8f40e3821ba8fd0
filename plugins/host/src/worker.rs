//! The worker: loads one plugin, gives it the program, lends it what it asks for.
//!
//! The plugin, an engine in most cases, runs on the main thread. A second thread listens to the host: cancellation sets the
//! flag that the engine polls and interrupts every open session; proved lemmas go to the snapshot
//! that the engine reads. Messages leave through a copy of standard output that is made before the
//! plugin is loaded; what the plugin itself prints goes to standard error.

use crate::error::HostError;
use crate::library::{info, load};
use crate::message::{FromWorker, Job, QueryFigures, SolverChoice, ToWorker, Work, receive, send};
use crate::process::Resources;
use crate::warden::{self, Limits};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Write};
use std::os::fd::{FromRawFd, RawFd};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use trellis_plugin_abi::handshake::{Checked, Kind};
use trellis_plugin_abi::{TrellisHost, TrellisSource, TrellisStr, TrellisTask, TrellisWords};
use trellis_plugin_sdk::Level;
use trellis_plugin_sdk::export::smt::Usage;
use trellis_plugin_sdk::export::{RawHost, RawVerdict, with_table};
use trellis_plugin_sdk::wire::image;
use trellis_solver_api::sat::{SatBackend, SatSession};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Capabilities, Interrupter, SessionConfig, SolverError};

/// The hidden first argument that makes an executable a worker.
pub const WORKER_COMMAND: &str = "__worker";

/// The backends of an executable, by name, and of plugins, by their library; the empty name stands for the default.
pub trait Backends {
    /// An SMT backend.
    fn smt(&self, name: &str, library: Option<&Path>) -> Result<Box<dyn SmtBackend>, SolverError>;
    /// A SAT backend.
    fn sat(&self, name: &str, library: Option<&Path>) -> Result<Box<dyn SatBackend>, SolverError>;
}

/// The main function of a worker; `args` are those after [`WORKER_COMMAND`]: CPU seconds and bytes
/// of memory. To be called before the process has a second thread.
pub fn worker_main(args: &[String], backends: &dyn Backends) -> ExitCode {
    let number = |at: usize| args.get(at).and_then(|n| n.parse().ok()).unwrap_or(0);
    let limits = Limits {
        cpu_seconds: number(0),
        memory: number(1),
    };
    let pipes = warden::split(limits).and_then(|()| take_pipes());
    match pipes {
        Ok((input, output)) => serve(input, output, backends),
        Err(e) => {
            eprintln!("worker: {e}");
            ExitCode::from(1)
        }
    }
}

/// Moves the pipes away from where a plugin would find them: standard input becomes empty, and
/// standard output becomes standard error.
fn take_pipes() -> std::io::Result<(File, File)> {
    let null = std::fs::OpenOptions::new().read(true).open("/dev/null")?;
    // SAFETY: the standard descriptors are open, and the copies belong to nobody else.
    unsafe {
        let input = duplicate(0)?;
        let output = duplicate(1)?;
        use std::os::fd::AsRawFd;
        if libc::dup2(null.as_raw_fd(), 0) < 0 || libc::dup2(2, 1) < 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok((File::from_raw_fd(input), File::from_raw_fd(output)))
    }
}

/// # Safety
/// None beyond that of any system call; unsafe because the callee is foreign.
unsafe fn duplicate(fd: RawFd) -> std::io::Result<RawFd> {
    // SAFETY: makes a new descriptor, closed in programs that the plugin starts.
    match unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 10) } {
        -1 => Err(std::io::Error::last_os_error()),
        copy => Ok(copy),
    }
}

fn serve(input: File, output: File, backends: &dyn Backends) -> ExitCode {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let out = Arc::new(Mutex::new(output));
    let tell = |message: &FromWorker| {
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        send(&mut *out, message, &[])
    };
    let first = receive::<ToWorker>(&mut input);
    let done = match first {
        Ok(Some((ToWorker::Probe { plugin }, _))) => match load(&plugin) {
            Ok(checked) => tell(&FromWorker::Info(Box::new(info(&checked)))),
            Err(e) => tell(&FromWorker::LoadFailed(e.to_string())),
        },
        Ok(Some((ToWorker::Job(job), words))) => {
            return match work(*job, words, input, out.clone(), backends) {
                Ok(()) => ExitCode::SUCCESS,
                Err(text) => {
                    let _ = tell(&FromWorker::LoadFailed(text));
                    ExitCode::SUCCESS
                }
            };
        }
        // The host is gone, or changed its mind.
        Ok(_) => Ok(()),
        Err(e) => {
            eprintln!("worker: {e}");
            return ExitCode::from(1);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(1),
    }
}

/// What the listening thread and the engine's thread share.
#[derive(Default)]
struct Shared {
    cancelled: AtomicU32,
    /// Of open sessions; those of closed ones stay and are harmless.
    interrupters: Mutex<Vec<Interrupter>>,
    lemmas: Mutex<Lemmas>,
}

/// Proved lemmas in batches: the number of the first one, and the words.
#[derive(Default)]
struct Lemmas {
    batches: Vec<(u64, Vec<u32>)>,
    count: u64,
}

impl Shared {
    fn cancel(&self) {
        self.cancelled.store(1, Ordering::SeqCst);
        let interrupters = self.interrupters.lock();
        for interrupter in interrupters.unwrap_or_else(PoisonError::into_inner).iter() {
            interrupter.interrupt();
        }
    }

    /// Registers a session; one that is opened after the cancellation is interrupted at once.
    fn register(&self, interrupter: Interrupter) {
        let mut all = self
            .interrupters
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if self.cancelled.load(Ordering::SeqCst) != 0 {
            interrupter.interrupt();
        }
        all.push(interrupter);
    }

    /// Listens until the host hangs up, which is a cancellation too.
    fn listen(&self, mut input: BufReader<File>) {
        loop {
            match receive::<ToWorker>(&mut input) {
                Ok(Some((ToWorker::Lemmas(count), words))) => {
                    let mut lemmas = self.lemmas.lock().unwrap_or_else(PoisonError::into_inner);
                    let first = lemmas.count;
                    lemmas.batches.push((first, words));
                    lemmas.count += count;
                }
                Ok(Some((ToWorker::Cancel, _))) => self.cancel(),
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => {
                    self.cancel();
                    return;
                }
            }
        }
    }
}

fn work(
    job: Job,
    image: Vec<u32>,
    input: BufReader<File>,
    out: Arc<Mutex<File>>,
    backends: &dyn Backends,
) -> Result<(), String> {
    let checked = load(&job.plugin).map_err(|e| e.to_string())?;
    let handshake = |error| {
        let path = job.plugin.clone();
        HostError::Handshake { path, error }.to_string()
    };
    let wanted = match job.work {
        Work::Decide => Kind::Engine,
        Work::Transform => Kind::Pass,
        Work::Read { .. } => Kind::FrontEnd,
    };
    checked.expect(wanted).map_err(handshake)?;
    if checked.id != job.id {
        let wrong = HostError::WrongId {
            path: job.plugin.clone(),
            found: checked.id.into(),
            wanted: job.id.clone(),
        };
        return Err(wrong.to_string());
    }
    let shared = Arc::new(Shared::default());
    let listener = shared.clone();
    std::thread::Builder::new()
        .name("listen".into())
        .spawn(move || listener.listen(input))
        .map_err(|e| e.to_string())?;
    let host = Lender {
        smt: backends.smt(&job.smt.name, job.smt.library.as_deref()),
        sat: backends.sat(&job.sat.name, job.sat.library.as_deref()),
        job: &job,
        image: &image,
        shared,
        out,
        usage: Usage::default(),
        verdict: Mutex::new(None),
    };
    let status = with_table(&host, |table| enter(&checked, &job, &image, table));
    host.finish(status);
    Ok(())
}

/// Runs the plugin; its status.
fn enter(checked: &Checked, job: &Job, words: &[u32], table: &TrellisHost) -> i32 {
    let plugin = checked.descriptor;
    if let Work::Read { name, len } = &job.work {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        let bytes = &bytes[..(*len).min(bytes.len())];
        let source = TrellisSource {
            size: size_of::<TrellisSource>() as u32,
            reserved: 0,
            name: TrellisStr::new(name),
            bytes: TrellisStr {
                data: bytes.as_ptr(),
                len: bytes.len(),
            },
            options: TrellisStr::new(&job.options),
        };
        // SAFETY: checked by the handshake; source and table obey the ABI for the call.
        return unsafe {
            let run = (*plugin.frontend).run.expect("checked by the handshake");
            run(&source, table)
        };
    }
    let task = TrellisTask {
        size: size_of::<TrellisTask>() as u32,
        reserved: 0,
        image: TrellisWords::new(words),
        options: TrellisStr::new(&job.options),
        seed: job.seed,
        time_limit_ms: job.time_limit_ms,
    };
    // SAFETY: checked by the handshake; task and table obey the ABI for the call.
    unsafe {
        let run = match job.work {
            Work::Transform => (*plugin.pass).run,
            _ => (*plugin.engine).run,
        };
        run.expect("checked by the handshake")(&task, table)
    }
}

/// The host as the engine sees it.
struct Lender<'a> {
    smt: Result<Box<dyn SmtBackend>, SolverError>,
    sat: Result<Box<dyn SatBackend>, SolverError>,
    job: &'a Job,
    image: &'a [u32],
    shared: Arc<Shared>,
    out: Arc<Mutex<File>>,
    usage: Usage,
    verdict: Mutex<Option<RawVerdict>>,
}

impl Lender<'_> {
    fn tell(&self, message: &FromWorker, words: &[u32]) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // The host is gone when this fails, and the warden ends this process.
        let _ = send(&mut *out, message, words);
    }

    fn config(&self, choice: &SolverChoice) -> SessionConfig {
        SessionConfig {
            seed: self.job.seed,
            options: choice.options.clone(),
        }
    }

    /// The verdict goes out when the engine has returned, so that a crash on the way out is seen.
    fn finish(&self, status: i32) {
        let verdict = self.verdict.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(verdict) = &*verdict {
            let head = FromWorker::Verdict(verdict.kind, verdict.text.clone());
            self.tell(&head, &verdict.words);
        }
        let usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        let queries: BTreeMap<String, QueryFigures> = usage
            .iter()
            .map(|(kind, stats)| {
                let figures = QueryFigures {
                    sat: stats.sat,
                    unsat: stats.unsat,
                    unknown: stats.unknown,
                    micros: u64::try_from(stats.time.as_micros()).unwrap_or(u64::MAX),
                };
                (kind.clone(), figures)
            })
            .collect();
        let done = FromWorker::Done {
            status,
            queries,
            resources: Resources::own(),
        };
        self.tell(&done, &[]);
        let _ = std::io::stderr().flush();
    }
}

impl RawHost for Lender<'_> {
    fn cancelled(&self) -> &AtomicU32 {
        &self.shared.cancelled
    }

    fn smt_capabilities(&self) -> Capabilities {
        self.smt
            .as_ref()
            .map_or(Capabilities::NONE, |b| b.capabilities())
    }

    fn sat_capabilities(&self) -> Capabilities {
        self.sat
            .as_ref()
            .map_or(Capabilities::NONE, |b| b.capabilities())
    }

    fn smt(&self) -> Result<Box<dyn SmtSession>, SolverError> {
        let backend = self.smt.as_ref().map_err(Clone::clone)?;
        let session = backend.session(&self.config(&self.job.smt))?;
        self.shared.register(session.interrupter());
        Ok(session)
    }

    fn sat(&self) -> Result<Box<dyn SatSession>, SolverError> {
        let backend = self.sat.as_ref().map_err(Clone::clone)?;
        let session = backend.session(&self.config(&self.job.sat))?;
        self.shared.register(session.interrupter());
        Ok(session)
    }

    fn usage(&self) -> Option<Usage> {
        Some(self.usage.clone())
    }

    fn report(&self, verdict: RawVerdict) -> Result<(), String> {
        let mut slot = self.verdict.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.is_some() {
            return Err("a second answer was given; the first one counts".into());
        }
        *slot = Some(verdict);
        Ok(())
    }

    fn log(&self, level: Level, text: &str) {
        self.tell(&FromWorker::Log(level as u32 + 1, text.to_string()), &[]);
    }

    fn progress(&self, stage: &str, at: u64) {
        self.tell(&FromWorker::Progress(stage.to_string(), at), &[]);
    }

    fn publish(&self, lemmas: &[u32]) -> Result<(), String> {
        self.tell(&FromWorker::Publish, lemmas);
        Ok(())
    }

    fn lemma_count(&self) -> u64 {
        let lemmas = self.shared.lemmas.lock();
        lemmas.unwrap_or_else(PoisonError::into_inner).count
    }

    fn lemmas(&self, from: u64) -> Vec<u32> {
        let lemmas = self.shared.lemmas.lock();
        let lemmas = lemmas.unwrap_or_else(PoisonError::into_inner);
        let batch = lemmas.batches.iter().find(|(first, _)| *first == from);
        // No nodes and no lemmas.
        batch.map_or_else(|| vec![0, 0], |(_, words)| words.clone())
    }

    fn text(&self) -> Result<String, String> {
        let program = image::read(self.image).map_err(|e| e.to_string())?;
        Ok(trellis_ivl::text::print(&program))
    }
}
