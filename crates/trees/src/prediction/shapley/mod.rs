//! Exact Shapley values of tree outputs.
//!
//! References: Lundberg, Erion and Lee 2018, section 3; Lundberg et al. 2020.
//!
//! In the game, a column in the coalition sends the row to the child of its value. A column outside the coalition
//! either sends it to every child with the fraction of the training weight of that child ("path-dependent"), or to
//! the child of a background row, averaged over the background ("interventional"). A leaf is then reached with a
//! product over the columns of its path. The factor of a column is `hot` (in the coalition: the fraction of the row
//! that goes on) or `cold` (outside: the fraction of its replacement that goes on). The Shapley value of column `i`
//! in a product is `(hot_i - cold_i)` times the integral over `t` in [0, 1] of the product of `cold_j + t (hot_j -
//! cold_j)` over the other columns. This is a polynomial, which Gauss-Legendre quadrature integrates exactly with
//! half as many points as the path has columns (Yu et al. 2022 use other points).
//!
//! There are two algorithms. `walk` visits every node for each row and carries the product at every quadrature
//! point; it has no restrictions. `ways` iterates over the leaves: if each split sends the row to exactly one
//! child, the contribution of a leaf depends only on which columns of its path are satisfied. It is computed once
//! for all rows with equal bits.

mod explain;
mod game;
pub(crate) mod legendre;
mod walk;
mod ways;

pub(crate) use explain::add;
pub(crate) use game::TreeShapContext;
