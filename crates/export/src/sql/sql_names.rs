//! SQL identifiers of features and literals of levels, and conditions on them.

use super::{Dialect, LevelCodeColumnMap, SqlExpression};
use crate::step::{RuleCondition, Split};
use imbcore_core::{Error, Result};
use imbcore_core::{Feature, FeatureKind, Label};
use std::collections::BTreeSet;

/// Translates features, levels and conditions of a model to SQL.
#[derive(Clone, Copy, Debug)]
pub(super) struct SqlNames<'a> {
    pub(super) dialect: Dialect,
    pub(super) features: &'a [Feature],
    /// Whether conditions are on columns of the user's table instead of columns of a query.
    /// In a query, NaN is already converted to NULL, and so are levels that the model does not have.
    pub(super) raw: bool,
    /// Label literals of the classes, if a step computes a class.
    /// Empty for steps that compute numbers.
    pub(super) labels: &'a [String],
    /// Features whose columns contain codes instead of levels.
    pub(super) coded: &'a LevelCodeColumnMap,
    /// Quoted names of the columns that contain the numbers from lookup tables.
    pub(super) lookups: &'a [String],
}

impl SqlNames<'_> {
    /// SQL literal of a number; if there are class labels, the label of the class with this code.
    pub(super) fn number_or_label_literal(&self, number: f64) -> String {
        // Class codes are integers, so the comparison of floats is exact.
        let label = self.labels.iter().enumerate().find(|(class, _)| *class as f64 == number);
        label.map_or_else(|| self.dialect.number_literal(number), |(_, label)| label.clone())
    }

    pub(super) fn quoted_feature_name(&self, feature: usize) -> Result<String> {
        let unknown = || Error::Internal("a model uses a feature that does not exist".into());
        self.dialect.quote_identifier(&self.features.get(feature).ok_or_else(unknown)?.name)
    }

    /// Quoted name of the column that a split compares with its threshold or levels.
    ///
    /// This column contains the feature or, if the split has a lookup table, the number from this table.
    pub(super) fn split_column_name(&self, split: &Split) -> Result<String> {
        match split.lookup.and_then(|table| self.lookups.get(table)) {
            Some(column) => Ok(column.clone()),
            None => self.quoted_feature_name(split.feature),
        }
    }

    pub(super) fn n_levels(&self, feature: usize) -> usize {
        self.levels(feature).len()
    }

    /// Literal of a level, or its code if the column of the feature contains codes.
    pub(super) fn level_literal(&self, feature: usize, level: u32) -> Result<String> {
        if self.coded.contains_key(&feature) {
            return Ok(level.to_string());
        }
        let unknown = || Error::Internal("a model uses a level that does not exist".into());
        self.dialect.label_literal(self.levels(feature).get(level as usize).ok_or_else(unknown)?)
    }

    fn levels(&self, feature: usize) -> &[Label] {
        match self.features.get(feature).map(|feature| &feature.kind) {
            Some(FeatureKind::Nominal { levels }) => levels,
            _ => &[],
        }
    }

    /// SQL condition that a feature has one of `levels` or, if `inside` is false, another level.
    ///
    /// `levels` are ascending and not empty.
    pub(super) fn level_set_condition(&self, feature: usize, levels: &[u32], inside: bool) -> Result<String> {
        let name = self.quoted_feature_name(feature)?;
        if let &[one] = levels {
            return Ok(format!(
                "{name} {} {}",
                if inside { "=" } else { "<>" },
                self.level_literal(feature, one)?
            ));
        }
        if let Some(column) = self.coded.get(&feature) {
            return Ok(column.level_condition(levels, inside, self.dialect));
        }
        let levels =
            levels.iter().map(|&level| self.level_literal(feature, level)).collect::<Result<Vec<_>>>()?;
        Ok(format!("{name} {} ({})", if inside { "IN" } else { "NOT IN" }, levels.join(", ")))
    }

    pub(super) fn missing_condition(&self, features: &[usize], codes: &[SqlExpression]) -> Result<String> {
        let names =
            features.iter().map(|&feature| self.quoted_feature_name(feature)).collect::<Result<Vec<_>>>()?;
        let all = names.iter().map(String::as_str).chain(codes.iter().map(SqlExpression::text));
        Ok(all.map(|operand| format!("{operand} IS NULL")).collect::<Vec<_>>().join(" OR "))
    }

    pub(super) fn conjunction_of_conditions(&self, wanted: &[RuleCondition]) -> Result<String> {
        if wanted.is_empty() {
            return Ok("1 = 1".to_owned());
        }
        Ok(wanted.iter().map(|wanted| self.condition(wanted)).collect::<Result<Vec<_>>>()?.join(" AND "))
    }

    fn condition(&self, wanted: &RuleCondition) -> Result<String> {
        let (mut name, number) =
            (self.quoted_feature_name(wanted.feature)?, |bound| self.dialect.number_literal(bound));
        if self.raw && wanted.levels.is_none() {
            name = self.dialect.cast_to_double(&name);
        }
        let test = match (wanted.from, wanted.to, wanted.levels.as_deref()) {
            (Some(low), Some(high), _) => format!("{name} BETWEEN {} AND {}", number(low), number(high)),
            (Some(low), None, _) => format!("{name} >= {}", number(low)),
            (None, Some(high), _) => format!("{name} <= {}", number(high)),
            (None, None, None) => "1 = 1".to_owned(),
            // A missing value satisfies the rule, and so does a level that the model does not have. So the
            // SQL condition excludes the other levels of the model, instead of listing the rule's levels.
            (None, None, Some(levels)) if wanted.or_missing => {
                let all = 0..self.n_levels(wanted.feature) as u32;
                let wanted_levels: BTreeSet<&u32> = levels.iter().collect();
                let others: Vec<u32> = all.filter(|level| !wanted_levels.contains(level)).collect();
                if others.is_empty() {
                    "1 = 1".to_owned()
                } else {
                    self.level_set_condition(wanted.feature, &others, false)?
                }
            }
            (None, None, Some([])) => "1 = 0".to_owned(),
            (None, None, Some(levels)) => self.level_set_condition(wanted.feature, levels, true)?,
        };
        Ok(if wanted.or_missing { format!("({name} IS NULL OR {test})") } else { test })
    }
}
