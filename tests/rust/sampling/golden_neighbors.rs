//! Neighbor lists and sampling strategies compared with `tests/golden/resampling`.

use crate::common::{Table, cases, lists};
use imbcore_core::Label;
use imbcore_resample::{Algorithm, RatioBase, ResamplingTask, SamplingKind, Strategy};
use imbcore_tests::matrix;
use serde_json::{Map, Value};

#[test]
fn knn() {
    for case in cases("knn") {
        let values = matrix(&case["x"]);
        let n = case["x"].as_array().unwrap().len();
        let table = Table::new(values, vec![0; n]);
        let k = usize::try_from(case["k"].as_u64().unwrap()).unwrap();
        for algorithm in [Algorithm::Brute, Algorithm::KdTree] {
            table.searched(algorithm, |points, ctl| {
                let found = points.k_nearest(&table.rows(), &table.rows(), k, ctl).unwrap();
                for (at, expected) in lists(&case["neighbours"]).iter().enumerate() {
                    assert_eq!(found.neighbors_of(at), expected, "{algorithm:?}, row {at}, k {k}");
                }
            });
        }
    }
}

#[test]
fn strategy() {
    for case in cases("strategy") {
        let counts = case["class_counts"].as_object().unwrap();
        let names: Vec<&String> = counts.keys().collect();
        let code = |name: &str| names.iter().position(|known| *known == name).unwrap_or(99);
        let classes: Vec<u32> = counts
            .values()
            .enumerate()
            .flat_map(|(class, n)| vec![class as u32; n.as_u64().unwrap() as usize])
            .collect();
        let labels: Vec<Label> = names.iter().map(|name| Label::Text((*name).clone())).collect();
        let task = ResamplingTask::new(None, &classes, &labels).unwrap();
        let by_code = match &case["strategy"] {
            Value::Object(targets) => {
                let coded = targets.iter().map(|(name, n)| (code(name).to_string(), n.clone()));
                Value::Object(coded.collect::<Map<_, _>>())
            }
            Value::Array(wanted) => wanted.iter().map(|class| code(&class.to_string())).collect(),
            other => other.clone(),
        };
        let kind = match case["kind"].as_str().unwrap() {
            "over" => SamplingKind::Over,
            "under" => SamplingKind::Under,
            _ => SamplingKind::Clean,
        };
        let strategy: Strategy = serde_json::from_value(by_code.clone()).unwrap();
        assert_eq!(serde_json::to_value(&strategy).unwrap(), by_code);
        let found = strategy.target_counts("test", RatioBase::ToMajority, kind, &task);
        match case["result"].as_object() {
            None => assert!(found.is_err(), "{case} gives {found:?}"),
            Some(expected) => {
                let mut expected: Vec<(u32, u64)> =
                    expected.iter().map(|(name, n)| (code(name) as u32, n.as_u64().unwrap())).collect();
                expected.sort_unstable();
                assert_eq!(found.unwrap(), expected, "{case}");
            }
        }
    }
}

#[test]
fn fraction_is_a_proportion_of_all_rows() {
    let labels = [Label::Int(0), Label::Int(1)];
    let classes: Vec<u32> = (0..40).map(|row| u32::from(row < 8)).collect();
    let task = ResamplingTask::new(None, &classes, &labels).unwrap();
    let goal = |share, kind| Strategy::Ratio(share).target_counts("test", RatioBase::ToAll, kind, &task);
    assert_eq!(goal(0.5, SamplingKind::Over).unwrap(), [(1, 24)]);
    assert_eq!(goal(0.5, SamplingKind::Under).unwrap(), [(0, 8)]);
    assert_eq!(goal(0.25, SamplingKind::Under).unwrap(), [(0, 24)]);
    assert!(goal(0.6, SamplingKind::Over).is_err() && goal(0.1, SamplingKind::Over).is_err());
}
