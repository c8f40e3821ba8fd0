//! What tools reached, summed up from records alone.

use crate::store::{Record, Results};
use crate::task::{Verdict, Worth};
use std::collections::{BTreeMap, BTreeSet};

/// Records by task, and in the order of the tools within a task.
#[derive(Clone, Debug)]
pub struct Table {
    /// Names of the tools.
    pub tools: Vec<String>,
    /// One row per task.
    pub rows: Vec<Row>,
    /// CPU seconds that a run may take.
    pub cpu_limit: f64,
}

/// One task.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub task: String,
    /// The property.
    pub property: String,
    /// Its part of the set.
    pub category: String,
    /// The known answer.
    pub expected: Option<Verdict>,
    /// One cell per tool.
    pub cells: Vec<Option<Record>>,
}

impl Table {
    /// Sorted by task and property, so that it does not matter in which order runs ended.
    pub fn of(results: &Results) -> Table {
        let tools: Vec<String> = results
            .header
            .tools
            .iter()
            .map(|t| t.name.clone())
            .collect();
        let mut rows: BTreeMap<(String, String), Row> = BTreeMap::new();
        for record in &results.records {
            let Some(at) = tools.iter().position(|t| *t == record.tool) else {
                continue;
            };
            let key = (record.task.clone(), record.property.clone());
            let row = rows.entry(key).or_insert_with(|| Row {
                task: record.task.clone(),
                property: record.property.clone(),
                category: record.category.clone(),
                expected: record.expected.clone(),
                cells: vec![None; tools.len()],
            });
            row.cells[at] = Some(record.clone());
        }
        Table {
            tools,
            rows: rows.into_values().collect(),
            cpu_limit: results.header.cpu_limit_seconds,
        }
    }

    /// The categories.
    pub fn categories(&self) -> Vec<String> {
        let all: BTreeSet<&String> = self.rows.iter().map(|r| &r.category).collect();
        all.into_iter().cloned().collect()
    }

    /// The records of a tool, over one category or all.
    pub fn column<'a>(
        &'a self,
        tool: usize,
        category: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Record> {
        let rows = self.rows.iter();
        let rows = rows.filter(move |r| category.is_none_or(|c| r.category == c));
        rows.filter_map(move |r| r.cells[tool].as_ref())
    }

    /// What a tool reached, over one category or all.
    pub fn summary(&self, tool: usize, category: Option<&str>) -> Summary {
        Summary::of(self.column(tool, category), self.cpu_limit)
    }

    /// Rows with an answer that is known to be wrong.
    pub fn wrong(&self) -> impl Iterator<Item = (&Row, &Record)> {
        let all = self.rows.iter();
        all.flat_map(|row| row.cells.iter().flatten().map(move |cell| (row, cell)))
            .filter(|(_, cell)| cell.worth().wrong())
    }

    /// Rows with two answers that cannot both be right.
    pub fn disagreements(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| {
            let cells: Vec<&Record> = row.cells.iter().flatten().collect();
            cells.iter().enumerate().any(|(i, a)| {
                let mut rest = cells[i + 1..].iter();
                rest.any(|b| a.verdict.contradicts(&b.verdict))
            })
        })
    }
}

/// Figures of one tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Runs.
    pub tasks: usize,
    /// Right proofs.
    pub right_true: usize,
    /// Right alarms.
    pub right_false: usize,
    /// Wrong proofs.
    pub wrong_true: usize,
    /// Wrong alarms.
    pub wrong_false: usize,
    /// Answers where none is known.
    pub unverified: usize,
    /// No answer.
    pub unknown: usize,
    /// Of these: stopped at a limit.
    pub limits: usize,
    /// Points by the rules of SV-COMP.
    pub score: i64,
    /// CPU seconds of what is solved plus twice the limit for each of the rest.
    pub par2: f64,
    /// CPU seconds of all runs.
    pub cpu_sum: f64,
    /// Median of CPU seconds over what is solved.
    pub cpu_median: f64,
    /// Sum of the largest memory of all runs, in bytes.
    pub memory_sum: u64,
    /// Median of memory over what is solved, in bytes.
    pub memory_median: u64,
    /// Solver queries of all runs that say.
    pub queries: Option<u64>,
    /// Seconds in solvers of all runs that say.
    pub solver_seconds: Option<f64>,
}

impl Summary {
    /// Of the given records.
    pub fn of<'a>(records: impl Iterator<Item = &'a Record>, cpu_limit: f64) -> Summary {
        let mut s = Summary::default();
        let mut times = Vec::new();
        let mut memories = Vec::new();
        for r in records {
            let worth = r.worth();
            let count = match worth {
                Worth::RightTrue => &mut s.right_true,
                Worth::RightFalse => &mut s.right_false,
                Worth::WrongTrue => &mut s.wrong_true,
                Worth::WrongFalse => &mut s.wrong_false,
                Worth::Unverified => &mut s.unverified,
                Worth::None => &mut s.unknown,
            };
            *count += 1;
            s.tasks += 1;
            s.limits += usize::from(r.status.ends_with(" limit"));
            s.score += worth.points();
            s.cpu_sum += r.cpu_seconds;
            s.memory_sum += r.memory_bytes;
            if worth.solved() {
                s.par2 += r.cpu_seconds;
                times.push(r.cpu_seconds);
                memories.push(r.memory_bytes);
            } else {
                s.par2 += 2.0 * cpu_limit;
            }
            if let Some(queries) = r.queries {
                *s.queries.get_or_insert(0) += queries;
            }
            if let Some(seconds) = r.solver_seconds {
                *s.solver_seconds.get_or_insert(0.0) += seconds;
            }
        }
        times.sort_by(f64::total_cmp);
        memories.sort_unstable();
        s.cpu_median = times.get(times.len() / 2).copied().unwrap_or(0.0);
        s.memory_median = memories.get(memories.len() / 2).copied().unwrap_or(0);
        s
    }

    /// Right, or not known to be wrong.
    pub fn solved(&self) -> usize {
        self.right_true + self.right_false + self.unverified
    }

    /// Known to be wrong.
    pub fn wrong(&self) -> usize {
        self.wrong_true + self.wrong_false
    }
}

/// The lines of a summary, each with its value for each tool: what Markdown and HTML both show.
pub fn lines(summaries: &[Summary]) -> Vec<(&'static str, Vec<String>)> {
    let line = |f: &dyn Fn(&Summary) -> String| summaries.iter().map(f).collect::<Vec<_>>();
    let mib = |bytes: u64| format!("{:.0}", bytes as f64 / f64::from(1 << 20));
    let mut all = vec![
        ("tasks", line(&|s| s.tasks.to_string())),
        ("score", line(&|s| s.score.to_string())),
        ("solved", line(&|s| s.solved().to_string())),
        ("right true", line(&|s| s.right_true.to_string())),
        ("right false", line(&|s| s.right_false.to_string())),
        ("unverified", line(&|s| s.unverified.to_string())),
        ("wrong true", line(&|s| s.wrong_true.to_string())),
        ("wrong false", line(&|s| s.wrong_false.to_string())),
        ("unknown", line(&|s| s.unknown.to_string())),
        ("of these at a limit", line(&|s| s.limits.to_string())),
        ("PAR-2 (s)", line(&|s| format!("{:.1}", s.par2))),
        ("CPU, sum (s)", line(&|s| format!("{:.1}", s.cpu_sum))),
        (
            "CPU, median of solved (s)",
            line(&|s| format!("{:.2}", s.cpu_median)),
        ),
        ("memory, sum (MiB)", line(&|s| mib(s.memory_sum))),
        (
            "memory, median of solved (MiB)",
            line(&|s| mib(s.memory_median)),
        ),
    ];
    let some = |value: Option<String>| value.unwrap_or_else(|| "-".into());
    if summaries.iter().any(|s| s.queries.is_some()) {
        let queries = line(&|s| some(s.queries.map(|q| q.to_string())));
        let time = line(&|s| some(s.solver_seconds.map(|t| format!("{t:.1}"))));
        all.push(("solver queries", queries));
        all.push(("in solvers (s)", time));
    }
    all
}
