//! The JSON Schema of a scene.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::model::Scene;

static SCHEMA: LazyLock<Value> = LazyLock::new(generate);

/// The JSON Schema (draft 2020-12) of the scene format.
#[must_use]
pub fn json_schema() -> Value {
    SCHEMA.clone()
}

pub(crate) fn schema() -> &'static Value {
    &SCHEMA
}

fn generate() -> Value {
    let mut schema =
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Scene>().to_value();
    tidy(&mut schema);
    schema
}

/// A key that is not wanted is left out, so `null` is never a value; and `format` only repeats what
/// Rust types say.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.get("format").is_some_and(Value::is_string) {
                object.remove("format");
            }
            if let Some(Value::String(description)) = object.get_mut("description") {
                *description = description.replace('\n', " ");
            }
            if object.get("default").is_some_and(Value::is_null) {
                object.remove("default");
            }
            without_null(object);
            object.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

fn without_null(object: &mut serde_json::Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            object.extend(only);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_nowhere_a_value() {
        assert!(!json_schema().to_string().contains("\"null\""));
    }

    /// Keywords that are enforced and keywords that only inform. Any other would be printed by `msd schema`
    /// and not enforced.
    const KEYWORDS: [&str; 21] = [
        "$defs",
        "$ref",
        "$schema",
        "additionalProperties",
        "anyOf",
        "const",
        "default",
        "description",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "items",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "oneOf",
        "properties",
        "required",
        "title",
        "type",
        "x-infinite",
    ];

    #[test]
    fn the_schema_says_nothing_that_is_not_enforced() {
        fn check(schema: &Value) {
            let Value::Object(object) = schema else { return };
            for (keyword, value) in object {
                assert!(KEYWORDS.contains(&keyword.as_str()), "{keyword} is not enforced");
                match (keyword.as_str(), value) {
                    ("properties" | "$defs", Value::Object(inner)) => inner.values().for_each(check),
                    ("default", _) => {}
                    (_, Value::Array(items)) => items.iter().for_each(check),
                    _ => check(value),
                }
            }
        }
        check(&json_schema());
    }

    #[test]
    fn every_key_is_described() {
        fn check(schema: &Value, at: &str) {
            match schema {
                Value::Object(object) => {
                    if let Some(Value::Object(properties)) = object.get("properties") {
                        for (key, property) in properties {
                            let described =
                                property.get("description").is_some() || property.get("const").is_some();
                            let tagged = property.get("$ref").is_some();
                            assert!(described || tagged, "{at}.{key} has no description");
                        }
                    }
                    for (key, value) in object {
                        // Names of keys, not schemas.
                        let inner = if key == "properties" { value.as_object() } else { None };
                        match inner {
                            Some(properties) => properties.values().for_each(|value| check(value, at)),
                            None => check(value, &format!("{at}.{key}")),
                        }
                    }
                }
                Value::Array(items) => items.iter().for_each(|item| check(item, at)),
                _ => {}
            }
        }
        check(&json_schema(), "scene");
    }
}
