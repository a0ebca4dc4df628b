//! Marks allocations whose failure the caller handles.
//!
//! If such an allocation fails, the allocator does not release the memory that runs hold in reserve.

use std::cell::Cell;

thread_local! {
    /// Whether this thread is running code that handles failed allocations.
    static FALLIBLE: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn allow_allocation_failure<T>(allocate: impl FnOnce() -> T) -> T {
    let outer = FALLIBLE.replace(true);
    let result = allocate();
    FALLIBLE.set(outer);
    result
}

pub(crate) fn can_allocation_fail() -> bool {
    FALLIBLE.get()
}
