//! Does a witness, ours or another tool's, show what it claims?
//!
//! An invariant set is put to the checker, by induction on the program as the front end made it. A
//! violation sequence restricts the program to executions along it, and an error of the restricted
//! program is an error of the program. Neither depends on the engine that made the witness.

use crate::assumptions::Grants;
use crate::error::Error;
use crate::events::{Event, Observer};
use crate::files::{read, read_text};
use crate::hardware;
use crate::judge::Answer;
use crate::load::{Language, Loaded, Source};
use crate::proofs::Proving;
use crate::report::Assumed;
use crate::room;
use crate::session::{Check, Session};
use std::path::Path;
use trellis_ivl::{FlattenOptions, Program, TermPool, verify};
use trellis_ivl_certify::{Rejection, SafetyCertificate, at_heads, check_exhausted, check_safe};
use trellis_pipeline::CertificationMode;
use trellis_plugin_sdk::solver::smt::{SmtBackend, SmtSession};
use trellis_plugin_sdk::solver::{Limits, SessionConfig};
use trellis_solver_api::sat::SatBackend;
use trellis_solver_batsat::Batsat;
use trellis_solver_bitblast::Bitblast;
use trellis_solver_cadical::ProvedCadical;
use trellis_witness::follow::{FollowError, Subject};
use trellis_witness::format::{self, Entry, Invariant, Metadata, SegmentItem};
use trellis_witness::hash;

/// Witnesses do not say for which k their invariants are k-inductive, nor that loops without an invariant
/// are few rounds long. So each k is tried in turn, first with what cannot be said about a loop left open, then with
/// every loop unwound.
const DEPTHS: [(u32, bool); 8] = [
    (1, false),
    (2, false),
    (2, true),
    (4, false),
    (4, true),
    (8, true),
    (16, true),
    (32, true),
];

/// What a witness is worth, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It shows what it claims.
    Valid(String),
    /// It does not.
    Invalid(String),
    /// Nobody knows.
    Unknown(String),
}

/// What became of a witness.
pub struct Validated {
    /// What it is worth.
    pub outcome: Outcome,
    /// What that takes for granted.
    pub assumptions: Vec<Assumed>,
}

/// A witness and what it is about.
struct Claim<'a> {
    program: &'a Path,
    witness: &'a Path,
    properties: &'a str,
    grants: &'a Grants,
}

/// Who decides what has to be shown for a proof.
pub(crate) struct Deciders {
    /// Clauses.
    pub sat: Box<dyn SatBackend>,
    /// Terms.
    pub smt: Box<dyn SmtBackend>,
}

impl Deciders {
    fn new(mode: CertificationMode) -> Deciders {
        match mode {
            CertificationMode::Proof => Deciders {
                sat: Box::new(ProvedCadical::default()),
                smt: Box::new(Proving::default()),
            },
            // Embedded, and so the same everywhere.
            CertificationMode::Solver => Deciders {
                sat: Box::new(Batsat),
                smt: Box::new(Bitblast::new(Batsat)),
            },
        }
    }
}

impl Session<'_> {
    /// Validates a witness: SV-COMP's format 2.0 of a C program, a stimulus or a witness circuit of a hardware model. What
    /// the witness leaves open is left to the pipeline, whose certification says who decides the rest. `properties` are
    /// those of a C program, separated by commas.
    pub fn validate(
        &self,
        program: &Path,
        witness: &Path,
        properties: Option<&str>,
    ) -> Result<Outcome, Error> {
        let validated = self.validate_with(program, witness, properties, &Grants::default())?;
        Ok(validated.outcome)
    }

    /// The same, where `grants` changes what the rules of tasks take for granted.
    pub fn validate_with(
        &self,
        program: &Path,
        witness: &Path,
        properties: Option<&str>,
        grants: &Grants,
    ) -> Result<Validated, Error> {
        let claim = Claim {
            program,
            witness,
            properties: properties.unwrap_or("unreach-call"),
            grants,
        };
        room::with_room(|| self.begin()?.validate(&claim))?
    }
}

impl Check<'_> {
    fn validate(&self, claim: &Claim<'_>) -> Result<Validated, Error> {
        let source = Source::for_file(claim.program.into(), false, None, claim.grants);
        let mut assumptions = Vec::new();
        let outcome = match source.language() {
            Some(Language::Aiger | Language::Btor2) => self.of_hardware(claim, &source)?,
            _ => self.of_program(claim, &mut assumptions)?,
        };
        Ok(Validated {
            outcome,
            assumptions,
        })
    }

    fn deciders(&self) -> Deciders {
        Deciders::new(self.session.pipeline.certification.mode)
    }

    /// A stimulus or a witness circuit.
    fn of_hardware(&self, claim: &Claim<'_>, source: &Source) -> Result<Outcome, Error> {
        let bytes = read(claim.witness)?;
        let loaded = self.read(source)?;
        let by = self.deciders();
        Ok(hardware::validate(&loaded, &bytes, &by, self.limits()))
    }

    /// A witness of a C program: every entry must be valid; there is one as a rule.
    fn of_program(
        &self,
        claim: &Claim<'_>,
        assumptions: &mut Vec<Assumed>,
    ) -> Result<Outcome, Error> {
        let entries = match format::read(&read_text(claim.witness)?) {
            Err(e) => return Ok(Outcome::Invalid(format!("malformed: {e}"))),
            Ok(entries) => entries,
        };
        let mut last = Outcome::Unknown("no entry".into());
        for entry in &entries {
            let (Entry::InvariantSet { metadata, .. } | Entry::ViolationSequence { metadata, .. }) =
                entry;
            if let Some(why) = other_program(claim, metadata)? {
                return Ok(Outcome::Invalid(why));
            }
            let lp64 = metadata.task.data_model == "LP64";
            let check = Some(claim.properties.to_string());
            let source = Source::for_file(claim.program.into(), lp64, check, claim.grants);
            let loaded = self.read(&source)?;
            assumptions.clone_from(&loaded.assumptions);
            self.event(Event::Engines);
            last = match entry {
                Entry::InvariantSet { content, .. } => {
                    let all: Vec<&Invariant> = content.iter().map(|i| &i.invariant).collect();
                    self.invariants(&loaded, &all, lp64)?
                }
                Entry::ViolationSequence { content, .. } => {
                    self.violation(&loaded, content, lp64)?
                }
            };
            if !matches!(last, Outcome::Valid(_)) {
                break;
            }
        }
        Ok(last)
    }

    /// The time that is left.
    fn limits(&self) -> Limits {
        Limits {
            wall: self.stop().left(),
            ..Limits::NONE
        }
    }

    fn invariants(
        &self,
        loaded: &Loaded,
        all: &[&Invariant],
        lp64: bool,
    ) -> Result<Outcome, Error> {
        let options = FlattenOptions::default();
        let subject = subject(loaded, lp64);
        let annotated = match subject.annotate(all.iter().copied(), &options, &loaded.sources) {
            Ok(annotated) => annotated,
            Err(e) => return Ok(unfit(&e)),
        };
        let by = self.deciders();
        let pool = &annotated.flat.pool;
        // Each question has a session of its own: sessions know terms by their numbers.
        let ask = |checker: Checker, certificate: &SafetyCertificate| {
            let mut session = by.smt.session(&SessionConfig::default())?;
            session.set_limits(self.limits());
            self.stop().interrupting(session.interrupter(), || {
                checker(&annotated.program, pool, certificate, &mut *session)
            })
        };
        let mut why = String::new();
        // A witness that says nothing of any loop leaves all to the pipeline, as a proof by unwinding does.
        let silent = all.is_empty() && !annotated.everywhere.is_empty();
        let depths = if silent { &[] } else { &DEPTHS[..] };
        for (k, everywhere) in depths.iter().copied() {
            let invariants = match everywhere {
                true => &annotated.everywhere,
                false => &annotated.invariants,
            };
            let certificate = SafetyCertificate {
                k,
                expansion: options,
                ..SafetyCertificate::inductive(at_heads(&annotated.flat, invariants.clone()))
            };
            match ask(check_safe, &certificate) {
                Ok(()) => {
                    let how = match k {
                        1 => "the invariants are inductive and exclude the error".into(),
                        k => format!("the invariants are {k}-inductive and exclude the error"),
                    };
                    return Ok(Outcome::Valid(how));
                }
                Err(e @ (Rejection::Undecided { .. } | Rejection::Solver(_))) => {
                    return Ok(Outcome::Unknown(e.to_string()));
                }
                // With every loop unwound, a base case that fails is an execution.
                Err(Rejection::Refuted(e)) if everywhere && e.starts_with("base ") => {
                    return Ok(Outcome::Invalid(format!("not proved: {e}")));
                }
                Err(e) if why.is_empty() => why = e.to_string(),
                Err(_) => {}
            }
            // What memory holds may be missing from invariants, and matter to the step alone.
            if everywhere && ask(check_exhausted, &certificate).is_ok() {
                let how = format!(
                    "the invariants hold on all executions, none of which visits loops {k} times"
                );
                return Ok(Outcome::Valid(how));
            }
        }
        if annotated.everywhere.len() == annotated.invariants.len() {
            return Ok(Outcome::Invalid(why));
        }
        // The witness leaves loops open, as it must where C has no words for their invariants.
        Ok(match self.decide_rest(&annotated.program)? {
            Decided::Safe => Outcome::Valid(
                "the invariants hold, and the loops without one do not lead to the error".into(),
            ),
            Decided::Unsafe => Outcome::Invalid(why),
            Decided::Unknown(reason) => Outcome::Unknown(reason),
        })
    }

    fn violation(
        &self,
        loaded: &Loaded,
        segments: &[SegmentItem],
        lp64: bool,
    ) -> Result<Outcome, Error> {
        let restricted = match subject(loaded, lp64).restrict(segments, &loaded.sources) {
            Ok(program) => program,
            Err(e) => return Ok(unfit(&e)),
        };
        Ok(match self.decide_rest(&restricted)? {
            Decided::Safe => Outcome::Invalid("no execution along it reaches the target".into()),
            Decided::Unsafe => Outcome::Valid("an execution along it reaches the target".into()),
            Decided::Unknown(reason) => Outcome::Unknown(reason),
        })
    }

    /// Lets the pipeline decide a program; its answer is certified as any other.
    fn decide_rest(&self, program: &Program) -> Result<Decided, Error> {
        verify::verify(program).map_err(|errors| {
            let all: Vec<String> = errors.0.iter().map(ToString::to_string).collect();
            Error::Internal(format!(
                "ill-formed program of a witness: {}",
                all.join("; ")
            ))
        })?;
        if let Some(why) = self.stop().why() {
            return Ok(Decided::Unknown(why.into()));
        }
        Ok(match self.round(program)?.found {
            Ok(Answer::True { .. }) => Decided::Safe,
            Ok(Answer::False { .. }) => Decided::Unsafe,
            Err(why) => Decided::Unknown(why),
        })
    }
}

/// One of the two ways to accept a certificate.
type Checker =
    fn(&Program, &TermPool, &SafetyCertificate, &mut dyn SmtSession) -> Result<(), Rejection>;

enum Decided {
    Safe,
    Unsafe,
    Unknown(String),
}

fn other_program(claim: &Claim<'_>, metadata: &Metadata) -> Result<Option<String>, Error> {
    let bytes = read(claim.program)?;
    let found = hash::sha256(&bytes);
    let known = metadata.task.input_file_hashes.values();
    let fits = known.clone().any(|h| h.eq_ignore_ascii_case(&found));
    Ok((!fits).then(|| "it is about another program: no hash fits".into()))
}

fn subject<'a>(loaded: &'a Loaded, lp64: bool) -> Subject<'a> {
    Subject {
        program: loaded.program(),
        names: &loaded.names,
        long_bits: if lp64 { 64 } else { 32 },
    }
}

fn unfit(e: &FollowError) -> Outcome {
    match e {
        FollowError::Unsupported(_) => Outcome::Unknown(e.to_string()),
        _ => Outcome::Invalid(e.to_string()),
    }
}
