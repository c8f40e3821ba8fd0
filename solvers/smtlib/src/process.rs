//! A solver process: commands in, s-expressions out, and an end that always comes.
//!
//! Pipes are non-blocking and served by one `poll` loop, so that a solver that does not read, does not
//! answer, or writes without end cannot hang us: every 10 ms the loop looks at the clock and the
//! interrupt of the query. The process is killed and reaped when it is dropped, and dies with us.

use crate::sexpr::Scanner;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fmt;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use trellis_solver_api::{StopClock, UnknownReason};

const TICK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 10_000_000,
};
/// How much of what a solver wrote is kept for messages.
const TAIL: usize = 2000;
/// How long a process whose output has closed may take to end; the kernel closes its files first.
const GRACE: Duration = Duration::from_millis(500);
/// An answer longer than this is nonsense.
const MAX_REPLY: usize = 1 << 30;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The clock or an interrupt; the process is no longer of use.
    Stopped(UnknownReason),
    /// The process is gone, or does what no solver does; with its last words.
    Broken(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped(reason) => write!(f, "stopped by {reason}"),
            Failure::Broken(what) => f.write_str(what),
        }
    }
}

pub(crate) struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    /// Commands not written yet.
    outgoing: Vec<u8>,
    written: usize,
    /// Answers not taken yet.
    incoming: Vec<u8>,
    scanner: Scanner,
    complaints: Vec<u8>,
}

/// In the new process: deep terms need deep stacks, and no solver outlives us.
fn prepare() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Stack);
    let all = Rlimit {
        current: maximum,
        maximum,
    };
    // Not to be allowed more is no reason not to start.
    let _ = setrlimit(Resource::Stack, all);
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        set_parent_process_death_signal(Some(Signal::KILL))?;
    }
    Ok(())
}

impl Process {
    pub fn start(program: &Path, arguments: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        // SAFETY: between fork and exec only system calls are made, which neither allocate nor lock.
        unsafe { command.pre_exec(prepare) };
        let mut child = command.spawn()?;
        let pipe = |what| io::Error::other(format!("no pipe to the {what} of the solver"));
        let stdin = child.stdin.take().ok_or_else(|| pipe("input"))?;
        let stdout = child.stdout.take().ok_or_else(|| pipe("output"))?;
        let stderr = child.stderr.take();
        let process = Process {
            child,
            stdin,
            stdout,
            stderr,
            outgoing: Vec::new(),
            written: 0,
            incoming: Vec::new(),
            scanner: Scanner::default(),
            complaints: Vec::new(),
        };
        rustix::io::ioctl_fionbio(&process.stdin, true)?;
        rustix::io::ioctl_fionbio(&process.stdout, true)?;
        if let Some(stderr) = &process.stderr {
            rustix::io::ioctl_fionbio(stderr, true)?;
        }
        Ok(process)
    }

    /// Queues commands; they are written while an answer is waited for.
    pub fn send(&mut self, commands: &str) {
        self.outgoing.extend_from_slice(commands.as_bytes());
    }

    /// Writes what is queued and waits for the next s-expression.
    pub fn receive(&mut self, clock: &StopClock) -> Result<String, Failure> {
        loop {
            if let Some(n) = self.scanner.scan(&self.incoming) {
                let reply: Vec<u8> = self.incoming.drain(..n).collect();
                return Ok(String::from_utf8_lossy(&reply).trim().to_string());
            }
            if let Some(reason) = clock.stop_reason() {
                return Err(Failure::Stopped(reason));
            }
            if self.incoming.len() > MAX_REPLY {
                return Err(self.broken("its answer does not end"));
            }
            self.wait()?;
        }
    }

    /// One round of `poll`.
    fn wait(&mut self) -> Result<(), Failure> {
        let mut fds = vec![PollFd::new(&self.stdout, PollFlags::IN)];
        let errors = self.stderr.as_ref().map(|stderr| {
            fds.push(PollFd::from_borrowed_fd(stderr.as_fd(), PollFlags::IN));
            fds.len() - 1
        });
        let input = (self.written < self.outgoing.len()).then(|| {
            fds.push(PollFd::from_borrowed_fd(self.stdin.as_fd(), PollFlags::OUT));
            fds.len() - 1
        });
        match poll(&mut fds, Some(&TICK)) {
            Ok(0) | Err(Errno::INTR) => return Ok(()),
            Ok(_) => {}
            Err(e) => return Err(Failure::Broken(format!("poll failed: {e}"))),
        }
        let ready = |i: usize| !fds[i].revents().is_empty();
        let (output, input) = (ready(0), input.is_some_and(ready));
        if errors.is_some_and(ready) {
            self.read_errors();
        }
        if input {
            self.write_some();
        }
        if output && !self.read_some()? {
            self.await_end();
            return Err(self.broken("it closed its output"));
        }
        Ok(())
    }

    fn write_some(&mut self) {
        match self.stdin.write(&self.outgoing[self.written..]) {
            Ok(n) => {
                self.written += n;
                if self.written == self.outgoing.len() {
                    self.outgoing.clear();
                    self.written = 0;
                }
            }
            Err(e) if retry(&e) => {}
            // The end of its output will be seen, and tell why; until then there is nothing to write.
            Err(_) => {
                self.outgoing.clear();
                self.written = 0;
            }
        }
    }

    /// Whether the output is still open.
    fn read_some(&mut self) -> Result<bool, Failure> {
        let mut buffer = [0; 1 << 16];
        match self.stdout.read(&mut buffer) {
            Ok(0) => Ok(false),
            Ok(n) => {
                self.incoming.extend_from_slice(&buffer[..n]);
                Ok(true)
            }
            Err(e) if retry(&e) => Ok(true),
            Err(e) => Err(self.broken(&format!("its output cannot be read: {e}"))),
        }
    }

    fn read_errors(&mut self) {
        let mut buffer = [0; 1 << 12];
        let Some(stderr) = &mut self.stderr else {
            return;
        };
        match stderr.read(&mut buffer) {
            Ok(n) if n > 0 => {
                self.complaints.extend_from_slice(&buffer[..n]);
                let extra = self.complaints.len().saturating_sub(TAIL);
                self.complaints.drain(..extra);
            }
            Err(e) if retry(&e) => {}
            _ => self.stderr = None,
        }
    }

    /// Waits for the exit status of a process that is ending, so that messages can tell it.
    fn await_end(&mut self) {
        let deadline = Instant::now() + GRACE;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The failure `what`, with the end of what the process has written.
    pub fn broken(&mut self, what: &str) -> Failure {
        self.read_errors();
        let mut message = what.to_string();
        if let Ok(Some(status)) = self.child.try_wait() {
            message.push_str(&format!(" ({status})"));
        }
        for (name, bytes) in [("output", &self.incoming), ("errors", &self.complaints)] {
            let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
            let text = String::from_utf8_lossy(tail);
            if !text.trim().is_empty() {
                message.push_str(&format!("; its last {name}: {}", text.trim()));
            }
        }
        Failure::Broken(message)
    }
}

fn retry(e: &io::Error) -> bool {
    matches!(
        e.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

impl Drop for Process {
    fn drop(&mut self) {
        // The whole group, so that a wrapper script takes its solver with it.
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // Both may fail only when it is gone already; waiting reaps it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
