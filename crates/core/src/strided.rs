//! Borrowed numbers at a constant distance in memory.

use crate::error::{Error, Result};

/// Numbers at a constant distance in memory: a column of a row-major or column-major matrix.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a> {
    data: &'a [f64],
    stride: usize,
    len: usize,
}

impl<'a> Strided<'a> {
    /// Creates a view of `len` values at `data[0]`, `data[stride]`, ...
    ///
    /// # Errors
    /// [`Error::Internal`] if `data` is too short.
    pub fn new(data: &'a [f64], stride: usize, len: usize) -> Result<Self> {
        if len > 0 && (stride == 0 || data.len() <= (len - 1) * stride) {
            return Err(Error::Internal("a strided column is longer than its memory".into()));
        }
        Ok(Self { data, stride, len })
    }

    /// Creates a view of a contiguous slice.
    pub fn from_slice(values: &'a [f64]) -> Self {
        Self { data: values, stride: 1, len: values.len() }
    }

    /// Creates a view of `len` missing values.
    pub fn all_missing(len: usize) -> Self {
        Self { data: &[f64::NAN], stride: 0, len }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Value of row `row`.
    #[inline]
    pub fn get(&self, row: usize) -> f64 {
        self.data[row * self.stride]
    }

    /// Memory from row `row` on, and the distance between consecutive rows.
    #[inline]
    pub fn slice_from_row(&self, row: usize) -> (&'a [f64], usize) {
        (&self.data[row * self.stride..], self.stride)
    }

    /// The values as one slice, if they are contiguous.
    pub fn as_slice(&self) -> Option<&'a [f64]> {
        (self.stride == 1).then(|| &self.data[..self.len])
    }

    /// All values in row order.
    pub fn iter(&self) -> impl Iterator<Item = f64> + 'a {
        let (data, stride) = (self.data, self.stride);
        (0..self.len).map(move |row| data[row * stride])
    }

    pub(crate) fn slice_range(&self, range: std::ops::Range<usize>) -> Self {
        let data = self.data.get(range.start * self.stride..).unwrap_or_default();
        Self { data, stride: self.stride, len: range.len() }
    }
}
