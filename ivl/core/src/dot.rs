//! Programs as Graphviz graphs, for looking at them: one cluster per procedure.
//!
//! Entry green, exit grey, error red, incomplete orange; edges carry their commands in the syntax
//! of the text form, shortened to fit a picture.

use crate::cmd::CmdView;
use crate::entity::{Cmd, Edge, Loc, Proc};
use crate::program::{Action, Call, LocKind, Program};
use crate::text::TermPrinter;
use cranelift_entity::EntityRef;
use std::fmt::Write;

/// Characters of a line in a label.
const LINE: usize = 60;

/// Lines of a label.
const LINES: usize = 12;

/// The program in the DOT language.
pub fn dot(program: &Program) -> String {
    let mut drawing = Drawing {
        p: program,
        terms: TermPrinter::new(&program.pool),
        out: String::from(
            "digraph program {\n  node [shape=box, style=\"rounded,filled\", \
             fillcolor=white, fontname=monospace];\n  edge [fontname=monospace];\n",
        ),
    };
    let mut locs = vec![Vec::new(); program.procs.len()];
    for (l, d) in program.locs.iter() {
        if let Some(list) = locs.get_mut(d.proc.index()) {
            list.push(l);
        }
    }
    for proc in program.procs.keys() {
        drawing.cluster(proc, &locs[proc.index()]);
    }
    for e in program.edges.keys() {
        drawing.edge(e);
    }
    drawing.out.push_str("}\n");
    drawing.out
}

struct Drawing<'a> {
    p: &'a Program,
    terms: TermPrinter<'a>,
    out: String,
}

impl Drawing<'_> {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        self.out.write_fmt(text).expect("writing to a string");
    }

    fn cluster(&mut self, proc: Proc, locs: &[Loc]) {
        let name = escape(&cut(&self.p.procs[proc].name, LINE));
        self.put(format_args!(
            "  subgraph cluster_{proc} {{\n    label=\"{name}\";\n"
        ));
        for &l in locs {
            self.location(proc, l);
        }
        self.put(format_args!("  }}\n"));
    }

    fn location(&mut self, proc: Proc, l: Loc) {
        let (p, d) = (&self.p.procs[proc], &self.p.locs[l]);
        let mut label = l.to_string();
        let kind = match &d.kind {
            LocKind::Plain => None,
            LocKind::Error(text) | LocKind::Incomplete(text) => Some(text),
        };
        for text in d.name.iter().chain(kind) {
            label.push('\n');
            label.push_str(&cut(text, LINE));
        }
        let colour = match &d.kind {
            LocKind::Error(_) => "red",
            LocKind::Incomplete(_) => "orange",
            LocKind::Plain if p.entry == l => "green",
            LocKind::Plain if p.exit == Some(l) => "grey",
            LocKind::Plain => "white",
        };
        let label = escape(&label);
        self.put(format_args!(
            "    {l} [label=\"{label}\", fillcolor={colour}];\n"
        ));
    }

    fn edge(&mut self, e: Edge) {
        let d = &self.p.edges[e];
        let within = self.p.locs.get(d.from).map(|l| l.proc);
        let mut lines = vec![e.to_string()];
        match &d.action {
            Action::Cmd(c) => self.command(*c, within, &mut lines),
            Action::Call(call) => lines.push(self.call(call, within)),
        }
        if lines.len() > LINES {
            lines.truncate(LINES - 1);
            lines.push("...".into());
        }
        let lines: Vec<String> = lines.iter().map(|line| escape(&cut(line, LINE))).collect();
        // `\l` ends a line that is set flush left.
        let label = lines.join("\\l");
        self.put(format_args!(
            "  {} -> {} [label=\"{label}\\l\"];\n",
            d.from, d.to
        ));
    }

    fn call(&mut self, call: &Call, within: Option<Proc>) -> String {
        let callee = self.p.procs.get(call.callee);
        let name = callee.map_or("?", |d| d.name.as_str());
        let args = call.args.iter();
        let args: Vec<String> = args.map(|&t| self.terms.short(t, within, LINE)).collect();
        let mut text = format!("call {name}({})", args.join(", "));
        if !call.results.is_empty() {
            let results = call.results.iter();
            let results: Vec<String> = results.map(|&v| self.terms.name(v, within)).collect();
            write!(text, " -> ({})", results.join(", ")).expect("writing to a string");
        }
        text
    }

    /// One line per step, until there are too many.
    fn command(&mut self, c: Cmd, within: Option<Proc>, lines: &mut Vec<String>) {
        let mut stack = vec![Piece::Cmd(c)];
        while let Some(piece) = stack.pop() {
            if lines.len() > LINES {
                return;
            }
            let c = match piece {
                Piece::Line(text) => {
                    lines.push(text.into());
                    continue;
                }
                Piece::Cmd(c) => c,
            };
            match self.p.cmds.view(c) {
                CmdView::Skip => lines.push("skip".into()),
                CmdView::Assume(t) => {
                    lines.push(format!("assume {}", self.terms.short(t, within, LINE)));
                }
                CmdView::Assign(items) => {
                    for &(v, t) in items.iter().take(LINES) {
                        let left = self.terms.name(v, within);
                        let right = self.terms.short(t, within, LINE);
                        lines.push(format!("{left} := {right}"));
                    }
                }
                CmdView::Havoc(items) => {
                    for &(v, i) in items.iter().take(LINES) {
                        lines.push(format!("havoc {} from {i}", self.terms.name(v, within)));
                    }
                }
                CmdView::Seq(items) => {
                    stack.extend(items.iter().rev().map(|&c| Piece::Cmd(c)));
                }
                CmdView::Choice(items) => {
                    stack.push(Piece::Line("}"));
                    for (i, &c) in items.iter().enumerate().rev() {
                        stack.push(Piece::Cmd(c));
                        stack.push(Piece::Line(if i > 0 { "} [] {" } else { "{" }));
                    }
                }
            }
        }
    }
}

/// What is left to draw of a command.
enum Piece {
    Line(&'static str),
    Cmd(Cmd),
}

/// At most `n` characters, the last three dots where some are missing.
fn cut(text: &str, n: usize) -> String {
    if text.chars().count() <= n {
        return text.into();
    }
    let mut short: String = text.chars().take(n - 3).collect();
    short.push_str("...");
    short
}

/// As the inside of a string of the DOT language.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
