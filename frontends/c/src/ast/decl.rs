//! Declarations, specifiers, declarators.

use super::{Decl, Expr, Init, Specs, Stmt, TypeName};
use crate::lex::token::{AsideId, Symbol};
use crate::source::Span;

/// Type qualifiers as a bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Quals(pub u8);

impl Quals {
    /// No qualifier.
    pub const NONE: Quals = Quals(0);
    /// `const`
    pub const CONST: Quals = Quals(1);
    /// `volatile`
    pub const VOLATILE: Quals = Quals(2);
    /// `restrict`
    pub const RESTRICT: Quals = Quals(4);
    /// `_Atomic`
    pub const ATOMIC: Quals = Quals(8);

    /// Both sets together.
    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }

    /// Whether all of `other` are in.
    pub fn has(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Storage class, `typedef` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Storage {
    Extern,
    Static,
    Auto,
    Register,
}

/// The combinable type keywords, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct BasicSpec {
    pub signed: bool,
    pub unsigned: bool,
    pub short: bool,
    pub longs: u8,
    pub char: bool,
    pub int: bool,
    pub int128: bool,
    pub float: bool,
    pub double: bool,
    pub complex: bool,
    /// The width of CBMC's `__CPROVER_bitvector`.
    pub bits: Option<Expr>,
    /// A keyword was given twice, or more than two `long`.
    pub repeated: bool,
}

/// A type specifier.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum TypeSpec {
    /// None given: implicit int.
    Missing,
    Basic(BasicSpec),
    Void,
    Bool,
    Typedef(Symbol),
    /// `_Float16 _Complex` and the like: floating types that are names, not keywords.
    ComplexOf(Symbol),
    Record(RecordSpec),
    Enum(EnumSpec),
    TypeofExpr(Expr),
    TypeofType(TypeName),
    AutoType,
}

/// `struct` or `union`, a mention or a definition.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// `union` rather than `struct`.
    pub union: bool,
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Its members when this is the definition.
    pub members: Option<Vec<Decl>>,
    /// Attributes on the type.
    pub attrs: Vec<Attribute>,
    /// The keyword and tag.
    pub span: Span,
    /// Position of the closing brace, where `#pragma pack` is looked up.
    pub close: u32,
}

/// `enum`, a mention or a definition.
#[derive(Clone, Debug)]
pub struct EnumSpec {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// The type that C23 lets it name.
    pub underlying: Option<TypeName>,
    /// Its constants when this is the definition.
    pub constants: Option<Vec<Enumerator>>,
    /// Attributes on the type.
    pub attrs: Vec<Attribute>,
    /// The keyword and tag.
    pub span: Span,
}

/// One enumeration constant.
#[derive(Clone, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Symbol,
    /// Where.
    pub span: Span,
    /// Its value when given.
    pub value: Option<Expr>,
    /// Attributes on it.
    pub attrs: Vec<Attribute>,
}

/// An attribute that the front end knows an argument of, or its bare name.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Name without surrounding underscores.
    pub name: String,
    /// Where.
    pub span: Span,
    /// The first argument.
    pub arg: AttrArg,
}

/// The first argument of an attribute.
#[derive(Clone, Debug)]
pub enum AttrArg {
    /// None, or one that does not matter.
    None,
    /// A name, as in `mode(DI)`.
    Name(Symbol),
    /// An expression, as in `aligned(8)`.
    Expr(Expr),
    /// A string, as in `alias("f")`.
    Text(String),
}

/// `_Alignas`.
#[derive(Clone, Copy, Debug)]
pub enum AlignAs {
    /// `_Alignas(type)`
    Type(TypeName),
    /// `_Alignas(n)`
    Expr(Expr),
}

/// Declaration specifiers.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct SpecsData {
    pub typedef: bool,
    pub storage: Option<Storage>,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub quals: Quals,
    pub ty: TypeSpec,
    pub attrs: Vec<Attribute>,
    pub alignas: Vec<AlignAs>,
    pub span: Span,
}

/// A type name.
#[derive(Clone, Debug)]
pub struct TypeNameData {
    /// Its specifiers.
    pub specs: Specs,
    /// Its abstract declarator.
    pub declarator: Declarator,
}

/// The length in an array declarator.
#[derive(Clone, Copy, Debug)]
pub enum ArrayLen {
    /// `[]`
    Missing,
    /// `[*]`
    Star,
    /// `[n]`
    Expr(Expr),
}

/// One derivation step, seen from the name outward.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Chunk {
    Pointer {
        quals: Quals,
        attrs: Vec<Attribute>,
    },
    Array {
        len: ArrayLen,
        quals: Quals,
    },
    Function {
        params: Params,
        scope: Vec<(Symbol, bool)>,
    },
}

/// Parameters of a function declarator.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Params {
    Prototype {
        params: Vec<Param>,
        variadic: bool,
    },
    /// Old style; empty means unspecified.
    Names(Vec<(Symbol, Span)>),
}

/// One parameter of a prototype.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Param {
    pub specs: Specs,
    pub declarator: Declarator,
    pub span: Span,
}

/// A declarator: the name and how its type derives from the specifiers.
#[derive(Clone, Debug, Default)]
pub struct Declarator {
    /// The name; none in abstract declarators and unnamed bit-fields.
    pub name: Option<Symbol>,
    /// Where the name is, or where it would be.
    pub span: Span,
    /// Derivations from the name outward.
    pub chunks: Vec<Chunk>,
    /// Attributes before or after it.
    pub attrs: Vec<Attribute>,
    /// `asm("name")`
    pub asm_label: Option<String>,
    /// Width of a bit-field.
    pub width: Option<Expr>,
}

/// What a declaration is.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum DeclKind {
    /// Ordinary declarations, typedefs and struct members.
    Group {
        specs: Specs,
        declarators: Vec<(Declarator, Option<Init>)>,
    },
    Function {
        specs: Specs,
        declarator: Declarator,
        knr: Vec<Decl>,
        body: Stmt,
    },
    StaticAssert {
        cond: Expr,
        message: Option<crate::lex::token::StrId>,
    },
    Asm(AsideId),
    Empty,
}
