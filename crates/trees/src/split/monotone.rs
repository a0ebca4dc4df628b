//! Monotonic constraints: the positive class's probability rises or falls with a feature.
//!
//! Every node has bounds on the probability estimates of the leaves below it. If a split is on a constrained
//! feature, the estimates of the two children must be in the order of the constraint. Their midpoint becomes
//! a bound for each child. Thus, if two rows differ only in this feature, and neither value is missing, their
//! estimates are in the order of the constraint at any depth.

use crate::prediction::leaf_estimate::LeafEstimate;
use crate::settings::Settings;

#[derive(Clone, Copy, Debug)]
pub(crate) struct MonotoneBounds<'s> {
    /// Sign per column: 1 increasing, -1 decreasing, 0 unconstrained.
    signs: &'s [i8],
    estimate: PositiveClassEstimate,
    lower: f64,
    upper: f64,
}

/// Leaf estimate of the probability of the second class, which is the positive class.
#[derive(Clone, Copy, Debug)]
struct PositiveClassEstimate {
    rule: LeafEstimate,
    /// Pseudocount of the positive class in the m-estimate; other leaf estimates do not use it.
    ///
    /// `m` is the sum of the pseudocounts of both classes.
    pseudo: f64,
    m: f64,
}

impl PositiveClassEstimate {
    fn positive_estimate(self, mass: &[f64]) -> f64 {
        self.rule.probability(mass[1], mass.iter().sum(), mass.len(), self.pseudo, self.m)
    }
}

impl<'s> MonotoneBounds<'s> {
    pub(crate) fn for_root(settings: &'s Settings, root: &[f64]) -> Option<Self> {
        let signs = settings.monotone.as_deref()?;
        let pseudo = settings.m * root[1] / root.iter().sum::<f64>();
        let estimate = PositiveClassEstimate { rule: settings.leaf_estimate, pseudo, m: settings.m };
        Some(Self { signs, estimate, lower: f64::NEG_INFINITY, upper: f64::INFINITY })
    }

    pub(crate) fn constrains(&self, column: usize) -> bool {
        self.signs[column] != 0 || self.lower.is_finite() || self.upper.is_finite()
    }

    /// Returns the constraints of each child; `None` if the split violates a constraint.
    pub(crate) fn child_bounds(&self, column: usize, ordered: bool, masses: &[&[f64]]) -> Option<Vec<Self>> {
        let mut estimates =
            masses.iter().map(|mass| (mass.iter().sum::<f64>() > 0.0, self.estimate.positive_estimate(mass)));
        if !estimates.clone().all(|(full, p)| !full || (self.lower..=self.upper).contains(&p)) {
            return None;
        }
        let mut children = vec![*self; masses.len()];
        if let (true, sign @ (1 | -1), Some((_, left)), Some((_, right))) =
            (ordered, self.signs[column], estimates.next(), estimates.next())
        {
            if f64::from(sign) * (right - left) < 0.0 {
                return None;
            }
            let middle = left + (right - left) / 2.0;
            let (below, above) = if sign > 0 { (0, 1) } else { (1, 0) };
            children[below].upper = middle;
            children[above].lower = middle;
        }
        Some(children)
    }
}
