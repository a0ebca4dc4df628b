//! The formulation `paper`: the mixed-integer program of Goh and Rudin (2014, eq. 5 to 21).
//!
//! Every constraint has the smallest valid big-M constant. The program forbids a bound at a distance between
//! the margin and the margin plus `eps` from a row. It is therefore equivalent to the problem only if no row
//! is at such a distance from a bound of an optimal box. Boxes are rebuilt from the binary variables, because
//! the continuous bounds have only the accuracy of the solver.

use crate::exact::box_column::{BoxColumn, encode_boxes};
use crate::exact::compact_model::solve_mip_from_start;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::incumbent::Incumbent;
use crate::exact::local_search::ScoredDrawing;
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::problem::{BoxObjective, ScaledBox, ScaledRows};
use imbcore_core::Result;
use imbcore_core::budget::SearchBudget;
use imbcore_solver::{MipModel, ModelVariable, Sense};

/// Variables of one row and one box, named as in the paper.
///
/// `lower` and `upper` are the variables `w` of the lower and the upper side of every feature.
struct RowVariables {
    lower: Vec<ModelVariable>,
    upper: Vec<ModelVariable>,
    y: ModelVariable,
}

struct PaperMip<'a> {
    rows: &'a ScaledRows<'a>,
    goal: &'a BoxObjective,
    model: MipModel,
    /// `[box][feature]`.
    lower: Vec<Vec<ModelVariable>>,
    upper: Vec<Vec<ModelVariable>>,
    /// `[row][box]`.
    seen: Vec<Vec<RowVariables>>,
    right: Vec<ModelVariable>,
    used: Vec<ModelVariable>,
}

pub(crate) fn solve_paper_model(
    rows: &ScaledRows<'_>,
    goal: &BoxObjective,
    codes: &EncodedRows,
    tariff: &ObjectiveTerms,
    starts: &[Vec<BoxColumn>],
    known: &mut Incumbent,
    budget: &SearchBudget<'_>,
) -> Result<()> {
    for start in starts {
        known.best.replace_if_better(ScoredDrawing::new(codes, tariff, start.clone()));
    }
    let paper = PaperMip::new(rows, goal, budget)?;
    let walls: Vec<ScaledBox> = known.best.boxes.iter().map(|column| codes.decode_box(&column.at)).collect();
    let warm = paper.variable_values_for_boxes(&walls);
    // The solution of the solver is used even if the time limit was reached.
    let decode =
        |x: &[f64]| encode_boxes(rows, goal, codes, &paper.boxes_from_solution(x), budget.run_context());
    solve_mip_from_start(codes, tariff, &paper.model, &warm, decode, known, budget)
}

impl<'a> PaperMip<'a> {
    fn new(rows: &'a ScaledRows<'a>, goal: &'a BoxObjective, budget: &SearchBudget<'_>) -> Result<Self> {
        let (k, n) = (goal.n_boxes, rows.n_features());
        let mut model = MipModel::new(Sense::Maximize);
        let mut walls = |reward: f64| -> Vec<Vec<ModelVariable>> {
            (0..k)
                .map(|_| {
                    (0..n).map(|_| model.add_continuous(goal.min_bound, goal.max_bound, reward)).collect()
                })
                .collect()
        };
        let (lower, upper) = (walls(-goal.expand), walls(goal.expand));
        let used = (0..k).map(|_| model.add_binary(-goal.box_cost)).collect();
        let mut paper = Self { rows, goal, model, lower, upper, seen: Vec::new(), right: Vec::new(), used };
        for row in 0..rows.n_rows() {
            budget.check_limits()?;
            paper.add_row_constraints(row);
        }
        for b in 0..k {
            for j in 0..n {
                // Equation (21) of the paper.
                paper.model.add_at_most(&[(paper.lower[b][j], 1.0), (paper.upper[b][j], -1.0)], 0.0);
            }
        }
        Ok(paper)
    }

    fn add_row_constraints(&mut self, row: usize) {
        let positive = self.rows.positive_flags()[row];
        let weight = self.rows.weight(row) * if positive { 1.0 } else { self.goal.majority_weight };
        let right = self.model.add_binary(weight);
        let k = self.goal.n_boxes;
        let seen: Vec<RowVariables> = (0..k).map(|b| self.add_row_variables(row, b, positive)).collect();
        let mut any: Vec<(ModelVariable, f64)> = seen.iter().map(|seen| (seen.y, 1.0)).collect();
        if positive {
            // Equations (11) and (12) of the paper.
            any.push((right, -(k as f64)));
            self.model.add_at_most(&any, 0.0);
            any[k].1 = -1.0;
            self.model.add_at_least(&any, 0.0);
        } else {
            // Equations (19) and (20) of the paper.
            any.push((right, k as f64));
            self.model.add_at_most(&any, k as f64);
            any[k].1 = 1.0;
            self.model.add_at_least(&any, 1.0);
        }
        self.seen.push(seen);
        self.right.push(right);
    }

    fn add_row_variables(&mut self, row: usize, b: usize, positive: bool) -> RowVariables {
        let n = self.rows.n_features();
        let (v, eps, low, high) =
            (self.goal.margin, self.goal.epsilon, self.goal.min_bound, self.goal.max_bound);
        let (mut lower, mut upper) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for j in 0..n {
            let x = self.rows.columns()[j][row];
            let (wl, wu) = (self.model.add_binary(0.0), self.model.add_binary(0.0));
            let (l, u) = (self.lower[b][j], self.upper[b][j]);
            if positive {
                self.add_lower_bound_unless(l, wl, x - v, low); // (5)
                self.add_upper_bound_if(l, wl, x - v - eps, high); // (6)
                self.add_upper_bound_unless(u, wu, x + v, high); // (7)
                self.add_lower_bound_if(u, wu, x + v + eps, low); // (8)
            } else {
                self.add_upper_bound_unless(l, wl, x + v, high); // (13)
                self.add_lower_bound_if(l, wl, x + v + eps, low); // (14)
                self.add_lower_bound_unless(u, wu, x - v, low); // (15)
                self.add_upper_bound_if(u, wu, x - v - eps, high); // (16)
            }
            lower.push(wl);
            upper.push(wu);
        }
        let y = self.model.add_binary(0.0);
        let sides = 2.0 * n as f64;
        let mut sum: Vec<(ModelVariable, f64)> = lower.iter().chain(&upper).map(|&w| (w, 1.0)).collect();
        if positive {
            sum.push((y, -1.0));
            self.model.add_at_most(&sum, sides - 1.0); // (9)
            sum[2 * n].1 = -sides;
            self.model.add_at_least(&sum, 0.0); // (10)
            self.model.add_at_most(&[(y, 1.0), (self.used[b], -1.0)], 0.0);
        } else {
            sum.push((y, sides));
            self.model.add_at_most(&sum, sides); // (17)
            sum[2 * n].1 = 1.0;
            self.model.add_at_least(&sum, 1.0); // (18)
        }
        RowVariables { lower, upper, y }
    }

    /// Adds the lower limit `at` on a box bound, which applies only if the variable `w` is 0.
    fn add_lower_bound_unless(&mut self, wall: ModelVariable, w: ModelVariable, at: f64, low: f64) {
        self.model.add_at_least(&[(wall, 1.0), (w, (at - low).max(0.0))], at);
    }

    fn add_upper_bound_unless(&mut self, wall: ModelVariable, w: ModelVariable, at: f64, high: f64) {
        self.model.add_at_most(&[(wall, 1.0), (w, -(high - at).max(0.0))], at);
    }

    /// Adds the lower limit `at` on a box bound, which applies only if the variable `w` is 1.
    fn add_lower_bound_if(&mut self, wall: ModelVariable, w: ModelVariable, at: f64, low: f64) {
        let m = (at - low).max(0.0);
        self.model.add_at_least(&[(wall, 1.0), (w, -m)], at - m);
    }

    fn add_upper_bound_if(&mut self, wall: ModelVariable, w: ModelVariable, at: f64, high: f64) {
        let m = (high - at).max(0.0);
        self.model.add_at_most(&[(wall, 1.0), (w, m)], at + m);
    }

    /// Values of all variables for a set of boxes, used to start the solver.
    ///
    /// If the set has fewer boxes than the program, the other boxes are at the lower limits of the features.
    /// The values can violate constraints (see the module documentation).
    fn variable_values_for_boxes(&self, boxes: &[ScaledBox]) -> Vec<f64> {
        let n = self.rows.n_features();
        let (v, eps) = (self.goal.margin, self.goal.epsilon);
        let absent = ScaledBox { lower: vec![self.goal.min_bound; n], upper: vec![self.goal.min_bound; n] };
        let mut x = vec![0.0; self.model.n_cols()];
        for row in 0..self.rows.n_rows() {
            let positive = self.rows.positive_flags()[row];
            let mut any = false;
            for b in 0..self.goal.n_boxes {
                let walls = boxes.get(b).unwrap_or(&absent);
                let seen = &self.seen[row][b];
                let mut true_sides = 0;
                for j in 0..n {
                    let value = self.rows.columns()[j][row];
                    let (l, u) = (walls.lower[j], walls.upper[j]);
                    (x[self.lower[b][j].index()], x[self.upper[b][j].index()]) = (l, u);
                    let (wl, wu) = if positive {
                        (l <= value - v - eps + 1e-9, u >= value + v + eps - 1e-9)
                    } else {
                        (l >= value + v + eps - 1e-9, u <= value - v - eps + 1e-9)
                    };
                    x[seen.lower[j].index()] = f64::from(u8::from(wl));
                    x[seen.upper[j].index()] = f64::from(u8::from(wu));
                    true_sides += usize::from(wl) + usize::from(wu);
                }
                let y = if positive { true_sides == 2 * n } else { true_sides == 0 };
                x[seen.y.index()] = f64::from(u8::from(y));
                any |= y;
                if y && positive {
                    x[self.used[b].index()] = 1.0;
                }
            }
            x[self.right[row].index()] = f64::from(u8::from(any == positive));
        }
        x
    }

    /// Rebuilds boxes from the binary variables of a solution.
    ///
    /// A box is the hull of the minority rows that it covers, expanded by the margin. With a reward for
    /// width, each side extends to the row that stops it.
    fn boxes_from_solution(&self, x: &[f64]) -> Vec<ScaledBox> {
        let on = |col: ModelVariable| x[col.index()] > 0.5;
        let (n, wall) = (self.rows.n_features(), self.goal.strict_margin());
        let mut boxes = Vec::new();
        for b in 0..self.goal.n_boxes {
            let hull = self.goal.expand == 0.0;
            let start = if hull {
                (f64::INFINITY, f64::NEG_INFINITY)
            } else {
                (self.goal.min_bound, self.goal.max_bound)
            };
            let mut walls = ScaledBox { lower: vec![start.0; n], upper: vec![start.1; n] };
            for row in 0..self.rows.n_rows() {
                let seen = &self.seen[row][b];
                for j in 0..n {
                    let value = self.rows.columns()[j][row];
                    if hull && self.rows.positive_flags()[row] && on(seen.y) {
                        walls.lower[j] = walls.lower[j].min(value - wall);
                        walls.upper[j] = walls.upper[j].max(value + wall);
                    } else if !hull && !self.rows.positive_flags()[row] {
                        if on(seen.lower[j]) {
                            walls.lower[j] = walls.lower[j].max(value + wall);
                        }
                        if on(seen.upper[j]) {
                            walls.upper[j] = walls.upper[j].min(value - wall);
                        }
                    }
                }
            }
            boxes.push(walls);
        }
        boxes
    }
}
