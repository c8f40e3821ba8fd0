//! What library functions, builtins and CBMC's vocabulary mean: where runs of small programs end.

use crate::common;
use trellis_frontend_c::assumptions::Granted;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{Compiled, Options, compile_texts};
use trellis_frontend_c::types::DataModel;

fn compiled(text: &str, properties: Properties) -> Compiled {
    let options = Options {
        model: DataModel::Lp64,
        properties,
        ..Options::default()
    };
    let texts = vec![("t.c".to_owned(), text.as_bytes().to_vec())];
    compile_texts(texts, &options).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

/// The body of main, with every input `n`, ends so.
#[track_caller]
fn expect_all(properties: Properties, cases: &[(&str, i64, &str)]) {
    for (body, n, outcome) in cases {
        let text = format!("int nondet(void); int main(void) {{ {body} return 0; }}");
        let program = compiled(&text, properties).lowered.program;
        assert_eq!(common::outcome(&program, *n), *outcome, "{body}");
    }
}

const REACH: Properties = Properties::REACH;
const MEM: Properties = Properties::MEMSAFETY;

#[test]
fn assert_needs_no_header() {
    expect_all(
        REACH,
        &[
            ("assert(nondet() != 3);", 3, "unreach-call"),
            ("assert(nondet() != 3);", 4, "exit"),
            (
                "void assert(int); assert(nondet() != 3);",
                3,
                "unreach-call",
            ),
            ("int *p = 0; assert(p);", 0, "unreach-call"),
        ],
    );
    let own = "void assert(int c) { } int main(void) { assert(0); return 0; }";
    assert_eq!(
        common::outcome(&compiled(own, REACH).lowered.program, 0),
        "exit"
    );
    let note = compiled("int main(void) { assert(1); return 0; }", REACH);
    assert!(
        note.checked
            .warnings
            .contains("taken for the macro of assert.h")
    );
    let note = compiled(
        "void assert(int); int main(void) { assert(1); return 0; }",
        REACH,
    );
    assert!(
        note.checked
            .warnings
            .contains("taken for the macro of assert.h")
    );
}

#[test]
fn undeclared_library_functions_have_their_types() {
    expect_all(
        REACH,
        &[
            (
                "int *p = malloc(4); if (sizeof malloc(4) != 8) assert(0);",
                0,
                "exit",
            ),
            ("char *p = calloc(2, 2); assert(p[3] == 0);", 0, "exit"),
            (
                "if (sizeof strlen(\"\") != sizeof(long)) assert(0);",
                0,
                "exit",
            ),
            ("assert(llabs(-5000000000) == 5000000000);", 0, "exit"),
            ("assert(labs(-5000000000) == 5000000000);", 0, "exit"),
            (
                "printf(\"%d\", 1); assert(sizeof printf(\"\") == 4);",
                0,
                "exit",
            ),
            ("assert(toupper('a') == 'A');", 0, "exit"),
        ],
    );
    let warned = compiled("int main(void) { return malloc(4) == 0; }", REACH);
    assert!(
        warned
            .checked
            .warnings
            .contains("implicit declaration of function 'malloc'")
    );
    // A definition that comes later counts.
    let own =
        "int main(void) { assert(strlen(1) == 2); return 0; } int strlen(int x) { return x + 1; }";
    assert_eq!(
        common::outcome(&compiled(own, REACH).lowered.program, 0),
        "exit"
    );
}

/// Only functions that are known to write nothing are let through.
#[test]
fn what_may_write_is_refused() {
    for call in [
        "int stat(const char *, void *); struct { long a[18]; } t; stat(\"\", &t);",
        "int socketpair(int, int, int, int *); int b[2]; socketpair(1, 1, 0, b);",
        "int scanf(const char *, ...); int x; char *f = \"%d\"; scanf(f, &x);",
        "int scanf(const char *, ...); long x; scanf(\"%d\", &x);",
        "int vsscanf(const char *, const char *, __builtin_va_list); __builtin_va_list l; vsscanf(\"\", \"\", l);",
        "int pthread_create(void *, void *, void *, void *); long t; pthread_create(&t, 0, 0, 0);",
        "unsigned long __fread_chk(); char b[4]; __fread_chk(b, 4, 1, 4, 0);",
        "int putenv(char *); char b[4] = \"A=1\"; putenv(b);",
        "void *signal(int, void *); signal(2, 0);",
        "int x; printf(\"%d%n\", 1, &x);",
        "int x; char *format = \"%d\"; printf(format, &x);",
        "__builtin_something(1);",
        "__sync_something(1);",
        "__CPROVER_something(1);",
        "__VERIFIER_something(1);",
        "__VERIFIER_nondet_int(&call);",
        "double lgamma(double); lgamma(1.0);",
    ] {
        let text = format!("int call; int main(void) {{ {call} return 0; }}");
        let found = common::outcome(&compiled(&text, REACH).lowered.program, 0);
        assert!(
            found.starts_with("incomplete: a call of"),
            "{call}: {found}"
        );
    }
    expect_all(
        REACH,
        &[
            ("printf(\"%s %-5.3ld%%n\", \"x\", 5L);", 0, "exit"),
            ("int puts(const char *); puts(\"x\");", 0, "exit"),
            ("int rand(void); assert(rand() >= 0);", -7, "blocked"),
            (
                "int getchar(void); assert(getchar() <= 255);",
                256,
                "blocked",
            ),
            (
                "int usleep(unsigned); int r = usleep(1); assert(r == 0 || r == -1);",
                -1,
                "exit",
            ),
        ],
    );
}

#[test]
fn memory_of_the_library_is_not_the_programs() {
    let getenv = "char *getenv(const char *); char *p = getenv(\"A\"); ";
    expect_all(
        MEM,
        &[
            (
                &format!("{getenv} int x; if ((void *)p == (void *)&x) return *(int *)0;"),
                7,
                "exit",
            ),
            (&format!("{getenv} if (p) return *p;"), 7, "exit"),
            (&format!("{getenv} return *p;"), 0, "valid-deref"),
            (
                &format!("{getenv} if (getenv(\"A\") != p) return *(int *)0;"),
                7,
                "exit",
            ),
            (&format!("{getenv} if (p) return p[8];"), 7, "valid-deref"),
            (
                "void *gethostbyname(char *); int *p = gethostbyname(\"A\"); if (p) return *p;",
                7,
                "incomplete: a use of memory of the command line or of the C library",
            ),
        ],
    );
}

#[test]
fn what_comes_from_outside() {
    let fread =
        "unsigned long fread(void *, unsigned long, unsigned long, void *); char b[4] = { 0 };";
    let fgets = "char *fgets(char *, int, void *); char b[4] = { 0 };";
    let read = "long read(int, void *, unsigned long); char b[4] = { 0 };";
    expect_all(
        REACH,
        &[
            (
                &format!("{fread} fread(b, 2, 2, 0); assert(b[0] == 0);"),
                1,
                "unreach-call",
            ),
            (
                &format!("{fread} fread(b, 2, 2, 0); assert(b[2] == 1 && b[3] == 0);"),
                1,
                "exit",
            ),
            (
                &format!("{fgets} if (fgets(b, 4, 0)) assert(b[0] == 0);"),
                0,
                "exit",
            ),
            (
                &format!("{fgets} fgets(b, 4, 0); assert(b[0] == 0);"),
                1,
                "unreach-call",
            ),
            (
                &format!("{read} long n = read(0, b, 4); assert(n <= 4);"),
                5,
                "blocked",
            ),
            (
                &format!("{read} assert(read(0, b, 4) == 3 && b[2] == 3 && b[3] == 0);"),
                3,
                "exit",
            ),
            (
                "int posix_memalign(void **, unsigned long, unsigned long); void *p; assert(posix_memalign(&p, 3, 4) == 22);",
                0,
                "exit",
            ),
            (
                "int posix_memalign(void **, unsigned long, unsigned long); char *p; posix_memalign(&p, 8, 4); p[3] = 1; assert(p[3]);",
                0,
                "exit",
            ),
            (
                "unsigned sleep(unsigned); assert(sleep(3) <= 3);",
                4,
                "blocked",
            ),
        ],
    );
    expect_all(
        MEM,
        &[(&format!("{fread} fread(b, 2, 3, 0);"), 3, "valid-deref")],
    );
}

#[test]
fn clocks_and_error_codes() {
    let errno = "int *__errno_location(void); int close(int); ";
    expect_all(
        REACH,
        &[
            (
                "long time(long *); long t = 0; time(&t); assert(t == 0);",
                5,
                "unreach-call",
            ),
            (
                "long time(long *); long t = 0; time(0); assert(t == 0);",
                5,
                "exit",
            ),
            (
                "long time(long *); long t, r = time(&t); assert(t == r);",
                5,
                "exit",
            ),
            (
                &format!("{errno} *__errno_location() = 3; assert(*__errno_location() == 3);"),
                0,
                "exit",
            ),
            (
                &format!(
                    "{errno} *__errno_location() = 0; close(1); assert(*__errno_location() == 0);"
                ),
                -1,
                "unreach-call",
            ),
        ],
    );
    // An allocation that fails says why.
    let text = "int *__errno_location(void); int main(void) { *__errno_location() = 0; \
                char *p = malloc(1); assert(p || *__errno_location() == 0); return 0; }";
    let options = Options {
        model: DataModel::Lp64,
        properties: Properties {
            valid_deref: true,
            ..Properties::REACH
        },
        granted: Granted::none(),
        ..Options::default()
    };
    let texts = vec![("t.c".to_owned(), text.as_bytes().to_vec())];
    let program = compile_texts(texts, &options).expect("C").lowered.program;
    assert_eq!(common::outcome(&program, 1), "unreach-call");
    expect_all(
        MEM,
        &[(
            &format!("{errno} *__errno_location() = 0; if (*__errno_location()) return 1;"),
            0,
            "exit",
        )],
    );
}

#[test]
fn builtins_have_their_own_types() {
    expect_all(
        REACH,
        &[
            (
                "assert(__builtin_llabs(-5000000000LL) == 5000000000LL);",
                0,
                "exit",
            ),
            (
                "char a[4], b[4] = { 1 }; char *p = __builtin___memcpy_chk(a, b, 4, 4); assert(p == a && *p == 1);",
                0,
                "exit",
            ),
            (
                "char a[4]; assert(__builtin_object_size(a, 0) == 4);",
                0,
                "exit",
            ),
            (
                "char *p = malloc(4); assert(__builtin_object_size(p, 0) == -1UL && __builtin_object_size(p, 2) == 0);",
                0,
                "exit",
            ),
            ("assert(__builtin_bitreverse8(0x12) == 0x48);", 0, "exit"),
            ("assert(__builtin_rotateleft8(0x81, 9) == 0x03);", 0, "exit"),
            (
                "assert(__builtin_rotateright32(1, 1) == 0x80000000u);",
                0,
                "exit",
            ),
            ("assert(__builtin_rotateleft64(5, 0) == 5);", 0, "exit"),
            (
                "long x; assert(__builtin_saddl_overflow(1, 2, &x) == 0 && x == 3);",
                0,
                "exit",
            ),
            (
                "assert(__builtin_expect_with_probability(5, 1, 0.5) == 5);",
                0,
                "exit",
            ),
            (
                "char *p = __builtin_alloca_with_align(8, 64); p[7] = 1; assert(p[7]);",
                0,
                "exit",
            ),
        ],
    );
}

#[test]
fn vocabulary_of_cbmc() {
    expect_all(
        REACH,
        &[
            ("__CPROVER_precondition(nondet(), \"\");", 0, "unreach-call"),
            ("__CPROVER_postcondition(nondet(), \"\");", 1, "exit"),
            (
                "int x = 0; __CPROVER_havoc_object(&x); assert(x == 0);",
                1,
                "unreach-call",
            ),
            (
                "struct { int a, b; } s = { 0 }; __CPROVER_havoc_object(&s.a); assert(s.b == 0);",
                1,
                "unreach-call",
            ),
            (
                "int a[4] = { 0 }; __CPROVER_havoc_slice(a + 1, 4); assert(a[1] == 0);",
                1,
                "unreach-call",
            ),
            (
                "int a[4] = { 0 }; __CPROVER_havoc_slice(a + 1, 4); assert(a[0] == 0 && a[2] == 0);",
                1,
                "exit",
            ),
            ("int *p = 0; assert(!__CPROVER_r_ok(p, 4));", 0, "exit"),
            (
                "int x; assert(__CPROVER_r_ok(&x) && __CPROVER_w_ok(&x, 4) && !__CPROVER_rw_ok(&x, 5));",
                0,
                "exit",
            ),
            (
                "char *p = malloc(2); free(p); assert(!__CPROVER_r_ok(p, 1));",
                0,
                "exit",
            ),
            (
                "int a[2], b[2]; assert(__CPROVER_same_object(a, a + 1) && !__CPROVER_same_object(a, b));",
                0,
                "exit",
            ),
            (
                "int a[4]; assert(__CPROVER_POINTER_OFFSET(&a[2]) == 8 && __CPROVER_OBJECT_SIZE(a + 1) == 16);",
                0,
                "exit",
            ),
            (
                "int a; assert(__CPROVER_POINTER_OBJECT(&a) != __CPROVER_POINTER_OBJECT(0));",
                0,
                "exit",
            ),
            (
                "int a; assert(!__CPROVER_DYNAMIC_OBJECT(&a) && __CPROVER_DYNAMIC_OBJECT(malloc(1)));",
                0,
                "exit",
            ),
            (
                "char *p = __CPROVER_allocate(4, 1); assert(p[3] == 0 && __CPROVER_OBJECT_SIZE(p) == 4);",
                0,
                "exit",
            ),
            (
                "__CPROVER_size_t n = -1; __CPROVER_bool b = 2; assert(n > 0 && b == 1);",
                0,
                "exit",
            ),
            (
                "unsigned __CPROVER_bitvector[8] x = 300; __CPROVER_bitvector[16] y = -1; assert(x == 44 && y == -1);",
                0,
                "exit",
            ),
        ],
    );
    let slice = "int a[4]; __CPROVER_havoc_slice(a, sizeof a + 1);";
    expect_all(MEM, &[(slice, 0, "valid-deref")]);
}

#[test]
fn implications_and_bounded_quantifiers() {
    expect_all(
        REACH,
        &[
            ("int x = nondet(); assert(x > 5 ==> x > 4);", 6, "exit"),
            (
                "int x = nondet(); assert(x > 4 ==> x > 5);",
                5,
                "unreach-call",
            ),
            // To the right, and weaker than `||`: 0 ==> (0 ==> 0), (1 || 0) ==> 0.
            ("assert(0 ==> 0 ==> 0);", 0, "exit"),
            ("assert(!(1 || 0 ==> 0));", 0, "exit"),
            ("assert(0 ==> 1 / nondet());", 0, "exit"),
            (
                "int a[3] = { 1, 2, 3 }; assert(__CPROVER_forall { int i; 0 <= i && i < 3 ==> a[i] == i + 1 });",
                0,
                "exit",
            ),
            (
                "int a[3] = { 1, 2, 4 }; assert(__CPROVER_forall { int i; i >= 0 && i <= 2 ==> a[i] == i + 1 });",
                0,
                "unreach-call",
            ),
            (
                "int a[3] = { 1, 2, 3 }; assert(__CPROVER_exists { unsigned i; i < 3 && a[i] == 3 });",
                0,
                "exit",
            ),
            (
                "int a[3] = { 1, 2, 3 }; assert(__CPROVER_exists { int i; 0 < i && 3 > i && a[i] == 1 });",
                0,
                "unreach-call",
            ),
            (
                "assert(__CPROVER_forall { char i; 0 <= i && i < 100 ==> i < 101 });",
                0,
                "exit",
            ),
            (
                "assert(__CPROVER_forall { char i; 0 <= i && i < 200 ==> i < 201 });",
                0,
                "exit",
            ),
            // Any number outside of the range will do.
            (
                "assert(__CPROVER_exists { int i; 0 <= i && i < 2 ==> 0 });",
                0,
                "exit",
            ),
            ("assert(__CPROVER_forall { int i; i == i });", 0, "exit"),
            (
                "assert(__CPROVER_exists { int i; i + 0 < 2 });",
                0,
                "incomplete: a quantifier without bounds",
            ),
        ],
    );
}

/// The last function that is registered runs first, and before destructors.
#[test]
fn functions_run_at_exit() {
    let program = |end: &str| {
        format!(
            "int atexit(void (*)(void)); int at_quick_exit(void (*)(void)); void exit(int); void quick_exit(int);
             void _exit(int); static int n;
             static void one(void) {{ assert(n == 2); n = 1; }}
             static void two(void) {{ assert(n == 0); n = 2; }}
             static void quick(void) {{ assert(n == 7); n = 9; assert(0); }}
             __attribute__((destructor)) static void last(void) {{ assert(n != 1); }}
             int main(void) {{ at_quick_exit(quick); atexit(one); atexit(two); {end} }}"
        )
    };
    for (end, outcome) in [
        ("return 0;", "unreach-call"),
        ("exit(0);", "unreach-call"),
        ("_exit(0);", "stopped"),
        ("n = 5; return 0;", "unreach-call"),
        ("n = 7; quick_exit(0);", "unreach-call"),
    ] {
        let lowered = compiled(&program(end), REACH).lowered;
        assert_eq!(common::outcome(&lowered.program, 0), outcome, "{end}");
    }
    let fine = "int atexit(void (*)(void)); static int n; static void one(void) { assert(n == 1); }
                int main(void) { atexit(one); n = 1; return 0; }";
    let lowered = compiled(fine, REACH).lowered;
    assert_eq!(common::outcome(&lowered.program, 0), "exit");
}

/// Text goes where it fits, and a text that does not fit is a violation.
#[test]
fn printing_into_memory_is_checked() {
    let print = "int sprintf(char *, const char *, ...); int snprintf(char *, unsigned long, const char *, ...);";
    let case = |text: &str| format!("{print} {text}");
    for (body, n, outcome) in [
        ("char b[4]; sprintf(b, \"%d\", nondet());", 123, "exit"),
        (
            "char b[4]; sprintf(b, \"%d\", nondet());",
            -123,
            "valid-deref",
        ),
        (
            "char b[4]; snprintf(b, 4, \"%d\", nondet());",
            -12345,
            "exit",
        ),
        (
            "char b[4]; snprintf(b, 5, \"%d\", nondet());",
            -12345,
            "valid-deref",
        ),
        (
            "char b[4]; char *s = 0; snprintf(b, 4, \"%s\", s);",
            0,
            "valid-deref",
        ),
        (
            "char s[2] = {65, 66}, b[4]; snprintf(b, 4, \"%s\", s);",
            0,
            "valid-deref",
        ),
        (
            "char s[2] = {65, 66}, b[4]; snprintf(b, 4, \"%.2s\", s);",
            0,
            "exit",
        ),
        // Digits are anything, but how many there are is known.
        ("char b[9]; sprintf(b, \"%f\", 9.5);", 48, "exit"),
        ("char b[9]; sprintf(b, \"%f\", 12.5);", 48, "valid-deref"),
        ("char b[9]; sprintf(b, \"%.3e\", 12.5);", 48, "valid-deref"),
        ("char b[10]; sprintf(b, \"%.3e\", 12.5);", 48, "exit"),
    ] {
        expect_all(MEM, &[(&case(body), n, outcome)]);
    }
    for (body, reason) in [
        (
            "char b[9]; sprintf(b, \"%Lf\", 1.0L);",
            "a conversion of a format that has no model",
        ),
        (
            "char b[9], *f = \"%q\"; sprintf(b, f, 1);",
            "a conversion of a format that has no model",
        ),
        (
            "char b[9]; sprintf(b, \"%s\", 1);",
            "'va_arg' of a type that the argument does not have",
        ),
    ] {
        expect_all(REACH, &[(&case(body), 0, &format!("incomplete: {reason}"))]);
    }
}

/// A stream holds anything; what is written has the type of the conversion.
#[test]
fn scanning_writes_what_it_says() {
    let scan = "int scanf(const char *, ...); int sscanf(const char *, const char *, ...);";
    for (body, n, outcome) in [
        (
            "int x = 5; if (scanf(\"%d\", &x) == 1) assert(x == 5); else assert(x == 5);",
            0,
            "unreach-call",
        ),
        (
            "int x = 5; if (scanf(\"%d\", &x) != 1) assert(x == 5);",
            1,
            "exit",
        ),
        (
            "int x; assert(sscanf(\"17\", \"%d\", &x) == 1 && x == 17);",
            0,
            "exit",
        ),
    ] {
        expect_all(REACH, &[(&format!("{scan} {body}"), n, outcome)]);
    }
    let print = "int asprintf(char **, const char *, ...); void free(void *); char *p;";
    let body =
        format!("{print} if (asprintf(&p, \"%d!\", 42) == 3) {{ assert(p[2] == 33); free(p); }}");
    expect_all(REACH, &[(&body, 3, "exit"), (&body, 4, "blocked")]);
    let body = format!("{scan} char b[3]; sscanf(\"abc\", \"%s\", b);");
    expect_all(MEM, &[(&body, 0, "valid-deref")]);
}

/// A jump to where nothing waits is like a call of nothing.
#[test]
fn jumps_into_nowhere_are_violations() {
    let program = |body: &str| {
        format!(
            "typedef struct {{ long room[32]; }} jmp_buf[1]; int _setjmp(jmp_buf); void longjmp(jmp_buf, int);
             static jmp_buf b; static void wait(void) {{ _setjmp(b); }} int main(void) {{ {body} return 0; }}"
        )
    };
    for (body, memory, reach) in [
        (
            "longjmp(b, 1);",
            "valid-deref",
            "incomplete: a 'longjmp' to where 'setjmp' has not been",
        ),
        (
            "wait(); longjmp(b, 1);",
            "valid-deref",
            "incomplete: a 'longjmp' to a function that has returned",
        ),
        ("if (_setjmp(b) == 0) longjmp(b, 1);", "exit", "exit"),
        (
            "if (_setjmp(b) == 0) longjmp(b, 0); else assert(0);",
            "exit",
            "unreach-call",
        ),
    ] {
        for (properties, outcome) in [(MEM, memory), (REACH, reach)] {
            let lowered = compiled(&program(body), properties).lowered;
            assert_eq!(common::outcome(&lowered.program, 0), outcome, "{body}");
        }
    }
}

#[test]
fn uninterpreted_functions_are_functions() {
    let program = "int __CPROVER_uninterpreted_f(int, int); int nondet(void);
        int main(void) { int a = nondet(); assert(__CPROVER_uninterpreted_f(1, a) == __CPROVER_uninterpreted_f(1, nondet())); return 0; }";
    let lowered = compiled(program, REACH).lowered;
    assert_eq!(common::outcome(&lowered.program, 3), "exit");
    let arrays = "int a[3] = {1, 2, 3}, b[3]; __CPROVER_array_copy(b, a); assert(b[2] == 3); __CPROVER_array_set(b, 7);
        assert(b[0] == 7 && b[2] == 7); char c[2] = {8, 9}, d[4] = {0}; __CPROVER_array_replace(d + 1, c); assert(d[0] == 0 && d[2] == 9);";
    expect_all(REACH, &[(arrays, 0, "exit")]);
    let numbers = "enum E { A = 1, B = 5 } e = nondet(); assert(__CPROVER_enum_is_in_range(e));";
    expect_all(REACH, &[(numbers, 5, "exit"), (numbers, 2, "unreach-call")]);
    let claims =
        "int k = nondet(); __CPROVER_assume(__CPROVER_exists { int i; i > k }); assert(k != 3);";
    expect_all(REACH, &[(claims, 3, "blocked")]);
    let all = "__CPROVER_assert(__CPROVER_forall { int i; i != 3 }, \"\");";
    expect_all(REACH, &[(all, 3, "unreach-call"), (all, 4, "exit")]);
    let none = "__CPROVER_assume(__CPROVER_forall { int i; i != 3 });";
    expect_all(
        REACH,
        &[(none, 4, "incomplete: a quantifier without bounds")],
    );
}

/// As many strings as the number says, each of which ends, and a null pointer behind them.
#[test]
fn main_gets_strings() {
    let strict = Granted::none();
    for (body, n, outcome) in [
        ("return argv[argc] != 0;", 1, "exit"),
        ("return *argv[argc];", 1, "valid-deref"),
        ("return argv[argc + 1] == 0;", 1, "valid-deref"),
        ("if (argc > 0) return argv[0][0];", 1, "exit"),
        ("if (argc > 0) return argv[0][2];", 1, "valid-deref"),
        (
            "argv[0] = 0; if (argc > 0) return argv[0][0];",
            1,
            "valid-deref",
        ),
    ] {
        let text = format!("int main(int argc, char **argv) {{ {body} return 0; }}");
        let lowered = compiled(&text, MEM).lowered;
        assert_eq!(common::outcome(&lowered.program, n), outcome, "{body}");
        let options = Options {
            model: DataModel::Lp64,
            properties: MEM,
            granted: strict.clone(),
            ..Options::default()
        };
        let texts = vec![("t.c".to_owned(), text.into_bytes())];
        let lowered = compile_texts(texts, &options).expect("C").lowered;
        let found = common::outcome(&lowered.program, n);
        assert_eq!(found, "incomplete: 'argv-well-formed' is not assumed: argv");
    }
    let idle = "int main(int argc, char **argv) { return argc > 0; }";
    assert_eq!(
        common::outcome(&compiled(idle, MEM).lowered.program, 0),
        "exit"
    );
}
