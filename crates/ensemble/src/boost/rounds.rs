//! Rounds of boosting over any teacher: draw a bag by the weights, teach, judge, weigh anew.

use super::costly::Costly;
use super::discrete::Discrete;
use super::pseudo::Pseudo;
use super::verdict::{Verdict, normalized};
use crate::committee::{
    Assembled, Bag, Ballot, Rule, Taught, Teacher, Training, Voice, member_seed, of_mean_1, teach,
};
use imbcore_base::{Dataset, Error, PriorShift, Result, SeedKey, tags};
use imbcore_sample::Added;
use std::sync::Arc;

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
    /// How often a round that came out no better than chance is tried by the same weights.
    pub(super) attempts: u32,
    /// Whether the weights then go back to those of the start, once a round, before boosting stops (Bauer and Kohavi 1999,
    /// figure 4).
    pub(super) restarts: bool,
}

/// What boosting left, a member an entry.
#[derive(Debug)]
pub(super) struct Boosted<M> {
    pub(super) members: Vec<M>,
    pub(super) votes: Vec<f64>,
    pub(super) errors: Vec<f64>,
    /// Rows of the bags, those of one list where they are the same.
    pub(super) samples: Vec<Arc<[u32]>>,
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

/// No bag: all rows, by their weights of a round.
#[allow(clippy::unnecessary_wraps)] // As whoever draws.
pub(super) fn whole(_weights: &[f64], _key: SeedKey) -> Result<Option<Bag>> {
    Ok(None)
}

/// Weight of each class in some rows.
pub(super) fn masses(data: &Dataset<'_>, rows: &[u32]) -> Vec<f64> {
    let mut masses = vec![0.0; data.n_classes()];
    for &row in rows {
        masses[data.classes()[row as usize] as usize] += data.weight(row as usize);
    }
    masses
}

/// Boosts on `rows`, first by their own weights: of the weights of a round `draw` makes a bag, or none where a member
/// learns from all rows by them, and all the rows judge the member.
///
/// Stops after a member without a mistake, and after a round whose members were all no better than chance, so that there
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
    draw: impl Fn(&[f64], SeedKey) -> Result<Option<Bag>>,
) -> Result<Boosted<T::Member>> {
    let Training { data, ctl, .. } = *training;
    let class =
        Class { teacher, training, rows: rows.into(), ground: teacher.ground(Some(rows), ctl.quiet())? };
    let classes: Vec<u32> = rows.iter().map(|&row| data.classes()[row as usize]).collect();
    let first = normalized(rows.iter().map(|&row| data.weight(row as usize)).collect());
    let mut weights = first.clone();
    let mut boosted = Boosted::default();
    for round in 0..rounds.n {
        let of_round = key.child(tags::committee::BAG, round);
        let mut next = None;
        // The weights of the first round are those of the start.
        let again = if rounds.restarts && round > 0 { rounds.attempts } else { 0 };
        for attempt in 0..rounds.attempts + again {
            ctl.check()?;
            if attempt == rounds.attempts {
                weights.clone_from(&first);
            }
            let at = of_round.child(tags::bag::ATTEMPT, attempt);
            let Pupil { member, rows, columns } = class.teach(draw(&weights, at)?, &weights, at)?;
            let said = teacher.hear(&member, &class.ground, &columns, rounds.judge.voice(), ctl.quiet())?;
            if let Verdict::Kept { vote, error, next: weights } =
                rounds.judge.judge(&weights, &classes, &said)
            {
                boosted.members.push(member);
                boosted.votes.push(vote);
                boosted.errors.push(error);
                boosted.samples.push(rows);
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

/// Rows from which many members learn, one after the other.
struct Class<'c, 'd, T: Teacher> {
    teacher: &'c T,
    training: &'c Training<'c, 'd>,
    rows: Arc<[u32]>,
    ground: T::Ground,
}

/// A member and what it was taught.
struct Pupil<M> {
    member: M,
    rows: Arc<[u32]>,
    columns: Vec<u32>,
}

impl<T: Teacher> Class<'_, '_, T> {
    /// Has a member taught a bag, or all rows by their weights.
    fn teach(&self, bag: Option<Bag>, weights: &[f64], key: SeedKey) -> Result<Pupil<T::Member>> {
        let Self { teacher, training, rows, ground } = self;
        let ctl = training.ctl.quiet();
        let bag = match bag {
            None if teacher.takes_weights() => {
                let weights = of_mean_1(weights.to_vec());
                let member = teacher.teach_on(ground, &weights, member_seed(key), ctl)?;
                return Ok(Pupil { member, rows: Arc::clone(rows), columns: Vec::new() });
            }
            None => Bag::of_shares(rows.to_vec(), Added::default(), weights.to_vec()),
            Some(bag) => bag,
        };
        let Taught { member, bag } = teach(*teacher, training, bag, key, ctl)?;
        let rows = if bag.rows[..] == **rows { Arc::clone(rows) } else { bag.rows.into() };
        Ok(Pupil { member, rows, columns: bag.columns })
    }
}
