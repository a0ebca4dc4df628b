//! Choice of the penalty by the log loss on inner folds.

use crate::lbfgs::{HessianCache, ROUGH};
use crate::training::TrainingRows;
use imbcore_core::{Dataset, Error, Result, RowDependence, RunContext, SeedKey, parallel, tags};
use imbcore_metrics::{CvSplits, LossDifferences, SignalEvidence, log_loss, min_groups_per_class};

/// Number of held-out rows or groups of the smallest class that suffices to choose C.
const ENOUGH: usize = 500;
/// The search over ascending values of C stops this many values after the best one.
const PATIENCE: usize = 4;

/// Candidate values of C, ascending: 10^(k/2) from 1e-5 to 1e4.
fn candidate_penalties() -> impl Iterator<Item = f64> {
    (-10..=8).map(|half: i32| 10_f64.powf(f64::from(half) / 2.0))
}

type ChosenPenalty = (f64, Vec<(f64, f64)>);

/// Returns the value of C with the smallest mean log loss on inner folds, and all losses.
///
/// The losses are those of the tried values.
///
/// Returns `None` if a class has too few rows, groups or distinct times for inner folds.
///
/// # Errors
/// [`Error::Memory`], [`Error::Cancelled`].
pub(crate) fn choose_penalty(
    training: &TrainingRows<'_, '_>,
    folds: u32,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<Option<ChosenPenalty>> {
    let codes: Vec<u32> =
        training.rows.iter().map(|&row| training.data.class_codes()[row as usize]).collect();
    let dependence = training.data.dependence().take(training.rows.iter().copied());
    let Some(splits) = inner_splits(&codes, dependence.borrow(), folds, key, ctl)? else { return Ok(None) };
    let mut fits = parallel::try_map(splits.tested_folds(), |(repeat, fold)| {
        let (trained, tested) = splits.train_and_test_rows(repeat, fold);
        HeldOutFit::new(training, &trained, &tested, ctl)
    })?;
    let mut path: Vec<(f64, f64)> = Vec::new();
    let (mut best, mut evidence, total) = ((f64::INFINITY, 1.0), None, candidate_penalties().count());
    for value in candidate_penalties() {
        let losses = parallel::try_map(&mut fits, |fit| fit.fit_and_score_held_out(value, ctl))?;
        let loss = losses.iter().sum::<f64>() / losses.len() as f64;
        path.push((value, loss));
        if loss < best.0 {
            best = (loss, value);
            evidence = HeldOutFit::compare_with_prior(&fits);
        }
        ctl.report_progress("penalties", path.len() as u64, total as u64);
        if path.iter().rev().take_while(|(value, _)| *value > best.1).count() >= PATIENCE {
            break;
        }
    }
    if let Some(evidence) = evidence {
        evidence.warn_if_no_signal(ctl);
    }
    Ok(Some((best.1, path)))
}

/// The fit for each value of C starts from the coefficients for the previous value.
struct HeldOutFit<'t, 'd> {
    training: TrainingRows<'t, 'd>,
    encoded: crate::training::EncodedTraining,
    coefficients: Vec<f64>,
    cache: HessianCache,
    tested: Vec<u32>,
    classes: Vec<u32>,
    weights: Vec<f64>,
    prior: Vec<f64>,
    /// Class probabilities of the held-out rows, for the last fitted value of C.
    proba: Vec<f64>,
}

impl<'t, 'd> HeldOutFit<'t, 'd> {
    fn new(
        training: &TrainingRows<'t, 'd>,
        trained: &[u32],
        tested: &[u32],
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let training_rows = training.select_rows(trained);
        let tested = training.select_rows(tested);
        let encoded = training_rows.encode(ctl)?;
        let coefficients = encoded.initial_coefficients();
        let mut prior = vec![0.0; training.data.n_classes()];
        let total: f64 = training_rows.weights.iter().sum();
        for (&row, weight) in training_rows.rows.iter().zip(&training_rows.weights) {
            prior[training.data.class_codes()[row as usize] as usize] += weight / total;
        }
        let classes = tested.rows.iter().map(|&row| training.data.class_codes()[row as usize]).collect();
        Ok(Self {
            training: training_rows,
            encoded,
            coefficients,
            cache: HessianCache::default(),
            tested: tested.rows,
            classes,
            weights: tested.weights,
            prior,
            proba: Vec::new(),
        })
    }

    /// The models are those of the last fitted value of C.
    fn compare_with_prior(fits: &[Self]) -> Option<SignalEvidence> {
        let mut differences = LossDifferences::new(1);
        for fit in fits {
            let groups = fit.training.data.dependence().groups();
            let groups: Option<Vec<u32>> =
                groups.map(|groups| fit.tested.iter().map(|&row| groups[row as usize]).collect());
            let predictions = (&*fit.classes, &*fit.proba);
            differences.add_predictions(predictions, &fit.prior, &fit.weights, groups.as_deref());
        }
        differences.evidence_for_model(0)
    }

    fn fit_and_score_held_out(&mut self, value: f64, ctl: RunContext<'_>) -> Result<f64> {
        let start = std::mem::take(&mut self.coefficients);
        self.coefficients = self.encoded.minimize(value, start, ROUGH, &mut self.cache, ctl)?.coefficients;
        let data: &Dataset<'_> = self.training.data;
        let model = self.encoded.predictor(&self.coefficients, data.n_classes());
        self.proba = model.proba_of_rows(data.frame(), &self.tested, ctl)?;
        log_loss(&self.classes, &self.proba, data.n_classes(), Some(&self.weights), true)
    }
}

/// Splits the rows into inner folds; `None` if a class has too few rows, groups or times.
///
/// With row times, every fold is held out in turn. Otherwise folds are held out until they contain about
/// [`ENOUGH`] rows of the smallest class, or rows of as many groups.
fn inner_splits(
    codes: &[u32],
    dependence: RowDependence<'_>,
    folds: u32,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<Option<CvSplits>> {
    // The class with the fewest groups (or rows, if there are no groups) limits the number of folds.
    let fewest = if let Some(groups) = dependence.groups() {
        min_groups_per_class(codes, groups)
    } else {
        let mut counts = Vec::new();
        for &code in codes {
            counts.resize(counts.len().max(code as usize + 1), 0);
            counts[code as usize] += 1;
        }
        counts.into_iter().filter(|&count| count > 0).min().unwrap_or(0)
    };
    let folds = folds.min(u32::try_from(fewest).unwrap_or(u32::MAX));
    if folds < 2 {
        return Ok(None);
    }
    let key = key.child(tags::linear::FOLDS, 0);
    let splits = match CvSplits::inner_folds(codes, dependence, folds, key, ctl) {
        Err(Error::Data(_)) if !dependence.is_none() => return Ok(None),
        splits => splits?,
    };
    if dependence.times().is_some() {
        return Ok(Some(splits));
    }
    let mut tests = splits.tested_folds();
    tests.truncate((ENOUGH * folds as usize).div_ceil(fewest));
    Ok(Some(splits.with_tested_folds(tests)))
}
