//! Where variables live: registers split into scalars, or memory.

use super::escape::Facts;
use super::{Elements, Lowerer, VarInfo};
use crate::hir;
use crate::types::{Length, Ty, TyKind};
use trellis_ivl as ivl;

/// A variable's home.
#[derive(Clone)]
pub enum Object {
    /// IVL variables.
    Registers(Shape),
    /// Memory at the address in this IVL variable.
    Memory(ivl::Var),
}

/// IVL variables in the shape of the C type.
#[derive(Clone)]
pub enum Shape {
    /// A scalar: a bit-vector, or an array of them inside an array.
    Leaf(ivl::Var),
    /// One shape per member.
    Record(Vec<Shape>),
    /// An array of a number of elements; the leaves below are IVL arrays.
    Array(Box<Shape>, u64),
}

/// To whom the IVL variables of a shape belong.
pub struct Home {
    /// Whether they outlive the procedure at hand.
    pub global: bool,
    /// The C function.
    pub function: Option<String>,
    /// Where.
    pub span: ivl::Span,
}

/// A local in memory gets a fresh slot at each declaration when it is larger than this and not
/// initialised, so that its content is arbitrary.
pub const MAX_HAVOC_BYTES: u64 = 64;

/// Whether a variable in memory has one address for the whole run.
pub fn has_fixed_address(hir: &hir::Hir, facts: &Facts, var: hir::Var) -> bool {
    let data = &hir.vars[var];
    match data.storage {
        hir::Storage::Global | hir::Storage::Static => true,
        hir::Storage::Local | hir::Storage::Param => {
            let recursive = data.owner.is_none_or(|f| facts.recursive.contains(&f));
            let size = hir.types.size_of(data.ty.ty);
            !recursive && !facts.many_lives[var] && size.is_some_and(|s| s <= MAX_HAVOC_BYTES)
        }
    }
}

impl Lowerer<'_> {
    /// The home of a variable, made on first use.
    pub(super) fn object(&mut self, var: hir::Var) -> Object {
        if let Some(object) = &self.objects[var] {
            return object.clone();
        }
        let hir = self.hir;
        let data = &hir.vars[var];
        let object = if self.facts.in_memory[var] {
            self.memory_object(var)
        } else {
            let ty = data.ty.ty;
            let name = data.name.clone();
            Object::Registers(self.make_shape(var, &name, ty))
        };
        self.objects[var] = Some(object.clone());
        object
    }

    fn memory_object(&mut self, var: hir::Var) -> Object {
        let hir = self.hir;
        let data = &hir.vars[var];
        let name = format!("&{}", data.name);
        let span = self.span(data.span);
        let size = hir.types.size_of(data.ty.ty);
        if self.is_static_slot(var) {
            let size = size.unwrap_or(0) + data.flexible;
            // A local is constant from its initialiser on.
            let lasts = matches!(data.storage, hir::Storage::Global | hir::Storage::Static);
            let constant = lasts && super::escape::is_constant(hir, data);
            let base = self.static_slot(&name, size, constant, span);
            return Object::Memory(base);
        }
        let base = self
            .p
            .add_local(self.f.proc, name, ivl::Type::Bv(self.ptr), span);
        Object::Memory(base)
    }

    /// Whether a memory variable has one fixed address.
    pub(super) fn is_static_slot(&self, var: hir::Var) -> bool {
        has_fixed_address(self.hir, &self.facts, var)
    }

    fn make_shape(&mut self, var: hir::Var, name: &str, ty: Ty) -> Shape {
        let data = &self.hir.vars[var];
        let home = Home {
            global: matches!(data.storage, hir::Storage::Global | hir::Storage::Static),
            function: data.owner.map(|f| self.hir.funcs[f].name.clone()),
            span: self.span(data.span),
        };
        self.shape_of(&home, name, ty, &Elements::None)
    }

    /// IVL variables for a type; inside an array, and in memory, they are arrays.
    pub(super) fn shape_of(&mut self, home: &Home, name: &str, ty: Ty, inside: &Elements) -> Shape {
        let hir = self.hir;
        match hir.types.kind(ty) {
            TyKind::Array(elem, Length::Known(n)) => {
                let inside = match inside {
                    Elements::None => Elements::Numbered(vec![(name.len(), *n)]),
                    Elements::Numbered(outer) => {
                        let own = std::iter::once((name.len(), *n));
                        Elements::Numbered(outer.iter().copied().chain(own).collect())
                    }
                    memory @ (Elements::Addressed | Elements::Cells) => memory.clone(),
                };
                Shape::Array(Box::new(self.shape_of(home, name, elem.ty, &inside)), *n)
            }
            TyKind::Record(r) => {
                let fields = &hir.types.records[*r].fields;
                let shapes = fields
                    .iter()
                    .enumerate()
                    .map(|(i, field)| {
                        let name = match field.name {
                            Some(symbol) => format!("{name}.{}", self.member_name(symbol)),
                            None => format!("{name}.{i}"),
                        };
                        match field.width {
                            Some(0) => Shape::Record(Vec::new()),
                            Some(width) => self.leaf(home, name, width, field.ty.ty, inside),
                            None => self.shape_of(home, &name, field.ty.ty, inside),
                        }
                    })
                    .collect();
                Shape::Record(shapes)
            }
            _ => {
                let bits = self.bits(ty);
                self.leaf(home, name.to_owned(), bits, ty, inside)
            }
        }
    }

    fn member_name(&self, symbol: crate::lex::Symbol) -> String {
        self.hir
            .member_names
            .get(&symbol)
            .cloned()
            .unwrap_or_default()
    }

    fn leaf(&mut self, home: &Home, name: String, bits: u32, ty: Ty, inside: &Elements) -> Shape {
        let ivl_ty = if *inside != Elements::None {
            ivl::Type::Array {
                index: self.ptr,
                elem: bits,
            }
        } else {
            ivl::Type::Bv(bits)
        };
        let leaf = if home.global {
            self.p.add_global(name.clone(), ivl_ty, home.span)
        } else {
            self.p
                .add_local(self.f.proc, name.clone(), ivl_ty, home.span)
        };
        self.var_infos.push(VarInfo {
            var: leaf,
            name,
            function: home.function.clone(),
            ty: Some(ty),
            signed: self.hir.types.is_signed(ty),
            pointer: self.hir.types.is_pointer(ty),
            float: self.float_kind(ty),
            elements: inside.clone(),
        });
        Shape::Leaf(leaf)
    }
}
