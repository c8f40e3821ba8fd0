//! Witnesses of our own verdicts.

use crate::c_print;
use crate::follow::loop_heads;
use crate::format::{
    Action, Constraint, Entry, ExpressionFormat, Invariant, InvariantItem, InvariantKind, Location,
    Metadata, SegmentItem, Waypoint, WaypointItem, WaypointKind,
};
use crate::names::{Names, Sources};
use std::collections::BTreeMap;
use trellis_frontend_c::lower::{Elements, VarInfo};
use trellis_ivl::program::Action as EdgeAction;
use trellis_ivl::{FlattenOptions, Loc, Machine, Program, Span, Term, Trace, Var, flatten};

/// The place of a span as witnesses count: a declaration begins with its type, not with the name.
pub fn location(program: &Program, span: Span, sources: &Sources) -> Option<Location> {
    let file = program.files.get(span.file()?)?.clone();
    let line = sources.line(&file, span.line).unwrap_or_default();
    Some(Location {
        column: Some(statement_column(line, span.column)),
        file_name: file,
        line: span.line,
        function: None,
    })
}

/// The column where the statement begins that has something at `column`.
pub fn statement_column(line: &str, column: u32) -> u32 {
    let at = (column as usize).saturating_sub(1).min(line.len());
    let before = line.get(..at).unwrap_or_default();
    let start = before.rfind([';', '{', '}', ')']).map_or(0, |p| p + 1);
    let words = before[start..].trim();
    // Only words of a type stand between the beginning of a declaration and a declared name.
    let is_type = !words.is_empty()
        && words
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ' ' || c == '*');
    if !is_type {
        return column;
    }
    let gap = before[start..].len() - before[start..].trim_start().len();
    u32::try_from(start + gap + 1).unwrap_or(column)
}

/// How an error is reached: the values that were chosen, and the error. The trace may be the first steps of an execution that is too
/// long to be listed.
pub fn violation(
    metadata: Metadata,
    program: &Program,
    (trace, end): (&Trace, Loc),
    names: &Names,
    sources: &Sources,
) -> Option<Entry> {
    let mut machine = Machine::for_trace(program, trace).ok()?;
    let mut content = Vec::new();
    let mut pending: Option<(usize, Vec<String>)> = None;
    // The last place in the user's own files: models of library functions are nothing to other tools.
    let mut last = None;
    for step in &trace.steps {
        let edge = program.edges.get(step.edge)?;
        if !is_model(program, edge.span) {
            last = location(program, edge.span, sources).or(last);
        }
        // What the last step chose can be told where the next statement of the call begins.
        if let Some((depth, values)) = pending.take()
            && machine.call_stack().count() == depth
            && !is_model(program, edge.span)
            && let Some(at) = location(program, edge.span, sources)
        {
            content.push(segment(
                WaypointKind::Assumption,
                at,
                Some(values.join(" && ")),
            ));
        }
        let changed = match &edge.action {
            EdgeAction::Cmd(cmd) => program.cmds.modified(*cmd),
            EdgeAction::Call(_) => Vec::new(),
        };
        let depth = machine.call_stack().count();
        machine.replay(step).ok()?;
        if !step.inputs.is_empty() {
            let value = |&v: &Var| {
                // An address means nothing to another tool, and the bits of a float are not its value.
                let told = |info: &&VarInfo| !info.pointer && info.float.is_none();
                let info = names.info(v).filter(told)?;
                let bits = machine.value(v).as_bv()?;
                let number = match info.signed {
                    true => bits.to_i64().map(|n| literal(n, bits.width()))?,
                    false => format!("{}ULL", bits.to_u64()?),
                };
                Some(format!("{} == {number}", info.name))
            };
            let values: Vec<String> = changed.iter().filter_map(value).collect();
            pending = (!values.is_empty()).then_some((depth, values));
        }
    }
    let end = program.locs[end].span;
    let end = match is_model(program, end) {
        true => last?,
        false => location(program, end, sources)?,
    };
    content.push(segment(WaypointKind::Target, end, None));
    Some(Entry::ViolationSequence { metadata, content })
}

/// Whether a place is in a model of a library function.
fn is_model(program: &Program, span: Span) -> bool {
    let file = span.file().and_then(|f| program.files.get(f));
    file.is_some_and(|f| trellis_frontend_c::library::is_model(f))
}

fn literal(n: i64, width: u32) -> String {
    match n {
        i64::MIN => "(-9223372036854775807LL - 1)".into(),
        n if n == i64::from(i32::MIN) && width == 32 => "(-2147483647 - 1)".into(),
        n if i32::try_from(n).is_err() => format!("{n}LL"),
        n => n.to_string(),
    }
}

fn segment(kind: WaypointKind, location: Location, value: Option<String>) -> SegmentItem {
    SegmentItem {
        segment: vec![WaypointItem {
            waypoint: Waypoint {
                kind,
                action: Action::Follow,
                location,
                constraint: value.map(|value| Constraint {
                    value,
                    format: Some(ExpressionFormat::CExpression),
                }),
            },
        }],
    }
}

/// Why a program is safe: the invariants of its loops, as far as C can say them. `invariants` are
/// at locations of the expansion of `program` by `options`, with terms in the pool of `claim`.
pub fn correctness(
    metadata: Metadata,
    program: &Program,
    claim: &Program,
    invariants: &BTreeMap<Loc, Term>,
    options: &FlattenOptions,
    names: &Names,
    sources: &Sources,
) -> Entry {
    let mut flat = program.clone();
    let map = flatten(&mut flat, options);
    let heads = loop_heads(program);
    let mut at: BTreeMap<Loc, Vec<Option<String>>> = BTreeMap::new();
    for (&loc, &term) in invariants {
        // Cutpoints of a proof elsewhere than at loops have no name in C.
        let original = map.locs.get(loc).filter(|l| heads.contains(l));
        let Some(&original) = original else {
            continue;
        };
        let function = &program.procs[program.locs[original].proc].name;
        let place = sources.scope_end(program, program.locs[original].span);
        let info = |v: Var| in_scope(program, &flat, v, (function.as_str(), place), names);
        let scope = |v: Var| info(v).map(|info| (info.name.clone(), info.signed));
        let is_address = |v: Var| info(v).is_some_and(|info| info.pointer);
        let text = c_print::invariant(&claim.pool, term, &scope, &is_address);
        at.entry(original).or_default().push(text);
    }
    let mut content: Vec<InvariantItem> = Vec::new();
    for (loc, texts) in at {
        // Every copy of the function may have its own; what one cannot say, none can.
        let Some(mut texts) = texts.into_iter().collect::<Option<Vec<_>>>() else {
            continue;
        };
        texts.sort();
        texts.dedup();
        let value = match texts.as_slice() {
            [one] => one.clone(),
            many => {
                let many: Vec<String> = many.iter().map(|t| format!("({t})")).collect();
                many.join(" || ")
            }
        };
        let span = program.locs[loc].span;
        let Some(file) = span.file().and_then(|f| program.files.get(f)) else {
            continue;
        };
        if is_model(program, span) {
            continue;
        }
        content.push(InvariantItem {
            invariant: Invariant {
                kind: InvariantKind::LoopInvariant,
                location: Location {
                    file_name: file.clone(),
                    line: span.line,
                    column: Some(span.column),
                    function: Some(program.procs[program.locs[loc].proc].name.clone()),
                },
                value,
                format: ExpressionFormat::CExpression,
            },
        });
    }
    Entry::InvariantSet { metadata, content }
}

/// What C calls a variable of the expansion at a place inside `function`. A copy of a local is named
/// after the procedure and the local, and keeps its place.
fn in_scope<'n>(
    program: &Program,
    flat: &Program,
    v: Var,
    (function, place): (&str, (u32, u32)),
    names: &'n Names,
) -> Option<&'n VarInfo> {
    let data = flat.pool.vars().get(v)?;
    let info = names.all().find(|info| {
        let original = program.pool.var_data(info.var);
        let copied = info.function.as_deref() == Some(function)
            && data.name == format!("{function}.{}", original.name);
        let same = info.var == v && info.function.is_none();
        data.span == original.span && data.ty == original.ty && (copied || same)
    })?;
    // Terms speak of the bits of a float, C of its value.
    if info.float.is_some() {
        return None;
    }
    let sayable = match &info.elements {
        Elements::None => true,
        // One index behind the name; more would have to be told apart.
        Elements::Numbered(indices) => matches!(&indices[..], [(at, _)] if *at == info.name.len()),
        Elements::Addressed | Elements::Cells => false,
    };
    // The name may mean another variable there.
    let meant = names.resolve(program, function, &info.name, place)?;
    (sayable && meant.var == info.var).then_some(info)
}
