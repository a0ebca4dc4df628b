//! Labels and weights computed from the costs of rows, and class probabilities of the model.
//!
//! The cost difference of a class is the cost of the wrong decision minus the cost of the right decision, for
//! rows of this class. Each row has a cost difference for either class. Its training label is the cheaper
//! decision for its true class, and its weight is the absolute cost difference of this class (Zadrozny,
//! Langford and Abe 2003).
//!
//! If both differences of a row are positive, the label is the class. The odds of the labels are then the
//! odds of the classes times the ratio of the two differences. If both are negative, the label is the other
//! class, and the odds are inverted. In both cases, the ratio is known for every row and is divided out. If
//! the signs differ, the same decision is cheaper for both classes. The label then does not depend on the
//! class, and the predicted probability is the class prior.

use crate::boosted::base_rate_correction::HeldOutProba;
use imbcore_core::{CostCell, CostCells, CostRule, Dataset, Error, Frame, Result};
use imbcore_export::{ComparisonOp, ExprBuilder, ExprRef, Op};
use serde::{Deserialize, Serialize};

/// Smallest usable absolute cost difference, as a fraction of the mean over training rows.
///
/// If a difference of a row is smaller, the class probabilities of the row are the class prior, because
/// ratios of small differences are mostly noise.
const LEAST: f64 = 1e-3;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CostProbaConversion {
    /// Cost matrix of a row in row-major order: `cells[2 * true_class + decision]`.
    cells: Vec<CostCell>,
    least: f64,
    prior: f64,
    /// Constant added to the log-odds of the second class.
    /// With this constant, the mean probability equals the prevalence.
    level: f64,
}

pub(crate) struct CostDerivedLabels<'d> {
    pub(crate) rule: CostProbaConversion,
    pub(crate) labels: Vec<u32>,
    pub(crate) weights: Vec<f64>,
    classes: &'d [u32],
    plain_weights: Vec<f64>,
    differences: Vec<[f64; 2]>,
}

impl<'d> CostDerivedLabels<'d> {
    /// Labels the rows of a data set by their cheaper decisions.
    ///
    /// The new weights have the same sum as the old weights.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are no costs, or if the costs are an array; [`Error::Data`] if all cost
    /// differences are 0, if their sum overflows, or if the same decision is cheaper for every row; the
    /// errors of [`CostCells::to_row_costs`].
    pub(crate) fn new(
        (method, rule): (&str, Option<&CostRule>),
        data: &Dataset<'d>,
        class_weight: Option<&[f64]>,
    ) -> Result<Self> {
        let refuse = |expected, got: &str| Err(Error::parameter(method, "costs", expected, got));
        let cells: Vec<CostCell> = match rule {
            None => return refuse("given with objective=\"cost\", or cost_matrix", "None"),
            Some(CostRule::PerRow(_)) => {
                return refuse("numbers or columns of X with objective=\"cost\"", "an array or a function");
            }
            Some(CostRule::Same(costs)) => costs.cells().iter().map(|&cost| CostCell::Number(cost)).collect(),
            Some(CostRule::Columns(cells)) => cells.cells().to_vec(),
        };
        let differences = row_cost_differences(&cells, data.frame())?;
        let weight = |(row, &class): (usize, &u32)| {
            data.weight(row) * class_weight.map_or(1.0, |weights| weights[class as usize])
        };
        let plain_weights: Vec<f64> = data.class_codes().iter().enumerate().map(weight).collect();
        let rows = || data.class_codes().iter().zip(&plain_weights).zip(&differences);
        let (mut masses, mut total) = ([0.0; 2], 0.0);
        for ((&class, weight), difference) in rows() {
            masses[class as usize] += weight;
            total += weight * difference[class as usize].abs();
        }
        let mass = masses[0] + masses[1];
        let mean = total / mass;
        if !mean.is_finite() {
            return Err(Error::Data(
                "objective=\"cost\" cannot add up the costs of the rows; divide all costs by the same number"
                    .into(),
            ));
        }
        if mean <= 0.0 {
            return Err(Error::Data(
                "objective=\"cost\" finds no row whose decisions differ in cost; give errors other costs than right \
                 decisions"
                    .into(),
            ));
        }
        let label = |((&class, _), difference): ((&u32, _), &[f64; 2])| {
            if difference[class as usize] < 0.0 { 1 - class } else { class }
        };
        let labels: Vec<u32> = rows().map(label).collect();
        let scaled = |((&class, weight), difference): ((&u32, &f64), &[f64; 2])| {
            weight * (difference[class as usize].abs() / mean)
        };
        let weights: Vec<f64> = rows().map(scaled).collect();
        let decided = |decision| labels.iter().zip(&weights).any(|(&label, &w)| label == decision && w > 0.0);
        if let Some(decision) = [0, 1].into_iter().find(|&decision| !decided(1 - decision)) {
            return Err(Error::Data(format!(
                "objective=\"cost\" finds that class {decision} is the cheaper decision for every row, so there is nothing to \
                 learn; change the costs, or use another objective"
            )));
        }
        let rule = CostProbaConversion { cells, least: LEAST * mean, prior: masses[1] / mass, level: 0.0 };
        Ok(Self { rule, labels, weights, classes: data.class_codes(), plain_weights, differences })
    }

    /// Converts label probabilities of the given rows to class probabilities.
    ///
    /// The result also contains the true classes and weights of the rows. A row gets the weight 0 if its
    /// label would be the same for both classes, or if a cost difference is too small. If a class has only
    /// such rows, all rows keep their weights.
    pub(crate) fn held_out_proba(&self, rows: &[u32], mut proba: Vec<f64>) -> HeldOutProba {
        let (mut weights, mut masses) = (Vec::with_capacity(rows.len()), [0.0; 2]);
        for (&row, proba) in rows.iter().zip(proba.chunks_exact_mut(2)) {
            let row = row as usize;
            self.rule.convert_row_to_class_proba(proba, self.differences[row]);
            let weight = if self.rule.common_difference_sign(self.differences[row]) == 0.0 {
                0.0
            } else {
                self.plain_weights[row]
            };
            masses[self.classes[row] as usize] += weight;
            weights.push(weight);
        }
        if masses.contains(&0.0) {
            weights = rows.iter().map(|&row| self.plain_weights[row as usize]).collect();
        }
        HeldOutProba { classes: rows.iter().map(|&row| self.classes[row as usize]).collect(), weights, proba }
    }
}

impl CostProbaConversion {
    /// Converts probabilities of the training labels to class probabilities.
    ///
    /// # Errors
    /// Same errors as [`CostCells::to_row_costs`].
    pub(crate) fn convert_to_class_proba(&self, proba: &mut [f64], frame: &Frame<'_>) -> Result<()> {
        for (proba, row) in proba.chunks_exact_mut(2).zip(row_cost_differences(&self.cells, frame)?) {
            self.convert_row_to_class_proba(proba, row);
        }
        Ok(())
    }

    /// Returns the sign (1 or -1) that both cost differences of a row have.
    ///
    /// The result is 0 if the signs differ, or if an absolute difference is below the smallest usable
    /// difference.
    fn common_difference_sign(&self, differences: [f64; 2]) -> f64 {
        let all_above = |sign: f64| differences.iter().all(|difference| sign * difference >= self.least);
        [1.0, -1.0].into_iter().find(|&sign| all_above(sign)).unwrap_or(0.0)
    }

    fn convert_row_to_class_proba(&self, proba: &mut [f64], differences: [f64; 2]) {
        let [first, second] = differences.map(f64::abs);
        let parts = match self.common_difference_sign(differences) {
            0.0 => [1.0 - self.prior, self.prior],
            // If both differences are negative, the cheaper decision is always the other class.
            sign if sign < 0.0 => [proba[1] / first, proba[0] / second * self.level.exp()],
            _ => [proba[0] / first, proba[1] / second * self.level.exp()],
        };
        let total = parts[0] + parts[1];
        proba.iter_mut().zip(parts).for_each(|(p, part)| *p = part / total);
    }

    pub(crate) fn class_log_odds_expr(
        &self,
        log_odds: ExprRef,
        builder: &mut ExprBuilder,
        columns: &[usize],
    ) -> ExprRef {
        let [zero, one, least] = [0.0, 1.0, self.least].map(|number| builder.constant_number(number));
        let mut difference = |class: usize| {
            let mut cost = |decision: usize| match self.cells[class * 2 + decision] {
                CostCell::Number(cost) => builder.constant_number(cost),
                CostCell::Column(column) => {
                    builder.add_feature_step(Op::Value { feature: columns[column as usize] }, 1)
                }
            };
            let [wrong, right] = [cost(1 - class), cost(class)];
            let difference = builder.minus(wrong, right);
            let opposite = builder.minus(zero, difference);
            let both = builder.concatenate(&[difference, opposite, least]);
            let size = builder.largest(both);
            let minus_one = builder.minus(zero, one);
            let negative = builder.select_if((least, ComparisonOp::AtMost, opposite), minus_one, zero);
            let sign = builder.select_if((least, ComparisonOp::AtMost, difference), one, negative);
            (builder.log(size), sign)
        };
        let [(size_0, sign_0), (size_1, sign_1)] = [difference(0), difference(1)];
        let signed = builder.times(sign_0, log_odds);
        let ratio = builder.minus(size_1, size_0);
        let level = builder.constant_number(self.level);
        let plain = builder.minus(signed, ratio);
        let of_row = builder.plus(plain, level);
        let prior = builder.constant_number(self.prior.ln() - (1.0 - self.prior).ln());
        let signs = builder.times(sign_0, sign_1);
        builder.select_if((zero, ComparisonOp::Less, signs), of_row, prior)
    }

    pub(crate) fn with_log_odds_offset(self, level: f64) -> Self {
        Self { level, ..self }
    }

    pub(crate) fn is_valid(&self, n_classes: usize, n_columns: usize) -> bool {
        let there = |cell: &CostCell| match cell {
            CostCell::Number(cost) => cost.is_finite() && *cost >= 0.0,
            CostCell::Column(column) => (*column as usize) < n_columns,
        };
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        n_classes == 2
            && self.cells.len() == 4
            && self.cells.iter().all(there)
            && is_positive(self.least)
            && is_positive(self.prior)
            && is_positive(1.0 - self.prior)
            && self.level.is_finite()
    }
}

fn row_cost_differences(cells: &[CostCell], frame: &Frame<'_>) -> Result<Vec<[f64; 2]>> {
    let costs = CostCells::new(cells.to_vec(), 2)?.to_row_costs(frame)?;
    let difference = |row, class| costs.cost(row, class, 1 - class) - costs.cost(row, class, class);
    Ok((0..frame.n_rows()).map(|row| [0, 1].map(|class| difference(row, class))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::Column;

    /// Each alert costs 5, whether right or wrong; a missed positive costs its amount.
    fn rule() -> CostRule {
        let cells =
            vec![CostCell::Number(0.0), CostCell::Number(5.0), CostCell::Column(0), CostCell::Number(5.0)];
        CostRule::Columns(CostCells::new(cells, 2).unwrap())
    }

    fn close(found: &[f64], known: &[f64]) -> bool {
        found.len() == known.len() && found.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn labels_are_cheaper_decisions_and_weights_differences() {
        let amounts = [10.0, 3.0, 45.0, 2.0, 5.0];
        let frame = Frame::new(vec![Column::from_numbers(&amounts)]).unwrap();
        let data = Dataset::new(frame, &[0, 0, 1, 1, 1], 2, Some(&[1.0, 1.0, 2.0, 1.0, 1.0])).unwrap();
        let rows = CostDerivedLabels::new(("m", Some(&rule())), &data, None).unwrap();
        let found = &rows.rule;
        assert_eq!(rows.labels, [0, 0, 1, 0, 1]);
        // The absolute differences are 5, 5, 40 (weight 2), 3 and 0. Their weighted mean is 93 / 6.
        let known = [5.0, 5.0, 80.0, 3.0, 0.0].map(|difference| difference / (93.0 / 6.0));
        assert!(close(&rows.weights, &known));
        assert!((rows.weights.iter().sum::<f64>() - 6.0).abs() < 1e-12);
        // The odds of the labels are 3 to 1. The ratios of cost differences are 1 in row 0 and 8 in row 2.
        // The other rows have the prior of class 1, which is 4 of 6.
        let mut proba = [0.25, 0.75].repeat(5);
        found.convert_to_class_proba(&mut proba, data.frame()).unwrap();
        let second: Vec<f64> = proba.chunks_exact(2).map(|p| p[1]).collect();
        assert!(close(&second, &[0.75, 4.0 / 6.0, 3.0 / 11.0, 4.0 / 6.0, 4.0 / 6.0]));
        // Rows 1, 3 and 4 have labels that do not depend on the class, so they get the weight 0.
        let held_out = rows.held_out_proba(&[0, 1, 2, 3, 4], [0.25, 0.75].repeat(5));
        assert_eq!(
            (held_out.weights, held_out.classes),
            (vec![1.0, 0.0, 2.0, 0.0, 0.0], vec![0, 0, 1, 1, 1])
        );
        let held_out = rows.held_out_proba(&[0, 1], [0.25, 0.75].repeat(2));
        assert_eq!(held_out.weights, [1.0, 1.0]);
        assert!(found.is_valid(2, 1) && !found.is_valid(2, 0) && !found.is_valid(3, 1));
    }

    #[test]
    fn labels_are_the_other_classes_if_errors_are_cheaper() {
        let frame = Frame::new(vec![Column::from_numbers(&[1.0, 2.0])]).unwrap();
        let data = Dataset::new(frame, &[0, 1], 2, None).unwrap();
        let costs = [3.0, 1.0, 1.0, 2.0].map(CostCell::Number).to_vec();
        let rule = CostRule::Columns(CostCells::new(costs, 2).unwrap());
        let rows = CostDerivedLabels::new(("m", Some(&rule)), &data, None).unwrap();
        assert_eq!(rows.labels, [1, 0]);
        assert!(close(&rows.weights, &[2.0 / 1.5, 1.0 / 1.5]));
        // The odds of the labels are 1 to 3. The odds of the classes are the inverse (3 to 1), times the
        // ratio of the cost differences (2 to 1).
        let mut proba = [0.75, 0.25];
        rows.rule.convert_row_to_class_proba(&mut proba, [-2.0, -1.0]);
        assert!(close(&proba, &[1.0 / 7.0, 6.0 / 7.0]));
    }

    #[test]
    fn costs_that_decide_nothing_are_refused() {
        let frame = Frame::new(vec![Column::from_numbers(&[1.0, 2.0])]).unwrap();
        let data = Dataset::new(frame, &[0, 1], 2, None).unwrap();
        let message = |rule: Option<&CostRule>| {
            CostDerivedLabels::new(("m", rule), &data, None).map(drop).unwrap_err().to_string()
        };
        assert!(message(None).contains("given with objective"));
        assert!(message(Some(&CostRule::PerRow(2))).contains("columns of X"));
        let of_cells = |cells: [f64; 4]| {
            CostRule::Columns(CostCells::new(cells.map(CostCell::Number).to_vec(), 2).unwrap())
        };
        assert!(message(Some(&of_cells([1.0, 1.0, 2.0, 2.0]))).contains("no row whose decisions differ"));
        assert!(message(Some(&of_cells([0.0, 5.0, 2.0, 5.0]))).contains("class 0 is the cheaper decision"));
        assert!(message(Some(&of_cells([0.0, 1e308, 1e308, 0.0]))).contains("divide all costs"));
    }
}
