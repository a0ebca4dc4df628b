//! Parameters of Fast Boxes.

use super::closed_form::BoundAdjustmentRule;
use super::clustered_rows::Clustering;
use crate::box_drawing::MissingRule;
use crate::feature_scale::Scaling;
use serde::{Deserialize, Serialize};

/// Method of ranking rows with `bound_rule="paper"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowRanking {
    /// The ranking is exact at certain weights of negative rows, and interpolated between them.
    ///
    /// These weights are 0.1, 0.2, ..., 1 and `negative_weight`.
    Levels,
    /// The ranking is exact at all weights. The model stores the values of the negative rows.
    Exact,
}

imbcore_core::params! {
    /// Parameters of Fast Boxes.
    pub struct FastBoxesParams {
        n_boxes: u32 = 3, "a whole number of at least 1",
            "Number of boxes (clusters of positive rows); fewer if there are fewer distinct positive rows.";
        negative_weight: f64 = 1.0, "in (0, 1]",
            "Weight of a negative row in the loss (c of the paper); a lower weight gives larger boxes.";
        expansion: f64 = 1.0, "a number of at least 0",
            "Expansion of the bounds (beta of the paper); a larger value gives larger boxes.";
        eps: f64 = 0.01, "in [0, 1]",
            "Size of the final adjustment of a bound: the bound moves outwards until its distance to the next row is \
             this fraction of the distance before. Used by bound_rule=\"paper\" and \"program\".";
        bound_rule: BoundAdjustmentRule = BoundAdjustmentRule::Paper, "\"paper\", \"program\", \"expand\" or \"none\"",
            "Final adjustment of a bound after the closed formula, which may move the bound inwards or outwards. \
             \"paper\": the bound is moved outwards, close to the next negative row (see `eps`). \"program\", as in \
             the authors' program: the bound is the outer one of the closed formula and a point close to the next \
             row of any class. \"expand\": an inward move is undone. \"none\": no adjustment.";
        scale: Scaling = Scaling::MinMax, "\"minmax\", \"maxabs\" or \"none\"",
            "Scaling of the numeric features during the fit: each to [-1, 1] (\"minmax\"), divided by its largest \
             absolute value (\"maxabs\"), or no scaling (\"none\"). Rules are in the original units.";
        clustering: Clustering = Clustering::KMeans, "\"kmeans\" or \"program\"",
            "Clustering of the positive rows. \"kmeans\": k-means on scaled features. \"program\": k-means with a \
             single start on standardized features, as in the authors' program.";
        clusterer: Option<String> = None, "an estimator with fit_predict, or None",
            "Estimator that clusters the scaled positive rows in place of `clustering`; each cluster starts one box. \
             Rows with a negative cluster label are noise and start no box.";
        n_init: u32 = 5, "a whole number of at least 1",
            "Number of k-means starts; the best clustering is used.";
        ranking: RowRanking = RowRanking::Levels, "\"levels\" or \"exact\"",
            "Computation of the score of a row if bound_rule=\"paper\". The score is the largest `negative_weight` \
             for which a box contains the row. \"levels\": exact at the values 0.1, 0.2, ..., 1 and at the given \
             negative_weight, interpolated between these values. \"exact\": exact for all values; the model is \
             larger.";
        missing: MissingRule = MissingRule::Outside, "\"error\", \"outside\" or \"inside\"",
            "Missing values. \"error\": an error is raised. \"outside\": a missing value satisfies no bound. \
             \"inside\": a missing value satisfies every bound.";
    }
}
