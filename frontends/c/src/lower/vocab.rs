//! Functions whose name has a meaning: the verification vocabulary and the C library.
//!
//! The vocabulary counts whatever body the program gives it; library functions count only without one.

use super::Lowerer;
use super::escape::holds_pointer;
use super::libc_effects::base_name;
use crate::hir;
use crate::types::Ty;
use trellis_ivl::Term;

/// Library functions that write through their arguments, call back or jump: not modelled.
const NOT_MODELLED: &[&str] = &[
    "accept",
    "aligned_alloc",
    "asprintf",
    "at_quick_exit",
    "atexit",
    "bsearch",
    "clock_gettime",
    "ecvt",
    "fcvt",
    "fgets",
    "fork",
    "fread",
    "frexp",
    "fscanf",
    "fstat",
    "ftw",
    "getaddrinfo",
    "getcwd",
    "getdelim",
    "getentropy",
    "getgroups",
    "gethostname",
    "getitimer",
    "getline",
    "getlogin_r",
    "getopt",
    "getopt_long",
    "getpeername",
    "getrandom",
    "getrlimit",
    "getrusage",
    "gets",
    "getsockname",
    "getsockopt",
    "gettimeofday",
    "gmtime_r",
    "lfind",
    "localtime_r",
    "longjmp",
    "lsearch",
    "lstat",
    "mbrtowc",
    "mbstowcs",
    "mbtowc",
    "memalign",
    "memccpy",
    "memmem",
    "memrchr",
    "nanosleep",
    "obstack_free",
    "on_exit",
    "pipe",
    "poll",
    "posix_memalign",
    "pread",
    "ptsname_r",
    "qsort",
    "qsort_r",
    "raise",
    "rawmemchr",
    "read",
    "readdir_r",
    "readlink",
    "readv",
    "reallocarray",
    "recv",
    "recvfrom",
    "recvmsg",
    "scanf",
    "select",
    "setitimer",
    "setjmp",
    "sigaction",
    "siglongjmp",
    "signal",
    "sigprocmask",
    "sigsetjmp",
    "sigwait",
    "snprintf",
    "socketpair",
    "sprintf",
    "sscanf",
    "stat",
    "strcasecmp",
    "strcasestr",
    "strcspn",
    "strerror_r",
    "strftime",
    "strlcat",
    "strlcpy",
    "strncasecmp",
    "strndup",
    "strpbrk",
    "strsep",
    "strspn",
    "strstr",
    "strtod",
    "strtof",
    "strtoimax",
    "strtok",
    "strtok_r",
    "strtol",
    "strtold",
    "strtoll",
    "strtoul",
    "strtoull",
    "strtoumax",
    "strverscmp",
    "strxfrm",
    "swab",
    "swprintf",
    "times",
    "tsearch",
    "uname",
    "vasprintf",
    "vfork",
    "vfscanf",
    "vscanf",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
    "vswprintf",
    "wait",
    "waitpid",
    "wcscat",
    "wcscmp",
    "wcscpy",
    "wcslen",
    "wcsncpy",
    "wcstombs",
    "wctomb",
    "wmemcpy",
    "wmemmove",
    "wmemset",
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
    "atof", "atoi", "atol", "atoll", "div", "ffs", "ffsl", "ffsll", "imaxabs", "isalnum",
    "isalpha", "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "isupper", "isxdigit", "ldiv", "lldiv", "strcoll", "toascii", "tolower",
    "toupper",
];

/// Functions that return any number from 0 up to `RAND_MAX`.
const NOT_NEGATIVE: &[&str] = &["rand", "rand_r", "random"];

/// Builtins that only inform people or the hardware.
const HARMLESS_BUILTINS: &[&str] = &["printf", "puts", "putchar", "prefetch"];

/// Bodiless functions whose arguments a model reads. Sorted.
const MODELLED: &[&str] = &[
    "_Exit",
    "__CPROVER_assert",
    "__CPROVER_assume",
    "__VERIFIER_assert",
    "__VERIFIER_assume",
    "__VERIFIER_nondet_memory",
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
    MODELLED.binary_search(&base_name(name)).is_ok()
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

    /// Whether a call does nothing but return any value: it gets no pointer to write through.
    fn is_nondet(&self, name: &str, mut args: impl Iterator<Item = Ty>) -> bool {
        name.starts_with("__VERIFIER_nondet_") && !args.any(|ty| self.hir.types.is_pointer(ty))
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
        // A model that does not fit the arguments is none.
        let refused = is_modelled(name)
            || name.starts_with("__VERIFIER_nondet_")
            || builtin.is_some_and(|b| !HARMLESS_BUILTINS.contains(&b))
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
        let value = self.extern_call(f, ret);
        if !NOT_NEGATIVE.contains(&base) || !hir.types.is_integer(ret) {
            return value;
        }
        let most = self.constant(self.bits(ret), i32::MAX.into());
        self.p.pool.bvand(value, most)
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
                self.end_abruptly();
                return Some(self.zero(ret));
            }
            ("__builtin_expect", [(value, _), ..]) => return Some(*value),
            ("__builtin_assume_aligned", [(value, _), ..]) => return Some(*value),
            _ => {}
        }
        if self.is_nondet(name, args.iter().map(|a| a.1)) {
            return Some(self.any_value(ret, &format!("{name}()")));
        }
        if let Some(value) = self.library(name, args, ret) {
            return Some(value);
        }
        Some(self.unmodelled(f, ret))
    }

    /// The program ends without return from main. What is not freed then is never freed; but what is
    /// still tracked cannot be told.
    pub(super) fn end_abruptly(&mut self) {
        if let (Some(count), true) = (self.mem.count, self.props.valid_memcleanup) {
            let (count, zero) = (self.p.pool.var(count), self.ptr_const(0));
            let none = self.p.pool.eq(count, zero);
            self.check(none, "valid-memcleanup");
        }
        self.stop();
    }

    /// Leaks are judged when the program ends: by return from main, or by `exit`.
    pub(super) fn end_of_program(&mut self, returns: bool) {
        self.run_destructors(returns);
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

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_sorted() {
        assert!(super::MODELLED.is_sorted());
    }
}
