//! Discretized training rows, with the class as the last column.

use super::model::BayesModel;
use crate::codes::StateCodes;
use crate::discretize::{ColumnRule, DiscretizeSettings, Discretizer};
use crate::table::{DiscreteTable, MISSING};
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{Error, Frame, Result, RunContext, index_of_first_largest, parallel};
use std::ops::Range;

const CELLS: usize = 1 << 17;

/// Ranges of rows that are predicted block by block to limit memory.
///
/// The class probabilities of a row take more memory than its discretized values.
pub(super) fn prediction_row_ranges(n_rows: usize, n_classes: usize) -> impl Iterator<Item = Range<usize>> {
    let size = (CELLS / n_classes.max(1)).max(1);
    (0..n_rows).step_by(size).map(move |start| start..(start + size).min(n_rows))
}

pub(super) struct EncodedTrainingTable {
    pub(super) table: DiscreteTable,
    /// For each column of `table` except the class, its column index in the user's data.
    pub(super) columns: Vec<u32>,
}

impl EncodedTrainingTable {
    /// `codes` has the codes of the columns with at least two states in training, in order.
    pub(super) fn new(
        discretizer: &Discretizer,
        mut codes: Vec<StateCodes>,
        classes: StateCodes,
        n_classes: usize,
    ) -> Result<Self> {
        let columns = discretizer.informative_columns();
        let mut levels: Vec<u32> =
            columns.iter().map(|&column| discretizer.columns[column].n_states()).collect();
        codes.push(classes);
        levels.push(n_classes as u32);
        let table = DiscreteTable::from_codes(codes, levels)?;
        Ok(Self { table, columns: columns.into_iter().map(|column| column as u32).collect() })
    }

    pub(super) fn recalls(&self, model: &BayesModel, ctl: RunContext<'_>) -> Result<Vec<Option<f64>>> {
        let class = self.columns.len();
        let n_classes = self.table.n_states_by_column()[class] as usize;
        let mut found = RecallCounter::new(n_classes);
        for rows in prediction_row_ranges(self.table.n_rows(), n_classes) {
            let rows: Vec<u32> = rows.map(|row| row as u32).collect();
            let block = self.table.select_rows(&rows);
            let answers = model.proba_from_codes(&block, ctl)?;
            for (&class, answer) in block.codes(class).iter().zip(answers.chunks_exact(n_classes)) {
                found.count_row(usize::from(class), index_of_first_largest(answer));
            }
        }
        Ok(found.class_recalls())
    }
}

pub(super) struct RecallCounter {
    rows: Vec<f64>,
    hits: Vec<f64>,
}

impl RecallCounter {
    pub(super) fn new(n_classes: usize) -> Self {
        Self { rows: vec![0.0; n_classes], hits: vec![0.0; n_classes] }
    }

    pub(super) fn count_row(&mut self, class: usize, answer: u32) {
        self.rows[class] += 1.0;
        self.hits[class] += f64::from(u8::from(answer as usize == class));
    }

    pub(super) fn class_recalls(&self) -> Vec<Option<f64>> {
        let share = |(hits, rows): (&f64, &f64)| (*rows > 0.0).then_some(hits / rows);
        self.hits.iter().zip(&self.rows).map(share).collect()
    }
}

/// Training rows that are read in batches and discretized with given cut points.
///
/// Each value of an informative column takes one byte, or two if the column has at least 255 states. A column
/// is informative if it has at least two states in training.
#[derive(Clone, Debug)]
pub struct EncodedRowBuffer {
    pub(super) discretizer: Discretizer,
    pub(super) ranges: Vec<Option<(f64, f64)>>,
    pub(super) codes: Vec<StateCodes>,
    pub(super) classes: StateCodes,
    pub(super) n_classes: usize,
}

impl EncodedRowBuffer {
    /// Creates an empty table with capacity for `n_rows` rows.
    ///
    /// `columns` are the results of [`crate::StreamingColumnStats::into_rule`].
    ///
    /// # Errors
    /// [`Error::Data`] for more classes than codes can represent; [`Error::Memory`].
    pub fn new(
        settings: DiscretizeSettings,
        columns: Vec<(ColumnRule, Option<(f64, f64)>)>,
        n_classes: usize,
        n_rows: usize,
    ) -> Result<Self> {
        check_class_count(n_classes)?;
        let (columns, ranges) = columns.into_iter().unzip();
        let discretizer = Discretizer { columns, handle_unknown: settings.handle_unknown };
        // All columns are in memory at the same time, so memory is checked for the sum of their sizes.
        let columns_in_codes = discretizer.informative_columns().len();
        let name = format!("the codes of {n_rows} rows and {columns_in_codes} columns");
        let bytes = n_rows.saturating_mul(columns_in_codes + 1);
        MemoryEstimate::default()
            .with_bytes(bytes, name, "use fewer rows or columns")
            .check("the streamed fit")?;
        let room = |column: usize| StateCodes::with_capacity(discretizer.columns[column].n_states(), n_rows);
        let codes = discretizer.informative_columns().into_iter().map(room).collect::<Result<_>>()?;
        let classes = StateCodes::with_capacity(n_classes as u32, n_rows)?;
        Ok(Self { discretizer, ranges, codes, classes, n_classes })
    }

    /// Appends rows.
    ///
    /// # Errors
    /// Same errors as [`Discretizer::encode`].
    pub fn add_rows(&mut self, frame: &Frame<'_>, classes: &[u32], ctl: RunContext<'_>) -> Result<()> {
        let coded = self.discretizer.encode(frame, &self.discretizer.informative_columns(), ctl)?;
        parallel::try_map(self.codes.iter_mut().zip(coded), |(all, more)| all.extend(more.into_iter()))?;
        self.classes.extend(classes.iter().map(|&class| class as u16))
    }
}

pub(super) fn check_class_count(n_classes: usize) -> Result<()> {
    if n_classes < usize::from(MISSING) {
        return Ok(());
    }
    Err(Error::Data(format!("y has {n_classes} classes; at most {} are possible", MISSING - 1)))
}
