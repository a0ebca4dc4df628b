//! Latest test folds in time.

use super::CvSplits;
use crate::alert_periods::n_complete_periods;
use std::collections::BTreeSet;

/// Number of test rows per class below which a threshold would be unreliable.
const FEWEST_ROWS: usize = 20;

/// Number of complete periods below which a mean number of alerts would be unreliable.
const FEWEST_PERIODS: usize = 4;

/// Number of rows and periods that the latest test folds must contain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatestFolds<'a> {
    /// Number of test rows of every class.
    ///
    /// If rows have groups, it is a number of groups with test rows of the class.
    pub n_rows: usize,
    /// Times of all rows, and length of a period of which several must be tested completely.
    pub periods: Option<(&'a [f64], f64)>,
}

impl Default for LatestFolds<'_> {
    fn default() -> Self {
        Self { n_rows: FEWEST_ROWS, periods: None }
    }
}

impl CvSplits {
    /// Keeps only the latest test folds, if folds follow time; other splits are unchanged.
    ///
    /// The fewest folds are kept that together test the wanted rows and periods. If all folds together are
    /// not enough, all are kept.
    ///
    /// The model of the latest fold is trained on the most rows. Its probabilities are therefore the most
    /// similar to those of a model fitted to all rows.
    #[must_use]
    pub fn keep_latest_folds(self, codes: &[u32], wanted: LatestFolds<'_>) -> Self {
        if self.ahead.is_none() {
            return self;
        }
        let mut short: Vec<(u32, BTreeSet<u32>)> = codes
            .iter()
            .copied()
            .collect::<BTreeSet<u32>>()
            .into_iter()
            .map(|class| (class, BTreeSet::new()))
            .collect();
        let (mut tests, mut tested) = (Vec::new(), Vec::new());
        let mut block = None;
        for &(repeat, fold) in self.tests.iter().rev() {
            // All folds of a test block are kept, so that alerts in a period of time can be counted.
            if block != Some(fold / self.n_parts) && short.is_empty() {
                let has_periods = |(times, length): (&[f64], f64)| {
                    n_complete_periods(times, &tested, length) >= FEWEST_PERIODS
                };
                if wanted.periods.is_none_or(has_periods) {
                    break;
                }
            }
            block = Some(fold / self.n_parts);
            tests.push((repeat, fold));
            let (_, test) = self.train_and_test_rows(repeat, fold);
            for (class, units) in &mut short {
                let own = test.iter().filter(|&&row| codes[row as usize] == *class);
                units.extend(own.map(|&row| self.groups.as_ref().map_or(row, |groups| groups[row as usize])));
            }
            short.retain(|(_, units)| units.len() < wanted.n_rows);
            tested.extend(test);
        }
        tests.reverse();
        self.with_tested_folds(tests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cv_splits::SplitStrategy;
    use imbcore_core::{RowDependence, RunContext, SeedKey};

    #[test]
    fn latest_folds_in_time_test_enough_rows_of_every_class() {
        let times: Vec<f64> = (0..600).map(f64::from).collect();
        let groups: Vec<u32> = (0..600).map(|row| row / 2).collect();
        // If one row in 4, 20 or 60 is positive, a fold of 100 rows has 25, 5, or 1 to 2 positive rows.
        for (every, n_tests, n_grouped) in [(4, 1, 1), (20, 4, 4), (60, 5, 5)] {
            let codes: Vec<u32> = (0..600).map(|row| u32::from(row % every == 0)).collect();
            for (groups, expected) in [(None, n_tests), (Some(&groups[..]), n_grouped)] {
                let dependence = RowDependence::new(groups, Some(&times), None, 600).unwrap();
                let folds =
                    CvSplits::inner_folds(&codes, dependence, 5, SeedKey::root(1), RunContext::silent());
                let all = folds.unwrap();
                let latest = all.clone().keep_latest_folds(&codes, LatestFolds::default()).tested_folds();
                assert_eq!(latest, all.tested_folds()[5 - expected..], "{every}");
            }
        }
        // Two positive rows of the same group count once.
        let codes: Vec<u32> = (0..600).map(|row| u32::from(row % 8 < 2)).collect();
        let tests = |groups| {
            let dependence = RowDependence::new(groups, Some(&times[..]), None, 600).unwrap();
            let folds = CvSplits::inner_folds(&codes, dependence, 5, SeedKey::root(1), RunContext::silent());
            folds.unwrap().keep_latest_folds(&codes, LatestFolds::default()).tested_folds().len()
        };
        assert_eq!((tests(None), tests(Some(&groups[..]))), (1, 2));
        let stratified = SplitStrategy::Stratified;
        let folds =
            CvSplits::new(&codes, stratified, (5, 1), SeedKey::root(1), RunContext::silent()).unwrap();
        assert_eq!(folds.clone().keep_latest_folds(&codes, LatestFolds::default()), folds);
    }

    #[test]
    fn latest_folds_in_time_test_several_complete_periods() {
        // 60 days with ten rows each; a fold tests ten days.
        let times: Vec<f64> = (0..600).map(|row| f64::from(row / 10)).collect();
        let codes: Vec<u32> = (0..600).map(|row| u32::from(row % 2 == 0)).collect();
        let n_tests = |length: f64| {
            let dependence = RowDependence::new(None, Some(&times), None, 600).unwrap();
            let folds = CvSplits::inner_folds(&codes, dependence, 5, SeedKey::root(1), RunContext::silent());
            let wanted = LatestFolds { periods: Some((&times, length)), ..LatestFolds::default() };
            folds.unwrap().keep_latest_folds(&codes, wanted).tested_folds().len()
        };
        // Periods of 7 days begin on day 0, so days 28 to 55 are the last four complete ones.
        assert_eq!((n_tests(1.0), n_tests(2.5), n_tests(7.0), n_tests(30.0)), (1, 1, 4, 5));
    }
}
