//! Shared by the test files: reading golden files.

use serde_json::Value;
use std::path::Path;

/// The golden file `tests/golden/<name>`.
///
/// # Panics
/// When it cannot be read; a test must then fail.
#[allow(clippy::panic)]
pub fn golden(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name);
    let read = || -> Result<Value, Box<dyn std::error::Error>> {
        Ok(serde_json::from_str(&std::fs::read_to_string(&path)?)?)
    };
    read().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A number as golden files write it: `null` and "nan" are NaN, "inf" and "-inf" infinities.
pub fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap_or(f64::NAN),
    }
}

/// A list of numbers.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().map(number).collect()
}
