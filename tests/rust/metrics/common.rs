//! Shared code of the reference tests.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use imbcore_tests::{close, golden, items, number};
use serde_json::Value;

/// Calls `replay` with every case of one list of a golden file and a function that checks numbers.
pub(crate) fn each_case(file: &str, list: &str, replay: impl Fn(&Value, &dyn Fn(&str, f64, f64))) {
    let golden = golden(&format!("metrics/{file}"));
    let tolerance = number(&golden["tolerance"]);
    let cases = items(&golden[list]);
    assert!(!cases.is_empty(), "{file} has no cases");
    for (index, case) in cases.iter().enumerate() {
        replay(case, &|what, found, expected| {
            let hint = format!("{file} {list} {index}: {what} is {found}, expected {expected}");
            assert!(close(found, expected, tolerance), "{hint}");
        });
    }
}
