//! The arguments of every command that reads a program.

use clap::Args;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use trellis::Error;
use trellis::assumptions::Grants;
use trellis::dialect::{Dialect, STANDARDS};
use trellis::events::{Event, Observer};
use trellis::load::{self, Loaded, Reading, Source};
use trellis::plugins::Plugins;
use trellis::worker::Worker;
use trellis_frontend_c::acsl::harness::Function;
use trellis_frontend_c::program::Contracts;
use trellis_frontend_c::types::DataModel;
use trellis_pipeline::CFrontend;

/// What to read and how.
#[derive(Args, Clone)]
pub struct SourceArgs {
    /// The program; `-` reads standard input, as does no FILE where something is piped in; in the folder of a project no
    /// FILE means the project. Several C
    /// files are linked as one program; an SV-COMP task definition (.yml) names files, properties and
    /// data model itself
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Its language, where the extension does not tell: c, aiger, btor2, ivl, or the name of a plugin that reads it
    #[arg(long, visible_alias = "lang", value_name = "LANGUAGE")]
    language: Option<String>,
    /// C: 32-bit longs and pointers (the default for task and property files that do not say)
    #[arg(long = "32", conflicts_with = "lp64")]
    ilp32: bool,
    /// C: 64-bit longs and pointers (the default on machines that have them)
    #[arg(long = "64")]
    lp64: bool,
    /// C: begin at this function with arbitrary arguments
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// C: functions are what their contracts say (ACSL's requires, assigns and ensures), in comments of the program (`inline`) or of
    /// FILE; the one that --function names is checked against its own
    #[arg(long, value_name = "FILE|inline")]
    contracts: Option<PathBuf>,
    /// C: properties to check, separated by commas: unreach-call, valid-deref, valid-free,
    /// valid-memtrack, valid-memcleanup, valid-memsafety (the first three of memory), no-overflow,
    /// div-by-zero, shift-range, uninit, termination (also of .ivl files), or all, which is everything but termination and
    /// valid-memcleanup [default: all; leaks only where the program begins at main]
    #[arg(long, value_name = "LIST")]
    check: Option<String>,
    /// C: SV-COMP property file (.prp) with what to check
    #[arg(
        long,
        visible_alias = "spec",
        value_name = "FILE",
        conflicts_with = "check"
    )]
    property: Option<PathBuf>,
    /// C: folder of headers
    #[arg(short = 'I', value_name = "DIR")]
    include_dirs: Vec<PathBuf>,
    /// C: macro definition
    #[arg(short = 'D', value_name = "NAME[=VALUE]", allow_hyphen_values = true)]
    defines: Vec<String>,
    #[command(flatten)]
    dialect: DialectArgs,
    #[command(flatten)]
    assumptions: AssumptionArgs,
}

/// Options of compilers that have a meaning here; [`crate::flags`] reads the spellings that compilers have for them.
#[derive(Args, Clone)]
struct DialectArgs {
    /// C: the standard for the preprocessor; also spelt -std=NAME [default: gnu11]
    #[arg(long = "std", value_name = "NAME", value_parser = STANDARDS, hide_possible_values = true)]
    standard: Option<String>,
    /// C: folder of headers of the system; also spelt -isystem
    #[arg(long = "isystem", value_name = "DIR")]
    system_dirs: Vec<PathBuf>,
    /// C: folder of headers in quotes; also spelt -iquote
    #[arg(long = "iquote", value_name = "DIR")]
    quote_dirs: Vec<PathBuf>,
    /// C: folder of headers to look in at last; also spelt -idirafter
    #[arg(long = "idirafter", value_name = "DIR")]
    late_dirs: Vec<PathBuf>,
    /// C: header to include first; also spelt -include
    #[arg(long = "include", value_name = "FILE")]
    includes: Vec<PathBuf>,
    /// C: with --32, evaluate float and double in long double (FLT_EVAL_METHOD 2); also spelt -fexcess-precision=standard
    #[arg(long)]
    excess_precision: bool,
}

/// What may be taken for granted.
#[derive(Args, Clone)]
pub struct AssumptionArgs {
    /// C: assume nothing that the program does not promise: where the verdict would rest on it, it is unknown
    #[arg(long)]
    strict: bool,
    /// C: make this assumption, even under --strict; may be repeated. malloc-may-fail is the contrary of malloc-succeeds
    #[arg(long, value_name = "NAME")]
    assume: Vec<String>,
    /// C: do not make this assumption; may be repeated
    #[arg(long, value_name = "NAME")]
    no_assume: Vec<String>,
}

impl AssumptionArgs {
    /// What the arguments grant and refuse.
    pub fn grants(&self) -> Grants {
        Grants {
            strict: self.strict,
            assume: self.assume.clone(),
            no_assume: self.no_assume.clone(),
            task: false,
        }
    }
}

impl SourceArgs {
    /// Whether no file is named.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What is asked to be checked.
    pub fn check(&self) -> Option<&String> {
        self.check.as_ref()
    }

    /// The arguments again, for each file of a project.
    pub fn of_project(&self) -> Result<Vec<OsString>, Error> {
        let (dialect, assumptions) = (&self.dialect, &self.assumptions);
        for (option, given) in [
            ("--function", self.function.is_some()),
            ("--language", self.language.is_some()),
        ] {
            if given {
                let text = format!(
                    "{option} is for the check of one source; of a project `functions` and `files` in trellis.toml say what is checked"
                );
                return Err(Error::Usage(text));
            }
        }
        let mut all: Vec<OsString> = Vec::new();
        for (option, given) in [
            ("--32", self.ilp32),
            ("--64", self.lp64),
            ("--excess-precision", dialect.excess_precision),
            ("--strict", assumptions.strict),
        ] {
            all.extend(given.then(|| option.into()));
        }
        let mut named = |option: &str, value: &OsStr| {
            let mut argument = OsString::from(format!("{option}="));
            argument.push(value);
            all.push(argument);
        };
        for (option, paths) in [
            ("--isystem", &dialect.system_dirs),
            ("--iquote", &dialect.quote_dirs),
            ("--idirafter", &dialect.late_dirs),
            ("--include", &dialect.includes),
        ] {
            paths
                .iter()
                .for_each(|path| named(option, path.as_os_str()));
        }
        for (option, names) in [
            ("--assume", &assumptions.assume),
            ("--no-assume", &assumptions.no_assume),
        ] {
            names.iter().for_each(|name| named(option, name.as_ref()));
        }
        let paths = [
            ("--contracts", &self.contracts),
            ("--property", &self.property),
        ];
        for (option, path) in paths {
            path.iter().for_each(|path| named(option, path.as_os_str()));
        }
        dialect
            .standard
            .iter()
            .for_each(|name| named("--std", name.as_ref()));
        for folder in &self.include_dirs {
            all.extend(["-I".into(), folder.into()]);
        }
        for define in &self.defines {
            all.extend(["-D".into(), define.into()]);
        }
        Ok(all)
    }

    /// The source that the arguments mean.
    pub fn source(&self) -> Result<Source, Error> {
        let mut files = self.files.clone();
        if files.is_empty() {
            if std::io::stdin().is_terminal() {
                return Err(Error::Usage("no FILE is given; see --help".into()));
            }
            files.push("-".into());
        }
        let model = match (self.lp64, self.ilp32) {
            (true, _) => Some(DataModel::Lp64),
            (_, true) => Some(DataModel::Ilp32),
            _ => None,
        };
        let language = self.language.as_deref().map(load::Language::named);
        let (language, frontend) = match language {
            None => (None, None),
            Some(Some(language)) => (Some(language), None),
            Some(None) => (None, self.language.clone()),
        };
        let dialect = &self.dialect;
        Ok(Source {
            files,
            language,
            frontend,
            model,
            function: self.function.clone(),
            contracts: self.contracts.as_ref().map(|at| match at.to_str() {
                Some("inline") => Contracts::Inline,
                _ => Contracts::File(at.clone()),
            }),
            check: self.check.clone(),
            property: self.property.clone(),
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            dialect: Dialect {
                standard: dialect.standard.clone(),
                system_dirs: dialect.system_dirs.clone(),
                quote_dirs: dialect.quote_dirs.clone(),
                late_dirs: dialect.late_dirs.clone(),
                includes: dialect.includes.clone(),
                excess_precision: dialect.excess_precision,
            },
            grants: self.assumptions.grants(),
        })
    }

    /// The functions of `source` that can be checked on their own.
    pub fn functions(&self, source: &Source, worker: &Worker) -> Result<Vec<Function>, Error> {
        source.functions(&Reading {
            worker: Some(worker),
            deadline: None,
            defaults: &CFrontend::default(),
            plugins: None,
            observer: &Warnings::default(),
        })
    }

    /// Reads the program; warnings go to standard error.
    pub fn load(&self, worker: &Worker, plugins: &Plugins) -> Result<Loaded, Error> {
        self.source()?.load(&Reading {
            worker: Some(worker),
            deadline: None,
            defaults: &CFrontend::default(),
            plugins: Some(plugins),
            observer: &Warnings::default(),
        })
    }
}

/// Prints warnings, and sets the flag when whatever takes long can be stopped.
#[derive(Default)]
pub struct Warnings(pub Arc<AtomicBool>);

impl Observer for Warnings {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Warning(text) => eprintln!("{text}"),
            Event::Engines => self.0.store(true, Ordering::Relaxed),
            _ => {}
        }
    }
}
