//! Compact class counts for a column in which nearly all rows belong to one class.
//!
//! The class with nearly all rows is the common class; all other classes are rare. Every row of a rare class
//! is stored. Between two neighboring values of rare rows, the rows of the common class are only counted.
//! Minimal entropy has cut points only where the class changes (`CutCandidateRule::Borders`). So the number,
//! minimum and maximum of the common rows between rare values are sufficient. Memory is proportional to the
//! number of rare rows.

use super::bucket_index::BucketIndex;
use super::range::extend_range;
use super::value_profile::STRETCH;
use imbcore_core::{Result, RunContext, float_from_key, float_key, memory};

/// A class is common if all other classes have at most the fraction 1 / `SHARE` of the rows.
///
/// If the other classes have more rows, sorting all rows is as fast.
const SHARE: f64 = 8.0;
const VALUES: &str = "values of the rare classes";

/// Returns `None` if no class is common; `rows` has the number of rows of each class.
pub(super) fn dominant_class(rows: &[f64]) -> Option<u32> {
    let (class, most) = rows.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    (rows.iter().sum::<f64>() <= most * SHARE / (SHARE - 1.0)).then_some(class as u32)
}

#[derive(Clone, Copy, Debug)]
struct MajorityRowRun {
    rows: u32,
    least: f64,
    largest: f64,
}

#[derive(Clone, Debug)]
pub(super) struct CompactColumnCounts {
    common: u32,
    /// Rare-class rows as triples of value (as an integer key), class and number of rows.
    ///
    /// The triples are distinct and ascending.
    rare: Vec<(u64, u32, u32)>,
    /// Distinct values of the rare-class rows, ascending.
    ///
    /// `same` has the number of common-class rows with each of these values.
    values: Vec<f64>,
    same: Vec<u32>,
    /// For each of the `values`, the common-class rows between the previous value and this one.
    ///
    /// The last entry is for common-class rows above all `values`.
    between: Vec<MajorityRowRun>,
    guide: BucketIndex,
}

impl CompactColumnCounts {
    /// Creates the counts from the rare-class rows, in any order; ignores rows with NaN.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(super) fn new(common: u32, rare_rows: impl Iterator<Item = (f64, u32)>) -> Result<Self> {
        let mut rows = Vec::new();
        for (value, class) in rare_rows.filter(|(value, _)| !value.is_nan()) {
            memory::push(&mut rows, (float_key(value), class), VALUES)?;
        }
        rows.sort_unstable();
        let rare: Vec<_> =
            rows.chunk_by(|a, b| a == b).map(|run| (run[0].0, run[0].1, run.len() as u32)).collect();
        let values: Vec<f64> = rare.chunk_by(|a, b| a.0 == b.0).map(|run| float_from_key(run[0].0)).collect();
        let empty = MajorityRowRun { rows: 0, least: f64::INFINITY, largest: f64::NEG_INFINITY };
        let (same, between) = (vec![0; values.len()], vec![empty; values.len() + 1]);
        let guide = BucketIndex::new(&values);
        Ok(Self { common, rare, values, same, between, guide })
    }

    /// Counts the rows of the common class among `rows`; skips all other rows.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(super) fn add_common_class_rows(
        &mut self,
        rows: impl Iterator<Item = (f64, u32)>,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let common = self.common;
        let counted = rows.filter(|&(value, class)| class == common && !value.is_nan());
        for (at, (value, _)) in counted.enumerate() {
            if at % STRETCH == 0 {
                ctl.check()?;
            }
            let place = self.guide.lower_bound(&self.values, value);
            if self.values.get(place).is_some_and(|&rare| rare == value) {
                self.same[place] += 1;
                continue;
            }
            let between = &mut self.between[place];
            between.rows += 1;
            between.least = between.least.min(value);
            between.largest = between.largest.max(value);
        }
        Ok(())
    }

    pub(super) fn value_range(&self) -> Option<(f64, f64)> {
        let ends = self.between.iter().filter(|between| between.rows > 0);
        let common = ends.flat_map(|between| [between.least, between.largest]);
        extend_range(None, common.chain(self.values.first().copied()).chain(self.values.last().copied()))
    }

    /// Triples of value, class and number of rows, ascending by value.
    ///
    /// The common-class rows between two neighboring rare-class values are merged into at most two values.
    pub(super) fn sorted_counts(&self) -> impl Iterator<Item = (f64, u32, f64)> {
        let common = self.common;
        let of_values = self.rare.chunk_by(|a, b| a.0 == b.0).zip(&self.values).zip(&self.same).map(Some);
        self.between.iter().zip(of_values.chain([None])).flat_map(move |(between, at)| {
            // Of the common-class rows between two rare-class values, one row is placed at the smallest value
            // of these rows, and the others at the largest value.
            let ends =
                [(between.least, between.rows.min(1)), (between.largest, between.rows.saturating_sub(1))];
            let lower = ends.into_iter().map(move |(value, rows)| (value, common, rows));
            let here = at.into_iter().flat_map(move |((run, &value), &same)| {
                let rare = run.iter().map(move |&(_, class, rows)| (value, class, rows));
                rare.chain([(value, common, same)])
            });
            let some = lower.chain(here).filter(|&(_, _, rows)| rows > 0);
            // -0 and 0 are one value.
            some.map(|(value, class, rows)| (float_from_key(float_key(value)), class, f64::from(rows)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::value_counts::{self, keys_to_values};
    use super::super::value_profile::{CutCandidateRule, ValueProfile};
    use super::*;

    fn runs(sorted: impl Iterator<Item = (f64, u32, f64)>) -> Vec<(f64, Vec<f64>)> {
        let profile = ValueProfile::new(sorted, 3, CutCandidateRule::Borders, RunContext::silent()).unwrap();
        let cut = |at: usize| if at == 0 { f64::NEG_INFINITY } else { profile.cut_point(at) };
        let mut runs: Vec<_> = (0..profile.n_runs())
            .map(|at| (cut(at), profile.class_weights_below(at).class_weights().to_vec()))
            .collect();
        runs.push((f64::INFINITY, profile.total_weights().to_vec()));
        runs
    }

    #[test]
    fn borders_are_those_of_all_rows() {
        for seed in 0..400_u32 {
            let noise = |i: u32, what: u32| {
                (i ^ what.wrapping_mul(97)).wrapping_mul(2_654_435_761).wrapping_add(seed * 40_503) >> 11
            };
            let (n_rows, n_values) = (1 + noise(seed, 1) % 300, 1 + noise(seed, 2) % 90);
            let rows: Vec<(f64, u32)> = (0..n_rows)
                .map(|i| {
                    let value = match noise(i, 3) % 19 {
                        0 => f64::NAN,
                        1 => -0.0,
                        _ => f64::from(noise(i, 4) % n_values) - f64::from(n_values / 2),
                    };
                    (value, [0, 2, 1][(noise(i, 5) % 40).min(2) as usize])
                })
                .collect();
            let mut all = value_counts::ValueCounts::new();
            all.add(rows.iter().copied(), RunContext::silent()).unwrap();
            let mut few =
                CompactColumnCounts::new(1, rows.iter().copied().filter(|&(_, class)| class != 1)).unwrap();
            for part in rows.chunks(1 + noise(seed, 6) as usize % 70) {
                few.add_common_class_rows(part.iter().copied(), RunContext::silent()).unwrap();
            }
            assert_eq!(
                runs(few.sorted_counts()),
                runs(keys_to_values(all.sorted_counts().unwrap())),
                "{rows:?}"
            );
        }
    }

    #[test]
    fn a_class_is_common_that_holds_seven_rows_in_eight() {
        assert_eq!(dominant_class(&[7.0, 1.0]), Some(0));
        assert_eq!(dominant_class(&[1.0, 7.0, 1.0]), None);
        assert_eq!(dominant_class(&[0.0, 3.0]), Some(1));
        assert_eq!(dominant_class(&[]), None);
    }
}
