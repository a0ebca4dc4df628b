//! Shapley values by a traversal of all nodes, for trees of any depth.
//! Rows may go to several children in fractions.

use crate::prediction::shapley::context::{RowRef, TreeShapContext};
use crate::prediction::shapley::legendre::gauss_legendre;
use crate::tree::TreeSplit;

/// Two factors of one column: products over all splits on this column on the current path.
///
/// `hot` is the fraction of the explained row that passes these splits. `cold` is the fraction of the
/// background row, or of the training weight, that passes these splits.
#[derive(Clone, Copy)]
struct PathFactor {
    hot: f64,
    cold: f64,
}

const NOT_MET: PathFactor = PathFactor { hot: 1.0, cold: 1.0 };

impl PathFactor {
    fn value_at(self, t: f64) -> f64 {
        self.cold + t * (self.hot - self.cold)
    }
}

pub(crate) struct RecursiveShap<'g> {
    game: &'g TreeShapContext<'g>,
    points: Vec<(f64, f64)>,
    known: Vec<PathFactor>,
    /// For each depth, two arrays with one number per quadrature point.
    ///
    /// The first array is the product of the factors on the path. The second is the sum of the products of
    /// all finished leaves below the node, each times the value of its leaf.
    levels: Vec<(Vec<f64>, Vec<f64>)>,
    /// Stack of the nodes from the root to the current node; trees may be too deep for recursion.
    way: Vec<PathNode>,
}

struct PathNode {
    node: usize,
    next: usize,
    /// Factors of the node's split column, before the split of this node is applied.
    before: PathFactor,
}

impl<'g> RecursiveShap<'g> {
    pub(crate) fn new(game: &'g TreeShapContext<'g>) -> Self {
        let points = gauss_legendre(game.deepest.min(game.n_columns).div_ceil(2).max(1));
        let level = (vec![1.0; points.len()], vec![0.0; points.len()]);
        Self {
            game,
            points,
            known: vec![NOT_MET; game.n_columns],
            levels: vec![level; game.deepest + 1],
            way: Vec::new(),
        }
    }

    /// `other` is a background row; `None` stands for the training weights.
    ///
    /// Loop invariant: `levels` at the depth of the current node contains the products of this node and the
    /// sums over its finished children.
    pub(crate) fn add_shapley_values_of_row(
        &mut self,
        player: RowRef<'_>,
        other: Option<RowRef<'_>>,
        out: &mut [f64],
    ) {
        let tree = self.game.tree;
        self.push_node(0);
        while let Some(visit) = self.way.last_mut() {
            let column = tree.column(visit.node);
            let (node, child, before) = (visit.node, visit.next, visit.before);
            if child == tree.children(node).end {
                self.known[column] = before;
                self.way.pop();
                if let Some(above) = self.way.last() {
                    let (column, before) = (tree.column(above.node), above.before);
                    out[column] += self.pop_child_sums(self.known[column], before);
                }
                continue;
            }
            visit.next += 1;
            let (hot, cold) = (
                self.game.child_fraction(node, child, Some(player)),
                self.game.child_fraction(node, child, other),
            );
            let now = PathFactor { hot: before.hot * hot, cold: before.cold * cold };
            if now.hot == 0.0 && now.cold == 0.0 {
                continue;
            }
            self.extend_products(now, before);
            if tree.split(child) == TreeSplit::Leaf {
                let (products, sums) = &mut self.levels[self.way.len()];
                let value = self.game.values[child];
                sums.iter_mut().zip(products).for_each(|(sum, product)| *sum = *product * value);
                out[column] += self.pop_child_sums(now, before);
            } else {
                self.known[column] = now;
                self.push_node(child);
            }
        }
    }

    /// The products of the node must already be computed.
    fn push_node(&mut self, node: usize) {
        let tree = self.game.tree;
        self.levels[self.way.len()].1.fill(0.0);
        if tree.split(node) != TreeSplit::Leaf {
            let before = self.known[tree.column(node)];
            self.way.push(PathNode { node, next: tree.children(node).start, before });
        }
    }

    /// The split changes the factors of its column from `before` to `now`.
    fn extend_products(&mut self, now: PathFactor, before: PathFactor) {
        let (above, below) = self.levels.split_at_mut(self.way.len());
        let ((products, _), (next, _)) = (&above[self.way.len() - 1], &mut below[0]);
        for ((next, product), &(t, _)) in next.iter_mut().zip(products).zip(&self.points) {
            *next = product / before.value_at(t) * now.value_at(t);
        }
    }

    /// Returns what the leaves below the child add to the Shapley value of the split column.
    fn pop_child_sums(&mut self, now: PathFactor, before: PathFactor) -> f64 {
        let (above, below) = self.levels.split_at_mut(self.way.len());
        let ((_, sums), (_, part)) = (&mut above[self.way.len() - 1], &below[0]);
        let mut gained = 0.0;
        for ((sum, part), &(t, weight)) in sums.iter_mut().zip(part).zip(&self.points) {
            // A path may have several splits on one column. Each split adds the change of `share` that it
            // causes. The changes add up to the final value of `share`, because `share` is 0 before the first
            // split.
            let share = |known: PathFactor| (known.hot - known.cold) / known.value_at(t);
            gained += weight * part * (share(now) - share(before));
            *sum += part;
        }
        gained
    }
}
