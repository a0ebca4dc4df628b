//! Nearest neighbors by a kd-tree, for few columns and many rows.

use crate::collectors::NeighborCollector;
use crate::distance_space::{DistanceSpace, squared_distance};
use imbcore_core::memory::try_with_capacity;
use imbcore_core::{Result, RunContext};

const LEAF: usize = 32;

/// Tree over rows that may be neighbors, split at the median of the column of widest range.
#[derive(Clone, Debug)]
pub(crate) struct KdTree<'s> {
    space: &'s DistanceSpace<'s>,
    /// Rows in the order of the leaves; `numbers` has their coordinates in the same order.
    rows: Vec<u32>,
    numbers: Vec<f64>,
    nodes: Vec<KdNode>,
    /// Bounding box of every node: smallest and largest value of its rows in every column.
    boxes: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct KdNode {
    start: u32,
    end: u32,
    /// Index of the right child, or 0 for a leaf; the left child is the next node in the list.
    right: u32,
}

impl<'s> KdTree<'s> {
    /// Builds the tree; nominal columns are not supported.
    pub(crate) fn new(space: &'s DistanceSpace<'s>, rows: &[u32], ctl: RunContext<'_>) -> Result<Self> {
        let mut tree =
            Self { space, rows: rows.to_vec(), numbers: Vec::new(), nodes: Vec::new(), boxes: Vec::new() };
        if !rows.is_empty() {
            tree.build_subtree(0, rows.len(), ctl)?;
        }
        tree.numbers = try_with_capacity(rows.len() * space.n_numeric(), "a kd-tree")?;
        for &row in &tree.rows {
            tree.numbers.extend_from_slice(space.numeric_values(row));
        }
        Ok(tree)
    }

    fn build_subtree(&mut self, start: usize, end: usize, ctl: RunContext<'_>) -> Result<u32> {
        ctl.check()?;
        let (node, width) = (self.nodes.len(), self.space.n_numeric());
        let mut low = self.space.numeric_values(self.rows[start]).to_vec();
        let mut high = low.clone();
        for &row in &self.rows[start..end] {
            for (column, &x) in self.space.numeric_values(row).iter().enumerate() {
                low[column] = low[column].min(x);
                high[column] = high[column].max(x);
            }
        }
        let mut widest = 0;
        for column in 1..width {
            if high[column] - low[column] > high[widest] - low[widest] {
                widest = column;
            }
        }
        let alike = low[widest] == high[widest];
        self.boxes.append(&mut low);
        self.boxes.append(&mut high);
        self.nodes.push(KdNode { start: start as u32, end: end as u32, right: 0 });
        if end - start > LEAF && !alike {
            let (middle, space) = (usize::midpoint(start, end), self.space);
            let by_value = |a: &u32, b: &u32| {
                space.numeric_values(*a)[widest].total_cmp(&space.numeric_values(*b)[widest])
            };
            self.rows[start..end]
                .select_nth_unstable_by(middle - start, |a, b| by_value(a, b).then(a.cmp(b)));
            self.build_subtree(start, middle, ctl)?;
            self.nodes[node].right = self.build_subtree(middle, end, ctl)?;
        }
        Ok(node as u32)
    }

    /// Squared distance of a point to the bounding box of a node.
    ///
    /// It is summed in the same column order as the distance to a row. No term exceeds the corresponding term
    /// for a row in the box. So, in spite of rounding, it never exceeds the computed distance to a row in the
    /// box, and pruning is exact.
    fn squared_distance_to_box(&self, point: &[f64], node: u32) -> f64 {
        let width = point.len();
        let (low, high) =
            self.boxes[2 * width * node as usize..2 * width * (node as usize + 1)].split_at(width);
        let mut sum = 0.0;
        for ((&x, &low), &high) in point.iter().zip(low).zip(high) {
            let distance = if x < low {
                low - x
            } else if x > high {
                x - high
            } else {
                0.0
            };
            sum += distance * distance;
        }
        sum
    }

    /// Passes all rows within the collector's limit to the collector, except the query.
    pub(crate) fn collect_neighbors<V: NeighborCollector>(&self, query: u32, visitor: &mut V) {
        if self.nodes.is_empty() {
            return;
        }
        let (point, width) = (self.space.numeric_values(query), self.space.n_numeric());
        let mut open = vec![(0.0, 0_u32)];
        while let Some((bound, node)) = open.pop() {
            if bound > visitor.max_squared_distance() {
                continue;
            }
            let KdNode { start, end, right } = self.nodes[node as usize];
            if right == 0 {
                for place in start as usize..end as usize {
                    let (row, numbers) =
                        (self.rows[place], &self.numbers[place * width..(place + 1) * width]);
                    let distance = squared_distance(point, numbers);
                    if row != query && distance <= visitor.max_squared_distance() {
                        visitor.offer(row, distance);
                    }
                }
                continue;
            }
            let children = [node + 1, right].map(|child| (self.squared_distance_to_box(point, child), child));
            let nearer = usize::from(children[1].0 < children[0].0);
            open.push(children[1 - nearer]);
            open.push(children[nearer]);
        }
    }
}
