//! What engines that refine an abstraction share: the formula of one path, predicates and where they come from, and
//! sequences of interpolants that speak in such predicates.
//!
//! Open first: [`judge`], the frame of such a run; then [`path`], [`interpolants`], which says why a path cannot be
//! taken, and [`vocabulary`], the words it says it in. [`atoms`] takes formulas apart, [`mod@core`] makes cores small.

pub mod atoms;
pub mod core;
pub mod interpolants;
pub mod judge;
pub mod path;
pub mod vocabulary;

pub use interpolants::{Interpolant, Interpolation, Source};
pub use judge::{Faults, Judge, Judged, no_progress, run};
pub use path::{Checked, Path, Ssa};
pub use vocabulary::{Sources, Vocabulary};

/// The options of an engine that refines by interpolants: its own, and those that say where interpolants come from.
/// [`Source`] is in scope.
#[macro_export]
macro_rules! refining_options {
    ($(#[$meta:meta])* $vis:vis struct $Name:ident { $($own:tt)* }) => {
        ::trellis_plugin_sdk::options! {
            $(#[$meta])*
            $vis struct $Name {
                $($own)*
                /// Who makes interpolants.
                interpolants: Source = Source::Predicates,
                /// Whether interpolants are made of guards of the program and constants of its variables.
                guards: bool = true,
                /// Whether they are made of weakest preconditions along the path.
                wp: bool = true,
                /// Whether they are made of comparisons of variables with each other and with values.
                templates: bool = true,
                /// The last refinement, if there is one.
                refinements: Option<u32> where 1..=4_294_967_295 = None,
            }
        }

        impl $Name {
            pub(crate) fn sources(&self) -> $crate::refinement::Sources {
                $crate::refinement::Sources {
                    guards: self.guards,
                    wp: self.wp,
                    templates: self.templates,
                }
            }
        }
    };
}

/// As [`engine!`](crate::engine!), of an algorithm that refines, with no faults.
#[macro_export]
macro_rules! refining_engine {
    ($Engine:ident, $id:literal, $description:literal, $run:path) => {
        $crate::engine!(
            $Engine,
            $id,
            $description,
            |program, session, options, host| {
                let faults = $crate::refinement::Faults::default();
                $run(program, session, options, faults, host)
            }
        );
    };
}
