//! Memory allocator of the native module, which frees reserves after a failure and retries.
//!
//! It calls the allocator of the system. If this fails, it releases the memory reserves of all runs
//! ([`imbcore_core::reserve`]) and tries again. If no run has a reserve, it releases the reserve of the
//! process instead. It tries again at most twice. Runs whose reserve was released end with an error. An
//! allocator must neither panic nor allocate memory itself.

// `GlobalAlloc` is an unsafe trait, so this module has the only unsafe code of the workspace. All calls are
// passed unchanged to the allocator of the system.
#![allow(unsafe_code)]

use imbcore_core::reserve::release;
use std::alloc::{GlobalAlloc, Layout, System};

struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: `System` allocates every block, with the layout that the caller requests. A failed call of `System`
// has no effect, so it can be repeated. Releasing memory reserves neither panics nor allocates.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller satisfies the conditions of `GlobalAlloc::alloc`, which are the conditions of
        // `System`.
        let allocate = || unsafe { System.alloc(layout) };
        retry_if_null(allocate(), layout.size(), allocate)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for `alloc`.
        let allocate = || unsafe { System.alloc_zeroed(layout) };
        retry_if_null(allocate(), layout.size(), allocate)
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller satisfies the conditions of `GlobalAlloc::realloc`, which are the conditions of
        // `System`. A failed call does not change the old block, so it can be repeated.
        let allocate = || unsafe { System.realloc(block, layout, size) };
        retry_if_null(allocate(), size, allocate)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller satisfies the conditions of `GlobalAlloc::dealloc`, and `System` has allocated
        // the block.
        unsafe { System.dealloc(block, layout) }
    }
}

#[inline]
fn retry_if_null(block: *mut u8, size: usize, allocate: impl Fn() -> *mut u8) -> *mut u8 {
    if block.is_null() { retry_allocation(size, allocate) } else { block }
}

#[cold]
fn retry_allocation(size: usize, allocate: impl Fn() -> *mut u8) -> *mut u8 {
    for _ in 0..2 {
        if !release(size) {
            break;
        }
        let block = allocate();
        if !block.is_null() {
            return block;
        }
    }
    std::ptr::null_mut()
}
