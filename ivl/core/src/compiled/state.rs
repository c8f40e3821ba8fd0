//! The state of a compiled program for the interpreter.

use super::instr::Slot;
use super::processor::{Frame, Processor};
use crate::bv::Bv;
use crate::entity::Var;
use crate::interp::{self, State};
use crate::pool::Scope;
use crate::program::Program;
use crate::ty::Type;
use crate::value::Value;

impl Processor<'_> {
    /// The state for the interpreter, where the last execution ended by its number of steps.
    pub fn state(&self, program: &Program) -> Option<State> {
        let starts = &self.compiled.starts;
        let at = starts.partition_point(|s| s.0 < self.pc);
        let (_, loc) = *starts.get(at).filter(|s| s.0 == self.pc)?;
        let all = program.pool.vars().iter();
        let values = all.map(|(v, d)| match d.scope {
            Scope::Auxiliary => Value::zero(d.ty),
            _ => self.get(v, d.ty),
        });
        let calls = self.frames.iter().map(|frame| {
            let call = &self.compiled.calls[frame.call as usize];
            interp::Frame {
                edge: call.edge,
                callee: call.callee,
                saved: self.saved(frame, program),
            }
        });
        Some(State {
            values: values.collect(),
            calls: calls.collect(),
            loc,
        })
    }

    /// The locals of the callee before a call.
    fn saved(&self, frame: &Frame, program: &Program) -> Vec<(Var, Value)> {
        let callee = self.compiled.calls[frame.call as usize].callee;
        let mut at = (frame.words, frame.memories, frame.values);
        let all = program.pool.vars().iter();
        let locals = all.filter(|(_, d)| d.scope == Scope::Local(callee));
        let saved = locals.map(|(v, d)| {
            let value = match (self.compiled.vars[v.as_u32() as usize], d.ty) {
                (Slot::Word(_), ty) => {
                    at.0 += 1;
                    let word = self.saved_words[at.0 - 1];
                    match ty {
                        Type::Bv(w) => Value::Bv(Bv::new(w, word)),
                        _ => Value::Bool(word != 0),
                    }
                }
                (Slot::Memory(_), Type::Array { index, elem }) => {
                    at.1 += 1;
                    Value::Array(self.saved_memories[at.1 - 1].value(index, elem))
                }
                _ => {
                    at.2 += 1;
                    self.saved_values[at.2 - 1].clone()
                }
            };
            (v, value)
        });
        saved.collect()
    }
}
