//! `trellis plugin new`: the files of a new plugin.

use clap::{Args, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trellis::Error;
use trellis_plugin_template as template;

/// Works on one plugin.
#[derive(Args)]
pub struct PluginArgs {
    #[command(subcommand)]
    command: PluginCommand,
}

#[derive(Subcommand)]
enum PluginCommand {
    /// Write a plugin that builds, loads and passes its test
    New {
        /// Its name: lower-case letters, digits and dashes
        name: String,
        /// What it is to be
        #[arg(long, default_value = "engine")]
        kind: Kind,
        /// Which engine to begin with
        #[arg(long, value_name = "TEMPLATE", default_value = "graph")]
        template: Template,
        /// What to write it in
        #[arg(long, default_value = "rust")]
        lang: Lang,
        /// Where; a new folder of its name by default
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// The SDK that a Rust plugin depends on
        #[arg(long, value_name = "DIR")]
        sdk: Option<PathBuf>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Decides programs
    Engine,
    /// Transforms programs
    Pass,
    /// Answers queries
    Solver,
    /// Reads a language
    Frontend,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Template {
    /// Follows edges, without a solver
    Graph,
    /// Uses solver sessions, lemmas and invariants
    Smt,
}

#[derive(Clone, Copy, ValueEnum)]
enum Lang {
    Rust,
    C,
}

/// Runs the command.
pub fn main(args: &PluginArgs) -> Result<ExitCode, Error> {
    let PluginCommand::New {
        name,
        kind,
        template: begin,
        lang,
        dir,
        sdk,
    } = &args.command;
    let sdk = match sdk {
        Some(sdk) if !sdk.join("Cargo.toml").is_file() => {
            let why = format!("{}: the SDK is not there", sdk.display());
            return Err(Error::Usage(why));
        }
        Some(sdk) => std::path::absolute(sdk),
        None => Path::new(template::SDK).canonicalize(),
    };
    let language = match lang {
        Lang::Rust => template::Language::Rust,
        Lang::C => template::Language::C,
    };
    let sdk = match (sdk, language) {
        (Ok(sdk), _) => sdk.display().to_string(),
        (Err(_), template::Language::C) => String::new(),
        (Err(e), template::Language::Rust) => {
            return Err(Error::Usage(format!(
                "the SDK is not at {} ({e}): say where it is with --sdk",
                template::SDK
            )));
        }
    };
    let kind = match (kind, begin) {
        (Kind::Engine, Template::Graph) => template::Kind::Engine,
        (Kind::Engine, Template::Smt) => template::Kind::SmtEngine,
        (Kind::Pass, Template::Graph) => template::Kind::Pass,
        (Kind::Solver, Template::Graph) => template::Kind::Solver,
        (Kind::Frontend, Template::Graph) => template::Kind::FrontEnd,
        (_, Template::Smt) => {
            let why = "--template smt is for engines";
            return Err(Error::Usage(why.into()));
        }
    };
    let files =
        template::files(name, kind, language, &sdk).map_err(|e| Error::Usage(e.to_string()))?;
    let dir = dir.clone().unwrap_or_else(|| PathBuf::from(name));
    if dir.exists() {
        return Err(Error::Usage(format!("{} exists already", dir.display())));
    }
    for (path, text) in files {
        let path = dir.join(path);
        let io = |error| Error::Io {
            path: path.clone(),
            error,
        };
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(io)?;
        }
        std::fs::write(&path, text).map_err(io)?;
    }
    println!("wrote {}", dir.display());
    Ok(ExitCode::SUCCESS)
}
