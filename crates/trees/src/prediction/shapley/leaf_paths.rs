//! Shapley values leaf by leaf, for rows that take exactly one child at every split.
//!
//! For each leaf, a row is fully described by one bit per column of the path to the leaf: whether the row
//! satisfies all splits on this column (Nadel and Wettenstein 2025 use bit patterns too). A background row
//! contributes only if every column is satisfied by the explained row or by the background row. Let `a`
//! columns be satisfied only by the explained row, and `b` columns only by the background row. Each of the
//! `a` columns gets `(a - 1)! b! / (a + b)!` times the leaf value, and each of the `b` columns gets `-a! (b -
//! 1)! / (a + b)!` times the leaf value (Lundberg et al. 2020; Laberge and Pequignot 2022). Background rows
//! with equal bits are merged.
//!
//! Without a background, the training weights replace the background rows, and the contributions are
//! integrals that Gauss-Legendre quadrature computes. A leaf with few columns on its path stores a table of
//! the contributions for all bit patterns.

use crate::prediction::shapley::context::TreeShapContext;
use crate::prediction::shapley::legendre::gauss_legendre;
use crate::prediction::tree_traversal::branch_of_row;
use crate::tree::TreeSplit;
use imbcore_core::{Column, Frame, Result, RunContext, memory, parallel};
use std::collections::BTreeMap;

pub(crate) const TOGETHER: usize = 256;
/// Maximum depth of a tree: the columns of a path must fit into the bits of a 64-bit word.
const DEEPEST: usize = 64;
/// Maximum total number of cells in the tables of all leaves.
const CELLS: usize = 1 << 20;

struct LeafPath {
    value: f64,
    columns: Vec<u32>,
    unknown: AbsentColumnReplacement,
    /// For each subset of the path's columns, the contribution of the leaf to every column.
    ///
    /// The subset consists of the columns whose splits the explained row satisfies. `None` if the table would
    /// be too large, or if too few rows are explained for the table to save time.
    table: Option<Vec<f64>>,
}

/// Source of the values of columns that are outside the coalition.
enum AbsentColumnReplacement {
    /// Training weights, as factors from which the contributions of the leaf are computed.
    ///
    /// `weights` are the weights of the quadrature points. For each quadrature point and column, `factors`
    /// has two pairs of numbers: the first pair is for rows that do not satisfy the splits on the column, the
    /// second for rows that satisfy them.
    ///
    /// At each quadrature point, the contribution of a column is proportional to a product. Its factors are
    /// the first numbers of all columns, and the second number of the column.
    Trained { weights: Vec<f64>, factors: Vec<[(f64, f64); 2]> },
    /// Merged background rows: a bit set, and the fraction of rows with this bit set.
    ///
    /// The bit set contains the columns whose splits on the path a background row satisfies.
    Rows(Vec<(u64, f64)>),
}

impl LeafPath {
    fn all_columns_mask(&self) -> u64 {
        u64::MAX.checked_shr(DEEPEST as u32 - self.columns.len() as u32).unwrap_or(0)
    }

    fn contribution_table_size(&self) -> usize {
        let n = self.columns.len();
        if n < 24 { n << n } else { usize::MAX }
    }

    /// The bit set `met` contains the columns whose splits the explained row satisfies.
    fn add_contributions(&self, met: u64, orders: &ShapleyWeights, gains: &mut [f64]) {
        gains.fill(0.0);
        if gains.is_empty() {
            return;
        }
        match &self.unknown {
            AbsentColumnReplacement::Trained { weights, factors } => {
                let bit = |index: usize| (met >> index & 1) as usize;
                for (weight, factors) in weights.iter().zip(factors.chunks_exact(gains.len())) {
                    let product = factors
                        .iter()
                        .enumerate()
                        .fold(self.value * weight, |product, (index, factor)| product * factor[bit(index)].0);
                    for (index, (gain, factor)) in gains.iter_mut().zip(factors).enumerate() {
                        *gain += product * factor[bit(index)].1;
                    }
                }
            }
            AbsentColumnReplacement::Rows(rows) => {
                let open = self.all_columns_mask() & !met;
                let mut lost = 0.0;
                for &(other, share) in rows.iter().filter(|(other, _)| open & !other == 0) {
                    let own = self.all_columns_mask() & !other;
                    let gained = share * self.value * orders.weight(own.count_ones(), open.count_ones());
                    iter_set_bits(own).for_each(|index| gains[index] += gained);
                    lost += share * self.value * orders.weight(open.count_ones(), own.count_ones());
                }
                iter_set_bits(open).for_each(|index| gains[index] -= lost);
            }
        }
    }
}

fn iter_set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (index < DEEPEST).then_some(index)
    })
}

/// Table of the weights `(a - 1)! b! / (a + b)!` of the module documentation.
/// `a` and `b` are at most `width - 1`.
struct ShapleyWeights {
    width: usize,
    values: Vec<f64>,
}

impl ShapleyWeights {
    fn new(most: usize) -> Self {
        let width = most + 1;
        let value = |a: usize, b: usize| {
            let binomial = (1..=b).fold(1.0, |value, k| value * (a + k) as f64 / k as f64);
            if a == 0 { 0.0 } else { 1.0 / (a as f64 * binomial) }
        };
        Self { width, values: (0..width * width).map(|at| value(at / width, at % width)).collect() }
    }

    fn weight(&self, a: u32, b: u32) -> f64 {
        self.values[a as usize * self.width + b as usize]
    }
}

pub(crate) struct LeafPaths<'g> {
    game: &'g TreeShapContext<'g>,
    parents: Vec<usize>,
    places: Vec<u32>,
    leaves: Vec<LeafPath>,
    orders: ShapleyWeights,
}

/// For each depth, buffers with two entries per row of a batch.
///
/// The first entry is the bit set of the columns whose splits on the path the row satisfies. The second entry
/// is the child to which the row goes.
pub(crate) type PathBuffers = Vec<(Vec<u64>, Vec<usize>)>;

impl<'g> LeafPaths<'g> {
    /// Lists the paths of a tree; `n_rows` is the number of rows to explain.
    ///
    /// Returns `None` if the tree is too deep, or if a background row goes to several children. Without a
    /// background, also returns `None` if the tables of the leaves would have too many cells.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(crate) fn new(
        game: &'g TreeShapContext<'g>,
        n_rows: usize,
        ctl: RunContext<'_>,
    ) -> Result<Option<Self>> {
        if game.deepest > DEEPEST
            || game.background_rows().flatten().any(|other| game.is_split_by_missing(other))
        {
            return Ok(None);
        }
        let tree = game.tree;
        let mut found = Self {
            game,
            parents: tree.parents(),
            places: vec![0; tree.n_nodes()],
            leaves: Vec::new(),
            orders: ShapleyWeights::new(game.deepest.min(game.n_columns)),
        };
        let shares = found.list_paths();
        let cells =
            found.leaves.iter().fold(0_usize, |sum, way| sum.saturating_add(way.contribution_table_size()));
        if let Some(background) = game.background {
            found.use_background_rows(background, ctl)?;
        } else if cells <= CELLS {
            found.use_training_weights(&shares);
        } else {
            return Ok(None);
        }
        found.fill_contribution_tables(n_rows, ctl)?;
        Ok(Some(found))
    }

    /// Lists the paths to all leaves.
    ///
    /// Returns, for each path and column, the fraction of the training weight that passes the splits on the
    /// column.
    fn list_paths(&mut self) -> Vec<Vec<f64>> {
        let tree = self.game.tree;
        let mut shares = Vec::new();
        let mut stack = vec![(0, Vec::<u32>::new(), Vec::<f64>::new())];
        while let Some((node, mut columns, mut trained)) = stack.pop() {
            if tree.split(node) == TreeSplit::Leaf {
                let value = self.game.values[node];
                self.leaves.push(LeafPath {
                    value,
                    columns,
                    unknown: AbsentColumnReplacement::Rows(Vec::new()),
                    table: None,
                });
                shares.push(trained);
                continue;
            }
            let column = tree.column(node) as u32;
            let place = columns.iter().position(|&met| met == column).unwrap_or_else(|| {
                columns.push(column);
                trained.push(1.0);
                columns.len() - 1
            });
            self.places[node] = place as u32;
            for child in tree.children(node).rev() {
                let mut trained = trained.clone();
                trained[place] *= self.game.child_fraction(node, child, None);
                stack.push((child, columns.clone(), trained));
            }
        }
        shares
    }

    fn use_training_weights(&mut self, shares: &[Vec<f64>]) {
        let most = self.leaves.iter().map(|way| way.columns.len()).max().unwrap_or(0);
        let rules: Vec<_> = (0..=most.div_ceil(2)).map(|n| gauss_legendre(n.max(1))).collect();
        for (way, shares) in self.leaves.iter_mut().zip(shares) {
            let rule = &rules[shares.len().div_ceil(2)];
            let factor = |t: f64, cold: f64, hot: f64| {
                let factor = cold + t * (hot - cold);
                // If the factor of a column is 0, no weight reaches the leaf, so the contribution of the
                // column is 0.
                (factor, if factor == 0.0 { 0.0 } else { (hot - cold) / factor })
            };
            let factors = rule.iter().flat_map(|&(t, _)| {
                shares.iter().map(move |&cold| [factor(t, cold, 0.0), factor(t, cold, 1.0)])
            });
            way.unknown = AbsentColumnReplacement::Trained {
                weights: rule.iter().map(|&(_, weight)| weight).collect(),
                factors: factors.collect(),
            };
        }
    }

    fn use_background_rows(&mut self, background: &Frame<'_>, ctl: RunContext<'_>) -> Result<()> {
        let mut counts = vec![BTreeMap::<u64, usize>::new(); self.leaves.len()];
        let (rows, mut scratch): (Vec<usize>, _) =
            ((0..background.n_rows()).collect(), self.allocate_buffers());
        for rows in rows.chunks(TOGETHER) {
            ctl.check()?;
            self.visit_leaves(background.columns(), rows, &mut scratch, |at, bits| {
                let all = self.leaves[at].all_columns_mask();
                for bits in bits {
                    *counts[at].entry(bits & all).or_default() += 1;
                }
            });
        }
        for (way, counts) in self.leaves.iter_mut().zip(counts) {
            let mut shares = memory::try_with_capacity(counts.len(), "rows of the background")?;
            shares.extend(counts.into_iter().map(|(bits, count)| (bits, count as f64 / rows.len() as f64)));
            way.unknown = AbsentColumnReplacement::Rows(shares);
        }
        Ok(())
    }

    /// Computes the tables of leaves with at most as many bit patterns as rows to explain.
    ///
    /// All tables together have at most [`CELLS`] cells.
    fn fill_contribution_tables(&mut self, n_rows: usize, ctl: RunContext<'_>) -> Result<()> {
        let mut left = CELLS;
        let wanted: Vec<bool> = self
            .leaves
            .iter()
            .map(|way| {
                let fits = way.contribution_table_size() <= left && n_rows >> way.columns.len() > 0;
                left -= if fits { way.contribution_table_size() } else { 0 };
                fits
            })
            .collect();
        let table = |(way, wanted): (&LeafPath, bool)| {
            ctl.check()?;
            let n = way.columns.len();
            if !wanted {
                return Ok(None);
            }
            let mut cells = memory::filled(way.contribution_table_size(), 0.0, "tables of leaves")?;
            for (met, gains) in cells.chunks_exact_mut(n.max(1)).enumerate() {
                way.add_contributions(met as u64, &self.orders, gains);
            }
            Ok(Some(cells))
        };
        let tables = parallel::try_map(self.leaves.iter().zip(wanted), table)?;
        for (way, table) in self.leaves.iter_mut().zip(tables) {
            way.table = table;
        }
        Ok(())
    }

    pub(crate) fn allocate_buffers(&self) -> PathBuffers {
        vec![(vec![u64::MAX; TOGETHER], vec![0; TOGETHER]); self.game.deepest + 1]
    }

    /// Calls `add(row, column, contribution)` for each of the rows, every leaf and every column.
    pub(crate) fn visit_contributions(
        &self,
        columns: &[Column<'_>],
        rows: &[usize],
        scratch: &mut PathBuffers,
        mut add: impl FnMut(usize, usize, f64),
    ) {
        let mut found = [0.0; DEEPEST];
        self.visit_leaves(columns, rows, scratch, |at, bits| {
            let way = &self.leaves[at];
            let (all, n) = (way.all_columns_mask(), way.columns.len());
            for (&row, &bits) in rows.iter().zip(bits) {
                let met = bits & all;
                let gains = if let Some(table) = &way.table {
                    &table[met as usize * n..][..n]
                } else {
                    way.add_contributions(met, &self.orders, &mut found[..n]);
                    &found[..n]
                };
                for (&column, &gain) in way.columns.iter().zip(gains) {
                    add(row, column as usize, gain);
                }
            }
        });
    }

    /// Calls `reach` with each leaf and, for every row, the bits of the satisfied columns.
    fn visit_leaves(
        &self,
        columns: &[Column<'_>],
        rows: &[usize],
        scratch: &mut PathBuffers,
        mut reach: impl FnMut(usize, &[u64]),
    ) {
        let tree = self.game.tree;
        let (mut stack, mut n_leaves) = (vec![(0, 0)], 0);
        while let Some((node, depth)) = stack.pop() {
            if depth > 0 {
                let (above, here) = scratch.split_at_mut(depth);
                let (above, taken) = &above[depth - 1];
                let parent = self.parents[node];
                let branch = node - tree.children(parent).start;
                let others = !(1 << self.places[parent]);
                for ((bits, above), &taken) in here[0].0.iter_mut().zip(above).zip(&taken[..rows.len()]) {
                    *bits = if taken == branch { *above } else { above & others };
                }
            }
            if tree.split(node) == TreeSplit::Leaf {
                reach(n_leaves, &scratch[depth].0[..rows.len()]);
                n_leaves += 1;
                continue;
            }
            for (taken, &row) in scratch[depth].1.iter_mut().zip(rows) {
                *taken = branch_of_row(tree, node, columns, row).unwrap_or_else(|| tree.missing_branch(node));
            }
            stack.extend(tree.children(node).rev().map(|child| (child, depth + 1)));
        }
    }
}
