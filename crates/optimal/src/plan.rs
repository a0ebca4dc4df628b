//! A tree as it is found: nodes with what reaches them, and answers.

use crate::sketch::{Sketch, Split, Test};
use crate::solver::Solver;
use crate::table::{Feature, NO_VALUE, Table};
use std::borrow::Cow;

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
    /// The tree of a sketch in full over some rows. It reads every row once at each depth and no order of a feature, so that
    /// even somebody who stops a search of a million rows has it at once.
    pub(crate) fn plan(&self, rows: &[u32], sketch: &Sketch) -> Plan {
        let mut nodes = vec![self.node(rows)];
        let mut open = vec![(0, rows.to_vec(), sketch)];
        let mut next = 0;
        while let Some((node, rows, sketch)) = open.get_mut(next) {
            next += 1;
            let (node, rows, sketch) = (*node, std::mem::take(rows), *sketch);
            if let Sketch::Answer(answer) = sketch {
                nodes[node].answer = *answer;
            }
            let Sketch::Split(split, sides) = sketch else { continue };
            let (split, sides) = upright(split, sides);
            let first_child = nodes.len();
            let (first, second): (Vec<u32>, Vec<u32>) =
                rows.iter().partition(|&&row| split.takes(self.table, row));
            for (rows, sketch) in [first, second].into_iter().zip(sides) {
                nodes.push(self.node(&rows));
                open.push((nodes.len() - 1, rows, sketch));
            }
            let missing_child = if has_holes(self.table, &rows, split.feature) {
                usize::from(!split.missing_first)
            } else {
                let weight = |node: &PlanNode| node.mass.iter().sum::<f64>();
                usize::from(weight(&nodes[first_child + 1]) > weight(&nodes[first_child]))
            };
            let cut = cut(self.table, &rows, &split);
            nodes[node] =
                PlanNode { cut, feature: split.feature, first_child, missing_child, ..nodes[node].clone() };
        }
        Plan { nodes }
    }

    fn node(&self, rows: &[u32]) -> PlanNode {
        let n_classes = self.table.n_classes();
        let (mut mass, mut units, mut n_rows) = (vec![0.0; n_classes], vec![0.0; n_classes], 0);
        for &row in rows {
            let row = row as usize;
            mass.iter_mut().zip(self.table.mass(row)).for_each(|(sum, of_row)| *sum += of_row);
            units.iter_mut().zip(self.table.units(row)).for_each(|(sum, of_row)| *sum += of_row);
            n_rows += self.table.count(row);
        }
        let totals = self.prices.totals(rows);
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

/// A split off of no level but the rows without a value, turned round: a tree asks for those that have one.
fn upright<'s>(split: &'s Split, sides: &'s [Sketch; 2]) -> (Cow<'s, Split>, [&'s Sketch; 2]) {
    let [first, second] = sides;
    match &split.test {
        Test::Levels(levels) if levels.is_empty() => {
            let turned = Split { feature: split.feature, test: Test::Known, missing_first: false };
            (Cow::Owned(turned), [second, first])
        }
        _ => (Cow::Borrowed(split), [first, second]),
    }
}

fn has_holes(table: &Table, rows: &[u32], feature: usize) -> bool {
    let feature = table.feature(feature);
    let hole = match feature {
        Feature::Ordered { .. } => NO_VALUE,
        Feature::Levels { n_levels, .. } => *n_levels,
    };
    rows.iter().any(|&row| feature.codes()[row as usize] == hole)
}

fn cut(table: &Table, rows: &[u32], split: &Split) -> PlanCut {
    match &split.test {
        Test::Known => PlanCut::Known,
        Test::Level(level) => PlanCut::IsLevel(*level),
        Test::Levels(levels) if levels.len() == 1 => PlanCut::IsLevel(levels[0]),
        Test::Levels(levels) => PlanCut::InLevels(levels.clone()),
        Test::Below(rank) => {
            let codes = table.feature(split.feature).codes();
            let ranks = || rows.iter().map(|&row| codes[row as usize]).filter(|&at| at != NO_VALUE);
            let below = ranks().filter(|at| at <= rank).max();
            let above = ranks().filter(|at| at > rank).min();
            match (below, above) {
                (Some(below), Some(above)) => PlanCut::Below(table.cut(split.feature, below, above)),
                // Rows without a value are all there is on the other side.
                _ => PlanCut::Known,
            }
        }
    }
}
