//! The variables that a query may touch.

use crate::lit::Var;
use std::rc::Rc;

/// Per variable: the variables its definition reads. Closed under this relation, a set of
/// variables can be decided alone. All lists stand in one array: every query walks them.
pub struct Dependencies {
    start: Vec<u32>,
    below: Vec<Var>,
}

impl Dependencies {
    /// One list per variable.
    pub fn new(lists: impl IntoIterator<Item = Vec<Var>>) -> Dependencies {
        let (mut start, mut below) = (vec![0], Vec::new());
        for list in lists {
            below.extend(list);
            start.push(below.len() as u32);
        }
        Dependencies { start, below }
    }

    /// Number of variables.
    pub fn vars(&self) -> usize {
        self.start.len() - 1
    }

    /// What a variable reads; the activation variable, which is none of these, reads nothing.
    #[inline]
    fn of(&self, v: Var) -> &[Var] {
        match self.start.get(v as usize + 1) {
            Some(&end) => &self.below[self.start[v as usize] as usize..end as usize],
            None => &[],
        }
    }
}

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
            for &w in self.dependencies.of(v) {
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
            for &w in self.dependencies.of(v) {
                if self.stamp[w as usize] < self.now {
                    self.stamp[w as usize] = self.now;
                    self.local.push(w);
                }
            }
        }
    }

    /// The variable at a place of the domain.
    #[inline]
    pub fn get(&self, at: usize) -> Option<Var> {
        match self.fixed.get(at) {
            Some(&v) => Some(v),
            None => self.local.get(at - self.fixed.len()).copied(),
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
