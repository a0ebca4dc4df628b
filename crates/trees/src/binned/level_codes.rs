//! Bins of a nominal column: one per level, and a last one for missing values.

use imbcore_core::MISSING;

pub(crate) fn level_codes_as_bins(codes: &[u32], levels: u32) -> Vec<u32> {
    codes.iter().map(|&code| if code == MISSING { levels } else { code }).collect()
}

/// Returns the bin codes as bytes, or `None` if the column has more than 255 levels.
pub(crate) fn level_codes_to_bytes(codes: &[u32], levels: u32) -> Option<Vec<u8>> {
    let levels = u8::try_from(levels).ok()?;
    Some(codes.iter().map(|&code| if code == MISSING { levels } else { code as u8 }).collect())
}
