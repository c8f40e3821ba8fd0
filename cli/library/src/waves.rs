//! A run of a hardware model, signal by signal: for pages that draw it, and as a value change dump (IEEE 1364) for viewers of waves.

use crate::error::Error;
use crate::load::{Loaded, Lowered};
use std::fmt::Write;
use trellis_frontend_aiger::{self as aiger, Item};
use trellis_frontend_btor2 as btor2;
use trellis_ivl::{Bv, Trace, Value};

/// What a signal is in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is given from outside.
    Input,
    /// It is kept from one step to the next.
    State,
    /// It is shown to the outside.
    Output,
    /// It must never be 1.
    Bad,
}

impl Kind {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Input => "input",
            Kind::State => "state",
            Kind::Output => "output",
            Kind::Bad => "bad",
        }
    }
}

/// A signal with its value in each step.
#[derive(Clone, Debug)]
pub struct Signal {
    /// What the model calls it.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// How many bits it has.
    pub width: u32,
    /// Its values.
    pub values: Vec<Bv>,
}

/// A run.
#[derive(Clone, Debug, Default)]
pub struct Waves {
    /// The signals, in the order of the model.
    pub signals: Vec<Signal>,
    /// States that are memories, which are not drawn.
    pub memories: Vec<String>,
}

impl Waves {
    /// The run of a model that a trace is.
    pub fn new(loaded: &Loaded, trace: &Trace) -> Result<Waves, Error> {
        let internal = |e: &dyn std::fmt::Display| Error::Internal(e.to_string());
        match &loaded.lowered {
            Lowered::Aiger(model, lowered) => {
                let (_, stimulus) = lowered.stimulus(trace).map_err(|e| internal(&e))?;
                Ok(of_aiger(model, &stimulus))
            }
            Lowered::Btor2(model, lowered) => {
                let (_, run) = lowered.run(trace).map_err(|e| internal(&e))?;
                Ok(of_btor2(model, &run))
            }
            Lowered::Program(_) => Err(Error::Usage("waves are of AIGER and BTOR2 models".into())),
        }
    }

    /// How many steps the run has.
    pub fn steps(&self) -> usize {
        self.signals.first().map_or(0, |s| s.values.len())
    }

    /// As a value change dump; a step is a nanosecond.
    pub fn vcd(&self, module: &str) -> String {
        let mut out = format!(
            "$version Trellis {} $end\n$timescale 1 ns $end\n",
            env!("CARGO_PKG_VERSION")
        );
        for memory in &self.memories {
            let memory = word(memory);
            let _ = writeln!(out, "$comment the memory {memory} is left out $end");
        }
        let _ = writeln!(out, "$scope module {} $end", word(module));
        for (n, signal) in self.signals.iter().enumerate() {
            let (width, code, name) = (signal.width, code(n), word(&signal.name));
            let range = match width {
                1 => String::new(),
                _ => format!(" [{}:0]", width - 1),
            };
            let _ = writeln!(out, "$var wire {width} {code} {name}{range} $end");
        }
        out += "$upscope $end\n$enddefinitions $end\n";
        for step in 0..self.steps() {
            let _ = writeln!(out, "#{step}");
            for (n, signal) in self.signals.iter().enumerate() {
                let value = &signal.values[step];
                if step > 0 && signal.values[step - 1] == *value {
                    continue;
                }
                let (bits, code) = (value.to_biguint().to_str_radix(2), code(n));
                let _ = match signal.width {
                    1 => writeln!(out, "{bits}{code}"),
                    _ => writeln!(out, "b{bits} {code}"),
                };
            }
        }
        // The last step lasts as long as the others.
        let _ = writeln!(out, "#{}", self.steps());
        out
    }
}

/// A name without what would end it.
fn word(name: &str) -> String {
    let plain = |c: char| match c.is_ascii_graphic() && c != '$' {
        true => c,
        false => '_',
    };
    let name: String = name.chars().map(plain).collect();
    if name.is_empty() { "_".into() } else { name }
}

/// The short name of a signal: a number in the digits `!` to `~`.
fn code(mut n: usize) -> String {
    let mut out = String::new();
    loop {
        out.push(char::from(b'!' + (n % 94) as u8));
        n /= 94;
        if n == 0 {
            return out;
        }
        n -= 1;
    }
}

fn of_aiger(model: &aiger::Model, stimulus: &aiger::witness::Stimulus) -> Waves {
    let label = |item: Item, i: u32| match model.symbols.get(item, i) {
        Some(name) => name.to_string(),
        None => format!("{}{i}", item.letter()),
    };
    let lits = |item: Item, kind: Kind, lits: Vec<aiger::Lit>| {
        let named = (0..).zip(lits);
        named.map(move |(i, lit)| (label(item, i), kind, lit))
    };
    let inputs = (0..model.inputs).map(|i| model.input(i)).collect();
    let latches = (0..model.latches.len() as u32).map(|i| model.latch(i));
    let (bad, bads) = model.properties();
    let all: Vec<(String, Kind, aiger::Lit)> = lits(Item::Input, Kind::Input, inputs)
        .chain(lits(Item::Latch, Kind::State, latches.collect()))
        .chain(match bad {
            // Where there are no bad states, the outputs are them.
            Item::Output => lits(Item::Output, Kind::Output, Vec::new()),
            _ => lits(Item::Output, Kind::Output, model.outputs.clone()),
        })
        .chain(lits(bad, Kind::Bad, bads.to_vec()))
        .collect();
    let mut waves = Waves::default();
    for (name, kind, _) in &all {
        waves.signals.push(Signal {
            name: name.clone(),
            kind: *kind,
            width: 1,
            values: Vec::new(),
        });
    }
    let mut simulator: aiger::Simulator<'_, bool> = aiger::Simulator::new(model);
    let initial: Vec<bool> = stimulus
        .initial
        .iter()
        .map(|b| b.unwrap_or(false))
        .collect();
    simulator.load(&initial);
    for (step, inputs) in stimulus.inputs.iter().enumerate() {
        if step > 0 {
            simulator.advance();
        }
        let inputs: Vec<bool> = inputs.iter().map(|b| b.unwrap_or(false)).collect();
        simulator.step(&inputs);
        for ((.., lit), signal) in all.iter().zip(&mut waves.signals) {
            let bit = u64::from(simulator.value(*lit));
            signal.values.push(Bv::new(1, bit));
        }
    }
    waves
}

fn of_btor2(model: &btor2::Model, run: &btor2::witness::Run) -> Waves {
    let plain = |kind| move |&node: &u32| (kind, btor2::Ref::new(node, false), None);
    let states: Vec<u32> = model.states.iter().map(|s| s.node).collect();
    let outputs = model
        .outputs
        .iter()
        .map(|p| (Kind::Output, p.value, p.name.clone()));
    let bads = model
        .bads
        .iter()
        .map(|p| (Kind::Bad, p.value, p.name.clone()));
    let mut counts = [0, 0];
    let named: Vec<(String, Kind, btor2::Ref)> = (model.inputs.iter().map(plain(Kind::Input)))
        .chain(states.iter().map(plain(Kind::State)))
        .chain(outputs)
        .chain(bads)
        .map(|(kind, value, name)| {
            let own = match kind {
                Kind::Input | Kind::State => model.label(value.node()),
                Kind::Output | Kind::Bad => {
                    let count = &mut counts[usize::from(kind == Kind::Bad)];
                    *count += 1;
                    format!("{}{}", kind.name(), *count - 1)
                }
            };
            (name.unwrap_or(own), kind, value)
        })
        .collect();
    let mut waves = Waves::default();
    let mut drawn = Vec::new();
    let mut simulator = btor2::Simulator::new(model);
    for (step, inputs) in run.inputs.iter().enumerate() {
        let choose = |state: usize| run.states[step][state].clone();
        match step {
            0 => simulator.start(inputs, choose),
            _ => simulator.advance(inputs, choose),
        }
        for (at, (name, kind, value)) in named.iter().enumerate() {
            match simulator.value(*value) {
                Value::Bv(bits) if step == 0 => {
                    drawn.push(at);
                    waves.signals.push(Signal {
                        name: name.clone(),
                        kind: *kind,
                        width: bits.width(),
                        values: vec![bits],
                    });
                }
                Value::Bv(bits) => {
                    if let Ok(signal) = drawn.binary_search(&at) {
                        waves.signals[signal].values.push(bits);
                    }
                }
                _ if step == 0 => waves.memories.push(name.clone()),
                _ => {}
            }
        }
    }
    waves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_differ() {
        let codes: std::collections::BTreeSet<String> = (0..20_000).map(code).collect();
        assert_eq!(codes.len(), 20_000);
        assert_eq!(
            (code(0), code(93), code(94)),
            ("!".into(), "~".into(), "!!".into())
        );
    }

    #[test]
    fn values_that_change() {
        let signal = |name: &str, width, values: &[u64]| Signal {
            name: name.into(),
            kind: Kind::State,
            width,
            values: values.iter().map(|v| Bv::new(width, *v)).collect(),
        };
        let waves = Waves {
            signals: vec![signal("a $end", 1, &[0, 0, 1]), signal("n", 4, &[1, 2, 2])],
            memories: vec!["m m".into()],
        };
        let text = waves.vcd("top level");
        let (head, values) = text
            .split_once("$enddefinitions $end\n")
            .expect("two parts");
        assert!(head.contains(
            "$scope module top_level $end\n$var wire 1 ! a__end $end\n$var wire 4 \" n [3:0] $end\n"
        ));
        assert_eq!(values, "#0\n0!\nb1 \"\n#1\nb10 \"\n#2\n1!\n#3\n");
    }
}
