//! Decompositions of several classes into two-class tasks.
//! The decompositions are one against all, output codes and pairs (Dietterich and Bakiri 1995; Hoens, Qian,
//! Chawla and Zhou 2012, section 2.1). Any learner can fit the members.

mod code;
mod couple;
mod decode;
mod formula;
mod model;
mod random;
mod stored;
mod task;

pub use code::CodeBook;
pub use decode::Decoding;
pub use model::{ClassDecomposition, ColumnMember, decode_rows};
pub use random::CodeSize;
pub use task::{ColumnTask, fit_members, member_seed};
