//! Tracing as options of any backend.

use crate::{Recorded, RecordedSat, Validated};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use trellis_ivl::option::NONE;
use trellis_solver_api::sat::{SatBackend, SatSession};
use trellis_solver_api::smt::{SmtBackend, SmtSession};
use trellis_solver_api::{
    Capabilities, OptionKind, OptionSpec, Result, SessionConfig, SolverError,
};

/// The options that [`Traced`] takes for itself.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec::new(
        TRACE,
        OptionKind::Text,
        "none",
        "a folder that gets a file per session",
    )
    .or_none(),
    OptionSpec::flag(
        VALIDATE,
        if cfg!(debug_assertions) {
            "true"
        } else {
            "false"
        },
        "evaluate every model; the default is true in debug builds only",
    ),
];

/// A backend of either kind that is as the one within, with our options besides.
macro_rules! described {
    () => {
        fn name(&self) -> &str {
            self.0.name()
        }

        fn capabilities(&self) -> Capabilities {
            self.0.capabilities()
        }

        fn options(&self) -> Vec<OptionSpec> {
            [&self.0.options()[..], OPTIONS].concat()
        }
    };
}

const TRACE: &str = "trace";
const VALIDATE: &str = "validate";

/// A backend with the options `trace` and `validate`; all others go to the backend within.
pub struct Traced<B>(pub B);

/// The configuration for the backend within, the folder, and whether to validate.
struct Wanted<'a> {
    rest: SessionConfig,
    folder: Option<&'a String>,
    validate: bool,
}

fn wanted<'a>(name: &str, config: &'a SessionConfig) -> Result<Wanted<'a>> {
    let mut rest = config.clone();
    rest.options
        .retain(|key, _| key != TRACE && key != VALIDATE);
    let validate = match config.options.get(VALIDATE).map(String::as_str) {
        None => cfg!(debug_assertions),
        Some("1" | "true") => true,
        Some("0" | "false") => false,
        Some(other) => {
            return Err(SolverError::Option {
                solver: name.into(),
                option: VALIDATE.into(),
                message: format!("`{other}` is not 0 or 1"),
            });
        }
    };
    let folder = config.options.get(TRACE).filter(|f| *f != NONE);
    Ok(Wanted {
        rest,
        folder,
        validate,
    })
}

/// A new file in the folder, with the first number that is free.
fn create(name: &str, folder: &str, extension: &str) -> Result<BufWriter<File>> {
    let failed = |e: std::io::Error| SolverError::Option {
        solver: name.into(),
        option: TRACE.into(),
        message: format!("{folder}: {e}"),
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    for number in 0u32.. {
        let path = Path::new(folder).join(format!("{name}-{number}.{extension}"));
        match File::create_new(path) {
            Ok(file) => return Ok(BufWriter::new(file)),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(failed(e)),
        }
    }
    unreachable!("a folder has fewer files than there are numbers");
}

impl<B: SmtBackend> SmtBackend for Traced<B> {
    described!();

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SmtSession>> {
        let wanted = wanted(self.name(), config)?;
        let mut session = self.0.session(&wanted.rest)?;
        if let Some(folder) = wanted.folder {
            let file = create(self.name(), folder, "smt2")?;
            session = Box::new(Recorded::new(session, file)?);
        }
        if wanted.validate {
            session = Box::new(Validated::new(session));
        }
        Ok(session)
    }
}

impl<B: SatBackend> SatBackend for Traced<B> {
    described!();

    fn session(&self, config: &SessionConfig) -> Result<Box<dyn SatSession>> {
        let wanted = wanted(SatBackend::name(self), config)?;
        let session = self.0.session(&wanted.rest)?;
        Ok(match wanted.folder {
            Some(folder) => {
                let file = create(SatBackend::name(self), folder, "icnf")?;
                Box::new(RecordedSat::new(session, file)?)
            }
            None => session,
        })
    }
}
