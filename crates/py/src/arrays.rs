//! `NumPy` arrays as frames, borrowed wherever they lie contiguous.

use imbcore_base::{Column, Error, Frame, Result};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::borrow::Cow;

/// A table as Python hands it over: one matrix, or a list of columns.
pub(crate) enum FrameArg<'py> {
    /// A 2-D float64 array, C or Fortran contiguous.
    Matrix(PyReadonlyArray2<'py, f64>),
    /// One entry a column.
    Columns(Vec<ColumnArg<'py>>),
}

/// One column: numbers, or level codes with the number of levels.
pub(crate) enum ColumnArg<'py> {
    Numeric(PyReadonlyArray1<'py, f64>),
    Nominal(PyReadonlyArray1<'py, u32>, u32),
}

impl<'a, 'py> FromPyObject<'a, 'py> for FrameArg<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(matrix) = object.extract() {
            return Ok(Self::Matrix(matrix));
        }
        Ok(Self::Columns(object.extract()?))
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for ColumnArg<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok((codes, levels)) = object.extract() {
            return Ok(Self::Nominal(codes, levels));
        }
        Ok(Self::Numeric(object.extract()?))
    }
}

impl FrameArg<'_> {
    /// The table, borrowed.
    pub(crate) fn frame(&self) -> Result<Frame<'_>> {
        match self {
            Self::Matrix(matrix) => {
                let (n_rows, n_columns) = (matrix.shape()[0], matrix.shape()[1]);
                let data = matrix.as_slice().map_err(|_| strided())?;
                // A matrix of one row or column is both; either reading is right.
                if matrix.is_c_contiguous() {
                    Frame::from_rows(data, n_rows, n_columns)
                } else {
                    Frame::from_columns(data, n_rows, n_columns)
                }
            }
            Self::Columns(columns) => {
                let columns = columns
                    .iter()
                    .map(|column| match column {
                        ColumnArg::Numeric(values) => {
                            Ok(Column::numeric(values.as_slice().map_err(|_| strided())?))
                        }
                        ColumnArg::Nominal(codes, levels) => {
                            let codes = codes.as_slice().map_err(|_| strided())?;
                            Ok(Column::Nominal { codes, levels: *levels })
                        }
                    })
                    .collect::<Result<Vec<_>>>()?;
                Frame::new(columns)
            }
        }
    }
}

fn strided() -> Error {
    Error::Internal("an array crossed the border that is not contiguous".into())
}

/// The values of an array, borrowed where they lie side by side.
pub(crate) fn slice<'a, T: Element + Copy>(array: &'a PyReadonlyArray1<'_, T>) -> Cow<'a, [T]> {
    match array.as_slice() {
        Ok(values) => Cow::Borrowed(values),
        Err(_) => Cow::Owned(array.as_array().iter().copied().collect()),
    }
}
