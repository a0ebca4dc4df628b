//! Allocations whose failure the caller handles: the allocator leaves the reserves of runs alone for them.

use std::cell::Cell;

thread_local! {
    /// Whether this thread handles a failed allocation itself.
    static FALLIBLE: Cell<bool> = const { Cell::new(false) };
}

/// Runs an allocation whose failure the caller handles.
pub(crate) fn fallible<T>(allocate: impl FnOnce() -> T) -> T {
    let outer = FALLIBLE.replace(true);
    let result = allocate();
    FALLIBLE.set(outer);
    result
}

/// Whether this thread is in such an allocation.
pub(crate) fn is_fallible() -> bool {
    FALLIBLE.get()
}
