//! Takes model files apart and reassembles them with a valid checksum.

// Helpers of tests may unwrap, as tests do.
#![allow(clippy::unwrap_used)]

use imbcore_tests::codes;
use serde_json::Value;

/// Byte range of the data of an array.
pub(crate) fn array_range(bytes: &[u8], array: &str) -> std::ops::Range<usize> {
    let (header, start) = split_header(bytes);
    let offsets = codes(&header[array]["data_offsets"]);
    start + offsets[0] as usize..start + offsets[1] as usize
}

pub(crate) fn split_header(bytes: &[u8]) -> (Value, usize) {
    let start = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[8..start]).unwrap(), start)
}

pub(crate) fn header_has(bytes: &[u8], array: &str) -> bool {
    split_header(bytes).0.get(array).is_some()
}

/// Updates the checksum, if the header still states where it is.
pub(crate) fn update_checksum(bytes: &mut [u8]) {
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

/// Overwrites one element of an array of the tree, and updates the checksum.
pub(crate) fn with_element(original: &[u8], array: &str, index: usize, word: &[u8]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    let start = array_range(original, array).start + index * word.len();
    bytes[start..start + word.len()].copy_from_slice(word);
    update_checksum(&mut bytes);
    bytes
}

/// Rewrites the header by `change`, and updates the checksum.
pub(crate) fn with_header(original: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let (mut header, start) = split_header(original);
    change(&mut header);
    let mut text = header.to_string().into_bytes();
    while text.len() % 8 != 0 {
        text.push(b' ');
    }
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text);
    bytes.extend(&original[start..]);
    update_checksum(&mut bytes);
    bytes
}

/// Rewrites the imbcore entry of the header's metadata.
pub(crate) fn with_metadata(original: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    with_header(original, |header| {
        let text = &mut header["__metadata__"]["imbcore"];
        let mut inner: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
        change(&mut inner);
        *text = inner.to_string().into();
    })
}

/// Replaces the schema and shifts all later offsets.
pub(crate) fn with_schema(original: &[u8], schema: &[u8]) -> Vec<u8> {
    let place = array_range(original, "schema");
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
    update_checksum(&mut bytes);
    bytes
}
