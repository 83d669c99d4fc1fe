//! JSON (RFC 8259) into a tree. Written here because a scene needs to know where every value stands.

use super::{Entry, MAX_DEPTH, Node, Span, SyntaxError, Value};

pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let text_without_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = Parser { text, at: text.len() - text_without_mark.len() };
    parser.skip_space();
    let node = parser.value(0)?;
    parser.skip_space();
    if parser.at < text.len() {
        return parser.fail("the end of the file");
    }
    Ok(node)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, expected: &str) -> Result<T, SyntaxError> {
        let found = self.rest().chars().next();
        let end = self.at + found.map_or(0, char::len_utf8);
        let found = found.map_or("the end of the file".to_owned(), |c| format!("`{c}`"));
        self.error(self.at..end, format!("expected {expected}, found {found}"))
    }

    fn error<T>(&self, span: Span, message: String) -> Result<T, SyntaxError> {
        Err(SyntaxError { span, message })
    }

    fn take(&mut self, expected: u8) -> bool {
        let there = self.peek() == Some(expected);
        self.at += usize::from(there);
        there
    }

    fn value(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        let start = self.at;
        if depth > MAX_DEPTH {
            return self.error(start..start + 1, format!("nested deeper than {MAX_DEPTH} levels"));
        }
        let value = match self.peek() {
            Some(b'{') => self.table(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.text_value()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { span: start..self.at, value })
    }

    fn word(&mut self) -> Result<Value, SyntaxError> {
        let words = [("true", Value::Flag(true)), ("false", Value::Flag(false)), ("null", Value::Null)];
        for (word, value) in words {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.fail("a value")
    }

    fn list(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.take(b']') {
            return Ok(Value::List(items));
        }
        loop {
            self.skip_space();
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Value::List(items));
            }
            if !self.take(b',') {
                return self.fail("`,` or `]`");
            }
        }
    }

    fn table(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        let mut entries: Vec<Entry> = Vec::new();
        self.at += 1;
        self.skip_space();
        if self.take(b'}') {
            return Ok(Value::Table(entries));
        }
        loop {
            self.skip_space();
            entries.push(self.entry(depth)?);
            self.skip_space();
            if self.take(b'}') {
                return unique_keys(entries);
            }
            if !self.take(b',') {
                return self.fail("`,` or `}`");
            }
        }
    }

    fn entry(&mut self, depth: usize) -> Result<Entry, SyntaxError> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return self.fail("a key in double quotes");
        }
        let key = self.text_value()?;
        let key_span = start..self.at;
        self.skip_space();
        if !self.take(b':') {
            return self.fail("`:`");
        }
        self.skip_space();
        Ok(Entry { key, key_span, value: self.value(depth + 1)? })
    }

    fn number(&mut self) -> Result<Value, SyntaxError> {
        let length = self
            .rest()
            .find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'))
            .unwrap_or(self.rest().len());
        let span = self.at..self.at + length;
        let digits = &self.text[span.clone()];
        if !is_json_number(digits) {
            return self.error(span, format!("`{digits}` is not a JSON number"));
        }
        self.at = span.end;
        match (digits.parse::<i64>(), digits.parse::<f64>()) {
            (Ok(whole), _) => Ok(Value::Integer(whole)),
            (_, Ok(number)) if number.is_finite() => Ok(Value::Number(number)),
            _ => self.error(span, format!("`{digits}` does not fit a double")),
        }
    }

    fn text_value(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.rest().chars().next() else {
                return self.error(start..self.at, "this text has no closing quote".into());
            };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(text);
                }
                '\\' => text.push(self.escape()?),
                '\0'..='\x1f' => return self.fail("an escape such as \\n in place of a control character"),
                _ => {
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let Some(letter) = self.peek() else { return self.fail("an escape") };
        let plain = match letter {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(start),
            _ => return self.fail("one of \" \\ / b f n r t u after \\"),
        };
        self.at += 1;
        Ok(plain)
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, SyntaxError> {
        self.at += 1;
        let first = self.four_digits()?;
        let code = if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            let second = self.four_digits()?;
            if (0xdc00..0xe000).contains(&second) {
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            } else {
                first
            }
        } else {
            first
        };
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.error(start..self.at, "half of a surrogate pair".into()),
        }
    }

    fn four_digits(&mut self) -> Result<u32, SyntaxError> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let code = digits
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match code {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => self.fail("four hexadecimal digits"),
        }
    }
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
fn is_json_number(text: &str) -> bool {
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let exponent_is_good = exponent.is_none_or(|e| all_digits(e.strip_prefix(['+', '-']).unwrap_or(e)));
    all_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(all_digits)
        && exponent_is_good
}

fn unique_keys(entries: Vec<Entry>) -> Result<Value, SyntaxError> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.key.cmp(&b.key).then(a.key_span.start.cmp(&b.key_span.start)));
    match sorted.windows(2).find(|pair| pair[0].key == pair[1].key) {
        Some(pair) => Err(SyntaxError {
            span: pair[1].key_span.clone(),
            message: format!("the key `{}` is given twice", pair[1].key),
        }),
        None => Ok(Value::Table(entries)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn as_serde(node: &Node) -> serde_json::Value {
        match &node.value {
            Value::Null | Value::Date => serde_json::Value::Null,
            Value::Flag(flag) => (*flag).into(),
            Value::Integer(whole) => (*whole).into(),
            Value::Number(number) => (*number).into(),
            Value::Text(text) => text.as_str().into(),
            Value::List(items) => items.iter().map(as_serde).collect(),
            Value::Table(entries) => {
                entries.iter().map(|entry| (entry.key.clone(), as_serde(&entry.value))).collect()
            }
        }
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            (-1e15..1e15_f64).prop_map(|x| x.fract() + 0.015625).prop_map(Into::into),
            any::<String>().prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| map.into_iter().collect::<serde_json::Value>()),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_another_writer_wrote_is_read_back(value in any_json()) {
            let compact = serde_json::to_string(&value).unwrap();
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(&as_serde(&parse(&compact).unwrap()), &value);
            prop_assert_eq!(&as_serde(&parse(&pretty).unwrap()), &value);
        }

        #[test]
        fn no_text_makes_it_panic_and_none_passes_that_another_reader_refuses(text in "[-{}\\[\\]\",:0-9eE.+ntu\\\\ \u{e9}]{0,24}") {
            if let Ok(node) = parse(&text) {
                let other: Result<serde_json::Value, _> = serde_json::from_str(&text);
                prop_assert!(other.is_ok(), "{text} {node:?}");
            }
        }
    }

    #[test]
    fn errors_say_what_was_expected_and_where() {
        let cases = [
            ("{\"a\": 1,}", 8, "expected a key in double quotes, found `}`"),
            ("[1 2]", 3, "expected `,` or `]`, found `2`"),
            ("{\"a\" 1}", 5, "expected `:`, found `1`"),
            ("[01]", 1, "`01` is not a JSON number"),
            ("[1e999]", 1, "`1e999` does not fit a double"),
            ("{\"a\": 1, \"a\": 2}", 9, "the key `a` is given twice"),
            ("nan", 0, "expected a value, found `n`"),
            ("\"abc", 0, "this text has no closing quote"),
            ("{} x", 3, "expected the end of the file, found `x`"),
            ("", 0, "expected a value, found the end of the file"),
        ];
        for (text, at, message) in cases {
            let error = parse(text).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (at, message), "{text}");
        }
    }

    #[test]
    fn nesting_is_read_to_the_limit_and_no_deeper() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert!(parse(&nested(MAX_DEPTH + 2)).unwrap_err().message.contains("nested deeper than 128"));
        assert!(parse(&"[".repeat(1_000_000)).is_err());
    }
}
