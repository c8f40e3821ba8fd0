//! Structs, unions and enumerations.

use super::Sema;
use super::attribute::{of_declarator, unknown};
use super::scope::Entity;
use crate::ast::{self, AttrArg, Attribute, DeclKind, EnumSpec, RecordSpec};
use crate::source::Span;
use crate::types::layout::RecordAttrs;
use crate::types::{Enum, Field, IntKind, Length, QualTy, Record, RecordId, Ty, TyKind};
use rustc_hash::FxHashSet;

/// gcc's default for `aligned` without argument on x86.
const MAX_ALIGN: u32 = 16;

impl Sema<'_> {
    /// The alignment that attributes ask for; 0 when none.
    pub(super) fn attr_align(&mut self, attrs: &[Attribute]) -> u32 {
        let mut align = 0;
        for attr in attrs.iter().filter(|a| a.name == "aligned") {
            let wanted = match attr.arg {
                AttrArg::Expr(e) => self.constant(e).unwrap_or(0),
                _ => i128::from(MAX_ALIGN),
            };
            if wanted > 0 && wanted <= 1 << 28 && (wanted as u32).is_power_of_two() {
                align = align.max(wanted as u32);
            } else {
                self.error(
                    attr.span,
                    "requested alignment is not a positive power of 2",
                );
            }
        }
        align
    }

    pub(super) fn record_spec(&mut self, spec: &RecordSpec, alone: bool) -> Ty {
        let ty = self.record_tag(spec, alone);
        let Some(members) = &spec.members else {
            return ty;
        };
        let Some(id) = self.hir.types.record_of(ty) else {
            return ty;
        };
        if self.hir.types.records[id].complete {
            let what = self.type_name(ty);
            let first = self.hir.types.records[id].span;
            self.diags.error_with_note(
                spec.span,
                format!("redefinition of '{what}'"),
                (first, "originally defined here"),
            );
            return ty;
        }
        self.hir.types.records[id].span = spec.span;
        let mut fields = Vec::new();
        for member in members {
            self.member(*member, &mut fields);
        }
        if self.hir.types.records[id].complete {
            let what = self.type_name(ty);
            let inner = self.hir.types.records[id].span;
            self.diags.error_with_note(
                spec.span,
                format!("nested redefinition of '{what}'"),
                (inner, "defined here, inside of itself"),
            );
            return ty;
        }
        self.check_members(&mut fields, spec.union);
        self.mark_odd_record(id, &fields, &spec.attrs);
        let align = self.attr_align(&spec.attrs);
        let attrs = RecordAttrs {
            packed: spec.attrs.iter().any(|a| a.name == "packed"),
            align: (align > 0).then_some(u64::from(align)),
            pack: self.sources.pack_at(spec.close),
        };
        self.hir.types.lay_out(id, fields, attrs);
        ty
    }

    /// A record is as little known as its members and attributes.
    fn mark_odd_record(&mut self, id: RecordId, fields: &[Field], attrs: &[Attribute]) {
        let types = &self.hir.types;
        let member = fields.iter().find_map(|f| types.odd_of(f.ty));
        let variable = fields
            .iter()
            .any(|f| types.is_variably_sized(f.ty.ty))
            .then_some("a member of variable length");
        let reason = unknown(attrs).or(member.or(variable).map(str::to_owned));
        if let Some(reason) = reason {
            let odd = self.hir.types.odd(reason);
            self.hir.types.records[id].odd = odd;
        }
        if has_attr(attrs, "transparent_union") {
            self.hir.types.records[id].transparent = self.hir.types.records[id].union;
        }
    }

    /// `transparent_union` after a typedef name is about the union.
    pub(super) fn mark_transparent(&mut self, ty: QualTy, attrs: &[Attribute]) {
        if has_attr(attrs, "transparent_union")
            && let Some(r) = self.hir.types.record_of(ty.ty)
        {
            self.hir.types.records[r].transparent = self.hir.types.records[r].union;
        }
    }

    fn record_tag(&mut self, spec: &RecordSpec, alone: bool) -> Ty {
        let existing = spec.tag.and_then(|tag| {
            // A definition, or a declaration that stands alone, is about the innermost scope.
            if spec.members.is_some() || alone {
                self.scopes.lookup_tag_here(tag)
            } else {
                self.scopes.lookup_tag(tag)
            }
        });
        if let Some(ty) = existing {
            match self.hir.types.kind(ty) {
                TyKind::Record(r) if self.hir.types.records[*r].union == spec.union => return ty,
                _ => {
                    let text = spec.tag.map(|t| self.text(t)).unwrap_or_default();
                    self.error(spec.span, format!("'{text}' defined as wrong kind of tag"));
                }
            }
        }
        let record = self.hir.types.records.push(Record {
            union: spec.union,
            tag: spec.tag,
            fields: Vec::new(),
            size: 0,
            align: 1,
            complete: false,
            span: spec.span,
            unit: self.unit,
            odd: 0,
            vector: None,
            transparent: false,
        });
        let ty = self.hir.types.intern(TyKind::Record(record));
        if let Some(tag) = spec.tag {
            self.scopes.declare_tag(tag, ty);
        }
        ty
    }

    fn member(&mut self, decl: ast::Decl, fields: &mut Vec<Field>) {
        let node = &self.ast.decls[decl];
        let DeclKind::Group { specs, declarators } = &node.kind else {
            self.static_assert(decl);
            return;
        };
        let data = &self.ast.specs[*specs];
        if data.storage.is_some() || data.typedef {
            self.error(data.span, "storage class specified for structure field");
        }
        let base = self.specs_type(*specs, false);
        if declarators.is_empty() {
            // An anonymous struct or union member; a tagged one only declares the tag.
            let anonymous = match &data.ty {
                ast::TypeSpec::Record(r) => r.tag.is_none() && r.members.is_some(),
                _ => false,
            };
            if anonymous {
                let packed = data.attrs.iter().any(|a| a.name == "packed");
                let base = self.with_unknown(base, &data.attrs);
                fields.push(Field {
                    name: None,
                    ty: base,
                    bit_offset: 0,
                    width: None,
                    packed,
                    align: self.attr_align(&data.attrs),
                    span: node.span,
                });
            }
            return;
        }
        for (declarator, _) in declarators {
            let ty = self.declarator_type(base, declarator);
            let packed = has_attr(&data.attrs, "packed") || has_attr(&declarator.attrs, "packed");
            let mut align = self.attr_align(&data.attrs);
            align = align.max(self.attr_align(&declarator.attrs));
            if !data.alignas.is_empty() {
                align = align.max(ty.align);
            }
            let attrs = data.attrs.iter().chain(of_declarator(declarator));
            let ty = self.with_unknown(ty, attrs);
            let width = declarator
                .width
                .and_then(|w| self.bit_width(w, ty, declarator.name.is_some()));
            if self.hir.types.is_function(ty.ty) {
                self.error(declarator.span, "field declared as a function");
                continue;
            }
            fields.push(Field {
                name: declarator.name,
                ty,
                bit_offset: 0,
                width,
                packed,
                align,
                span: declarator.span,
            });
        }
    }

    fn bit_width(&mut self, width: ast::Expr, ty: QualTy, named: bool) -> Option<u32> {
        let span = self.span_of(width);
        if !self.hir.types.is_integer(ty.ty) {
            self.error(span, "bit-field has invalid type");
            return None;
        }
        let bits = i128::from(self.hir.types.value_bits(ty.ty).unwrap_or(0));
        match self.constant(width) {
            Some(w) if w < 0 => self.error(span, "negative width in bit-field"),
            Some(0) if named => self.error(span, "zero width for bit-field"),
            Some(w) if w > bits => self.error(span, "width of bit-field exceeds its type"),
            Some(w) => return Some(w as u32),
            None => self.error(span, "bit-field width not an integer constant"),
        }
        None
    }

    /// A member that cannot be one gets the type that stands for errors, so that no type contains itself.
    fn check_members(&mut self, fields: &mut [Field], union: bool) {
        let mut seen = FxHashSet::default();
        let count = fields.len();
        for (i, field) in fields.iter_mut().enumerate() {
            if let Some(name) = field.name
                && !seen.insert(name)
            {
                let text = self.text(name);
                self.error(field.span, format!("duplicate member '{text}'"));
            }
            let flexible = matches!(self.hir.types.kind(field.ty.ty), TyKind::Array(elem, Length::Incomplete)
                    if self.hir.types.is_complete(elem.ty));
            let last = i + 1 == count;
            if flexible && (last || union) {
                continue;
            }
            let error_type = field.ty.ty == self.hir.types.error;
            // GNU C; objects of such a type are not modelled.
            if self.hir.types.is_variably_sized(field.ty.ty) {
                continue;
            }
            if !self.hir.types.is_complete(field.ty.ty) && !error_type {
                let text = field.name.map(|n| self.text(n)).unwrap_or_default();
                let message = if flexible {
                    "flexible array member not at end of struct".to_owned()
                } else {
                    format!("field '{text}' has incomplete type")
                };
                self.error(field.span, message);
                field.ty.ty = self.hir.types.error;
            }
        }
    }

    pub(super) fn enum_spec(&mut self, spec: &EnumSpec) -> Ty {
        let Some(constants) = &spec.constants else {
            if let Some(ty) = spec.tag.and_then(|t| self.scopes.lookup_tag(t))
                && matches!(self.hir.types.kind(ty), TyKind::Enum(_))
            {
                return ty;
            }
            // A mention before the definition is taken as a forward declaration, as gcc does.
            return self.new_enum(spec, IntKind::UInt, false);
        };
        let forward = spec.tag.and_then(|t| self.scopes.lookup_tag_here(t));
        let ty = match forward.map(|ty| (ty, self.hir.types.kind(ty).clone())) {
            Some((ty, TyKind::Enum(e))) if !self.hir.types.enums[e].complete => ty,
            Some(_) => {
                let text = spec.tag.map(|t| self.text(t)).unwrap_or_default();
                self.error(spec.span, format!("redeclaration of 'enum {text}'"));
                self.new_enum(spec, IntKind::UInt, true)
            }
            None => self.new_enum(spec, IntKind::UInt, true),
        };
        let values = self.enum_values(constants);
        let packed = has_attr(&spec.attrs, "packed");
        let mut repr = enum_repr(&values, packed);
        let underlying = spec.underlying.map(|t| self.type_of_name(t));
        if let Some(ty) = underlying {
            match self.hir.types.int_kind(ty.ty) {
                Some(kind) => repr = kind,
                None => self.error(spec.span, "invalid underlying type of an enumeration"),
            }
        }
        let mut reason = unknown(constants.iter().flat_map(|c| &c.attrs).chain(&spec.attrs));
        if has_attr(&spec.attrs, "aligned") {
            reason = Some("attribute 'aligned' on an enumeration".to_owned());
        }
        let plain = self.hir.types.int_ty(repr);
        let with_mode = self.apply_mode(plain.into(), &spec.attrs);
        match self.hir.types.int_kind(with_mode.ty) {
            Some(kind) if with_mode.odd == 0 => repr = kind,
            _ => reason = Some("attribute 'mode' on an enumeration".to_owned()),
        }
        let odd = reason.map_or(0, |r| self.hir.types.odd(r));
        if let TyKind::Enum(e) = *self.hir.types.kind(ty) {
            self.hir.types.enums[e].repr = repr;
            self.hir.types.enums[e].odd = odd;
            self.hir.types.enums[e].complete = true;
            self.hir.types.enums[e].values.clone_from(&values);
            let names = constants.iter().map(|c| c.name);
            self.hir.types.enums[e].names = names.collect();
        }
        // Constants have type int when they fit (C11 6.7.2.2); gcc widens them otherwise.
        let int = self.hir.types.int;
        let wide = self.hir.types.int_ty(repr);
        for (constant, value) in constants.iter().zip(values) {
            let ty = match underlying {
                // C23 6.7.3.3: they have the type of the enumeration.
                Some(_) => ty,
                None if i32::try_from(value).is_ok() => int,
                None => wide,
            };
            self.scopes
                .declare(constant.name, Entity::Constant(value, ty), constant.span);
        }
        ty
    }

    fn new_enum(&mut self, spec: &EnumSpec, repr: IntKind, complete: bool) -> Ty {
        let id = self.hir.types.enums.push(Enum {
            tag: spec.tag,
            repr,
            complete,
            unit: self.unit,
            odd: 0,
            values: Vec::new(),
            names: Vec::new(),
        });
        let ty = self.hir.types.intern(TyKind::Enum(id));
        if let Some(tag) = spec.tag {
            self.scopes.declare_tag(tag, ty);
        }
        ty
    }

    fn enum_values(&mut self, constants: &[ast::Enumerator]) -> Vec<i128> {
        let int = self.hir.types.int;
        let mut next = 0i128;
        let mut values = Vec::new();
        for constant in constants {
            if let Some(value) = constant.value {
                let text = self.text(constant.name);
                next = self.constant(value).unwrap_or_else(|| {
                    let span = self.ast.exprs[value].span;
                    self.error(
                        span,
                        format!("enumerator value for '{text}' is not an integer constant"),
                    );
                    0
                });
            }
            if self.scopes.lookup_here(constant.name).is_some() {
                let text = self.text(constant.name);
                self.error(
                    constant.span,
                    format!("redeclaration of enumerator '{text}'"),
                );
            }
            // Later constants of the same enum may use it.
            self.scopes
                .declare(constant.name, Entity::Constant(next, int), constant.span);
            values.push(next);
            next += 1;
        }
        values
    }

    /// Walks to a member, by the path of indices.
    pub(super) fn follow(
        &mut self,
        mut base: crate::hir::Expr,
        path: &[u32],
        span: Span,
    ) -> crate::hir::Expr {
        for index in path {
            let from = self.hir.exprs[base].ty;
            let Some(record) = self.hir.types.record_of(from.ty) else {
                return self.error_expr(span);
            };
            let field = &self.hir.types.records[record].fields[*index as usize];
            let ty = QualTy {
                align: 0,
                ..field.ty.with(from.quals)
            };
            base = self.push_expr(
                crate::hir::ExprKind::Field {
                    base,
                    field: *index,
                },
                ty,
                span,
            );
        }
        base
    }
}

pub(super) fn has_attr(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|a| a.name == name)
}

fn enum_repr(values: &[i128], packed: bool) -> IntKind {
    let low = values.iter().copied().min().unwrap_or(0);
    let high = values.iter().copied().max().unwrap_or(0);
    let fits = |min: i128, max: i128| low >= min && high <= max;
    if packed {
        let small = [
            (IntKind::UChar, 0, 0xff),
            (IntKind::SChar, -0x80, 0x7f),
            (IntKind::UShort, 0, 0xffff),
            (IntKind::Short, -0x8000, 0x7fff),
        ];
        if let Some((kind, ..)) = small.into_iter().find(|(_, min, max)| fits(*min, *max)) {
            return kind;
        }
    }
    if fits(0, i128::from(u32::MAX)) {
        IntKind::UInt
    } else if fits(i128::from(i32::MIN), i128::from(i32::MAX)) {
        IntKind::Int
    } else if low >= 0 {
        IntKind::ULLong
    } else {
        IntKind::LLong
    }
}
