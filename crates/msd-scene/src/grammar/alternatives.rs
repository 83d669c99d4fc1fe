//! Schemas with alternatives: how forms are distinguished, and the expectation of a schema in words.

use serde_json::Value;

use super::near_name::one_of;

/// The forms a value may take.
pub(super) enum Alternatives<'s> {
    /// One of some words.
    Words(Vec<&'s str>),
    /// A table whose key `type` says which.
    Tagged(Vec<(&'s str, &'s Value)>),
    /// A table with exactly one key, which says which; with the schema of that key's value.
    Keyed(Vec<(&'s str, &'s Value)>),
    /// Forms that differ in type or in keys.
    Forms(Vec<&'s Value>),
}

/// The schema that a `$ref` points to, or the schema itself.
pub(super) fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    match schema.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#')) {
        Some(pointer) => root.pointer(pointer).map_or(schema, |target| resolved(root, target)),
        None => schema,
    }
}

impl<'s> Alternatives<'s> {
    /// The forms of a resolved schema, if it has several.
    pub(super) fn of(root: &'s Value, schema: &'s Value) -> Option<Self> {
        let choices = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
        let forms: Vec<&Value> = choices.iter().map(|choice| resolved(root, choice)).collect();
        let words: Option<Vec<&str>> = forms.iter().map(|form| form.get("const")?.as_str()).collect();
        if let Some(words) = words {
            return Some(Self::Words(words));
        }
        let tag = |form: &&'s Value| Some((form.pointer("/properties/type/const")?.as_str()?, *form));
        if let Some(tagged) = forms.iter().map(tag).collect() {
            return Some(Self::Tagged(tagged));
        }
        let is_keyed = schema.get("oneOf").is_some();
        let only_key = |form: &&'s Value| {
            let properties = form.get("properties")?.as_object()?;
            let (key, value) = properties.iter().next().filter(|_| properties.len() == 1)?;
            Some((key.as_str(), value))
        };
        match forms.iter().map(only_key).collect() {
            Some(keyed) if is_keyed => Some(Self::Keyed(keyed)),
            _ => Some(Self::Forms(forms)),
        }
    }
}

/// The expectation of a schema, such as "a number above 0".
pub(super) fn expectation(root: &Value, schema: &Value) -> String {
    let schema = resolved(root, schema);
    match Alternatives::of(root, schema) {
        Some(Alternatives::Words(words)) => return one_of(words),
        Some(Alternatives::Tagged(forms)) => {
            return format!("a table whose `type` is {}", one_of(forms.iter().map(|(name, _)| *name)));
        }
        Some(Alternatives::Keyed(forms)) => {
            return format!("a table with one of {}", one_of(forms.iter().map(|(name, _)| *name)));
        }
        Some(Alternatives::Forms(forms)) => {
            let forms: Vec<String> = forms.iter().map(|form| expectation(root, form)).collect();
            return forms.join(" or ");
        }
        None => {}
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("number") => format!("a number{}", range(schema)),
        Some("integer") => format!("a whole number{}", range(schema)),
        Some("string") => "a text in quotes".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("array") => list_expectation(root, schema),
        _ => table_expectation(schema),
    }
}

fn list_expectation(root: &Value, schema: &Value) -> String {
    let items = schema.get("items").map(|items| resolved(root, items));
    let item_type = items.and_then(|items| items.get("type")).and_then(Value::as_str);
    let count = schema.get("maxItems").and_then(Value::as_u64);
    let each = items.map(range).unwrap_or_default();
    match (count, item_type) {
        (Some(count), Some("number")) if !each.is_empty() => format!("a list of {count} numbers, each{each}"),
        (Some(count), Some("number")) => format!("a list of {count} numbers"),
        (Some(count), Some("array")) => format!("a list of {count} lists of 3 numbers"),
        (None, Some("array")) => match schema.get("minItems").and_then(Value::as_u64) {
            Some(least) => format!("a list of {least} or more lists of 3 numbers"),
            None => "a list of lists of 3 numbers".to_owned(),
        },
        (None, Some("number")) => match schema.get("minItems").and_then(Value::as_u64) {
            Some(least) => format!("a list of {least} or more numbers{}", each_of(&each)),
            None => format!("a list of numbers{}", each_of(&each)),
        },
        (None, Some("string")) => "a list of texts".to_owned(),
        _ => match schema.get("minItems").and_then(Value::as_u64) {
            Some(least) => format!("a list of {least} or more tables"),
            None => "a list of tables".to_owned(),
        },
    }
}

/// The range of the entries of a list, after a comma; nothing if they have none.
fn each_of(range: &str) -> String {
    if range.is_empty() { String::new() } else { format!(", each{range}") }
}

fn table_expectation(schema: &Value) -> String {
    match schema.get("properties").and_then(Value::as_object) {
        Some(properties) if properties.len() <= 4 => {
            let keys: Vec<&str> = properties.keys().map(String::as_str).collect();
            format!("{{ {} }}", keys.join(", "))
        }
        _ => "a table".to_owned(),
    }
}

fn range(schema: &Value) -> String {
    let bound = |key| schema.get(key).and_then(Value::as_f64);
    match (bound("minimum"), bound("exclusiveMinimum"), bound("maximum"), bound("exclusiveMaximum")) {
        (Some(low), _, Some(high), _) if low == high => format!(" equal to {low}"),
        (Some(low), _, Some(high), _) => format!(" from {low} to {high}"),
        (Some(low), ..) => format!(" of at least {low}"),
        (_, Some(low), _, Some(high)) => format!(" above {low} and below {high}"),
        (_, Some(low), ..) => format!(" above {low}"),
        _ => String::new(),
    }
}

/// True if the number is where the schema wants it.
pub(super) fn in_range(schema: &Value, number: f64) -> bool {
    let bound = |key| schema.get(key).and_then(Value::as_f64);
    bound("minimum").is_none_or(|low| number >= low)
        && bound("exclusiveMinimum").is_none_or(|low| number > low)
        && bound("maximum").is_none_or(|high| number <= high)
        && bound("exclusiveMaximum").is_none_or(|high| number < high)
}

/// True if infinity is a value here.
pub(super) fn may_be_infinite(schema: &Value) -> bool {
    schema.get("x-infinite").and_then(Value::as_bool).unwrap_or(false)
}
