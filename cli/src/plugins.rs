//! `trellis plugins`: which plugins there are, and what they say about themselves.

use crate::error::CliError;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trellis::worker::{Worker, search_path};
use trellis_plugin_host::{PluginInfo, PluginKind, SearchPath, probe};

/// Lists, describes and checks plugins.
#[derive(Args)]
pub struct PluginsArgs {
    #[command(subcommand)]
    command: PluginsCommand,
    /// Further folders of plugins
    #[arg(long, value_name = "DIR", global = true)]
    plugins: Vec<PathBuf>,
}

#[derive(Subcommand)]
enum PluginsCommand {
    /// List the plugins in the usual places
    List,
    /// Say what a plugin is and which options it has
    Info {
        /// An id, or a library
        plugin: String,
    },
    /// Load a plugin and check its handshake
    Check {
        /// An id, or a library
        plugin: String,
    },
}

/// Runs the command.
pub fn main(args: &PluginsArgs, worker: &Worker) -> Result<ExitCode, CliError> {
    let search = search_path(&args.plugins);
    let exe = worker.executable().to_path_buf();
    match &args.command {
        PluginsCommand::List => {
            let all = search.all();
            for found in &all {
                match probe(&exe, &found.path) {
                    Ok(info) => println!("{:<16} {:<7} {}", info.id, info.kind, info.description),
                    Err(e) => println!("{:<16} broken  {e}", found.id),
                }
            }
            if all.is_empty() {
                let dirs: Vec<_> = search.dirs().iter().map(|d| d.display()).collect();
                eprintln!("no plugins in {dirs:?}");
            }
        }
        PluginsCommand::Info { plugin } => {
            let path = library(plugin, &search)?;
            describe(&path, &ask(&exe, &path)?);
        }
        PluginsCommand::Check { plugin } => {
            let path = library(plugin, &search)?;
            let info = ask(&exe, &path)?;
            println!(
                "{}: {} `{}`, ABI {}",
                path.display(),
                info.kind,
                info.id,
                info.abi
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn ask(exe: &Path, path: &Path) -> Result<PluginInfo, CliError> {
    probe(exe, path).map_err(|e| CliError::Usage(e.to_string()))
}

/// A library by path or by id.
fn library(plugin: &str, search: &SearchPath) -> Result<PathBuf, CliError> {
    let path = Path::new(plugin);
    if path.components().count() > 1 || path.is_file() {
        return std::path::absolute(path).map_err(|error| CliError::Io {
            path: path.into(),
            error,
        });
    }
    // An engine and a solver of one name are told apart by their libraries.
    let found = PluginKind::ALL.map(|kind| search.find(kind, plugin));
    match found {
        [Ok(engine), Ok(backend)] => Err(CliError::Usage(format!(
            "`{plugin}` is an engine and a solver: say {} or {}",
            engine.path.display(),
            backend.path.display()
        ))),
        [Ok(found), Err(_)] | [Err(_), Ok(found)] => Ok(found.path),
        [Err(e), Err(_)] => Err(CliError::Usage(e.to_string())),
    }
}

fn describe(path: &Path, info: &PluginInfo) {
    println!("{} {} ({})", info.id, info.version, info.kind);
    println!("  {}", info.description);
    println!("  library  {}", path.display());
    println!("  licence  {}", info.licence);
    println!("  ABI      {}", info.abi);
    if info.options.is_empty() {
        println!("  options  none");
    }
    for option in &info.options {
        println!(
            "  {} = {} ({})",
            option.name,
            option.default,
            option.spec().values()
        );
        println!("      {}", option.doc);
    }
}
