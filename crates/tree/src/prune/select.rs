//! Choosing a tree of the path by cross-validation (Breiman et al. 1984, section 3.4).

use serde::{Deserialize, Serialize};

/// Which of the cross-validated trees wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChoiceRule {
    /// The one with the best mean score; of equals the smallest.
    #[serde(rename = "min")]
    Best,
    /// The smallest whose mean score is within one standard error of the best.
    #[serde(rename = "1se")]
    OneStandardError,
}

/// Outcome of [`choose`]; scores that are undefined (NaN) in a fold make the mean undefined.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Entry of the path.
    pub step: usize,
    /// Mean score of every entry.
    pub mean: Vec<f64>,
    /// Standard deviation over the folds (of the population, as in scikit-learn's `cv_results_`).
    pub sd: Vec<f64>,
}

/// Alphas to try, one for each entry of the path: `sqrt(alpha_k alpha_k+1)`, and infinity for the last.
pub fn betas(alphas: &[f64]) -> Vec<f64> {
    let next = alphas.iter().skip(1).map(Some).chain([None]);
    alphas.iter().zip(next).map(|(a, b)| b.map_or(f64::INFINITY, |b| a.sqrt() * b.sqrt())).collect()
}

/// Chooses among the entries of a path; `scores[fold][entry]`, larger is better.
///
/// An entry whose mean is undefined can only win when all are; then the smallest tree does.
pub fn choose(scores: &[Vec<f64>], rule: ChoiceRule) -> Choice {
    let n_steps = scores.first().map_or(0, Vec::len);
    let n_folds = scores.len() as f64;
    let mean_of = |step: usize| scores.iter().map(|fold| fold[step]).sum::<f64>() / n_folds;
    let mean: Vec<f64> = (0..n_steps).map(mean_of).collect();
    let sd_of = |step: usize| {
        let squares: f64 = scores.iter().map(|fold| (fold[step] - mean[step]).powi(2)).sum();
        (squares / n_folds).sqrt()
    };
    let sd: Vec<f64> = (0..n_steps).map(sd_of).collect();
    let value = |step: usize| if mean[step].is_nan() { f64::NEG_INFINITY } else { mean[step] };
    let best = (0..n_steps).max_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(0);
    let step = match rule {
        ChoiceRule::Best => best,
        ChoiceRule::OneStandardError => {
            // The error of the mean, from the deviation of a sample.
            let error = sd.get(best).map_or(0.0, |sd| sd / (n_folds - 1.0).max(1.0).sqrt());
            let floor = value(best) - error;
            (best..n_steps).rev().find(|&step| value(step) >= floor).unwrap_or(best)
        }
    };
    Choice { step, mean, sd }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn betas_lie_between_their_alphas() {
        assert_eq!(betas(&[0.0, 0.25, 1.0]), [0.0, 0.5, f64::INFINITY]);
        assert_eq!(betas(&[0.0]), [f64::INFINITY]);
    }

    #[test]
    fn one_standard_error_takes_the_smaller_tree() {
        // Means 0.8, 0.8, 0.75, 0.5; the standard error of the best is 0.1 / sqrt(1) = 0.1.
        let scores = [vec![0.9, 0.9, 0.85, 0.6], vec![0.7, 0.7, 0.65, 0.4]];
        let best = choose(&scores, ChoiceRule::Best);
        assert_eq!(best.step, 1);
        assert!((best.mean[1] - 0.8).abs() < 1e-15 && (best.sd[1] - 0.1).abs() < 1e-15);
        assert_eq!(choose(&scores, ChoiceRule::OneStandardError).step, 2);
    }

    #[test]
    fn an_undefined_mean_does_not_win() {
        let scores = [vec![f64::NAN, 0.2, f64::NAN], vec![0.9, 0.2, 0.1]];
        assert_eq!(choose(&scores, ChoiceRule::Best).step, 1);
        assert_eq!(choose(&scores, ChoiceRule::OneStandardError).step, 1);
        assert_eq!(choose(&[vec![f64::NAN, f64::NAN]], ChoiceRule::Best).step, 1);
    }
}
