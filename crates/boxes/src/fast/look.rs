//! The first look at a table: the ranges of its features, and its positive rows, which all fit into memory.

use crate::blocks::Pieces;
use crate::rules::TrainingRange;
use crate::scale::{RangeParts, joined_range, range_parts};
use imbcore_base::{ColumnBuf, Error, Frame, FrameBuf, Result, RunCtl};

/// A table of which the positive rows are at hand, and the others come when they are asked for.
pub(crate) struct Look<'a> {
    /// All rows.
    pub(crate) rows: &'a dyn Pieces,
    /// The positive rows.
    pub(crate) positives: FrameBuf,
    /// Their numbers, ascending.
    pub(crate) of: Vec<usize>,
    /// Of all rows.
    pub(crate) range: TrainingRange,
}

impl<'a> Look<'a> {
    /// Reads all rows once; `check` may refuse a piece of them.
    ///
    /// # Errors
    /// As `check`; [`Error::Cancelled`]; whatever keeps the rows from coming.
    pub(crate) fn new(
        rows: &'a dyn Pieces,
        positive: &[bool],
        check: &dyn Fn(&Frame<'_>) -> Result<()>,
        ctl: RunCtl<'_>,
    ) -> Result<Self> {
        let (mut columns, mut parts): (Vec<ColumnBuf>, RangeParts) = (Vec::new(), Vec::new());
        let mut take = |first: usize, frame: &Frame<'_>| {
            check(frame)?;
            parts.extend(range_parts(frame, ctl)?);
            let own = positive.get(first..first + frame.n_rows()).ok_or_else(more_rows)?;
            let of: Vec<u32> = (0..own.len() as u32).filter(|&row| own[row as usize]).collect();
            join(&mut columns, frame.take(&of, ctl)?.into_columns())
        };
        rows.each(&mut take, ctl)?;
        let of = (0..positive.len()).filter(|&row| positive[row]).collect();
        let range = joined_range(&parts, columns.len());
        Ok(Self { rows, positives: FrameBuf::new(columns)?, of, range })
    }
}

fn more_rows() -> Error {
    Error::Data("there are more rows than there were labels: did the data change meanwhile?".into())
}

/// Puts the columns of more rows behind those that there are.
fn join(columns: &mut Vec<ColumnBuf>, more: Vec<ColumnBuf>) -> Result<()> {
    if columns.is_empty() {
        *columns = more;
        return Ok(());
    }
    columns.iter_mut().zip(more).try_for_each(|pair| match pair {
        (ColumnBuf::Numeric(values), ColumnBuf::Numeric(more)) => {
            values.extend(more);
            Ok(())
        }
        (ColumnBuf::Nominal { codes, .. }, ColumnBuf::Nominal { codes: more, .. }) => {
            codes.extend(more);
            Ok(())
        }
        _ => Err(Error::Internal("a piece of a column is of another kind".into())),
    })
}
