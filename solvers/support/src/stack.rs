//! Room for solvers that recurse over terms.
//!
//! Terms from hardware are hundreds of thousands of levels deep, and a stack overflow inside of a foreign
//! library ends the process. So the height of what a solver gets is known, and it runs on a stack that is
//! large enough for it.

use trellis_ivl::{Term, TermPool};

/// What a solver may need per level of a term, measured generously.
const BYTES_PER_LEVEL: usize = 2048;
/// What it needs in any case.
const BASE: usize = 1 << 20;

/// Heights of terms, computed once each.
#[derive(Default)]
pub struct Heights {
    heights: Vec<u32>,
}

impl Heights {
    /// The height of `t` from those of its arguments, which were given before.
    pub fn add(&mut self, pool: &TermPool, t: Term) -> u32 {
        let below = pool.args(t).map(|a| self.get(a)).max().unwrap_or(0);
        let i = t.as_u32() as usize;
        if self.heights.len() <= i {
            self.heights.resize(pool.len().max(i + 1), 0);
        }
        self.heights[i] = below.saturating_add(1);
        self.heights[i]
    }

    /// The height of a term that was added; 0 of any other.
    pub fn get(&self, t: Term) -> u32 {
        self.heights.get(t.as_u32() as usize).copied().unwrap_or(0)
    }
}

/// Calls `f` with room for recursion over terms of this height.
pub fn on_deep_stack<R>(height: u32, f: impl FnOnce() -> R) -> R {
    let needed = BASE + height as usize * BYTES_PER_LEVEL;
    stacker::maybe_grow(needed, needed, f)
}
