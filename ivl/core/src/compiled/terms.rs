//! Terms as instructions.
//!
//! All operations are total, so every part of a term may be computed, whatever an `ite` decides. Within one command that reads one
//! state, equal terms are computed once.

use super::compile::{Compiler, TooLarge};
use super::instr::{Code, Instr, Reg, Slot, WideOp};
use crate::entity::Term;
use crate::op::Op;
use crate::ty::Type;

/// Updates of an array in place that are worth trying; beyond, it is made anew.
const IN_PLACE: usize = 64;

/// Where values of a type live.
pub(super) enum Home {
    Word,
    Memory,
    Value,
}

pub(super) fn home(ty: Type) -> Home {
    match ty {
        Type::Bool => Home::Word,
        Type::Bv(w) if w <= 64 => Home::Word,
        Type::Array { index, elem } if index <= 64 && elem <= 64 => Home::Memory,
        _ => Home::Value,
    }
}

/// 64 minus the width of a word.
pub(super) fn shift(ty: Type) -> u8 {
    match ty {
        Type::Bv(w) => 64 - w as u8,
        _ => 63,
    }
}

impl Compiler<'_> {
    /// Begins a command that reads another state.
    pub(super) fn new_state(&mut self) {
        self.cache.clear();
        self.temps_used = [0; 3];
    }

    /// Where the value of `t` is. An array that is no variable is nowhere yet; see [`Self::array`].
    pub(super) fn term(&mut self, t: Term) -> Result<Option<Slot>, TooLarge> {
        let pool = &self.program.pool;
        let mut stack = vec![t];
        while let Some(&u) = stack.last() {
            if self.cache.contains_key(&u) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(pool.args(u).filter(|a| !self.cache.contains_key(a)));
            if stack.len() == waiting {
                stack.pop();
                let slot = self.node(u)?;
                self.cache.insert(u, slot);
            }
        }
        Ok(self.cache[&t])
    }

    /// The register of a word.
    pub(super) fn word(&mut self, t: Term) -> Result<Reg, TooLarge> {
        match self.term(t)? {
            Some(Slot::Word(r)) => Ok(r),
            _ => unreachable!("the term has the type of a word"),
        }
    }

    fn known(&self, t: Term) -> Reg {
        match self.cache.get(&t) {
            Some(Some(Slot::Word(r))) => *r,
            _ => unreachable!("arguments come before"),
        }
    }

    /// The slot of any term, arrays included.
    pub(super) fn slot(&mut self, t: Term) -> Result<Slot, TooLarge> {
        match self.term(t)? {
            Some(slot) => Ok(slot),
            None => Ok(Slot::Memory(self.array(t)?)),
        }
    }

    fn node(&mut self, t: Term) -> Result<Option<Slot>, TooLarge> {
        let pool = &self.program.pool;
        let (op, ty) = (pool.op(t), pool.ty(t));
        let args: Vec<Term> = pool.args(t).collect();
        let is_wide = |ty| matches!(home(ty), Home::Value);
        match op {
            Op::Var => {
                let v = pool.as_var(t).expect("a variable node");
                return Ok(Some(self.out.vars[v.as_u32() as usize]));
            }
            Op::BoolConst => {
                let word = u64::from(pool.as_bool(t) == Some(true));
                return Ok(Some(Slot::Word(self.constant(word)?)));
            }
            Op::BvConst => {
                let value = pool.as_bv(t).expect("a constant");
                return Ok(Some(match home(ty) {
                    Home::Word => Slot::Word(self.constant(value.to_u64().unwrap_or(0))?),
                    _ => {
                        let r = self.fresh(2)?;
                        self.out.wide_constants.push((r, value.into()));
                        Slot::Value(r)
                    }
                }));
            }
            _ => {}
        }
        if is_wide(ty) || args.iter().any(|&a| is_wide(pool.ty(a))) {
            return self.wide(t, ty, &args).map(Some);
        }
        if matches!(home(ty), Home::Memory) {
            return Ok(None);
        }
        if op == Op::Eq && matches!(home(pool.ty(args[0])), Home::Memory) {
            return self.same(args[0], args[1]).map(Some);
        }
        if op == Op::Select {
            return self.select(args[0], args[1]).map(Some);
        }
        Ok(Some(Slot::Word(self.operation(t, ty, &args)?)))
    }

    /// An operation on words; where the cache has a target for it, there.
    fn operation(&mut self, t: Term, ty: Type, args: &[Term]) -> Result<Reg, TooLarge> {
        let pool = &self.program.pool;
        let params = pool.params(t);
        let of = pool.ty(args[0]);
        let r: Vec<Reg> = args.iter().map(|&a| self.known(a)).collect();
        let (mut shift_by, mut x) = (shift(of), 0);
        let code = match pool.op(t) {
            Op::ZeroExt => return Ok(r[0]),
            Op::Extract if params.lo == 0 && of == ty => return Ok(r[0]),
            Op::Not | Op::BvNot => Code::Not,
            Op::And | Op::BvAnd => Code::And,
            Op::Or | Op::BvOr => Code::Or,
            Op::BvXor => Code::Xor,
            Op::Eq => Code::Eq,
            Op::Ite => {
                x = u32::from(r[2]);
                Code::Ite
            }
            Op::BvNeg => Code::Neg,
            Op::BvAdd => Code::Add,
            Op::BvSub => Code::Sub,
            Op::BvMul => Code::Mul,
            Op::BvUdiv => Code::Udiv,
            Op::BvUrem => Code::Urem,
            Op::BvSdiv => Code::Sdiv,
            Op::BvSrem => Code::Srem,
            Op::BvSmod => Code::Smod,
            Op::BvShl => Code::Shl,
            Op::BvLshr => Code::Lshr,
            Op::BvAshr => Code::Ashr,
            Op::BvUlt => Code::Ult,
            Op::BvUle => Code::Ule,
            Op::BvSlt => Code::Slt,
            Op::BvSle => Code::Sle,
            Op::BvUaddo => Code::Uaddo,
            Op::BvSaddo => Code::Saddo,
            Op::BvUsubo => Code::Usubo,
            Op::BvSsubo => Code::Ssubo,
            Op::BvUmulo => Code::Umulo,
            Op::BvSmulo => Code::Smulo,
            Op::Concat => {
                x = 64 - u32::from(shift(pool.ty(args[1])));
                Code::Concat
            }
            Op::Extract => {
                (shift_by, x) = (shift(ty), params.lo);
                Code::Extract
            }
            Op::SignExt => {
                (shift_by, x) = (shift(ty), u32::from(shift(of)));
                Code::SignExt
            }
            Op::BoolConst | Op::BvConst | Op::Var | Op::Select | Op::Store | Op::ConstArray => {
                unreachable!("no operation on words")
            }
        };
        let d = self.temp(0)?;
        self.emit(Instr {
            code,
            shift: shift_by,
            d,
            a: r[0],
            b: r.get(1).copied().unwrap_or(0),
            x,
            y: 0,
        });
        Ok(d)
    }

    /// Something with a wide value, which the evaluator does.
    fn wide(&mut self, t: Term, ty: Type, args: &[Term]) -> Result<Slot, TooLarge> {
        let mut slots = Vec::with_capacity(args.len());
        for &a in args {
            slots.push((self.slot(a)?, self.program.pool.ty(a)));
        }
        let result = match home(ty) {
            Home::Word => Slot::Word(self.temp(0)?),
            Home::Memory => Slot::Memory(self.temp(1)?),
            Home::Value => Slot::Value(self.temp(2)?),
        };
        let pool = &self.program.pool;
        self.out.wide.push(WideOp {
            op: pool.op(t),
            params: pool.params(t),
            args: slots,
            result,
        });
        let x = self.out.wide.len() as u32 - 1;
        self.emit(Instr::new(Code::Wide, 0, 0, 0).with(x));
        Ok(result)
    }

    fn same(&mut self, a: Term, b: Term) -> Result<Slot, TooLarge> {
        let Type::Array { index, .. } = self.program.pool.ty(a) else {
            unreachable!("arrays are compared");
        };
        let (a, b) = (self.array(a)?, self.array(b)?);
        let d = self.temp(0)?;
        self.emit(Instr::new(Code::Same, d, a, b).with(index));
        Ok(Slot::Word(d))
    }

    /// Reads through updates: the last one at the index counts.
    fn select(&mut self, array: Term, index: Term) -> Result<Slot, TooLarge> {
        let (root, stores) = self.chain(array);
        let (root, index) = (self.array(root)?, self.known(index));
        let mut read = self.temp(0)?;
        self.emit(Instr::new(Code::Select, read, root, index));
        for (at, elem) in stores {
            let (at, elem) = (self.known(at), self.known(elem));
            let (here, next) = (self.temp(0)?, self.temp(0)?);
            self.emit(Instr::new(Code::Eq, here, at, index));
            self.emit(Instr::new(Code::Ite, next, here, elem).with(u32::from(read)));
            read = next;
        }
        Ok(Slot::Word(read))
    }

    /// The array below updates, and these from the first on.
    fn chain(&self, array: Term) -> (Term, Vec<(Term, Term)>) {
        let pool = &self.program.pool;
        let (mut root, mut stores) = (array, Vec::new());
        while pool.op(root) == Op::Store && !matches!(self.cache.get(&root), Some(Some(_))) {
            stores.push((pool.arg(root, 1), pool.arg(root, 2)));
            root = pool.arg(root, 0);
        }
        stores.reverse();
        (root, stores)
    }

    /// The memory of an array, made anew unless it is a variable.
    pub(super) fn array(&mut self, t: Term) -> Result<Reg, TooLarge> {
        self.term(t)?;
        let mut stack = vec![t];
        while let Some(&u) = stack.last() {
            if let Some(Some(Slot::Memory(_))) = self.cache.get(&u) {
                stack.pop();
                continue;
            }
            let pool = &self.program.pool;
            let parts = match pool.op(u) {
                Op::Store => vec![self.chain(u).0],
                Op::Ite => vec![pool.arg(u, 1), pool.arg(u, 2)],
                _ => Vec::new(),
            };
            let open = |a: &Term| !matches!(self.cache.get(a), Some(Some(_)));
            let waiting = stack.len();
            stack.extend(parts.iter().copied().filter(open));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let made = self.make_array(u)?;
            self.cache.insert(u, Some(Slot::Memory(made)));
        }
        Ok(self.memory(t))
    }

    fn memory(&self, t: Term) -> Reg {
        match self.cache.get(&t) {
            Some(Some(Slot::Memory(m))) => *m,
            _ => unreachable!("made before"),
        }
    }

    fn make_array(&mut self, t: Term) -> Result<Reg, TooLarge> {
        let pool = &self.program.pool;
        let d = self.temp(1)?;
        match pool.op(t) {
            Op::ConstArray => {
                let elem = self.known(pool.arg(t, 0));
                self.emit(Instr::new(Code::Fill, d, elem, 0));
            }
            Op::Ite => {
                let holds = self.known(pool.arg(t, 0));
                let (yes, no) = (self.memory(pool.arg(t, 1)), self.memory(pool.arg(t, 2)));
                self.emit(Instr::new(Code::Copy, d, no, 0));
                self.emit(Instr::new(Code::CopyIf, d, yes, holds));
            }
            _ => {
                let (root, stores) = self.chain(t);
                let root = self.memory(root);
                self.emit(Instr::new(Code::Copy, d, root, 0));
                for (at, elem) in stores {
                    let (at, elem) = (self.known(at), self.known(elem));
                    self.emit(Instr::new(Code::Store, d, elem, at));
                }
            }
        }
        Ok(d)
    }

    /// The updates that make `t` of the variable with the memory `of`, where it is nothing but updates of it under conditions:
    /// condition, index and element, from the first on.
    pub(super) fn in_place(&mut self, of: Reg, t: Term) -> Result<Option<Vec<Update>>, TooLarge> {
        let mut updates = Vec::new();
        // What is still to be done, the last first.
        let mut todo = vec![Todo::Array(t, None)];
        while let Some(next) = todo.pop() {
            if updates.len() + todo.len() > IN_PLACE {
                return Ok(None);
            }
            let (t, when) = match next {
                Todo::Update(update) => {
                    updates.push(update);
                    continue;
                }
                Todo::Array(t, when) => (t, when),
            };
            let pool = &self.program.pool;
            match pool.op(t) {
                Op::Var if self.cache.get(&t) == Some(&Some(Slot::Memory(of))) => {}
                Op::Store => {
                    let (at, elem) = (self.known(pool.arg(t, 1)), self.known(pool.arg(t, 2)));
                    todo.push(Todo::Update(Update { when, at, elem }));
                    todo.push(Todo::Array(pool.arg(t, 0), when));
                }
                Op::Ite => {
                    let (yes, no) = (pool.arg(t, 1), pool.arg(t, 2));
                    let holds = self.known(pool.arg(t, 0));
                    let fails = self.temp(0)?;
                    let mut not = Instr::new(Code::Not, fails, holds, 0);
                    not.shift = 63;
                    self.emit(not);
                    let both = |this: &mut Self, c: Reg| match when {
                        None => Ok(c),
                        Some(w) => {
                            let d = this.temp(0)?;
                            this.emit(Instr::new(Code::And, d, w, c));
                            Ok(d)
                        }
                    };
                    let (holds, fails) = (both(self, holds)?, both(self, fails)?);
                    todo.push(Todo::Array(no, Some(fails)));
                    todo.push(Todo::Array(yes, Some(holds)));
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(updates))
    }
}

/// An element that is written at an index, perhaps only where a register holds.
pub(super) struct Update {
    pub when: Option<Reg>,
    pub at: Reg,
    pub elem: Reg,
}

enum Todo {
    Array(Term, Option<Reg>),
    Update(Update),
}
