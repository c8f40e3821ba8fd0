//! Errors that are known already: a check is then about all others.
//!
//! A known error is left alone at its place: executions end there and nothing is reported of them. That is an assumption, and stands in
//! the ledger. The place is known by a *fingerprint* of what the source says there, so that it stays the same place
//! when lines above it come or go.

use crate::error::Error;
use crate::files::read_text;
use crate::load::{Loaded, Lowered};
use crate::report::{Assumed, Place};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use trellis_ivl::{Loc, LocKind, Program};
use trellis_witness::hash;

/// The name of our fingerprints in SARIF.
pub const FINGERPRINT: &str = "trellis/v1";
/// The name of the assumption.
const NAME: &str = "baseline";

/// The fingerprints of known errors.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: BTreeSet<String>,
}

/// A known error that is left alone.
#[derive(Clone, Debug, Serialize)]
pub struct Known {
    /// Its location.
    #[serde(skip)]
    pub loc: Loc,
    /// What is violated there.
    pub property: String,
    /// Its fingerprint.
    pub fingerprint: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Baseline {
    /// The errors of a SARIF log, as `--out sarif` writes it.
    pub fn read(path: &Path) -> Result<Baseline, Error> {
        let bad = |what: String| Error::Input(format!("{}: {what}", path.display()));
        let log: Value =
            serde_json::from_str(&read_text(path)?).map_err(|e| bad(format!("no SARIF: {e}")))?;
        let Some(runs) = log["runs"].as_array() else {
            return Err(bad("no SARIF: it has no runs".into()));
        };
        let results = runs.iter().filter_map(|run| run["results"].as_array());
        let mut known = BTreeSet::new();
        for result in results.flatten() {
            // What holds, and what is open, is no error; what was known then is so now.
            let is_error = result["kind"] == "fail" || result["baselineState"] == "unchanged";
            let fingerprint = result["partialFingerprints"][FINGERPRINT].as_str();
            match fingerprint {
                Some(fingerprint) if is_error => _ = known.insert(fingerprint.into()),
                None if result["kind"] == "fail" => {
                    return Err(bad(format!("an error has no fingerprint `{FINGERPRINT}`")));
                }
                _ => {}
            }
        }
        Ok(Baseline { known })
    }

    /// Leaves the known errors of a program alone.
    pub(crate) fn apply(&self, loaded: &mut Loaded) {
        if let Some(also) = &mut loaded.also {
            self.apply(also);
        }
        let prints = fingerprints(loaded);
        let Lowered::Program(program) = &mut loaded.lowered else {
            return;
        };
        for (loc, fingerprint) in prints {
            if !self.known.contains(&fingerprint) {
                continue;
            }
            let LocKind::Error(property) = &program.locs[loc].kind else {
                continue;
            };
            let property = property.to_string();
            program.locs[loc].kind = LocKind::Plain;
            let Place { file, line, column } = place(program, loc);
            loaded.known.push(Known {
                loc,
                property,
                fingerprint,
                file,
                line,
                column,
            });
        }
        let mut by_property: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
        for known in &loaded.known {
            by_property.entry(&known.property).or_default().push(Place {
                file: known.file.clone(),
                line: known.line,
                column: known.column,
            });
        }
        let assumed = by_property.into_iter().map(|(property, places)| Assumed {
            name: NAME,
            explanation: "the error is known; executions that come to it are not looked at beyond it",
            detail: format!("{property} at known places"),
            places,
        });
        let assumed: Vec<Assumed> = assumed.collect();
        loaded.assumptions.extend(assumed);
    }
}

/// The fingerprint of an error of a program.
pub fn fingerprint(loaded: &Loaded, loc: Loc) -> Option<String> {
    fingerprints(loaded).remove(&loc)
}

/// The fingerprints of all places where a property may be violated: property, function, file without its folder, and the text of the
/// line, without what is only layout. Where that is the same at several places, they are numbered; what is left alone counts as
/// well.
fn fingerprints(loaded: &Loaded) -> BTreeMap<Loc, String> {
    let program = loaded.program();
    let errors = program
        .errors()
        .filter_map(|l| match &program.locs[l].kind {
            LocKind::Error(property) => Some((l, property.to_string())),
            _ => None,
        });
    let known = loaded.known.iter().map(|k| (k.loc, k.property.clone()));
    let mut places: Vec<(Place, Loc, String)> = errors
        .chain(known)
        .map(|(l, property)| (place(program, l), l, property))
        .collect();
    places.sort_by(|(p, l, _), (q, m, _)| {
        (&p.file, p.line, p.column, l).cmp(&(&q.file, q.line, q.column, m))
    });
    // A place that the program checks several times has one fingerprint.
    let mut seen: BTreeMap<String, (usize, (u32, u32))> = BTreeMap::new();
    let print = |(place, l, property): (Place, Loc, String)| {
        let text = loaded.sources.line(&place.file, place.line);
        let text = text.unwrap_or_default();
        let text: Vec<&str> = text.split_whitespace().collect();
        let name = place.file.rsplit('/').next().unwrap_or_default();
        let function = &program.procs[program.locs[l].proc].name;
        let what = format!("{property}\n{function}\n{name}\n{}", text.join(" "));
        let at = (place.line, place.column);
        let (number, last) = seen.entry(what.clone()).or_insert((1, at));
        if *last != at {
            (*number, *last) = (*number + 1, at);
        }
        let hash = hash::sha256(format!("{what}\n{number}").as_bytes());
        (l, hash[..32].to_string())
    };
    places.into_iter().map(print).collect()
}

fn place(program: &Program, l: Loc) -> Place {
    let span = program.locs[l].span;
    let file = span.file().and_then(|f| program.files.get(f));
    Place {
        file: file.cloned().unwrap_or_default(),
        line: span.line,
        column: span.column,
    }
}
