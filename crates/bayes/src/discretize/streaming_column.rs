//! Discretization of one column that is read in batches.
//!
//! Each batch only updates counts, from which the states are computed at the end.

use super::column_rule::{ColumnRule, ColumnStates};
use super::equal_freq;
use super::learner::DiscretizeSettings;
use super::majority_counts;
use super::params::{CutMethod, MissingPolicy};
use super::range::extend_range;
use super::value_counts::{ValueCounts, keys_to_values};
use imbcore_core::{Column, Error, Result, RunContext, Strided, memory};

/// Compact counts are used only if rare-class rows times columns are at most this number.
///
/// Compact counts (see the module `majority_counts`) take about 50 bytes per stored value.
const MOST_RARE: f64 = (1 << 22) as f64;

impl DiscretizeSettings {
    /// The majority class, if the compact counts of the module `majority_counts` save memory.
    ///
    /// Only the method `Mdlp` can use compact counts. They store each row of all other classes, and only the
    /// numbers of majority rows between these rows. They need little memory if nearly all rows belong to one
    /// class. `rows` are the numbers of rows of the classes.
    pub fn class_for_compact_counts(self, rows: &[f64], n_columns: usize) -> Option<u32> {
        let common = majority_counts::dominant_class(rows).filter(|_| self.method == CutMethod::Mdlp)?;
        let rare = rows.iter().sum::<f64>() - rows[common as usize];
        (rare * n_columns as f64 <= MOST_RARE).then_some(common)
    }
}

/// Statistics of the batches of one column that have been read so far.
#[derive(Clone, Debug)]
pub struct StreamingColumnStats {
    values: ColumnCounts,
    gap: bool,
    range: Option<(f64, f64)>,
}

#[derive(Clone, Debug)]
enum ColumnCounts {
    Numeric(ValueCounts),
    /// The majority class, and all rows of other classes as pairs of value and class.
    ///
    /// In this state, no row of the majority class has been counted yet.
    Rare(u32, Vec<(f64, u32)>),
    Common(majority_counts::CompactColumnCounts),
    Nominal(Vec<bool>),
}

impl StreamingColumnStats {
    /// Creates empty statistics of a numeric column, or of a nominal column if `levels` is given.
    ///
    /// `common` is the result of [`DiscretizeSettings::class_for_compact_counts`]. If `common` is a class,
    /// the rows of all other classes must be passed to [`Self::add_rare_rows`] first.
    pub fn new(levels: Option<u32>, common: Option<u32>) -> Self {
        let values = match (levels, common) {
            (Some(levels), _) => ColumnCounts::Nominal(vec![false; levels as usize]),
            (None, Some(common)) => ColumnCounts::Rare(common, Vec::new()),
            (None, None) => ColumnCounts::Numeric(ValueCounts::new()),
        };
        Self { values, gap: false, range: None }
    }

    /// Adds rows that do not belong to the majority class; must precede [`Self::add_rows`].
    ///
    /// Each of these rows must later also be passed to [`Self::add_rows`].
    ///
    /// # Errors
    /// [`Error::Internal`] for a column of another kind, [`Error::Memory`].
    pub fn add_rare_rows(&mut self, column: &Column<'_>, classes: &[u32]) -> Result<()> {
        match (&mut self.values, column) {
            (ColumnCounts::Rare(_, rows), Column::Numeric(values)) => {
                for (row, &class) in classes.iter().enumerate() {
                    memory::push(rows, (values.get(row), class), "values of the rare classes")?;
                }
                Ok(())
            }
            (ColumnCounts::Nominal(_), Column::Nominal { .. }) => Ok(()),
            _ => Err(kind_mismatch_error()),
        }
    }

    /// Counts the rows of a batch; the caller must have rejected infinite values.
    ///
    /// # Errors
    /// [`Error::Internal`] for a column of another kind, [`Error::Memory`], [`Error::Cancelled`].
    pub fn add_rows(&mut self, column: &Column<'_>, classes: &[u32], ctl: RunContext<'_>) -> Result<()> {
        self.gap = self.gap || (0..classes.len()).any(|row| column.is_missing(row));
        if let ColumnCounts::Rare(common, rows) = &mut self.values {
            self.values = ColumnCounts::Common(majority_counts::CompactColumnCounts::new(
                *common,
                std::mem::take(rows).into_iter(),
            )?);
        }
        if let (ColumnCounts::Numeric(_), Column::Numeric(values)) = (&self.values, column) {
            self.range = extend_range(self.range, (0..classes.len()).map(|row| values.get(row)));
        }
        let value_and_class = |values: &Strided<'_>, row| (values.get(row), classes[row]);
        match (&mut self.values, column) {
            (ColumnCounts::Numeric(tally), Column::Numeric(values)) => {
                tally.add((0..classes.len()).map(|row| value_and_class(values, row)), ctl)
            }
            (ColumnCounts::Common(tally), Column::Numeric(values)) => {
                tally.add_common_class_rows((0..classes.len()).map(|row| value_and_class(values, row)), ctl)
            }
            (ColumnCounts::Nominal(seen), Column::Nominal { codes, .. }) => {
                for &code in *codes {
                    if let Some(level) = seen.get_mut(code as usize) {
                        *level = true;
                    }
                }
                Ok(())
            }
            _ => Err(kind_mismatch_error()),
        }
    }

    /// Mapping to states learned from all batches, and the range of values of a numeric column.
    ///
    /// # Errors
    /// [`Error::Data`] for missing values that the settings do not allow or for too many states,
    /// [`Error::Memory`], [`Error::Cancelled`].
    pub fn into_rule(
        self,
        settings: DiscretizeSettings,
        n_classes: usize,
        ctl: RunContext<'_>,
    ) -> Result<(ColumnRule, Option<(f64, f64)>)> {
        if self.gap && settings.gaps == MissingPolicy::Error {
            return Err(Error::Data(MissingPolicy::REFUSED.into()));
        }
        let range = match &self.values {
            ColumnCounts::Common(tally) => tally.value_range(),
            _ => self.range,
        };
        let values = match self.values {
            ColumnCounts::Nominal(seen) => ColumnStates::Levels(seen),
            ColumnCounts::Numeric(tally) if settings.method == CutMethod::EqualFreq => {
                let rows = tally.sorted_counts()?.map(|(key, _, rows)| (key, rows)).collect();
                ColumnStates::Cuts(equal_freq::equal_weight_cut_points(rows, settings.n_bins, ctl)?)
            }
            ColumnCounts::Numeric(tally) => ColumnStates::Cuts(settings.supervised_cut_points(
                keys_to_values(tally.sorted_counts()?),
                n_classes,
                ctl,
            )?),
            ColumnCounts::Common(tally) => {
                ColumnStates::Cuts(settings.supervised_cut_points(tally.sorted_counts(), n_classes, ctl)?)
            }
            ColumnCounts::Rare(..) => {
                return Err(Error::Internal("rare rows were given, but no row was counted".into()));
            }
        };
        let rule = ColumnRule { values, gap_state: settings.gaps == MissingPolicy::State && self.gap };
        rule.check()?;
        Ok((rule, range))
    }
}

fn kind_mismatch_error() -> Error {
    Error::Internal("the batches of a column have different kinds".into())
}

#[cfg(test)]
mod tests {
    use super::super::learner::{DiscretizerInput, MANY};
    use super::super::params::DiscretizeParams;
    use super::*;
    use imbcore_core::Frame;

    #[test]
    fn pieces_give_the_states_of_the_whole() {
        let noise = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 8) / 1e4;
        let classes: Vec<u32> =
            (0..3000).map(|i| u32::from(noise(i) > 1200.0) + u32::from(i % 97 == 0)).collect();
        let values: Vec<f64> = (0..3000)
            .map(|i| if i % 50 == 0 { f64::NAN } else { (noise(i + 7) + noise(i)).round() / 4.0 })
            .collect();
        let frame = Frame::new(vec![Column::from_numbers(&values)]).unwrap();
        for method in
            [CutMethod::Mdlp, CutMethod::Caim, CutMethod::Cacc, CutMethod::Ameva, CutMethod::EqualFreq]
        {
            for missing in [MissingPolicy::Available, MissingPolicy::State] {
                let params =
                    DiscretizeParams { discretizer: method, missing, n_bins: 7, ..Default::default() };
                let (settings, ctl) = (params.check("test").unwrap(), RunContext::silent());
                let training = DiscretizerInput::new(&frame, Some((&classes, 3)), None).unwrap();
                let rows = settings.training_rows(&training).unwrap();
                let whole = settings.learn(&training, &rows, ctl).unwrap();
                let mut pieces = StreamingColumnStats::new(None, None);
                for (part, of) in values.chunks(133).zip(classes.chunks(133)) {
                    pieces.add_rows(&Column::from_numbers(part), of, ctl).unwrap();
                }
                let (rule, range) = pieces.into_rule(settings, 3, ctl).unwrap();
                assert_eq!(rule, whole.columns[0], "{method:?} {missing:?}");
                let known = values.iter().copied().filter(|value| !value.is_nan());
                assert_eq!(
                    range,
                    Some((known.clone().fold(f64::MAX, f64::min), known.fold(f64::MIN, f64::max)))
                );
            }
        }
    }

    /// Many unweighted rows are counted by value, but weighted rows are sorted.
    #[test]
    fn counted_rows_give_the_states_of_sorted_ones() {
        let noise = |i: u32| i.wrapping_mul(2_654_435_761) >> 9;
        let rows = 0..MANY as u32 + 7;
        let values: Vec<f64> = rows
            .clone()
            .map(|i| if i % 71 == 0 { f64::NAN } else { f64::from(noise(i) % 9_001) / 3.0 - 1e3 })
            .collect();
        let classes: Vec<u32> = rows
            .map(|i| u32::from(noise(i) % 9_001 > 8_000 && i % 3 > 0) + u32::from(i % 997 == 0))
            .collect();
        let frame = Frame::new(vec![Column::from_numbers(&values)]).unwrap();
        let ones = vec![1.0; values.len()];
        for method in [CutMethod::Mdlp, CutMethod::Caim, CutMethod::Cacc, CutMethod::Ameva] {
            let params = DiscretizeParams { discretizer: method, ..Default::default() };
            let (settings, ctl) = (params.check("test").unwrap(), RunContext::silent());
            let learned = |weights: Option<&[f64]>| {
                let training = DiscretizerInput::new(&frame, Some((&classes, 3)), weights).unwrap();
                settings.learn(&training, &settings.training_rows(&training).unwrap(), ctl).unwrap()
            };
            let counted = learned(None);
            assert_eq!(counted, learned(Some(&ones)), "{method:?}");
            assert!(counted.columns[0].n_states() > 1);
        }
    }

    #[test]
    fn levels_are_seen_and_gaps_are_refused() {
        let settings =
            DiscretizeParams { missing: MissingPolicy::Error, ..Default::default() }.check("test").unwrap();
        let ctl = RunContext::silent();
        let mut pieces = StreamingColumnStats::new(Some(3), None);
        pieces.add_rows(&Column::Nominal { codes: &[2, 0], levels: 3 }, &[0, 1], ctl).unwrap();
        let (rule, _) = pieces.clone().into_rule(settings, 2, ctl).unwrap();
        assert_eq!(rule.values, ColumnStates::Levels(vec![true, false, true]));
        pieces.add_rows(&Column::Nominal { codes: &[imbcore_core::MISSING], levels: 3 }, &[0], ctl).unwrap();
        assert!(
            pieces.clone().into_rule(settings, 2, ctl).unwrap_err().to_string().contains("missing values")
        );
        assert!(pieces.add_rows(&Column::from_numbers(&[1.0]), &[0], ctl).is_err());
    }
}
