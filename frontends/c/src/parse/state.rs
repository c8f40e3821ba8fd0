//! What the grammar's actions share with the token feed: the tree, the scopes, the diagnostics.

pub use super::scope::Mark;
use super::scope::Scopes;
use super::specs::empty_specs;
use crate::ast::*;
use crate::diag::Diagnostics;
use crate::lex::raw::Raw;
use crate::lex::token::{AsideId, Interner, StrId, Symbol, Tok};
use crate::lex::{Token, TokenBuffer};
use crate::source::Span;
use cranelift_entity::PrimaryMap;
use std::cell::{Cell, RefCell};

/// Shared state of one parse.
pub struct State {
    pub(super) ast: RefCell<Ast>,
    pub(super) scopes: RefCell<Scopes>,
    pub(super) diags: RefCell<Diagnostics>,
    pub(super) interner: RefCell<Interner>,
    pub(super) asides: PrimaryMap<AsideId, Vec<Token>>,
    /// End of the last complete external declaration.
    pub(super) done: Cell<u32>,
}

/// Type names that gcc and CBMC predeclare.
pub const BUILTIN_TYPES: &[&str] = &[
    "__CPROVER_bool",
    "__CPROVER_size_t",
    "__CPROVER_ssize_t",
    "__builtin_va_list",
    "_Float16",
    "_Float32",
    "_Float64",
    "_Float128",
    "_Float32x",
    "_Float64x",
    "__float128",
    "__float80",
];

impl State {
    pub(super) fn new(
        buffer: &mut TokenBuffer,
        mut interner: Interner,
        diags: Diagnostics,
    ) -> Self {
        let mut scopes = Scopes::default();
        for name in BUILTIN_TYPES {
            scopes.declare(interner.intern(name), true);
        }
        let strings = std::mem::take(&mut buffer.strings);
        State {
            ast: RefCell::new(Ast {
                strings,
                weak: std::mem::take(&mut buffer.weak),
                ..Ast::default()
            }),
            scopes: RefCell::new(scopes),
            diags: RefCell::new(diags),
            interner: RefCell::new(interner),
            asides: std::mem::take(&mut buffer.asides),
            done: Cell::new(0),
        }
    }

    pub(super) fn error(&self, span: Span, message: impl Into<String>) {
        self.diags.borrow_mut().error(span, message);
    }

    // Scopes.

    pub(super) fn save(&self) -> Mark {
        self.scopes.borrow().save()
    }

    pub(super) fn restore(&self, mark: Mark) {
        self.scopes.borrow_mut().restore(mark);
    }

    pub(super) fn take_scope(&self, mark: Mark) -> Vec<(Symbol, bool)> {
        self.scopes.borrow_mut().take(mark)
    }

    pub(super) fn is_typedef(&self, name: Symbol) -> bool {
        self.scopes.borrow().is_typedef(name)
    }

    pub(super) fn declare(&self, name: Symbol, typedef: bool) {
        self.scopes.borrow_mut().declare(name, typedef);
    }

    pub(super) fn declare_declarator(&self, d: &Declarator, typedef: bool) {
        if let Some(name) = d.name {
            self.declare(name, typedef);
        }
    }

    /// Opens the scope of a function definition: its parameters are declared again.
    pub(super) fn enter_function(&self, d: &Declarator) -> Mark {
        let mut scopes = self.scopes.borrow_mut();
        let mark = scopes.save();
        if let Some(Chunk::Function { scope, .. }) = d.chunks.first() {
            for (name, typedef) in scope {
                scopes.declare(*name, *typedef);
            }
        }
        mark
    }

    // Nodes.

    pub(super) fn expr(&self, lo: u32, hi: u32, kind: ExprKind) -> Expr {
        self.ast.borrow_mut().exprs.push(Node {
            kind,
            span: Span::new(lo, hi),
        })
    }

    pub(super) fn binary(&self, op: BinOp, left: Expr, right: Expr) -> Expr {
        let mut ast = self.ast.borrow_mut();
        let span = ast.exprs[left].span.to(ast.exprs[right].span);
        ast.exprs.push(Node {
            kind: ExprKind::Binary(op, left, right),
            span,
        })
    }

    pub(super) fn stmt(&self, lo: u32, hi: u32, kind: StmtKind) -> Stmt {
        self.ast.borrow_mut().stmts.push(Node {
            kind,
            span: Span::new(lo, hi),
        })
    }

    pub(super) fn decl(&self, lo: u32, hi: u32, kind: DeclKind) -> Decl {
        self.ast.borrow_mut().decls.push(Node {
            kind,
            span: Span::new(lo, hi),
        })
    }

    pub(super) fn init(&self, lo: u32, hi: u32, kind: InitKind) -> Init {
        self.ast.borrow_mut().inits.push(Node {
            kind,
            span: Span::new(lo, hi),
        })
    }

    pub(super) fn specs(&self, data: SpecsData) -> Specs {
        self.ast.borrow_mut().specs.push(data)
    }

    pub(super) fn add_attrs(&self, specs: Specs, attrs: Vec<Attribute>) -> Specs {
        self.ast.borrow_mut().specs[specs].attrs.extend(attrs);
        specs
    }

    pub(super) fn implicit_int(&self, at: u32) -> Specs {
        self.specs(empty_specs(Span::new(at, at)))
    }

    pub(super) fn type_name(&self, specs: Specs, declarator: Declarator) -> TypeName {
        self.ast
            .borrow_mut()
            .type_names
            .push(TypeNameData { specs, declarator })
    }

    pub(super) fn function(
        &self,
        lo: u32,
        hi: u32,
        (mark, specs, declarator): (Mark, Specs, Declarator),
        knr: Vec<Decl>,
        body: Stmt,
    ) -> Decl {
        self.restore(mark);
        self.decl(
            lo,
            hi,
            DeclKind::Function {
                specs,
                declarator,
                knr,
                body,
            },
        )
    }

    /// The text of `asm("name")`.
    pub(super) fn asm_text(&self, id: AsideId) -> String {
        let texts = self.asides[id].iter().filter_map(|t| match t.tok {
            Tok::Str(s) => Some(self.text_of(s)),
            _ => None,
        });
        texts.collect()
    }

    pub(super) fn text_of(&self, s: StrId) -> String {
        let units = &self.ast.borrow().strings[s].units;
        units.iter().filter_map(|u| char::from_u32(*u)).collect()
    }

    /// Whether an asm statement has an empty template, no outputs, and inputs without effects.
    pub(super) fn is_barrier(&self, id: AsideId) -> bool {
        let [
            open,
            Token {
                tok: Tok::Str(s), ..
            },
            rest @ ..,
        ] = self.asides[id].as_slice()
        else {
            return false;
        };
        let empty = self.text_of(*s).trim().is_empty();
        let colon = Tok::Punct(Raw::Colon);
        let plain = |t: &Token| {
            matches!(
                t.tok,
                Tok::Name(_)
                    | Tok::Str(_)
                    | Tok::Int(_)
                    | Tok::Punct(
                        Raw::LParen
                            | Raw::RParen
                            | Raw::Colon
                            | Raw::Comma
                            | Raw::Amp
                            | Raw::Star
                            | Raw::Dot
                            | Raw::Arrow
                    )
            )
        };
        let no_outputs = match rest {
            [first, second, ..] if first.tok == colon => second.tok == colon || rest.len() == 2,
            _ => rest.len() == 1,
        };
        open.tok == Tok::Punct(Raw::LParen) && empty && no_outputs && rest.iter().all(plain)
    }

    pub(super) fn nested_function(&self, decl: Decl) {
        let ast = self.ast.borrow();
        if let DeclKind::Function { declarator, .. } = &ast.decls[decl].kind {
            let interner = self.interner.borrow();
            let name = declarator.name.map_or("", |n| interner.text(n));
            let message =
                format!("nested function '{name}' is not supported; move it to file scope");
            self.error(declarator.span, message);
        }
    }

    pub(super) fn external(&self, decl: Decl) {
        let mut ast = self.ast.borrow_mut();
        self.done.set(ast.decls[decl].span.hi);
        ast.unit.push(decl);
    }
}
