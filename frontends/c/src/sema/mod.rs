//! From syntax trees to the typed program: names, types, conversions, constants, initialisers, linking.
//!
//! `decl` turns specifiers and declarators into types and objects, `record` lays out structs and enums,
//! `expr`, `ops`, `call` and `builtin` type expressions, `init` flattens initialisers, `constant`
//! evaluates constant expressions, `formats` takes formats apart, `link` and `merge` put units together, `stmt` resolves statements, `scope` holds the names. The wording of
//! diagnostics is gcc's where gcc has one. What gcc only warns about is accepted.

mod atomic;
mod attribute;
mod builtin;
mod call;
mod constant;
mod decl;
mod excess;
mod expr;
pub mod formats;
mod function;
mod init;
mod link;
mod merge;
mod ops;
mod record;
mod scope;
mod signatures;
mod stmt;
mod typename;
mod variadic;

use crate::ast::{self, Ast};
use crate::diag::Diagnostics;
use crate::hir::{self, Hir};
use crate::lex::Interner;
use crate::lex::token::Symbol;
use crate::source::{SourceMap, Span};
use crate::types::{QualTy, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;

/// Statements and expressions nest at most this deep; the analysis runs on a stack made for it.
pub const MAX_DEPTH: u32 = 20_000;

/// The translation units of a program.
#[derive(Clone, Copy)]
pub struct Units<'a> {
    /// The program's own files.
    pub own: &'a [Ast],
    /// Models of library functions (see [`crate::library`]).
    pub library: &'a [Ast],
}

/// Analyses translation units one after the other into one program.
pub fn analyze(
    units: Units,
    types: Types,
    sources: &SourceMap,
    interner: &mut Interner,
    diags: &mut Diagnostics,
) -> Hir {
    let mut linked = Linked::default();
    let mut hir = Hir::new(types);
    let own = units.own.iter().map(|ast| (ast, false));
    let library = units.library.iter().map(|ast| (ast, true));
    let mut expanded = false;
    for (unit, (ast, library)) in own.chain(library).enumerate() {
        let mut sema = Sema {
            ast,
            unit: unit as u32,
            sources,
            interner,
            diags,
            scopes: Scopes::default(),
            hir,
            linked,
            function: None,
            depth: 0,
            pending_vlas: Vec::new(),
            implicit: FxHashSet::default(),
            free: FxHashSet::default(),
            excess: FxHashSet::default(),
            library,
        };
        if library && !expanded {
            sema.expand_formats();
            expanded = true;
        }
        if !library || sema.is_wanted_unit() {
            sema.unit();
        }
        (hir, linked) = (sema.hir, sema.linked);
    }
    link::link(&mut hir);
    merge::merge(&mut hir);
    for f in hir.funcs.values() {
        let implicit = diags.iter().any(|d| d.span == f.span);
        if f.name == "assert" && f.body.is_none() && !implicit {
            let text = "'assert' has no body; it is taken for the macro of assert.h";
            diags.warning(f.span, text);
        }
    }
    let members = hir
        .types
        .records
        .values()
        .flat_map(|r| r.fields.iter().filter_map(|f| f.name));
    hir.member_names = members.map(|m| (m, interner.text(m).to_owned())).collect();
    hir
}

/// What translation units share: names with external linkage.
#[derive(Default)]
struct Linked {
    vars: FxHashMap<Symbol, hir::Var>,
    funcs: FxHashMap<Symbol, hir::Func>,
    /// Functions that expressions mention, among so many expressions.
    used: FxHashSet<hir::Func>,
    scanned: usize,
}

/// State of the function being analysed.
struct FunctionState {
    func: hir::Func,
    name: String,
    ret: QualTy,
    labels: FxHashMap<Symbol, (hir::Label, bool)>,
    switches: Vec<stmt::SwitchState>,
    loops: u32,
    breakable: u32,
    /// What it has that is not modelled and has no type here.
    beyond: Option<String>,
}

struct Sema<'a> {
    ast: &'a Ast,
    /// Number of the translation unit.
    unit: u32,
    sources: &'a SourceMap,
    interner: &'a mut Interner,
    diags: &'a mut Diagnostics,
    scopes: Scopes,
    hir: Hir,
    linked: Linked,
    function: Option<FunctionState>,
    depth: u32,
    /// Lengths of variable-length arrays met in the declaration at hand.
    pending_vlas: Vec<u32>,
    /// Functions that were called before they were declared.
    implicit: FxHashSet<hir::Func>,
    /// Bodies of quantifiers of which one value is as good as all.
    free: FxHashSet<ast::Expr>,
    /// Conversions from long double that stand for values with excess precision; see [`excess`].
    excess: FxHashSet<hir::Expr>,
    /// Whether the unit has models of library functions: only those in use are taken.
    library: bool,
}

impl<'a> Sema<'a> {
    fn unit(&mut self) {
        for name in crate::parse::BUILTIN_TYPES {
            let symbol = self.interner.intern(name);
            let ty = self.builtin_type(name);
            self.scopes
                .declare(symbol, scope::Entity::Typedef(ty), Span::default());
        }
        let ast = self.ast;
        for decl in &ast.unit {
            self.external(*decl);
        }
        self.check_tentative();
        self.resolve_names();
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diags.error(span, message);
    }

    fn text(&self, symbol: Symbol) -> String {
        self.interner.text(symbol).to_owned()
    }

    fn type_name(&self, ty: impl Into<QualTy>) -> String {
        self.hir.types.name(ty, self.interner)
    }

    /// Guards a recursion; false (with a diagnostic) when the program nests too deep.
    fn enter(&mut self, span: Span) -> bool {
        self.depth += 1;
        if self.depth == MAX_DEPTH {
            self.error(span, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        self.depth < MAX_DEPTH
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn push_stmt(&mut self, kind: hir::StmtKind, span: Span) -> hir::Stmt {
        self.hir.stmts.push(hir::StmtData { kind, span })
    }

    fn push_expr(&mut self, kind: hir::ExprKind, ty: impl Into<QualTy>, span: Span) -> hir::Expr {
        self.hir.exprs.push(hir::ExprData {
            kind,
            ty: ty.into(),
            span,
        })
    }

    fn error_expr(&mut self, span: Span) -> hir::Expr {
        let ty = self.hir.types.error;
        self.push_expr(hir::ExprKind::Int(0), ty, span)
    }

    fn int_expr(&mut self, value: i128, ty: crate::types::Ty, span: Span) -> hir::Expr {
        self.push_expr(hir::ExprKind::Int(value), ty, span)
    }

    fn is_error(&self, e: hir::Expr) -> bool {
        self.hir.ty(e) == self.hir.types.error
    }

    fn span_of(&self, e: ast::Expr) -> Span {
        self.ast.exprs[e].span
    }
}
