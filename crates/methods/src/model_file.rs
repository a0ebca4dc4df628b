//! Layout of model files.
//!
//! A model file has the Safetensors layout: length of the header, JSON header, flat little-endian arrays. It
//! contains no executable code.
//!
//! The header's metadata has one entry, `imbcore`: a JSON object with format number, version, method and
//! parameters. The array `schema` contains the names of features, levels and classes as JSON text. The array
//! `crc32` contains the checksum of all other bytes.

use imbcore_core::{ArrayReader, ArrayWriter, ElementType, Error, Result, Schema, memory};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;

/// Number of the file format; files with another number are rejected.
const FORMAT: u32 = 3;

/// Names of the arrays that every file has.
const SCHEMA: &str = "schema";
const CHECKSUM: &str = "crc32";

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    version: String,
    method: String,
    params: Value,
}

/// Header fields that every format has, so that they can be read before the format is known.
#[derive(Deserialize)]
struct FormatVersion {
    format: u32,
    version: String,
}

pub(crate) struct ModelFile<'b> {
    pub(crate) method: String,
    pub(crate) params: Value,
    pub(crate) schema: Schema,
    pub(crate) arrays: ArrayReader<'b>,
}

pub(crate) fn model_file_bytes(
    mut arrays: ArrayWriter,
    method: &str,
    params: &Value,
    schema: &Schema,
) -> Result<Vec<u8>> {
    let internal = |error: &dyn std::fmt::Display| Error::Internal(error.to_string());
    let (method, params) = (method.to_owned(), params.clone());
    let header = Header { format: FORMAT, version: env!("CARGO_PKG_VERSION").to_owned(), method, params };
    let header = serde_json::to_string(&header).map_err(|e| internal(&e))?;
    arrays.write_json(SCHEMA, schema)?;
    arrays.write_u32s(CHECKSUM, &[0]);
    let all = arrays.written_arrays()?;
    // The file is assembled in one contiguous list of bytes, so its memory is checked first.
    memory::check_values_fit_in_memory::<u8>(
        all.iter().map(|array| array.bytes.len()).sum(),
        "a model file",
    )?;
    let views = all.iter().map(|array| {
        let dtype = match array.element {
            ElementType::U8 => Dtype::U8,
            ElementType::U32 => Dtype::U32,
            ElementType::F64 => Dtype::F64,
        };
        let length = array.bytes.len() / array.element.width();
        Ok((&array.name, TensorView::new(dtype, vec![length], &array.bytes)?))
    });
    let views = views.collect::<Result<Vec<_>, safetensors::SafeTensorError>>().map_err(|e| internal(&e))?;
    // The safetensors crate requires a hash map, whose order is random. With a single entry, equal models
    // still give equal bytes.
    let metadata = [("imbcore".to_owned(), header)].into_iter().collect();
    let mut bytes = serialize(views, Some(metadata)).map_err(|e| Error::Format(e.to_string()))?;
    let place = checksum_range(&bytes)?;
    let sum = crc(&bytes, &place);
    bytes[place].copy_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

pub(crate) fn parse_model_file(bytes: &[u8]) -> Result<ModelFile<'_>> {
    check_header_size(bytes)?;
    let place = checksum_range(bytes)?;
    if bytes[place.clone()] != crc(bytes, &place).to_le_bytes() {
        return Err(Error::damaged("its checksum does not match its content"));
    }
    let Header { method, params, .. } = parse_header(bytes)?;
    let tensors = SafeTensors::deserialize(bytes).map_err(Error::damaged)?;
    let mut arrays = ArrayReader::default();
    for (name, array) in tensors.tensors() {
        let element = match (array.dtype(), array.shape()) {
            (Dtype::U8, [_]) => ElementType::U8,
            (Dtype::U32, [_]) => ElementType::U32,
            (Dtype::F64, [_]) => ElementType::F64,
            _ => return Err(Error::damaged(format!("array `{name}` has a wrong type or shape"))),
        };
        arrays.insert(name, element, array.data());
    }
    Ok(ModelFile { method, params, schema: arrays.read_json(SCHEMA)?, arrays })
}

pub(crate) fn read_method_name(bytes: &[u8]) -> Result<String> {
    check_header_size(bytes)?;
    Ok(parse_header(bytes)?.method)
}

fn parse_header(bytes: &[u8]) -> Result<Header> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(Error::damaged)?;
    let text = metadata.metadata().as_ref().and_then(|entries| entries.get("imbcore"));
    let text = text.ok_or_else(|| Error::damaged("it has no imbcore header"))?;
    // A file of another format may have other header fields, so the format number is read first.
    let FormatVersion { format, version } = serde_json::from_str(text).map_err(Error::damaged)?;
    if format != FORMAT {
        let remedy = if format < FORMAT { "fit the model again" } else { "a later version reads it" };
        return Err(Error::Format(format!(
            "the model file has format {format}, written by imbcore {version}; this version of imbcore ({}) reads \
             format {FORMAT}: {remedy}",
            env!("CARGO_PKG_VERSION"),
        )));
    }
    serde_json::from_str(text).map_err(Error::damaged)
}

/// Rejects a header that is longer than any valid header.
///
/// A valid header lists only a few dozen arrays and the parameters. Parsing needs memory of twenty times
/// the length of the JSON text. Without the check, a file of unknown origin could exhaust the memory.
fn check_header_size(bytes: &[u8]) -> Result<()> {
    const MOST: u64 = 1 << 20;
    match bytes.first_chunk::<8>() {
        Some(&length) if u64::from_le_bytes(length) <= MOST => Ok(()),
        Some(_) => Err(Error::damaged("its header is longer than a megabyte")),
        None => Err(Error::damaged("it is too short")),
    }
}

fn checksum_range(bytes: &[u8]) -> Result<Range<usize>> {
    let (header, metadata) = SafeTensors::read_metadata(bytes).map_err(Error::damaged)?;
    let info = metadata.info(CHECKSUM).ok_or_else(|| Error::damaged("it has no checksum"))?;
    let (start, end) = info.data_offsets;
    if end - start != 4 {
        return Err(Error::damaged("its checksum has a wrong size"));
    }
    Ok(8 + header + start..8 + header + end)
}

/// CRC-32 of all bytes except those of the checksum itself, at `place`.
fn crc(bytes: &[u8], place: &Range<usize>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..place.start]);
    hasher.update(&bytes[place.end..]);
    hasher.finalize()
}
