//! Numbers in ascending order: keys that sort as floats do, a radix sort that can be stopped, and cuts between neighbours.

use crate::error::Result;
use crate::run::RunCtl;

/// A whole number that orders as the value does: both zeros are one value, and NaN comes last.
#[inline]
pub fn float_key(value: f64) -> u64 {
    if value.is_nan() {
        return u64::MAX;
    }
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The value of a [`float_key`] other than that of NaN.
#[inline]
pub fn key_float(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

/// Half way between two neighbouring values, and the lower one where that rounds up to the upper.
pub fn midpoint(lower: f64, upper: f64) -> f64 {
    let middle = lower + (upper - lower) / 2.0;
    if middle >= upper { lower } else { middle }
}

/// The entries in ascending order of their keys; entries of equal keys stay in the given order.
///
/// # Errors
/// [`crate::Error::Cancelled`].
pub fn sorted_by_key(entries: &[u32], key: impl Fn(u32) -> u64, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
    // A comparison sort wins while the histograms of the radix passes outweigh the entries.
    if entries.len() < 512 {
        let mut order = entries.to_vec();
        order.sort_by_key(|&entry| key(entry));
        return Ok(order);
    }
    let mut pairs: Vec<(u32, u32)> =
        entries.iter().map(|&entry| ((key(entry) >> 32) as u32, entry)).collect();
    radix_sort(&mut pairs, ctl)?;
    sort_runs_of_equal_prefix(&mut pairs, key);
    // Not `into_iter().collect()`: that would keep the pairs' memory, twice what the entries need.
    let mut order = Vec::with_capacity(pairs.len());
    order.extend(pairs.iter().map(|&(_, entry)| entry));
    Ok(order)
}

/// Stable least-significant-digit radix sort by the first numbers, 11 bits a pass; a digit that all keys share costs no
/// pass.
///
/// # Errors
/// [`crate::Error::Cancelled`].
pub fn radix_sort(pairs: &mut Vec<(u32, u32)>, ctl: RunCtl<'_>) -> Result<()> {
    /// Entries moved between two looks at the stop flag: some milliseconds.
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

/// The radix passes saw the upper half of the keys; runs that agree there are sorted by the whole.
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
    fn training_rows_fall_on_the_side_they_were_counted_on() {
        let pairs = [(1.0, 1.0_f64.next_up()), (f64::MIN, f64::MAX), (-1.0, 2.0), (0.0, 5e-324)];
        for (lower, upper) in pairs {
            let t = midpoint(lower, upper);
            assert!(lower <= t && t < upper);
        }
    }

    #[test]
    fn radix_and_comparison_agree_on_every_kind_of_value() {
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
        assert_eq!(sorted_by_key(&entries, key, RunCtl::silent()).unwrap(), expected);
    }

    #[test]
    fn keys_lead_back_to_their_values() {
        for value in [0.0, -1.5, 5e-324, -5e-324, f64::MAX, f64::MIN, f64::INFINITY] {
            assert_eq!(key_float(float_key(value)), value);
        }
        assert_eq!(float_key(-0.0), float_key(0.0));
    }
}
