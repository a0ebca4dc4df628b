//! Breadth-first growth of an SVR tree (Zhu, Li and Dunson 2021, section 2.5).

use super::axes::{AxisColumnPart, SvrData, UnitCubeAxis};
use super::leaf_boxes::LeafBoxes;
use super::params::{PureNodes, StopRule};
use super::sample::{AxisPoint, SvrSample, separate_missing};
use super::scan::{
    FirstBelowLimitSearch, LargestGainSearch, LowestRiskSearch, NodeScan, dominant_label_impurity,
    signed_impurity,
};
use super::split::{SvrCandidate, tie_tolerance};
use super::surface::{ClassRegionMeasures, Neighborhood, SurfacePenalty};
use super::svr_stats::{SvrGrowthStep, SvrTreeStats};
use crate::bits;
use crate::class_groups::ClassGroups;
use crate::masses::NodeMasses;
use crate::tree::{Tree, TreeSplit};
use imbcore_core::{Error, Result, RunContext, midpoint};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::AtomicU64;

const TASK: usize = 1 << 13;

/// Tolerance of feature selection: a gain may be this much below the minimum gain.
const GAIN_SLACK: f64 = 1e-13;

/// Settings for one tree; some depend on its rows.
///
/// Classes are numbered in the order that `tie_break_order` returns.
#[derive(Clone, Debug)]
pub(super) struct SvrSettings {
    pub(super) lambda: f64,
    pub(super) max_leaves: f64,
    pub(super) axes: Vec<usize>,
    /// Gain by which a split on an unused axis must exceed all splits on used axes.
    ///
    /// An axis is used if the tree has splits on it. `None` without feature selection.
    pub(super) least_gain: Option<f64>,
    pub(super) pure_nodes: PureNodes,
    pub(super) stop_rule: StopRule,
    pub(super) penalty: SurfacePenalty,
    pub(super) weights: Vec<f64>,
    pub(super) codes: Vec<usize>,
}

pub(super) struct GrownSvrTree {
    pub(super) tree: Tree,
    pub(super) labels: Vec<u32>,
    pub(super) start: SvrTreeStats,
    pub(super) steps: Vec<SvrGrowthStep>,
}

/// Node that may be split.
/// `index` is the index of its box. `points` is the range of its rows in the sorted list of every axis.
struct SvrNode {
    index: usize,
    points: Range<usize>,
    units: Vec<f64>,
    label: usize,
    division: Option<SvrSplit>,
}

struct SvrSplit {
    cut: TreeSplit,
    column: u32,
    first_child: u32,
    missing_child: u32,
    set: Vec<u32>,
    gain: f64,
}

struct BestSplit {
    axis: usize,
    candidate: SvrCandidate,
    cut: f64,
    regions: ClassRegionMeasures,
}

struct SvrGrower<'g, 'a> {
    ground: &'g SvrData<'a>,
    settings: &'g SvrSettings,
    sample: SvrSample<'g>,
    is_lower: Vec<bool>,
    ctl: RunContext<'g>,
    boxes: LeafBoxes,
    regions: ClassRegionMeasures,
    nodes: Vec<SvrNode>,
    queue: VecDeque<usize>,
    total: f64,
    impurity: f64,
    signed_impurity: f64,
    risk: f64,
}

/// Grows a tree on a sample of the training data.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`].
pub(super) fn grow(
    ground: &SvrData<'_>,
    mut sample: SvrSample<'_>,
    settings: &SvrSettings,
    ctl: RunContext<'_>,
) -> Result<GrownSvrTree> {
    let mut place = vec![0; settings.codes.len()];
    for (class, &code) in settings.codes.iter().enumerate() {
        place[code] = class as u16;
    }
    for point in sample.points.iter_mut().flatten() {
        point.class = place[point.class as usize];
    }
    let units: Vec<f64> = settings.codes.iter().map(|&code| sample.class_units[code]).collect();
    let masses = class_masses(&units, settings);
    let total: f64 = masses.iter().sum();
    let impurity = dominant_label_impurity(&masses) / total;
    // The root is labeled with the class of the largest mass. Ties go to the class with the highest number.
    // With class weights that equalize two classes, this is the rare class, unless only the other class is
    // penalized.
    let heavier = |best: usize, class: usize| if masses[class] >= masses[best] { class } else { best };
    let label = (0..masses.len()).fold(0, heavier);
    let (n_axes, n_classes) = (sample.points.len(), units.len());
    let mut growth = SvrGrower {
        ground,
        settings,
        is_lower: vec![false; ground.n_rows()],
        ctl,
        boxes: LeafBoxes::new(n_axes, label),
        regions: ClassRegionMeasures::single_leaf(n_classes, label, n_axes),
        nodes: Vec::new(),
        queue: VecDeque::new(),
        total,
        impurity,
        signed_impurity: impurity,
        risk: 0.0,
        sample,
    };
    let points = 0..growth.sample.points[0].len();
    growth.nodes.push(SvrNode { index: 0, points, units, label, division: None });
    growth.queue.push_back(0);
    growth.risk = impurity + settings.lambda * growth.regularizer_value();
    growth.grow()
}

fn class_masses(units: &[f64], settings: &SvrSettings) -> Vec<f64> {
    units.iter().zip(&settings.weights).map(|(units, weight)| units * weight).collect()
}

impl SvrGrower<'_, '_> {
    fn grow(mut self) -> Result<GrownSvrTree> {
        let start = self.current_state();
        let mut steps = Vec::new();
        while let Some(node) = self.queue.pop_front() {
            let size = match self.settings.stop_rule {
                StopRule::Leaves => self.boxes.len(),
                StopRule::Dequeues => 1 + steps.len(),
            };
            if size as f64 >= self.settings.max_leaves {
                break;
            }
            self.ctl.check()?;
            let split = self.split_node(node)?;
            steps.push(SvrGrowthStep { node: node as u32, split, state: self.current_state() });
        }
        let labels = self.nodes.iter().map(|node| self.settings.codes[node.label] as u32).collect();
        Ok(GrownSvrTree { tree: self.build_tree(), labels, start, steps })
    }

    /// Splits a node if a split reduces the risk; returns the axis and the threshold.
    fn split_node(&mut self, node: usize) -> Result<Option<(u32, f64)>> {
        let Some(BestSplit { axis, candidate, cut, regions }) = self.best_split(node)? else {
            return Ok(None);
        };
        let here = self.nodes[node].points.clone();
        let (known, missing) = separate_missing(&self.sample.points[axis][here.clone()]);
        let (below, above) = known.split_at(candidate.n_lower);
        // If no row of the node has a missing value in this column, missing values at prediction go to the
        // larger child.
        let larger = || usize::from(self.sample.count_rows(below) <= self.sample.count_rows(above));
        let missing_child = candidate.missing.unwrap_or_else(larger);
        for (points, is_lower) in [(below, true), (above, false), (missing, missing_child == 0)] {
            for point in points {
                self.is_lower[point.row as usize] = is_lower;
            }
        }
        let threshold = |(lower, upper): (&AxisPoint, &AxisPoint)| {
            let value = |point: &AxisPoint| self.ground.coordinate_in_data_units(axis, point.row);
            midpoint(value(lower), value(upper))
        };
        let threshold = below.last().zip(above.first()).map_or(cut, threshold);
        let last = below.last().map_or(cut, |point| point.x);
        let middle = here.start + self.partition_rows(&here)?;
        let parts = [here.start..middle, middle..here.end];
        let units = parts.clone().map(|points| self.unscaled_class_masses(points));
        let gain = self.update_tree_impurity(node, &units, candidate.labels);
        let UnitCubeAxis { column, along } = self.ground.axes[axis];
        let levels = (0..).zip(&self.sample.levels[axis]);
        let (division, set) = match along {
            AxisColumnPart::Values => (TreeSplit::Below(threshold), Vec::new()),
            AxisColumnPart::Level(level) => (TreeSplit::IsLevel(level), Vec::new()),
            AxisColumnPart::Levels(n) => {
                // A level that does not occur at the node goes to the lower side if its coordinate is at most
                // `last`. This is the largest coordinate on the lower side.
                let lower = levels.filter(|&(_, &x)| x <= last).map(|(level, _)| level);
                (TreeSplit::InLevels(0), bits::encode_set_for_storage(lower, n))
            }
        };
        self.nodes[node].division = Some(SvrSplit {
            cut: division,
            column,
            set,
            first_child: self.nodes.len() as u32,
            missing_child: missing_child as u32,
            gain,
        });
        let index = self.nodes[node].index;
        let indices = [index, self.boxes.split_box(index, axis, cut, candidate.labels)];
        for (((index, points), units), label) in
            indices.into_iter().zip(parts).zip(units).zip(candidate.labels)
        {
            let mixed = units.iter().filter(|&&units| units > 0.0).count() > 1;
            if mixed || self.settings.pure_nodes == PureNodes::Split {
                self.queue.push_back(self.nodes.len());
            }
            self.nodes.push(SvrNode { index, points, units, label, division: None });
        }
        (self.regions, self.risk) = (regions, candidate.risk);
        Ok(Some((axis as u32, cut)))
    }

    /// Returns the first candidate with the lowest risk, if it is below the current risk.
    ///
    /// The first pass finds the lowest risk on every axis. Axes are processed in parallel and share a bound,
    /// so that most candidates are discarded early. The timing of threads determines which candidates are
    /// discarded. It does not change the lowest risk of an axis that is within the tolerance of the best
    /// risk.
    ///
    /// The second pass visits only axes that reach the best risk, one by one, in the order used to break
    /// ties. It takes the first candidate within the tolerance. Thus the result does not depend on the number
    /// of threads.
    fn best_split(&self, node: usize) -> Result<Option<BestSplit>> {
        let SvrNode { index, points, units, label, .. } = &self.nodes[node];
        let masses = class_masses(units, self.settings);
        let surroundings = Neighborhood::new(&self.boxes, *index, &self.settings.penalty);
        let scan = NodeScan {
            surroundings: &surroundings,
            sample: &self.sample,
            here: points.clone(),
            units,
            weights: &self.settings.weights,
            others: self.signed_impurity - signed_impurity(&masses, *label) / self.total,
            impurity: dominant_label_impurity(&masses),
            total: self.total,
            lambda: self.settings.lambda,
            least: self.settings.penalty.min_regularizer(),
            ctl: self.ctl,
        };
        let least_gain = self.min_gains(&scan)?;
        let best = AtomicU64::new(self.risk.to_bits());
        let lowest = |axis: usize| {
            let mut search =
                LowestRiskSearch { least_gain: least_gain[axis], risk: f64::INFINITY, best: &best };
            scan.scan_axis(axis, &mut search)?;
            Ok(search.risk)
        };
        let axes = (0..self.boxes.n_axes())
            .into_par_iter()
            .with_min_len(self.ctl.task_size(TASK) / points.len() + 1);
        let lowest = axes.map(lowest).collect::<Result<Vec<f64>>>()?;
        let least = lowest.iter().copied().fold(f64::INFINITY, f64::min);
        if least >= self.risk - tie_tolerance(least) {
            return Ok(None);
        }
        let limit = least + tie_tolerance(least);
        for axis in self.axes_with_used_first().filter(|&axis| lowest[axis] <= limit) {
            let mut search = FirstBelowLimitSearch { least_gain: least_gain[axis], limit, found: None };
            scan.scan_axis(axis, &mut search)?;
            if let Some(candidate) = search.found {
                let along = &self.sample.points[axis][points.clone()];
                let cut = midpoint(along[candidate.n_lower - 1].x, along[candidate.n_lower].x);
                let regions = surroundings.regions_after_split(axis, cut, candidate.labels);
                return Ok(Some(BestSplit { axis, candidate, cut, regions }));
            }
        }
        Err(Error::Internal("the best split of an SVR-Tree was not found in the second pass".into()))
    }

    fn axes_with_used_first(&self) -> impl Iterator<Item = usize> {
        let axes = |in_use: bool| {
            let is_used = |axis: &usize| self.boxes.used_axes().binary_search(axis).is_ok();
            self.settings.axes.iter().copied().filter(move |axis| is_used(axis) == in_use)
        };
        axes(true).chain(axes(false))
    }

    /// Returns the minimum gain of a split on each axis (equation 2 of the paper).
    ///
    /// Axes on which the tree already has splits have no minimum gain. Without feature selection, no axis has
    /// a minimum gain.
    fn min_gains(&self, scan: &NodeScan<'_, '_>) -> Result<Vec<f64>> {
        let Some(extra) = self.settings.least_gain else {
            return Ok(vec![f64::NEG_INFINITY; self.boxes.n_axes()]);
        };
        let mut largest = LargestGainSearch(0.0);
        for &axis in self.boxes.used_axes() {
            scan.scan_axis(axis, &mut largest)?;
        }
        let mut least = vec![largest.0 + extra - GAIN_SLACK; self.boxes.n_axes()];
        for &axis in self.boxes.used_axes() {
            least[axis] = f64::NEG_INFINITY;
        }
        Ok(least)
    }

    /// Partitions the rows of a node on every axis, stably: rows of the lower side come first.
    /// Returns the number of rows on the lower side.
    fn partition_rows(&mut self, here: &Range<usize>) -> Result<usize> {
        let (ctl, is_lower) = (self.ctl, &self.is_lower);
        let divide = |points: &mut Vec<AxisPoint>| {
            ctl.check()?;
            let points = &mut points[here.clone()];
            let mut upper = Vec::with_capacity(points.len());
            let mut n_lower = 0;
            for place in 0..points.len() {
                let point = points[place];
                if is_lower[point.row as usize] {
                    points[n_lower] = point;
                    n_lower += 1;
                } else {
                    upper.push(point);
                }
            }
            points[n_lower..].copy_from_slice(&upper);
            Ok(n_lower)
        };
        let axes = self.sample.points.par_iter_mut().with_min_len(ctl.task_size(TASK) / here.len() + 1);
        Ok(axes.map(divide).collect::<Result<Vec<_>>>()?[0])
    }

    /// The range of `points` contains the same rows on every axis.
    fn unscaled_class_masses(&self, points: Range<usize>) -> Vec<f64> {
        let mut units = vec![0.0; self.settings.codes.len()];
        for point in &self.sample.points[0][points] {
            units[point.class as usize] += self.sample.point_weight(point);
        }
        units
    }

    /// Updates the impurities of the tree; returns the decrease of the node's Gini index.
    fn update_tree_impurity(&mut self, node: usize, parts: &[Vec<f64>; 2], labels: [usize; 2]) -> f64 {
        let SvrNode { units, label, .. } = &self.nodes[node];
        let whole = class_masses(units, self.settings);
        let parts = parts.each_ref().map(|units| class_masses(units, self.settings));
        let gain = dominant_label_impurity(&whole)
            - parts.iter().map(|part| dominant_label_impurity(part)).sum::<f64>();
        let signed: f64 = parts.iter().zip(labels).map(|(part, label)| signed_impurity(part, label)).sum();
        self.signed_impurity += (signed - signed_impurity(&whole, *label)) / self.total;
        self.impurity -= gain / self.total;
        (gain / whole.iter().sum::<f64>()).max(0.0)
    }

    fn regularizer_value(&self) -> f64 {
        let empty = |class| (0..self.boxes.len()).all(|index| self.boxes.label(index) != class);
        self.settings.penalty.regularizer_value(&self.regions, &self.boxes, empty)
    }

    fn current_state(&self) -> SvrTreeStats {
        let n_classes = self.settings.codes.len();
        let mut state = SvrTreeStats {
            risk: self.risk,
            impurity: self.impurity,
            signed_impurity: self.signed_impurity,
            regularizer: self.regularizer_value(),
            interface: self.boxes.interface_area(None),
            surface: vec![0.0; n_classes],
            volume: vec![0.0; n_classes],
        };
        for (class, &code) in self.settings.codes.iter().enumerate() {
            state.surface[code] = self.regions.surface[class];
            state.volume[code] = self.regions.volume[class];
        }
        state
    }

    fn build_tree(&self) -> Tree {
        let n_classes = self.settings.codes.len();
        let divisions = || self.nodes.iter().map(|node| node.division.as_ref());
        let values = |value: fn(&SvrSplit) -> u32| {
            divisions().map(|division| division.map_or(0, value)).collect::<Vec<_>>()
        };
        let mut mass = vec![0.0; self.nodes.len() * n_classes];
        for (node, mass) in self.nodes.iter().zip(mass.chunks_exact_mut(n_classes)) {
            for (&code, class_mass) in
                self.settings.codes.iter().zip(class_masses(&node.units, self.settings))
            {
                mass[code] = class_mass;
            }
        }
        let (mut cut, mut sets) = (Vec::with_capacity(self.nodes.len()), Vec::new());
        for division in divisions() {
            // The offset of a level set is known only now, when the sets are concatenated.
            cut.push(division.map_or(TreeSplit::Leaf, |division| match division.cut {
                TreeSplit::InLevels(_) => TreeSplit::InLevels(sets.len() as u32),
                cut => cut,
            }));
            sets.extend(division.into_iter().flat_map(|division| &division.set));
        }
        Tree {
            n_classes,
            cut,
            column: values(|division| division.column),
            first_child: values(|division| division.first_child),
            n_children: values(|_| 2),
            missing_child: values(|division| division.missing_child),
            rows: self
                .nodes
                .iter()
                .map(|node| self.sample.count_rows(&self.sample.points[0][node.points.clone()]))
                .collect(),
            gain: divisions().map(|own| own.map_or(0.0, |own| own.gain)).collect(),
            mass: NodeMasses::Table(mass).into_lists_if_many_classes(n_classes),
            sets,
            groups: ClassGroups::default(),
            statistics: crate::statistics::TargetStatisticTables::default(),
        }
        .with_stored_total_masses()
    }
}
