//! Several sessions where the host lends them, one where not.
//!
//! A solver gives every variable it knows a value before it answers, so what a session was told long ago about other
//! places costs in every later query. Queries about one place therefore share a session, and a session whose formulas
//! nobody asks about again is given back.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::SolverError;
use trellis_solver_api::smt::SmtSession;

/// The sessions of a run, by what they are for.
pub struct Sessions<'a> {
    main: &'a mut dyn SmtSession,
    further: BTreeMap<u32, Box<dyn SmtSession>>,
}

impl<'a> Sessions<'a> {
    /// `main` is used where there are no further ones.
    pub fn new(main: &'a mut dyn SmtSession) -> Sessions<'a> {
        Sessions {
            main,
            further: BTreeMap::new(),
        }
    }

    /// The session for `key`.
    ///
    /// # Errors
    /// When the host fails to lend one.
    pub fn get(
        &mut self,
        host: &mut dyn Host,
        key: u32,
    ) -> Result<&mut dyn SmtSession, EngineError> {
        match self.further.entry(key) {
            Entry::Occupied(known) => Ok(&mut **known.into_mut()),
            Entry::Vacant(place) => match host.smt_session() {
                Ok(session) => Ok(&mut **place.insert(session)),
                Err(SolverError::Unavailable { .. }) => Ok(self.main),
                Err(e) => Err(e.into()),
            },
        }
    }

    /// Gives the session for `key` back; the next one knows nothing.
    pub fn give_back(&mut self, key: u32) {
        self.further.remove(&key);
    }
}
