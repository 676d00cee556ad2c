//! JSON as configuration files have it: with comments and trailing commas.

use serde_json::Value;

/// Reads JSON with comments and trailing commas; `None` when it is none, or nested absurdly.
pub(super) fn json(text: &str) -> Option<Value> {
    const MAX_NESTING: usize = 100;
    let mut depth = 0usize;
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return None;
        }
    }
    jsonc_parser::parse_to_serde_value(text, &Default::default()).ok().flatten()
}

/// A text, or an array of texts.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
