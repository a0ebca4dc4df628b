//! A tree as it is found: nodes with what reaches them, and answers.

use crate::sketch::{Sketch, Split, Test};
use crate::solver::Solver;
use crate::subset::{Subset, entry};
use crate::table::{Feature, Table};
use imbcore_base::Result;

/// How a node of a plan sends rows to its children.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanCut {
    /// The node is a leaf.
    Leaf,
    /// Values at most this go to the first child.
    Below(f64),
    /// Rows with a value do.
    Known,
    /// Rows of this level do.
    IsLevel(u32),
    /// Rows of these levels do, ascending.
    InLevels(Vec<u32>),
}

/// A node of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanNode {
    /// How it splits.
    pub cut: PlanCut,
    /// By which feature; 0 for a leaf.
    pub feature: usize,
    /// The first of its two children; 0 for a leaf.
    pub first_child: usize,
    /// Which child takes rows without a value.
    pub missing_child: usize,
    /// Training rows with weight that reach it.
    pub n_rows: u32,
    /// Their weight, by class.
    pub mass: Vec<f64>,
    /// The same in units of each class.
    pub units: Vec<f64>,
    /// The answer that costs least.
    pub answer: u32,
}

/// A tree; the root is node 0, children are neighbours and come after their parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The nodes.
    pub nodes: Vec<PlanNode>,
}

impl Plan {
    /// The leaves.
    pub fn leaves(&self) -> impl Iterator<Item = &PlanNode> {
        self.nodes.iter().filter(|node| node.cut == PlanCut::Leaf)
    }

    /// Units of each class that are answered otherwise, `class * n_classes + answer`.
    pub fn confusion(&self) -> Vec<f64> {
        let n_classes = self.nodes.first().map_or(0, |root| root.units.len());
        let mut confusion = vec![0.0; n_classes * n_classes];
        for leaf in self.leaves() {
            for (class, units) in leaf.units.iter().enumerate() {
                confusion[class * n_classes + leaf.answer as usize] += units;
            }
        }
        confusion
    }
}

impl<const K: usize, const P: usize> Solver<'_, K, P> {
    /// The tree of a sketch over some rows.
    pub(crate) fn plan(&self, subset: &Subset, sketch: &Sketch) -> Result<Plan> {
        let mut nodes = vec![self.node(subset)];
        let mut open = vec![(0, subset.clone(), sketch.clone())];
        let mut next = 0;
        while let Some((node, subset, sketch)) = open.get(next).cloned() {
            next += 1;
            let sketch = if sketch == Sketch::Stump { self.stump(&subset).sketch } else { sketch };
            if let Sketch::Answer(answer) = sketch {
                nodes[node].answer = answer;
            }
            let Sketch::Split(split, sides) = sketch else { continue };
            let first_child = nodes.len();
            for (rows, sketch) in subset.last_sides(self.table, &split)?.into_iter().zip(*sides) {
                nodes.push(self.node(&rows));
                open.push((nodes.len() - 1, rows, sketch));
            }
            let missing_child = if has_holes(self.table, &subset, split.feature) {
                usize::from(!split.missing_first)
            } else {
                let weight = |node: &PlanNode| node.mass.iter().sum::<f64>();
                usize::from(weight(&nodes[first_child + 1]) > weight(&nodes[first_child]))
            };
            let cut = cut(self.table, &subset, &split);
            nodes[node] =
                PlanNode { cut, feature: split.feature, first_child, missing_child, ..nodes[node].clone() };
        }
        Ok(Plan { nodes })
    }

    fn node(&self, subset: &Subset) -> PlanNode {
        let n_classes = self.table.n_classes();
        let (mut mass, mut units, mut n_rows) = (vec![0.0; n_classes], vec![0.0; n_classes], 0);
        for &row in &subset.rows {
            let row = row as usize;
            mass.iter_mut().zip(self.table.mass(row)).for_each(|(sum, of_row)| *sum += of_row);
            units.iter_mut().zip(self.table.units(row)).for_each(|(sum, of_row)| *sum += of_row);
            n_rows += self.table.count(row);
        }
        let totals = self.prices.totals(&subset.rows);
        let mut answer = 0;
        for other in 1..n_classes {
            if totals[other] < totals[answer] {
                answer = other;
            }
        }
        let answer = answer as u32;
        let cut = PlanCut::Leaf;
        PlanNode { cut, feature: 0, first_child: 0, missing_child: 0, n_rows, mass, units, answer }
    }
}

fn has_holes(table: &Table, subset: &Subset, feature: usize) -> bool {
    match table.feature(feature) {
        Feature::Ordered { .. } => !subset.holes[feature].is_empty(),
        Feature::Levels { codes, n_levels } => {
            subset.rows.iter().any(|&row| codes[row as usize] == *n_levels)
        }
    }
}

fn cut(table: &Table, subset: &Subset, split: &Split) -> PlanCut {
    match &split.test {
        Test::Known => PlanCut::Known,
        Test::Level(level) => PlanCut::IsLevel(*level),
        Test::Levels(levels) if levels.len() == 1 => PlanCut::IsLevel(levels[0]),
        Test::Levels(levels) => PlanCut::InLevels(levels.clone()),
        Test::Below(rank) => {
            let codes = table.feature(split.feature).codes();
            let order = &subset.orders[split.feature];
            let ranks = || order.iter().map(|&at| codes[entry(at).0]);
            let below = ranks().take_while(|at| at <= rank).last();
            let above = ranks().find(|at| at > rank);
            match (below, above) {
                (Some(below), Some(above)) => PlanCut::Below(table.cut(split.feature, below, above)),
                // Rows without a value are all there is on the other side.
                _ => PlanCut::Known,
            }
        }
    }
}
