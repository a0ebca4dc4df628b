//! Many models as one: forests of trees, and several classes as many two-class tasks.
#![forbid(unsafe_code)]

pub mod decompose;
pub mod relabel;
