//! Files of Python objects that contain models, such as conformal predictors.
//!
//! Such an object is a wrapper. Its file has the layout of model files. The header has the name of the
//! wrapper instead of a method. The arrays are the parts of the wrapper: complete model files, a text that
//! describes them, and numbers as bytes. Readers of model files reject a wrapper file.

use crate::model_file::{ModelFile, model_file_bytes, parse_model_file, read_method_name};
use imbcore_core::{ArrayWriter, Result, Schema};
use serde_json::Value;

/// Prefix of the method name in the header of wrapper files.
pub(crate) const WRAPPED: &str = "decisions.";

fn part_array_name(number: usize) -> String {
    format!("part.{number}")
}

/// Serializes the parts of the wrapper `name`.
///
/// # Errors
/// [`Error::Format`] if there are more parts than a header can list.
pub fn write_wrapper(name: &str, parts: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut arrays = ArrayWriter::default();
    for (number, bytes) in parts.iter().enumerate() {
        arrays.write_u8s(&part_array_name(number), bytes);
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
    model_file_bytes(arrays, &format!("{WRAPPED}{name}"), &Value::Null, &nothing)
}

/// The name and the parts of a wrapper; None if the file is a model file.
///
/// # Errors
/// [`Error::Format`] if the file is damaged or has another format.
pub fn read_wrapper(bytes: &[u8]) -> Result<Option<(String, Vec<Vec<u8>>)>> {
    let method = read_method_name(bytes)?;
    let Some(name) = method.strip_prefix(WRAPPED) else { return Ok(None) };
    let ModelFile { arrays, .. } = parse_model_file(bytes)?;
    let numbers = (0..).take_while(|&number| arrays.has_array(&part_array_name(number)));
    let parts =
        numbers.map(|number| arrays.read_u8s(&part_array_name(number))).collect::<Result<Vec<_>>>()?;
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
        let bytes = write_wrapper("ThresholdClassifier", &parts).unwrap();
        assert_eq!(read_wrapper(&bytes).unwrap().unwrap(), ("ThresholdClassifier".to_owned(), parts));
        assert!(Model::from_bytes(&bytes).unwrap_err().to_string().contains("decisions.load"));
        let mut damaged = bytes.clone();
        if let Some(last) = damaged.last_mut() {
            *last ^= 1;
        }
        assert!(matches!(read_wrapper(&damaged), Err(Error::Format(_))));
        assert!(read_wrapper(b"nothing").is_err());
    }
}
