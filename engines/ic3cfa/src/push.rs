//! Pushing to successors (Alg. 17 to 19): a cube learnt at a location is offered to the locations after it, one level
//! higher.
//!
//! The satisfiability check may be left out only where Lemma 8 applies: the successor has one incoming *edge* (parallel
//! edges are two), which assigns none of the cube's variables. Everything else is checked, whatever the filter.

use crate::counts::PUSH;
use crate::frames::FOREVER;
use crate::options::Push;
use crate::run::{Induction, Run};
use trellis_plugin_sdk::EngineError;
use trellis_plugin_sdk::ivl::{Edge, Loc, LocKind, Term};

/// A cube to be learnt at a successor; lower levels, lower locations and smaller cubes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Request {
    level: u32,
    loc: Loc,
    size: usize,
    cube: Vec<Term>,
    /// Whether it holds by the form of the graph.
    evident: bool,
}

impl Run<'_> {
    /// Notes where a cube learnt at `loc` may hold next.
    pub(crate) fn request_pushes(&mut self, loc: Loc, level: u32, cube: &[Term]) {
        if self.options.push == Push::None || level == FOREVER || level > self.bound {
            return;
        }
        for &e in self.cfa.out(loc) {
            let to = self.cfa.to(e);
            let plain = self.program.locs[to].kind == LocKind::Plain;
            if !plain || to == loc || to == self.cfa.entry {
                continue;
            }
            let alone = self.cfa.inc(to).len() == 1;
            let untouched = self.leaves_alone(e, cube);
            let wanted = match self.options.push {
                Push::None => false,
                Push::All => true,
                Push::Predecessor => alone,
                Push::Assign => untouched,
                Push::Restrictive => alone && untouched,
            };
            if wanted {
                self.requests.insert(Request {
                    level: level + 1,
                    loc: to,
                    size: cube.len(),
                    cube: cube.to_vec(),
                    evident: alone && untouched,
                });
            }
        }
    }

    fn leaves_alone(&self, e: Edge, cube: &[Term]) -> bool {
        let vars = self.program.pool.free_vars(cube.iter().copied());
        !vars.iter().any(|&v| self.cfa.assigns(e, v))
    }

    /// Learns the cubes offered in this iteration where they hold.
    pub(crate) fn push_requests(&mut self) -> Result<(), EngineError> {
        while let Some(request) = self.requests.pop_first() {
            self.check_cancelled()?;
            let Request {
                level,
                loc,
                cube,
                evident,
                ..
            } = request;
            if self.frames.covering(loc, level, &cube).is_some() {
                continue;
            }
            let unchecked = evident && !self.options.push_check || self.faults.push;
            if unchecked
                || matches!(
                    self.inductive(level, &[loc], &cube, PUSH)?,
                    Induction::Holds(_)
                )
            {
                self.pushed += 1;
                self.block(loc, level, &cube);
            }
        }
        Ok(())
    }
}
