//! When what happened in a check: reading, passes, and each engine from its beginning to its end with what it told on the way.

use crate::events::Event;
use std::collections::BTreeMap;
use std::time::Duration;
use trellis_plugin_host::run;

/// Steps of progress that are kept of a run of an engine; of more every second one goes.
const MOST_STEPS: usize = 200;
/// Runs of engines that are kept: a check of many properties may have thousands.
const MOST_RUNS: usize = 600;

/// All of it, in seconds since the beginning of the check.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// What was done before engines ran: reading, and the passes of each round.
    pub stages: Vec<Stage>,
    /// The runs of engines, in the order in which they began.
    pub runs: Vec<EngineRun>,
    /// Runs that are not kept.
    pub left_out: usize,
    /// The run of each engine that is under way.
    open: BTreeMap<String, usize>,
}

/// Something that the check did by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// What.
    pub name: String,
    /// From when.
    pub from: f64,
    /// Until when.
    pub to: f64,
}

/// One run of an engine.
#[derive(Clone, Debug, Default)]
pub struct EngineRun {
    /// The engine.
    pub engine: String,
    /// From when.
    pub from: f64,
    /// Until when; none while it runs.
    pub to: Option<f64>,
    /// How it ended, in words.
    pub end: String,
    /// How far it was when: the stage in the engine's words, and the number in it.
    pub progress: Vec<(f64, String, u64)>,
    /// How many of how many lemmas were proved when.
    pub lemmas: Vec<(f64, u64, u64)>,
    /// When it claimed what.
    pub claim: Option<(f64, &'static str)>,
    /// Every so many steps of progress one is kept, and how many came since.
    thinned: (usize, usize),
}

impl EngineRun {
    /// Whether its answer was the one.
    pub fn has_won(&self) -> bool {
        self.end == run::EngineOutcome::Certified.to_string()
    }

    fn step(&mut self, at: f64, stage: String, number: u64) {
        let (every, since) = &mut self.thinned;
        *since += 1;
        let is_new = self.progress.last().is_none_or(|(_, s, _)| *s != stage);
        if !is_new && *since < *every {
            // Where it is now is known in any case.
            if let Some(last) = self.progress.last_mut() {
                *last = (at, stage, number);
            }
            return;
        }
        *since = 0;
        self.progress.push((at, stage, number));
        if self.progress.len() > MOST_STEPS {
            *every = 2 * (*every).max(1);
            let mut n = 0;
            self.progress.retain(|_| {
                n += 1;
                n % 2 == 1
            });
        }
    }
}

impl Timeline {
    /// Something happened, so long after the beginning.
    pub(crate) fn add(&mut self, at: Duration, event: &Event<'_>) {
        let at = at.as_secs_f64();
        match event {
            Event::Read(_) => self.stage("reading", 0.0, at),
            Event::Pass { time, .. } => self.stage("passes", at - time.as_secs_f64(), at),
            Event::Engine(name, event) => self.engine(at, name, event),
            Event::Warning(_)
            | Event::Known(_)
            | Event::Violated(_)
            | Event::Chosen(_)
            | Event::Engines => {}
        }
    }

    fn stage(&mut self, name: &str, from: f64, to: f64) {
        let from = from.max(0.0);
        // The passes of a list follow one another.
        let follows =
            |last: &&mut Stage| last.name == name && self.runs.iter().all(|r| r.from < last.to);
        if let Some(last) = self.stages.last_mut().filter(follows) {
            last.to = to;
        } else if self.stages.len() < MOST_RUNS {
            self.stages.push(Stage {
                name: name.into(),
                from,
                to,
            });
        }
    }

    fn engine(&mut self, at: f64, name: &str, event: &run::Event) {
        if let run::Event::Started(_) = event {
            if self.runs.len() >= MOST_RUNS {
                self.left_out += 1;
                self.open.remove(name);
                return;
            }
            self.open.insert(name.into(), self.runs.len());
            self.runs.push(EngineRun {
                engine: name.into(),
                from: at,
                ..EngineRun::default()
            });
            return;
        }
        let Some(run) = self.open.get(name).and_then(|n| self.runs.get_mut(*n)) else {
            return;
        };
        match event {
            run::Event::Progress(stage, number) => run.step(at, stage.clone(), *number),
            run::Event::Lemmas(published, proved) => {
                let of = (*proved, *published);
                let is_full = run.lemmas.len() >= MOST_STEPS;
                match run.lemmas.last_mut() {
                    Some(last) if (last.1, last.2) == of => {}
                    Some(last) if is_full => *last = (at, of.0, of.1),
                    _ => run.lemmas.push((at, of.0, of.1)),
                }
            }
            run::Event::Claimed(what) => run.claim = Some((at, what)),
            run::Event::Ended(how) => {
                run.to = Some(at);
                run.end.clone_from(how);
                self.open.remove(name);
            }
            run::Event::Started(_) | run::Event::Log(..) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(events: &[(u64, &str, run::Event)]) -> Timeline {
        let mut line = Timeline::default();
        for (at, name, event) in events {
            let event = Event::Engine(name, event.clone());
            line.add(Duration::from_millis(*at), &event);
        }
        line
    }

    #[test]
    fn runs_begin_and_end() {
        use run::Event::{Claimed, Ended, Lemmas, Progress, Started};
        let line = told(&[
            (10, "a", Started("a.so".into())),
            (20, "b", Started("b.so".into())),
            (30, "a", Progress("bound".into(), 1)),
            (40, "b", Lemmas(3, 1)),
            (45, "b", Lemmas(3, 1)),
            (50, "a", Claimed("safe")),
            (60, "a", Ended("certified".into())),
            (61, "a", Progress("bound".into(), 2)),
            (70, "b", Ended("stopped".into())),
            (80, "a", Started("a.so".into())),
        ]);
        let ends: Vec<_> = (line.runs.iter())
            .map(|r| (r.engine.as_str(), r.from, r.to, r.has_won()))
            .collect();
        let expected = [
            ("a", 0.01, Some(0.06), true),
            ("b", 0.02, Some(0.07), false),
            ("a", 0.08, None, false),
        ];
        assert_eq!(ends, expected);
        assert_eq!(line.runs[0].progress, [(0.03, "bound".into(), 1)]);
        assert_eq!(line.runs[0].claim, Some((0.05, "safe")));
        assert_eq!(line.runs[1].lemmas, [(0.04, 1, 3)]);
    }

    /// However often an engine tells how far it is, little is kept, and the last word is.
    #[test]
    fn little_is_kept_of_much() {
        let mut events = vec![(0, "a", run::Event::Started("a.so".into()))];
        events.extend((1..100_000).map(|n| (n, "a", run::Event::Progress("bound".into(), n))));
        let line = told(&events);
        let kept = &line.runs[0].progress;
        assert!(
            (MOST_STEPS / 4..=MOST_STEPS).contains(&kept.len()),
            "{}",
            kept.len()
        );
        assert!(kept.is_sorted_by_key(|k| k.2));
        assert_eq!(kept.last().map(|k| k.2), Some(99_999));
    }

    #[test]
    fn passes_of_a_list_are_one() {
        let mut line = Timeline::default();
        let size = trellis_ivl_passes::Size::of(&trellis_ivl::Program::new());
        let pass = |millis: u64| Event::Pass {
            name: "slice",
            after: size,
            time: Duration::from_millis(millis),
        };
        line.add(Duration::from_millis(5), &Event::Read(size));
        line.add(Duration::from_millis(9), &pass(2));
        line.add(Duration::from_millis(12), &pass(3));
        let started = run::Event::Started("a.so".into());
        line.add(Duration::from_millis(13), &Event::Engine("a", started));
        line.add(Duration::from_millis(40), &pass(1));
        let told: Vec<_> = (line.stages.iter())
            .map(|s| {
                (
                    s.name.as_str(),
                    (1e3 * s.from).round(),
                    (1e3 * s.to).round(),
                )
            })
            .collect();
        let expected = [
            ("reading", 0.0, 5.0),
            ("passes", 7.0, 12.0),
            ("passes", 39.0, 40.0),
        ];
        assert_eq!(told, expected);
    }
}
