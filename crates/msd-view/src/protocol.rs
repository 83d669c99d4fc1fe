//! Messages of a page, and their validation.

use serde::Deserialize;

use crate::source::Control;

/// Largest message of a page, bytes.
pub const MAX_MESSAGE: usize = 16 << 10;
/// Frames that a page may ask for at once.
pub const MAX_WANTED: usize = 64;

/// A message of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The first message: the token from the address.
    Hello(String),
    /// Frames by number.
    Want {
        /// Of the numbers.
        epoch: u32,
        /// Which.
        frames: Vec<u32>,
    },
    /// Something for the run.
    Control(Control),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Asked {
    Hello { token: String },
    Want { epoch: u32, frames: Vec<u32> },
}

/// Reads a message.
///
/// # Errors
/// The error message; the connection is then closed.
pub fn parse(text: &str) -> Result<Request, String> {
    if text.len() > MAX_MESSAGE {
        return Err(format!("a message of {} bytes, at most {MAX_MESSAGE} are read", text.len()));
    }
    match serde_json::from_str(text) {
        Ok(Asked::Hello { token }) => return Ok(Request::Hello(token)),
        Ok(Asked::Want { frames, .. }) if frames.len() > MAX_WANTED => {
            return Err(format!(
                "{} frames were requested at once, at most {MAX_WANTED} are sent",
                frames.len()
            ));
        }
        Ok(Asked::Want { epoch, frames }) => return Ok(Request::Want { epoch, frames }),
        Err(_) => {}
    }
    serde_json::from_str(text).map(Request::Control).map_err(|error| format!("not understood: {error}"))
}

/// Limits how often a page may speak: a bucket that `rate` messages a second flow out of.
#[derive(Debug)]
pub struct RateLimit {
    rate: f64,
    burst: f64,
    level: f64,
    last: f64,
}

impl RateLimit {
    /// At most `rate` messages a second, `burst` at once.
    #[must_use]
    pub fn new(rate: f64, burst: f64) -> Self {
        Self { rate, burst, level: 0.0, last: 0.0 }
    }

    /// Whether a message at `seconds` from any fixed origin is within the limit.
    pub fn admits(&mut self, seconds: f64) -> bool {
        self.level = (self.level - (seconds - self.last).max(0.0) * self.rate).max(0.0) + 1.0;
        self.last = seconds;
        self.level <= self.burst
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn messages_of_the_page_are_understood() {
        assert_eq!(parse(r#"{"type":"hello","token":"a"}"#), Ok(Request::Hello("a".to_owned())));
        let want = Request::Want { epoch: 1, frames: vec![3, 4] };
        assert_eq!(parse(r#"{"type":"want","epoch":1,"frames":[3,4]}"#), Ok(want));
        assert_eq!(
            parse(r#"{"type":"speed","value":0.25}"#),
            Ok(Request::Control(Control::Speed { value: Some(0.25) }))
        );
        assert_eq!(parse(r#"{"type":"pause"}"#), Ok(Request::Control(Control::Pause)));
    }

    #[test]
    fn everything_else_is_refused() {
        let bad = [
            "",
            "null",
            "[]",
            "{}",
            r#"{"type":"exec","command":"ls"}"#,
            r#"{"type":"want","epoch":-1,"frames":[]}"#,
            r#"{"type":"want","epoch":0,"frames":[1.5]}"#,
            r#"{"type":"drag","body":0,"point":[0,0],"target":[0,0,0]}"#,
        ];
        for text in bad {
            assert!(parse(text).is_err(), "{text}");
        }
        let many = format!(r#"{{"type":"want","epoch":0,"frames":{:?}}}"#, vec![0; MAX_WANTED + 1]);
        assert!(parse(&many).unwrap_err().contains("at most 64"));
        assert!(parse(&" ".repeat(MAX_MESSAGE + 1)).unwrap_err().contains("16384"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,200}") {
            let _ = parse(&text);
        }

        #[test]
        fn a_patient_page_is_never_refused(gaps in prop::collection::vec(0.011_f64..1.0, 1..200)) {
            let mut limit = RateLimit::new(100.0, 10.0);
            let mut now = 0.0;
            for gap in gaps {
                now += gap;
                prop_assert!(limit.admits(now));
            }
        }
    }

    #[test]
    fn a_flood_is_refused_and_forgiven() {
        let mut limit = RateLimit::new(100.0, 10.0);
        assert_eq!((0..50).filter(|_| limit.admits(1.0)).count(), 10);
        assert!(limit.admits(10.0));
    }
}
