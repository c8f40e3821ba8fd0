//! What library functions with a model do to pointers: the points-to analysis' view of them.

use super::jump::{is_longjmp, is_setjmp};
use super::libc_names::{self, Known};
use crate::library::OBJECT;

/// The effect of a call on the classes of its arguments and its result.
pub enum Effect {
    /// Nothing that a model does; the result is unknown.
    None,
    /// The result is a fresh object; the size is the product of these arguments.
    Allocates {
        /// Positions of the size arguments.
        size: &'static [usize],
        /// Whether the object is set to zero.
        zeroed: bool,
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
    /// Writes elements of the first argument's object.
    Writes,
    /// Gives a block of the first argument's object any content.
    Forgets {
        /// Position of the size argument; none for the whole object.
        size: Option<usize>,
    },
    /// Copies byte by byte from the second argument's object to the first's, which is the result.
    CopiesBytes,
    /// Reads the objects of its pointer arguments byte by byte; the result may point into the first.
    ReadsBytes,
    /// Reads or writes the objects of its pointer arguments byte by byte; the result is unknown.
    ReachesBytes,
    /// The result is the first argument.
    Passes,
    /// Stores a number made from the first two arguments in the third's object.
    Stores,
    /// The result points to memory of the library.
    Points,
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
    let one = |zeroed| Effect::Allocates { size: &[0], zeroed };
    match base_name(name) {
        "malloc" | "valloc" | "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
            one(false)
        }
        OBJECT => one(false),
        "__CPROVER_allocate" => one(true),
        "calloc" => Effect::Allocates {
            size: &[0, 1],
            zeroed: true,
        },
        "realloc" => Effect::Reallocates,
        "strdup" => Effect::Duplicates,
        "memcpy" | "memmove" | "mempcpy" => Effect::Copies,
        "__CPROVER_array_copy" | "__CPROVER_array_replace" => Effect::Copies,
        "__CPROVER_array_set" => Effect::Writes,
        base if is_setjmp(base) || is_longjmp(base) => Effect::Writes,
        "memset" => Effect::Fills { size: 2 },
        "bzero" => Effect::Fills { size: 1 },
        "__VERIFIER_nondet_memory" | "__CPROVER_havoc_slice" => Effect::Forgets { size: Some(1) },
        "__CPROVER_havoc_object" => Effect::Forgets { size: None },
        "strcpy" | "stpcpy" | "strncpy" | "strcat" | "strncat" => Effect::CopiesBytes,
        "strlen" | "strnlen" | "strcmp" | "strncmp" | "memcmp" | "strchr" | "index" | "memchr"
        | "strrchr" | "rindex" => Effect::ReadsBytes,
        "expect" | "expect_with_probability" | "assume_aligned" => Effect::Passes,
        base if base.ends_with("_overflow") && name.starts_with("__builtin_") => Effect::Stores,
        _ if super::access::is_known(name) => Effect::ReachesBytes,
        _ if libc_names::of(name, false, None) == Known::Points => Effect::Points,
        _ => Effect::None,
    }
}
