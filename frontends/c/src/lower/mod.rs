//! From the typed program to the IVL.
//!
//! # The memory model
//!
//! *Registers.* A variable whose address is never taken becomes IVL variables: one bit-vector per
//! scalar, one per member of a struct, and an IVL array of the element's width where it is an array
//! (or sits inside one; indices of nested arrays are flattened in row-major order). Unions, and
//! structs that are too big to be worth it, are not split.
//!
//! *Memory.* Everything else has an address. The address space is cut into slots of 2^k bytes (k = 40
//! for LP64; for ILP32 20, or 14 where the heap is used and no object has more than 4 KiB, and up to 27 where a run makes few dynamic
//! objects of whatever size), and every object has a slot of its own: slot 0 holds null and the codes
//! of functions and labels, static objects follow, dynamic ones (heap, `alloca`, locals of recursive
//! functions, big uninitialised locals) take fresh slots from the upper half and never reuse one. So
//! distinct objects never overlap, an address names its object, and leaving an object by less than a
//! slot meets no other one. In ILP32 an object starts its slot. In LP64 it starts in the middle, so that
//! an `int` index leads to no other slot, and a bit further for each slot, so that no two addresses of
//! objects or functions agree in their low 32 bits and none of them is zero there. A run that
//! needs more dynamic slots, or a larger dynamic object, than there are ends there: an assumption (`memory-suffices`),
//! whose entries say how many and how large. Static objects are zero before
//! their initialisers run; dynamic memory starts arbitrary.
//!
//! *Classes.* [`pointsto`] finds out which objects may be reached through the same pointers; classes of
//! such objects are disjoint, and [`region`] gives each the smallest representation that keeps the
//! bits: plain variables, arrays per struct member, arrays of the width of all accesses, and bytes
//! (little endian) where accesses of different widths may overlap or alignment is not sure.
//!
//! *Validity.* Where memory safety is checked, `obj_state` and `obj_size` map a slot to what lives
//! there (nothing, a plain object, a heap object, a string literal or static constant) and its size. An
//! access is valid if its slot is alive and its last byte lies within the size, and a write if the slot
//! holds no constant. Indexing an array by name is checked against its length exactly; making an
//! address is no access. Pointer arithmetic that leaves the slot in one step would be judged by the slot it
//! lands in; it leads to an incomplete location instead.
//!
//! *Leaks* are judged when the program ends ([`leaks`]).
//!
//! *What is fixed although C leaves it open:* the addresses themselves (a program whose meaning
//! depends on their order or low bits is judged for this layout), sizes of `malloc` slots, order of
//! evaluation (gcc's: operands left to right, arguments right to left). Where a program depends on that,
//! or on functions without bodies changing nothing, on volatile objects being memory and the like, it is
//! an entry of the ledger ([`crate::assumptions`]). Where undefined behaviour is not among the checked
//! properties, it has the meaning that the bit-vector operations give it.
//!
//! *Pointers from elsewhere.* A pointer that nothing has set, or that comes from outside of the program,
//! is any number; it may be the address that it is compared with, see [`pointsto`].
//!
//! *Jumps out of functions* return from each function on the way ([`jump`]).
//!
//! *Before and after main.* Constructors and destructors run in the order of glibc ([`lifecycle`]).
//!
//! *Values.* A struct as a value is one wide bit-vector, padding zero when it comes from registers.
//! `_Bool` is one bit as a value and a byte in memory. Floating values are their bits ([`float`]); complex
//! numbers are copied, and nothing else.
//!
//! *Where the checks see less than C forbids:* an object of an inner block that control leaves by
//! `goto` stays alive until the function returns, and so do all but the last object of an `alloca` in
//! a loop; `valid-memtrack` is judged when the program
//! ends by return or `exit`, not when the last pointer is lost; copies of blocks and structs count as set,
//! whatever they copy ([`uninit`] for variables that have IVL variables to themselves, [`watch`] for memory).
//!
//! What is not modelled at all is an incomplete location with its reason, reached exactly where the
//! program would execute it.

mod access;
mod arith;
mod bits;
mod call;
mod constant;
mod cprover;
mod escape;
mod fall_off;
pub mod fault;
mod float;
mod flow;
mod init;
mod jump;
mod leaks;
mod libc;
mod libc_effects;
mod libc_names;
mod lifecycle;
mod lives;
mod math;
mod memory;
mod object;
mod order;
mod place;
mod pointsto;
mod region;
mod repeat;
mod stmt;
mod strings;
mod uninit;
mod unset;
mod value;
mod variadic;
mod vocab;
mod watch;

use crate::assumptions::{Entry, Granted, Ledger};
use crate::hir::{self, Hir};
use crate::source::SourceMap;
use crate::types::{FloatKind, Ty};
use cranelift_entity::SecondaryMap;
use flow::Flow;
use object::Object;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use trellis_ivl as ivl;

/// Which properties become error locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// `reach_error`, `__VERIFIER_error`, failed assertions: `unreach-call`.
    pub unreach_call: bool,
    /// `valid-deref`
    pub valid_deref: bool,
    /// `valid-free`
    pub valid_free: bool,
    /// `valid-memtrack`
    pub valid_memtrack: bool,
    /// `valid-memcleanup`
    pub valid_memcleanup: bool,
    /// `no-overflow` of signed integers
    pub no_overflow: bool,
    /// `div-by-zero`
    pub div_by_zero: bool,
    /// `shift-range`: shift amounts negative or too large
    pub shift_range: bool,
    /// `uninit`: reads of automatic variables that nothing has set
    pub uninit: bool,
    /// `termination`: no place is an error; what C promises nothing beyond, a signed overflow, is an incomplete
    /// location instead. Asked alone: with others the program is lowered once for them and once for this.
    pub termination: bool,
}

impl Default for Properties {
    fn default() -> Self {
        Properties::REACH
    }
}

impl Properties {
    /// Only `unreach-call`.
    pub const REACH: Properties = Properties {
        unreach_call: true,
        valid_deref: false,
        valid_free: false,
        valid_memtrack: false,
        valid_memcleanup: false,
        no_overflow: false,
        div_by_zero: false,
        shift_range: false,
        uninit: false,
        termination: false,
    };

    /// Nothing.
    pub const NONE: Properties = Properties {
        unreach_call: false,
        ..Properties::REACH
    };

    /// The three parts of memory safety.
    pub const MEMSAFETY: Properties = Properties {
        valid_deref: true,
        valid_free: true,
        valid_memtrack: true,
        ..Properties::NONE
    };

    /// What a developer wants to know of a program.
    pub const ALL: Properties = Properties {
        unreach_call: true,
        valid_deref: true,
        valid_free: true,
        valid_memtrack: true,
        valid_memcleanup: false,
        no_overflow: true,
        div_by_zero: true,
        shift_range: true,
        uninit: true,
        termination: false,
    };

    /// The property of a name in SV-COMP's style, added to the set; false when unknown.
    pub fn add(&mut self, name: &str) -> bool {
        let flag = match name {
            "unreach-call" => &mut self.unreach_call,
            "valid-deref" => &mut self.valid_deref,
            "valid-free" => &mut self.valid_free,
            "valid-memtrack" => &mut self.valid_memtrack,
            "valid-memcleanup" => &mut self.valid_memcleanup,
            "no-overflow" => &mut self.no_overflow,
            "div-by-zero" => &mut self.div_by_zero,
            "shift-range" => &mut self.shift_range,
            "uninit" => &mut self.uninit,
            "termination" => &mut self.termination,
            _ => return false,
        };
        *flag = true;
        true
    }

    /// The properties of either set.
    pub fn union(self, other: Properties) -> Properties {
        Properties {
            unreach_call: self.unreach_call || other.unreach_call,
            valid_deref: self.valid_deref || other.valid_deref,
            valid_free: self.valid_free || other.valid_free,
            valid_memtrack: self.valid_memtrack || other.valid_memtrack,
            valid_memcleanup: self.valid_memcleanup || other.valid_memcleanup,
            no_overflow: self.no_overflow || other.no_overflow,
            div_by_zero: self.div_by_zero || other.div_by_zero,
            shift_range: self.shift_range || other.shift_range,
            uninit: self.uninit || other.uninit,
            termination: self.termination || other.termination,
        }
    }

    /// Only `termination`.
    pub const TERMINATION: Properties = Properties {
        termination: true,
        ..Properties::NONE
    };

    /// Whether places of signed overflows are told from others.
    fn sees_overflow(self) -> bool {
        self.no_overflow || self.termination
    }

    /// Whether the validity of memory must be tracked.
    fn track_memory(self) -> bool {
        self.valid_deref || self.valid_free
    }

    /// Whether live heap objects must be counted.
    fn count_heap(self) -> bool {
        self.valid_memtrack || self.valid_memcleanup
    }
}

/// What an IVL variable stands for in C.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// The IVL variable.
    pub var: ivl::Var,
    /// The C expression that names it: `x`, `s.next`, `a` for the elements of an array; empty for memory.
    pub name: String,
    /// The function it is local to.
    pub function: Option<String>,
    /// The type of its values; of memory that is read and written in several ways there is none.
    pub ty: Option<Ty>,
    /// Whether its values are signed.
    pub signed: bool,
    /// Whether its values are addresses.
    pub pointer: bool,
    /// Which floating type its values have, if any.
    pub float: Option<FloatKind>,
    /// What its elements are, where it is an array of the IVL.
    pub elements: Elements,
}

/// What the elements of an IVL array stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elements {
    /// It is no array.
    None,
    /// The elements of arrays of C, from the outermost: the byte of the name after which an index
    /// stands, and the number of elements. They are numbered row by row.
    Numbered(Vec<(usize, u64)>),
    /// What is at an address, of the variable's type.
    Addressed,
    /// What is at an address, of any type.
    Cells,
}

/// The IVL program of a C program.
pub struct Lowered {
    /// The program.
    pub program: ivl::Program,
    /// What its variables mean, in the order of their numbers.
    pub vars: Vec<VarInfo>,
    /// What functions return, which has no name of its own.
    pub results: Vec<VarInfo>,
    /// What its meaning takes for granted.
    pub assumptions: Vec<Entry>,
    /// What goes wrong at its error locations.
    pub checks: BTreeMap<ivl::Loc, fault::Check>,
    /// Where its objects are.
    pub layout: fault::Layout,
}

/// Lowers a program; `entry` is usually `main`. `None` when there is no such function with a body.
pub fn lower(
    hir: &Hir,
    sources: &SourceMap,
    entry: &str,
    properties: Properties,
    granted: Granted,
) -> Option<Lowered> {
    let main = hir
        .function(entry)
        .filter(|f| hir.funcs[*f].body.is_some())?;
    let mut lowerer = Lowerer::new(hir, sources, main, properties, granted);
    lowerer.program(main);
    let layout = lowerer.layout();
    Some(Lowered {
        program: lowerer.p,
        vars: lowerer.var_infos,
        results: lowerer.result_infos,
        assumptions: lowerer.ledger.into_entries(),
        checks: lowerer.checks,
        layout,
    })
}

/// A C function's procedure.
#[derive(Clone, Copy)]
struct ProcInfo {
    proc: ivl::Proc,
    ret: Option<ivl::Var>,
}

struct Lowerer<'a> {
    hir: &'a Hir,
    sources: &'a SourceMap,
    props: Properties,
    granted: Granted,
    ledger: Ledger,
    /// Width of pointers.
    ptr: u32,
    p: ivl::Program,
    facts: escape::Facts,
    objects: SecondaryMap<hir::Var, Option<Object>>,
    /// Why a variable cannot be used, where it cannot.
    odd: SecondaryMap<hir::Var, Option<String>>,
    procs: FxHashMap<hir::Func, ProcInfo>,
    queue: Vec<hir::Func>,
    mem: memory::Memory,
    classes: pointsto::Classes,
    stores: FxHashMap<pointsto::Node, Rc<region::Store>>,
    /// Classes of the arguments and of the result of the library call at hand.
    arg_classes: Vec<pointsto::Node>,
    result_class: pointsto::Node,
    /// Where library functions leave error codes, when the program uses it.
    errno: Option<hir::Var>,
    /// Where the direction of rounding is kept, when the program sets it.
    rounding: Option<float::Direction>,
    /// Whether this run has used a value of which only bounds are known, when the program may.
    approximate: Option<ivl::Var>,
    /// Memory of the library that it returns pointers to.
    library_memory: Option<ivl::Var>,
    /// The functions that are only known to be functions.
    uninterpreted: FxHashMap<String, ivl::Var>,
    strings: FxHashMap<hir::Str, ivl::Var>,
    /// Of variables that may be read before they are set: whether they are.
    shadows: FxHashMap<ivl::Var, ivl::Var>,
    /// Those of them that several functions may reach.
    shared_shadows: Vec<ivl::Var>,
    /// The byte of memory of which it is known whether it is set.
    watch: Option<watch::Watch>,
    /// Arrays by address of what may be unset.
    watched_leaves: FxHashSet<ivl::Var>,
    /// Where functions that may miss it say whether they have returned a value.
    returned: FxHashMap<hir::Func, ivl::Var>,
    /// The load whose value is only stored elsewhere.
    copied: Option<hir::Expr>,
    code: FxHashMap<hir::Func, u64>,
    label_codes: FxHashMap<hir::Label, u64>,
    /// What functions touch, once somebody asks.
    summaries: Option<Rc<order::Summaries>>,
    vla_lens: FxHashMap<u32, ivl::Var>,
    /// The function that the program starts with.
    entry: hir::Func,
    /// Where the arguments of the call at hand without parameters are.
    va_area: Option<ivl::Var>,
    /// Whether destructors are running.
    ending: Option<ivl::Var>,
    /// Where the program jumps out of functions.
    jumps: Option<jump::Jumps>,
    f: Flow,
    files: FxHashMap<String, ivl::File>,
    last_place: (u32, ivl::Span),
    var_infos: Vec<VarInfo>,
    result_infos: Vec<VarInfo>,
    /// What the next check is about.
    fault: Option<fault::Fault>,
    checks: BTreeMap<ivl::Loc, fault::Check>,
}

impl<'a> Lowerer<'a> {
    fn new(
        hir: &'a Hir,
        sources: &'a SourceMap,
        entry: hir::Func,
        props: Properties,
        granted: Granted,
    ) -> Self {
        let mut facts = escape::Facts::new(hir, props);
        let mut odd: SecondaryMap<hir::Var, Option<String>> = SecondaryMap::new();
        for (var, data) in hir.vars.iter() {
            let unknown = data
                .init
                .as_ref()
                .filter(|i| !constant::is_modelled(hir, i));
            let reason = unknown.map(|_| "an initialiser that is not modelled".to_owned());
            odd[var] = data.odd.clone().or(reason);
        }
        let ptr = hir.types.pointer_bits();
        let mut p = ivl::Program::new();
        let mem = memory::Memory::new(&mut p, hir, entry, &facts, props, ptr);
        let ending = (!lifecycle::at_the_end(hir).is_empty())
            .then(|| p.add_global("ending", ivl::Type::Bool, ivl::Span::NONE));
        let approximate = facts
            .approximates
            .then(|| p.add_global("approximate", ivl::Type::Bool, ivl::Span::NONE));
        let jumps = jump::Jumps::new(hir, &mut p, ptr);
        let unset = unset::Unset::new(hir, &facts.in_memory);
        let watch = watch::Watch::new(&mut p, &facts, ptr, props.valid_deref);
        let mut classes = pointsto::Classes::new(hir, entry, &facts.in_memory, &unset, |v| {
            !object::has_fixed_address(hir, &facts, v)
        });
        if props.valid_deref {
            let calls = escape::CallGraph::new(hir);
            for var in lives::outlived(hir, &facts, &classes, &calls, entry) {
                facts.many_lives[var] = true;
                classes.has_fresh_addresses(var);
            }
        }
        for var in hir.vars.keys().filter(|v| facts.maybe_unset[*v]) {
            classes.holds_unset(var);
        }
        Lowerer {
            hir,
            sources,
            props,
            granted,
            ledger: Ledger::default(),
            ptr,
            p,
            facts,
            objects: SecondaryMap::new(),
            odd,
            procs: FxHashMap::default(),
            queue: Vec::new(),
            mem,
            classes,
            stores: FxHashMap::default(),
            arg_classes: Vec::new(),
            result_class: 0,
            errno: hir
                .vars
                .iter()
                .find(|(_, v)| v.name == crate::library::ERRNO_OBJECT)
                .map(|(v, _)| v),
            rounding: float::Direction::find(hir),
            approximate,
            library_memory: None,
            uninterpreted: FxHashMap::default(),
            strings: FxHashMap::default(),
            shadows: FxHashMap::default(),
            shared_shadows: Vec::new(),
            watch,
            watched_leaves: FxHashSet::default(),
            returned: FxHashMap::default(),
            copied: None,
            code: FxHashMap::default(),
            label_codes: FxHashMap::default(),
            summaries: None,
            vla_lens: FxHashMap::default(),
            entry,
            va_area: None,
            ending,
            jumps,
            f: Flow::default(),
            files: FxHashMap::default(),
            last_place: (u32::MAX, ivl::Span::NONE),
            var_infos: Vec::new(),
            result_infos: Vec::new(),
            fault: None,
            checks: BTreeMap::new(),
        }
    }

    /// The IVL's place of a source position.
    fn span(&mut self, span: crate::source::Span) -> ivl::Span {
        if self.last_place.0 == span.lo {
            return self.last_place.1;
        }
        let place = self.sources.place(span.lo);
        if place.line == 0 {
            return ivl::Span::NONE;
        }
        let file = match self.files.get(&place.file) {
            Some(file) => *file,
            None => {
                let file = self.p.files.push(place.file.clone());
                self.files.insert(place.file.clone(), file);
                file
            }
        };
        let result = ivl::Span::new(file, place.line, place.column);
        self.last_place = (span.lo, result);
        result
    }

    /// Width of a type's values.
    fn bits(&self, ty: Ty) -> u32 {
        match self.hir.types.value_bits(ty) {
            Some(bits) => bits,
            // Floating types and records by their size; void and empty records have a dummy byte.
            None => match self.hir.types.size_of(ty) {
                Some(0) | None => 8,
                Some(size) => u32::try_from(size * 8)
                    .unwrap_or(ivl::Type::MAX_WIDTH)
                    .min(ivl::Type::MAX_WIDTH),
            },
        }
    }

    fn zero(&mut self, ty: Ty) -> ivl::Term {
        let bits = self.bits(ty);
        self.p.pool.num(bits, 0)
    }

    /// A constant from a 128-bit value.
    fn constant(&mut self, width: u32, value: i128) -> ivl::Term {
        if width <= 64 {
            return self.p.pool.num(width, value as u64);
        }
        let low = self.p.pool.num(64, value as u64);
        let high_bits = width - 64;
        let high = if high_bits <= 64 {
            self.p.pool.num(high_bits, (value >> 64) as u64)
        } else {
            let part = self.p.pool.num(64, (value >> 64) as u64);
            self.p.pool.sext(high_bits, part)
        };
        self.p.pool.concat(high, low)
    }

    fn ptr_const(&mut self, value: u64) -> ivl::Term {
        let width = self.ptr;
        self.p.pool.num(width, value)
    }

    /// Size of a type in bytes as a term; lengths of variable arrays have been evaluated.
    fn size_term(&mut self, ty: Ty) -> ivl::Term {
        use crate::types::{Length, TyKind};
        match self.hir.types.kind(ty) {
            TyKind::Array(elem, Length::Vla(id)) => {
                let elem = self.size_term(elem.ty);
                let len = self.vla_len(*id);
                self.p.pool.bvmul(elem, len)
            }
            TyKind::Array(elem, Length::Known(n)) if self.hir.types.size_of(ty).is_none() => {
                let elem = self.size_term(elem.ty);
                let n = self.ptr_const(*n);
                self.p.pool.bvmul(elem, n)
            }
            TyKind::Void | TyKind::Function(_) => self.ptr_const(1),
            _ => {
                let size = self.hir.types.size_of(ty).unwrap_or(0);
                self.ptr_const(size)
            }
        }
    }
}
