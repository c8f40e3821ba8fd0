//! Writes both encodings, in the canonical numbering.

use crate::model::{Item, Lit, Model};
use std::fmt::Write as _;

/// The model as `aag`.
pub fn write_ascii(model: &Model) -> Vec<u8> {
    let mut out = header("aag", model);
    for i in 0..model.inputs {
        line(&mut out, &[model.input(i)]);
    }
    latches_and_properties(&mut out, model, true);
    for (i, gate) in model.ands.iter().enumerate() {
        line(&mut out, &[model.and(i as u32), gate.left, gate.right]);
    }
    symbols(&mut out, model);
    out.into_bytes()
}

/// The model as `aig`.
pub fn write_binary(model: &Model) -> Vec<u8> {
    let mut out = header("aig", model);
    latches_and_properties(&mut out, model, false);
    let mut out = out.into_bytes();
    for (i, gate) in model.ands.iter().enumerate() {
        delta(&mut out, model.and(i as u32).0 - gate.left.0);
        delta(&mut out, gate.left.0 - gate.right.0);
    }
    let mut tail = String::new();
    symbols(&mut tail, model);
    out.extend_from_slice(tail.as_bytes());
    out
}

fn header(magic: &str, model: &Model) -> String {
    let mut numbers = vec![
        model.max_var() as usize,
        model.count(Item::Input),
        model.count(Item::Latch),
        model.count(Item::Output),
        model.ands.len(),
        model.count(Item::Bad),
        model.count(Item::Constraint),
        model.count(Item::Justice),
        model.count(Item::Fairness),
    ];
    while numbers.len() > 5 && numbers.last() == Some(&0) {
        numbers.pop();
    }
    let mut out = String::from(magic);
    for number in numbers {
        let _ = write!(out, " {number}");
    }
    out.push('\n');
    out
}

fn line(out: &mut String, lits: &[Lit]) {
    for (i, lit) in lits.iter().enumerate() {
        let space = if i == 0 { "" } else { " " };
        let _ = write!(out, "{space}{}", lit.0);
    }
    out.push('\n');
}

fn latches_and_properties(out: &mut String, model: &Model, with_literal: bool) {
    for (i, latch) in model.latches.iter().enumerate() {
        let all = [model.latch(i as u32), latch.next, latch.reset];
        let start = if with_literal { 0 } else { 1 };
        let end = if latch.reset == Lit::FALSE { 2 } else { 3 };
        line(out, &all[start..end]);
    }
    for lits in [&model.outputs, &model.bads, &model.constraints] {
        for &lit in lits {
            line(out, &[lit]);
        }
    }
    for set in &model.justice {
        let _ = writeln!(out, "{}", set.len());
    }
    for &lit in model.justice.iter().flatten().chain(&model.fairness) {
        line(out, &[lit]);
    }
}

fn delta(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn symbols(out: &mut String, model: &Model) {
    for (item, index, name) in model.symbols.iter() {
        let _ = writeln!(out, "{}{index} {name}", item.letter());
    }
    if let Some(comment) = &model.comment {
        out.push_str("c\n");
        out.push_str(comment);
    }
}
