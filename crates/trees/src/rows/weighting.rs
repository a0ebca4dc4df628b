//! Sums of row counts and masses by class, with weights by class or by row.

use crate::rows::class_sums::ClassSums;
use crate::rows::train_column::{FlaggedRow, RARE, row_of_entry};
use crate::rows::training::{RowWeights, TreeSample};

/// The scans are compiled once for each implementation.
pub(crate) trait Weighting: Copy + Send + Sync {
    /// Whether row counts determine masses, because all rows of a class have equal weight.
    const BY_COUNT: bool;

    /// Before masses are read, [`Weighting::compute_masses_from_counts`] must be called.
    fn add_entries(self, training: &TreeSample<'_>, sums: &mut ClassSums, entries: &[FlaggedRow]);

    /// `values` are the values of one column for the rows in `entries`.
    fn add_entries_at_most(
        self,
        bound: f64,
        training: &TreeSample<'_>,
        sums: &mut ClassSums,
        entries: &[FlaggedRow],
        values: &[f64],
    );

    /// Computes the masses from the row counts, if all rows of a class have equal weight.
    fn compute_masses_from_counts(self, sums: &mut ClassSums);

    fn compute_class_mass(self, sums: &mut ClassSums, class: usize);

    fn entry_mass(self, entry: FlaggedRow, class: usize) -> f64;

    /// The result is exactly 0 if no row of the class remains.
    fn remaining_mass(self, all: &ClassSums, part: &ClassSums, class: usize) -> f64;
}

/// One weight per class: masses are counts times weights, without rounding errors of sums.
#[derive(Clone, Copy)]
pub(crate) struct ByClassWeighting<'w>(pub(crate) &'w [f64]);

#[derive(Clone, Copy)]
pub(crate) struct ByRowWeighting<'w>(pub(crate) &'w [f64]);

/// Weighting that is selected at run time, for code that is not called for each row.
#[derive(Clone, Copy)]
pub(crate) enum AnyWeighting<'w> {
    ByClass(ByClassWeighting<'w>),
    ByRow(ByRowWeighting<'w>),
}

impl<'w> AnyWeighting<'w> {
    pub(crate) fn for_table(weighing: &'w RowWeights) -> Self {
        match weighing {
            RowWeights::ByClass(weights) => Self::ByClass(ByClassWeighting(weights)),
            RowWeights::ByRow(weights) => Self::ByRow(ByRowWeighting(weights)),
        }
    }

    pub(crate) fn add_entries(self, training: &TreeSample<'_>, sums: &mut ClassSums, entries: &[FlaggedRow]) {
        match self {
            Self::ByClass(weigh) => weigh.add_entries(training, sums, entries),
            Self::ByRow(weigh) => weigh.add_entries(training, sums, entries),
        }
    }

    pub(crate) fn compute_masses(self, sums: &mut ClassSums) {
        match self {
            Self::ByClass(weigh) => weigh.compute_masses_from_counts(sums),
            Self::ByRow(weigh) => weigh.compute_masses_from_counts(sums),
        }
    }
}

impl Weighting for ByClassWeighting<'_> {
    const BY_COUNT: bool = true;

    #[inline]
    fn add_entries(self, training: &TreeSample<'_>, sums: &mut ClassSums, entries: &[FlaggedRow]) {
        let mut frequent = 0;
        // In most chunks, all rows are of the most frequent class, so one comparison classifies 16 rows.
        for chunk in entries.chunks(16) {
            if chunk.iter().fold(0, |all, entry| all | entry) & RARE == 0 {
                frequent += chunk.len() as u32;
                continue;
            }
            for &entry in chunk {
                if entry & RARE == 0 {
                    frequent += 1;
                } else {
                    sums.rows[training.class_of(entry)] += 1;
                }
            }
        }
        sums.rows[training.codes.frequent] += frequent;
    }

    #[inline]
    fn add_entries_at_most(
        self,
        bound: f64,
        training: &TreeSample<'_>,
        sums: &mut ClassSums,
        entries: &[FlaggedRow],
        values: &[f64],
    ) {
        let mut frequent = 0;
        let mut add = |entries: &[FlaggedRow], values: &[f64]| {
            for (&entry, &value) in entries.iter().zip(values) {
                sums.rows[training.class_of(entry)] += u32::from(value <= bound);
            }
        };
        let ((chunks, last), (many, few)) = (entries.as_chunks::<16>(), values.as_chunks::<16>());
        for (chunk, values) in chunks.iter().zip(many) {
            if chunk.iter().fold(0, |all, entry| all | entry) & RARE == 0 {
                frequent += values.iter().map(|&value| u32::from(value <= bound)).sum::<u32>();
            } else {
                add(chunk, values);
            }
        }
        add(last, few);
        sums.rows[training.codes.frequent] += frequent;
    }

    #[inline]
    fn compute_masses_from_counts(self, sums: &mut ClassSums) {
        for ((mass, &rows), weight) in sums.mass.iter_mut().zip(&sums.rows).zip(self.0) {
            *mass = f64::from(rows) * weight;
        }
    }

    #[inline]
    fn compute_class_mass(self, sums: &mut ClassSums, class: usize) {
        sums.mass[class] = f64::from(sums.rows[class]) * self.0[class];
    }

    #[inline]
    fn entry_mass(self, _entry: FlaggedRow, class: usize) -> f64 {
        self.0[class]
    }

    #[inline]
    fn remaining_mass(self, all: &ClassSums, part: &ClassSums, class: usize) -> f64 {
        f64::from(all.rows[class] - part.rows[class]) * self.0[class]
    }
}

impl Weighting for ByRowWeighting<'_> {
    const BY_COUNT: bool = false;

    #[inline]
    fn add_entries(self, training: &TreeSample<'_>, sums: &mut ClassSums, entries: &[FlaggedRow]) {
        for &entry in entries {
            let class = training.class_of(entry);
            sums.rows[class] += 1;
            sums.mass[class] += self.0[row_of_entry(entry)];
        }
    }

    #[inline]
    fn add_entries_at_most(
        self,
        bound: f64,
        training: &TreeSample<'_>,
        sums: &mut ClassSums,
        entries: &[FlaggedRow],
        values: &[f64],
    ) {
        for (&entry, _) in entries.iter().zip(values).filter(|&(_, &value)| value <= bound) {
            let class = training.class_of(entry);
            sums.rows[class] += 1;
            sums.mass[class] += self.0[row_of_entry(entry)];
        }
    }

    #[inline]
    fn compute_masses_from_counts(self, _sums: &mut ClassSums) {}

    #[inline]
    fn compute_class_mass(self, _sums: &mut ClassSums, _class: usize) {}

    #[inline]
    fn entry_mass(self, entry: FlaggedRow, _class: usize) -> f64 {
        self.0[row_of_entry(entry)]
    }

    #[inline]
    fn remaining_mass(self, all: &ClassSums, part: &ClassSums, class: usize) -> f64 {
        if all.rows[class] == part.rows[class] { 0.0 } else { (all.mass[class] - part.mass[class]).max(0.0) }
    }
}
