//! What the standard leaves open: the assumptions that are made there and where they are told, values that nobody gave, and lives of
//! objects that are over.

use crate::common;
use crate::lower::{PRELUDE, expect};
use trellis_frontend_c::assumptions::Granted;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{Options, compile_texts};
use trellis_ivl::LocKind;

#[test]
fn assumptions_are_recorded_where_they_are_made() {
    let text = "int outside(int); int unused(void); void *malloc(unsigned long);\n\
        int main(void) {\n  int a = outside(1);\n  char *p = malloc(2);\n  return outside(a) + (p == 0);\n}";
    let ledger = |granted: Granted| {
        let options = Options {
            granted,
            ..Options::default()
        };
        let texts = vec![("t.c".to_owned(), text.as_bytes().to_vec())];
        let compiled = compile_texts(texts, &options).expect("a program");
        let entries = compiled.lowered.assumptions.iter();
        let entries: Vec<String> = entries
            .map(|e| {
                let places: Vec<u32> = e.places.iter().map(|p| p.line).collect();
                format!("{} {} {places:?}", e.assumption.name(), e.detail)
            })
            .collect();
        let locs = compiled.lowered.program.locs.values();
        let incomplete = locs.filter(|l| matches!(l.kind, LocKind::Incomplete(_)));
        (entries, incomplete.count())
    };
    let outside = "extern-functions-change-nothing outside [3, 5]".to_string();
    let malloc = "malloc-succeeds malloc [4]".to_string();
    let (entries, limits) = ledger(Granted::task());
    assert_eq!(entries, [outside.clone(), malloc]);
    // Where accesses are not checked, what follows a failed allocation is not known either.
    assert_eq!(ledger(Granted::plain()), (vec![outside], limits + 1));
    // The first call of a function that may do anything is where nothing more is known.
    assert_eq!(ledger(Granted::none()), (Vec::new(), 1));
}

#[test]
fn allocation_may_fail() {
    let text = "int main(void) { char *p = malloc(1); if (!p) reach_error(); free(p); return 0; }";
    let texts = || vec![("t.c".to_owned(), format!("{PRELUDE}\n{text}").into_bytes())];
    for (granted, ends) in [
        (Granted::plain(), ["unreach-call", "exit"]),
        (Granted::task(), ["exit", "exit"]),
    ] {
        let options = Options {
            granted,
            properties: Properties {
                valid_deref: true,
                ..Properties::REACH
            },
            ..Options::default()
        };
        let program = compile_texts(texts(), &options).expect("a program");
        for (n, end) in [1, 0].into_iter().zip(ends) {
            assert_eq!(common::outcome(&program.lowered.program, n), end, "{n}");
        }
    }
}

/// The assumptions that a program rests on, by name and detail.
fn assumed(text: &str) -> Vec<String> {
    let texts = vec![("t.c".to_owned(), format!("{PRELUDE}\n{text}").into_bytes())];
    let compiled = compile_texts(texts, &Options::default()).expect("a program");
    let entries = compiled.lowered.assumptions.iter();
    entries
        .map(|e| format!("{}: {}", e.assumption.name(), e.detail))
        .collect()
}

#[test]
fn order_matters_where_one_writes_what_the_other_touches() {
    let with = |main: &str| {
        assumed(&format!(
            "int n, m, a[3]; int up(void) {{ return ++n; }} int twice(int x) {{ return 2 * x; }}\n\
             int get(void) {{ return n; }} int other(void) {{ return ++m; }}\n\
             void set(int *p) {{ *p = 1; }} int both(int x, int y) {{ return x - y; }}\n\
             int main(void) {{ int i = 0, j = 0; {main}; return i + j + a[0]; }}"
        ))
    };
    let open = |what: &str| vec![format!("evaluation-order: {what}")];
    assert_eq!(with("i = up() - get()"), open("operands of an operator"));
    assert_eq!(with("i = both(up(), up())"), open("arguments of a call"));
    assert_eq!(with("a[i] = i++"), open("both sides of an assignment"));
    for fine in [
        "i = up() + other()",
        "i = twice(1) + twice(up())",
        "i = up() && get()",
        "i = both(up(), j)",
        "a[i] = up()",
        "set(a), i = a[0]",
    ] {
        assert_eq!(with(fine), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn other_assumptions() {
    assert_eq!(
        assumed("volatile int v; int main(void) { v = 1; return v; }"),
        ["volatile-is-memory: v"]
    );
    assert_eq!(
        assumed("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }"),
        ["stack-suffices: f"]
    );
    assert_eq!(
        assumed("int main(void) { int x; int *p = &x; return (unsigned)p % 4; }"),
        ["address-layout: a pointer as a number"]
    );
    assert_eq!(
        assumed("int a, b; int main(void) { int *p = &a, *q = &b; return p < q; }"),
        ["address-layout: the order of pointers, should they lead to different objects"]
    );
    assert_eq!(
        assumed("int a[2], b; int main(void) { int *p = a + 2; return p == &b; }"),
        ["address-layout: whether pointers are equal, should one lead just behind an object"]
    );
    assert_eq!(
        assumed(
            "int a[4]; int main(void) { int *p = a, *q = a + 3; while (p < q) p++; return q - p; }"
        ),
        [""; 0]
    );
    assert_eq!(
        assumed("extern int *p; int g; int main(void) { g = 1; *p = 2; return g; }"),
        ["extern-pointers-lead-elsewhere: an access through a pointer from outside"]
    );
    assert_eq!(
        assumed("int __foo(int *); int main(void) { int x = 1; __foo(&x); return x; }"),
        [
            "extern-functions-change-nothing: __foo",
            "reserved-functions-change-nothing: __foo"
        ]
    );
    assert_eq!(
        assumed("int main(int argc, char **argv) { return argc > 1; }"),
        ["argv-well-formed: argc"]
    );
    assert_eq!(
        assumed("int main(int argc, char **argv) { return 0; }"),
        [""; 0]
    );
}

#[test]
fn reads_of_what_nothing_has_set() {
    let p = Properties {
        uninit: true,
        ..Properties::NONE
    };
    let n = 3;
    let bad = [
        "int main(void) { int x; return x; }",
        "int main(void) { int x; if (__VERIFIER_nondet_int() == 4) x = 1; return x + 1; }",
        "int main(void) { int a[4]; a[0] = 1; return a[1]; }",
        "struct s { int u, v; }; int main(void) { struct s s; s.u = 1; return s.v; }",
        "int main(void) { int sum; for (int i = 0; i < 3; i++) sum += i; return sum; }",
        "int main(void) { int i = 0; while (i < 2) { int x; if (i) return x; x = 1; i += x; } return 0; }",
        "int main(void) { int *p; if (p) return 1; return 0; }",
        "int get(int *p) { if (__VERIFIER_nondet_int() == 3) return -1; *p = 1; return 0; }\n\
         int main(void) { int v; get(&v); return v; }",
        "struct s { int u, v; }; void set(struct s *s) { s->u = 1; }\n\
         int main(void) { struct s s; set(&s); return s.v; }",
        "int main(void) { char a[4]; a[1] = 1; return a[0] == 'x'; }",
    ];
    for text in bad {
        expect(text, p, n, "uninit");
    }
    let good = [
        "int main(void) { int x; if (__VERIFIER_nondet_int() == 3) x = 1; return x; }",
        "int main(void) { int x; x = 2; return x; }",
        "int main(void) { int i; for (i = 0; i < 3; i++) ; return i; }",
        "int main(void) { int a[4]; for (int i = 0; i < 4; i++) a[i] = i; return a[3]; }",
        "struct s { char c; int v; }; int main(void) { struct s s, t; s.v = 1; t = s; return t.v; }",
        "struct s { int u, v; } f(void) { struct s s; s.u = 1; return s; } int main(void) { return f().u; }",
        "int main(void) { char a[4], b[4]; a[0] = 1; for (int i = 0; i < 4; i++) b[i] = a[i]; return b[0]; }",
        "int main(void) { int x, y; y = (x = 3) + 1; return x + y; }",
        "int g; int main(void) { static int s; return g + s; }",
        "int get(int *p) { if (__VERIFIER_nondet_int() == 4) return -1; *p = 1; return 0; }\n\
         int main(void) { int v; if (get(&v) < 0) return 1; return v; }",
        "void outside(int *); int main(void) { int v; outside(&v); return v; }",
        "void *memset(void *, int, unsigned); void *memcpy(void *, const void *, unsigned);\n\
         struct s { char c; int v; };\n\
         int main(void) { struct s s, t; memset(&s, 0, sizeof s); memcpy(&t, &s, sizeof t); return t.v; }",
        "void *memcpy(void *, const void *, unsigned);\n\
         int main(void) { int v, w; memcpy(&w, &v, sizeof w); v = 1; return v; }",
        "int main(void) { int x; (void)sizeof x; return 0; }",
    ];
    for text in good {
        expect(text, p, n, "exit");
    }
}

/// In memory one byte is watched: it is the one that every input names.
#[test]
fn reads_of_memory_that_nothing_has_set() {
    // Accesses are checked as well, so that pointers lead to what the program has.
    let p = Properties {
        uninit: true,
        valid_deref: true,
        ..Properties::NONE
    };
    // The first dynamic object, and its second word.
    let (first, second) = (-(1i64 << 31), -(1i64 << 31) + 4);
    let prelude = "void *malloc(unsigned); void *calloc(unsigned, unsigned); void *realloc(void *, unsigned);\n\
        void *memcpy(void *, const void *, unsigned); void *memset(void *, int, unsigned); void outside(void *);\n\
        int memcmp(const void *, const void *, unsigned);\n\
        struct s { char c; int v; };";
    let bad = [
        ("int *p = malloc(4); return *p;", first),
        ("int *p = malloc(8); p[0] = 1; return p[1];", second),
        (
            "struct s *p = malloc(sizeof *p); p->c = 1; return p->v;",
            second,
        ),
        (
            "int *p = malloc(4); p[0] = 1; p = realloc(p, 8); return p[1];",
            second + (1 << 26),
        ),
        ("char *p = malloc(4); if (p[0] == 'a') return 1;", first),
        ("char *p = malloc(4); return memcmp(p, \"a\", 1);", first),
        ("int a[20]; a[0] = 1; return *(a + 1);", second),
        (
            "char *p = malloc(4), *q = p; while ((*q++ = *p++)) ;",
            first,
        ),
    ];
    for (main, n) in bad {
        let text = format!("{prelude} int main(void) {{ {main} return 0; }}");
        expect(&text, p, n, "uninit");
        // Where another byte is watched nothing is seen.
        expect(&text.replace("while", "if"), p, 7, "exit");
    }
    let good = [
        "int *p = malloc(4); *p = 1; return *p;",
        "int *p = calloc(2, 4); return p[0] + p[1];",
        "int *p = malloc(4); *p = 1; p = realloc(p, 8); return p[0];",
        "struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->v = 1; *q = *p; memcpy(p, q, sizeof *p); return q->v;",
        "char *p = malloc(8), b[8]; for (int i = 0; i < 8; i++) b[i] = p[i]; char c = p[0]; return 0;",
        "int *p = malloc(8); memset(p, 0, 8); return p[1];",
        "int *p = malloc(8); outside(p); return p[1];",
        "int *p = malloc(8); (void)p[1]; return 0;",
        "int a[20]; for (int i = 0; i < 20; i++) a[i] = i; return *(a + 1);",
        // Initialisers set what they cover, also where strangers know the object.
        "for (int i = 0; i < 2; i++) { struct s o = { 1, 2 }; struct s *p = &o; if (p->v == 4) return 1; outside(p); } return 0;",
        "for (int i = 0; i < 2; i++) { int x = 5; int *p = &x; if (*p == 4) return 1; outside(p); } return 0;",
    ];
    for main in good {
        let text = format!("{prelude} int main(void) {{ {main} }}");
        for n in [first, second, first + (1 << 20), second + (1 << 20)] {
            expect(&text, p, n, "exit");
        }
    }
}

#[test]
fn values_that_nobody_gave() {
    let p = Properties {
        uninit: true,
        ..Properties::NONE
    };
    let bad = [
        "int f(int x) { if (x) return 3; } int main(void) { return f(0); }",
        "int f(int x) { if (x) return 3; return; } int main(void) { int r = f(0); return 0; }",
        "int f(int x) { while (x) { if (x == 4) break; return 1; } } int main(void) { return f(4); }",
        "int main(void) { goto in; { int x = 5; in: return x; } }",
        "int main(void) { switch (1) { int x = 5; case 1: return x; } return 0; }",
    ];
    for text in bad {
        expect(text, p, 0, "uninit");
    }
    let good = [
        "int f(int x) { if (x) return 3; } int main(void) { return f(1); }",
        "int f(int x) { if (x) return 3; } int main(void) { f(0); (void)f(0); return 0; }",
        "void stop(void) __attribute__((noreturn)); int f(int x) { if (x) return 3; stop(); } int main(void) { return f(1); }",
        "int f(int x) { for (;;) if (x++ > 3) return x; } int main(void) { return f(1); }",
        "int main(void) { goto in; { int x = 5; in: x = 1; return x; } }",
        "int main(void) { int i = 0; again: ; int x = 5; if (i++ < 2) goto again; return x; }",
        "int main(void) { int x; (void)x; return 0; }",
    ];
    for text in good {
        expect(text, p, 0, "exit");
    }
}

#[test]
fn lives_of_locals() {
    let p = Properties {
        valid_deref: true,
        ..Properties::NONE
    };
    let bad = [
        "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (p) return *p; p = &x; } return 0; }",
        "int *kept; int f(void) { int x = 1; int r = kept ? *kept : 0; kept = &x; return r; } int main(void) { f(); return f(); }",
        "struct s { int *p; }; void f(struct s *s) { int x = 1; if (s->p) *s->p = 2; s->p = &x; }\n\
         int main(void) { struct s s = {0}; f(&s); f(&s); return 0; }",
        "int main(void) { int *p; for (int i = 0; i < 2; i++) { if (i) return *p; p = (int[]){i}; } return 0; }",
    ];
    for text in bad {
        expect(text, p, 0, "valid-deref");
    }
    let good = [
        "int main(void) { int s = 0; for (int i = 0; i < 2; i++) { int x = i, *p = &x; s += *p; } return s; }",
        "void set(int *p) { *p = 1; } int f(void) { int x; set(&x); return x; } int main(void) { f(); return f(); }",
        "int main(void) { int x = 0, *p = 0; again: if (p) return *p; p = &x; goto again; }",
    ];
    for text in good {
        expect(text, p, 0, "exit");
    }
}

#[test]
fn undefined_behaviour_of_the_library() {
    let prelude = "void *memcpy(void *, const void *, unsigned); void *memmove(void *, const void *, unsigned);\n\
        char *strcpy(char *, const char *); char *strcat(char *, const char *); int printf(const char *, ...);\n\
        void *realloc(void *, unsigned);";
    let all = Properties {
        valid_memtrack: false,
        ..Properties::ALL
    };
    let cases = [
        (
            "char b[8] = \"1234567\"; memcpy(b, b + 2, 4);",
            "valid-deref",
        ),
        (
            "char b[8] = \"1234567\"; memcpy(b + 2, b, 4);",
            "valid-deref",
        ),
        (
            "char b[8] = \"1234567\"; memcpy(b, b + 4, 4); memcpy(b, b, 8); memmove(b, b + 1, 6);",
            "exit",
        ),
        ("char b[8] = \"123\"; strcpy(b, b + 1);", "valid-deref"),
        (
            "char b[8] = \"123\"; strcpy(b, b + 4); strcpy(b, b);",
            "exit",
        ),
        (
            "char *p = malloc(4); p = realloc(p, 0); if (p) reach_error();",
            "exit",
        ),
        (
            "char *p = malloc(4), *q = realloc(p, 0); free(p);",
            "valid-free",
        ),
        ("unsigned x = 0; return __builtin_clz(x);", "shift-range"),
        (
            "unsigned long long x = 0; return __builtin_ctzll(x);",
            "shift-range",
        ),
        (
            "unsigned x = 1; return __builtin_clz(x) + __builtin_ctz(x);",
            "exit",
        ),
        ("int x = 1; if (x) __builtin_unreachable();", "unreach-call"),
        ("int x = 1; if (!x) __builtin_unreachable();", "exit"),
        (
            "printf(\"%d %s\", 1);",
            "incomplete: a format that does not fit its arguments",
        ),
        (
            "printf(\"%s\", 5);",
            "incomplete: a format that does not fit its arguments",
        ),
        (
            "printf(\"%d\", 1.5);",
            "incomplete: a format that does not fit its arguments",
        ),
        (
            "printf(\"%d %5.1f %c %m %p %%\", 1L, 2.5f, 'c', &all);",
            "exit",
        ),
    ];
    for (main, wanted) in cases {
        let text = format!("{prelude} int all; int main(void) {{ {main} return 0; }}");
        expect(&text, all, 0, wanted);
    }
}

/// No object is larger than half of the address space.
#[test]
fn allocations_that_cannot_be() {
    let options = || Options {
        granted: Granted::plain(),
        properties: Properties {
            valid_deref: true,
            ..Properties::REACH
        },
        ..Options::default()
    };
    for main in [
        "int n = -1; if (malloc(n)) reach_error();",
        "unsigned n = 1u << 20; if (calloc(n, n)) reach_error();",
    ] {
        let text = format!(
            "{PRELUDE}\nvoid *calloc(unsigned, unsigned); int main(void) {{ {main} return 0; }}"
        );
        let texts = vec![("t.c".to_owned(), text.into_bytes())];
        let program = compile_texts(texts, &options()).expect("a program");
        assert_eq!(
            common::outcome(&program.lowered.program, 0),
            "exit",
            "{main}"
        );
    }
}

#[test]
fn lengths_in_operands() {
    let cases = [
        "int n = 3; if (sizeof(int[n++]) != 12 || n != 4) reach_error();",
        "int n = 3; if (sizeof(sizeof(int[n++]) == 12 ? 1 : 0) != 4 || n != 3) reach_error();",
        "int n = 3; if ((n = 5, sizeof(int[n])) != 20) reach_error();",
        "int n = 3, m = n > 4 ? (int)sizeof(int[n++]) : 0; if (n != 3 || m) reach_error();",
        "int n = 3; if (({ sizeof(char[n]); }) != 3) reach_error();",
        "int r = ({ __label__ out; int r = 0; goto out; r = 1; out: r; }); if (r) reach_error();",
    ];
    for main in cases {
        let text = format!("int main(void) {{ {main} return 0; }}");
        expect(&text, Properties::REACH, 0, "exit");
    }
    expect(
        "extern inline __attribute__((gnu_inline)) int g(int x) { return 1; } int g(int x) { return x; }\n\
         int main(void) { if (g(2) != 2) reach_error(); return 0; }",
        Properties::REACH,
        0,
        "exit",
    );
}

#[test]
fn calls_through_pointers() {
    let with = |main: &str| {
        format!(
            "int one(int x) {{ return x; }} int two(int x, int y) {{ return x + y; }}\n\
             int text(char *s) {{ return s != 0; }} typedef int (*unary)(int);\n\
             void *keep[] = {{ (void *)one, (void *)two, (void *)text }};\n\
             int main(void) {{ unary f = 0; {main} }}"
        )
    };
    let p = Properties {
        valid_deref: true,
        ..Properties::NONE
    };
    expect(&with("f = one; return f(2);"), p, 0, "exit");
    expect(&with("return f(2);"), p, 0, "valid-deref");
    expect(&with("f = (unary)two; return f(2);"), p, 0, "valid-deref");
    // Pointers are alike to every machine.
    let other = "int (*g)(void *) = (int (*)(void *))text; return g(keep);";
    expect(&with(other), p, 0, "exit");
}

#[test]
fn library_calls_are_accesses() {
    let with = |main: &str| {
        format!(
            "typedef struct file FILE; FILE *fopen(const char *, const char *); int fclose(FILE *);\n\
             extern FILE *stdin, *stdout; int fgetc(FILE *); char *fgets(char *, int, FILE *);\n\
             int puts(const char *); int printf(const char *, ...); int fputs(const char *, FILE *);\n\
             int main(void) {{ char b[4] = \"abc\"; {main} return 0; }}"
        )
    };
    let p = Properties {
        valid_deref: true,
        ..Properties::NONE
    };
    let bad = [
        "puts((char *)0);",
        "char *q = malloc(1); free(q); puts(q);",
        "b[3] = 'd'; puts(b);",
        "b[3] = 'd'; printf(\"%d %s\", 1, b);",
        "printf(\"%.*s\", 5, (b[3] = 'd', b));",
        "printf((char *)0);",
        "fgetc((FILE *)0);",
        "fclose((FILE *)0);",
        "FILE *f = fopen(b, b); fclose(f); fclose(f);",
        "FILE *f = fopen(b, b); fclose(f); fgetc(f);",
        "fgets(b, 5, stdin);",
    ];
    for text in bad {
        expect(&with(text), p, 0, "valid-deref");
    }
    let good = [
        "puts(b); puts(\"text\"); printf(\"%s\", b);",
        "b[3] = 'd'; printf(\"%.4s %5d\", b, 3);",
        "FILE *f = fopen(b, \"r\"); fgetc(f); fclose(f);",
        "FILE *f = stdout; fputs(b, f); fgetc(stdin);",
    ];
    for text in good {
        expect(&with(text), p, 0, "exit");
    }
    // It may fail.
    let unchecked = with("FILE *f = fopen(b, b); fclose(f);");
    expect(&unchecked, p, 1, "valid-deref");
}
