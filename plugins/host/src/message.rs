//! What host and worker say to one another: a JSON head, and words where a program, a verdict or
//! lemmas cross.

use crate::frame::{self, FrameError};
use crate::process::Resources;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::PathBuf;
use trellis_ivl::option::{OptionKind, OptionSpec};

/// Which solver an engine's sessions come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverChoice {
    /// The backend's name; empty for the default.
    pub name: String,
    /// Its library, where the host has found a plugin of that name; the worker looks for none.
    #[serde(default)]
    pub library: Option<PathBuf>,
    /// The backend's options.
    pub options: BTreeMap<String, String>,
}

/// From the host to a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Say what the plugin says about itself.
    Probe {
        /// The library.
        plugin: PathBuf,
    },
    /// Run an engine, a pass or a front end; the words are the program, or the bytes of the source.
    Job(Box<Job>),
    /// Stop soon.
    Cancel,
    /// So many proved lemmas more; the words are they.
    Lemmas(u64),
}

/// What a plugin is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// An engine is to decide the program.
    #[default]
    Decide,
    /// A pass is to transform the program.
    Transform,
    /// A front end is to read a source.
    Read {
        /// What the source is called.
        name: String,
        /// How many bytes it has; the last word may hold fewer than four.
        len: usize,
    },
}

/// One run of one plugin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The library.
    pub plugin: PathBuf,
    /// The plugin's id.
    pub id: String,
    /// What it is asked for.
    pub work: Work,
    /// The plugin's options as JSON.
    pub options: String,
    /// Seed of every random choice, also of the solver's.
    pub seed: u64,
    /// Wall time, in milliseconds; 0 for no limit.
    pub time_limit_ms: u64,
    /// Solver of its SMT sessions.
    pub smt: SolverChoice,
    /// Solver of its SAT sessions.
    pub sat: SolverChoice,
}

/// What a plugin says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginInfo {
    /// `engine`, `solver`, `pass` or `front end`.
    pub kind: String,
    /// Its name in pipelines.
    pub id: String,
    /// Its own version.
    pub version: String,
    /// One line for people.
    pub description: String,
    /// SPDX expression.
    pub licence: String,
    /// Its options.
    pub options: Vec<OptionInfo>,
    /// The ABI it was built for.
    pub abi: String,
    /// What a pass needs, gives and takes, each as `TRELLIS_PROPERTY_*`.
    pub properties: PassProperties,
    /// The extensions of a front end's files.
    pub extensions: Vec<String>,
}

/// What a pass needs, gives and takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassProperties {
    /// What it needs.
    pub requires: u32,
    /// What holds afterwards.
    pub ensures: u32,
    /// What may no longer hold afterwards.
    pub destroys: u32,
}

/// One option of a plugin, as in its schema. What the first version of the schema did not have may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionInfo {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The least value of an integer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<i128>,
    /// The greatest value of an integer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i128>,
    /// The words of which a text is a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<String>>,
    /// Whether `none` is a value.
    #[serde(default)]
    pub optional: bool,
    /// Its default.
    pub default: String,
    /// What it does.
    pub doc: String,
}

impl OptionInfo {
    /// The option as everybody checks it.
    pub fn spec(&self) -> OptionSpec {
        let words = |words: Vec<String>| words.into_iter().map(Cow::Owned).collect::<Vec<_>>();
        let kind = match (&*self.ty, &self.words) {
            ("integer", _) => OptionKind::Integer {
                min: self.min.unwrap_or(i128::MIN),
                max: self.max.unwrap_or(i128::MAX),
            },
            ("boolean", _) => OptionKind::Boolean,
            ("number", _) => OptionKind::Number,
            ("string", Some(all)) => OptionKind::List(words(all.clone()).into()),
            ("string", None) => OptionKind::Text,
            (ty, _) if ty.contains('|') => {
                let all = ty.split('|').map(str::to_string).collect();
                OptionKind::Choice(words(all).into())
            }
            (ty, _) => OptionKind::Other(Cow::Owned(ty.into())),
        };
        OptionSpec {
            name: Cow::Owned(self.name.clone()),
            kind,
            optional: self.optional,
            default: Cow::Owned(self.default.clone()),
            doc: Cow::Owned(self.doc.clone()),
        }
    }
}

/// Figures of the queries of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryFigures {
    /// Satisfiable answers.
    pub sat: u64,
    /// Unsatisfiable answers.
    pub unsat: u64,
    /// Unknown answers.
    pub unknown: u64,
    /// Wall time, in microseconds.
    pub micros: u64,
}

/// From a worker to the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The answer to a probe.
    Info(Box<PluginInfo>),
    /// The plugin cannot be loaded.
    LoadFailed(String),
    /// A message of the engine: a level from 1 (error) to 4 (debug), and a text.
    Log(u32, String),
    /// How far the engine is.
    Progress(String, u64),
    /// Lemmas of the engine; the words are they.
    Publish,
    /// The plugin's answer; the words are a certificate, a trace or a program.
    Verdict(u32, String),
    /// The plugin has returned.
    Done {
        /// Its status.
        status: i32,
        /// Its queries by kind.
        queries: BTreeMap<String, QueryFigures>,
        /// What the worker used, by its own account.
        resources: Resources,
    },
}

const WITH_WORDS: u16 = 1;
const PLAIN: u16 = 0;

/// Sends a message.
pub fn send(out: &mut impl Write, head: &impl Serialize, words: &[u32]) -> std::io::Result<()> {
    let head = serde_json::to_vec(head).map_err(std::io::Error::other)?;
    if words.is_empty() {
        return frame::write(out, PLAIN, &head);
    }
    let mut payload = Vec::with_capacity(4 + head.len() + 4 * words.len());
    payload.extend((head.len() as u32).to_le_bytes());
    payload.extend(head);
    for word in words {
        payload.extend(word.to_ne_bytes());
    }
    frame::write(out, WITH_WORDS, &payload)
}

/// Receives a message; `None` where the stream ends.
pub fn receive<T: DeserializeOwned>(
    input: &mut impl Read,
) -> Result<Option<(T, Vec<u32>)>, FrameError> {
    let Some((kind, payload)) = frame::read(input)? else {
        return Ok(None);
    };
    let malformed = |what: &str| FrameError::Payload(what.to_string());
    let (head, words): (&[u8], &[u8]) = match kind {
        PLAIN => (&payload, &[]),
        WITH_WORDS => {
            let (len, rest) = payload
                .split_at_checked(4)
                .ok_or_else(|| malformed("no head"))?;
            let len = u32::from_le_bytes(len.try_into().expect("four bytes"));
            rest.split_at_checked(len as usize)
                .ok_or_else(|| malformed("a head without end"))?
        }
        _ => return Err(malformed("its kind is unknown")),
    };
    let head = serde_json::from_slice(head).map_err(|e| FrameError::Payload(e.to_string()))?;
    let words = words.chunks_exact(4);
    let word = |w: &[u8]| u32::from_ne_bytes(w.try_into().expect("four bytes"));
    Ok(Some((head, words.map(word).collect())))
}
