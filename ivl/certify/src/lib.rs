//! The small trusted checker.
//!
//! Every verdict passes through here before it is printed: invariants are checked on the program
//! the front end made, before any pass, and traces are replayed on it by the interpreter. Engines,
//! passes and their translations may be wrong without a wrong verdict.
//!
//! Open first: [`check`], whose documentation says what is checked; [`region`] encodes, [`universal`] is
//! about facts for all cells. [`unwind`] checks the other kind of proof, that all executions end; [`fold`] makes its terms. [`contracts`]
//! checks proofs that speak of procedures. [`mod@houdini`] selects what may be called proved from candidates.
//! [`script`] repeats executions that are too long to be listed.
//!
//! That every execution ends, [`termination`] reduces to safety; that one does not, is shown by a state that comes back
//! ([`lasso`]) or by a set that is never left ([`recurrent`]). [`justice`] is the same of runs of hardware that meet conditions again and again.
//!
//! Trusted: this crate, `trellis-ivl` (the expansion of calls, substitution, the interpreter) and
//! the solver behind the session. Deliberately absent: any pass, any engine, any backend.

pub mod certificate;
pub mod check;
pub mod contracts;
pub mod fold;
pub mod houdini;
pub mod justice;
pub mod lasso;
pub mod recurrent;
pub mod region;
pub mod script;
pub mod termination;
pub mod universal;
pub mod unwind;

pub use certificate::{ContractCertificate, Ghosts, SafetyCertificate, Unwinding};
pub use check::{
    Obligation, Obligations, Rejection, at_heads, check_exhausted, check_safe, check_unsafe,
    obligations,
};
pub use contracts::{check_contracts, check_entering, contract_obligations};
pub use houdini::houdini;
pub use justice::{JusticeProof, check_just_lasso, check_justice};
pub use lasso::{Repeat, check_lasso};
pub use recurrent::{Case, Recurrent, check_recurrent};
pub use script::{LastSteps, Scripted, check_script};
pub use termination::{Calls, LoopProof, SafetyProof, Termination, check_loop, check_terminates};
pub use unwind::{check_unwinding, unwinding_obligations};
