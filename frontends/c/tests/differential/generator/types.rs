//! Aggregate types: structs with members of every kind, unions whose members cover the same bytes,
//! arrays; their declarations and the integers in them.

use super::Gen;
use super::expr::Place;
use super::int::{self, BOOL, Int};
use std::rc::Rc;

/// A type of C.
#[derive(Clone)]
pub enum Type {
    Int(Int),
    /// A bit-field of a declared type.
    Bits(Int, u32),
    Array(Box<Type>, u64),
    Record(Rc<Record>),
}

/// A struct or union.
pub struct Record {
    /// As it is written: `struct u1_S3`.
    pub name: String,
    pub union: bool,
    /// Members may lie at any byte: their addresses are not taken.
    pub packed: bool,
    pub fields: Vec<Field>,
    /// Its definition without a tag.
    pub anonymous: String,
}

/// A member; unnamed bit-fields and anonymous records have no name.
pub struct Field {
    pub name: Option<String>,
    pub ty: Type,
}

impl Type {
    /// The declaration of a name of this type.
    pub fn declare(&self, name: &str) -> String {
        match self {
            Type::Int(t) => format!("{} {name}", t.name),
            Type::Bits(t, width) => format!("{} {name} : {width}", t.name),
            Type::Array(elem, n) => elem.declare(&format!("{name}[{n}]")),
            Type::Record(r) => format!("{} {name}", r.name),
        }
    }

    /// The type as it is written in a cast or compound literal.
    pub fn name(&self) -> String {
        self.declare("").trim_end().to_owned()
    }

    /// The integers in an object that is written `path`.
    pub fn leaves(&self, path: &str) -> Vec<Place> {
        match self {
            Type::Int(t) => vec![Place::new(path, *t)],
            Type::Bits(t, width) => vec![Place::new(path, field_type(*t, *width))],
            Type::Array(elem, n) => (0..*n)
                .flat_map(|i| elem.leaves(&format!("{path}[{i}]")))
                .collect(),
            Type::Record(r) => r
                .fields
                .iter()
                .flat_map(|f| match (&f.name, &f.ty) {
                    (Some(name), ty) => ty.leaves(&format!("{path}.{name}")),
                    (None, Type::Record(_)) => f.ty.leaves(path),
                    (None, _) => Vec::new(),
                })
                .collect(),
        }
    }
}

/// The type of a bit-field's value.
pub fn field_type(declared: Int, width: u32) -> Int {
    if width == declared.bits {
        return declared;
    }
    Int {
        name: "",
        bits: width,
        ..declared
    }
}

impl Gen {
    /// A struct with up to `depth` levels of records in it, declared at file scope.
    pub fn structure(&mut self, depth: u32) -> Rc<Record> {
        let packed = self.rng.chance(20);
        let mut fields = Vec::new();
        for _ in 0..2 + self.rng.below(4) {
            self.member(depth, &mut fields);
        }
        let attribute = match self.rng.below(8) {
            _ if packed => "__attribute__((packed)) ",
            0 => "__attribute__((aligned(16))) ",
            _ => "",
        };
        self.record("struct", fields, attribute, !packed)
    }

    /// Declares a record with these members; where `decorated`, some have attributes of their own.
    pub fn record(
        &mut self,
        keyword: &str,
        fields: Vec<Field>,
        attribute: &str,
        decorated: bool,
    ) -> Rc<Record> {
        let tag = self.fresh("S");
        let mut text = "{ ".to_owned();
        for field in &fields {
            text += &match (&field.name, &field.ty) {
                (Some(name), ty) => ty.declare(name),
                // The members of an anonymous record are its own.
                (None, Type::Record(r)) => r.anonymous.clone(),
                (None, ty) => ty.declare(""),
            };
            let aligned = decorated && matches!(field.ty, Type::Int(_) | Type::Array(..));
            text += match self.rng.below(14) {
                0 if aligned => " __attribute__((aligned(8))); ",
                1 if aligned => " __attribute__((packed)); ",
                _ => "; ",
            };
        }
        text += "}";
        self.declare(format!("{keyword} {attribute}{tag} {text};"));
        Rc::new(Record {
            name: format!("{keyword} {tag}"),
            union: keyword == "union",
            packed: attribute.contains("packed")
                || text.contains("packed")
                || fields.iter().any(|f| is_packed(&f.ty)),
            anonymous: format!("{keyword} {attribute}{text}"),
            fields,
        })
    }

    fn member(&mut self, depth: u32, fields: &mut Vec<Field>) {
        let mut name = Some(self.fresh("m"));
        let ty = match self.rng.below(11) {
            0..=2 => Type::Int(self.any_type()),
            3..=5 => return self.bit_fields(fields),
            6 => {
                let elem = Type::Int(self.any_type());
                let n = 1 + self.rng.below(3) as u64;
                if self.rng.chance(30) {
                    Type::Array(Box::new(Type::Array(Box::new(elem), n)), 2)
                } else {
                    Type::Array(Box::new(elem), n)
                }
            }
            7 if depth > 0 => Type::Record(self.structure(depth - 1)),
            8 if depth > 0 => {
                let inner = Type::Record(self.structure(depth - 1));
                Type::Array(Box::new(inner), 2)
            }
            9 => Type::Record(self.even_union()),
            10 => {
                name = None;
                Type::Record(if depth > 0 && self.rng.chance(50) {
                    self.structure(depth - 1)
                } else {
                    self.even_union()
                })
            }
            _ => Type::Int(self.plain_type()),
        };
        fields.push(Field { name, ty });
    }

    /// A run of bit-fields of all types and widths, with unnamed ones among them.
    pub fn bit_fields(&mut self, fields: &mut Vec<Field>) {
        for _ in 0..1 + self.rng.below(4) {
            let mut ty = self.any_type();
            while ty.bits > 64 {
                ty = self.any_type();
            }
            match self.rng.below(8) {
                0 => fields.push(Field {
                    name: None,
                    ty: Type::Bits(ty, 0),
                }),
                1 => {
                    let width = 1 + self.rng.below(ty.bits as usize) as u32;
                    fields.push(Field {
                        name: None,
                        ty: Type::Bits(ty, width),
                    });
                }
                _ => {}
            }
            let width = match self.rng.below(4) {
                0 => ty.bits,
                _ => 1 + self.rng.below(ty.bits as usize) as u32,
            };
            fields.push(Field {
                name: Some(self.fresh("b")),
                ty: Type::Bits(ty, width),
            });
        }
    }

    /// A union all of whose members cover all of its bytes: whatever is written, all may be read.
    pub fn even_union(&mut self) -> Rc<Record> {
        let size = *self.rng.pick(&[2u64, 4, 8]);
        let fields = (0..2 + self.rng.below(3))
            .map(|_| Field {
                name: Some(self.fresh("v")),
                ty: self.full_type(size),
            })
            .collect();
        self.record("union", fields, "", false)
    }

    /// A type of so many bytes, every bit of which is of a value.
    pub fn full_type(&mut self, size: u64) -> Type {
        let mut plain = int::plain(self.model);
        match self.rng.below(4) {
            0 if size > 1 => {
                plain.retain(|t| t.bytes() < size && size.is_multiple_of(t.bytes()));
                let elem = *self.rng.pick(&plain);
                Type::Array(Box::new(Type::Int(elem)), size / elem.bytes())
            }
            1 if size > 1 => {
                let halves = [self.full_type(size / 2), self.full_type(size / 2)];
                let fields = halves
                    .into_iter()
                    .map(|ty| Field {
                        name: Some(self.fresh("h")),
                        ty,
                    })
                    .collect();
                Type::Record(self.record("struct", fields, "", false))
            }
            2 => {
                plain.retain(|t| t.bytes() == size);
                let whole = *self.rng.pick(&plain);
                let mut left = whole.bits;
                let mut fields = Vec::new();
                while left > 0 {
                    let width = 1 + self.rng.below(left as usize) as u32;
                    let ty = if width == 1 && self.rng.chance(30) && size == 1 {
                        BOOL
                    } else {
                        whole
                    };
                    fields.push(Field {
                        name: Some(self.fresh("b")),
                        ty: Type::Bits(ty, width),
                    });
                    left -= width;
                }
                Type::Record(self.record("struct", fields, "", false))
            }
            _ => {
                plain.retain(|t| t.bytes() == size);
                Type::Int(*self.rng.pick(&plain))
            }
        }
    }
}

/// Whether addresses of integers in it may be unaligned.
pub fn is_packed(ty: &Type) -> bool {
    match ty {
        Type::Record(r) => r.packed,
        Type::Array(elem, _) => is_packed(elem),
        _ => false,
    }
}
