//! Integer types: widths, ranges, and gcc's conversions between them.

use trellis_frontend_c::types::DataModel;

/// An integer type. A bit-field's type has no name: gcc computes with fields wider than int in exactly
/// their own width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    pub name: &'static str,
    pub bits: u32,
    pub signed: bool,
}

const fn int(name: &'static str, bits: u32, signed: bool) -> Int {
    Int { name, bits, signed }
}

pub const BOOL: Int = int("_Bool", 1, false);
pub const CHAR: Int = int("char", 8, true);
pub const UCHAR: Int = int("unsigned char", 8, false);
pub const INT: Int = int("int", 32, true);
pub const UINT: Int = int("unsigned", 32, false);
pub const LLONG: Int = int("long long", 64, true);
pub const ULLONG: Int = int("unsigned long long", 64, false);

const SMALL: [Int; 4] = [
    int("signed char", 8, true),
    int("short", 16, true),
    int("unsigned short", 16, false),
    UCHAR,
];
const WIDE: [Int; 2] = [
    int("__int128", 128, true),
    int("unsigned __int128", 128, false),
];

pub fn long(model: DataModel) -> Int {
    int("long", if model == DataModel::Lp64 { 64 } else { 32 }, true)
}

pub fn ulong(model: DataModel) -> Int {
    Int {
        name: "unsigned long",
        signed: false,
        ..long(model)
    }
}

pub fn size_t(model: DataModel) -> Int {
    Int {
        name: "size_t",
        ..ulong(model)
    }
}

/// Every integer type of the data model.
pub fn all(model: DataModel) -> Vec<Int> {
    let mut types = vec![
        BOOL,
        CHAR,
        INT,
        UINT,
        LLONG,
        ULLONG,
        long(model),
        ulong(model),
    ];
    types.extend(SMALL);
    if model == DataModel::Lp64 {
        types.extend(WIDE);
    }
    types
}

/// Those without padding bits and of at most eight bytes: every bit pattern is a value.
pub fn plain(model: DataModel) -> Vec<Int> {
    let mut types = all(model);
    types.retain(|t| t.bits % 8 == 0 && t.bits <= 64);
    types
}

impl Int {
    /// The smallest value.
    pub fn min(self) -> i128 {
        if self.signed {
            i128::MIN >> (128 - self.bits)
        } else {
            0
        }
    }

    /// The greatest value; for 128 unsigned bits as much of it as is needed here.
    pub fn max(self) -> i128 {
        let value_bits = self.bits - u32::from(self.signed);
        if value_bits >= 127 {
            i128::MAX
        } else {
            (1 << value_bits) - 1
        }
    }

    pub fn holds(self, lo: i128, hi: i128) -> bool {
        lo >= self.min() && hi <= self.max()
    }

    /// What the integer promotions make of it.
    pub fn promoted(self) -> Int {
        match self.bits {
            ..32 => INT,
            32 if self.signed => INT,
            32 => UINT,
            _ => self,
        }
    }

    /// The type in which a binary operator works: the wider one, the unsigned one of two.
    pub fn common(self, other: Int) -> Int {
        let (a, b) = (self.promoted(), other.promoted());
        if a.bits != b.bits {
            if a.bits > b.bits { a } else { b }
        } else if a.signed {
            b
        } else {
            a
        }
    }

    /// A named type that holds all its values, where the type itself has no name.
    pub fn named(self) -> Int {
        match self.bits {
            _ if !self.name.is_empty() => self,
            ..=32 if self.signed => INT,
            ..=32 => UINT,
            _ if self.signed => LLONG,
            _ => ULLONG,
        }
    }

    /// The unsigned type of at least int's rank in which its operations wrap.
    pub fn wrapping(self) -> Int {
        match self.promoted().bits {
            ..=32 => UINT,
            33..=64 => ULLONG,
            _ => WIDE[1],
        }
    }

    /// Size of an object of the type.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits.div_ceil(8))
    }

    /// Whether the checksum takes it in two halves.
    pub fn is_wide(self) -> bool {
        self.bits > 64
    }
}
