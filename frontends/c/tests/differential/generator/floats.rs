//! Floating point: arithmetic, comparisons, conversions, classification and the exact functions of `math.h`, in float,
//! double and long double.
//!
//! What C leaves open is not looked at: signs and payloads of NaNs, which zero `fmin` gives, and conversions to integers
//! that do not hold the number.

use super::Gen;
use super::int::INT;

/// A floating type: its name, and what the names of its functions, constants and mixers end in.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Real {
    name: &'static str,
    suffix: &'static str,
    rank: usize,
}

const REALS: [Real; 3] = [
    Real {
        name: "float",
        suffix: "f",
        rank: 0,
    },
    Real {
        name: "double",
        suffix: "",
        rank: 1,
    },
    Real {
        name: "long double",
        suffix: "l",
        rank: 2,
    },
];

/// A variable or expression of a floating type without effects.
#[derive(Clone)]
struct Number {
    text: String,
    ty: Real,
}

/// How the programs look at numbers.
const MIXERS: &str = "\
static void UNIT_mixf(float x)
{
  union { float x; unsigned bits; } u;
  u.x = x;
  mix(x != x ? 1 : u.bits);
}
static void UNIT_mix(double x)
{
  union { double x; unsigned long long bits; } u;
  u.x = x;
  mix(x != x ? 1 : u.bits);
}
static void UNIT_mixl(long double x)
{
  union { long double x; struct { unsigned long long low; unsigned short high; } bits; } u;
  u.x = x;
  mix(x != x ? 1 : u.bits.low);
  mix(x != x ? 1 : u.bits.high);
}";

pub fn unit(g: &mut Gen) {
    let mixers = MIXERS.replace("UNIT", &g.prefix);
    g.declare(mixers);
    let mut numbers = Vec::new();
    for i in 0..4 + g.rng.below(3) {
        let ty = real(g);
        let (name, value) = (g.fresh("x"), constant(g, ty));
        let storage = *g.rng.pick(&["static", "static volatile", "static const"]);
        let storage = if i < 3 { "static" } else { storage };
        g.declare(format!("{storage} {} {name} = {value};", ty.name));
        numbers.push(Number { text: name, ty });
    }
    let targets: Vec<Number> = numbers[..3].to_vec();
    let folded = constant_expression(g, 3);
    let name = g.fresh("k");
    g.declare(format!(
        "static {} {name} = {};",
        folded.ty.name, folded.text
    ));
    numbers.push(Number {
        text: name,
        ty: folded.ty,
    });
    let function = function(g);
    for _ in 0..6 + g.rng.below(6) {
        let value = expression(g, &numbers, 3);
        let to = g.rng.pick(&targets).clone();
        let line = match g.rng.below(7) {
            0 => format!("{} {}= {};", to.text, operator(g), value.text),
            1 => format!("{}{};", to.text, g.rng.pick(&["++", "--"])),
            2 => format!("{} = {function}({}, {});", to.text, to.text, value.text),
            3 => {
                let test = test(g, &numbers);
                format!("mix({test});")
            }
            4 => {
                let i = integer(g, &numbers);
                format!("mix({i});")
            }
            _ => format!("{} = {};", to.text, value.text),
        };
        g.line(line);
        let line = mixed(g, &value);
        g.line(line);
    }
    for number in numbers {
        let line = mixed(g, &number);
        g.line(line);
    }
}

fn real(g: &mut Gen) -> Real {
    *g.rng.pick(&REALS)
}

fn mixed(g: &Gen, number: &Number) -> String {
    format!("{}_mix{}({});", g.prefix, number.ty.suffix, number.text)
}

fn operator(g: &mut Gen) -> &'static str {
    ["+", "-", "*", "/"][g.rng.below(4)]
}

/// A constant of a type, of any size.
fn constant(g: &mut Gen, ty: Real) -> String {
    let letter = ["f", "", "L"][ty.rank];
    let most = [38, 308, 4932][ty.rank];
    let sign = if g.rng.chance(30) { "-" } else { "" };
    match g.rng.below(10) {
        0 => format!("{sign}0.0{letter}"),
        1 => format!("{sign}__builtin_inf{}()", ty.suffix),
        2 => format!("__builtin_nan{}(\"\")", ty.suffix),
        3 => {
            let digits = g.rng.bits();
            let by = g.rng.below(2 * most) as i64 - most as i64;
            format!("{sign}0x{:x}.{digits:x}p{by}{letter}", digits % 13)
        }
        4 => {
            let by = g.rng.below(2 * most + 12) as i64 - most as i64 - 12;
            let digits = g.rng.bits() % 1_000_000_000_000;
            format!("{sign}{}.{digits}e{by}{letter}", digits % 10)
        }
        5 => format!("{sign}{}.5{letter}", g.rng.below(1000)),
        _ => format!(
            "{sign}{}.{}{letter}",
            g.rng.below(100_000),
            g.rng.below(1000)
        ),
    }
}

fn constant_expression(g: &mut Gen, depth: usize) -> Number {
    if depth == 0 || g.rng.chance(20) {
        let ty = real(g);
        return Number {
            text: constant(g, ty),
            ty,
        };
    }
    let a = constant_expression(g, depth - 1);
    match g.rng.below(4) {
        0 => {
            let ty = real(g);
            let text = format!("(({})({}))", ty.name, a.text);
            Number { text, ty }
        }
        1 => {
            let b = constant_expression(g, depth - 1);
            let text = format!("({} < {} ? {} : {})", a.text, b.text, a.text, b.text);
            Number {
                text,
                ty: wider(a.ty, b.ty),
            }
        }
        _ => {
            let b = constant_expression(g, depth - 1);
            let text = format!("({} {} {})", a.text, operator(g), b.text);
            Number {
                text,
                ty: wider(a.ty, b.ty),
            }
        }
    }
}

fn wider(a: Real, b: Real) -> Real {
    if a.rank >= b.rank { a } else { b }
}

/// A function of two numbers.
fn function(g: &mut Gen) -> String {
    let (name, a, b, ret) = (g.fresh("f"), real(g), real(g), real(g));
    let numbers = [("a", a), ("b", b)].map(|(text, ty)| Number {
        text: text.to_owned(),
        ty,
    });
    let body = expression(g, &numbers, 3);
    g.declare(format!(
        "static {} {name}({} a, {} b) {{ return {}; }}",
        ret.name, a.name, b.name, body.text
    ));
    name
}

fn expression(g: &mut Gen, numbers: &[Number], depth: usize) -> Number {
    if depth == 0 || g.rng.chance(15) {
        if g.rng.chance(20) {
            let ty = real(g);
            let text = constant(g, ty);
            return Number { text, ty };
        }
        return g.rng.pick(numbers).clone();
    }
    let a = expression(g, numbers, depth - 1);
    match g.rng.below(8) {
        0 => {
            let ty = real(g);
            let text = format!("(({})({}))", ty.name, a.text);
            Number { text, ty }
        }
        1 => Number {
            text: format!("(- {})", a.text),
            ty: a.ty,
        },
        2 => {
            let b = expression(g, numbers, depth - 1);
            let test = test(g, numbers);
            Number {
                text: format!("({test} ? {} : {})", a.text, b.text),
                ty: wider(a.ty, b.ty),
            }
        }
        3 => {
            let ty = real(g);
            let i = g.plain_type();
            let value = g.constant_of(i).text;
            let text = format!("(({})({})({value}) + {})", ty.name, i.name, a.text);
            Number {
                text,
                ty: wider(ty, a.ty),
            }
        }
        4 => call(g, numbers, a),
        _ => {
            let b = expression(g, numbers, depth - 1);
            let text = format!("({} {} {})", a.text, operator(g), b.text);
            Number {
                text,
                ty: wider(a.ty, b.ty),
            }
        }
    }
}

/// A function of `math.h`.
fn call(g: &mut Gen, numbers: &[Number], a: Number) -> Number {
    let ty = a.ty;
    let s = ty.suffix;
    // Functions that are asked twice get what is cheap to write twice.
    let x = &g.rng.pick(numbers).clone();
    let y = &g.rng.pick(numbers).clone();
    let text = match g.rng.below(9) {
        0 => {
            let name = *g.rng.pick(&[
                "fabs",
                "floor",
                "ceil",
                "trunc",
                "round",
                "rint",
                "nearbyint",
            ]);
            format!("__builtin_{name}{s}({})", a.text)
        }
        1 => format!("__builtin_sqrt{s}({})", a.text),
        2 => format!("__builtin_fma{s}({}, {}, {})", a.text, x.text, y.text),
        3 => {
            let by = g.rng.below(300) as i64 - 150;
            let name = *g.rng.pick(&["ldexp", "scalbn"]);
            format!("__builtin_{name}{s}({}, {by})", a.text)
        }
        4 => format!("__builtin_nextafter{s}({}, {})", a.text, x.text),
        5 => format!("__builtin_fdim{s}({}, {})", x.text, a.text),
        6 => format!(
            "({} != {} ? 1 : __builtin_copysign{s}({}, {}))",
            x.text, x.text, a.text, x.text
        ),
        7 => {
            let name = *g.rng.pick(&["fmin", "fmax"]);
            format!(
                "(({})({x}) == 0 && ({})({y}) == 0 ? 2 : __builtin_{name}{s}({x}, {y}))",
                ty.name,
                ty.name,
                x = x.text,
                y = y.text
            )
        }
        _ => {
            let name = *g.rng.pick(&["fmod", "remainder"]);
            format!(
                "(({ty})({x}) == 0 || ({ty})({y}) == 0 || !__builtin_isfinite(({ty})({x})) || !__builtin_isfinite(({ty})({y})) \
                 || __builtin_ilogb{s}({x}) - __builtin_ilogb{s}({y}) > 300 ? 3 : __builtin_{name}{s}({x}, {y}))",
                ty = ty.name,
                x = x.text,
                y = y.text
            )
        }
    };
    // The other branch of a condition has the type of its operand.
    let text = format!("(({})({text}))", ty.name);
    Number { text, ty }
}

/// 0 or 1.
fn test(g: &mut Gen, numbers: &[Number]) -> String {
    let (a, b) = (g.rng.pick(numbers).clone(), g.rng.pick(numbers).clone());
    let (a, b) = (a.text, b.text);
    match g.rng.below(5) {
        0 => {
            let name = *g.rng.pick(&[
                "isgreater",
                "isless",
                "isunordered",
                "islessgreater",
                "isgreaterequal",
            ]);
            format!("__builtin_{name}({a}, {b})")
        }
        1 => {
            let name = *g
                .rng
                .pick(&["isnan", "isinf", "isfinite", "isnormal", "isinf_sign"]);
            format!("__builtin_{name}({a})")
        }
        2 => format!("({a} == {a} && __builtin_signbit({a}) ? 1 : 0)"),
        3 => format!("(!{a} || {b})"),
        _ => {
            let op = *g.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
            format!("({a} {op} {b})")
        }
    }
}

/// An integer made from a number.
fn integer(g: &mut Gen, numbers: &[Number]) -> String {
    let x = g.rng.pick(numbers).clone();
    let s = x.ty.suffix;
    let x = x.text;
    match g.rng.below(5) {
        0 => format!("__builtin_fpclassify(0, 1, 2, 3, 4, {x})"),
        1 => format!("(__builtin_isfinite({x}) && {x} != 0 ? __builtin_ilogb{s}({x}) : 0)"),
        2 => {
            let name = *g.rng.pick(&["lround", "lrint", "llround", "llrint"]);
            format!("({x} > -2147483000 && {x} < 2147483000 ? __builtin_{name}{s}({x}) : 0)")
        }
        _ => {
            let ty = g.plain_type();
            let small = ty.min() >= 0 || ty == INT;
            let (low, high) = match (ty.min() < 0, ty.bits) {
                (false, _) => (0, 1i64 << (ty.bits.min(60) - 1)),
                (true, bits) => (-(1i64 << (bits.min(60) - 1)), 1i64 << (bits.min(60) - 2)),
            };
            let low = if small && low == 0 {
                "-0.99"
            } else {
                &format!("{low}.0")
            };
            format!("({x} > {low} && {x} < {high}.0 ? ({})({x}) : 9)", ty.name)
        }
    }
}
