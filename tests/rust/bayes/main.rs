//! Discretizers and Bayesian networks: reference outputs (`golden`) and properties (`laws`).

mod common;
mod golden_discretize;
mod laws_files;
mod laws_infer;
mod laws_sample;
mod laws_search;
