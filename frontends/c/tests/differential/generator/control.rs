//! Jumps into and out of blocks, switches that fall through, loops of every form, Duff's device.

use super::Gen;
use super::expr::Place;
use super::int::{self, INT, Int};
use std::fmt::Write;

fn variables(g: &mut Gen, count: usize) -> Vec<Place> {
    (0..count)
        .map(|_| {
            let (name, ty) = (g.fresh("v"), g.any_type());
            let value = g.constant_of(ty).text;
            g.line(format!("{} {name} = {value};", ty.name));
            Place::new(name, ty)
        })
        .collect()
}

pub fn jumps(g: &mut Gen) {
    let places = variables(g, 3);
    let count = 4 + g.rng.below(3);
    let fuel = g.fresh("z");
    let text = format!("int {fuel} = {};", 10 + g.rng.below(20));
    g.line(text);
    let labels: Vec<String> = (0..count).map(|_| g.fresh("L")).collect();
    let end = g.fresh("L");
    let inner = g.fresh("w");
    for (i, label) in labels.iter().enumerate() {
        let nested = g.rng.chance(40);
        if nested {
            // A label in a block: control may come to it past the declaration.
            g.line(format!("{{ int {inner}{i};"));
            g.line(format!("{inner}{i} = 1; mix({inner}{i});"));
        }
        g.line(format!("{label}:"));
        g.line(format!("if (--{fuel} <= 0) goto {end};"));
        if nested {
            let e = g.expr(&places, 1).text;
            g.line(format!("{inner}{i} = {e};"));
            g.mix(&format!("{inner}{i}"), INT);
        }
        g.statements(&places, 1);
        let to = g.rng.pick(&labels).clone();
        let c = g.expr(&places, 2).text;
        g.line(format!("if ({c}) goto {to};"));
        if nested {
            g.line("}");
        }
    }
    g.line(format!("{end}: ;"));
    g.mix_all(&places);
    g.mix(&fuel, INT);
}

pub fn switches(g: &mut Gen) {
    let places = variables(g, 3);
    let f = g.fresh("f");
    let ty = {
        let mut ty = g.any_type();
        while ty.is_wide() || ty == int::BOOL {
            ty = g.any_type();
        }
        ty
    };
    let body = cases(g, ty);
    g.declare(format!(
        "static int {f}({} x, int y)\n{{\n  switch (x) {{\n{body}  }}\n  return y;\n}}",
        ty.name
    ));
    let i = g.fresh("i");
    g.line(format!("for (int {i} = -2; {i} < 12; {i}++) {{"));
    g.mix(&format!("{f}({i}, {i})"), INT);
    let e = g.expr(&places, 1).text;
    g.line(format!("switch ({i} & 3) {{"));
    g.line(format!("case 0: if ({e}) continue;"));
    g.statements(&places, 1);
    g.line("case 1: case 2:");
    g.statements(&places, 1);
    g.line("break; default: {");
    g.statements(&places, 1);
    g.line("}}");
    g.mix(&i, INT);
    g.line("}");
    let x = g.expr(&places, 2).text;
    g.mix(&format!("{f}({x}, 7)"), INT);
    duff(g);
    g.mix_all(&places);
}

/// The body of a switch over a type: distinct cases, ranges, default anywhere, some that fall through.
fn cases(g: &mut Gen, ty: Int) -> String {
    let places = [Place::new("y", INT), Place::new("x", ty)];
    let mut text = String::new();
    let mut next = if ty.signed { -3 } else { 0 };
    let count = 4 + g.rng.below(4);
    let default = g.rng.below(count + 2);
    for i in 0..count {
        if i == default {
            text += "  default:\n";
        }
        let high = next + g.rng.below(3) as i128;
        if high > next {
            writeln!(text, "  case {next} ... {high}:").expect("a string grows");
        } else {
            writeln!(text, "  case {next}:").expect("a string grows");
        }
        next = high + 1 + g.rng.below(3) as i128;
        if i + 1 == count && g.rng.chance(50) {
            let value = ty.max();
            let value = g.literal(value).text;
            writeln!(text, "  case ({}){value}:", ty.name).expect("a string grows");
        }
        text += &g.apart(|g| g.statements(&places, 1));
        text += match g.rng.below(4) {
            0 => "",
            1 => "    return y ^ 3;\n",
            _ => "    break;\n",
        };
    }
    text + "    y ^= 1;\n"
}

/// Duff's device: a loop whose body is entered in the middle.
fn duff(g: &mut Gen) {
    let (f, ty) = (g.fresh("f"), g.plain_type());
    let t = ty.name;
    let k = 2 + g.rng.below(4);
    let mut body = String::new();
    for i in (1..k).rev() {
        write!(body, " case {i}: *to++ = *from++;").expect("a string grows");
    }
    g.declare(format!(
        "static void {f}({t} *to, const {t} *from, int n)\n{{\n  int r = (n + {k} - 1) / {k};\n  \
         switch (n % {k}) {{ case 0: do {{ *to++ = *from++;{body} }} while (--r > 0); }}\n}}"
    ));
    let (a, b) = (g.fresh("a"), g.fresh("b"));
    let items: Vec<String> = (0..9).map(|_| g.constant_of(ty).text).collect();
    let n = 1 + g.rng.below(9);
    g.line(format!(
        "{t} {a}[9] = {{{}}}, {b}[9] = {{0}};",
        items.join(", ")
    ));
    g.line(format!("{f}({b}, {a}, {n});"));
    for i in 0..9 {
        g.mix(&format!("{b}[{i}]"), ty);
    }
}

/// Loops, some over arrays whose length is only known when they are reached.
pub fn loops(g: &mut Gen) {
    let mut places = variables(g, 2);
    let (n, i, j) = (g.fresh("n"), g.fresh("i"), g.fresh("j"));
    let text = format!("int {n} = {}, {i}, {j};", 2 + g.rng.below(3));
    g.line(text);
    let ty = g.any_type();
    let a = g.fresh("a");
    let variable = g.rng.chance(60);
    let length = if variable { n.clone() } else { "4".to_owned() };
    g.line(format!("{} {a}[{length}][3];", ty.name));
    g.mix(&format!("sizeof {a} + sizeof {a}[0]"), INT);
    let e = g.expr(&places, 1).text;
    g.line(format!(
        "for ({i} = 0, {j} = 5; {i} < {length}; {i}++, {j}--) for (int k = 0; k < 3; k++) {{"
    ));
    let text = format!(
        "if (k == {} && {e}) {{ {a}[{i}][k] = {j}; continue; }}",
        g.rng.below(3)
    );
    g.line(text);
    g.line(format!("{a}[{i}][k] = {i} * 3 + k;"));
    g.line("}");
    places.push(Place::new(format!("{a}[1][{}]", g.rng.below(3)), ty));
    places.push(Place::new(format!("*(*{a} + 1)"), ty));
    g.line(format!("{i} = 0;"));
    g.line("do {");
    g.statements(&places, 2);
    let c = g.expr(&places, 1).text;
    g.line(format!("if ({c}) break;"));
    g.line(format!("}} while (++{i} < 3);"));
    g.mix(&i, INT);
    g.line(format!("while ({i}-- > 0) {{"));
    g.line(format!(
        "for ({j} = 0; ; {j}++) {{ if ({j} == {i}) break; mix({j}); }}"
    ));
    g.statements(&places, 1);
    g.line("}");
    let (f, k) = (g.fresh("f"), g.rng.below(3));
    g.declare(format!(
        "static unsigned long long {f}(int n, int m, {} x[n][m])\n{{\n  unsigned long long s = 0;\n  \
         for (int i = 0; i < n; i++) for (int j = m; j-- > 0;) s = s * 7 + (unsigned long long)x[i][j];\n  \
         return s + sizeof *x;\n}}",
        ty.name
    ));
    g.mix(&format!("{f}({length}, 3, {a}) + {k}"), INT);
    g.mix_all(&places);
}
