//! How the elements of a promoted object become variables: runs of elements that are always
//! accessed together are one variable.
//!
//! A C front end writes an `int` byte by byte. Reads join bytes by concatenation, writes follow one
//! another in one chain; a maximal run of neighbours in either is one access, and the object is cut
//! wherever an access begins or ends. Accesses wider than [`WIDEST`] elements are copies of whole
//! structs: they cut nothing.

use rustc_hash::FxHashSet;
use trellis_ivl::{Op, Term, TermPool};

/// The longest run that counts as one access, in elements: a 64-bit word of bytes.
const WIDEST: u64 = 8;

/// An object, by how its elements are found.
pub(super) trait Places {
    /// The object and the element that `access`, a read or write of memory, means.
    fn place(&mut self, access: Term) -> Option<(usize, u64)>;
}

/// The start of every variable of every object, ascending; `sizes` are the objects' elements.
pub(super) fn starts(
    pool: &TermPool,
    terms: &[Term],
    sizes: &[u64],
    places: &mut impl Places,
) -> Vec<Vec<u64>> {
    let mut cuts: Vec<FxHashSet<u64>> = vec![FxHashSet::from_iter([0]); sizes.len()];
    let mut used: FxHashSet<Term> = FxHashSet::default();
    // Users first, so that a run is seen whole before its parts.
    for &t in terms.iter().rev() {
        if used.contains(&t) {
            continue;
        }
        let runs = match pool.op(t) {
            Op::Concat => vec![joined(pool, t, &mut used)],
            Op::Store => {
                let writes = chained(pool, t, &mut used);
                // A word that is copied is read where it is written, element by element.
                let values = writes.iter().map(|&w| pool.arg(w, 2)).collect();
                vec![writes, values]
            }
            Op::Select => vec![vec![t]],
            _ => continue,
        };
        for run in runs {
            cut(&run, places, &mut cuts, &mut used);
        }
    }
    let sorted = cuts.into_iter().zip(sizes).map(|(cuts, &size)| {
        let mut cuts: Vec<u64> = cuts.into_iter().filter(|&c| c < size).collect();
        cuts.sort_unstable();
        cuts
    });
    sorted.collect()
}

/// Cuts at both ends of each maximal run of neighbours in `run`.
fn cut(
    run: &[Term],
    places: &mut impl Places,
    cuts: &mut [FxHashSet<u64>],
    used: &mut FxHashSet<Term>,
) {
    let found: Vec<Option<(usize, u64)>> = run.iter().map(|&a| places.place(a)).collect();
    let mut i = 0;
    while i < found.len() {
        let Some((object, first)) = found[i] else {
            i += 1;
            continue;
        };
        let mut n = 1;
        while found.get(i + n as usize) == Some(&Some((object, first + n))) {
            n += 1;
        }
        used.extend(&run[i..i + n as usize]);
        if n <= WIDEST {
            cuts[object].extend([first, first + n]);
        }
        i += n as usize;
    }
}

/// The parts of a concatenation, lowest first.
fn joined(pool: &TermPool, t: Term, used: &mut FxHashSet<Term>) -> Vec<Term> {
    let (mut stack, mut parts) = (vec![t], Vec::new());
    while let Some(t) = stack.pop() {
        if pool.op(t) == Op::Concat && used.insert(t) {
            stack.extend(pool.args(t));
        } else {
            parts.push(t);
        }
    }
    parts
}

/// The writes of a chain, first write first.
fn chained(pool: &TermPool, t: Term, used: &mut FxHashSet<Term>) -> Vec<Term> {
    let (mut t, mut writes) = (t, Vec::new());
    while pool.op(t) == Op::Store && used.insert(t) {
        writes.push(t);
        t = pool.arg(t, 0);
    }
    writes.reverse();
    writes
}
