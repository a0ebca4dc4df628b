//! The model file: safetensors layout (length, JSON header, flat little-endian arrays), no code inside.
//!
//! The header's metadata hold one entry, `imbcore`, a JSON object with format number, kind, method and
//! parameters; the array `schema` holds the names as JSON text; the array `crc32` the checksum of all other bytes.

use imbcore_base::{Error, Result, Schema};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Before the names of arrays that hold the parts of many models, and of the arrays that hold the ends of the parts.
const MEMBER: &str = "member.";
const ENDS: &str = "ends.";

/// Number of the layout; a reader knows its own and older ones.
const FORMAT: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    version: String,
    kind: String,
    method: String,
    params: Value,
}

/// The part of the header that every format has.
#[derive(Deserialize)]
struct Written {
    format: u32,
    version: String,
}

/// Collects the arrays of a model.
pub(crate) struct Writer {
    arrays: Vec<(String, Dtype, usize, Vec<u8>)>,
}

impl Writer {
    pub(crate) fn new() -> Self {
        Self { arrays: Vec::new() }
    }

    pub(crate) fn u8s(&mut self, name: &str, values: &[u8]) {
        self.arrays.push((name.to_owned(), Dtype::U8, values.len(), values.to_vec()));
    }

    pub(crate) fn u32s(&mut self, name: &str, values: &[u32]) {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.arrays.push((name.to_owned(), Dtype::U32, values.len(), bytes));
    }

    pub(crate) fn f64s(&mut self, name: &str, values: &[f64]) {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.arrays.push((name.to_owned(), Dtype::F64, values.len(), bytes));
    }

    /// Takes in the arrays of many models of one kind: each array laid end to end, and where every model's part ends.
    /// A model without an array has a part of length 0 in it. So the header does not grow with the number of models.
    pub(crate) fn join(&mut self, models: &[Writer]) -> Result<()> {
        // A model may leave an array out that another has.
        let mut names: Vec<(&str, Dtype)> = Vec::new();
        for (name, dtype, ..) in models.iter().flat_map(|model| &model.arrays) {
            if !names.iter().any(|known| known.0 == name) {
                names.push((name, *dtype));
            }
        }
        for (name, dtype) in names {
            let (mut ends, mut length, mut bytes) = (Vec::new(), 0, Vec::new());
            for model in models {
                if let Some((_, own, n, part)) = model.arrays.iter().find(|array| array.0 == name) {
                    if *own != dtype {
                        return Err(Error::Internal("models of different kinds cannot share arrays".into()));
                    }
                    length += n;
                    bytes.extend_from_slice(part);
                }
                ends.push(u32::try_from(length).map_err(|_| {
                    Error::Unsupported(format!("array `{name}` of the members has more than 2^32 values"))
                })?);
            }
            self.u32s(&format!("{ENDS}{name}"), &ends);
            self.arrays.push((format!("{MEMBER}{name}"), dtype, length, bytes));
        }
        Ok(())
    }

    pub(crate) fn finish(
        mut self,
        kind: &str,
        method: &str,
        params: &Value,
        schema: &Schema,
    ) -> Result<Vec<u8>> {
        let internal = |error: &dyn std::fmt::Display| Error::Internal(error.to_string());
        let header = Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kind: kind.to_owned(),
            method: method.to_owned(),
            params: params.clone(),
        };
        let header = serde_json::to_string(&header).map_err(|e| internal(&e))?;
        let schema = serde_json::to_vec(schema).map_err(|e| internal(&e))?;
        self.u8s("schema", &schema);
        self.u32s("crc32", &[0]);
        let views = self
            .arrays
            .iter()
            .map(|(name, dtype, length, bytes)| Ok((name, TensorView::new(*dtype, vec![*length], bytes)?)))
            .collect::<Result<Vec<_>, safetensors::SafeTensorError>>()
            .map_err(|e| internal(&e))?;
        // The crate asks for a hash map; with a single entry its order cannot show.
        let metadata = [("imbcore".to_owned(), header)].into_iter().collect();
        let mut bytes = serialize(views, Some(metadata)).map_err(|e| Error::Format(e.to_string()))?;
        let place = crc_place(&bytes)?;
        let sum = crc(&bytes, &place);
        bytes[place].copy_from_slice(&sum.to_le_bytes());
        Ok(bytes)
    }
}

/// A header names a dozen arrays and the parameters. JSON takes twenty times its length in memory, so a long one
/// is refused before it is parsed.
fn check_header_size(bytes: &[u8]) -> Result<()> {
    const MOST: u64 = 1 << 20;
    match bytes.first_chunk::<8>() {
        Some(&length) if u64::from_le_bytes(length) <= MOST => Ok(()),
        Some(_) => Err(damaged(&"its header is longer than a megabyte")),
        None => Err(damaged(&"it is too short")),
    }
}

/// Where the checksum lies.
fn crc_place(bytes: &[u8]) -> Result<std::ops::Range<usize>> {
    let (header, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| damaged(&e))?;
    let info = metadata.info("crc32").ok_or_else(|| damaged(&"it has no checksum"))?;
    let (start, end) = info.data_offsets;
    if end - start != 4 {
        return Err(damaged(&"its checksum has a wrong size"));
    }
    Ok(8 + header + start..8 + header + end)
}

/// Checksum of everything but the checksum.
fn crc(bytes: &[u8], place: &std::ops::Range<usize>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..place.start]);
    hasher.update(&bytes[place.end..]);
    hasher.finalize()
}

/// Parameters of the method inside another one.
fn inside(params: &Value) -> Option<&Value> {
    params.get("estimator_params").filter(|inner| inner.is_object())
}

/// Parameters of the method inside all others: what its models were fitted with.
pub(crate) fn innermost(mut params: &Value) -> &Value {
    while let Some(inner) = inside(params) {
        params = inner;
    }
    params
}

/// Parameters of format 1 as they are now: the positive class is no parameter of box drawings any more.
fn update(mut params: &mut Value) {
    while let Some(own) = params.as_object_mut() {
        own.remove("positive");
        let Some(inner) = own.get_mut("estimator_params") else { break };
        params = inner;
    }
}

fn damaged(what: &dyn std::fmt::Display) -> Error {
    Error::Format(format!("this is not a complete imbcore model file: {what}"))
}

/// An array as it lies in the file.
#[derive(Clone, Copy)]
struct Array<'b> {
    dtype: Dtype,
    bytes: &'b [u8],
}

/// Reads the arrays of a model whose layout and checksum are right.
pub(crate) struct Reader<'b> {
    header: Arc<Header>,
    arrays: BTreeMap<String, Array<'b>>,
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Result<Self> {
        check_header_size(bytes)?;
        let place = crc_place(bytes)?;
        if bytes[place.clone()] != crc(bytes, &place).to_le_bytes() {
            return Err(damaged(&"its checksum does not match its content"));
        }
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| damaged(&e))?;
        let text = metadata.metadata().as_ref().and_then(|entries| entries.get("imbcore"));
        let text = text.ok_or_else(|| damaged(&"it has no imbcore header"))?;
        // Another format may have another header, so its number is read on its own.
        let Written { format, version } = serde_json::from_str(text).map_err(|e| damaged(&e))?;
        if !(1..=FORMAT).contains(&format) {
            return Err(Error::Format(format!(
                "the model file has format {}, this version of imbcore ({}) reads formats up to {FORMAT}; it was written by version {}",
                format,
                env!("CARGO_PKG_VERSION"),
                version
            )));
        }
        let mut header: Header = serde_json::from_str(text).map_err(|e| damaged(&e))?;
        if format == 1 {
            update(&mut header.params);
        }
        let arrays = SafeTensors::deserialize(bytes).map_err(|e| damaged(&e))?;
        let flat = |(name, array): (String, TensorView<'b>)| {
            if array.shape().len() != 1 {
                return Err(damaged(&format!("array `{name}` has a wrong shape")));
            }
            Ok((name, Array { dtype: array.dtype(), bytes: array.data() }))
        };
        let arrays = arrays.tensors().into_iter().map(flat).collect::<Result<_>>()?;
        Ok(Self { header: Arc::new(header), arrays })
    }

    /// Number of the layout.
    pub(crate) fn format(&self) -> u32 {
        self.header.format
    }

    pub(crate) fn kind(&self) -> &str {
        &self.header.kind
    }

    /// Method of the model.
    pub(crate) fn own_method(&self) -> &str {
        &self.header.method
    }

    /// Method that learnt what the arrays hold: the innermost one.
    pub(crate) fn method(&self) -> &str {
        let (mut method, mut params) = (&*self.header.method, &self.header.params);
        while let (Some(name), Some(inner)) = (params["estimator"].as_str(), inside(params)) {
            (method, params) = (name, inner);
        }
        method
    }

    /// Parameters of that method.
    pub(crate) fn learner_params(&self) -> &Value {
        innermost(&self.header.params)
    }

    pub(crate) fn params(&self) -> &Value {
        &self.header.params
    }

    pub(crate) fn schema(&self) -> Result<Schema> {
        let text = String::from_utf8(self.u8s("schema")?).map_err(|e| damaged(&e))?;
        Schema::from_json(&text)
    }

    /// The arrays of one model of those that [`Writer::join`] took in.
    pub(crate) fn member(&self, index: usize) -> Result<Self> {
        let mut arrays = BTreeMap::new();
        for (name, array) in self.arrays.range(MEMBER.to_owned()..) {
            let Some(own) = name.strip_prefix(MEMBER) else { break };
            let wrong = || damaged(&format!("the parts of array `{own}` do not fit it"));
            let ends = self.bytes(&format!("{ENDS}{own}"), Dtype::U32)?;
            let (ends, _) = ends.as_chunks::<4>();
            let end = |at: usize| ends.get(at).map(|&end| u32::from_le_bytes(end) as usize).ok_or_else(wrong);
            let start = if index == 0 { 0 } else { end(index - 1)? };
            let width = match array.dtype {
                Dtype::U8 => 1,
                Dtype::U32 => 4,
                Dtype::F64 => 8,
                _ => return Err(wrong()),
            };
            let bytes = array.bytes.get(start * width..end(index)? * width).ok_or_else(wrong)?;
            arrays.insert(own.to_owned(), Array { dtype: array.dtype, bytes });
        }
        Ok(Self { header: Arc::clone(&self.header), arrays })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.arrays.contains_key(name)
    }

    fn bytes(&self, name: &str, dtype: Dtype) -> Result<&'b [u8]> {
        let array = self.arrays.get(name).ok_or_else(|| damaged(&format!("it has no array `{name}`")))?;
        if array.dtype != dtype {
            return Err(damaged(&format!("array `{name}` has a wrong type")));
        }
        Ok(array.bytes)
    }

    pub(crate) fn u8s(&self, name: &str) -> Result<Vec<u8>> {
        Ok(self.bytes(name, Dtype::U8)?.to_vec())
    }

    pub(crate) fn u32s(&self, name: &str) -> Result<Vec<u32>> {
        let (words, _) = self.bytes(name, Dtype::U32)?.as_chunks::<4>();
        Ok(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
    }

    /// An array that files may leave out; empty then.
    pub(crate) fn u32s_or_none(&self, name: &str) -> Result<Vec<u32>> {
        if self.has(name) { self.u32s(name) } else { Ok(Vec::new()) }
    }

    pub(crate) fn f64s(&self, name: &str) -> Result<Vec<f64>> {
        let (words, _) = self.bytes(name, Dtype::F64)?.as_chunks::<8>();
        Ok(words.iter().map(|&word| f64::from_le_bytes(word)).collect())
    }
}
