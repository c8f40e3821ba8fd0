//! Values of terms as far as they are known: what an unwinding prunes its branches with.
//!
//! A term over constants is what the evaluator says. Where symbols remain, the node is made exactly as it is but for
//! the rules below, which are those that keep loop counters and pointers in memory concrete: constants of `and`, `or`
//! and `ite`, sums of one symbol and constants (addresses inside an object), slices put together again (pointers stored
//! byte by byte), and reads from known cells of arrays. This deliberately shares nothing with the rewriting builder of
//! `trellis_ivl`: the rules are part of what a proof by unwinding rests on, and they are all here.

use rustc_hash::FxHashMap;
use trellis_ivl::{Bv, Evaluator, Op, Term, TermPool, Type, Value, Var};

/// How many `ite`s between arrays a read is pushed through.
const MAX_PUSHED: u32 = 32;

/// Makes terms, remembering what it has read from arrays.
pub struct Folder {
    /// Of terms without variables only, so that nothing remembered ever changes.
    evaluator: Evaluator,
    reads: FxHashMap<(Term, Term), Term>,
}

impl Default for Folder {
    fn default() -> Folder {
        Folder {
            evaluator: Evaluator::new(),
            reads: FxHashMap::default(),
        }
    }
}

impl Folder {
    /// `t` with every variable replaced by what `var` says.
    pub fn value(
        &mut self,
        pool: &mut TermPool,
        t: Term,
        var: &impl Fn(&mut TermPool, Var) -> Term,
    ) -> Term {
        if pool.is_const(t) {
            return t;
        }
        if let Some(v) = pool.as_var(t) {
            return var(pool, v);
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut stack = vec![t];
        let mut args = Vec::with_capacity(3);
        while let Some(&u) = stack.last() {
            if done.contains_key(&u) {
                stack.pop();
                continue;
            }
            args.clear();
            let waiting = stack.len();
            for a in pool.args(u) {
                match done.get(&a) {
                    Some(&value) => args.push(value),
                    None => stack.push(a),
                }
            }
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let value = match pool.as_var(u) {
                Some(v) => var(pool, v),
                None if args.is_empty() => u,
                None => self.node(pool, u, &args),
            };
            done.insert(u, value);
        }
        done[&t]
    }

    /// The node of `like` over other arguments.
    pub fn node(&mut self, pool: &mut TermPool, like: Term, args: &[Term]) -> Term {
        match (pool.op(like), args) {
            (Op::Not, &[a]) => self.not(pool, a),
            (Op::And, &[a, b]) => self.and(pool, a, b),
            (Op::Or, &[a, b]) => self.or(pool, a, b),
            (Op::Eq, &[a, b]) => self.eq(pool, a, b),
            (Op::Ite, &[c, a, b]) => self.ite(pool, c, a, b),
            (Op::BvAdd, &[a, b]) => self.add(pool, a, b),
            (Op::BvSub, &[a, b]) => self.sub(pool, like, a, b),
            (Op::Concat, &[a, b]) => self.concat(pool, like, a, b),
            (Op::Select, &[a, i]) => self.read(pool, a, i, 0),
            _ => self.plain(pool, like, args),
        }
    }

    /// The node exactly as given, or its value where all arguments are constants.
    fn plain(&mut self, pool: &mut TermPool, like: Term, args: &[Term]) -> Term {
        let op = pool.op(like);
        let node = match (op, pool.ty(like)) {
            (Op::Extract, _) => {
                let (hi, lo) = pool.extract_bounds(like).expect("an extract has bounds");
                pool.intern_extract(hi, lo, args[0])
            }
            (Op::ZeroExt | Op::SignExt, Type::Bv(width)) => pool.intern_extend(op, width, args[0]),
            (Op::ConstArray, Type::Array { index, .. }) => pool.const_array(index, args[0]),
            _ => pool.intern(op, args),
        };
        self.evaluated(pool, node)
    }

    /// The value of a node whose arguments are all constants; the node itself otherwise.
    fn evaluated(&mut self, pool: &mut TermPool, node: Term) -> Term {
        if matches!(pool.ty(node), Type::Array { .. }) || !pool.args(node).all(|a| pool.is_const(a))
        {
            return node;
        }
        let nowhere = |v| Value::zero(pool.var_ty(v));
        match self.evaluator.eval(pool, node, nowhere) {
            Value::Bool(b) => pool.bool(b),
            Value::Bv(v) => pool.bv(v),
            Value::Array(_) => node,
        }
    }

    /// Negation.
    pub fn not(&mut self, pool: &mut TermPool, a: Term) -> Term {
        match pool.as_bool(a) {
            Some(a) => pool.bool(!a),
            None => pool.intern(Op::Not, &[a]),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Term {
        match (pool.as_bool(a), pool.as_bool(b)) {
            (Some(false), _) | (_, Some(true)) => a,
            (_, Some(false)) | (Some(true), _) => b,
            _ if a == b => a,
            _ => pool.intern(Op::And, &[a, b]),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Term {
        match (pool.as_bool(a), pool.as_bool(b)) {
            (Some(true), _) | (_, Some(false)) => a,
            (_, Some(true)) | (Some(false), _) => b,
            _ if a == b => a,
            _ => pool.intern(Op::Or, &[a, b]),
        }
    }

    /// If-then-else.
    pub fn ite(&mut self, pool: &mut TermPool, c: Term, a: Term, b: Term) -> Term {
        match pool.as_bool(c) {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => pool.intern(Op::Ite, &[c, a, b]),
        }
    }

    /// Equality: of the same term, of constants, of sums over the same symbol.
    pub fn eq(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Term {
        if a == b {
            return pool.tru();
        }
        if let Some(differ) = differ(pool, a, b) {
            return pool.bool(!differ);
        }
        let node = pool.intern(Op::Eq, &[a, b]);
        self.evaluated(pool, node)
    }

    fn add(&mut self, pool: &mut TermPool, a: Term, b: Term) -> Term {
        let ((x, m), (y, n)) = (sum(pool, a), sum(pool, b));
        let offset = m.add(&n);
        let base = match (x, y) {
            (None, y) => y,
            (x, None) => x,
            (Some(x), Some(y)) => Some(pool.intern(Op::BvAdd, &[x, y])),
        };
        with_offset(pool, base, offset)
    }

    fn sub(&mut self, pool: &mut TermPool, like: Term, a: Term, b: Term) -> Term {
        let ((x, m), (y, n)) = (sum(pool, a), sum(pool, b));
        let offset = m.sub(&n);
        match (x, y) {
            (x, None) => with_offset(pool, x, offset),
            (Some(x), Some(y)) if x == y => pool.bv(offset),
            _ => self.plain(pool, like, &[a, b]),
        }
    }

    /// Neighbouring slices of one term are a slice of it, or all of it.
    fn concat(&mut self, pool: &mut TermPool, like: Term, high: Term, low: Term) -> Term {
        if let (Some((top, middle)), Some((below, bottom))) =
            (pool.extract_bounds(high), pool.extract_bounds(low))
        {
            let whole = pool.arg(high, 0);
            if whole == pool.arg(low, 0) && middle == below + 1 {
                return match bottom == 0 && top + 1 == pool.width(whole) {
                    true => whole,
                    false => pool.intern_extract(top, bottom, whole),
                };
            }
        }
        self.plain(pool, like, &[high, low])
    }

    /// What `array` holds at `index`: behind stores elsewhere, and on both sides of an `ite`.
    fn read(&mut self, pool: &mut TermPool, array: Term, index: Term, pushed: u32) -> Term {
        let mut at = array;
        loop {
            if let Some(&known) = self.reads.get(&(at, index)) {
                return known;
            }
            if pool.op(at) != Op::Store {
                break;
            }
            let written = pool.arg(at, 1);
            if written == index {
                return pool.arg(at, 2);
            }
            match differ(pool, written, index) {
                Some(true) => at = pool.arg(at, 0),
                Some(false) => return pool.arg(at, 2),
                None => break,
            }
        }
        let found = match pool.op(at) {
            Op::ConstArray => pool.arg(at, 0),
            Op::Ite if pushed < MAX_PUSHED => {
                let (c, a, b) = (pool.arg(at, 0), pool.arg(at, 1), pool.arg(at, 2));
                let a = self.read(pool, a, index, pushed + 1);
                let b = self.read(pool, b, index, pushed + 1);
                self.ite(pool, c, a, b)
            }
            _ => pool.intern(Op::Select, &[at, index]),
        };
        self.reads.insert((array, index), found);
        found
    }
}

/// `t` as a term that is no constant, if there is one, and a constant.
fn sum(pool: &TermPool, t: Term) -> (Option<Term>, Bv) {
    if let Some(c) = pool.as_bv(t) {
        return (None, c);
    }
    if pool.op(t) == Op::BvAdd {
        let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
        if let Some(c) = pool.as_bv(b) {
            return (Some(a), c);
        }
    }
    (Some(t), Bv::zero(pool.width(t)))
}

fn with_offset(pool: &mut TermPool, base: Option<Term>, offset: Bv) -> Term {
    match base {
        Some(base) if offset.is_zero() => base,
        Some(base) => {
            let offset = pool.bv(offset);
            pool.intern(Op::BvAdd, &[base, offset])
        }
        None => pool.bv(offset),
    }
}

/// Whether two bit-vectors differ, where they are sums over the same symbol.
fn differ(pool: &TermPool, a: Term, b: Term) -> Option<bool> {
    if !matches!(pool.ty(a), Type::Bv(_)) {
        return None;
    }
    let ((x, m), (y, n)) = (sum(pool, a), sum(pool, b));
    (x == y).then(|| m != n)
}
