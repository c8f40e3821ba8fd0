//! What went wrong at an error location, in the words of whoever wrote the program.

use crate::names::{Names, OfC};
use crate::objects::{CONSTANT, Made, Objects, Target, origin, state, title};
use trellis_frontend_c::lower::fault::Fault;
use trellis_frontend_c::types::Ty;
use trellis_ivl::{Bv, Loc, Machine, Program, Term};

/// Objects of a leak that are named.
const MOST: usize = 3;

/// What is wrong at an error location, where a machine is; nothing where only the property is known.
pub fn explain(
    program: &Program,
    machine: &mut Machine<'_>,
    names: &Names,
    objects: &Objects,
    at: Loc,
) -> Option<String> {
    let of_c = names.of_source()?;
    let fault = &of_c.checks.get(&at)?.fault;
    let mut teller = Teller {
        program,
        machine,
        names,
        of_c,
        objects,
    };
    teller.tell(fault)
}

struct Teller<'a, 'm> {
    program: &'a Program,
    machine: &'a mut Machine<'m>,
    names: &'a Names,
    of_c: &'a OfC,
    objects: &'a Objects,
}

impl Teller<'_, '_> {
    fn tell(&mut self, fault: &Fault) -> Option<String> {
        Some(match fault {
            Fault::Other => return None,
            Fault::Access {
                address,
                bytes,
                write,
            } => {
                let (address, bytes) = (self.number(*address)?, self.number(*bytes)?);
                self.access(address, bytes, *write)
            }
            Fault::Index { index, length, .. } => {
                let (index, length) = (self.bv(*index)?, self.number(*length)?);
                let index = index.to_bigint();
                format!(
                    "index {index} of an array of {}",
                    counted(length, "element")
                )
            }
            Fault::Free { address } => {
                let address = self.number(*address)?;
                self.free(address)
            }
            Fault::Overlap { to, from, bytes } => {
                let (to, from) = (self.number(*to)?, self.number(*from)?);
                let bytes = counted(self.number(*bytes)?, "byte");
                let place = |a| self.objects.place(self.of_c, a, None);
                let (to, from) = (place(to), place(from));
                format!("copies {bytes} from {from} to {to}, which overlap")
            }
            Fault::Call { pointer } => match self.number(*pointer)? {
                0 => "calls a null pointer".into(),
                address => match self.objects.target(self.of_c, address) {
                    Target::Function(name) => {
                        format!("calls {name} by a pointer to functions of another type")
                    }
                    _ => format!("calls 0x{address:x}, which is no function"),
                },
            },
            Fault::Operation {
                operator,
                operands,
                ty,
            } => {
                let values: Option<Vec<Bv>> = operands.iter().map(|t| self.bv(*t)).collect();
                self.operation(operator, &values?, *ty)
            }
            Fault::Length { value } => {
                format!("an array of {} elements", self.bv(*value)?.to_bigint())
            }
            Fault::Unset { variable, address } => {
                let name = variable.and_then(|v| self.names.name(self.program, v));
                let name = name.map(str::to_string);
                let place = |a| self.objects.place(self.of_c, a, None);
                let address = address.and_then(|a| self.number(a));
                let what = name.or_else(|| address.map(place))?;
                format!("{what} is read before anything has set it")
            }
            Fault::NoResult { function } => {
                format!("what {function} returns is used, but it ended without a value")
            }
            Fault::Leak { live } => self.leak(*live)?,
        })
    }

    fn bv(&mut self, term: Term) -> Option<Bv> {
        self.machine.eval(term).as_bv().cloned()
    }

    fn number(&mut self, term: Term) -> Option<u64> {
        self.bv(term)?.to_u64()
    }

    fn access(&self, address: u64, bytes: u64, write: bool) -> String {
        let does = if write { "writes" } else { "reads" };
        let bytes_there = counted(bytes, "byte");
        let layout = &self.of_c.layout;
        let constant = write && state(layout, self.machine, layout.slot(address)) == Some(CONSTANT);
        match self.objects.target(self.of_c, address) {
            Target::Null(0) => format!("{does} {bytes_there} through a null pointer"),
            Target::Null(n) => format!("{does} {bytes_there} at offset {n} of a null pointer"),
            Target::Function(name) => format!("{does} {bytes_there} at the function {name}"),
            Target::Nothing => {
                format!("{does} {bytes_there} at 0x{address:x}, where there is no object")
            }
            Target::Made(made, _) if made.ended.is_some() => {
                format!("{does} {bytes_there} of {}", ended(made))
            }
            Target::Fixed(object, _) if constant => {
                let name = object.name.as_deref().unwrap_or("a string literal");
                format!("writes to {name}, which is constant")
            }
            Target::Made(made, offset) => {
                let name = match made.heap {
                    true => format!("{} ({})", title(made), origin(made)),
                    false => title(made),
                };
                outside(does, &bytes_there, offset, &name, made.size)
            }
            Target::Fixed(object, offset) => {
                let name = object.name.as_deref().unwrap_or("a string literal");
                let dead = state(layout, self.machine, layout.slot(object.address)) == Some(0);
                match dead {
                    true => format!("{does} {bytes_there} of {name}, whose block has been left"),
                    false => outside(does, &bytes_there, offset, name, Some(object.size)),
                }
            }
        }
    }

    fn free(&self, address: u64) -> String {
        match self.objects.target(self.of_c, address) {
            Target::Made(made, 0) if made.heap && made.ended.is_some() => {
                format!("frees {}", ended(made))
            }
            Target::Made(made, offset) if made.heap => format!(
                "frees {} ({}) by a pointer to its byte {offset}, and not to its start",
                title(made),
                origin(made)
            ),
            Target::Nothing | Target::Null(_) => {
                format!("frees 0x{address:x}, where there is no object")
            }
            Target::Function(name) => format!("frees the function {name}"),
            Target::Fixed(..) | Target::Made(..) => {
                let place = self.objects.place(self.of_c, address, None);
                format!("frees {place}, which does not come from malloc")
            }
        }
    }

    fn operation(&self, operator: &str, values: &[Bv], ty: Ty) -> String {
        let types = &self.of_c.types;
        let signed = types.is_signed(ty);
        let show = |v: &Bv| match signed {
            true => v.to_bigint().to_string(),
            false => v.to_biguint().to_string(),
        };
        let name = types.name(ty, &self.of_c.interner);
        match (operator, values) {
            ("/" | "%", [x, y]) if y.is_zero() => format!("{} {operator} 0", show(x)),
            ("<<" | ">>", [x, y]) => {
                let (width, by) = (x.width(), y.to_bigint());
                let value = show(x);
                match y.to_u64().is_some_and(|n| n < u64::from(width)) {
                    true => format!("{value} {operator} {by} does not fit into {name}"),
                    false => format!("{value} {operator} {by}, but {name} has {width} bits"),
                }
            }
            (_, [x]) => format!("{operator}({}) does not fit into {name}", show(x)),
            (_, [x, y]) => {
                let right = match y.is_negative() && signed {
                    true => format!("({})", show(y)),
                    false => show(y),
                };
                format!("{} {operator} {right} does not fit into {name}", show(x))
            }
            _ => format!("{operator} does not fit into {name}"),
        }
    }

    fn leak(&mut self, live: Term) -> Option<String> {
        let count = self.number(live)?;
        let live: Vec<String> = (self.objects.live())
            .map(|made| format!("{} ({})", title(made), origin(made)))
            .collect();
        let mut named: Vec<&str> = live.iter().take(MOST).map(String::as_str).collect();
        if live.len() > MOST {
            named.push("...");
        }
        // Where accesses are not checked, nobody knows which ones have been freed.
        if live.len() as u64 != count {
            named.clear();
        }
        let verb = if count == 1 { "is" } else { "are" };
        let text = format!("{} {verb} never freed", counted(count, "object"));
        Some(match named.is_empty() {
            true => text,
            false => format!("{text}: {}", named.join(", ")),
        })
    }
}

/// An object whose life is over.
fn ended(made: &Made) -> String {
    let line = made.ended.map_or(0, |(at, _)| at.line);
    match made.heap {
        true => format!(
            "{} ({}), which was freed at line {line}",
            title(made),
            origin(made)
        ),
        false => format!("{}, whose block was left at line {line}", title(made)),
    }
}

/// An access that leaves its object.
fn outside(does: &str, bytes: &str, offset: i64, name: &str, size: Option<u64>) -> String {
    let size = size.map_or(String::new(), |s| {
        format!(", which has {}", counted(s, "byte"))
    });
    match offset {
        0.. => format!("{does} {bytes} at offset {offset} of {name}{size}"),
        _ => format!(
            "{does} {bytes} {} before {name}{size}",
            counted(offset.unsigned_abs(), "byte")
        ),
    }
}

fn counted(n: u64, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
