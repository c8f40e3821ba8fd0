//! The engine on models of its own, and on the corpus.

mod corpus;
mod memories;
mod verdicts;
