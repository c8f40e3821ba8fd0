//! Declarations: objects and functions, and their linkage.

use super::Sema;
use super::attribute::{of_declarator, unknown};
use super::scope::Entity;
use crate::ast::{self, DeclKind, Declarator, TypeSpec};
use crate::hir::{self, StmtKind};
use crate::source::Span;
use crate::types::{Length, QualTy, TyKind};

impl Sema<'_> {
    pub(super) fn new_var(
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
            flexible: 0,
            defined: true,
            linkage: hir::Linkage::default(),
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
            self.mark_transparent(ty, &d.attrs);
            let Some(name) = d.name else { continue };
            for id in std::mem::take(&mut self.pending_vlas) {
                let stmt = self.push_stmt(StmtKind::VlaLen(id), d.span);
                out.push(stmt);
            }
            if data.typedef {
                let attrs = data.attrs.iter().chain(of_declarator(d));
                let ty = self.with_unknown(ty, attrs);
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

    pub(super) fn redeclared(&mut self, text: &str, span: Span, old: Span) {
        self.diags.error_with_note(
            span,
            format!("conflicting types for '{text}'"),
            (old, format!("previous declaration of '{text}'")),
        );
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
            let attrs = specs.attrs.iter().chain(of_declarator(d));
            if let Some(call) = self.cleanup(var, attrs) {
                let call = self.push_stmt(StmtKind::Cleanup(call), d.span);
                out.push(call);
                let attrs = specs.attrs.iter().chain(of_declarator(d));
                self.hir.vars[var].odd = unknown(attrs.filter(|a| a.name != "cleanup")).or(self
                    .hir
                    .types
                    .odd_of(ty)
                    .map(str::to_owned));
            }
        }
        self.require_complete(var, &text, d.span);
    }

    /// What attributes and types make of an object.
    fn mark_odd(&mut self, var: hir::Var, specs: &ast::SpecsData, d: &Declarator) {
        let attrs = || specs.attrs.iter().chain(of_declarator(d));
        let ty = self.hir.vars[var].ty;
        let local = self.hir.vars[var].storage == hir::Storage::Local;
        let mut odd = unknown(attrs()).or(self.hir.types.odd_of(ty).map(str::to_owned));
        if d.asm_label.is_some() && (local || specs.storage == Some(ast::Storage::Register)) {
            odd = Some("a register of its own".to_owned());
        }
        if odd.is_some() {
            self.hir.vars[var].odd = odd;
        }
        let mut linkage = std::mem::take(&mut self.hir.vars[var].linkage);
        self.linkage(attrs(), &mut linkage);
        self.hir.vars[var].linkage = linkage;
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
                } else if visible.is_some()
                    || !self.hir.types.is_pointer(old.ty)
                    || !self.hir.types.is_pointer(ty.ty)
                {
                    // Linkers do not mind that two units see different pointers.
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
        let weak = self.hir.vars[var].linkage.weak == Some(self.unit);
        let defines = init.is_some() || !is_extern;
        if defines && self.hir.vars[var].defined {
            // The definition that is not weak counts, and of two weak ones the first.
            let old = &self.hir.vars[var];
            let was_weak = old.linkage.weak_definition;
            let counts = if was_weak {
                old.init.is_some()
            } else {
                !old.linkage.tentative_here(self.unit)
            };
            if was_weak && !weak {
                self.hir.vars[var].init = None;
            } else if weak && counts {
                let spare = self.new_var(name, ty, hir::Storage::Static, d.span);
                if let Some(init) = init {
                    self.initializer(spare, init, true);
                }
                return;
            }
        }
        if defines {
            self.hir.vars[var].linkage.weak_definition = weak;
            self.hir.vars[var].linkage.defined_in = Some(self.unit);
        }
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
}
