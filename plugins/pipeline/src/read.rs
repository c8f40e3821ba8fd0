//! Reading a table by its known keys; what is left over is an error.

use crate::config::Located;
use crate::error::{PipelineError, Place};
use crate::keys::Key;
use crate::tree::{Node, Value};
use crate::units;
use std::collections::BTreeMap;
use std::time::Duration;
use trellis_ivl::nearest::nearest;

/// A table whose keys are taken one by one.
pub struct Table {
    /// Where it stands.
    pub place: Place,
    path: String,
    keys: &'static [Key],
    items: BTreeMap<String, Node>,
}

impl Table {
    /// The table `node`, which `path` names in messages; unknown keys are errors at once.
    pub fn new(node: Node, path: &str, keys: &'static [Key]) -> Result<Table, PipelineError> {
        let Value::Table(items) = node.value else {
            return Err(wrong_type(&node, path, "a table"));
        };
        for (key, node) in &items {
            if !keys.iter().any(|k| k.name == key) {
                let known = keys.iter().map(|k| k.name);
                return Err(PipelineError::UnknownKey {
                    place: node.place.clone(),
                    key: join(path, key),
                    hint: nearest(key, known).map(|k| join(path, k)),
                });
            }
        }
        Ok(Table {
            place: node.place,
            path: path.to_string(),
            keys,
            items,
        })
    }

    /// The full name of a key.
    pub fn name(&self, key: &str) -> String {
        join(&self.path, key)
    }

    /// Takes a key as it is.
    pub fn take(&mut self, key: &str) -> Option<Node> {
        debug_assert!(self.keys.iter().any(|k| k.name == key), "{key} is no key");
        self.items.remove(key)
    }

    /// Takes a text.
    pub fn text(&mut self, key: &str) -> Result<Option<(String, Place)>, PipelineError> {
        match self.take(key) {
            None => Ok(None),
            Some(Node {
                place,
                value: Value::Text(text),
            }) => Ok(Some((text, place))),
            Some(node) => Err(wrong_type(&node, &self.name(key), "a text")),
        }
    }

    /// Takes a boolean.
    pub fn boolean(&mut self, key: &str) -> Result<Option<(bool, Place)>, PipelineError> {
        match self.take(key) {
            None => Ok(None),
            Some(Node {
                place,
                value: Value::Boolean(b),
            }) => Ok(Some((b, place))),
            Some(node) => Err(wrong_type(&node, &self.name(key), "a boolean")),
        }
    }

    /// Takes a number that is greater than zero.
    pub fn positive(&mut self, key: &str) -> Result<Option<(f64, Place)>, PipelineError> {
        let Some(node) = self.take(key) else {
            return Ok(None);
        };
        let number = match node.value {
            Value::Integer(n) => n as f64,
            Value::Float(x) => x,
            _ => return Err(wrong_type(&node, &self.name(key), "a number")),
        };
        if number.is_finite() && number > 0.0 {
            return Ok(Some((number, node.place)));
        }
        Err(PipelineError::Value {
            place: node.place,
            key: self.name(key),
            message: "is not greater than zero".into(),
        })
    }

    /// Takes a time.
    pub fn duration(&mut self, key: &str) -> Result<Option<Duration>, PipelineError> {
        self.unit(
            key,
            "a time, such as 900, \"90s\" or \"15min\"",
            units::duration,
        )
    }

    /// Takes a size.
    pub fn size(&mut self, key: &str) -> Result<Option<u64>, PipelineError> {
        self.unit(key, "a size, such as \"500MiB\" or \"4GiB\"", units::size)
    }

    fn unit<T>(
        &mut self,
        key: &str,
        what: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, PipelineError> {
        let Some(node) = self.take(key) else {
            return Ok(None);
        };
        let text = match &node.value {
            Value::Text(text) => text.clone(),
            Value::Integer(n) => n.to_string(),
            Value::Float(x) => x.to_string(),
            _ => return Err(wrong_type(&node, &self.name(key), what)),
        };
        match parse(&text) {
            Some(value) => Ok(Some(value)),
            None => Err(PipelineError::Value {
                place: node.place,
                key: self.name(key),
                message: format!("is `{text}`, not {what}"),
            }),
        }
    }

    /// Takes a table of any keys, with its entries' places.
    pub fn free_table(&mut self, key: &str) -> Result<BTreeMap<String, Node>, PipelineError> {
        match self.take(key) {
            None => Ok(BTreeMap::new()),
            Some(Node {
                value: Value::Table(items),
                ..
            }) => Ok(items),
            Some(node) => Err(wrong_type(&node, &self.name(key), "a table")),
        }
    }

    /// Takes a table of any keys with simple values, as texts.
    pub fn texts(&mut self, key: &str) -> Result<BTreeMap<String, String>, PipelineError> {
        let texts = self.located_texts(key)?.into_iter();
        Ok(texts.map(|(key, text)| (key, text.value)).collect())
    }

    /// The same with their places.
    pub fn located_texts(
        &mut self,
        key: &str,
    ) -> Result<BTreeMap<String, Located<String>>, PipelineError> {
        let name = self.name(key);
        let mut texts = BTreeMap::new();
        for (key, node) in self.free_table(key)? {
            let text = match &node.value {
                Value::Text(t) => t.clone(),
                Value::Integer(n) => n.to_string(),
                Value::Float(x) => x.to_string(),
                Value::Boolean(b) => b.to_string(),
                _ => return Err(wrong_type(&node, &join(&name, &key), "a simple value")),
            };
            let place = node.place;
            texts.insert(key, Located { value: text, place });
        }
        Ok(texts)
    }
}

/// `key` below `path`.
pub fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_string()
    } else {
        format!("{path}.{key}")
    }
}

/// The error for a value of another type.
pub fn wrong_type(node: &Node, key: &str, wanted: &str) -> PipelineError {
    PipelineError::Value {
        place: node.place.clone(),
        key: key.to_string(),
        message: format!("is {}, not {wanted}", node.value.type_name()),
    }
}
