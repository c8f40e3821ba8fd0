//! What tests are made of, tested.

mod compiled;
mod leaps;
mod meaning;
mod round_trip;
