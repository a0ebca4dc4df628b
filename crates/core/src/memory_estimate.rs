//! Lower bounds on the memory of a run, compared with the limits before the memory is used.
//!
//! An estimate counts only memory that the run is certain to use. It is compared with the memory available
//! under each limit plus all memory that the allocator may have free, so that no run that would succeed is
//! refused.

use crate::error::{Error, Result};
use crate::limits::{MemoryLimit, all_memory_limits, reusable_heap_bytes};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Estimates below this number of bytes are not compared with the memory limits.
///
/// The comparison takes 0.1 ms.
const LARGE: usize = 16 << 20;

#[derive(Clone, Debug, PartialEq)]
struct MemoryItem {
    bytes: usize,
    name: String,
    remedy: &'static str,
}

/// Lower bound on the memory of a run, by purpose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryEstimate(Vec<MemoryItem>);

impl MemoryEstimate {
    /// Adds bytes that are in use at the same time as all other bytes of the estimate.
    ///
    /// `remedy` is advice to use less memory, which completes "Raise this limit, or".
    #[must_use]
    pub fn with_bytes(mut self, bytes: usize, name: String, remedy: &'static str) -> Self {
        self.0.push(MemoryItem { bytes, name, remedy });
        self
    }

    /// Total number of bytes.
    pub fn bytes(&self) -> usize {
        self.0.iter().fold(0, |sum, purpose| sum.saturating_add(purpose.bytes))
    }

    /// Compares the estimate with the limits of the process, its container and the machine.
    ///
    /// # Errors
    /// [`Error::Estimate`] if a limit leaves less.
    pub fn check(&self, method: &str) -> Result<()> {
        let needed = self.bytes();
        if needed < LARGE {
            return Ok(());
        }
        match largest_shortage(|_| needed, &all_memory_limits(), reusable_heap_bytes) {
            Some(shortage) => Err(self.shortage_error(method, &shortage)),
            None => Ok(()),
        }
    }

    fn shortage_error(&self, method: &str, shortage: &MemoryShortage) -> Error {
        let MemoryShortage { needed, available, limit } = *shortage;
        let largest = self.0.iter().max_by_key(|purpose| purpose.bytes);
        let (purpose, remedy) =
            largest.map_or((String::new(), ""), |largest| (largest.name.clone(), largest.remedy));
        Error::Estimate { method: method.to_owned(), needed, purpose, available, limit, remedy }
    }
}

struct MemoryShortage {
    needed: usize,
    available: usize,
    limit: &'static str,
}

/// Largest shortage of memory under any limit; `None` if there is no shortage.
///
/// The heap size is read from a file of the system only if there may be a shortage.
fn largest_shortage(
    needed: impl Fn(&MemoryLimit) -> usize,
    limits: &[MemoryLimit],
    reusable_heap_bytes: impl FnOnce() -> usize,
) -> Option<MemoryShortage> {
    let missing = |limit: &&MemoryLimit| needed(limit).saturating_sub(limit.available);
    let limit = limits.iter().max_by_key(missing).filter(|limit| missing(limit) > 0)?;
    let (needed, available) = (needed(limit), limit.available.saturating_add(reusable_heap_bytes()));
    (needed > available).then_some(MemoryShortage { needed, available, limit: limit.name })
}

/// Memory of all members of an ensemble, projected from the members fitted so far.
///
/// The sizes of members such as trees are not known before the fit. Members must be fitted to samples of
/// equal size, so that they need about equal memory. For each member that is not fitted yet, the projection
/// counts four fifths of the mean memory of the fitted members.
#[derive(Debug)]
pub struct MemberMemoryProjection {
    n_members: usize,
    n_fitted: AtomicUsize,
    bytes: AtomicUsize,
}

impl MemberMemoryProjection {
    /// Creates the projection for an ensemble of `n_members` members.
    pub fn new(n_members: usize) -> Self {
        Self { n_members, n_fitted: AtomicUsize::new(0), bytes: AtomicUsize::new(0) }
    }

    /// Counts a fitted member with this number of bytes.
    ///
    /// After 4, 8, 16, ... members it compares the projected memory of the remaining members with the limits.
    /// For limits on address space, the projected memory of the final model is added, because the final model
    /// is allocated while the members still exist. `purpose` describes all members in messages.
    ///
    /// # Errors
    /// [`Error::Estimate`] if less memory is available than the remaining members need.
    pub fn add_member(
        &self,
        bytes: usize,
        method: &str,
        purpose: impl FnOnce() -> String,
        remedy: &'static str,
    ) -> Result<()> {
        let total = self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        let n_fitted = self.n_fitted.fetch_add(1, Ordering::Relaxed) + 1;
        if n_fitted < 4 || !n_fitted.is_power_of_two() || n_fitted >= self.n_members {
            return Ok(());
        }
        let [to_come, joined] = self.projected_bytes(total, n_fitted);
        if to_come.saturating_add(joined) < LARGE {
            return Ok(());
        }
        let needed =
            |limit: &MemoryLimit| if limit.of_addresses { to_come.saturating_add(joined) } else { to_come };
        match largest_shortage(needed, &all_memory_limits(), reusable_heap_bytes) {
            Some(shortage) => Err(MemoryEstimate::default()
                .with_bytes(shortage.needed, purpose(), remedy)
                .shortage_error(method, &shortage)),
            None => Ok(()),
        }
    }

    /// Projected bytes of the members that are not fitted yet, and of all members.
    fn projected_bytes(&self, bytes: usize, n_fitted: usize) -> [usize; 2] {
        let mean = bytes / n_fitted;
        [self.n_members - n_fitted, self.n_members].map(|members| (mean / 5 * 4).saturating_mul(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROCESS: MemoryLimit =
        MemoryLimit { available: 100 << 20, name: "the limit of addresses", of_addresses: true };
    const GROUP: MemoryLimit =
        MemoryLimit { available: 80 << 20, name: "the limit of the group", of_addresses: false };

    #[test]
    fn a_run_is_refused_only_if_memory_is_short_even_with_all_of_the_heap() {
        let limits = [PROCESS, GROUP];
        assert!(largest_shortage(|_| 80 << 20, &limits, || unreachable!()).is_none());
        assert!(largest_shortage(|_| 90 << 20, &limits, || 10 << 20).is_none());
        let found = largest_shortage(|_| 90 << 20, &limits, || 9 << 20).unwrap();
        assert_eq!((found.needed, found.available, found.limit), (90 << 20, 89 << 20, GROUP.name));
        let twice = |limit: &MemoryLimit| if limit.of_addresses { 140 << 20 } else { 90 << 20 };
        assert_eq!(largest_shortage(twice, &limits, || 0).unwrap().limit, PROCESS.name);
        assert!(largest_shortage(|_| usize::MAX, &[], || 0).is_none());
    }

    #[test]
    fn the_refusal_names_the_largest_part_the_limit_and_its_remedy() {
        let estimate = MemoryEstimate::default()
            .with_bytes(1 << 60, "600 trees".into(), "use fewer trees")
            .with_bytes(1 << 20, "rows".into(), "use fewer rows");
        assert_eq!(estimate.bytes(), (1 << 60) + (1 << 20));
        let shortage = largest_shortage(|_| 700_000_000, &[GROUP], || 0).unwrap();
        assert_eq!(
            estimate.shortage_error("random_forest", &shortage).to_string(),
            "random_forest needs at least 700 MB of memory, most of it for 600 trees, but 83 MB are available under the limit \
             of the group. Raise this limit, or use fewer trees"
        );
        assert!(MemoryEstimate::default().check("cart").is_ok());
    }

    #[test]
    fn members_are_projected_from_those_that_are_fitted() {
        let members = MemberMemoryProjection::new(600);
        assert_eq!(members.projected_bytes(4000, 4), [596 * 800, 600 * 800]);
        for _ in 0..3 {
            assert_eq!(members.add_member(usize::MAX / 8, "cart", String::new, ""), Ok(()));
        }
        if !all_memory_limits().is_empty() {
            let refused =
                members.add_member(usize::MAX / 8, "cart", || "600 trees".into(), "use fewer trees");
            assert!(matches!(refused, Err(Error::Estimate { .. })), "{refused:?}");
        }
    }
}
