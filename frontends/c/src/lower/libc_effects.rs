//! What library functions with a model do to pointers: the points-to analysis' view of them.

/// The effect of a call on the classes of its arguments and its result.
pub enum Effect {
    /// Nothing that a model does; the result is unknown.
    None,
    /// The result is a fresh object; the size is the product of these arguments.
    Allocates {
        /// Positions of the size arguments.
        size: &'static [usize],
    },
    /// The result is a fresh object with the content of the first argument's.
    Reallocates,
    /// The result is a fresh string with the content of the first argument's.
    Duplicates,
    /// Copies a block from the second argument's object to the first's, which is the result.
    Copies,
    /// Sets a block of the first argument's object, which is the result.
    Fills {
        /// Position of the size argument.
        size: usize,
    },
    /// Gives a block of the first argument's object any content.
    Forgets,
    /// Copies byte by byte from the second argument's object to the first's, which is the result.
    CopiesBytes,
    /// Reads the objects of its pointer arguments byte by byte; the result may point into the first.
    ReadsBytes,
    /// The result is the first argument.
    Passes,
    /// Stores a number made from the first two arguments in the third's object.
    Stores,
}

/// The plain name of a library function: `memcpy` for `__builtin_memcpy` and `__memcpy_chk` too.
pub fn base_name(name: &str) -> &str {
    let base = name.strip_prefix("__builtin_").unwrap_or(name);
    base.strip_suffix("_chk")
        .and_then(|b| b.strip_prefix("__"))
        .unwrap_or(base)
}

/// The effect of a function without a body, by name.
pub fn of(name: &str) -> Effect {
    match base_name(name) {
        "malloc" | "valloc" | "alloca" => Effect::Allocates { size: &[0] },
        "calloc" => Effect::Allocates { size: &[0, 1] },
        "realloc" => Effect::Reallocates,
        "strdup" => Effect::Duplicates,
        "memcpy" | "memmove" | "mempcpy" => Effect::Copies,
        "memset" => Effect::Fills { size: 2 },
        "bzero" => Effect::Fills { size: 1 },
        "__VERIFIER_nondet_memory" => Effect::Forgets,
        "strcpy" | "stpcpy" | "strncpy" | "strcat" | "strncat" => Effect::CopiesBytes,
        "strlen" | "strnlen" | "strcmp" | "strncmp" | "memcmp" | "strchr" | "index" | "memchr"
        | "strrchr" | "rindex" => Effect::ReadsBytes,
        "expect" | "assume_aligned" => Effect::Passes,
        "add_overflow" | "sub_overflow" | "mul_overflow" => Effect::Stores,
        _ => Effect::None,
    }
}
