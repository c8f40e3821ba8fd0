//! Attributes: which of them may be skipped, and what the others make of what they stand on.
//!
//! Only what is known to change nothing that a verdict depends on is skipped. What changes the meaning
//! is modelled where it stands (`aligned`, `packed`, `mode`, `constructor`, `alias`, ...); every other
//! name makes the object, function or type that carries it unknown: its uses are incomplete locations
//! that name the attribute.

use super::Sema;
use super::scope::Entity;
use crate::ast::{AttrArg, Attribute, Chunk, Declarator};
use crate::hir;
use crate::types::{Field, Length, QualTy, Record, Ty, TyKind};

/// Attributes that change neither layout nor behaviour of a correct program. Sorted.
const HARMLESS: &[&str] = &[
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cdecl",
    "cold",
    "common",
    "const",
    "counted_by",
    "deprecated",
    "designated_init",
    "diagnose_as_builtin",
    "error",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flatten",
    "force_align_arg_pointer",
    "format",
    "format_arg",
    "gcc_struct",
    "gnu_inline",
    "hot",
    "leaf",
    "likely",
    "malloc",
    "may_alias",
    "maybe_unused",
    "ms_abi",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_coverage",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "nocf_check",
    "noclone",
    "nocommon",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "nothrow",
    "null_terminated_string_arg",
    "optimize",
    "patchable_function_entry",
    "pure",
    "regparm",
    "reproducible",
    "retain",
    "returns_nonnull",
    "section",
    "sentinel",
    "stack_protect",
    "stdcall",
    "strict_flex_array",
    "sysv_abi",
    "tainted_args",
    "target",
    "thiscall",
    "tls_model",
    "unavailable",
    "uninitialized",
    "unlikely",
    "unsequenced",
    "unused",
    "used",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
];

/// Attributes that sema gives their meaning; gcc ignores them where they have none. Sorted.
const MODELLED: &[&str] = &[
    "alias",
    "aligned",
    "constructor",
    "destructor",
    "mode",
    "noreturn",
    "packed",
    "transparent_union",
    "vector_size",
    "weak",
    "weakref",
];

/// Why objects with vectors in them are not modelled; their layout is known.
pub(super) const VECTOR: &str = "attribute 'vector_size'";

/// The default of gcc for constructors without a priority: after all others.
const LAST_PRIORITY: u32 = 65536;

/// The first attribute whose meaning is not known, as a reason.
pub(super) fn unknown<'a>(attrs: impl IntoIterator<Item = &'a Attribute>) -> Option<String> {
    let known =
        |name: &str| HARMLESS.binary_search(&name).is_ok() || MODELLED.binary_search(&name).is_ok();
    let odd = attrs.into_iter().find(|a| !known(&a.name))?;
    Some(format!("attribute '{}'", odd.name))
}

/// The attributes of a declarator, those of its pointers included.
pub(super) fn of_declarator(d: &Declarator) -> impl Iterator<Item = &Attribute> {
    let pointers = d.chunks.iter().filter_map(|c| match c {
        Chunk::Pointer { attrs, .. } => Some(attrs),
        _ => None,
    });
    d.attrs.iter().chain(pointers.flatten())
}

impl Sema<'_> {
    /// The call that the attribute `cleanup` of an automatic variable asks for.
    pub(super) fn cleanup<'a>(
        &mut self,
        var: hir::Var,
        attrs: impl IntoIterator<Item = &'a Attribute>,
    ) -> Option<hir::Expr> {
        let attr = attrs.into_iter().find(|a| a.name == "cleanup")?;
        let AttrArg::Name(name) = attr.arg else {
            return None;
        };
        let Some(Entity::Func(f)) = self.scopes.lookup(name).map(|b| b.entity) else {
            return None;
        };
        let shape = self.hir.types.function_of(self.hir.funcs[f].ty).cloned()?;
        let [param] = shape.params.as_slice() else {
            return None;
        };
        let (to, ret) = (param.ty, shape.ret.ty);
        let (ty, span) = (self.hir.vars[var].ty, attr.span);
        let place = self.push_expr(hir::ExprKind::Var(var), ty, span);
        let pointer = self.hir.types.pointer(ty);
        let address = self.push_expr(hir::ExprKind::AddrOf(place), pointer, span);
        let address = self.convert(address, to);
        let f_ty = self.hir.types.pointer(self.hir.funcs[f].ty.into());
        let callee = self.push_expr(hir::ExprKind::FuncAddr(f), f_ty, span);
        let args = vec![address];
        Some(self.push_expr(hir::ExprKind::Call { callee, args }, ret, span))
    }

    /// A type that carries an unknown attribute.
    pub(super) fn with_unknown<'a>(
        &mut self,
        ty: QualTy,
        attrs: impl IntoIterator<Item = &'a Attribute>,
    ) -> QualTy {
        match unknown(attrs) {
            Some(reason) => QualTy {
                odd: self.hir.types.odd(reason),
                ..ty
            },
            None => ty,
        }
    }

    /// What attributes say about the linkage of a name.
    pub(super) fn linkage<'a>(
        &mut self,
        attrs: impl IntoIterator<Item = &'a Attribute>,
        linkage: &mut hir::Linkage,
    ) {
        for attr in attrs {
            match attr.name.as_str() {
                "weak" => linkage.weak = Some(self.unit),
                "alias" | "weakref" => {
                    if attr.name == "weakref" {
                        linkage.weak = Some(self.unit);
                    }
                    if let AttrArg::Text(target) = &attr.arg {
                        linkage.alias = Some(target.clone());
                    }
                }
                "constructor" => linkage.constructor = Some(self.priority(attr)),
                "destructor" => linkage.destructor = Some(self.priority(attr)),
                _ => {}
            }
        }
    }

    fn priority(&mut self, attr: &Attribute) -> u32 {
        let AttrArg::Expr(e) = attr.arg else {
            return LAST_PRIORITY;
        };
        let value = self.constant(e).and_then(|v| u32::try_from(v).ok());
        value.filter(|v| *v < LAST_PRIORITY).unwrap_or_else(|| {
            let message = format!("{} priorities must be integers from 0 to 65535", attr.name);
            self.error(attr.span, message);
            LAST_PRIORITY
        })
    }

    /// `vector_size`: the type of its layout. Nothing that is computed with it is modelled.
    pub(super) fn apply_vector<'a>(
        &mut self,
        ty: QualTy,
        attrs: impl IntoIterator<Item = &'a Attribute>,
    ) -> QualTy {
        let Some(attr) = attrs.into_iter().find(|a| a.name == "vector_size") else {
            return ty;
        };
        let bytes = match attr.arg {
            AttrArg::Expr(e) => self.constant(e).and_then(|v| u64::try_from(v).ok()),
            _ => None,
        };
        let elem = self.hir.types.size_of(ty.ty).unwrap_or(0);
        let fits = |n: &u64| n.is_power_of_two() && elem > 0 && n.is_multiple_of(elem);
        let Some(bytes) = bytes.filter(fits) else {
            self.error(attr.span, "invalid vector size");
            return ty;
        };
        let lanes = self
            .hir
            .types
            .array(ty.ty.into(), Length::Known(bytes / elem));
        let odd = self.hir.types.odd(VECTOR.to_owned());
        let record = self.hir.types.records.push(Record {
            union: false,
            tag: None,
            fields: vec![Field {
                name: None,
                ty: lanes.into(),
                bit_offset: 0,
                width: None,
                packed: false,
                align: 0,
                span: attr.span,
            }],
            size: bytes,
            align: bytes,
            complete: true,
            span: attr.span,
            unit: self.unit,
            odd,
            vector: Some(ty.ty),
            transparent: false,
        });
        QualTy {
            ty: self.hir.types.intern(TyKind::Record(record)),
            ..ty
        }
    }

    /// Whether a type is a vector, and of what.
    pub(super) fn vector_element(&self, ty: Ty) -> Option<Ty> {
        let record = self.hir.types.record_of(ty)?;
        self.hir.types.records[record].vector
    }

    /// An operation on vectors: known by its type alone.
    pub(super) fn vector_expr(&mut self, ty: Ty, span: crate::source::Span) -> hir::Expr {
        let reason = "an operation on vectors".to_owned();
        self.push_expr(hir::ExprKind::Unsupported(reason), ty, span)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_sorted() {
        assert!(super::HARMLESS.is_sorted());
        assert!(super::MODELLED.is_sorted());
    }
}
