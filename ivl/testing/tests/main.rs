//! What tests are made of, tested.

mod meaning;
mod round_trip;
