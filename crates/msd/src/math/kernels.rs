//! SIMD dispatch: kernels on the widest registers of the processor. The only `unsafe` code of the engine.
//!
//! A [`Kernel`] is written once over four [`Lanes`] and compiled twice on x86-64: for the baseline (SSE2, two
//! numbers at a time) and for AVX2 (four). A [`WideKernel`] is over eight, and compiled for AVX-512 too. The
//! variant is selected at run time. All variants do the same IEEE operations in the same order, without fused
//! multiply-add, so that they have the same bits: the tests compare all of them with the scalar reference.
//!
//! Soundness. [`avx::Avx`] may be used only on processors with AVX, [`avx512::Avx512`] only with AVX-512.
//! Both types are private to this file, and the functions that use them are called only after CPU feature
//! detection.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU8, Ordering};

use wide::f64x4;

use super::lanes::{Lanes, Single};
use super::wide_lanes::{Twin, WideLanes};

/// Numbers that vector instructions take at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Registers {
    /// Two: SSE2, which every x86-64 has, or one after the other on other processors.
    Two,
    /// Four: AVX2.
    Four,
    /// Eight: AVX-512.
    Eight,
}

/// The limit set by the user; no result depends on it.
static WIDEST: AtomicU8 = AtomicU8::new(Registers::Eight as u8);

/// Limits vector instructions of this process to registers of a width. Results have the same bits with every limit: use it to show that,
/// or to find out whether a processor is at fault.
pub fn limit_registers(widest: Registers) {
    WIDEST.store(widest as u8, Ordering::Relaxed);
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn allowed(registers: Registers) -> bool {
    WIDEST.load(Ordering::Relaxed) >= registers as u8
}

/// Work over [`Lanes`]. `run` and everything it calls with lanes must be `#[inline(always)]`: code that is
/// not inlined is not compiled for wide registers. (Nor are functions of the standard library that take
/// closures, such as `array::map`: write lanes out.)
pub(crate) trait Kernel {
    type Output;

    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs a kernel on the widest registers for four numbers.
#[inline]
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && allowed(Registers::Four) {
        // SAFETY: AVX2 was detected.
        return unsafe { avx::on_avx2(kernel) };
    }
    kernel.run::<f64x4>()
}

/// Runs a kernel over up to four items; a single item uses one lane.
#[inline]
pub(crate) fn run_over<K: Kernel>(count: usize, kernel: K) -> K::Output {
    if count == 1 { kernel.run::<Single>() } else { run(kernel) }
}

/// Work over [`WideLanes`], to be inlined as a [`Kernel`] is.
pub(crate) trait WideKernel {
    type Output;

    fn run<L: WideLanes>(self) -> Self::Output;
}

/// Runs a kernel on the widest registers of the processor.
#[inline]
pub(crate) fn run_wide<K: WideKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && allowed(Registers::Eight) {
            // SAFETY: AVX-512 was detected.
            return unsafe { avx512::on_avx512(kernel) };
        }
        if is_x86_feature_detected!("avx2") && allowed(Registers::Four) {
            // SAFETY: AVX2 was detected.
            return unsafe { avx::wide_on_avx2(kernel) };
        }
    }
    kernel.run::<Twin<f64x4>>()
}

/// Runs a wide kernel with every variant that this processor supports, for tests.
#[cfg(test)]
pub(crate) fn each_way<K: WideKernel>(kernel: impl Fn() -> K, mut found: impl FnMut(K::Output)) {
    found(kernel().run::<Twin<f64x4>>());
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") {
            // SAFETY: AVX2 was detected.
            found(unsafe { avx::wide_on_avx2(kernel()) });
        }
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: AVX-512 was detected.
            found(unsafe { avx512::on_avx512(kernel()) });
        }
    }
}

/// Prefetches a value. Non-blocking, and no result depends on it.
#[inline(always)]
pub(crate) fn prefetch<T>(soon: &T) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..size_of::<T>()).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has SSE, and the address is within the value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast::<i8>().add(line)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::{
        __m256d, _CMP_GT_OQ, _mm256_add_pd, _mm256_blendv_pd, _mm256_cmp_pd, _mm256_div_pd, _mm256_loadu_pd,
        _mm256_movemask_pd, _mm256_mul_pd, _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_sqrt_pd,
        _mm256_storeu_pd, _mm256_sub_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd, _mm256_xor_pd,
    };
    use std::ops::{Add, Div, Mul, Neg, Sub};

    use super::super::lanes::{Arithmetic, Four, LANES, Lanes};
    use super::super::wide_lanes::Twin;
    use super::{Kernel, WideKernel};

    #[target_feature(enable = "avx2")]
    pub(super) fn on_avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx>()
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn wide_on_avx2<K: WideKernel>(kernel: K) -> K::Output {
        kernel.run::<Twin<Avx>>()
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

    impl Arithmetic for Avx {
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

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512d, _CMP_GT_OQ, _mm256_loadu_pd, _mm256_storeu_pd, _mm512_add_pd, _mm512_castpd_si512,
        _mm512_castpd256_pd512, _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_div_pd,
        _mm512_extractf64x4_pd, _mm512_insertf64x4, _mm512_loadu_pd, _mm512_mask_blend_pd, _mm512_mul_pd,
        _mm512_permutex2var_pd, _mm512_set1_pd, _mm512_setr_epi64, _mm512_sqrt_pd, _mm512_storeu_pd,
        _mm512_sub_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd, _mm512_xor_si512,
    };
    use std::ops::{Add, Div, Mul, Neg, Sub};

    use super::super::lanes::{Arithmetic, Four, LANES, Lanes};
    use super::super::wide_lanes::{Eight, WIDE, WideLanes};
    use super::WideKernel;

    #[target_feature(enable = "avx512f")]
    pub(super) fn on_avx512<K: WideKernel>(kernel: K) -> K::Output {
        kernel.run::<Avx512>()
    }

    /// Eight numbers in one register.
    #[derive(Clone, Copy)]
    struct Avx512(__m512d);

    macro_rules! lane_by_lane {
        ($($operation:ident $name:ident $intrinsic:ident),*) => {$(
            impl $operation for Avx512 {
                type Output = Self;

                #[inline(always)]
                fn $name(self, other: Self) -> Self {
                    // SAFETY: AVX-512 is there where there is an `Avx512`.
                    Self(unsafe { $intrinsic(self.0, other.0) })
                }
            }
        )*};
    }
    lane_by_lane!(Add add _mm512_add_pd, Sub sub _mm512_sub_pd, Mul mul _mm512_mul_pd, Div div _mm512_div_pd);

    impl Neg for Avx512 {
        type Output = Self;

        #[inline(always)]
        fn neg(self) -> Self {
            // SAFETY: as above.
            unsafe {
                let sign = _mm512_castpd_si512(_mm512_set1_pd(-0.0));
                Self(_mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(self.0), sign)))
            }
        }
    }

    impl Arithmetic for Avx512 {
        #[inline(always)]
        fn splat(number: f64) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_set1_pd(number) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: as above.
            Self(unsafe { _mm512_sqrt_pd(self.0) })
        }

        #[inline(always)]
        fn where_greater(self, other: Self, yes: Self, no: Self) -> Self {
            // SAFETY: as above.
            Self(unsafe {
                _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, other.0), no.0, yes.0)
            })
        }

        #[inline(always)]
        fn any_greater(self, other: Self) -> bool {
            // SAFETY: as above.
            unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, other.0) != 0 }
        }
    }

    impl Lanes<WIDE> for Avx512 {
        #[inline(always)]
        fn load(numbers: &Eight) -> Self {
            // SAFETY: as above; eight numbers are read where eight numbers are.
            Self(unsafe { _mm512_loadu_pd(numbers.as_ptr()) })
        }

        #[inline(always)]
        fn store(self) -> Eight {
            let mut numbers = [0.0; WIDE];
            // SAFETY: as above; eight numbers are written where there is room for eight.
            unsafe { _mm512_storeu_pd(numbers.as_mut_ptr(), self.0) };
            numbers
        }
    }

    /// Both halves of a register transposed: of rows p, q, r, s of four, twice, their columns.
    #[inline(always)]
    fn transposed([p, q, r, s]: [__m512d; LANES]) -> [__m512d; LANES] {
        // SAFETY: as above.
        unsafe {
            let (pq_even, pq_odd) = (_mm512_unpacklo_pd(p, q), _mm512_unpackhi_pd(p, q));
            let (rs_even, rs_odd) = (_mm512_unpacklo_pd(r, s), _mm512_unpackhi_pd(r, s));
            let (low, high) =
                (_mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15));
            [
                _mm512_permutex2var_pd(pq_even, low, rs_even),
                _mm512_permutex2var_pd(pq_odd, low, rs_odd),
                _mm512_permutex2var_pd(pq_even, high, rs_even),
                _mm512_permutex2var_pd(pq_odd, high, rs_odd),
            ]
        }
    }

    /// Two rows of four in one register.
    #[inline(always)]
    fn both(low: &Four, high: &Four) -> __m512d {
        // SAFETY: as above; four numbers are read where four numbers are.
        unsafe {
            let low = _mm512_castpd256_pd512(_mm256_loadu_pd(low.as_ptr()));
            _mm512_insertf64x4::<1>(low, _mm256_loadu_pd(high.as_ptr()))
        }
    }

    /// The two rows of four in one register.
    #[inline(always)]
    fn halves(both: __m512d) -> [Four; 2] {
        let mut halves = [[0.0; LANES]; 2];
        // SAFETY: as above; four numbers are written where there is room for four.
        unsafe {
            _mm256_storeu_pd(halves[0].as_mut_ptr(), _mm512_extractf64x4_pd::<0>(both));
            _mm256_storeu_pd(halves[1].as_mut_ptr(), _mm512_extractf64x4_pd::<1>(both));
        }
        halves
    }

    impl WideLanes for Avx512 {
        #[inline(always)]
        fn columns([a, b, c, d, e, f, g, h]: [&Four; WIDE]) -> [Self; LANES] {
            let [x, y, z, w] = transposed([both(a, e), both(b, f), both(c, g), both(d, h)]);
            [Self(x), Self(y), Self(z), Self(w)]
        }

        #[inline(always)]
        fn rows([x, y, z, w]: [Self; LANES]) -> [Four; WIDE] {
            let [p, q, r, s] = transposed([x.0, y.0, z.0, w.0]);
            let ([a, e], [b, f], [c, g], [d, h]) = (halves(p), halves(q), halves(r), halves(s));
            [a, b, c, d, e, f, g, h]
        }
    }
}
