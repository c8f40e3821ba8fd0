//! Executions that come back: the program runs with inputs that mostly stay as they were, and at the head of a loop what decides how it goes
//! on is looked up among the visits before.
//!
//! Of a visit only a hash is kept; the checker compares values. What a loop has seen is forgotten where an execution leaves it.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use trellis_engine_common::go_on;
use trellis_ivl::rng::Rng;
use trellis_ivl::termination::{Lasso, Loop, cone};
use trellis_ivl::{
    ArrayValue, Bv, Input, Loc, Machine, Op, Oracle, Program, Trace, Type, Value, Var,
};
use trellis_plugin_sdk::{EngineError, Host};

/// Steps between two looks at whether to go on.
const LOOK: usize = 1_000;

/// Constants of the program that are tried as inputs, at most.
const CONSTANTS: usize = 400;

/// How far executions go.
#[derive(Clone, Copy)]
pub struct Reach {
    /// Steps of all executions.
    pub all: usize,
    /// Steps of one.
    pub each: usize,
}

/// An execution that comes back, if one of some random ones does.
///
/// # Errors
/// When it is time to stop.
pub fn walk(
    program: &Program,
    loops: &[Loop],
    reach: Reach,
    host: &mut dyn Host,
) -> Result<Option<Lasso>, EngineError> {
    let watched: Vec<Watch<'_>> = (loops.iter())
        .map(|of| Watch {
            of,
            deciding: cone(program, of),
            visits: FxHashMap::default(),
        })
        .collect();
    let mut walker = Walker {
        at: (watched.iter().enumerate())
            .map(|(i, w)| (w.of.head, i))
            .collect(),
        program,
        watched,
        inside: Vec::new(),
    };
    let mut habits = Habits::new(program);
    // To begin costs as much as some steps.
    let begin = 1 + program.edges.len() / 8;
    let mut done = 0;
    while done < reach.all {
        habits.change();
        let (steps, found) = walker.once(&mut habits, reach.each, host)?;
        if found.is_some() {
            return Ok(found);
        }
        done += begin + steps;
    }
    Ok(None)
}

/// A loop with its visits in the present stay: what was seen, and after how many steps.
struct Watch<'a> {
    of: &'a Loop,
    deciding: Vec<Var>,
    visits: FxHashMap<u64, usize>,
}

struct Walker<'a> {
    program: &'a Program,
    watched: Vec<Watch<'a>>,
    /// The loop of a head.
    at: FxHashMap<Loc, usize>,
    /// Loops that the execution is in.
    inside: Vec<usize>,
}

impl Walker<'_> {
    /// An execution of at most so many steps: how many it has, and whether it comes back.
    fn once(
        &mut self,
        habits: &mut Habits,
        most: usize,
        host: &mut dyn Host,
    ) -> Result<(usize, Option<Lasso>), EngineError> {
        for i in self.inside.drain(..) {
            self.watched[i].visits.clear();
        }
        let mut trace = Trace::default();
        let mut machine = Machine::new(self.program, |v, ty| {
            let value = habits.any(ty);
            trace.initial.insert(v, value.clone());
            value
        });
        for n in 0..most {
            if n % LOOK == 0 {
                go_on(host)?;
            }
            if let Some(start) = self.visit(&machine, n) {
                return Ok((n, Some(Lasso { trace, start })));
            }
            if machine.is_final() {
                break;
            }
            let Some(step) = machine.step(habits) else {
                break;
            };
            trace.steps.push(step);
        }
        Ok((trace.steps.len(), None))
    }

    /// Where the execution was as it is now, if this is the head of a loop that it is still in.
    fn visit(&mut self, machine: &Machine<'_>, n: usize) -> Option<usize> {
        let loc = machine.loc();
        let watched = &mut self.watched;
        self.inside.retain(|&i| {
            let stays = watched[i].of.contains(loc);
            if !stays {
                watched[i].visits.clear();
            }
            stays
        });
        let &i = self.at.get(&loc)?;
        if !self.inside.contains(&i) {
            self.inside.push(i);
        }
        let watch = &mut watched[i];
        let mut hasher = FxHasher::default();
        for &v in &watch.deciding {
            machine.value(v).hash(&mut hasher);
        }
        watch.visits.insert(hasher.finish(), n)
    }
}

/// Inputs: an execution prefers values of one kind, and the value that the same input had before; every other one has no choice.
struct Habits {
    random: Rng,
    constants: Vec<Bv>,
    last: FxHashMap<Input, Value>,
    kind: usize,
    stubborn: bool,
}

impl Habits {
    fn new(program: &Program) -> Habits {
        let pool = &program.pool;
        let constants = pool.terms().filter_map(|t| match pool.op(t) {
            Op::BvConst => pool.as_bv(t),
            _ => None,
        });
        Habits {
            random: Rng::new(1),
            constants: constants.take(CONSTANTS).collect(),
            last: FxHashMap::default(),
            kind: 0,
            stubborn: false,
        }
    }

    /// Another execution begins.
    fn change(&mut self) {
        self.last.clear();
        self.stubborn = !self.stubborn;
        self.kind += usize::from(self.stubborn);
    }

    fn bv(&mut self, width: u32) -> Bv {
        let kind = match self.kind % 4 {
            0 => self.random.below(4),
            kind => kind,
        };
        match kind {
            1 => Bv::new(width, self.random.below(8) as u64),
            2 if !self.constants.is_empty() => {
                let constant = self.random.pick(&self.constants).to_biguint();
                Bv::from_biguint(width, constant)
            }
            3 => Bv::from_biguint(width, self.random.bits().into()),
            _ => Bv::zero(width),
        }
    }

    fn any(&mut self, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.random.bit()),
            Type::Bv(width) => Value::Bv(self.bv(width)),
            Type::Array { index, elem } => {
                let default = self.bv(elem);
                Value::Array(ArrayValue::constant(index, default))
            }
        }
    }
}

impl Oracle for Habits {
    fn input(&mut self, input: Input, ty: Type) -> Value {
        if let Some(value) = self.last.get(&input)
            && (self.stubborn || !self.random.one_in(4))
        {
            return value.clone();
        }
        let value = self.any(ty);
        self.last.insert(input, value.clone());
        value
    }

    fn pick(&mut self, n: usize) -> usize {
        self.random.below(n)
    }
}
