//! Contiguous copies of columns.
//! Columns are copied together, so that each cache line of a row-major matrix is read once.

use crate::error::Result;
use crate::memory::filled;
use crate::parallel;
use crate::run_context::RunContext;
use crate::strided::Strided;
use std::borrow::Cow;

pub(crate) const COPY: &str = "a copy of a column";

/// Number of rows that are copied from all columns in turn.
///
/// Cache lines of a row-major matrix are thus reused.
pub(crate) const ROWS: usize = 256;

/// Number of rows that one parallel task copies.
const PART: usize = 1 << 14;

/// Returns the values of columns of equal length, each in contiguous memory.
///
/// Values that are already contiguous are borrowed, other values are copied. A column that is `None` gets an
/// empty list.
///
/// # Errors
/// [`crate::Error::Cancelled`]; [`crate::Error::Memory`].
pub fn contiguous_columns<'a>(
    columns: &[Option<Strided<'a>>],
    ctl: RunContext<'_>,
) -> Result<Vec<Cow<'a, [f64]>>> {
    let mut numbers = columns.iter().map(|column| borrow_or_allocate(*column)).collect::<Result<Vec<_>>>()?;
    let n_rows = columns.iter().flatten().next().map_or(0, Strided::len);
    let mut parts: Vec<Vec<(Strided<'a>, &mut [f64])>> = Vec::new();
    parts.resize_with(n_rows.div_ceil(PART), Vec::new);
    for (column, numbers) in columns.iter().zip(&mut numbers) {
        let (Some(values), Cow::Owned(copy)) = (column, numbers) else { continue };
        for ((at, part), copy) in parts.iter_mut().enumerate().zip(copy.chunks_mut(PART)) {
            part.push((values.slice_range(at * PART..at * PART + copy.len()), copy));
        }
    }
    parallel::try_map(parts, |mut part| {
        ctl.check()?;
        for start in (0..PART).step_by(ROWS) {
            for (values, copy) in &mut part {
                let end = (start + ROWS).min(copy.len());
                for (row, slot) in (start..end).zip(copy.get_mut(start..end).unwrap_or_default()) {
                    *slot = values.get(row);
                }
            }
        }
        Ok(())
    })?;
    Ok(numbers)
}

fn borrow_or_allocate(column: Option<Strided<'_>>) -> Result<Cow<'_, [f64]>> {
    let Some(values) = column else { return Ok(Cow::Borrowed(&[])) };
    match values.as_slice() {
        Some(numbers) => Ok(Cow::Borrowed(numbers)),
        None => Ok(Cow::Owned(filled(values.len(), 0.0, COPY)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_hold_the_values_of_their_columns() {
        let n_rows = 2 * PART + ROWS + 3;
        let matrix: Vec<f64> = (0..3 * n_rows).map(|at| at as f64).collect();
        let spread = |column: usize| Strided::new(&matrix[column..], 3, n_rows).ok();
        let columns = [None, spread(0), spread(1), spread(2), Some(Strided::from_slice(&matrix[..n_rows]))];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let copied = || contiguous_columns(&columns, RunContext::silent()).unwrap();
        for numbers in [copied(), pool.install(copied)] {
            for (at, numbers) in numbers[1..4].iter().enumerate() {
                assert!(numbers.iter().copied().eq(matrix.iter().copied().skip(at).step_by(3)));
            }
            assert!(matches!(numbers[4], Cow::Borrowed(_)) && numbers[0].is_empty());
        }
    }
}
