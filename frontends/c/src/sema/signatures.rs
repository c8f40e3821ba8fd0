//! The types that gcc's builtin functions have, and the functions of the C library that gcc knows.
//!
//! A signature is the result's type followed by those of the parameters: v void, b _Bool, c char,
//! h unsigned short, i int, m intmax_t, u unsigned, l long, U unsigned long, L long long, X unsigned long long,
//! w unsigned __int128, z size_t, t ssize_t, y unsigned char, p void*, s char*, d double, f float,
//! D long double, V va_list, `*` before a type for a pointer to it, `.` for variadic.

/// Builtins that exist only with the prefix `__builtin_`. Sorted.
const BUILTINS: &[(&str, &str)] = &[
    ("FILE", "s"),
    ("FUNCTION", "s"),
    ("LINE", "i"),
    ("__clear_cache", "vpp"),
    ("alloca_with_align", "pzz"),
    ("alloca_with_align_and_max", "pzzz"),
    ("assume_aligned", "ppz."),
    ("bitreverse16", "hh"),
    ("bitreverse32", "uu"),
    ("bitreverse64", "XX"),
    ("bitreverse8", "yy"),
    ("bswap128", "ww"),
    ("bswap16", "hh"),
    ("bswap32", "uu"),
    ("bswap64", "XX"),
    ("clrsb", "ii"),
    ("clrsbl", "il"),
    ("clrsbll", "iL"),
    ("clz", "iu"),
    ("clzl", "iU"),
    ("clzll", "iX"),
    ("ctz", "iu"),
    ("ctzl", "iU"),
    ("ctzll", "iX"),
    ("dynamic_object_size", "zpi"),
    ("expect", "lll"),
    ("expect_with_probability", "llld"),
    ("extract_return_addr", "pp"),
    ("frame_address", "pu"),
    ("frob_return_addr", "pp"),
    ("huge_val", "d"),
    ("huge_valf", "f"),
    ("huge_vall", "D"),
    ("inf", "d"),
    ("inff", "f"),
    ("infl", "D"),
    ("longjmp", "vpi"),
    ("nans", "ds"),
    ("nansf", "fs"),
    ("object_size", "zpi"),
    ("parity", "iu"),
    ("parityl", "iU"),
    ("parityll", "iX"),
    ("popcount", "iu"),
    ("popcountl", "iU"),
    ("popcountll", "iX"),
    ("prefetch", "vp."),
    ("return_address", "pu"),
    ("rotateleft16", "hhh"),
    ("rotateleft32", "uuu"),
    ("rotateleft64", "XXX"),
    ("rotateleft8", "yyy"),
    ("rotateright16", "hhh"),
    ("rotateright32", "uuu"),
    ("rotateright64", "XXX"),
    ("rotateright8", "yyy"),
    ("sadd_overflow", "bii*i"),
    ("saddl_overflow", "bll*l"),
    ("saddll_overflow", "bLL*L"),
    ("setjmp", "ip"),
    ("smul_overflow", "bii*i"),
    ("smull_overflow", "bll*l"),
    ("smulll_overflow", "bLL*L"),
    ("ssub_overflow", "bii*i"),
    ("ssubl_overflow", "bll*l"),
    ("ssubll_overflow", "bLL*L"),
    ("trap", "v"),
    ("uadd_overflow", "buu*u"),
    ("uaddl_overflow", "bUU*U"),
    ("uaddll_overflow", "bXX*X"),
    ("umul_overflow", "buu*u"),
    ("umull_overflow", "bUU*U"),
    ("umulll_overflow", "bXX*X"),
    ("unreachable", "v"),
    ("unwind_init", "v"),
    ("usub_overflow", "buu*u"),
    ("usubl_overflow", "bUU*U"),
    ("usubll_overflow", "bXX*X"),
];

/// Functions of the C library whose types gcc knows, with and without the prefix. Sorted.
const LIBRARY: &[(&str, &str)] = &[
    ("_Exit", "vi"),
    ("_exit", "vi"),
    ("abort", "v"),
    ("abs", "ii"),
    ("aligned_alloc", "pzz"),
    ("alloca", "pz"),
    ("bcmp", "ippz"),
    ("bcopy", "vppz"),
    ("bzero", "vpz"),
    ("calloc", "pzz"),
    ("execl", "iss."),
    ("execlp", "iss."),
    ("execv", "is*s"),
    ("exit", "vi"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "iL"),
    ("fork", "i"),
    ("fprintf", "ips."),
    ("fputc", "iip"),
    ("fputs", "isp"),
    ("free", "vp"),
    ("fscanf", "ips."),
    ("fwrite", "zpzzp"),
    ("imaxabs", "mm"),
    ("index", "ssi"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isascii", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isgraph", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("malloc", "pz"),
    ("memchr", "ppiz"),
    ("memcmp", "ippz"),
    ("memcpy", "pppz"),
    ("memmove", "pppz"),
    ("mempcpy", "pppz"),
    ("memset", "ppiz"),
    ("posix_memalign", "i*pzz"),
    ("printf", "is."),
    ("putc", "iip"),
    ("putchar", "ii"),
    ("puts", "is"),
    ("realloc", "ppz"),
    ("rindex", "ssi"),
    ("scanf", "is."),
    ("snprintf", "iszs."),
    ("sprintf", "iss."),
    ("sscanf", "iss."),
    ("stpcpy", "sss"),
    ("stpncpy", "sssz"),
    ("strcasecmp", "iss"),
    ("strcat", "sss"),
    ("strchr", "ssi"),
    ("strcmp", "iss"),
    ("strcpy", "sss"),
    ("strcspn", "zss"),
    ("strdup", "ss"),
    ("strlen", "zs"),
    ("strncasecmp", "issz"),
    ("strncat", "sssz"),
    ("strncmp", "issz"),
    ("strncpy", "sssz"),
    ("strndup", "ssz"),
    ("strnlen", "zsz"),
    ("strpbrk", "sss"),
    ("strrchr", "ssi"),
    ("strspn", "zss"),
    ("strstr", "sss"),
    ("toascii", "ii"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("vfprintf", "ipsV"),
    ("vfscanf", "ipsV"),
    ("vprintf", "isV"),
    ("vscanf", "isV"),
    ("vsnprintf", "iszsV"),
    ("vsprintf", "issV"),
    ("vsscanf", "issV"),
];

/// Functions of `math.h` on doubles, each also with suffix f and l for the other types. Sorted.
const MATH: &[(&str, &str)] = &[
    ("acos", "dd"),
    ("acosh", "dd"),
    ("asin", "dd"),
    ("asinh", "dd"),
    ("atan", "dd"),
    ("atan2", "ddd"),
    ("atanh", "dd"),
    ("cbrt", "dd"),
    ("ceil", "dd"),
    ("copysign", "ddd"),
    ("cos", "dd"),
    ("cosh", "dd"),
    ("drem", "ddd"),
    ("erf", "dd"),
    ("erfc", "dd"),
    ("exp", "dd"),
    ("exp10", "dd"),
    ("exp2", "dd"),
    ("expm1", "dd"),
    ("fabs", "dd"),
    ("fdim", "ddd"),
    ("floor", "dd"),
    ("fma", "dddd"),
    ("fmax", "ddd"),
    ("fmin", "ddd"),
    ("fmod", "ddd"),
    ("frexp", "dd*i"),
    ("hypot", "ddd"),
    ("ilogb", "id"),
    ("ldexp", "ddi"),
    ("lgamma", "dd"),
    ("llrint", "Ld"),
    ("llround", "Ld"),
    ("log", "dd"),
    ("log10", "dd"),
    ("log1p", "dd"),
    ("log2", "dd"),
    ("logb", "dd"),
    ("lrint", "ld"),
    ("lround", "ld"),
    ("modf", "dd*d"),
    ("nan", "ds"),
    ("nearbyint", "dd"),
    ("nextafter", "ddd"),
    ("nexttoward", "ddD"),
    ("pow", "ddd"),
    ("remainder", "ddd"),
    ("remquo", "ddd*i"),
    ("rint", "dd"),
    ("round", "dd"),
    ("roundeven", "dd"),
    ("scalbln", "ddl"),
    ("scalbn", "ddi"),
    ("sin", "dd"),
    ("sincos", "vd*d*d"),
    ("sinh", "dd"),
    ("sqrt", "dd"),
    ("tan", "dd"),
    ("tanh", "dd"),
    ("tgamma", "dd"),
    ("trunc", "dd"),
];

/// The fortified variants whose parameters are not those of the plain function and a size. Sorted.
const FORTIFIED: &[(&str, &str)] = &[
    ("fprintf", "ipis."),
    ("printf", "iis."),
    ("snprintf", "iszizs."),
    ("sprintf", "isizs."),
    ("vfprintf", "ipisV"),
    ("vprintf", "iisV"),
    ("vsnprintf", "iszizsV"),
    ("vsprintf", "isizsV"),
];

/// What CBMC declares. Sorted.
const CPROVER: &[(&str, &str)] = &[
    ("__CPROVER_DYNAMIC_OBJECT", "bp"),
    ("__CPROVER_LIVE_OBJECT", "bp"),
    ("__CPROVER_OBJECT_SIZE", "zp"),
    ("__CPROVER_POINTER_OBJECT", "zp"),
    ("__CPROVER_POINTER_OFFSET", "tp"),
    ("__CPROVER_WRITEABLE_OBJECT", "bp"),
    ("__CPROVER_allocate", "pzb"),
    ("__CPROVER_array_copy", "vpp"),
    ("__CPROVER_array_replace", "vpp"),
    ("__CPROVER_array_set", "vp."),
    ("__CPROVER_assert", "vbs"),
    ("__CPROVER_assume", "vb"),
    ("__CPROVER_fabs", "dd"),
    ("__CPROVER_fabsf", "ff"),
    ("__CPROVER_fabsl", "DD"),
    ("__CPROVER_havoc_object", "vp"),
    ("__CPROVER_havoc_slice", "vpz"),
    ("__CPROVER_isfinited", "bd"),
    ("__CPROVER_isfinitef", "bf"),
    ("__CPROVER_isfiniteld", "bD"),
    ("__CPROVER_isinfd", "bd"),
    ("__CPROVER_isinff", "bf"),
    ("__CPROVER_isinfld", "bD"),
    ("__CPROVER_isnand", "bd"),
    ("__CPROVER_isnanf", "bf"),
    ("__CPROVER_isnanld", "bD"),
    ("__CPROVER_isnormald", "bd"),
    ("__CPROVER_isnormalf", "bf"),
    ("__CPROVER_isnormalld", "bD"),
    ("__CPROVER_postcondition", "vbs"),
    ("__CPROVER_precondition", "vbs"),
    ("__CPROVER_r_ok", "bp."),
    ("__CPROVER_rw_ok", "bp."),
    ("__CPROVER_same_object", "bpp"),
    ("__CPROVER_signd", "bd"),
    ("__CPROVER_signf", "bf"),
    ("__CPROVER_signld", "bD"),
    ("__CPROVER_w_ok", "bp."),
];

/// Comparisons and classifications of floating numbers: int results of any arguments.
const FLOAT_TESTS: &[&str] = &[
    "fpclassify",
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isinf_sign",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "issignaling",
    "isunordered",
    "signbit",
    "signbitf",
    "signbitl",
];

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let at = table.binary_search_by_key(&name, |(n, _)| n).ok()?;
    Some(table[at].1)
}

/// `math.h` in all three types.
fn math(name: &str) -> Option<String> {
    if let Some(plain) = find(MATH, name) {
        return Some(plain.to_owned());
    }
    let (plain, to) = match name.strip_suffix('f') {
        Some(plain) => (plain, "f"),
        None => (name.strip_suffix('l')?, "D"),
    };
    find(MATH, plain).map(|s| s.replace('d', to))
}

/// Whether a builtin is a comparison or classification of floating numbers, by its name without the prefix.
pub(super) fn is_float_test(base: &str) -> bool {
    FLOAT_TESTS.binary_search(&base).is_ok()
}

/// The signature of a function of the C library that gcc has as a builtin.
pub(super) fn library(name: &str) -> Option<String> {
    find(LIBRARY, name)
        .map(str::to_owned)
        .or_else(|| math(name))
}

/// The signature behind a name that needs no declaration: `__builtin_memcpy`,
/// `__builtin___memcpy_chk`, `__CPROVER_assume`.
pub(super) fn predeclared(name: &str) -> Option<String> {
    if let Some(signature) = find(CPROVER, name) {
        return Some(signature.to_owned());
    }
    let base = name.strip_prefix("__builtin_")?;
    if let Some(plain) = base.strip_suffix("_chk").and_then(|b| b.strip_prefix("__")) {
        return match find(FORTIFIED, plain) {
            Some(signature) => Some(signature.to_owned()),
            None => find(LIBRARY, plain).map(|s| format!("{s}z")),
        };
    }
    if is_float_test(base) {
        return Some("i.".to_owned());
    }
    find(BUILTINS, base)
        .map(str::to_owned)
        .or_else(|| library(base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [BUILTINS, LIBRARY, MATH, FORTIFIED, CPROVER] {
            assert!(table.is_sorted_by_key(|(name, _)| *name));
        }
        assert!(FLOAT_TESTS.is_sorted());
    }

    #[test]
    fn variants_have_the_types_of_their_family() {
        let signature = |name: &str| predeclared(name).unwrap_or_default();
        assert_eq!(signature("__builtin___memcpy_chk"), "pppzz");
        assert_eq!(signature("__builtin___sprintf_chk"), "isizs.");
        assert_eq!(signature("__builtin_llabs"), "LL");
        assert_eq!(signature("__builtin_fabsl"), "DD");
        assert_eq!(signature("__builtin_frexpf"), "ff*i");
        assert_eq!(predeclared("__builtin_nothing"), None);
        assert_eq!(predeclared("malloc"), None);
        assert_eq!(library("malloc").as_deref(), Some("pz"));
    }
}
