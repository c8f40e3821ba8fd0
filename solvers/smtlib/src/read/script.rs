//! Scripts: the commands of SMT-LIB 2 that change or ask a solver.

use super::{ReadError, Scope, TermReader, meaning, read_type};
use crate::sexpr::{Forest, Node};
use trellis_ivl::{Term, TermPool, Type};

/// A command with a meaning for a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `assert`.
    Assert(Term),
    /// `push`.
    Push(usize),
    /// `pop`.
    Pop(usize),
    /// `check-sat` or `check-sat-assuming`, with the status that a `set-info` before it states.
    Check {
        /// What holds for this query only.
        assumptions: Vec<Term>,
        /// Satisfiable or not, if the script says so.
        status: Option<bool>,
    },
    /// `get-value`.
    GetValue(Vec<Term>),
    /// `get-unsat-assumptions` or `get-unsat-core`.
    GetCore,
    /// `set-info :answer`, which a recorded script has after a query: satisfiable, unsatisfiable, or neither.
    Answer(Option<bool>),
}

/// Reads the commands of a script one by one; remembers declarations and scopes.
#[derive(Default)]
pub struct ScriptReader {
    scope: Scope,
    /// Names per level, unless declarations are global.
    levels: Vec<Vec<String>>,
    global: bool,
    status: Option<bool>,
    finished: bool,
}

/// All commands of a script.
pub fn read_script(pool: &mut TermPool, text: &str) -> Result<Vec<Command>, ReadError> {
    let forest = Forest::parse(text)?;
    let mut reader = ScriptReader::default();
    let mut commands = Vec::new();
    for &node in forest.roots() {
        commands.extend(reader.command(pool, &forest, node)?);
    }
    Ok(commands)
}

fn satisfiable(status: Option<&str>) -> Option<bool> {
    match status {
        Some("sat") => Some(true),
        Some("unsat") => Some(false),
        _ => None,
    }
}

impl ScriptReader {
    /// The next command; `None` for one that only declares or configures, and for all after `exit`.
    pub fn command(
        &mut self,
        pool: &mut TermPool,
        forest: &Forest<'_>,
        node: Node,
    ) -> Result<Option<Command>, ReadError> {
        let error = |message: &str| meaning(forest, node, message);
        let Some([head, args @ ..]) = forest.list(node) else {
            return Err(error("not a command"));
        };
        if self.finished {
            return Ok(None);
        }
        match (forest.atom(*head).unwrap_or_default(), args) {
            ("set-logic" | "echo" | "get-info" | "get-model" | "get-option", _) => {}
            ("exit", _) => self.finished = true,
            ("set-option", [key, value]) => {
                if forest.atom(*key) == Some(":global-declarations") {
                    self.global = forest.atom(*value) == Some("true");
                }
            }
            ("set-info", [key, value]) if forest.atom(*key) == Some(":status") => {
                self.status = satisfiable(forest.atom(*value));
            }
            ("set-info", [key, value]) if forest.atom(*key) == Some(":answer") => {
                return Ok(Some(Command::Answer(satisfiable(forest.atom(*value)))));
            }
            ("set-info", _) => {}
            ("declare-const", [name, ty]) => self.declare(pool, forest, *name, *ty)?,
            ("declare-fun", [name, params, ty]) if forest.list(*params) == Some(&[]) => {
                self.declare(pool, forest, *name, *ty)?;
            }
            ("define-fun", [name, params, ty, body]) if forest.list(*params) == Some(&[]) => {
                self.define(pool, forest, *name, read_type(forest, *ty)?, *body)?;
            }
            ("define-const", [name, ty, body]) => {
                self.define(pool, forest, *name, read_type(forest, *ty)?, *body)?;
            }
            ("assert", [t]) => {
                return self
                    .formula(pool, forest, *t)
                    .map(|t| Some(Command::Assert(t)));
            }
            ("push" | "pop", [] | [_]) => {
                let text = args.first().map_or(Some("1"), |&n| forest.atom(n));
                let n: usize = (text.and_then(|n| n.parse().ok()))
                    .ok_or_else(|| error("not a number of levels"))?;
                return self
                    .levels(forest.atom(*head) == Some("push"), n, error)
                    .map(Some);
            }
            ("check-sat", []) => return Ok(Some(self.check(Vec::new()))),
            ("check-sat-assuming", [list]) => {
                let list = forest.list(*list).ok_or_else(|| error("not a list"))?;
                let assumptions: Result<_, _> =
                    (list.iter().map(|&t| self.formula(pool, forest, t))).collect();
                return Ok(Some(self.check(assumptions?)));
            }
            ("get-value", [list]) => {
                let list = forest.list(*list).ok_or_else(|| error("not a list"))?;
                let terms: Result<_, _> =
                    (list.iter().map(|&t| self.term(pool, forest, t))).collect();
                return Ok(Some(Command::GetValue(terms?)));
            }
            ("get-unsat-assumptions" | "get-unsat-core", []) => return Ok(Some(Command::GetCore)),
            _ => return Err(error("a command that is not understood")),
        }
        Ok(None)
    }

    fn check(&mut self, assumptions: Vec<Term>) -> Command {
        let status = self.status.take();
        Command::Check {
            assumptions,
            status,
        }
    }

    fn levels(
        &mut self,
        push: bool,
        n: usize,
        error: impl Fn(&str) -> ReadError,
    ) -> Result<Command, ReadError> {
        if push {
            // A number of levels is text: no more are made than a session could keep.
            if n > 1 << 20 {
                return Err(error("too many levels"));
            }
            self.levels.resize_with(self.levels.len() + n, Vec::new);
            return Ok(Command::Push(n));
        }
        let left = self.levels.len().checked_sub(n);
        let left = left.ok_or_else(|| error("more levels than are open"))?;
        for names in self.levels.split_off(left) {
            for name in names {
                self.scope.unbind(&name);
            }
        }
        Ok(Command::Pop(n))
    }

    fn declare(
        &mut self,
        pool: &mut TermPool,
        forest: &Forest<'_>,
        name: Node,
        ty: Node,
    ) -> Result<(), ReadError> {
        let ty = read_type(forest, ty)?;
        let text = self.new_name(forest, name)?;
        let v = pool.fresh(text.clone(), ty);
        let t = pool.var(v);
        self.bind(text, t);
        Ok(())
    }

    fn define(
        &mut self,
        pool: &mut TermPool,
        forest: &Forest<'_>,
        name: Node,
        ty: Type,
        body: Node,
    ) -> Result<(), ReadError> {
        let text = self.new_name(forest, name)?;
        let t = self.term(pool, forest, body)?;
        if pool.ty(t) != ty {
            let message = format!("defined with sort {ty} by a term of type {}", pool.ty(t));
            return Err(meaning(forest, body, message));
        }
        self.bind(text, t);
        Ok(())
    }

    fn new_name(&self, forest: &Forest<'_>, name: Node) -> Result<String, ReadError> {
        match forest.atom(name) {
            Some(text) if self.scope.get(text).is_none() => Ok(text.to_string()),
            _ => Err(meaning(forest, name, "not a new name")),
        }
    }

    fn bind(&mut self, name: String, t: Term) {
        self.scope.bind(&name, t);
        if !self.global
            && let Some(level) = self.levels.last_mut()
        {
            level.push(name);
        }
    }

    fn term(
        &mut self,
        pool: &mut TermPool,
        forest: &Forest<'_>,
        node: Node,
    ) -> Result<Term, ReadError> {
        TermReader {
            pool,
            scope: &mut self.scope,
            forest,
        }
        .term(node)
    }

    fn formula(
        &mut self,
        pool: &mut TermPool,
        forest: &Forest<'_>,
        node: Node,
    ) -> Result<Term, ReadError> {
        let t = self.term(pool, forest, node)?;
        match pool.ty(t) {
            Type::Bool => Ok(t),
            ty => Err(meaning(
                forest,
                node,
                format!("a formula is needed, not a {ty}"),
            )),
        }
    }
}
