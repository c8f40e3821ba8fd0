//! Prints programs in canonical form: every entity with its number or a bare name that finds it.
//!
//! Short commands stay on the line of their edge; longer ones get a line per step. A shared term
//! is defined before the first edge that needs it.

use super::VERSION;
use super::print::TermPrinter;
use super::share::Sharing;
use super::syntax::{is_plain, quote};
use crate::entity::{Edge, Loc, Proc, Term, Var};
use crate::pool::Scope;
use crate::program::{Action, Call, LocKind, Program};
use crate::source::Span;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::fmt::{Display, Write};

/// The width that edges on one line keep to.
pub(super) const LINE: usize = 100;

/// The text of `program`.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::new(program);
    printer.program();
    printer.out
}

pub(super) struct Printer<'a> {
    pub p: &'a Program,
    pub terms: TermPrinter<'a>,
    sharing: Sharing,
    /// The text of each procedure's name where others refer to it.
    proc_refs: Vec<String>,
    pub out: String,
}

impl<'a> Printer<'a> {
    fn new(p: &'a Program) -> Printer<'a> {
        let mut count: FxHashMap<&str, u32> = FxHashMap::default();
        for d in p.procs.values() {
            *count.entry(&d.name).or_default() += 1;
        }
        let proc_refs = p.procs.iter().map(|(proc, d)| {
            if count[d.name.as_str()] == 1 && is_plain(&d.name, 'p') {
                d.name.clone()
            } else {
                proc.to_string()
            }
        });
        let roots = p.edges.values().flat_map(|d| action_terms(p, &d.action));
        Printer {
            p,
            terms: TermPrinter::new(&p.pool),
            sharing: Sharing::new(&p.pool, roots),
            proc_refs: proc_refs.collect(),
            out: String::new(),
        }
    }

    pub fn put(&mut self, item: impl Display) {
        write!(self.out, "{item}").expect("writing to a string");
    }

    fn program(&mut self) {
        self.put(format_args!("ivl {VERSION};\n"));
        self.declarations();
        let p = self.p;
        let mut locs = vec![Vec::new(); p.procs.len()];
        for (l, d) in p.locs.iter() {
            if let Some(list) = locs.get_mut(d.proc.index()) {
                list.push(l);
            }
        }
        let mut edges = vec![Vec::new(); p.procs.len()];
        for (e, d) in p.edges.iter() {
            let proc = p.locs.get(d.from).map(|l| l.proc.index());
            if let Some(list) = proc.and_then(|i| edges.get_mut(i)) {
                list.push(e);
            }
        }
        for proc in p.procs.keys() {
            self.procedure(proc, &locs[proc.index()], &edges[proc.index()]);
        }
        if p.procs.is_valid(p.main) {
            self.put("\nmain ");
            self.proc_ref(p.main);
            self.put(";\n");
        }
    }

    fn declarations(&mut self) {
        let p = self.p;
        for (f, name) in p.files.iter() {
            self.put(format_args!("file {f} "));
            quote(&mut self.out, name);
            self.put(";\n");
        }
        self.gap(p.pool.vars().len());
        for (v, d) in p.pool.vars().iter() {
            self.put("var ");
            self.name(v, &d.name, self.terms.declared_plain(v));
            self.put(format_args!(": {}", d.ty));
            match d.scope {
                Scope::Global => {}
                Scope::Auxiliary => self.put(" auxiliary"),
                Scope::Local(proc) => {
                    self.put(" in ");
                    self.proc_ref(proc);
                }
            }
            self.end(d.span);
        }
        self.gap(p.inputs.len());
        for (i, d) in p.inputs.iter() {
            self.put("input ");
            self.name(i, &d.name, false);
            self.put(format_args!(": {}", d.ty));
            self.end(d.span);
        }
        self.gap(p.regions.len());
        for (r, d) in p.regions.iter() {
            self.put("region ");
            self.name(r, &d.name, false);
            self.put(" memory ");
            self.terms.var(&mut self.out, d.memory, None);
            self.put(" base ");
            self.terms.var(&mut self.out, d.base, None);
            if let Some(size) = d.size {
                self.put(format_args!(" size {size}"));
            }
            self.end(d.span);
        }
    }

    /// An empty line before a group that is not empty.
    fn gap(&mut self, items: usize) {
        if items > 0 {
            self.put("\n");
        }
    }

    /// A declared name: bare, else the number, with the name in quotes where it differs.
    fn name(&mut self, entity: impl Display, name: &str, plain: bool) {
        if plain {
            self.put(name);
            return;
        }
        let start = self.out.len();
        self.put(entity);
        if &self.out[start..] != name {
            self.put(" ");
            quote(&mut self.out, name);
        }
    }

    fn proc_ref(&mut self, proc: Proc) {
        match self.proc_refs.get(proc.index()) {
            Some(name) => self.out.push_str(name),
            None => self.put(proc), // of a removed procedure
        }
    }

    fn end(&mut self, span: Span) {
        if span.is_some() {
            self.put(format_args!(" at {span}"));
        }
        self.put(";\n");
    }

    fn procedure(&mut self, proc: Proc, locs: &[Loc], edges: &[Edge]) {
        let d = &self.p.procs[proc];
        self.put("\nproc ");
        let plain = self.proc_refs[proc.index()] == d.name && is_plain(&d.name, 'p');
        self.name(proc, &d.name, plain);
        self.vars(&d.params, proc);
        if !d.results.is_empty() {
            self.put(" returns ");
            self.vars(&d.results, proc);
        }
        if d.span.is_some() {
            self.put(format_args!(" at {}", d.span));
        }
        self.put(" {\n");
        for &l in locs {
            self.location(proc, l);
        }
        for &e in edges {
            self.edge(proc, e);
        }
        self.put("}\n");
    }

    fn vars(&mut self, vars: &[Var], within: Proc) {
        self.put("(");
        for (i, &v) in vars.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            self.terms.var(&mut self.out, v, Some(within));
        }
        self.put(")");
    }

    fn location(&mut self, proc: Proc, l: Loc) {
        let (p, d) = (&self.p.procs[proc], &self.p.locs[l]);
        self.put(format_args!("  loc {l}"));
        if let Some(name) = &d.name {
            self.put(" ");
            quote(&mut self.out, name);
        }
        if p.entry == l {
            self.put(" entry");
        }
        if p.exit == Some(l) {
            self.put(" exit");
        }
        let (word, text) = match &d.kind {
            LocKind::Plain => ("", ""),
            LocKind::Error(property) => (" error ", &**property),
            LocKind::Incomplete(reason) => (" incomplete ", &**reason),
        };
        self.put(word);
        if !word.is_empty() {
            quote(&mut self.out, text);
        }
        self.end(d.span);
    }

    fn edge(&mut self, proc: Proc, e: Edge) {
        let d = &self.p.edges[e];
        for root in action_terms(self.p, &d.action) {
            for t in self.sharing.definitions(&self.p.pool, root) {
                self.put("  ");
                self.terms
                    .definition(&mut self.out, t, Some(proc), &self.sharing);
                self.put("\n");
            }
        }
        let line = self.out.len();
        self.put(format_args!("  {e}: {} -> {} ", d.from, d.to));
        match &d.action {
            Action::Call(call) => self.call(proc, call),
            Action::Cmd(c) => {
                let start = self.out.len();
                self.put("{ ");
                if self.inline(*c, proc, line + LINE) {
                    self.put(" }");
                } else {
                    self.out.truncate(start);
                    self.block(*c, proc);
                }
            }
        }
        self.end(d.span);
    }

    fn call(&mut self, within: Proc, call: &Call) {
        self.put("call ");
        self.proc_ref(call.callee);
        self.put("(");
        for (i, &t) in call.args.iter().enumerate() {
            self.put(if i > 0 { ", " } else { "" });
            self.term(t, within, usize::MAX);
        }
        self.put(")");
        if !call.results.is_empty() {
            self.put(" -> ");
            self.vars(&call.results, within);
        }
    }

    pub fn term(&mut self, t: Term, within: Proc, limit: usize) -> bool {
        self.terms
            .term(&mut self.out, t, Some(within), &self.sharing, limit)
    }
}

/// The terms of an action in textual order.
fn action_terms(p: &Program, action: &Action) -> Vec<Term> {
    match action {
        Action::Cmd(c) => p.cmds.terms(*c),
        Action::Call(call) => call.args.clone(),
    }
}
