//! The engine as a plugin.

use crate::domain::DomainName;
use trellis_engine_common::engine;
use trellis_plugin_sdk::options;

options! {
    /// How to prove.
    pub struct Options {
        /// Template domains.
        domains: Vec<DomainName> = vec![
            DomainName::Equalities,
            DomainName::Affine,
            DomainName::Mod,
            DomainName::Guards,
            DomainName::Intervals,
            DomainName::Floats,
            DomainName::Counters,
            DomainName::Addresses,
        ],
        /// Whether failed steps yield obligations.
        property_directed: bool = false,
        /// The largest k, if there is a limit.
        max_k: Option<u32> where 1..=4_294_967_295 = None,
        /// The largest k of a step; the base case goes on beyond it.
        max_step: u32 = 48,
        /// Whether every two variables count as related, not only those that the program relates.
        all_pairs: bool = false,
        /// Template rows per loop head at most.
        max_rows: u32 = 400,
        /// Attempts at obligations per round.
        max_obligations: u32 = 48,
        /// Conflicts per query of a step; the base case has no limit.
        step_conflicts: u64 = 50_000,
        /// Conflicts per query for template values.
        template_conflicts: u64 = 4_000,
    }
}

impl Options {
    /// Only those domains.
    pub fn with_domains(domains: &[DomainName]) -> Options {
        Options {
            domains: domains.to_vec(),
            ..Options::default()
        }
    }
}

engine!(
    Kiki,
    "kiki",
    "k-induction with k-inductive invariants from templates",
    |program, session, options, host| crate::run(program, session, options, host)
);
