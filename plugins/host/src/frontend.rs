//! Front ends that are plugins.

use crate::call::Calls;
use crate::discover::{Found, PluginKind, SearchPath};
use crate::error::{Fault, HostError};
use crate::message::{PluginInfo, Work};
use crate::pass::expect;
use crate::probe::probe;
use std::path::Path;
use trellis_ivl::{Program, verify};
use trellis_plugin_abi as abi;
use trellis_plugin_sdk::wire::image;

/// A front end that has been asked about itself.
#[derive(Clone, Debug)]
pub struct FrontEndPlugin {
    /// Where it is.
    pub plugin: Found,
    /// What it says about itself.
    pub info: PluginInfo,
}

impl FrontEndPlugin {
    /// The front end of a name.
    pub fn named(
        search: &SearchPath,
        executable: &Path,
        name: &str,
    ) -> Result<FrontEndPlugin, HostError> {
        FrontEndPlugin::ask(executable, search.find(PluginKind::FrontEnd, name)?)
    }

    /// The front end at a place.
    pub fn ask(executable: &Path, plugin: Found) -> Result<FrontEndPlugin, HostError> {
        let info = probe(executable, &plugin.path)?;
        expect(&plugin, &info)?;
        Ok(FrontEndPlugin { plugin, info })
    }

    /// All that can be loaded, by id.
    pub fn all(search: &SearchPath, executable: &Path) -> Vec<FrontEndPlugin> {
        let all = search.all().into_iter();
        let theirs = all.filter(|f| f.kind == PluginKind::FrontEnd);
        theirs
            .filter_map(|f| FrontEndPlugin::ask(executable, f).ok())
            .collect()
    }

    /// The program of a source, which is well-formed.
    pub fn read(
        &self,
        calls: &Calls,
        name: &str,
        bytes: &[u8],
        options: String,
    ) -> Result<Program, Fault> {
        let work = Work::Read {
            name: name.into(),
            len: bytes.len(),
        };
        let words = bytes.chunks(4).map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_ne_bytes(word)
        });
        let answer = calls.call(&self.plugin, work, options, words.collect())?;
        match answer.kind {
            abi::TRELLIS_REPORT_PROGRAM => {
                let program = image::read(&answer.words)
                    .map_err(|e| Fault::Malformed(format!("returned a malformed program: {e}")))?;
                verify::verify(&program)
                    .map_err(|e| Fault::Malformed(format!("made an ill-formed program: {e}")))?;
                Ok(program)
            }
            abi::TRELLIS_REPORT_REFUSED => Err(Fault::Refused(answer.text)),
            _ => Err(Fault::Malformed("answered with no program".into())),
        }
    }
}
