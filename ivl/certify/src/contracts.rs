//! The checker of contracts: proofs of programs with procedures, without expanding calls.
//!
//! # What is checked
//! That no error is reachable in the [modules](trellis_ivl::modular) that the contracts make of the program, which are made here and
//! not claimed, by the invariants of the certificate and the rules of [`check`](mod@crate::check). The errors of the modules are those of the program, and one for
//! every clause of a contract, at every call or exit where it has to hold. So each body is shown correct once, assuming contracts at
//! calls; that this is no circle is an induction over the steps of an execution.

use crate::certificate::{ContractCertificate, SafetyCertificate};
use crate::check::{Obligations, OwnGhosts, Rejection, check_safe, import_terms, obligations};
use trellis_ivl::modular::ContractError;
use trellis_ivl::termination::gaps_only;
use trellis_ivl::{Contract, Contracts, Modules, Program, Term, TermPool, Type};
use trellis_solver_api::smt::SmtSession;

/// Accepts contracts that show `program` safe, or says what is wrong with them. Their terms live in `pool`, over the variables of
/// the program and of its old values as [`Modules::new`] numbers them.
pub fn check_contracts(
    program: &Program,
    pool: &TermPool,
    certificate: &ContractCertificate,
    session: &mut dyn SmtSession,
) -> Result<(), Rejection> {
    let modules = modules(program, pool, &certificate.contracts, Modules::expand)?;
    check_safe(&modules, pool, &of_modules(certificate), session)
}

/// The flat program whose loops are those of `program` and its recursion, under contracts that show no incomplete location reachable, or what is
/// wrong with them: [modules](trellis_ivl::modular) in which recursive calls may be entered. If no execution of it is infinite, none of `program` is.
pub fn check_entering(
    program: &Program,
    pool: &TermPool,
    certificate: &ContractCertificate,
    session: &mut dyn SmtSession,
) -> Result<Program, Rejection> {
    let gaps = gaps_only(program);
    check_contracts(&gaps, pool, certificate, session)?;
    let expand = Modules::expand_entering;
    modules(&gaps, pool, &certificate.contracts, expand)
}

/// The obligations of a certificate of contracts.
pub fn contract_obligations(
    program: &Program,
    pool: &TermPool,
    certificate: &ContractCertificate,
) -> Result<Obligations, Rejection> {
    let modules = modules(program, pool, &certificate.contracts, Modules::expand)?;
    obligations(&modules, pool, &of_modules(certificate))
}

fn of_modules(certificate: &ContractCertificate) -> SafetyCertificate {
    SafetyCertificate {
        k: certificate.k,
        ..SafetyCertificate::inductive(certificate.invariants.clone())
    }
}

/// The modules of `program`, with contracts copied into a pool of the checker's own.
fn modules(
    program: &Program,
    pool: &TermPool,
    contracts: &Contracts,
    expand: impl FnOnce(Modules, &Contracts) -> Result<Program, ContractError>,
) -> Result<Program, Rejection> {
    let mut modules = Modules::new(program);
    let mut own = Contracts::new();
    for (&p, contract) in contracts {
        let mut copy = |clauses: &[Term]| {
            if clauses.iter().any(|&t| pool.ty(t) != Type::Bool) {
                let why = format!("a clause of the contract of {p} is not boolean");
                return Err(Rejection::Malformed(why));
            }
            import_terms(&mut modules.program, pool, clauses, &OwnGhosts::default())
        };
        let (requires, ensures) = (copy(&contract.requires)?, copy(&contract.ensures)?);
        own.insert(p, Contract { requires, ensures });
    }
    expand(modules, &own).map_err(|e| Rejection::Malformed(e.to_string()))
}
