//! Finds plugins and runs them, each in a process of its own.
//!
//! The host never loads a library into itself: it re-executes its own executable as a *worker*,
//! which loads one plugin, gives it the program and lends it solver sessions. So a plugin that
//! crashes, hangs, eats memory or writes nonsense costs one answer and nothing else.
//!
//! Open first: [`mod@run`] (races and sequences of engines until an answer is certified), then
//! [`process`] (one worker seen from the host) and [`worker`] (the same from inside). [`warden`]
//! stands between the two: it watches the worker's memory and kills what is left when the host
//! dies. [`elsewhere`] brings a worker to another machine. [`call`] asks a plugin for a program: a [`pass`] or a [`frontend`]. [`frame`] and [`message`] are the protocol, [`discover`] and [`library`] find and load,
//! [`board`] keeps the lemmas.
//!
//! Deliberately absent: any solver, any checker, any engine. Backends come to the worker, and
//! certification to the host, as traits of the caller.

#![allow(unsafe_code)]

pub mod board;
pub mod call;
pub mod discover;
pub mod elsewhere;
pub mod error;
pub mod frame;
pub mod frontend;
pub mod library;
pub mod message;
pub mod options;
pub mod pass;
pub mod probe;
pub mod process;
pub mod run;
mod turns;
pub mod warden;
pub mod worker;

pub use call::Calls;
pub use discover::{Found, PluginKind, SearchPath};
pub use error::{Fault, HostError};
pub use frontend::FrontEndPlugin;
pub use message::{OptionInfo, PluginInfo, SolverChoice};
pub use pass::PassPlugins;
pub use probe::probe;
pub use run::{EngineReport, EngineSpec, Judge, Judgement, Outcome, Plan, Stage, run};
pub use worker::{Backends, WORKER_COMMAND, worker_main};
