//! Verdicts on a run: `distance(chaser, target) < 0.01 and contacts.max_force < 200`.
//!
//! ```text
//! or     = and { "or" and }
//! and    = not { "and" not }
//! not    = "not" not | compare
//! compare = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//! sum    = product { ("+" | "-") product }
//! product = factor { ("*" | "/") factor }
//! factor = number | name | "-" factor | "(" or ")" | ("abs" | "sqrt" | "min" | "max") "(" … ")" | "distance" "(" body "," body ")"
//! ```
//!
//! A verdict is true if its value is not 0 and is a number. Names with characters other than letters, digits, `_` and `.` stand in
//! backquotes.

use msd_scene::Scene;

use super::quantity::{End, Quantity};

/// A verdict, parsed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Number(f64),
    Quantity(Quantity),
    Negative(Box<Self>),
    Not(Box<Self>),
    Function(Function, Vec<Self>),
    Binary(Operator, Box<Self>, Box<Self>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Abs,
    Sqrt,
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Name(String),
    Symbol(&'static str),
}

const SYMBOLS: [&str; 14] = ["<=", ">=", "==", "!=", "<", ">", "(", ")", ",", "+", "-", "*", "/", "="];

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '`' {
            let (name, after) = rest[1..]
                .split_once('`')
                .ok_or_else(|| format!("the backquote before `{}` is never closed", &rest[1..]))?;
            found.push(Token::Name(name.to_owned()));
            rest = after;
        } else if first.is_ascii_digit() || first == '.' {
            let mut length = 0;
            let bytes = rest.as_bytes();
            while length < bytes.len() {
                let sign = matches!(bytes[length], b'+' | b'-')
                    && length > 0
                    && matches!(bytes[length - 1], b'e' | b'E');
                if !(bytes[length].is_ascii_digit()
                    || matches!(bytes[length], b'.' | b'e' | b'E' | b'_')
                    || sign)
                {
                    break;
                }
                length += 1;
            }
            let number = rest[..length].replace('_', "");
            found.push(Token::Number(
                number.parse().map_err(|_| format!("`{}` is no number", &rest[..length]))?,
            ));
            rest = &rest[length..];
        } else if first.is_alphabetic() || first == '_' {
            let end =
                rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
            found.push(Token::Name(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol));
            let symbol = symbol.ok_or_else(|| format!("`{first}` has no meaning here"))?;
            found.push(Token::Symbol(symbol));
            rest = &rest[symbol.len()..];
        }
        rest = rest.trim_start();
    }
    Ok(found)
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    scene: &'a Scene,
}

impl Expression {
    /// Reads a verdict; names are those of results and of the bodies of a scene.
    pub(super) fn parse(text: &str, scene: &Scene) -> Result<Self, String> {
        let mut parser = Parser { tokens: tokens(text)?, at: 0, scene };
        let parsed = parser.or()?;
        match parser.tokens.get(parser.at) {
            None => Ok(parsed),
            Some(Token::Symbol("=")) => Err("`=` sets nothing here; compare with `==`".to_owned()),
            Some(token) => Err(format!("{} follows where the verdict should end", shown(token))),
        }
    }

    /// True if it holds at the end of a run.
    pub(super) fn holds(&self, end: &End<'_>) -> bool {
        let value = self.value(end);
        value != 0.0 && !value.is_nan()
    }

    fn value(&self, end: &End<'_>) -> f64 {
        let truth = |is: bool| f64::from(u8::from(is));
        match self {
            Self::Number(number) => *number,
            Self::Quantity(quantity) => quantity.value(end),
            Self::Negative(inner) => -inner.value(end),
            Self::Not(inner) => truth(!inner.holds(end)),
            Self::Function(function, given) => {
                let mut values = given.iter().map(|given| given.value(end));
                let first = values.next().unwrap_or(f64::NAN);
                match function {
                    Function::Abs => first.abs(),
                    Function::Sqrt => first.sqrt(),
                    Function::Min => values.fold(first, |a, b| if a.is_nan() || b < a { b } else { a }),
                    Function::Max => values.fold(first, |a, b| if a.is_nan() || b > a { b } else { a }),
                }
            }
            Self::Binary(Operator::Or, a, b) => truth(a.holds(end) || b.holds(end)),
            Self::Binary(Operator::And, a, b) => truth(a.holds(end) && b.holds(end)),
            Self::Binary(operator, a, b) => {
                let (a, b) = (a.value(end), b.value(end));
                match operator {
                    Operator::Less => truth(a < b),
                    Operator::LessOrEqual => truth(a <= b),
                    Operator::Greater => truth(a > b),
                    Operator::GreaterOrEqual => truth(a >= b),
                    Operator::Equal => truth(a == b),
                    Operator::NotEqual => truth(a != b),
                    Operator::Add => a + b,
                    Operator::Subtract => a - b,
                    Operator::Multiply => a * b,
                    Operator::Divide | Operator::Or | Operator::And => a / b,
                }
            }
        }
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Number(number) => format!("`{number}`"),
        Token::Name(name) => format!("`{name}`"),
        Token::Symbol(symbol) => format!("`{symbol}`"),
    }
}

impl Parser<'_> {
    fn symbol(&mut self, wanted: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(Token::Symbol(symbol)) if *symbol == wanted);
        self.at += usize::from(is);
        is
    }

    fn word(&mut self, wanted: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(Token::Name(name)) if name == wanted);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        if self.symbol(wanted) {
            return Ok(());
        }
        let found = self.tokens.get(self.at).map_or_else(|| "the end".to_owned(), shown);
        Err(format!("expected `{wanted}`, got {found}"))
    }

    fn chain(
        &mut self,
        next: fn(&mut Self) -> Result<Expression, String>,
        operators: &[(&str, Operator)],
        words: bool,
    ) -> Result<Expression, String> {
        let mut left = next(self)?;
        loop {
            let found =
                operators.iter().find(|(name, _)| if words { self.word(name) } else { self.symbol(name) });
            let Some((_, operator)) = found else { return Ok(left) };
            left = Expression::Binary(*operator, Box::new(left), Box::new(next(self)?));
        }
    }

    fn or(&mut self) -> Result<Expression, String> {
        self.chain(Self::and, &[("or", Operator::Or)], true)
    }

    fn and(&mut self) -> Result<Expression, String> {
        self.chain(Self::not, &[("and", Operator::And)], true)
    }

    fn not(&mut self) -> Result<Expression, String> {
        if self.word("not") { Ok(Expression::Not(Box::new(self.not()?))) } else { self.compare() }
    }

    fn compare(&mut self) -> Result<Expression, String> {
        const COMPARISONS: [(&str, Operator); 6] = [
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("==", Operator::Equal),
            ("!=", Operator::NotEqual),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        let left = self.sum()?;
        match COMPARISONS.iter().find(|(name, _)| self.symbol(name)) {
            Some((_, operator)) => Ok(Expression::Binary(*operator, Box::new(left), Box::new(self.sum()?))),
            None => Ok(left),
        }
    }

    fn sum(&mut self) -> Result<Expression, String> {
        self.chain(Self::product, &[("+", Operator::Add), ("-", Operator::Subtract)], false)
    }

    fn product(&mut self) -> Result<Expression, String> {
        self.chain(Self::factor, &[("*", Operator::Multiply), ("/", Operator::Divide)], false)
    }

    fn factor(&mut self) -> Result<Expression, String> {
        if self.symbol("-") {
            return Ok(Expression::Negative(Box::new(self.factor()?)));
        }
        if self.symbol("(") {
            let inner = self.or()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        match token {
            Some(Token::Number(number)) => Ok(Expression::Number(number)),
            Some(Token::Name(name)) if self.symbol("(") => self.function(&name),
            Some(Token::Name(name)) => Ok(Expression::Quantity(Quantity::parse(&name, self.scene)?)),
            Some(token) => Err(format!("expected a number or a result, got {}", shown(&token))),
            None => Err("it ends where a number or a result should follow".to_owned()),
        }
    }

    fn function(&mut self, name: &str) -> Result<Expression, String> {
        if name == "distance" {
            let a = self.body()?;
            self.expect(",")?;
            let b = self.body()?;
            self.expect(")")?;
            return Ok(Expression::Quantity(Quantity::Distance { a, b }));
        }
        let function = match name {
            "abs" => Function::Abs,
            "sqrt" => Function::Sqrt,
            "min" => Function::Min,
            "max" => Function::Max,
            _ => {
                return Err(format!(
                    "there is no function `{name}`; there is distance, abs, sqrt, min and max"
                ));
            }
        };
        let mut given = vec![self.or()?];
        while self.symbol(",") {
            given.push(self.or()?);
        }
        self.expect(")")?;
        let fits = if matches!(function, Function::Abs | Function::Sqrt) {
            given.len() == 1
        } else {
            given.len() > 1
        };
        if !fits {
            return Err(format!("`{name}` does not take {} values", given.len()));
        }
        Ok(Expression::Function(function, given))
    }

    fn body(&mut self) -> Result<String, String> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        let known =
            || self.scene.body.iter().take(12).map(|body| body.name.as_str()).collect::<Vec<_>>().join(", ");
        match token {
            Some(Token::Name(name)) if self.scene.body.iter().any(|body| body.name == name) => Ok(name),
            Some(Token::Name(name)) => Err(format!("there is no body `{name}`; the scene has {}", known())),
            _ => Err(format!("distance takes two bodies; the scene has {}", known())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantity::Tally;
    use super::*;
    use msd_scene::model::Body;

    fn scene() -> Scene {
        let mut far = Body::new("far away");
        far.position = [3.0, 4.0, 0.0];
        let mut scene = Scene { body: vec![Body::new("near"), far], ..Scene::default() };
        for body in &mut scene.body {
            (body.mass, body.inertia) =
                (Some(1.0), Some([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]));
        }
        scene
    }

    fn holds(text: &str) -> bool {
        let scene = scene();
        let built = scene.build().unwrap();
        let tally = Tally::default();
        let end = End { world: built.engine.world(), tally: &tally, error: None };
        Expression::parse(text, &scene).unwrap_or_else(|problem| panic!("{text}: {problem}")).holds(&end)
    }

    #[test]
    fn verdicts_have_the_values_of_arithmetic() {
        for text in [
            "1 + 2 * 3 == 7",
            "(1 + 2) * 3 == 9",
            "-2 - -3 == 1",
            "8 / 2 / 2 == 2",
            "1e-3 < 0.002 and not 1 > 2",
            "1 > 2 or 1_000 >= 1000",
            "min(3, 1, 2) == 1 and max(3, 1, 2) == 3",
            "abs(-2) == 2 and sqrt(9) == 3",
            "distance(near, `far away`) == 5",
            "`body.far away.position.x` == 3",
            "certified and time == 0",
            "body.near.speed != 1",
        ] {
            assert!(holds(text), "{text}");
        }
        assert!(!holds("0 / 0"), "what is not a number is not true");
        assert!(!holds("1 < 0 and 1 < 2 or 0"));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (text, said) in [
            ("time <", "ends"),
            ("time = 2", "`==`"),
            ("distance(near, nowhere) < 1", "nowhere"),
            ("distanc(near, near) < 1", "distance"),
            ("tim < 1", "there is no result `tim`"),
            ("body.nea.speed < 1", "no such body"),
            ("body.near.sped < 1", "speed"),
            ("(time < 1", "expected `)`"),
            ("time < 1 2", "should end"),
            ("time § 1", "§"),
            ("abs(1, 2)", "does not take 2"),
        ] {
            let problem = Expression::parse(text, &scene()).unwrap_err();
            assert!(problem.contains(said), "{text}: {problem}");
        }
    }
}
