//! One symbolic round of a loop, for [`leap`](super::leap).

use super::arithmetic::{arithmetic, mask, signed};
use super::instr::{Code, Instr, Reg, Slot};
use super::processor::Processor;
use rustc_hash::FxHashMap;

/// Instructions of a way round.
const LENGTH: usize = 4_000;
/// Beyond all sums and differences of words.
const FAR: i128 = 1 << 100;

/// What a word is in round j: `value + j * delta` modulo 2^width; with `delta` 0 it is `value`, whatever the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    value: u64,
    delta: u64,
    width: u32,
}

/// Where a word is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    Word(Reg),
    Cell(Reg, u64),
}

/// Deltas and widths.
pub(super) type Guesses = FxHashMap<Place, (u64, u32)>;

/// One symbolic round.
pub(super) struct Round<'p, 'c> {
    processor: &'p Processor<'c>,
    /// What is assumed at the start of each round of what is read there.
    assumed: FxHashMap<Place, Form>,
    /// Deltas and widths that are guessed for it; what is not listed does not change.
    guessed: &'p Guesses,
    /// What has been written.
    pub(super) now: FxHashMap<Place, Form>,
    /// Locals of callers.
    saved: Vec<(u32, Vec<Form>)>,
    /// Rounds for which everything is as assumed.
    pub(super) most: u64,
    pub(super) steps: u64,
    pub(super) branches: Vec<(u32, bool)>,
    /// Whether something was remembered for a command that has not completed.
    is_open: bool,
}

/// Why there is no leap along this way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stuck {
    /// Something is not of the form, or the same for two rounds; several rounds together may be.
    Form,
    /// It leaves the call in which it began.
    Left,
    /// It has inputs, choices or arrays that change.
    Open,
}

/// What comes of a symbolic round.
pub(super) enum Outcome {
    /// It is as assumed.
    Round,
    /// Try this instead.
    Guess(Guesses),
}

impl Form {
    fn constant(value: u64) -> Form {
        Form {
            value,
            delta: 0,
            width: 64,
        }
    }

    /// A form of a width, normalised.
    fn new(value: u64, delta: u64, width: u32) -> Form {
        let (value, delta) = (low(value, width), low(delta, width));
        match delta {
            0 => Form::constant(value),
            _ => Form {
                value,
                delta,
                width,
            },
        }
    }

    fn is_constant(self) -> bool {
        self.delta == 0
    }

    /// The word in round j.
    pub(super) fn at(self, j: u64) -> u64 {
        low(
            self.value.wrapping_add(self.delta.wrapping_mul(j)),
            self.width,
        )
    }
}

fn low(word: u64, width: u32) -> u64 {
    word & (u64::MAX >> (64 - width))
}

impl<'p, 'c> Round<'p, 'c> {
    /// Nothing done yet.
    pub(super) fn new(processor: &'p Processor<'c>, guessed: &'p Guesses) -> Round<'p, 'c> {
        Round {
            processor,
            assumed: FxHashMap::default(),
            guessed,
            now: FxHashMap::default(),
            saved: Vec::new(),
            most: u64::MAX,
            steps: 0,
            branches: Vec::new(),
            is_open: false,
        }
    }

    fn get(&mut self, place: Place) -> Form {
        if let Some(&form) = self.now.get(&place) {
            return form;
        }
        if let Some(&form) = self.assumed.get(&place) {
            return form;
        }
        let value = self.processor.word_at(place);
        let guessed = self.guessed.get(&place).copied();
        // A guess that does not fit what is there would be about another state.
        let form = match guessed.filter(|&(_, width)| low(value, width) == value) {
            Some((delta, width)) => Form::new(value, delta, width),
            None => Form::constant(value),
        };
        self.assumed.insert(place, form);
        form
    }

    fn word(&mut self, r: Reg) -> Form {
        self.get(Place::Word(r))
    }

    fn limit(&mut self, rounds: u64) {
        self.most = self.most.min(rounds);
    }

    /// Whether `value + j * step` is in a range, for as long as that does not change.
    fn stays(&mut self, value: i128, step: i128, least: i128, greatest: i128) -> bool {
        let inside = least <= value && value <= greatest;
        let rounds = match (inside, step) {
            (_, 0) => return inside,
            (true, 1..) => (greatest - value) / step + 1,
            (true, _) => (value - least) / -step + 1,
            // On the way into the range; it may be jumped over, which is as good as a limit.
            (false, 1..) if value < least => (least - value + step - 1) / step,
            (false, ..=-1) if value > greatest => (value - greatest - step - 1) / -step,
            (false, _) => return false,
        };
        self.limit(u64::try_from(rounds).unwrap_or(u64::MAX));
        inside
    }

    /// The number that a word is, and its step, as long as it does not wrap around.
    fn number(&mut self, form: Form) -> (i128, i128) {
        if form.is_constant() {
            return (i128::from(form.value), 0);
        }
        let shift = 64 - form.width as u8;
        let (value, step) = (
            i128::from(form.value),
            i128::from(signed(form.delta, shift)),
        );
        self.stays(value, step, 0, (1 << form.width) - 1);
        (value, step)
    }

    /// The signed number that the lowest bits of a word are, and its step, as long as it does not wrap around.
    fn signed(&mut self, form: Form, shift: u8) -> (i128, i128) {
        let width = 64 - u32::from(shift);
        let form = self.fit(form, width);
        let value = i128::from(signed(form.value, shift));
        if form.is_constant() {
            return (value, 0);
        }
        let step = i128::from(signed(form.delta, shift));
        self.stays(value, step, -(1 << (width - 1)), (1 << (width - 1)) - 1);
        (value, step)
    }

    /// The lowest bits of a word, as a form of that width.
    fn fit(&mut self, form: Form, width: u32) -> Form {
        if form.is_constant() || form.width >= width {
            return Form::new(form.value, form.delta, width);
        }
        let (value, step) = self.number(form);
        Form::new(value as u64, step as u64, width)
    }

    fn linear(&mut self, width: u32, constant: u64, terms: &[(Form, u64)]) -> Form {
        let (mut value, mut delta) = (constant, 0u64);
        for &(form, factor) in terms {
            let form = self.fit(form, width);
            value = value.wrapping_add(form.value.wrapping_mul(factor));
            delta = delta.wrapping_add(form.delta.wrapping_mul(factor));
        }
        Form::new(value, delta, width)
    }

    fn less(&mut self, (a, da): (i128, i128), (b, db): (i128, i128), or_equal: bool) -> bool {
        let least = if or_equal { 0 } else { 1 };
        self.stays(b - a, db - da, least, FAR)
    }

    fn equal(&mut self, a: Form, b: Form) -> bool {
        let (a, b) = (self.number(a), self.number(b));
        self.stays(b.0 - a.0, b.1 - a.1, 0, 0)
    }

    /// The result of an instruction that makes a word of `a` and `b`.
    fn compute(&mut self, i: Instr, a: Form, b: Form) -> Result<Form, Stuck> {
        let (s, width) = (i.shift, 64 - u32::from(i.shift));
        let truth = |holds: bool| Form::constant(u64::from(holds));
        Ok(match i.code {
            Code::Move => a,
            Code::Not => self.linear(width, u64::MAX, &[(a, u64::MAX)]),
            Code::Neg => self.linear(width, 0, &[(a, u64::MAX)]),
            Code::Add => self.linear(width, 0, &[(a, 1), (b, 1)]),
            Code::Sub => self.linear(width, 0, &[(a, 1), (b, u64::MAX)]),
            Code::Mul if a.is_constant() => self.linear(width, 0, &[(b, a.value)]),
            Code::Mul if b.is_constant() => self.linear(width, 0, &[(a, b.value)]),
            Code::Shl if b.is_constant() && b.value < u64::from(width) => {
                self.linear(width, 0, &[(a, 1 << b.value)])
            }
            Code::Extract if i.x == 0 => self.fit(a, width),
            Code::SignExt => {
                let (value, step) = self.signed(a, i.x as u8);
                Form::new(value as u64, step as u64, width)
            }
            Code::And if a.is_constant() || b.is_constant() => {
                let (word, mask) = if b.is_constant() { (a, b) } else { (b, a) };
                let bits = 64 - mask.value.leading_zeros();
                let word = match bits {
                    0 => Form::constant(0),
                    _ => self.fit(word, bits),
                };
                match word.is_constant() {
                    true => Form::constant(word.value & mask.value),
                    // All of the lowest bits.
                    false if mask.value.trailing_ones() == bits => word,
                    false => return Err(Stuck::Form),
                }
            }
            Code::Urem if b.is_constant() && b.value > 0 => {
                let (value, step) = self.number(a);
                if step % i128::from(b.value) != 0 {
                    return Err(Stuck::Form);
                }
                Form::constant(value as u64 % b.value)
            }
            Code::Srem if b.is_constant() && b.value > 0 => {
                let (value, step) = self.signed(a, s);
                let by = i128::from(signed(b.value, s));
                if step % by != 0 {
                    return Err(Stuck::Form);
                }
                // The remainder has the sign of the number, unless it is 0.
                if value % by != 0 {
                    self.stays(value, step, 0, FAR);
                }
                Form::constant(arithmetic(Code::Srem, mask(value as u64, s), b.value, s))
            }
            Code::Udiv if b.is_constant() && b.value > 0 => self.quotient(a, b.value, width)?,
            Code::Lshr if b.is_constant() && b.value < u64::from(width) => {
                self.quotient(a, 1 << b.value, width)?
            }
            Code::Eq => truth(self.equal(a, b)),
            Code::Ult | Code::Ule => {
                let (a, b) = (self.number(a), self.number(b));
                truth(self.less(a, b, i.code == Code::Ule))
            }
            Code::Slt | Code::Sle => {
                let (a, b) = (self.signed(a, s), self.signed(b, s));
                truth(self.less(a, b, i.code == Code::Sle))
            }
            Code::Saddo | Code::Ssubo => {
                let (a, b) = (self.signed(a, s), self.signed(b, s));
                let sign = if i.code == Code::Saddo { 1 } else { -1 };
                let (value, step) = (a.0 + sign * b.0, a.1 + sign * b.1);
                let (least, greatest) = (-(1 << (width - 1)), (1 << (width - 1)) - 1);
                truth(!self.stays(value, step, least, greatest))
            }
            Code::Uaddo | Code::Usubo => {
                let (a, b) = (self.number(a), self.number(b));
                let sign = if i.code == Code::Uaddo { 1 } else { -1 };
                let (value, step) = (a.0 + sign * b.0, a.1 + sign * b.1);
                truth(!self.stays(value, step, 0, (1 << width) - 1))
            }
            Code::Ite if a.is_constant() => match a.value {
                0 => self.word(i.x as u16),
                _ => b,
            },
            // Anything of constants is constant.
            code if a.is_constant() && b.is_constant() => Form::constant(match code {
                Code::And => a.value & b.value,
                Code::Or => a.value | b.value,
                Code::Xor => a.value ^ b.value,
                Code::Concat => a.value << (i.x & 63) | b.value,
                Code::Extract => mask(a.value >> (i.x & 63), s),
                Code::Udiv
                | Code::Urem
                | Code::Sdiv
                | Code::Srem
                | Code::Smod
                | Code::Shl
                | Code::Lshr
                | Code::Ashr
                | Code::Umulo
                | Code::Smulo => arithmetic(code, a.value, b.value, s),
                _ => return Err(Stuck::Form),
            }),
            _ => return Err(Stuck::Form),
        })
    }

    fn quotient(&mut self, a: Form, by: u64, width: u32) -> Result<Form, Stuck> {
        let (value, step) = self.number(a);
        let by = i128::from(by);
        if step % by != 0 {
            return Err(Stuck::Form);
        }
        Ok(Form::new((value / by) as u64, (step / by) as u64, width))
    }

    /// The way from `start` until it has been there `rounds` times again.
    pub(super) fn go(&mut self, start: u32, rounds: usize) -> Result<(), Stuck> {
        let compiled = self.processor.compiled;
        let (mut pc, mut back) = (start, 0);
        for _ in 0..LENGTH {
            let i = compiled.code[pc as usize];
            pc += 1;
            match i.code {
                Code::IfTrue
                | Code::IfFalse
                | Code::IfEq
                | Code::IfNe
                | Code::IfUlt
                | Code::IfUle
                | Code::IfSlt
                | Code::IfSle => {
                    self.steps += u64::from(i.d);
                    let holds = self.holds(i);
                    self.branches.push((i.y, holds));
                    if !holds {
                        pc = i.x;
                    }
                }
                Code::Jump | Code::Goto => {
                    self.steps += u64::from(i.d);
                    pc = i.x;
                }
                Code::Count => self.steps += u64::from(i.d),
                Code::Call => pc = self.call(i)?,
                Code::Return => pc = self.leave(i)?,
                Code::Save | Code::SaveCell => self.is_open = true,
                Code::Commit => self.is_open = false,
                Code::Select => {
                    let at = self.word(i.b);
                    if !at.is_constant() {
                        return Err(Stuck::Open);
                    }
                    let cell = self.get(Place::Cell(i.a, at.value));
                    self.now.insert(Place::Word(i.d), cell);
                }
                Code::Store => {
                    let (at, value) = (self.word(i.b), self.word(i.a));
                    if !at.is_constant() {
                        return Err(Stuck::Open);
                    }
                    let cell = Place::Cell(i.d, at.value);
                    // What is assumed of it is what is there before.
                    self.get(cell);
                    self.now.insert(cell, value);
                }
                code if (code as u8) < Code::Select as u8 => {
                    let (a, b) = (self.word(i.a), self.operand(i));
                    let result = self.compute(i, a, b)?;
                    self.now.insert(Place::Word(i.d), result);
                }
                _ => return Err(Stuck::Open),
            }
            if self.most < 2 {
                return Err(Stuck::Form);
            }
            if pc == start && self.saved.is_empty() {
                back += 1;
                if back == rounds {
                    return if self.is_open {
                        Err(Stuck::Open)
                    } else {
                        Ok(())
                    };
                }
            }
        }
        Err(Stuck::Open)
    }

    /// The second argument, where there is one; what is not read is no part of what is assumed.
    fn operand(&mut self, i: Instr) -> Form {
        match i.code {
            Code::Move | Code::Not | Code::Neg | Code::Extract | Code::SignExt => Form::constant(0),
            _ => self.word(i.b),
        }
    }

    fn holds(&mut self, i: Instr) -> bool {
        let (a, s) = (self.word(i.a), i.shift);
        if matches!(i.code, Code::IfTrue | Code::IfFalse) {
            let is_zero = self.equal(a, Form::constant(0));
            return is_zero == (i.code == Code::IfFalse);
        }
        let b = self.word(i.b);
        match i.code {
            Code::IfEq => self.equal(a, b),
            Code::IfNe => !self.equal(a, b),
            Code::IfUlt | Code::IfUle => {
                let (a, b) = (self.number(a), self.number(b));
                self.less(a, b, i.code == Code::IfUle)
            }
            _ => {
                let (a, b) = (self.signed(a, s), self.signed(b, s));
                self.less(a, b, i.code == Code::IfSle)
            }
        }
    }

    fn call(&mut self, i: Instr) -> Result<u32, Stuck> {
        self.steps += u64::from(i.d);
        let compiled = self.processor.compiled;
        let call = &compiled.calls[i.x as usize];
        let args = call.args.iter().map(|&(a, _)| self.slot(a));
        let args = args.collect::<Result<Vec<Form>, Stuck>>()?;
        let locals = call.locals.iter().map(|&l| self.slot(l));
        let locals = locals.collect::<Result<Vec<Form>, Stuck>>()?;
        self.saved.push((i.x, locals));
        for &local in &call.locals {
            self.set(local, Form::constant(0))?;
        }
        for (&(_, p), form) in call.args.iter().zip(args) {
            self.set(p, form)?;
        }
        Ok(call.entry)
    }

    fn leave(&mut self, i: Instr) -> Result<u32, Stuck> {
        self.steps += u64::from(i.d);
        let (at, locals) = self.saved.pop().ok_or(Stuck::Left)?;
        let compiled = self.processor.compiled;
        let call = &compiled.calls[at as usize];
        let results = call.results.iter().map(|&(r, _)| self.slot(r));
        let results = results.collect::<Result<Vec<Form>, Stuck>>()?;
        for (&local, form) in call.locals.iter().zip(locals) {
            self.set(local, form)?;
        }
        for (&(_, v), form) in call.results.iter().zip(results) {
            self.set(v, form)?;
        }
        Ok(call.back)
    }

    fn slot(&mut self, slot: Slot) -> Result<Form, Stuck> {
        match slot {
            Slot::Word(r) => Ok(self.word(r)),
            _ => Err(Stuck::Open),
        }
    }

    fn set(&mut self, slot: Slot, form: Form) -> Result<(), Stuck> {
        let Slot::Word(r) = slot else {
            return Err(Stuck::Open);
        };
        self.now.insert(Place::Word(r), form);
        Ok(())
    }

    /// Whether the round ends as the next one was assumed to begin, and otherwise what to assume instead.
    pub(super) fn outcome(&self) -> Outcome {
        let mut guesses = self.guessed.clone();
        let mut same = true;
        for (place, form) in &self.assumed {
            // What is not written is as it was.
            let end = self.now.get(place).unwrap_or(form);
            let next = Form::new(form.value.wrapping_add(form.delta), form.delta, form.width);
            if next != *end {
                same = false;
                let delta = end.value.wrapping_sub(form.value);
                guesses.insert(*place, (low(delta, end.width), end.width));
            }
        }
        match same {
            true => Outcome::Round,
            false => Outcome::Guess(guesses),
        }
    }
}
