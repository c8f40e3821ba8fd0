//! The variables that a query may touch.

use super::Dependencies;
use crate::lit::Var;
use std::rc::Rc;

/// A set of variables, closed under dependency: a fixed part and what the query adds.
#[derive(Clone)]
pub struct Domain {
    dependencies: Rc<Dependencies>,
    /// Per variable: the query that took it in last; `FIXED` for the fixed part.
    stamp: Vec<u32>,
    now: u32,
    fixed: Vec<Var>,
    local: Vec<Var>,
}

const FIXED: u32 = u32::MAX;

impl Domain {
    pub fn new(dependencies: Rc<Dependencies>, vars: usize) -> Domain {
        Domain {
            dependencies,
            stamp: vec![0; vars],
            now: 1,
            fixed: Vec::new(),
            local: Vec::new(),
        }
    }

    #[inline]
    pub fn contains(&self, var: Var) -> bool {
        self.stamp[var as usize] >= self.now
    }

    /// Every later query includes `var` and all below.
    pub fn fix(&mut self, var: Var) {
        if self.stamp[var as usize] == FIXED {
            return;
        }
        self.stamp[var as usize] = FIXED;
        let mut next = self.fixed.len();
        self.fixed.push(var);
        while let Some(&v) = self.fixed.get(next) {
            next += 1;
            let Some(below) = self.dependencies.get(v as usize) else {
                continue; // The activation variable depends on nothing.
            };
            for &w in below {
                if self.stamp[w as usize] != FIXED {
                    self.stamp[w as usize] = FIXED;
                    self.fixed.push(w);
                }
            }
        }
    }

    /// Begins a query about these variables.
    pub fn begin(&mut self, roots: impl Iterator<Item = Var>) {
        self.now += 1;
        if self.now == FIXED {
            self.now = 1;
            let stamps = self.stamp.iter_mut().filter(|s| **s != FIXED);
            stamps.for_each(|s| *s = 0);
        }
        self.local.clear();
        for root in roots {
            if !self.contains(root) {
                self.stamp[root as usize] = self.now;
                self.local.push(root);
            }
        }
        let mut next = 0;
        while let Some(&v) = self.local.get(next) {
            next += 1;
            let Some(below) = self.dependencies.get(v as usize) else {
                continue;
            };
            for &w in below {
                if self.stamp[w as usize] < self.now {
                    self.stamp[w as usize] = self.now;
                    self.local.push(w);
                }
            }
        }
    }

    /// All variables of the query.
    pub fn iter(&self) -> impl Iterator<Item = Var> + '_ {
        self.fixed.iter().chain(&self.local).copied()
    }

    pub fn len(&self) -> usize {
        self.fixed.len() + self.local.len()
    }
}
