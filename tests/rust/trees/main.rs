//! Criteria, trees and their pruning: reference outputs (`golden`) and properties of random data (`properties`).

mod golden_criteria;
mod golden_pruning;
mod golden_trees;
mod properties;
mod properties_binned;
mod properties_many_classes;
mod properties_pruning;
mod properties_shapley;
mod properties_splits;
mod properties_thresholds;
