//! IVL terms, types and values as SMT-LIB 2 text.
//!
//! A term shared or deep is given a name (`define-fun`, or `let` within one term), so the text is linear in
//! the DAG and nests only a few levels: solvers' parsers recurse. Nothing here recurses either.
//!
//! Names are stateless: variable 3 called `x` is `x!3`, term 12 is `t12`; they cannot clash.

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use trellis_ivl::{Bv, Op, Term, TermPool, Type, Value, Var};

/// Deeper expressions are cut by a name.
const MAX_HEIGHT: u32 = 6;

/// A sort.
pub fn sort(ty: Type) -> String {
    match ty {
        Type::Bool => "Bool".to_string(),
        Type::Bv(w) => format!("(_ BitVec {w})"),
        Type::Array { index, elem } => format!("(Array (_ BitVec {index}) (_ BitVec {elem}))"),
    }
}

/// The symbol of a variable.
pub fn var_name(pool: &TermPool, v: Var) -> String {
    symbol(&format!("{}!{}", pool.var_data(v).name, v.as_u32()))
}

/// `name` as a symbol, quoted where it must be; characters no symbol may have become `_`.
pub fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let first = name.chars().next();
    let reserved = first.is_none_or(|c| c.is_ascii_digit() || c == '@' || c == '.');
    if !reserved && name.chars().all(simple) {
        return name.to_string();
    }
    let allowed = |c: char| (c == ' ' || c.is_ascii_graphic()) && c != '|' && c != '\\';
    let inner: String = name
        .chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect();
    format!("|{inner}|")
}

/// A bit-vector literal.
pub fn bv(v: &Bv) -> String {
    let (radix, prefix, digits) = match v.width() % 4 {
        0 => (16, "#x", v.width() / 4),
        _ => (2, "#b", v.width()),
    };
    let text = v.to_biguint().to_str_radix(radix);
    format!("{prefix}{text:0>width$}", width = digits as usize)
}

/// A value.
pub fn value(v: &Value) -> String {
    let array = match v {
        Value::Bool(b) => return b.to_string(),
        Value::Bv(v) => return bv(v),
        Value::Array(a) => a,
    };
    let entries: Vec<_> = array.entries().collect();
    let mut out = "(store ".repeat(entries.len());
    let default = bv(array.default());
    let _ = write!(out, "((as const {}) {default})", sort(v.ty()));
    for (i, e) in entries {
        let _ = write!(out, " {} {})", bv(i), bv(e));
    }
    out
}

/// `t` as one expression, shared parts bound by `let`.
pub fn term(pool: &TermPool, t: Term) -> String {
    let mut printer = Printer::new(false);
    let (mut bindings, mut n) = (String::new(), 0);
    printer.name_new(pool, &[t], |t, text| {
        if pool.as_var(t).is_some() {
            return;
        }
        n += 1;
        let _ = write!(bindings, "(let ((t{} {text})) ", t.as_u32());
    });
    bindings + &printer.reference(pool, t) + &")".repeat(n)
}

/// The declarations and assertions of a whole script that asks whether `assertions` have a model.
pub fn script(pool: &TermPool, assertions: &[Term]) -> String {
    let mut out = String::from("(set-logic QF_ABV)\n");
    let mut printer = Printer::new(false);
    printer.define(&mut out, pool, assertions);
    for &t in assertions {
        let _ = writeln!(out, "(assert {})", printer.reference(pool, t));
    }
    out + "(check-sat)\n(exit)\n"
}

/// Prints terms one after the other, each part once.
pub struct Printer {
    overflow_predicates: bool,
    named: EntitySet<Term>,
    declared: EntitySet<Var>,
    /// What was named, in order, so that it can be forgotten.
    log: Vec<Term>,
}

impl Printer {
    /// A printer that has named nothing. With `overflow_predicates` it writes `bvuaddo` and its kin (SMT-LIB
    /// 2.7), otherwise it spells them out.
    pub fn new(overflow_predicates: bool) -> Printer {
        Printer {
            overflow_predicates,
            named: EntitySet::new(),
            declared: EntitySet::new(),
            log: Vec::new(),
        }
    }

    /// Declares the new variables of `roots` and defines their shared parts and themselves, a command
    /// per line.
    pub fn define(&mut self, out: &mut String, pool: &TermPool, roots: &[Term]) {
        self.name_new(pool, roots, |t, text| {
            let ty = sort(pool.ty(t));
            let _ = match pool.as_var(t) {
                Some(v) => writeln!(out, "(declare-const {} {ty})", var_name(pool, v)),
                None => writeln!(out, "(define-fun t{} () {ty} {text})", t.as_u32()),
            };
        });
    }

    /// The text for a term whose name was given by `define`, or for a constant.
    pub fn reference(&self, pool: &TermPool, t: Term) -> String {
        match pool.op(t) {
            Op::BoolConst => (pool.as_bool(t) == Some(true)).to_string(),
            Op::BvConst => bv(&pool.as_bv(t).expect("a constant has a value")),
            Op::Var => var_name(pool, pool.as_var(t).expect("a variable node")),
            _ => format!("t{}", t.as_u32()),
        }
    }

    /// Whether variable `v` was declared.
    pub fn declared(&self, v: Var) -> bool {
        self.declared.contains(v)
    }

    /// How much was named; for [`forget`](Self::forget).
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Forgets what was named since `mark`.
    pub fn forget(&mut self, pool: &TermPool, mark: usize) {
        for t in self.log.drain(mark..) {
            self.named.remove(t);
            if let Some(v) = pool.as_var(t) {
                self.declared.remove(v);
            }
        }
    }

    fn name(&mut self, t: Term) {
        self.named.insert(t);
        self.log.push(t);
    }

    /// Calls `define` with everything that needs a name, parts before their users.
    fn name_new(&mut self, pool: &TermPool, roots: &[Term], mut define: impl FnMut(Term, &str)) {
        let order = self.unnamed(pool, roots);
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for &t in &order {
            // Spelled-out operations mention their arguments more than once.
            let weight = if self.spelled_out(pool.op(t)) { 2 } else { 1 };
            for a in pool.args(t) {
                *uses.entry(a).or_default() += weight;
            }
        }
        for &root in roots {
            *uses.entry(root).or_default() += 2;
        }
        // Texts of terms that are used once, to be moved into their user, and how deep they nest.
        let mut inline: FxHashMap<Term, (String, u32)> = FxHashMap::default();
        for t in order {
            if let Some(v) = pool.as_var(t) {
                self.declared.insert(v);
                define(t, "");
                self.name(t);
                continue;
            }
            let mut height = 0;
            let args: Vec<String> = pool
                .args(t)
                .map(|a| match inline.remove(&a) {
                    Some((text, h)) => {
                        height = height.max(h);
                        text
                    }
                    None => self.reference(pool, a),
                })
                .collect();
            let text = self.application(pool, t, &args);
            if uses[&t] > 1 || height >= MAX_HEIGHT {
                define(t, &text);
                self.name(t);
            } else {
                inline.insert(t, (text, height + 1));
            }
        }
    }

    /// The parts of `roots` without a name, arguments before users, constants left out.
    fn unnamed(&self, pool: &TermPool, roots: &[Term]) -> Vec<Term> {
        let mut order = Vec::new();
        let mut seen: FxHashMap<Term, ()> = FxHashMap::default();
        let mut stack: Vec<(Term, bool)> = Vec::new();
        for &root in roots {
            stack.push((root, false));
            while let Some((t, opened)) = stack.pop() {
                if opened {
                    order.push(t);
                } else if !pool.is_const(t)
                    && !self.named.contains(t)
                    && seen.insert(t, ()).is_none()
                {
                    stack.push((t, true));
                    stack.extend(pool.args(t).rev().map(|a| (a, false)));
                }
            }
        }
        order
    }

    fn spelled_out(&self, op: Op) -> bool {
        use Op::*;
        !self.overflow_predicates
            && matches!(
                op,
                BvUaddo | BvSaddo | BvUsubo | BvSsubo | BvUmulo | BvSmulo
            )
    }

    fn application(&self, pool: &TermPool, t: Term, args: &[String]) -> String {
        let op = pool.op(t);
        let head = match op {
            Op::Extract => {
                let (hi, lo) = pool.extract_bounds(t).expect("an extract node");
                format!("(_ extract {hi} {lo})")
            }
            Op::ZeroExt | Op::SignExt => {
                let by = pool.width(t) - pool.width(pool.arg(t, 0));
                let sign = if op == Op::ZeroExt { "zero" } else { "sign" };
                format!("(_ {sign}_extend {by})")
            }
            Op::ConstArray => format!("(as const {})", sort(pool.ty(t))),
            _ if self.spelled_out(op) => {
                return overflow(op, pool.width(pool.arg(t, 0)), &args[0], &args[1]);
            }
            _ => simple_name(op).to_string(),
        };
        format!("({head} {})", args.join(" "))
    }
}

/// An overflow predicate by its definition in the theory of bit-vectors.
fn overflow(op: Op, w: u32, a: &str, b: &str) -> String {
    let top = 2 * u64::from(w) - 1;
    let last = w - 1;
    match op {
        Op::BvUaddo => format!("(bvult (bvadd {a} {b}) {a})"),
        Op::BvUsubo => format!("(bvult {a} {b})"),
        Op::BvUmulo => format!(
            "(not (= ((_ extract {top} {w}) (bvmul ((_ zero_extend {w}) {a}) \
             ((_ zero_extend {w}) {b}))) (_ bv0 {w})))"
        ),
        Op::BvSmulo => format!(
            "(let ((?p (bvmul ((_ sign_extend {w}) {a}) ((_ sign_extend {w}) {b})))) \
             (not (= ?p ((_ sign_extend {w}) ((_ extract {last} 0) ?p)))))"
        ),
        _ => {
            let exact = if op == Op::BvSaddo { "bvadd" } else { "bvsub" };
            format!(
                "(let ((?s ({exact} ((_ sign_extend 1) {a}) ((_ sign_extend 1) {b})))) \
                 (not (= ((_ extract {w} {w}) ?s) ((_ extract {last} {last}) ?s))))"
            )
        }
    }
}

/// The symbol of an operation that has no parameters.
fn simple_name(op: Op) -> &'static str {
    use Op::*;
    match op {
        Not => "not",
        And => "and",
        Or => "or",
        Eq => "=",
        Ite => "ite",
        BvNot => "bvnot",
        BvNeg => "bvneg",
        BvAnd => "bvand",
        BvOr => "bvor",
        BvXor => "bvxor",
        BvAdd => "bvadd",
        BvSub => "bvsub",
        BvMul => "bvmul",
        BvUdiv => "bvudiv",
        BvUrem => "bvurem",
        BvSdiv => "bvsdiv",
        BvSrem => "bvsrem",
        BvSmod => "bvsmod",
        BvShl => "bvshl",
        BvLshr => "bvlshr",
        BvAshr => "bvashr",
        BvUlt => "bvult",
        BvUle => "bvule",
        BvSlt => "bvslt",
        BvSle => "bvsle",
        BvUaddo => "bvuaddo",
        BvSaddo => "bvsaddo",
        BvUsubo => "bvusubo",
        BvSsubo => "bvssubo",
        BvUmulo => "bvumulo",
        BvSmulo => "bvsmulo",
        Concat => "concat",
        Select => "select",
        Store => "store",
        BoolConst | BvConst | Var | Extract | ZeroExt | SignExt | ConstArray => {
            unreachable!("printed by its own case")
        }
    }
}
