//! Reads and type-checks a file, line by line.
//!
//! As in the reference parser, identifiers ascend and refer backwards only, `init` takes a value
//! that lies before its state and depends on no input, and a bit-vector constant initialises an
//! array to that element everywhere. White space is free within a line, unlike there.
//!
//! Constants are kept as small as they are written: `ones` and negative decimals become references
//! to the complement of a small number, so that no short line makes a large value.

use crate::error::Error;
use crate::line::{Line, Token};
use crate::literal::literal;
use crate::model::{Justice, Model, Property, Ref};
use crate::op::{Mismatch, Op};
use num_bigint::BigUint;
use trellis_ivl::{Bv, Type};

/// Reads a model.
pub fn parse(bytes: &[u8]) -> Result<Model, Error> {
    let mut reader = Reader::default();
    for (i, text) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let mut line = Line::new(text, i + 1);
        if let Some(id) = line.token() {
            reader.line(id, &mut line)?;
        }
    }
    Ok(reader.model)
}

/// What an identifier stands for.
#[derive(Clone, Copy)]
enum Entity {
    Sort(Type),
    Node(Ref),
    /// A line that cannot be referred to.
    Other(&'static str),
}

#[derive(Default)]
struct Reader {
    model: Model,
    /// Ascending.
    ids: Vec<(u64, Entity)>,
    /// Per node: whether its value depends on an input.
    on_input: Vec<bool>,
}

impl Reader {
    fn line(&mut self, id: Token<'_>, line: &mut Line<'_>) -> Result<(), Error> {
        let Some(number) = id.number().filter(|&n| n > 0) else {
            return Err(id.error(format!(
                "expected a line's identifier, a positive number, found '{}'",
                id.show()
            )));
        };
        if let Some(&(last, _)) = self.ids.last()
            && number <= last
        {
            return Err(id.error(format!(
                "the identifier {number} does not exceed {last}, the one before"
            )));
        }
        let tag = line.expect("a keyword")?;
        let entity = self.definition(tag, line)?;
        self.ids.push((number, entity));
        Ok(())
    }

    fn definition(&mut self, tag: Token<'_>, line: &mut Line<'_>) -> Result<Entity, Error> {
        let name = std::str::from_utf8(tag.text).unwrap_or("");
        Ok(match name {
            "sort" => Entity::Sort(self.sort_line(line)?),
            "input" | "state" => {
                let ty = self.sort(line)?;
                let name_of = line.symbol()?;
                let node = match name {
                    "input" => self.model.add_input(ty),
                    _ => self.model.add_state(ty),
                };
                self.finish(node, tag, name == "input", name_of)
            }
            "const" | "constd" | "consth" | "zero" | "one" | "ones" => {
                self.constant(name, tag, line)?
            }
            "init" | "next" => self.assignment(name, line)?,
            "bad" | "constraint" | "fair" | "output" => self.property(name, tag, line)?,
            "justice" => self.justice(tag, line)?,
            _ => match Op::from_name(name) {
                Some(op) => self.operation(op, tag, line)?,
                None => return Err(tag.error(format!("'{}' is no keyword", tag.show()))),
            },
        })
    }

    fn finish(&mut self, node: Ref, tag: Token<'_>, input: bool, name: Option<String>) -> Entity {
        self.on_input.push(input);
        self.model.origin.nodes.push(tag.place);
        if let Some(name) = name {
            self.model.names.insert(node.node(), name);
        }
        Entity::Node(node)
    }

    fn lookup(&self, id: u64) -> Option<Entity> {
        // Most files number their lines 1, 2, 3, ...
        let guess = self.ids.get(id.wrapping_sub(1) as usize);
        if let Some(&(found, entity)) = guess
            && found == id
        {
            return Some(entity);
        }
        let at = self.ids.binary_search_by_key(&id, |entry| entry.0).ok()?;
        Some(self.ids[at].1)
    }

    fn sort(&self, line: &mut Line<'_>) -> Result<Type, Error> {
        let token = line.expect("a sort's identifier")?;
        match token.number().and_then(|id| self.lookup(id)) {
            Some(Entity::Sort(ty)) => Ok(ty),
            Some(_) => Err(token.error(format!("{} is not a sort", token.show()))),
            None => Err(token.error(format!("the sort '{}' is not defined", token.show()))),
        }
    }

    fn operand(&self, line: &mut Line<'_>) -> Result<(Ref, Token<'_>), Error> {
        let place = line.expect("an operand")?;
        let token = Token {
            text: b"",
            place: place.place,
        };
        let (digits, negated) = match place.text.strip_prefix(b"-") {
            Some(digits) => (digits, true),
            None => (place.text, false),
        };
        let number = Token {
            text: digits,
            place: place.place,
        };
        let show = place.show();
        match number.number().and_then(|id| self.lookup(id)) {
            Some(Entity::Node(node)) => {
                if negated && self.model.ty(node).is_array() {
                    return Err(token.error(format!("{show} negates an array")));
                }
                let r = Ref::new(node.node(), node.is_negated() != negated);
                Ok((r, token))
            }
            Some(Entity::Sort(_)) => Err(token.error(format!("{show} is a sort, not a value"))),
            Some(Entity::Other(what)) => {
                Err(token.error(format!("{show} is a line '{what}', not a value")))
            }
            None => Err(token.error(format!("the operand '{show}' is not defined"))),
        }
    }

    fn sort_line(&self, line: &mut Line<'_>) -> Result<Type, Error> {
        let kind = line.expect("'bitvec' or 'array'")?;
        let ty = match kind.text {
            b"bitvec" => {
                let token = line.expect("a width")?;
                let width = match token.number() {
                    Some(width) if width > 0 => width,
                    _ => {
                        let found = token.show();
                        return Err(
                            token.error(format!("expected a positive width, found '{found}'"))
                        );
                    }
                };
                match u32::try_from(width) {
                    Ok(width) if width <= Type::MAX_WIDTH => Type::Bv(width),
                    _ => {
                        return Err(Error::TooWide {
                            place: token.place,
                            width,
                            limit: Type::MAX_WIDTH,
                        });
                    }
                }
            }
            b"array" => match (self.sort(line)?, self.sort(line)?) {
                (Type::Bv(index), Type::Bv(elem)) => Type::Array { index, elem },
                _ => {
                    return Err(Error::Unsupported {
                        place: kind.place,
                        what: "arrays of arrays",
                    });
                }
            },
            _ => {
                let found = kind.show();
                return Err(kind.error(format!("expected 'bitvec' or 'array', found '{found}'")));
            }
        };
        line.symbol()?;
        Ok(ty)
    }

    fn constant(
        &mut self,
        name: &str,
        tag: Token<'_>,
        line: &mut Line<'_>,
    ) -> Result<Entity, Error> {
        let Type::Bv(width) = self.sort(line)? else {
            return Err(tag.error(format!("'{name}' needs a bit-vector sort")));
        };
        let (value, complement) = match name {
            "zero" => (BigUint::ZERO, false),
            "one" => (BigUint::from(1u32), false),
            "ones" => (BigUint::ZERO, true),
            _ => {
                let token = line.expect("a number")?;
                match literal(name, token.text, width) {
                    Ok(value) => value,
                    Err(problem) => {
                        let found = token.show();
                        return Err(token.error(format!("{problem}, found '{found}'")));
                    }
                }
            }
        };
        let symbol = line.symbol()?;
        let node = self.model.add_const(Bv::from_biguint(width, value));
        // A name would be that of the value, not of its complement.
        let symbol = symbol.filter(|_| !complement);
        self.finish(node, tag, false, symbol);
        Ok(Entity::Node(Ref::new(node.node(), complement)))
    }

    fn operation(&mut self, op: Op, tag: Token<'_>, line: &mut Line<'_>) -> Result<Entity, Error> {
        let declared = self.sort(line)?;
        let mut args = [Ref::default(); 3];
        let mut types = [Type::Bool; 3];
        let count = op.operands();
        for (arg, ty) in args.iter_mut().zip(&mut types).take(count) {
            *arg = self.operand(line)?.0;
            *ty = self.model.ty(*arg);
        }
        let mut numbers = [0; 2];
        for number in numbers.iter_mut().take(op.shape().numbers()) {
            *number = line.number("a number of bits")?;
        }
        let name = op.name();
        let ty = match op.result(&types[..count], numbers) {
            Ok(ty) => ty,
            Err(Mismatch::TooWide(width)) => {
                return Err(Error::TooWide {
                    place: tag.place,
                    width,
                    limit: Type::MAX_WIDTH,
                });
            }
            Err(mismatch) => return Err(tag.error(format!("'{name}': {mismatch}"))),
        };
        if ty != declared {
            return Err(tag.error(format!(
                "'{name}' yields {ty}, but the line declares {declared}"
            )));
        }
        let symbol = line.symbol()?;
        let args = &args[..count];
        let on_input = args.iter().any(|arg| self.on_input[arg.node() as usize]);
        let node = self.model.add(op, ty, args, numbers);
        Ok(self.finish(node, tag, on_input, symbol))
    }

    fn assignment(&mut self, name: &str, line: &mut Line<'_>) -> Result<Entity, Error> {
        let declared = self.sort(line)?;
        let (target, at) = self.operand(line)?;
        let place = at.place;
        let node = self.model.nodes[target.node() as usize];
        let at = |problem: String| Error::Malformed { place, problem };
        if node.op != Op::State || target.is_negated() {
            return Err(at(format!("the first operand of '{name}' is not a state")));
        }
        let index = node.numbers[0] as usize;
        let state = self.model.states[index];
        if declared != node.ty {
            return Err(at(format!(
                "the state has the sort {}, but the line declares {declared}",
                node.ty
            )));
        }
        let (value, value_at) = self.operand(line)?;
        let ty = self.model.ty(value);
        let constant = self.model.nodes[value.node() as usize].op == Op::Const;
        let fills = match node.ty {
            Type::Array { elem, .. } => name == "init" && constant && ty == Type::Bv(elem),
            _ => false,
        };
        let problem = if ty != node.ty && !fills {
            format!("a state of sort {} is given a value of sort {ty}", node.ty)
        } else if name == "next" {
            match state.next {
                Some(_) => "the state has a next value already".into(),
                None => String::new(),
            }
        } else if state.init.is_some() {
            "the state has an initial value already".into()
        } else if value.node() >= target.node() {
            "an initial value must be defined before its state".into()
        } else if self.on_input[value.node() as usize] {
            "an initial value cannot depend on an input: use a state without next instead".into()
        } else {
            String::new()
        };
        if !problem.is_empty() {
            return Err(value_at.error(problem));
        }
        line.symbol()?;
        let state = &mut self.model.states[index];
        if name == "init" {
            state.init = Some(value);
            Ok(Entity::Other("init"))
        } else {
            state.next = Some(value);
            Ok(Entity::Other("next"))
        }
    }

    fn property(
        &mut self,
        name: &str,
        tag: Token<'_>,
        line: &mut Line<'_>,
    ) -> Result<Entity, Error> {
        let value = match name {
            "output" => self.operand(line)?.0,
            _ => self.condition(line)?,
        };
        let property = Property {
            value,
            name: line.symbol()?,
        };
        let Model {
            bads,
            constraints,
            fairs,
            outputs,
            origin,
            ..
        } = &mut self.model;
        let (list, places, name) = match name {
            "bad" => (bads, &mut origin.bads, "bad"),
            "constraint" => (constraints, &mut origin.constraints, "constraint"),
            "fair" => (fairs, &mut origin.fairs, "fair"),
            _ => (outputs, &mut origin.outputs, "output"),
        };
        list.push(property);
        places.push(tag.place);
        Ok(Entity::Other(name))
    }

    fn condition(&self, line: &mut Line<'_>) -> Result<Ref, Error> {
        let (value, at) = self.operand(line)?;
        match self.model.ty(value) {
            Type::Bv(1) => Ok(value),
            ty => Err(at.error(format!("expected a condition of one bit, found {ty}"))),
        }
    }

    fn justice(&mut self, tag: Token<'_>, line: &mut Line<'_>) -> Result<Entity, Error> {
        let count = line.number("a number of conditions")?;
        if count == 0 {
            return Err(tag.error("'justice' needs at least one condition"));
        }
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(self.condition(line)?);
        }
        let name = line.symbol()?;
        self.model.justice.push(Justice { values, name });
        self.model.origin.justice.push(tag.place);
        Ok(Entity::Other("justice"))
    }
}
