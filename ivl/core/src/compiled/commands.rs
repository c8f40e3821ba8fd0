//! Commands as instructions.

use super::compile::{Compiler, TooLarge};
use super::instr::{Code, Instr, Reg, Slot};
use super::terms::{Home, Update, home, shift};
use crate::cmd::CmdView;
use crate::entity::{Cmd, Term, Var};
use crate::op::Op;

impl Compiler<'_> {
    /// Whether something may fail after something else has been changed or chosen.
    pub(super) fn may_fail_late(&self, leaves: &[Cmd]) -> bool {
        let cmds = &self.program.cmds;
        let (mut changed, mut late) = (false, false);
        let mut todo: Vec<Cmd> = leaves.iter().rev().copied().collect();
        while let Some(c) = todo.pop() {
            match cmds.view(c) {
                CmdView::Seq(cs) => todo.extend(cs.iter().rev()),
                CmdView::Choice(_) => return true,
                CmdView::Assume(_) => late |= changed,
                CmdView::Assign(_) | CmdView::Havoc(_) => changed = true,
                CmdView::Skip => {}
            }
        }
        late
    }

    pub(super) fn command(&mut self, c: Cmd) -> Result<(), TooLarge> {
        match self.program.cmds.view(c) {
            CmdView::Skip => {}
            CmdView::Seq(cs) => {
                for &c in cs {
                    self.command(c)?;
                }
            }
            CmdView::Assume(t) => {
                self.new_state();
                self.assume(t)?;
            }
            CmdView::Assign(items) => {
                self.new_state();
                self.assign(items)?;
                self.new_state();
            }
            CmdView::Havoc(items) => {
                for &(v, input) in items {
                    let (slot, ty) = (self.var(v), self.program.pool.var_ty(v));
                    self.save(slot);
                    let (code, d) = match slot {
                        Slot::Word(r) => (Code::Havoc, r),
                        Slot::Memory(r) => (Code::HavocMemory, r),
                        Slot::Value(r) => (Code::HavocValue, r),
                    };
                    let mut havoc = Instr::new(code, d, 0, 0).with(input.as_u32());
                    havoc.shift = match slot {
                        Slot::Word(_) => shift(ty),
                        _ => 0,
                    };
                    self.emit(havoc);
                }
                self.new_state();
            }
            CmdView::Choice(cs) => {
                self.choose(cs, false);
                let table = self.out.places.len() - 1;
                let mut ends = Vec::new();
                for (place, &c) in cs.iter().enumerate() {
                    self.out.places[table].targets[place] = self.here();
                    self.command(c)?;
                    ends.push(self.control(Code::Goto, 0));
                }
                self.patch(&ends);
            }
        }
        Ok(())
    }

    fn save(&mut self, slot: Slot) {
        if self.saving {
            let (code, d) = match slot {
                Slot::Word(r) => (Code::Save, r),
                Slot::Memory(r) => (Code::SaveMemory, r),
                Slot::Value(r) => (Code::SaveValue, r),
            };
            self.emit(Instr::new(code, d, 0, 0));
        }
    }

    /// Goes on only where `t` holds: a branch for each conjunct.
    pub(super) fn assume(&mut self, t: Term) -> Result<(), TooLarge> {
        let mut open = vec![(t, true)];
        while let Some((t, wanted)) = open.pop() {
            let pool = &self.program.pool;
            let arg = |i| pool.arg(t, i);
            match (pool.op(t), wanted) {
                (Op::Not, _) => open.push((arg(0), !wanted)),
                (Op::And, true) | (Op::Or, false) => {
                    open.extend([(arg(1), wanted), (arg(0), wanted)]);
                }
                (Op::BoolConst, _) if pool.as_bool(t) == Some(wanted) => {}
                (op, _) => {
                    let branch = match (op, wanted) {
                        (Op::Eq, true) => Some((Code::IfEq, false)),
                        (Op::Eq, false) => Some((Code::IfNe, false)),
                        (Op::BvUlt, true) => Some((Code::IfUlt, false)),
                        (Op::BvUlt, false) => Some((Code::IfUle, true)),
                        (Op::BvUle, true) => Some((Code::IfUle, false)),
                        (Op::BvUle, false) => Some((Code::IfUlt, true)),
                        (Op::BvSlt, true) => Some((Code::IfSlt, false)),
                        (Op::BvSlt, false) => Some((Code::IfSle, true)),
                        (Op::BvSle, true) => Some((Code::IfSle, false)),
                        (Op::BvSle, false) => Some((Code::IfSlt, true)),
                        _ => None,
                    };
                    let of_words = branch.filter(|_| matches!(home(pool.ty(arg(0))), Home::Word));
                    match of_words {
                        Some((code, swapped)) => {
                            let (s, t) = (arg(usize::from(swapped)), arg(usize::from(!swapped)));
                            let by = shift(pool.ty(s));
                            let (a, b) = (self.word(s)?, self.word(t)?);
                            self.branch(code, by, a, b);
                        }
                        None => {
                            let a = self.word(t)?;
                            let code = if wanted { Code::IfTrue } else { Code::IfFalse };
                            self.branch(code, 63, a, a);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn branch(&mut self, code: Code, shift: u8, a: Reg, b: Reg) {
        let d = self.pending();
        let y = self.out.branches.len() as u32;
        self.out.branches.push(self.at);
        self.fails.push(self.out.code.len());
        self.emit(Instr {
            code,
            shift,
            d,
            a,
            b,
            x: 0,
            y,
        });
    }

    fn assign(&mut self, items: &[(Var, Term)]) -> Result<(), TooLarge> {
        if let &[(v, t)] = items
            && let Slot::Word(d) = self.var(v)
        {
            self.save(Slot::Word(d));
            let r = self.word(t)?;
            // The result may go where it belongs at once.
            let last = self.out.code.last_mut();
            match last {
                Some(last)
                    if last.d == r && self.temps[0].contains(&r) && last.code.makes_word() =>
                {
                    last.d = d;
                }
                _ => self.emit(Instr::new(Code::Move, d, r, 0)),
            }
            return Ok(());
        }
        // Everything is read before anything is written.
        for &(_, t) in items {
            self.term(t)?;
        }
        let (mut writes, mut taken) = (Vec::new(), Vec::new());
        for &(v, t) in items {
            let slot = self.var(v);
            let moved = match slot {
                Slot::Memory(m) => match self.in_place(m, t)? {
                    Some(updates) => Write::Updates(m, updates),
                    None => Write::Array(m, self.own_array(t, &mut taken)?),
                },
                _ => Write::Move(slot, self.own(t)?),
            };
            writes.push(moved);
        }
        // Where elements go may be said by variables that change as well.
        let (words, arrays): (Vec<_>, Vec<_>) =
            (writes.into_iter()).partition(|w| matches!(w, Write::Move(..)));
        for write in arrays.into_iter().chain(words) {
            self.write(write);
        }
        Ok(())
    }

    /// A word or wide value that no other assignment of the same command changes.
    fn own(&mut self, t: Term) -> Result<Slot, TooLarge> {
        let slot = self.slot(t)?;
        Ok(match slot {
            Slot::Word(r) if self.is_var(t) => {
                let d = self.temp(0)?;
                self.emit(Instr::new(Code::Move, d, r, 0));
                Slot::Word(d)
            }
            Slot::Value(r) if self.is_var(t) => {
                let d = self.temp(2)?;
                self.emit(Instr::new(Code::MoveValue, d, r, 0));
                Slot::Value(d)
            }
            slot => slot,
        })
    }

    /// A memory that may be taken away; those in `taken` are.
    fn own_array(&mut self, t: Term, taken: &mut Vec<Reg>) -> Result<Reg, TooLarge> {
        let m = self.array(t)?;
        if !self.is_var(t) && !taken.contains(&m) {
            taken.push(m);
            return Ok(m);
        }
        let d = self.temp(1)?;
        self.emit(Instr::new(Code::Copy, d, m, 0));
        Ok(d)
    }

    /// Whether a term is where a variable is, or may be.
    fn is_var(&self, t: Term) -> bool {
        matches!(self.program.pool.op(t), Op::Var | Op::ZeroExt | Op::Extract)
    }

    fn write(&mut self, write: Write) {
        match write {
            Write::Move(Slot::Word(d), Slot::Word(a)) => {
                self.save(Slot::Word(d));
                self.emit(Instr::new(Code::Move, d, a, 0));
            }
            Write::Move(slot @ Slot::Value(d), Slot::Value(a)) => {
                self.save(slot);
                self.emit(Instr::new(Code::MoveValue, d, a, 0));
            }
            Write::Move(..) => unreachable!("the types agree"),
            Write::Array(d, a) => {
                self.save(Slot::Memory(d));
                self.emit(Instr::new(Code::Swap, d, a, 0));
            }
            Write::Updates(d, updates) => {
                for update in updates {
                    if self.saving {
                        self.emit(Instr::new(Code::SaveCell, d, 0, update.at));
                    }
                    let code = match update.when {
                        Some(_) => Code::StoreIf,
                        None => Code::Store,
                    };
                    let store = Instr::new(code, d, update.elem, update.at);
                    self.emit(store.with(update.when.map_or(0, u32::from)));
                }
            }
        }
    }
}

/// What an assignment does when everything is computed.
enum Write {
    Move(Slot, Slot),
    Array(Reg, Reg),
    Updates(Reg, Vec<Update>),
}

impl Code {
    /// Whether `d` is a register that it writes and nothing else.
    fn makes_word(self) -> bool {
        (self as u8) <= Code::Select as u8 || self == Code::Same
    }
}
