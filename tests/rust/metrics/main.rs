//! Measures and statistical tests: reference outputs (`golden`) and laws that hold on random data (`laws`).

mod common;
mod golden_metrics;
mod golden_stats;
mod laws_metrics;
mod laws_stats;
