//! What a wrapper of a session leaves as it is.

/// Methods of [`SmtSession`](crate::smt::SmtSession) that a wrapper has from the session in its field, as in
/// `delegate_smt!(inner: signature level stats);`. What a wrapper writes out is then what it changes.
#[macro_export]
macro_rules! delegate_smt {
    ($inner:ident: $($method:ident)*) => {
        $( $crate::delegate_smt!(@ $method $inner); )*
    };
    (@ signature $inner:ident) => {
        fn signature(&self) -> &str {
            self.$inner.signature()
        }
    };
    (@ capabilities $inner:ident) => {
        fn capabilities(&self) -> $crate::Capabilities {
            self.$inner.capabilities()
        }
    };
    (@ assert $inner:ident) => {
        fn assert(&mut self, pool: &$crate::ivl::TermPool, t: $crate::ivl::Term) -> Result<(), $crate::SolverError> {
            self.$inner.assert(pool, t)
        }
    };
    (@ push $inner:ident) => {
        fn push(&mut self) -> Result<(), $crate::SolverError> {
            self.$inner.push()
        }
    };
    (@ pop $inner:ident) => {
        fn pop(&mut self, levels: usize) -> Result<(), $crate::SolverError> {
            self.$inner.pop(levels)
        }
    };
    (@ level $inner:ident) => {
        fn level(&self) -> usize {
            self.$inner.level()
        }
    };
    (@ check $inner:ident) => {
        fn check(&mut self, pool: &$crate::ivl::TermPool, assumptions: &[$crate::ivl::Term]) -> Result<$crate::Answer, $crate::SolverError> {
            self.$inner.check(pool, assumptions)
        }
    };
    (@ value $inner:ident) => {
        fn value(&mut self, pool: &$crate::ivl::TermPool, t: $crate::ivl::Term) -> Result<$crate::ivl::Value, $crate::SolverError> {
            self.$inner.value(pool, t)
        }
    };
    (@ unsat_core $inner:ident) => {
        fn unsat_core(&mut self) -> Result<Vec<$crate::ivl::Term>, $crate::SolverError> {
            self.$inner.unsat_core()
        }
    };
    (@ generalize $inner:ident) => {
        fn generalize(&mut self, pool: &mut $crate::ivl::TermPool, formulas: &[$crate::ivl::Term], keep: &[$crate::ivl::Var]) -> Result<$crate::ivl::Term, $crate::SolverError> {
            self.$inner.generalize(pool, formulas, keep)
        }
    };
    (@ set_kind $inner:ident) => {
        fn set_kind(&mut self, kind: $crate::smt::QueryKind) {
            self.$inner.set_kind(kind)
        }
    };
    (@ set_limits $inner:ident) => {
        fn set_limits(&mut self, limits: $crate::Limits) {
            self.$inner.set_limits(limits)
        }
    };
    (@ interrupter $inner:ident) => {
        fn interrupter(&self) -> $crate::Interrupter {
            self.$inner.interrupter()
        }
    };
    (@ stats $inner:ident) => {
        fn stats(&self) -> $crate::smt::SmtStats {
            self.$inner.stats()
        }
    };
}
