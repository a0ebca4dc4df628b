//! The seam between committees and whoever teaches their members, and teaching many of them.

use super::bag::Bag;
use imbcore_base::{Dataset, Label, Result, RunCtl, SeedKey, below, share, tags};
use std::sync::atomic::{AtomicU64, Ordering};

/// What a committee wants to hear of a member about every row and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// Probabilities.
    Law,
    /// 1 for the class that the member answers, 0 for the others.
    Choice,
}

/// Whoever makes a member of a bag.
pub trait Teacher: Sync {
    /// A taught member.
    type Member: Send + Sync;

    /// Rows of the training table, made ready for many members that learn from them or are heard on them.
    type Ground: Send + Sync;

    /// Whether members take weights of rows; others get rows drawn by their weights.
    fn takes_weights(&self) -> bool;

    /// Whether members are taught and heard one after another.
    fn one_at_a_time(&self) -> bool;

    /// Makes some rows of the training table ready, or all.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Memory`]; [`imbcore_base::Error::Cancelled`].
    fn ground(&self, rows: Option<&[u32]>, ctl: RunCtl<'_>) -> Result<Self::Ground>;

    /// Teaches a member the rows of a bag, with the weights that it names and no others. A bag of one class gives a member
    /// that always answers it.
    ///
    /// # Errors
    /// Whatever keeps the member from learning.
    fn teach(&self, bag: &Bag, seed: u32, ctl: RunCtl<'_>) -> Result<Self::Member>;

    /// Teaches a member all rows of a ground by `weights`, one a row: the same as the bag of those rows.
    ///
    /// # Errors
    /// As [`Teacher::teach`].
    fn teach_on(
        &self,
        ground: &Self::Ground,
        weights: &[f64],
        seed: u32,
        ctl: RunCtl<'_>,
    ) -> Result<Self::Member>;

    /// What a member that sees `columns` (none: all) says of the rows of a ground, `n_rows x n_classes`; 0 for classes that
    /// it never saw.
    ///
    /// # Errors
    /// Whatever keeps the member from answering.
    fn hear(
        &self,
        member: &Self::Member,
        ground: &Self::Ground,
        columns: &[u32],
        voice: Voice,
        ctl: RunCtl<'_>,
    ) -> Result<Vec<f64>>;
}

/// What a committee learns from.
#[derive(Clone, Copy)]
pub struct Training<'r, 'd> {
    /// The rows; their weights have those of the classes in them.
    pub data: &'r Dataset<'d>,
    /// What the class codes stand for.
    pub labels: &'r [Label],
    /// Code of the positive class.
    pub positive: u32,
    /// Address of all random choices.
    pub key: SeedKey,
    /// Control of the run.
    pub ctl: RunCtl<'r>,
}

/// A member and what it was taught.
#[derive(Clone, Debug)]
pub(crate) struct Taught<M> {
    /// The member.
    pub(crate) member: M,
    /// Its bag.
    pub(crate) bag: Bag,
}

/// The key of a bag, or of a round of boosting.
pub(crate) fn bag_key(key: SeedKey, bag: u32) -> SeedKey {
    key.child(tags::committee::BAG, bag)
}

/// Seed of the member of a bag, in the range that scikit-learn takes.
pub(crate) fn member_seed(key: SeedKey) -> u32 {
    below(&mut key.child(tags::bag::MEMBER, 0).rng(), u32::MAX)
}

/// A bag as a teacher takes it, and the seed of the member: by the weights of the rows in `data`, or where the teacher takes
/// none as many rows drawn by them.
pub fn lesson<T: Teacher>(teacher: &T, data: &Dataset<'_>, bag: Bag, key: SeedKey) -> (Bag, u32) {
    let differ = |weights: &Vec<f64>| weights.iter().any(|weight| *weight != weights[0]);
    let bag = match bag.weights(data) {
        Some(weights) if teacher.takes_weights() => Bag { weights: Some(weights), ..bag },
        Some(weights) if differ(&weights) => bag.drawn_by(&weights, key.child(tags::bag::BY_WEIGHT, 0)),
        _ => Bag { weights: None, ..bag },
    };
    (bag, member_seed(key))
}

/// Has a member taught.
///
/// # Errors
/// As [`Teacher::teach`].
pub(crate) fn teach<T: Teacher>(
    teacher: &T,
    training: &Training<'_, '_>,
    bag: Bag,
    key: SeedKey,
    ctl: RunCtl<'_>,
) -> Result<Taught<T::Member>> {
    let (bag, seed) = lesson(teacher, training.data, bag, key);
    let member = teacher.teach(&bag, seed, ctl)?;
    Ok(Taught { member, bag })
}

/// Has `n` members taught what `draw` puts into their bags, which it gets the numbers and keys of: side by side, unless
/// the teacher wants one at a time.
///
/// # Errors
/// As `draw` and [`Teacher::teach`]; [`imbcore_base::Error::Cancelled`].
pub(crate) fn teach_all<T: Teacher>(
    teacher: &T,
    training: &Training<'_, '_>,
    n: u32,
    draw: impl Fn(u32, SeedKey) -> Result<Bag> + Sync,
) -> Result<Vec<Taught<T::Member>>> {
    side_by_side(teacher, training, n, |index| {
        let key = bag_key(training.key, index);
        teach(teacher, training, draw(index, key)?, key, training.ctl.quiet())
    })
}

/// What `one` makes of the numbers below `n`, in their order: side by side, unless the teacher wants one at a time.
///
/// # Errors
/// As `one`; [`imbcore_base::Error::Cancelled`].
pub(crate) fn side_by_side<T: Teacher, R: Send>(
    teacher: &T,
    training: &Training<'_, '_>,
    n: u32,
    one: impl Fn(u32) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let done = AtomicU64::new(0);
    let watched = |index: u32| {
        training.ctl.check()?;
        let made = one(index)?;
        training.ctl.tick("models", done.fetch_add(1, Ordering::Relaxed) + 1, u64::from(n));
        Ok(made)
    };
    if teacher.one_at_a_time() { (0..n).map(watched).collect() } else { share::try_map(0..n, watched) }
}
