//! Reads of automatic variables that nothing has set: the property `uninit`.
//!
//! A local without an initialiser that is in variables of its own has a shadow for each of its scalars, which is false (in an
//! array: 0) from the declaration to the first store. That is so in registers, and where the address of the variable leads
//! to nothing else. Reading a scalar checks its shadow. Copying a struct, a block or a single character reads nothing, and the
//! copy counts as set; so does what a function without a body could reach.
//! Of other objects in memory, and of the heap, one byte is watched ([`super::watch`]).

use super::Lowerer;
use super::escape::Walk;
use super::fault::Fault;
use super::init::collect;
use super::object::Shape;
use super::place::Index;
use crate::hir::{self, ExprKind as H, Hir, StmtKind as S};
use crate::types::{IntKind, Ty, TyKind};
use cranelift_entity::SecondaryMap;
use trellis_ivl::{Term, Type, Var};

/// How far behind a declaration the first mention of a variable is sought.
const NEAR: usize = 40;

/// Locals that may be read before they are set: those without an initialiser whose first mention behind the declaration is
/// not an assignment. It is a filter; the rest is shown by the checks.
pub fn candidates(hir: &Hir) -> SecondaryMap<hir::Var, bool> {
    let mut found = SecondaryMap::new();
    for stmt in hir.stmts.values() {
        let (S::Block(list) | S::For { init: list, .. }) = &stmt.kind else {
            continue;
        };
        for (i, s) in list.iter().enumerate() {
            match &hir.stmts[*s].kind {
                S::Decl { var, init: None } => {
                    found[*var] = !is_set_first(hir, *var, &list[i + 1..]);
                }
                // A jump may come in behind the initialiser.
                S::Decl { var, .. } if is_local(hir, *var) => {
                    found[*var] = list[i + 1..].iter().any(|s| has_label(hir, *s));
                }
                _ => {}
            }
        }
    }
    found
}

fn is_local(hir: &Hir, var: hir::Var) -> bool {
    hir.vars[var].storage == hir::Storage::Local
}

/// Whether a statement may be jumped into.
fn has_label(hir: &Hir, stmt: hir::Stmt) -> bool {
    let is_label = |s: hir::Stmt| matches!(hir.stmts[s].kind, S::Label(..));
    // The cases of a switch further in are reached through it.
    Walk::statements(hir, stmt).any(is_label) || matches!(hir.stmts[stmt].kind, S::Case(..))
}

/// Whether the first statement that mentions a variable sets it.
fn is_set_first(hir: &Hir, var: hir::Var, list: &[hir::Stmt]) -> bool {
    for stmt in list.iter().take(NEAR) {
        let kind = &hir.stmts[*stmt].kind;
        let sets = match kind {
            // A jump may come here and pass by what sets it.
            S::Label(..) | S::Case(..) => return false,
            S::For { init, .. } => init.first(),
            _ => Some(stmt),
        };
        if let Some(S::Expr(e)) = sets.map(|s| &hir.stmts[*s].kind)
            && let H::Assign(lhs, rhs) = hir.exprs[*e].kind
            && matches!(hir.exprs[lhs].kind, H::Var(v) if v == var)
        {
            return !mentions(hir, Walk::of_expr(hir, rhs), var);
        }
        if mentions(hir, Walk::new(hir, *stmt), var) {
            return false;
        }
    }
    false
}

fn mentions(hir: &Hir, mut walk: Walk, var: hir::Var) -> bool {
    let mut found = false;
    walk.run(|e| found |= matches!(hir.exprs[e].kind, H::Var(v) if v == var));
    found
}

/// A bit for each scalar.
fn shadow_type(of: Type) -> Type {
    match of {
        Type::Array { index, .. } => Type::Array { index, elem: 1 },
        _ => Type::Bool,
    }
}

impl Lowerer<'_> {
    /// Nothing has set these variables.
    pub(super) fn mark_unset(&mut self, leaves: &[Var]) {
        for leaf in leaves {
            let shadow = self.shadow(*leaf);
            let nothing = self.none_set(shadow);
            self.assign(shadow, nothing);
        }
    }

    /// Shadows of the only object of a class, which several functions may reach.
    pub(super) fn shadow_object(&mut self, shape: &Shape) {
        let mut leaves = Vec::new();
        collect(shape, &mut leaves);
        for leaf in leaves {
            let data = self.p.pool.var_data(leaf);
            let (name, span) = (format!("{}.is_set", data.name), data.span);
            let ty = shadow_type(self.p.pool.var_ty(leaf));
            let shadow = self.p.add_global(name, ty, span);
            self.shadows.insert(leaf, shadow);
            self.shared_shadows.push(shadow);
        }
    }

    /// A function that nobody knows may have set what its pointers lead to.
    pub(super) fn mark_reached_set(&mut self) {
        for shadow in self.shared_shadows.clone() {
            let all = self.all_set(shadow);
            self.assign(shadow, all);
        }
        self.mark_watched_set();
    }

    fn all_set(&mut self, shadow: Var) -> Term {
        match self.p.pool.var_ty(shadow) {
            Type::Array { index, .. } => {
                let one = self.p.pool.num(1, 1);
                self.p.pool.const_array(index, one)
            }
            _ => self.p.pool.tru(),
        }
    }

    /// Makes shadows, so that stores behind a declaration that is jumped over set them.
    pub(super) fn make_shadows(&mut self, leaves: &[Var]) {
        for leaf in leaves {
            self.shadow(*leaf);
        }
    }

    /// That variables are unset, where a function begins.
    pub(super) fn unset_at_start(&mut self, leaves: &[Var]) -> Vec<(Var, Term)> {
        let shadows = leaves
            .iter()
            .filter_map(|leaf| self.shadows.get(leaf).copied());
        let shadows: Vec<Var> = shadows.collect();
        let nothing = shadows.into_iter().map(|s| (s, self.none_set(s)));
        nothing.collect()
    }

    fn none_set(&mut self, shadow: Var) -> Term {
        match self.p.pool.var_ty(shadow) {
            Type::Array { index, elem } => {
                let zero = self.p.pool.num(elem, 0);
                self.p.pool.const_array(index, zero)
            }
            _ => self.p.pool.fls(),
        }
    }

    fn shadow(&mut self, leaf: Var) -> Var {
        if let Some(shadow) = self.shadows.get(&leaf) {
            return *shadow;
        }
        let ty = shadow_type(self.p.pool.var_ty(leaf));
        let data = self.p.pool.var_data(leaf);
        let (name, span) = (format!("{}.is_set", data.name), data.span);
        let shadow = self.p.add_local(self.f.proc, name, ty, span);
        self.shadows.insert(leaf, shadow);
        shadow
    }

    /// A store sets what it writes.
    pub(super) fn mark_set(&mut self, shape: &Shape, index: Index) {
        if self.shadows.is_empty() {
            return;
        }
        match shape {
            Shape::Leaf(leaf) => {
                let Some(shadow) = self.shadows.get(leaf).copied() else {
                    return;
                };
                let new = match (index, self.p.pool.var_ty(shadow)) {
                    (Index::Flat(i), Type::Array { .. }) => {
                        let (old, one) = (self.p.pool.var(shadow), self.p.pool.num(1, 1));
                        self.p.pool.store(old, i, one)
                    }
                    _ => self.all_set(shadow),
                };
                self.assign(shadow, new);
            }
            Shape::Record(shapes) => {
                for shape in shapes {
                    self.mark_set(shape, index);
                }
            }
            // All elements at once, where a struct with an array in it is stored as one.
            Shape::Array(inner, _) => self.mark_set(inner, Index::Whole),
        }
    }

    /// A scalar is read.
    pub(super) fn check_set(&mut self, leaf: Var, index: Index) {
        if !self.props.uninit {
            return;
        }
        let Some(shadow) = self.shadows.get(&leaf).copied() else {
            return;
        };
        let shadow = self.p.pool.var(shadow);
        let ok: Term = match index {
            Index::Flat(i) => {
                let bit = self.p.pool.select(shadow, i);
                self.p.pool.bv_to_bool(bit)
            }
            Index::Whole if self.p.pool.ty(shadow) == Type::Bool => shadow,
            _ => return,
        };
        self.about(Fault::Unset {
            variable: Some(leaf),
            address: None,
        });
        self.check(ok, "uninit");
    }

    pub(super) fn is_character(&self, ty: Ty) -> bool {
        let kind = self.hir.types.kind(ty);
        matches!(
            kind,
            TyKind::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
        )
    }
}
