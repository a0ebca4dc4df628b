//! Monotone constraints: the probability of the positive class may only rise (or only fall) along a feature.
//!
//! Every node has bounds for the estimate of its leaves. A split on a constrained feature must put its children in
//! order, and the midpoint of their estimates parts the bounds of what grows below them. So two rows that differ in
//! the feature alone part at a split that keeps their leaves in order, however deep these lie.

use crate::answer::leaf::LeafRule;
use crate::settings::Settings;

/// The constraints as they bind one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard<'s> {
    /// Of every column: 1 rising, -1 falling, 0 free.
    signs: &'s [i8],
    estimate: Estimate,
    lower: f64,
    upper: f64,
}

/// The leaf rule, ready for the positive class of two.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    rule: LeafRule,
    /// Of the m-estimate: the positive class' share of `m`, and `m`.
    pseudo: f64,
    m: f64,
}

impl Estimate {
    fn positive(self, mass: &[f64]) -> f64 {
        self.rule.probability(mass[1], mass.iter().sum(), mass.len(), self.pseudo, self.m)
    }
}

impl<'s> Guard<'s> {
    /// The constraints at the root, given its masses; none where nothing is constrained.
    pub(crate) fn at_root(settings: &'s Settings, root: &[f64]) -> Option<Self> {
        let signs = settings.monotone.as_deref()?;
        let pseudo = settings.m * root[1] / root.iter().sum::<f64>();
        let estimate = Estimate { rule: settings.leaf, pseudo, m: settings.m };
        Some(Self { signs, estimate, lower: f64::NEG_INFINITY, upper: f64::INFINITY })
    }

    /// Whether a split on `column` can be against the constraints.
    pub(crate) fn binds(&self, column: usize) -> bool {
        self.signs[column] != 0 || self.lower.is_finite() || self.upper.is_finite()
    }

    /// The constraints of the children that have these masses; `None` where they are broken. `ordered` says whether
    /// the split is one by size, with small values in the first child.
    pub(crate) fn children(&self, column: usize, ordered: bool, masses: &[&[f64]]) -> Option<Vec<Self>> {
        let mut estimates =
            masses.iter().map(|mass| (mass.iter().sum::<f64>() > 0.0, self.estimate.positive(mass)));
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
