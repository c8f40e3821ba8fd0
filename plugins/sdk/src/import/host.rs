//! The host on the other side, as an engine sees it.

use super::{sat, smt};
use crate::engine::{Host, Level};
use crate::local::no_solver;
use crate::verdict::Lemma;
use crate::wire::verdict::{read_lemmas_into, write_lemmas};
use std::ffi::CString;
use std::sync::atomic::{AtomicU32, Ordering};
use trellis_ivl::TermPool;
use trellis_plugin_abi::handshake::{check_sat, check_smt};
use trellis_plugin_abi::{self as abi, TrellisHost, TrellisLemmas, TrellisStr, TrellisWords};
use trellis_solver_api::sat::SatSession;
use trellis_solver_api::smt::SmtSession;
use trellis_solver_api::{SessionConfig, SolverError};

/// The host of a running engine.
pub struct RemoteHost<'h> {
    table: &'h TrellisHost,
    lemmas_read: u64,
}

impl<'h> RemoteHost<'h> {
    /// The host of a table.
    ///
    /// # Safety
    /// The table obeys the ABI for `'h`, and this is the engine's thread.
    pub unsafe fn new(table: &'h TrellisHost) -> RemoteHost<'h> {
        RemoteHost {
            table,
            lemmas_read: 0,
        }
    }

    /// The extension `name` as a table that begins with its size.
    fn extension<T>(&self, name: &str) -> Option<&'h T> {
        let name = CString::new(name).expect("names of extensions have no zero byte");
        let extension = self.table.extension?;
        // SAFETY: the promise of `new`.
        let table: *const T = unsafe { extension(self.table.context, name.as_ptr()) }.cast();
        // SAFETY: null, or a table that begins with its size and lives as long as the host's.
        unsafe {
            let size = *table.cast::<u32>().as_ref()?;
            (size as usize >= size_of::<T>()).then(|| &*table)
        }
    }

    fn lemmas(&self) -> Option<&'h TrellisLemmas> {
        self.extension(abi::TRELLIS_EXTENSION_LEMMAS)
    }
}

impl Host for RemoteHost<'_> {
    fn smt_session(&mut self) -> Result<Box<dyn SmtSession>, SolverError> {
        let table: Option<&abi::TrellisSmt> = self.extension(abi::TRELLIS_EXTENSION_SMT);
        let table = table.filter(|t| check_smt(t).is_ok());
        let table = table.ok_or_else(|| no_solver("smt"))?;
        // SAFETY: the promise of `new`; a session that an engine keeps beyond its run is never used.
        unsafe { smt::open(table, "of the host", &SessionConfig::default()) }
    }

    fn sat_session(&mut self) -> Result<Box<dyn SatSession>, SolverError> {
        let table: Option<&abi::TrellisSat> = self.extension(abi::TRELLIS_EXTENSION_SAT);
        let table = table.filter(|t| check_sat(t).is_ok());
        let table = table.ok_or_else(|| no_solver("sat"))?;
        // SAFETY: as above.
        unsafe { sat::open(table, "of the host", &SessionConfig::default()) }
    }

    #[inline]
    fn cancelled(&self) -> bool {
        if self.table.cancelled.is_null() {
            return false;
        }
        // SAFETY: the host writes this word atomically, and it lives as long as the table.
        let flag = unsafe { AtomicU32::from_ptr(self.table.cancelled.cast_mut()) };
        flag.load(Ordering::Relaxed) != 0
    }

    fn log(&mut self, level: Level, message: &str) {
        let level = match level {
            Level::Error => abi::TRELLIS_LOG_ERROR,
            Level::Warn => abi::TRELLIS_LOG_WARN,
            Level::Info => abi::TRELLIS_LOG_INFO,
            Level::Debug => abi::TRELLIS_LOG_DEBUG,
        };
        if let Some(log) = self.table.log {
            // SAFETY: the promise of `new`; the text is copied.
            unsafe { log(self.table.context, level, TrellisStr::new(message)) }
        }
    }

    fn progress(&mut self, stage: &str, at: u64) {
        if let Some(progress) = self.table.progress {
            // SAFETY: the promise of `new`; the text is copied.
            unsafe { progress(self.table.context, TrellisStr::new(stage), at) }
        }
    }

    fn publish(&mut self, pool: &TermPool, lemmas: &[Lemma]) {
        let Some(board) = self.lemmas() else { return };
        let Some(publish) = board.publish else { return };
        let words = write_lemmas(pool, lemmas);
        // SAFETY: the promise of `new`; the words are copied. A refusal is in the host's log.
        unsafe { publish(board.context, TrellisWords::new(&words)) };
    }

    fn new_lemmas(&mut self, pool: &mut TermPool) -> Vec<Lemma> {
        let Some(board) = self.lemmas() else {
            return Vec::new();
        };
        let (Some(count), Some(read)) = (board.count, board.read) else {
            return Vec::new();
        };
        let mut lemmas = Vec::new();
        // SAFETY: the promise of `new`.
        while self.lemmas_read < unsafe { count(board.context) } {
            let mut out = TrellisWords::new(&[]);
            // SAFETY: the promise of `new`; the words are read before the next call.
            let words = unsafe {
                if read(board.context, self.lemmas_read, &mut out) < 0 {
                    break;
                }
                out.words()
            };
            // The host vouches for the locations.
            match read_lemmas_into(pool, usize::MAX, words) {
                Ok(more) if !more.is_empty() => {
                    self.lemmas_read += more.len() as u64;
                    lemmas.extend(more);
                }
                Ok(_) => break,
                Err(e) => {
                    self.log(Level::Error, &format!("lemmas of the host: {e}"));
                    break;
                }
            }
        }
        lemmas
    }
}
