//! Random values, literals in their spellings, and expressions.

use super::Gen;
use super::expr::{Expr, Place, arithmetic, bitwise, constant, division, minus, shift};
use super::int::{self, BOOL, INT, Int, UINT};

impl Gen {
    /// Any value that a type holds, often one near its limits.
    pub fn value(&mut self, ty: Int) -> i128 {
        let bits = i128::from(self.rng.bits());
        let (lo, hi) = (ty.min(), ty.max());
        match self.rng.below(8) {
            0 => lo,
            1 => hi,
            2 => (hi >> 1) + bits % 3,
            3 => 0,
            4 if ty.signed => -1,
            4 | 5 => (bits % 100).min(hi),
            _ if ty.bits == 1 => bits & 1,
            _ => {
                let wide = (bits << 64) | i128::from(self.rng.bits());
                let cut = wide >> (128 - ty.bits);
                if ty.signed { cut } else { cut & hi }
            }
        }
        .clamp(lo, hi)
    }

    /// A literal of a value, in one of its spellings, of some type that holds it.
    pub fn literal(&mut self, value: i128) -> Expr {
        if !(i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value) {
            let wide = Int {
                name: "__int128",
                bits: 128,
                signed: true,
            };
            let (high, low) = ((value >> 64) as i64, value as u64);
            let (wrap, high) = (wide.wrapping().name, high as u64);
            let text = format!("((__int128)((({wrap}){high:#x}ull << 64) | {low:#x}ull))");
            return Expr::within(text, wide, value, value);
        }
        if value == i128::from(i64::MIN) {
            let text = "(-9223372036854775807ll - 1)".to_owned();
            return Expr::within(text, int::LLONG, value, value);
        }
        let magnitude = value.unsigned_abs();
        let (suffix, ty) = match magnitude {
            ..=0x7fff_ffff if self.rng.chance(70) => ("", INT),
            ..=0xffff_ffff if value >= 0 && self.rng.chance(50) => ("u", UINT),
            ..=0x7fff_ffff_ffff_ffff => ("ll", int::LLONG),
            _ => ("ull", int::ULLONG),
        };
        let digits = match self.rng.below(6) {
            0 => format!("{magnitude:#x}"),
            1 if magnitude > 0 => format!("0{magnitude:o}"),
            2 if (32..127).contains(&magnitude) && suffix.is_empty() => {
                match magnitude as u8 as char {
                    c @ ('\'' | '\\') => format!("'\\{c}'"),
                    c => format!("'{c}'"),
                }
            }
            _ => magnitude.to_string(),
        };
        let text = if value < 0 {
            format!("(-{digits}{suffix})")
        } else {
            format!("{digits}{suffix}")
        };
        Expr::within(text, ty, value, value)
    }

    /// A constant expression whose value a type holds.
    pub fn constant_of(&mut self, ty: Int) -> Expr {
        let value = self.value(ty);
        let literal = self.literal(value);
        match self.rng.below(6) {
            0 => {
                let other = self.constant_below(7);
                bitwise('^', &literal, &other)
            }
            1 if !ty.name.is_empty() => literal.cast(ty),
            _ => literal,
        }
    }

    pub fn constant_below(&mut self, n: usize) -> Expr {
        constant(self.rng.below(n) as i32)
    }

    fn leaf(&mut self, places: &[Place]) -> Expr {
        if places.is_empty() || self.rng.chance(25) {
            let types = self.types.clone();
            let ty = *self.rng.pick(&types);
            let value = self.value(ty);
            return self.literal(value);
        }
        let place = self.rng.pick(places).clone();
        let read = place.read();
        if self.rng.chance(25) {
            let mask = (1 << (1 + self.rng.below(12))) - 1;
            return read.masked(mask);
        }
        read
    }

    /// An expression over places.
    pub fn expr(&mut self, places: &[Place], depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(15) {
            return self.leaf(places);
        }
        let a = self.expr(places, depth - 1);
        match self.rng.below(20) {
            // A constant expression has none of these.
            15..=17 if self.constant => a.cast(a.ty.named()),
            0..=5 => {
                let b = self.expr(places, depth - 1);
                let op = *self.rng.pick(&['+', '-', '*']);
                arithmetic(op, &a, &b)
            }
            6 | 7 => {
                let b = self.expr(places, depth - 1);
                let op = *self.rng.pick(&['/', '%']);
                division(op, &a, &b)
            }
            8 | 9 => {
                let b = self.expr(places, depth - 1);
                shift(self.rng.chance(50), &a, &b)
            }
            10 | 11 => {
                let b = self.expr(places, depth - 1);
                let op = *self.rng.pick(&['&', '|', '^']);
                bitwise(op, &a, &b)
            }
            12 => {
                let b = self.expr(places, depth - 1);
                let op = *self
                    .rng
                    .pick(&["<", "<=", ">", ">=", "==", "!=", "&&", "||"]);
                Expr::within(format!("({} {op} {})", a.text, b.text), INT, 0, 1)
            }
            13 => match self.rng.below(4) {
                0 => a.negated_test(),
                1 => {
                    let ty = a.ty.promoted();
                    Expr::any(format!("(~{})", a.text), ty)
                }
                2 => minus(&a),
                _ => {
                    let ty = a.ty.promoted();
                    let (lo, hi) = a.converted(ty);
                    Expr::within(format!("(+{})", a.text), ty, lo, hi)
                }
            },
            14 => self.conditional(&a, places, depth),
            15 => {
                let b = self.expr(places, depth - 1);
                let text = format!("({}, {})", a.text, b.text);
                Expr { text, ..b }
            }
            16 => self.counted(&a),
            17 => self.statement_expression(&a),
            18 => {
                let size = size_of_promoted(&a);
                let text = format!("sizeof(+{})", a.text);
                match size {
                    Some(n) => Expr::within(text, int::size_t(self.model), n, n),
                    None => a,
                }
            }
            _ => {
                let types = self.types.clone();
                a.cast(*self.rng.pick(&types))
            }
        }
    }

    fn conditional(&mut self, a: &Expr, places: &[Place], depth: u32) -> Expr {
        let b = self.expr(places, depth - 1);
        let (c, text) = if self.rng.chance(40) {
            (a.clone(), format!("({} ?: {})", a.text, b.text))
        } else {
            let c = self.expr(places, depth - 1);
            let text = format!("({} ? {} : {})", c.text, a.text, b.text);
            (a.clone(), text)
        };
        let ty = c.ty.common(b.ty);
        let ((cl, ch), (bl, bh)) = (c.converted(ty), b.converted(ty));
        Expr::within(text, ty, cl.min(bl), ch.max(bh))
    }

    /// gcc's counting builtins, on values for which they are defined.
    fn counted(&mut self, a: &Expr) -> Expr {
        let (suffix, ty) = *self.rng.pick(&[
            ("", UINT),
            ("l", int::ulong(self.model)),
            ("ll", int::ULLONG),
        ]);
        let a = a.cast(ty).text;
        let bits = i128::from(ty.bits);
        let name = *self
            .rng
            .pick(&["popcount", "parity", "ffs", "clz", "ctz", "bswap"]);
        let (text, hi) = match name {
            "clz" | "ctz" => (format!("__builtin_{name}{suffix}({a} | 1)"), bits),
            "bswap" => {
                let text = format!("__builtin_bswap{bits}({a})");
                let ty = if bits == 64 { int::ULLONG } else { UINT };
                return Expr::any(text, ty);
            }
            _ => (format!("__builtin_{name}{suffix}({a})"), bits),
        };
        Expr::within(text, INT, 0, hi)
    }

    fn statement_expression(&mut self, a: &Expr) -> Expr {
        let ty = a.ty.named();
        let name = self.fresh("t");
        let own = Expr {
            text: name.clone(),
            ty,
            lo: a.lo,
            hi: a.hi,
        };
        let own = if ty == BOOL {
            Expr::any(name.clone(), ty)
        } else {
            own
        };
        let b = self.constant_below(100);
        let result = bitwise('^', &own, &b);
        let text = format!("({{ {} {name} = {}; {}; }})", ty.name, a.text, result.text);
        // The value has gone through no further conversion.
        Expr { text, ..result }
    }
}

/// The size of what the promotions make of an expression, where its type has a name.
fn size_of_promoted(a: &Expr) -> Option<i128> {
    let ty = a.ty.promoted();
    (!ty.name.is_empty()).then(|| i128::from(ty.bytes()))
}
