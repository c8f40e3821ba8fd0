//! Options that are written as text, as in a pass list, by the schema of a plugin.

use crate::message::PluginInfo;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use trellis_ivl::option::{Given, OptionSpec, find};

/// Options of a plugin as one JSON object, empty where there are none; or all that is wrong with them.
pub fn written(info: &PluginInfo, options: &BTreeMap<String, String>) -> Result<String, String> {
    if options.is_empty() {
        return Ok(String::new());
    }
    let specs: Vec<OptionSpec> = info.options.iter().map(|o| o.spec()).collect();
    let (mut all, mut wrong) = (Map::new(), Vec::new());
    for (key, text) in options {
        match find(&specs, key) {
            Ok(spec) => {
                let given = spec.given(text);
                if let Err(message) = spec.check(given) {
                    wrong.push(format!("option {key} cannot be '{text}', it {message}"));
                }
                all.insert(key.clone(), json(given, text));
            }
            Err(hint) => {
                let hint = hint.map(|h| format!("; did you mean '{h}'?"));
                wrong.push(format!(
                    "there is no option '{key}'{}",
                    hint.unwrap_or_default()
                ));
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(Value::Object(all).to_string()),
        false => Err(wrong.join("; ")),
    }
}

fn json(given: Given<'_>, text: &str) -> Value {
    match given {
        Given::Boolean(b) => b.into(),
        Given::Integer(n) => i64::try_from(n)
            .map(Value::from)
            .or_else(|_| u64::try_from(n).map(Value::from))
            .unwrap_or_else(|_| text.into()),
        Given::Number(x) => x.into(),
        _ => text.into(),
    }
}
