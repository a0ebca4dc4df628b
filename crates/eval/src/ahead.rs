//! Test parts that lie behind each other in time, each with all rows before it to train on.

use imbcore_base::{Error, Result};

/// Rows that are left out between the training and the test rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gap {
    /// At least so many rows.
    Rows(usize),
    /// All rows of less than this time before the first test row.
    Time(f64),
}

/// Rows in the order of time, cut into test parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ahead {
    /// Where every row stands in time; rows of one time in their own order.
    place: Vec<u32>,
    /// Place of the first row of every test part, and at last the number of rows.
    starts: Vec<u32>,
    /// How many of the first rows train for every test part.
    ends: Vec<u32>,
}

impl Ahead {
    /// Cuts rows into `k` test parts of equal size and a first part that only trains, as far as possible without cutting between
    /// rows of one time: `floor(n / (k + 1))` rows each, the first part the longer.
    pub(crate) fn new(times: &[f64], k: u32, gap: Gap) -> Result<Self> {
        if let Some(row) = times.iter().position(|time| !time.is_finite()) {
            return Err(Error::Data(format!(
                "time must be a finite number in every row, but row {row} has {}; fill it in or drop these rows",
                times[row]
            )));
        }
        let n = times.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by(|&a, &b| (times[a as usize] + 0.0).total_cmp(&(times[b as usize] + 0.0)));
        let at = |place: usize| times[order[place] as usize];
        let changes: Vec<usize> = (1..n).filter(|&place| at(place) > at(place - 1)).collect();
        if changes.len() < k as usize {
            return Err(Error::Data(format!(
                "time has {} different value{}, but {k} folds that never look ahead need at least {}, as rows of one time stay \
                 together; lower folds",
                changes.len() + 1,
                if changes.is_empty() { "" } else { "s" },
                k + 1
            )));
        }
        let mut starts: Vec<u32> =
            cuts(&changes, n, k as usize).into_iter().map(|place| place as u32).collect();
        let mut ends = Vec::with_capacity(k as usize);
        for (fold, &start) in starts.iter().enumerate() {
            let first = at(start as usize);
            let end = match gap {
                Gap::Rows(rows) => {
                    let end = (start as usize).saturating_sub(rows);
                    // The rows of the time that the gap begins in are left out whole.
                    if end == start as usize {
                        end
                    } else {
                        order.partition_point(|&row| times[row as usize] < at(end))
                    }
                }
                Gap::Time(gap) => {
                    order[..start as usize].partition_point(|&row| times[row as usize] <= first - gap)
                }
            };
            if end == 0 {
                return Err(Error::Data(format!(
                    "the gap leaves no row to train on before the test rows of fold {fold}; shorten gap, or lower folds so that \
                     more rows come before them"
                )));
            }
            ends.push(end as u32);
        }
        starts.push(n as u32);
        let mut place = vec![0; n];
        for (at, &row) in order.iter().enumerate() {
            place[row as usize] = at as u32;
        }
        Ok(Self { place, starts, ends })
    }

    /// Test part of every row; `never` for those that only train.
    pub(crate) fn folds(&self, never: u32) -> Vec<u32> {
        let fold = |&place: &u32| self.starts.partition_point(|&start| start <= place) as u32;
        self.place.iter().map(|place| fold(place).checked_sub(1).unwrap_or(never)).collect()
    }

    /// Test rows over training rows, of all test parts together.
    pub(crate) fn test_to_train(&self) -> f64 {
        let train: u64 = self.ends.iter().map(|&end| u64::from(end)).sum();
        f64::from(self.place.len() as u32 - self.starts[0]) / train as f64
    }

    /// Whether a row trains for a test part.
    pub(crate) fn trains(&self, row: usize, fold: u32) -> bool {
        self.place[row] < self.ends[fold as usize]
    }
}

/// The changes nearest to the ends of equal parts, each behind the one before it.
fn cuts(changes: &[usize], n: usize, k: usize) -> Vec<usize> {
    let size = (n / (k + 1)).max(1);
    let mut from = 0;
    (0..k)
        .map(|fold| {
            let target = n.saturating_sub((k - fold) * size);
            // Every later cut needs a change of its own.
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

    fn parts(times: &[f64], k: u32, gap: Gap) -> Vec<(Vec<usize>, Vec<usize>)> {
        let found = Ahead::new(times, k, gap).unwrap();
        let folds = found.folds(u32::MAX);
        let rows = |of: &dyn Fn(usize) -> bool| (0..times.len()).filter(|&row| of(row)).collect::<Vec<_>>();
        (0..k).map(|fold| (rows(&|row| found.trains(row, fold)), rows(&|row| folds[row] == fold))).collect()
    }

    #[test]
    fn different_times_are_cut_as_scikit_learn_cuts() {
        // TimeSeriesSplit(n_splits=3).split of 10 rows: tests of 2, the first 4 train.
        let times: Vec<f64> = (0..10).map(f64::from).collect();
        let all = |to: usize| (0..to).collect::<Vec<_>>();
        assert_eq!(
            parts(&times, 3, Gap::Rows(0)),
            [(all(4), vec![4, 5]), (all(6), vec![6, 7]), (all(8), vec![8, 9])]
        );
        // TimeSeriesSplit(n_splits=3, gap=2).
        let trained: Vec<usize> =
            parts(&times, 3, Gap::Rows(2)).iter().map(|(train, _)| train.len()).collect();
        assert_eq!(trained, [2, 4, 6]);
        let trained: Vec<usize> =
            parts(&times, 3, Gap::Time(1.5)).iter().map(|(train, _)| train.len()).collect();
        assert_eq!(trained, [3, 5, 7]);
        // A gap of exactly two leaves the row two before in.
        assert_eq!(parts(&times, 3, Gap::Time(2.0))[0].0, all(3));
    }

    #[test]
    fn rows_need_not_be_in_order() {
        assert_eq!(parts(&[3.0, 0.0, 2.0, 1.0], 1, Gap::Rows(0)), [(vec![1, 3], vec![0, 2])]);
    }

    #[test]
    fn rows_of_one_time_stay_together() {
        let times = [0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0];
        for (train, test) in parts(&times, 3, Gap::Rows(0)) {
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
    fn what_cannot_be_is_said() {
        let said = |times: &[f64], k, gap| Ahead::new(times, k, gap).unwrap_err().to_string();
        assert!(said(&[1.0, 1.0, 2.0], 2, Gap::Rows(0)).contains("2 different values, but 2 folds"));
        assert!(said(&[1.0, 1.0], 2, Gap::Rows(0)).contains("1 different value,"));
        assert!(said(&[1.0, f64::NAN, 2.0], 1, Gap::Rows(0)).contains("row 1 has NaN"));
        assert!(said(&[1.0, 2.0, 3.0], 2, Gap::Rows(1)).contains("leaves no row to train on"));
        assert!(said(&[1.0, 2.0, 3.0], 2, Gap::Time(5.0)).contains("fold 0"));
    }
}
