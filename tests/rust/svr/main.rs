//! SVR-Trees: reference outputs (`golden`) and laws that hold on random data (`laws`).

mod golden_svr;
mod laws_svr;
