//! `trellis completions` and `trellis man`: what shells and `man` want to know, from the command line's own definition.

use crate::out::write_atomically;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::PathBuf;
use std::process::ExitCode;
use trellis::Error;

/// Prints what a shell needs to complete arguments.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Writes the manual.
#[derive(Args)]
pub struct ManArgs {
    /// The folder for the pages, one for each command
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

/// Runs `completions`.
pub fn completions(args: &CompletionsArgs) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut crate::Cli::command(),
        "trellis",
        &mut script,
    );
    write_atomically("-".as_ref(), script)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `man`.
pub fn man(args: &ManArgs) -> Result<ExitCode, Error> {
    let io = |error| Error::Io {
        path: args.dir.clone(),
        error,
    };
    std::fs::create_dir_all(&args.dir).map_err(io)?;
    let mut all = crate::Cli::command().disable_help_subcommand(true);
    all.build();
    pages(&all, "", &args.dir).map_err(io)?;
    Ok(ExitCode::SUCCESS)
}

fn pages(command: &clap::Command, parent: &str, dir: &std::path::Path) -> std::io::Result<()> {
    let name = match parent {
        "" => command.get_name().to_string(),
        parent => format!("{parent}-{}", command.get_name()),
    };
    let page = clap_mangen::Man::new(command.clone()).title(name.to_uppercase());
    let mut text = Vec::new();
    page.render(&mut text)?;
    std::fs::write(dir.join(format!("{name}.1")), text)?;
    for sub in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        pages(sub, &name, dir)?;
    }
    Ok(())
}
