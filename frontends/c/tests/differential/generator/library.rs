//! The library's functions for blocks of memory and strings, and objects on the heap.

use super::Gen;
use super::expr::Place;
use super::int::{CHAR, INT};

pub fn blocks(g: &mut Gen) {
    let ty = g.plain_type();
    let (t, size) = (ty.name, ty.bytes() as usize);
    let n = 6;
    let [a, b, k, s] = ["a", "b", "k", "s"].map(|k| g.fresh(k));
    let items: Vec<String> = (0..n).map(|_| g.constant_of(ty).text).collect();
    g.declare(format!("static {t} {a}[{n}] = {{{}}};", items.join(", ")));
    g.line(format!("{t} {b}[{n}];"));
    let text = format!("size_t {k} = {};", g.rng.below(3));
    g.line(text);
    g.line(format!("char {s}[24] = \"ab\";"));
    let fill = g.rng.below(512);
    g.line(format!("memset({b}, {fill}, sizeof {b});"));
    let mut places: Vec<Place> = Vec::new();
    for i in 0..n {
        places.push(Place::new(format!("{a}[{i}]"), ty));
        places.push(Place::new(format!("{b}[{i}]"), ty));
    }
    places.push(Place::new(format!("{s}[1]"), CHAR));
    for _ in 0..7 {
        g.statements(&places, 1);
        // At most three elements from at most the third: all within six.
        let (i, j, m) = (g.rng.below(4), g.rng.below(4), g.rng.below(4));
        let bytes = if g.rng.chance(40) {
            g.line(format!("{k} = {};", m * size));
            k.clone()
        } else {
            format!("{m} * sizeof({t})")
        };
        match g.rng.below(9) {
            0 => g.line(format!("memcpy(&{a}[{i}], {b} + {j}, {bytes});")),
            1 => g.line(format!("memmove({a} + {i}, {a} + {j}, {bytes});")),
            2 => {
                let text = format!("memset({b} + {i}, {}, {bytes});", g.rng.below(300));
                g.line(text);
            }
            3 => g.mix(&format!("memcmp({a} + {i}, {b} + {j}, {bytes}) > 0"), INT),
            4 => {
                let at = g.rng.below(size * 3);
                let text = format!(
                    "memcpy((char *){a} + {at}, (char *){b} + {}, {m});",
                    g.rng.below(size)
                );
                g.line(text);
            }
            5 => {
                g.line(format!("{s}[{}] = 0;", 1 + m));
                g.line(format!("strcat({s}, \"{}\");", &"xyz!"[..i]));
            }
            6 => {
                g.line(format!("strcpy({s} + {i}, \"{}\");", &"hello"[..j]));
                g.line(format!("{s}[{i}] |= 64;"));
                g.line(format!("{s}[{}] = 0;", i + j + 1));
            }
            7 => {
                g.line(format!(
                    "memset({s}, 'q', {i}); strncpy({s} + {i}, \"{}\", {});",
                    &"word"[..j],
                    j + 1
                ));
            }
            _ => {
                let text = format!("strchr(\"a@cde\", {}) != 0", 97 + g.rng.below(6));
                g.mix(&text, INT);
                g.mix(&format!("strncmp({s}, \"ab\", {m}) < 0"), INT);
            }
        }
        g.line(format!("{s}[23] = 0;"));
        g.mix(&format!("strlen({s})"), INT);
    }
    g.mix_all(&places);
}

pub fn heap(g: &mut Gen) {
    let ty = g.any_type();
    let t = ty.name;
    let n = 3 + g.rng.below(4);
    let [a, z, i, tag, head] = ["a", "z", "i", "N", "h"].map(|k| g.fresh(k));
    g.line(format!(
        "{t} *{a} = malloc({n} * sizeof *{a}), *{z} = calloc({n}, sizeof({t}));"
    ));
    g.line(format!("if (!{a} || !{z}) return;"));
    let text = format!(
        "for (int {i} = 0; {i} < {n}; {i}++) {a}[{i}] = {i} * {};",
        g.rng.below(99)
    );
    g.line(text);
    let mut places: Vec<Place> = Vec::new();
    for k in 0..n {
        places.push(Place::new(format!("{a}[{k}]"), ty));
        places.push(Place::new(format!("{z}[{k}]"), ty));
    }
    g.statements(&places, 4);
    g.mix_all(&places);
    g.line(format!("memcpy({z}, {a}, {} * sizeof *{z});", n - 1));
    g.line(format!("free({a});"));
    let kept: Vec<Place> = places.iter().skip(1).step_by(2).cloned().collect();
    g.statements(&kept, 2);

    // A list that grows at either end and is taken apart again.
    let inner = g.structure(0).name.clone();
    g.declare(format!(
        "struct {tag} {{ {t} v; {inner} more; struct {tag} *next; char tail[3]; }};"
    ));
    g.line(format!(
        "struct {tag} *{head} = 0, **{head}e = &{head}, *{head}n;"
    ));
    let e = g.expr(&kept, 1).text;
    g.line(format!("for (int {i} = 0; {i} < 5; {i}++) {{"));
    g.line(format!("{head}n = malloc(sizeof *{head}n);"));
    g.line(format!("if (!{head}n) return;"));
    g.line(format!(
        "{head}n->v = {i} + ({e} != 0); {head}n->tail[{i} % 3] = {i};"
    ));
    g.line(format!("if ({i} & 1) {{ {head}n->next = {head}; {head} = {head}n; if ({head}e == &{head}) {head}e = &{head}n->next; }}"));
    g.line(format!(
        "else {{ {head}n->next = 0; *{head}e = {head}n; {head}e = &{head}n->next; }}"
    ));
    g.line("}");
    g.line(format!("while ({head}) {{"));
    g.line(format!(
        "{head}n = {head}->next; mix({head}->v); free({head}); {head} = {head}n;"
    ));
    g.line("}");
    g.mix_all(&kept);
    g.line(format!("free({z});"));
}
