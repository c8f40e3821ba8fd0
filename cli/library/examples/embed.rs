//! `cargo run -p trellis --example embed -- FILE`: a check as a value.

use std::process::ExitCode;
use trellis::{Session, Source, pipeline, worker};

fn main() -> Result<ExitCode, trellis::Error> {
    let worker = match worker::intercept() {
        Ok(worker) => worker,
        Err(code) => return Ok(code),
    };
    let file = std::env::args_os().nth(1).unwrap_or("program.c".into());
    let session = Session::new(pipeline("portfolio")?).worker(worker);
    let checked = session.check(&Source::file(file))?;
    println!("{}", checked.verdict());
    Ok(ExitCode::SUCCESS)
}
