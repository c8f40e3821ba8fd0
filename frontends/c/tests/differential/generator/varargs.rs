//! Variable arguments of every class: promoted integers, wide integers, pointers, structs; copied lists,
//! and lists handed on.

use super::Gen;
use super::expr::Place;
use super::initializers::Values;
use super::int::{self, INT, Int, LLONG, UINT};
use super::types::Type;
use std::fmt::Write;

pub fn unit(g: &mut Gen) {
    let record = g.structure(0);
    let (whole, name) = (Type::Record(record.clone()), record.name.clone());
    let [take, list, first] = ["f", "v", "n"].map(|k| g.fresh(k));
    let mut classes: Vec<(char, Int)> = vec![
        ('i', INT),
        ('u', UINT),
        ('l', int::long(g.model)),
        ('U', int::ulong(g.model)),
        ('L', LLONG),
    ];
    let wide = g.types.iter().copied().find(|t| t.is_wide());
    classes.extend(wide.map(|t| ('W', t)));

    let mut cases = String::new();
    for (letter, ty) in &classes {
        let read = g.mixed("x", *ty);
        writeln!(
            cases,
            "    case '{letter}': {{ {t} x = __builtin_va_arg(ap, {t}); {read} break; }}",
            t = ty.name
        )
        .expect("a string grows");
    }
    let leaves = whole.leaves("x");
    let leaves: Vec<String> = leaves.iter().map(|l| g.mixed(&l.text, l.ty)).collect();
    writeln!(
        cases,
        "    case 'S': {{ {name} x = __builtin_va_arg(ap, {name}); {} break; }}\n    \
         case 'p': {{ int *x = __builtin_va_arg(ap, int *); mix(*x); (*x)++; break; }}\n    \
         case 's': mix(*__builtin_va_arg(ap, const char *)); break;",
        leaves.join(" ")
    )
    .expect("a string grows");
    g.declare(format!(
        "static void {list}(const char *f, __builtin_va_list ap)\n{{\n  for (; *f; f++) switch (*f) {{\n{cases}    }}\n}}"
    ));
    let copies = g.rng.chance(60);
    let again = if copies {
        format!(
            "  __builtin_va_copy(other, ap);\n  {list}(f, ap);\n  {list}(f, other);\n  __builtin_va_end(other);\n"
        )
    } else {
        format!("  {list}(f, ap);\n")
    };
    g.declare(format!(
        "static int {take}(const char *f, ...)\n{{\n  __builtin_va_list ap, other;\n  __builtin_va_start(ap, f);\n\
         {again}  __builtin_va_end(ap);\n  return f[0];\n}}"
    ));
    // Some are read here and the rest is handed on.
    g.declare(format!(
        "static int {first}(int n, const char *f, ...)\n{{\n  int s = 0;\n  __builtin_va_list ap;\n  \
         __builtin_va_start(ap, f);\n  while (n-- > 0) s = s * 3 + (__builtin_va_arg(ap, int) & 255);\n  \
         {list}(f, ap);\n  __builtin_va_end(ap);\n  return s;\n}}"
    ));

    let (s, k) = (g.fresh("s"), g.fresh("k"));
    let init = g.initializer(&whole, &Values::Constant);
    g.line(format!("{name} {s} = {init};"));
    let text = format!("int {k} = {};", g.rng.below(100));
    g.line(text);
    let mut places = whole.leaves(&s);
    places.push(Place::new(k.clone(), INT));
    for _ in 0..3 {
        let few: Vec<Place> = (0..4).map(|_| g.rng.pick(&places).clone()).collect();
        let (mut format, mut args) = (String::new(), String::new());
        for _ in 0..1 + g.rng.below(8) {
            let (letter, arg) = match g.rng.below(8) {
                0 => ('S', s.clone()),
                1 => ('p', format!("&{k}")),
                2 => ('s', "\"x\"".to_owned()),
                _ => {
                    let (letter, ty) = *g.rng.pick(&classes);
                    let e = g.expr(&few, 1);
                    // Narrow types arrive promoted.
                    let small = letter == 'i' && (e.ty.bits < 32 || e.ty == INT);
                    (letter, if small { e.text } else { e.cast(ty).text })
                }
            };
            format.push(letter);
            write!(args, ", {arg}").expect("a string grows");
        }
        // The pointer among the arguments changes what it points to.
        g.line(format!("{k} &= 1023;"));
        if g.rng.chance(50) {
            g.mix(&format!("{take}(\"{format}\"{args})"), INT);
        } else {
            let n = g.rng.below(4);
            let ints: String = (0..n).map(|i| format!(", {i} + {k}")).collect();
            g.mix(&format!("{first}({n}, \"{format}\"{ints}{args})"), INT);
        }
        g.statements(&few, 1);
    }
    g.mix_all(&places);
}
