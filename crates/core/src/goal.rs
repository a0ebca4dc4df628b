//! Goals for choosing a decision threshold on rows outside the training data.

use crate::alert_period::AlertPeriod;
use crate::costs::Costs;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Goal for a threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct ThresholdGoal {
    /// Target to reach.
    pub aim: ThresholdTarget,
    /// Guarantee that new rows meet the target.
    ///
    /// If `None`, only the rows from which the threshold is chosen are certain to meet the target.
    pub guarantee: Option<Guarantee>,
    /// Specification given by the user.
    pub asked: GoalSpec,
}

/// Target of a threshold; fractions are in [0, 1].
///
/// Targets with a maximum for false positives or alerts choose the lowest threshold that meets the maximum.
#[derive(Clone, Debug, PartialEq)]
pub enum ThresholdTarget {
    /// Largest value of a measure.
    Best(ThresholdMeasure),
    /// Recall of at least this value, with the fewest predicted positives.
    Recall(f64),
    /// Precision of at least this value, with the largest recall.
    Precision(f64),
    /// False positive rate of at most this value.
    Fpr(f64),
    /// At most this fraction of all rows is predicted positive.
    AlertRate(f64),
    /// At most this number of predicted positives among `per` rows.
    ///
    /// If `per` is `None`, the number refers to all rows.
    Alerts {
        /// Maximum number of alerts.
        most: f64,
        /// Number of rows to which `most` refers.
        per: Option<f64>,
    },
    /// At most this mean number of alerts per period of time.
    AlertsPerPeriod {
        /// Maximum mean number of alerts per period.
        most: f64,
        /// Length of a period, in the unit of the times of the rows.
        length: f64,
    },
    /// Least mean cost per row.
    Cost {
        /// Misclassification costs.
        costs: Costs,
        /// Maximum mean cost per row that a guarantee certifies for new rows.
        at_most: Option<f64>,
    },
}

/// Measures that a threshold can maximize.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum ThresholdMeasure {
    F1,
    F2,
    GMean,
    Mcc,
    Youden,
}

/// A finite-sample guarantee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guarantee {
    /// Probability, over random draws of the held-out rows, that the target holds for new rows.
    pub confidence: f64,
    /// Fraction of the rows that are held out of the fit for the guarantee.
    pub rows: f64,
    /// Maximum number of rows of a new group, if the target must hold for whole new groups.
    ///
    /// If `None`, the target refers to one random row of a random new group.
    pub max_group_size: Option<f64>,
}

/// Specification of a goal as the user writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<ThresholdMeasure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recall: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fpr: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alert_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alerts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per: Option<AlertPeriod>,
    /// Column whose values define groups; an alert budget counts a group once per period.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Vec<Vec<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guarantee: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guarantee_rows: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_group_size: Option<f64>,
}

/// Default fraction of the rows held out for a guarantee.
const HELD_OUT: f64 = 0.25;

impl ThresholdGoal {
    /// Parses a goal: the name of a measure to maximize, or a JSON object.
    ///
    /// # Errors
    /// Same errors as [`Self::from_spec`].
    pub fn parse(text: &str) -> Result<Self> {
        if !text.starts_with('{') {
            let best = serde_json::from_value(text.into());
            let best =
                best.map_err(|_| Error::parameter("fit", "threshold", THRESHOLD, format!("{text:?}")))?;
            return Self::from_spec(GoalSpec { best: Some(best), ..GoalSpec::default() });
        }
        let asked = serde_json::from_str(text);
        Self::from_spec(asked.map_err(|_| Error::parameter("fit", "threshold", THRESHOLD, text))?)
    }

    /// Creates a goal from the specification of a user.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless there is exactly one target, and every value is in its domain.
    /// [`Error::Data`] for invalid costs.
    pub fn from_spec(asked: GoalSpec) -> Result<Self> {
        let share = |name: &str, value: f64, open: bool| {
            if value > 0.0 && (value < 1.0 || !open && value == 1.0) {
                return Ok(value);
            }
            let domain = if open { "a number in (0, 1)" } else { "a number in (0, 1]" };
            Err(invalid_entry_error(name, domain, value))
        };
        let aims = [
            asked.best.map(|measure| Ok(ThresholdTarget::Best(measure))),
            asked.recall.map(|value| share("recall", value, false).map(ThresholdTarget::Recall)),
            asked.precision.map(|value| share("precision", value, false).map(ThresholdTarget::Precision)),
            asked.fpr.map(|value| share("fpr", value, true).map(ThresholdTarget::Fpr)),
            asked.alert_rate.map(|value| share("alert_rate", value, true).map(ThresholdTarget::AlertRate)),
            asked.alerts.map(|most| parse_alert_target(most, asked.per.as_ref())),
            asked.cost.as_ref().map(|rows| parse_cost_target(rows, asked.at_most)),
        ];
        let mut given = aims.into_iter().flatten();
        let (Some(aim), None) = (given.next(), given.next()) else {
            let got = serde_json::to_string(&asked).unwrap_or_default();
            return Err(Error::parameter("fit", "threshold", THRESHOLD, got));
        };
        let aim = aim?;
        if let Some(per) = asked.per.as_ref().filter(|_| asked.alerts.is_none()) {
            return Err(invalid_entry_error("per", "omitted, because it applies only to \"alerts\"", per));
        }
        if let Some(by) =
            asked.by.as_ref().filter(|_| !matches!(aim, ThresholdTarget::AlertsPerPeriod { .. }))
        {
            let expected =
                "used with \"alerts\" and a time span \"per\", such as {\"alerts\": 200, \"per\": \"1d\"}";
            return Err(invalid_entry_error("by", expected, format!("{by:?}")));
        }
        if asked.at_most.is_some() && asked.cost.is_none() {
            return Err(invalid_entry_error(
                "at_most",
                "omitted, because it applies only to \"cost\"",
                asked.at_most.unwrap_or_default(),
            ));
        }
        let guarantee = match (asked.guarantee, asked.guarantee_rows) {
            (None, None) => None,
            (None, Some(rows)) => {
                return Err(invalid_entry_error("guarantee_rows", "used together with \"guarantee\"", rows));
            }
            (Some(confidence), rows) => Some(Guarantee {
                confidence: share("guarantee", confidence, true)?,
                rows: share("guarantee_rows", rows.unwrap_or(HELD_OUT), true)?,
                max_group_size: asked.max_group_size,
            }),
        };
        match asked.max_group_size {
            Some(size) if guarantee.is_none() => {
                return Err(invalid_entry_error("max_group_size", "used together with \"guarantee\"", size));
            }
            Some(size) if !(size >= 1.0 && size.is_finite() && size.fract() == 0.0) => {
                return Err(invalid_entry_error(
                    "max_group_size",
                    "a whole number of rows, at least 1",
                    size,
                ));
            }
            _ => {}
        }
        match (&aim, guarantee) {
            (ThresholdTarget::AlertsPerPeriod { .. }, Some(_)) => Err(invalid_entry_error(
                "guarantee",
                "omitted with alerts per time span, because no guarantee covers arbitrary changes over time (only \
                 \"alert_rate\" and \"alerts\" per number of rows can have one)",
                asked.guarantee.unwrap_or_default(),
            )),
            (ThresholdTarget::Best(_), Some(_)) => Err(invalid_entry_error(
                "guarantee",
                "used with \"recall\", \"precision\", \"fpr\", \"alerts\", \"alert_rate\" or \"cost\", because no guarantee exists for the best value of a measure",
                asked.guarantee.unwrap_or_default(),
            )),
            (ThresholdTarget::Cost { at_most: None, .. }, Some(_)) => Err(invalid_entry_error(
                "guarantee",
                "used together with \"at_most\", the largest mean cost per row, if the goal is \"cost\"",
                asked.guarantee.unwrap_or_default(),
            )),
            (ThresholdTarget::Recall(1.0) | ThresholdTarget::Precision(1.0), Some(_)) => {
                Err(invalid_entry_error(
                    "guarantee",
                    "used with a fraction below 1, because no number of rows can guarantee a fraction of 1",
                    asked.guarantee.unwrap_or_default(),
                ))
            }
            _ => Ok(Self { aim, guarantee, asked }),
        }
    }
}

impl std::fmt::Display for ThresholdGoal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match &self.asked.best {
            Some(best) => serde_json::to_string(best),
            None => serde_json::to_string(&self.asked),
        };
        out.write_str(&text.map_err(|_| std::fmt::Error)?)
    }
}

fn invalid_entry_error(key: &str, expected: &str, got: impl std::fmt::Display) -> Error {
    Error::parameter("fit", &format!("threshold[\"{key}\"]"), expected, got)
}

fn parse_alert_target(most: f64, per: Option<&AlertPeriod>) -> Result<ThresholdTarget> {
    if let Some(period) = per.filter(|period| !matches!(period, AlertPeriod::Rows(_))) {
        if !(most > 0.0 && most.is_finite()) {
            return Err(invalid_entry_error("alerts", "a number of alerts per period, above 0", most));
        }
        let Some(length) = period.length() else {
            let expected = "a number of rows; a time span such as \"1d\" (s, min, h, d, w) if time contains dates, or \
                            {\"time\": 7.0} if it contains numbers";
            return Err(invalid_entry_error("per", expected, period));
        };
        return Ok(ThresholdTarget::AlertsPerPeriod { most, length });
    }
    if !(most >= 1.0 && most.is_finite()) {
        return Err(invalid_entry_error("alerts", "a number of rows, at least 1", most));
    }
    match per {
        Some(&AlertPeriod::Rows(per)) if !(per >= most && per.is_finite()) => {
            Err(invalid_entry_error("per", &format!("a number of rows, at least the {most} alerts"), per))
        }
        Some(&AlertPeriod::Rows(per)) => Ok(ThresholdTarget::Alerts { most, per: Some(per) }),
        _ => Ok(ThresholdTarget::Alerts { most, per: None }),
    }
}

fn parse_cost_target(rows: &[Vec<f64>], at_most: Option<f64>) -> Result<ThresholdTarget> {
    if rows.iter().any(|row| row.len() != 2) || rows.len() != 2 {
        return Err(Error::parameter(
            "fit",
            "threshold[\"cost\"]",
            "a matrix of 2 x 2 costs",
            format!("{rows:?}"),
        ));
    }
    if let Some(most) = at_most.filter(|most| !(*most > 0.0 && most.is_finite())) {
        return Err(invalid_entry_error("at_most", "a positive number", most));
    }
    Ok(ThresholdTarget::Cost { costs: Costs::new(rows.concat(), 2)?, at_most })
}

pub(crate) const THRESHOLD: &str = "a number in [0, 1], \"f1\", \"f2\", \"g_mean\", \"mcc\", \"youden\", \"prior\", None, or a dict of \
     one of \"recall\", \"precision\", \"fpr\", \"alert_rate\", \"alerts\" (with \"per\" and \"by\"), \"cost\" (with \"at_most\"), optionally with \
     \"guarantee\", \"guarantee_rows\" and \"max_group_size\"";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_parsed() {
        let recall = ThresholdGoal::parse(r#"{"recall": 0.9, "guarantee": 0.95}"#).unwrap();
        assert_eq!(recall.aim, ThresholdTarget::Recall(0.9));
        assert_eq!(
            recall.guarantee,
            Some(Guarantee { confidence: 0.95, rows: HELD_OUT, max_group_size: None })
        );
        assert_eq!(serde_json::to_string(&recall.asked).unwrap(), r#"{"recall":0.9,"guarantee":0.95}"#);
        assert_eq!(
            ThresholdGoal::parse("g_mean").unwrap().aim,
            ThresholdTarget::Best(ThresholdMeasure::GMean)
        );
        let budget = ThresholdGoal::parse(r#"{"alerts": 200, "per": 5000}"#).unwrap();
        assert_eq!(budget.aim, ThresholdTarget::Alerts { most: 200.0, per: Some(5000.0) });
        for (per, length) in [(r#""1d""#, 86_400.0), (r#""1h""#, 3600.0), (r#"{"time": 7}"#, 7.0)] {
            let text = format!(r#"{{"alerts": 0.5, "per": {per}, "by": "customer"}}"#);
            let aim = ThresholdTarget::AlertsPerPeriod { most: 0.5, length };
            assert_eq!(ThresholdGoal::parse(&text).unwrap().aim, aim);
        }
    }

    #[test]
    fn invalid_goals_are_refused() {
        for text in [
            "f3",
            "{}",
            r#"{"recall": 0.9, "fpr": 0.1}"#,
            r#"{"recall": 0}"#,
            r#"{"recall": 1.5}"#,
            r#"{"fpr": 1}"#,
            r#"{"alerts": 5, "per": 4}"#,
            r#"{"recall": 0.5, "per": 4}"#,
            r#"{"cost": [[0, 1]]}"#,
            r#"{"cost": [[0, 1], [5, 0]], "guarantee": 0.9}"#,
            r#"{"best": "f1", "guarantee": 0.9}"#,
            r#"{"recall": 1, "guarantee": 0.9}"#,
            r#"{"recall": 0.9, "guarantee_rows": 0.2}"#,
            r#"{"recall": 0.9, "max_group_size": 5}"#,
            r#"{"recall": 0.9, "guarantee": 0.9, "max_group_size": 0}"#,
            r#"{"recall": 0.9, "guarantee": 0.9, "max_group_size": 2.5}"#,
            r#"{"reccall": 0.9}"#,
            r#"{"alerts": 0, "per": "1d"}"#,
            r#"{"alerts": 5, "per": "1y"}"#,
            r#"{"alerts": 5, "per": "0d"}"#,
            r#"{"alerts": 5, "per": {"time": -1}}"#,
            r#"{"alerts": 5, "per": {"rows": 7}}"#,
            r#"{"alerts": 5, "per": 100, "by": "customer"}"#,
            r#"{"recall": 0.5, "by": "customer"}"#,
            r#"{"alerts": 5, "per": "1d", "guarantee": 0.9}"#,
        ] {
            assert!(matches!(ThresholdGoal::parse(text), Err(Error::Parameter { .. })), "{text}");
        }
    }
}
