//! Values as the source would write them, and what an assignment did in its terms: `x = -1`,
//! `a[3] = 1`, `p = NULL`.

use crate::names::Names;
use std::collections::BTreeSet;
use trellis_frontend_c::hir::float::Float;
use trellis_frontend_c::lower::{Elements, VarInfo};
use trellis_frontend_c::types::FloatKind;
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

/// What an assignment did, once it is done; nothing for variables that the source does not name.
pub fn tell(
    program: &Program,
    machine: &Machine<'_>,
    names: &Names,
    done: &Assigned,
) -> Vec<String> {
    let info = names.info(done.var);
    if info.is_none() && names.is_of_c() {
        return Vec::new();
    }
    let name = info.map_or(&program.pool.var_data(done.var).name, |i| &i.name);
    match (machine.value(done.var), &done.before) {
        (Value::Array(after), Value::Array(before)) => {
            elements(name, info, before, after, done.written.as_ref())
        }
        (value, _) => vec![format!("{name} = {}", show(info, value))],
    }
}

fn elements(
    name: &str,
    info: Option<&VarInfo>,
    before: &ArrayValue,
    after: &ArrayValue,
    written: Option<&BTreeSet<Bv>>,
) -> Vec<String> {
    let length = info.and_then(length);
    let typed = info.filter(|i| i.elements != Elements::Cells);
    let tell = |index: &Bv| {
        let value = show(typed, &after.select(index).clone().into());
        format!("{} = {value}", element(name, info, index))
    };
    // One value everywhere is an initialisation.
    if written.is_none() && after.entries().next().is_none() {
        let value = show(typed, &after.default().clone().into());
        return vec![match length {
            Some(1) => tell(&Bv::new(after.index_width(), 0)),
            Some(n) => format!("{name}[0 ... {}] = {value}", n - 1),
            None => format!("{name}[...] = {value}"),
        }];
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
    let mut out: Vec<String> = indices.iter().filter(told).map(tell).collect();
    if out.len() > MOST {
        let more = out.len() - MOST;
        out.truncate(MOST);
        out.push(format!("... {more} more of {name}"));
    }
    out
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
            elements("a", Some(&of), b, a, w.as_ref()).join(", ")
        };
        assert_eq!(tell(&before, &after, None), "a[2] = 1");
        assert_eq!(tell(&after, &after, Some(&[2])), "a[2] = 1");
        assert_eq!(tell(&after, &after, None), "");
        assert_eq!(tell(&after, &before, None), "a[0 ... 3] = 0");
    }
}
