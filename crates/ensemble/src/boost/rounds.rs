//! Rounds of boosting over any teacher: draw a bag by the weights, teach, judge, weigh anew.

use super::costly::Costly;
use super::discrete::Discrete;
use super::pseudo::Pseudo;
use super::verdict::{Verdict, normalized};
use crate::committee::{Assembled, Bag, Ballot, Rule, Taught, Teacher, Training, Voice, teach};
use imbcore_base::{Dataset, Error, PriorShift, Result, SeedKey, tags};
use imbcore_sample::Added;

/// The rule by which members are judged.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Judge {
    Discrete(Discrete),
    Pseudo(Pseudo),
    Costly(Costly),
}

impl Judge {
    /// What members are asked for.
    fn voice(&self) -> Voice {
        match self {
            Self::Pseudo(_) => Voice::Law,
            Self::Discrete(_) | Self::Costly(_) => Voice::Choice,
        }
    }

    /// `said` is what a member answered for the rows, `n_rows x n_classes`.
    fn judge(&self, weights: &[f64], classes: &[u32], said: &[f64]) -> Verdict {
        let n_classes = said.len() / classes.len();
        let wrong = || -> Vec<bool> {
            let rows = classes.iter().zip(said.chunks_exact(n_classes));
            rows.map(|(&class, said)| said[class as usize] == 0.0).collect()
        };
        match self {
            Self::Discrete(rule) => rule.judge(weights, &wrong()),
            Self::Pseudo(rule) => rule.judge(weights, classes, said),
            Self::Costly(rule) => rule.judge(weights, classes, &wrong()),
        }
    }
}

/// How many rounds there are, and how members are judged.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rounds {
    pub(super) judge: Judge,
    /// Most members.
    pub(super) n: u32,
    /// How often a round that came out no better than chance is tried before boosting stops.
    pub(super) attempts: u32,
}

/// What boosting left, a member an entry.
#[derive(Debug)]
pub(super) struct Boosted<M> {
    pub(super) members: Vec<M>,
    pub(super) votes: Vec<f64>,
    pub(super) errors: Vec<f64>,
    /// Rows of the bags.
    pub(super) samples: Vec<Vec<u32>>,
}

impl<M> Default for Boosted<M> {
    fn default() -> Self {
        Self { members: Vec::new(), votes: Vec::new(), errors: Vec::new(), samples: Vec::new() }
    }
}

impl<M> Boosted<M> {
    /// Refuses boosting that kept nobody.
    ///
    /// # Errors
    /// [`Error::Data`].
    pub(super) fn some(self, method: &str) -> Result<Self> {
        if self.members.is_empty() {
            return Err(Error::Data(format!(
                "{method}: the first member is no better than chance, so that there is nothing to boost; take a \
                 stronger estimator, or other parameters for it, and costs that differ less where there are any"
            )));
        }
        Ok(self)
    }

    /// Forgets the rows of the bags, where they are the same for all members.
    pub(super) fn without_samples(self) -> Self {
        Self { samples: Vec::new(), ..self }
    }

    /// One after the other.
    pub(super) fn chain(&mut self, next: Self) {
        self.members.extend(next.members);
        self.votes.extend(next.votes);
        self.errors.extend(next.errors);
        self.samples.extend(next.samples);
    }

    /// The members as a committee.
    pub(super) fn assembled(self, rule: Rule, n_classes: usize, shift: Option<PriorShift>) -> Assembled<M> {
        let Self { members, votes, errors, samples } = self;
        let columns = vec![Vec::new(); members.len()];
        let ballot = Ballot { rule, votes, errors, columns, n_classes, shift };
        Assembled { members, ballot, out_of_bag: None, samples }
    }
}

/// The rows that have weight, ascending: the others take no part.
pub(super) fn rows_with_weight(data: &Dataset<'_>) -> Vec<u32> {
    (0..data.n_rows() as u32).filter(|&row| data.weight(row as usize) > 0.0).collect()
}

/// All rows, by their weights of a round.
pub(super) fn whole(rows: &[u32], weights: &[f64]) -> Bag {
    Bag::of_shares(rows.to_vec(), Added::default(), weights.to_vec())
}

/// Weight of each class in some rows.
pub(super) fn masses(data: &Dataset<'_>, rows: &[u32]) -> Vec<f64> {
    let mut masses = vec![0.0; data.n_classes()];
    for &row in rows {
        masses[data.classes()[row as usize] as usize] += data.weight(row as usize);
    }
    masses
}

/// Boosts on `rows`, first by their own weights: of the weights of a round `draw` makes a bag, and all the rows judge its
/// member.
///
/// Stops after a member without a mistake, and after `attempts` members no better than chance in one round, so that there
/// may be none at all.
///
/// # Errors
/// As `draw` and the teacher; [`Error::Cancelled`].
pub(super) fn boost<T: Teacher>(
    teacher: &T,
    training: &Training<'_, '_>,
    rows: &[u32],
    rounds: &Rounds,
    key: SeedKey,
    draw: impl Fn(&[f64], SeedKey) -> Result<Bag>,
) -> Result<Boosted<T::Member>> {
    let Training { data, ctl, .. } = *training;
    let classes: Vec<u32> = rows.iter().map(|&row| data.classes()[row as usize]).collect();
    let mut weights = normalized(rows.iter().map(|&row| data.weight(row as usize)).collect());
    // A table that is asked about as a whole need not be copied.
    let whole = rows.len() == data.n_rows() && rows.is_sorted_by(|a, b| a < b);
    let asked = (!whole).then_some(rows);
    let mut boosted = Boosted::default();
    for round in 0..rounds.n {
        let of_round = key.child(tags::committee::BAG, round);
        let mut next = None;
        for attempt in 0..rounds.attempts {
            ctl.check()?;
            let at = of_round.child(tags::bag::ATTEMPT, attempt);
            let Taught { member, bag } = teach(teacher, training, draw(&weights, at)?, at, ctl.quiet())?;
            let said = teacher.hear(&member, asked, &bag.columns, rounds.judge.voice(), ctl.quiet())?;
            if let Verdict::Kept { vote, error, next: weights } =
                rounds.judge.judge(&weights, &classes, &said)
            {
                boosted.members.push(member);
                boosted.votes.push(vote);
                boosted.errors.push(error);
                boosted.samples.push(bag.rows);
                next = weights;
                break;
            }
        }
        ctl.tick("rounds", u64::from(round) + 1, u64::from(rounds.n));
        match next {
            Some(next) => weights = next,
            None => break,
        }
    }
    Ok(boosted)
}
