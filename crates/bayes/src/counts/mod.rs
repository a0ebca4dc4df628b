//! Counts of rows by the states of a variable and its parents, the hot loop of every search.

mod aligned_words;
mod bitmaps;
mod family;
mod family_counts;
mod pair_counts;
mod row_grouping;

pub(crate) use family::{CodeTableForCounting, CountScratch, GroupedFamily};
pub(crate) use family_counts::FamilyCounts;
pub(crate) use pair_counts::ClassPairCounts;
