//! Shared by the test files: reading golden files.
//!
//! `toy` makes random tables.
//!
//! In a golden file `null` is a missing number, and "inf", "-inf" and "nan" are what JSON cannot write.

pub mod toy;

use serde_json::Value;
use std::path::Path;

/// The golden file `tests/golden/<name>.json`; `name` may hold a folder: "metrics/curves".
///
/// # Panics
/// When the file is missing or is no JSON: a test can only fail then.
#[allow(clippy::panic)]
pub fn golden(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The seed of random cases: the same in every `make test`, another in every round of `make fuzz`.
///
/// # Panics
/// When the tests run without cargo, which sets it.
pub fn seed() -> u64 {
    std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok()).expect("PROPTEST_RNG_SEED")
}

/// How many of so many random cases are drawn: an eighth in every `make test`, which draws the same ones each time, and all in
/// `make fuzz`, which says so by `IMBCORE_FUZZ`.
pub fn cases(all: u32) -> u32 {
    if std::env::var_os("IMBCORE_FUZZ").is_some() { all } else { all.div_ceil(8) }
}

/// The items of a list.
///
/// # Panics
/// When `value` is no list.
#[allow(clippy::panic)]
pub fn items(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("expected a list, found {value}"))
}

/// A number; `null` and "nan" are NaN.
///
/// # Panics
/// When `value` is neither a number nor one of the words.
#[allow(clippy::panic)]
pub fn number(value: &Value) -> f64 {
    match (value, value.as_str()) {
        (Value::Null, _) | (_, Some("nan")) => f64::NAN,
        (_, Some("inf")) => f64::INFINITY,
        (_, Some("-inf")) => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap_or_else(|| panic!("expected a number, found {value}")),
    }
}

/// A list of numbers.
pub fn numbers(value: &Value) -> Vec<f64> {
    items(value).iter().map(number).collect()
}

/// A matrix written as a list of rows, row-major.
pub fn matrix(value: &Value) -> Vec<f64> {
    items(value).iter().flat_map(numbers).collect()
}

/// A list of class or level codes.
///
/// # Panics
/// When an item is no whole number of at least 0.
#[allow(clippy::panic)]
pub fn codes(value: &Value) -> Vec<u32> {
    let code = |item: &Value| item.as_u64().and_then(|code| u32::try_from(code).ok());
    items(value).iter().map(|i| code(i).unwrap_or_else(|| panic!("expected a code, found {i}"))).collect()
}

/// Whether two numbers agree: both NaN, the same infinity, or within `tolerance` of each other.
pub fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    found == expected || (found.is_nan() && expected.is_nan()) || (found - expected).abs() <= tolerance
}
