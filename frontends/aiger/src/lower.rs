//! From a model to a program of the IVL.
//!
//! One loop location, where the latches hold the state before a step. The entry edge sets the
//! resets; the step edge takes any inputs that satisfy the constraints and assigns all latches at
//! once; per property an edge to its error location takes any inputs that satisfy the constraints
//! and the property. So constraints hold in every step up to and including the bad one.
//!
//! Justice properties are beside the program, as conditions over the state and the inputs of a step; fairness constraints are further
//! conditions of each. A program without error locations is therefore no proof of anything.
//!
//! A reset function that reads inputs means those of the first step. The entry edge then draws
//! them, and keeps them in variables of their own; a flag makes the first step use the same.
//! Models without such functions, all but a handful, get none of this.
//!
//! Each gate becomes one conjunction in the hash-consed pool, in the order of the gates: no
//! recursion, and shared gates stay shared.

use crate::error::Error;
use crate::model::{Item, Lit, Model, Reset};
use crate::witness::{Property, Stimulus};
use trellis_ivl::justice::Justice;
use trellis_ivl::one_loop::{OneLoop, Parts, Warning};
use trellis_ivl::{Cmd, File, Input, Machine, Program, Span, Term, Trace, Type, Value, Var};

/// A program and what its parts are in the model.
#[derive(Clone)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Its locations and edges; a property is one of [`Model::properties`].
    pub graph: OneLoop,
    /// Per input: its variable, and the input of the program that gives it its value.
    pub inputs: Vec<(Var, Input)>,
    /// Per latch: its variable.
    pub latches: Vec<Var>,
    /// Per latch without a constant reset: the input that gives its initial value.
    pub initial: Vec<Option<Input>>,
    /// The inputs that resets read, each with the variable that keeps its value in the first step.
    pub saved: Vec<(u32, Var)>,
    /// The variable that is true in the first step only; absent if no reset reads an input.
    pub first_step: Option<Var>,
    /// Per justice property: its conditions, fairness included.
    pub justice: Vec<Justice>,
    /// What is odd about the model.
    pub warnings: Vec<Warning>,
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
    latches: Vec<Var>,
    initial: Vec<Option<Input>>,
    /// Per variable of the model: its value in the current step.
    terms: Vec<Term>,
    constraints: Term,
}

impl<'m> Lowering<'m> {
    fn new(model: &'m Model, file: &str) -> Self {
        let mut program = Program::new();
        let file = program.files.push(file.to_string());
        let constraints = program.pool.tru();
        Lowering {
            model,
            program,
            file,
            inputs: Vec::new(),
            latches: Vec::new(),
            initial: Vec::new(),
            terms: Vec::new(),
            constraints,
        }
    }

    fn span(&self, item: Item, index: u32) -> Span {
        match self.model.line(item, index) {
            Some(line) => Span::new(self.file, u32::try_from(line).unwrap_or(u32::MAX), 1),
            None => Span::NONE,
        }
    }

    fn name(&self, item: Item, index: u32) -> String {
        match self.model.symbols.get(item, index) {
            Some(name) if !name.is_empty() => name.to_string(),
            _ => format!("{}{index}", item.letter()),
        }
    }

    fn term(&mut self, lit: Lit) -> Term {
        let term = self.terms[lit.var() as usize];
        match lit.is_negated() {
            true => self.program.pool.not(term),
            false => term,
        }
    }

    fn run(mut self) -> Lowered {
        let model = self.model;
        self.declare();
        self.gates();
        let constraints: Vec<Term> = model.constraints.iter().map(|&c| self.term(c)).collect();
        self.constraints = self.program.pool.and_all(constraints);
        let first = FirstStep::new(&mut self);
        let (item, properties) = model.properties();
        let bads = (0..).zip(properties).map(|(i, &lit)| {
            let name = match model.symbols.get(item, i) {
                Some(name) if !name.is_empty() => name.to_string(),
                _ => Property::Bad(i).to_string(),
            };
            (name, self.term(lit), self.span(item, i))
        });
        let bads = bads.collect();
        let parts = Parts {
            init: self.init_cmd(&first),
            inputs: self.inputs_cmd(&first),
            next: self.next_cmd(&first),
            bads,
        };
        let graph = OneLoop::build(&mut self.program, self.file, parts);
        let justice = self.justice();
        let warnings = self.warnings();
        Lowered {
            program: self.program,
            graph,
            inputs: self.inputs,
            latches: self.latches,
            initial: self.initial,
            saved: first.saved,
            first_step: first.flag,
            justice,
            warnings,
        }
    }

    fn declare(&mut self) {
        for i in 0..self.model.inputs {
            let (name, span) = (self.name(Item::Input, i), self.span(Item::Input, i));
            let var = self.program.add_global(name.clone(), Type::Bool, span);
            let input = self.program.add_input(name, Type::Bool, span);
            self.inputs.push((var, input));
        }
        for i in 0..self.model.latches.len() as u32 {
            let (name, span) = (self.name(Item::Latch, i), self.span(Item::Latch, i));
            let var = self.program.add_global(name.clone(), Type::Bool, span);
            self.latches.push(var);
            let open = !matches!(self.model.reset(i), Reset::Constant(_));
            let input = open.then(|| self.program.add_input(name, Type::Bool, span));
            self.initial.push(input);
        }
    }

    fn gates(&mut self) {
        let pool = &mut self.program.pool;
        self.terms.reserve(self.model.max_var() as usize + 1);
        self.terms.push(pool.fls());
        for &(var, _) in &self.inputs {
            self.terms.push(pool.var(var));
        }
        for &var in &self.latches {
            self.terms.push(pool.var(var));
        }
        for gate in &self.model.ands {
            let (left, right) = (self.term(gate.left), self.term(gate.right));
            let term = self.program.pool.and(left, right);
            self.terms.push(term);
        }
    }

    /// Latches take their resets.
    fn init_cmd(&mut self, first: &FirstStep) -> Cmd {
        let mut constants = Vec::new();
        let mut open = Vec::new();
        let mut equations = Vec::new();
        for i in 0..self.model.latches.len() as u32 {
            let var = self.latches[i as usize];
            if let Some(input) = self.initial[i as usize] {
                open.push((var, input));
            }
            match self.model.reset(i) {
                Reset::Constant(value) => constants.push((var, self.program.pool.bool(value))),
                Reset::Uninitialised => {}
                Reset::Function(function) => {
                    let (latch, value) = (self.term(self.model.latch(i)), self.term(function));
                    equations.push(self.program.pool.eq(latch, value));
                }
            }
        }
        open.extend(first.saved.iter().map(|&(i, _)| self.inputs[i as usize]));
        let resets = self.program.pool.and_all(equations);
        let mut saves = Vec::new();
        for &(i, saved) in &first.saved {
            saves.push((saved, self.terms[1 + i as usize]));
        }
        if let Some(flag) = first.flag {
            saves.push((flag, self.program.pool.tru()));
        }
        let parts = [
            self.program.cmds.assign_all(&constants),
            self.program.cmds.havoc(&open),
            self.assume(resets),
            self.program.cmds.assign_all(&saves),
        ];
        self.program.cmds.seq(&parts)
    }

    /// Any inputs that satisfy the constraints.
    fn inputs_cmd(&mut self, first: &FirstStep) -> Cmd {
        let havoc = self.program.cmds.havoc(&self.inputs);
        let kept = first.kept;
        let kept = self.assume(kept);
        let constraints = self.constraints;
        let constraints = self.assume(constraints);
        self.program.cmds.seq(&[havoc, kept, constraints])
    }

    fn next_cmd(&mut self, first: &FirstStep) -> Cmd {
        let mut next = Vec::with_capacity(self.latches.len());
        for i in 0..self.latches.len() {
            let latch = self.model.latches[i];
            // A latch that keeps its value needs no assignment.
            if latch.next != self.model.latch(i as u32) {
                next.push((self.latches[i], self.term(latch.next)));
            }
        }
        if let Some(flag) = first.flag {
            next.push((flag, self.program.pool.fls()));
        }
        self.program.cmds.assign_all(&next)
    }

    fn assume(&mut self, condition: Term) -> Cmd {
        match self.program.pool.as_bool(condition) {
            Some(true) => self.program.cmds.skip(),
            _ => self.program.cmds.assume(condition),
        }
    }

    fn justice(&mut self) -> Vec<Justice> {
        let model = self.model;
        let one = |(i, set): (u32, &Vec<Lit>)| {
            let conditions = set.iter().chain(&model.fairness);
            Justice {
                name: self.name(Item::Justice, i),
                span: self.span(Item::Justice, i),
                conditions: conditions.map(|&lit| self.term(lit)).collect(),
            }
        };
        (0..).zip(&model.justice).map(one).collect()
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.model.justice.is_empty() && !self.model.fairness.is_empty() {
            warnings.push(Warning::idle_fairness(self.file));
        }
        if self.model.properties().1.is_empty() && self.model.justice.is_empty() {
            warnings.push(Warning::no_property(self.file));
        }
        warnings
    }
}

/// How the first step comes to use the inputs that the resets have read.
struct FirstStep {
    /// The inputs that resets read and the variables that keep their values.
    saved: Vec<(u32, Var)>,
    /// True in the first step only; absent if no reset reads an input.
    flag: Option<Var>,
    /// In the first step the inputs are the saved ones.
    kept: Term,
}

impl FirstStep {
    fn new(lowering: &mut Lowering<'_>) -> FirstStep {
        let read = inputs_of_resets(lowering.model);
        if read.is_empty() {
            let kept = lowering.program.pool.tru();
            return FirstStep {
                saved: Vec::new(),
                flag: None,
                kept,
            };
        }
        let mut saved = Vec::new();
        let mut equations = Vec::new();
        for i in read {
            let (name, span) = (lowering.name(Item::Input, i), lowering.span(Item::Input, i));
            let program = &mut lowering.program;
            let var = program.add_global(format!("{name} at reset"), Type::Bool, span);
            let (old, now) = (program.pool.var(var), lowering.terms[1 + i as usize]);
            equations.push(program.pool.eq(old, now));
            saved.push((i, var));
        }
        let program = &mut lowering.program;
        let flag = program.add_global("first step", Type::Bool, Span::NONE);
        let first = program.pool.var(flag);
        let equal = program.pool.and_all(equations);
        FirstStep {
            saved,
            flag: Some(flag),
            kept: program.pool.implies(first, equal),
        }
    }
}

/// The inputs that reset functions read, ascending.
fn inputs_of_resets(model: &Model) -> Vec<u32> {
    let mut read = vec![false; model.max_var() as usize + 1];
    for i in 0..model.latches.len() as u32 {
        if let Reset::Function(function) = model.reset(i) {
            read[function.var() as usize] = true;
        }
    }
    for i in (0..model.ands.len()).rev() {
        if read[model.and(i as u32).var() as usize] {
            let gate = model.ands[i];
            read[gate.left.var() as usize] = true;
            read[gate.right.var() as usize] = true;
        }
    }
    (0..model.inputs)
        .filter(|&i| read[model.input(i).var() as usize])
        .collect()
}

impl Lowered {
    /// The property that a trace of the program reaches, and the trace as a stimulus.
    pub fn stimulus(&self, trace: &Trace) -> Result<(Property, Stimulus), Error> {
        let (machine, stimulus) = self.replayed(trace)?;
        let reached = self.graph.violated(&machine)?;
        Ok((Property::Bad(reached), stimulus))
    }

    /// A trace of the program as a stimulus, wherever it leads.
    pub fn steps(&self, trace: &Trace) -> Result<Stimulus, Error> {
        Ok(self.replayed(trace)?.1)
    }

    fn replayed(&self, trace: &Trace) -> Result<(Machine<'_>, Stimulus), Error> {
        let mut machine = Machine::for_trace(&self.program, trace)?;
        let mut stimulus = Stimulus::default();
        for step in &trace.steps {
            machine.replay(step)?;
            let bit = |var: Var| match machine.value(var) {
                Value::Bool(bit) => Some(*bit),
                _ => None,
            };
            if step.edge == self.graph.init {
                stimulus.initial = self.latches.iter().map(|&var| bit(var)).collect();
            } else {
                let inputs = self.inputs.iter().map(|&(var, _)| bit(var)).collect();
                stimulus.inputs.push(inputs);
            }
        }
        Ok((machine, stimulus))
    }

    /// The latch that a variable stands for.
    pub fn latch(&self, var: Var) -> Option<u32> {
        // Declared in ascending order.
        self.latches.binary_search(&var).ok().map(|i| i as u32)
    }
}

#[cfg(test)]
mod tests;
