//! Rows a block at a time, every numeric column of a block side by side in memory.

use imbcore_base::{Column, Frame, Result, RunCtl, share};
use std::ops::Range;

/// Rows of a block: its columns stay in the nearer caches while all boxes look at them.
pub(crate) const BLOCK: usize = 1024;

/// Blocks of one parallel task; its sums are kept apart, so their number must not grow with threads.
const TASK: usize = 16;

/// Rows of a piece are a multiple of this, but for those of the last: then sums are those of the whole table, to the last bit.
pub(crate) const PIECE: usize = BLOCK * TASK;

/// Others who hold the rows.
pub trait Holders: Sync {
    /// Answers to a question about all rows, in their order; where it goes round `in_turn`, each is told the answer before its
    /// own, and the last is the only one that counts.
    ///
    /// # Errors
    /// Whatever keeps them from answering.
    fn ask(&self, question: Vec<u8>, in_turn: bool, ctl: RunCtl<'_>) -> Result<Vec<Vec<u8>>>;
}

/// Rows that are a table, that come in pieces as often as they are asked for, or that stay with others who are asked about them.
pub trait Pieces: Sync {
    /// Hands over all rows in their order, with the number of the first of each piece; see `PIECE`.
    ///
    /// # Errors
    /// As `body`, and whatever keeps the rows from coming.
    fn each(&self, body: &mut dyn FnMut(usize, &Frame<'_>) -> Result<()>, ctl: RunCtl<'_>) -> Result<()>;

    /// The table, where it is one.
    fn whole(&self) -> Option<&Frame<'_>> {
        None
    }

    /// Those who hold the rows, where nobody hands them over.
    fn holders(&self) -> Option<&dyn Holders> {
        None
    }
}

impl Pieces for Frame<'_> {
    fn each(&self, body: &mut dyn FnMut(usize, &Frame<'_>) -> Result<()>, _: RunCtl<'_>) -> Result<()> {
        body(0, self)
    }

    fn whole(&self) -> Option<&Frame<'_>> {
        Some(self)
    }
}

/// One column of a block.
#[derive(Clone, Copy)]
pub(crate) enum ColumnBlock<'a> {
    /// Numbers, NaN = missing.
    Numbers(&'a [f64]),
    /// Level codes.
    Codes(&'a [u32]),
}

/// Runs `task` over ranges of blocks in parallel; results come in the order of the rows.
///
/// `task` gets a state of its own and every block of its range with its columns.
pub(crate) fn map_rows<T: Send>(
    table: &dyn Pieces,
    ctl: RunCtl<'_>,
    fresh: impl Fn() -> T + Sync,
    body: impl Fn(&mut T, Range<usize>, &[ColumnBlock<'_>]) -> Result<()> + Sync,
) -> Result<Vec<T>> {
    let mut states = Vec::new();
    let mut take = |first: usize, frame: &Frame<'_>| {
        states.extend(map_piece((first, frame), ctl, &fresh, &body)?);
        Ok(())
    };
    table.each(&mut take, ctl)?;
    Ok(states)
}

/// The same for one piece and the number of its first row.
pub(crate) fn map_piece<T: Send>(
    (before, frame): (usize, &Frame<'_>),
    ctl: RunCtl<'_>,
    fresh: &(impl Fn() -> T + Sync),
    body: &(impl Fn(&mut T, Range<usize>, &[ColumnBlock<'_>]) -> Result<()> + Sync),
) -> Result<Vec<T>> {
    let n_rows = frame.n_rows();
    share::try_map((0..n_rows).step_by(PIECE), |first| {
        let mut state = fresh();
        let mut buffer = Vec::new();
        let end = (first + PIECE).min(n_rows);
        for start in (first..end).step_by(BLOCK) {
            ctl.check()?;
            let rows = start..(start + BLOCK).min(end);
            let numbered = before + rows.start..before + rows.end;
            with_block(frame, rows, &mut buffer, |parts| body(&mut state, numbered, parts))?;
        }
        Ok(state)
    })
}

/// Hands the columns of some rows to `body`; strided ones are copied into `buffer`.
fn with_block<T>(
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
                let (memory, stride) = values.from_row(rows.start);
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
            let parts = map_rows(frame, RunCtl::silent(), Vec::new, |seen: &mut Vec<f64>, rows, parts| {
                for part in parts {
                    let ColumnBlock::Numbers(values) = part else { panic!("numbers") };
                    assert_eq!(values.len(), rows.len());
                    seen.push(values.iter().sum());
                }
                Ok(())
            });
            parts.unwrap()
        };
        let columns = seen(&Frame::from_columns(&by_columns, n, 2).unwrap());
        assert_eq!(columns, seen(&Frame::from_rows(&by_rows, n, 2).unwrap()));
        assert_eq!((columns.len(), columns[1].len()), (2, 2));
    }
}
