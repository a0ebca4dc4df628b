//! SVR-Trees: reference outputs (`golden`) and laws that hold on random data (`laws`), some of them
//! against trees grown from scratch (`slow`), whose boxes are measured on a grid (`grid`).

mod golden_svr;
mod grid;
mod laws_levels;
mod laws_svr;
mod slow;
