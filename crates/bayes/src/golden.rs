//! Readers of golden files.

use crate::table::{DiscreteTable, MISSING};
use serde_json::Value;

pub(crate) fn golden(name: &str) -> Value {
    let path = format!("{}/../../tests/golden/bayes/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Table of a test case.
///
/// A column is a string with one base-36 digit per row; `?` stands for a missing value.
pub(crate) fn table_of(case: &Value) -> DiscreteTable {
    let code = |digit: char| digit.to_digit(36).map_or(MISSING, |code| u16::try_from(code).unwrap());
    let columns = case["columns"].as_array().unwrap();
    let columns = columns.iter().map(|column| column.as_str().unwrap().chars().map(code).collect());
    let levels = serde_json::from_value(case["arity"].clone()).unwrap();
    DiscreteTable::new(columns.collect(), levels).unwrap()
}
