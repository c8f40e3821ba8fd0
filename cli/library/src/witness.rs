//! What a check leaves behind for other tools: a witness, a harness, and the word of the compiler.

use crate::error::Error;
use crate::files::read;
use crate::judge::Answer;
use crate::load::Loaded;
use crate::report::{Invariant, Place};
use crate::worker::Worker;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use trellis_ivl::{FlattenOptions, Input, Loc, LocKind, Program, Term, Trace, Value};
use trellis_svcomp::specification;
use trellis_witness::confirm::{Confirmation, confirm, of_the_library};
use trellis_witness::format::{Entry, Metadata, Producer, Task, write};
use trellis_witness::harness::{Harness, harness_of_inputs, harness_of_loop, suppliers};
use trellis_witness::kept::Kept;
use trellis_witness::{hash, make};

/// The metadata of a witness about a C program.
pub fn metadata(loaded: &Loaded, property: &str) -> Result<Metadata, Error> {
    let Some(build) = &loaded.build else {
        return Err(Error::Usage(
            "witnesses are about C programs in files".into(),
        ));
    };
    let mut hashes = BTreeMap::new();
    let mut files = Vec::new();
    for file in &build.files {
        let bytes = read(file)?;
        let name = file.display().to_string();
        hashes.insert(name.clone(), hash::sha256(&bytes));
        files.push(name);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |d| d.as_nanos());
    let seed = format!("{files:?} {hashes:?} {now} {}", std::process::id());
    Ok(Metadata {
        format_version: "2.0".into(),
        uuid: hash::uuid(seed.as_bytes()),
        creation_time: hash::utc(u64::try_from(now / 1_000_000_000).unwrap_or(0)),
        producer: Producer {
            name: "Trellis".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            configuration: None,
            command_line: None,
            description: None,
        },
        task: Task {
            input_files: files,
            input_file_hashes: hashes,
            specification: specification(property),
            data_model: if build.ilp32 { "ILP32" } else { "LP64" }.into(),
            language: "C".into(),
        },
    })
}

/// A witness as text.
pub fn text(entry: Entry) -> Result<String, Error> {
    write(&[entry]).map_err(|e| Error::Internal(e.to_string()))
}

/// The witness of an error.
pub fn violation(
    loaded: &Loaded,
    property: &str,
    (trace, end): (&Trace, Loc),
) -> Result<String, Error> {
    let metadata = metadata(loaded, property)?;
    let entry = make::violation(
        metadata,
        loaded.program(),
        (trace, end),
        &loaded.names,
        &loaded.sources,
    );
    text(entry.ok_or_else(|| Error::Internal("the trace does not replay".into()))?)
}

/// The witness of a proof; the terms are those of `small`.
pub fn correctness(
    loaded: &Loaded,
    small: &Program,
    certificate: &BTreeMap<Loc, Term>,
    expansion: FlattenOptions,
) -> Result<String, Error> {
    proof(loaded, small, certificate, expansion).and_then(text)
}

fn proof(
    loaded: &Loaded,
    small: &Program,
    certificate: &BTreeMap<Loc, Term>,
    expansion: FlattenOptions,
) -> Result<Entry, Error> {
    let error = loaded.program().errors().next();
    let property = error.map(|l| &loaded.program().locs[l].kind);
    let property = match property {
        Some(LocKind::Error(name)) => name,
        _ => "unreach-call",
    };
    let metadata = metadata(loaded, property)?;
    let (program, names) = (loaded.program(), &loaded.names);
    Ok(make::correctness(
        metadata,
        program,
        small,
        certificate,
        &expansion,
        names,
        &loaded.sources,
    ))
}

/// The invariants of a proof that C has words for.
pub(crate) fn invariants(
    loaded: &Loaded,
    small: &Program,
    certificate: &BTreeMap<Loc, Term>,
    expansion: FlattenOptions,
) -> Vec<Invariant> {
    let Ok(Entry::InvariantSet { content, .. }) = proof(loaded, small, certificate, expansion)
    else {
        return Vec::new();
    };
    let told = content.into_iter().map(|item| Invariant {
        place: Place {
            file: item.invariant.location.file_name,
            line: item.invariant.location.line,
            column: item.invariant.location.column.unwrap_or(1),
        },
        value: item.invariant.value,
    });
    told.filter(|i| i.value != "1").collect()
}

/// The way to an error, as far as a harness is concerned: the location, and the inputs.
pub struct Way<'a> {
    /// The error location.
    pub end: Loc,
    /// The inputs in order.
    pub inputs: Vec<&'a (Input, Value)>,
    /// Of an execution that does not end, the inputs of a round, and how many steps it has.
    pub round: Option<(Vec<&'a (Input, Value)>, usize)>,
}

impl<'a> Way<'a> {
    /// That of an error; a proof has none.
    pub fn of(answer: &'a Answer) -> Option<Way<'a>> {
        let Answer::False {
            loc, trace, long, ..
        } = answer
        else {
            return None;
        };
        let listed = trace.steps.iter().flat_map(|step| &step.inputs);
        let inputs = match long {
            Some(long) => long.script.inputs.iter().collect(),
            None => listed.collect(),
        };
        Some(Way {
            end: *loc,
            inputs,
            round: None,
        })
    }

    /// That of an execution that does not end, whose first `stem` steps lead to the loop.
    pub fn endless(answer: &'a Answer, stem: usize) -> Option<Way<'a>> {
        let Answer::False { loc, trace, .. } = answer else {
            return None;
        };
        let (stem, round) = trace.steps.split_at_checked(stem)?;
        let steps = round.len();
        let round = round.iter().flat_map(|step| &step.inputs).collect();
        Some(Way {
            end: *loc,
            inputs: stem.iter().flat_map(|step| &step.inputs).collect(),
            round: Some((round, steps)),
        })
    }
}

/// The harness of an error.
pub fn of_way(loaded: &Loaded, way: &Way, worker: &Worker) -> Result<Harness, Error> {
    let Some(build) = &loaded.build else {
        return Err(Error::Usage("harnesses are for C programs in files".into()));
    };
    let scratch = tempfile::tempdir();
    let scratch = scratch.map_err(|e| Error::Internal(format!("a temporary folder: {e}")))?;
    let kept = Kept {
        keeper: worker.executable().into(),
        deadline: None,
    };
    let inputs = || way.inputs.iter().copied();
    let round = || {
        way.round
            .iter()
            .flat_map(|(inputs, _)| inputs.iter().copied())
    };
    let functions = suppliers(loaded.program(), inputs().chain(round()));
    let library = of_the_library(&functions, &build.compiler, scratch.path(), &kept);
    let program = loaded.program();
    let made = match &way.round {
        Some((_, steps)) => harness_of_loop(program, inputs(), round(), *steps, &library),
        None => harness_of_inputs(program, way.end, inputs(), &library),
    };
    made.map_err(|e| Error::Input(format!("harness: {e}")))
}

/// Builds and runs a counterexample.
pub fn confirmation(loaded: &Loaded, way: &Way, worker: &Worker) -> Confirmation {
    let tried = || {
        let harness = of_way(loaded, way, worker).map_err(|e| e.to_string())?;
        let build = loaded.build.as_ref().ok_or("no C program")?;
        let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
        Ok::<_, String>(confirm(
            &harness,
            build,
            Path::new(scratch.path()),
            worker.executable(),
        ))
    };
    tried().unwrap_or_else(Confirmation::NotConfirmed)
}
