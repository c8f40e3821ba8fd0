//! The operators: their names, their shapes and their types.

use std::fmt;
use trellis_ivl::Type;

/// What a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Each variant is the operator of the same name.
pub enum Op {
    Input,
    State,
    /// Any of `const`, `constd`, `consth`, `zero`, `one`, `ones`.
    Const,
    Slice,
    Uext,
    Sext,
    Not,
    Inc,
    Dec,
    Neg,
    Redand,
    Redor,
    Redxor,
    Iff,
    Implies,
    Eq,
    Neq,
    Sgt,
    Ugt,
    Sgte,
    Ugte,
    Slt,
    Ult,
    Slte,
    Ulte,
    And,
    Nand,
    Nor,
    Or,
    Xnor,
    Xor,
    Rol,
    Ror,
    Sll,
    Sra,
    Srl,
    Add,
    Mul,
    Sdiv,
    Udiv,
    Smod,
    Srem,
    Urem,
    Sub,
    Saddo,
    Uaddo,
    Sdivo,
    Smulo,
    Umulo,
    Ssubo,
    Usubo,
    Concat,
    Read,
    Ite,
    Write,
}

/// How an operator is written and typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// No operands.
    Leaf,
    /// `n`, upper and lower bit.
    Slice,
    /// `n` and a number of bits to add.
    Extension,
    /// `n -> n`.
    Unary,
    /// `n -> 1`.
    Reduction,
    /// `1 1 -> 1`.
    Logical,
    /// `s s -> 1` for any sort.
    Equality,
    /// `n n -> 1`.
    Comparison,
    /// `n n -> n`.
    Binary,
    /// `m n -> m + n`.
    Concat,
    /// `array index -> element`.
    Read,
    /// `1 s s -> s` for any sort.
    Ite,
    /// `array index element -> array`.
    Write,
}

impl Shape {
    /// How many operands are nodes.
    pub fn operands(self) -> usize {
        match self {
            Shape::Leaf => 0,
            Shape::Slice | Shape::Extension | Shape::Unary | Shape::Reduction => 1,
            Shape::Ite | Shape::Write => 3,
            _ => 2,
        }
    }

    /// How many numbers follow the operands.
    pub fn numbers(self) -> usize {
        match self {
            Shape::Slice => 2,
            Shape::Extension => 1,
            _ => 0,
        }
    }
}

use Shape::{Binary, Comparison, Equality, Extension, Logical, Reduction, Unary};

/// Every operator with operands: its name and shape.
const TABLE: [(Op, &str, Shape); 52] = [
    (Op::Slice, "slice", Shape::Slice),
    (Op::Uext, "uext", Extension),
    (Op::Sext, "sext", Extension),
    (Op::Not, "not", Unary),
    (Op::Inc, "inc", Unary),
    (Op::Dec, "dec", Unary),
    (Op::Neg, "neg", Unary),
    (Op::Redand, "redand", Reduction),
    (Op::Redor, "redor", Reduction),
    (Op::Redxor, "redxor", Reduction),
    (Op::Iff, "iff", Logical),
    (Op::Implies, "implies", Logical),
    (Op::Eq, "eq", Equality),
    (Op::Neq, "neq", Equality),
    (Op::Sgt, "sgt", Comparison),
    (Op::Ugt, "ugt", Comparison),
    (Op::Sgte, "sgte", Comparison),
    (Op::Ugte, "ugte", Comparison),
    (Op::Slt, "slt", Comparison),
    (Op::Ult, "ult", Comparison),
    (Op::Slte, "slte", Comparison),
    (Op::Ulte, "ulte", Comparison),
    (Op::And, "and", Binary),
    (Op::Nand, "nand", Binary),
    (Op::Nor, "nor", Binary),
    (Op::Or, "or", Binary),
    (Op::Xnor, "xnor", Binary),
    (Op::Xor, "xor", Binary),
    (Op::Rol, "rol", Binary),
    (Op::Ror, "ror", Binary),
    (Op::Sll, "sll", Binary),
    (Op::Sra, "sra", Binary),
    (Op::Srl, "srl", Binary),
    (Op::Add, "add", Binary),
    (Op::Mul, "mul", Binary),
    (Op::Sdiv, "sdiv", Binary),
    (Op::Udiv, "udiv", Binary),
    (Op::Smod, "smod", Binary),
    (Op::Srem, "srem", Binary),
    (Op::Urem, "urem", Binary),
    (Op::Sub, "sub", Binary),
    (Op::Saddo, "saddo", Comparison),
    (Op::Uaddo, "uaddo", Comparison),
    (Op::Sdivo, "sdivo", Comparison),
    (Op::Smulo, "smulo", Comparison),
    (Op::Umulo, "umulo", Comparison),
    (Op::Ssubo, "ssubo", Comparison),
    (Op::Usubo, "usubo", Comparison),
    (Op::Concat, "concat", Shape::Concat),
    (Op::Read, "read", Shape::Read),
    (Op::Ite, "ite", Shape::Ite),
    (Op::Write, "write", Shape::Write),
];

impl Op {
    /// Every operator with operands.
    pub fn all() -> impl Iterator<Item = Op> {
        TABLE.iter().map(|&(op, _, _)| op)
    }

    /// The operator with operands of a name; `ne` is an older spelling of `neq`.
    pub(crate) fn from_name(name: &str) -> Option<Op> {
        let name = if name == "ne" { "neq" } else { name };
        TABLE
            .iter()
            .find(|entry| entry.1 == name)
            .map(|entry| entry.0)
    }

    /// The operator's name in a file; constants have several.
    pub fn name(self) -> &'static str {
        match self {
            Op::Input => "input",
            Op::State => "state",
            Op::Const => "const",
            _ => self.entry().map_or("", |entry| entry.1),
        }
    }

    pub(crate) fn shape(self) -> Shape {
        self.entry().map_or(Shape::Leaf, |entry| entry.2)
    }

    fn entry(self) -> Option<&'static (Op, &'static str, Shape)> {
        // The table lists the operators in the order of the enumeration, after the leaves.
        TABLE.get((self as usize).checked_sub(Op::Slice as usize)?)
    }

    /// How many operands are nodes.
    pub fn operands(self) -> usize {
        self.shape().operands()
    }

    /// The sort of the result for operands of these sorts and these numbers, or what is wrong.
    pub(crate) fn result(self, args: &[Type], numbers: [u32; 2]) -> Result<Type, Mismatch> {
        let shape = self.shape();
        let bits = |i: usize| args[i].width().ok_or(Mismatch::NotBits(i));
        let one_bit = |i: usize| match bits(i)? {
            1 => Ok(()),
            _ => Err(Mismatch::NotOneBit(i)),
        };
        let same = |i: usize, j: usize| match args[i] == args[j] {
            true => Ok(()),
            false => Err(Mismatch::Different(i, j)),
        };
        let array = || match args[0] {
            Type::Array { index, elem } if args[1] == Type::Bv(index) => Ok(elem),
            Type::Array { .. } => Err(Mismatch::NotTheIndex),
            _ => Err(Mismatch::NotAnArray),
        };
        match shape {
            Shape::Leaf => Err(Mismatch::NotBits(0)),
            Shape::Unary => bits(0).map(Type::Bv),
            Shape::Reduction => bits(0).map(|_| Type::Bv(1)),
            Shape::Binary => {
                bits(0)?;
                same(0, 1).map(|()| args[0])
            }
            Shape::Comparison => {
                bits(0)?;
                same(0, 1).map(|()| Type::Bv(1))
            }
            Shape::Equality => same(0, 1).map(|()| Type::Bv(1)),
            Shape::Logical => {
                one_bit(0)?;
                one_bit(1).map(|()| Type::Bv(1))
            }
            Shape::Concat => wide(u64::from(bits(0)?) + u64::from(bits(1)?)),
            Shape::Extension => wide(u64::from(bits(0)?) + u64::from(numbers[0])),
            Shape::Slice => {
                let [upper, lower] = numbers;
                if upper >= bits(0)? || lower > upper {
                    return Err(Mismatch::Slice);
                }
                Ok(Type::Bv(upper - lower + 1))
            }
            Shape::Ite => {
                one_bit(0)?;
                same(1, 2).map(|()| args[1])
            }
            Shape::Read => array().map(Type::Bv),
            Shape::Write => match args[2] == Type::Bv(array()?) {
                true => Ok(args[0]),
                false => Err(Mismatch::NotTheElement),
            },
        }
    }
}

fn wide(width: u64) -> Result<Type, Mismatch> {
    match u32::try_from(width) {
        Ok(width) if width <= Type::MAX_WIDTH => Ok(Type::Bv(width)),
        _ => Err(Mismatch::TooWide(width)),
    }
}

/// Why an operator does not accept its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    NotBits(usize),
    NotOneBit(usize),
    Different(usize, usize),
    NotAnArray,
    NotTheIndex,
    NotTheElement,
    Slice,
    TooWide(u64),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nth = |i: &usize| ["first", "second", "third"][*i];
        match self {
            Mismatch::NotBits(i) => write!(f, "the {} operand is not a bit-vector", nth(i)),
            Mismatch::NotOneBit(i) => write!(f, "the {} operand is not a single bit", nth(i)),
            Mismatch::Different(i, j) => {
                let (i, j) = (nth(i), nth(j));
                write!(f, "the {i} and {j} operands differ in their sorts")
            }
            Mismatch::NotAnArray => write!(f, "the first operand is not an array"),
            Mismatch::NotTheIndex => {
                write!(f, "the second operand does not have the array's index sort")
            }
            Mismatch::NotTheElement => {
                write!(
                    f,
                    "the third operand does not have the array's element sort"
                )
            }
            Mismatch::Slice => write!(f, "the bits do not lie within the operand, upper first"),
            Mismatch::TooWide(width) => write!(f, "the result of {width} bits is too wide"),
        }
    }
}
