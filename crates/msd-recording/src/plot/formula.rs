//! Formulas to compare a run with: `+ - * / ^`, brackets, functions and constants over one variable.
//!
//! Grammar: sum = product (('+' | '-') product)*; product = power (('*' | '/') power)*;
//! power = sign atom ('^' power)?; `-t^2` is `-(t²)`, and `^` groups to the right.

use std::f64::consts::{E, PI};

/// A formula that has been read.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    root: Node,
}

#[derive(Clone, Debug)]
enum Node {
    Number(f64),
    Variable,
    Negated(Box<Node>),
    Binary(char, Box<Node>, Box<Node>),
    Call(fn(f64) -> f64, Box<Node>),
}

/// A function of one number with its name.
type Named = (&'static str, fn(f64) -> f64);

const FUNCTIONS: [Named; 12] = [
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("exp", f64::exp),
    ("log", f64::ln),
    ("sqrt", f64::sqrt),
    ("abs", f64::abs),
];

/// Deepest nesting of brackets and signs.
const MAX_DEPTH: usize = 64;

impl Formula {
    /// Reads a formula in `variable`.
    ///
    /// # Errors
    /// Says where it cannot be read, and what is allowed there.
    pub(super) fn parse(text: &str, variable: &str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0, variable, depth: 0 };
        let root = reader.sum().and_then(|root| match reader.peek() {
            None => Ok(root),
            Some(_) => Err("expected an operator or the end".to_owned()),
        });
        let place = text[reader.at..].chars().next().map_or("at its end".to_owned(), |_| {
            format!("at `{}`", text[reader.at..].chars().take(12).collect::<String>())
        });
        let names = FUNCTIONS.map(|(name, _)| name).join(", ");
        root.map(|root| Self { root }).map_err(|problem| {
            format!(
                "the formula `{text}` cannot be read {place}: {problem}; it may have {variable}, pi, e, numbers, \
                 + - * / ^, brackets and {names}"
            )
        })
    }

    /// Its value.
    pub(super) fn at(&self, variable: f64) -> f64 {
        value(&self.root, variable)
    }
}

fn value(node: &Node, variable: f64) -> f64 {
    match node {
        Node::Number(number) => *number,
        Node::Variable => variable,
        Node::Negated(inner) => -value(inner, variable),
        Node::Call(function, inner) => function(value(inner, variable)),
        Node::Binary(operator, left, right) => {
            let (a, b) = (value(left, variable), value(right, variable));
            match operator {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                '/' => a / b,
                _ => a.powf(b),
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    variable: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let found = self.peek().filter(|next| wanted.contains(next))?;
        self.at += found.len_utf8();
        Some(found)
    }

    fn sum(&mut self) -> Result<Node, String> {
        let mut left = self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            left = Node::Binary(operator, Box::new(left), Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, String> {
        let mut left = self.power()?;
        while let Some(operator) = self.take(&['*', '/']) {
            left = Node::Binary(operator, Box::new(left), Box::new(self.power()?));
        }
        Ok(left)
    }

    fn power(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("it is nested more than {MAX_DEPTH} deep"));
        }
        let node = if self.take(&['-']).is_some() {
            Node::Negated(Box::new(self.power()?))
        } else {
            let base = self.atom()?;
            match self.take(&['^']) {
                Some(operator) => Node::Binary(operator, Box::new(base), Box::new(self.power()?)),
                None => base,
            }
        };
        self.depth -= 1;
        Ok(node)
    }

    fn atom(&mut self) -> Result<Node, String> {
        match self.peek() {
            Some('(') => self.bracket(),
            Some(digit) if digit.is_ascii_digit() || digit == '.' => self.number(),
            Some(letter) if letter.is_ascii_alphabetic() => self.word(),
            _ => Err("expected a number, a name or a bracket".to_owned()),
        }
    }

    fn bracket(&mut self) -> Result<Node, String> {
        if self.take(&['(']).is_none() {
            return Err("expected `(`".to_owned());
        }
        let inner = self.sum()?;
        self.take(&[')']).map(|_| inner).ok_or_else(|| "expected `)`".to_owned())
    }

    fn number(&mut self) -> Result<Node, String> {
        let rest = &self.text.as_bytes()[self.at..];
        let mut length = 0;
        while let Some(byte) = rest.get(length) {
            let after_exponent = length > 0 && matches!(rest[length - 1], b'e' | b'E');
            let digit_follows = |from: usize| rest.get(from).is_some_and(u8::is_ascii_digit);
            let exponent = matches!(byte, b'e' | b'E')
                && (digit_follows(length + 1)
                    || matches!(rest.get(length + 1), Some(b'+' | b'-')) && digit_follows(length + 2));
            let sign = matches!(byte, b'+' | b'-') && after_exponent;
            if !(byte.is_ascii_digit() || *byte == b'.' || exponent || sign) {
                break;
            }
            length += 1;
        }
        let number = self.text[self.at..self.at + length].parse();
        let number: f64 = number.map_err(|_| "it is no number".to_owned())?;
        self.at += length;
        Ok(Node::Number(number))
    }

    fn word(&mut self) -> Result<Node, String> {
        let rest = &self.text[self.at..];
        let length = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let word = &rest[..length];
        let function = FUNCTIONS.iter().find(|(name, _)| *name == word).map(|(_, function)| *function);
        let node = match (word, function) {
            (_, Some(function)) => {
                self.at += length;
                return Ok(Node::Call(function, Box::new(self.bracket()?)));
            }
            ("pi", _) => Node::Number(PI),
            (known, _) if known == self.variable => Node::Variable,
            ("e", _) => Node::Number(E),
            _ => return Err(format!("`{word}` is not known")),
        };
        self.at += length;
        Ok(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, t: f64) -> f64 {
        Formula::parse(text, "t").unwrap().at(t)
    }

    #[test]
    fn formulas_have_the_value_that_mathematics_gives_them() {
        let cases = [
            ("10 - 0.5*9.81*t^2", 2.0, 10.0 - 0.5 * 9.81 * 4.0),
            ("-t^2", 3.0, -9.0),
            ("2^-1", 0.0, 0.5),
            ("2^3^2", 0.0, 512.0),
            ("1 - 2 - 3", 0.0, -4.0),
            ("8 / 4 / 2", 0.0, 1.0),
            ("exp(-t/2) * cos(2*pi*t)", 1.0, (-0.5_f64).exp()),
            ("1.5e-3 + 2E2", 0.0, 200.0015),
            ("2*e", 0.0, 2.0 * E),
            ("sqrt(abs(-4)) + log(e)", 0.0, 3.0),
        ];
        for (text, t, expected) in cases {
            assert!((at(text, t) - expected).abs() < 1e-12, "{text}: {}", at(text, t));
        }
    }

    #[test]
    fn what_is_no_formula_is_refused_with_its_place() {
        let deep = "(".repeat(200);
        for (text, expected) in [
            ("", "at its end"),
            ("1 +", "at its end"),
            ("2 x", "at `x`"),
            ("foo(t)", "`foo` is not known"),
            ("sin t", "expected `(`"),
            ("(1", "expected `)`"),
            ("1..2", "no number"),
            (deep.as_str(), "nested"),
        ] {
            let refused = Formula::parse(text, "t").unwrap_err();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
    }
}
