//! Allocator of the native module, which tries again after a failure.
//!
//! It uses the allocator of the system. An allocator must neither unwind nor allocate. After a failure, this
//! allocator releases the memory reserves of the runs ([`imbcore_core::reserve`]) and tries again; after
//! another failure it releases the standing reserve. The runs then end with an error.

// `GlobalAlloc` is an unsafe trait: this is the only unsafe code of the workspace. All calls are passed on as they are.
#![allow(unsafe_code)]

use imbcore_core::reserve::release;
use std::alloc::{GlobalAlloc, Layout, System};

struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: every block is one of `System`, with the layout of the caller; a failed call of `System` has no effect, so it
// can be repeated. `release` neither unwinds nor allocates.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`, which is the same as the contract of
        // `System`.
        let allocate = || unsafe { System.alloc(layout) };
        or_again(allocate(), layout.size(), allocate)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for `alloc`.
        let allocate = || unsafe { System.alloc_zeroed(layout) };
        or_again(allocate(), layout.size(), allocate)
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for `alloc`; after a failure the old block is untouched.
        let allocate = || unsafe { System.realloc(block, layout, size) };
        or_again(allocate(), size, allocate)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as for `alloc`; the block is one of `System`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[inline]
fn or_again(block: *mut u8, size: usize, allocate: impl Fn() -> *mut u8) -> *mut u8 {
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
