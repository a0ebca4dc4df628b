//! Binned columns, computed once for all trees that are grown on the same data.

use crate::binned::bin_edges::{BinEdges, MOST_BINS};
use crate::binned::column_sample::ColumnSample;
use crate::binned::level_codes::{level_codes_as_bins, level_codes_to_bytes};
use crate::rows::train_column::TrainColumn;
use crate::rows::training::TrainingTable;
use imbcore_core::{BinnedFrame, BinnedFrameColumn, Result, RunContext, memory, parallel};

pub(crate) struct BinnedColumns(pub(crate) Vec<BinnedColumn>);

pub(crate) struct BinnedColumn {
    pub(crate) codes: BinCodes,
    /// Number of bins for present values; missing values have this number as their bin code.
    pub(crate) n_bins: usize,
    /// Bin edges of a numeric column; the bins of a nominal column are its levels.
    pub(crate) edges: Option<BinEdges>,
}

/// Bin code of each row.
/// Only nominal columns with more than 255 levels need more than one byte per code.
pub(crate) enum BinCodes {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

impl BinnedColumns {
    /// Bins the columns of `table`.
    ///
    /// Numeric columns get at most `most` bins each. Nominal columns get one bin per level.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn new(table: &TrainingTable<'_>, most: usize, ctl: RunContext<'_>) -> Result<Self> {
        memory::check_values_fit_in_memory::<u8>(
            table.classes.len() * table.columns.len(),
            "columns in bins",
        )?;
        if let Some(coded) = table.coded {
            return Self::from_binned_frame(coded, table, ctl);
        }
        let column = |column: usize, numbers: &[f64]| BinnedColumn::new((column, numbers), table, most, ctl);
        Ok(Self(table.map_columns(column, ctl)?))
    }

    fn from_binned_frame(
        coded: &BinnedFrame<'_>,
        table: &TrainingTable<'_>,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let column = |((place, column), values): ((usize, &BinnedFrameColumn<'_>), &TrainColumn<'_>)| {
            ctl.check()?;
            let codes = match *values {
                TrainColumn::Nominal { codes, levels } if !column.fits_in_byte() => {
                    BinCodes::Wide(level_codes_as_bins(codes, levels))
                }
                _ => {
                    let row = |row: &[u8]| row[place];
                    BinCodes::Narrow(
                        coded.codes().chunks_exact(coded.bytes_per_row().max(1)).map(row).collect(),
                    )
                }
            };
            Ok(BinnedColumn { codes, n_bins: column.n_bins(), edges: BinEdges::from_binned_column(column) })
        };
        Ok(Self(parallel::try_map(coded.columns_with_positions().zip(&table.columns), column)?))
    }
}

impl BinnedColumn {
    pub(crate) fn has_byte_codes(column: &TrainColumn<'_>) -> bool {
        match *column {
            TrainColumn::Numeric(_) => true,
            TrainColumn::Nominal { levels, .. } => levels as usize <= MOST_BINS,
        }
    }

    /// Bins a column of numbers, one number per row of `table`, into at most `most` bins.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn from_values(
        values: &[f64],
        table: &TrainingTable<'_>,
        most: usize,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let (edges, partial) = compute_bin_edges(values, table, most, ctl)?;
        ctl.check()?;
        let codes = edges.bin_codes_of_values(values)?;
        let edges = if partial { recompute_edges(values, &codes, edges.len(), table) } else { edges };
        Ok(Self { codes: BinCodes::Narrow(codes), n_bins: edges.len(), edges: Some(edges) })
    }

    pub(crate) fn byte_codes(&self) -> Option<&[u8]> {
        match &self.codes {
            BinCodes::Narrow(codes) => Some(codes),
            BinCodes::Wide(_) => None,
        }
    }

    /// `values` contains the values of a numeric column, which gets at most `most` bins.
    ///
    /// A nominal column gets one bin per level.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn new(
        (column, values): (usize, &[f64]),
        table: &TrainingTable<'_>,
        most: usize,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        ctl.check()?;
        Ok(match table.columns[column] {
            TrainColumn::Numeric(_) => Self::from_values(values, table, most, ctl)?,
            TrainColumn::Nominal { codes, levels } => {
                let codes = match level_codes_to_bytes(codes, levels) {
                    Some(codes) => BinCodes::Narrow(codes),
                    None => BinCodes::Wide(level_codes_as_bins(codes, levels)),
                };
                Self { codes, n_bins: levels as usize, edges: None }
            }
        })
    }
}

/// Computes bin edges, and returns whether only a sample of the rows was used.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`].
fn compute_bin_edges(
    values: &[f64],
    table: &TrainingTable<'_>,
    most: usize,
    ctl: RunContext<'_>,
) -> Result<(BinEdges, bool)> {
    let of_row = |row: usize| (row as u32, values[row]);
    let known = || table.usable_rows().map(of_row).filter(|(_, value)| !value.is_nan());
    if let Some(distinct) = distinct_values_up_to(known().map(|(_, value)| value), most) {
        return Ok((BinEdges { low: distinct.clone(), high: distinct }, false));
    }
    let mut sample = ColumnSample::default();
    sample.add_rows(known(), ctl)?;
    let partial = sample.has_left_out_rows();
    Ok((sample.compute_edges(table, most, ctl)?, partial))
}

fn recompute_edges(values: &[f64], codes: &[u8], n_bins: usize, table: &TrainingTable<'_>) -> BinEdges {
    let mut edges = BinEdges::empty(n_bins + 1);
    for row in table.usable_rows() {
        edges.extend_bin_range(usize::from(codes[row]), values[row]);
    }
    edges.low.truncate(n_bins);
    edges.high.truncate(n_bins);
    edges
}

pub(crate) fn distinct_values_up_to(values: impl Iterator<Item = f64>, most: usize) -> Option<Vec<f64>> {
    let mut found = Vec::new();
    let is_all = insert_distinct_values(&mut found, values, most);
    // Excess memory is freed: a vector that grew one value at a time may have twice the needed capacity.
    found.shrink_to_fit();
    is_all.then_some(found)
}

/// Returns false if there are more than `most` distinct values; `found` is sorted.
pub(crate) fn insert_distinct_values(
    found: &mut Vec<f64>,
    mut values: impl Iterator<Item = f64>,
    most: usize,
) -> bool {
    values.all(|value| {
        let place = found.partition_point(|&other| other < value);
        let known = found.get(place) == Some(&value);
        if !known && found.len() < most {
            found.insert(place, value);
        }
        known || found.get(place) == Some(&value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_falls_into_its_bin() {
        let values = [f64::MIN, -1.0, -0.0, 0.0, 5e-324, 1.0, f64::NAN, f64::MAX, 1.0_f64.next_up()];
        let found =
            distinct_values_up_to(values.iter().copied().filter(|value| !value.is_nan()), 255).unwrap();
        assert_eq!(found.len(), 7);
        let edges = BinEdges { low: found.clone(), high: found };
        assert_eq!(edges.bin_codes_of_values(&values).unwrap(), [0, 1, 2, 2, 3, 4, 7, 6, 5]);
        assert!(distinct_values_up_to((0..256).map(f64::from), 255).is_none());
        assert_eq!(distinct_values_up_to((0..255).rev().map(f64::from), 255).unwrap().len(), 255);
    }
}
