//! Expressions: names, literals, members, addresses, sizes.

use super::Sema;
use super::attribute::VECTOR;
use super::scope::Entity;
use crate::ast::{self, ExprKind as A, UnOp as AstUnOp};
use crate::hir::{self, ExprKind as H, UnOp};
use crate::lex::literal::{Encoding, IntLit};
use crate::lex::token::{StrId, Symbol};
use crate::library::CPROVER_ROUNDING;
use crate::source::Span;
use crate::types::{IntKind, Length, QualTy, Ty, TyKind};

impl Sema<'_> {
    /// An expression as it stands: an lvalue, a function designator or a value.
    pub(super) fn expr(&mut self, e: ast::Expr) -> hir::Expr {
        let span = self.span_of(e);
        let result = if self.enter(span) {
            self.expr_inner(e, span)
        } else {
            self.error_expr(span)
        };
        self.leave();
        result
    }

    /// The value of an expression: lvalues are loaded, arrays and functions become pointers.
    pub(super) fn rvalue(&mut self, e: ast::Expr) -> hir::Expr {
        let e = self.expr(e);
        self.load(e)
    }

    /// An expression evaluated for its effects; a struct lvalue is not loaded.
    pub(super) fn discarded(&mut self, e: ast::Expr) -> hir::Expr {
        self.expr(e)
    }

    pub(super) fn load(&mut self, e: hir::Expr) -> hir::Expr {
        let data = &self.hir.exprs[e];
        let (ty, span) = (data.ty, data.span);
        match (self.hir.types.kind(ty.ty).clone(), &data.kind) {
            (TyKind::Error, _) => e,
            (TyKind::Function(_), H::FuncRef(f)) => {
                let f = *f;
                self.hir.funcs[f].address_taken = true;
                let pointer = self.hir.types.pointer(ty);
                self.push_expr(H::FuncAddr(f), pointer, span)
            }
            (TyKind::Function(_), H::Deref(p)) => *p,
            (TyKind::Array(elem, _), _) => {
                let pointer = self.hir.types.pointer(elem.with(ty.quals));
                self.push_expr(H::Decay(e), pointer, span)
            }
            _ if self.hir.is_lvalue(e) => {
                if ty.ty != self.hir.types.void && !self.hir.types.is_complete(ty.ty) {
                    let name = self.type_name(ty.ty);
                    self.error(span, format!("invalid use of incomplete type '{name}'"));
                    return self.error_expr(span);
                }
                let value = self.push_expr(H::Load(e), ty.ty, span);
                self.field_value(value, e)
            }
            _ => e,
        }
    }

    fn expr_inner(&mut self, e: ast::Expr, span: Span) -> hir::Expr {
        let ast = self.ast;
        match &ast.exprs[e].kind {
            A::Ident(name) => self.identifier(*name, span),
            A::Int(lit) => self.int_literal(*lit, span),
            A::Float(text) => self.float_literal(*text, span),
            A::Char(c) => {
                let ty = match c.encoding {
                    Encoding::Narrow | Encoding::Wide => self.hir.types.int,
                    Encoding::Utf16 => self.hir.types.int_ty(IntKind::UShort),
                    Encoding::Utf32 => self.hir.types.uint,
                };
                let value = self.hir.types.wrap(i128::from(c.value), ty);
                self.int_expr(value, ty, span)
            }
            A::Str(id) => self.string(*id, span),
            A::Generic { control, arms } => self.generic(*control, arms, span),
            A::StmtExpr(body) => self.stmt_expr(*body, span),
            A::Index(a, i) => self.index(*a, *i, span),
            A::Call(f, args) => self.call(*f, args, span),
            A::Member {
                base,
                field,
                field_span,
                arrow,
            } => self.member_access(*base, *field, *field_span, *arrow, span),
            A::IncDec {
                increment,
                postfix,
                operand,
            } => self.inc_dec(*increment, *postfix, *operand, span),
            A::CompoundLit(ty, init) => self.compound_literal(*ty, *init, span),
            A::Unary(op, operand) => self.unary(*op, *operand, span),
            A::LabelAddr(name) => {
                let label = self.label(*name, span, false);
                self.hir.labels[label].address_taken = true;
                let ty = self.hir.types.void_ptr;
                self.push_expr(H::LabelAddr(label), ty, span)
            }
            A::SizeofExpr(source) => {
                // Lengths in an operand that is not evaluated are not either.
                let outer = std::mem::take(&mut self.pending_vlas);
                let operand = self.expr(*source);
                let inner = std::mem::replace(&mut self.pending_vlas, outer);
                if self.hir.bit_width(operand).is_some() {
                    self.error(span, "'sizeof' applied to a bit-field");
                }
                // The conversion to what the value is promoted to is no part of the operand.
                let assigned = match (&self.ast.exprs[*source].kind, &self.hir.exprs[operand].kind)
                {
                    (A::Cast(..), _) => operand,
                    (_, H::Cast(inner)) => *inner,
                    _ => operand,
                };
                // What is assigned to a bit-field has for gcc a type of just that width.
                if let H::Assign(place, _)
                | H::AssignOp { lhs: place, .. }
                | H::IncDec { lhs: place, .. } = self.hir.exprs[assigned].kind
                    && let Some(width) = self.hir.bit_width(place)
                {
                    let bytes = width.div_ceil(8).next_power_of_two();
                    let ty = self.hir.types.size_t();
                    return self.int_expr(bytes.into(), ty, span);
                }
                let ty = self.hir.exprs[operand].ty;
                self.size_with_lengths(ty, inner, span)
            }
            A::SizeofType(name) => {
                let outer = std::mem::take(&mut self.pending_vlas);
                let ty = self.type_of_name(*name);
                let inner = std::mem::replace(&mut self.pending_vlas, outer);
                self.size_with_lengths(ty, inner, span)
            }
            A::AlignofExpr(operand) => {
                let operand = self.expr(*operand);
                let mut ty = self.hir.exprs[operand].ty;
                if let H::Var(v) = self.hir.exprs[operand].kind {
                    ty.align = ty.align.max(self.hir.vars[v].ty.align);
                }
                self.align_of(ty, span)
            }
            A::AlignofType(name) => {
                let ty = self.type_of_name(*name);
                self.align_of(ty, span)
            }
            A::Cast(ty, operand) => {
                let ty = self.type_of_name(*ty);
                let operand = self.rvalue(*operand);
                self.explicit_cast(operand, ty.ty, span)
            }
            A::Binary(op, a, b) => self.binary_expr(*op, *a, *b, span),
            A::Cond(c, a, b) => self.conditional(*c, *a, *b, span),
            A::Assign(op, lhs, rhs) => self.assignment(*op, *lhs, *rhs, span),
            A::Comma(a, b) => {
                let a = self.discarded(*a);
                let b = self.rvalue(*b);
                let ty = self.hir.ty(b);
                self.push_expr(H::Comma(a, b), ty, span)
            }
            A::VaArg(list, ty) => {
                let ty = self.type_of_name(*ty);
                self.va_arg(*list, ty.ty, span)
            }
            A::Offsetof(ty, path) => self.offsetof(*ty, path, span),
            A::TypesCompatible(a, b) => {
                let (a, b) = (self.type_of_name(*a), self.type_of_name(*b));
                let same = self.hir.types.compatible(a.ty, b.ty);
                let int = self.hir.types.int;
                self.int_expr(i128::from(same), int, span)
            }
            A::Choose(c, a, b) => match self.constant(*c) {
                Some(0) => self.expr(*b),
                Some(_) => self.expr(*a),
                None => {
                    self.error(
                        span,
                        "first argument to '__builtin_choose_expr' not a constant",
                    );
                    self.error_expr(span)
                }
            },
        }
    }

    fn identifier(&mut self, name: Symbol, span: Span) -> hir::Expr {
        match self.scopes.lookup(name).map(|b| b.entity) {
            Some(Entity::Var(v)) => {
                let ty = QualTy {
                    align: 0,
                    ..self.hir.vars[v].ty
                };
                self.push_expr(H::Var(v), ty, span)
            }
            Some(Entity::Func(f)) => {
                let ty = self.hir.funcs[f].ty;
                self.push_expr(H::FuncRef(f), ty, span)
            }
            Some(Entity::Constant(value, ty)) => self.int_expr(value, ty, span),
            Some(Entity::Typedef(_)) => {
                let text = self.text(name);
                self.error(
                    span,
                    format!("unexpected type name '{text}': expected expression"),
                );
                self.error_expr(span)
            }
            None => self.undeclared(name, span),
        }
    }

    fn undeclared(&mut self, name: Symbol, span: Span) -> hir::Expr {
        let text = self.text(name);
        if matches!(
            text.as_str(),
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__"
        ) {
            return self.function_name(span);
        }
        if let Some(value) = self.cprover_constant(&text, span) {
            return value;
        }
        if let Some(f) = self.builtin_function(&text, span) {
            let ty = self.hir.funcs[f].ty;
            return self.push_expr(H::FuncRef(f), ty, span);
        }
        if text == CPROVER_ROUNDING {
            let int = self.hir.types.int;
            let known = self.linked.vars.get(&name).copied();
            let var = known.unwrap_or_else(|| {
                let var = self.new_var(name, int.into(), hir::Storage::Global, span);
                self.linked.vars.insert(name, var);
                var
            });
            return self.push_expr(H::Var(var), int, span);
        }
        let scope = if self.function.is_some() {
            " (first use in this function)"
        } else {
            ""
        };
        self.error(span, format!("'{text}' undeclared{scope}"));
        // Once per function is enough.
        let error = self.hir.types.error;
        let var = self.new_temp(&text, error.into(), hir::Storage::Local, span);
        self.scopes.declare(name, Entity::Var(var), span);
        self.error_expr(span)
    }

    /// `__func__`: a static array of char.
    fn function_name(&mut self, span: Span) -> hir::Expr {
        let name = self
            .function
            .as_ref()
            .map_or(String::new(), |f| f.name.clone());
        let units = name.bytes().map(u32::from).chain([0]).collect::<Vec<_>>();
        let (elem, len) = (self.hir.types.char, units.len() as u64);
        let str = self.hir.strings.push(hir::StrData { units, elem });
        let ty = self.hir.types.array(elem.into(), Length::Known(len));
        self.push_expr(H::Str(str), ty, span)
    }

    fn int_literal(&mut self, lit: IntLit, span: Span) -> hir::Expr {
        use IntKind::*;
        let candidates: &[IntKind] = match (lit.unsigned, lit.longs, lit.decimal) {
            (true, 0, _) => &[UInt, ULong, ULLong],
            (true, 1, _) => &[ULong, ULLong],
            (true, ..) => &[ULLong],
            (false, 0, true) => &[Int, Long, LLong],
            (false, 0, false) => &[Int, UInt, Long, ULong, LLong, ULLong],
            (false, 1, true) => &[Long, LLong],
            (false, 1, false) => &[Long, ULong, LLong, ULLong],
            (false, _, true) => &[LLong],
            (false, _, false) => &[LLong, ULLong],
        };
        let model = self.hir.types.model;
        let fits = |k: &IntKind| {
            let bits = k.bits(model) - u32::from(k.signed());
            bits >= 64 || lit.value < 1 << bits
        };
        // gcc gives a too large decimal constant the type unsigned long long, with a warning.
        let kind = candidates.iter().copied().find(fits).unwrap_or(ULLong);
        let ty = self.hir.types.int_ty(kind);
        self.int_expr(i128::from(lit.value), ty, span)
    }

    fn float_literal(&mut self, text: Symbol, span: Span) -> hir::Expr {
        use crate::types::FloatKind::*;
        let spelling = self.text(text);
        let suffix_at = suffix_of_float(&spelling);
        let suffix = spelling[suffix_at..].to_ascii_lowercase();
        // The imaginary unit stands before or behind the letters of the type.
        let real = suffix.replacen(['i', 'j'], "", 1);
        let float = match real.as_str() {
            "" | "d" | "f64" | "f32x" => Some(Double),
            "f" | "f32" => Some(Float),
            "l" | "w" | "f64x" => Some(LongDouble),
            "q" | "f128" => Some(Float128),
            "f16" => Some(Half),
            _ => None,
        };
        let kind = match float {
            Some(kind) if real != suffix => TyKind::Complex(kind),
            Some(kind) => TyKind::Float(kind),
            None => {
                self.error(
                    span,
                    format!("invalid suffix \"{suffix}\" on floating constant"),
                );
                TyKind::Float(Double)
            }
        };
        let ty = self.hir.types.intern(kind);
        let digits = spelling[..suffix_at].to_owned();
        if self.is_computed_wide(ty) {
            let long_double = self.long_double();
            let value = self.push_expr(H::Float(digits), long_double, span);
            return self.with_excess(value, ty, span);
        }
        self.push_expr(H::Float(digits), ty, span)
    }

    pub(super) fn string(&mut self, id: StrId, span: Span) -> hir::Expr {
        let lit = &self.ast.strings[id];
        let mut units = lit.units.clone();
        units.push(0);
        let elem = self.string_elem(lit.encoding);
        let ty = self
            .hir
            .types
            .array(elem.into(), Length::Known(units.len() as u64));
        let str = self.hir.strings.push(hir::StrData { units, elem });
        self.push_expr(H::Str(str), ty, span)
    }

    pub(super) fn string_elem(&mut self, encoding: Encoding) -> Ty {
        match encoding {
            Encoding::Narrow => self.hir.types.char,
            // wchar_t is long on i386 and int on x86-64.
            Encoding::Wide if self.hir.types.pointer_bits() == 32 => self.hir.types.long,
            Encoding::Wide => self.hir.types.int,
            Encoding::Utf16 => self.hir.types.int_ty(IntKind::UShort),
            Encoding::Utf32 => self.hir.types.uint,
        }
    }

    fn generic(
        &mut self,
        control: ast::Expr,
        arms: &[(Option<ast::TypeName>, ast::Expr)],
        span: Span,
    ) -> hir::Expr {
        let control = self.rvalue(control);
        let ty = self.hir.ty(control);
        let mut chosen = None;
        for (name, e) in arms {
            match name {
                None => chosen = chosen.or(Some(*e)),
                Some(name) => {
                    let arm = self.type_of_name(*name);
                    let plain = arm.quals == ast::Quals::NONE;
                    if plain && self.hir.types.compatible(arm.ty, ty) {
                        return self.expr(*e);
                    }
                }
            }
        }
        match chosen {
            Some(e) => self.expr(e),
            None => {
                let name = self.type_name(ty);
                self.error(span, format!("'_Generic' selector of type '{name}' is not compatible with any association"));
                self.error_expr(span)
            }
        }
    }

    fn stmt_expr(&mut self, body: ast::Stmt, span: Span) -> hir::Expr {
        let ast = self.ast;
        if self.function.is_none() {
            self.error(
                span,
                "braced-group within expression allowed only inside a function",
            );
            return self.error_expr(span);
        }
        let items = match &ast.stmts[body].kind {
            ast::StmtKind::Block(items) => items.as_slice(),
            _ => &[],
        };
        let outer = std::mem::take(&mut self.pending_vlas);
        self.scopes.open();
        let (last, before) = match items.split_last() {
            Some((ast::BlockItem::Stmt(last), before)) => match &ast.stmts[*last].kind {
                ast::StmtKind::Expr(Some(_)) | ast::StmtKind::Label { .. } => (Some(*last), before),
                _ => (None, items),
            },
            _ => (None, items),
        };
        let (body, value) = self.block_with_value(before, last);
        self.scopes.close();
        self.pending_vlas = outer;
        let ty = value.map_or(self.hir.types.void, |v| self.hir.ty(v));
        self.push_expr(H::StmtExpr { body, value }, ty, span)
    }

    fn index(&mut self, a: ast::Expr, i: ast::Expr, span: Span) -> hir::Expr {
        let mut a = self.expr(a);
        let mut i = self.expr(i);
        let array_or_pointer = |s: &Self, e: hir::Expr| {
            s.hir.types.is_array(s.hir.ty(e)) || s.hir.types.is_pointer(s.hir.ty(e))
        };
        if !array_or_pointer(self, a) && array_or_pointer(self, i) {
            std::mem::swap(&mut a, &mut i);
        }
        let i = self.load(i);
        if self.is_error(a) || self.is_error(i) {
            return self.error_expr(span);
        }
        if !self.hir.types.is_integer(self.hir.ty(i)) {
            self.error(span, "array subscript is not an integer");
            return self.error_expr(span);
        }
        let from = self.hir.exprs[a].ty;
        if let Some(elem) = self.vector_element(from.ty) {
            return self.vector_expr(elem, span);
        }
        // An array member of a struct value is no lvalue, but its elements can be taken.
        if let TyKind::Array(elem, _) = *self.hir.types.kind(from.ty)
            && (self.hir.is_lvalue(a) || matches!(self.hir.exprs[a].kind, H::Field { .. }))
        {
            return self.push_expr(H::Index { base: a, index: i }, elem.with(from.quals), span);
        }
        let a = self.load(a);
        let Some(to) = self.hir.types.pointee(self.hir.ty(a)) else {
            self.error(
                span,
                "subscripted value is neither array nor pointer nor vector",
            );
            return self.error_expr(span);
        };
        let ptr = self.pointer_add(a, i, false, span);
        if self.is_error(ptr) {
            return ptr;
        }
        self.push_expr(H::Deref(ptr), to, span)
    }

    fn member_access(
        &mut self,
        base: ast::Expr,
        name: Symbol,
        name_span: Span,
        arrow: bool,
        span: Span,
    ) -> hir::Expr {
        let base = if arrow {
            self.rvalue(base)
        } else {
            self.expr(base)
        };
        if self.is_error(base) {
            return self.error_expr(span);
        }
        let base = if arrow {
            let Some(to) = self.hir.types.pointee(self.hir.ty(base)) else {
                let ty = self.type_name(self.hir.ty(base));
                self.error(span, format!("invalid type argument of '->' (have '{ty}')"));
                return self.error_expr(span);
            };
            self.push_expr(H::Deref(base), to, span)
        } else {
            base
        };
        let ty = self.hir.ty(base);
        let text = self.text(name);
        let Some(record) = self.hir.types.record_of(ty) else {
            self.error(
                name_span,
                format!("request for member '{text}' in something not a structure or union"),
            );
            return self.error_expr(span);
        };
        if !self.hir.types.records[record].complete {
            let ty = self.type_name(ty);
            self.error(span, format!("invalid use of undefined type '{ty}'"));
            return self.error_expr(span);
        }
        match self.hir.types.find_field(record, name) {
            Some(path) => self.follow(base, &path, span),
            None => {
                let ty = self.type_name(ty);
                self.error(name_span, format!("'{ty}' has no member named '{text}'"));
                self.error_expr(span)
            }
        }
    }

    fn compound_literal(&mut self, name: ast::TypeName, init: ast::Init, span: Span) -> hir::Expr {
        let ty = self.type_of_name(name);
        let storage = if self.function.is_some() {
            hir::Storage::Local
        } else {
            hir::Storage::Static
        };
        let var = self.new_temp("<compound literal>", ty, storage, span);
        let init = self.initializer(var, init, false);
        let ty = self.hir.vars[var].ty;
        if storage == hir::Storage::Static {
            self.hir.vars[var].init = Some(init);
            return self.push_expr(H::Var(var), ty, span);
        }
        self.push_expr(H::CompoundLit { var, init }, ty, span)
    }

    fn unary(&mut self, op: AstUnOp, operand: ast::Expr, span: Span) -> hir::Expr {
        match op {
            AstUnOp::Addr => self.address_of(operand, span),
            AstUnOp::Deref => self.deref(operand, span),
            AstUnOp::Real | AstUnOp::Imag => {
                let e = self.rvalue(operand);
                let ty = self.hir.ty(e);
                let what = if op == AstUnOp::Real {
                    "__real__"
                } else {
                    "__imag__"
                };
                self.push_expr(H::Unsupported(format!("'{what}'")), ty, span)
            }
            AstUnOp::Not => {
                let e = self.condition(operand);
                let int = self.hir.types.int;
                self.push_expr(H::Unary(UnOp::Not, e), int, span)
            }
            AstUnOp::Plus | AstUnOp::Minus | AstUnOp::BitNot => {
                let e = self.rvalue(operand);
                if self.is_error(e) {
                    return e;
                }
                let ty = self.hir.ty(e);
                if self.vector_element(ty).is_some() {
                    return self.vector_expr(ty, span);
                }
                let ok = if op == AstUnOp::BitNot {
                    self.hir.types.is_integer(ty)
                } else {
                    self.hir.types.is_arithmetic(ty)
                };
                if !ok {
                    let what = match op {
                        AstUnOp::Plus => "unary plus",
                        AstUnOp::Minus => "unary minus",
                        _ => "bit-complement",
                    };
                    self.error(span, format!("wrong type argument to {what}"));
                    return self.error_expr(span);
                }
                let e = self.promote(e);
                let ty = self.hir.ty(e);
                match op {
                    AstUnOp::Plus => e,
                    AstUnOp::Minus if self.is_computed_wide(ty) => {
                        let (e, long_double) = (self.widened(e), self.long_double());
                        let value = self.push_expr(H::Unary(UnOp::Neg, e), long_double, span);
                        self.with_excess(value, ty, span)
                    }
                    AstUnOp::Minus => self.push_expr(H::Unary(UnOp::Neg, e), ty, span),
                    _ => self.push_expr(H::Unary(UnOp::BitNot, e), ty, span),
                }
            }
        }
    }

    fn address_of(&mut self, operand: ast::Expr, span: Span) -> hir::Expr {
        let e = self.expr(operand);
        if self.is_error(e) {
            return e;
        }
        let ty = self.hir.exprs[e].ty;
        match self.hir.exprs[e].kind {
            H::FuncRef(_) => return self.load(e),
            // `&*p` is p (C11 6.5.3.2p3), whatever p is.
            H::Deref(p) if !self.hir.types.is_array(ty.ty) => return p,
            _ => {}
        }
        if !self.hir.is_lvalue(e) {
            self.error(span, "lvalue required as unary '&' operand");
            return self.error_expr(span);
        }
        if self.hir.bit_width(e).is_some() {
            self.error(span, "cannot take address of bit-field");
            return self.error_expr(span);
        }
        let pointer = self.hir.types.pointer(ty);
        self.push_expr(H::AddrOf(e), pointer, span)
    }

    fn deref(&mut self, operand: ast::Expr, span: Span) -> hir::Expr {
        let e = self.rvalue(operand);
        if self.is_error(e) {
            return e;
        }
        match self.hir.types.pointee(self.hir.ty(e)) {
            Some(to) => self.push_expr(H::Deref(e), to, span),
            None => {
                let ty = self.type_name(self.hir.ty(e));
                self.error(
                    span,
                    format!("invalid type argument of unary '*' (have '{ty}')"),
                );
                self.error_expr(span)
            }
        }
    }

    /// `sizeof` a type whose lengths are evaluated here, where its size depends on them.
    fn size_with_lengths(&mut self, ty: QualTy, lengths: Vec<u32>, span: Span) -> hir::Expr {
        let size = self.size_of_type(ty, span);
        if lengths.is_empty() || !matches!(self.hir.exprs[size].kind, H::SizeofVla(_)) {
            return size;
        }
        let body = lengths
            .into_iter()
            .map(|id| self.push_stmt(hir::StmtKind::VlaLen(id), span))
            .collect();
        let value = Some(size);
        let size_t = self.hir.ty(size);
        self.push_expr(H::StmtExpr { body, value }, size_t, span)
    }

    /// `sizeof`; the size of a type that is not modelled is not known, but that of a vector is.
    fn size_of_type(&mut self, ty: QualTy, span: Span) -> hir::Expr {
        if let Some(reason) = self.hir.types.odd_of(ty)
            && reason != VECTOR
        {
            let reason = format!("the size of a type with {reason}");
            let size_t = self.hir.types.size_t();
            return self.push_expr(H::Unsupported(reason), size_t, span);
        }
        self.size_of(ty.ty, span)
    }

    /// `sizeof`; void and functions have size 1 in GNU C.
    pub(super) fn size_of(&mut self, ty: Ty, span: Span) -> hir::Expr {
        let size_t = self.hir.types.size_t();
        if matches!(self.hir.types.kind(ty), TyKind::Void | TyKind::Function(_)) {
            return self.int_expr(1, size_t, span);
        }
        if self.hir.types.is_variably_sized(ty) {
            return self.push_expr(H::SizeofVla(ty), size_t, span);
        }
        match self.hir.types.size_of(ty) {
            Some(size) => self.int_expr(i128::from(size), size_t, span),
            None => {
                if ty != self.hir.types.error {
                    let name = self.type_name(ty);
                    self.error(
                        span,
                        format!("invalid application of 'sizeof' to incomplete type '{name}'"),
                    );
                }
                self.error_expr(span)
            }
        }
    }

    fn align_of(&mut self, ty: QualTy, span: Span) -> hir::Expr {
        let size_t = self.hir.types.size_t();
        let align = self.hir.types.align_of(ty, false);
        self.int_expr(i128::from(align), size_t, span)
    }

    fn offsetof(&mut self, name: ast::TypeName, path: &[ast::Designator], span: Span) -> hir::Expr {
        let ty = self.type_of_name(name);
        let size_t = self.hir.types.size_t();
        // As the address of the member in an object at address zero.
        let pointer = self.hir.types.pointer(ty);
        let null = self.int_expr(0, pointer, span);
        let mut place = self.push_expr(H::Deref(null), ty, span);
        for step in path {
            place = match step {
                ast::Designator::Field(field, at) => {
                    let record = self.hir.types.record_of(self.hir.ty(place));
                    match record.and_then(|r| self.hir.types.find_field(r, *field)) {
                        Some(path) => self.follow(place, &path, *at),
                        None => {
                            let text = self.text(*field);
                            let ty = self.type_name(self.hir.ty(place));
                            self.error(*at, format!("'{ty}' has no member named '{text}'"));
                            return self.error_expr(span);
                        }
                    }
                }
                ast::Designator::Index(i) | ast::Designator::Range(i, _) => {
                    let i = self.rvalue(*i);
                    match *self.hir.types.kind(self.hir.ty(place)) {
                        TyKind::Array(elem, _) => self.push_expr(
                            H::Index {
                                base: place,
                                index: i,
                            },
                            elem,
                            span,
                        ),
                        _ => {
                            self.error(span, "subscripted value is not an array");
                            return self.error_expr(span);
                        }
                    }
                }
            };
        }
        let ty = self.hir.exprs[place].ty;
        let pointer = self.hir.types.pointer(ty);
        let address = self.push_expr(H::AddrOf(place), pointer, span);
        let cast = self.push_expr(H::Cast(address), size_t, span);
        match self.eval_int(cast) {
            Some(value) => self.int_expr(value, size_t, span),
            None => cast,
        }
    }
}

/// Where the suffix of a floating constant begins: behind digits, point and exponent.
fn suffix_of_float(spelling: &str) -> usize {
    let bytes = spelling.as_bytes();
    let hex = bytes.len() > 2 && bytes[1].eq_ignore_ascii_case(&b'x');
    let exponent = if hex { b'p' } else { b'e' };
    let mut at = if hex { 2 } else { 0 };
    let is_digit = |c: u8| {
        if hex {
            c.is_ascii_hexdigit()
        } else {
            c.is_ascii_digit()
        }
    };
    while at < bytes.len() && (is_digit(bytes[at]) || bytes[at] == b'.') {
        at += 1;
    }
    if at < bytes.len() && bytes[at].eq_ignore_ascii_case(&exponent) {
        at += 1;
        while at < bytes.len() && (bytes[at].is_ascii_digit() || b"+-".contains(&bytes[at])) {
            at += 1;
        }
    }
    at
}
