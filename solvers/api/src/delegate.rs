//! What a session leaves to a part of it: a wrapper to the session inside, a backend to its [`Books`](crate::Books).

/// Methods of [`SmtSession`](crate::smt::SmtSession) that a session has from a field, as in
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
        fn assert(&mut self, pool: &$crate::ivl::TermPool, t: $crate::ivl::Term) -> $crate::Result<()> {
            self.$inner.assert(pool, t)
        }
    };
    (@ push $inner:ident) => {
        fn push(&mut self) -> $crate::Result<()> {
            self.$inner.push()
        }
    };
    (@ pop $inner:ident) => {
        fn pop(&mut self, levels: usize) -> $crate::Result<()> {
            self.$inner.pop(levels)
        }
    };
    (@ level $inner:ident) => {
        fn level(&self) -> usize {
            self.$inner.level()
        }
    };
    (@ check $inner:ident) => {
        fn check(&mut self, pool: &$crate::ivl::TermPool, assumptions: &[$crate::ivl::Term]) -> $crate::Result<$crate::Answer> {
            self.$inner.check(pool, assumptions)
        }
    };
    (@ value $inner:ident) => {
        fn value(&mut self, pool: &$crate::ivl::TermPool, t: $crate::ivl::Term) -> $crate::Result<$crate::ivl::Value> {
            self.$inner.value(pool, t)
        }
    };
    (@ unsat_core $inner:ident) => {
        fn unsat_core(&mut self) -> $crate::Result<Vec<$crate::ivl::Term>> {
            self.$inner.unsat_core()
        }
    };
    (@ generalize $inner:ident) => {
        fn generalize(&mut self, pool: &mut $crate::ivl::TermPool, formulas: &[$crate::ivl::Term], keep: &[$crate::ivl::Var]) -> $crate::Result<$crate::ivl::Term> {
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

/// As [`delegate_smt!`], for methods of [`SatSession`](crate::sat::SatSession).
#[macro_export]
macro_rules! delegate_sat {
    ($inner:ident: $($method:ident)*) => {
        $( $crate::delegate_sat!(@ $method $inner); )*
    };
    (@ new_var $inner:ident) => {
        fn new_var(&mut self) -> $crate::sat::Lit {
            self.$inner.new_var()
        }
    };
    (@ max_var $inner:ident) => {
        fn max_var(&self) -> u32 {
            self.$inner.max_var()
        }
    };
    (@ reserve $inner:ident) => {
        fn reserve(&mut self, max_var: u32) {
            self.$inner.reserve(max_var)
        }
    };
    (@ value $inner:ident) => {
        fn value(&self, lit: $crate::sat::Lit) -> $crate::Result<Option<bool>> {
            self.$inner.value(lit)
        }
    };
    (@ failed $inner:ident) => {
        fn failed(&self, lit: $crate::sat::Lit) -> $crate::Result<bool> {
            self.$inner.failed(lit)
        }
    };
    (@ phase $inner:ident) => {
        fn phase(&mut self, lit: $crate::sat::Lit) {
            self.$inner.phase(lit)
        }
    };
    (@ stats $inner:ident) => {
        fn stats(&self) -> $crate::sat::SatStats {
            self.$inner.stats()
        }
    };
    // What sessions of both kinds have.
    (@ $method:ident $inner:ident) => {
        $crate::delegate_smt!(@ $method $inner);
    };
}

/// The methods of a backend, of either kind, that say what it is: `describe!(NAME, CAPABILITIES, OPTIONS);`, or
/// `describe!(as 0);` for one that is as the backend in its field.
#[macro_export]
macro_rules! describe {
    ($name:expr, $capabilities:expr, $options:expr) => {
        fn name(&self) -> &str {
            $name
        }

        fn capabilities(&self) -> $crate::Capabilities {
            $capabilities
        }

        fn options(&self) -> Vec<$crate::OptionSpec> {
            $options.to_vec()
        }
    };
    (as $inner:tt) => {
        fn name(&self) -> &str {
            self.$inner.name()
        }

        fn capabilities(&self) -> $crate::Capabilities {
            self.$inner.capabilities()
        }

        fn options(&self) -> Vec<$crate::OptionSpec> {
            self.$inner.options()
        }
    };
}
