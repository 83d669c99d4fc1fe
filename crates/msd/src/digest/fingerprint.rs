//! Fingerprints: the identity of a model from its declared parameters.
//!
//! Every part of a model appends its parameters to a [`Hasher`] in a fixed order, numbers by their bits,
//! lists with their length and alternatives with their name. Quantities that follow from the parameters
//! (search tables, bounding boxes, whatever is built when first needed) are left out: two models are the same
//! if a user has declared the same. Delivered types list their fields through [`parameters!`], which
//! destructures the type completely, so that a new field cannot be missed.
//!
//! [`FINGERPRINT_VERSION`] is part of every model hash. Raise it when a part appends other values or in
//! another order.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};

use super::Hasher;

/// Version of the rules by which models are hashed.
pub const FINGERPRINT_VERSION: u64 = 1;

/// Something whose declared parameters identify it.
pub trait Fingerprint {
    /// Appends every declared parameter, and nothing that follows from them.
    fn fingerprint(&self, hasher: &mut Hasher);
}

/// Defines `fn fingerprint(&self, hasher: &mut Hasher)` in an `impl` of a struct: the name of the type, then the listed fields in
/// order. Fields after a semicolon are derived and left out; a field in neither list does not compile.
macro_rules! parameters {
    ($name:literal: $($field:ident),* $(; $($derived:ident),+)?) => {
        fn fingerprint(&self, hasher: &mut $crate::digest::Hasher) {
            let Self { $($field,)* $($($derived: _,)+)? } = self;
            hasher.text($name);
            $($crate::digest::Fingerprint::fingerprint($field, hasher);)*
        }
    };
}
pub(crate) use parameters;

impl Fingerprint for f64 {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.number(*self);
    }
}

impl Fingerprint for bool {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.integer(u64::from(*self));
    }
}

impl Fingerprint for u32 {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.integer(u64::from(*self));
    }
}

impl Fingerprint for usize {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.integer(*self as u64);
    }
}

impl Fingerprint for str {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(self);
    }
}

impl Fingerprint for String {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(self);
    }
}

impl Fingerprint for DVec3 {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.numbers(&self.to_array());
    }
}

impl Fingerprint for DQuat {
    /// (x, y, z, w); q and -q are the same orientation, but not the same bits of a step.
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.numbers(&self.to_array());
    }
}

impl Fingerprint for DMat3 {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.numbers(&self.to_cols_array());
    }
}

impl<T: Fingerprint + ?Sized> Fingerprint for Arc<T> {
    fn fingerprint(&self, hasher: &mut Hasher) {
        (**self).fingerprint(hasher);
    }
}

impl<T: Fingerprint> Fingerprint for Option<T> {
    fn fingerprint(&self, hasher: &mut Hasher) {
        self.is_some().fingerprint(hasher);
        self.iter().for_each(|value| value.fingerprint(hasher));
    }
}

impl<T: Fingerprint> Fingerprint for [T] {
    fn fingerprint(&self, hasher: &mut Hasher) {
        self.len().fingerprint(hasher);
        self.iter().for_each(|value| value.fingerprint(hasher));
    }
}

impl<T: Fingerprint, const N: usize> Fingerprint for [T; N] {
    fn fingerprint(&self, hasher: &mut Hasher) {
        self.as_slice().fingerprint(hasher);
    }
}

impl<T: Fingerprint> Fingerprint for Vec<T> {
    fn fingerprint(&self, hasher: &mut Hasher) {
        self.as_slice().fingerprint(hasher);
    }
}

impl<T: Fingerprint> Fingerprint for BTreeSet<T> {
    fn fingerprint(&self, hasher: &mut Hasher) {
        self.len().fingerprint(hasher);
        self.iter().for_each(|value| value.fingerprint(hasher));
    }
}

impl<A: Fingerprint, B: Fingerprint> Fingerprint for (A, B) {
    fn fingerprint(&self, hasher: &mut Hasher) {
        self.0.fingerprint(hasher);
        self.1.fingerprint(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Digest;
    use super::*;

    struct Ball {
        radius: f64,
        name: Option<String>,
        #[expect(dead_code, reason = "a table that only a lookup would read")]
        table: Vec<u32>,
    }

    impl Fingerprint for Ball {
        parameters!("ball": radius, name; table);
    }

    fn digest(ball: &Ball) -> Digest {
        let mut hasher = Hasher::new();
        ball.fingerprint(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn declared_parameters_count_and_derived_tables_do_not() {
        let ball = |radius, name: Option<&str>, table| Ball { radius, name: name.map(str::to_owned), table };
        let plain = digest(&ball(1.0, None, Vec::new()));
        assert_eq!(plain, digest(&ball(1.0, None, vec![1, 2])));
        assert_ne!(plain, digest(&ball(1.0 + f64::EPSILON, None, Vec::new())));
        assert_ne!(plain, digest(&ball(1.0, Some(""), Vec::new())));
    }

    #[test]
    fn lists_cannot_run_into_each_other() {
        let digest = |lists: &(Vec<f64>, Vec<f64>)| {
            let mut hasher = Hasher::new();
            lists.fingerprint(&mut hasher);
            hasher.finish()
        };
        assert_ne!(digest(&(vec![1.0], vec![2.0])), digest(&(vec![1.0, 2.0], vec![])));
    }
}
