//! The random numbers of a sweep: run i depends on (seed, i) alone.
//!
//! Numbers come from Philox4x32-10, a counter-based generator (J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel
//! random numbers: as easy as 1, 2, 3", SC 2011): a block of 128 bits is a function of a counter (the run, the variable) and a key
//! (the seed), so threads, shards and resumed sweeps draw the same values.

/// Multipliers and Weyl constants of Philox4x32.
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

/// The variable number that permutations of Latin hypercubes draw from, beyond any that is varied.
const PERMUTATION: u32 = 1 << 31;

fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let product = |i: usize| u64::from(MULTIPLIERS[i]) * u64::from(counter[2 * i]);
        let (first, second) = (product(0), product(1));
        counter = [
            (second >> 32) as u32 ^ counter[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ counter[3] ^ key[1],
            first as u32,
        ];
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    counter
}

/// A number in (0, 1), with 53 bits, of variable number `variable` in run `run`.
pub(super) fn uniform(seed: u64, run: u64, variable: u32) -> f64 {
    let counter = [run as u32, (run >> 32) as u32, variable, 0];
    let [a, b, ..] = philox(counter, [seed as u32, (seed >> 32) as u32]);
    let bits = (u64::from(a) << 32 | u64::from(b)) >> 11;
    (bits as f64 + 0.5) / (1_u64 << 53) as f64
}

/// A permutation of 0 to n - 1 for a variable (Fisher-Yates).
pub(super) fn permutation(seed: u64, variable: u32, n: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    for last in (1..n).rev() {
        let share = uniform(seed, last as u64, variable | PERMUTATION);
        let other = (share * (last + 1) as f64) as usize;
        order.swap(last, other.min(last));
    }
    order
}

/// The x with Φ(x) = p of the standard normal distribution, by bisection to the last bit: as good as `erfc` is, and the same bits
/// on every target.
pub(super) fn normal_quantile(p: f64) -> f64 {
    let below = |x: f64| 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2) < p;
    let (mut low, mut high) = (-40.0, 40.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn philox_gives_its_published_vectors() {
        // From the known-answer tests of the authors' library (kat_vectors, philox4x32 10).
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            philox([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
    }

    #[test]
    fn uniform_numbers_have_the_moments_of_their_distribution() {
        let numbers: Vec<f64> = (0..100_000).map(|run| uniform(7, run, 3)).collect();
        let mean = numbers.iter().sum::<f64>() / 1e5;
        let variance = numbers.iter().map(|u| (u - mean).powi(2)).sum::<f64>() / 1e5;
        // Five standard errors.
        assert!((mean - 0.5).abs() < 5.0 * (1.0_f64 / 12e5).sqrt(), "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 5.0 * (1.0_f64 / 180e5).sqrt(), "{variance}");
        assert!(numbers.iter().all(|u| (0.0..1.0).contains(u)));
        assert_ne!(uniform(7, 1, 3), uniform(8, 1, 3));
        assert_ne!(uniform(7, 1, 3), uniform(7, 1, 4));
    }

    #[test]
    fn normal_quantiles_are_those_of_tables() {
        for (p, x) in [(0.5, 0.0), (0.975, 1.959_963_984_540_054), (1e-9, -5.997_807_015_007_687)] {
            assert!((normal_quantile(p) - x).abs() < 1e-12 * (1.0 + x.abs()), "{p}: {}", normal_quantile(p));
        }
    }

    #[test]
    fn a_permutation_has_every_number_once() {
        let mut order = permutation(1, 2, 1000);
        assert_ne!(order, permutation(2, 2, 1000));
        order.sort_unstable();
        assert_eq!(order, (0..1000).collect::<Vec<u32>>());
    }
}
