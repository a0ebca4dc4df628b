//! Counting rows by the values of a family: the hot loop of structure search.

mod plain;

pub use plain::FamilyCounts;
