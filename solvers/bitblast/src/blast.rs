//! Terms to gates: each term becomes a word of literals once, whatever query it occurs in.
//!
//! Nothing here recurses, so terms may be as deep as memory allows. Reads of arrays and equalities of
//! arrays become fresh inputs (but for the reads that a look at the bits of the indices decides); that
//! these behave like reads and equalities is the business of [`array_check`](crate::array_check).
//!
//! The one preprocessing step is safe in every incremental use: where a variable is asserted equal to a
//! term for ever (on level 0) before it is first translated, it takes the word of that term instead of
//! fresh inputs, so that unrolled transition relations need no clauses for their equations.

use crate::aig::{Aig, AigLit};
use crate::arrays::{Access, AccessData, Arrays, Equality, Kind, Node, NodeData, Word};
use crate::circuits;
use crate::lift::InputWord;
use crate::normal::{Normal, Polynomial};
use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl::{Bv, Op, Term, TermPool, Type, Var};
use trellis_solver_api::{SolverError, StopClock, UnknownReason};

/// Marks a term or variable that has no word yet.
const NONE: u32 = u32::MAX;
/// The longest arena; 4 GiB.
const MAX_BITS: usize = 1 << 30;
/// Terms between two looks at the clock.
const POLL_INTERVAL: usize = 64;

/// Why a translation ended early. What is done stays done, and it may be called again.
#[derive(Debug)]
pub(crate) enum Stop {
    Unknown(UnknownReason),
    Error(SolverError),
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Stop {
        Stop::Error(error)
    }
}

/// The array-related meaning of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArrayAtom {
    Read(Access),
    Equality(Equality),
}

/// Gates and words of all terms met so far.
pub(crate) struct Blaster {
    pub aig: Aig,
    /// Words of all terms, end to end.
    pub bits: Vec<AigLit>,
    pub arrays: Arrays,
    pub normal: Normal,
    /// The inputs, by the words they belong to.
    pub input_words: Vec<InputWord>,
    /// Whether there is a product of two words that are not constant.
    pub has_products: bool,
    /// By term: the start of its word, or its array node.
    starts: Vec<u32>,
    /// By variable: the same.
    var_starts: Vec<u32>,
    /// Terms that are reads or array equalities behind fresh inputs.
    pub atoms: FxHashMap<Term, ArrayAtom>,
    /// Variables asserted equal to a term on level 0.
    definitions: FxHashMap<Var, Term>,
    /// Variables whose definition is being translated.
    defining: FxHashSet<Var>,
    stack: Vec<Term>,
}

fn array_type(pool: &TermPool, t: Term) -> (u32, u32) {
    match pool.ty(t) {
        Type::Array { index, elem } => (index, elem),
        other => unreachable!("type-checked term: an array, not {other}"),
    }
}

impl Blaster {
    pub fn new(max_gates: u32) -> Blaster {
        Blaster {
            aig: Aig::new(max_gates),
            bits: Vec::new(),
            arrays: Arrays::default(),
            normal: Normal::default(),
            input_words: Vec::new(),
            has_products: false,
            starts: Vec::new(),
            var_starts: Vec::new(),
            atoms: FxHashMap::default(),
            definitions: FxHashMap::default(),
            defining: FxHashSet::default(),
            stack: Vec::new(),
        }
    }

    fn start(&self, t: Term) -> Option<u32> {
        let start = self
            .starts
            .get(t.as_u32() as usize)
            .copied()
            .unwrap_or(NONE);
        (start != NONE).then_some(start)
    }

    fn var_start(&self, v: Var) -> Option<u32> {
        let start = self
            .var_starts
            .get(v.as_u32() as usize)
            .copied()
            .unwrap_or(NONE);
        (start != NONE).then_some(start)
    }

    /// The word of a boolean or bit-vector variable, if it has been met.
    pub fn var_word(&self, pool: &TermPool, v: Var) -> Option<Word> {
        let len = pool.var_ty(v).width().unwrap_or(1);
        self.var_start(v).map(|start| Word { start, len })
    }

    /// The node of an array variable, if it has been met.
    pub fn var_node(&self, v: Var) -> Option<Node> {
        self.var_start(v)
    }

    /// The word of a term that has been translated.
    fn word(&self, pool: &TermPool, t: Term) -> Word {
        let len = pool.ty(t).width().unwrap_or(1);
        Word {
            start: self.starts[t.as_u32() as usize],
            len,
        }
    }

    /// The bits of a term, if it has been translated; not for arrays.
    pub fn term_bits(&self, pool: &TermPool, t: Term) -> Option<&[AigLit]> {
        let start = self.start(t)?;
        let len = pool.ty(t).width().unwrap_or(1);
        Some(&self.bits[Word { start, len }.range()])
    }

    /// Takes note of `t`, asserted for ever, where it defines a variable that has not been met.
    pub fn note_definitions(&mut self, pool: &TermPool, t: Term) {
        for t in pool.conjuncts(t).filter(|&t| pool.op(t) == Op::Eq) {
            let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
            // The later variable by the earlier one: next states by states.
            let (a, b) = match (pool.as_var(a), pool.as_var(b)) {
                (Some(x), Some(y)) if x > y => (b, a),
                _ => (a, b),
            };
            for (x, by) in [(b, a), (a, b)] {
                let Some(v) = pool.as_var(x) else { continue };
                if self.var_start(v).is_none() && !self.definitions.contains_key(&v) {
                    self.definitions.insert(v, by);
                    break;
                }
            }
        }
    }

    /// Translates a boolean term.
    pub fn literal(&mut self, pool: &TermPool, t: Term, clock: &StopClock) -> Result<AigLit, Stop> {
        self.translate(pool, t, clock)?;
        Ok(self.bits[self.starts[t.as_u32() as usize] as usize])
    }

    /// Translates `root` and all below it.
    pub fn translate(
        &mut self,
        pool: &TermPool,
        root: Term,
        clock: &StopClock,
    ) -> Result<(), Stop> {
        if self.start(root).is_some() {
            return Ok(());
        }
        self.starts.resize(pool.len(), NONE);
        self.var_starts.resize(pool.vars().len(), NONE);
        self.defining.clear();
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(root);
        let result = self.run(pool, &mut stack, clock);
        self.stack = stack;
        result
    }

    fn run(
        &mut self,
        pool: &TermPool,
        stack: &mut Vec<Term>,
        clock: &StopClock,
    ) -> Result<(), Stop> {
        let mut built = 0usize;
        while let Some(&t) = stack.last() {
            if self.start(t).is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            if let Some(v) = pool.as_var(t) {
                stack.extend(self.undone_definition(v));
            }
            stack.extend(pool.args(t).filter(|&a| self.start(a).is_none()));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            self.refuse_giants(pool, t)?;
            let start = self.build(pool, t);
            if self.aig.is_full() {
                return Err(Stop::Error(self.too_large("the formula's gates")));
            }
            if self.bits.len() > MAX_BITS {
                return Err(Stop::Error(self.too_large("the formula's bits")));
            }
            self.starts[t.as_u32() as usize] = start;
            built += 1;
            if built.is_multiple_of(POLL_INTERVAL)
                && let Some(reason) = clock.stop_reason()
            {
                return Err(Stop::Unknown(reason));
            }
        }
        Ok(())
    }

    pub fn too_large(&self, what: &str) -> SolverError {
        let limit = u64::from(self.aig.limit());
        SolverError::TooLarge {
            solver: "bitblast".into(),
            what: what.into(),
            limit,
        }
    }

    /// Quadratic circuits beyond the limit are refused before they are begun.
    fn refuse_giants(&self, pool: &TermPool, t: Term) -> Result<(), Stop> {
        use Op::*;
        let quadratic = matches!(
            pool.op(t),
            BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod | BvUmulo | BvSmulo
        );
        if !quadratic {
            return Ok(());
        }
        let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
        let width = u64::from(pool.ty(a).width().unwrap_or(1));
        // Products with a constant have as many rows as the constant has digits.
        let rows = if pool.is_const(a) || pool.is_const(b) {
            1
        } else {
            width
        };
        if width * rows > u64::from(self.aig.limit()) {
            return Err(Stop::Error(
                self.too_large(&format!("{:?} of {width} bits", pool.op(t))),
            ));
        }
        Ok(())
    }

    /// The definition of `v` that has to be translated first, if there is one and it is not circular.
    fn undone_definition(&mut self, v: Var) -> Option<Term> {
        let by = *self.definitions.get(&v)?;
        (self.start(by).is_none() && self.defining.insert(v)).then_some(by)
    }

    pub fn push(&mut self, bits: &[AigLit]) -> u32 {
        let start = self.bits.len() as u32;
        self.bits.extend_from_slice(bits);
        start
    }

    /// A word of fresh inputs.
    pub fn inputs(&mut self, len: u32) -> Word {
        let start = self.bits.len() as u32;
        let first = self.aig.len() as u32;
        self.bits.extend((0..len).map(|_| self.aig.input()));
        self.input_words.push(InputWord { first, len });
        Word { start, len }
    }

    /// A constant word.
    pub fn constant(&mut self, value: &Bv) -> Word {
        let start = self.bits.len() as u32;
        self.bits
            .extend((0..value.width()).map(|i| AigLit::constant(value.bit(i))));
        Word {
            start,
            len: value.width(),
        }
    }

    /// The start of the word, or the node, of a term whose arguments are done.
    fn build(&mut self, pool: &TermPool, t: Term) -> u32 {
        match pool.op(t) {
            Op::Var => self.build_var(pool, t),
            Op::BoolConst => self.push(&[AigLit::constant(pool.as_bool(t) == Some(true))]),
            Op::BvConst => {
                self.constant(&pool.as_bv(t).expect("a constant has a value"))
                    .start
            }
            Op::Extract => {
                let (_, low) = pool.extract_bounds(t).expect("an extract has bounds");
                self.word(pool, pool.arg(t, 0)).start + low
            }
            Op::Select => self.build_select(pool, t),
            Op::Store => self.build_store(pool, t),
            Op::ConstArray => {
                let (index_width, elem_width) = array_type(pool, t);
                let kind = Kind::Const {
                    elem: self.word(pool, pool.arg(t, 0)),
                };
                self.arrays.node(NodeData {
                    kind,
                    index_width,
                    elem_width,
                })
            }
            Op::Eq if pool.ty(pool.arg(t, 0)).is_array() => self.build_array_equality(pool, t),
            Op::Ite if pool.ty(t).is_array() => self.build_array_ite(pool, t),
            Op::Eq => {
                let [a, b] = [0, 1].map(|i| self.word(pool, pool.arg(t, i)));
                let equal = self.equal(a, b);
                self.push(&[equal])
            }
            _ => match self.polynomial(pool, t) {
                Some(polynomial) => self.build_polynomial(pool, t, polynomial),
                None => self.build_circuit(pool, t),
            },
        }
    }

    fn build_circuit(&mut self, pool: &TermPool, t: Term) -> u32 {
        let bits = self.circuit(pool, t);
        self.push(&bits)
    }

    /// The word of a sum or product: that of an equal one if there is one.
    fn build_polynomial(&mut self, pool: &TermPool, t: Term, polynomial: Polynomial) -> u32 {
        if let Some(value) = polynomial.as_constant() {
            return self.constant(&Bv::new(polynomial.width, value)).start;
        }
        // Inverted bits cost nothing, whatever else computes the same.
        if pool.op(t) != Op::BvNot
            && let Some(start) = self.normal.find(&polynomial)
        {
            return start;
        }
        let start = self.build_circuit(pool, t);
        let len = polynomial.width;
        self.normal.define(polynomial, Word { start, len });
        start
    }

    /// The polynomial of a sum or product whose arguments are done; none where it is too large.
    fn polynomial(&mut self, pool: &TermPool, t: Term) -> Option<Polynomial> {
        use Op::*;
        let op = pool.op(t);
        if !matches!(op, BvNot | BvNeg | BvAdd | BvSub | BvMul | BvShl) {
            return None;
        }
        let width = pool.ty(t).width().filter(|&w| w <= Normal::MAX_WIDTH)?;
        let mut of = |i: usize| {
            let word = self.word(pool, pool.arg(t, i));
            self.normal.of(&self.bits, word)
        };
        let minus_one = u64::MAX;
        match op {
            BvNeg => Some(of(0).times_constant(minus_one)),
            BvNot => Some(Polynomial::constant(width, minus_one).plus(&of(0), minus_one)),
            BvAdd => Some(of(0).plus(&of(1), 1)),
            BvSub => Some(of(0).plus(&of(1), minus_one)),
            BvMul => of(0).times(&of(1)),
            _ => {
                let shift = of(1).as_constant()?;
                let factor = u32::try_from(shift).ok().and_then(|k| 1u64.checked_shl(k));
                Some(of(0).times_constant(factor.unwrap_or(0)))
            }
        }
    }

    fn build_var(&mut self, pool: &TermPool, t: Term) -> u32 {
        let v = pool.as_var(t).expect("a variable node");
        let defined = self.definitions.get(&v).and_then(|&by| self.start(by));
        let start = defined.unwrap_or_else(|| match pool.var_ty(v) {
            Type::Bool => self.inputs(1).start,
            Type::Bv(width) => self.inputs(width).start,
            Type::Array { index, elem } => self.arrays.node(NodeData {
                kind: Kind::Var,
                index_width: index,
                elem_width: elem,
            }),
        });
        self.var_starts[v.as_u32() as usize] = start;
        start
    }

    /// The bits of a term that involves no array.
    fn circuit(&mut self, pool: &TermPool, t: Term) -> Vec<AigLit> {
        use Op::*;
        let mut words = [&[][..]; 3];
        for (word, a) in words.iter_mut().zip(pool.args(t)) {
            // A condition may be an equality of arrays, but never an array.
            let start = self.starts[a.as_u32() as usize];
            let len = pool.ty(a).width().unwrap_or(1);
            *word = &self.bits[Word { start, len }.range()];
        }
        let [a, b, c] = words;
        let g = &mut self.aig;
        let width = pool.ty(t).width().unwrap_or(1) as usize;
        match pool.op(t) {
            Not | BvNot => a.iter().map(|&x| !x).collect(),
            And | BvAnd => circuits::bitwise(g, a, b, Aig::and),
            Or | BvOr => circuits::bitwise(g, a, b, Aig::or),
            BvXor => circuits::bitwise(g, a, b, Aig::xor),
            Ite => circuits::ite(g, a[0], b, c),
            BvNeg => circuits::neg(g, a),
            BvAdd => circuits::add(g, a, b),
            BvSub => circuits::sub(g, a, b),
            BvMul => {
                let unknown = |word: &[AigLit]| word.iter().any(|bit| bit.as_constant().is_none());
                self.has_products |= unknown(a) && unknown(b);
                circuits::mul(g, a, b)
            }
            BvUdiv => circuits::udivrem(g, a, b).0,
            BvUrem => circuits::udivrem(g, a, b).1,
            BvSdiv => circuits::sdiv(g, a, b),
            BvSrem => circuits::srem(g, a, b),
            BvSmod => circuits::smod(g, a, b),
            BvShl => circuits::shl(g, a, b),
            BvLshr => circuits::lshr(g, a, b),
            BvAshr => circuits::ashr(g, a, b),
            BvUlt => vec![circuits::ult(g, a, b)],
            BvUle => vec![!circuits::ult(g, b, a)],
            BvSlt => vec![circuits::slt(g, a, b)],
            BvSle => vec![!circuits::slt(g, b, a)],
            BvUaddo => vec![circuits::uaddo(g, a, b)],
            BvSaddo => vec![circuits::saddo(g, a, b)],
            BvUsubo => vec![circuits::usubo(g, a, b)],
            BvSsubo => vec![circuits::ssubo(g, a, b)],
            BvUmulo => vec![circuits::umulo(g, a, b)],
            BvSmulo => vec![circuits::smulo(g, a, b)],
            Concat => [b, a].concat(),
            ZeroExt | SignExt => {
                let fill = if pool.op(t) == SignExt {
                    a[a.len() - 1]
                } else {
                    AigLit::FALSE
                };
                let mut word = a.to_vec();
                word.resize(width, fill);
                word
            }
            BoolConst | BvConst | Var | Eq | Extract | Select | Store | ConstArray => {
                unreachable!("built elsewhere")
            }
        }
    }

    // ---- arrays

    fn build_store(&mut self, pool: &TermPool, t: Term) -> u32 {
        let base = self.starts[pool.arg(t, 0).as_u32() as usize];
        let index = self.word(pool, pool.arg(t, 1));
        let elem = self.word(pool, pool.arg(t, 2));
        match self.undone(base, index, elem) {
            Some(array) => array,
            None => self.store_node(base, index, elem),
        }
    }

    fn build_array_ite(&mut self, pool: &TermPool, t: Term) -> u32 {
        let (index_width, elem_width) = array_type(pool, t);
        let cond = self.bits[self.word(pool, pool.arg(t, 0)).start as usize];
        let [then, other] = [1, 2].map(|i| self.starts[pool.arg(t, i).as_u32() as usize]);
        if cond == AigLit::TRUE || then == other {
            return then;
        }
        if cond == AigLit::FALSE {
            return other;
        }
        let kind = Kind::Ite { cond, then, other };
        self.arrays.node(NodeData {
            kind,
            index_width,
            elem_width,
        })
    }

    fn build_array_equality(&mut self, pool: &TermPool, t: Term) -> u32 {
        let [a, b] = [0, 1].map(|i| self.starts[pool.arg(t, i).as_u32() as usize]);
        if a == b {
            return self.push(&[AigLit::TRUE]);
        }
        let aig = &mut self.aig;
        let equality = self.arrays.equality(a, b, || aig.input());
        self.atoms.insert(t, ArrayAtom::Equality(equality));
        let atom = self.arrays.equalities[equality as usize].atom;
        self.push(&[atom])
    }

    fn build_select(&mut self, pool: &TermPool, t: Term) -> u32 {
        let index = self.word(pool, pool.arg(t, 1));
        let array = self.starts[pool.arg(t, 0).as_u32() as usize];
        match self.resolve(array, index) {
            Ok(elem) => elem.start,
            Err(array) => {
                let read = self.read(array, index);
                self.atoms.insert(t, ArrayAtom::Read(read));
                self.arrays.accesses[read as usize].elem.start
            }
        }
    }

    /// The read of `array` at `index`.
    pub fn read(&mut self, array: Node, index: Word) -> Access {
        if let Some(read) = self.arrays.find_read(&self.bits, array, index) {
            return read;
        }
        let elem = self.inputs(self.arrays.nodes[array as usize].elem_width);
        self.arrays
            .add_read(&self.bits, AccessData { array, index, elem })
    }
}
