//! What variables of a program are called in its source, and what the source says at a place.

use crate::values::show;
use std::collections::BTreeMap;
use trellis_frontend_c::lower::{Elements, VarInfo};
use trellis_ivl::{Program, Span, Value, Var};

/// The variables of a program in terms of its source.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// From a C program: only what is listed has a name there.
    infos: Option<BTreeMap<Var, VarInfo>>,
    /// What functions of a C program return.
    results: BTreeMap<Var, VarInfo>,
}

impl Names {
    /// Of a C program.
    pub fn of_c(infos: Vec<VarInfo>) -> Names {
        let infos = infos.into_iter().map(|info| (info.var, info));
        Names {
            infos: Some(infos.collect()),
            results: BTreeMap::new(),
        }
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

/// `file:line:column`, or nothing.
pub fn place(program: &Program, span: Span) -> String {
    match span.file().and_then(|f| program.files.get(f)) {
        Some(file) => format!("{file}:{}:{}", span.line, span.column),
        None => String::new(),
    }
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

    /// The text of a file.
    pub fn add(&mut self, name: &str, text: &str) {
        let lines = (1..).zip(text.lines().map(str::to_string)).collect();
        self.files.insert(name.into(), lines);
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
        for c in text.bytes().skip(start).map(char::from) {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                ';' | '{' | '}' if depth <= 0 && !out.is_empty() => break,
                _ => {}
            }
            out.push(if c.is_ascii_graphic() { c } else { ' ' });
            if out.len() >= EXCERPT {
                out.truncate(EXCERPT - 3);
                out += "...";
                break;
            }
        }
        out.trim().to_string()
    }
}
