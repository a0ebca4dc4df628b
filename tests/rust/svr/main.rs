//! SVR-Trees: reference outputs (`golden`) and properties of random data (`properties`), some compared with trees grown
//! from scratch (`reference`), whose boxes are measured on a grid (`grid`).

mod golden_svr;
mod grid;
mod properties_levels;
mod properties_svr;
mod reference;
