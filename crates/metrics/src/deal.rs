//! Cross-validation splits.

use crate::ahead::{TimeGap, TimeSeriesSplit};
use crate::folds::{check_folds, stratified_folds};
use crate::groups::grouped_folds;
use imbcore_core::memory::room_for;
use imbcore_core::{Error, Result, RunContext, SeedKey};

/// Strategy that assigns rows to test folds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SplitStrategy<'a> {
    /// Every fold has the class proportions of all rows.
    Stratified,
    /// Rows with the same group code stay in one fold; the folds are stratified as far as that allows.
    Groups(&'a [u32]),
    /// Consecutive test folds in time; all earlier rows except a gap are the training rows.
    Time(&'a [f64], TimeGap),
}

/// Test folds of every repeat, and their training rows.
#[derive(Clone, Debug, PartialEq)]
pub struct CvSplits {
    n_folds: u32,
    /// Test fold of every row, by repeat.
    folds: Vec<Vec<u32>>,
    ahead: Option<TimeSeriesSplit>,
    advice: &'static str,
}

impl CvSplits {
    /// Fold number of rows that are never tested.
    pub const NEVER: u32 = u32::MAX;

    /// Assigns rows with these class codes to folds; the result depends only on the arguments.
    ///
    /// # Errors
    /// [`Error::Parameter`] for impossible numbers of folds and repeats, and for repeats in time;
    /// [`Error::Data`] for groups and times that allow no such folds; [`Error::Memory`]; [`Error::Cancelled`].
    pub fn new(
        codes: &[u32],
        by: SplitStrategy<'_>,
        (folds, repeats): (u32, u32),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        check_folds(folds, codes.len())?;
        if repeats == 0 {
            return Err(Error::parameter("evaluate", "repeats", "at least 1", 0));
        }
        // Memory for the fold of every row, and for a list and two numbers per test fold.
        let size = codes.len() + size_of::<Vec<u32>>() / size_of::<u32>() + 2 * folds as usize;
        room_for::<u32>(size.saturating_mul(repeats as usize), "repeats")?;
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
            SplitStrategy::Time(times, _) if times.len() != codes.len() => {
                return Err(Error::Data(format!(
                    "time has {} values, but there are {} rows",
                    times.len(),
                    codes.len()
                )));
            }
            SplitStrategy::Time(times, gap) => {
                let ahead = TimeSeriesSplit::new(times, folds, gap)?;
                let advice = "; the rows before it have only one class: lower folds or the gap, so that more rows come first";
                (vec![ahead.folds(Self::NEVER)], Some(ahead), advice)
            }
        };
        Ok(Self { n_folds: folds, folds: folds_of_rows, ahead, advice })
    }

    /// Number of test folds of a repeat.
    pub fn n_folds(&self) -> u32 {
        self.n_folds
    }

    /// Repeat and fold number of every test fold, by repeat.
    pub fn tests(&self) -> Vec<(u32, u32)> {
        let repeats = 0..self.folds.len() as u32;
        repeats.flat_map(|repeat| (0..self.n_folds).map(move |fold| (repeat, fold))).collect()
    }

    /// Test fold of every row in a repeat; [`Self::NEVER`] for rows that are only training rows.
    pub fn folds(&self, repeat: u32) -> &[u32] {
        &self.folds[repeat as usize]
    }

    /// Training rows and test rows of a fold, both ascending.
    pub fn rows(&self, repeat: u32, fold: u32) -> (Vec<u32>, Vec<u32>) {
        let folds = self.folds(repeat);
        let test = (0..folds.len() as u32).filter(|&row| folds[row as usize] == fold).collect();
        let trains =
            |row: usize| self.ahead.as_ref().map_or(folds[row] != fold, |ahead| ahead.trains(row, fold));
        let train = (0..folds.len() as u32).filter(|&row| trains(row as usize)).collect();
        (train, test)
    }

    /// Ratio of test rows to training rows, over all folds.
    pub fn test_to_train(&self) -> f64 {
        match &self.ahead {
            None => 1.0 / f64::from(self.n_folds - 1),
            Some(ahead) => ahead.test_to_train(),
        }
    }

    /// Remedy for a training fold with too few classes; begins with a semicolon.
    pub fn advice(&self) -> &'static str {
        self.advice
    }
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
        assert_eq!(deal.tests().len(), 6);
        for (repeat, fold) in deal.tests() {
            let (train, test) = deal.rows(repeat, fold);
            let mut all = [train, test].concat();
            all.sort_unstable();
            assert_eq!(all, (0..8).collect::<Vec<_>>());
        }
        assert_eq!(deal.test_to_train(), 1.0);
        let groups = [0, 1, 1, 2, 3, 3, 4, 4];
        let deal = CvSplits::new(
            &CODES,
            SplitStrategy::Groups(&groups),
            (4, 2),
            SeedKey::root(1),
            RunContext::silent(),
        )
        .unwrap();
        let (mut train, mut test) = (0, 0);
        for (repeat, fold) in deal.tests() {
            let rows = deal.rows(repeat, fold);
            (train, test) = (train + rows.0.len(), test + rows.1.len());
        }
        assert_eq!(deal.test_to_train(), test as f64 / train as f64);
    }

    #[test]
    fn in_time_the_first_rows_are_never_tested() {
        let times: Vec<f64> = (0..8).map(f64::from).collect();
        let by = SplitStrategy::Time(&times, TimeGap::Rows(1));
        let deal = CvSplits::new(&CODES, by, (3, 1), SeedKey::root(1), RunContext::silent()).unwrap();
        assert_eq!(deal.folds(0), [CvSplits::NEVER, CvSplits::NEVER, 0, 0, 1, 1, 2, 2]);
        assert_eq!(deal.rows(0, 1), (vec![0, 1, 2], vec![4, 5]));
        assert_eq!(deal.test_to_train(), 6.0 / 9.0);
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
}
