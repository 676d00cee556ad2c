//! Arguments as JSON: their schemas, and what is said about bad ones.
//!
//! Knows no question. The same struct is a set of clap's arguments; there clap speaks for itself.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::spelling;

/// An argument that cannot be taken, in words that help to mend it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BadArgument {
    /// Always `argument`, to tell it from a miss.
    error: &'static str,
    /// The key, or the name of the tool.
    pub argument: String,
    pub message: String,
    /// What is allowed in its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
}

impl BadArgument {
    pub fn new(argument: &str, message: String) -> BadArgument {
        let argument = spelling::shorten(argument);
        BadArgument { error: "argument", argument, message, allowed: Vec::new(), nearest: None }
    }

    /// A word that is none of those allowed; `what` says what it should be.
    pub fn unknown<'a>(what: &str, word: &str, allowed: impl Iterator<Item = &'a str>) -> BadArgument {
        let allowed: Vec<String> = allowed.map(str::to_owned).collect();
        let nearest = spelling::nearest(word, allowed.iter().map(String::as_str)).map(str::to_owned);
        let message = match &nearest {
            Some(nearest) => format!("unknown {what} `{}`; did you mean `{nearest}`?", spelling::shorten(word)),
            None => format!("unknown {what} `{}`", spelling::shorten(word)),
        };
        BadArgument { allowed, nearest, ..BadArgument::new(word, message) }
    }
}

impl fmt::Display for BadArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.allowed.is_empty() {
            write!(f, " (allowed: {})", self.allowed.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for BadArgument {}

/// A number from 1 to `MAX`, `DEFAULT` when it is not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Count<const DEFAULT: u32, const MAX: u32>(pub u32);

impl<const DEFAULT: u32, const MAX: u32> Count<DEFAULT, MAX> {
    /// Whether it asks for more than the default.
    pub fn is_raised(self) -> bool {
        self.0 > DEFAULT
    }
}

impl<const DEFAULT: u32, const MAX: u32> Default for Count<DEFAULT, MAX> {
    fn default() -> Self {
        Count(DEFAULT)
    }
}

impl<const DEFAULT: u32, const MAX: u32> fmt::Display for Count<DEFAULT, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const DEFAULT: u32, const MAX: u32> FromStr for Count<DEFAULT, MAX> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number) if (1..=MAX).contains(&number) => Ok(Count(number)),
            _ => Err(format!("not a number from 1 to {MAX}")),
        }
    }
}

impl<const DEFAULT: u32, const MAX: u32> JsonSchema for Count<DEFAULT, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": MAX })
    }
}

/// The lean schema of a set of arguments: no title, no `$schema`, no formats, no nulls.
pub fn schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    let schema = schema.ensure_object();
    for key in ["$schema", "title", "description"] {
        schema.shift_remove(key);
    }
    schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().filter_map(Value::as_object_mut).for_each(strip);
    }
    std::mem::take(schema)
}

/// An optional value is one that may be absent, not one that may be null; zero and false go without saying.
fn strip(property: &mut Map<String, Value>) {
    property.shift_remove("format");
    let goes_without_saying = |value: &Value| value.is_null() || *value == 0 || *value == false;
    for key in ["default", "minimum"] {
        if property.get(key).is_some_and(goes_without_saying) {
            property.shift_remove(key);
        }
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(choices)) = property.get_mut(key) else { continue };
        choices.retain(|choice| choice.get("type").and_then(Value::as_str) != Some("null"));
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            property.shift_remove(key);
            property.extend(only);
        }
    }
    if let Some(Value::Array(types)) = property.get("type")
        && let Some(kind) = types.iter().find(|kind| kind.as_str() != Some("null")).cloned()
    {
        property.insert("type".to_owned(), kind);
    }
    if let Some(Value::Array(choices)) = property.get_mut("enum") {
        choices.retain(|choice| !choice.is_null());
    }
}

/// Adds an optional string to a schema. What it means says the one description of all tools, to be paid for once.
pub fn add_string(schema: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(name.to_owned(), json_schema!({ "type": "string" }).to_value());
    }
}

/// Leaves out what a refusal would say: bounds, and that nothing else is taken.
pub fn make_lean(schema: &mut Map<String, Value>) {
    schema.shift_remove("additionalProperties");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            property.shift_remove("minimum");
            property.shift_remove("maximum");
        }
    }
}

/// Checks arguments against their schema, so that what is wrong is said in our words, not in serde's.
pub fn check(schema: &Map<String, Value>, arguments: &Map<String, Value>) -> Result<(), BadArgument> {
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    for (key, value) in arguments {
        let Some(property) = properties.get(key) else {
            return Err(BadArgument::unknown("argument", key, properties.keys().map(String::as_str)));
        };
        check_value(key, property, value)?;
    }
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let missing = required.iter().filter_map(Value::as_str).find(|key| !arguments.contains_key(*key));
    match missing {
        Some(key) => Err(BadArgument::new(key, format!("missing argument `{key}`"))),
        None => Ok(()),
    }
}

fn check_value(key: &str, property: &Value, value: &Value) -> Result<(), BadArgument> {
    if let Some(choices) = property.get("enum").and_then(Value::as_array) {
        let choices = choices.iter().filter_map(Value::as_str);
        let Some(word) = value.as_str() else {
            return Err(BadArgument::new(key, format!("`{key}` must be a string, not {}", kind_of(value))));
        };
        let mut known = choices.clone();
        return match known.any(|choice| choice == word) {
            true => Ok(()),
            false => {
                let unknown = BadArgument::unknown(&format!("value of `{key}`:"), word, choices);
                Err(BadArgument { argument: key.to_owned(), ..unknown })
            }
        };
    }
    let wanted = property.get("type").and_then(Value::as_str).unwrap_or_default();
    let bound = |name: &str| property.get(name).and_then(Value::as_u64);
    let (low, high) = (bound("minimum").unwrap_or(0), bound("maximum").unwrap_or(u64::from(u32::MAX)));
    let (fits, expected) = match wanted {
        "string" => (value.is_string(), "a string".to_owned()),
        "boolean" => (value.is_boolean(), "true or false".to_owned()),
        _ => {
            let fits = value.as_u64().is_some_and(|number| (low..=high).contains(&number));
            (fits, format!("a whole number from {low} to {high}"))
        }
    };
    match fits {
        true => Ok(()),
        false => Err(BadArgument::new(key, format!("`{key}` must be {expected}, not {}", kind_of(value)))),
    }
}

/// What a value is, in a few words.
fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => format!("the string `{}`", spelling::shorten(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Arguments that were checked, as the question's own type.
pub fn from_json<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, BadArgument> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| BadArgument::new("arguments", error.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tool;
    use super::*;

    fn refusal(name: &str, arguments: Value) -> BadArgument {
        let Value::Object(arguments) = arguments else { panic!("an object") };
        match tool(name).and_then(|tool| tool.call(arguments)) {
            Ok(_) => panic!("was accepted"),
            Err(bad) => bad,
        }
    }

    #[test]
    fn a_bad_argument_is_named_with_what_is_allowed_and_the_nearest_spelling() {
        let unknown = refusal("callers", json!({ "symbol": "a", "limt": 3 }));
        assert_eq!(unknown.argument, "limt");
        assert_eq!(unknown.nearest.as_deref(), Some("limit"));
        assert_eq!(unknown.allowed, ["symbol", "depth", "limit", "offset", "at"]);
        assert_eq!(refusal("callers", json!({})).message, "missing argument `symbol`");
        assert_eq!(refusal("callers", json!({ "symbol": 7 })).message, "`symbol` must be a string, not 7");
        assert_eq!(
            refusal("callers", json!({ "symbol": "a", "depth": "2" })).message,
            "`depth` must be a whole number from 1 to 10, not the string `2`"
        );
        assert_eq!(
            refusal("callers", json!({ "symbol": "a", "limit": 0 })).message,
            "`limit` must be a whole number from 1 to 1000, not 0"
        );
        assert_eq!(
            refusal("find_symbol", json!({ "query": "a", "kind": "clas" })).message,
            "unknown value of `kind`: `clas`; did you mean `class`?"
        );
        assert_eq!(refusal("reindex", json!({ "at": "main" })).message, "unknown argument `at`");
        assert_eq!(refusal("caller", json!({})).nearest.as_deref(), Some("callers"));
    }

    #[test]
    fn null_counts_as_absent() {
        let Value::Object(arguments) = json!({ "symbol": "a", "depth": null, "at": null }) else { panic!() };
        assert!(tool("callers").unwrap().call(arguments).unwrap().at.is_none());
    }

    #[test]
    fn schemas_are_lean() {
        let expected = concat!(
            r#"{"type":"object","properties":{"#,
            r#""query":{"type":"string","description":"Name, part of an id, or words"},"#,
            r#""kind":{"type":"string","enum":["module","class","function","method","symbol","test"]},"#,
            r#""path":{"type":"string","description":"Prefix"},"#,
            r#""limit":{"type":"integer","default":20},"offset":{"type":"integer"},"#,
            r#""at":{"type":"string"}},"required":["query"]}"#
        );
        assert_eq!(tool("find_symbol").unwrap().schema().to_string(), expected);
    }
}
