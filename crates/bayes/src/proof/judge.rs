//! Whether a proof holds of the rows of a table.

use super::family::{Looked, Plain, Scored, Wanted};
use super::rows::Codes;
use super::scoring::Scoring;
use super::small::Small;
use super::stated::{GraphProof, Payment, StatedCut};
use super::walk::look;
use crate::dag::Dag;
use crate::search::StructureSettings;
use crate::table::DiscreteTable;
use imbcore_base::budget::{Budget, Status};
use imbcore_base::{Error, Result, share};

/// What rounding may hide, as a share of the sums in a bound: searches and checkers add up in other orders.
const ROUNDING: f64 = 4e-9;

/// A set of parents is of no use if it scores no more than this above one of its parts.
const NO_GAIN: f64 = 1e-7;

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
    /// A graph that scores more than the bound may be left.
    Room,
    /// The clock ran out before all families were counted.
    Time,
}

impl Fault {
    /// A sentence, with a name for every variable.
    pub fn sentence<'a>(self, name: impl Fn(usize) -> &'a str) -> String {
        match self {
            Self::Family(child) => format!(
                "a family of variable {:?} comes to more than the certificate says; are the rows others?",
                name(child)
            ),
            Self::Room => "the prices leave room for a graph that scores more than the bound".into(),
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
    let plain = Plain::new(Codes::of(table), &scoring.score, &scoring.bonus);
    let first = &proof.parts[0].steps[0];
    let asked: f64 = first.iter().map(|cut| cut.price * cut.least()).sum();
    let sums: f64 = proof.most.iter().map(|most| most.abs()).sum::<f64>() + asked.abs();
    let rounding = ROUNDING * sums;
    let claim = proof.bound + rounding;
    // What the best of all families comes to together may be above the claim by so much: a family that is as far below the
    // best of its variable is of no use.
    let room = (proof.most.iter().sum::<f64>() - asked - claim).max(0.0);
    let rules = &scoring.rules;
    let mut wanted = Vec::new();
    let mut orders = Vec::new();
    for child in 0..n as u32 {
        let mut others: Vec<u32> = (0..n as u32)
            .filter(|&v| v != child && rules.allows(v, child) && !rules.requires(v, child))
            .collect();
        others.sort_by_key(|&v| (std::cmp::Reverse(table.levels()[v as usize]), v));
        orders.push(others);
    }
    for (child, others) in (0_u32..).zip(&orders) {
        wanted.push(Wanted {
            child,
            required: (0..n as u32).filter(|&v| rules.requires(v, child)).map(|v| 1 << v).sum(),
            others,
            max_parents: rules.max_parents.unwrap_or(u32::MAX),
            payments: first.iter().filter_map(|cut| cut.of(child)).collect(),
            floor: proof.most[child as usize] - room,
        });
    }
    let mut verdict = ProofVerdict {
        score: (0..n).map(|child| plain.score(child as u32, dag.parents(child))).sum(),
        rounding,
        bound: None,
        families: 0,
        fault: None,
    };
    let looked = match look_all(&plain, &wanted, budget) {
        Err(Error::Cancelled) if budget.reason() == Status::TimeLimit => {
            return Ok(ProofVerdict { fault: Some(Fault::Time), ..verdict });
        }
        looked => looked?,
    };
    verdict.families = looked.iter().map(|one| one.counted).sum();
    let above = |(one, most): (&Looked, &f64)| one.most > most + ROUNDING * most.abs();
    if let Some(child) = looked.iter().zip(&proof.most).position(above) {
        return Ok(ProofVerdict { fault: Some(Fault::Family(child)), ..verdict });
    }
    let left: Left = looked.into_iter().map(|one| useful(one.kept)).collect();
    let bound = shown(proof, left, claim);
    verdict.bound = Some(bound.max(claim));
    verdict.fault = (bound > claim).then_some(Fault::Room);
    Ok(verdict)
}

/// The families of every variable that are above its floor.
fn look_all(plain: &Plain<'_>, wanted: &[Wanted<'_>], budget: &Budget<'_>) -> Result<Vec<Looked>> {
    let places = |(at, one): (usize, &Wanted<'_>)| {
        std::iter::once((at, None)).chain((0..one.others.len()).map(move |place| (at, Some(place))))
    };
    let all: Vec<(usize, Option<usize>)> = wanted.iter().enumerate().flat_map(places).collect();
    let small = share::try_map(wanted, |one| Small::count(plain, one, budget))?;
    let one = |&(at, place): &(usize, Option<usize>)| {
        Ok((at, look(plain, &wanted[at], &small[at], place, budget)?))
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

/// Leaves out sets of parents of which a part scores as much: a graph stays without circles when arcs go.
fn useful(mut all: Vec<Scored>) -> Vec<Scored> {
    all.sort_by_key(|of| (of.set.count_ones(), of.set));
    let mut kept: Vec<Scored> = Vec::new();
    for of in all {
        let part = |less: &Scored| less.set & !of.set == 0 && less.score + NO_GAIN >= of.score;
        if !kept.iter().any(part) {
            kept.push(of);
        }
    }
    kept
}

/// What graphs of these families score at most, part by part; beyond `claim` no closer look is taken.
fn shown(proof: &GraphProof, left: Left, claim: f64) -> f64 {
    let mut waiting: Vec<Option<(Left, f64)>> = vec![None; proof.parts.len()];
    waiting[0] = Some((left, f64::INFINITY));
    let mut most = f64::NEG_INFINITY;
    // Splits lead to later parts.
    for (place, part) in proof.parts.iter().enumerate() {
        let Some((mut left, mut bound)) = waiting[place].take() else { continue };
        for prices in &part.steps {
            bound = bound.min(step(prices, &mut left, claim));
        }
        match part.split {
            Some(split) if bound > claim => {
                for (next, with) in [(split.without, false), (split.with, true)] {
                    let mut own = left.clone();
                    own[split.child as usize].retain(|of| (of.set >> split.parent & 1 == 1) == with);
                    waiting[next] = Some((own, bound));
                }
            }
            _ => most = most.max(bound),
        }
    }
    most
}

/// What graphs score at most by these prices; families that are then of no use are left out.
fn step(prices: &[StatedCut], left: &mut Left, claim: f64) -> f64 {
    let mut bound: f64 = -prices.iter().map(|cut| cut.price * cut.least()).sum::<f64>();
    let mut worths = Vec::with_capacity(left.len());
    for (child, families) in (0_u32..).zip(left.iter()) {
        let own: Vec<Payment<'_>> = prices.iter().filter_map(|cut| cut.of(child)).collect();
        let pays = |set: u64| own.iter().map(|payment| payment.under(set)).sum::<f64>();
        let worth: Vec<f64> = families.iter().map(|of| of.score + pays(of.set)).collect();
        let most = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        bound += most;
        worths.push(worth.into_iter().map(|worth| most - worth).collect::<Vec<f64>>());
    }
    for (families, below) in left.iter_mut().zip(worths) {
        let mut below = below.into_iter();
        families.retain(|_| below.next().is_none_or(|below| bound - below > claim));
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::super::family::bits;
    use super::*;

    #[test]
    fn parts_that_score_as_much_make_a_set_useless() {
        let of = |set, score| Scored { set, score };
        let left = useful(vec![of(0b11, -3.0), of(0, -5.0), of(0b1, -3.0), of(0b10, -6.0)]);
        assert_eq!(left, [of(0, -5.0), of(0b1, -3.0)]);
        assert_eq!(bits(0b1010).collect::<Vec<_>>(), [1, 3]);
    }
}
