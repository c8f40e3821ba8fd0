//! The binary image of a program: flat tables of words.
//!
//! An engine gets this instead of text because it is read several times faster and because a
//! plugin in C reads it with a few array accesses. Variables, inputs, regions, procedures,
//! locations, edges and files keep their numbers; only the terms and commands that the edges use
//! cross, in an order of their own.

use super::reader::{Reader, WireError, write_ty};
use super::terms::{Received, SameVars, Sent};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use trellis_ivl::program::{Action, Call, EdgeData, InputData, LocData, LocKind, ProcData};
use trellis_ivl::{
    Cmd, CmdView, File, Input, Loc, Proc, Program, RegionData, Scope, Span, Term, Type, Var,
    VarData,
};
use trellis_plugin_abi::TRELLIS_IMAGE_VERSION;
use trellis_plugin_abi::words as w;

const SECTIONS: usize = 11;

/// The image of `program`.
pub fn write(program: &Program) -> Vec<u32> {
    let mut writer = Writer {
        program,
        names: FxHashMap::default(),
        strings: Vec::new(),
        sent: Sent::new(),
        terms: Vec::new(),
        cmds: Vec::new(),
        cmd_at: FxHashMap::default(),
        lists: Vec::new(),
    };
    let files = writer.files();
    let vars = writer.vars();
    let inputs = writer.inputs();
    let regions = writer.regions();
    let procs = writer.procs();
    let locs = writer.locs();
    let edges = writer.edges();
    let strings = words_of_bytes(&writer.strings);
    let n = |n: usize| n as u32;
    let sections: [(u32, u32, &[u32]); SECTIONS] = [
        (w::TRELLIS_SECTION_STRINGS, n(strings.len()), &strings),
        (w::TRELLIS_SECTION_FILES, n(program.files.len()), &files),
        (w::TRELLIS_SECTION_VARS, n(program.pool.vars().len()), &vars),
        (w::TRELLIS_SECTION_INPUTS, n(program.inputs.len()), &inputs),
        (
            w::TRELLIS_SECTION_REGIONS,
            n(program.regions.len()),
            &regions,
        ),
        (
            w::TRELLIS_SECTION_TERMS,
            n(writer.terms.len()),
            &writer.terms,
        ),
        (w::TRELLIS_SECTION_CMDS, n(writer.cmds.len()), &writer.cmds),
        (w::TRELLIS_SECTION_PROCS, n(program.procs.len()), &procs),
        (w::TRELLIS_SECTION_LOCS, n(program.locs.len()), &locs),
        (w::TRELLIS_SECTION_EDGES, n(program.edges.len()), &edges),
        (
            w::TRELLIS_SECTION_LISTS,
            n(writer.lists.len()),
            &writer.lists,
        ),
    ];
    let header = 4 + 3 * SECTIONS;
    let total = header + sections.iter().map(|s| s.2.len()).sum::<usize>();
    let mut out = Vec::with_capacity(total);
    out.extend([
        w::TRELLIS_IMAGE_MAGIC,
        TRELLIS_IMAGE_VERSION,
        program.main.as_u32(),
        SECTIONS as u32,
    ]);
    let mut at = header;
    for (section, count, words) in &sections {
        out.extend([*section, at as u32, *count]);
        at += words.len();
    }
    for (_, _, words) in &sections {
        out.extend_from_slice(words);
    }
    out
}

fn words_of_bytes(bytes: &[u8]) -> Vec<u32> {
    let word = |chunk: &[u8]| {
        let mut four = [0; 4];
        four[..chunk.len()].copy_from_slice(chunk);
        u32::from_ne_bytes(four)
    };
    bytes.chunks(4).map(word).collect()
}

struct Writer<'p> {
    program: &'p Program,
    names: FxHashMap<String, u32>,
    strings: Vec<u8>,
    sent: Sent,
    terms: Vec<u32>,
    cmds: Vec<u32>,
    cmd_at: FxHashMap<Cmd, u32>,
    lists: Vec<u32>,
}

impl Writer<'_> {
    fn name(&mut self, out: &mut Vec<u32>, name: Option<&str>) {
        let Some(name) = name else {
            out.extend([w::TRELLIS_NONE, 0]);
            return;
        };
        let at = match self.names.get(name) {
            Some(&at) => at,
            None => {
                let at = self.strings.len() as u32;
                self.strings.extend_from_slice(name.as_bytes());
                self.names.insert(name.to_string(), at);
                at
            }
        };
        out.extend([at, name.len() as u32]);
    }

    fn files(&mut self) -> Vec<u32> {
        let mut out = Vec::new();
        for file in self.program.files.values() {
            self.name(&mut out, Some(file));
        }
        out
    }

    fn vars(&mut self) -> Vec<u32> {
        let mut out = Vec::with_capacity(9 * self.program.pool.vars().len());
        for data in self.program.pool.vars().values() {
            write_ty(&mut out, data.ty);
            out.extend(match data.scope {
                Scope::Global => [0, w::TRELLIS_NONE],
                Scope::Local(p) => [1, p.as_u32()],
                Scope::Auxiliary => [2, w::TRELLIS_NONE],
            });
            self.name(&mut out, Some(&data.name));
            write_span(&mut out, data.span);
        }
        out
    }

    fn inputs(&mut self) -> Vec<u32> {
        let mut out = Vec::with_capacity(7 * self.program.inputs.len());
        for data in self.program.inputs.values() {
            write_ty(&mut out, data.ty);
            self.name(&mut out, Some(&data.name));
            write_span(&mut out, data.span);
        }
        out
    }

    fn regions(&mut self) -> Vec<u32> {
        let mut out = Vec::with_capacity(10 * self.program.regions.len());
        for data in self.program.regions.values() {
            self.name(&mut out, Some(&data.name));
            out.extend([data.memory.as_u32(), data.base.as_u32()]);
            let size = data.size.unwrap_or(0);
            out.push(u32::from(data.size.is_some()));
            out.extend([size as u32, (size >> 32) as u32]);
            write_span(&mut out, data.span);
        }
        out
    }

    fn procs(&mut self) -> Vec<u32> {
        let mut out = Vec::with_capacity(11 * self.program.procs.len());
        for data in self.program.procs.values() {
            self.name(&mut out, Some(&data.name));
            out.push(data.entry.as_u32());
            out.push(data.exit.map_or(w::TRELLIS_NONE, |l| l.as_u32()));
            for list in [&data.params, &data.results] {
                out.extend([self.lists.len() as u32, list.len() as u32]);
                self.lists.extend(list.iter().map(|v| v.as_u32()));
            }
            write_span(&mut out, data.span);
        }
        out
    }

    fn locs(&mut self) -> Vec<u32> {
        let mut out = Vec::with_capacity(9 * self.program.locs.len());
        for data in self.program.locs.values() {
            out.push(data.proc.as_u32());
            let (kind, text) = match &data.kind {
                LocKind::Plain => (0, None),
                LocKind::Error(property) => (1, Some(&**property)),
                LocKind::Incomplete(reason) => (2, Some(&**reason)),
            };
            out.push(kind);
            self.name(&mut out, text);
            self.name(&mut out, data.name.as_deref());
            write_span(&mut out, data.span);
        }
        out
    }

    fn edges(&mut self) -> Vec<u32> {
        let program = self.program;
        let mut out = Vec::with_capacity(7 * program.edges.len());
        for data in program.edges.values() {
            out.extend([data.from.as_u32(), data.to.as_u32()]);
            match &data.action {
                Action::Cmd(c) => {
                    let at = self.cmd(*c);
                    out.extend([0, at]);
                }
                Action::Call(call) => {
                    let at = self.call(call);
                    out.extend([1, at]);
                }
            }
            write_span(&mut out, data.span);
        }
        out
    }

    fn term(&mut self, t: Term) -> u32 {
        self.sent.send(&self.program.pool, t, &mut self.terms)
    }

    fn call(&mut self, call: &Call) -> u32 {
        let args: Vec<u32> = call.args.iter().map(|&t| self.term(t)).collect();
        let at = self.lists.len() as u32;
        self.lists.extend([call.callee.as_u32(), args.len() as u32]);
        self.lists.extend(args);
        self.lists.push(call.results.len() as u32);
        self.lists.extend(call.results.iter().map(|v| v.as_u32()));
        at
    }

    /// The offset of a command, written after its parts.
    fn cmd(&mut self, root: Cmd) -> u32 {
        let program = self.program;
        let mut stack = vec![root];
        while let Some(&c) = stack.last() {
            if self.cmd_at.contains_key(&c) {
                stack.pop();
                continue;
            }
            let view = program.cmds.view(c);
            if let CmdView::Seq(parts) | CmdView::Choice(parts) = view {
                let waiting = stack.len();
                let missing = parts.iter().filter(|p| !self.cmd_at.contains_key(p));
                stack.extend(missing.rev());
                if stack.len() > waiting {
                    continue;
                }
            }
            stack.pop();
            let at = self.leaf_or_node(view);
            self.cmd_at.insert(c, at);
        }
        self.cmd_at[&root]
    }

    fn leaf_or_node(&mut self, view: CmdView<'_>) -> u32 {
        let mut words = match view {
            CmdView::Skip => vec![w::TRELLIS_CMD_SKIP],
            CmdView::Assume(t) => vec![w::TRELLIS_CMD_ASSUME, self.term(t)],
            CmdView::Assign(items) => vec![w::TRELLIS_CMD_ASSIGN, items.len() as u32],
            CmdView::Havoc(items) => vec![w::TRELLIS_CMD_HAVOC, items.len() as u32],
            CmdView::Seq(items) => vec![w::TRELLIS_CMD_SEQ, items.len() as u32],
            CmdView::Choice(items) => vec![w::TRELLIS_CMD_CHOICE, items.len() as u32],
        };
        match view {
            CmdView::Skip | CmdView::Assume(_) => {}
            CmdView::Assign(items) => {
                for &(v, t) in items {
                    words.extend([v.as_u32(), self.term(t)]);
                }
            }
            CmdView::Havoc(items) => {
                words.extend(items.iter().flat_map(|&(v, i)| [v.as_u32(), i.as_u32()]));
            }
            CmdView::Seq(items) | CmdView::Choice(items) => {
                words.extend(items.iter().map(|c| self.cmd_at[c]));
            }
        }
        let at = self.cmds.len() as u32;
        self.cmds.extend(words);
        at
    }
}

fn write_span(out: &mut Vec<u32>, span: Span) {
    match span.file() {
        Some(file) => out.extend([file.as_u32(), span.line, span.column]),
        None => out.extend([w::TRELLIS_NONE, 0, 0]),
    }
}

/// The program of an image.
pub fn read(image: &[u32]) -> Result<Program, WireError> {
    let mut program = Program::new();
    replace(&mut program, image)?;
    Ok(program)
}

/// Makes `program` the program of an image whose variables, inputs, regions and files begin with those of `program`:
/// the arenas grow, and the control tables are replaced. On an error the control tables are as before.
pub fn replace(program: &mut Program, image: &[u32]) -> Result<(), WireError> {
    let mut before = Program::new().control();
    program.swap_control(&mut before);
    let read = read_onto(program, image);
    if read.is_err() {
        program.swap_control(&mut before);
    }
    read
}

/// Reads an image into a program without control tables.
fn read_onto(program: &mut Program, image: &[u32]) -> Result<(), WireError> {
    let mut sections = Sections::new(image)?;
    if sections.main == u32::MAX {
        return Err(no_such("procedure", sections.main));
    }
    program.main = Proc::from_u32(sections.main);
    read_files(&mut sections, program)?;
    read_vars(&mut sections, program)?;
    read_inputs(&mut sections, program)?;
    read_regions(&mut sections, program)?;
    read_control(&mut sections, program)?;
    let mut terms = Received::default();
    let words = sections.words(w::TRELLIS_SECTION_TERMS)?;
    terms.receive(&mut program.pool, &mut SameVars, words)?;
    let cmds = read_cmds(program, sections.words(w::TRELLIS_SECTION_CMDS)?, &terms)?;
    read_edges(&mut sections, program, &terms, &cmds)?;
    check_references(program)
}

/// Entity `i` of an arena that had `known` of them: it is as it was, or it is new.
fn kept(what: &str, i: usize, known: usize, same: bool) -> Result<bool, WireError> {
    match (i < known, same) {
        (true, false) => Err(WireError::Malformed(format!(
            "{what} {i} is another than before"
        ))),
        (old, _) => Ok(old),
    }
}

/// None of an arena's entities may be missing.
fn all_kept(what: &str, count: usize, known: usize) -> Result<(), WireError> {
    match count < known {
        true => Err(WireError::Malformed(format!(
            "{count} {what} are left of {known}"
        ))),
        false => Ok(()),
    }
}

fn read_files(s: &mut Sections<'_>, program: &mut Program) -> Result<(), WireError> {
    let (count, known) = (s.count(w::TRELLIS_SECTION_FILES, 2)?, program.files.len());
    all_kept("files", count, known)?;
    for i in 0..count {
        let name = s.name()?.unwrap_or_default();
        let same = (i < known).then(|| File::from_u32(i as u32));
        let same = same.is_some_and(|f| program.files[f] == name);
        if !kept("file", i, known, same)? {
            program.files.push(name.to_string());
        }
    }
    s.files = program.files.len() as u32;
    Ok(())
}

fn read_vars(s: &mut Sections<'_>, program: &mut Program) -> Result<(), WireError> {
    let (count, known) = (
        s.count(w::TRELLIS_SECTION_VARS, 9)?,
        program.pool.vars().len(),
    );
    all_kept("variables", count, known)?;
    for i in 0..count {
        let ty = s.r.ty()?;
        let (scope, proc) = (s.r.word("a variable")?, s.r.word("a variable")?);
        let name = s.name()?.unwrap_or_default().to_string();
        let span = s.span()?;
        let scope = match scope {
            0 => Scope::Global,
            1 if proc != u32::MAX => Scope::Local(Proc::from_u32(proc)),
            2 => Scope::Auxiliary,
            number => return Err(no_such("scope", number)),
        };
        let old = program.pool.vars().get(Var::from_u32(i as u32));
        let same = old.is_some_and(|old| old.ty == ty && old.scope == scope);
        if !kept("variable", i, known, same)? {
            program.pool.declare(VarData {
                name,
                ty,
                scope,
                span,
            });
        }
    }
    Ok(())
}

fn read_inputs(s: &mut Sections<'_>, program: &mut Program) -> Result<(), WireError> {
    let (count, known) = (s.count(w::TRELLIS_SECTION_INPUTS, 7)?, program.inputs.len());
    all_kept("inputs", count, known)?;
    for i in 0..count {
        let ty = s.r.ty()?;
        let name = s.name()?.unwrap_or_default().to_string();
        let span = s.span()?;
        let old = program.inputs.get(Input::from_u32(i as u32));
        let same = old.is_some_and(|old| old.ty == ty);
        if !kept("input", i, known, same)? {
            program.inputs.push(InputData { name, ty, span });
        }
    }
    Ok(())
}

fn read_regions(s: &mut Sections<'_>, program: &mut Program) -> Result<(), WireError> {
    let (count, known) = (
        s.count(w::TRELLIS_SECTION_REGIONS, 10)?,
        program.regions.len(),
    );
    all_kept("regions", count, known)?;
    for i in 0..count {
        let name = s.name()?.unwrap_or_default().to_string();
        let memory = Var::from_u32(s.r.entity("a region")?);
        let base = Var::from_u32(s.r.entity("a region")?);
        let fixed = s.r.word("a region")? != 0;
        let (low, high) = (s.r.word("a region")?, s.r.word("a region")?);
        let size = fixed.then_some(u64::from(low) | (u64::from(high) << 32));
        let span = s.span()?;
        let old = program.regions.values().nth(i);
        let same = old.is_some_and(|old| (old.memory, old.base, old.size) == (memory, base, size));
        if !kept("region", i, known, same)? {
            program.regions.push(RegionData {
                name,
                memory,
                base,
                size,
                span,
            });
        }
    }
    Ok(())
}

/// Procedures and locations.
fn read_control(s: &mut Sections<'_>, program: &mut Program) -> Result<(), WireError> {
    for _ in 0..s.count(w::TRELLIS_SECTION_PROCS, 11)? {
        let name = s.name()?.unwrap_or_default().to_string();
        let entry = Loc::from_u32(s.r.entity("a procedure")?);
        let exit = s.r.word("a procedure")?;
        let exit = (exit != w::TRELLIS_NONE).then(|| Loc::from_u32(exit));
        let params = s.var_list()?;
        let results = s.var_list()?;
        let span = s.span()?;
        program.procs.push(ProcData {
            name,
            params,
            results,
            entry,
            exit,
            span,
        });
    }
    for _ in 0..s.count(w::TRELLIS_SECTION_LOCS, 9)? {
        let proc = Proc::from_u32(s.r.entity("a location")?);
        let kind = s.r.word("a location")?;
        let text: Arc<str> = Arc::from(s.name()?.unwrap_or_default());
        let name = s.name()?.map(Arc::from);
        let span = s.span()?;
        let kind = match kind {
            0 => LocKind::Plain,
            1 => LocKind::Error(text),
            2 => LocKind::Incomplete(text),
            number => return Err(no_such("kind of location", number)),
        };
        program.locs.push(LocData {
            proc,
            kind,
            name,
            span,
        });
    }
    Ok(())
}

fn read_edges(
    s: &mut Sections<'_>,
    program: &mut Program,
    terms: &Received,
    cmds: &FxHashMap<u32, Cmd>,
) -> Result<(), WireError> {
    let lists = s.words(w::TRELLIS_SECTION_LISTS)?;
    for _ in 0..s.count(w::TRELLIS_SECTION_EDGES, 7)? {
        let from = Loc::from_u32(s.r.entity("an edge")?);
        let to = Loc::from_u32(s.r.entity("an edge")?);
        let (action, at) = (s.r.word("an edge")?, s.r.word("an edge")?);
        let span = s.span()?;
        let action = match action {
            0 => Action::Cmd(*cmds.get(&at).ok_or_else(|| no_such("command at", at))?),
            1 => {
                let mut r = Reader::new(lists.get(at as usize..).unwrap_or_default());
                let callee = Proc::from_u32(r.entity("a call")?);
                let mut args = Vec::new();
                for _ in 0..r.count("a call")? {
                    args.push(terms.term(r.word("a call")?)?);
                }
                let n = r.count("a call")?;
                let results = r.take(n, "a call")?;
                let results = variables(results)?;
                Action::Call(Box::new(Call {
                    callee,
                    args,
                    results,
                }))
            }
            number => return Err(no_such("kind of edge", number)),
        };
        program.edges.push(EdgeData {
            from,
            to,
            action,
            span,
        });
    }
    Ok(())
}

/// The commands by offset.
fn read_cmds(
    program: &mut Program,
    words: &[u32],
    terms: &Received,
) -> Result<FxHashMap<u32, Cmd>, WireError> {
    let mut cmds = FxHashMap::default();
    let mut r = Reader::new(words);
    while r.left() > 0 {
        let at = r.position() as u32;
        let kind = r.word("a command")?;
        let cmd = match kind {
            w::TRELLIS_CMD_SKIP => program.cmds.skip(),
            w::TRELLIS_CMD_ASSUME => {
                let t = terms.term(r.word("a command")?)?;
                if program.pool.ty(t) != Type::Bool {
                    return Err(WireError::IllTyped(
                        "assume of a term that is no bool".into(),
                    ));
                }
                program.cmds.assume(t)
            }
            w::TRELLIS_CMD_ASSIGN => {
                let mut items = Vec::new();
                for _ in 0..r.count("a command")? {
                    let v = var(program, r.entity("a command")?)?;
                    let t = terms.term(r.word("a command")?)?;
                    if program.pool.ty(t) != program.pool.var_ty(v) {
                        return Err(WireError::IllTyped(format!("assignment to {v}")));
                    }
                    items.push((v, t));
                }
                program.cmds.assign_all(&items)
            }
            w::TRELLIS_CMD_HAVOC => {
                let mut items = Vec::new();
                for _ in 0..r.count("a command")? {
                    let v = var(program, r.entity("a command")?)?;
                    let input = Input::from_u32(r.entity("a command")?);
                    match program.inputs.get(input) {
                        Some(data) if data.ty == program.pool.var_ty(v) => items.push((v, input)),
                        Some(_) => return Err(WireError::IllTyped(format!("havoc of {v}"))),
                        None => return Err(no_such("input", input.as_u32())),
                    }
                }
                program.cmds.havoc(&items)
            }
            w::TRELLIS_CMD_SEQ | w::TRELLIS_CMD_CHOICE => {
                let mut parts = Vec::new();
                for _ in 0..r.count("a command")? {
                    let part = r.word("a command")?;
                    let cmd = cmds.get(&part).ok_or_else(|| no_such("command at", part))?;
                    parts.push(*cmd);
                }
                if kind == w::TRELLIS_CMD_SEQ {
                    program.cmds.seq(&parts)
                } else if parts.is_empty() {
                    return Err(WireError::Malformed("a choice among nothing".into()));
                } else {
                    program.cmds.choice(&parts)
                }
            }
            number => return Err(no_such("command", number)),
        };
        cmds.insert(at, cmd);
    }
    Ok(cmds)
}

fn var(program: &Program, number: u32) -> Result<Var, WireError> {
    let v = Var::from_u32(number);
    if program.pool.vars().is_valid(v) {
        Ok(v)
    } else {
        Err(no_such("variable", number))
    }
}

fn variables(numbers: &[u32]) -> Result<Vec<Var>, WireError> {
    let mut r = Reader::new(numbers);
    let mut vars = Vec::with_capacity(numbers.len());
    while r.left() > 0 {
        vars.push(Var::from_u32(r.entity("a list")?));
    }
    Ok(vars)
}

fn no_such(what: &'static str, number: u32) -> WireError {
    WireError::NoSuch { what, number }
}

/// Every number names something; well-formedness beyond that is the verifier's business.
fn check_references(program: &Program) -> Result<(), WireError> {
    let loc = |l: Loc| match program.locs.is_valid(l) {
        true => Ok(()),
        false => Err(no_such("location", l.as_u32())),
    };
    let proc = |p: Proc| match program.procs.is_valid(p) {
        true => Ok(()),
        false => Err(no_such("procedure", p.as_u32())),
    };
    proc(program.main)?;
    for data in program.pool.vars().values() {
        if let Scope::Local(p) = data.scope {
            proc(p)?;
        }
    }
    for data in program.procs.values() {
        loc(data.entry)?;
        data.exit.map_or(Ok(()), loc)?;
        for &v in data.params.iter().chain(&data.results) {
            var(program, v.as_u32())?;
        }
    }
    for data in program.locs.values() {
        proc(data.proc)?;
    }
    for data in program.regions.values() {
        var(program, data.memory.as_u32())?;
        var(program, data.base.as_u32())?;
    }
    for data in program.edges.values() {
        loc(data.from)?;
        loc(data.to)?;
        if let Action::Call(call) = &data.action {
            proc(call.callee)?;
            for &v in &call.results {
                var(program, v.as_u32())?;
            }
        }
    }
    Ok(())
}

/// The sections of an image, and a reader within one of them.
struct Sections<'a> {
    image: &'a [u32],
    table: [(usize, usize); SECTIONS + 1],
    main: u32,
    files: u32,
    strings: Vec<u8>,
    r: Reader<'a>,
}

impl<'a> Sections<'a> {
    fn new(image: &'a [u32]) -> Result<Sections<'a>, WireError> {
        let mut r = Reader::new(image);
        if r.word("the header")? != w::TRELLIS_IMAGE_MAGIC {
            return Err(WireError::Malformed("this is no image of a program".into()));
        }
        let version = r.word("the header")?;
        if version != TRELLIS_IMAGE_VERSION {
            return Err(no_such("image version", version));
        }
        let main = r.word("the header")?;
        let mut table = [(0, 0); SECTIONS + 1];
        for _ in 0..r.count("the header")? {
            let section = r.word("the header")? as usize;
            let place = (
                r.word("the header")? as usize,
                r.word("the header")? as usize,
            );
            // Sections of later versions are skipped.
            if let Some(slot) = table.get_mut(section) {
                *slot = place;
            }
        }
        let mut sections = Sections {
            image,
            table,
            main,
            files: 0,
            strings: Vec::new(),
            r,
        };
        let words = sections.words(w::TRELLIS_SECTION_STRINGS)?;
        sections.strings = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        Ok(sections)
    }

    /// A section that counts words.
    fn words(&self, section: u32) -> Result<&'a [u32], WireError> {
        let (at, count) = self.table[section as usize];
        let words = self.image.get(at..).and_then(|w| w.get(..count));
        words.ok_or(WireError::Truncated("a section"))
    }

    /// Begins to read a section of records.
    fn count(&mut self, section: u32, record: usize) -> Result<usize, WireError> {
        let (at, count) = self.table[section as usize];
        let len = count.checked_mul(record);
        let words = len.and_then(|len| self.image.get(at..)?.get(..len));
        self.r = Reader::new(words.ok_or(WireError::Truncated("a section"))?);
        Ok(count)
    }

    fn name(&mut self) -> Result<Option<&str>, WireError> {
        let (at, len) = (self.r.word("a name")?, self.r.word("a name")?);
        if at == w::TRELLIS_NONE {
            return Ok(None);
        }
        let bytes = self.strings.get(at as usize..);
        let bytes = bytes.and_then(|b| b.get(..len as usize));
        let bytes = bytes.ok_or(WireError::Truncated("a name"))?;
        let name = std::str::from_utf8(bytes);
        name.map(Some)
            .map_err(|_| WireError::Malformed("a name is not UTF-8".into()))
    }

    fn span(&mut self) -> Result<Span, WireError> {
        let file = self.r.word("a span")?;
        let (line, column) = (self.r.word("a span")?, self.r.word("a span")?);
        if file == w::TRELLIS_NONE {
            return Ok(Span::NONE);
        }
        if file >= self.files {
            return Err(no_such("file", file));
        }
        Ok(Span::new(File::from_u32(file), line, column))
    }

    fn var_list(&mut self) -> Result<Vec<Var>, WireError> {
        let (at, n) = (
            self.r.word("a list")? as usize,
            self.r.word("a list")? as usize,
        );
        let lists = self.words(w::TRELLIS_SECTION_LISTS)?;
        let list = lists.get(at..).and_then(|l| l.get(..n));
        let list = list.ok_or(WireError::Truncated("a list"))?;
        variables(list)
    }
}
