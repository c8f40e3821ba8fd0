//! `--show-properties` and `--show-loops`: what would be checked, and where the program repeats.

use serde::Serialize;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::justice::Justice;
use trellis_ivl::{Loc, LocKind, Program, Span};
use trellis_witness::Sources;

/// How a list is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Format {
    /// One line each, for people
    Text,
    /// An array of objects, for machines
    Json,
}

/// A property or a loop.
#[derive(Serialize)]
struct Entry<'a> {
    /// What is checked here; of a property.
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<&'a str>,
    function: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
}

/// Every place where a property may be violated, in the order of the source; and justice properties, by name and place.
pub fn properties(program: &Program, justice: &[Justice], format: Format) -> String {
    let entries = program.errors().map(|l| {
        let property = match &program.locs[l].kind {
            LocKind::Error(property) => Some(&**property),
            _ => None,
        };
        entry(program, l, property)
    });
    let justice = justice.iter().map(|just| Entry {
        property: Some(&just.name),
        function: &program.procs[program.main].name,
        file: file(program, just.span),
        line: just.span.line,
        column: just.span.column,
    });
    write(entries.chain(justice).collect(), format)
}

/// The head of every loop, in the order of the source.
pub fn loops(program: &Program, format: Format) -> String {
    let adjacency = Adjacency::new(program);
    let heads = program.procs.values().flat_map(|proc| {
        let search = DepthFirst::new(program, &adjacency, proc.entry);
        let heads = search.order.into_iter();
        heads.filter(move |l| search.heads.contains(*l))
    });
    let heads: Vec<Loc> = heads.collect();
    let entries = heads.iter().map(|l| entry(program, *l, None));
    write(entries.collect(), format)
}

fn entry<'a>(program: &'a Program, l: Loc, property: Option<&'a str>) -> Entry<'a> {
    let loc = &program.locs[l];
    Entry {
        property,
        function: &program.procs[loc.proc].name,
        file: file(program, loc.span),
        line: loc.span.line,
        column: loc.span.column,
    }
}

fn file(program: &Program, span: Span) -> &str {
    span.file().map_or("", |f| program.files[f].as_str())
}

fn write(mut entries: Vec<Entry<'_>>, format: Format) -> String {
    entries.sort_by_key(|e| (e.file, e.line, e.column, e.property));
    if format == Format::Json {
        let json = serde_json::to_string_pretty(&entries).unwrap_or_default();
        return json + "\n";
    }
    let line = |e: &Entry<'_>| {
        let what = e.property.unwrap_or("loop");
        let (file, line, column) = (e.file, e.line, e.column);
        format!("{file}:{line}:{column}: {what} in {}\n", e.function)
    };
    entries.iter().map(line).collect()
}

/// The text of a program with the lines of its source, as far as that was read, as comments in front of
/// what they became.
pub fn with_source(program: &Program, sources: &Sources) -> String {
    let files: Vec<&String> = program.files.values().collect();
    let (mut all, mut block, mut last) = (String::new(), String::new(), None);
    for line in program.to_string().lines() {
        block += line;
        block.push('\n');
        // An edge ends in its place; what comes before belongs to it.
        if block.starts_with("  e") && !line.ends_with(';') {
            continue;
        }
        if let Some(place) = edge_place(&block).filter(|place| last != Some(*place)) {
            last = Some(place);
            let (file, number) = place;
            let name = files.get(file);
            if let Some(text) = name.and_then(|name| sources.line(name, number)) {
                all += &format!("  // {number}: {}\n", text.trim());
            }
        }
        all += &block;
        block.clear();
    }
    all + &block
}

/// The file and line at the end of a printed edge.
fn edge_place(edge: &str) -> Option<(usize, u32)> {
    if !edge.starts_with("  e") || !edge.contains("->") {
        return None;
    }
    let (_, place) = edge.trim_end().trim_end_matches(';').rsplit_once(" at f")?;
    let (file, rest) = place.split_once(':')?;
    let line = rest.split(':').next()?;
    Some((file.parse().ok()?, line.parse().ok()?))
}
