//! Collecting declaration specifiers in the order written.

use super::state::State;
use crate::ast::{AlignAs, Attribute, BasicSpec, Expr, Quals, Specs, SpecsData, Storage, TypeSpec};
use crate::lex::token::Kw;
use crate::source::Span;

/// One specifier.
pub enum SpecItem {
    /// `typedef`
    Typedef,
    /// Storage class.
    Storage(Storage),
    /// `_Thread_local`
    ThreadLocal,
    /// `inline`
    Inline,
    /// `_Noreturn`
    Noreturn,
    /// Qualifiers.
    Quals(Quals),
    /// `_Alignas`
    AlignAs(AlignAs),
    /// Attributes.
    Attrs(Vec<Attribute>),
    /// A combinable type keyword.
    Basic(Kw),
    /// `__CPROVER_bitvector[N]`, which combines with a sign.
    Bits(Expr),
    /// A type specifier that stands alone.
    Type(TypeSpec),
}

/// Specifiers so far.
pub struct SpecsBuilder {
    data: Box<SpecsData>,
    /// The last item closed a struct, union or enum body, so attributes now belong to that type.
    after_body: bool,
    conflict: bool,
}

impl SpecsBuilder {
    /// The first specifier.
    pub fn new(item: SpecItem) -> Self {
        let data = Box::new(empty_specs(Span::default()));
        SpecsBuilder {
            data,
            after_body: false,
            conflict: false,
        }
        .with(item)
    }

    /// One more specifier.
    pub fn with(mut self, item: SpecItem) -> Self {
        let after_body = std::mem::take(&mut self.after_body);
        let d = &mut *self.data;
        match item {
            SpecItem::Typedef => d.typedef = true,
            SpecItem::Storage(storage) => self.conflict |= d.storage.replace(storage).is_some(),
            SpecItem::ThreadLocal => d.thread_local = true,
            SpecItem::Inline => d.inline = true,
            SpecItem::Noreturn => d.noreturn = true,
            SpecItem::Quals(q) => d.quals = d.quals.with(q),
            SpecItem::AlignAs(a) => d.alignas.push(a),
            SpecItem::Attrs(attrs) => match &mut d.ty {
                TypeSpec::Record(r) if after_body => r.attrs.extend(attrs),
                TypeSpec::Enum(e) if after_body => e.attrs.extend(attrs),
                _ => d.attrs.extend(attrs),
            },
            SpecItem::Basic(kw) => {
                if !matches!(d.ty, TypeSpec::Basic(_)) {
                    d.ty = TypeSpec::Basic(BasicSpec::default());
                }
                if let TypeSpec::Basic(basic) = &mut d.ty {
                    basic.add(kw);
                }
            }
            SpecItem::Bits(width) => {
                if !matches!(d.ty, TypeSpec::Basic(_)) {
                    d.ty = TypeSpec::Basic(BasicSpec::default());
                }
                if let TypeSpec::Basic(basic) = &mut d.ty {
                    basic.repeated |= basic.bits.replace(width).is_some();
                }
            }
            SpecItem::Type(ty) => {
                self.after_body = match &ty {
                    TypeSpec::Record(r) => r.members.is_some(),
                    TypeSpec::Enum(e) => e.constants.is_some(),
                    _ => false,
                };
                d.ty = ty;
            }
        }
        self
    }

    /// Enters the finished specifiers in the tree.
    pub fn finish(mut self, s: &State, lo: u32, hi: u32) -> Specs {
        self.data.span = Span::new(lo, hi);
        if self.conflict || (self.data.typedef && self.data.storage.is_some()) {
            s.error(
                self.data.span,
                "multiple storage classes in declaration specifiers",
            );
        }
        s.specs(*self.data)
    }
}

/// No specifier at all.
pub fn empty_specs(span: Span) -> SpecsData {
    SpecsData {
        typedef: false,
        storage: None,
        thread_local: false,
        inline: false,
        noreturn: false,
        quals: Quals::NONE,
        ty: TypeSpec::Missing,
        attrs: Vec::new(),
        alignas: Vec::new(),
        span,
    }
}

impl BasicSpec {
    fn add(&mut self, kw: Kw) {
        let flag = match kw {
            Kw::Char => &mut self.char,
            Kw::Short => &mut self.short,
            Kw::Int => &mut self.int,
            Kw::Float => &mut self.float,
            Kw::Double => &mut self.double,
            Kw::Signed => &mut self.signed,
            Kw::Unsigned => &mut self.unsigned,
            Kw::Complex => &mut self.complex,
            Kw::Int128 => &mut self.int128,
            _ => {
                self.longs += 1;
                self.repeated |= self.longs > 2;
                return;
            }
        };
        self.repeated |= std::mem::replace(flag, true);
    }
}
