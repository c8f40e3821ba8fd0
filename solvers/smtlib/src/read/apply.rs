//! The operations of QF_ABV by their SMT-LIB names.

use super::{ReadError, TermReader, read_type, width_number};
use crate::sexpr::Node;
use trellis_ivl::{Op, Term, TermPool, Type};

impl TermReader<'_, '_> {
    /// Applies the operation `head[0]` of the list `node`.
    pub(super) fn apply(
        &mut self,
        node: Node,
        head: &[Node],
        args: &[Term],
    ) -> Result<Term, ReadError> {
        let result = match self.forest.list(head[0]) {
            None => {
                let name = self.forest.atom(head[0]).unwrap_or_default();
                plain(self.pool, name, args)
            }
            Some(list) => {
                let words: Vec<&str> = list.iter().filter_map(|&n| self.forest.atom(n)).collect();
                match (words.as_slice(), list) {
                    (["as", "const"], [_, _, ty]) => {
                        let ty = read_type(self.forest, *ty)?;
                        const_array(self.pool, ty, args)
                    }
                    (["_", name, numbers @ ..], _) if words.len() == list.len() => {
                        let numbers: Option<Vec<u32>> =
                            numbers.iter().map(|n| n.parse().ok()).collect();
                        match numbers {
                            Some(numbers) => indexed(self.pool, name, &numbers, args),
                            None => Err("not a number".to_string()),
                        }
                    }
                    _ => Err("unknown operation".to_string()),
                }
            }
        };
        result.map_err(|message| self.error(node, message))
    }
}

fn const_array(pool: &mut TermPool, ty: Type, args: &[Term]) -> Result<Term, String> {
    match (ty, args) {
        (Type::Array { index, elem }, &[e]) if pool.ty(e) == Type::Bv(elem) => {
            Ok(pool.const_array(index, e))
        }
        _ => Err("not a constant array".to_string()),
    }
}

/// `(_ name numbers...)` applied to arguments.
fn indexed(
    pool: &mut TermPool,
    name: &str,
    numbers: &[u32],
    args: &[Term],
) -> Result<Term, String> {
    let &[t] = args else {
        return Err(format!("`{name}` takes one argument"));
    };
    let Type::Bv(width) = pool.ty(t) else {
        return Err(format!("`{name}` takes a bit-vector"));
    };
    let grown = |by: u32| {
        let total = width.checked_add(by);
        total.filter(|w| width_number(&w.to_string()).is_some())
    };
    match (name, numbers) {
        ("extract", &[hi, lo]) if lo <= hi && hi < width => Ok(pool.intern_extract(hi, lo, t)),
        ("zero_extend" | "sign_extend", &[by]) => {
            let to = grown(by).ok_or("the result is too wide")?;
            let zero = name == "zero_extend";
            let op = if zero { Op::ZeroExt } else { Op::SignExt };
            Ok(if by == 0 {
                t
            } else {
                pool.intern_extend(op, to, t)
            })
        }
        ("rotate_left", &[n]) => Ok(pool.rotate_left(n % width, t)),
        ("rotate_right", &[n]) => Ok(pool.rotate_right(n % width, t)),
        ("repeat", &[n]) if n > 0 => {
            let by = width.checked_mul(n - 1).and_then(grown);
            by.map(|_| pool.repeat(n, t))
                .ok_or_else(|| "the result is too wide".to_string())
        }
        _ => Err(format!("`{name}` with these numbers")),
    }
}

/// An operation of the IVL under its SMT-LIB name; the arity tells `-` from nothing, so names are unique.
fn core_op(name: &str) -> Option<Op> {
    use Op::*;
    Some(match name {
        "not" => Not,
        "and" => And,
        "or" => Or,
        "=" => Eq,
        "ite" => Ite,
        "bvnot" => BvNot,
        "bvneg" => BvNeg,
        "bvand" => BvAnd,
        "bvor" => BvOr,
        "bvxor" => BvXor,
        "bvadd" => BvAdd,
        "bvsub" => BvSub,
        "bvmul" => BvMul,
        "bvudiv" => BvUdiv,
        "bvurem" => BvUrem,
        "bvsdiv" => BvSdiv,
        "bvsrem" => BvSrem,
        "bvsmod" => BvSmod,
        "bvshl" => BvShl,
        "bvlshr" => BvLshr,
        "bvashr" => BvAshr,
        "bvult" => BvUlt,
        "bvule" => BvUle,
        "bvslt" => BvSlt,
        "bvsle" => BvSle,
        "bvuaddo" => BvUaddo,
        "bvsaddo" => BvSaddo,
        "bvusubo" => BvUsubo,
        "bvssubo" => BvSsubo,
        "bvumulo" => BvUmulo,
        "bvsmulo" => BvSmulo,
        "concat" => Concat,
        "select" => Select,
        "store" => Store,
        _ => return None,
    })
}

/// Operations that SMT-LIB applies to more than two arguments from the left.
fn left_associative(op: Op) -> bool {
    use Op::*;
    matches!(op, And | Or | BvAnd | BvOr | BvXor | BvAdd | BvMul | Concat)
}

fn checked(pool: &mut TermPool, op: Op, args: &[Term]) -> Result<Term, String> {
    pool.check(op, args)?;
    Ok(pool.intern(op, args))
}

fn plain(pool: &mut TermPool, name: &str, args: &[Term]) -> Result<Term, String> {
    let Some(op) = core_op(name) else {
        return derived(pool, name, args);
    };
    match *args {
        [a] if left_associative(op) => Ok(a),
        [a, ref rest @ ..] if left_associative(op) && rest.len() > 1 => {
            let mut all = a;
            for &b in rest {
                all = checked(pool, op, &[all, b])?;
            }
            Ok(all)
        }
        _ if op == Op::Eq && args.len() > 2 => {
            let mut all = Vec::new();
            for pair in args.windows(2) {
                all.push(checked(pool, op, pair)?);
            }
            Ok(pool.and_all(all))
        }
        _ => checked(pool, op, args),
    }
}

/// Operations that expand.
fn derived(pool: &mut TermPool, name: &str, args: &[Term]) -> Result<Term, String> {
    let swapped = |pool: &mut TermPool, op| match args {
        &[a, b] => checked(pool, op, &[b, a]),
        _ => Err(format!("`{name}` takes two arguments")),
    };
    match (name, args) {
        ("bvugt", _) => return swapped(pool, Op::BvUlt),
        ("bvuge", _) => return swapped(pool, Op::BvUle),
        ("bvsgt", _) => return swapped(pool, Op::BvSlt),
        ("bvsge", _) => return swapped(pool, Op::BvSle),
        ("=>" | "xor" | "distinct", _) => return boolean(pool, name, args),
        _ => {}
    }
    // The rest takes bit-vectors of one width; the check of `bvadd` or `bvnot` is theirs.
    match *args {
        [a] => {
            pool.check(Op::BvNot, &[a])?;
            match name {
                "bvnego" => Ok(pool.bvnego(a)),
                _ => Err("unknown operation".to_string()),
            }
        }
        [a, b] => {
            pool.check(Op::BvAdd, &[a, b])?;
            match name {
                "bvnand" => Ok(pool.bvnand(a, b)),
                "bvnor" => Ok(pool.bvnor(a, b)),
                "bvxnor" => Ok(pool.bvxnor(a, b)),
                "bvsdivo" => Ok(pool.bvsdivo(a, b)),
                "bvcomp" => {
                    let e = pool.eq(a, b);
                    Ok(pool.bool_to_bv(e))
                }
                _ => Err("unknown operation".to_string()),
            }
        }
        _ => Err("unknown operation".to_string()),
    }
}

fn boolean(pool: &mut TermPool, name: &str, args: &[Term]) -> Result<Term, String> {
    if name == "distinct" {
        let mut all = Vec::new();
        for (i, &a) in args.iter().enumerate() {
            for &b in &args[i + 1..] {
                pool.check(Op::Eq, &[a, b])?;
                all.push(pool.ne(a, b));
            }
        }
        return Ok(pool.and_all(all));
    }
    for &a in args {
        pool.check(Op::Not, &[a])?;
    }
    let fold = |pool: &mut TermPool, acc: Term, t: Term| match name {
        "xor" => pool.xor(acc, t),
        _ => pool.implies(t, acc),
    };
    // Implication associates to the right, exclusive or to the left.
    let ordered: Vec<Term> = match name {
        "xor" => args.to_vec(),
        _ => args.iter().rev().copied().collect(),
    };
    match ordered.split_first() {
        Some((&first, rest)) if !rest.is_empty() => {
            Ok(rest.iter().fold(first, |acc, &t| fold(pool, acc, t)))
        }
        _ => Err(format!("`{name}` takes two arguments")),
    }
}
