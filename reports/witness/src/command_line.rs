//! What the caller of `main` hands over. A model in C makes it, whose steps say little to people: told is `argv[1] = "x"`.

use crate::names::Names;
use crate::values::{Assigned, Told, scalar_in};
use std::collections::BTreeMap;
use trellis_frontend_c::library::ARGUMENTS;
use trellis_frontend_c::lower::Elements;
use trellis_frontend_c::types::{Ty, TyKind, Types};
use trellis_ivl::{Machine, Proc, Program, Var};

/// Characters of a string that are told.
const CHARACTERS: u64 = 24;
/// Strings that are told.
const STRINGS: u64 = 8;

/// Whether a procedure is the model that makes what `main` gets.
pub(crate) fn is_maker(program: &Program, callee: Proc) -> bool {
    program.procs[callee].name == ARGUMENTS
}

/// Which memory holds what was made.
#[derive(Default)]
pub(crate) struct CommandLine {
    /// By the addresses that were written.
    memories: BTreeMap<u64, Var>,
}

impl CommandLine {
    /// A step of the model has assigned something.
    pub fn observe(&mut self, names: &Names, machine: &Machine<'_>, assigned: &[Assigned]) {
        for a in assigned {
            let elements = names.info(a.var()).map(|info| &info.elements);
            if matches!(elements, Some(Elements::Cells | Elements::Addressed)) {
                let addresses = a.changed(machine).into_iter().filter_map(|at| at.to_u64());
                self.memories.extend(addresses.map(|at| (at, a.var())));
            }
        }
    }

    /// The strings that are reached from a parameter of the type `char **`.
    pub fn strings(&self, names: &Names, machine: &Machine<'_>, parameter: Var) -> Vec<Told> {
        let told = || {
            let (of_c, info) = (names.of_source()?, names.info(parameter)?);
            let types = &of_c.types;
            let strings = pointee(types, info.ty?)?;
            pointee(types, strings).filter(|to| types.size_of(*to) == Some(1))?;
            let size = types.size_of(strings)?;
            let table = machine.value(parameter).as_bv()?.to_u64()?;
            let each = (0..STRINGS).map_while(|n| {
                let at = table.checked_add(n.checked_mul(size)?)?;
                let memory = machine.value(*self.memories.get(&at)?).as_array()?;
                let string = scalar_in(memory, at, size)?.to_u64().filter(|p| *p != 0)?;
                let name = format!("{}[{n}]", info.name);
                Some(Told::new(name, self.string(machine, string)?))
            });
            Some(each.collect())
        };
        told().unwrap_or_default()
    }

    fn string(&self, machine: &Machine<'_>, start: u64) -> Option<String> {
        // The end of each string is written, so the memory of the next one is that of its characters.
        let (_, memory) = self.memories.range(start..).find(|(_, memory)| {
            let memory = machine.value(**memory).as_array();
            memory.is_some_and(|m| m.default().width() == 8)
        })?;
        let memory = machine.value(*memory).as_array()?;
        let mut text = String::from("\"");
        for at in start..start.checked_add(CHARACTERS)? {
            match scalar_in(memory, at, 1)?.to_u64()? as u8 {
                0 => return Some(text + "\""),
                c => text.extend(std::ascii::escape_default(c).map(char::from)),
            }
        }
        Some(text + "\"...")
    }
}

fn pointee(types: &Types, ty: Ty) -> Option<Ty> {
    match types.kind(ty) {
        TyKind::Pointer(to) => Some(to.ty),
        _ => None,
    }
}
