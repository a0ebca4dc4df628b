//! Exact Shapley values of what a tree answers (Lundberg, Erion and Lee 2018, section 3).
//!
//! The game: a column that is known sends the row where its value goes, one that is not sends it to every child by the
//! child's share of the training weight. A leaf is then reached with the product, over the columns on its way, of `hot`
//! (known: the share of the row that goes on) or `cold` (unknown: the share of the training weight that does). The Shapley
//! value of column `i` in a product is `(hot_i - cold_i)` times the integral over `t` in [0, 1] of the product of
//! `cold_j + t (hot_j - cold_j)` over the others: a polynomial, which Gauss and Legendre's rule sums exactly with half as
//! many points as the way has columns (Yu et al. 2022 do the same with points of another kind). So a row costs one visit
//! of every node and a few numbers a visit, where the recursion of the first paper costs the square of the depth a leaf.

use crate::answer::route::known_branch;
use crate::tree::{Cut, Tree};
use imbcore_base::Column;

/// Points in (0, 1) and weights of sum 1 that integrate polynomials of degree `2 n - 1` exactly.
pub(crate) fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut before, mut now) = (1.0, x);
        for k in 2..=n {
            let k = k as f64;
            (before, now) = (now, ((2.0 * k - 1.0) * x * now - (k - 1.0) * before) / k);
        }
        let slope = n as f64 * (x * now - before) / (x * x - 1.0);
        (now, slope)
    };
    let point = |at: usize| {
        // Newton's method from Tricomi's start.
        let mut x = (std::f64::consts::PI * (at as f64 + 0.75) / (n as f64 + 0.5)).cos();
        for _ in 0..20 {
            let (value, slope) = legendre(x);
            let step = value / slope;
            x -= step;
            // Each step squares the error: the next would be lost in rounding.
            if step.abs() < 1e-12 {
                break;
            }
        }
        let slope = legendre(x).1;
        (f64::midpoint(x, 1.0), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    if n == 1 { vec![(0.5, 1.0)] } else { (0..n).map(point).collect() }
}

/// A column on the way to a node: the products of its shares so far, known and unknown.
#[derive(Clone, Copy)]
struct Known {
    hot: f64,
    cold: f64,
}

const NOT_MET: Known = Known { hot: 1.0, cold: 1.0 };

impl Known {
    fn factor(self, t: f64) -> f64 {
        self.cold + t * (self.hot - self.cold)
    }
}

/// A tree as a game: what does not hang on the row.
pub(crate) struct Game<'t> {
    tree: &'t Tree,
    /// Value of every node.
    values: Vec<f64>,
    /// Whether a row without a value goes every way in shares.
    fraction: bool,
    points: Vec<(f64, f64)>,
    /// Share of the training weight of its parent that a node has.
    cold: Vec<f64>,
    deepest: usize,
    n_columns: usize,
}

impl<'t> Game<'t> {
    /// The game of a tree whose nodes have `values`.
    pub(crate) fn new(tree: &'t Tree, values: Vec<f64>, fraction: bool, n_columns: usize) -> Self {
        let n_nodes = tree.n_nodes();
        let (mut depth, mut cold) = (vec![0_usize; n_nodes], vec![1.0; n_nodes]);
        for node in 0..n_nodes {
            let mass = |child: usize| {
                if tree.rows(child) == 0 { 0.0 } else { tree.mass(child).iter().sum::<f64>() }
            };
            let total: f64 = tree.children(node).map(mass).sum();
            for child in tree.children(node) {
                depth[child] = depth[node] + 1;
                // Nobody in training went on from here: all go where rows without a value go.
                let missing = child == tree.children(node).start + tree.missing_branch(node);
                cold[child] = if total > 0.0 { mass(child) / total } else { f64::from(u8::from(missing)) };
            }
        }
        let deepest = depth.into_iter().max().unwrap_or(0);
        let points = gauss_legendre(deepest.min(n_columns).div_ceil(2).max(1));
        Self { tree, values, fraction, points, cold, deepest, n_columns }
    }

    /// Share of a row at a node that goes on to a child.
    fn hot(&self, node: usize, child: usize, columns: &[Column<'_>], row: usize) -> f64 {
        match known_branch(self.tree, node, columns, row) {
            None if self.fraction => self.cold[child],
            taken => {
                let branch = taken.unwrap_or_else(|| self.tree.missing_branch(node));
                f64::from(u8::from(child == self.tree.children(node).start + branch))
            }
        }
    }

    /// What the tree answers on average over its training weight: the value without any column.
    pub(crate) fn base(&self) -> f64 {
        let mut share = vec![1.0; self.tree.n_nodes()];
        let mut base = 0.0;
        for node in 0..self.tree.n_nodes() {
            if self.tree.cut(node) == Cut::Leaf {
                base += share[node] * self.values[node];
            }
            for child in self.tree.children(node) {
                share[child] = share[node] * self.cold[child];
            }
        }
        base
    }
}

/// One row after the other on its ways through a game.
pub(crate) struct Walk<'g> {
    game: &'g Game<'g>,
    /// What is known of each column on the way.
    known: Vec<Known>,
    /// At each depth: products at every point, then sums of the leaves below.
    levels: Vec<(Vec<f64>, Vec<f64>)>,
    /// The nodes from the root to where it stands; trees may be deeper than a thread's own stack.
    way: Vec<Visit>,
}

/// A node that is being visited.
struct Visit {
    node: usize,
    /// The child that comes next.
    next: usize,
    /// What was known of the node's column above it.
    before: Known,
}

impl<'g> Walk<'g> {
    pub(crate) fn new(game: &'g Game<'g>) -> Self {
        let n_points = game.points.len();
        let level = (vec![1.0; n_points], vec![0.0; n_points]);
        Self {
            game,
            known: vec![NOT_MET; game.n_columns],
            levels: vec![level; game.deepest + 1],
            way: Vec::new(),
        }
    }

    /// Adds the value of every column for one row to `out`.
    ///
    /// At the top of the loop the products of the node that is visited stand at its depth, and so do the sums of those of its
    /// children that are done.
    pub(crate) fn explain(&mut self, columns: &[Column<'_>], row: usize, out: &mut [f64]) {
        let tree = self.game.tree;
        self.enter(0);
        while let Some(visit) = self.way.last_mut() {
            let column = tree.column(visit.node);
            let (node, child, before) = (visit.node, visit.next, visit.before);
            if child == tree.children(node).end {
                self.known[column] = before;
                self.way.pop();
                if let Some(above) = self.way.last() {
                    let (column, before) = (tree.column(above.node), above.before);
                    out[column] += self.gather(self.known[column], before);
                }
                continue;
            }
            visit.next += 1;
            let hot = self.game.hot(node, child, columns, row);
            let now = Known { hot: before.hot * hot, cold: before.cold * self.game.cold[child] };
            if now.hot == 0.0 && now.cold == 0.0 {
                continue;
            }
            self.multiply(now, before);
            if tree.cut(child) == Cut::Leaf {
                let (products, sums) = &mut self.levels[self.way.len()];
                let value = self.game.values[child];
                sums.iter_mut().zip(products).for_each(|(sum, product)| *sum = *product * value);
                out[column] += self.gather(now, before);
            } else {
                self.known[column] = now;
                self.enter(child);
            }
        }
    }

    /// Starts a node, whose products stand already; a leaf has nothing to visit.
    fn enter(&mut self, node: usize) {
        let tree = self.game.tree;
        self.levels[self.way.len()].1.fill(0.0);
        if tree.cut(node) != Cut::Leaf {
            let before = self.known[tree.column(node)];
            self.way.push(Visit { node, next: tree.children(node).start, before });
        }
    }

    /// Products for a child, in which what is known of the column changes.
    fn multiply(&mut self, now: Known, before: Known) {
        let (above, below) = self.levels.split_at_mut(self.way.len());
        let ((products, _), (next, _)) = (&above[self.way.len() - 1], &mut below[0]);
        for ((next, product), &(t, _)) in next.iter_mut().zip(products).zip(&self.game.points) {
            *next = product / before.factor(t) * now.factor(t);
        }
    }

    /// Adds the sums of a child that is done to those of its node, and tells what the node's column gains by them.
    fn gather(&mut self, now: Known, before: Known) -> f64 {
        let (above, below) = self.levels.split_at_mut(self.way.len());
        let ((_, sums), (_, part)) = (&mut above[self.way.len() - 1], &below[0]);
        let mut gained = 0.0;
        for ((sum, part), &(t, weight)) in sums.iter_mut().zip(part).zip(&self.game.points) {
            // What an earlier split on the column will count for these leaves is taken back.
            let share = |known: Known| (known.hot - known.cold) / known.factor(t);
            gained += weight * part * (share(now) - share(before));
            *sum += part;
        }
        gained
    }
}
