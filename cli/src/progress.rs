//! What a check shows while it runs: progress on a terminal, stages with `-v`.

use crate::plain::plain;
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

/// Writes to standard error.
pub struct Progress {
    start: Instant,
    verbose: u8,
    bars: Option<MultiProgress>,
    engines: Mutex<BTreeMap<String, ProgressBar>>,
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
            patience: Arc::default(),
            known,
        }
    }

    /// Sets this flag when whatever takes long can be stopped.
    pub fn with_patience(self, patience: Arc<AtomicBool>) -> Progress {
        Progress { patience, ..self }
    }

    /// Since the beginning of the check.
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// One line about a stage, with `-v`.
    fn stage(&self, text: &str) {
        if self.verbose > 0 {
            self.line(&format!("[{:8.3}s] {text}", self.elapsed().as_secs_f64()));
        }
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

    fn show(&self, engine: &str, text: String) {
        let Some(bars) = &self.bars else { return };
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = engines.entry(engine.to_string()).or_insert_with(|| {
            let bar = bars.add(ProgressBar::new_spinner());
            let style = ProgressStyle::with_template("{spinner} {prefix:<16} {elapsed:>4} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_prefix(engine.to_string());
            bar.enable_steady_tick(Duration::from_millis(150));
            bar
        });
        bar.set_message(text);
    }

    fn end(&self, engine: &str) {
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = engines.remove(engine) {
            bar.finish_and_clear();
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
            Event::Known(report) => {
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                known.clone_from(report);
            }
            Event::Engines => self.patience.store(true, Ordering::Relaxed),
            Event::Engine(engine, event) => self.engine(engine, event),
        }
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
                self.show(engine, "starts".into());
                self.stage(&format!("{engine}: loads {}", path.display()));
            }
            run::Event::Log(level, text) => {
                if level == 1 && self.verbose > 0 || self.verbose > 1 {
                    self.line(&format!("{engine}: {text}"));
                }
            }
            run::Event::Progress(stage, at) => {
                self.show(engine, format!("{stage} {at}"));
                if self.verbose > 1 {
                    self.stage(&format!("{engine}: {stage} {at}"));
                }
            }
            run::Event::Lemmas(published, proved) => {
                self.stage(&format!("{engine}: {proved} of {published} lemmas proved"));
            }
            run::Event::Claimed(claim) => {
                self.show(engine, format!("claims {claim}; checking"));
                self.stage(&format!("{engine}: claims {claim}"));
            }
            run::Event::Ended(how) => {
                self.end(engine);
                self.stage(&format!("{engine}: {how}"));
            }
        }
    }
}
