//! Eight numbers at once, for kernels whose steps wait for each other.
//!
//! Where each operation needs the result of the one before, a processor that could begin several at once waits; eight lanes give
//! it two independent groups of four. They are one register where there are such wide ones ([`super::kernels`]), else two side by
//! side ([`Twin`]), with the same bits.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::lanes::{Arithmetic, Four, LANES, Lanes};

/// Numbers in a wide lane group.
pub(crate) const WIDE: usize = 2 * LANES;

/// Eight numbers in memory.
pub(crate) type Eight = [f64; WIDE];

/// Eight lanes, and rows of four numbers to and from them.
pub(crate) trait WideLanes: Lanes<WIDE> {
    /// Columns of eight rows.
    fn columns(rows: [&Four; WIDE]) -> [Self; LANES];

    /// Eight rows of the columns.
    fn rows(columns: [Self; LANES]) -> [Four; WIDE];
}

/// Two groups of four.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twin<T>(T, T);

macro_rules! each_of_two {
    ($($operation:ident $name:ident),*) => {$(
        impl<T: Lanes> $operation for Twin<T> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(self.0.$name(other.0), self.1.$name(other.1))
            }
        }
    )*};
}
each_of_two!(Add add, Sub sub, Mul mul, Div div);

impl<T: Lanes> Neg for Twin<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl<T: Lanes> Arithmetic for Twin<T> {
    #[inline(always)]
    fn splat(number: f64) -> Self {
        Self(T::splat(number), T::splat(number))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn where_greater(self, other: Self, yes: Self, no: Self) -> Self {
        Self(self.0.where_greater(other.0, yes.0, no.0), self.1.where_greater(other.1, yes.1, no.1))
    }

    #[inline(always)]
    fn any_greater(self, other: Self) -> bool {
        self.0.any_greater(other.0) || self.1.any_greater(other.1)
    }
}

impl<T: Lanes> Lanes<WIDE> for Twin<T> {
    #[inline(always)]
    fn load(numbers: &Eight) -> Self {
        let [a, b, c, d, e, f, g, h] = *numbers;
        Self(T::load(&[a, b, c, d]), T::load(&[e, f, g, h]))
    }

    #[inline(always)]
    fn store(self) -> Eight {
        let ([a, b, c, d], [e, f, g, h]) = (self.0.store(), self.1.store());
        [a, b, c, d, e, f, g, h]
    }
}

impl<T: Lanes> WideLanes for Twin<T> {
    #[inline(always)]
    fn columns([a, b, c, d, e, f, g, h]: [&Four; WIDE]) -> [Self; LANES] {
        let [p, q, r, s] = T::transposed([T::load(a), T::load(b), T::load(c), T::load(d)]);
        let [t, u, v, w] = T::transposed([T::load(e), T::load(f), T::load(g), T::load(h)]);
        [Self(p, t), Self(q, u), Self(r, v), Self(s, w)]
    }

    #[inline(always)]
    fn rows([x, y, z, w]: [Self; LANES]) -> [Four; WIDE] {
        let [a, b, c, d] = T::transposed([x.0, y.0, z.0, w.0]);
        let [e, f, g, h] = T::transposed([x.1, y.1, z.1, w.1]);
        [a.store(), b.store(), c.store(), d.store(), e.store(), f.store(), g.store(), h.store()]
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernels::{self, WideKernel};
    use super::super::lanes::Scalars;
    use super::*;
    use proptest::prelude::*;
    use wide::f64x4;

    struct Mixed([Eight; 3]);

    impl WideKernel for Mixed {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run<L: WideLanes>(self) -> Vec<u64> {
            let [x, y, z] = [L::load(&self.0[0]), L::load(&self.0[1]), L::load(&self.0[2])];
            let rows = L::rows([x, y, z, x - y]);
            let [p, q, r, s] =
                L::columns([&rows[0], &rows[2], &rows[4], &rows[6], &rows[7], &rows[5], &rows[3], &rows[1]]);
            let any = L::splat(f64::from(u8::from(x.any_greater(z))));
            let results = [
                x + y * z,
                x / y - z,
                (y * y).sqrt(),
                x.larger(z),
                z.where_greater(x, -y, x),
                any,
                p,
                q,
                r,
                s,
            ];
            rows.into_iter()
                .flatten()
                .chain(results.into_iter().flat_map(|r| r.store()))
                .map(f64::to_bits)
                .collect()
        }
    }

    proptest! {
        #[test]
        fn all_wide_lanes_have_the_bits_of_the_scalar_twin(
            a in prop::array::uniform8(-1e3..1e3_f64),
            b in prop::array::uniform8(0.1..1e2_f64),
            c in prop::array::uniform8(-1e3..1e3_f64),
        ) {
            let mixed = || Mixed([a, b, c]);
            let scalar = mixed().run::<Twin<Scalars>>();
            prop_assert_eq!(&mixed().run::<Twin<f64x4>>(), &scalar);
            kernels::each_way(mixed, |found| assert_eq!(found, scalar));
        }
    }

    #[test]
    fn rows_are_the_columns_turned() {
        let rows: [Four; WIDE] = std::array::from_fn(|k| std::array::from_fn(|l| (10 * k + l) as f64));
        let columns = Twin::<f64x4>::columns(rows.each_ref());
        assert_eq!(columns[2].store(), [2.0, 12.0, 22.0, 32.0, 42.0, 52.0, 62.0, 72.0]);
        assert_eq!(Twin::rows(columns), rows);
    }
}
