//! Shared code of the tests: reads golden files.
//!
//! `toy` generates random tables.
//!
//! In a golden file `null` is a missing number; "inf", "-inf" and "nan" stand for numbers that JSON cannot represent.

pub mod toy;

use serde_json::Value;
use std::path::Path;

/// Reads the golden file `tests/golden/<name>.json`; `name` may contain a folder: "metrics/curves".
///
/// # Panics
/// If the file is missing or not JSON.
#[allow(clippy::panic)]
pub fn golden(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns the seed of random cases: fixed in `make test`, another in every round of `make fuzz`.
///
/// # Panics
/// If the tests run without cargo, which sets it.
pub fn seed() -> u64 {
    std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok()).expect("PROPTEST_RNG_SEED")
}

/// Returns the number of random cases: an eighth of `all`, or all in `make fuzz`, which sets `IMBCORE_FUZZ`.
pub fn cases(all: u32) -> u32 {
    if std::env::var_os("IMBCORE_FUZZ").is_some() { all } else { all.div_ceil(8) }
}

/// The items of a list.
///
/// # Panics
/// If `value` is not a list.
#[allow(clippy::panic)]
pub fn items(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("expected a list, found {value}"))
}

/// A number; `null` and "nan" are NaN.
///
/// # Panics
/// If `value` is neither a number nor one of these strings.
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

/// A matrix given as a list of rows, row-major.
pub fn matrix(value: &Value) -> Vec<f64> {
    items(value).iter().flat_map(numbers).collect()
}

/// A list of class or level codes.
///
/// # Panics
/// If an item is not an integer of at least 0.
#[allow(clippy::panic)]
pub fn codes(value: &Value) -> Vec<u32> {
    let code = |item: &Value| item.as_u64().and_then(|code| u32::try_from(code).ok());
    items(value).iter().map(|i| code(i).unwrap_or_else(|| panic!("expected a code, found {i}"))).collect()
}

/// Whether two numbers agree: both NaN, the same infinity, or within `tolerance` of each other.
pub fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    found == expected || (found.is_nan() && expected.is_nan()) || (found - expected).abs() <= tolerance
}
