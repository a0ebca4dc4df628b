//! Dependence between rows: groups of rows that belong together, and times of rows.

use crate::error::{Error, Result};
use crate::rng::{SeedKey, random_below, shuffle};
use crate::tags;

/// Groups and times of the rows of a table.
///
/// Rows of one group are similar for reasons other than their class, such as the payments of one customer.
/// Choices inside a fit are validated on held-out rows. If rows have groups, the held-out rows belong to
/// groups that training did not see. If rows have times, the held-out rows are later than the training rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowDependence<'a> {
    groups: Option<&'a [u32]>,
    times: Option<RowTimes<'a>>,
    alert_groups: Option<&'a [u32]>,
}

/// Gap between training rows and later test rows; the rows in the gap are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeGap {
    /// Omits at least this number of rows before the first test row.
    Rows(usize),
    /// Omits the rows whose time precedes the first test row by less than this amount.
    Time(f64),
}

/// Times of rows, and the gap between training rows and later test rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowTimes<'a> {
    /// Time of each row, finite.
    pub values: &'a [f64],
    /// Rows before the first test row that are left out of training.
    pub gap: TimeGap,
}

impl<'a> RowDependence<'a> {
    /// Checks and combines group codes, times and the gap before later test rows.
    ///
    /// Group codes must be below `n_rows`. If every group has only one row, groups are ignored.
    ///
    /// # Errors
    /// [`Error::Data`] for lengths other than `n_rows`, times that are not finite, or an invalid group code;
    /// [`Error::Parameter`] for an invalid gap, or a gap without times.
    pub fn new(
        groups: Option<&'a [u32]>,
        times: Option<&'a [f64]>,
        gap: Option<TimeGap>,
        n_rows: usize,
    ) -> Result<Self> {
        let lengths = [("groups", groups.map(<[u32]>::len)), ("time", times.map(<[f64]>::len))];
        for (name, length) in lengths {
            if let Some(length) = length.filter(|&length| length != n_rows) {
                return Err(Error::Data(format!("{name} has {length} values, but X has {n_rows} rows")));
            }
        }
        if let Some(row) = times.and_then(|times| times.iter().position(|time| !time.is_finite())) {
            return Err(Error::Data(format!(
                "time must be finite in every row, but row {row} has {}; fill it in or drop these rows",
                times.map_or(f64::NAN, |times| times[row])
            )));
        }
        if let Some(gap) = gap {
            let value = match gap {
                TimeGap::Rows(rows) => rows as f64,
                TimeGap::Time(amount) => amount,
            };
            if times.is_none() {
                return Err(Error::parameter("fit", "time_gap", "None unless time is given", value));
            }
            if !value.is_finite() || value < 0.0 {
                return Err(Error::parameter("fit", "time_gap", "finite and at least 0", value));
            }
        }
        if let Some(code) = groups.and_then(|codes| codes.iter().find(|&&code| code as usize >= n_rows)) {
            return Err(Error::Data(format!("group code {code} is not below the number of rows, {n_rows}")));
        }
        let repeated = |codes: &&[u32]| {
            let mut seen = vec![false; n_rows];
            codes.iter().any(|&code| std::mem::replace(&mut seen[code as usize], true))
        };
        let times = times.map(|values| RowTimes { values, gap: gap.unwrap_or(TimeGap::Rows(0)) });
        Ok(Self { groups: groups.filter(repeated), times, alert_groups: None })
    }

    /// Sets the groups by which an alert budget counts alerts.
    ///
    /// All alerts of one group in a period count once. If `alert_groups` is `None`, the groups are
    /// [`Self::groups`].
    ///
    /// # Errors
    /// [`Error::Data`] unless there is one group code per row.
    pub fn with_alert_groups(self, alert_groups: Option<&'a [u32]>, n_rows: usize) -> Result<Self> {
        if let Some(length) = alert_groups.map(<[u32]>::len).filter(|&length| length != n_rows) {
            return Err(Error::Data(format!(
                "threshold[\"by\"] has {length} values, but X has {n_rows} rows"
            )));
        }
        Ok(Self { alert_groups, ..self })
    }

    /// Group code of each row; `None` without groups or if every group has only one row.
    pub fn groups(&self) -> Option<&'a [u32]> {
        self.groups
    }

    /// Groups of rows; an alert budget counts all alerts of a group in a period once.
    pub fn alert_groups(&self) -> Option<&'a [u32]> {
        self.alert_groups.or(self.groups)
    }

    /// Times of the rows.
    pub fn times(&self) -> Option<RowTimes<'a>> {
        self.times
    }

    /// Whether rows have neither groups nor times.
    pub fn is_none(&self) -> bool {
        self.groups.is_none() && self.times.is_none()
    }

    /// Groups and times of the rows with these indices, in this order; an index may occur twice.
    pub fn take(&self, rows: impl Iterator<Item = u32> + Clone) -> OwnedRowDependence {
        let codes = |of_rows: &'a [u32]| rows.clone().map(|row| of_rows[row as usize]).collect();
        let (groups, alert_groups) = (self.groups.map(codes), self.alert_groups.map(codes));
        let times =
            self.times.map(|RowTimes { values, gap }| (rows.map(|row| values[row as usize]).collect(), gap));
        OwnedRowDependence { groups, times, alert_groups }
    }
}

/// Groups and times of copied rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnedRowDependence {
    groups: Option<Vec<u32>>,
    times: Option<(Vec<f64>, TimeGap)>,
    alert_groups: Option<Vec<u32>>,
}

impl OwnedRowDependence {
    /// Borrows the groups and times.
    pub fn borrow(&self) -> RowDependence<'_> {
        RowDependence {
            groups: self.groups.as_deref(),
            times: self.times.as_ref().map(|(values, gap)| RowTimes { values, gap: *gap }),
            alert_groups: self.alert_groups.as_deref(),
        }
    }
}

/// Positions of rows by group, from which whole groups are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct RowGroups {
    /// Positions of all rows, sorted by group, ascending within a group.
    positions: Vec<u32>,
    /// Index in `positions` at which each group starts; the last element is `positions.len()`.
    starts: Vec<u32>,
}

impl RowGroups {
    /// Collects the positions of a list of group codes.
    ///
    /// Groups are numbered in the order of their first positions, so that draws do not depend on the codes.
    pub fn new(codes: impl Iterator<Item = u32> + Clone) -> Self {
        let mut number = vec![u32::MAX; codes.clone().max().map_or(0, |code| code as usize + 1)];
        let mut counts: Vec<u32> = Vec::new();
        for code in codes.clone() {
            let number = &mut number[code as usize];
            if *number == u32::MAX {
                *number = counts.len() as u32;
                counts.push(0);
            }
            counts[*number as usize] += 1;
        }
        let mut end = 0;
        let mut starts: Vec<u32> = std::iter::once(0)
            .chain(counts.iter().map(|count| {
                end += count;
                end
            }))
            .collect();
        let mut positions = vec![0; end as usize];
        for (position, code) in (0..).zip(codes) {
            let next = &mut starts[number[code as usize] as usize];
            positions[*next as usize] = position;
            *next += 1;
        }
        // The loop has moved each start to the end of its group, which is the start of the next group.
        starts.rotate_right(1);
        starts[0] = 0;
        let n_groups = counts.len();
        starts.truncate(n_groups);
        starts.push(end);
        Self { positions, starts }
    }

    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of positions.
    pub fn n_rows(&self) -> usize {
        self.positions.len()
    }

    /// Ascending positions of the rows of the group with this number.
    pub fn rows(&self, group: usize) -> &[u32] {
        &self.positions[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// Draws groups at random, and calls `take` with the positions of all rows of each group.
    ///
    /// `n` is the number of draws. If groups are drawn without `replacement` and there are at most `n`
    /// groups, all groups are used.
    pub fn draw_groups(&self, n: usize, replacement: bool, key: SeedKey, mut take: impl FnMut(u32)) {
        let mut rng = key.child(tags::drawn::GROUPS, 0).rng();
        let n_groups = self.n_groups();
        let mut take_group = |group: usize| self.rows(group).iter().copied().for_each(&mut take);
        if replacement {
            (0..n).for_each(|_| take_group(random_below(&mut rng, n_groups as u32) as usize));
            return;
        }
        let mut order: Vec<usize> = (0..n_groups).collect();
        shuffle(&mut rng, &mut order);
        order.into_iter().take(n).for_each(take_group);
    }

    /// Marks all positions of each group in which at least one position is marked.
    pub fn mark_whole_groups(&self, marked: &mut [bool]) {
        for group in 0..self.n_groups() {
            let rows = self.rows(group);
            if rows.iter().any(|&row| marked[row as usize]) {
                for &row in rows {
                    marked[row as usize] = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_groups_and_times_are_refused() {
        let message = |groups: Option<&[u32]>, times: Option<&[f64]>, gap| {
            RowDependence::new(groups, times, gap, 3).unwrap_err().to_string()
        };
        assert!(message(Some(&[0, 0]), None, None).contains("groups has 2 values, but X has 3 rows"));
        assert!(message(None, Some(&[0.0; 4]), None).contains("time has 4 values"));
        assert!(message(None, Some(&[0.0, f64::NAN, 1.0]), None).contains("row 1 has NaN"));
        assert!(message(None, None, Some(TimeGap::Rows(1))).contains("None unless time is given"));
        assert!(message(None, Some(&[0.0; 3]), Some(TimeGap::Time(-1.0))).contains("at least 0"));
        assert!(message(Some(&[0, 3, 1]), None, None).contains("group code 3"));
    }

    #[test]
    fn groups_of_one_row_are_no_groups() {
        let none = RowDependence::new(Some(&[2, 0, 1]), None, None, 3).unwrap();
        assert!(none.is_none());
        let some = RowDependence::new(Some(&[2, 0, 2]), Some(&[1.0, 2.0, 3.0]), Some(TimeGap::Time(0.5)), 3)
            .unwrap();
        assert_eq!(some.groups(), Some(&[2, 0, 2][..]));
        assert_eq!(some.alert_groups(), some.groups());
        let some = some.with_alert_groups(Some(&[7, 8, 9]), 3).unwrap();
        assert!(some.with_alert_groups(Some(&[7]), 3).is_err());
        let subset = some.take([2, 2, 1].into_iter());
        assert_eq!(subset.borrow().alert_groups(), Some(&[9, 9, 8][..]));
        assert_eq!(subset.borrow().groups(), Some(&[2, 2, 0][..]));
        assert_eq!(
            subset.borrow().times(),
            Some(RowTimes { values: &[3.0, 3.0, 2.0], gap: TimeGap::Time(0.5) })
        );
    }

    #[test]
    fn whole_groups_are_drawn_whatever_their_codes() {
        let groups = RowGroups::new([7, 3, 7, 0, 3, 7].into_iter());
        assert_eq!((groups.n_groups(), groups.n_rows()), (3, 6));
        let all: Vec<&[u32]> = (0..3).map(|group| groups.rows(group)).collect();
        assert_eq!(all, [&[0, 2, 5][..], &[1, 4], &[3]]);
        assert_eq!(groups, RowGroups::new([0, 1, 0, 2, 1, 0].into_iter()));
        let drawn = |n, replacement, seed| {
            let mut rows = Vec::new();
            groups.draw_groups(n, replacement, SeedKey::root(seed), |row| rows.push(row));
            rows
        };
        for seed in 0..20 {
            let mut once = drawn(5, false, seed);
            once.sort_unstable();
            assert_eq!(once, [0, 1, 2, 3, 4, 5]);
            let rows = drawn(3, true, seed);
            let times = |row| rows.iter().filter(|&&other| other == row).count();
            assert!(times(0) == times(2) && times(2) == times(5) && times(1) == times(4));
            assert_eq!(times(0) + times(1) + times(3), 3);
        }
        let mut marked = [false, true, false, false, false, false];
        groups.mark_whole_groups(&mut marked);
        assert_eq!(marked, [false, true, false, false, true, false]);
    }
}
