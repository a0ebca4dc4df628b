//! Resampling: reference outputs (`golden`) and laws that hold on random data (`laws`).

mod common;
mod golden_clean;
mod golden_neighbors;
mod golden_over;
mod laws;
