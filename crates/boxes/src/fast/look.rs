//! The first look at a table: the ranges of its features, and its positive rows, which all fit into memory.

use crate::blocks::Pieces;
use crate::drawing::MissingRule;
use crate::rules::TrainingRange;
use crate::scale::{RangeParts, joined_range, range_parts};
use crate::step::{Held, Kind, ask, unpacked};
use crate::task::refuse_missing;
use imbcore_base::{ColumnBuf, Error, Frame, FrameBuf, Result, RunCtl};
use serde::{Deserialize, Serialize};

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

/// How rows are looked at that nobody has seen before.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Looking {
    pub(crate) method: String,
    /// Code of the class of the positive rows.
    pub(crate) class: u32,
    pub(crate) missing: MissingRule,
}

/// What is seen of some rows: ranges, and the positive rows with their numbers.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    ranges: RangeParts,
    of: Vec<usize>,
    columns: Vec<ColumnBuf>,
}

impl Seen {
    fn at(first: usize, frame: &Frame<'_>, positive: &[bool], ctl: RunCtl<'_>) -> Result<Self> {
        let own: Vec<u32> = (0..frame.n_rows() as u32).filter(|&row| positive[row as usize]).collect();
        Ok(Self {
            ranges: range_parts(frame, ctl)?,
            columns: frame.take(&own, ctl)?.into_columns(),
            of: own.into_iter().map(|row| first + row as usize).collect(),
        })
    }

    /// Takes what is seen of later rows.
    fn join(&mut self, later: Self) -> Result<()> {
        self.ranges.extend(later.ranges);
        self.of.extend(later.of);
        join(&mut self.columns, later.columns)
    }
}

impl Looking {
    /// Looks at some rows, of which some may be refused.
    pub(crate) fn seen(&self, held: &Held<'_>, ctl: RunCtl<'_>) -> Result<Seen> {
        let Held { frame, classes, first } = *held;
        frame.check_finite()?;
        match self.missing {
            MissingRule::Error => refuse_missing(&self.method, frame)?,
            MissingRule::Outside | MissingRule::Inside => {}
        }
        let positive: Vec<bool> = classes.iter().map(|&class| class == self.class).collect();
        Seen::at(first, frame, &positive, ctl)
    }
}

impl<'a> Look<'a> {
    /// Looks at a table that was checked.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn new(frame: &'a Frame<'a>, positive: &[bool], ctl: RunCtl<'_>) -> Result<Self> {
        Self::of(frame, Seen::at(0, frame, positive, ctl)?, frame.n_columns())
    }

    /// Reads rows of these classes once; those who hold rows elsewhere know the classes.
    ///
    /// # Errors
    /// As [`Looking::seen`]; [`Error::Cancelled`]; whatever keeps the rows from coming.
    pub(crate) fn of_pieces(
        rows: &'a dyn Pieces,
        classes: &[u32],
        looking: &Looking,
        ctl: RunCtl<'_>,
    ) -> Result<Self> {
        let mut seen = Seen::default();
        if let Some(holders) = rows.holders() {
            for answer in ask(holders, Kind::Look, looking, false, ctl)? {
                seen.join(unpacked(&mut answer.as_slice())?)?;
            }
        } else {
            let mut take = |first: usize, frame: &Frame<'_>| {
                let classes = classes.get(first..first + frame.n_rows()).ok_or_else(more_rows)?;
                seen.join(looking.seen(&Held { frame, classes, first }, ctl)?)
            };
            rows.each(&mut take, ctl)?;
        }
        let n_columns = seen.columns.len();
        Self::of(rows, seen, n_columns)
    }

    fn of(rows: &'a dyn Pieces, seen: Seen, n_columns: usize) -> Result<Self> {
        let range = joined_range(&seen.ranges, n_columns);
        Ok(Self { rows, positives: FrameBuf::new(seen.columns)?, of: seen.of, range })
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
