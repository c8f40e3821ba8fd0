//! What goes wrong at an error location, in terms whose values there say how: for messages, never for verdicts.

use super::Lowerer;
use crate::types::Ty;
use std::collections::{BTreeMap, BTreeSet};
use trellis_ivl::{Span, Term, Var};

/// A check of the program.
#[derive(Clone, Debug)]
pub struct Check {
    /// What goes wrong.
    pub fault: Fault,
    /// The end of the expression, where that is known; it begins at the place of the error location.
    pub end: Span,
}

/// What goes wrong. Terms are over the variables at the error location.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Only the property is known.
    Other,
    /// So many bytes at an address are read or written.
    Access {
        /// The address.
        address: Term,
        /// How many bytes.
        bytes: Term,
        /// Whether they are written.
        write: bool,
    },
    /// An element of a named array.
    Index {
        /// Which one.
        index: Term,
        /// How many there are.
        length: Term,
        /// The array.
        array: Ty,
    },
    /// This is freed.
    Free {
        /// The address.
        address: Term,
    },
    /// Blocks that must be apart overlap.
    Overlap {
        /// One address.
        to: Term,
        /// The other.
        from: Term,
        /// How many bytes.
        bytes: Term,
    },
    /// A function is called by this address.
    Call {
        /// The address.
        pointer: Term,
    },
    /// An operator of so many operands.
    Operation {
        /// As C writes it.
        operator: &'static str,
        /// The operands.
        operands: Vec<Term>,
        /// Their type.
        ty: Ty,
    },
    /// The length of an array.
    Length {
        /// The length.
        value: Term,
    },
    /// A variable is read that nothing has set.
    Unset {
        /// The variable of the program, as the source calls it.
        variable: Option<Var>,
        /// Where in memory.
        address: Option<Term>,
    },
    /// What a function returns is used, and it has returned nothing.
    NoResult {
        /// The function.
        function: String,
    },
    /// So many objects have not been freed.
    Leak {
        /// How many.
        live: Term,
    },
}

/// Where objects are, for whoever wants to name one by its address.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Bits of an address.
    pub pointer_bits: u32,
    /// Bits of an offset in a slot; an object has a slot of its own.
    pub slot_bits: u32,
    /// Slot to state.
    pub state: Option<Var>,
    /// Slot to size.
    pub size: Option<Var>,
    /// The slot of the next object that is made.
    pub next: Option<Var>,
    /// Objects with fixed addresses.
    pub objects: Vec<Placed>,
    /// The addresses of functions.
    pub functions: Vec<(u64, String)>,
    /// The variables that hold addresses of objects which are made when a block is entered, with what the source calls these.
    pub made: Vec<(Var, String, Option<Ty>)>,
}

/// An object with a fixed address.
#[derive(Clone, Debug)]
pub struct Placed {
    /// What the source calls it; none for a string literal.
    pub name: Option<String>,
    /// Its address.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Its type, where the source has one.
    pub ty: Option<Ty>,
}

impl Layout {
    /// The slot of an address.
    pub fn slot(&self, address: u64) -> u64 {
        address >> self.slot_bits
    }

    /// The address of the object in a slot.
    pub fn base(&self, slot: u64) -> u64 {
        super::memory::base_in(self.slot_bits, slot)
    }
}

impl Lowerer<'_> {
    /// The next check is about this.
    pub(super) fn about(&mut self, fault: Fault) {
        self.fault = Some(fault);
    }

    /// Where objects are.
    pub(super) fn layout(&mut self) -> Layout {
        let mut functions: Vec<(u64, String)> = (self.code.iter())
            .map(|(f, number)| (self.mem.code(*number), self.hir.funcs[*f].name.clone()))
            .collect();
        functions.sort();
        let types = self.object_types();
        let objects = self.mem.objects.iter().map(|o| {
            let name = self.p.pool.var_data(o.base).name.strip_prefix('&');
            Placed {
                // What has no type is no variable: a literal, or memory of the library.
                name: name
                    .filter(|_| types.contains_key(&o.base))
                    .map(str::to_string),
                address: o.address,
                size: o.size,
                ty: types.get(&o.base).copied(),
            }
        });
        let objects = objects.collect();
        let fixed: BTreeSet<Var> = self.mem.objects.iter().map(|o| o.base).collect();
        let mut made: Vec<(Var, String, Option<Ty>)> = (types.iter())
            .filter(|(base, _)| !fixed.contains(base))
            .map(|(base, ty)| {
                let name = self.p.pool.var_data(*base).name.trim_start_matches('&');
                (*base, name.to_string(), Some(*ty))
            })
            .collect();
        made.sort_by_key(|(base, ..)| *base);
        Layout {
            pointer_bits: self.ptr,
            slot_bits: self.mem.slot_bits,
            state: self.mem.state,
            size: self.mem.size,
            next: self.mem.next,
            objects,
            functions,
            made,
        }
    }

    /// The types of variables in memory, by what holds their addresses.
    fn object_types(&self) -> BTreeMap<Var, Ty> {
        let memory = self
            .hir
            .vars
            .iter()
            .filter_map(|(var, data)| match &self.objects[var] {
                Some(super::object::Object::Memory(base)) => Some((*base, data.ty.ty)),
                _ => None,
            });
        memory.collect()
    }
}
