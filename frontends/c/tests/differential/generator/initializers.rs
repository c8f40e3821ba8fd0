//! Initialisers in all their spellings, compound literals, strings, flexible array members.

use super::Gen;
use super::expr::Place;
use super::int::{self, CHAR, INT, Int};
use super::types::{Field, Type};

/// What initial values are made of.
pub enum Values<'a> {
    /// Constants, for static objects.
    Constant,
    /// Expressions over places.
    Computed(&'a [Place]),
}

impl Gen {
    fn initial(&mut self, ty: Int, values: &Values<'_>) -> String {
        match values {
            Values::Computed(places) if self.rng.chance(50) => {
                let e = self.expr(places, 1);
                e.text
            }
            _ => self.constant_of(ty).text,
        }
    }

    /// An initialiser of an object, in braces where it has members.
    pub fn initializer(&mut self, ty: &Type, values: &Values<'_>) -> String {
        match ty {
            Type::Int(t) => self.initial(*t, values),
            Type::Bits(t, width) => self.initial(super::types::field_type(*t, *width), values),
            Type::Array(elem, n) => self.array_initializer(elem, *n, values),
            Type::Record(r) if r.union => {
                let named: Vec<&Field> = r.fields.iter().collect();
                let k = self.rng.below(named.len());
                let value = self.initializer(&named[k].ty, values);
                match &named[k].name {
                    Some(name) if k > 0 || self.rng.chance(50) => format!("{{.{name} = {value}}}"),
                    _ => format!("{{{value}}}"),
                }
            }
            Type::Record(r) => {
                if self.rng.chance(15) {
                    return format!("{{{}}}", self.flat(ty, values).join(", "));
                }
                let mut items = Vec::new();
                let fields: Vec<&Field> = r.fields.iter().filter(|f| !is_unnamed(f)).collect();
                let designated = self.rng.chance(40);
                let stop = if self.rng.chance(30) {
                    self.rng.below(fields.len() + 1)
                } else {
                    fields.len()
                };
                for field in &fields[..stop] {
                    let value = self.initializer(&field.ty, values);
                    items.push(match &field.name {
                        Some(name) if designated => format!(".{name} = {value}"),
                        _ => value,
                    });
                }
                if designated {
                    self.shuffle(&mut items);
                    self.override_some(ty, &mut items, values);
                }
                if items.is_empty() {
                    // An empty list is an extension that means the same.
                    return "{}".to_owned();
                }
                format!("{{{}}}", items.join(", "))
            }
        }
    }

    fn array_initializer(&mut self, elem: &Type, n: u64, values: &Values<'_>) -> String {
        let mut items = Vec::new();
        match self.rng.below(4) {
            0 => {
                // In any order, some of them twice, some ranges.
                for _ in 0..1 + self.rng.below(n as usize + 1) {
                    let i = self.rng.below(n as usize) as u64;
                    let value = self.initializer(elem, values);
                    let constant = matches!(values, Values::Constant);
                    if i + 1 < n && constant && self.rng.chance(40) {
                        items.push(format!("[{i} ... {}] = {value}", n - 1));
                    } else {
                        items.push(format!("[{i}] = {value}"));
                    }
                }
            }
            1 => {
                // From some place on.
                let start = self.rng.below(n as usize) as u64;
                for i in start..n {
                    let value = self.initializer(elem, values);
                    items.push(if i == start {
                        format!("[{i}] = {value}")
                    } else {
                        value
                    });
                }
            }
            2 => {
                for _ in 0..1 + self.rng.below(n as usize) {
                    items.push(self.initializer(elem, values));
                }
            }
            _ => {
                for _ in 0..n {
                    items.push(self.initializer(elem, values));
                }
            }
        }
        format!("{{{}}}", items.join(", "))
    }

    /// The scalars of an object in order, as they stand where inner braces are left out.
    fn flat(&mut self, ty: &Type, values: &Values<'_>) -> Vec<String> {
        match ty {
            Type::Int(_) | Type::Bits(..) => vec![self.initializer(ty, values)],
            Type::Array(elem, n) => (0..*n).flat_map(|_| self.flat(elem, values)).collect(),
            Type::Record(r) => {
                let fields = r.fields.iter().filter(|f| !is_unnamed(f));
                let count = if r.union { 1 } else { usize::MAX };
                fields
                    .take(count)
                    .flat_map(|f| self.flat(&f.ty, values))
                    .collect()
            }
        }
    }

    /// Sets single integers of a struct once more, by their whole path.
    fn override_some(&mut self, ty: &Type, items: &mut Vec<String>, values: &Values<'_>) {
        // A path into a part that a later brace sets anew is undone by it, so these come last. Bytes of
        // a union that another member covers would be left open.
        let Type::Record(r) = ty else { return };
        let mut leaves = Vec::new();
        for field in r.fields.iter().filter(|f| !holds_union(&f.ty)) {
            if let Some(name) = &field.name {
                leaves.extend(field.ty.leaves(&format!(".{name}")));
            }
        }
        for _ in 0..self.rng.below(3) {
            if leaves.is_empty() {
                return;
            }
            let leaf = self.rng.pick(&leaves).clone();
            let value = self.initial(leaf.ty, values);
            items.push(format!("{} = {value}", leaf.text));
        }
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.rng.below(i + 1);
            items.swap(i, j);
        }
    }
}

fn is_unnamed(field: &Field) -> bool {
    field.name.is_none() && !matches!(field.ty, Type::Record(_))
}

fn holds_union(ty: &Type) -> bool {
    match ty {
        Type::Record(r) => r.union || r.fields.iter().any(|f| holds_union(&f.ty)),
        Type::Array(elem, _) => holds_union(elem),
        _ => false,
    }
}

/// Arrays and structs, static and local, whose initialisers are all there is.
pub fn unit(g: &mut Gen) {
    let record = Type::Record(g.structure(2));
    let mut places = Vec::new();
    for _ in 0..3 {
        let ty = match g.rng.below(4) {
            0 => record.clone(),
            1 => Type::Array(Box::new(record.clone()), 1 + g.rng.below(3) as u64),
            2 => {
                let inner = Type::Array(Box::new(Type::Int(g.any_type())), 3);
                Type::Array(Box::new(inner), 2)
            }
            _ => Type::Array(Box::new(Type::Int(g.any_type())), 5),
        };
        let (s, l) = (g.fresh("s"), g.fresh("l"));
        let init = g.initializer(&ty, &Values::Constant);
        let constant = *g.rng.pick(&["", "const "]);
        g.declare(format!("static {constant}{} = {init};", ty.declare(&s)));
        places.extend(ty.leaves(&s));
        let seen: Vec<Place> = (0..4).map(|_| g.rng.pick(&places).clone()).collect();
        let init = g.initializer(&ty, &Values::Computed(&seen));
        let storage = *g.rng.pick(&["", "", "const ", "volatile "]);
        g.line(format!("{storage}{} = {init};", ty.declare(&l)));
        places.extend(ty.leaves(&l));
    }
    // The length comes from the initialiser.
    let (open, ty) = (g.fresh("o"), g.any_type());
    let last = g.rng.below(6);
    let (x, y) = (g.constant_of(ty).text, g.constant_of(ty).text);
    g.declare(format!(
        "static {} {open}[] = {{{x}, [{last}] = {y}, {x}, [1] = {y}}};",
        ty.name
    ));
    g.mix(&format!("sizeof {open} / sizeof {open}[0]"), INT);
    for i in 0..(last + 2).max(2) {
        places.push(Place::new(format!("{open}[{i}]"), ty));
    }
    g.mix_all(&places);
}

/// Compound literals at file scope and in functions, with their addresses.
pub fn literals(g: &mut Gen) {
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
