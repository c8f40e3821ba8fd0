//! What people read: what went wrong, in words, and values as the program would write them.

use crate::support::Bench;

/// The lines of the trace of a program that is checked for one property.
fn trace(bench: &Bench, property: &str, source: &str) -> String {
    let prologue =
        "#include <stdlib.h>\n#include <string.h>\nextern int __VERIFIER_nondet_int(void);\n";
    bench.write("p.c", &format!("{prologue}{source}"));
    let output = bench.trellis(&["check", "--check", property, "p.c"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(10), "{source}: {text}{stderr}");
    text
}

/// A program, and what its last step says.
const FAULTS: &[(&str, &str, &str)] = &[
    (
        "valid-deref",
        "struct s { long a; int b; };\nint main(void) { struct s *p = 0; return p->b; }",
        "reads 4 bytes at offset 8 of a null pointer",
    ),
    (
        "valid-deref",
        "int main(void) { int *p = malloc(40);\nif (!p) return 0; p[10] = 1; return 0; }",
        "writes 4 bytes at offset 40 of object#1 (malloc at line 4), which has 40 bytes",
    ),
    (
        "valid-deref",
        "int main(void) { int *p = malloc(4); if (!p) return 0;\nfree(p);\nreturn *p; }",
        "reads 4 bytes of object#1 (malloc at line 4), which was freed at line 5",
    ),
    (
        "valid-deref",
        "int a[8]; int main(void) { int *p = a; return p[__VERIFIER_nondet_int() == 3 ? -1 : 0]; }",
        "reads 4 bytes 4 bytes before a, which has 32 bytes",
    ),
    (
        "valid-deref",
        "int main(void) { int a[3]; int i = __VERIFIER_nondet_int(); if (i != 3) return 0; return a[i]; }",
        "index 3 of an array of 3 elements",
    ),
    (
        "valid-deref",
        "int main(void) { char *s = \"text\"; s[0] = 'T'; return 0; }",
        "writes to a string literal, which is constant",
    ),
    (
        "valid-deref",
        "int main(void) { void (*f)(void) = 0; f(); return 0; }",
        "calls a null pointer",
    ),
    (
        "valid-deref",
        "char a[9]; int main(void) { memcpy(a, a + 1, 4); return 0; }",
        "copies 4 bytes from a[1] to a[0], which overlap",
    ),
    (
        "valid-free",
        "int main(void) { char *p = malloc(2); if (!p) return 0;\nfree(p);\nfree(p); return 0; }",
        "frees object#1 (malloc at line 4), which was freed at line 5",
    ),
    (
        "valid-free",
        "int a[2]; int main(void) { free(&a[1]); return 0; }",
        "frees a[1], which does not come from malloc",
    ),
    (
        "valid-memtrack",
        "struct node { int v; }; int main(void) { struct node *p = malloc(sizeof *p); if (p) p->v = 1; return 0; }",
        "1 object is never freed: node#1 (malloc at line 4)",
    ),
    (
        "no-overflow",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 2147483647) return 0; return n + 1; }",
        "2147483647 + 1 does not fit into int",
    ),
    (
        "no-overflow",
        "int main(void) { long n = -9223372036854775807L - (__VERIFIER_nondet_int() & 1); if (n < 0) n = -n; return 0; }",
        "-(-9223372036854775808) does not fit into long int",
    ),
    (
        "div-by-zero",
        "int main(void) { int n = __VERIFIER_nondet_int(); return 100 % n; }",
        "100 % 0",
    ),
    (
        "shift-range",
        "int main(void) { unsigned n = __VERIFIER_nondet_int() == 5 ? 40 : 1; return 1u << n; }",
        "1 << 40, but unsigned int has 32 bits",
    ),
    (
        "uninit",
        "int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; return x; }",
        "x is read before anything has set it",
    ),
];

#[test]
fn what_went_wrong() {
    let bench = Bench::new();
    for (property, source, expected) in FAULTS {
        let text = trace(&bench, property, source);
        let last = text.lines().find(|l| l.contains("violates ")).unwrap_or("");
        assert!(
            last.ends_with(&format!("violates {property}: {expected}")) || last.ends_with(expected),
            "{source}: {text}"
        );
    }
}

/// Pointers by what they lead to, members, enumerators, characters and elements; nothing of the model's own.
#[test]
fn values_are_those_of_the_program() {
    let bench = Bench::new();
    let source = "enum colour { RED, GREEN = 5, BLUE };
struct node { struct node *next; enum colour colour; char c; short s[3]; };
static int table[8];
static struct node first;
int main(void) {
  int *p = &table[3];
  struct node *n = malloc(sizeof *n);
  if (!n) return 0;
  n->next = &first;
  n->colour = BLUE;
  n->c = 'x';
  n->s[2] = -7;
  first.next = n;
  short *q = &n->s[1];
  *p = 4;
  enum colour mine = GREEN;
  if (table[3] == 4 && mine == GREEN && q[1] == -7) __VERIFIER_assert(0);
  free(n);
  return 0;
}";
    let source = format!("extern void __VERIFIER_assert(int);\n{source}");
    let text = trace(&bench, "unreach-call", &source);
    for words in [
        "p = &table[3]",
        "n = node#1 (malloc at line 11)",
        "node#1.next = &first",
        "node#1.colour = BLUE",
        "node#1.c = 120 'x'",
        "node#1.s[2] = -7",
        "first.next = node#1",
        "q = &node#1.s[1]",
        "table[3] = 4",
        "mine = GREEN",
    ] {
        assert!(text.contains(words), "no `{words}` in\n{text}");
    }
    for model in ["heap.", "mem8", "0x", "obj_", "tmp", " ^ "] {
        assert!(!text.contains(model), "`{model}` in\n{text}");
    }
}

#[test]
fn explain() {
    let bench = Bench::new();
    let said = |args: &[&str]| {
        let output = bench.trellis(args);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).expect("text"))
    };
    let (code, all) = said(&["explain"]);
    assert_eq!(code, Some(0), "{all}");
    for name in all.lines().filter_map(|l| l.split(' ').next()) {
        let (code, text) = said(&["explain", name]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.starts_with(&format!("{name}: ")), "{text}");
    }
    let (code, text) = said(&["explain", "valid-derf"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("did you mean `valid-deref`?"), "{text}");
}

/// What the model in C does that hands over the arguments of `main` is not told, but what it hands over.
#[test]
fn arguments_are_told_as_strings() {
    let bench = Bench::new();
    let program = "int main(int argc, char **argv) {\n\
        if (argc == 2 && strcmp(argv[1], \"-x\") == 0) reach_error();\nreturn 0; }";
    let program = format!("extern void reach_error(void);\n{program}");
    let text = trace(&bench, "unreach-call", &program);
    assert!(text.contains("argc = 2"), "{text}");
    assert!(text.contains("argv[1] = \"-x\""), "{text}");
    assert!(!text.contains("arguments.c"), "{text}");
}
