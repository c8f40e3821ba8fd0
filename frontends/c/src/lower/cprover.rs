//! CBMC's vocabulary: what can be said of memory here. Assumptions and assertions are in [`super::vocab`].

use super::Lowerer;
use super::memory::{DEAD, HEAP, STATE_BITS};
use crate::hir::{self, ExprKind as H};
use crate::lower::escape::root;
use crate::types::{Ty, TyKind};
use trellis_ivl::{Term, Type};

/// Functions whose meaning needs to know which objects are alive and how large they are.
pub fn asks_for_objects(name: &str) -> bool {
    matches!(
        name,
        "__CPROVER_DYNAMIC_OBJECT"
            | "__CPROVER_OBJECT_SIZE"
            | "__CPROVER_POINTER_OFFSET"
            | "__CPROVER_array_copy"
            | "__CPROVER_array_replace"
            | "__CPROVER_array_set"
            | "__CPROVER_havoc_object"
            | "__CPROVER_r_ok"
            | "__CPROVER_rw_ok"
            | "__CPROVER_w_ok"
    )
}

/// What the names of functions begin with that are only known to be functions.
pub const UNINTERPRETED: &str = "__CPROVER_uninterpreted_";

/// Arguments of an uninterpreted function have so many bits at most.
const MOST_BITS: u32 = 512;

impl Lowerer<'_> {
    /// A function of its arguments and of nothing else: an array that nothing writes, of any content.
    pub(super) fn uninterpreted(&mut self, name: &str, args: &[(Term, Ty)], ret: Ty) -> Term {
        if ret == self.hir.types.void {
            return self.zero(ret);
        }
        let mut index: Option<Term> = None;
        for (value, _) in args {
            index = Some(match index {
                Some(before) => self.p.pool.concat(before, *value),
                None => *value,
            });
        }
        let width = index.map_or(0, |i| self.p.pool.ty(i).width().unwrap_or(0));
        let elem = self.bits(ret);
        if width > MOST_BITS {
            self.incomplete(&format!("the arguments of '{name}'"));
            return self.zero(ret);
        }
        let ty = match width {
            0 => Type::Bv(elem),
            index => Type::Array { index, elem },
        };
        let known = self.uninterpreted.get(name).copied();
        let var = known.unwrap_or_else(|| {
            let var = self.p.add_global(name, ty, trellis_ivl::Span::NONE);
            self.uninterpreted.insert(name.to_owned(), var);
            var
        });
        if self.p.pool.var_ty(var) != ty {
            self.incomplete(&format!("'{name}' with other types of arguments"));
            return self.zero(ret);
        }
        let function = self.p.pool.var(var);
        match index {
            Some(index) => self.p.pool.select(function, index),
            None => function,
        }
    }

    /// `__CPROVER_array_set(to, value)` sets every element of an array, `array_copy(to, from)` gives it the content of
    /// another, and `array_replace(to, from)` replaces as much of it as the other has.
    pub(super) fn array_operation(&mut self, e: hir::Expr, name: &str, args: &[hir::Expr]) {
        let hir = self.hir;
        let values = self.arguments(args);
        self.classify_call(e, args);
        let to = self.save(values[0].0);
        if name != "__CPROVER_array_set" {
            let from = self.save(values[1].0);
            let n = match name {
                "__CPROVER_array_copy" => self.array_bytes(args[0], to),
                _ => self.array_bytes(args[1], from),
            };
            return self.copy_block(to, from, n, true);
        }
        let n = self.array_bytes(args[0], to);
        let mut pointer = args[0];
        while let H::Cast(inner) = hir.exprs[pointer].kind {
            pointer = inner;
        }
        let unit = self.pointee_bytes(hir.ty(pointer));
        let (value, ty) = values[1];
        let bits = 8 * unit as u32;
        let signed = hir.types.is_signed(ty);
        let value = self.resize(value, bits, signed);
        let value = self.save(value);
        self.set_elements(to, value, unit, n);
    }

    /// How many bytes an array has, from a pointer to its first element on.
    fn array_bytes(&mut self, mut e: hir::Expr, p: Term) -> Term {
        let hir = self.hir;
        while let H::Cast(inner) = hir.exprs[e].kind {
            e = inner;
        }
        if let H::Decay(array) = hir.exprs[e].kind {
            return self.size_term(hir.ty(array));
        }
        let Some(sizes) = self.mem.size else {
            return self.ptr_const(0);
        };
        // Where there is no object there is nothing to set, but to look is a mistake.
        self.check_access(p, 1);
        let object = self.object_of(p);
        let sizes = self.p.pool.var(sizes);
        let size = self.p.pool.select(sizes, object);
        let offset = self.offset_in_object(p);
        let rest = self.p.pool.bvsub(size, offset);
        self.save(rest)
    }
    /// The meaning of a function of CBMC's; `None` when it has none here.
    pub(super) fn cprover(&mut self, name: &str, args: &[(Term, Ty)], ret: Ty) -> Option<Term> {
        let ptr = self.ptr;
        let word = |this: &mut Self, i: usize| {
            let (value, ty) = args[i];
            let signed = this.hir.types.is_signed(ty);
            let value = this.resize(value, ptr, signed);
            this.save(value)
        };
        let result = match (name, args.len()) {
            ("__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok", 1..=2) => {
                let p = word(self, 0);
                let size = match args.len() {
                    1 => {
                        let bytes = self.pointee_bytes(args[0].1);
                        self.ptr_const(bytes)
                    }
                    _ => word(self, 1),
                };
                let ok = self.accessible(p, size, name != "__CPROVER_r_ok");
                self.bool_value(ok, ret)
            }
            ("__CPROVER_same_object", 2) => {
                let (p, q) = (word(self, 0), word(self, 1));
                let (p, q) = (self.object_of(p), self.object_of(q));
                let same = self.p.pool.eq(p, q);
                self.bool_value(same, ret)
            }
            ("__CPROVER_POINTER_OBJECT", 1) => {
                let p = word(self, 0);
                let object = self.object_of(p);
                self.p.pool.zext(ptr, object)
            }
            ("__CPROVER_POINTER_OFFSET", 1) => {
                let p = word(self, 0);
                self.object_of(p);
                self.offset_in_object(p)
            }
            ("__CPROVER_OBJECT_SIZE", 1) => {
                let p = word(self, 0);
                let object = self.object_of(p);
                let sizes = self.p.pool.var(self.mem.size?);
                self.p.pool.select(sizes, object)
            }
            ("__CPROVER_DYNAMIC_OBJECT", 1) => {
                let p = word(self, 0);
                let object = self.object_of(p);
                let state = self.state_in(self.mem.state?, object);
                let dead = self.p.pool.num(STATE_BITS, DEAD);
                let null = self.ptr_const(0);
                let (alive, is_null) = (self.p.pool.ne(state, dead), self.p.pool.eq(p, null));
                let known = self.p.pool.or(alive, is_null);
                self.require(known, "a question about an object that is gone");
                let heap = self.p.pool.num(STATE_BITS, HEAP);
                let dynamic = self.p.pool.eq(state, heap);
                self.bool_value(dynamic, ret)
            }
            ("__CPROVER_allocate", 2) => {
                let size = word(self, 0);
                let zero = self.nonzero(args[1].0, args[1].1);
                let zero = self.p.pool.as_bool(zero)?;
                let base = self.temp(Type::Bv(ptr));
                self.allocate(base, size, true);
                let base = self.p.pool.var(base);
                if zero {
                    let (class, byte) = (self.result_class, self.p.pool.num(8, 0));
                    self.fill_unchecked(class, base, byte, size);
                }
                base
            }
            ("__CPROVER_havoc_slice", 2) => {
                let (p, n) = (word(self, 0), word(self, 1));
                self.forget_block(p, n, "__CPROVER_havoc_slice");
                self.zero(ret)
            }
            ("__CPROVER_havoc_object", 1) => {
                let p = word(self, 0);
                let object = self.object_of(p);
                let sizes = self.p.pool.var(self.mem.size?);
                let size = self.p.pool.select(sizes, object);
                let start = self.base_of(object);
                self.forget_block(start, size, "__CPROVER_havoc_object");
                self.zero(ret)
            }
            _ => return None,
        };
        Some(result)
    }

    /// `havoc_object(&x)`: the object is known here, so that no loop over its bytes is needed.
    pub(super) fn havoc_named_object(&mut self, arg: hir::Expr) -> bool {
        let hir = self.hir;
        let mut e = arg;
        while let H::Cast(inner) = hir.exprs[e].kind {
            e = inner;
        }
        let (H::AddrOf(place) | H::Decay(place)) = hir.exprs[e].kind else {
            return false;
        };
        let Some(var) = root(hir, place) else {
            return false;
        };
        let Some(size) = hir.types.size_of(hir.vars[var].ty.ty) else {
            return false;
        };
        let super::object::Object::Memory(base) = self.object(var) else {
            return false;
        };
        self.effect(arg);
        self.arg_classes = vec![self.classes.of_var(var)];
        let (base, size) = (self.p.pool.var(base), self.ptr_const(size));
        self.forget_block(base, size, "__CPROVER_havoc_object");
        true
    }

    fn pointee_bytes(&self, pointer: Ty) -> u64 {
        let types = &self.hir.types;
        match types.pointee(pointer) {
            Some(to) if !matches!(types.kind(to.ty), TyKind::Void) => {
                types.size_of(to.ty).unwrap_or(1)
            }
            _ => 1,
        }
    }

    /// The number of the object that a pointer points into or just past. The last part of a slot
    /// belongs to pointers before the next object, of which nothing is known.
    fn object_of(&mut self, p: Term) -> Term {
        let offset = self.offset_in_object(p);
        let border = self.ptr_const(self.mem.before_object());
        let inside = self.p.pool.bvult(offset, border);
        self.require(inside, "a pointer before the start of an object");
        self.slot_of(p)
    }
}
