//! Reading a program of any language Trellis has a front end for.

use crate::assumptions::{self, Grants};
use crate::baseline::Known;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::events::{Event, Observer};
use crate::files::read;
use crate::plugins::Plugins;
use crate::report::Assumed;
use crate::task::{read_property, read_task, task_asks_termination, task_inputs};
use crate::worker::Worker;
use std::path::{Path, PathBuf};
use std::time::Instant;
use trellis_frontend_aiger as aiger;
use trellis_frontend_btor2 as btor2;
use trellis_frontend_c as c;
use trellis_ivl::justice::Justice;
use trellis_ivl::one_loop::OneLoop;
use trellis_ivl::{Program, Span, text, verify};
use trellis_pipeline::CFrontend;
use trellis_witness::confirm::Build;
use trellis_witness::names::OfC;
use trellis_witness::{Names, Sources};

/// A source language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// One of our languages by its name.
    pub fn named(name: &str) -> Option<Language> {
        Some(match name {
            "c" => Language::C,
            "aiger" => Language::Aiger,
            "btor2" => Language::Btor2,
            "ivl" => Language::Ivl,
            _ => return None,
        })
    }

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
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The program; `-` is standard input. Several C files are linked as one program; an SV-COMP task definition (.yml)
    /// names files, properties and data model itself.
    pub files: Vec<PathBuf>,
    /// Its language, where the extension does not tell.
    pub language: Option<Language>,
    /// The plugin that reads it, by its name; whatever the extension.
    pub frontend: Option<String>,
    /// C: the size of longs and pointers, where it is chosen.
    pub model: Option<c::types::DataModel>,
    /// C: begins at this function with arbitrary arguments.
    pub function: Option<String>,
    /// C: functions are what their contracts say, and the one to begin at is checked against its own.
    pub contracts: Option<c::program::Contracts>,
    /// C: properties to check, separated by commas.
    pub check: Option<String>,
    /// C: SV-COMP property file with what to check.
    pub property: Option<PathBuf>,
    /// C: folders of headers.
    pub include_dirs: Vec<PathBuf>,
    /// C: macros, as compilers take them after `-D`.
    pub defines: Vec<String>,
    /// C: what else preprocessors are told.
    pub dialect: Dialect,
    /// C: what may be taken for granted.
    pub grants: Grants,
}

/// Who reads a program, and until when.
pub struct Reading<'a> {
    /// Who keeps the preprocessor; without one it runs as long as it likes.
    pub worker: Option<&'a Worker>,
    /// When reading has to end.
    pub deadline: Option<Instant>,
    /// What holds where neither the source nor a task says.
    pub defaults: &'a CFrontend,
    /// Who reads what our front ends do not; without them nobody.
    pub plugins: Option<&'a Plugins>,
    /// Who is told of what is left unchecked.
    pub observer: &'a dyn Observer,
}

impl Reading<'_> {
    pub(crate) fn warn(&self, text: &str) {
        self.observer.event(Event::Warning(text));
    }
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
                     valid-memtrack, valid-memcleanup, valid-memsafety, no-overflow, div-by-zero, shift-range, uninit, termination and all"
                ));
            }
        }
    }
    Ok(all)
}

/// The properties of `--check`.
pub fn check_option(list: &str) -> Result<c::lower::Properties, Error> {
    c_properties(list).map_err(|e| Error::Usage(format!("--check: {e}")))
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

/// What a front end made, with the model where it is hardware: what is found about the program is said of the model.
pub enum Lowered {
    /// Of C, or of the intermediate language.
    Program(Program),
    /// Of AIGER.
    Aiger(aiger::Model, aiger::Lowered),
    /// Of BTOR2.
    Btor2(btor2::Model, btor2::Lowered),
}

/// A program with what its source calls things.
pub struct Loaded {
    /// What messages call its first file.
    pub name: String,
    /// The program.
    pub lowered: Lowered,
    /// Its names.
    pub names: Names,
    /// What its meaning takes for granted.
    pub assumptions: Vec<Assumed>,
    /// What its source says, for those who show it.
    pub sources: Sources,
    /// The files that were read for it, as far as the source does not name them.
    pub read: Vec<PathBuf>,
    /// How a compiler makes it, for C programs in files.
    pub build: Option<Build>,
    /// Whether this is a C program that nobody asked about in the words of SV-COMP, whose rules would hold then.
    plain_c: bool,
    /// What is asked of the program.
    pub question: Question,
    /// The same source, read for another question that was asked with this one.
    pub also: Option<Box<Loaded>>,
    /// Errors that are known and left alone.
    pub known: Vec<Known>,
}

/// What is asked of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Is an error reachable?
    Safety,
    /// Does every execution end?
    Termination,
}

impl Loaded {
    /// The program.
    pub fn program(&self) -> &Program {
        match &self.lowered {
            Lowered::Program(program) => program,
            Lowered::Aiger(_, lowered) => &lowered.program,
            Lowered::Btor2(_, lowered) => &lowered.program,
        }
    }

    /// The justice properties of a hardware model, if it has any.
    pub fn justice(&self) -> Option<(&OneLoop, &[Justice])> {
        let (graph, justice) = match &self.lowered {
            Lowered::Program(_) => return None,
            Lowered::Aiger(_, lowered) => (&lowered.graph, &lowered.justice),
            Lowered::Btor2(_, lowered) => (&lowered.graph, &lowered.justice),
        };
        (!justice.is_empty()).then_some((graph, justice))
    }

    /// Whether it is a hardware model.
    pub fn is_hardware(&self) -> bool {
        !matches!(self.lowered, Lowered::Program(_))
    }

    /// A C program in which nothing could go wrong by what was asked: that nothing did is no news, and whoever forgot
    /// the assertions should not read a bare `true`. Tasks and properties of SV-COMP mean what they ask.
    pub fn nothing_to_check(&self) -> Option<&'static str> {
        let none = self.program().errors().next().is_none();
        let safety = self.question == Question::Safety;
        (self.plain_c && safety && none && self.known.is_empty()).then_some(
            "nothing to check: the program has no place where what is asked could be violated",
        )
    }
}

impl Source {
    /// One file, in the language of its extension.
    pub fn file(file: impl Into<PathBuf>) -> Source {
        Source {
            files: vec![file.into()],
            ..Source::default()
        }
    }

    /// One C file, by the rules of tasks but for what is said of assumptions.
    pub fn for_file(file: PathBuf, lp64: bool, check: Option<String>, grants: &Grants) -> Source {
        Source {
            model: Some(match lp64 {
                true => c::types::DataModel::Lp64,
                false => c::types::DataModel::Ilp32,
            }),
            check,
            grants: grants.of_task(),
            ..Source::file(file)
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

    /// All files that are named as inputs, and those of a task.
    pub fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
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

    /// The language, if it is said or the extension tells.
    pub fn language(&self) -> Option<Language> {
        if self.frontend.is_some() {
            return None;
        }
        self.language.or_else(|| Language::of(self.first()))
    }

    /// What messages call the first file.
    pub fn name(&self) -> String {
        let first = self.first();
        match first == Path::new("-") {
            true => "<stdin>".into(),
            false => first.display().to_string(),
        }
    }

    /// Reads the program, which must be well-formed.
    pub fn load(&self, reading: &Reading<'_>) -> Result<Loaded, Error> {
        let Some(first) = self.files.first() else {
            return Err(Error::Usage("no FILE is given; see --help".into()));
        };
        let is_stdin = first == Path::new("-");
        let name = self.name();
        if let Some(loaded) = self.by_plugin(first, &name, reading)? {
            return Ok(loaded);
        }
        let language = match self.language() {
            Some(language) => language,
            None if is_stdin => Language::Ivl,
            None => {
                return Err(Error::Usage(format!(
                    "{name}: no front end for this extension; known are .c, .i, .yml, .aig, .aag, .btor2, .btor and .ivl \
                     (or choose with --language), and what plugins read"
                )));
            }
        };
        if self.files.len() > 1 && language != Language::C {
            return Err(Error::Usage(
                "only C programs may consist of several files".into(),
            ));
        }
        let nameless = |lowered, bytes: &[u8]| nameless(&name, lowered, bytes);
        let loaded = match language {
            Language::C => self.c(is_stdin, reading)?,
            Language::Ivl => {
                let bytes = read(first)?;
                let mut loaded = nameless(Lowered::Program(ivl(&name, &bytes)?), &bytes);
                if self.wanted()?.is_some_and(|p| p.termination) {
                    loaded.question = Question::Termination;
                }
                loaded
            }
            Language::Aiger => {
                let bytes = read(first)?;
                nameless(of_aiger(&name, &bytes, reading)?, &bytes)
            }
            Language::Btor2 => {
                let bytes = read(first)?;
                nameless(of_btor2(&name, &bytes, reading)?, &bytes)
            }
        };
        verify::verify(loaded.program()).map_err(|errors| {
            let all: Vec<String> = errors.0.iter().map(|e| format!("{name}: {e}")).collect();
            let all = all.join("\n");
            match language {
                Language::Ivl => Error::Input(all),
                _ => Error::Internal(format!("the front end made an ill-formed program\n{all}")),
            }
        })?;
        Ok(loaded)
    }

    /// What a plugin makes of it: the one that is named, or the one for an extension that is none of ours.
    fn by_plugin(
        &self,
        first: &Path,
        name: &str,
        reading: &Reading<'_>,
    ) -> Result<Option<Loaded>, Error> {
        let Some(plugins) = reading.plugins else {
            return Ok(None);
        };
        let extension = first.extension().and_then(|e| e.to_str());
        let frontend = match (&self.frontend, self.language(), extension) {
            (Some(frontend), _, _) => Some(plugins.frontend(frontend)?),
            (None, None, Some(extension)) => plugins.frontend_for(extension)?,
            _ => None,
        };
        let Some(frontend) = frontend else {
            return Ok(None);
        };
        if self.files.len() > 1 {
            return Err(Error::Usage(
                "only C programs may consist of several files".into(),
            ));
        }
        let bytes = read(first)?;
        let (program, assumed) = plugins.read(&frontend, name, &bytes, reading.observer)?;
        let mut loaded = nameless(name, Lowered::Program(program), &bytes);
        loaded.assumptions.push(assumed);
        Ok(Some(loaded))
    }

    /// Whether termination is asked, as far as that can be told before anything is read; what is wrong is told then.
    pub fn asks_termination(&self) -> bool {
        match self.wanted() {
            Ok(Some(properties)) => properties.termination,
            Ok(None) => self.is_task() && task_asks_termination(self.first()),
            Err(_) => false,
        }
    }

    /// What is asked to be checked, where it is.
    fn wanted(&self) -> Result<Option<c::lower::Properties>, Error> {
        match (&self.check, &self.property) {
            (Some(list), _) => check_option(list).map(Some),
            (None, Some(file)) => read_property(file).map(Some),
            (None, None) => Ok(None),
        }
    }

    fn c(&self, is_stdin: bool, reading: &Reading<'_>) -> Result<Loaded, Error> {
        let defaults = reading.defaults;
        let wanted = self.wanted()?;
        let first = &self.files[0];
        let begin = defaults.function.as_ref().map(|f| f.value.clone());
        let entry = self.function.clone().or(begin);
        let by_rules = self.by_rules();
        let model = match (self.model, defaults.lp64) {
            (Some(model), _) => model,
            (None, Some(true)) => c::types::DataModel::Lp64,
            (None, Some(false)) => c::types::DataModel::Ilp32,
            (None, None) if by_rules => c::types::DataModel::Ilp32,
            (None, None) => c::types::DataModel::of_this_machine(),
        };
        let (files, model, properties) = if self.is_task() {
            if self.files.len() > 1 {
                return Err(Error::Usage("a task definition stands alone".into()));
            }
            let task = read_task(first, wanted, reading)?;
            (
                task.files,
                self.model.unwrap_or(task.model),
                task.properties,
            )
        } else {
            let wanted = match (wanted, &defaults.check) {
                (None, Some(check)) => Some(c_properties(&check.value).map_err(|e| {
                    Error::Usage(format!("{}: `frontend.c.check`: {e}", check.place))
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
        let what = What {
            files,
            model,
            entry,
        };
        if self.contracts.is_some() {
            if properties.termination {
                let text = "--contracts: a contract does not say that its function returns, so termination cannot be asked";
                return Err(Error::Usage(text.into()));
            }
            // Clauses are asserted.
            let properties = c::lower::Properties {
                unreach_call: true,
                ..properties
            };
            return self.lowered_c(is_stdin, reading, &what, properties);
        }
        if !properties.termination {
            return self.lowered_c(is_stdin, reading, &what, properties);
        }
        let endless = c::lower::Properties::TERMINATION;
        let mut loaded = self.lowered_c(is_stdin, reading, &what, endless)?;
        loaded.question = Question::Termination;
        let others = c::lower::Properties {
            termination: false,
            ..properties
        };
        if others == c::lower::Properties::NONE {
            return Ok(loaded);
        }
        if is_stdin {
            let text = "--check: of standard input, termination is asked alone";
            return Err(Error::Usage(text.into()));
        }
        let mut first = self.lowered_c(is_stdin, reading, &what, others)?;
        first.also = Some(Box::new(loaded));
        Ok(first)
    }

    /// How the C program is read.
    fn options(
        &self,
        reading: &Reading<'_>,
        what: &What,
        properties: c::lower::Properties,
    ) -> Result<c::program::Options, Error> {
        let accesses = properties.valid_deref;
        let granted = self
            .grants
            .granted(self.by_rules(), accesses, reading.defaults)?;
        Ok(c::program::Options {
            model: what.model,
            preprocess: (self.dialect).preprocess(
                &self.include_dirs,
                &self.defines,
                reading.worker,
                reading.deadline,
            ),
            properties,
            granted,
            entry: what.entry.clone(),
            contracts: self.contracts.clone(),
        })
    }

    /// The functions of a C program that can be checked on their own, in order.
    ///
    /// # Errors
    /// When it is no C program, or is not understood.
    pub fn functions(
        &self,
        reading: &Reading<'_>,
    ) -> Result<Vec<c::acsl::harness::Function>, Error> {
        let is_c = self.language() == Some(Language::C) && !self.is_task();
        if !is_c || self.files.iter().any(|f| f.as_os_str() == "-") {
            let text = "--modular: functions are those of C files that have names";
            return Err(Error::Usage(text.into()));
        }
        let model = self
            .model
            .unwrap_or_else(c::types::DataModel::of_this_machine);
        let what = What {
            files: self.files.clone(),
            model,
            entry: None,
        };
        let options = self.options(reading, &what, c::lower::Properties::ALL)?;
        let functions = c::program::functions(&what.files, &options);
        functions.map_err(|e| Error::Input(e.to_string().trim_end().to_owned()))
    }

    /// The C program lowered for these properties.
    fn lowered_c(
        &self,
        is_stdin: bool,
        reading: &Reading<'_>,
        what: &What,
        properties: c::lower::Properties,
    ) -> Result<Loaded, Error> {
        let by_rules = self.by_rules();
        let options = self.options(reading, what, properties)?;
        let compiled = if is_stdin {
            let text = read(Path::new("-"))?;
            c::program::compile_texts(vec![("<stdin>".into(), text)], &options)
        } else {
            c::program::compile_files(&what.files, &options)
        };
        let compiled = compiled.map_err(|e| Error::Input(e.to_string().trim_end().to_owned()))?;
        if !compiled.checked.warnings.is_empty() {
            reading.warn(compiled.checked.warnings.trim_end());
        }
        // What is checked by contracts is no program that a compiler could make.
        let build = match is_stdin || self.contracts.is_some() {
            true => None,
            false => Some(build(what.files.clone(), &options)?),
        };
        let lowered = compiled.lowered;
        let sources = Sources::of_c(compiled.checked.lines).with_functions(&lowered.program);
        Ok(Loaded {
            name: self.name(),
            assumptions: assumptions::told(&lowered.program, &lowered.assumptions),
            lowered: Lowered::Program(lowered.program),
            names: Names::of_c(lowered.vars)
                .with_results(lowered.results)
                .with_source(OfC {
                    types: compiled.checked.hir.types,
                    interner: compiled.checked.interner,
                    checks: lowered.checks,
                    layout: lowered.layout,
                }),
            sources,
            read: compiled.checked.read.into_iter().map(Into::into).collect(),
            build,
            plain_c: !by_rules,
            question: Question::Safety,
            also: None,
            known: Vec::new(),
        })
    }
}

/// A program whose own names are those of its source.
fn nameless(name: &str, lowered: Lowered, bytes: &[u8]) -> Loaded {
    let mut sources = Sources::default();
    if let Ok(text) = std::str::from_utf8(bytes) {
        sources.add(name, text);
    }
    Loaded {
        name: name.into(),
        lowered,
        names: Names::default(),
        assumptions: Vec::new(),
        sources,
        read: Vec::new(),
        build: None,
        plain_c: false,
        question: Question::Safety,
        also: None,
        known: Vec::new(),
    }
}

/// A C program, before it is known what is asked of it.
struct What {
    files: Vec<PathBuf>,
    model: c::types::DataModel,
    entry: Option<String>,
}

/// How a compiler makes the program of these files.
fn build(files: Vec<PathBuf>, options: &c::program::Options) -> Result<Build, Error> {
    let preprocess = &options.preprocess;
    let arguments = preprocess.arguments();
    let mut arguments = arguments.map_err(|e| Error::Usage(e.to_string()))?;
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

fn at(name: &str, e: &dyn std::fmt::Display) -> Error {
    Error::Input(format!("{name}: {e}"))
}

fn warn(reading: &Reading<'_>, name: &str, span: Span, message: &str) {
    let text = format!("warning: {name}:{}:{}: {message}", span.line, span.column);
    reading.warn(&text);
}

fn ivl(name: &str, bytes: &[u8]) -> Result<Program, Error> {
    let source =
        std::str::from_utf8(bytes).map_err(|e| at(name, &format!("not UTF-8 text: {e}")))?;
    text::parse(source).map_err(|errors| {
        let all: Vec<String> = errors.0.iter().map(|e| format!("{name}:{e}")).collect();
        Error::Input(all.join("\n"))
    })
}

fn of_aiger(name: &str, bytes: &[u8], reading: &Reading<'_>) -> Result<Lowered, Error> {
    let model = aiger::parse(bytes).map_err(|e| at(name, &e))?;
    let lowered = aiger::lower(&model, name);
    for w in &lowered.warnings {
        warn(reading, name, w.span, &w.message);
    }
    Ok(Lowered::Aiger(model, lowered))
}

fn of_btor2(name: &str, bytes: &[u8], reading: &Reading<'_>) -> Result<Lowered, Error> {
    let model = btor2::parse(bytes).map_err(|e| at(name, &e))?;
    let lowered = btor2::lower(&model, name);
    for w in &lowered.warnings {
        warn(reading, name, w.span, &w.message);
    }
    Ok(Lowered::Btor2(model, lowered))
}
