//! What an execution computes, as values and beside them as terms over what it was given.
//!
//! Arrays are followed cell by cell: where an index has symbols it is held at its value, which is a condition like that of a branch.
//! Cells of memory with any initial content are given like inputs.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use trellis_ivl::{Bv, Evaluator, Op, Program, Scope, Script, Term, TermPool, Type, Value, Var};

/// Cells of a table that is looked into at an index with symbols.
const CELLS: usize = 64;

/// What a variable holds, where that has symbols.
#[derive(Clone)]
pub enum Symbolic {
    /// A word or a truth value.
    Word(Term),
    /// An array.
    Array(Rc<Cells>),
}

/// An array by its cells.
#[derive(Clone, Default)]
pub struct Cells {
    /// The memory whose initial content it has where nothing was written.
    initial: Option<Var>,
    /// What was written, nothing where that has no symbols.
    written: BTreeMap<Bv, Option<Term>>,
}

/// The state of an execution.
pub struct Symbols {
    values: Vec<Value>,
    symbols: FxHashMap<Var, Symbolic>,
    evaluator: Evaluator,
    /// Conditions under which the terms are what is computed, since they were taken last.
    held: Vec<Term>,
    /// The symbol of each initial cell that was read.
    cells: BTreeMap<(Var, Bv), Term>,
}

impl Symbols {
    /// The state in which the script begins.
    pub fn new(program: &Program, script: &Script) -> Symbols {
        let vars = program.pool.vars().iter();
        let mut symbols = FxHashMap::default();
        let mut values = Vec::with_capacity(program.pool.vars().len());
        for (v, data) in vars {
            let given = script.initial.get(&v).cloned();
            values.push(given.unwrap_or_else(|| Value::zero(data.ty)));
            if data.ty.is_array() && data.scope == Scope::Global {
                let cells = Cells {
                    initial: Some(v),
                    ..Cells::default()
                };
                symbols.insert(v, Symbolic::Array(Rc::new(cells)));
            }
        }
        Symbols {
            values,
            symbols,
            evaluator: Evaluator::new(),
            held: Vec::new(),
            cells: BTreeMap::new(),
        }
    }

    /// What a variable holds.
    pub fn get(&self, v: Var) -> (Value, Option<Symbolic>) {
        let value = self.values[v.as_u32() as usize].clone();
        (value, self.symbols.get(&v).cloned())
    }

    /// Sets a variable.
    pub fn set(&mut self, v: Var, (value, symbolic): (Value, Option<Symbolic>)) {
        self.values[v.as_u32() as usize] = value;
        match symbolic {
            Some(symbolic) => self.symbols.insert(v, symbolic),
            None => self.symbols.remove(&v),
        };
    }

    /// Conditions under which the terms since the last call are what is computed.
    pub fn take_held(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.held)
    }

    /// The initial cells that were read, with their symbols.
    pub fn cells(&self) -> impl Iterator<Item = (Var, &Bv, Term)> {
        self.cells.iter().map(|((v, at), t)| (*v, at, *t))
    }

    /// The value of a term, and the term over symbols if there are any in it.
    pub fn eval(&mut self, pool: &mut TermPool, t: Term) -> (Value, Option<Symbolic>) {
        self.evaluator.new_round();
        let value = self.value(pool, t);
        (value, self.symbolic(pool, t))
    }

    /// A condition over symbols, if there are any in it.
    pub fn condition(&mut self, pool: &mut TermPool, t: Term) -> Option<Term> {
        self.evaluator.new_round();
        match self.symbolic(pool, t) {
            Some(Symbolic::Word(t)) if !pool.is_const(t) => Some(t),
            _ => None,
        }
    }

    fn value(&mut self, pool: &TermPool, t: Term) -> Value {
        let values = &self.values;
        let var = |v: Var| values[v.as_u32() as usize].clone();
        self.evaluator.eval(pool, t, var)
    }

    /// In a round of the evaluator.
    fn symbolic(&mut self, pool: &mut TermPool, t: Term) -> Option<Symbolic> {
        if self.symbols.is_empty() {
            return None;
        }
        let mut known: FxHashMap<Term, Symbolic> = FxHashMap::default();
        for u in pool.post_order([t]) {
            let found = match pool.as_var(u) {
                Some(v) => self.symbols.get(&v).cloned(),
                None if pool.args(u).any(|a| known.contains_key(&a)) => {
                    self.operation(pool, u, &known)
                }
                None => None,
            };
            match found {
                Some(Symbolic::Word(t)) if pool.is_const(t) => {}
                Some(found) => _ = known.insert(u, found),
                None => {}
            }
        }
        known.remove(&t)
    }

    fn operation(
        &mut self,
        pool: &mut TermPool,
        u: Term,
        known: &FxHashMap<Term, Symbolic>,
    ) -> Option<Symbolic> {
        let args: Vec<Term> = pool.args(u).collect();
        match (pool.op(u), &args[..]) {
            (Op::Select, &[a, i]) => self.select(pool, a, i, known),
            (Op::Store, &[a, i, e]) => {
                let mut cells = match known.get(&a) {
                    Some(Symbolic::Array(cells)) => (**cells).clone(),
                    _ => Cells::default(),
                };
                let e = word(known.get(&e));
                let at = self.hold(pool, i, known)?;
                cells.written.insert(at, e);
                Some(Symbolic::Array(Rc::new(cells)))
            }
            (Op::Ite, &[c, a, b]) if pool.ty(u).is_array() => {
                let holds = self.value(pool, c) == Value::Bool(true);
                if let Some(c) = word(known.get(&c)) {
                    let here = if holds { c } else { pool.not(c) };
                    self.held.push(here);
                }
                known.get(if holds { &a } else { &b }).cloned()
            }
            _ if args.iter().any(|&a| pool.ty(a).is_array()) || pool.ty(u).is_array() => None,
            _ => {
                let mut over = Vec::with_capacity(args.len());
                for a in args {
                    over.push(match word(known.get(&a)) {
                        Some(t) => t,
                        None => {
                            let value = self.value(pool, a);
                            pool.value(&value)
                        }
                    });
                }
                Some(Symbolic::Word(pool.rebuild(u, &over)))
            }
        }
    }

    fn select(
        &mut self,
        pool: &mut TermPool,
        a: Term,
        i: Term,
        known: &FxHashMap<Term, Symbolic>,
    ) -> Option<Symbolic> {
        let cells = match known.get(&a) {
            Some(Symbolic::Array(cells)) => cells.clone(),
            _ => Rc::default(),
        };
        if let (Some(index), None) = (word(known.get(&i)), cells.initial)
            && let Value::Array(array) = self.value(pool, a)
            && array.entries().count() <= CELLS
        {
            let mut table = pool.value(&Value::Array(array));
            for (at, e) in &cells.written {
                if let Some(e) = *e {
                    let at = pool.bv(at.clone());
                    table = pool.store(table, at, e);
                }
            }
            return Some(Symbolic::Word(pool.select(table, index)));
        }
        let at = self.hold(pool, i, known)?;
        let found = match (cells.written.get(&at), cells.initial) {
            (Some(written), _) => (*written)?,
            (None, Some(v)) => self.cell(pool, v, at)?,
            (None, None) => return None,
        };
        Some(Symbolic::Word(found))
    }

    /// The symbol of an initial cell.
    fn cell(&mut self, pool: &mut TermPool, v: Var, at: Bv) -> Option<Term> {
        let Type::Array { elem, .. } = pool.var_ty(v) else {
            return None;
        };
        let symbol = self.cells.entry((v, at)).or_insert_with(|| {
            let symbol = pool.fresh("cell", Type::Bv(elem));
            pool.var(symbol)
        });
        Some(*symbol)
    }

    /// The value of an index, at which it is held if it has symbols.
    fn hold(
        &mut self,
        pool: &mut TermPool,
        i: Term,
        known: &FxHashMap<Term, Symbolic>,
    ) -> Option<Bv> {
        let Value::Bv(at) = self.value(pool, i) else {
            return None;
        };
        if let Some(index) = word(known.get(&i)) {
            let here = pool.bv(at.clone());
            let is_here = pool.eq(index, here);
            self.held.push(is_here);
        }
        Some(at)
    }
}

fn word(symbolic: Option<&Symbolic>) -> Option<Term> {
    match symbolic {
        Some(Symbolic::Word(t)) => Some(*t),
        _ => None,
    }
}
