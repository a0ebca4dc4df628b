//! SQL condition that selects the rows that satisfy rules.

use super::columns::check_columns_unambiguous;
use super::{Dialect, LevelCodeColumnMap, SqlNames};
use crate::step::RuleCondition;
use imbcore_core::{Result, Schema};

/// Condition (text after `WHERE`) that selects the rows covered by at least one rule.
/// A rule covers the rows for which all conditions of the rule hold.
///
/// # Errors
/// [`imbcore_core::Error::Unsupported`] for names or levels that the dialect cannot express.
pub fn where_condition(dialect: Dialect, schema: &Schema, rules: &[Vec<RuleCondition>]) -> Result<String> {
    let (features, coded) = (&schema.features[..], &LevelCodeColumnMap::new());
    let names = SqlNames { dialect, features, raw: true, labels: &[], coded, lookups: &[] };
    let used: Vec<usize> = rules.iter().flatten().map(|condition| condition.feature).collect();
    check_columns_unambiguous(dialect, schema, &used)?;
    let of_rule = |rule: &Vec<RuleCondition>| Ok(format!("({})", names.conjunction_of_conditions(rule)?));
    let rules = rules.iter().map(of_rule).collect::<Result<Vec<String>>>()?;
    // Some databases have no literals for true and false.
    Ok(if rules.is_empty() { "1 = 0".to_owned() } else { rules.join("\n   OR ") })
}
