//! Which engines of a race begin when, by what the program is like: a list of classes of programs, of which the first that fits counts.
//!
//! ```toml
//! [[class]]
//! when = ["loops >= 1", "arrays <= 0"]
//! turns = [{ engine = "dataflow" }, { engine = "kiki" }, { engine = "ic3cfa", after = "500ms" }]
//! ```
//!
//! An engine of the race that a class does not name begins as if there were no classes, and nobody is left out: `after` only says how
//! much CPU time the others get before.

use crate::config::{Located, Run};
use crate::error::{PipelineError, Place};
use crate::keys::{self, FEATURES};
use crate::read::{Table, join, wrong_type};
use crate::tree::{self, Node, Sources, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;
use trellis_ivl::nearest::nearest;

/// What a program is like: numbers by the names of [`FEATURES`].
pub type Features = BTreeMap<&'static str, u64>;

/// A list of classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Where it comes from.
    pub source: String,
    /// The classes; the first that fits counts.
    pub classes: Vec<Class>,
}

/// Programs, and what suits them.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// What holds of each of them.
    pub when: Vec<Test>,
    /// The engines in the order in which they begin.
    pub turns: Vec<Turn>,
}

/// A bound of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its name.
    pub feature: &'static str,
    /// Whether the bound is the least, and not the most.
    pub is_least: bool,
    /// The bound.
    pub bound: u64,
}

/// When an engine begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The engine.
    pub engine: String,
    /// The CPU time that others get before.
    pub after: Duration,
}

impl Test {
    fn holds(&self, features: &Features) -> bool {
        let value = features.get(self.feature).copied().unwrap_or(0);
        match self.is_least {
            true => value >= self.bound,
            false => value <= self.bound,
        }
    }

    fn parse(text: &str) -> Result<Test, String> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let &[name, relation, bound] = &parts[..] else {
            return Err("is no bound such as \"loops >= 1\"".into());
        };
        let Some(feature) = FEATURES.iter().find(|f| f.name == name) else {
            let hint = nearest(name, FEATURES.iter().map(|f| f.name));
            let hint = hint.map_or(String::new(), |h| format!(", did you mean `{h}`?"));
            return Err(format!("names `{name}`, which is no feature{hint}"));
        };
        let is_least = match relation {
            ">=" => true,
            "<=" => false,
            _ => return Err(format!("has `{relation}` where >= or <= belongs")),
        };
        let bound = bound
            .parse()
            .map_err(|_| format!("has `{bound}` where a number belongs"))?;
        Ok(Test {
            feature: feature.name,
            is_least,
            bound,
        })
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = if self.is_least { ">=" } else { "<=" };
        write!(f, "{} {relation} {}", self.feature, self.bound)
    }
}

impl Class {
    /// Why a program is in the class, for people.
    pub fn why(&self) -> String {
        let tests: Vec<String> = self.when.iter().map(Test::to_string).collect();
        match tests.is_empty() {
            true => "any other program".into(),
            false => tests.join(", "),
        }
    }

    /// The members of a race in the order in which they begin: those that the class names, then the others as they were.
    pub fn order<'a>(&self, members: &'a [Run]) -> Vec<(&'a Run, Duration)> {
        let is = |m: &Run, turn: &Turn| matches!(m, Run::Engine(name) if *name == turn.engine);
        let turn_of = |m: &Run| self.turns.iter().position(|t| is(m, t));
        let mut order: Vec<_> = members
            .iter()
            .map(|m| (turn_of(m).unwrap_or(usize::MAX), m))
            .collect();
        order.sort_by_key(|(turn, _)| *turn);
        let after = |turn: usize| self.turns.get(turn).map_or(Duration::ZERO, |t| t.after);
        order.into_iter().map(|(n, m)| (m, after(n))).collect()
    }
}

impl Selection {
    /// Reads a selection by name or path, as a pipeline at `from` names it.
    pub fn load(
        sources: &dyn Sources,
        named: &Located<String>,
    ) -> Result<Selection, PipelineError> {
        let from = Some(&*named.place.source);
        let Some((source, text)) = sources.text(&named.value, from) else {
            return Err(PipelineError::Value {
                place: named.place.clone(),
                key: "select".into(),
                message: format!("names `{}`, which cannot be read", named.value),
            });
        };
        let mut t = Table::new(tree::parse(&source, &text)?, "", keys::SELECTION)?;
        let list = match t.take("class") {
            None => Vec::new(),
            Some(node) => list(node, "class", "a list of tables")?,
        };
        let classes = list.into_iter().enumerate();
        let classes: Result<_, _> = classes.map(|(i, node)| class(node, i)).collect();
        Ok(Selection {
            source,
            classes: classes?,
        })
    }

    /// The class of a program.
    pub fn class(&self, features: &Features) -> Option<&Class> {
        let mut classes = self.classes.iter();
        classes.find(|c| c.when.iter().all(|t| t.holds(features)))
    }
}

fn list(node: Node, path: &str, what: &str) -> Result<Vec<Node>, PipelineError> {
    match node.value {
        Value::List(list) => Ok(list),
        _ => Err(wrong_type(&node, path, what)),
    }
}

fn class(node: Node, number: usize) -> Result<Class, PipelineError> {
    let path = format!("class[{number}]");
    let mut t = Table::new(node, &path, keys::CLASS)?;
    let mut when = Vec::new();
    if let Some(node) = t.take("when") {
        let path = join(&path, "when");
        for node in list(node, &path, "a list of bounds")? {
            let Value::Text(text) = &node.value else {
                return Err(wrong_type(&node, &path, "a list of bounds"));
            };
            when.push(Test::parse(text).map_err(|message| PipelineError::Value {
                place: node.place.clone(),
                key: path.clone(),
                message,
            })?);
        }
    }
    let mut turns = Vec::new();
    let mut named = BTreeSet::new();
    if let Some(node) = t.take("turns") {
        let path = join(&path, "turns");
        for node in list(node, &path, "a list of tables")? {
            let (turn, place) = turn(node, &path)?;
            if !named.insert(turn.engine.clone()) {
                return Err(PipelineError::Value {
                    place,
                    key: path,
                    message: format!("has `{}` twice", turn.engine),
                });
            }
            turns.push(turn);
        }
    }
    Ok(Class { when, turns })
}

fn turn(node: Node, path: &str) -> Result<(Turn, Place), PipelineError> {
    let mut t = Table::new(node, path, keys::TURN)?;
    let Some((engine, place)) = t.text("engine")? else {
        return Err(PipelineError::Value {
            place: t.place.clone(),
            key: path.into(),
            message: "has a turn without `engine`".into(),
        });
    };
    let after = t.duration("after")?.unwrap_or_default();
    Ok((Turn { engine, after }, place))
}
