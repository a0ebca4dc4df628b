//! Manipulated model files are rejected with a message.

use crate::bytes::{array_range, header_has, with_element, with_header, with_metadata, with_schema};
use crate::shapes::models;
use imbcore_core::{Decision, Error};
use imbcore_methods::Model;
use serde_json::{Value, json};
use std::path::Path;

fn rejection(bytes: &[u8]) -> String {
    match Model::from_bytes(bytes) {
        Err(Error::Format(message)) => message,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Bytes of the single-tree models.
fn trees() -> impl Iterator<Item = Vec<u8>> {
    let all = models().into_iter().map(|(_, bytes)| bytes);
    all.filter(|bytes| Model::from_bytes(bytes).unwrap().fitted_estimator().tree().is_some())
}

/// Bytes of the forest models.
fn forests() -> impl Iterator<Item = Vec<u8>> {
    let all = models().into_iter().map(|(_, bytes)| bytes);
    all.filter(|bytes| Model::from_bytes(bytes).unwrap().fitted_estimator().forest().is_some())
}

#[test]
fn invalid_decompositions_are_rejected() {
    let (_, original) = models().into_iter().find(|(name, _)| *name == "members").unwrap();
    let number = |array: &str, index, value: f64| with_element(&original, array, index, &value.to_le_bytes());
    for bit in [2, 254, 255_u8] {
        rejection(&with_element(&original, "decomposed.book", 0, &[bit]));
    }
    // The second column would be constant.
    rejection(&with_element(&original, "decomposed.book", 4, &[1]));
    rejection(&with_element(&original, "member.kind", 0, b"T"));
    rejection(&with_element(&original, "decomposed.decoding", 1, b"S"));
    for value in [-0.5, 1.5, f64::INFINITY] {
        rejection(&number("decomposed.constant", 0, value));
        rejection(&number("decomposed.shares", 0, value));
    }
    for end in [0, 1, u32::MAX] {
        rejection(&with_element(&original, "ends.tree.kind", 0, &end.to_le_bytes()));
    }
    rejection(&with_metadata(&original, |inner| inner["params"]["estimator_params"] = Value::Null));
    rejection(&with_element(&original, "kind", 0, b"D"));
}

#[test]
fn invalid_decisions_are_rejected() {
    let (_, original) = models().into_iter().find(|(name, _)| *name == "costs").unwrap();
    for value in [f64::NAN, f64::INFINITY, -1.0] {
        rejection(&with_element(&original, "decision.costs", 1, &value.to_le_bytes()));
    }
}

#[test]
fn positive_class_is_stored_and_must_exist() {
    let all = models();
    for name in ["numeric", "costs", "threshold", "boxes", "members", "forest"] {
        let (_, original) = all.iter().find(|(known, _)| *known == name).unwrap();
        let model = Model::from_bytes(original).unwrap();
        assert_eq!(&model.to_bytes().unwrap(), original, "{name}");
        rejection(&with_element(original, "positive", 0, &3_u32.to_le_bytes()));
    }
    let original = |name| &all.iter().find(|(known, _)| *known == name).unwrap().1;
    let threshold = Model::from_bytes(original("threshold")).unwrap();
    assert_eq!(threshold.positive_class(), 0);
    assert_eq!(threshold.decision(), &Decision::Threshold { at: 0.2, positive: 0 });
    // Boxes store their class themselves.
    let drawn = Model::from_bytes(original("boxes")).unwrap().positive_class();
    rejection(&with_element(original("boxes"), "positive", 0, &(1 - drawn).to_le_bytes()));
}

#[test]
fn invalid_trees_are_rejected() {
    for original in trees() {
        let n_nodes = array_range(&original, "tree.kind").len();
        let word =
            |array: &str, node: usize, word: u32| with_element(&original, array, node, &word.to_le_bytes());
        let number = |array: &str, index: usize, number: f64| {
            with_element(&original, array, index, &number.to_le_bytes())
        };
        for first in [0, 2, n_nodes as u32, u32::MAX, u32::MAX - 1] {
            rejection(&word("tree.first_child", 0, first));
        }
        for n_children in [0, 1, 7, u32::MAX] {
            rejection(&word("tree.n_children", 0, n_children));
        }
        rejection(&word("tree.missing_child", 0, 9));
        rejection(&word("tree.column", 0, 3));
        rejection(&word("tree.column", 0, u32::MAX));
        for kind in [0, 5, 255_u8] {
            rejection(&with_element(&original, "tree.kind", 0, &[kind]));
        }
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            rejection(&number("tree.mass", 0, value));
            rejection(&number("tree.gain", 0, value));
        }
        // SVR-Trees store the rule for their probabilities instead.
        let rule = ["tree.answers", "svr.probability"].into_iter().find(|name| header_has(&original, name));
        for index in [1, 2] {
            rejection(&with_element(&original, rule.unwrap(), index, b"?"));
        }
    }
}

#[test]
fn invalid_forests_are_rejected() {
    for original in forests() {
        let word =
            |array: &str, node: usize, word: u32| with_element(&original, array, node, &word.to_le_bytes());
        let number = |array: &str, index: usize, number: f64| {
            with_element(&original, array, index, &number.to_le_bytes())
        };
        for n_nodes in [0, 1, 7, u32::MAX] {
            rejection(&word("forest.nodes", 0, n_nodes));
        }
        for first in [0, 2, 1000, u32::MAX, u32::MAX - 1] {
            rejection(&word("forest.first_child", 0, first));
        }
        rejection(&word("forest.missing_child", 0, 9));
        rejection(&word("forest.column", 0, 3));
        rejection(&word("forest.column", 0, u32::MAX));
        for kind in [0, 5, 255_u8] {
            rejection(&with_element(&original, "forest.kind", 0, &[kind]));
        }
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            rejection(&number("forest.root_mass", 0, value));
            rejection(&number("forest.leaf_mass", 0, value));
            rejection(&number("forest.gain", 0, value));
            rejection(&number("forest.importances", 0, value));
        }
        rejection(&with_metadata(&original, |inner| inner["params"]["voting"] = json!("loud")));
    }
    let (_, beat) = models().into_iter().find(|(name, _)| *name == "alphas").unwrap();
    rejection(&with_element(&beat, "forest.alphas", 0, &2.5_f64.to_le_bytes()));
    rejection(&with_element(&beat, "forest.oob_decision", 0, &1.5_f64.to_le_bytes()));
}

#[test]
fn invalid_headers_are_rejected_with_a_message() {
    for original in trees() {
        let message = rejection(&with_metadata(&original, |inner| {
            inner["format"] = 4.into();
            inner["version"] = "9.8.7".into();
        }));
        assert!(message.contains("format 4") && message.contains("9.8.7"), "{message}");
        assert!(message.contains(env!("CARGO_PKG_VERSION")), "{message}");
        let message = rejection(&with_element(&original, "kind", 0, b"j"));
        assert!(message.contains("kind `j"), "{message}");
        rejection(&with_metadata(&original, |inner| inner["params"] = Value::Null));
        rejection(&with_metadata(&original, |inner| inner["params"]["leaf_estimate"] = json!("largest")));
        rejection(&with_header(&original, |header| header["tree.mass"]["dtype"] = "I64".into()));
        rejection(&with_header(&original, |header| header["tree.rows"]["dtype"] = "F32".into()));
        let nested = "[".repeat(1_000_000);
        rejection(&with_header(&original, |header| {
            header["__metadata__"]["imbcore"] = nested.clone().into();
        }));
        rejection(&with_schema(&original, nested.as_bytes()));
        // Huge arrays that are not in the file.
        for size in [1_u64 << 30, 1 << 62, u64::MAX] {
            let header = with_header(&original, |header| {
                header["crc32"]["shape"] = json!([size]);
                header["crc32"]["data_offsets"][1] = json!(size);
            });
            rejection(&header);
        }
        for length in [1 << 20, 100_000_001, 1 << 62, u64::MAX] {
            let mut bytes = original.clone();
            bytes[..8].copy_from_slice(&u64::to_le_bytes(length));
            rejection(&bytes);
        }
    }
}

#[test]
fn schemas_of_another_model_are_rejected() {
    let (_, original) = models().remove(1);
    let schema: Value = serde_json::from_slice(&original[array_range(&original, "schema")]).unwrap();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = schema.clone();
        change(&mut changed);
        with_schema(&original, changed.to_string().as_bytes())
    };
    assert!(Model::from_bytes(&with(&|_| {})).is_ok(), "the rewritten file is whole");
    rejection(&with(&|schema| schema["classes"] = json!([])));
    rejection(&with(&|schema| schema["classes"] = json!(["a", "b", "c"])));
    rejection(&with(&|schema| schema["features"][2]["levels"] = json!(["x"])));
    rejection(&with(&|schema| schema["features"][2]["levels"] = json!([])));
    rejection(&with(&|schema| schema["features"] = json!([])));
    rejection(&with(&|schema| schema["features"][2] = json!({"name": "c", "kind": "numeric"})));
}

/// A node that splits by a column without levels would have no child for a row, and traversal would never end.
#[test]
fn split_without_branches_is_rejected() {
    let arrays = imbcore_trees::TreeArrays {
        kind: vec![4],
        operand: vec![0.0],
        column: vec![0],
        first_child: vec![0],
        n_children: vec![0],
        missing_child: vec![0],
        rows: vec![2],
        gain: vec![0.0],
        mass: imbcore_trees::NodeMasses::Table(vec![1.0, 1.0]),
        sets: vec![],
        groups: vec![],
        tables: vec![],
        statistics: imbcore_trees::TargetStatisticTables::default(),
    };
    assert!(imbcore_trees::Tree::from_arrays(arrays, &[imbcore_trees::ColumnKind::Nominal(0)], 2).is_err());
}

/// Formats before 3 lack data that predictions depend on, and are rejected with a message.
#[test]
fn files_of_old_formats_are_rejected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/models");
    for format in [1, 2] {
        let message = rejection(&std::fs::read(folder.join(format!("hddt-{format}.imb"))).unwrap());
        assert!(
            message.contains(&format!("format {format}")) && message.contains("fit the model again"),
            "{message}"
        );
    }
}
