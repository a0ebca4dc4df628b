//! Files of models wrapped in Python, such as conformal sets, in the layout of model files.
//!
//! The header's method is the name of the wrapper. The arrays are its parts: complete model files, a text that
//! describes them, and numbers as bytes. Model readers reject such a file, because no method has that name.

use crate::file::{ModelFile, method_of, open_file, written};
use imbcore_core::{ArrayWriter, Result, Schema};
use serde_json::Value;

/// Prefix of the header's method in such files.
pub(crate) const WRAPPED: &str = "decisions.";

/// Name of the array of a part.
fn part_name(number: usize) -> String {
    format!("part.{number}")
}

/// Serializes the parts of the wrapper `name`.
///
/// # Errors
/// [`Error::Format`] for more parts than a header can list.
pub fn wrap(name: &str, parts: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut arrays = ArrayWriter::default();
    for (number, bytes) in parts.iter().enumerate() {
        arrays.u8s(&part_name(number), bytes);
    }
    let nothing = Schema {
        features: Vec::new(),
        named: false,
        named_beside: false,
        column_labels: Vec::new(),
        without_values: Vec::new(),
        classes: Vec::new(),
        class_dtype: String::new(),
    };
    written(arrays, &format!("{WRAPPED}{name}"), &Value::Null, &nothing)
}

/// The name and the parts of a wrapper file; None for the file of a model.
///
/// # Errors
/// [`Error::Format`] for a damaged or foreign file.
pub fn unwrap(bytes: &[u8]) -> Result<Option<(String, Vec<Vec<u8>>)>> {
    let method = method_of(bytes)?;
    let Some(name) = method.strip_prefix(WRAPPED) else { return Ok(None) };
    let ModelFile { arrays, .. } = open_file(bytes)?;
    let numbers = (0..).take_while(|&number| arrays.has(&part_name(number)));
    let parts = numbers.map(|number| arrays.u8s(&part_name(number))).collect::<Result<Vec<_>>>()?;
    Ok(Some((name.to_owned(), parts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use imbcore_core::Error;

    #[test]
    fn parts_come_back_and_models_are_distinguished() {
        let parts = vec![b"{}".to_vec(), Vec::new(), vec![7; 100]];
        let bytes = wrap("ThresholdClassifier", &parts).unwrap();
        assert_eq!(unwrap(&bytes).unwrap().unwrap(), ("ThresholdClassifier".to_owned(), parts));
        assert!(Model::from_bytes(&bytes).unwrap_err().to_string().contains("decisions.load"));
        let mut damaged = bytes.clone();
        if let Some(last) = damaged.last_mut() {
            *last ^= 1;
        }
        assert!(matches!(unwrap(&damaged), Err(Error::Format(_))));
        assert!(unwrap(b"nothing").is_err());
    }
}
