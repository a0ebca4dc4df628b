//! Human-readable box drawings: text, JSON and SQL.

use crate::box_drawing::{BoxDrawing, MissingRule};
use crate::feature_space::{FeatureAxisType, has_level};
use imbcore_core::{FeatureKind, Label, Result, Schema};
use imbcore_export::{Dialect, RuleCondition, where_condition};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Training statistics of one box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxStats {
    /// Weight of the rows inside the box.
    pub support: f64,
    /// Weight of the positive rows inside the box.
    pub positives: f64,
}

impl BoxStats {
    /// Precision, lift and recall of the box; lift is precision divided by prevalence.
    fn precision_lift_recall(&self, all: &Self) -> [f64; 3] {
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let here = share(self.positives, self.support);
        [here, share(here, share(all.positives, all.support)), share(self.positives, all.positives)]
    }
}

/// Smallest and largest training value of every feature.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingRange {
    /// Smallest value of every feature; infinity for a feature without values.
    pub low: Vec<f64>,
    /// Largest value of every feature; minus infinity for a feature without values.
    pub high: Vec<f64>,
}

/// A box drawing with all data needed to write its boxes as rules.
#[derive(Clone, Copy, Debug)]
pub struct DrawingRules<'a> {
    /// The boxes.
    pub drawing: &'a BoxDrawing,
    /// Names of features, levels and classes.
    pub schema: &'a Schema,
    /// Training range of the features.
    pub range: &'a TrainingRange,
    /// One entry per box.
    pub facts: &'a [BoxStats],
    /// Weight of all training rows, and weight of the positive training rows.
    pub totals: BoxStats,
    /// Code of the class that the boxes describe.
    pub positive: u32,
    /// Treatment of missing values.
    pub missing: MissingRule,
    /// Whether to write bounds outside the training range of their feature.
    ///
    /// Every training row without a missing value satisfies such bounds.
    pub all_bounds: bool,
    /// Word for a box in the text: "box" or "rule".
    pub called: BoxNoun,
}

/// Word for a box in the text of a box drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxNoun {
    /// A box.
    Box,
    /// A rule chosen from a forest.
    Rule,
}

/// Condition of one box on one feature.
#[derive(Clone, Debug, PartialEq)]
pub enum FeatureCondition {
    /// Lower and upper bound of a numeric feature; one of the two bounds may be absent.
    Between {
        /// The feature.
        feature: usize,
        /// Lower bound.
        lower: Option<f64>,
        /// Upper bound.
        upper: Option<f64>,
    },
    /// Codes of allowed levels.
    OneOf {
        /// The feature.
        feature: usize,
        /// The levels.
        levels: Vec<u32>,
    },
}

impl DrawingRules<'_> {
    /// Conditions of box `number`, in the order of the features.
    ///
    /// Bounds outside the training range are included only if `all_bounds` is true.
    pub fn conditions(&self, number: usize) -> Vec<FeatureCondition> {
        let space = self.drawing.feature_space();
        let (lower, upper, sets) = self.drawing.box_arrays(number);
        let condition = |feature: usize| match space.feature_axis_types()[feature] {
            FeatureAxisType::Numeric => {
                let keep = |beyond: bool| self.all_bounds || !beyond;
                let low = lower[feature];
                let lower = (low > f64::NEG_INFINITY && keep(low < self.range.low[feature])).then_some(low);
                let high = upper[feature];
                let upper = (high < f64::INFINITY && keep(high > self.range.high[feature])).then_some(high);
                (lower.is_some() || upper.is_some()).then_some(FeatureCondition::Between {
                    feature,
                    lower,
                    upper,
                })
            }
            FeatureAxisType::Nominal(levels) => {
                let set = &sets[space.level_word_range(feature)];
                let allowed: Vec<u32> = (0..levels).filter(|&level| has_level(set, level)).collect();
                (allowed.len() < levels as usize)
                    .then_some(FeatureCondition::OneOf { feature, levels: allowed })
            }
        };
        (0..space.n_features()).filter_map(condition).collect()
    }

    /// Text with a heading for each box and an indented line for each condition.
    pub fn to_text(&self, decimals: usize) -> String {
        let class = self.schema.class_rule_text(self.positive as usize);
        if self.drawing.n_boxes() == 0 {
            return format!("class {class}: never\n");
        }
        let (noun, when) = match self.called {
            BoxNoun::Box => ("box", "a row lies in at least one box"),
            BoxNoun::Rule => ("rule", "at least one rule holds"),
        };
        let mut text = format!("class {class} if {when}\n");
        for number in 0..self.drawing.n_boxes() {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{noun} {}{}", number + 1, self.box_statistics_text(number));
            let conditions = self.conditions(number);
            if conditions.is_empty() {
                text.push_str("  always\n");
            }
            for condition in conditions {
                let _ = writeln!(text, "  {}", self.condition_text(number, &condition, decimals));
            }
        }
        text
    }

    fn box_statistics_text(&self, number: usize) -> String {
        let Some(facts) = self.facts.get(number) else { return String::new() };
        let [precision, lift, recall] = facts.precision_lift_recall(&self.totals);
        let support = facts.support;
        format!(" (support {support}, precision {precision:.3}, lift {lift:.2}, recall {recall:.3})")
    }

    fn condition_text(&self, number: usize, condition: &FeatureCondition, decimals: usize) -> String {
        let test = match condition {
            FeatureCondition::Between { feature, lower, upper } => {
                let name = self.schema.feature_rule_text(*feature);
                let low = lower.map(|low| bound_text(low, low.next_down(), decimals));
                let high = upper.map(|high| bound_text(high, high.next_up(), decimals));
                match (low, high) {
                    (Some((low_equal, low)), Some((equal, high))) => {
                        format!("{low} <{low_equal} {name} <{equal} {high}")
                    }
                    (Some((equal, low)), None) => format!("{name} >{equal} {low}"),
                    (None, Some((equal, high))) => format!("{name} <{equal} {high}"),
                    (None, None) => String::new(),
                }
            }
            FeatureCondition::OneOf { feature, levels } => {
                let names: Vec<String> =
                    levels.iter().map(|&level| self.schema.level_rule_text(*feature, level)).collect();
                format!("{} in {{{}}}", self.schema.feature_rule_text(*feature), names.join(", "))
            }
        };
        if self.accepts_missing(number, condition) { format!("{test} (or missing)") } else { test }
    }

    /// List of boxes as JSON.
    ///
    /// A box has the keys `support`, `share` (its precision), `lift`, `recall` and `conditions`.
    pub fn json(&self) -> Value {
        let one = |number: usize| {
            let facts = self.facts.get(number).copied();
            let shares = facts.map(|facts| facts.precision_lift_recall(&self.totals));
            let conditions: Vec<Value> =
                self.conditions(number).iter().map(|c| self.condition_json(number, c)).collect();
            json!({
                "support": facts.map(|facts| facts.support),
                "share": shares.map(|[share, ..]| share),
                "lift": shares.map(|[_, lift, _]| lift),
                "recall": shares.map(|[.., recall]| recall),
                "conditions": conditions,
            })
        };
        Value::Array((0..self.drawing.n_boxes()).map(one).collect())
    }

    fn condition_json(&self, number: usize, condition: &FeatureCondition) -> Value {
        let mut object = Map::new();
        match condition {
            FeatureCondition::Between { feature, lower, upper } => {
                object.insert("feature".into(), self.schema.feature_name(*feature).into());
                for (name, bound) in [("lower", lower), ("upper", upper)] {
                    if let Some(bound) = bound {
                        object.insert(name.into(), (*bound).into());
                    }
                }
            }
            FeatureCondition::OneOf { feature, levels } => {
                object.insert("feature".into(), self.schema.feature_name(*feature).into());
                let label =
                    |&level: &u32| self.level_label(*feature, level).map_or(Value::Null, |l| json!(l));
                object.insert("levels".into(), levels.iter().map(label).collect());
            }
        }
        if self.accepts_missing(number, condition) {
            object.insert("or_missing".into(), true.into());
        }
        Value::Object(object)
    }

    fn accepts_missing(&self, number: usize, condition: &FeatureCondition) -> bool {
        let (FeatureCondition::Between { feature, .. } | FeatureCondition::OneOf { feature, .. }) = condition;
        self.drawing.accepts_missing(number, *feature, self.missing)
    }

    fn level_label(&self, feature: usize, level: u32) -> Option<&Label> {
        match &self.schema.features.get(feature)?.kind {
            FeatureKind::Nominal { levels } => levels.get(level as usize),
            FeatureKind::Numeric => None,
        }
    }

    /// SQL condition (text after `WHERE`) that selects the rows inside the boxes.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Unsupported`] if the SQL dialect cannot express a name or a level.
    pub fn to_sql(&self, dialect: Dialect) -> Result<String> {
        let boxes =
            (0..self.drawing.n_boxes()).map(|number| self.exported_conditions(number, |feature| feature));
        where_condition(dialect, self.schema, &boxes.collect::<Vec<_>>())
    }

    /// Conditions of box `number` for exported formulas.
    ///
    /// `of` converts the index of a feature of the boxes to the index of the table column with this feature.
    pub(crate) fn exported_conditions(
        &self,
        number: usize,
        of: impl Fn(usize) -> usize,
    ) -> Vec<RuleCondition> {
        let wanted = |condition: FeatureCondition| {
            let or_missing = self.accepts_missing(number, &condition);
            match condition {
                FeatureCondition::Between { feature, lower, upper } => {
                    RuleCondition { feature: of(feature), from: lower, to: upper, levels: None, or_missing }
                }
                FeatureCondition::OneOf { feature, levels } => RuleCondition {
                    feature: of(feature),
                    from: None,
                    to: None,
                    levels: Some(levels),
                    or_missing,
                },
            }
        };
        self.conditions(number).into_iter().map(wanted).collect()
    }
}

/// Text of a bound, and "=" if the written condition includes the number in the text.
///
/// The condition excludes the number only if it is `outside`, the next number that violates the bound. For
/// example, the lower bound 3.8830000000000005 is shown as `> 3.883`.
fn bound_text(bound: f64, outside: f64, decimals: usize) -> (&'static str, String) {
    let text = format!("{bound:.decimals$}");
    (if text.parse() == Ok(outside) { "" } else { "=" }, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature_space::{FeatureSpace, add_level};

    fn schema() -> Schema {
        Schema::from_json(
            r#"{"features":[{"name":"a \"b\"","kind":"numeric"},{"name":"job","kind":"nominal","levels":["it's","x",3]}],
                "named":true,"classes":["no","yes"],"class_dtype":"object"}"#,
        )
        .unwrap()
    }

    fn with_rules<T>(missing: MissingRule, all_bounds: bool, ask: impl Fn(DrawingRules<'_>) -> T) -> T {
        let schema = schema();
        let space = FeatureSpace::from_features(&schema.features);
        let mut first = space.unbounded_box();
        (first.lower[0], first.upper[0]) = (0.1, 40.0);
        first.sets = vec![0];
        add_level(&mut first.sets, 0);
        add_level(&mut first.sets, 2);
        let drawing = BoxDrawing::new(space.clone(), &[first, space.unbounded_box()]).unwrap();
        let range = TrainingRange { low: vec![-1.0, f64::INFINITY], high: vec![30.0, f64::NEG_INFINITY] };
        let facts = [BoxStats { support: 8.0, positives: 2.0 }, BoxStats { support: 100.0, positives: 4.0 }];
        ask(DrawingRules {
            drawing: &drawing,
            schema: &schema,
            range: &range,
            facts: &facts,
            totals: BoxStats { support: 100.0, positives: 4.0 },
            positive: 1,
            missing,
            all_bounds,
            called: BoxNoun::Box,
        })
    }

    #[test]
    fn bounds_next_to_a_short_number_are_open() {
        assert_eq!(bound_text(2.905_f64.next_up(), 2.905, 3), ("", "2.905".into()));
        assert_eq!(bound_text(2.905, 2.905_f64.next_down(), 3), ("=", "2.905".into()));
    }

    #[test]
    fn text_omits_bounds_beyond_the_training_range() {
        let text = with_rules(MissingRule::Outside, false, |rules| rules.to_text(2));
        assert_eq!(
            text,
            "class yes if a row lies in at least one box\n\
             box 1 (support 8, precision 0.250, lift 6.25, recall 0.500)\n  \"a \\\"b\\\"\" >= 0.10\n  \
             job in {\"it's\", 3}\n\
             box 2 (support 100, precision 0.040, lift 1.00, recall 1.000)\n  always\n"
        );
        let inside = with_rules(MissingRule::Inside, false, |rules| rules.to_text(2));
        assert!(inside.contains(" >= 0.10 (or missing)\n"));
    }

    #[test]
    fn sql_quotes_names_and_text() {
        let sql = with_rules(MissingRule::Outside, true, |rules| rules.to_sql(Dialect::Sqlite).unwrap());
        assert_eq!(sql, "(\"a \"\"b\"\"\" BETWEEN 0.1 AND 40.0 AND \"job\" IN ('it''s', 3))\n   OR (1 = 1)");
        let inside = with_rules(MissingRule::Inside, false, |rules| rules.to_sql(Dialect::Sqlite).unwrap());
        assert!(
            inside
                .starts_with("((\"a \"\"b\"\"\" IS NULL OR \"a \"\"b\"\"\" >= 0.1) AND (\"job\" IS NULL OR ")
        );
    }

    #[test]
    fn json_keeps_level_types() {
        let json = with_rules(MissingRule::Outside, false, |rules| rules.json());
        assert_eq!(
            json[0],
            json!({"support": 8.0, "share": 0.25, "lift": 6.25, "recall": 0.5, "conditions": [
                {"feature": "a \"b\"", "lower": 0.1}, {"feature": "job", "levels": ["it's", 3]}]})
        );
        assert_eq!(json[1]["conditions"], json!([]));
    }
}
