//! Witness circuits of word-level models: made from an invariant, and checked by the checker of programs.
//!
//! A certificate must be the model with other bad states and further nodes behind. Then
//! only two things are left: that its property implies the model's, and that it is inductive. Both are
//! questions about programs that are lowered from variants of the certificate:
//!
//! - all states arbitrary, the certificate's property as a constraint, the model's bad states: safe at once;
//! - with a state `ok` that remembers whether a bad state has been, as a constraint: 2-inductive without any
//!   invariant, which is plain induction for properties that read inputs.

use crate::Error;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_frontend_btor2::{Lowered, Model, Op, Property, Ref, lower};
use trellis_ivl::{Bv, Op as IvlOp, Term, TermPool, Type, Var};
use trellis_ivl_certify::{Rejection, SafetyCertificate, check_safe};
use trellis_solver_api::smt::SmtBackend;
use trellis_solver_api::{Limits, SessionConfig};

/// The witness circuit of a model for an invariant at the loop of its program.
pub fn make(
    model: &Model,
    lowered: &Lowered,
    pool: &TermPool,
    invariant: Option<Term>,
) -> Result<Model, Error> {
    let mut circuit = model.clone();
    let Some(invariant) = invariant else {
        return Ok(circuit);
    };
    let mut vars: FxHashMap<Var, Ref> = FxHashMap::default();
    for (i, state) in model.states.iter().enumerate() {
        if !lowered.is_input[i] {
            vars.insert(lowered.states[i], Ref::new(state.node, false));
        }
    }
    let good = nodes(&mut circuit, pool, invariant, &vars)?;
    for i in 0..circuit.bads.len() {
        let args = [circuit.bads[i].value, not(good)];
        circuit.bads[i].value = circuit.add(Op::Or, Type::Bv(1), &args, [0, 0]);
    }
    Ok(circuit)
}

fn not(r: Ref) -> Ref {
    Ref::new(r.node(), !r.is_negated())
}

/// The sort of a term in a model, which knows no truth values.
fn sort(ty: Type) -> Type {
    match ty {
        Type::Bool => Type::Bv(1),
        other => other,
    }
}

/// Appends the nodes of a term.
fn nodes(
    model: &mut Model,
    pool: &TermPool,
    root: Term,
    vars: &FxHashMap<Var, Ref>,
) -> Result<Ref, Error> {
    let mut made: FxHashMap<Term, Ref> = FxHashMap::default();
    for t in pool.post_order([root]) {
        let ty = sort(pool.ty(t));
        let args: Vec<Ref> = pool.args(t).map(|a| made[&a]).collect();
        let node = match pool.op(t) {
            IvlOp::BoolConst => {
                let bit = u64::from(pool.as_bool(t) == Some(true));
                model.add_const(Bv::new(1, bit))
            }
            IvlOp::BvConst => model.add_const(pool.as_bv(t).expect("a constant has a value")),
            IvlOp::Var => {
                let var = pool.as_var(t).expect("a variable node");
                let known = vars.get(&var).copied();
                known.ok_or_else(|| {
                    let name = &pool.var_data(var).name;
                    Error::Unwritable(format!("the invariant speaks of {name}, which is no state"))
                })?
            }
            IvlOp::Not => not(args[0]),
            IvlOp::Extract => {
                let (hi, lo) = pool.extract_bounds(t).expect("an extract has bounds");
                model.add(Op::Slice, ty, &args, [hi, lo])
            }
            op @ (IvlOp::ZeroExt | IvlOp::SignExt) => {
                let by = pool.width(t) - pool.width(pool.arg(t, 0));
                let op = if op == IvlOp::ZeroExt {
                    Op::Uext
                } else {
                    Op::Sext
                };
                model.add(op, ty, &args, [by, 0])
            }
            op => model.add(operator(op)?, ty, &args, [0, 0]),
        };
        made.insert(t, node);
    }
    Ok(made[&root])
}

fn operator(op: IvlOp) -> Result<Op, Error> {
    Ok(match op {
        IvlOp::And | IvlOp::BvAnd => Op::And,
        IvlOp::Or | IvlOp::BvOr => Op::Or,
        IvlOp::Eq => Op::Eq,
        IvlOp::Ite => Op::Ite,
        IvlOp::BvNot => Op::Not,
        IvlOp::BvNeg => Op::Neg,
        IvlOp::BvXor => Op::Xor,
        IvlOp::BvAdd => Op::Add,
        IvlOp::BvSub => Op::Sub,
        IvlOp::BvMul => Op::Mul,
        IvlOp::BvUdiv => Op::Udiv,
        IvlOp::BvUrem => Op::Urem,
        IvlOp::BvSdiv => Op::Sdiv,
        IvlOp::BvSrem => Op::Srem,
        IvlOp::BvSmod => Op::Smod,
        IvlOp::BvShl => Op::Sll,
        IvlOp::BvLshr => Op::Srl,
        IvlOp::BvAshr => Op::Sra,
        IvlOp::BvUlt => Op::Ult,
        IvlOp::BvUle => Op::Ulte,
        IvlOp::BvSlt => Op::Slt,
        IvlOp::BvSle => Op::Slte,
        IvlOp::BvUaddo => Op::Uaddo,
        IvlOp::BvSaddo => Op::Saddo,
        IvlOp::BvUsubo => Op::Usubo,
        IvlOp::BvSsubo => Op::Ssubo,
        IvlOp::BvUmulo => Op::Umulo,
        IvlOp::BvSmulo => Op::Smulo,
        IvlOp::Concat => Op::Concat,
        IvlOp::Select => Op::Read,
        IvlOp::Store => Op::Write,
        other => {
            let why = format!("the invariant uses {other:?}, which BTOR2 has not");
            return Err(Error::Unwritable(why));
        }
    })
}

/// Accepts a witness circuit for a model, or says what is wrong with it.
pub fn check(
    model: &Model,
    witness: &Model,
    backend: &dyn SmtBackend,
    limits: Limits,
) -> Result<(), Error> {
    let misfit = |what: &str| Err(Error::Misfit(format!("{what} are not those of the model")));
    let values = |list: &[Property]| list.iter().map(|p| p.value).collect::<Vec<Ref>>();
    if !witness.nodes.starts_with(&model.nodes) || !witness.consts.starts_with(&model.consts) {
        return misfit("its first nodes");
    }
    if witness.inputs != model.inputs || witness.states != model.states {
        return misfit("its inputs or states");
    }
    if values(&witness.constraints) != values(&model.constraints) {
        return misfit("its constraints");
    }
    if witness.bads.len() != model.bads.len() {
        return Err(Error::Misfit("the numbers of properties differ".into()));
    }
    let k1 = implies_property(model, witness);
    prove("property", &k1, 1, backend, limits)?;
    prove("base and step", &guarded(witness), 2, backend, limits)
}

/// The model's bad states where the witness has none, in any state.
fn implies_property(model: &Model, witness: &Model) -> Model {
    let mut variant = witness.clone();
    for state in &mut variant.states {
        state.init = None;
        state.next = None;
    }
    for bad in &witness.bads {
        variant.constraints.push(Property {
            value: not(bad.value),
            name: None,
        });
    }
    variant.bads.clone_from(&model.bads);
    without_liveness(variant)
}

/// The witness with runs that stop where they are bad.
fn guarded(witness: &Model) -> Model {
    let mut variant = witness.clone();
    let bit = Type::Bv(1);
    let yes = variant.add_const(Bv::one(1));
    let ok = variant.add_state(bit);
    let mut still = ok;
    for bad in &witness.bads {
        still = variant.add(Op::And, bit, &[still, not(bad.value)], [0, 0]);
    }
    let state = variant.states.last_mut().expect("it was just added");
    state.init = Some(yes);
    state.next = Some(still);
    variant.constraints.push(Property {
        value: ok,
        name: None,
    });
    without_liveness(variant)
}

fn without_liveness(mut model: Model) -> Model {
    model.justice.clear();
    model.fairs.clear();
    model
}

/// Whether the bad states of a variant are unreachable by k-induction with no invariant.
fn prove(
    name: &'static str,
    variant: &Model,
    k: u32,
    backend: &dyn SmtBackend,
    limits: Limits,
) -> Result<(), Error> {
    let lowered = lower(variant, "certificate");
    let mut program = lowered.program;
    let anything = program.pool.tru();
    let certificate = SafetyCertificate {
        k,
        ..SafetyCertificate::inductive(BTreeMap::from([(lowered.graph.main_loop, anything)]))
    };
    let mut session = backend.session(&SessionConfig::default())?;
    session.set_limits(limits);
    check_safe(&program, &program.pool, &certificate, &mut *session).map_err(|e| match e {
        Rejection::Undecided { reason, .. } => Error::Undecided(name, reason),
        Rejection::Solver(e) => Error::Solver(e),
        _ => Error::Refuted(name),
    })
}
