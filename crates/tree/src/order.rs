//! Sorting rows by a column: ascending values, equal values by row, missing values last.

use crate::training::{Entry, TrainColumn, row_of};
use imbcore_base::{Result, RunCtl};

/// The entries sorted by `column`. `entries` must be ascending by row.
///
/// # Errors
/// [`imbcore_base::Error::Cancelled`].
pub(crate) fn sorted(entries: &[Entry], column: &TrainColumn<'_>, ctl: RunCtl<'_>) -> Result<Vec<Entry>> {
    // A comparison sort wins while the histograms of the radix passes outweigh the entries.
    if entries.len() < 512 {
        let mut order = entries.to_vec();
        order.sort_by_key(|&entry| key(column, row_of(entry)));
        return Ok(order);
    }
    let mut pairs: Vec<(u32, Entry)> =
        entries.iter().map(|&entry| ((key(column, row_of(entry)) >> 32) as u32, entry)).collect();
    radix_sort(&mut pairs, ctl)?;
    sort_runs_of_equal_prefix(&mut pairs, column);
    // Not `into_iter().collect()`: that would keep the pairs' memory, twice what the entries need.
    let mut order = Vec::with_capacity(pairs.len());
    order.extend(pairs.iter().map(|&(_, entry)| entry));
    Ok(order)
}

/// A number that orders as the value does; both zeros are one value.
#[inline]
fn key(column: &TrainColumn<'_>, row: usize) -> u64 {
    match column {
        TrainColumn::Numeric(values) => {
            let value = values[row];
            if value.is_nan() {
                return u64::MAX;
            }
            let bits = (value + 0.0).to_bits();
            if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
        }
        TrainColumn::Nominal { codes, .. } => u64::from(codes[row]) << 32,
    }
}

/// Stable least-significant-digit radix sort by the 32-bit keys, 11 bits a pass; a digit that all keys share costs no
/// pass.
pub(crate) fn radix_sort(pairs: &mut Vec<(u32, Entry)>, ctl: RunCtl<'_>) -> Result<()> {
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
fn sort_runs_of_equal_prefix(pairs: &mut [(u32, Entry)], column: &TrainColumn<'_>) {
    for run in pairs.chunk_by_mut(|a, b| a.0 == b.0) {
        let whole = |pair: &(u32, Entry)| key(column, row_of(pair.1));
        if run.len() > 1 && run.windows(2).any(|two| whole(&two[0]) > whole(&two[1])) {
            run.sort_by_key(whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    #[test]
    fn radix_and_comparison_agree_on_every_kind_of_value() {
        let special = [0.0, -0.0, f64::NAN, 1e-310, -1e-310, f64::MAX, f64::MIN, 1.0, 1.0 + 1e-15];
        let values: Vec<f64> = (0..4000_u32)
            .map(|i| {
                let pick = i.wrapping_mul(2_654_435_761) >> 7;
                if pick % 3 == 0 { special[pick as usize % 9] } else { f64::from(pick % 977) - 400.25 }
            })
            .collect();
        let column = TrainColumn::Numeric(Cow::Owned(values.clone()));
        let entries: Vec<Entry> = (0..4000).collect();
        let mut expected = entries.clone();
        expected.sort_by(|&a, &b| {
            let (x, y) = (values[a as usize], values[b as usize]);
            x.is_nan().cmp(&y.is_nan()).then(x.partial_cmp(&y).unwrap_or(std::cmp::Ordering::Equal))
        });
        assert_eq!(sorted(&entries, &column, RunCtl::silent()).unwrap(), expected);
    }

    #[test]
    fn missing_levels_come_last() {
        let codes = [2, u32::MAX, 0, 2];
        let column = TrainColumn::Nominal { codes: &codes, levels: 3 };
        assert_eq!(sorted(&[0, 1, 2, 3], &column, RunCtl::silent()).unwrap(), [2, 0, 3, 1]);
    }
}
