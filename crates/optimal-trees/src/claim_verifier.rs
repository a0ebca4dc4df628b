//! Verification of the claims of a certificate.
//!
//! A claim about trees of depth one or two is checked by trying all of these trees
//! ([`crate::reference_table`]). For deeper trees, the claim records bounds on children of root splits. Each
//! recorded bound is checked by trying all trees that are one level less deep. Every other child
//! costs at least the unavoidable cost of its rows plus the cost of one leaf. Larger bounds must follow from
//! two rules. First, adding rows to a child raises its least cost by at least their unavoidable cost, and
//! removing rows lowers it by at most the largest cost of the removed rows. Second, the least cost of a child
//! is concave in the error costs. Between two cost ratios with known bounds it is therefore at least the
//! linear interpolation of the bounds.

use crate::reference_table::{CostedRows, SplitSequence, VerifierTable};
use crate::tree_certificate::{SplitBound, SplitTest, TreeClaim};
use imbcore_core::budget::SearchBudget;
use imbcore_core::{Error, Result, parallel};
use std::collections::BTreeSet;

/// Result of a verification.
#[derive(Clone, Debug, PartialEq)]
pub struct VerificationReport {
    /// Whether the trees have the errors and the objective that the model states.
    pub objective_holds: bool,
    /// Whether all claims hold.
    ///
    /// `None` if the claims were not checked: there are none, the time limit was reached, or the trees
    /// do not have the stated errors and objective.
    pub bounds_hold: Option<bool>,
    /// Whether the claims prove that no tree is better than the trees of the model.
    ///
    /// `None` if there are no claims, if the time limit was reached, or if all claims hold and the
    /// objective has a minimum recall or precision.
    pub proves_optimal: Option<bool>,
    /// Explanation if another field of this report is false or `None`; otherwise `None`.
    pub reason: Option<String>,
}

pub(crate) type ClaimCheckResult<T> = std::result::Result<T, String>;

#[derive(Clone, Debug)]
struct SplitSequenceBounds {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl SplitSequenceBounds {
    /// Returns bounds of 0, which hold if false positives or false negatives cost nothing.
    fn zero_bounds(&self) -> Self {
        Self { first: vec![0.0; self.first.len()], second: vec![0.0; self.second.len()] }
    }
}

/// A claim that was verified: its error costs, and bounds on the children of all root splits.
///
/// There are no bounds for trees of depth one and two.
pub(crate) struct VerifiedClaim {
    prices: [f64; 2],
    ladders: Vec<SplitSequenceBounds>,
}

pub(crate) struct TreeClaimVerifier<'a> {
    pub(crate) plain: &'a VerifierTable,
    pub(crate) depth: u32,
    pub(crate) least_weight: f64,
    pub(crate) rows: Vec<u32>,
    pub(crate) ladders: Vec<SplitSequence>,
    pub(crate) budget: &'a SearchBudget<'a>,
}

/// Costs of an error on a row of class 0 and of an error on a row of class 1.
///
/// `None` unless there are two classes, and correct predictions and leaves cost nothing.
fn two_class_error_costs(claim: &TreeClaim) -> Option<[f64; 2]> {
    match &claim.prices[..] {
        [first, second] if claim.leaf == 0.0 && first[0] == 0.0 && second[1] == 0.0 => {
            Some([first[1], second[0]])
        }
        _ => None,
    }
}

fn round_up_with_tolerance(least: f64) -> f64 {
    (least - 1e-7 * (1.0 + least.abs())).ceil()
}

fn describe_split(cut: &SplitBound) -> String {
    let feature = cut.feature;
    let missing = if cut.missing_first { " or missing" } else { "" };
    match cut.test {
        SplitTest::AtMost(value) => format!("column {feature} at most {value}{missing}"),
        SplitTest::Level(level) => format!("column {feature} equal to level {level}{missing}"),
        SplitTest::Known => format!("column {feature} not missing"),
    }
}

impl TreeClaimVerifier<'_> {
    /// The caller must compare the costs of the claim with the costs of the model.
    pub(crate) fn check_claim(
        &self,
        claim: &TreeClaim,
        known: &[VerifiedClaim],
    ) -> Result<ClaimCheckResult<VerifiedClaim>> {
        if self.plain.units.first().is_some_and(|units| units.len() > 2) {
            self.verify_claim_bounds::<9>(claim, known)
        } else {
            self.verify_claim_bounds::<3>(claim, known)
        }
    }

    fn verify_claim_bounds<const W: usize>(
        &self,
        claim: &TreeClaim,
        known: &[VerifiedClaim],
    ) -> Result<ClaimCheckResult<VerifiedClaim>> {
        let priced = |least_weight: f64| -> Option<CostedRows<'_, W>> {
            CostedRows::new(self.plain, &claim.prices, claim.leaf, least_weight, self.budget)
        };
        let (Some(weighed), Some(priced)) = (priced(self.least_weight), priced(0.0)) else {
            return Ok(Err(
                "the costs of a claim are negative or not finite, are all 0, or have an infinite sum".into(),
            ));
        };
        let depth = if self.depth <= 2 { self.depth } else { 1 };
        let least = weighed.min_tree_cost(&self.rows, depth, claim.bound)?;
        if least < claim.bound {
            let bound = claim.bound;
            return Ok(Err(format!(
                "a claim states that no tree costs less than {bound}, but one of depth {depth} costs {least}"
            )));
        }
        let prices = two_class_error_costs(claim).unwrap_or_default();
        if self.depth <= 2 {
            return Ok(Ok(VerifiedClaim { prices, ladders: Vec::new() }));
        }
        // The following checks ignore the minimum leaf weight, because the recorded bounds ignore it, too.
        if claim.between.is_some() && priced.max_rounding_error() > 0.0 {
            return Ok(Err("a claim refers to other claims, but its costs are not integers".into()));
        }
        let mut ladders = self.initial_bounds(&priced);
        if let Err(reason) = add_interpolated_bounds(claim, known, &mut ladders) {
            return Ok(Err(reason));
        }
        if let Err(reason) = self.check_recorded_bounds(&priced, claim, &mut ladders)? {
            return Ok(Err(reason));
        }
        for (ladder, steps) in self.ladders.iter().zip(&mut ladders) {
            propagate_bounds(&priced, ladder, steps);
            if let Some(reason) = find_uncovered_split(ladder, steps, claim.bound) {
                return Ok(Err(reason));
            }
        }
        Ok(Ok(VerifiedClaim { prices, ladders }))
    }

    /// Lower bounds on both children of every root split; they hold without any claim.
    ///
    /// The bound of a child is its unavoidable cost, plus the cost of one leaf.
    fn initial_bounds<const W: usize>(&self, priced: &CostedRows<'_, W>) -> Vec<SplitSequenceBounds> {
        let all = priced.unavoidable_cost(&self.rows);
        let bounds_of_ladder = |ladder: &SplitSequence| {
            let mut sum = 0.0;
            let taken = ladder.steps.iter().map(|(_, rows)| {
                sum += priced.unavoidable_cost(rows);
                sum
            });
            let first: Vec<f64> = taken.collect();
            let second = first.iter().map(|first| all - first + priced.integer_leaf_cost()).collect();
            SplitSequenceBounds {
                first: first.iter().map(|first| first + priced.integer_leaf_cost()).collect(),
                second,
            }
        };
        self.ladders.iter().map(bounds_of_ladder).collect()
    }

    fn check_recorded_bounds<const W: usize>(
        &self,
        priced: &CostedRows<'_, W>,
        claim: &TreeClaim,
        ladders: &mut [SplitSequenceBounds],
    ) -> Result<ClaimCheckResult<()>> {
        let mut places = Vec::with_capacity(claim.cuts.len());
        for cut in &claim.cuts {
            let split = describe_split(cut);
            let Some(place) = self.split_position(cut) else {
                return Ok(Err(format!(
                    "a claim has the split {split}, which does not exist for these rows"
                )));
            };
            places.push((place, cut));
        }
        // Each split may be recorded only once. The work is then limited by the number of splits of the rows.
        let distinct: BTreeSet<(usize, usize)> = places.iter().map(|(place, _)| *place).collect();
        if distinct.len() < places.len() {
            return Ok(Err("a claim has the same split twice".into()));
        }
        let check = |&((ladder, step), cut): &((usize, usize), &SplitBound)| -> Result<ClaimCheckResult<()>> {
            let mut first = vec![false; self.plain.n_rows()];
            for (_, rows) in &self.ladders[ladder].steps[..=step] {
                for &row in rows {
                    first[row as usize] = true;
                }
            }
            let sides: (Vec<u32>, Vec<u32>) = self.rows.iter().partition(|&&row| first[row as usize]);
            for (name, rows, bound) in [("first", sides.0, cut.first), ("second", sides.1, cut.second)] {
                let Some(bound) = bound else { continue };
                let least = priced.min_tree_cost(&rows, self.depth - 1, bound)?;
                if least < bound {
                    return Ok(Err(format!(
                        "a claim states that the {name} child of the split {} costs at least {bound}, but a tree of depth {} costs {least}",
                        describe_split(cut),
                        self.depth - 1
                    )));
                }
            }
            Ok(Ok(()))
        };
        for (&((ladder, step), cut), held) in places.iter().zip(parallel::try_map(&places, check)?) {
            if let Err(reason) = held {
                return Ok(Err(reason));
            }
            let SplitSequenceBounds { first, second } = &mut ladders[ladder];
            first[step] = first[step].max(cut.first.unwrap_or(0.0));
            second[step] = second[step].max(cut.second.unwrap_or(0.0));
        }
        Ok(Ok(()))
    }

    /// Position of a split: index of its sequence of splits, and index in this sequence.
    ///
    /// `None` if the rows have no such split.
    fn split_position(&self, cut: &SplitBound) -> Option<(usize, usize)> {
        let has = |&(_, ladder): &(usize, &SplitSequence)| {
            ladder.feature == cut.feature && ladder.missing_first == cut.missing_first
        };
        let step = |ladder: &SplitSequence| match cut.test {
            SplitTest::AtMost(value) => {
                let before =
                    |(test, _): &(SplitTest, Vec<u32>)| matches!(test, SplitTest::AtMost(x) if *x < value);
                let position = ladder.steps.partition_point(before);
                (ladder.steps.get(position)?.0 == cut.test).then_some(position)
            }
            _ => ladder.steps.iter().position(|(test, _)| *test == cut.test),
        };
        let from = self.ladders.partition_point(|ladder| ladder.feature < cut.feature);
        let of_feature = self.ladders.iter().enumerate().skip(from);
        let mut of_feature = of_feature.take_while(|(_, ladder)| ladder.feature == cut.feature);
        of_feature.find_map(|candidate| Some((candidate.0, step(candidate.1).filter(|_| has(&candidate))?)))
    }
}

fn add_interpolated_bounds(
    claim: &TreeClaim,
    known: &[VerifiedClaim],
    ladders: &mut [SplitSequenceBounds],
) -> ClaimCheckResult<()> {
    let Some(between) = claim.between else { return Ok(()) };
    let free = [[0.0, 1.0], [1.0, 0.0]].map(|prices| VerifiedClaim {
        prices,
        ladders: ladders.iter().map(SplitSequenceBounds::zero_bounds).collect(),
    });
    let Some(mine) = two_class_error_costs(claim) else {
        return Err("a claim refers to other claims, which requires costs of false positives and false negatives only".into());
    };
    let mut earlier = [None, None];
    for (end, place) in earlier.iter_mut().zip(between) {
        let Some(place) = place else { continue };
        *end = Some(known.get(place).ok_or("a claim refers to a claim that does not precede it")?);
    }
    // If the claim refers to no earlier claim at one of the two cost ratios, bounds of 0 are used. They hold
    // if false positives or false negatives cost nothing. Which of them must cost nothing depends on the
    // positive class, so both are tried.
    let found = [[0, 1], [1, 0]].into_iter().find_map(|order| {
        let [one, other] = [0, 1].map(|end| earlier[end].unwrap_or(&free[order[end]]));
        let (p, q) = (one.prices, other.prices);
        let determinant = p[0] * q[1] - q[0] * p[1];
        let weights = [
            (mine[0] * q[1] - q[0] * mine[1]) / determinant,
            (p[0] * mine[1] - mine[0] * p[1]) / determinant,
        ];
        let is_usable = |weight: &f64| (0.0..f64::INFINITY).contains(weight);
        weights.iter().all(is_usable).then_some(([one, other], weights))
    });
    let Some(([one, other], weights)) = found else {
        return Err(
            "a claim refers to two claims whose cost ratios do not lie on both sides of its own".into()
        );
    };
    let chord = |mine: &mut [f64], one: &[f64], other: &[f64]| {
        for (mine, (one, other)) in mine.iter_mut().zip(one.iter().zip(other)) {
            *mine = mine.max(round_up_with_tolerance(weights[0] * one + weights[1] * other));
        }
    };
    for (mine, (one, other)) in ladders.iter_mut().zip(one.ladders.iter().zip(&other.ladders)) {
        chord(&mut mine.first, &one.first, &other.first);
        chord(&mut mine.second, &one.second, &other.second);
    }
    Ok(())
}

fn propagate_bounds<const W: usize>(
    priced: &CostedRows<'_, W>,
    ladder: &SplitSequence,
    steps: &mut SplitSequenceBounds,
) {
    let SplitSequenceBounds { first, second } = steps;
    let moved: Vec<(f64, f64)> =
        ladder.steps.iter().map(|(_, rows)| (priced.unavoidable_cost(rows), priced.max_cost(rows))).collect();
    for step in 1..moved.len() {
        first[step] = first[step].max(first[step - 1] + moved[step].0);
        second[step] = second[step].max(second[step - 1] - moved[step].1);
    }
    for step in (1..moved.len()).rev() {
        first[step - 1] = first[step - 1].max(first[step] - moved[step].1);
        second[step - 1] = second[step - 1].max(second[step] + moved[step].0);
    }
}

fn find_uncovered_split(ladder: &SplitSequence, steps: &SplitSequenceBounds, bound: f64) -> Option<String> {
    let sides = steps.first.iter().zip(&steps.second);
    let open = ladder.steps.iter().zip(sides).find(|(_, (first, second))| *first + *second < bound);
    open.map(|((test, _), (first, second))| {
        let (feature, missing_first) = (ladder.feature, ladder.missing_first);
        let cut = SplitBound { feature, test: *test, missing_first, first: None, second: None };
        format!(
            "a claim states that no tree costs less than {bound}, but does not cover trees that split by {}: the \
             recorded bounds of its children are {first} and {second}",
            describe_split(&cut)
        )
    })
}

/// Checks claims one after the other; returns `None` if the time limit was reached.
pub(crate) fn check_claims(
    root: &TreeClaimVerifier<'_>,
    claims: &[TreeClaim],
) -> Result<Option<ClaimCheckResult<()>>> {
    let mut known = Vec::with_capacity(claims.len());
    for claim in claims {
        match root.check_claim(claim, &known) {
            Ok(Ok(held)) => known.push(held),
            Ok(Err(reason)) => return Ok(Some(Err(reason))),
            Err(Error::Cancelled) if root.budget.run_context().check().is_ok() => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(Ok(())))
}
