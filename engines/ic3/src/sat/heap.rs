//! A binary heap of variables by activity: the order of decisions.

use crate::lit::Var;

const ABSENT: u32 = u32::MAX;

/// The heap. Variables with the highest activity come first; ties by number.
#[derive(Clone, Default)]
pub struct Heap {
    order: Vec<Var>,
    position: Vec<u32>,
}

impl Heap {
    /// Makes room for variables below `vars`.
    pub fn grow(&mut self, vars: usize) {
        self.position.resize(vars, ABSENT);
    }

    /// Removes all.
    pub fn clear(&mut self) {
        for &v in &self.order {
            self.position[v as usize] = ABSENT;
        }
        self.order.clear();
    }

    /// Takes exactly these variables, each given once.
    pub fn fill(&mut self, vars: impl Iterator<Item = Var>, activity: &[f64]) {
        self.clear();
        for v in vars {
            self.position[v as usize] = self.order.len() as u32;
            self.order.push(v);
        }
        for i in (0..self.order.len() / 2).rev() {
            self.down(i, activity);
        }
    }

    /// Adds a variable unless it is in.
    #[inline]
    pub fn insert(&mut self, v: Var, activity: &[f64]) {
        if self.position[v as usize] == ABSENT {
            self.position[v as usize] = self.order.len() as u32;
            self.order.push(v);
            self.up(self.order.len() - 1, activity);
        }
    }

    /// The activity of a variable has grown.
    #[inline]
    pub fn bumped(&mut self, v: Var, activity: &[f64]) {
        let at = self.position[v as usize];
        if at != ABSENT {
            self.up(at as usize, activity);
        }
    }

    /// Removes and returns the first.
    pub fn pop(&mut self, activity: &[f64]) -> Option<Var> {
        let last = self.order.pop()?;
        let Some(&first) = self.order.first() else {
            self.position[last as usize] = ABSENT;
            return Some(last);
        };
        self.position[first as usize] = ABSENT;
        self.order[0] = last;
        self.position[last as usize] = 0;
        self.down(0, activity);
        Some(first)
    }

    #[inline]
    fn before(a: Var, b: Var, activity: &[f64]) -> bool {
        let (x, y) = (activity[a as usize], activity[b as usize]);
        x > y || (x == y && a < b)
    }

    fn up(&mut self, mut i: usize, activity: &[f64]) {
        let v = self.order[i];
        while i > 0 {
            let parent = (i - 1) / 2;
            let p = self.order[parent];
            if !Self::before(v, p, activity) {
                break;
            }
            self.order[i] = p;
            self.position[p as usize] = i as u32;
            i = parent;
        }
        self.order[i] = v;
        self.position[v as usize] = i as u32;
    }

    fn down(&mut self, mut i: usize, activity: &[f64]) {
        let v = self.order[i];
        let n = self.order.len();
        loop {
            let mut child = 2 * i + 1;
            if child >= n {
                break;
            }
            if child + 1 < n && Self::before(self.order[child + 1], self.order[child], activity) {
                child += 1;
            }
            let c = self.order[child];
            if !Self::before(c, v, activity) {
                break;
            }
            self.order[i] = c;
            self.position[c as usize] = i as u32;
            i = child;
        }
        self.order[i] = v;
        self.position[v as usize] = i as u32;
    }
}
