//! Clustering of the positive rows by an algorithm that the caller provides.

use super::clustered_rows::NO_CLUSTER;
use super::first_pass::TableAfterFirstPass;
use crate::feature_scale::FeatureScale;
use imbcore_core::{Column, Error, MISSING, Result, SeedKey, memory, random_below};
use std::fmt::Debug;

/// Cluster code of a positive row that the clustering algorithm labels as noise.
///
/// No box starts from such a row. For every box, the row counts as a row of another cluster.
pub const NOISE: u32 = NO_CLUSTER - 1;

/// Coordinate for the level that a row has; its coordinates for all other levels are 0.
///
/// Rows of different levels are then at distance 2.
const LEVEL: f64 = std::f64::consts::SQRT_2;

/// Coordinates of the positive rows, as input of a clustering algorithm.
#[derive(Clone, Debug)]
pub struct ClusterPoints {
    /// Coordinates row by row: one per numeric feature, and one per level of a nominal feature.
    pub values: Vec<f64>,
    /// Number of coordinates of a row.
    pub width: usize,
    /// Weights of the rows; `None` if every weight is 1.
    pub weights: Option<Vec<f64>>,
}

/// A clustering algorithm.
pub trait Clusterer: Debug + Sync {
    /// Returns the cluster of every row.
    ///
    /// Clusters are numbered from 0 without gaps. A negative number means that the row is noise. `n_boxes` is
    /// the number of boxes of the fit, which the algorithm may ignore.
    ///
    /// # Errors
    /// Errors of the algorithm.
    fn assign_clusters(&self, points: ClusterPoints, n_boxes: u32, seed: u32) -> Result<Vec<i64>>;
}

/// Clusters the positive rows.
///
/// Returns the cluster of each positive row, and the number of clusters.
///
/// # Errors
/// Errors of the algorithm, [`Error::Memory`], and [`Error::Internal`] if the labels do not match the rows.
pub(crate) fn cluster_with_external(
    clusterer: &dyn Clusterer,
    look: &TableAfterFirstPass<'_>,
    weights: Option<&[f64]>,
    scale: &FeatureScale,
    (n_boxes, key): (u32, SeedKey),
) -> Result<(Vec<u32>, usize)> {
    let points = build_cluster_points(look, weights, scale)?;
    let seed = random_below(&mut key.rng(), u32::MAX);
    let labels = clusterer.assign_clusters(points, n_boxes, seed)?;
    let n_clusters = usize::try_from(labels.iter().copied().max().unwrap_or(-1) + 1).unwrap_or_default();
    if labels.len() != look.of.len() || n_clusters == 0 || n_clusters > labels.len() {
        return Err(Error::Internal("cluster labels do not fit the rows".into()));
    }
    Ok((labels.into_iter().map(|label| u32::try_from(label).unwrap_or(NOISE)).collect(), n_clusters))
}

/// Computes the coordinates of the positive rows.
///
/// A missing number is replaced by the midrange of the positive rows. For a missing level, all coordinates
/// are 0.
fn build_cluster_points(
    look: &TableAfterFirstPass<'_>,
    weights: Option<&[f64]>,
    scale: &FeatureScale,
) -> Result<ClusterPoints> {
    let frame = look.positives.borrow()?;
    let width_of = |column: &Column<'_>| match column {
        Column::Numeric(_) => 1,
        Column::Nominal { levels, .. } => *levels as usize,
    };
    // A table without numeric features and levels gets one coordinate, which is 0 for all rows.
    let width = frame.columns().iter().map(width_of).sum::<usize>().max(1);
    let mut values = memory::filled(frame.n_rows() * width, 0.0, "rows of the positive class")?;
    let mut first = 0;
    for (feature, column) in frame.columns().iter().enumerate() {
        match column {
            // A constant feature does not separate rows, so its coordinate stays 0.
            Column::Numeric(_) if scale.units[feature] == 0.0 => {}
            Column::Numeric(numbers) => {
                let known = || numbers.iter().map(|x| scale.scale(feature, x)).filter(|z| !z.is_nan());
                let (low, high) =
                    (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
                let middle = if low <= high { f64::midpoint(low, high) } else { 0.0 };
                for (row, x) in values.chunks_exact_mut(width).zip(numbers.iter()) {
                    let z = scale.scale(feature, x);
                    row[first] = if z.is_nan() { middle } else { z };
                }
            }
            Column::Nominal { codes, .. } => {
                for (row, &code) in values.chunks_exact_mut(width).zip(codes.iter()) {
                    if code != MISSING {
                        row[first + code as usize] = LEVEL;
                    }
                }
            }
        }
        first += width_of(column);
    }
    let weights = weights.map(|weights| look.of.iter().map(|&row| weights[row]).collect());
    Ok(ClusterPoints { values, width, weights })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::{BoundAdjustmentRule, FastBoxesParams};
    use imbcore_core::{Classifier, Dataset, Frame, Learner, RunContext};

    #[derive(Debug)]
    struct BySign;

    impl Clusterer for BySign {
        fn assign_clusters(&self, points: ClusterPoints, n_boxes: u32, _: u32) -> Result<Vec<i64>> {
            assert_eq!((n_boxes, points.width), (3, 3));
            let label = |row: &[f64]| match row[0] {
                z if z < 0.0 => 0,
                z if z > 0.0 => 1,
                _ => -1,
            };
            Ok(points.values.chunks_exact(points.width).map(label).collect())
        }
    }

    #[test]
    fn boxes_start_from_the_clusters_and_not_from_noise() {
        let x = [-10.0, -9.0, -8.0, 0.0, 8.0, 9.0, 10.0, -5.0, 5.0, 1.0];
        let frame = Frame::new(vec![
            Column::from_numbers(&x),
            Column::Nominal { codes: &[0, 1, 0, 0, 1, 1, MISSING, 0, 1, 0], levels: 2 },
        ])
        .unwrap();
        let classes = [1, 1, 1, 1, 1, 1, 1, 0, 0, 0];
        let data = Dataset::new(frame.clone(), &classes, 2, None).unwrap();
        let params = FastBoxesParams {
            bound_rule: BoundAdjustmentRule::None,
            clusterer: Some("BySign".into()),
            ..FastBoxesParams::default()
        };
        let learner = params.clone().check("fast_boxes").unwrap().with_positive_class(Some(1));
        let refused = learner.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap_err().to_string();
        assert!(refused.contains("`clusterer` must be an estimator with fit_predict"), "{refused}");
        let learner =
            params.check("fast_boxes").unwrap().with_positive_class(Some(1)).with_clusterer(Some(&BySign));
        let model = learner.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap();
        assert_eq!(model.drawing().n_boxes(), 2);
        assert_eq!(model.predict(&frame, RunContext::silent()).unwrap().len(), 10);
    }
}
