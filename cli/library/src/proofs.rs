//! `--certify proof`: obligations are decided by the bit-blaster on a SAT solver whose refutations a checker accepts or
//! rejects, each with its formula and its proof for whoever wants to check it again.
//!
//! Each query has a SAT solver of its own, because a proof is about one formula.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use trellis_ivl::{Term, TermPool};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{Answer, Capabilities, Result, SessionConfig, delegate_smt};
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::{ProvedCadical, Refutation};
use trellis_solver_lrat::Formula;

/// Options of the bit-blaster in this mode, where they are not given.
const OPTIONS: [(&str, i64); 3] = [("lift", 0), ("renew", 2), ("ring", 0)];

/// Bytes of proofs that are kept for one certificate.
const KEPT_AT_MOST: usize = 1 << 30;

/// The backend of the checker in this mode.
#[derive(Clone, Default)]
pub struct Proving {
    /// The evidence of the last session, where it is kept.
    kept: Option<Arc<Mutex<Kept>>>,
}

/// Why an obligation has no model.
pub enum Evidence {
    /// Its circuit is constant: the bit-blaster had nothing to ask.
    Circuit,
    /// A formula and its refutation (LRAT).
    Proof(Formula, Vec<u8>),
    /// A proof that was accepted, and too long to be kept.
    TooLong,
}

/// The evidence of a session, by the number of the query.
#[derive(Default)]
struct Kept {
    queries: Vec<Evidence>,
    /// The last refutation, until its query has been answered.
    last: Option<Refutation>,
    bytes: usize,
}

impl Kept {
    fn has_room_for(&mut self, formula: &Formula, proof: &[u8]) -> bool {
        let size = size_of_val(formula.literals()) + proof.len();
        self.bytes = self.bytes.saturating_add(size);
        self.bytes <= KEPT_AT_MOST
    }
}

impl Proving {
    /// Keeps proofs.
    pub fn keeping() -> Proving {
        Proving {
            kept: Some(Arc::default()),
        }
    }

    /// The evidence of the last session, in the order of the obligations.
    pub fn take(&self) -> Vec<Evidence> {
        let kept = self.kept.as_ref();
        kept.map_or_else(Vec::new, |k| std::mem::take(&mut lock(k).queries))
    }
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SmtBackend for Proving {
    fn name(&self) -> &str {
        "bitblast-cadical-proved"
    }

    fn capabilities(&self) -> Capabilities {
        Bitblast::new(ProvedCadical::default()).capabilities()
    }

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        let mut config = config.clone();
        for (name, value) in OPTIONS {
            let given = config.options.entry(name.into());
            given.or_insert_with(|| value.to_string());
        }
        let Some(kept) = &self.kept else {
            return Bitblast::new(ProvedCadical::default()).session(&config);
        };
        *lock(kept) = Kept::default();
        let keep = kept.clone();
        let sat = ProvedCadical::keeping(Arc::new(move |refutation: Refutation| {
            lock(&keep).last = Some(refutation);
        }));
        Ok(Box::new(Counted {
            session: Bitblast::new(sat).session(&config)?,
            kept: kept.clone(),
        }))
    }
}

/// A session that knows which query a refutation belongs to.
struct Counted {
    session: Box<dyn SmtSession>,
    kept: Arc<Mutex<Kept>>,
}

impl SmtSession for Counted {
    delegate_smt!(session: signature capabilities assert push pop level value unsat_core set_kind set_limits interrupter stats);

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        let answer = self.session.check(pool, assumptions);
        let kept = &mut *lock(&self.kept);
        let evidence = match kept.last.take() {
            None => Evidence::Circuit,
            Some(Refutation { formula, proof }) => match proof {
                Some(proof) if kept.has_room_for(&formula, &proof) => {
                    Evidence::Proof(formula, proof)
                }
                _ => Evidence::TooLong,
            },
        };
        if answer == Ok(Answer::Unsat) {
            kept.queries.push(evidence);
        }
        answer
    }
}
