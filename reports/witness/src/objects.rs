//! The objects of a C program during an execution, by what its source calls them: `a[3]`, `list.head`, and for those that
//! have no name `node#2 (malloc at line 38)`.

use crate::names::{Names, OfC, Sources};
use std::collections::BTreeMap;
use trellis_frontend_c::lower::fault::{Layout, Placed};
use trellis_frontend_c::types::{Length, Ty, TyKind, Types};
use trellis_ivl::{Bv, Machine, Program, Span, Value};

/// State of a slot with a live heap object, as the memory model has it.
const HEAP: u64 = 2;
/// State of a slot with a constant.
pub(crate) const CONSTANT: u64 = 3;
/// Addresses below are those of members of a null pointer.
const NULL_PAGE: u64 = 4096;
/// How deep a name goes into arrays and members.
const DEEPEST: usize = 20;

/// An object that was made during the execution.
#[derive(Clone, Debug)]
pub struct Made {
    /// A variable, or what its type is called with a number.
    pub name: String,
    /// Whether it is on the heap.
    pub heap: bool,
    /// Its type; of one on the heap what the first pointer to it says.
    pub ty: Option<Ty>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Where it was made, and by which function.
    pub at: Span,
    /// By which function, if the source says.
    pub by: &'static str,
    /// After how many steps.
    pub step: usize,
    /// Where its life ended, and after how many steps.
    pub ended: Option<(Span, usize)>,
    /// Whether it has been told where it was made.
    told: bool,
}

/// Where an address leads.
pub enum Target<'a> {
    /// Nowhere, or so many bytes behind that.
    Null(u64),
    /// To a function.
    Function(&'a str),
    /// To an object that is there from the beginning, so many bytes behind its start.
    Fixed(&'a Placed, i64),
    /// To one that was made.
    Made(&'a Made, i64),
    /// To nothing that is known.
    Nothing,
}

/// All objects so far.
#[derive(Default)]
pub struct Objects {
    made: BTreeMap<u64, Made>,
    /// How many have a type's name.
    named: BTreeMap<String, usize>,
    next: Option<u64>,
}

/// Functions that make objects, as calls in the source.
const MAKERS: [&str; 10] = [
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "strdup",
    "strndup",
    "alloca",
    "fopen",
    "asprintf",
    "malloc",
];

impl Objects {
    /// Looks at what a step has made and ended. It has a number, and a place in the user's own source.
    pub fn observe(
        &mut self,
        program: &Program,
        machine: &Machine<'_>,
        names: &Names,
        sources: &Sources,
        (number, user): (usize, Span),
    ) {
        let Some(of_c) = names.of_source() else {
            return;
        };
        let layout = &of_c.layout;
        let value_of = |v: Option<trellis_ivl::Var>| {
            let value = v.map(|v| machine.value(v));
            value.and_then(Value::as_bv).and_then(Bv::to_u64)
        };
        let next = value_of(layout.next);
        if let (Some(before), Some(now)) = (self.next, next) {
            // One step makes few, and the first value may be anything.
            if now > before && now - before < 64 {
                for slot in before..now {
                    self.make(slot, (program, machine, of_c, sources), (number, user));
                }
            }
        }
        self.next = next;
        for (&slot, object) in self.made.iter_mut().rev() {
            if object.ended.is_none() && state(layout, machine, slot) == Some(0) {
                object.ended = Some((user, number));
            }
        }
    }

    fn make(
        &mut self,
        slot: u64,
        (program, machine, of_c, sources): (&Program, &Machine<'_>, &OfC, &Sources),
        (step, user): (usize, Span),
    ) {
        let layout = &of_c.layout;
        let address = layout.base(slot);
        let holds = |v: trellis_ivl::Var| {
            let value = machine.value(v).as_bv().and_then(Bv::to_u64);
            value == Some(address)
        };
        let state = state(layout, machine, slot);
        let variable = layout
            .made
            .iter()
            .find(|(base, ..)| state != Some(HEAP) && holds(*base));
        // Where accesses are not checked, nobody keeps what lives where.
        let heap = state.map_or(variable.is_none(), |state| state == HEAP);
        let size = layout.size.and_then(|v| select(machine, v, slot));
        let text = user.file().and_then(|f| program.files.get(f));
        let text = text.and_then(|f| sources.line(f, user.line)).unwrap_or("");
        let by = MAKERS.iter().find(|maker| calls(text, maker));
        self.made.insert(
            slot,
            Made {
                name: variable.map_or(String::new(), |(_, name, _)| name.clone()),
                heap,
                ty: variable.and_then(|(_, _, ty)| *ty),
                size,
                at: user,
                by: by.copied().unwrap_or("made"),
                step,
                ended: None,
                told: false,
            },
        );
    }

    /// A pointer to this type holds an address: what is there and has no name yet gets one.
    pub fn typed(&mut self, of_c: &OfC, address: u64, pointee: Ty) {
        let slot = of_c.layout.slot(address);
        let (base, types) = (of_c.layout.base(slot), &of_c.types);
        let Some(made) = self.made.get_mut(&slot) else {
            return;
        };
        if made.name.is_empty() && address == base && pointee != types.void {
            made.ty = Some(pointee);
            made.name = numbered(&mut self.named, kind(of_c, pointee));
        }
    }

    /// Where an address leads.
    pub fn target<'a>(&'a self, of_c: &'a OfC, address: u64) -> Target<'a> {
        let layout = &of_c.layout;
        if address < NULL_PAGE {
            return Target::Null(address);
        }
        if let Some((_, name)) = layout.functions.iter().find(|(a, _)| *a == address) {
            return Target::Function(name);
        }
        let offset = |base: u64| address.wrapping_sub(base) as i64;
        let slot = layout.slot(address);
        if let Some(made) = self.made.get(&slot) {
            return Target::Made(made, offset(layout.base(slot)));
        }
        let within = |o: &&Placed| {
            let last = layout.slot(o.address.saturating_add(o.size));
            (layout.slot(o.address)..=last).contains(&slot)
        };
        let fixed = layout.objects.iter().filter(within);
        match fixed.max_by_key(|o| (o.address <= address, o.address)) {
            Some(object) => Target::Fixed(object, offset(object.address)),
            None => Target::Nothing,
        }
    }

    /// The address of the object that an address leads into.
    pub fn base(&self, of_c: &OfC, address: u64) -> Option<u64> {
        match self.target(of_c, address) {
            Target::Fixed(object, _) => Some(object.address),
            Target::Made(..) => Some(of_c.layout.base(of_c.layout.slot(address))),
            Target::Null(_) | Target::Function(_) | Target::Nothing => None,
        }
    }

    /// The objects that were made, with their addresses.
    pub fn made<'a>(&'a self, of_c: &'a OfC) -> impl Iterator<Item = (u64, &'a Made)> {
        let made = self.made.iter();
        made.map(|(slot, made)| (of_c.layout.base(*slot), made))
    }

    /// The objects on the heap that nobody has freed.
    pub fn live(&self) -> impl Iterator<Item = &Made> {
        let live = |m: &&Made| m.heap && m.ended.is_none();
        self.made.values().filter(live)
    }

    /// A pointer as the source would write it; a type tells into which part of the object it leads.
    pub fn pointer(&mut self, of_c: &OfC, address: u64, pointee: Option<Ty>) -> String {
        if let Some(pointee) = pointee {
            self.typed(of_c, address, pointee);
        }
        let slot = of_c.layout.slot(address);
        let text = match self.target(of_c, address) {
            Target::Null(0) => return "NULL".into(),
            Target::Null(n) => return format!("NULL + {n}"),
            Target::Function(name) => return name.into(),
            Target::Nothing => return format!("0x{address:x}"),
            Target::Made(made, 0) if made.heap => title(made),
            Target::Fixed(..) | Target::Made(..) => {
                format!("&{}", self.place(of_c, address, pointee))
            }
        };
        match self.made.get_mut(&slot) {
            Some(made) if made.heap && !made.told => {
                made.told = true;
                format!("{text} ({})", origin(made))
            }
            _ => text,
        }
    }

    /// What is at an address: `a[3]`, `node#2.next`; a type tells how far to go into the object.
    pub fn place(&self, of_c: &OfC, address: u64, want: Option<Ty>) -> String {
        let (name, ty, offset) = match self.target(of_c, address) {
            Target::Fixed(o, offset) => match &o.name {
                Some(name) => (name.clone(), o.ty, offset),
                None => ("a string literal".into(), None, offset),
            },
            Target::Made(made, offset) => (title(made), made.ty, offset),
            Target::Null(_) | Target::Function(_) | Target::Nothing => {
                return format!("*(0x{address:x})");
            }
        };
        let path = u64::try_from(offset).ok().zip(ty);
        let path = path.and_then(|(offset, ty)| path_to(of_c, ty, offset, want));
        match (path, offset) {
            (Some(path), _) => name + &path,
            (None, 0) => name,
            (None, 1..) => format!("{name} + {offset} bytes"),
            (None, _) => format!("{name} - {} bytes", offset.unsigned_abs()),
        }
    }
}

/// What an object is called.
pub fn title(made: &Made) -> String {
    match made.name.is_empty() {
        true => "an object".into(),
        false => made.name.clone(),
    }
}

/// Where an object comes from.
pub fn origin(made: &Made) -> String {
    format!("{} at line {}", made.by, made.at.line)
}

fn numbered(named: &mut BTreeMap<String, usize>, kind: String) -> String {
    let count = named.entry(kind.clone()).or_default();
    *count += 1;
    format!("{kind}#{count}")
}

/// What objects of a type are called: the tag of a struct.
fn kind(of_c: &OfC, ty: Ty) -> String {
    let name = of_c.types.name(ty, &of_c.interner);
    let tag = name
        .split_once(' ')
        .filter(|(word, _)| ["struct", "union"].contains(word));
    match tag {
        Some((_, tag)) => tag.trim().to_string(),
        None => "object".into(),
    }
}

/// What is in a slot now.
pub(crate) fn state(layout: &Layout, machine: &Machine<'_>, slot: u64) -> Option<u64> {
    // Above the two bits stands where a heap object was made.
    layout
        .state
        .and_then(|v| Some(select(machine, v, slot)? & 3))
}

/// The element of an array by slot.
pub(crate) fn select(machine: &Machine<'_>, array: trellis_ivl::Var, slot: u64) -> Option<u64> {
    let array = machine.value(array).as_array()?;
    array.select(&Bv::new(array.index_width(), slot)).to_u64()
}

/// Whether a line calls a function.
fn calls(text: &str, function: &str) -> bool {
    text.match_indices(function).any(|(at, _)| {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let before = text[..at].chars().next_back();
        let after = text[at + function.len()..].trim_start().chars().next();
        !before.is_some_and(word) && after == Some('(')
    })
}

/// From an object of a type to what is so many bytes behind its start: `[3].next`; empty for the object itself.
fn path_to(of_c: &OfC, ty: Ty, offset: u64, want: Option<Ty>) -> Option<String> {
    let types = &of_c.types;
    let (mut ty, mut offset, mut path) = (ty, offset, String::new());
    // On the heap there may be several, one after the other.
    let size = types.size_of(ty).filter(|s| *s > 0)?;
    if offset >= size {
        path = format!("[{}]", offset / size);
        offset %= size;
    }
    for _ in 0..DEEPEST {
        let done = offset == 0 && want.is_none_or(|want| want == ty || want == types.void);
        if done && (want.is_some() || !matches!(types.kind(ty), TyKind::Array(..))) {
            return Some(path);
        }
        match types.kind(ty) {
            TyKind::Array(elem, Length::Known(_)) => {
                let size = types.size_of(elem.ty).filter(|s| *s > 0)?;
                path += &format!("[{}]", offset / size);
                (ty, offset) = (elem.ty, offset % size);
            }
            TyKind::Record(r) => {
                let fields = &types.records[*r].fields;
                let has = |f: &&trellis_frontend_c::types::Field| {
                    let size = types.size_of(f.ty.ty).unwrap_or(0);
                    f.width.is_none() && (f.offset()..f.offset() + size).contains(&offset)
                };
                let Some(field) = fields.iter().find(has) else {
                    return (offset == 0).then_some(path);
                };
                if let Some(name) = field.name {
                    path += &format!(".{}", of_c.interner.text(name));
                }
                (ty, offset) = (field.ty.ty, offset - field.offset());
            }
            _ if offset == 0 => return Some(path),
            _ => return None,
        }
    }
    None
}

/// The scalar at an address in an object: its type, and how many bytes before it begins.
pub(crate) fn scalar_at(types: &Types, ty: Ty, offset: u64) -> Option<(Ty, u64)> {
    let (mut ty, mut offset) = (ty, offset);
    let size = types.size_of(ty).filter(|s| *s > 0)?;
    offset %= size;
    for _ in 0..DEEPEST {
        match types.kind(ty) {
            TyKind::Array(elem, Length::Known(_)) => {
                let size = types.size_of(elem.ty).filter(|s| *s > 0)?;
                (ty, offset) = (elem.ty, offset % size);
            }
            TyKind::Record(r) => {
                let record = &types.records[*r];
                let has = |f: &&trellis_frontend_c::types::Field| {
                    let size = types.size_of(f.ty.ty).unwrap_or(0);
                    f.width.is_none() && (f.offset()..f.offset() + size).contains(&offset)
                };
                // Which member of a union is meant, nobody knows.
                let field = record.fields.iter().find(has).filter(|_| !record.union)?;
                (ty, offset) = (field.ty.ty, offset - field.offset());
            }
            _ if types.is_scalar(ty) || types.is_floating(ty) => return Some((ty, offset)),
            _ => return None,
        }
    }
    None
}
