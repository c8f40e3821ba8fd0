//! Chains that nobody simplified, 200,000 deep: rewriting them neither recurses nor grinds.

use trellis_ivl::{Op, Term, TermPool, Type};

const DEPTH: usize = 200_000;

fn chain(
    pool: &mut TermPool,
    start: Term,
    mut link: impl FnMut(&mut TermPool, Term) -> Term,
) -> Term {
    (0..DEPTH).fold(start, |t, _| link(pool, t))
}

#[test]
fn long_chains_simplify_without_recursion() {
    let mut pool = TermPool::new();
    let v = pool.fresh("x", Type::Bv(8));
    let c = pool.fresh("c", Type::Bool);
    let d = pool.fresh("d", Type::Bool);
    let (x, c, d) = (pool.var(v), pool.var(c), pool.var(d));
    let (one, three) = (pool.num(8, 1), pool.num(8, 3));

    let sum = chain(&mut pool, x, |p, t| p.intern(Op::BvAdd, &[t, one]));
    let expected = {
        let k = pool.num(8, 3u64.wrapping_sub(DEPTH as u64));
        pool.eq(x, k)
    };
    assert_eq!(pool.eq(sum, three), expected);
    let k = pool.num(8, 1 + DEPTH as u64);
    let expected = pool.bvadd(x, k);
    assert_eq!(pool.bvadd(sum, one), expected);
    let _ = pool.bvsub(sum, x);

    let negated = chain(&mut pool, x, |p, t| p.intern(Op::BvNeg, &[t]));
    let y = pool.fresh("y", Type::Bv(8));
    let y = pool.var(y);
    let expected = pool.bvsub(y, x);
    assert_eq!(pool.bvsub(y, negated), expected);
    let expected = pool.bvadd(y, x);
    assert_eq!(pool.bvadd(y, negated), expected);

    let product = chain(&mut pool, x, |p, t| p.intern(Op::BvMul, &[t, three]));
    let _ = pool.bvmul(product, three);

    let inverted = chain(&mut pool, x, |p, t| p.intern(Op::BvNot, &[t]));
    let expected = pool.eq(x, three);
    assert_eq!(pool.eq(inverted, three), expected);

    let nc = pool.intern(Op::Not, &[c]);
    let either = chain(&mut pool, d, |p, t| p.intern(Op::Or, &[nc, t]));
    let expected = pool.and(c, d);
    assert_eq!(pool.and(c, either), expected);

    let same = chain(&mut pool, x, |p, t| p.intern_extract(7, 0, t));
    let expected = pool.extract(3, 1, x);
    assert_eq!(pool.extract(3, 1, same), expected);
}
