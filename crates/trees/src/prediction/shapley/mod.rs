//! Exact Shapley values of tree outputs.
//!
//! References: Lundberg, Erion and Lee 2018, section 3; Lundberg et al. 2020.
//!
//! At a split on a column in the coalition, a row goes to the child given by its value. At a split on a
//! column outside the coalition, there are two variants. Either the row goes to every child in proportion to
//! training weights ("path-dependent"), or it goes to the child of a background row, and the output is
//! averaged over the background rows ("interventional").
//!
//! The fraction of a row that reaches a leaf is then a product over the columns of the path. If a column is
//! in the coalition, its factor is `hot`: the fraction of the row that passes all splits of the path on this
//! column. Otherwise its factor is `cold`: the fraction of the background row, or of the training weight,
//! that passes these splits. The Shapley value of column `i` in such a product is `(hot_i - cold_i)` times an
//! integral over `t` from 0 to 1. The integrand is the product of `cold_j + t (hot_j - cold_j)` over all
//! columns `j` of the path other than `i`. The integrand is a polynomial. Gauss-Legendre quadrature
//! integrates it exactly with half as many points as the path has columns, rounded up (Yu et al. 2022 use
//! other points).
//!
//! There are two algorithms. Module `recursive` visits every node for each row, and stores the product at
//! every quadrature point; it has no restrictions. Module `leaf_paths` visits the leaves one by one, and
//! requires that each split sends the row to exactly one child. The contribution of a leaf then depends only
//! on which columns of its path the row satisfies. This contribution is computed once for all rows that
//! satisfy the same columns.

mod context;
mod explain;
mod leaf_paths;
pub(crate) mod legendre;
mod recursive;

pub(crate) use context::TreeShapContext;
pub(crate) use explain::add_shapley_values;
