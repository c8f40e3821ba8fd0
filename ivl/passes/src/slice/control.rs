//! Control dependence, asked for incrementally.
//!
//! A node `n` is control dependent on a branch `b` when `n` lies on the path of the post-dominator
//! tree from a successor of `b` (inclusive) up to the immediate post-dominator of `b` (exclusive)
//! (Ferrante, Ottenstein, Warren, TOPLAS 1987). Listing the post-dominance frontier of all nodes
//! is quadratic where many branches may end the run, as every check for an error does. Here
//! [`ControlDependence::take`] finds the branches of one node and forgets them: with a segment tree
//! over the tree's pre-order, every successor edge is found once, in logarithmic time.

use crate::dominance::{Dominators, Node};

/// The successor edges of branches that have not been found yet.
pub(super) struct ControlDependence {
    /// Per pre-order position, the branches with a successor there and the depth of their
    /// immediate post-dominator, deepest first.
    at: Vec<Vec<(u32, Node)>>,
    /// Segment tree: the smallest such depth in a range of positions.
    least: Vec<u32>,
    size: usize,
}

impl ControlDependence {
    /// `branches` lists each edge of a branch as branch and successor.
    pub fn new(tree: &Dominators, nodes: usize, branches: &[(Node, Node)]) -> ControlDependence {
        let size = nodes.next_power_of_two();
        let mut this = ControlDependence {
            at: vec![Vec::new(); nodes],
            least: vec![u32::MAX; 2 * size],
            size,
        };
        for &(b, s) in branches {
            if let Some(end) = tree.idom(b) {
                let position = tree.interval(s).0 as usize;
                this.at[position].push((tree.depth(end), b));
            }
        }
        for (i, list) in this.at.iter_mut().enumerate() {
            list.sort_unstable();
            list.reverse();
            this.least[size + i] = list.last().map_or(u32::MAX, |&(depth, _)| depth);
        }
        for i in (1..size).rev() {
            this.least[i] = this.least[2 * i].min(this.least[2 * i + 1]);
        }
        this
    }

    /// The branches that `n` is control dependent on and that have not been found before.
    pub fn take(&mut self, tree: &Dominators, n: Node) -> Vec<Node> {
        let (start, end) = tree.interval(n);
        let depth = tree.depth(n);
        let mut found = Vec::new();
        let mut stack = vec![(1, 0, self.size)];
        while let Some((node, from, to)) = stack.pop() {
            let outside = to <= start as usize || end as usize <= from;
            if outside || self.least[node] >= depth {
                continue;
            }
            if to - from > 1 {
                let mid = usize::midpoint(from, to);
                stack.extend([(2 * node + 1, mid, to), (2 * node, from, mid)]);
                continue;
            }
            let list = &mut self.at[from];
            while list.last().is_some_and(|&(d, _)| d < depth) {
                found.extend(list.pop().map(|(_, b)| b));
            }
            self.least[node] = list.last().map_or(u32::MAX, |&(d, _)| d);
            let mut up = node / 2;
            while up > 0 {
                self.least[up] = self.least[2 * up].min(self.least[2 * up + 1]);
                up /= 2;
            }
        }
        found
    }
}
