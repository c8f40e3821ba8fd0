//! C expressions without side effects over names in scope, as terms: what invariants and assumptions of
//! witnesses are made of. Typed as C types them: promotion, conversion, unsigned wins.

use trellis_ivl::{Program, Term, Type, Var};

/// Why a text is no expression here; with the offset where it went wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}', column {column}: {what}", column = .at + 1)]
pub struct ExprError {
    /// The expression.
    pub text: String,
    /// Where, in bytes.
    pub at: usize,
    /// What.
    pub what: String,
}

/// The variables that an expression may name.
pub trait Scope {
    /// The variable of a name, and whether it is signed.
    fn variable(&self, name: &str) -> Option<(Var, bool)>;
    /// Bits of a long.
    fn long_bits(&self) -> u32;
}

/// Deepest nesting.
const DEPTH: usize = 200;

/// A value: a term of bit-vector type, and whether it is signed.
#[derive(Clone, Copy)]
struct Number {
    term: Term,
    signed: bool,
}

/// What is known of an operand.
enum Operand {
    Number(Number),
    Array(Term, bool),
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    program: &'a mut Program,
    scope: &'a dyn Scope,
}

/// Binary operators by how tightly they bind, loosest first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// The truth of an expression as a boolean term.
pub fn condition(program: &mut Program, text: &str, scope: &dyn Scope) -> Result<Term, ExprError> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        program,
        scope,
    };
    let value = parser.ternary()?;
    parser.space();
    if parser.at < text.len() {
        return Err(parser.error("an operator or the end is expected"));
    }
    Ok(parser.truth(value))
}

impl Parser<'_> {
    fn error(&self, what: &str) -> ExprError {
        ExprError {
            text: self.text.into(),
            at: self.at,
            what: what.into(),
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), ExprError> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(self.error(&format!("'{token}' is expected"))),
        }
    }

    fn width(&self, n: Number) -> u32 {
        self.program.pool.width(n.term)
    }

    fn int(&mut self, value: u64) -> Number {
        Number {
            term: self.program.pool.num(32, value),
            signed: true,
        }
    }

    fn truth(&mut self, n: Number) -> Term {
        let zero = self.program.pool.num(self.program.pool.width(n.term), 0);
        self.program.pool.ne(n.term, zero)
    }

    fn number(&mut self, truth: Term) -> Number {
        let (one, zero) = (self.int(1), self.int(0));
        Number {
            term: self.program.pool.ite(truth, one.term, zero.term),
            signed: true,
        }
    }

    /// Converts to a type.
    fn convert(&mut self, n: Number, width: u32, signed: bool) -> Number {
        let pool = &mut self.program.pool;
        let from = pool.width(n.term);
        let term = match from.cmp(&width) {
            std::cmp::Ordering::Less if n.signed => pool.sext(width, n.term),
            std::cmp::Ordering::Less => pool.zext(width, n.term),
            std::cmp::Ordering::Equal => n.term,
            std::cmp::Ordering::Greater => pool.extract(width - 1, 0, n.term),
        };
        Number { term, signed }
    }

    fn promote(&mut self, n: Number) -> Number {
        match self.width(n) < 32 {
            true => self.convert(n, 32, true),
            false => n,
        }
    }

    /// The usual arithmetic conversions.
    fn balance(&mut self, a: Number, b: Number) -> (Number, Number) {
        let (a, b) = (self.promote(a), self.promote(b));
        let (wa, wb) = (self.width(a), self.width(b));
        let width = wa.max(wb);
        // Of those that have the width, an unsigned one decides.
        let signed = (wa < width || a.signed) && (wb < width || b.signed);
        (
            self.convert(a, width, signed),
            self.convert(b, width, signed),
        )
    }

    fn ternary(&mut self) -> Result<Number, ExprError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("nested too deeply"));
        }
        let condition = self.binary(0)?;
        let result = if self.eat("?") {
            let then = self.ternary()?;
            self.expect(":")?;
            let other = self.ternary()?;
            let (then, other) = self.balance(then, other);
            let truth = self.truth(condition);
            Number {
                term: self.program.pool.ite(truth, then.term, other.term),
                signed: then.signed,
            }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(result)
    }

    fn operator(&mut self, level: usize) -> Option<&'static str> {
        self.space();
        let rest = self.rest();
        let found = LEVELS[level]
            .iter()
            .copied()
            .find(|o| rest.starts_with(o))?;
        let after = rest[found.len()..].chars().next();
        // `&` is not the beginning of `&&`, nor `<` of `<<`; assignments are no expressions here.
        let longer = match found {
            "&" => after == Some('&'),
            "|" => after == Some('|'),
            "<" => after == Some('<'),
            ">" => after == Some('>'),
            _ => false,
        };
        let assigns = after == Some('=') && !matches!(found, "==" | "!=" | "<=" | ">=");
        if longer || assigns {
            return None;
        }
        self.at += found.len();
        Some(found)
    }

    fn binary(&mut self, level: usize) -> Result<Number, ExprError> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(level) {
            let right = self.binary(level + 1)?;
            left = self.apply(operator, left, right);
        }
        Ok(left)
    }

    fn apply(&mut self, operator: &str, a: Number, b: Number) -> Number {
        if let "&&" | "||" = operator {
            let (a, b) = (self.truth(a), self.truth(b));
            let pool = &mut self.program.pool;
            let truth = if operator == "&&" {
                pool.and(a, b)
            } else {
                pool.or(a, b)
            };
            return self.number(truth);
        }
        if let "<<" | ">>" = operator {
            let (a, b) = (self.promote(a), self.promote(b));
            let width = self.width(a);
            let by = self.convert(b, width, b.signed);
            let pool = &mut self.program.pool;
            let term = match (operator, a.signed) {
                ("<<", _) => pool.bvshl(a.term, by.term),
                (_, true) => pool.bvashr(a.term, by.term),
                (_, false) => pool.bvlshr(a.term, by.term),
            };
            return Number { term, ..a };
        }
        let (a, b) = self.balance(a, b);
        let (x, y, signed) = (a.term, b.term, a.signed);
        let pool = &mut self.program.pool;
        let truth = match (operator, signed) {
            ("==", _) => pool.eq(x, y),
            ("!=", _) => pool.ne(x, y),
            ("<", true) => pool.bvslt(x, y),
            ("<", false) => pool.bvult(x, y),
            ("<=", true) => pool.bvsle(x, y),
            ("<=", false) => pool.bvule(x, y),
            (">", true) => pool.bvslt(y, x),
            (">", false) => pool.bvult(y, x),
            (">=", true) => pool.bvsle(y, x),
            (">=", false) => pool.bvule(y, x),
            _ => {
                let term = match (operator, signed) {
                    ("|", _) => pool.bvor(x, y),
                    ("^", _) => pool.bvxor(x, y),
                    ("&", _) => pool.bvand(x, y),
                    ("+", _) => pool.bvadd(x, y),
                    ("-", _) => pool.bvsub(x, y),
                    ("*", _) => pool.bvmul(x, y),
                    ("/", true) => pool.bvsdiv(x, y),
                    ("/", false) => pool.bvudiv(x, y),
                    (_, true) => pool.bvsrem(x, y),
                    (_, false) => pool.bvurem(x, y),
                };
                return Number { term, signed };
            }
        };
        self.number(truth)
    }

    fn unary(&mut self) -> Result<Number, ExprError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("nested too deeply"));
        }
        self.space();
        let result = if self.rest().starts_with("--") || self.rest().starts_with("++") {
            return Err(self.error("an expression here has no side effects"));
        } else if self.eat("!") {
            let value = self.unary()?;
            let truth = self.truth(value);
            let truth = self.program.pool.not(truth);
            self.number(truth)
        } else if self.eat("-") {
            let value = self.unary()?;
            let value = self.promote(value);
            Number {
                term: self.program.pool.bvneg(value.term),
                ..value
            }
        } else if self.eat("~") {
            let value = self.unary()?;
            let value = self.promote(value);
            Number {
                term: self.program.pool.bvnot(value.term),
                ..value
            }
        } else if self.eat("+") {
            let value = self.unary()?;
            self.promote(value)
        } else if let Some((width, signed)) = self.cast()? {
            let value = self.unary()?;
            self.convert(value, width, signed)
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(result)
    }

    /// A type in parentheses.
    fn cast(&mut self) -> Result<Option<(u32, bool)>, ExprError> {
        let start = self.at;
        if !self.eat("(") {
            return Ok(None);
        }
        let mut words = Vec::new();
        self.space();
        while let Some(word) = self.word() {
            words.push(word);
            self.space();
        }
        let ty = type_of(&words, self.scope.long_bits());
        match ty {
            Some(ty) if self.eat(")") => Ok(Some(ty)),
            _ => {
                self.at = start;
                Ok(None)
            }
        }
    }

    fn word(&mut self) -> Option<String> {
        let rest = self.rest();
        let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !rest.starts_with(is_first) {
            return None;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let word = rest[..end.unwrap_or(rest.len())].to_string();
        self.at += word.len();
        Some(word)
    }

    fn primary(&mut self) -> Result<Number, ExprError> {
        if self.eat("(") {
            let value = self.ternary()?;
            self.expect(")")?;
            return Ok(value);
        }
        self.space();
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            return self.literal();
        }
        let start = self.at;
        let Some(mut name) = self.word() else {
            return Err(self.error("an operand is expected"));
        };
        while self.eat(".") {
            let member = self.word();
            name += &format!(
                ".{}",
                member.ok_or_else(|| self.error("a member is expected"))?
            );
        }
        let operand = self.lookup(&name, start)?;
        match operand {
            Operand::Number(n) => Ok(n),
            Operand::Array(array, signed) => {
                self.expect("[")?;
                let index = self.ternary()?;
                self.expect("]")?;
                let Type::Array { index: width, .. } = self.program.pool.ty(array) else {
                    return Err(self.error("not an array"));
                };
                let index = self.convert(index, width, index.signed);
                Ok(Number {
                    term: self.program.pool.select(array, index.term),
                    signed,
                })
            }
        }
    }

    fn lookup(&mut self, name: &str, start: usize) -> Result<Operand, ExprError> {
        let found = self.scope.variable(name);
        let Some((var, signed)) = found else {
            self.at = start;
            return Err(self.error(&format!("no variable '{name}' is in scope here")));
        };
        let term = self.program.pool.var(var);
        match self.program.pool.ty(term) {
            Type::Bv(_) => Ok(Operand::Number(Number { term, signed })),
            Type::Array { .. } => Ok(Operand::Array(term, signed)),
            Type::Bool => {
                let number = self.number(term);
                Ok(Operand::Number(number))
            }
        }
    }

    fn literal(&mut self) -> Result<Number, ExprError> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
        let text = rest[..end.unwrap_or(rest.len())].to_ascii_lowercase();
        let digits = text.trim_end_matches(['u', 'l']);
        let suffix = &text[digits.len()..];
        let value = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None if digits.len() > 1 && digits.starts_with('0') => {
                u64::from_str_radix(&digits[1..], 8)
            }
            None => digits.parse(),
        };
        let Ok(value) = value else {
            return Err(self.error("an integer is expected"));
        };
        self.at += text.len();
        let decimal = !digits.starts_with('0') || digits == "0";
        let unsigned = suffix.contains('u');
        let longs = suffix.matches('l').count();
        let long = self.scope.long_bits();
        let least = match longs {
            0 => 32,
            1 => long,
            _ => 64,
        };
        // The first type of C's list that holds the value.
        for width in [32, 64].into_iter().filter(|w| *w >= least) {
            let fits_signed = value < 1 << (width - 1);
            let fits = width == 64 || value < 1 << width;
            if !unsigned && fits_signed {
                let term = self.program.pool.num(width, value);
                return Ok(Number { term, signed: true });
            }
            if fits && (unsigned || !decimal || width == 64) {
                let term = self.program.pool.num(width, value);
                return Ok(Number {
                    term,
                    signed: false,
                });
            }
        }
        Err(self.error("the number is too large"))
    }
}

/// Width and sign of a type by its words, in any order.
fn type_of(words: &[String], long: u32) -> Option<(u32, bool)> {
    let count = |word: &str| words.iter().filter(|w| *w == word).count();
    let known = [
        "signed", "unsigned", "char", "short", "int", "long", "_Bool", "const",
    ];
    if words.is_empty() || words.iter().any(|w| !known.contains(&w.as_str())) {
        return None;
    }
    let signed = count("unsigned") == 0;
    Some(match (count("char"), count("short"), count("long")) {
        (1, 0, 0) => (8, signed),
        (0, 1, 0) => (16, signed),
        (0, 0, 0) => (32, signed),
        (0, 0, 1) => (long, signed),
        (0, 0, 2) => (64, signed),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_ivl::{Machine, Span, Value};

    struct Fixed(Vec<(&'static str, Var, bool)>);

    impl Scope for Fixed {
        fn variable(&self, name: &str) -> Option<(Var, bool)> {
            let found = self.0.iter().find(|(n, ..)| *n == name)?;
            Some((found.1, found.2))
        }

        fn long_bits(&self) -> u32 {
            32
        }
    }

    /// The truth of an expression with x = -3 (int), u = 7 (unsigned), c = 200 (unsigned char).
    fn check(text: &str) -> Result<bool, String> {
        let mut program = Program::new();
        program.add_proc("main", Span::NONE);
        let mut variable =
            |name: &str, width| program.add_global(name, Type::Bv(width), Span::NONE);
        let (x, u, c) = (variable("x", 32), variable("u", 32), variable("c", 8));
        let scope = Fixed(vec![("x", x, true), ("u", u, false), ("c", c, false)]);
        let term = condition(&mut program, text, &scope).map_err(|e| e.to_string())?;
        // What is printed means the same.
        let printed = crate::c_print::boolean(&program.pool, term, &|v| {
            let found = scope.0.iter().find(|(_, var, _)| *var == v)?;
            Some((found.0.to_string(), found.2))
        });
        let again = printed.map(|p| (condition(&mut program, &p, &scope), p));
        let mut machine = Machine::new(&program, |v, ty| match ty {
            Type::Bv(w) if v == x => trellis_ivl::Bv::from_i64(w, -3).into(),
            Type::Bv(w) if v == u => trellis_ivl::Bv::new(w, 7).into(),
            Type::Bv(w) => trellis_ivl::Bv::new(w, 200).into(),
            other => Value::zero(other),
        });
        let value = machine.eval(term);
        if let Some((again, printed)) = again {
            let again = again.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(machine.eval(again), value, "{text} is printed as {printed}");
        }
        value.as_bool().ok_or_else(|| "not a boolean".into())
    }

    #[test]
    fn expressions_mean_what_c_means() {
        let holds = [
            "x == -3 && u == 7u && c == 200",
            "x < 0 && x < (int)u",
            "x > u",
            "(unsigned char)(c + 100) == 44",
            "c + 100 == 300",
            "x / 2 == -1 && x % 2 == -1 && u / 2 == 3",
            "x >> 1 == -2 && (unsigned)x >> 1 == 2147483646",
            "2147483648 > 0 && 4294967295 != -1 && 0xffffffff == -1",
            "!(x == 3) ? 1 : 0",
            "(signed char)c == -56 && (long long)x == -3LL",
            "~x == 2 && -x == 3 && (x & 1) == 1 && (u ^ 2) == 5",
            "1 || undefined_is_not_read == 0 ? 1 : 0",
        ];
        for text in &holds[..holds.len() - 1] {
            assert_eq!(check(text), Ok(true), "{text}");
        }
        let wrong = [
            ("x ==", "an operand is expected"),
            ("y == 1", "column 1: no variable 'y' is in scope here"),
            ("x = 3", "an operator or the end is expected"),
            ("x++ == 2", "an operand is expected"),
            ("f(x)", "no variable 'f'"),
            ("(x == 1", "')' is expected"),
            ("99999999999999999999", "an integer is expected"),
            (holds[holds.len() - 1], "no variable"),
        ];
        for (text, why) in wrong {
            let error = check(text).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(check(&"(".repeat(100_000)).is_err());
    }
}
