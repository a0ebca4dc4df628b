//! All columns as small whole numbers, made once for all trees that grow on the same data.

use crate::binned::edges::{Edges, MOST_BINS};
use crate::rows::training::{Table, TrainColumn};
use imbcore_base::{MISSING, Result, RunCtl, memory};
use rayon::prelude::*;

/// The bin of every row, column by column.
pub(crate) struct Bins(pub(crate) Vec<BinnedColumn>);

/// One column in bins.
pub(crate) struct BinnedColumn {
    pub(crate) codes: Codes,
    /// Number of bins that hold values; rows without a value have this as their bin.
    pub(crate) n_bins: usize,
    /// Values of a numeric column's bins; the bins of a nominal column are its levels.
    pub(crate) edges: Option<Edges>,
}

/// One bin a row; only nominal columns with more than 255 levels need more than a byte.
pub(crate) enum Codes {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

impl Bins {
    /// Puts the columns of `table` into at most `most` bins each.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub(crate) fn new(table: &Table<'_>, most: usize, ctl: RunCtl<'_>) -> Result<Self> {
        memory::room_for::<u8>(table.classes.len() * table.columns.len(), "columns in bins")?;
        let column = |column: &TrainColumn<'_>| BinnedColumn::new(column, table, most, ctl);
        Ok(Self(table.columns.par_iter().map(column).collect::<Result<_>>()?))
    }
}

impl BinnedColumn {
    fn new(column: &TrainColumn<'_>, table: &Table<'_>, most: usize, ctl: RunCtl<'_>) -> Result<Self> {
        ctl.check()?;
        Ok(match *column {
            TrainColumn::Numeric(ref values) => {
                let edges = Edges::new(values, table, most, ctl)?;
                ctl.check()?;
                let codes = Codes::Narrow(edges.bins(values));
                Self { codes, n_bins: edges.len(), edges: Some(edges) }
            }
            TrainColumn::Nominal { codes, levels } => {
                let bin = |&code: &u32| if code == MISSING { levels } else { code };
                let bins = codes.iter().map(bin);
                let codes = if levels as usize <= MOST_BINS {
                    Codes::Narrow(bins.map(|bin| bin as u8).collect())
                } else {
                    Codes::Wide(bins.collect())
                };
                Self { codes, n_bins: levels as usize, edges: None }
            }
        })
    }
}
