//! The IVL of small programs, and the locations that runs of them end in.

use crate::common;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{Options, compile_texts};
use trellis_frontend_c::types::DataModel;
use trellis_ivl::Program;

/// What the programs here and in `undefined.rs` begin with.
pub const PRELUDE: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); \
    void *malloc(unsigned); void free(void *); extern void __VERIFIER_assume(int); \
    void abort(void); void exit(int); void *alloca(unsigned); ";

fn compile(text: &str, properties: Properties) -> Program {
    let options = Options {
        model: DataModel::Ilp32,
        properties,
        ..Options::default()
    };
    let texts = vec![("t.c".to_owned(), format!("{PRELUDE}\n{text}").into_bytes())];
    match compile_texts(texts, &options) {
        Ok(c) => c.lowered.program,
        Err(e) => panic!("{e}"),
    }
}

/// Runs with every input `n`: see [`common::outcome`].
fn run(text: &str, properties: Properties, n: i64) -> String {
    common::outcome(&compile(text, properties), n)
}

#[track_caller]
pub fn expect(text: &str, properties: Properties, n: i64, outcome: &str) {
    assert_eq!(run(text, properties, n), outcome, "{text}");
}

const MEM: Properties = Properties::MEMSAFETY;

/// Nobody who has a few objects is told that they are too large; whoever makes any number has less room for each.
#[test]
fn few_objects_have_much_room() {
    let local = "int f(int n) { return n; } int main(void) { int n = __VERIFIER_nondet_int(); int a[n][n]; int i; \
        for (i = 0; i < 3; i++) f(i); a[n - 1][n - 1] = 7; if (a[n - 1][n - 1] == 7) reach_error(); return 0; }";
    expect(local, Properties::REACH, 2000, "unreach-call");
    expect(local, Properties::REACH, 20_000, "blocked");
    let again = "int main(void) { int i, n = __VERIFIER_nondet_int(); for (i = 0; i < 2; i++) { char *p = malloc(n); \
        p[n - 1] = 7; if (p[n - 1] == 7) reach_error(); } return 0; }";
    expect(again, Properties::REACH, 1_000_000, "unreach-call");
    expect(again, Properties::REACH, 2_000_000, "blocked");
}

#[test]
fn vocabulary() {
    let p = Properties::REACH;
    expect(
        "int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); return 0; }",
        p,
        3,
        "unreach-call",
    );
    expect(
        "int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); return 0; }",
        p,
        4,
        "exit",
    );
    expect(
        "int main(void) { __VERIFIER_assume(__VERIFIER_nondet_int() == 3); return 0; }",
        p,
        4,
        "blocked",
    );
    expect(
        "int main(void) { abort(); reach_error(); }",
        p,
        0,
        "stopped",
    );
    expect(
        "int main(void) { exit(1); reach_error(); }",
        p,
        0,
        "stopped",
    );
    expect(
        "int any(void); int main(void) { if (any() == 5) reach_error(); return 0; }",
        p,
        5,
        "unreach-call",
    );
    expect(
        "int main(void) { int x; if (x == 9) reach_error(); return 0; }",
        p,
        9,
        "unreach-call",
    );
    expect(
        "int main(void) { int x; int *q = &x; if (*q == 9) reach_error(); return 0; }",
        p,
        9,
        "unreach-call",
    );
    expect(
        "int g; int main(void) { if (g == 9) reach_error(); return 0; }",
        p,
        9,
        "exit",
    );
    expect(
        "extern int g; int main(void) { if (g == 0) reach_error(); return 0; }",
        p,
        9,
        "unreach-call",
    );
    expect(
        "void __assert_fail(const char *, const char *, unsigned, const char *); \
            int main(void) { __assert_fail(\"x\", \"y\", 1, \"z\"); }",
        p,
        0,
        "unreach-call",
    );
    expect(
        "void reach_error(void) { abort(); } int main(void) { reach_error(); }",
        MEM,
        0,
        "stopped",
    );
}

#[test]
fn memory_safety() {
    expect(
        "int main(void) { int *p = 0; return *p; }",
        MEM,
        0,
        "valid-deref",
    );
    expect(
        "int main(void) { int a[3]; a[__VERIFIER_nondet_int()] = 1; return 0; }",
        MEM,
        2,
        "exit",
    );
    expect(
        "int main(void) { int a[3]; a[__VERIFIER_nondet_int()] = 1; return 0; }",
        MEM,
        3,
        "valid-deref",
    );
    expect(
        "int main(void) { int a[3]; a[__VERIFIER_nondet_int()] = 1; return 0; }",
        MEM,
        -1,
        "valid-deref",
    );
    expect(
        "int main(void) { int a[3]; int *p = a; p += __VERIFIER_nondet_int(); *p = 1; return 0; }",
        MEM,
        2,
        "exit",
    );
    expect(
        "int main(void) { int a[3]; int *p = a; p += __VERIFIER_nondet_int(); *p = 1; return 0; }",
        MEM,
        3,
        "valid-deref",
    );
    expect(
        "int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }",
        MEM,
        0,
        "exit",
    );
    expect(
        "int main(void) { int *p = malloc(4); free(p); return *p; }",
        MEM,
        0,
        "valid-deref",
    );
    expect(
        "int main(void) { char *p = malloc(4); p[4] = 0; return 0; }",
        MEM,
        0,
        "valid-deref",
    );
    expect(
        "int main(void) { char *p = malloc(4); *(short *)(p + 3) = 0; return 0; }",
        MEM,
        0,
        "valid-deref",
    );
    expect(
        "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }",
        MEM,
        0,
        "valid-free",
    );
    expect(
        "int main(void) { int *p = malloc(8); free(p + 1); return 0; }",
        MEM,
        0,
        "valid-free",
    );
    expect(
        "int main(void) { int x; free(&x); return 0; }",
        MEM,
        0,
        "valid-free",
    );
    expect("int main(void) { free(0); return 0; }", MEM, 0, "exit");
    expect(
        "int main(void) { malloc(4); return 0; }",
        MEM,
        0,
        "valid-memtrack",
    );
    expect(
        "int *f(void) { int x = 1; return &x; } int main(void) { return *f(); }",
        MEM,
        0,
        "valid-deref",
    );
    expect(
        "int main(void) { int *p; { int x = 1; p = &x; } return *p; }",
        MEM,
        0,
        "valid-deref",
    );
    expect(
        "int main(void) { char *s = \"abc\"; return s[__VERIFIER_nondet_int()]; }",
        MEM,
        3,
        "exit",
    );
    expect(
        "int main(void) { char *s = \"abc\"; return s[__VERIFIER_nondet_int()]; }",
        MEM,
        4,
        "valid-deref",
    );
    expect(
        "int main(void) { char *p = alloca(3); p[2] = 0; return p[3]; }",
        MEM,
        0,
        "valid-deref",
    );
    expect(
        "int main(void) { int a[2]; int *p = a + 5000000; return *p; }",
        MEM,
        0,
        "incomplete: pointer arithmetic far outside of any object",
    );
    let cleanup = Properties {
        valid_memcleanup: true,
        ..Properties::NONE
    };
    expect(
        "int *g; int main(void) { g = malloc(4); return 0; }",
        cleanup,
        0,
        "valid-memcleanup",
    );
    expect(
        "int *g; int main(void) { g = malloc(4); free(g); return 0; }",
        cleanup,
        0,
        "exit",
    );
}

#[test]
fn arithmetic_checks() {
    let p = Properties {
        no_overflow: true,
        div_by_zero: true,
        shift_range: true,
        ..Properties::NONE
    };
    let max = i64::from(i32::MAX);
    let min = i64::from(i32::MIN);
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); x + 1; return 0; }",
        p,
        max,
        "no-overflow",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); x++; return 0; }",
        p,
        max,
        "no-overflow",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); x -= 2; return 0; }",
        p,
        min,
        "no-overflow",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); return -x; }",
        p,
        min,
        "no-overflow",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); return x / -1; }",
        p,
        min,
        "no-overflow",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); return x * x; }",
        p,
        65536,
        "no-overflow",
    );
    expect(
        "int main(void) { unsigned x = __VERIFIER_nondet_int(); return x * x + 1; }",
        p,
        65536,
        "exit",
    );
    expect(
        "int main(void) { short x = __VERIFIER_nondet_int(); x++; return x; }",
        p,
        32767,
        "exit",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); return 5 % x; }",
        p,
        0,
        "div-by-zero",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); return x && 5 / x; }",
        p,
        0,
        "exit",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); return 1u << x; }",
        p,
        32,
        "shift-range",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); return 1u >> x; }",
        p,
        -1,
        "shift-range",
    );
    expect(
        "int main(void) { int x = __VERIFIER_nondet_int(); return 1u << x; }",
        p,
        31,
        "exit",
    );
}

#[test]
fn what_is_not_modelled_says_so() {
    let p = Properties::REACH;
    expect(
        "double lgamma(double); int main(void) { return lgamma(-1.0) < 0; }",
        p,
        0,
        "incomplete: a call of 'lgamma'",
    );
    expect(
        "int main(void) { float _Complex x = 1; x = x + 1; return 0; }",
        p,
        0,
        "incomplete: complex arithmetic",
    );
    expect(
        "int main(void) { asm(\"hlt\"); return 0; }",
        p,
        0,
        "incomplete: inline assembly",
    );
    for body in [
        "asm volatile(\"nop\"); asm(\"pause\" ::: \"memory\");",
        "int a = 5, b; asm(\"movl %1, %0\" : \"=r\"(b) : \"r\"(a)); assert(b == 5);",
        "int a = 5; asm(\"\" : \"+r\"(a)); assert(a == 5);",
        "int a = 5, b; asm(\"\" : \"=r\"(b) : \"0\"(a + 1)); assert(b == 6);",
    ] {
        let text = format!("int main(void) {{ {body} return 0; }}");
        expect(&text, p, 0, "exit");
    }
    expect(
        "int f(int (*g)(void)) { return g(); } int main(void) { return f(0); }",
        p,
        0,
        "incomplete: a call through a function pointer that holds no known function of its type",
    );
    expect(
        "int scanf(const char *, ...); int main(void) { int x; char *f = \"%d\"; scanf(f, &x); return 0; }",
        p,
        0,
        "incomplete: a call of 'scanf'",
    );
    expect(
        "int main(void) { return 0; void *p = &&l; l: goto *p; }",
        p,
        0,
        "exit",
    );
    expect(
        "int main(void) { if (__VERIFIER_nondet_int()) asm(\"hlt\"); return 0; }",
        p,
        0,
        "exit",
    );
    expect(
        "int main(void) { malloc(500000000); return 0; }",
        p,
        0,
        "incomplete: an allocation larger than a slot of the address space",
    );
    expect(
        "void f(int *p); int main(void) { int y __attribute__((cleanup(f))) = 0; goto end; end: return y; }",
        p,
        0,
        "incomplete: a jump where a variable with attribute 'cleanup' is in scope",
    );
    expect(
        "int main(void) { int y __attribute__((cleanup(nobody))) = 0; return y; }",
        p,
        0,
        "incomplete: variable 'y' with attribute 'cleanup'",
    );
}

#[test]
fn golden_registers() {
    let text = "struct p { int x; char y[2]; } g; int main(void) { struct p l; int a[2][3]; int i = __VERIFIER_nondet_int(); \
        for (l.x = 0; l.x < i; l.x++) a[1][i] += g.x; g.y[1] = l.x > 3 && a[0][2] ? 'a' : 'b'; \
        if (g.y[1] == 'a') reach_error(); return 0; }";
    insta::assert_snapshot!(trellis_ivl::text::print(&compile(text, Properties::REACH)));
}

#[test]
fn golden_memory() {
    let text =
        "static int inc(int *p) { return ++*p; } int main(void) { int x = 1; return inc(&x); }";
    insta::assert_snapshot!(trellis_ivl::text::print(&compile(text, MEM)));
}
