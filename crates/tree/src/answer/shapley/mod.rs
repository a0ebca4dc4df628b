//! Exact Shapley values of what a tree answers (Lundberg, Erion and Lee 2018, section 3; Lundberg et al. 2020).
//!
//! The game: a column that is known sends the row where its value goes. One that is not sends it to every child by the
//! child's share of the training weight ("path-dependent"), or where the value of a row of the background goes, of which the
//! mean is taken ("interventional"). A leaf is then reached with the product, over the columns on its way, of `hot` (known:
//! the share of the row that goes on) or `cold` (unknown: the share of what stands in for it that does). The Shapley value of
//! column `i` in a product is `(hot_i - cold_i)` times the integral over `t` in [0, 1] of the product of
//! `cold_j + t (hot_j - cold_j)` over the others: a polynomial, which Gauss and Legendre's rule sums exactly with half as
//! many points as the way has columns (Yu et al. 2022 do the same with points of another kind).
//!
//! Two files find it. `walk` visits every node for a row, carrying the product at every point: it knows no limits. `ways` goes
//! from leaf to leaf: where a row goes one way at a time, all that a leaf asks is which of the columns on its way lead to it,
//! so what it tells is found once for all rows that agree in that.

mod explain;
mod game;
mod legendre;
mod walk;
mod ways;

pub(crate) use explain::add;
pub(crate) use game::Game;
