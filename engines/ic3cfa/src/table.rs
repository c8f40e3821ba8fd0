//! The delta frames as a table, levels down and locations across, as the thesis prints them.

use crate::run::Run;
use trellis_plugin_sdk::ivl::Loc;
use trellis_plugin_sdk::ivl::text::TermPrinter;

/// The table of `run`'s delta frames up to the highest level in use.
pub(crate) fn table(run: &Run<'_>) -> String {
    let mut printer = TermPrinter::new(&run.program.pool);
    let mut locs: Vec<Loc> = std::iter::once(run.cfa.entry)
        .chain(run.cfa.locs.iter().copied())
        .collect();
    locs.sort_unstable();
    let mut rows = vec![vec!["level".to_string()]];
    rows[0].extend(locs.iter().map(|&l| match &run.program.locs[l].name {
        Some(name) => name.to_string(),
        None => l.to_string(),
    }));
    for level in 0..=run.frames.top() {
        let mut row = vec![level.to_string()];
        for &l in &locs {
            row.push(if l == run.cfa.entry {
                if level == 0 { "true" } else { "" }.to_string()
            } else if level == 0 {
                let empty = run.frames.is_delta_empty(l, 0);
                if empty { "" } else { "false" }.to_string()
            } else {
                let clauses = run.frames.delta(l, level);
                let texts: Vec<String> = clauses.map(|l| printer.print(l.clause)).collect();
                texts.join(" & ")
            });
        }
        rows.push(row);
    }
    let widths: Vec<usize> = (0..=locs.len())
        .map(|i| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(c, &w)| format!("{c:<w$}"));
        let line: Vec<String> = cells.collect();
        line.join(" | ").trim_end().to_string() + "\n"
    };
    rows.iter().map(line).collect()
}
