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

    /// The part of the table that every tool solves: there, costs can be compared.
    pub fn solved_by_all(&self) -> Table {
        let solved = |cell: &Option<Record>| cell.as_ref().is_some_and(|r| r.worth().solved());
        let rows = self.rows.iter().filter(|r| r.cells.iter().all(solved));
        Table {
            tools: self.tools.clone(),
            rows: rows.cloned().collect(),
            cpu_limit: self.cpu_limit,
        }
    }

    /// What each tool reached, over one category or all.
    pub fn summaries(&self, category: Option<&str>) -> Vec<Summary> {
        let tools = 0..self.tools.len();
        tools.map(|at| self.summary(at, category)).collect()
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
    /// Sums of the further figures of all runs that say.
    pub figures: BTreeMap<String, f64>,
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
            for (name, number) in &r.figures {
                *s.figures.entry(name.clone()).or_default() += number;
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

/// A line of a summary: what it is, and its value for each tool. Markdown and HTML both show them.
pub type Line = (String, Vec<String>);

fn line(name: &str, summaries: &[Summary], f: impl Fn(&Summary) -> String) -> Line {
    (name.to_string(), summaries.iter().map(f).collect())
}

/// What was reached, and what it cost.
pub fn lines(summaries: &[Summary]) -> Vec<Line> {
    let line = |name, f: &dyn Fn(&Summary) -> String| line(name, summaries, f);
    let mut all = vec![
        line("tasks", &|s| s.tasks.to_string()),
        line("score", &|s| s.score.to_string()),
        line("solved", &|s| s.solved().to_string()),
        line("right true", &|s| s.right_true.to_string()),
        line("right false", &|s| s.right_false.to_string()),
        line("unverified", &|s| s.unverified.to_string()),
        line("wrong true", &|s| s.wrong_true.to_string()),
        line("wrong false", &|s| s.wrong_false.to_string()),
        line("unknown", &|s| s.unknown.to_string()),
        line("of these at a limit", &|s| s.limits.to_string()),
        line("PAR-2 (s)", &|s| format!("{:.1}", s.par2)),
    ];
    all.extend(costs(summaries));
    all
}

/// What it cost.
pub fn costs(summaries: &[Summary]) -> Vec<Line> {
    let line = |name, f: &dyn Fn(&Summary) -> String| line(name, summaries, f);
    let mib = |bytes: u64| format!("{:.0}", bytes as f64 / f64::from(1 << 20));
    let mut all = vec![
        line("CPU, sum (s)", &|s| format!("{:.1}", s.cpu_sum)),
        line("CPU, median of solved (s)", &|s| {
            format!("{:.2}", s.cpu_median)
        }),
        line("memory, sum (MiB)", &|s| mib(s.memory_sum)),
        line("memory, median of solved (MiB)", &|s| mib(s.memory_median)),
    ];
    let some = |value: Option<String>| value.unwrap_or_else(|| "-".into());
    if summaries.iter().any(|s| s.queries.is_some()) {
        all.push(line("solver queries", &|s| {
            some(s.queries.map(|q| q.to_string()))
        }));
        all.push(line("in solvers (s)", &|s| {
            some(s.solver_seconds.map(|t| format!("{t:.1}")))
        }));
    }
    let names: BTreeSet<&String> = summaries.iter().flat_map(|s| s.figures.keys()).collect();
    for name in names {
        all.push(line(name, &|s| {
            some(s.figures.get(name).map(ToString::to_string))
        }));
    }
    all
}
