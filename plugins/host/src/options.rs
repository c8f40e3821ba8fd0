//! Options that are written as text, as in a pass list, by the schema of a plugin.

use crate::message::PluginInfo;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use trellis_ivl::nearest::nearest;

/// Options of a plugin as one JSON object; empty where there are none.
pub fn written(info: &PluginInfo, options: &BTreeMap<String, String>) -> Result<String, String> {
    if options.is_empty() {
        return Ok(String::new());
    }
    let mut all = Map::new();
    for (key, text) in options {
        let Some(option) = info.options.iter().find(|o| o.name == *key) else {
            let hint = nearest(key, info.options.iter().map(|o| o.name.as_str()));
            let hint = hint.map(|h| format!("; did you mean '{h}'?"));
            return Err(format!(
                "there is no option '{key}'{}",
                hint.unwrap_or_default()
            ));
        };
        let value = match option.ty.as_str() {
            "integer" => text.parse::<i64>().ok().map(Value::from),
            "number" => text.parse::<f64>().ok().map(Value::from),
            "boolean" => text.parse::<bool>().ok().map(Value::from),
            "string" => Some(Value::from(text.as_str())),
            words => (words.split('|').any(|w| w == text)).then(|| Value::from(text.as_str())),
        };
        let value = value
            .ok_or_else(|| format!("option {key} cannot be '{text}', which is no {}", option.ty))?;
        all.insert(key.clone(), value);
    }
    Ok(Value::Object(all).to_string())
}
