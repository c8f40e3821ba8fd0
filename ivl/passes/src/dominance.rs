//! Dominator trees of plain graphs, by the semi-NCA algorithm.
//!
//! Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems" (2005), chapter 2: like
//! Lengauer and Tarjan with simple path compression, but immediate dominators are read off by
//! walking up from the parent. Near-linear in practice. Post-dominators are the dominators of the
//! reversed graph.

/// A node of the graph.
pub(crate) type Node = u32;

const NONE: u32 = u32::MAX;

/// Successors in two flat arrays.
pub(crate) struct Graph {
    start: Vec<u32>,
    to: Vec<Node>,
}

impl Graph {
    /// The graph with nodes `0..n` and the given edges.
    pub fn new(n: usize, edges: &[(Node, Node)]) -> Graph {
        let mut start = vec![0u32; n + 1];
        for &(from, _) in edges {
            start[from as usize + 1] += 1;
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut fill = start.clone();
        let mut to = vec![0; edges.len()];
        for &(a, b) in edges {
            to[fill[a as usize] as usize] = b;
            fill[a as usize] += 1;
        }
        Graph { start, to }
    }

    /// The successors of `v`.
    pub fn succ(&self, v: Node) -> &[Node] {
        let v = v as usize;
        &self.to[self.start[v] as usize..self.start[v + 1] as usize]
    }

    fn len(&self) -> usize {
        self.start.len() - 1
    }
}

/// Immediate dominators of the nodes reachable from a root.
pub(crate) struct Dominators {
    idom: Vec<Node>,
    depth: Vec<u32>,
    /// Positions of a node and of the end of its subtree in a pre-order of the tree.
    interval: Vec<(u32, u32)>,
}

impl Dominators {
    /// The dominators of the graph with the given edges, from `root`.
    pub fn new(n: usize, root: Node, edges: &[(Node, Node)]) -> Dominators {
        let forward = Graph::new(n, edges);
        let reversed: Vec<(Node, Node)> = edges.iter().map(|&(a, b)| (b, a)).collect();
        let backward = Graph::new(n, &reversed);
        let search = Search::new(&forward, root);
        let idom = search.immediate(&backward);
        Dominators::from_tree(&search, idom, root)
    }

    fn from_tree(search: &Search, idom: Vec<Node>, root: Node) -> Dominators {
        let n = idom.len();
        let mut depth = vec![NONE; n];
        // A dominator comes before what it dominates in any depth-first pre-order.
        let mut size = vec![0u32; n];
        for &v in &search.order {
            depth[v as usize] = if v == root {
                0
            } else {
                depth[idom[v as usize] as usize] + 1
            };
        }
        for &v in search.order.iter().rev() {
            size[v as usize] += 1;
            if v != root {
                size[idom[v as usize] as usize] += size[v as usize];
            }
        }
        let mut interval = vec![(NONE, NONE); n];
        let mut next = vec![0u32; n];
        for &v in &search.order {
            let start = if v == root {
                0
            } else {
                let slot = &mut next[idom[v as usize] as usize];
                *slot += size[v as usize];
                *slot - size[v as usize]
            };
            interval[v as usize] = (start, start + size[v as usize]);
            next[v as usize] = start + 1;
        }
        Dominators {
            idom,
            depth,
            interval,
        }
    }

    /// The immediate dominator; none for the root and for unreachable nodes.
    pub fn idom(&self, v: Node) -> Option<Node> {
        Some(self.idom[v as usize]).filter(|&d| d != NONE)
    }

    /// Distance from the root in the tree.
    pub fn depth(&self, v: Node) -> u32 {
        self.depth[v as usize]
    }

    /// The positions of `v` and of everything it dominates in a pre-order of the tree.
    pub fn interval(&self, v: Node) -> (u32, u32) {
        self.interval[v as usize]
    }

    /// Whether `a` dominates `b`; both must be reachable.
    pub fn dominates(&self, a: Node, b: Node) -> bool {
        let ((start, end), (at, _)) = (self.interval(a), self.interval(b));
        start <= at && at < end
    }
}

/// A depth-first search: nodes by pre-order number.
struct Search {
    order: Vec<Node>,
    number: Vec<u32>,
    /// Parent in the search tree, both as pre-order numbers.
    parent: Vec<u32>,
}

impl Search {
    fn new(graph: &Graph, root: Node) -> Search {
        let mut search = Search {
            order: Vec::new(),
            number: vec![NONE; graph.len()],
            parent: Vec::new(),
        };
        let mut stack = vec![(root, NONE)];
        while let Some((v, parent)) = stack.pop() {
            if search.number[v as usize] != NONE {
                continue;
            }
            let number = search.order.len() as u32;
            search.number[v as usize] = number;
            search.order.push(v);
            search.parent.push(parent);
            stack.extend(graph.succ(v).iter().rev().map(|&s| (s, number)));
        }
        search
    }

    fn immediate(&self, backward: &Graph) -> Vec<Node> {
        let n = self.order.len();
        let mut semi: Vec<u32> = (0..n as u32).collect();
        let mut label = semi.clone();
        let mut ancestor = self.parent.clone();
        let mut path = Vec::new();
        for w in (1..n as u32).rev() {
            let mut best = w;
            for &p in backward.succ(self.order[w as usize]) {
                let v = self.number[p as usize];
                if v == NONE {
                    continue;
                }
                best = best.min(if v <= w {
                    v
                } else {
                    compress(v, w, &mut ancestor, &mut label, &semi, &mut path);
                    semi[label[v as usize] as usize]
                });
            }
            semi[w as usize] = best;
        }
        let mut idom: Vec<u32> = self.parent.clone();
        for w in 1..n {
            let mut d = idom[w];
            while d > semi[w] {
                d = idom[d as usize];
            }
            idom[w] = d;
        }
        let mut result = vec![NONE; self.number.len()];
        for w in 1..n {
            result[self.order[w] as usize] = self.order[idom[w] as usize];
        }
        result
    }
}

/// Makes `label[v]` the node with the smallest semidominator on the path from `v` up to the last
/// node above `w`, and shortens that path.
fn compress(
    v: u32,
    w: u32,
    ancestor: &mut [u32],
    label: &mut [u32],
    semi: &[u32],
    path: &mut Vec<u32>,
) {
    path.clear();
    let mut at = v;
    while ancestor[at as usize] > w && ancestor[at as usize] != NONE {
        path.push(at);
        at = ancestor[at as usize];
    }
    // `at` is the topmost processed node on the path; its label is its own.
    for &x in path.iter().rev() {
        let above = ancestor[x as usize];
        if semi[label[above as usize] as usize] < semi[label[x as usize] as usize] {
            label[x as usize] = label[above as usize];
        }
        ancestor[x as usize] = ancestor[above as usize];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the definition: `a` dominates `b` when `b` is unreachable without `a`.
    #[test]
    fn agrees_with_the_definition() {
        let mut random = 7u64;
        let mut next = move |n: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % n) as u32
        };
        for _ in 0..2_000 {
            let n = 1 + next(12);
            let edges: Vec<(u32, u32)> = (0..next(30))
                .map(|_| (next(u64::from(n)), next(u64::from(n))))
                .collect();
            let graph = Graph::new(n as usize, &edges);
            let reach = |without: u32| {
                let mut seen = vec![false; n as usize];
                let mut stack = vec![0];
                while let Some(v) = stack.pop() {
                    if v != without && !std::mem::replace(&mut seen[v as usize], true) {
                        stack.extend(graph.succ(v));
                    }
                }
                seen
            };
            let all = reach(NONE);
            let tree = Dominators::new(n as usize, 0, &edges);
            for a in 0..n {
                let rest = reach(a);
                for b in 0..n {
                    if all[a as usize] && all[b as usize] {
                        assert_eq!(tree.dominates(a, b), !rest[b as usize], "{edges:?} {a} {b}");
                    }
                }
                let strict =
                    |d: u32| d != a && all[d as usize] && all[a as usize] && tree.dominates(d, a);
                let depth = (0..n).filter(|&d| strict(d)).count() as u32;
                if all[a as usize] {
                    assert_eq!(tree.depth(a), depth);
                    let closest = (0..n).filter(|&d| strict(d)).max_by_key(|&d| tree.depth(d));
                    assert_eq!(tree.idom(a), closest);
                }
            }
        }
    }
}
