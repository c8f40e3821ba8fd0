//! A trace for people: one line per step, with its place, the source there, what it changed, and the call
//! stack by indentation. Iterations of a loop between the first and the last are folded.

use crate::faults::explain;
use crate::harness::{returns_float, returns_signed};
use crate::names::{Names, Sources, place};
use crate::objects::Objects;
use crate::values::{Assigned, about_to_assign, float, show, show_typed, tell};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use trellis_frontend_c::library::is_model;
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
    let mut replay = Replay::new(program, machine, (names, sources), detail);
    let numbered = (before + 1..).zip(rest);
    let items: Option<Vec<Item>> = numbered.map(|(n, step)| replay.step(n, step)).collect();
    let Some(items) = items else {
        return Vec::new();
    };
    let end = replay.machine.loc();
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
        let how = explain(program, &mut replay.machine, names, &replay.objects, end);
        let how = how.map_or(String::new(), |how| format!(": {how}"));
        shown.push(Shown::Step(Line {
            number: before + rest.len(),
            depth: last.map_or(0, |l| l.depth),
            span: program.locs[end].span,
            source: String::new(),
            what: format!("violates {property}{how}"),
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

struct Replay<'a> {
    program: &'a Program,
    names: &'a Names,
    sources: &'a Sources,
    detail: Detail,
    machine: Machine<'a>,
    /// The numbers of the calls under way; each call has its own.
    frames: Vec<usize>,
    calls: usize,
    /// The value that was last told of a name.
    told: BTreeMap<String, String>,
    objects: Objects,
}

impl<'a> Replay<'a> {
    fn new(
        program: &'a Program,
        machine: Machine<'a>,
        (names, sources): (&'a Names, &'a Sources),
        detail: Detail,
    ) -> Replay<'a> {
        let calls = machine.call_stack().count();
        Replay {
            program,
            names,
            sources,
            detail,
            machine,
            frames: (0..=calls).collect(),
            calls,
            told: BTreeMap::default(),
            objects: Objects::default(),
        }
    }

    /// The place of a step in the user's own source: of one in the library's, that of its call.
    fn user_place(&self, span: Span) -> Span {
        let own = |span: &Span| {
            let file = span.file().and_then(|f| self.program.files.get(f));
            file.is_some_and(|f| !is_model(f))
        };
        let calls: Vec<Edge> = self.machine.call_stack().collect();
        let calls = calls.iter().rev().map(|e| self.program.edges[*e].span);
        std::iter::once(span).chain(calls).find(own).unwrap_or(span)
    }

    fn step(&mut self, number: usize, step: &Step) -> Option<Item> {
        let program = self.program;
        let edge = program.edges.get(step.edge)?;
        let assigned = about_to_assign(program, &mut self.machine, step.edge);
        let caller = self.machine.call_stack().last();
        self.machine.replay(step).ok()?;
        if touches_objects(self.names, &assigned) {
            let place = self.user_place(edge.span);
            self.objects
                .observe(program, &self.machine, self.names, self.sources, place);
        }
        let mut what: Vec<String> = Vec::new();
        for (input, value) in &step.inputs {
            let name = &program.inputs[*input].name;
            // A call is worth telling; an arbitrary variable is told by its value below.
            if name.ends_with("()") {
                what.push(format!("{name} returns {}", returned(name, value)));
            }
        }
        // Before anything is called, what the declarations say already is not worth a line.
        // Neither is what variables happen to hold before they are declared.
        let declared_later = program.procs[program.locs[edge.from].proc].span == edge.span;
        let is_setup = (self.calls == 0 || declared_later)
            && self.names.is_of_c()
            && self.detail == Detail::Short;
        if !is_setup {
            let (machine, names, objects) = (&self.machine, self.names, &mut self.objects);
            let told = assigned.iter();
            let told = told.flat_map(|a| tell(program, machine, names, objects, a));
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
    fn called(&mut self, callee: Proc) -> String {
        let (program, names) = (self.program, self.names);
        let callee = &program.procs[callee];
        let (machine, objects) = (&self.machine, &mut self.objects);
        let args = callee.params.iter().map(|&p| {
            let name = names.name(program, p);
            let name = name.unwrap_or(&program.pool.var_data(p).name);
            let value = show_typed(names, objects, names.info(p), machine.value(p));
            format!("{name} = {value}")
        });
        format!("{}({})", callee.name, args.collect::<Vec<_>>().join(", "))
    }

    /// What the call at an edge, which is over, has returned.
    fn returned_to(&mut self, call: Edge) -> String {
        let (names, machine, objects) = (self.names, &self.machine, &mut self.objects);
        let Action::Call(call) = &self.program.edges[call].action else {
            return "returns".into();
        };
        // The callee's own results have the type; what the caller keeps them in need not.
        let types = &self.program.procs[call.callee].results;
        let results = call.results.iter().zip(types);
        let values = results.map(|(&r, &ty)| {
            let info = names.info(ty).or_else(|| names.result(ty));
            show_typed(names, objects, info, machine.value(r))
        });
        let text = format!("returns {}", values.collect::<Vec<_>>().join(", "));
        text.trim_end().to_string()
    }
}

/// Whether objects may have been made, or have ended.
fn touches_objects(names: &Names, assigned: &[Assigned]) -> bool {
    let Some(of_c) = names.of_source() else {
        return false;
    };
    let watched = [of_c.layout.next, of_c.layout.state];
    assigned.iter().any(|a| watched.contains(&Some(a.var())))
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
