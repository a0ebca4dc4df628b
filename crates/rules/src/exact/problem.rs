//! Optimization problem of Exact Boxes, and value of a set of boxes.
//!
//! See Goh and Rudin 2014, section 4.

use imbcore_core::{Error, Result};

const METHOD: &str = "exact_boxes";

/// Largest allowed sum of row weights.
///
/// Values are proven to 1e-6. The distance between neighboring doubles of this size is about 1e-7.
const MOST: f64 = 1e9;

/// Training rows with scaled features and the flags of the minority class.
#[derive(Clone, Copy, Debug)]
pub struct ScaledRows<'a> {
    columns: &'a [Vec<f64>],
    positive: &'a [bool],
    weights: Option<&'a [f64]>,
}

impl<'a> ScaledRows<'a> {
    /// Builds rows from scaled features, one vector per feature, and flags of the minority class.
    ///
    /// # Errors
    /// [`Error::Data`] if lengths differ or if there is no feature, and [`Error::Column`] if a value is not
    /// finite.
    pub fn new(columns: &'a [Vec<f64>], positive: &'a [bool]) -> Result<Self> {
        if columns.is_empty() {
            return Err(Error::Data("X has 0 features; Exact Boxes need at least 1".into()));
        }
        for (feature, values) in columns.iter().enumerate() {
            if values.len() != positive.len() {
                return Err(Error::Data(format!(
                    "feature {feature} has {} values, but y has {}",
                    values.len(),
                    positive.len()
                )));
            }
            if let Some(row) = values.iter().position(|value| !value.is_finite()) {
                return Err(Error::Column {
                    column: feature,
                    message: format!("row {row} has the value {}; fill or drop such rows", values[row]),
                });
            }
        }
        Ok(Self { columns, positive, weights: None })
    }

    /// Adds a weight for each row.
    ///
    /// # Errors
    /// [`Error::Data`] for a wrong number of weights, a weight that is not finite and positive, or a sum
    /// above 1e9.
    pub fn with_weights(self, weights: &'a [f64]) -> Result<Self> {
        if weights.len() != self.n_rows()
            || weights.iter().any(|&weight| !(weight.is_finite() && weight > 0.0))
        {
            return Err(Error::Data("Exact Boxes need one finite weight above 0 per row".into()));
        }
        let sum: f64 = weights.iter().sum();
        if sum > MOST {
            return Err(Error::Data(format!(
                "the weights of the rows (sample_weight times class_weight) add up to {sum:e}, above the limit of {MOST:e} up to which \
                 Exact Boxes can prove a value to 1e-6; divide all weights, box_cost and expand by the same number"
            )));
        }
        Ok(Self { weights: Some(weights), ..self })
    }

    /// Weight of a row; 1 if the rows have no weights.
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    pub(crate) fn total_class_weight(&self, positive: bool) -> f64 {
        self.rows_of_class(positive).into_iter().map(|row| self.weight(row)).sum()
    }

    /// Total weight of all rows if every weight is a whole number, otherwise `None`.
    pub(crate) fn total_integer_weight(&self) -> Option<f64> {
        let is_whole = self.weights.is_none_or(|weights| weights.iter().all(|weight| weight.fract() == 0.0));
        is_whole.then(|| self.total_class_weight(true) + self.total_class_weight(false))
    }

    /// Value of a set of boxes that classifies all rows correctly, without box costs and widths.
    pub(crate) fn max_objective_value(&self, goal: &BoxObjective) -> f64 {
        self.total_class_weight(true) + goal.majority_weight * self.total_class_weight(false)
    }

    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.columns.len()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.positive.len()
    }

    /// The scaled features, one vector per feature.
    pub fn columns(&self) -> &'a [Vec<f64>] {
        self.columns
    }

    pub(crate) fn positive_flags(&self) -> &'a [bool] {
        self.positive
    }

    /// Row numbers of the minority class if `positive` is true, else of the majority class.
    pub fn rows_of_class(&self, positive: bool) -> Vec<usize> {
        (0..self.n_rows()).filter(|&row| self.positive[row] == positive).collect()
    }
}

/// Objective of the optimization.
///
/// The sum of four terms is maximized:
/// - the weight of the covered minority rows;
/// - `c` times the weight of the majority rows that no box hits;
/// - minus `box_cost` for each box that covers a minority row;
/// - `expand` times the sum of the widths of all boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxObjective {
    /// Maximum number of boxes, `K`.
    pub n_boxes: usize,
    /// Weight `c` of a majority row, in `(0, 1]`.
    pub majority_weight: f64,
    /// Margin `v`, the minimum distance between a bound and the rows on both of its sides.
    pub margin: f64,
    /// Small number `eps` that is added to the margin, so that distances exceed `v` strictly.
    pub epsilon: f64,
    /// Cost of each box that covers a minority row; it penalizes the number of boxes.
    pub box_cost: f64,
    /// Reward for width, `c_exp` in the authors' program.
    ///
    /// If it is above 0, every set has exactly `K` boxes.
    pub expand: f64,
    /// Smallest value of a bound, `L`.
    pub min_bound: f64,
    /// Largest value of a bound, `U`.
    pub max_bound: f64,
}

impl Default for BoxObjective {
    fn default() -> Self {
        Self {
            n_boxes: 2,
            majority_weight: 1.0,
            margin: 0.01,
            epsilon: 1e-3,
            box_cost: 0.5,
            expand: 0.0,
            min_bound: -2.0,
            max_bound: 2.0,
        }
    }
}

impl BoxObjective {
    /// Minimum distance `g = v + eps` between a bound and the rows that the bound separates.
    pub(crate) fn strict_margin(&self) -> f64 {
        self.margin + self.epsilon
    }

    /// Returns an error if a value is outside its range.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name of the parameter.
    pub fn check(&self) -> Result<()> {
        let refuse = |name, expected, got: f64| Err(Error::parameter(METHOD, name, expected, got));
        if self.n_boxes == 0 {
            return refuse("n_boxes", "at least 1", 0.0);
        }
        if !(self.majority_weight > 0.0 && self.majority_weight <= 1.0) {
            return refuse("majority_weight", "in (0, 1]", self.majority_weight);
        }
        if !(self.epsilon.is_finite() && self.epsilon > 0.0) {
            return refuse("epsilon", "finite and above 0", self.epsilon);
        }
        for (name, value) in [("margin", self.margin), ("box_cost", self.box_cost), ("expand", self.expand)] {
            if !(value.is_finite() && value >= 0.0) {
                return refuse(name, "finite and at least 0", value);
            }
        }
        if !(self.min_bound.is_finite() && self.max_bound.is_finite() && self.min_bound < self.max_bound) {
            return refuse("high", "finite and above `low`", self.max_bound);
        }
        Ok(())
    }
}

/// One box on the scaled features: `lower[j] <= x_j <= upper[j]` for every feature j.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaledBox {
    /// Lower bound of every feature.
    pub lower: Vec<f64>,
    /// Upper bound of every feature.
    pub upper: Vec<f64>,
}

/// Value of a set of boxes, and the counts of rows and boxes from which it is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawingScore {
    /// Value of the objective.
    pub objective: f64,
    /// Number of minority rows inside a box, at least the margin away from its bounds.
    pub covered: usize,
    /// Number of majority rows that are inside a box, or closer to a box than the margin.
    pub n_majority_not_excluded: usize,
    /// Number of boxes that cover a minority row.
    pub used: usize,
}

/// Rounding tolerance for comparing a row with a box bound moved by the margin `g`.
pub(crate) const ROUNDING: f64 = 1e-12;

/// Value of a set of boxes by the definition of the objective, computed from the rows alone.
///
/// All formulations are compared with this reference.
pub fn score_boxes(rows: &ScaledRows<'_>, goal: &BoxObjective, boxes: &[ScaledBox]) -> DrawingScore {
    let wall = goal.strict_margin();
    let inside = |walls: &ScaledBox, row: usize| {
        rows.columns.iter().enumerate().all(|(j, x)| {
            walls.lower[j] + wall <= x[row] + ROUNDING && x[row] <= walls.upper[j] - wall + ROUNDING
        })
    };
    let out = |walls: &ScaledBox, row: usize| {
        rows.columns.iter().enumerate().any(|(j, x)| {
            x[row] <= walls.lower[j] - wall + ROUNDING || x[row] + ROUNDING >= walls.upper[j] + wall
        })
    };
    let mut used = vec![false; boxes.len()];
    let (mut covered, mut hit) = (0, 0);
    let (mut gained, mut spared) = (0.0, 0.0);
    for row in 0..rows.n_rows() {
        if rows.positive[row] {
            let mut any = false;
            for (used, walls) in used.iter_mut().zip(boxes) {
                let is_inside = inside(walls, row);
                *used |= is_inside;
                any |= is_inside;
            }
            covered += usize::from(any);
            gained += if any { rows.weight(row) } else { 0.0 };
        } else {
            let is_out = boxes.iter().all(|walls| out(walls, row));
            hit += usize::from(!is_out);
            spared += if is_out { rows.weight(row) } else { 0.0 };
        }
    }
    let used = used.iter().filter(|&&used| used).count();
    let width: f64 = boxes.iter().flat_map(|b| b.upper.iter().zip(&b.lower)).map(|(u, l)| u - l).sum();
    let objective =
        gained + goal.majority_weight * spared - goal.box_cost * used as f64 + goal.expand * width;
    DrawingScore { objective, covered, n_majority_not_excluded: hit, used }
}

/// The hull of the minority rows that a box covers, expanded by the margin.
///
/// Returns `None` if the box covers no minority row. The expanded hull covers the same minority rows as the
/// box, and hits no majority row that the box does not hit. So without a reward for width, some optimal set
/// of boxes consists of such hulls.
pub(crate) fn shrink_to_hull(
    rows: &ScaledRows<'_>,
    goal: &BoxObjective,
    walls: &ScaledBox,
) -> Option<ScaledBox> {
    let wall = goal.strict_margin();
    let covered = |row: &usize| {
        rows.columns.iter().enumerate().all(|(j, x)| {
            walls.lower[j] + wall <= x[*row] + ROUNDING && x[*row] <= walls.upper[j] - wall + ROUNDING
        })
    };
    let inside: Vec<usize> = rows.rows_of_class(true).into_iter().filter(covered).collect();
    let span = |pick: fn(f64, f64) -> f64, from: f64| {
        rows.columns.iter().map(|x| inside.iter().map(|&row| x[row]).fold(from, pick)).collect::<Vec<f64>>()
    };
    (!inside.is_empty()).then(|| ScaledBox {
        lower: span(f64::min, f64::INFINITY).iter().map(|x| x - wall).collect(),
        upper: span(f64::max, f64::NEG_INFINITY).iter().map(|x| x + wall).collect(),
    })
}
