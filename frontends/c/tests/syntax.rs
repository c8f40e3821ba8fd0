//! What the parser and the checker accept, and what they say about what they reject.

use trellis_frontend_c::program::check_texts;
use trellis_frontend_c::types::DataModel;

fn check(text: &str) -> Result<(), String> {
    check_texts(vec![("t.c".into(), text.into())], DataModel::Lp64)
        .map(|_| ())
        .map_err(|e| e.to_string())
}

/// One program per line.
const ACCEPTED: &str = r##"
typedef int T; void f(void) { T * x; { int T = 3; T * 2; } T y; }
typedef int T; int f(int (T)); int g(T); int h(int T) { return T; }
typedef int T; struct S { T T; }; void f(void) { struct S s; s.T = 1; T: goto T; }
typedef int T; void f(void) { for (int T = 0; T < 3; T++) ; T x; }
typedef int T; void f(void) { if (sizeof(T)) ; enum { T } e; int x = T; }
typedef int T, *P; P f(T (*)(T), T [const 3]); void g(void) { unsigned T; T = 1; }
typedef struct s s; struct s { s *next; }; s x; struct s *f(s *);
int (*(*fp)(int, ...))[3]; int *(*a[2])(void); char (*(*x())[5])();
int f(a, b) int a; char *b; { return a + *b; }
main() { return 0; }
static x; const y = 2; extern z();
int x __attribute__((aligned(8), unused)), __attribute__((x)) *y; __attribute__((noreturn)) void f(void) __attribute__((cold));
int __attribute__((fastcall)) g(void); void (__attribute__((cdecl)) *h)(int);
struct __attribute__((packed)) A { int x; } a; struct B { int y; } __attribute__((aligned(2 * sizeof(int)))) b;
int f(void) __asm__("real_f"); void g(void) { __asm__ volatile ("nop" : : : "memory"); asm("x"); }
__extension__ typedef struct { long long q; } d; int x = __extension__ 3;
int f(int x) { return ({ int y = x; y ? : 3; }); }
typeof(int) a; __typeof__(a + 1L) b; int n = __builtin_types_compatible_p(int, typeof(a));
struct S { int a; union { int b; struct { int c; }; }; int d[]; }; int o = __builtin_offsetof(struct S, c);
struct E {}; struct Z { int n; char data[0]; }; enum e { A, B, }; int v[] = { [2] = 1, [4 ... 6] = 2, };
struct P { int x, y; } p = { .y = 1, x: 2 }; int q[3] = { [1] 5 }; struct P *r = &(struct P){ 1, 2 };
void f(int c) { switch (c) { case 1 ... 5: break; default: ; } void *t = &&l; l: goto *t; }
void f(void) { __label__ a, b; a: ; b: __attribute__((unused)) ; __attribute__((fallthrough)); }
_Static_assert(sizeof(char) == 1, "x"); _Static_assert(1); struct S { _Static_assert(1, ""); int x; };
int f(int x) { return _Generic(x, long: 1, int: 2, default: 3) == 2 ? _Alignof(int) : __alignof__(x); }
_Noreturn void f(void); _Thread_local int t; _Alignas(16) int a; _Atomic int b; _Atomic(int) c; double _Complex z;
unsigned __int128 big = 1; __builtin_va_list ap; _Float128 q; typedef float _Float32;
char *s = "a" "b" L"c"; int w = L'\x1234'; char *u = u8"\u00e9"; int oct = 0777, bin = 0b101, suf = 1ULL;
void f(int n) { int a[n][n + 1]; int (*p)[n] = a; sizeof(int[n]); }
; int x;; void f(void);
int f(int n, int a[static 3], int b[*], int c[const]); int g(int n, int a[n]) { return a[0]; }
void f(void) { int i; for (i = 0; i < 3; i++) for (;;) if (i) break; else continue; do ; while (0); }
extern int a[]; int a[3]; int b[]; int f(); int f(int x) { return x; } int c; int c; int c = 4;
int g(void) { return undeclared_function(1, 2); }
void f(void) { int x = x; extern int y; static int z = sizeof(z); (void)y; }
float f(float x) { return x * 1.5f + 0x1.8p3 - .5e-2L; } int c = 'ab', d = '\'', e = '"';
# 12 "other.c" 3 4
#pragma omp parallel
int x<:2:> = <% 1, 2 %>;
int a, b; int f(void) { return a < b >> 1 & b << 2 == a || !a && ~b ^ -a | +b % 3 * 2 / 1 - 4; }
struct list { struct list *n; } *l; int f(void) { return l->n->n == (void *)0 && (*l).n != l; }
void f(int a, ...) { __builtin_va_list ap; __builtin_va_start(ap, a); int x = __builtin_va_arg(ap, int); __builtin_va_end(ap); }
"##;

#[test]
fn accepts() {
    for line in ACCEPTED.lines().filter(|l| !l.is_empty()) {
        if let Err(e) = check(&format!("{line}\n")) {
            panic!("rejected: {line}\n{e}");
        }
    }
}

#[test]
fn reports_many_syntax_errors_at_once() {
    let text = "int x = 1
int y;
struct s { int a int b; };
int f(int n) {
    n = n + ;
    if (n { n = 2; }
    foo bar;
    return n
}
unknown_t z;
int g(void) { return (1 + 2; }
int h(void) { int inner(void) { return 1; } return inner(); }
# 100 \"other.h\"
int k(void { }
char *s = \"open;
";
    insta::assert_snapshot!(check(text).unwrap_err());
}

#[test]
fn reports_many_type_errors_at_once() {
    let text = "struct s { int a; }; struct t;
int f(int a, char *b);
int g(struct s v, struct s *p, const int c) {
    int x = missing + missing;
    x = v;
    v.b = 1;
    p.a = 2;
    x->a = 3;
    *x = 4;
    f(1);
    f(1, 2, 3);
    c = 5;
    5 = x;
    x = *p + 1;
    struct t w;
    sizeof(struct t);
    goto nowhere;
    break;
    int x;
    switch (v) { case 1: case 1: ; }
    x();
    v ? 1 : 2;
    return v;
}
int f(int a, int b);
int g(void) { return 0; }
_Static_assert(0, \"told you\");
int arr[-1]; int z[2] = { [5] = 1 }; static int dyn = f(1, 0);
int q(void) { int v[2] = { 1, 2 }; v = 0; return &5; }
";
    insta::assert_snapshot!(check(text).unwrap_err());
}

#[test]
fn deep_nesting_is_a_diagnostic_not_a_crash() {
    let deep = |n: usize| format!("int x = {}1{};", "(-".repeat(n), ")".repeat(n));
    assert!(check(&deep(5_000)).is_ok());
    let error = check(&deep(60_000)).unwrap_err();
    assert!(error.contains("levels deep"), "{error}");
    let chain = format!("int f(int a) {{ return a{}; }}", "+a".repeat(60_000));
    assert!(check(&chain).unwrap_err().contains("levels deep"));
    let blocks = format!(
        "void f(void) {{ {}{} }}",
        "{".repeat(60_000),
        "}".repeat(60_000)
    );
    assert!(check(&blocks).unwrap_err().contains("levels deep"));
}

/// A type that contains itself has no layout.
#[test]
fn types_inside_of_themselves_are_diagnostics() {
    for (text, message) in [
        (
            "struct A { struct A { int x; } a; } a;",
            "t.c:1:1: error: nested redefinition of 'struct A'",
        ),
        (
            "struct A { struct B { struct A a; } b; }; struct A a = {1};",
            "t.c:1:32: error: field 'a' has incomplete type",
        ),
        (
            "struct A { union { struct A a; int x; }; } a = {{{{1}}}};",
            "t.c:1:29: error: field 'a' has incomplete type",
        ),
    ] {
        let said = check(text).expect_err(text);
        assert!(said.contains(message), "{text}: {said}");
    }
}

#[test]
fn positions_follow_line_markers_and_files_link() {
    let first = "extern int shared; int twice(int); int main(void) { return twice(shared); }";
    let second = "# 7 \"/usr/include/x.h\" 1 3\nint shared = 4;\n# 3 \"b.c\" 2\nint twice(int a) { return a * b; }\n";
    let texts = vec![("a.c".into(), first.into()), ("b.c".into(), second.into())];
    let error = check_texts(texts, DataModel::Ilp32)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("b.c:3:31: error: 'b' undeclared"),
        "{error}"
    );
    let second = second.replace("* b", "* 2");
    let texts = vec![
        ("a.c".into(), first.into()),
        ("b.c".into(), second.into_bytes()),
    ];
    let checked = check_texts(texts, DataModel::Ilp32).unwrap();
    let twice = checked.hir.function("twice").unwrap();
    assert!(checked.hir.funcs[twice].body.is_some());
    let place = checked.sources.place(checked.hir.funcs[twice].span.lo);
    assert_eq!(place.to_string(), "b.c:3:5");
}

#[test]
fn preprocessing_errors_are_precise() {
    use trellis_frontend_c::preprocess::{Macro, PreprocessOptions, preprocess};
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("p.c");
    std::fs::write(&file, "int a;\n#include \"nowhere_to_be_found.h\"\n").unwrap();
    let options = PreprocessOptions {
        compiler: Some("/no/such/compiler".into()),
        ..PreprocessOptions::default()
    };
    let error = preprocess(&file, DataModel::Ilp32, &options)
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.contains("line 2") && error.contains("/no/such/compiler"),
        "{error}"
    );
    if std::process::Command::new("cc")
        .arg("--version")
        .output()
        .is_err()
    {
        eprintln!("SKIPPED the rest: there is no C compiler 'cc' here");
        return;
    }
    let error = preprocess(&file, DataModel::Ilp32, &PreprocessOptions::default())
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.contains("nowhere_to_be_found.h") && error.contains("-I"),
        "{error}"
    );
    std::fs::write(dir.path().join("nowhere_to_be_found.h"), "#define N 3\n").unwrap();
    std::fs::write(&file, "#include \"nowhere_to_be_found.h\"\nint a[N * M];\n").unwrap();
    let options = PreprocessOptions {
        macros: vec![
            Macro::Define("M=7".into()),
            Macro::Undefine("M".into()),
            Macro::Define("M=2".into()),
        ],
        ..PreprocessOptions::default()
    };
    let output = preprocess(&file, DataModel::Lp64, &options).unwrap();
    let text = String::from_utf8(output.text).unwrap();
    assert!(text.contains("int a[3 * 2];"), "{text}");
}

/// Whatever a macro expands to is the macro's call, for messages and for traces.
#[test]
fn places_in_expanded_lines_are_the_users() {
    use trellis_frontend_c::program::{Options, check_files};
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("p.c");
    let text = "#include <assert.h>
#define TWICE(x) ((x) + (x))
int f(int a) {
\tassert(a <   /* much */  7); a = TWICE(b); a = c;
  assert(a
    > 1); return d;
}
";
    std::fs::write(&file, text).unwrap();
    let error = check_files(&[file], &Options::default())
        .unwrap_err()
        .to_string();
    let undeclared = |line: &str, column: u32, shown: &str| {
        let place = format!("p.c:{line}:{column}: error: ");
        assert!(
            error.contains(&place) && error.contains(shown),
            "{place} in\n{error}"
        );
    };
    undeclared("4", 35, "assert(a <   /* much */  7); a = TWICE(b)");
    undeclared("4", 49, "a = c;");
    undeclared("6", 18, "> 1); return d;");
}
