//! What the objective charges and pays for boxes: the value of a family, and what a drawing must be worth.

use crate::bits::Bits;
use crate::exact::codes::Codes;
use crate::exact::column::Column;
use crate::exact::prices::Prices;
use crate::exact::problem::Goal;

/// What the objective charges and pays, in codes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tariff {
    /// Price of hitting one majority row.
    pub hit: f64,
    /// Price of a box that covers a minority row.
    pub per_box: f64,
    /// Boxes allowed.
    pub n_boxes: usize,
    /// Whether all boxes are there and earn their width, or only those that pay.
    pub all_present: bool,
    /// Two drawings of different value differ by at least this.
    pub step: f64,
}

/// Step of values that follow no lattice: what counts as an improvement at all.
const NO_LATTICE: f64 = 5e-7;

impl Tariff {
    /// The prices of a goal; weights of rows that are not whole leave values no lattice.
    pub(crate) fn new(goal: &Goal, whole_weights: bool) -> Self {
        Self {
            hit: goal.majority_weight,
            per_box: goal.box_cost,
            n_boxes: goal.n_boxes,
            all_present: goal.expand > 0.0,
            step: if whole_weights { lattice(goal) } else { NO_LATTICE },
        }
    }

    /// Objective of a family of boxes by its definition.
    pub(crate) fn value(&self, codes: &Codes, boxes: &[Column]) -> f64 {
        let (mut pos, mut neg) = (Bits::empty(codes.n_pos()), Bits::empty(codes.n_neg()));
        for column in boxes {
            pos.add(&column.pos);
            neg.add(&column.neg);
        }
        let used = boxes.iter().filter(|column| !column.pos.is_empty()).count();
        let width: f64 = boxes.iter().map(|column| column.width(codes)).sum();
        self.hit * (codes.neg_total - neg.sum(&codes.neg_mass)) + pos.sum(&codes.pos_mass)
            - self.per_box * used as f64
            + width
    }

    /// What the empty drawing earns.
    pub(crate) fn base(&self, codes: &Codes) -> f64 {
        self.hit * codes.neg_total
    }

    /// Weights of the first box of a drawing.
    pub(crate) fn weights(&self, codes: &Codes) -> Prices {
        Prices::plain(codes.pos_mass.clone(), codes.neg_mass.iter().map(|mass| self.hit * mass).collect())
    }

    /// What a box earns under `weights`, and the weights that are left for further boxes.
    pub(crate) fn take(&self, codes: &Codes, weights: &Prices, column: &Column) -> (f64, Prices) {
        let gain =
            column.pos.sum(&weights.pos) - column.neg.sum(&weights.neg) + column.width(codes) - self.per_box;
        let mut left = weights.clone();
        column.pos.iter().for_each(|p| left.pos[p] = 0.0);
        column.neg.iter().for_each(|i| left.neg[i] = 0.0);
        (gain, left)
    }

    /// What a drawing has to be worth to be of interest, given the best one and the gap that is good enough.
    pub(crate) fn need(&self, best: f64, gap: f64) -> f64 {
        best + self.step.max(gap)
    }

    /// Bound once no drawing is worth [`Self::need`].
    pub(crate) fn closed(&self, best: f64, gap: f64) -> f64 {
        if self.step > gap && self.step > NO_LATTICE { best } else { self.need(best, gap) }
    }

    /// Below this no box is wanted: one that earns nothing may be left out unless all are there.
    pub(crate) fn floor(&self) -> f64 {
        if self.all_present { f64::NEG_INFINITY } else { self.per_box }
    }
}

/// The largest `1 / d` of which the weight, the price of a box and 1 are multiples (values then are too).
fn lattice(goal: &Goal) -> f64 {
    let whole = |value: f64, d: f64| (value * d - (value * d).round()).abs() < 1e-9 * d;
    (1..=1000)
        .map(f64::from)
        .find(|&d| goal.expand == 0.0 && whole(goal.majority_weight, d) && whole(goal.box_cost, d))
        .map_or(NO_LATTICE, |d| 1.0 / d)
}
