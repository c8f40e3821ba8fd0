//! Name spaces: ordinary identifiers and tags, with block scopes.

use crate::hir;
use crate::lex::token::Symbol;
use crate::source::Span;
use crate::types::{QualTy, Ty};
use rustc_hash::FxHashMap;

/// What an ordinary identifier stands for.
#[derive(Clone, Copy, Debug)]
pub enum Entity {
    /// A type.
    Typedef(QualTy),
    /// An object.
    Var(hir::Var),
    /// A function.
    Func(hir::Func),
    /// An enumeration constant.
    Constant(i128, Ty),
}

/// A declaration in some scope.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// What it is.
    pub entity: Entity,
    /// Where it was declared.
    pub span: Span,
    depth: u32,
}

/// Struct, union and enum tags.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    /// The type.
    pub ty: Ty,
    depth: u32,
}

enum Undo {
    Name(Symbol, Option<Binding>),
    Tag(Symbol, Option<Tag>),
}

/// All scopes; closing one undoes its declarations.
#[derive(Default)]
pub struct Scopes {
    names: FxHashMap<Symbol, Binding>,
    tags: FxHashMap<Symbol, Tag>,
    log: Vec<Undo>,
    marks: Vec<usize>,
}

impl Scopes {
    /// Number of open block scopes.
    pub fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.marks.push(self.log.len());
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.log.len() > mark {
            match self.log.pop() {
                Some(Undo::Name(name, Some(old))) => {
                    self.names.insert(name, old);
                }
                Some(Undo::Name(name, None)) => {
                    self.names.remove(&name);
                }
                Some(Undo::Tag(name, Some(old))) => {
                    self.tags.insert(name, old);
                }
                Some(Undo::Tag(name, None)) => {
                    self.tags.remove(&name);
                }
                None => return,
            }
        }
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, name: Symbol, entity: Entity, span: Span) {
        let binding = Binding {
            entity,
            span,
            depth: self.depth(),
        };
        let old = self.names.insert(name, binding);
        if !self.marks.is_empty() {
            self.log.push(Undo::Name(name, old));
        }
    }

    /// Declares a name at file scope (implicit functions live as long as their unit).
    pub fn lookup(&self, name: Symbol) -> Option<Binding> {
        self.names.get(&name).copied()
    }

    /// The declaration in the innermost scope only.
    pub fn lookup_here(&self, name: Symbol) -> Option<Binding> {
        self.lookup(name).filter(|b| b.depth == self.depth())
    }

    /// Declares a tag in the innermost scope.
    pub fn declare_tag(&mut self, name: Symbol, ty: Ty) {
        let old = self.tags.insert(
            name,
            Tag {
                ty,
                depth: self.depth(),
            },
        );
        if !self.marks.is_empty() {
            self.log.push(Undo::Tag(name, old));
        }
    }

    /// The type of a tag.
    pub fn lookup_tag(&self, name: Symbol) -> Option<Ty> {
        self.tags.get(&name).map(|t| t.ty)
    }

    /// The type of a tag of the innermost scope only.
    pub fn lookup_tag_here(&self, name: Symbol) -> Option<Ty> {
        self.tags
            .get(&name)
            .filter(|t| t.depth == self.depth())
            .map(|t| t.ty)
    }
}
