//! What variables of a program are called in its source, and what the source says at a place.

use crate::values::show;
use std::collections::BTreeMap;
use std::sync::Arc;
use trellis_frontend_c::acsl::harness::{BODY, FILE};
use trellis_frontend_c::lex::Interner;
use trellis_frontend_c::lower::fault::{Check, Layout};
use trellis_frontend_c::lower::{Elements, VarInfo};
use trellis_frontend_c::types::Types;
use trellis_ivl::{Loc, Proc, Program, Span, Value, Var};

/// What is known of a C program beyond its variables.
#[derive(Debug)]
pub struct OfC {
    /// Its types.
    pub types: Types,
    /// The names in them.
    pub interner: Interner,
    /// What goes wrong at its error locations.
    pub checks: BTreeMap<Loc, Check>,
    /// Where its objects are.
    pub layout: Layout,
}

/// The variables of a program in terms of its source.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// From a C program: only what is listed has a name there.
    infos: Option<BTreeMap<Var, VarInfo>>,
    /// What functions of a C program return.
    results: BTreeMap<Var, VarInfo>,
    /// Its types, checks and objects.
    source: Option<Arc<OfC>>,
}

impl Names {
    /// Of a C program.
    pub fn of_c(infos: Vec<VarInfo>) -> Names {
        let infos = infos.into_iter().map(|info| (info.var, info));
        Names {
            infos: Some(infos.collect()),
            results: BTreeMap::new(),
            source: None,
        }
    }

    /// With types, checks and objects.
    pub fn with_source(mut self, source: OfC) -> Names {
        self.source = Some(Arc::new(source));
        self
    }

    /// Types, checks and objects of a C program.
    pub fn of_source(&self) -> Option<&OfC> {
        self.source.as_deref()
    }

    /// With what functions return, which contracts speak of.
    pub fn with_results(mut self, results: Vec<VarInfo>) -> Names {
        self.results = results.into_iter().map(|info| (info.var, info)).collect();
        self
    }

    /// What is known of the result of a function of C.
    pub fn result(&self, var: Var) -> Option<&VarInfo> {
        self.results.get(&var)
    }

    /// The name of a variable, unless it has none in the source.
    pub fn name<'a>(&'a self, program: &'a Program, var: Var) -> Option<&'a str> {
        match &self.infos {
            Some(infos) => infos.get(&var).map(|info| info.name.as_str()),
            None => Some(&program.pool.var_data(var).name),
        }
    }

    /// What is known of a variable of C.
    pub fn info(&self, var: Var) -> Option<&VarInfo> {
        self.infos.as_ref()?.get(&var)
    }

    /// All variables of C.
    pub fn all(&self) -> impl Iterator<Item = &VarInfo> {
        self.infos.iter().flat_map(BTreeMap::values)
    }

    /// What a name means in `function` at a place: of several locals the last one declared before it,
    /// else a global. Memory has no name of its own.
    pub fn resolve(
        &self,
        program: &Program,
        function: &str,
        name: &str,
        place: (u32, u32),
    ) -> Option<&VarInfo> {
        let named = |info: &&VarInfo| {
            let memory = matches!(info.elements, Elements::Addressed | Elements::Cells);
            info.name == name && !memory
        };
        let declared = |info: &VarInfo| {
            let span = program.pool.var_data(info.var).span;
            (span.line, span.column)
        };
        let locals = self
            .all()
            .filter(named)
            .filter(|info| info.function.as_deref() == Some(function) && declared(info) <= place);
        let global = || self.all().filter(named).find(|i| i.function.is_none());
        locals.max_by_key(|i| declared(i)).or_else(global)
    }

    /// Whether variables have names only where they are listed.
    pub fn is_of_c(&self) -> bool {
        self.infos.is_some()
    }

    /// A value as the source would write it.
    pub fn show(&self, var: Var, value: &Value) -> String {
        show(self.info(var).or_else(|| self.result(var)), value)
    }
}

/// What the source calls a procedure: one that is checked by its contract has another name in the program.
pub fn function(program: &Program, p: Proc) -> &str {
    let name = &program.procs[p].name;
    match name.strip_suffix(BODY) {
        Some(plain) if program.files.values().any(|f| f == FILE) => plain,
        _ => name,
    }
}

/// `file:line:column`, or nothing.
pub fn place(program: &Program, span: Span) -> String {
    match span.file().and_then(|f| program.files.get(f)) {
        Some(file) => format!("{file}:{}:{}", span.line, span.column),
        None => String::new(),
    }
}

/// From `end` on, where every bracket since `start` is closed.
fn closed(line: &[u8], start: usize, end: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, c) in line.iter().enumerate().skip(start) {
        if at >= end && depth == 0 {
            return Some(at);
        }
        match c {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    (depth == 0).then_some(line.len())
}

/// Lines that the brackets of a `for` may take.
const LONGEST_HEADER: u32 = 50;
/// Longest excerpt of a source line.
const EXCERPT: usize = 48;

/// What the source files of a program say, as far as they were read for it. Nothing is read later on: a program may
/// claim to come from any file.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: BTreeMap<String, BTreeMap<u32, String>>,
}

impl Sources {
    /// Of a C program, as its front end gives them.
    pub fn of_c(files: BTreeMap<String, BTreeMap<u32, String>>) -> Sources {
        Sources { files }
    }

    /// Calls functions as the source does.
    pub fn with_functions(mut self, program: &Program) -> Sources {
        for p in program.procs.keys() {
            let (name, plain) = (&program.procs[p].name, function(program, p));
            let lines = self.files.values_mut().flat_map(BTreeMap::values_mut);
            for line in lines.filter(|line| name != plain && line.contains(name.as_str())) {
                *line = line.replace(name.as_str(), plain);
            }
        }
        self
    }

    /// The text of a file.
    pub fn add(&mut self, name: &str, text: &str) {
        let lines = (1..).zip(text.lines().map(str::to_string)).collect();
        self.files.insert(name.into(), lines);
    }

    /// The lines of each file.
    pub fn files(&self) -> impl Iterator<Item = (&str, &BTreeMap<u32, String>)> {
        self.files
            .iter()
            .map(|(name, lines)| (name.as_str(), lines))
    }

    /// A line, without its end.
    pub fn line(&self, file: &str, line: u32) -> Option<&str> {
        self.files.get(file)?.get(&line).map(String::as_str)
    }

    /// Up to where the names of a loop's invariant may be declared: the end of the brackets where a `for`
    /// begins at the place, the place itself elsewhere.
    pub fn scope_end(&self, program: &Program, span: Span) -> (u32, u32) {
        let place = (span.line, span.column);
        let Some(file) = span.file().and_then(|f| program.files.get(f)) else {
            return place;
        };
        let (mut depth, mut start) = (0_u32, (span.column as usize).saturating_sub(1));
        for line in span.line..span.line.saturating_add(LONGEST_HEADER) {
            let Some(text) = self.line(file, line).and_then(|t| t.get(start..)) else {
                return place;
            };
            if line == span.line && !text.starts_with("for") {
                return place;
            }
            for (at, c) in text.bytes().enumerate() {
                match c {
                    b'(' => depth += 1,
                    b')' if depth == 1 => return (line, (start + at) as u32 + 1),
                    b')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            start = 0;
        }
        place
    }

    /// The expression between two places, where that is on one line; otherwise what stands at the first.
    pub fn expression(&self, program: &Program, from: Span, last: Span) -> String {
        let text = || {
            let file = program.files.get(from.file()?)?;
            let same = from.file() == last.file() && from.line == last.line;
            let line = self.line(file, from.line).filter(|_| same)?;
            let (start, end) = (from.column.checked_sub(1)? as usize, last.column as usize);
            let word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
            // The last place may be the beginning of a word.
            let rest = line.as_bytes().get(end.checked_sub(1)?..)?;
            let more = rest
                .iter()
                .take_while(|c| word(c))
                .count()
                .saturating_sub(1);
            let closed = closed(line.as_bytes(), start, end + more)?;
            let text = line.get(start..closed).filter(|t| t.len() <= EXCERPT)?;
            // The end of a macro's expansion is where it began.
            let calls = line.get(closed..).is_some_and(|rest| rest.starts_with('('));
            (!calls).then(|| text.trim().to_string())
        };
        text().unwrap_or_else(|| self.excerpt(program, from))
    }

    /// The statement that begins at a place, as far as its line has it; empty when the source is
    /// not there.
    pub fn excerpt(&self, program: &Program, span: Span) -> String {
        let Some(file) = span.file().and_then(|f| program.files.get(f)) else {
            return String::new();
        };
        let text = self.line(file, span.line).unwrap_or_default();
        let start = (span.column as usize).saturating_sub(1);
        let mut out = String::new();
        let mut depth = 0i32;
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        // Of what is decided the question is shown, and not what happens then.
        let part = |c: &&u8| c.is_ascii_alphanumeric() || **c == b'_';
        let word = rest.iter().take_while(part).count();
        let asks = [&b"if"[..], b"for", b"while", b"switch"].contains(&&rest[..word]);
        for (at, c) in rest.iter().copied().map(char::from).enumerate() {
            // A comment is not what happens.
            if rest[at..].starts_with(b"/*") || rest[at..].starts_with(b"//") {
                break;
            }
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                ';' | '{' | '}' if depth <= 0 && !out.is_empty() => break,
                _ => {}
            }
            out.push(if c.is_ascii_graphic() { c } else { ' ' });
            if asks && c == ')' && depth == 0 {
                break;
            }
            if out.len() >= EXCERPT {
                out.truncate(EXCERPT - 3);
                out += "...";
                break;
            }
        }
        out.trim().to_string()
    }
}
