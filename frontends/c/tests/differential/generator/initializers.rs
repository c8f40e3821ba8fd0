//! Initialisers in all their spellings: designated, in ranges, set twice, with braces left out.

use super::Gen;
use super::expr::Place;
use super::int::{INT, Int};
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
                    if designated {
                        self.designated(field, values, &mut items);
                    } else {
                        items.push(self.initializer(&field.ty, values));
                    }
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

    /// Sets a member by its name; one that has none by the names of its own members.
    fn designated(&mut self, field: &Field, values: &Values<'_>, items: &mut Vec<String>) {
        match (&field.name, &field.ty) {
            (Some(name), ty) => {
                let value = self.initializer(ty, values);
                items.push(format!(".{name} = {value}"));
            }
            (None, Type::Record(r)) if r.union => {
                let k = self.rng.below(r.fields.len());
                self.designated(&r.fields[k], values, items);
            }
            (None, Type::Record(r)) => {
                for inner in r.fields.iter().filter(|f| !is_unnamed(f)) {
                    self.designated(inner, values, items);
                }
            }
            _ => {}
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
