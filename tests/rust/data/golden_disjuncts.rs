//! Layout, distributions and spread of `make_disjunct_grid` compared with `tests/golden/bayes/graph_synth.json`, within
//! 1e-10.
#![allow(clippy::unwrap_used)]

use imbcore_data::{CheckerboardParams, ClusterCountScope, ClusterSizeDistribution};
use serde_json::Value;
use std::path::Path;

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-10), "{what}: {found:?}");
}

const GRID: CheckerboardParams = CheckerboardParams {
    complexity: 0,
    clusters: ClusterCountScope::PerClass,
    width: 2.0,
    lower_left: 1,
    minority_fraction: 0.1,
    interclass: 1.0,
    overlap: 1.0,
    variant: ClusterSizeDistribution::Power,
};

/// Layouts and cluster sizes compared with `tests/golden/metrics/generator.json`, within its tolerance.
#[test]
fn layouts_and_distributions_match_the_thesis() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/metrics/generator.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut compared = 0;
    for case in file["cases"].as_array().unwrap() {
        for disjuncts in case["disjuncts"].as_array().unwrap() {
            let complexity = disjuncts["n_clusters"].as_u64().unwrap().ilog2();
            for (name, variant) in
                [("geometric", ClusterSizeDistribution::Power), ("literal", ClusterSizeDistribution::Literal)]
            {
                let grid = CheckerboardParams {
                    complexity,
                    interclass: disjuncts["d"].as_f64().unwrap(),
                    variant,
                    ..GRID
                };
                let undefined = disjuncts[name][0] == "nan";
                assert_eq!(grid.check().is_err(), undefined, "{grid:?}");
                if !undefined {
                    assert_close(&grid.minority_cluster_probabilities(), &numbers(&disjuncts[name]), name);
                    compared += 1;
                }
            }
        }
        for layout in case["layouts"].as_array().unwrap() {
            let grid = CheckerboardParams {
                complexity: layout["complexity"].as_u64().unwrap() as u32,
                clusters: serde_json::from_value(layout["clusters"].clone()).unwrap(),
                width: layout["width"].as_f64().unwrap(),
                lower_left: 0,
                ..GRID
            };
            grid.check().unwrap();
            assert_close(&[grid.square_side_length()], &[layout["cell"].as_f64().unwrap()], "cell");
            for class in 0..2 {
                let squares = layout["centres"].as_array().unwrap().iter().map(numbers);
                let expected: Vec<f64> = squares
                    .filter(|square| square[2] == f64::from(class))
                    .flat_map(|s| [s[0], s[1]])
                    .collect();
                assert_close(grid.cluster_centers(class).as_flattened(), &expected, "centers");
            }
            for (overlap, sigma) in layout["sigma"].as_object().unwrap() {
                let grid = CheckerboardParams { overlap: overlap.parse().unwrap(), ..grid };
                assert_close(&[grid.cluster_standard_deviation()], &[sigma.as_f64().unwrap()], "sigma");
            }
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared} were compared");
}

#[test]
fn layout_distributions_and_spread_match_the_reference() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/bayes/graph_synth.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut distributions = 0;
    for case in file["synth"].as_array().unwrap() {
        let complexity = case["complexity"].as_u64().unwrap() as u32;
        let grid = CheckerboardParams { complexity, variant: ClusterSizeDistribution::Power, ..GRID };
        assert_close(&[grid.square_side_length()], &[case["square"].as_f64().unwrap()], "square");
        for (class, name) in [(0, "majority_centres"), (1, "minority_centres")] {
            let expected: Vec<f64> = case[name].as_array().unwrap().iter().flat_map(numbers).collect();
            assert_close(grid.cluster_centers(class).as_flattened(), &expected, name);
        }
        for (overlap, sigma) in case["sigma"].as_object().unwrap() {
            let grid = CheckerboardParams { overlap: overlap.parse().unwrap(), ..grid };
            assert_close(&[grid.cluster_standard_deviation()], &[sigma.as_f64().unwrap()], "sigma");
        }
        for (d, of_reading) in case["probs"].as_object().unwrap() {
            for (variant, expected) in of_reading.as_object().unwrap() {
                let variant: ClusterSizeDistribution =
                    serde_json::from_value(Value::from(variant.as_str())).unwrap();
                let grid = CheckerboardParams { interclass: d.parse().unwrap(), variant, ..grid };
                assert_eq!(grid.check().is_err(), expected.is_null(), "{grid:?}");
                if !expected.is_null() {
                    assert_close(&grid.minority_cluster_probabilities(), &numbers(expected), "probabilities");
                    distributions += 1;
                }
            }
        }
    }
    assert!(distributions > 30, "{distributions} distributions were compared");
}
