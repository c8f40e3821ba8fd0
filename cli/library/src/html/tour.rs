//! What a page lets its reader walk through, as data: sources with what is known of their lines, executions step by step, and waves.
//!
//! Lists have one entry for each step, and texts that come again have numbers: a page with 100,000 steps has to be read quickly. A
//! number of -1 stands for nothing.

use super::automaton::{Automaton, Drawings, drawings};
use super::follow::follow;
use crate::contracts::bare;
use crate::instances::Status;
use crate::judge::{Answer, Long};
use crate::load::Loaded;
use crate::report::Place;
use crate::session::Checked;
use crate::waves::{Signal, Waves};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use trellis_frontend_c::acsl::harness::FILE;
use trellis_frontend_c::library::is_model;
use trellis_ivl::script::Reader;
use trellis_ivl::{Edge, Machine, Program, Span, Trace};
use trellis_witness::names::place;
use trellis_witness::walk::{Object, Walk, Walker};

/// Moments of all executions of a page.
const MOST_MOMENTS: usize = 500_000;
/// Steps of an execution that are made again to show it whole; of a longer one there are only its first and its last.
const MOST_STEPS: u64 = 500_000;
/// Steps that are shown of the beginning of a longer one.
const FIRST_STEPS: usize = 2_000;
/// Changes of all signals of a run.
const MOST_CHANGES: usize = 2_000_000;
/// Locations of all automata of a page.
const MOST_BOXES: usize = 10_000;

/// All that a page has to walk through.
#[derive(Default, Serialize, Deserialize)]
pub struct Tour {
    files: Vec<File>,
    /// What is known of lines, each thing once.
    notes: BTreeSet<Note>,
    traces: Vec<Execution>,
    automata: Vec<Automaton>,
    /// Violations whose steps are too many for the page.
    left_out: Vec<String>,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct File {
    name: String,
    lines: Vec<String>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Note {
    file: usize,
    line: u32,
    /// `true`, `false`, `unknown`, `invariant` or `contract`.
    kind: String,
    text: String,
}

/// An execution.
#[derive(Default, Serialize, Deserialize)]
struct Execution {
    title: String,
    strings: Vec<String>,
    #[serde(skip)]
    known: BTreeMap<String, usize>,
    /// Of each step: its number, call, place, source and what it did.
    number: Vec<usize>,
    call: Vec<usize>,
    enters: Vec<i64>,
    file: Vec<i64>,
    line: Vec<u32>,
    column: Vec<u32>,
    source: Vec<usize>,
    what: Vec<usize>,
    /// Where the writes of each step end.
    ends: Vec<usize>,
    /// Of each write: the variable, the value, and the object that a pointer leads to.
    variable: Vec<usize>,
    value: Vec<usize>,
    target: Vec<i64>,
    /// Of each call: the function and the caller.
    calls: Vec<(String, i64)>,
    /// Of each variable: the name, the call and the object.
    variables: Vec<(String, i64, i64)>,
    objects: Vec<Memory>,
    /// First step, end, rounds, file and line of each fold.
    folds: Vec<(usize, usize, usize, i64, u32)>,
    waves: Vec<Wave>,
    /// What waves do not show.
    hidden: Vec<String>,
    /// The steps of the waves.
    cycles: usize,
    /// The arrow of an automaton that each step is a part of, and all arrows that are passed.
    arrow: Vec<i64>,
    path: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
struct Memory {
    name: String,
    heap: bool,
    size: Option<u64>,
    origin: String,
    /// The steps that made and ended it, by their place in the list.
    made: i64,
    ended: i64,
    ended_line: u32,
}

#[derive(Serialize, Deserialize)]
struct Wave {
    name: String,
    kind: String,
    width: u32,
    /// Steps in which the value changes, and the values, in hexadecimal digits.
    at: Vec<usize>,
    values: Vec<String>,
}

fn index(n: Option<usize>) -> i64 {
    n.and_then(|n| i64::try_from(n).ok()).unwrap_or(-1)
}

impl Tour {
    /// What a check has found.
    pub fn of(checked: &Checked) -> Tour {
        let mut tour = Tour::default();
        tour.add(checked, "");
        tour
    }

    /// Adds what another check of the same files has found; titles begin with these words.
    pub fn add(&mut self, checked: &Checked, prefix: &str) {
        let loaded = &checked.loaded;
        // Our models of the C library are shown where an execution has something to tell of them.
        let own = |name: &str| !is_model(name) && name != FILE;
        for (name, lines) in loaded.sources.files().filter(|(n, _)| own(n)) {
            self.file(name, lines);
        }
        self.note_results(checked);
        let violated = checked.instances.iter().filter_map(|i| match &i.status {
            Status::False { answer, .. } => {
                let at = place(loaded.program(), i.span(loaded.program()));
                Some((format!("{} {at}", i.property), &**answer))
            }
            _ => None,
        });
        let mut violated: Vec<(String, &Answer)> = violated.collect();
        if violated.is_empty() {
            let answer = checked.found.as_ref().ok();
            let answer = answer.filter(|a| matches!(a, Answer::False { .. }));
            let property = checked.report.property.clone();
            violated.extend(answer.map(|a| (property.unwrap_or_default(), a)));
        }
        let mut told: usize = self.traces.iter().map(|t| t.number.len()).sum();
        let mut walks = Vec::new();
        for (title, answer) in violated {
            let Answer::False { trace, long, .. } = answer else {
                continue;
            };
            let title = format!("{prefix}{}", title.trim_end());
            let walk = walk(loaded, trace, long.as_ref());
            if told + walk.steps.len() > MOST_MOMENTS {
                self.left_out.push(title);
                continue;
            }
            told += walk.steps.len();
            walks.push((title, answer, walk));
        }
        let files = self.files_of(loaded, walks.iter().map(|(.., walk)| walk));
        let ways: Vec<BTreeSet<Edge>> = (walks.iter())
            .map(|(_, answer, _)| reduced_way(checked, answer))
            .collect();
        let all = walks.iter().flat_map(|(.., walk)| &walk.edges).copied();
        let read = (all.collect(), ways.iter().flatten().copied().collect());
        let mut drawn = drawings(loaded, checked.small(), (&read.0, &read.1), &files);
        let first = self.draw(std::mem::take(&mut drawn.list), prefix);
        for ((title, answer, walk), way) in walks.into_iter().zip(ways) {
            let mut execution = Execution {
                title,
                ..Execution::default()
            };
            if let Some(first) = first {
                execution.trail(&walk, &way, &drawn, first);
            }
            execution.fill(walk, &files);
            if loaded.is_hardware()
                && let Answer::False { trace, .. } = answer
                && let Ok(waves) = Waves::new(loaded, trace)
            {
                execution.draw(waves);
            }
            self.traces.push(execution);
        }
    }

    /// Adds drawings, unless there are too many already; how many arrows there were before.
    fn draw(&mut self, list: Vec<Automaton>, prefix: &str) -> Option<usize> {
        let boxes = |list: &[Automaton]| list.iter().map(Automaton::boxes).sum::<usize>();
        let first = self.automata.iter().map(|a| a.arrows.len()).sum();
        if boxes(&self.automata) + boxes(&list) > MOST_BOXES {
            return None;
        }
        for mut automaton in list {
            automaton.title.insert_str(0, prefix);
            self.automata.push(automaton);
        }
        Some(first)
    }

    /// Whether there is anything to see.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.traces.is_empty() && self.automata.is_empty()
    }

    /// As JSON that may stand inside of a page.
    pub fn json(&self) -> String {
        // Nothing in it can fail to be written: no maps with odd keys, no foreign types.
        let text = serde_json::to_string(self).expect("a tour is JSON");
        text.replace('<', "\\u003c")
    }

    /// From what [`Tour::json`] has written.
    pub fn from_json(text: &str) -> Option<Tour> {
        serde_json::from_str(text).ok()
    }

    /// Adds another one.
    pub fn join(&mut self, other: Tour) {
        let mut at = Vec::new();
        for file in other.files {
            // What one check has seen of a header may be more than what another has.
            let known = self.files.iter().position(|f| *f == file);
            at.push(known.unwrap_or(self.files.len()));
            if known.is_none() {
                self.files.push(file);
            }
        }
        for note in other.notes {
            let file = at.get(note.file).copied().unwrap_or(note.file);
            self.notes.insert(Note { file, ..note });
        }
        let moved = |file: i64| {
            let file = usize::try_from(file).ok();
            index(file.and_then(|f| at.get(f).copied()))
        };
        let mut automata = other.automata;
        for automaton in &mut automata {
            automaton.renumber(moved);
        }
        let first = self.draw(automata, "");
        let mut moments: usize = self.traces.iter().map(|t| t.number.len()).sum();
        for mut trace in other.traces {
            moments += trace.number.len();
            if moments > MOST_MOMENTS {
                self.left_out.push(trace.title);
                continue;
            }
            trace.file.iter_mut().for_each(|f| *f = moved(*f));
            trace.folds.iter_mut().for_each(|f| f.3 = moved(f.3));
            trace.shift(first);
            self.traces.push(trace);
        }
        self.left_out.extend(other.left_out);
    }

    fn file(&mut self, name: &str, lines: &BTreeMap<u32, String>) -> usize {
        if let Some(known) = self.files.iter().position(|f| f.name == name) {
            return known;
        }
        let last = lines.last_key_value().map_or(0, |(n, _)| *n);
        // A program may claim any line.
        let whole = last as usize <= 4 * lines.len() + 10_000;
        let text = |n: u32| lines.get(&n).cloned().unwrap_or_default();
        let lines = match whole {
            true => (1..=last).map(text).collect(),
            false => Vec::new(),
        };
        self.files.push(File {
            name: name.into(),
            lines,
        });
        self.files.len() - 1
    }

    fn file_of(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|f| f.name == name)
    }

    fn note(&mut self, place: &Place, kind: &str, text: String) {
        if let Some(file) = self.file_of(&place.file) {
            let (line, kind) = (place.line, kind.into());
            self.notes.insert(Note {
                file,
                line,
                kind,
                text,
            });
        }
    }

    fn note_results(&mut self, checked: &Checked) {
        for invariant in checked.invariants() {
            for fact in conjuncts(&invariant.value) {
                self.note(&invariant.place, "invariant", fact);
            }
        }
        for contract in &checked.report.contracts {
            if let Some(place) = contract.at() {
                self.note(&place, "contract", contract.clauses());
            }
        }
        for of in &checked.report.results {
            let why = of.message.as_ref().or(of.reason.as_ref());
            let why = why.map_or(String::new(), |why| format!(": {why}"));
            let text = match of.expression.is_empty() {
                true => format!("{}{why}", of.property),
                false => format!("{} of {}{why}", of.property, of.expression),
            };
            if let Some(place) = &of.place {
                self.note(place, of.verdict, text);
            }
        }
    }

    /// The number of each file of a program; those of executions are added.
    fn files_of<'w>(&mut self, loaded: &Loaded, walks: impl Iterator<Item = &'w Walk>) -> Vec<i64> {
        let program = loaded.program();
        let told = walks
            .flat_map(|w| &w.steps)
            .filter_map(|m| m.line.span.file());
        let told: BTreeSet<&String> = told.filter_map(|f| program.files.get(f)).collect();
        for (name, lines) in loaded.sources.files() {
            if told.iter().any(|t| *t == name) {
                self.file(name, lines);
            }
        }
        (program.files.values())
            .map(|name| index(self.file_of(name)))
            .collect()
    }
}

/// The edges that lead to an error in what the passes have made, as far as they are known.
fn reduced_way(checked: &Checked, answer: &Answer) -> BTreeSet<Edge> {
    let Answer::False {
        trace,
        long,
        property,
        loc,
    } = answer
    else {
        return BTreeSet::new();
    };
    let is_first = matches!(&checked.found, Ok(Answer::False { loc: first, .. }) if first == loc);
    match checked.small_way() {
        way if is_first && !way.is_empty() => way.clone(),
        _ if long.is_some() => BTreeSet::new(),
        _ => follow(checked.small(), trace, property).unwrap_or_default(),
    }
}

/// What an expression of C says, one thing after the other.
fn conjuncts(text: &str) -> Vec<String> {
    let (mut facts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '&' if depth == 0 && at >= start && text[at..].starts_with("&&") => {
                facts.push(&text[start..at]);
                start = at + 2;
            }
            // Where nothing binds weaker than a conjunction, its parts are facts.
            '|' | '?' if depth == 0 => return vec![text.into()],
            _ => {}
        }
    }
    facts.push(&text[start..]);
    facts.iter().map(|f| bare(f.trim())).collect()
}

/// The moments of an execution.
fn walk(loaded: &Loaded, trace: &Trace, long: Option<&Long>) -> Walk {
    let program = loaded.program();
    let mut walker = Walker::new(program, &loaded.names, &loaded.sources);
    let Some(long) = long else {
        walker.trace(trace);
        return walker.done();
    };
    if long.steps <= MOST_STEPS
        && let Some(whole) = again(program, long)
    {
        walker.trace(&whole);
        return walker.done();
    }
    let first = trace.steps.iter().take(FIRST_STEPS).cloned().collect();
    walker.trace(&Trace {
        initial: trace.initial.clone(),
        steps: first,
    });
    if let Some((before, state)) = &long.end.from {
        let before = usize::try_from(*before).unwrap_or(usize::MAX);
        walker.gap(before.saturating_sub(FIRST_STEPS));
        let machine = Machine::resume(program, state.clone());
        walker.part(machine, &long.end.steps, before);
    }
    walker.done()
}

/// All steps of a long execution, made once more.
fn again(program: &Program, long: &Long) -> Option<Trace> {
    let mut trace = Trace {
        initial: long.script.initial.clone(),
        steps: Vec::new(),
    };
    let mut machine = Machine::for_trace(program, &trace).ok()?;
    let mut reader = Reader::new(program, &long.script);
    while !machine.is_final() && (trace.steps.len() as u64) < MOST_STEPS {
        trace.steps.push(machine.step(&mut reader)?);
    }
    machine.is_final().then_some(trace)
}

impl Execution {
    fn string(&mut self, text: String) -> usize {
        if let Some(known) = self.known.get(&text) {
            return *known;
        }
        self.strings.push(text.clone());
        self.known.insert(text, self.strings.len() - 1);
        self.strings.len() - 1
    }

    /// Where steps are in the automata, whose arrows are counted from `first` on.
    fn trail(&mut self, walk: &Walk, way: &BTreeSet<Edge>, drawn: &Drawings, first: usize) {
        let arrow = |e: &Edge| drawn.of_read.get(e).map(|a| first + a);
        let steps = walk.steps.iter();
        self.arrow = steps
            .map(|m| index(m.edge.as_ref().and_then(arrow)))
            .collect();
        let reduced = way
            .iter()
            .filter_map(|e| drawn.of_reduced.get(e).map(|a| first + a));
        let all: BTreeSet<usize> = walk.edges.iter().filter_map(arrow).chain(reduced).collect();
        self.path = all.into_iter().collect();
    }

    /// The arrows are counted from somewhere else on, or are not there.
    fn shift(&mut self, first: Option<usize>) {
        let Some(first) = first else {
            self.arrow.clear();
            return self.path.clear();
        };
        let by = index(Some(first));
        self.arrow
            .iter_mut()
            .filter(|a| **a >= 0)
            .for_each(|a| *a += by);
        self.path.iter_mut().for_each(|a| *a += first);
    }

    fn fill(&mut self, walk: Walk, files: &[i64]) {
        let file_of = |span: Span| {
            let file = span.file().map(|f| f.as_u32() as usize);
            file.and_then(|f| files.get(f).copied()).unwrap_or(-1)
        };
        let mut by_number = BTreeMap::new();
        for (at, moment) in walk.steps.into_iter().enumerate() {
            by_number.entry(moment.line.number).or_insert(at);
            self.number.push(moment.line.number);
            self.call.push(moment.call);
            self.enters.push(index(moment.enters));
            self.file.push(file_of(moment.line.span));
            self.line.push(moment.line.span.line);
            self.column.push(moment.line.span.column);
            let source = self.string(moment.line.source);
            self.source.push(source);
            let what = self.string(moment.line.what);
            self.what.push(what);
            for (variable, value, target) in moment.writes {
                let value = self.string(value);
                self.variable.push(variable);
                self.value.push(value);
                self.target.push(index(target));
            }
            self.ends.push(self.variable.len());
        }
        let calls = walk.calls.into_iter();
        self.calls = calls.map(|c| (c.function, index(c.caller))).collect();
        let variables = walk.variables.into_iter();
        self.variables = variables
            .map(|v| (v.name, index(v.call), index(v.object)))
            .collect();
        // A step that has nothing to tell is part of the one before.
        let moment = |number: usize| {
            let at = by_number.range(..=number).next_back();
            index(at.map(|(_, at)| *at))
        };
        let memory = |o: Object| Memory {
            name: o.name,
            heap: o.heap,
            size: o.size,
            origin: o.origin,
            made: o.made.map_or(-1, moment),
            ended: o.ended.map_or(-1, |(step, _)| moment(step)),
            ended_line: o.ended.map_or(0, |(_, line)| line),
        };
        self.objects = walk.objects.into_iter().map(memory).collect();
        let folds = walk.folds.into_iter();
        self.folds = folds
            .map(|(r, rounds, at)| (r.start, r.end, rounds, file_of(at), at.line))
            .collect();
    }

    fn draw(&mut self, waves: Waves) {
        self.cycles = waves.steps();
        // Every cycle is in the drawing, and so in the list beside it.
        self.folds.clear();
        self.hidden = waves.memories;
        let mut changes = 0;
        for signal in waves.signals {
            if changes > MOST_CHANGES {
                self.hidden.push(signal.name);
                continue;
            }
            let wave = wave(signal);
            changes += wave.at.len();
            self.waves.push(wave);
        }
    }
}

fn wave(signal: Signal) -> Wave {
    let (mut at, mut values) = (Vec::new(), Vec::new());
    for (step, value) in signal.values.iter().enumerate() {
        if step == 0 || signal.values[step - 1] != *value {
            at.push(step);
            values.push(value.to_biguint().to_str_radix(16));
        }
    }
    Wave {
        name: signal.name,
        kind: signal.kind.name().into(),
        width: signal.width,
        at,
        values,
    }
}
