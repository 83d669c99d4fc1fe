//! Base64 (RFC 4648, standard alphabet), as `data:` URIs of glTF carry their buffers.

/// The bytes of the text; `None` if it is not base64. Padding may be missing.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    if text.len() - digits.len() > 2 || digits.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for &digit in group {
            word = word << 6 | u32::from(value(digit)?);
        }
        let [_, a, b, c] = (word << (6 * (4 - group.len()))).to_be_bytes();
        bytes.extend_from_slice(&[a, b, c][..group.len() - 1]);
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_rfc_4648_decode() {
        let examples =
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm8", "fo")];
        for (text, expected) in examples {
            assert_eq!(decode(text).unwrap(), expected.as_bytes());
        }
        assert_eq!(decode("+/+/").unwrap(), [0xfb, 0xff, 0xbf]);
        for bad in ["Z", "Zm9v!", "Zg===", "Zm=v", "Zm9 v"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
