//! Validates a witness with another executable as the worker, and tells of every time that it is started itself.

use std::io::Write;
use std::path::Path;
use trellis::worker::Worker;
use trellis::{Session, pipeline};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let log = std::fs::OpenOptions::new().append(true).create(true).open("own");
    writeln!(log?, "{args:?}")?;
    let session = Session::new(pipeline("portfolio")?).worker(Worker::at(Path::new(&args[1]))?);
    let outcome = session.validate(Path::new("p.c"), Path::new("w.yml"), None)?;
    println!("{outcome:?}");
    Ok(())
}
