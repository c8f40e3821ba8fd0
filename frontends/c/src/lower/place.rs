//! Lvalues: where a value is and how to read and write it.

use super::Lowerer;
use super::fault::Fault;
use super::object::{Object, Shape};
use super::pointsto::Node;
use crate::assumptions::Assumption;
use crate::hir::{self, ExprKind as H, Step};
use crate::types::{Length, Ty, TyKind};
use trellis_ivl::{Term, Var};

/// Where in the IVL variables of a shape a place is.
#[derive(Clone, Copy)]
pub enum Index {
    /// They are plain variables.
    Whole,
    /// They are arrays for a C array, in row-major order.
    Flat(Term),
    /// They are arrays by address.
    Address(Term),
}

/// What a checked access touches.
#[derive(Clone, Copy)]
pub struct Access {
    /// The first byte.
    pub addr: Term,
    /// Number of bytes where the type does not say: bit-fields.
    pub bytes: Option<u64>,
}

/// A place.
#[derive(Clone)]
pub enum Place {
    /// In IVL variables of its own.
    Registers {
        /// The part of the variable.
        shape: Shape,
        /// Where in the variables.
        index: Index,
        /// What must be valid when it is reached through a pointer or by address.
        access: Option<Access>,
    },
    /// In memory; for a bit-field the first bit (below 8) in the byte at `addr` and the width.
    Memory {
        /// The class of the object.
        class: Node,
        /// Address.
        addr: Term,
        /// Bit-field.
        bits: Option<(u32, u32)>,
    },
    /// Part of a struct value: its first bit, and the width of a bit-field.
    Value {
        /// The whole value.
        whole: Term,
        /// First bit.
        low: u32,
        /// Bit-field width.
        width: Option<u32>,
    },
    /// Control does not come here.
    Nowhere,
}

/// The address of what is reached by address.
fn address_of(place: &Place) -> Option<Term> {
    match place {
        Place::Memory { addr, .. }
        | Place::Registers {
            access: Some(Access { addr, .. }),
            ..
        } => Some(*addr),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// The place of an lvalue, or of a member of a struct value. Accesses are checked when made.
    pub(super) fn place(&mut self, e: hir::Expr) -> Place {
        if !self.live() {
            return Place::Nowhere;
        }
        if let Some(reason) = self.hir.types.odd_of(self.hir.exprs[e].ty) {
            let reason = format!("an object of a type with {reason}");
            self.within(e, |this| this.incomplete(&reason));
            return Place::Nowhere;
        }
        self.within(e, |this| this.place_here(e))
    }

    fn place_here(&mut self, e: hir::Expr) -> Place {
        let hir = self.hir;
        match &hir.exprs[e].kind {
            H::Var(v) => self.var_place(*v),
            H::Str(s) => {
                let base = self.string_object(*s);
                Place::Memory {
                    class: self.classes.of_string(*s),
                    addr: self.p.pool.var(base),
                    bits: None,
                }
            }
            H::CompoundLit { var, init } => {
                self.declare(*var, Some(init));
                self.var_place(*var)
            }
            H::Deref(p) => {
                let addr = self.value(*p);
                let class = self.classes.of_expr(*p);
                if self.classes.is_elsewhere(class) {
                    let which = Assumption::ExternPointersLeadElsewhere;
                    self.grant_or_give_up(which, "an access through a pointer from outside");
                }
                self.located(class, addr, hir.ty(e))
            }
            H::Field { base, field } => {
                let place = if hir.is_lvalue(*base) {
                    self.place(*base)
                } else {
                    let whole = self.value(*base);
                    Place::Value {
                        whole,
                        low: 0,
                        width: None,
                    }
                };
                self.step(place, hir.ty(*base), Step::Field(*field))
            }
            H::Index { base, index } => self.index_place(*base, *index, false),
            _ => {
                let whole = self.value(e);
                Place::Value {
                    whole,
                    low: 0,
                    width: None,
                }
            }
        }
    }

    pub(super) fn var_place(&mut self, v: hir::Var) -> Place {
        if let Some(odd) = self.odd[v].clone() {
            self.incomplete(&format!("variable '{}' with {odd}", self.hir.vars[v].name));
            return Place::Nowhere;
        }
        match self.object(v) {
            Object::Registers(shape) => Place::Registers {
                shape,
                index: Index::Whole,
                access: None,
            },
            Object::Memory(base) => {
                let addr = self.p.pool.var(base);
                let class = self.classes.of_var(v);
                self.located(class, addr, self.hir.vars[v].ty.ty)
            }
        }
    }

    /// An element of an array. Its address alone is no access, so any index will do.
    fn index_place(&mut self, base: hir::Expr, index: hir::Expr, address: bool) -> Place {
        let hir = self.hir;
        let mut place = if address {
            self.place_of_address(base)
        } else {
            self.place(base)
        };
        if self.facts.effects[index] {
            place = self.save_place(place);
        }
        let signed = hir.types.is_signed(hir.ty(index));
        let i = self.value(index);
        let i = self.resize(i, self.ptr, signed);
        let ty = hir.ty(base);
        let bounded = !address && !self.is_open_ended(base) && self.array_length(ty).is_some();
        if self.props.valid_deref && bounded {
            self.check_index(ty, i);
        }
        let from = address_of(&place).filter(|_| self.props.valid_deref && !bounded);
        let element = self.element(place, ty, i);
        if let (Some(from), Some(to)) = (from, address_of(&element)) {
            self.require_near(from, to);
        }
        element
    }

    /// An array of one element at the end of a struct that is reached through a pointer: before C had
    /// flexible array members that was how to write one. Its end is the object's.
    fn is_open_ended(&self, array: hir::Expr) -> bool {
        let hir = self.hir;
        let H::Field { base, field } = hir.exprs[array].kind else {
            return false;
        };
        let one = matches!(
            hir.types.kind(hir.ty(array)),
            TyKind::Array(_, Length::Known(1))
        );
        let record = hir.types.record_of(hir.ty(base));
        let last = record.is_some_and(|r| hir.types.records[r].fields.len() == field as usize + 1);
        one && last && matches!(hir.exprs[base].kind, H::Deref(_))
    }

    /// The number of elements; none for flexible and zero-length arrays, which are checked as memory.
    fn array_length(&mut self, ty: Ty) -> Option<Term> {
        match self.hir.types.kind(ty) {
            TyKind::Array(_, Length::Known(n)) if *n > 0 => Some(self.ptr_const(*n)),
            TyKind::Array(_, Length::Vla(id)) => Some(self.vla_len(*id)),
            _ => None,
        }
    }

    /// The index of a named array must be within its length.
    fn check_index(&mut self, ty: Ty, i: Term) {
        if let Some(len) = self.array_length(ty) {
            let ok = self.p.pool.bvult(i, len);
            self.about(Fault::Index {
                index: i,
                length: len,
                array: ty,
            });
            self.check(ok, "valid-deref");
        }
    }

    /// Keeps what a place was computed from.
    pub(super) fn save_place(&mut self, place: Place) -> Place {
        match place {
            Place::Registers {
                shape,
                index,
                access,
            } => {
                let index = match index {
                    Index::Whole => Index::Whole,
                    Index::Flat(i) => Index::Flat(self.save(i)),
                    Index::Address(a) => Index::Address(self.save(a)),
                };
                let access = access.filter(|_| self.props.valid_deref).map(|a| Access {
                    addr: self.save(a.addr),
                    bytes: a.bytes,
                });
                Place::Registers {
                    shape,
                    index,
                    access,
                }
            }
            Place::Memory { class, addr, bits } => Place::Memory {
                class,
                addr: self.save(addr),
                bits,
            },
            Place::Value { whole, low, width } => Place::Value {
                whole: self.save(whole),
                low,
                width,
            },
            Place::Nowhere => Place::Nowhere,
        }
    }

    fn element(&mut self, place: Place, ty: Ty, i: Term) -> Place {
        let TyKind::Array(elem, _) = *self.hir.types.kind(ty) else {
            return Place::Nowhere;
        };
        match place {
            Place::Registers {
                shape: Shape::Array(inner, n),
                index,
                access,
            } => {
                let size = self.size_term(elem.ty);
                let offset = self.p.pool.bvmul(i, size);
                let access = access.map(|a| Access {
                    addr: self.p.pool.bvadd(a.addr, offset),
                    bytes: None,
                });
                let index = self.sub_index(index, n, i, offset);
                Place::Registers {
                    shape: *inner,
                    index,
                    access,
                }
            }
            Place::Memory { class, addr, .. } => {
                let size = self.size_term(elem.ty);
                let offset = self.p.pool.bvmul(i, size);
                let addr = self.p.pool.bvadd(addr, offset);
                self.located(class, addr, elem.ty)
            }
            Place::Value { whole, low, .. } => {
                // An array inside a struct value: shift the element down, with all bits that it has there, which are
                // more than its value's for a boolean.
                let bits = self.hir.types.size_of(elem.ty).unwrap_or(0) * 8;
                let width = self.p.pool.width(whole);
                let i = self.resize(i, width, false);
                let size = self.constant(width, i128::from(bits));
                let shift = self.p.pool.bvmul(i, size);
                let base = self.constant(width, i128::from(low));
                let shift = self.p.pool.bvadd(shift, base);
                let shifted = self.p.pool.bvlshr(whole, shift);
                let top = bits.clamp(1, u64::from(width)) as u32 - 1;
                Place::Value {
                    whole: self.p.pool.extract(top, 0, shifted),
                    low: 0,
                    width: None,
                }
            }
            _ => Place::Nowhere,
        }
    }

    /// One step into a place of type `ty`.
    pub(super) fn step(&mut self, place: Place, ty: Ty, step: Step) -> Place {
        let hir = self.hir;
        match step {
            Step::Index(i) => {
                let i = self.ptr_const(i);
                self.element(place, ty, i)
            }
            Step::Field(at) => {
                let Some(record) = hir.types.record_of(ty) else {
                    return Place::Nowhere;
                };
                let field = &hir.types.records[record].fields[at as usize];
                match place {
                    Place::Registers {
                        shape: Shape::Record(shapes),
                        index,
                        access,
                    } => Place::Registers {
                        shape: shapes[at as usize].clone(),
                        index,
                        access: access.map(|a| Access {
                            addr: self.add_offset(a.addr, field.bit_offset / 8),
                            bytes: field
                                .width
                                .map(|w| (field.bit_offset % 8 + u64::from(w)).div_ceil(8)),
                        }),
                    },
                    Place::Memory { class, addr, .. } => {
                        let addr = self.add_offset(addr, field.bit_offset / 8);
                        let bits = field.width.map(|w| ((field.bit_offset % 8) as u32, w));
                        Place::Memory { class, addr, bits }
                    }
                    Place::Value { whole, low, .. } => Place::Value {
                        whole,
                        low: low + field.bit_offset as u32,
                        width: field.width,
                    },
                    _ => Place::Nowhere,
                }
            }
        }
    }

    /// The place of an lvalue whose address is wanted: on the way there nothing is accessed.
    fn place_of_address(&mut self, e: hir::Expr) -> Place {
        let hir = self.hir;
        match hir.exprs[e].kind {
            H::Index { base, index } if self.live() => {
                self.within(e, |this| this.index_place(base, index, true))
            }
            H::Field { base, field } if self.live() && hir.is_lvalue(base) => {
                let place = self.place_of_address(base);
                self.step(place, hir.ty(base), Step::Field(field))
            }
            _ => self.place(e),
        }
    }

    /// The address of an lvalue in memory.
    pub(super) fn address(&mut self, e: hir::Expr) -> Term {
        let place = self.place_of_address(e);
        if let Some(addr) = address_of(&place) {
            return addr;
        }
        match place {
            Place::Memory { addr, .. } => addr,
            Place::Nowhere => self.ptr_const(0),
            Place::Registers { .. } | Place::Value { .. } => {
                self.incomplete("the address of a value that is not in memory");
                self.ptr_const(0)
            }
        }
    }

    /// The part of an indexed shape one level down.
    fn sub_index(&mut self, outer: Index, n: u64, i: Term, offset: Term) -> Index {
        match outer {
            Index::Whole => Index::Flat(i),
            Index::Flat(outer) => {
                let n = self.ptr_const(n);
                let scaled = self.p.pool.bvmul(outer, n);
                Index::Flat(self.p.pool.bvadd(scaled, i))
            }
            Index::Address(outer) => Index::Address(self.p.pool.bvadd(outer, offset)),
        }
    }

    fn check_registers(&mut self, access: Option<Access>, ty: Ty, write: bool) {
        if let Some(access) = access {
            let size = self.hir.types.size_of(ty).unwrap_or(0);
            self.check_bytes(access.addr, access.bytes.unwrap_or(size), write);
        }
    }

    /// Checks a read whose value nobody wants.
    pub(super) fn read_unwanted(&mut self, place: &Place, ty: Ty) {
        match place {
            Place::Registers { access, .. } => self.check_registers(*access, ty, false),
            Place::Memory { addr, .. } => {
                let size = self.hir.types.size_of(ty).unwrap_or(0);
                self.check_access(*addr, size);
            }
            Place::Value { .. } | Place::Nowhere => {}
        }
    }

    // Reading.

    /// Reads a value of type `ty`.
    pub(super) fn load_place(&mut self, place: &Place, ty: Ty) -> Term {
        if !self.live() {
            return self.zero(ty);
        }
        let signed = self.hir.types.is_signed(ty);
        let bits = self.bits(ty);
        match place {
            Place::Registers {
                shape: Shape::Leaf(var),
                index,
                access,
            } => {
                self.check_registers(*access, ty, false);
                self.check_set(*var, *index);
                self.check_leaf_stored(*var, *index, *access, ty);
                let value = self.read_leaf(*var, *index);
                self.resize(value, bits, signed)
            }
            Place::Registers {
                shape,
                index,
                access,
            } => {
                self.check_registers(*access, ty, false);
                self.image(shape, ty, *index)
            }
            Place::Memory {
                class,
                addr,
                bits: Some((low, width)),
            } => {
                let bytes = u64::from((low + width).div_ceil(8));
                self.check_access(*addr, bytes);
                self.check_stored(*class, *addr, bytes, ty);
                let all = self.load_bytes(*class, *addr, bytes);
                let value = self.p.pool.extract(low + width - 1, *low, all);
                self.resize(value, bits, signed)
            }
            Place::Memory {
                class,
                addr,
                bits: None,
            } => {
                let size = self.hir.types.size_of(ty).unwrap_or(0);
                if size == 0 {
                    return self.zero(ty);
                }
                self.check_access(*addr, size);
                self.check_stored(*class, *addr, size, ty);
                let all = self.load_bytes(*class, *addr, size);
                self.value_of_image(all, ty)
            }
            Place::Value { whole, low, width } => {
                let size = self.hir.types.size_of(ty).unwrap_or(1) as u32 * 8;
                let take = width.unwrap_or(size);
                if take == 0 || low + take > self.p.pool.width(*whole) {
                    return self.zero(ty);
                }
                let value = self.p.pool.extract(low + take - 1, *low, *whole);
                match width {
                    Some(_) => self.resize(value, bits, signed),
                    None => self.value_of_image(value, ty),
                }
            }
            Place::Nowhere => self.zero(ty),
        }
    }

    fn read_leaf(&mut self, var: Var, index: Index) -> Term {
        let value = self.p.pool.var(var);
        match index {
            Index::Flat(i) | Index::Address(i) => self.p.pool.select(value, i),
            Index::Whole => value,
        }
    }

    /// A value from its bytes.
    fn value_of_image(&mut self, image: Term, ty: Ty) -> Term {
        let bits = self.bits(ty);
        if bits < self.p.pool.width(image) {
            self.p.pool.extract(bits - 1, 0, image)
        } else {
            image
        }
    }

    /// The bytes of a value: a boolean takes eight bits.
    pub(super) fn image_of_value(&mut self, value: Term, ty: Ty) -> Term {
        let size = self.hir.types.size_of(ty).unwrap_or(1).max(1) as u32 * 8;
        self.resize(value, size, false)
    }

    /// All bits of a split struct or array, padding zero.
    fn image(&mut self, shape: &Shape, ty: Ty, index: Index) -> Term {
        let hir = self.hir;
        match (shape, hir.types.kind(ty)) {
            (Shape::Leaf(var), _) => {
                let value = self.read_leaf(*var, index);
                self.image_of_value(value, ty)
            }
            (Shape::Record(shapes), TyKind::Record(r)) => {
                let record = &hir.types.records[*r];
                let mut image: Option<Term> = None;
                for (shape, field) in shapes.iter().zip(&record.fields) {
                    let part = match (shape, field.width) {
                        (_, Some(0)) => continue,
                        (Shape::Leaf(var), Some(_)) => self.read_leaf(*var, index),
                        _ => self.image(shape, field.ty.ty, index),
                    };
                    image = Some(self.append(image, field.bit_offset as u32, part));
                }
                let total = self.bits(ty);
                match image {
                    Some(image) => self.resize(image, total, false),
                    None => self.zero(ty),
                }
            }
            (Shape::Array(inner, n), TyKind::Array(elem, _)) => {
                let mut image = None;
                for i in 0..*n {
                    let index = self.constant_index(index, *n, i, elem.ty);
                    let part = self.image(inner, elem.ty, index);
                    let at = self.image_width(image);
                    image = Some(self.append(image, at, part));
                }
                image.unwrap_or_else(|| self.zero(ty))
            }
            _ => self.zero(ty),
        }
    }

    fn image_width(&self, image: Option<Term>) -> u32 {
        image.map_or(0, |i| self.p.pool.width(i))
    }

    /// Puts `part` at bit `at` above what is there, zeros between.
    fn append(&mut self, image: Option<Term>, at: u32, part: Term) -> Term {
        let have = self.image_width(image);
        let padded = if at > have && image.is_some() {
            image.map(|i| self.resize(i, at, false))
        } else if at > have {
            Some(self.p.pool.num(at, 0))
        } else {
            image
        };
        match padded {
            Some(low) => self.p.pool.concat(part, low),
            None => part,
        }
    }

    fn constant_index(&mut self, outer: Index, n: u64, i: u64, elem: Ty) -> Index {
        let size = self.hir.types.size_of(elem).unwrap_or(0);
        let (at, offset) = (self.ptr_const(i), self.ptr_const(i * size));
        self.sub_index(outer, n, at, offset)
    }

    // Writing.

    /// Writes a value of type `ty`.
    pub(super) fn store_place(&mut self, place: &Place, ty: Ty, value: Term) {
        if !self.live() {
            return;
        }
        match place {
            Place::Registers {
                shape: Shape::Leaf(var),
                index,
                access,
            } => {
                self.check_registers(*access, ty, true);
                let old = self.p.pool.var(*var);
                let new = self.written(old, *index, value);
                self.assign(*var, new);
                self.mark_set(&Shape::Leaf(*var), *index);
                self.mark_shape_stored(&Shape::Leaf(*var), *index, *access, ty);
            }
            Place::Registers {
                shape,
                index,
                access,
            } => {
                self.check_registers(*access, ty, true);
                let mut items = Vec::new();
                self.scatter(shape, ty, *index, value, &mut items);
                let cmd = self.p.cmds.assign_all(&items);
                self.emit(cmd);
                self.mark_set(shape, *index);
                self.mark_shape_stored(shape, *index, *access, ty);
            }
            Place::Memory {
                class,
                addr,
                bits: Some((low, width)),
            } => {
                let bytes = u64::from((low + width).div_ceil(8));
                self.check_write(*addr, bytes);
                let old = self.load_bytes(*class, *addr, bytes);
                let part = self.p.pool.extract(width - 1, 0, value);
                let new = self.replace_bits(old, *low, part);
                self.store_value(*class, *addr, new, bytes);
            }
            Place::Memory {
                class,
                addr,
                bits: None,
            } => {
                let size = self.hir.types.size_of(ty).unwrap_or(0);
                if size == 0 {
                    return;
                }
                self.check_write(*addr, size);
                let image = self.image_of_value(value, ty);
                self.store_value(*class, *addr, image, size);
            }
            // A write to a temporary value is lost.
            Place::Value { .. } | Place::Nowhere => {}
        }
    }

    /// `whole` with `part` at bit `low`.
    pub(super) fn replace_bits(&mut self, whole: Term, low: u32, part: Term) -> Term {
        let (total, width) = (self.p.pool.width(whole), self.p.pool.width(part));
        let mut result = part;
        if low > 0 {
            let below = self.p.pool.extract(low - 1, 0, whole);
            result = self.p.pool.concat(result, below);
        }
        if low + width < total {
            let above = self.p.pool.extract(total - 1, low + width, whole);
            result = self.p.pool.concat(above, result);
        }
        result
    }

    /// The content of a leaf after a write; `old` is what it holds before.
    fn written(&mut self, old: Term, index: Index, value: Term) -> Term {
        let width = match self.p.pool.ty(old) {
            trellis_ivl::Type::Array { elem, .. } => elem,
            _ => self.p.pool.width(old),
        };
        let value = self.resize(value, width, false);
        match index {
            Index::Whole => value,
            Index::Flat(i) | Index::Address(i) => self.p.pool.store(old, i, value),
        }
    }

    fn scatter(
        &mut self,
        shape: &Shape,
        ty: Ty,
        index: Index,
        value: Term,
        out: &mut Vec<(Var, Term)>,
    ) {
        let hir = self.hir;
        match (shape, hir.types.kind(ty)) {
            (Shape::Leaf(var), _) => {
                // A variable may be written at several indices: chain the stores.
                let pending = out.iter().position(|(v, _)| v == var);
                let base = match pending {
                    Some(at) => out[at].1,
                    None => self.p.pool.var(*var),
                };
                let new = self.written(base, index, value);
                match pending {
                    Some(at) => out[at].1 = new,
                    None => out.push((*var, new)),
                }
            }
            (Shape::Record(shapes), TyKind::Record(r)) => {
                for (shape, field) in shapes.iter().zip(&hir.types.records[*r].fields) {
                    let size = hir.types.size_of(field.ty.ty).unwrap_or(0) as u32 * 8;
                    let width = field.width.unwrap_or(size);
                    if width == 0 {
                        continue;
                    }
                    let low = field.bit_offset as u32;
                    let part = self.p.pool.extract(low + width - 1, low, value);
                    self.scatter(shape, field.ty.ty, index, part, out);
                }
            }
            (Shape::Array(inner, n), TyKind::Array(elem, _)) => {
                let size = hir.types.size_of(elem.ty).unwrap_or(0) as u32 * 8;
                for i in 0..*n {
                    let at = self.constant_index(index, *n, i, elem.ty);
                    let low = i as u32 * size;
                    let part = self.p.pool.extract(low + size - 1, low, value);
                    self.scatter(inner, elem.ty, at, part, out);
                }
            }
            _ => {}
        }
    }

    /// Truncates or extends to a width.
    pub(super) fn resize(&mut self, value: Term, width: u32, signed: bool) -> Term {
        let have = self.p.pool.width(value);
        if have > width {
            self.p.pool.extract(width - 1, 0, value)
        } else if have == width {
            value
        } else if signed {
            self.p.pool.sext(width, value)
        } else {
            self.p.pool.zext(width, value)
        }
    }
}
