//! An execution to walk through: its steps with everything that they assign, the calls that they belong to, the objects in
//! memory, and the rounds of loops that may be folded. What a page needs to show any state between the first step and the last.

use crate::fold::folds;
use crate::names::{Names, Sources, function};
use crate::objects::{origin, title};
use crate::steps::{Detail, Item, Line, Replay, Written};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use trellis_frontend_c::library::is_model;
use trellis_ivl::program::Action;
use trellis_ivl::{Edge, Loc, Machine, Program, Span, Step, Trace};

/// The whole execution. Numbers of calls, variables, objects and steps are those of the lists.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// What happens, one thing after the other.
    pub steps: Vec<Moment>,
    /// The calls of procedures; the first runs all of it.
    pub calls: Vec<Activation>,
    /// What is assigned.
    pub variables: Vec<Variable>,
    /// What is in memory.
    pub objects: Vec<Object>,
    /// Steps that may be folded, with how many rounds of which loop they are; outer ones before those inside.
    pub folds: Vec<(Range<usize>, usize, Span)>,
    /// The edges that are passed, also by steps that are not told.
    pub edges: BTreeSet<Edge>,
}

/// A step, or several of one statement that have nothing to tell.
#[derive(Clone, Debug)]
pub struct Moment {
    /// What is shown of it.
    pub line: Line,
    /// The edge that is passed; none for what is said of the end and of gaps.
    pub edge: Option<Edge>,
    /// The call that it belongs to.
    pub call: usize,
    /// The call that it enters.
    pub enters: Option<usize>,
    /// The variables that it assigns, the values in words, and the objects that pointers lead to.
    pub writes: Vec<(usize, String, Option<usize>)>,
}

/// A call of a procedure.
#[derive(Clone, Debug)]
pub struct Activation {
    /// The procedure.
    pub function: String,
    /// Who calls; none for the first.
    pub caller: Option<usize>,
}

/// Something that has values.
#[derive(Clone, Debug)]
pub struct Variable {
    /// What the source calls it.
    pub name: String,
    /// The call whose it is; none for what is not local.
    pub call: Option<usize>,
    /// The object in memory that it is a part of.
    pub object: Option<usize>,
}

/// An object in memory.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// What it is called.
    pub name: String,
    /// Whether it is on the heap.
    pub heap: bool,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Where it comes from, in words; nothing for what is there from the beginning.
    pub origin: String,
    /// The number of the step that made it.
    pub made: Option<usize>,
    /// The number of the step that ended it, and the line.
    pub ended: Option<(usize, u32)>,
}

/// Makes walks.
pub struct Walker<'a> {
    program: &'a Program,
    names: &'a Names,
    sources: &'a Sources,
    walk: Walk,
    variables: BTreeMap<(Option<usize>, Option<usize>, String), usize>,
    objects: BTreeMap<u64, usize>,
    excerpts: BTreeMap<Span, String>,
}

impl<'a> Walker<'a> {
    /// Nothing has happened.
    pub fn new(program: &'a Program, names: &'a Names, sources: &'a Sources) -> Walker<'a> {
        Walker {
            program,
            names,
            sources,
            walk: Walk::default(),
            variables: BTreeMap::new(),
            objects: BTreeMap::new(),
            excerpts: BTreeMap::new(),
        }
    }

    /// A trace from its beginning.
    pub fn trace(&mut self, trace: &Trace) {
        if let Ok(machine) = Machine::for_trace(self.program, trace) {
            self.part(machine, &trace.steps, 0);
        }
    }

    /// Steps from where a machine is after so many; what was between is not told.
    pub fn part(&mut self, machine: Machine<'a>, steps: &[Step], before: usize) {
        let stack: Vec<_> = machine.call_stack().collect();
        let first = self.walk.calls.len();
        let root = &self.program.procs[self.program.main].name;
        self.walk.calls.push(Activation {
            function: root.clone(),
            caller: None,
        });
        for call in stack {
            if let Action::Call(call) = &self.program.edges[call].action {
                let function = self.program.procs[call.callee].name.clone();
                let caller = Some(self.walk.calls.len() - 1);
                self.walk.calls.push(Activation { function, caller });
            }
        }
        let mut replay = Replay::new(
            self.program,
            machine,
            (self.names, self.sources),
            Detail::Short,
        );
        replay.keeps = true;
        let from = self.walk.steps.len();
        let (mut heads, mut at) = (Vec::new(), Vec::new());
        let mut depth = 0;
        for (number, step) in (before + 1..).zip(steps) {
            let Some(item) = replay.step(number, step) else {
                break;
            };
            depth = item.line.depth;
            heads.push((item.from, item.frame));
            at.push(self.walk.steps.len());
            self.walk.edges.insert(step.edge);
            self.step(item, step.edge, first);
        }
        let call = first + replay.frames.last().copied().unwrap_or(0);
        if let Some(line) = replay.end(before + steps.len(), depth) {
            self.push(line, None, call, None, Vec::new());
        }
        self.fold(&heads, &at, from);
        self.describe(&replay);
    }

    /// So many steps are not told.
    pub fn gap(&mut self, steps: usize) {
        let Some(last) = self.walk.steps.last() else {
            return;
        };
        let line = Line {
            what: format!("... {steps} steps are left out"),
            ..last.line.clone()
        };
        self.push(line, None, last.call, None, Vec::new());
    }

    /// The walk.
    pub fn done(self) -> Walk {
        self.walk
    }

    fn step(&mut self, item: Item, edge: Edge, first: usize) {
        let call = first + item.frame;
        let enters = item.entered.map(|callee| {
            let function = function(self.program, callee).to_string();
            let caller = Some(call);
            self.walk.calls.push(Activation { function, caller });
            self.walk.calls.len() - 1
        });
        let writes: Vec<_> = (item.writes.into_iter())
            .map(|write| self.write(write, first))
            .collect();
        if !item.worth && writes.is_empty() {
            // A statement is one moment, however many steps it takes, and those of the library are its call's.
            let file = item
                .line
                .span
                .file()
                .and_then(|f| self.program.files.get(f));
            let last = self.walk.steps.last();
            let same = |m: &Moment| {
                let (a, b) = (m.line.span, item.line.span);
                m.call == call && (a.file(), a.line) == (b.file(), b.line)
            };
            if file.is_none_or(|f| is_model(f)) || last.is_some_and(same) {
                return;
            }
        }
        self.push(item.line, Some(edge), call, enters, writes);
    }

    fn push(
        &mut self,
        mut line: Line,
        edge: Option<Edge>,
        call: usize,
        enters: Option<usize>,
        writes: Vec<(usize, String, Option<usize>)>,
    ) {
        let (program, sources) = (self.program, self.sources);
        let excerpt = self.excerpts.entry(line.span);
        line.source = excerpt
            .or_insert_with_key(|span| sources.excerpt(program, *span))
            .clone();
        self.walk.steps.push(Moment {
            line,
            edge,
            call,
            enters,
            writes,
        });
    }

    fn write(&mut self, write: Written, first: usize) -> (usize, String, Option<usize>) {
        let told = write.told;
        let object = told.object.map(|address| self.object(address));
        let call = write.frame.map(|frame| first + frame);
        let variables = &mut self.walk.variables;
        let key = (call, object, told.name);
        let variable = match self.variables.get(&key) {
            Some(&known) => known,
            None => {
                let name = key.2.clone();
                variables.push(Variable { name, call, object });
                self.variables.insert(key, variables.len() - 1);
                variables.len() - 1
            }
        };
        let target = told.leads_to.map(|address| self.object(address));
        (variable, told.value, target)
    }

    fn object(&mut self, address: u64) -> usize {
        let objects = &mut self.walk.objects;
        *self.objects.entry(address).or_insert_with(|| {
            objects.push(Object::default());
            objects.len() - 1
        })
    }

    /// Rounds that may be folded; `at` says which moment each step has become, or was before.
    fn fold(&mut self, heads: &[(Loc, usize)], at: &[usize], from: usize) {
        for fold in folds(heads) {
            let (first, last) = (at[fold.hidden.start], at[fold.hidden.end]);
            if last > first + 1 && first >= from {
                let head = self.program.locs[fold.head].span;
                self.walk.folds.push((first..last, fold.rounds, head));
            }
        }
    }

    /// Says what objects are called, once everything is known of them.
    fn describe(&mut self, replay: &Replay<'_>) {
        let Some(of_c) = self.names.of_source() else {
            return;
        };
        for (address, made) in replay.objects.made(of_c) {
            let at = self.object(address);
            self.walk.objects[at] = Object {
                name: title(made),
                heap: made.heap,
                size: made.size,
                origin: origin(made),
                made: Some(made.step),
                ended: made.ended.map(|(span, step)| (step, span.line)),
            };
        }
        for placed in &of_c.layout.objects {
            if let Some(&at) = self.objects.get(&placed.address) {
                let name = placed.name.clone();
                let object = &mut self.walk.objects[at];
                object.name = name.unwrap_or_else(|| "a string literal".into());
                object.size = Some(placed.size);
            }
        }
    }
}
