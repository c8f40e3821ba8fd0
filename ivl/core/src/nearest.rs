//! Edit distance, for "did you mean" in messages.

/// How many characters inserted, left out, replaced or swapped with their neighbour lead from one
/// name to the other (the optimal string alignment distance: swapped letters are the commonest slip
/// of a typist, and plain Levenshtein counts them twice).
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (i, ca) in a.chars().enumerate() {
        let mut row = vec![i + 1];
        for (j, &cb) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(ca != cb);
            let mut best = replaced.min(row[j] + 1).min(last[j + 1] + 1);
            if j > 0 && previous == Some(cb) && b[j - 1] == ca {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
        previous = Some(ca);
    }
    last[b.len()]
}

/// The candidate nearest to `name`, if one is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|c| (distance(name, c), c))
        .filter(|(d, _)| *d <= limit)
        .min()
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("wlaks", "walks"), 1);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("ca", "abc"), 3);
        assert_eq!(nearest("wlaks", ["steps", "walks"]), Some("walks"));
        assert_eq!(nearest("propagat", ["dce", "propagate"]), Some("propagate"));
        assert_eq!(nearest("zzz", ["dce", "propagate"]), None);
    }
}
