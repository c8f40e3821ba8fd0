//! `trellis pipelines`: list, show and check pipelines.

use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use trellis::Error;
use trellis::pipelines::{SHIPPED, check, load, text};
use trellis::worker::Worker;
use trellis_pipeline::keys;

/// Lists, shows and checks pipelines.
#[derive(Args)]
pub struct PipelinesArgs {
    #[command(subcommand)]
    command: PipelinesCommand,
}

#[derive(Subcommand)]
enum PipelinesCommand {
    /// List the pipelines that ship with Trellis
    List,
    /// Print the text of a pipeline
    Show {
        /// A shipped pipeline, or a file
        name: String,
    },
    /// Check a pipeline: its keys, passes, plugins, their options, and solvers
    Check {
        /// A shipped pipeline, or a file
        name: String,
        /// Further folders of plugins
        #[arg(long, value_name = "DIR")]
        plugins: Vec<PathBuf>,
    },
    /// List every key that a pipeline or a file of classes may have
    Keys,
}

/// Runs the command.
pub fn main(args: &PipelinesArgs, worker: &Worker) -> Result<ExitCode, Error> {
    match &args.command {
        PipelinesCommand::List => {
            for (name, _) in SHIPPED {
                println!("{name:<16} {}", load(name, &[], None)?.description);
            }
        }
        PipelinesCommand::Show { name } => {
            print!("{}", text(name)?);
        }
        PipelinesCommand::Check { name, plugins } => {
            let pipeline = load(name, &[], None)?;
            check(&pipeline, plugins, worker)?;
            println!("{name}: {} engines, well-formed", pipeline.engines.len());
        }
        PipelinesCommand::Keys => {
            for (table, keys) in keys::ALL.iter().chain(keys::OF_CLASSES) {
                if !table.is_empty() {
                    println!("\n[{table}]");
                }
                for key in *keys {
                    println!("{:<16} {:<16} {}", key.name, key.ty, key.doc);
                }
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
