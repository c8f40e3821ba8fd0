//! Functions as values: in tables and members, returned, passed, compared; and functions that call
//! themselves and each other, with locals whose address is taken.

use super::Gen;
use super::expr::Place;
use super::int::{INT, Int, LLONG};

pub fn unit(g: &mut Gen) {
    let (ret, x, y) = (g.any_type(), g.any_type(), g.any_type());
    let ty = g.fresh("T");
    let (r, xn, yn) = (ret.name, x.name, y.name);
    g.declare(format!("typedef {r} {ty}({xn}, {yn});"));
    let state = g.fresh("g");
    let shared = g.any_type();
    g.declare(format!("static {} {state} = 1;", shared.name));
    let count = 3 + g.rng.below(2);
    let names: Vec<String> = (0..count)
        .map(|_| simple(g, ret, x, y, &state, shared))
        .collect();
    let [table, ops, pick, apply, fp] = ["t", "o", "k", "a", "p"].map(|k| g.fresh(k));
    let listed: Vec<String> = names
        .iter()
        .map(|n| {
            if g.rng.chance(50) {
                format!("&{n}")
            } else {
                n.clone()
            }
        })
        .collect();
    g.declare(format!(
        "static {ty} *{table}[] = {{{}}};",
        listed.join(", ")
    ));
    g.declare(format!(
        "static const struct {{ int k; {ty} *op; {r} (*const *all)({xn}, {yn}); }} {ops}[2] = \
         {{{{1, {}, {table}}}, {{.all = {table} + 1, .op = {}}}}};",
        names[0], names[1]
    ));
    g.declare(format!(
        "static {r} (*{pick}(int k))({xn}, {yn})\n{{\n  return k < 0 ? 0 : {table}[k % {count}];\n}}"
    ));
    g.declare(format!(
        "static {r} {apply}({r} f({xn}, {yn}), {xn} a, {yn} *b)\n{{\n  {r} v = f(a, *b);\n  \
         *b = v;\n  return (*f)(v, *b);\n}}"
    ));
    let old = old_style(g);

    let (a, b, k) = (g.fresh("a"), g.fresh("b"), g.fresh("k"));
    let (va, vb) = (g.constant_of(x).text, g.constant_of(y).text);
    g.line(format!("{xn} {a} = {va};"));
    g.line(format!("{yn} {b} = {vb};"));
    let text = format!("int {k} = {};", g.rng.below(9));
    g.line(text);
    let text = format!("{r} (*{fp})({xn}, {yn}) = {};", names[g.rng.below(count)]);
    g.line(text);
    let places = [
        Place::new(a.clone(), x),
        Place::new(b.clone(), y),
        Place::new(k.clone(), INT),
        Place::new(state, shared),
    ];
    for _ in 0..6 {
        g.statements(&places, 1);
        let i = g.expr(&places, 1).masked(127).text;
        let (e, f) = (g.expr(&places, 2).text, g.expr(&places, 2).text);
        let call = match g.rng.below(7) {
            0 => format!("{table}[{i} % {count}]({e}, {f})"),
            1 => format!("(*{fp})({e}, {f})"),
            2 => format!("(**{ops}[{i} & 1].op)({e}, {f})"),
            3 => format!("{pick}({i})({e}, {f})"),
            4 => format!("{apply}({i} & 1 ? {} : {fp}, {e}, &{b})", names[0]),
            5 => format!("{ops}[{i} & 1].all[1]({e}, {f})"),
            _ => format!("(({i} & 1) ? {} : {})({e}, {f})", names[0], names[1]),
        };
        match g.rng.below(4) {
            0 => g.line(format!("{a} = {call};")),
            1 => g.line(format!("{fp} = {pick}({i});")),
            _ => g.mix(&call, ret),
        }
        g.mix(
            &format!(
                "({fp} == {}) + 2 * ({fp} != {pick}(-1)) + 4 * !{pick}(-1)",
                names[1]
            ),
            INT,
        );
        g.mix(&format!("{old}((int){a}, (long long){b}, &{k})"), LLONG);
    }
    g.mix_all(&places);
}

fn simple(g: &mut Gen, ret: Int, x: Int, y: Int, state: &str, shared: Int) -> String {
    let name = g.fresh("f");
    let places = [
        Place::new("x", x),
        Place::new("y", y),
        Place::new(state, shared),
    ];
    let body = g.apart(|g| {
        g.statements(&places, 2);
        let e = g.expr(&places, 3);
        g.line(format!("return {};", e.text));
    });
    g.declare(format!(
        "static {} {name}({} x, {} y)\n{{\n{body}}}",
        ret.name, x.name, y.name
    ));
    name
}

/// A function defined in the old style; its parameters are what the promotions leave.
fn old_style(g: &mut Gen) -> String {
    let name = g.fresh("f");
    let places = [
        Place::new("a", INT),
        Place::new("b", LLONG),
        Place::new("*c", INT),
    ];
    let body = g.apart(|g| {
        g.statements(&places, 2);
        let e = g.expr(&places, 2);
        g.line(format!("return {};", e.text));
    });
    g.declare(format!(
        "static long long {name}(a, b, c)\n  long long b;\n  int a, *c;\n{{\n{body}}}"
    ));
    name
}

pub fn recursion(g: &mut Gen) {
    let ty = g.any_type();
    let t = ty.name;
    let [f, h, s, sum, tag] = ["f", "h", "s", "u", "R"].map(|k| g.fresh(k));
    let kept = g.any_type();
    g.declare(format!(
        "struct {tag} {{ {t} v; int depth; struct {tag} *up; }};"
    ));
    g.declare(format!("static {t} {h}(int n, {t} *p);"));
    let places = [
        Place::new("l[0]", ty),
        Place::new("l[1]", ty),
        Place::new("*p", ty),
        Place::new(s.clone(), kept),
    ];
    let before = g.apart(|g| g.statements(&places, 2));
    let after = g.apart(|g| g.statements(&places, 2));
    let start = g.constant_of(kept).text;
    g.declare(format!(
        "static {t} {f}(int n, {t} *p)\n{{\n  static {} {s} = {start};\n  {t} l[2] = {{*p, n}};\n{before}  \
         if (n > 0) {{\n    l[n & 1] = {h}(n - 1, &l[1]);\n    mix(l[0]);\n  }}\n{after}  mix(l[1]);\n  \
         return l[0];\n}}",
        kept.name
    ));
    let places = [Place::new("x", ty), Place::new("*p", ty)];
    let body = g.apart(|g| g.statements(&places, 2));
    g.declare(format!(
        "static {t} {h}(int n, {t} *p)\n{{\n  {t} x = n > 2 ? {f}(n - 2, p) : *p;\n{body}  \
         return n > 0 ? {f}(n - 1, &x) : x;\n}}"
    ));
    // Frames that are linked, and a struct that is returned from deep inside.
    let place = [Place::new("here.v", ty), Place::new("here.depth", INT)];
    let e = g.expr(&place, 2).text;
    let walk = format!(
        "static struct {tag} {sum}(struct {tag} *up, int n)\n{{\n  struct {tag} here = {{up ? up->v : 1, n, up}};\n  \
         if (n == 0) {{\n    for (up = &here; up; up = up->up) mix(up->v);\n    here.up = 0;\n    return here;\n  }}\n  \
         here.v = {e};\n  struct {tag} r = {sum}(&here, n - 1);\n  r.depth += here.depth & 15;\n  return r;\n}}"
    );
    g.declare(walk);
    let l = g.fresh("l");
    let value = g.constant_of(ty).text;
    g.line(format!("{t} {l} = {value};"));
    let text = format!("{f}({}, &{l})", 2 + g.rng.below(3));
    g.mix(&text, ty);
    let text = format!("{h}({}, &{l})", 1 + g.rng.below(3));
    g.mix(&text, ty);
    g.mix(&l, ty);
    let text = format!("struct {tag} {l}r = {sum}(0, {});", 1 + g.rng.below(5));
    g.line(text);
    g.mix(&format!("{l}r.v"), ty);
    g.mix(&format!("{l}r.depth + !{l}r.up"), INT);
}
