//! `trellis plugins`: which plugins there are, and what they say about themselves.

use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trellis::Error;
use trellis::worker::{Worker, search_path};
use trellis_plugin_host::pass;
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
    #[command(visible_alias = "info")]
    Describe {
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
pub fn main(args: &PluginsArgs, worker: &Worker) -> Result<ExitCode, Error> {
    let search = search_path(&args.plugins);
    let exe = worker.executable().to_path_buf();
    match &args.command {
        PluginsCommand::List => {
            let all = search.all();
            for found in &all {
                match probe(&exe, &found.path) {
                    Ok(info) => println!("{:<16} {:<9} {}", info.id, info.kind, info.description),
                    Err(e) => println!("{:<16} broken    {e}", found.id),
                }
            }
            if all.is_empty() {
                let dirs: Vec<_> = search.dirs().iter().map(|d| d.display()).collect();
                eprintln!("no plugins in {dirs:?}");
            }
        }
        PluginsCommand::Describe { plugin } => {
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

fn ask(exe: &Path, path: &Path) -> Result<PluginInfo, Error> {
    probe(exe, path).map_err(|e| Error::Usage(e.to_string()))
}

/// A library by path or by id.
fn library(plugin: &str, search: &SearchPath) -> Result<PathBuf, Error> {
    let path = Path::new(plugin);
    if path.components().count() > 1 || path.is_file() {
        return std::path::absolute(path).map_err(|error| Error::Io {
            path: path.into(),
            error,
        });
    }
    // Plugins of one name and different kinds are told apart by their libraries.
    let found = PluginKind::ALL.map(|kind| search.find(kind, plugin));
    let (found, missing): (Vec<_>, Vec<_>) = found.into_iter().partition(Result::is_ok);
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    match (found.len(), missing.into_iter().find_map(Result::err)) {
        (0, Some(e)) => Err(Error::Usage(e.to_string())),
        (1, _) => Ok(found.remove(0).path),
        _ => {
            let all = found.iter();
            let all = all.map(|f| format!("{} (the {})", f.path.display(), f.kind));
            let all: Vec<String> = all.collect();
            Err(Error::Usage(format!(
                "there are several `{plugin}`: say {}",
                all.join(" or ")
            )))
        }
    }
}

fn describe(path: &Path, info: &PluginInfo) {
    println!("{} {} ({})", info.id, info.version, info.kind);
    println!("  {}", info.description);
    println!("  library  {}", path.display());
    println!("  licence  {}", info.licence);
    println!("  ABI      {}", info.abi);
    if !info.extensions.is_empty() {
        println!("  files    .{}", info.extensions.join(", ."));
    }
    let properties = info.properties;
    for (what, word) in [
        ("needs   ", properties.requires),
        ("ensures ", properties.ensures),
        ("destroys", properties.destroys),
    ] {
        let all: Vec<String> = pass::properties(word)
            .iter()
            .map(ToString::to_string)
            .collect();
        if !all.is_empty() {
            println!("  {what} {}", all.join(", "));
        }
    }
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
