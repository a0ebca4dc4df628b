//! Boosting loop for any base learner.
//! Each round fits a member to a bag or to weighted rows, computes its vote and updates the weights.

use super::adac_update::AdaCUpdate;
use super::discrete_update::DiscreteUpdate;
use super::pseudo_loss_update::{PseudoLossUpdate, RowPseudoLoss};
use super::round_result::{RoundResult, normalize_weights};
use crate::generic::{
    Bag, BaseLearner, FittedMembers, MemberFit, OutputKind, TrainingContext, VotingRule, VotingScheme,
    fit_to_bag, member_seed, scale_to_mean_one,
};
use imbcore_core::{Dataset, Error, PriorShift, Result, SeedKey, tags};
use imbcore_resample::AddedRows;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum UpdateRule {
    Discrete(DiscreteUpdate),
    Pseudo(PseudoLossUpdate),
    Costly(AdaCUpdate),
}

impl UpdateRule {
    fn output_kind(&self) -> OutputKind {
        match self {
            Self::Pseudo(_) => OutputKind::Proba,
            Self::Discrete(_) | Self::Costly(_) => OutputKind::Choice,
        }
    }

    fn compute_vote_and_weights(
        &self,
        weights: &[f64],
        classes: &[u32],
        n_classes: usize,
        visit_output: impl FnOnce(OutputKind, &mut dyn FnMut(&[f64])) -> Result<()>,
    ) -> Result<RoundResult> {
        let (mut wrong, mut losses) = (Vec::new(), Vec::new());
        let mut waiting = classes.iter();
        let is_pseudo = matches!(self, Self::Pseudo(_));
        visit_output(self.output_kind(), &mut |output| {
            for (row, &class) in output.chunks_exact(n_classes).zip(waiting.by_ref()) {
                if is_pseudo {
                    losses.push(RowPseudoLoss::new(class, row));
                } else {
                    wrong.push(row[class as usize] == 0.0);
                }
            }
        })?;
        Ok(match self {
            Self::Discrete(rule) => rule.compute_vote_and_weights(weights, &wrong),
            Self::Pseudo(rule) => rule.compute_vote_and_weights(weights, &losses),
            Self::Costly(rule) => rule.compute_vote_and_weights(weights, classes, &wrong),
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoostingRoundSettings {
    pub(super) update_rule: UpdateRule,
    pub(super) n: u32,
    /// Maximum number of attempts to fit a member with the weights of a round.
    ///
    /// An attempt is repeated only if its member is no better than chance.
    pub(super) max_resamples: u32,
    /// Whether the weights are reset to the initial weights if all attempts of a round fail.
    ///
    /// After the reset, the round has up to `max_resamples` further attempts. If they also fail, boosting
    /// ends (Bauer and Kohavi 1999, figure 4).
    pub(super) restarts: bool,
}

#[derive(Debug)]
pub(super) struct BoostedMembers<M> {
    pub(super) members: Vec<M>,
    pub(super) votes: Vec<f64>,
    pub(super) errors: Vec<f64>,
    /// Training rows of each member; members fitted to all rows share one list.
    pub(super) samples: Vec<Arc<[u32]>>,
}

impl<M> Default for BoostedMembers<M> {
    fn default() -> Self {
        Self { members: Vec::new(), votes: Vec::new(), errors: Vec::new(), samples: Vec::new() }
    }
}

impl<M> BoostedMembers<M> {
    pub(super) fn require_members(self, method: &str) -> Result<Self> {
        if self.members.is_empty() {
            return Err(Error::Data(format!(
                "{method}: the first member is no better than chance, so boosting cannot start. Use a \
                 stronger estimator, other parameters for it, or costs that differ less"
            )));
        }
        Ok(self)
    }

    pub(super) fn append_members(&mut self, next: Self) {
        self.members.extend(next.members);
        self.votes.extend(next.votes);
        self.errors.extend(next.errors);
        self.samples.extend(next.samples);
    }

    pub(super) fn into_ensemble(
        self,
        rule: VotingRule,
        n_classes: usize,
        shift: Option<PriorShift>,
    ) -> FittedMembers<M> {
        let Self { members, votes, errors, samples } = self;
        let columns = vec![Vec::new(); members.len()];
        let voting = VotingScheme { rule, votes, errors, columns, n_classes, shift };
        FittedMembers { members, voting, out_of_bag: None, samples }
    }
}

pub(super) fn rows_with_positive_weight(data: &Dataset<'_>) -> Vec<u32> {
    (0..data.n_rows() as u32).filter(|&row| data.weight(row as usize) > 0.0).collect()
}

/// Draws no bag.
///
/// [`run_boosting_rounds`] then fits each member to all rows if the base learner supports weights.
#[allow(clippy::unnecessary_wraps)] // Same signature as functions that draw a bag.
pub(super) fn draw_no_bag(_weights: &[f64], _key: SeedKey) -> Result<Option<Bag>> {
    Ok(None)
}

pub(super) fn class_masses_of_rows(data: &Dataset<'_>, rows: &[u32]) -> Vec<f64> {
    let mut masses = vec![0.0; data.n_classes()];
    for &row in rows {
        masses[data.class_codes()[row as usize] as usize] += data.weight(row as usize);
    }
    masses
}

pub(super) fn class_counts_of_rows(data: &Dataset<'_>, rows: &[u32]) -> Vec<f64> {
    let mut counts = vec![0.0; data.n_classes()];
    for &row in rows {
        counts[data.class_codes()[row as usize] as usize] += 1.0;
    }
    counts
}

/// Runs boosting on `rows`; the initial weights are proportional to the weights in the data.
///
/// In each round, `draw` draws the bag of the member from the weights of the round. If `draw` returns `None`,
/// the member is fitted to all of `rows` with these weights. A base learner without support for weights gets
/// a sample of the rows instead, drawn in proportion to the weights. Every member is evaluated on all of
/// `rows`.
///
/// Boosting stops after a member without training error, and after a round in which all members were no
/// better than chance. The result may therefore have no member.
pub(super) fn run_boosting_rounds<T: BaseLearner>(
    base_learner: &T,
    training: &TrainingContext<'_, '_>,
    rows: &[u32],
    rounds: &BoostingRoundSettings,
    key: SeedKey,
    draw: impl Fn(&[f64], SeedKey) -> Result<Option<Bag>>,
) -> Result<BoostedMembers<T::Member>> {
    let TrainingContext { data, ctl, .. } = *training;
    let class = RoundTrainer {
        base_learner,
        training,
        rows: rows.into(),
        prepared: base_learner.prepare(Some(rows), ctl.without_observer())?,
    };
    let classes: Vec<u32> = rows.iter().map(|&row| data.class_codes()[row as usize]).collect();
    let first = normalize_weights(rows.iter().map(|&row| data.weight(row as usize)).collect());
    let mut weights = first.clone();
    let mut boosted = BoostedMembers::default();
    for round in 0..rounds.n {
        let of_round = key.child(tags::ensemble::BAG, round);
        let mut next = None;
        // In the first round a reset has no effect, because the weights are the initial weights.
        let again = if rounds.restarts && round > 0 { rounds.max_resamples } else { 0 };
        for attempt in 0..rounds.max_resamples + again {
            ctl.check()?;
            if attempt == rounds.max_resamples {
                weights.clone_from(&first);
            }
            let at = of_round.child(tags::bag::ATTEMPT, attempt);
            let RoundMember { member, rows, columns } =
                class.fit_to_bag(draw(&weights, at)?, &weights, at)?;
            let evaluated = rounds.update_rule.compute_vote_and_weights(
                &weights,
                &classes,
                data.n_classes(),
                |kind, visit| {
                    base_learner.visit_output(
                        &member,
                        &class.prepared,
                        &columns,
                        kind,
                        ctl.without_observer(),
                        visit,
                    )
                },
            )?;
            if let RoundResult::Kept { vote, error, next: weights } = evaluated {
                boosted.members.push(member);
                boosted.votes.push(vote);
                boosted.errors.push(error);
                boosted.samples.push(rows);
                next = weights;
                break;
            }
        }
        ctl.report_progress("rounds", u64::from(round) + 1, u64::from(rounds.n));
        match next {
            Some(next) => weights = next,
            None => break,
        }
    }
    Ok(boosted)
}

struct RoundTrainer<'c, 'd, T: BaseLearner> {
    base_learner: &'c T,
    training: &'c TrainingContext<'c, 'd>,
    rows: Arc<[u32]>,
    prepared: T::Preparation,
}

struct RoundMember<M> {
    member: M,
    rows: Arc<[u32]>,
    columns: Vec<u32>,
}

impl<T: BaseLearner> RoundTrainer<'_, '_, T> {
    fn fit_to_bag(&self, bag: Option<Bag>, weights: &[f64], key: SeedKey) -> Result<RoundMember<T::Member>> {
        let Self { base_learner, training, rows, prepared } = self;
        let ctl = training.ctl.without_observer();
        let bag = match bag {
            None if base_learner.supports_weights() => {
                let weights = scale_to_mean_one(weights.to_vec());
                let member = base_learner.fit_weighted(prepared, &weights, member_seed(key), ctl)?;
                return Ok(RoundMember { member, rows: Arc::clone(rows), columns: Vec::new() });
            }
            None => Bag::from_weights(rows.to_vec(), AddedRows::default(), weights.to_vec()),
            Some(bag) => bag,
        };
        let MemberFit { member, bag } = fit_to_bag(*base_learner, training, bag, key, ctl)?;
        let rows = if bag.rows[..] == **rows { Arc::clone(rows) } else { bag.rows.into() };
        Ok(RoundMember { member, rows, columns: bag.columns })
    }
}
