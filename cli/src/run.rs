//! `trellis ivl run`: the interpreter at work.

use clap::Args;
use std::collections::{BTreeMap, VecDeque};
use trellis::Error;
use trellis_ivl::nearest::nearest;
use trellis_ivl::rng::Rng;
use trellis_ivl::{
    ArrayValue, Bv, Input, LocKind, Machine, Oracle, Program, Step, Type, Value, text,
};

/// How to run.
#[derive(Args)]
pub struct RunArgs {
    /// Seed of the random inputs and choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stop after this many steps
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    steps: usize,
    /// Values of an input (by name or number) in the order they are read, e.g. `x=1bv8,2bv8`; the
    /// last one is repeated
    #[arg(long = "input", value_name = "NAME=VALUES")]
    inputs: Vec<String>,
    /// Print nothing but the end
    #[arg(short, long)]
    quiet: bool,
}

/// How a run ended.
pub enum End {
    /// At an error location.
    Error,
    /// At an incomplete location.
    Incomplete,
    /// Anywhere else.
    Stopped,
}

fn value(random: &mut Rng, ty: Type) -> Value {
    let mut bv = |width| Bv::from_bits(&(0..width).map(|_| random.bit()).collect::<Vec<_>>());
    match ty {
        Type::Bool => Value::Bool(random.bit()),
        Type::Bv(width) => bv(width).into(),
        Type::Array { index, elem } => ArrayValue::constant(index, bv(elem)).into(),
    }
}

struct Chooser {
    random: Rng,
    chosen: BTreeMap<Input, VecDeque<Value>>,
}

impl Oracle for Chooser {
    fn input(&mut self, input: Input, ty: Type) -> Value {
        match self.chosen.get_mut(&input) {
            Some(values) if values.len() > 1 => values.pop_front().expect("two or more"),
            Some(values) => values[0].clone(),
            None => value(&mut self.random, ty),
        }
    }

    fn pick(&mut self, n: usize) -> usize {
        self.random.below(n)
    }
}

/// Runs `program` and reports on standard output.
pub fn run(program: &Program, args: &RunArgs) -> Result<End, Error> {
    let mut oracle = Chooser {
        random: Rng::new(args.seed),
        chosen: chosen_inputs(program, &args.inputs)?,
    };
    let mut machine = Machine::new(program, |_, ty| value(&mut oracle.random, ty));
    for _ in 0..args.steps {
        if machine.is_final() {
            break;
        }
        let Some(step) = machine.step(&mut oracle) else {
            break;
        };
        if !args.quiet {
            println!("{}", show(program, &step, &machine));
        }
    }
    let loc = machine.loc();
    Ok(match &program.locs[loc].kind {
        LocKind::Error(property) => {
            println!("error at {loc}: {property}");
            End::Error
        }
        LocKind::Incomplete(reason) => {
            println!("incomplete at {loc}: {reason}");
            End::Incomplete
        }
        LocKind::Plain if Some(loc) == program.procs[program.main].exit => {
            println!("end of {} at {loc}", program.procs[program.main].name);
            End::Stopped
        }
        LocKind::Plain if machine.is_final() => {
            println!("no edge leaves {loc}");
            End::Stopped
        }
        LocKind::Plain => {
            println!("stopped at {loc}: every edge is blocked, or the steps are used up");
            End::Stopped
        }
    })
}

/// One line: the edge, what was chosen, and the variables it changed.
fn show(program: &Program, step: &Step, machine: &Machine) -> String {
    let mut line = format!("{} -> {}", step.edge, machine.loc());
    for (input, value) in &step.inputs {
        line += &format!("  {}={value}", program.inputs[*input].name);
    }
    if let Some(c) = program.edge_cmd(step.edge) {
        for v in program.cmds.modified(c) {
            line += &format!(
                "  {} := {}",
                program.pool.var_data(v).name,
                machine.value(v)
            );
        }
    }
    line
}

fn chosen_inputs(
    program: &Program,
    given: &[String],
) -> Result<BTreeMap<Input, VecDeque<Value>>, Error> {
    let mut chosen = BTreeMap::new();
    for text in given {
        let Some((name, values)) = text.split_once('=') else {
            return Err(Error::Usage(format!(
                "--input {text}: expected NAME=VALUES"
            )));
        };
        let named: Vec<Input> = program
            .inputs
            .iter()
            .filter(|(i, d)| d.name == name || i.to_string() == name)
            .map(|(i, _)| i)
            .collect();
        if named.is_empty() {
            let known = program.inputs.values().map(|d| d.name.as_str());
            let hint = match nearest(name, known) {
                Some(n) => format!("; did you mean '{n}'?"),
                None => String::new(),
            };
            return Err(Error::Usage(format!(
                "--input {text}: there is no input '{name}'{hint}"
            )));
        }
        for i in named {
            let ty = program.inputs[i].ty;
            let values = values
                .split(',')
                .map(|v| constant(v, ty))
                .collect::<Result<_, _>>()?;
            chosen.insert(i, values);
        }
    }
    Ok(chosen)
}

fn constant(text: &str, ty: Type) -> Result<Value, Error> {
    let mut scratch = Program::new();
    let wrong =
        |why: String| Error::Usage(format!("--input: '{text}' is no value of type {ty}{why}"));
    let term = text::parse_term(&mut scratch, text).map_err(|e| wrong(format!(": {e}")))?;
    match scratch.pool.const_value(term) {
        Some(value) if value.ty() == ty => Ok(value),
        _ => Err(wrong(String::new())),
    }
}
