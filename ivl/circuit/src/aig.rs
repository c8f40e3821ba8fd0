//! Several copies of circuits in one graph, with equal gates shared, so that most of what a copy of a
//! model has to satisfy holds by construction.

use rustc_hash::FxHashMap;
use trellis_frontend_aiger::{Lit, Model};
use trellis_solver_api::sat::{Lit as SatLit, SatSession};
use trellis_solver_api::{Answer, SolverError};

/// A graph of gates over leaves. Literals are those of AIGER; node 0 is false.
#[derive(Default)]
pub struct Aig {
    /// Operands; `None` for leaves.
    nodes: Vec<Option<(Lit, Lit)>>,
    known: FxHashMap<(Lit, Lit), Lit>,
}

impl Aig {
    pub fn new() -> Aig {
        Aig {
            nodes: vec![None],
            known: FxHashMap::default(),
        }
    }

    pub fn leaf(&mut self) -> Lit {
        self.nodes.push(None);
        Lit::positive(self.nodes.len() as u32 - 1)
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a >= b { (a, b) } else { (b, a) };
        match (a, b) {
            (_, Lit::FALSE) => return Lit::FALSE,
            (_, Lit::TRUE) => return a,
            _ if a == b => return a,
            _ if a == !b => return Lit::FALSE,
            _ => {}
        }
        if let Some(&known) = self.known.get(&(a, b)) {
            return known;
        }
        self.nodes.push(Some((a, b)));
        let gate = Lit::positive(self.nodes.len() as u32 - 1);
        self.known.insert((a, b), gate);
        gate
    }

    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::TRUE, |all, l| self.and(all, l))
    }

    pub fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        !self.and(!both, !neither)
    }

    /// A copy of a model over these leaves, per input and latch; the literal of each variable.
    pub fn copy(&mut self, model: &Model, leaves: &[Lit]) -> Copy {
        let mut lits = vec![Lit::FALSE];
        lits.extend_from_slice(leaves);
        for gate in &model.ands {
            let copy = |l: Lit| lits[l.var() as usize].negated_if(l.is_negated());
            let (left, right) = (copy(gate.left), copy(gate.right));
            lits.push(self.and(left, right));
        }
        Copy(lits)
    }

    /// Whether an assignment satisfies the literal.
    pub fn solve(&self, root: Lit, session: &mut dyn SatSession) -> Result<Answer, SolverError> {
        let mut needed = vec![false; self.nodes.len()];
        needed[root.var() as usize] = true;
        // Gates come after their operands.
        for i in (0..self.nodes.len()).rev() {
            if let (true, Some((a, b))) = (needed[i], self.nodes[i]) {
                needed[a.var() as usize] = true;
                needed[b.var() as usize] = true;
            }
        }
        let vars: Vec<Option<SatLit>> = (needed.iter())
            .map(|&needed| needed.then(|| session.new_var()))
            .collect();
        let lit = |l: Lit| {
            let var = vars[l.var() as usize].expect("the cone is closed");
            if l.is_negated() { !var } else { var }
        };
        if needed[0] {
            session.add_clause(&[!lit(Lit::FALSE)]);
        }
        for (i, node) in self.nodes.iter().enumerate() {
            if let (true, Some((a, b))) = (needed[i], *node) {
                let (g, a, b) = (lit(Lit::positive(i as u32)), lit(a), lit(b));
                session.add_clause(&[!g, a]);
                session.add_clause(&[!g, b]);
                session.add_clause(&[g, !a, !b]);
            }
        }
        session.add_clause(&[lit(root)]);
        session.solve()
    }
}

/// The literals of a copied model, by variable.
pub struct Copy(Vec<Lit>);

impl Copy {
    pub fn of(&self, lit: Lit) -> Lit {
        self.0[lit.var() as usize].negated_if(lit.is_negated())
    }

    /// Its constraints.
    pub fn constraints(&self, aig: &mut Aig, model: &Model) -> Lit {
        aig.all(model.constraints.iter().map(|&c| self.of(c)))
    }

    /// None of its bad states.
    pub fn property(&self, aig: &mut Aig, model: &Model) -> Lit {
        aig.all(model.properties().1.iter().map(|&b| !self.of(b)))
    }
}
