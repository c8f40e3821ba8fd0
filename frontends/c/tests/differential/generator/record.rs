//! Structs as values and in memory: assigned, copied, passed and returned, through pointers and arrays.

use super::Gen;
use super::expr::Place;
use super::initializers::Values;
use super::types::{Type, is_packed};

pub fn unit(g: &mut Gen) {
    let record = g.structure(2);
    let (ty, name) = (Type::Record(record.clone()), record.name.clone());
    let (a, many, b, p) = (g.fresh("a"), g.fresh("n"), g.fresh("b"), g.fresh("p"));
    let first = g.initializer(&ty, &Values::Constant);
    g.declare(format!("static {name} {a} = {first};"));
    let both = Type::Array(Box::new(ty.clone()), 2);
    let list = g.initializer(&both, &Values::Constant);
    g.declare(format!("static {} = {list};", both.declare(&many)));
    g.mix(&format!("sizeof({name})"), super::int::INT);
    g.mix(&format!("_Alignof({name})"), super::int::INT);
    let statics = [ty.leaves(&a), both.leaves(&many)].concat();
    g.mix_all(&statics);
    let f = function(g, &ty);

    let own = g.initializer(&ty, &Values::Computed(&statics));
    g.line(format!("{name} {b} = {own};"));
    let text = format!("{name} *{p} = &{many}[{}];", g.rng.below(2));
    g.line(text);
    let mut places = [statics, ty.leaves(&b)].concat();
    places.extend(ty.leaves(&format!("(*{p})")));
    let objects = [
        a.clone(),
        b.clone(),
        format!("*{p}"),
        format!("{many}[0]"),
        format!("{many}[1]"),
    ];
    let leaf = aligned_leaf(g, &ty, &b);
    for _ in 0..4 {
        let few: Vec<Place> = (0..6).map(|_| g.rng.pick(&places).clone()).collect();
        g.statements(&few, 2);
        let (to, from) = (g.rng.pick(&objects).clone(), g.rng.pick(&objects).clone());
        let k = g.expr(&few, 1).text;
        match g.rng.below(8) {
            0 => g.line(format!("{to} = {from};")),
            1 => g.line(format!("{to} = {f}({from}, &{b}, {k});")),
            2 => g.line(format!("{to} = ({k}) ? {from} : {a};")),
            3 => {
                let value = g.initializer(&ty, &Values::Computed(&few));
                g.line(format!("{to} = ({name}){value};"));
            }
            4 if to != from => g.line(format!("memmove(&{to}, &{from}, sizeof({name}));")),
            5 => {
                let leaf = g.rng.pick(&ty.leaves("")).clone();
                g.mix(&format!("{f}({from}, &{b}, {k}){}", leaf.text), leaf.ty);
            }
            6 => g.line(format!("{to} = ({{ {name} t = {from}; {b} = t; t; }});")),
            _ => g.line(format!("{p} = &{many}[({k}) & 1];")),
        }
        if let Some((pointer, ty)) = &leaf {
            let e = g.expr(&few, 2);
            g.line(format!("*{pointer} = {};", e.text));
            g.mix(&format!("*{pointer}"), *ty);
        }
    }
    g.mix_all(&places);
}

/// A function that takes a struct by value and by address and returns one.
fn function(g: &mut Gen, ty: &Type) -> String {
    let (f, x, y, k) = (g.fresh("f"), g.fresh("x"), g.fresh("y"), g.fresh("k"));
    let name = ty.name();
    let mut places = [ty.leaves(&x), ty.leaves(&format!("(*{y})"))].concat();
    places.push(Place::new(k.clone(), super::int::INT));
    let few: Vec<Place> = (0..5).map(|_| g.rng.pick(&places).clone()).collect();
    let ends = g.rng.chance(50);
    let body = g.apart(|g| {
        g.statements(&few, 3);
        if ends {
            g.line(format!("if ({k} & 1) return *{y};"));
        }
    });
    g.declare(format!(
        "static {name} {f}({name} {x}, {name} *{y}, int {k})\n{{\n{body}  return {x};\n}}"
    ));
    f
}

/// The address of an integer in an object, kept in a variable.
fn aligned_leaf(g: &mut Gen, ty: &Type, object: &str) -> Option<(String, super::int::Int)> {
    let leaves = ty.leaves(object);
    let named: Vec<&Place> = leaves.iter().filter(|l| addressable(l)).collect();
    if is_packed(ty) || named.is_empty() {
        return None;
    }
    let leaf = (*g.rng.pick(&named)).clone();
    let pointer = g.fresh("q");
    g.line(format!("{} *{pointer} = &{};", leaf.ty.name, leaf.text));
    Some((pointer, leaf.ty))
}

/// Bit-fields have no address; the name of a member tells which it is.
fn addressable(leaf: &Place) -> bool {
    let member = leaf.text.rsplit('.').next().unwrap_or_default();
    !member.contains("_b") && !leaf.ty.name.is_empty()
}
