//! The way of a proof from CaDiCaL to the checker: a C stream whose bytes go to Rust, where they become steps, get the
//! numbers that the checker expects, and are checked at once. So a proof takes no disk, and no memory beyond the
//! clauses that are alive in it.
//!
//! Nothing here is trusted: whatever goes wrong on the way, the checker accepts nothing that is no refutation.

use crate::ffi;
use crate::session::{NAME, set_option};
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Mutex;
use trellis_solver_api::{Interrupter, SolverError};
use trellis_solver_ipasir::IpasirSession;
use trellis_solver_lrat::{BinaryReader, Checker, Formula, Rejection, Step, text};

/// Bytes that CaDiCaL writes before the checker sees them.
const BUFFER: usize = 1 << 16;

/// Where CaDiCaL writes to. Dropped after the solver, which may write until then.
pub(crate) struct Trace {
    file: *mut libc::FILE,
    /// Given to C as the stream's state.
    listener: Box<Mutex<Listener>>,
}

impl Trace {
    /// Has a solver without clauses write its proof for `listener`.
    pub fn attach(session: &IpasirSession, listener: Listener) -> Result<Trace, SolverError> {
        set_option(session, "lrat", 1)?;
        set_option(session, "binary", 1)?;
        let listener = Box::new(Mutex::new(listener));
        let state: *const Mutex<Listener> = &*listener;
        let file = open(state.cast_mut().cast())?;
        // From here on the file is closed when the trace is dropped.
        let trace = Trace { file, listener };
        // SAFETY: a stream of ours that lives as long as the solver, and a solver in its configuring state.
        unsafe { ffi::ccadical_trace_proof(session.solver(), file, c"proof".as_ptr()) };
        Ok(trace)
    }

    /// Stops listening: what the solver does from now on is not about the formula alone.
    pub fn abandon(&self) {
        if let Ok(mut listener) = self.listener.lock() {
            listener.checker = None;
            listener.keeper = None;
        }
    }

    /// What was wrong with the proof so far.
    pub fn rejection(&self) -> Option<Rejection> {
        match self.listener.lock() {
            Ok(listener) => listener.rejection.clone(),
            Err(_) => Some(Rejection::Malformed("the check of the proof panicked")),
        }
    }

    /// Whether the proof has been accepted, by a solver that has answered, with the proof where it is kept.
    pub fn conclude(&self) -> Result<Option<Vec<u8>>, Rejection> {
        // SAFETY: our stream; the solver has answered, so nobody writes.
        unsafe { libc::fflush(self.file) };
        if let Some(rejection) = self.rejection() {
            return Err(rejection);
        }
        let Ok(mut listener) = self.listener.lock() else {
            return Err(Rejection::Malformed("the check of the proof panicked"));
        };
        match &listener.checker {
            Some(checker) => checker.conclude()?,
            None => return Err(Rejection::Unfinished),
        }
        Ok(listener.keeper.take().and_then(|k| k.proof))
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        // SAFETY: opened by us, closed once, after the solver is gone. What is still in its buffer goes to the
        // listener, which is dropped after this.
        unsafe { libc::fclose(self.file) };
    }
}

/// The text of a proof that somebody wants to have.
pub(crate) struct Keeper {
    writer: text::ProofWriter,
    /// None when it became too long.
    proof: Option<Vec<u8>>,
    limit: usize,
}

impl Keeper {
    /// Keeps a proof about `formula` of at most `limit` bytes.
    pub fn new(formula: &Formula, limit: usize) -> Keeper {
        Keeper {
            writer: text::ProofWriter::new(formula),
            proof: Some(Vec::new()),
            limit,
        }
    }

    fn write(&mut self, step: Step<'_>) {
        if let Some(proof) = &mut self.proof {
            self.writer.write(step, proof);
            if proof.len() > self.limit {
                self.proof = None;
            }
        }
    }
}

/// CaDiCaL numbers clauses as they come, those it derives while the formula is being added among them. In a proof the
/// clauses of the formula have the first numbers.
struct Numbers {
    /// Clauses of the formula.
    inputs: u64,
    /// CaDiCaL's numbers of clauses that it derived before it had the whole formula, ascending.
    early: Vec<u64>,
}

impl Numbers {
    /// The number of a clause that is being derived.
    fn derived(&mut self, id: u64) -> u64 {
        let early = self.early.len() as u64;
        if id > self.inputs + early {
            return id;
        }
        self.early.push(id);
        self.inputs + early + 1
    }

    /// The number of a clause that is there.
    fn known(&self, id: u64) -> u64 {
        if id > self.inputs + self.early.len() as u64 {
            return id;
        }
        match self.early.binary_search(&id) {
            Ok(place) => self.inputs + place as u64 + 1,
            Err(before) => id - before as u64,
        }
    }
}

/// What stands behind the stream.
pub(crate) struct Listener {
    /// The clause whose reasons are lost, counted from 1.
    pub fault: u64,
    /// Clauses that came so far.
    added: u64,
    reader: BinaryReader,
    numbers: Numbers,
    /// The step with its own numbers, to be reused.
    hints: Vec<i64>,
    ids: Vec<u64>,
    /// None when nobody listens.
    checker: Option<Checker>,
    keeper: Option<Keeper>,
    rejection: Option<Rejection>,
    stop: Interrupter,
}

impl Listener {
    /// For a checker that knows the formula of so many clauses. `stop` is set when there is no point in going on.
    pub fn new(
        checker: Checker,
        keeper: Option<Keeper>,
        inputs: usize,
        stop: Interrupter,
    ) -> Listener {
        Listener {
            fault: 0,
            added: 0,
            reader: BinaryReader::default(),
            numbers: Numbers {
                inputs: inputs as u64,
                early: Vec::new(),
            },
            hints: Vec::new(),
            ids: Vec::new(),
            checker: Some(checker),
            keeper,
            rejection: None,
            stop,
        }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let Some(checker) = &mut self.checker else {
            return;
        };
        let (numbers, hints, ids) = (&mut self.numbers, &mut self.hints, &mut self.ids);
        let (keeper, fault, added) = (&mut self.keeper, self.fault, &mut self.added);
        let heard = self.reader.read(bytes, |step| {
            let step = match step {
                Step::Add {
                    id,
                    clause,
                    hints: given,
                } => {
                    let id = numbers.derived(id);
                    *added += 1;
                    let given = if *added == fault { &[] } else { given };
                    hints.clear();
                    let known = |&h: &i64| u64::try_from(h).map_or(h, |h| numbers.known(h) as i64);
                    hints.extend(given.iter().map(known));
                    Step::Add { id, clause, hints }
                }
                Step::Delete { ids: given } => {
                    ids.clear();
                    ids.extend(given.iter().map(|&id| numbers.known(id)));
                    Step::Delete { ids }
                }
            };
            if let Some(keeper) = keeper
                && !checker.is_refuted()
            {
                keeper.write(step);
            }
            checker.take(step)
        });
        if let Err(rejection) = heard {
            self.rejection = Some(rejection);
            self.checker = None;
            self.keeper = None;
            self.stop.interrupt();
        }
    }
}

/// Called by C for everything written to the stream.
unsafe extern "C" fn write(state: *mut c_void, bytes: *const c_char, len: usize) -> isize {
    if bytes.is_null() || len == 0 {
        return 0;
    }
    // SAFETY: C passes the state that the stream was opened with, a boxed listener that outlives the stream, and a
    // buffer of that length.
    let (listener, bytes) = unsafe {
        let listener = &*state.cast::<Mutex<Listener>>();
        (
            listener,
            std::slice::from_raw_parts(bytes.cast::<u8>(), len),
        )
    };
    // A panic must not reach C. It poisons the lock, and that is a rejection.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if let Ok(mut listener) = listener.lock() {
            listener.hear(bytes);
        }
    }));
    len as isize
}

/// `cookie_io_functions_t` of `stdio.h`.
#[cfg(target_os = "linux")]
#[repr(C)]
struct StreamFunctions {
    read: Option<unsafe extern "C" fn(*mut c_void, *mut c_char, usize) -> isize>,
    write: Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize) -> isize>,
    seek: Option<unsafe extern "C" fn(*mut c_void, *mut i64, c_int) -> c_int>,
    close: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
}

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn fopencookie(
        state: *mut c_void,
        mode: *const c_char,
        functions: StreamFunctions,
    ) -> *mut libc::FILE;
    fn __fsetlocking(file: *mut libc::FILE, kind: c_int) -> c_int;
}

/// `FSETLOCKING_BYCALLER` of `stdio_ext.h`.
#[cfg(target_os = "linux")]
const LOCKED_BY_CALLER: c_int = 2;

#[cfg(target_os = "linux")]
fn open(state: *mut c_void) -> Result<*mut libc::FILE, SolverError> {
    let functions = StreamFunctions {
        read: None,
        write: Some(write),
        seek: None,
        close: None,
    };
    // SAFETY: the state is a listener as `write` expects it, and the mode a C string.
    let file = unsafe { fopencookie(state, c"wb".as_ptr(), functions) };
    if file.is_null() {
        return Err(SolverError::Backend {
            solver: NAME.into(),
            message: "no stream for its proof could be opened".into(),
        });
    }
    // SAFETY: an open stream that was not used yet. One thread at a time writes: the solver, and after it has answered
    // whoever asked it. CaDiCaL writes byte by byte, so that locks would cost more than the rest.
    unsafe {
        libc::setvbuf(file, ptr::null_mut(), libc::_IOFBF, BUFFER);
        __fsetlocking(file, LOCKED_BY_CALLER);
    }
    Ok(file)
}

#[cfg(not(target_os = "linux"))]
fn open(_: *mut c_void) -> Result<*mut libc::FILE, SolverError> {
    Err(SolverError::Unavailable {
        solver: NAME.into(),
        reason: "its proofs go through `fopencookie`, which this system does not have".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_has_the_first_numbers() {
        let mut numbers = Numbers {
            inputs: 3,
            early: Vec::new(),
        };
        // CaDiCaL: input, input, derived, input, derived, derived, and two more when it solves.
        assert_eq!(numbers.derived(3), 4);
        assert_eq!(numbers.derived(5), 5);
        let all: Vec<u64> = (1..=5).map(|id| numbers.known(id)).collect();
        assert_eq!(all, [1, 2, 4, 3, 5]);
        assert_eq!((numbers.derived(6), numbers.known(6)), (6, 6));
    }
}
