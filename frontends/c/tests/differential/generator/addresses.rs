//! Static objects that hold addresses: of elements, members, rows, of one another; pointer arithmetic,
//! differences and comparisons within an object.

use super::Gen;
use super::expr::Place;
use super::initializers::Values;
use super::int::{self, INT};
use super::types::Type;

pub fn unit(g: &mut Gen) {
    let ty = g.any_type();
    let (t, n) = (ty.name, 8);
    let [a, p, q, pp, tab, h, mat, row, v, d] =
        ["a", "p", "q", "pp", "t", "h", "x", "r", "v", "d"].map(|k| g.fresh(k));
    let items: Vec<String> = (0..n).map(|_| g.constant_of(ty).text).collect();
    g.declare(format!("static {t} {a}[{n}] = {{{}}};", items.join(", ")));
    let k: Vec<usize> = (0..8).map(|_| g.rng.below(n)).collect();
    g.declare(format!(
        "static {t} *{p} = &{a}[{}], *{q} = {a} + {};",
        k[0], k[1]
    ));
    g.declare(format!("static {t} **{pp} = &{p};"));
    g.declare(format!(
        "static {t} *const {tab}[] = {{&{a}[{}], [2] = {} + {a}, &*({a} + {}), &{a}[{n}] - {}}};",
        k[2],
        k[3],
        k[4],
        k[5] + 1
    ));
    g.declare(format!(
        "static struct {{ int k; {t} *p; {t} **pp; const char *s; }} {h} = {{{}, &{a}[{}], &{q}, \"ab\" + 1}};",
        k[6], k[7]
    ));
    let rows = Type::Array(Box::new(Type::Array(Box::new(Type::Int(ty)), 3)), 4);
    let init = g.initializer(&rows, &Values::Constant);
    g.declare(format!("static {} = {init};", rows.declare(&mat)));
    g.declare(format!("static {t} (*{row})[3] = &{mat}[{}];", k[0] % 4));
    g.declare(format!(
        "static void *{v} = &{mat}[{}][{}];",
        k[1] % 4,
        k[2] % 3
    ));
    g.declare(format!(
        "static const long {d} = &{a}[{}] - &{a}[{}];",
        k[3], k[4]
    ));
    g.mix(&d, INT);
    g.mix(&format!("*{p}"), ty);
    g.mix(&format!("*{h}.p"), ty);
    g.mix(&format!("**{h}.pp"), ty);
    g.mix(&format!("*{h}.s + {h}.k"), INT);
    g.mix(&format!("*({t} *){v}"), ty);
    g.mix(&format!("(*{row})[{}]", k[5] % 3), ty);
    g.mix(
        &format!("({tab}[1] == 0) + sizeof {tab} / sizeof *{tab}"),
        INT,
    );

    let targets = [
        format!("*{p}"),
        format!("*{q}"),
        format!("**{pp}"),
        format!("*{h}.p"),
        format!("**{h}.pp"),
        format!("{tab}[0][0]"),
        format!("*{tab}[{}]", 2 + g.rng.below(3)),
    ];
    let mut places: Vec<Place> = targets.iter().map(|x| Place::new(x.clone(), ty)).collect();
    places.push(Place::new(format!("{a}[{}]", g.rng.below(n)), ty));
    places.push(Place::new(format!("(*{row})[1]"), ty));
    places.push(Place::new(format!("{h}.k"), INT));
    let pointers = [p.clone(), q.clone(), format!("*{pp}"), format!("{h}.p")];
    for _ in 0..7 {
        g.statements(&places, 1);
        let (x, y) = (g.rng.pick(&pointers).clone(), g.rng.pick(&pointers).clone());
        let i = g.expr(&places, 2).masked(n as i128 - 1).text;
        match g.rng.below(11) {
            0 => g.line(format!("{x} = &{a}[{i}];")),
            1 => g.line(format!("{x} = {a} + {n} - 1 - {i};")),
            2 => g.mix(
                &format!("({x} - {y}) * 3 + ({x} < {y}) + 2 * ({x} == {y})"),
                INT,
            ),
            3 => g.line(format!(
                "if ({x} < {a} + {n} - 1) *++({x}) ^= 1; else {x} = {a};"
            )),
            4 => g.line(format!(
                "if ({x} > {a}) mix(*({x})--); else {x} = &{a}[{}];",
                n - 1
            )),
            5 => g.line(format!("{pp} = {i} & 1 ? &{p} : &{h}.p;")),
            6 => g.line(format!("{row} = {mat} + ({i} & 3);")),
            7 => g.line(format!("{v} = {x}; *({t} *){v} = {i};")),
            8 => g.mix(&format!("(char *){x} - (char *){a}"), INT),
            9 => g.mix(&format!("(size_t){x} - (size_t){y}"), int::size_t(g.model)),
            _ => {
                let cell = format!("*(*({mat} + ({i} & 3)) + {i} % 3)");
                g.mix(&format!("({i}[{a}] != 0) + 2 * ({cell} != 0)"), INT);
            }
        }
    }
    let all: Vec<Place> = (0..n)
        .map(|i| Place::new(format!("{a}[{i}]"), ty))
        .collect();
    g.mix_all(&all);
    g.mix_all(&rows.leaves(&mat));
    g.mix(
        &format!("({p} - {a}) + 8 * ({q} - {a}) + 64 * ({h}.p - {a})"),
        INT,
    );
}

/// Lists of static nodes that refer to one another, walked, cut and joined.
pub fn lists(g: &mut Gen) {
    let [tag, nodes, head, tail] = ["N", "n", "h", "t"].map(|k| g.fresh(k));
    let ty = g.any_type();
    let t = ty.name;
    let count = 4 + g.rng.below(3);
    g.declare(format!(
        "struct {tag} {{ {t} v; struct {tag} *next, **owner; }};"
    ));
    g.declare(format!("static struct {tag} *{head};"));
    g.declare(format!("static struct {tag} {nodes}[{count}];"));
    let mut order: Vec<usize> = (0..count).collect();
    g.shuffle(&mut order);
    let mut items = Vec::new();
    for (at, i) in order.iter().enumerate() {
        let next = match order.get(at + 1) {
            Some(j) => format!("&{nodes}[{j}]"),
            None => "0".to_owned(),
        };
        let owner = match at.checked_sub(1) {
            Some(before) => format!("&{nodes}[{}].next", order[before]),
            None => format!("&{head}"),
        };
        let value = g.constant_of(ty).text;
        items.push(format!("[{i}] = {{{value}, {next}, {owner}}}"));
    }
    g.shuffle(&mut items);
    g.declare(format!(
        "static struct {tag} {nodes}[{count}] = {{{}}};",
        items.join(", ")
    ));
    g.declare(format!(
        "static struct {tag} *{head} = {nodes} + {};",
        order[0]
    ));
    let walk = g.fresh("w");
    g.declare(format!(
        "static int {walk}(struct {tag} *n)\n{{\n  int k = 0;\n  for (; n; n = n->next, k++) {{\n    \
         mix(n->v);\n    mix(*n->owner == n);\n    mix(n - {nodes});\n  }}\n  return k;\n}}"
    ));
    let cut = g.fresh("f");
    let place = [Place::new("(*at)->v", ty)];
    let condition = g.expr(&place, 2).text;
    g.declare(format!(
        "static struct {tag} *{cut}(struct {tag} **at)\n{{\n  struct {tag} *out = 0, *n;\n  \
         while ((n = *at)) {{\n    if ({condition}) {{\n      if ((*at = n->next)) n->next->owner = at;\n      \
         n->next = out;\n      n->owner = &out;\n      out = n;\n    }} else at = &n->next;\n  }}\n  \
         for (at = &out; *at; at = &(*at)->next) (*at)->owner = at == &out ? &{head} : at;\n  return out;\n}}"
    ));
    g.mix(&format!("{walk}({head})"), INT);
    g.line(format!("struct {tag} *{tail} = {cut}(&{head});"));
    g.mix(&format!("{walk}({head})"), INT);
    g.line(format!("struct {tag} **{tail}e = &{head};"));
    g.line(format!("while (*{tail}e) {tail}e = &(*{tail}e)->next;"));
    g.line(format!("if ((*{tail}e = {tail})) {tail}->owner = {tail}e;"));
    g.mix(&format!("{walk}({head})"), INT);
    let places: Vec<Place> = (0..count)
        .map(|i| Place::new(format!("{nodes}[{i}].v"), ty))
        .collect();
    g.statements(&places, 4);
    g.mix(&format!("{walk}({head}->next)"), INT);
}
