//! Parameters of Fast Boxes.

use super::bound::FinalRule;
use super::groups::Clustering;
use crate::drawing::MissingRule;
use crate::scale::Scaling;
use serde::{Deserialize, Serialize};

/// How rows are ranked by rule `paper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// Exact at the weights 0.1, 0.2, ..., 1 and at `negative_weight`, smooth between.
    Levels,
    /// Exact everywhere; the model keeps the values of the rows of the other class.
    Exact,
}

imbcore_base::params! {
    /// Parameters of Fast Boxes.
    pub struct FastBoxesParams {
        n_boxes: u32 = 3, "a whole number of at least 1",
            "Boxes, that is clusters of positive rows; fewer where there are fewer distinct positive rows.";
        negative_weight: f64 = 1.0, "in (0, 1]",
            "Weight of a row of the other class in the loss, c of the paper; boxes grow as it falls.";
        expansion: f64 = 1.0, "a number of at least 0",
            "Beta of the paper: how hard bounds are pushed outwards.";
        eps: f64 = 0.01, "in [0, 1]",
            "Share of the gap to the next row of the other class that a bound keeps from it.";
        bound_rule: FinalRule = FinalRule::Paper, "\"paper\", \"program\", \"expand\" or \"none\"",
            "Last step of a bound: \"paper\" towards the next row of the other class, \"program\" as the authors' program, \"expand\" \
             only never inwards, \"none\".";
        scale: Scaling = Scaling::MinMax, "\"minmax\", \"maxabs\" or \"none\"",
            "Scaling of numeric features within the method; rules are in original units.";
        clustering: Clustering = Clustering::KMeans, "\"kmeans\" or \"program\"",
            "k-means on scaled features, or as the authors' program: one start on standardised ones.";
        clusterer: Option<String> = None, "an estimator with fit_predict, or None",
            "Clusters the scaled positive rows in place of `clustering`; it decides on the number of boxes. Rows that it labels as noise, \
             below 0, start no box.";
        n_init: u32 = 5, "a whole number of at least 1",
            "Starts of k-means, of which the best is kept.";
        ranking: Ranking = Ranking::Levels, "\"levels\" or \"exact\"",
            "Probabilities with the bound rule \"paper\": \"levels\" is exact at the weights 0.1, 0.2, ..., 1 and at negative_weight and \
             smooth between; \"exact\" is exact everywhere, with a larger model.";
        missing: MissingRule = MissingRule::Outside, "\"error\", \"outside\" or \"inside\"",
            "Missing values: refused, never within a bound, or within every bound.";
    }
}
