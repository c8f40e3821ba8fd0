//! What happens during a check, told while it happens.

use crate::report::Report;
use crate::results::CheckResult;
use std::time::Duration;
use trellis_ivl_passes::Size;
use trellis_plugin_host::run;

/// Something that happened.
pub enum Event<'a> {
    /// What somebody should know whatever he asked for, in one or more lines. It changes no verdict.
    Warning(&'a str),
    /// The program has been read.
    Read(Size),
    /// A pass has run.
    Pass {
        /// Its name.
        name: &'a str,
        /// The program after it.
        after: Size,
        /// How long it took.
        time: Duration,
    },
    /// What is known has grown: the program has been read, or shrunk.
    Known(&'a Report),
    /// A violation has been found, and the search for more goes on.
    Violated(&'a CheckResult),
    /// What was chosen for the program, and why.
    Chosen(&'a str),
    /// From here on whatever takes long can be stopped.
    Engines,
    /// Something happened to the engine of this name.
    Engine(&'a str, run::Event),
}

/// Told about events, from any thread.
pub trait Observer: Sync {
    /// Something happened.
    fn event(&self, event: Event<'_>);
}

/// Whom nothing interests.
impl Observer for () {
    fn event(&self, _: Event<'_>) {}
}

/// Hears what the host tells of engines.
pub(crate) struct OfEngines<'a>(pub &'a dyn Observer);

impl run::Observer for OfEngines<'_> {
    fn event(&self, engine: &str, event: run::Event) {
        self.0.event(Event::Engine(engine, event));
    }
}
