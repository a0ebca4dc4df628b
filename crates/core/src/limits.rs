//! Memory limits of this process.
//!
//! The limits are those of the process (`RLIMIT_AS`, `RLIMIT_DATA`), those of its control groups (versions 1
//! and 2), and the memory of the machine. They are read from files of Linux; on other systems no limits are
//! known.

use std::fs::read_to_string;
use std::path::Path;

/// Memory that can still be allocated under a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryLimit {
    pub(crate) available: usize,
    pub(crate) name: &'static str,
    /// Whether the limit is on address space, which includes memory that was never written to.
    ///
    /// Allocations beyond such a limit fail by themselves, without a check by imbcore.
    pub(crate) of_addresses: bool,
}

pub(crate) fn tightest_memory_limit() -> Option<MemoryLimit> {
    all_memory_limits().into_iter().min_by_key(|limit| limit.available)
}

pub(crate) fn all_memory_limits() -> Vec<MemoryLimit> {
    read_memory_limits(Path::new("/proc"), Path::new("/sys/fs/cgroup"))
}

/// Upper bound on the memory that the allocator can reuse without a request to the system.
/// It consists of the heap and the arenas of glibc, both used and free.
pub(crate) fn reusable_heap_bytes() -> usize {
    heap_bytes_in_memory_map(&read_to_string("/proc/self/maps").unwrap_or_default())
}

fn heap_bytes_in_memory_map(maps: &str) -> usize {
    /// Size of an arena of glibc in bytes, and alignment of its address.
    ///
    /// An arena has a used part, followed by a part without read and write permissions.
    const ARENA: usize = 64 << 20;
    let mut bytes = 0;
    let mut arena_end = 0;
    for line in maps.lines() {
        let mut fields = line.split_whitespace();
        let range = fields.next().and_then(|range| range.split_once('-'));
        let bound = |text: &str| usize::from_str_radix(text, 16).ok();
        let Some((Some(start), Some(end))) = range.map(|(start, end)| (bound(start), bound(end))) else {
            continue;
        };
        let name = fields.nth(4).unwrap_or_default();
        if name.is_empty() && start.is_multiple_of(ARENA) {
            arena_end = start.saturating_add(ARENA);
        }
        if name == "[heap]" || name.is_empty() && end <= arena_end {
            bytes += end.saturating_sub(start);
        }
    }
    bytes
}

fn read_memory_limits(proc: &Path, groups: &Path) -> Vec<MemoryLimit> {
    let limits = read_to_string(proc.join("self/limits")).unwrap_or_default();
    let status = read_to_string(proc.join("self/status")).unwrap_or_default();
    let machine = read_to_string(proc.join("meminfo")).unwrap_or_default();
    let of_process = |limit: &str, used: &str, name| {
        let limit = limits.lines().find_map(|line| line.strip_prefix(limit))?;
        let limit: usize = limit.split_whitespace().next()?.parse().ok()?;
        Some(MemoryLimit {
            available: limit.saturating_sub(read_kilobytes_as_bytes(&status, used)?),
            name,
            of_addresses: true,
        })
    };
    let of_machine = || {
        let swap = read_kilobytes_as_bytes(&machine, "SwapFree:").unwrap_or_default();
        let available = read_kilobytes_as_bytes(&machine, "MemAvailable:")?.saturating_add(swap);
        Some(MemoryLimit { available, name: "the memory of the machine", of_addresses: false })
    };
    let of_group = || {
        let available = memory_left_in_cgroups(proc, groups)?;
        Some(MemoryLimit { available, name: "the memory limit of the container", of_addresses: false })
    };
    let all = [
        of_process("Max address space", "VmSize:", "the address-space limit of the process (RLIMIT_AS)"),
        of_process("Max data size", "VmData:", "the data limit of the process (RLIMIT_DATA)"),
        of_group(),
        of_machine(),
    ];
    all.into_iter().flatten().collect()
}

fn read_kilobytes_as_bytes(text: &str, key: &str) -> Option<usize> {
    let value = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(value.split_whitespace().next()?.parse::<usize>().ok()?.saturating_mul(1024))
}

/// Smallest memory left in any control group of the process, or in any ancestor of one.
fn memory_left_in_cgroups(proc: &Path, groups: &Path) -> Option<usize> {
    let cgroups = read_to_string(proc.join("self/cgroup")).ok()?;
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?.trim_start_matches('/'));
        let (root, limit, used, cached) = if controllers.is_empty() {
            (groups.to_owned(), "memory.max", "memory.current", ["inactive_file ", "active_file "])
        } else if controllers.split(',').any(|controller| controller == "memory") {
            let names = (
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                ["total_inactive_file ", "total_active_file "],
            );
            (groups.join("memory"), names.0, names.1, names.2)
        } else {
            return None;
        };
        let available = |folder: &Path| {
            let number = |name: &str| read_to_string(folder.join(name)).ok()?.trim().parse::<usize>().ok();
            let stat = read_to_string(folder.join("memory.stat")).unwrap_or_default();
            let bytes = |key: &str| {
                stat.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<usize>().ok())
            };
            // The memory of cached files counts as available, because the system reclaims it before it
            // refuses an allocation.
            let of_files = cached.iter().filter_map(|key| bytes(key)).sum();
            let used = number(used)?.saturating_sub(of_files);
            Some(number(limit)?.saturating_sub(used))
        };
        // The search for ancestors ends at `root`, which is included: inside a container, `root` may be the
        // control group of the process.
        root.join(path).ancestors().take_while(|folder| folder.starts_with(&root)).filter_map(available).min()
    };
    cgroups.lines().filter_map(of_line).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};
    use std::path::PathBuf;

    fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("imbcore-limits-{}-{name}", std::process::id()));
        for (path, text) in files {
            let path = folder.join(path);
            create_dir_all(path.parent().unwrap()).unwrap();
            write(path, text).unwrap();
        }
        folder
    }

    const FREE: &str = "Max data size             unlimited            unlimited            bytes\n\
                        Max address space         unlimited            unlimited            bytes\n";
    const STATUS: &str = "VmPeak:\t  9000 kB\nVmSize:\t  4000 kB\nVmData:\t 1000 kB\n";
    const MACHINE: &str = "MemTotal: 90000 kB\nMemAvailable: 50000 kB\nSwapFree: 1000 kB\n";

    fn tightest_limit(
        name: &str,
        limits: &str,
        cgroup: &str,
        groups: &[(&str, &str)],
    ) -> Option<MemoryLimit> {
        let proc = [
            ("proc/self/limits", limits),
            ("proc/self/status", STATUS),
            ("proc/self/cgroup", cgroup),
            ("proc/meminfo", MACHINE),
        ];
        let root = folder(name, &[&proc, groups].concat());
        let found = read_memory_limits(&root.join("proc"), &root.join("groups"))
            .into_iter()
            .min_by_key(|limit| limit.available);
        std::fs::remove_dir_all(root).unwrap();
        found
    }

    #[test]
    fn without_limits_the_machine_is_the_limit() {
        let found = tightest_limit("machine", FREE, "0::/\n", &[]).unwrap();
        assert_eq!(
            found,
            MemoryLimit { available: 51_000 << 10, name: "the memory of the machine", of_addresses: false }
        );
        let nowhere = Path::new("/nowhere");
        assert_eq!(read_memory_limits(nowhere, nowhere), []);
    }

    #[test]
    fn heap_and_arenas_can_be_used_again() {
        // The memory map has a heap of 2 MiB, an arena with 1 MiB of 64 MiB used, a block of 128 MiB, a file
        // and a stack.
        let maps = "55d0c0000000-55d0c0200000 rw-p 00000000 00:00 0                          [heap]\n\
                    7f4ea0000000-7f4ea0100000 rw-p 00000000 00:00 0 \n\
                    7f4ea0100000-7f4ea4000000 ---p 00000000 00:00 0 \n\
                    7f4ea8000000-7f4eb0000000 rw-p 00000000 00:00 0 \n\
                    7f4ec0000000-7f4ec0001000 r--p 00000000 fe:00 247282                     /usr/bin/head\n\
                    7ffc3b4c5000-7ffc3b4e6000 rw-p 00000000 00:00 0                          [stack]\n";
        assert_eq!(heap_bytes_in_memory_map(maps), 66 << 20);
        assert_eq!(heap_bytes_in_memory_map(""), 0);
    }

    #[test]
    fn the_address_space_of_the_process_counts() {
        let limits = "Max address space         10240000             unlimited            bytes\n";
        let found = tightest_limit("process", limits, "0::/\n", &[]).unwrap();
        assert_eq!(found.available, 6000 << 10);
        assert!(found.name.contains("RLIMIT_AS"));
    }

    #[test]
    fn groups_of_both_versions_and_above_count() {
        let second = [
            ("groups/a/b/memory.max", "max\n"),
            ("groups/a/b/memory.current", "500\n"),
            ("groups/a/memory.max", "9000\n"),
            ("groups/a/memory.current", "5000\n"),
            ("groups/a/memory.stat", "anon 1\ninactive_file 900\nactive_file 100\n"),
        ];
        let found = tightest_limit("second", FREE, "0::/a/b\n", &second).unwrap();
        assert_eq!(
            found,
            MemoryLimit { available: 5000, name: "the memory limit of the container", of_addresses: false }
        );
        // The cgroup file of a container contains the path on the host, `/host/x`. This path does not exist
        // in the container.
        let first = [
            ("groups/memory/memory.limit_in_bytes", "7000\n"),
            ("groups/memory/memory.usage_in_bytes", "6000\n"),
            ("groups/memory/memory.stat", "total_inactive_file 10\n"),
        ];
        let found = tightest_limit("first", FREE, "5:cpu:/x\n4:memory,io:/host/x\n0::/\n", &first).unwrap();
        assert_eq!(found.available, 1010);
    }
}
