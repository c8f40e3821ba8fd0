//! Functions of the C library whose model is C itself.
//!
//! What is easier to say in C than in the IVL stands in the files beside this one. They are read after
//! the program's own files, and give bodies to the functions that the program uses and does not define;
//! `sema::function` decides. A declaration of the program's own counts as long as its types have the same
//! representation. Files whose functions call others come before the files of those.
//!
//! Where C leaves results open (which number but zero `isdigit` returns) the models do, too:
//! `__library_any_T()` is any value of a type.

use crate::lex::Interner;
use crate::sema::formats::family;

/// A file of models.
pub struct Model {
    /// What positions in it are called.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
    /// What it defines.
    functions: &'static [&'static str],
}

impl Model {
    fn file(&self) -> &'static str {
        self.name.trim_start_matches(PREFIX)
    }
}

macro_rules! model {
    ($file:literal: $($function:literal)*) => {
        Model {
            name: concat!("<library>/", $file),
            text: include_str!($file),
            functions: &[$($function),*],
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
    model!("sort.c": "bsearch" "lfind" "qsort"),
    model!("wide.c": "iswalnum" "iswalpha" "iswdigit" "iswlower" "iswspace" "iswupper" "towlower"
        "towupper" "wcscat" "wcschr" "wcscmp" "wcscpy" "wcslen" "wcsncat" "wcsncmp" "wcsncpy"
        "wcsnlen" "wcsrchr" "wcsstr" "wmemchr" "wmemcmp" "wmemcpy" "wmemmove" "wmemset"),
    model!("alloc.c": "aligned_alloc" "memalign" "posix_memalign" "reallocarray"),
    model!("io.c": "fgets" "fread" "getrandom" "read"),
    model!("clock.c": "clock" "clock_gettime" "nanosleep" "rand_r" "sleep" "time"
        "usleep" "_sleep" "gettimeofday"),
    model!("errno.c": "__errno_location"),
];

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

/// The model of what `main` gets.
pub const ARGUMENTS: &str = "__library_arguments";

/// For the models: what follows has no model, for the reason in the string.
pub const INCOMPLETE: &str = "__library_incomplete";

/// For the models: a fresh object of so many bytes that is not on the heap.
pub const OBJECT: &str = "__library_object";

/// Whether a function has a model in C.
pub fn defines(name: &str) -> bool {
    MODELS.iter().any(|m| m.functions.contains(&name))
}

/// The object that library functions leave error codes in.
pub const ERRNO_OBJECT: &str = "__library_errno";

/// The files that define a name which has been met, in order; `read` meets further names.
pub fn needed<E>(
    interner: &mut Interner,
    mut read: impl FnMut(&Model, &mut Interner) -> Result<(), E>,
) -> Result<(), E> {
    for model in MODELS {
        let names = model.functions.iter().copied();
        // A literal format is taken apart into calls of these.
        let by_format = ["print.c", "scan.c"].contains(&model.file());
        let names = names.chain(family().filter(|_| by_format));
        let names = names.chain(
            ["main"]
                .into_iter()
                .filter(|_| model.file() == "arguments.c"),
        );
        let met = names.into_iter().any(|f| {
            interner.get(f).is_some() || interner.get(&format!("__builtin_{f}")).is_some()
        });
        if met {
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
        for model in MODELS {
            for data in [DataModel::Ilp32, DataModel::Lp64] {
                let text = (model.name.to_owned(), model.text.as_bytes().to_vec());
                let checked = check_texts(vec![text], data).expect(model.name);
                assert_eq!(checked.warnings, "", "{}", model.name);
                let count = model
                    .text
                    .lines()
                    .filter(|l| l.contains('(') && l.ends_with(['{', '}']))
                    .filter(|l| l.starts_with(char::is_alphabetic) && !l.starts_with("static "))
                    .count();
                assert_eq!(count, model.functions.len(), "{}", model.name);
                for name in model.functions {
                    let f = checked.hir.function(name);
                    let body = f.and_then(|f| checked.hir.funcs[f].body);
                    assert!(body.is_some(), "{}: {name}", model.name);
                }
            }
        }
    }
}
