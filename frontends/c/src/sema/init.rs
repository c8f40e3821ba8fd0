//! Initialisers flattened (C11 6.7.9): braces may be elided, designators move the cursor, strings
//! initialise arrays, and the length of an array may come from its initialiser.

use super::Sema;
use crate::ast::{self, Designator, InitKind};
use crate::hir::{self, ExprKind as H, InitItem, Step};
use crate::source::Span;
use crate::types::{Length, QualTy, Ty, TyKind};

/// Designated ranges longer than this are refused.
const MAX_RANGE: u64 = 1 << 20;

/// A position inside the object under initialisation.
struct Level {
    ty: QualTy,
    next: u64,
    step: bool,
    /// A designator put the cursor here.
    pinned: bool,
}

struct Flat {
    items: Vec<InitItem>,
    is_static: bool,
    /// One past the greatest index used in the outermost array.
    outer_len: u64,
    /// The same for a flexible array member.
    flexible_len: u64,
}

type Elements<'e> = &'e [(Vec<Designator>, ast::Init)];

impl Sema<'_> {
    /// Analyses the initialiser of `var`; completes its array type.
    pub(super) fn initializer(
        &mut self,
        var: hir::Var,
        init: ast::Init,
        is_static: bool,
    ) -> hir::Init {
        let ty = self.hir.vars[var].ty;
        let span = self.ast.inits[init].span;
        if self.hir.types.is_variably_sized(ty.ty) {
            self.error(span, "variable-sized object may not be initialized");
            return hir::Init::default();
        }
        let mut flat = Flat {
            items: Vec::new(),
            is_static,
            outer_len: 0,
            flexible_len: 0,
        };
        let zero = self.init_object(ty, init, &mut Vec::new(), &mut flat);
        if let TyKind::Array(elem, Length::Incomplete) = *self.hir.types.kind(ty.ty) {
            self.hir.vars[var].ty.ty = self.hir.types.array(elem, Length::Known(flat.outer_len));
        }
        self.hir.vars[var].flexible = self.flexible_bytes(ty.ty, &flat);
        // Static objects are zero before anything is set.
        hir::Init {
            zero: zero || is_static,
            items: flat.items,
        }
    }

    /// How far the items of a flexible array member reach beyond the struct.
    fn flexible_bytes(&self, ty: Ty, flat: &Flat) -> u64 {
        let types = &self.hir.types;
        let Some(record) = types.record_of(ty).map(|r| &types.records[r]) else {
            return 0;
        };
        let Some(last) = record.fields.last() else {
            return 0;
        };
        let TyKind::Array(elem, Length::Incomplete) = types.kind(last.ty.ty) else {
            return 0;
        };
        let size = types.size_of(elem.ty).unwrap_or(0);
        let at = record.fields.len() as u32 - 1;
        let items = flat.items.iter();
        let count = items
            .filter_map(|item| match item.path.as_slice() {
                [Step::Field(f), Step::Index(i), ..] if *f == at => Some(i + 1),
                _ => None,
            })
            .max()
            .unwrap_or(0)
            .max(flat.flexible_len);
        (last.offset() + count * size).saturating_sub(record.size)
    }

    /// Initialises a whole object; true when braces or a string cover it, so that the rest is zero.
    fn init_object(
        &mut self,
        ty: QualTy,
        init: ast::Init,
        path: &mut Vec<Step>,
        flat: &mut Flat,
    ) -> bool {
        let ast = self.ast;
        let node = &ast.inits[init];
        match &node.kind {
            InitKind::Expr(e) => {
                if self.hir.types.is_array(ty.ty) {
                    if self.init_string(ty, *e, path, flat) {
                        return true;
                    }
                    self.init_array_value(ty, *e, path, flat);
                    return false;
                }
                self.init_scalar(ty, *e, path, flat);
                false
            }
            InitKind::List(elements) => {
                self.init_list(ty, elements, path, flat, node.span);
                true
            }
        }
    }

    fn init_list(
        &mut self,
        ty: QualTy,
        elements: Elements<'_>,
        path: &mut Vec<Step>,
        flat: &mut Flat,
        span: Span,
    ) {
        let ast = self.ast;
        if !self.hir.types.is_array(ty.ty) && !self.hir.types.is_record(ty.ty) {
            // A scalar in braces.
            match elements {
                [] => {}
                [(_, one), rest @ ..] => {
                    self.init_object(ty, *one, path, flat);
                    if !rest.is_empty() {
                        self.diags
                            .warning(span, "excess elements in scalar initializer");
                    }
                }
            }
            return;
        }
        if let [(designators, one)] = elements
            && designators.is_empty()
            && let InitKind::Expr(e) = &ast.inits[*one].kind
            && self.hir.types.is_array(ty.ty)
            && self.init_string(ty, *e, path, flat)
        {
            return;
        }
        let base = path.len();
        let mut levels = vec![Level {
            ty,
            next: 0,
            step: false,
            pinned: false,
        }];
        for (designators, element) in elements {
            if !designators.is_empty() {
                levels.truncate(1);
                path.truncate(base);
                if !self.designate(designators, *element, &mut levels, path, flat) {
                    continue;
                }
            }
            self.place_element(*element, &mut levels, path, base, flat);
        }
        path.truncate(base);
    }

    /// Number of places at a level; `None` for an array of unknown length.
    fn places(&self, ty: Ty) -> Option<u64> {
        match self.hir.types.kind(ty) {
            TyKind::Array(_, Length::Known(n)) => Some(*n),
            TyKind::Array(..) => None,
            TyKind::Record(r) => {
                let record = &self.hir.types.records[*r];
                Some(if record.union {
                    record.fields.len().min(1) as u64
                } else {
                    record.fields.len() as u64
                })
            }
            _ => Some(0),
        }
    }

    /// Skips unnamed bit-fields, which are not initialised.
    fn skip_unnamed(&self, ty: Ty, mut at: u64) -> u64 {
        if let Some(r) = self.hir.types.record_of(ty) {
            let fields = &self.hir.types.records[r].fields;
            while fields
                .get(at as usize)
                .is_some_and(|f| f.name.is_none() && f.width.is_some())
            {
                at += 1;
            }
        }
        at
    }

    fn sub_place(&self, ty: QualTy, at: u64) -> Option<(Step, QualTy)> {
        match self.hir.types.kind(ty.ty) {
            TyKind::Array(elem, _) => Some((Step::Index(at), *elem)),
            TyKind::Record(r) => {
                let field = self.hir.types.records[*r].fields.get(at as usize)?;
                Some((
                    Step::Field(at as u32),
                    QualTy {
                        align: 0,
                        ..field.ty
                    },
                ))
            }
            _ => None,
        }
    }

    /// Puts one element at the next place, going down into subobjects whose braces are elided.
    fn place_element(
        &mut self,
        element: ast::Init,
        levels: &mut Vec<Level>,
        path: &mut Vec<Step>,
        base: usize,
        flat: &mut Flat,
    ) {
        let span = self.ast.inits[element].span;
        // Leave the levels that are full.
        while let Some(level) = levels.last() {
            let at = self.skip_unnamed(level.ty.ty, level.next);
            let union_done = self.is_union(level.ty.ty) && level.next > 0 && !level.pinned;
            let full = self
                .places(level.ty.ty)
                .is_some_and(|n| at >= n && !self.is_union(level.ty.ty))
                || union_done;
            if !full {
                break;
            }
            if levels.len() == 1 {
                self.diags.warning(span, "excess elements in initializer");
                return;
            }
            let stepped = level.step;
            levels.pop();
            if stepped {
                path.pop();
            }
        }
        loop {
            let Some(level) = levels.last_mut() else {
                return;
            };
            let ty = level.ty;
            let from = level.next;
            let at = self.skip_unnamed(ty.ty, from);
            if let Some(level) = levels.last_mut() {
                level.next = at + 1;
                level.pinned = false;
            }
            if levels.len() == 1
                && path.len() == base
                && base == 0
                && self.hir.types.is_array(ty.ty)
            {
                flat.outer_len = flat.outer_len.max(at + 1);
            }
            // An element may set nothing: `{}`.
            if path.len() == 1
                && matches!(
                    self.hir.types.kind(ty.ty),
                    TyKind::Array(_, Length::Incomplete)
                )
            {
                flat.flexible_len = flat.flexible_len.max(at + 1);
            }
            let Some((step, sub)) = self.sub_place(ty, at) else {
                self.diags.warning(span, "excess elements in initializer");
                return;
            };
            path.push(step);
            if self.takes_whole(sub, element) {
                self.init_nested(sub, element, path, flat);
                path.pop();
                return;
            }
            levels.push(Level {
                ty: sub,
                next: 0,
                step: true,
                pinned: false,
            });
        }
    }

    fn is_union(&self, ty: Ty) -> bool {
        self.hir
            .types
            .record_of(ty)
            .is_some_and(|r| self.hir.types.records[r].union)
    }

    /// Whether an element initialises a place as a whole rather than its first part.
    fn takes_whole(&mut self, ty: QualTy, element: ast::Init) -> bool {
        let ast = self.ast;
        let aggregate = self.hir.types.is_array(ty.ty) || self.hir.types.is_record(ty.ty);
        let InitKind::Expr(e) = &ast.inits[element].kind else {
            return true;
        };
        if !aggregate || self.places(ty.ty) == Some(0) {
            return true;
        }
        if let TyKind::Array(elem, _) = *self.hir.types.kind(ty.ty) {
            return matches!(ast.exprs[*e].kind, ast::ExprKind::Str(_))
                && self.is_char_like(elem.ty);
        }
        // A struct-valued expression; the tree is analysed once more for its type only.
        if matches!(
            ast.exprs[*e].kind,
            ast::ExprKind::Int(_) | ast::ExprKind::Str(_) | ast::ExprKind::Char(_)
        ) {
            return false;
        }
        let e = self.quiet_type(*e);
        self.hir.types.is_record(e) && self.hir.types.compatible(e, ty.ty)
    }

    /// The type of an expression, without its diagnostics.
    fn quiet_type(&mut self, e: ast::Expr) -> Ty {
        let diags = std::mem::take(self.diags);
        let e = self.rvalue(e);
        *self.diags = diags;
        self.hir.ty(e)
    }

    fn init_nested(
        &mut self,
        ty: QualTy,
        element: ast::Init,
        path: &mut Vec<Step>,
        flat: &mut Flat,
    ) {
        // A braced subobject starts from zero even where an earlier element set parts of it.
        if matches!(self.ast.inits[element].kind, InitKind::List(_)) {
            flat.items
                .retain(|item| !(item.path.len() > path.len() && item.path.starts_with(path)));
        }
        self.init_object(ty, element, path, flat);
    }

    /// Follows designators; afterwards the levels stand at the designated place. False when done.
    fn designate(
        &mut self,
        designators: &[Designator],
        element: ast::Init,
        levels: &mut Vec<Level>,
        path: &mut Vec<Step>,
        flat: &mut Flat,
    ) -> bool {
        let Some((first, rest)) = designators.split_first() else {
            return true;
        };
        let ty = levels.last().map_or(self.hir.types.error.into(), |l| l.ty);
        match first {
            Designator::Field(name, span) => {
                let record = self.hir.types.record_of(ty.ty);
                let Some(steps) = record.and_then(|r| self.hir.types.find_field(r, *name)) else {
                    let (text, ty) = (self.text(*name), self.type_name(ty));
                    self.error(*span, format!("'{ty}' has no member named '{text}'"));
                    return false;
                };
                for (i, index) in steps.iter().enumerate() {
                    let last = i + 1 == steps.len();
                    self.step_to(
                        u64::from(*index),
                        levels,
                        path,
                        last && rest.is_empty(),
                        flat,
                    );
                }
                if rest.is_empty() {
                    true
                } else {
                    self.designate(rest, element, levels, path, flat)
                }
            }
            Designator::Index(e) => {
                let Some(index) = self.designated_index(*e, ty) else {
                    return false;
                };
                self.step_to(index, levels, path, rest.is_empty(), flat);
                if rest.is_empty() {
                    true
                } else {
                    self.designate(rest, element, levels, path, flat)
                }
            }
            Designator::Range(a, b) => {
                let (Some(a), Some(b)) =
                    (self.designated_index(*a, ty), self.designated_index(*b, ty))
                else {
                    return false;
                };
                let span = self.ast.inits[element].span;
                if b < a || b - a > MAX_RANGE {
                    self.error(span, "empty or too large index range in initializer");
                    return false;
                }
                let depth = levels.len();
                let length = path.len();
                for index in a..=b {
                    levels.truncate(depth);
                    path.truncate(length);
                    self.step_to(index, levels, path, rest.is_empty(), flat);
                    if rest.is_empty() || self.designate(rest, element, levels, path, flat) {
                        let base = path
                            .len()
                            .saturating_sub(levels.iter().filter(|l| l.step).count());
                        self.place_element(element, levels, path, base, flat);
                    }
                }
                false
            }
        }
    }

    /// Moves the cursor of the last level to `index`; goes into it unless it is the final step.
    fn step_to(
        &mut self,
        index: u64,
        levels: &mut Vec<Level>,
        path: &mut Vec<Step>,
        last: bool,
        flat: &mut Flat,
    ) {
        if path.is_empty()
            && levels.len() == 1
            && levels.iter().all(|l| self.hir.types.is_array(l.ty.ty))
        {
            flat.outer_len = flat.outer_len.max(index + 1);
        }
        let Some(level) = levels.last_mut() else {
            return;
        };
        // place_element steps into `next` itself; a union's cursor may stand at any member.
        level.next = index;
        if last {
            level.pinned = true;
            return;
        }
        level.next = index + 1;
        let ty = level.ty;
        if let Some((step, sub)) = self.sub_place(ty, index) {
            path.push(step);
            levels.push(Level {
                ty: sub,
                next: 0,
                step: true,
                pinned: false,
            });
        }
    }

    fn designated_index(&mut self, e: ast::Expr, ty: QualTy) -> Option<u64> {
        let span = self.span_of(e);
        let TyKind::Array(_, len) = *self.hir.types.kind(ty.ty) else {
            self.error(span, "array index in non-array initializer");
            return None;
        };
        let Some(index) = self.constant(e) else {
            self.error(span, "nonconstant array index in initializer");
            return None;
        };
        let bound = match len {
            Length::Known(n) => n,
            _ => u64::from(u32::MAX),
        };
        match u64::try_from(index) {
            Ok(i) if i < bound => Some(i),
            _ => {
                self.error(span, "array index in initializer exceeds array bounds");
                None
            }
        }
    }

    fn is_char_like(&self, ty: Ty) -> bool {
        self.hir.types.is_integer(ty)
    }

    /// A string literal for an array of characters.
    fn init_string(&mut self, ty: QualTy, e: ast::Expr, path: &[Step], flat: &mut Flat) -> bool {
        let ast = self.ast;
        let ast::ExprKind::Str(id) = ast.exprs[e].kind else {
            return false;
        };
        let TyKind::Array(elem, len) = *self.hir.types.kind(ty.ty) else {
            return false;
        };
        let lit = &ast.strings[id];
        let unit = self.string_elem(lit.encoding);
        let same_size = self.hir.types.size_of(unit) == self.hir.types.size_of(elem.ty);
        if !self.is_char_like(elem.ty) || !same_size {
            return false;
        }
        let span = self.span_of(e);
        let most = match len {
            Length::Known(n) => usize::try_from(n).unwrap_or(usize::MAX),
            _ => lit.units.len() + 1,
        };
        if path.is_empty() {
            flat.outer_len = flat.outer_len.max(lit.units.len() as u64 + 1);
        }
        if lit.units.len() > most {
            self.diags
                .warning(span, "initializer-string for array is too long");
        }
        let mut push = |i: usize, value: hir::Expr| {
            let mut path = path.to_vec();
            path.push(Step::Index(i as u64));
            let ty = elem;
            flat.items.push(InitItem { path, ty, value });
        };
        for (i, u) in lit.units.iter().take(most).enumerate() {
            let value = self.hir.types.wrap(i128::from(*u), elem.ty);
            push(i, self.int_expr(value, elem.ty, span));
        }
        // An inner array's tail is zero only if something says so.
        if !path.is_empty() && lit.units.len() < most {
            let zero = self.int_expr(0, elem.ty, span);
            (lit.units.len()..most).for_each(|i| push(i, zero));
        }
        true
    }

    /// GNU C: an array from a compound literal of array type.
    fn init_array_value(&mut self, ty: QualTy, e: ast::Expr, path: &[Step], flat: &mut Flat) {
        let span = self.span_of(e);
        let value = self.expr(e);
        if let H::CompoundLit { init, var } = &self.hir.exprs[value].kind {
            if let TyKind::Array(_, Length::Known(n)) =
                *self.hir.types.kind(self.hir.vars[*var].ty.ty)
            {
                flat.outer_len = flat.outer_len.max(n);
            }
            for item in &init.items {
                let mut full = path.to_vec();
                full.extend(&item.path);
                flat.items.push(InitItem {
                    path: full,
                    ty: item.ty,
                    value: item.value,
                });
            }
            return;
        }
        if !self.is_error(value) {
            let name = self.type_name(ty);
            self.error(span, format!("invalid initializer for '{name}'"));
        }
    }

    fn init_scalar(&mut self, ty: QualTy, e: ast::Expr, path: &[Step], flat: &mut Flat) {
        let span = self.span_of(e);
        let value = self.rvalue(e);
        if self.is_error(value) {
            return;
        }
        let value = self.assign_convert(value, ty.ty, span, "initializing");
        if flat.is_static && !self.is_error(value) && !self.is_static_constant(value) {
            self.error(span, "initializer element is not constant");
        }
        flat.items.push(InitItem {
            path: path.to_vec(),
            ty,
            value,
        });
    }
}
