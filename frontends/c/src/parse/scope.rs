//! Which names are typedef names now: an undo log, so that saving a scope is one number.

use crate::lex::token::Symbol;
use cranelift_entity::EntityRef;

/// A point in the undo log.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

/// The table.
#[derive(Debug, Default)]
pub struct Scopes {
    typedef: Vec<bool>,
    log: Vec<(Symbol, bool)>,
}

impl Scopes {
    /// Whether a name is a typedef name.
    pub fn is_typedef(&self, name: Symbol) -> bool {
        self.typedef.get(name.index()).copied().unwrap_or(false)
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, name: Symbol, typedef: bool) {
        let old = self.is_typedef(name);
        if self.typedef.len() <= name.index() {
            self.typedef.resize(name.index() + 1, false);
        }
        self.typedef[name.index()] = typedef;
        self.log.push((name, old));
    }

    /// The current point.
    pub fn save(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Undoes every declaration since.
    pub fn restore(&mut self, mark: Mark) {
        while self.log.len() > mark.0 {
            if let Some((name, old)) = self.log.pop() {
                self.typedef[name.index()] = old;
            }
        }
    }

    /// Undoes every declaration since, and returns them.
    pub fn take(&mut self, mark: Mark) -> Vec<(Symbol, bool)> {
        let tail = self.log.get(mark.0..).unwrap_or(&[]);
        let names = tail
            .iter()
            .map(|(name, _)| (*name, self.is_typedef(*name)))
            .collect();
        self.restore(mark);
        names
    }
}
