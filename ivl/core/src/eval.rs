//! Evaluation of terms under an assignment of values to variables.

use crate::entity::{Term, Var};
use crate::op::{Op, Params, apply};
use crate::pool::TermPool;
use crate::value::Value;

/// Evaluates terms; keeps its buffers between calls, so that evaluating often is cheap.
///
/// Results are remembered for one *round*; [`Evaluator::new_round`] forgets them all in constant
/// time and must be called whenever the assignment changes.
#[derive(Default)]
pub struct Evaluator {
    /// Value and the round that computed it, by term number.
    cache: Vec<(u32, Option<Value>)>,
    round: u32,
    stack: Vec<Term>,
}

impl Evaluator {
    /// An evaluator with nothing remembered.
    pub fn new() -> Evaluator {
        Evaluator {
            round: 1,
            ..Evaluator::default()
        }
    }

    /// Forgets all results: the assignment is about to change.
    pub fn new_round(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.cache.clear();
            self.round = 1;
        }
    }

    fn known(&self, t: Term) -> Option<&Value> {
        match self.cache.get(t.as_u32() as usize) {
            Some((round, value)) if *round == self.round => value.as_ref(),
            _ => None,
        }
    }

    /// The value of `t`; `var` gives the value of each variable.
    pub fn eval(&mut self, pool: &TermPool, t: Term, var: impl Fn(Var) -> Value) -> Value {
        if self.cache.len() < pool.len() {
            self.cache.resize(pool.len(), (0, None));
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(t);
        while let Some(&u) = stack.last() {
            if self.known(u).is_some() {
                stack.pop();
                continue;
            }
            let op = pool.op(u);
            let value = match op {
                Op::BoolConst | Op::BvConst => pool.const_value(u).expect("a constant"),
                Op::Var => var(pool.as_var(u).expect("a variable node")),
                _ => {
                    let waiting = stack.len();
                    for a in pool.args(u) {
                        if self.known(a).is_none() {
                            stack.push(a);
                        }
                    }
                    if stack.len() > waiting {
                        continue;
                    }
                    let mut args = [const { None }; 3];
                    for (slot, a) in args.iter_mut().zip(pool.args(u)) {
                        *slot = self.known(a);
                    }
                    let n = op.arity();
                    let args = args.map(|a| a.unwrap_or(&Value::Bool(false)));
                    apply(op, pool.params(u), &args[..n])
                }
            };
            stack.pop();
            self.cache[u.as_u32() as usize] = (self.round, Some(value));
        }
        self.stack = stack;
        self.known(t).expect("the root was evaluated last").clone()
    }
}

impl TermPool {
    /// The value of an operation on constants; none where an argument is no constant.
    pub(crate) fn evaluated(&self, op: Op, params: Params, args: &[Term]) -> Option<Value> {
        let mut values = [const { None }; 3];
        for (v, &a) in values.iter_mut().zip(args) {
            *v = Some(self.const_value(a)?);
        }
        let args: Vec<&Value> = values.iter().flatten().collect();
        Some(apply(op, params, &args))
    }

    /// The value of `t` where `var` gives the value of each variable.
    pub fn eval(&self, t: Term, var: impl Fn(Var) -> Value) -> Value {
        Evaluator::new().eval(self, t, var)
    }
}
