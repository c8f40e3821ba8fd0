//! What names mean once all translation units are known: aliases, weak symbols, assembler names.
//!
//! An alias is replaced by its target wherever it is used, so that calls, addresses and comparisons
//! agree. A weak name that nothing defines may be null or not; what is done with it is incomplete.

use super::Sema;
use super::scope::Entity;
use crate::hir::{self, ExprKind as H, Hir, Storage};
use rustc_hash::FxHashMap;

impl Sema<'_> {
    /// At the end of a unit: `#pragma weak`, and the targets of aliases, which are names of the unit.
    pub(super) fn resolve_names(&mut self) {
        for (name, target) in &self.ast.weak {
            let symbol = self.interner.intern(name);
            let unit = self.unit;
            let Some(entity) = self.scopes.lookup(symbol).map(|b| b.entity) else {
                continue;
            };
            let linkage = match entity {
                Entity::Func(f) => &mut self.hir.funcs[f].linkage,
                Entity::Var(v) => &mut self.hir.vars[v].linkage,
                _ => continue,
            };
            linkage.weak = Some(unit);
            if let Some(target) = target {
                linkage.alias = Some(target.clone());
            }
        }
        let funcs: Vec<hir::Func> = self.hir.funcs.keys().collect();
        for f in funcs {
            let Some(name) = self.hir.funcs[f].linkage.alias.take() else {
                continue;
            };
            let symbol = self.interner.intern(&name);
            let target = self.scopes.lookup(symbol).map(|b| b.entity);
            match target {
                Some(Entity::Func(g)) if g != f => self.hir.funcs[f].linkage.func = Some(g),
                _ => self.hir.funcs[f].odd = Some(format!("an alias of '{name}'")),
            }
        }
        let vars: Vec<hir::Var> = self.hir.vars.keys().collect();
        for v in vars {
            let Some(name) = self.hir.vars[v].linkage.alias.take() else {
                continue;
            };
            let symbol = self.interner.intern(&name);
            let target = self.scopes.lookup(symbol).map(|b| b.entity);
            match target {
                Some(Entity::Var(w)) if w != v => self.hir.vars[v].linkage.var = Some(w),
                _ => self.hir.vars[v].odd = Some(format!("an alias of '{name}'")),
            }
        }
    }
}

/// Replaces aliases by what they stand for, and refuses what may be null.
pub(super) fn link(hir: &mut Hir) {
    let mut funcs = FxHashMap::default();
    let labelled = labels(hir);
    for (f, data) in hir.funcs.iter() {
        let own = data.body.is_some();
        let target = data.linkage.func.or_else(|| labelled.get(&f).copied());
        if let (false, Some(g)) = (own, target)
            && hir.funcs[g].body.is_some()
        {
            funcs.insert(f, g);
        }
    }
    let mut vars = FxHashMap::default();
    for (v, data) in hir.vars.iter() {
        if let (true, Some(w)) = (data.init.is_none(), data.linkage.var)
            && hir.vars[w].defined
            && hir.types.size_of(hir.vars[w].ty.ty) == hir.types.size_of(data.ty.ty)
        {
            vars.insert(v, w);
        }
    }
    for (f, data) in hir.funcs.iter_mut() {
        let nowhere = data.body.is_none() && !funcs.contains_key(&f);
        if nowhere && (data.linkage.weak.is_some() || data.linkage.func.is_some()) {
            data.odd = Some("attribute 'weak' and no definition".to_owned());
        }
    }
    for (v, data) in hir.vars.iter_mut() {
        let elsewhere = data.storage == Storage::Global && !data.defined;
        if vars.contains_key(&v) {
            continue;
        }
        if data.linkage.var.is_some() {
            data.odd = Some("attribute 'alias'".to_owned());
        } else if elsewhere && data.linkage.weak.is_some() {
            data.odd = Some("attribute 'weak' and no definition".to_owned());
        } else if elsewhere
            && (data.name.starts_with("__start_") || data.name.starts_with("__stop_"))
        {
            data.odd = Some("an address that the linker defines".to_owned());
        }
    }
    if funcs.is_empty() && vars.is_empty() {
        return;
    }
    for data in hir.exprs.values_mut() {
        match &mut data.kind {
            H::FuncAddr(f) | H::FuncRef(f) => {
                if let Some(g) = funcs.get(f) {
                    *f = *g;
                }
            }
            H::Var(v) => {
                if let Some(w) = vars.get(v) {
                    *v = *w;
                }
            }
            _ => {}
        }
    }
    for (f, g) in funcs {
        if hir.funcs[f].address_taken {
            hir.funcs[g].address_taken = true;
        }
    }
}

/// Functions by the names that `asm("name")` gives them: which one another name stands for.
fn labels(hir: &Hir) -> FxHashMap<hir::Func, hir::Func> {
    let mut found = FxHashMap::default();
    for (f, data) in hir.funcs.iter() {
        let Some(label) = &data.linkage.label else {
            continue;
        };
        for (g, other) in hir.funcs.iter() {
            if g != f && other.name == *label && !other.internal {
                found.insert(f, g);
                found.insert(g, f);
            }
        }
    }
    found
}
