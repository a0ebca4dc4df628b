//! Memory that a run reserves, so that a failed allocation ends the run and not the process.
//!
//! Buffers that grow with the rows are allocated through [`crate::memory`], which returns an error if memory
//! is short. All other allocations cannot return an error: the standard library ends the process if they
//! fail. The allocator of the native module therefore calls [`release`] after a failure and retries.
//! [`release`] returns the reserves of all runs to the system. The second attempt then succeeds unless the
//! allocation is larger than the reserves. The next [`crate::RunContext::check`] of each of these runs
//! returns [`Error::Memory`].
//!
//! A call also allocates memory before its run begins and after it has ended, for arguments, results and
//! messages. For these allocations the process has a small standing reserve. After a release, the next run
//! allocates it again.

use crate::error::{Error, Result};
use crate::fallible::can_allocation_fail;
use crate::memory::reserve_addresses;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Size of the reserve of a run that reads little data.
/// It is above the largest mmap threshold of glibc (32 MiB), so that freeing the reserve does not move this
/// threshold. Nothing is written to the reserve, so it uses address space but no memory.
pub const DEFAULT_RESERVE: usize = 40 << 20;

/// Minimum size of a reserve.
/// A smaller reserve would be used up before a run can end. Single small buffers of a run have up to 1 MiB,
/// and a run may allocate several between two checks.
const MIN_RESERVE: usize = 4 << 20;

const RESERVE: &str = "the reserve of a run";

/// Size of the standing reserve: enough for the arguments of a call and its error.
const STANDING_SIZE: usize = 1 << 20;

/// The standing reserve of the process; the list is empty after the reserve was released.
static PROCESS_RESERVE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Reserved blocks of the active runs.
/// The number of blocks is fixed because the allocator reads them; runs beyond this number have no reserve.
static BLOCKS: [Mutex<ReservedBlock>; 32] =
    [const { Mutex::new(ReservedBlock { taken: false, bytes: Vec::new() }) }; 32];

static RELEASES: AtomicUsize = AtomicUsize::new(0);

/// Number of bytes of the last allocation that failed.
static REQUESTED: AtomicUsize = AtomicUsize::new(0);

struct ReservedBlock {
    taken: bool,
    bytes: Vec<u8>,
}

/// Allocates the standing reserve of the process.
/// Does nothing if the reserve exists, or if there is no memory for it.
pub fn allocate_process_reserve() {
    if let Ok(mut standing) = PROCESS_RESERVE.try_lock()
        && standing.capacity() == 0
        && let Ok(bytes) = reserve_addresses(STANDING_SIZE, RESERVE)
    {
        *standing = bytes;
    }
}

/// Memory that is reserved until this value is dropped or an allocation fails.
#[derive(Debug)]
pub struct MemoryReserve(Option<usize>);

impl MemoryReserve {
    /// Reserves `wanted` bytes, but about half of the available memory at most.
    ///
    /// At least 4 MiB are reserved.
    ///
    /// # Errors
    /// [`Error::Memory`] if almost nothing can be allocated.
    pub fn allocate(wanted: usize) -> Result<Self> {
        allocate_process_reserve();
        let mut size = wanted.max(MIN_RESERVE);
        while size > MIN_RESERVE && reserve_addresses::<u8>(size.saturating_mul(2), RESERVE).is_err() {
            size = (size / 2).max(MIN_RESERVE);
        }
        let bytes = reserve_addresses(size, RESERVE)?;
        for (place, block) in BLOCKS.iter().enumerate() {
            // If the lock of a block is taken, another run uses the block.
            if let Ok(mut block) = block.try_lock()
                && !block.taken
            {
                *block = ReservedBlock { taken: true, bytes };
                return Ok(Self(Some(place)));
            }
        }
        Ok(Self(None))
    }

    /// Reserves memory for a run that reads `bytes` of data.
    /// The reserve grows with the data, because single arrays of the run are as large as the data.
    ///
    /// # Errors
    /// [`Error::Memory`] if almost nothing can be allocated.
    pub fn for_data(bytes: usize) -> Result<Self> {
        Self::allocate(bytes.saturating_mul(2).saturating_add(DEFAULT_RESERVE))
    }
}

impl Drop for MemoryReserve {
    fn drop(&mut self) {
        if let Some(block) = self.0.and_then(|place| BLOCKS.get(place)) {
            let mut block = block.lock().unwrap_or_else(PoisonError::into_inner);
            block.taken = false;
            let bytes = mem::take(&mut block.bytes);
            drop(block);
            drop(bytes);
            allocate_process_reserve();
        }
    }
}

/// Releases the reserves of all runs after a request for `bytes` failed.
///
/// If no run has a reserve, the standing reserve of the process is released. The result is true if the
/// allocator must retry the request. If the caller of the allocation handles the failure itself, nothing is
/// released, and the result is false. The function neither allocates nor blocks, because an allocator calls
/// it.
pub fn release(bytes: usize) -> bool {
    if can_allocation_fail() {
        return false;
    }
    let mut any = false;
    for block in &BLOCKS {
        let Ok(mut block) = block.try_lock() else { continue };
        let released = mem::take(&mut block.bytes);
        drop(block);
        any |= count_release(released.capacity(), bytes);
    }
    if !any && let Ok(mut standing) = PROCESS_RESERVE.try_lock() {
        let released = mem::take(&mut *standing);
        drop(standing);
        count_release(released.capacity(), bytes);
    }
    // The result is true even if this call released nothing: another thread may have released the reserves
    // since the failure.
    true
}

/// Records that `released` bytes were released after a failed request for `bytes`.
///
/// Returns false, and records nothing, if `released` is 0.
fn count_release(released: usize, bytes: usize) -> bool {
    if released == 0 {
        return false;
    }
    REQUESTED.store(bytes, Ordering::Relaxed);
    RELEASES.fetch_add(1, Ordering::Relaxed);
    true
}

pub(crate) fn n_releases() -> usize {
    RELEASES.load(Ordering::Relaxed)
}

/// Returns an error if memory reserves were released since their count was `since`.
#[inline]
pub(crate) fn check_no_release_since(since: usize) -> Result<()> {
    if n_releases() == since { Ok(()) } else { Err(memory_error()) }
}

#[cold]
fn memory_error() -> Error {
    Error::Memory { bytes: REQUESTED.load(Ordering::Relaxed), what: "a step of the run" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fallible::allow_allocation_failure;
    use crate::run_context::RunContext;

    #[test]
    fn a_release_ends_the_runs_that_began_before_it() {
        let reserve = MemoryReserve::allocate(1 << 20).unwrap();
        let ctl = RunContext::silent();
        assert!(!allow_allocation_failure(|| release(7)));
        assert_eq!(ctl.check(), Ok(()));
        assert!(release(7));
        assert_eq!(ctl.check(), Err(Error::Memory { bytes: 7, what: "a step of the run" }));
        assert_eq!(RunContext::silent().check(), Ok(()));
        // The first call releases the standing reserve. For the second call, nothing is left to release.
        let ctl = RunContext::silent();
        assert!(release(8));
        assert_eq!(ctl.check(), Err(Error::Memory { bytes: 8, what: "a step of the run" }));
        let ctl = RunContext::silent();
        assert!(release(9));
        assert_eq!(ctl.check(), Ok(()));
        // The next run allocates the standing reserve again.
        drop(reserve);
        assert!(release(10));
        assert_ne!(ctl.check(), Ok(()));
    }
}
