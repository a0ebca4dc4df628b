//! Training data in the form that split scans read: columns, flagged rows, and weights.

use crate::rows::class_codes::ClassCodes;
use crate::rows::class_sums::ClassSums;
use crate::rows::rank_table::RankTable;
pub(crate) use crate::rows::table::{RowWeights, TrainingTable};
use crate::rows::train_column::{FlaggedRow, NumericValues, RARE, TrainColumn, row_of_entry};
use imbcore_core::{
    BinnedFrame, BinnedFrameColumn, Column, Dataset, Error, MISSING, Result, RunContext, Strided,
    contiguous_columns, memory, parallel,
};
use std::borrow::Cow;
use std::ops::Range;

/// Minimum number of strided columns that are copied together.
///
/// Values of adjacent columns share cache lines. Copying the columns together reads each line only once.
const TOGETHER: usize = 4;

/// Size in bytes of the copies of strided columns that exist at the same time.
///
/// The copies are larger if this size does not suffice for [`TOGETHER`] columns, or for one column per
/// thread. The more columns are copied together, the less often cache lines are read again.
const COPIES: usize = 16 << 20;

/// Rows of a table that are drawn as the training rows of a tree.
#[derive(Clone, Copy, Debug)]
pub enum DrawnRows<'s> {
    /// Each row of the table is drawn once.
    All,
    /// Numbers of the drawn rows, ascending; a row drawn several times is listed several times.
    Listed(&'s [u32]),
    /// For every row of the table, the number of times it was drawn.
    Counted(&'s [u8]),
}

pub(crate) struct TreeSample<'t> {
    pub(crate) table: &'t TrainingTable<'t>,
    /// Drawn rows in ascending order, each combined with a flag (see [`FlaggedRow`]).
    ///
    /// A row drawn several times is listed several times, unless `copies` counts its draws. Tree growth takes
    /// this list and leaves an empty list.
    pub(crate) entries: Vec<FlaggedRow>,
    /// Number of draws of each row; `None` if `entries` lists every row once per draw.
    pub(crate) copies: Option<&'t [u8]>,
    pub(crate) n_rows: usize,
    pub(crate) codes: ClassCodes<'t>,
}

impl<'t> TreeSample<'t> {
    /// [`DrawnRows::Listed`] must contain only rows with positive weight.
    ///
    /// The other variants leave out rows of weight 0.
    pub(crate) fn new(table: &'t TrainingTable<'t>, drawn: DrawnRows<'_>) -> Self {
        let entries = match drawn {
            DrawnRows::All => table.usable_entries(),
            DrawnRows::Listed(rows) => rows.iter().map(|&row| table.flagged_row_of(row)).collect(),
            DrawnRows::Counted(times) => {
                let rows = table.usable_rows();
                let mut entries = Vec::with_capacity(rows.clone().map(|row| usize::from(times[row])).sum());
                for row in rows {
                    let entry = table.flagged_row_of(row as u32);
                    entries.extend(std::iter::repeat_n(entry, usize::from(times[row])));
                }
                entries
            }
        };
        let n_rows = entries.len();
        Self { table, entries, copies: None, n_rows, codes: ClassCodes::for_table(table) }
    }

    /// Lists each drawn row with positive weight once; `times` are the numbers of draws.
    pub(crate) fn with_draw_counts(table: &'t TrainingTable<'t>, times: &'t [u8]) -> Self {
        let rows = table.usable_rows().filter(|&row| times[row] > 0);
        // The rows are counted before they are listed, because a growing vector uses up to twice the memory.
        let mut entries = Vec::with_capacity(rows.clone().count());
        entries.extend(rows.map(|row| table.flagged_row_of(row as u32)));
        let n_rows = entries.iter().map(|&entry| usize::from(times[row_of_entry(entry)])).sum();
        Self { table, entries, copies: Some(times), n_rows, codes: ClassCodes::for_table(table) }
    }

    pub(crate) fn with_node_class_codes<'n>(&'n self, codes: ClassCodes<'n>) -> TreeSample<'n> {
        TreeSample { table: self.table, entries: Vec::new(), copies: self.copies, n_rows: self.n_rows, codes }
    }

    #[inline]
    pub(crate) fn n_classes(&self) -> usize {
        self.codes.n_classes
    }

    #[inline]
    pub(crate) fn class_of(&self, entry: FlaggedRow) -> usize {
        let class = self.table.class_of(entry);
        self.codes.of_class.map_or(class, |codes| codes[class] as usize)
    }

    pub(crate) fn n_frequent_class_rows(&self, sums: &ClassSums) -> u32 {
        if self.codes.has_frequent { sums.rows[self.codes.frequent] } else { 0 }
    }

    #[inline]
    pub(crate) fn n_copies(&self, entry: FlaggedRow) -> u32 {
        self.copies.map_or(1, |copies| copies[row_of_entry(entry)].into())
    }

    pub(crate) fn repeat_entries_by_draws(&self, orders: &[Vec<FlaggedRow>]) -> Vec<Vec<FlaggedRow>> {
        let mut times = vec![0_usize; self.table.classes.len()];
        self.entries.iter().for_each(|&entry| times[row_of_entry(entry)] += 1);
        let repeat = |&entry: &FlaggedRow| std::iter::repeat_n(entry, times[row_of_entry(entry)]);
        parallel::map(orders, |order| order.iter().flat_map(repeat).collect())
    }

    /// The caller must compute the masses of the result before reading them.
    pub(crate) fn class_sums(&self) -> ClassSums {
        let mut sums = ClassSums::zero(self.table.n_classes);
        for &entry in &self.entries {
            let (class, copies) = (self.table.class_of(entry), self.n_copies(entry));
            sums.rows[class] += copies;
            if let RowWeights::ByRow(weights) = &self.table.weighing {
                sums.mass[class] += weights[row_of_entry(entry)] * f64::from(copies);
            }
        }
        sums
    }
}

pub(crate) fn count_draws(rows: &[u32], n_rows: usize) -> Option<Vec<u8>> {
    let mut times = vec![0_u8; n_rows];
    for &row in rows {
        let times = &mut times[row as usize];
        *times = times.checked_add(1)?;
    }
    Some(times)
}

impl<'a> TrainingTable<'a> {
    /// Creates a table from a data set, whose columns are borrowed.
    ///
    /// # Errors
    /// [`Error::Data`] if weights are out of range or no row has a positive weight; [`Error::Memory`].
    pub(crate) fn new(data: &Dataset<'a>, class_weight: Option<&[f64]>) -> Result<Self> {
        memory::check_values_fit_in_memory::<f64>(3 * data.n_rows(), "training rows")?;
        let classes = data.class_codes();
        let class_weight = class_weight.map_or_else(|| vec![1.0; data.n_classes()], <[f64]>::to_vec);
        let weight = |row: usize| data.weight(row) * class_weight[classes[row] as usize];
        check_weight_magnitude(data.n_rows(), weight)?;
        let kept = || (0..data.n_rows() as u32).filter(|&row| weight(row as usize) > 0.0);
        let mut counts = vec![0_u32; data.n_classes()];
        for row in kept() {
            counts[classes[row as usize] as usize] += 1;
        }
        let n_kept = counts.iter().map(|&count| count as usize).sum::<usize>();
        if n_kept == 0 {
            return Err(Error::Data(
                "sample_weight and class_weight together leave no row with positive weight".into(),
            ));
        }
        let most = counts.iter().copied().max().unwrap_or_default();
        let frequent = counts.iter().position(|&count| count == most).unwrap_or_default();
        let usable = (n_kept < data.n_rows()).then(|| kept().collect());
        let weighing = match data.weights() {
            Some(weights) if weights.iter().any(|&w| w != 0.0 && w != 1.0) => {
                RowWeights::ByRow((0..data.n_rows()).map(weight).collect())
            }
            _ => RowWeights::ByClass(class_weight),
        };
        let column = |column: &Column<'a>| match *column {
            Column::Numeric(values) => TrainColumn::Numeric(NumericValues::There(values)),
            Column::Nominal { codes, levels } => TrainColumn::Nominal { codes, levels },
        };
        Ok(Self {
            columns: data.frame().columns().iter().map(column).collect(),
            classes,
            n_classes: data.n_classes(),
            frequent,
            weighing,
            usable,
            coded: data.binned_frame(),
            ranks: RankTable::default(),
        })
    }

    /// Copies the columns that are not contiguous, so that growth can read them repeatedly.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::Memory`].
    pub(crate) fn copy_strided_columns(&mut self, ctl: RunContext<'_>) -> Result<()> {
        let n_copied = self.columns.iter().filter(|column| column.is_strided()).count();
        memory::check_values_fit_in_memory::<f64>(self.classes.len() * n_copied, "training rows")?;
        let mut copies = Vec::with_capacity(self.columns.len());
        for columns in self.column_groups(self.columns.len()) {
            copies.extend(self.contiguous_columns(columns, ctl)?.into_iter().map(|copy| match copy {
                Cow::Owned(copy) => Some(NumericValues::Copied(copy)),
                Cow::Borrowed(_) => None,
            }));
        }
        for (column, copy) in self.columns.iter_mut().zip(copies) {
            if let (TrainColumn::Numeric(values), Some(copy)) = (column, copy) {
                *values = copy;
            }
        }
        Ok(())
    }

    /// Returns short ranges if strided columns must be copied, else ranges of `otherwise`.
    ///
    /// Short ranges keep the number of copies that exist at a time small.
    pub(crate) fn column_groups(&self, otherwise: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let n_columns = self.columns.len();
        let room = COPIES / (size_of::<f64>() * self.classes.len().max(1));
        let few = rayon::current_num_threads().max(TOGETHER).max(room);
        let size = if self.columns.iter().any(TrainColumn::is_strided) { few } else { otherwise };
        (0..n_columns).step_by(size).map(move |first| first..n_columns.min(first + size))
    }

    /// Calls the closure `work` for every column in a range, with its values as a slice.
    ///
    /// The values of strided columns are copied for the duration of the call.
    ///
    /// # Errors
    /// Same errors as `work`; [`Error::Cancelled`], [`Error::Memory`].
    pub(crate) fn map_column_group<R: Send>(
        &self,
        group: Range<usize>,
        work: impl Fn(usize, &[f64]) -> Result<R> + Sync,
        ctl: RunContext<'_>,
    ) -> Result<Vec<R>> {
        let numbers = self.contiguous_columns(group.clone(), ctl)?;
        parallel::try_map(group.zip(&numbers), |(column, numbers)| work(column, numbers))
    }

    /// Calls the closure `work` for all columns, one range of columns after the other.
    ///
    /// # Errors
    /// Same errors as [`Self::map_column_group`].
    pub(crate) fn map_columns<R: Send>(
        &self,
        work: impl Fn(usize, &[f64]) -> Result<R> + Sync,
        ctl: RunContext<'_>,
    ) -> Result<Vec<R>> {
        let mut found = Vec::with_capacity(self.columns.len());
        for group in self.column_groups(self.columns.len()) {
            found.extend(self.map_column_group(group, &work, ctl)?);
        }
        Ok(found)
    }

    fn contiguous_columns(&self, group: Range<usize>, ctl: RunContext<'_>) -> Result<Vec<Cow<'_, [f64]>>> {
        let values: Vec<_> = self.columns[group].iter().map(|column| column.as_column().values()).collect();
        contiguous_columns(&values, ctl)
    }

    pub(crate) fn numeric_values(&self, column: usize) -> Strided<'_> {
        self.columns[column].as_column().values().unwrap_or_else(|| Strided::from_slice(&[]))
    }

    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        matches!(self.columns[column], TrainColumn::Numeric(_))
    }

    pub(crate) fn n_usable_rows(&self) -> usize {
        self.usable.as_ref().map_or(self.classes.len(), Vec::len)
    }

    #[inline]
    pub(crate) fn usable_row(&self, place: usize) -> usize {
        self.usable.as_ref().map_or(place, |rows| rows[place] as usize)
    }

    pub(crate) fn usable_rows(&self) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        (0..self.n_usable_rows()).map(|place| self.usable_row(place))
    }

    pub(crate) fn usable_entries(&self) -> Vec<FlaggedRow> {
        self.usable_rows().map(|row| self.flagged_row_of(row as u32)).collect()
    }

    pub(crate) fn flagged_row_of(&self, row: u32) -> FlaggedRow {
        if self.classes[row as usize] as usize == self.frequent { row } else { row | RARE }
    }

    pub(crate) fn class_of(&self, entry: FlaggedRow) -> usize {
        self.classes[row_of_entry(entry)] as usize
    }

    pub(crate) fn weight_of(&self, entry: FlaggedRow) -> f64 {
        match &self.weighing {
            RowWeights::ByClass(weights) => weights[self.class_of(entry)],
            RowWeights::ByRow(weights) => weights[row_of_entry(entry)],
        }
    }

    /// Rounds row weights to a grid, so that their sums are exact in any order.
    /// The grid consists of the multiples of a power of two near 2^-32 of the largest weight. It is coarser
    /// if there are more than 2^20 rows. Positive weights are rounded to at least one grid step.
    pub(crate) fn round_weights(&mut self) {
        let RowWeights::ByRow(weights) = &mut self.weighing else { return };
        let step = weight_grid_step(weights);
        for weight in weights.iter_mut().filter(|weight| **weight > 0.0) {
            *weight = (*weight / step).round().max(1.0) * step;
        }
    }

    pub(crate) fn has_equal_weights(&self) -> bool {
        match &self.weighing {
            RowWeights::ByClass(weights) => weights.windows(2).all(|two| two[0] == two[1]),
            RowWeights::ByRow(_) => false,
        }
    }

    pub(crate) fn total_mass(&self) -> f64 {
        self.usable_rows().map(|row| self.weight_of(row as u32)).sum()
    }

    pub(crate) fn columns_with_missing(&self) -> Vec<bool> {
        let misses = |column: &TrainColumn<'_>, places: Range<usize>| {
            let mut rows = places.map(|place| self.usable_row(place));
            match column {
                TrainColumn::Numeric(values) => {
                    let values = values.strided_values();
                    rows.any(|row| values.get(row).is_nan())
                }
                TrainColumn::Nominal { codes, .. } => rows.any(|row| codes[row] == MISSING),
            }
        };
        let Some(coded) = self.coded else {
            return self.flags_set_in_any_range(self.columns.len(), |places, found| {
                for (found, column) in found.iter_mut().zip(&self.columns) {
                    *found |= misses(column, places.clone());
                }
            });
        };
        let narrow = self.binned_columns_with_missing(coded);
        let may_miss = |((place, column), values): ((usize, &BinnedFrameColumn<'_>), _)| {
            if column.fits_in_byte() { narrow[place] } else { misses(values, 0..self.n_usable_rows()) }
        };
        coded.columns_with_positions().zip(&self.columns).map(may_miss).collect()
    }

    fn binned_columns_with_missing(&self, coded: &BinnedFrame<'_>) -> Vec<bool> {
        let (codes, width) = (coded.codes(), coded.bytes_per_row());
        let narrow = coded.columns().iter().filter(|column| column.fits_in_byte());
        let missing: Vec<u8> = narrow.map(|column| column.n_bins() as u8).collect();
        self.flags_set_in_any_range(width, |places, found| {
            for row in places.map(|place| self.usable_row(place)) {
                let row = &codes[row * width..][..width];
                for ((found, code), missing) in found.iter_mut().zip(row).zip(&missing) {
                    *found |= code == missing;
                }
            }
        })
    }

    /// Each flag of the result is true if `find` sets it for any range of rows.
    ///
    /// `find` receives ranges of positions among the rows with positive weight. Each range is small enough
    /// that a row-major matrix stays in the cache while `find` iterates over its columns.
    fn flags_set_in_any_range(
        &self,
        n_marks: usize,
        find: impl Fn(Range<usize>, &mut [bool]) + Sync,
    ) -> Vec<bool> {
        const STRETCH: usize = 1 << 14;
        const PLACES: usize = 1 << 9;
        let n_usable = self.n_usable_rows();
        let chunk_marks = |stretch: usize| {
            let mut found = vec![false; n_marks];
            let end = n_usable.min((stretch + 1) * STRETCH);
            // Rows are accessed by index, because an iterator would have to skip all earlier rows in every
            // chunk.
            for first in (stretch * STRETCH..end).step_by(PLACES) {
                find(first..end.min(first + PLACES), &mut found);
            }
            found
        };
        let stretches: Vec<Vec<bool>> = parallel::map(0..n_usable.div_ceil(STRETCH), chunk_marks);
        (0..n_marks).map(|mark| stretches.iter().any(|stretch| stretch[mark])).collect()
    }
}

/// Returns the step of the weight grid, a power of two.
/// A weight is at most 2^min(32, 52 - log2(number of weights)) steps, so the sum of all weights is below 2^53
/// steps.
fn weight_grid_step(weights: &[f64]) -> f64 {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let rows = weights.len().next_power_of_two().ilog2().cast_signed();
    // `above` is the exponent of the smallest power of two above the largest weight. It is read from the bits
    // of the weight. This is exact, because weights are far from the limits of the floating-point range.
    let above = (largest.to_bits() >> 52) as i32 - 1022;
    2.0_f64.powi(above - (52 - rows).min(32))
}

/// Checks that each weight is 0 or between 1e-50 and 1e50.
///
/// Criteria multiply up to four masses. With weights in this range, no such product overflows.
fn check_weight_magnitude(n_rows: usize, weight: impl Fn(usize) -> f64) -> Result<()> {
    let usable = |&weight: &f64| weight == 0.0 || (1e-50..=1e50).contains(&weight);
    match (0..n_rows).map(weight).find(|weight| !usable(weight)) {
        Some(weight) => Err(Error::Data(format!(
            "the weight of a row (sample_weight times class_weight) must be 0 or lie in 1e-50..1e50, got {weight:e}; \
             only the ratios of weights matter to most criteria, so divide them by their mean"
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Column, Frame};
    use proptest::prelude::*;

    fn gridded(weights: &[f64]) -> Vec<f64> {
        let classes: Vec<u32> = (0..weights.len() as u32).map(|row| row % 2).collect();
        let x = vec![0.0; weights.len()];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let data = Dataset::with_single_class_allowed(frame, &classes, 2, Some(weights)).unwrap();
        let mut table = TrainingTable::new(&data, None).unwrap();
        table.round_weights();
        (0..weights.len() as u32).map(|row| table.weight_of(row)).collect()
    }

    #[test]
    fn weights_that_lie_on_the_grid_stay() {
        let plain = [3.0, 0.25, 0.0, 1e6, 2.0_f64.powi(-12), 7.5];
        assert_eq!(gridded(&plain), plain);
        // A positive weight never becomes 0, even if it is tiny compared with the largest weight.
        let wide = gridded(&[1e50, 1e-50, 0.0, 3.0]);
        assert!(wide[1] > 0.0 && wide[1] == wide[3] && wide[2] == 0.0);
    }

    proptest! {
        #[test]
        fn sums_of_weights_on_the_grid_do_not_depend_on_their_order(
            weights in prop::collection::vec(prop_oneof![1e-3..1e3_f64, 1e-30..1.0_f64], 2..200),
            seed in any::<u64>(),
        ) {
            let on_grid = gridded(&weights);
            for (a, b) in weights.iter().zip(&on_grid) {
                let largest = weights.iter().copied().fold(0.0, f64::max);
                // A grid step is at most 2^-31 of the largest weight.
                prop_assert!((a - b).abs() <= largest * 2.0_f64.powi(-31));
            }
            let mut shuffled = on_grid.clone();
            imbcore_core::shuffle(&mut imbcore_core::SeedKey::root(seed).rng(), &mut shuffled);
            let parts: f64 = shuffled.chunks(7).map(|part| part.iter().sum::<f64>()).sum();
            prop_assert_eq!(on_grid.iter().sum::<f64>(), parts);
        }
    }
}
