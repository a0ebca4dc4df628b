//! Parameters of PRIM.

use crate::box_drawing::MissingRule;

imbcore_core::params! {
    /// Parameters of PRIM.
    pub struct PrimParams {
        peel_alpha: f64 = 0.05, "in (0, 1)",
            "Fraction of the rows of a box that one step of peeling removes at most. Rows with equal values are removed \
             together, even if they are more.";
        paste_alpha: f64 = 0.01, "in [0, 1)",
            "Approximate fraction of the rows of a box that one step of pasting adds back; rows with equal values are \
             added together. 0: no pasting.";
        min_mass: Option<f64> = None, "in (0, 1], or None",
            "Minimum size of a box, as a fraction of all rows. None: 0.05 or half of the prevalence, the smaller of \
             the two, but at least 10 rows.";
        min_mean: Option<f64> = None, "in [0, 1], or None",
            "Minimum fraction of positive rows in a box. None: the prevalence.";
        max_boxes: Option<u32> = Some(10), "a whole number of at least 1, or None",
            "Maximum number of boxes. None: all boxes that reach min_mean.";
        validation: f64 = 0.0, "in [0, 1)",
            "Fraction of the rows held out to choose the best of the boxes that peeling produces. 0: the best box is \
             chosen on the training rows.";
        drop: bool = false, "True or False",
            "Whether to drop conditions if their removal does not lower the fraction of positive rows in the box. \
             The fraction is computed on the rows on which the best box is chosen (see `validation`).";
        negative_weight: Option<f64> = None, "a number above 0, or None",
            "Weight of a negative row in the probabilities of boxes. None: the number of positive rows divided by \
             the number of negative rows; boxes with a positive fraction above the prevalence then have a \
             probability above 0.5.";
        missing: MissingRule = MissingRule::Outside, "\"error\", \"outside\" or \"inside\"",
            "Missing values. \"error\": an error is raised. \"outside\": a missing value satisfies no bound. \
             \"inside\": a missing value satisfies every bound.";
    }
}
