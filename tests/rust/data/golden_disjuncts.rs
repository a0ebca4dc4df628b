//! Layout, laws and spread of `make_disjunct_grid` against `tests/golden/bayes/graph_synth.json`, within 1e-10.
#![allow(clippy::unwrap_used)]

use imbcore_data::{DisjunctGrid, Skew};
use serde_json::Value;
use std::path::Path;

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-10), "{what}: {found:?}");
}

#[test]
fn layout_laws_and_spread() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/bayes/graph_synth.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut laws = 0;
    for case in file["synth"].as_array().unwrap() {
        let complexity = case["complexity"].as_u64().unwrap() as u32;
        let reading = Skew::Power;
        let grid = DisjunctGrid { complexity, minority_share: 0.1, interclass: 1.0, overlap: 1.0, reading };
        assert_close(&[grid.square()], &[case["square"].as_f64().unwrap()], "square");
        for (class, name) in [(0, "majority_centres"), (1, "minority_centres")] {
            let expected: Vec<f64> = case[name].as_array().unwrap().iter().flat_map(numbers).collect();
            assert_close(grid.centres(class).as_flattened(), &expected, name);
        }
        for (overlap, sigma) in case["sigma"].as_object().unwrap() {
            let grid = DisjunctGrid { overlap: overlap.parse().unwrap(), ..grid };
            assert_close(&[grid.sigma()], &[sigma.as_f64().unwrap()], "sigma");
        }
        for (d, of_reading) in case["probs"].as_object().unwrap() {
            for (reading, expected) in of_reading.as_object().unwrap() {
                let reading: Skew = serde_json::from_value(Value::from(reading.as_str())).unwrap();
                let grid = DisjunctGrid { interclass: d.parse().unwrap(), reading, ..grid };
                assert_eq!(grid.check().is_err(), expected.is_null(), "{grid:?}");
                if !expected.is_null() {
                    assert_close(&grid.probabilities(), &numbers(expected), "probabilities");
                    laws += 1;
                }
            }
        }
    }
    assert!(laws > 30, "{laws} laws were compared");
}
