//! The kinds of errors, explained: what each means, why it matters and what to do about it.

/// A kind of error.
pub struct Kind {
    /// The property.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// What it means.
    pub means: &'static str,
    /// What to do.
    pub help: &'static str,
    /// A program that has it, and one that has not.
    pub example: (&'static str, &'static str),
    /// The page of the book.
    pub page: &'static str,
}

/// Where the properties of C are.
const C: &str = "docs/src/c.md#properties";

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "unreach-call",
        title: "an assertion fails, or a call is reached that must not be",
        means: "An execution reaches a failing assert, a call of reach_error or __VERIFIER_error, or \
                __builtin_unreachable.",
        help: "The steps lead to the call with the values that were read and assigned. Either the program is wrong before \
               it, or the assertion says more than the program promises. An input that cannot occur is excluded by \
               __VERIFIER_assume(condition).",
        example: (
            "unsigned n = input(); assert(n < 8); buffer[n] = 0;",
            "unsigned n = input() % 8; assert(n < 8); buffer[n] = 0;",
        ),
        page: C,
    },
    Kind {
        name: "valid-deref",
        title: "an access to memory that is not there",
        means: "Something is read or written through a null pointer, outside of its object, after the object was freed or its \
                block was left; or a constant is written, blocks that overlap are copied by memcpy, a null pointer is called.",
        help: "The last step says which object it is, its size and the offset, and where it was freed. Check the index or the \
               pointer before the access; malloc returns NULL when memory runs out, unless --assume malloc-succeeds.",
        example: (
            "int a[8]; for (int i = 0; i <= 8; i++) a[i] = 0;",
            "int a[8]; for (int i = 0; i < 8; i++) a[i] = 0;",
        ),
        page: C,
    },
    Kind {
        name: "valid-free",
        title: "a wrong free",
        means: "free or realloc gets something else than NULL or the start of a live object on the heap: one that was freed \
                before, a variable, or the middle of an object.",
        help: "The last step says what is freed, and where it was freed before. Set a pointer to NULL when its object is \
               freed, or let one place own the object.",
        example: ("free(p); free(p);", "free(p); p = NULL; free(p);"),
        page: C,
    },
    Kind {
        name: "valid-memtrack",
        title: "a leak",
        means: "The program ends while an object on the heap is alive that nothing can refer to.",
        help: "The last step names the objects and where they were allocated. Free them on every way out, also on those of \
               errors. What is alive when exit is called counts as referred to, unless --no-assume heap-at-exit-is-tracked.",
        example: (
            "char *p = malloc(8); if (bad) return 1; free(p);",
            "char *p = malloc(8); if (bad) { free(p); return 1; } free(p);",
        ),
        page: C,
    },
    Kind {
        name: "valid-memcleanup",
        title: "memory that is not freed at the end",
        means: "The program ends, be it by abort, while an object on the heap is alive.",
        help: "Free everything before the program ends. Most programs leave that to the system; it is checked only where it \
               is asked for.",
        example: (
            "static char *p; p = malloc(8); return 0;",
            "static char *p; p = malloc(8); free(p); return 0;",
        ),
        page: C,
    },
    Kind {
        name: "no-overflow",
        title: "a signed operation overflows",
        means: "The result of an operation on signed integers does not fit into its type, which C leaves undefined: compilers \
                assume that it does not happen. So does a left shift of a negative number or into the sign.",
        help: "The last step has the operands. Compute in a wider or an unsigned type, or check the operands before: \
               if (a > INT_MAX - b) ...",
        example: (
            "int middle = (low + high) / 2;",
            "int middle = low + (high - low) / 2;",
        ),
        page: C,
    },
    Kind {
        name: "div-by-zero",
        title: "a division by zero",
        means: "The right operand of / or % on integers is zero.",
        help: "Check the divisor before.",
        example: (
            "return sum / count;",
            "return count == 0 ? 0 : sum / count;",
        ),
        page: C,
    },
    Kind {
        name: "shift-range",
        title: "a shift by too much",
        means: "A shift amount is negative, or not below the width of the left operand; or __builtin_clz or __builtin_ctz \
                gets zero.",
        help: "The last step has the operands. Mask the amount, or handle the large ones before.",
        example: ("return 1u << n;", "return n < 32 ? 1u << n : 0;"),
        page: C,
    },
    Kind {
        name: "uninit",
        title: "something is read that nothing has set",
        means: "A variable, or memory of malloc, realloc or alloca, is read before anything was written there; or the value of \
                a call is used that returned none.",
        help: "The last step says what is read. Initialise it where it is declared, or use calloc.",
        example: (
            "int x; if (ok) x = 1; return x;",
            "int x = 0; if (ok) x = 1; return x;",
        ),
        page: C,
    },
    Kind {
        name: "termination",
        title: "the program does not end",
        means: "Some execution goes on for ever.",
        help: "The steps lead into the loop, and the line `endless:` says which values come back, or which set of states is \
               never left.",
        example: ("while (i != n) i += 2;", "while (i < n) i += 2;"),
        page: "docs/src/termination.md",
    },
];

/// The kind of a name.
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|k| k.name == name)
}
