//! Resampling: reference outputs (`golden`) and properties of random data (`properties`).

mod common;
mod golden_clean;
mod golden_neighbors;
mod golden_over;
mod properties;
