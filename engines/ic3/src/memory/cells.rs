//! The abstraction: arrays become a few cells.
//!
//! A *watched* cell has an index that is chosen once and for all, and a content. A read of the array gives the content of
//! a watched cell where it meets one, and anything otherwise; two reads of one step at one index agree. Whatever
//! is chosen for the indices, every execution of the program is one of the abstraction. So an error may be asked about for
//! those indices only that it has read: the condition *at* an error is that a watched index is the one that was read so
//! many steps before, which a row of flags remembers.

use rustc_hash::{FxHashMap, FxHashSet};
use trellis_ivl_passes::transition::TransitionSystem;
use trellis_plugin_sdk::ivl::cranelift_entity::PrimaryMap;
use trellis_plugin_sdk::ivl::{Cmd, Input, LocKind, Op, Program, Span, Term, TermPool, Type, Var};

/// Reads of one array in one step whose agreement is said.
const MAX_COMPARED: usize = 24;

/// Words that one index is compared with.
const MAX_EQUALITIES: usize = 32;

/// Where a term is used: each has inputs of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// The initial states.
    Init,
    /// A step.
    Step,
    /// The bad condition of this number.
    Bad(usize),
}

/// A read, in the terms of the program: whatever is watched, it keeps its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ReadId {
    /// Where.
    pub place: Place,
    /// The term that reads.
    pub select: Term,
    /// The variable it comes to, through writes and choices.
    pub array: Var,
}

/// A cell that is watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watch {
    /// The read whose index it has.
    pub read: ReadId,
    /// The bad condition that is asked about that cell only.
    pub bad: usize,
    /// How many steps before the bad condition the read was.
    pub delay: usize,
}

/// A read of the abstraction.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// Which.
    pub id: ReadId,
    /// The index.
    pub index: Term,
    /// What it gives where no cell is met.
    pub value: Var,
    /// What it gives.
    pub result: Term,
}

/// What a place became.
#[derive(Clone, Default)]
pub struct Part {
    /// What its scalar terms became.
    pub terms: FxHashMap<Term, Term>,
    /// Its reads.
    pub reads: Vec<Read>,
    /// The index of every read by name, also of those that are others in disguise.
    indices: FxHashMap<ReadId, Term>,
    /// Inputs of the view, and the variables that hold them.
    pub inputs: Vec<(Var, Var)>,
    /// What must hold.
    pub condition: Option<Term>,
}

/// A watched cell of an array.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// The variable with its content.
    pub content: Var,
    /// The array.
    pub array: Var,
    /// The number of its index.
    pub watch: usize,
}

/// The program with cells for arrays.
pub struct Cells {
    /// It has the shape of a transition system.
    pub program: Program,
    /// The variables that hold the watched indices.
    pub indices: Vec<Var>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// Whether reads of so many steps ago met the watched index, by watch.
    pub flags: Vec<Vec<Var>>,
    /// What became of the places.
    pub parts: FxHashMap<Place, Part>,
    /// All that a step changes.
    pub next: Vec<(Var, Term)>,
}

fn is_array(pool: &TermPool, t: Term) -> bool {
    matches!(pool.ty(t), Type::Array { .. })
}

/// The arrays that an array is made of, arguments before users.
pub fn arrays_below(pool: &TermPool, root: Term) -> Vec<Term> {
    let (mut order, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![(root, false)]);
    while let Some((t, opened)) = stack.pop() {
        if opened {
            order.push(t);
        } else if seen.insert(t) {
            stack.push((t, true));
            let below = pool.args(t).filter(|&a| is_array(pool, a));
            stack.extend(below.map(|a| (a, false)));
        }
    }
    order
}

/// Builds the abstraction.
struct Builder<'a> {
    program: Program,
    state: FxHashSet<Var>,
    watches: &'a [Watch],
    indices: Vec<Var>,
    cells: Vec<Cell>,
    content: FxHashMap<(Var, usize), Term>,
    // Of the place that is being translated.
    place: Place,
    part: Part,
    map: FxHashMap<Var, Term>,
    table: FxHashMap<(Var, Term), Term>,
    said: Vec<Term>,
}

impl Cells {
    /// The abstraction of a program with the view `ts`.
    pub fn new(base: &Program, ts: &TransitionSystem, watches: &[Watch]) -> Cells {
        let mut builder = Builder {
            program: base.clone(),
            state: ts.state.iter().copied().collect(),
            watches,
            indices: Vec::new(),
            cells: Vec::new(),
            content: FxHashMap::default(),
            place: Place::Init,
            part: Part::default(),
            map: FxHashMap::default(),
            table: FxHashMap::default(),
            said: Vec::new(),
        };
        builder.declare(ts);
        builder.build(base, ts)
    }
}

impl Cells {
    /// Where watched indices equal each other or words of the state: what is known of a cell often is so only there.
    pub fn equalities(&mut self, ts: &TransitionSystem) -> Vec<Term> {
        let pool = &mut self.program.pool;
        let mut found = Vec::new();
        for (j, &index) in self.indices.iter().enumerate() {
            let ty = pool.var_ty(index);
            let words = ts.state.iter().filter(|&&v| pool.var_ty(v) == ty);
            let words: Vec<Var> = words.take(MAX_EQUALITIES).copied().collect();
            for v in words.into_iter().chain(self.indices[..j].iter().copied()) {
                let (a, b) = (pool.var(index), pool.var(v));
                found.push(pool.eq(a, b));
            }
        }
        found
    }
}

impl Builder<'_> {
    fn global(&mut self, name: String, ty: Type) -> Var {
        self.program.add_global(name, ty, Span::NONE)
    }

    /// Variables for the watched indices and for the cells.
    fn declare(&mut self, ts: &TransitionSystem) {
        for (j, watch) in self.watches.iter().enumerate() {
            let Type::Array { index, .. } = self.program.pool.var_ty(watch.read.array) else {
                continue;
            };
            let v = self.global(format!("index{j}"), Type::Bv(index));
            self.indices.push(v);
            for &array in &ts.state {
                let data = self.program.pool.var_data(array);
                let Type::Array { index: width, elem } = data.ty else {
                    continue;
                };
                if width == index {
                    let name = format!("{}[index{j}]", data.name);
                    let content = self.global(name, Type::Bv(elem));
                    let term = self.program.pool.var(content);
                    self.content.insert((array, j), term);
                    self.cells.push(Cell {
                        content,
                        array,
                        watch: j,
                    });
                }
            }
        }
    }

    fn build(mut self, base: &Program, ts: &TransitionSystem) -> Cells {
        let tru = self.program.pool.tru();
        let mut flags: Vec<Vec<Var>> = Vec::new();
        for (j, watch) in self.watches.iter().enumerate() {
            let names = (1..=watch.delay).map(|d| format!("read{j} {d} ago"));
            let names: Vec<String> = names.collect();
            flags.push(
                names
                    .into_iter()
                    .map(|n| self.global(n, Type::Bool))
                    .collect(),
            );
        }
        let mut parts = FxHashMap::default();

        self.begin(Place::Init, &ts.init.inputs);
        let conjuncts: Vec<Term> = self.program.pool.conjuncts(ts.init.term).collect();
        let mut initial: Vec<Term> = Vec::with_capacity(conjuncts.len());
        for part in conjuncts {
            initial.extend(self.initially(part));
        }
        for &flag in flags.iter().flatten() {
            initial.push(self.program.pool.var(flag));
        }
        let condition = self.program.pool.and_all(initial);
        let (part, init) = self.end(condition);
        parts.insert(Place::Init, part);

        self.begin(Place::Step, &ts.inputs);
        let constraint = self.term(ts.constraint);
        let mut next: Vec<(Var, Term)> = Vec::with_capacity(ts.state.len());
        for &v in &ts.state {
            let root = ts.next[&v];
            if !matches!(self.program.pool.var_ty(v), Type::Array { .. }) {
                next.push((v, self.term(root)));
                continue;
            }
            self.scalars_of(root);
            for cell in self.cells.clone() {
                if cell.array == v {
                    let index = self.program.pool.var(self.indices[cell.watch]);
                    next.push((cell.content, self.element(root, index, None)));
                }
            }
        }
        for (j, row) in flags.iter().enumerate() {
            let read = self.watches[j].read;
            let met = match self.part.indices.get(&read) {
                Some(&index) => self.meets(j, index),
                None => tru,
            };
            let mut before = met;
            for &flag in row {
                next.push((flag, before));
                before = self.program.pool.var(flag);
            }
        }
        next.retain(|&(v, t)| self.program.pool.as_var(t) != Some(v));
        let (part, choose) = self.end(constraint);
        parts.insert(Place::Step, part);
        let assign = self.program.cmds.assign_all(&next);
        let step = self.program.cmds.seq(&[choose, assign]);

        let mut bads: Vec<Cmd> = Vec::with_capacity(ts.bads.len());
        for (k, bad) in ts.bads.iter().enumerate() {
            self.begin(Place::Bad(k), &bad.condition.inputs);
            let mut all = vec![self.term(bad.condition.term)];
            for (j, watch) in self.watches.iter().enumerate() {
                if watch.bad != k {
                    continue;
                }
                let seen = match flags[j].last() {
                    Some(&flag) => Some(self.program.pool.var(flag)),
                    None => {
                        let index = self.part.indices.get(&watch.read).copied();
                        index.map(|index| self.meets(j, index))
                    }
                };
                all.extend(seen);
            }
            let condition = self.program.pool.and_all(all);
            let (part, cmd) = self.end(condition);
            parts.insert(Place::Bad(k), part);
            bads.push(cmd);
        }
        self.connect(base, ts, init, step, &bads);
        Cells {
            program: self.program,
            indices: self.indices,
            cells: self.cells,
            flags,
            parts,
            next,
        }
    }

    /// The locations and edges.
    fn connect(
        &mut self,
        base: &Program,
        ts: &TransitionSystem,
        init: Cmd,
        step: Cmd,
        bads: &[Cmd],
    ) {
        let program = &mut self.program;
        program.locs = PrimaryMap::new();
        program.edges = PrimaryMap::new();
        let main = program.main;
        let entry = program.add_loc(main, Span::NONE);
        let head = program.add_loc(main, Span::NONE);
        program.procs[main].entry = entry;
        program.procs[main].exit = None;
        program.add_edge(entry, head, init, Span::NONE);
        program.add_edge(head, head, step, Span::NONE);
        for (bad, &cmd) in ts.bads.iter().zip(bads) {
            let loc = program.locs.push(base.locs[bad.loc].clone());
            debug_assert!(program.locs[loc].kind != LocKind::Plain);
            program.add_edge(head, loc, cmd, Span::NONE);
        }
    }

    fn begin(&mut self, place: Place, inputs: &[Var]) {
        self.place = place;
        self.part = Part::default();
        self.map.clear();
        self.table.clear();
        self.said.clear();
        for &v in inputs {
            let data = self.program.pool.var_data(v);
            if matches!(data.ty, Type::Array { .. }) {
                continue;
            }
            let (name, ty) = (data.name.clone(), data.ty);
            let own = self.global(name, ty);
            let term = self.program.pool.var(own);
            self.map.insert(v, term);
            self.part.inputs.push((v, own));
        }
    }

    /// What became of the place, and the command that chooses its inputs such that `condition` holds.
    fn end(&mut self, condition: Term) -> (Part, Cmd) {
        let mut part = std::mem::take(&mut self.part);
        let mut all = vec![condition];
        all.append(&mut self.said);
        all.extend(self.agreement(&part.reads));
        let condition = self.program.pool.and_all(all);
        part.condition = Some(condition);
        let inputs = part.inputs.iter().map(|&(_, own)| own);
        let vars: Vec<Var> = inputs.chain(part.reads.iter().map(|r| r.value)).collect();
        let program = &mut self.program;
        let items: Vec<(Var, Input)> = vars
            .into_iter()
            .map(|v| {
                let data = program.pool.var_data(v);
                let (name, ty) = (data.name.clone(), data.ty);
                (v, program.add_input(name, ty, Span::NONE))
            })
            .collect();
        let havoc = program.cmds.havoc(&items);
        let assume = program.cmds.assume(condition);
        (part, program.cmds.seq(&[havoc, assume]))
    }

    /// Reads at one index give one value, and cells with one index have one content.
    fn agreement(&mut self, reads: &[Read]) -> Vec<Term> {
        let pool = &mut self.program.pool;
        let mut said = Vec::new();
        let mut by_array: FxHashMap<Var, Vec<&Read>> = FxHashMap::default();
        for read in reads {
            let list = by_array.entry(read.id.array).or_default();
            if list.len() < MAX_COMPARED {
                for other in list.iter() {
                    let same = pool.eq(read.index, other.index);
                    let (a, b) = (pool.var(read.value), pool.var(other.value));
                    let agree = pool.eq(a, b);
                    said.push(pool.implies(same, agree));
                }
                list.push(read);
            }
        }
        for (n, cell) in self.cells.iter().enumerate() {
            for other in self.cells[..n].iter().filter(|c| c.array == cell.array) {
                let (i, j) = (self.indices[cell.watch], self.indices[other.watch]);
                let (i, j) = (pool.var(i), pool.var(j));
                let same = pool.eq(i, j);
                let (a, b) = (pool.var(cell.content), pool.var(other.content));
                let agree = pool.eq(a, b);
                said.push(pool.implies(same, agree));
            }
        }
        said
    }

    /// Whether the index of a watch is this one.
    fn meets(&mut self, watch: usize, index: Term) -> Term {
        let own = self.program.pool.var(self.indices[watch]);
        self.program.pool.eq(own, index)
    }

    /// A conjunct of the initial states. What an array equals at first is said of its cells.
    fn initially(&mut self, part: Term) -> Vec<Term> {
        let pool = &self.program.pool;
        if pool.op(part) != Op::Eq || !is_array(pool, pool.arg(part, 0)) {
            return vec![self.term(part)];
        }
        let (a, b) = (pool.arg(part, 0), pool.arg(part, 1));
        // An array about which nothing is known.
        let open = |t| pool.as_var(t).is_some_and(|v| !self.state.contains(&v));
        if open(a) || open(b) {
            return Vec::new();
        }
        self.scalars_of(a);
        self.scalars_of(b);
        self.equal_cells(a, b)
    }

    fn equal_cells(&mut self, a: Term, b: Term) -> Vec<Term> {
        let ty = self.program.pool.ty(a);
        let mut said = Vec::new();
        for v in self.indices.clone() {
            let fits = matches!((ty, self.program.pool.var_ty(v)),
                (Type::Array { index, .. }, Type::Bv(width)) if index == width);
            if fits {
                let index = self.program.pool.var(v);
                let (x, y) = (self.element(a, index, None), self.element(b, index, None));
                said.push(self.program.pool.eq(x, y));
            }
        }
        said
    }

    /// Translates the scalars that an array is made of.
    fn scalars_of(&mut self, array: Term) {
        self.translate(array);
    }

    /// A scalar term over cells.
    fn term(&mut self, t: Term) -> Term {
        self.translate(t);
        self.part.terms[&t]
    }

    fn translate(&mut self, root: Term) {
        let mut args = Vec::with_capacity(3);
        for t in self.program.pool.post_order([root]) {
            let pool = &mut self.program.pool;
            if is_array(pool, t) || self.part.terms.contains_key(&t) {
                continue;
            }
            let new = match pool.op(t) {
                Op::BoolConst | Op::BvConst => t,
                Op::Var => {
                    let v = pool.as_var(t).expect("a variable node");
                    self.map.get(&v).copied().unwrap_or(t)
                }
                Op::Select => {
                    let (array, index) = (pool.arg(t, 0), pool.arg(t, 1));
                    let index = self.part.terms[&index];
                    self.element(array, index, Some(t))
                }
                Op::Eq if is_array(pool, pool.arg(t, 0)) => {
                    let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                    self.equality(t, a, b)
                }
                _ => {
                    args.clear();
                    args.extend(pool.args(t).map(|a| self.part.terms[&a]));
                    pool.rebuild(t, &args)
                }
            };
            self.part.terms.insert(t, new);
        }
    }

    /// Two arrays are equal: then their cells are; that they differ says nothing.
    fn equality(&mut self, t: Term, a: Term, b: Term) -> Term {
        let own = self.global(format!("equal{}", t.as_u32()), Type::Bool);
        // An input of the place that stands for nothing in the view.
        self.part.inputs.push((own, own));
        let equal = self.program.pool.var(own);
        for same in self.equal_cells(a, b) {
            let said = self.program.pool.implies(equal, same);
            self.said.push(said);
        }
        equal
    }

    /// The element of an array at a translated index; `select` is the term that reads it.
    fn element(&mut self, array: Term, index: Term, select: Option<Term>) -> Term {
        let mut elements: FxHashMap<Term, Term> = FxHashMap::default();
        for t in arrays_below(&self.program.pool, array) {
            let pool = &mut self.program.pool;
            let element = match pool.op(t) {
                Op::Var => {
                    let v = pool.as_var(t).expect("a variable node");
                    self.read(v, index, select.unwrap_or(t))
                }
                Op::Store => {
                    let (below, at, value) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
                    let here = pool.eq(index, self.part.terms[&at]);
                    pool.ite(here, self.part.terms[&value], elements[&below])
                }
                Op::Ite => {
                    let (c, a, b) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
                    pool.ite(self.part.terms[&c], elements[&a], elements[&b])
                }
                Op::ConstArray => self.part.terms[&pool.arg(t, 0)],
                op => unreachable!("{op:?} makes no array"),
            };
            elements.insert(t, element);
        }
        elements[&array]
    }

    /// What a read of an array variable gives.
    fn read(&mut self, array: Var, index: Term, select: Term) -> Term {
        let id = ReadId {
            place: self.place,
            select,
            array,
        };
        self.part.indices.entry(id).or_insert(index);
        if let Some(&known) = self.table.get(&(array, index)) {
            return known;
        }
        let is_state = self.state.contains(&array);
        let watched: Vec<(Term, Term)> = (0..self.indices.len())
            .filter(|_| is_state)
            .filter_map(|j| {
                let content = *self.content.get(&(array, j))?;
                Some((self.program.pool.var(self.indices[j]), content))
            })
            .collect();
        if let Some(&(_, content)) = watched.iter().find(|w| w.0 == index) {
            return content;
        }
        let data = self.program.pool.var_data(array);
        let Type::Array { elem, .. } = data.ty else {
            unreachable!("an array is read");
        };
        let name = format!("{}[?]", data.name);
        let value = self.global(name, Type::Bv(elem));
        let pool = &mut self.program.pool;
        let mut result = pool.var(value);
        for (at, content) in watched {
            let here = pool.eq(at, index);
            result = pool.ite(here, content, result);
        }
        self.table.insert((array, index), result);
        self.part.reads.push(Read {
            id,
            index,
            value,
            result,
        });
        result
    }
}
