//! Leads one execution: along inputs that were recorded before, then by the dictionary; counts where it goes, and records what
//! it was given.

use crate::dictionary::{CHARACTER, Dictionary, Mood, mask, width};
use crate::files;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use trellis_ivl::compiled::Guide;
use trellis_ivl::rng::Rng;
use trellis_ivl::{Bv, Input, Script, Type, Value, Var};

/// Inputs that an execution may read; what reads more is given up, because they are kept.
pub const MOST_INPUTS: usize = 1 << 22;

/// One input, as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A truth value or at most 64 bits.
    Word(u64),
    /// Anything else.
    Value(Box<Value>),
}

/// What an execution was given.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Initial values.
    pub initial: BTreeMap<Var, Value>,
    /// Inputs in order.
    pub inputs: Vec<(Input, Given)>,
    /// Picks, and how many times in a row.
    pub picks: Vec<(u32, u64)>,
}

impl Record {
    /// The record as a script.
    pub fn script(&self, dictionary: &Dictionary, steps: u64) -> Script {
        let value = |(input, given): &(Input, Given)| {
            let value = match (given, dictionary.ty(*input)) {
                (Given::Word(word), Type::Bool) => Value::Bool(*word != 0),
                (Given::Word(word), ty) => Value::Bv(Bv::new(width(ty), *word)),
                (Given::Value(value), _) => (**value).clone(),
            };
            (*input, value)
        };
        Script {
            initial: self.initial.clone(),
            inputs: self.inputs.iter().map(value).collect(),
            picks: self.picks.clone(),
            steps,
        }
    }
}

/// What an execution is given first.
pub enum Tape {
    /// As long as it reads these.
    Inputs(Vec<(Input, Given)>),
    /// Whatever it reads.
    Bytes(Vec<u8>),
}

impl Tape {
    /// Nothing: all is chosen.
    pub const EMPTY: Tape = Tape::Inputs(Vec::new());
}

/// Values that inputs were compared with, collected where somebody wants to know.
#[derive(Default)]
pub struct Compared(pub Vec<(Input, u64)>);

/// One in so many inputs is another than before, where they are mostly the same.
const AGAIN: usize = 4096;
/// How many of the last inputs a comparison is held against.
const RECENT: usize = 6;

/// The guide; with `LOOK` it also looks at what inputs are compared with, which takes time.
pub struct Leader<const LOOK: bool> {
    dictionary: Rc<Dictionary>,
    random: Rng,
    mood: Mood,
    tape: Tape,
    at: usize,
    /// What was given.
    pub record: Record,
    /// How often each branch held and did not.
    pub hits: Vec<[u32; 2]>,
    /// Whether the program picks among edges by chance.
    random_picks: bool,
    /// What inputs were compared with.
    pub compared: Compared,
    /// What inputs were given last, where that is mostly given again: loops that go on as long as they get the same.
    again: Option<FxHashMap<Input, u64>>,
    /// What is left of a text, the next character last; where characters are read as texts.
    text: Option<Vec<u8>>,
}

impl<const LOOK: bool> Leader<LOOK> {
    /// Leads along `tape`, then as the mood says.
    pub fn new(
        dictionary: Rc<Dictionary>,
        seed: u64,
        mood: Mood,
        tape: Tape,
        branches: usize,
    ) -> Self {
        Leader {
            dictionary,
            random: Rng::new(seed),
            mood,
            tape,
            at: 0,
            record: Record::default(),
            hits: vec![[0; 2]; branches],
            random_picks: seed != 0,
            compared: Compared::default(),
            again: (seed % 8 == 7).then(FxHashMap::default),
            text: (seed % 8 == 5).then(Vec::new),
        }
    }

    fn new_word(&mut self, input: Input) -> u64 {
        if let Some(text) = &mut self.text
            && width(self.dictionary.ty(input)) == CHARACTER
        {
            if text.is_empty() {
                text.push(*self.random.pick(b"\0\n ,"));
                text.extend(self.dictionary.text(&mut self.random).into_iter().rev());
            }
            return text.pop().map_or(0, u64::from);
        }
        match self.again.as_ref().and_then(|a| a.get(&input)) {
            Some(&word) if !self.random.one_in(AGAIN) => word,
            _ => self.dictionary.word(input, self.mood, &mut self.random),
        }
    }

    fn taped(&mut self, input: Input) -> Option<Given> {
        match &mut self.tape {
            Tape::Inputs(tape) => {
                let (i, given) = tape.get(self.at)?;
                if *i != input {
                    // From here on the tape is of another execution.
                    tape.truncate(self.at);
                    return None;
                }
                self.at += 1;
                Some(given.clone())
            }
            Tape::Bytes(bytes) => {
                let size = files::size(width(self.dictionary.ty(input)));
                let found = bytes.get(self.at..self.at + size)?;
                let mut word = [0; 8];
                word[..size].copy_from_slice(found);
                self.at += size;
                Some(Given::Word(u64::from_le_bytes(word)))
            }
        }
    }
}

impl<const LOOK: bool> Guide for Leader<LOOK> {
    fn word(&mut self, input: Input) -> Option<u64> {
        if self.record.inputs.len() >= MOST_INPUTS {
            return None;
        }
        let word = match self.taped(input) {
            Some(Given::Word(word)) => mask(word, width(self.dictionary.ty(input))),
            _ => self.new_word(input),
        };
        if let Some(again) = &mut self.again {
            again.insert(input, word);
        }
        self.record.inputs.push((input, Given::Word(word)));
        Some(word)
    }

    fn value(&mut self, input: Input) -> Option<Value> {
        if self.record.inputs.len() >= MOST_INPUTS {
            return None;
        }
        let value = match self.taped(input) {
            Some(Given::Value(value)) => *value,
            _ => {
                let ty = self.dictionary.ty(input);
                self.dictionary.value(ty, self.mood, &mut self.random)
            }
        };
        let given = Given::Value(Box::new(value.clone()));
        self.record.inputs.push((input, given));
        Some(value)
    }

    fn pick(&mut self, n: usize) -> usize {
        let pick = match self.random_picks {
            true => self.random.below(n) as u32,
            false => 0,
        };
        match self.record.picks.last_mut() {
            Some((last, times)) if *last == pick => *times += 1,
            _ => self.record.picks.push((pick, 1)),
        }
        pick as usize
    }

    fn branches(&mut self, branch: u32, holds: bool, times: u64) {
        if let Some(hits) = self.hits.get_mut(branch as usize) {
            let hit = &mut hits[usize::from(holds)];
            *hit = hit.saturating_add(u32::try_from(times).unwrap_or(u32::MAX));
        }
    }

    #[inline]
    fn branch(&mut self, branch: u32, holds: bool, a: u64, b: u64) {
        if let Some(hits) = self.hits.get_mut(branch as usize) {
            let hit = &mut hits[usize::from(holds)];
            *hit = hit.saturating_add(1);
        }
        if LOOK && a != b {
            let recent = self.record.inputs.len().saturating_sub(RECENT);
            for (input, given) in &self.record.inputs[recent..] {
                let w = width(self.dictionary.ty(*input));
                if let Given::Word(word) = given
                    && self.compared.0.len() < 64
                    && w > 1
                {
                    if mask(a, w) == *word {
                        self.compared.0.push((*input, b));
                    } else if mask(b, w) == *word {
                        self.compared.0.push((*input, a));
                    }
                }
            }
        }
    }
}
