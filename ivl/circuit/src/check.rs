//! The conditions of a witness circuit, by SAT.
//!
//! Let R, F, C, P be the resets, the step, the constraints and the property of the model, with primes those of
//! the witness, and K the inputs and latches that the two share; subscripts are times.
//!
//! | condition | formula that must be valid |
//! |---|---|
//! | reset | R{K} and C implies R'{K} and C' |
//! | transition | F{K} and C₀ and C₁ and C₀' implies F'{K} and C₁' |
//! | property | C and C' and P' implies P |
//! | base | R' and C' implies P' |
//! | step | P₀' and F' and C₀' and C₁' implies P₁' |
//!
//! The first three say that each run of the model is one of the witness, which needs reset functions
//! of the witness to be stratified; the last two that its property is inductive. With several properties P
//! is their conjunction.

use crate::Error;
use crate::aig::{Aig, Copy};
use trellis_frontend_aiger::{Item, Lit, Model, Reset, Simulator};
use trellis_solver_api::sat::SatBackend;
use trellis_solver_api::{Answer, Limits, SessionConfig};

/// Accepts a witness circuit for a model, or says what is wrong with it.
pub fn check(
    model: &Model,
    witness: &Model,
    backend: &dyn SatBackend,
    limits: Limits,
) -> Result<(), Error> {
    let stratified = Simulator::<bool>::new(witness);
    let cyclic = |&i: &u32| {
        let function = matches!(witness.reset(i), Reset::Function(_));
        function && stratified.is_free(i)
    };
    if let Some(latch) = (0..witness.latches.len() as u32).find(cyclic) {
        let why = format!("the reset of latch {latch} depends on itself");
        return Err(Error::Unsupported(why));
    }
    if witness.properties().1.len() != model.properties().1.len() {
        return Err(Error::Misfit("the numbers of properties differ".into()));
    }
    let mut checker = Checker {
        aig: Aig::new(),
        model,
        witness,
        shared: shared(model, witness)?,
    };
    let conditions = [
        ("reset", checker.reset()),
        ("transition", checker.transition()),
        ("property", checker.property()),
        ("base", checker.base()),
        ("step", checker.step()),
    ];
    for (name, counterexample) in conditions {
        if counterexample == Lit::FALSE {
            continue;
        }
        let mut session = backend.session(&SessionConfig::default())?;
        session.set_limits(limits);
        match checker.aig.solve(counterexample, &mut *session)? {
            Answer::Unsat => {}
            Answer::Sat => return Err(Error::Refuted(name)),
            Answer::Unknown(why) => return Err(Error::Undecided(name, why)),
        }
    }
    Ok(())
}

/// Per input and latch of the witness: the variable of the model that it simulates.
fn shared(model: &Model, witness: &Model) -> Result<Vec<Option<u32>>, Error> {
    if let Some(comment) = &witness.comment
        && comment.lines().any(|l| l.starts_with("MAPPING"))
    {
        let why = "it maps gates by a comment MAPPING".into();
        return Err(Error::Unsupported(why));
    }
    let leaves = witness.inputs as usize + witness.latches.len();
    let mut shared = vec![None; leaves];
    let mut taken = vec![false; model.first_and() as usize];
    let mut explicit = false;
    for (item, index, name) in witness.symbols.iter() {
        let at = match item {
            Item::Input => index as usize,
            Item::Latch => (witness.inputs + index) as usize,
            _ => continue,
        };
        if name == "oracle" {
            return Err(Error::Unsupported("it has oracles".into()));
        }
        let Some(literal) = name.strip_prefix('=') else {
            continue;
        };
        explicit = true;
        let var = variable(model, literal.trim())?;
        if std::mem::replace(&mut taken[var as usize], true) {
            let why = format!("two of its bits simulate {}", literal.trim());
            return Err(Error::Misfit(why));
        }
        shared[at] = Some(var);
    }
    if !explicit {
        let inputs = model.inputs.min(witness.inputs);
        for i in 0..inputs {
            shared[i as usize] = Some(model.input(i).var());
        }
        let latches = model.latches.len().min(witness.latches.len());
        for i in 0..latches as u32 {
            shared[(witness.inputs + i) as usize] = Some(model.latch(i).var());
        }
    }
    Ok(shared)
}

/// The variable of the input or latch that has this literal in the model's file.
fn variable(model: &Model, literal: &str) -> Result<u32, Error> {
    let misfit = || {
        Error::Misfit(format!(
            "'= {literal}' names no input or latch of the model"
        ))
    };
    let literal: u32 = literal.parse().map_err(|_| misfit())?;
    let leaves = 1..model.first_and();
    let mut found = leaves.filter(|&v| model.literal_in_file(Lit::positive(v)) == literal);
    found.next().ok_or_else(misfit)
}

struct Checker<'m> {
    aig: Aig,
    model: &'m Model,
    witness: &'m Model,
    shared: Vec<Option<u32>>,
}

impl Checker<'_> {
    fn fresh(&mut self, model: &Model) -> Vec<Lit> {
        let leaves = model.first_and() - 1;
        (0..leaves).map(|_| self.aig.leaf()).collect()
    }

    /// Leaves of the witness that agree with those of the model on what is shared.
    fn beside(&mut self, of_model: &[Lit]) -> Vec<Lit> {
        let shared = self.shared.clone();
        let leaf = |var: &Option<u32>| match var {
            Some(var) => of_model[*var as usize - 1],
            None => self.aig.leaf(),
        };
        shared.iter().map(leaf).collect()
    }

    /// The latches of the witness that are shared; of the model likewise.
    fn shared_latches(&self) -> (Vec<u32>, Vec<u32>) {
        let latches = 0..self.witness.latches.len() as u32;
        let at = |i: u32| self.shared[(self.witness.inputs + i) as usize];
        let of_witness: Vec<u32> = latches.filter(|&i| at(i).is_some()).collect();
        let vars = self.shared.iter().flatten();
        let of_model = vars.filter_map(|v| v.checked_sub(self.model.first_latch()));
        (of_witness, of_model.collect())
    }

    /// These latches have their reset values.
    fn resets(&mut self, model: &Model, copy: &Copy, latches: &[u32]) -> Lit {
        let mut all = Lit::TRUE;
        for &i in latches {
            let reset = copy.of(model.latches[i as usize].reset);
            let equal = self.aig.equal(copy.of(model.latch(i)), reset);
            all = self.aig.and(all, equal);
        }
        all
    }

    fn reset(&mut self) -> Lit {
        let (model, witness) = (self.model, self.witness);
        let leaves = self.fresh(model);
        let m = self.aig.copy(model, &leaves);
        let leaves = self.beside(&leaves);
        let w = self.aig.copy(witness, &leaves);
        let (of_witness, of_model) = self.shared_latches();
        let resets = self.resets(model, &m, &of_model);
        let constraints = m.constraints(&mut self.aig, model);
        let resets_of_witness = self.resets(witness, &w, &of_witness);
        let constraints_of_witness = w.constraints(&mut self.aig, witness);
        let kept = self.aig.and(resets_of_witness, constraints_of_witness);
        self.aig.all([resets, constraints, !kept])
    }

    fn transition(&mut self) -> Lit {
        let (model, witness) = (self.model, self.witness);
        let now = self.fresh(model);
        let m0 = self.aig.copy(model, &now);
        let w0 = {
            let leaves = self.beside(&now);
            self.aig.copy(witness, &leaves)
        };
        let (of_witness, of_model) = self.shared_latches();
        let mut next = self.fresh(model);
        for &i in &of_model {
            let latch = model.latches[i as usize];
            next[(model.inputs + i) as usize] = m0.of(latch.next);
        }
        let m1 = self.aig.copy(model, &next);
        let leaves = self.beside(&next);
        let w1 = self.aig.copy(witness, &leaves);
        let mut kept = w1.constraints(&mut self.aig, witness);
        for &i in &of_witness {
            let step = w0.of(witness.latches[i as usize].next);
            let same = self.aig.equal(w1.of(witness.latch(i)), step);
            kept = self.aig.and(kept, same);
        }
        let assumed = [
            m0.constraints(&mut self.aig, model),
            m1.constraints(&mut self.aig, model),
            w0.constraints(&mut self.aig, witness),
            !kept,
        ];
        self.aig.all(assumed)
    }

    fn property(&mut self) -> Lit {
        let (model, witness) = (self.model, self.witness);
        let leaves = self.fresh(model);
        let m = self.aig.copy(model, &leaves);
        let leaves = self.beside(&leaves);
        let w = self.aig.copy(witness, &leaves);
        let assumed = [
            m.constraints(&mut self.aig, model),
            w.constraints(&mut self.aig, witness),
            w.property(&mut self.aig, witness),
            !m.property(&mut self.aig, model),
        ];
        self.aig.all(assumed)
    }

    fn base(&mut self) -> Lit {
        let witness = self.witness;
        let mut leaves = self.fresh(witness);
        for i in 0..witness.latches.len() as u32 {
            if let Reset::Constant(value) = witness.reset(i) {
                leaves[(witness.inputs + i) as usize] = Lit::FALSE.negated_if(value);
            }
        }
        let w = self.aig.copy(witness, &leaves);
        let all: Vec<u32> = (0..witness.latches.len() as u32).collect();
        let assumed = [
            self.resets(witness, &w, &all),
            w.constraints(&mut self.aig, witness),
            !w.property(&mut self.aig, witness),
        ];
        self.aig.all(assumed)
    }

    fn step(&mut self) -> Lit {
        let witness = self.witness;
        let now = self.fresh(witness);
        let w0 = self.aig.copy(witness, &now);
        let mut next: Vec<Lit> = (0..witness.inputs).map(|_| self.aig.leaf()).collect();
        next.extend(witness.latches.iter().map(|l| w0.of(l.next)));
        let w1 = self.aig.copy(witness, &next);
        let assumed = [
            w0.property(&mut self.aig, witness),
            w0.constraints(&mut self.aig, witness),
            w1.constraints(&mut self.aig, witness),
            !w1.property(&mut self.aig, witness),
        ];
        self.aig.all(assumed)
    }
}
