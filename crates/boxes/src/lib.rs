//! Box drawings: readable rules for a rare class (Goh and Rudin 2014).
#![forbid(unsafe_code)]

pub mod exact;
