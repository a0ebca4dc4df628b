//! Selection of one of several cross-validated settings (Breiman et al. 1984, section 3.4).

/// Rule that selects one of the cross-validated settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceRule {
    /// Selects the setting with the best mean score; ties go to the first setting.
    FirstBest,
    /// Selects the setting with the best mean score; ties go to the last setting.
    ///
    /// If the settings are the trees of a pruning path, the last setting is the smallest tree.
    LastBest,
    /// Selects the last setting whose mean score is within one standard error of the best mean.
    OneStandardError,
}

/// Result of [`choose_setting`].
#[derive(Clone, Debug, PartialEq)]
pub struct SettingChoice {
    /// Index of the selected setting.
    pub step: usize,
    /// Mean score of every setting; NaN if the score is NaN in a fold.
    pub mean: Vec<f64>,
    /// Standard deviation over folds of the score of every setting.
    ///
    /// The divisor is the number of folds, as in scikit-learn.
    pub sd: Vec<f64>,
}

/// Selects one of several settings by `scores[fold][setting]`; larger scores are better.
///
/// A setting whose mean is NaN is selected only if all means are NaN.
pub fn choose_setting(scores: &[Vec<f64>], rule: ChoiceRule) -> SettingChoice {
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
    let better = |&a: &usize, &b: &usize| value(a).total_cmp(&value(b));
    let first = (0..n_steps).rev().max_by(better).unwrap_or(0);
    let best = (0..n_steps).max_by(better).unwrap_or(0);
    let step = match rule {
        ChoiceRule::FirstBest => first,
        ChoiceRule::LastBest => best,
        ChoiceRule::OneStandardError => {
            // Standard error of the mean, from the sample standard deviation.
            let error = sd.get(best).map_or(0.0, |sd| sd / (n_folds - 1.0).max(1.0).sqrt());
            let threshold = value(best) - error;
            (best..n_steps).rev().find(|&step| value(step) >= threshold).unwrap_or(best)
        }
    };
    SettingChoice { step, mean, sd }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_standard_error_takes_the_smaller_tree() {
        // The means are 0.8, 0.8, 0.75 and 0.5. The best setting has the standard error 0.1 / sqrt(1) = 0.1.
        let scores = [vec![0.9, 0.9, 0.85, 0.6], vec![0.7, 0.7, 0.65, 0.4]];
        let best = choose_setting(&scores, ChoiceRule::LastBest);
        assert_eq!((best.step, choose_setting(&scores, ChoiceRule::FirstBest).step), (1, 0));
        assert!((best.mean[1] - 0.8).abs() < 1e-15 && (best.sd[1] - 0.1).abs() < 1e-15);
        assert_eq!(choose_setting(&scores, ChoiceRule::OneStandardError).step, 2);
    }

    #[test]
    fn an_undefined_mean_does_not_win() {
        let scores = [vec![f64::NAN, 0.2, f64::NAN], vec![0.9, 0.2, 0.1]];
        assert_eq!(choose_setting(&scores, ChoiceRule::LastBest).step, 1);
        assert_eq!(choose_setting(&scores, ChoiceRule::OneStandardError).step, 1);
        let none = [vec![f64::NAN, f64::NAN]];
        let steps =
            [ChoiceRule::LastBest, ChoiceRule::FirstBest].map(|rule| choose_setting(&none, rule).step);
        assert_eq!(steps, [1, 0]);
    }
}
