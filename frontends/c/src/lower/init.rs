//! Objects come to life: declarations, initialisers, and the start of the program.

use super::escape::is_constant;
use super::flow::Flow;
use super::lifecycle::{at_the_end, constructors};
use super::object::{MAX_HAVOC_BYTES, Object, Shape};
use super::place::{Index, Place};
use super::pointsto::Node;
use super::region::Store;
use super::{Lowerer, memory};
use crate::acsl::harness::ENTRY;
use crate::assumptions::Assumption;
use crate::hir::{self, Init};
use crate::library::ARGUMENTS;
use crate::types::{Length, Ty, TyKind};
use rustc_hash::FxHashSet;
use trellis_ivl::{Call, Term, Type, Var};

/// Objects larger than this are zeroed by a loop.
const MAX_ZERO_STORES: u64 = 1 << 16;

impl Lowerer<'_> {
    /// Makes a memory object of a local alive, at a fresh address where it needs one.
    pub(super) fn bring_to_life(&mut self, var: hir::Var) {
        let Object::Memory(base) = self.object(var) else {
            return;
        };
        let ty = self.hir.vars[var].ty.ty;
        let size = self.size_term(ty);
        if self.hir.types.size_of(ty).is_none() {
            let name = &self.hir.vars[var].name;
            self.grant_or_give_up(Assumption::StackSuffices, name);
        }
        if self.is_static_slot(var) {
            if self.mem.state.is_some() {
                let addr = self.p.pool.var(base);
                self.set_slot(addr, memory::PLAIN, Some(size));
            }
        } else {
            self.allocate(base, size, false);
        }
        if self.mem.state.is_some()
            && self.live()
            && let Some(scope) = self.f.scopes.last_mut()
        {
            scope.push(base);
        }
    }

    /// A local declaration.
    pub(super) fn declare(&mut self, var: hir::Var, init: Option<&Init>) {
        let hir = self.hir;
        let name = hir.vars[var].name.clone();
        let nested = self.f.scopes.len() > 3;
        let object = self.object(var);
        if nested && let Object::Registers(shape) = &object {
            let mut leaves = Vec::new();
            collect(shape, &mut leaves);
            if self.facts.maybe_unset[var] {
                self.make_shadows(&leaves);
            }
            self.f.skippable.extend(leaves);
        }
        if !self.live() {
            // Still made, so that a jump past the declaration finds it.
            return;
        }
        if let Some(odd) = self.odd[var].clone() {
            return self.incomplete(&format!("variable '{name}' with {odd}"));
        }
        self.bring_to_life(var);
        match init {
            Some(init) => {
                self.initialize(var, init);
                self.close_constant(var, &object);
            }
            None => {
                self.forget(var, &object, &name);
                if self.facts.maybe_unset[var]
                    && let Some(shape) = self.own_shape(var, &object)
                {
                    let mut leaves = Vec::new();
                    collect(&shape, &mut leaves);
                    self.mark_unset(&leaves);
                } else if self.facts.maybe_unset[var]
                    && self.is_static_slot(var)
                    && let Object::Memory(base) = object
                {
                    self.mark_local_unset(var, base);
                }
            }
        }
    }

    /// A local that is const is not written behind its initialiser.
    fn close_constant(&mut self, var: hir::Var, object: &Object) {
        if let Object::Memory(base) = object
            && self.live()
            && is_constant(self.hir, &self.hir.vars[var])
        {
            let addr = self.p.pool.var(*base);
            self.set_slot(addr, memory::CONST, None);
        }
    }

    /// The variables that a local has to itself.
    fn own_shape(&mut self, var: hir::Var, object: &Object) -> Option<Shape> {
        match object {
            Object::Registers(shape) => Some(shape.clone()),
            Object::Memory(_) => match &*self.store(self.classes.of_var(var)) {
                Store::Single { shape } => Some(shape.clone()),
                _ => None,
            },
        }
    }

    /// An uninitialised object holds any value.
    fn forget(&mut self, var: hir::Var, object: &Object, name: &str) {
        match object {
            Object::Registers(shape) => {
                let mut leaves = Vec::new();
                collect(shape, &mut leaves);
                for leaf in leaves {
                    let name = self.p.pool.var_data(leaf).name.clone();
                    self.havoc(leaf, &name);
                }
            }
            Object::Memory(base) if self.is_static_slot(var) => {
                let ty = self.hir.vars[var].ty.ty;
                let size = self.hir.types.size_of(ty).unwrap_or(0);
                if size == 0 || size > MAX_HAVOC_BYTES {
                    return;
                }
                let class = self.classes.of_var(var);
                if let Store::Single { shape } = &*self.store(class) {
                    return self.forget(var, &Object::Registers(shape.clone()), name);
                }
                let addr = self.p.pool.var(*base);
                for (place, ty, _) in self.elements(class, addr, ty) {
                    let size = self.hir.types.size_of(ty).unwrap_or(0);
                    let any = self.temp(Type::Bv(size as u32 * 8));
                    self.havoc(any, name);
                    let value = self.p.pool.var(any);
                    self.store_image(&place, ty, value);
                }
            }
            // A fresh slot of dynamic memory is arbitrary already.
            Object::Memory(_) => {}
        }
    }

    /// Sets an object from its initialiser. All values are computed before the first is stored.
    pub(super) fn initialize(&mut self, var: hir::Var, init: &Init) {
        let ty = self.hir.vars[var].ty.ty;
        let mut values = Vec::with_capacity(init.items.len());
        let last_effect = init.items.iter().rposition(|i| self.facts.effects[i.value]);
        for (i, item) in init.items.iter().enumerate() {
            let mut value = self.copied_value(item.value);
            if last_effect.is_some_and(|last| last > i) {
                value = self.save(value);
            }
            values.push(value);
        }
        if !self.live() {
            return;
        }
        let checks = std::mem::replace(&mut self.props.valid_deref, false);
        match self.object(var) {
            Object::Registers(shape) => self.initialize_registers(&shape, ty, init, values),
            Object::Memory(base) => self.initialize_memory(var, base, init, values),
        }
        self.props.valid_deref = checks;
    }

    fn initialize_registers(&mut self, shape: &Shape, ty: Ty, init: &Init, values: Vec<Term>) {
        if init.zero {
            self.zero_registers(shape);
        }
        for (item, value) in init.items.iter().zip(values) {
            let place = Place::Registers {
                shape: shape.clone(),
                index: Index::Whole,
                access: None,
            };
            let place = self.walk(place, ty, &item.path);
            self.store_place(&place, item.ty.ty, value);
        }
    }

    /// Stores all bits of an object, without checks.
    fn store_image(&mut self, place: &Place, ty: Ty, image: Term) {
        let checks = std::mem::replace(&mut self.props.valid_deref, false);
        match place {
            Place::Memory { class, addr, .. } => {
                let size = self.hir.types.size_of(ty).unwrap_or(0);
                self.store_value(*class, *addr, image, size);
            }
            _ => self.store_place(place, ty, image),
        }
        self.props.valid_deref = checks;
    }

    fn walk(&mut self, mut place: Place, mut ty: Ty, path: &[hir::Step]) -> Place {
        for step in path {
            place = self.step(place, ty, *step);
            ty = self.step_type(ty, *step);
        }
        place
    }

    fn step_type(&self, ty: Ty, step: hir::Step) -> Ty {
        match (self.hir.types.kind(ty), step) {
            (TyKind::Array(elem, _), hir::Step::Index(_)) => elem.ty,
            (TyKind::Record(r), hir::Step::Field(i)) => {
                self.hir.types.records[*r].fields[i as usize].ty.ty
            }
            _ => self.hir.types.error,
        }
    }

    pub(super) fn zero_registers(&mut self, shape: &Shape) {
        let mut leaves = Vec::new();
        collect(shape, &mut leaves);
        let items: Vec<(Var, Term)> = leaves
            .into_iter()
            .map(|leaf| {
                let zero = match self.p.pool.var_ty(leaf) {
                    Type::Bv(w) => self.p.pool.num(w, 0),
                    Type::Array { index, elem } => {
                        let zero = self.p.pool.num(elem, 0);
                        self.p.pool.const_array(index, zero)
                    }
                    Type::Bool => self.p.pool.fls(),
                };
                (leaf, zero)
            })
            .collect();
        let cmd = self.p.cmds.assign_all(&items);
        self.emit(cmd);
    }

    fn initialize_memory(&mut self, var: hir::Var, base: Var, init: &Init, values: Vec<Term>) {
        let ty = self.hir.vars[var].ty.ty;
        let data = &self.hir.vars[var];
        let size = self.hir.types.size_of(ty).unwrap_or(0) + data.flexible;
        // What a static object holds is written once and for all: what is not named is zero.
        let lasting = matches!(data.storage, hir::Storage::Global | hir::Storage::Static);
        let class = self.classes.of_var(var);
        let addr = self.p.pool.var(base);
        let store = self.store(class);
        // Only bytes show what lies between members.
        let rest = match &*store {
            Store::Cells { bytes: 1, .. } if !lasting => self.unspecified_bytes(ty, size, init),
            _ => Vec::new(),
        };
        if let Store::Single { shape } = &*store {
            return self.initialize_registers(shape, ty, init, values);
        }
        // Small objects in cells are made of constants at once.
        if let Store::Cells { bytes: cell, .. } = &*store
            && init.zero
            && size <= MAX_ZERO_STORES
            && size > 0
        {
            let mut bytes = self.image_bytes(ty, size, init, values);
            for at in rest {
                if let Some(byte) = bytes.get_mut(at as usize) {
                    *byte = self.any_byte();
                }
            }
            return self.store_cells(class, addr, &bytes, *cell);
        }
        if init.zero && size > 0 {
            let (zero, n) = (self.p.pool.num(8, 0), self.ptr_const(size));
            self.fill_unchecked(class, addr, zero, n);
        }
        for (item, value) in init.items.iter().zip(values) {
            let place = self.located(class, addr, ty);
            let place = self.walk(place, ty, &item.path);
            self.store_place(&place, item.ty.ty, value);
        }
        for at in rest {
            let (at, byte) = (self.add_offset(addr, at), self.any_byte());
            self.store_value(class, at, byte, 1);
        }
    }

    fn any_byte(&mut self) -> Term {
        let any = self.temp(Type::Bv(8));
        self.havoc(any, "unspecified byte");
        self.p.pool.var(any)
    }

    /// The bytes that an initialiser leaves open: behind initialised members of unions, and between
    /// members (C11 6.2.6.1p6 and p7). An object of zeros is cleared as a whole.
    fn unspecified_bytes(&self, ty: Ty, size: u64, init: &Init) -> Vec<u64> {
        let types = &self.hir.types;
        let zero = |e: hir::Expr| matches!(self.hir.exprs[e].kind, hir::ExprKind::Int(0));
        let cleared = init.items.iter().all(|item| zero(item.value));
        let mut padding = Vec::new();
        if init.zero && !cleared && size <= MAX_ZERO_STORES {
            let mut named = vec![false; size as usize];
            self.name_bytes(ty, 0, &mut named);
            padding.extend((0..size).filter(|at| !named[*at as usize]));
        }
        // A later member of the same union takes the place of an earlier one.
        let mut found: std::collections::BTreeMap<u64, std::ops::Range<u64>> = Default::default();
        for item in &init.items {
            let (mut at, mut offset) = (ty, 0);
            for step in &item.path {
                let next = self.step_type(at, *step);
                let size = types.size_of(next).unwrap_or(0);
                match (types.record_of(at), step) {
                    (Some(r), hir::Step::Field(i)) => {
                        let record = &types.records[r];
                        if record.union {
                            found.insert(offset, offset + size..offset + record.size);
                        }
                        offset += record.fields[*i as usize].bit_offset / 8;
                    }
                    (_, hir::Step::Index(i)) => offset += i * size,
                    _ => {}
                }
                at = next;
            }
        }
        found.into_values().flatten().chain(padding).collect()
    }

    /// Marks the bytes of scalars, and of unions as a whole.
    fn name_bytes(&self, ty: Ty, at: u64, named: &mut [bool]) {
        let types = &self.hir.types;
        match types.kind(ty) {
            TyKind::Array(elem, Length::Known(n)) => {
                let size = types.size_of(elem.ty).unwrap_or(0);
                (0..*n).for_each(|i| self.name_bytes(elem.ty, at + i * size, named));
            }
            TyKind::Record(r) if !types.records[*r].union => {
                for field in &types.records[*r].fields {
                    let at = at + field.bit_offset / 8;
                    match field.width {
                        Some(width) => {
                            let bytes = (field.bit_offset % 8 + u64::from(width)).div_ceil(8);
                            mark(named, at, bytes);
                        }
                        None => self.name_bytes(field.ty.ty, at, named),
                    }
                }
            }
            _ => mark(named, at, types.size_of(ty).unwrap_or(0)),
        }
    }

    /// Writes 8-bit terms to consecutive addresses in one command.
    fn store_cells(&mut self, class: Node, addr: Term, bytes: &[Term], cell: u64) {
        let Store::Cells { var, .. } = *self.store(class) else {
            return;
        };
        let mut memory = self.p.pool.var(var);
        for (i, part) in bytes.chunks(cell as usize).enumerate() {
            let mut value = part[0];
            for byte in &part[1..] {
                value = self.p.pool.concat(*byte, value);
            }
            let at = self.add_offset(addr, i as u64 * cell);
            memory = self.p.pool.store(memory, at, value);
        }
        self.assign(var, memory);
        self.mark_stored(class, addr, bytes.len() as u64);
    }

    /// The bytes of an object that is zero but for the items.
    fn image_bytes(&mut self, ty: Ty, size: u64, init: &Init, values: Vec<Term>) -> Vec<Term> {
        let zero = self.p.pool.num(8, 0);
        let mut bytes = vec![zero; size as usize];
        for (item, value) in init.items.iter().zip(values) {
            let (bit, width) = self.path_offset(ty, &item.path);
            let first = (bit / 8) as usize;
            match width {
                None => {
                    let count = self.hir.types.size_of(item.ty.ty).unwrap_or(0);
                    let image = self.image_of_value(value, item.ty.ty);
                    for (i, byte) in self.split_bytes(image, count).into_iter().enumerate() {
                        if let Some(slot) = bytes.get_mut(first + i) {
                            *slot = byte;
                        }
                    }
                }
                Some(0) => {}
                Some(width) => {
                    let low = (bit % 8) as u32;
                    let count = (low + width).div_ceil(8) as usize;
                    let mut whole = bytes[first];
                    for byte in &bytes[first + 1..first + count] {
                        whole = self.p.pool.concat(*byte, whole);
                    }
                    let part = self.p.pool.extract(width - 1, 0, value);
                    let new = self.replace_bits(whole, low, part);
                    for (i, byte) in self.split_bytes(new, count as u64).into_iter().enumerate() {
                        bytes[first + i] = byte;
                    }
                }
            }
        }
        bytes
    }

    /// The bit offset of a path, and the width when it ends in a bit-field.
    fn path_offset(&self, mut ty: Ty, path: &[hir::Step]) -> (u64, Option<u32>) {
        let mut bit = 0;
        let mut width = None;
        for step in path {
            let next = self.step_type(ty, *step);
            match *step {
                hir::Step::Index(i) => bit += i * self.hir.types.size_of(next).unwrap_or(0) * 8,
                hir::Step::Field(i) => {
                    if let Some(r) = self.hir.types.record_of(ty) {
                        let field = &self.hir.types.records[r].fields[i as usize];
                        bit += field.bit_offset;
                        width = field.width;
                    }
                }
            }
            ty = next;
        }
        (bit, width)
    }

    // The program.

    /// Lowers everything that `main` needs. The first procedure sets up static objects and calls it.
    pub(super) fn program(&mut self, main: hir::Func) {
        let hir = self.hir;
        let span = self.span(hir.funcs[main].span);
        let start = self.p.add_proc("start", span);
        self.p.main = start;
        self.proc_of(main);
        let mut outside = [constructors(hir), at_the_end(hir)].concat();
        outside.extend(
            hir.function(ARGUMENTS)
                .filter(|_| self.classes.models_arguments()),
        );
        for f in outside {
            if hir.funcs[f].odd.is_none() {
                self.proc_of(f);
            }
        }
        let mut done = FxHashSet::default();
        // Initialisers may mention further objects and functions; go on until nothing is new.
        let entry = self.p.procs[start].entry;
        let mut start_flow = Flow {
            proc: start,
            cur: Some(entry),
            span,
            ..Flow::default()
        };
        start_flow.scopes.push(Vec::new());
        loop {
            while let Some(f) = self.queue.pop() {
                self.function(f);
            }
            self.f = std::mem::take(&mut start_flow);
            let before = done.len();
            self.initialize_statics(&mut done);
            start_flow = std::mem::take(&mut self.f);
            if self.queue.is_empty() && done.len() == before {
                break;
            }
        }
        self.f = start_flow;
        self.f.span = span;
        self.prepend_addresses(entry);
        self.call_main(main);
        self.sort_infos();
    }

    fn sort_infos(&mut self) {
        self.var_infos.sort_by_key(|i| i.var);
    }

    /// Initialises static objects in use that have not been initialised yet.
    fn initialize_statics(&mut self, done: &mut FxHashSet<hir::Var>) {
        let hir = self.hir;
        for (var, data) in hir.vars.iter() {
            let is_static = matches!(data.storage, hir::Storage::Global | hir::Storage::Static);
            if !is_static || self.objects[var].is_none() || !done.insert(var) {
                continue;
            }
            if !data.defined {
                self.provide_stream(var);
                continue;
            }
            if self.odd[var].is_some() {
                continue;
            }
            self.flush();
            self.f.span = self.span(data.span);
            let zero = Init {
                zero: true,
                items: Vec::new(),
            };
            let init = data.init.clone().unwrap_or(zero);
            // Memory that starts at zero needs a store only for what is set.
            let in_memory = matches!(self.objects[var], Some(Object::Memory(_)));
            let class = self.classes.of_var(var);
            let plain = in_memory && matches!(&*self.store(class), Store::Single { .. });
            let zero = init.zero && (plain || !in_memory || !self.starts_zero(class));
            self.initialize(
                var,
                &Init {
                    zero,
                    items: init.items,
                },
            );
        }
    }

    /// What must hold before any initialiser: the addresses of static objects, their validity, the
    /// content of string literals. It goes on an edge of its own in front of the others.
    fn prepend_addresses(&mut self, entry: trellis_ivl::Loc) {
        let first = self.p.add_loc(self.f.proc, self.f.span);
        for edge in self.p.edges.values_mut() {
            if edge.from == entry {
                edge.from = first;
            }
        }
        let end = self.f.cur.map(|cur| if cur == entry { first } else { cur });
        let pending = std::mem::take(&mut self.f.pending);
        self.f.cur = Some(entry);
        if self.mem.exhausted() {
            self.incomplete("more static objects than the address space has slots");
        }
        self.set_addresses();
        self.set_strings();
        if self.live() {
            self.goto(first);
        }
        self.f.cur = end;
        self.f.pending = pending;
    }

    fn set_addresses(&mut self) {
        let slot_bits = self.mem.slot_bits;
        self.zero_start();
        self.start_watch();
        if let Some(next) = self.mem.next {
            let start = self.p.pool.num(self.mem.slots(), self.mem.heap_start());
            self.assign(next, start);
        }
        self.start_leaks();
        for flag in self.ending.into_iter().chain(self.approximate) {
            let fls = self.p.pool.fls();
            self.assign(flag, fls);
        }
        self.start_jumps();
        let objects: Vec<(Var, u64, u64, bool)> = self
            .mem
            .objects
            .iter()
            .map(|o| (o.base, o.address, o.size, o.constant))
            .collect();
        for (base, address, ..) in &objects {
            let address = self.ptr_const(*address);
            self.assign(*base, address);
        }
        self.merge_strings();
        let (Some(state), Some(size)) = (self.mem.state, self.mem.size) else {
            return;
        };
        let slots = self.mem.slots();
        let bits = self.mem.state_bits();
        let (dead, zero) = (self.p.pool.num(bits, memory::DEAD), self.ptr_const(0));
        let mut states = self.p.pool.const_array(slots, dead);
        let mut sizes = self.p.pool.const_array(slots, zero);
        let locals = self.local_bases();
        let slot_size = 1u64 << slot_bits;
        for (base, address, bytes, constant) in objects {
            if locals.contains(&base) {
                continue;
            }
            let state = if constant {
                memory::CONST
            } else {
                memory::PLAIN
            };
            let state = self.p.pool.num(bits, state);
            let mut left = bytes;
            let mut slot = address >> slot_bits;
            loop {
                let at = self.p.pool.num(slots, slot);
                // A slot in the middle of an object may be left at its end.
                let here = if left > slot_size {
                    slot_size + 16
                } else {
                    left
                };
                let here = self.ptr_const(here);
                states = self.p.pool.store(states, at, state);
                sizes = self.p.pool.store(sizes, at, here);
                if left <= slot_size {
                    break;
                }
                left -= slot_size;
                slot += 1;
            }
        }
        self.assign(state, states);
        self.assign(size, sizes);
    }

    /// Address variables of locals, which are not alive at the start.
    fn local_bases(&self) -> FxHashSet<Var> {
        self.hir
            .vars
            .iter()
            .filter(|(_, d)| matches!(d.storage, hir::Storage::Local | hir::Storage::Param))
            .filter_map(|(v, _)| match &self.objects[v] {
                Some(Object::Memory(base)) => Some(*base),
                _ => None,
            })
            .collect()
    }

    /// Equal literals may be one object (C11 6.4.5p7), where the program can tell.
    fn merge_strings(&mut self) {
        let hir = self.hir;
        let mut strings: Vec<(hir::Str, Var)> =
            self.strings.iter().map(|(s, v)| (*s, *v)).collect();
        strings.sort();
        let mut first = rustc_hash::FxHashMap::default();
        for (s, base) in strings {
            let data = &hir.strings[s];
            let size = hir.types.size_of(data.elem);
            let other = *first.entry((&data.units, size)).or_insert(base);
            let class = self.classes.of_string(s);
            if other == base || !self.classes.facts(class).compared {
                continue;
            }
            let same = self.temp(Type::Bool);
            self.havoc(same, "equal literals are one object");
            let same = self.p.pool.var(same);
            let (a, b) = (self.p.pool.var(other), self.p.pool.var(base));
            let address = self.p.pool.ite(same, a, b);
            self.assign(base, address);
        }
    }

    fn set_strings(&mut self) {
        let mut strings: Vec<(hir::Str, Var)> =
            self.strings.iter().map(|(s, v)| (*s, *v)).collect();
        strings.sort();
        for (s, base) in strings {
            let bytes: Vec<Term> = self
                .string_bytes(s)
                .into_iter()
                .map(|b| self.p.pool.num(8, b.into()))
                .collect();
            let addr = self.p.pool.var(base);
            let class = self.classes.of_string(s);
            if let Store::Cells { bytes: cell, .. } = *self.store(class) {
                self.store_cells(class, addr, &bytes, cell);
            }
        }
    }

    /// What a model makes of the number of arguments.
    fn arguments_of_main(&mut self, count: Term) -> Option<Term> {
        if !self.classes.models_arguments() {
            return None;
        }
        self.grant_or_give_up(Assumption::ArgvWellFormed, "argv");
        let model = self.hir.function(ARGUMENTS)?;
        let info = self.proc_of(model);
        self.flush();
        let from = self.f.cur?;
        let made = self.temp(Type::Bv(self.ptr));
        let after = self.new_loc();
        let call = Call {
            callee: info.proc,
            args: vec![count],
            results: vec![made],
        };
        self.p.add_call(from, after, call, self.f.span);
        self.f.cur = Some(after);
        Some(self.p.pool.var(made))
    }

    fn call_main(&mut self, main: hir::Func) {
        let hir = self.hir;
        self.run_constructors();
        if hir.funcs[main].name.starts_with(ENTRY) {
            self.grant_or_give_up(Assumption::LibraryState, "the C library");
        }
        let info = self.proc_of(main);
        let mut args = Vec::new();
        for (i, param) in hir.funcs[main].params.iter().enumerate() {
            let data = &hir.vars[*param];
            let var = self.temp(Type::Bv(self.bits(data.ty.ty)));
            self.havoc(var, &data.name);
            let value = self.p.pool.var(var);
            let used = |kind: &hir::ExprKind| matches!(kind, hir::ExprKind::Var(v) if v == param);
            let used = hir.exprs.values().any(|e| used(&e.kind));
            let is_main = hir.funcs[main].name == "main";
            if !is_main && used && hir.types.is_pointer(data.ty.ty) {
                self.grant_or_give_up(Assumption::FunctionArguments, &data.name);
            }
            if i == 0
                && is_main
                && hir.types.is_signed(data.ty.ty)
                && used
                && self.take_for_granted(Assumption::ArgvWellFormed, &data.name)
            {
                let zero = self.zero(data.ty.ty);
                let ok = self.p.pool.bvsle(zero, value);
                self.assume(ok);
                // The pointers of `argv`, and the null behind them, fit into half the address space.
                let bits = self.bits(data.ty.ty);
                let most = (1i128 << (self.ptr - 1)) / i128::from(self.ptr / 8) - 1;
                if hir.funcs[main].params.len() > 1 && most < 1 << (bits - 1) {
                    let most = self.constant(bits, most);
                    let fits = self.p.pool.bvslt(value, most);
                    self.assume(fits);
                }
            }
            args.push(value);
        }
        if let Some(made) = args
            .first()
            .and_then(|count| self.arguments_of_main(*count))
        {
            args[1] = made;
        }
        self.flush();
        let Some(from) = self.f.cur else { return };
        let results: Vec<_> = info.ret.iter().map(|r| self.p.pool.var_ty(*r)).collect();
        let results: Vec<_> = results.into_iter().map(|ty| self.temp(ty)).collect();
        let after = self.new_loc();
        self.p.add_call(
            from,
            after,
            Call {
                callee: info.proc,
                args,
                results,
            },
            self.f.span,
        );
        self.f.cur = Some(after);
        self.nothing_jumps();
        self.end_of_program(true);
        self.flush();
        let proc = self.f.proc;
        self.p.procs[proc].exit = self.f.cur;
    }
}

fn mark(named: &mut [bool], at: u64, bytes: u64) {
    let end = named.len().min((at + bytes) as usize);
    if let Some(part) = named.get_mut(at as usize..end) {
        part.fill(true);
    }
}

/// The IVL variables of a shape.
pub fn collect(shape: &Shape, out: &mut Vec<Var>) {
    match shape {
        Shape::Leaf(var) => out.push(*var),
        Shape::Record(shapes) => shapes.iter().for_each(|s| collect(s, out)),
        Shape::Array(inner, _) => collect(inner, out),
    }
}
