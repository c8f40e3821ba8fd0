//! Programs as instructions: edges, locations, calls.
//!
//! Code of a location follows that of the one before it where it can, locations with nothing but a `skip` vanish, and two edges with
//! opposite guards are one branch. How many edges an instruction stands for is kept, so that steps are the interpreter's.

use super::instr::{CallInfo, Code, Compiled, Instr, Places, Reg, Slot};
use super::terms::{Home, home};
use crate::cmd::CmdView;
use crate::entity::{Edge, Loc, Term, Var};
use crate::graph::Adjacency;
use crate::interp::{guard, is_decided};
use crate::pool::Scope;
use crate::program::{Action, LocKind, Program};
use crate::value::Value;
use rustc_hash::FxHashMap;

/// The program has more variables, constants and intermediate results than registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the program needs more than 65536 registers")]
pub struct TooLarge;

/// Steps that one instruction counts at most.
const MOST_STEPS: u32 = 60_000;
/// Locations without anything to do that are left out in a row.
const MOST_SKIPS: usize = 100;

pub(super) struct Compiler<'p> {
    pub program: &'p Program,
    pub out: Compiled,
    /// What has been computed in the present state; nothing for arrays that are nowhere yet.
    pub cache: FxHashMap<Term, Option<Slot>>,
    constants: FxHashMap<u64, Reg>,
    /// Registers, memories and wide values: how many there are, and those for intermediate results.
    used: [usize; 3],
    pub temps: [Vec<Reg>; 3],
    pub temps_used: [usize; 3],
    adjacency: Adjacency,
    /// Whether control may come from elsewhere than the instruction before.
    is_label: Vec<bool>,
    start: Vec<Option<u32>>,
    /// Edges taken since the last instruction that counts.
    pending: u32,
    /// Whether the command may fail after it has changed something.
    pub saving: bool,
    /// The location whose edges are being compiled.
    pub at: Loc,
    /// Branches of the command that lead to its failure.
    pub fails: Vec<usize>,
    todo: Vec<Item>,
    locals: Vec<Vec<Slot>>,
}

/// Code that is still to be made.
enum Item {
    Loc(Loc),
    /// What follows the guard of the second of two edges, and the branches that lead there.
    Otherwise(Edge, Vec<usize>),
    /// The edge is a place of a choice.
    Edge(Edge, usize, usize),
    Fail(Loc, Vec<usize>),
}

impl Instr {
    pub(super) fn new(code: Code, d: Reg, a: Reg, b: Reg) -> Instr {
        Instr {
            code,
            shift: 0,
            d,
            a,
            b,
            x: 0,
            y: 0,
        }
    }

    pub(super) fn with(self, x: u32) -> Instr {
        Instr { x, ..self }
    }
}

impl Compiled {
    /// The instructions of a program.
    pub fn new(program: &Program) -> Result<Compiled, TooLarge> {
        let mut compiler = Compiler::new(program)?;
        compiler.run()?;
        Ok(compiler.finish())
    }
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program) -> Result<Compiler<'p>, TooLarge> {
        let mut compiler = Compiler {
            program,
            out: Compiled::empty(),
            cache: FxHashMap::default(),
            constants: FxHashMap::default(),
            used: [0; 3],
            temps: Default::default(),
            temps_used: [0; 3],
            adjacency: Adjacency::new(program),
            is_label: vec![false; program.locs.len()],
            start: vec![None; program.locs.len()],
            pending: 0,
            saving: false,
            at: program.entry(),
            fails: Vec::new(),
            todo: Vec::new(),
            locals: vec![Vec::new(); program.procs.len()],
        };
        compiler.label();
        for (_, data) in program.pool.vars() {
            let slot = match home(data.ty) {
                _ if data.scope == Scope::Auxiliary => Slot::Word(0),
                Home::Word => Slot::Word(compiler.fresh(0)?),
                Home::Memory => Slot::Memory(compiler.fresh(1)?),
                Home::Value => {
                    let r = compiler.fresh(2)?;
                    let zero = Value::zero(data.ty);
                    compiler.out.wide_constants.push((r, zero));
                    Slot::Value(r)
                }
            };
            compiler.out.vars.push(slot);
            if let Scope::Local(p) = data.scope
                && let Some(locals) = compiler.locals.get_mut(p.as_u32() as usize)
            {
                locals.push(slot);
            }
        }
        Ok(compiler)
    }

    /// Finds the locations that control may come to in several ways.
    fn label(&mut self) {
        let mut seen = vec![false; self.program.locs.len()];
        for edge in self.program.edges.values() {
            let to = self.beyond_skips(edge.to).0.as_u32() as usize;
            self.is_label[to] |= std::mem::replace(&mut seen[to], true);
        }
        for proc in self.program.procs.values() {
            self.is_label[proc.entry.as_u32() as usize] = true;
        }
    }

    // ---- registers

    /// A register, memory or wide value of its own.
    pub(super) fn fresh(&mut self, kind: usize) -> Result<Reg, TooLarge> {
        let r = Reg::try_from(self.used[kind]).map_err(|_| TooLarge)?;
        self.used[kind] += 1;
        Ok(r)
    }

    /// One for an intermediate result of the present state.
    pub(super) fn temp(&mut self, kind: usize) -> Result<Reg, TooLarge> {
        let at = self.temps_used[kind];
        self.temps_used[kind] += 1;
        if at == self.temps[kind].len() {
            let r = self.fresh(kind)?;
            self.temps[kind].push(r);
        }
        Ok(self.temps[kind][at])
    }

    pub(super) fn constant(&mut self, word: u64) -> Result<Reg, TooLarge> {
        if let Some(&r) = self.constants.get(&word) {
            return Ok(r);
        }
        let r = self.fresh(0)?;
        self.constants.insert(word, r);
        self.out.constants.push((r, word));
        Ok(r)
    }

    pub(super) fn var(&self, v: Var) -> Slot {
        self.out.vars[v.as_u32() as usize]
    }

    // ---- instructions

    pub(super) fn emit(&mut self, instr: Instr) {
        self.out.code.push(instr);
    }

    pub(super) fn here(&self) -> u32 {
        self.out.code.len() as u32
    }

    pub(super) fn pending(&mut self) -> Reg {
        std::mem::take(&mut self.pending) as Reg
    }

    /// An instruction that counts the steps so far.
    pub(super) fn control(&mut self, code: Code, x: u32) -> usize {
        let d = self.pending();
        self.emit(Instr::new(code, d, 0, 0).with(x));
        self.out.code.len() - 1
    }

    pub(super) fn patch(&mut self, instrs: &[usize]) {
        let here = self.here();
        for &i in instrs {
            self.out.code[i].x = here;
        }
    }

    fn count_step(&mut self) {
        self.pending += 1;
        if self.pending >= MOST_STEPS {
            self.control(Code::Count, 0);
        }
    }

    // ---- control

    fn run(&mut self) -> Result<(), TooLarge> {
        self.todo.push(Item::Loc(self.program.entry()));
        while let Some(item) = self.todo.pop() {
            let mut next = match item {
                Item::Loc(l) => Some(l).filter(|&l| self.start[l.as_u32() as usize].is_none()),
                Item::Otherwise(edge, from) => {
                    self.patch(&from);
                    self.edge(edge, true, false)?
                }
                Item::Edge(edge, table, place) => {
                    self.out.places[table].targets[place] = self.here();
                    self.edge(edge, false, true)?
                }
                Item::Fail(loc, from) => {
                    self.patch(&from);
                    self.control(Code::Fail, loc.as_u32());
                    None
                }
            };
            while let Some(l) = next {
                next = self.location(l)?;
            }
        }
        Ok(())
    }

    /// Goes to a location; the one to go on with, where it has no code yet.
    fn go(&mut self, to: Loc) -> Option<Loc> {
        let (to, skips) = self.beyond_skips(to);
        (0..skips).for_each(|_| self.count_step());
        let i = to.as_u32() as usize;
        if let Some(start) = self.start[i] {
            self.control(Code::Jump, start);
            return None;
        }
        if self.is_label[i] && self.pending > 0 {
            self.control(Code::Count, 0);
        }
        Some(to)
    }

    /// Where a location leads through others that do nothing, and how many there are.
    fn beyond_skips(&self, mut to: Loc) -> (Loc, usize) {
        // As many as that, should they go round in circles.
        for skips in 0..MOST_SKIPS {
            match self.only_skip(to) {
                Some(next) => to = next,
                None => return (to, skips),
            }
        }
        (to, MOST_SKIPS)
    }

    /// Where a location leads that does nothing.
    fn only_skip(&self, l: Loc) -> Option<Loc> {
        let data = &self.program.locs[l];
        let &[edge] = self.adjacency.out(l) else {
            return None;
        };
        let is_skip = self.program.edge_cmd(edge) == Some(self.program.cmds.skip());
        let is_plain = data.kind == LocKind::Plain && self.program.procs[data.proc].exit != Some(l);
        (is_skip && is_plain).then(|| self.program.edges[edge].to)
    }

    fn location(&mut self, l: Loc) -> Result<Option<Loc>, TooLarge> {
        let start = self.here();
        self.start[l.as_u32() as usize] = Some(start);
        self.out.starts.push((start, l));
        self.at = l;
        let data = &self.program.locs[l];
        if self.program.procs[data.proc].exit == Some(l) {
            self.control(Code::Return, l.as_u32());
            return Ok(None);
        }
        let out = self.adjacency.out(l).to_vec();
        if data.kind != LocKind::Plain || out.is_empty() {
            self.control(Code::Halt, l.as_u32());
            return Ok(None);
        }
        if is_decided(self.program, &out) {
            if let [first, second] = out[..] {
                let condition = guard(self.program, first).expect("a decided edge has a guard");
                self.new_state();
                self.assume(condition)?;
                let fails = std::mem::take(&mut self.fails);
                self.todo.push(Item::Otherwise(second, fails));
                return self.edge(first, true, false);
            }
            return self.edge(out[0], false, false);
        }
        self.choose(&out, true);
        let table = self.out.places.len() - 1;
        for (place, &edge) in out.iter().enumerate() {
            self.todo.push(Item::Edge(edge, table, place));
        }
        Ok(None)
    }

    pub(super) fn choose<T>(&mut self, among: &[T], of_edges: bool) {
        let table = self.out.places.len() as u32;
        self.out.places.push(Places {
            targets: vec![0; among.len()],
            of_edges,
        });
        self.control(Code::Choose, table);
    }

    /// An edge, without its guard where that is done; chosen among others where what was tried is to be forgotten.
    fn edge(&mut self, e: Edge, guarded: bool, chosen: bool) -> Result<Option<Loc>, TooLarge> {
        let data = &self.program.edges[e];
        self.at = data.from;
        self.new_state();
        match &data.action {
            Action::Cmd(c) => {
                let leaves = match (self.program.cmds.view(*c), guarded) {
                    (CmdView::Seq(cs), true) => &cs[1..],
                    (_, true) => &[],
                    (_, false) => std::slice::from_ref(c),
                };
                self.saving = self.may_fail_late(leaves);
                for &leaf in leaves {
                    self.command(leaf)?;
                }
                if self.saving || chosen {
                    self.emit(Instr::new(Code::Commit, 0, 0, 0));
                }
                if !self.fails.is_empty() {
                    let fails = std::mem::take(&mut self.fails);
                    self.todo.push(Item::Fail(data.from, fails));
                }
                self.count_step();
                Ok(self.go(data.to))
            }
            Action::Call(_) => self.call(e, chosen),
        }
    }

    fn call(&mut self, e: Edge, chosen: bool) -> Result<Option<Loc>, TooLarge> {
        let data = &self.program.edges[e];
        let Action::Call(call) = &data.action else {
            unreachable!("the caller has matched a call");
        };
        let callee = &self.program.procs[call.callee];
        let mut args = Vec::with_capacity(call.args.len());
        for (&t, &p) in call.args.iter().zip(&callee.params) {
            args.push((self.slot(t)?, self.var(p)));
        }
        if chosen {
            self.emit(Instr::new(Code::Commit, 0, 0, 0));
        }
        let results = callee.results.iter().zip(&call.results);
        self.out.calls.push(CallInfo {
            edge: e,
            callee: call.callee,
            locals: self.locals[call.callee.as_u32() as usize].clone(),
            args,
            results: results.map(|(&r, &v)| (self.var(r), self.var(v))).collect(),
            entry: 0,
            back: 0,
        });
        self.count_step();
        self.control(Code::Call, self.out.calls.len() as u32 - 1);
        self.todo.push(Item::Loc(callee.entry));
        let is_new = self.start[data.to.as_u32() as usize].is_none();
        Ok(is_new.then_some(data.to))
    }

    fn finish(mut self) -> Compiled {
        let start = |l: Loc| self.start[l.as_u32() as usize].unwrap_or(0);
        for call in &mut self.out.calls {
            call.entry = start(self.program.procs[call.callee].entry);
            call.back = start(self.program.edges[call.edge].to);
        }
        self.out.entry = start(self.program.entry());
        [self.out.words, self.out.memories, self.out.values] = self.used;
        self.out
    }
}

impl Compiled {
    fn empty() -> Compiled {
        Compiled {
            code: Vec::new(),
            vars: Vec::new(),
            constants: Vec::new(),
            wide_constants: Vec::new(),
            wide: Vec::new(),
            places: Vec::new(),
            calls: Vec::new(),
            starts: Vec::new(),
            entry: 0,
            words: 0,
            memories: 0,
            values: 0,
            branches: Vec::new(),
        }
    }
}
