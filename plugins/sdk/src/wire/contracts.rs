//! Contracts as words.

use super::reader::{Reader, WireError};
use super::terms::{Received, Sent};
use super::verdict::{read_fact, read_nodes};
use crate::verdict::ContractProof;
use trellis_ivl::{Contract, Proc, Program, Term, TermPool, Type};

/// The words of contracts over `pool`.
pub fn write_contracts(pool: &TermPool, proof: &ContractProof) -> Vec<u32> {
    let (mut sent, mut nodes) = (Sent::new(), Vec::new());
    let mut items = vec![proof.contracts.len() as u32];
    for (p, contract) in &proof.contracts {
        items.push(p.as_u32());
        for clauses in [&contract.requires, &contract.ensures] {
            items.push(clauses.len() as u32);
            items.extend(clauses.iter().map(|&t| sent.send(pool, t, &mut nodes)));
        }
    }
    items.push(proof.invariants.len() as u32);
    for (l, &t) in &proof.invariants {
        items.extend([l.as_u32(), sent.send(pool, t, &mut nodes)]);
    }
    let mut out = vec![nodes.len() as u32];
    out.extend(nodes);
    out.extend(items);
    out
}

/// Reads contracts, their terms into the pool of `program`, which has old values
/// ([`Modules::program`](trellis_ivl::Modules::program)).
pub fn read_contracts(program: &mut Program, words: &[u32]) -> Result<ContractProof, WireError> {
    let mut r = Reader::new(words);
    let terms = read_nodes(&mut program.pool, &mut r)?;
    let mut proof = ContractProof::default();
    for _ in 0..r.count("contracts")? {
        let number = r.entity("a contract")?;
        if number as usize >= program.procs.len() {
            let what = "procedure";
            return Err(WireError::NoSuch { what, number });
        }
        let contract = Contract {
            requires: read_clauses(&program.pool, &terms, &mut r)?,
            ensures: read_clauses(&program.pool, &terms, &mut r)?,
        };
        let p = Proc::from_u32(number);
        if proof.contracts.insert(p, contract).is_some() {
            let message = format!("{p} has two contracts");
            return Err(WireError::Malformed(message));
        }
    }
    for _ in 0..r.count("contracts")? {
        let (loc, t) = read_fact(&program.pool, program.locs.len(), &terms, &mut r)?;
        if proof.invariants.insert(loc, t).is_some() {
            let message = format!("{loc} has two invariants");
            return Err(WireError::Malformed(message));
        }
    }
    r.finish()?;
    Ok(proof)
}

fn read_clauses(
    pool: &TermPool,
    terms: &Received,
    r: &mut Reader<'_>,
) -> Result<Vec<Term>, WireError> {
    let mut clauses = Vec::new();
    for _ in 0..r.count("a contract")? {
        let t = terms.term(r.word("a clause")?)?;
        if pool.ty(t) != Type::Bool {
            let message = format!("a clause has type {}", pool.ty(t));
            return Err(WireError::IllTyped(message));
        }
        clauses.push(t);
    }
    Ok(clauses)
}
