//! Kernels on the widest registers that the processor has: the only `unsafe` of the engine.
//!
//! A [`Kernel`] is written once over [`Lanes`] and compiled twice on x86-64: for what every such processor has (SSE2, two numbers
//! at a time) and for AVX2 (four). Which of the two runs is found out when the program runs. Both do the same IEEE
//! operations in the same order, and none is fused, so that they have the same bits: the tests run both beside the scalar twin.
//!
//! Soundness. [`Avx`] may be used only where AVX is there. Its name does not leave this file, and [`on_avx2`], the only place that
//! names it, is called only after the processor has been asked.

#![allow(unsafe_code)]

use wide::f64x4;

use super::lanes::{Lanes, Single};

/// Work over [`Lanes`]. `run` and all it calls with lanes are to be `#[inline(always)]`: what is not inlined is not compiled for AVX2.
/// (Nor are functions of the standard library that take closures, such as `array::map`: write lanes out.)
pub(crate) trait Kernel {
    type Output;

    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs a kernel as wide as the processor allows.
#[inline]
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 is there.
        return unsafe { avx::on_avx2(kernel) };
    }
    kernel.run::<f64x4>()
}

/// Runs a kernel over up to four things side by side: one that is alone has nothing beside it.
#[inline]
pub(crate) fn run_over<K: Kernel>(count: usize, kernel: K) -> K::Output {
    if count == 1 { kernel.run::<Single>() } else { run(kernel) }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::{
        __m256d, _CMP_GT_OQ, _mm256_add_pd, _mm256_blendv_pd, _mm256_cmp_pd, _mm256_div_pd, _mm256_loadu_pd,
        _mm256_movemask_pd, _mm256_mul_pd, _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_sqrt_pd,
        _mm256_storeu_pd, _mm256_sub_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd, _mm256_xor_pd,
    };
    use std::ops::{Add, Div, Mul, Neg, Sub};

    use super::super::lanes::{Four, LANES, Lanes};
    use super::Kernel;

    #[target_feature(enable = "avx2")]
    pub(super) fn on_avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx>()
    }

    /// Four numbers in one register.
    #[derive(Clone, Copy)]
    struct Avx(__m256d);

    macro_rules! lane_by_lane {
        ($($operation:ident $name:ident $intrinsic:ident),*) => {$(
            impl $operation for Avx {
                type Output = Self;

                #[inline(always)]
                fn $name(self, other: Self) -> Self {
                    // SAFETY: AVX is there where there is an `Avx`.
                    Self(unsafe { $intrinsic(self.0, other.0) })
                }
            }
        )*};
    }
    lane_by_lane!(Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd);

    impl Neg for Avx {
        type Output = Self;

        #[inline(always)]
        fn neg(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
        }
    }

    impl Lanes for Avx {
        #[inline(always)]
        fn load(numbers: &Four) -> Self {
            // SAFETY: as above; four numbers are read where four numbers are.
            Self(unsafe { _mm256_loadu_pd(numbers.as_ptr()) })
        }

        #[inline(always)]
        fn store(self) -> Four {
            let mut numbers = [0.0; LANES];
            // SAFETY: as above; four numbers are written where there is room for four.
            unsafe { _mm256_storeu_pd(numbers.as_mut_ptr(), self.0) };
            numbers
        }

        #[inline(always)]
        fn splat(number: f64) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_set1_pd(number) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_sqrt_pd(self.0) })
        }

        #[inline(always)]
        fn where_greater(self, other: Self, yes: Self, no: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm256_blendv_pd(no.0, yes.0, _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0)) })
        }

        #[inline(always)]
        fn any_greater(self, other: Self) -> bool {
            // SAFETY: as above.
            unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0)) != 0 }
        }

        #[inline(always)]
        fn transposed([p, q, r, s]: [Self; LANES]) -> [Self; LANES] {
            // SAFETY: as above.
            unsafe {
                let (pq_even, pq_odd) = (_mm256_unpacklo_pd(p.0, q.0), _mm256_unpackhi_pd(p.0, q.0));
                let (rs_even, rs_odd) = (_mm256_unpacklo_pd(r.0, s.0), _mm256_unpackhi_pd(r.0, s.0));
                [
                    Self(_mm256_permute2f128_pd::<0x20>(pq_even, rs_even)),
                    Self(_mm256_permute2f128_pd::<0x20>(pq_odd, rs_odd)),
                    Self(_mm256_permute2f128_pd::<0x31>(pq_even, rs_even)),
                    Self(_mm256_permute2f128_pd::<0x31>(pq_odd, rs_odd)),
                ]
            }
        }
    }
}
