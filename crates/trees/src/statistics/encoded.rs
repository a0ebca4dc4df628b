//! Data sets in which ordered target statistics replace nominal columns.
//!
//! Trees and forests are fitted to such data sets.

use crate::rows::train_column::TrainColumn;
use crate::rows::training::TrainingTable;
use crate::statistics::statistic_table::TargetStatisticTables;
use crate::statistics::target_statistics::StatisticSample;
use crate::tree::{ColumnKind, Tree, TreeArrays};
use imbcore_core::{Column, Dataset, Error, Frame, Result, RunContext, SeedKey, memory, tags};

/// Codes in [`TreeArrays::kind`] of splits by a threshold, and by a target statistic.
const BELOW: u8 = 1;
const BY_STATISTIC: u8 = 6;

/// Encoded columns of a data set: numeric columns replace some of its nominal columns.
///
/// They contain target statistics or, if these do not help, only zeros. There is one statistic for each class
/// except the first. The first statistic of a nominal column has the index of this column. With more than two
/// classes, its other statistics are appended after all columns.
#[derive(Clone, Debug)]
pub struct EncodedData {
    numbers: Vec<Option<Vec<f64>>>,
    sources: Vec<u32>,
    kinds: Vec<ColumnKind>,
    statistics: TargetStatisticTables,
}

/// Returns the error that target statistics do not support rows read in chunks.
pub fn target_statistics_error(method: &str) -> Error {
    Error::Unsupported(format!(
        "{method} with categorical_split=\"target\" needs all rows in memory; use boosted_trees, which also fits rows that are \
         read in chunks, or another categorical_split"
    ))
}

impl EncodedData {
    /// Encodes the nominal columns of a data set that have more than `max_levels` levels.
    /// `method` is the name shown in errors.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for rows that are read in chunks; [`Error::Cancelled`], [`Error::Memory`].
    pub fn new(
        method: &str,
        data: &Dataset<'_>,
        (class_weight, max_levels): (Option<&[f64]>, u32),
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        if data.binned_frame().is_some() || data.is_sample() {
            return Err(target_statistics_error(method));
        }
        let table = TrainingTable::new(data, class_weight)?;
        let rows: Vec<u32> = table.usable_rows().map(|row| row as u32).collect();
        let weight = |row: usize| table.weight_of(row as u32);
        let sample = StatisticSample {
            rows: &rows,
            classes: table.classes,
            n_classes: table.n_classes,
            weight: &weight,
            dependence: data.dependence(),
            key: key.child(tags::tree::ORDER, 0),
            n_orders: 1,
        };
        let n_columns = table.columns.len();
        let (orders, mut tables) = (sample.draw_row_orders()?, Vec::new());
        let mut numbers = vec![None; n_columns];
        let mut sources: Vec<u32> = (0..n_columns as u32).collect();
        for (column, values) in (0..).zip(&table.columns) {
            let &TrainColumn::Nominal { codes, levels } = values else { continue };
            if levels <= max_levels {
                continue;
            }
            let Some(encoded) = sample.encode(column, (codes, levels), &orders, ctl)? else {
                numbers[column as usize] = Some(memory::filled(codes.len(), 0.0, "target statistics")?);
                continue;
            };
            let first = (n_columns + tables.len()) as u32;
            for (source, values) in (first..).zip(encoded.orders.into_iter().flatten()) {
                if source == first {
                    (sources[column as usize], numbers[column as usize]) = (source, Some(values));
                } else {
                    sources.push(source);
                    numbers.push(Some(values));
                }
            }
            tables.extend(encoded.tables);
        }
        let kinds = data.frame().columns().iter().map(ColumnKind::from_column).collect();
        Ok(Self { numbers, sources, kinds, statistics: TargetStatisticTables::new(tables) })
    }

    /// Returns the data set with the encoded columns.
    ///
    /// # Errors
    /// No error for the data set that was encoded; otherwise the errors of [`Frame::new`] and
    /// [`Dataset::with_single_class_allowed`].
    pub fn encoded_dataset<'e>(&'e self, data: &Dataset<'e>) -> Result<Dataset<'e>> {
        let column = |(at, numbers): (usize, &'e Option<Vec<f64>>)| match numbers {
            Some(numbers) => Column::from_numbers(numbers),
            None => data.frame().columns()[at],
        };
        let frame = Frame::new(self.numbers.iter().enumerate().map(column).collect())?;
        let encoded =
            Dataset::with_single_class_allowed(frame, data.class_codes(), data.n_classes(), data.weights())?;
        Ok(encoded.with_dependence(data.dependence()))
    }

    /// Lookup tables of the target statistics.
    pub fn target_statistic_tables(&self) -> &TargetStatisticTables {
        &self.statistics
    }

    /// Kinds of the columns of the data, before encoding.
    pub fn column_kinds(&self) -> &[ColumnKind] {
        &self.kinds
    }

    /// Returns the origin of every encoded column.
    ///
    /// Let `n` be the number of columns of the data. The entry `i < n` stands for column `i`, which is
    /// unchanged or contains only zeros. The entry `i >= n` stands for the target statistics in lookup table
    /// `i - n`.
    pub fn source_columns(&self) -> &[u32] {
        &self.sources
    }

    /// Sums a quantity of the encoded columns, such as importance, for each column of the data.
    pub fn sum_by_source_column(&self, numbers: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.kinds.len()];
        for (&source, number) in self.sources.iter().zip(numbers) {
            sums[self.statistics.data_column(source, self.kinds.len())] += number;
        }
        sums
    }

    /// Converts a tree on the encoded columns to a tree on the columns of the data.
    ///
    /// # Errors
    /// No error for a tree that was grown on the encoded data; otherwise the errors of [`Tree::from_arrays`].
    pub(crate) fn decode_tree(&self, tree: &Tree) -> Result<Tree> {
        let mut arrays = tree.to_arrays();
        for column in &mut arrays.column {
            *column = self.sources[*column as usize];
        }
        let arrays = self.statistics.decode_splits(arrays, self.kinds.len());
        Tree::from_arrays(arrays, &self.kinds, tree.n_classes())
    }
}

impl TargetStatisticTables {
    /// Returns the column of the data from which an encoded column was computed.
    ///
    /// `source` is an entry of [`EncodedData::source_columns`]. If it is at least `n_columns`, the result is
    /// the nominal column of the lookup table `source - n_columns`.
    fn data_column(&self, source: u32, n_columns: usize) -> usize {
        match (source as usize).checked_sub(n_columns) {
            Some(table) => self.tables()[table].column as usize,
            None => source as usize,
        }
    }

    /// Converts thresholds on target statistics to splits of nominal columns.
    ///
    /// A column index `i` of at least `n_columns` in `arrays` stands for the lookup table `i - n_columns`.
    /// Splits on other columns do not change.
    #[must_use]
    pub fn decode_splits(&self, mut arrays: TreeArrays, n_columns: usize) -> TreeArrays {
        for node in 0..arrays.kind.len() {
            let Some(table) = (arrays.column[node] as usize).checked_sub(n_columns) else { continue };
            let Some(of_table) = self.tables().get(table) else { continue };
            arrays.column[node] = of_table.column;
            if arrays.kind[node] == BELOW {
                arrays.kind[node] = BY_STATISTIC;
                arrays.missing_child[node] =
                    u32::from(of_table.value(imbcore_core::MISSING) > arrays.operand[node]);
                arrays.tables.push(table as u32);
            }
        }
        TreeArrays { statistics: self.clone(), ..arrays }
    }

    /// Appends one numeric column for each lookup table to `kinds`.
    ///
    /// Forests append [`Self::target_statistics_of_rows`] to a frame in the same order.
    #[must_use]
    pub fn encoded_kinds(&self, kinds: &[ColumnKind]) -> Vec<ColumnKind> {
        kinds.iter().copied().chain(self.tables().iter().map(|_| ColumnKind::Numeric)).collect()
    }

    /// Computes the target statistic of every row of a frame, for every lookup table.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn target_statistics_of_rows(&self, frame: &Frame<'_>) -> Result<Vec<Vec<f64>>> {
        memory::check_values_fit_in_memory::<f64>(frame.n_rows() * self.tables().len(), "target statistics")?;
        let numbers =
            |table: &crate::statistics::TargetStatisticTable| match frame.columns()[table.column as usize] {
                Column::Nominal { codes, .. } => codes.iter().map(|&code| table.value(code)).collect(),
                Column::Numeric(_) => Vec::new(),
            };
        Ok(self.tables().iter().map(numbers).collect())
    }
}
