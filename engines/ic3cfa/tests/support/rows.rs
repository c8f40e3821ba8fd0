//! A covering set of the engine's options: every pair of values of two options occurs in some row.

use trellis_engine_ic3cfa::{Generalise, Options, Push, Regions, Sessions, Termination};

/// How many values each option has.
const VALUES: [usize; 21] = [
    4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 5, 2, 2, 2, 2, 2, 2, 2, 2,
];

/// Options from one value each, in the order of `VALUES`.
pub fn options(row: &[usize]) -> Options {
    let on = |i: usize| row[i] == 1;
    Options {
        generalise: [
            Generalise::None,
            Generalise::Core,
            Generalise::Drop,
            Generalise::Ctg,
        ][row[0]],
        implied: if on(1) { 24 } else { 0 },
        slices: on(2),
        relax: on(3),
        interpolate: on(4),
        regions: [Regions::Cube, Regions::Formula][row[5]],
        split: if on(6) { 64 } else { 0 },
        project: on(7),
        reuse: on(8),
        skip: on(9),
        prune: on(10),
        termination: [Termination::Frames, Termination::New, Termination::Greedy][row[11]],
        push: [
            Push::None,
            Push::All,
            Push::Predecessor,
            Push::Assign,
            Push::Restrictive,
        ][row[12]],
        push_check: on(13),
        propagate: on(14),
        sessions: [Sessions::Edge, Sessions::Location][row[15]],
        cache: on(16),
        stride: on(17).then_some(2),
        implied_share: on(18).then_some(10),
        equations: on(19),
        refresh: on(20).then_some(3),
        iterations: Some(60),
        ..Options::default()
    }
}

/// Rows such that every pair of values of two options occurs, greedily (Cohen et al., TSE'97, without the dice).
pub fn pairs() -> Vec<Vec<usize>> {
    let mut open = std::collections::BTreeSet::new();
    for (i, &n) in VALUES.iter().enumerate() {
        for (j, &m) in VALUES.iter().enumerate().skip(i + 1) {
            open.extend((0..n).flat_map(|a| (0..m).map(move |b| (i, a, j, b))));
        }
    }
    let mut rows = Vec::new();
    while let Some(&(i, a, j, b)) = open.first() {
        let mut row: Vec<Option<usize>> = vec![None; VALUES.len()];
        row[i] = Some(a);
        row[j] = Some(b);
        for k in 0..VALUES.len() {
            if row[k].is_some() {
                continue;
            }
            let gain = |v: usize| {
                let fixed = row.iter().enumerate().filter_map(|(o, w)| Some((o, (*w)?)));
                let pairs = fixed.map(|(o, w)| if o < k { (o, w, k, v) } else { (k, v, o, w) });
                pairs.filter(|p| open.contains(p)).count()
            };
            row[k] = (0..VALUES[k]).rev().max_by_key(|&v| gain(v));
        }
        let row: Vec<usize> = row.into_iter().flatten().collect();
        open.retain(|&(i, a, j, b)| row[i] != a || row[j] != b);
        rows.push(row);
    }
    rows
}
