//! Reading terms and scripts: what [`print`](crate::print) writes, and QF_ABV as others write it.
//!
//! An operation that the IVL has is interned exactly as it is written, so that a script read back is the
//! problem that was recorded; derived ones (`distinct`, `bvcomp`, `rotate_left`, ...) go through the builder.

mod apply;
mod script;

use crate::sexpr::{Forest, Node, SexprError, View};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use thiserror::Error;
use trellis_ivl::{ArrayValue, Bv, Op, Term, TermPool, Type, Value, Var};

pub use script::{Command, ScriptReader, read_script};

/// What is wrong with a text (user's input, or a solver that answers nonsense).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// It is not even s-expressions.
    #[error(transparent)]
    Sexpr(#[from] SexprError),
    /// An s-expression that we cannot give a meaning to.
    #[error("{message}: {excerpt}")]
    Meaning {
        /// What is wrong.
        message: String,
        /// The beginning of the s-expression.
        excerpt: String,
    },
}

/// A function of one argument, defined by a model or a `lambda`.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub parameter: String,
    pub index: u32,
    pub body: Node,
}

/// Terms and functions by name.
#[derive(Default)]
pub struct Scope {
    symbols: FxHashMap<String, Vec<Term>>,
    pub(crate) functions: FxHashMap<String, Function>,
}

impl Scope {
    /// A scope without names.
    pub fn new() -> Scope {
        Scope::default()
    }

    /// Binds a name, hiding what it was bound to.
    pub fn bind(&mut self, name: &str, t: Term) {
        self.symbols.entry(name.to_string()).or_default().push(t);
    }

    /// Undoes the last binding of a name.
    pub fn unbind(&mut self, name: &str) {
        if let Some(stack) = self.symbols.get_mut(name) {
            stack.pop();
            if stack.is_empty() {
                self.symbols.remove(name);
            }
        }
    }

    /// What a name is bound to.
    pub fn get(&self, name: &str) -> Option<Term> {
        self.symbols.get(name)?.last().copied()
    }
}

/// Reads terms of one forest.
pub(crate) struct TermReader<'a, 't> {
    pub pool: &'a mut TermPool,
    pub scope: &'a mut Scope,
    pub forest: &'a Forest<'t>,
}

/// What is left to do; the last first.
enum Task<'a> {
    Visit(Node),
    /// Applies to the last `usize` results.
    Apply(Node, &'a [Node], usize),
    /// Binds the last results to the names of a `let`, then visits its body.
    Bind(&'a [Node], Node),
    Unbind(&'a [Node]),
    /// The last result is the body of a `lambda` over this variable.
    Tabulate(Node, Var, String),
}

pub(crate) fn meaning(forest: &Forest<'_>, node: Node, message: impl Into<String>) -> ReadError {
    ReadError::Meaning {
        message: message.into(),
        excerpt: forest.excerpt(node, 120),
    }
}

impl<'a> TermReader<'a, '_> {
    fn error(&self, node: Node, message: impl Into<String>) -> ReadError {
        meaning(self.forest, node, message)
    }

    /// The term that `root` denotes.
    pub fn term(&mut self, root: Node) -> Result<Term, ReadError> {
        let forest: &'a Forest<'_> = self.forest;
        let mut results: Vec<Term> = Vec::new();
        let mut tasks = vec![Task::Visit(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(node) => match forest.view(node) {
                    View::Atom(name) => results.push(self.atom(node, name)?),
                    View::Text(_) => return Err(self.error(node, "a string is no term")),
                    View::List(elements) => self.open(node, elements, &mut tasks, &mut results)?,
                },
                Task::Apply(node, head, n) => {
                    let args = results.split_off(results.len() - n);
                    results.push(self.apply(node, head, &args)?);
                }
                Task::Bind(bindings, body) => {
                    let terms = results.split_off(results.len() - bindings.len());
                    for (&binding, t) in bindings.iter().zip(terms) {
                        self.scope.bind(binding_name(forest, binding), t);
                    }
                    tasks.push(Task::Unbind(bindings));
                    tasks.push(Task::Visit(body));
                }
                Task::Unbind(bindings) => {
                    for &binding in bindings {
                        self.scope.unbind(binding_name(forest, binding));
                    }
                }
                Task::Tabulate(node, parameter, name) => {
                    self.scope.unbind(&name);
                    let body = results.pop().expect("the body was just read");
                    results.push(self.tabulate(node, parameter, body)?);
                }
            }
        }
        Ok(results.pop().expect("the root leaves one result"))
    }

    /// Schedules what a list needs.
    fn open(
        &mut self,
        node: Node,
        elements: &'a [Node],
        tasks: &mut Vec<Task<'a>>,
        results: &mut Vec<Term>,
    ) -> Result<(), ReadError> {
        let forest: &'a Forest<'_> = self.forest;
        let Some((&head, args)) = elements.split_first() else {
            return Err(self.error(node, "an empty list is no term"));
        };
        match (forest.atom(head), args) {
            (Some("_"), [kind, name]) if forest.atom(*kind) == Some("as-array") => {
                let name = forest.atom(*name).unwrap_or_default();
                let Some(f) = self.scope.functions.get(name).cloned() else {
                    return Err(self.error(node, "no such function"));
                };
                let v = self.pool.fresh(f.parameter.clone(), Type::Bv(f.index));
                let parameter = self.pool.var(v);
                self.scope.bind(&f.parameter, parameter);
                tasks.push(Task::Tabulate(node, v, f.parameter));
                tasks.push(Task::Visit(f.body));
            }
            (Some("_"), _) => results.push(self.indexed_constant(node, args)?),
            (Some("let"), [bindings, body]) => {
                let bindings = forest
                    .list(*bindings)
                    .ok_or_else(|| self.error(node, "`let` without bindings"))?;
                tasks.push(Task::Bind(bindings, *body));
                for &binding in bindings.iter().rev() {
                    match forest.list(binding) {
                        Some(&[name, t]) if forest.atom(name).is_some() => {
                            tasks.push(Task::Visit(t));
                        }
                        _ => return Err(self.error(binding, "not a binding")),
                    }
                }
            }
            (Some("lambda"), [parameters, body]) => {
                let (name, width) = self.lambda_parameter(*parameters)?;
                let v = self.pool.fresh(name, Type::Bv(width));
                let parameter = self.pool.var(v);
                self.scope.bind(name, parameter);
                tasks.push(Task::Tabulate(node, v, name.to_string()));
                tasks.push(Task::Visit(*body));
            }
            (Some("!"), [t, ..]) => tasks.push(Task::Visit(*t)),
            _ => {
                tasks.push(Task::Apply(
                    node,
                    std::slice::from_ref(&elements[0]),
                    args.len(),
                ));
                tasks.extend(args.iter().rev().map(|&a| Task::Visit(a)));
            }
        }
        Ok(())
    }

    fn lambda_parameter(&self, node: Node) -> Result<(&'a str, u32), ReadError> {
        let forest: &'a Forest<'_> = self.forest;
        if let Some(&[parameter]) = forest.list(node)
            && let Some(&[name, ty]) = forest.list(parameter)
            && let Some(name) = forest.atom(name)
            && let Type::Bv(width) = read_type(forest, ty)?
        {
            return Ok((name, width));
        }
        Err(self.error(node, "a lambda needs one bit-vector parameter"))
    }

    fn atom(&mut self, node: Node, name: &str) -> Result<Term, ReadError> {
        if let Some(t) = self.scope.get(name) {
            return Ok(t);
        }
        if let Some(v) = literal(name) {
            return Ok(self.pool.bv(v));
        }
        match name {
            "true" => Ok(self.pool.tru()),
            "false" => Ok(self.pool.fls()),
            _ => Err(self.error(node, "unknown symbol")),
        }
    }

    /// `(_ bvN w)`.
    fn indexed_constant(&mut self, node: Node, args: &[Node]) -> Result<Term, ReadError> {
        if let &[number, width] = args
            && let Some(number) = self.forest.atom(number).and_then(|n| n.strip_prefix("bv"))
            && let Some(number) = BigUint::parse_bytes(number.as_bytes(), 10)
            && let Some(width) = self.forest.atom(width).and_then(width_number)
        {
            return Ok(self.pool.bv(Bv::from_biguint(width, number)));
        }
        Err(self.error(node, "not a constant"))
    }

    /// The array that maps the parameter to `body`, when finitely many points decide it: the constants the
    /// parameter is compared with and one other, or all points of a small index.
    fn tabulate(&mut self, node: Node, parameter: Var, body: Term) -> Result<Term, ReadError> {
        let pool = &mut *self.pool;
        let Type::Bv(width) = pool.var_ty(parameter) else {
            unreachable!("made with a bit-vector type");
        };
        let parts = pool.post_order([body]);
        let bv_body = matches!(pool.ty(body), Type::Bv(_));
        let closed = parts
            .iter()
            .all(|&t| pool.as_var(t).is_none_or(|v| v == parameter));
        if !closed || !bv_body {
            return Err(self.error(
                node,
                "a lambda of a value must be closed and of bit-vectors",
            ));
        }
        let p = pool.var(parameter);
        let compares_only = parts.iter().all(|&t| {
            let mentions = pool.args(t).any(|a| a == p);
            let other = pool.args(t).find(|&a| a != p);
            !mentions || (pool.op(t) == Op::Eq && other.is_some_and(|a| pool.is_const(a)))
        });
        let mut points: Vec<Bv> = if body != p && compares_only {
            let constants = parts.iter().filter_map(|&t| pool.as_bv(t));
            constants.filter(|c| c.width() == width).collect()
        } else if width <= 12 {
            (0..1 << width).map(|i| Bv::new(width, i)).collect()
        } else {
            return Err(self.error(node, "a lambda that is no table"));
        };
        points.sort();
        points.dedup();
        let at = |point: &Bv| {
            let v = pool.eval(body, |_| Value::Bv(point.clone()));
            v.as_bv().expect("checked above").clone()
        };
        let other = (0..=points.len() as u64)
            .map(|i| Bv::new(width, i))
            .find(|i| points.binary_search(i).is_err())
            .unwrap_or_else(|| Bv::zero(width));
        let mut array = ArrayValue::constant(width, at(&other));
        for point in points {
            let e = at(&point);
            array = array.store(point, e);
        }
        Ok(self.pool.value(&array.into()))
    }
}

fn binding_name<'f>(forest: &'f Forest<'_>, binding: Node) -> &'f str {
    let name = forest.list(binding).and_then(|b| forest.atom(b[0]));
    name.expect("checked when the `let` was opened")
}

/// `#b` and `#x` literals.
pub(crate) fn literal(text: &str) -> Option<Bv> {
    let (digits, radix, bits) = match text.strip_prefix("#b") {
        Some(digits) => (digits, 2, 1),
        None => (text.strip_prefix("#x")?, 16, 4),
    };
    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
    let valid = (1..=Type::MAX_WIDTH).contains(&width) && !digits.starts_with(['+', '-', '_']);
    let number = BigUint::parse_bytes(digits.as_bytes(), radix).filter(|_| valid)?;
    Some(Bv::from_biguint(width, number))
}

/// A width from 1 to the widest.
pub(crate) fn width_number(text: &str) -> Option<u32> {
    let width = text.parse().ok()?;
    (1..=Type::MAX_WIDTH).contains(&width).then_some(width)
}

/// A sort.
pub(crate) fn read_type(forest: &Forest<'_>, node: Node) -> Result<Type, ReadError> {
    if forest.atom(node) == Some("Bool") {
        return Ok(Type::Bool);
    }
    if let Some(&[head, kind, rest]) = forest.list(node) {
        match (forest.atom(head), forest.atom(kind)) {
            (Some("_"), Some("BitVec")) => {
                if let Some(width) = forest.atom(rest).and_then(width_number) {
                    return Ok(Type::Bv(width));
                }
            }
            (Some("Array"), None) => {
                if let (Type::Bv(index), Type::Bv(elem)) =
                    (read_type(forest, kind)?, read_type(forest, rest)?)
                {
                    return Ok(Type::Array { index, elem });
                }
            }
            _ => {}
        }
    }
    Err(meaning(forest, node, "not a sort of QF_ABV"))
}
