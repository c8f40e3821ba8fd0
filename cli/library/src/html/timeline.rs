//! The time line of a check as a drawing, and as a table for whoever does not see it: when each engine began and ended, how far it
//! was when, what it claimed, and which of them ended the race.

use super::table;
use crate::report::Report;
use crate::timeline::{EngineRun, Timeline};
use std::fmt::Write;
use trellis_bench::html::escape;

/// Sizes in the drawing: what is left of the bars, the bars, and a row.
const NAMES: f64 = 120.0;
const WIDTH: f64 = 840.0;
const ROW: f64 = 30.0;
const HEAD: f64 = 24.0;
/// The bar inside of a row.
const BAR: f64 = 20.0;
/// Marks on the axis.
const MOST_TICKS: f64 = 9.0;

/// The section, where something ran.
pub fn section(report: &Report) -> String {
    let line = &report.timeline;
    if line.runs.is_empty() {
        return String::new();
    }
    let mut out = String::from("<h2>Time line</h2>\n");
    let _ = writeln!(out, "<p>{}</p>", escape(&outcome(line)));
    out += &drawing(line, report.wall_seconds);
    out += "<details><summary>the same as a table</summary>\n";
    let rows = line.runs.iter().map(|run| {
        let far = run.progress.last();
        let far = far.map_or(String::new(), |(_, stage, at)| format!("{stage} {at}"));
        let lemmas = run.lemmas.last();
        let lemmas = lemmas.map_or(String::new(), |(_, proved, of)| format!("{proved} of {of}"));
        let claim = run
            .claim
            .map_or(String::new(), |(at, what)| format!("{what} at {at:.3}"));
        let to = run.to.map_or(String::new(), |to| format!("{to:.3}"));
        let from = format!("{:.3}", run.from);
        vec![
            run.engine.clone(),
            from,
            to,
            far,
            lemmas,
            claim,
            run.end.clone(),
        ]
    });
    let heads = [
        "engine",
        "began (s)",
        "ended (s)",
        "came to",
        "lemmas proved",
        "claimed",
        "end",
    ];
    out += &table(&heads, rows);
    out + "</details>\n"
}

/// Who ended the race, in words.
fn outcome(line: &Timeline) -> String {
    let won: Vec<&EngineRun> = line.runs.iter().filter(|r| r.has_won()).collect();
    let at = |run: &EngineRun| run.to.unwrap_or(run.from);
    let left_out = match line.left_out {
        0 => String::new(),
        n => format!(" {n} later runs of engines are not shown."),
    };
    let said = match won.as_slice() {
        [] => "No engine gave an answer that could be certified.".into(),
        [one] => format!(
            "{} ended the race after {}: its claim was certified.",
            one.engine,
            seconds(at(one))
        ),
        [first, .., last] => format!(
            "{} claims were certified, the first of {} after {}, the last of {} after {}.",
            won.len(),
            first.engine,
            seconds(at(first)),
            last.engine,
            seconds(at(last))
        ),
    };
    said + &left_out
}

fn seconds(at: f64) -> String {
    match at < 1.0 {
        true => format!("{:.0} ms", 1e3 * at),
        false => format!("{at:.2} s"),
    }
}

/// Where moments are in the drawing.
struct Scale {
    end: f64,
}

impl Scale {
    fn x(&self, at: f64) -> f64 {
        NAMES + (at / self.end).clamp(0.0, 1.0) * WIDTH
    }

    /// Marks with round numbers.
    fn ticks(&self) -> Vec<f64> {
        let least = self.end / MOST_TICKS;
        let power = 10f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power);
        let step = step.into_iter().find(|s| *s >= least).unwrap_or(least);
        let all = (0..).map(|n| f64::from(n) * step);
        all.take_while(|at| *at <= self.end).collect()
    }
}

fn drawing(line: &Timeline, wall: f64) -> String {
    let ends = line.runs.iter().map(|r| r.to.unwrap_or(r.from));
    let end = ends.fold(wall, f64::max).max(1e-3);
    let scale = Scale { end };
    let mut engines: Vec<&str> = Vec::new();
    for run in &line.runs {
        if !engines.contains(&run.engine.as_str()) {
            engines.push(&run.engine);
        }
    }
    let height = HEAD + ROW * (engines.len() + 1) as f64 + 4.0;
    let width = NAMES + WIDTH + 20.0;
    let mut out = format!(
        "<div class=\"timeline\"><svg role=\"img\" viewBox=\"0 0 {width} {height}\" aria-label=\"{}\">\n",
        escape(&format!(
            "time line of {} engines over {}; the table below has the same",
            engines.len(),
            seconds(end)
        ))
    );
    for at in scale.ticks() {
        let x = scale.x(at);
        let _ = writeln!(
            out,
            "<path class=\"tick\" d=\"M{x:.1},{HEAD} V{height}\"/><text class=\"time\" x=\"{x:.1}\" y=\"15\">{}</text>",
            seconds(at)
        );
    }
    name(&mut out, 0, "check");
    for stage in &line.stages {
        let words = format!(
            "{} from {} to {}",
            stage.name,
            seconds(stage.from),
            seconds(stage.to)
        );
        bar(
            &mut out,
            "stage",
            0,
            (scale.x(stage.from), scale.x(stage.to)),
            &words,
        );
    }
    for (row, engine) in (1..).zip(&engines) {
        name(&mut out, row, engine);
        for run in line.runs.iter().filter(|r| r.engine == *engine) {
            draw_run(&mut out, &scale, row, run);
        }
    }
    if let Some(to) = line.runs.iter().find(|r| r.has_won()).and_then(|r| r.to) {
        let x = scale.x(to);
        let _ = writeln!(
            out,
            "<path class=\"finish\" d=\"M{x:.1},{HEAD} V{height}\"/>"
        );
    }
    out + "</svg></div>\n"
}

/// The top of the bar in a row.
fn top(row: usize) -> f64 {
    HEAD + ROW * row as f64 + (ROW - BAR) / 2.0
}

fn name(out: &mut String, row: usize, text: &str) {
    let y = top(row) + BAR / 2.0 + 4.0;
    let _ = writeln!(
        out,
        "<text class=\"who\" x=\"4\" y=\"{y:.1}\">{}</text>",
        escape(text)
    );
}

fn bar(out: &mut String, class: &str, row: usize, (from, to): (f64, f64), words: &str) {
    let (y, width) = (top(row), (to - from).max(1.5));
    let _ = writeln!(
        out,
        "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BAR}\"><title>{}</title></rect>",
        escape(words)
    );
}

fn draw_run(out: &mut String, scale: &Scale, row: usize, run: &EngineRun) {
    let to = run.to.unwrap_or(scale.end);
    let class = match run.end.as_str() {
        _ if run.has_won() => "run won",
        "stopped" | "out of time" | "" => "run",
        end if end.starts_with("gave up") => "run",
        _ => "run failed",
    };
    let words = format!(
        "{} from {} to {}: {}",
        run.engine,
        seconds(run.from),
        seconds(to),
        if run.end.is_empty() {
            "still at work"
        } else {
            &run.end
        }
    );
    bar(out, class, row, (scale.x(run.from), scale.x(to)), &words);
    let bottom = top(row) + BAR;
    for steps in run.progress.chunk_by(|a, b| a.1 == b.1) {
        let most = steps.iter().map(|s| s.2).max().unwrap_or(0).max(1);
        let y = |value: u64| bottom - 1.0 - (value as f64 / most as f64) * (BAR - 4.0);
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
            continue;
        };
        let mut path = format!("M{:.1},{:.1}", scale.x(first.0), y(first.2));
        for (at, _, value) in &steps[1..] {
            let _ = write!(path, " H{:.1} V{:.1}", scale.x(*at), y(*value));
        }
        let words = format!("{}: {} to {}", last.1, first.2, last.2);
        let _ = writeln!(
            out,
            "<path class=\"far\" d=\"{path}\"><title>{}</title></path>",
            escape(&words)
        );
    }
    for (at, proved, of) in &run.lemmas {
        let (x, y) = (scale.x(*at), top(row) + 1.0);
        let words = format!("{}: {proved} of {of} lemmas proved", seconds(*at));
        let _ = writeln!(
            out,
            "<circle class=\"lemma\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\"><title>{words}</title></circle>"
        );
    }
    if let Some((at, what)) = run.claim {
        let words = format!(
            "claims {what} at {}; checked until {}",
            seconds(at),
            seconds(to)
        );
        bar(out, "claim", row, (scale.x(at), scale.x(to)), &words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Event;
    use std::time::Duration;
    use trellis_plugin_host::run;

    #[test]
    fn round_numbers() {
        for (end, step, count) in [
            (1.0, 0.2, 6),
            (0.1, 0.02, 6),
            (87.0, 10.0, 9),
            (0.9, 0.1, 10),
        ] {
            let ticks = Scale { end }.ticks();
            assert!(
                (ticks[1] - step).abs() < 1e-9 && ticks.len() == count,
                "{end}: {ticks:?}"
            );
        }
    }

    /// What engines call themselves and say is text, wherever it stands.
    #[test]
    fn hostile_words_are_text() {
        let evil = "\"></title><script>hacked=1</script>";
        let mut report = Report::new(Vec::new(), "p", 0);
        report.wall_seconds = 1.0;
        for (at, event) in [
            (0, run::Event::Started("a.so".into())),
            (100, run::Event::Progress(evil.into(), u64::MAX)),
            (200, run::Event::Progress(evil.into(), 0)),
            (300, run::Event::Ended(evil.into())),
        ] {
            let at = Duration::from_millis(at);
            report.timeline.add(at, &Event::Engine(evil, event));
        }
        let page = section(&report);
        assert!(
            !page.contains("<script") && !page.contains("\"></title>"),
            "{page}"
        );
        assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
        assert!(page.contains("No engine gave an answer"), "{page}");
        assert_eq!(page.matches("class=\"run failed\"").count(), 1);
    }
}
