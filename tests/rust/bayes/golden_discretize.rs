//! Cut points and bin codes compared with `tests/golden/bayes/discretize.json`, to 1e-12 per cut point.
#![allow(clippy::unwrap_used, clippy::panic, clippy::cast_sign_loss)]

use imbcore_bayes::{
    ColumnRule, ColumnStates, CutMethod, DiscretizeParams, Discretizer, DiscretizerInput, MISSING,
    UnseenLevelPolicy,
};
use imbcore_core::{Column, Frame, RunContext};
use serde_json::Value;
use std::path::Path;

fn cases() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/bayes/discretize.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().clone()
}

/// Numbers; null is a missing value.
fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
}

fn cuts(case: &Value, params: &DiscretizeParams) -> Vec<f64> {
    let values = numbers(&case["x"]);
    let classes: Vec<u32> = numbers(&case["y"]).iter().map(|&class| class as u32).collect();
    let frame = Frame::new(vec![Column::from_numbers(&values)]).unwrap();
    let training = DiscretizerInput { frame: &frame, classes: Some((&classes, 9)), weights: None };
    let settings = params.check("golden").unwrap();
    let rows = settings.training_rows(&training).unwrap();
    match settings.learn(&training, &rows, RunContext::silent()).unwrap().columns.swap_remove(0).values {
        ColumnStates::Cuts(cuts) => cuts,
        ColumnStates::Levels(_) => panic!("the column is numeric"),
    }
}

fn params(discretizer: CutMethod) -> DiscretizeParams {
    DiscretizeParams { discretizer, ..DiscretizeParams::default() }
}

fn assert_cuts(case: &Value, params: &DiscretizeParams, expected: &Value) {
    let (found, expected) = (cuts(case, params), numbers(expected));
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs();
    let equal = found.len() == expected.len() && found.iter().zip(&expected).all(close);
    assert!(equal, "{}: {params:?} gives {found:?} instead of {expected:?}", case["name"]);
}

#[test]
fn equal_frequency() {
    for case in &cases() {
        for (n_bins, expected) in case["equal_freq"].as_object().unwrap() {
            let n_bins = n_bins.parse().unwrap();
            assert_cuts(case, &DiscretizeParams { n_bins, ..params(CutMethod::EqualFreq) }, expected);
        }
    }
}

#[test]
fn topdown_and_mdlp() {
    let named = [("caim", CutMethod::Caim), ("cacc", CutMethod::Cacc), ("ameva", CutMethod::Ameva)];
    for case in &cases() {
        for (name, method) in named {
            assert_cuts(case, &params(method), &case["topdown"][name]);
            let r_compat = DiscretizeParams { r_compat: true, ..params(method) };
            assert_cuts(case, &r_compat, &case["topdown_r"][name]);
        }
        assert_cuts(case, &params(CutMethod::Mdlp), &case["mdlp"]);
    }
}

#[test]
fn codes_of_probes() {
    for case in &cases() {
        let probe = numbers(&case["probe"]);
        let frame = Frame::new(vec![Column::from_numbers(&probe)]).unwrap();
        for (name, expected) in case["codes"].as_object().unwrap() {
            let cuts = match name.as_str() {
                "mdlp" => &case["mdlp"],
                "equal_freq_5" => &case["equal_freq"]["5"],
                _ => &case["topdown"][name],
            };
            let rule = ColumnRule { values: ColumnStates::Cuts(numbers(cuts)), gap_state: false };
            let discretizer = Discretizer { columns: vec![rule], handle_unknown: UnseenLevelPolicy::Missing };
            let code = |code: u16| if code == MISSING { -1.0 } else { f64::from(code) };
            let codes = discretizer.encode(&frame, &[0], RunContext::silent()).unwrap().swap_remove(0);
            let codes: Vec<f64> = codes.into_iter().map(code).collect();
            assert_eq!(codes, numbers(expected), "{} {name}", case["name"]);
        }
    }
}
