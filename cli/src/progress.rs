//! What a check shows while it runs: progress on a terminal, stages with `-v`.

use crate::plain::plain;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use trellis_plugin_host::run::{Event, Observer};

/// Writes to standard error.
pub struct Progress {
    start: Instant,
    verbose: u8,
    bars: Option<MultiProgress>,
    engines: Mutex<BTreeMap<String, ProgressBar>>,
}

impl Progress {
    /// Bars on a terminal; stages from `verbose` 1 on, messages of engines from 2 on.
    pub fn new(verbose: u8, quiet: bool) -> Progress {
        let terminal = std::io::stderr().is_terminal() && !quiet;
        Progress {
            start: Instant::now(),
            verbose,
            bars: terminal.then(MultiProgress::new),
            engines: Mutex::new(BTreeMap::new()),
        }
    }

    /// Since the beginning of the check.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// One line about a stage, with `-v`.
    pub fn stage(&self, text: &str) {
        if self.verbose > 0 {
            self.line(&format!("[{:8.3}s] {text}", self.elapsed().as_secs_f64()));
        }
    }

    /// One line in any case.
    pub fn line(&self, text: &str) {
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
    fn event(&self, engine: &str, event: Event) {
        match event {
            Event::Started(path) => {
                self.show(engine, "starts".into());
                self.stage(&format!("{engine}: loads {}", path.display()));
            }
            Event::Log(level, text) => {
                if level == 1 && self.verbose > 0 || self.verbose > 1 {
                    self.line(&format!("{engine}: {text}"));
                }
            }
            Event::Progress(stage, at) => {
                self.show(engine, format!("{stage} {at}"));
                if self.verbose > 1 {
                    self.stage(&format!("{engine}: {stage} {at}"));
                }
            }
            Event::Lemmas(published, proved) => {
                self.stage(&format!("{engine}: {proved} of {published} lemmas proved"));
            }
            Event::Claimed(claim) => {
                self.show(engine, format!("claims {claim}; checking"));
                self.stage(&format!("{engine}: claims {claim}"));
            }
            Event::Ended(how) => {
                self.end(engine);
                self.stage(&format!("{engine}: {how}"));
            }
        }
    }
}
