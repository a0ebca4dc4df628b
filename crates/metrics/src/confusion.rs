//! Confusion matrix, and multiclass scores computed from it.

use crate::argument_checks;
use crate::binary::{BinaryScore, Counts, ZeroDivision};
use imbcore_core::{Error, Result};

/// Weight of the rows by true class (row of the matrix) and predicted class (column).
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    counts: Vec<f64>,
    n_classes: usize,
}

/// Method of averaging scores over classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Average {
    /// Unweighted mean over the classes.
    Macro,
    /// Mean of the scores of the classes, weighted by the total weight of the rows of each class.
    Weighted,
    /// One score, computed from the sums of the confusion counts over the classes.
    Micro,
}

/// Denominator of the entries of a normalized confusion matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalize {
    /// Entries are divided by the weight of their true class.
    ///
    /// Each matrix row sums to 1, or to 0 if the class has no weight.
    Truth,
    /// Entries are divided by the weight of their predicted class.
    ///
    /// Each column sums to 1, or to 0 if the class is never predicted.
    Answer,
    /// Entries are divided by the weight of all rows.
    All,
}

impl Confusion {
    /// Builds the matrix from true and predicted class codes.
    ///
    /// # Errors
    /// [`Error::Data`] for unequal lengths, a code outside `n_classes`, or a weight that is negative or not
    /// finite.
    pub fn new(truth: &[u32], answers: &[u32], n_classes: usize, weights: Option<&[f64]>) -> Result<Self> {
        argument_checks::check_length("y_pred", answers.len(), truth.len())?;
        argument_checks::check_weights(weights, truth.len())?;
        argument_checks::check_class_codes("y_true", truth, n_classes)?;
        argument_checks::check_class_codes("y_pred", answers, n_classes)?;
        let mut counts = vec![0.0; n_classes * n_classes];
        for (row, (&class, &answer)) in truth.iter().zip(answers).enumerate() {
            counts[class as usize * n_classes + answer as usize] +=
                argument_checks::weight_or_one(weights, row);
        }
        Ok(Self { counts, n_classes })
    }

    /// Part of the confusion matrix for some classes only, in the given order.
    ///
    /// Data rows whose true or predicted class is not in `classes` are dropped.
    ///
    /// # Errors
    /// [`Error::Data`] for a code outside the matrix.
    pub fn select_classes(&self, classes: &[u32]) -> Result<Self> {
        argument_checks::check_class_codes("labels", classes, self.n_classes)?;
        let counts = classes
            .iter()
            .flat_map(|&class| classes.iter().map(move |&answer| self.cell(class as usize, answer as usize)))
            .collect();
        Ok(Self { counts, n_classes: classes.len() })
    }

    fn cell(&self, class: usize, answer: usize) -> f64 {
        self.counts[class * self.n_classes + answer]
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The entries, row-major.
    pub fn counts(&self) -> &[f64] {
        &self.counts
    }

    /// Entries divided by the weights that `by` selects; entries with the divisor 0 become 0.
    pub fn normalized(&self, by: Normalize) -> Vec<f64> {
        let n = self.n_classes;
        let (rows, columns, total) =
            (self.true_class_weights(), self.predicted_class_weights(), self.total());
        let denominator = |entry: usize| match by {
            Normalize::Truth => rows[entry / n],
            Normalize::Answer => columns[entry % n],
            Normalize::All => total,
        };
        let fraction = |(entry, &count): (usize, &f64)| {
            let whole = denominator(entry);
            if whole > 0.0 { count / whole } else { 0.0 }
        };
        self.counts.iter().enumerate().map(fraction).collect()
    }

    /// Weight of all rows.
    pub fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Weight of each true class.
    pub fn true_class_weights(&self) -> Vec<f64> {
        (0..self.n_classes)
            .map(|class| (0..self.n_classes).map(|answer| self.cell(class, answer)).sum())
            .collect()
    }

    pub(crate) fn predicted_class_weights(&self) -> Vec<f64> {
        (0..self.n_classes)
            .map(|answer| (0..self.n_classes).map(|class| self.cell(class, answer)).sum())
            .collect()
    }

    /// Confusion counts of one class against all other classes.
    ///
    /// # Errors
    /// [`Error::Data`] for a code outside the matrix.
    pub fn one_vs_rest(&self, class: u32) -> Result<Counts> {
        argument_checks::check_class(class, self.n_classes)?;
        Ok(self.counts_one_vs_rest(class as usize))
    }

    fn counts_one_vs_rest(&self, positive: usize) -> Counts {
        let mut counts = Counts::default();
        // Entries are summed one by one. If true negatives were the total minus the other counts, rounding
        // errors could remain in a count that should be 0.
        for class in 0..self.n_classes {
            for answer in 0..self.n_classes {
                let cell = match (class == positive, answer == positive) {
                    (true, true) => &mut counts.tp,
                    (true, false) => &mut counts.fn_,
                    (false, true) => &mut counts.fp,
                    (false, false) => &mut counts.tn,
                };
                *cell += self.cell(class, answer);
            }
        }
        counts
    }

    /// Confusion counts of every class against all others, in time linear in the matrix entries.
    ///
    /// True negatives of class `p` are the entries outside row and column `p`. They are summed without any
    /// subtraction, which could leave rounding errors. Two passes over the columns, one in each direction,
    /// keep in `sides` the sum of each matrix row over the columns visited before column `p`.
    fn counts_per_class(&self) -> Vec<Counts> {
        let n = self.n_classes;
        let mut all = vec![Counts::default(); n];
        for (class, counts) in all.iter_mut().enumerate() {
            let others = || (0..n).filter(|&other| other != class);
            counts.tp = self.cell(class, class);
            counts.fn_ = others().map(|answer| self.cell(class, answer)).sum();
            counts.fp = others().map(|truth| self.cell(truth, class)).sum();
        }
        let mut add_side = |positives: &mut dyn Iterator<Item = usize>| {
            let mut sides = vec![0.0; n];
            for positive in positives {
                let others = sides.iter().enumerate().filter(|(class, _)| *class != positive);
                all[positive].tn += others.map(|(_, side)| side).sum::<f64>();
                sides.iter_mut().enumerate().for_each(|(class, side)| *side += self.cell(class, positive));
            }
        };
        add_side(&mut (0..n));
        add_side(&mut (0..n).rev());
        all
    }

    /// `score` of every class against the rest.
    pub fn score_per_class(&self, score: BinaryScore, empty: ZeroDivision) -> Vec<f64> {
        self.counts_per_class().into_iter().map(|counts| score.compute(counts, empty)).collect()
    }

    /// Mean of `score` over those of the `classes` whose score is not NaN; NaN if all are NaN.
    ///
    /// # Errors
    /// [`Error::Data`] for a code outside the matrix.
    pub fn average_over_classes(
        &self,
        score: BinaryScore,
        average: Average,
        classes: &[u32],
        empty: ZeroDivision,
    ) -> Result<f64> {
        argument_checks::check_class_codes("labels", classes, self.n_classes)?;
        let all = self.counts_per_class();
        let counts: Vec<Counts> = classes.iter().map(|&class| all[class as usize]).collect();
        if average == Average::Micro {
            return Ok(score.compute(counts.iter().fold(Counts::default(), |sum, &c| sum.plus(c)), empty));
        }
        let defined: Vec<(f64, f64)> = counts
            .iter()
            .map(|&c| (score.compute(c, empty), c.tp + c.fn_))
            .filter(|(value, _)| !value.is_nan())
            .collect();
        let weight: f64 = defined.iter().map(|(_, support)| support).sum();
        // If none of the averaged classes has rows, the weighted mean is the unweighted mean, as in
        // scikit-learn.
        if average == Average::Weighted && weight > 0.0 {
            return Ok(defined.iter().map(|(value, support)| value * support).sum::<f64>() / weight);
        }
        Ok(defined.iter().map(|(value, _)| value).sum::<f64>() / defined.len() as f64)
    }

    /// Codes of the classes that have rows.
    pub fn present_classes(&self) -> Vec<u32> {
        let truths = self.true_class_weights();
        (0..self.n_classes as u32).filter(|&class| truths[class as usize] > 0.0).collect()
    }

    /// Recall of every class that has rows.
    pub(crate) fn recalls(&self) -> Vec<f64> {
        let truths = self.true_class_weights();
        (0..self.n_classes)
            .filter(|&class| truths[class] > 0.0)
            .map(|class| self.cell(class, class) / truths[class])
            .collect()
    }

    /// Fraction of correct predictions; NaN without rows.
    pub fn accuracy(&self) -> f64 {
        self.correct_weight() / self.total()
    }

    /// Fraction of wrong predictions; NaN without rows.
    pub fn error_rate(&self) -> f64 {
        (self.total() - self.correct_weight()) / self.total()
    }

    /// Weight of the correct predictions.
    pub fn correct_weight(&self) -> f64 {
        (0..self.n_classes).map(|class| self.cell(class, class)).sum()
    }

    /// Arithmetic mean (a-mean) of the recalls of the classes that have rows; NaN without rows.
    pub fn balanced_accuracy(&self) -> f64 {
        let recalls = self.recalls();
        recalls.iter().sum::<f64>() / recalls.len() as f64
    }

    /// Geometric mean of the recalls of the classes that have rows; NaN without rows.
    ///
    /// A recall of 0 is replaced by `correction`. If `correction` is 0, as usual, a single class with recall
    /// 0 makes the result 0.
    pub fn g_mean(&self, correction: f64) -> f64 {
        let recalls: Vec<f64> =
            self.recalls().into_iter().map(|r| if r == 0.0 { correction } else { r }).collect();
        if recalls.is_empty() {
            return f64::NAN;
        }
        let product: f64 = recalls.iter().product();
        match recalls.len() {
            1 => product,
            2 => product.sqrt(),
            // Logarithms are summed, because the product of hundreds of small recalls may underflow.
            n => (recalls.iter().map(|r| r.ln()).sum::<f64>() / n as f64).exp(),
        }
    }

    /// [`power_mean`] of the recalls of the classes that have rows.
    ///
    /// If `by_prevalence`, the weights are the class prevalences.
    ///
    /// # Errors
    /// Same errors as [`power_mean`].
    pub fn power_mean(&self, p: f64, by_prevalence: bool) -> Result<f64> {
        let truths: Vec<f64> = self.true_class_weights().into_iter().filter(|&weight| weight > 0.0).collect();
        power_mean(&self.recalls(), p, by_prevalence.then_some(truths.as_slice()))
    }

    /// Cohen's kappa, the agreement beyond chance (Cohen 1960).
    ///
    /// The result is `undefined` if chance agreement is 1, or without rows.
    pub fn kappa(&self, undefined: f64) -> f64 {
        let (truths, answers, total) =
            (self.true_class_weights(), self.predicted_class_weights(), self.total());
        let by_chance: f64 = truths.iter().zip(&answers).map(|(t, a)| t * a).sum();
        // The denominator, total^2 - `by_chance`, is 0 if all rows have the same true and predicted class.
        // This case is detected from the class weights, because rounding may make the computed denominator
        // nonzero.
        let one_class = |masses: &[f64]| {
            let mut with_mass = masses.iter().enumerate().filter(|(_, mass)| **mass > 0.0);
            match (with_mass.next(), with_mass.next()) {
                (Some((class, _)), None) => Some(class),
                _ => None,
            }
        };
        let (truth, answer) = (one_class(&truths), one_class(&answers));
        if total == 0.0 || (truth.is_some() && truth == answer) {
            return undefined;
        }
        (total * self.correct_weight() - by_chance) / (total * total - by_chance)
    }

    /// Correlation of true and predicted class (Gorodkin 2004); 0 if one of the two is constant.
    pub fn mcc(&self) -> f64 {
        let (truths, answers, total) =
            (self.true_class_weights(), self.predicted_class_weights(), self.total());
        let spread = |masses: &[f64]| total * total - masses.iter().map(|mass| mass * mass).sum::<f64>();
        let varies = |masses: &[f64]| masses.iter().filter(|mass| **mass > 0.0).count() > 1;
        if !varies(&truths) || !varies(&answers) {
            return 0.0;
        }
        let together =
            total * self.correct_weight() - truths.iter().zip(&answers).map(|(t, a)| t * a).sum::<f64>();
        together / (spread(&truths).sqrt() * spread(&answers).sqrt())
    }

    /// Mean cost of a prediction; NaN without rows.
    ///
    /// `costs` has one cost per matrix entry, row-major.
    ///
    /// # Errors
    /// [`Error::Data`] unless there is one finite cost per entry.
    pub fn mean_cost(&self, costs: &[f64]) -> Result<f64> {
        if costs.len() != self.counts.len() || costs.iter().any(|cost| !cost.is_finite()) {
            return Err(Error::Data(format!(
                "cost_matrix must have {0} rows and {0} columns of finite numbers",
                self.n_classes
            )));
        }
        Ok(self.counts.iter().zip(costs).map(|(count, cost)| count * cost).sum::<f64>() / self.total())
    }

    /// Whether all predictions are the same class.
    pub fn has_single_predicted_class(&self) -> bool {
        self.predicted_class_weights().iter().filter(|&&weight| weight > 0.0).count() <= 1
    }
}

/// Weighted power mean of `values` in [0, 1] with exponent `p`.
///
/// The weights are divided by their sum. The exponent 1 gives the arithmetic mean, 0 the geometric mean, -1
/// the harmonic mean, -inf the minimum and +inf the maximum. If `p <= 0`, a value of 0 with positive weight
/// makes the mean 0. Values of weight 0 are ignored. If all weights are 0, the mean is NaN.
///
/// # Errors
/// [`Error::Data`] for unequal lengths, negative weights or values outside [0, 1]; [`Error::Parameter`] for
/// NaN `p`.
pub fn power_mean(values: &[f64], p: f64, weights: Option<&[f64]>) -> Result<f64> {
    argument_checks::check_weights(weights, values.len())?;
    argument_checks::check_probabilities(values)?;
    if p.is_nan() {
        return Err(Error::parameter("power_mean", "p", "a number or an infinity", p));
    }
    let pairs: Vec<(f64, f64)> = values
        .iter()
        .enumerate()
        .map(|(at, &value)| (value, argument_checks::weight_or_one(weights, at)))
        .filter(|&(_, weight)| weight > 0.0)
        .collect();
    let total: f64 = pairs.iter().map(|(_, weight)| weight).sum();
    let mean_of = |term: &dyn Fn(f64) -> f64| pairs.iter().map(|(v, w)| w * term(*v)).sum::<f64>() / total;
    let largest = pairs.iter().map(|(v, _)| *v).fold(0.0, f64::max);
    let least = pairs.iter().map(|(v, _)| *v).fold(1.0, f64::min);
    Ok(if pairs.is_empty() {
        f64::NAN
    } else if p == f64::INFINITY || largest == 0.0 {
        largest
    } else if p == f64::NEG_INFINITY || (p <= 0.0 && least == 0.0) {
        least
    } else if p == 0.0 {
        mean_of(&f64::ln).exp()
    } else {
        // The largest value (or the smallest, for negative `p`) is factored out, so that powers do not
        // overflow.
        let scale = if p > 0.0 { largest } else { least };
        scale * mean_of(&|v: f64| (v / scale).powf(p)).powf(p.recip())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Confusion {
        // Class 0 has two correct predictions and one as class 1. Class 1 has one correct prediction and one
        // as class 2. Class 2 has one correct prediction.
        Confusion::new(&[0, 0, 0, 1, 1, 2], &[0, 0, 1, 1, 2, 2], 3, None).unwrap()
    }

    #[test]
    fn hand_worked_matrix() {
        let c = three();
        assert_eq!(c.counts(), [2.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]);
        assert_eq!(c.accuracy(), 4.0 / 6.0);
        assert_eq!(c.error_rate(), 2.0 / 6.0);
        assert_eq!(c.recalls(), [2.0 / 3.0, 0.5, 1.0]);
        assert!((c.balanced_accuracy() - 13.0 / 18.0).abs() < 1e-15);
        assert!((c.g_mean(0.0) - (1.0_f64 / 3.0).cbrt()).abs() < 1e-15);
        // p_o = 4/6, p_e = (3*2 + 2*2 + 1*2)/36 = 12/36.
        assert!((c.kappa(0.0) - 0.5).abs() < 1e-15);
        // (6*4 - 12) / sqrt((36-12) (36-14)).
        assert!((c.mcc() - 12.0 / (24.0_f64 * 22.0).sqrt()).abs() < 1e-15);
        assert!(!c.has_single_predicted_class());
        let cost = c.mean_cost(&[0.0, 3.0, 1.0, 1.0, 0.0, 6.0, 1.0, 1.0, 0.0]).unwrap();
        assert_eq!(cost, 1.5);
        assert!(c.mean_cost(&[0.0; 4]).is_err());
    }

    #[test]
    fn averages_over_classes() {
        let c = three();
        let mean = |average, classes: &[u32]| {
            c.average_over_classes(BinaryScore::Recall, average, classes, ZeroDivision::Zero).unwrap()
        };
        assert!((mean(Average::Macro, &[0, 1, 2]) - 13.0 / 18.0).abs() < 1e-15);
        assert!((mean(Average::Weighted, &[0, 1, 2]) - 4.0 / 6.0).abs() < 1e-15);
        assert_eq!(mean(Average::Micro, &[0, 1, 2]), 4.0 / 6.0);
        assert_eq!(mean(Average::Macro, &[1, 2]), 0.75);
        assert_eq!(c.score_per_class(BinaryScore::Precision, ZeroDivision::Zero), [1.0, 0.5, 0.5]);
        assert!(
            c.average_over_classes(BinaryScore::Recall, Average::Macro, &[3], ZeroDivision::Zero).is_err()
        );
    }

    #[test]
    fn an_undefined_class_score_leaves_the_average() {
        let c = Confusion::new(&[0, 0, 1], &[0, 0, 0], 2, None).unwrap();
        let mean =
            |empty| c.average_over_classes(BinaryScore::Precision, Average::Macro, &[0, 1], empty).unwrap();
        assert_eq!(mean(ZeroDivision::Nan), 2.0 / 3.0);
        assert_eq!(mean(ZeroDivision::Zero), 1.0 / 3.0);
    }

    #[test]
    fn a_class_without_rows_leaves_the_means_of_recalls() {
        let c = Confusion::new(&[0, 0, 1], &[0, 2, 1], 3, None).unwrap();
        assert_eq!(c.balanced_accuracy(), 0.75);
        assert_eq!(c.g_mean(0.0), 0.5_f64.sqrt());
        assert_eq!(c.present_classes(), [0, 1]);
        assert_eq!(c.power_mean(1.0, false).unwrap(), 0.75);
        assert!((c.power_mean(1.0, true).unwrap() - c.accuracy()).abs() < 1e-15);
    }

    #[test]
    fn one_class_and_no_rows_have_their_conventions() {
        let one = Confusion::new(&[1, 1], &[1, 1], 2, Some(&[0.1, 0.7])).unwrap();
        assert_eq!(
            (one.accuracy(), one.mcc(), one.kappa(0.0), one.has_single_predicted_class()),
            (1.0, 0.0, 0.0, true)
        );
        assert!(one.kappa(f64::NAN).is_nan());
        let none = Confusion::new(&[0, 1], &[0, 1], 2, Some(&[0.0, 0.0])).unwrap();
        assert!(none.accuracy().is_nan() && none.balanced_accuracy().is_nan() && none.g_mean(0.0).is_nan());
        assert_eq!((none.kappa(0.0), none.mcc(), none.has_single_predicted_class()), (0.0, 0.0, true));
        let missed = Confusion::new(&[0, 1], &[0, 0], 2, None).unwrap();
        assert_eq!((missed.g_mean(0.0), missed.g_mean(0.25)), (0.0, 0.5));
    }

    #[test]
    fn selection_and_fractions() {
        let part = three().select_classes(&[2, 1]).unwrap();
        assert_eq!(part.counts(), [1.0, 0.0, 1.0, 1.0]);
        assert_eq!(part.normalized(Normalize::Truth), [1.0, 0.0, 0.5, 0.5]);
        assert_eq!(part.normalized(Normalize::Answer), [0.5, 0.0, 0.5, 1.0]);
        assert_eq!(part.normalized(Normalize::All), [1.0 / 3.0, 0.0, 1.0 / 3.0, 1.0 / 3.0]);
        assert!(three().select_classes(&[3]).is_err());
    }

    #[test]
    fn invalid_input_is_an_error() {
        let message = |truth: &[u32], answers: &[u32], weights: Option<&[f64]>| {
            Confusion::new(truth, answers, 2, weights).unwrap_err().to_string()
        };
        assert!(message(&[0, 1], &[0], None).contains("y_pred has 1 values, but y_true has 2"));
        assert!(message(&[0, 2], &[0, 1], None).contains("y_true has class code 2"));
        assert!(message(&[0, 1], &[0, 1], Some(&[1.0])).contains("sample_weight has 1 values"));
        assert!(message(&[0, 1], &[0, 1], Some(&[1.0, f64::NAN])).contains("row 1 has NaN"));
    }

    #[test]
    fn power_means_at_the_named_exponents() {
        let mean = |p| power_mean(&[0.25, 1.0], p, None).unwrap();
        assert_eq!((mean(1.0), mean(-1.0)), (0.625, 0.4));
        assert!((mean(0.0) - 0.5).abs() < 1e-15);
        assert_eq!((mean(f64::NEG_INFINITY), mean(f64::INFINITY)), (0.25, 1.0));
        assert_eq!(power_mean(&[0.0, 1.0], -2.0, None).unwrap(), 0.0);
        assert_eq!(power_mean(&[0.0, 0.5], 0.0, Some(&[0.0, 3.0])).unwrap(), 0.5);
        let steep = |p| power_mean(&[0.01, 0.02], p, None).unwrap();
        assert!(
            steep(500.0) > 0.0199 && steep(500.0) <= 0.02 && steep(-500.0) < 0.0101 && steep(-500.0) >= 0.01
        );
        assert!(power_mean(&[], 1.0, None).unwrap().is_nan());
        assert!(power_mean(&[0.5], f64::NAN, None).is_err() && power_mean(&[1.5], 1.0, None).is_err());
    }
}
