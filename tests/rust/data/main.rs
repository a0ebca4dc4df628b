//! Simulated data: reference outputs (`golden`).

mod golden_disjuncts;
