//! Nodes as terms. A node of one bit becomes a `bool`, and is made a `bv1` where it is used as one.

use crate::model::{Model, Ref};
use crate::op::Op;
use trellis_ivl::{Bv, Op as IvlOp, Term, TermPool, Type};

/// The terms of the nodes so far.
#[derive(Default)]
pub(super) struct Terms(Vec<Term>);

impl Terms {
    pub fn push(&mut self, term: Term) {
        self.0.push(term);
    }

    /// The value of a reference, a `bool` if it has one bit.
    pub fn operand(&self, pool: &mut TermPool, r: Ref) -> Term {
        let term = self.0[r.node() as usize];
        match (r.is_negated(), pool.ty(term)) {
            (false, _) => term,
            (true, Type::Bool) => pool.not(term),
            (true, _) => pool.bvnot(term),
        }
    }

    /// The value of a reference as a bit-vector or array.
    pub fn bits(&self, pool: &mut TermPool, r: Ref) -> Term {
        let term = self.operand(pool, r);
        match pool.ty(term) {
            Type::Bool => pool.bool_to_bv(term),
            _ => term,
        }
    }

    /// The value of a node that is neither input nor state.
    pub fn node(&self, pool: &mut TermPool, model: &Model, index: usize) -> Term {
        let node = &model.nodes[index];
        let term = if node.op == Op::Const {
            pool.bv(model.consts[node.numbers[0] as usize].clone())
        } else {
            match node.args() {
                [a] => self.unary(pool, node.op, node.numbers, *a),
                [a, b] => self.binary(pool, node.op, *a, *b),
                [a, b, c] => self.ternary(pool, node.op, *a, *b, *c),
                _ => unreachable!("inputs, states and constants are the only leaves"),
            }
        };
        match pool.ty(term) {
            Type::Bv(1) => pool.bv_to_bool(term),
            _ => term,
        }
    }

    fn unary(&self, pool: &mut TermPool, op: Op, numbers: [u32; 2], a: Ref) -> Term {
        if op == Op::Not {
            return self.operand(pool, Ref::new(a.node(), !a.is_negated()));
        }
        let a = self.bits(pool, a);
        let width = pool.width(a);
        let one = pool.bv(Bv::one(width));
        match op {
            Op::Slice => pool.extract(numbers[0], numbers[1], a),
            Op::Uext => pool.zext(width + numbers[0], a),
            Op::Sext => pool.sext(width + numbers[0], a),
            Op::Inc => pool.bvadd(a, one),
            Op::Dec => pool.bvsub(a, one),
            Op::Neg => pool.bvneg(a),
            Op::Redand => {
                let ones = pool.bv(Bv::ones(width));
                pool.eq(a, ones)
            }
            Op::Redor => {
                let zero = pool.bv(Bv::zero(width));
                pool.ne(a, zero)
            }
            Op::Redxor => parity(pool, a),
            _ => unreachable!("not an operator with one operand"),
        }
    }

    fn binary(&self, pool: &mut TermPool, op: Op, left: Ref, right: Ref) -> Term {
        let (a, b) = (self.operand(pool, left), self.operand(pool, right));
        match op {
            Op::Iff | Op::Eq => return pool.eq(a, b),
            Op::Neq => return pool.ne(a, b),
            Op::Implies => return pool.implies(a, b),
            _ => {}
        }
        if pool.ty(a) == Type::Bool && pool.ty(b) == Type::Bool {
            let term = match op {
                Op::And | Op::Nand => pool.and(a, b),
                Op::Or | Op::Nor => pool.or(a, b),
                Op::Xor | Op::Xnor => pool.xor(a, b),
                _ => return self.words(pool, op, left, right),
            };
            return match op {
                Op::Nand | Op::Nor | Op::Xnor => pool.not(term),
                _ => term,
            };
        }
        self.words(pool, op, left, right)
    }

    /// An operator with two operands on bit-vectors (and an array, for `read`).
    fn words(&self, pool: &mut TermPool, op: Op, a: Ref, b: Ref) -> Term {
        let (a, b) = (self.bits(pool, a), self.bits(pool, b));
        match op {
            Op::Sgt => pool.bvslt(b, a),
            Op::Ugt => pool.bvult(b, a),
            Op::Sgte => pool.bvsle(b, a),
            Op::Ugte => pool.bvule(b, a),
            Op::Slt => pool.bvslt(a, b),
            Op::Ult => pool.bvult(a, b),
            Op::Slte => pool.bvsle(a, b),
            Op::Ulte => pool.bvule(a, b),
            Op::And => pool.bvand(a, b),
            Op::Nand => pool.bvnand(a, b),
            Op::Nor => pool.bvnor(a, b),
            Op::Or => pool.bvor(a, b),
            Op::Xnor => pool.bvxnor(a, b),
            Op::Xor => pool.bvxor(a, b),
            Op::Rol => rotate(pool, a, b, true),
            Op::Ror => rotate(pool, a, b, false),
            Op::Sll => pool.bvshl(a, b),
            Op::Sra => pool.bvashr(a, b),
            Op::Srl => pool.bvlshr(a, b),
            Op::Add => pool.bvadd(a, b),
            Op::Mul => pool.bvmul(a, b),
            Op::Sdiv => pool.bvsdiv(a, b),
            Op::Udiv => pool.bvudiv(a, b),
            Op::Smod => pool.bvsmod(a, b),
            Op::Srem => pool.bvsrem(a, b),
            Op::Urem => pool.bvurem(a, b),
            Op::Sub => pool.bvsub(a, b),
            Op::Saddo => pool.overflow(IvlOp::BvSaddo, a, b),
            Op::Uaddo => pool.overflow(IvlOp::BvUaddo, a, b),
            Op::Sdivo => pool.bvsdivo(a, b),
            Op::Smulo => pool.overflow(IvlOp::BvSmulo, a, b),
            Op::Umulo => pool.overflow(IvlOp::BvUmulo, a, b),
            Op::Ssubo => pool.overflow(IvlOp::BvSsubo, a, b),
            Op::Usubo => pool.overflow(IvlOp::BvUsubo, a, b),
            Op::Concat => pool.concat(a, b),
            Op::Read => pool.select(a, b),
            _ => unreachable!("not an operator with two operands"),
        }
    }

    fn ternary(&self, pool: &mut TermPool, op: Op, a: Ref, b: Ref, c: Ref) -> Term {
        if op == Op::Ite {
            let (a, b) = (self.operand(pool, a), self.operand(pool, b));
            let c = self.operand(pool, c);
            return pool.ite(a, b, c);
        }
        let (a, b) = (self.bits(pool, a), self.bits(pool, b));
        let c = self.bits(pool, c);
        pool.store(a, b, c)
    }
}

/// Whether an odd number of bits is set: halves are folded onto each other, so that the terms
/// stay as few as the logarithm of the width.
fn parity(pool: &mut TermPool, mut a: Term) -> Term {
    let mut odd = pool.bv(Bv::zero(1));
    while pool.width(a) > 1 {
        let width = pool.width(a);
        let half = width / 2;
        if width % 2 == 1 {
            let top = pool.extract(width - 1, width - 1, a);
            odd = pool.bvxor(odd, top);
        }
        let (high, low) = (
            pool.extract(2 * half - 1, half, a),
            pool.extract(half - 1, 0, a),
        );
        a = pool.bvxor(high, low);
    }
    pool.bvxor(a, odd)
}

/// Rotation by a distance modulo the width.
fn rotate(pool: &mut TermPool, a: Term, distance: Term, left: bool) -> Term {
    let width = pool.width(a);
    // Every width fits in a bit-vector of that width.
    let size = Bv::new(width, u64::from(width));
    if let Some(constant) = pool.as_bv(distance) {
        let n = constant.urem(&size).to_u64().unwrap_or(0) as u32;
        return match left {
            true => pool.rotate_left(n, a),
            false => pool.rotate_right(n, a),
        };
    }
    let size = pool.bv(size);
    let there = pool.bvurem(distance, size);
    let back = pool.bvsub(size, there);
    let (there, back) = if left { (there, back) } else { (back, there) };
    let (high, low) = (pool.bvshl(a, there), pool.bvlshr(a, back));
    pool.bvor(high, low)
}
