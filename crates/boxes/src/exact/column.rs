//! A box with the sets of codes it covers and hits, and what families of boxes earn.

use crate::exact::bits::Bits;
use crate::exact::codes::Codes;
use crate::exact::prices::Prices;
use crate::exact::problem::Goal;

/// A box, coded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Column {
    /// Candidate of each side.
    pub at: Vec<u16>,
    /// Minority codes it covers.
    pub pos: Bits,
    /// Majority codes it hits.
    pub neg: Bits,
}

impl Column {
    /// The box that stands at the given candidates.
    pub(crate) fn new(codes: &Codes, at: Vec<u16>) -> Self {
        let (pos, neg) = codes.reach(&at);
        Self { at, pos, neg }
    }

    /// The hull of the minority codes `of`, or none of an empty set.
    pub(crate) fn hull(codes: &Codes, of: impl Iterator<Item = usize>) -> Option<Self> {
        let mut at: Option<Vec<u16>> = None;
        for p in of {
            let lost = codes.lost(p).iter().map(|lost| lost - 1);
            at = Some(match at {
                None => lost.collect(),
                Some(at) => at.into_iter().zip(lost).map(|(at, lost)| at.min(lost)).collect(),
            });
        }
        at.map(|at| Self::new(codes, at))
    }

    /// The same box grown until every further minority code (with widths: every step outwards) costs a new hit.
    #[must_use]
    pub(crate) fn grown(mut self, codes: &Codes) -> Self {
        if !codes.side_width.is_empty() {
            return self.stretched(codes);
        }
        for p in 0..codes.n_pos() {
            if !self.pos.has(p) {
                let at = self.reaching(codes, p);
                if !self.newly_hits(codes, &at) {
                    self = Self::new(codes, at);
                }
            }
        }
        self
    }

    fn stretched(mut self, codes: &Codes) -> Self {
        let mut at = self.at.clone();
        for side in 0..codes.n_sides {
            while at[side] > 0 {
                at[side] -= 1;
                if self.newly_hits(codes, &at) {
                    at[side] += 1;
                    break;
                }
            }
        }
        if at != self.at {
            self = Self::new(codes, at);
        }
        self
    }

    /// Whether no minority code (with widths: no step) can be added without a new hit.
    pub(crate) fn is_maximal(&self, codes: &Codes) -> bool {
        if codes.side_width.is_empty() {
            return (0..codes.n_pos())
                .all(|p| self.pos.has(p) || self.newly_hits(codes, &self.reaching(codes, p)));
        }
        (0..codes.n_sides).filter(|&side| self.at[side] > 0).all(|side| {
            let mut at = self.at.clone();
            at[side] -= 1;
            self.newly_hits(codes, &at)
        })
    }

    fn reaching(&self, codes: &Codes, p: usize) -> Vec<u16> {
        self.at.iter().zip(codes.lost(p)).map(|(&at, lost)| at.min(lost - 1)).collect()
    }

    fn newly_hits(&self, codes: &Codes, at: &[u16]) -> bool {
        !codes.hits(at).within(&self.neg)
    }

    /// Width times its reward.
    pub(crate) fn width(&self, codes: &Codes) -> f64 {
        codes.side_width.iter().zip(&self.at).map(|(width, &at)| width[usize::from(at)]).sum()
    }
}

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
