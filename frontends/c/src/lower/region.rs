//! How the objects of a points-to class are represented.
//!
//! Classes are disjoint, so each has IVL variables of its own. From small to large:
//!
//! - *Single*: one object with a fixed address, accessed as a whole type only: plain variables. A
//!   pointer that is dereferenced can mean nothing else.
//! - *Typed*: all accesses go through one struct type, and no pointer to a member is made: an array
//!   per member, indexed by the address of the struct.
//! - *Cells*: an array of the width of all accesses, indexed by address, which is a multiple of the
//!   width; bytes where widths differ or alignment is not sure.

use super::escape::splittable;
use super::object::{Home, Shape};
use super::place::{Access, Index, Place};
use super::pointsto::{ClassFacts, Node, Root};
use super::{Elements, Lowerer, VarInfo};
use crate::types::{Ty, TyKind};
use std::rc::Rc;
use trellis_ivl::{Span, Term, Type, Var};

/// The IVL variables of a class.
pub enum Store {
    /// Plain variables of the only object.
    Single {
        /// The variables.
        shape: Shape,
    },
    /// Arrays per member of the struct type `ty`.
    Typed {
        /// The arrays.
        shape: Shape,
        /// The struct.
        ty: Ty,
    },
    /// An array of cells of so many bytes.
    Cells {
        /// The array.
        var: Var,
        /// Bytes per cell.
        bytes: u64,
    },
}

enum Choice {
    Single(Ty),
    Typed(Ty),
    Cells(u64),
}

impl Lowerer<'_> {
    /// The variables of a class, made on first use.
    pub(super) fn store(&mut self, class: Node) -> Rc<Store> {
        if let Some(store) = self.stores.get(&class) {
            return store.clone();
        }
        let facts = self.classes.facts(class).clone();
        let home = Home {
            global: true,
            function: facts
                .var
                .filter(|_| facts.objects == 1)
                .and_then(|v| self.hir.vars[v].owner)
                .map(|f| self.hir.funcs[f].name.clone()),
            span: facts
                .var
                .map_or(Span::NONE, |v| self.span(self.hir.vars[v].span)),
        };
        let own = facts.var.filter(|_| facts.objects == 1 && !facts.foreign);
        let name = own.map(|v| self.hir.vars[v].name.clone());
        let store = match self.choose(&facts) {
            Choice::Single(ty) => {
                let name = name.unwrap_or_default();
                let shape = self.shape_of(&home, &name, ty, &Elements::None);
                if own.is_some_and(|v| self.facts.maybe_unset[v]) {
                    self.shadow_object(&shape);
                }
                Store::Single { shape }
            }
            Choice::Typed(ty) => {
                let name = name.unwrap_or_else(|| self.record_name(ty));
                let shape = self.shape_of(&home, &name, ty, &Elements::Addressed);
                self.watch_shape(class, &shape);
                Store::Typed { shape, ty }
            }
            Choice::Cells(bytes) => {
                let own = name.clone().unwrap_or_default();
                let name = name.unwrap_or_else(|| format!("mem{}", 8 * bytes));
                let ty = Type::Array {
                    index: self.ptr,
                    elem: 8 * bytes as u32,
                };
                let var = self.p.add_global(name, ty, home.span);
                self.var_infos.push(VarInfo {
                    var,
                    name: own,
                    function: home.function,
                    ty: None,
                    signed: false,
                    pointer: false,
                    float: None,
                    elements: Elements::Cells,
                });
                Store::Cells { var, bytes }
            }
        };
        let store = Rc::new(store);
        self.stores.insert(class, store.clone());
        store
    }

    fn record_name(&self, ty: Ty) -> String {
        let types = &self.hir.types;
        let tag = types.record_of(ty).and_then(|r| types.records[r].tag);
        tag.and_then(|t| self.hir.member_names.get(&t))
            .map_or_else(|| "heap".to_owned(), |t| format!("{t}s"))
    }

    fn choose(&self, facts: &ClassFacts) -> Choice {
        let types = &self.hir.types;
        if !facts.dirty && !facts.inner {
            let alone = |ty: Ty| {
                facts.objects == 1
                    && !facts.dynamic
                    && !facts.foreign
                    && !facts.arithmetic
                    && facts.var.is_some_and(|v| self.hir.vars[v].ty.ty == ty)
            };
            match facts.root {
                Root::Record(ty) => {
                    let size = types.size_of(ty).unwrap_or(0);
                    let whole = size > 0 && facts.stride.is_multiple_of(size);
                    if whole && splittable(types, ty) {
                        return if alone(ty) {
                            Choice::Single(ty)
                        } else {
                            Choice::Typed(ty)
                        };
                    }
                }
                Root::Scalar { size, .. } => {
                    let own = facts.var.map(|v| self.hir.vars[v].ty.ty);
                    if let Some(ty) = own
                        && types.is_scalar(ty)
                        && types.size_of(ty) == Some(size)
                        && facts.step.is_multiple_of(size)
                        && types.kind(ty) != &TyKind::Bool
                        && alone(ty)
                    {
                        return Choice::Single(ty);
                    }
                }
                _ => {}
            }
        }
        let fits = !facts.dirty
            && facts.cell > 1
            && facts.cell <= 16
            && facts.step.is_multiple_of(facts.cell);
        Choice::Cells(if fits { facts.cell } else { 1 })
    }

    /// Whether the static objects of a class are zero before the program starts.
    pub(super) fn starts_zero(&self, class: Node) -> bool {
        let facts = self.classes.facts(class);
        !facts.dynamic && !facts.foreign && facts.objects > 0
    }

    /// The place of type `ty` at an address of a class.
    pub(super) fn located(&mut self, class: Node, addr: Term, ty: Ty) -> Place {
        let in_registers = |shape: &Shape, index: Index| Place::Registers {
            shape: shape.clone(),
            index,
            access: Some(Access { addr, bytes: None }),
        };
        if self.is_outside(class) {
            return Place::Nowhere;
        }
        match &*self.store(class) {
            Store::Typed { shape, ty: of } if *of == ty => {
                in_registers(shape, Index::Address(addr))
            }
            Store::Single { shape } => in_registers(shape, Index::Whole),
            _ => Place::Memory {
                class,
                addr,
                bits: None,
            },
        }
    }

    /// Whether nothing is known of the objects of a class; then the model ends here.
    pub(super) fn is_outside(&mut self, class: Node) -> bool {
        let outside = self.classes.facts(class).outside;
        if outside {
            self.incomplete("a use of memory of the command line or of the C library");
        }
        outside
    }

    /// The elements of an object: itself, or those of an array of structs with arrays per member.
    pub(super) fn elements(&mut self, class: Node, addr: Term, ty: Ty) -> Vec<(Place, Ty, u64)> {
        let mut found = Vec::new();
        self.collect_elements(class, addr, ty, 0, &mut found);
        found
    }

    fn collect_elements(
        &mut self,
        class: Node,
        addr: Term,
        ty: Ty,
        offset: u64,
        out: &mut Vec<(Place, Ty, u64)>,
    ) {
        let typed = matches!(&*self.store(class), Store::Typed { .. });
        if typed
            && let TyKind::Array(elem, crate::types::Length::Known(n)) = *self.hir.types.kind(ty)
        {
            let size = self.hir.types.size_of(elem.ty).unwrap_or(0);
            for i in 0..n {
                self.collect_elements(class, addr, elem.ty, offset + i * size, out);
            }
            return;
        }
        let at = self.add_offset(addr, offset);
        let place = self.located(class, at, ty);
        out.push((place, ty, offset));
    }

    // Cells.

    /// `bytes` bytes from `addr`, little endian.
    pub(super) fn load_bytes(&mut self, class: Node, addr: Term, bytes: u64) -> Term {
        match &*self.store(class) {
            Store::Cells { var, bytes: cell } if bytes.is_multiple_of(*cell) => {
                let memory = self.p.pool.var(*var);
                let mut value = self.p.pool.select(memory, addr);
                for i in 1..bytes / cell {
                    let at = self.add_offset(addr, i * cell);
                    let part = self.p.pool.select(memory, at);
                    value = self.p.pool.concat(part, value);
                }
                value
            }
            Store::Single {
                shape: Shape::Leaf(var),
            } if u64::from(self.leaf_bits(*var)) == 8 * bytes => self.p.pool.var(*var),
            _ => {
                self.incomplete("an access by bytes of memory that is not in bytes");
                self.p.pool.num(8 * bytes as u32, 0)
            }
        }
    }

    /// Writes a value of `bytes` bytes.
    pub(super) fn store_value(&mut self, class: Node, addr: Term, value: Term, bytes: u64) {
        if !self.live() {
            return;
        }
        match &*self.store(class) {
            Store::Cells { var, bytes: cell } if bytes.is_multiple_of(*cell) => {
                let mut memory = self.p.pool.var(*var);
                let width = 8 * *cell as u32;
                for i in 0..bytes / cell {
                    let at = self.add_offset(addr, i * cell);
                    let low = i as u32 * width;
                    let part = self.p.pool.extract(low + width - 1, low, value);
                    memory = self.p.pool.store(memory, at, part);
                }
                self.assign(*var, memory);
                self.mark_stored(class, addr, bytes);
            }
            Store::Single {
                shape: Shape::Leaf(var),
            } if u64::from(self.leaf_bits(*var)) == 8 * bytes => {
                self.assign(*var, value);
                self.mark_set(&Shape::Leaf(*var), Index::Whole);
            }
            _ => self.incomplete("an access by bytes of memory that is not in bytes"),
        }
    }

    fn leaf_bits(&self, var: Var) -> u32 {
        self.p.pool.var_ty(var).width().unwrap_or(0)
    }

    /// Bytes that are copied and filled at once: a cell, or a struct.
    pub(super) fn block_unit(&mut self, class: Node) -> u64 {
        match &*self.store(class) {
            Store::Cells { bytes, .. } => *bytes,
            Store::Typed { ty, .. } => self.hir.types.size_of(*ty).unwrap_or(1).max(1),
            Store::Single { .. } => {
                let facts = self.classes.facts(class);
                let ty = facts.var.map(|v| self.hir.vars[v].ty.ty);
                ty.and_then(|t| self.hir.types.size_of(t)).unwrap_or(1)
            }
        }
    }

    /// One unit of a block as bits.
    pub(super) fn load_unit(&mut self, class: Node, addr: Term) -> Term {
        let place = self.unit_place(class, addr);
        match place {
            Some((place, ty)) => {
                // Copying a block is no use of what is in it.
                let checks = std::mem::replace(&mut self.props.uninit, false);
                let value = self.load_place(&place, ty);
                self.props.uninit = checks;
                self.image_of_value(value, ty)
            }
            None => {
                let bytes = self.block_unit(class);
                self.load_bytes(class, addr, bytes)
            }
        }
    }

    /// Sets one unit of a block.
    pub(super) fn store_unit(&mut self, class: Node, addr: Term, value: Term) {
        match self.unit_place(class, addr) {
            Some((place, ty)) => self.store_place(&place, ty, value),
            None => {
                let bytes = self.block_unit(class);
                self.store_value(class, addr, value, bytes);
            }
        }
    }

    fn unit_place(&mut self, class: Node, addr: Term) -> Option<(Place, Ty)> {
        let (shape, index, ty) = match &*self.store(class) {
            Store::Cells { .. } => return None,
            Store::Typed { shape, ty } => (shape.clone(), Index::Address(addr), *ty),
            Store::Single { shape } => {
                let var = self.classes.facts(class).var?;
                (shape.clone(), Index::Whole, self.hir.vars[var].ty.ty)
            }
        };
        let place = Place::Registers {
            shape,
            index,
            access: None,
        };
        Some((place, ty))
    }

    /// Cells of classes that start at zero, for the start of the program.
    pub(super) fn zero_start(&mut self) {
        let mut classes: Vec<Node> = self.stores.keys().copied().collect();
        classes.sort_unstable();
        for class in classes {
            if !self.starts_zero(class) {
                continue;
            }
            match &*self.store(class) {
                Store::Cells { var, bytes } => {
                    let zero = self.p.pool.num(8 * *bytes as u32, 0);
                    let all = self.p.pool.const_array(self.ptr, zero);
                    self.assign(*var, all);
                }
                Store::Typed { shape, .. } => self.zero_registers(shape),
                // Initialised as variables are.
                Store::Single { .. } => {}
            }
        }
    }
}
