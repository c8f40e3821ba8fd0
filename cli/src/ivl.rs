//! `trellis ivl`: print, verify, optimise, draw and run programs.

use crate::error::{CliError, EXIT_FALSE, EXIT_UNKNOWN};
use crate::load::Source;
use crate::run::{self, RunArgs};
use crate::show;
use clap::{Args, Subcommand};
use std::process::ExitCode;
use std::time::Instant;
use trellis_ivl_passes::{PASSES, Property, Size, parse_list};

/// Works on programs of the intermediate language, or of any language with a front end.
#[derive(Args)]
pub struct IvlArgs {
    #[command(subcommand)]
    command: IvlCommand,
}

#[derive(Subcommand)]
enum IvlCommand {
    /// Print the program in canonical text form, with the lines of a C program as comments
    Print(Source),
    /// Check that the program is well-formed
    Verify(Source),
    /// Run passes and print the result; figures go to standard error with -v
    Opt {
        /// Passes in order, e.g. `inline, (propagate, dce)*, lbe(limit=20)`
        #[arg(long, value_name = "LIST", default_value = trellis_ivl_passes::registry::DEFAULT)]
        passes: String,
        /// Show what each pass did
        #[arg(short, long)]
        verbose: bool,
        #[command(flatten)]
        source: Source,
    },
    /// Execute the program with chosen or random inputs
    Run {
        #[command(flatten)]
        args: RunArgs,
        #[command(flatten)]
        source: Source,
    },
    /// Print the control-flow graph in DOT form
    Dot(Source),
    /// List the passes
    Passes,
}

/// Runs the command.
pub fn main(args: &IvlArgs) -> Result<ExitCode, CliError> {
    match &args.command {
        IvlCommand::Print(source) => {
            let loaded = source.load_named()?;
            if source.is_c() {
                print!("{}", show::with_source(&loaded.program, &loaded.sources));
            } else {
                print!("{}", loaded.program);
            }
        }
        IvlCommand::Verify(source) => {
            let size = Size::of(&source.load()?);
            println!("well-formed: {}", show(size));
        }
        IvlCommand::Opt {
            passes,
            verbose,
            source,
        } => optimise(source, passes, *verbose)?,
        IvlCommand::Run { args, source } => {
            let program = source.load()?;
            return Ok(match run::run(&program, args)? {
                run::End::Error => ExitCode::from(EXIT_FALSE),
                run::End::Incomplete => ExitCode::from(EXIT_UNKNOWN),
                run::End::Stopped => ExitCode::SUCCESS,
            });
        }
        IvlCommand::Dot(source) => print!("{}", trellis_ivl::dot::dot(&source.load()?)),
        IvlCommand::Passes => {
            for (name, help, _) in PASSES {
                println!("{name:<12} {help}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show(size: Size) -> String {
    format!(
        "{} locations, {} edges, {} variables changed, {} operations",
        size.locs, size.edges, size.vars, size.operations
    )
}

fn optimise(source: &Source, passes: &str, verbose: bool) -> Result<(), CliError> {
    let read =
        |given: &[Property]| parse_list(passes, given).map_err(|e| CliError::Usage(e.to_string()));
    // A list that fits no program is told before a long file is read.
    read(&[Property::RegionBases, Property::Flat])?;
    let mut program = source.load()?;
    let list = read(&Property::of(&program))?;
    let before = Size::of(&program);
    let start = Instant::now();
    let report = list
        .run(&mut program)
        .map_err(|e| CliError::Internal(e.to_string()))?;
    if verbose {
        eprintln!("{:<12} {:>10}  {}", "start", "", show(before));
        for r in &report.runs {
            eprintln!(
                "{:<12} {:>8.3}ms  {}",
                r.name,
                r.time.as_secs_f64() * 1e3,
                show(r.after)
            );
        }
        eprintln!(
            "{:<12} {:>8.3}ms",
            "total",
            start.elapsed().as_secs_f64() * 1e3
        );
    }
    print!("{program}");
    Ok(())
}
