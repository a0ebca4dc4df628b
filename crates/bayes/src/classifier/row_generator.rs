//! Synthetic rows from a Bayesian classifier, for oversampling with realistic dependencies.

use super::model::{BayesModel, weights_from_logs};
use crate::discretize::{ColumnRule, ColumnStates};
use crate::sample::{forward_sample, sample_given_evidence};
use crate::table::{DiscreteTable, MISSING};
use imbcore_core::memory::check_values_fit_in_memory;
use imbcore_core::{ColumnBuf, Error, FrameBuf, Result, RunContext, SeedKey, tags, uniform};

impl BayesModel {
    /// Draws `n` independent rows and their class codes, all of one class if `class` is given.
    ///
    /// The rows follow the joint distribution of the model. A number is uniform within its drawn bin. The
    /// outer bins end at the smallest and the largest training value. A column outside the network does not
    /// depend on the other columns. If such a column is numeric, it is uniform within its training range. If
    /// it is nominal, it has the only level that occurred in training.
    ///
    /// # Errors
    /// [`Error::Data`] for an unknown class or one of probability 0; [`Error::Memory`];
    /// [`Error::Cancelled`].
    pub fn sample(
        &self,
        n: usize,
        class: Option<u32>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<(FrameBuf, Vec<u32>)> {
        let n_classes = self.training_stats().shares.len();
        if class.is_some_and(|class| class as usize >= n_classes) {
            return Err(Error::Data(format!("the class is not one of the {n_classes} classes of the model")));
        }
        // Each value takes at most 16 bytes. The network, the position and the class of a row count as three
        // more columns.
        let size = self.discretizer(0).columns.len() + 3;
        check_values_fit_in_memory::<[u64; 2]>(n.saturating_mul(size), "random rows")?;
        let of_row = self.draw_member_per_row(n, key, ctl)?;
        let mut classes = vec![0; n];
        let mut columns: Vec<ColumnBuf> =
            self.discretizer(0).columns.iter().map(|rule| all_missing_column(rule, n)).collect();
        for (at, member) in self.members().iter().enumerate() {
            let rows: Vec<usize> = (0..n).filter(|&row| of_row[row] == at).collect();
            let key = key.child(tags::generated::ROWS, at as u32);
            let drawn = match class {
                Some(class) => sample_given_evidence(
                    &member.network,
                    &[(member.class_variable(), class as u16)],
                    rows.len(),
                    key,
                    ctl,
                )?,
                None => forward_sample(&member.network, rows.len(), key, ctl)?,
            };
            for (&row, &code) in rows.iter().zip(&*drawn.codes(member.columns.len())) {
                classes[row] = u32::from(code);
            }
            for (column, into) in columns.iter_mut().enumerate() {
                ctl.check()?;
                let place = member.columns.binary_search(&(column as u32)).ok();
                let mut rng = key.child(tags::generated::NUMBERS, column as u32).rng();
                let rule = &self.discretizer(at).columns[column];
                let range = self.training_stats().ranges[column];
                for (drawn_at, &row) in rows.iter().enumerate() {
                    ctl.check_periodically(drawn_at)?;
                    let state = drawn_state_of_column(&drawn, place, drawn_at, rule);
                    match into {
                        ColumnBuf::Numeric(values) => {
                            values[row] = draw_number_in_bin(rule, state, range, uniform(&mut rng));
                        }
                        ColumnBuf::Nominal { codes, .. } => codes[row] = level_of_state(rule, state),
                    }
                }
            }
        }
        Ok((FrameBuf::new(columns)?, classes))
    }

    fn draw_member_per_row(&self, n: usize, key: SeedKey, ctl: RunContext<'_>) -> Result<Vec<usize>> {
        let shares = weights_from_logs(self.member_log_weights());
        let mut rng = key.child(tags::generated::MEMBER, 0).rng();
        let last = shares.len() - 1;
        let draw = |row: usize| {
            ctl.check_periodically(row)?;
            let mut rest = uniform(&mut rng);
            let found = shares.iter().position(|share| {
                rest -= share;
                rest < 0.0
            });
            Ok(found.unwrap_or(last))
        };
        (0..n).map(draw).collect()
    }
}

fn all_missing_column(rule: &ColumnRule, n: usize) -> ColumnBuf {
    match &rule.values {
        ColumnStates::Cuts(_) => ColumnBuf::Numeric(vec![f64::NAN; n]),
        ColumnStates::Levels(seen) => {
            ColumnBuf::Nominal { codes: vec![imbcore_core::MISSING; n], levels: seen.len() as u32 }
        }
    }
}

fn drawn_state_of_column(drawn: &DiscreteTable, place: Option<usize>, row: usize, rule: &ColumnRule) -> u16 {
    match (place, &rule.values) {
        (Some(place), _) => drawn.code(place, row),
        (None, ColumnStates::Cuts(_)) => 0,
        (None, ColumnStates::Levels(seen)) => {
            seen.iter().position(|&seen| seen).map_or(MISSING, |at| at as u16)
        }
    }
}

/// Draws a number within the bin `(low, high]` of a state; NaN for the missing state.
fn draw_number_in_bin(rule: &ColumnRule, state: u16, range: Option<(f64, f64)>, u: f64) -> f64 {
    let (ColumnStates::Cuts(cuts), Some((least, most))) = (&rule.values, range) else { return f64::NAN };
    let bin = usize::from(state);
    if bin > cuts.len() {
        return f64::NAN;
    }
    let low = if bin == 0 { least } else { cuts[bin - 1] };
    let high = cuts.get(bin).copied().unwrap_or(most);
    high - u * (high - low)
}

fn level_of_state(rule: &ColumnRule, state: u16) -> u32 {
    match &rule.values {
        ColumnStates::Levels(seen) if usize::from(state) < seen.len() => u32::from(state),
        _ => imbcore_core::MISSING,
    }
}
