//! The program that benchmarks send over the border.

use trellis_ivl::{Program, Span, Type};

/// A program of many edges, each with an assumption and an assignment.
pub fn program(edges: u32) -> Program {
    let mut p = Program::new();
    let main = p.add_proc("main", Span::NONE);
    let vars: Vec<_> = (0..100)
        .map(|n| p.add_global(format!("x{n}"), Type::Bv(32), Span::NONE))
        .collect();
    let mut at = p.entry();
    for n in 0..edges {
        let (x, y) = (vars[n as usize % 100], vars[n as usize * 7 % 100]);
        let (tx, ty) = (p.pool.var(x), p.pool.var(y));
        let c = p.pool.num(32, u64::from(n));
        let (sum, less) = (p.pool.bvadd(tx, c), p.pool.bvult(ty, c));
        let (assume, assign) = (p.cmds.assume(less), p.cmds.assign(x, sum));
        let cmd = p.cmds.seq(&[assume, assign]);
        let next = p.add_loc(main, Span::NONE);
        p.add_edge(at, next, cmd, Span::NONE);
        at = next;
    }
    p
}
