//! Control-flow automata as drawings: the program as it was read, procedure by procedure, and what the passes have made of it.
//!
//! Locations where nothing is decided are folded into the arrows around them, so that an arrow is a run of statements. Of an
//! automaton that is too large for a picture only the ways to the errors are drawn, and of one whose ways are too large nothing;
//! a sentence says so in its place.

use super::layout::{Boxes, Layout, layout};
use crate::load::Loaded;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use trellis_frontend_c::acsl::harness::FILE;
use trellis_frontend_c::library::is_model;
use trellis_ivl::graph::{Adjacency, DepthFirst};
use trellis_ivl::program::{Action, EdgeData};
use trellis_ivl::text::TermPrinter;
use trellis_ivl::{CmdView, Edge, Loc, LocKind, Op, Proc, Program, Span, Term};
use trellis_witness::names::function;

/// Boxes of one drawing.
const MOST_BOXES: usize = 160;
/// Arrows of one drawing.
const MOST_ARROWS: usize = 320;
/// Boxes of all drawings of a check.
const MOST_OF_ALL: usize = 1_500;
/// Characters of a line, lines beside an arrow, and lines that are told of one that is chosen.
const LONGEST: usize = 34;
const MOST_LINES: usize = 3;
const MOST_TOLD: usize = 14;
/// Characters of a formula that is told.
const TOLD: usize = 80;
/// Sizes of letters and lines in the drawing, as in the page's style.
const LETTER: f64 = 7.3;
const LINE: f64 = 17.0;

/// A drawing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Automaton {
    /// What it is of.
    pub title: String,
    /// Whether it is what the passes have made, and not what was read.
    pub reduced: bool,
    /// What is not drawn, and why.
    pub note: String,
    /// Width and height.
    size: (i32, i32),
    boxes: Vec<Drawn>,
    pub(super) arrows: Vec<Arrow>,
}

/// A location.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Drawn {
    /// The middle, and the size.
    at: (i32, i32, i32, i32),
    /// `entry`, `exit`, `error`, `incomplete`, `loop`, `choice` or `plain`.
    kind: String,
    /// What stands in it, line by line.
    text: Vec<String>,
    /// Its place in the source; -1 is no file.
    file: i64,
    line: u32,
}

/// What leads from one to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arrow {
    from: usize,
    to: usize,
    /// Its way: to the right and down, again and again.
    way: Vec<i32>,
    /// What stands beside it, and where.
    text: Vec<String>,
    at: (i32, i32),
    /// All that it does, where that is more.
    told: Vec<String>,
    /// Its place in the source; -1 is no file.
    pub(super) file: i64,
    line: u32,
}

impl Automaton {
    /// How large it is.
    pub fn boxes(&self) -> usize {
        self.boxes.len()
    }

    /// Its files have other numbers.
    pub fn renumber(&mut self, moved: impl Fn(i64) -> i64) {
        for drawn in &mut self.boxes {
            drawn.file = moved(drawn.file);
        }
        for arrow in &mut self.arrows {
            arrow.file = moved(arrow.file);
        }
    }
}

/// The drawings of a check, and which arrow each edge is a part of.
#[derive(Default)]
pub struct Drawings {
    /// The drawings.
    pub list: Vec<Automaton>,
    /// By edges of the program as it was read: the number of the arrow, where those of all drawings are counted.
    pub of_read: BTreeMap<Edge, usize>,
    /// By edges of what the passes have made.
    pub of_reduced: BTreeMap<Edge, usize>,
}

/// The drawings of a program as it was read and of what the passes have made of it. `ways` are the edges that lead to errors in each;
/// `files` has the number of each file of the program.
pub fn drawings(
    loaded: &Loaded,
    reduced: &Program,
    ways: (&BTreeSet<Edge>, &BTreeSet<Edge>),
    files: &[i64],
) -> Drawings {
    let mut drawings = Drawings::default();
    let program = loaded.program();
    let mut artist = Artist::new(loaded, program, files, false, ways.0);
    let mut left_out = Vec::new();
    let mut room = MOST_OF_ALL;
    for proc in procedures(loaded, ways.0) {
        let name = format!("{}()", function(program, proc));
        if room == 0 {
            left_out.push(name);
            continue;
        }
        let (automaton, edges) = artist.draw(proc, name);
        // Of what only is declared there is nothing to see.
        if automaton.arrows.is_empty() && automaton.note.is_empty() {
            continue;
        }
        room = room.saturating_sub(automaton.boxes());
        drawings.add(automaton, edges, false);
    }
    if let (Some(last), false) = (drawings.list.last_mut(), left_out.is_empty()) {
        let also = format!("Not drawn, since there is too much: {}", shown(&left_out));
        last.note = [&*last.note, &*also].join(" ").trim().into();
    }
    // A program that no round has shrunk is the empty one.
    if reduced.procs.is_valid(reduced.main) && !reduced.locs.is_empty() {
        let mut artist = Artist::new(loaded, reduced, files, true, ways.1);
        let (automaton, edges) = artist.draw(reduced.main, "after the passes".into());
        drawings.add(automaton, edges, true);
    }
    drawings
}

impl Drawings {
    fn add(&mut self, automaton: Automaton, edges: Vec<(Edge, usize)>, reduced: bool) {
        let first: usize = self.list.iter().map(|a| a.arrows.len()).sum();
        let map = match reduced {
            true => &mut self.of_reduced,
            false => &mut self.of_read,
        };
        map.extend(edges.into_iter().map(|(e, arrow)| (e, first + arrow)));
        self.list.push(automaton);
    }
}

/// Some names, and how many more there are.
fn shown(names: &[String]) -> String {
    let first = names[..names.len().min(8)].join(", ");
    match names.len() {
        0..=8 => first + ".",
        n => format!("{first} and {} more.", n - 8),
    }
}

/// The procedures of the source: first where it begins, then those that the ways go through, then all others. Our models of the C
/// library are of interest only in steps; what starts a C program is ours, and comes last.
fn procedures(loaded: &Loaded, way: &BTreeSet<Edge>) -> Vec<Proc> {
    let program = loaded.program();
    let passed: BTreeSet<Proc> = (way.iter())
        .filter_map(|&e| Some(program.locs[program.edges.get(e)?.from].proc))
        .collect();
    let called = |d: &EdgeData| match &d.action {
        Action::Call(call) if program.locs[d.from].proc == program.main => Some(call.callee),
        _ => None,
    };
    let started: BTreeSet<Proc> = match loaded.names.is_of_c() {
        true => program.edges.values().filter_map(called).collect(),
        false => [program.main].into(),
    };
    let file = |p: Proc| program.procs[p].span.file();
    let own = |p: &Proc| {
        let file = file(*p).and_then(|f| program.files.get(f));
        file.is_none_or(|f| !is_model(f) && f != FILE)
    };
    let mut procs: Vec<Proc> = program.procs.keys().filter(own).collect();
    procs.sort_by_key(|p| {
        let (begins, is_start) = (started.contains(p), *p == program.main);
        let line = program.procs[*p].span.line;
        (!begins, is_start, !passed.contains(p), file(*p), line)
    });
    procs
}

/// What is drawn of a procedure: locations, and arrows with the edges that they are made of.
#[derive(Default)]
struct Folded {
    locs: Vec<Loc>,
    arrows: Vec<(usize, usize, Vec<Edge>)>,
    heads: BTreeSet<Loc>,
}

impl Folded {
    /// What can be reached by these edges. A location stays if something begins or ends there.
    fn new(program: &Program, adjacency: &Adjacency, proc: Proc) -> Folded {
        let entry = program.procs[proc].entry;
        let search = DepthFirst::new(program, adjacency, entry);
        let reached: BTreeSet<Loc> = search.order.iter().copied().collect();
        let heads: BTreeSet<Loc> = (search.order.iter().copied())
            .filter(|l| search.heads.contains(*l))
            .collect();
        let from_reached = |e: &&Edge| reached.contains(&program.edges[**e].from);
        let inner = |l: Loc| {
            let incoming = adjacency.inc(l).iter().filter(from_reached).count();
            incoming == 1
                && adjacency.out(l).len() == 1
                && l != entry
                && !heads.contains(&l)
                && program.locs[l].kind == LocKind::Plain
        };
        let locs: Vec<Loc> = search
            .order
            .iter()
            .copied()
            .filter(|&l| !inner(l))
            .collect();
        let number: BTreeMap<Loc, usize> = locs.iter().copied().zip(0..).collect();
        let mut arrows = Vec::new();
        for (from, &l) in locs.iter().enumerate() {
            for &first in adjacency.out(l) {
                let (mut run, mut to) = (vec![first], program.edges[first].to);
                // Every cycle has a head, which stays.
                while let (None, [next]) = (number.get(&to), adjacency.out(to)) {
                    run.push(*next);
                    to = program.edges[*next].to;
                }
                arrows.extend(number.get(&to).map(|&to| (from, to, run)));
            }
        }
        Folded {
            locs,
            arrows,
            heads,
        }
    }

    fn fits(&self) -> bool {
        self.locs.len() <= MOST_BOXES && self.arrows.len() <= MOST_ARROWS
    }
}

/// Draws procedures of one program.
struct Artist<'a> {
    loaded: &'a Loaded,
    program: &'a Program,
    files: &'a [i64],
    reduced: bool,
    adjacency: Adjacency,
    on_way: Adjacency,
    terms: TermPrinter<'a>,
}

impl<'a> Artist<'a> {
    fn new(
        loaded: &'a Loaded,
        program: &'a Program,
        files: &'a [i64],
        reduced: bool,
        way: &BTreeSet<Edge>,
    ) -> Artist<'a> {
        Artist {
            loaded,
            program,
            files,
            reduced,
            adjacency: Adjacency::new(program),
            on_way: Adjacency::of(program, |e| way.contains(&e)),
            terms: TermPrinter::new(&program.pool),
        }
    }

    /// The drawing, and which arrow each edge is a part of.
    fn draw(&mut self, proc: Proc, title: String) -> (Automaton, Vec<(Edge, usize)>) {
        let mut automaton = Automaton {
            title,
            reduced: self.reduced,
            ..Automaton::default()
        };
        let mut folded = Folded::new(self.program, &self.adjacency, proc);
        if !folded.fits() {
            let size = format!(
                "{} locations and {} edges, after folding",
                folded.locs.len(),
                folded.arrows.len()
            );
            folded = Folded::new(self.program, &self.on_way, proc);
            let passed = !folded.arrows.is_empty();
            if !passed || !folded.fits() {
                let only = if passed {
                    ", and so is the way to the error"
                } else {
                    ""
                };
                automaton.note =
                    format!("Not drawn: with {size}, it is too large for a picture{only}.");
                return (automaton, Vec::new());
            }
            automaton.note = format!("Of {size}, only those on the way to an error are drawn.");
        }
        let texts: Vec<(&str, Vec<String>)> = (folded.locs.iter())
            .map(|&l| self.location(proc, l, &folded))
            .collect();
        let arrows: Vec<(Vec<String>, Vec<String>)> = (folded.arrows.iter())
            .map(|(from, to, run)| self.run((folded.locs[*from], folded.locs[*to]), run))
            .collect();
        let boxes = Boxes {
            boxes: texts.iter().map(|(_, text)| room(text, 8.0)).collect(),
            arrows: (folded.arrows.iter().zip(&arrows))
                .map(|((from, to, _), (text, _))| (*from, *to, room(text, 4.0)))
                .collect(),
        };
        let Some(layout) = layout(&boxes) else {
            automaton.note = "Not drawn: no layout was found.".into();
            return (automaton, Vec::new());
        };
        let Layout {
            size,
            boxes: middles,
            arrows: ways,
        } = layout;
        automaton.size = size;
        for (n, (kind, text)) in texts.into_iter().enumerate() {
            let ((x, y), (width, height)) = (middles[n], boxes.boxes[n]);
            let span = self.program.locs[folded.locs[n]].span;
            automaton.boxes.push(Drawn {
                at: (x, y, width as i32, height as i32),
                kind: kind.into(),
                text,
                file: self.file(span),
                line: span.line,
            });
        }
        let mut edges = Vec::new();
        let all = folded.arrows.into_iter().zip(arrows).zip(ways);
        for (n, (((from, to, run), (text, told)), (way, at))) in all.enumerate() {
            let span = (run.iter().map(|&e| self.program.edges[e].span)).find(|s| s.is_some());
            let span = span.unwrap_or(Span::NONE);
            automaton.arrows.push(Arrow {
                from,
                to,
                way: way.into_iter().flat_map(|(x, y)| [x, y]).collect(),
                text,
                at,
                told,
                file: self.file(span),
                line: span.line,
            });
            edges.extend(run.into_iter().map(|e| (e, n)));
        }
        (automaton, edges)
    }

    fn file(&self, span: Span) -> i64 {
        let file = span.file().map(|f| f.as_u32() as usize);
        file.and_then(|f| self.files.get(f).copied()).unwrap_or(-1)
    }

    fn excerpt(&self, span: Span) -> String {
        self.loaded.sources.excerpt(self.program, span)
    }

    /// The kind of a location, and what stands in it.
    fn location(&self, proc: Proc, l: Loc, folded: &Folded) -> (&'static str, Vec<String>) {
        let (of, data) = (&self.program.procs[proc], &self.program.locs[l]);
        let line = match data.span.line {
            0 => String::new(),
            line => format!("line {line}"),
        };
        let (kind, mut text) = match &data.kind {
            LocKind::Error(property) => ("error", vec![format!("violates {property}"), line]),
            LocKind::Incomplete(why) => ("incomplete", vec![why.to_string(), line]),
            LocKind::Plain if l == of.entry && self.reduced => ("entry", vec!["begin".into()]),
            LocKind::Plain if l == of.entry => {
                ("entry", vec![format!("{}()", function(self.program, proc))])
            }
            LocKind::Plain if Some(l) == of.exit => ("exit", vec!["end".into()]),
            LocKind::Plain => {
                let is_head = folded.heads.contains(&l);
                let question = self.question(l).map(|(span, _)| self.excerpt(span));
                let kind = match (is_head, &question) {
                    (true, _) => "loop",
                    (false, Some(_)) => "choice",
                    (false, None) => "plain",
                };
                let name = data.name.as_ref().map(|n| n.to_string());
                let first = match (is_head, name, line.is_empty()) {
                    (true, _, false) => format!("loop, {line}"),
                    (true, Some(name), true) => format!("loop {name}"),
                    (true, None, true) => "loop".into(),
                    (false, Some(name), _) => name,
                    (false, None, _) => line,
                };
                let mut text = vec![first];
                text.extend(question);
                (kind, text)
            }
        };
        text.retain(|t| !t.is_empty());
        text.iter_mut().for_each(|t| *t = cut(t));
        (kind, text)
    }

    /// Where two edges leave a location that assume a condition and its opposite: the place of the question, and the edge of
    /// whoever says yes. The front end of C makes that one first.
    fn question(&self, l: Loc) -> Option<(Span, Edge)> {
        let [yes, no] = self.adjacency.out(l) else {
            return None;
        };
        let span = self.program.edges[*yes].span;
        let same = span.is_some() && span == self.program.edges[*no].span;
        let (one, other) = (self.assumed(*yes)?, self.assumed(*no)?);
        let pool = &self.program.pool;
        let opposite = |a: Term, b: Term| pool.op(a) == Op::Not && pool.arg(a, 0) == b;
        let asks = same && (opposite(one, other) || opposite(other, one));
        (asks && !self.excerpt(span).is_empty()).then_some((span, *yes))
    }

    /// What an edge assumes, if it does nothing else.
    fn assumed(&self, e: Edge) -> Option<Term> {
        match self.program.cmds.view(self.program.edge_cmd(e)?) {
            CmdView::Assume(t) => Some(t),
            _ => None,
        }
    }

    /// What an edge does, in the language of programs: one thing after the other, whichever way it goes.
    fn does(&mut self, e: Edge) -> Vec<String> {
        let (program, mut lines) = (self.program, Vec::new());
        let within = Some(program.locs[program.edges[e].from].proc);
        let command = match &program.edges[e].action {
            Action::Cmd(command) => *command,
            Action::Call(call) => {
                return vec![format!("call {}", program.procs[call.callee].name)];
            }
        };
        let terms = &mut self.terms;
        program.cmds.for_each_leaf(command, |leaf| match leaf {
            _ if lines.len() > MOST_TOLD => {}
            CmdView::Assume(t) => lines.push(format!("assume {}", terms.short(t, within, TOLD))),
            CmdView::Assign(items) => {
                for &(v, t) in items.iter().take(MOST_TOLD) {
                    let right = terms.short(t, within, TOLD);
                    lines.push(format!("{} := {right}", terms.name(v, within)));
                }
            }
            CmdView::Havoc(items) => {
                for &(v, input) in items.iter().take(MOST_TOLD) {
                    let (v, from) = (terms.name(v, within), &program.inputs[input].name);
                    lines.push(format!("{v} := any value of {from}"));
                }
            }
            CmdView::Skip | CmdView::Seq(_) | CmdView::Choice(_) => {}
        });
        lines
    }

    /// What stands beside an arrow, and all that it does where that is more.
    fn run(&mut self, (from, to): (Loc, Loc), run: &[Edge]) -> (Vec<String>, Vec<String>) {
        let mut lines = Vec::new();
        let mut told = Vec::new();
        let mut last = None;
        for (n, &e) in run.iter().enumerate() {
            let data = &self.program.edges[e];
            if n == 0
                && let Some((span, yes)) = self.question(from)
            {
                lines.push(if e == yes { "yes" } else { "no" }.to_string());
                last = Some((span.file(), span.line, span.column));
                continue;
            }
            let skips = match &data.action {
                Action::Cmd(c) => matches!(self.program.cmds.view(*c), CmdView::Skip),
                Action::Call(_) => false,
            };
            let key = Some((data.span.file(), data.span.line, data.span.column));
            if skips || key == last && !self.reduced {
                continue;
            }
            last = key;
            let words = self.excerpt(data.span);
            match words.is_empty() {
                true => lines.extend(self.does(e)),
                false => {
                    if !self.reduced {
                        told.push(format!("{}: {words}", data.span.line));
                    }
                    lines.push(words);
                }
            }
        }
        if self.reduced {
            told = run.iter().flat_map(|&e| self.does(e)).collect();
        }
        // That a check fails stands where it leads.
        if self.program.locs[to].kind != LocKind::Plain && !self.reduced && run.len() == 1 {
            lines.clear();
        }
        if told.len() > MOST_TOLD {
            let more = told.len() - MOST_TOLD + 1;
            told.truncate(MOST_TOLD - 1);
            told.push(format!("... {more} more"));
        }
        lines.dedup();
        let all = lines.len();
        if all > MOST_LINES {
            lines.truncate(MOST_LINES - 1);
            lines.push(format!("... {} more", all - MOST_LINES + 1));
        }
        lines.iter_mut().for_each(|line| *line = cut(line));
        if all <= MOST_LINES && !self.reduced {
            told.clear();
        }
        (lines, told)
    }
}

/// The room for lines of text, with so much around.
fn room(text: &[String], around: f64) -> (f64, f64) {
    let longest = text.iter().map(|t| t.chars().count()).max().unwrap_or(0);
    match text.is_empty() {
        true => (around, around),
        false => (
            longest as f64 * LETTER + 2.0 * around,
            text.len() as f64 * LINE + around,
        ),
    }
}

/// At most so many characters that one can see.
fn cut(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    match text.chars().count() > LONGEST {
        true => visible.take(LONGEST - 1).chain(['…']).collect(),
        false => visible.collect(),
    }
}
