//! SV-COMP's task definitions (`.yml`) and property files (`.prp`).

use crate::error::Error;
use crate::files::read_text;
use crate::load::Reading;
use std::path::{Path, PathBuf};
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::types::DataModel;
use trellis_svcomp::{Asked, Definition, property_of};

/// What a task asks.
pub struct Task {
    /// The program.
    pub files: Vec<PathBuf>,
    /// Width of longs and pointers.
    pub model: DataModel,
    /// What to check: all of its properties that can be checked.
    pub properties: Properties,
}

fn definition(path: &Path) -> Result<Definition, Error> {
    Definition::read(&read_text(path)?)
        .map_err(|e| Error::Input(format!("{}: not a task definition: {e}", path.display())))
}

/// The files that a task definition names.
pub fn task_inputs(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let task = definition(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut all = task.files(folder);
    let properties = task.properties.iter();
    all.extend(properties.map(|p| folder.join(&p.property_file)));
    Ok(all)
}

/// Whether a task asks for termination.
pub fn task_asks_termination(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(Path::new(""));
    let asks =
        |p: &Asked| read_property(&folder.join(&p.property_file)).is_ok_and(|p| p.termination);
    definition(path).is_ok_and(|task| task.properties.iter().any(asks))
}

/// Reads a task definition. Properties that cannot be checked are warned of, and are an error where nothing else is
/// left.
pub fn read_task(
    path: &Path,
    wanted: Option<Properties>,
    reading: &Reading<'_>,
) -> Result<Task, Error> {
    let input = |e: String| Error::Input(format!("{}: {e}", path.display()));
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
    entries: &[Asked],
    folder: &Path,
    reading: &Reading<'_>,
) -> Result<Properties, Error> {
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

/// Reads a property file: `CHECK( init(main()), LTL(...) )`, one or more.
pub fn read_property(path: &Path) -> Result<Properties, Error> {
    let text = read_text(path)?;
    let mut all = Properties::NONE;
    let mut found = false;
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        found = true;
        let name = property_of(line).ok_or_else(|| {
            Error::Input(format!(
                "{}: the property '{line}' cannot be checked; known are calls of reach_error and \
                 __VERIFIER_error, overflow, valid-deref, valid-free, valid-memtrack, valid-memcleanup and F end",
                path.display()
            ))
        })?;
        all.add(name);
    }
    if !found {
        return Err(Error::Input(format!("{}: no property", path.display())));
    }
    Ok(all)
}
