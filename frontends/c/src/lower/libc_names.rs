//! What is known of library functions that have no model, by name.
//!
//! Most must be refused: they write through their arguments, call back, keep a pointer, jump, or have exact
//! results. So the list is of those that do none of this, and everything else in the library is refused.

use super::libc_effects::base_name;

/// The functions that the headers of C, POSIX and glibc declare, each with the shapes of its result and
/// parameters: v void, i integer, f floating, p pointer, s struct or union, `.` variadic. Sorted.
const LIBRARY: &str = include_str!("libc_names.txt");

/// What a call of a library function without a model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It returns any value; of what the program can see only `errno` changes.
    Any,
    /// The same, with a result from 0 up to `RAND_MAX`.
    NotNegative,
    /// The same, with a result from -1 to 255.
    Byte,
    /// The same, with a result of 0 or -1.
    Status,
    /// It prints by the format at this position: `%n` writes.
    Prints(usize),
    /// It returns null or a pointer to memory of the library.
    Points,
    /// It does not return.
    Ends,
    /// It is of the library and does more than that.
    Refused,
    /// It is not of the library, but has a name that C reserves for compilers.
    Reserved,
    /// It is not of the library.
    Foreign,
}

/// Functions of the library that write nothing through their arguments and call nothing back. Sorted.
const HARMLESS: &[(&str, Known)] = &[
    ("access", Known::Status),
    ("alarm", Known::Any),
    ("asctime", Known::Points),
    ("bind_textdomain_codeset", Known::Points),
    ("bindtextdomain", Known::Points),
    ("chdir", Known::Status),
    ("chmod", Known::Status),
    ("chown", Known::Status),
    ("clearerr", Known::Any),
    ("close", Known::Status),
    ("closedir", Known::Status),
    ("closelog", Known::Any),
    ("creat", Known::Any),
    ("ctime", Known::Points),
    ("dcgettext", Known::Points),
    ("dgettext", Known::Points),
    ("dprintf", Known::Prints(1)),
    ("dup", Known::Any),
    ("dup2", Known::Any),
    ("err", Known::Ends),
    ("errx", Known::Ends),
    ("fchmod", Known::Status),
    ("fclose", Known::Any),
    ("fdatasync", Known::Status),
    ("fdopen", Known::Points),
    ("feof", Known::Any),
    ("ferror", Known::Any),
    ("fflush", Known::Any),
    ("fgetc", Known::Byte),
    ("fileno", Known::Any),
    ("fopen", Known::Points),
    ("fopen64", Known::Points),
    ("fork", Known::Any),
    ("fprintf", Known::Prints(1)),
    ("fputc", Known::Byte),
    ("fputs", Known::Any),
    ("fseek", Known::Status),
    ("fseeko", Known::Status),
    ("fsync", Known::Status),
    ("ftell", Known::Any),
    ("ftello", Known::Any),
    ("ftruncate", Known::Status),
    ("fwrite", Known::Any),
    ("getc", Known::Byte),
    ("getc_unlocked", Known::Byte),
    ("getchar", Known::Byte),
    ("getchar_unlocked", Known::Byte),
    ("getegid", Known::Any),
    ("getenv", Known::Points),
    ("geteuid", Known::Any),
    ("getgid", Known::Any),
    ("getgrgid", Known::Points),
    ("getgrnam", Known::Points),
    ("gethostbyname", Known::Points),
    ("gethostid", Known::Any),
    ("getlogin", Known::Points),
    ("getpagesize", Known::Any),
    ("getpgid", Known::Any),
    ("getpgrp", Known::Any),
    ("getpid", Known::Any),
    ("getppid", Known::Any),
    ("getpriority", Known::Any),
    ("getpwnam", Known::Points),
    ("getpwuid", Known::Points),
    ("getsid", Known::Any),
    ("gettext", Known::Points),
    ("gettid", Known::Any),
    ("getuid", Known::Any),
    ("gmtime", Known::Points),
    ("inet_ntoa", Known::Points),
    ("isatty", Known::Any),
    ("kill", Known::Status),
    ("link", Known::Status),
    ("listen", Known::Status),
    ("localeconv", Known::Points),
    ("localtime", Known::Points),
    ("lrand48", Known::NotNegative),
    ("lseek", Known::Any),
    ("malloc_usable_size", Known::Refused),
    ("mkdir", Known::Status),
    ("mkfifo", Known::Status),
    ("nice", Known::Any),
    ("nl_langinfo", Known::Points),
    ("open", Known::Any),
    ("open64", Known::Any),
    ("openat", Known::Any),
    ("opendir", Known::Points),
    ("openlog", Known::Any),
    ("pause", Known::Any),
    ("pclose", Known::Any),
    ("perror", Known::Any),
    ("popen", Known::Points),
    ("printf", Known::Prints(0)),
    ("psignal", Known::Any),
    ("putc", Known::Byte),
    ("putc_unlocked", Known::Byte),
    ("putchar", Known::Byte),
    ("putchar_unlocked", Known::Byte),
    ("puts", Known::Any),
    ("rand", Known::NotNegative),
    ("random", Known::NotNegative),
    ("readdir", Known::Points),
    ("remove", Known::Status),
    ("rename", Known::Status),
    ("rewind", Known::Any),
    ("rewinddir", Known::Any),
    ("rmdir", Known::Status),
    ("sched_yield", Known::Any),
    ("secure_getenv", Known::Points),
    ("setbuf", Known::Refused),
    ("setegid", Known::Status),
    ("seteuid", Known::Status),
    ("setgid", Known::Status),
    ("setpgid", Known::Status),
    ("setsid", Known::Any),
    ("setuid", Known::Status),
    ("socket", Known::Any),
    ("srand", Known::Any),
    ("srand48", Known::Any),
    ("srandom", Known::Any),
    ("strerror", Known::Points),
    ("strsignal", Known::Points),
    ("symlink", Known::Status),
    ("sync", Known::Any),
    ("sysconf", Known::Any),
    ("syslog", Known::Prints(1)),
    ("system", Known::Any),
    ("textdomain", Known::Points),
    ("tmpfile", Known::Points),
    ("truncate", Known::Status),
    ("ttyname", Known::Points),
    ("tzset", Known::Any),
    ("umask", Known::Any),
    ("ungetc", Known::Any),
    ("unlink", Known::Status),
    ("usleep", Known::Status),
    ("utimes", Known::Status),
    ("vfprintf", Known::Prints(1)),
    ("vprintf", Known::Prints(0)),
    ("warn", Known::Prints(0)),
    ("warnx", Known::Prints(0)),
    ("write", Known::Any),
];

/// Builtins without a model that only inform people or the hardware.
const HARMLESS_BUILTINS: &[&str] = &["__clear_cache", "prefetch"];

/// The families of names that belong to compilers and tools: unknown members mean what we do not know.
const RESERVED: &[&str] = &[
    "__builtin_",
    "__sync_",
    "__atomic_",
    "__CPROVER_",
    "__VERIFIER_",
];

/// What is known of a function without body and model. `system`: it is declared in a header of the
/// system. `shape`: the shapes of its types, where they are known; a function of the program's own may
/// have a name of the library.
pub fn of(name: &str, system: bool, shape: Option<&str>) -> Known {
    let builtin = name.strip_prefix("__builtin_");
    if builtin.is_some_and(|b| HARMLESS_BUILTINS.contains(&b))
        || matches!(name, "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end")
    {
        return Known::Any;
    }
    let library = library_shape(name);
    if let (Some(own), Some(library), false) = (shape, library, system) {
        let fixed = |s: &str| s.trim_end_matches('.').to_owned();
        if fixed(own) != fixed(library) {
            return Known::Foreign;
        }
    }
    // Names that nobody declares and that C keeps for its implementations are the compiler's.
    let unknown = shape.is_none() && !system && is_reserved(name);
    let reserved =
        unknown || RESERVED.iter().any(|p| name.starts_with(p)) || name.ends_with("_chk");
    let found = HARMLESS.binary_search_by_key(&base_name(name), |(n, _)| n);
    match found {
        Ok(at) if !name.ends_with("_chk") => HARMLESS[at].1,
        // The fortified variants have a flag before the format.
        Ok(at) if let Known::Prints(format) = HARMLESS[at].1 => Known::Prints(format + 1),
        _ if library.is_some() || reserved || system => Known::Refused,
        _ if is_reserved(name) => Known::Reserved,
        _ => Known::Foreign,
    }
}

/// C11 7.1.3: two underscores, or one and a capital.
fn is_reserved(name: &str) -> bool {
    let mut rest = name.strip_prefix('_').unwrap_or_default().chars();
    rest.next()
        .is_some_and(|c| c == '_' || c.is_ascii_uppercase())
}

/// The shapes of a function of the library, also of `__isoc99_scanf`, `__fread_alias`, `_setjmp`. The
/// fortified ones have parameters of their own.
fn library_shape(name: &str) -> Option<&'static str> {
    let bare = name.trim_start_matches('_');
    let bare = ["isoc99_", "isoc23_"]
        .iter()
        .find_map(|p| bare.strip_prefix(p))
        .unwrap_or(bare);
    let bare = bare.strip_suffix("_alias").unwrap_or(bare);
    find_line(LIBRARY, bare)
}

/// What follows a name in sorted lines, by binary search.
fn find_line(text: &'static str, name: &str) -> Option<&'static str> {
    let (mut low, mut high) = (0, text.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = text[low..middle].rfind('\n').map_or(low, |i| low + i + 1);
        let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let (found, rest) = text[start..end].split_once(' ')?;
        match found.cmp(name) {
            std::cmp::Ordering::Equal => return Some(rest),
            std::cmp::Ordering::Less => low = (end + 1).min(high),
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(HARMLESS.is_sorted_by_key(|(name, _)| *name));
        let names: Vec<_> = LIBRARY.lines().filter_map(|l| l.split_once(' ')).collect();
        assert_eq!(names.len(), LIBRARY.lines().count());
        assert!(names.is_sorted_by_key(|(name, _)| *name));
        for (name, shape) in names {
            assert_eq!(find_line(LIBRARY, name), Some(shape));
        }
        for name in ["", "aaa", "mallo", "zzzz"] {
            assert_eq!(find_line(LIBRARY, name), None);
        }
    }

    #[test]
    fn only_harmless_functions_are_let_through() {
        assert_eq!(of("printf", true, None), Known::Prints(0));
        assert_eq!(of("__builtin_puts", false, None), Known::Any);
        assert_eq!(of("__fprintf_chk", true, None), Known::Prints(2));
        for name in [
            "mktime",
            "ctime_r",
            "fscanf",
            "__fread_chk",
            "__fread_alias",
            "__isoc99_scanf",
            "_setjmp",
            "setvbuf",
            "putenv",
            "signal",
            "qsort",
            "__builtin_nothing",
            "__sync_nothing",
            "__CPROVER_nothing",
            "__VERIFIER_nothing",
        ] {
            assert_eq!(of(name, false, None), Known::Refused, "{name}");
        }
        assert_eq!(of("my_function", false, None), Known::Foreign);
        assert_eq!(of("__compilers_function", false, None), Known::Refused);
        assert_eq!(of("__my_function", false, Some("ip")), Known::Reserved);
        assert_eq!(of("my_function", true, None), Known::Refused);
    }

    /// A function of the program's own is known by its types.
    #[test]
    fn names_alone_do_not_make_a_library_function() {
        assert_eq!(of("send", false, Some("iipii")), Known::Refused);
        assert_eq!(of("send", false, Some("vs")), Known::Foreign);
        assert_eq!(of("open", false, Some("ipi")), Known::Any);
        assert_eq!(of("open", false, Some("ip")), Known::Foreign);
    }
}
