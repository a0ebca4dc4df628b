//! What a search asks of a score: the value of a family, and of all that differ from it by one parent.

use crate::counts::{Counter, Family, Scratch};
use crate::score::{Count, Score};
use imbcore_base::{Error, Result, RunCtl, share};

/// Words of bits to look at, some 200 microseconds of them, from which counting is shared between threads.
const WORTH_A_THREAD: usize = 800_000;

/// A score that adds up over families.
pub(crate) trait Families: Sync {
    /// Number of variables.
    fn n_variables(&self) -> usize;

    /// Whether `a -> b` is worth as much as `b -> a` where neither has another parent.
    fn is_symmetric(&self) -> bool;

    /// What no family of `child` under `parents` exceeds, known without counting.
    fn bound(&self, child: u32, parents: &[u32]) -> f64;

    /// Whether bounds tell that most sets of parents are of no use.
    fn is_bounded(&self) -> bool {
        false
    }

    /// What no family of `child` exceeds whose parents hold all of `parents`.
    fn ceiling(&self, child: u32, parents: &[u32]) -> f64 {
        self.bound(child, parents)
    }

    /// Of likelihoods of whole rows less a penalty for every parameter: the penalty in nats, and the number of states of
    /// every variable.
    fn penalty(&self) -> Option<(f64, &[u32])> {
        None
    }

    /// In the same case, what sets of variables (as bits, ascending) are worth: a family is the worth of child
    /// and parents less that of the parents, less the penalty.
    fn worths(&self, _sets: &[u64], _ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        Err(Error::Internal("this score is no difference of sets".into()))
    }

    /// Score of one family.
    fn local(&self, child: u32, parents: &[u32]) -> f64;

    /// Score of `child` under `parents` and one of `others` more, for each of them.
    fn with_each(&self, child: u32, parents: &[u32], others: &[u32], ctl: RunCtl<'_>) -> Result<Vec<f64>>;
}

/// Families whose rows are counted.
pub(crate) struct Counted<'t, N> {
    counter: Counter<'t>,
    score: Score,
    /// What a family with parents is worth more, a variable.
    bonus: Vec<f64>,
    symmetric: bool,
    count: std::marker::PhantomData<N>,
}

impl<'t, N: Count> Counted<'t, N> {
    pub(crate) fn new(counter: Counter<'t>, score: Score, bonus: Option<Vec<f64>>) -> Self {
        let n = counter.levels().len();
        let symmetric = score.is_equivalent() && bonus.is_none() && !counter.has_gaps();
        let bonus = bonus.unwrap_or_else(|| vec![0.0; n]);
        Self { counter, score, bonus, symmetric, count: std::marker::PhantomData }
    }

    fn family(&self, child: u32, parents: &[u32]) -> Family<'_, N> {
        self.counter.family(child, parents)
    }
}

impl<N: Count> Families for Counted<'_, N> {
    fn n_variables(&self) -> usize {
        self.counter.levels().len()
    }

    fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    fn bound(&self, child: u32, parents: &[u32]) -> f64 {
        let levels = self.counter.levels();
        let configurations = parents.iter().map(|&parent| f64::from(levels[parent as usize])).product();
        self.score.bound(f64::from(levels[child as usize]), configurations)
            + self.bonus[child as usize].max(0.0)
    }

    fn is_bounded(&self) -> bool {
        let penalised = self.score.penalty().is_some_and(|penalty| penalty > 0.0);
        self.counter.is_whole() && (penalised || self.score.pays_for_configurations())
    }

    fn ceiling(&self, child: u32, parents: &[u32]) -> f64 {
        if !self.score.pays_for_configurations() || !self.counter.is_whole() {
            return self.bound(child, parents);
        }
        // More parents make more configurations.
        let occur = self.family(child, parents).n_configurations() as f64;
        -occur * f64::from(self.counter.levels()[child as usize]).ln() + self.bonus[child as usize].max(0.0)
    }

    fn penalty(&self) -> Option<(f64, &[u32])> {
        let plain = self.symmetric && self.counter.is_whole();
        Some((self.score.penalty().filter(|_| plain)?, self.counter.levels()))
    }

    fn worths(&self, sets: &[u64], ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        self.counter.worths(sets, self.score.known(), ctl)
    }

    fn local(&self, child: u32, parents: &[u32]) -> f64 {
        let bonus = if parents.is_empty() { 0.0 } else { self.bonus[child as usize] };
        self.family(child, parents).score(&self.score) + bonus
    }

    fn with_each(&self, child: u32, parents: &[u32], others: &[u32], ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        let family = self.family(child, parents);
        let bonus = self.bonus[child as usize];
        let one = |scratch: &mut Scratch<N>, other: u32| {
            ctl.check()?;
            Ok(family.score_with(other, &self.score, scratch) + bonus)
        };
        if family.cost() * others.len() < ctl.grain(WORTH_A_THREAD) {
            let mut scratch = Scratch::default();
            return others.iter().map(|&other| one(&mut scratch, other)).collect();
        }
        share::try_map_with(others, Scratch::default, |scratch, &other| one(scratch, other))
    }
}

/// Families worth the sum of their arcs (Morán Jiménez 2018, section 4.4.2), less what their parameters cost.
pub(crate) struct Pairwise {
    pub(crate) levels: Vec<u32>,
    /// Worth of the arc `x -> y`, at `y * n + x`.
    pub(crate) arcs: Vec<f64>,
    /// Worth of a variable without parents.
    pub(crate) alone: Vec<f64>,
    /// Nats a parameter.
    pub(crate) penalty: f64,
}

impl Families for Pairwise {
    fn n_variables(&self) -> usize {
        self.levels.len()
    }

    fn is_symmetric(&self) -> bool {
        false
    }

    fn bound(&self, _: u32, _: &[u32]) -> f64 {
        f64::INFINITY
    }

    fn local(&self, child: u32, parents: &[u32]) -> f64 {
        let row = &self.arcs[child as usize * self.levels.len()..];
        let arcs: f64 = parents.iter().map(|&parent| row[parent as usize]).sum();
        let configurations: f64 =
            parents.iter().map(|&parent| f64::from(self.levels[parent as usize])).product();
        let parameters = configurations * (f64::from(self.levels[child as usize]) - 1.0);
        self.alone[child as usize] + arcs - self.penalty * parameters
    }

    fn with_each(&self, child: u32, parents: &[u32], others: &[u32], _: RunCtl<'_>) -> Result<Vec<f64>> {
        let one = |&other: &u32| {
            let mut family = parents.to_vec();
            family.push(other);
            family.sort_unstable();
            self.local(child, &family)
        };
        Ok(others.iter().map(one).collect())
    }
}
