//! Values as the source would write them, and what an assignment did in its terms: `x = -1`,
//! `a[3] = 1`, `p = NULL`.

use crate::names::{Names, OfC};
use crate::objects::{Objects, Target, scalar_at};
use std::collections::BTreeSet;
use std::fmt;
use trellis_frontend_c::hir::float::Float;
use trellis_frontend_c::lower::{Elements, VarInfo};
use trellis_frontend_c::types::{FloatKind, Ty, TyKind};
use trellis_ivl::program::Action;
use trellis_ivl::{ArrayValue, Bv, CmdView, Edge, Machine, Op, Program, Term, Value, Var};

/// Elements of one assignment that are told one by one.
const MOST: usize = 8;
/// Largest array that is compared element by element.
const LARGEST: u64 = 4096;

/// A value of a variable, where it is known which: signed where the variable is, addresses as such; both
/// ways where nobody knows.
pub fn show(info: Option<&VarInfo>, value: &Value) -> String {
    let Value::Bv(bv) = value else {
        return value.to_string();
    };
    let Some(info) = info else {
        return match bv.width() >= 8 && bv.is_negative() {
            true => format!("{} ({})", bv.to_biguint(), bv.to_bigint()),
            false => bv.to_biguint().to_string(),
        };
    };
    if info.pointer {
        return match bv.is_zero() {
            true => "NULL".into(),
            false => address(bv),
        };
    }
    if let Some(kind) = info.float {
        return float(kind, bv);
    }
    let number = match info.signed {
        true => bv.to_bigint().to_string(),
        false => bv.to_biguint().to_string(),
    };
    let character = bv.to_u64().and_then(|n| u8::try_from(n).ok());
    match character.filter(|c| bv.width() == 8 && c.is_ascii_graphic()) {
        Some(c) => format!("{number} '{}'", char::from(c)),
        None => number,
    }
}

/// The value of a variable of a C program, with pointers by what they lead to.
pub fn show_typed(
    names: &Names,
    objects: &mut Objects,
    info: Option<&VarInfo>,
    value: &Value,
) -> String {
    let ty = info.and_then(|i| i.ty);
    match (names.of_source(), ty, value) {
        (Some(of_c), Some(ty), Value::Bv(bv)) => {
            typed(of_c, objects, ty, bv).unwrap_or_else(|| show(info, value))
        }
        _ => show(info, value),
    }
}

/// A value of a type, where that says more than its bits: pointers, enumerators and structs.
fn typed(of_c: &OfC, objects: &mut Objects, ty: Ty, bv: &Bv) -> Option<String> {
    let types = &of_c.types;
    match types.kind(ty) {
        TyKind::Pointer(to) => Some(objects.pointer(of_c, bv.to_u64()?, Some(to.ty))),
        TyKind::Enum(e) => {
            let number = match types.is_signed(ty) {
                true => i128::from(bv.to_i64()?),
                false => i128::from(bv.to_u64()?),
            };
            let of = &types.enums[*e];
            let at = of.values.iter().position(|v| *v == number)?;
            Some(of_c.interner.text(*of.names.get(at)?).to_string())
        }
        TyKind::Record(r) if !types.records[*r].union => {
            let members = types.records[*r].fields.iter().filter_map(|field| {
                let name = of_c.interner.text(field.name?);
                let bits = match field.width {
                    Some(width) => u64::from(width),
                    None => 8 * types.size_of(field.ty.ty)?,
                };
                let (low, bits) = (
                    u32::try_from(field.bit_offset).ok()?,
                    u32::try_from(bits).ok()?,
                );
                let high = low
                    .checked_add(bits)?
                    .checked_sub(1)
                    .filter(|h| *h < bv.width())?;
                let value = of_type(of_c, objects, field.ty.ty, &bv.extract(high, low));
                Some(format!("{name} = {value}"))
            });
            Some(format!("{{{}}}", members.collect::<Vec<_>>().join(", ")))
        }
        _ => None,
    }
}

/// A value of a type, as far as that has words for it.
fn of_type(of_c: &OfC, objects: &mut Objects, ty: Ty, bv: &Bv) -> String {
    let types = &of_c.types;
    if let Some(text) = typed(of_c, objects, ty, bv) {
        return text;
    }
    let info = VarInfo {
        var: Var::from_u32(0),
        name: String::new(),
        function: None,
        ty: None,
        signed: types.is_signed(ty),
        pointer: false,
        float: match types.kind(ty) {
            TyKind::Float(kind) => Some(*kind),
            _ => None,
        },
        elements: Elements::None,
    };
    show(Some(&info), &bv.clone().into())
}

/// A floating number as people write it, with its bits: `0.1f (0x3dcccccd)`.
pub fn float(kind: FloatKind, bv: &Bv) -> String {
    let bits = u128::try_from(bv.to_biguint()).unwrap_or_default();
    let number = Float::new(kind, bits);
    format!("{number} (0x{:x})", number.bits)
}

fn address(bv: &Bv) -> String {
    format!("0x{:x}", bv.to_biguint())
}

/// A variable that a step assigns, and what is known of it before.
pub struct Assigned {
    var: Var,
    before: Value,
    /// The elements of an array that are written, where the command says so itself.
    written: Option<BTreeSet<Bv>>,
}

impl Assigned {
    /// The variable.
    pub fn var(&self) -> Var {
        self.var
    }

    /// The elements of an array that were written, or else those that have changed.
    pub(crate) fn changed(&self, machine: &Machine<'_>) -> BTreeSet<Bv> {
        let (Some(after), Some(before)) =
            (machine.value(self.var).as_array(), self.before.as_array())
        else {
            return BTreeSet::new();
        };
        self.written.clone().unwrap_or_else(|| {
            let both = before.entries().chain(after.entries());
            let changed = both.filter(|(i, _)| before.select(i) != after.select(i));
            changed.map(|(i, _)| i.clone()).collect()
        })
    }
}

/// What an edge is about to assign in the state of `machine`.
pub fn about_to_assign(program: &Program, machine: &mut Machine<'_>, edge: Edge) -> Vec<Assigned> {
    let Action::Cmd(cmd) = &program.edges[edge].action else {
        return Vec::new();
    };
    let written = |machine: &mut Machine<'_>, var: Var| match program.cmds.view(*cmd) {
        CmdView::Assign(items) => {
            let (_, term) = items.iter().find(|(v, _)| *v == var)?;
            written(program, machine, var, *term)
        }
        // What comes first may change what comes later.
        _ => None,
    };
    let modified = program.cmds.modified(*cmd).into_iter();
    modified
        .map(|var| Assigned {
            var,
            before: machine.value(var).clone(),
            written: written(machine, var),
        })
        .collect()
}

/// The indices that a chain of stores on the variable itself writes.
fn written(
    program: &Program,
    machine: &mut Machine<'_>,
    var: Var,
    mut term: Term,
) -> Option<BTreeSet<Bv>> {
    let mut indices = BTreeSet::new();
    while program.pool.op(term) == Op::Store {
        let args: Vec<Term> = program.pool.args(term).collect();
        let &[array, index, _] = &args[..] else {
            return None;
        };
        indices.insert(machine.eval(index).as_bv()?.clone());
        term = array;
    }
    (program.pool.as_var(term) == Some(var)).then_some(indices)
}

/// A value that something has now, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What the source calls it.
    pub name: String,
    /// The value; nothing where the name stands for many that are not listed.
    pub value: String,
    /// Of what is in memory, the address of the object.
    pub object: Option<u64>,
    /// Of a pointer, the address of the object that it leads to.
    pub leads_to: Option<u64>,
}

impl Told {
    pub(crate) fn new(name: String, value: String) -> Told {
        Told {
            name,
            value,
            object: None,
            leads_to: None,
        }
    }

    /// A variable of a C program.
    pub fn variable(
        (name, info): (&str, Option<&VarInfo>),
        names: &Names,
        objects: &mut Objects,
        value: &Value,
    ) -> Told {
        let text = show_typed(names, objects, info, value);
        let ty = info.and_then(|i| i.ty);
        Told {
            leads_to: leads_to(names, objects, ty, value),
            ..Told::new(name.into(), text)
        }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.is_empty() {
            true => f.write_str(&self.name),
            false => write!(f, "{} = {}", self.name, self.value),
        }
    }
}

/// The object that a pointer leads to.
fn leads_to(names: &Names, objects: &Objects, ty: Option<Ty>, value: &Value) -> Option<u64> {
    let (of_c, address) = (names.of_source()?, value.as_bv()?.to_u64()?);
    match of_c.types.kind(ty?) {
        TyKind::Pointer(_) => objects.base(of_c, address),
        _ => None,
    }
}

/// What an assignment did, once it is done; nothing for variables that the source does not name.
pub fn tell(
    program: &Program,
    machine: &Machine<'_>,
    names: &Names,
    objects: &mut Objects,
    done: &Assigned,
) -> Vec<Told> {
    let info = names.info(done.var);
    if info.is_none() && names.is_of_c() {
        return Vec::new();
    }
    let name = info.map_or(&program.pool.var_data(done.var).name, |i| &i.name);
    match (machine.value(done.var), &done.before) {
        (Value::Array(after), Value::Array(before)) => {
            let arrays = (before, after);
            elements(name, info, (names, objects), arrays, done.written.as_ref())
        }
        (value, _) => vec![Told::variable((name, info), names, objects, value)],
    }
}

fn elements(
    name: &str,
    info: Option<&VarInfo>,
    (names, objects): (&Names, &mut Objects),
    (before, after): (&ArrayValue, &ArrayValue),
    written: Option<&BTreeSet<Bv>>,
) -> Vec<Told> {
    let length = info.and_then(length);
    let typed = info.filter(|i| i.elements != Elements::Cells);
    let memory = info.is_some_and(|i| matches!(i.elements, Elements::Cells | Elements::Addressed));
    // One value everywhere is an initialisation.
    if written.is_none() && after.entries().next().is_none() {
        // That of memory is not worth a word.
        if memory {
            return Vec::new();
        }
        let value = show_typed(names, objects, typed, &after.default().clone().into());
        let name = match length {
            Some(1) => element(name, info, &Bv::new(after.index_width(), 0)),
            Some(n) => format!("{name}[0 ... {}]", n - 1),
            None => format!("{name}[...]"),
        };
        return vec![Told::new(name, value)];
    }
    let indices: BTreeSet<Bv> = match (written, length) {
        (Some(written), _) => written.clone(),
        (None, Some(n)) if n <= LARGEST => {
            (0..n).map(|i| Bv::new(after.index_width(), i)).collect()
        }
        (None, _) => {
            let both = before.entries().chain(after.entries());
            both.map(|(i, _)| i.clone()).collect()
        }
    };
    let told = |i: &&Bv| written.is_some() || before.select(i) != after.select(i);
    let mut out: Vec<Told> = Vec::new();
    for index in indices.iter().filter(told) {
        let text = match (names.of_source(), info) {
            (Some(of_c), Some(info)) if memory => stored(of_c, objects, info, after, index),
            _ => {
                let name = element(name, info, index);
                let value = after.select(index).clone().into();
                Told::variable((&name, typed), names, objects, &value)
            }
        };
        // A scalar of several cells is told once.
        if out.last() != Some(&text) {
            out.push(text);
        }
    }
    if out.len() > MOST {
        let more = out.len() - MOST;
        out.truncate(MOST);
        let rest = format!("... {more} more of {name}");
        out.push(Told::new(
            rest.trim_end_matches(" of ").into(),
            String::new(),
        ));
    }
    out
}

/// What is in memory at an address, by what the source calls it.
fn stored(
    of_c: &OfC,
    objects: &mut Objects,
    info: &VarInfo,
    after: &ArrayValue,
    index: &Bv,
) -> Told {
    let value = after.select(index);
    let Some(address) = index.to_u64() else {
        let name = format!("*({})", self::address(index));
        return Told::new(name, value.to_biguint().to_string());
    };
    let object = objects.base(of_c, address);
    let pointer = |objects: &Objects, ty: Ty, value: &Bv| match of_c.types.kind(ty) {
        TyKind::Pointer(_) => value.to_u64().and_then(|to| objects.base(of_c, to)),
        _ => None,
    };
    if info.elements == Elements::Addressed {
        // Arrays by address hold one member each.
        let member = info
            .name
            .split_once('.')
            .map_or(String::new(), |(_, m)| format!(".{m}"));
        let text = match info.ty {
            Some(ty) => of_type(of_c, objects, ty, value),
            None => show(Some(info), &value.clone().into()),
        };
        return Told {
            name: format!("{}{member}", objects.place(of_c, address, None)),
            value: text,
            object,
            leads_to: info.ty.and_then(|ty| pointer(objects, ty, value)),
        };
    }
    let (ty, offset) = match objects.target(of_c, address) {
        Target::Fixed(object, offset) => (object.ty, offset),
        Target::Made(made, offset) => (made.ty, offset),
        _ => (None, 0),
    };
    let scalar = ty.zip(u64::try_from(offset).ok());
    let scalar = scalar.and_then(|(ty, offset)| scalar_at(&of_c.types, ty, offset));
    let size = scalar.and_then(|(ty, _)| of_c.types.size_of(ty));
    let (Some((ty, inside)), Some(size)) = (scalar, size) else {
        return Told {
            name: objects.place(of_c, address, None),
            value: value.to_biguint().to_string(),
            object,
            leads_to: None,
        };
    };
    let start = address - inside;
    let whole = scalar_in(after, start, size);
    Told {
        leads_to: whole.as_ref().and_then(|v| pointer(objects, ty, v)),
        value: match &whole {
            Some(whole) => of_type(of_c, objects, ty, whole),
            None => value.to_biguint().to_string(),
        },
        name: objects.place(of_c, start, Some(ty)),
        object,
    }
}

/// So many bytes of a memory as one number, if its cells make them up.
pub(crate) fn scalar_in(memory: &ArrayValue, address: u64, size: u64) -> Option<Bv> {
    let cell = u64::from(memory.default().width() / 8).max(1);
    let mut whole: Option<Bv> = None;
    for at in (address..address + size).step_by(cell as usize) {
        let part = memory.select(&Bv::new(memory.index_width(), at));
        whole = Some(whole.map_or(part.clone(), |low| part.concat(&low)));
    }
    whole.filter(|v| u64::from(v.width()) == 8 * size)
}

/// How many elements an array of the source has, with those of the arrays in it.
fn length(info: &VarInfo) -> Option<u64> {
    match &info.elements {
        Elements::Numbered(indices) => indices
            .iter()
            .try_fold(1_u64, |n, (_, length)| n.checked_mul(*length)),
        Elements::None | Elements::Addressed | Elements::Cells => None,
    }
}

/// What the source calls an element: `a[1].x[2]`; memory is told by its address.
fn element(name: &str, info: Option<&VarInfo>, index: &Bv) -> String {
    match info.map(|i| &i.elements) {
        Some(Elements::Numbered(places)) => {
            let Some(mut rest) = index.to_u64() else {
                return format!("{name}[{}]", index.to_biguint());
            };
            let mut text = name.to_string();
            for (n, (at, length)) in places.iter().enumerate().rev() {
                // The first index says how far outside an index is.
                let own = if n == 0 {
                    rest
                } else {
                    rest % (*length).max(1)
                };
                rest /= (*length).max(1);
                text.insert_str((*at).min(text.len()), &format!("[{own}]"));
            }
            text
        }
        Some(_) if name.is_empty() => format!("*({})", address(index)),
        Some(_) => format!("{name} at {}", address(index)),
        None => format!("{name}[{}]", index.to_biguint()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(name: &str, elements: Elements) -> VarInfo {
        VarInfo {
            var: Var::from_u32(0),
            name: name.into(),
            function: None,
            ty: None,
            signed: true,
            pointer: false,
            float: None,
            elements,
        }
    }

    #[test]
    fn elements_are_called_as_in_the_source() {
        let check = |name: &str, places: &[(usize, u64)], index: u64, expected: &str| {
            let info = info(name, Elements::Numbered(places.to_vec()));
            assert_eq!(element(name, Some(&info), &Bv::new(32, index)), expected);
        };
        check("a", &[(1, 8)], 3, "a[3]");
        check("a", &[(1, 8)], 11, "a[11]");
        check("a.x", &[(1, 3), (3, 4)], 9, "a[2].x[1]");
        check("m", &[(1, 2), (1, 5)], 7, "m[1][2]");
        let memory = info("", Elements::Addressed);
        assert_eq!(element("", Some(&memory), &Bv::new(32, 4096)), "*(0x1000)");
    }

    #[test]
    fn values_have_the_type_of_the_source() {
        let mut of = info("x", Elements::None);
        let show = |of: &VarInfo, v: Bv| show(Some(of), &v.into());
        assert_eq!(show(&of, Bv::from_i64(32, -3)), "-3");
        assert_eq!(show(&of, Bv::new(8, 65)), "65 'A'");
        of.signed = false;
        assert_eq!(show(&of, Bv::from_i64(16, -3)), "65533");
        of.pointer = true;
        assert_eq!(show(&of, Bv::new(32, 0)), "NULL");
        assert_eq!(show(&of, Bv::new(32, 0x1010)), "0x1010");
        (of.pointer, of.float) = (false, Some(FloatKind::Float));
        assert_eq!(show(&of, Bv::new(32, 0x3dcc_cccd)), "0.1f (0x3dcccccd)");
        assert_eq!(show(&of, Bv::new(32, 0x7fc0_0000)), "NAN (0x7fc00000)");
    }

    #[test]
    fn initialisations_and_changes_of_arrays() {
        let (zero, one) = (Bv::new(32, 0), Bv::new(32, 1));
        let before = ArrayValue::constant(32, zero.clone());
        let after = before.store(Bv::new(32, 2), one.clone());
        let of = info("a", Elements::Numbered(vec![(1, 4)]));
        let tell = |b: &ArrayValue, a: &ArrayValue, w: Option<&[u64]>| {
            let w = w.map(|w| w.iter().map(|&i| Bv::new(32, i)).collect());
            let (names, mut objects) = (Names::default(), Objects::default());
            let told = elements("a", Some(&of), (&names, &mut objects), (b, a), w.as_ref());
            let told: Vec<String> = told.iter().map(Told::to_string).collect();
            told.join(", ")
        };
        assert_eq!(tell(&before, &after, None), "a[2] = 1");
        assert_eq!(tell(&after, &after, Some(&[2])), "a[2] = 1");
        assert_eq!(tell(&after, &after, None), "");
        assert_eq!(tell(&after, &before, None), "a[0 ... 3] = 0");
    }
}
