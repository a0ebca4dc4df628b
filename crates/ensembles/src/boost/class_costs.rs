//! Misclassification costs per class: given, or derived from the class sizes.

use super::tan_cost::TanCost;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Source of the misclassification costs of the classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum ClassCostSource {
    /// Costs from a grid of candidate values, chosen by cross-validation.
    Grid,
    /// Cost of each class except the smallest: a tangent function of its imbalance ratio.
    ///
    /// The imbalance ratio of a class is the weight of the smallest class divided by the weight of the class.
    Tan,
    /// Cost of each class except the smallest: its imbalance ratio (see [`Self::Tan`]).
    Ratio,
    /// Cost of misclassifying a positive row, and cost of misclassifying any other row.
    Pair(f64, f64),
    /// Costs by class code.
    ByClass(BTreeMap<u32, f64>),
}

impl TryFrom<Value> for ClassCostSource {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let by_class = |(class, cost): (&String, &Value)| Some((class.parse().ok()?, cost.as_f64()?));
        let found = match &value {
            Value::String(name) => match &**name {
                "grid" => Some(Self::Grid),
                "tan" => Some(Self::Tan),
                "ratio" => Some(Self::Ratio),
                _ => None,
            },
            Value::Array(pair) => match &pair[..] {
                [positive, other] => positive.as_f64().zip(other.as_f64()).map(|(a, b)| Self::Pair(a, b)),
                _ => None,
            },
            Value::Object(costs) => costs.iter().map(by_class).collect::<Option<_>>().map(Self::ByClass),
            _ => None,
        };
        found.ok_or_else(|| format!("{value} is not a valid cost"))
    }
}

impl From<ClassCostSource> for Value {
    fn from(costs: ClassCostSource) -> Self {
        match costs {
            ClassCostSource::Grid => "grid".into(),
            ClassCostSource::Tan => "tan".into(),
            ClassCostSource::Ratio => "ratio".into(),
            ClassCostSource::Pair(positive, other) => json!([positive, other]),
            ClassCostSource::ByClass(costs) => {
                Value::Object(costs.iter().map(|(class, &cost)| (class.to_string(), cost.into())).collect())
            }
        }
    }
}

impl ClassCostSource {
    pub(super) fn has_only_positive_costs(&self) -> bool {
        let fine = |cost: f64| cost > 0.0 && cost.is_finite();
        match self {
            Self::Grid | Self::Tan | Self::Ratio => true,
            Self::Pair(positive, other) => fine(*positive) && fine(*other),
            Self::ByClass(costs) => costs.values().copied().all(fine),
        }
    }

    /// Cost of each class, scaled so that the largest is 1; `None` if a grid search is requested.
    ///
    /// The cost of a class is the cost of misclassifying one of its rows. `masses` are the sums of the row
    /// weights per class. A class for which the user gave no cost has the cost 1 before scaling.
    pub(super) fn class_costs(&self, masses: &[f64], positive: u32, tan: TanCost) -> Option<Vec<f64>> {
        let least = masses.iter().copied().filter(|&mass| mass > 0.0).fold(f64::INFINITY, f64::min);
        let by_imbalance = |cost: &dyn Fn(f64) -> f64| {
            masses.iter().map(|&mass| if mass > least { cost(least / mass) } else { 1.0 }).collect()
        };
        let costs: Vec<f64> = match self {
            Self::Grid => return None,
            Self::Tan => by_imbalance(&|r| tan.majority_cost(r)),
            Self::Ratio => by_imbalance(&|r| r),
            Self::Pair(of_positive, of_other) => (0..masses.len() as u32)
                .map(|class| if class == positive { *of_positive } else { *of_other })
                .collect(),
            Self::ByClass(costs) => {
                (0..masses.len() as u32).map(|class| costs.get(&class).copied().unwrap_or(1.0)).collect()
            }
        };
        let largest = costs.iter().copied().fold(0.0, f64::max);
        Some(costs.into_iter().map(|cost| cost / largest).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAN: TanCost = TanCost { theta: 1.4, b3: 0.5, min_cost_factor: 0.1 };

    fn costs(given: Value, masses: &[f64]) -> Vec<f64> {
        ClassCostSource::try_from(given).unwrap().class_costs(masses, 1, TAN).unwrap()
    }

    #[test]
    fn the_rarest_class_costs_most() {
        assert_eq!(costs("ratio".into(), &[90.0, 10.0]), [10.0 / 90.0, 1.0]);
        assert_eq!(costs("tan".into(), &[1000.0, 10.0, 10.0]), [0.1, 1.0, 1.0]);
        assert_eq!(costs("ratio".into(), &[5.0, 5.0]), [1.0, 1.0]);
    }

    #[test]
    fn given_costs_are_scaled_to_a_maximum_of_1() {
        assert_eq!(costs(json!([5.0, 2]), &[90.0, 10.0]), [0.4, 1.0]);
        assert_eq!(costs(json!({"0": 0.5}), &[90.0, 10.0, 3.0]), [0.5, 1.0, 1.0]);
        assert!(
            ClassCostSource::try_from(json!([1.0])).is_err()
                && ClassCostSource::try_from(json!("tangent")).is_err()
        );
        assert!(!ClassCostSource::try_from(json!([1.0, -1.0])).unwrap().has_only_positive_costs());
        let given = json!({"0": 0.5, "2": 3.0});
        assert_eq!(Value::from(ClassCostSource::try_from(given.clone()).unwrap()), given);
    }
}
