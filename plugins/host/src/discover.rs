//! Where plugins are: next to the executable, in `../lib/trellis` beside it, in the folders of
//! `TRELLIS_PLUGIN_PATH`, and where the user says.
//!
//! A plugin is found by its file name: `libtrellis_random_walk.so`, `libtrellis_engine_random_walk.so`
//! and `librandom_walk.so` all stand for the id `random-walk`. So nothing has to be loaded to be
//! found; the worker checks that the plugin calls itself so.

use crate::error::HostError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trellis_ivl::nearest::nearest;

/// The folders to look in, first match first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    dirs: Vec<PathBuf>,
}

/// A library that may be a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The id that its name stands for.
    pub id: String,
    /// The library.
    pub path: PathBuf,
}

impl SearchPath {
    /// The usual folders; `extra` ones and those of the variable go first.
    pub fn new(extra: &[PathBuf], variable: Option<&std::ffi::OsStr>) -> SearchPath {
        let mut dirs = extra.to_vec();
        if let Some(paths) = variable {
            dirs.extend(std::env::split_paths(paths).filter(|p| !p.as_os_str().is_empty()));
        }
        let exe = std::env::current_exe().ok();
        if let Some(dir) = exe.as_deref().and_then(Path::parent) {
            dirs.push(dir.to_path_buf());
            // Where cargo leaves the libraries of dependencies.
            dirs.push(dir.join("deps"));
            dirs.push(dir.join("../lib/trellis"));
        }
        SearchPath { dirs }
    }

    /// Exactly these folders.
    pub fn only(dirs: Vec<PathBuf>) -> SearchPath {
        SearchPath { dirs }
    }

    /// The folders.
    pub fn dirs(&self) -> &[PathBuf] {
        &self.dirs
    }

    /// The library for `id`.
    pub fn find(&self, id: &str) -> Result<Found, HostError> {
        let name = id.replace('-', "_");
        for dir in &self.dirs {
            for prefix in ["trellis_", "trellis_engine_", "trellis_solver_", ""] {
                let file = format!(
                    "{}{prefix}{name}{}",
                    std::env::consts::DLL_PREFIX,
                    std::env::consts::DLL_SUFFIX
                );
                let path = dir.join(file);
                if path.is_file() {
                    return Ok(Found {
                        id: id.to_string(),
                        path,
                    });
                }
            }
        }
        let all = self.all();
        let hint = nearest(id, all.iter().map(|f| f.id.as_str())).map(str::to_string);
        Err(HostError::NotFound {
            id: id.to_string(),
            hint,
            dirs: self.dirs.clone(),
        })
    }

    /// Every library that may be a plugin, by id; the first of each id.
    pub fn all(&self) -> Vec<Found> {
        let mut found = BTreeMap::new();
        for dir in &self.dirs {
            let Ok(entries) = std::fs::read_dir(dir) else {
                continue;
            };
            let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
            paths.sort();
            for path in paths {
                if let Some(id) = id_of(&path) {
                    found.entry(id).or_insert(path);
                }
            }
        }
        found
            .into_iter()
            .map(|(id, path)| Found { id, path })
            .collect()
    }
}

/// The id that a file name stands for. Libraries without `trellis` in their name are found by
/// their id only, because a folder of executables has many.
fn id_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(std::env::consts::DLL_SUFFIX)?;
    let stem = stem.strip_prefix(std::env::consts::DLL_PREFIX)?;
    let stem = stem.strip_prefix("trellis_")?;
    let stem = stem.strip_prefix("engine_").unwrap_or(stem);
    let stem = stem.strip_prefix("solver_").unwrap_or(stem);
    // Cargo's own copies carry a hash after a dash.
    (!stem.contains('-')).then(|| stem.replace('_', "-"))
}
