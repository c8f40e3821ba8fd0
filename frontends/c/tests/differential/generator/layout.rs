//! Where members lie: sizes, alignments and offsets, the bytes of static structs, structs made of bytes.

use super::Gen;
use super::initializers::Values;
use super::int::{BOOL, INT};
use super::types::{Field, Type};

pub fn unit(g: &mut Gen) {
    let mut fields = Vec::new();
    g.bit_fields(&mut fields);
    // Any byte is a value of these, so that they can be made of bytes.
    g.types.retain(|t| *t != BOOL);
    let inner = g.structure(1);
    fields.push(Field {
        name: Some(g.fresh("m")),
        ty: Type::Record(inner),
    });
    g.bit_fields(&mut fields);
    fields.push(Field {
        name: Some(g.fresh("m")),
        ty: Type::Int(g.any_type()),
    });
    let packed = g.rng.chance(30);
    let attribute = if packed {
        "__attribute__((packed)) "
    } else {
        ""
    };
    let record = g.record("struct", fields, attribute, !packed);
    let (ty, name) = (Type::Record(record.clone()), record.name.clone());
    g.mix(&format!("sizeof({name}) * 256 + _Alignof({name})"), INT);
    for field in &record.fields {
        if let (Some(member), false) = (&field.name, matches!(field.ty, Type::Bits(..))) {
            g.mix(&format!("__builtin_offsetof({name}, {member})"), INT);
        }
    }

    // Static objects have zeros in their padding.
    let (s, i) = (g.fresh("s"), g.fresh("i"));
    let init = g.initializer(&ty, &Values::Constant);
    g.declare(format!("static {name} {s} = {init};"));
    g.line(format!("for (size_t {i} = 0; {i} < sizeof {s}; {i}++)"));
    g.line(format!("  mix(((unsigned char *)&{s})[{i}]);"));
    g.mix_all(&ty.leaves(&s));

    let (bytes, l, u, i) = (g.fresh("y"), g.fresh("l"), g.fresh("u"), g.fresh("i"));
    let (factor, term) = (2 * g.rng.below(100) + 1, g.rng.below(256));
    g.declare(format!(
        "union {u} {{ {name} s; unsigned char b[sizeof({name})]; }};"
    ));
    g.line(format!("unsigned char {bytes}[sizeof({name})];"));
    g.line(format!("for (size_t {i} = 0; {i} < sizeof {bytes}; {i}++)"));
    g.line(format!("  {bytes}[{i}] = {i} * {factor} + {term};"));
    g.line(format!("{name} {l};"));
    g.line(format!("memcpy(&{l}, {bytes}, sizeof {l});"));
    let leaves: Vec<_> = ty.leaves(&l).into_iter().filter(|p| p.ty != BOOL).collect();
    g.mix_all(&leaves);
    let v = g.fresh("v");
    g.line(format!("union {u} {v};"));
    g.line(format!("for (size_t {i} = 0; {i} < sizeof {v}.b; {i}++)"));
    let text = format!("  {v}.b[{i}] = {bytes}[{i}] ^ 0x{:x};", g.rng.below(256));
    g.line(text);
    let theirs = ty.leaves(&format!("{v}.s"));
    let theirs: Vec<_> = theirs.into_iter().filter(|p| p.ty != BOOL).collect();
    g.mix_all(&theirs);
    g.statements(&theirs, 4);
    g.line(format!("{l} = {v}.s;"));
    g.mix_all(&leaves);
    g.mix_all(&theirs);
}
