//! Block-wise iteration over rows, with every numeric column of a block contiguous in memory.

use imbcore_core::{Column, Frame, Result, RunContext, parallel};
use std::ops::Range;

/// Number of rows of a block.
///
/// The columns of a block stay in the L1/L2 cache while all boxes are evaluated on them.
pub(crate) const BLOCK: usize = 1024;

/// Number of blocks of one parallel task.
///
/// Each task has a partial sum of its own. If this number depended on the thread count, so would the rounding
/// of the sums.
const TASK: usize = 16;

/// Number of rows of a parallel task.
///
/// Batches have a multiple of this number of rows, except for the last batch. Sums over batches are therefore
/// equal to sums over the whole table bit for bit.
pub(crate) const TASK_ROWS: usize = BLOCK * TASK;

/// Connection to other processes, each of which holds a partition of the rows.
pub trait RemotePartitions: Sync {
    /// Sends a request to every partition and returns the responses in row order.
    ///
    /// If `in_turn` is true, the partitions run one after the other. Each partition then receives the
    /// response of the previous partition, and the result is the last response alone.
    ///
    /// # Errors
    /// Errors of the connection and of the computation in a partition.
    fn send_request(&self, question: Vec<u8>, in_turn: bool, ctl: RunContext<'_>) -> Result<Vec<Vec<u8>>>;
}

/// Source of rows: a table in memory, repeatable batches, or remote partitions.
pub trait RowSource: Sync {
    /// Calls `body` for each batch, in row order.
    ///
    /// The arguments of `body` are the number of the first row of the batch and the batch. See [`TASK_ROWS`]
    /// for the size of a batch.
    ///
    /// # Errors
    /// Errors of `body`, and errors of reading the rows.
    fn for_each_batch(
        &self,
        body: &mut dyn FnMut(usize, &Frame<'_>) -> Result<()>,
        ctl: RunContext<'_>,
    ) -> Result<()>;

    /// The whole table if all rows are in memory, otherwise `None`.
    fn in_memory_table(&self) -> Option<&Frame<'_>> {
        None
    }

    /// The remote partitions if the rows are in other processes, otherwise `None`.
    fn remote_partitions(&self) -> Option<&dyn RemotePartitions> {
        None
    }
}

impl RowSource for Frame<'_> {
    fn for_each_batch(
        &self,
        body: &mut dyn FnMut(usize, &Frame<'_>) -> Result<()>,
        _: RunContext<'_>,
    ) -> Result<()> {
        body(0, self)
    }

    fn in_memory_table(&self) -> Option<&Frame<'_>> {
        Some(self)
    }
}

#[derive(Clone, Copy)]
pub(crate) enum ColumnBlock<'a> {
    Numbers(&'a [f64]),
    Codes(&'a [u32]),
}

/// Runs `body` in parallel tasks of [`TASK_ROWS`] rows and returns the states of all tasks.
///
/// A task starts with the state that `fresh` returns. It calls `body` with this state for each block of its
/// rows. The states are returned in row order.
pub(crate) fn map_row_blocks<T: Send>(
    table: &dyn RowSource,
    ctl: RunContext<'_>,
    fresh: impl Fn() -> T + Sync,
    body: impl Fn(&mut T, Range<usize>, &[ColumnBlock<'_>]) -> Result<()> + Sync,
) -> Result<Vec<T>> {
    let mut states = Vec::new();
    let mut take = |first: usize, frame: &Frame<'_>| {
        states.extend(map_batch_blocks((first, frame), ctl, &fresh, &body)?);
        Ok(())
    };
    table.for_each_batch(&mut take, ctl)?;
    Ok(states)
}

/// Runs the tasks of [`map_row_blocks`] on one batch; its first row has the number `before`.
pub(crate) fn map_batch_blocks<T: Send>(
    (before, frame): (usize, &Frame<'_>),
    ctl: RunContext<'_>,
    fresh: &(impl Fn() -> T + Sync),
    body: &(impl Fn(&mut T, Range<usize>, &[ColumnBlock<'_>]) -> Result<()> + Sync),
) -> Result<Vec<T>> {
    let n_rows = frame.n_rows();
    parallel::try_map((0..n_rows).step_by(TASK_ROWS), |first| {
        let mut state = fresh();
        let mut buffer = Vec::new();
        let end = (first + TASK_ROWS).min(n_rows);
        for start in (first..end).step_by(BLOCK) {
            ctl.check()?;
            let rows = start..(start + BLOCK).min(end);
            let numbered = before + rows.start..before + rows.end;
            with_columns_of_rows(frame, rows, &mut buffer, |parts| body(&mut state, numbered, parts))?;
        }
        Ok(state)
    })
}

/// Columns that are not contiguous in memory are copied into `buffer`.
fn with_columns_of_rows<T>(
    frame: &Frame<'_>,
    rows: Range<usize>,
    buffer: &mut Vec<f64>,
    body: impl FnOnce(&[ColumnBlock<'_>]) -> T,
) -> T {
    let strided = |column: &&Column<'_>| matches!(column, Column::Numeric(v) if v.as_slice().is_none());
    let n_strided = frame.columns().iter().filter(strided).count();
    buffer.resize(n_strided * rows.len(), 0.0);
    let mut copies = buffer.chunks_exact_mut(rows.len().max(1));
    let parts: Vec<ColumnBlock<'_>> = frame
        .columns()
        .iter()
        .map(|column| match column {
            Column::Nominal { codes, .. } => ColumnBlock::Codes(&codes[rows.clone()]),
            Column::Numeric(values) => {
                if let Some(slice) = values.as_slice() {
                    return ColumnBlock::Numbers(&slice[rows.clone()]);
                }
                let copy = copies.next().unwrap_or_default();
                let (memory, stride) = values.slice_from_row(rows.start);
                for (slot, value) in copy.iter_mut().zip(memory.iter().step_by(stride)) {
                    *slot = *value;
                }
                ColumnBlock::Numbers(copy)
            }
        })
        .collect();
    body(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_memory_order_gives_the_same_blocks_in_order() {
        let n = BLOCK * TASK + 3;
        let by_columns: Vec<f64> = (0..2 * n).map(|i| i as f64).collect();
        let by_rows: Vec<f64> = (0..n).flat_map(|i| [i as f64, (n + i) as f64]).collect();
        let seen = |frame: &Frame<'_>| {
            let parts =
                map_row_blocks(frame, RunContext::silent(), Vec::new, |seen: &mut Vec<f64>, rows, parts| {
                    for part in parts {
                        let ColumnBlock::Numbers(values) = part else { panic!("numbers") };
                        assert_eq!(values.len(), rows.len());
                        seen.push(values.iter().sum());
                    }
                    Ok(())
                });
            parts.unwrap()
        };
        let columns = seen(&Frame::from_column_major(&by_columns, n, 2).unwrap());
        assert_eq!(columns, seen(&Frame::from_row_major(&by_rows, n, 2).unwrap()));
        assert_eq!((columns.len(), columns[1].len()), (2, 2));
    }
}
