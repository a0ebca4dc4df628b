//! First pass over a table: computes feature ranges and copies the positive rows to memory.

use crate::box_drawing::MissingRule;
use crate::box_task::check_no_missing_values;
use crate::drawing_rules::TrainingRange;
use crate::feature_scale::{FeatureRangesByTask, compute_partial_ranges, merge_ranges};
use crate::row_pass::{PartitionRequestKind, RowPartition, deserialize_next, send_to_partitions};
use crate::row_source::RowSource;
use imbcore_core::{ColumnBuf, Error, Frame, FrameBuf, Result, RunContext};
use serde::{Deserialize, Serialize};

/// A table whose positive rows are in memory; the other rows are read when they are needed.
pub(crate) struct TableAfterFirstPass<'a> {
    pub(crate) rows: &'a dyn RowSource,
    pub(crate) positives: FrameBuf,
    /// Numbers of the positive rows, ascending.
    pub(crate) of: Vec<usize>,
    pub(crate) range: TrainingRange,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FirstPassConfig {
    pub(crate) method: String,
    pub(crate) class: u32,
    pub(crate) missing: MissingRule,
}

#[derive(Default, Serialize, Deserialize)]
pub(crate) struct FirstPassPartialResult {
    ranges: FeatureRangesByTask,
    of: Vec<usize>,
    columns: Vec<ColumnBuf>,
}

impl FirstPassPartialResult {
    fn from_rows(first: usize, frame: &Frame<'_>, positive: &[bool], ctl: RunContext<'_>) -> Result<Self> {
        let positive_rows: Vec<u32> =
            (0..frame.n_rows() as u32).filter(|&row| positive[row as usize]).collect();
        Ok(Self {
            ranges: compute_partial_ranges(frame, ctl)?,
            columns: frame.take(&positive_rows, ctl)?.into_columns(),
            of: positive_rows.into_iter().map(|row| first + row as usize).collect(),
        })
    }

    fn append_following_rows(&mut self, later: Self) -> Result<()> {
        self.ranges.extend(later.ranges);
        self.of.extend(later.of);
        append_columns(&mut self.columns, later.columns)
    }
}

impl FirstPassConfig {
    pub(crate) fn run_on_partition(
        &self,
        held: &RowPartition<'_>,
        ctl: RunContext<'_>,
    ) -> Result<FirstPassPartialResult> {
        let RowPartition { frame, classes, first } = *held;
        frame.check_finite()?;
        match self.missing {
            MissingRule::Error => check_no_missing_values(&self.method, frame)?,
            MissingRule::Outside | MissingRule::Inside => {}
        }
        let positive: Vec<bool> = classes.iter().map(|&class| class == self.class).collect();
        FirstPassPartialResult::from_rows(first, frame, &positive, ctl)
    }
}

impl<'a> TableAfterFirstPass<'a> {
    /// Runs the first pass over a validated table.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn new(frame: &'a Frame<'a>, positive: &[bool], ctl: RunContext<'_>) -> Result<Self> {
        Self::from_partial_result(
            frame,
            FirstPassPartialResult::from_rows(0, frame, positive, ctl)?,
            frame.n_columns(),
        )
    }

    /// Runs the first pass over rows in batches or remote partitions.
    ///
    /// `classes` has the class codes of rows in batches. Remote partitions use the class codes that they
    /// store.
    ///
    /// # Errors
    /// Same errors as [`FirstPassConfig::run_on_partition`], [`Error::Cancelled`], and errors of reading the
    /// rows.
    pub(crate) fn from_batches(
        rows: &'a dyn RowSource,
        classes: &[u32],
        looking: &FirstPassConfig,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let mut seen = FirstPassPartialResult::default();
        if let Some(holders) = rows.remote_partitions() {
            for response in send_to_partitions(holders, PartitionRequestKind::Look, looking, false, ctl)? {
                seen.append_following_rows(deserialize_next(&mut response.as_slice())?)?;
            }
        } else {
            let mut take = |first: usize, frame: &Frame<'_>| {
                let classes = classes.get(first..first + frame.n_rows()).ok_or_else(too_many_rows_error)?;
                seen.append_following_rows(
                    looking.run_on_partition(&RowPartition { frame, classes, first }, ctl)?,
                )
            };
            rows.for_each_batch(&mut take, ctl)?;
        }
        let n_columns = seen.columns.len();
        Self::from_partial_result(rows, seen, n_columns)
    }

    fn from_partial_result(
        rows: &'a dyn RowSource,
        seen: FirstPassPartialResult,
        n_columns: usize,
    ) -> Result<Self> {
        let range = merge_ranges(&seen.ranges, n_columns);
        Ok(Self { rows, positives: FrameBuf::new(seen.columns)?, of: seen.of, range })
    }
}

fn too_many_rows_error() -> Error {
    Error::Data("there are more rows than labels; the data may have changed during the fit".into())
}

fn append_columns(columns: &mut Vec<ColumnBuf>, more: Vec<ColumnBuf>) -> Result<()> {
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
        _ => Err(Error::Internal("batches differ in the type of a column".into())),
    })
}
