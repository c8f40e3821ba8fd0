//! Binary formats.

/// A binary floating-point format: a sign, an exponent and a fraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
    explicit_integer: bool,
}

impl Format {
    /// IEEE 754 binary16: `_Float16`.
    pub const HALF: Format = Format::ieee(5, 10);
    /// IEEE 754 binary32: `float`.
    pub const SINGLE: Format = Format::ieee(8, 23);
    /// IEEE 754 binary64: `double`.
    pub const DOUBLE: Format = Format::ieee(11, 52);
    /// IEEE 754 binary128: `_Float128`.
    pub const QUAD: Format = Format::ieee(15, 112);
    /// The extended format of the x87: 80 bits, with the integer bit of the significand in the pattern.
    pub const X87: Format = Format {
        exponent_bits: 15,
        fraction_bits: 63,
        explicit_integer: true,
    };

    /// An interchange format. There are 2 to 24 bits of exponent, and at least 1 of fraction.
    pub const fn ieee(exponent_bits: u32, fraction_bits: u32) -> Format {
        assert!(2 <= exponent_bits && exponent_bits <= 24);
        assert!(1 <= fraction_bits && fraction_bits <= 1 << 16);
        Format {
            exponent_bits,
            fraction_bits,
            explicit_integer: false,
        }
    }

    /// Bits of a pattern.
    pub const fn width(self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits + self.explicit_integer as u32
    }

    /// Bits of the exponent.
    pub const fn exponent_bits(self) -> u32 {
        self.exponent_bits
    }

    /// Bits of the fraction, the integer bit not counted.
    pub const fn fraction_bits(self) -> u32 {
        self.fraction_bits
    }

    /// Bits of a significand, the integer bit counted: C's `FLT_MANT_DIG`.
    pub const fn precision(self) -> u32 {
        self.fraction_bits + 1
    }

    /// Whether the integer bit is in the pattern.
    pub const fn has_explicit_integer(self) -> bool {
        self.explicit_integer
    }

    /// What is added to an exponent to store it.
    pub const fn bias(self) -> i64 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The exponent of the largest finite numbers: C's `FLT_MAX_EXP - 1`.
    pub const fn max_exponent(self) -> i64 {
        self.bias()
    }

    /// The exponent of the smallest normal numbers, and of the subnormal ones: C's `FLT_MIN_EXP - 1`.
    pub const fn min_exponent(self) -> i64 {
        1 - self.bias()
    }

    /// Bits of a magnitude as the operations use it: exponent and fraction, without an integer bit.
    pub(crate) const fn magnitude_bits(self) -> u32 {
        self.exponent_bits + self.fraction_bits
    }
}
