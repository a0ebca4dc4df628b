//! Parameters of PRIM.

use crate::drawing::MissingRule;

imbcore_base::params! {
    /// Parameters of PRIM.
    pub struct PrimParams {
        peel_alpha: f64 = 0.05, "in (0, 1)",
            "Share of a box's rows that one peel takes off at most.";
        paste_alpha: f64 = 0.01, "in [0, 1)",
            "Share of a box's rows that one paste adds. 0: nothing is pasted.";
        min_mass: Option<f64> = None, "in (0, 1], or None",
            "Smallest share of all rows in a box. None: 0.05, or half the share of positive rows if that is less, and at least 10 rows.";
        min_mean: Option<f64> = None, "in [0, 1], or None",
            "Smallest share of positive rows in a box. None: that among all rows.";
        max_boxes: Option<u32> = Some(10), "a whole number of at least 1, or None",
            "Most boxes. None: as many as reach min_mean.";
        validation: f64 = 0.0, "in [0, 1)",
            "Share of rows set aside to choose among the boxes of a trajectory. 0: training rows choose.";
        drop: bool = false, "True or False",
            "Whether conditions are dropped that the choosing rows do not need.";
        negative_weight: Option<f64> = None, "a number above 0, or None",
            "Weight of a row of the other class in the probabilities. None: the ratio of the classes, so that boxes denser than the data have more than one half.";
        missing: MissingRule = MissingRule::Outside, "\"error\", \"outside\" or \"inside\"",
            "Missing values: refused, never within a bound, or within every bound.";
    }
}
