//! What a check shows while it runs: progress on a terminal, stages with `-v`.

use crate::plain::{line, plain};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use trellis::events::{Event, Observer};
use trellis::report::Report;
use trellis_ivl_passes::Size;
use trellis_plugin_host::run;

/// The line of an engine: what it does, and what became of its lemmas.
struct Bar {
    bar: ProgressBar,
    does: String,
    lemmas: String,
}

/// Writes to standard error.
pub struct Progress {
    start: Instant,
    verbose: u8,
    bars: Option<MultiProgress>,
    engines: Mutex<BTreeMap<String, Bar>>,
    /// Engines whose messages and progress are shown; empty for all of them.
    log: Vec<String>,
    pace: Mutex<Pace>,
    /// Told that whatever takes long can be stopped from here on.
    patience: Arc<AtomicBool>,
    /// Where what is known so far is kept.
    known: Arc<Mutex<Report>>,
}

impl Progress {
    /// Bars on a terminal; stages from `verbose` 1 on, messages of engines from 2 on. What is known so far is kept in
    /// `known`.
    pub fn new(verbose: u8, quiet: bool, known: Arc<Mutex<Report>>) -> Progress {
        let terminal = std::io::stderr().is_terminal() && !quiet;
        Progress {
            start: Instant::now(),
            verbose,
            bars: terminal.then(MultiProgress::new),
            engines: Mutex::new(BTreeMap::new()),
            log: Vec::new(),
            pace: Mutex::default(),
            patience: Arc::default(),
            known,
        }
    }

    /// Sets this flag when whatever takes long can be stopped.
    pub fn with_patience(self, patience: Arc<AtomicBool>) -> Progress {
        Progress { patience, ..self }
    }

    /// Shows messages and progress of these engines, and with `-vv` of no others.
    pub fn with_log(self, log: Vec<String>) -> Progress {
        Progress { log, ..self }
    }

    /// Whether messages and progress of an engine are shown.
    fn hears(&self, engine: &str) -> bool {
        match self.log.is_empty() {
            true => self.verbose > 1,
            false => self.log.iter().any(|name| name == engine),
        }
    }

    /// Since the beginning of the check.
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// One line about a stage, with `-v`.
    fn stage(&self, text: &str) {
        if self.verbose > 0 {
            self.timed(text);
        }
    }

    /// One line with the time.
    fn timed(&self, text: &str) {
        self.line(&format!("[{:8.3}s] {text}", self.elapsed().as_secs_f64()));
    }

    /// One line in any case.
    fn line(&self, text: &str) {
        match &self.bars {
            Some(bars) => {
                // The terminal may be gone; nothing depends on what it shows.
                let _ = bars.println(plain(text));
            }
            None => eprintln!("{text}"),
        }
    }

    /// Removes the bars.
    pub fn finish(&self) {
        if let Some(bars) = &self.bars {
            let _ = bars.clear();
        }
    }

    /// Changes what is said of an engine.
    fn show(&self, engine: &str, change: impl FnOnce(&mut Bar)) {
        let Some(bars) = &self.bars else { return };
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let of = engines.entry(engine.to_string()).or_insert_with(|| {
            let bar = bars.add(ProgressBar::new_spinner());
            let style = ProgressStyle::with_template("{spinner} {prefix:<16} {elapsed:>4} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_prefix(engine.to_string());
            bar.enable_steady_tick(Duration::from_millis(150));
            Bar {
                bar,
                does: String::new(),
                lemmas: String::new(),
            }
        });
        change(of);
        of.bar.set_message(format!("{}{}", of.does, of.lemmas));
    }

    fn end(&self, engine: &str) {
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of) = engines.remove(engine) {
            of.bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Warning(text) => self.line(text),
            Event::Read(size) => self.stage(&format!("read: {}", show(size))),
            Event::Pass { name, after, time } => {
                let millis = time.as_secs_f64() * 1e3;
                self.stage(&format!("pass {name}: {}, {millis:.1} ms", show(after)));
            }
            Event::Chosen(text) => self.stage(text),
            Event::Known(report) => {
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                known.clone_from(report);
            }
            Event::Violated(result) => {
                let text = format!("{}: {}", result.at(), result.violation());
                match &self.bars {
                    Some(_) => self.line(&text),
                    None => self.stage(&text),
                }
            }
            Event::Engines => self.patience.store(true, Ordering::Relaxed),
            Event::Engine(engine, event) => self.engine(engine, event),
        }
    }
}

/// Keeps engines that report thousands of steps in a second from hiding what else is said.
#[derive(Default)]
struct Pace(BTreeMap<String, Duration>);

impl Pace {
    /// Time between two lines of progress of one engine.
    const BETWEEN: Duration = Duration::from_millis(500);

    /// Whether progress of the engine is shown at this time.
    fn due(&mut self, engine: &str, now: Duration) -> bool {
        let due = match self.0.get(engine) {
            Some(last) => now.saturating_sub(*last) >= Pace::BETWEEN,
            None => true,
        };
        if due {
            self.0.insert(engine.to_string(), now);
        }
        due
    }
}

/// A size in words.
fn show(size: Size) -> String {
    let Size {
        locs, edges, vars, ..
    } = size;
    format!("{locs} locations, {edges} edges, {vars} variables")
}

impl Progress {
    fn engine(&self, engine: &str, event: run::Event) {
        match event {
            run::Event::Started(path) => {
                self.show(engine, |bar| bar.does = "starts".into());
                self.stage(&format!("{engine}: loads {}", path.display()));
            }
            run::Event::Log(level, text) => {
                if level == 1 && self.verbose > 0 || self.hears(engine) {
                    self.timed(&format!("{engine}: {text}"));
                }
            }
            run::Event::Progress(stage, at) => {
                self.show(engine, |bar| bar.does = line(&format!("{stage} {at}")));
                let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
                if self.hears(engine) && pace.due(engine, self.elapsed()) {
                    self.timed(&format!("{engine}: {stage} {at}"));
                }
            }
            run::Event::Lemmas(published, proved) => {
                let text = format!(", {proved} of {published} lemmas proved");
                self.show(engine, |bar| bar.lemmas = text);
                self.stage(&format!("{engine}: {proved} of {published} lemmas proved"));
            }
            run::Event::Claimed(claim) => {
                self.show(engine, |bar| bar.does = format!("claims {claim}; checking"));
                self.stage(&format!("{engine}: claims {claim}"));
            }
            run::Event::Ended(how) => {
                self.end(engine);
                self.stage(&format!("{engine}: {how}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_keeps_its_pace() {
        let mut pace = Pace::default();
        let due = [0, 1, 499, 500, 900, 1000].map(|n| pace.due("a", Duration::from_millis(n)));
        assert_eq!(due, [true, false, false, true, false, true]);
        assert!(pace.due("b", Duration::from_millis(1001)));
    }
}
