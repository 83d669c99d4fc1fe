//! Access control of the server: pages that it served itself, opened with its token, on this machine.
//!
//! Host is checked against names of the address listened on, so that a name that an attacker points to 127.0.0.1 (DNS
//! rebinding) is refused; Origin, so that pages of other sites are; and the token, so that other users of the machine are.

use std::net::SocketAddr;

use crate::ViewError;

/// Bytes of a token.
const TOKEN_BYTES: usize = 16;

/// A secret of 128 bits, in hexadecimal.
#[derive(Clone)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Token(…)")
    }
}

impl Token {
    /// A new one from the operating system's random numbers.
    ///
    /// # Errors
    /// If there are none.
    pub fn random() -> Result<Self, ViewError> {
        let mut bytes = [0_u8; TOKEN_BYTES];
        getrandom::fill(&mut bytes)
            .map_err(|error| ViewError::Start(format!("no random numbers: {error}")))?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The text, for the address that is printed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a page knows it, in a time that does not depend on how much of it is right.
    #[must_use]
    pub fn matches(&self, given: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), given.as_bytes());
        let differing =
            own.iter().enumerate().fold(0, |sum, (i, byte)| sum | (byte ^ given.get(i).unwrap_or(&0)));
        std::hint::black_box(differing) == 0 && own.len() == given.len()
    }
}

/// The names under which the server may be addressed.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<String>,
}

impl Guard {
    /// For a server that listens on `address`.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            hosts.extend([format!("localhost:{}", address.port()), format!("127.0.0.1:{}", address.port())]);
        }
        Self { hosts }
    }

    /// The same with further names, `name:port`.
    #[must_use]
    pub fn with_hosts(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.hosts.extend(names);
        self
    }

    /// Whether a request with this `Host` is meant for this server.
    #[must_use]
    pub fn host_is_own(&self, host: Option<&str>) -> bool {
        host.is_some_and(|host| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)))
    }

    /// Whether a page of this `Origin` was served by this server. Browsers always send it with a WebSocket.
    #[must_use]
    pub fn origin_is_own(&self, origin: Option<&str>) -> bool {
        self.host_is_own(origin.and_then(|origin| origin.strip_prefix("http://")))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_are_long_and_differ() {
        let (a, b) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(a.as_str().len(), 32);
        assert_ne!(a.as_str(), b.as_str());
        assert!(a.matches(a.as_str()) && !a.matches(b.as_str()) && !a.matches(""));
        assert!(!a.matches(&format!("{}0", a.as_str())), "longer");
        assert!(!a.matches(&a.as_str()[..31]), "shorter");
        assert_eq!(format!("{a:?}"), "Token(…)", "logs do not tell it");
    }

    proptest! {
        #[test]
        fn no_other_text_is_the_token(text in ".{0,64}") {
            prop_assert!(!Token("0123456789abcdef0123456789abcdef".to_owned()).matches(&text));
        }
    }

    #[test]
    fn only_own_names_and_the_right_port() {
        let guard = Guard::new("127.0.0.1:4000".parse().unwrap());
        for good in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000"] {
            assert!(guard.host_is_own(Some(good)), "{good}");
            assert!(guard.origin_is_own(Some(&format!("http://{good}"))), "{good}");
        }
        for bad in [
            "evil.example",
            "evil.example:4000",
            "127.0.0.1",
            "127.0.0.1:4001",
            "localhost:4000.evil.example",
        ] {
            assert!(!guard.host_is_own(Some(bad)), "{bad}");
            assert!(!guard.origin_is_own(Some(&format!("http://{bad}"))), "{bad}");
        }
        assert!(!guard.host_is_own(None) && !guard.origin_is_own(None));
        assert!(!guard.origin_is_own(Some("null")) && !guard.origin_is_own(Some("https://localhost:4000")));
    }
}
