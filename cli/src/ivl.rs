//! `trellis ivl`: print, verify, optimise, draw and run programs.

use crate::error::{EXIT_FALSE, EXIT_UNKNOWN};
use crate::run::{self, RunArgs};
use crate::show;
use crate::source::SourceArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use trellis::Error;
use trellis::plugins::Plugins;
use trellis::worker::Worker;
use trellis_ivl_passes::{PASSES, PassError, Property, Size, options_of};

/// Works on programs of the intermediate language, or of any language with a front end.
#[derive(Args)]
pub struct IvlArgs {
    #[command(subcommand)]
    command: IvlCommand,
    /// Further folders of plugins
    #[arg(long, value_name = "DIR", global = true)]
    plugins: Vec<PathBuf>,
}

#[derive(Subcommand)]
enum IvlCommand {
    /// Print the program in canonical text form, with the lines of a C program as comments
    Print(SourceArgs),
    /// Check that the program is well-formed
    Verify(SourceArgs),
    /// Run passes and print the result; figures go to standard error with -v
    Opt {
        /// Passes in order, e.g. `inline, (propagate, dce)*, lbe(limit=20)`
        #[arg(long, value_name = "LIST", default_value = trellis_ivl_passes::registry::DEFAULT)]
        passes: String,
        /// Show what each pass did
        #[arg(short, long)]
        verbose: bool,
        #[command(flatten)]
        source: SourceArgs,
    },
    /// Execute the program with chosen or random inputs
    Run {
        #[command(flatten)]
        args: RunArgs,
        #[command(flatten)]
        source: SourceArgs,
    },
    /// Print the control-flow graph in DOT form
    Dot(SourceArgs),
    /// List the passes
    Passes,
}

/// Runs the command.
pub fn main(args: &IvlArgs, worker: &Worker) -> Result<ExitCode, Error> {
    let plugins = &Plugins::new(&args.plugins, worker);
    match &args.command {
        IvlCommand::Print(source) => {
            let loaded = source.load(worker, plugins)?;
            let program = loaded.program();
            if source.source()?.is_c() {
                print!("{}", show::with_source(program, &loaded.sources));
            } else {
                print!("{program}");
            }
        }
        IvlCommand::Verify(source) => {
            let size = Size::of(source.load(worker, plugins)?.program());
            println!("well-formed: {}", show(size));
        }
        IvlCommand::Opt {
            passes,
            verbose,
            source,
        } => optimise(source, passes, *verbose, worker, plugins)?,
        IvlCommand::Run { args, source } => {
            let loaded = source.load(worker, plugins)?;
            return Ok(match run::run(loaded.program(), args)? {
                run::End::Error => ExitCode::from(EXIT_FALSE),
                run::End::Incomplete => ExitCode::from(EXIT_UNKNOWN),
                run::End::Stopped => ExitCode::SUCCESS,
            });
        }
        IvlCommand::Dot(source) => {
            print!(
                "{}",
                trellis_ivl::dot::dot(source.load(worker, plugins)?.program())
            )
        }
        IvlCommand::Passes => {
            for (name, help, _) in PASSES {
                println!("{name:<12} {help}");
                for option in options_of(name) {
                    let (values, default) = (option.values(), &option.default);
                    println!(
                        "{:<12}   {} = {default} ({values}): {}",
                        "", option.name, option.doc
                    );
                }
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

fn optimise(
    source: &SourceArgs,
    passes: &str,
    verbose: bool,
    worker: &Worker,
    plugins: &Plugins,
) -> Result<(), Error> {
    let read = |given: &[Property]| {
        let list = plugins.pass_list(passes, given);
        list.map_err(|e| Error::Usage(e.to_string()))
    };
    // A list that fits no program is told before a long file is read.
    read(&[Property::RegionBases, Property::Flat])?;
    let mut program = source.load(worker, plugins)?.program().clone();
    let list = read(&Property::of(&program))?;
    let before = Size::of(&program);
    let start = Instant::now();
    let report = list.run(&mut program).map_err(|e| match e {
        PassError::Foreign { .. } => Error::Input(e.to_string()),
        e => Error::Internal(e.to_string()),
    })?;
    if let Some(e) = report.failed.first() {
        return Err(Error::Input(e.to_string()));
    }
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
