//! Errors by scripts: an execution is repeated from what it is given, and nothing of the way is kept.
//!
//! The interpreter does so for [`SHORT`] steps, where most executions are over. Those that are not begin anew as a compiled program,
//! which is the interpreter made fast ([`compiled`](trellis_ivl::compiled)) and needs no more memory for a billion steps than
//! for one, and which leaps over rounds of loops that add constants; a program that cannot be compiled goes on in the interpreter.

use crate::check::Rejection;
use trellis_ivl::compiled::End;
use trellis_ivl::script::Reader;
use trellis_ivl::{
    Compiled, Loc, LocKind, Machine, Processor, Program, ReplayError, Script, State, Step, Trace,
};

/// Steps that the interpreter makes; a script with no more is as good as a trace.
pub const SHORT: u64 = 50_000;
/// Steps before the end that the interpreter makes.
const LAST: u64 = 400;
/// Steps between two looks at the clock and at the room that arrays take.
const SLICE: u64 = 1 << 20;
/// Steps of any execution, most of them in leaps.
const MOST: u64 = 1 << 62;
/// Bytes that arrays may take.
const ROOM: usize = 2 << 30;

/// What a script leads to.
#[derive(Clone, Debug)]
pub struct Scripted {
    /// The error location.
    pub loc: Loc,
    /// After how many steps.
    pub steps: u64,
    /// The steps: all of them, or the first [`SHORT`].
    pub trace: Trace,
    /// What else there is to tell of a longer execution.
    pub end: Option<LastSteps>,
}

/// The end of a long execution.
#[derive(Clone, Debug, Default)]
pub struct LastSteps {
    /// The state after so many steps, and the steps from there, where the script has said how many there are.
    pub from: Option<(u64, State)>,
    /// They themselves.
    pub steps: Vec<Step>,
    /// How often branches at locations were passed before.
    pub passed: Vec<(Loc, u64)>,
}

/// Accepts a script that leads to an error location, which it returns with the steps, unless `stopped` says that it takes too long.
pub fn check_script(
    program: &Program,
    script: &Script,
    stopped: &dyn Fn() -> bool,
) -> Result<Scripted, Rejection> {
    let initial = Trace {
        initial: script.initial.clone(),
        steps: Vec::new(),
    };
    let malformed = |e: ReplayError| Rejection::Script(e.to_string());
    let mut machine = Machine::for_trace(program, &initial).map_err(malformed)?;
    let mut reader = Reader::new(program, script);
    let mut trace = initial;
    let mut keep = |s| trace.steps.push(s);
    if let Some(loc) = interpret(&mut machine, &mut reader, SHORT, &mut keep)? {
        return Ok(Scripted {
            loc: ended(program, loc)?,
            steps: trace.steps.len() as u64,
            trace,
            end: None,
        });
    }
    let (loc, steps, end) = match Compiled::new(program) {
        Ok(compiled) => execute(program, &compiled, script, stopped)?,
        // Too large to be compiled.
        Err(_) => {
            let (loc, steps) = slowly(&mut machine, &mut reader, SHORT, stopped)?;
            (loc, steps, LastSteps::default())
        }
    };
    Ok(Scripted {
        loc: ended(program, loc)?,
        steps,
        trace,
        end: Some(end),
    })
}

fn ended(program: &Program, loc: Loc) -> Result<Loc, Rejection> {
    match program.locs[loc].kind {
        LocKind::Error(_) => Ok(loc),
        _ => Err(Rejection::NoError(loc)),
    }
}

/// Makes at most so many steps; where the execution is over, if it is.
fn interpret(
    machine: &mut Machine,
    reader: &mut Reader,
    most: u64,
    step: &mut dyn FnMut(Step),
) -> Result<Option<Loc>, Rejection> {
    for _ in 0..most {
        if machine.is_final() {
            reader.check(true).map_err(Rejection::Script)?;
            return Ok(Some(machine.loc()));
        }
        let made = machine.step(reader);
        reader.check(false).map_err(Rejection::Script)?;
        step(made.ok_or_else(|| blocked(machine.loc()))?);
    }
    Ok(None)
}

fn blocked(at: Loc) -> Rejection {
    Rejection::Script(format!("no edge of {at} can be taken"))
}

/// Goes on in the interpreter, after so many steps.
fn slowly(
    machine: &mut Machine,
    reader: &mut Reader,
    before: u64,
    stopped: &dyn Fn() -> bool,
) -> Result<(Loc, u64), Rejection> {
    let mut steps = before;
    loop {
        if stopped() {
            return Err(Rejection::TooLong(steps));
        }
        let mut count = |_| steps += 1;
        if let Some(loc) = interpret(machine, reader, SHORT, &mut count)? {
            return Ok((loc, steps));
        }
    }
}

/// Executes the compiled program; shortly before the end that the script has told, the interpreter takes over.
fn execute(
    program: &Program,
    compiled: &Compiled,
    script: &Script,
    stopped: &dyn Fn() -> bool,
) -> Result<(Loc, u64, LastSteps), Rejection> {
    let mut reader = Reader::new(program, script);
    reader.passed = vec![0; compiled.branches()];
    let mut processor = Processor::for_script(program, compiled, script);
    let mut last = LastSteps::default();
    let mut told = Some(script.steps.saturating_sub(LAST)).filter(|&told| told > 0);
    loop {
        let end = processor.rush(&mut reader, SLICE, told.unwrap_or(MOST));
        reader
            .check(matches!(end, End::At(_)))
            .map_err(Rejection::Script)?;
        match end {
            End::At(loc) => return Ok((loc, processor.steps(), last)),
            End::Blocked(at) => return Err(blocked(at)),
            End::Steps if !stopped() && processor.bytes() < ROOM && processor.steps() < MOST => {}
            End::Steps | End::Room => return Err(Rejection::TooLong(processor.steps())),
            End::Refused(_) => unreachable!("what is missing has been told"),
        }
        if told.is_some_and(|told| processor.steps() >= told) {
            told = None;
            let steps = processor.steps();
            let locs = (0..).map(|b| compiled.branch_loc(b));
            last.passed = locs.zip(reader.passed.iter().copied()).collect();
            last.from = processor.state(program).map(|state| (steps, state));
            let Some((_, state)) = last.from.clone() else {
                continue;
            };
            let mut machine = Machine::resume(program, state);
            let mut keep = |s| last.steps.push(s);
            if let Some(loc) = interpret(&mut machine, &mut reader, SHORT, &mut keep)? {
                return Ok((loc, steps + last.steps.len() as u64, last));
            }
            let steps = steps + last.steps.len() as u64;
            let (loc, steps) = slowly(&mut machine, &mut reader, steps, stopped)?;
            return Ok((loc, steps, LastSteps::default()));
        }
    }
}
