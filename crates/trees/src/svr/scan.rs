//! Scan of all candidate splits of one axis of one node.
//!
//! A candidate consists of a threshold, a side for missing values, and a label for each side. Its risk is the
//! signed impurity of the tree plus `lambda` times its regularizer (Zhu, Li and Dunson 2021, section 2). The
//! impurity of a leaf is weighted by its fraction of the total weight.
//!
//! In the code, `below` contains the weight of each class at or below the threshold, without class weights.
//! `lower` and `upper` contain the class masses of the two sides. `terms` contains two contributions of each
//! class to the regularizer: if its region contains only the lower side of the box, and if it contains only
//! the upper side.
//!
//! A threshold is discarded as early as possible. Before labels are tried, the lower bound of its risk is its
//! impurity plus the minimum regularizer. After labels are chosen, the bound contains the signed impurity
//! instead of the impurity. Surfaces are measured only if this bound does not discard the threshold, and at
//! most once per threshold. For `k` classes, the cost per threshold is proportional to `k` times (1 + the
//! number of lower-side labels that may be optimal). For more than two classes, [`LabelPairBounds`] finds
//! these labels by a lower bound on the risk.

use super::sample::{AxisPoint, SvrSample, separate_missing};
use super::split::{SvrCandidate, tie_tolerance};
use super::surface::{Neighborhood, SurfaceSweep};
use imbcore_core::{Result, RunContext, midpoint};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const STRETCH: usize = 1 << 14;

pub(super) struct NodeScan<'n, 'b> {
    pub(super) surroundings: &'n Neighborhood<'b>,
    pub(super) sample: &'n SvrSample<'n>,
    /// Range of the node's rows in the sorted list of each axis; it is the same on all axes.
    pub(super) here: Range<usize>,
    pub(super) units: &'n [f64],
    pub(super) weights: &'n [f64],
    pub(super) others: f64,
    pub(super) impurity: f64,
    /// Total weight of all rows, including class weights.
    pub(super) total: f64,
    pub(super) lambda: f64,
    /// Minimum of the regularizer over all trees.
    pub(super) least: f64,
    pub(super) ctl: RunContext<'n>,
}

pub(super) trait CandidateVisitor {
    fn risk_limit(&self) -> f64;

    fn accepts_gain(&mut self, gain: f64) -> bool;

    /// Processes a candidate; returns whether the scan can stop.
    fn visit(&mut self, candidate: SvrCandidate) -> bool;
}

/// Search for the lowest risk on one axis.
/// All axes share `best`, the lowest risk found so far.
pub(super) struct LowestRiskSearch<'s> {
    pub(super) least_gain: f64,
    pub(super) risk: f64,
    /// Bits of the lowest risk so far, of the current tree or of a candidate on any axis.
    ///
    /// Risks are not negative, so bits have the same order as risks.
    pub(super) best: &'s AtomicU64,
}

impl CandidateVisitor for LowestRiskSearch<'_> {
    #[inline]
    fn risk_limit(&self) -> f64 {
        let best = f64::from_bits(self.best.load(Ordering::Relaxed));
        // Candidates whose risk ties with the lowest risk must be visited too.
        best + tie_tolerance(best)
    }

    #[inline]
    fn accepts_gain(&mut self, gain: f64) -> bool {
        gain >= self.least_gain
    }

    #[inline]
    fn visit(&mut self, candidate: SvrCandidate) -> bool {
        if candidate.risk < self.risk {
            self.risk = candidate.risk;
            self.best.fetch_min(candidate.risk.to_bits(), Ordering::Relaxed);
        }
        false
    }
}

/// Search for the first candidate whose risk is at most `limit`.
pub(super) struct FirstBelowLimitSearch {
    pub(super) least_gain: f64,
    pub(super) limit: f64,
    pub(super) found: Option<SvrCandidate>,
}

impl CandidateVisitor for FirstBelowLimitSearch {
    fn risk_limit(&self) -> f64 {
        self.limit
    }

    fn accepts_gain(&mut self, gain: f64) -> bool {
        gain >= self.least_gain
    }

    fn visit(&mut self, candidate: SvrCandidate) -> bool {
        let found = candidate.risk <= self.limit;
        if found {
            self.found = Some(candidate);
        }
        found
    }
}

pub(super) struct LargestGainSearch(pub(super) f64);

impl CandidateVisitor for LargestGainSearch {
    fn risk_limit(&self) -> f64 {
        f64::INFINITY
    }

    fn accepts_gain(&mut self, gain: f64) -> bool {
        self.0 = self.0.max(gain);
        false
    }

    fn visit(&mut self, _: SvrCandidate) -> bool {
        true
    }
}

/// Impurity of one side of a threshold, times the total weight of the side.
///
/// `signed` contains the signed impurity under every label, and `least` the minimum over all labels.
struct SideImpurity {
    signed: Vec<f64>,
    least: f64,
}

impl SideImpurity {
    fn new(n_classes: usize) -> Self {
        Self { signed: vec![0.0; n_classes], least: 0.0 }
    }

    /// Computes the minimum impurity over all labels, `m (1 - sum p_k^2)`.
    ///
    /// `m` is the mass of the side, and `p_k` the proportion of class `k`.
    #[inline]
    fn set_masses(&mut self, masses: &[f64]) {
        let total: f64 = masses.iter().sum();
        let squares: f64 = masses.iter().map(|mass| mass * mass).sum();
        self.least = total - squares / total;
    }

    /// Computes the signed impurity under every label.
    /// For label `l`, it is `m (1 - sum p_k^2 + (p_max - p_l)^2)` (section 2.1 of the paper). Here, `m` is
    /// the mass of the side, `p_k` the proportion of class `k`, and `p_max` the largest proportion. For two
    /// classes with impurity `I` and `p = p_max`, `1 - I` and `I + (2p - 1)^2` are equal.
    #[inline]
    fn compute_signed_impurity(&mut self, masses: &[f64]) {
        let total: f64 = masses.iter().sum();
        let largest = masses.iter().copied().fold(0.0, f64::max);
        for (signed, mass) in self.signed.iter_mut().zip(masses) {
            let short = largest - mass;
            *signed = self.least + short * short / total;
        }
    }
}

/// Lower bounds on the risk of a threshold, for every pair of different labels of its sides.
///
/// Apart from rounding, the risk is `constant` plus one term for each side and its label. The term is the
/// signed impurity of the side, plus `lambda` times the increase of the regularizer when the region of the
/// label's class gets this side of the box. `constant` is reduced by an allowance for rounding errors. Thus a
/// bound is never above the risk, which is computed by sums in another order.
struct LabelPairBounds {
    constant: f64,
    lower: Vec<f64>,
    upper: Vec<f64>,
    least_upper: f64,
    is_set: bool,
}

impl LabelPairBounds {
    fn new(n_classes: usize) -> Self {
        let zeros = || vec![0.0; n_classes];
        Self { constant: 0.0, lower: zeros(), upper: zeros(), least_upper: 0.0, is_set: false }
    }

    fn compute_bounds(&mut self, scan: &NodeScan<'_, '_>, sides: &[SideImpurity; 2], terms: &[Vec<f64>; 2]) {
        let (bare, rest) = scan.surroundings.ratios_without_box();
        let mut largest = 0.0_f64;
        for (side, out) in [&mut self.lower, &mut self.upper].into_iter().enumerate() {
            for (class, bound) in out.iter_mut().enumerate() {
                let signed = sides[side].signed[class] / scan.total;
                let (term, without) = (terms[side][class], bare.map_or(0.0, |bare| bare[class]));
                largest = largest.max(signed + scan.lambda * (term.abs() + without));
                *bound = signed + scan.lambda * (term - without);
            }
        }
        self.least_upper = self.upper.iter().copied().fold(f64::INFINITY, f64::min);
        let n_terms = self.lower.len() as f64 + 8.0;
        let rounding = n_terms * f64::EPSILON * (scan.others.abs() + scan.lambda * rest + 2.0 * largest);
        self.constant = scan.others + scan.lambda * rest - rounding;
        self.is_set = true;
    }

    /// Lower bound on the risk of the threshold if its lower side has the label `lower`.
    ///
    /// If terms are infinite, the bound may be NaN. NaN is never above a limit, so no label is discarded.
    #[inline]
    fn risk_bound_of_label(&self, lower: usize) -> f64 {
        self.constant + self.lower[lower] + self.least_upper
    }

    #[inline]
    fn risk_bound_of_pair(&self, lower: usize, upper: usize) -> f64 {
        self.constant + self.lower[lower] + self.upper[upper]
    }
}

/// Signed impurity of class masses under their dominant label, times the sum of the masses.
pub(super) fn dominant_label_impurity(masses: &[f64]) -> f64 {
    let mut side = SideImpurity::new(0);
    side.set_masses(masses);
    side.least
}

/// Signed impurity of class masses under a label, times the sum of the masses.
pub(super) fn signed_impurity(masses: &[f64], label: usize) -> f64 {
    let mut side = SideImpurity::new(masses.len());
    side.set_masses(masses);
    side.compute_signed_impurity(masses);
    side.signed[label]
}

impl NodeScan<'_, '_> {
    /// Passes the candidates of an axis to `search`, in a fixed order.
    ///
    /// Candidates that `search` cannot accept may be left out. Candidates are ordered by threshold, then by
    /// side of missing values (below, above), then by pair of labels. Pairs of equal labels come first, from
    /// the last class to the first, followed by pairs of different labels. With two classes, the order is
    /// (1, 1), (0, 0), (0, 1), (1, 0).
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(super) fn scan_axis(&self, axis: usize, search: &mut impl CandidateVisitor) -> Result<()> {
        let (known, missing) = separate_missing(&self.sample.points[axis][self.here.clone()]);
        let mut unknown = vec![0.0; self.units.len()];
        for point in missing {
            unknown[point.class as usize] += self.sample.point_weight(point);
        }
        let unknown = if missing.is_empty() { None } else { Some(&unknown[..]) };
        let mut sweep = self.surroundings.start_sweep(axis);
        // If the number of classes is a compile-time constant, loops over classes are unrolled.
        match self.units.len() {
            2 => self.scan_thresholds::<2>(known, unknown, &mut sweep, search),
            _ => self.scan_thresholds::<0>(known, unknown, &mut sweep, search),
        }
    }

    fn scan_thresholds<const N: usize>(
        &self,
        known: &[AxisPoint],
        unknown: Option<&[f64]>,
        sweep: &mut SurfaceSweep<'_, '_>,
        search: &mut impl CandidateVisitor,
    ) -> Result<()> {
        let n = if N == 0 { self.units.len() } else { N };
        let (units, weights) = (&self.units[..n], &self.weights[..n]);
        let (mut below, mut lower, mut upper) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let (below, lower, upper) = (&mut below[..n], &mut lower[..n], &mut upper[..n]);
        let mut sides = [SideImpurity::new(n), SideImpurity::new(n)];
        let mut terms = [vec![0.0; n], vec![0.0; n]];
        let mut bounds = (N == 0).then(|| LabelPairBounds::new(n));
        // The risk of any tree is at least its impurity plus `lambda` times the minimum regularizer.
        let ground = self.others + self.lambda * self.least;
        let share = 1.0 / self.total;
        let stretch = (2 * STRETCH / n).max(1);
        let missing_sides: &[Option<usize>] = if unknown.is_some() { &[Some(0), Some(1)] } else { &[None] };
        for (index, two) in known.windows(2).enumerate() {
            if index % stretch == 0 {
                self.ctl.check()?;
            }
            below[two[0].class as usize] += self.sample.point_weight(&two[0]);
            if two[0].x == two[1].x {
                continue;
            }
            let mut measured = false;
            for &missing in missing_sides {
                for class in 0..n {
                    let extra = unknown.filter(|_| missing == Some(0)).map_or(0.0, |unknown| unknown[class]);
                    let part = below[class] + extra;
                    lower[class] = part * weights[class];
                    // Sums of weights may exceed the total by a rounding error, so negative differences are
                    // set to 0.
                    upper[class] = (units[class] - part).max(0.0) * weights[class];
                }
                sides[0].set_masses(lower);
                sides[1].set_masses(upper);
                let least = sides[0].least + sides[1].least;
                if ground + least * share > search.risk_limit() {
                    continue;
                }
                let cut = midpoint(two[0].x, two[1].x);
                if !sweep.contains_threshold(cut) || !search.accepts_gain((self.impurity - least) * share) {
                    continue;
                }
                sides[0].compute_signed_impurity(lower);
                sides[1].compute_signed_impurity(upper);
                if let Some(bounds) = &mut bounds {
                    bounds.is_set = false;
                }
                let impurity = |signed: f64| self.others + signed * share;
                let exceeds = |impurity: f64, bound: f64| impurity + self.lambda * self.least > bound;
                let see = |search: &mut _, labels: [usize; 2], impurity: f64, regularizer: f64| {
                    let risk = impurity + self.lambda * regularizer;
                    CandidateVisitor::visit(
                        search,
                        SvrCandidate { n_lower: index + 1, missing, labels, risk },
                    )
                };
                for a in (0..n).rev() {
                    let impurity = impurity(sides[0].signed[a] + sides[1].signed[a]);
                    if !exceeds(impurity, search.risk_limit())
                        && see(search, [a, a], impurity, self.surroundings.with_box[a])
                    {
                        return Ok(());
                    }
                }
                for a in 0..n {
                    // The two sides have different labels here. With two classes, the label of the upper side
                    // (values above the threshold) is therefore the other class. With more classes, the
                    // signed impurity of the upper side is at least `least`, its value under the dominant
                    // label of the side.
                    let least_upper = if N == 2 { sides[1].signed[1 - a] } else { sides[1].least };
                    if exceeds(impurity(sides[0].signed[a] + least_upper), search.risk_limit()) {
                        continue;
                    }
                    if !measured {
                        measured = true;
                        sweep.advance_to(cut);
                        let [lower, upper] = &mut terms;
                        sweep.write_regularizer_terms(lower, upper);
                    }
                    if let Some(bounds) = &mut bounds {
                        if !bounds.is_set {
                            bounds.compute_bounds(self, &sides, &terms);
                        }
                        if bounds.risk_bound_of_label(a) > search.risk_limit() {
                            continue;
                        }
                    }
                    for b in (0..n).filter(|&b| b != a) {
                        let impurity = impurity(sides[0].signed[a] + sides[1].signed[b]);
                        let is_above = || {
                            bounds
                                .as_ref()
                                .is_some_and(|bounds| bounds.risk_bound_of_pair(a, b) > search.risk_limit())
                        };
                        if exceeds(impurity, search.risk_limit()) || is_above() {
                            continue;
                        }
                        let regularizer =
                            self.surroundings.other_classes_term(a, b) + terms[0][a] + terms[1][b];
                        if see(search, [a, b], impurity, regularizer) {
                            return Ok(());
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
