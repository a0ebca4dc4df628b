//! The bins of a nominal column: its levels, and behind the last of them missing values.

use imbcore_base::MISSING;

/// The bin of every row.
pub(crate) fn bins_of_levels(codes: &[u32], levels: u32) -> Vec<u32> {
    codes.iter().map(|&code| if code == MISSING { levels } else { code }).collect()
}

/// The same as bytes, where they hold it.
pub(crate) fn bytes_of_levels(codes: &[u32], levels: u32) -> Option<Vec<u8>> {
    let levels = u8::try_from(levels).ok()?;
    Some(codes.iter().map(|&code| if code == MISSING { levels } else { code as u8 }).collect())
}
