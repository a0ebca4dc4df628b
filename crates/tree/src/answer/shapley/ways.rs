//! Shapley values leaf by leaf, for rows that go one way at a time (Nadel and Wettenstein 2025 do so by bit patterns too).
//!
//! A leaf that a row reaches only if the columns on its way all lead to it sees of a row no more than which of them do: a bit
//! a column. Against a row of the background the row's own columns must fill what that one's leave open; with `a` columns
//! that only the row's values lead on and `b` that only the other's do, the former gain `(a - 1)! b! / (a + b)!` of the
//! leaf's value each and the latter lose `a! (b - 1)! / (a + b)!` (Lundberg et al. 2020; Laberge and Pequignot 2022). So
//! rows of the background with equal bits count as one, and leaves with few columns hold a table of all bits.

use crate::answer::route::known_branch;
use crate::answer::shapley::game::Game;
use crate::answer::shapley::legendre::gauss_legendre;
use crate::tree::Cut;
use imbcore_base::{Column, Frame, Result, RunCtl, memory, share};
use std::collections::BTreeMap;

/// Rows that go from leaf to leaf together.
pub(crate) const TOGETHER: usize = 256;
/// Deeper trees may have more columns on a way than a word has bits.
const DEEPEST: usize = 64;
/// Cells that the tables of a tree may have together.
const CELLS: usize = 1 << 20;

/// One way from the root to a leaf.
struct Way {
    value: f64,
    /// The columns on the way, in the order in which they are met.
    columns: Vec<u32>,
    unknown: Unknown,
    /// What every column gains, by the bits of those that lead on, where there is room for all and rows to ask for them.
    table: Option<Vec<f64>>,
}

/// What stands in for columns that are not known.
enum Unknown {
    /// The training weight: at every point and column, for a column that does not lead on and one that does, the factor of the
    /// product, and what the product is multiplied with to be the column's gain.
    Trained { weights: Vec<f64>, factors: Vec<[(f64, f64); 2]> },
    /// Rows: bits of the columns that lead on, and the share of the rows that have them.
    Rows(Vec<(u64, f64)>),
}

impl Way {
    fn all(&self) -> u64 {
        u64::MAX.checked_shr(DEEPEST as u32 - self.columns.len() as u32).unwrap_or(0)
    }

    /// Cells of its table, and whether there may be one for this many rows.
    fn cells(&self) -> usize {
        let n = self.columns.len();
        if n < 24 { n << n } else { usize::MAX }
    }

    /// What every column gains where those in `met` lead on.
    fn gains(&self, met: u64, orders: &Orders, gains: &mut [f64]) {
        gains.fill(0.0);
        if gains.is_empty() {
            return;
        }
        match &self.unknown {
            Unknown::Trained { weights, factors } => {
                let bit = |at: usize| (met >> at & 1) as usize;
                for (weight, factors) in weights.iter().zip(factors.chunks_exact(gains.len())) {
                    let product = factors
                        .iter()
                        .enumerate()
                        .fold(self.value * weight, |product, (at, factor)| product * factor[bit(at)].0);
                    for (at, (gain, factor)) in gains.iter_mut().zip(factors).enumerate() {
                        *gain += product * factor[bit(at)].1;
                    }
                }
            }
            Unknown::Rows(rows) => {
                let open = self.all() & !met;
                let mut lost = 0.0;
                for &(other, share) in rows.iter().filter(|(other, _)| open & !other == 0) {
                    let own = self.all() & !other;
                    let gained = share * self.value * orders.of(own.count_ones(), open.count_ones());
                    places(own).for_each(|at| gains[at] += gained);
                    lost += share * self.value * orders.of(open.count_ones(), own.count_ones());
                }
                places(open).for_each(|at| gains[at] -= lost);
            }
        }
    }
}

/// Places of the bits that are set.
fn places(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (at < DEEPEST).then_some(at)
    })
}

/// `(a - 1)! b! / (a + b)!` for `a` and `b` of up to so many columns.
struct Orders {
    width: usize,
    values: Vec<f64>,
}

impl Orders {
    fn new(most: usize) -> Self {
        let width = most + 1;
        let value = |a: usize, b: usize| {
            let binomial = (1..=b).fold(1.0, |value, k| value * (a + k) as f64 / k as f64);
            if a == 0 { 0.0 } else { 1.0 / (a as f64 * binomial) }
        };
        Self { width, values: (0..width * width).map(|at| value(at / width, at % width)).collect() }
    }

    fn of(&self, a: u32, b: u32) -> f64 {
        self.values[a as usize * self.width + b as usize]
    }
}

/// All ways of a tree.
pub(crate) struct Ways<'g> {
    game: &'g Game<'g>,
    parents: Vec<usize>,
    /// The place of the column of every node on the ways through it.
    places: Vec<u32>,
    /// In the order in which leaves are visited.
    leaves: Vec<Way>,
    orders: Orders,
}

/// Where rows stand on their way: at each depth the bits of every row, and the branch that it takes.
pub(crate) type Scratch = Vec<(Vec<u64>, Vec<usize>)>;

impl<'g> Ways<'g> {
    /// The ways of a tree, for `n_rows` rows to ask; none where the tree is too deep, has too many cells for its tables, or rows
    /// of the background go several ways from a node.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`], [`imbcore_base::Error::Memory`].
    pub(crate) fn new(game: &'g Game<'g>, n_rows: usize, ctl: RunCtl<'_>) -> Result<Option<Self>> {
        if game.deepest > DEEPEST || game.others().flatten().any(|other| game.is_shared_out(other)) {
            return Ok(None);
        }
        let tree = game.tree;
        let mut found = Self {
            game,
            parents: tree.parents(),
            places: vec![0; tree.n_nodes()],
            leaves: Vec::new(),
            orders: Orders::new(game.deepest.min(game.n_columns)),
        };
        let shares = found.lay();
        let cells = found.leaves.iter().fold(0_usize, |sum, way| sum.saturating_add(way.cells()));
        if let Some(background) = game.background {
            found.meet_background(background, ctl)?;
        } else if cells <= CELLS {
            found.meet_training(&shares);
        } else {
            return Ok(None);
        }
        found.fill_tables(n_rows, ctl)?;
        Ok(Some(found))
    }

    /// Lists the ways, and tells the shares of the training weight that every column on them leads on.
    fn lay(&mut self) -> Vec<Vec<f64>> {
        let tree = self.game.tree;
        let mut shares = Vec::new();
        let mut stack = vec![(0, Vec::<u32>::new(), Vec::<f64>::new())];
        while let Some((node, mut columns, mut trained)) = stack.pop() {
            if tree.cut(node) == Cut::Leaf {
                let value = self.game.values[node];
                self.leaves.push(Way { value, columns, unknown: Unknown::Rows(Vec::new()), table: None });
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
                trained[place] *= self.game.share(node, child, None);
                stack.push((child, columns.clone(), trained));
            }
        }
        shares
    }

    /// Has the training weight stand in for columns that are not known.
    fn meet_training(&mut self, shares: &[Vec<f64>]) {
        let most = self.leaves.iter().map(|way| way.columns.len()).max().unwrap_or(0);
        let rules: Vec<_> = (0..=most.div_ceil(2)).map(|n| gauss_legendre(n.max(1))).collect();
        for (way, shares) in self.leaves.iter_mut().zip(shares) {
            let rule = &rules[shares.len().div_ceil(2)];
            let factor = |t: f64, cold: f64, hot: f64| {
                let factor = cold + t * (hot - cold);
                // Nothing leads on: the leaf tells nothing of any column.
                (factor, if factor == 0.0 { 0.0 } else { (hot - cold) / factor })
            };
            let factors = rule.iter().flat_map(|&(t, _)| {
                shares.iter().map(move |&cold| [factor(t, cold, 0.0), factor(t, cold, 1.0)])
            });
            way.unknown = Unknown::Trained {
                weights: rule.iter().map(|&(_, weight)| weight).collect(),
                factors: factors.collect(),
            };
        }
    }

    /// Has the rows of the background stand in for columns that are not known.
    fn meet_background(&mut self, background: &Frame<'_>, ctl: RunCtl<'_>) -> Result<()> {
        let mut counts = vec![BTreeMap::<u64, usize>::new(); self.leaves.len()];
        let (rows, mut scratch): (Vec<usize>, _) = ((0..background.n_rows()).collect(), self.scratch());
        for rows in rows.chunks(TOGETHER) {
            ctl.check()?;
            self.visit(background.columns(), rows, &mut scratch, |at, bits| {
                let all = self.leaves[at].all();
                for bits in bits {
                    *counts[at].entry(bits & all).or_default() += 1;
                }
            });
        }
        for (way, counts) in self.leaves.iter_mut().zip(counts) {
            let mut shares = memory::reserved(counts.len(), "rows of the background")?;
            shares.extend(counts.into_iter().map(|(bits, count)| (bits, count as f64 / rows.len() as f64)));
            way.unknown = Unknown::Rows(shares);
        }
        Ok(())
    }

    /// Finds beforehand what rows will ask for, where they are more than the answers.
    fn fill_tables(&mut self, n_rows: usize, ctl: RunCtl<'_>) -> Result<()> {
        let mut left = CELLS;
        let wanted: Vec<bool> = self
            .leaves
            .iter()
            .map(|way| {
                let fits = way.cells() <= left && n_rows >> way.columns.len() > 0;
                left -= if fits { way.cells() } else { 0 };
                fits
            })
            .collect();
        let table = |(way, wanted): (&Way, bool)| {
            ctl.check()?;
            let n = way.columns.len();
            if !wanted {
                return Ok(None);
            }
            let mut cells = memory::filled(way.cells(), 0.0, "tables of leaves")?;
            for (met, gains) in cells.chunks_exact_mut(n.max(1)).enumerate() {
                way.gains(met as u64, &self.orders, gains);
            }
            Ok(Some(cells))
        };
        let tables = share::try_map(self.leaves.iter().zip(wanted), table)?;
        for (way, table) in self.leaves.iter_mut().zip(tables) {
            way.table = table;
        }
        Ok(())
    }

    /// Room for rows that stand on a way.
    pub(crate) fn scratch(&self) -> Scratch {
        vec![(vec![u64::MAX; TOGETHER], vec![0; TOGETHER]); self.game.deepest + 1]
    }

    /// Tells `add` what the columns of some rows gain by every leaf.
    pub(crate) fn add(
        &self,
        columns: &[Column<'_>],
        rows: &[usize],
        scratch: &mut Scratch,
        mut add: impl FnMut(usize, usize, f64),
    ) {
        let mut found = [0.0; DEEPEST];
        self.visit(columns, rows, scratch, |at, bits| {
            let way = &self.leaves[at];
            let (all, n) = (way.all(), way.columns.len());
            for (&row, &bits) in rows.iter().zip(bits) {
                let met = bits & all;
                let gains = if let Some(table) = &way.table {
                    &table[met as usize * n..][..n]
                } else {
                    way.gains(met, &self.orders, &mut found[..n]);
                    &found[..n]
                };
                for (&column, &gain) in way.columns.iter().zip(gains) {
                    add(row, column as usize, gain);
                }
            }
        });
    }

    /// Goes from leaf to leaf with some rows, at most as many as go together, and tells which of the columns on its way lead on.
    fn visit(
        &self,
        columns: &[Column<'_>],
        rows: &[usize],
        scratch: &mut Scratch,
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
            if tree.cut(node) == Cut::Leaf {
                reach(n_leaves, &scratch[depth].0[..rows.len()]);
                n_leaves += 1;
                continue;
            }
            for (taken, &row) in scratch[depth].1.iter_mut().zip(rows) {
                *taken = known_branch(tree, node, columns, row).unwrap_or_else(|| tree.missing_branch(node));
            }
            stack.extend(tree.children(node).rev().map(|child| (child, depth + 1)));
        }
    }
}
