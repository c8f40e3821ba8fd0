//! SV-COMP's task definitions (`.yml`) and property files (`.prp`).

use crate::error::CliError;
use crate::files::read_text;
use crate::load::Reading;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::types::DataModel;

/// A task definition, as far as it matters here. Unknown keys are none of our business.
#[derive(Deserialize)]
struct Definition {
    input_files: Files,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    #[serde(default)]
    options: TaskOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Files {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: String,
}

#[derive(Deserialize, Default)]
struct TaskOptions {
    language: Option<String>,
    data_model: Option<String>,
}

/// What a task asks.
pub struct Task {
    /// The program.
    pub files: Vec<PathBuf>,
    /// Width of longs and pointers.
    pub model: DataModel,
    /// What to check: all of its properties that can be checked.
    pub properties: Properties,
}

impl Definition {
    /// The program's files, which lie beside the definition.
    fn files(&self, folder: &Path) -> Vec<PathBuf> {
        let names = match &self.input_files {
            Files::One(file) => std::slice::from_ref(file),
            Files::Many(files) => files,
        };
        names.iter().map(|f| folder.join(f)).collect()
    }
}

fn definition(path: &Path) -> Result<Definition, CliError> {
    serde_saphyr::from_str(&read_text(path)?)
        .map_err(|e| CliError::Input(format!("{}: not a task definition: {e}", path.display())))
}

/// The files that a task definition names.
pub fn task_inputs(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    let task = definition(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut all = task.files(folder);
    let properties = task.properties.iter();
    all.extend(properties.map(|p| folder.join(&p.property_file)));
    Ok(all)
}

/// Reads a task definition. Properties that cannot be checked are warned of, and are an error where nothing else is
/// left.
pub fn read_task(
    path: &Path,
    wanted: Option<Properties>,
    reading: &Reading<'_>,
) -> Result<Task, CliError> {
    let input = |e: String| CliError::Input(format!("{}: {e}", path.display()));
    let task = definition(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    if let Some(language) = &task.options.language
        && language != "C"
    {
        return Err(input(format!("the language is '{language}', not C")));
    }
    let model = match task.options.data_model.as_deref() {
        None | Some("ILP32") => DataModel::Ilp32,
        Some("LP64") => DataModel::Lp64,
        Some(other) => return Err(input(format!("unknown data model '{other}'"))),
    };
    let properties = match wanted {
        Some(properties) => properties,
        None => task_properties(&task.properties, folder, reading)?,
    };
    Ok(Task {
        files: task.files(folder),
        model,
        properties,
    })
}

fn task_properties(
    entries: &[PropertyEntry],
    folder: &Path,
    reading: &Reading<'_>,
) -> Result<Properties, CliError> {
    if entries.is_empty() {
        return Ok(Properties::REACH);
    }
    let mut all = Properties::NONE;
    let mut last = None;
    for entry in entries {
        match read_property(&folder.join(&entry.property_file)) {
            Ok(p) => all = all.union(p),
            Err(e) => {
                reading.warn(&format!("warning: not checked: {e}"));
                last = Some(e);
            }
        }
    }
    match last {
        Some(e) if all == Properties::NONE => Err(e),
        _ => Ok(all),
    }
}

/// Reads a property file: `CHECK( init(main()), LTL(G ...) )`, one or more.
pub fn read_property(path: &Path) -> Result<Properties, CliError> {
    let text = read_text(path)?;
    let mut all = Properties::NONE;
    let mut found = false;
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        found = true;
        let name = property_of(line).ok_or_else(|| {
            CliError::Input(format!(
                "{}: the property '{line}' cannot be checked; known are calls of reach_error and \
                 __VERIFIER_error, overflow, valid-deref, valid-free, valid-memtrack and valid-memcleanup",
                path.display()
            ))
        })?;
        all.add(name);
    }
    if !found {
        return Err(CliError::Input(format!("{}: no property", path.display())));
    }
    Ok(all)
}

/// The name of a property by its formula, spaces aside.
fn property_of(line: &str) -> Option<&'static str> {
    let formula: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let formula = formula
        .strip_prefix("CHECK(init(main()),LTL(G")?
        .strip_suffix("))")?;
    Some(match formula {
        "!call(reach_error())" | "!call(__VERIFIER_error())" => "unreach-call",
        "!overflow" => "no-overflow",
        "valid-deref" => "valid-deref",
        "valid-free" => "valid-free",
        "valid-memtrack" => "valid-memtrack",
        "valid-memcleanup" => "valid-memcleanup",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        let check = |line: &str| property_of(line);
        assert_eq!(
            check("CHECK( init(main()), LTL(G ! call(reach_error())) )"),
            Some("unreach-call")
        );
        assert_eq!(
            check("CHECK( init(main()), LTL(G ! overflow) )"),
            Some("no-overflow")
        );
        assert_eq!(
            check("CHECK( init(main()), LTL(G valid-free) )"),
            Some("valid-free")
        );
        assert_eq!(check("CHECK( init(main()), LTL(F end) )"), None);
        assert_eq!(check("COVER( init(main()), FQL(COVER EDGES(x)) )"), None);
    }
}
