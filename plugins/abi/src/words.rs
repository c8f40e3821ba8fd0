//! The numbers inside word streams.
//!
//! A **type** is two words `index, elem`: `0, 0` is bool, `0, w` a bit-vector of w bits, `i, e` an
//! array from i-bit to e-bit vectors.
//!
//! A **term node** begins with its operation; `a`, `b`, ... are numbers of earlier nodes.
//!
//! A **value** is `0, bit` for a boolean, `1, width, digits...` for a bit-vector, and
//! `2, index, elem, default digits..., n, (index digits..., element digits...) * n` for an array;
//! digits are base 2^32, least significant first, as many as the width needs.
//!
//! A **certificate** is `k, words, node stream of that many words..., n, (location, term) * n`: an
//! invariant per location, terms by their number in the stream; `k` is 0, or the invariants are
//! k-inductive only.
//!
//! An **unwinding** is `visits`: no execution that can still reach an error or incomplete location makes more visits
//! of loop heads (targets of the back edges of a depth-first search from the entry, edges in their order), and none
//! reaches one. The number says how far the host unwinds the program itself; nothing of it is believed.
//!
//! **Contracts** are `words, node stream of that many words..., n, (procedure, r, term * r, e, term * e) * n, m, (location, term) * m`:
//! what procedures require and ensure, then invariants at loop heads. Terms may mention old values: variables that follow those of the
//! program, one for each global variable and each parameter in the order of their numbers.
//!
//! A **trace** is `n, (var, value) * n, m, (edge, c, choice * c, i, (input, value) * i) * m`: initial
//! values (zero where missing), then the edges taken, each with the branch of every choice and the
//! value of every havoc on the executed path, in order.
//!
//! A **script** is `n, (var, value) * n, m, (input, value) * m, p, (pick, low, high) * p, low, high`: initial values, the values of inputs in the
//! order in which they are read, and which of several edges (or branches of a choice) is tried first, `low + 2^32 * high` times in a
//! row. Edges of a location are tried in turn, beginning with the one picked, and so are branches; the first that completes is taken, and
//! inputs that the others have read stay read. Nothing is picked where there is one edge, or two whose guards are opposite; 0 is where
//! no pick is left. The last number is that of the steps, where it is known; nothing rests on it.
//!
//! **Lemmas** are `words, node stream of that many words..., n, (kind, bound, location, term) * n`.
//!
//! A **transformed program** is `words, image of that many words..., way back`. Variables, inputs, regions and files of
//! the program before keep their numbers; new ones follow them.
//!
//! A **way back** is `flags, w, walk * w, l, location * l, words, node stream of that many words..., n, (location, term) *
//! n, n, (location, term) * n, n, (variable, term) * n`: how traces and invariants of the program after are some of the
//! program before. There is one walk for each edge after, none at all with the flag `TRELLIS_BACK_SAME_EDGES`: edges keep
//! their numbers. A walk is `TRELLIS_WALK_EMPTY`; `TRELLIS_WALK_EDGE, edge before`; `TRELLIS_WALK_SEQ, n, walk * n`; or
//! `TRELLIS_WALK_CHOICE, n, walk * n`, of which the next choice of the step takes one. There is one location for each
//! location before, the one after whose invariant it shares or `TRELLIS_NONE`; none at all with the flag
//! `TRELLIS_BACK_SAME_LOCS`. Then come facts that join the invariants of the program before, lemmas at heads of its loops
//! that are not cut there, and what variables that exist only after stand for, as terms over those before.
//!
//! The **image** of a program is a header, then sections in any order, all offsets in words from
//! the beginning: `TRELLIS_IMAGE_MAGIC, version, main procedure, number of sections, (section,
//! offset, count) * sections`. Names are `offset, bytes` into the strings section (the offset in
//! bytes), `TRELLIS_NONE` standing for an offset without a name. A span is `file, line, column`,
//! the file being `TRELLIS_NONE` where there is none. Entities are numbered from 0 in the order of
//! their section.

/// No entity.
pub const TRELLIS_NONE: u32 = u32::MAX;
/// The first word of an image.
pub const TRELLIS_IMAGE_MAGIC: u32 = 0x4c56_4954;

/// Edges after are the edges before, of the same numbers.
pub const TRELLIS_BACK_SAME_EDGES: u32 = 1;
/// Locations after are the locations before, of the same numbers.
pub const TRELLIS_BACK_SAME_LOCS: u32 = 2;
/// `walk`: no step at all.
pub const TRELLIS_WALK_EMPTY: u32 = 0;
/// `walk, edge`: through one edge, with the next choices and inputs of the step.
pub const TRELLIS_WALK_EDGE: u32 = 1;
/// `walk, n, walk * n`: one after the other.
pub const TRELLIS_WALK_SEQ: u32 = 2;
/// `walk, n, walk * n`: the next choice of the step says which.
pub const TRELLIS_WALK_CHOICE: u32 = 3;

/// Bytes of all names, padded with zeros; count: words.
pub const TRELLIS_SECTION_STRINGS: u32 = 1;
/// `name`; count: files.
pub const TRELLIS_SECTION_FILES: u32 = 2;
/// `type, scope, procedure, name, span`: 9 words; count: variables. Scope 0 is global, 1 local to
/// the procedure, 2 an auxiliary symbol.
pub const TRELLIS_SECTION_VARS: u32 = 3;
/// `type, name, span`: 7 words; count: inputs.
pub const TRELLIS_SECTION_INPUTS: u32 = 4;
/// `name, memory variable, base variable, 1 or 0 for a fixed size, size low, size high, span`:
/// 10 words; count: regions.
pub const TRELLIS_SECTION_REGIONS: u32 = 5;
/// A stream of term nodes; count: words.
pub const TRELLIS_SECTION_TERMS: u32 = 6;
/// Commands, each known by its offset from the beginning of the section, parts before users:
/// `TRELLIS_CMD_*, ...`; count: words.
pub const TRELLIS_SECTION_CMDS: u32 = 7;
/// `name, entry, exit, parameters, results, span`, where parameters and results are `offset,
/// number` into the lists: 11 words; count: procedures.
pub const TRELLIS_SECTION_PROCS: u32 = 8;
/// `procedure, kind, property or reason, name, span`: 9 words; count: locations. Kind 0 is plain,
/// 1 an error location, 2 an incomplete one.
pub const TRELLIS_SECTION_LOCS: u32 = 9;
/// `from, to, action, at, span`: 7 words; count: edges. Action 0 is the command at an offset
/// of the commands; 1 is the call at an offset of the lists: `procedure, n, term * n, m, variable * m`.
pub const TRELLIS_SECTION_EDGES: u32 = 10;
/// Words that others point to; count: words.
pub const TRELLIS_SECTION_LISTS: u32 = 11;

/// `cmd`: does nothing.
pub const TRELLIS_CMD_SKIP: u32 = 0;
/// `cmd, term`: goes on only where the term holds.
pub const TRELLIS_CMD_ASSUME: u32 = 1;
/// `cmd, n, (variable, term) * n`: assigns all at once.
pub const TRELLIS_CMD_ASSIGN: u32 = 2;
/// `cmd, n, (variable, input) * n`: any values.
pub const TRELLIS_CMD_HAVOC: u32 = 3;
/// `cmd, n, command * n`: one after the other.
pub const TRELLIS_CMD_SEQ: u32 = 4;
/// `cmd, n, command * n`: any one of them.
pub const TRELLIS_CMD_CHOICE: u32 = 5;

/// `op, value`: `true` (1) or `false` (0).
pub const TRELLIS_OP_BOOL_CONST: u32 = 0;
/// `op, width, digits...`: digits base 2^32, least significant first, as many as the width needs.
pub const TRELLIS_OP_BV_CONST: u32 = 1;
/// `op, var, index, elem`: a variable by its number, with its type.
pub const TRELLIS_OP_VAR: u32 = 2;
/// `op, a`: not.
pub const TRELLIS_OP_NOT: u32 = 3;
/// `op, a, b`: and.
pub const TRELLIS_OP_AND: u32 = 4;
/// `op, a, b`: or.
pub const TRELLIS_OP_OR: u32 = 5;
/// `op, a, b`: equality at any type.
pub const TRELLIS_OP_EQ: u32 = 6;
/// `op, condition, then, else`: if-then-else at any type.
pub const TRELLIS_OP_ITE: u32 = 7;
/// `op, a`: bitwise complement.
pub const TRELLIS_OP_BV_NOT: u32 = 8;
/// `op, a`: two's complement negation.
pub const TRELLIS_OP_BV_NEG: u32 = 9;
/// `op, a, b`: bitwise and.
pub const TRELLIS_OP_BV_AND: u32 = 10;
/// `op, a, b`: bitwise or.
pub const TRELLIS_OP_BV_OR: u32 = 11;
/// `op, a, b`: bitwise exclusive or.
pub const TRELLIS_OP_BV_XOR: u32 = 12;
/// `op, a, b`: addition modulo 2^w.
pub const TRELLIS_OP_BV_ADD: u32 = 13;
/// `op, a, b`: subtraction modulo 2^w.
pub const TRELLIS_OP_BV_SUB: u32 = 14;
/// `op, a, b`: multiplication modulo 2^w.
pub const TRELLIS_OP_BV_MUL: u32 = 15;
/// `op, a, b`: unsigned division; all ones when dividing by zero.
pub const TRELLIS_OP_BV_UDIV: u32 = 16;
/// `op, a, b`: unsigned remainder; the dividend when dividing by zero.
pub const TRELLIS_OP_BV_UREM: u32 = 17;
/// `op, a, b`: signed division, truncating.
pub const TRELLIS_OP_BV_SDIV: u32 = 18;
/// `op, a, b`: signed remainder with the dividend's sign.
pub const TRELLIS_OP_BV_SREM: u32 = 19;
/// `op, a, b`: signed remainder with the divisor's sign.
pub const TRELLIS_OP_BV_SMOD: u32 = 20;
/// `op, a, b`: shift left.
pub const TRELLIS_OP_BV_SHL: u32 = 21;
/// `op, a, b`: logical shift right.
pub const TRELLIS_OP_BV_LSHR: u32 = 22;
/// `op, a, b`: arithmetic shift right.
pub const TRELLIS_OP_BV_ASHR: u32 = 23;
/// `op, a, b`: unsigned less-than.
pub const TRELLIS_OP_BV_ULT: u32 = 24;
/// `op, a, b`: unsigned at-most.
pub const TRELLIS_OP_BV_ULE: u32 = 25;
/// `op, a, b`: signed less-than.
pub const TRELLIS_OP_BV_SLT: u32 = 26;
/// `op, a, b`: signed at-most.
pub const TRELLIS_OP_BV_SLE: u32 = 27;
/// `op, a, b`: unsigned addition overflows.
pub const TRELLIS_OP_BV_UADDO: u32 = 28;
/// `op, a, b`: signed addition overflows.
pub const TRELLIS_OP_BV_SADDO: u32 = 29;
/// `op, a, b`: unsigned subtraction underflows.
pub const TRELLIS_OP_BV_USUBO: u32 = 30;
/// `op, a, b`: signed subtraction overflows.
pub const TRELLIS_OP_BV_SSUBO: u32 = 31;
/// `op, a, b`: unsigned multiplication overflows.
pub const TRELLIS_OP_BV_UMULO: u32 = 32;
/// `op, a, b`: signed multiplication overflows.
pub const TRELLIS_OP_BV_SMULO: u32 = 33;
/// `op, high, low`: concatenation.
pub const TRELLIS_OP_CONCAT: u32 = 34;
/// `op, a, hi, lo`: bits hi down to lo.
pub const TRELLIS_OP_EXTRACT: u32 = 35;
/// `op, a, width`: zero extension to a width.
pub const TRELLIS_OP_ZERO_EXT: u32 = 36;
/// `op, a, width`: sign extension to a width.
pub const TRELLIS_OP_SIGN_EXT: u32 = 37;
/// `op, array, index`: array read.
pub const TRELLIS_OP_SELECT: u32 = 38;
/// `op, array, index, element`: array write.
pub const TRELLIS_OP_STORE: u32 = 39;
/// `op, element, index`: the array over an index width that holds the element everywhere.
pub const TRELLIS_OP_CONST_ARRAY: u32 = 40;

/// Variables of a certificate from this number on stand for all values; there may be four. Since ABI 1.3.
pub const TRELLIS_FIRST_GHOST: u32 = 1073741824;
