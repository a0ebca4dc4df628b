//! Parameters of Exact Boxes.

use crate::box_drawing::MissingRule;
use crate::exact::decode::BoundPlacement;
use crate::exact::row_subset::RowSelectionHeuristic;
use crate::exact::solve::Formulation;
use crate::feature_scale::Scaling;
use serde::{Deserialize, Serialize};

/// Sets of boxes from which the search starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartBoxesSource {
    /// Sets of boxes that Fast Boxes finds.
    FastBoxes,
    /// The empty set of boxes.
    None,
}

imbcore_core::params! {
    /// Parameters of Exact Boxes.
    pub struct ExactBoxesParams {
        n_boxes: u32 = 2, "a whole number of at least 1",
            "Maximum number of boxes; `box_cost` determines how many are used.";
        negative_weight: f64 = 1.0, "in (0, 1]",
            "Weight of a negative row in the objective (c of the paper).";
        box_cost: f64 = 0.5, "a number of at least 0",
            "Cost of a box, in positive rows; a box is used only if it improves the objective by more than this \
             cost.";
        expand: f64 = 0.0, "a number of at least 0",
            "Reward that is added to the objective for each unit of width of the boxes, on scaled features; the \
             regularizer of the authors' program. If it is above 0, exactly n_boxes boxes are used, and \
             formulation=\"columns\" requires box_cost=0.";
        margin: f64 = 0.01, "a number of at least 0",
            "Minimum distance of a bound from the rows on both sides, on scaled features.";
        epsilon: f64 = 0.001, "a number above 0",
            "Small amount added to the margin, so that an inequality of the mixed-integer program is strict (eps of \
             the paper).";
        formulation: Formulation = Formulation::Columns, "\"columns\", \"compact\" or \"paper\"",
            "Solution method; all methods have the same optimum. \"columns\": column generation with branch and \
             bound, the fastest method. \"compact\": a small mixed-integer program. \"paper\": the mixed-integer \
             program of the paper.";
        init: StartBoxesSource = StartBoxesSource::FastBoxes, "\"fast_boxes\" or \"none\"",
            "Boxes from which the search starts: the boxes of Fast Boxes (\"fast_boxes\"), or no boxes (\"none\").";
        heuristic: RowSelectionHeuristic = RowSelectionHeuristic::None, "\"none\", \"neighborhood\" or \"clusters\"",
            "Heuristic that reduces the number of rows in the search. \"neighborhood\": negative rows are used only \
             if they are within `radius` of a positive row in at least one column. \"clusters\": one box is fitted \
             for each cluster of positive rows, to the rows within `radius` of the center of the cluster in every \
             column. \"none\": all rows are used. A heuristic does not guarantee optimal boxes, but the reported \
             upper bound is valid for all boxes and all rows.";
        radius: f64 = 0.5, "a number above 0",
            "Distance that `heuristic` uses, on scaled features.";
        time_limit: Option<f64> = Some(300.0), "seconds above 0 and at most a year, or None",
            "Time limit in seconds; the result depends on the speed of the machine only if the limit is reached.";
        abs_gap: f64 = 0.0, "a number of at least 0",
            "Optimality gap (bound minus objective) at which the search stops.";
        decode: BoundPlacement = BoundPlacement::Widest, "\"widest\" or \"margin\"",
            "Bounds of the boxes in predictions. \"widest\": each bound lies midway between the positive rows inside \
             and the nearest excluded row; bounds that exclude no row are dropped. \"margin\": the bounds of the \
             solution. Both choices have the same objective.";
        scale: Scaling = Scaling::MinMax, "\"minmax\" or \"maxabs\"",
            "Scaling of the columns during the fit: each to [-1, 1] (\"minmax\"), or divided by its largest absolute \
             value (\"maxabs\"). Rules are in the original units.";
        missing: MissingRule = MissingRule::Error, "\"error\", \"outside\" or \"inside\"",
            "Missing values in prediction. \"error\": an error is raised. \"outside\": a missing value satisfies no \
             bound. \"inside\": a missing value satisfies every bound. Training rows must have no missing values.";
    }
}
