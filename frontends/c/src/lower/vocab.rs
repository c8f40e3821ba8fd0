//! Functions whose name has a meaning: the verification vocabulary and the C library.
//!
//! The vocabulary counts whatever body the program gives it; library functions count only without one.

use super::Lowerer;
use crate::hir;
use crate::types::Ty;
use trellis_ivl::Term;

/// Library functions that write through their arguments, call back or jump: not modelled.
const NOT_MODELLED: &[&str] = &[
    "asprintf",
    "atexit",
    "bsearch",
    "fgets",
    "fread",
    "fscanf",
    "getcwd",
    "getline",
    "gets",
    "gmtime_r",
    "localtime_r",
    "longjmp",
    "mbstowcs",
    "memccpy",
    "qsort",
    "raise",
    "read",
    "recv",
    "scanf",
    "setjmp",
    "sigaction",
    "siglongjmp",
    "signal",
    "sigsetjmp",
    "snprintf",
    "sprintf",
    "sscanf",
    "strcasecmp",
    "strcspn",
    "strerror_r",
    "strftime",
    "strpbrk",
    "strsep",
    "strspn",
    "strstr",
    "strtod",
    "strtok",
    "strtok_r",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "vasprintf",
    "vfscanf",
    "vscanf",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
    "wcstombs",
];

/// Prefixes of families that are not modelled.
const NOT_MODELLED_PREFIXES: &[&str] = &[
    "pthread_",
    "__sync_",
    "__atomic_",
    "thrd_",
    "mtx_",
    "sem_",
    "_setjmp",
    "__sigsetjmp",
];

/// Functions of `math.h` (also with suffix f or l) and the helpers behind its macros. They have exact
/// meanings that "any value" would miss.
const MATH: &[&str] = &[
    "__finite",
    "__fpclassify",
    "__isinf",
    "__isnan",
    "__signbit",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "drem",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "finite",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "gamma",
    "hypot",
    "ilogb",
    "isinf",
    "isnan",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "modf",
    "nan",
    "nearbyint",
    "nextafter",
    "nexttoward",
    "pow",
    "remainder",
    "remquo",
    "rint",
    "round",
    "scalbln",
    "scalbn",
    "significand",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

fn is_math(name: &str) -> bool {
    let plain = name.strip_suffix(['f', 'l']).unwrap_or(name);
    MATH.contains(&name) || MATH.contains(&plain)
}

/// Other library functions with exact results and no model.
const EXACT: &[&str] = &[
    "atof", "atoi", "atol", "atoll", "div", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit",
    "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "ldiv",
    "strcoll", "tolower", "toupper",
];

/// Builtins that only inform people or the hardware.
const HARMLESS_BUILTINS: &[&str] = &["printf", "puts", "putchar", "prefetch"];

/// Bodiless functions whose arguments a model reads. Sorted.
const MODELLED: &[&str] = &[
    "_Exit",
    "__CPROVER_assert",
    "__CPROVER_assume",
    "__VERIFIER_assert",
    "__VERIFIER_assume",
    "_exit",
    "abort",
    "abs",
    "add_overflow",
    "alloca",
    "assume_abort_if_not",
    "assume_aligned",
    "bswap16",
    "bswap32",
    "bswap64",
    "bzero",
    "calloc",
    "clz",
    "clzl",
    "clzll",
    "ctz",
    "ctzl",
    "ctzll",
    "exit",
    "expect",
    "ffs",
    "ffsl",
    "ffsll",
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
    "mul_overflow",
    "object_size",
    "parity",
    "parityl",
    "parityll",
    "popcount",
    "popcountl",
    "popcountll",
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
    "sub_overflow",
    "trap",
    "unreachable",
    "valloc",
];

fn is_modelled(name: &str) -> bool {
    let base = name.strip_prefix("__builtin_").unwrap_or(name);
    let base = base.strip_suffix("_chk").map_or(base, |b| {
        if name == base {
            b.trim_start_matches('_')
        } else {
            b
        }
    });
    MODELLED.binary_search(&base).is_ok()
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
                    self.stop();
                }
                return Some(self.zero(ret));
            }
            // The strings of a failed assertion are for people.
            "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" if !has_body => {
                if self.props.unreach_call {
                    self.error_here("unreach-call")
                } else {
                    self.stop()
                }
                return Some(self.zero(ret));
            }
            _ if name.starts_with("__VERIFIER_nondet_") => {
                let name = format!("{name}()");
                return Some(self.any_value(ret, &name));
            }
            _ if has_body => return None,
            _ => {}
        }
        if !is_modelled(name) {
            // Nothing looks at the arguments, so that strings in them need no memory.
            for arg in args.iter().rev() {
                self.effect(*arg);
            }
            return Some(self.unmodelled(f, ret));
        }
        let values = self.arguments(args);
        self.classify_call(e, args);
        self.vocabulary_values(f, &values, ret)
            .or_else(|| Some(self.unmodelled(f, ret)))
    }

    /// A function without body or model: any value, unless its name is known for doing more.
    fn unmodelled(&mut self, f: hir::Func, ret: Ty) -> Term {
        let hir = self.hir;
        let data = &hir.funcs[f];
        let name = data.name.as_str();
        let builtin = name.strip_prefix("__builtin_");
        let base = builtin.unwrap_or(name);
        let base = base
            .strip_prefix("__isoc99_")
            .or(base.strip_prefix("__isoc23_"))
            .unwrap_or(base);
        let refused = builtin.is_some_and(|b| !HARMLESS_BUILTINS.contains(&b))
            || NOT_MODELLED.contains(&base)
            || EXACT.contains(&base)
            || is_math(base)
            || NOT_MODELLED_PREFIXES.iter().any(|p| name.starts_with(p));
        if refused {
            self.incomplete(&format!("a call of '{name}'"));
        } else if let Some(odd) = &data.odd {
            self.incomplete(&format!("function '{name}' with {odd}"));
        }
        if !self.live() {
            return self.zero(ret);
        }
        self.extern_call(f, ret)
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
            ("__VERIFIER_assert" | "__CPROVER_assert", [(c, ty), ..]) => {
                let ok = self.nonzero(*c, *ty);
                if self.props.unreach_call {
                    self.check(ok, "unreach-call");
                }
                return Some(self.zero(ret));
            }
            ("exit" | "__builtin_exit", _) => {
                self.end_of_program(false);
                self.stop();
                return Some(self.zero(ret));
            }
            (
                "abort"
                | "_exit"
                | "_Exit"
                | "quick_exit"
                | "__builtin_abort"
                | "__builtin_trap"
                | "__builtin_unreachable",
                _,
            ) => {
                self.stop();
                return Some(self.zero(ret));
            }
            ("__builtin_expect", [(value, _), ..]) => return Some(*value),
            ("__builtin_assume_aligned", [(value, _), ..]) => return Some(*value),
            _ => {}
        }
        if name.starts_with("__VERIFIER_nondet_") {
            return Some(self.any_value(ret, &format!("{name}()")));
        }
        if let Some(value) = self.library(name, args, ret) {
            return Some(value);
        }
        Some(self.unmodelled(f, ret))
    }

    /// Leaks are judged when the program ends: by return from main, or by `exit`.
    pub(super) fn end_of_program(&mut self, returns: bool) {
        let Some(count) = self.mem.count else { return };
        let count = self.p.pool.var(count);
        let zero = self.ptr_const(0);
        let none = self.p.pool.eq(count, zero);
        if self.props.valid_memcleanup {
            self.check(none, "valid-memcleanup");
        }
        if self.props.valid_memtrack {
            if returns && !self.has_static_pointers() {
                self.check(none, "valid-memtrack");
            } else {
                self.require(
                    none,
                    "heap objects that variables may still track at the end of the program",
                );
            }
        }
    }

    /// Whether some object that outlives `main` could hold an address.
    fn has_static_pointers(&self) -> bool {
        self.hir.vars.iter().any(|(v, data)| {
            matches!(data.storage, hir::Storage::Global | hir::Storage::Static)
                && self.objects[v].is_some()
                && holds_pointer(&self.hir.types, data.ty.ty)
        })
    }
}

fn holds_pointer(types: &crate::types::Types, ty: Ty) -> bool {
    use crate::types::TyKind;
    match types.kind(ty) {
        TyKind::Pointer(to) => !types.is_function(to.ty),
        TyKind::Array(elem, _) => holds_pointer(types, elem.ty),
        TyKind::Record(r) => types.records[*r]
            .fields
            .iter()
            .any(|f| holds_pointer(types, f.ty.ty)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_sorted() {
        assert!(super::MODELLED.is_sorted());
    }
}
