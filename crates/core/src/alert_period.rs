//! Number of rows, or length of time, to which an alert budget refers.

use serde::{Deserialize, Serialize};

/// Number of rows, or length of time, to which an alert budget refers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AlertPeriod {
    /// Number of rows.
    Rows(f64),
    /// Period as a number with a unit, such as "1d"; it requires row times in seconds.
    Span(String),
    /// Period without a unit: a length in the unit of the row times.
    Length(PeriodLength),
}

/// Length of a period, in the unit of the times of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeriodLength {
    time: f64,
}

impl AlertPeriod {
    /// Length of the period, above 0; `None` for a number of rows or an invalid length.
    pub fn length(&self) -> Option<f64> {
        let length = match self {
            Self::Rows(_) => None,
            Self::Span(text) => parse_seconds(text),
            Self::Length(PeriodLength { time }) => Some(*time),
        };
        length.filter(|length| *length > 0.0 && length.is_finite())
    }
}

impl std::fmt::Display for AlertPeriod {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rows(rows) => write!(out, "{rows}"),
            Self::Span(text) => write!(out, "{text:?}"),
            Self::Length(PeriodLength { time }) => write!(out, "{{\"time\": {time}}}"),
        }
    }
}

fn parse_seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let unit_at = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit.trim_start().to_ascii_lowercase().as_str() {
        "s" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        "w" => 604_800.0,
        _ => return None,
    };
    // Numbers without digits on one side of the point, such as "1." and ".5", are refused.
    let is_plain = number.split('.').count() <= 2 && number.split('.').all(|digits| !digits.is_empty());
    number.parse::<f64>().ok().filter(|_| is_plain).map(|number| number * seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_spans_are_parsed() {
        let length = |text: &str| AlertPeriod::Span(text.into()).length();
        assert_eq!(length("1d"), Some(86_400.0));
        assert_eq!(length(" 1.5 H "), Some(5400.0));
        assert_eq!(
            (length("90min"), length("2w"), length("30s")),
            (Some(5400.0), Some(1_209_600.0), Some(30.0))
        );
        for wrong in ["", "d", "1", "1.d", ".5d", "1..5d", "-1d", "1e3s", "0d", "1y", "1d2h"] {
            assert_eq!(length(wrong), None, "{wrong}");
        }
        let parsed = |text: &str| serde_json::from_str::<AlertPeriod>(text).ok();
        assert_eq!(parsed("5"), Some(AlertPeriod::Rows(5.0)));
        assert_eq!(parsed(r#""1d""#), Some(AlertPeriod::Span("1d".into())));
        assert_eq!(parsed(r#"{"time": 7}"#).and_then(|period| period.length()), Some(7.0));
        assert_eq!(parsed(r#"{"rows": 7}"#), None);
    }
}
