//! C types: hash-consed, so that equal types are equal numbers.
//!
//! `layout` has sizes and offsets as gcc has them on x86, `convert` the promotions and conversions,
//! `display` the names in diagnostics.

pub mod convert;
pub mod display;
pub mod layout;

use crate::ast::Quals;
use crate::lex::token::Symbol;
use crate::source::Span;
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

/// Width of long and pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DataModel {
    /// 32-bit int, long and pointers (i386 System V).
    #[default]
    Ilp32,
    /// 64-bit long and pointers (x86-64 System V).
    Lp64,
}

impl DataModel {
    /// That of the machine this runs on.
    pub fn of_this_machine() -> DataModel {
        match cfg!(target_pointer_width = "64") {
            true => DataModel::Lp64,
            false => DataModel::Ilp32,
        }
    }

    /// The largest object that the memory model has room for, in bytes.
    pub fn largest_object(self) -> u64 {
        match self {
            DataModel::Ilp32 => (1 << 20) - 16,
            DataModel::Lp64 => 1 << 38,
        }
    }
}

trellis_ivl::entities! {
    /// A type.
    Ty "ty";
    /// A struct or union.
    RecordId "record";
    /// An enumeration.
    EnumId "enum";
}

/// A type with qualifiers and an alignment given by attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QualTy {
    /// The unqualified type.
    pub ty: Ty,
    /// Its qualifiers.
    pub quals: Quals,
    /// Alignment from `aligned`, in bytes; 0 when none.
    pub align: u32,
    /// Number of the reason why its objects are not modelled; 0 when they are.
    pub odd: u16,
}

impl From<Ty> for QualTy {
    fn from(ty: Ty) -> Self {
        QualTy {
            ty,
            quals: Quals::NONE,
            align: 0,
            odd: 0,
        }
    }
}

impl QualTy {
    /// With more qualifiers.
    pub fn with(self, quals: Quals) -> Self {
        QualTy {
            quals: self.quals.with(quals),
            ..self
        }
    }
}

/// Integer types apart from `_Bool` and enumerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    Int128,
    UInt128,
    /// The value of a bit-field wider than int but narrower than its type: gcc computes with it in
    /// exactly its width.
    Bits {
        width: u8,
        signed: bool,
    },
}

/// Floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FloatKind {
    Half,
    Float,
    Double,
    LongDouble,
    Float128,
}

/// Length of an array type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// Not given.
    Incomplete,
    /// Constant.
    Known(u64),
    /// Variable: the number of a size expression kept by sema.
    Vla(u32),
}

/// A function type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FnTy {
    /// What it returns.
    pub ret: QualTy,
    /// Parameter types, adjusted.
    pub params: Vec<QualTy>,
    /// `...`
    pub variadic: bool,
    /// False when the parameters are unspecified.
    pub prototype: bool,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TyKind {
    /// The type of what was diagnosed already.
    Error,
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Complex(FloatKind),
    Enum(EnumId),
    Pointer(QualTy),
    Array(QualTy, Length),
    Function(FnTy),
    Record(RecordId),
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct Field {
    /// None for unnamed bit-fields and anonymous members.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: QualTy,
    /// Offset in bits from the start of the record.
    pub bit_offset: u64,
    /// Width when it is a bit-field.
    pub width: Option<u32>,
    /// `packed` on the member.
    pub packed: bool,
    /// `aligned` on the member, in bytes; 0 when none. That of its type is the type's.
    pub align: u32,
    /// Where.
    pub span: Span,
}

impl Field {
    /// Offset in bytes of a member that is no bit-field.
    pub fn offset(&self) -> u64 {
        self.bit_offset / 8
    }
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// `union`
    pub union: bool,
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Its members, in order; empty while incomplete.
    pub fields: Vec<Field>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Whether the body has been seen.
    pub complete: bool,
    /// Where.
    pub span: Span,
    /// The translation unit.
    pub unit: u32,
    /// Number of the reason why its objects are not modelled; 0 when they are.
    pub odd: u16,
    /// What it is a vector of.
    pub vector: Option<Ty>,
    /// `transparent_union`
    pub transparent: bool,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// The integer type it is compatible with.
    pub repr: IntKind,
    /// Whether the body has been seen.
    pub complete: bool,
    /// The translation unit.
    pub unit: u32,
    /// Number of the reason why its objects are not modelled; 0 when they are.
    pub odd: u16,
    /// The values of its constants.
    pub values: Vec<i128>,
    /// What they are called, in the same order.
    pub names: Vec<Symbol>,
}

/// All types of a program.
#[derive(Debug)]
pub struct Types {
    /// The data model.
    pub model: DataModel,
    /// Whether float and double are computed in the format of long double (`FLT_EVAL_METHOD` 2).
    pub excess: bool,
    kinds: PrimaryMap<Ty, TyKind>,
    map: FxHashMap<TyKind, Ty>,
    /// Structs and unions.
    pub records: PrimaryMap<RecordId, Record>,
    /// Enumerations.
    pub enums: PrimaryMap<EnumId, Enum>,
    /// Why objects of types are not modelled, by number from 1.
    odd_reasons: Vec<String>,
    /// `<error>`
    pub error: Ty,
    /// `void`
    pub void: Ty,
    /// `_Bool`
    pub bool: Ty,
    /// `char`
    pub char: Ty,
    /// `int`
    pub int: Ty,
    /// `unsigned int`
    pub uint: Ty,
    /// `long`
    pub long: Ty,
    /// `unsigned long`
    pub ulong: Ty,
    /// `double`
    pub double: Ty,
    /// `char *`
    pub char_ptr: Ty,
    /// `void *`
    pub void_ptr: Ty,
    /// `__builtin_va_list`
    pub va_list: Ty,
}

impl Types {
    /// The basic types.
    pub fn new(model: DataModel) -> Self {
        let placeholder = Ty(0);
        let mut t = Types {
            model,
            excess: false,
            kinds: PrimaryMap::new(),
            map: FxHashMap::default(),
            records: PrimaryMap::new(),
            enums: PrimaryMap::new(),
            odd_reasons: Vec::new(),
            error: placeholder,
            void: placeholder,
            bool: placeholder,
            char: placeholder,
            int: placeholder,
            uint: placeholder,
            long: placeholder,
            ulong: placeholder,
            double: placeholder,
            char_ptr: placeholder,
            void_ptr: placeholder,
            va_list: placeholder,
        };
        t.error = t.intern(TyKind::Error);
        t.void = t.intern(TyKind::Void);
        t.bool = t.intern(TyKind::Bool);
        t.char = t.int_ty(IntKind::Char);
        t.int = t.int_ty(IntKind::Int);
        t.uint = t.int_ty(IntKind::UInt);
        t.long = t.int_ty(IntKind::Long);
        t.ulong = t.int_ty(IntKind::ULong);
        t.double = t.intern(TyKind::Float(FloatKind::Double));
        t.char_ptr = t.pointer(t.char.into());
        t.void_ptr = t.pointer(t.void.into());
        t.va_list = t.make_va_list();
        t
    }

    /// i386 has `char *`, x86-64 an array of one four-member struct.
    fn make_va_list(&mut self) -> Ty {
        if self.model == DataModel::Ilp32 {
            return self.char_ptr;
        }
        let field = |ty: Ty, offset: u64| Field {
            name: None,
            ty: ty.into(),
            bit_offset: offset * 8,
            width: None,
            packed: false,
            align: 0,
            span: Span::default(),
        };
        let fields = vec![
            field(self.uint, 0),
            field(self.uint, 4),
            field(self.void_ptr, 8),
            field(self.void_ptr, 16),
        ];
        let record = self.records.push(Record {
            union: false,
            tag: None,
            fields,
            size: 24,
            align: 8,
            complete: true,
            span: Span::default(),
            unit: u32::MAX,
            odd: 0,
            vector: None,
            transparent: false,
        });
        let record = self.intern(TyKind::Record(record));
        self.array(record.into(), Length::Known(1))
    }

    /// The number of a reason not to model objects of a type.
    pub fn odd(&mut self, reason: String) -> u16 {
        let at = self.odd_reasons.iter().position(|r| *r == reason);
        let at = at.unwrap_or_else(|| {
            self.odd_reasons.push(reason);
            self.odd_reasons.len() - 1
        });
        // More reasons than fit are all the last one.
        u16::try_from(at + 1).unwrap_or(u16::MAX)
    }

    /// Why objects of a type are not modelled.
    pub fn odd_of(&self, ty: QualTy) -> Option<&str> {
        let own = match self.kind(ty.ty) {
            TyKind::Record(r) => self.records[*r].odd,
            TyKind::Enum(e) => self.enums[*e].odd,
            TyKind::Array(elem, _) => return self.odd_of(*elem).or(self.odd_reason(ty.odd)),
            _ => 0,
        };
        self.odd_reason(ty.odd).or(self.odd_reason(own))
    }

    fn odd_reason(&self, number: u16) -> Option<&str> {
        let at = usize::from(number).checked_sub(1)?;
        self.odd_reasons.get(at).map(String::as_str)
    }

    /// The type of a kind.
    pub fn intern(&mut self, kind: TyKind) -> Ty {
        if let Some(ty) = self.map.get(&kind) {
            return *ty;
        }
        let ty = self.kinds.push(kind.clone());
        self.map.insert(kind, ty);
        ty
    }

    /// What a type is.
    pub fn kind(&self, ty: Ty) -> &TyKind {
        &self.kinds[ty]
    }

    /// All types made so far, each after those it consists of.
    pub fn all(&self) -> impl Iterator<Item = Ty> + use<> {
        self.kinds.keys()
    }

    /// An integer type.
    pub fn int_ty(&mut self, kind: IntKind) -> Ty {
        self.intern(TyKind::Int(kind))
    }

    /// A pointer type.
    pub fn pointer(&mut self, to: QualTy) -> Ty {
        self.intern(TyKind::Pointer(QualTy { align: 0, ..to }))
    }

    /// An array type.
    pub fn array(&mut self, elem: QualTy, len: Length) -> Ty {
        self.intern(TyKind::Array(elem, len))
    }

    /// `size_t`
    pub fn size_t(&mut self) -> Ty {
        match self.model {
            DataModel::Ilp32 => self.uint,
            DataModel::Lp64 => self.ulong,
        }
    }

    /// `ptrdiff_t`
    pub fn ptrdiff_t(&mut self) -> Ty {
        match self.model {
            DataModel::Ilp32 => self.int,
            DataModel::Lp64 => self.long,
        }
    }

    /// Width of a pointer in bits.
    pub fn pointer_bits(&self) -> u32 {
        match self.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: Ty) -> Option<QualTy> {
        match self.kind(ty) {
            TyKind::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The function type of a function or of a pointer to one.
    pub fn function_of(&self, ty: Ty) -> Option<&FnTy> {
        match self.kind(ty) {
            TyKind::Function(f) => Some(f),
            TyKind::Pointer(to) => match self.kind(to.ty) {
                TyKind::Function(f) => Some(f),
                _ => None,
            },
            _ => None,
        }
    }

    /// The record of a struct or union type.
    pub fn record_of(&self, ty: Ty) -> Option<RecordId> {
        match self.kind(ty) {
            TyKind::Record(r) => Some(*r),
            _ => None,
        }
    }

    /// The integer kind of an integer type; enumerations count as theirs.
    pub fn int_kind(&self, ty: Ty) -> Option<IntKind> {
        match self.kind(ty) {
            TyKind::Int(k) => Some(*k),
            TyKind::Enum(e) => Some(self.enums[*e].repr),
            _ => None,
        }
    }

    /// Integer types, `_Bool` and enumerations included.
    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(
            self.kind(ty),
            TyKind::Int(_) | TyKind::Bool | TyKind::Enum(_)
        )
    }

    /// Floating types, complex ones included.
    pub fn is_floating(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Float(_) | TyKind::Complex(_))
    }

    /// Integer or floating.
    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_floating(ty)
    }

    /// Pointer.
    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Pointer(_))
    }

    /// Arithmetic or pointer.
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    /// Struct or union.
    pub fn is_record(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Record(_))
    }

    /// Array.
    pub fn is_array(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Array(..))
    }

    /// Function.
    pub fn is_function(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Function(_))
    }

    /// Whether an integer type is signed; `_Bool` and pointers are not.
    pub fn is_signed(&self, ty: Ty) -> bool {
        self.int_kind(ty).is_some_and(IntKind::signed)
    }

    /// Whether the type has a size known now (a VLA has one at run time).
    pub fn is_complete(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Void | TyKind::Function(_) | TyKind::Error => false,
            TyKind::Record(r) => self.records[*r].complete,
            TyKind::Enum(e) => self.enums[*e].complete,
            TyKind::Array(elem, len) => *len != Length::Incomplete && self.is_complete(elem.ty),
            _ => true,
        }
    }

    /// Whether a type depends on a length known only at run time.
    pub fn is_variably_sized(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Array(_, Length::Vla(_)) => true,
            TyKind::Array(elem, _) => self.is_variably_sized(elem.ty),
            _ => false,
        }
    }

    /// Finds a member by name, through anonymous members: the path of member indices.
    pub fn find_field(&self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        let fields = &self.records[record].fields;
        if let Some(i) = fields.iter().position(|f| f.name == Some(name)) {
            return Some(vec![i as u32]);
        }
        fields
            .iter()
            .enumerate()
            .filter(|(_, f)| f.name.is_none() && f.width.is_none())
            .find_map(|(i, f)| {
                let inner = self.record_of(f.ty.ty)?;
                let mut path = self.find_field(inner, name)?;
                path.insert(0, i as u32);
                Some(path)
            })
    }
}
