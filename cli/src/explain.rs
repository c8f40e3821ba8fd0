//! `trellis explain`: what a kind of error or an assumption means, and what to do about it.

use clap::Args;
use std::process::ExitCode;
use trellis::Error;
use trellis::kinds::{KINDS, Kind};
use trellis_frontend_c::assumptions::Assumption;
use trellis_ivl::nearest::nearest;

/// Explains a kind of error, or an assumption.
#[derive(Args)]
pub struct ExplainArgs {
    /// Its name, such as valid-deref or malloc-succeeds; without one all are listed
    name: Option<String>,
}

/// Runs the command.
pub fn main(args: &ExplainArgs) -> Result<ExitCode, Error> {
    let Some(name) = &args.name else {
        for kind in KINDS {
            println!("{:<18} {}", kind.name, kind.title);
        }
        for assumption in Assumption::all() {
            println!(
                "{:<18} assumed: {}",
                assumption.name(),
                assumption.explanation()
            );
        }
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(kind) = KINDS.iter().find(|k| k.name == name) {
        print!("{}", text(kind));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(assumption) = Assumption::all().find(|a| a.name() == name) {
        let (name, means) = (assumption.name(), assumption.explanation());
        println!("{name}: an assumption\n\n{means}.\n");
        println!(
            "`--assume {name}` makes it, `--no-assume {name}` does not: docs/src/c.md#assumptions"
        );
        return Ok(ExitCode::SUCCESS);
    }
    let names = KINDS
        .iter()
        .map(|k| k.name)
        .chain(Assumption::all().map(|a| a.name()));
    let near = nearest(name, names);
    let hint = near.map_or(String::new(), |n| format!(", did you mean `{n}`?"));
    Err(Error::Usage(format!(
        "explain: there is no kind of error and no assumption `{name}`{hint} (`trellis explain` lists them)"
    )))
}

fn text(kind: &Kind) -> String {
    let (wrong, right) = kind.example;
    format!(
        "{}: {}\n\n{}\n\n{}\n\nInstead of\n    {wrong}\nwrite\n    {right}\n\nMore: {}\n",
        kind.name, kind.title, kind.means, kind.help, kind.page
    )
}
