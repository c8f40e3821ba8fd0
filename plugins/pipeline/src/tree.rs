//! TOML with places, inheritance and changes from the command line.

use crate::error::{PipelineError, Place};
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};
use trellis_ivl::nearest::nearest;

/// A value with the place of its key (or of itself, in a list).
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub value: Value,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// An integer.
    Integer(i64),
    /// A number with a fraction.
    Float(f64),
    /// A truth value.
    Boolean(bool),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(BTreeMap<String, Node>),
}

impl Value {
    /// Its type, for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Text(_) => "a text",
            Value::Integer(_) => "an integer",
            Value::Float(_) => "a number",
            Value::Boolean(_) => "a boolean",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Text(t) => t.clone().into(),
            Value::Integer(n) => (*n).into(),
            Value::Float(x) => (*x).into(),
            Value::Boolean(b) => (*b).into(),
            Value::List(items) => items.iter().map(|n| n.value.to_json()).collect(),
            Value::Table(items) => items
                .iter()
                .map(|(k, n)| (k.clone(), n.value.to_json()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

/// Where pipelines come from.
pub trait Sources {
    /// The text of a pipeline or of a file of classes by name or path, and a name for its places. `from` is the name that
    /// this gave to the pipeline that extends it.
    fn text(&self, name: &str, from: Option<&str>) -> Option<(String, String)>;
    /// The names there are, for hints.
    fn names(&self) -> Vec<String>;
}

/// A change from the command line: `limits.wall=60`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The key, dots between its parts.
    pub key: String,
    /// The value: TOML, or a bare word that stands for a text.
    pub value: String,
}

/// The tree of a pipeline with all it extends and all changes, and the name of its source.
pub fn load(
    sources: &dyn Sources,
    name: &str,
    changes: &[Change],
) -> Result<(Node, String), PipelineError> {
    let mut tree: Option<Node> = None;
    let mut overrides = Overrides::default();
    let mut names: Vec<String> = Vec::new();
    let mut next = Some((name.to_string(), None));
    while let Some((name, place)) = next {
        let from = names.last().map(String::as_str);
        let Some((source, text)) = sources.text(&name, from) else {
            let all = sources.names();
            let hint = nearest(&name, all.iter().map(String::as_str)).map(str::to_string);
            return Err(PipelineError::NoSuchPipeline { name, hint });
        };
        if names.contains(&source) {
            let place = place.expect("the first pipeline is new");
            return Err(PipelineError::Cycle { place, name });
        }
        let mut base = parse(&source, &text)?;
        names.push(source);
        next = take_extends(&mut base)?.map(|(name, place)| (name, Some(place)));
        overrides.take(&mut base)?;
        tree = Some(match tree {
            None => base,
            Some(own) => {
                // The description of the extending pipeline is its own.
                let mut base = base;
                if let Value::Table(items) = &mut base.value {
                    items.remove("description");
                }
                merge(base, own, "", &mut overrides)?
            }
        });
    }
    overrides.check()?;
    let mut tree = tree.expect("at least one text was read");
    for change in changes {
        apply(&mut tree, change)?;
    }
    Ok((tree, names.swap_remove(0)))
}

fn take_extends(tree: &mut Node) -> Result<Option<(String, Place)>, PipelineError> {
    let Value::Table(items) = &mut tree.value else {
        return Ok(None);
    };
    match items.remove("extends") {
        None => Ok(None),
        Some(Node {
            place,
            value: Value::Text(name),
        }) => Ok(Some((name, place))),
        Some(node) => Err(PipelineError::Value {
            place: node.place,
            key: "extends".into(),
            message: format!("is {}, not the name of a pipeline", node.value.type_name()),
        }),
    }
}

/// The keys that pipelines say they change, with their places, and whether something was there to be changed.
#[derive(Default)]
struct Overrides(BTreeMap<String, (Place, bool)>);

impl Overrides {
    /// Takes the list of a pipeline, which sets each key that it names.
    fn take(&mut self, tree: &mut Node) -> Result<(), PipelineError> {
        let Value::Table(items) = &mut tree.value else {
            return Ok(());
        };
        let Some(list) = items.remove("override") else {
            return Ok(());
        };
        let wrong = |node: &Node| PipelineError::Value {
            place: node.place.clone(),
            key: "override".into(),
            message: format!("has {}, not a list of keys", node.value.type_name()),
        };
        let Value::List(keys) = &list.value else {
            return Err(wrong(&list));
        };
        for node in keys {
            let Value::Text(key) = &node.value else {
                return Err(wrong(node));
            };
            if !sets(tree, key) {
                return Err(PipelineError::NoEffect {
                    place: node.place.clone(),
                    key: "override".into(),
                    why: format!("`{key}` is not set in this file"),
                });
            }
            self.0.insert(key.clone(), (node.place.clone(), false));
        }
        Ok(())
    }

    /// Whether what is inherited at `path` may be replaced.
    fn allow(&mut self, path: &str) -> bool {
        match self.0.get_mut(path) {
            Some((_, used)) => {
                *used = true;
                true
            }
            None => false,
        }
    }

    fn check(self) -> Result<(), PipelineError> {
        match self.0.into_iter().find(|(_, (_, used))| !used) {
            None => Ok(()),
            Some((key, (place, _))) => Err(PipelineError::NoEffect {
                place,
                key: "override".into(),
                why: format!("nothing that is extended sets `{key}`"),
            }),
        }
    }
}

/// Whether the tree has the key, dots between its parts.
fn sets(tree: &Node, key: &str) -> bool {
    let mut at = tree;
    key.split('.').all(|part| match &at.value {
        Value::Table(items) => items.get(part).inspect(|node| at = node).is_some(),
        _ => false,
    })
}

/// Why `run.add` may have no effect.
pub(crate) const NOTHING_TO_ADD_TO: &str = "no pipeline that is extended has a race or a sequence";

/// Moves the members that `run.add` has to the end of the inherited race or sequence, or of an `add` that waits for one.
fn add_members(
    inherited: &mut BTreeMap<String, Node>,
    own: &mut BTreeMap<String, Node>,
) -> Result<(), PipelineError> {
    let Some(add) = own.remove("add") else {
        return Ok(());
    };
    let list = ["race", "sequence", "add"]
        .into_iter()
        .find(|key| inherited.contains_key(*key))
        .and_then(|key| inherited.get_mut(key));
    match (list.map(|node| &mut node.value), add.value) {
        (Some(Value::List(members)), Value::List(more)) => members.extend(more),
        (None, _) => {
            return Err(PipelineError::NoEffect {
                place: add.place,
                key: "run.add".into(),
                why: NOTHING_TO_ADD_TO.into(),
            });
        }
        (_, value) => {
            return Err(PipelineError::Value {
                place: add.place,
                key: "run.add".into(),
                message: format!("is {}, not a list of engines", value.type_name()),
            });
        }
    }
    Ok(())
}

/// Adds `own` to `base`.
fn merge(
    base: Node,
    own: Node,
    path: &str,
    overrides: &mut Overrides,
) -> Result<Node, PipelineError> {
    if overrides.allow(path) {
        return Ok(own);
    }
    match (base.value, own.value) {
        (Value::Table(mut items), Value::Table(mut more)) => {
            if path == "run" {
                add_members(&mut items, &mut more)?;
            }
            for (key, node) in more {
                let path = join(path, &key);
                let merged = match items.remove(&key) {
                    Some(inherited) => merge(inherited, node, &path, overrides)?,
                    None => node,
                };
                items.insert(key, merged);
            }
            Ok(Node {
                place: own.place,
                value: Value::Table(items),
            })
        }
        _ => Err(PipelineError::Redefined {
            place: own.place,
            key: path.to_string(),
            first: base.place,
        }),
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_string()
    } else {
        format!("{path}.{key}")
    }
}

fn apply(tree: &mut Node, change: &Change) -> Result<(), PipelineError> {
    let place = Place::command_line();
    let value = match DeValue::parse(&change.value) {
        Ok(value) => convert(value.into_inner(), &mut |_| place.clone())?,
        Err(_) => Value::Text(change.value.clone()),
    };
    let mut at = tree;
    let parts: Vec<&str> = change.key.split('.').collect();
    for (i, part) in parts.iter().enumerate() {
        let kind = at.value.type_name();
        let Value::Table(items) = &mut at.value else {
            return Err(PipelineError::Value {
                place,
                key: parts[..i].join("."),
                message: format!("is {kind} and has no `{part}`"),
            });
        };
        at = items.entry(part.to_string()).or_insert_with(|| Node {
            place: place.clone(),
            value: Value::Table(BTreeMap::new()),
        });
    }
    *at = Node { place, value };
    Ok(())
}

/// A text as a tree.
pub(crate) fn parse(source: &str, text: &str) -> Result<Node, PipelineError> {
    let name: Arc<str> = Arc::from(source);
    let mut place = |at: usize| {
        let before = &text[..at.min(text.len())];
        let line_start = before.rfind('\n').map_or(0, |n| n + 1);
        Place {
            source: name.clone(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    };
    let table = DeTable::parse(text).map_err(|e| PipelineError::Syntax {
        place: place(e.span().map_or(0, |s| s.start)),
        message: e.message().to_string(),
    })?;
    let value = convert(DeValue::Table(table.into_inner()), &mut place)?;
    Ok(Node {
        place: place(0),
        value,
    })
}

fn convert(
    value: DeValue<'_>,
    place: &mut impl FnMut(usize) -> Place,
) -> Result<Value, PipelineError> {
    Ok(match value {
        DeValue::String(t) => Value::Text(t.into_owned()),
        DeValue::Boolean(b) => Value::Boolean(b),
        DeValue::Integer(n) => {
            let parsed = i64::from_str_radix(n.as_str(), n.radix());
            Value::Integer(parsed.map_err(|_| PipelineError::Syntax {
                place: place(0),
                message: format!("`{}` is too large", n.as_str()),
            })?)
        }
        DeValue::Float(x) => Value::Float(x.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Datetime(d) => Value::Text(d.to_string()),
        DeValue::Array(items) => {
            let mut list = Vec::new();
            for item in items {
                let at = place(item.span().start);
                let value = convert(item.into_inner(), place)?;
                list.push(Node { place: at, value });
            }
            Value::List(list)
        }
        DeValue::Table(items) => {
            let mut table = BTreeMap::new();
            for (key, item) in items {
                let at = place(key.span().start);
                let value = convert(item.into_inner(), place)?;
                table.insert(key.into_inner().into_owned(), Node { place: at, value });
            }
            Value::Table(table)
        }
    })
}
