//! TOML into a tree.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Entry, MAX_DEPTH, Node, Span, SyntaxError, Value};

/// The `toml` crate goes on after an error and bounds its own recursion (dotted keys too), so a hostile file is
/// refused before this function walks it.
pub(super) fn parse(text: &str) -> Result<Node, Vec<SyntaxError>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let mut errors: Vec<SyntaxError> = errors
            .iter()
            .map(|error| SyntaxError {
                span: error.span().unwrap_or(0..0),
                message: worded(error.message().trim()),
            })
            .collect();
        errors.sort_by_key(|error| error.span.start);
        errors.dedup();
        return Err(errors);
    }
    let span = table.span();
    table_node(table.get_ref(), span, 0).map_err(|error| vec![error])
}

/// The parser's message, but for the one that speaks of its own insides.
fn worded(message: &str) -> String {
    if message.contains("recursion") { "nested too deeply".to_owned() } else { message.to_owned() }
}

fn table_node(table: &DeTable<'_>, span: Span, depth: usize) -> Result<Node, SyntaxError> {
    if depth > MAX_DEPTH {
        return Err(too_deep(span));
    }
    let mut entries = table
        .iter()
        .map(|(key, value)| {
            let value = value_node(value, depth + 1)?;
            Ok(Entry { key: key.get_ref().to_string(), key_span: key.span(), value })
        })
        .collect::<Result<Vec<_>, SyntaxError>>()?;
    entries.sort_by_key(|entry| entry.key_span.start);
    Ok(Node { span, value: Value::Table(entries) })
}

fn value_node(value: &Spanned<DeValue<'_>>, depth: usize) -> Result<Node, SyntaxError> {
    let span = value.span();
    if depth > MAX_DEPTH {
        return Err(too_deep(span));
    }
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(whole) => match i64::from_str_radix(whole.as_str(), whole.radix()) {
            Ok(whole) => Value::Integer(whole),
            Err(_) => {
                return Err(SyntaxError { span, message: "this whole number does not fit 64 bits".into() });
            }
        },
        DeValue::Float(number) => match number.as_str().parse() {
            Ok(number) => Value::Number(number),
            Err(_) => return Err(SyntaxError { span, message: "this is not a number".into() }),
        },
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(items) => {
            Value::List(items.iter().map(|item| value_node(item, depth + 1)).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => return table_node(table, span, depth),
    };
    Ok(Node { span, value })
}

fn too_deep(span: Span) -> SyntaxError {
    SyntaxError { span, message: format!("nested deeper than {MAX_DEPTH} levels") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_text_to_the_last_bit() {
        let tree = parse("a = 0.1\nb = 3.986004418e14\nc = 1_000\nd = inf\ne = 0xff\nf = -9.81\n").unwrap();
        let number = |key| tree.get(key).and_then(Node::as_number).unwrap();
        assert_eq!(number("a"), 0.1);
        assert_eq!(number("b"), 3.986004418e14);
        assert_eq!(number("c"), 1000.0);
        assert_eq!(number("d"), f64::INFINITY);
        assert_eq!(number("e"), 255.0);
        assert_eq!(number("f"), -9.81);
    }

    #[test]
    fn two_syntax_errors_are_reported_in_one_go() {
        let errors = parse("a = \nb = 1\nc = [1,\nd = 2\n").unwrap_err();
        assert!(errors.len() >= 2, "{errors:?}");
    }

    #[test]
    fn nesting_without_end_is_refused_before_the_stack_is() {
        let lists = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
        let dots = format!("{}a = 1", "a.".repeat(100_000));
        let header = format!("[{}a]\nb = 1", "a.".repeat(100_000));
        for text in [lists, dots, header] {
            assert!(parse(&text).is_err());
        }
    }
}
