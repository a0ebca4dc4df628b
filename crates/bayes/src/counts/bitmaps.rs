//! Sets of rows as bitmaps.
//!
//! The rows with two given values in two columns are the intersection of two bitmaps.

use super::aligned_words::{AlignedWords, LINE};
use imbcore_core::{Result, RunContext};
use multiversion::multiversion;
use std::borrow::Cow;

/// Number of 64-bit words of one bitmap, padded with zeros to a whole number of cache lines.
fn words_per_state(n_rows: usize) -> usize {
    n_rows.div_ceil(64).next_multiple_of(LINE)
}

/// One bitmap for each state of each variable: bit `i` is set if row `i` has the state.
#[derive(Debug)]
pub(crate) struct Bitmaps {
    words: usize,
    starts: Vec<usize>,
    bits: AlignedWords,
}

impl Bitmaps {
    /// Builds the bitmaps; missing values in `codes` are coded as the number of states.
    pub(crate) fn new(
        codes: &[Cow<'_, [u16]>],
        levels: &[u32],
        n_rows: usize,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let words = words_per_state(n_rows);
        let mut starts = vec![0];
        for &levels in levels {
            starts.push(starts[starts.len() - 1] + levels as usize * words);
        }
        let mut bits = AlignedWords::zeros(starts[starts.len() - 1]);
        let most = levels.iter().copied().max().unwrap_or(0) as usize;
        // Bitmaps of one block of 64 rows: one word per state, and a last word for missing values. These few
        // words stay in the processor cache.
        let mut word = vec![0_u64; most + 1];
        for ((codes, &levels), &start) in codes.iter().zip(levels).zip(&starts) {
            ctl.check()?;
            let word = &mut word[..=levels as usize];
            for (at, codes) in codes.chunks(64).enumerate() {
                word.fill(0);
                for (bit, &code) in codes.iter().enumerate() {
                    word[usize::from(code)] |= 1 << bit;
                }
                for (state, &word) in word[..levels as usize].iter().enumerate() {
                    bits[start + state * words + at] = word;
                }
            }
        }
        Ok(Self { words, starts, bits })
    }

    pub(crate) fn byte_size(levels: &[u32], n_rows: usize) -> usize {
        let states: usize = levels.iter().map(|&levels| levels as usize).sum();
        states * words_per_state(n_rows) * 8
    }

    pub(crate) fn words_per_bitmap(&self) -> usize {
        self.words
    }

    pub(crate) fn state_bitmaps(&self, variable: u32) -> &[u64] {
        &self.bits[self.starts[variable as usize]..self.starts[variable as usize + 1]]
    }

    /// Concatenated bitmaps, one for each combination of states of several variables.
    ///
    /// The state of the first variable varies slowest.
    pub(crate) fn configuration_bitmaps(&self, variables: &[u32]) -> AlignedWords {
        let Some((&first, rest)) = variables.split_first() else { return AlignedWords::zeros(0) };
        let mut groups = AlignedWords::zeros(self.state_bitmaps(first).len());
        groups.copy_from_slice(self.state_bitmaps(first));
        for &variable in rest {
            let states = self.state_bitmaps(variable);
            let mut finer = AlignedWords::zeros(groups.len() / self.words * states.len());
            let mut parts = finer.chunks_exact_mut(self.words);
            for group in groups.chunks_exact(self.words) {
                // The zip reads `states` first. At the end of `states`, it must not take an item from
                // `parts`, because that item belongs to the next group.
                for (state, part) in states.chunks_exact(self.words).zip(parts.by_ref()) {
                    part.iter_mut().zip(group.iter().zip(state)).for_each(|(part, (a, b))| *part = a & b);
                }
            }
            groups = finer;
        }
        groups
    }
}

/// Maximum of `groups x (states - 1)` for which rows are counted by bitmaps.
///
/// Here `groups` is the number of groups of rows, and `states` the number of states that are counted in each
/// group. Above the maximum, visiting each row is faster. Both methods give the same counts.
pub(crate) fn max_cells_for_bit_counting() -> usize {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512vpopcntdq") {
        return 1024;
    }
    256
}

/// Distinct values below `end` in `numbers`, ascending, and each number's rank among them.
///
/// A number of at least `end` gets the rank after the last distinct value.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt", "x86_64+sse4.2+popcnt"))]
pub(crate) fn distinct_numbers_with_ranks(numbers: &[u64], end: u64) -> (Vec<u64>, Vec<u32>) {
    let mut occurs = vec![0_u64; end as usize / 64 + 1];
    for &number in numbers {
        if number < end {
            occurs[number as usize / 64] |= 1 << (number % 64);
        }
    }
    let mut keys = Vec::new();
    let mut before = Vec::with_capacity(occurs.len());
    for (at, &word) in (0_u64..).zip(&occurs) {
        before.push(keys.len() as u32);
        let mut word = word;
        while word != 0 {
            keys.push(64 * at + u64::from(word.trailing_zeros()));
            word &= word - 1;
        }
    }
    let mut ranks = Vec::with_capacity(numbers.len());
    for &number in numbers {
        let at = number as usize / 64;
        ranks.push(if number < end {
            before[at] + (occurs[at] & ((1 << (number % 64)) - 1)).count_ones()
        } else {
            keys.len() as u32
        });
    }
    (keys, ranks)
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt",
    "x86_64+sse4.2+popcnt"
))]
pub(crate) fn group_sizes(groups: &[u64], words: usize) -> Vec<u32> {
    let mut sizes = Vec::with_capacity(groups.len() / words);
    for group in groups.chunks_exact(words) {
        let mut size = 0_u64;
        for word in group {
            size += u64::from(word.count_ones());
        }
        sizes.push(size as u32);
    }
    sizes
}

/// For each group of rows and each state of a variable, counts the rows with this state.
///
/// The count is stored at `counts[group * states + state]`. If the variable has no missing value
/// (`complete`), the count of the last state is the size of the group minus the other counts.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt",
    "x86_64+sse4.2+popcnt"
))]
pub(crate) fn count_group_states(
    groups: &[u64],
    sizes: &[u32],
    words: usize,
    states: &[u64],
    complete: bool,
    counts: &mut [u32],
) {
    let n_states = states.len() / words;
    let counted = if complete { n_states - 1 } else { n_states };
    let states = &states[..counted * words];
    for ((group, &size), counts) in
        groups.chunks_exact(words).zip(sizes).zip(counts.chunks_exact_mut(n_states))
    {
        let mut rest = size;
        // Three states are counted at a time, so that each word of the group's bitmap is read once for all
        // three.
        for (states, counts) in states.chunks(3 * words).zip(counts.chunks_mut(3)) {
            // Plain loops are used, because closures might not be compiled for the selected instruction set.
            // The sums are 64 bits wide like the words, so that no count has to be converted in the loop.
            let (mut one, mut two, mut three) = (0_u64, 0_u64, 0_u64);
            let (first, others) = states.split_at(words);
            let (second, third) = others.split_at(words.min(others.len()));
            if rest == 0 {
                // All rows of the group have been counted, so the remaining counts are 0.
            } else if second.is_empty() {
                for (a, b) in group.iter().zip(first) {
                    one += u64::from((a & b).count_ones());
                }
            } else if third.is_empty() {
                for ((a, b), c) in group.iter().zip(first).zip(second) {
                    one += u64::from((a & b).count_ones());
                    two += u64::from((a & c).count_ones());
                }
            } else {
                for (((a, b), c), d) in group.iter().zip(first).zip(second).zip(third) {
                    one += u64::from((a & b).count_ones());
                    two += u64::from((a & c).count_ones());
                    three += u64::from((a & d).count_ones());
                }
            }
            rest -= (one + two + three) as u32;
            for (count, shared) in counts.iter_mut().zip([one, two, three]) {
                *count = shared as u32;
            }
        }
        if complete {
            counts[counted] = rest;
        }
    }
}
