//! Variable arguments, in terms of ordinary objects and pointers.
//!
//! A call of a variadic function puts what follows the named arguments into a struct of its own, each
//! member at a multiple of eight bytes, and passes the struct's address as one further argument. The
//! function has a parameter for it, which `va_start` stores in the list; `va_arg` reads at the address
//! in the list and moves it on. Of x86-64's list only the member is used that is for arguments in memory.
//!
//! Whether a function has a body is known when all files have been read: until then a call has both, its
//! arguments and the struct, and [`resolve`] keeps one of them. Functions without a body, such as
//! `printf`, get the arguments as they are.

use super::Sema;
use crate::ast;
use crate::hir::{self, ExprKind as H, Hir};
use crate::source::Span;
use crate::types::{FnTy, Ty, TyKind};
use rustc_hash::FxHashSet;

/// Arguments start at multiples of this, in bytes.
const SLOT: u64 = 8;

/// The member of x86-64's list that points to arguments in memory.
const OVERFLOW_AREA: u32 = 2;

/// A call of a variadic function.
pub(super) struct Rest {
    call: hir::Expr,
    /// Number of named parameters.
    named: usize,
    /// The struct of the other arguments and its address, where there are any.
    block: Option<[hir::Expr; 2]>,
    /// What to pass for them.
    address: hir::Expr,
}

impl Sema<'_> {
    /// The parameter for the arguments that have no name.
    pub(super) fn rest_parameter(&mut self, f: &FnTy, span: Span) -> Option<hir::Var> {
        if !f.variadic {
            return None;
        }
        let ty = self.hir.types.char_ptr.into();
        Some(self.new_temp("...", ty, hir::Storage::Param, span))
    }

    /// A call with converted arguments.
    pub(super) fn push_call(
        &mut self,
        callee: hir::Expr,
        args: Vec<hir::Expr>,
        f: &FnTy,
        span: Span,
    ) -> hir::Expr {
        let rest = (f.variadic && self.function.is_some() && args.len() >= f.params.len())
            .then(|| self.rest(&args[f.params.len()..], span));
        let call = self.push_expr(H::Call { callee, args }, f.ret.ty, span);
        if let Some((block, address)) = rest {
            self.linked.rests.push(Rest {
                call,
                named: f.params.len(),
                block,
                address,
            });
        }
        call
    }

    fn rest(&mut self, args: &[hir::Expr], span: Span) -> (Option<[hir::Expr; 2]>, hir::Expr) {
        let char_ptr = self.hir.types.char_ptr;
        let mut members: Vec<(Ty, u64)> = Vec::new();
        let (mut items, mut offset) = (Vec::new(), 0);
        for (i, value) in args.iter().enumerate() {
            let ty = self.hir.ty(*value);
            members.push((ty, offset));
            offset += self.slots(ty);
            items.push(hir::InitItem {
                path: vec![hir::Step::Field(i as u32)],
                ty: ty.into(),
                value: *value,
            });
        }
        if offset == 0 {
            return (None, self.int_expr(0, char_ptr, span));
        }
        let ty = self.hir.types.anonymous_struct(&members, offset, SLOT);
        let var = self.new_temp("<arguments>", ty.into(), hir::Storage::Local, span);
        let init = hir::Init { zero: false, items };
        let literal = self.push_expr(H::CompoundLit { var, init }, ty, span);
        let pointer = self.hir.types.pointer(ty.into());
        let pointer = self.push_expr(H::AddrOf(literal), pointer, span);
        let address = self.push_expr(H::Cast(pointer), char_ptr, span);
        (Some([literal, pointer]), address)
    }

    /// The bytes that an argument takes.
    fn slots(&self, ty: Ty) -> u64 {
        self.hir
            .types
            .size_of(ty)
            .unwrap_or(0)
            .next_multiple_of(SLOT)
    }

    /// Where a list keeps the address of the next argument.
    fn cursor(&mut self, list: ast::Expr, span: Span) -> Option<hir::Expr> {
        let list = self.expr(list);
        if self.is_error(list) {
            return None;
        }
        let TyKind::Array(tag, _) = *self.hir.types.kind(self.hir.types.va_list) else {
            // A list is the pointer itself.
            return (self.hir.is_lvalue(list) && self.hir.ty(list) == self.hir.types.va_list)
                .then_some(list);
        };
        let pointer = self.load(list);
        let to = self.hir.types.pointee(self.hir.ty(pointer))?;
        if to.ty != tag.ty {
            return None;
        }
        let tag = self.push_expr(H::Deref(pointer), tag, span);
        let field = H::Field {
            base: tag,
            field: OVERFLOW_AREA,
        };
        let void_ptr = self.hir.types.void_ptr;
        Some(self.push_expr(field, void_ptr, span))
    }

    /// `va_arg`: the next argument, as of type `ty`.
    pub(super) fn next_argument(&mut self, list: ast::Expr, ty: Ty, span: Span) -> hir::Expr {
        let Some(cursor) = self.cursor(list, span) else {
            self.error(span, "first argument to 'va_arg' not of type 'va_list'");
            return self.error_expr(span);
        };
        if !self.hir.types.is_complete(ty) {
            self.error(span, "second argument to 'va_arg' is of incomplete type");
            return self.error_expr(span);
        }
        let at = self.hir.ty(cursor);
        let (int, size) = (self.hir.types.int, i128::from(self.slots(ty)));
        let step = self.int_expr(size, int, span);
        let moved = H::AssignPtr {
            lhs: cursor,
            index: step,
            subtract: false,
        };
        let moved = self.push_expr(moved, at, span);
        let back = self.int_expr(size, int, span);
        let before = H::PtrAdd {
            ptr: moved,
            index: back,
            subtract: true,
        };
        let before = self.push_expr(before, at, span);
        let pointer = self.hir.types.pointer(ty.into());
        let pointer = self.convert(before, pointer);
        let place = self.push_expr(H::Deref(pointer), ty, span);
        self.load(place)
    }

    /// `va_start`, `va_copy` and `va_end`.
    pub(super) fn list_builtin(&mut self, text: &str, args: &[ast::Expr], span: Span) -> hir::Expr {
        let (int, void) = (self.hir.types.int, self.hir.types.void);
        let nothing = self.int_expr(0, int, span);
        let effect = match (text, args) {
            ("__builtin_va_start", [list, ..]) => {
                let rest = self.function.as_ref().and_then(|f| f.rest);
                let Some(rest) = rest else {
                    self.error(span, "'va_start' used in function with fixed arguments");
                    return self.error_expr(span);
                };
                let char_ptr = self.hir.types.char_ptr;
                let rest = self.push_expr(H::Var(rest), char_ptr, span);
                let value = self.load(rest);
                self.set_cursor(*list, value, span)
            }
            ("__builtin_va_copy", [to, from]) => match self.cursor(*from, span) {
                Some(from) => {
                    let value = self.load(from);
                    self.set_cursor(*to, value, span)
                }
                None => None,
            },
            ("__builtin_va_end", [list]) => self.cursor(*list, span).map(|_| nothing),
            _ => None,
        };
        match effect {
            Some(effect) => self.push_expr(H::Cast(effect), void, span),
            None => {
                self.error(span, format!("argument to '{text}' not of type 'va_list'"));
                self.error_expr(span)
            }
        }
    }

    fn set_cursor(&mut self, list: ast::Expr, value: hir::Expr, span: Span) -> Option<hir::Expr> {
        let cursor = self.cursor(list, span)?;
        let ty = self.hir.ty(cursor);
        let value = self.convert(value, ty);
        Some(self.push_expr(H::Assign(cursor, value), ty, span))
    }
}

/// Gives calls of functions with a body the struct of further arguments, and takes it from the others.
pub(super) fn resolve(hir: &mut Hir, rests: Vec<Rest>) {
    let mut known = FxHashSet::default();
    for rest in rests {
        known.insert(rest.call);
        let H::Call { callee, .. } = hir.exprs[rest.call].kind else {
            continue;
        };
        if takes_rest(hir, callee) {
            if let H::Call { args, .. } = &mut hir.exprs[rest.call].kind {
                args.truncate(rest.named);
                args.push(rest.address);
            }
        } else if let Some(block) = rest.block {
            for e in block {
                hir.exprs[e].kind = H::Int(0);
            }
        }
    }
    // Calls that were made without a prototype in sight have undefined behaviour.
    let lost: Vec<hir::Expr> = hir
        .exprs
        .iter()
        .filter(|(e, data)| match data.kind {
            H::Call { callee, .. } => {
                let direct = matches!(hir.exprs[callee].kind, H::FuncAddr(_));
                direct && !known.contains(e) && takes_rest(hir, callee)
            }
            _ => false,
        })
        .map(|(e, _)| e)
        .collect();
    for e in lost {
        let why = "a call of a variadic function that is not declared as one";
        hir.exprs[e].kind = H::Unsupported(why.to_owned());
    }
}

/// Whether a function that may be called has a parameter for further arguments.
fn takes_rest(hir: &Hir, callee: hir::Expr) -> bool {
    let variadic = |f: &hir::FuncData| {
        f.body.is_some() && hir.types.function_of(f.ty).is_some_and(|f| f.variadic)
    };
    if let H::FuncAddr(f) = hir.exprs[callee].kind {
        return variadic(&hir.funcs[f]);
    }
    let Some(ty) = hir.types.pointee(hir.ty(callee)) else {
        return false;
    };
    hir.funcs
        .values()
        .any(|f| f.address_taken && variadic(f) && hir.types.callable_as(f.ty, ty.ty))
}
