//! Conversion of contiguous `NumPy` arrays to frames, without copies.

use imbcore_core::{BinnedFrame, BinnedFrameColumn, Column, Error, Frame, Result, Strided};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::borrow::Cow;

pub(crate) enum FrameArg<'py> {
    /// A 2-D float64 array, C or Fortran contiguous.
    Matrix(PyReadonlyArray2<'py, f64>),
    Columns(Vec<ColumnArg<'py>>),
    Coded(BinnedFrameArg<'py>),
}

/// Binned table from Python, with the codes of [`BinnedFrame`].
#[derive(FromPyObject)]
pub(crate) struct BinnedFrameArg<'py> {
    codes: PyReadonlyArray2<'py, u8>,
    columns: Vec<BinnedColumnArg<'py>>,
}

/// Meaning of the one-byte codes of a column.
///
/// For a numeric column: the smallest and the largest value of each bin. For a nominal column: the level code
/// of each row, and the number of levels.
#[derive(FromPyObject)]
pub(crate) enum BinnedColumnArg<'py> {
    Numeric(PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>),
    Nominal(PyReadonlyArray1<'py, u32>, u32),
}

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
        if let Ok(coded) = object.extract() {
            return Ok(Self::Coded(coded));
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
    pub(crate) fn frame(&self) -> Result<Frame<'_>> {
        match self {
            Self::Matrix(matrix) => {
                let (n_rows, n_columns) = (matrix.shape()[0], matrix.shape()[1]);
                let data = matrix.as_slice().map_err(|_| strided_array_error())?;
                // A matrix with a single row or column is contiguous both in C order and in Fortran order.
                // Reading it in either order gives the same table.
                if matrix.is_c_contiguous() {
                    Frame::from_row_major(data, n_rows, n_columns)
                } else {
                    Frame::from_column_major(data, n_rows, n_columns)
                }
            }
            Self::Columns(columns) => {
                let columns = columns
                    .iter()
                    .map(|column| match column {
                        ColumnArg::Numeric(values) => {
                            Ok(Column::from_numbers(values.as_slice().map_err(|_| strided_array_error())?))
                        }
                        ColumnArg::Nominal(codes, levels) => {
                            let codes = codes.as_slice().map_err(|_| strided_array_error())?;
                            Ok(Column::Nominal { codes, levels: *levels })
                        }
                    })
                    .collect::<Result<Vec<_>>>()?;
                Frame::new(columns)
            }
            Self::Coded(coded) => coded.frame_without_numbers(),
        }
    }

    /// Bin indices of the table; `None` if the table contains numbers.
    pub(crate) fn bins(&self) -> Result<Option<BinnedFrame<'_>>> {
        match self {
            Self::Coded(coded) => coded.binned_frame().map(Some),
            Self::Matrix(_) | Self::Columns(_) => Ok(None),
        }
    }
}

impl BinnedFrameArg<'_> {
    fn n_rows(&self) -> usize {
        self.codes.shape()[0]
    }

    /// Creates a frame in which every numeric column is NaN, because only its bins are given.
    fn frame_without_numbers(&self) -> Result<Frame<'_>> {
        let n_rows = self.n_rows();
        Frame::new(
            self.columns.iter().map(|column| column.column_without_numbers(n_rows)).collect::<Result<_>>()?,
        )
    }

    fn binned_frame(&self) -> Result<BinnedFrame<'_>> {
        let codes = self.codes.as_slice().map_err(|_| strided_array_error())?;
        let columns = self.columns.iter().map(BinnedColumnArg::binned_column).collect::<Result<_>>()?;
        BinnedFrame::new(codes, self.n_rows(), columns)
    }
}

impl BinnedColumnArg<'_> {
    fn column_without_numbers(&self, n_rows: usize) -> Result<Column<'_>> {
        match self {
            Self::Numeric(..) => Ok(Column::Numeric(Strided::all_missing(n_rows))),
            Self::Nominal(codes, levels) => {
                let codes = codes.as_slice().map_err(|_| strided_array_error())?;
                Ok(Column::Nominal { codes, levels: *levels })
            }
        }
    }

    fn binned_column(&self) -> Result<BinnedFrameColumn<'_>> {
        match self {
            Self::Numeric(low, high) => Ok(BinnedFrameColumn::Numeric {
                low: low.as_slice().map_err(|_| strided_array_error())?,
                high: high.as_slice().map_err(|_| strided_array_error())?,
            }),
            Self::Nominal(_, levels) => Ok(BinnedFrameColumn::Nominal { levels: *levels }),
        }
    }
}

fn strided_array_error() -> Error {
    Error::Internal("a non-contiguous array was passed to the native module".into())
}

/// Borrows the values of an array; they are copied if they are not contiguous.
pub(crate) fn contiguous_values<'a, T: Element + Copy>(array: &'a PyReadonlyArray1<'_, T>) -> Cow<'a, [T]> {
    match array.as_slice() {
        Ok(values) => Cow::Borrowed(values),
        Err(_) => Cow::Owned(array.as_array().iter().copied().collect()),
    }
}
