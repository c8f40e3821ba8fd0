//! A trace for people: one line per step, with its place, the source there, what it changed, and the call
//! stack by indentation. Iterations of a loop between the first and the last are folded.

use crate::harness::{returns_float, returns_signed};
use crate::names::{Names, Sources, place};
use crate::values::{about_to_assign, float, show, tell};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use trellis_ivl::program::Action;
use trellis_ivl::{Edge, Loc, LocKind, Machine, Proc, Program, Span, Step, Trace, Value};

/// How much is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Steps that read, change, call or return something; loops folded, and the first of many values.
    #[default]
    Short,
    /// Every step.
    Full,
}

/// Values on one line of a short trace. Steps of circuits assign every latch.
const VALUES_SHOWN: usize = 12;

/// A line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A step.
    Step(Line),
    /// So many rounds of a loop that are not shown, and where the loop is.
    Folded(usize, Span),
}

/// A step, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the trace, from 1.
    pub number: usize,
    /// How many calls are under way.
    pub depth: usize,
    /// Where it is.
    pub span: Span,
    /// What the source says there.
    pub source: String,
    /// What it did.
    pub what: String,
}

/// A step as far as folding is concerned.
struct Item {
    /// Where it begins.
    from: Loc,
    /// The call that it belongs to.
    frame: usize,
    line: Option<Line>,
}

/// The lines of a trace that replays.
pub fn steps(
    program: &Program,
    trace: &Trace,
    names: &Names,
    sources: &Sources,
    detail: Detail,
) -> Vec<Shown> {
    let Ok(machine) = Machine::for_trace(program, trace) else {
        return Vec::new();
    };
    last_steps(program, machine, &trace.steps, 0, names, sources, detail)
}

/// The lines of the last steps of an execution, from where a machine is after so many.
pub fn last_steps(
    program: &Program,
    machine: Machine,
    rest: &[Step],
    before: u64,
    names: &Names,
    sources: &Sources,
    detail: Detail,
) -> Vec<Shown> {
    let before = usize::try_from(before).unwrap_or(0);
    let Some((items, end)) = replay(program, machine, rest, before, names, detail) else {
        return Vec::new();
    };
    let mut shown = Vec::new();
    match detail {
        Detail::Full => shown.extend(items.iter().filter_map(line)),
        Detail::Short => {
            let mut folder = Folder::new(program, &items);
            folder.fold(0..items.len());
            shown = folder.shown;
        }
    }
    if let LocKind::Error(property) = &program.locs[end].kind {
        let last = items.last().and_then(|i| i.line.as_ref());
        shown.push(Shown::Step(Line {
            number: before + rest.len(),
            depth: last.map_or(0, |l| l.depth),
            span: program.locs[end].span,
            source: String::new(),
            what: format!("violates {property}"),
        }));
    }
    for shown in &mut shown {
        if let Shown::Step(line) = shown {
            line.source = sources.excerpt(program, line.span);
        }
    }
    shown
}

/// The lines as text, with colours for terminals.
pub fn render(program: &Program, shown: &[Shown], colours: bool) -> String {
    let paint = |code: &str, text: &str| match colours && !text.is_empty() {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_string(),
    };
    let mut out = String::new();
    for shown in shown {
        let text = match shown {
            Shown::Step(line) => {
                let at = format!("{:<20}", place(program, line.span));
                let source = format!("{}{}", "  ".repeat(line.depth), line.source);
                let (at, what) = (paint("36", &at), paint("1", &line.what));
                format!("{:>4}  {at} {source:<40} {what}", line.number)
            }
            Shown::Folded(rounds, span) => {
                format!("      {}", paint("2", &folded(program, *rounds, *span)))
            }
        };
        // A step is a line, whatever a property or a file is called.
        let _ = writeln!(out, "{}", text.trim_end().replace(['\n', '\r'], " "));
    }
    out
}

/// What stands for rounds of a loop that are not shown.
pub fn folded(program: &Program, rounds: usize, span: Span) -> String {
    let text = format!(
        "... {rounds} more rounds of the loop at {}",
        place(program, span)
    );
    text.trim_end_matches(" at ").to_string()
}

fn replay(
    program: &Program,
    machine: Machine,
    steps: &[Step],
    before: usize,
    names: &Names,
    detail: Detail,
) -> Option<(Vec<Item>, Loc)> {
    let calls = machine.call_stack().count();
    let mut replay = Replay {
        program,
        names,
        detail,
        machine,
        frames: (0..=calls).collect(),
        calls,
        told: BTreeMap::default(),
    };
    let steps = (before + 1..).zip(steps);
    let items: Option<Vec<Item>> = steps.map(|(n, step)| replay.step(n, step)).collect();
    Some((items?, replay.machine.loc()))
}

struct Replay<'a> {
    program: &'a Program,
    names: &'a Names,
    detail: Detail,
    machine: Machine<'a>,
    /// The numbers of the calls under way; each call has its own.
    frames: Vec<usize>,
    calls: usize,
    /// The value that was last told of a name.
    told: BTreeMap<String, String>,
}

impl Replay<'_> {
    fn step(&mut self, number: usize, step: &Step) -> Option<Item> {
        let program = self.program;
        let edge = program.edges.get(step.edge)?;
        let assigned = about_to_assign(program, &mut self.machine, step.edge);
        let caller = self.machine.call_stack().last();
        self.machine.replay(step).ok()?;
        let mut what: Vec<String> = Vec::new();
        for (input, value) in &step.inputs {
            let name = &program.inputs[*input].name;
            // A call is worth telling; an arbitrary variable is told by its value below.
            if name.ends_with("()") {
                what.push(format!("{name} returns {}", returned(name, value)));
            }
        }
        // Before anything is called, what the declarations say already is not worth a line.
        let is_setup = self.calls == 0 && self.names.is_of_c() && self.detail == Detail::Short;
        if !is_setup {
            let told = assigned.iter();
            let told = told.flat_map(|a| tell(program, &self.machine, self.names, a));
            let told = told.collect();
            what.extend(self.worth_telling(told));
        }
        let (frame, depth) = (*self.frames.last()?, self.frames.len() - 1);
        let now = self.machine.call_stack().count();
        if let Action::Call(call) = &edge.action
            && now > depth
        {
            what.push(self.called(call.callee));
            self.calls += 1;
            self.frames.push(self.calls);
        } else if now < depth {
            self.frames.truncate(now + 1);
            what.extend(caller.map(|call| self.returned_to(call)));
        }
        let shown = self.detail == Detail::Full || !what.is_empty();
        Some(Item {
            from: edge.from,
            frame,
            line: shown.then(|| Line {
                number,
                depth,
                span: edge.span,
                source: String::new(),
                what: what.join(", "),
            }),
        })
    }

    /// Of the values after a step those that a short trace shows: where they are many, only what
    /// changed, and the first of that.
    fn worth_telling(&mut self, values: Vec<String>) -> Vec<String> {
        let is_many = self.detail == Detail::Short && values.len() > VALUES_SHOWN;
        let mut kept = Vec::with_capacity(values.len());
        for text in values {
            let (name, value) = text.split_once(" = ").unwrap_or((&text, ""));
            let before = self.told.insert(name.into(), value.into());
            if !is_many || before.as_deref() != Some(value) {
                kept.push(text);
            }
        }
        if is_many && kept.len() > VALUES_SHOWN {
            let more = kept.len() - VALUES_SHOWN;
            kept.truncate(VALUES_SHOWN);
            kept.push(format!("... {more} more"));
        }
        kept
    }

    /// A procedure that was just entered, with its arguments.
    fn called(&self, callee: Proc) -> String {
        let callee = &self.program.procs[callee];
        let args = callee.params.iter().map(|&p| {
            let name = self.names.name(self.program, p);
            let name = name.unwrap_or(&self.program.pool.var_data(p).name);
            format!("{name} = {}", self.names.show(p, self.machine.value(p)))
        });
        format!("{}({})", callee.name, args.collect::<Vec<_>>().join(", "))
    }

    /// What the call at an edge, which is over, has returned.
    fn returned_to(&self, call: Edge) -> String {
        let Action::Call(call) = &self.program.edges[call].action else {
            return "returns".into();
        };
        // The callee's own results have the type; what the caller keeps them in need not.
        let types = &self.program.procs[call.callee].results;
        let results = call.results.iter().zip(types);
        let values = results.map(|(&r, &ty)| self.names.show(ty, self.machine.value(r)));
        let text = format!("returns {}", values.collect::<Vec<_>>().join(", "));
        text.trim_end().to_string()
    }
}

/// What a function without a body returns, by the type that its name tells.
fn returned(call: &str, value: &Value) -> String {
    let function = call.trim_end_matches("()");
    if let (Some(kind), Value::Bv(bv)) = (returns_float(function), value) {
        return float(kind, bv);
    }
    match (returns_signed(function), value) {
        (Some(true), Value::Bv(bv)) => bv.to_bigint().to_string(),
        (Some(false), Value::Bv(bv)) => bv.to_biguint().to_string(),
        _ => show(None, value),
    }
}

fn line(item: &Item) -> Option<Shown> {
    item.line.clone().map(Shown::Step)
}

/// Folds the rounds of loops.
struct Folder<'a> {
    program: &'a Program,
    items: &'a [Item],
    /// For each step the next one that leaves the same location in the same call.
    next: Vec<Option<usize>>,
    shown: Vec<Shown>,
}

impl<'a> Folder<'a> {
    fn new(program: &'a Program, items: &'a [Item]) -> Folder<'a> {
        let mut next = vec![None; items.len()];
        let mut last = BTreeMap::new();
        for (at, item) in items.iter().enumerate() {
            if let Some(before) = last.insert((item.from, item.frame), at) {
                next[before] = Some(at);
            }
        }
        Folder {
            program,
            items,
            next,
            shown: Vec::new(),
        }
    }

    /// Shows a part; where one location of one call is passed more than three times, the rounds but
    /// the first and the last become one line.
    fn fold(&mut self, part: Range<usize>) {
        let mut at = part.start;
        while at < part.end {
            let visits = std::iter::successors(Some(at), |&i| self.next[i]);
            let mut visits = visits.take_while(|&i| i < part.end);
            if visits.clone().nth(3).is_none() {
                self.shown.extend(line(&self.items[at]));
                at += 1;
                continue;
            }
            let rounds: Vec<usize> = visits.by_ref().collect();
            let last = rounds.len() - 1;
            self.round(rounds[0]..rounds[1]);
            let head = self.program.locs[self.items[at].from].span;
            self.shown.push(Shown::Folded(last - 2, head));
            self.round(rounds[last - 1]..rounds[last]);
            self.shown.extend(line(&self.items[rounds[last]]));
            at = rounds[last] + 1;
        }
    }

    /// Shows one round. Without its first step it does not fold at its own head again.
    fn round(&mut self, round: Range<usize>) {
        self.shown.extend(line(&self.items[round.start]));
        self.fold(round.start + 1..round.end);
    }
}
