//! What databases call features and levels, and how they ask for them.

use super::{CodedColumns, Dialect, Expression};
use crate::error::{Error, Result};
use crate::formula::Wanted;
use crate::schema::{Feature, FeatureKind, Label};
use std::collections::BTreeSet;

/// Words of a database for the features of a model.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The database.
    pub dialect: Dialect,
    /// The features.
    pub features: &'a [Feature],
    /// Whether columns are those of the table of a user's, and not those of a query, which have nothing that the model does not know.
    pub raw: bool,
    /// What classes are called by a step that says a class; empty for those that say numbers.
    pub labels: &'a [String],
    /// The features whose columns are codes of levels.
    pub coded: &'a CodedColumns,
}

impl Words<'_> {
    /// A number that is said, or the class of that number.
    pub fn says(&self, number: f64) -> String {
        // Codes of classes are whole numbers.
        let label = self.labels.iter().enumerate().find(|(class, _)| *class as f64 == number);
        label.map_or_else(|| self.dialect.number(number), |(_, label)| label.clone())
    }

    /// The column of a feature.
    ///
    /// # Errors
    /// As [`Dialect::name`].
    pub fn name(&self, feature: usize) -> Result<String> {
        let unknown = || Error::Internal("a model asks for a feature that does not exist".into());
        self.dialect.name(&self.features.get(feature).ok_or_else(unknown)?.name)
    }

    /// How many levels a feature has.
    pub fn n_levels(&self, feature: usize) -> usize {
        self.levels(feature).len()
    }

    /// A level as a literal.
    ///
    /// # Errors
    /// As [`Dialect::label`].
    pub fn level(&self, feature: usize, level: u32) -> Result<String> {
        if self.coded.contains_key(&feature) {
            return Ok(level.to_string());
        }
        let unknown = || Error::Internal("a model asks for a level that does not exist".into());
        self.dialect.label(self.levels(feature).get(level as usize).ok_or_else(unknown)?)
    }

    fn levels(&self, feature: usize) -> &[Label] {
        match self.features.get(feature).map(|feature| &feature.kind) {
            Some(FeatureKind::Nominal { levels }) => levels,
            _ => &[],
        }
    }

    /// A test whether a feature has one of some levels, ascending and at least one, or a level that is none of them.
    ///
    /// # Errors
    /// As [`Dialect::name`] and [`Dialect::label`].
    pub fn member(&self, feature: usize, levels: &[u32], inside: bool) -> Result<String> {
        let name = self.name(feature)?;
        if let &[one] = levels {
            return Ok(format!("{name} {} {}", if inside { "=" } else { "<>" }, self.level(feature, one)?));
        }
        if let Some(column) = self.coded.get(&feature) {
            return Ok(column.test(levels, inside, self.dialect));
        }
        let levels = levels.iter().map(|&level| self.level(feature, level)).collect::<Result<Vec<_>>>()?;
        Ok(format!("{name} {} ({})", if inside { "IN" } else { "NOT IN" }, levels.join(", ")))
    }

    /// What holds where a feature or a code is missing.
    ///
    /// # Errors
    /// As [`Dialect::name`].
    pub fn lacks(&self, features: &[usize], codes: &[Expression]) -> Result<String> {
        let names = features.iter().map(|&feature| self.name(feature)).collect::<Result<Vec<_>>>()?;
        let all = names.iter().map(String::as_str).chain(codes.iter().map(Expression::text));
        Ok(all.map(|asked| format!("{asked} IS NULL")).collect::<Vec<_>>().join(" OR "))
    }

    /// What holds where a rule has what it wants.
    ///
    /// # Errors
    /// As [`Dialect::name`] and [`Dialect::label`].
    pub fn all(&self, wanted: &[Wanted]) -> Result<String> {
        if wanted.is_empty() {
            return Ok("1 = 1".to_owned());
        }
        Ok(wanted.iter().map(|wanted| self.holds(wanted)).collect::<Result<Vec<_>>>()?.join(" AND "))
    }

    fn holds(&self, wanted: &Wanted) -> Result<String> {
        let (mut name, number) = (self.name(wanted.feature)?, |bound| self.dialect.number(bound));
        if self.raw && wanted.levels.is_none() {
            name = self.dialect.numeric(&name);
        }
        let test = match (wanted.from, wanted.to, wanted.levels.as_deref()) {
            (Some(low), Some(high), _) => format!("{name} BETWEEN {} AND {}", number(low), number(high)),
            (Some(low), None, _) => format!("{name} >= {}", number(low)),
            (None, Some(high), _) => format!("{name} <= {}", number(high)),
            (None, None, None) => "1 = 1".to_owned(),
            // Where a missing value will do, so will a level that training did not see.
            (None, None, Some(levels)) if wanted.or_missing => {
                let all = 0..self.n_levels(wanted.feature) as u32;
                let wanted_levels: BTreeSet<&u32> = levels.iter().collect();
                let others: Vec<u32> = all.filter(|level| !wanted_levels.contains(level)).collect();
                if others.is_empty() {
                    "1 = 1".to_owned()
                } else {
                    self.member(wanted.feature, &others, false)?
                }
            }
            (None, None, Some([])) => "1 = 0".to_owned(),
            (None, None, Some(levels)) => self.member(wanted.feature, levels, true)?,
        };
        Ok(if wanted.or_missing { format!("({name} IS NULL OR {test})") } else { test })
    }
}
