//! From the recorded text to a program, first half: numbers and tables.
//!
//! Everything that is declared gets its number before any body is looked at, so the order of
//! declarations in the text is free.

use super::ast::{Attr, Body, Declared, Named, ScopeOf};
use super::error::ErrorKind;
use super::names::{VarNames, local};
use super::reader::Reader;
use super::syntax::{number, unquote};
use crate::entity::{Edge, Loc, Proc, Var};
use crate::pool::{Scope, VarData};
use crate::program::{Action, EdgeData, InputData, LocData, LocKind, ProcData, RegionData};
use crate::ty::Type;
use rustc_hash::FxHashMap;

/// A declaration's name as the program keeps it: the label, else what is written.
fn display<'a>(d: &'a Declared<'a>) -> &'a str {
    d.label.as_deref().unwrap_or(d.text)
}

/// The inverse of a permutation: position by number.
fn by_number(numbers: &[u32]) -> Vec<usize> {
    let mut positions = vec![0; numbers.len()];
    for (position, &n) in numbers.iter().enumerate() {
        positions[n as usize] = position;
    }
    positions
}

impl<'a> Reader<'a> {
    /// Declares everything; bodies follow in [`Reader::elaborate`](super::elaborate).
    pub fn declare(&mut self) {
        self.files();
        self.number_procs();
        self.vars();
        self.inputs();
        self.regions();
        self.loc_table();
        self.proc_data();
        self.edge_ends();
        self.main();
    }

    fn files(&mut self) {
        let ast = self.ast;
        for d in &ast.files {
            if d.label.is_none() || number(d.text, 'f').is_none() {
                self.declaration_error(d.at, "files are declared as in `file f0 \"main.c\";`");
            }
        }
        let names = ast.files.iter().map(|d| (d.at, Some(d.text)));
        let numbers = self.numbers("file", 'f', names);
        for position in by_number(&numbers) {
            self.program
                .files
                .push(display(&ast.files[position]).to_string());
        }
    }

    fn number_procs(&mut self) {
        let ast = self.ast;
        let names = ast.procs.iter().map(|d| &d.name);
        let numbers = self.declared_numbers("procedure", 'p', names);
        self.procs = numbers.iter().map(|&n| Proc::from_u32(n)).collect();
        let mut first = FxHashMap::default();
        for (position, d) in ast.procs.iter().enumerate() {
            if d.name.label.is_some() {
                continue;
            }
            let name = d.name.text;
            if let Some(&at) = first.get(name) {
                self.duplicate(d.name.at, "procedure", name, at);
            }
            first.insert(name, d.name.at);
            self.proc_names.insert(name, self.procs[position]);
        }
    }

    fn vars(&mut self) {
        let ast = self.ast;
        let names = ast.vars.iter().map(|d| &d.name);
        let numbers = self.declared_numbers("variable", 'v', names);
        let mut scopes = Vec::with_capacity(numbers.len());
        let mut first = FxHashMap::default();
        for position in by_number(&numbers) {
            let d = &ast.vars[position];
            let scope = match (d.scope, d.within) {
                (None, None) => Scope::Global,
                (None, Some(p)) => Scope::Local(self.procs[p]),
                (Some(ScopeOf::Auxiliary), _) => Scope::Auxiliary,
                (Some(ScopeOf::Proc(n)), _) => self.scope_of(n),
            };
            scopes.push((position, scope));
            if d.name.label.is_none() {
                let key = (local(scope), d.name.text);
                if let Some(&at) = first.get(&key) {
                    self.duplicate(d.name.at, "variable", d.name.text, at);
                }
                first.insert(key, d.name.at);
            }
            let span = self.span(d.span);
            let v = self.program.pool.declare(VarData {
                name: display(&d.name).to_string(),
                ty: d.ty.unwrap_or(Type::Bool),
                scope,
                span,
            });
            if d.ty.is_none() {
                self.untyped.insert(v);
            }
        }
        // A variable with a quoted name goes by its number alone.
        let entries = scopes.into_iter().enumerate();
        self.names = VarNames::new(entries.filter_map(|(n, (position, scope))| {
            let name = &ast.vars[position].name;
            let v = Var::from_u32(n as u32);
            name.label.is_none().then_some((v, scope, name.text))
        }));
    }

    /// The scope `in n`. A number may be that of a procedure which a pass has removed: its
    /// variables stay, unused, so that the others keep their numbers.
    fn scope_of(&mut self, n: Named<'_>) -> Scope {
        if let Some(Some(p)) = number(n.text, 'p') {
            return Scope::Local(Proc::from_u32(p));
        }
        match self.proc(n) {
            Some(p) => Scope::Local(p),
            None => Scope::Global,
        }
    }

    fn inputs(&mut self) {
        let ast = self.ast;
        let numbers = self.declared_numbers("input", 'i', ast.inputs.iter().map(|d| &d.name));
        let mut first = FxHashMap::default();
        for position in by_number(&numbers) {
            let d = &ast.inputs[position];
            let span = self.span(d.span);
            let input = self.program.inputs.push(InputData {
                name: display(&d.name).to_string(),
                ty: d.ty.unwrap_or(Type::Bool),
                span,
            });
            if d.name.label.is_none() {
                if let Some(&at) = first.get(d.name.text) {
                    self.duplicate(d.name.at, "input", d.name.text, at);
                }
                first.insert(d.name.text, d.name.at);
                self.input_names.insert(d.name.text, input);
            }
        }
    }

    fn regions(&mut self) {
        let ast = self.ast;
        let numbers = self.declared_numbers("region", 'r', ast.regions.iter().map(|d| &d.name));
        for position in by_number(&numbers) {
            let d = &ast.regions[position];
            let span = self.span(d.span);
            let (memory, base) = (self.var(d.memory, None), self.var(d.base, None));
            let (Some(memory), Some(base)) = (memory, base) else {
                continue;
            };
            self.program.regions.push(RegionData {
                name: display(&d.name).to_string(),
                memory,
                base,
                size: d.size,
                span,
            });
        }
    }

    fn loc_table(&mut self) {
        let ast = self.ast;
        let numbers = self.declared_numbers("location", 'l', ast.locs.iter().map(|d| &d.name));
        self.locs = numbers.iter().map(|&n| Loc::from_u32(n)).collect();
        let mut first = FxHashMap::default();
        for position in by_number(&numbers) {
            let d = &ast.locs[position];
            let proc = self.procs[d.proc];
            let span = self.span(d.span);
            let kind = self.loc_kind(&d.attrs);
            let bare_number = d.name.label.is_none() && number(d.name.text, 'l').is_some();
            let name = display(&d.name);
            let loc = self.program.locs.push(LocData {
                proc,
                kind,
                name: (!bare_number).then(|| name.into()),
                span,
            });
            if d.name.label.is_none() && !bare_number {
                if let Some(&at) = first.get(&(proc, name)) {
                    self.duplicate(d.name.at, "location", name, at);
                }
                first.insert((proc, name), d.name.at);
                self.loc_names.insert((proc, name), loc);
            }
        }
    }

    fn loc_kind(&mut self, attrs: &[(u32, Attr<'a>)]) -> LocKind {
        let mut kind = LocKind::Plain;
        for &(at, attr) in attrs {
            let next = match attr {
                Attr::Entry | Attr::Exit => continue,
                Attr::Error(text) => LocKind::Error(self.string(at, text).into()),
                Attr::Incomplete(text) => LocKind::Incomplete(self.string(at, text).into()),
            };
            if kind != LocKind::Plain {
                self.declaration_error(at, "a location has one kind, `error` or `incomplete`");
            }
            kind = next;
        }
        kind
    }

    fn string(&mut self, at: u32, quoted: &str) -> String {
        unquote(quoted).map(String::from).unwrap_or_else(|bad| {
            let message = format!("`{bad}` is no escape sequence");
            self.errors.push(at, ErrorKind::Lexical(message));
            String::new()
        })
    }

    fn proc_data(&mut self) {
        let ast = self.ast;
        let positions = by_number(&self.procs.iter().map(|p| p.as_u32()).collect::<Vec<_>>());
        let (entries, exits) = self.entries_and_exits();
        for position in positions {
            let d = &ast.procs[position];
            let p = Some(self.procs[position]);
            let params = d.params.iter().filter_map(|&n| self.var(n, p)).collect();
            let results = d.results.iter().filter_map(|&n| self.var(n, p)).collect();
            let span = self.span(d.span);
            if entries[position].is_none() {
                let message = format!("procedure `{}` has no `entry` location", d.name.text);
                self.declaration_error(d.name.at, message);
            }
            self.program.procs.push(ProcData {
                name: display(&d.name).to_string(),
                params,
                results,
                entry: entries[position].unwrap_or(Loc::from_u32(0)),
                exit: exits[position],
                span,
            });
        }
    }

    /// Entry and exit by position of the procedure.
    fn entries_and_exits(&mut self) -> (Vec<Option<Loc>>, Vec<Option<Loc>>) {
        let ast = self.ast;
        let mut entries = vec![None; ast.procs.len()];
        let mut exits = vec![None; ast.procs.len()];
        for (position, d) in ast.locs.iter().enumerate() {
            for &(at, attr) in &d.attrs {
                let (slot, what) = match attr {
                    Attr::Entry => (&mut entries[d.proc], "entry"),
                    Attr::Exit => (&mut exits[d.proc], "exit"),
                    _ => continue,
                };
                if slot.is_some() {
                    let message = format!("a procedure has one `{what}` location");
                    self.errors.push(at, ErrorKind::Declaration(message));
                }
                *slot = Some(self.locs[position]);
            }
        }
        (entries, exits)
    }

    fn edge_ends(&mut self) {
        let ast = self.ast;
        let names = ast.edges.iter().map(|d| (d.at, d.label.map(|n| n.text)));
        for d in &ast.edges {
            if let Some(n) = d.label
                && number(n.text, 'e').is_none()
            {
                self.declaration_error(n.at, "edges are numbered as in `e0: l0 -> l1 { skip };`");
            }
        }
        let numbers = self.numbers("edge", 'e', names);
        self.edges = numbers.iter().map(|&n| Edge::from_u32(n)).collect();
        let skip = self.program.cmds.skip();
        let mut within = vec![Proc::from_u32(0); ast.edges.len()];
        for (p, body) in &ast.bodies {
            if let Body::Edge(position) = body {
                within[*position] = self.procs[p.expect("edges stand in procedures only")];
            }
        }
        for position in by_number(&numbers) {
            let d = &ast.edges[position];
            let span = self.span(d.span);
            let from = self.loc(d.from, within[position]);
            let to = self.loc(d.to, within[position]);
            self.program.edges.push(EdgeData {
                from: from.unwrap_or(Loc::from_u32(0)),
                to: to.unwrap_or(Loc::from_u32(0)),
                action: Action::Cmd(skip),
                span,
            });
        }
    }

    /// The `main` line, else the procedure of that name, else the only one.
    fn main(&mut self) {
        let found = match self.ast.main {
            Some(n) => self.proc(n),
            None => match self.proc_names.get("main") {
                Some(&p) => Some(p),
                None if self.procs.len() > 1 => {
                    let at = self.source.len() as u32;
                    self.declaration_error(at, "which procedure is first? write `main NAME;`");
                    None
                }
                None => None,
            },
        };
        self.program.main = found.unwrap_or(Proc::from_u32(0));
    }
}
