//! Counts of rows by the values of a family: the hot loop of structure search.

mod bitmaps;
mod family;
mod lines;
mod pairs;
mod plain;
mod sets;

pub(crate) use family::{CountScratch, CountedFamily, FamilyCounter};
pub(crate) use pairs::PairCounts;
pub(crate) use plain::FamilyCounts;
