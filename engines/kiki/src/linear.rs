//! Inequalities of three and four variables, guessed from executions.
//!
//! A sum of variables with coefficients 1 and -1 that is never below a small number in any state that was seen, and not always the same, is a
//! candidate, and so is one of three variables with a 2. There are thousands of such sums, and states of a few dozen executions leave few of them. What
//! they leave is a row like any other.

use crate::domain::Domain;
use crate::related::Related;
use crate::row::{Kind, Row, vector};
use crate::samples::{Samples, samples};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use trellis_engine_common::Cfa;
use trellis_ivl::{Loc, Type, Var};

/// Variables of one head that are looked at, and rows.
const MAX_VARS: usize = 8;
const MAX_ROWS: usize = 64;
/// Least values that are likely to be meant.
const LEAST: std::ops::RangeInclusive<i128> = -1..=1;
/// States that have to be there before anything is guessed.
const MIN_STATES: usize = 12;
/// Bits for the sum of four numbers, or of three with a 2.
const ROOM: u32 = 4;

/// The domain; executions are made once.
#[derive(Default)]
pub struct Linear {
    samples: OnceCell<Samples>,
}

/// The variables of a head that are looked at, and whether they are signed numbers.
fn variables(cfa: &Cfa, related: &Related, head: Loc) -> Vec<(Var, bool)> {
    let pool = &cfa.program.pool;
    let mut widths: BTreeMap<u32, Vec<(Var, bool)>> = BTreeMap::new();
    for &v in cfa.live(head) {
        if let Type::Bv(w @ 8..=64) = pool.var_ty(v)
            && related.float(v).is_none()
        {
            let signed = related.is_signed(v);
            widths.entry(w).or_default().push((v, signed));
        }
    }
    let most = widths.into_values().max_by_key(Vec::len);
    let mut vars = most.unwrap_or_default();
    vars.truncate(MAX_VARS);
    vars
}

impl Domain for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn is_late(&self) -> bool {
        true
    }

    fn rows(&self, cfa: &mut Cfa, related: &Related, head: Loc) -> Vec<Row> {
        let all = self.samples.get_or_init(|| {
            let heads = cfa.heads().iter();
            let heads = heads.map(|&h| (h, variables(cfa, related, h)));
            samples(&cfa.program, &heads.collect())
        });
        let vars = variables(cfa, related, head);
        let states: Vec<&Vec<i128>> = all.get(&head).into_iter().flatten().collect();
        if states.len() < MIN_STATES || vars.len() < 3 {
            return Vec::new();
        }
        let mut rows = Vec::new();
        for coefficients in sums(vars.len()) {
            let value = |state: &&Vec<i128>| -> i128 {
                let terms = coefficients.iter().zip(*state);
                terms.map(|(&c, &x)| i128::from(c) * x).sum()
            };
            let Some(least) = states.iter().map(value).min() else {
                continue;
            };
            let is_constant = states.iter().all(|s| value(s) == least);
            if LEAST.contains(&least) && !is_constant && rows.len() < MAX_ROWS {
                rows.push(row(cfa, head, &vars, &coefficients, least));
            }
        }
        rows
    }
}

/// The coefficients of all sums that are looked at.
fn sums(n: usize) -> Vec<Vec<i8>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = all.into_iter().flat_map(|sum: Vec<i8>| {
            [0i8, 1, -1, 2, -2].map(|c| {
                let mut sum = sum.clone();
                sum.push(c);
                sum
            })
        });
        let fits = |sum: &Vec<i8>| {
            let used = sum.iter().filter(|&&c| c != 0).count();
            let twos = sum.iter().filter(|c| c.abs() == 2).count();
            used + twos <= 4 && twos <= 1
        };
        all = longer.filter(fits).collect();
    }
    all.retain(|sum| sum.iter().filter(|&&c| c != 0).count() >= 3);
    // Few variables first.
    all.sort_by_key(|sum| sum.iter().filter(|&&c| c != 0).count());
    all
}

/// The sum is at least `least`, in a width in which nothing overflows.
fn row(cfa: &mut Cfa, head: Loc, vars: &[(Var, bool)], sum: &[i8], least: i128) -> Row {
    let pool = &mut cfa.program.pool;
    let mut total = None;
    let mut width = 0;
    for (&(v, signed), &c) in vars.iter().zip(sum).filter(|(_, c)| **c != 0) {
        let x = pool.var(v);
        width = pool.width(x) + ROOM;
        let wide = match signed {
            true => pool.sext(width, x),
            false => pool.zext(width, x),
        };
        let factor = pool.bv(vector(width, i128::from(c)));
        let term = pool.bvmul(factor, wide);
        total = Some(match total {
            Some(sum) => pool.bvadd(sum, term),
            None => term,
        });
    }
    let least = pool.bv(vector(width, least));
    let expr = match total {
        Some(sum) => pool.bvsle(least, sum),
        None => pool.tru(),
    };
    Row {
        head,
        expr,
        kind: Kind::Fact,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_three_or_four_variables() {
        let all = sums(4);
        assert!(all.contains(&vec![1, 1, -1, -1]) && all.contains(&vec![0, 1, -2, 1]));
        assert!(!all.contains(&vec![1, 1, -2, -1]) && !all.contains(&vec![0, 0, 1, -1]));
        assert_eq!(all.len(), 16 + 4 * 8 + 4 * 3 * 8);
    }
}
