//! Functions: declarations, definitions, parameters.

use super::attribute::{of_declarator, unknown};
use super::record::has_attr;
use super::scope::Entity;
use super::{FunctionState, Sema};
use crate::ast::{self, Chunk, DeclKind, Declarator, Params};
use crate::hir::{self, StmtKind};
use crate::library::ARGUMENTS;
use crate::source::Span;
use crate::types::{FnTy, QualTy, Ty, TyKind};
use rustc_hash::FxHashMap;

impl Sema<'_> {
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
                if self.library && !internal {
                    // The program's declaration counts.
                } else if self.hir.types.compatible(old, ty) {
                    self.hir.funcs[f].ty = self.hir.types.composite(old, ty);
                } else if self.implicit.contains(&f) {
                    // gcc tolerates a mismatch with an implicit declaration.
                    self.hir.funcs[f].ty = ty;
                } else if local.is_some() {
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
                    internal,
                    linkage: hir::Linkage::default(),
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
        let attrs = || specs.attrs.iter().chain(of_declarator(d));
        let odd_type = |types: &crate::types::Types| {
            let f = types.function_of(ty)?;
            let mut all = f.params.iter().chain([&f.ret]);
            all.find_map(|ty| types.odd_of(*ty).map(str::to_owned))
        };
        let odd = unknown(attrs()).or_else(|| odd_type(&self.hir.types));
        if odd.is_some() {
            self.hir.funcs[func].odd = odd;
        }
        let mut linkage = std::mem::take(&mut self.hir.funcs[func].linkage);
        self.linkage(attrs(), &mut linkage);
        if d.asm_label.is_some() {
            linkage.label = d.asm_label.clone();
        }
        self.hir.funcs[func].linkage = linkage;
        self.scopes.declare(name, Entity::Func(func), d.span);
        func
    }

    pub(super) fn function_definition(
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
        let internal = data.storage == Some(ast::Storage::Static);
        if self.library && !internal && !self.is_wanted(name, &f) {
            return;
        }
        let func = self.declare_function(name, ty.ty, data, d);
        let text = self.text(name);
        let weak = self.hir.funcs[func].linkage.weak == Some(self.unit);
        let was_weak = self.hir.funcs[func].linkage.weak_definition;
        // The definition that is not weak counts, and of two weak ones the first.
        let kept = (self.hir.funcs[func].body.is_some() && weak).then(|| {
            let data = &self.hir.funcs[func];
            (data.body, data.params.clone(), data.span)
        });
        let was_inline = self.hir.funcs[func].linkage.inline_definition;
        self.hir.funcs[func].linkage.inline_definition =
            data.inline && data.storage == Some(ast::Storage::Extern);
        if self.hir.funcs[func].body.is_some() && !weak && !was_weak && !was_inline {
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
            beyond: None,
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
        match self.function.take().and_then(|f| f.beyond) {
            Some(beyond) => self.hir.funcs[func].odd = Some(beyond),
            None => self.hir.funcs[func].body = Some(body),
        }
        match kept {
            Some((body, params, span)) => {
                let data = &mut self.hir.funcs[func];
                (data.body, data.params, data.span) = (body, params, span);
            }
            None => self.hir.funcs[func].linkage.weak_definition = weak,
        }
    }

    // Models of library functions.

    /// Whether the program uses a function of this unit that it does not define.
    pub(super) fn is_wanted_unit(&mut self) -> bool {
        let ast = self.ast;
        ast.unit.iter().any(|decl| match &ast.decls[*decl].kind {
            DeclKind::Function { declarator, .. } => {
                declarator.name.is_some_and(|n| self.unbound(n).is_some())
            }
            _ => false,
        })
    }

    /// The function of a name that is used and not defined.
    fn unbound(&mut self, name: crate::lex::Symbol) -> Option<hir::Func> {
        if self.interner.text(name) == ARGUMENTS {
            return self.command_line();
        }
        let f = *self.linked.funcs.get(&name)?;
        for e in self.hir.exprs.values().skip(self.linked.scanned) {
            if let hir::ExprKind::FuncRef(f) | hir::ExprKind::FuncAddr(f) = e.kind {
                self.linked.used.insert(f);
            }
        }
        self.linked.scanned = self.hir.exprs.len();
        (self.hir.funcs[f].body.is_none() && self.linked.used.contains(&f)).then_some(f)
    }

    /// The function that makes what `main` gets, where the program looks at it.
    fn command_line(&mut self) -> Option<hir::Func> {
        let main = self.hir.function("main")?;
        let [_, list] = self.hir.funcs[main].params[..] else {
            return None;
        };
        let text = self.hir.types.char_ptr;
        let list_ty = self.hir.vars[list].ty.ty;
        let pointee = self.hir.types.pointee(list_ty);
        let used = |e: &hir::ExprData| matches!(e.kind, hir::ExprKind::Var(v) if v == list);
        if pointee.map(|p| p.ty) != Some(text) || !self.hir.exprs.values().any(used) {
            return None;
        }
        let ty = self.type_of_signature("*si");
        let span = self.hir.funcs[main].span;
        Some(self.declare_builtin(ARGUMENTS, ty, span))
    }

    /// Whether a model gives a body to a function of the program: the types need not be the same, but
    /// their values must look alike.
    fn is_wanted(&mut self, name: crate::lex::Symbol, model: &FnTy) -> bool {
        let Some(f) = self.unbound(name) else {
            return false;
        };
        let types = &self.hir.types;
        let Some(own) = types.function_of(self.hir.funcs[f].ty) else {
            return false;
        };
        let alike = |a: Ty, b: Ty| {
            types.size_of(a) == types.size_of(b)
                && types.is_pointer(a) == types.is_pointer(b)
                && types.is_integer(a) == types.is_integer(b)
                && types.is_record(a) == types.is_record(b)
                && (a == types.void) == (b == types.void)
        };
        let params = own.params.iter().zip(&model.params);
        alike(own.ret.ty, model.ret.ty)
            && (!own.prototype
                || (own.variadic == model.variadic
                    && own.params.len() == model.params.len()
                    && params.into_iter().all(|(a, b)| alike(a.ty, b.ty))))
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
                    let var = self.parameter(name, ty, p.declarator.span);
                    let attrs = self.ast.specs[p.specs].attrs.iter();
                    let odd = unknown(attrs.chain(of_declarator(&p.declarator)));
                    self.hir.vars[var].odd = odd.or(self.hir.types.odd_of(ty).map(str::to_owned));
                    vars.push(var);
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
