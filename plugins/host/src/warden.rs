//! The process between host and worker.
//!
//! The host starts a warden, the warden forks the worker. The warden runs no foreign code, so what
//! it guards cannot be broken by a plugin: it watches the memory of the worker and of what the worker
//! started, and kills all of it when the worker ends, when the host says so, and when the host dies,
//! however it dies: the kernel sends the warden the same signal. The warden is a subreaper, so a
//! process that detaches itself from the worker becomes the warden's child and does not get away.
//! It holds the worker for a while when the host asks for it ([`PAUSE`]).
//! Its own exit code tells the host how the worker ended ([`Ending`]).

use std::io::Error;
use std::time::{Duration, Instant};
use trellis_confine::tree;

/// How often the worker's memory is looked at.
const TICK: Duration = Duration::from_millis(25);
/// How long what was killed may take to end before more is looked for.
const REAP: Duration = Duration::from_millis(2);
/// Processes that are looked at in one go.
const MOST: usize = 1000;

/// Tells a warden to hold what it guards, until [`RESUME`] and for no longer than [`LONGEST_PAUSE`].
pub(crate) const PAUSE: libc::c_int = libc::SIGUSR1;
/// Tells a warden to let it go on.
pub(crate) const RESUME: libc::c_int = libc::SIGUSR2;
/// How long a pause lasts at most, whatever becomes of the host's second word.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// What the kernel enforces for a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// CPU seconds; 0 for no limit.
    pub cpu_seconds: u64,
    /// Bytes of resident memory; 0 for no limit.
    pub memory: u64,
}

/// How a worker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With an exit code.
    Exited(i32),
    /// By a signal.
    Signal(i32),
    /// It used more memory than allowed.
    Memory,
    /// It used more CPU time than allowed.
    Cpu,
}

const MEMORY: i32 = 254;
const CPU: i32 = 253;
const SIGNALS: i32 = 128;

impl Ending {
    /// As the exit code of a warden. Exit codes of a worker beyond 127 are cut, because workers of
    /// ours have none and plugins that end their process may call it what they like.
    fn code(self) -> i32 {
        match self {
            Ending::Exited(code) => code.clamp(0, 127),
            Ending::Signal(signal) => SIGNALS + signal.min(100),
            Ending::Memory => MEMORY,
            Ending::Cpu => CPU,
        }
    }

    /// From the wait status of a warden.
    pub fn of(status: i32) -> Ending {
        if libc::WIFSIGNALED(status) {
            return Ending::Signal(libc::WTERMSIG(status));
        }
        match libc::WEXITSTATUS(status) {
            MEMORY => Ending::Memory,
            CPU => Ending::Cpu,
            code if code > SIGNALS => Ending::Signal(code - SIGNALS),
            code => Ending::Exited(code),
        }
    }
}

/// Forks: the child goes on as the worker, the parent stays here as its warden and never returns.
///
/// Must be called while the process has one thread.
pub fn split(limits: Limits) -> Result<(), Error> {
    // SAFETY: plain system calls; the set is ours. Signals wait until the warden looks for them.
    unsafe {
        libc::sigprocmask(libc::SIG_BLOCK, &signals(), std::ptr::null_mut());
        if libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) != 0 {
            return Err(Error::last_os_error());
        }
    }
    // SAFETY: the process has one thread, so the child may do anything.
    match unsafe { libc::fork() } {
        -1 => Err(Error::last_os_error()),
        0 => become_worker(limits),
        worker => {
            let ending = watch(worker, limits);
            // SAFETY: ends the process without running handlers that belong to nobody here.
            unsafe { libc::_exit(ending.code()) }
        }
    }
}

/// What the warden waits for: the end of a child, and being told to end, to pause or to go on.
fn signals() -> libc::sigset_t {
    // SAFETY: makes a set of valid numbers.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGCHLD);
        libc::sigaddset(&mut set, libc::SIGTERM);
        libc::sigaddset(&mut set, PAUSE);
        libc::sigaddset(&mut set, RESUME);
        set
    }
}

/// The next signal for the warden, or -1 after `most`, which is less than a second.
fn next_signal(most: Duration) -> libc::c_int {
    let most = libc::timespec {
        tv_sec: 0,
        tv_nsec: most.as_nanos() as libc::c_long,
    };
    // SAFETY: the structures are ours; the signals are blocked, see `split`.
    unsafe { libc::sigtimedwait(&signals(), std::ptr::null_mut(), &most) }
}

fn become_worker(limits: Limits) -> Result<(), Error> {
    // SAFETY: plain system calls on the own process; the numbers are in range.
    unsafe {
        libc::sigprocmask(libc::SIG_UNBLOCK, &signals(), std::ptr::null_mut());
        if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
            return Err(Error::last_os_error());
        }
        set_limit(libc::RLIMIT_CORE, 0, 0)?;
        if limits.cpu_seconds > 0 {
            set_limit(libc::RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 2)?;
        }
        if limits.memory > 0 {
            // The warden enforces the limit on resident memory; this one stops a burst between
            // two looks, and leaves room for what is mapped and never touched.
            let most = limits.memory.saturating_mul(2).saturating_add(4 << 30);
            set_limit(libc::RLIMIT_AS, most, most)?;
        }
    }
    Ok(())
}

/// # Safety
/// None beyond that of any system call; unsafe because the callee is foreign.
unsafe fn set_limit(
    resource: libc::__rlimit_resource_t,
    soft: u64,
    hard: u64,
) -> Result<(), Error> {
    // SAFETY: the structures are ours. A hard limit may only be lowered.
    unsafe {
        let mut now: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(resource, &mut now) != 0 {
            return Err(Error::last_os_error());
        }
        let limit = libc::rlimit {
            rlim_cur: soft.min(now.rlim_max),
            rlim_max: hard.min(now.rlim_max),
        };
        if libc::setrlimit(resource, &limit) != 0 {
            return Err(Error::last_os_error());
        }
    }
    Ok(())
}

/// Waits for the worker to end, or to have to.
fn watch(worker: libc::pid_t, limits: Limits) -> Ending {
    // SAFETY: system calls with structures of ours; the process has one thread.
    unsafe {
        // The pipes are the worker's: its end must be their end.
        for fd in 0..=2 {
            libc::close(fd);
        }
        let mut memory_exceeded = false;
        let mut paused: Option<Instant> = None;
        loop {
            let mut status = 0;
            match libc::waitpid(-1, &mut status, libc::WNOHANG) {
                pid if pid == worker => {
                    clear();
                    return ending(status, memory_exceeded);
                }
                // An orphan that ended by itself.
                1.. => continue,
                _ => {}
            }
            if limits.memory > 0 && resident() > limits.memory {
                memory_exceeded = true;
                libc::kill(worker, libc::SIGKILL);
            }
            let signal = next_signal(TICK);
            match signal {
                libc::SIGTERM => {
                    clear();
                    return Ending::Signal(libc::SIGKILL);
                }
                PAUSE => {
                    tree::pause(&tree::below(own_pid(), MOST));
                    paused = Some(Instant::now());
                }
                _ => {}
            }
            if let Some(since) = paused
                && (signal == RESUME || since.elapsed() >= LONGEST_PAUSE)
            {
                tree::resume(&tree::below(own_pid(), MOST));
                paused = None;
            }
        }
    }
}

/// Kills and reaps everything below this process. Orphans become its children, so the tree is
/// complete, and it is empty when there is no child left.
fn clear() {
    loop {
        // SAFETY: reaps children, whose status nobody asks for.
        match unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) } {
            -1 => return,
            0 => {
                tree::kill(&tree::below(own_pid(), MOST));
                next_signal(REAP);
            }
            _ => {}
        }
    }
}

fn own_pid() -> i32 {
    std::process::id() as i32
}

/// Bytes of resident memory of everything below this process.
fn resident() -> u64 {
    let pages: u64 = tree::below(own_pid(), MOST).values().map(|s| s.pages).sum();
    // SAFETY: a constant of the system.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages * u64::try_from(page).unwrap_or(4096)
}

fn ending(status: i32, memory_exceeded: bool) -> Ending {
    if memory_exceeded {
        return Ending::Memory;
    }
    if libc::WIFSIGNALED(status) {
        return match libc::WTERMSIG(status) {
            libc::SIGXCPU => Ending::Cpu,
            signal => Ending::Signal(signal),
        };
    }
    Ending::Exited(libc::WEXITSTATUS(status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_survive_the_exit_code() {
        let all = [
            Ending::Exited(0),
            Ending::Exited(127),
            Ending::Signal(libc::SIGSEGV),
            Ending::Signal(libc::SIGABRT),
            Ending::Memory,
            Ending::Cpu,
        ];
        for ending in all {
            // The wait status of a process that exited.
            assert_eq!(Ending::of(ending.code() << 8), ending);
        }
        assert_eq!(Ending::of(libc::SIGKILL), Ending::Signal(libc::SIGKILL));
    }
}
