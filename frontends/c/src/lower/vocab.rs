//! Functions whose name has a meaning: the verification vocabulary and the C library.
//!
//! The vocabulary counts whatever body the program gives it; library functions count only without one.

use super::Lowerer;
use super::cprover::UNINTERPRETED;
use super::jump::{is_longjmp, is_setjmp};
use super::libc_effects::base_name;
use super::libc_names::{self, Known};
use super::math;
use crate::assumptions::Assumption;
use crate::hir::{self, ExprKind as H};
use crate::library::{ANY, APPROXIMATE, ERROR, INCOMPLETE, OBJECT, USES};
use crate::types::{Ty, TyKind};
use trellis_ivl::{Span, Term, Type};

/// Bodiless functions whose arguments a model reads. Sorted.
const MODELLED: &[&str] = &[
    "_Exit",
    "__CPROVER_DYNAMIC_OBJECT",
    "__CPROVER_OBJECT_SIZE",
    "__CPROVER_POINTER_OBJECT",
    "__CPROVER_POINTER_OFFSET",
    "__CPROVER_allocate",
    "__CPROVER_assert",
    "__CPROVER_assume",
    "__CPROVER_havoc_object",
    "__CPROVER_havoc_slice",
    "__CPROVER_postcondition",
    "__CPROVER_precondition",
    "__CPROVER_r_ok",
    "__CPROVER_rw_ok",
    "__CPROVER_same_object",
    "__CPROVER_w_ok",
    "__VERIFIER_assert",
    "__VERIFIER_assume",
    "__VERIFIER_nondet_memory",
    "_exit",
    "abort",
    "abs",
    "alloca",
    "alloca_with_align",
    "alloca_with_align_and_max",
    "assert",
    "assume_abort_if_not",
    "assume_aligned",
    "bzero",
    "calloc",
    "exit",
    "expect",
    "expect_with_probability",
    "free",
    "index",
    "labs",
    "llabs",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "quick_exit",
    "realloc",
    "rindex",
    "stpcpy",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strdup",
    "strlen",
    "strncat",
    "strncmp",
    "strncpy",
    "strnlen",
    "strrchr",
    "trap",
    "unreachable",
    "valloc",
];

/// Families of builtins with a model.
const MODELLED_BUILTINS: &[&str] = &[
    "bitreverse",
    "bswap",
    "clrsb",
    "clz",
    "ctz",
    "parity",
    "popcount",
    "rotate",
];

fn is_modelled(name: &str) -> bool {
    let base = base_name(name);
    MODELLED.binary_search(&base).is_ok()
        || name == USES
        || name == ERROR
        || name.starts_with(APPROXIMATE)
        || math::is_modelled(name)
        || name == OBJECT
        || name.strip_prefix("__builtin_").is_some_and(|b| {
            MODELLED_BUILTINS.iter().any(|f| b.starts_with(f))
                || b.ends_with("_overflow")
                || b.ends_with("_overflow_p")
        })
}

impl Lowerer<'_> {
    /// The meaning of a call by name; `None` when the name has none here.
    pub(super) fn vocabulary(
        &mut self,
        e: hir::Expr,
        f: hir::Func,
        args: &[hir::Expr],
        ret: Ty,
    ) -> Option<Term> {
        let hir = self.hir;
        let data = &hir.funcs[f];
        let name = data.name.as_str();
        let has_body = data.body.is_some();
        match name {
            "reach_error" | "__VERIFIER_error" => {
                if self.props.unreach_call {
                    for arg in args.iter().rev() {
                        self.effect(*arg);
                    }
                    self.error_here("unreach-call");
                } else if has_body {
                    return None;
                } else {
                    self.end_abruptly();
                }
                return Some(self.zero(ret));
            }
            // The strings of a failed assertion are for people.
            "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" if !has_body => {
                if self.props.unreach_call {
                    self.error_here("unreach-call")
                } else {
                    self.end_abruptly()
                }
                return Some(self.zero(ret));
            }
            _ if self.is_nondet(name, args.iter().map(|a| hir.ty(*a))) => {
                for arg in args.iter().rev() {
                    self.effect(*arg);
                }
                return Some(self.any_value(ret, &format!("{name}()")));
            }
            _ if has_body => return None,
            _ if name.starts_with(ANY) => {
                return Some(self.any_value(ret, "what the C library answers"));
            }
            _ => {}
        }
        if is_setjmp(name) && !args.is_empty() {
            return Some(self.setjmp(e, args, ret));
        }
        if is_longjmp(name) && args.len() == 2 {
            self.longjmp(e, args);
            return Some(self.zero(ret));
        }
        if name.starts_with(UNINTERPRETED) {
            let values = self.arguments(args);
            return Some(self.uninterpreted(name, &values, ret));
        }
        if matches!(
            name,
            "__CPROVER_array_copy" | "__CPROVER_array_replace" | "__CPROVER_array_set"
        ) && args.len() == 2
        {
            self.array_operation(e, name, args);
            return Some(self.zero(ret));
        }
        if let (INCOMPLETE, [reason]) = (name, args) {
            let reason = self.literal(*reason).map(|text| self.string_bytes(text));
            let reason = reason.unwrap_or_default();
            let reason = String::from_utf8_lossy(&reason);
            self.incomplete(reason.trim_end_matches('\0'));
            return Some(self.zero(ret));
        }
        if let ("__builtin_object_size" | "__builtin_dynamic_object_size", [object, kind]) =
            (name, args)
        {
            return Some(self.object_size(*object, *kind, ret));
        }
        if name == "__CPROVER_havoc_object"
            && let [arg] = args
            && self.havoc_named_object(*arg)
        {
            return Some(self.zero(ret));
        }
        if !is_modelled(name) {
            if let Some(stream) = self.library_accesses(e, f, args, ret) {
                return Some(stream);
            }
            let writes = self.prints_and_writes(f, args);
            return Some(self.unmodelled(f, ret, writes));
        }
        let values = self.arguments(args);
        self.classify_call(e, args);
        self.vocabulary_values(f, &values, ret)
            .or_else(|| Some(self.unmodelled(f, ret, true)))
    }

    /// Whether a call does nothing but return any value: it gets no pointer to write through.
    fn is_nondet(&self, name: &str, mut args: impl Iterator<Item = Ty>) -> bool {
        name.starts_with("__VERIFIER_nondet_") && !args.any(|ty| self.hir.types.is_pointer(ty))
    }

    /// What is known of a function without body and model.
    fn known(&self, f: hir::Func) -> Known {
        let data = &self.hir.funcs[f];
        let system = self.sources.in_system_header(data.span.lo);
        let shape = self.shape_of_function(data.ty);
        libc_names::of(&data.name, system, shape.as_deref())
    }

    /// The shapes of a function's types in the letters of [`libc_names`].
    fn shape_of_function(&self, ty: Ty) -> Option<String> {
        let types = &self.hir.types;
        let letter = |ty: Ty| match types.kind(ty) {
            TyKind::Void => 'v',
            TyKind::Pointer(_) => 'p',
            TyKind::Record(_) => 's',
            TyKind::Float(_) | TyKind::Complex(_) => 'f',
            _ => 'i',
        };
        let f = types.function_of(ty).filter(|f| f.prototype)?;
        let params = f.params.iter().map(|p| letter(p.ty));
        let end = f.variadic.then_some('.');
        Some(
            std::iter::once(letter(f.ret.ty))
                .chain(params)
                .chain(end)
                .collect(),
        )
    }

    /// Whether a call that prints also writes: by `%n`, or by a format that is not known.
    fn prints_and_writes(&self, f: hir::Func, args: &[hir::Expr]) -> bool {
        let hir = self.hir;
        let Known::Prints(at) = self.known(f) else {
            return false;
        };
        let values = args.get(at + 1..).unwrap_or_default();
        if !values.iter().any(|a| hir.types.is_pointer(hir.ty(*a))) {
            return false;
        }
        let mut format = args[at];
        while let H::Cast(inner) | H::Decay(inner) = hir.exprs[format].kind {
            format = inner;
        }
        let H::Str(text) = hir.exprs[format].kind else {
            return true;
        };
        writes_by_format(&hir.strings[text].units)
    }

    /// A function without body or model: any value, unless its name is known for doing more.
    /// `writes`: it is a function that prints and this call of it may write.
    fn unmodelled(&mut self, f: hir::Func, ret: Ty, writes: bool) -> Term {
        let hir = self.hir;
        let data = &hir.funcs[f];
        let name = data.name.as_str();
        let known = self.known(f);
        // A model that does not fit the arguments is none.
        let refused = is_modelled(name)
            || known == Known::Refused
            || (writes && matches!(known, Known::Prints(_)));
        if refused {
            self.incomplete(&format!("a call of '{name}'"));
        } else if let Some(odd) = &data.odd {
            self.incomplete(&format!("function '{name}' with {odd}"));
        }
        if !self.live() {
            return self.zero(ret);
        }
        match known {
            Known::Reserved => {
                self.grant_or_give_up(Assumption::ReservedFunctionsChangeNothing, name);
                return self.extern_call(f, ret);
            }
            Known::Foreign => return self.extern_call(f, ret),
            Known::Ends => {
                self.end_abruptly();
                return self.zero(ret);
            }
            _ => self.set_errno(),
        }
        if data.noreturn {
            self.end_abruptly();
            return self.zero(ret);
        }
        let value = self.any_value(ret, &format!("{name}()"));
        if !hir.types.is_scalar(ret) {
            return value;
        }
        let bits = self.bits(ret);
        let within = |this: &mut Self, low: i128, high: i128| {
            let (low, high) = (this.constant(bits, low), this.constant(bits, high));
            let above = this.p.pool.bvsle(low, value);
            let below = this.p.pool.bvsle(value, high);
            let both = this.p.pool.and(above, below);
            this.assume(both);
            value
        };
        match known {
            Known::NotNegative => within(self, 0, i32::MAX.into()),
            Known::Byte if bits > 9 => within(self, -1, 255),
            Known::Status if bits > 1 => within(self, -1, 0),
            Known::Points => self.library_pointer(value),
            _ => value,
        }
    }

    /// A library function may leave any error code behind.
    pub(super) fn set_errno(&mut self) {
        let Some(errno) = self.errno else { return };
        let int = self.hir.types.int;
        let any = self.temp(Type::Bv(self.bits(int)));
        self.havoc(any, "errno");
        let value = self.p.pool.var(any);
        let checks = std::mem::replace(&mut self.props.valid_deref, false);
        let place = self.var_place(errno);
        self.store_place(&place, int, value);
        self.props.valid_deref = checks;
    }

    /// Null, or a pointer to memory of the library, which no object of the program shares.
    fn library_pointer(&mut self, any: Term) -> Term {
        let bytes = 1u64 << (self.mem.slot_bits - 2);
        let base = match self.library_memory {
            Some(base) => base,
            None => {
                let base = self.static_slot("&library", bytes, false, Span::NONE);
                self.library_memory = Some(base);
                base
            }
        };
        let any = self.resize(any, self.ptr, false);
        let none = self.ptr_const(0);
        let null = self.p.pool.eq(any, none);
        let mask = self.ptr_const(bytes - 1);
        let offset = self.p.pool.bvand(any, mask);
        let base = self.p.pool.var(base);
        let pointer = self.p.pool.bvadd(base, offset);
        self.p.pool.ite(null, none, pointer)
    }

    /// `__builtin_object_size`: what gcc knows without optimisation.
    fn object_size(&mut self, mut object: hir::Expr, kind: hir::Expr, ret: Ty) -> Term {
        let hir = self.hir;
        let least = matches!(hir.exprs[kind].kind, H::Int(2 | 3));
        while let H::Cast(inner) = hir.exprs[object].kind {
            object = inner;
        }
        let size = match hir.exprs[object].kind {
            H::AddrOf(place) | H::Decay(place) => match hir.exprs[place].kind {
                H::Var(v) => hir.types.size_of(hir.vars[v].ty.ty),
                H::Str(_) => hir.types.size_of(hir.ty(place)),
                // A part of an object: gcc may or may not know.
                _ => return self.any_value(ret, "object size"),
            },
            _ => Some(if least { 0 } else { u64::MAX }),
        };
        let bits = self.bits(ret);
        match size {
            Some(size) => self.p.pool.num(bits, size),
            None => self.any_value(ret, "object size"),
        }
    }

    /// The meaning of a bodiless function by name, with evaluated arguments.
    pub(super) fn vocabulary_values(
        &mut self,
        f: hir::Func,
        args: &[(Term, Ty)],
        ret: Ty,
    ) -> Option<Term> {
        let hir = self.hir;
        let data = &hir.funcs[f];
        let name = data.name.as_str();
        if data.body.is_some() {
            return None;
        }
        match (name, args) {
            ("__VERIFIER_assume" | "__CPROVER_assume" | "assume_abort_if_not", [(c, ty)]) => {
                let c = self.nonzero(*c, *ty);
                self.assume(c);
                return Some(self.zero(ret));
            }
            (
                "__VERIFIER_assert"
                | "__CPROVER_assert"
                | "__CPROVER_precondition"
                | "__CPROVER_postcondition"
                | "assert",
                [(c, ty), ..],
            ) => {
                let ok = self.nonzero(*c, *ty);
                if self.props.unreach_call {
                    self.check(ok, "unreach-call");
                } else if self.props.termination && !name.starts_with("__CPROVER_") {
                    // A failed assertion does not return.
                    self.assume(ok);
                }
                return Some(self.zero(ret));
            }
            ("exit" | "__builtin_exit", _) => {
                self.end_of_program(false);
                self.stop();
                return Some(self.zero(ret));
            }
            ("__builtin_unreachable", _) => {
                if self.props.unreach_call {
                    self.error_here("unreach-call");
                }
                self.stop();
                return Some(self.zero(ret));
            }
            ("quick_exit", _) => {
                self.run_quick_handlers();
                self.end_abruptly();
                return Some(self.zero(ret));
            }
            ("abort" | "_exit" | "_Exit" | "__builtin_abort" | "__builtin_trap", _) => {
                self.end_abruptly();
                return Some(self.zero(ret));
            }
            ("__builtin_expect" | "__builtin_expect_with_probability", [(value, _), ..]) => {
                return Some(*value);
            }
            ("__builtin_assume_aligned", [(value, _), ..]) => return Some(*value),
            _ => {}
        }
        if self.is_nondet(name, args.iter().map(|a| a.1)) {
            return Some(self.any_value(ret, &format!("{name}()")));
        }
        if name.starts_with(ANY) {
            return Some(self.any_value(ret, "what the C library answers"));
        }
        if name.starts_with(APPROXIMATE) {
            return Some(self.approximate_value(ret));
        }
        if let (ERROR, [(code, _)]) = (name, args) {
            self.set_error_code(*code);
            return Some(self.zero(ret));
        }
        if let (USES, [(object, _)]) = (name, args) {
            self.check_access(*object, 1);
            return Some(self.zero(ret));
        }
        if let (OBJECT, [(size, _)]) = (name, args) {
            let base = self.temp(Type::Bv(self.ptr));
            let size = self.save(*size);
            self.allocate(base, size, false);
            let base = self.p.pool.var(base);
            self.mark_block_set(base, size);
            return Some(base);
        }
        if let Some(value) = self.library(name, args, ret) {
            return Some(value);
        }
        // The format is not known here.
        Some(self.unmodelled(f, ret, true))
    }

    /// A result of the library of which the model that asks for it says only bounds. An error of a run with such a value may
    /// be none of the program.
    fn approximate_value(&mut self, ret: Ty) -> Term {
        if self.props.termination {
            // An execution that runs for ever by a value that the function never has is none.
            self.incomplete("a call of whose result only bounds are known");
        }
        let function = self.f.func.map(|f| self.hir.funcs[f].name.as_str());
        let name = function.unwrap_or("a function").to_owned();
        self.grant_or_give_up(Assumption::LibmBounds, &name);
        if let Some(flag) = self.approximate {
            let tru = self.p.pool.tru();
            self.assign(flag, tru);
        }
        self.any_value(ret, &format!("{name}()"))
    }
}

/// Whether a format has a conversion that writes.
fn writes_by_format(units: &[u32]) -> bool {
    let mut rest = units.iter().filter_map(|u| char::from_u32(*u));
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        // Flags, widths, positions and lengths stand before the letter.
        match rest.find(|c| {
            !matches!(
                c,
                '0'..='9'
                    | ' '
                    | '#'
                    | '+'
                    | '-'
                    | '.'
                    | '*'
                    | '$'
                    | '\''
                    | 'I'
                    | 'h'
                    | 'l'
                    | 'L'
                    | 'q'
                    | 'j'
                    | 'z'
                    | 't'
            )
        }) {
            Some('n') => return true,
            Some(_) => {}
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_sorted() {
        assert!(super::MODELLED.is_sorted());
    }
}
