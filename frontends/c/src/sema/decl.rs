//! Declarations: specifiers and declarators to types, objects and functions, and their linkage.

use super::record::has_attr;
use super::scope::Entity;
use super::{FunctionState, Sema};
use crate::ast::{
    self, ArrayLen, AttrArg, Attribute, Chunk, DeclKind, Declarator, Params, Quals, TypeSpec,
};
use crate::hir::{self, StmtKind};
use crate::source::Span;
use crate::types::{FloatKind, FnTy, IntKind, Length, QualTy, Ty, TyKind};
use rustc_hash::FxHashMap;

/// Attributes that change what a program does in a way the lowering does not follow.
const ODD_ATTRS: &[&str] = &[
    "constructor",
    "destructor",
    "cleanup",
    "alias",
    "ifunc",
    "weakref",
    "vector_size",
    "transparent_union",
];

impl Sema<'_> {
    pub(super) fn builtin_type(&mut self, name: &str) -> QualTy {
        let kind = match name {
            "__builtin_va_list" => return self.hir.types.va_list.into(),
            "_Float16" => FloatKind::Half,
            "_Float32" => FloatKind::Float,
            "_Float64" | "_Float32x" => FloatKind::Double,
            "_Float64x" | "__float80" => FloatKind::LongDouble,
            _ => FloatKind::Float128,
        };
        self.hir.types.intern(TyKind::Float(kind)).into()
    }

    // Specifiers.

    /// The type that specifiers name. `alone`: no declarator follows.
    pub(super) fn specs_type(&mut self, specs: ast::Specs, alone: bool) -> QualTy {
        let data = &self.ast.specs[specs];
        let base: QualTy = match &data.ty {
            TypeSpec::Missing => self.hir.types.int.into(),
            TypeSpec::Void => self.hir.types.void.into(),
            TypeSpec::Bool => self.hir.types.bool.into(),
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

    /// `__attribute__((mode(X)))` replaces the width.
    fn apply_mode(&mut self, ty: QualTy, attrs: &[Attribute]) -> QualTy {
        let mut ty = ty;
        for attr in attrs {
            let AttrArg::Name(mode) = attr.arg else {
                continue;
            };
            if attr.name != "mode" {
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
                    self.error(attr.span, format!("unknown machine mode '{other}'"));
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
        self.declarator_type(base, &data.declarator)
    }

    // Declarators.

    /// The type of a declarator over a base type.
    pub(super) fn declarator_type(&mut self, base: QualTy, d: &Declarator) -> QualTy {
        let mut ty = base;
        for chunk in d.chunks.iter().rev() {
            if ty.ty == self.hir.types.error {
                return ty;
            }
            ty = match chunk {
                Chunk::Pointer { quals, attrs } => {
                    let pointer = self.hir.types.pointer(ty);
                    let q: QualTy = pointer.into();
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
        let elem = QualTy { align: 0, ..elem };
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
    fn param_type(&mut self, p: &ast::Param) -> QualTy {
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

    fn adjust_param(&mut self, ty: QualTy) -> QualTy {
        match self.hir.types.kind(ty.ty).clone() {
            TyKind::Array(elem, _) => {
                let p: QualTy = self.hir.types.pointer(elem.with(ty.quals)).into();
                p
            }
            TyKind::Function(_) => self.hir.types.pointer(ty).into(),
            _ => ty,
        }
    }

    fn new_var(
        &mut self,
        name: crate::lex::Symbol,
        ty: QualTy,
        storage: hir::Storage,
        span: Span,
    ) -> hir::Var {
        let owner = self.function.as_ref().map(|f| f.func);
        self.hir.vars.push(hir::VarData {
            name: self.interner.text(name).to_owned(),
            ty,
            storage,
            owner: if storage == hir::Storage::Global {
                None
            } else {
                owner
            },
            init: None,
            defined: true,
            odd: None,
            span,
        })
    }

    /// An object without a name of its own.
    pub(super) fn new_temp(
        &mut self,
        name: &str,
        ty: QualTy,
        storage: hir::Storage,
        span: Span,
    ) -> hir::Var {
        let symbol = self.interner.intern(name);
        self.new_var(symbol, ty, storage, span)
    }

    // Declarations.

    pub(super) fn external(&mut self, decl: ast::Decl) {
        let node = &self.ast.decls[decl];
        match &node.kind {
            DeclKind::Group { specs, declarators } => {
                let mut out = Vec::new();
                self.group(*specs, declarators, &mut out);
            }
            DeclKind::Function {
                specs,
                declarator,
                knr,
                body,
            } => {
                self.function_definition(*specs, declarator, knr, *body, node.span);
            }
            DeclKind::StaticAssert { .. } => self.static_assert(decl),
            DeclKind::Asm(_) => self.diags.warning(node.span, "file-scope asm is ignored"),
            DeclKind::Empty => {}
        }
    }

    pub(super) fn static_assert(&mut self, decl: ast::Decl) {
        let DeclKind::StaticAssert { cond, message } = &self.ast.decls[decl].kind else {
            return;
        };
        let span = self.span_of(*cond);
        match self.constant(*cond) {
            Some(0) => {
                let text = message.map(|m| {
                    self.ast.strings[m]
                        .units
                        .iter()
                        .filter_map(|u| char::from_u32(*u))
                        .collect::<String>()
                });
                let text = text.map_or("static assertion failed".to_owned(), |t| {
                    format!("static assertion failed: \"{t}\"")
                });
                self.error(span, text);
            }
            Some(_) => {}
            None => self.error(
                span,
                "expression in static assertion is not an integer constant",
            ),
        }
    }

    /// A group of declarators; statements for automatic objects go to `out`.
    pub(super) fn group(
        &mut self,
        specs: ast::Specs,
        declarators: &[(Declarator, Option<ast::Init>)],
        out: &mut Vec<hir::Stmt>,
    ) {
        let ast = self.ast;
        let data = &ast.specs[specs];
        let base = self.specs_type(specs, declarators.is_empty());
        for (d, init) in declarators {
            let mut base = base;
            if matches!(data.ty, TypeSpec::AutoType)
                && let Some(init) = init
                && let ast::InitKind::Expr(e) = &self.ast.inits[*init].kind
            {
                let e = self.rvalue(*e);
                base = QualTy {
                    ty: self.hir.ty(e),
                    ..base
                };
            }
            let mut ty = self.declarator_type(base, d);
            ty.align = ty.align.max(self.attr_align(&d.attrs));
            let Some(name) = d.name else { continue };
            for id in std::mem::take(&mut self.pending_vlas) {
                let stmt = self.push_stmt(StmtKind::VlaLen(id), d.span);
                out.push(stmt);
            }
            if data.typedef {
                self.typedef(name, ty, d.span, init.is_some());
            } else if self.hir.types.is_function(ty.ty) {
                if init.is_some() {
                    let text = self.text(name);
                    self.error(
                        d.span,
                        format!("function '{text}' is initialized like a variable"),
                    );
                }
                self.declare_function(name, ty.ty, data, d);
            } else {
                self.object(name, ty, data, d, *init, out);
            }
        }
    }

    fn typedef(&mut self, name: crate::lex::Symbol, ty: QualTy, span: Span, init: bool) {
        let text = self.text(name);
        if init {
            self.error(span, format!("typedef '{text}' is initialized"));
        }
        if let Some(old) = self.scopes.lookup_here(name) {
            let same = match old.entity {
                Entity::Typedef(old) => self.hir.types.compatible(old.ty, ty.ty),
                _ => false,
            };
            // Redeclaring what gcc predeclares is what old headers do.
            if !same && old.span != Span::default() {
                self.redeclared(&text, span, old.span);
            }
        }
        self.scopes.declare(name, Entity::Typedef(ty), span);
    }

    fn redeclared(&mut self, text: &str, span: Span, old: Span) {
        self.diags.error_with_note(
            span,
            format!("conflicting types for '{text}'"),
            (old, format!("previous declaration of '{text}'")),
        );
    }

    pub(super) fn declare_function(
        &mut self,
        name: crate::lex::Symbol,
        ty: Ty,
        specs: &ast::SpecsData,
        d: &Declarator,
    ) -> hir::Func {
        let text = self.text(name);
        if let Some(b) = self.scopes.lookup_here(name)
            && !matches!(b.entity, Entity::Func(_))
        {
            let message = format!("'{text}' redeclared as different kind of symbol");
            self.diags
                .error_with_note(d.span, message, (b.span, "previous declaration"));
        }
        let local = match self.scopes.lookup(name).map(|b| b.entity) {
            Some(Entity::Func(f)) => Some(f),
            _ => None,
        };
        let internal = specs.storage == Some(ast::Storage::Static) && self.function.is_none();
        let known = local.or_else(|| {
            if internal {
                None
            } else {
                self.linked.funcs.get(&name).copied()
            }
        });
        let func = match known {
            Some(f) => {
                let old = self.hir.funcs[f].ty;
                if self.hir.types.compatible(old, ty) {
                    self.hir.funcs[f].ty = self.hir.types.composite(old, ty);
                } else if local.is_some() {
                    // gcc tolerates a mismatch with an implicit declaration's int.
                    let span = self.hir.funcs[f].span;
                    self.redeclared(&text, d.span, span);
                } else if self.hir.types.function_of(ty).is_some_and(|f| f.prototype)
                    && self.hir.funcs[f].body.is_none()
                {
                    self.hir.funcs[f].ty = ty;
                }
                f
            }
            None => {
                let f = self.hir.funcs.push(hir::FuncData {
                    name: text,
                    ty,
                    params: Vec::new(),
                    body: None,
                    address_taken: false,
                    noreturn: false,
                    odd: None,
                    span: d.span,
                });
                if !internal {
                    self.linked.funcs.insert(name, f);
                }
                f
            }
        };
        let noreturn =
            specs.noreturn || has_attr(&specs.attrs, "noreturn") || has_attr(&d.attrs, "noreturn");
        self.hir.funcs[func].noreturn |= noreturn;
        let odd = specs
            .attrs
            .iter()
            .chain(&d.attrs)
            .find(|a| ODD_ATTRS.contains(&a.name.as_str()));
        if let Some(odd) = odd {
            self.hir.funcs[func].odd = Some(format!("attribute '{}'", odd.name));
        }
        self.scopes.declare(name, Entity::Func(func), d.span);
        func
    }

    fn object(
        &mut self,
        name: crate::lex::Symbol,
        ty: QualTy,
        specs: &ast::SpecsData,
        d: &Declarator,
        init: Option<ast::Init>,
        out: &mut Vec<hir::Stmt>,
    ) {
        let text = self.text(name);
        if ty.ty == self.hir.types.void {
            self.error(d.span, format!("variable or field '{text}' declared void"));
            return;
        }
        let at_file_scope = self.function.is_none();
        let is_extern = specs.storage == Some(ast::Storage::Extern);
        if at_file_scope || is_extern {
            return self.global(name, ty, specs, d, init);
        }
        if let Some(old) = self.scopes.lookup_here(name) {
            let message = format!("redeclaration of '{text}' with no linkage");
            self.diags.error_with_note(
                d.span,
                message,
                (old.span, format!("previous declaration of '{text}'")),
            );
        }
        let is_static = specs.storage == Some(ast::Storage::Static);
        let storage = if is_static {
            hir::Storage::Static
        } else {
            hir::Storage::Local
        };
        let var = self.new_var(name, ty, storage, d.span);
        self.mark_odd(var, specs, d);
        self.scopes.declare(name, Entity::Var(var), d.span);
        let init = init.map(|i| self.initializer(var, i, is_static));
        if is_static {
            self.hir.vars[var].init = Some(init.unwrap_or(hir::Init {
                zero: true,
                items: Vec::new(),
            }));
        } else {
            let stmt = self.push_stmt(StmtKind::Decl { var, init }, d.span);
            out.push(stmt);
        }
        self.require_complete(var, &text, d.span);
    }

    fn mark_odd(&mut self, var: hir::Var, specs: &ast::SpecsData, d: &Declarator) {
        let odd = specs
            .attrs
            .iter()
            .chain(&d.attrs)
            .find(|a| ODD_ATTRS.contains(&a.name.as_str()));
        if let Some(odd) = odd {
            self.hir.vars[var].odd = Some(format!("attribute '{}'", odd.name));
        }
    }

    fn require_complete(&mut self, var: hir::Var, text: &str, span: Span) {
        let ty = self.hir.vars[var].ty.ty;
        if ty != self.hir.types.error && !self.hir.types.is_complete(ty) {
            let message = if self.hir.types.is_array(ty) {
                format!("array size missing in '{text}'")
            } else {
                format!("storage size of '{text}' isn't known")
            };
            self.error(span, message);
        }
    }

    fn global(
        &mut self,
        name: crate::lex::Symbol,
        ty: QualTy,
        specs: &ast::SpecsData,
        d: &Declarator,
        init: Option<ast::Init>,
    ) {
        let text = self.text(name);
        let is_extern = specs.storage == Some(ast::Storage::Extern);
        let internal = specs.storage == Some(ast::Storage::Static);
        let visible = match self.scopes.lookup(name).map(|b| (b.entity, b.span)) {
            Some((Entity::Var(v), _)) if self.hir.vars[v].storage == hir::Storage::Global => {
                Some(v)
            }
            Some((_, span)) if self.scopes.lookup_here(name).is_some() => {
                let message = format!("'{text}' redeclared as different kind of symbol");
                self.diags
                    .error_with_note(d.span, message, (span, "previous declaration"));
                return;
            }
            _ => None,
        };
        let known = visible.or_else(|| {
            if internal {
                None
            } else {
                self.linked.vars.get(&name).copied()
            }
        });
        let var = match known {
            Some(v) => {
                let old = self.hir.vars[v].ty;
                if self.hir.types.compatible(old.ty, ty.ty) {
                    self.hir.vars[v].ty.ty = self.hir.types.composite(old.ty, ty.ty);
                    self.hir.vars[v].ty.align = old.align.max(ty.align);
                } else {
                    let span = self.hir.vars[v].span;
                    self.redeclared(&text, d.span, span);
                }
                v
            }
            None => {
                let v = self.new_var(name, ty, hir::Storage::Global, d.span);
                self.hir.vars[v].defined = false;
                if !internal {
                    self.linked.vars.insert(name, v);
                }
                v
            }
        };
        self.mark_odd(var, specs, d);
        self.scopes.declare(name, Entity::Var(var), d.span);
        if let Some(init) = init {
            if self.hir.vars[var].init.is_some() {
                let span = self.hir.vars[var].span;
                let note = format!("previous definition of '{text}'");
                self.diags.error_with_note(
                    d.span,
                    format!("redefinition of '{text}'"),
                    (span, note),
                );
            }
            let init = self.initializer(var, init, true);
            self.hir.vars[var].init = Some(init);
            self.hir.vars[var].defined = true;
            self.hir.vars[var].span = d.span;
        } else if !is_extern {
            // A tentative definition: zero unless an initialiser follows.
            self.hir.vars[var].defined = true;
        }
    }

    /// At the end of a unit: `int a[];` has one element; other incomplete types are errors.
    pub(super) fn check_tentative(&mut self) {
        let vars: Vec<hir::Var> = self.hir.vars.keys().collect();
        for var in vars {
            let data = &self.hir.vars[var];
            if data.storage != hir::Storage::Global || !data.defined {
                continue;
            }
            let (ty, text, span) = (data.ty, data.name.clone(), data.span);
            if let TyKind::Array(elem, Length::Incomplete) = *self.hir.types.kind(ty.ty) {
                self.hir.vars[var].ty.ty = self.hir.types.array(elem, Length::Known(1));
            }
            self.require_complete(var, &text, span);
        }
    }

    // Functions.

    fn function_definition(
        &mut self,
        specs: ast::Specs,
        d: &Declarator,
        knr: &[ast::Decl],
        body: ast::Stmt,
        span: Span,
    ) {
        let ast = self.ast;
        let data = &ast.specs[specs];
        let base = self.specs_type(specs, false);
        let ty = self.declarator_type(base, d);
        let (Some(name), Some(Chunk::Function { params, .. })) = (d.name, d.chunks.first()) else {
            self.error(d.span, "function definition has no parameter list");
            return;
        };
        if data.typedef {
            self.error(data.span, "function definition declared 'typedef'");
        }
        let Some(f) = self.hir.types.function_of(ty.ty).cloned() else {
            return;
        };
        let func = self.declare_function(name, ty.ty, data, d);
        let text = self.text(name);
        if self.hir.funcs[func].body.is_some() {
            // `extern inline` bodies may be given again; the later one counts.
            if !data.inline {
                let old = self.hir.funcs[func].span;
                let note = format!("previous definition of '{text}'");
                self.diags.error_with_note(
                    d.span,
                    format!("redefinition of '{text}'"),
                    (old, note),
                );
            }
        }
        if f.ret.ty != self.hir.types.void
            && f.ret.ty != self.hir.types.error
            && !self.hir.types.is_complete(f.ret.ty)
        {
            self.error(d.span, "return type is an incomplete type");
        }
        self.hir.funcs[func].span = d.span;
        self.scopes.open();
        self.function = Some(FunctionState {
            func,
            name: text,
            ret: f.ret,
            labels: FxHashMap::default(),
            switches: Vec::new(),
            loops: 0,
            breakable: 0,
        });
        let vars = self.parameters(params, knr);
        if !f.prototype {
            self.refine_old_style(func, &f, &vars);
        }
        self.hir.funcs[func].params = vars;
        let vlas = std::mem::take(&mut self.pending_vlas);
        let mut block: Vec<hir::Stmt> = vlas
            .into_iter()
            .map(|id| self.push_stmt(StmtKind::VlaLen(id), span))
            .collect();
        block.push(self.function_body(body));
        self.scopes.close();
        let body = self.push_stmt(StmtKind::Block(block), span);
        self.hir.funcs[func].body = Some(body);
        self.function = None;
    }

    fn parameters(&mut self, params: &Params, knr: &[ast::Decl]) -> Vec<hir::Var> {
        let mut vars = Vec::new();
        match params {
            Params::Prototype { params, .. } => {
                for p in params {
                    let base = self.specs_type(p.specs, false);
                    let ty = self.declarator_type(base, &p.declarator);
                    let ty = self.adjust_param(ty);
                    if ty.ty == self.hir.types.void {
                        continue;
                    }
                    if p.declarator.name.is_some()
                        && !self.hir.types.is_complete(ty.ty)
                        && ty.ty != self.hir.types.error
                    {
                        self.error(p.span, "parameter has incomplete type");
                    }
                    let name = p
                        .declarator
                        .name
                        .unwrap_or_else(|| self.interner.intern("<unnamed>"));
                    vars.push(self.parameter(name, ty, p.declarator.span));
                }
            }
            Params::Names(names) => {
                let mut types = FxHashMap::default();
                for decl in knr {
                    let ast = self.ast;
                    let DeclKind::Group { specs, declarators } = &ast.decls[*decl].kind else {
                        continue;
                    };
                    let base = self.specs_type(*specs, declarators.is_empty());
                    for (d, _) in declarators {
                        let ty = self.declarator_type(base, d);
                        let ty = self.adjust_param(ty);
                        let Some(name) = d.name else { continue };
                        if !names.iter().any(|(n, _)| *n == name) {
                            let text = self.text(name);
                            self.error(
                                d.span,
                                format!("declaration for parameter '{text}' but no such parameter"),
                            );
                        }
                        types.insert(name, ty);
                    }
                }
                for (name, span) in names {
                    let int = self.hir.types.int.into();
                    let ty = types.get(name).copied().unwrap_or(int);
                    vars.push(self.parameter(*name, ty, *span));
                }
            }
        }
        vars
    }

    fn parameter(&mut self, name: crate::lex::Symbol, ty: QualTy, span: Span) -> hir::Var {
        if self.scopes.lookup_here(name).is_some() && self.interner.text(name) != "<unnamed>" {
            let text = self.text(name);
            self.error(span, format!("redefinition of parameter '{text}'"));
        }
        let var = self.new_var(name, ty, hir::Storage::Param, span);
        self.scopes.declare(name, Entity::Var(var), span);
        var
    }

    /// An old-style definition gives later calls the parameter types, after default promotion.
    fn refine_old_style(&mut self, func: hir::Func, f: &FnTy, vars: &[hir::Var]) {
        let declared = self.hir.types.function_of(self.hir.funcs[func].ty).cloned();
        if declared.is_some_and(|d| d.prototype) {
            return;
        }
        let params: Vec<QualTy> = vars
            .iter()
            .map(|v| {
                let ty = self.hir.vars[*v].ty.ty;
                self.hir.types.default_promote(ty).into()
            })
            .collect();
        let ty = TyKind::Function(FnTy {
            params,
            prototype: false,
            ..f.clone()
        });
        self.hir.funcs[func].ty = self.hir.types.intern(ty);
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
    let words = [b.char, b.int, b.float, b.double, b.int128]
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
