//! Small programs about objects, pointers, initialisers and attributes: the locations that runs of them end in.
//!
//! Each class of program comes with twins whose outcome differs.

use crate::common;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{Options, compile_texts};
use trellis_frontend_c::types::DataModel;
use trellis_ivl::{Program, Type};

const PRELUDE: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); \
    void *malloc(unsigned); void abort(void); void exit(int); void *memcpy(void *, const void *, unsigned); \
    int memcmp(const void *, const void *, unsigned); void *nondet_pointer(void); \n";

/// The address of the first object in memory that a program uses, in the 32-bit model.
const FIRST: i64 = 1 << 20;

const REACH: Properties = Properties::REACH;
const DEREF: Properties = Properties {
    valid_deref: true,
    ..Properties::NONE
};

fn compile(texts: &[&str], properties: Properties) -> Program {
    let options = Options {
        model: DataModel::Ilp32,
        properties,
        ..Options::default()
    };
    let texts = texts
        .iter()
        .enumerate()
        .map(|(i, t)| (format!("t{i}.c"), format!("{PRELUDE}{t}").into_bytes()))
        .collect();
    match compile_texts(texts, &options) {
        Ok(c) => c.lowered.program,
        Err(e) => panic!("{e}"),
    }
}

/// Every input, and what another file defines, holds `n`.
fn outcome(program: &Program, n: i64) -> String {
    common::outcome_from(program, n, n)
}

#[track_caller]
fn expect(text: &str, properties: Properties, n: i64, wanted: &str) {
    let found = outcome(&compile(&[text], properties), n);
    assert!(
        found == wanted
            || (wanted.ends_with('*') && found.starts_with(wanted.trim_end_matches('*'))),
        "{text}\n found {found}, wanted {wanted}"
    );
}

#[test]
fn a_pointer_from_elsewhere_may_be_what_it_is_compared_with() {
    let cases = [
        "int main(void) { int *a; int b = 1; if (a == &b) { *a = 5; if (b != 1) reach_error(); } return 0; }",
        "struct s { int *p, *q; }; int main(void) { struct s s; int b = 1; if (s.q == &b) { *s.q = 5; if (b != 1) reach_error(); } return 0; }",
        "int main(void) { int *a = nondet_pointer(); int b = 1; if (a == &b) { *a = 5; if (b != 1) reach_error(); } return 0; }",
        "int main(void) { int *a = (int *)__VERIFIER_nondet_int(); int b = 1; if (a == &b) { *a = 5; if (b != 1) reach_error(); } return 0; }",
        "int main(void) { int *a; int b = 1; if (a >= &b && a <= &b) { *a = 5; if (b != 1) reach_error(); } return 0; }",
        "int main(void) { int *a; int b = 1; if (a - &b == 0) { *a = 5; if (b != 1) reach_error(); } return 0; }",
        "int main(void) { int b = 1, *a; if (__VERIFIER_nondet_int() == 7) a = 0; if (a == &b) { *a = 5; if (b != 1) reach_error(); } return 0; }",
        "int *f(void) { if (__VERIFIER_nondet_int() == 7) return 0; } int main(void) { int b = 1, *a = f(); if (a == &b) { *a = 5; if (b != 1) reach_error(); } return 0; }",
    ];
    for text in cases {
        expect(text, REACH, FIRST, "unreach-call");
        expect(text, REACH, 0, "exit");
    }
}

#[test]
fn pointers_from_outside_may_be_one() {
    expect(
        "int *get(void); int main(void) { int *a = get(), *b = get(); *a = 1; *b = 2; if (*a != 1) reach_error(); return 0; }",
        REACH,
        64,
        "unreach-call",
    );
    expect(
        "extern int *p, *q; int main(void) { int *a = p, *b = q; if (a == b) { *a = 1; *b = 2; if (*a != 1) reach_error(); } return 0; }",
        REACH,
        64,
        "unreach-call",
    );
}

#[test]
fn what_is_set_on_all_ways_comes_from_nowhere_else() {
    // Otherwise the object would be an array of memory, not a variable.
    let text = "int main(void) { int *a; int b = 1; if (__VERIFIER_nondet_int()) a = &b; else a = &b; \
        *a = 5; if (b != 5) reach_error(); return 0; }";
    let program = compile(&[text], REACH);
    assert_eq!(outcome(&program, 0), "exit");
    let mut vars = program.pool.vars().keys();
    let is_array = |v| matches!(program.pool.var_ty(v), Type::Array { .. });
    assert!(!vars.any(is_array));
}

#[test]
fn constants_are_not_written() {
    expect(
        "int main(void) { char *s = \"abc\"; s[0] = 'x'; return 0; }",
        DEREF,
        0,
        "valid-deref",
    );
    expect(
        "int main(void) { char *s = \"abc\"; return s[0] - 'a'; }",
        DEREF,
        0,
        "exit",
    );
    expect(
        "int main(void) { char s[] = \"abc\", *p = s; p[0] = 'x'; return 0; }",
        DEREF,
        0,
        "exit",
    );
    expect(
        "static const int c = 1; int main(void) { *(int *)&c = 2; return 0; }",
        DEREF,
        0,
        "valid-deref",
    );
    expect(
        "const char c[2] = {1}; int main(void) { char *p = (char *)c; p[1] = 2; return 0; }",
        DEREF,
        0,
        "valid-deref",
    );
    expect(
        "int main(void) { const int c[2] = {1, 2}; int *p = (int *)c; p[1] = 3; return 0; }",
        DEREF,
        0,
        "valid-deref",
    );
    // Every round has a constant of its own.
    expect(
        "int main(void) { for (int i = 0; i < 3; i++) { const int c = i; if (*&c != i) return 1; } return 0; }",
        DEREF,
        0,
        "exit",
    );
    expect(
        "static int c = 1; int main(void) { *(int *)(const int *)&c = 2; return 0; }",
        DEREF,
        0,
        "exit",
    );
    expect(
        "int main(void) { char *s = \"abc\"; memcpy(s, \"x\", 1); return 0; }",
        DEREF,
        0,
        "valid-deref",
    );
}

#[test]
fn arrays_have_no_negative_length() {
    let text = "int main(void) { int n = __VERIFIER_nondet_int(); int a[n]; return 0; }";
    expect(text, DEREF, -1, "valid-deref");
    expect(text, DEREF, 0, "exit");
    expect(text, DEREF, 3, "exit");
}

#[test]
fn equal_literals_may_be_one_object() {
    let text = "int main(void) { const char *a = \"abc\", *b = \"abc\"; if (a == b) reach_error(); return 0; }";
    expect(text, REACH, 1, "unreach-call");
    expect(text, REACH, 0, "exit");
    let other = "int main(void) { const char *a = \"abc\", *b = \"abd\"; if (a == b) reach_error(); return 0; }";
    expect(other, REACH, 1, "exit");
}

#[test]
fn addresses_are_no_accesses_and_discarded_structs_are() {
    let s = "struct s { int a, b; }; int main(void) { struct s *p = 0; ";
    expect(&format!("{s} *p; return 0; }}"), DEREF, 0, "valid-deref");
    expect(
        &format!("{s} (void)*p; return 0; }}"),
        DEREF,
        0,
        "valid-deref",
    );
    expect(&format!("{s} *p, 1; return 0; }}"), DEREF, 0, "valid-deref");
    expect(&format!("{s} &p->b; &*p; return 0; }}"), DEREF, 0, "exit");
    let a = "struct s { int i, a[10]; } x[3]; int main(void) { int i = __VERIFIER_nondet_int(); ";
    expect(
        &format!("{a} int *p = &x[1].a[i]; return p == 0; }}"),
        DEREF,
        400,
        "exit",
    );
    expect(
        &format!("{a} int *p = &x[1].a[i]; return *p; }}"),
        DEREF,
        400,
        "valid-deref",
    );
    expect(
        &format!("{a} int *p = &x[i].a[2]; return *p; }}"),
        DEREF,
        2,
        "exit",
    );
    expect(
        &format!("{a} return x[1].a[i]; }}"),
        DEREF,
        10,
        "valid-deref",
    );
}

#[test]
fn initialisers() {
    let u = "union u { int i; char c; }; ";
    expect(
        &format!(
            "{u} int main(void) {{ union u x = {{.c = 1}}; if (x.i != 1) reach_error(); return 0; }}"
        ),
        REACH,
        9,
        "unreach-call",
    );
    expect(
        &format!(
            "{u} union u x = {{.c = 1}}; int main(void) {{ if (x.i != 1) reach_error(); return 0; }}"
        ),
        REACH,
        9,
        "exit",
    );
    expect(
        &format!(
            "{u} int main(void) {{ union u x = {{.i = 1}}; if (x.c != 1) reach_error(); return 0; }}"
        ),
        REACH,
        9,
        "exit",
    );
    let f = "struct f { int n; int d[]; }; static struct f s = {2, {7, 8}}; int main(void) { int i = __VERIFIER_nondet_int(); return s.d[i] == 0; }";
    expect(f, DEREF, 1, "exit");
    expect(f, DEREF, 2, "valid-deref");
    // What is not understood of one object says nothing of others.
    let d = "double _Complex d = 1.5i; int x = 5; int main(void) { if (x != 5) reach_error(); ";
    expect(&format!("{d} return 0; }}"), REACH, 9, "exit");
    expect(
        &format!("{d} return d == 0; }}"),
        REACH,
        9,
        "incomplete: variable 'd'*",
    );
}

#[test]
fn attributes_are_modelled_or_refused() {
    let refused = [
        "int x __attribute__((frobnicate)) = 1; int main(void) { return x; }",
        "typedef int t __attribute__((address_space(3))); t x; int main(void) { return x; }",
        "struct __attribute__((scalar_storage_order(\"big-endian\"))) s { int a; } x; int main(void) { return x.a; }",
        "struct s { int a __attribute__((frobnicate)); }; int main(void) { struct s *p = malloc(4); return p->a; }",
        "typedef int v4 __attribute__((vector_size(16))); int main(void) { v4 a = {1}; v4 b = a + a; return b[0]; }",
        "int f(int x __attribute__((frobnicate))) { return x; } int main(void) { return f(1); }",
        "__attribute__((naked)) int f(void) { return 1; } int main(void) { return f(); }",
        "enum e { A __attribute__((frobnicate)) } x; int main(void) { return x; }",
        "int main(void) { __attribute__((frobnicate)) return 0; }",
        "[[vendor::odd]] int x; int main(void) { return x; }",
        "extern int f(void) __attribute__((weak)); int main(void) { return f != 0; }",
        "extern int x __attribute__((weak)); int main(void) { return &x != 0; }",
        "#pragma weak f\nextern int f(void); int main(void) { return f(); }",
        "void f(int *p) { } int main(void) { return ({ int y __attribute__((cleanup(f))) = 3; y; }); }",
        "int main(void) { int n = __VERIFIER_nondet_int(); struct s { int a[n]; int b; } x; x.b = 1; return 0; }",
        "int main(void) { __CPROVER_ASYNC_1: return 0; }",
        "int main(void) { static const int d[] = {&&b - &&a}; a: return d[0]; b: return 1; }",
        "int main(void) { int a = 5; __asm__(\"\" : \"=r\"(a)); return a; }",
    ];
    for text in refused {
        expect(text, REACH, 2, "incomplete: *");
    }
    let harmless = [
        "int x __attribute__((unused, section(\"a\"))) = 1; int main(void) { return x; }",
        "__attribute__((noinline, cold)) static int f(int a __attribute__((unused))) { return 3; } int main(void) { return f(1); }",
        "enum e { A __attribute__((deprecated)) } x; int main(void) { return x; }",
        "int main(void) { __asm__ volatile(\"\" ::: \"memory\"); return 0; }",
    ];
    for text in harmless {
        expect(text, REACH, 2, "exit");
    }
}

#[test]
fn destructors_run_at_the_end() {
    let d =
        "int x; __attribute__((destructor)) static void d(void) { if (x == 1) reach_error(); } ";
    expect(
        &format!("{d} int main(void) {{ x = 1; return 0; }}"),
        REACH,
        0,
        "unreach-call",
    );
    expect(
        &format!("{d} int main(void) {{ return 0; }}"),
        REACH,
        0,
        "exit",
    );
    expect(
        &format!("{d} void f(void) {{ x = 1; exit(0); }} int main(void) {{ f(); return 0; }}"),
        REACH,
        0,
        "unreach-call",
    );
    expect(
        &format!("{d} int main(void) {{ x = 1; abort(); }}"),
        REACH,
        0,
        "stopped",
    );
    expect(
        "int x; __attribute__((destructor)) void d(void) { x = 1; } __attribute__((destructor(200))) void e(void) { if (x != 1) reach_error(); } \
            int main(void) { return 0; }",
        REACH,
        0,
        "exit",
    );
    expect(
        "__attribute__((destructor)) void d(void) { exit(1); } int main(void) { return 0; }",
        REACH,
        0,
        "incomplete: 'exit' while the program ends",
    );
}

#[test]
fn units_share_types_and_names() {
    let header = "typedef struct { int a; struct in { char *c; enum { K } k; } i; } T; extern T t; void f(T *p); int g(void);";
    let a = format!(
        "{header} T t; int g(void) __attribute__((weak)); int g(void) {{ return 1; }} \
        int main(void) {{ T u; f(&u); f(&t); if (t.a != 123 || u.a != 100 || g() != 2) reach_error(); return 0; }}"
    );
    let b =
        format!("{header} void f(T *p) {{ p->a = 100; t.a += 23; }} int g(void) {{ return 2; }}");
    assert_eq!(outcome(&compile(&[&a, &b], REACH), 0), "exit");
    assert_eq!(outcome(&compile(&[&b, &a], REACH), 0), "exit");
}
