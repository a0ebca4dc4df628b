//! Training rows in the form that growth reads: columns, sorted rows, ranks, class sums.

pub(crate) mod coding;
pub(crate) mod divide;
pub(crate) mod entry;
pub(crate) mod presort;
pub(crate) mod ranks;
pub(crate) mod sums;
pub(crate) mod table;
pub(crate) mod training;
pub(crate) mod weigh;
