//! A worker on another machine, over connections instead of pipes.
//!
//! Where jobs are handed out by somebody who carries no streams, two processes stand between host and warden. The [`Relay`] is the
//! host's child in place of the warden: its streams are the host's pipes, its exit code is the warden's. [`serve`] is the job: it
//! connects to the relay and starts the warden there. What they need to find each other is in a file that only the user can read;
//! so both machines see the user's files. When either end dies, so does the other.

use crate::process::{collect, command, die_with_parent};
use crate::warden::Limits;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The hidden first argument of a job: then the file of its relay, CPU seconds and bytes of memory.
pub const SERVE_COMMAND: &str = "__worker-at";
/// Where the relay is to be found, for machines with several names.
pub const ADDRESS: &str = "TRELLIS_ADDRESS";

/// How long somebody who connects may take to say who it is.
const GREETING: Duration = Duration::from_secs(5);
/// How often the relay looks whether the job is still to be expected.
const LOOK: Duration = Duration::from_millis(5);
/// The connection of messages, and the one that ends with the exit code and what came out of standard error.
const MESSAGES: u8 = b'm';
const ENDING: u8 = b'e';
const SECRET: usize = 32;

/// How a job finds its relay.
#[derive(Serialize, Deserialize)]
struct Meeting {
    machine: String,
    address: String,
    port: u16,
    secret: String,
}

/// The host's end.
pub struct Relay {
    listener: TcpListener,
    secret: String,
    file: PathBuf,
}

impl Relay {
    /// Waits for a connection, which the file in `folder` describes from now on.
    pub fn open(folder: &Path) -> Result<Relay, Error> {
        let mut noise = [0; SECRET / 2];
        File::open("/dev/urandom")?.read_exact(&mut noise)?;
        let secret: String = noise.iter().map(|b| format!("{b:02x}")).collect();
        let listener = TcpListener::bind(("0.0.0.0", 0))?;
        listener.set_nonblocking(true)?;
        let machine = machine();
        let meeting = Meeting {
            address: std::env::var(ADDRESS).unwrap_or_else(|_| machine.clone()),
            machine,
            port: listener.local_addr()?.port(),
            secret,
        };
        std::fs::create_dir_all(folder)?;
        let name = format!("worker-{}-{}", std::process::id(), meeting.port);
        let file = folder.join(name);
        let mut out = (OpenOptions::new().write(true).create_new(true))
            .mode(0o600)
            .open(&file)?;
        out.write_all(&serde_json::to_vec(&meeting)?)?;
        Ok(Relay {
            listener,
            secret: meeting.secret,
            file,
        })
    }

    /// The file for the job.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Carries everything to the job and back until it ends; its exit code. `submit` hands the job out, is told `request`, and does
    /// not end before the job does.
    pub fn run(self, mut submit: Command, request: Option<String>) -> Result<u8, Error> {
        submit
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        die_with_parent(&mut submit);
        let mut submitted = submit.spawn().map_err(|e| {
            let program = submit.get_program().display();
            Error::new(e.kind(), format!("{program}: {e}"))
        })?;
        if let (Some(mut stdin), Some(request)) = (submitted.stdin.take(), request) {
            // Who does not read it says why.
            let _ = stdin.write_all(request.as_bytes());
        }
        let (mut messages, mut ending) = (None, None);
        let (messages, mut ending): (TcpStream, TcpStream) = loop {
            match self.listener.accept() {
                Ok((stream, _)) => match self.greeting(stream) {
                    Some((MESSAGES, stream)) => messages = Some(stream),
                    Some((ENDING, stream)) => ending = Some(stream),
                    _ => {}
                },
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    if submitted.try_wait()?.is_some() {
                        return Err(self.nobody_came(submitted));
                    }
                    std::thread::sleep(LOOK);
                }
                Err(e) => return Err(e),
            }
            match (messages.take(), ending.take()) {
                (Some(messages), Some(ending)) => break (messages, ending),
                met => (messages, ending) = met,
            }
        };
        let _ = std::fs::remove_file(&self.file);
        let mut back = messages.try_clone()?;
        let mut there = messages;
        // Ends with the process where the host does not hang up first.
        std::thread::Builder::new().spawn(move || {
            let _ = std::io::copy(&mut std::io::stdin(), &mut there);
            let _ = there.shutdown(Shutdown::Write);
        })?;
        let back = std::thread::Builder::new().spawn(move || {
            let _ = std::io::copy(&mut back, &mut std::io::stdout());
        })?;
        let mut code = [0];
        let lost = |e: Error| Error::new(e.kind(), format!("the worker elsewhere was lost: {e}"));
        ending.read_exact(&mut code).map_err(lost)?;
        let _ = std::io::copy(&mut ending, &mut std::io::stderr());
        let _ = back.join();
        Ok(code[0])
    }

    /// Why there is no job.
    fn nobody_came(&self, submitted: Child) -> Error {
        let _ = std::fs::remove_file(&self.file);
        let said = submitted.wait_with_output().map(|o| o.stderr);
        let said = String::from_utf8_lossy(&said.unwrap_or_default()).into_owned();
        Error::other(match said.trim() {
            "" => "the job ended before it came to work",
            said => said,
        })
    }

    /// Which connection this is, if it is one of the job's.
    fn greeting(&self, mut stream: TcpStream) -> Option<(u8, TcpStream)> {
        let mut said = [0; 1 + SECRET];
        stream.set_nonblocking(false).ok()?;
        stream.set_read_timeout(Some(GREETING)).ok()?;
        stream.read_exact(&mut said).ok()?;
        let differs = |(a, b): (&u8, &u8)| a ^ b;
        let wrong = said[1..].iter().zip(self.secret.as_bytes());
        if wrong.map(differs).fold(0, |all, d| all | d) != 0 {
            return None;
        }
        stream.set_read_timeout(None).ok()?;
        stream.set_nodelay(true).ok()?;
        Some((said[0], stream))
    }
}

/// The main function of a job; `args` are those after [`SERVE_COMMAND`].
pub fn serve(args: &[String]) -> ExitCode {
    let number = |at: usize| args.get(at).and_then(|n| n.parse().ok()).unwrap_or(0);
    let limits = Limits {
        cpu_seconds: number(1),
        memory: number(2),
    };
    let file = args.first().map(Path::new).unwrap_or(Path::new(""));
    match guest(file, limits) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("worker: {}: {e}", file.display());
            ExitCode::from(1)
        }
    }
}

fn guest(file: &Path, limits: Limits) -> Result<(), Error> {
    let meeting: Meeting = serde_json::from_slice(&std::fs::read(file)?)?;
    let met = connect(&meeting, MESSAGES).and_then(|m| Ok((m, connect(&meeting, ENDING)?)));
    let (messages, mut ending) = met.inspect_err(|_| {
        // Whoever waited is gone: nobody else needs it.
        let _ = std::fs::remove_file(file);
    })?;
    let stream = |s: TcpStream| Stdio::from(OwnedFd::from(s));
    let mut command = command(&[], &std::env::current_exe()?, limits);
    command
        .stdin(stream(messages.try_clone()?))
        .stdout(stream(messages))
        .stderr(Stdio::piped());
    let mut warden = command.spawn()?;
    // It has copies of the connection, whose end must be the worker's.
    drop(command);
    let kept = Arc::new(Mutex::new(Vec::new()));
    let stderr = warden.stderr.take();
    let keep = kept.clone();
    let collector = std::thread::Builder::new().spawn(move || {
        if let Some(stderr) = stderr {
            collect(stderr, &keep);
        }
    })?;
    let over = Arc::new(AtomicBool::new(false));
    let (mut host, is_over, pid) = (ending.try_clone()?, over.clone(), warden.id());
    std::thread::Builder::new().spawn(move || {
        // Nothing is said on this connection: it ends with the relay.
        let _ = host.read(&mut [0]);
        if !is_over.load(Ordering::SeqCst) {
            // SAFETY: the warden is not reaped yet, so the number is its own.
            unsafe {
                libc::kill(pid as libc::pid_t, libc::SIGTERM);
            }
        }
    })?;
    let status = warden.wait()?;
    over.store(true, Ordering::SeqCst);
    let _ = collector.join();
    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    ending.write_all(&[code(status)])?;
    ending.write_all(&kept)
}

/// The exit code of a warden; one that was killed itself is told as if its worker had been.
fn code(status: ExitStatus) -> u8 {
    let code = status.code().unwrap_or(128 + status.signal().unwrap_or(0));
    u8::try_from(code).unwrap_or(1)
}

fn connect(meeting: &Meeting, kind: u8) -> Result<TcpStream, Error> {
    let address = match machine() == meeting.machine {
        true => "127.0.0.1",
        false => &meeting.address,
    };
    let mut stream = TcpStream::connect((address, meeting.port))?;
    stream.set_nodelay(true)?;
    stream.write_all(&[&[kind], meeting.secret.as_bytes()].concat())?;
    Ok(stream)
}

/// What this machine calls itself.
fn machine() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer is ours, and its last byte stays 0.
    unsafe {
        libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1);
    }
    let end = name.iter().position(|b| *b == 0).unwrap_or(0);
    String::from_utf8_lossy(&name[..end]).into_owned()
}
