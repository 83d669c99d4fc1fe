//! "did you mean": the nearest of the names that would have been right.

/// The candidate at the smallest edit distance, if it is near enough to have been meant: at most a third of the
/// letters wrong, a swap of neighbours counting once. Case and dashes do not count, and the
/// beginning or the end of a name is near it.
pub(crate) fn near_name<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = folded(name);
    candidates
        .into_iter()
        .map(|candidate| {
            let folded = folded(candidate);
            let begins = wanted.len() >= 3 && folded.starts_with(&wanted);
            let is_part = begins || (wanted.len() >= 4 && folded.ends_with(&wanted));
            let allowed = (wanted.len().max(folded.len()) / 3).min(4);
            (if is_part { 0 } else { distance(&wanted, &folded) }, allowed, candidate)
        })
        .filter(|(distance, allowed, _)| distance <= allowed)
        .min_by_key(|(distance, ..)| *distance)
        .map(|(.., candidate)| candidate)
}

/// "`a`, `b` or `c`".
pub(crate) fn one_of<'c>(names: impl IntoIterator<Item = &'c str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => "nothing".to_owned(),
    }
}

fn folded(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Damerau-Levenshtein distance with adjacent swaps (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_strangers_are_not() {
        let keys = ["mass", "material", "friction", "restitution", "angular_velocity", "velocity"];
        let near = |name| near_name(name, keys);
        assert_eq!(near("restituton"), Some("restitution"));
        assert_eq!(near("Mass"), Some("mass"));
        assert_eq!(near("masss"), Some("mass"));
        assert_eq!(near("frcition"), Some("friction"));
        assert_eq!(near("angular-velocity"), Some("angular_velocity"));
        assert_eq!(near("angularVelocity"), Some("angular_velocity"));
        assert_eq!(near("rest"), Some("restitution"));
        assert_eq!(near_name("verlet", ["rk4", "velocity-verlet"]), Some("velocity-verlet"));
        assert_eq!(near("colour"), None);
        assert_eq!(near(""), None);
        assert_eq!(near_name("c", ["b"]), None);
    }

    #[test]
    fn names_are_listed_as_a_sentence() {
        assert_eq!(one_of(["a"]), "`a`");
        assert_eq!(one_of(["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
