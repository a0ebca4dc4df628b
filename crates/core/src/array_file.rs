//! Serialization of fitted models as named arrays of plain numbers.
//!
//! The caller writes the arrays to a file.

use crate::error::{Error, Result};
use crate::memory;
use crate::schema::Schema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

const ARRAYS: &str = "arrays of a model file";

/// Prefixes of the two arrays that [`ArrayWriter::append_models`] writes for each array name.
///
/// The array with prefix `MEMBER` contains the values of all models in order. The array with prefix `ENDS`
/// contains, for each model, the position at which its values end.
const MEMBER: &str = "member.";
const ENDS: &str = "ends.";

/// A fitted model that can be written to and read from named arrays.
pub trait Persist: Sized {
    /// Writes everything that predictions depend on, except names of features and classes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the number of values exceeds the index type of the arrays.
    fn write(&self, file: &mut ArrayWriter) -> Result<()>;

    /// Reads a model from untrusted arrays; `schema` contains its features and classes.
    ///
    /// # Errors
    /// [`Error::Format`] for anything that [`Self::write`] cannot have written.
    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self>;
}

/// Type of the elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ElementType {
    U8,
    U32,
    F64,
}

impl ElementType {
    /// Bytes of one element.
    pub fn width(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U32 => 4,
            Self::F64 => 8,
        }
    }
}

/// An array to be written to a file, with little-endian elements.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct WrittenArray {
    pub name: String,
    pub element: ElementType,
    pub bytes: Vec<u8>,
}

/// Collects the arrays of a model.
#[derive(Clone, Debug, Default)]
pub struct ArrayWriter {
    arrays: Vec<WrittenArray>,
    failed: Option<Error>,
}

impl ArrayWriter {
    /// The arrays, in the order in which they were written.
    pub fn arrays(&self) -> &[WrittenArray] {
        &self.arrays
    }

    /// Returns all arrays that were written.
    ///
    /// # Errors
    /// [`Error::Memory`] if the allocation of an array failed.
    pub fn written_arrays(&self) -> Result<&[WrittenArray]> {
        match &self.failed {
            Some(error) => Err(error.clone()),
            None => Ok(&self.arrays),
        }
    }

    fn push(&mut self, name: &str, element: ElementType, bytes: Vec<u8>) {
        self.arrays.push(WrittenArray { name: name.to_owned(), element, bytes });
    }

    fn push_numbers<const N: usize, T: Copy>(
        &mut self,
        name: &str,
        element: ElementType,
        (values, bytes_of): (&[T], impl Fn(T) -> [u8; N]),
    ) {
        match memory::try_with_capacity(values.len().saturating_mul(N), ARRAYS) {
            Ok(mut bytes) => {
                for &value in values {
                    bytes.extend_from_slice(&bytes_of(value));
                }
                self.push(name, element, bytes);
            }
            Err(error) => self.failed = Some(error),
        }
    }

    /// Writes bytes.
    pub fn write_u8s(&mut self, name: &str, values: &[u8]) {
        self.push_numbers(name, ElementType::U8, (values, u8::to_le_bytes));
    }

    /// Writes integers.
    pub fn write_u32s(&mut self, name: &str, values: &[u32]) {
        self.push_numbers(name, ElementType::U32, (values, u32::to_le_bytes));
    }

    /// Writes numbers.
    pub fn write_f64s(&mut self, name: &str, values: &[f64]) {
        self.push_numbers(name, ElementType::F64, (values, f64::to_le_bytes));
    }

    /// Writes a small value as JSON text.
    ///
    /// # Errors
    /// [`Error::Internal`] if the value cannot be serialized; NaN and infinite numbers become `null`.
    pub fn write_json<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let text = serde_json::to_vec(value).map_err(|error| Error::Internal(error.to_string()))?;
        self.push(name, ElementType::U8, text);
        Ok(())
    }

    /// Appends the arrays of several fitted models of the same type.
    ///
    /// Arrays of the same name are concatenated over the models, and a second array stores where the values
    /// of each model end. A model that lacks an array of this name has no values there. The number of arrays,
    /// and thus the size of the file's header, does not depend on the number of models.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for an array of 2^32 or more values.
    pub fn append_models(&mut self, models: &[ArrayWriter]) -> Result<()> {
        models.iter().try_for_each(|model| model.written_arrays().map(drop))?;
        let mut names: Vec<(&str, ElementType)> = Vec::new();
        for array in models.iter().flat_map(|model| &model.arrays) {
            if !names.iter().any(|known| known.0 == array.name) {
                names.push((&array.name, array.element));
            }
        }
        for (name, element) in names {
            let (mut ends, mut bytes) = (Vec::new(), Vec::new());
            for model in models {
                if let Some(part) = model.arrays.iter().find(|array| array.name == name) {
                    if part.element != element {
                        return Err(Error::Internal(
                            "models of different kinds cannot be joined in one array".into(),
                        ));
                    }
                    memory::extend(&mut bytes, &part.bytes, ARRAYS)?;
                }
                let end = bytes.len() / element.width();
                ends.push(u32::try_from(end).map_err(|_| {
                    Error::Unsupported(format!("array `{name}` of the members has more than 2^32 values"))
                })?);
            }
            self.write_u32s(&format!("{ENDS}{name}"), &ends);
            self.push(&format!("{MEMBER}{name}"), element, bytes);
        }
        Ok(())
    }
}

impl<'b> From<&'b ArrayWriter> for ArrayReader<'b> {
    fn from(written: &'b ArrayWriter) -> Self {
        let mut reader = Self::default();
        for array in &written.arrays {
            reader.insert(array.name.clone(), array.element, &array.bytes);
        }
        reader
    }
}

#[derive(Clone, Copy, Debug)]
struct StoredArray<'b> {
    element: ElementType,
    bytes: &'b [u8],
}

/// Access to the arrays of a file by name.
#[derive(Clone, Debug, Default)]
pub struct ArrayReader<'b> {
    arrays: BTreeMap<String, StoredArray<'b>>,
}

impl<'b> ArrayReader<'b> {
    /// Adds an array.
    pub fn insert(&mut self, name: String, element: ElementType, bytes: &'b [u8]) {
        self.arrays.insert(name, StoredArray { element, bytes });
    }

    /// Returns the arrays of one of the models that [`ArrayWriter::append_models`] appended.
    ///
    /// # Errors
    /// [`Error::Format`] if the stored end of a model does not match the length of an array.
    pub fn member_arrays(&self, index: usize) -> Result<Self> {
        let mut member = Self::default();
        for (name, array) in self.arrays.range(MEMBER.to_owned()..) {
            let Some(own) = name.strip_prefix(MEMBER) else { break };
            let wrong = || Error::damaged(format!("the parts of array `{own}` do not match its length"));
            let (ends, _) = self.array_bytes(&format!("{ENDS}{own}"), ElementType::U32)?.as_chunks::<4>();
            if ends.is_empty() && array.bytes.is_empty() {
                // The reader is for one of several ensembles in a file. Only members of other ensembles have
                // this array, so it is empty here.
                continue;
            }
            let end = |at: usize| ends.get(at).map(|&end| u32::from_le_bytes(end) as usize).ok_or_else(wrong);
            let start = if index == 0 { 0 } else { end(index - 1)? };
            let width = array.element.width();
            let bytes = array.bytes.get(start * width..end(index)? * width).ok_or_else(wrong)?;
            member.insert(own.to_owned(), array.element, bytes);
        }
        Ok(member)
    }

    /// Whether there is an array of this name.
    pub fn has_array(&self, name: &str) -> bool {
        self.arrays.contains_key(name)
    }

    fn array_bytes(&self, name: &str, element: ElementType) -> Result<&'b [u8]> {
        let array =
            self.arrays.get(name).ok_or_else(|| Error::damaged(format!("it has no array `{name}`")))?;
        if array.element != element {
            return Err(Error::damaged(format!("array `{name}` has a wrong type")));
        }
        Ok(array.bytes)
    }

    /// Reads bytes.
    ///
    /// # Errors
    /// [`Error::Format`] if no array of bytes has this name.
    pub fn read_u8s(&self, name: &str) -> Result<Vec<u8>> {
        memory::collect(self.array_bytes(name, ElementType::U8)?.iter().copied(), ARRAYS)
    }

    /// Reads integers.
    ///
    /// # Errors
    /// [`Error::Format`] if no array of integers has this name.
    pub fn read_u32s(&self, name: &str) -> Result<Vec<u32>> {
        let (words, _) = self.array_bytes(name, ElementType::U32)?.as_chunks::<4>();
        memory::collect(words.iter().map(|&word| u32::from_le_bytes(word)), ARRAYS)
    }

    /// Reads numbers.
    ///
    /// # Errors
    /// [`Error::Format`] if no array of numbers has this name.
    pub fn read_f64s(&self, name: &str) -> Result<Vec<f64>> {
        let (words, _) = self.array_bytes(name, ElementType::F64)?.as_chunks::<8>();
        memory::collect(words.iter().map(|&word| f64::from_le_bytes(word)), ARRAYS)
    }

    /// Reads an array of exactly `N` numbers.
    ///
    /// # Errors
    /// [`Error::Format`] if no array of numbers has this name, or if its length is not `N`.
    pub fn read_f64_array<const N: usize>(&self, name: &str) -> Result<[f64; N]> {
        self.read_f64s(name)?.try_into().map_err(|_| array_length_error(name, N))
    }

    /// Reads an array of exactly `N` integers.
    ///
    /// # Errors
    /// [`Error::Format`] if no array of integers has this name, or if its length is not `N`.
    pub fn read_u32_array<const N: usize>(&self, name: &str) -> Result<[u32; N]> {
        self.read_u32s(name)?.try_into().map_err(|_| array_length_error(name, N))
    }

    /// Reads a value written by [`ArrayWriter::write_json`].
    ///
    /// # Errors
    /// [`Error::Format`] if no text has this name, or if the text is not JSON of the requested type.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        serde_json::from_slice(self.array_bytes(name, ElementType::U8)?)
            .map_err(|error| Error::damaged(format!("array `{name}`: {error}")))
    }
}

fn array_length_error(name: &str, length: usize) -> Error {
    Error::damaged(format!("array `{name}` does not have {length} values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(numbers: &[u32], more: &[f64]) -> ArrayWriter {
        let mut file = ArrayWriter::default();
        file.write_u32s("numbers", numbers);
        if !more.is_empty() {
            file.write_f64s("more", more);
        }
        file
    }

    fn joined(models: &[ArrayWriter]) -> ArrayWriter {
        let mut file = ArrayWriter::default();
        file.append_models(models).unwrap();
        file
    }

    #[test]
    fn nested_members_survive_a_round_trip_with_missing_arrays() {
        let plain = || written(&[1, 2], &[]);
        let rich = || written(&[3], &[0.5, 1.5]);
        let none = || written(&[], &[]);
        let groups = [vec![plain(), none()], vec![rich(), plain()], vec![none()], vec![plain(), rich()]];
        let of_groups: Vec<ArrayWriter> = groups.iter().map(|models| joined(models)).collect();
        let file = joined(&[joined(&of_groups), joined(&of_groups[..1])]);
        let read = ArrayReader::from(&file);
        for (group, n) in [(0, groups.len()), (1, 1)] {
            let group = read.member_arrays(group).unwrap();
            for (inner, models) in groups.iter().enumerate().take(n) {
                let inner = group.member_arrays(inner).unwrap();
                for (at, model) in models.iter().enumerate() {
                    let (found, wanted) = (inner.member_arrays(at).unwrap(), ArrayReader::from(model));
                    assert_eq!(found.read_u32s("numbers").unwrap(), wanted.read_u32s("numbers").unwrap());
                    let more = |of: &ArrayReader<'_>| of.read_f64s("more").unwrap_or_default();
                    assert_eq!(more(&found), more(&wanted));
                }
                assert!(inner.member_arrays(models.len()).is_err());
            }
        }
    }
}
