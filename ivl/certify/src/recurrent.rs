//! The checker of recurrent sets: a set of states that some execution enters and need never leave.
//!
//! After Gupta, Henzinger, Majumdar, Rybalchenko and Xu ("Proving non-termination", POPL'08), on bit-vectors and with the
//! choice of inputs given, so that no obligation has a quantifier.
//!
//! # What is checked
//! On the expansion of the program, for a set G of states at a location h, given as a formula, and cases, each a guard γ, a way from h back to h and a
//! term over the state at its beginning for every input on it:
//!
//! - **stem**: a trace is replayed, and ends at h in G;
//! - **cases**: in G, some γ holds;
//! - **way**: in G and γ, with these inputs, every assumption on the way holds;
//! - **back**: after it, the state is in G.
//!
//! By induction there is an execution that comes to h again and again: the way has at least one step. That nothing blocks needs no
//! question of its own, because the way is one of steps, all of whose assumptions hold.

use crate::check::{Obligation, Obligations, OwnGhosts, Rejection, discharge, import_terms};
use crate::lasso::path;
use crate::region::{Env, instantiate};
use trellis_ivl::{
    Cmd, CmdView, Edge, FlattenOptions, Loc, Machine, Op, Program, Step, Term, TermPool, Trace,
    Type, Value, flatten,
};
use trellis_solver_api::smt::SmtSession;

/// A way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// When it is taken.
    pub guard: Term,
    /// Its edges, each with the branch taken at each choice.
    pub steps: Vec<(Edge, Vec<u32>)>,
    /// A term for each input on it, in order, over the state at its beginning.
    pub inputs: Vec<Term>,
}

/// A set of states that is never left, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrent {
    /// A trace of the expanded program into the set; where it ends, ways begin.
    pub stem: Trace,
    /// The set.
    pub set: Term,
    /// The ways round.
    pub cases: Vec<Case>,
}

/// Accepts a recurrent set, whose terms are in `pool`, and says where it is.
pub fn check_recurrent(
    program: &Program,
    pool: &TermPool,
    claim: &Recurrent,
    expansion: &FlattenOptions,
    session: &mut dyn SmtSession,
) -> Result<Loc, Rejection> {
    let mut flat = program.clone();
    if !flat.is_flat() {
        flatten(&mut flat, expansion);
    }
    let mut checker = Checker::new(flat, pool, claim)?;
    let head = checker.stem(&claim.stem)?;
    let mut open = checker.set;
    for (i, case) in claim.cases.iter().enumerate() {
        let (guard, inputs) = checker.cases[i].clone();
        checker.case(head, i, case, guard, &inputs)?;
        let pool = &mut checker.program.pool;
        let other = pool.plain(Op::Not, &[guard]);
        open = pool.plain(Op::And, &[open, other]);
    }
    checker.require("in the set, some case applies".into(), open);
    let obligations = Obligations {
        program: checker.program,
        list: checker.list,
    };
    discharge(&obligations, session)?;
    Ok(head)
}

struct Checker {
    program: Program,
    set: Term,
    /// Guard and inputs of each case, in the checker's pool.
    cases: Vec<(Term, Vec<Term>)>,
    list: Vec<Obligation>,
}

impl Checker {
    fn new(mut flat: Program, pool: &TermPool, claim: &Recurrent) -> Result<Checker, Rejection> {
        let mut terms = vec![claim.set];
        terms.extend(claim.cases.iter().map(|c| c.guard));
        if terms.iter().any(|&t| pool.ty(t) != Type::Bool) {
            let why = "the set or the guard of a case is not boolean";
            return Err(Rejection::Malformed(why.into()));
        }
        for case in &claim.cases {
            terms.extend(&case.inputs);
        }
        let terms = import_terms(&mut flat, pool, &terms, &OwnGhosts::default())?;
        let mut inputs = terms[1 + claim.cases.len()..].iter().copied();
        let cases = claim.cases.iter().zip(&terms[1..]);
        let cases = cases.map(|(case, &guard)| {
            let own = inputs.by_ref().take(case.inputs.len()).collect();
            (guard, own)
        });
        Ok(Checker {
            cases: cases.collect(),
            set: terms[0],
            program: flat,
            list: Vec::new(),
        })
    }

    /// Where the stem ends, which is in the set.
    fn stem(&self, stem: &Trace) -> Result<Loc, Rejection> {
        let mut machine = Machine::for_trace(&self.program, stem)
            .map_err(|error| Rejection::Replay { step: 0, error })?;
        for (step, s) in stem.steps.iter().enumerate() {
            machine
                .replay(s)
                .map_err(|error| Rejection::Replay { step, error })?;
        }
        match machine.eval(self.set) {
            Value::Bool(true) => Ok(machine.loc()),
            _ => Err(Rejection::Refuted(
                "the stem ends outside of the set".into(),
            )),
        }
    }

    /// The obligations of one case.
    fn case(
        &mut self,
        head: Loc,
        i: usize,
        case: &Case,
        guard: Term,
        inputs: &[Term],
    ) -> Result<(), Rejection> {
        let leaves = self.way(head, i, case)?;
        let malformed = || Rejection::Malformed(format!("case {i}: the inputs do not fit"));
        let mut inputs = inputs.iter().copied();
        let mut env = Env::new();
        let mut completes = self.program.pool.tru();
        for c in leaves {
            match self.program.cmds.view(c) {
                CmdView::Assume(t) => {
                    let holds = instantiate(&mut self.program, &env, t);
                    completes = self.program.pool.plain(Op::And, &[completes, holds]);
                }
                CmdView::Assign(items) => {
                    let items = items.to_vec();
                    let values: Vec<Term> = (items.iter())
                        .map(|&(_, t)| instantiate(&mut self.program, &env, t))
                        .collect();
                    env.extend(items.iter().map(|&(v, _)| v).zip(values));
                }
                CmdView::Havoc(items) => {
                    for &(v, _) in items {
                        let value = inputs.next().ok_or_else(malformed)?;
                        if self.program.pool.ty(value) != self.program.pool.var_ty(v) {
                            return Err(malformed());
                        }
                        env.insert(v, value);
                    }
                }
                CmdView::Skip | CmdView::Seq(_) | CmdView::Choice(_) => {}
            }
        }
        if inputs.next().is_some() {
            return Err(malformed());
        }
        let after = instantiate(&mut self.program, &env, self.set);
        let here = self.program.pool.plain(Op::And, &[self.set, guard]);
        for (what, holds) in [
            ("the way can be taken", completes),
            ("it leads back into the set", after),
        ] {
            let pool = &mut self.program.pool;
            let broken = pool.plain(Op::Not, &[holds]);
            let broken = pool.plain(Op::And, &[here, broken]);
            self.require(format!("case {i}: {what}"), broken);
        }
        Ok(())
    }

    /// The commands on the way of a case, which leads from `head` to `head`.
    fn way(&self, head: Loc, i: usize, case: &Case) -> Result<Vec<Cmd>, Rejection> {
        let malformed = |why: &str| Rejection::Malformed(format!("case {i}: {why}"));
        if case.steps.is_empty() {
            return Err(malformed("the way has no step"));
        }
        let mut leaves = Vec::new();
        let mut at = head;
        for (edge, choices) in &case.steps {
            let data = self.program.edges.get(*edge);
            let data = data.filter(|d| d.from == at);
            let data = data.ok_or_else(|| malformed("the way is not connected"))?;
            at = data.to;
            let step = Step {
                edge: *edge,
                choices: choices.clone(),
                inputs: Vec::new(),
            };
            path(&self.program, &step, &mut leaves)
                .ok_or_else(|| malformed("the choices do not fit"))?;
        }
        match at == head {
            true => Ok(leaves),
            false => Err(malformed("the way does not lead back")),
        }
    }

    fn require(&mut self, name: String, formula: Term) {
        if self.program.pool.as_bool(formula) != Some(false) {
            self.list.push(Obligation { name, formula });
        }
    }
}
