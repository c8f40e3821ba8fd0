//! Reading a program of any language Trellis has a front end for.

use crate::assumptions::{self, AssumptionArgs};
use crate::dialect::Dialect;
use crate::error::CliError;
use crate::files::read;
use crate::report::Assumed;
use crate::task::{read_property, read_task, task_inputs};
use clap::Args;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;
use trellis_frontend_c as c;
use trellis_ivl::{Program, Span, text, verify};
use trellis_pipeline::CFrontend;
use trellis_witness::confirm::Build;
use trellis_witness::{Names, Sources};

/// A source language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Language {
    /// C
    C,
    /// AIGER, ASCII or binary
    Aiger,
    /// BTOR2
    Btor2,
    /// The intermediate language itself
    Ivl,
}

impl Language {
    /// The language of a file by its extension.
    fn of(path: &Path) -> Option<Language> {
        Some(match path.extension()?.to_str()? {
            "c" | "i" | "yml" | "yaml" => Language::C,
            "aig" | "aag" => Language::Aiger,
            "btor2" | "btor" => Language::Btor2,
            "ivl" => Language::Ivl,
            _ => return None,
        })
    }
}

/// What to read and how.
#[derive(Args, Clone)]
pub struct Source {
    /// The program; `-` reads standard input, as does no FILE where something is piped in. Several C
    /// files are linked as one program; an SV-COMP task definition (.yml) names files, properties and
    /// data model itself
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Its language, where the extension does not tell
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// C: 32-bit longs and pointers (the default for task and property files that do not say)
    #[arg(long = "32", conflicts_with = "lp64")]
    ilp32: bool,
    /// C: 64-bit longs and pointers (the default on machines that have them)
    #[arg(long = "64")]
    lp64: bool,
    /// C: begin at this function with arbitrary arguments
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// C: properties to check, separated by commas: unreach-call, valid-deref, valid-free,
    /// valid-memtrack, valid-memcleanup, valid-memsafety (the first three of memory), no-overflow,
    /// div-by-zero, shift-range, uninit, or all [default: all; leaks only where the program begins at main]
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
    dialect: Dialect,
    #[command(flatten)]
    assumptions: AssumptionArgs,
    /// What the pipeline says where neither the command line nor a task does.
    #[arg(skip)]
    pub defaults: CFrontend,
    /// When reading has to end.
    #[arg(skip)]
    pub deadline: Option<Instant>,
}

/// The properties of a list separated by commas, as `--check` takes it.
fn c_properties(list: &str) -> Result<c::lower::Properties, String> {
    let mut all = c::lower::Properties::NONE;
    for name in list.split(',').map(str::trim) {
        match property_names(name) {
            Some(properties) => all = all.union(properties),
            None => {
                return Err(format!(
                    "there is no property '{name}'; known are unreach-call, valid-deref, valid-free, \
                     valid-memtrack, valid-memcleanup, valid-memsafety, no-overflow, div-by-zero, shift-range, uninit and all"
                ));
            }
        }
    }
    Ok(all)
}

/// The properties of `--check`.
pub fn check_option(list: &str) -> Result<c::lower::Properties, CliError> {
    c_properties(list).map_err(|e| CliError::Usage(format!("--check: {e}")))
}

/// The properties behind one name, which may stand for several.
pub fn property_names(name: &str) -> Option<c::lower::Properties> {
    let mut one = c::lower::Properties::NONE;
    match name {
        "all" => Some(c::lower::Properties::ALL),
        "valid-memsafety" => Some(c::lower::Properties::MEMSAFETY),
        name => one.add(name).then_some(one),
    }
}

/// A hardware model, as read.
pub enum Hardware {
    /// AIGER.
    Aiger(trellis_frontend_aiger::Model),
    /// BTOR2.
    Btor2(trellis_frontend_btor2::Model),
}

/// A program with what its source calls things.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// Its names.
    pub names: Names,
    /// What its meaning takes for granted.
    pub assumptions: Vec<Assumed>,
    /// What its source says, for those who show it.
    pub sources: Sources,
    /// The files that were read for it, as far as the command line does not name them.
    pub read: Vec<PathBuf>,
    /// How a compiler makes it, for C programs in files.
    pub build: Option<Build>,
    /// The model, for hardware.
    pub hardware: Option<Hardware>,
}

impl Source {
    /// One C file, by the rules of tasks.
    pub fn for_file(file: PathBuf, lp64: bool, check: Option<String>) -> Source {
        Source {
            files: vec![file],
            lang: None,
            ilp32: !lp64,
            lp64,
            function: None,
            check,
            property: None,
            include_dirs: Vec::new(),
            defines: Vec::new(),
            dialect: Dialect::default(),
            assumptions: AssumptionArgs::of_task(),
            defaults: CFrontend::default(),
            deadline: None,
        }
    }

    /// The files, as given.
    pub fn names(&self) -> Vec<String> {
        let names = self.files.iter();
        let names: Vec<String> = names.map(|f| f.display().to_string()).collect();
        match names.is_empty() {
            true => vec!["-".into()],
            false => names,
        }
    }

    /// The first file; standard input where none is given.
    fn first(&self) -> &Path {
        self.files.first().map_or(Path::new("-"), PathBuf::as_path)
    }

    /// All files that the command line names as inputs, and those of a task.
    pub fn inputs(&self) -> Result<Vec<PathBuf>, CliError> {
        let mut all = self.files.clone();
        all.extend(self.property.iter().cloned());
        all.extend(self.dialect.includes.iter().cloned());
        if self.is_task() {
            all.extend(task_inputs(self.first())?);
        }
        Ok(all)
    }

    /// Whether the first file is a task definition.
    fn is_task(&self) -> bool {
        let extension = self.first().extension().and_then(|e| e.to_str());
        matches!(extension, Some("yml" | "yaml"))
    }

    /// Whether this is a C program.
    pub fn is_c(&self) -> bool {
        self.language() == Some(Language::C)
    }

    /// Whether it is asked in the words of SV-COMP: then its rules hold.
    pub fn by_rules(&self) -> bool {
        self.is_task() || self.property.is_some()
    }

    /// Reads the program, which must be well-formed; warnings go to standard error.
    pub fn load(&self) -> Result<Program, CliError> {
        Ok(self.load_named()?.program)
    }

    /// The language, if the command line or the extension tells.
    pub fn language(&self) -> Option<Language> {
        self.lang.or_else(|| Language::of(self.first()))
    }

    /// What messages call the first file.
    pub fn name(&self) -> String {
        let first = self.first();
        match first == Path::new("-") {
            true => "<stdin>".into(),
            false => first.display().to_string(),
        }
    }

    /// The same with names.
    pub fn load_named(&self) -> Result<Loaded, CliError> {
        if self.files.is_empty() {
            if std::io::stdin().is_terminal() {
                return Err(CliError::Usage("no FILE is given; see --help".into()));
            }
            let mut piped = self.clone();
            piped.files.push("-".into());
            return piped.load_named();
        }
        let first = &self.files[0];
        let is_stdin = first == Path::new("-");
        let name = self.name();
        let language = match self.language() {
            Some(language) => language,
            None if is_stdin => Language::Ivl,
            None => {
                return Err(CliError::Usage(format!(
                    "{name}: no front end for this extension; known are .c, .i, .yml, .aig, .aag, .btor2, .btor and .ivl \
                     (or choose with --lang)"
                )));
            }
        };
        if self.files.len() > 1 && language != Language::C {
            return Err(CliError::Usage(
                "only C programs may consist of several files".into(),
            ));
        }
        let nameless = |program, bytes: &[u8], hardware| {
            let mut sources = Sources::default();
            if let Ok(text) = std::str::from_utf8(bytes) {
                sources.add(&name, text);
            }
            Loaded {
                program,
                names: Names::default(),
                assumptions: Vec::new(),
                sources,
                read: Vec::new(),
                build: None,
                hardware,
            }
        };
        let loaded = match language {
            Language::C => self.c(is_stdin)?,
            Language::Ivl => {
                let bytes = read(first)?;
                nameless(ivl(&name, &bytes)?, &bytes, None)
            }
            Language::Aiger => {
                let bytes = read(first)?;
                let (program, model) = aiger(&name, &bytes)?;
                nameless(program, &bytes, Some(Hardware::Aiger(model)))
            }
            Language::Btor2 => {
                let bytes = read(first)?;
                let (program, model) = btor2(&name, &bytes)?;
                nameless(program, &bytes, Some(Hardware::Btor2(model)))
            }
        };
        verify::verify(&loaded.program).map_err(|errors| {
            let all: Vec<String> = errors.0.iter().map(|e| format!("{name}: {e}")).collect();
            let all = all.join("\n");
            match language {
                Language::Ivl => CliError::Input(all),
                _ => CliError::Internal(format!("the front end made an ill-formed program\n{all}")),
            }
        })?;
        Ok(loaded)
    }

    /// What the command line asks to check, where it does.
    fn wanted(&self) -> Result<Option<c::lower::Properties>, CliError> {
        match (&self.check, &self.property) {
            (Some(list), _) => check_option(list).map(Some),
            (None, Some(file)) => read_property(file).map(Some),
            (None, None) => Ok(None),
        }
    }

    fn c(&self, is_stdin: bool) -> Result<Loaded, CliError> {
        let wanted = self.wanted()?;
        let first = &self.files[0];
        let chosen = self.lp64 || self.ilp32;
        let begin = self.defaults.function.as_ref().map(|f| f.value.clone());
        let entry = self.function.clone().or(begin);
        let by_rules = self.by_rules();
        let model = match (self.lp64, self.ilp32, self.defaults.lp64) {
            (true, _, _) | (_, false, Some(true)) => c::types::DataModel::Lp64,
            (_, true, _) | (_, _, Some(false)) => c::types::DataModel::Ilp32,
            _ if by_rules => c::types::DataModel::Ilp32,
            _ => c::types::DataModel::of_this_machine(),
        };
        let (files, model, properties) = if self.is_task() {
            if self.files.len() > 1 {
                return Err(CliError::Usage("a task definition stands alone".into()));
            }
            let task = read_task(first, wanted)?;
            (
                task.files,
                if chosen { model } else { task.model },
                task.properties,
            )
        } else {
            let wanted = match (wanted, &self.defaults.check) {
                (None, Some(check)) => Some(c_properties(&check.value).map_err(|e| {
                    CliError::Usage(format!("{}: `frontend.c.check`: {e}", check.place))
                })?),
                (wanted, _) => wanted,
            };
            let everything = match &entry {
                // Whoever calls a function may free what it leaves.
                Some(name) if name != "main" => c::lower::Properties {
                    valid_memtrack: false,
                    ..c::lower::Properties::ALL
                },
                _ => c::lower::Properties::ALL,
            };
            let properties = wanted.unwrap_or(everything);
            (self.files.clone(), model, properties)
        };
        let accesses = properties.valid_deref;
        let granted = (self.assumptions).granted(by_rules, accesses, &self.defaults)?;
        let options = c::program::Options {
            model,
            preprocess: self
                .dialect
                .preprocess(&self.include_dirs, &self.defines, self.deadline),
            properties,
            granted,
            entry,
        };
        let compiled = if is_stdin {
            let text = read(Path::new("-"))?;
            c::program::compile_texts(vec![("<stdin>".into(), text)], &options)
        } else {
            c::program::compile_files(&files, &options)
        };
        let compiled =
            compiled.map_err(|e| CliError::Input(e.to_string().trim_end().to_owned()))?;
        eprint!("{}", compiled.checked.warnings);
        let build = match is_stdin {
            true => None,
            false => Some(build(files, &options)?),
        };
        let lowered = compiled.lowered;
        Ok(Loaded {
            assumptions: assumptions::told(&lowered.program, &lowered.assumptions),
            program: lowered.program,
            names: Names::of_c(lowered.vars),
            sources: Sources::of_c(compiled.checked.lines),
            read: compiled.checked.read.into_iter().map(Into::into).collect(),
            build,
            hardware: None,
        })
    }
}

/// How a compiler makes the program of these files.
fn build(files: Vec<PathBuf>, options: &c::program::Options) -> Result<Build, CliError> {
    let preprocess = &options.preprocess;
    let arguments = preprocess.arguments();
    let mut arguments = arguments.map_err(|e| CliError::Usage(e.to_string()))?;
    let standard = preprocess.standard.iter();
    arguments.extend(standard.map(|s| format!("-std={s}").into()));
    Ok(Build {
        files,
        ilp32: options.model == c::types::DataModel::Ilp32,
        options: arguments,
        entry: options.entry.clone(),
        compiler: String::new(),
    })
}

fn at(name: &str, e: &dyn std::fmt::Display) -> CliError {
    CliError::Input(format!("{name}: {e}"))
}

fn warn(name: &str, span: Span, message: &str) {
    eprintln!("warning: {name}:{}:{}: {message}", span.line, span.column);
}

fn ivl(name: &str, bytes: &[u8]) -> Result<Program, CliError> {
    let source =
        std::str::from_utf8(bytes).map_err(|e| at(name, &format!("not UTF-8 text: {e}")))?;
    text::parse(source).map_err(|errors| {
        let all: Vec<String> = errors.0.iter().map(|e| format!("{name}:{e}")).collect();
        CliError::Input(all.join("\n"))
    })
}

fn aiger(name: &str, bytes: &[u8]) -> Result<(Program, trellis_frontend_aiger::Model), CliError> {
    let model = trellis_frontend_aiger::parse(bytes).map_err(|e| at(name, &e))?;
    let lowered = trellis_frontend_aiger::lower(&model, name).map_err(|e| at(name, &e))?;
    for w in &lowered.warnings {
        warn(name, w.span, &w.message);
    }
    Ok((lowered.program, model))
}

fn btor2(name: &str, bytes: &[u8]) -> Result<(Program, trellis_frontend_btor2::Model), CliError> {
    let model = trellis_frontend_btor2::parse(bytes).map_err(|e| at(name, &e))?;
    let lowered = trellis_frontend_btor2::lower(&model, name).map_err(|e| at(name, &e))?;
    for w in &lowered.warnings {
        warn(name, w.span, &w.message);
    }
    Ok((lowered.program, model))
}
