//! Loading one library, inside a worker. Libraries are never unloaded: what they registered (exit
//! handlers, thread-local destructors) would dangle.

use crate::error::HostError;
use crate::message::{OptionInfo, PassProperties, PluginInfo};
use libloading::Library;
use std::ffi::CStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use trellis_plugin_abi::TrellisPlugin;
use trellis_plugin_abi::handshake::{Checked, HandshakeError, Kind, check};
use trellis_plugin_sdk::import::sat::PluginSat;
use trellis_plugin_sdk::import::smt::PluginSmt;

/// The name under which most libraries export their descriptor.
const SYMBOL: &str = "trellis_plugin";

/// Loads a library and checks its descriptor.
pub fn load(path: &Path) -> Result<Checked, HostError> {
    if is_truncated(path) {
        // The system's loader would crash.
        return Err(HostError::Load {
            path: path.into(),
            message: "the file is truncated".into(),
        });
    }
    // SAFETY: runs the library's initialisers, which is what the user asked for; whatever they do
    // happens in this worker only.
    let library = unsafe { Library::new(path) }.map_err(|e| HostError::Load {
        path: path.into(),
        message: loader_message(&e),
    })?;
    let library = Box::leak(Box::new(library));
    let handshake = |error| HostError::Handshake {
        path: path.into(),
        error,
    };
    let descriptor =
        descriptor(library, path).ok_or_else(|| handshake(HandshakeError::NoSymbol))?;
    // SAFETY: the address of a data symbol that is never unloaded.
    unsafe { check(descriptor) }.map_err(handshake)
}

/// Whether a file is a 64-bit ELF library that ends before its section table does.
fn is_truncated(path: &Path) -> bool {
    let mut header = [0; 64];
    let read = File::open(path).and_then(|mut f| {
        f.read_exact(&mut header)?;
        Ok(f.metadata()?.len())
    });
    let Ok(len) = read else { return false };
    let half = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let table = u64::from_le_bytes(header[40..48].try_into().expect("eight bytes"));
    header.starts_with(b"\x7fELF\x02\x01") && table.saturating_add(half(58) * half(60)) > len
}

fn loader_message(e: &libloading::Error) -> String {
    use std::error::Error;
    e.source().map_or_else(|| e.to_string(), |s| s.to_string())
}

/// The descriptor under its plain name, under the name with the file's stem, or under any name
/// with the prefix that stands in the file (a library that was renamed).
fn descriptor(library: &Library, path: &Path) -> Option<*const TrellisPlugin> {
    let symbol = |name: &str| {
        // SAFETY: only the address of the symbol is taken, not what it holds.
        unsafe {
            let symbol = library.get::<*const TrellisPlugin>(name).ok()?;
            Some(symbol.try_as_raw_ptr()?.cast_const().cast())
        }
    };
    symbol(SYMBOL)
        .or_else(|| {
            let stem = path.file_stem()?.to_str()?;
            let stem = stem.strip_prefix("lib").unwrap_or(stem).replace('-', "_");
            symbol(&format!("{SYMBOL}_{stem}"))
        })
        .or_else(|| {
            let names = names_in_file(&std::fs::read(path).ok()?);
            names.iter().find_map(|name| symbol(name))
        })
}

/// Texts in a file that look like the name of a descriptor, each once.
fn names_in_file(bytes: &[u8]) -> Vec<String> {
    let prefix = format!("{SYMBOL}_").into_bytes();
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(found) = find(&bytes[at..], &prefix) {
        let start = at + found;
        let name: Vec<u8> = bytes[start..]
            .iter()
            .copied()
            .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
            .collect();
        at = start + name.len();
        let name = String::from_utf8(name).expect("ASCII only");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    let first = what[0];
    let mut at = 0;
    while let Some(n) = bytes[at..].iter().position(|&b| b == first) {
        at += n;
        if bytes[at..].starts_with(what) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The SMT backend of a solver plugin. Loads the library into this process: for workers.
pub fn smt_backend(path: &Path) -> Result<PluginSmt, HostError> {
    let (checked, handshake) = solver(path)?;
    // SAFETY: null or a table that passed the handshake and stays for ever.
    let table = unsafe { checked.descriptor.smt.as_ref() };
    let table = table.ok_or_else(|| handshake(HandshakeError::Null("smt")))?;
    // SAFETY: as above.
    Ok(unsafe { PluginSmt::new(checked.id, table) })
}

/// The SAT backend of a solver plugin. Loads the library into this process: for workers.
pub fn sat_backend(path: &Path) -> Result<PluginSat, HostError> {
    let (checked, handshake) = solver(path)?;
    // SAFETY: null or a table that passed the handshake and stays for ever.
    let table = unsafe { checked.descriptor.sat.as_ref() };
    let table = table.ok_or_else(|| handshake(HandshakeError::Null("sat")))?;
    // SAFETY: as above.
    Ok(unsafe { PluginSat::new(checked.id, table) })
}

fn solver(path: &Path) -> Result<(Checked, impl Fn(HandshakeError) -> HostError), HostError> {
    let handshake = move |error| HostError::Handshake {
        path: path.into(),
        error,
    };
    let checked = load(path)?;
    checked.expect(Kind::Solver).map_err(handshake)?;
    Ok((checked, handshake))
}

/// What a checked plugin says about itself.
pub fn info(checked: &Checked) -> PluginInfo {
    let plugin = checked.descriptor;
    // SAFETY: null or tables that passed the handshake and stay for ever.
    let (pass, frontend) = unsafe { (plugin.pass.as_ref(), plugin.frontend.as_ref()) };
    let pass = pass.filter(|_| checked.kind == Kind::Pass);
    let frontend = frontend.filter(|_| checked.kind == Kind::FrontEnd);
    PluginInfo {
        kind: match checked.kind {
            Kind::Engine => "engine".into(),
            Kind::Solver => "solver".into(),
            Kind::Pass => "pass".into(),
            Kind::FrontEnd => "front end".into(),
        },
        properties: pass.map_or_else(PassProperties::default, |pass| PassProperties {
            requires: pass.requires,
            ensures: pass.ensures,
            destroys: pass.destroys,
        }),
        extensions: frontend.map_or_else(Vec::new, |frontend| {
            // SAFETY: the handshake has looked at this text.
            let text = unsafe { CStr::from_ptr(frontend.extensions) };
            let words = text.to_str().unwrap_or_default().split_whitespace();
            words.map(str::to_string).collect()
        }),
        id: checked.id.into(),
        version: checked.version.into(),
        description: checked.description.into(),
        licence: checked.licence.into(),
        options: schema(checked.options),
        abi: format!("{}.{}", plugin.abi_major, plugin.abi_minor),
    }
}

/// The options of a schema; a schema that cannot be read has none, and the engine itself checks.
fn schema(json: &str) -> Vec<OptionInfo> {
    #[derive(serde::Deserialize)]
    struct Schema {
        options: Vec<OptionInfo>,
    }
    let schema: Result<Schema, _> = serde_json::from_str(json);
    let mut options = schema.map(|s| s.options).unwrap_or_default();
    for option in &mut options {
        if let Some(word) = word(&option.ty, &option.default) {
            option.default = word;
        }
    }
    options
}

/// The word of a choice that a default means which is written as in Rust: `drop-some` for
/// `Generalise::DropSome`.
fn word(choice: &str, default: &str) -> Option<String> {
    let (_, variant) = default.rsplit_once("::")?;
    let same = |word: &&str| word.replace(['-', '_'], "").eq_ignore_ascii_case(variant);
    choice.split('|').find(same).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_told_as_they_are_set() {
        let json = r#"{"options":[
            {"name":"how","type":"core|drop-some","default":"How::DropSome","doc":""},
            {"name":"n","type":"integer","default":"1 << 4","doc":""}]}"#;
        let defaults: Vec<String> = schema(json).into_iter().map(|o| o.default).collect();
        assert_eq!(defaults, ["drop-some", "1 << 4"]);
    }
}
