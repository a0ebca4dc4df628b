//! Metrics and statistical tests: reference outputs (`golden`) and properties of random data (`properties`).

mod common;
mod golden_metrics;
mod golden_stats;
mod properties_metrics;
mod properties_stats;
