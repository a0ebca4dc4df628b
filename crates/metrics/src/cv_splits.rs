//! Cross-validation splits.

mod latest_folds;

use crate::grouped_folds::grouped_folds;
use crate::held_out_split::drop_rows_of_test_groups;
use crate::stratified_folds::{check_n_folds, stratified_folds};
use crate::time_splits::TimeSeriesSplit;
use imbcore_core::memory::check_values_fit_in_memory;
use imbcore_core::{Error, Result, RowDependence, RunContext, SeedKey, TimeGap};
pub use latest_folds::LatestFolds;
use std::collections::BTreeSet;

/// Number of parts into which the set of groups is divided (see [`MOST_DROPPED`]).
const PARTS: u32 = 3;

/// Maximum fraction of the earlier rows that folds in time may drop.
///
/// A fold drops earlier rows of tested groups. If folds would drop more, test blocks are divided by groups.
const MOST_DROPPED: f64 = 0.75;

/// Strategy that assigns rows to test folds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SplitStrategy<'a> {
    /// Stratified folds: every fold has about the class proportions of all rows.
    Stratified,
    /// Folds that keep rows with the same group code together.
    /// The folds are stratified as far as the groups allow.
    Groups(&'a [u32]),
    /// Consecutive test folds in time; all earlier rows, except a gap, are training rows.
    Time(&'a [f64], TimeGap),
}

/// Cross-validation splits: the test folds of every repeat, and their training rows.
#[derive(Clone, Debug, PartialEq)]
pub struct CvSplits {
    n_folds: u32,
    /// For each repeat, the test fold of every row.
    folds: Vec<Vec<u32>>,
    ahead: Option<TimeSeriesSplit>,
    /// Groups of the rows if folds follow time; a fold trains on no group of its test rows.
    ///
    /// `None` if rows have no groups or folds do not follow time.
    groups: Option<Vec<u32>>,
    /// Number of folds of each test block in time; 1 unless groups are divided into [`PARTS`].
    ///
    /// The folds of a block have consecutive numbers. Each tests the rows of one part of the groups.
    n_parts: u32,
    /// Repeat and fold number of every fold that is tested.
    tests: Vec<(u32, u32)>,
    advice: &'static str,
}

impl CvSplits {
    /// Fold number of rows that are never tested.
    pub const NEVER: u32 = u32::MAX;

    /// Assigns rows with the class codes `codes` to folds; equal arguments give equal folds.
    ///
    /// # Errors
    /// [`Error::Parameter`] for impossible numbers of folds and repeats, and for several repeats of folds in
    /// time; [`Error::Data`] for groups and times that allow no such folds; [`Error::Memory`];
    /// [`Error::Cancelled`].
    pub fn new(
        codes: &[u32],
        by: SplitStrategy<'_>,
        (folds, repeats): (u32, u32),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        check_n_folds(folds, codes.len())?;
        if repeats == 0 {
            return Err(Error::parameter("evaluate", "repeats", "at least 1", 0));
        }
        // Size of a repeat in values of 4 bytes: the fold of every row, a list header, and two numbers per
        // fold.
        let size = codes.len() + size_of::<Vec<u32>>() / size_of::<u32>() + 2 * folds as usize;
        check_values_fit_in_memory::<u32>(size.saturating_mul(repeats as usize), "repeats")?;
        let all_repeats = |assign: &dyn Fn(u32) -> Result<Vec<u32>>| {
            let checked = |repeat| ctl.check().and_then(|()| assign(repeat));
            (0..repeats).map(checked).collect::<Result<Vec<_>>>()
        };
        let (folds_of_rows, ahead, advice) = match by {
            SplitStrategy::Stratified => (
                all_repeats(&|repeat| stratified_folds(codes, folds, repeat, key))?,
                None,
                "; cross-validation needs at least two rows of every class: collect more, or drop the rows of that class",
            ),
            SplitStrategy::Groups(groups) => (
                all_repeats(&|repeat| grouped_folds(codes, groups, folds, repeat, key))?,
                None,
                "; a class occurs in too few groups: lower folds, or merge classes",
            ),
            SplitStrategy::Time(..) if repeats > 1 => {
                let expected = "1 with time, because the time order allows only one division of the rows; raise folds for more test folds";
                return Err(Error::parameter("evaluate", "repeats", expected, repeats));
            }
            SplitStrategy::Time(times, gap) => {
                check_length("time", times.len(), codes.len())?;
                let ahead = TimeSeriesSplit::new(times, folds, gap)?;
                (
                    vec![ahead.test_fold_per_row(Self::NEVER)],
                    Some(ahead),
                    "; the rows before it have only one class: lower folds or the gap, so that more rows come first",
                )
            }
        };
        let tests = (0..repeats).flat_map(|repeat| (0..folds).map(move |fold| (repeat, fold))).collect();
        Ok(Self { n_folds: folds, folds: folds_of_rows, ahead, groups: None, n_parts: 1, tests, advice })
    }

    /// Inner splits of a fit, such as for early stopping, into at most `folds` folds.
    ///
    /// - Without groups and times, folds are stratified.
    /// - With groups only, folds consist of whole groups. Each class occurs in at least as many groups as
    ///   there are folds.
    /// - With times only, folds are consecutive in time.
    /// - With groups and times, folds are consecutive in time, and the training rows of a fold exclude the
    ///   groups of its test rows. If that would drop more than three quarters of the earlier rows, each block
    ///   of test rows is divided into three folds, each with the rows of a third of the groups.
    ///
    /// With groups or times, a fold whose training rows have fewer than two classes is not tested.
    ///
    /// # Errors
    /// [`Error::Data`] if groups and times allow no fold with training rows of two classes; otherwise as
    /// [`Self::new`].
    pub fn inner_folds(
        codes: &[u32],
        dependence: RowDependence<'_>,
        folds: u32,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let (groups, times) = (dependence.groups(), dependence.times());
        let splits = match (groups, times) {
            (None, None) => {
                let folds = folds.min(codes.len() as u32);
                return Self::new(codes, SplitStrategy::Stratified, (folds, 1), key, ctl);
            }
            (Some(groups), None) => {
                let fewest = min_groups_per_class(codes, groups);
                if fewest < 2 {
                    return Err(Error::Data(
                        "a class occurs in only one of the groups, but inner folds need at least two groups with rows of every \
                         class; collect more groups, or omit the option that needs inner folds"
                            .into(),
                    ));
                }
                let folds = folds.min(fewest as u32);
                Self::new(codes, SplitStrategy::Groups(groups), (folds, 1), key, ctl)?
            }
            (groups, Some(times)) => {
                ctl.check()?;
                let ahead = TimeSeriesSplit::with_at_most_k_folds(times.values, folds, times.gap)?;
                let blocks = ahead.n_folds();
                let folds = vec![ahead.test_fold_per_row(Self::NEVER)];
                let groups = groups.map(<[u32]>::to_vec);
                let tests = (0..blocks).map(|fold| (0, fold)).collect();
                Self { n_folds: blocks, folds, ahead: Some(ahead), groups, n_parts: 1, tests, advice: "" }
                    .divide_recurring_groups(codes)?
            }
        };
        let mut tests = splits.tests.clone();
        tests.retain(|&(repeat, fold)| {
            let (train, test) = splits.train_and_test_rows(repeat, fold);
            // A fold may have no test rows, because a third of the groups may have no row in a test block.
            !test.is_empty() && train.iter().any(|&row| codes[row as usize] != codes[train[0] as usize])
        });
        if tests.is_empty() {
            let advice = match (groups, times) {
                (Some(_), Some(_)) => {
                    "earlier rows of a group that is tested later are not used for training: provide more groups or \
                     fewer folds of an evaluation, or omit groups or time"
                }
                (_, Some(_)) => {
                    "provide more distinct times, a smaller time_gap, or fewer folds of an evaluation"
                }
                _ => "provide more groups",
            };
            return Err(Error::Data(format!(
                "the training rows of each inner fold have fewer than two classes; {advice}, or omit the option \
                 that needs inner folds"
            )));
        }
        Ok(splits.with_tested_folds(tests))
    }

    /// Divides each test block in time by groups, if folds drop too many rows ([`MOST_DROPPED`]).
    fn divide_recurring_groups(self, codes: &[u32]) -> Result<Self> {
        let Some(groups) = &self.groups else { return Ok(self) };
        let (mut n_earlier, mut n_kept) = (0_u64, 0_u64);
        for fold in 0..self.n_folds {
            n_earlier += self.rows_before_test(fold).count() as u64;
            n_kept += self.train_and_test_rows(0, fold).0.len() as u64;
        }
        let n_groups = groups.iter().collect::<BTreeSet<_>>().len();
        if n_kept as f64 >= (1.0 - MOST_DROPPED) * n_earlier as f64 || n_groups < PARTS as usize {
            return Ok(self);
        }
        // The times allow only one division of the rows, so the key is constant.
        let parts = grouped_folds(codes, groups, PARTS, 0, SeedKey::root(0))?;
        let fold = |(&block, part): (&u32, u32)| {
            if block == Self::NEVER { block } else { block * PARTS + part }
        };
        let folds = vec![self.folds[0].iter().zip(parts).map(fold).collect()];
        let n_folds = self.n_folds * PARTS;
        let tests = (0..n_folds).map(|fold| (0, fold)).collect();
        Ok(Self { n_folds, folds, n_parts: PARTS, tests, ..self })
    }

    /// Number of test folds per repeat.
    pub fn n_folds(&self) -> u32 {
        self.n_folds
    }

    /// Returns the same folds, of which only those in `tests` (repeat, fold number) are tested.
    #[must_use]
    pub fn with_tested_folds(self, tests: Vec<(u32, u32)>) -> Self {
        Self { tests, ..self }
    }

    /// Repeat and fold number of every tested fold, repeat by repeat.
    pub fn tested_folds(&self) -> Vec<(u32, u32)> {
        self.tests.clone()
    }

    /// Test fold of every row in a repeat; [`Self::NEVER`] for rows that are never test rows.
    pub fn test_fold_per_row(&self, repeat: u32) -> &[u32] {
        &self.folds[repeat as usize]
    }

    /// Training rows and test rows of a fold, both ascending.
    pub fn train_and_test_rows(&self, repeat: u32, fold: u32) -> (Vec<u32>, Vec<u32>) {
        let folds = self.test_fold_per_row(repeat);
        let rows = 0..folds.len() as u32;
        let test: Vec<u32> = rows.clone().filter(|&row| folds[row as usize] == fold).collect();
        let mut train: Vec<u32> = if self.ahead.is_some() {
            self.rows_before_test(fold).collect()
        } else {
            rows.filter(|&row| folds[row as usize] != fold).collect()
        };
        if let Some(groups) = &self.groups {
            drop_rows_of_test_groups(&mut train, &test, groups);
        }
        (train, test)
    }

    /// Rows before the gap of a test fold in time, including rows of groups that the fold tests.
    fn rows_before_test(&self, fold: u32) -> impl Iterator<Item = u32> + '_ {
        let n_rows = self.folds[0].len() as u32;
        self.ahead.iter().flat_map(move |ahead| {
            (0..n_rows).filter(move |&row| ahead.is_training_row(row as usize, fold / self.n_parts))
        })
    }

    /// Ratio of test rows to training rows, both summed over all folds of [`Self::new`].
    pub fn test_train_ratio(&self) -> f64 {
        match &self.ahead {
            None => 1.0 / f64::from(self.n_folds - 1),
            Some(ahead) => ahead.test_train_ratio(),
        }
    }

    /// Advice for an error message, if the training rows have only one class.
    pub fn advice_for_single_class_error(&self) -> &'static str {
        self.advice
    }
}

fn check_length(name: &str, length: usize, n_rows: usize) -> Result<()> {
    if length == n_rows {
        return Ok(());
    }
    Err(Error::Data(format!("{name} has {length} values, but there are {n_rows} rows")))
}

/// For the class that occurs in the fewest groups, the number of its groups.
pub fn min_groups_per_class(codes: &[u32], groups: &[u32]) -> usize {
    let mut pairs: Vec<(u32, u32)> = codes.iter().copied().zip(groups.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs.chunk_by(|a, b| a.0 == b.0).map(<[(u32, u32)]>::len).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODES: [u32; 8] = [0, 0, 0, 1, 0, 0, 0, 1];

    #[test]
    fn every_row_is_tested_once_a_repeat_and_trains_otherwise() {
        let deal =
            CvSplits::new(&CODES, SplitStrategy::Stratified, (2, 3), SeedKey::root(1), RunContext::silent())
                .unwrap();
        assert_eq!(deal.tested_folds().len(), 6);
        for (repeat, fold) in deal.tested_folds() {
            let (train, test) = deal.train_and_test_rows(repeat, fold);
            let mut all = [train, test].concat();
            all.sort_unstable();
            assert_eq!(all, (0..8).collect::<Vec<_>>());
        }
        assert_eq!(deal.test_train_ratio(), 1.0);
        let by = SplitStrategy::Groups(&[0, 1, 1, 2, 3, 3, 4, 4]);
        let deal = CvSplits::new(&CODES, by, (4, 2), SeedKey::root(1), RunContext::silent()).unwrap();
        let (mut train, mut test) = (0, 0);
        for (repeat, fold) in deal.tested_folds() {
            let rows = deal.train_and_test_rows(repeat, fold);
            (train, test) = (train + rows.0.len(), test + rows.1.len());
        }
        assert_eq!(deal.test_train_ratio(), test as f64 / train as f64);
    }

    #[test]
    fn in_time_the_first_rows_are_never_tested() {
        let times: Vec<f64> = (0..8).map(f64::from).collect();
        let by = SplitStrategy::Time(&times, TimeGap::Rows(1));
        let deal = CvSplits::new(&CODES, by, (3, 1), SeedKey::root(1), RunContext::silent()).unwrap();
        assert_eq!(deal.test_fold_per_row(0), [CvSplits::NEVER, CvSplits::NEVER, 0, 0, 1, 1, 2, 2]);
        assert_eq!(deal.train_and_test_rows(0, 1), (vec![0, 1, 2], vec![4, 5]));
        assert_eq!(deal.test_train_ratio(), 6.0 / 9.0);
        assert!(
            CvSplits::new(&CODES, by, (3, 2), SeedKey::root(1), RunContext::silent())
                .unwrap_err()
                .to_string()
                .contains("1 with time")
        );
        let short = SplitStrategy::Time(&times[..7], TimeGap::Rows(0));
        assert!(
            CvSplits::new(&CODES, short, (3, 1), SeedKey::root(1), RunContext::silent())
                .unwrap_err()
                .to_string()
                .contains("7 values")
        );
    }

    #[test]
    fn inner_folds_keep_groups_whole_and_go_forward_in_time() {
        let codes: Vec<u32> = (0..60).map(|row| u32::from(row % 4 == 0)).collect();
        let groups: Vec<u32> = (0..60).map(|row| row / 3).collect();
        let times: Vec<f64> = (0..60).map(|row| f64::from(row * 7 % 60)).collect();
        for (by_group, by_time) in [(true, false), (false, true), (true, true)] {
            let (of_groups, of_times) = (by_group.then_some(&groups[..]), by_time.then_some(&times[..]));
            let dependence =
                RowDependence::new(of_groups, of_times, by_time.then_some(TimeGap::Time(2.0)), 60).unwrap();
            let key = SeedKey::root(1);
            let splits = CvSplits::inner_folds(&codes, dependence, 5, key, RunContext::silent()).unwrap();
            assert_eq!(splits.tested_folds().len(), 5);
            for (repeat, fold) in splits.tested_folds() {
                let (train, test) = splits.train_and_test_rows(repeat, fold);
                assert!(!test.is_empty());
                for &row in &train {
                    let row = row as usize;
                    assert!(!by_group || test.iter().all(|&other| groups[other as usize] != groups[row]));
                    assert!(!by_time || test.iter().all(|&other| times[other as usize] >= times[row] + 2.0));
                }
            }
        }
    }

    #[test]
    fn groups_with_rows_at_all_times_are_tested_in_parts() {
        // 30 groups with a row on each of 40 days; every group has positive rows.
        let codes: Vec<u32> = (0..1200).map(|row| u32::from(row % 7 == 0)).collect();
        let groups: Vec<u32> = (0..1200).map(|row| row % 30).collect();
        let times: Vec<f64> = (0..1200).map(|row| f64::from(row / 30)).collect();
        let dependence = RowDependence::new(Some(&groups), Some(&times), None, 1200).unwrap();
        let splits =
            CvSplits::inner_folds(&codes, dependence, 5, SeedKey::root(1), RunContext::silent()).unwrap();
        assert_eq!(splits.tested_folds().len(), 15);
        for block in 0..5 {
            let mut tested = Vec::new();
            for part in 0..3 {
                let (train, test) = splits.train_and_test_rows(0, 3 * block + part);
                let own: BTreeSet<u32> = test.iter().map(|&row| groups[row as usize]).collect();
                assert_eq!(own.len(), 10);
                let first = test.iter().map(|&row| times[row as usize]).fold(f64::INFINITY, f64::min);
                let expected: Vec<u32> = (0..1200)
                    .filter(|&row| times[row as usize] < first && !own.contains(&groups[row as usize]))
                    .collect();
                assert_eq!(train, expected);
                tested.extend(test);
            }
            tested.sort_unstable();
            let blocks = splits.test_fold_per_row(0).iter().map(|&fold| fold / 3);
            let expected: Vec<u32> =
                blocks.zip(0..).filter(|&(found, _)| found == block).map(|(_, row)| row).collect();
            assert_eq!(tested, expected);
        }
        // A block has positive rows of more than 20 groups.
        let latest = splits.clone().keep_latest_folds(&codes, LatestFolds::default()).tested_folds();
        assert_eq!(latest, [(0, 12), (0, 13), (0, 14)]);
    }

    #[test]
    fn every_tested_fold_has_test_rows() {
        // Each block of four rows lacks one of the five groups, and one third has only one group.
        let codes: Vec<u32> = (0..24).map(|row| u32::from(row % 3 == 0)).collect();
        let groups: Vec<u32> = (0..24).map(|row| row % 5).collect();
        let times: Vec<f64> = (0..24).map(f64::from).collect();
        let dependence = RowDependence::new(Some(&groups), Some(&times), None, 24).unwrap();
        let splits = CvSplits::inner_folds(&codes, dependence, 5, SeedKey::root(1), RunContext::silent());
        let splits = splits.unwrap();
        assert!(splits.n_folds() == 15 && splits.tested_folds().len() < 15);
        let tested = splits
            .tested_folds()
            .into_iter()
            .map(|(repeat, fold)| splits.train_and_test_rows(repeat, fold).1);
        assert!(tested.into_iter().all(|test| !test.is_empty()));
    }

    #[test]
    fn inner_folds_without_two_training_classes_are_not_tested() {
        let splits = |codes: &[u32], groups: Option<&[u32]>, times: Option<&[f64]>, gap: Option<TimeGap>| {
            let dependence = RowDependence::new(groups, times, gap, codes.len()).unwrap();
            CvSplits::inner_folds(codes, dependence, 5, SeedKey::root(1), RunContext::silent())
        };
        let times: Vec<f64> = (0..12).map(f64::from).collect();
        let late: Vec<u32> = (0..12).map(|row| u32::from(row % 12 > 6)).collect();
        // The training rows of folds 0, 1 and 2 have class 0 only.
        let found = splits(&late, None, Some(&times), None).unwrap();
        assert_eq!(found.tested_folds(), [(0, 3), (0, 4)]);
        let refused = splits(&late, None, Some(&times), Some(TimeGap::Time(9.0))).unwrap_err().to_string();
        assert!(refused.contains("fewer than two classes") && refused.contains("time_gap"), "{refused}");
        let groups: Vec<u32> = (0..12).map(|row| row / 6).collect();
        let refused = splits(&late, Some(&groups), None, None).unwrap_err().to_string();
        assert!(refused.contains("only one of the groups"), "{refused}");
        let even: Vec<u32> = (0..12).map(|row| row % 2).collect();
        assert_eq!(splits(&even, Some(&groups), None, None).unwrap().n_folds(), 2);
    }
}
