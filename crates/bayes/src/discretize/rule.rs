//! What a discretiser has learnt.

use super::params::Unseen;
use imbcore_base::Schema;
use serde::{Deserialize, Serialize};

/// States of one column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnRule {
    /// States of the values.
    pub values: ColumnValues,
    /// Whether missing values are one more state, the last one.
    pub gap_state: bool,
}

/// States of the values of one column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnValues {
    /// Bins between ascending cuts.
    Cuts(Vec<f64>),
    /// One state a declared level, and whether training saw it.
    Levels(Vec<bool>),
}

impl ColumnRule {
    /// Number of states: bins, or declared levels, and the state of missing values.
    pub fn n_states(&self) -> u32 {
        let values = match &self.values {
            ColumnValues::Cuts(cuts) => cuts.len() + 1,
            ColumnValues::Levels(seen) => seen.len(),
        };
        values as u32 + u32::from(self.gap_state)
    }

    /// Whether training saw at least two states, so that the column can say something.
    pub fn informs(&self) -> bool {
        let seen = match &self.values {
            ColumnValues::Cuts(cuts) => cuts.len() + 1,
            ColumnValues::Levels(seen) => seen.iter().filter(|&&seen| seen).count(),
        };
        seen + usize::from(self.gap_state) > 1
    }
}

/// Turns the columns of a table into codes; plain parts, so that a file can hold it.
///
/// Codes of numeric columns are numbers of bins, those of nominal columns the level codes, and [`crate::MISSING`] stands for a
/// missing value or a level that training did not see. Columns with one state only say nothing and belong in no network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Discretizer {
    /// Rules, one a column.
    pub columns: Vec<ColumnRule>,
    /// Levels that training did not see.
    pub unseen: Unseen,
}

impl Discretizer {
    /// The columns that say something, ascending.
    pub fn informative(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&column| self.columns[column].informs()).collect()
    }

    /// Names of the states of a column: intervals such as `(-inf, 2.5]`, or levels; `missing` for the state of missing values.
    pub fn state_names(&self, column: usize, schema: &Schema) -> Vec<String> {
        let rule = &self.columns[column];
        let mut names: Vec<String> = match &rule.values {
            ColumnValues::Levels(seen) => {
                (0..seen.len() as u32).map(|code| schema.level(column, code)).collect()
            }
            ColumnValues::Cuts(cuts) => intervals(cuts),
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

/// The bins between cuts, as text.
fn intervals(cuts: &[f64]) -> Vec<String> {
    let lower = std::iter::once("(-inf".to_owned()).chain(cuts.iter().map(|cut| format!("({cut}")));
    let upper = cuts.iter().map(|cut| format!("{cut}]")).chain(std::iter::once("inf)".to_owned()));
    lower.zip(upper).map(|(lower, upper)| format!("{lower}, {upper}")).collect()
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
            rule(ColumnValues::Cuts(vec![-0.5, 2.0]), false),
            rule(ColumnValues::Levels(vec![true, false]), true),
        ];
        let discretizer = Discretizer { columns, unseen: Unseen::Missing };
        assert_eq!(discretizer.state_names(0, &schema), ["(-inf, -0.5]", "(-0.5, 2]", "(2, inf)"]);
        assert_eq!(discretizer.state_names(1, &schema), ["x", "missing", "missing_"]);
        assert_eq!(discretizer.informative(), [0, 1]);
        assert_eq!(discretizer.columns[1].n_states(), 3);
    }

    #[test]
    fn one_state_says_nothing() {
        let rule = |values, gap_state| ColumnRule { values, gap_state }.informs();
        assert!(!rule(ColumnValues::Cuts(vec![]), false) && rule(ColumnValues::Cuts(vec![]), true));
        assert!(!rule(ColumnValues::Levels(vec![true, false]), false));
    }
}
