//! Runs C programs through the IVL interpreter: `interpret [--32|--64] [-IDIR] [-DX] FILE...`.
//! Prints for each file what `main` returns, in hexadecimal, or where the run ended instead.
//! With `--time` prints how long lowering takes and how large the program is, and runs nothing;
//! with `--print` the IVL program.

use std::path::PathBuf;
use std::time::Instant;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::preprocess::Macro;
use trellis_frontend_c::program::{Options, compile_files};
use trellis_frontend_c::types::DataModel;

#[path = "../tests/common/mod.rs"]
mod common;

fn main() {
    let mut options = Options {
        model: DataModel::Lp64,
        properties: Properties::REACH,
        ..Options::default()
    };
    let mut files: Vec<PathBuf> = Vec::new();
    let (mut time, mut print, mut steps) = (false, false, 50_000_000);
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--32" => options.model = DataModel::Ilp32,
            "--64" => options.model = DataModel::Lp64,
            "--time" => time = true,
            "--print" => print = true,
            "--all" => options.properties = Properties::ALL,
            "--memsafety" => options.properties = Properties::MEMSAFETY,
            a if a.starts_with("-I") => options.preprocess.include_dirs.push(a[2..].into()),
            a if a.starts_with("-D") => {
                let define = Macro::Define(a[2..].into());
                options.preprocess.macros.push(define);
            }
            a if a.starts_with("--steps=") => steps = a[8..].parse().unwrap_or(steps),
            a => files.push(a.into()),
        }
    }
    for file in files {
        let start = Instant::now();
        let name = file.display().to_string();
        match compile_files(&[file], &options) {
            Err(e) => println!("{name}: error: {e}"),
            Ok(c) => {
                let program = &c.lowered.program;
                if print {
                    println!("{program}");
                } else if time {
                    println!(
                        "{name}: {:.3} s, {} locations, {} edges",
                        start.elapsed().as_secs_f64(),
                        program.locs.len(),
                        program.edges.len()
                    );
                } else {
                    match common::interpret(program, steps) {
                        Ok(value) => println!("{name}: {:X}", value as u32),
                        Err(why) => println!("{name}: {why}"),
                    }
                }
            }
        }
    }
}
