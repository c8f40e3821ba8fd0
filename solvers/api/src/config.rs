//! Configuration of a session: a seed, and options by name.
//!
//! A backend states its options as one table of [`OptionSpec`]; [`parse_options`] checks the names
//! and ranges, so that a misspelled option is an error with the nearest valid name and never ignored.

use crate::SolverError;
use std::collections::BTreeMap;
use trellis_ivl::nearest::distance;

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

/// One integer option of a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// Its value when it is not given.
    pub default: i64,
    /// The smallest value.
    pub low: i64,
    /// The largest value.
    pub high: i64,
    /// What it does, one line.
    pub help: &'static str,
}

/// The values of `config`'s options, in the order of `specs`; booleans may be written as words.
pub fn parse_options(
    solver: &str,
    specs: &[OptionSpec],
    config: &SessionConfig,
) -> Result<Vec<i64>, SolverError> {
    let mut values: Vec<i64> = specs.iter().map(|spec| spec.default).collect();
    for (name, text) in &config.options {
        let error = |message: String| SolverError::Option {
            solver: solver.to_string(),
            option: name.clone(),
            message,
        };
        let Some(index) = specs.iter().position(|spec| spec.name == name) else {
            let nearest = specs.iter().min_by_key(|spec| distance(spec.name, name));
            return Err(error(match nearest {
                Some(spec) => format!("no such option, the nearest is `{}`", spec.name),
                None => "the solver has no options".to_string(),
            }));
        };
        let OptionSpec { low, high, .. } = specs[index];
        let value = match text.as_str() {
            "true" => Some(1),
            "false" => Some(0),
            digits => digits.parse::<i64>().ok(),
        };
        match value {
            Some(value) if (low..=high).contains(&value) => values[index] = value,
            _ => {
                let range = format!("`{text}` is not a number from {low} to {high}");
                return Err(error(range));
            }
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: [OptionSpec; 2] = [
        OptionSpec {
            name: "elim",
            default: 1,
            low: 0,
            high: 1,
            help: "",
        },
        OptionSpec {
            name: "restartint",
            default: 2,
            low: 1,
            high: 9,
            help: "",
        },
    ];

    fn parse(name: &str, value: &str) -> Result<Vec<i64>, String> {
        parse_options("s", &SPECS, &SessionConfig::default().with(name, value))
            .map_err(|e| e.to_string())
    }

    #[test]
    fn options_are_checked() {
        assert_eq!(parse("elim", "false"), Ok(vec![0, 2]));
        assert_eq!(parse("restartint", "9"), Ok(vec![1, 9]));
        assert_eq!(
            parse("restartin", "3").unwrap_err(),
            "solver s: option `restartin`: no such option, the nearest is `restartint`"
        );
        assert_eq!(
            parse("restartint", "0").unwrap_err(),
            "solver s: option `restartint`: `0` is not a number from 1 to 9"
        );
        assert!(parse("elim", "yes").is_err());
    }
}
