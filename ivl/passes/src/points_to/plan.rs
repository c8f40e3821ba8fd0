//! What becomes of every class of objects: an array of its own, or variables.

use super::classes::{Classes, Node};
use super::exact::Exact;
use super::words::{Places, starts};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trellis_ivl::{Bv, Op, Program, Region, Scope, Term, Type, Var, VarData};

/// Objects with more elements stay arrays.
const MAX_ELEMENTS: u64 = 64;

/// A variable that holds a part of a memory.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub var: Var,
    pub memory: Var,
    /// The object whose elements it holds, unless it is an array with all elements of a class.
    pub cell: Option<Cell>,
}

/// Elements of an object in one variable, the first in the lowest bits.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub base: Var,
    /// What the base always holds.
    pub address: Bv,
    pub first: u64,
    pub len: u64,
}

/// Where the objects of a class in one memory went.
enum Home {
    /// To an array, by part.
    Array(usize),
    /// To variables: the part of each element.
    Cells { region: Region, parts: Vec<usize> },
}

/// What an access means after the pass.
pub(super) enum Place {
    /// The element at the same address of an array, by part.
    Array(usize),
    /// An element of a variable: the part, and the position in it.
    Cell(usize, u64),
}

/// The plan for a program.
pub(super) struct Plan {
    pub classes: Classes,
    pub parts: Vec<Part>,
    /// The parts of each memory.
    pub by_memory: BTreeMap<Var, Vec<usize>>,
    homes: FxHashMap<(Var, Node), Home>,
    exact: Exact,
}

impl Plan {
    /// A plan that gains something, if there is one.
    pub fn new(program: &mut Program) -> Option<Plan> {
        let mut classes = Classes::new(program)?;
        let exact = Exact::new(program);
        let mut groups = Groups::new(program, &mut classes);
        groups.settle(program, &exact);
        if !groups.gain() {
            return None;
        }
        let mut plan = Plan {
            classes,
            parts: Vec::new(),
            by_memory: BTreeMap::new(),
            homes: FxHashMap::default(),
            exact,
        };
        plan.declare(program, groups);
        Some(plan)
    }

    /// What the read or write `access` of `memory` means.
    pub fn place(&mut self, program: &Program, memory: Var, address: Term) -> Place {
        let class = self.classes.class(address);
        match &self.homes[&(memory, class)] {
            Home::Array(part) => Place::Array(*part),
            Home::Cells { region, parts } => {
                let base = program.regions[*region].base;
                let at = self.exact.distance(&program.pool, address, base);
                let at = at.expect("an object is promoted when all its addresses are exact");
                let part = parts[at as usize];
                let first = self.parts[part].cell.as_ref().map_or(0, |c| c.first);
                Place::Cell(part, at - first)
            }
        }
    }

    fn declare(&mut self, program: &mut Program, groups: Groups) {
        let promoted: Vec<(Region, u64)> = groups.list.values().filter_map(|g| g.cell).collect();
        let sizes: Vec<u64> = promoted.iter().map(|&(_, n)| n).collect();
        let index: FxHashMap<(Var, Node), usize> = groups
            .list
            .iter()
            .filter(|(_, g)| g.cell.is_some())
            .enumerate()
            .map(|(i, (&key, _))| (key, i))
            .collect();
        let terms = std::mem::take(&mut self.classes.terms);
        let mut places = Promoted {
            program,
            plan: self,
            index,
            promoted: &promoted,
        };
        let mut starts = starts(&program.pool, &terms, &sizes, &mut places).into_iter();
        self.classes.terms = terms;
        for (key, group) in groups.list {
            let home = match group.cell {
                None => Home::Array(self.array(program, key.0, &group.regions)),
                Some((region, size)) => {
                    let starts = starts.next().expect("one list per promoted object");
                    self.cells(program, region, size, &starts)
                }
            };
            self.homes.insert(key, home);
        }
    }

    fn add(&mut self, part: Part) -> usize {
        let memory = part.memory;
        self.parts.push(part);
        let index = self.parts.len() - 1;
        self.by_memory.entry(memory).or_default().push(index);
        index
    }

    /// An array for the objects of a class, named after the first.
    fn array(&mut self, program: &mut Program, memory: Var, regions: &[Region]) -> usize {
        let data = program.pool.var_data(memory).clone();
        let first = regions.first().map(|&r| program.regions[r].name.as_str());
        let name = format!("{}.{}", data.name, first.unwrap_or("wild"));
        let var = program.pool.declare(VarData { name, ..data });
        self.add(Part {
            var,
            memory,
            cell: None,
        })
    }

    /// Variables for the elements of an object.
    fn cells(&mut self, program: &mut Program, r: Region, size: u64, starts: &[u64]) -> Home {
        let region = program.regions[r].clone();
        let address = self.exact.fixed(region.base);
        let address = address.expect("promoted at a fixed address").clone();
        let Type::Array { elem, .. } = program.pool.var_ty(region.memory) else {
            unreachable!("a memory is an array");
        };
        let mut parts = Vec::new();
        for (i, &first) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(size);
            let name = match starts.len() {
                1 => region.name.clone(),
                _ => format!("{}+{first}", region.name),
            };
            let var = program.pool.declare(VarData {
                name,
                ty: Type::Bv(elem * (end - first) as u32),
                scope: Scope::Global,
                span: region.span,
            });
            let part = self.add(Part {
                var,
                memory: region.memory,
                cell: Some(Cell {
                    base: region.base,
                    address: address.clone(),
                    first,
                    len: end - first,
                }),
            });
            parts.extend((first..end).map(|_| part));
        }
        Home::Cells { region: r, parts }
    }
}

/// A class in a memory before its home is made.
#[derive(Default)]
struct Group {
    regions: Vec<Region>,
    addresses: Vec<Term>,
    /// The object and its size, if it becomes variables.
    cell: Option<(Region, u64)>,
}

struct Groups {
    list: BTreeMap<(Var, Node), Group>,
}

impl Groups {
    /// The classes that are accessed, by memory.
    fn new(program: &Program, classes: &mut Classes) -> Groups {
        let mut list: BTreeMap<(Var, Node), Group> = BTreeMap::new();
        for i in 0..classes.terms.len() {
            let t = classes.terms[i];
            if matches!(program.pool.op(t), Op::Select | Op::Store)
                && let Some(memory) = classes.memory(program.pool.arg(t, 0))
            {
                let address = program.pool.arg(t, 1);
                let key = (memory, classes.class(address));
                list.entry(key).or_default().addresses.push(address);
            }
        }
        for (r, d) in program.regions.iter() {
            let class = classes.of_base(d.base);
            if let Some(group) = list.get_mut(&(d.memory, class)) {
                group.regions.push(r);
            }
        }
        Groups { list }
    }

    /// Decides which objects become variables: alone in their class, at a fixed address, small,
    /// and accessed at known elements only.
    fn settle(&mut self, program: &Program, exact: &Exact) {
        let mut homes: FxHashMap<Node, u32> = FxHashMap::default();
        for &(_, class) in self.list.keys() {
            *homes.entry(class).or_default() += 1;
        }
        for ((_, class), group) in &mut self.list {
            let [r] = group.regions[..] else { continue };
            let region = &program.regions[r];
            let Some(size) = region.size.filter(|n| (1..=MAX_ELEMENTS).contains(n)) else {
                continue;
            };
            let inside = |&a: &Term| {
                exact
                    .distance(&program.pool, a, region.base)
                    .is_some_and(|k| k < size)
            };
            let alone = homes[class] == 1 && exact.fixed(region.base).is_some();
            if alone && group.addresses.iter().all(inside) {
                group.cell = Some((r, size));
            }
        }
    }

    /// Whether anything is promoted or any memory falls apart.
    fn gain(&self) -> bool {
        let memories: Vec<Var> = self.list.keys().map(|&(m, _)| m).collect();
        self.list.values().any(|g| g.cell.is_some()) || memories.windows(2).any(|w| w[0] == w[1])
    }
}

/// The elements of promoted objects, before they have homes.
struct Promoted<'a> {
    program: &'a Program,
    plan: &'a mut Plan,
    index: FxHashMap<(Var, Node), usize>,
    promoted: &'a [(Region, u64)],
}

impl Places for Promoted<'_> {
    fn place(&mut self, access: Term) -> Option<(usize, u64)> {
        let pool = &self.program.pool;
        if !matches!(pool.op(access), Op::Select | Op::Store) {
            return None;
        }
        let memory = self.plan.classes.memory(pool.arg(access, 0))?;
        let address = pool.arg(access, 1);
        let class = self.plan.classes.class(address);
        let &object = self.index.get(&(memory, class))?;
        let base = self.program.regions[self.promoted[object].0].base;
        let at = self.plan.exact.distance(pool, address, base)?;
        Some((object, at))
    }
}
