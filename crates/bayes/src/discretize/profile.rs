//! The distinct values of a column with the classes below each.

use imbcore_base::{Result, RunCtl, midpoint};

/// Items between two looks at the stop flag.
pub(super) const STRETCH: usize = 1 << 16;

/// Distinct values, ascending, and class masses below each of them.
pub(super) struct Profile {
    values: Vec<f64>,
    /// Row-major, one row of classes for each value and one for the end.
    below: Vec<f64>,
    n_classes: usize,
    /// Positions of values whose rows are not of the one class that the rows of the value before are of: a cut below any other
    /// value parts rows of one class, and no criterion is best there (Fayyad and Irani 1993, for entropy; the terms of CAIM
    /// and chi-squared are convex along such rows).
    pub(super) borders: Vec<u32>,
}

impl Profile {
    /// Collects sorted rows given as value, class and mass; of `n_classes` classes those without mass are left out.
    pub(super) fn new(
        sorted: impl ExactSizeIterator<Item = (f64, u32, f64)>,
        n_classes: usize,
        ctl: RunCtl<'_>,
    ) -> Result<Self> {
        let mut values = Vec::new();
        let mut rows: Vec<(u32, u32, f64)> = Vec::with_capacity(sorted.len());
        let mut present = vec![false; n_classes];
        for (at, (value, class, mass)) in sorted.enumerate() {
            if at % STRETCH == 0 {
                ctl.check()?;
            }
            if values.last() != Some(&value) {
                values.push(value);
            }
            rows.push((values.len() as u32 - 1, class, mass));
            present[class as usize] = true;
        }
        let numbers: Vec<u32> = present
            .iter()
            .scan(0, |next, &here| {
                *next += u32::from(here);
                Some(*next - u32::from(here))
            })
            .collect();
        let n_classes = present.iter().filter(|&&here| here).count();
        let mut below = vec![0.0; (values.len() + 1) * n_classes];
        for (value, class, mass) in rows {
            below[(value as usize + 1) * n_classes + numbers[class as usize] as usize] += mass;
        }
        let borders = borders(&below, n_classes);
        for at in n_classes..below.len() {
            below[at] += below[at - n_classes];
        }
        Ok(Self { values, below, n_classes, borders })
    }

    /// Number of distinct values.
    pub(super) fn n_values(&self) -> usize {
        self.values.len()
    }

    /// Number of classes that occur.
    pub(super) fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Class masses below the value at a position.
    #[inline]
    pub(super) fn below(&self, position: usize) -> &[f64] {
        &self.below[position * self.n_classes..][..self.n_classes]
    }

    /// Class masses of all rows.
    pub(super) fn totals(&self) -> &[f64] {
        self.below(self.values.len())
    }

    /// The borders strictly between two positions.
    pub(super) fn borders_within(&self, start: usize, end: usize) -> &[u32] {
        let first = self.borders.partition_point(|&at| at as usize <= start);
        let last = self.borders.partition_point(|&at| (at as usize) < end);
        &self.borders[first..last.max(first)]
    }

    /// The cut between the value at a position and the one before.
    pub(super) fn cut(&self, position: usize) -> f64 {
        midpoint(self.values[position - 1], self.values[position])
    }
}

/// Positions where one class does not reach across, from masses by value.
fn borders(masses: &[f64], n_classes: usize) -> Vec<u32> {
    /// Stands for several classes.
    const MIXED: usize = usize::MAX;
    if n_classes == 0 {
        return Vec::new();
    }
    let only = |row: &[f64]| match row.iter().filter(|&&mass| mass > 0.0).count() {
        1 => row.iter().position(|&mass| mass > 0.0).unwrap_or(MIXED),
        _ => MIXED,
    };
    let mut before = MIXED;
    let mut borders = Vec::new();
    for (at, row) in masses[n_classes..].chunks_exact(n_classes).enumerate() {
        let here = only(row);
        if at > 0 && (here == MIXED || here != before) {
            borders.push(at as u32);
        }
        before = here;
    }
    borders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_part_classes() {
        let rows = [(1.0, 0), (2.0, 0), (3.0, 2), (3.0, 0), (4.0, 0), (5.0, 2), (6.0, 2)];
        let sorted: Vec<_> = rows.iter().map(|&(value, class)| (value, class, 1.0)).collect();
        let profile = Profile::new(sorted.into_iter(), 3, RunCtl::silent()).unwrap();
        assert_eq!(profile.borders, [2, 3, 4]);
        assert_eq!((profile.n_values(), profile.n_classes(), profile.totals()), (6, 2, &[4.0, 3.0][..]));
        assert_eq!(profile.below(3), [3.0, 1.0]);
        assert_eq!(profile.borders_within(2, 4), [3]);
        assert_eq!(profile.cut(1), 1.5);
    }
}
