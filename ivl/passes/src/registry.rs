//! Pass lists as text: `inline, (propagate, dce)*, lbe(limit=20)`.

use crate::bisim::Bisim;
use crate::dce::Dce;
use crate::inline::Inline;
use crate::lbe::Lbe;
use crate::manager::{Item, PassList};
use crate::monolithic::Monolithic;
use crate::options::options_of;
use crate::pass::{Pass, PassError, Property};
use crate::points_to::PointsTo;
use crate::propagate::Propagate;
use crate::slice::Slice;
use std::collections::BTreeMap;
use std::str::FromStr;
use trellis_ivl::nearest::nearest;
use trellis_ivl::option::{Given, NONE, find};

/// Options given to a pass.
pub struct Options {
    pass: String,
    values: BTreeMap<String, String>,
}

impl Options {
    /// The value of `key`, or its default.
    fn get(&self, key: &str) -> &str {
        let Ok(spec) = find(options_of(&self.pass), key) else {
            return "";
        };
        let text = self.values.get(key).map_or(&*spec.default, String::as_str);
        match spec.given(text) {
            Given::Boolean(true) => "true",
            Given::Boolean(false) => "false",
            _ => text,
        }
    }

    /// The value of `key` parsed, or its default.
    pub fn take<T: FromStr>(&self, key: &str) -> Result<T, PassError> {
        let text = self.get(key);
        let wrong = |_| self.error(format!("option {key} cannot be '{text}'"));
        text.parse().map_err(wrong)
    }

    /// The same for an option that may be `none`.
    pub fn take_some<T: FromStr>(&self, key: &str) -> Result<Option<T>, PassError> {
        match self.get(key) {
            NONE => Ok(None),
            _ => self.take(key).map(Some),
        }
    }

    fn error(&self, message: String) -> PassError {
        let pass = self.pass.clone();
        PassError::Option { pass, message }
    }

    /// Everything that is wrong with what was given, by the table of the pass.
    fn check(&self) -> Result<(), PassError> {
        let specs = options_of(&self.pass);
        let wrong = self
            .values
            .iter()
            .filter_map(|(key, text)| match find(specs, key) {
                Ok(spec) => {
                    let message = spec.check(spec.given(text)).err()?;
                    Some(format!("option {key} cannot be '{text}', it {message}"))
                }
                Err(Some(hint)) => Some(format!(
                    "there is no option '{key}'; did you mean '{hint}'?"
                )),
                Err(None) => Some(format!("there is no option '{key}'")),
            });
        let wrong: Vec<String> = wrong.collect();
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(self.error(wrong.join("; "))),
        }
    }
}

type Make = fn(&Options) -> Result<Box<dyn Pass>, PassError>;

/// Every pass, by name, with one line of help.
pub const PASSES: &[(&str, &str, Make)] = &[
    ("inline", "expand calls into one flat automaton", |o| {
        let mut pass = Inline::default();
        pass.options.recursion = o.take("recursion")?;
        pass.options.max_edges = o.take("max_edges")?;
        pass.partial_edges = o.take("partial_edges")?;
        Ok(Box::new(pass))
    }),
    (
        "points-to",
        "give objects that no address can confuse memories or variables of their own",
        |_| Ok(Box::new(PointsTo)),
    ),
    (
        "propagate",
        "put constants, copies and small terms in place of variables",
        |o| {
            Ok(Box::new(Propagate {
                expr_limit: o.take("expr_limit")?,
            }))
        },
    ),
    (
        "dce",
        "drop dead assignments, useless locations and edges that do nothing",
        |_| Ok(Box::new(Dce)),
    ),
    ("slice", "keep the cone of influence of errors", |o| {
        Ok(Box::new(Slice {
            loops: o.take("loops")?,
        }))
    }),
    (
        "bisim",
        "merge locations with the same future, and parallel edges with the same command",
        |_| Ok(Box::new(Bisim)),
    ),
    ("lbe", "make acyclic regions the command of one edge", |o| {
        Ok(Box::new(Lbe {
            limit: o.take_some("limit")?,
            choices: o.take("choices")?,
            grow: o.take_some("grow")?,
        }))
    }),
    (
        "monolithic",
        "one loop location with an explicit program counter",
        |_| Ok(Box::new(Monolithic)),
    ),
];

/// What engines get where a pipeline says nothing else.
pub const DEFAULT: &str = "inline, points-to, (propagate, slice, dce)*, bisim, lbe";

/// Passes that this crate does not know: plugins.
pub trait Elsewhere {
    /// The pass of that name with these options, as written; `None` where there is none.
    fn pass(
        &self,
        name: &str,
        options: &BTreeMap<String, String>,
    ) -> Result<Option<Box<dyn Pass>>, PassError>;
    /// The names there are, for hints.
    fn names(&self) -> Vec<String>;
}

struct Nowhere;

impl Elsewhere for Nowhere {
    fn pass(
        &self,
        _: &str,
        _: &BTreeMap<String, String>,
    ) -> Result<Option<Box<dyn Pass>>, PassError> {
        Ok(None)
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Reads and checks a list of our passes; `given` is what holds of the program at the start.
pub fn parse_list(text: &str, given: &[Property]) -> Result<PassList, PassError> {
    parse_list_with(text, given, &Nowhere)
}

/// The same with passes from elsewhere, where a name is none of ours.
pub fn parse_list_with(
    text: &str,
    given: &[Property],
    elsewhere: &dyn Elsewhere,
) -> Result<PassList, PassError> {
    let mut parser = Parser {
        rest: text.trim(),
        elsewhere,
    };
    let items = parser.items(0)?;
    if !parser.rest.is_empty() {
        return Err(parser.error("a pass name"));
    }
    PassList::new(items, given)
}

struct Parser<'a> {
    rest: &'a str,
    elsewhere: &'a dyn Elsewhere,
}

/// Groups inside groups gain nothing; the limit keeps the parser from deep recursion.
const MAX_NESTING: usize = 8;

impl<'a> Parser<'a> {
    fn error(&self, expected: &str) -> PassError {
        let found = match self.rest.chars().next() {
            Some(c) => format!("'{c}'"),
            None => "the end".into(),
        };
        PassError::Syntax(format!("expected {expected}, found {found}"))
    }

    fn eat(&mut self, c: char) -> bool {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn word(&mut self, what: &str) -> Result<&'a str, PassError> {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
            .unwrap_or(self.rest.len());
        if end == 0 {
            return Err(self.error(what));
        }
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        Ok(word)
    }

    /// A word, a number, or any text in single quotes.
    fn value(&mut self) -> Result<&'a str, PassError> {
        let Some(quoted) = self.rest.strip_prefix('\'') else {
            let end = self
                .rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || "-_.+".contains(c)));
            let (value, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            if value.is_empty() {
                return Err(self.error("a value"));
            }
            self.rest = rest.trim_start();
            return Ok(value);
        };
        let Some((value, rest)) = quoted.split_once('\'') else {
            return Err(PassError::Syntax("a quote without end".into()));
        };
        self.rest = rest.trim_start();
        Ok(value)
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Item>, PassError> {
        let mut items = Vec::new();
        if self.rest.is_empty() {
            return Ok(items);
        }
        loop {
            items.push(self.item(depth)?);
            if !self.eat(',') {
                return Ok(items);
            }
        }
    }

    fn item(&mut self, depth: usize) -> Result<Item, PassError> {
        if self.eat('(') {
            if depth == MAX_NESTING {
                return Err(PassError::Syntax("groups are nested too deeply".into()));
            }
            let items = self.items(depth + 1)?;
            if !self.eat(')') {
                return Err(self.error("')'"));
            }
            if !self.eat('*') {
                return Err(self.error("'*' after a group"));
            }
            return Ok(Item::Fixpoint(items));
        }
        let name = self.word("a pass name")?;
        let mut options = Options {
            pass: name.into(),
            values: BTreeMap::new(),
        };
        if self.eat('(') {
            while !self.eat(')') {
                let key = self.word("an option")?;
                if !self.eat('=') {
                    return Err(self.error("'='"));
                }
                let value = self.value()?;
                if options.values.insert(key.into(), value.into()).is_some() {
                    return Err(PassError::Option {
                        pass: name.into(),
                        message: format!("option {key} is given twice"),
                    });
                }
                if !self.eat(',') && !self.rest.starts_with(')') {
                    return Err(self.error("',' or ')'"));
                }
            }
        }
        let Some((_, _, make)) = PASSES.iter().find(|(n, _, _)| *n == name) else {
            if let Some(pass) = self.elsewhere.pass(name, &options.values)? {
                return Ok(Item::Pass(pass));
            }
            let theirs = self.elsewhere.names();
            let all = (PASSES.iter().map(|(n, _, _)| *n)).chain(theirs.iter().map(String::as_str));
            return Err(PassError::Unknown {
                name: name.into(),
                hint: nearest(name, all).map(Into::into),
            });
        };
        options.check()?;
        Ok(Item::Pass(make(&options)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_wrong_with_a_list() {
        for (list, message) in [
            (
                "lbe(limt=3)",
                "pass 'lbe': there is no option 'limt'; did you mean 'limit'?",
            ),
            (
                "lbe(limit=3, limit=4)",
                "pass 'lbe': option limit is given twice",
            ),
            (
                "lbe(limit=x, choice=true)",
                "pass 'lbe': there is no option 'choice'; did you mean 'choices'?; option limit cannot be 'x', \
                 it must be a whole number from 1 on, or none",
            ),
            (
                "(dce, lbe)",
                "pass list: expected '*' after a group, found the end",
            ),
            ("dce lbe", "pass list: expected a pass name, found 'l'"),
            ("lbe(limit='3)", "pass list: a quote without end"),
            ("lbe(limit=)", "pass list: expected a value, found ')'"),
            (
                "propagate, points-to",
                "pass 'points-to' needs region base variables as the front end wrote them, which 'propagate' destroys",
            ),
        ] {
            let given = [Property::Flat, Property::RegionBases];
            let error = parse_list(list, &given).err().map(|e| e.to_string());
            assert_eq!(error.as_deref(), Some(message));
        }
    }
}
