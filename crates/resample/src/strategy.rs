//! `sampling_strategy`: number of rows per class, as in imbalanced-learn.

use crate::resampling_task::ResamplingTask;
use imbcore_core::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub(crate) const STRATEGIES: &[&str] =
    &["auto", "minority", "majority", "not minority", "not majority", "all"];

/// Requested class sizes (the parameter `sampling_strategy`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Strategy {
    /// A named strategy.
    Named(StrategyName),
    /// Requested ratio for the smaller of two classes; [`RatioBase`] defines the denominator.
    Ratio(f64),
    /// Requested number of rows by class code; classes that are not listed are not changed.
    Counts(BTreeMap<u32, u64>),
    /// Codes of the classes to clean.
    Classes(Vec<u32>),
}

impl Strategy {
    pub(crate) const AUTO: Self = Self::Named(StrategyName::Auto);
}

/// Named strategies, in the order of [`STRATEGIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyName {
    /// All except the largest class for over-sampling, else all except the smallest class.
    Auto,
    /// The smallest class.
    Minority,
    /// The largest class.
    Majority,
    /// All classes except the smallest class.
    NotMinority,
    /// All classes except the largest class.
    NotMajority,
    /// All classes.
    All,
}

const WHICH: [StrategyName; 6] = [
    StrategyName::Auto,
    StrategyName::Minority,
    StrategyName::Majority,
    StrategyName::NotMinority,
    StrategyName::NotMajority,
    StrategyName::All,
];

impl TryFrom<Value> for Strategy {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match &value {
            Value::String(name) => {
                STRATEGIES.iter().position(|known| known == name).map(|i| Self::Named(WHICH[i]))
            }
            Value::Number(number) => number.as_f64().map(Self::Ratio),
            Value::Object(counts) => parse_class_map(counts, Value::as_u64).map(Self::Counts),
            Value::Array(classes) => {
                let code = |class: &Value| class.as_u64().and_then(|code| u32::try_from(code).ok());
                classes.iter().map(code).collect::<Option<_>>().map(Self::Classes)
            }
            _ => None,
        }
        .ok_or_else(|| format!("{value} is not a valid strategy"))
    }
}

impl From<Strategy> for Value {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Named(which) => STRATEGIES[which as usize].into(),
            Strategy::Ratio(ratio) => ratio.into(),
            Strategy::Counts(counts) => class_map_to_json(&counts),
            Strategy::Classes(classes) => classes.into(),
        }
    }
}

pub(crate) fn parse_class_map<T>(
    map: &Map<String, Value>,
    read: impl Fn(&Value) -> Option<T>,
) -> Option<BTreeMap<u32, T>> {
    map.iter().map(|(class, value)| Some((class.parse().ok()?, read(value)?))).collect()
}

pub(crate) fn class_map_to_json<T: Copy + Into<Value>>(map: &BTreeMap<u32, T>) -> Value {
    Value::Object(map.iter().map(|(class, &value)| (class.to_string(), value.into())).collect())
}

/// Denominator of a strategy that is a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RatioBase {
    /// The requested ratio is the size of the smaller class divided by that of the larger class.
    #[default]
    #[serde(rename = "min/maj")]
    ToMajority,
    /// The requested ratio is the size of the smaller class divided by the number of all rows.
    #[serde(rename = "fraction")]
    ToAll,
}

/// Kind of resampling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SamplingKind {
    /// Over-sampling: adds rows.
    Over,
    /// Under-sampling: keeps a given number of rows of a class.
    Under,
    /// Cleaning: removes rows because of their neighbors, so their number is not given.
    Clean,
}

/// Classes to resample, ascending, each with a number of rows.
///
/// The number is the number of rows to add (over-sampling) or to keep (under-sampling). Cleaning ignores it.
pub type TargetCounts = Vec<(u32, u64)>;

impl Strategy {
    /// Computes, for each class to resample, the number of rows to add or to keep.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a strategy that does not suit the sampler or the rows.
    pub fn target_counts(
        &self,
        method: &str,
        ratio: RatioBase,
        kind: SamplingKind,
        task: &ResamplingTask<'_>,
    ) -> Result<TargetCounts> {
        let goal = match self {
            Self::Named(which) => which.target_counts(kind, task),
            Self::Ratio(_) | Self::Counts(_) if kind == SamplingKind::Clean => {
                Err("a name or a list of classes: cleaning has no target number of rows")
            }
            Self::Ratio(given) => target_counts_for_ratio(to_minority_ratio(*given, ratio), kind, task),
            Self::Counts(targets) => {
                targets.iter().map(|(&class, &n)| class_target_count(class, n, kind, task)).collect()
            }
            Self::Classes(classes) if kind == SamplingKind::Clean => {
                let known =
                    |class: &u32| task.class_counts().get(*class as usize).is_some_and(|&count| count > 0);
                let all = || StrategyName::All.target_counts(kind, task);
                let chosen = |goal: TargetCounts| {
                    goal.into_iter().filter(|(class, _)| classes.contains(class)).collect()
                };
                if classes.iter().all(known) {
                    all().map(chosen)
                } else {
                    Err("a list of classes that have rows")
                }
            }
            Self::Classes(_) => Err("a name, a ratio or a dict: a list of classes has no numbers of rows"),
        };
        let got = || Value::from(self.clone());
        goal.map_err(|expected| Error::parameter(method, "sampling_strategy", expected, got()))
    }
}

impl StrategyName {
    fn target_counts(
        self,
        kind: SamplingKind,
        task: &ResamplingTask<'_>,
    ) -> Result<TargetCounts, &'static str> {
        let (counts, minority, majority) =
            (task.class_counts(), task.minority_class(), task.majority_class());
        let wanted = |class: u32| match (self, kind) {
            (Self::Minority, _) => class == minority,
            (Self::Majority, _) => class == majority,
            (Self::NotMajority, _) | (Self::Auto, SamplingKind::Over) => class != majority,
            (Self::NotMinority | Self::Auto, _) => class != minority,
            (Self::All, _) => true,
        };
        let n = |class: u32| match kind {
            SamplingKind::Over => counts[majority as usize] - counts[class as usize],
            SamplingKind::Under | SamplingKind::Clean => counts[minority as usize],
        };
        match (self, kind) {
            (Self::Minority, SamplingKind::Under | SamplingKind::Clean) => {
                Err("another strategy: the smallest class must not lose rows")
            }
            (Self::Majority, SamplingKind::Over) => {
                Err("another strategy: the largest class needs no added rows")
            }
            _ => Ok((0..counts.len() as u32)
                .filter(|&class| counts[class as usize] > 0 && wanted(class))
                .map(|class| (class, n(class)))
                .collect()),
        }
    }
}

/// Number of rows to add to the smaller of two classes, or to keep of the larger class.
///
/// `share` is the requested ratio of the smaller to the larger class.
fn target_counts_for_ratio(
    share: Option<f64>,
    kind: SamplingKind,
    task: &ResamplingTask<'_>,
) -> Result<TargetCounts, &'static str> {
    if task.class_counts().iter().filter(|&&count| count > 0).count() != 2 {
        return Err("a name or a dict, because there are more than two classes");
    }
    let (minority, majority) = (task.minority_class(), task.majority_class());
    let (n_min, n_maj) = (task.class_count(minority) as f64, task.class_count(majority) as f64);
    let share = share.ok_or("a ratio above 0 at which the smaller class is at most as large as the other")?;
    if kind == SamplingKind::Over {
        let rows = (n_maj * share - n_min).trunc();
        let more = (rows > 0.0).then(|| vec![(minority, to_row_count(rows))]);
        return more.ok_or("a ratio that requests more rows of the smaller class than there are");
    }
    let rows =
        if task.is_random_sample() { (n_min / share).trunc().min(n_maj) } else { (n_min / share).trunc() };
    let fewer = (rows <= n_maj).then(|| vec![(majority, to_row_count(rows))]);
    fewer.ok_or("a ratio that requests at most as many rows of the larger class as there are")
}

/// Number of rows of a class to add or to keep, so that the class has `n` rows.
fn class_target_count(
    class: u32,
    n: u64,
    kind: SamplingKind,
    task: &ResamplingTask<'_>,
) -> Result<(u32, u64), &'static str> {
    match task.class_counts().get(class as usize) {
        None | Some(0) if !task.is_random_sample() => Err("a dict of classes that have rows"),
        None => Ok((class, 0)),
        Some(&count) if kind == SamplingKind::Under && task.is_random_sample() => Ok((class, n.min(count))),
        Some(&count) if kind == SamplingKind::Over && n < count => {
            Err("a dict with at least the current number of rows for each class")
        }
        Some(&count) if kind == SamplingKind::Over => Ok((class, n - count)),
        Some(&count) if n > count => Err("a dict with at most the current number of rows for each class"),
        Some(_) => Ok((class, n)),
    }
}

/// Converts a requested ratio to the ratio of the smaller to the larger class.
///
/// `None` if the ratio is out of range.
fn to_minority_ratio(given: f64, ratio: RatioBase) -> Option<f64> {
    let share = match ratio {
        RatioBase::ToMajority => given,
        RatioBase::ToAll => given / (1.0 - given),
    };
    (given > 0.0 && given <= 1.0 && share <= 1.0).then_some(share)
}

/// Converts a nonnegative whole number below 2^53 to an integer.
#[allow(clippy::cast_sign_loss)]
pub(crate) fn to_row_count(rows: f64) -> u64 {
    rows as u64
}
