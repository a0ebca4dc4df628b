//! Decompositions of several classes into two-class tasks.
//! The decompositions are one against all, output codes and pairs (Dietterich and Bakiri 1995; Hoens, Qian,
//! Chawla and Zhou 2012, section 2.1). Any learner can fit the members.

mod code_book;
mod column_task;
mod decoding;
mod formula;
mod model;
mod pairwise_coupling;
mod random_code_book;
mod stored;

pub use code_book::CodeBook;
pub use column_task::{ColumnTask, fit_members, member_seed};
pub use decoding::Decoding;
pub use model::{ClassDecomposition, ColumnPredictor, decode_rows};
pub use random_code_book::CodeColumnCountRule;
