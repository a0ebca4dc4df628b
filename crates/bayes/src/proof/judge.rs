//! Whether a proof holds of the rows of a table.

use super::directed::{add_up, is_above, mul_down, sub_down, sub_up, sum_down, sum_up};
use super::family::{KeptFamilies, Looked, MOST_FAMILIES, Plain, Scored, Wanted};
use super::rows::Codes;
use super::scoring::Scoring;
use super::small::Small;
use super::stated::{GraphProof, Payment, StatedCut};
use super::walk::look;
use crate::dag::Dag;
use crate::search::{StructureSettings, tolerance};
use crate::table::DiscreteTable;
use imbcore_base::budget::{Budget, Status};
use imbcore_base::{Error, Result, share};

/// Part of the entropy that the variables can have together by which sums of other orders, and the last steps of a search,
/// may differ.
const ROUNDING: f64 = 4e-9;

/// A score may be this many times larger than the smallest difference that counts.
const LARGEST: f64 = 1.0 / (64.0 * f64::EPSILON);

/// What a checker found.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofVerdict {
    /// Score of the graph, counted anew.
    pub score: f64,
    /// What rounding may hide in such sums.
    pub rounding: f64,
    /// What the proof shows that no graph scores more than, rounding allowed for.
    pub bound: Option<f64>,
    /// Families that were counted.
    pub families: u64,
    /// Why that is not the bound that is claimed, up to rounding.
    pub fault: Option<Fault>,
}

/// Why a bound is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A family of this variable comes to more than the proof says.
    Family(usize),
    /// The graph of the network scores more than the bound.
    Graph,
    /// A graph that scores more than the bound may be left.
    Room,
    /// Too many families are left to be kept in memory.
    Families,
    /// The clock ran out before all families were counted.
    Time,
}

impl Fault {
    /// A sentence, with a name for every variable.
    pub fn sentence<'a>(self, name: impl Fn(usize) -> &'a str) -> String {
        match self {
            Self::Family(child) => format!(
                "the certificate states another maximum than a family of variable {:?} comes to; are the rows others?",
                name(child)
            ),
            Self::Graph => "the graph of this network scores more than the bound".into(),
            Self::Room => "the prices leave room for a graph that scores more than the bound".into(),
            Self::Families => format!(
                "the prices leave more than {MOST_FAMILIES} families of parents; those of a search leave fewer"
            ),
            Self::Time => "the time limit ended the count of families: raise time_limit".into(),
        }
    }
}

/// Families of every variable that are not ruled out.
type Left = Vec<Vec<Scored>>;

/// Checks that no graph over the columns of a table scores more than a proof says, without searching: families are counted
/// one by one where the first prices do not rule them out, which may take longer than the search did.
///
/// # Errors
/// [`Error::Data`] where it is no proof about such a table, [`Error::Unsupported`] for scores without bounds,
/// [`Error::Cancelled`].
pub fn verify(
    proof: &GraphProof,
    table: &DiscreteTable,
    class: Option<u32>,
    settings: &StructureSettings,
    dag: &Dag,
    budget: &Budget<'_>,
) -> Result<ProofVerdict> {
    judge(proof, table, &settings.plain_scoring(table, class)?, dag, budget)
}

/// The same by scores and rules.
pub(crate) fn judge(
    proof: &GraphProof,
    table: &DiscreteTable,
    scoring: &Scoring,
    dag: &Dag,
    budget: &Budget<'_>,
) -> Result<ProofVerdict> {
    let n = table.n_columns();
    proof.check(n)?;
    if table.weights().is_some() || (0..n).any(|column| table.has_gaps(column)) {
        return Err(Error::Unsupported(
            "a certificate is about rows without weights and missing values".into(),
        ));
    }
    if dag.n_variables() != n {
        return Err(Error::Data(format!(
            "{n} columns do not fit a network of {} variables",
            dag.n_variables()
        )));
    }
    if !scoring.rules.keeps(dag) {
        return Err(Error::Data(
            "the network breaks the rules of the certificate: max_parents, required or forbidden arcs, tiers or class_role"
                .into(),
        ));
    }
    let plain = Plain::new(Codes::of(table), &scoring.score, &scoring.bonus);
    let rounding = rounding(table);
    if is_above(scoring.largest(table), LARGEST * rounding) {
        return Err(Error::Unsupported(
            "the numbers of this score are too large for a proof about so few rows".into(),
        ));
    }
    let mut verdict = ProofVerdict {
        score: (0..n).map(|child| plain.score(child as u32, dag.parents(child))).sum(),
        rounding,
        bound: None,
        families: 0,
        fault: None,
    };
    let claim = Claim { proof, plain: &plain, scoring, bound: add_up(proof.bound, rounding), rounding };
    let kept = KeptFamilies::default();
    match claim.check(table, verdict.score, &kept, budget) {
        Err(Error::Cancelled) if kept.are_too_many() => verdict.fault = Some(Fault::Families),
        Err(Error::Cancelled) if budget.reason() == Status::TimeLimit => verdict.fault = Some(Fault::Time),
        found => match found? {
            Ok((bound, families)) => {
                verdict.families = families;
                verdict.bound = Some(bound.max(claim.bound));
                verdict.fault = is_above(bound, claim.bound).then_some(Fault::Room);
            }
            Err(fault) => verdict.fault = Some(fault),
        },
    }
    Ok(verdict)
}

/// What rounding may hide, which follows from the rows alone: searches and verifiers add up in other orders, and a search
/// leaves out families that gain less than its tolerance.
fn rounding(table: &DiscreteTable) -> f64 {
    let entropy: f64 = table.levels().iter().map(|&levels| f64::from(levels).ln()).sum();
    ROUNDING * table.total() * entropy + 2.0 * table.n_columns() as f64 * no_gain(table)
}

/// A set of parents is of no use if it scores no more than this above one of its parts.
fn no_gain(table: &DiscreteTable) -> f64 {
    4.0 * tolerance(table)
}

/// A bound to be checked.
struct Claim<'a> {
    proof: &'a GraphProof,
    plain: &'a Plain<'a>,
    scoring: &'a Scoring,
    /// The stated bound, rounding allowed for.
    bound: f64,
    rounding: f64,
}

impl Claim<'_> {
    /// What graphs score at most, and the families that were counted for that; or why nothing is shown.
    fn check(
        &self,
        table: &DiscreteTable,
        score: f64,
        kept: &KeptFamilies,
        budget: &Budget<'_>,
    ) -> Result<std::result::Result<(f64, u64), Fault>> {
        let n = table.n_columns() as u32;
        let rules = &self.scoring.rules;
        let further = |child: u32| {
            let allowed = |&v: &u32| v != child && rules.allows(v, child) && !rules.requires(v, child);
            let mut others: Vec<u32> = (0..n).filter(allowed).collect();
            others.sort_by_key(|&v| (std::cmp::Reverse(table.levels()[v as usize]), v));
            others
        };
        let orders: Vec<Vec<u32>> = (0..n).map(further).collect();
        let first = &self.proof.parts[0].steps[0];
        let asked = sum_down(first.iter().map(|cut| mul_down(cut.price, cut.least())));
        // First only whether the best family of every variable comes to what is stated, for which few have to be counted.
        let wanted = |child: u32| Wanted {
            child,
            required: (0..n).filter(|&v| rules.requires(v, child)).map(|v| 1 << v).sum(),
            others: &orders[child as usize],
            max_parents: rules.max_parents.unwrap_or(u32::MAX),
            payments: first.iter().filter_map(|cut| cut.of(child)).collect(),
            floor: sub_down(self.proof.most[child as usize], self.rounding),
            limit: add_up(self.proof.most[child as usize], self.rounding),
        };
        let mut wanted: Vec<Wanted<'_>> = (0..n).map(wanted).collect();
        let small = share::try_map(&wanted, |one| Small::count(self.plain, one, budget))?;
        let looked = look_all(self.plain, &wanted, &small, kept, budget)?;
        let is_stated =
            |(one, wanted): (&Looked, &Wanted<'_>)| !one.kept.is_empty() && one.most <= wanted.limit;
        if let Some(child) = looked.iter().zip(&wanted).position(|pair| !is_stated(pair)) {
            return Ok(Err(Fault::Family(child)));
        }
        if is_above(score, self.bound) {
            return Ok(Err(Fault::Graph));
        }
        // What the best of all families comes to together may be above the claim by so much: a family that is as far below
        // the best of its variable is of no use.
        let most: Vec<f64> = looked.iter().map(|one| one.most).collect();
        let room = sub_up(sub_up(sum_up(most.iter().copied()), asked), self.bound).max(0.0);
        for (one, most) in wanted.iter_mut().zip(&most) {
            (one.floor, one.limit) = (sub_down(*most, room), f64::INFINITY);
        }
        kept.remove(looked.iter().map(|one| one.kept.len()).sum());
        drop(looked);
        let looked = look_all(self.plain, &wanted, &small, kept, budget)?;
        let families = looked.iter().map(|one| one.counted).sum();
        let useful = share::try_map(looked, |one| useful(one.kept, no_gain(table), budget))?;
        Ok(Ok((shown(self.proof, useful, self.bound, kept, budget)?, families)))
    }
}

/// The families of every variable that are above its floor.
fn look_all(
    plain: &Plain<'_>,
    wanted: &[Wanted<'_>],
    small: &[Small],
    kept: &KeptFamilies,
    budget: &Budget<'_>,
) -> Result<Vec<Looked>> {
    let places = |(at, one): (usize, &Wanted<'_>)| {
        std::iter::once((at, None)).chain((0..one.others.len()).map(move |place| (at, Some(place))))
    };
    let all: Vec<(usize, Option<usize>)> = wanted.iter().enumerate().flat_map(places).collect();
    let one = |&(at, place): &(usize, Option<usize>)| {
        Ok((at, look(plain, &wanted[at], &small[at], place, kept, budget)?))
    };
    let parts: Vec<(usize, Looked)> = share::try_map(&all, one)?;
    let none = Looked { kept: Vec::new(), most: f64::NEG_INFINITY, counted: 0 };
    let mut looked = vec![none; wanted.len()];
    for (at, mut part) in parts {
        looked[at].kept.append(&mut part.kept);
        looked[at].most = looked[at].most.max(part.most);
        looked[at].counted += part.counted;
    }
    Ok(looked)
}

/// Leaves out sets of parents of which a part scores as much, up to `no_gain`: a graph stays without circles when arcs go.
/// The part then stands for both, with the higher of their scores.
fn useful(mut all: Vec<Scored>, no_gain: f64, budget: &Budget<'_>) -> Result<Vec<Scored>> {
    all.sort_by_key(|of| (of.set.count_ones(), of.set));
    let mut kept: Vec<Scored> = Vec::new();
    let mut raised: Vec<f64> = Vec::new();
    for of in all {
        budget.check()?;
        let part = |less: &Scored| less.set & !of.set == 0 && less.score + no_gain >= of.score;
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

/// What graphs of these families score at most, part by part; beyond `claim` no closer look is taken.
fn shown(
    proof: &GraphProof,
    left: Left,
    claim: f64,
    kept: &KeptFamilies,
    budget: &Budget<'_>,
) -> Result<f64> {
    let size = |left: &Left| left.iter().map(Vec::len).sum::<usize>();
    let mut waiting = vec![(0, left, f64::INFINITY)];
    let mut most = f64::NEG_INFINITY;
    while let Some((place, mut left, mut bound)) = waiting.pop() {
        let part = &proof.parts[place];
        kept.remove(size(&left));
        for prices in &part.steps {
            let now = step(prices, &mut left, claim, budget)?;
            bound = if now <= bound { now } else { bound };
        }
        match part.split {
            Some(split) if is_above(bound, claim) => {
                for (next, with) in [(split.without, false), (split.with, true)] {
                    let mut own = left.clone();
                    own[split.child as usize].retain(|of| (of.set >> split.parent & 1 == 1) == with);
                    // Without a family there is no graph.
                    if !own[split.child as usize].is_empty() {
                        kept.add(size(&own))?;
                        waiting.push((next, own, bound));
                    }
                }
            }
            _ if is_above(bound, most) => most = bound,
            _ => {}
        }
    }
    Ok(most)
}

/// What graphs score at most by these prices; families that are then of no use are left out.
fn step(prices: &[StatedCut], left: &mut Left, claim: f64, budget: &Budget<'_>) -> Result<f64> {
    if left.iter().any(Vec::is_empty) {
        return Ok(f64::NEG_INFINITY);
    }
    let asked = sum_down(prices.iter().map(|cut| mul_down(cut.price, cut.least())));
    let mut bound = sub_up(0.0, asked);
    let mut worths = Vec::with_capacity(left.len());
    for (child, families) in (0_u32..).zip(left.iter()) {
        let own: Vec<Payment<'_>> = prices.iter().filter_map(|cut| cut.of(child)).collect();
        let mut worth = Vec::with_capacity(families.len());
        for of in families {
            budget.check()?;
            worth.push(add_up(of.score, sum_up(own.iter().map(|payment| payment.under(of.set)))));
        }
        let most = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        bound = add_up(bound, most);
        worths.push(worth.into_iter().map(|worth| sub_down(most, worth)).collect::<Vec<f64>>());
    }
    for (families, below) in left.iter_mut().zip(worths) {
        let mut below = below.into_iter();
        families.retain(|_| below.next().is_none_or(|below| is_above(sub_up(bound, below), claim)));
    }
    Ok(bound)
}

#[cfg(test)]
mod tests {
    use super::super::family::bits;
    use super::*;
    use imbcore_base::RunCtl;
    use imbcore_base::budget::Limits;

    #[test]
    fn parts_that_score_as_much_make_a_set_useless() {
        let of = |set, score| Scored { set, score };
        let budget = Budget::start("test", Limits::default(), RunCtl::silent()).unwrap();
        let all = vec![of(0b11, -2.95), of(0, -5.0), of(0b1, -3.0), of(0b10, -6.0)];
        let left = useful(all, 0.1, &budget).unwrap();
        assert_eq!(left, [of(0, -5.0), of(0b1, -2.95)]);
        assert_eq!(bits(0b1010).collect::<Vec<_>>(), [1, 3]);
    }
}
