//! Training rows in the form that tree growth reads.

pub(crate) mod class_codes;
pub(crate) mod class_sums;
pub(crate) mod partition;
pub(crate) mod presort;
pub(crate) mod rank_table;
pub(crate) mod table;
pub(crate) mod train_column;
pub(crate) mod training;
pub(crate) mod weighting;
