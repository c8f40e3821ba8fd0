//! Small cores.

/// Gives up the parts of `core` one by one, the last first, as long as `refuted` still finds a core in the others; `trials`
/// is how many are tried at most.
///
/// # Errors
/// Those of `refuted`.
pub fn shorten<T: Clone, E>(
    mut core: Vec<T>,
    trials: usize,
    mut refuted: impl FnMut(&[T]) -> std::result::Result<Option<Vec<T>>, E>,
) -> std::result::Result<Vec<T>, E> {
    let mut i = core.len();
    for _ in 0..trials {
        if i == 0 {
            break;
        }
        i -= 1;
        let mut fewer = core.clone();
        fewer.remove(i);
        if let Some(smaller) = refuted(&fewer)? {
            core = smaller;
            i = i.min(core.len());
        }
    }
    Ok(core)
}
