//! Accidentally damaged model files are rejected or harmless.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::bytes::{split_header, update_checksum};
use crate::shapes::{Data, models};
use imbcore_core::{Dataset, Error, RunContext, SeedKey, random_below};
use imbcore_methods::Model;
use imbcore_rules::exact::VerificationOptions;
use imbcore_tests::seed;
use imbcore_trees::TextStyle;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

/// Calls every prediction and description of a model; only panics and hangs are failures.
fn use_everything(model: &Model) {
    let data = Data::new(2);
    let ctl = RunContext::silent();
    for nominal in [false, true] {
        let frame = data.frame(nominal);
        let _ = (model.proba(&frame, ctl), model.predict(&frame, ctl));
        if model.check_frame(&frame).is_ok()
            && let Some(tree) = model.fitted_estimator().tree()
        {
            tree.apply(&frame, ctl).unwrap();
            tree.decision_path(&frame, ctl).unwrap();
        }
    }
    if let Some(forest) = model.fitted_estimator().forest() {
        for tree in 0..forest.n_trees() {
            describe(&model.member(tree).unwrap());
        }
        assert!(model.member(forest.n_trees()).is_err());
        let _ = (forest.depth(), forest.n_leaves(), forest.memory_size_bytes());
    } else if model.fitted_estimator().tree().is_some() {
        describe(model);
    } else if let Some(boxes) = model.fitted_estimator().boxes() {
        let rules = boxes.drawing_rules(model.schema(), true);
        if boxes.proof_json(model.schema()).is_ok() {
            let frame = data.frame(false);
            let known = Dataset::new(frame, &data.classes, 2, None).unwrap();
            let _ = boxes.verify(
                &known,
                None,
                (None, model.schema()),
                VerificationOptions { seconds: 0.1, whole: true },
                ctl,
            );
        }
        let _ = (rules.to_text(3), rules.json(), rules.to_sql(imbcore_export::Dialect::Sqlite));
    } else if let Some(bayes) = model.fitted_estimator().bayes() {
        let _ = bayes.diagnose_zero_recall(model.schema(), ctl);
        for nominal in [false, true] {
            let frame = data.frame(nominal);
            if model.check_frame(&frame).is_ok() {
                let _ = (bayes.row_log_probabilities(&frame, ctl), bayes.calibrated_proba(&frame, ctl));
            }
        }
    }
    assert!(Model::from_bytes(&model.to_bytes().unwrap()).is_ok());
}

/// Writes a single tree in every export format.
fn describe(model: &Model) {
    let (tree, schema) = (model.fitted_estimator().tree().unwrap(), model.schema());
    let style =
        TextStyle { max_depth: None, decimals: 3, show_weights: true, positive: 0, show_missing: true };
    let _ = (
        tree.to_text(schema, style),
        tree.to_dot(schema, style),
        tree.leaf_rules_json(schema, 0, true),
        tree.nodes_json(schema, 3),
    );
    let _ = model.feature_importances();
    for class in 0..schema.classes.len() {
        let _ = tree.region_rules_json(schema, class, true);
    }
    if let Some(svr) = model.fitted_estimator().svr_tree() {
        let _ = svr.growth_json(schema);
        assert!(svr.tree().node_proba(0).iter().all(|p| p.is_finite()));
    }
}

/// Runs `task` in a separate thread; a hang or a panic fails the test with `what`.
fn run_with_timeout(what: &str, task: impl FnOnce() + Send + 'static) {
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

/// Numbers of the damaged copies.
/// They depend on the seed of the property tests, so `make fuzz` uses new ones.
fn copies(n: u32) -> std::ops::Range<u32> {
    let start = (seed() as u32 % 1_000_000) * 1000;
    start..start + n
}

/// Damaged copy `number`: bytes changed, strings and numbers replaced by extremes, or parts removed.
fn damaged(original: &[u8], number: u32) -> Vec<u8> {
    const WORDS: [u32; 5] = [0, 1, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000];
    const NUMBERS: [&str; 6] = ["0", "1", "-1", "4294967295", "18446744073709551615", "1e308"];
    let mut rng = SeedKey::root(number.into()).rng();
    let mut draw = |bound: usize| random_below(&mut rng, bound as u32) as usize;
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
            // A number in the header or schema; the header's length stays correct.
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
fn damaged_files_are_rejected_or_equal_the_original() {
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
fn damaged_files_with_a_valid_checksum_are_rejected_or_usable() {
    for (name, original) in models() {
        run_with_timeout(name, move || {
            // Copies that pass the checksum, and those that are usable. A network is mostly text that is
            // validated strictly, so hardly any copy is usable.
            let (mut reached, mut usable) = (0, 0);
            let strict = ["network", "prior", "networks"].contains(&name);
            for number in copies(300) {
                let mut bytes = damaged(&original, number);
                update_checksum(&mut bytes);
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
            assert!(reached > 100, "{name}, {reached}: the checksum was not updated");
            // Some models have only six usable copies on average, so the test requires only one.
            assert!(strict || usable > 0, "{name}: no copy was used");
        });
    }
}
