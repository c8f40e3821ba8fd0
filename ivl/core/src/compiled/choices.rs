//! Choices: places to try, and what is restored where one fails.

use super::instr::Instr;
use super::processor::{End, Guide, Point, Processor, Undo};
use crate::entity::Loc;
use crate::interp::BACKTRACK_LIMIT;

impl Processor<'_> {
    pub(super) fn choose<G: Guide>(&mut self, guide: &mut G, i: Instr) -> u32 {
        self.steps += u64::from(i.d);
        let places = &self.compiled.places[i.x as usize];
        let first = guide.pick(places.targets.len()) % places.targets.len();
        let failures = match self.points.last() {
            Some(point) if !places.of_edges => point.failures,
            _ => 0,
        };
        self.points.push(Point {
            table: i.x,
            first,
            tried: 1,
            undo: self.undo.len(),
            failures,
        });
        places.targets[first]
    }

    /// Goes on with the next place of the last choice that has one.
    pub(super) fn fail(&mut self, i: Instr) -> Result<u32, End> {
        let compiled = self.compiled;
        let mut failures = self.points.last().map_or(0, |p| p.failures) + 1;
        while let Some(point) = self.points.last_mut() {
            let places = &compiled.places[point.table as usize];
            let is_over = failures > BACKTRACK_LIMIT && !places.of_edges;
            if point.tried == places.targets.len() || is_over {
                self.points.pop();
                continue;
            }
            let place = (point.first + point.tried) % places.targets.len();
            point.tried += 1;
            if places.of_edges {
                failures = 0;
            }
            point.failures = failures;
            let undo = point.undo;
            self.roll_back(undo);
            return Ok(places.targets[place]);
        }
        self.roll_back(0);
        Err(End::Blocked(Loc::from_u32(i.x)))
    }

    fn roll_back(&mut self, to: usize) {
        for undo in self.undo.drain(to..).rev() {
            match undo {
                Undo::Word(r, old) => self.words[usize::from(r)] = old,
                Undo::Cell(r, at, old) => self.memories[usize::from(r)].store(at, old),
                Undo::Memory(r, old) => self.memories[usize::from(r)] = old,
                Undo::Value(r, old) => self.values[usize::from(r)] = old,
            }
        }
    }
}
