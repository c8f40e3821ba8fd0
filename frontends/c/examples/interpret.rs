//! Runs C programs through the IVL interpreter: `interpret [--32|--64] [-IDIR] [-DX] FILE...`.
//! Prints for each file what `main` returns, in hexadecimal, or where the run ended instead.
//! With `--time` prints how long lowering takes and how large the program is, and runs nothing;
//! with `--print` the IVL program.

use std::path::PathBuf;
use std::time::Instant;
use trellis_frontend_c::lower::Properties;
use trellis_frontend_c::program::{Options, compile_files};
use trellis_frontend_c::types::DataModel;
use trellis_ivl::{Action, Input, LocKind, Machine, Oracle, Program, Type, Value};

/// Every input is zero, every choice the first.
struct Zero;

impl Oracle for Zero {
    fn input(&mut self, _: Input, ty: Type) -> Value {
        Value::zero(ty)
    }
    fn pick(&mut self, _: usize) -> usize {
        0
    }
}

fn interpret(program: &Program, steps: u64) -> Result<u64, String> {
    let mut machine = Machine::new(program, |_, ty| Value::zero(ty));
    let start = program.main;
    for _ in 0..steps {
        if machine.is_final() {
            let loc = &program.locs[machine.loc()];
            let result = program.edges.values().find_map(|e| match &e.action {
                Action::Call(call) if program.locs[e.from].proc == start => {
                    call.results.first().copied()
                }
                _ => None,
            });
            return match &loc.kind {
                LocKind::Plain if Some(machine.loc()) == program.procs[start].exit => {
                    let value = result.map(|r| machine.value(r).clone());
                    Ok(value.and_then(|v| v.as_bv()?.to_u64()).unwrap_or(0))
                }
                kind => Err(format!("{kind:?} at {}", loc.span)),
            };
        }
        if machine.step(&mut Zero).is_none() {
            return Err(format!("blocked at {}", program.locs[machine.loc()].span));
        }
    }
    Err("too many steps".into())
}

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
            a if a.starts_with("-D") => options.preprocess.defines.push(a[2..].into()),
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
                    match interpret(program, steps) {
                        Ok(value) => println!("{name}: {:X}", value as u32),
                        Err(why) => println!("{name}: {why}"),
                    }
                }
            }
        }
    }
}
