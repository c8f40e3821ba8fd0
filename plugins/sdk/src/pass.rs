//! What a pass implements, and what becomes of its answer.
//!
//! A pass that is a plugin works on a copy of the program in a process of its own. What comes back is words: the new
//! program and the way back. [`apply`] makes them the program of whoever asked, and believes nothing: numbers are checked,
//! the verifier looks at the program, and a way back that is wrong costs an answer when its traces and invariants
//! are checked on the program of the front end.

use crate::engine::{EngineError, Host, Info};
use crate::local::LocalHost;
use crate::options::EngineOptions;
use crate::wire::back::{self, Sizes};
use crate::wire::image;
use crate::wire::reader::{Reader, WireError};
use cranelift_entity::EntityRef;
use trellis_ivl::{Program, Trace, verify};
use trellis_ivl_passes::{
    self as passes, BackError, BackMap, ControlMap, Invariants, Outcome, PassError, Property,
};
use trellis_plugin_abi as abi;

/// A transformation that keeps which error and incomplete locations are reachable.
pub trait Pass {
    /// Its name and description.
    const INFO: Info;
    /// What it needs of a program.
    const REQUIRES: &'static [Property] = &[];
    /// What holds of every program it makes.
    const ENSURES: &'static [Property] = &[];
    /// What may no longer hold of a program it makes.
    const DESTROYS: &'static [Property] = &[];

    /// Its options; [`options!`](crate::options!) makes such a type.
    type Options: EngineOptions;

    /// Transforms `program` and says how its traces and invariants are some of the program before; `None` where nothing
    /// has changed.
    ///
    /// A pass may append to the arenas of a program (variables, inputs, terms, commands) and replace its control tables.
    /// It keeps the number and order of a choice's branches when it rewrites a command in place, and the input of every
    /// havoc it copies. A program that it cannot work on is [`EngineError::Program`]. A panic is an error result.
    fn run(
        options: &Self::Options,
        program: &mut Program,
        host: &mut dyn Host,
    ) -> Result<Option<ControlMap>, EngineError>;

    /// The pass without a process of its own, as tests and the manager take it. Its answer takes the same way as that of a
    /// plugin, through words and back.
    fn in_process(options: Self::Options) -> Box<dyn passes::Pass>
    where
        Self: Sized + 'static,
    {
        Box::new(InProcess::<Self> { options })
    }
}

struct InProcess<P: Pass> {
    options: P::Options,
}

impl<P: Pass> passes::Pass for InProcess<P> {
    fn name(&self) -> &str {
        P::INFO.id
    }

    fn requires(&self) -> &[Property] {
        P::REQUIRES
    }

    fn ensures(&self) -> &[Property] {
        P::ENSURES
    }

    fn destroys(&self) -> &[Property] {
        P::DESTROYS
    }

    fn run(&self, program: &mut Program) -> Result<Outcome, PassError> {
        let failed = |message: String| PassError::Foreign {
            pass: P::INFO.id.into(),
            message,
        };
        let mut host = LocalHost::without_solver();
        let image = image::write(program);
        let answer = answer::<P>(&image, &self.options, &mut host);
        match answer.map_err(|e| failed(e.to_string()))? {
            None => Ok(Outcome::unchanged()),
            Some(words) => apply(program, &words).map_err(|e| failed(e.to_string())),
        }
    }
}

/// What a pass answers to a program: the words of another one with its way back, or nothing where nothing has changed.
pub fn answer<P: Pass>(
    image: &[u32],
    options: &P::Options,
    host: &mut dyn Host,
) -> Result<Option<Vec<u32>>, EngineError> {
    let mut program = image::read(image).map_err(|e| EngineError::Host(e.to_string()))?;
    let locs = program.locs.len();
    let Some(map) = P::run(options, &mut program, host)? else {
        return Ok(None);
    };
    if map.walks.len() != program.edges.len() {
        return Err(EngineError::Internal(format!(
            "the way back has {} walks for {} edges",
            map.walks.len(),
            program.edges.len()
        )));
    }
    let image = image::write(&program);
    let mut words = vec![image.len() as u32];
    words.extend(image);
    words.extend(back::write(&program, locs, &map));
    Ok(Some(words))
}

/// Why the answer of a pass is no program. (The pass's bug.)
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// It cannot be read.
    #[error("returned a malformed program: {0}")]
    Malformed(#[from] WireError),
    /// The verifier does not accept it.
    #[error("made an ill-formed program: {0}")]
    IllFormed(String),
}

/// Makes `program` the one that a pass has answered. On an error it is as before, but for grown arenas.
pub fn apply(program: &mut Program, words: &[u32]) -> Result<Outcome, AnswerError> {
    let mut before = program.control();
    let vars = program.pool.vars().len();
    let applied = try_apply(
        program,
        words,
        (before.locs.len(), before.edges.len()),
        vars,
    );
    match applied {
        Ok(map) => Ok(Outcome::changed(PluginBack { map, vars })),
        Err(e) => {
            program.swap_control(&mut before);
            Err(e)
        }
    }
}

fn try_apply(
    program: &mut Program,
    words: &[u32],
    before: (usize, usize),
    vars: usize,
) -> Result<ControlMap, AnswerError> {
    let mut r = Reader::new(words);
    let len = r.count("a transformed program")?;
    let image = r.take(len, "a transformed program")?;
    image::replace(program, image)?;
    verify::verify(program).map_err(|e| AnswerError::IllFormed(e.to_string()))?;
    let sizes = Sizes {
        before,
        after: (program.locs.len(), program.edges.len()),
        vars,
    };
    let rest = r.take(r.left(), "a way back")?;
    Ok(back::read(&mut program.pool, sizes, rest)?)
}

/// The way back of a plugin, which may have variables that the program before does not have.
struct PluginBack {
    map: ControlMap,
    /// Variables of the program before.
    vars: usize,
}

impl PluginBack {
    /// What cannot be said of the program before is not said.
    fn known(&self, program: &Program, invariants: Invariants) -> Invariants {
        let known = |t| {
            let vars = program.pool.free_vars([t]);
            vars.into_iter().all(|v| v.index() < self.vars)
        };
        invariants.into_iter().filter(|(_, t)| known(*t)).collect()
    }
}

impl BackMap for PluginBack {
    fn trace(&self, program: &Program, mut trace: Trace) -> Result<Trace, BackError> {
        // A variable under a new name gives the old one its value; that of any other new variable is nobody's.
        let initial = std::mem::take(&mut trace.initial);
        let (own, new): (Vec<_>, Vec<_>) = initial
            .into_iter()
            .partition(|(v, _)| v.index() < self.vars);
        trace.initial = own.into_iter().collect();
        for (v, value) in new {
            let old = self
                .map
                .rename
                .get(&v)
                .and_then(|&t| program.pool.as_var(t));
            if let Some(old) = old {
                trace.initial.entry(old).or_insert(value);
            }
        }
        self.map.trace(program, trace)
    }

    fn invariants(&self, program: &mut Program, invariants: Invariants) -> Invariants {
        let translated = self.map.invariants(program, invariants);
        self.known(program, translated)
    }

    fn lemmas(&self, program: &mut Program, cut: &Invariants, lemmas: Invariants) -> Invariants {
        let translated = self.map.lemmas(program, cut, lemmas);
        self.known(program, translated)
    }
}

/// Properties of programs as the descriptor has them.
pub const fn bits(properties: &[Property]) -> u32 {
    let (mut bits, mut i) = (0, 0);
    while i < properties.len() {
        bits |= match properties[i] {
            Property::Flat => abi::TRELLIS_PROPERTY_FLAT,
            Property::RegionBases => abi::TRELLIS_PROPERTY_REGION_BASES,
            Property::Monolithic => abi::TRELLIS_PROPERTY_MONOLITHIC,
        };
        i += 1;
    }
    bits
}

/// The properties of a descriptor; unknown ones are left out.
pub fn properties(word: u32) -> Vec<Property> {
    let all = [Property::Flat, Property::RegionBases, Property::Monolithic];
    all.into_iter()
        .filter(|&p| word & bits(&[p]) != 0)
        .collect()
}

/// Exports a pass as the plugin of this library.
#[macro_export]
macro_rules! export_pass {
    ($Pass:ty) => {
        #[allow(unsafe_code)]
        const _: () = {
            use $crate::pass::{Pass, bits};
            use $crate::private::abi;
            static PASS: abi::TrellisPass = abi::TrellisPass {
                size: size_of::<abi::TrellisPass>() as u32,
                requires: bits(<$Pass as Pass>::REQUIRES),
                ensures: bits(<$Pass as Pass>::ENSURES),
                destroys: bits(<$Pass as Pass>::DESTROYS),
                run: Some($crate::shim::run_pass::<$Pass>),
            };
            $crate::descriptor! {
                <$Pass as Pass>::INFO,
                <<$Pass as Pass>::Options as $crate::EngineOptions>::DOCS,
                abi::TRELLIS_KIND_PASS, pass: &raw const PASS
            }
        };
    };
}
