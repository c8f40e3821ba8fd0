//! Inline assembly that C can say: barriers, moves between registers, and instructions that change nothing the program
//! can see. All else is kept as a statement that nobody understands.

use super::feed::Feed;
use super::grammar::LoneExpressionParser;
use super::state::State;
use crate::ast::{BlockItem, Expr, ExprKind, Stmt, StmtKind};
use crate::lex::raw::Raw;
use crate::lex::token::{AsideId, Tok, Token};

/// Instructions without operands that only the machine notices.
const SILENT: &[&str] = &[
    "lfence", "mfence", "nop", "pause", "rep nop", "rep; nop", "sfence",
];

/// An operand: its constraint and its expression.
struct Operand {
    constraint: String,
    value: Expr,
}

impl State {
    /// The statement of `asm (...)`.
    pub(super) fn asm(&self, lo: u32, hi: u32, id: AsideId) -> Stmt {
        let barrier = self.is_barrier(id);
        let meant = match barrier {
            true => None,
            false => self.meaning(lo, hi, id),
        };
        let Some(all) = meant else {
            return self.stmt(lo, hi, StmtKind::Asm { barrier });
        };
        let one = |e: &Expr| BlockItem::Stmt(self.stmt(lo, hi, StmtKind::Expr(Some(*e))));
        let items = all.iter().map(one).collect();
        self.stmt(lo, hi, StmtKind::Block(items))
    }

    /// The expressions that do the same.
    fn meaning(&self, lo: u32, hi: u32, id: AsideId) -> Option<Vec<Expr>> {
        let [_, template, rest @ .., _] = self.asides[id].as_slice() else {
            return None;
        };
        let Tok::Str(template) = template.tok else {
            return None;
        };
        let template = self.text_of(template).to_ascii_lowercase();
        let template = template.trim().trim_end_matches(';').trim_end();
        let mut sections = split(rest, Raw::Colon).into_iter().skip(1);
        let mut operands = || self.operands(sections.next().unwrap_or_default());
        let (outputs, inputs) = (operands()?, operands()?);
        let assign = |to: Expr, from: Expr| self.expr(lo, hi, ExprKind::Assign(None, to, from));
        if SILENT.contains(&template) {
            return (outputs.is_empty() && inputs.is_empty()).then(Vec::new);
        }
        if template.is_empty() {
            let mut done = Vec::new();
            for (i, output) in outputs.iter().enumerate() {
                let number = i.to_string();
                let same = inputs.iter().find(|input| input.constraint == number);
                match (output.constraint.starts_with('+'), same) {
                    // Nobody has touched it.
                    (true, None) => {}
                    (false, Some(input)) => done.push(assign(output.value, input.value)),
                    _ => return None,
                }
            }
            return Some(done);
        }
        // Registers of different widths are no operands of one instruction.
        let (name, places) = template.split_once(char::is_whitespace)?;
        let places: String = places.split_whitespace().collect();
        let moves = matches!(name, "mov" | "movb" | "movw" | "movl" | "movq");
        match (outputs.as_slice(), inputs.as_slice()) {
            ([to], [from])
                if moves
                    && places == "%1,%0"
                    && matches!(to.constraint.as_str(), "=r" | "=&r")
                    && from.constraint == "r" =>
            {
                Some(vec![assign(to.value, from.value)])
            }
            _ => None,
        }
    }

    /// The operands of a section.
    fn operands(&self, tokens: &[Token]) -> Option<Vec<Operand>> {
        if tokens.is_empty() {
            return Some(Vec::new());
        }
        let parts = split(tokens, Raw::Comma).into_iter();
        parts.map(|part| self.operand(part)).collect()
    }

    fn operand(&self, tokens: &[Token]) -> Option<Operand> {
        let [constraint, open, inside @ .., close] = tokens else {
            return None;
        };
        let Tok::Str(text) = constraint.tok else {
            return None;
        };
        let parens = (Tok::Punct(Raw::LParen), Tok::Punct(Raw::RParen));
        if (open.tok, close.tok) != parens {
            return None;
        }
        let start = inside.first()?.span.lo;
        let value = LoneExpressionParser::new().parse(self, Feed::new(self, inside, start));
        Some(Operand {
            constraint: self.text_of(text),
            value: value.ok()?,
        })
    }
}

/// The parts between separators that are not in parentheses.
fn split(tokens: &[Token], separator: Raw) -> Vec<&[Token]> {
    let mut depth = 0i32;
    tokens
        .split(|t| {
            match t.tok {
                Tok::Punct(Raw::LParen | Raw::LBracket) => depth += 1,
                Tok::Punct(Raw::RParen | Raw::RBracket) => depth -= 1,
                _ => {}
            }
            depth == 0 && t.tok == Tok::Punct(separator)
        })
        .collect()
}
