//! From a model to a program of the IVL.
//!
//! One loop location, where the states hold their values before a step. The entry edge sets the
//! initial values; the step edge takes any inputs that satisfy the constraints and assigns all
//! states at once; per bad state an edge to its error location takes any inputs that satisfy the
//! constraints and the property. So constraints hold in every step up to and including the bad
//! one.
//!
//! Justice properties are beside the program, as conditions over the state and the inputs of a step; fairness constraints are further
//! conditions of each. A program without error locations is therefore no proof of anything.
//!
//! A state without initial and next value is an input by another name, and treated as one unless
//! another state's initial value reads it: that use ties its first value to the initial state.
//!
//! A single bit is a `bool` of the IVL, not a `bv1`: most are conditions.

use crate::error::{Error, Place};
use crate::model::{Model, Property, Ref};
use crate::op::Op;
use crate::witness::Run;
use terms::Terms;
use trellis_ivl::justice::Justice;
use trellis_ivl::one_loop::{OneLoop, Parts, Warning};
use trellis_ivl::{Bv, Cmd, File, Input, Machine, Program, Span, Term, Trace, Type, Value, Var};

mod terms;

/// A program and what its parts are in the model.
#[derive(Clone)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Its locations and edges; a property is a bad state of the model.
    pub graph: OneLoop,
    /// Per input: its variable, and the input of the program that gives it its value.
    pub inputs: Vec<(Var, Input)>,
    /// Per state: its variable.
    pub states: Vec<Var>,
    /// Per state: the input of the program that gives it values the model leaves open, if it does.
    pub open: Vec<Option<Input>>,
    /// Per state: whether it is treated as an input, so that the step chooses its value.
    pub is_input: Vec<bool>,
    /// Per justice property: its conditions, fairness included.
    pub justice: Vec<Justice>,
    /// What is odd about the model.
    pub warnings: Vec<Warning>,
}

/// The type that values of a sort have in the program.
fn lowered_type(ty: Type) -> Type {
    match ty {
        Type::Bv(1) => Type::Bool,
        other => other,
    }
}

/// Lowers a model that was read from the file of this name.
pub fn lower(model: &Model, file: &str) -> Lowered {
    Lowering::new(model, file).run()
}

struct Lowering<'m> {
    model: &'m Model,
    program: Program,
    file: File,
    inputs: Vec<(Var, Input)>,
    states: Vec<Var>,
    open: Vec<Option<Input>>,
    is_input: Vec<bool>,
    terms: Terms,
}

impl<'m> Lowering<'m> {
    fn new(model: &'m Model, file: &str) -> Self {
        let mut program = Program::new();
        let file = program.files.push(file.to_string());
        let read = states_read_by_inits(model);
        let is_input = |(i, state): (usize, &crate::State)| {
            state.init.is_none() && state.next.is_none() && !read[i]
        };
        Lowering {
            model,
            program,
            file,
            inputs: Vec::new(),
            states: Vec::new(),
            open: Vec::new(),
            is_input: model.states.iter().enumerate().map(is_input).collect(),
            terms: Terms::default(),
        }
    }

    fn span(&self, places: &[Place], index: usize) -> Span {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        match places.get(index) {
            Some(place) => Span::new(self.file, small(place.line), small(place.column)),
            None => Span::NONE,
        }
    }

    fn term(&mut self, r: Ref) -> Term {
        self.terms.operand(&mut self.program.pool, r)
    }

    fn run(mut self) -> Lowered {
        let model = self.model;
        for node in 0..model.nodes.len() {
            let term = match model.nodes[node].op {
                Op::Input | Op::State => self.declare(node),
                _ => self.terms.node(&mut self.program.pool, model, node),
            };
            self.terms.push(term);
        }
        let bads = model.bads.iter().enumerate().map(|(i, bad)| {
            let span = self.span(&model.origin.bads, i);
            (label(bad, "b", i), self.term(bad.value), span)
        });
        let bads = bads.collect();
        let parts = Parts {
            init: self.init_cmd(),
            inputs: self.inputs_cmd(),
            next: self.next_cmd(),
            bads,
        };
        let graph = OneLoop::build(&mut self.program, self.file, parts);
        let justice = self.justice();
        let warnings = self.warnings();
        Lowered {
            program: self.program,
            graph,
            inputs: self.inputs,
            states: self.states,
            open: self.open,
            is_input: self.is_input,
            justice,
            warnings,
        }
    }

    /// A variable for an input or state.
    fn declare(&mut self, node: usize) -> Term {
        let data = self.model.nodes[node];
        let name = self.model.label(node as u32);
        let span = self.span(&self.model.origin.nodes, node);
        let ty = lowered_type(data.ty);
        let var = self.program.add_global(name.clone(), ty, span);
        if data.op == Op::Input {
            let input = self.program.add_input(name, ty, span);
            self.inputs.push((var, input));
        } else {
            let state = self.model.states[data.numbers[0] as usize];
            let open = state.init.is_none() || state.next.is_none();
            self.states.push(var);
            let input = open.then(|| self.program.add_input(name, ty, span));
            self.open.push(input);
        }
        self.program.pool.var(var)
    }

    /// The states with a property, and the inputs that choose their values.
    fn choose(&mut self, which: impl Fn(usize) -> bool) -> Vec<(Var, Input)> {
        let states = self.states.iter().zip(&self.open).enumerate();
        states
            .filter(|(i, _)| which(*i))
            .filter_map(|(_, (&var, &input))| Some((var, input?)))
            .collect()
    }

    /// States take their initial values: first those that are open or constant, then, in order,
    /// those that read others.
    fn init_cmd(&mut self) -> Cmd {
        let model = self.model;
        let is_input = self.is_input.clone();
        let open = self.choose(|i| model.states[i].init.is_none() && !is_input[i]);
        let reads_state = reads_state(model);
        let (mut at_once, mut in_order) = (Vec::new(), Vec::new());
        for (i, state) in model.states.iter().enumerate() {
            let Some(init) = state.init else { continue };
            let term = match (model.nodes[state.node as usize].ty, model.ty(init)) {
                (Type::Array { index, .. }, Type::Bv(_)) => {
                    let elem = self.terms.bits(&mut self.program.pool, init);
                    self.program.pool.const_array(index, elem)
                }
                _ => self.term(init),
            };
            let list = match reads_state[init.node() as usize] {
                true => &mut in_order,
                false => &mut at_once,
            };
            list.push((self.states[i], term));
        }
        let cmds = &mut self.program.cmds;
        let mut parts = vec![cmds.havoc(&open), cmds.assign_all(&at_once)];
        parts.extend(in_order.iter().map(|&(var, term)| cmds.assign(var, term)));
        cmds.seq(&parts)
    }

    /// Any inputs that satisfy the constraints.
    fn inputs_cmd(&mut self) -> Cmd {
        let is_input = self.is_input.clone();
        let mut inputs = self.inputs.clone();
        inputs.extend(self.choose(|i| is_input[i]));
        let havoc = self.program.cmds.havoc(&inputs);
        let constraints = self.model.constraints.iter();
        let constraints: Vec<Term> = constraints.map(|c| self.term(c.value)).collect();
        let constraints = self.program.pool.and_all(constraints);
        let assume = match self.program.pool.as_bool(constraints) {
            Some(true) => self.program.cmds.skip(),
            _ => self.program.cmds.assume(constraints),
        };
        self.program.cmds.seq(&[havoc, assume])
    }

    fn next_cmd(&mut self) -> Cmd {
        let model = self.model;
        let mut next = Vec::with_capacity(self.states.len());
        for (i, state) in model.states.iter().enumerate() {
            // A state that keeps its value needs no assignment.
            if let Some(value) = state.next
                && value != Ref::new(state.node, false)
            {
                next.push((self.states[i], self.term(value)));
            }
        }
        let is_input = self.is_input.clone();
        let open = self.choose(|i| model.states[i].next.is_none() && !is_input[i]);
        let next = self.program.cmds.assign_all(&next);
        let open = self.program.cmds.havoc(&open);
        self.program.cmds.seq(&[next, open])
    }

    fn justice(&mut self) -> Vec<Justice> {
        let model = self.model;
        let one = |(i, justice): (usize, &crate::Justice)| {
            let fairness = model.fairs.iter().map(|f| f.value);
            let conditions = justice.values.iter().copied().chain(fairness);
            Justice {
                name: justice.name.clone().unwrap_or_else(|| format!("j{i}")),
                span: self.span(&model.origin.justice, i),
                conditions: conditions.map(|r| self.term(r)).collect(),
            }
        };
        model.justice.iter().enumerate().map(one).collect()
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.model.justice.is_empty() && !self.model.fairs.is_empty() {
            warnings.push(Warning::idle_fairness(self.file));
        }
        if self.model.bads.is_empty() && self.model.justice.is_empty() {
            warnings.push(Warning::no_property(self.file));
        }
        warnings
    }
}

fn label(property: &Property, letter: &str, index: usize) -> String {
    let name = property.name.clone();
    name.unwrap_or_else(|| format!("{letter}{index}"))
}

/// Per node: whether its value depends on a state.
fn reads_state(model: &Model) -> Vec<bool> {
    let mut reads: Vec<bool> = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let below = node.args().iter().any(|arg| reads[arg.node() as usize]);
        reads.push(below || node.op == Op::State);
    }
    reads
}

/// Per state: whether the initial value of another depends on it.
fn states_read_by_inits(model: &Model) -> Vec<bool> {
    let mut read = vec![false; model.nodes.len()];
    for init in model.states.iter().filter_map(|state| state.init) {
        read[init.node() as usize] = true;
    }
    for (i, node) in model.nodes.iter().enumerate().rev() {
        if read[i] {
            for arg in node.args() {
                read[arg.node() as usize] = true;
            }
        }
    }
    let states = model.states.iter();
    states.map(|state| read[state.node as usize]).collect()
}

impl Lowered {
    /// The bad state that a trace of the program reaches, and the trace as a run of the model.
    pub fn run(&self, trace: &Trace) -> Result<(u32, Run), Error> {
        let (machine, run) = self.replayed(trace)?;
        let reached = self.graph.violated(&machine)?;
        Ok((reached, run))
    }

    /// A trace of the program as a run of the model, wherever it leads.
    pub fn steps(&self, trace: &Trace) -> Result<Run, Error> {
        Ok(self.replayed(trace)?.1)
    }

    fn replayed(&self, trace: &Trace) -> Result<(Machine<'_>, Run), Error> {
        let mut machine = Machine::for_trace(&self.program, trace)?;
        let mut run = Run::default();
        for step in &trace.steps {
            let read = |machine: &Machine<'_>, var: Var| match machine.value(var) {
                Value::Bool(bit) => Value::Bv(Bv::new(1, u64::from(*bit))),
                value => value.clone(),
            };
            let before: Vec<Value> = self.states.iter().map(|&s| read(&machine, s)).collect();
            machine.replay(step)?;
            if step.edge == self.graph.init {
                continue;
            }
            let states = before.into_iter().zip(&self.states).zip(&self.is_input);
            let states = states.map(|((before, &var), &is_input)| match is_input {
                true => read(&machine, var),
                false => before,
            });
            run.states.push(states.collect());
            let inputs = self.inputs.iter().map(|&(var, _)| read(&machine, var));
            run.inputs.push(inputs.collect());
        }
        Ok((machine, run))
    }
}

#[cfg(test)]
mod tests;
