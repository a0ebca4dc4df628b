//! Parameters of Exact Boxes.

use crate::drawing::MissingRule;
use crate::exact::decode::Decode;
use crate::exact::partial::Heuristic;
use crate::exact::solve::Formulation;
use crate::scale::Scaling;
use serde::{Deserialize, Serialize};

/// Where the search starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// From the drawing of Fast Boxes.
    FastBoxes,
    /// From nothing.
    None,
}

imbcore_base::params! {
    /// Parameters of Exact Boxes.
    pub struct ExactBoxesParams {
        n_boxes: u32 = 2, "a whole number of at least 1",
            "Most boxes there may be; how many are drawn is decided by `box_cost`.";
        negative_weight: f64 = 1.0, "in (0, 1]",
            "Weight of a row of the other class in the objective; c of the paper.";
        box_cost: f64 = 0.5, "a number of at least 0",
            "Price of a box, in positive rows: a box has to earn more than this.";
        expand: f64 = 0.0, "a number of at least 0",
            "Reward for the scaled width of boxes, the regulariser of the authors' program; all boxes are \
             then there, and with \"columns\" box_cost must be 0.";
        margin: f64 = 0.01, "a number of at least 0",
            "Distance that a wall keeps from the rows on both sides, on scaled features.";
        strictness: f64 = 0.001, "a number above 0",
            "Eps of the paper: what makes the margin strict.";
        formulation: Formulation = Formulation::Columns, "\"columns\", \"compact\" or \"paper\"",
            "How the optimum is found, the same with all: \"columns\", own search by branch and bound, the fastest; \"compact\", a \
             small mixed-integer program; \"paper\", that of the paper, equation by equation.";
        start: Start = Start::FastBoxes, "\"fast_boxes\" or \"none\"",
            "Drawing that the search starts from.";
        heuristic: Heuristic = Heuristic::None, "\"none\", \"neighbourhood\" or \"clusters\"",
            "\"neighbourhood\" looks only at rows of the other class within radius of a positive row in some column; \"clusters\" draws \
             one box for each cluster of positive rows from the rows within radius of its centre in every column. Both prove \
             no optimum; the bound holds all the same.";
        radius: f64 = 0.5, "a number above 0",
            "Distance within which a heuristic looks at rows, on scaled features.";
        time_limit: Option<f64> = Some(300.0), "seconds above 0 and at most a year, or None",
            "Seconds of wall clock; a fit that they end depends on the speed of the machine, any other does not.";
        gap: f64 = 0.0, "a number of at least 0",
            "Difference between bound and objective that is good enough.";
        decode: Decode = Decode::Widest, "\"widest\" or \"margin\"",
            "Bounds that predict: \"widest\" puts each midway to the rows it keeps out and drops those that keep out none; \"margin\" \
             leaves them at the margin. Both have the same objective.";
        scale: Scaling = Scaling::MinMax, "\"minmax\" or \"maxabs\"",
            "Scaling of columns within the method; rules are in original units.";
        missing: MissingRule = MissingRule::Error, "\"error\", \"outside\" or \"inside\"",
            "Missing values of rows to answer: refused, never within a bound, or within every bound; training rows may have none.";
    }
}
