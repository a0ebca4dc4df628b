//! Drawn data: reference outputs (`golden`) and laws that hold on random data (`laws`).

mod golden_disjuncts;
