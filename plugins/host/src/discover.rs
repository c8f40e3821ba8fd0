//! Where plugins are: in the folders that the user names, in those of `TRELLIS_PLUGIN_PATH`, next to
//! the executable, and in `../lib/trellis` beside it.
//!
//! A plugin is found by its file name, and there is one name for each kind and id:
//! `libtrellis_engine_random_walk.so` is the engine `random-walk`, `libtrellis_backend_yices.so` the
//! solver `yices`, `libtrellis_pass_unroll.so` a pass and `libtrellis_frontend_lustre.so` a front end. So nothing has to be loaded to be found, no other library can take its place, and the worker
//! checks that the plugin calls itself so.

use crate::error::HostError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trellis_ivl::nearest::nearest;

/// What a plugin is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PluginKind {
    /// Decides programs.
    Engine,
    /// Decides formulas.
    Backend,
    /// Transforms programs.
    Pass,
    /// Reads a language.
    FrontEnd,
}

impl PluginKind {
    /// All kinds.
    pub const ALL: [PluginKind; 4] = [
        PluginKind::Engine,
        PluginKind::Backend,
        PluginKind::Pass,
        PluginKind::FrontEnd,
    ];

    /// What the name of a library begins with, before the id.
    fn prefix(self) -> &'static str {
        match self {
            PluginKind::Engine => "trellis_engine_",
            PluginKind::Backend => "trellis_backend_",
            PluginKind::Pass => "trellis_pass_",
            PluginKind::FrontEnd => "trellis_frontend_",
        }
    }
}

impl std::fmt::Display for PluginKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            PluginKind::Engine => "engine",
            PluginKind::Backend => "solver",
            PluginKind::Pass => "pass",
            PluginKind::FrontEnd => "front end",
        })
    }
}

/// The folders to look in, first match first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    dirs: Vec<PathBuf>,
}

/// A library that may be a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What its name says it is.
    pub kind: PluginKind,
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
            // Where cargo leaves the libraries of dependencies. Before the folder itself, whose
            // copies cargo renews only when it is told to build those packages.
            dirs.push(dir.join("deps"));
            dirs.push(dir.to_path_buf());
            dirs.push(dir.join("../lib/trellis"));
        }
        SearchPath { dirs }
    }

    /// The folders.
    pub fn dirs(&self) -> &[PathBuf] {
        &self.dirs
    }

    /// The library of a plugin.
    pub fn find(&self, kind: PluginKind, id: &str) -> Result<Found, HostError> {
        let file = file_name(kind, id);
        let mut paths = self.dirs.iter().map(|dir| dir.join(&file));
        if let Some(path) = paths.find(|path| path.is_file()) {
            return Ok(Found {
                kind,
                id: id.to_string(),
                path,
            });
        }
        let all = self.all();
        let ids = all.iter().filter(|f| f.kind == kind).map(|f| f.id.as_str());
        Err(HostError::NotFound {
            kind,
            id: id.to_string(),
            hint: nearest(id, ids).map(str::to_string),
            file,
            dirs: self.dirs.clone(),
        })
    }

    /// Every library that may be a plugin, by kind and id; the first of each.
    pub fn all(&self) -> Vec<Found> {
        let mut found = BTreeMap::new();
        for dir in &self.dirs {
            let Ok(entries) = std::fs::read_dir(dir) else {
                continue;
            };
            for path in entries.filter_map(|e| Some(e.ok()?.path())) {
                if let Some(key) = plugin_of(&path) {
                    found.entry(key).or_insert(path);
                }
            }
        }
        found
            .into_iter()
            .map(|((kind, id), path)| Found { kind, id, path })
            .collect()
    }
}

/// The file name of a plugin.
pub fn file_name(kind: PluginKind, id: &str) -> String {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    let name = id.replace('-', "_");
    format!("{DLL_PREFIX}{}{name}{DLL_SUFFIX}", kind.prefix())
}

/// The plugin that a file name stands for.
fn plugin_of(path: &Path) -> Option<(PluginKind, String)> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(std::env::consts::DLL_SUFFIX)?;
    let stem = stem.strip_prefix(std::env::consts::DLL_PREFIX)?;
    PluginKind::ALL.into_iter().find_map(|kind| {
        let id = stem.strip_prefix(kind.prefix())?;
        // Cargo's own copies carry a hash after a dash.
        (!id.contains('-')).then(|| (kind, id.replace('_', "-")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for file in files {
            std::fs::write(dir.path().join(file), "").expect("writable");
        }
        dir
    }

    #[test]
    fn one_name_for_each_plugin() {
        let first = folder(&["libtrellis_engine_bmc.so", "libtrellis_backend_bmc.so"]);
        let second = folder(&[
            "libtrellis_bmc.so",
            "libtrellis_engine_bmc.so",
            "libtrellis_engine_bmc-0123abcd.so",
            "libtrellis_engine_random_walk.so",
            "libserde_derive-0123abcd.so",
            "librandom_walk.so",
            "libtrellis_frontend_counter.so",
            "libtrellis_pass_bmc.so",
        ]);
        let search = SearchPath {
            dirs: vec![first.path().into(), second.path().into()],
        };
        let all = search.all();
        let names: Vec<_> = all.iter().map(|f| (f.kind, f.id.as_str())).collect();
        let expected = [
            (PluginKind::Engine, "bmc"),
            (PluginKind::Engine, "random-walk"),
            (PluginKind::Backend, "bmc"),
            (PluginKind::Pass, "bmc"),
            (PluginKind::FrontEnd, "counter"),
        ];
        assert_eq!(names, expected);
        for found in all {
            assert_eq!(search.find(found.kind, &found.id).ok(), Some(found));
        }
        let missing = search.find(PluginKind::Backend, "random-walk");
        let text = missing.expect_err("it is an engine").to_string();
        assert!(text.contains("libtrellis_backend_random_walk.so"), "{text}");
    }
}
