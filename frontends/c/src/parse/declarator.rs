//! Building declarators from the name outward.

use crate::ast::{ArrayLen, Attribute, Chunk, Declarator, Expr, Quals};
use crate::lex::token::Symbol;
use crate::source::Span;

impl Declarator {
    /// Just a name.
    pub(crate) fn named(name: Symbol, span: Span) -> Self {
        Declarator {
            name: Some(name),
            span,
            ..Declarator::default()
        }
    }

    /// No name.
    pub(crate) fn unnamed(span: Span) -> Self {
        Declarator {
            span,
            ..Declarator::default()
        }
    }

    /// One more derivation outside.
    pub(crate) fn derived(mut self, chunk: Chunk) -> Self {
        self.chunks.push(chunk);
        self
    }

    /// Pointers in front; the last star is the nearest to the name.
    pub(crate) fn pointing(mut self, stars: Vec<Chunk>) -> Self {
        self.chunks.extend(stars.into_iter().rev());
        self
    }

    /// With attributes.
    pub(crate) fn attributed(mut self, attrs: Option<Vec<Attribute>>) -> Self {
        self.attrs.extend(attrs.unwrap_or_default());
        self
    }

    /// With an asm label.
    pub(crate) fn labelled(mut self, label: Option<String>) -> Self {
        self.asm_label = label.or(self.asm_label);
        self
    }

    /// As a bit-field.
    pub(crate) fn bits(mut self, width: Expr) -> Self {
        self.width = Some(width);
        self
    }
}

impl Chunk {
    pub(crate) fn array(len: ArrayLen, quals: Vec<Quals>) -> Self {
        Chunk::Array {
            len,
            quals: quals.into_iter().fold(Quals::NONE, Quals::with),
        }
    }

    pub(crate) fn qualified(mut self, more: Quals) -> Self {
        if let Chunk::Pointer { quals, .. } = &mut self {
            *quals = quals.with(more);
        }
        self
    }

    pub(crate) fn attributed(mut self, more: Vec<Attribute>) -> Self {
        if let Chunk::Pointer { attrs, .. } = &mut self {
            attrs.extend(more);
        }
        self
    }
}
