//! The copy of the terms without constant arrays, and the instances that say what was left out.

use rustc_hash::{FxHashMap, FxHashSet};
use std::mem;
use trellis_ivl::walk::Importer;
use trellis_ivl::{Op, Term, TermPool, Type, Var};

/// A constant array, replaced by a variable.
pub(super) struct Base {
    /// The variable that stands for it.
    pub array: Term,
    /// The element it holds everywhere.
    pub element: Term,
    /// How many indices of its component have been instantiated.
    done: usize,
}

/// Array terms linked by stores, if-then-elses and equations: an index of one may matter to all.
#[derive(Default)]
pub(super) struct Component {
    /// Index terms, each once.
    pub indices: Vec<Term>,
    members: FxHashSet<Term>,
    /// Numbers of the constant arrays among them.
    pub bases: Vec<usize>,
    /// Equations without a witness yet.
    equations: Vec<Term>,
}

/// Copies terms into a pool of its own.
#[derive(Default)]
pub(super) struct Lowering {
    /// Where the copies live.
    pub pool: TermPool,
    copied: Importer,
    to: FxHashMap<Var, Var>,
    from: FxHashMap<Var, Var>,
    /// The constant arrays met.
    pub bases: Vec<Base>,
    nodes: FxHashMap<Term, usize>,
    parents: Vec<usize>,
    components: Vec<Component>,
    instances: FxHashSet<(usize, Term)>,
}

impl Lowering {
    /// The copy of `t`.
    pub fn lower(&mut self, source: &TermPool, t: Term) -> Term {
        let mut copied = std::mem::take(&mut self.copied);
        let t = copied.import_with(source, t, |u, args| self.copy(source, u, args));
        self.copied = copied;
        t
    }

    fn copy(&mut self, source: &TermPool, u: Term, args: &[Term]) -> Term {
        let pool = &mut self.pool;
        let copy = match source.op(u) {
            Op::BoolConst => pool.bool(source.as_bool(u) == Some(true)),
            Op::BvConst => pool.bv(source.as_bv(u).expect("a constant has a value")),
            Op::Var => {
                let v = source.as_var(u).expect("a variable node");
                let data = source.var_data(v);
                let ours = pool.fresh(data.name.clone(), data.ty);
                self.to.insert(v, ours);
                self.from.insert(ours, v);
                pool.var(ours)
            }
            Op::ConstArray => {
                let k = pool.fresh("const", source.ty(u));
                let array = pool.var(k);
                let base = self.bases.len();
                self.bases.push(Base {
                    array,
                    element: args[0],
                    done: 0,
                });
                let root = self.root(array);
                self.components[root].bases.push(base);
                array
            }
            Op::Extract => {
                let (hi, lo) = source.extract_bounds(u).expect("an extract node");
                pool.intern_extract(hi, lo, args[0])
            }
            op @ (Op::ZeroExt | Op::SignExt) => pool.intern_extend(op, source.width(u), args[0]),
            op => pool.intern(op, args),
        };
        self.link(copy);
        copy
    }

    /// Notes what an array operation links.
    fn link(&mut self, t: Term) {
        let pool = &self.pool;
        let args: Vec<Term> = pool.args(t).collect();
        match pool.op(t) {
            Op::Select => self.add_index(args[0], args[1]),
            Op::Store => {
                self.join(t, args[0]);
                self.add_index(t, args[1]);
            }
            Op::Ite if pool.ty(t).is_array() => {
                self.join(t, args[1]);
                self.join(t, args[2]);
            }
            Op::Eq if pool.ty(args[0]).is_array() => {
                self.join(args[0], args[1]);
                let root = self.root(args[0]);
                self.components[root].equations.push(t);
            }
            _ => {}
        }
    }

    fn root(&mut self, array: Term) -> usize {
        let next = self.parents.len();
        let mut node = *self.nodes.entry(array).or_insert(next);
        if node == next {
            self.parents.push(next);
            self.components.push(Component::default());
        }
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    fn join(&mut self, a: Term, b: Term) {
        let (mut large, mut small) = (self.root(a), self.root(b));
        if large == small {
            return;
        }
        if self.components[large].indices.len() < self.components[small].indices.len() {
            mem::swap(&mut large, &mut small);
        }
        self.parents[small] = large;
        let Component {
            indices,
            bases,
            equations,
            ..
        } = mem::take(&mut self.components[small]);
        let into = &mut self.components[large];
        for index in indices {
            if into.members.insert(index) {
                into.indices.push(index);
            }
        }
        into.equations.extend(equations);
        for base in bases {
            // Its position in the old list means nothing in the new one; `instances` drops repetitions.
            self.bases[base].done = 0;
            into.bases.push(base);
        }
    }

    fn add_index(&mut self, array: Term, index: Term) {
        let root = self.root(array);
        let component = &mut self.components[root];
        if component.members.insert(index) {
            component.indices.push(index);
        }
    }

    /// The component of an array term.
    pub fn component(&mut self, array: Term) -> &Component {
        let root = self.root(array);
        &self.components[root]
    }

    /// Instances not given out before. All are true of constant arrays, so they may always be asserted.
    pub fn new_instances(&mut self) -> Vec<Term> {
        let mut out = Vec::new();
        for base in 0..self.bases.len() {
            let array = self.bases[base].array;
            let root = self.root(array);
            for equation in mem::take(&mut self.components[root].equations) {
                let witness = self.witness(equation);
                out.push(witness);
            }
            while let Some(&index) = self.components[root].indices.get(self.bases[base].done) {
                self.bases[base].done += 1;
                if self.instances.insert((base, index)) {
                    let read = self.pool.intern(Op::Select, &[array, index]);
                    out.push(self.pool.eq(read, self.bases[base].element));
                }
            }
        }
        out
    }

    /// Extensionality with the witness as a variable, so that it is an index to instantiate with.
    fn witness(&mut self, equation: Term) -> Term {
        let (a, b) = (self.pool.arg(equation, 0), self.pool.arg(equation, 1));
        let Type::Array { index, .. } = self.pool.ty(a) else {
            unreachable!("only equations between arrays are noted");
        };
        let v = self.pool.fresh("differ", Type::Bv(index));
        let at = self.pool.var(v);
        let x = self.pool.intern(Op::Select, &[a, at]);
        let y = self.pool.intern(Op::Select, &[b, at]);
        self.add_index(a, at);
        let differ = self.pool.ne(x, y);
        self.pool.or(equation, differ)
    }

    /// Makes a constant an index of the component of `array`.
    pub fn add_constant_index(&mut self, array: Term, index: Term) {
        self.add_index(array, index);
    }

    /// The copy of a source variable, if it was met.
    pub fn lowered_var(&self, v: Var) -> Option<Var> {
        self.to.get(&v).copied()
    }

    /// The source variable of a copy; none for a variable that was made here.
    pub fn source_var(&self, v: Var) -> Option<Var> {
        self.from.get(&v).copied()
    }
}
