//! A fitted discretizer.

use super::params::UnseenLevelPolicy;
use crate::table::MISSING;
use imbcore_core::{Error, Result, Schema};
use serde::{Deserialize, Serialize};

/// Mapping from the values of one column to state numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnRule {
    /// Mapping to states of the values that are not missing.
    pub values: ColumnStates,
    /// Whether missing values are an additional state, the last one.
    pub gap_state: bool,
}

/// Mapping from the values of one column that are not missing to state numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnStates {
    /// Bins between ascending cut points.
    Cuts(Vec<f64>),
    /// Levels of a nominal column: for each declared level, whether it occurred in training.
    Levels(Vec<bool>),
}

impl ColumnRule {
    pub(crate) fn n_states(&self) -> u32 {
        let values = match &self.values {
            ColumnStates::Cuts(cuts) => cuts.len() + 1,
            ColumnStates::Levels(seen) => seen.len(),
        };
        values as u32 + u32::from(self.gap_state)
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.n_states() < u32::from(MISSING) {
            return Ok(());
        }
        Err(Error::Data(format!("has {} states; at most {} are possible", self.n_states(), MISSING - 1)))
    }

    /// Whether at least two states occurred in training, so that the column is informative.
    pub fn is_informative(&self) -> bool {
        let seen = match &self.values {
            ColumnStates::Cuts(cuts) => cuts.len() + 1,
            ColumnStates::Levels(seen) => seen.iter().filter(|&&seen| seen).count(),
        };
        seen + usize::from(self.gap_state) > 1
    }
}

/// Converts the columns of a table to codes.
///
/// The code of a value is the number of its bin in a numeric column, and its level code in a nominal column.
/// A missing value has the code of the state for missing values. If the column has no such state, the code is
/// [`crate::MISSING`]. A level that did not occur in training counts as missing or raises an error, depending
/// on `handle_unknown`. Columns in which at most one state occurred in training are not informative and are
/// left out of networks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Discretizer {
    /// Rules, one per column.
    pub columns: Vec<ColumnRule>,
    /// Treatment of levels that did not occur in training.
    pub handle_unknown: UnseenLevelPolicy,
}

impl Discretizer {
    pub(crate) fn informative_columns(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&column| self.columns[column].is_informative()).collect()
    }

    /// Serializes the rules as JSON, exact to the last bit.
    ///
    /// # Errors
    /// [`Error::Internal`] if the serialization fails.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| Error::Internal(error.to_string()))
    }

    /// Reads the output of [`Discretizer::to_json`]; the text may come from an untrusted file.
    ///
    /// # Errors
    /// [`Error::Format`] for text in another format, for cut points that are not finite and ascending, and
    /// for too many states.
    pub fn from_json(text: &str) -> Result<Self> {
        let found: Self = serde_json::from_str(text)
            .map_err(|error| Error::Format(format!("the states of the columns are damaged: {error}")))?;
        let sound = |rule: &ColumnRule| {
            let ascending = match &rule.values {
                ColumnStates::Cuts(cuts) => {
                    cuts.iter().all(|cut| cut.is_finite()) && cuts.windows(2).all(|two| two[0] < two[1])
                }
                ColumnStates::Levels(_) => true,
            };
            ascending && rule.n_states() < u32::from(MISSING)
        };
        if found.columns.iter().all(sound) {
            return Ok(found);
        }
        Err(Error::Format(
            "the states of the columns are damaged: cut points are not ascending or too many".into(),
        ))
    }

    /// Names of the states of a column: bins such as `<= 2.5`, or levels.
    ///
    /// A state of missing values is named `missing`; underscores are appended if a level has that name.
    pub(crate) fn state_names(&self, column: usize, schema: &Schema) -> Vec<String> {
        let rule = &self.columns[column];
        let mut names: Vec<String> = match &rule.values {
            ColumnStates::Levels(seen) => {
                (0..seen.len() as u32).map(|code| schema.level_text(column, code)).collect()
            }
            ColumnStates::Cuts(cuts) => interval_names(cuts),
        };
        if rule.gap_state {
            let mut own = "missing".to_owned();
            while names.contains(&own) {
                own.push('_');
            }
            names.push(own);
        }
        names
    }
}

/// Names of the bins, limited to characters that every network file format can store.
fn interval_names(cuts: &[f64]) -> Vec<String> {
    let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else {
        return vec!["any".to_owned()];
    };
    let middle = cuts.windows(2).map(|ends| format!("{:?} to {:?}", ends[0], ends[1]));
    std::iter::once(format!("<= {first:?}")).chain(middle).chain([format!("> {last:?}")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_names() {
        let text = r#"{"features":[{"name":"a","kind":"numeric"},{"name":"b","kind":"nominal","levels":["x","missing"]}],
            "named":true,"classes":[0,1],"class_dtype":"int64"}"#;
        let schema = Schema::from_json(text).unwrap();
        let rule = |values, gap_state| ColumnRule { values, gap_state };
        let columns = vec![
            rule(ColumnStates::Cuts(vec![-0.5, 2.0]), false),
            rule(ColumnStates::Levels(vec![true, false]), true),
        ];
        let discretizer = Discretizer { columns, handle_unknown: UnseenLevelPolicy::Missing };
        assert_eq!(discretizer.state_names(0, &schema), ["<= -0.5", "-0.5 to 2.0", "> 2.0"]);
        assert_eq!(discretizer.state_names(1, &schema), ["x", "missing", "missing_"]);
        assert_eq!(discretizer.informative_columns(), [0, 1]);
        assert_eq!(discretizer.columns[1].n_states(), 3);
    }

    #[test]
    fn parts_come_back_from_json_and_damaged_ones_do_not() {
        let with = |cuts: Vec<f64>| {
            let columns = vec![ColumnRule { values: ColumnStates::Cuts(cuts), gap_state: true }];
            Discretizer { columns, handle_unknown: UnseenLevelPolicy::Error }
        };
        let kept = with(vec![-0.1, 0.1 + 0.2]);
        assert_eq!(Discretizer::from_json(&kept.to_json().unwrap()).unwrap(), kept);
        let damaged = with(vec![2.0, 1.0]).to_json().unwrap();
        assert!(matches!(Discretizer::from_json(&damaged), Err(Error::Format(_))));
        assert!(matches!(Discretizer::from_json("{}"), Err(Error::Format(_))));
    }

    #[test]
    fn single_states_are_not_informative() {
        let rule = |values, gap_state| ColumnRule { values, gap_state }.is_informative();
        assert!(!rule(ColumnStates::Cuts(vec![]), false) && rule(ColumnStates::Cuts(vec![]), true));
        assert!(!rule(ColumnStates::Levels(vec![true, false]), false));
    }
}
