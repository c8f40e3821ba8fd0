//! Arrays by lemmas on demand (Brummayer, Biere: "Lemmas on Demand for the Extensional Theory of
//! Arrays", JSAT 2009).
//!
//! Given a model of the bits, every access (a read, or the write of a store) travels from its array to
//! the arrays that must hold the same element: down a store at another index, to the chosen side of an
//! if-then-else, across an equality that is true. Where it meets another access with the same index
//! value and another element value, the conditions along both ways and the equality of the indices imply
//! the equality of the elements: a lemma that this model violates. Without such meetings the model is
//! one of the arrays too, and the accesses that arrived at a variable are its value.
//!
//! Differs from the paper in three ways. All violated lemmas of a pass are added, not the first. A true
//! equality with a variable that nothing else defines in this model makes the variable a name for the
//! other side, and accesses only travel down (the common case: next states); accesses travel upwards only
//! below the remaining equalities. Constant arrays take part: they hold their element at every index that
//! occurs below those equalities, and at one that does not.

use crate::aig::AigLit;
use crate::arrays::{Access, AccessData, Equality, Kind, Node, Word};
use crate::blast::Blaster;
use crate::cnf::Cnf;
use crate::gate_model::{GateModel, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::{ArrayValue, Bv};
use trellis_solver_api::SolverError;
use trellis_solver_api::sat::SatSession;

/// A number for a bit-vector value.
type Key = u32;

/// How an access came from one array to the next; read as a condition under which it may.
#[derive(Clone, Copy)]
enum Step {
    /// Its own array.
    Start,
    /// Its index differs from that of this write.
    Beside(Access),
    /// This literal holds.
    If(AigLit),
}

/// An access that has arrived at an array.
#[derive(Clone, Copy)]
struct Arrival {
    node: Node,
    access: Access,
    /// The arrival it came from, and how.
    from: Option<u32>,
    step: Step,
}

/// What the accesses of a query say about the arrays in one model.
#[derive(Default)]
pub(crate) struct ArrayModel {
    arrivals: Vec<Arrival>,
    /// Arrival by array and index value.
    at: FxHashMap<(Node, Key), u32>,
    keys: FxHashMap<Bv, Key>,
    /// Values by key.
    values: Vec<Bv>,
    index_key: FxHashMap<Access, Key>,
    elem_key: FxHashMap<Access, Key>,
    /// Variables that an equality of this model makes a name for another array.
    names: FxHashMap<Node, (Node, AigLit)>,
    /// Arrays connected by equalities, as a union-find forest.
    class: FxHashMap<Node, Node>,
    /// The element of a constant array in a class.
    class_default: FxHashMap<Node, Word>,
    /// Where accesses travel besides down: up and across, below the equalities that are no names.
    links: FxHashMap<Node, Vec<(Node, Step)>>,
    /// Constant arrays below those equalities.
    constants: Vec<Node>,
    /// Stores whose write has arrived.
    written: FxHashSet<Node>,
    /// The first arrival that has not travelled on.
    next: usize,
    /// Arrivals by array, made when the first value is asked for.
    arrivals_at: FxHashMap<Node, Vec<u32>>,
    /// Values of nodes asked for so far.
    node_values: FxHashMap<Node, ArrayValue>,
}

/// One pass over the arrays of a query.
pub(crate) struct ArrayCheck<'a> {
    pub blaster: &'a mut Blaster,
    pub gates: &'a mut GateModel,
    pub model: &'a mut ArrayModel,
    pub cnf: &'a Cnf,
    pub sat: &'a dyn SatSession,
    /// Lemmas that the model violates.
    lemmas: Vec<AigLit>,
}

type Result<T> = std::result::Result<T, SolverError>;

impl<'a> ArrayCheck<'a> {
    pub fn new(
        blaster: &'a mut Blaster,
        gates: &'a mut GateModel,
        model: &'a mut ArrayModel,
        cnf: &'a Cnf,
        sat: &'a dyn SatSession,
    ) -> ArrayCheck<'a> {
        ArrayCheck {
            blaster,
            gates,
            model,
            cnf,
            sat,
            lemmas: Vec::new(),
        }
    }

    /// Lemmas that the model violates; none when it is a model of the arrays.
    pub fn run(
        mut self,
        reads: impl Iterator<Item = Access>,
        equalities: impl Iterator<Item = Equality>,
    ) -> Result<Vec<AigLit>> {
        *self.model = ArrayModel::default();
        let mut seeds: Vec<Access> = reads.collect();
        let mut equal = Vec::new();
        for e in equalities {
            let data = self.blaster.arrays.equalities[e as usize];
            if self.holds(data.atom)? {
                equal.push(e);
            } else if let Some((a, b)) = data.witness {
                seeds.extend([a, b]);
            } else {
                self.make_witness(e);
            }
        }
        let linked = self.name_variables(&equal)?;
        self.open_region(&linked)?;
        for access in seeds {
            let array = self.blaster.arrays.accesses[access as usize].array;
            self.arrive(array, access, None, Step::Start)?;
        }
        self.travel()?;
        self.spread_constants()?;
        Ok(self.lemmas)
    }

    fn kind(&self, node: Node) -> Kind {
        self.blaster.arrays.nodes[node as usize].kind
    }

    fn holds(&mut self, lit: AigLit) -> Result<bool> {
        let source = Source {
            aig: &self.blaster.aig,
            cnf: self.cnf,
            sat: self.sat,
        };
        self.gates.value(source, lit)
    }

    fn key(&mut self, word: Word) -> Result<Key> {
        let source = Source {
            aig: &self.blaster.aig,
            cnf: self.cnf,
            sat: self.sat,
        };
        let value = self.gates.word(source, &self.blaster.bits[word.range()])?;
        Ok(self.model.intern(value))
    }

    fn index_key(&mut self, access: Access) -> Result<Key> {
        if let Some(&key) = self.model.index_key.get(&access) {
            return Ok(key);
        }
        let key = self.key(self.blaster.arrays.accesses[access as usize].index)?;
        self.model.index_key.insert(access, key);
        Ok(key)
    }

    fn elem_key(&mut self, access: Access) -> Result<Key> {
        if let Some(&key) = self.model.elem_key.get(&access) {
            return Ok(key);
        }
        let key = self.key(self.blaster.arrays.accesses[access as usize].elem)?;
        self.model.elem_key.insert(access, key);
        Ok(key)
    }

    /// Different arrays differ somewhere: at an index of its own for each equality.
    fn make_witness(&mut self, e: Equality) {
        let data = self.blaster.arrays.equalities[e as usize];
        let index = self
            .blaster
            .inputs(self.blaster.arrays.nodes[data.a as usize].index_width);
        let [a, b] = [data.a, data.b].map(|array| self.blaster.read(array, index));
        self.blaster.arrays.equalities[e as usize].witness = Some((a, b));
        let [x, y] = [a, b].map(|read| self.blaster.arrays.accesses[read as usize].elem);
        let same = self.blaster.equal(x, y);
        let lemma = self.blaster.aig.or(data.atom, !same);
        self.lemmas.push(lemma);
    }

    // ---- equalities

    /// The array directly below `node` in this model.
    fn below(&mut self, node: Node) -> Result<Option<(Node, Step)>> {
        Ok(match self.kind(node) {
            Kind::Const { .. } => None,
            Kind::Var => self
                .model
                .names
                .get(&node)
                .map(|&(to, atom)| (to, Step::If(atom))),
            Kind::Store { base, write } => Some((base, Step::Beside(write))),
            Kind::Ite { cond, then, other } => Some(if self.holds(cond)? {
                (then, Step::If(cond))
            } else {
                (other, Step::If(!cond))
            }),
        })
    }

    /// Puts `node` and all below it into one class.
    fn link_down(&mut self, node: Node) -> Result<()> {
        let mut node = node;
        let mut edges = Vec::new();
        while self.model.add_to_classes(node) {
            let Some((next, _)) = self.below(node)? else {
                break;
            };
            edges.push((node, next));
            node = next;
        }
        for (a, b) in edges {
            self.model.unite(a, b);
        }
        Ok(())
    }

    /// Makes variables names where that cannot close a circle; returns the other equalities.
    ///
    /// A name joins two classes, and arrays below one another are in one class, so no way down from the
    /// other side leads back to the variable.
    fn name_variables(&mut self, equal: &[Equality]) -> Result<Vec<Equality>> {
        for &e in equal {
            let data = self.blaster.arrays.equalities[e as usize];
            self.link_down(data.a)?;
            self.link_down(data.b)?;
        }
        let mut linked = Vec::new();
        for &e in equal {
            let data = self.blaster.arrays.equalities[e as usize];
            let apart = self.model.find(data.a) != self.model.find(data.b);
            let free = |node: Node| {
                matches!(self.kind(node), Kind::Var) && !self.model.names.contains_key(&node)
            };
            let name = [(data.a, data.b), (data.b, data.a)]
                .into_iter()
                .find(|&(x, _)| free(x));
            match name {
                Some((x, to)) if apart => {
                    self.model.names.insert(x, (to, data.atom));
                }
                _ => linked.push(e),
            }
            self.model.unite(data.a, data.b);
        }
        Ok(linked)
    }

    /// Finds the arrays below the equalities `linked`, where accesses travel in every direction.
    fn open_region(&mut self, linked: &[Equality]) -> Result<()> {
        let mut region = FxHashSet::default();
        for &e in linked {
            let data = self.blaster.arrays.equalities[e as usize];
            self.model.link(data.a, data.b, Step::If(data.atom));
            self.model.link(data.b, data.a, Step::If(data.atom));
            for mut node in [data.a, data.b] {
                while region.insert(node) {
                    match self.kind(node) {
                        Kind::Const { .. } => self.model.constants.push(node),
                        Kind::Store { write, .. } => self.arrive_write(node, write)?,
                        Kind::Var | Kind::Ite { .. } => {}
                    }
                    let Some((next, step)) = self.below(node)? else {
                        break;
                    };
                    self.model.link(next, node, step);
                    node = next;
                }
            }
        }
        Ok(())
    }

    /// Constant arrays below linked equalities hold their element at every index in use there, and at one
    /// that is not in use, if there is one.
    fn spread_constants(&mut self) -> Result<()> {
        let constants = std::mem::take(&mut self.model.constants);
        for &node in &constants {
            let Kind::Const { elem } = self.kind(node) else {
                continue;
            };
            let class = self.model.find(node);
            self.model.class_default.entry(class).or_insert(elem);
            let width = self.blaster.arrays.nodes[node as usize].index_width;
            for index in self.model.indices_of(class, width) {
                let access = self.constant_read(node, elem, index);
                self.arrive(node, access, None, Step::Start)?;
            }
        }
        self.travel()
    }

    /// The access that states what the constant array `node` holds at `index`.
    fn constant_read(&mut self, node: Node, elem: Word, index: Bv) -> Access {
        if let Some(&access) = self
            .blaster
            .arrays
            .constant_reads
            .get(&(node, index.clone()))
        {
            return access;
        }
        let data = AccessData {
            array: node,
            index: self.blaster.constant(&index),
            elem,
        };
        let access = self.blaster.arrays.access(data);
        self.blaster
            .arrays
            .constant_reads
            .insert((node, index), access);
        access
    }

    // ---- accesses

    /// The write of store `node` arrives there, before all others.
    fn arrive_write(&mut self, node: Node, write: Access) -> Result<()> {
        if self.model.written.insert(node) {
            let key = self.index_key(write)?;
            self.model.add(
                key,
                Arrival {
                    node,
                    access: write,
                    from: None,
                    step: Step::Start,
                },
            );
        }
        Ok(())
    }

    /// `access` arrives at `node`: it stays and will travel on, or another one with its index is there.
    fn arrive(&mut self, node: Node, access: Access, from: Option<u32>, step: Step) -> Result<()> {
        if let Kind::Store { write, .. } = self.kind(node) {
            self.arrive_write(node, write)?;
        }
        let key = self.index_key(access)?;
        let arrival = Arrival {
            node,
            access,
            from,
            step,
        };
        let Some(&other) = self.model.at.get(&(node, key)) else {
            self.model.add(key, arrival);
            return Ok(());
        };
        let other = self.model.arrivals[other as usize];
        if other.access == access || self.elem_key(other.access)? == self.elem_key(access)? {
            return Ok(());
        }
        let [x, y] = [access, other.access].map(|a| self.blaster.arrays.accesses[a as usize]);
        let mut conditions = self.conditions(arrival);
        conditions.extend(self.conditions(other));
        conditions.push(self.blaster.equal_indices(x.index, y.index));
        self.add_lemma(&conditions, x.elem, y.elem);
        Ok(())
    }

    /// Sends every arrival on, until none is left.
    fn travel(&mut self) -> Result<()> {
        while let Some(&arrival) = self.model.arrivals.get(self.model.next) {
            let this = Some(self.model.next as u32);
            self.model.next += 1;
            let Arrival { node, access, .. } = arrival;
            let key = self.index_key(access)?;
            if let Kind::Const { elem } = self.kind(node) {
                if self.key(elem)? != self.elem_key(access)? {
                    let conditions = self.conditions(arrival);
                    let found = self.blaster.arrays.accesses[access as usize].elem;
                    self.add_lemma(&conditions, found, elem);
                }
            } else if let Some((next, step)) = self.below(node)? {
                self.send(key, access, this, next, step)?;
            }
            for i in 0..self.model.links.get(&node).map_or(0, Vec::len) {
                let (next, step) = self.model.links[&node][i];
                self.send(key, access, this, next, step)?;
            }
        }
        Ok(())
    }

    fn send(
        &mut self,
        key: Key,
        access: Access,
        from: Option<u32>,
        to: Node,
        step: Step,
    ) -> Result<()> {
        // The write of a store itself stays: its index is its own.
        if let Step::Beside(write) = step
            && self.index_key(write)? == key
        {
            return Ok(());
        }
        self.arrive(to, access, from, step)
    }

    /// The conditions under which an access gets to where it arrived.
    fn conditions(&mut self, arrival: Arrival) -> Vec<AigLit> {
        let index = self.blaster.arrays.accesses[arrival.access as usize].index;
        let mut conditions = Vec::new();
        let mut at = arrival;
        loop {
            match at.step {
                Step::Start => {}
                Step::If(lit) => conditions.push(lit),
                Step::Beside(write) => {
                    let other = self.blaster.arrays.accesses[write as usize].index;
                    conditions.push(!self.blaster.equal_indices(index, other));
                }
            }
            let Some(from) = at.from else {
                return conditions;
            };
            at = self.model.arrivals[from as usize];
        }
    }

    /// The conditions imply that two elements are equal.
    fn add_lemma(&mut self, conditions: &[AigLit], x: Word, y: Word) {
        let same = self.blaster.equal(x, y);
        let aig = &mut self.blaster.aig;
        let all = aig.and_all(conditions.iter().copied());
        let lemma = aig.or(!all, same);
        self.lemmas.push(lemma);
    }
}

impl ArrayModel {
    fn intern(&mut self, value: Bv) -> Key {
        if let Some(&key) = self.keys.get(&value) {
            return key;
        }
        let key = self.values.len() as Key;
        self.values.push(value.clone());
        self.keys.insert(value, key);
        key
    }

    fn add(&mut self, key: Key, arrival: Arrival) {
        self.at
            .insert((arrival.node, key), self.arrivals.len() as u32);
        self.arrivals.push(arrival);
    }

    fn link(&mut self, from: Node, to: Node, step: Step) {
        self.links.entry(from).or_default().push((to, step));
    }

    // ---- classes

    /// Whether `node` is new.
    fn add_to_classes(&mut self, node: Node) -> bool {
        let new = !self.class.contains_key(&node);
        self.class.entry(node).or_insert(node);
        new
    }

    fn find(&mut self, node: Node) -> Node {
        let mut root = node;
        while let Some(&up) = self.class.get(&root)
            && up != root
        {
            root = up;
        }
        let mut at = node;
        while at != root {
            at = self.class.insert(at, root).unwrap_or(root);
        }
        root
    }

    fn unite(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        self.class.insert(a, b);
    }

    /// The index values in use in a class, ascending, and the least one that is not, if there is one.
    fn indices_of(&mut self, class: Node, width: u32) -> Vec<Bv> {
        let mut indices = std::collections::BTreeSet::new();
        for i in 0..self.arrivals.len() {
            let Arrival { node, access, .. } = self.arrivals[i];
            if self.class.contains_key(&node) && self.find(node) == class {
                indices.insert(self.values[self.index_key[&access] as usize].clone());
            }
        }
        let unused = (0..=indices.len() as u64)
            .filter(|&n| width >= 64 || n < 1 << width)
            .map(|n| Bv::new(width, n))
            .find(|n| !indices.contains(n));
        indices.extend(unused);
        indices.into_iter().collect()
    }

    // ---- values

    /// The value of an array in the model of the last pass, which found no lemma.
    pub fn node_value(
        &mut self,
        blaster: &Blaster,
        gates: &mut GateModel,
        cnf: &Cnf,
        sat: &dyn SatSession,
        node: Node,
    ) -> Result<ArrayValue> {
        let source = Source {
            aig: &blaster.aig,
            cnf,
            sat,
        };
        let mut chain = Vec::new();
        let mut at = node;
        let mut value = loop {
            if let Some(value) = self.node_values.get(&at) {
                break value.clone();
            }
            chain.push(at);
            at = match blaster.arrays.nodes[at as usize].kind {
                Kind::Store { base, .. } => base,
                Kind::Ite { cond, then, other } => {
                    if gates.value(source, cond)? {
                        then
                    } else {
                        other
                    }
                }
                Kind::Var if self.names.contains_key(&at) => self.names[&at].0,
                Kind::Var => break self.variable_value(blaster, gates, source, at)?,
                Kind::Const { elem } => {
                    let elem = gates.word(source, &blaster.bits[elem.range()])?;
                    let index_width = blaster.arrays.nodes[at as usize].index_width;
                    break ArrayValue::constant(index_width, elem);
                }
            };
        };
        for &node in chain.iter().rev() {
            if let Kind::Store { write, .. } = blaster.arrays.nodes[node as usize].kind {
                let AccessData { index, elem, .. } = blaster.arrays.accesses[write as usize];
                let index = gates.word(source, &blaster.bits[index.range()])?;
                let elem = gates.word(source, &blaster.bits[elem.range()])?;
                value = value.store(index, elem);
            }
            self.node_values.insert(node, value.clone());
        }
        Ok(value)
    }

    /// What arrived at a variable, and elsewhere the element of a constant array it is linked with.
    fn variable_value(
        &mut self,
        blaster: &Blaster,
        gates: &mut GateModel,
        source: Source<'_>,
        node: Node,
    ) -> Result<ArrayValue> {
        let data = blaster.arrays.nodes[node as usize];
        let class = self.find(node);
        let default = match self.class_default.get(&class) {
            Some(elem) => gates.word(source, &blaster.bits[elem.range()])?,
            None => Bv::zero(data.elem_width),
        };
        let mut value = ArrayValue::constant(data.index_width, default);
        if self.arrivals_at.is_empty() {
            for (i, arrival) in self.arrivals.iter().enumerate() {
                self.arrivals_at
                    .entry(arrival.node)
                    .or_default()
                    .push(i as u32);
            }
        }
        for &i in self.arrivals_at.get(&node).into_iter().flatten() {
            let AccessData { index, elem, .. } =
                blaster.arrays.accesses[self.arrivals[i as usize].access as usize];
            let index = gates.word(source, &blaster.bits[index.range()])?;
            let elem = gates.word(source, &blaster.bits[elem.range()])?;
            value = value.store(index, elem);
        }
        Ok(value)
    }
}
