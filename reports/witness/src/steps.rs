//! A trace for people: one line per step, with its place, the source there, what it changed, and the call
//! stack by indentation. Iterations of a loop between the first and the last are folded.

use crate::names::{Names, Sources, place};
use std::fmt::Write;
use trellis_ivl::program::Action;
use trellis_ivl::{Loc, LocKind, Machine, Program, Span, Trace};

/// How much is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Steps that read, change, call or return something; loops folded.
    #[default]
    Short,
    /// Every step.
    Full,
}

/// How a trace is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// How much.
    pub detail: Detail,
    /// With colours, for terminals.
    pub colours: bool,
}

/// A step, ready to be shown.
struct Line {
    number: usize,
    depth: usize,
    span: Span,
    what: String,
}

/// A step as far as folding is concerned.
struct Item {
    /// Where it begins.
    from: Loc,
    /// The call that it belongs to.
    frame: usize,
    line: Option<Line>,
}

/// The text of a trace that replays.
pub fn render(
    program: &Program,
    trace: &Trace,
    names: &Names,
    sources: &mut Sources,
    style: Style,
) -> String {
    let Some((items, end)) = replay(program, trace, names, style.detail) else {
        return String::new();
    };
    let mut writer = Writer {
        program,
        sources,
        style,
        out: String::new(),
    };
    writer.fold(&items);
    if let LocKind::Error(property) = &program.locs[end].kind {
        let depth = items
            .last()
            .and_then(|i| i.line.as_ref())
            .map_or(0, |l| l.depth);
        writer.line(&Line {
            number: trace.steps.len(),
            depth,
            span: program.locs[end].span,
            what: format!("violates {property}"),
        });
    }
    writer.out
}

fn replay(
    program: &Program,
    trace: &Trace,
    names: &Names,
    detail: Detail,
) -> Option<(Vec<Item>, Loc)> {
    let mut machine = Machine::for_trace(program, trace).ok()?;
    let mut items = Vec::new();
    // The numbers of the calls under way; each call has its own.
    let mut frames = vec![0];
    let mut calls = 0;
    for (n, step) in trace.steps.iter().enumerate() {
        let edge = program.edges.get(step.edge)?;
        let changed = match &edge.action {
            Action::Cmd(cmd) => program.cmds.modified(*cmd),
            Action::Call(_) => Vec::new(),
        };
        let before: Vec<_> = changed.iter().map(|&v| machine.value(v).clone()).collect();
        let depth = frames.len() - 1;
        let caller = machine.call_stack().last();
        machine.replay(step).ok()?;
        let mut what: Vec<String> = Vec::new();
        for (input, value) in &step.inputs {
            let name = &program.inputs[*input].name;
            // A call is worth telling; an arbitrary variable is told by its value below.
            if name.ends_with("()") {
                what.push(format!("{name} returns {}", names.show(None, value)));
            }
        }
        for (&v, old) in changed.iter().zip(&before) {
            if let Some(name) = names.name(program, v)
                && machine.value(v) != old
            {
                what.push(format!(
                    "{name} = {}",
                    names.show(Some(v), machine.value(v))
                ));
            }
        }
        let frame = *frames.last()?;
        let now = machine.call_stack().count();
        if let Action::Call(call) = &edge.action
            && now > depth
        {
            let callee = &program.procs[call.callee];
            let args = callee.params.iter().map(|&p| {
                let name = names
                    .name(program, p)
                    .unwrap_or(&program.pool.var_data(p).name);
                format!("{name} = {}", names.show(Some(p), machine.value(p)))
            });
            what.push(format!(
                "{}({})",
                callee.name,
                args.collect::<Vec<_>>().join(", ")
            ));
            calls += 1;
            frames.push(calls);
        } else if now < depth {
            frames.truncate(now + 1);
            if let Some(Action::Call(call)) = caller.map(|e| &program.edges[e].action) {
                let results = call
                    .results
                    .iter()
                    .map(|&r| names.show(None, machine.value(r)));
                let results: Vec<String> = results.collect();
                what.push(
                    format!("returns {}", results.join(", "))
                        .trim_end()
                        .to_string(),
                );
            }
        }
        let shown = detail == Detail::Full || !what.is_empty();
        items.push(Item {
            from: edge.from,
            frame,
            line: shown.then(|| Line {
                number: n + 1,
                depth,
                span: edge.span,
                what: what.join(", "),
            }),
        });
    }
    Some((items, machine.loc()))
}

struct Writer<'a> {
    program: &'a Program,
    sources: &'a mut Sources,
    style: Style,
    out: String,
}

impl Writer<'_> {
    /// Writes items; where one location of one call is passed more than three times, the rounds
    /// but the first and the last become one line.
    fn fold(&mut self, items: &[Item]) {
        let mut at = 0;
        while at < items.len() {
            let rounds = match self.style.detail {
                Detail::Full => Vec::new(),
                Detail::Short => visits(items, at),
            };
            if rounds.len() <= 3 {
                if let Some(line) = &items[at].line {
                    self.line(line);
                }
                at += 1;
                continue;
            }
            let last = rounds.len() - 1;
            // Without its first step a round does not fold at its own head again.
            for part in [rounds[0]..rounds[1], rounds[last - 1]..rounds[last]] {
                if let Some(line) = &items[part.start].line {
                    self.line(line);
                }
                self.fold(&items[part.start + 1..part.end]);
                if part.start == rounds[0] {
                    self.folded(items[part.start].from, last - 2);
                }
            }
            if let Some(line) = &items[rounds[last]].line {
                self.line(line);
            }
            at = rounds[last] + 1;
        }
    }

    fn folded(&mut self, head: Loc, rounds: usize) {
        let at = place(self.program, self.program.locs[head].span);
        let text = format!("... {rounds} more rounds of the loop at {at}");
        let text = self.paint("2", text.trim_end_matches(" at "));
        let _ = writeln!(self.out, "      {text}");
    }

    fn line(&mut self, line: &Line) {
        let at = place(self.program, line.span);
        let source = self.sources.excerpt(self.program, line.span);
        let indent = "  ".repeat(line.depth);
        let source = format!("{indent}{source}");
        let at = format!("{at:<20}");
        let text = format!(
            "{:>4}  {} {source:<40} {}",
            line.number,
            self.paint("36", &at),
            self.paint("1", &line.what)
        );
        let _ = writeln!(self.out, "{}", text.trim_end());
    }

    fn paint(&self, code: &str, text: &str) -> String {
        match self.style.colours && !text.is_empty() {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_string(),
        }
    }
}

/// Where the location that step `at` leaves is left again in the same call: `at` first.
fn visits(items: &[Item], at: usize) -> Vec<usize> {
    let (from, frame) = (items[at].from, items[at].frame);
    let same = |i: &usize| items[*i].from == from && items[*i].frame == frame;
    (at..items.len()).filter(same).collect()
}
