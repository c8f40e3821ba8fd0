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
    model!("alloc.c": "aligned_alloc" "memalign" "posix_memalign" "reallocarray"),
    model!("io.c": "fgets" "fread" "getrandom" "read"),
    model!("clock.c": "clock" "clock_gettime" "rand_r" "sleep" "time"),
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

/// Whether a file of positions is one of these.
pub fn is_model(file: &str) -> bool {
    file.starts_with("<library>/")
}

/// What the names of functions begin with that return any value, for the models.
pub const ANY: &str = "__library_any_";

/// For the models: an object must be there, though nobody looks inside.
pub const USES: &str = "__library_uses";

/// What the names of functions begin with that return a value of which only bounds are known, for the models.
pub const APPROXIMATE: &str = "__library_approximate_";

/// For the models: the significand of a number as an integer whose highest bit is set.
pub const SIGNIFICAND: &str = "__library_significand";

/// For the models: sets `errno`, where the program uses it.
pub const ERROR: &str = "__library_error";

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
        if model.is_met(interner) {
            read(model, interner)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
