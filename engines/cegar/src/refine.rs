//! Refinement: what the interpolants of a spurious counterexample change.
//!
//! With predicates, their atoms are tracked at the locations of the path, and the graph is built anew from the first
//! place where one is needed, on all nodes with the same path. By induction along the path every new label implies the
//! interpolant of its place, so this path never comes back: Boolean labels decide all atoms, and Cartesian ones keep
//! interpolants that are no conjunctions as predicates of their own. With impact, interpolants are conjoined
//! to the labels, with the same effect.

use crate::graph::Id;
use crate::{Mode, PATHS, Run};
use trellis_engine_common::refinement::{Interpolant, Interpolation, Path, no_progress};
use trellis_ivl::{Loc, Term};
use trellis_plugin_sdk::{EngineError, Verdict};

impl Run<'_> {
    /// Refines the graph, so that the path through `nodes` and one edge more, which cannot be taken because of `core`, is gone.
    pub(crate) fn refine(
        &mut self,
        nodes: &[Id],
        path: &Path,
        core: &[Term],
    ) -> Result<Option<Verdict>, EngineError> {
        let session = self.sessions.get(self.host, PATHS)?;
        let sequence = self.judge.interpolants(path, core, |ssa| Interpolation {
            cfa: self.cfa,
            session,
            vocabulary: &self.vocabulary,
            sources: self.options.sources(),
            source: self.options.interpolants,
            ssa,
            in_use: &self.precision.atoms,
        })?;
        let sequence = match sequence {
            Ok(sequence) => sequence,
            Err(verdict) => return Ok(Some(verdict)),
        };
        let last = nodes.len() - 1;
        let Some(first) = (1..=last).find(|&k| !sequence[k].is_true()) else {
            let why = "nothing refutes a counterexample but its last edge";
            return Ok(Some(no_progress(why)));
        };
        for k in first..=last {
            if self.faults.forget {
                break;
            }
            let loc = self.graph.get(nodes[k]).loc;
            self.track(loc, &sequence[k]);
        }
        match self.options.mode {
            Mode::Predicates => {
                let prefix = &path.edges[..first - 1];
                for id in self.graph.reached_by(prefix) {
                    self.graph.take_again(self.cfa, id, path.edges[first - 1]);
                }
            }
            Mode::Impact => self.strengthen(nodes, &sequence)?,
        }
        Ok(None)
    }

    /// Tracks an interpolant at a location.
    fn track(&mut self, loc: Loc, interpolant: &Interpolant) {
        let pool = &mut self.cfa.program.pool;
        let own = self.precision.atoms.entry(loc).or_default();
        for t in interpolant.atoms(pool) {
            if !own.contains(&t) {
                own.push(t);
            }
        }
        let whole = match interpolant.cubes.as_slice() {
            [] => Vec::new(),
            [cube] => {
                // A literal of a solver may be any formula.
                let known = |t: &Term| own.contains(t);
                let pool = &mut self.cfa.program.pool;
                let complex = |&t: &Term| {
                    let negated = pool.not(t);
                    !known(&t) && !known(&negated)
                };
                cube.iter().copied().filter(complex).collect()
            }
            _ => vec![interpolant.term(&mut self.cfa.program.pool)],
        };
        let formulas = self.precision.formulas.entry(loc).or_default();
        for t in whole {
            if !formulas.contains(&t) {
                formulas.push(t);
            }
        }
    }

    /// Conjoins interpolants to the labels of `nodes`, and covers what can be covered now.
    fn strengthen(&mut self, nodes: &[Id], sequence: &[Interpolant]) -> Result<(), EngineError> {
        let mut changed = Vec::new();
        for (k, &id) in nodes.iter().enumerate() {
            let new = match sequence[k].cubes.as_slice() {
                [] => {
                    self.graph.remove(self.cfa, id);
                    break;
                }
                [cube] => cube.clone(),
                _ => vec![sequence[k].term(&mut self.cfa.program.pool)],
            };
            let label = &mut self.graph.get_mut(id).label;
            let before = label.len();
            label.extend(new);
            label.sort_unstable();
            label.dedup();
            if label.len() > before {
                self.graph.uncover_all(self.cfa, id);
                changed.push(id);
            }
        }
        for &id in nodes {
            if self.graph.is_alive(id) {
                self.graph.wait(self.cfa, id);
            }
        }
        for id in changed {
            if self.graph.is_alive(id)
                && self.graph.is_active(id)
                && let Some(by) = self.covering(id)?
            {
                self.graph.cover(self.cfa, id, by);
                break;
            }
        }
        Ok(())
    }
}
