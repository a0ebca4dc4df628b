//! Area under the ROC curve that connects the trees of a ROC hull.

pub(crate) fn roc_area(positives: f64, negatives: f64, errors: &[[f64; 2]]) -> f64 {
    let points = || std::iter::once([0.0, positives]).chain(errors.iter().copied()).chain([[negatives, 0.0]]);
    let under: f64 = points().zip(points().skip(1)).map(|(a, b)| (b[0] - a[0]) * (a[1] + b[1]) / 2.0).sum();
    1.0 - under / (positives * negatives)
}
