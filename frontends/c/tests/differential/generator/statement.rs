//! Statements over integer places: assignments of every kind, branches, bounded loops.

use super::Gen;
use super::expr::{Expr, Place, arithmetic, bitwise, division, shift};
use super::int::BOOL;

impl Gen {
    /// Some statements that read and write the places.
    pub fn statements(&mut self, places: &[Place], count: usize) {
        for _ in 0..count {
            self.statement(places, 2);
        }
    }

    fn statement(&mut self, places: &[Place], depth: u32) {
        match self.rng.below(13) {
            0..=3 => {
                let to = self.rng.pick(places).clone();
                let e = self.expr(places, 3);
                self.line(format!("{} = {};", to.text, e.text));
            }
            4..=6 => self.compound(places),
            7 => self.step(places),
            8 if depth > 0 => {
                let c = self.expr(places, 2);
                self.line(format!("if ({}) {{", c.text));
                self.statement(places, depth - 1);
                if self.rng.chance(60) {
                    self.line("} else {");
                    self.statement(places, depth - 1);
                }
                self.line("}");
            }
            9 if depth > 0 => {
                let (i, n) = (self.fresh("i"), 2 + self.rng.below(3));
                self.line(format!("for (int {i} = 0; {i} < {n}; {i}++) {{"));
                self.statement(places, depth - 1);
                self.line("}");
            }
            11 => {
                let ty = self.any_type();
                if ty == BOOL {
                    return self.step(places);
                }
                let (a, b) = (self.expr(places, 2), self.expr(places, 2));
                let (op, r) = (*self.rng.pick(&["add", "sub", "mul"]), self.fresh("r"));
                let (x, y) = (a.cast(a.ty.named()).text, b.cast(b.ty.named()).text);
                self.line(format!("{{ {} {r};", ty.name));
                self.mix(&format!("__builtin_{op}_overflow({x}, {y}, &{r})"), BOOL);
                self.mix(&r, ty);
                self.line("}");
            }
            10 => {
                // Two assignments in one expression, in sequence.
                let to = self.rng.pick(places).clone();
                let (a, b) = (self.expr(places, 2), self.expr(places, 2));
                let (t, text) = (&to.text, &a.text);
                self.line(format!("{t} = ({t} = {text}, {});", b.text));
            }
            _ => {
                let e = self.expr(places, 3);
                self.mix(&e.text, e.ty);
            }
        }
    }

    /// `a OP= b` where the operation is defined for all values.
    fn compound(&mut self, places: &[Place]) {
        let to = self.rng.pick(places).clone();
        let (a, b) = (to.read(), self.expr(places, 2));
        let results: [(&str, Expr); 10] = [
            ("+", arithmetic('+', &a, &b)),
            ("-", arithmetic('-', &a, &b)),
            ("*", arithmetic('*', &a, &b)),
            ("/", division('/', &a, &b)),
            ("%", division('%', &a, &b)),
            ("<<", shift(true, &a, &b)),
            (">>", shift(false, &a, &b)),
            ("&", bitwise('&', &a, &b)),
            ("|", bitwise('|', &a, &b)),
            ("^", bitwise('^', &a, &b)),
        ];
        let (op, whole) = self.rng.pick(&results);
        // The right operand as it stands in the result, if that is the plain operation.
        let start = format!("({} {op} ", a.text);
        let line = match whole
            .text
            .strip_prefix(&start)
            .and_then(|t| t.strip_suffix(')'))
        {
            Some(right) => format!("{} {op}= {right};", to.text),
            None => format!("{} = {};", to.text, whole.text),
        };
        self.line(line);
    }

    /// `++` and `--`, on what cannot overflow, and the value they have.
    fn step(&mut self, places: &[Place]) {
        let to = self.rng.pick(places).clone();
        if to.ty.signed && to.ty.bits >= 32 {
            return self.line(format!("{} ^= 1;", to.text));
        }
        let op = *self.rng.pick(&["++", "--"]);
        let text = if self.rng.chance(50) || to.ty == BOOL {
            format!("{}{op}", to.text)
        } else {
            format!("{op}{}", to.text)
        };
        if self.rng.chance(50) {
            self.mix(&format!("({text})"), super::int::INT);
        } else {
            self.line(format!("{text};"));
        }
    }

    /// Puts all places into the checksum.
    pub fn mix_all(&mut self, places: &[Place]) {
        for place in places {
            let text = place.text.clone();
            self.mix(&text, place.ty);
        }
    }
}
