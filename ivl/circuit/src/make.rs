//! From an inductive invariant of the lowered program to a witness circuit.
//!
//! The circuit is the model, and a state is bad as well where the invariant does not hold. Where reset
//! functions read inputs, the lowered program keeps these in variables of its own, and so does the circuit, as
//! latches: the invariant may speak of them.

use crate::Error;
use rustc_hash::FxHashMap;
use trellis_frontend_aiger::{And, Item, Latch, Lit, Lowered, Model, Symbols};
use trellis_ivl::{Op, Term, TermPool, Type, Var};

/// The witness circuit of a model for an invariant at the loop of its program.
pub fn make(
    model: &Model,
    lowered: &Lowered,
    pool: &TermPool,
    invariant: Option<Term>,
) -> Result<Model, Error> {
    let mut maker = Maker::new(model, lowered);
    let mut good = match invariant {
        Some(term) => maker.gates(pool, term)?,
        None => Lit::TRUE,
    };
    if let Some(flag) = maker.flag {
        // In the first step the inputs are those that the resets have read.
        for &(input, latch) in &maker.saved.clone() {
            let same = maker.equal(model.input(input), latch);
            let kept = maker.implies(flag, same);
            good = maker.and(good, kept);
        }
    }
    let (item, bads) = model.properties();
    let bads: Vec<Lit> = bads.iter().map(|&b| maker.image(b)).collect();
    let bads = bads.into_iter().map(|b| !maker.and(!b, good)).collect();
    match item {
        Item::Output => maker.circuit.outputs = bads,
        _ => maker.circuit.bads = bads,
    }
    Ok(maker.circuit)
}

struct Maker<'m> {
    model: &'m Model,
    circuit: Model,
    /// The literals of the program's state variables.
    vars: FxHashMap<Var, Lit>,
    known: FxHashMap<(Lit, Lit), Lit>,
    /// Inputs that resets read, with their latches.
    saved: Vec<(u32, Lit)>,
    /// The latch that is true in the first step.
    flag: Option<Lit>,
}

impl<'m> Maker<'m> {
    fn new(model: &'m Model, lowered: &Lowered) -> Maker<'m> {
        let mut maker = Maker {
            model,
            circuit: Model {
                inputs: model.inputs,
                ..Model::default()
            },
            vars: FxHashMap::default(),
            known: FxHashMap::default(),
            saved: Vec::new(),
            flag: None,
        };
        for (i, &var) in lowered.latches.iter().enumerate() {
            maker.vars.insert(var, model.latch(i as u32));
        }
        let first = model.first_and();
        let saved = lowered.saved.iter().zip(first..);
        for (&(input, var), at) in saved {
            let latch = Lit::positive(at);
            maker.saved.push((input, latch));
            maker.vars.insert(var, latch);
        }
        if let Some(var) = lowered.first_step {
            let latch = Lit::positive(first + lowered.saved.len() as u32);
            maker.flag = Some(latch);
            maker.vars.insert(var, latch);
        }
        maker.copy();
        maker.names();
        maker
    }

    /// How many latches the circuit has that the model has not.
    fn extra(&self) -> u32 {
        self.saved.len() as u32 + u32::from(self.flag.is_some())
    }

    /// A literal of the model in the circuit, where gates come after the further latches.
    fn image(&self, lit: Lit) -> Lit {
        match lit.var() < self.model.first_and() {
            true => lit,
            false => Lit(lit.0 + 2 * self.extra()),
        }
    }

    fn copy(&mut self) {
        let model = self.model;
        let image = |maker: &Maker<'_>, lits: &[Lit]| -> Vec<Lit> {
            lits.iter().map(|&l| maker.image(l)).collect()
        };
        for latch in &model.latches {
            let (next, reset) = (self.image(latch.next), self.image(latch.reset));
            self.circuit.latches.push(Latch { next, reset });
        }
        for &(input, latch) in &self.saved {
            let reset = model.input(input);
            self.circuit.latches.push(Latch { next: latch, reset });
        }
        if self.flag.is_some() {
            let (next, reset) = (Lit::FALSE, Lit::TRUE);
            self.circuit.latches.push(Latch { next, reset });
        }
        for (i, gate) in model.ands.iter().enumerate() {
            let (left, right) = (self.image(gate.left), self.image(gate.right));
            let own = self.image(model.and(i as u32));
            self.circuit.ands.push(And { left, right });
            self.known.insert((left, right), own);
        }
        self.circuit.constraints = image(self, &model.constraints);
        self.circuit.outputs = image(self, &model.outputs);
    }

    /// The mapping in the symbol table, in the literals of the model's file.
    fn names(&mut self) {
        let model = self.model;
        let mut symbols = Symbols::default();
        for i in 0..model.inputs {
            let literal = model.literal_in_file(model.input(i));
            symbols.insert(Item::Input, i, &format!("= {literal}"));
        }
        for i in 0..model.latches.len() as u32 {
            let literal = model.literal_in_file(model.latch(i));
            symbols.insert(Item::Latch, i, &format!("= {literal}"));
        }
        self.circuit.symbols = symbols;
        self.circuit.comment = Some("WITNESS of an inductive invariant, made by Trellis\n".into());
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (left, right) = if a >= b { (a, b) } else { (b, a) };
        match (left, right) {
            (_, Lit::FALSE) => return Lit::FALSE,
            (_, Lit::TRUE) => return left,
            _ if left == right => return left,
            _ if left == !right => return Lit::FALSE,
            _ => {}
        }
        if let Some(&known) = self.known.get(&(left, right)) {
            return known;
        }
        self.circuit.ands.push(And { left, right });
        let gate = Lit::positive(self.circuit.max_var());
        self.known.insert((left, right), gate);
        gate
    }

    fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        let (one, other) = (self.implies(a, b), self.implies(b, a));
        self.and(one, other)
    }

    /// The gates of a term over state variables.
    fn gates(&mut self, pool: &TermPool, root: Term) -> Result<Lit, Error> {
        let mut made: FxHashMap<Term, Lit> = FxHashMap::default();
        for t in pool.post_order([root]) {
            let args: Vec<Lit> = match pool.ty(t) {
                Type::Bool => pool.args(t).filter_map(|a| made.get(&a).copied()).collect(),
                _ => continue, // Whoever uses it is refused below.
            };
            let lit = match (pool.op(t), &args[..]) {
                (Op::BoolConst, _) => Lit::FALSE.negated_if(pool.as_bool(t) == Some(true)),
                (Op::Var, _) => {
                    let var = pool.as_var(t).expect("a variable node");
                    let known = self.vars.get(&var).copied();
                    known.ok_or_else(|| {
                        let name = &pool.var_data(var).name;
                        Error::Unwritable(format!(
                            "the invariant speaks of {name}, which is no latch"
                        ))
                    })?
                }
                (Op::Not, [a]) => !*a,
                (Op::And, [a, b]) => self.and(*a, *b),
                (Op::Or, [a, b]) => !self.and(!*a, !*b),
                (Op::Eq, [a, b]) => self.equal(*a, *b),
                (Op::Ite, [c, a, b]) => {
                    let (then, other) = (self.implies(*c, *a), self.implies(!*c, *b));
                    self.and(then, other)
                }
                (op, _) => {
                    let why = format!("the invariant uses {op:?}, which is no gate");
                    return Err(Error::Unwritable(why));
                }
            };
            made.insert(t, lit);
        }
        Ok(made[&root])
    }
}
