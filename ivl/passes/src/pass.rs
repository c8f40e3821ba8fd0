//! What a pass is.

use crate::back::BackMap;
use trellis_ivl::Program;

/// A property of programs that passes need, establish or destroy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    /// One procedure, no calls.
    Flat,
    /// Addresses mention the base variables of their regions, as the front end wrote them.
    RegionBases,
    /// One loop location with an explicit program counter.
    Monolithic,
}

impl Property {
    /// What holds of a program as a front end or a person wrote it.
    pub fn of(program: &Program) -> Vec<Property> {
        let mut holds = vec![Property::RegionBases];
        if program.is_flat() {
            holds.push(Property::Flat);
        }
        holds
    }
}

impl std::fmt::Display for Property {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Property::Flat => "a flat program (put 'inline' before it)",
            Property::RegionBases => "region base variables as the front end wrote them",
            Property::Monolithic => "a monolithic program (put 'monolithic' before it)",
        })
    }
}

/// Why a pass refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PassError {
    /// The list names a pass that does not exist. (User input.)
    #[error("there is no pass '{name}'{}", hint.as_ref().map(|h| format!("; did you mean '{h}'?")).unwrap_or_default())]
    Unknown {
        /// The name given.
        name: String,
        /// The nearest name there is.
        hint: Option<String>,
    },
    /// The list is malformed. (User input.)
    #[error("pass list: {0}")]
    Syntax(String),
    /// A pass needs what no pass before it provides, or what one before it destroys. (User input.)
    #[error("pass '{pass}' needs {needs}{}", culprit.as_ref().map(|c| format!(", which '{c}' destroys")).unwrap_or_default())]
    Order {
        /// The pass.
        pass: String,
        /// What it needs.
        needs: Property,
        /// The pass that destroyed it, if one did.
        culprit: Option<String>,
    },
    /// An option of a pass has a wrong name or value. (User input.)
    #[error("pass '{pass}': {message}")]
    Option {
        /// The pass.
        pass: String,
        /// What is wrong.
        message: String,
    },
    /// A pass that is a plugin failed; the program is as before it. (The plugin's bug, or its limits.)
    #[error("pass '{pass}': {message}")]
    Foreign {
        /// The pass.
        pass: String,
        /// Its library, and what happened.
        message: String,
    },
    /// The program is ill-formed after a pass. (Our bug.)
    #[error("internal error: pass '{pass}' made an ill-formed program: {message}")]
    Broken {
        /// The pass.
        pass: String,
        /// The verifier's findings.
        message: String,
    },
}

/// The result of running a pass.
pub struct Outcome {
    /// The way back; `None` when the program is unchanged.
    pub back: Option<Box<dyn BackMap>>,
}

impl Outcome {
    /// Nothing changed.
    pub fn unchanged() -> Outcome {
        Outcome { back: None }
    }

    /// The program changed, with the way back.
    pub fn changed(back: impl BackMap + 'static) -> Outcome {
        Outcome {
            back: Some(Box::new(back)),
        }
    }
}

/// A transformation that keeps which error and incomplete locations are reachable.
///
/// A pass may append to the arenas of a program and replace its control tables; entity numbers in
/// the arenas (variables, inputs, commands, terms) stay valid for ever. It keeps the number and order of
/// a choice's branches when it rewrites a command in place, because traces refer to them, and it keeps
/// the input of every havoc it copies.
pub trait Pass {
    /// Its name in pass lists.
    fn name(&self) -> &str;
    /// What it needs.
    fn requires(&self) -> &[Property] {
        &[]
    }
    /// What holds afterwards.
    fn ensures(&self) -> &[Property] {
        &[]
    }
    /// What may no longer hold afterwards.
    fn destroys(&self) -> &[Property] {
        &[]
    }
    /// Transforms `program`.
    fn run(&self, program: &mut Program) -> Result<Outcome, PassError>;
}
