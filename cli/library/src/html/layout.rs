//! Where the parts of a drawing go: layers from top to bottom, few crossings, edges around boxes (Sugiyama, Tagawa and Toda,
//! 1981). The library does all of it; here stands what it is asked, and that its answer is only a drawing: whatever it
//! does, the page is written.

use dagre::graph::{Graph, GraphOptions};
use dagre::layout::types::LabelPos;
use dagre::{EdgeLabel, LayoutOptions, NodeLabel};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Around the whole.
const MARGIN: f64 = 12.0;

/// Width and height.
pub type Size = (f64, f64);

/// A place in the drawing, to the right and down.
pub type Point = (i32, i32);

/// What is to be drawn.
#[derive(Default)]
pub struct Boxes {
    /// The boxes.
    pub boxes: Vec<Size>,
    /// From which box to which, and the room for the words beside.
    pub arrows: Vec<(usize, usize, Size)>,
}

/// Where it is drawn.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Width and height of the whole.
    pub size: Point,
    /// The middle of each box.
    pub boxes: Vec<Point>,
    /// The way of each arrow, and the middle of its words.
    pub arrows: Vec<(Vec<Point>, Point)>,
}

/// The layout; none where the library fails.
pub fn layout(of: &Boxes) -> Option<Layout> {
    // It is given nothing that anybody else sees.
    catch_unwind(AssertUnwindSafe(|| place(of))).ok().flatten()
}

fn place(of: &Boxes) -> Option<Layout> {
    let mut graph: Graph<NodeLabel, EdgeLabel> = Graph::with_options(GraphOptions {
        directed: true,
        multigraph: true,
        compound: false,
    });
    let name = |n: usize| n.to_string();
    for (n, &(width, height)) in of.boxes.iter().enumerate() {
        let label = NodeLabel {
            width,
            height,
            ..NodeLabel::default()
        };
        graph.set_node(name(n), Some(label));
    }
    for (n, &(from, to, (width, height))) in of.arrows.iter().enumerate() {
        let label = EdgeLabel {
            width,
            height,
            labelpos: LabelPos::Center,
            ..EdgeLabel::default()
        };
        graph.set_edge(name(from), name(to), Some(label), Some(&name(n)));
    }
    let options = LayoutOptions {
        nodesep: 24.0,
        edgesep: 14.0,
        ranksep: 30.0,
        marginx: MARGIN,
        marginy: MARGIN,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut graph, Some(options));
    let point = |x: f64, y: f64| (x.round() as i32, y.round() as i32);
    let mut found = Layout::default();
    let mut reach = |x: f64, y: f64| {
        let (width, height) = point(x + MARGIN, y + MARGIN);
        found.size = (found.size.0.max(width), found.size.1.max(height));
    };
    for (n, (width, height)) in of.boxes.iter().enumerate() {
        let node = graph.node(&name(n))?;
        let (x, y) = (node.x?, node.y?);
        reach(x + width / 2.0, y + height / 2.0);
        found.boxes.push(point(x, y));
    }
    for (n, &(from, to, (width, height))) in of.arrows.iter().enumerate() {
        let edge = graph.edge(&name(from), &name(to), Some(&name(n)))?;
        let way: Vec<Point> = edge.points.iter().map(|p| point(p.x, p.y)).collect();
        edge.points.iter().for_each(|p| reach(p.x, p.y));
        let middle = edge.points.get(edge.points.len() / 2);
        let x = edge.x.or(middle.map(|p| p.x))?;
        let y = edge.y.or(middle.map(|p| p.y))?;
        reach(x + width / 2.0, y + height / 2.0);
        found.arrows.push((way, point(x, y)));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_ivl::rng::Rng;

    /// Any graph has a layout, always the same one: boxes apart from each other, arrows that end at their boxes, all of it inside.
    #[test]
    fn any_graph_is_laid_out() {
        let mut rng = Rng::new(7);
        for round in 0..300 {
            let count = rng.range(1, if round % 30 == 0 { 80 } else { 12 });
            let mut of = Boxes::default();
            for _ in 0..count {
                let size = (rng.range(20, 220) as f64, rng.range(20, 60) as f64);
                of.boxes.push(size);
            }
            for _ in 0..rng.below(2 * count + 1) {
                let (from, to) = (rng.below(count), rng.below(count));
                let words = (rng.below(150) as f64, rng.below(50) as f64);
                of.arrows.push((from, to, words));
            }
            let found = layout(&of).expect("a layout");
            assert_eq!(layout(&of).as_ref(), Some(&found));
            let side = |n: usize| {
                let ((x, y), (w, h)) = (found.boxes[n], of.boxes[n]);
                let (w, h) = ((w / 2.0) as i32, (h / 2.0) as i32);
                (x - w, x + w, y - h, y + h)
            };
            for n in 0..count {
                let (left, right, top, bottom) = side(n);
                assert!(left >= 0 && top >= 0);
                assert!(right <= found.size.0 && bottom <= found.size.1);
                for m in 0..n {
                    let (l, r, t, b) = side(m);
                    let apart = left >= r || l >= right || top >= b || t >= bottom;
                    assert!(apart, "round {round}: boxes {m} and {n} overlap");
                }
            }
            for ((way, _), &(from, to, _)) in found.arrows.iter().zip(&of.arrows) {
                assert!(way.len() >= 2, "round {round}: {way:?}");
                let near = |(x, y): Point, n: usize| {
                    let (left, right, top, bottom) = side(n);
                    (left - 2..=right + 2).contains(&x) && (top - 2..=bottom + 2).contains(&y)
                };
                assert!(
                    near(way[0], from),
                    "round {round}: {way:?} {:?}",
                    side(from)
                );
                assert!(near(way[way.len() - 1], to), "round {round}: {way:?}");
            }
        }
    }
}
