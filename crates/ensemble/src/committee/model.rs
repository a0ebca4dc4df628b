//! A fitted committee that answers questions.

use super::bag::narrow;
use super::ballot::Ballot;
use super::lessons::Lessons;
use super::tally::{Tally, choices};
use super::teacher::Voice;
use crate::model::OutOfBag;
use imbcore_base::{Classifier, Error, Frame, Result, RunCtl, share};
use std::sync::Arc;

/// Values of a block of rows.
const VALUES: usize = 1 << 17;

/// Models of any kind, and how they are heard.
#[derive(Clone, Debug)]
pub struct Committee<M> {
    members: Vec<M>,
    ballot: Ballot,
    out_of_bag: Option<OutOfBag>,
    /// Rows of the training table in the bag of each member; a committee out of a file knows them no more.
    samples: Vec<Arc<[u32]>>,
    /// Digests of what the members were taught, where a larger committee may begin with them; neither are these in files.
    lessons: Vec<u64>,
}

impl<M: PartialEq> PartialEq for Committee<M> {
    /// Equal in all that answers and files hold.
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members && self.ballot == other.ballot && self.out_of_bag == other.out_of_bag
    }
}

/// What became of a training: members and how they are heard.
#[derive(Clone, Debug)]
pub struct Assembled<M> {
    /// The members.
    pub members: Vec<M>,
    /// How they are heard.
    pub ballot: Ballot,
    /// What is said of rows by the members that did not see them, where asked for.
    pub out_of_bag: Option<OutOfBag>,
    /// Rows of the training table in the bag of each member, ascending, a row drawn twice twice; members of one list share it.
    pub samples: Vec<Arc<[u32]>>,
}

impl<M> Committee<M> {
    /// Joins the parts.
    ///
    /// # Errors
    /// [`Error::Format`] unless there is a vote for each member.
    pub fn new(assembled: Assembled<M>) -> Result<Self> {
        let Assembled { members, ballot, out_of_bag, samples } = assembled;
        if members.len() != ballot.votes.len() {
            return Err(Error::damaged("it has not one vote for each member"));
        }
        Ok(Self { members, ballot, out_of_bag, samples, lessons: Vec::new() })
    }

    /// Keeps the digests of what the members were taught.
    #[must_use]
    pub fn taught(self, lessons: Vec<u64>) -> Self {
        Self { lessons, ..self }
    }

    /// The members.
    pub fn members(&self) -> &[M] {
        &self.members
    }

    /// How they are heard.
    pub fn ballot(&self) -> &Ballot {
        &self.ballot
    }

    /// What is said of training rows by the members that did not see them, where asked for.
    pub fn out_of_bag(&self) -> Option<&OutOfBag> {
        self.out_of_bag.as_ref()
    }

    /// Numbers the training rows by their place in a table of `n_rows` that also has rows without weight.
    pub fn place_rows(&mut self, rows: &[u32], n_rows: usize) {
        if let Some(found) = &mut self.out_of_bag {
            found.place(rows, n_rows);
        }
        let placed = |sample: &Arc<[u32]>| sample.iter().map(|&row| rows[row as usize]).collect();
        self.samples = self.samples.iter().map(placed).collect();
    }

    /// Drops them, where they served and nobody asked for them.
    pub fn forget_out_of_bag(&mut self) {
        self.out_of_bag = None;
    }

    /// The members by what they were taught; none where that is not known.
    pub fn lessons(&self) -> Lessons<M>
    where
        M: Clone,
    {
        self.lessons.iter().copied().zip(self.members.iter().cloned()).collect()
    }

    /// Rows of the training table in the bag of each member; none where the committee comes out of a file.
    pub fn samples(&self) -> &[Arc<[u32]>] {
        &self.samples
    }
}

/// What a model says of rows in the form that is asked for; it sees `columns` of the table.
///
/// # Errors
/// As the model.
pub fn voices<M: Classifier>(
    model: &M,
    (frame, columns): (&Frame<'_>, &[u32]),
    voice: Voice,
    ctl: RunCtl<'_>,
) -> Result<Vec<f64>> {
    let frame = narrow(frame, columns)?;
    match voice {
        Voice::Law => model.proba(&frame, ctl),
        Voice::Choice => Ok(choices(&model.predict(&frame, ctl)?, model.n_classes())),
    }
}

impl<M: Classifier> Committee<M> {
    /// How far the members lean; see [`Tally::decision`].
    ///
    /// # Errors
    /// As the members.
    pub fn decision(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        Ok(self.heard(frame, Tally::decision, ctl)?.concat())
    }

    /// What `end` makes of the voices of all members, block of rows by block: a block stays in the nearer caches from member to member,
    /// column by column, and is looked at once for what members refuse.
    fn heard<'c, T: Send>(
        &'c self,
        frame: &Frame<'_>,
        end: impl Fn(Tally<'c>) -> T + Send + Sync,
        ctl: RunCtl<'_>,
    ) -> Result<Vec<T>> {
        let size = ctl.grain((VALUES / frame.n_columns()).clamp(1 << 10, 1 << 13));
        share::try_map((0..frame.n_rows()).step_by(size), |start| {
            let rows = frame.rows(start..frame.n_rows().min(start + size));
            let content = rows.content(0..rows.n_rows());
            if content.infinite {
                frame.check_finite()?;
            }
            let columns = rows.contiguous(ctl)?;
            let block = rows.over(&columns)?.holding(content);
            let mut tally = Tally::new(&self.ballot, block.n_rows())?;
            for (member, columns) in self.members.iter().zip(&self.ballot.columns) {
                ctl.check()?;
                let seen = narrow(&block, columns)?.holding(content);
                match self.ballot.rule.voice() {
                    Voice::Law => tally.hear(&member.proba(&seen, ctl.quiet())?),
                    Voice::Choice => tally.hear_choices(&member.predict(&seen, ctl.quiet())?),
                }
            }
            Ok(end(tally))
        })
    }
}

impl<M: Classifier> Classifier for Committee<M> {
    fn n_classes(&self) -> usize {
        self.ballot.n_classes
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        Ok(self.answers(frame, ctl)?.1)
    }

    fn answers(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        let (answers, laws): (Vec<_>, Vec<_>) = self.heard(frame, Tally::answers, ctl)?.into_iter().unzip();
        Ok((answers.concat(), laws.concat()))
    }
}
