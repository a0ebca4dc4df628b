//! Allocations that may fail.
//!
//! If a table does not fit into memory, the call returns an error with the requested size and does not end
//! the process.
//!
//! These allocations are used for data whose size grows with the number of rows or with a number given by the
//! user.

use crate::error::{Error, Result};
use crate::fallible::allow_allocation_failure;
use crate::limits::{all_memory_limits, tightest_memory_limit};

/// Smallest allocation for which the limits of process and container are checked.
///
/// The check takes 0.1 ms. It is needed because a container ends a process that exceeds its limit, even
/// though every allocation succeeds.
const LARGE: usize = 16 << 20;

/// Returns an empty list with capacity for `n` values.
/// `what` names the values in errors ("predictions").
///
/// # Errors
/// [`Error::Memory`]; [`Error::Limit`].
pub fn try_with_capacity<T>(n: usize, what: &'static str) -> Result<Vec<T>> {
    let list = reserve_addresses(n, what)?;
    check_memory_limits(n.saturating_mul(size_of::<T>()), what)?;
    Ok(list)
}

/// Like [`try_with_capacity`], but without a limit check, for memory that is not written to.
pub(crate) fn reserve_addresses<T>(n: usize, what: &'static str) -> Result<Vec<T>> {
    let mut list = Vec::new();
    allow_allocation_failure(|| list.try_reserve_exact(n)).map_err(|_| memory_error::<T>(n, what))?;
    Ok(list)
}

fn check_memory_limits(bytes: usize, what: &'static str) -> Result<()> {
    match if bytes < LARGE { None } else { tightest_memory_limit() } {
        // The memory is already allocated at this point, so limits on address space need no check.
        Some(limit) if limit.available < bytes && !limit.of_addresses => {
            Err(Error::Limit { bytes, what, available: limit.available, limit: limit.name })
        }
        _ => Ok(()),
    }
}

/// Reserves exactly `more` values at the end of a list.
///
/// # Errors
/// [`Error::Memory`].
pub fn reserve_exact<T>(list: &mut Vec<T>, more: usize, what: &'static str) -> Result<()> {
    if list.capacity() - list.len() < more {
        allow_allocation_failure(|| list.try_reserve_exact(more))
            .map_err(|_| memory_error::<T>(list.len() + more, what))?;
    }
    Ok(())
}

/// Reserves `more` bytes at the end of a text.
/// The capacity grows geometrically, so that appending takes amortized constant time.
fn reserve_text(text: &mut String, more: usize) -> Result<()> {
    if text.capacity() - text.len() < more {
        let bytes = more.max(2 * text.len());
        allow_allocation_failure(|| text.try_reserve(more))
            .map_err(|_| Error::Memory { bytes, what: "a text" })?;
    }
    Ok(())
}

/// Appends strings to a text.
///
/// # Errors
/// [`Error::Memory`].
pub fn append_strings(text: &mut String, parts: &[&str]) -> Result<()> {
    reserve_text(text, parts.iter().map(|part| part.len()).sum())?;
    for part in parts {
        text.push_str(part);
    }
    Ok(())
}

/// Concatenates strings.
///
/// # Errors
/// [`Error::Memory`].
pub fn concat_strings(parts: &[&str]) -> Result<String> {
    let mut text = String::new();
    append_strings(&mut text, parts)?;
    Ok(text)
}

/// Checks that the limits of the process leave this number of bytes of address space.
///
/// This check is for memory that libraries allocate, for example the stacks of threads: a library ends the
/// process if such an allocation fails. A test allocation would not detect the problem, because it may reuse
/// freed memory.
///
/// # Errors
/// [`Error::Limit`].
pub fn check_address_space(bytes: usize, what: &'static str) -> Result<()> {
    match all_memory_limits().into_iter().find(|limit| limit.of_addresses && limit.available < bytes) {
        Some(limit) => Err(Error::Limit { bytes, what, available: limit.available, limit: limit.name }),
        None => Ok(()),
    }
}

/// Returns `n` equal values.
///
/// # Errors
/// [`Error::Memory`]; [`Error::Limit`].
pub fn filled<T: Clone>(n: usize, value: T, what: &'static str) -> Result<Vec<T>> {
    let mut list = try_with_capacity(n, what)?;
    list.resize(n, value);
    Ok(list)
}

/// Checks that `n` values fit into memory.
/// Callers use it before many threads or steps each allocate a part of these values.
///
/// # Errors
/// [`Error::Memory`]; [`Error::Limit`].
pub fn check_values_fit_in_memory<T>(n: usize, what: &'static str) -> Result<()> {
    try_with_capacity::<T>(n, what).map(drop)
}

/// Reserves at least `more` values at the end of a list that grows in many steps.
///
/// # Errors
/// [`Error::Memory`].
pub fn reserve<T>(list: &mut Vec<T>, more: usize, what: &'static str) -> Result<()> {
    if list.capacity() - list.len() < more { grow(list, more, what) } else { Ok(()) }
}

/// Appends a value to a list whose final length is not known in advance.
///
/// # Errors
/// [`Error::Memory`].
#[inline]
pub fn push<T>(list: &mut Vec<T>, value: T, what: &'static str) -> Result<()> {
    if list.len() == list.capacity() {
        grow(list, 1, what)?;
    }
    list.push(value);
    Ok(())
}

/// Collects values into a list.
///
/// # Errors
/// [`Error::Memory`].
pub fn collect<T>(values: impl IntoIterator<Item = T>, what: &'static str) -> Result<Vec<T>> {
    let values = values.into_iter();
    let mut list = Vec::new();
    reserve_exact(&mut list, values.size_hint().0, what)?;
    for value in values {
        push(&mut list, value, what)?;
    }
    Ok(list)
}

/// Appends the values of a slice to a list whose final length is not known in advance.
///
/// # Errors
/// [`Error::Memory`].
pub fn extend<T: Clone>(list: &mut Vec<T>, values: &[T], what: &'static str) -> Result<()> {
    if list.capacity() - list.len() < values.len() {
        grow(list, values.len(), what)?;
    }
    list.extend_from_slice(values);
    Ok(())
}

/// Reserves space for `more` values.
/// The capacity grows geometrically, so that appending takes amortized constant time.
#[cold]
fn grow<T>(list: &mut Vec<T>, more: usize, what: &'static str) -> Result<()> {
    allow_allocation_failure(|| list.try_reserve(more))
        .map_err(|_| memory_error::<T>(more.max(2 * list.len()), what))
}

fn memory_error<T>(n: usize, what: &'static str) -> Error {
    Error::Memory { bytes: n.saturating_mul(size_of::<T>()), what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_allocations_report_their_size() {
        let refused = Err(Error::Memory { bytes: 1 << 60, what: "predictions" });
        assert_eq!(try_with_capacity::<f64>(1 << 57, "predictions"), refused);
        assert_eq!(filled(1 << 57, 0.0, "predictions"), refused);
        assert_eq!(check_values_fit_in_memory::<f64>(1 << 57, "predictions"), refused.map(drop));
        assert_eq!(
            check_values_fit_in_memory::<f64>(usize::MAX, "rows"),
            Err(Error::Memory { bytes: usize::MAX, what: "rows" })
        );
        assert_eq!(check_address_space(1, "stacks"), Ok(()));
        assert_eq!(filled(3, 7, "predictions"), Ok(vec![7; 3]));
        let mut list = Vec::new();
        (0..100).for_each(|n| push(&mut list, n, "numbers").unwrap());
        assert_eq!(list, (0..100).collect::<Vec<_>>());
        assert_eq!(collect(0..100, "numbers"), Ok(list));
        let many = (0..1_usize << 57).map(|n| n as f64);
        assert_eq!(collect(many, "predictions"), Err(Error::Memory { bytes: 1 << 60, what: "predictions" }));
    }
}
