//! All cuts of one axis of one node.
//!
//! A candidate is a cut, a side for the rows without a value, and a label for either part; its risk is
//! the signed impurity of the tree plus `lambda` times its regulariser (Zhu, Li and Dunson 2021, section 2), the impurity of a
//! leaf weighted by its share of all weight. `below` holds the units of each class at or below the cut,
//! `lower` and `upper` the masses of the two parts, `terms` what each class adds to the regulariser with one part in it.
//!
//! A cut is dropped as early as its bound allows: by its impurity with the least regulariser before any label is tried, by the
//! label's impurity before surfaces are measured, which is done at most once a cut. A cut costs the classes, and its pairs of
//! labels where it may win.

use super::sample::{Point, Sample, parted};
use super::split::{SvrCandidate, tie};
use super::surface::{Surroundings, Sweep};
use imbcore_base::{Result, RunCtl, midpoint};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Points between two looks at the stop flag.
const STRETCH: usize = 1 << 14;

/// What the scans of all axes of a node share.
pub(super) struct NodeScan<'n, 'b> {
    pub(super) surroundings: &'n Surroundings<'b>,
    pub(super) sample: &'n Sample<'n>,
    /// Points of the node on every axis.
    pub(super) here: Range<usize>,
    /// Units of the node by class.
    pub(super) units: &'n [f64],
    /// Weight of a unit by class.
    pub(super) weights: &'n [f64],
    /// Pairs of labels in their order.
    pub(super) pairs: &'n [[usize; 2]],
    /// Signed impurity of all other leaves.
    pub(super) others: f64,
    /// Signed impurity of the node with its dominant label, times the weight of all rows.
    pub(super) impurity: f64,
    /// Weight of all rows.
    pub(super) total: f64,
    /// Price of the regulariser, and the least value of it.
    pub(super) lambda: f64,
    pub(super) least: f64,
    pub(super) ctl: RunCtl<'n>,
}

/// What a scan looks for.
pub(super) trait Search {
    /// Candidates whose risk is certainly above this need not be shown.
    fn bound(&self) -> f64;

    /// Whether the candidates of a cut that lowers the impurity by `gain` are to be shown.
    fn wants(&mut self, gain: f64) -> bool;

    /// Takes a candidate; whether the scan may end.
    fn see(&mut self, candidate: SvrCandidate) -> bool;
}

/// The lowest risk, among all axes that share `best`.
pub(super) struct Lowest<'s> {
    pub(super) least_gain: f64,
    pub(super) risk: f64,
    /// Bits of the lowest risk so far: risks are not negative, so bits order as values do.
    pub(super) best: &'s AtomicU64,
}

impl Search for Lowest<'_> {
    #[inline]
    fn bound(&self) -> f64 {
        let best = f64::from_bits(self.best.load(Ordering::Relaxed));
        // Ties of the best are counted as well.
        best + tie(best)
    }

    #[inline]
    fn wants(&mut self, gain: f64) -> bool {
        gain >= self.least_gain
    }

    #[inline]
    fn see(&mut self, candidate: SvrCandidate) -> bool {
        if candidate.risk < self.risk {
            self.risk = candidate.risk;
            self.best.fetch_min(candidate.risk.to_bits(), Ordering::Relaxed);
        }
        false
    }
}

/// The first candidate whose risk is at most `limit`.
pub(super) struct First {
    pub(super) least_gain: f64,
    pub(super) limit: f64,
    pub(super) found: Option<SvrCandidate>,
}

impl Search for First {
    fn bound(&self) -> f64 {
        self.limit
    }

    fn wants(&mut self, gain: f64) -> bool {
        gain >= self.least_gain
    }

    fn see(&mut self, candidate: SvrCandidate) -> bool {
        let found = candidate.risk <= self.limit;
        if found {
            self.found = Some(candidate);
        }
        found
    }
}

/// The largest gain of any cut.
pub(super) struct Gain(pub(super) f64);

impl Search for Gain {
    fn bound(&self) -> f64 {
        f64::INFINITY
    }

    fn wants(&mut self, gain: f64) -> bool {
        self.0 = self.0.max(gain);
        false
    }

    fn see(&mut self, _: SvrCandidate) -> bool {
        true
    }
}

/// One side of a cut: its signed impurity under every label, times the weight of all rows.
struct ScanSide {
    signed: Vec<f64>,
    least: f64,
}

impl ScanSide {
    fn new(n_classes: usize) -> Self {
        Self { signed: vec![0.0; n_classes], least: 0.0 }
    }

    /// Takes the masses of the side; the least is `m (1 - sum p_k^2)`.
    #[inline]
    fn set(&mut self, masses: &[f64]) {
        let total: f64 = masses.iter().sum();
        let squares: f64 = masses.iter().map(|mass| mass * mass).sum();
        self.least = total - squares / total;
    }

    /// Signed impurities: the label's distance from the dominant one is added, squared (section 2.1 of the paper; for
    /// two classes `1 - I` and `I + (2p - 1)^2` are the same).
    #[inline]
    fn sign(&mut self, masses: &[f64]) {
        let total: f64 = masses.iter().sum();
        let largest = masses.iter().copied().fold(0.0, f64::max);
        for (signed, mass) in self.signed.iter_mut().zip(masses) {
            let short = largest - mass;
            *signed = self.least + short * short / total;
        }
    }
}

/// Signed impurity of masses under their dominant label, times their sum.
pub(super) fn least_impurity(masses: &[f64]) -> f64 {
    let mut side = ScanSide::new(0);
    side.set(masses);
    side.least
}

/// Signed impurity of masses under a label, times their sum.
pub(super) fn signed_impurity(masses: &[f64], label: usize) -> f64 {
    let mut side = ScanSide::new(masses.len());
    side.set(masses);
    side.sign(masses);
    side.signed[label]
}

impl NodeScan<'_, '_> {
    /// Shows `search` the candidates of an axis in their order: cuts ascending, rows without a value below and above,
    /// pairs of labels.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub(super) fn scan(&self, axis: usize, search: &mut impl Search) -> Result<()> {
        let (known, missing) = parted(&self.sample.points[axis][self.here.clone()]);
        let mut unknown = vec![0.0; self.units.len()];
        for point in missing {
            unknown[point.class as usize] += self.sample.unit(point);
        }
        let unknown = if missing.is_empty() { None } else { Some(&unknown[..]) };
        let mut sweep = self.surroundings.sweep(axis);
        // With the number of classes known, the loops over them are unrolled.
        match self.units.len() {
            2 => self.cuts::<2>(known, unknown, &mut sweep, search),
            _ => self.cuts::<0>(known, unknown, &mut sweep, search),
        }
    }

    fn cuts<const N: usize>(
        &self,
        known: &[Point],
        unknown: Option<&[f64]>,
        sweep: &mut Sweep<'_, '_>,
        search: &mut impl Search,
    ) -> Result<()> {
        let n = if N == 0 { self.units.len() } else { N };
        let (units, weights) = (&self.units[..n], &self.weights[..n]);
        let (mut below, mut lower, mut upper) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let (below, lower, upper) = (&mut below[..n], &mut lower[..n], &mut upper[..n]);
        let mut sides = [ScanSide::new(n), ScanSide::new(n)];
        let mut terms = [vec![0.0; n], vec![0.0; n]];
        // No tree is better than its impurity with the least regulariser.
        let ground = self.others + self.lambda * self.least;
        let share = 1.0 / self.total;
        let ways: &[Option<usize>] = if unknown.is_some() { &[Some(0), Some(1)] } else { &[None] };
        for (index, two) in known.windows(2).enumerate() {
            if index % STRETCH == 0 {
                self.ctl.check()?;
            }
            below[two[0].class as usize] += self.sample.unit(&two[0]);
            if two[0].x == two[1].x {
                continue;
            }
            let mut measured = false;
            for &missing in ways {
                for class in 0..n {
                    let extra = unknown.filter(|_| missing == Some(0)).map_or(0.0, |unknown| unknown[class]);
                    let part = below[class] + extra;
                    lower[class] = part * weights[class];
                    // Sums of fractions may miss the whole by a rounding.
                    upper[class] = (units[class] - part).max(0.0) * weights[class];
                }
                sides[0].set(lower);
                sides[1].set(upper);
                let least = sides[0].least + sides[1].least;
                if ground + least * share > search.bound() {
                    continue;
                }
                let cut = midpoint(two[0].x, two[1].x);
                if !sweep.holds(cut) || !search.wants((self.impurity - least) * share) {
                    continue;
                }
                sides[0].sign(lower);
                sides[1].sign(upper);
                for &labels in self.pairs {
                    let [a, b] = labels;
                    let impurity = self.others + (sides[0].signed[a] + sides[1].signed[b]) * share;
                    if impurity + self.lambda * self.least > search.bound() {
                        continue;
                    }
                    let regularizer = if a == b {
                        self.surroundings.whole[a]
                    } else {
                        if !measured {
                            measured = true;
                            sweep.advance(cut);
                            let [lower, upper] = &mut terms;
                            sweep.terms(lower, upper);
                        }
                        self.surroundings.rest(a, b) + terms[0][a] + terms[1][b]
                    };
                    let risk = impurity + self.lambda * regularizer;
                    if search.see(SvrCandidate { n_lower: index + 1, missing, labels, risk }) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}
