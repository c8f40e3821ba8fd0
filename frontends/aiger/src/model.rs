//! The model: a flat and-inverter graph in the canonical numbering of the binary format.
//!
//! Variable 0 is the constant false, then come the inputs, the latches and the AND gates, without
//! gaps and each gate after its operands. Whatever numbering an ASCII file uses is translated on
//! reading, so that everything downstream walks plain arrays in order.

use std::collections::BTreeMap;
use std::fmt;

/// A literal: twice the variable, plus one if negated. 0 is false, 1 is true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(pub u32);

impl Lit {
    /// The constant false.
    pub const FALSE: Lit = Lit(0);
    /// The constant true.
    pub const TRUE: Lit = Lit(1);

    /// The positive literal of a variable.
    pub fn positive(var: u32) -> Lit {
        Lit(var << 1)
    }

    /// The variable.
    pub fn var(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the literal is a negation.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The negation if `yes`, else the literal itself.
    pub fn negated_if(self, yes: bool) -> Lit {
        Lit(self.0 ^ u32::from(yes))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A latch: its value in the next step, and in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The value in the next step.
    pub next: Lit,
    /// The value in the first step; the latch's own literal if it is arbitrary.
    pub reset: Lit,
}

/// How a latch starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// With a constant.
    Constant(bool),
    /// With any value.
    Uninitialised,
    /// With a value equal to that of this literal in the first step, which may depend on inputs
    /// and other latches. A function that contradicts itself leaves the model without a run.
    Function(Lit),
}

/// An AND gate; `left >= right`, and both lie below the gate itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct And {
    /// The operand with the larger literal.
    pub left: Lit,
    /// The other operand.
    pub right: Lit,
}

/// What the symbol table can name, in the order in which symbols are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// An input.
    Input,
    /// A latch.
    Latch,
    /// An output.
    Output,
    /// A bad state property.
    Bad,
    /// An invariant constraint.
    Constraint,
    /// A justice property.
    Justice,
    /// A fairness constraint.
    Fairness,
}

impl Item {
    /// All kinds in the order of the file.
    pub const ALL: [Item; 7] = [
        Item::Input,
        Item::Latch,
        Item::Output,
        Item::Bad,
        Item::Constraint,
        Item::Justice,
        Item::Fairness,
    ];

    /// The letter that stands for it in the symbol table.
    pub fn letter(self) -> char {
        match self {
            Item::Input => 'i',
            Item::Latch => 'l',
            Item::Output => 'o',
            Item::Bad => 'b',
            Item::Constraint => 'c',
            Item::Justice => 'j',
            Item::Fairness => 'f',
        }
    }
}

/// The symbol table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols(BTreeMap<(Item, u32), String>);

impl Symbols {
    /// The name of the `index`th item of a kind, if it has one.
    pub fn get(&self, item: Item, index: u32) -> Option<&str> {
        self.0.get(&(item, index)).map(String::as_str)
    }

    /// Names an item, and returns whether it had no name yet. A newline, which the format has no
    /// way to write in a name, becomes a space.
    pub fn insert(&mut self, item: Item, index: u32, name: &str) -> bool {
        let name = name.replace('\n', " ");
        self.0.insert((item, index), name).is_none()
    }

    /// All names in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (Item, u32, &str)> {
        self.0.iter().map(|(&(item, i), name)| (item, i, &**name))
    }
}

/// The two encodings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `aag`.
    Ascii,
    /// `aig`.
    #[default]
    Binary,
}

/// How the model was numbered in the file it came from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The encoding.
    pub format: Format,
    /// The file's variables of the inputs, then of the latches; empty if they are the canonical
    /// ones (always so for a binary file).
    pub variables: Vec<u32>,
}

/// An AIGER model. Invariant: every literal lies below `2 * (max_var() + 1)`, and each gate's
/// operands below the gate. [`crate::parse`] ensures it, other makers of models must.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Variables `1 ..= inputs` are inputs.
    pub inputs: u32,
    /// The latches; the variable of the first is `inputs + 1`.
    pub latches: Vec<Latch>,
    /// The gates; the variable of the first is `inputs + latches.len() + 1`.
    pub ands: Vec<And>,
    /// Outputs.
    pub outputs: Vec<Lit>,
    /// Bad states.
    pub bads: Vec<Lit>,
    /// Constraints: they hold in every step up to and including the one where a bad state shows.
    pub constraints: Vec<Lit>,
    /// Justice properties: each a set of literals.
    pub justice: Vec<Vec<Lit>>,
    /// Fairness constraints.
    pub fairness: Vec<Lit>,
    /// Names.
    pub symbols: Symbols,
    /// What follows the line `c` at the end of the file.
    pub comment: Option<String>,
    /// The numbering in the file. Not part of the model's identity.
    pub origin: Origin,
}

/// Equality of circuits, names and comments: where a model was read from does not count.
impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        self.inputs == other.inputs
            && self.latches == other.latches
            && self.ands == other.ands
            && self.outputs == other.outputs
            && self.bads == other.bads
            && self.constraints == other.constraints
            && self.justice == other.justice
            && self.fairness == other.fairness
            && self.symbols == other.symbols
            && self.comment == other.comment
    }
}

impl Model {
    /// The variable of the first latch.
    pub fn first_latch(&self) -> u32 {
        self.inputs + 1
    }

    /// The variable of the first gate.
    pub fn first_and(&self) -> u32 {
        self.first_latch() + self.latches.len() as u32
    }

    /// The largest variable.
    pub fn max_var(&self) -> u32 {
        self.inputs + (self.latches.len() + self.ands.len()) as u32
    }

    /// The literal of an input.
    pub fn input(&self, index: u32) -> Lit {
        Lit::positive(1 + index)
    }

    /// The literal of a latch.
    pub fn latch(&self, index: u32) -> Lit {
        Lit::positive(self.first_latch() + index)
    }

    /// The literal of a gate.
    pub fn and(&self, index: u32) -> Lit {
        Lit::positive(self.first_and() + index)
    }

    /// How a latch starts.
    pub fn reset(&self, index: u32) -> Reset {
        match self.latches[index as usize].reset {
            Lit::FALSE => Reset::Constant(false),
            Lit::TRUE => Reset::Constant(true),
            own if own == self.latch(index) => Reset::Uninitialised,
            function => Reset::Function(function),
        }
    }

    /// How many items of a kind there are.
    pub fn count(&self, item: Item) -> usize {
        match item {
            Item::Input => self.inputs as usize,
            Item::Latch => self.latches.len(),
            Item::Output => self.outputs.len(),
            Item::Bad => self.bads.len(),
            Item::Constraint => self.constraints.len(),
            Item::Justice => self.justice.len(),
            Item::Fairness => self.fairness.len(),
        }
    }

    /// The safety properties and what they are in the file. Old files know no bad states: where
    /// there are neither these nor justice properties, the outputs are meant (as in `aigsim`).
    pub fn properties(&self) -> (Item, &[Lit]) {
        if self.bads.is_empty() && self.justice.is_empty() {
            (Item::Output, &self.outputs)
        } else {
            (Item::Bad, &self.bads)
        }
    }

    /// The line of the file that defines an item; inputs of a binary file have none. The lines of
    /// justice properties are those of their sizes.
    pub fn line(&self, item: Item, index: u32) -> Option<usize> {
        let mut line = 2 + index as usize;
        for before in Item::ALL.into_iter().take_while(|&kind| kind != item) {
            line += match before {
                Item::Input if self.origin.format == Format::Binary => 0,
                Item::Justice => self.justice.iter().map(|set| 1 + set.len()).sum(),
                kind => self.count(kind),
            };
        }
        let written = item != Item::Input || self.origin.format == Format::Ascii;
        (written && (index as usize) < self.count(item)).then_some(line)
    }

    /// The literal that the file uses for a canonical literal of an input or latch.
    pub fn literal_in_file(&self, lit: Lit) -> u32 {
        match self
            .origin
            .variables
            .get(lit.var().wrapping_sub(1) as usize)
        {
            Some(var) => var << 1 | (lit.0 & 1),
            None => lit.0,
        }
    }
}
