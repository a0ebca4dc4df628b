//! Criteria, trees and their pruning: reference outputs (`golden`) and laws that hold on random data (`laws`).

mod golden_criteria;
mod golden_pruning;
mod golden_trees;
mod laws;
mod laws_binned;
mod laws_many_classes;
mod laws_pruning;
mod laws_shapley;
mod laws_spaced;
mod laws_splits;
