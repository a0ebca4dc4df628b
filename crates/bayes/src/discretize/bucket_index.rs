//! Index of sorted values, which narrows the range of a binary search.

/// Number of index cells for each sorted value, and the maximum number of index cells in all.
const CELLS: (usize, usize) = (2, 1 << 16);

/// Index that maps intervals of a scale to ranges of sorted values, for fast look-ups.
///
/// The scale is linear near the median and logarithmic far from it. It therefore separates values in long
/// tails as well as values in dense regions.
#[derive(Clone, Debug)]
pub(super) struct BucketIndex {
    middle: f64,
    per_unit: f64,
    ends: (u64, u64),
    shift: u32,
    /// For each interval of the scale, the number of values below it; the last entry counts all.
    below: Vec<u32>,
}

impl BucketIndex {
    pub(super) fn new(values: &[f64]) -> Self {
        let quarter = |quarters: usize| values.get(values.len() * quarters / 4).copied().unwrap_or(0.0);
        let unit = (quarter(3) - quarter(1)) / 2.0;
        // `unit` is half the interquartile range and may be 0 or infinite. Its reciprocal is clamped, because
        // infinity times 0 would be NaN.
        let per_unit = (1.0 / unit).clamp(f64::MIN_POSITIVE, f64::MAX);
        let fresh = Self { middle: quarter(2), per_unit, ends: (0, 0), shift: 0, below: Vec::new() };
        let (Some(&least), Some(&largest)) = (values.first(), values.last()) else {
            return Self { below: vec![0; 2], ..fresh };
        };
        let ends = (fresh.position_on_scale(least), fresh.position_on_scale(largest));
        let most = (CELLS.0 * values.len()).next_power_of_two().min(CELLS.1);
        let shift = (u64::BITS - (ends.1 - ends.0).leading_zeros()).saturating_sub(most.ilog2());
        let mut guide =
            Self { ends, shift, below: vec![0; ((ends.1 - ends.0) >> shift) as usize + 2], ..fresh };
        for &value in values {
            let cell = guide.bucket_of_value(value);
            guide.below[cell + 1] += 1;
        }
        for cell in 1..guide.below.len() {
            guide.below[cell] += guide.below[cell - 1];
        }
        guide
    }

    fn position_on_scale(&self, value: f64) -> u64 {
        const ONE: u64 = 1.0_f64.to_bits();
        const HALF: u64 = 1 << 63;
        let units = (value - self.middle) * self.per_unit;
        let far = (1.0 + units.abs()).to_bits() - ONE;
        if units < 0.0 { HALF - far } else { HALF + far }
    }

    fn bucket_of_value(&self, value: f64) -> usize {
        ((self.position_on_scale(value).clamp(self.ends.0, self.ends.1) - self.ends.0) >> self.shift) as usize
    }

    /// Number of `values` that are less than `value`, which is not NaN.
    ///
    /// `values` must be the values given to [`Self::new`].
    #[inline]
    pub(super) fn lower_bound(&self, values: &[f64], value: f64) -> usize {
        let cell = self.bucket_of_value(value);
        let (from, to) = (self.below[cell] as usize, self.below[cell + 1] as usize);
        from + values[from..to].partition_point(|&other| other < value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_where_halving_finds_it() {
        let noise = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24);
        let lists: [Vec<f64>; 9] = [
            vec![],
            vec![3.0],
            vec![f64::MIN, f64::MAX],
            vec![-1.0, -5e-324, 0.0, 5e-324, 1.0],
            (0..999).map(|i| noise(i) - 0.5).collect(),
            (0..999).map(|i| (noise(i) * 700.0).exp()).collect(),
            (0..999).map(|i| 1.7e9 + (noise(i) * 1e5).floor()).collect(),
            (0..999).map(|i| if i == 0 { 1e300 } else { noise(i) * 1e-300 }).collect(),
            (0..999).map(|i| f64::from(i % 7) * if i % 2 == 0 { 1e-9 } else { 1e9 }).collect(),
        ];
        for mut values in lists {
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
            let guide = BucketIndex::new(&values);
            let beside = values.iter().flat_map(|value| [value.next_down(), *value, value.next_up()]);
            for value in
                beside.chain((0..500).map(|i| noise(i) * 4.0 - 2.0)).filter(|value| value.is_finite())
            {
                let expected = values.partition_point(|&other| other < value);
                assert_eq!(guide.lower_bound(&values, value), expected, "{value} in {values:?}");
            }
        }
    }
}
