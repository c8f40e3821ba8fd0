//! Does every execution end? The question is put as questions of safety, and the pipeline answers those.
//!
//! For every loop of the expanded program there is one that watches it ([`trellis_ivl::termination`]), in which an endless
//! stay is an error. Each of these runs through passes and engines like any other program, and its proof is checked on it by the
//! judge of any other proof; passes come after watching, because they keep errors and not what runs for ever. That no
//! incomplete location is reachable is one question more. All together they are the proof: what
//! [`check_terminates`](trellis_ivl_certify::check_terminates) says of a certificate that comes in one piece.
//!
//! An error of a watched program is an execution that comes back to a state it was in, by what was remembered of it. Whether that
//! is enough to go on for ever, [`check_lasso`] says on the expanded program.
//!
//! Recursion is expanded to a depth, with loops for recursion that never ends ([`flatten_entering`]). That recursion of any depth does end is
//! shown on the modules that contracts make of the program ([`check_entering`](trellis_ivl_certify::check_entering)): their loops are asked about in
//! the same way, but for an execution that comes back, which need not be one of the program.
//!
//! Questions take turns, with ever more time, so that a loop that nobody understands does not keep another
//! from showing that it never ends.

mod claims;
mod words;

use self::claims::{Claims, Endless};
use crate::error::Error;
use crate::judge::Answer;
use crate::load::Loaded;
use crate::report::{EndlessLoop, LoopReport};
use crate::round::Round;
use crate::session::Check;
use crate::stop::Stop;
use std::collections::BTreeMap;
use std::time::Duration;
use trellis_ivl::termination::{
    Lasso, Loop, Measure, TERMINATION, Watched, cone, gaps_only, lasso, loops, watch,
};
use trellis_ivl::{
    FlattenMap, FlattenOptions, Loc, Program, Scope, Step, Term, TermPool, Trace, Type, Var,
    VarData, calls, flatten_entering,
};
use trellis_ivl_certify::check_lasso;
use trellis_witness::names::place;

/// Wall time of a question's first turn, and how much longer each further one is.
const FIRST_TURN: Duration = Duration::from_secs(2);
const LONGER: u32 = 4;

/// Recursion is not expanded to a depth at which the program has more edges than this.
const LARGE: usize = 10_000;

/// What became of the question.
pub(crate) struct Ended {
    /// As of any other property, with the execution that does not end.
    pub round: Round,
    /// The loops that end, and why.
    pub loops: Vec<LoopReport>,
    /// The loop that does not.
    pub endless: Option<EndlessLoop>,
}

/// A question of safety.
enum Part {
    /// Is an incomplete location reachable?
    Gaps,
    /// Is this loop endless, by this measure?
    Loop(Loop, Measure),
}

/// How far a question is.
struct Asked {
    part: Part,
    /// Why nobody knows, if somebody said.
    why: String,
}

/// What a turn gave.
enum Turn {
    /// The question is answered, by whom.
    Proved(String),
    /// Some execution does not end.
    Endless(Box<Endless>),
    /// Not in this time.
    TooLong(String),
    /// Nobody will know.
    GivenUp(String),
}

/// The program under question.
struct Subject<'a> {
    loaded: &'a Loaded,
    flat: Program,
    map: Option<FlattenMap>,
    expansion: FlattenOptions,
    /// Whether it is the modules of the program: calls are what contracts say, and no incomplete location is reachable.
    modules: bool,
}

impl Check<'_> {
    /// Whether every execution of a program ends.
    pub(crate) fn ends(&self, loaded: &Loaded) -> Result<Ended, Error> {
        let subject = Subject::expanded(loaded);
        let all = loops(&subject.flat);
        if let Some((flat, checked_by)) = self.bare_modules(&subject) {
            let modules = subject.modules(flat);
            let all = loops(&modules.flat);
            let mut claims = self.claims(&modules, &all, 6)?;
            if claims.proved.len() == all.len() {
                claims.checked_by.get_or_insert(checked_by);
                return self.ask(&modules, all, claims, &self.stop);
            }
        }
        let mut claims = self.claims(&subject, &all, 3)?;
        if let Some(endless) = claims.endless {
            return Ok(subject.endless(endless));
        }
        if let Some((flat, checked_by)) = claims.modules.take() {
            let ended = self.end_by_contracts(&subject, flat, checked_by)?;
            if ended.round.found.is_ok() {
                return Ok(ended);
            }
        }
        self.ask(&subject, all, claims, &self.stop)
    }

    /// Whether every execution of the modules of the program ends.
    fn end_by_contracts(
        &self,
        subject: &Subject<'_>,
        flat: Program,
        checked_by: String,
    ) -> Result<Ended, Error> {
        let modules = subject.modules(flat);
        let all = loops(&modules.flat);
        let mut claims = self.claims(&modules, &all, 3)?;
        claims.checked_by.get_or_insert(checked_by);
        // The rest of the time is for the expanded program.
        let stop = match self.stop.left() {
            Some(left) => self.stop.within(left / 2),
            None => self.stop.clone(),
        };
        self.ask(&modules, all, claims, &stop)
    }

    /// Asks about what engines have left open.
    fn ask(
        &self,
        subject: &Subject<'_>,
        all: Vec<Loop>,
        claims: Claims,
        stop: &Stop,
    ) -> Result<Ended, Error> {
        let mut open = subject.parts(all, &claims);
        let mut proved: Vec<LoopReport> = subject.told_claims(&claims);
        let mut given_up: Vec<String> = Vec::new();
        let mut by = claims.checked_by.unwrap_or("no proof was needed".into());
        let mut turn = FIRST_TURN;
        while !open.is_empty() && stop.why().is_none() {
            let mut later = Vec::new();
            for mut asked in std::mem::take(&mut open) {
                match self.turn(subject, &mut asked, &stop.within(turn))? {
                    Turn::Proved(backend) => {
                        by = backend;
                        proved.extend(subject.told(&asked.part));
                    }
                    Turn::Endless(endless) => return Ok(subject.endless(*endless)),
                    Turn::TooLong(why) => later.push(Asked { why, ..asked }),
                    Turn::GivenUp(why) => given_up.push(subject.about(&asked.part, &why)),
                }
            }
            // A loop of modules that is left makes the rest of them worthless.
            if subject.modules && !given_up.is_empty() {
                break;
            }
            open = later;
            turn *= LONGER;
        }
        let found = match open.first() {
            None if given_up.is_empty() => Ok(Answer::True {
                invariants: BTreeMap::new(),
                contracts: None,
                certificate: BTreeMap::new(),
                about_cells: false,
                k: 1,
                visits: None,
                checked_by: by,
            }),
            None => Err(given_up.join("; ")),
            Some(asked) => Err(match given_up.is_empty() {
                true => subject.about(&asked.part, &asked.why),
                false => given_up.join("; "),
            }),
        };
        proved.sort_by_key(|l: &LoopReport| l.order);
        Ok(Ended {
            round: subject.round(found),
            loops: proved,
            endless: None,
        })
    }

    /// Gives a question so much time.
    fn turn(&self, subject: &Subject<'_>, asked: &mut Asked, stop: &Stop) -> Result<Turn, Error> {
        let (program, watched) = match &asked.part {
            Part::Gaps => (gaps_only(&subject.flat), None),
            Part::Loop(of, measure) => {
                let watched = watch(&subject.flat, of, measure);
                (watched.program.clone(), Some(watched))
            }
        };
        let round = self.round_until(&program, stop)?;
        Ok(match (round.found, watched) {
            (Ok(Answer::True { checked_by, .. }), _) => Turn::Proved(checked_by),
            (Ok(Answer::False { property, loc, .. }), None) => {
                let at = place(&program, program.locs[loc].span);
                Turn::GivenUp(format!("incomplete: {property} at {at}"))
            }
            (Ok(Answer::False { trace, .. }), Some(watched)) => {
                subject.came_back(asked, &watched, &trace)
            }
            (Err(why), _) if stop.why().is_some() => Turn::TooLong(why),
            (Err(why), _) => Turn::GivenUp(why),
        })
    }
}

impl<'a> Subject<'a> {
    /// The modules of the same program.
    fn modules(&self, flat: Program) -> Subject<'a> {
        Subject {
            loaded: self.loaded,
            flat,
            map: None,
            expansion: self.expansion,
            modules: true,
        }
    }

    /// The program with its calls expanded, as deep as that is small.
    fn expanded(loaded: &'a Loaded) -> Subject<'a> {
        let mut expansion = FlattenOptions::default();
        if calls::copies(loaded.program()).is_none() {
            expansion.max_edges = LARGE;
        }
        let (flat, map) = loop {
            let mut flat = loaded.program().clone();
            if flat.is_flat() {
                break (flat, None);
            }
            let map = flatten_entering(&mut flat, &expansion);
            if flat.edges.len() < expansion.max_edges || expansion.recursion <= 1 {
                break (flat, Some(map));
            }
            expansion.recursion /= 2;
        };
        Subject {
            loaded,
            flat,
            map,
            expansion,
            modules: false,
        }
    }
}

impl Subject<'_> {
    /// What has to be asked.
    fn parts(&self, all: Vec<Loop>, claims: &Claims) -> Vec<Asked> {
        let mut parts = Vec::new();
        let open = |of: &Loop| !claims.proved.contains_key(&of.head);
        for of in all.into_iter().filter(open) {
            let vars = scalars(&self.flat, cone(&self.flat, &of));
            parts.push(Part::Loop(of, Measure::Snapshot(vars)));
        }
        if self.flat.incompletes().next().is_some() && !self.modules {
            parts.push(Part::Gaps);
        }
        let why = || String::from("out of time");
        parts
            .into_iter()
            .map(|part| Asked { part, why: why() })
            .collect()
    }

    /// An execution came back to what was remembered. Where that is not all that matters, more is remembered.
    fn came_back(&self, asked: &mut Asked, watched: &Watched, trace: &Trace) -> Turn {
        if self.modules {
            return Turn::GivenUp(
                "by the contracts of what it calls, its states may come back".into(),
            );
        }
        let found = lasso(&self.flat, watched, trace);
        let checked = found.map(|l| (check_lasso(&self.flat, &l, &self.expansion), l));
        let why = match checked {
            Some((Ok(repeat), lasso)) => {
                return Turn::Endless(Box::new(Endless::Lasso(lasso, repeat)));
            }
            Some((Err(e), _)) => e.to_string(),
            None => "the execution takes no snapshot".into(),
        };
        if let Part::Loop(of, measure) = &mut asked.part {
            let all = cone(&self.flat, of);
            if let Measure::Snapshot(vars) = measure
                && *vars != all
            {
                *vars = all;
                return Turn::TooLong(why);
            }
        }
        Turn::GivenUp(why)
    }

    /// What engines have proved of loops, for people.
    fn told_claims(&self, claims: &Claims) -> Vec<LoopReport> {
        let told = |(&head, (measure, pool)): (&Loc, &(Measure, TermPool))| LoopReport {
            order: head.as_u32(),
            place: self.at(head),
            measure: self.measure(head, measure, pool),
        };
        claims.proved.iter().map(told).collect()
    }

    /// A measure in the words of the source.
    fn measure(&self, head: Loc, measure: &Measure, pool: &TermPool) -> String {
        let told = match measure {
            Measure::Snapshot(vars) => self.states(vars),
            Measure::Rank(tuple) => self.rank(pool, tuple),
        };
        let program = self.loaded.program();
        let head = match &self.map {
            Some(map) => map.locs.get(head).copied(),
            None => Some(head),
        };
        let mut procs = program.procs.values();
        match procs.find(|p| head == Some(p.entry) && !program.is_flat()) {
            Some(proc) => format!("recursion of {}: {told}", proc.name),
            None => told,
        }
    }

    /// A rank in the words of the source.
    fn rank(&self, pool: &TermPool, tuple: &[Term]) -> String {
        if tuple.is_empty() {
            return "its head is visited once".into();
        }
        let parts: Vec<String> = tuple
            .iter()
            .map(|&t| words::linear(self, pool, t))
            .collect();
        parts.join(", then ")
    }

    /// What was proved of a loop, for people.
    fn told(&self, part: &Part) -> Option<LoopReport> {
        let Part::Loop(of, measure) = part else {
            return None;
        };
        Some(LoopReport {
            order: of.head.as_u32(),
            place: self.at(of.head),
            measure: self.measure(of.head, measure, &self.flat.pool),
        })
    }

    /// Where a location of the expanded program is.
    fn at(&self, loc: Loc) -> String {
        at_place(&self.flat, loc)
    }

    /// That no state comes back, in words.
    fn states(&self, vars: &[Var]) -> String {
        let names: Vec<&str> = vars.iter().filter_map(|&v| self.name(v)).collect();
        match names.is_empty() {
            true => "no state comes back".into(),
            false => format!("no values of ({}) come back", names.join(", ")),
        }
    }

    /// The variable of the program with calls that one of the expanded program is, or is a copy of.
    fn origin(&self, v: Var) -> Option<Var> {
        let program = self.loaded.program();
        if program.pool.vars().is_valid(v) {
            return Some(v);
        }
        // A copy is named after the procedure and the local.
        let name = &self.flat.pool.var_data(v).name;
        let mut locals = program.pool.vars().iter();
        let is_origin = |d: &VarData| {
            let Scope::Local(p) = d.scope else {
                return false;
            };
            let own = program.procs.get(p).map_or("", |p| p.name.as_str());
            let rest = name
                .strip_prefix(own)
                .and_then(|rest| rest.strip_prefix('.'));
            rest == Some(d.name.as_str())
        };
        locals.find(|(_, d)| is_origin(d)).map(|(v, _)| v)
    }

    /// What a variable is called in the source.
    fn name(&self, v: Var) -> Option<&str> {
        self.loaded
            .names
            .name(self.loaded.program(), self.origin(v)?)
    }

    fn about(&self, part: &Part, why: &str) -> String {
        match part {
            Part::Gaps => why.to_string(),
            Part::Loop(of, _) => {
                let at = self.at(of.head);
                format!("the loop at {at}: {why}")
            }
        }
    }

    /// An execution that does not end.
    fn endless(&self, endless: Endless) -> Ended {
        let (lasso, head, comes_back, set) = match endless {
            Endless::Lasso(lasso, repeat) => {
                let mut values = BTreeMap::new();
                for (&v, value) in &repeat.values {
                    if let Some(name) = self.name(v) {
                        let origin = self.origin(v).unwrap_or(v);
                        values.insert(name.to_string(), self.loaded.names.show(origin, value));
                    }
                }
                (lasso, repeat.loc, values, None)
            }
            Endless::Recurrent(recurrent, pool) => {
                let set = words::condition(self, &pool, recurrent.set);
                let start = recurrent.stem.steps.len();
                let head = match recurrent.stem.steps.last() {
                    Some(step) => self.flat.edges[step.edge].to,
                    None => self.flat.entry(),
                };
                let trace = recurrent.stem;
                (Lasso { trace, start }, head, BTreeMap::new(), Some(set))
            }
        };
        let (trace, start) = self.original(&lasso);
        let loc = self.original_loc(head);
        let program = self.loaded.program();
        let endless = EndlessLoop {
            place: at_place(program, loc),
            stem_steps: start,
            loop_steps: trace.steps.len() - start,
            comes_back,
            set,
        };
        let found = Ok(Answer::False {
            property: TERMINATION.into(),
            loc,
            trace,
            long: None,
        });
        Ended {
            round: self.round(found),
            loops: Vec::new(),
            endless: Some(endless),
        }
    }

    fn original_loc(&self, loc: Loc) -> Loc {
        self.map.as_ref().map_or(loc, |map| map.locs[loc])
    }

    /// The trace of a lasso on the program with its calls, and how many of its steps are the stem.
    fn original(&self, lasso: &Lasso) -> (Trace, usize) {
        let Some(map) = &self.map else {
            return (lasso.trace.clone(), lasso.start);
        };
        let own = self.loaded.program().pool.vars();
        let initial = lasso.trace.initial.iter();
        // A call assigns every copy of a local before anything reads it.
        let initial = initial.filter(|(v, _)| own.is_valid(**v));
        let step = |s: &Step| map.edges[s.edge].map(|edge| Step { edge, ..s.clone() });
        let steps: Vec<Option<Step>> = lasso.trace.steps.iter().map(step).collect();
        let start = steps[..lasso.start].iter().flatten().count();
        let trace = Trace {
            initial: initial.map(|(&v, value)| (v, value.clone())).collect(),
            steps: steps.into_iter().flatten().collect(),
        };
        (trace, start)
    }

    fn round(&self, found: Result<Answer, String>) -> Round {
        Round {
            found,
            expansion: self.expansion,
            ..Round::none(self.flat.clone(), String::new())
        }
    }
}

/// Without memories: comparing them is dear, and mostly not needed. An execution that comes back but for them is none, and they
/// are remembered then.
fn scalars(flat: &Program, vars: Vec<Var>) -> Vec<Var> {
    let mut vars = vars;
    vars.retain(|&v| !matches!(flat.pool.var_ty(v), Type::Array { .. }));
    vars
}

/// The place of a location in the source; its number where it has none.
fn at_place(program: &Program, loc: Loc) -> String {
    let place = place(program, program.locs[loc].span);
    match place.is_empty() {
        true => loc.to_string(),
        false => place,
    }
}
