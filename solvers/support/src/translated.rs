//! Our terms as terms of a solver: each once, its arguments before it, without recursion.

use crate::Heights;
use trellis_ivl::{Term, TermPool};

/// What was translated so far, by term.
pub struct Translated<T> {
    terms: Vec<Option<T>>,
    heights: Heights,
    height: u32,
}

impl<T> Default for Translated<T> {
    fn default() -> Translated<T> {
        Translated {
            terms: Vec::new(),
            heights: Heights::default(),
            height: 0,
        }
    }
}

impl<T: Copy> Translated<T> {
    /// The height of the highest term.
    pub fn height(&self) -> u32 {
        self.height
    }

    fn known(&self, t: Term) -> Option<T> {
        self.terms.get(t.as_u32() as usize).copied().flatten()
    }

    /// The translation of `root`; `make` translates a term given its translated arguments.
    pub fn term<E>(
        &mut self,
        pool: &TermPool,
        root: Term,
        mut make: impl FnMut(Term, &[T]) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.terms.len() < pool.len() {
            self.terms.resize(pool.len(), None);
        }
        let mut stack = vec![root];
        let mut args = Vec::with_capacity(3);
        while let Some(&t) = stack.last() {
            if self.known(t).is_some() {
                stack.pop();
                continue;
            }
            args.clear();
            let waiting = stack.len();
            for a in pool.args(t) {
                match self.known(a) {
                    Some(done) => args.push(done),
                    None => stack.push(a),
                }
            }
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            self.terms[t.as_u32() as usize] = Some(make(t, &args)?);
            self.height = self.height.max(self.heights.add(pool, t));
        }
        Ok(self.known(root).expect("the root was translated last"))
    }
}
