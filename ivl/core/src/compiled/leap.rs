//! Many rounds of a loop at once.
//!
//! A loop that adds constants to its variables goes the same way for many rounds, and where it is after n of them can be said
//! without making them. A leap looks at the way round from here: every register is assumed to be `value + j * delta` modulo 2^width at the
//! start of round j, and one symbolic round shows whether it is so at the start of the next one, too, and for how many rounds
//! every branch of the way decides as it does now and nothing wraps around that must not. Then, by induction over j, the state after that
//! many rounds is known, and so is the number of steps. Deltas and widths are guessed, at first 0 and then as a symbolic round ended. Nothing is
//! approximated: where anything is not of this form, no leap is made.
//!
//! The way round may be several rounds of the loop, so that what alternates (`i % 2`) is the same each time. Inputs, choices and arrays whose
//! index changes end a way; a cell at a constant index is like a register.

use super::processor::{End, Guide, Processor};
use super::round::{Form, Guesses, Outcome, Place, Round, Stuck};
use rustc_hash::FxHashMap;

/// Jumps and calls within which a call is left that a loop is not in.
const BACK: usize = 400;
/// How many rounds of the loop are tried as one.
const PERIODS: [usize; 6] = [1, 2, 3, 4, 6, 8];
/// Symbolic rounds to find out by how much what is carried from round to round changes, and its width.
const TRIES: usize = 6;
/// Steps between two attempts, at first and at most.
pub(super) const FIRST: u64 = 1_000;
const MOST: u64 = 1 << 20;
/// Calls that are left in search of a loop.
const CALLS: usize = 4;

impl Processor<'_> {
    pub(super) fn word_at(&self, place: Place) -> u64 {
        match place {
            Place::Word(r) => self.words[usize::from(r)],
            Place::Cell(m, at) => self.memories[usize::from(m)].select(at),
        }
    }

    /// Executes until it ends or at least `limit` steps have been made in all, as [`Self::run`] does, but leaps over rounds where that
    /// is possible; or until about `work` steps have been made one by one.
    pub fn rush<G: Guide>(&mut self, guide: &mut G, work: u64, limit: u64) -> End {
        let most = self.walked().saturating_add(work);
        loop {
            let rest = most.saturating_sub(self.walked()).max(1);
            let slice = self.stride.min(rest);
            let end = self.run(guide, limit.min(self.steps.saturating_add(slice)));
            if end != End::Steps || self.steps >= limit || self.walked() >= most {
                return end;
            }
            match self.leap(guide, limit) {
                Ok(true) => self.stride = FIRST,
                Ok(false) => self.stride = (4 * self.stride).min(MOST),
                Err(end) => return end,
            }
            if self.steps >= limit || self.walked() >= most {
                return End::Steps;
            }
        }
    }

    /// Steps that were made one by one.
    pub fn walked(&self) -> u64 {
        self.steps - self.leapt
    }

    /// Leaps over as many rounds as possible from here, if it is in a loop that allows it; calls that are no part of a way round are left first.
    fn leap<G: Guide>(&mut self, guide: &mut G, limit: u64) -> Result<bool, End> {
        for _ in 0..CALLS {
            match self.leap_along(guide, limit) {
                Ok(leapt) => return Ok(leapt),
                Err(Stuck::Left) if self.leave_call(guide, limit)? => {}
                Err(_) => break,
            }
        }
        Ok(false)
    }

    /// Leaps along the way from here, taken as few times as possible for one.
    fn leap_along<G: Guide>(&mut self, guide: &mut G, limit: u64) -> Result<bool, Stuck> {
        for rounds in PERIODS {
            match self.leap_over(guide, limit, rounds) {
                Err(Stuck::Form) => {}
                result => return result,
            }
        }
        Err(Stuck::Form)
    }

    /// Leaps with so many rounds as one; false where there are too few of them.
    fn leap_over<G: Guide>(
        &mut self,
        guide: &mut G,
        limit: u64,
        rounds: usize,
    ) -> Result<bool, Stuck> {
        let mut guessed = Guesses::default();
        for _ in 0..TRIES {
            let mut round = Round::new(self, &guessed);
            round.go(self.pc, rounds)?;
            match round.outcome() {
                Outcome::Guess(guesses) => guessed = guesses,
                Outcome::Round => {
                    let per_round = round.steps;
                    let (now, branches) = (round.now, round.branches);
                    let most = limit.saturating_sub(self.steps) / per_round.max(1);
                    let times = round.most.min(most);
                    if times < 2 {
                        return Ok(false);
                    }
                    self.arrive(now, times, per_round);
                    for (branch, holds) in branches {
                        guide.branches(branch, holds, times);
                    }
                    return Ok(true);
                }
            }
        }
        Err(Stuck::Form)
    }

    /// The state after so many rounds.
    fn arrive(&mut self, now: FxHashMap<Place, Form>, times: u64, per_round: u64) {
        for (place, form) in now {
            let word = form.at(times - 1);
            match place {
                Place::Word(r) => self.words[usize::from(r)] = word,
                Place::Cell(m, at) => self.memories[usize::from(m)].store(at, word),
            }
        }
        self.steps += times * per_round;
        self.leapt += times * per_round;
    }

    /// Goes on until the innermost call is left; whether it is, soon enough.
    fn leave_call<G: Guide>(&mut self, guide: &mut G, limit: u64) -> Result<bool, End> {
        let depth = self.frames.len();
        for _ in 0..BACK {
            if self.steps >= limit {
                break;
            }
            let end = self.run(guide, self.steps + 1);
            if end != End::Steps {
                return Err(end);
            }
            if self.frames.len() < depth {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
