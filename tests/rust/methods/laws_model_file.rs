//! Model files made to do harm are refused in words.

use crate::bytes::{header_has, place_of, with_header, with_metadata, with_schema, with_word};
use crate::shapes::models;
use imbcore_base::{Decision, Error};
use imbcore_methods::Model;
use serde_json::{Value, json};
use std::path::Path;

fn refusal(bytes: &[u8]) -> String {
    match Model::from_bytes(bytes) {
        Err(Error::Format(message)) => message,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Bytes of the models that are a single tree.
fn trees() -> impl Iterator<Item = Vec<u8>> {
    let all = models().into_iter().map(|(_, bytes)| bytes);
    all.filter(|bytes| Model::from_bytes(bytes).unwrap().fitted().tree().is_some())
}

/// Bytes of the models that are a forest.
fn forests() -> impl Iterator<Item = Vec<u8>> {
    let all = models().into_iter().map(|(_, bytes)| bytes);
    all.filter(|bytes| Model::from_bytes(bytes).unwrap().fitted().forest().is_some())
}

#[test]
fn impossible_decompositions_are_refused() {
    let (_, original) = models().into_iter().find(|(name, _)| *name == "members").unwrap();
    let number = |array: &str, index, value: f64| with_word(&original, array, index, &value.to_le_bytes());
    for bit in [2, 254, 255_u8] {
        refusal(&with_word(&original, "decomposed.book", 0, &[bit]));
    }
    // The second column would be constant.
    refusal(&with_word(&original, "decomposed.book", 4, &[1]));
    refusal(&with_word(&original, "member.kind", 0, b"T"));
    refusal(&with_word(&original, "decomposed.decoding", 1, b"S"));
    for value in [-0.5, 1.5, f64::INFINITY] {
        refusal(&number("decomposed.constant", 0, value));
        refusal(&number("decomposed.shares", 0, value));
    }
    for end in [0, 1, u32::MAX] {
        refusal(&with_word(&original, "ends.tree.kind", 0, &end.to_le_bytes()));
    }
    refusal(&with_metadata(&original, |inner| inner["params"]["estimator_params"] = Value::Null));
    refusal(&with_word(&original, "kind", 0, b"D"));
}

#[test]
fn impossible_decisions_are_refused() {
    let (_, original) = models().into_iter().find(|(name, _)| *name == "costs").unwrap();
    for value in [f64::NAN, f64::INFINITY, -1.0] {
        refusal(&with_word(&original, "decision.costs", 1, &value.to_le_bytes()));
    }
}

#[test]
fn the_positive_class_is_kept_and_must_be_one() {
    let all = models();
    for name in ["numeric", "costs", "threshold", "boxes", "members", "forest"] {
        let (_, original) = all.iter().find(|(known, _)| *known == name).unwrap();
        let model = Model::from_bytes(original).unwrap();
        assert_eq!(&model.to_bytes().unwrap(), original, "{name}");
        refusal(&with_word(original, "positive", 0, &3_u32.to_le_bytes()));
    }
    let original = |name| &all.iter().find(|(known, _)| *known == name).unwrap().1;
    let threshold = Model::from_bytes(original("threshold")).unwrap();
    assert_eq!(threshold.positive(), 0);
    assert_eq!(threshold.decision(), &Decision::Threshold { at: 0.2, positive: 0 });
    // Boxes know their class themselves.
    let drawn = Model::from_bytes(original("boxes")).unwrap().positive();
    refusal(&with_word(original("boxes"), "positive", 0, &(1 - drawn).to_le_bytes()));
}

#[test]
fn impossible_trees_are_refused() {
    for original in trees() {
        let n_nodes = place_of(&original, "tree.kind").len();
        let word =
            |array: &str, node: usize, word: u32| with_word(&original, array, node, &word.to_le_bytes());
        let number = |array: &str, index: usize, number: f64| {
            with_word(&original, array, index, &number.to_le_bytes())
        };
        for first in [0, 2, n_nodes as u32, u32::MAX, u32::MAX - 1] {
            refusal(&word("tree.first_child", 0, first));
        }
        for n_children in [0, 1, 7, u32::MAX] {
            refusal(&word("tree.n_children", 0, n_children));
        }
        refusal(&word("tree.missing_child", 0, 9));
        refusal(&word("tree.column", 0, 3));
        refusal(&word("tree.column", 0, u32::MAX));
        for kind in [0, 5, 255_u8] {
            refusal(&with_word(&original, "tree.kind", 0, &[kind]));
        }
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            refusal(&number("tree.mass", 0, value));
            refusal(&number("tree.gain", 0, value));
        }
        // SVR-Trees keep the rule for their probabilities instead.
        let rule = ["tree.answers", "svr.probability"].into_iter().find(|name| header_has(&original, name));
        for index in [1, 2] {
            refusal(&with_word(&original, rule.unwrap(), index, b"?"));
        }
    }
}

#[test]
fn impossible_forests_are_refused() {
    for original in forests() {
        let word =
            |array: &str, node: usize, word: u32| with_word(&original, array, node, &word.to_le_bytes());
        let number = |array: &str, index: usize, number: f64| {
            with_word(&original, array, index, &number.to_le_bytes())
        };
        for n_nodes in [0, 1, 7, u32::MAX] {
            refusal(&word("forest.nodes", 0, n_nodes));
        }
        for first in [0, 2, 1000, u32::MAX, u32::MAX - 1] {
            refusal(&word("forest.first_child", 0, first));
        }
        refusal(&word("forest.missing_child", 0, 9));
        refusal(&word("forest.column", 0, 3));
        refusal(&word("forest.column", 0, u32::MAX));
        for kind in [0, 5, 255_u8] {
            refusal(&with_word(&original, "forest.kind", 0, &[kind]));
        }
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            refusal(&number("forest.root_mass", 0, value));
            refusal(&number("forest.leaf_mass", 0, value));
            refusal(&number("forest.gain", 0, value));
            refusal(&number("forest.importances", 0, value));
        }
        refusal(&with_metadata(&original, |inner| inner["params"]["vote"] = json!("loud")));
    }
    let (_, beat) = models().into_iter().find(|(name, _)| *name == "alphas").unwrap();
    refusal(&with_word(&beat, "forest.alphas", 0, &2.5_f64.to_le_bytes()));
    refusal(&with_word(&beat, "forest.oob_decision", 0, &1.5_f64.to_le_bytes()));
}

#[test]
fn unfit_headers_are_refused_in_words() {
    for original in trees() {
        let message = refusal(&with_metadata(&original, |inner| {
            inner["format"] = 4.into();
            inner["version"] = "9.8.7".into();
        }));
        assert!(message.contains("format 4") && message.contains("9.8.7"), "{message}");
        assert!(message.contains(env!("CARGO_PKG_VERSION")), "{message}");
        let message = refusal(&with_word(&original, "kind", 0, b"j"));
        assert!(message.contains("kind `j"), "{message}");
        refusal(&with_metadata(&original, |inner| inner["params"] = Value::Null));
        refusal(&with_metadata(&original, |inner| inner["params"]["leaf"] = json!("largest")));
        refusal(&with_header(&original, |header| header["tree.mass"]["dtype"] = "I64".into()));
        refusal(&with_header(&original, |header| header["tree.rows"]["dtype"] = "F32".into()));
        let nested = "[".repeat(1_000_000);
        refusal(&with_header(&original, |header| header["__metadata__"]["imbcore"] = nested.clone().into()));
        refusal(&with_schema(&original, nested.as_bytes()));
        // Huge arrays that the file does not hold.
        for size in [1_u64 << 30, 1 << 62, u64::MAX] {
            let header = with_header(&original, |header| {
                header["crc32"]["shape"] = json!([size]);
                header["crc32"]["data_offsets"][1] = json!(size);
            });
            refusal(&header);
        }
        for length in [1 << 20, 100_000_001, 1 << 62, u64::MAX] {
            let mut bytes = original.clone();
            bytes[..8].copy_from_slice(&u64::to_le_bytes(length));
            refusal(&bytes);
        }
    }
}

#[test]
fn schemas_of_another_model_are_refused() {
    let (_, original) = models().remove(1);
    let schema: Value = serde_json::from_slice(&original[place_of(&original, "schema")]).unwrap();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = schema.clone();
        change(&mut changed);
        with_schema(&original, changed.to_string().as_bytes())
    };
    assert!(Model::from_bytes(&with(&|_| {})).is_ok(), "the rewritten file is whole");
    refusal(&with(&|schema| schema["classes"] = json!([])));
    refusal(&with(&|schema| schema["classes"] = json!(["a", "b", "c"])));
    refusal(&with(&|schema| schema["features"][2]["levels"] = json!(["x"])));
    refusal(&with(&|schema| schema["features"][2]["levels"] = json!([])));
    refusal(&with(&|schema| schema["features"] = json!([])));
    refusal(&with(&|schema| schema["features"][2] = json!({"name": "c", "kind": "numeric"})));
}

/// A node that splits by a column without levels would have no child to send a row to, and walks would never end.
#[test]
fn a_split_into_no_branches_is_refused() {
    let arrays = imbcore_tree::TreeArrays {
        kind: vec![4],
        operand: vec![0.0],
        column: vec![0],
        first_child: vec![0],
        n_children: vec![0],
        missing_child: vec![0],
        rows: vec![2],
        gain: vec![0.0],
        mass: vec![1.0, 1.0],
        sets: vec![],
        groups: vec![],
    };
    assert!(imbcore_tree::Tree::from_arrays(arrays, &[imbcore_tree::ColumnKind::Nominal(0)], 2).is_err());
}

/// Files of the formats before 3 do not say all that answers depend on, and are refused in words.
#[test]
fn files_of_the_first_formats_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/models");
    for format in [1, 2] {
        let message = refusal(&std::fs::read(folder.join(format!("hddt-{format}.imb"))).unwrap());
        assert!(
            message.contains(&format!("format {format}")) && message.contains("fit the model again"),
            "{message}"
        );
    }
}
