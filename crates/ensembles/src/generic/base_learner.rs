//! Interface between ensembles and their base learners, and parallel fitting of members.

use super::bag::Bag;
use imbcore_core::{Dataset, Label, Result, RunContext, SeedKey, parallel, random_below, tags};
use std::sync::atomic::{AtomicU64, Ordering};

/// Kind of member output that the voting rule needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Class probabilities.
    Proba,
    /// Predicted class: 1 for the predicted class, and 0 for all other classes.
    Choice,
}

/// A base learner, which fits a member to a bag.
pub trait BaseLearner: Sync {
    /// Fitted member.
    type Member: Send + Sync;

    /// Rows of the training table, prepared for fitting or predicting with many members.
    type Preparation: Send + Sync;

    /// Whether members support row weights.
    /// If not, members are fitted to rows drawn by weight.
    fn supports_weights(&self) -> bool;

    /// Whether members must be fitted and used sequentially.
    fn is_sequential(&self) -> bool;

    /// Prepares the given rows of the training table, or all rows if `rows` is `None`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Memory`]; [`imbcore_core::Error::Cancelled`].
    fn prepare(&self, rows: Option<&[u32]>, ctl: RunContext<'_>) -> Result<Self::Preparation>;

    /// Fits a member to the rows of a bag.
    /// Rows have the weights of the bag, not those of the training table. If all rows of the bag have one
    /// class, the member always predicts this class.
    ///
    /// # Errors
    /// All errors of the base learner.
    fn fit_to_bag(&self, bag: &Bag, seed: u32, ctl: RunContext<'_>) -> Result<Self::Member>;

    /// Fits a member to all prepared rows with `weights`, one per row.
    ///
    /// The member equals one that [`Self::fit_to_bag`] fits to a bag of the same rows and weights.
    ///
    /// # Errors
    /// Same errors as [`BaseLearner::fit_to_bag`].
    fn fit_weighted(
        &self,
        prepared: &Self::Preparation,
        weights: &[f64],
        seed: u32,
        ctl: RunContext<'_>,
    ) -> Result<Self::Member>;

    /// Output of a member for prepared rows, `n_rows x n_classes`.
    /// `columns` are the columns that the member uses; an empty list stands for all columns. The output is 0
    /// for classes that the training rows of the member did not contain.
    ///
    /// # Errors
    /// All errors of the prediction.
    fn member_output(
        &self,
        member: &Self::Member,
        prepared: &Self::Preparation,
        columns: &[u32],
        output_kind: OutputKind,
        ctl: RunContext<'_>,
    ) -> Result<Vec<f64>>;

    /// Passes the output of a member to `visit`, in blocks of consecutive rows.
    /// Blocks save memory, because the output of all rows may be much larger than the training table. The
    /// default implementation passes all rows as one block.
    ///
    /// # Errors
    /// Same errors as [`BaseLearner::member_output`].
    fn visit_output(
        &self,
        member: &Self::Member,
        prepared: &Self::Preparation,
        columns: &[u32],
        output_kind: OutputKind,
        ctl: RunContext<'_>,
        visit: &mut dyn FnMut(&[f64]),
    ) -> Result<()> {
        visit(&self.member_output(member, prepared, columns, output_kind, ctl)?);
        Ok(())
    }
}

/// Training data and context of an ensemble.
#[derive(Clone, Copy)]
pub struct TrainingContext<'r, 'd> {
    /// Training data; the row weights include the class weights.
    pub data: &'r Dataset<'d>,
    /// Labels of the class codes.
    pub labels: &'r [Label],
    /// Code of the positive class.
    pub positive: u32,
    /// Seed key from which all random streams of the ensemble derive.
    pub key: SeedKey,
    /// Control of the run.
    pub ctl: RunContext<'r>,
}

#[derive(Clone, Debug)]
pub(crate) struct MemberFit<M> {
    pub(crate) member: M,
    pub(crate) bag: Bag,
}

pub(crate) fn bag_seed_key(key: SeedKey, bag: u32) -> SeedKey {
    key.child(tags::ensemble::BAG, bag)
}

/// Seed of the member of a bag, in the range that scikit-learn accepts.
pub(crate) fn member_seed(key: SeedKey) -> u32 {
    random_below(&mut key.child(tags::bag::MEMBER, 0).rng(), u32::MAX)
}

/// Returns the bag with its final weights, and the seed for fitting its member.
/// A bag without weights gets the row weights of `data`. If the base learner does not support weights and
/// the weights differ, the bag is replaced by a bag of equal size, whose rows are drawn by weight.
pub fn finalize_bag_and_seed<T: BaseLearner>(
    base_learner: &T,
    data: &Dataset<'_>,
    bag: Bag,
    key: SeedKey,
) -> (Bag, u32) {
    let differ = |weights: &Vec<f64>| weights.iter().any(|weight| *weight != weights[0]);
    let bag = match bag.weights(data) {
        Some(weights) if base_learner.supports_weights() => Bag { weights: Some(weights), ..bag },
        Some(weights) if differ(&weights) => {
            bag.resample_by_weight(&weights, data, key.child(tags::bag::BY_WEIGHT, 0))
        }
        _ => bag,
    };
    (bag, member_seed(key))
}

pub(crate) fn fit_to_bag<T: BaseLearner>(
    base_learner: &T,
    training: &TrainingContext<'_, '_>,
    bag: Bag,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<MemberFit<T::Member>> {
    let (bag, seed) = finalize_bag_and_seed(base_learner, training.data, bag, key);
    let member = base_learner.fit_to_bag(&bag, seed, ctl)?;
    Ok(MemberFit { member, bag })
}

pub(crate) fn fit_members_to_bags<T: BaseLearner>(
    base_learner: &T,
    training: &TrainingContext<'_, '_>,
    n: u32,
    draw: impl Fn(u32, SeedKey) -> Result<Bag> + Sync,
) -> Result<Vec<MemberFit<T::Member>>> {
    map_member_indices(base_learner, training, n, |index| {
        let key = bag_seed_key(training.key, index);
        fit_to_bag(base_learner, training, draw(index, key)?, key, training.ctl.without_observer())
    })
}

/// Calls `one(0)` to `one(n - 1)`, in parallel unless the base learner is sequential.
pub(crate) fn map_member_indices<T: BaseLearner, R: Send>(
    base_learner: &T,
    training: &TrainingContext<'_, '_>,
    n: u32,
    one: impl Fn(u32) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let done = AtomicU64::new(0);
    let watched = |index: u32| {
        training.ctl.check()?;
        let made = one(index)?;
        training.ctl.report_progress("models", done.fetch_add(1, Ordering::Relaxed) + 1, u64::from(n));
        Ok(made)
    };
    if base_learner.is_sequential() {
        (0..n).map(watched).collect()
    } else {
        parallel::try_map(0..n, watched)
    }
}
