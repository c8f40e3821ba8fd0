//! Passes that are plugins, as the manager of passes takes them.

use crate::call::Calls;
use crate::discover::{Found, PluginKind, SearchPath};
use crate::error::{Fault, HostError};
use crate::message::{PluginInfo, Work};
use crate::options::written;
use crate::probe::probe;
use std::collections::BTreeMap;
use trellis_ivl::Program;
use trellis_ivl_passes::{Elsewhere, Outcome, Pass, PassError, Property};
use trellis_plugin_abi as abi;
use trellis_plugin_abi::handshake::valid_id;
use trellis_plugin_sdk::pass::apply;
pub use trellis_plugin_sdk::pass::properties;
use trellis_plugin_sdk::wire::image;

/// The pass plugins of a search path, by name.
pub struct PassPlugins<'a> {
    /// Where they are.
    pub search: &'a SearchPath,
    /// Within which limits they run.
    pub calls: Calls,
}

impl Elsewhere for PassPlugins<'_> {
    fn pass(
        &self,
        name: &str,
        options: &BTreeMap<String, String>,
    ) -> Result<Option<Box<dyn Pass>>, PassError> {
        if !valid_id(name) {
            return Ok(None);
        }
        let plugin = match self.search.find(PluginKind::Pass, name) {
            Ok(found) => found,
            Err(_) => return Ok(None),
        };
        let unusable = |e: HostError| PassError::Foreign {
            pass: name.into(),
            message: e.to_string(),
        };
        let info = probe(&self.calls.executable, &plugin.path).map_err(unusable)?;
        expect(&plugin, &info).map_err(unusable)?;
        let options = written(&info, options).map_err(|message| PassError::Option {
            pass: name.into(),
            message,
        })?;
        Ok(Some(Box::new(PluginPass {
            requires: properties(info.properties.requires),
            ensures: properties(info.properties.ensures),
            destroys: properties(info.properties.destroys),
            plugin,
            options,
            calls: self.calls.clone(),
        })))
    }

    fn names(&self) -> Vec<String> {
        let all = self.search.all().into_iter();
        let passes = all.filter(|f| f.kind == PluginKind::Pass);
        passes.map(|f| f.id).collect()
    }
}

/// Fails where a plugin is another than its file name promises.
pub(crate) fn expect(plugin: &Found, info: &PluginInfo) -> Result<(), HostError> {
    let found = (info.kind.as_str(), info.id.as_str());
    if found == (plugin.kind.to_string().as_str(), plugin.id.as_str()) {
        return Ok(());
    }
    Err(HostError::WrongId {
        path: plugin.path.clone(),
        found: format!("{} {}", info.kind, info.id),
        wanted: format!("{} {}", plugin.kind, plugin.id),
    })
}

struct PluginPass {
    plugin: Found,
    requires: Vec<Property>,
    ensures: Vec<Property>,
    destroys: Vec<Property>,
    options: String,
    calls: Calls,
}

impl PluginPass {
    fn transform(&self, program: &mut Program) -> Result<Outcome, Fault> {
        let image = image::write(program);
        let options = self.options.clone();
        let answer = self
            .calls
            .call(&self.plugin, Work::Transform, options, image)?;
        match answer.kind {
            abi::TRELLIS_REPORT_UNCHANGED => Ok(Outcome::unchanged()),
            abi::TRELLIS_REPORT_PROGRAM => {
                apply(program, &answer.words).map_err(|e| Fault::Malformed(e.to_string()))
            }
            abi::TRELLIS_REPORT_REFUSED => Err(Fault::Refused(answer.text)),
            _ => Err(Fault::Malformed("answered with a verdict".into())),
        }
    }
}

impl Pass for PluginPass {
    fn name(&self) -> &str {
        &self.plugin.id
    }

    fn requires(&self) -> &[Property] {
        &self.requires
    }

    fn ensures(&self) -> &[Property] {
        &self.ensures
    }

    fn destroys(&self) -> &[Property] {
        &self.destroys
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        self.transform(program).map_err(|fault| PassError::Foreign {
            pass: self.plugin.id.clone(),
            message: format!("{}: {fault}", self.plugin.path.display()),
        })
    }
}
