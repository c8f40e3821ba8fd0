//! Operator precedence for the flat list `Cast (op Cast)*` of the grammar (shunting yard, incremental).

use super::state::State;
use crate::ast::{BinOp, Expr};

/// Operands and pending operators; strengths strictly increase along `rest`.
pub struct Ops {
    first: Expr,
    rest: Vec<(BinOp, Expr)>,
}

impl Ops {
    /// One operand.
    pub fn new(first: Expr) -> Self {
        Ops {
            first,
            rest: Vec::new(),
        }
    }

    /// Appends `op operand`, closing what binds at least as tight (all operators but `==>` associate
    /// left).
    pub fn push(mut self, s: &State, op: BinOp, operand: Expr) -> Self {
        while self
            .rest
            .last()
            .is_some_and(|(top, _)| top.precedence() >= op.precedence() && *top != BinOp::Implies)
        {
            self.close(s);
        }
        self.rest.push((op, operand));
        self
    }

    /// The whole expression.
    pub fn finish(mut self, s: &State) -> Expr {
        while !self.rest.is_empty() {
            self.close(s);
        }
        self.first
    }

    fn close(&mut self, s: &State) {
        if let Some((op, right)) = self.rest.pop() {
            let left = self.rest.last_mut().map_or(&mut self.first, |(_, e)| e);
            *left = s.binary(op, *left, right);
        }
    }
}
