//! Cut points of equal frequency.
//!
//! A radix selection replaces a sort of all rows. A key is an integer that sorts like the value of the row.
//! The first pass sums the weights by the top bits of the keys. Only rows in buckets that contain a cut point
//! are visited again, with the next bits, until a bucket has few enough rows to sort. The cost is little more
//! than two passes over the rows.

use super::value_profile::STRETCH;
use imbcore_core::{Result, RunContext, float_from_key};

const BITS: u32 = 16;

/// Cut points `c_b`, `b = 1 .. n_bins - 1`, of bins of equal weight.
///
/// `c_b` is the smallest value for which the rows up to this value have at least the fraction `b / n_bins` of
/// the total weight. If `m` rows have weight 1, it is the value at position `ceil(b m / n_bins)` in ascending
/// order, counted from 1. Equal cut points count once, and a cut point at the maximum is left out. Each row
/// is given as the key of its value and a positive weight.
pub(super) fn equal_weight_cut_points(
    rows: Vec<(u64, f64)>,
    n_bins: u32,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let Some(highest) = rows.iter().map(|&(key, _)| key).max() else { return Ok(Vec::new()) };
    let total: f64 = rows.iter().map(|&(_, mass)| mass).sum();
    let mut search = RadixSelection { shares: Vec::new(), scale: f64::from(n_bins), found: Vec::new(), ctl };
    search.shares.extend((1..n_bins).map(|bin| f64::from(bin) * total));
    let wanted = 0..search.shares.len();
    search.select_by_next_bits(rows, 0.0, wanted, 64)?;
    let mut keys = search.found;
    keys.dedup();
    Ok(keys.into_iter().filter(|&key| key != highest).map(float_from_key).collect())
}

struct RadixSelection<'a> {
    /// Total weight up to each cut point, multiplied by the number of bins; ascending.
    ///
    /// The products are stored because dividing by the number of bins would round.
    shares: Vec<f64>,
    scale: f64,
    found: Vec<u64>,
    ctl: RunContext<'a>,
}

impl RadixSelection<'_> {
    /// Finds the cut points with the indices `wanted` among rows with equal high key bits.
    ///
    /// The keys of the rows differ only in the lowest `bits` bits. `before` is the total weight of all rows
    /// with lower keys.
    fn select_by_next_bits(
        &mut self,
        rows: Vec<(u64, f64)>,
        mut before: f64,
        mut wanted: std::ops::Range<usize>,
        bits: u32,
    ) -> Result<()> {
        self.ctl.check()?;
        if rows.len() <= 2048 || bits == 0 {
            self.select_by_sorting(rows, before, wanted);
            return Ok(());
        }
        let digit = |key: u64| (key >> (bits - BITS)) as usize & ((1 << BITS) - 1);
        let mut masses = vec![0.0; 1 << BITS];
        for stretch in rows.chunks(STRETCH) {
            self.ctl.check()?;
            for &(key, mass) in stretch {
                masses[digit(key)] += mass;
            }
        }
        // Only rows in a bucket that contains a cut point are copied for the next pass, into one list per
        // bucket.
        let last = rows.iter().map(|&(key, _)| digit(key)).max().unwrap_or(0);
        let mut lists = Vec::new();
        let mut list_of = vec![u32::MAX; 1 << BITS];
        for (bucket, mass) in masses.into_iter().enumerate() {
            let reached = before + mass;
            let mut here = wanted.start..wanted.start;
            while here.end < wanted.end
                && mass > 0.0
                && (reached * self.scale >= self.shares[here.end] || bucket == last)
            {
                here.end += 1;
            }
            wanted.start = here.end;
            if !here.is_empty() {
                list_of[bucket] = lists.len() as u32;
                lists.push((Vec::new(), before, here));
            }
            before = reached;
        }
        for stretch in rows.chunks(STRETCH) {
            self.ctl.check()?;
            for &row in stretch {
                if let Some((list, ..)) = lists.get_mut(list_of[digit(row.0)] as usize) {
                    list.push(row);
                }
            }
        }
        drop(rows);
        for (list, before, here) in lists {
            self.select_by_next_bits(list, before, here, bits - BITS)?;
        }
        Ok(())
    }

    fn select_by_sorting(
        &mut self,
        mut rows: Vec<(u64, f64)>,
        mut before: f64,
        mut wanted: std::ops::Range<usize>,
    ) {
        rows.sort_unstable_by_key(|&(key, _)| key);
        for &(key, mass) in &rows {
            before += mass;
            while !wanted.is_empty() && before * self.scale >= self.shares[wanted.start] {
                self.found.push(key);
                wanted.start += 1;
            }
        }
        // The total weight was summed in another order. Because of rounding, no row may reach the last cut
        // point, which then gets the highest key.
        let highest = rows.last().map_or(0, |&(key, _)| key);
        self.found.extend(wanted.map(|_| highest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::float_key;

    fn found(values: &[f64], n_bins: u32) -> Vec<f64> {
        equal_weight_cut_points(
            values.iter().map(|&v| (float_key(v), 1.0)).collect(),
            n_bins,
            RunContext::silent(),
        )
        .unwrap()
    }

    #[test]
    fn cuts_are_the_top_values_of_buckets() {
        assert_eq!(found(&[5.0, 1.0, 4.0, 2.0, 3.0, 6.0, 7.0], 3), [3.0, 5.0]);
        assert_eq!(found(&[1.0, 1.0, 1.0, 2.0], 4), [1.0]);
        assert_eq!(found(&[2.0; 9], 3), Vec::<f64>::new());
        assert_eq!(found(&[], 3), Vec::<f64>::new());
        assert_eq!(found(&[-1.0, -0.0, 0.0, 8.0], 2), [0.0]);
    }

    #[test]
    fn large_columns_are_cut_where_sorting_cuts_them() {
        for spread in [1.0, 1e-9, 1e300] {
            let values: Vec<f64> = (0..30_000_u32)
                .map(|i| 3.0 + spread * (f64::from(i.wrapping_mul(2_654_435_761) >> 12) - 5e5))
                .collect();
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            for n_bins in [2_usize, 5, 7, 1000] {
                let mut expected: Vec<f64> =
                    (1..n_bins).map(|b| sorted[(b * 30_000).div_ceil(n_bins) - 1]).collect();
                expected.dedup();
                expected.retain(|&cut| cut != sorted[29_999]);
                assert_eq!(found(&values, n_bins as u32), expected);
            }
        }
    }

    #[test]
    fn a_weight_is_a_number_of_rows() {
        let twice = [1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0];
        let weighed = [(4.0, 1.0), (1.0, 2.0), (3.0, 3.0), (2.0, 1.0)];
        for n_bins in 2..8 {
            let rows = weighed.iter().map(|&(value, mass)| (float_key(value), mass)).collect();
            assert_eq!(
                equal_weight_cut_points(rows, n_bins, RunContext::silent()).unwrap(),
                found(&twice, n_bins)
            );
        }
    }
}
