//! Memory that may not be there: a table larger than it is an error with the size asked for, not the end of the process.
//!
//! For what grows with the rows of a table or with a number that the user gives; all else is small beside it.

use crate::error::{Error, Result};

/// An empty list with room for `n` values of `what` ("answers").
///
/// # Errors
/// [`Error::Memory`].
pub fn reserved<T>(n: usize, what: &'static str) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(n).map_err(|_| refused::<T>(n, what))?;
    Ok(list)
}

/// `n` equal values.
///
/// # Errors
/// [`Error::Memory`].
pub fn filled<T: Clone>(n: usize, value: T, what: &'static str) -> Result<Vec<T>> {
    let mut list = reserved(n, what)?;
    list.resize(n, value);
    Ok(list)
}

/// Looks whether there is room for `n` values in all, before many threads or steps ask for parts of it.
///
/// # Errors
/// [`Error::Memory`].
pub fn room_for<T>(n: usize, what: &'static str) -> Result<()> {
    reserved::<T>(n, what).map(drop)
}

/// Appends a value to a list of unknown length.
///
/// # Errors
/// [`Error::Memory`].
#[inline]
pub fn push<T>(list: &mut Vec<T>, value: T, what: &'static str) -> Result<()> {
    if list.len() == list.capacity() {
        list.try_reserve(1).map_err(|_| refused::<T>(2 * list.len(), what))?;
    }
    list.push(value);
    Ok(())
}

fn refused<T>(n: usize, what: &'static str) -> Error {
    Error::Memory { bytes: n.saturating_mul(size_of::<T>()), what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_refused_with_its_size() {
        let refused = Err(Error::Memory { bytes: 1 << 60, what: "answers" });
        assert_eq!(reserved::<f64>(1 << 57, "answers"), refused);
        assert_eq!(filled(1 << 57, 0.0, "answers"), refused);
        assert_eq!(room_for::<f64>(1 << 57, "answers"), refused.map(drop));
        assert_eq!(
            room_for::<f64>(usize::MAX, "rows"),
            Err(Error::Memory { bytes: usize::MAX, what: "rows" })
        );
        assert_eq!(filled(3, 7, "answers"), Ok(vec![7; 3]));
        let mut list = Vec::new();
        (0..100).for_each(|n| push(&mut list, n, "numbers").unwrap());
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
