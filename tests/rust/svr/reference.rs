//! Reference implementation of SVR-Trees: every candidate of every node is a complete list of leaves, whose risk is
//! computed from the rows and from a grid of cells, with no state carried over.

use crate::grid::{Grid, Leaf};
use imbcore_core::{Column, MISSING};
use imbcore_tests::toy::Toy;
use serde_json::Value;
use std::collections::VecDeque;

/// A smaller volume makes a ratio too large for any candidate with a positive penalty.
pub const LEAST_VOLUME: f64 = 1e-290;

/// State of a tree: risk, regularizer and classes.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct State {
    pub risk: f64,
    pub impurity: f64,
    pub signed_impurity: f64,
    pub regularizer: f64,
    pub interface: f64,
    pub surface: Vec<f64>,
    pub volume: Vec<f64>,
}

/// An accepted split.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Accepted {
    pub axis: usize,
    pub cut: f64,
    pub labels: [usize; 2],
    pub missing_child: usize,
}

/// The evaluation of one node.
#[derive(Clone, Debug)]
pub struct Step {
    /// The node.
    pub node: usize,
    /// The split, if one was made.
    pub accepted: Option<Accepted>,
    /// The tree after it.
    pub state: State,
    /// Whether every comparison was clear of rounding.
    pub unambiguous: bool,
    /// Whether another candidate is equally good.
    pub tied: bool,
}

/// Rows in the cube, and the parameters of a tree.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Reference {
    /// Coordinates by axis and row; NaN for missing values.
    pub axes: Vec<Vec<f64>>,
    pub classes: Vec<usize>,
    /// Weight of every row including its class weight; rows of weight 0 are omitted.
    pub mass: Vec<f64>,
    pub n_classes: usize,
    /// Class codes, the largest first.
    pub order: Vec<usize>,
    pub lambda: f64,
    pub max_leaves: f64,
    pub least_gain: Option<f64>,
    pub freeze: bool,
    pub count_looks: bool,
    pub surface: bool,
    pub penalised: Vec<bool>,
}

/// A grown tree.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Grown {
    pub start: State,
    /// Whether rounding cannot decide on the label of the root.
    pub unambiguous: bool,
    pub steps: Vec<Step>,
    pub leaves: Vec<Leaf>,
}

fn tolerance(risk: f64) -> f64 {
    1e-10 * risk.abs().max(1.0)
}

/// The midpoint, or the lower value if the midpoint is not below the upper one.
fn middle(lower: f64, upper: f64) -> f64 {
    let middle = lower + (upper - lower) / 2.0;
    if middle >= upper || middle < lower { lower } else { middle }
}

/// A candidate: the leaf list after it and its risk.
struct Candidate {
    accepted: Accepted,
    risk: f64,
    leaves: Vec<Leaf>,
}

impl Reference {
    /// Weighted class fractions of rows, and their weight.
    fn class_fractions(&self, rows: &[usize]) -> (Vec<f64>, f64) {
        let mut mass = vec![0.0; self.n_classes];
        for &row in rows {
            mass[self.classes[row]] += self.mass[row];
        }
        let total: f64 = mass.iter().sum();
        (mass.iter().map(|mass| mass / total).collect(), total)
    }

    /// Weight of rows times their Gini index.
    fn gini(&self, rows: &[usize]) -> f64 {
        let (class_fractions, total) = self.class_fractions(rows);
        total * (1.0 - class_fractions.iter().map(|p| p * p).sum::<f64>())
    }

    /// Weight of rows times the increase of their Gini index for a label.
    fn extra(&self, rows: &[usize], label: usize) -> f64 {
        let (class_fractions, total) = self.class_fractions(rows);
        let most = class_fractions.iter().copied().fold(0.0, f64::max);
        total * (most - class_fractions[label]).powi(2)
    }

    /// Recomputes the state of a tree.
    pub fn state(&self, leaves: &[Leaf], grid: &Grid) -> State {
        let labels: Vec<usize> = leaves.iter().map(|leaf| leaf.label).collect();
        let total: f64 = self.mass.iter().sum();
        let impurity = leaves.iter().map(|leaf| self.gini(&leaf.rows)).sum::<f64>() / total;
        let extra = leaves.iter().map(|leaf| self.extra(&leaf.rows, leaf.label)).sum::<f64>() / total;
        let regions: Vec<_> = (0..self.n_classes).map(|class| grid.region(&labels, class)).collect();
        let cube = 2.0 * self.axes.len() as f64;
        let ratio = |class: usize| match regions[class] {
            _ if !labels.contains(&class) => cube,
            (_, volume, _) if volume < LEAST_VOLUME => 1.0 / LEAST_VOLUME,
            (surface, volume, _) => surface / volume,
        };
        let interface = regions.iter().map(|&(_, _, inner)| inner).sum::<f64>() / 2.0;
        let regularizer = if self.surface {
            interface
        } else {
            (0..self.n_classes).filter(|&class| self.penalised[class]).map(ratio).sum()
        };
        State {
            risk: impurity + extra + self.lambda * regularizer,
            impurity,
            signed_impurity: impurity + extra,
            regularizer,
            interface,
            surface: regions.iter().map(|&(surface, _, _)| surface).collect(),
            volume: regions.iter().map(|&(_, volume, _)| volume).collect(),
        }
    }

    /// Pairs of labels in their order.
    fn pairs(&self) -> Vec<[usize; 2]> {
        let n = self.n_classes;
        let mut pairs: Vec<[usize; 2]> = (0..n).rev().map(|k| [k, k]).collect();
        pairs.extend((0..n * n).map(|i| [i / n, i % n]).filter(|[a, b]| a != b));
        pairs.into_iter().map(|pair| pair.map(|k| self.order[k])).collect()
    }

    /// Cut points of an axis between rows, with the rows below, above and without a value.
    fn cuts(&self, leaf: &Leaf, axis: usize) -> Vec<(f64, [Vec<usize>; 2], Vec<usize>)> {
        let x = &self.axes[axis];
        let (known, missing): (Vec<usize>, Vec<usize>) = leaf.rows.iter().partition(|&&row| !x[row].is_nan());
        let mut values: Vec<f64> = known.iter().map(|&row| x[row]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let cuts = values.windows(2).map(|two| middle(two[0], two[1]));
        let cuts = cuts.filter(|&cut| leaf.low[axis] < cut && cut < leaf.high[axis]);
        let part = |cut: f64| -> [Vec<usize>; 2] {
            let (below, above) = known.iter().partition(|&&row| x[row] <= cut);
            [below, above]
        };
        cuts.map(|cut| (cut, part(cut), missing.clone())).collect()
    }

    /// Both directions for rows with missing values, or one if there are none.
    fn missing_directions(parts: &[Vec<usize>; 2], missing: &[usize]) -> Vec<(usize, [Vec<usize>; 2])> {
        let with = |side: usize| {
            let mut parts = parts.clone();
            parts[side].extend(missing);
            (side, parts)
        };
        if missing.is_empty() {
            return vec![(usize::from(parts[0].len() <= parts[1].len()), parts.clone())];
        }
        vec![with(0), with(1)]
    }

    fn gain(&self, leaf: &Leaf, parts: &[Vec<usize>; 2]) -> f64 {
        let total: f64 = self.mass.iter().sum();
        (self.gini(&leaf.rows) - self.gini(&parts[0]) - self.gini(&parts[1])) / total
    }

    /// All candidates of a leaf in their order; `used` are the axes in use.
    fn candidates(
        &self,
        leaves: &[Leaf],
        at: usize,
        used: &[usize],
        unambiguous: &mut bool,
    ) -> Vec<Candidate> {
        let leaf = &leaves[at];
        let (mut axes, others): (Vec<usize>, Vec<usize>) =
            (0..self.axes.len()).partition(|axis| used.contains(axis));
        let known_gains =
            axes.iter().flat_map(|&axis| self.cuts(leaf, axis)).flat_map(|(_, parts, missing)| {
                Self::missing_directions(&parts, &missing)
                    .into_iter()
                    .map(|(_, parts)| self.gain(leaf, &parts))
                    .collect::<Vec<_>>()
            });
        let known_gain = known_gains.fold(0.0, f64::max);
        axes.extend(others);
        let mut all = Vec::new();
        for axis in axes {
            for (cut, parts, missing) in self.cuts(leaf, axis) {
                let mut boxes = leaves.to_vec();
                let [lower, upper] = leaf.cut(axis, cut);
                boxes[at] = lower;
                boxes.push(upper);
                let grid = Grid::new(&boxes);
                for (missing_child, parts) in Self::missing_directions(&parts, &missing) {
                    if let Some(extra) = self.least_gain.filter(|_| !used.contains(&axis)) {
                        let above = self.gain(leaf, &parts) - (known_gain + extra - 1e-13);
                        *unambiguous &= above.abs() > 2e-14 * known_gain.max(1.0);
                        if above < 0.0 {
                            continue;
                        }
                    }
                    let [below, above] = parts;
                    boxes[at].rows = below;
                    boxes[leaves.len()].rows = above;
                    for labels in self.pairs() {
                        boxes[at].label = labels[0];
                        boxes[leaves.len()].label = labels[1];
                        let accepted = Accepted { axis, cut, labels, missing_child };
                        let risk = self.state(&boxes, &grid).risk;
                        all.push(Candidate { accepted, risk, leaves: boxes.clone() });
                    }
                }
            }
        }
        all
    }

    /// Grows the tree.
    pub fn grow(&self) -> Grown {
        let mut root = Leaf::cube(self.axes.len());
        root.rows = (0..self.classes.len()).collect();
        let (class_fractions, _) = self.class_fractions(&root.rows);
        // The last of equally heavy classes.
        let best = class_fractions.iter().copied().fold(0.0, f64::max);
        let heavy = |class: &usize| class_fractions[*class] >= best * (1.0 - 1e-12);
        root.label = self.order.iter().copied().rfind(heavy).unwrap_or_default();
        let ties = class_fractions.iter().filter(|&p| *p >= best * (1.0 - 1e-12)).count();
        let unambiguous = ties < 2 || self.mass.iter().all(|mass| mass.fract() == 0.0);
        let mut leaves = vec![root];
        let start = self.state(&leaves, &Grid::new(&leaves));
        let (mut state, mut steps, mut used) = (start.clone(), Vec::new(), Vec::new());
        let mut queue = VecDeque::from([0]);
        let mut n_nodes = 1;
        while let Some(node) = queue.pop_front() {
            let size = if self.count_looks { 1 + steps.len() } else { leaves.len() };
            if size as f64 >= self.max_leaves {
                break;
            }
            let Some(at) = leaves.iter().position(|leaf| leaf.node == node) else { break };
            let mut unambiguous = true;
            let candidates = self.candidates(&leaves, at, &used, &mut unambiguous);
            let least = candidates.iter().map(|candidate| candidate.risk).fold(f64::INFINITY, f64::min);
            let limit = least + tolerance(least);
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-3 * tolerance(b);
            unambiguous &= least.is_infinite() || !close(least, state.risk - tolerance(least));
            let mut accepted = None;
            let mut tied = false;
            if least < state.risk - tolerance(least) {
                unambiguous &= !candidates.iter().any(|candidate| close(candidate.risk, limit));
                tied = candidates.iter().filter(|candidate| candidate.risk <= limit).count() > 1;
                if let Some(found) = candidates.into_iter().find(|candidate| candidate.risk <= limit) {
                    leaves = found.leaves;
                    let upper = leaves.len() - 1;
                    for (place, child) in [(at, n_nodes), (upper, n_nodes + 1)] {
                        leaves[place].node = child;
                        let class_fractions = self.class_fractions(&leaves[place].rows).0;
                        if !(self.freeze && class_fractions.iter().filter(|&&p| p > 0.0).count() < 2) {
                            queue.push_back(child);
                        }
                    }
                    n_nodes += 2;
                    used.push(found.accepted.axis);
                    accepted = Some(found.accepted);
                    state = self.state(&leaves, &Grid::new(&leaves));
                }
            }
            steps.push(Step { node, accepted, state: state.clone(), unambiguous, tied });
        }
        Grown { start, unambiguous, steps, leaves }
    }
}

/// Coordinates of one axis in the cube; `None` if its range is not a finite number.
fn to_cube(values: &[f64], mass: f64, scaling: &str) -> Option<Vec<f64>> {
    let known = || values.iter().copied().filter(|value| !value.is_nan());
    let (min, max) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    if known().next().is_none() || scaling == "none" {
        return Some(values.to_vec());
    }
    let range = max - min;
    let margin = if scaling == "reference" { range / (mass - 1.0).max(1.0) } else { 0.0 };
    let (offset, width) = (min - margin, range + 2.0 * margin);
    if !(offset.is_finite() && width.is_finite()) {
        return None;
    }
    let scaled = |value: &f64| {
        if value.is_nan() {
            f64::NAN
        } else if range == 0.0 {
            0.5
        } else {
            (value - offset) / width
        }
    };
    Some(values.iter().map(scaled).collect())
}

/// Values of all axes in units of the data, for the given rows.
fn raw_axes(toy: &Toy, rows: &[usize]) -> Vec<Vec<f64>> {
    let mut axes = Vec::new();
    for column in toy.frame().columns() {
        match *column {
            Column::Nominal { codes, levels } => {
                let n_axes = if levels <= 2 { 1 } else { levels };
                for level in 0..n_axes {
                    let at = |&row: &usize| match codes[row] {
                        MISSING => f64::NAN,
                        code if code == level => 0.0,
                        _ => 1.0,
                    };
                    axes.push(rows.iter().map(at).collect());
                }
            }
            Column::Numeric(values) => axes.push(rows.iter().map(|&row| values.get(row)).collect()),
        }
    }
    axes
}

/// Rows of a toy with positive weight.
pub fn weighted_rows(toy: &Toy) -> Vec<usize> {
    let weights = toy.row_weights();
    (0..weights.len()).filter(|&row| weights[row] > 0.0).collect()
}

/// Meaning of the parameters for a toy, written from the specification; `None` if a column cannot be scaled.
///
/// # Panics
/// If a parameter without a default here is missing.
pub fn reference(toy: &Toy, params: &Value) -> Option<Reference> {
    let rows = weighted_rows(toy);
    let n_classes = toy.n_classes;
    let mut units = vec![0.0; n_classes];
    for &row in &rows {
        units[toy.classes[row] as usize] += toy.weights.as_ref().map_or(1.0, |weights| weights[row]);
    }
    let largest = |of: &dyn Fn(usize) -> bool| {
        let most = (0..n_classes).filter(|&class| of(class)).map(|class| units[class]).fold(-1.0, f64::max);
        (0..n_classes).find(|&class| of(class) && units[class] == most).unwrap_or_default()
    };
    let first = largest(&|_| true);
    let penalised: Vec<bool> = match &params["penalized_classes"] {
        Value::Array(codes) => (0..n_classes).map(|class| codes.contains(&class.into())).collect(),
        Value::String(name) if name == "all" => vec![true; n_classes],
        _ => (0..n_classes).map(|class| class != first).collect(),
    };
    let all = !penalised.contains(&false);
    let lead = largest(&|class| all || !penalised[class]);
    let order = std::iter::once(lead).chain((0..n_classes).filter(|&class| class != lead)).collect();
    let auto = |class: usize| {
        if class == first || units[class] == 0.0 {
            return 1.0;
        }
        params["minority_weight"].as_f64().unwrap_or_else(|| (units[first] / units[class]).floor().max(1.0))
    };
    let class_weight =
        toy.class_weight.clone().unwrap_or_else(|| (0..n_classes).map(auto).collect::<Vec<f64>>());
    let own = |row: usize| toy.weights.as_ref().map_or(1.0, |weights| weights[row]);
    let scaling = params["scale"].as_str().unwrap_or("reference");
    let mass: f64 = units.iter().sum();
    let axes = raw_axes(toy, &rows).iter().map(|axis| to_cube(axis, mass, scaling)).collect::<Option<_>>()?;
    let lambda = params["penalty"].as_f64().unwrap_or_else(|| 0.032 * mass.powf(-1.0 / 3.0));
    let selects = params["feature_selection"].as_bool().unwrap_or(false);
    Some(Reference {
        axes,
        classes: rows.iter().map(|&row| toy.classes[row] as usize).collect(),
        mass: rows.iter().map(|&row| own(row) * class_weight[toy.classes[row] as usize]).collect(),
        n_classes,
        order,
        lambda,
        max_leaves: params["max_leaf_nodes"].as_f64().unwrap_or_else(|| 2.0 * mass.sqrt()),
        least_gain: selects.then(|| params["new_feature_penalty"].as_f64().unwrap_or(4.0) * lambda),
        freeze: params["pure_nodes"] == "freeze",
        count_looks: params["stop_rule"] == "dequeues",
        surface: params["regularizer"] == "surface",
        penalised,
    })
}
