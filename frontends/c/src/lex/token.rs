//! Tokens as the parser sees them, keywords, and interned names.

use super::literal::{CharLit, IntLit};
use super::raw::Raw;
use crate::source::Span;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

trellis_ivl::entities! {
    /// An interned spelling. Keywords come first, so that a symbol's number tells whether it is one.
    Symbol "sym";
    /// A string literal in the token buffer's table.
    StrId "str";
    /// A run of tokens set aside: the insides of attributes and asm.
    AsideId "aside";
}

/// What the parser reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tok {
    /// An identifier; always followed by `Variable` or `Type`.
    Name(Symbol),
    /// Zero width: the name before is not a typedef name.
    Variable,
    /// Zero width: the name before is a typedef name.
    Type,
    /// Integer constant.
    Int(IntLit),
    /// Floating constant, by its spelling.
    Float(Symbol),
    /// Character constant.
    Char(CharLit),
    /// String literal, adjacent ones joined.
    Str(StrId),
    /// One or more `__attribute__((...))` in a row.
    Attr(AsideId),
    /// `asm ... (...)`.
    Asm(AsideId),
    /// Punctuator.
    Punct(Raw),
    /// Keyword.
    Kw(Kw),
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What.
    pub tok: Tok,
    /// Where.
    pub span: Span,
}

macro_rules! keywords {
    ($($variant:ident: $($spelling:literal)|+;)*) => {
        /// Keywords; the GNU spellings with underscores mean the same.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Kw { $($variant),* }

        const KEYWORDS: &[(&str, Kw)] = &[$($(($spelling, Kw::$variant),)+)*];
    };
}

keywords! {
    Alignas: "_Alignas";
    Alignof: "_Alignof" | "__alignof" | "__alignof__";
    AsmKw: "asm" | "__asm" | "__asm__";
    Atomic: "_Atomic";
    AtomicOf: "_Atomic(";
    Attribute: "__attribute__" | "__attribute";
    Auto: "auto";
    AutoType: "__auto_type";
    Bitvector: "__CPROVER_bitvector";
    Bool: "_Bool";
    Break: "break";
    Case: "case";
    Char: "char";
    ChooseExpr: "__builtin_choose_expr";
    Complex: "_Complex" | "__complex__" | "__complex";
    Const: "const" | "__const" | "__const__";
    Continue: "continue";
    Default: "default";
    Do: "do";
    Double: "double";
    Else: "else";
    Enum: "enum";
    EnumOf: "enum:";
    Exists: "__CPROVER_exists";
    Extension: "__extension__";
    Extern: "extern";
    Float: "float";
    For: "for";
    Forall: "__CPROVER_forall";
    Generic: "_Generic";
    Goto: "goto";
    If: "if";
    Imag: "__imag__" | "__imag";
    Inline: "inline" | "__inline" | "__inline__";
    Int: "int";
    Int128: "__int128" | "__int128_t";
    Label: "__label__";
    Long: "long";
    Noreturn: "_Noreturn";
    Offsetof: "__builtin_offsetof";
    Real: "__real__" | "__real";
    Register: "register";
    Restrict: "restrict" | "__restrict" | "__restrict__";
    Return: "return";
    Short: "short";
    Signed: "signed" | "__signed" | "__signed__";
    Sizeof: "sizeof";
    Static: "static";
    StaticAssert: "_Static_assert";
    Struct: "struct";
    Switch: "switch";
    ThreadLocal: "_Thread_local" | "__thread";
    Typedef: "typedef";
    Typeof: "typeof" | "__typeof" | "__typeof__";
    TypesCompatible: "__builtin_types_compatible_p";
    Union: "union";
    Unsigned: "unsigned";
    VaArg: "__builtin_va_arg";
    Void: "void";
    Volatile: "volatile" | "__volatile" | "__volatile__";
    While: "while";
}

impl Kw {
    /// Its first spelling.
    pub fn text(self) -> &'static str {
        KEYWORDS
            .iter()
            .find(|(_, k)| *k == self)
            .map_or("", |(text, _)| text)
    }
}

/// Spellings to symbols and back.
#[derive(Debug)]
pub struct Interner {
    map: FxHashMap<Box<str>, Symbol>,
    list: Vec<Box<str>>,
}

impl Default for Interner {
    fn default() -> Self {
        let mut this = Interner {
            map: FxHashMap::default(),
            list: Vec::new(),
        };
        for (spelling, _) in KEYWORDS {
            this.intern(spelling);
        }
        this
    }
}

impl Interner {
    /// The symbol of a spelling.
    pub fn intern(&mut self, s: &str) -> Symbol {
        if let Some(sym) = self.map.get(s) {
            return *sym;
        }
        let sym = Symbol::new(self.list.len());
        self.list.push(s.into());
        self.map.insert(s.into(), sym);
        sym
    }

    /// The symbol of a spelling that has been seen.
    pub fn get(&self, s: &str) -> Option<Symbol> {
        self.map.get(s).copied()
    }

    /// The spelling of a symbol.
    pub fn text(&self, sym: Symbol) -> &str {
        &self.list[sym.index()]
    }

    /// The keyword that a symbol spells.
    pub fn keyword(&self, sym: Symbol) -> Option<Kw> {
        KEYWORDS.get(sym.index()).map(|(_, kw)| *kw)
    }

    /// Number of symbols.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Never: the keywords are always there.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
