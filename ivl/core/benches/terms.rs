//! Many terms to intern.

use trellis_ivl::{Op, Scope, Span, Term, TermPool, Type, VarData};

/// A pool of `count` distinct terms, each over two of the latest ones.
pub fn intern(count: usize) -> TermPool {
    let mut pool = TermPool::new();
    let mut recent: Vec<Term> = (0..1024)
        .map(|i| {
            let v = pool.declare(VarData {
                name: format!("x{i}"),
                ty: Type::Bv(32),
                scope: Scope::Global,
                span: Span::NONE,
            });
            pool.var(v)
        })
        .collect();
    let ops = [Op::BvAdd, Op::BvXor, Op::BvMul, Op::BvAnd, Op::BvSub];
    let mut seed = 1u64;
    while pool.len() < count {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (i, j) = ((seed >> 33) as usize % 1024, (seed >> 45) as usize % 1024);
        let op = ops[(seed >> 60) as usize % ops.len()];
        let t = pool.intern(op, &[recent[i], recent[j]]);
        recent[j] = t;
    }
    pool
}
