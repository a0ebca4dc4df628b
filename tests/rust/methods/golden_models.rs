//! Stored model files of every family, which every later version must read.

use crate::shapes::{Data, models};
use imbcore_core::{Column, Frame, MISSING, RunContext};
use imbcore_methods::Model;
use imbcore_tests::{codes, golden, items, matrix, numbers};
use serde_json::{Value, json};
use std::path::PathBuf;

/// File formats that have a folder of files.
const FORMATS: [u32; 1] = [3];

/// Number of rows of the prediction table.
const N_PREDICTED: usize = 15;

/// Stored models: at least one of each family and of each kind of prediction.
const STORED: [&str; 17] = [
    "sets",
    "costs",
    "threshold",
    "prior",
    "members",
    "ensemble",
    "labels",
    "svr forest",
    "forest",
    "alphas",
    "boosted",
    "focal",
    "exact boxes",
    "proof",
    "covering",
    "network",
    "networks",
];

fn folder(format: u32) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("golden/models/{format}"))
}

/// Predicted classes and probabilities for the rows with two or three columns that the model was fitted on.
fn predict(model: &Model, x: &[Vec<f64>; 2], levels: &[u32]) -> (Vec<u32>, Vec<f64>) {
    let mut columns = vec![Column::from_numbers(&x[0]), Column::from_numbers(&x[1])];
    if model.schema().features.len() == 3 {
        columns.push(Column::Nominal { codes: levels, levels: 3 });
    }
    let frame = Frame::new(columns).unwrap();
    let ctl = RunContext::silent();
    let predictions = model.predict_with_proba(&frame, ctl).unwrap();
    assert_eq!(predictions, (model.predict(&frame, ctl).unwrap(), model.proba(&frame, ctl).unwrap()));
    predictions
}

#[test]
fn files_of_every_format_predict_as_before() {
    for format in FORMATS {
        let file = golden(&format!("models/{format}/answers"));
        let x = matrix(&file["x"]);
        let x = [x[..N_PREDICTED].to_vec(), x[N_PREDICTED..].to_vec()];
        let level = |value: &Value| value.as_u64().map_or(MISSING, |code| code as u32);
        let levels: Vec<u32> = items(&file["levels"]).iter().map(level).collect();
        for case in items(&file["models"]) {
            let name = case["name"].as_str().unwrap();
            let path = folder(format).join(format!("{}.imb", name.replace(' ', "_")));
            let model = Model::from_bytes(&std::fs::read(path).unwrap()).unwrap();
            assert_eq!(json!(model.method()), case["method"], "{name}");
            assert_eq!(json!(model.schema().classes), case["classes"], "{name}");
            let (predicted, proba) = predict(&model, &x, &levels);
            assert_eq!(predicted, codes(&case["predicted"]), "{name}");
            let expected = numbers(&case["proba"]);
            assert_eq!(proba.len(), expected.len(), "{name}");
            assert!(proba.iter().zip(expected).all(|(p, expected)| (p - expected).abs() < 1e-12), "{name}");
        }
    }
}

/// Writes the folder of a new format. The files of a released format are never written again.
#[test]
#[ignore = "writes files"]
fn write_golden_models() {
    let format = *FORMATS.last().unwrap();
    let data = Data::new(2);
    let rows = |values: &[f64]| values[..N_PREDICTED].to_vec();
    let (x, levels) = ([rows(&data.numbers[0]), rows(&data.numbers[1])], &data.levels[..N_PREDICTED]);
    std::fs::create_dir_all(folder(format)).unwrap();
    let kept = models().into_iter().filter(|(name, _)| STORED.contains(name));
    let case = |(name, bytes): (&str, Vec<u8>)| {
        std::fs::write(folder(format).join(format!("{}.imb", name.replace(' ', "_"))), &bytes).unwrap();
        let model = Model::from_bytes(&bytes).unwrap();
        let (predicted, proba) = predict(&model, &x, levels);
        let classes = &model.schema().classes;
        json!({"name": name, "method": model.method(), "classes": classes, "predicted": predicted, "proba": proba})
    };
    let cases: Vec<Value> = kept.map(case).collect();
    assert_eq!(cases.len(), STORED.len());
    let level = |&code: &u32| if code == MISSING { Value::Null } else { json!(code) };
    let file = json!({
        "source": format!("model files of format {format}, written once and kept as they are"),
        "made_by": "imbcore itself: the models of tests/rust/methods/shapes.rs",
        "versions": {"imbcore": env!("CARGO_PKG_VERSION")},
        "command": "cargo test --test methods write_golden_models -- --ignored",
        "tolerance": 1e-12,
        "x": x,
        "levels": levels.iter().map(level).collect::<Vec<_>>(),
        "models": cases,
    });
    let text = serde_json::to_string_pretty(&file).unwrap();
    std::fs::write(folder(format).join("answers.json"), text + "\n").unwrap();
}
