//! What tests are made of, tested.

mod compiled;
mod meaning;
mod round_trip;
