//! Fitted ensembles.

use super::bag::select_frame_columns;
use super::base_learner::OutputKind;
use super::member_cache::MemberCache;
use super::vote_accumulator::{VoteAccumulator, one_hot};
use super::voting::VotingScheme;
use crate::model::OutOfBag;
use imbcore_core::{Classifier, Error, Frame, Result, RunContext, parallel};
use std::sync::Arc;

/// Approximate number of table values in a block of rows that is predicted at a time.
const VALUES: usize = 1 << 17;

/// Ensemble of models of any type, with their voting scheme.
#[derive(Clone, Debug)]
pub struct Ensemble<M> {
    members: Vec<M>,
    voting: VotingScheme,
    out_of_bag: Option<OutOfBag>,
    /// Rows of the training table in the bag of each member; not stored in files.
    samples: Vec<Arc<[u32]>>,
    /// Digests of the members' training tasks, if a warm start may reuse the members.
    /// Digests are not stored in files.
    task_digests: Vec<u64>,
}

impl<M: PartialEq> PartialEq for Ensemble<M> {
    /// Compares all values that affect predictions or are stored in files.
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members && self.voting == other.voting && self.out_of_bag == other.out_of_bag
    }
}

/// Result of fitting the members.
#[derive(Clone, Debug)]
pub struct FittedMembers<M> {
    /// Fitted members.
    pub members: Vec<M>,
    /// Voting scheme.
    pub voting: VotingScheme,
    /// Out-of-bag predictions, if requested.
    pub out_of_bag: Option<OutOfBag>,
    /// Rows of the training table in the bag of each member, ascending, with repetitions.
    /// Boosted members that are fitted to the same rows share one list.
    pub samples: Vec<Arc<[u32]>>,
}

impl<M> Ensemble<M> {
    /// Combines the members and their voting scheme to an ensemble.
    ///
    /// # Errors
    /// [`Error::Format`] unless the numbers of votes and members are equal.
    pub fn new(assembled: FittedMembers<M>) -> Result<Self> {
        let FittedMembers { members, voting, out_of_bag, samples } = assembled;
        if members.len() != voting.votes.len() {
            return Err(Error::damaged("its numbers of votes and members differ"));
        }
        Ok(Self { members, voting, out_of_bag, samples, task_digests: Vec::new() })
    }

    /// Stores the digests of the members' training tasks.
    #[must_use]
    pub fn with_task_digests(self, task_digests: Vec<u64>) -> Self {
        Self { task_digests, ..self }
    }

    /// Fitted members.
    pub fn members(&self) -> &[M] {
        &self.members
    }

    /// Voting scheme.
    pub fn voting(&self) -> &VotingScheme {
        &self.voting
    }

    /// Out-of-bag predictions, if requested.
    pub fn out_of_bag(&self) -> Option<&OutOfBag> {
        self.out_of_bag.as_ref()
    }

    /// Replaces the row numbers of bags and out-of-bag predictions by those of the whole table.
    ///
    /// The whole table has `n_rows` rows, including rows of weight 0 that the fit did not get. For each row
    /// of the fit, `rows` has its number in the whole table.
    pub fn map_out_of_bag_rows(&mut self, rows: &[u32], n_rows: usize) {
        if let Some(found) = &mut self.out_of_bag {
            found.scatter_to_larger_table(rows, n_rows);
        }
        let placed = |sample: &Arc<[u32]>| sample.iter().map(|&row| rows[row as usize]).collect();
        self.samples = self.samples.iter().map(placed).collect();
    }

    /// Removes out-of-bag predictions that the fit needed, but the user did not request.
    pub fn discard_out_of_bag(&mut self) {
        self.out_of_bag = None;
    }

    /// Cache of the members, indexed by digests of their training tasks.
    /// The cache is empty if digests were not stored.
    pub fn to_member_cache(&self) -> MemberCache<M>
    where
        M: Clone,
    {
        self.task_digests.iter().copied().zip(self.members.iter().cloned()).collect()
    }

    /// Rows of the training table in the bag of each member.
    /// Empty for an ensemble read from a file.
    pub fn bag_rows(&self) -> &[Arc<[u32]>] {
        &self.samples
    }
}

/// Output of a model for the rows of a table, in the requested form.
/// The model uses only `columns` of the table; an empty list stands for all columns.
///
/// # Errors
/// Same errors as the model.
pub fn model_output<M: Classifier>(
    model: &M,
    (frame, columns): (&Frame<'_>, &[u32]),
    output_kind: OutputKind,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let frame = select_frame_columns(frame, columns)?;
    match output_kind {
        OutputKind::Proba => model.proba(&frame, ctl),
        OutputKind::Choice => Ok(one_hot(&model.predict(&frame, ctl)?, model.n_classes())),
    }
}

impl<M: Classifier> Ensemble<M> {
    /// Decision function; see [`VoteAccumulator::decision_function`].
    ///
    /// # Errors
    /// Same errors as the members.
    pub fn decision_function(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        Ok(self.accumulate_votes(frame, VoteAccumulator::decision_function, ctl)?.concat())
    }

    /// Adds the votes of all members, one block of rows after another.
    ///
    /// Each block is copied column by column, stays in the processor cache for all members, and is checked
    /// for infinities only once.
    fn accumulate_votes<'c, T: Send>(
        &'c self,
        frame: &Frame<'_>,
        end: impl Fn(VoteAccumulator<'c>) -> T + Send + Sync,
        ctl: RunContext<'_>,
    ) -> Result<Vec<T>> {
        let size = ctl.task_size((VALUES / frame.n_columns()).clamp(1 << 10, 1 << 13));
        parallel::try_map((0..frame.n_rows()).step_by(size), |start| {
            let rows = frame.slice_rows(start..frame.n_rows().min(start + size));
            let content = rows.special_value_flags(0..rows.n_rows());
            if content.infinite {
                frame.check_finite()?;
            }
            let columns = rows.contiguous_numeric_columns(ctl)?;
            let block = rows.with_numeric_columns(&columns)?.with_special_value_flags(content);
            let mut tally = VoteAccumulator::new(&self.voting, block.n_rows())?;
            for (member, columns) in self.members.iter().zip(&self.voting.columns) {
                ctl.check()?;
                let seen = select_frame_columns(&block, columns)?.with_special_value_flags(content);
                match self.voting.rule.output_kind() {
                    OutputKind::Proba => tally.add_output(&member.proba(&seen, ctl.without_observer())?),
                    OutputKind::Choice => tally.add_classes(&member.predict(&seen, ctl.without_observer())?),
                }
            }
            Ok(end(tally))
        })
    }
}

impl<M: Classifier> Classifier for Ensemble<M> {
    fn n_classes(&self) -> usize {
        self.voting.n_classes
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        Ok(self.predict_with_proba(frame, ctl)?.1)
    }

    fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        let (answers, proba): (Vec<_>, Vec<_>) =
            self.accumulate_votes(frame, VoteAccumulator::predict_with_proba, ctl)?.into_iter().unzip();
        Ok((answers.concat(), proba.concat()))
    }
}
