//! One type for what several translation units declare alike.
//!
//! A struct of a header is another type in each unit that includes the header, and compatible with all the others (C11 6.2.7). The
//! lowering represents memory by types, so compatible ones become one number before it starts: an object that one
//! file defines and another one uses has one representation.

use crate::hir::{ExprKind as H, Hir, StmtKind};
use crate::lex::token::Symbol;
use crate::types::{EnumId, QualTy, RecordId, Ty, TyKind, Types};
use rustc_hash::FxHashMap;

/// What compatible records have in common at first sight: their tag, or the names of their members.
#[derive(PartialEq, Eq, Hash)]
enum Name {
    Tag(Symbol),
    Members(Vec<Option<Symbol>>),
}

/// Makes compatible types of different units one type.
pub(super) fn merge(hir: &mut Hir) {
    let records = same_records(&mut hir.types);
    let enums = same_enums(&hir.types);
    if records.is_empty() && enums.is_empty() {
        return;
    }
    let map = hir.types.replace(&records, &enums);
    let change = |ty: &mut Ty| {
        if let Some(to) = map.get(ty) {
            *ty = *to;
        }
    };
    for var in hir.vars.values_mut() {
        change(&mut var.ty.ty);
        for item in var.init.iter_mut().flat_map(|i| &mut i.items) {
            change(&mut item.ty.ty);
        }
    }
    for func in hir.funcs.values_mut() {
        change(&mut func.ty);
    }
    for string in hir.strings.values_mut() {
        change(&mut string.elem);
    }
    for expr in hir.exprs.values_mut() {
        change(&mut expr.ty.ty);
        match &mut expr.kind {
            H::AssignOp { compute: ty, .. } | H::SizeofVla(ty) => change(ty),
            H::CompoundLit { init, .. } => init.items.iter_mut().for_each(|i| change(&mut i.ty.ty)),
            _ => {}
        }
    }
    for stmt in hir.stmts.values_mut() {
        if let StmtKind::Decl {
            init: Some(init), ..
        } = &mut stmt.kind
        {
            init.items.iter_mut().for_each(|i| change(&mut i.ty.ty));
        }
    }
}

/// Records that another one stands for. A record without body is the only one of its tag with a body, if there is one.
fn same_records(types: &mut Types) -> FxHashMap<RecordId, RecordId> {
    let mut groups: FxHashMap<Name, Vec<RecordId>> = FxHashMap::default();
    for (id, record) in types.records.iter().filter(|(_, r)| r.vector.is_none()) {
        let members = || record.fields.iter().map(|f| f.name).collect();
        let name = match record.tag {
            Some(tag) => Name::Tag(tag),
            None => Name::Members(members()),
        };
        groups.entry(name).or_default().push(id);
    }
    let mut same = FxHashMap::default();
    for group in groups.into_values().filter(|g| g.len() > 1) {
        let mut bodies: Vec<RecordId> = Vec::new();
        for r in &group {
            if !types.records[*r].complete {
                continue;
            }
            let mine = types.intern(TyKind::Record(*r));
            let found = bodies.iter().copied().find(|s| {
                let other = types.intern(TyKind::Record(*s));
                types.compatible(mine, other)
            });
            match found {
                Some(s) => {
                    same.insert(*r, s);
                }
                None => bodies.push(*r),
            }
        }
        if let [body] = bodies[..] {
            let (unit, union) = (types.records[body].unit, types.records[body].union);
            let open = group.iter().filter(|r| {
                let r = &types.records[**r];
                !r.complete && r.union == union && r.unit != unit
            });
            same.extend(open.map(|r| (*r, body)));
        }
    }
    same
}

/// Enumerations of different units with the same tag, type and values.
fn same_enums(types: &Types) -> FxHashMap<EnumId, EnumId> {
    let mut first = FxHashMap::default();
    let mut same = FxHashMap::default();
    for (id, e) in types.enums.iter().filter(|(_, e)| e.complete && e.odd == 0) {
        let other = *first.entry((e.tag, e.repr, &e.values)).or_insert(id);
        if types.enums[other].unit != e.unit {
            same.insert(id, other);
        }
    }
    same
}

impl Types {
    /// Puts records and enumerations in the place of others, in members too. Returns what became of each type that changed.
    fn replace(
        &mut self,
        records: &FxHashMap<RecordId, RecordId>,
        enums: &FxHashMap<EnumId, EnumId>,
    ) -> FxHashMap<Ty, Ty> {
        let mut map = FxHashMap::default();
        let new = |map: &FxHashMap<Ty, Ty>, q: QualTy| QualTy {
            ty: map.get(&q.ty).copied().unwrap_or(q.ty),
            ..q
        };
        // A type is made after those it consists of.
        for ty in self.all() {
            let kind = match self.kind(ty).clone() {
                TyKind::Record(r) => TyKind::Record(records.get(&r).copied().unwrap_or(r)),
                TyKind::Enum(e) => TyKind::Enum(enums.get(&e).copied().unwrap_or(e)),
                TyKind::Pointer(to) => TyKind::Pointer(new(&map, to)),
                TyKind::Array(elem, len) => TyKind::Array(new(&map, elem), len),
                TyKind::Function(mut f) => {
                    f.ret = new(&map, f.ret);
                    f.params.iter_mut().for_each(|p| *p = new(&map, *p));
                    TyKind::Function(f)
                }
                kind => kind,
            };
            let to = self.intern(kind);
            if to != ty {
                map.insert(ty, to);
            }
        }
        for record in self.records.values_mut() {
            for field in &mut record.fields {
                field.ty = new(&map, field.ty);
            }
        }
        map
    }
}
