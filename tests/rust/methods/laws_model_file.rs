//! Model files from anywhere: damaged by accident, or made to do harm.

use crate::shapes::{Data, models};
use imbcore_base::{Dataset, Decision, Error, RunCtl, SeedKey, below};
use imbcore_methods::Model;
use imbcore_tests::{codes, seed};
use imbcore_tree::TextStyle;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

/// Asks a model everything; only panics and hangs are failures.
fn use_everything(model: &Model) {
    let data = Data::new(2);
    let ctl = RunCtl::silent();
    for nominal in [false, true] {
        let frame = data.frame(nominal);
        let _ = (model.proba(&frame, ctl), model.predict(&frame, ctl));
        if model.check(&frame).is_ok()
            && let Some(tree) = model.fitted().tree()
        {
            tree.apply(&frame, ctl).unwrap();
            tree.decision_path(&frame, ctl).unwrap();
        }
    }
    if let Some(forest) = model.fitted().forest() {
        for tree in 0..forest.n_trees() {
            describe(&model.member(tree).unwrap());
        }
        assert!(model.member(forest.n_trees()).is_err());
        let _ = (forest.depth(), forest.n_leaves(), forest.bytes());
    } else if model.fitted().tree().is_some() {
        describe(model);
    } else if let Some(boxes) = model.fitted().boxes() {
        let rules = boxes.rules(model.schema(), true);
        if boxes.proof_json(model.schema()).is_ok() {
            let frame = data.frame(false);
            let known = Dataset::new(frame, &data.classes, 2, None).unwrap();
            let _ = boxes.verify(&known, None, 0.1, ctl);
        }
        let _ = (rules.text(3), rules.json(), rules.sql());
    } else if let Some(bayes) = model.fitted().bayes() {
        let _ = bayes.diagnose(model.schema(), ctl);
        for nominal in [false, true] {
            let frame = data.frame(nominal);
            if model.check(&frame).is_ok() {
                let _ = (bayes.log_probability(&frame, ctl), bayes.calibrated_proba(&frame, ctl));
            }
        }
    }
    assert!(Model::from_bytes(&model.to_bytes().unwrap()).is_ok());
}

/// Writes a single tree in every form.
fn describe(model: &Model) {
    let (tree, schema) = (model.fitted().tree().unwrap(), model.schema());
    let style = TextStyle { max_depth: None, decimals: 3, show_weights: true, positive: 0, holes: true };
    let _ = (
        tree.text(schema, style),
        tree.dot(schema, style),
        tree.rules(schema, 0, true),
        tree.nodes(schema, 3),
    );
    let _ = model.feature_importances();
    for class in 0..schema.classes.len() {
        let _ = tree.region_rules(schema, class, true);
    }
    if let Some(svr) = model.fitted().svr() {
        let _ = svr.growth(schema);
        assert!(svr.tree().node_proba(0).iter().all(|p| p.is_finite()));
    }
}

/// Runs `task` in a thread of its own; a hang or a panic fails the test with `what`.
fn bounded(what: &str, task: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    std::thread::spawn(move || done.send(catch_unwind(AssertUnwindSafe(task)).is_ok()));
    match wait.recv_timeout(Duration::from_secs(20)) {
        Ok(true) => {}
        Ok(false) => panic!("{what}: panicked"),
        Err(mpsc::RecvTimeoutError::Timeout | mpsc::RecvTimeoutError::Disconnected) => {
            panic!("{what}: did not end")
        }
    }
}

/// Where the data of an array begin and end.
fn place_of(bytes: &[u8], array: &str) -> std::ops::Range<usize> {
    let (header, start) = split_header(bytes);
    let offsets = codes(&header[array]["data_offsets"]);
    start + offsets[0] as usize..start + offsets[1] as usize
}

fn split_header(bytes: &[u8]) -> (Value, usize) {
    let start = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[8..start]).unwrap(), start)
}

fn header_has(bytes: &[u8], array: &str) -> bool {
    split_header(bytes).0.get(array).is_some()
}

/// Makes the checksum right again, where the header still says where it is.
fn sign(bytes: &mut [u8]) {
    let intact = || {
        let length = usize::try_from(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?)).ok()?;
        let start = length.checked_add(8)?;
        let header: Value = serde_json::from_slice(bytes.get(8..start)?).ok()?;
        let offset = |i: usize| usize::try_from(header["crc32"]["data_offsets"][i].as_u64()?).ok();
        let place = start.checked_add(offset(0)?)?..start.checked_add(offset(1)?)?;
        (place.len() == 4 && place.end <= bytes.len()).then_some(place)
    };
    if let Some(place) = intact() {
        let sum = crc32fast::hash(&[&bytes[..place.start], &bytes[place.end..]].concat());
        bytes[place].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Numbers of damaged copies: those of the seed under which random laws run, so that `make fuzz` makes others.
fn copies(n: u32) -> std::ops::Range<u32> {
    let start = (seed() as u32 % 1_000_000) * 1000;
    start..start + n
}

/// Damaged copy number `number`: bytes changed, words and numbers replaced by extremes, or parts cut out.
fn damaged(original: &[u8], number: u32) -> Vec<u8> {
    const WORDS: [u32; 5] = [0, 1, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000];
    const NUMBERS: [&str; 6] = ["0", "1", "-1", "4294967295", "18446744073709551615", "1e308"];
    let mut rng = SeedKey::root(number.into()).rng();
    let mut draw = |bound: usize| below(&mut rng, bound as u32) as usize;
    let mut bytes = original.to_vec();
    match number % 3 {
        0 => {
            for _ in 0..=draw(8) {
                bytes[draw(original.len())] = draw(256) as u8;
            }
        }
        1 if draw(8) == 0 => {
            let lengths = [0, u64::MAX, u64::MAX - 7, 1 << 63, 1 << 32, 99_999_999, original.len() as u64];
            bytes[..8].copy_from_slice(&lengths[draw(lengths.len())].to_le_bytes());
        }
        1 if draw(2) == 0 => {
            // A number of the header or schema; the header's length is kept right.
            let digits: Vec<usize> = (8..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
            let at = digits[draw(digits.len())];
            let end = (at..bytes.len()).find(|&i| !bytes[i].is_ascii_digit()).unwrap_or(bytes.len());
            let header_end = split_header(original).1;
            let word = NUMBERS[draw(NUMBERS.len())];
            if end <= header_end {
                let length = (header_end - 8 + word.len() - (end - at)) as u64;
                bytes[..8].copy_from_slice(&length.to_le_bytes());
            }
            bytes.splice(at..end, word.bytes());
        }
        1 => {
            for _ in 0..=draw(3) {
                let at = draw(original.len() / 4) * 4;
                bytes[at..at + 4].copy_from_slice(&WORDS[draw(WORDS.len())].to_le_bytes());
            }
        }
        _ if draw(2) == 0 => bytes.truncate(draw(original.len())),
        _ => {
            let at = draw(original.len());
            let end = (at + 1 + draw(64)).min(original.len());
            bytes.drain(at..end);
        }
    }
    bytes
}

#[test]
fn damaged_files_are_refused_or_the_very_same() {
    for (name, original) in models() {
        let model = Model::from_bytes(&original).unwrap();
        let mut refused = 0;
        for number in copies(150) {
            let read = catch_unwind(|| Model::from_bytes(&damaged(&original, number)));
            match read.unwrap_or_else(|_| panic!("{name} {number}: panicked")) {
                Ok(read) => assert!(read == model, "{name} {number}: another model"),
                Err(Error::Format(_)) => refused += 1,
                Err(error) => panic!("{name} {number}: {error:?}"),
            }
        }
        assert!(refused > 140, "{name}, {refused}: damage that changes nothing tests nothing");
    }
}

#[test]
fn damaged_files_with_a_right_checksum_are_refused_or_usable() {
    for (name, original) in models() {
        bounded(name, move || {
            // Copies that got past the checksum, and those of them that are usable. A network is nearly all text that is
            // checked to the letter: hardly a copy of one survives.
            let (mut reached, mut usable) = (0, 0);
            let strict = ["network", "prior", "networks"].contains(&name);
            for number in copies(300) {
                let mut bytes = damaged(&original, number);
                sign(&mut bytes);
                let outcome = catch_unwind(|| match Model::from_bytes(&bytes) {
                    Ok(model) => {
                        use_everything(&model);
                        (1, 1)
                    }
                    Err(Error::Format(message)) => {
                        (u32::from(!message.contains("checksum does not match")), 0)
                    }
                    Err(error) => panic!("{error:?}"),
                });
                let (past, sound) = outcome.unwrap_or_else(|_| panic!("copy {number}"));
                (reached, usable) = (reached + past, usable + sound);
            }
            assert!(reached > 100, "{name}, {reached}: the checksum was not made right");
            assert!(strict || usable > 6, "{name}, {usable}: hardly a copy was used");
        });
    }
}

/// One word of an array of the tree changed, the checksum right again.
fn with_word(original: &[u8], array: &str, index: usize, word: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    let start = place_of(original, array).start + index * word.len();
    bytes[start..start + word.len()].copy_from_slice(word);
    sign(&mut bytes);
    bytes
}

/// The header rewritten by `change`, the checksum right again.
fn with_header(original: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let (mut header, start) = split_header(original);
    change(&mut header);
    let mut text = header.to_string().into_bytes();
    while text.len() % 8 != 0 {
        text.push(b' ');
    }
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text);
    bytes.extend(&original[start..]);
    sign(&mut bytes);
    bytes
}

/// The imbcore entry of the header's metadata rewritten.
fn with_metadata(original: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    with_header(original, |header| {
        let text = &mut header["__metadata__"]["imbcore"];
        let mut inner: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
        change(&mut inner);
        *text = inner.to_string().into();
    })
}

/// The schema replaced, with every offset behind it moved.
fn with_schema(original: &[u8], schema: &[u8]) -> Vec<u8> {
    let place = place_of(original, "schema");
    let length = |n: usize| i64::try_from(n).unwrap();
    let grown = length(schema.len()) - length(place.len());
    let mut bytes = with_header(original, |header| {
        let end = header["schema"]["data_offsets"][1].as_i64().unwrap();
        header["schema"]["shape"][0] = schema.len().into();
        for info in header.as_object_mut().unwrap().values_mut().filter(|info| info["shape"].is_array()) {
            for i in 0..2 {
                let offset = info["data_offsets"][i].as_i64().unwrap();
                info["data_offsets"][i] = (offset + if offset >= end { grown } else { 0 }).into();
            }
        }
    });
    let moved = bytes.len() - original.len() + place.start;
    bytes.splice(moved..moved + place.len(), schema.iter().copied());
    sign(&mut bytes);
    bytes
}

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
            message.contains(&format!("format {format}")) && message.contains("fit the model anew"),
            "{message}"
        );
    }
}
