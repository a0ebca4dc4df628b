//! Exact Shapley values of tree outputs.
//!
//! References: Lundberg, Erion and Lee 2018, section 3; Lundberg et al. 2020.
//!
//! At a split on a column in the coalition, a row goes to the child given by its value. At a split on a
//! column outside the coalition, there are two variants. Either the row goes to every child in proportion to
//! training weights ("path-dependent"), or it goes to the child of a background row, and the output is
//! averaged over the background rows ("interventional").
//!
//! The fraction of a row that reaches a leaf is then a product over the columns of the path. The factor of a
//! column is `hot` if the column is in the coalition: the fraction of the row that passes its splits.
//! Otherwise the factor is `cold`: the fraction of the background row, or of the training weight, that passes
//! its splits. The Shapley value of column `i` in such a product is `(hot_i - cold_i)` times an integral over
//! `t` from 0 to 1. The integrand is the product of `cold_j + t (hot_j - cold_j)` over all columns `j` of the
//! path other than `i`. It is a polynomial, which Gauss-Legendre quadrature integrates exactly with half as
//! many points as the path has columns (Yu et al. 2022 use other points).
//!
//! There are two algorithms. `walk` visits every node for each row, and stores the product at every
//! quadrature point; it has no restrictions. `ways` visits the leaves one by one, and requires that each
//! split sends the row to exactly one child. The contribution of a leaf then depends only on which columns of
//! its path the row satisfies. It is computed once for all rows that satisfy the same columns.

mod context;
mod explain;
mod leaf_paths;
pub(crate) mod legendre;
mod recursive;

pub(crate) use context::TreeShapContext;
pub(crate) use explain::add;
