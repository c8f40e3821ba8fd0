//! Terms to gates. Arrays become words of all their elements, where they are small enough.
//!
//! Nothing recurses over terms.

use crate::aig::Aig;
use crate::lit::Lit;
use crate::words::{self, Word};
use rustc_hash::FxHashMap;
use trellis_plugin_sdk::ivl::{Op, Term, TermPool, Type, Var};

/// The most bits an array may have.
const MAX_ARRAY_BITS: u64 = 1 << 14;
/// The most gates.
const MAX_GATES: usize = 1 << 26;

/// Terms between two looks at the clock.
const LOOK: usize = 1 << 14;

/// Why a term has no gates. (A limit, or it is time to stop.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge(pub String);

impl TooLarge {
    /// It is time to stop.
    pub fn stopped() -> TooLarge {
        TooLarge("cancelled".into())
    }
}

/// The number of bits of a type.
pub fn bits_of(ty: Type) -> Result<usize, TooLarge> {
    match ty {
        Type::Bool => Ok(1),
        Type::Bv(width) => Ok(width as usize),
        Type::Array { index, elem } => {
            let bits = 1u64.checked_shl(index).unwrap_or(u64::MAX);
            let bits = bits.saturating_mul(u64::from(elem));
            match index < 32 && bits <= MAX_ARRAY_BITS {
                true => Ok(bits as usize),
                false => Err(TooLarge(format!(
                    "an array of 2^{index} elements of {elem} bits: at most {MAX_ARRAY_BITS} bits \
                     can be represented"
                ))),
            }
        }
    }
}

/// Translates terms; each variable has the word it was given.
#[derive(Default)]
pub struct Blaster {
    vars: FxHashMap<Var, Word>,
    /// Of boolean terms, which most are where circuits are read.
    bits: FxHashMap<Term, Lit>,
    words: FxHashMap<Term, Word>,
}

impl Blaster {
    /// A blaster with these words for variables.
    pub fn new(vars: FxHashMap<Var, Word>) -> Blaster {
        Blaster {
            vars,
            ..Blaster::default()
        }
    }

    fn known(&self, t: Term) -> Option<&[Lit]> {
        match self.bits.get(&t) {
            Some(bit) => Some(std::slice::from_ref(bit)),
            None => self.words.get(&t).map(|word| &word[..]),
        }
    }

    /// The word of a term; every variable in it must have one.
    pub fn word(
        &mut self,
        g: &mut Aig,
        pool: &TermPool,
        t: Term,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<&[Lit], TooLarge> {
        let mut stack = vec![t];
        while let Some(&u) = stack.last() {
            if self.known(u).is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(pool.args(u).filter(|&a| self.known(a).is_none()));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            match self.bit(g, pool, u) {
                Some(bit) => {
                    self.bits.insert(u, bit);
                }
                None => {
                    let word = self.build(g, pool, u)?;
                    self.words.insert(u, word);
                }
            }
            if g.len() > MAX_GATES {
                return Err(TooLarge(format!("more than {MAX_GATES} gates")));
            }
            if (self.bits.len() + self.words.len()).is_multiple_of(LOOK) && stop() {
                return Err(TooLarge::stopped());
            }
        }
        Ok(self.known(t).expect("the root was made last"))
    }

    /// The literal of a boolean term.
    pub fn literal(
        &mut self,
        g: &mut Aig,
        pool: &TermPool,
        t: Term,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Lit, TooLarge> {
        Ok(self.word(g, pool, t, stop)?[0])
    }

    /// A boolean term over boolean terms.
    fn bit(&self, g: &mut Aig, pool: &TermPool, t: Term) -> Option<Lit> {
        if pool.ty(t) != Type::Bool {
            return None;
        }
        let arg = |i| self.bits.get(&pool.arg(t, i)).copied();
        Some(match pool.op(t) {
            Op::BoolConst => Lit::constant(pool.as_bool(t) == Some(true)),
            Op::Var => {
                let word = self.vars.get(&pool.as_var(t)?);
                word.map_or(Lit::FALSE, |word| word[0])
            }
            Op::Not => !arg(0)?,
            Op::And => g.and(arg(0)?, arg(1)?),
            Op::Or => g.or(arg(0)?, arg(1)?),
            Op::Eq => !g.xor(arg(0)?, arg(1)?),
            Op::Ite => g.ite(arg(0)?, arg(1)?, arg(2)?),
            _ => self.build(g, pool, t).ok()?[0],
        })
    }

    fn build(&self, g: &mut Aig, pool: &TermPool, t: Term) -> Result<Word, TooLarge> {
        use Op::*;
        let mut args = [&[][..]; 3];
        for (word, a) in args.iter_mut().zip(pool.args(t)) {
            *word = self.known(a).expect("arguments come first");
        }
        let [a, b, c] = args;
        let width = bits_of(pool.ty(t))?;
        Ok(match pool.op(t) {
            Var => {
                let v = pool.as_var(t).expect("a variable node");
                self.vars
                    .get(&v)
                    .cloned()
                    .unwrap_or_else(|| words::zeros(width))
            }
            BoolConst => vec![Lit::constant(pool.as_bool(t) == Some(true))],
            BvConst => {
                let value = pool.as_bv(t).expect("a constant has a value");
                (0..value.width())
                    .map(|i| Lit::constant(value.bit(i)))
                    .collect()
            }
            Not | BvNot => a.iter().map(|&x| !x).collect(),
            And | BvAnd => words::bitwise(g, a, b, Aig::and),
            Or | BvOr => words::bitwise(g, a, b, Aig::or),
            BvXor => words::bitwise(g, a, b, Aig::xor),
            Eq => vec![words::eq(g, a, b)],
            Ite => words::ite(g, a[0], b, c),
            BvNeg => words::neg(g, a),
            BvAdd => words::add(g, a, b),
            BvSub => words::sub(g, a, b),
            BvMul => match pool.is_const(pool.arg(t, 0)) {
                true => words::mul(g, b, a),
                false => words::mul(g, a, b),
            },
            BvUdiv => words::udivrem(g, a, b).0,
            BvUrem => words::udivrem(g, a, b).1,
            BvSdiv => words::sdiv(g, a, b),
            BvSrem => words::srem(g, a, b),
            BvSmod => words::smod(g, a, b),
            BvShl => words::shl(g, a, b),
            BvLshr => words::lshr(g, a, b),
            BvAshr => words::ashr(g, a, b),
            BvUlt => vec![words::ult(g, a, b)],
            BvUle => vec![!words::ult(g, b, a)],
            BvSlt => vec![words::slt(g, a, b)],
            BvSle => vec![!words::slt(g, b, a)],
            BvUaddo => vec![words::uaddo(g, a, b)],
            BvSaddo => vec![words::saddo(g, a, b)],
            BvUsubo => vec![words::ult(g, a, b)],
            BvSsubo => vec![words::ssubo(g, a, b)],
            BvUmulo => vec![words::umulo(g, a, b)],
            BvSmulo => vec![words::smulo(g, a, b)],
            Concat => [b, a].concat(),
            Extract => {
                let (high, low) = pool.extract_bounds(t).expect("an extract has bounds");
                a[low as usize..=high as usize].to_vec()
            }
            ZeroExt | SignExt => {
                let sign = pool.op(t) == SignExt;
                let fill = if sign { a[a.len() - 1] } else { Lit::FALSE };
                let mut word = a.to_vec();
                word.resize(width, fill);
                word
            }
            Select => select(g, a, b, width),
            Store => store(g, a, b, c),
            ConstArray => a.repeat(width / a.len()),
        })
    }
}

/// The element at `index`: a tree of choices over the bits of the index, highest first.
fn select(g: &mut Aig, array: &[Lit], index: &[Lit], width: usize) -> Word {
    let Some((&top, rest)) = index.split_last() else {
        return array[..width].to_vec();
    };
    let (low, high) = array.split_at(array.len() / 2);
    if let Some(value) = top.as_constant() {
        return select(g, if value { high } else { low }, rest, width);
    }
    let (low, high) = (select(g, low, rest, width), select(g, high, rest, width));
    words::ite(g, top, &high, &low)
}

fn store(g: &mut Aig, array: &[Lit], index: &[Lit], elem: &[Lit]) -> Word {
    let mut word = Word::with_capacity(array.len());
    for (i, old) in array.chunks(elem.len()).enumerate() {
        let bits: Word = (0..index.len())
            .map(|k| index[k] ^ (i >> k & 1 == 0))
            .collect();
        let here = g.and_all(&bits);
        word.extend(words::ite(g, here, elem, old));
    }
    word
}
