//! Programs with every location twice, so that there is something to merge, in loops too.

use cranelift_entity::EntityRef;
use trellis_ivl::rng::Rng;
use trellis_ivl::{EdgeData, Loc, Program};

/// A program of the same meaning with a copy of every location, and every edge once or twice to some
/// copy of its target. (The exit has no copy that means the same.)
pub fn doubled(rng: &mut Rng, program: Program) -> Program {
    let mut p = program;
    let n = p.locs.len();
    for l in 0..n {
        p.locs.push(p.locs[Loc::new(l)].clone());
    }
    let edges: Vec<EdgeData> = p.edges.values().cloned().collect();
    p.edges.clear();
    let exit = p.procs[p.main].exit;
    let copy = |l: Loc, second: bool| Loc::new(l.index() + if second { n } else { 0 });
    for d in edges {
        for second in [false, true] {
            for _ in 0..1 + rng.below(2) {
                p.edges.push(EdgeData {
                    from: copy(d.from, second),
                    to: copy(d.to, Some(d.to) != exit && rng.chance(50)),
                    ..d.clone()
                });
            }
        }
    }
    p
}
