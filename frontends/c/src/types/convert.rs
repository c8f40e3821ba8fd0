//! Integer promotions, usual arithmetic conversions, compatible and composite types (C11 6.3.1, 6.2.7).

use super::{DataModel, FnTy, IntKind, Length, QualTy, RecordId, Ty, TyKind, Types};

impl IntKind {
    /// Whether it is signed; plain char is on x86.
    pub fn signed(self) -> bool {
        use IntKind::*;
        match self {
            Bits { signed, .. } => signed,
            _ => matches!(self, Char | SChar | Short | Int | Long | LLong | Int128),
        }
    }

    /// Width in bits.
    pub fn bits(self, model: DataModel) -> u32 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong if model == DataModel::Ilp32 => 32,
            Long | ULong | LLong | ULLong => 64,
            Int128 | UInt128 => 128,
            Bits { width, .. } => width.into(),
        }
    }

    /// Conversion rank.
    fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong | Bits { .. } => 4,
            LLong | ULLong => 5,
            Int128 | UInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar | UChar => UChar,
            Short | UShort => UShort,
            Int | UInt => UInt,
            Long | ULong => ULong,
            LLong | ULLong => ULLong,
            Int128 | UInt128 => UInt128,
            Bits { width, .. } => Bits {
                width,
                signed: false,
            },
        }
    }

    /// The signed type of the same rank.
    pub fn to_signed(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar | UChar => SChar,
            Short | UShort => Short,
            Int | UInt => Int,
            Long | ULong => Long,
            LLong | ULLong => LLong,
            Int128 | UInt128 => Int128,
            Bits { width, .. } => Bits {
                width,
                signed: true,
            },
        }
    }
}

/// Wraps a value into an integer type of a width.
pub fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let shift = 128 - bits;
    if signed {
        (value << shift) >> shift
    } else {
        (((value as u128) << shift) >> shift) as i128
    }
}

impl Types {
    /// Bits of an integer, boolean or pointer type's values.
    pub fn value_bits(&self, ty: Ty) -> Option<u32> {
        match self.kind(ty) {
            TyKind::Bool => Some(1),
            TyKind::Pointer(_) => Some(self.pointer_bits()),
            _ => self.int_kind(ty).map(|k| k.bits(self.model)),
        }
    }

    /// A value as the integer type has it.
    pub fn wrap(&self, value: i128, ty: Ty) -> i128 {
        match self.kind(ty) {
            TyKind::Bool => i128::from(value != 0),
            _ => match self.value_bits(ty) {
                Some(bits) => wrap(value, bits, self.is_signed(ty)),
                None => value,
            },
        }
    }

    /// The type after integer promotion; `width` for a bit-field.
    pub fn promote(&mut self, ty: Ty, width: Option<u32>) -> Ty {
        if let Some(width) = width {
            let signed = self.is_signed(ty);
            if width < 32 || (width == 32 && signed) {
                return self.int;
            }
            if width == 32 {
                return self.uint;
            }
            let width = width as u8;
            if self.value_bits(ty).is_some_and(|b| b > width.into()) {
                return self.int_ty(IntKind::Bits { width, signed });
            }
        }
        match self.kind(ty) {
            TyKind::Bool => self.int,
            _ => match self.int_kind(ty) {
                Some(k) if k.rank() < IntKind::Int.rank() => self.int,
                Some(k) => self.int_ty(k),
                None => ty,
            },
        }
    }

    /// The common type of two promoted arithmetic operands.
    pub fn usual(&mut self, a: Ty, b: Ty) -> Ty {
        match (self.kind(a).clone(), self.kind(b).clone()) {
            (TyKind::Complex(x), TyKind::Complex(y) | TyKind::Float(y))
            | (TyKind::Float(x), TyKind::Complex(y)) => self.intern(TyKind::Complex(x.max(y))),
            (TyKind::Float(x), TyKind::Float(y)) => self.intern(TyKind::Float(x.max(y))),
            (TyKind::Complex(_) | TyKind::Float(_), _) => a,
            (_, TyKind::Complex(_) | TyKind::Float(_)) => b,
            _ => {
                let a = self.promote(a, None);
                let b = self.promote(b, None);
                let (Some(x), Some(y)) = (self.int_kind(a), self.int_kind(b)) else {
                    return self.error;
                };
                let common = self.usual_int(x, y);
                self.int_ty(common)
            }
        }
    }

    fn usual_int(&self, x: IntKind, y: IntKind) -> IntKind {
        // The width alone ranks values of bit-fields; no other type has one between int and long long.
        let field = |k: IntKind| matches!(k, IntKind::Bits { .. });
        if field(x) || field(y) {
            let (m, n) = (x.bits(self.model), y.bits(self.model));
            return match m.cmp(&n) {
                std::cmp::Ordering::Less => y,
                std::cmp::Ordering::Greater => x,
                std::cmp::Ordering::Equal if x.signed() => y,
                std::cmp::Ordering::Equal => x,
            };
        }
        if x.signed() == y.signed() {
            return if x.rank() >= y.rank() { x } else { y };
        }
        let (unsigned, signed) = if x.signed() { (y, x) } else { (x, y) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits(self.model) > unsigned.bits(self.model) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// The type of an argument without a parameter type.
    pub fn default_promote(&mut self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TyKind::Float(super::FloatKind::Float | super::FloatKind::Half) => self.double,
            TyKind::Int(IntKind::Bits { signed: true, .. }) => self.int_ty(IntKind::LLong),
            TyKind::Int(IntKind::Bits { .. }) => self.int_ty(IntKind::ULLong),
            _ => self.promote(ty, None),
        }
    }

    /// The number that tells the type of an argument without a parameter, so that `va_arg` knows whether
    /// it asks for the right one; none for what is not passed so.
    pub fn va_tag(&self, ty: Ty) -> Option<u64> {
        use cranelift_entity::EntityRef;
        match self.kind(ty) {
            TyKind::Int(_) | TyKind::Enum(_) => Some(0x100 + u64::from(self.value_bits(ty)?)),
            TyKind::Pointer(_) => Some(0x200),
            // Two formats of 16 bytes are two types.
            TyKind::Float(super::FloatKind::Float128) => Some(0x380),
            TyKind::Float(_) => Some(0x300 + self.size_of(ty)?),
            TyKind::Record(r) => Some(0x1000 + r.index() as u64),
            _ => None,
        }
    }

    /// Whether two types are compatible.
    pub fn compatible(&self, a: Ty, b: Ty) -> bool {
        self.compatible_assuming(a, b, &mut Vec::new())
    }

    /// The same, where the records in `seen` are taken as compatible: types may contain themselves.
    fn compatible_assuming(&self, a: Ty, b: Ty, seen: &mut Vec<(RecordId, RecordId)>) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TyKind::Error, _) | (_, TyKind::Error) => true,
            (TyKind::Pointer(x), TyKind::Pointer(y)) => {
                x.quals == y.quals && self.compatible_assuming(x.ty, y.ty, seen)
            }
            (TyKind::Array(x, m), TyKind::Array(y, n)) => {
                let lengths = match (m, n) {
                    (Length::Known(m), Length::Known(n)) => m == n,
                    _ => true,
                };
                lengths && self.compatible_assuming(x.ty, y.ty, seen)
            }
            (TyKind::Function(f), TyKind::Function(g)) => self.compatible_functions(f, g, seen),
            (TyKind::Record(r), TyKind::Record(s)) => self.compatible_records(*r, *s, seen),
            (TyKind::Enum(e), TyKind::Enum(f)) => {
                self.enums[*e].unit != self.enums[*f].unit && self.int_kind(a) == self.int_kind(b)
            }
            (TyKind::Enum(_), TyKind::Int(_)) | (TyKind::Int(_), TyKind::Enum(_)) => {
                self.int_kind(a) == self.int_kind(b)
            }
            _ => false,
        }
    }

    /// Structs of two translation units are compatible when tags and members agree (C11 6.2.7).
    fn compatible_records(
        &self,
        r: RecordId,
        s: RecordId,
        seen: &mut Vec<(RecordId, RecordId)>,
    ) -> bool {
        if seen.contains(&(r, s)) {
            return true;
        }
        let (a, b) = (&self.records[r], &self.records[s]);
        if a.unit == b.unit || a.union != b.union || a.tag != b.tag {
            return false;
        }
        if !a.complete || !b.complete {
            return a.tag.is_some();
        }
        seen.push((r, s));
        a.size == b.size
            && a.align == b.align
            && a.fields.len() == b.fields.len()
            && a.fields.iter().zip(&b.fields).all(|(x, y)| {
                x.name == y.name
                    && x.width == y.width
                    && x.bit_offset == y.bit_offset
                    && x.ty.quals == y.ty.quals
                    && self.compatible_assuming(x.ty.ty, y.ty.ty, seen)
            })
    }

    fn compatible_functions(
        &self,
        f: &FnTy,
        g: &FnTy,
        seen: &mut Vec<(RecordId, RecordId)>,
    ) -> bool {
        if !self.compatible_assuming(f.ret.ty, g.ret.ty, seen) {
            return false;
        }
        if !f.prototype || !g.prototype {
            return true;
        }
        f.variadic == g.variadic
            && f.params.len() == g.params.len()
            && f.params
                .iter()
                .zip(&g.params)
                .all(|(x, y)| self.compatible_assuming(x.ty, y.ty, seen))
    }

    /// Whether a function of the first type may be called as one of the second: they are compatible, or differ in what
    /// pointers point to, which C forbids and every machine does.
    pub fn callable_as(&self, function: Ty, called_as: Ty) -> bool {
        let (TyKind::Function(f), TyKind::Function(g)) =
            (self.kind(function), self.kind(called_as))
        else {
            return self.compatible(function, called_as);
        };
        let alike =
            |a: Ty, b: Ty| self.compatible(a, b) || (self.is_pointer(a) && self.is_pointer(b));
        let params = f.variadic == g.variadic
            && (!f.prototype
                || !g.prototype
                || f.params.len() == g.params.len()
                    && f.params
                        .iter()
                        .zip(&g.params)
                        .all(|(x, y)| alike(x.ty, y.ty)));
        params && alike(f.ret.ty, g.ret.ty)
    }

    /// The composite of two compatible types: the one that knows more.
    pub fn composite(&mut self, a: Ty, b: Ty) -> Ty {
        if a == b {
            return a;
        }
        match (self.kind(a).clone(), self.kind(b).clone()) {
            (TyKind::Array(x, m), TyKind::Array(y, n)) => {
                let elem = QualTy {
                    ty: self.composite(x.ty, y.ty),
                    ..x
                };
                let len = match (m, n) {
                    (Length::Known(_), _) => m,
                    (_, Length::Known(_)) => n,
                    (Length::Incomplete, _) => n,
                    _ => m,
                };
                self.array(elem, len)
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                if f.prototype {
                    a
                } else if g.prototype {
                    b
                } else {
                    a
                }
            }
            (TyKind::Pointer(x), TyKind::Pointer(y)) => {
                let to = QualTy {
                    ty: self.composite(x.ty, y.ty),
                    ..x
                };
                self.pointer(to)
            }
            (TyKind::Record(r), TyKind::Record(_)) => {
                if self.records[r].complete {
                    a
                } else {
                    b
                }
            }
            _ => a,
        }
    }
}
