//! The constraints of expressions, initialisers and assignments.

use super::facts::{Root, gcd, join_cells, join_roots};
use super::measure::*;
use super::{Classes, NONE, Node};
use crate::ast::BinOp;
use crate::hir::{self, ExprKind as H, Hir, StmtKind as S};
use crate::lower::escape::Walk;
use crate::lower::value::is_comparison;
use crate::types::{Ty, TyKind};

impl Classes {
    pub(super) fn constraints(&mut self, hir: &Hir) {
        // Children precede parents in the arena.
        for e in hir.exprs.keys() {
            let node = self.expr(hir, e);
            self.exprs[e] = node;
        }
        for (var, data) in hir.vars.iter() {
            if let Some(init) = &data.init {
                self.init(hir, var, init);
            }
        }
        for data in hir.stmts.values() {
            if let S::Decl {
                var,
                init: Some(init),
            } = &data.kind
            {
                self.init(hir, *var, init);
            }
        }
        for (f, data) in hir.funcs.iter() {
            let Some(body) = data.body else { continue };
            let ret = hir
                .types
                .function_of(data.ty)
                .map_or(hir.types.void, |f| f.ret.ty);
            for e in Walk::new(hir, body).returned() {
                self.flow(hir, self.results[f], ret, e);
            }
        }
    }

    fn init(&mut self, hir: &Hir, var: hir::Var, init: &hir::Init) {
        let class = self.vars[var];
        let ty = hir.vars[var].ty.ty;
        for item in &init.items {
            self.flow(hir, class, item.ty.ty, item.value);
            self.access(
                hir,
                class,
                item.ty.ty,
                Some(strip(hir, ty)),
                bit_field(hir, ty, &item.path),
            );
            let mut at = ty;
            for step in &item.path {
                at = self.step_into(hir, class, at, *step);
            }
        }
    }

    fn step_into(&mut self, hir: &Hir, class: Node, ty: Ty, step: hir::Step) -> Ty {
        match (hir.types.kind(ty), step) {
            (TyKind::Array(elem, _), hir::Step::Index(_)) => {
                self.note_step(class, unit(hir, elem.ty));
                elem.ty
            }
            (TyKind::Record(r), hir::Step::Field(i)) => {
                let field = &hir.types.records[*r].fields[i as usize];
                self.note_step(class, field.bit_offset / 8);
                field.ty.ty
            }
            _ => hir.types.error,
        }
    }

    /// A value of type `ty` is stored in objects of `class`.
    pub(super) fn flow(&mut self, hir: &Hir, class: Node, ty: Ty, value: hir::Expr) {
        let node = self.exprs[value];
        // A call may see other parameter types than the definition has.
        if node != NONE && hir.types.is_pointer(ty) && !hir.types.is_pointer(hir.ty(value)) {
            self.facts_mut(node).dirty = true;
        }
        self.flow_node(hir, class, ty, node);
    }

    pub(super) fn flow_node(&mut self, hir: &Hir, class: Node, ty: Ty, value: Node) {
        if value == NONE || class == NONE {
            return;
        }
        if is_aggregate(hir, ty) {
            self.copy(class, value);
        } else {
            let content = self.content(class, kind_of(hir, ty));
            self.unify(content, value);
        }
    }

    /// The contents of two classes are exchanged.
    pub(super) fn copy(&mut self, a: Node, b: Node) {
        for kind in 0..2 {
            let (x, y) = (self.content(a, kind), self.content(b, kind));
            self.unify(x, y);
        }
    }

    fn note_step(&mut self, class: Node, step: u64) {
        let facts = self.facts_mut(class);
        facts.step = gcd(facts.step, step);
    }

    pub(super) fn note_stride(&mut self, class: Node, step: u64) {
        self.note_step(class, step);
        let facts = self.facts_mut(class);
        facts.stride = gcd(facts.stride, step);
    }

    fn note_arithmetic(&mut self, class: Node, step: u64) {
        self.note_stride(class, step);
        self.facts_mut(class).arithmetic = true;
    }

    fn access_place(&mut self, hir: &Hir, place: hir::Expr) {
        let class = self.exprs[place];
        if class == NONE || !hir.is_lvalue(place) {
            return;
        }
        let base = base_type(hir, place).map(|t| strip(hir, t));
        self.access(
            hir,
            class,
            hir.ty(place),
            base,
            hir.bit_width(place).is_some(),
        );
    }

    /// Objects of a class are read or written as `ty`, a part of `base`.
    pub(super) fn access(&mut self, hir: &Hir, class: Node, ty: Ty, base: Option<Ty>, bits: bool) {
        let mut widths = Vec::new();
        let mut kinds = [false; 2];
        let plain = leaves(hir, ty, &mut widths, &mut kinds) && !bits;
        let root = match base {
            Some(base) => root_of(hir, base),
            None => Root::Mixed,
        };
        let facts = self.facts_mut(class);
        for width in widths {
            facts.cell = join_cells(facts.cell, width);
        }
        if !plain {
            facts.cell = 1;
        }
        facts.kinds[0] |= kinds[0];
        facts.kinds[1] |= kinds[1];
        facts.root = join_roots(facts.root, root);
    }

    fn expr(&mut self, hir: &Hir, e: hir::Expr) -> Node {
        let data = &hir.exprs[e];
        let ty = data.ty.ty;
        match &data.kind {
            H::Var(v) => self.vars[*v],
            H::CompoundLit { var, init } => {
                self.init(hir, *var, init);
                self.vars[*var]
            }
            H::Str(s) => self.string(hir, *s),
            H::Deref(p) => self.exprs[*p],
            H::Field { base, field } => {
                let class = self.exprs[*base];
                if let Some(r) = hir.types.record_of(hir.ty(*base)) {
                    let offset = hir.types.records[r].fields[*field as usize].bit_offset / 8;
                    self.note_step(class, offset);
                }
                if hir.is_lvalue(*base) || is_aggregate(hir, ty) {
                    class
                } else {
                    self.content(class, kind_of(hir, ty))
                }
            }
            H::Index { base, .. } => {
                let class = self.exprs[*base];
                // Inside a struct an index does not lead to another object of the class.
                if root_is_direct_array(hir, *base) {
                    self.note_arithmetic(class, unit(hir, ty));
                } else {
                    self.note_step(class, unit(hir, ty));
                }
                class
            }
            H::Load(place) => {
                self.access_place(hir, *place);
                let class = self.exprs[*place];
                if is_aggregate(hir, ty) {
                    class
                } else {
                    self.content(class, kind_of(hir, ty))
                }
            }
            H::Decay(place) | H::AddrOf(place) => {
                let class = self.exprs[*place];
                if is_inner(hir, *place) {
                    self.facts_mut(class).inner = true;
                }
                class
            }
            H::Cast(a) => {
                let class = self.exprs[*a];
                let made = hir.types.is_pointer(ty) && !hir.types.is_pointer(hir.ty(*a));
                if made && class != NONE {
                    self.facts_mut(class).dirty = true;
                }
                class
            }
            H::Unary(hir::UnOp::Not, _) => NONE,
            H::Unary(_, a) => self.exprs[*a],
            H::Binary(op, a, b) => {
                if is_comparison(*op) {
                    self.comparisons.push((self.exprs[*a], self.exprs[*b]));
                    return NONE;
                }
                // The amount of a shift says nothing about addresses.
                match op {
                    BinOp::Shl | BinOp::Shr => self.exprs[*a],
                    _ => self.either(*a, *b),
                }
            }
            H::And(..) | H::Or(..) | H::SizeofVla(_) => NONE,
            H::PtrAdd { ptr, index, .. } => {
                let class = self.exprs[*ptr];
                self.sum(hir, class, hir.ty(*ptr), *index)
            }
            H::PtrDiff(a, b) => {
                self.comparisons.push((self.exprs[*a], self.exprs[*b]));
                NONE
            }
            H::Cond(_, a, b) | H::CondOmitted(a, b) => self.either(*a, *b),
            H::Assign(lhs, rhs) => {
                self.access_place(hir, *lhs);
                self.flow(hir, self.exprs[*lhs], hir.ty(*lhs), *rhs);
                self.value_of_place(hir, *lhs)
            }
            H::AssignOp { lhs, rhs, op, .. } => {
                self.access_place(hir, *lhs);
                if !matches!(op, BinOp::Shl | BinOp::Shr) {
                    self.flow(hir, self.exprs[*lhs], hir.ty(*lhs), *rhs);
                }
                self.value_of_place(hir, *lhs)
            }
            H::AssignPtr { lhs, index, .. } => {
                self.access_place(hir, *lhs);
                let value = self.value_of_place(hir, *lhs);
                self.sum(hir, value, hir.ty(*lhs), *index)
            }
            H::IncDec { lhs, .. } => {
                self.access_place(hir, *lhs);
                let value = self.value_of_place(hir, *lhs);
                if hir.types.is_pointer(hir.ty(*lhs)) {
                    self.note_arithmetic(value, pointee_unit(hir, hir.ty(*lhs)));
                }
                value
            }
            H::VaArea => self.varargs,
            H::Comma(_, b) => self.exprs[*b],
            H::Call { callee, args } => self.call(hir, *callee, args, ty),
            H::StmtExpr { value, .. } => value.map_or(NONE, |v| self.exprs[v]),
            H::FuncRef(_)
            | H::FuncAddr(_)
            | H::LabelAddr(_)
            | H::Int(_)
            | H::Float(_)
            | H::Unsupported(_) => NONE,
        }
    }

    /// A pointer into `class` moved by an integer.
    fn sum(&mut self, hir: &Hir, class: Node, ty: Ty, index: hir::Expr) -> Node {
        let moved_by = self.exprs[index];
        if class == NONE {
            // Constants lead nowhere, so the integer must be the address.
            if moved_by != NONE {
                self.facts_mut(moved_by).dirty = true;
            }
            return moved_by;
        }
        self.note_arithmetic(class, pointee_unit(hir, ty));
        if moved_by != NONE {
            self.sums.push((class, moved_by));
        }
        class
    }

    fn value_of_place(&mut self, hir: &Hir, place: hir::Expr) -> Node {
        let class = self.exprs[place];
        let ty = hir.ty(place);
        if is_aggregate(hir, ty) {
            class
        } else {
            self.content(class, kind_of(hir, ty))
        }
    }

    fn either(&mut self, a: hir::Expr, b: hir::Expr) -> Node {
        let (x, y) = (self.exprs[a], self.exprs[b]);
        self.unify(x, y);
        if x == NONE { y } else { x }
    }

    pub(super) fn string(&mut self, hir: &Hir, s: hir::Str) -> Node {
        if let Some(node) = self.strings.get(&s) {
            return *node;
        }
        let node = self.fresh();
        self.strings.insert(s, node);
        // Equal literals may be one object.
        let data = &hir.strings[s];
        let equal = |t: &hir::StrData| t.elem == data.elem && t.units == data.units;
        let twin = hir.strings.iter().find(|(_, t)| equal(t));
        if let Some(twin) = twin.and_then(|(t, _)| self.strings.get(&t)).copied() {
            self.unify(node, twin);
        }
        let elem = data.elem;
        self.access(hir, node, elem, Some(elem), false);
        let facts = self.facts_mut(node);
        facts.objects = 1;
        node
    }
}
