//! Order of training rows for ordered target statistics.
//! The history of a row consists of the earlier rows from which its statistic is computed.

use imbcore_core::{Result, RowDependence, RowGroups, RowTimes, SeedKey, TimeGap, memory, shuffle};

const WHAT: &str = "target statistics";

/// Consecutive rows of an order that have the same history, before groups are left out.
pub(crate) struct RowBlock {
    /// Position after the last row of the block.
    ///
    /// The block starts at the end of the previous block.
    pub(crate) end: u32,
    /// Size of the history, which consists of the first rows of the order.
    ///
    /// It may end before the block starts, for example if rows have a time gap.
    pub(crate) n_before: u32,
}

/// Order in which training rows are added to the class sums of their levels.
///
/// Invariant: all rows in the history of a row come before it in the order, so the history never contains the
/// row itself.
pub(crate) struct RowOrder {
    pub(crate) rows: Vec<u32>,
    pub(crate) blocks: Vec<RowBlock>,
    /// Group of each row if the rows have times and groups.
    ///
    /// A history in an order by time leaves out the group of its row.
    pub(crate) left_out: Option<Vec<u32>>,
}

impl RowOrder {
    /// Orders rows by time or, if there are no times, at random.
    ///
    /// In a random order, the rows of a group form one block. In an order by time, rows of equal time form
    /// one block. If there is a time gap, the last rows or the last period before a block do not belong to
    /// its history.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`].
    pub(crate) fn new(rows: &[u32], dependence: RowDependence<'_>, key: SeedKey) -> Result<Self> {
        if let Some(times) = dependence.times() {
            return Self::from_times(rows, times, dependence.groups());
        }
        let Some(groups) = dependence.groups() else {
            let mut order = memory::collect(rows.iter().copied(), WHAT)?;
            shuffle(&mut key.rng(), &mut order);
            let blocks = (0..order.len() as u32).map(|place| RowBlock { end: place + 1, n_before: place });
            return Ok(Self { rows: order, blocks: memory::collect(blocks, WHAT)?, left_out: None });
        };
        let by_group = RowGroups::new(rows.iter().map(|&row| groups[row as usize]));
        let mut order: Vec<usize> = (0..by_group.n_groups()).collect();
        shuffle(&mut key.rng(), &mut order);
        let mut ordered = memory::try_with_capacity(rows.len(), WHAT)?;
        let mut blocks = memory::try_with_capacity(order.len(), WHAT)?;
        for group in order {
            let n_before = ordered.len() as u32;
            ordered.extend(by_group.rows(group).iter().map(|&place| rows[place as usize]));
            blocks.push(RowBlock { end: ordered.len() as u32, n_before });
        }
        Ok(Self { rows: ordered, blocks, left_out: None })
    }

    fn from_times(
        rows: &[u32],
        RowTimes { values, gap }: RowTimes<'_>,
        groups: Option<&[u32]>,
    ) -> Result<Self> {
        let time = |row: u32| values[row as usize];
        let mut order = memory::collect(rows.iter().copied(), WHAT)?;
        order.sort_unstable_by(|&a, &b| time(a).total_cmp(&time(b)).then(a.cmp(&b)));
        // Times in `order` are ascending, so `>=` holds only for equal times.
        let (mut blocks, mut start) = (Vec::new(), 0_usize);
        for block in order.chunk_by(|&a, &b| time(a) >= time(b)) {
            let usable = match gap {
                TimeGap::Rows(n) => start.saturating_sub(n),
                TimeGap::Time(amount) => {
                    let last = time(block[0]) - amount;
                    order[..start].partition_point(|&row| time(row) <= last)
                }
            };
            start += block.len();
            memory::push(&mut blocks, RowBlock { end: start as u32, n_before: usable as u32 }, WHAT)?;
        }
        let left_out = groups.map(|groups| memory::collect(groups.iter().copied(), WHAT)).transpose()?;
        Ok(Self { rows: order, blocks, left_out })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histories(order: &RowOrder) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new(); order.rows.len()];
        let mut start = 0;
        for &RowBlock { end, n_before } in &order.blocks {
            for &row in &order.rows[start..end as usize] {
                all[row as usize] = order.rows[..n_before as usize].to_vec();
            }
            start = end as usize;
        }
        all
    }

    #[test]
    fn no_row_uses_itself_its_group_or_rows_of_its_time_or_later() {
        let rows: Vec<u32> = (0..40).collect();
        let groups: Vec<u32> = rows.iter().map(|row| row % 13).collect();
        let times: Vec<f64> = rows.iter().map(|row| f64::from(row * 7 % 11)).collect();
        let key = SeedKey::root(3);
        let order = |groups, times, gap| {
            RowOrder::new(&rows, RowDependence::new(groups, times, gap, 40).unwrap(), key).unwrap()
        };
        for (row, history) in histories(&order(None, None, None)).iter().enumerate() {
            assert!(!history.contains(&(row as u32)));
        }
        for (row, history) in histories(&order(Some(&groups), None, None)).iter().enumerate() {
            assert!(history.iter().all(|&other| groups[other as usize] != groups[row]));
        }
        for (gap, least) in [(None, 1.0), (Some(TimeGap::Time(3.0)), 3.0)] {
            for (row, history) in histories(&order(None, Some(&times), gap)).iter().enumerate() {
                let usable = |other: &u32| times[row] - times[*other as usize] >= least;
                let expected = rows.iter().filter(|other| usable(other)).count();
                assert!(history.iter().all(usable) && history.len() == expected);
            }
        }
        let by_rows = histories(&order(None, Some(&times), Some(TimeGap::Rows(5))));
        assert!(by_rows.iter().zip(&times).all(|(history, time)| {
            history.len() == times.iter().filter(|other| *other < time).count().saturating_sub(5)
        }));
    }
}
