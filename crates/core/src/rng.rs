//! Random streams addressed by (seed, path), independent of execution order and threads.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Address of one random task: the user's seed plus a path such as "tree 7 / bootstrap".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedKey {
    seed: u64,
    path: u64,
}

impl SeedKey {
    /// Address of the root task, from which all random streams of a seed derive.
    pub const fn root(seed: u64) -> Self {
        Self { seed, path: 0 }
    }

    /// Address of the subtask with number `index` and tag `tag` of this task.
    #[must_use]
    pub const fn child(self, tag: u32, index: u32) -> Self {
        let word = ((tag as u64) << 32) | index as u64;
        Self { seed: self.seed, path: mix(self.path ^ mix(word.wrapping_add(1))) }
    }

    /// One random 64-bit number for the task; it costs less than a random stream.
    pub const fn random_u64(self) -> u64 {
        mix(self.path ^ mix(self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15)))
    }

    /// Random stream at this address.
    pub fn rng(self) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(self.path);
        rng
    }
}

/// Finalizer of `SplitMix64` (Steele, Lea and Flood 2014).
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Uniform integer in `0..bound` (Lemire 2019).
///
/// The result is the high word of the product of a random word and `bound`. A product whose low word would
/// bias the result is rejected, and another random word is drawn.
///
/// Returns 0 if `bound` is 0.
#[inline]
pub fn random_below(rng: &mut ChaCha8Rng, bound: u32) -> u32 {
    let reject_under = if bound == 0 { 0 } else { bound.wrapping_neg() % bound };
    loop {
        let product = u64::from(rng.next_u32()) * u64::from(bound);
        if product as u32 >= reject_under {
            return (product >> 32) as u32;
        }
    }
}

/// Uniform number in [0, 1), a multiple of 2^-53.
#[inline]
pub fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Shuffles `items` uniformly at random (Fisher and Yates).
pub fn shuffle<T>(rng: &mut ChaCha8Rng, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, random_below(rng, last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_draws_are_frozen() {
        let mut rng = SeedKey::root(7).child(1, 0).rng();
        let draws: Vec<u32> = (0..4).map(|_| random_below(&mut rng, 1000)).collect();
        assert_eq!(draws, [338, 38, 375, 703]);
    }

    #[test]
    fn paths_give_different_streams_and_the_same_path_the_same() {
        let draw = |key: SeedKey| key.rng().next_u64();
        let root = SeedKey::root(3);
        assert_eq!(draw(root.child(1, 2)), draw(root.child(1, 2)));
        let others = [root, root.child(1, 3), root.child(2, 2), root.child(1, 2).child(1, 2)];
        assert!(others.iter().all(|&key| draw(key) != draw(root.child(1, 2))));
    }

    #[test]
    fn words_are_uniform_for_every_seed() {
        for seed in [0, 1, u64::MAX] {
            let root = SeedKey::root(seed);
            let mut of_bit = [0_u32; 64];
            for index in 0..10_000 {
                let word = root.child(1, index).random_u64();
                of_bit.iter_mut().zip(0..).for_each(|(count, bit)| *count += (word >> bit & 1) as u32);
            }
            // The tolerance is five standard deviations of 10,000 tosses of a fair coin.
            assert!(of_bit.iter().all(|&count| (f64::from(count) - 5_000.0).abs() < 250.0), "{of_bit:?}");
        }
        assert_ne!(SeedKey::root(3).child(1, 2).random_u64(), SeedKey::root(4).child(1, 2).random_u64());
    }

    #[test]
    fn a_shuffle_is_a_permutation() {
        let mut rng = SeedKey::root(0).rng();
        let mut items: Vec<u32> = (0..50).collect();
        shuffle(&mut rng, &mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = SeedKey::root(11).rng();
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[random_below(&mut rng, 6) as usize] += 1;
        }
        // The tolerance is five standard deviations of a binomial count with n = 60,000 and p = 1/6.
        assert!(counts.iter().all(|&count| (f64::from(count) - 10_000.0).abs() < 5.0 * 91.3));
        assert_eq!(random_below(&mut rng, 0), 0);
    }
}
