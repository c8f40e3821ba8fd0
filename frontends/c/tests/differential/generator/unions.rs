//! Unions of members of different sizes. After a member is written, those are read that lie within its
//! bytes: what is beyond them C leaves open.

use super::Gen;
use super::expr::Place;
use super::initializers::Values;
use super::int::INT;
use super::types::{Field, Type};

/// A member: its name, type and size.
struct Member {
    name: String,
    ty: Type,
    size: u64,
}

pub fn unit(g: &mut Gen) {
    let mut members = Vec::new();
    for _ in 0..2 + g.rng.below(4) {
        let size = *g.rng.pick(&[1u64, 2, 4, 8]);
        let mut ty = g.full_type(size);
        let mut whole = size;
        if g.rng.chance(30) {
            let n = 1 + g.rng.below(3) as u64;
            ty = Type::Array(Box::new(ty), n);
            whole *= n;
        }
        members.push(Member {
            name: g.fresh("m"),
            ty,
            size: whole,
        });
    }
    let fields = members
        .iter()
        .map(|m| Field {
            name: Some(m.name.clone()),
            ty: m.ty.clone(),
        })
        .collect();
    let record = g.record("union", fields, "", false);
    let name = record.name.clone();
    g.mix(&format!("sizeof({name}) * 256 + _Alignof({name})"), INT);

    // Held in a struct, beside other members.
    let (holder, inner, after) = (g.fresh("H"), g.fresh("u"), g.fresh("n"));
    g.declare(format!(
        "struct {holder} {{ int {after}a; {name} {inner}; int {after}; }};"
    ));
    let (s, p, h, copy) = (g.fresh("s"), g.fresh("p"), g.fresh("h"), g.fresh("c"));
    let first = g.rng.below(members.len());
    let init = g.initializer(&members[first].ty, &Values::Constant);
    g.declare(format!(
        "static {name} {s} = {{.{} = {init}}};",
        members[first].name
    ));
    read(g, &members, &s, members[first].size);
    let f = g.fresh("f");
    g.declare(format!(
        "static {name} {f}({name} x, {name} *y)\n{{\n  {name} t = *y;\n  *y = x;\n  return t;\n}}"
    ));
    g.line(format!("{name} *{p} = &{s};"));
    g.line(format!("struct {holder} {h} = {{1, {{{{0}}}}, 2}};"));
    g.line(format!("{name} {copy};"));
    let scratch = [
        Place::new(format!("{h}.{after}"), INT),
        Place::new(format!("{h}.{after}a"), INT),
    ];
    for _ in 0..5 {
        let object = match g.rng.below(3) {
            0 => s.clone(),
            1 => format!("(*{p})"),
            _ => format!("{h}.{inner}"),
        };
        let k = g.rng.below(members.len());
        let size = members[k].size;
        write(g, &members[k], &object, &scratch);
        read(g, &members, &object, size);
        match g.rng.below(5) {
            0 => {
                g.line(format!("{copy} = {object};"));
                read(g, &members, &copy, size);
            }
            1 => {
                g.line(format!("memcpy(&{copy}, &{object}, sizeof {copy});"));
                read(g, &members, &copy, size);
            }
            2 => {
                g.line(format!("{copy} = {object};"));
                g.line(format!("{copy} = {f}({object}, &{copy});"));
                read(g, &members, &copy, size);
            }
            3 => {
                let value = g.initializer(&members[k].ty, &Values::Computed(&scratch));
                let member = &members[k].name;
                g.line(format!("{object} = ({name}){{.{member} = {value}}};"));
                read(g, &members, &object, size);
            }
            _ => {}
        }
        g.statements(&scratch, 1);
    }
    g.mix_all(&scratch);
}

fn write(g: &mut Gen, member: &Member, object: &str, scratch: &[Place]) {
    for leaf in member.ty.leaves(&format!("{object}.{}", member.name)) {
        let e = g.expr(scratch, 2);
        g.line(format!("{} = {};", leaf.text, e.text));
    }
}

/// Reads what lies within the first `size` bytes.
fn read(g: &mut Gen, members: &[Member], object: &str, size: u64) {
    for member in members.iter().filter(|m| m.size <= size) {
        g.mix_all(&member.ty.leaves(&format!("{object}.{}", member.name)));
    }
}
