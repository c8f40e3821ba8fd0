//! What a program is like, in numbers, for classes of programs ([`trellis_pipeline::select`]).

use trellis_ivl::cmd::CmdView;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::{Action, Op, Program, Type, calls};
use trellis_ivl_passes::Size;
use trellis_pipeline::Features;

/// The features of a program, as the front end made it and as engines get it.
pub fn features(original: &Program, small: &Program) -> Features {
    let size = Size::of(small);
    let pool = &small.pool;
    let mut inputs = 0;
    let mut terms = Vec::new();
    for e in small.edges.keys() {
        let Some(c) = small.edge_cmd(e) else { continue };
        terms.extend(small.cmds.terms(c));
        small.cmds.for_each_leaf(c, |leaf| {
            if let CmdView::Havoc(items) = leaf {
                inputs += items.len();
            }
        });
    }
    let (mut products, mut arrays, mut widest) = (0, 0, 0);
    for t in pool.post_order(terms) {
        widest = widest.max(pool.ty(t).width().unwrap_or(0));
        match pool.op(t) {
            Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
                products += usize::from(pool.args(t).all(|a| !pool.is_const(a)));
            }
            _ if pool.as_var(t).is_some() => {
                arrays += usize::from(matches!(pool.ty(t), Type::Array { .. }));
            }
            _ => {}
        }
    }
    let adjacency = Adjacency::new(small);
    let heads = DepthFirst::new(small, &adjacency, small.entry()).heads;
    let loops = small.locs.keys().filter(|l| heads.contains(*l));
    let is_call = |a: &Action| matches!(a, Action::Call(_));
    let calls = original.edges.values().filter(|d| is_call(&d.action));
    let heap = small.regions.values().filter(|r| r.size.is_none());
    let count = |n: usize| n as u64;
    Features::from([
        ("edges", count(size.edges)),
        ("operations", count(size.operations)),
        ("variables", count(size.vars)),
        ("loops", count(loops.count())),
        ("arrays", count(arrays)),
        ("heap", count(heap.count())),
        ("inputs", count(inputs)),
        ("products", count(products)),
        ("widest", u64::from(widest)),
        ("calls", count(calls.count())),
        ("recursive", u64::from(calls::multiply(original))),
        ("errors", count(original.errors().count())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_pipeline::keys::FEATURES;

    #[test]
    fn every_feature_is_counted() {
        let text = "ivl 1;
            var x: bv8;
            var a: [bv8]bv8;
            proc main() {
              loc l0 entry;
              loc l1;
              loc l2 error \"bad\";
              l0 -> l1 { havoc x };
              l1 -> l1 { a := a[x := x * x] };
              l1 -> l2 { assume a[0bv8] == 3bv8 };
            }
            main main;";
        let program = trellis_ivl::text::parse(text).unwrap_or_else(|e| panic!("{e}"));
        let found = features(&program, &program);
        let names: Vec<&str> = FEATURES.iter().map(|f| f.name).collect();
        assert!(names.iter().all(|n| found.contains_key(n)) && found.len() == names.len());
        let shown = names
            .iter()
            .filter(|n| found[*n] > 0 && **n != "operations");
        let shown: Vec<String> = shown.map(|n| format!("{n} {}", found[n])).collect();
        assert_eq!(
            shown.join(", "),
            "edges 3, variables 2, loops 1, arrays 1, inputs 1, products 1, widest 8, errors 1"
        );
    }
}
