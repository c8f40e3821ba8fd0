//! Functions of the C library whose model is C itself.
//!
//! What is easier to say in C than in the IVL stands in the files beside this one. They are read after
//! the program's own files, and give bodies to the functions that the program uses and does not define;
//! `sema::function` decides. A declaration of the program's own counts as long as its types have the same
//! representation. Files whose functions call others come before the files of those.
//!
//! Files of functions on real numbers stand for three, of `float`, `double` and `long double`: `REAL` is the type, `@` what
//! its names end in, `WORD` an integer type that holds a significand, and `DIGITS` the bits of one.
//!
//! Where C leaves results open (which number but zero `isdigit` returns) the models do, too:
//! `__library_any_T()` is any value of a type. Where the library has one result and the model knows only bounds of it,
//! it says `__library_approximate_T()`: errors behind that are not reported.

use crate::lex::Interner;
use crate::sema::formats::family;
use std::borrow::Cow;

/// A file of models.
pub struct Model {
    /// What positions in it are called.
    pub name: Cow<'static, str>,
    /// The text.
    pub text: Cow<'static, str>,
    /// What it defines, without the suffix of the type.
    functions: &'static [&'static str],
    /// What the names end in.
    suffix: &'static str,
}

impl Model {
    fn file(&self) -> &str {
        self.name.trim_start_matches(PREFIX)
    }
}

macro_rules! model {
    ($file:literal: $($function:literal)*) => {
        Model {
            name: Cow::Borrowed(concat!("<library>/", $file)),
            text: Cow::Borrowed(include_str!($file)),
            functions: &[$($function),*],
            suffix: "",
        }
    };
}

const MODELS: &[Model] = &[
    model!("arguments.c": "__library_arguments"),
    model!("exit.c": "at_quick_exit" "atexit"),
    model!("posix.c": "dup" "dup2" "fcntl" "getcwd" "getdelim" "getenv" "getline" "getpwnam" "getpwuid" "inet_ntoa" "open"
        "pipe" "secure_getenv" "setbuf" "setvbuf" "strerror" "strsignal"),
    model!("threads.c": "pthread_mutex_destroy" "pthread_mutex_init" "pthread_mutex_lock"
        "pthread_mutex_trylock" "pthread_mutex_unlock" "sem_destroy" "sem_getvalue" "sem_init"
        "sem_post" "sem_trywait" "sem_wait"),
    model!("calendar.c": "asctime" "asctime_r" "ctime" "ctime_r" "gmtime" "gmtime_r" "localtime"
        "localtime_r" "mktime" "strftime"),
    model!("convert.c": "atoi" "atol" "atoll" "strtoimax" "strtol" "strtoll" "strtoul" "strtoull"
        "strtoumax"),
    model!("ctype.c": "isalnum" "isalpha" "isascii" "isblank" "iscntrl" "isdigit" "isgraph"
        "islower" "isprint" "ispunct" "isspace" "isupper" "isxdigit" "toascii" "tolower" "toupper"),
    model!("tables.c": "__ctype_b_loc" "__ctype_tolower_loc" "__ctype_toupper_loc"),
    model!("bytes.c": "htonl" "htons" "ntohl" "ntohs" "swab"),
    model!("divide.c": "div" "ffs" "ffsl" "ffsll" "imaxabs" "imaxdiv" "ldiv" "lldiv"),
    model!("strings.c": "bcmp" "bcopy" "memccpy" "memmem" "memrchr" "rawmemchr" "stpncpy"
        "strcasecmp" "strchrnul" "strcoll" "strcspn" "strlcat" "strlcpy" "strncasecmp" "strndup"
        "strpbrk" "strsep" "strspn" "strstr" "strtok" "strtok_r"),
    model!("format.c": "__snprintf_chk" "__sprintf_chk" "__vasprintf_chk" "__vfprintf_chk"
        "__vprintf_chk" "__vsnprintf_chk" "__vsprintf_chk" "asprintf" "snprintf" "sprintf"
        "vasprintf" "vdprintf" "vfprintf" "vprintf" "vsnprintf" "vsprintf" "vsyslog"),
    model!("print.c": "__library_print_block" "__library_print_char" "__library_print_chars"
        "__library_print_count" "__library_print_decimal" "__library_print_double"
        "__library_print_hexadecimal" "__library_print_into" "__library_print_octal"
        "__library_print_signed" "__library_print_string" "__library_printed"),
    model!("scan.c": "__library_scan_byte" "__library_scan_chars" "__library_scan_count"
        "__library_scan_double" "__library_scan_float" "__library_scan_input"
        "__library_scan_int" "__library_scan_long" "__library_scan_raw" "__library_scan_set"
        "__library_scan_short" "__library_scan_space" "__library_scan_stream"
        "__library_scan_string" "__library_scan_word" "__library_scanned"),
    model!("decimal.c": "atof" "strtod" "strtof" "strtold"),
    model!("sort.c": "bsearch" "lfind" "qsort"),
    model!("wide.c": "iswalnum" "iswalpha" "iswdigit" "iswlower" "iswspace" "iswupper" "towlower"
        "towupper" "wcscat" "wcschr" "wcscmp" "wcscpy" "wcslen" "wcsncat" "wcsncmp" "wcsncpy"
        "wcsnlen" "wcsrchr" "wcsstr" "wmemchr" "wmemcmp" "wmemcpy" "wmemmove" "wmemset"),
    model!("alloc.c": "aligned_alloc" "memalign" "posix_memalign" "reallocarray"),
    model!("io.c": "fgets" "fread" "getrandom" "read"),
    model!("clock.c": "clock" "clock_gettime" "nanosleep" "rand_r" "sleep" "time"
        "usleep" "_sleep" "gettimeofday"),
    model!("errno.c": "__errno_location"),
    model!("fenv.c": "fegetround" "fesetround"),
    model!("fexcept.c": "feclearexcept" "feraiseexcept" "fetestexcept"),
];

/// Those on real numbers.
const REAL_MODELS: &[Model] = &[
    model!("math.c": "drem" "fmod" "frexp" "modf" "remainder" "remquo"),
    model!("libm.c": "acos" "acosh" "asin" "asinh" "atan" "atan2" "atanh" "cbrt" "cos" "cosh" "erf"
        "erfc" "exp" "exp10" "exp2" "expm1" "hypot" "log" "log10" "log1p" "log2" "pow" "sin"
        "sincos" "sinh" "tan" "tanh"),
];

/// A type of real numbers: its name, what the names of its functions end in, an integer type for its significands,
/// and their bits.
struct Real(&'static str, &'static str, &'static str, &'static str);

const REALS: [Real; 3] = [
    Real("float", "f", "unsigned", "24"),
    Real("double", "", "unsigned long long", "53"),
    Real("long double", "l", "unsigned long long", "64"),
];

impl Model {
    /// The model for a type.
    fn of(&self, Real(real, suffix, word, digits): &Real) -> Model {
        let replaced = |text: &str| {
            text.replace('@', suffix)
                .replace("REAL", real)
                .replace("WORD", word)
                .replace("DIGITS", digits)
        };
        Model {
            name: Cow::Owned(self.name.replace(".c", &format!("{suffix}.c"))),
            text: Cow::Owned(replaced(&self.text)),
            functions: self.functions,
            suffix,
        }
    }

    /// Whether a name has been met that it defines.
    fn is_met(&self, interner: &Interner) -> bool {
        self.functions.iter().any(|f| {
            let name = format!("{f}{}", self.suffix);
            interner.get(&name).is_some() || interner.get(&format!("__builtin_{name}")).is_some()
        })
    }
}
/// What the names of model files begin with.
const PREFIX: &str = "<library>/";

/// Whether a file of positions is one of these.
pub fn is_model(file: &str) -> bool {
    file.starts_with(PREFIX)
}

/// What the names of functions begin with that return any value, for the models.
pub const ANY: &str = "__library_any_";

/// For the models: an object must be there, though nobody looks inside.
pub const USES: &str = "__library_uses";

/// What the names of functions begin with that return a value of which only bounds are known, for the models.
pub const APPROXIMATE: &str = "__library_approximate_";

/// How the reason of an incomplete location begins that would be an error, but for such a value; the property follows.
pub const VAGUE: &str = "an error after a call of whose result only bounds are known";

/// For the models: the significand of a number as an integer whose highest bit is set.
pub const SIGNIFICAND: &str = "__library_significand";

/// For the models: sets `errno`, where the program uses it.
pub const ERROR: &str = "__library_error";
/// The model of what `main` gets.
pub const ARGUMENTS: &str = "__library_arguments";

/// For the models: what follows has no model, for the reason in the string.
pub const INCOMPLETE: &str = "__library_incomplete";

/// For the models: a fresh object of so many bytes that is not on the heap.
pub const OBJECT: &str = "__library_object";

/// Whether a function has a model in C.
pub fn defines(name: &str) -> bool {
    let real = |real: &Real| {
        let plain = name.strip_suffix(real.1);
        plain.is_some_and(|name| REAL_MODELS.iter().any(|m| m.functions.contains(&name)))
    };
    MODELS.iter().any(|m| m.functions.contains(&name)) || REALS.iter().any(real)
}

/// The object that library functions leave error codes in.
pub const ERRNO_OBJECT: &str = "__library_errno";

/// The object that holds the direction of rounding.
pub const ROUNDING_OBJECT: &str = "__library_rounding";

/// CBMC's object that holds the direction of rounding.
pub const CPROVER_ROUNDING: &str = "__CPROVER_rounding_mode";

/// The files that define a name which has been met, in order; `read` meets further names.
pub fn needed<E>(
    interner: &mut Interner,
    mut read: impl FnMut(&Model, &mut Interner) -> Result<(), E>,
) -> Result<(), E> {
    for model in REAL_MODELS {
        let instances = REALS.iter().map(|real| model.of(real));
        for model in instances {
            if model.is_met(interner) {
                read(&model, interner)?;
            }
        }
    }
    for model in MODELS {
        // A literal format is taken apart into calls of these.
        let by_format = ["print.c", "scan.c"].contains(&model.file());
        let by_main = model.file() == "arguments.c";
        let met = |name: &str| interner.get(name).is_some();
        let otherwise = (by_format && family().any(|f| met(f) || met(&format!("__builtin_{f}"))))
            || (by_main && met("main"));
        if otherwise || model.is_met(interner) {
            read(model, interner)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::ExprKind;
    use crate::program::check_texts;
    use crate::types::DataModel;

    /// Each file is C, and defines what is said of it.
    #[test]
    fn models_define_what_they_say() {
        let reals = REAL_MODELS
            .iter()
            .flat_map(|m| REALS.iter().map(|real| m.of(real)));
        let plain = MODELS.iter().map(|m| Model {
            name: m.name.clone(),
            text: m.text.clone(),
            ..*m
        });
        for model in plain.chain(reals) {
            for data in [DataModel::Ilp32, DataModel::Lp64] {
                let text = (model.name.to_string(), model.text.as_bytes().to_vec());
                let checked = check_texts(vec![text], data).expect(&model.name);
                assert_eq!(checked.warnings, "", "{}", model.name);
                let count = model
                    .text
                    .lines()
                    .filter(|l| l.contains('(') && l.ends_with(['{', '}']))
                    .filter(|l| l.starts_with(char::is_alphabetic) && !l.starts_with("static "))
                    .count();
                assert_eq!(count, model.functions.len(), "{}", model.name);
                for name in model.functions {
                    let name = format!("{name}{}", model.suffix);
                    assert!(defines(&name));
                    let f = checked.hir.function(&name);
                    let body = f.and_then(|f| checked.hir.funcs[f].body);
                    assert!(body.is_some(), "{}: {name}", model.name);
                }
            }
        }
    }

    /// A model that nobody wants has no body: one model calls another only of a file that is read later.
    #[test]
    fn models_call_models_of_later_files() {
        for (at, model) in MODELS.iter().enumerate() {
            let text = (model.name.to_string(), model.text.as_bytes().to_vec());
            let checked = check_texts(vec![text], DataModel::Lp64).expect(&model.name);
            for e in checked.hir.exprs.values() {
                let (ExprKind::FuncAddr(f) | ExprKind::FuncRef(f)) = e.kind else {
                    continue;
                };
                let called = &checked.hir.funcs[f];
                let has = |m: &Model| m.functions.contains(&called.name.as_str());
                let earlier = !called.internal && MODELS[..=at].iter().any(has);
                assert!(!earlier, "{}: {}", model.name, called.name);
            }
        }
    }
}
