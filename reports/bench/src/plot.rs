//! Plots as SVG: solved tasks over time, and two tools against each other.

use crate::html::escape;
use crate::score::Table;
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 40.0;
const MARGIN: f64 = 16.0;

/// Colours that remain apart for people who see few of them.
pub const COLOURS: &[&str] = &[
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#a05000",
];

/// The colour of a tool.
pub fn colour(at: usize) -> &'static str {
    COLOURS[at % COLOURS.len()]
}

/// CPU seconds on a logarithmic axis from 10 ms to the limit.
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    fn new(limit: f64) -> Axis {
        Axis {
            from: 0.01,
            to: limit.max(0.1),
        }
    }

    /// A number from 0 to 1.
    fn at(&self, seconds: f64) -> f64 {
        let value = seconds.clamp(self.from, self.to);
        (value / self.from).ln() / (self.to / self.from).ln()
    }

    fn marks(&self) -> Vec<f64> {
        let powers = (-2..6).map(|p| 10f64.powi(p));
        let mut marks: Vec<f64> = powers.filter(|m| *m < self.to * 0.6).collect();
        marks.push(self.to);
        marks
    }
}

fn frame(title: &str, body: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>\n{body}</svg>\n",
        escape(title)
    )
}

fn x(part: f64) -> f64 {
    LEFT + part * (WIDTH - LEFT - MARGIN)
}

fn y(part: f64) -> f64 {
    HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - MARGIN)
}

fn label(x: f64, y: f64, anchor: &str, text: &str) -> String {
    let text = escape(text);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>\n")
}

fn line(from: (f64, f64), to: (f64, f64)) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!("<path class=\"grid\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>\n")
}

fn seconds_marks(axis: &Axis, upright: bool) -> String {
    let mut out = String::new();
    for mark in axis.marks() {
        let at = axis.at(mark);
        let text = format!("{mark}");
        if upright {
            out += &line((x(0.0), y(at)), (x(1.0), y(at)));
            out += &label(LEFT - 6.0, y(at) + 4.0, "end", &text);
        } else {
            out += &line((x(at), y(0.0)), (x(at), y(1.0)));
            out += &label(x(at), HEIGHT - BOTTOM + 16.0, "middle", &text);
        }
    }
    out
}

/// For each tool the CPU times of what it solved, sorted: the n-th fastest at n.
pub fn quantile(table: &Table) -> String {
    let axis = Axis::new(table.cpu_limit);
    let columns: Vec<Vec<f64>> = (0..table.tools.len())
        .map(|at| {
            let solved = table.column(at, None).filter(|r| r.worth().solved());
            let mut times: Vec<f64> = solved.map(|r| r.cpu_seconds).collect();
            times.sort_by(f64::total_cmp);
            times
        })
        .collect();
    let most = columns.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut out = seconds_marks(&axis, true);
    let step = (most as f64 / 8.0).ceil().max(1.0) as usize;
    for n in (0..=most).step_by(step) {
        let text = n.to_string();
        let at = x(n as f64 / most as f64);
        out += &label(at, HEIGHT - BOTTOM + 16.0, "middle", &text);
    }
    out += &label(x(0.5), HEIGHT - 6.0, "middle", "solved tasks");
    out += &label(LEFT, 12.0, "start", "CPU seconds");
    for (at, times) in columns.iter().enumerate() {
        let name = &table.tools[at];
        let place = |n: usize| (x((n + 1) as f64 / most as f64), y(axis.at(times[n])));
        let mut path = String::new();
        for n in 0..times.len() {
            let (x, y) = place(n);
            let _ = write!(path, "{}{x:.1} {y:.1}", if n == 0 { 'M' } else { 'L' });
        }
        let colour = colour(at);
        let _ = writeln!(
            out,
            "<path class=\"curve\" stroke=\"{colour}\" d=\"{path}\"/>"
        );
        for (n, time) in times.iter().enumerate() {
            let (x, y) = place(n);
            let _ = writeln!(
                out,
                "<circle class=\"point\" data-tool=\"{at}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"{colour}\"><title>{}: {} within {time:.2} s</title></circle>",
                escape(name),
                n + 1
            );
        }
        let down = MARGIN + 14.0 * (at as f64 + 1.0);
        let square = format!(
            "<rect x=\"{}\" y=\"{}\" width=\"9\" height=\"9\" fill=\"{colour}\"/>\n",
            LEFT + 8.0,
            down - 8.0
        );
        out += &square;
        out += &label(
            LEFT + 22.0,
            down,
            "start",
            &format!("{name}: {}", times.len()),
        );
    }
    frame("Solved tasks over CPU time", &out)
}

/// One point per task that both tools ran: what is not solved stands at the limit.
pub fn scatter(table: &Table, a: usize, b: usize) -> String {
    let axis = Axis::new(table.cpu_limit);
    let mut out = seconds_marks(&axis, true) + &seconds_marks(&axis, false);
    out += &line((x(0.0), y(0.0)), (x(1.0), y(1.0)));
    let across = format!("{} (CPU seconds)", table.tools[a]);
    let up = format!("{} (CPU seconds)", table.tools[b]);
    out += &label(x(0.5), HEIGHT - 6.0, "middle", &across);
    out += &label(LEFT, 12.0, "start", &up);
    for row in &table.rows {
        let (Some(one), Some(two)) = (&row.cells[a], &row.cells[b]) else {
            continue;
        };
        let time = |r: &crate::store::Record| match r.worth().solved() {
            true => r.cpu_seconds,
            false => table.cpu_limit,
        };
        let wrong = one.worth().wrong() || two.worth().wrong();
        let kind = if wrong { "point wrong" } else { "point" };
        let _ = writeln!(
            out,
            "<circle class=\"{kind}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"><title>{}: {} {:.2} s, {} {:.2} s</title></circle>",
            x(axis.at(time(one))),
            y(axis.at(time(two))),
            escape(&row.task),
            escape(&one.verdict.to_string()),
            one.cpu_seconds,
            escape(&two.verdict.to_string()),
            two.cpu_seconds,
        );
    }
    frame(
        &format!("{} against {}", table.tools[a], table.tools[b]),
        &out,
    )
}
