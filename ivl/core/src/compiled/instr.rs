//! The instructions of a compiled program.
//!
//! Sixteen bytes each. Words live in registers: variables, constants and intermediate results alike, each below two to the
//! power of its width. `shift` is 64 minus the width of an operation: shifting left by it makes a sign bit of the top bit,
//! and all ones shifted right by it are the mask of the width.

use crate::entity::{Edge, Loc, Proc};
use crate::op::{Op, Params};
use crate::ty::Type;
use crate::value::Value;

/// A register.
pub type Reg = u16;

/// What an instruction does with `a`, `b`, `x` and its target `d`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Code {
    /// Copies `a`.
    Move,
    /// An operation on words, as for terms. A truth value is the word 0 or 1, so that `And`, `Or` and `Xor` do for both.
    Not,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Equality.
    Eq,
    /// `b` where `a` holds, otherwise the register `x`.
    Ite,
    /// Negation.
    Neg,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Division and remainder.
    Udiv,
    /// See `Udiv`.
    Urem,
    /// See `Udiv`.
    Sdiv,
    /// See `Udiv`.
    Srem,
    /// See `Udiv`.
    Smod,
    /// Shifts.
    Shl,
    /// See `Shl`.
    Lshr,
    /// See `Shl`.
    Ashr,
    /// Comparisons.
    Ult,
    /// See `Ult`.
    Ule,
    /// See `Ult`.
    Slt,
    /// See `Ult`.
    Sle,
    /// Overflows.
    Uaddo,
    /// See `Uaddo`.
    Saddo,
    /// See `Uaddo`.
    Usubo,
    /// See `Uaddo`.
    Ssubo,
    /// See `Uaddo`.
    Umulo,
    /// See `Uaddo`.
    Smulo,
    /// `a` above the `x` bits of `b`.
    Concat,
    /// `a` from bit `x` on.
    Extract,
    /// `a`, of a width of 64 - `x`, with its sign.
    SignExt,
    /// Reads the memory `a` at `b`.
    Select,
    /// Writes `a` at `b` to the memory `d`.
    Store,
    /// The same where the register `x` holds.
    StoreIf,
    /// Sets all of the memory `d` to `a`.
    Fill,
    /// Copies the memory `a` to `d`.
    Copy,
    /// The same where the register `b` holds.
    CopyIf,
    /// Exchanges the memories `a` and `d`.
    Swap,
    /// Whether the memories `a` and `b` are equal, with an index of `x` bits.
    Same,
    /// Anything with a wide value: entry `x` of the table.
    Wide,
    /// An input `x` to the register, memory or wide value `d`.
    Havoc,
    /// See `Havoc`.
    HavocMemory,
    /// See `Havoc`.
    HavocValue,
    /// Copies the wide value `a`.
    MoveValue,
    /// Remembers a register, a cell `b` of a memory, a memory or a wide value `d`, should the command not complete.
    Save,
    /// See `Save`.
    SaveCell,
    /// See `Save`.
    SaveMemory,
    /// See `Save`.
    SaveValue,
    /// Goes on where it holds and to `x` otherwise.
    IfTrue,
    /// See `IfTrue`.
    IfFalse,
    /// See `IfTrue`.
    IfEq,
    /// See `IfTrue`.
    IfNe,
    /// See `IfTrue`.
    IfUlt,
    /// See `IfTrue`.
    IfUle,
    /// See `IfTrue`.
    IfSlt,
    /// See `IfTrue`.
    IfSle,
    /// Goes to `x`.
    Jump,
    /// The same within a command, where nobody stops.
    Goto,
    /// Counts steps.
    Count,
    /// Goes to one of the places in entry `x` of the table.
    Choose,
    /// Goes to another place of the last choice; where there is none, location `x` is blocked.
    Fail,
    /// Forgets choices and what was remembered: an edge has been taken.
    Commit,
    /// Calls by entry `x` of the table.
    Call,
    /// Returns; from the first call, which nobody made, it ends at location `x`.
    Return,
    /// Ends at location `x`.
    Halt,
}

/// One instruction. Where control may go elsewhere, `d` is the number of edges that have been taken since the last such
/// instruction, and `y` is the number of a branch.
#[derive(Clone, Copy, Debug)]
pub struct Instr {
    /// What it does.
    pub code: Code,
    /// 64 minus the width.
    pub shift: u8,
    /// The target.
    pub d: Reg,
    /// The first argument.
    pub a: Reg,
    /// The second argument.
    pub b: Reg,
    /// As the code says.
    pub x: u32,
    /// As the code says.
    pub y: u32,
}

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// A truth value or at most 64 bits.
    Word(Reg),
    /// An array of words with a word as index.
    Memory(Reg),
    /// Anything else.
    Value(Reg),
}

/// An operation that the evaluator does.
pub(crate) struct WideOp {
    pub op: Op,
    pub params: Params,
    /// Arguments with their types.
    pub args: Vec<(Slot, Type)>,
    pub result: Slot,
}

/// The places of a choice.
pub(crate) struct Places {
    /// One for each edge or branch.
    pub targets: Vec<u32>,
    /// Whether they are edges, and not branches of a command.
    pub of_edges: bool,
}

/// A call.
pub(crate) struct CallInfo {
    pub edge: Edge,
    pub callee: Proc,
    /// All locals of the callee.
    pub locals: Vec<Slot>,
    /// Arguments and the parameters that they go to.
    pub args: Vec<(Slot, Slot)>,
    /// Results of the callee and where they go.
    pub results: Vec<(Slot, Slot)>,
    /// Where the callee begins, and where it goes on afterwards.
    pub entry: u32,
    pub back: u32,
}

/// A program as instructions.
pub struct Compiled {
    pub(crate) code: Vec<Instr>,
    /// Where each variable is.
    pub(crate) vars: Vec<Slot>,
    /// Registers that hold constants.
    pub(crate) constants: Vec<(Reg, u64)>,
    pub(crate) wide_constants: Vec<(Reg, Value)>,
    pub(crate) wide: Vec<WideOp>,
    pub(crate) places: Vec<Places>,
    pub(crate) calls: Vec<CallInfo>,
    /// The first instruction of each location that has one.
    pub(crate) starts: Vec<(u32, Loc)>,
    pub(crate) entry: u32,
    pub(crate) words: usize,
    pub(crate) memories: usize,
    pub(crate) values: usize,
    /// For each branch the location that it leaves.
    pub(crate) branches: Vec<Loc>,
}

impl Compiled {
    /// How many branches there are; they are numbered from 0.
    pub fn branches(&self) -> usize {
        self.branches.len()
    }

    /// The location that a branch leaves.
    pub fn branch_loc(&self, branch: u32) -> Loc {
        self.branches[branch as usize]
    }
}
