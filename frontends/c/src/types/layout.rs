//! Sizes, alignments and member offsets as gcc lays them out for System V i386 and x86-64.
//!
//! Bit-fields follow gcc's `place_field` with PCC_BITFIELD_TYPE_MATTERS: a bit-field may not span more
//! units of its type's alignment than the type has, unless packed or under `#pragma pack`; a named one
//! raises the record's alignment to that of its type; a zero-width one aligns what follows.

use super::{DataModel, Field, FloatKind, IntKind, Length, QualTy, RecordId, Ty, TyKind, Types};

/// What attributes and pragmas say about a record.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordAttrs {
    /// `packed`
    pub packed: bool,
    /// `aligned(n)`
    pub align: Option<u64>,
    /// `#pragma pack(n)`
    pub pack: Option<u8>,
}

fn round_up(value: u64, to: u64) -> u64 {
    value.div_ceil(to.max(1)) * to.max(1)
}

impl Types {
    /// Size in bytes; `None` for incomplete, function and variable-length types. `void` and functions
    /// have size 1 in GNU C, which callers that want it add.
    pub fn size_of(&self, ty: Ty) -> Option<u64> {
        Some(match self.kind(ty) {
            TyKind::Error | TyKind::Void | TyKind::Function(_) => return None,
            TyKind::Bool => 1,
            TyKind::Int(IntKind::Bits { .. }) => 8,
            TyKind::Int(k) => u64::from(k.bits(self.model) / 8),
            TyKind::Enum(e) => u64::from(self.enums[*e].repr.bits(self.model) / 8),
            TyKind::Float(k) => self.float_size(*k),
            TyKind::Complex(k) => 2 * self.float_size(*k),
            TyKind::Pointer(_) => u64::from(self.pointer_bits() / 8),
            TyKind::Array(elem, Length::Known(n)) => self.size_of(elem.ty)?.checked_mul(*n)?,
            TyKind::Array(..) => return None,
            TyKind::Record(r) if self.records[*r].complete => self.records[*r].size,
            TyKind::Record(_) => return None,
        })
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match kind {
            FloatKind::Half => 2,
            FloatKind::Float => 4,
            FloatKind::Double => 8,
            FloatKind::LongDouble if self.model == DataModel::Ilp32 => 12,
            FloatKind::LongDouble | FloatKind::Float128 => 16,
        }
    }

    /// Alignment as `__alignof__` gives it (`field` false) or as a member has it (`field` true): on
    /// i386, long long and double are aligned to 8 alone and to 4 in records.
    pub fn align_of(&self, ty: QualTy, field: bool) -> u64 {
        if ty.align > 0 {
            return u64::from(ty.align);
        }
        let cap = |n: u64| {
            if field && self.model == DataModel::Ilp32 {
                n.min(4)
            } else {
                n
            }
        };
        match self.kind(ty.ty) {
            TyKind::Error | TyKind::Void | TyKind::Bool | TyKind::Function(_) => 1,
            TyKind::Int(_) | TyKind::Enum(_) => cap(self.size_of(ty.ty).unwrap_or(1)),
            TyKind::Float(k) | TyKind::Complex(k) => match (k, self.model) {
                (FloatKind::LongDouble, DataModel::Ilp32) => 4,
                (FloatKind::Float128, _) => 16,
                _ => cap(self.float_size(*k)),
            },
            TyKind::Pointer(_) => u64::from(self.pointer_bits() / 8),
            TyKind::Array(elem, _) => self.align_of(*elem, field),
            TyKind::Record(r) => self.records[*r].align.max(1),
        }
    }

    /// Lays out a record and completes it.
    pub fn lay_out(&mut self, id: RecordId, mut fields: Vec<Field>, attrs: RecordAttrs) {
        let union = self.records[id].union;
        let mut bits = 0u64;
        let mut size = 0u64;
        let mut align = 1u64;
        for field in &mut fields {
            let start = if union { 0 } else { bits };
            let end = self.place(field, start, &mut align, attrs);
            bits = end;
            size = size.max(end);
        }
        let align = align.max(attrs.align.unwrap_or(1));
        let record = &mut self.records[id];
        record.fields = fields;
        record.align = align;
        record.size = round_up(size.div_ceil(8), align);
        record.complete = true;
    }

    /// Places one member at or after bit `at`; the first free bit after it.
    fn place(&self, field: &mut Field, at: u64, align: &mut u64, attrs: RecordAttrs) -> u64 {
        let packed = attrs.packed || field.packed;
        // A typedef may lessen the alignment; an attribute on the member only adds to it.
        let own = u64::from(field.align);
        let natural = match field.width {
            Some(_) => self.align_of(field.ty.ty.into(), true),
            None if own > 0 => self.align_of(field.ty.ty.into(), true),
            None => self.align_of(field.ty, true),
        };
        let pack = attrs.pack.map(u64::from);
        if let Some(width) = field.width {
            let unit = if packed { 1 } else { natural };
            let unit = pack.map_or(unit, |p| natural.min(p)).max(own);
            if width == 0 {
                field.bit_offset = round_up(at, natural * 8);
                return field.bit_offset;
            }
            let mut start = at;
            if own > 0 {
                start = round_up(start, unit * 8);
            } else if !packed && pack.is_none() {
                let span = (start % (natural * 8) + u64::from(width)).div_ceil(natural * 8);
                if span > self.size_of(field.ty.ty).unwrap_or(1) / natural {
                    start = round_up(start, natural * 8);
                }
            }
            if field.name.is_some() {
                *align = (*align).max(unit);
            }
            field.bit_offset = start;
            return start + u64::from(width);
        }
        let unit = if packed { 1 } else { natural }.max(own);
        let unit = pack.map_or(unit, |p| unit.min(p));
        *align = (*align).max(unit);
        field.bit_offset = round_up(at, unit * 8);
        // A flexible array member takes no room.
        field.bit_offset + self.size_of(field.ty.ty).unwrap_or(0) * 8
    }
}
