//! Writes a model with fresh, dense identifiers: sorts, nodes, then what refers to them.

use crate::model::{Model, Ref};
use crate::op::Op;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use trellis_ivl::Type;

/// The model as a BTOR2 file.
pub fn write(model: &Model) -> String {
    let mut writer = Writer {
        out: String::new(),
        last: 0,
        sorts: BTreeMap::new(),
        nodes: Vec::with_capacity(model.nodes.len()),
    };
    for node in 0..model.nodes.len() as u32 {
        writer.node(model, node);
    }
    for state in &model.states {
        let sort = writer.sort(model.nodes[state.node as usize].ty);
        for (keyword, value) in [("init", state.init), ("next", state.next)] {
            if let Some(value) = value {
                let (id, value) = (writer.id(), writer.operand(value));
                let target = writer.nodes[state.node as usize];
                let _ = writeln!(writer.out, "{id} {keyword} {sort} {target} {value}");
            }
        }
    }
    for (keyword, list) in [
        ("constraint", &model.constraints),
        ("bad", &model.bads),
        ("fair", &model.fairs),
        ("output", &model.outputs),
    ] {
        for property in list {
            let (id, value) = (writer.id(), writer.operand(property.value));
            let symbol = symbol(property.name.as_deref());
            let _ = writeln!(writer.out, "{id} {keyword} {value}{symbol}");
        }
    }
    for justice in &model.justice {
        let id = writer.id();
        let _ = write!(writer.out, "{id} justice {}", justice.values.len());
        for &value in &justice.values {
            let _ = write!(writer.out, " {}", writer.operand(value));
        }
        let _ = writeln!(writer.out, "{}", symbol(justice.name.as_deref()));
    }
    writer.out
}

/// A symbol with the space before it. White space, which a symbol cannot hold, becomes `_`.
fn symbol(name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => {
            let name = name.replace(|c: char| c.is_ascii_whitespace(), "_");
            format!(" {name}")
        }
        _ => String::new(),
    }
}

struct Writer {
    out: String,
    last: u64,
    sorts: BTreeMap<Type, u64>,
    /// The identifiers of the nodes.
    nodes: Vec<u64>,
}

impl Writer {
    fn id(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn sort(&mut self, ty: Type) -> u64 {
        if let Some(&id) = self.sorts.get(&ty) {
            return id;
        }
        let text = match ty {
            Type::Array { index, elem } => {
                let (index, elem) = (self.sort(Type::Bv(index)), self.sort(Type::Bv(elem)));
                format!("array {index} {elem}")
            }
            _ => format!("bitvec {}", ty.width().unwrap_or(1)),
        };
        let id = self.id();
        let _ = writeln!(self.out, "{id} sort {text}");
        self.sorts.insert(ty, id);
        id
    }

    fn operand(&self, r: Ref) -> String {
        let sign = if r.is_negated() { "-" } else { "" };
        format!("{sign}{}", self.nodes[r.node() as usize])
    }

    fn node(&mut self, model: &Model, index: u32) {
        let node = &model.nodes[index as usize];
        let sort = self.sort(node.ty);
        let id = self.id();
        let _ = write!(self.out, "{id} ");
        match node.op {
            Op::Const => {
                let value = &model.consts[node.numbers[0] as usize];
                let _ = match () {
                    () if value.is_zero() => write!(self.out, "zero {sort}"),
                    () if value.is_one() => write!(self.out, "one {sort}"),
                    () => write!(self.out, "consth {sort} {:x}", value.to_biguint()),
                };
            }
            op => {
                let _ = write!(self.out, "{} {sort}", op.name());
                for &arg in node.args() {
                    let _ = write!(self.out, " {}", self.operand(arg));
                }
                for number in &node.numbers[..op.shape().numbers()] {
                    let _ = write!(self.out, " {number}");
                }
            }
        }
        let _ = writeln!(self.out, "{}", symbol(model.name(index)));
        self.nodes.push(id);
    }
}
