//! Prints commands: on one line where they fit, else a line per step.

use super::print_program::{LINE, Printer};
use crate::cmd::CmdView;
use crate::entity::{Cmd, Input, Proc, Var};

/// Parallel assignments of more than this many variables are written pair by pair.
const CLASSIC: usize = 3;

/// What is left to write of a command that takes several lines.
enum Piece {
    Text(&'static str),
    /// A new line, indented by this much.
    Line(usize),
    /// A command as an item at this indentation.
    Item(Cmd, usize),
}

impl Printer<'_> {
    /// Writes `c` on one line; gives up (and says false) once the text is longer than `limit`.
    pub fn inline(&mut self, c: Cmd, within: Proc, limit: usize) -> bool {
        let mut stack = vec![Piece::Item(c, 0)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(s) => self.out.push_str(s),
                Piece::Line(_) => unreachable!("one line has no line breaks"),
                Piece::Item(c, _) => match self.p.cmds.view(c) {
                    CmdView::Seq(items) => join(&mut stack, items, "; "),
                    CmdView::Choice(items) => {
                        stack.push(Piece::Text(" }"));
                        join(&mut stack, items, " } [] { ");
                        stack.push(Piece::Text("{ "));
                    }
                    CmdView::Assign(items) if items.len() > CLASSIC => return false,
                    leaf => {
                        if !self.leaf(leaf, within, limit) {
                            return false;
                        }
                    }
                },
            }
            if self.out.len() > limit {
                return false;
            }
        }
        true
    }

    fn leaf(&mut self, leaf: CmdView<'_>, within: Proc, limit: usize) -> bool {
        match leaf {
            CmdView::Assume(t) => {
                self.put("assume ");
                self.term(t, within, limit)
            }
            CmdView::Assign(items) => {
                for (i, &(v, _)) in items.iter().enumerate() {
                    self.put(if i > 0 { ", " } else { "" });
                    self.terms.var(&mut self.out, v, Some(within));
                }
                self.put(" := ");
                items.iter().enumerate().all(|(i, &(_, t))| {
                    self.put(if i > 0 { ", " } else { "" });
                    self.term(t, within, limit)
                })
            }
            CmdView::Havoc(items) => {
                self.put("havoc ");
                for (i, &(v, input)) in items.iter().enumerate() {
                    self.put(if i > 0 { ", " } else { "" });
                    self.havoc(v, input, within);
                    if self.out.len() > limit {
                        return false;
                    }
                }
                true
            }
            _ => {
                self.put("skip");
                true
            }
        }
    }

    fn havoc(&mut self, v: Var, input: Input, within: Proc) {
        self.terms.var(&mut self.out, v, Some(within));
        self.put(format_args!(" from {input}"));
    }

    /// Writes `c` as a block of several lines.
    pub fn block(&mut self, c: Cmd, within: Proc) {
        let mut stack = Vec::new();
        self.open_block(&mut stack, c, 2);
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(s) => self.out.push_str(s),
                Piece::Line(indent) => self.line(indent),
                Piece::Item(c, indent) => {
                    let start = self.out.len();
                    if self.inline(c, within, start + LINE - indent.min(LINE / 2)) {
                        continue;
                    }
                    self.out.truncate(start);
                    match self.p.cmds.view(c) {
                        CmdView::Choice(items) => {
                            for (i, &c) in items.iter().enumerate().rev() {
                                self.open_block(&mut stack, c, indent);
                                if i > 0 {
                                    stack.push(Piece::Text(" [] "));
                                }
                            }
                        }
                        leaf => self.long_leaf(leaf, within, indent),
                    }
                }
            }
        }
    }

    /// Pushes a block around `c` that stands at `indent`.
    fn open_block(&self, stack: &mut Vec<Piece>, c: Cmd, indent: usize) {
        stack.push(Piece::Text("}"));
        stack.push(Piece::Line(indent));
        let single = [c];
        let items = match self.p.cmds.view(c) {
            CmdView::Seq(items) => items,
            _ => &single,
        };
        for &item in items.iter().rev() {
            stack.push(Piece::Text(";"));
            stack.push(Piece::Item(item, indent + 2));
            stack.push(Piece::Line(indent + 2));
        }
        stack.push(Piece::Text("{"));
    }

    fn line(&mut self, indent: usize) {
        // Beyond 40 levels nobody counts columns any more, and text stays linear.
        self.put(format_args!("\n{:width$}", "", width = indent.min(80)));
    }

    /// A leaf that is too long for its line: lists get a line per item.
    fn long_leaf(&mut self, leaf: CmdView<'_>, within: Proc, indent: usize) {
        match leaf {
            CmdView::Assign(items) if items.len() > CLASSIC => {
                for (i, &(v, t)) in items.iter().enumerate() {
                    if i > 0 {
                        self.put(",");
                        self.line(indent + 2);
                    }
                    self.terms.var(&mut self.out, v, Some(within));
                    self.put(" := ");
                    self.term(t, within, usize::MAX);
                }
            }
            CmdView::Havoc(items) => {
                self.put("havoc ");
                for (i, &(v, input)) in items.iter().enumerate() {
                    if i > 0 {
                        self.put(",");
                        self.line(indent + 2);
                    }
                    self.havoc(v, input, within);
                }
            }
            leaf => {
                self.leaf(leaf, within, usize::MAX);
            }
        }
    }
}

/// Pushes commands so that they come out in order with a separator between.
fn join(stack: &mut Vec<Piece>, items: &[Cmd], separator: &'static str) {
    for (i, &c) in items.iter().enumerate().rev() {
        stack.push(Piece::Item(c, 0));
        if i > 0 {
            stack.push(Piece::Text(separator));
        }
    }
}
