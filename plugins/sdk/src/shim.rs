//! The entry of a plugin: from the C table to [`Engine::run`] and its like, and back, with panics caught.

use crate::engine::{Engine, EngineError, Level, Task};
use crate::export::error::panic_text;
use crate::frontend::{self, FrontEnd, FrontEndError, Source};
use crate::import::RemoteHost;
use crate::verdict::Verdict;
use crate::wire::{contracts, image, termination, verdict};
use crate::{EngineOptions, Host, options};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use trellis_plugin_abi::{
    self as abi, TrellisHost, TrellisSource, TrellisStr, TrellisTask, TrellisWords,
};

/// The `run` of an engine's table.
///
/// # Safety
/// Called by a host that obeys the ABI.
pub unsafe extern "C" fn run<E: Engine>(task: *const TrellisTask, host: *const TrellisHost) -> i32 {
    // SAFETY: the caller obeys the ABI.
    unsafe { guarded(task, host, decide::<E>) }
}

/// The `run` of a pass's table.
///
/// # Safety
/// Called by a host that obeys the ABI.
#[cfg(feature = "pass")]
pub unsafe extern "C" fn run_pass<P: crate::pass::Pass>(
    task: *const TrellisTask,
    host: *const TrellisHost,
) -> i32 {
    // SAFETY: the caller obeys the ABI.
    unsafe { guarded(task, host, transform::<P>) }
}

/// The `run` of a front end's table.
///
/// # Safety
/// Called by a host that obeys the ABI.
pub unsafe extern "C" fn run_frontend<F: FrontEnd>(
    source: *const TrellisSource,
    host: *const TrellisHost,
) -> i32 {
    // SAFETY: the caller obeys the ABI.
    unsafe { guarded(source, host, translate::<F>) }
}

/// An answer as it crosses.
type Answer = (u32, Vec<u32>, String);

/// Calls `work`, reports its answer, and makes a status of what goes wrong.
///
/// # Safety
/// `task` and `host` obey the ABI, and this is the plugin's thread.
unsafe fn guarded<T>(
    task: *const T,
    host: *const TrellisHost,
    work: unsafe fn(&T, &mut dyn Host) -> Result<Answer, EngineError>,
) -> i32 {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: valid for the call, or null.
        let (task, host) = unsafe { (task.as_ref(), host.as_ref()) };
        let (Some(task), Some(table)) = (task, host) else {
            return abi::TRELLIS_ERROR_ARGUMENT;
        };
        // SAFETY: the caller's promise.
        let mut host = unsafe { RemoteHost::new(table) };
        // SAFETY: the caller's promise.
        let answer = unsafe { work(task, &mut host) };
        // SAFETY: the caller's promise.
        match answer.and_then(|answer| unsafe { report(table, &answer) }) {
            Ok(status) => status,
            Err(e) => {
                host.log(Level::Error, &e.to_string());
                abi::TRELLIS_ERROR_ENGINE
            }
        }
    }));
    outcome.unwrap_or_else(|panic| {
        let text = panic_text(panic.as_ref());
        // A panic while reporting a panic ends here too.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: the host is valid for the call.
            if let Some(table) = unsafe { host.as_ref() } {
                // SAFETY: as above.
                let mut host = unsafe { RemoteHost::new(table) };
                host.log(Level::Error, &format!("panicked: {text}"));
            }
        }));
        abi::TRELLIS_ERROR_PANIC
    })
}

/// # Safety
/// `table` obeys the ABI.
unsafe fn report(table: &TrellisHost, answer: &Answer) -> Result<i32, EngineError> {
    let (kind, words, text) = answer;
    let report = table.report;
    let report = report.ok_or_else(|| EngineError::Host("`report` is null".into()))?;
    // SAFETY: the caller's promise; words and text are copied.
    Ok(unsafe {
        report(
            table.context,
            *kind,
            TrellisWords::new(words),
            TrellisStr::new(text),
        )
    })
}

/// # Safety
/// `task` obeys the ABI.
unsafe fn decide<E: Engine>(
    task: &TrellisTask,
    host: &mut dyn Host,
) -> Result<Answer, EngineError> {
    // SAFETY: the caller's promise.
    let (words, options) = unsafe { (task.image.words(), task.options.bytes()) };
    let program = image::read(words).map_err(|e| EngineError::Host(e.to_string()))?;
    let options = parse_options::<E::Options>(options)?;
    let mut own = Task {
        program,
        seed: task.seed,
        time_limit: (task.time_limit_ms > 0).then(|| Duration::from_millis(task.time_limit_ms)),
    };
    let no_text = String::new;
    let answer = E::run(options, &mut own, host).or_else(EngineError::into_verdict)?;
    Ok(match answer {
        Verdict::Safe(certificate) => (
            abi::TRELLIS_VERDICT_SAFE,
            verdict::write_certificate(&own.program.pool, &certificate),
            no_text(),
        ),
        Verdict::Unwound { visits } => (
            abi::TRELLIS_VERDICT_UNWOUND,
            verdict::write_unwinding(visits),
            no_text(),
        ),
        Verdict::Contracts(proof) => {
            let words = contracts::write_contracts(&own.program.pool, &proof);
            (abi::TRELLIS_VERDICT_CONTRACTS, words, no_text())
        }
        Verdict::Unsafe(trace) => {
            let words = verdict::write_trace(&trace);
            (abi::TRELLIS_VERDICT_UNSAFE, words, no_text())
        }
        Verdict::Scripted(script) => {
            let words = verdict::write_script(&script);
            (abi::TRELLIS_VERDICT_SCRIPTED, words, no_text())
        }
        Verdict::Terminates(loops) => {
            let words = termination::write_endings(&loops);
            (abi::TRELLIS_VERDICT_TERMINATES, words, no_text())
        }
        Verdict::Diverges(divergence) => {
            let words = termination::write_divergence(&own.program.pool, &divergence);
            (abi::TRELLIS_VERDICT_DIVERGES, words, no_text())
        }
        Verdict::Unknown(reason) => (abi::TRELLIS_VERDICT_UNKNOWN, Vec::new(), reason),
    })
}

/// # Safety
/// `task` obeys the ABI.
#[cfg(feature = "pass")]
unsafe fn transform<P: crate::pass::Pass>(
    task: &TrellisTask,
    host: &mut dyn Host,
) -> Result<Answer, EngineError> {
    // SAFETY: the caller's promise.
    let (image, options) = unsafe { (task.image.words(), task.options.bytes()) };
    let options = parse_options::<P::Options>(options)?;
    match crate::pass::answer::<P>(image, &options, host) {
        Ok(None) => Ok((abi::TRELLIS_REPORT_UNCHANGED, Vec::new(), String::new())),
        Ok(Some(words)) => Ok((abi::TRELLIS_REPORT_PROGRAM, words, String::new())),
        Err(EngineError::Program(why)) => Ok((abi::TRELLIS_REPORT_REFUSED, Vec::new(), why)),
        Err(e) => Err(e),
    }
}

/// # Safety
/// `source` obeys the ABI.
unsafe fn translate<F: FrontEnd>(
    source: &TrellisSource,
    host: &mut dyn Host,
) -> Result<Answer, EngineError> {
    // SAFETY: the caller's promise.
    let (name, bytes, options) = unsafe {
        (
            source.name.bytes(),
            source.bytes.bytes(),
            source.options.bytes(),
        )
    };
    let options = parse_options::<F::Options>(options)?;
    let source = Source {
        name: String::from_utf8_lossy(name).into_owned(),
        bytes: bytes.to_vec(),
    };
    match F::read(&options, &source, host) {
        Ok(program) => {
            let image = image::write(&program);
            Ok((abi::TRELLIS_REPORT_PROGRAM, image, String::new()))
        }
        Err(FrontEndError::Source(errors)) => {
            let text = frontend::messages(&source.name, &errors);
            Ok((abi::TRELLIS_REPORT_REFUSED, Vec::new(), text))
        }
        Err(FrontEndError::Internal(why)) => Err(EngineError::Internal(why)),
    }
}

/// The options of a plugin from one JSON object; empty text means all defaults.
pub fn parse_options<O: EngineOptions>(json: &[u8]) -> Result<O, EngineError> {
    options::parse(json).map_err(EngineError::Options)
}

/// `text` with a terminating zero.
#[doc(hidden)]
pub const fn terminated<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let text = text.as_bytes();
    let mut i = 0;
    while i < text.len() {
        bytes[i] = text[i];
        i += 1;
    }
    bytes
}

/// Exports an engine as the plugin of this library.
///
/// The symbol is `trellis_plugin_CRATE`, so that several engines may be linked into one test.
#[macro_export]
macro_rules! export_engine {
    ($Engine:ty) => {
        #[allow(unsafe_code)]
        const _: () = {
            use $crate::Engine as _;
            use $crate::private::abi;
            static ENGINE: abi::TrellisEngine = abi::TrellisEngine {
                size: size_of::<abi::TrellisEngine>() as u32,
                run: Some($crate::shim::run::<$Engine>),
            };
            $crate::descriptor! {
                <$Engine>::INFO,
                <<$Engine as $crate::Engine>::Options as $crate::EngineOptions>::DOCS,
                abi::TRELLIS_KIND_ENGINE, engine: &raw const ENGINE
            }
        };
    };
}

/// Exports backends as the solver plugin of this library: `export_solver!(INFO, smt: MySmt, CAPABILITIES)` or
/// `export_solver!(INFO, sat: MySat, CAPABILITIES)`, and the options of its sessions as one table more where it has any.
#[macro_export]
macro_rules! export_solver {
    ($info:expr, $kind:ident: $Backend:ty, $capabilities:expr) => {
        $crate::export_solver!($info, $kind: $Backend, $capabilities, &[]);
    };
    ($info:expr, smt: $Smt:ty, $capabilities:expr, $options:expr) => {
        #[allow(unsafe_code)]
        const _: () = {
            use $crate::private::abi;
            static SMT: abi::TrellisSmt = $crate::export::smt::table(
                $capabilities.bits(),
                ::std::ptr::null_mut(),
                $crate::export::smt::open_backend::<$Smt>,
            );
            $crate::descriptor! {
                $info, $crate::options::Schema::of($options), abi::TRELLIS_KIND_SOLVER,
                smt: &raw const SMT
            }
        };
    };
    ($info:expr, sat: $Sat:ty, $capabilities:expr, $options:expr) => {
        #[allow(unsafe_code)]
        const _: () = {
            use $crate::private::abi;
            static SAT: abi::TrellisSat = $crate::export::sat::table(
                $capabilities.bits(),
                ::std::ptr::null_mut(),
                $crate::export::sat::open_backend::<$Sat>,
            );
            $crate::descriptor! {
                $info, $crate::options::Schema::of($options), abi::TRELLIS_KIND_SOLVER,
                sat: &raw const SAT
            }
        };
    };
}

/// The exported constant itself.
#[doc(hidden)]
#[macro_export]
macro_rules! descriptor {
    ($info:expr, $docs:expr, $kind:expr, $table:ident: $at:expr) => {
        // Names that the caller's own expressions hardly use: they are seen from in here.
        const PLUGIN_INFO: $crate::Info = $info;
        const PLUGIN_DOCS: $crate::options::Schema = $docs;
        static ID: [u8; PLUGIN_INFO.id.len() + 1] = $crate::shim::terminated(PLUGIN_INFO.id);
        static VERSION: [u8; PLUGIN_INFO.version.len() + 1] =
            $crate::shim::terminated(PLUGIN_INFO.version);
        static DESCRIPTION: [u8; PLUGIN_INFO.description.len() + 1] =
            $crate::shim::terminated(PLUGIN_INFO.description);
        static LICENCE: [u8; PLUGIN_INFO.licence.len() + 1] =
            $crate::shim::terminated(PLUGIN_INFO.licence);
        static PLUGIN_OPTIONS: [u8; $crate::options::schema_len(PLUGIN_DOCS)] =
            $crate::options::schema_bytes(PLUGIN_DOCS);
        #[unsafe(export_name = concat!("trellis_plugin_", env!("CARGO_CRATE_NAME")))]
        static PLUGIN: abi::TrellisPlugin = abi::TrellisPlugin {
            magic: abi::TRELLIS_MAGIC,
            abi_major: abi::TRELLIS_ABI_MAJOR,
            abi_minor: abi::TRELLIS_ABI_MINOR,
            size: size_of::<abi::TrellisPlugin>() as u32,
            host_size: size_of::<abi::TrellisHost>() as u32,
            task_size: size_of::<abi::TrellisTask>() as u32,
            image_version: abi::TRELLIS_IMAGE_VERSION,
            kind: $kind,
            id: (&raw const ID).cast(),
            version: (&raw const VERSION).cast(),
            description: (&raw const DESCRIPTION).cast(),
            licence: (&raw const LICENCE).cast(),
            options: (&raw const PLUGIN_OPTIONS).cast(),
            $table: $at,
            ..abi::TrellisPlugin::EMPTY
        };
    };
}
