//! Rounds of loops in a list of steps: where one location of one call is passed more than three times, the rounds between the first
//! and the last are worth one line.

use std::collections::BTreeMap;
use std::ops::Range;
use trellis_ivl::Loc;

/// Rounds of a loop that may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The steps of these rounds.
    pub hidden: Range<usize>,
    /// How many rounds.
    pub rounds: usize,
    /// The location that is passed once in each.
    pub head: Loc,
}

/// The folds of steps, given by where each begins and the call that it belongs to; those inside of others behind them.
pub fn folds(steps: &[(Loc, usize)]) -> Vec<Fold> {
    let mut next = vec![None; steps.len()];
    let mut last = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        if let Some(before) = last.insert(step, at) {
            next[before] = Some(at);
        }
    }
    let mut folder = Folder {
        steps,
        next,
        folds: Vec::new(),
        todo: std::iter::once(0..steps.len()).collect(),
    };
    while let Some(part) = folder.todo.pop() {
        folder.fold(part);
    }
    folder
        .folds
        .sort_by_key(|f| (f.hidden.start, std::cmp::Reverse(f.hidden.end)));
    folder.folds
}

struct Folder<'a> {
    steps: &'a [(Loc, usize)],
    /// For each step the next one that leaves the same location in the same call.
    next: Vec<Option<usize>>,
    folds: Vec<Fold>,
    /// Parts that are still to be looked at. Loops may be nested deeply.
    todo: Vec<Range<usize>>,
}

impl Folder<'_> {
    fn fold(&mut self, part: Range<usize>) {
        let mut at = part.start;
        while at < part.end {
            let visits = std::iter::successors(Some(at), |&i| self.next[i]);
            let mut visits = visits.take_while(|&i| i < part.end);
            if visits.clone().nth(3).is_none() {
                at += 1;
                continue;
            }
            let rounds: Vec<usize> = visits.by_ref().collect();
            let last = rounds.len() - 1;
            self.folds.push(Fold {
                hidden: rounds[1]..rounds[last - 1],
                rounds: last - 2,
                head: self.steps[at].0,
            });
            // Without its first step a round does not fold at its own head again.
            let inside = rounds.windows(2).map(|round| round[0] + 1..round[1]);
            self.todo.extend(inside.filter(|round| round.len() > 3));
            at = rounds[last] + 1;
        }
    }
}
