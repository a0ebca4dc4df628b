//! The tree of best F-measure: a ratio, hence a vertex of the hull, which is found without the rest of it.
//!
//! A tree has a larger F-measure than `f` if it costs less than a tree without errors is worth, at prices that `f` names. So each
//! tree found names the prices of the next one, until there is none (Dinkelbach 1967; Parambath, Usunier and Grandvalet 2014).

use crate::claim::Claim;
use crate::hull::{Vertex, lowest, tariff};
use crate::solve::{Answer, Family, solve_below};
use crate::table::Table;
use crate::whole::fraction;
use imbcore_base::budget::{Budget, Status};
use imbcore_base::{Error, Result};

/// The tree of best F-measure.
#[derive(Clone, Debug)]
pub(crate) struct BestF {
    pub(crate) vertex: Vertex,
    pub(crate) value: f64,
    /// No tree has a larger one.
    pub(crate) bound: f64,
    pub(crate) status: Status,
    /// What shows the bound.
    pub(crate) claim: Option<Claim>,
    /// Whether all prices are whole numbers.
    pub(crate) exact: bool,
}

/// Numerator and denominator of the F-measure: whole numbers, where `beta^2` and the weights of both classes allow that.
struct Measure {
    /// `beta^2` as a fraction.
    beta: (f64, f64),
    /// Weights of a unit of the other class and of the positive one, or numbers of the same ratio.
    unit: (f64, f64),
    positives: f64,
    /// Whether all are whole numbers.
    whole: bool,
}

impl Measure {
    fn new(table: &Table, positive: usize, beta: f64) -> Self {
        let of = |value: f64| {
            let (above, below) = fraction(value);
            let whole = (above / below - value).abs() <= 1e-12 * value;
            (if whole { (above, below) } else { (value, 1.0) }, whole)
        };
        let (beta, small) = of(beta * beta);
        let (unit, alike) = of(table.unit(1 - positive) / table.unit(positive));
        Self { beta, unit, positives: table.totals()[positive], whole: small && alike }
    }

    fn of(&self, vertex: &Vertex) -> (f64, f64) {
        let (p, q) = self.beta;
        let missed = self.unit.1 * vertex.false_negatives;
        let above = (p + q) * (self.unit.1 * self.positives - missed);
        (above, above + p * missed + q * self.unit.0 * vertex.false_positives)
    }

    /// Prices of both errors at which trees of a larger measure than a vertex has cost less than it does: whole numbers, if the
    /// measure is one of whole numbers.
    fn prices(&self, vertex: &Vertex) -> Sought {
        let (above, below) = self.of(vertex);
        let (p, q) = self.beta;
        let (one, other) = (q * above * self.unit.0, (p * above + (p + q) * (below - above)) * self.unit.1);
        let (fp, fal) = if self.whole { lowest(one, other) } else { (one, other) };
        let scale = if fp > 0.0 { one / fp } else { other / fal };
        Sought { fp, fal, limit: vertex.cost(fp, fal), share: scale / below }
    }

    /// Whether a vertex has the larger one.
    fn is_larger(&self, one: &Vertex, than: &Vertex) -> bool {
        let ratio = |vertex: &Vertex| {
            let (above, below) = self.of(vertex);
            above / below
        };
        ratio(one) > ratio(than)
    }
}

/// What errors cost where a larger measure is sought.
struct Sought {
    fp: f64,
    fal: f64,
    /// A tree of a larger measure costs less.
    limit: f64,
    /// What 1 of these costs is of the cost at which a false positive costs the ratio.
    share: f64,
}

/// The tree of largest F-measure of the positive class; one without a hit has 0.
///
/// # Errors
/// As [`crate::solve`].
pub(crate) fn best_f(
    table: &Table,
    family: &Family,
    positive: usize,
    beta: f64,
    budget: &Budget<'_>,
) -> Result<BestF> {
    let measure = Measure::new(table, positive, beta);
    // Any tree will do to start with: here the one of fewest errors of both kinds by the weight of their classes.
    let totals = table.totals();
    let (fp, fal) = lowest(totals[positive], totals[1 - positive]);
    let Answer { better, mut status, mut claim, .. } =
        solve_below(table, family, &tariff(positive, fp, fal), f64::INFINITY, budget)?;
    let none = || Error::Internal("no tree costs less than infinity".into());
    let mut vertex = Vertex::of(better.ok_or_else(none)?.0, positive);
    let mut bound = 1.0;
    while matches!(status, Status::Optimal | Status::Heuristic) {
        let (above, below) = measure.of(&vertex);
        if above >= below {
            (bound, status) = (1.0, Status::Optimal);
            break;
        }
        let Sought { fp, fal, limit, share } = measure.prices(&vertex);
        let answer = solve_below(table, family, &tariff(positive, fp, fal), limit, budget)?;
        (status, claim) = (answer.status, answer.claim);
        // The denominator is at least what it is when everything is answered positive and right.
        let least = measure.beta.0 * measure.unit.1 * measure.positives;
        let short = (limit - answer.bound).max(0.0);
        let more = if short > 0.0 { short * share / least } else { 0.0 };
        bound = (above / below + more).clamp(above / below, 1.0);
        let better = answer.better.map(|(plan, _)| Vertex::of(plan, positive));
        // Rounding must not lead in circles.
        let Some(better) = better.filter(|better| measure.is_larger(better, &vertex)) else { break };
        vertex = better;
    }
    let (above, below) = measure.of(&vertex);
    let value = if below > 0.0 { above / below } else { 0.0 };
    let status = if status == Status::Heuristic && bound <= value { Status::Optimal } else { status };
    Ok(BestF { vertex, value, bound: bound.max(value), status, claim, exact: measure.whole })
}
