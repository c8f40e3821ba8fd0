//! Expressions without undefined behaviour: each carries the interval its value lies in. An operator is
//! applied as it is where the result fits its type, and in unsigned arithmetic where it may not.

use super::int::{BOOL, INT, Int};

/// An expression of an integer type, without side effects that another could see.
#[derive(Clone, Debug)]
pub struct Expr {
    pub text: String,
    pub ty: Int,
    pub lo: i128,
    pub hi: i128,
}

/// Something of an integer type that can be read and assigned.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub ty: Int,
}

impl Place {
    pub fn new(text: impl Into<String>, ty: Int) -> Place {
        let mut text = text.into();
        // Postfix operators bind tighter.
        if text.starts_with('*') {
            text = format!("({text})");
        }
        Place { text, ty }
    }

    pub fn read(&self) -> Expr {
        Expr::any(self.text.clone(), self.ty)
    }
}

impl Expr {
    /// Any value of the type.
    pub fn any(text: impl Into<String>, ty: Int) -> Expr {
        Expr {
            text: text.into(),
            ty,
            lo: ty.min(),
            hi: ty.max(),
        }
    }

    pub fn within(text: String, ty: Int, lo: i128, hi: i128) -> Expr {
        if ty.holds(lo, hi) {
            Expr { text, ty, lo, hi }
        } else {
            Expr::any(text, ty)
        }
    }

    /// The interval after a conversion.
    pub fn converted(&self, ty: Int) -> (i128, i128) {
        // Of 128 unsigned bits the full interval does not tell the upper half.
        let known = self.hi < i128::MAX || self.ty.signed;
        if known && ty.holds(self.lo, self.hi) {
            (self.lo, self.hi)
        } else {
            (ty.min(), ty.max())
        }
    }

    /// Converted by a cast.
    pub fn cast(&self, ty: Int) -> Expr {
        let (lo, hi) = if ty == BOOL {
            (0, 1)
        } else {
            self.converted(ty)
        };
        let text = format!("({})({})", ty.name, self.text);
        Expr { text, ty, lo, hi }
    }

    /// Its low bits, as a number from 0 to `mask`.
    pub fn masked(&self, mask: i128) -> Expr {
        let ty = self.ty.common(INT);
        Expr {
            text: format!("({} & {mask})", self.text),
            ty,
            lo: 0,
            hi: mask,
        }
    }

    pub fn negated_test(&self) -> Expr {
        Expr::within(format!("(!{})", self.text), INT, 0, 1)
    }
}

fn spread(items: [Option<i128>; 4]) -> Option<(i128, i128)> {
    let mut items = items.into_iter().collect::<Option<Vec<_>>>()?;
    items.sort_unstable();
    Some((items[0], items[3]))
}

/// `a OP b` for `+`, `-` and `*`.
pub fn arithmetic(op: char, a: &Expr, b: &Expr) -> Expr {
    let ty = a.ty.common(b.ty);
    let ((al, ah), (bl, bh)) = (a.converted(ty), b.converted(ty));
    let bounds = match op {
        '+' => al.checked_add(bl).zip(ah.checked_add(bh)),
        '-' => al.checked_sub(bh).zip(ah.checked_sub(bl)),
        _ => spread([
            al.checked_mul(bl),
            al.checked_mul(bh),
            ah.checked_mul(bl),
            ah.checked_mul(bh),
        ]),
    };
    let raw = format!("({} {op} {})", a.text, b.text);
    match bounds {
        Some((lo, hi)) if ty.holds(lo, hi) => Expr::within(raw, ty, lo, hi),
        _ if !ty.signed => Expr::any(raw, ty),
        _ => {
            let (wrap, ty) = (ty.wrapping().name, ty.named());
            let (name, a, b) = (ty.name, &a.text, &b.text);
            let text = format!("(({name})(({wrap})({a}) {op} ({wrap})({b})))");
            Expr::any(text, ty)
        }
    }
}

/// `a / b` or `a % b`; the divisor is made harmless where it is not.
pub fn division(op: char, a: &Expr, b: &Expr) -> Expr {
    let ty = a.ty.common(b.ty);
    let (bl, bh) = b.converted(ty);
    let (al, ah) = a.converted(ty);
    let minus_one = ty.signed && bl <= -1 && bh >= -1 && al == ty.min();
    if (bl <= 0 && bh >= 0) || minus_one {
        let small = arithmetic('+', &b.masked(15), &constant(1));
        return division(op, a, &small);
    }
    let text = format!("({} {op} {})", a.text, b.text);
    let (lo, hi) = match op {
        // The magnitude does not grow.
        '/' if al >= 0 && bl > 0 => (0, ah),
        '%' if al >= 0 && bl > 0 => (0, ah.min(bh - 1)),
        '%' if bl > 0 => (-(bh - 1), bh - 1),
        _ => (ty.min(), ty.max()),
    };
    Expr::within(text, ty, lo, hi)
}

/// `a << b` or `a >> b`, the amount brought into range.
pub fn shift(left: bool, a: &Expr, amount: &Expr) -> Expr {
    let ty = a.ty.promoted();
    // A field's own width need not be a power of two.
    let limit = 1i128 << (31 - ty.bits.leading_zeros());
    let amount = if amount.lo >= 0 && amount.hi < i128::from(ty.bits) {
        amount.clone()
    } else {
        amount.masked(limit - 1)
    };
    let (lo, hi) = a.converted(ty);
    if !left {
        let text = format!("({} >> {})", a.text, amount.text);
        return Expr::within(text, ty, lo.min(0), hi.max(if lo < 0 { -1 } else { 0 }));
    }
    let raw = format!("({} << {})", a.text, amount.text);
    if !ty.signed {
        return Expr::any(raw, ty);
    }
    let top = 1i128
        .checked_shl(amount.hi as u32)
        .and_then(|f| hi.checked_mul(f));
    match top {
        Some(top) if lo >= 0 && ty.holds(0, top) => Expr::within(raw, ty, 0, top),
        _ => {
            let (wrap, ty) = (ty.wrapping().name, ty.named());
            let text = format!("(({})(({wrap})({}) << {}))", ty.name, a.text, amount.text);
            Expr::any(text, ty)
        }
    }
}

/// `a & b`, `a | b` or `a ^ b`.
pub fn bitwise(op: char, a: &Expr, b: &Expr) -> Expr {
    let ty = a.ty.common(b.ty);
    let ((al, ah), (bl, bh)) = (a.converted(ty), b.converted(ty));
    let text = format!("({} {op} {})", a.text, b.text);
    let (lo, hi) = match op {
        '&' if al >= 0 && bl >= 0 => (0, ah.min(bh)),
        '&' if bl >= 0 => (0, bh),
        '&' if al >= 0 => (0, ah),
        '|' | '^' if al >= 0 && bl >= 0 => {
            let bits = 128 - ah.max(bh).leading_zeros();
            (
                0,
                if bits >= 127 {
                    i128::MAX
                } else {
                    (1 << bits) - 1
                },
            )
        }
        _ => (ty.min(), ty.max()),
    };
    Expr::within(text, ty, lo, hi)
}

/// `-a`.
pub fn minus(a: &Expr) -> Expr {
    let zero = constant(0);
    let ty = a.ty.promoted();
    let (lo, hi) = a.converted(ty);
    if ty.signed && lo > ty.min() {
        return Expr::within(format!("(-{})", a.text), ty, -hi, -lo);
    }
    if !ty.signed {
        return Expr::any(format!("(-{})", a.text), ty);
    }
    arithmetic('-', &zero, a)
}

/// A small number.
pub fn constant(value: i32) -> Expr {
    let text = if value < 0 {
        format!("({value})")
    } else {
        value.to_string()
    };
    let value = i128::from(value);
    Expr {
        text,
        ty: INT,
        lo: value,
        hi: value,
    }
}
