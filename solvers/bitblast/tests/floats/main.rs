//! Float operations as gates, 256 cases at once: toy formats exhaustively against exact arithmetic; single and double against
//! the processor, against rustc_apfloat in every direction, and square roots against integers; half and 16-bit integers
//! through all conversions.
//!
//! `TRELLIS_FLOAT_CASES=10000000` sets how many random cases each operation on single and double gets.

mod circuit;
mod exhaustive;
mod machine;
mod operands;
