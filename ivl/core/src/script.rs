//! Executions by what they are given alone.

use crate::compiled::{Compiled, Guide, Processor};
use crate::entity::{Input, Var};
use crate::interp::Oracle;
use crate::program::Program;
use crate::ty::Type;
use crate::value::Value;
use std::collections::BTreeMap;

/// An execution from the entry of the program, by what it is given alone. At every location the edges are tried in turn, and the
/// first that can be taken is, as by [`Machine::step`](crate::interp::Machine::step).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// Initial values of globals and of main's locals; what is missing starts at zero.
    pub initial: BTreeMap<Var, Value>,
    /// The values of inputs in the order in which they are read, also by edges that could not be taken in the end.
    pub inputs: Vec<(Input, Value)>,
    /// Which edge or branch is tried first, in the order in which that is asked, and how many times in a row; the first where
    /// nothing is left.
    pub picks: Vec<(u32, u64)>,
    /// How many steps it is said to have, for whoever wants to see the last ones; nothing rests on it.
    pub steps: u64,
}

/// Decides as a script says.
pub struct Reader<'s> {
    program: &'s Program,
    script: &'s Script,
    /// Inputs that have been read.
    read: usize,
    /// Where the next pick is, and how often it was used.
    pick: (usize, u64),
    /// What the script does not have.
    missing: Option<Input>,
    /// How often each branch of the compiled program was passed.
    pub passed: Vec<u64>,
}

impl<'s> Reader<'s> {
    /// From the beginning.
    pub fn new(program: &'s Program, script: &'s Script) -> Reader<'s> {
        Reader {
            program,
            script,
            read: 0,
            pick: (0, 0),
            missing: None,
            passed: Vec::new(),
        }
    }

    fn next(&mut self, input: Input) -> Option<&'s Value> {
        let ty = self.program.inputs[input].ty;
        let next = self.script.inputs.get(self.read);
        let next = next.filter(|(i, value)| *i == input && value.ty() == ty);
        match next {
            Some((_, value)) => {
                self.read += 1;
                Some(value)
            }
            None => {
                self.missing.get_or_insert(input);
                None
            }
        }
    }

    fn next_pick(&mut self) -> usize {
        while let Some(&(pick, times)) = self.script.picks.get(self.pick.0) {
            if self.pick.1 < times {
                self.pick.1 += 1;
                return pick as usize;
            }
            self.pick = (self.pick.0 + 1, 0);
        }
        0
    }

    /// Fails where the script has something else than what was asked for, or more.
    pub fn check(&self, is_over: bool) -> Result<(), String> {
        if let Some(input) = self.missing {
            let name = &self.program.inputs[input].name;
            return Err(format!("input {} is not a value of `{name}`", self.read));
        }
        let left = self.script.inputs.len() - self.read;
        if is_over && left > 0 {
            return Err(format!("{left} inputs are left when it is over"));
        }
        Ok(())
    }
}

impl Oracle for Reader<'_> {
    fn input(&mut self, input: Input, ty: Type) -> Value {
        let next = self.next(input).filter(|v| v.ty() == ty);
        next.cloned().unwrap_or_else(|| Value::zero(ty))
    }

    fn pick(&mut self, n: usize) -> usize {
        self.next_pick() % n
    }
}

impl Guide for Reader<'_> {
    fn word(&mut self, input: Input) -> Option<u64> {
        match self.next(input)? {
            Value::Bool(b) => Some(u64::from(*b)),
            Value::Bv(v) => v.to_u64(),
            Value::Array(_) => None,
        }
    }

    fn value(&mut self, input: Input) -> Option<Value> {
        self.next(input).cloned()
    }

    fn pick(&mut self, n: usize) -> usize {
        self.next_pick() % n
    }

    #[inline]
    fn branch(&mut self, branch: u32, _: bool, _: u64, _: u64) {
        if let Some(passed) = self.passed.get_mut(branch as usize) {
            *passed += 1;
        }
    }

    fn branches(&mut self, branch: u32, _: bool, times: u64) {
        if let Some(passed) = self.passed.get_mut(branch as usize) {
            *passed = passed.saturating_add(times);
        }
    }
}

impl<'c> Processor<'c> {
    /// A compiled program in the initial state of a script that fits it.
    pub fn for_script(program: &Program, compiled: &'c Compiled, script: &Script) -> Processor<'c> {
        let mut processor = Processor::new(compiled);
        processor.start(program, |v, ty| {
            let given = script.initial.get(&v).cloned();
            given.unwrap_or_else(|| Value::zero(ty))
        });
        processor
    }
}
