//! Compound literals, string literals, and structs that end in an array of no length.

use super::Gen;
use super::expr::Place;
use super::initializers::Values;
use super::int::{self, CHAR, INT};
use super::types::Type;

/// Compound literals at file scope and in functions, with their addresses.
pub fn compound(g: &mut Gen) {
    let ty = g.any_type();
    let n = 2 + g.rng.below(3);
    let elems = |g: &mut Gen| -> String {
        let items: Vec<String> = (0..n).map(|_| g.constant_of(ty).text).collect();
        items.join(", ")
    };
    let (p, q, s) = (g.fresh("p"), g.fresh("q"), g.fresh("s"));
    let (one, two) = (elems(g), elems(g));
    let t = ty.name;
    g.declare(format!("static {t} *{p} = ({t}[]){{{one}}};"));
    let k = g.rng.below(n);
    g.declare(format!("static {t} *{q} = &({t}[{n}]){{{two}}}[{k}];"));
    let record = g.structure(1);
    let (whole, name) = (Type::Record(record.clone()), record.name.clone());
    let init = g.initializer(&whole, &Values::Constant);
    g.declare(format!("static {name} *{s} = &({name}){init};"));
    let mut places: Vec<Place> = (0..n)
        .map(|i| Place::new(format!("{p}[{i}]"), ty))
        .collect();
    places.extend((0..n).map(|i| Place::new(format!("{q}[{}]", i as i64 - k as i64), ty)));
    places.extend(whole.leaves(&format!("(*{s})")));
    let few: Vec<Place> = (0..6).map(|_| g.rng.pick(&places).clone()).collect();

    let sum = g.fresh("f");
    g.declare(format!(
        "static unsigned long long {sum}(const {t} *v, int n)\n{{\n  unsigned long long s = 0;\n  \
         while (n-- > 0) s = s * 31 + (unsigned long long)*v++;\n  return s;\n}}"
    ));
    let i = g.fresh("i");
    g.line(format!("for (int {i} = 0; {i} < 3; {i}++) {{"));
    let args: Vec<String> = (0..n).map(|_| g.expr(&few, 1).text).collect();
    let args = args.join(", ");
    // A new object, or the same one set anew, each time round.
    let l = g.fresh("l");
    g.line(format!("{t} *{l} = ({t}[{}]){{{args}}};", n + 1));
    g.line(format!("{l}[{i} % {n}] ^= 1;"));
    g.mix(&format!("{sum}({l}, {})", n + 1), INT);
    let index = g.expr(&few, 1).masked(1);
    g.mix(&format!("(({t}[]){{{args}}})[{}]", index.text), ty);
    let value = g.initializer(&whole, &Values::Computed(&few));
    let leaf = g.rng.pick(&whole.leaves("")).clone();
    g.mix(&format!("(({name}){value}){}", leaf.text), leaf.ty);
    let r = g.fresh("r");
    let value = g.initializer(&whole, &Values::Computed(&few));
    g.line(format!("{name} *{r} = &({name}){value};"));
    g.line(format!("*{s} = *{r};"));
    let leaves = whole.leaves(&format!("(*{r})"));
    g.statements(&leaves, 2);
    g.mix_all(&leaves);
    let x = g.expr(&few, 2);
    g.line(format!("*&({t}){{0}} = {};", x.text));
    g.line("}");
    g.statements(&few, 3);
    g.mix_all(&places);
}

/// String literals: as arrays, through pointers, indexed.
pub fn strings(g: &mut Gen) {
    let text = |g: &mut Gen| -> (String, usize) {
        let mut out = String::new();
        let n = g.rng.below(7);
        for _ in 0..n {
            out += *g.rng.pick(&[
                "a",
                "Z",
                " ",
                "0",
                "\\n",
                "\\t",
                "\\\\",
                "\\\"",
                "\\x41\"\"",
                "\\101",
                "%",
                "\\377",
                "\\a",
            ]);
        }
        (out, n)
    };
    let (a, na) = text(g);
    let (b, nb) = text(g);
    let (c, nc) = text(g);
    let (x, y, z, t) = (g.fresh("x"), g.fresh("y"), g.fresh("z"), g.fresh("t"));
    g.declare(format!("static char {x}[] = \"{a}\" \"{b}\";"));
    g.declare(format!("static const char {y}[{}] = {{\"{c}\"}};", nc + 3));
    g.declare(format!(
        "static unsigned char {z}[{}] = \"{b}\";",
        nb.max(1)
    ));
    let text = format!(
        "static const char *const {t}[] = {{\"{a}\", [2] = \"{c}\", \"{b}\" + {}}};",
        g.rng.below(nb + 1)
    );
    g.declare(text);
    g.mix(
        &format!("sizeof {x} + 100 * sizeof \"{c}\" + 10000 * sizeof {t}"),
        INT,
    );
    let mut places: Vec<Place> = (0..na + nb)
        .map(|i| Place::new(format!("{x}[{i}]"), CHAR))
        .collect();
    places.push(Place::new(format!("{z}[0]"), int::UCHAR));
    let l = g.fresh("l");
    g.line(format!("char {l}[{}] = \"{c}\";", nc + 2));
    places.extend((0..nc + 2).map(|i| Place::new(format!("{l}[{i}]"), CHAR)));
    for i in 0..nc + 3 {
        g.mix(&format!("{y}[{i}]"), CHAR);
    }
    let k = g.expr(&places, 2).masked(1);
    g.mix(&format!("\"{c}xy\"[{}]", k.text), CHAR);
    let (p, i) = (g.fresh("p"), g.fresh("i"));
    g.line(format!("for (int {i} = 0; {i} < 4; {i}++)"));
    g.line(format!(
        "  if ({t}[{i}]) for (const char *{p} = {t}[{i}]; *{p}; {p}++) mix(*{p});"
    ));
    g.mix(&format!("strlen({t}[0]) + 16 * strlen(\"{b}\")"), INT);
    g.mix(
        &format!("(strcmp(\"{a}\", \"{b}\") > 0) - (strcmp({t}[0], {t}[2]) < 0)"),
        INT,
    );
    if g.rng.chance(50) {
        let w = g.fresh("w");
        g.declare(
            format!("static const __WCHAR_TYPE__ {w}[] = L\"{a}\";")
                .replace("__WCHAR_TYPE__", wide(g)),
        );
        let text = format!("sizeof {w} + {w}[{}]", g.rng.below(na + 1));
        g.mix(&text, INT);
    }
    g.statements(&places, 3);
    g.mix_all(&places);
}

/// What `wchar_t` is.
fn wide(g: &Gen) -> &'static str {
    match g.model {
        trellis_frontend_c::types::DataModel::Ilp32 => "long",
        trellis_frontend_c::types::DataModel::Lp64 => "int",
    }
}

/// Structs that end in an array of no length: static ones with elements, and on the heap.
pub fn flexible(g: &mut Gen) {
    let (tag, head, data) = (g.fresh("F"), g.fresh("m"), g.fresh("d"));
    let count = g.any_type();
    let nested = g.rng.chance(40);
    let elem = if nested {
        Type::Record(g.structure(0))
    } else {
        Type::Int(g.any_type())
    };
    let before = g.rng.chance(50).then(|| g.structure(0).name.clone());
    let extra = before.map_or(String::new(), |b| format!("{b} {}; ", g.fresh("x")));
    g.declare(format!(
        "struct {tag} {{ {extra}{} {head}; {}; }};",
        count.name,
        elem.declare(&format!("{data}[]"))
    ));
    let n = 1 + g.rng.below(4);
    let s = g.fresh("s");
    let items: Vec<String> = (0..n)
        .map(|_| g.initializer(&elem, &Values::Constant))
        .collect();
    let value = g.constant_of(count).text;
    g.declare(format!(
        "static struct {tag} {s} = {{.{head} = {value}, .{data} = {{{}}}}};",
        items.join(", ")
    ));
    g.mix(&format!("sizeof(struct {tag}) + 100 * sizeof {s}"), INT);
    g.mix(&format!("__builtin_offsetof(struct {tag}, {data})"), INT);
    let mut places = vec![Place::new(format!("{s}.{head}"), count)];
    for i in 0..n {
        places.extend(elem.leaves(&format!("{s}.{data}[{i}]")));
    }
    g.mix_all(&places);
    let (h, i) = (g.fresh("h"), g.fresh("i"));
    let elem_name = elem.name();
    g.line(format!(
        "struct {tag} *{h} = malloc(sizeof *{h} + {n} * sizeof({elem_name}));"
    ));
    g.line(format!("if (!{h}) return;"));
    let text = format!("{h}->{head} = {};", g.rng.below(2));
    g.line(text);
    g.line(format!(
        "for (int {i} = 0; {i} < {n}; {i}++) {h}->{data}[{i}] = {s}.{data}[{n} - 1 - {i}];"
    ));
    for i in 0..n {
        places.extend(elem.leaves(&format!("{h}->{data}[{i}]")));
    }
    g.statements(&places, 4);
    g.mix_all(&places);
    g.line(format!("free({h});"));
}
