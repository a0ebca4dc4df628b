//! Counts of rows by the states of a variable and its parents, the hot loop of every search.

mod bitmaps;
mod family;
mod lines;
mod pairs;
mod plain;
mod sets;

pub(crate) use family::{CountScratch, CountedFamily, FamilyCounter};
pub(crate) use pairs::PairCounts;
pub(crate) use plain::FamilyCounts;
