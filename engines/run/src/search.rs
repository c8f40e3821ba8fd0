//! Short executions and a long one, in turns.

use crate::concolic::{Concolic, Elsewhere};
use crate::corpus::{Corpus, changed};
use crate::dictionary::{CHARACTER, Dictionary, MOODS, Mood};
use crate::files::Folder;
use crate::guide::{Given, Leader, Record, Tape};
use crate::places::places;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};
use trellis_ivl::compiled::End;
use trellis_ivl::rng::Rng;
use trellis_ivl::{Compiled, LocKind, Processor, Program, Scope, Script, Type, Value, Var};
use trellis_plugin_sdk::Host;

/// Short executions, and their steps, until it is the turn of the long one. Not by the clock: one seed, one search.
const TURN: (u64, u64) = (256, 400_000);
/// Steps of a short execution at first, and at most.
const FIRST: u64 = 20_000;
const MOST: u64 = 1_000_000;
/// Short executions after which their length is thought over.
const BATCH: u32 = 256;
/// Steps of the long execution between two looks at the clock.
const SLICE: u64 = 400_000;
/// Steps of the long execution at first, where there are others to try.
const LONG: u64 = 10_000_000;
/// Steps of any execution, most of them in leaps.
const FAR: u64 = 1 << 61;
/// Bytes that arrays may take.
const ROOM: usize = 1 << 30;
/// Variables without an initial value up to which some are tried; where there are more, so many arrays of characters.
const FREE: usize = 64;
const FEW: usize = 4;
/// Steps that are made in a millisecond, what a short execution and asking the solver about one cost besides, and how often
/// patience may be exceeded by the clock.
const WORK: u64 = 100_000;
const EXECUTION: u64 = 1_000;
const QUESTION: u64 = 1_000_000;
const LATE: u32 = 8;
/// Executions that are looked at for where they look into arrays.
const LOOKS: u32 = 12;
/// Executions of a program that reads nothing.
const ENOUGH: u64 = 200;
/// Executions that the solver has led elsewhere and that it is asked about next.
const LED: usize = 64;

/// Initial values that an execution is given.
type Initial = BTreeMap<Var, Value>;

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time without anything new.
    pub patience: Option<Duration>,
    /// The same of an execution that reads nothing.
    pub alone: Option<Duration>,
    /// Executions.
    pub executions: Option<u64>,
}

/// What came of it.
pub enum Found {
    /// An error, and how to get there.
    Error(Script),
    /// None, and why it ended.
    Nothing(String),
}

/// The long execution.
struct Long<'p> {
    processor: Processor<'p>,
    leader: Leader<false>,
    limit: u64,
}

/// The search.
pub struct Search<'p> {
    program: &'p Program,
    compiled: &'p Compiled,
    dictionary: Rc<Dictionary>,
    corpus: Corpus,
    /// Where executions are kept for the next search, and those of the one before that are still to be made.
    folder: Option<Folder>,
    earlier: Vec<Vec<u8>>,
    repeated: u64,
    random: Rng,
    limits: Limits,
    /// Variables with any initial value.
    free: Vec<(Var, Type)>,
    short: Processor<'p>,
    /// Steps of a short execution, and how many of the last ones were cut off by that.
    length: u64,
    recent: (u32, u32),
    concolic: Option<Concolic<'p>>,
    /// Executions that the solver has led elsewhere, the last one to be asked about first.
    led: Vec<Record>,
    /// What the last short execution was given.
    last: Record,
    long: Option<Long<'p>>,
    long_limit: u64,
    longs: u64,
    /// Figures.
    executions: u64,
    steps: u64,
    /// Executions that the solver was asked about.
    questions: u64,
    /// Executions that are still looked at for where they look into arrays.
    looks: u32,
    /// Whether any execution read an input or picked anything.
    reads: bool,
    /// When something new was reached last, by the clock and by the work until then.
    news: Instant,
    news_work: u64,
}

impl<'p> Search<'p> {
    /// Nothing executed yet.
    pub fn new(
        program: &'p Program,
        compiled: &'p Compiled,
        seed: u64,
        limits: Limits,
    ) -> Search<'p> {
        let vars = program.pool.vars().iter();
        let free = vars.filter(|(_, d)| match d.scope {
            Scope::Global => true,
            Scope::Local(p) => p == program.main,
            Scope::Auxiliary => false,
        });
        let mut free: Vec<(Var, Type)> = free.map(|(v, d)| (v, d.ty)).collect();
        if free.len() > FREE {
            free.retain(|(_, ty)| {
                matches!(
                    ty,
                    Type::Array {
                        elem: CHARACTER,
                        ..
                    }
                )
            });
            free.truncate(FEW);
        }
        let now = Instant::now();
        Search {
            program,
            compiled,
            dictionary: Rc::new(Dictionary::new(program)),
            corpus: Corpus::new(compiled.branches()),
            folder: None,
            earlier: Vec::new(),
            repeated: 0,
            random: Rng::new(seed),
            limits,
            free,
            short: Processor::new(compiled),
            length: FIRST,
            recent: (0, 0),
            concolic: None,
            led: Vec::new(),
            last: Record::default(),
            long: None,
            long_limit: LONG,
            longs: 0,
            executions: 0,
            steps: 0,
            questions: 0,
            looks: LOOKS,
            reads: false,
            news: now,
            news_work: 0,
        }
    }

    /// Begins with what is in the folder, and keeps there what reaches something new.
    pub fn keep_in(&mut self, folder: Folder, mut files: Vec<Vec<u8>>) {
        // The first is the next to be taken.
        files.reverse();
        self.earlier = files;
        self.folder = Some(folder);
    }

    /// Why the folder has not all that was to be kept.
    pub fn not_kept(&self) -> Option<&str> {
        self.folder.as_ref()?.error.as_deref()
    }

    fn keep(&mut self, record: &Record) {
        if let Some(folder) = &mut self.folder {
            folder.keep(record, &self.dictionary);
        }
    }

    /// Searches until an error is found or it is time to give up.
    pub fn run(&mut self, host: &mut dyn Host) -> Found {
        loop {
            let turn = (self.executions + TURN.0, self.steps + TURN.1);
            while self.executions < turn.0 && self.steps < turn.1 {
                if let Some(script) = self.short() {
                    return Found::Error(script);
                }
                if self.is_enough() {
                    break;
                }
            }
            if let Some(script) = self.ask(host) {
                return Found::Error(script);
            }
            if self.length > FIRST || self.recent.1 > 0 || self.long.is_some() {
                for _ in 0..if self.is_alone() { 8 } else { 1 } {
                    if let Some(script) = self.long() {
                        return Found::Error(script);
                    }
                }
            }
            host.progress("executions", self.executions);
            if host.cancelled() {
                return self.nothing("cancelled");
            }
            if let Some(why) = self.is_over() {
                return self.nothing(why);
            }
        }
    }

    /// Whether there is nothing to choose.
    fn is_alone(&self) -> bool {
        !self.reads && self.executions > MOODS.len() as u64
    }

    /// Whether a program that reads nothing has been executed often enough from different initial values.
    fn is_enough(&self) -> bool {
        let enough = if self.free.is_empty() { 2 } else { ENOUGH };
        !self.reads && self.executions >= enough
    }

    fn is_over(&self) -> Option<&'static str> {
        if self.limits.executions.is_some_and(|n| self.executions >= n) {
            return Some("as many executions as allowed");
        }
        if self.is_enough() && self.long.is_none() {
            return Some("it reads nothing");
        }
        let patience = match self.is_enough() {
            true => self.limits.alone,
            false => self.limits.patience,
        };
        // By the work that a machine with nothing else to do gets done in that time: on a busy one the clock runs on, and
        // the same seed would find other things.
        let patience = patience?;
        let work = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX);
        let enough = work.saturating_mul(WORK).max(2 * self.news_work);
        let is_over = self.work() - self.news_work > enough;
        let is_late = self.news.elapsed() > patience.saturating_mul(LATE);
        (is_over || is_late).then_some("nothing new any more")
    }

    /// What has been done, in steps.
    fn work(&self) -> u64 {
        self.steps + self.executions * EXECUTION + self.questions * QUESTION
    }

    /// Something new was reached.
    fn note_news(&mut self) {
        self.news = Instant::now();
        self.news_work = self.work();
    }

    fn nothing(&self, why: &str) -> Found {
        let (executions, steps) = (self.executions, self.steps);
        let (sides, all) = (self.corpus.sides, 2 * self.compiled.branches());
        Found::Nothing(format!(
            "no error in {executions} executions of {steps} steps: {why}; {sides} of {all} sides of branches passed"
        ))
    }

    fn is_error(&self, end: End) -> bool {
        let End::At(loc) = end else { return false };
        matches!(self.program.locs[loc].kind, LocKind::Error(_))
    }

    /// A short execution.
    fn short(&mut self) -> Option<Script> {
        let n = self.executions;
        self.executions += 1;
        let (mood, tape, initial) = self.plan(n);
        match n < 2 * MOODS.len() as u64 || n.is_multiple_of(4) {
            true => self.attempt::<true>(mood, tape, initial),
            false => self.attempt::<false>(mood, tape, initial),
        }
    }

    /// What the execution of this number is to be like.
    fn plan(&mut self, n: u64) -> (Mood, Tape, Initial) {
        if let Some(bytes) = self.earlier.pop() {
            self.repeated += 1;
            return (Mood::Zero, Tape::Bytes(bytes), Initial::new());
        }
        if let Some(&mood) = MOODS.get((n - self.repeated) as usize) {
            let initial = match n {
                0 => Initial::new(),
                _ => self.initial(mood),
            };
            return (mood, Tape::EMPTY, initial);
        }
        let mood = *self.random.pick(&MOODS);
        if self.random.chance(70)
            && let Some(entry) = self.corpus.pick(&mut self.random)
        {
            let dictionary = &self.dictionary;
            let word = |input, random: &mut Rng| dictionary.word(input, Mood::Mixed, random);
            let tape = changed(&entry.record.inputs, &mut self.random, word);
            // What it reached may be due to what was in memory.
            let initial = match self.random.chance(60) {
                true => entry.record.initial.clone(),
                false => self.initial(mood),
            };
            return (mood, Tape::Inputs(tape), initial);
        }
        let initial = self.initial(mood);
        (mood, Tape::EMPTY, initial)
    }

    /// Initial values of variables that may have any, now and then.
    fn initial(&mut self, mood: Mood) -> Initial {
        let mut initial = Initial::new();
        if self.random.chance(50) {
            for &(v, ty) in &self.free {
                let value = self.dictionary.value(ty, mood, &mut self.random);
                initial.insert(v, value);
            }
        }
        initial
    }

    fn attempt<const LOOK: bool>(
        &mut self,
        mood: Mood,
        tape: Tape,
        initial: Initial,
    ) -> Option<Script> {
        // The first execution is as plain as can be.
        let seed = match self.executions {
            ..=1 => 0,
            _ => self.random.bits() | 1,
        };
        let branches = self.compiled.branches();
        let mut leader = Leader::<LOOK>::new(self.dictionary.clone(), seed, mood, tape, branches);
        self.short.restart();
        for (&v, value) in &initial {
            self.short.set(v, value);
        }
        leader.record.initial = initial;
        let end = self.short.rush(&mut leader, self.length, FAR);
        self.steps += self.short.walked();
        let record = std::mem::take(&mut leader.record);
        if self.is_error(end) {
            self.keep(&record);
            return Some(record.script(&self.dictionary, self.short.steps()));
        }
        self.reads |= !record.inputs.is_empty() || !record.picks.is_empty();
        let (sides, is_new) = self.corpus.file(&leader.hits);
        let is_open = end == End::Steps;
        self.recent.0 += 1;
        self.recent.1 += u32::from(is_open);
        let compared = std::mem::take(&mut leader.compared.0);
        drop(leader);
        let dictionary = Rc::make_mut(&mut self.dictionary);
        for (input, word) in compared {
            for near in [word, word.wrapping_add(1), word.wrapping_sub(1)] {
                dictionary.keep(input, near, &mut self.random);
            }
        }
        if sides > 0 {
            for (input, given) in record.inputs.iter().rev().take(16) {
                if let Given::Word(word) = given {
                    dictionary.keep(*input, *word, &mut self.random);
                }
            }
            self.note_news();
        }
        if self.looks > 0 && self.free.iter().any(|(_, ty)| ty.is_array()) {
            self.looks -= 1;
            let script = record.script(&self.dictionary, 0);
            let found = places(self.program, &record, &script);
            Rc::make_mut(&mut self.dictionary).add_places(found);
        }
        if is_new {
            self.keep(&record);
            self.corpus.keep(record.clone(), is_open);
        }
        self.last = record;
        self.lengthen();
        None
    }

    /// Asks the solver about an execution that nobody has asked about, and executes what it says.
    fn ask(&mut self, host: &mut dyn Host) -> Option<Script> {
        let record = self.next_to_ask()?;
        self.questions += 1;
        let mut session = host.smt_session().ok()?;
        let script = record.script(&self.dictionary, 0);
        let concolic = self
            .concolic
            .get_or_insert_with(|| Concolic::new(self.program));
        let open = self.corpus.open(self.compiled);
        let found = concolic.ask(&record, &script, &mut *session, |l| open.contains(&l));
        for Elsewhere { inputs, initial } in found {
            self.executions += 1;
            let mood = *self.random.pick(&MOODS);
            if let Some(script) = self.attempt::<true>(mood, Tape::Inputs(inputs), initial) {
                return Some(script);
            }
            if self.led.len() == LED {
                self.led.remove(0);
            }
            self.led.push(std::mem::take(&mut self.last));
        }
        None
    }

    /// In turns one that reached something new by itself, and one that the solver has led elsewhere.
    fn next_to_ask(&mut self) -> Option<Record> {
        let entries = &mut self.corpus.entries;
        let entry = entries.iter_mut().rev().find(|e| !e.asked);
        match entry {
            Some(entry) if self.led.is_empty() || self.questions.is_multiple_of(2) => {
                entry.asked = true;
                Some(entry.record.clone())
            }
            _ => self.led.pop(),
        }
    }

    /// Lets short executions be longer where most are cut off.
    fn lengthen(&mut self) {
        if self.recent.0 >= BATCH {
            if 2 * self.recent.1 > self.recent.0 {
                self.length = (2 * self.length).min(MOST);
            }
            self.recent = (0, 0);
        }
    }

    /// A slice of the long execution.
    fn long(&mut self) -> Option<Script> {
        let mut long = match self.long.take() {
            Some(long) => long,
            None => self.next_long(),
        };
        let before = long.processor.walked();
        let end = long.processor.rush(&mut long.leader, SLICE, FAR);
        self.steps += long.processor.walked() - before;
        if self.is_error(end) {
            let record = &long.leader.record;
            self.keep(record);
            return Some(record.script(&self.dictionary, long.processor.steps()));
        }
        let (sides, _) = self.corpus.file(&long.leader.hits);
        if sides > 0 {
            self.note_news();
        }
        let has_read =
            !long.leader.record.inputs.is_empty() || !long.leader.record.picks.is_empty();
        self.reads |= has_read;
        let goes_on = end == End::Steps
            && long.processor.bytes() < ROOM
            && long.processor.steps() < FAR
            && (!has_read || long.processor.walked() < long.limit);
        if goes_on {
            self.long = Some(long);
        }
        None
    }

    /// The first long execution is given nothing but zeros; later ones begin as some that were cut off did.
    fn next_long(&mut self) -> Long<'p> {
        let n = self.longs;
        self.longs += 1;
        let mood = MOODS[n as usize % MOODS.len()];
        if n > 0 && mood == Mood::Zero {
            self.long_limit = self.long_limit.saturating_mul(10);
        }
        let open = self.corpus.entries.iter().filter(|e| e.is_open);
        let open: Vec<_> = open.map(|e| &e.record.inputs).collect();
        let tape = match n >= MOODS.len() as u64 && !open.is_empty() && self.random.bit() {
            true => Tape::Inputs((*self.random.pick(&open)).clone()),
            false => Tape::EMPTY,
        };
        let seed = if n == 0 { 0 } else { self.random.bits() | 1 };
        let branches = self.compiled.branches();
        self.executions += 1;
        Long {
            processor: Processor::new(self.compiled),
            leader: Leader::new(self.dictionary.clone(), seed, mood, tape, branches),
            limit: self.long_limit,
        }
    }
}
