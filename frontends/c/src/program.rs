//! From files to the typed program.

use crate::acsl::harness::Function;
use crate::acsl::{self, Placed};
use crate::assumptions::Granted;
use crate::ast::Ast;
use crate::columns::restore;
use crate::diag::Diagnostics;
use crate::hir::Hir;
use crate::lex::{Interner, tokenize};
use crate::library;
use crate::lower::{Lowered, Properties, lower};
use crate::parse::parse;
use crate::preprocess::{self, PreprocessError, PreprocessOptions, preprocess};
use crate::sema;
use crate::source::{BufferId, Place, SourceMap};
use crate::types::{DataModel, Types};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Stack for the analysis and lowering of deeply nested programs: room for `sema::MAX_DEPTH` levels.
const STACK: usize = 1 << 30;

/// How to read a program.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Width of long and pointers.
    pub model: DataModel,
    /// For files with directives.
    pub preprocess: PreprocessOptions,
    /// Which properties become error locations.
    pub properties: Properties,
    /// What may be taken for granted.
    pub granted: Granted,
    /// Where the program begins; `main` when none.
    pub entry: Option<String>,
    /// Whether functions are what their contracts say, and `entry` is checked on its own.
    pub contracts: Option<Contracts>,
}

/// Where contracts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contracts {
    /// In comments of the program.
    Inline,
    /// In comments of a file with declarations.
    File(PathBuf),
}

impl Options {
    fn types(&self) -> Types {
        let mut types = Types::new(self.model);
        types.excess = self.preprocess.excess_precision && self.model == DataModel::Ilp32;
        types
    }
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The user's files or system.
    #[error(transparent)]
    Preprocess(#[from] PreprocessError),
    /// The user's program; the text is the rendered diagnostics.
    #[error("{0}")]
    Invalid(String),
    /// The user's program has nowhere to begin.
    #[error("there is no function '{0}' with a body to start from")]
    NoEntry(String),
    /// A limit: positions are 32 bits.
    #[error("more than 4 GiB of source text")]
    TooLarge,
    /// The system.
    #[error("cannot start a thread for the front end: {0}")]
    Thread(std::io::Error),
}

/// A checked program.
#[derive(Debug)]
pub struct Checked {
    /// The typed program.
    pub hir: Hir,
    /// Positions.
    pub sources: SourceMap,
    /// Names of tags and members.
    pub interner: Interner,
    /// Rendered warnings.
    pub warnings: String,
    /// What the user's files say, line by line, by the names that positions use. Nothing else is ever read to
    /// show a line: a program may claim by `#line` to come from any file.
    pub lines: BTreeMap<String, BTreeMap<u32, String>>,
    /// The files that were read, headers of the system aside.
    pub read: BTreeSet<String>,
}

/// Reads, parses and checks files, linked as one program.
pub fn check_files(files: &[PathBuf], options: &Options) -> Result<Checked, Error> {
    let (texts, types) = (read(files, options)?, options.types());
    on_big_stack(move || check_here(texts, types))?
}

/// One translation unit.
#[derive(Clone)]
struct Text {
    name: String,
    bytes: Vec<u8>,
    /// Whether it is what a preprocessor made of the file of this name.
    expanded: bool,
    /// What the preprocessor read for it.
    read: BTreeMap<String, Vec<u8>>,
}

fn read(files: &[PathBuf], options: &Options) -> Result<Vec<Text>, Error> {
    let with_comments = PreprocessOptions {
        comments: options.contracts == Some(Contracts::Inline),
        ..options.preprocess.clone()
    };
    let read = |path: &PathBuf| -> Result<Text, Error> {
        let preprocessed = preprocess(path, options.model, &with_comments)?;
        Ok(Text {
            name: path.display().to_string(),
            bytes: preprocessed.text,
            expanded: preprocessed.expanded,
            read: preprocessed.read,
        })
    };
    files.iter().map(read).collect()
}

fn as_they_are(texts: Vec<(String, Vec<u8>)>) -> Vec<Text> {
    let text = |(name, bytes)| Text {
        name,
        bytes,
        expanded: false,
        read: BTreeMap::new(),
    };
    texts.into_iter().map(text).collect()
}

/// Parses and checks preprocessed texts, each with its file name, linked as one program.
pub fn check_texts(texts: Vec<(String, Vec<u8>)>, model: DataModel) -> Result<Checked, Error> {
    on_big_stack(move || check_here(as_they_are(texts), Types::new(model)))?
}

/// A program in the IVL.
pub struct Compiled {
    /// The IVL program and what its variables mean.
    pub lowered: Lowered,
    /// The typed program.
    pub checked: Checked,
}

/// Reads, checks and lowers files, linked as one program.
pub fn compile_files(files: &[PathBuf], options: &Options) -> Result<Compiled, Error> {
    compile(read(files, options)?, options)
}

/// Checks and lowers preprocessed texts, each with its file name, linked as one program.
pub fn compile_texts(texts: Vec<(String, Vec<u8>)>, options: &Options) -> Result<Compiled, Error> {
    compile(as_they_are(texts), options)
}

/// The functions of files that can be checked on their own, in order.
pub fn functions(files: &[PathBuf], options: &Options) -> Result<Vec<Function>, Error> {
    let (texts, options) = (read(files, options)?, options.clone());
    on_big_stack(move || Ok(modular(texts, &options)?.1))?
}

/// A text with its positions.
struct Unit {
    sources: SourceMap,
    buffer: BufferId,
    ast: Ast,
}

impl Unit {
    fn new(text: Text) -> Result<Unit, Error> {
        let (mut sources, mut interner) = (SourceMap::new(), Interner::default());
        let mut diags = Diagnostics::default();
        let buffer = sources.add(&text.name, text.bytes);
        let buffer = buffer.ok_or(Error::TooLarge)?;
        let tokens = tokenize(&mut sources, buffer, &mut interner, &mut diags);
        let ast = parse(tokens, &mut interner, &mut diags).ast;
        match diags.has_errors() {
            true => Err(Error::Invalid(diags.render(&sources))),
            false => Ok(Unit {
                sources,
                buffer,
                ast,
            }),
        }
    }

    fn definitions(&self) -> BTreeMap<String, acsl::Definition> {
        acsl::definitions(&self.ast, self.sources.base(self.buffer), self.bytes())
    }
}

impl Placed for Unit {
    fn bytes(&self) -> &[u8] {
        self.sources.text(self.buffer)
    }

    fn place(&self, at: usize) -> Place {
        let base = self.sources.base(self.buffer) as usize;
        self.sources.place((base + at) as u32)
    }
}

/// Texts in which functions are what their contracts say, and the functions that can be checked.
fn modular(texts: Vec<Text>, options: &Options) -> Result<(Vec<Text>, Vec<Function>), Error> {
    let apart = match &options.contracts {
        Some(Contracts::File(path)) => {
            let bytes = preprocess::text(path)?;
            let (name, read) = (path.display().to_string(), BTreeMap::new());
            let expanded = false;
            let text = Text {
                name,
                bytes,
                expanded,
                read,
            };
            Some(Unit::new(text)?)
        }
        _ => None,
    };
    let units: Result<Vec<Unit>, Error> = texts.iter().cloned().map(Unit::new).collect();
    let units = units?;
    let units: Vec<acsl::Unit<'_>> = (units.iter())
        .map(|unit| (unit as &dyn Placed, unit.definitions()))
        .collect();
    let apart = apart.as_ref().map(|unit| unit as &dyn Placed);
    let contracts = acsl::contracts(&units, apart).map_err(Error::Invalid)?;
    // Parameters of functions without a body have names only in a definition.
    let mut whole = texts.clone();
    for (text, more) in whole
        .iter_mut()
        .zip(acsl::declared_only(&units, &contracts))
    {
        text.bytes.extend_from_slice(more.as_bytes());
    }
    let checked = check_here(whole, options.types())?;
    let made = acsl::modular(&units, &contracts, &checked).map_err(Error::Invalid)?;
    let texts = texts.into_iter().zip(made.texts);
    let texts = texts.map(|(text, bytes)| Text { bytes, ..text });
    Ok((texts.collect(), made.functions))
}

fn compile(texts: Vec<Text>, options: &Options) -> Result<Compiled, Error> {
    let (types, properties) = (options.types(), options.properties);
    let granted = options.granted.clone();
    let entry = options.entry.clone().unwrap_or_else(|| "main".to_owned());
    let options = options.clone();
    on_big_stack(move || {
        let (texts, entry) = match options.contracts {
            None => (texts, entry),
            Some(_) => {
                let (texts, functions) = modular(texts, &options)?;
                let own = functions.into_iter().find(|f| f.name == entry);
                (texts, own.ok_or(Error::NoEntry(entry))?.entry)
            }
        };
        let checked = check_here(texts, types)?;
        match lower(&checked.hir, &checked.sources, &entry, properties, granted) {
            Some(lowered) => Ok(Compiled { lowered, checked }),
            None => Err(Error::NoEntry(entry)),
        }
    })?
}

/// Runs `work` on a thread whose stack bears deep recursions.
pub(crate) fn on_big_stack<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let thread = std::thread::Builder::new()
        .name("c-frontend".into())
        .stack_size(STACK)
        .spawn(work);
    match thread.map_err(Error::Thread)?.join() {
        Ok(result) => Ok(result),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn read_unit(
    text: Text,
    sources: &mut SourceMap,
    interner: &mut Interner,
    diags: &mut Diagnostics,
    lines: &mut BTreeMap<String, BTreeMap<u32, String>>,
) -> Result<Ast, Error> {
    let buffer = sources.add(&text.name, text.bytes);
    let buffer = buffer.ok_or(Error::TooLarge)?;
    let tokens = tokenize(sources, buffer, interner, diags);
    if text.expanded {
        restore(sources, buffer, &text.read);
    }
    sources.user_lines(buffer, &text.read, lines);
    Ok(parse(tokens, interner, diags).ast)
}

fn check_here(texts: Vec<Text>, types: Types) -> Result<Checked, Error> {
    let mut sources = SourceMap::new();
    let mut interner = Interner::default();
    let mut diags = Diagnostics::default();
    let mut units: Vec<Ast> = Vec::new();
    let mut lines = BTreeMap::new();
    let mut read = BTreeSet::new();
    for text in texts {
        read.extend(text.read.keys().cloned());
        units.push(read_unit(
            text,
            &mut sources,
            &mut interner,
            &mut diags,
            &mut lines,
        )?);
    }
    let mut models: Vec<Ast> = Vec::new();
    library::needed(&mut interner, |model, interner| {
        let text = Text {
            name: model.name.to_string(),
            bytes: model.text.as_bytes().to_vec(),
            expanded: false,
            read: BTreeMap::new(),
        };
        models.push(read_unit(
            text,
            &mut sources,
            interner,
            &mut diags,
            &mut lines,
        )?);
        Ok::<(), Error>(())
    })?;
    if diags.has_errors() {
        return Err(Error::Invalid(diags.render(&sources)));
    }
    let program = sema::Units {
        own: &units,
        library: &models,
    };
    let hir = sema::analyze(program, types, &sources, &mut interner, &mut diags);
    let text = diags.render(&sources);
    if diags.has_errors() {
        return Err(Error::Invalid(text));
    }
    Ok(Checked {
        hir,
        sources,
        interner,
        warnings: text,
        lines,
        read,
    })
}
