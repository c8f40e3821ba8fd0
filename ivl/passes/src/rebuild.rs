//! Removing locations and edges: dense renumbering with its way back.

use crate::back::{ControlMap, Walk};
use cranelift_entity::PrimaryMap;
use trellis_ivl::{Edge, Loc, Program};

/// Keeps the locations and edges that the predicates accept, in order, and renumbers. The entry
/// and exit of every procedure must be kept, and both ends of every edge kept.
pub fn retain(
    program: &mut Program,
    keep_loc: impl Fn(Loc) -> bool,
    keep_edge: impl Fn(Edge) -> bool,
) -> ControlMap {
    let mut map = ControlMap::default();
    let mut locs: PrimaryMap<Loc, _> = PrimaryMap::new();
    for (l, data) in std::mem::take(&mut program.locs) {
        if keep_loc(l) {
            map.locs[l] = locs.push(data).into();
        }
    }
    let renumber = |l: Loc| map.locs[l].expect("a kept entity refers to kept locations");
    let mut edges = PrimaryMap::new();
    for (e, mut data) in std::mem::take(&mut program.edges) {
        if keep_edge(e) {
            data.from = renumber(data.from);
            data.to = renumber(data.to);
            edges.push(data);
            map.walks.push(Walk::Edge(e));
        }
    }
    for proc in program.procs.values_mut() {
        proc.entry = renumber(proc.entry);
        proc.exit = proc.exit.map(renumber);
    }
    program.locs = locs;
    program.edges = edges;
    map
}
