//! Values that are worth trying: extremes, constants of the program and their neighbours, what inputs were compared with, and
//! what has got an execution further before; and texts, of which single characters say little.

use crate::texts::Texts;
use trellis_ivl::rng::Rng;
use trellis_ivl::{ArrayValue, Bv, Input, Op, Program, Type, Value};

/// Values that are kept for one input.
const KEPT: usize = 24;

/// Cells at a place in an array that get a content of their own.
const CELLS: u64 = 64;
/// Places that texts are put at.
const PLACES: usize = 5;

/// The width of a character.
pub const CHARACTER: u32 = 8;

/// How the inputs of one execution are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mood {
    /// All zero.
    Zero,
    /// All one.
    One,
    /// All bits set.
    Ones,
    /// The greatest signed number.
    Most,
    /// The least signed number.
    Least,
    /// Small numbers.
    Small,
    /// Constants of the program and what inputs were compared with.
    Constants,
    /// Any bits.
    Random,
    /// All of these.
    Mixed,
}

/// In the order in which they are tried first.
pub const MOODS: [Mood; 9] = [
    Mood::Zero,
    Mood::One,
    Mood::Mixed,
    Mood::Constants,
    Mood::Small,
    Mood::Ones,
    Mood::Random,
    Mood::Most,
    Mood::Least,
];

/// What is known about values.
#[derive(Clone)]
pub struct Dictionary {
    constants: Vec<u64>,
    /// By input: what is worth trying there.
    kept: Vec<Vec<u64>>,
    types: Vec<Type>,
    /// Where arrays are looked into.
    places: Vec<u64>,
    texts: Texts,
}

/// The width of a word.
pub fn width(ty: Type) -> u32 {
    match ty {
        Type::Bv(w) => w.min(64),
        _ => 1,
    }
}

/// The word's bits that the width has.
pub fn mask(word: u64, width: u32) -> u64 {
    word & (u64::MAX >> (64 - width))
}

impl Dictionary {
    /// The constants of a program.
    pub fn new(program: &Program) -> Dictionary {
        let pool = &program.pool;
        let constants = pool.terms().filter(|&t| pool.op(t) == Op::BvConst);
        let words = constants.filter_map(|t| pool.as_bv(t)?.to_u64());
        let mut constants: Vec<u64> = words.collect();
        constants.sort_unstable();
        constants.dedup();
        Dictionary {
            constants,
            kept: vec![Vec::new(); program.inputs.len()],
            types: program.inputs.values().map(|i| i.ty).collect(),
            places: vec![0],
            texts: Texts::of(program),
        }
    }

    /// A text, without what ends it.
    pub fn text(&self, random: &mut Rng) -> Vec<u8> {
        self.texts.any(&self.constants, random)
    }

    /// Learns where arrays are looked into.
    pub fn add_places(&mut self, places: Vec<u64>) {
        self.places.extend(places);
        self.places.sort_unstable();
        self.places.dedup();
    }

    /// The type of an input.
    pub fn ty(&self, input: Input) -> Type {
        self.types[input.as_u32() as usize]
    }

    /// Keeps a value that is worth trying; where there are many, in the place of another.
    pub fn keep(&mut self, input: Input, word: u64, random: &mut Rng) {
        let word = mask(word, width(self.ty(input)));
        let kept = &mut self.kept[input.as_u32() as usize];
        if kept.contains(&word) {
            return;
        }
        match kept.len() < KEPT {
            true => kept.push(word),
            false => kept[random.below(KEPT)] = word,
        }
    }

    /// A value of an input.
    pub fn word(&self, input: Input, mood: Mood, random: &mut Rng) -> u64 {
        let w = width(self.ty(input));
        let kept = &self.kept[input.as_u32() as usize];
        // What has worked before is tried in every mood, but for the first executions, which are what their moods say.
        if !kept.is_empty() && random.chance(35) {
            return *random.pick(kept);
        }
        mask(self.of_mood(mood, w, random), w)
    }

    fn of_mood(&self, mood: Mood, width: u32, random: &mut Rng) -> u64 {
        match mood {
            Mood::Zero => 0,
            Mood::One => 1,
            Mood::Ones => u64::MAX,
            Mood::Most => (1u64 << (width - 1)).wrapping_sub(1),
            Mood::Least => 1 << (width - 1),
            Mood::Small => random.below(16) as u64,
            Mood::Constants if !self.constants.is_empty() => {
                let constant = *random.pick(&self.constants);
                constant
                    .wrapping_add(random.below(3) as u64)
                    .wrapping_sub(1)
            }
            Mood::Random | Mood::Constants => {
                // Numbers of every size are as likely.
                let bits = random.range(1, 64);
                let word = random.bits() >> (64 - bits);
                if random.one_in(4) {
                    word.wrapping_neg()
                } else {
                    word
                }
            }
            Mood::Mixed => {
                let mood = MOODS[random.below(MOODS.len())];
                match mood {
                    Mood::Mixed => random.below(4) as u64,
                    mood => self.of_mood(mood, width, random),
                }
            }
        }
    }

    /// A value of any type.
    pub fn value(&self, ty: Type, mood: Mood, random: &mut Rng) -> Value {
        let mut bv = |w: u32| {
            let word = self.of_mood(mood, w.min(64), random);
            Bv::new(w, mask(word, w.min(64)))
        };
        match ty {
            Type::Bool => Value::Bool(bv(1).is_one()),
            Type::Bv(w) => bv(w).into(),
            Type::Array { index, elem } => {
                let mut array = ArrayValue::constant(index, bv(elem));
                let low = |word: u64, w: u32| Bv::new(w, mask(word, w.min(64)));
                if elem == CHARACTER && random.one_in(3) {
                    for _ in 0..PLACES {
                        let place = *random.pick(&self.places);
                        let line = std::iter::repeat_with(|| self.text(random)).take(4);
                        let line: Vec<u8> = line.flat_map(|t| [t, vec![0]].concat()).collect();
                        for (i, c) in (0..CELLS).zip(line) {
                            let at = low(place.wrapping_add(i), index);
                            array = array.store(at, Bv::new(elem, c.into()));
                        }
                    }
                    return array.into();
                }
                if !matches!(mood, Mood::Mixed | Mood::Small | Mood::Random) {
                    return array.into();
                }
                for _ in 0..2 {
                    let place = *random.pick(&self.places);
                    for i in 0..CELLS {
                        let word = self.of_mood(mood, elem.min(64), random);
                        let at = low(place.wrapping_add(i), index);
                        array = array.store(at, low(word, elem));
                    }
                }
                array.into()
            }
        }
    }
}
