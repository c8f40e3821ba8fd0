//! One worker, seen from the host: started, fed, listened to, stopped and buried.
//!
//! The thread that starts a worker must outlive it: the kernel tells a child of the death of the
//! *thread* that made it. [`Worker`] is therefore bound to its thread and kills on drop.

use crate::error::Fault;
use crate::frame::FrameError;
use crate::message::{FromWorker, ToWorker, receive, send};
use crate::warden::{Ending, Limits, PAUSE, RESUME};
use crate::worker::WORKER_COMMAND;
use serde::{Deserialize, Serialize};
use std::io::{BufReader, Read, Write};
use std::marker::PhantomData;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How much of a worker's standard error is kept: its beginning and its end.
const STDERR_KEPT: usize = 16 << 10;
/// How long a warden may take to kill what it guards.
const LAST_RITES: Duration = Duration::from_secs(2);

/// What a worker's outlet says.
#[derive(Debug)]
pub enum Heard {
    /// A message.
    Message(FromWorker, Vec<u32>),
    /// Something that is no message; nothing after it is read.
    Garbage(FrameError),
    /// The end of the outlet.
    End,
}

/// Resources that a worker used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// CPU time, of the worker and what it started.
    pub cpu: Duration,
    /// Largest resident memory, in bytes.
    pub memory: u64,
}

impl Resources {
    fn of(usage: &libc::rusage) -> Resources {
        let time = |t: libc::timeval| {
            Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
        };
        Resources {
            cpu: time(usage.ru_utime) + time(usage.ru_stime),
            memory: u64::try_from(usage.ru_maxrss).unwrap_or(0) << 10,
        }
    }

    /// Of this process, and of those that it started and that have ended.
    pub(crate) fn own() -> Resources {
        let of = |who| {
            // SAFETY: the structure is ours.
            unsafe {
                let mut usage: libc::rusage = std::mem::zeroed();
                libc::getrusage(who, &mut usage);
                Resources::of(&usage)
            }
        };
        let (own, others) = (of(libc::RUSAGE_SELF), of(libc::RUSAGE_CHILDREN));
        Resources {
            cpu: own.cpu + others.cpu,
            memory: own.memory.max(others.memory),
        }
    }
}

/// A running worker.
pub struct Worker {
    child: Child,
    /// Whether the child is its warden, and not who brings it to another machine.
    is_here: bool,
    heard: Receiver<Heard>,
    feed: Option<Sender<(ToWorker, Arc<Vec<u32>>)>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    threads: Vec<JoinHandle<()>>,
    buried: Option<(Ending, Resources)>,
    /// Not `Send`: see the module documentation.
    thread: PhantomData<*const ()>,
}

impl Worker {
    /// Starts `executable` as a worker.
    pub fn start(executable: &Path, limits: Limits) -> Result<Worker, Fault> {
        Worker::start_by(&[], executable, limits)
    }

    /// Has the command `launcher` start it, perhaps elsewhere: it gets the worker's command as further arguments, carries the
    /// standard streams, and ends with the worker's exit code.
    pub fn start_by(
        launcher: &[String],
        executable: &Path,
        limits: Limits,
    ) -> Result<Worker, Fault> {
        let mut command = command(launcher, executable, limits);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(Fault::Spawn)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            unreachable!("all three were asked for");
        };
        let (heard_in, heard) = channel();
        let (feed, fed) = channel::<(ToWorker, Arc<Vec<u32>>)>();
        let kept = Arc::new(Mutex::new(Vec::new()));
        let keep = kept.clone();
        // From here on the end of the worker is the end of the child, also where a thread cannot be had.
        let mut worker = Worker {
            child,
            is_here: launcher.is_empty(),
            heard,
            feed: Some(feed),
            stderr: kept,
            threads: Vec::new(),
            buried: None,
            thread: PhantomData,
        };
        let thread = || std::thread::Builder::new().name("pipe".into());
        let threads = [
            thread().spawn(move || listen(stdout, &heard_in)),
            thread().spawn(move || deliver(stdin, &fed)),
            thread().spawn(move || collect(stderr, &keep)),
        ];
        for thread in threads {
            worker.threads.push(thread.map_err(Fault::Spawn)?);
        }
        Ok(worker)
    }

    /// Sends a message, without waiting until the worker reads it.
    pub fn send(&self, message: ToWorker, words: Arc<Vec<u32>>) {
        if let Some(feed) = &self.feed {
            // Fails when the worker is gone, which `hear` will tell.
            let _ = feed.send((message, words));
        }
    }

    /// Waits for the next message; `None` when none comes in time.
    pub fn hear(&self, timeout: Duration) -> Option<Heard> {
        match self.heard.recv_timeout(timeout) {
            Ok(heard) => Some(heard),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Heard::End),
        }
    }

    /// How long the worker has waited for a processor since it began. In that time it could not have answered anything;
    /// zero where the system does not tell.
    pub fn starved(&self) -> Duration {
        self.scheduled(1)
    }

    /// CPU time of the worker's first thread so far, which is where the plugin runs; zero where the system does not tell.
    pub fn spent(&self) -> Duration {
        match self.is_here {
            true => self.scheduled(0),
            false => Duration::ZERO,
        }
    }

    /// What the scheduler says of the worker's first thread: how long it ran, and how long it waited for that.
    fn scheduled(&self, figure: usize) -> Duration {
        let warden = self.child.id();
        let guarded = format!("/proc/{warden}/task/{warden}/children");
        let guarded = std::fs::read_to_string(guarded).unwrap_or_default();
        let of = |process| scheduled(process, figure);
        guarded.split_whitespace().filter_map(of).sum()
    }

    /// Has the warden kill the worker and everything it started.
    pub fn kill(&self) {
        self.tell_warden(libc::SIGTERM);
    }

    /// Has the warden hold the worker and everything it started, for a while. A worker elsewhere is in nobody's way.
    pub fn pause(&self) {
        if self.is_here {
            self.tell_warden(PAUSE);
        }
    }

    /// Ends a pause.
    pub fn resume(&self) {
        if self.is_here {
            self.tell_warden(RESUME);
        }
    }

    fn tell_warden(&self, signal: libc::c_int) {
        if self.buried.is_none() {
            // SAFETY: the warden is not reaped yet, so the number is its own.
            unsafe {
                libc::kill(self.child.id() as libc::pid_t, signal);
            }
        }
    }

    /// Waits for the end of the worker for at most `patience`, then kills it; whatever it started
    /// is killed in any case.
    pub fn bury(&mut self, patience: Duration) -> (Ending, Resources) {
        if let Some(buried) = self.buried {
            return buried;
        }
        self.feed = None;
        let pid = self.child.id() as libc::pid_t;
        let deadline = Instant::now() + patience;
        // A worker that ends closes its outlet; so the pipe is waited for and not the clock.
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            if matches!(self.hear(left), None | Some(Heard::End)) {
                break;
            }
        }
        if !ended_by(pid, deadline) {
            self.kill();
            ended_by(pid, Instant::now() + LAST_RITES);
        }
        // What is left is in the warden's group, or the warden itself is stuck.
        // SAFETY: the group is named after the warden, which is not reaped yet.
        unsafe {
            libc::kill(-pid, libc::SIGKILL);
        }
        // SAFETY: the child is ours and not yet reaped; the structures are ours.
        let (status, usage) = unsafe {
            let mut status = 0;
            let mut usage: libc::rusage = std::mem::zeroed();
            while libc::wait4(pid, &mut status, 0, &mut usage) == -1
                && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
            {
            }
            (status, usage)
        };
        let buried = (Ending::of(status), Resources::of(&usage));
        self.buried = Some(buried);
        for thread in self.threads.drain(..) {
            // Each ends with its pipe, which nobody holds open any more.
            let _ = thread.join();
        }
        buried
    }

    /// What came out of standard error (and of the plugin's standard output).
    pub fn stderr(&self) -> String {
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
        self.bury(Duration::ZERO);
    }
}

/// What starts a worker, in a group of its own and not longer than the thread that starts it.
pub(crate) fn command(launcher: &[String], executable: &Path, limits: Limits) -> Command {
    let mut command = match launcher {
        [] => Command::new(executable),
        [program, args @ ..] => {
            let mut command = Command::new(program);
            command.args(args).arg(executable);
            command
        }
    };
    command
        .arg(WORKER_COMMAND)
        .arg(limits.cpu_seconds.to_string())
        .arg(limits.memory.to_string())
        .process_group(0);
    die_with_parent(&mut command);
    // SAFETY: only async-signal-safe calls between fork and exec.
    unsafe {
        command.pre_exec(|| {
            // What whoever started the host hands down would keep the warden deaf; what only a warden
            // understands waits until there is one.
            let mut waits: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut waits);
            libc::sigaddset(&mut waits, PAUSE);
            libc::sigaddset(&mut waits, RESUME);
            libc::sigprocmask(libc::SIG_SETMASK, &waits, std::ptr::null_mut());
            Ok(())
        });
    }
    command
}

/// Has what this starts told to end when the thread that starts it does.
pub(crate) fn die_with_parent(command: &mut Command) {
    // SAFETY: only an async-signal-safe call between fork and exec.
    unsafe {
        command.pre_exec(
            || match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            },
        );
    }
}

/// Waits for the end of a child until `deadline`; whether it came.
fn ended_by(pid: libc::pid_t, deadline: Instant) -> bool {
    while !ended(pid) {
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    true
}

/// Whether a child has ended, leaving it to be reaped.
fn ended(pid: libc::pid_t) -> bool {
    // SAFETY: the structure is ours; the child stays a zombie.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, flags) == 0 && info.si_pid() == pid
    }
}

/// A figure in nanoseconds that the scheduler keeps of the first thread of a process.
fn scheduled(process: &str, figure: usize) -> Option<Duration> {
    let figures = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    let nanoseconds = figures.split_whitespace().nth(figure)?;
    nanoseconds.parse().ok().map(Duration::from_nanos)
}

fn listen(stdout: impl Read, heard: &Sender<Heard>) {
    let mut stdout = BufReader::with_capacity(1 << 16, stdout);
    loop {
        let (message, last) = match receive(&mut stdout) {
            Ok(Some((message, words))) => (Heard::Message(message, words), false),
            Ok(None) => (Heard::End, true),
            Err(e) => (Heard::Garbage(e), true),
        };
        if heard.send(message).is_err() || last {
            return;
        }
    }
}

fn deliver(mut stdin: impl Write, fed: &Receiver<(ToWorker, Arc<Vec<u32>>)>) {
    while let Ok((message, words)) = fed.recv() {
        if send(&mut stdin, &message, &words).is_err() {
            return;
        }
    }
}

/// Keeps the first half and the last half of what is allowed.
pub(crate) fn collect(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    loop {
        match stderr.read(&mut buffer) {
            Ok(0) => return,
            Ok(n) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&buffer[..n]);
                if kept.len() > STDERR_KEPT {
                    let excess = kept.len() - STDERR_KEPT;
                    let middle = STDERR_KEPT / 2;
                    kept.drain(middle..middle + excess);
                }
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
