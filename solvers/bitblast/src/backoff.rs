//! Whether an attempt that costs is worth it, by what became of earlier ones: after failures in a row, more and more
//! queries are passed over.

/// At most this power of two of queries are passed over.
const MAX_FAILURES: u32 = 10;

/// The fate of earlier attempts.
#[derive(Default)]
pub(crate) struct Backoff {
    failures: u32,
    /// Queries still to be passed over.
    skip: u32,
}

impl Backoff {
    /// Whether this query should be tried.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.skip == 0;
        self.skip = self.skip.saturating_sub(1);
        is_due
    }

    /// Takes note of an attempt.
    pub fn tried(&mut self, success: bool) {
        if success {
            *self = Backoff::default();
        } else {
            self.failures = (self.failures + 1).min(MAX_FAILURES);
            self.skip = (1 << self.failures) - 1;
        }
    }
}
