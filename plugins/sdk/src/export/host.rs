//! A host as a table of C functions.

use super::error::{Failure, guard};
use super::{sat, session, smt};
use crate::engine::Level;
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use trellis_plugin_abi::{
    self as abi, TrellisError, TrellisHost, TrellisLemmas, TrellisSat, TrellisSessionConfig,
    TrellisSmt, TrellisStr, TrellisText, TrellisWords,
};
use trellis_solver_api::sat::SatSession;
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{Capabilities, SolverError};

/// A verdict as it crosses, not yet read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawVerdict {
    /// `TRELLIS_VERDICT_*`.
    pub kind: u32,
    /// Certificate or trace.
    pub words: Vec<u32>,
    /// The reason of an unknown.
    pub text: String,
}

/// What a host does for an engine on the other side, on the level of words: it need not know the
/// program. Methods marked `any` are called from any thread.
pub trait RawHost: Sync {
    /// Not zero as soon as the engine should stop.
    fn cancelled(&self) -> &AtomicU32;
    /// What its SMT sessions can do.
    fn smt_capabilities(&self) -> Capabilities;
    /// What its SAT sessions can do.
    fn sat_capabilities(&self) -> Capabilities;
    /// A new SMT session.
    fn smt(&self) -> Result<Box<dyn SmtSession>, SolverError>;
    /// A new SAT session.
    fn sat(&self) -> Result<Box<dyn SatSession>, SolverError>;
    /// Where query figures are collected.
    fn usage(&self) -> Option<smt::Usage>;
    /// Takes the verdict.
    fn report(&self, verdict: RawVerdict) -> Result<(), String>;
    /// Takes a message; any.
    fn log(&self, level: Level, text: &str);
    /// Takes progress; any.
    fn progress(&self, stage: &str, at: u64);
    /// Takes lemmas.
    fn publish(&self, lemmas: &[u32]) -> Result<(), String>;
    /// Number of lemmas on the board; any.
    fn lemma_count(&self) -> u64;
    /// The lemmas from a number on.
    fn lemmas(&self, from: u64) -> Vec<u32>;
    /// The program in the text form.
    fn text(&self) -> Result<String, String>;
}

/// What the functions of the tables get as context.
struct Context<'h> {
    host: &'h dyn RawHost,
    smt: TrellisSmt,
    sat: TrellisSat,
    lemmas: TrellisLemmas,
    text: TrellisText,
    /// What was lent last; touched on the engine's thread only.
    lent: RefCell<Vec<u32>>,
    program: OnceLock<String>,
}

/// Calls `run` with a table that is served by `host`.
pub fn with_table<R>(host: &dyn RawHost, run: impl FnOnce(&TrellisHost) -> R) -> R {
    let null = std::ptr::null_mut();
    let mut context = Context {
        host,
        smt: smt::table(host.smt_capabilities().bits(), null, open_smt),
        sat: sat::table(host.sat_capabilities().bits(), null, open_sat),
        lemmas: TrellisLemmas {
            size: size_of::<TrellisLemmas>() as u32,
            reserved: 0,
            context: null,
            publish: Some(publish),
            count: Some(count),
            read: Some(read),
        },
        text: TrellisText {
            size: size_of::<TrellisText>() as u32,
            version: abi::TRELLIS_TEXT_VERSION,
            context: null,
            program: Some(program),
        },
        lent: RefCell::new(Vec::new()),
        program: OnceLock::new(),
    };
    let at: *mut c_void = (&raw mut context).cast();
    // SAFETY: the context outlives the call and is only read through shared references from here.
    unsafe {
        let context = at.cast::<Context<'_>>();
        (*context).smt.context = at;
        (*context).sat.context = at;
        (*context).lemmas.context = at;
        (*context).text.context = at;
    }
    let table = TrellisHost {
        size: size_of::<TrellisHost>() as u32,
        abi_minor: u32::from(abi::TRELLIS_ABI_MINOR),
        context: at,
        cancelled: host.cancelled().as_ptr(),
        report: Some(report),
        log: Some(log),
        progress: Some(progress),
        extension: Some(extension),
    };
    run(&table)
}

/// Runs `call` with the context.
///
/// # Safety
/// `context` is what the table holds, and `run` of [`with_table`] has not returned.
unsafe fn with(
    context: *mut c_void,
    call: impl FnOnce(&Context<'_>) -> Result<i32, Failure>,
) -> i32 {
    // SAFETY: the caller's promise.
    let context = unsafe { &*context.cast::<Context<'_>>() };
    match guard(|| call(context)) {
        Ok(status) => status,
        Err(failure) => {
            context.host.log(Level::Error, &failure.text);
            failure.code
        }
    }
}

/// Text from the other side.
///
/// # Safety
/// The bytes are valid for the call.
unsafe fn text(text: TrellisStr) -> Result<String, Failure> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { text.bytes() };
    let text = std::str::from_utf8(bytes);
    text.map(str::to_string)
        .map_err(|_| Failure::argument("a text is not UTF-8"))
}

unsafe extern "C" fn report(
    context: *mut c_void,
    verdict: u32,
    words: TrellisWords,
    why: TrellisStr,
) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(context, |c| {
            let known = abi::TRELLIS_VERDICT_SAFE..=abi::TRELLIS_REPORT_REFUSED;
            if !known.contains(&verdict) && verdict != abi::TRELLIS_VERDICT_SCRIPTED {
                return Err(Failure::argument(format!("there is no answer {verdict}")));
            }
            let verdict = RawVerdict {
                kind: verdict,
                words: words.words().to_vec(),
                text: text(why)?,
            };
            c.host.report(verdict).map_err(Failure::argument)?;
            Ok(abi::TRELLIS_OK)
        })
    }
}

unsafe extern "C" fn log(context: *mut c_void, level: u32, message: TrellisStr) {
    // SAFETY: the table's caller.
    unsafe {
        with(context, |c| {
            let level = match level {
                abi::TRELLIS_LOG_ERROR => Level::Error,
                abi::TRELLIS_LOG_WARN => Level::Warn,
                abi::TRELLIS_LOG_INFO => Level::Info,
                _ => Level::Debug,
            };
            c.host.log(level, &String::from_utf8_lossy(message.bytes()));
            Ok(abi::TRELLIS_OK)
        });
    }
}

unsafe extern "C" fn progress(context: *mut c_void, stage: TrellisStr, at: u64) {
    // SAFETY: the table's caller.
    unsafe {
        with(context, |c| {
            c.host.progress(&String::from_utf8_lossy(stage.bytes()), at);
            Ok(abi::TRELLIS_OK)
        });
    }
}

unsafe extern "C" fn extension(context: *mut c_void, name: *const c_char) -> *const c_void {
    if name.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the table's caller; the name is terminated.
    let (context, name) = unsafe { (&*context.cast::<Context<'_>>(), CStr::from_ptr(name)) };
    match name.to_str() {
        Ok(abi::TRELLIS_EXTENSION_SMT) => (&raw const context.smt).cast(),
        Ok(abi::TRELLIS_EXTENSION_SAT) => (&raw const context.sat).cast(),
        Ok(abi::TRELLIS_EXTENSION_LEMMAS) => (&raw const context.lemmas).cast(),
        Ok(abi::TRELLIS_EXTENSION_TEXT) => (&raw const context.text).cast(),
        _ => std::ptr::null(),
    }
}

unsafe extern "C" fn open_smt(
    context: *mut c_void,
    _: *const TrellisSessionConfig,
    error: *mut TrellisError,
) -> *mut c_void {
    // SAFETY: the table's caller.
    unsafe {
        let context = &*context.cast::<Context<'_>>();
        let opened = guard(|| Ok(context.host.smt()?));
        session::finish_open(opened, error, |s| smt::open(s, context.host.usage()))
    }
}

unsafe extern "C" fn open_sat(
    context: *mut c_void,
    _: *const TrellisSessionConfig,
    error: *mut TrellisError,
) -> *mut c_void {
    // SAFETY: the table's caller.
    unsafe {
        let context = &*context.cast::<Context<'_>>();
        let opened = guard(|| Ok(context.host.sat()?));
        session::finish_open(opened, error, sat::open)
    }
}

unsafe extern "C" fn publish(context: *mut c_void, lemmas: TrellisWords) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(context, |c| {
            c.host.publish(lemmas.words()).map_err(Failure::argument)?;
            Ok(abi::TRELLIS_OK)
        })
    }
}

unsafe extern "C" fn count(context: *mut c_void) -> u64 {
    // SAFETY: the table's caller.
    let context = unsafe { &*context.cast::<Context<'_>>() };
    guard(|| Ok(context.host.lemma_count())).unwrap_or(0)
}

unsafe extern "C" fn read(context: *mut c_void, from: u64, out: *mut TrellisWords) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(context, |c| {
            let out = out
                .as_mut()
                .ok_or_else(|| Failure::argument("`out` is null"))?;
            let mut lent = c.lent.borrow_mut();
            *lent = c.host.lemmas(from);
            *out = TrellisWords::new(&lent);
            Ok(abi::TRELLIS_OK)
        })
    }
}

unsafe extern "C" fn program(context: *mut c_void, out: *mut TrellisStr) -> i32 {
    // SAFETY: the table's caller.
    unsafe {
        with(context, |c| {
            let out = out
                .as_mut()
                .ok_or_else(|| Failure::argument("`out` is null"))?;
            if c.program.get().is_none() {
                let _ = c.program.set(c.host.text().map_err(Failure::argument)?);
            }
            *out = TrellisStr::new(c.program.get().map_or("", String::as_str));
            Ok(abi::TRELLIS_OK)
        })
    }
}
