//! Configuration of a session: a seed, and options by name.
//!
//! A backend states its options as one table of [`OptionSpec`], as passes and engines do; [`parse_options`] checks the
//! names and ranges, so that a misspelled option is an error with the nearest valid name and never ignored.

use crate::{Result, SolverError};
use std::collections::BTreeMap;
use trellis_ivl::option::{Given, find};
pub use trellis_ivl::option::{OptionKind, OptionSpec};

/// How to make a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionConfig {
    /// Seed of every random choice of the solver.
    pub seed: u64,
    /// Options of the backend, by name.
    pub options: BTreeMap<String, String>,
}

impl SessionConfig {
    /// Adds one option.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> SessionConfig {
        self.options.insert(name.to_string(), value.to_string());
        self
    }
}

/// The values of `config`'s options, in the order of `specs`: of a flag 0 or 1, of a word its place among the choices,
/// and nothing for `none`. What is not given has its default.
///
/// # Errors
/// The first option that the table does not have, or that has a value which it says it cannot have.
pub fn parse_options(
    solver: &str,
    specs: &[OptionSpec],
    config: &SessionConfig,
) -> Result<Vec<Option<i64>>> {
    for (name, text) in &config.options {
        let error = |message: String| SolverError::Option {
            solver: solver.to_string(),
            option: name.clone(),
            message,
        };
        match find(specs, name) {
            Ok(spec) => spec.check(spec.given(text)).map_err(error)?,
            Err(Some(nearest)) => {
                return Err(error(format!("no such option, did you mean `{nearest}`?")));
            }
            Err(None) if specs.is_empty() => return Err(error("the solver has no options".into())),
            Err(None) => return Err(error("no such option".into())),
        }
    }
    let value = |spec: &OptionSpec| {
        let given = config.options.get(&*spec.name);
        let text = given.map_or(&*spec.default, String::as_str);
        match (spec.given(text), &spec.kind) {
            (Given::Integer(n), _) => i64::try_from(n).ok(),
            (Given::Boolean(b), _) => Some(i64::from(b)),
            (Given::Text(word), OptionKind::Choice(words)) => {
                let at = words.iter().position(|w| w == word);
                at.map(|at| at as i64)
            }
            _ => None,
        }
    };
    Ok(specs.iter().map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: [OptionSpec; 2] = [
        OptionSpec::flag("elim", "true", ""),
        OptionSpec::integer("restartint", "none", 1, 9, "").or_none(),
    ];

    fn parse(name: &str, value: &str) -> Result<Vec<Option<i64>>, String> {
        parse_options("s", &SPECS, &SessionConfig::default().with(name, value))
            .map_err(|e| e.to_string())
    }

    #[test]
    fn options_are_checked() {
        assert_eq!(parse("elim", "false"), Ok(vec![Some(0), None]));
        assert_eq!(parse("elim", "0"), Ok(vec![Some(0), None]));
        assert_eq!(parse("restartint", "9"), Ok(vec![Some(1), Some(9)]));
        assert_eq!(
            parse("restartin", "3").unwrap_err(),
            "solver s: option `restartin`: no such option, did you mean `restartint`?"
        );
        assert_eq!(
            parse("restartint", "0").unwrap_err(),
            "solver s: option `restartint`: must be a whole number from 1 to 9, or none"
        );
        assert!(parse("elim", "yes").is_err());
    }
}
