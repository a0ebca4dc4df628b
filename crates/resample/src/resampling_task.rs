//! Resampling task, and resampling plan: the rows to keep and the rows to add.

use crate::draw::rank_classes_by_first_row;
use imbcore_core::memory::filled;
use imbcore_core::{Column, Error, Frame, Label, Result, RunContext};
use std::collections::BTreeMap;

/// Rows to resample, with their classes.
#[derive(Clone, Debug)]
pub struct ResamplingTask<'a> {
    frame: Option<&'a Frame<'a>>,
    classes: &'a [u32],
    labels: &'a [Label],
    counts: Vec<u64>,
    places: Vec<u32>,
    is_sample: bool,
}

impl<'a> ResamplingTask<'a> {
    /// Creates a task, and counts the rows of each class.
    ///
    /// `frame` may be `None` for samplers that only select rows. `labels` are the class labels, by class
    /// code.
    ///
    /// # Errors
    /// [`Error::Data`] if the sizes are inconsistent, or only one class has rows.
    pub fn new(frame: Option<&'a Frame<'a>>, classes: &'a [u32], labels: &'a [Label]) -> Result<Self> {
        if let Some(frame) = frame
            && frame.n_rows() != classes.len()
        {
            let (x, y) = (frame.n_rows(), classes.len());
            return Err(Error::Data(format!("y has {y} values, but X has {x} rows")));
        }
        if classes.len() >= 1 << 31 {
            let most = (1_u32 << 31) - 1;
            return Err(Error::Data(format!("X has {} rows; at most {most} are supported", classes.len())));
        }
        let (mut counts, mut firsts) = (vec![0; labels.len()], vec![None; labels.len()]);
        for (row, &class) in (0..).zip(classes) {
            match counts.get_mut(class as usize) {
                Some(count) => *count += 1,
                None => return Err(Error::Internal(format!("class code {class} has no label"))),
            }
            firsts[class as usize].get_or_insert(row);
        }
        if counts.iter().filter(|&&count| count > 0).count() < 2 {
            return Err(Error::Data("y has only one class; at least two are needed to resample".into()));
        }
        Ok(Self {
            frame,
            classes,
            labels,
            counts,
            places: rank_classes_by_first_row(firsts),
            is_sample: false,
        })
    }

    /// Creates a task with class counts but no rows, for [`crate::Strategy::target_counts`].
    #[must_use]
    pub fn from_counts(counts: Vec<u64>, labels: &'a [Label]) -> Self {
        let places = vec![0; counts.len()];
        Self { frame: None, classes: &[], labels, counts, places, is_sample: false }
    }

    /// Sets whether the rows are a random sample of a table.
    ///
    /// If they are, the sampling strategy was already validated for the whole table. If the sample has fewer
    /// rows of a class than the strategy requests, under-sampling keeps all rows of this class instead of
    /// raising an error.
    #[must_use]
    pub fn with_is_random_sample(self, is_sample: bool) -> Self {
        Self { is_sample, ..self }
    }

    pub(crate) fn is_random_sample(&self) -> bool {
        self.is_sample
    }

    /// The table.
    ///
    /// # Errors
    /// [`Error::Internal`] if there is none.
    pub fn frame(&self) -> Result<&'a Frame<'a>> {
        self.frame.ok_or_else(|| Error::Internal("a sampler that needs numbers was given none".into()))
    }

    /// Class code of every row.
    pub fn classes(&self) -> &'a [u32] {
        self.classes
    }

    /// Labels of the classes.
    pub fn labels(&self) -> &'a [Label] {
        self.labels
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.classes.len()
    }

    /// Number of rows of each class.
    pub fn class_counts(&self) -> &[u64] {
        &self.counts
    }

    /// Number of rows of a class.
    pub fn class_count(&self, class: u32) -> usize {
        self.counts[class as usize] as usize
    }

    pub(crate) fn class_rank_by_first_row(&self, class: u32) -> u32 {
        self.places[class as usize]
    }

    /// The class with the fewest rows; the lowest class code on ties.
    pub(crate) fn minority_class(&self) -> u32 {
        let present = (0..self.counts.len()).filter(|&class| self.counts[class] > 0);
        present.min_by_key(|&class| self.counts[class]).unwrap_or(0) as u32
    }

    /// The class with the most rows; the lowest class code on ties.
    pub(crate) fn majority_class(&self) -> u32 {
        (0..self.counts.len()).rev().max_by_key(|&class| self.counts[class]).unwrap_or(0) as u32
    }

    pub(crate) fn class_rows(&self, class: u32) -> Vec<u32> {
        self.rows_of_classes(|other| other == class)
    }

    pub(crate) fn rows_of_classes(&self, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        (0..self.classes.len() as u32).filter(|&row| wanted(self.classes[row as usize])).collect()
    }

    /// Numbers of all rows, ascending.
    pub fn all_rows(&self) -> Vec<u32> {
        (0..self.classes.len() as u32).collect()
    }

    pub(crate) fn class_label_text(&self, class: u32) -> String {
        match self.labels.get(class as usize) {
            Some(Label::Text(text)) => format!("{text:?}"),
            Some(label) => label.to_string(),
            None => class.to_string(),
        }
    }
}

fn n_numeric(frame: &Frame<'_>) -> usize {
    frame.columns().iter().filter(|column| matches!(column, Column::Numeric(_))).count()
}

/// Value in [`AddedRows::neighbors`] for added rows that are copies of their source.
pub const NO_MATE: u32 = u32::MAX;

/// Rows that are appended to the input, and the origin of each of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AddedRows {
    /// Class code of each added row.
    pub classes: Vec<u32>,
    /// Source (base row) of each added row.
    pub sources: Vec<u32>,
    /// Neighbor toward which each added row is interpolated, or [`NO_MATE`] for a copy.
    pub neighbors: Vec<u32>,
    /// Interpolation fractions: 0 at the source, 1 at the neighbor.
    ///
    /// There is one fraction per added row, or one for each numeric column of each added row.
    pub fractions: Vec<f64>,
    /// Noise added to the numeric columns of copies, row-major; empty for exact copies.
    pub noise: Vec<f64>,
    /// Codes of the added rows in nominal columns, by column index.
    /// In nominal columns that are not in this map, an added row has the code of its source.
    pub codes: BTreeMap<usize, Vec<u32>>,
}

impl AddedRows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Whether every row is an exact copy of its source.
    pub fn are_copies(&self) -> bool {
        self.noise.is_empty() && self.codes.is_empty() && self.neighbors.iter().all(|&mate| mate == NO_MATE)
    }

    pub(crate) fn add_copies(&mut self, class: u32, sources: &[u32]) {
        self.classes.resize(self.len() + sources.len(), class);
        self.neighbors.resize(self.len() + sources.len(), NO_MATE);
        self.fractions.resize(self.len() + sources.len(), 0.0);
        self.sources.extend_from_slice(sources);
    }

    /// Selects added rows by their positions, in the given order.
    #[must_use]
    pub fn select_rows(&self, rows: &[u32]) -> Self {
        let values_of = |values: &[f64]| {
            let width = values.len() / self.len().max(1);
            let part = |&row: &u32| values[row as usize * width..(row as usize + 1) * width].iter().copied();
            rows.iter().flat_map(part).collect()
        };
        let picked = |values: &[u32]| rows.iter().map(|&row| values[row as usize]).collect();
        Self {
            classes: picked(&self.classes),
            sources: picked(&self.sources),
            neighbors: picked(&self.neighbors),
            fractions: values_of(&self.fractions),
            noise: values_of(&self.noise),
            codes: self.codes.iter().map(|(&column, codes)| (column, picked(codes))).collect(),
        }
    }

    /// Computes the values of the added rows in the numeric columns, row-major.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn numeric_values(&self, frame: &Frame<'_>) -> Result<Vec<f64>> {
        let mut numbers = filled(self.len() * n_numeric(frame), 0.0, "added rows")?;
        self.write_numeric_values(frame, &mut numbers, RunContext::silent())?;
        Ok(numbers)
    }

    /// Writes the result of [`Self::numeric_values`] into a buffer.
    ///
    /// # Errors
    /// [`Error::Internal`] for a buffer of another size; [`Error::Cancelled`].
    pub fn write_numeric_values(
        &self,
        frame: &Frame<'_>,
        numbers: &mut [f64],
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let width = n_numeric(frame);
        if numbers.len() != self.len() * width {
            return Err(Error::Internal("the buffer of added rows has the wrong size".into()));
        }
        let columns: Vec<_> = frame
            .columns()
            .iter()
            .filter_map(|column| match column {
                Column::Numeric(values) => Some(values),
                Column::Nominal { .. } => None,
            })
            .collect();
        // In a row-major matrix, rows are contiguous and are not copied. Otherwise the values of the source
        // and of the neighbor are copied to `source_row` and `mate_row`.
        let (mut source_row, mut mate_row) = (vec![0.0; width], vec![0.0; width]);
        for (added_row, numbers) in numbers.chunks_exact_mut(width.max(1)).enumerate() {
            if added_row % 4096 == 0 {
                ctl.check()?;
            }
            let (source, mate) = (self.sources[added_row], self.neighbors[added_row]);
            let ends = if let Some(matrix) = frame.as_row_major() {
                let row = |row: u32| &matrix[row as usize * width..(row as usize + 1) * width];
                (row(source), if mate == NO_MATE { &[][..] } else { row(mate) })
            } else {
                for (place, column) in columns.iter().enumerate() {
                    source_row[place] = column.get(source as usize);
                    if mate != NO_MATE {
                        mate_row[place] = column.get(mate as usize);
                    }
                }
                (&source_row[..], if mate == NO_MATE { &[][..] } else { &mate_row[..] })
            };
            self.interpolate_row(added_row, ends, numbers);
        }
        Ok(())
    }

    /// Computes one row between its source and its neighbor (`mate`, which is empty for a copy).
    fn interpolate_row(&self, row: usize, (source, mate): (&[f64], &[f64]), numbers: &mut [f64]) {
        let part = row * source.len()..(row + 1) * source.len();
        let ends = numbers.iter_mut().zip(source.iter().zip(mate));
        if mate.is_empty() {
            numbers.copy_from_slice(source);
            let shifts = self.noise.get(part).unwrap_or_default();
            numbers.iter_mut().zip(shifts).for_each(|(number, shift)| *number += shift);
        } else if self.fractions.len() > self.len() {
            ends.zip(&self.fractions[part])
                .for_each(|((number, (source, mate)), gap)| *number = source + gap * (mate - source));
        } else {
            let gap = self.fractions[row];
            ends.for_each(|(number, (source, mate))| *number = source + gap * (mate - source));
        }
    }

    /// Codes of the added rows in a nominal column; `codes` has the codes of the input rows.
    pub fn nominal_column_codes(&self, column: usize, codes: &[u32]) -> Vec<u32> {
        match self.codes.get(&column) {
            Some(drawn) => drawn.clone(),
            None => self.sources.iter().map(|&source| codes[source as usize]).collect(),
        }
    }
}

/// Rows of a class, grouped by the classes of their neighbors (Han, Wang and Mao 2005).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BorderlineGroups {
    /// Rows for which at least half of the neighbors, but not all, are in other classes.
    pub danger: Vec<u32>,
    /// Rows for which all neighbors are in other classes.
    pub noise: Vec<u32>,
    /// All other rows.
    pub safe: Vec<u32>,
}

/// Result of a sampler: numbers of the rows to keep, and the origin of the rows to add.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResamplingPlan {
    /// Rows appended to the input.
    pub added: AddedRows,
    /// Rows to keep, ascending; `None` if all rows are kept.
    /// The numbers of the added rows follow the numbers of the input rows.
    pub kept: Option<Vec<u32>>,
    /// Rows of each over-sampled class, grouped by their neighbors; only from Borderline-SMOTE.
    pub neighborhoods: BTreeMap<u32, BorderlineGroups>,
    /// Tomek links as pairs of rows, if the sampler computes them.
    ///
    /// If links are searched repeatedly, only the links of the first pass are included.
    pub links: Vec<(u32, u32)>,
}

impl ResamplingPlan {
    pub(crate) fn from_kept_rows(kept: Vec<u32>) -> Self {
        Self { kept: Some(kept), ..Self::default() }
    }
}
