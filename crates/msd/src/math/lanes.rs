//! SIMD lanes: arithmetic on several numbers at once.
//!
//! Code written over [`Lanes`] runs over `wide::f64x4`, and over eight lanes in the widest registers
//! ([`super::kernels`]). Every operation is one IEEE operation a lane, with no fused multiply-add, so the
//! bits are those of the scalar reference [`Scalars`], against which the tests compare it.

use std::ops::{Add, Div, Mul, Neg, Sub};

use wide::f64x4;

use super::{Mat3, Quat, Vec3};

/// Numbers in a lane group.
pub(crate) const LANES: usize = 4;

/// Four numbers in memory.
pub(crate) type Four = [f64; LANES];

/// Maps four values; always inlined, unlike `map` of an array.
#[inline(always)]
pub(crate) fn each<T, U>([a, b, c, d]: [T; LANES], of: impl Fn(T) -> U) -> [U; LANES] {
    [of(a), of(b), of(c), of(d)]
}

/// Up to four of a slice, the last repeated.
#[inline(always)]
pub(crate) fn four<T>(some: &[T]) -> [&T; LANES] {
    let last = some.len() - 1;
    each([0, 1, 2, 3], |k: usize| &some[k.min(last)])
}

/// Arithmetic on some numbers, lane by lane.
pub(crate) trait Arithmetic:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    fn splat(number: f64) -> Self;
    fn sqrt(self) -> Self;
    /// `yes` where `self > other`, else `no`.
    fn where_greater(self, other: Self, yes: Self, no: Self) -> Self;
    /// True if `self > other` in a lane at least.
    fn any_greater(self, other: Self) -> bool;

    /// The larger of two; `self` on a tie or if it is NaN.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        other.where_greater(self, other, self)
    }
}

/// Loads and stores of `N` numbers, four by default.
pub(crate) trait Lanes<const N: usize = LANES>: Arithmetic {
    fn load(numbers: &[f64; N]) -> Self;
    fn store(self) -> [f64; N];

    /// Columns of the rows.
    #[inline(always)]
    fn transposed(rows: [Self; N]) -> [Self; N] {
        let rows = rows.map(Self::store);
        std::array::from_fn(|k| Self::load(&std::array::from_fn(|row| rows[row][k])))
    }
}

impl Lanes for f64x4 {
    #[inline(always)]
    fn load(numbers: &Four) -> Self {
        Self::new(*numbers)
    }

    #[inline(always)]
    fn store(self) -> Four {
        self.to_array()
    }
}

impl Arithmetic for f64x4 {
    #[inline(always)]
    fn splat(number: f64) -> Self {
        Self::new([number; LANES])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64x4::sqrt(self)
    }

    #[inline(always)]
    fn where_greater(self, other: Self, yes: Self, no: Self) -> Self {
        self.simd_gt(other).bitselect(yes, no)
    }

    #[inline(always)]
    fn any_greater(self, other: Self) -> bool {
        self.simd_gt(other).to_bitmask() != 0
    }
}

/// One number in place of four, for single items: only the first is loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single(f64);

macro_rules! alone {
    ($($operation:ident $name:ident $symbol:tt),*) => {$(
        impl $operation for Single {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        }
    )*};
}
alone!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Neg for Single {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Lanes for Single {
    #[inline(always)]
    fn load(numbers: &Four) -> Self {
        Self(numbers[0])
    }

    #[inline(always)]
    fn store(self) -> Four {
        [self.0; LANES]
    }
}

impl Arithmetic for Single {
    #[inline(always)]
    fn splat(number: f64) -> Self {
        Self(number)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn where_greater(self, other: Self, yes: Self, no: Self) -> Self {
        if self.0 > other.0 { yes } else { no }
    }

    #[inline(always)]
    fn any_greater(self, other: Self) -> bool {
        self.0 > other.0
    }
}

/// Three components of some vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors<L> {
    pub(crate) x: L,
    pub(crate) y: L,
    pub(crate) z: L,
}

impl<L: Lanes> Vectors<L> {
    /// Four vectors side by side.
    #[inline(always)]
    pub(crate) fn of(vectors: [Vec3; LANES]) -> Self {
        Self::load(&[each(vectors, |v| v.x), each(vectors, |v| v.y), each(vectors, |v| v.z)])
    }

    /// The four vectors.
    #[inline(always)]
    pub(crate) fn each(self) -> [Vec3; LANES] {
        let [x, y, z] = self.store();
        each([0, 1, 2, 3], |k| Vec3::new(x[k], y[k], z[k]))
    }
}

impl<L: Arithmetic> Vectors<L> {
    #[inline(always)]
    pub(crate) fn load<const N: usize>(components: &[[f64; N]; 3]) -> Self
    where
        L: Lanes<N>,
    {
        Self { x: L::load(&components[0]), y: L::load(&components[1]), z: L::load(&components[2]) }
    }

    #[inline(always)]
    pub(crate) fn store<const N: usize>(self) -> [[f64; N]; 3]
    where
        L: Lanes<N>,
    {
        [self.x.store(), self.y.store(), self.z.store()]
    }

    /// The same vector in all lanes.
    #[inline(always)]
    pub(crate) fn all(vector: Vec3) -> Self {
        Self { x: L::splat(vector.x), y: L::splat(vector.y), z: L::splat(vector.z) }
    }

    /// This where `one > two`, else `other`.
    #[inline(always)]
    pub(crate) fn where_greater(self, one: L, two: L, other: Self) -> Self {
        Self {
            x: one.where_greater(two, self.x, other.x),
            y: one.where_greater(two, self.y, other.y),
            z: one.where_greater(two, self.z, other.z),
        }
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
}

impl<L: Arithmetic> Add for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<L: Arithmetic> Sub for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<L: Arithmetic> Mul<L> for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: L) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

/// Symmetric matrices: xx, xy, xz, yy, yz, zz.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetric<L>(pub(crate) [L; 6]);

impl<L: Arithmetic> Symmetric<L> {
    #[inline(always)]
    pub(crate) fn load<const N: usize>(entries: &[[f64; N]; 6]) -> Self
    where
        L: Lanes<N>,
    {
        let [xx, xy, xz, yy, yz, zz] = entries;
        Self([L::load(xx), L::load(xy), L::load(xz), L::load(yy), L::load(yz), L::load(zz)])
    }

    #[inline(always)]
    pub(crate) fn times(&self, v: Vectors<L>) -> Vectors<L> {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        Vectors {
            x: xx * v.x + xy * v.y + xz * v.z,
            y: xy * v.x + yy * v.y + yz * v.z,
            z: xz * v.x + yz * v.y + zz * v.z,
        }
    }

    #[inline(always)]
    pub(crate) fn store<const N: usize>(&self) -> [[f64; N]; 6]
    where
        L: Lanes<N>,
    {
        let [xx, xy, xz, yy, yz, zz] = self.0;
        [xx.store(), xy.store(), xz.store(), yy.store(), yz.store(), zz.store()]
    }

    #[inline(always)]
    pub(crate) fn trace(&self) -> L {
        self.0[0] + self.0[3] + self.0[5]
    }
}

/// Right-handed frames: unit axes in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames<L>(pub(crate) [Vectors<L>; 3]);

impl<L: Arithmetic> Frames<L> {
    #[inline(always)]
    pub(crate) fn load<const N: usize>(axes: &[[[f64; N]; 3]; 3]) -> Self
    where
        L: Lanes<N>,
    {
        let [x, y, z] = axes;
        Self([Vectors::load(x), Vectors::load(y), Vectors::load(z)])
    }

    /// The same frame in all lanes.
    #[inline(always)]
    pub(crate) fn all(axes: &Mat3) -> Self {
        Self([Vectors::all(axes.x_axis), Vectors::all(axes.y_axis), Vectors::all(axes.z_axis)])
    }

    /// World to frame.
    #[inline(always)]
    pub(crate) fn local(&self, v: Vectors<L>) -> Vectors<L> {
        let [x, y, z] = self.0;
        Vectors { x: x.dot(v), y: y.dot(v), z: z.dot(v) }
    }

    /// Frame to world.
    #[inline(always)]
    pub(crate) fn world(&self, v: Vectors<L>) -> Vectors<L> {
        let [x, y, z] = self.0;
        x * v.x + y * v.y + z * v.z
    }

    /// A symmetric matrix of the world in the frame.
    #[inline(always)]
    pub(crate) fn local_matrix(&self, m: &Symmetric<L>) -> Symmetric<L> {
        let [x, y, z] = self.0;
        let (mx, my, mz) = (m.times(x), m.times(y), m.times(z));
        Symmetric([x.dot(mx), x.dot(my), x.dot(mz), y.dot(my), y.dot(mz), z.dot(mz)])
    }
}

/// Rotates vectors as `q v` does, to the bit: `(w² - b²) v + 2 (v·b) b + 2 w b × v` with the vector part b of
/// the unit quaternion q.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotation<L> {
    axis: Vectors<L>,
    along: L,
    twice_w: L,
}

impl<L: Arithmetic> Rotation<L> {
    #[inline(always)]
    pub(crate) fn by(q: Quat) -> Self {
        let b = Vec3::new(q.x, q.y, q.z);
        let along = q.w * q.w - b.dot(b);
        Self { axis: Vectors::all(b), along: L::splat(along), twice_w: L::splat(q.w * 2.0) }
    }

    /// By four quaternions, given by their vector parts and w.
    #[inline(always)]
    pub(crate) fn of(axis: Vectors<L>, w: L) -> Self {
        Self { axis, along: w * w - axis.dot(axis), twice_w: w * L::splat(2.0) }
    }

    #[inline(always)]
    pub(crate) fn times(&self, v: Vectors<L>) -> Vectors<L> {
        let about = self.axis * (v.dot(self.axis) * L::splat(2.0));
        v * self.along + about + self.axis.cross(v) * self.twice_w
    }
}

/// The scalar twin of `f64x4`.
#[cfg(test)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalars(Four);

#[cfg(test)]
mod twin {
    use super::{Add, Arithmetic, Div, Four, LANES, Lanes, Mul, Neg, Scalars, Sub};

    fn both(a: Four, b: Four, f: impl Fn(f64, f64) -> f64) -> Scalars {
        Scalars(std::array::from_fn::<f64, LANES, _>(|lane| f(a[lane], b[lane])))
    }

    macro_rules! lane_by_lane {
        ($($operation:ident $name:ident $symbol:tt),*) => {$(
            impl $operation for Scalars {
                type Output = Self;

                fn $name(self, other: Self) -> Self {
                    both(self.0, other.0, |a, b| a $symbol b)
                }
            }
        )*};
    }
    lane_by_lane!(Add add +, Sub sub -, Mul mul *, Div div /);

    impl Neg for Scalars {
        type Output = Self;

        fn neg(self) -> Self {
            Self(self.0.map(|a| -a))
        }
    }

    impl Lanes for Scalars {
        fn load(numbers: &Four) -> Self {
            Self(*numbers)
        }

        fn store(self) -> Four {
            self.0
        }
    }

    impl Arithmetic for Scalars {
        fn splat(number: f64) -> Self {
            Self([number; LANES])
        }

        fn sqrt(self) -> Self {
            Self(self.0.map(f64::sqrt))
        }

        fn where_greater(self, other: Self, yes: Self, no: Self) -> Self {
            Self(std::array::from_fn(|k| if self.0[k] > other.0[k] { yes.0[k] } else { no.0[k] }))
        }

        fn any_greater(self, other: Self) -> bool {
            (0..LANES).any(|k| self.0[k] > other.0[k])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[inline(always)]
    fn mixed<L: Lanes>(a: Four, b: Four, c: Four) -> Vec<u64> {
        let [x, y, z] = [&a, &b, &c].map(L::load);
        let (v, w) = (Vectors { x, y, z }, Vectors { x: y, y: z, z: x });
        let m = Symmetric([x, y, z, z, x, y]);
        let turned = m.times(v.cross(w)) * (x / y) - w;
        let frames = Frames([v, w, turned]);
        let within = frames.local_matrix(&m).times(frames.local(frames.world(v)));
        let results = [
            within.dot(w),
            turned.dot(v),
            m.trace(),
            (x * x).sqrt(),
            x.larger(y),
            z.where_greater(y, x, -w.z),
        ];
        let any = L::splat(f64::from(u8::from(x.any_greater(z))));
        let results = results.into_iter().chain(L::transposed([x, y, z, turned.x])).chain([any]);
        results.flat_map(|r| r.store()).map(f64::to_bits).collect()
    }

    proptest! {
        #[test]
        fn wide_and_scalar_lanes_have_the_same_bits(
            a in prop::array::uniform4(-1e3..1e3_f64),
            b in prop::array::uniform4(0.1..1e2_f64),
            c in prop::array::uniform4(-1e-3..1e-3_f64),
        ) {
            let scalar = mixed::<Scalars>(a, b, c);
            prop_assert_eq!(&mixed::<f64x4>(a, b, c), &scalar);
            let first = |all: &[u64]| all.iter().copied().step_by(LANES).collect::<Vec<_>>();
            prop_assert_eq!(first(&scalar[..24]), first(&mixed::<Single>(a, b, c)[..24]));
        }
    }

    proptest! {
        #[test]
        fn vectors_side_by_side_turn_as_each_alone_does(
            axis in prop::array::uniform3(-2.0..2.0_f64),
            places in prop::array::uniform4(prop::array::uniform3(-1e3..1e3_f64)),
        ) {
            let (q, vectors) = (Quat::from_scaled_axis(Vec3::from(axis)), places.map(Vec3::from));
            let frame = Mat3::from_quat(q);
            let (turn, frames) = (Rotation::<f64x4>::by(q), Frames::<f64x4>::all(&frame));
            let wide = Vectors::of(vectors);
            prop_assert_eq!(turn.times(wide).each(), vectors.map(|v| q * v));
            prop_assert_eq!(frames.local(wide).each(), vectors.map(|v| frame.transpose() * v));
            prop_assert_eq!(frames.world(wide).each(), vectors.map(|v| frame * v));
            prop_assert_eq!(wide.cross(Vectors::all(q.xyz())).each(), vectors.map(|v| v.cross(q.xyz())));
        }
    }

    #[test]
    fn ties_and_nan_return_the_first() {
        let (nan, zero) = (f64x4::splat(f64::NAN), f64x4::splat(-0.0));
        assert!(nan.larger(zero).store().iter().all(|x| x.is_nan()));
        assert!(zero.larger(f64x4::splat(0.0)).store().iter().all(|x| x.is_sign_negative()));
    }
}
