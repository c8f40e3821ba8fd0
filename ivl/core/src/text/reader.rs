//! A program in the making: what is known so far, what names and numbers stand for, and errors.
//!
//! A number is the one written (`l7`), else the lowest that nothing of its kind claims; the
//! numbers of each kind have to be 0 up to some n.

use super::ast::{Ast, Declared, Named, SpanOf};
use super::error::{ErrorKind, Errors, Lines};
use super::names::{Meaning, VarNames};
use super::syntax::number;
use crate::entity::{Cmd, Edge, File, Input, Loc, Proc, Term, Var};
use crate::nearest::nearest;
use crate::program::Program;
use crate::source::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Suggestions search all names; a text full of errors gets them for the first errors only.
const SUGGESTIONS: usize = 20;

/// A program in the making.
pub struct Reader<'a> {
    pub ast: &'a Ast<'a>,
    pub source: &'a str,
    /// Made when the first duplicate is reported.
    lines: Option<Lines>,
    pub program: Program,
    pub errors: Errors,
    pub names: VarNames<'a>,
    /// Procedures by position.
    pub procs: Vec<Proc>,
    /// Edges by position.
    pub edges: Vec<Edge>,
    /// Locations by position.
    pub locs: Vec<Loc>,
    pub proc_names: FxHashMap<&'a str, Proc>,
    pub loc_names: FxHashMap<(Proc, &'a str), Loc>,
    pub input_names: FxHashMap<&'a str, Input>,
    /// Variables whose declaration has no valid type.
    pub untyped: BTreeSet<Var>,
    /// Values of the expression nodes worked off so far.
    pub terms: Vec<Option<Term>>,
    /// Values of the command nodes worked off so far.
    pub cmds: Vec<Cmd>,
    pub lets: FxHashMap<&'a str, Option<Term>>,
}

impl<'a> Reader<'a> {
    pub fn new(ast: &'a Ast<'a>, source: &'a str, program: Program, errors: Errors) -> Self {
        Reader {
            ast,
            source,
            lines: None,
            program,
            errors,
            names: VarNames::default(),
            procs: Vec::new(),
            edges: Vec::new(),
            locs: Vec::new(),
            proc_names: FxHashMap::default(),
            loc_names: FxHashMap::default(),
            input_names: FxHashMap::default(),
            untyped: BTreeSet::new(),
            terms: Vec::new(),
            cmds: Vec::new(),
            lets: FxHashMap::default(),
        }
    }

    // ---- errors

    pub fn declaration_error(&mut self, at: u32, message: impl Into<String>) {
        self.errors.push(at, ErrorKind::Declaration(message.into()));
    }

    /// An unknown name; `known` are the names that could have been meant.
    pub fn unknown(
        &mut self,
        n: Named<'_>,
        what: &'static str,
        known: impl FnOnce(&Self) -> Vec<&'a str>,
    ) {
        let near = if self.errors.len() < SUGGESTIONS {
            nearest(n.text, known(self)).map(str::to_string)
        } else {
            None
        };
        let kind = ErrorKind::Unknown {
            what,
            name: n.text.to_string(),
            nearest: near,
        };
        self.errors.push(n.at, kind);
    }

    pub fn duplicate(&mut self, at: u32, what: &'static str, name: &str, first: u32) {
        let lines = self.lines.get_or_insert_with(|| Lines::new(self.source));
        let kind = ErrorKind::Duplicate {
            what,
            name: name.to_string(),
            first: lines.line(first),
        };
        self.errors.push(at, kind);
    }

    // ---- numbering

    /// The number of each declaration by position: always a permutation, also after errors.
    pub fn numbers(
        &mut self,
        what: &'static str,
        prefix: char,
        names: impl ExactSizeIterator<Item = (u32, Option<&'a str>)>,
    ) -> Vec<u32> {
        let len = names.len();
        let mut owner: Vec<Option<u32>> = vec![None; len]; // offset of the declaration, by number
        let mut result = vec![u32::MAX; len];
        for (position, (at, text)) in names.enumerate() {
            let Some(text) = text else { continue };
            match number(text, prefix) {
                None => {}
                Some(Some(n)) if (n as usize) < len => match owner[n as usize] {
                    None => {
                        owner[n as usize] = Some(at);
                        result[position] = n;
                    }
                    Some(first) => self.duplicate(at, what, text, first),
                },
                Some(_) => {
                    let message = format!(
                        "{what} `{text}` leaves a gap: {len} declared, so they run from \
                         `{prefix}0` to `{prefix}{}`",
                        len - 1
                    );
                    self.declaration_error(at, message);
                }
            }
        }
        let mut free = (0..len as u32).filter(|&n| owner[n as usize].is_none());
        for n in result.iter_mut().filter(|n| **n == u32::MAX) {
            *n = free
                .next()
                .expect("as many free numbers as unnumbered declarations");
        }
        result
    }

    pub fn declared_numbers(
        &mut self,
        what: &'static str,
        prefix: char,
        names: impl ExactSizeIterator<Item = &'a Declared<'a>> + Clone,
    ) -> Vec<u32> {
        for d in names.clone() {
            if d.label.is_some() && number(d.text, prefix).is_none() {
                let message = format!("a quoted name follows a number: `{prefix}0 \"...\"`");
                self.declaration_error(d.at, message);
            }
        }
        self.numbers(what, prefix, names.map(|d| (d.at, Some(d.text))))
    }

    /// The number that `n` stands for, where it has the shape of one.
    pub fn numbered(
        &mut self,
        n: Named<'_>,
        prefix: char,
        what: &'static str,
        len: usize,
    ) -> Option<Option<u32>> {
        let written = number(n.text, prefix)?;
        let valid = written.filter(|&n| (n as usize) < len);
        if valid.is_none() {
            self.unknown(n, what, |_| Vec::new());
        }
        Some(valid)
    }

    // ---- references

    pub fn span(&mut self, span: Option<SpanOf<'_>>) -> Span {
        let Some(s) = span else { return Span::NONE };
        let len = self.program.files.len();
        match self.numbered(s.file, 'f', "file", len) {
            Some(Some(n)) => return Span::new(File::from_u32(n), s.line, s.column),
            Some(None) => {}
            None => self.unknown(s.file, "file", |_| Vec::new()),
        }
        Span::NONE
    }

    pub fn var(&mut self, n: Named<'_>, within: Option<Proc>) -> Option<Var> {
        let len = self.program.pool.vars().len();
        if let Some(found) = self.numbered(n, 'v', "variable", len) {
            return found.map(Var::from_u32);
        }
        match self.names.lookup(within, n.text) {
            Some(Meaning::One(v)) => Some(v),
            Some(Meaning::Several) => {
                let name = n.text.to_string();
                self.errors.push(n.at, ErrorKind::Ambiguous { name });
                None
            }
            None => {
                self.unknown(n, "variable", |s| s.names.visible(within).collect());
                None
            }
        }
    }

    pub fn input(&mut self, n: Named<'_>) -> Option<Input> {
        let len = self.ast.inputs.len();
        if let Some(found) = self.numbered(n, 'i', "input", len) {
            return found.map(Input::from_u32);
        }
        let found = self.input_names.get(n.text).copied();
        if found.is_none() {
            self.unknown(n, "input", |s| s.input_names.keys().copied().collect());
        }
        found
    }

    pub fn proc(&mut self, n: Named<'_>) -> Option<Proc> {
        let len = self.procs.len();
        if let Some(found) = self.numbered(n, 'p', "procedure", len) {
            return found.map(Proc::from_u32);
        }
        let found = self.proc_names.get(n.text).copied();
        if found.is_none() {
            self.unknown(n, "procedure", |s| s.proc_names.keys().copied().collect());
        }
        found
    }

    pub fn loc(&mut self, n: Named<'_>, within: Proc) -> Option<Loc> {
        let len = self.program.locs.len();
        if let Some(found) = self.numbered(n, 'l', "location", len) {
            return found.map(Loc::from_u32);
        }
        let found = self.loc_names.get(&(within, n.text)).copied();
        if found.is_none() {
            self.unknown(n, "location", |s| {
                let names = s.loc_names.keys().filter(|(p, _)| *p == within);
                names.map(|(_, name)| *name).collect()
            });
        }
        found
    }
}
