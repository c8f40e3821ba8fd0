//! Deterministic runs of programs by the IVL interpreter.

#![allow(dead_code, reason = "each test uses a part")]

use trellis_ivl::{Action, Bv, Input, LocKind, Machine, Oracle, Program, Type, Value};

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

/// Where a run of so many steps at most ends: main's result, or the location's kind and place.
pub fn interpret(program: &Program, steps: u64) -> Result<u64, String> {
    let mut machine = Machine::new(program, |_, ty| Value::zero(ty));
    for _ in 0..steps {
        if machine.is_final() {
            let loc = &program.locs[machine.loc()];
            let start = program.main;
            let result = program.edges.values().find_map(|e| match &e.action {
                Action::Call(call)
                    if program.locs[e.from].proc == start
                        && program.procs[call.callee].name == "main" =>
                {
                    call.results.first().copied()
                }
                _ => None,
            });
            return match &loc.kind {
                LocKind::Plain if Some(machine.loc()) == program.procs[start].exit => {
                    let value = machine.value(result.expect("main returns int"));
                    Ok(value
                        .as_bv()
                        .and_then(|v| v.to_u64())
                        .expect("an int fits 64 bits"))
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

/// Every input has the same value, cut to its width.
struct Always(i64);

impl Oracle for Always {
    fn input(&mut self, _: Input, ty: Type) -> Value {
        match ty {
            Type::Bv(w) => Bv::from_i64(w, self.0).into(),
            Type::Bool => Value::Bool(self.0 != 0),
            _ => Value::zero(ty),
        }
    }
    fn pick(&mut self, _: usize) -> usize {
        0
    }
}

/// Runs with every input `n`: "exit", "stopped", "blocked", or the kind of the location reached.
pub fn outcome(program: &Program, n: i64) -> String {
    outcome_from(program, n, 0)
}

/// The same, where what another file defines holds `initial`.
pub fn outcome_from(program: &Program, n: i64, initial: i64) -> String {
    let mut machine = Machine::new(program, |_, ty| match ty {
        Type::Bv(w) => Bv::from_i64(w, initial).into(),
        ty => Value::zero(ty),
    });
    for _ in 0..500_000 {
        if machine.is_final() {
            let at_exit = Some(machine.loc()) == program.procs[program.main].exit;
            return match &program.locs[machine.loc()].kind {
                LocKind::Error(property) => property.to_string(),
                LocKind::Incomplete(reason) => format!("incomplete: {reason}"),
                LocKind::Plain if at_exit => "exit".into(),
                LocKind::Plain => "stopped".into(),
            };
        }
        if machine.step(&mut Always(n)).is_none() {
            return "blocked".into();
        }
    }
    "endless".into()
}
