//! Replacement of nominal columns by target statistics.

use crate::binned::{BinnedColumn, MOST_BINS};
use crate::boosted::matrix::{BoostedMatrix, MatrixColumn};
use crate::boosted::params::BoostedCategoricalSplit;
use crate::rows::train_column::TrainColumn;
use crate::rows::training::TrainingTable;
use crate::statistics::{StatisticSample, TargetStatisticTables};
use imbcore_core::{
    MISSING, Result, RowDependence, RunContext, SeedKey, memory, parallel, random_below, tags,
};
use std::borrow::Cow;
use std::sync::Arc;

/// Number of random orders of the training rows; each round uses one of them.
///
/// If rows have times, there is only one order.
const N_ORDERS: usize = 4;

pub(crate) struct TargetEncoder<'t> {
    table: &'t TrainingTable<'t>,
    dependence: RowDependence<'t>,
    columns: Vec<u32>,
    max_bins: usize,
    key: SeedKey,
}

impl<'t> TargetEncoder<'t> {
    pub(crate) fn new(
        table: &'t TrainingTable<'t>,
        dependence: RowDependence<'t>,
        rule: BoostedCategoricalSplit,
        max_bins: usize,
        key: SeedKey,
    ) -> Self {
        let is_encoded = |column: &TrainColumn<'_>| match (column, rule) {
            (TrainColumn::Numeric(_), _) | (_, BoostedCategoricalSplit::Subset) => false,
            (TrainColumn::Nominal { .. }, BoostedCategoricalSplit::Target) => true,
            (TrainColumn::Nominal { levels, .. }, BoostedCategoricalSplit::Auto) => {
                *levels as usize > MOST_BINS
            }
        };
        let columns = (0..).zip(&table.columns).filter(|(_, column)| is_encoded(column));
        let columns = columns.map(|(column, _)| column).collect();
        Self { table, dependence, columns, max_bins, key: key.child(tags::boosted::ORDER, 0) }
    }

    pub(crate) fn is_encoded(&self, column: usize) -> bool {
        self.columns.binary_search(&(column as u32)).is_ok()
    }

    fn n_row_orders(&self) -> usize {
        if self.dependence.times().is_some() { 1 } else { N_ORDERS }
    }

    pub(crate) fn draw_row_order(&self, round: SeedKey) -> u32 {
        random_below(&mut round.child(tags::boosted::ORDER, 0).rng(), self.n_row_orders() as u32)
    }

    /// Appends columns of target statistics to the columns that are not replaced.
    ///
    /// The target statistics are computed from the training rows `rows`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn training_matrix(
        &self,
        plain: BoostedMatrix,
        rows: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Arc<BoostedMatrix>> {
        if self.columns.is_empty() {
            return Ok(Arc::new(plain));
        }
        self.build_matrix(plain.columns, rows, ctl)
    }

    /// Returns the matrix of an inner fold.
    /// Its target statistics are computed only from the training rows of the fold.
    ///
    /// # Errors
    /// Same errors as [`Self::training_matrix`].
    pub(crate) fn inner_fold_matrix(
        &self,
        whole: &Arc<BoostedMatrix>,
        rows: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Arc<BoostedMatrix>> {
        if self.columns.is_empty() {
            return Ok(Arc::clone(whole));
        }
        let plain = whole.columns.iter().filter(|column| !self.is_encoded(column.column as usize));
        self.build_matrix(plain.cloned().collect(), rows, ctl)
    }

    /// A table that was read in chunks stores the codes as bytes if a column has few levels.
    fn level_codes(&self, column: usize) -> Result<Option<(Cow<'t, [u32]>, u32)>> {
        let TrainColumn::Nominal { codes, levels } = self.table.columns[column] else { return Ok(None) };
        let from_bytes = self.table.coded.and_then(|coded| {
            let (place, own) = coded.columns_with_positions().nth(column)?;
            let code = |row: &[u8]| match u32::from(row[place]) {
                code if code == levels => MISSING,
                code => code,
            };
            let rows = coded.codes().chunks_exact(coded.bytes_per_row().max(1)).map(code);
            own.fits_in_byte().then(|| memory::collect(rows, "level codes"))
        });
        Ok(Some((from_bytes.transpose()?.map_or(Cow::Borrowed(codes), Cow::Owned), levels)))
    }

    fn build_matrix(
        &self,
        mut columns: Vec<MatrixColumn>,
        rows: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Arc<BoostedMatrix>> {
        let weight = |row: usize| self.table.weight_of(row as u32);
        let sample = StatisticSample {
            rows,
            classes: self.table.classes,
            n_classes: self.table.n_classes,
            weight: &weight,
            dependence: self.dependence,
            key: self.key,
            n_orders: self.n_row_orders(),
        };
        let (orders, mut tables) = (sample.draw_row_orders()?, Vec::new());
        for &column in &self.columns {
            let Some((codes, levels)) = self.level_codes(column as usize)? else { continue };
            let Some(encoded) = sample.encode(column, (&codes, levels), &orders, ctl)? else { continue };
            let first = tables.len() as u32;
            let parts = (0..).zip(&encoded.orders).flat_map(|(order, values)| {
                (first..).zip(values).map(move |(table, values)| (table, order, values))
            });
            let binned = parallel::try_map(parts, |(table, order, values)| {
                let binned = BinnedColumn::from_values(values, self.table, self.max_bins, ctl)?;
                Ok(MatrixColumn::from_target_statistic(column, binned, (table, order)))
            })?;
            columns.extend(binned.into_iter().flatten());
            tables.extend(encoded.tables);
        }
        let n_rows = self.table.classes.len();
        Ok(Arc::new(BoostedMatrix::from_columns(columns, TargetStatisticTables::new(tables), n_rows, ctl)?))
    }
}
