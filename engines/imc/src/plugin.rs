//! The engine as a plugin.

use trellis_engine_common::engine;
use trellis_plugin_sdk::{option_enum, options};

option_enum! {
    /// What interpolants are taken of.
    pub enum Mode {
        /// The image of what is reached so far, against all that leads to an error within a number of steps.
        Image = "imc",
        /// Every step of an unrolling, as a sequence.
        Sequence = "isb",
    }
}

options! {
    /// How to search.
    pub struct Options {
        /// What interpolants are taken of: `imc` (McMillan 2003) or `isb` (interpolation sequences).
        mode: Mode = Mode::Image,
        /// How many steps to look ahead at most, if there is a limit.
        bound: Option<u32> where 1..=4_294_967_295 = None,
    }
}

engine!(
    Imc,
    "imc",
    "interpolation-based model checking of transition systems: by images (imc) or sequences (isb)",
    |program, session, options, host| crate::run(program, session, options, host)
);
