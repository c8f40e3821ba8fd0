//! Specifiers and declarators to types.

use super::Sema;
use super::attribute::of_declarator;
use super::scope::Entity;
use crate::ast::{self, ArrayLen, AttrArg, Attribute, Chunk, Declarator, Params, Quals, TypeSpec};
use crate::hir;
use crate::lex::token::Symbol;
use crate::source::Span;
use crate::types::{FloatKind, FnTy, IntKind, Length, QualTy, TyKind};

impl Sema<'_> {
    pub(super) fn builtin_type(&mut self, name: &str) -> QualTy {
        let kind = match name {
            "__builtin_va_list" => return self.hir.types.va_list.into(),
            "__CPROVER_bool" => return self.hir.types.bool.into(),
            "__CPROVER_size_t" => return self.hir.types.size_t().into(),
            "__CPROVER_ssize_t" => return self.hir.types.ptrdiff_t().into(),
            "_Float16" => FloatKind::Half,
            "_Float32" => FloatKind::Float,
            "_Float64" | "_Float32x" => FloatKind::Double,
            "_Float64x" | "__float80" => FloatKind::LongDouble,
            _ => FloatKind::Float128,
        };
        self.hir.types.intern(TyKind::Float(kind)).into()
    }

    // Specifiers.

    /// `_Complex` behind the name of a floating type.
    fn complex_of(&mut self, name: Symbol, span: Span) -> QualTy {
        let named = self.scopes.lookup(name).map(|b| b.entity);
        if let Some(Entity::Typedef(ty)) = named
            && let TyKind::Float(kind) = *self.hir.types.kind(ty.ty)
        {
            return self.hir.types.intern(TyKind::Complex(kind)).into();
        }
        self.error(span, "two or more data types in declaration specifiers");
        self.hir.types.error.into()
    }

    /// The type that specifiers name. `alone`: no declarator follows.
    pub(super) fn specs_type(&mut self, specs: ast::Specs, alone: bool) -> QualTy {
        let data = &self.ast.specs[specs];
        let base: QualTy = match &data.ty {
            TypeSpec::Missing => self.hir.types.int.into(),
            TypeSpec::Void => self.hir.types.void.into(),
            TypeSpec::Bool => self.hir.types.bool.into(),
            TypeSpec::Basic(basic) if let Some(width) = basic.bits => {
                self.bitvector(width, !basic.unsigned, data.span)
            }
            TypeSpec::Basic(basic) => match basic_type(basic) {
                Some(kind) => self.hir.types.intern(kind).into(),
                None => {
                    self.error(
                        data.span,
                        "two or more data types in declaration specifiers",
                    );
                    self.hir.types.error.into()
                }
            },
            TypeSpec::Typedef(name) => match self.scopes.lookup(*name).map(|b| b.entity) {
                Some(Entity::Typedef(ty)) => ty,
                _ => {
                    let text = self.text(*name);
                    self.error(data.span, format!("unknown type name '{text}'"));
                    self.hir.types.error.into()
                }
            },
            TypeSpec::ComplexOf(name) => self.complex_of(*name, data.span),
            TypeSpec::Record(spec) => self.record_spec(spec, alone).into(),
            TypeSpec::Enum(spec) => self.enum_spec(spec).into(),
            TypeSpec::TypeofExpr(e) => {
                let e = self.expr(*e);
                self.hir.exprs[e].ty
            }
            TypeSpec::TypeofType(t) => self.type_of_name(*t),
            // Replaced by the initialiser's type where it is declared.
            TypeSpec::AutoType => self.hir.types.error.into(),
        };
        let base = self.apply_vector(base, &data.attrs);
        let mut ty = self.apply_mode(base.with(data.quals), &data.attrs);
        ty.align = ty.align.max(self.attr_align(&data.attrs));
        for alignas in &data.alignas {
            let wanted = match alignas {
                ast::AlignAs::Type(t) => {
                    let t = self.type_of_name(*t);
                    self.hir.types.align_of(t, false) as u32
                }
                ast::AlignAs::Expr(e) => self
                    .constant(*e)
                    .and_then(|v| u32::try_from(v).ok())
                    .unwrap_or(0),
            };
            if wanted != 0 && !wanted.is_power_of_two() {
                self.error(
                    data.span,
                    "requested alignment is not a positive power of 2",
                );
            } else {
                ty.align = ty.align.max(wanted);
            }
        }
        ty
    }

    /// CBMC's bit vectors, of the widths that C has types for.
    fn bitvector(&mut self, width: ast::Expr, signed: bool, span: Span) -> QualTy {
        let kind = match self.constant(width) {
            Some(1) if !signed => return self.hir.types.bool.into(),
            Some(8) => IntKind::SChar,
            Some(16) => IntKind::Short,
            Some(32) => IntKind::Int,
            Some(64) => IntKind::LLong,
            Some(128) => IntKind::Int128,
            _ => {
                self.error(span, "bit vectors of this width are not supported");
                return self.hir.types.error.into();
            }
        };
        let kind = if signed { kind } else { kind.to_unsigned() };
        self.hir.types.int_ty(kind).into()
    }

    /// `__attribute__((mode(X)))` replaces the width.
    pub(super) fn apply_mode(&mut self, ty: QualTy, attrs: &[Attribute]) -> QualTy {
        let mut ty = ty;
        for attr in attrs {
            let AttrArg::Name(mode) = attr.arg else {
                continue;
            };
            if attr.name != "mode" {
                continue;
            }
            if !self.hir.types.is_arithmetic(ty.ty) {
                ty.odd = self.hir.types.odd("attribute 'mode'".to_owned());
                continue;
            }
            let signed = self.hir.types.is_signed(ty.ty);
            let pick = |s: IntKind| if signed { s } else { s.to_unsigned() };
            let mode = self.text(mode);
            let kind = match mode.trim_matches('_') {
                "QI" | "byte" => TyKind::Int(pick(IntKind::SChar)),
                "HI" => TyKind::Int(pick(IntKind::Short)),
                "SI" => TyKind::Int(pick(IntKind::Int)),
                "DI" => TyKind::Int(pick(if self.hir.types.pointer_bits() == 64 {
                    IntKind::Long
                } else {
                    IntKind::LLong
                })),
                "TI" => TyKind::Int(pick(IntKind::Int128)),
                "word" | "pointer" => TyKind::Int(pick(IntKind::Long)),
                "SF" => TyKind::Float(FloatKind::Float),
                "DF" => TyKind::Float(FloatKind::Double),
                "XF" => TyKind::Float(FloatKind::LongDouble),
                "TF" => TyKind::Float(FloatKind::Float128),
                "TC" => TyKind::Complex(FloatKind::Float128),
                other => {
                    let reason = format!("attribute 'mode' {other}");
                    ty.odd = self.hir.types.odd(reason);
                    continue;
                }
            };
            ty.ty = self.hir.types.intern(kind);
        }
        ty
    }

    pub(super) fn type_of_name(&mut self, name: ast::TypeName) -> QualTy {
        let data = &self.ast.type_names[name];
        let base = self.specs_type(data.specs, false);
        let ty = self.declarator_type(base, &data.declarator);
        let specs = self.ast.specs[data.specs].attrs.iter();
        self.with_unknown(ty, specs.chain(of_declarator(&data.declarator)))
    }

    // Declarators.

    /// The type of a declarator over a base type.
    pub(super) fn declarator_type(&mut self, base: QualTy, d: &Declarator) -> QualTy {
        let mut ty = self.apply_vector(base, &d.attrs);
        for chunk in d.chunks.iter().rev() {
            if ty.ty == self.hir.types.error {
                return ty;
            }
            ty = match chunk {
                Chunk::Pointer { quals, attrs } => {
                    let pointer = self.hir.types.pointer(ty);
                    let mut q: QualTy = pointer.into();
                    q.align = self.attr_align(attrs);
                    self.apply_mode(q.with(*quals), attrs)
                }
                Chunk::Array { len, .. } => self.array_type(ty, *len, d.span),
                Chunk::Function { params, .. } => self.function_type(ty, params, d.span),
            };
        }
        self.apply_mode(ty, &d.attrs)
    }

    fn array_type(&mut self, elem: QualTy, len: ArrayLen, span: Span) -> QualTy {
        let incomplete_array = matches!(
            self.hir.types.kind(elem.ty),
            TyKind::Array(_, Length::Incomplete)
        );
        if self.hir.types.is_function(elem.ty) {
            self.error(span, "declaration of array of functions");
            return self.hir.types.error.into();
        }
        if elem.ty == self.hir.types.void || (incomplete_array && !matches!(len, ArrayLen::Star)) {
            self.error(span, "array type has incomplete element type");
            return self.hir.types.error.into();
        }
        let len = match len {
            ArrayLen::Missing => Length::Incomplete,
            ArrayLen::Star => Length::Incomplete,
            ArrayLen::Expr(e) => self.array_length(e),
        };
        // An array is aligned as its elements are, where an attribute lessens that.
        let natural = self.hir.types.align_of(elem.ty.into(), false);
        let less = u64::from(elem.align) < natural;
        let elem = QualTy {
            align: if less { elem.align } else { 0 },
            ..elem
        };
        self.hir.types.array(elem, len).into()
    }

    fn array_length(&mut self, e: ast::Expr) -> Length {
        let span = self.span_of(e);
        let value = self.rvalue(e);
        if self.is_error(value) {
            return Length::Known(1);
        }
        if !self.hir.types.is_integer(self.hir.ty(value)) {
            self.error(span, "size of array has non-integer type");
            return Length::Known(1);
        }
        match self.eval_int(value) {
            Some(n) if n < 0 => {
                self.error(span, "size of array is negative");
                Length::Known(1)
            }
            Some(n) => Length::Known(u64::try_from(n).unwrap_or(u64::MAX)),
            None if self.function.is_some() || self.scopes.depth() > 0 => {
                let size = self.hir.types.size_t();
                let value = self.convert(value, size);
                self.hir.vlas.push(value);
                let id = self.hir.vlas.len() as u32 - 1;
                self.pending_vlas.push(id);
                Length::Vla(id)
            }
            None => {
                self.error(span, "variably modified array at file scope");
                Length::Known(1)
            }
        }
    }

    fn function_type(&mut self, ret: QualTy, params: &Params, span: Span) -> QualTy {
        if self.hir.types.is_function(ret.ty) || self.hir.types.is_array(ret.ty) {
            let what = if self.hir.types.is_array(ret.ty) {
                "an array"
            } else {
                "a function"
            };
            self.error(span, format!("function declared as returning {what}"));
            return self.hir.types.error.into();
        }
        let ret = QualTy {
            align: 0,
            quals: Quals::NONE,
            ..ret
        };
        let f = match params {
            Params::Names(_) => FnTy {
                ret,
                params: Vec::new(),
                variadic: false,
                prototype: false,
            },
            Params::Prototype { params, variadic } => {
                self.scopes.open();
                let list = params
                    .iter()
                    .map(|p| (p, self.param_type(p)))
                    .collect::<Vec<_>>();
                self.scopes.close();
                let is_void = |ty: QualTy| ty.ty == self.hir.types.void;
                let params = match list.as_slice() {
                    [(p, ty)] if is_void(*ty) && p.declarator.name.is_none() => Vec::new(),
                    list => {
                        if let Some((p, _)) = list.iter().find(|(_, ty)| is_void(*ty)) {
                            self.diags
                                .error(p.span, "parameter has incomplete type 'void'");
                        }
                        list.iter().map(|(_, ty)| *ty).collect()
                    }
                };
                FnTy {
                    ret,
                    params,
                    variadic: *variadic,
                    prototype: true,
                }
            }
        };
        self.hir.types.intern(TyKind::Function(f)).into()
    }

    /// A parameter's adjusted type; its name is entered so that later parameters may use it.
    pub(super) fn param_type(&mut self, p: &ast::Param) -> QualTy {
        let base = self.specs_type(p.specs, false);
        let ty = self.declarator_type(base, &p.declarator);
        let ty = self.adjust_param(ty);
        if let Some(name) = p.declarator.name {
            let var = self.new_var(name, ty, hir::Storage::Param, p.declarator.span);
            self.scopes
                .declare(name, Entity::Var(var), p.declarator.span);
        }
        QualTy {
            align: 0,
            quals: Quals::NONE,
            ..ty
        }
    }

    pub(super) fn adjust_param(&mut self, ty: QualTy) -> QualTy {
        match self.hir.types.kind(ty.ty).clone() {
            TyKind::Array(elem, _) => {
                let p: QualTy = self.hir.types.pointer(elem.with(ty.quals)).into();
                p
            }
            TyKind::Function(_) => self.hir.types.pointer(ty).into(),
            _ => ty,
        }
    }
}

fn basic_type(b: &ast::BasicSpec) -> Option<TyKind> {
    if b.repeated || (b.signed && b.unsigned) {
        return None;
    }
    let sign = b.signed || b.unsigned;
    let pick = |s: IntKind| if b.unsigned { s.to_unsigned() } else { s };
    let float = |k: FloatKind| {
        Some(if b.complex {
            TyKind::Complex(k)
        } else {
            TyKind::Float(k)
        })
    };
    let int = b.int && !b.int128;
    let words = [b.char, int, b.float, b.double, b.int128]
        .iter()
        .filter(|x| **x)
        .count();
    if words > 1 {
        return None;
    }
    if b.float {
        return if sign || b.short || b.longs > 0 {
            None
        } else {
            float(FloatKind::Float)
        };
    }
    if b.double {
        return match (sign || b.short, b.longs) {
            (false, 0) => float(FloatKind::Double),
            (false, 1) => float(FloatKind::LongDouble),
            _ => None,
        };
    }
    if b.complex {
        return if words == 0 && !sign && !b.short && b.longs == 0 {
            float(FloatKind::Double)
        } else {
            None
        };
    }
    if b.char {
        return match (b.signed, b.unsigned, b.short || b.longs > 0) {
            (_, _, true) => None,
            (true, ..) => Some(TyKind::Int(IntKind::SChar)),
            (_, true, _) => Some(TyKind::Int(IntKind::UChar)),
            _ => Some(TyKind::Int(IntKind::Char)),
        };
    }
    if b.int128 {
        return if b.short || b.longs > 0 {
            None
        } else {
            Some(TyKind::Int(pick(IntKind::Int128)))
        };
    }
    Some(TyKind::Int(pick(match (b.short, b.longs) {
        (true, 0) => IntKind::Short,
        (true, _) => return None,
        (_, 0) => IntKind::Int,
        (_, 1) => IntKind::Long,
        _ => IntKind::LLong,
    })))
}
