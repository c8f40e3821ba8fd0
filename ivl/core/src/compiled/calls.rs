//! Calls: arguments in, locals away and back, results out.

use super::instr::{Code, Instr, Slot};
use super::memory::Memory;
use super::processor::{End, Frame, Processor};
use crate::entity::Loc;
use crate::value::Value;

impl Processor<'_> {
    pub(super) fn call(&mut self, i: Instr, limit: u64) -> Result<u32, End> {
        self.steps += u64::from(i.d);
        let compiled = self.compiled;
        let call = &compiled.calls[i.x as usize];
        self.frames.push(Frame {
            call: i.x,
            words: self.saved_words.len(),
            memories: self.saved_memories.len(),
            values: self.saved_values.len(),
        });
        // Arguments first: they may be locals of the callee, which is called by itself.
        let (words, memories, values) = self.taken(call.args.iter().map(|&(a, _)| a));
        for &local in &call.locals {
            match local {
                Slot::Word(r) => {
                    let old = std::mem::take(&mut self.words[usize::from(r)]);
                    self.saved_words.push(old);
                }
                Slot::Memory(r) => {
                    let old = std::mem::take(&mut self.memories[usize::from(r)]);
                    self.saved_memories.push(old);
                }
                Slot::Value(r) => {
                    let value = &mut self.values[usize::from(r)];
                    let zero = Value::zero(value.ty());
                    self.saved_values.push(std::mem::replace(value, zero));
                }
            }
        }
        self.give(call.args.iter().map(|&(_, p)| p), words, memories, values);
        self.pc = call.entry;
        self.limits(limit)?;
        Ok(call.entry)
    }

    /// Copies of what is in the slots.
    fn taken(&self, slots: impl Iterator<Item = Slot>) -> (Words, Vec<Memory>, Vec<Value>) {
        let (mut words, mut memories, mut values) = (Words::default(), Vec::new(), Vec::new());
        for slot in slots {
            match slot {
                Slot::Word(r) => words.push(self.words[usize::from(r)]),
                Slot::Memory(r) => memories.push(self.memories[usize::from(r)].clone()),
                Slot::Value(r) => values.push(self.values[usize::from(r)].clone()),
            }
        }
        (words, memories, values)
    }

    fn give(
        &mut self,
        slots: impl Iterator<Item = Slot>,
        words: Words,
        memories: Vec<Memory>,
        values: Vec<Value>,
    ) {
        let (mut at, mut memories, mut values) = (0, memories.into_iter(), values.into_iter());
        for slot in slots {
            match slot {
                Slot::Word(r) => {
                    self.words[usize::from(r)] = words.get(at);
                    at += 1;
                }
                Slot::Memory(r) => {
                    self.memories[usize::from(r)] = memories.next().unwrap_or_default();
                }
                Slot::Value(r) => {
                    if let Some(value) = values.next() {
                        self.values[usize::from(r)] = value;
                    }
                }
            }
        }
    }

    pub(super) fn leave(&mut self, i: Instr) -> Result<u32, End> {
        self.steps += u64::from(i.d);
        let Some(frame) = self.frames.pop() else {
            return Err(End::At(Loc::from_u32(i.x)));
        };
        let compiled = self.compiled;
        let call = &compiled.calls[frame.call as usize];
        let (words, memories, values) = self.taken(call.results.iter().map(|&(r, _)| r));
        let mut at = (frame.words, frame.memories, frame.values);
        for &local in &call.locals {
            match local {
                Slot::Word(r) => {
                    self.words[usize::from(r)] = self.saved_words[at.0];
                    at.0 += 1;
                }
                Slot::Memory(r) => {
                    let saved = &mut self.saved_memories[at.1];
                    std::mem::swap(&mut self.memories[usize::from(r)], saved);
                    at.1 += 1;
                }
                Slot::Value(r) => {
                    let saved = &mut self.saved_values[at.2];
                    std::mem::swap(&mut self.values[usize::from(r)], saved);
                    at.2 += 1;
                }
            }
        }
        self.saved_words.truncate(frame.words);
        self.saved_memories.truncate(frame.memories);
        self.saved_values.truncate(frame.values);
        self.give(
            call.results.iter().map(|&(_, v)| v),
            words,
            memories,
            values,
        );
        Ok(call.back)
    }

    /// Stops where the steps are used up or recursion and arrays take too much room.
    fn limits(&mut self, limit: u64) -> Result<(), End> {
        let words = self.saved_words.len() * size_of::<u64>();
        let arrays = self.saved_memories.len() * size_of::<Memory>();
        if words + arrays + self.frames.len() * size_of::<Frame>() > self.room {
            return Err(End::Room);
        }
        let is_over = self.compiled.code[self.pc as usize].code == Code::Return;
        match self.steps >= limit && !is_over {
            true => Err(End::Steps),
            false => Ok(()),
        }
    }
}

/// A few words without an allocation.
#[derive(Default)]
struct Words {
    few: [u64; 8],
    more: Vec<u64>,
    len: usize,
}

impl Words {
    fn push(&mut self, word: u64) {
        match self.few.get_mut(self.len) {
            Some(slot) => *slot = word,
            None => self.more.push(word),
        }
        self.len += 1;
    }

    fn get(&self, at: usize) -> u64 {
        match self.few.get(at) {
            Some(word) => *word,
            None => self.more[at - self.few.len()],
        }
    }
}
