//! Checks a proof of optimality against the rows of a table.

use super::directed::{
    add_rounded_up, is_above_or_nan, multiply_rounded_down, subtract_rounded_down, subtract_rounded_up,
    sum_rounded_down, sum_rounded_up,
};
use super::family::{
    EnumeratedFamilies, FamilyMemoryBudget, FamilyQuery, MOST_FAMILIES, ReferenceFamilyScorer,
    ScoredParentSet,
};
use super::family_enumerator::enumerate_families;
use super::graph_proof::{CutFamilyCosts, GraphProof, ProofCut};
use super::row_groups::CodeColumns;
use super::scoring::ProofObjective;
use super::small_families::SmallFamilyScores;
use crate::dag::Dag;
use crate::search::{StructureSettings, score_rounding_tolerance};
use crate::table::DiscreteTable;
use imbcore_core::budget::{SearchBudget, SearchStatus};
use imbcore_core::{Error, Result, parallel};

/// Factor of the first term of [`rounding_allowance`].
///
/// It is multiplied by the number of rows and the maximum joint entropy of all columns.
const ROUNDING: f64 = 4e-9;

/// Largest accepted ratio of the largest score term to the allowance for rounding.
const LARGEST: f64 = 1.0 / (64.0 * f64::EPSILON);

/// Result of the check of a proof.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofCheckResult {
    /// Score of the graph of the network, as computed by the checker.
    pub score: f64,
    /// Allowance for rounding errors when scores are compared with a bound.
    pub rounding: f64,
    /// Proven upper bound on the score of any graph that the constraints allow.
    ///
    /// It is at least the bound stated in the proof plus the allowance for rounding. `None` if the check
    /// ended before a bound was computed.
    pub bound: Option<f64>,
    /// Number of parent sets that the check scored by counting rows; 0 if the check ended early.
    ///
    /// Parent sets that a bound excludes are not scored. Sets with few parents, which are scored in advance,
    /// are not included.
    pub families: u64,
    /// Reason why the bound stated in the proof is not proven; `None` if it is proven.
    pub fault: Option<ProofError>,
}

/// Reasons why a bound is not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// The maximum reduced score that the proof states for this variable is wrong.
    ///
    /// The reduced score is explained in the module `proof`.
    Family(usize),
    /// The graph of the network scores more than the bound plus the allowance for rounding.
    Graph,
    /// The proof does not exclude all graphs that score more than the bound.
    BoundNotProven,
    /// The proof leaves so many parent sets to check that they do not fit in memory.
    TooManyFamilies,
    /// The time limit was reached before the check was complete.
    TimeLimit,
}

impl ProofError {
    /// Describes the reason in a sentence; `name` returns the name of a variable.
    pub fn to_sentence<'a>(self, name: impl Fn(usize) -> &'a str) -> String {
        match self {
            Self::Family(child) => format!(
                "the maximum stated for variable {:?} does not match its families; check that the rows are the training rows",
                name(child)
            ),
            Self::Graph => "the graph of this network scores more than the bound".into(),
            Self::BoundNotProven => {
                "the multipliers do not exclude a graph that scores more than the bound".into()
            }
            Self::TooManyFamilies => format!(
                "the multipliers leave more than {MOST_FAMILIES} parent sets; those of a search leave fewer"
            ),
            Self::TimeLimit => {
                "the time limit was reached while families were counted; raise time_limit".into()
            }
        }
    }
}

type RemainingFamilies = Vec<Vec<ScoredParentSet>>;

/// Checks that no allowed graph over the columns of a table scores more than a proof states.
///
/// The check does not search. It counts one by one all families that the multipliers of the first step do not
/// exclude, which may take longer than the search.
///
/// # Errors
/// [`Error::Data`] if the proof does not fit the table, [`Error::Unsupported`] for scores without
/// upper bounds, [`Error::Cancelled`].
pub fn verify(
    proof: &GraphProof,
    table: &DiscreteTable,
    class: Option<u32>,
    settings: &StructureSettings,
    dag: &Dag,
    budget: &SearchBudget<'_>,
) -> Result<ProofCheckResult> {
    verify_objective(proof, table, &settings.proof_objective(table, class)?, dag, budget)
}

pub(crate) fn verify_objective(
    proof: &GraphProof,
    table: &DiscreteTable,
    scoring: &ProofObjective,
    dag: &Dag,
    budget: &SearchBudget<'_>,
) -> Result<ProofCheckResult> {
    let n = table.n_columns();
    proof.check(n)?;
    if table.weights().is_some() || (0..n).any(|column| table.has_missing(column)) {
        return Err(Error::Unsupported(
            "a certificate requires rows without weights and missing values".into(),
        ));
    }
    if dag.n_variables() != n {
        return Err(Error::Data(format!(
            "{n} columns do not fit a network of {} variables",
            dag.n_variables()
        )));
    }
    if !scoring.rules.is_satisfied_by(dag) {
        return Err(Error::Data(
            "the network violates the constraints of the certificate: max_parents, required or forbidden arcs, tiers or class_role"
                .into(),
        ));
    }
    let plain = ReferenceFamilyScorer::new(CodeColumns::from_table(table), &scoring.score, &scoring.bonus);
    let rounding = rounding_allowance(table);
    if is_above_or_nan(scoring.score_term_bound(table), LARGEST * rounding) {
        return Err(Error::Unsupported(
            "the numbers of this score are too large for a proof with so few rows".into(),
        ));
    }
    let mut verdict = ProofCheckResult {
        score: (0..n).map(|child| plain.score(child as u32, dag.parents(child))).sum(),
        rounding,
        bound: None,
        families: 0,
        fault: None,
    };
    let claim =
        BoundClaim { proof, plain: &plain, scoring, bound: add_rounded_up(proof.bound, rounding), rounding };
    let kept = FamilyMemoryBudget::default();
    match claim.check(table, verdict.score, &kept, budget) {
        Err(Error::Cancelled) if kept.is_exceeded() => verdict.fault = Some(ProofError::TooManyFamilies),
        Err(Error::Cancelled) if budget.stop_reason() == SearchStatus::TimeLimit => {
            verdict.fault = Some(ProofError::TimeLimit);
        }
        found => match found? {
            Ok((bound, families)) => {
                verdict.families = families;
                verdict.bound = Some(bound.max(claim.bound));
                verdict.fault = is_above_or_nan(bound, claim.bound).then_some(ProofError::BoundNotProven);
            }
            Err(fault) => verdict.fault = Some(fault),
        },
    }
    Ok(verdict)
}

/// Allowance for rounding, which depends only on the rows.
///
/// The first term covers the different orders of summation in searches and verifiers, and the relative
/// tolerance of a search. The second term covers families that a search drops because their gain is within
/// the absolute tolerance of the search.
fn rounding_allowance(table: &DiscreteTable) -> f64 {
    let entropy: f64 = table.n_states_by_column().iter().map(|&levels| f64::from(levels).ln()).sum();
    ROUNDING * table.total_weight() * entropy + 2.0 * table.n_columns() as f64 * gain_tolerance(table)
}

/// Maximum gain over a subset for which a search may drop a parent set as useless.
fn gain_tolerance(table: &DiscreteTable) -> f64 {
    4.0 * score_rounding_tolerance(table)
}

struct BoundClaim<'a> {
    proof: &'a GraphProof,
    plain: &'a ReferenceFamilyScorer<'a>,
    scoring: &'a ProofObjective,
    bound: f64,
    rounding: f64,
}

impl BoundClaim<'_> {
    /// If the proof is consistent, returns an upper bound on scores and the number of families.
    ///
    /// The families are those that were scored by counting rows. Otherwise returns the [`ProofError`].
    fn check(
        &self,
        table: &DiscreteTable,
        score: f64,
        kept: &FamilyMemoryBudget,
        budget: &SearchBudget<'_>,
    ) -> Result<std::result::Result<(f64, u64), ProofError>> {
        let n = table.n_columns() as u32;
        let rules = &self.scoring.rules;
        let further = |child: u32| {
            let allowed =
                |&v: &u32| v != child && rules.allows_arc(v, child) && !rules.requires_arc(v, child);
            let mut others: Vec<u32> = (0..n).filter(allowed).collect();
            others.sort_by_key(|&v| (std::cmp::Reverse(table.n_states_by_column()[v as usize]), v));
            others
        };
        let orders: Vec<Vec<u32>> = (0..n).map(further).collect();
        let first = &self.proof.parts[0].steps[0];
        let required_cost =
            sum_rounded_down(first.iter().map(|cut| multiply_rounded_down(cut.price, cut.min_total_cost())));
        // The first pass checks only that the best parent set of each variable has the reduced score stated
        // in the proof. Few parent sets must be scored for this.
        let wanted = |child: u32| FamilyQuery {
            child,
            required: (0..n).filter(|&v| rules.requires_arc(v, child)).map(|v| 1 << v).sum(),
            others: &orders[child as usize],
            max_parents: rules.max_parents.unwrap_or(u32::MAX),
            payments: first.iter().filter_map(|cut| cut.family_costs(child)).collect(),
            min_reduced_score: subtract_rounded_down(self.proof.most[child as usize], self.rounding),
            limit: add_rounded_up(self.proof.most[child as usize], self.rounding),
        };
        let mut wanted: Vec<FamilyQuery<'_>> = (0..n).map(wanted).collect();
        let small = parallel::try_map(&wanted, |one| {
            SmallFamilyScores::score_small_families(self.plain, one, budget)
        })?;
        let looked = enumerate_families_of_all(self.plain, &wanted, &small, kept, budget)?;
        let is_stated = |(one, wanted): (&EnumeratedFamilies, &FamilyQuery<'_>)| {
            !one.kept.is_empty() && one.most <= wanted.limit
        };
        if let Some(child) = looked.iter().zip(&wanted).position(|pair| !is_stated(pair)) {
            return Ok(Err(ProofError::Family(child)));
        }
        if is_above_or_nan(score, self.bound) {
            return Ok(Err(ProofError::Graph));
        }
        // `room` is the sum of the best reduced scores, minus the minimum cost of the cuts, minus the stated
        // bound. A parent set whose reduced score is lower by at least `room` than the best of its variable
        // is useless.
        let most: Vec<f64> = looked.iter().map(|one| one.most).collect();
        let room = subtract_rounded_up(
            subtract_rounded_up(sum_rounded_up(most.iter().copied()), required_cost),
            self.bound,
        )
        .max(0.0);
        for (one, most) in wanted.iter_mut().zip(&most) {
            (one.min_reduced_score, one.limit) = (subtract_rounded_down(*most, room), f64::INFINITY);
        }
        kept.remove_families(looked.iter().map(|one| one.kept.len()).sum());
        drop(looked);
        let looked = enumerate_families_of_all(self.plain, &wanted, &small, kept, budget)?;
        let families = looked.iter().map(|one| one.counted).sum();
        let useful =
            parallel::try_map(looked, |one| drop_dominated_sets(one.kept, gain_tolerance(table), budget))?;
        Ok(Ok((score_bound_of_proof(self.proof, useful, self.bound, kept, budget)?, families)))
    }
}

fn enumerate_families_of_all(
    plain: &ReferenceFamilyScorer<'_>,
    wanted: &[FamilyQuery<'_>],
    small: &[SmallFamilyScores],
    kept: &FamilyMemoryBudget,
    budget: &SearchBudget<'_>,
) -> Result<Vec<EnumeratedFamilies>> {
    let places = |(at, one): (usize, &FamilyQuery<'_>)| {
        std::iter::once((at, None)).chain((0..one.others.len()).map(move |place| (at, Some(place))))
    };
    let all: Vec<(usize, Option<usize>)> = wanted.iter().enumerate().flat_map(places).collect();
    let one = |&(at, place): &(usize, Option<usize>)| {
        Ok((at, enumerate_families(plain, &wanted[at], &small[at], place, kept, budget)?))
    };
    let parts: Vec<(usize, EnumeratedFamilies)> = parallel::try_map(&all, one)?;
    let none = EnumeratedFamilies { kept: Vec::new(), most: f64::NEG_INFINITY, counted: 0 };
    let mut looked = vec![none; wanted.len()];
    for (at, mut part) in parts {
        looked[at].kept.append(&mut part.kept);
        looked[at].most = looked[at].most.max(part.most);
        looked[at].counted += part.counted;
    }
    Ok(looked)
}

/// Drops each parent set that scores at most `no_gain` more than one of its subsets.
///
/// Removing arcs keeps a graph acyclic, so the subset can replace the dropped set. The subset gets the higher
/// of both scores.
fn drop_dominated_sets(
    mut all: Vec<ScoredParentSet>,
    no_gain: f64,
    budget: &SearchBudget<'_>,
) -> Result<Vec<ScoredParentSet>> {
    all.sort_by_key(|of| (of.set.count_ones(), of.set));
    let mut kept: Vec<ScoredParentSet> = Vec::new();
    let mut raised: Vec<f64> = Vec::new();
    for of in all {
        budget.check_limits()?;
        let part = |less: &ScoredParentSet| less.set & !of.set == 0 && less.score + no_gain >= of.score;
        if let Some(place) = kept.iter().position(part) {
            raised[place] = of.score.max(raised[place]);
        } else {
            kept.push(of);
            raised.push(of.score);
        }
    }
    for (one, score) in kept.iter_mut().zip(raised) {
        one.score = score;
    }
    Ok(kept)
}

/// Upper bound on the score of graphs whose parent sets are in `left`, from the whole proof.
///
/// If the bound of a part of the proof is at most the bound to be proven (`claim`), the two parts into which
/// it is split are not checked.
fn score_bound_of_proof(
    proof: &GraphProof,
    left: RemainingFamilies,
    claim: f64,
    kept: &FamilyMemoryBudget,
    budget: &SearchBudget<'_>,
) -> Result<f64> {
    let size = |left: &RemainingFamilies| left.iter().map(Vec::len).sum::<usize>();
    let mut waiting = vec![(0, left, f64::INFINITY)];
    let mut most = f64::NEG_INFINITY;
    while let Some((place, mut left, mut bound)) = waiting.pop() {
        let part = &proof.parts[place];
        kept.remove_families(size(&left));
        for prices in &part.steps {
            let now = score_bound_after_step(prices, &mut left, claim, budget)?;
            bound = if now <= bound { now } else { bound };
        }
        match part.split {
            Some(split) if is_above_or_nan(bound, claim) => {
                for (next, with) in [(split.without, false), (split.with, true)] {
                    let mut own = left.clone();
                    own[split.child as usize].retain(|of| (of.set >> split.parent & 1 == 1) == with);
                    // If a variable has no parent set left, no graph remains in this part of the proof.
                    if !own[split.child as usize].is_empty() {
                        kept.add_families(size(&own))?;
                        waiting.push((next, own, bound));
                    }
                }
            }
            _ if is_above_or_nan(bound, most) => most = bound,
            _ => {}
        }
    }
    Ok(most)
}

/// Upper bound on the score of graphs with parent sets in `left`, from one step of the proof.
///
/// Removes from `left` the parent sets that the step proves to be useless.
fn score_bound_after_step(
    prices: &[ProofCut],
    left: &mut RemainingFamilies,
    claim: f64,
    budget: &SearchBudget<'_>,
) -> Result<f64> {
    if left.iter().any(Vec::is_empty) {
        return Ok(f64::NEG_INFINITY);
    }
    let required_cost =
        sum_rounded_down(prices.iter().map(|cut| multiply_rounded_down(cut.price, cut.min_total_cost())));
    let mut bound = subtract_rounded_up(0.0, required_cost);
    let mut worths = Vec::with_capacity(left.len());
    for (child, families) in (0_u32..).zip(left.iter()) {
        let own: Vec<CutFamilyCosts<'_>> = prices.iter().filter_map(|cut| cut.family_costs(child)).collect();
        let mut worth = Vec::with_capacity(families.len());
        for of in families {
            budget.check_limits()?;
            worth.push(add_rounded_up(
                of.score,
                sum_rounded_up(own.iter().map(|payment| payment.weighted_cost(of.set))),
            ));
        }
        let most = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        bound = add_rounded_up(bound, most);
        worths.push(worth.into_iter().map(|worth| subtract_rounded_down(most, worth)).collect::<Vec<f64>>());
    }
    for (families, below) in left.iter_mut().zip(worths) {
        let mut below = below.into_iter();
        families.retain(|_| {
            below.next().is_none_or(|below| is_above_or_nan(subtract_rounded_up(bound, below), claim))
        });
    }
    Ok(bound)
}

#[cfg(test)]
mod tests {
    use super::super::family::members_of_set;
    use super::*;
    use imbcore_core::RunContext;
    use imbcore_core::budget::StoppingLimits;

    #[test]
    fn parts_that_score_as_much_make_a_set_useless() {
        let scored = |set, score| ScoredParentSet { set, score };
        let budget = SearchBudget::start("test", StoppingLimits::default(), RunContext::silent()).unwrap();
        let all = vec![scored(0b11, -2.95), scored(0, -5.0), scored(0b1, -3.0), scored(0b10, -6.0)];
        let left = drop_dominated_sets(all, 0.1, &budget).unwrap();
        assert_eq!(left, [scored(0, -5.0), scored(0b1, -2.95)]);
        assert_eq!(members_of_set(0b1010).collect::<Vec<_>>(), [1, 3]);
    }
}
