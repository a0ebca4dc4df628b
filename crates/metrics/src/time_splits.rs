//! Consecutive test folds in time; the training rows are all earlier rows, except a gap.

use imbcore_core::{Error, Result, TimeGap};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimeSeriesSplit {
    /// For every row, its position in time order; rows with equal times keep their order.
    place: Vec<u32>,
    /// Position in time order of the first row of each test fold, followed by the number of rows.
    starts: Vec<u32>,
    /// For every test fold, the number of its training rows, which are the first in time order.
    ends: Vec<u32>,
}

impl TimeSeriesSplit {
    /// Divides the rows into a first part, which is never tested, and `k` equal test folds.
    ///
    /// Rows with equal times stay in one fold. As far as this allows, every fold has `floor(n / (k + 1))` of
    /// the n rows, and the first part has the other rows.
    pub(crate) fn new(times: &[f64], k: u32, gap: TimeGap) -> Result<Self> {
        let split = Self::with_unchecked_gap(times, k, gap)?;
        match split.ends.iter().position(|&end| end == 0) {
            None => Ok(split),
            Some(fold) => Err(Error::Data(format!(
                "the gap leaves no training row before the test rows of fold {fold}; shorten gap, or lower folds so that \
                 more rows come before them"
            ))),
        }
    }

    /// Like [`Self::new`], but with fewer than `k` folds if there are fewer distinct times.
    /// A fold has no training rows if all earlier rows are in the gap.
    pub(crate) fn with_at_most_k_folds(times: &[f64], k: u32, gap: TimeGap) -> Result<Self> {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        let changes = sorted.windows(2).filter(|pair| pair[0] < pair[1]).count();
        if changes == 0 {
            return Err(Error::Data(
                "all rows have the same time, so no row is later than another; leave out time".into(),
            ));
        }
        Self::with_unchecked_gap(times, k.min(changes as u32), gap)
    }

    fn with_unchecked_gap(times: &[f64], k: u32, gap: TimeGap) -> Result<Self> {
        if let Some(row) = times.iter().position(|time| !time.is_finite()) {
            return Err(Error::Data(format!(
                "time must be finite in every row, but row {row} has {}; fill it in or drop these rows",
                times[row]
            )));
        }
        let n = times.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by(|&a, &b| (times[a as usize] + 0.0).total_cmp(&(times[b as usize] + 0.0)));
        let time_of = |place: usize| times[order[place] as usize];
        let changes: Vec<usize> = (1..n).filter(|&place| time_of(place) > time_of(place - 1)).collect();
        if changes.len() < k as usize {
            return Err(Error::Data(format!(
                "time has {} distinct value{}, but {k} folds in time order need at least {}, because rows with equal times stay \
                 together; lower folds",
                changes.len() + 1,
                if changes.is_empty() { "" } else { "s" },
                k + 1
            )));
        }
        let mut starts: Vec<u32> =
            test_fold_starts(&changes, n, k as usize).into_iter().map(|place| place as u32).collect();
        let mut ends = Vec::with_capacity(k as usize);
        for &start in &starts {
            ends.push(n_rows_before_gap(times, &order, start as usize, gap) as u32);
        }
        starts.push(n as u32);
        let mut place = vec![0; n];
        for (position, &row) in order.iter().enumerate() {
            place[row as usize] = position as u32;
        }
        Ok(Self { place, starts, ends })
    }

    /// Test fold of every row; `never` for rows that are never test rows.
    pub(crate) fn test_fold_per_row(&self, never: u32) -> Vec<u32> {
        let fold = |&place: &u32| self.starts.partition_point(|&start| start <= place) as u32;
        self.place.iter().map(|place| fold(place).checked_sub(1).unwrap_or(never)).collect()
    }

    pub(crate) fn n_folds(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Number of test rows divided by number of training rows, both summed over all folds.
    pub(crate) fn test_train_ratio(&self) -> f64 {
        let train: u64 = self.ends.iter().map(|&end| u64::from(end)).sum();
        f64::from(self.place.len() as u32 - self.starts[0]) / train as f64
    }

    pub(crate) fn is_training_row(&self, row: usize, fold: u32) -> bool {
        self.place[row] < self.ends[fold as usize]
    }
}

/// Number of rows before the gap; the test rows begin after the gap, at position `start`.
pub(crate) fn n_rows_before_gap(times: &[f64], order: &[u32], start: usize, gap: TimeGap) -> usize {
    let time_of = |place: usize| times[order[place] as usize];
    match gap {
        TimeGap::Rows(rows) => {
            let end = start.saturating_sub(rows);
            // Rows with the same time as the first row in the gap are also left out.
            if end == start { end } else { order.partition_point(|&row| times[row as usize] < time_of(end)) }
        }
        TimeGap::Time(gap) => {
            let first = time_of(start);
            order[..start].partition_point(|&row| times[row as usize] <= first - gap)
        }
    }
}

/// Selects the starts of `k` test folds, ascending, at positions at which the time changes.
///
/// Each start is as near as possible to the start of a fold of equal size.
fn test_fold_starts(changes: &[usize], n: usize, k: usize) -> Vec<usize> {
    let size = (n / (k + 1)).max(1);
    let mut from = 0;
    (0..k)
        .map(|fold| {
            let target = n.saturating_sub((k - fold) * size);
            // Every later fold needs another change of time as its start, so enough changes must remain.
            let left = &changes[from..changes.len() - (k - 1 - fold)];
            let above = left.partition_point(|&change| change < target);
            let nearer = |at: usize| left[at].abs_diff(target);
            let at = match above {
                0 => 0,
                at if at == left.len() => at - 1,
                at if nearer(at - 1) < nearer(at) => at - 1,
                at => at,
            };
            from += at + 1;
            left[at]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(times: &[f64], k: u32, gap: TimeGap) -> Vec<(Vec<usize>, Vec<usize>)> {
        let found = TimeSeriesSplit::new(times, k, gap).unwrap();
        let folds = found.test_fold_per_row(u32::MAX);
        let rows = |of: &dyn Fn(usize) -> bool| (0..times.len()).filter(|&row| of(row)).collect::<Vec<_>>();
        (0..k)
            .map(|fold| (rows(&|row| found.is_training_row(row, fold)), rows(&|row| folds[row] == fold)))
            .collect()
    }

    #[test]
    fn different_times_are_cut_as_scikit_learn_cuts() {
        // For 10 rows, scikit-learn's TimeSeriesSplit(n_splits=3) gives test folds of 2 rows. The first 4
        // rows are only training rows.
        let times: Vec<f64> = (0..10).map(f64::from).collect();
        let all = |to: usize| (0..to).collect::<Vec<_>>();
        assert_eq!(
            parts(&times, 3, TimeGap::Rows(0)),
            [(all(4), vec![4, 5]), (all(6), vec![6, 7]), (all(8), vec![8, 9])]
        );
        // TimeSeriesSplit(n_splits=3, gap=2).
        let trained: Vec<usize> =
            parts(&times, 3, TimeGap::Rows(2)).iter().map(|(train, _)| train.len()).collect();
        assert_eq!(trained, [2, 4, 6]);
        let trained: Vec<usize> =
            parts(&times, 3, TimeGap::Time(1.5)).iter().map(|(train, _)| train.len()).collect();
        assert_eq!(trained, [3, 5, 7]);
        // With a gap of 2, a row exactly two time units before the test rows is a training row.
        assert_eq!(parts(&times, 3, TimeGap::Time(2.0))[0].0, all(3));
    }

    #[test]
    fn rows_need_not_be_in_order() {
        assert_eq!(parts(&[3.0, 0.0, 2.0, 1.0], 1, TimeGap::Rows(0)), [(vec![1, 3], vec![0, 2])]);
    }

    #[test]
    fn rows_of_one_time_stay_together() {
        let times = [0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0];
        for (train, test) in parts(&times, 3, TimeGap::Rows(0)) {
            let (last, first) = (times[*train.last().unwrap()], times[test[0]]);
            assert!(last < first);
            assert!(train.iter().all(|&row| times[row] <= last) && !test.is_empty());
            assert_eq!(times.iter().filter(|&&time| time <= last).count(), train.len());
            assert_eq!(
                times.iter().filter(|&&time| test.iter().any(|&r| times[r] == time)).count(),
                test.len()
            );
        }
    }

    #[test]
    fn impossible_splits_are_refused() {
        let message = |times: &[f64], k, gap| TimeSeriesSplit::new(times, k, gap).unwrap_err().to_string();
        assert!(message(&[1.0, 1.0, 2.0], 2, TimeGap::Rows(0)).contains("2 distinct values, but 2 folds"));
        assert!(message(&[1.0, 1.0], 2, TimeGap::Rows(0)).contains("1 distinct value,"));
        assert!(message(&[1.0, f64::NAN, 2.0], 1, TimeGap::Rows(0)).contains("row 1 has NaN"));
        assert!(message(&[1.0, 2.0, 3.0], 2, TimeGap::Rows(1)).contains("leaves no training row"));
        assert!(message(&[1.0, 2.0, 3.0], 2, TimeGap::Time(5.0)).contains("fold 0"));
    }
}
