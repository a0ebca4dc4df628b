//! Sorting of numbers.
//! Integer keys in the order of floats, a cancellable radix sort, and midpoints between neighbors.

use crate::error::Result;
use crate::run_context::RunContext;

/// Integer key that has the order of the numbers: both zeros are equal, and NaN comes last.
#[inline]
pub fn float_key(value: f64) -> u64 {
    if value.is_nan() {
        return u64::MAX;
    }
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Inverse of [`float_key`]; both zeros become 0.0.
#[inline]
pub fn float_from_key(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// Midpoint of two neighboring values; the lower value if rounding would give the upper one.
pub fn midpoint(lower: f64, upper: f64) -> f64 {
    let middle = lower + (upper - lower) / 2.0;
    if middle >= upper { lower } else { middle }
}

/// Sorts entries by key in ascending order; the sort is stable.
///
/// # Errors
/// [`crate::Error::Cancelled`].
pub fn sorted_by_key(entries: &[u32], key: impl Fn(u32) -> u64, ctl: RunContext<'_>) -> Result<Vec<u32>> {
    // For few entries a comparison sort is faster, because the histograms of the radix passes cost more than
    // moving the entries.
    if entries.len() < 512 {
        let mut order = entries.to_vec();
        order.sort_by_key(|&entry| key(entry));
        return Ok(order);
    }
    let mut pairs: Vec<(u32, u32)> =
        entries.iter().map(|&entry| ((key(entry) >> 32) as u32, entry)).collect();
    radix_sort(&mut pairs, ctl)?;
    sort_runs_of_equal_prefix(&mut pairs, key);
    // `into_iter().collect()` would keep the memory of the pairs, which is twice as much as needed.
    let mut order = Vec::with_capacity(pairs.len());
    order.extend(pairs.iter().map(|&(_, entry)| entry));
    Ok(order)
}

/// Stable least-significant-digit radix sort of pairs by their first number.
/// A pass sorts by 11 bits, and is skipped if these bits are equal in all keys.
///
/// # Errors
/// [`crate::Error::Cancelled`].
pub fn radix_sort(pairs: &mut Vec<(u32, u32)>, ctl: RunContext<'_>) -> Result<()> {
    /// Number of entries that are moved between two checks for cancellation: a few milliseconds.
    const STRETCH: usize = 1 << 20;
    const BITS: u32 = 11;
    const BUCKETS: usize = 1 << BITS;
    let mut spare = vec![(0, 0); pairs.len()];
    for shift in [0, BITS, 2 * BITS] {
        let digit = |key: u32| (key >> shift) as usize & (BUCKETS - 1);
        let mut starts = [0_u32; BUCKETS];
        for &(key, _) in pairs.iter() {
            starts[digit(key)] += 1;
        }
        if pairs.first().is_some_and(|&(key, _)| starts[digit(key)] as usize == pairs.len()) {
            continue;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        for stretch in pairs.chunks(STRETCH) {
            ctl.check()?;
            for &pair in stretch {
                let place = &mut starts[digit(pair.0)];
                spare[*place as usize] = pair;
                *place += 1;
            }
        }
        std::mem::swap(pairs, &mut spare);
    }
    Ok(())
}

/// Sorts pairs by the whole key, after a radix sort by only the upper half of the key.
///
/// Only pairs whose upper halves are equal must be reordered.
fn sort_runs_of_equal_prefix(pairs: &mut [(u32, u32)], key: impl Fn(u32) -> u64) {
    for run in pairs.chunk_by_mut(|a, b| a.0 == b.0) {
        let whole = |pair: &(u32, u32)| key(pair.1);
        if run.len() > 1 && run.windows(2).any(|two| whole(&two[0]) > whole(&two[1])) {
            run.sort_by_key(whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn midpoints_separate_the_two_values() {
        let pairs = [(1.0, 1.0_f64.next_up()), (f64::MIN, f64::MAX), (-1.0, 2.0), (0.0, 5e-324)];
        for (lower, upper) in pairs {
            let t = midpoint(lower, upper);
            assert!(lower <= t && t < upper);
        }
    }

    #[test]
    fn radix_and_comparison_sort_agree_on_special_values() {
        let special = [0.0, -0.0, f64::NAN, 1e-310, -1e-310, f64::MAX, f64::MIN, 1.0, 1.0 + 1e-15];
        let values: Vec<f64> = (0..4000_u32)
            .map(|i| {
                let pick = i.wrapping_mul(2_654_435_761) >> 7;
                if pick % 3 == 0 { special[pick as usize % 9] } else { f64::from(pick % 977) - 400.25 }
            })
            .collect();
        let entries: Vec<u32> = (0..4000).collect();
        let mut expected = entries.clone();
        expected.sort_by(|&a, &b| {
            let (x, y) = (values[a as usize], values[b as usize]);
            x.is_nan().cmp(&y.is_nan()).then(x.partial_cmp(&y).unwrap_or(std::cmp::Ordering::Equal))
        });
        let key = |entry: u32| float_key(values[entry as usize]);
        assert_eq!(sorted_by_key(&entries, key, RunContext::silent()).unwrap(), expected);
    }

    #[test]
    fn keys_convert_back_to_their_values() {
        for value in [0.0, -1.5, 5e-324, -5e-324, f64::MAX, f64::MIN, f64::INFINITY] {
            assert_eq!(float_from_key(float_key(value)), value);
        }
        assert_eq!(float_key(-0.0), float_key(0.0));
    }
}
