//! What a verdict leaves behind: traces that people read, harnesses that compilers build, and
//! witnesses that other tools check.
//!
//! Open first: [`steps`] (a trace as text), [`walk`] (a trace to go through), [`harness`] and [`confirm`] (a trace as a C file, and
//! what happens when it runs); for witnesses [`mod@format`] (what SV-COMP defines), [`make`] (ours) and
//! [`follow`] (anybody's, put into the program). [`c_print`] and [`c_parse`] go between terms and C
//! expressions, [`names`] knows what variables are called in the source, [`values`] what
//! assignments mean there, [`objects`] what is at an address, `command_line` what `main` is handed, and [`faults`] what went wrong.
//!
//! Deliberately absent: engines and solvers. Whether an invariant holds is asked of the checker
//! by the command line; here stands only what a witness says.

pub mod c_parse;
pub mod c_print;
mod command_line;
pub mod confirm;
pub mod faults;
pub mod fold;
pub mod follow;
pub mod format;
pub mod harness;
pub mod hash;
pub mod kept;
pub mod long;
pub mod make;
pub mod names;
pub mod objects;
pub mod steps;
pub mod values;
pub mod walk;

pub use names::{Names, Sources};
