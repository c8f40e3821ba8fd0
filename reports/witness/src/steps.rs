//! A trace for people: one line per step, with its place, the source there, what it changed, and the call
//! stack by indentation. Iterations of a loop between the first and the last are folded.

use crate::command_line::{CommandLine, is_maker};
use crate::faults::explain;
use crate::fold::folds;
use crate::harness::{returns_float, returns_signed};
use crate::names::{Names, Sources, function, place};
use crate::objects::Objects;
use crate::values::{Assigned, Told, about_to_assign, float, show, show_typed, tell};
use std::collections::BTreeMap;
use std::fmt::Write;
use trellis_frontend_c::acsl::harness::FILE;
use trellis_frontend_c::library::is_model;
use trellis_ivl::program::Action;
use trellis_ivl::{
    Edge, Loc, LocKind, Machine, Proc, Program, Scope, Span, Step, Trace, Value, Var,
};

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

/// A step that was made.
pub(crate) struct Item {
    /// Where it begins.
    pub from: Loc,
    /// The call that it belongs to.
    pub frame: usize,
    /// How it is shown.
    pub line: Line,
    /// Whether a short trace shows it.
    pub worth: bool,
    /// What it assigned, where that is kept.
    pub writes: Vec<Written>,
    /// The call that it entered.
    pub entered: Option<Proc>,
}

/// A value that a step gave to something.
pub(crate) struct Written {
    /// The call whose variable it is; none for what is not local.
    pub frame: Option<usize>,
    /// In words.
    pub told: Told,
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
    let last = items.last().filter(|i| i.worth || detail == Detail::Full);
    let depth = last.map_or(0, |i| i.line.depth);
    let end = replay.end(before + rest.len(), depth);
    let mut shown = match detail {
        Detail::Full => items.into_iter().map(|i| Shown::Step(i.line)).collect(),
        Detail::Short => short(program, items),
    };
    shown.extend(end.map(Shown::Step));
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

/// Steps that are worth telling, with rounds of loops folded.
fn short(program: &Program, items: Vec<Item>) -> Vec<Shown> {
    let steps: Vec<(Loc, usize)> = items.iter().map(|i| (i.from, i.frame)).collect();
    let mut folds = folds(&steps).into_iter().peekable();
    let (mut shown, mut hidden) = (Vec::new(), 0);
    for (at, item) in items.into_iter().enumerate() {
        while let Some(fold) = folds.next_if(|f| f.hidden.start <= at) {
            // What is inside of another one is hidden with it.
            if fold.hidden.start >= hidden {
                let head = program.locs[fold.head].span;
                shown.push(Shown::Folded(fold.rounds, head));
                hidden = fold.hidden.end;
            }
        }
        if at >= hidden && item.worth {
            shown.push(Shown::Step(item.line));
        }
    }
    shown
}

/// Steps of an execution as they are made again.
pub(crate) struct Replay<'a> {
    program: &'a Program,
    names: &'a Names,
    sources: &'a Sources,
    detail: Detail,
    pub machine: Machine<'a>,
    /// The numbers of the calls under way; each call has its own.
    pub frames: Vec<usize>,
    pub calls: usize,
    /// The value that was last told of a name.
    told: BTreeMap<String, String>,
    pub objects: Objects,
    command_line: CommandLine,
    /// What was assigned by steps that a short trace does not show and a walk does not stop at.
    unshown: Vec<Written>,
    /// Whether what steps assign is kept.
    pub keeps: bool,
}

impl<'a> Replay<'a> {
    pub fn new(
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
            command_line: CommandLine::default(),
            unshown: Vec::new(),
            keeps: false,
        }
    }

    /// The line that says what is violated where the execution has ended.
    pub fn end(&mut self, number: usize, depth: usize) -> Option<Line> {
        let (program, end) = (self.program, self.machine.loc());
        let LocKind::Error(property) = &program.locs[end].kind else {
            return None;
        };
        let how = explain(program, &mut self.machine, self.names, &self.objects, end);
        let how = how.map_or(String::new(), |how| format!(": {how}"));
        Some(Line {
            number,
            depth,
            span: program.locs[end].span,
            source: String::new(),
            what: format!("violates {property}{how}"),
        })
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

    /// Whether a call makes what `main` gets.
    fn hands_over(&self, call: Edge) -> bool {
        match &self.program.edges[call].action {
            Action::Call(call) => is_maker(self.program, call.callee),
            _ => false,
        }
    }

    /// Whether a place is in what is made for contracts.
    fn is_made(&self, span: Span) -> bool {
        let file = span.file().and_then(|f| self.program.files.get(f));
        file.is_some_and(|f| f == FILE)
    }

    pub fn step(&mut self, number: usize, step: &Step) -> Option<Item> {
        let program = self.program;
        let edge = program.edges.get(step.edge)?;
        let assigned = about_to_assign(program, &mut self.machine, step.edge);
        let caller = self.machine.call_stack().last();
        let before = self.machine.call_stack().next();
        self.machine.replay(step).ok()?;
        if touches_objects(self.names, &assigned) {
            let place = self.user_place(edge.span);
            let (machine, names, sources) = (&self.machine, self.names, self.sources);
            self.objects
                .observe(program, machine, names, sources, (number, place));
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
        let is_short = self.names.is_of_c() && self.detail == Detail::Short;
        let is_setup = (self.calls == 0 || declared_later) && is_short;
        let frame = *self.frames.last()?;
        let ways = [before, self.machine.call_stack().next()];
        let is_handed_over = ways.into_iter().flatten().any(|call| self.hands_over(call));
        if is_handed_over {
            self.command_line
                .observe(self.names, &self.machine, &assigned);
        }
        let mut writes = std::mem::take(&mut self.unshown);
        if !is_setup || self.keeps && !declared_later {
            let mut told = Vec::new();
            for a in &assigned {
                let (machine, names, objects) = (&self.machine, self.names, &mut self.objects);
                let values = tell(program, machine, names, objects, a);
                if self.keeps {
                    let local = self.is_local(a.var()).then_some(frame);
                    let write = |told: &Told| Written {
                        frame: local.filter(|_| told.object.is_none()),
                        told: told.clone(),
                    };
                    writes.extend(values.iter().map(write));
                }
                told.extend(values);
            }
            if !is_setup {
                what.extend(self.worth_telling(told));
            }
        }
        let depth = self.frames.len() - 1;
        let now = self.machine.call_stack().count();
        let mut entered = None;
        if let Action::Call(call) = &edge.action
            && now > depth
        {
            self.calls += 1;
            self.frames.push(self.calls);
            entered = Some(call.callee);
            let arguments = self.arguments(call.callee);
            let listed: Vec<String> = arguments.iter().map(Told::to_string).collect();
            let name = function(program, call.callee);
            what.push(format!("{name}({})", listed.join(", ")));
            if depth == 0 {
                let (names, machine) = (self.names, &self.machine);
                let params = program.procs[call.callee].params.iter();
                let strings = params.flat_map(|p| self.command_line.strings(names, machine, *p));
                what.extend(strings.map(|told| told.to_string()));
            }
            if self.keeps {
                let frame = Some(self.calls);
                writes.extend(arguments.into_iter().map(|told| Written { frame, told }));
            }
        } else if now < depth {
            self.frames.truncate(now + 1);
            what.extend(caller.map(|call| self.returned_to(call)));
        }
        // What calls a function for its contract is no part of the program. The call is shown where the function is.
        let (mut span, is_made) = (edge.span, self.is_made(edge.span));
        if is_made {
            writes.clear();
            let called = entered.map(|callee| program.procs[callee].span);
            match called.filter(|span| !self.is_made(*span)) {
                Some(function) => span = function,
                None => what.clear(),
            }
        }
        // What main is handed is told where it is called.
        if is_handed_over && is_short {
            what.clear();
            self.unshown = std::mem::take(&mut writes);
        }
        Some(Item {
            from: edge.from,
            frame,
            worth: !what.is_empty(),
            line: Line {
                number,
                depth,
                span,
                source: String::new(),
                what: what.join(", "),
            },
            writes,
            entered,
        })
    }

    /// Whether a variable belongs to a call.
    fn is_local(&self, var: Var) -> bool {
        match self.names.info(var) {
            Some(info) => info.function.is_some(),
            None => self.program.pool.var_data(var).scope != Scope::Global,
        }
    }

    /// Of the values after a step those that a short trace shows: where they are many, only what
    /// changed, and the first of that.
    fn worth_telling(&mut self, values: Vec<Told>) -> Vec<String> {
        let is_many = self.detail == Detail::Short && values.len() > VALUES_SHOWN;
        let mut kept = Vec::with_capacity(values.len());
        for told in values {
            let text = told.to_string();
            let before = self.told.insert(told.name, told.value.clone());
            if !is_many || before != Some(told.value) {
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

    /// The arguments of a procedure that was just entered.
    fn arguments(&mut self, callee: Proc) -> Vec<Told> {
        let (program, names) = (self.program, self.names);
        let (machine, objects) = (&self.machine, &mut self.objects);
        let params = program.procs[callee].params.iter();
        let told = params.map(|&p| {
            let name = names.name(program, p);
            let name = name.unwrap_or(&program.pool.var_data(p).name);
            Told::variable((name, names.info(p)), names, objects, machine.value(p))
        });
        told.collect()
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
