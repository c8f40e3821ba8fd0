//! Tests of the whole: architecture, dependencies, corpus, what is trusted.

mod architecture;
mod corpus;
mod dependencies;
mod trust;
