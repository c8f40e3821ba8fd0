//! Which candidates make a rank: one after the other, each never growing on the rounds that the ones before leave as they are.
//!
//! A model of a round says of every candidate whether it grows, stays or falls there, so most candidates need no query of
//! their own.

use crate::search::Round;
use crate::segments::Segments;
use rustc_hash::FxHashSet;
use trellis_engine_common::{go_on, try_ask};
use trellis_ivl::{Term, TermPool, Value, Var};
use trellis_plugin_sdk::{EngineError, Host};
use trellis_solver_api::smt::SmtSession;

/// What the candidates are good for.
pub enum Chosen {
    /// These make a rank, in order.
    Rank(Vec<usize>),
    /// None of them goes next on what is left of each round.
    Stuck(Vec<Vec<Term>>),
    /// The solver gave up, or the rank would have too many components.
    Unclear,
}

/// What is known of a candidate on the rounds that are left.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// It grows on one, or nothing is known of it.
    closed: bool,
    /// It stays on one.
    stays: bool,
    /// It falls on one.
    falls: bool,
}

/// A choice in progress.
pub struct Choice<'a> {
    segments: &'a mut Segments,
    rounds: &'a [Round],
    session: &'a mut dyn SmtSession,
    host: &'a mut dyn Host,
    /// The symbols for the last values of the candidates.
    last: &'a [Var],
    /// What each round assumes, with the components so far as they were.
    left: Vec<Vec<Term>>,
    marks: Vec<Mark>,
}

impl<'a> Choice<'a> {
    /// Nothing is chosen yet, of candidates whose last values are these symbols.
    pub fn new(
        segments: &'a mut Segments,
        rounds: &'a [Round],
        session: &'a mut dyn SmtSession,
        host: &'a mut dyn Host,
        last: &'a [Var],
    ) -> Choice<'a> {
        Choice {
            segments,
            rounds,
            session,
            host,
            left: rounds.iter().map(|r| r.taken.clone()).collect(),
            marks: vec![Mark::default(); last.len()],
            last,
        }
    }

    /// The candidates that make a rank of at most `most` components, in order.
    ///
    /// # Errors
    /// When the solver fails, or it is time to stop.
    pub fn choose(mut self, most: usize) -> Result<Chosen, EngineError> {
        let mut chosen: Vec<usize> = Vec::new();
        loop {
            self.marks.fill(Mark::default());
            for &i in &chosen {
                self.marks[i].closed = true;
            }
            let mut any = false;
            for r in 0..self.rounds.len() {
                match self.ask(r, None)? {
                    Some(sat) => any |= sat,
                    None => return Ok(Chosen::Unclear),
                }
            }
            if !any {
                return Ok(Chosen::Rank(self.needed(chosen)?));
            }
            if chosen.len() >= most {
                return Ok(Chosen::Unclear);
            }
            let next = match self.always()? {
                Some(next) => Some(next),
                None => self.sometimes()?,
            };
            let Some(next) = next else {
                return Ok(Chosen::Stuck(self.left));
            };
            for (r, taken) in self.rounds.iter().zip(&mut self.left) {
                let pool = &mut self.segments.program.pool;
                taken.push(pool.eq(r.now[next], r.before[next]));
            }
            chosen.push(next);
        }
    }

    /// A candidate that falls on all that is left.
    fn always(&mut self) -> Result<Option<usize>, EngineError> {
        for i in 0..self.marks.len() {
            if self.marks[i].closed || self.marks[i].stays {
                continue;
            }
            let not_fallen = |pool: &mut TermPool, r: &Round| pool.bvule(r.before[i], r.now[i]);
            if self.never(&not_fallen)? {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }

    /// A candidate that never grows, and sometimes falls; first those that are known to fall.
    fn sometimes(&mut self) -> Result<Option<usize>, EngineError> {
        for falls in [true, false] {
            for i in 0..self.marks.len() {
                if self.marks[i].closed || self.marks[i].falls != falls {
                    continue;
                }
                let grown = |pool: &mut TermPool, r: &Round| pool.bvult(r.before[i], r.now[i]);
                let fallen = |pool: &mut TermPool, r: &Round| pool.bvult(r.now[i], r.before[i]);
                if self.never(&grown)? && (falls || !self.never(&fallen)?) && self.marks[i].falls {
                    return Ok(Some(i));
                }
                self.marks[i].closed = true;
            }
        }
        Ok(None)
    }

    /// Whether something holds on no round that is left.
    fn never(&mut self, what: &dyn Fn(&mut TermPool, &Round) -> Term) -> Result<bool, EngineError> {
        for r in 0..self.rounds.len() {
            let also = what(&mut self.segments.program.pool, &self.rounds[r]);
            if self.ask(r, Some(also))? != Some(false) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a round is left on which something holds; a model tells of all candidates.
    fn ask(&mut self, r: usize, also: Option<Term>) -> Result<Option<bool>, EngineError> {
        go_on(self.host)?;
        let mut assumed = self.left[r].clone();
        assumed.extend(also);
        let pool = &self.segments.program.pool;
        let answer = try_ask(self.session, pool, &assumed)?;
        if answer == Some(true) {
            let round = &self.rounds[r];
            for (i, mark) in self.marks.iter_mut().enumerate().filter(|(_, m)| !m.closed) {
                let now = self.session.value(pool, round.now[i])?;
                let before = self.session.value(pool, round.before[i])?;
                if let (Value::Bv(now), Value::Bv(before)) = (now, before) {
                    match now.ucmp(&before) {
                        std::cmp::Ordering::Greater => mark.closed = true,
                        std::cmp::Ordering::Equal => mark.stays = true,
                        std::cmp::Ordering::Less => mark.falls = true,
                    }
                }
            }
        }
        Ok(answer)
    }

    /// The components without which the others are no rank. What is known of the last values of a component goes with it.
    fn needed(&mut self, chosen: Vec<usize>) -> Result<Vec<usize>, EngineError> {
        let mut few = chosen;
        let mut i = 0;
        self.marks.clear();
        while few.len() > 1 && i < few.len() {
            let mut rest = few.clone();
            rest.remove(i);
            self.left = self.rounds.iter().map(|r| self.known(r, &rest)).collect();
            match self.falls(&rest)? {
                true => few = rest,
                false => i += 1,
            }
        }
        Ok(few)
    }

    /// Whether these candidates make a rank, in order.
    ///
    /// # Errors
    /// When the solver fails, or it is time to stop.
    pub fn falls(&mut self, tuple: &[usize]) -> Result<bool, EngineError> {
        let kept = |pool: &mut TermPool, r: &Round| {
            let mut fallen = pool.fls();
            for &c in tuple.iter().rev() {
                let less = pool.bvult(r.now[c], r.before[c]);
                let same = pool.eq(r.now[c], r.before[c]);
                let later = pool.and(same, fallen);
                fallen = pool.or(less, later);
            }
            pool.not(fallen)
        };
        self.never(&kept)
    }

    /// What a round assumes, but for what is known of other candidates.
    fn known(&self, r: &Round, chosen: &[usize]) -> Vec<Term> {
        let pool = &self.segments.program.pool;
        let others: FxHashSet<Var> = (self.last.iter().enumerate())
            .filter(|(i, _)| !chosen.contains(i))
            .map(|(_, &v)| v)
            .collect();
        let own = |t: &Term| !pool.free_vars([*t]).iter().any(|v| others.contains(v));
        r.taken.iter().copied().filter(own).collect()
    }
}
