//! Executes the instructions of a compiled program.

use super::arithmetic::{arithmetic, mask, signed};
use super::instr::{Code, Compiled, Instr, Reg, Slot};
use super::leap;
use super::memory::Memory;
use crate::bv::Bv;
use crate::entity::{Input, Loc, Var};
use crate::op::apply;
use crate::pool::Scope;
use crate::program::Program;
use crate::ty::Type;
use crate::value::Value;

/// Decides what the program leaves open, and sees where it goes.
pub trait Guide {
    /// The value of an input that is a truth value or has at most 64 bits; nothing where execution is to end.
    fn word(&mut self, input: Input) -> Option<u64>;
    /// The value of any other input.
    fn value(&mut self, input: Input) -> Option<Value>;
    /// A number below `n`: which of `n` edges or branches to try first.
    fn pick(&mut self, n: usize) -> usize;
    /// A branch is passed: whether its condition holds, and the words that it compares.
    #[inline]
    fn branch(&mut self, branch: u32, holds: bool, a: u64, b: u64) {
        let _ = (branch, holds, a, b);
    }
    /// A branch has been passed so many times at once, each time with the same result.
    fn branches(&mut self, branch: u32, holds: bool, times: u64) {
        let _ = (branch, holds, times);
    }
}

/// Why an execution stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It is at an error or incomplete location, or where no edge leads on.
    At(Loc),
    /// No edge that leaves the location can be taken.
    Blocked(Loc),
    /// So many steps have been made; it can go on.
    Steps,
    /// Its arrays take more room than allowed.
    Room,
    /// The guide has no input.
    Refused(Input),
}

/// A call in progress: which, and how much of what is saved was there before it.
pub(super) struct Frame {
    pub(super) call: u32,
    pub(super) words: usize,
    pub(super) memories: usize,
    pub(super) values: usize,
}

/// What is restored when a command does not complete.
pub(super) enum Undo {
    Word(Reg, u64),
    Cell(Reg, u64, u64),
    Memory(Reg, Memory),
    Value(Reg, Value),
}

/// A choice with places left to try.
pub(super) struct Point {
    pub(super) table: u32,
    pub(super) first: usize,
    pub(super) tried: usize,
    pub(super) undo: usize,
    /// Failures of the edge so far.
    pub(super) failures: usize,
}

/// The state of an execution.
pub struct Processor<'c> {
    pub(super) compiled: &'c Compiled,
    pub(super) words: Box<[u64; 1 << 16]>,
    pub(super) memories: Vec<Memory>,
    pub(super) values: Vec<Value>,
    pub(super) pc: u32,
    /// Edges taken, and how many of them in leaps.
    pub(super) steps: u64,
    pub(super) leapt: u64,
    /// Steps until the next attempt to leap.
    pub(super) stride: u64,
    pub(super) frames: Vec<Frame>,
    pub(super) saved_words: Vec<u64>,
    pub(super) saved_memories: Vec<Memory>,
    pub(super) saved_values: Vec<Value>,
    pub(super) undo: Vec<Undo>,
    pub(super) points: Vec<Point>,
    /// Bytes that arrays may take.
    pub(super) room: usize,
}

/// Bytes that arrays may take, if nothing else is said.
const ROOM: usize = 512 << 20;

impl<'c> Processor<'c> {
    /// At the entry, everything zero.
    pub fn new(compiled: &'c Compiled) -> Processor<'c> {
        let words = vec![0u64; 1 << 16].into_boxed_slice();
        let mut processor = Processor {
            compiled,
            words: words.try_into().expect("as many"),
            memories: vec![Memory::default(); compiled.memories],
            values: vec![Value::Bool(false); compiled.values],
            pc: 0,
            steps: 0,
            leapt: 0,
            stride: 0,
            frames: Vec::new(),
            saved_words: Vec::new(),
            saved_memories: Vec::new(),
            saved_values: Vec::new(),
            undo: Vec::new(),
            points: Vec::new(),
            room: ROOM,
        };
        processor.restart();
        processor
    }

    /// Back to the entry, everything zero.
    pub fn restart(&mut self) {
        self.words[..self.compiled.words].fill(0);
        for &(r, word) in &self.compiled.constants {
            self.words[usize::from(r)] = word;
        }
        for memory in &mut self.memories {
            memory.clear(0);
        }
        for (r, value) in &self.compiled.wide_constants {
            self.values[usize::from(*r)] = value.clone();
        }
        self.pc = self.compiled.entry;
        (self.steps, self.leapt, self.stride) = (0, 0, leap::FIRST);
        self.frames.clear();
        self.saved_words.clear();
        self.saved_memories.clear();
        self.saved_values.clear();
        self.undo.clear();
        self.points.clear();
    }

    /// Back to the entry; `initial` gives the values of globals and main's locals, as for a machine.
    pub fn start(&mut self, program: &Program, mut initial: impl FnMut(Var, Type) -> Value) {
        self.restart();
        for (v, data) in program.pool.vars() {
            match data.scope {
                Scope::Auxiliary => {}
                Scope::Local(p) if p != program.main => {}
                _ => self.set(v, &initial(v, data.ty)),
            }
        }
    }

    /// Edges taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Sets a variable to a value of its type.
    pub fn set(&mut self, v: Var, value: &Value) {
        self.put(self.compiled.vars[v.as_u32() as usize], value);
    }

    /// The value of a variable.
    pub fn get(&self, v: Var, ty: Type) -> Value {
        self.read(self.compiled.vars[v.as_u32() as usize], ty)
    }

    fn put(&mut self, slot: Slot, value: &Value) {
        match (slot, value) {
            (Slot::Word(r), Value::Bool(b)) => self.words[usize::from(r)] = u64::from(*b),
            (Slot::Word(r), Value::Bv(v)) => {
                self.words[usize::from(r)] = v.to_u64().unwrap_or(0);
            }
            (Slot::Memory(r), Value::Array(a)) => self.memories[usize::from(r)].set(a),
            (Slot::Value(r), value) => self.values[usize::from(r)] = value.clone(),
            _ => unreachable!("a value of another type"),
        }
    }

    fn read(&self, slot: Slot, ty: Type) -> Value {
        match (slot, ty) {
            (Slot::Word(r), Type::Bool) => Value::Bool(self.words[usize::from(r)] != 0),
            (Slot::Word(r), Type::Bv(w)) => Value::Bv(Bv::new(w, self.words[usize::from(r)])),
            (Slot::Memory(r), Type::Array { index, elem }) => {
                Value::Array(self.memories[usize::from(r)].value(index, elem))
            }
            (Slot::Value(r), _) => self.values[usize::from(r)].clone(),
            _ => unreachable!("a slot of another type"),
        }
    }

    /// Executes until it ends, or until at least `limit` steps have been made in all.
    pub fn run<G: Guide>(&mut self, guide: &mut G, limit: u64) -> End {
        let mut pc = self.pc as usize;
        let compiled = self.compiled;
        let code = &compiled.code[..];
        loop {
            let i = code[pc];
            pc += 1;
            let (a, b) = (self.words[usize::from(i.a)], self.words[usize::from(i.b)]);
            let s = i.shift;
            let word = match i.code {
                Code::Move => a,
                Code::Not => mask(!a, s),
                Code::And => a & b,
                Code::Or => a | b,
                Code::Xor => a ^ b,
                Code::Eq => u64::from(a == b),
                Code::Ite => match a {
                    0 => self.words[i.x as u16 as usize],
                    _ => b,
                },
                Code::Neg => mask(a.wrapping_neg(), s),
                Code::Add => mask(a.wrapping_add(b), s),
                Code::Sub => mask(a.wrapping_sub(b), s),
                Code::Mul => mask(a.wrapping_mul(b), s),
                Code::Ult => u64::from(a < b),
                Code::Ule => u64::from(a <= b),
                Code::Slt => u64::from(signed(a, s) < signed(b, s)),
                Code::Sle => u64::from(signed(a, s) <= signed(b, s)),
                Code::Concat => a << (i.x & 63) | b,
                Code::Extract => mask(a >> (i.x & 63), s),
                Code::SignExt => mask(signed(a, i.x as u8) as u64, s),
                Code::Select => self.memories[usize::from(i.a)].select(b),
                Code::IfTrue
                | Code::IfFalse
                | Code::IfEq
                | Code::IfNe
                | Code::IfUlt
                | Code::IfUle
                | Code::IfSlt
                | Code::IfSle => {
                    let holds = match i.code {
                        Code::IfTrue => a != 0,
                        Code::IfFalse => a == 0,
                        Code::IfEq => a == b,
                        Code::IfNe => a != b,
                        Code::IfUlt => a < b,
                        Code::IfUle => a <= b,
                        Code::IfSlt => signed(a, s) < signed(b, s),
                        _ => signed(a, s) <= signed(b, s),
                    };
                    self.steps += u64::from(i.d);
                    guide.branch(i.y, holds, a, b);
                    if !holds {
                        pc = i.x as usize;
                    }
                    continue;
                }
                Code::Jump => {
                    self.steps += u64::from(i.d);
                    pc = i.x as usize;
                    // A call that is over is left in the same step.
                    if self.steps >= limit && code[pc].code != Code::Return {
                        self.pc = pc as u32;
                        return End::Steps;
                    }
                    continue;
                }
                Code::Store => {
                    self.memories[usize::from(i.d)].store(b, a);
                    continue;
                }
                Code::Udiv
                | Code::Urem
                | Code::Sdiv
                | Code::Srem
                | Code::Smod
                | Code::Shl
                | Code::Lshr
                | Code::Ashr
                | Code::Uaddo
                | Code::Saddo
                | Code::Usubo
                | Code::Ssubo
                | Code::Umulo
                | Code::Smulo => arithmetic(i.code, a, b, s),
                Code::Halt => {
                    self.steps += u64::from(i.d);
                    self.pc = pc as u32 - 1;
                    return End::At(Loc::from_u32(i.x));
                }
                _ => match self.other(guide, i, pc as u32, limit) {
                    Ok(next) => {
                        pc = next as usize;
                        continue;
                    }
                    Err(end) => return end,
                },
            };
            self.words[usize::from(i.d)] = word;
        }
    }

    /// What is done less often; where to go on.
    fn other<G: Guide>(
        &mut self,
        guide: &mut G,
        i: Instr,
        pc: u32,
        limit: u64,
    ) -> Result<u32, End> {
        let (d, a) = (usize::from(i.d), usize::from(i.a));
        let (word_a, word_b) = (self.words[a], self.words[usize::from(i.b)]);
        match i.code {
            Code::StoreIf => {
                if self.words[i.x as u16 as usize] != 0 {
                    self.memories[d].store(word_b, word_a);
                }
            }
            Code::Fill => self.memories[d].clear(word_a),
            Code::Copy => self.copy(a, d),
            Code::CopyIf if word_b != 0 => self.copy(a, d),
            Code::CopyIf => {}
            Code::Swap => self.memories.swap(a, d),
            Code::Same => {
                let (a, b) = (&self.memories[a], &self.memories[usize::from(i.b)]);
                self.words[d] = u64::from(a.equals(b, i.x));
            }
            Code::Wide => self.wide(i.x as usize),
            Code::MoveValue => self.values[d] = self.values[a].clone(),
            Code::Havoc | Code::HavocMemory | Code::HavocValue => self.havoc(guide, i)?,
            Code::Save => self.undo.push(Undo::Word(i.d, self.words[d])),
            Code::SaveCell => {
                let old = self.memories[d].select(word_b);
                self.undo.push(Undo::Cell(i.d, word_b, old));
            }
            Code::SaveMemory => {
                let old = self.memories[d].clone();
                self.undo.push(Undo::Memory(i.d, old));
            }
            Code::SaveValue => {
                let old = self.values[d].clone();
                self.undo.push(Undo::Value(i.d, old));
            }
            Code::Commit => {
                self.undo.clear();
                self.points.clear();
            }
            Code::Count => self.steps += u64::from(i.d),
            Code::Goto => {
                self.steps += u64::from(i.d);
                return Ok(i.x);
            }
            Code::Choose => return Ok(self.choose(guide, i)),
            Code::Fail => return self.fail(i),
            Code::Call => return self.call(i, limit),
            Code::Return => return self.leave(i),
            _ => unreachable!("done by the loop"),
        }
        Ok(pc)
    }

    fn copy(&mut self, from: usize, to: usize) {
        let copy = self.memories[from].clone();
        self.memories[to] = copy;
    }

    fn wide(&mut self, at: usize) {
        let compiled = self.compiled;
        let wide = &compiled.wide[at];
        let args: Vec<Value> = wide.args.iter().map(|&(s, ty)| self.read(s, ty)).collect();
        let args: Vec<&Value> = args.iter().collect();
        let value = apply(wide.op, wide.params, &args);
        self.put(wide.result, &value);
    }

    fn havoc<G: Guide>(&mut self, guide: &mut G, i: Instr) -> Result<(), End> {
        let input = Input::from_u32(i.x);
        let slot = match i.code {
            Code::Havoc => {
                let word = guide.word(input).ok_or(End::Refused(input))?;
                self.words[usize::from(i.d)] = mask(word, i.shift);
                return Ok(());
            }
            Code::HavocMemory => Slot::Memory(i.d),
            _ => Slot::Value(i.d),
        };
        let value = guide.value(input).ok_or(End::Refused(input))?;
        self.put(slot, &value);
        Ok(())
    }

    /// Bytes that arrays take.
    pub fn bytes(&self) -> usize {
        let all = self.memories.iter().chain(&self.saved_memories);
        all.map(Memory::bytes).sum()
    }
}
