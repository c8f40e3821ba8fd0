//! The engine as a plugin.

use crate as kiki;
use trellis_engine_common::plugin::decide;
use trellis_plugin_sdk::{Engine, EngineError, Host, Info, Task, Verdict, export_engine, options};

options! {
    /// How to prove.
    pub struct Options {
        /// Template domains, separated by commas.
        domains: String = "equalities,affine,mod,guards,intervals".into(),
        /// Whether failed steps yield obligations.
        property_directed: bool = false,
        /// The largest k; 0 goes on for ever.
        max_k: u32 = 0,
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

impl From<Options> for kiki::Options {
    fn from(options: Options) -> kiki::Options {
        let names = options.domains.split(',').map(str::trim);
        kiki::Options {
            domains: names
                .filter(|n| !n.is_empty())
                .map(str::to_string)
                .collect(),
            property_directed: options.property_directed,
            max_k: (options.max_k > 0).then_some(options.max_k),
            max_step: options.max_step,
            all_pairs: options.all_pairs,
            max_rows: options.max_rows,
            max_obligations: options.max_obligations,
            step_conflicts: options.step_conflicts,
            template_conflicts: options.template_conflicts,
        }
    }
}

/// The engine.
pub struct Kiki;

impl Engine for Kiki {
    const INFO: Info = Info {
        id: "kiki",
        description: "k-induction with k-inductive invariants from templates",
        licence: "MIT OR Apache-2.0",
        version: env!("CARGO_PKG_VERSION"),
    };
    type Options = Options;

    fn run(options: Options, task: &mut Task, host: &mut dyn Host) -> Result<Verdict, EngineError> {
        let options = options.into();
        decide(task, host, |program, session, hooks| {
            kiki::run(program, session, &options, hooks)
        })
    }
}

export_engine!(Kiki);

#[cfg(test)]
mod tests {
    use super::*;

    /// The plugin's are literals, so that its schema tells them.
    #[test]
    fn the_defaults_are_those_of_the_library() {
        assert_eq!(
            kiki::Options::from(Options::default()),
            kiki::Options::default()
        );
    }
}
