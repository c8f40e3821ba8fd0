//! Reads both encodings.
//!
//! Nothing is allocated on the word of the header alone: what it claims is first held against the
//! bytes that follow. Numbers that need no bytes (unused variables of an ASCII file, inputs of a
//! binary one) are limited by the size of the file.

use crate::cursor::Cursor;
use crate::error::Error;
use crate::header::Header;
use crate::model::{And, Format, Item, Latch, Lit, Model};
use crate::topo;

/// Reads a model in either encoding.
pub fn parse(bytes: &[u8]) -> Result<Model, Error> {
    let format = match bytes.get(..3) {
        Some(b"aag") => Format::Ascii,
        Some(b"aig") => Format::Binary,
        _ => {
            return Err(Cursor::new(bytes, true).error("expected a header 'aag' or 'aig'"));
        }
    };
    let mut cursor = Cursor::new(bytes, format == Format::Ascii);
    let header = Header::read(&mut cursor, format)?;
    let mut reader = Reader {
        cursor,
        header,
        model: Model::default(),
    };
    reader.model.origin.format = format;
    reader.model.inputs = header.inputs;
    match format {
        Format::Ascii => reader.ascii()?,
        Format::Binary => reader.binary()?,
    }
    reader.symbols()?;
    Ok(reader.model)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    header: Header,
    model: Model,
}

impl Reader<'_> {
    /// A literal of the file; in an ASCII file not yet translated.
    fn literal(&mut self, what: &str) -> Result<Lit, Error> {
        let lit = self.cursor.number(what)?;
        let max = 2 * self.header.max_var + 1;
        if lit > max {
            return Err(self.cursor.error(format!(
                "literal {lit} exceeds {max}, the largest that the header admits"
            )));
        }
        Ok(Lit(lit))
    }

    fn literals(&mut self, count: u32, what: &str) -> Result<Vec<Lit>, Error> {
        let mut lits = Vec::with_capacity(count as usize);
        for _ in 0..count {
            lits.push(self.literal(what)?);
            self.cursor.newline()?;
        }
        Ok(lits)
    }

    /// The rest of a latch's line: next state and optional reset.
    fn latch(&mut self) -> Result<Latch, Error> {
        let next = self.literal("the latch's next state")?;
        let mut reset = Lit::FALSE;
        if self.cursor.peek() == Some(b' ') {
            self.cursor.next();
            reset = self.literal("the latch's reset")?;
        }
        self.cursor.newline()?;
        Ok(Latch { next, reset })
    }

    /// The sections from the outputs to the fairness constraints.
    fn properties(&mut self) -> Result<(), Error> {
        let header = self.header;
        self.model.outputs = self.literals(header.outputs, "an output")?;
        self.model.bads = self.literals(header.bads, "a bad state")?;
        self.model.constraints = self.literals(header.constraints, "a constraint")?;
        let mut sizes = Vec::with_capacity(header.justice as usize);
        for _ in 0..header.justice {
            let size = self.cursor.number("the size of a justice property")?;
            if 2 * u64::from(size) > self.cursor.remaining() as u64 {
                return Err(self.cursor.error(format!(
                    "a justice property claims {size} literals, but only {} bytes follow",
                    self.cursor.remaining()
                )));
            }
            self.cursor.newline()?;
            sizes.push(size);
        }
        for size in sizes {
            let set = self.literals(size, "a literal of a justice property")?;
            self.model.justice.push(set);
        }
        self.model.fairness = self.literals(header.fairness, "a fairness constraint")?;
        Ok(())
    }

    fn binary(&mut self) -> Result<(), Error> {
        self.model.latches.reserve(self.header.latches as usize);
        for _ in 0..self.header.latches {
            let latch = self.latch()?;
            self.model.latches.push(latch);
        }
        self.properties()?;
        self.model.ands.reserve(self.header.ands as usize);
        for gate in 0..self.header.ands {
            let lhs = (self.model.first_and() + gate) << 1;
            let start = self.cursor.place();
            let bad = |problem: String| Error::Malformed {
                place: start,
                problem,
            };
            let delta = self.delta()?;
            if delta == 0 || delta > lhs {
                return Err(bad(format!(
                    "the first operand of gate {lhs} lies {delta} below it, which is not below it"
                )));
            }
            let left = lhs - delta;
            let delta = self.delta()?;
            let Some(right) = left.checked_sub(delta) else {
                return Err(bad(format!(
                    "the second operand of gate {lhs} lies {delta} below the first, {left}"
                )));
            };
            self.model.ands.push(And {
                left: Lit(left),
                right: Lit(right),
            });
        }
        Ok(())
    }

    /// A difference of literals: seven bits per byte, the least significant first.
    fn delta(&mut self) -> Result<u32, Error> {
        let mut value: u64 = 0;
        for shift in [0, 7, 14, 21, 28] {
            let Some(byte) = self.cursor.next() else {
                return Err(self.cursor.error("the file ends within the AND gates"));
            };
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(value).map_err(|_| {
                    (self.cursor).error("the difference of literals does not fit in 32 bits")
                });
            }
        }
        Err(self
            .cursor
            .error("the difference of literals is longer than 5 bytes"))
    }

    fn ascii(&mut self) -> Result<(), Error> {
        let header = self.header;
        let mut numbering = Numbering::new(header.max_var);
        for i in 0..header.inputs {
            let lit = self.literal("an input")?;
            numbering.define(&self.cursor, lit, "input", 1 + i)?;
            self.cursor.newline()?;
        }
        self.model.latches.reserve(header.latches as usize);
        for i in 0..header.latches {
            let lit = self.literal("a latch")?;
            numbering.define(&self.cursor, lit, "latch", 1 + header.inputs + i)?;
            self.cursor.space()?;
            let latch = self.latch()?;
            self.model.latches.push(latch);
        }
        self.model.origin.variables = numbering.defined.clone();
        self.properties()?;
        let first_line = self.cursor.line();
        let mut gates = Vec::with_capacity(header.ands as usize);
        for i in 0..header.ands {
            let lit = self.literal("an AND gate")?;
            numbering.define(&self.cursor, lit, "AND gate", Numbering::GATE | i)?;
            self.cursor.space()?;
            let left = self.literal("the first operand of an AND gate")?;
            self.cursor.space()?;
            let right = self.literal("the second operand of an AND gate")?;
            self.cursor.newline()?;
            gates.push([left, right]);
        }
        self.order_gates(&mut numbering, &gates, first_line)?;
        self.translate(&numbering)?;
        if (self.model.origin.variables.iter().zip(1u32..)).all(|(&var, i)| var == i) {
            self.model.origin.variables.clear();
        }
        Ok(())
    }

    fn order_gates(
        &mut self,
        numbering: &mut Numbering,
        gates: &[[Lit; 2]],
        first_line: usize,
    ) -> Result<(), Error> {
        let positions = topo::positions(gates.len() as u32, |gate, side| {
            numbering.gate(gates[gate as usize][side].var())
        })
        .map_err(|cycle| {
            let gate = cycle.gate as usize;
            malformed(first_line + gate, "the AND gate depends on itself".into())
        })?;
        let first = self.model.first_and();
        for (i, position) in positions.iter().enumerate() {
            let var = numbering.defined[self.model.origin.variables.len() + i];
            numbering.canonical[var as usize] = first + position;
        }
        let nothing = And {
            left: Lit::FALSE,
            right: Lit::FALSE,
        };
        self.model.ands = vec![nothing; gates.len()];
        for (i, operands) in gates.iter().enumerate() {
            let a = numbering.translate(operands[0], first_line + i)?;
            let b = numbering.translate(operands[1], first_line + i)?;
            self.model.ands[positions[i] as usize] = And {
                left: a.max(b),
                right: a.min(b),
            };
        }
        Ok(())
    }

    fn translate(&mut self, numbering: &Numbering) -> Result<(), Error> {
        let line_of = |model: &Model, item| model.line(item, 0).unwrap_or(0);
        let start = line_of(&self.model, Item::Latch);
        for (i, latch) in self.model.latches.iter_mut().enumerate() {
            latch.next = numbering.translate(latch.next, start + i)?;
            latch.reset = numbering.translate(latch.reset, start + i)?;
        }
        for item in [Item::Output, Item::Bad, Item::Constraint, Item::Fairness] {
            let start = line_of(&self.model, item);
            let lits = match item {
                Item::Output => &mut self.model.outputs,
                Item::Bad => &mut self.model.bads,
                Item::Constraint => &mut self.model.constraints,
                _ => &mut self.model.fairness,
            };
            for (i, lit) in lits.iter_mut().enumerate() {
                *lit = numbering.translate(*lit, start + i)?;
            }
        }
        let start = line_of(&self.model, Item::Justice) + self.model.justice.len();
        for (i, lit) in self.model.justice.iter_mut().flatten().enumerate() {
            *lit = numbering.translate(*lit, start + i)?;
        }
        Ok(())
    }

    /// The symbol table and the comment, the same in both encodings.
    fn symbols(&mut self) -> Result<(), Error> {
        while let Some(letter) = self.cursor.peek() {
            let item = Item::ALL
                .into_iter()
                .find(|item| item.letter() == letter as char);
            let Some(item) = item else {
                return Err(self.cursor.error(format!(
                    "expected a symbol, a comment or the end of the file, found {}",
                    self.cursor.found()
                )));
            };
            let place = self.cursor.place();
            self.cursor.next();
            if item == Item::Constraint && matches!(self.cursor.peek(), None | Some(b'\n')) {
                self.cursor.next();
                let text = String::from_utf8_lossy(self.cursor.rest());
                self.model.comment = Some(text.into_owned());
                return Ok(());
            }
            let index = self.cursor.number("the index of a symbol")?;
            self.cursor.space()?;
            let name = String::from_utf8_lossy(self.cursor.rest_of_line());
            let problem = if index as usize >= self.model.count(item) {
                "names nothing in the model"
            } else if !self.model.symbols.insert(item, index, &name) {
                "is given twice"
            } else {
                continue;
            };
            let problem = format!("the symbol {}{index} {problem}", letter as char);
            return Err(Error::Malformed { place, problem });
        }
        Ok(())
    }
}

fn malformed(line: usize, problem: String) -> Error {
    Error::Malformed {
        place: crate::Place::Line(line),
        problem,
    }
}

/// Translates the variables of an ASCII file to canonical ones.
struct Numbering {
    /// Per variable of the file: the canonical one, a gate in file order, or undefined.
    canonical: Vec<u32>,
    /// The variables of the file in the order of their definitions.
    defined: Vec<u32>,
}

impl Numbering {
    const UNDEFINED: u32 = u32::MAX;
    /// Marks a gate until the gates are ordered. Canonical variables are below it.
    const GATE: u32 = 1 << 31;

    fn new(max_var: u32) -> Numbering {
        let mut canonical = vec![Self::UNDEFINED; max_var as usize + 1];
        canonical[0] = 0;
        Numbering {
            canonical,
            defined: Vec::new(),
        }
    }

    fn define(
        &mut self,
        cursor: &Cursor<'_>,
        lit: Lit,
        what: &str,
        meaning: u32,
    ) -> Result<(), Error> {
        let problem = if lit.var() == 0 {
            "the constant cannot be defined".to_string()
        } else if lit.is_negated() {
            format!("the {what} {} is a negated literal", lit.0)
        } else if self.canonical[lit.var() as usize] != Self::UNDEFINED {
            format!("the literal {} is defined a second time", lit.0)
        } else {
            self.canonical[lit.var() as usize] = meaning;
            self.defined.push(lit.var());
            return Ok(());
        };
        Err(cursor.error(problem))
    }

    /// The gate in file order that defines a variable.
    fn gate(&self, var: u32) -> Option<u32> {
        let meaning = self.canonical[var as usize];
        (meaning != Self::UNDEFINED && meaning & Self::GATE != 0).then_some(meaning & !Self::GATE)
    }

    fn translate(&self, lit: Lit, line: usize) -> Result<Lit, Error> {
        match self.canonical[lit.var() as usize] {
            Self::UNDEFINED => Err(malformed(
                line,
                format!("the literal {} is not defined", lit.0),
            )),
            var => Ok(Lit::positive(var).negated_if(lit.is_negated())),
        }
    }
}
