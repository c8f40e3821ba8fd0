//! Passes and front ends that are plugins, as a check calls them.

use crate::error::Error;
use crate::events::{Event, Observer};
use crate::pipelines::beside;
use crate::report::Assumed;
use crate::stop::Stop;
use crate::worker::{Worker, search_path};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use trellis_ivl::Program;
use trellis_ivl_passes::{PassError, PassList, Property, parse_list_with};
use trellis_pipeline::{FrontendPlugin, Pipeline, plain};
use trellis_plugin_host::options::written;
use trellis_plugin_host::warden::Limits;
use trellis_plugin_host::{
    Calls, Fault, Found, FrontEndPlugin, PassPlugins, PluginKind, SearchPath, run,
};

/// How long a plugin may take to stop when the pipeline does not say.
pub(crate) const GRACE: Duration = Duration::from_millis(500);
/// Which part of the time that is left one call of a pass may take: the engines need most of it.
const PASS_SHARE: f64 = 0.25;
/// The same for a front end, without which there is nothing to do.
const FRONTEND_SHARE: f64 = 0.75;
/// Messages that are kept of plugins while they run.
const MESSAGES: usize = 1000;

/// Where plugins are, who becomes their workers, and within which limits they work.
pub struct Plugins {
    search: SearchPath,
    calls: Calls,
    /// Front ends that the pipeline sets up, by name.
    frontends: BTreeMap<String, FrontendPlugin>,
    said: Arc<Mutex<Vec<(String, run::Event)>>>,
}

impl Plugins {
    /// Those in these folders and in the usual ones, without limits.
    pub fn new(folders: &[PathBuf], worker: &Worker) -> Plugins {
        let said: Arc<Mutex<Vec<(String, run::Event)>>> = Arc::default();
        let kept = said.clone();
        let mut calls = Calls::new(worker.executable().to_path_buf());
        calls.told = Arc::new(move |plugin, event| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() < MESSAGES {
                kept.push((plugin.to_string(), event));
            }
        });
        Plugins {
            search: search_path(folders),
            calls,
            frontends: BTreeMap::new(),
            said,
        }
    }

    /// The same with the folders, the limits and the front ends of a pipeline.
    pub(crate) fn of_pipeline(
        pipeline: &Pipeline,
        folders: &[PathBuf],
        worker: &Worker,
        stop: &Stop,
        seed: u64,
    ) -> Plugins {
        let mut plugins = Plugins::new(&all_folders(pipeline, folders), worker);
        let limits = &pipeline.limits;
        plugins.calls.limits = Limits {
            cpu_seconds: limits.cpu.map_or(0, |cpu| cpu.as_secs().max(1)),
            memory: limits.memory.unwrap_or(0),
        };
        plugins.calls.grace = limits.grace.unwrap_or(GRACE);
        plugins.calls.deadline = stop.deadline();
        plugins.calls.stop = stop.shared_flag();
        plugins.calls.seed = seed;
        plugins.frontends.clone_from(&pipeline.frontend.plugins);
        plugins
    }

    /// Reads a pass list that may name plugins.
    pub fn pass_list(&self, list: &str, given: &[Property]) -> Result<PassList, PassError> {
        let calls = Calls {
            share: PASS_SHARE,
            ..self.calls.clone()
        };
        let passes = PassPlugins {
            search: &self.search,
            calls,
        };
        parse_list_with(list, given, &passes)
    }

    /// Tells what plugins have said since the last time.
    pub(crate) fn tell(&self, observer: &dyn Observer) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        for (plugin, event) in said.drain(..) {
            observer.event(Event::Engine(&plugin, event));
        }
    }

    /// The front end of that name.
    pub(crate) fn frontend(&self, name: &str) -> Result<FrontEndPlugin, Error> {
        let exe = &self.calls.executable;
        let configured = self.frontends.get(name).and_then(|f| f.path.as_ref());
        let found = match configured {
            None => FrontEndPlugin::named(&self.search, exe, name),
            Some(path) => {
                let plugin = Found {
                    kind: PluginKind::FrontEnd,
                    id: name.into(),
                    path: beside(path).map_err(Error::Usage)?,
                };
                FrontEndPlugin::ask(exe, plugin)
            }
        };
        found.map_err(|e| Error::Usage(e.to_string()))
    }

    /// The front end for files of an extension, where there is one.
    pub(crate) fn frontend_for(&self, extension: &str) -> Result<Option<FrontEndPlugin>, Error> {
        let mut all: BTreeMap<String, FrontEndPlugin> = BTreeMap::new();
        for name in self.frontends.keys() {
            all.insert(name.clone(), self.frontend(name)?);
        }
        for found in FrontEndPlugin::all(&self.search, &self.calls.executable) {
            all.entry(found.info.id.clone()).or_insert(found);
        }
        let reads = |f: &FrontEndPlugin| f.info.extensions.iter().any(|e| e == extension);
        let mut fitting: Vec<FrontEndPlugin> = all.into_values().filter(reads).collect();
        if fitting.len() > 1 {
            let names: Vec<_> = fitting.iter().map(|f| f.info.id.as_str()).collect();
            return Err(Error::Usage(format!(
                "files .{extension} are read by {}: choose with --language",
                names.join(" and ")
            )));
        }
        Ok(fitting.pop())
    }

    /// The program of a source, and what is taken for granted with it.
    pub(crate) fn read(
        &self,
        frontend: &FrontEndPlugin,
        name: &str,
        bytes: &[u8],
        observer: &dyn Observer,
    ) -> Result<(Program, Assumed), Error> {
        let id = &frontend.info.id;
        let configured = self.frontends.get(id);
        let options = configured.map_or_else(BTreeMap::new, |f| plain(&f.options));
        let options = written(&frontend.info, &options).map_err(|e| {
            let place = configured.map(|f| format!("{}: ", f.place));
            let place = place.unwrap_or_default();
            Error::Usage(format!("{place}`frontend.{id}.options`: {e}"))
        })?;
        let calls = Calls {
            share: FRONTEND_SHARE,
            ..self.calls.clone()
        };
        let program = frontend.read(&calls, name, bytes, options);
        self.tell(observer);
        let path = frontend.plugin.path.display();
        let program = program.map_err(|fault| match fault {
            Fault::Refused(text) => Error::Input(text),
            fault => Error::Input(format!("{name}: front end {id} ({path}): {fault}")),
        })?;
        let assumed = Assumed {
            name: "front-end-plugin",
            explanation: "the program that a front end of somebody else made means what the source says; nobody checks that",
            detail: format!("{id} {} ({path})", frontend.info.version),
            places: Vec::new(),
        };
        Ok((program, assumed))
    }
}

/// The folders of a check: those of the caller, then those of its pipeline.
pub(crate) fn all_folders(pipeline: &Pipeline, folders: &[PathBuf]) -> Vec<PathBuf> {
    let own = pipeline.plugins.iter().filter_map(|f| beside(f).ok());
    folders.iter().cloned().chain(own).collect()
}
