//! Variables of all integer types, enumerations, static locals, functions with parameters of all types.

use super::Gen;
use super::expr::{Expr, Place};
use super::int::{INT, Int, UINT};

pub fn unit(g: &mut Gen) {
    let mut places = Vec::new();
    for _ in 0..3 + g.rng.below(3) {
        let ty = g.any_type();
        let name = g.fresh("g");
        let value = g.constant_of(ty);
        let qualifier = *g.rng.pick(&["static", "static", "", "static volatile"]);
        g.declare(format!("{qualifier} {} {name} = {};", ty.name, value.text));
        places.push(Place::new(name, ty));
    }
    places.push(enumeration(g));
    let functions: Vec<_> = (0..2).map(|_| function(g, &places)).collect();
    for _ in 0..3 {
        let ty = g.any_type();
        let name = g.fresh("l");
        let value = g.expr(&places, 2);
        let storage = if g.rng.chance(20) { "register " } else { "" };
        g.line(format!("{storage}{} {name} = {};", ty.name, value.text));
        places.push(Place::new(name, ty));
    }
    for _ in 0..4 {
        g.statements(&places, 2);
        let (name, ret, params) = g.rng.pick(&functions).clone();
        let args: Vec<String> = params.iter().map(|_| g.expr(&places, 2).text).collect();
        let to = g.rng.pick(&places).clone();
        g.line(format!("{} = {name}({});", to.text, args.join(", ")));
        let again: Vec<String> = params.iter().map(|_| g.expr(&places, 1).text).collect();
        g.mix(&format!("{name}({})", again.join(", ")), INT);
        if ret.is_wide() {
            g.mix(&to.text, to.ty);
        }
    }
    g.mix_all(&places);
}

/// An enumeration with values of its own, and a variable of it.
fn enumeration(g: &mut Gen) -> Place {
    let (tag, name) = (g.fresh("e"), g.fresh("v"));
    let negative = g.rng.chance(50);
    let mut members = Vec::new();
    for i in 0..4 {
        let member = g.fresh("E");
        let value = g.rng.below(1000) as i64 - if negative { 500 } else { 0 };
        members.push(if g.rng.chance(50) || (i == 0 && negative) {
            let value = if i == 0 && negative { -3 } else { value };
            format!("{member} = {value}")
        } else {
            member
        });
    }
    let first = members[0].split(' ').next().unwrap_or_default().to_owned();
    g.declare(format!("enum {tag} {{ {} }};", members.join(", ")));
    g.declare(format!("static enum {tag} {name} = {first};"));
    // gcc takes unsigned int where no member is negative.
    Place::new(name, if negative { INT } else { UINT })
}

/// A function of some parameters with a static local; its name, result and parameters.
fn function(g: &mut Gen, globals: &[Place]) -> (String, Int, Vec<Int>) {
    let (name, ret) = (g.fresh("f"), g.any_type());
    let params: Vec<Place> = (0..1 + g.rng.below(3))
        .map(|_| {
            let ty = g.any_type();
            Place::new(g.fresh("p"), ty)
        })
        .collect();
    let kept = g.fresh("s");
    let kept_type = g.any_type();
    let start = g.constant_of(kept_type);
    let mut places = params.clone();
    places.push(Place::new(kept.clone(), kept_type));
    places.push(g.rng.pick(globals).clone());
    let body = g.apart(|g| {
        g.statements(&places, 3);
        let result: Expr = g.expr(&places, 3);
        g.line(format!("return {};", result.text));
    });
    let declared: Vec<String> = params
        .iter()
        .map(|p| format!("{} {}", p.ty.name, p.text))
        .collect();
    let head = format!("static {} {name}({})", ret.name, declared.join(", "));
    g.declare(format!(
        "{head}\n{{\n  static {} {kept} = {};\n{body}}}",
        kept_type.name, start.text
    ));
    let types = params.iter().map(|p| p.ty).collect();
    (name, ret, types)
}

/// Constant expressions wherever C asks for one: initialisers, enumerators, lengths, widths, cases.
pub fn constants(g: &mut Gen) {
    g.constant = true;
    let mut places = Vec::new();
    for _ in 0..6 {
        let (name, ty, value) = (g.fresh("c"), g.any_type(), g.expr(&[], 4));
        let qualifier = *g.rng.pick(&["static", "static const", "const"]);
        g.declare(format!("{qualifier} {} {name} = {};", ty.name, value.text));
        places.push(Place::new(name, ty));
    }
    let (a, b, c) = (g.fresh("E"), g.fresh("E"), g.fresh("E"));
    let values = [(); 3].map(|()| g.expr(&[], 3).masked(0x7fff).text);
    let [x, y, z] = &values;
    g.declare(format!("enum {{ {a} = {x}, {b}, {c} = (int){y} - {z} }};"));
    for name in [&a, &b, &c] {
        g.mix(name, INT);
    }
    let (array, field, s) = (g.fresh("a"), g.fresh("b"), g.fresh("S"));
    let (length, width) = (g.expr(&[], 3).masked(31), g.expr(&[], 3).masked(15));
    g.declare(format!("static short {array}[{} + 1];", length.text));
    g.mix(&format!("sizeof {array}"), INT);
    g.declare(format!(
        "static struct {{ unsigned {field} : {} + 1; }} {s} = {{(unsigned){x}}};",
        width.text
    ));
    g.mix(&format!("{s}.{field}"), UINT);
    let (low, high) = (g.expr(&[], 3).masked(63), g.expr(&[], 3).masked(63));
    g.constant = false;
    let i = g.fresh("i");
    let (low, high) = (low.text, high.text);
    g.line(format!(
        "for (int {i} = 0; {i} < 128; {i} += 5) switch ({i}) {{"
    ));
    g.line(format!("case {low}: mix(1); break;"));
    g.line(format!("case 64 + {high}: mix({i}); default: mix(2);"));
    g.line("}");
    g.mix_all(&places);
}
