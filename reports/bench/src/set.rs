//! Sets of tasks: a folder, an index in CSV, SV-COMP's `.set` and `.yml`, a list of files.

use crate::error::BenchError;
use crate::task::{DataModel, Task, Verdict};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use trellis_svcomp::{Asked, Definition};

/// Extensions of programs.
const PROGRAMS: &[&str] = &["c", "i", "aig", "aag", "btor2", "btor", "ivl"];

/// What of a set is run.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only tasks whose name matches.
    pub pattern: Option<regex::Regex>,
    /// Only these categories.
    pub categories: Vec<String>,
    /// Only these properties.
    pub properties: Vec<String>,
    /// At most so many, spread evenly over the set.
    pub sample: Option<usize>,
}

/// Reads all tasks of a set, in its order.
pub fn read(path: &Path) -> Result<Vec<Task>, BenchError> {
    let tasks = if path.is_dir() {
        directory(path)?
    } else {
        match extension(path) {
            "csv" => index(path)?,
            "yml" | "yaml" => definition(path, path.parent().unwrap_or(Path::new("")))?,
            "set" => set(path)?,
            e if PROGRAMS.contains(&e) => program(path, path.parent().unwrap_or(Path::new("")))?,
            _ => list(path)?,
        }
    };
    if tasks.is_empty() {
        return Err(BenchError::Nothing(format!(
            "{}: no tasks here",
            path.display()
        )));
    }
    Ok(tasks)
}

/// The tasks that a filter leaves.
pub fn filter(mut tasks: Vec<Task>, filter: &Filter) -> Vec<Task> {
    let among = |all: &[String], one: &str| all.is_empty() || all.iter().any(|a| a == one);
    tasks.retain(|t| {
        among(&filter.categories, &t.category)
            && among(&filter.properties, &t.property)
            && filter.pattern.as_ref().is_none_or(|p| p.is_match(&t.name))
    });
    // The same question twice would have one answer for two lines.
    let mut seen = BTreeSet::new();
    tasks.retain(|t| seen.insert((t.name.clone(), t.property.clone())));
    let all = tasks.len();
    if let Some(most) = filter.sample.filter(|&most| most < all) {
        let mut at = 0;
        tasks.retain(|_| {
            at += 1;
            at * most / all > (at - 1) * most / all
        });
    }
    tasks
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or("")
}

fn text(path: &Path) -> Result<String, BenchError> {
    let bytes = trellis_input::bytes(path, trellis_input::TEXT).map_err(BenchError::io(path))?;
    String::from_utf8(bytes).map_err(|e| BenchError::malformed(path.display(), e))
}

/// A name that does not depend on where the set lies.
fn name_of(path: &Path, base: &Path) -> String {
    let path = path.strip_prefix(base).unwrap_or(path);
    path.display().to_string()
}

fn directory(dir: &Path) -> Result<Vec<Task>, BenchError> {
    let listed = dir.join("index.csv");
    if listed.is_file() {
        return index(&listed);
    }
    let mut files = Vec::new();
    walk(dir, &mut files)?;
    let mut tasks = Vec::new();
    let mut covered = BTreeSet::new();
    for file in files.iter().filter(|f| extension(f) == "yml") {
        for task in definition(file, dir)? {
            covered.extend(task.files.iter().cloned());
            tasks.push(task);
        }
    }
    for file in files.iter().filter(|f| PROGRAMS.contains(&extension(f))) {
        if !covered.contains(file) {
            tasks.extend(program(file, dir)?);
        }
    }
    tasks.sort_by(|a, b| (&a.name, &a.property).cmp(&(&b.name, &b.property)));
    Ok(tasks)
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) -> Result<(), BenchError> {
    for entry in fs::read_dir(dir).map_err(BenchError::io(dir))? {
        let path = entry.map_err(BenchError::io(dir))?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

/// The tasks of a program alone: one for each comment `verdict(PROPERTY): true` (or false, perhaps with a place) in its
/// first lines, otherwise the usual question, whose known answer a comment `verdict: true` gives.
fn program(path: &Path, base: &Path) -> Result<Vec<Task>, BenchError> {
    let bytes = trellis_input::bytes(path, trellis_input::PROGRAM).map_err(BenchError::io(path))?;
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).into_owned();
    let mut task = question(path, base);
    let mut asked = Vec::new();
    for line in head.lines().take(10) {
        let said = line.trim_start_matches(['/', '*', ';', 'c', ' ']);
        let Some((property, known)) = known_answer(said) else {
            continue;
        };
        match property {
            Some(property) => asked.push(Task {
                expected: expected(known, property, "").ok().flatten(),
                property: property.into(),
                ..task.clone()
            }),
            None if task.expected.is_none() => task.expected = known.parse().ok(),
            None => {}
        }
    }
    Ok(if asked.is_empty() { vec![task] } else { asked })
}

/// What a comment says: `verdict: ANSWER` or `verdict(PROPERTY): ANSWER`, with or without ` at LINE:COLUMN`.
fn known_answer(said: &str) -> Option<(Option<&str>, &str)> {
    let rest = said.strip_prefix("verdict")?;
    let (property, answer) = match rest.strip_prefix('(') {
        Some(rest) => rest
            .split_once("):")
            .map(|(property, answer)| (Some(property), answer))?,
        None => (None, rest.strip_prefix(':')?),
    };
    let answer = answer.split_once(" at ").map_or(answer, |(a, _)| a).trim();
    answer.parse::<Verdict>().ok().map(|_| (property, answer))
}

/// What is asked of a program that says nothing.
fn question(path: &Path, base: &Path) -> Task {
    let is_c = matches!(extension(path), "c" | "i");
    Task {
        name: name_of(path, base),
        files: vec![path.into()],
        property: if is_c {
            "unreach-call".into()
        } else {
            String::new()
        },
        property_file: None,
        expected: None,
        model: DataModel::default(),
        category: category_of(&name_of(path, base)),
    }
}

/// The first folder.
fn category_of(name: &str) -> String {
    match name.split_once('/') {
        Some((folder, _)) => folder.into(),
        None => String::new(),
    }
}

/// Other names that a column may have.
const COLUMNS: &[(&str, &[&str])] = &[
    ("path", &["path", "file", "task"]),
    ("property", &["property"]),
    ("expected", &["expected", "expected_verdict", "verdict"]),
    ("subproperty", &["subproperty"]),
    ("data_model", &["data_model"]),
    ("category", &["category", "class"]),
];

fn index(path: &Path) -> Result<Vec<Task>, BenchError> {
    let bad = |e: &dyn std::fmt::Display| BenchError::malformed(path.display(), e);
    let mut reader = csv::Reader::from_path(path).map_err(|e| bad(&e))?;
    let header = reader.headers().map_err(|e| bad(&e))?.clone();
    let column = |name: &str| {
        let names = COLUMNS.iter().find(|(n, _)| *n == name)?.1;
        header.iter().position(|h| names.contains(&h.trim()))
    };
    let columns: Vec<Option<usize>> = COLUMNS.iter().map(|(name, _)| column(name)).collect();
    if columns[0].is_none() {
        return Err(bad(&"the first line names no column 'path'"));
    }
    let dir = path.parent().unwrap_or(Path::new(""));
    let mut tasks = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|e| bad(&e))?;
        let line = row.position().map_or(0, csv::Position::line);
        let field = |at: usize| columns[at].and_then(|c| row.get(c)).unwrap_or("").trim();
        let at = |e: String| BenchError::malformed(format!("{}:{line}", path.display()), e);
        let property = field(1).to_string();
        tasks.push(Task {
            name: field(0).to_string(),
            files: vec![dir.join(field(0))],
            expected: expected(field(2), &property, field(3)).map_err(at)?,
            property,
            property_file: None,
            model: field(4).parse().map_err(at)?,
            category: field(5).to_string(),
        });
    }
    Ok(tasks)
}

/// The known answer with the violated part; a property with one part is that part.
fn expected(verdict: &str, property: &str, part: &str) -> Result<Option<Verdict>, String> {
    if verdict.is_empty() {
        return Ok(None);
    }
    Ok(match verdict.parse::<Verdict>()? {
        Verdict::Unknown => None,
        Verdict::False(known) if known.is_empty() => {
            let several = property == "valid-memsafety";
            let part = if part.is_empty() && !several {
                property
            } else {
                part
            };
            Some(Verdict::False(part.into()))
        }
        other => Some(other),
    })
}

fn definition(path: &Path, base: &Path) -> Result<Vec<Task>, BenchError> {
    let at = |e: String| BenchError::malformed(path.display(), e);
    let read = Definition::read(&text(path)?).map_err(at)?;
    let dir = path.parent().unwrap_or(Path::new(""));
    let files = read.files(dir);
    let model = read.options.data_model.as_deref().unwrap_or_default();
    let model = model.parse().map_err(at)?;
    let name = name_of(path, base);
    let task = |entry: Asked| {
        let file = Path::new(&entry.property_file);
        let property = file.file_stem().unwrap_or_default().to_string_lossy();
        let verdict = entry
            .expected_verdict
            .map_or(String::new(), |v| v.to_string());
        Ok(Task {
            name: name.clone(),
            files: files.clone(),
            expected: expected(&verdict, &property, &entry.subproperty).map_err(at)?,
            property: property.into_owned(),
            property_file: Some(dir.join(file)),
            model,
            category: category_of(&name),
        })
    };
    read.properties.into_iter().map(task).collect()
}

/// Patterns of task definitions, one per line; what is missing is skipped as in SV-COMP, where
/// sets list more than any one edition has.
fn set(path: &Path) -> Result<Vec<Task>, BenchError> {
    let base = path.parent().unwrap_or(Path::new(""));
    let mut tasks = Vec::new();
    for line in text(path)?.lines() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        for file in glob(base, line)? {
            match extension(&file) {
                "yml" => tasks.extend(definition(&file, base)?),
                _ => tasks.extend(program(&file, base)?),
            }
        }
    }
    let category = path.file_stem().unwrap_or_default().to_string_lossy();
    for task in &mut tasks {
        task.category = category.clone().into_owned();
    }
    Ok(tasks)
}

/// Files that match a path with `*` and `?`.
fn glob(base: &Path, pattern: &str) -> Result<Vec<PathBuf>, BenchError> {
    let mut found = vec![base.to_path_buf()];
    for part in Path::new(pattern).components() {
        let Component::Normal(part) = part else {
            found.iter_mut().for_each(|f| f.push(part));
            continue;
        };
        let part = part.to_string_lossy();
        if !part.contains(['*', '?']) {
            found.iter_mut().for_each(|f| f.push(&*part));
            found.retain(|f| f.exists());
            continue;
        }
        let regex = regex::escape(&part)
            .replace(r"\*", ".*")
            .replace(r"\?", ".");
        let regex = regex::Regex::new(&format!("^{regex}$"))
            .map_err(|e| BenchError::malformed(pattern, e))?;
        let mut next = Vec::new();
        for dir in &found {
            for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
                if regex.is_match(&entry.file_name().to_string_lossy()) {
                    next.push(entry.path());
                }
            }
        }
        next.sort();
        found = next;
    }
    found.retain(|f| f.is_file());
    Ok(found)
}

/// One file per line, perhaps with the known answer behind it.
fn list(path: &Path) -> Result<Vec<Task>, BenchError> {
    let base = path.parent().unwrap_or(Path::new(""));
    let mut tasks = Vec::new();
    for (n, line) in text(path)?.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (file, known) = match line.rsplit_once([' ', '\t']) {
            Some((file, known)) if known.parse::<Verdict>().is_ok() => (file.trim(), known),
            _ => (line, ""),
        };
        if known.is_empty() {
            tasks.extend(program(&base.join(file), base)?);
            continue;
        }
        let mut task = question(&base.join(file), base);
        task.expected = expected(known, &task.property, "")
            .map_err(|e| BenchError::malformed(format!("{}:{}", path.display(), n + 1), e))?;
        tasks.push(task);
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests;
