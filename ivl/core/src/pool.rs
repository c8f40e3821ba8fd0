//! The term pool: hash-consed nodes, 24 bytes each, and the variables they mention.
//!
//! Equal terms are one number, so comparing is comparing integers, and a DAG stays a DAG. The
//! pool only grows; a session or a cache may therefore keep results by term number. This file
//! interns as given; [`build`](crate::build) is the layer that simplifies.

use crate::bv::Bv;
use crate::entity::{Proc, Term, Var};
use crate::op::{Op, Params};
use crate::source::Span;
use crate::ty::{PackedType, Type};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Who may mention a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Every procedure.
    Global,
    /// One procedure.
    Local(Proc),
    /// No command: a symbol of an engine or an encoding (a primed copy, an input, a selector).
    Auxiliary,
}

/// What is known about a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarData {
    /// The name shown to people; need not be unique.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Who may mention it.
    pub scope: Scope,
    /// Where the source declares it.
    pub span: Span,
}

/// One term: operation, type and up to three words of arguments or parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    op: Op,
    ty: PackedType,
    words: [u32; 3],
}

impl Node {
    fn hash(&self) -> u64 {
        let mut h = FxHasher::default();
        Hash::hash(self, &mut h);
        h.finish()
    }
}

/// Terms and variables.
#[derive(Clone, Default)]
pub struct TermPool {
    nodes: Vec<Node>,
    table: HashTable<u32>,
    vars: PrimaryMap<Var, VarData>,
    var_terms: SecondaryMap<Var, PackedOption<Term>>,
    wide: Vec<Bv>,
    wide_index: FxHashMap<Bv, u32>,
    /// Which rules of the builder fired, and which is broken.
    #[cfg(test)]
    pub(crate) probe: crate::build::probe::Probe,
}

/// `words[2]` of a bit-vector constant that lies in the table of wide constants.
const WIDE: u32 = 1;

impl TermPool {
    /// An empty pool.
    pub fn new() -> TermPool {
        TermPool::default()
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the pool holds no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes held for terms (nodes and hash table), for performance figures.
    pub fn term_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.table.allocation_size()
    }

    /// All terms, arguments before their users.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = Term> + use<> {
        (0..self.nodes.len() as u32).map(Term::from_u32)
    }

    // ---- variables

    /// Declares a variable.
    pub fn declare(&mut self, data: VarData) -> Var {
        self.vars.push(data)
    }

    /// Declares an auxiliary symbol.
    pub fn fresh(&mut self, name: impl Into<String>, ty: Type) -> Var {
        self.declare(VarData {
            name: name.into(),
            ty,
            scope: Scope::Auxiliary,
            span: Span::NONE,
        })
    }

    /// The table of variables.
    pub fn vars(&self) -> &PrimaryMap<Var, VarData> {
        &self.vars
    }

    /// What is known about `v`.
    pub fn var_data(&self, v: Var) -> &VarData {
        &self.vars[v]
    }

    /// For renaming and re-scoping; the type of a variable never changes.
    pub fn rename_var(&mut self, v: Var, name: String, scope: Scope) {
        let data = &mut self.vars[v];
        data.name = name;
        data.scope = scope;
    }

    /// The type of variable `v`.
    pub fn var_ty(&self, v: Var) -> Type {
        self.vars[v].ty
    }

    /// The term that is variable `v`.
    pub fn var(&mut self, v: Var) -> Term {
        if let Some(t) = self.var_terms[v].expand() {
            return t;
        }
        let t = self.node(Op::Var, self.vars[v].ty, [v.as_u32(), 0, 0]);
        self.var_terms[v] = t.into();
        t
    }

    // ---- interning

    fn node(&mut self, op: Op, ty: Type, words: [u32; 3]) -> Term {
        let node = Node {
            op,
            ty: ty.into(),
            words,
        };
        let hash = node.hash();
        let nodes = &self.nodes;
        if let Some(&i) = self.table.find(hash, |&i| nodes[i as usize] == node) {
            return Term::from_u32(i);
        }
        let i = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms fit in memory");
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.table
            .insert_unique(hash, i, |&i| nodes[i as usize].hash());
        Term::from_u32(i)
    }

    /// `true` or `false`.
    pub fn bool(&mut self, b: bool) -> Term {
        self.node(Op::BoolConst, Type::Bool, [u32::from(b), 0, 0])
    }

    /// A bit-vector constant.
    pub fn bv(&mut self, v: Bv) -> Term {
        let ty = Type::Bv(v.width());
        let words = if v.width() <= 64 {
            let bits = v.to_u64().expect("the width is at most 64");
            [bits as u32, (bits >> 32) as u32, 0]
        } else {
            let next = self.wide.len() as u32;
            let i = *self.wide_index.entry(v.clone()).or_insert(next);
            if i == next {
                self.wide.push(v);
            }
            [i, 0, WIDE]
        };
        self.node(Op::BvConst, ty, words)
    }

    /// A node without parameters, exactly as given. The type is the result's.
    ///
    /// # Panics
    /// When the arguments do not fit the operation; see [`TermPool::check`] for a check first.
    pub fn intern(&mut self, op: Op, args: &[Term]) -> Term {
        let ty = match self.check(op, args) {
            Ok(ty) => ty,
            Err(e) => panic!("ill-typed term: {e}"),
        };
        let mut words = [0; 3];
        for (w, a) in words.iter_mut().zip(args) {
            *w = a.as_u32();
        }
        self.node(op, ty, words)
    }

    /// `(_ extract hi lo)` exactly as given; panics unless `lo <= hi < width`.
    pub fn intern_extract(&mut self, hi: u32, lo: u32, t: Term) -> Term {
        let w = self.width(t);
        assert!(lo <= hi && hi < w, "extract [{hi}:{lo}] of a bv{w}");
        self.node(Op::Extract, Type::Bv(hi - lo + 1), [t.as_u32(), hi, lo])
    }

    /// Zero or sign extension to `width`, which may be the width it has, exactly as given; panics when that
    /// would shrink.
    pub fn intern_extend(&mut self, op: Op, width: u32, t: Term) -> Term {
        assert!(matches!(op, Op::ZeroExt | Op::SignExt));
        assert!(width >= self.width(t), "extension to fewer bits");
        self.node(op, Type::Bv(width), [t.as_u32(), 0, 0])
    }

    /// The constant array with the given index width; panics when that is 0.
    pub fn const_array(&mut self, index: u32, elem: Term) -> Term {
        assert!(index >= 1, "an index has at least one bit");
        let ty = Type::Array {
            index,
            elem: self.width(elem),
        };
        self.node(Op::ConstArray, ty, [elem.as_u32(), 0, 0])
    }

    // ---- reading

    /// The operation of `t`.
    pub fn op(&self, t: Term) -> Op {
        self.nodes[t.index()].op
    }

    /// The type of `t`.
    pub fn ty(&self, t: Term) -> Type {
        self.nodes[t.index()].ty.into()
    }

    /// The width of a bit-vector term; panics on other types.
    pub fn width(&self, t: Term) -> u32 {
        match self.ty(t) {
            Type::Bv(w) => w,
            ty => panic!("a term of type {ty} has no width"),
        }
    }

    /// The arguments of `t`.
    pub fn args(
        &self,
        t: Term,
    ) -> impl DoubleEndedIterator<Item = Term> + ExactSizeIterator + use<> {
        let node = self.nodes[t.index()];
        let words = node.words;
        (0..node.op.arity()).map(move |i| Term::from_u32(words[i]))
    }

    /// Argument `i` of `t`.
    pub fn arg(&self, t: Term, i: usize) -> Term {
        let node = &self.nodes[t.index()];
        debug_assert!(i < node.op.arity());
        Term::from_u32(node.words[i])
    }

    /// The variable, if `t` is one.
    pub fn as_var(&self, t: Term) -> Option<Var> {
        let node = &self.nodes[t.index()];
        (node.op == Op::Var).then(|| Var::from_u32(node.words[0]))
    }

    /// The truth value, if `t` is a boolean constant.
    pub fn as_bool(&self, t: Term) -> Option<bool> {
        let node = &self.nodes[t.index()];
        (node.op == Op::BoolConst).then_some(node.words[0] == 1)
    }

    /// The value, if `t` is a bit-vector constant.
    pub fn as_bv(&self, t: Term) -> Option<Bv> {
        let node = &self.nodes[t.index()];
        if node.op != Op::BvConst {
            return None;
        }
        let [lo, hi, wide] = node.words;
        Some(if wide == WIDE {
            self.wide[lo as usize].clone()
        } else {
            Bv::new(self.width(t), u64::from(lo) | (u64::from(hi) << 32))
        })
    }

    /// Whether `t` is a constant of type bool or bit-vector.
    pub fn is_const(&self, t: Term) -> bool {
        matches!(self.op(t), Op::BoolConst | Op::BvConst)
    }

    /// High and low bit, if `t` is an extract.
    pub fn extract_bounds(&self, t: Term) -> Option<(u32, u32)> {
        let node = &self.nodes[t.index()];
        (node.op == Op::Extract).then(|| (node.words[1], node.words[2]))
    }

    pub(crate) fn params(&self, t: Term) -> Params {
        let node = &self.nodes[t.index()];
        match (node.op, Type::from(node.ty)) {
            (Op::Extract, _) => Params {
                hi: node.words[1],
                lo: node.words[2],
            },
            (Op::ZeroExt | Op::SignExt, Type::Bv(w)) => Params { hi: w, lo: 0 },
            (Op::ConstArray, Type::Array { index, .. }) => Params { hi: index, lo: 0 },
            _ => Params { hi: 0, lo: 0 },
        }
    }

    /// The node of `t` over other arguments, exactly as given (used to copy terms between pools).
    pub(crate) fn intern_like(&mut self, op: Op, params: Params, args: &[Term]) -> Term {
        match op {
            Op::Extract => self.intern_extract(params.hi, params.lo, args[0]),
            Op::ZeroExt | Op::SignExt => self.intern_extend(op, params.hi, args[0]),
            Op::ConstArray => self.const_array(params.hi, args[0]),
            _ => self.intern(op, args),
        }
    }

    /// The result type of a parameterless operation on these arguments, or what is wrong.
    pub fn check(&self, op: Op, args: &[Term]) -> Result<Type, String> {
        use Op::*;
        if args.len() != op.arity() {
            return Err(format!(
                "{op:?} takes {} arguments, not {}",
                op.arity(),
                args.len()
            ));
        }
        let ty = |i: usize| self.ty(args[i]);
        let expect = |i: usize, want: Type| {
            if ty(i) == want {
                Ok(())
            } else {
                Err(format!("{op:?} expects {want}, found {}", ty(i)))
            }
        };
        let bv_at = |i: usize| match ty(i) {
            Type::Bv(w) => Ok(w),
            other => Err(format!("{op:?} expects a bit-vector, found {other}")),
        };
        let array_at = |i: usize| match ty(i) {
            Type::Array { index, elem } => Ok((index, elem)),
            other => Err(format!("{op:?} expects an array, found {other}")),
        };
        Ok(match op {
            Not => expect(0, Type::Bool).map(|()| Type::Bool)?,
            And | Or => {
                expect(0, Type::Bool)?;
                expect(1, Type::Bool)?;
                Type::Bool
            }
            Eq => expect(1, ty(0)).map(|()| Type::Bool)?,
            Ite => {
                expect(0, Type::Bool)?;
                expect(2, ty(1))?;
                ty(1)
            }
            BvNot | BvNeg => Type::Bv(bv_at(0)?),
            BvAnd | BvOr | BvXor | BvAdd | BvSub | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem
            | BvSmod | BvShl | BvLshr | BvAshr => {
                let w = bv_at(0)?;
                expect(1, Type::Bv(w))?;
                Type::Bv(w)
            }
            BvUlt | BvUle | BvSlt | BvSle | BvUaddo | BvSaddo | BvUsubo | BvSsubo | BvUmulo
            | BvSmulo => {
                let w = bv_at(0)?;
                expect(1, Type::Bv(w))?;
                Type::Bool
            }
            Concat => {
                let w = u64::from(bv_at(0)?) + u64::from(bv_at(1)?);
                if w > u64::from(Type::MAX_WIDTH) {
                    return Err(format!(
                        "a concatenation of {w} bits exceeds the widest type"
                    ));
                }
                Type::Bv(w as u32)
            }
            Select => {
                let (index, elem) = array_at(0)?;
                expect(1, Type::Bv(index))?;
                Type::Bv(elem)
            }
            Store => {
                let (index, elem) = array_at(0)?;
                expect(1, Type::Bv(index))?;
                expect(2, Type::Bv(elem))?;
                ty(0)
            }
            BoolConst | BvConst | Var | Extract | ZeroExt | SignExt | ConstArray => {
                return Err(format!("{op:?} has a constructor of its own"));
            }
        })
    }
}
